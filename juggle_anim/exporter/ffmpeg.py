"""Videos by FFmpeg, with sound: H.264 in MP4, which plays everywhere; VP9 in WebM; ProRes in MOV,
for editing.

Raw frames for another program are pixels one after another, or YUV4MPEG2, which also says size and
rate.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.arrays import Bytes, Floats, Integers, Singles
from juggle_anim.exporter.drawn_frames import DrawnFrames
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import AddFrame, Quality, WriteOptions
from juggle_anim.exporter.video import frame_rate
from juggle_anim.metadata.documents import COMMENT_TAG
from juggle_anim.sound import SAMPLE_RATE, sound_events, tone

if TYPE_CHECKING:
    from av.container import OutputContainer
    from av.video.stream import VideoStream


from collections.abc import Callable
from typing import BinaryIO

from juggle_anim.errors import ParameterError, did_you_mean
from juggle_anim.exporter.options import Progress
from juggle_anim.exporter.overlapped import overlapped
from juggle_anim.language import _

# Slower settings take ten times as long for files a fifth smaller; looking ahead gains nothing.
_VP9_FAST = {"b": "0", "deadline": "realtime", "cpu-used": "8", "row-mt": "1", "lag-in-frames": "0"}

# The code of BT.709 colours; without it players guess, and colours shift.
_BT709 = 1

_LIMITED_RANGE = 1
_MAX_SAMPLE = 32_767


_RAW_FORMATS = ("y4m", "rgb24", "rgba")
"""The names of the formats, as FFmpeg has them; the first is the default."""


@dataclass(frozen=True)
class Codec:
    """The encoding of frames.

    Args:
        name: FFmpeg's name.
        sound: FFmpeg's name of the sound codec.
        pixels: FFmpeg's names of its pixel formats, without and with alpha.
        options: codec options for each quality.
        opaque, transparent: further codec options, without and with alpha.
        container: options of the file.
    """

    name: str
    sound: str
    pixels: tuple[str, str]
    options: Mapping[str, Mapping[str, str]]
    opaque: Mapping[str, str] = field(default_factory=dict)
    transparent: Mapping[str, str] = field(default_factory=dict)
    container: Mapping[str, str] = field(default_factory=dict)


# A constant rate factor of 21 looks the same as the original. x264's macroblock tree reads
# uninitialised memory, so about one export in fifty differed from the others; without it, a factor
# greater by 6 gives the same quality and size. What x264 writes depends on the number of its
# threads, so that is the same on each machine.
_H264 = Codec(
    "libx264",
    "aac",
    ("yuv420p", ""),
    {
        Quality.DRAFT: {"crf": "31", "preset": "veryfast"},
        Quality.GOOD: {"crf": "21", "preset": "veryfast"},
        Quality.BEST: {"crf": "16", "preset": "medium"},
    },
    opaque={"threads": "4", "x264-params": "mbtree=0"},
    container={"movflags": "faststart"},
)

_VP9 = Codec(
    "libvpx-vp9",
    "libopus",
    ("yuv420p", "yuva420p"),
    {
        Quality.DRAFT: {"crf": "34", **_VP9_FAST},
        Quality.GOOD: {"crf": "20", **_VP9_FAST},
        Quality.BEST: {"crf": "8", "b": "0", "deadline": "good", "cpu-used": "4", "row-mt": "1"},
    },
    # FFmpeg needs this for alpha; looking ahead would be useless then.
    transparent={"auto-alt-ref": "0", "lag-in-frames": "0"},
    container={"fflags": "+bitexact"},  # otherwise tracks get random numbers, and exports differ
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
def _video(
    codec: Codec, frames: DrawnFrames, draft: Path, options: WriteOptions, metadata: str
) -> Iterator[AddFrame]:
    import av

    request = frames.request
    # Closing the container at the end of the context completes the file.
    with av.open(str(draft), "w", options=dict(codec.container)) as container:
        container.metadata[COMMENT_TAG] = metadata
        stream = _stream(container, codec, request, options)
        sound = SoundTrack(container, codec.sound, request) if options.sound else None
        convert = bt709_converter(stream.pix_fmt or "")

        def add(image: Bytes) -> None:
            container.mux(stream.encode(convert(image)))
            if sound:
                sound.add_frame()

        yield add
        container.mux(stream.encode(None))
        if sound:
            sound.finish()


mp4 = partial(_video, _H264)
webm = partial(_video, _VP9)
mov = partial(_video, _PRORES)
"""Open a file of each kind for frames; see `juggle_anim.exporter.video.OpenVideo`."""


def _stream(
    container: OutputContainer, codec: Codec, request: FrameRequest, options: WriteOptions
) -> VideoStream:
    more = codec.transparent if request.transparent else codec.opaque
    codec_options = {**codec.options[options.quality], **more}
    stream: Any = container.add_stream(
        codec.name, rate=frame_rate(request.fps), options=codec_options
    )
    stream.width, stream.height = request.size
    stream.pix_fmt = codec.pixels[request.transparent]
    context = stream.codec_context
    context.color_primaries = context.color_trc = context.colorspace = _BT709
    context.color_range = _LIMITED_RANGE
    video: VideoStream = stream
    return video


def bt709_converter(pixels: str) -> Any:
    """A function from an image to FFmpeg's frame, in BT.709 colours."""
    import av
    from av.video.reformatter import (
        ColorPrimaries,
        ColorRange,
        Colorspace,
        ColorTrc,
        VideoReformatter,
    )

    to_bt709 = VideoReformatter()
    # ProRes repeats in each frame what the container says, and takes it from there.
    tags = {"dst_color_trc": ColorTrc.BT709, "dst_color_primaries": ColorPrimaries.BT709}

    def convert(image: Bytes) -> av.VideoFrame:
        frame = av.VideoFrame.from_ndarray(image, format="rgb24" if image.shape[2] == 3 else "rgba")
        # With several threads FFmpeg gives pixels near the right edge that differ from run to run.
        return to_bt709.reformat(
            frame,
            format=pixels,
            dst_colorspace=Colorspace.ITU709,
            dst_color_range=ColorRange.MPEG,
            threads=1,
            **tags,
        )

    return convert


