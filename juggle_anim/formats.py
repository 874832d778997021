"""The table of file formats: their endings, the functions that write and read them, and what each
can hold.

Writers, readers and checks are named as "module:function", relative to this package, and imported
on first use: so the table costs nothing and every layer may read it. A new format is a row here and
the module that writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class Format(NamedTuple):
    """A file format.

    Args:
        name: the usual name.
        endings: of file names, in lower case; the main one first.
        video: starts a moving picture, a `juggle_anim.exporter.video.OpenVideo`; empty where the
            format has none.
        still: encodes one picture, a `juggle_anim.exporter.stills.Encode`.
        page: writes a web page.
        model: writes a model or a table of a request, to one file or to all that `paths` names.
        subtitles: gives the captions of a film as text.
        drawn: whether drawings and plots are written in it.
        start: how a file begins, a regular expression for at most 12 bytes.
        metadata_reader: reads the metadata of an open file, from at most a given number of bytes.
        complete: how a complete file ends, a regular expression for at most 64 bytes; or a function
            that checks it.
        codecs: FFmpeg's names of those that a video needs; the last is for sound, if it has sound.
        fps: the default frame rate of a video, [frames/s].
        max_fps: the highest rate that its clock can represent, [frames/s].
        repeats: whether players repeat a video, so that one cycle is enough.
        alpha: whether pictures can be transparent.
        one_bit_alpha: whether each of its pixels is either transparent or not.
        even: whether width and height of a video must be even.
        sound: whether a video can have sound.
        depths: bits a channel that a still can have.
        max_edge: the greatest width or height of a picture, [pixels].
        bones: whether a model has bones, which can be called as other programs call them.
        scaled: whether lengths of a model can have another unit, since the format does not say
            which.
        scene: whether a model has a camera, and a floor that can be left out.
        paths: gives all files of a model from the one that is named; the last carries the metadata.
            Empty for one file.
        require: raises a `ParameterError` where a library that a model needs is missing; empty for
            none.
    """

    name: str
    endings: tuple[str, ...]
    video: str = ""
    still: str = ""
    page: str = ""
    model: str = ""
    subtitles: str = ""
    drawn: bool = False
    start: bytes = b""
    metadata_reader: str = ""
    complete: bytes | str = b""
    codecs: tuple[str, ...] = ()
    fps: float = 60.0
    max_fps: float = 1000.0
    repeats: bool = False
    alpha: bool = False
    one_bit_alpha: bool = False
    even: bool = False
    sound: bool = False
    depths: tuple[int, ...] = (8,)
    max_edge: int = 65_535
    bones: bool = False
    scaled: bool = False
    scene: bool = False
    paths: str = ""
    require: str = ""

    def begins(self, content: bytes) -> bool:
        """Whether some content begins as that of such a file."""
        return re.match(self.start, content, re.DOTALL) is not None


def load(name: str) -> Any:
    """The writer, reader or check of a row, imported by its name."""
    module, _, function = name.partition(":")
    return getattr(import_module(f"juggle_anim.{module}"), function)


_PNG_START = rb"\x89PNG\r\n\x1a\n"
_PNG_END = rb"\0\0\0\0IEND\xaeB`\x82"
_BOM = rb"(?:\xef\xbb\xbf)?"
_VIDEO_METADATA = "metadata.documents:read_video_comment"

# fmt: off
FORMATS = (
    Format("MP4", (".mp4",), video="exporter.video:mp4", start=rb".{4}ftyp",
        metadata_reader=_VIDEO_METADATA,
        complete="exporter.resume:is_mp4_complete", codecs=("libx264", "aac"), even=True,
        sound=True),
    Format("WebM", (".webm",), video="exporter.video:webm", start=rb"\x1aE\xdf\xa3",
        metadata_reader=_VIDEO_METADATA,
        complete="exporter.resume:is_webm_complete", codecs=("libvpx-vp9", "libopus"), alpha=True,
        sound=True),
    Format("QuickTime", (".mov",), video="exporter.video:mov", start=rb".{4}ftyp",
        metadata_reader=_VIDEO_METADATA,
        complete="exporter.resume:is_mp4_complete", codecs=("prores_ks", "pcm_s16le"), alpha=True,
        even=True,
        sound=True),
    Format("GIF", (".gif",), video="exporter.animated:gif", start=rb"GIF8",
        metadata_reader="metadata.images:read_gif_comment", complete=rb"\0;", codecs=("gif",),
        fps=100 / 3,
        max_fps=50.0, repeats=True, alpha=True, one_bit_alpha=True),
    Format("APNG", (".apng",), video="exporter.animated:apng", start=_PNG_START,
        metadata_reader="metadata.images:read_png_text", complete=_PNG_END, fps=30.0, repeats=True,
        alpha=True),
    Format("SVG", (".svg",), drawn=True, start=rb"<\?xml versio",
        metadata_reader="metadata.documents:read_svg_description"),
    Format("PDF", (".pdf",), drawn=True, start=rb"%PDF-",
        metadata_reader="metadata.documents:read_pdf_keywords"),
    Format("PNG", (".png",), still="exporter.stills:png", drawn=True, start=_PNG_START,
        metadata_reader="metadata.images:read_png_text", complete=_PNG_END, alpha=True,
        depths=(8, 16),
        max_edge=2**31 - 1),
    # In the packed picture a zero would follow ff, and nothing before the picture has ff d9.
    Format("JPEG", (".jpg", ".jpeg"), still="exporter.stills:jpeg", start=rb"\xff\xd8\xff",
        metadata_reader="metadata.images:read_jpeg_metadata", complete=rb"\xff\xd9"),
    # An edge has 14 bits (RFC 9649, 2.5).
    Format("WebP", (".webp",), video="exporter.animated:animated_webp",
        still="exporter.stills:webp", start=rb".{8}WEBP",
        metadata_reader="metadata.images:read_webp_exif",
        complete="exporter.resume:is_riff_complete",
        codecs=("libwebp_anim",), fps=30.0, repeats=True, alpha=True, max_edge=16_383),
    # Other programs may write numbers with the high byte first.
    Format("TIFF", (".tif", ".tiff"), still="exporter.stills:tiff", start=rb"II\*\0|MM\0\*",
        metadata_reader="metadata.images:read_tiff_description",
        complete="exporter.resume:is_tiff_complete",
        alpha=True, max_edge=2**32 - 1),
    Format("OpenEXR", (".exr",), still="exporter.stills:exr", start=rb"\x76\x2f\x31\x01",
        metadata_reader="metadata.images:read_exr_attribute",
        complete="exporter.resume:is_exr_complete", alpha=True,
        depths=(16,), require="exporter.stills:require_exr"),
    Format("HTML", (".html",), page="exporter.page.page:write_page",
        start=_BOM + rb"\s*(?i:<!doctype\s|<html|<!--)",
        metadata_reader="metadata.documents:read_html_meta",
        complete=rb"</script>\n</body>\n</html>\n"),
    Format("GLB", (".glb",), model="exporter.models.gltf:write_glb", start=rb"glTF\x02\0\0\0",
        metadata_reader="metadata.documents:read_glb_comment",
        complete="exporter.resume:is_glb_complete",
        bones=True, scene=True),
    # The name of the last skin; nowhere else does a name end the list of a list.
    Format("glTF", (".gltf",), model="exporter.models.gltf:write_gltf", start=_BOM + rb'\s*\{\s*"',
        metadata_reader="metadata.documents:read_gltf_comment",
        complete=rb'"name":"juggler_\d+"\}\]\}', bones=True,
        scene=True),
    Format("USDZ", (".usdz",), model="exporter.models.usd:write_usd", start=rb"PK\x03\x04",
        metadata_reader="metadata.documents:read_usd_package",
        complete="exporter.resume:is_zip_complete", bones=True,
        scene=True, require="exporter.jobs:require_usd"),
    Format("USD", (".usdc",), model="exporter.models.usd:write_usd", start=rb"PXR-USDC",
        metadata_reader="metadata.documents:read_usd_binary",
        complete="exporter.resume:is_usdc_complete", bones=True,
        scene=True, require="exporter.jobs:require_usd"),
    # The end of the only block that stands in no other.
    Format("USD", (".usda",), model="exporter.models.usd:write_usd", start=rb"#usda ",
        metadata_reader="metadata.documents:read_usd_text", complete=rb"\n\}\n\n", bones=True,
        scene=True, require="exporter.jobs:require_usd"),
    Format("SubRip", (".srt",), subtitles="exporter.captions:srt"),
    Format("WebVTT", (".vtt",), subtitles="exporter.captions:vtt", start=_BOM + b"WEBVTT",
        metadata_reader="metadata.documents:read_vtt_note"),
    Format("BVH", (".bvh",), model="exporter.models.bvh:write_bvh", start=rb"HIERARCHY",
        metadata_reader="metadata.documents:read_bvh_table",
        complete="exporter.resume:is_bvh_complete",
        bones=True, scaled=True, paths="exporter.models.bvh:bvh_paths"),
    Format("NPZ", (".npz",), model="exporter.models.bvh:write_npz", start=rb"PK\x03\x04",
        metadata_reader="metadata.documents:read_npz_comment",
        complete="exporter.resume:is_zip_complete"),
    Format("CSV", (".csv",), model="exporter.models.bvh:write_csv", start=_BOM + rb'"?# \{',
        metadata_reader="metadata.documents:read_csv_comment",
        complete="exporter.resume:is_csv_complete"),
    Format("JSON", (".json",), model="exporter.models.bvh:write_json",
        start=_BOM + rb'\s*\{\s*"',
        metadata_reader="metadata.documents:read_json_comment", complete=rb"\}\n\]\}\n"),
)
# fmt: on
"""All formats, in the order in which messages and help texts name them."""


def _by_ending(written: Callable[[Format], object]) -> dict[str, Format]:
    return {ending: row for row in FORMATS if written(row) for ending in row.endings}


BY_ENDING = _by_ending(lambda row: row.metadata_reader)
"""The formats whose files may carry an animation, by ending."""

VIDEOS = _by_ending(lambda row: row.video)
STILLS = _by_ending(lambda row: row.still)
PAGES = _by_ending(lambda row: row.page)
MODELS = _by_ending(lambda row: row.model)
SUBTITLES = _by_ending(lambda row: row.subtitles)
DRAWINGS = _by_ending(lambda row: row.drawn)
EXPORTS = _by_ending(lambda row: row.video or row.still or row.page or row.model or row.subtitles)
"""The formats that `export` writes, by ending."""


def main_endings(rows: dict[str, Format]) -> str:
    """The main ending of each of these formats, as help texts list them."""
    return ", ".join(ending for ending, row in rows.items() if ending == row.endings[0])
