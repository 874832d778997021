"""Videos by FFmpeg: H.264 in MP4, which plays everywhere; VP9 in WebM; ProRes in MOV, to be edited further."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from juggle_anim.arrays import Bytes
from juggle_anim.embedded.video_comment import COMMENT
from juggle_anim.exporter.clock import frame_rate
from juggle_anim.exporter.film import Add
from juggle_anim.exporter.manner import Manner
from juggle_anim.exporter.quality import Quality
from juggle_anim.exporter.shots import Shots
from juggle_anim.exporter.sound_track import SoundTrack

if TYPE_CHECKING:
    from av.container import OutputContainer
    from av.video.stream import VideoStream


@dataclass(frozen=True)
class Codec:
    """How pictures are packed.

    Args:
        name: FFmpeg's.
        sound: that of the sound.
        pixels: FFmpeg's name of the form of its pixels, without and with alpha.
        options: those of the codec for each quality.
        opaque, transparent: more of them, for either form.
        container: those of the file.
    """

    name: str
    sound: str
    pixels: tuple[str, str]
    options: Mapping[str, Mapping[str, str]]
    opaque: Mapping[str, str] = field(default_factory=dict)
    transparent: Mapping[str, str] = field(default_factory=dict)
    container: Mapping[str, str] = field(default_factory=dict)


# A constant rate factor of 21 looks the same as the original. x264's tree of macroblocks reads memory that nobody has
# written, so that about one export in fifty came out otherwise than the rest; without it, a factor that is greater by 6
# gives the same quality and size. One thread is enough, since pictures are drawn meanwhile anyway.
_H264 = Codec(
    "libx264",
    "aac",
    ("yuv420p", ""),
    {
        Quality.DRAFT: {"crf": "31", "preset": "veryfast"},
        Quality.GOOD: {"crf": "21", "preset": "veryfast"},
        Quality.BEST: {"crf": "16", "preset": "medium"},
    },
    opaque={"threads": "1", "x264-params": "mbtree=0"},
    container={"movflags": "faststart"},
)

# Its slower ways take ten times as long, and make files a fifth smaller; pictures kept to look ahead gain nothing.
_QUICK = {"b": "0", "deadline": "realtime", "cpu-used": "8", "row-mt": "1", "lag-in-frames": "0"}
_VP9 = Codec(
    "libvpx-vp9",
    "libopus",
    ("yuv420p", "yuva420p"),
    {
        Quality.DRAFT: {"crf": "34", **_QUICK},
        Quality.GOOD: {"crf": "20", **_QUICK},
        Quality.BEST: {"crf": "8", "b": "0", "deadline": "good", "cpu-used": "4", "row-mt": "1"},
    },
    # FFmpeg knows no other way with alpha; pictures kept to look ahead would be of no use then.
    transparent={"auto-alt-ref": "0", "lag-in-frames": "0"},
    container={"fflags": "+bitexact"},  # else tracks get random numbers, and no two exports are alike
)

_PRORES = Codec(
    "prores_ks",
    "pcm_s16le",
    ("yuv422p10le", "yuva444p10le"),
    {quality: {"vendor": "apl0"} for quality in Quality},
    opaque={"profile": "hq"},
    transparent={"profile": "4444"},
)


@contextlib.contextmanager
def mp4(shots: Shots, draft: Path, manner: Manner, words: str) -> Iterator[Add]:
    """Begin an MP4 file."""
    with _video(_H264, shots, draft, manner, words) as add:
        yield add


@contextlib.contextmanager
def webm(shots: Shots, draft: Path, manner: Manner, words: str) -> Iterator[Add]:
    """Begin a WebM file."""
    with _video(_VP9, shots, draft, manner, words) as add:
        yield add


@contextlib.contextmanager
def mov(shots: Shots, draft: Path, manner: Manner, words: str) -> Iterator[Add]:
    """Begin a MOV file."""
    with _video(_PRORES, shots, draft, manner, words) as add:
        yield add


@contextlib.contextmanager
def _video(codec: Codec, shots: Shots, draft: Path, manner: Manner, words: str) -> Iterator[Add]:
    import av

    # The container is closed, and with that complete, when the context ends.
    with av.open(str(draft), "w", options=dict(codec.container)) as container:
        container.metadata[COMMENT] = words
        stream = _stream(container, codec, shots, manner)
        sound = SoundTrack(container, codec.sound, shots) if manner.sound else None
        convert = _converter(stream.pix_fmt or "")

        def add(image: Bytes) -> None:
            container.mux(stream.encode(convert(image)))
            if sound:
                sound.go_on()

        yield add
        container.mux(stream.encode(None))
        if sound:
            sound.end()


def _stream(container: OutputContainer, codec: Codec, shots: Shots, manner: Manner) -> VideoStream:
    more = codec.transparent if shots.transparent else codec.opaque
    options = {**codec.options[manner.quality], **more}
    stream: Any = container.add_stream(codec.name, rate=frame_rate(shots.fps), options=options)
    stream.width, stream.height = shots.size
    stream.pix_fmt = codec.pixels[shots.transparent]
    context = stream.codec_context
    context.color_primaries = context.color_trc = context.colorspace = _BT709
    context.color_range = _LIMITED_RANGE
    video: VideoStream = stream
    return video


def _converter(pixels: str) -> Any:
    """What makes FFmpeg's frames of our pictures, in the colours of BT.709."""
    import av
    from av.video.reformatter import ColorRange, Colorspace, VideoReformatter

    to_bt709 = VideoReformatter()

    def convert(image: Bytes) -> av.VideoFrame:
        frame = av.VideoFrame.from_ndarray(image, format="rgb24" if image.shape[2] == 3 else "rgba")
        # Several threads of FFmpeg don't agree on pixels near the right edge, differently each time.
        return to_bt709.reformat(
            frame, format=pixels, dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG, threads=1
        )

    return convert


# Numbers that video gives to the colours of BT.709; without them players guess, and colours shift.
_BT709 = 1
_LIMITED_RANGE = 1