class SoundTrack:
    """The sound stream of a video that is being written.

    Args:
        container: the file.
        codec: FFmpeg's name of the sound codec.
        request: the frames that the sound belongs to.
    """

    def __init__(self, container: OutputContainer, codec: str, request: FrameRequest) -> None:
        from av.audio.stream import AudioStream

        stream = container.add_stream(codec, rate=SAMPLE_RATE)
        assert isinstance(stream, AudioStream)
        stream.layout = "mono"
        self._container, self._stream, self._sounds = container, stream, CatchSounds(request)
        self._rate = frame_rate(request.fps)
        self._frames = self._written = 0

    def add_frame(self) -> None:
        """Write the sound of the next frame."""
        from av import AudioFrame

        self._frames += 1
        count = round(self._frames * SAMPLE_RATE / self._rate) - self._written
        samples = self._sounds.samples(self._written, count) * _MAX_SAMPLE
        frame = AudioFrame.from_ndarray(
            np.rint(samples).astype(np.int16)[None], format="s16", layout="mono"
        )
        frame.sample_rate, frame.pts, frame.time_base = (
            SAMPLE_RATE,
            self._written,
            Fraction(1, SAMPLE_RATE),
        )
        self._written += count
        self._container.mux(self._stream.encode(frame))

    def finish(self) -> None:
        """Write what the encoder still holds."""
        self._container.mux(self._stream.encode(None))


