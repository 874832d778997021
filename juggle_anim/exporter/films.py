"""The registry of moving pictures, by the ending of a name."""

from __future__ import annotations

from juggle_anim.exporter.animated_webp import animated_webp
from juggle_anim.exporter.apng import apng
from juggle_anim.exporter.film import Film
from juggle_anim.exporter.gif import gif
from juggle_anim.exporter.stills import LARGEST_WEBP
from juggle_anim.exporter.video_stream import mov, mp4, webm

FILMS: dict[str, Film] = {
    ".mp4": Film("MP4", mp4, ("libx264", "aac"), even=True, sound=True),
    ".webm": Film("WebM", webm, ("libvpx-vp9", "libopus"), alpha=True, sound=True),
    ".mov": Film("QuickTime", mov, ("prores_ks", "pcm_s16le"), alpha=True, even=True, sound=True),
    ".gif": Film("GIF", gif, ("gif",), fps=100 / 3, fastest=50.0, repeats=True, alpha=True),
    ".apng": Film("APNG", apng, fps=30.0, repeats=True, alpha=True),
    ".webp": Film("WebP", animated_webp, ("libwebp_anim",), fps=30.0, repeats=True, alpha=True, largest=LARGEST_WEBP),
}
"""All of them. A new kind is a row here, and a file that opens it."""