class CatchSounds:
    """The sounds of catches during a request, in time with its frames.

    Args:
        request: the frames.
    """

    def __init__(self, request: FrameRequest) -> None:
        animation = request.animation
        speed = request.animation.parameters.speed
        # Whole loops fill a whole number of frames, and may be stretch slightly faster or slower
        # for that.
        stretch = request.frames / (request.fps * request.duration) / speed
        events = sound_events(animation.motion, animation.parameters)
        self._times = events.time * stretch
        self._tones = [
            tone(*each)
            for each in zip(events.pitch.tolist(), events.loudness.tolist(), strict=True)
        ]
        self._loop = animation.duration * stretch
        self._start = request.start * speed * stretch

    def samples(self, first: int, count: int) -> Singles:
        """`count` samples from the sample `first` on, shape (count,), −1 to 1."""
        margin = len(tone(1.0))
        sound = np.zeros(count + 2 * margin, dtype=np.float32)
        onsets, numbers = self._onsets(first - margin, first + count)
        for onset, number in zip((onsets - first + margin).tolist(), numbers.tolist(), strict=True):
            sound[onset : onset + margin] += self._tones[number]
        return np.clip(sound[margin : margin + count], -1.0, 1.0)

    def _onsets(self, low: int, high: int) -> tuple[Integers, Integers]:
        """The samples at which sounds begin, from `low` up to `high`, and the number of each sound
        in the loop.
        """
        after = [self._start + sample / SAMPLE_RATE for sample in (low, high)]
        loops = np.arange(np.floor(after[0] / self._loop) - 1, np.ceil(after[1] / self._loop) + 1)
        times: Floats = (loops[:, None] * self._loop + self._times).ravel() - self._start
        onsets = np.rint(times * SAMPLE_RATE).astype(np.intp)
        within = np.flatnonzero((onsets >= low) & (onsets < high))
        return onsets[within], within % max(len(self._times), 1)


def write_raw(
    request: FrameRequest, kind: str, stream: BinaryIO, progress: Progress | None
) -> None:
    """Write all frames to a stream.

    Args:
        request: the frames.
        kind: one of `_RAW_FORMATS`. Rows of rgb24 and rgba go from the top, with 3 and 4 bytes a
            pixel; y4m has planes of Y, Cb and Cr, a byte each for a pixel (BT.709, limited range).
        stream: where bytes go.
        progress: called with the number of frames written and of all frames.

    Raises:
        ParameterError: there is no such format, or it has no alpha and the request is transparent.
        BrokenPipeError: the other program has ended.
    """
    if kind not in _RAW_FORMATS:
        near = did_you_mean(kind, _RAW_FORMATS)
        raise ParameterError(_("format is {format!r}: {near}", format=kind, near=near), "format")
    if request.depth > 8:
        raise ParameterError(_("raw frames have 8 bits a channel"), "depth")
    if request.transparent and kind != "rgba":
        raise ParameterError(_("{format} frames cannot be transparent; rgba can", format=kind))
    content: Callable[[Bytes], bytes] = _with_alpha if kind == "rgba" else np.ndarray.tobytes
    if kind == "y4m":
        stream.write(_y4m_header(request))
        content = _y4m_frame()

    def write(image: Bytes) -> None:
        stream.write(content(image))

    for done, _written in enumerate(overlapped(write, DrawnFrames(request).images()), 1):
        if progress:
            progress(done, request.frames)
    stream.flush()


def _with_alpha(image: Bytes) -> bytes:
    if image.shape[2] == 3:
        image = np.concatenate([image, np.full((*image.shape[:2], 1), 255, dtype=np.uint8)], axis=2)
    return image.tobytes()


def _y4m_header(request: FrameRequest) -> bytes:
    """The line before all frames (MJPEG tools, "YUV4MPEG2")."""
    (width, height), rate = request.size, frame_rate(request.fps)
    about = (
        f"W{width} H{height} F{rate.numerator}:{rate.denominator} Ip A1:1 C444 XCOLORRANGE=LIMITED"
    )
    return f"YUV4MPEG2 {about}\n".encode("ascii")


def _y4m_frame() -> Callable[[Bytes], bytes]:
    """A function from an image to its frame: a line, then three planes."""

    convert = bt709_converter("yuv444p")
    return lambda image: b"FRAME\n" + convert(image).to_ndarray().tobytes()
