"""Videos by FFmpeg, with sound: H.264 in MP4, which plays everywhere; VP9 in WebM; ProRes in MOV, for editing."""

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
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import AddFrame, Quality, WriteOptions
from juggle_anim.exporter.video import frame_rate
from juggle_anim.metadata.documents import COMMENT_TAG
from juggle_anim.sound import SAMPLE_RATE, sound_events, tone

if TYPE_CHECKING:
    from av.container import OutputContainer
    from av.video.stream import VideoStream


# Slower settings take ten times as long for files a fifth smaller; looking ahead gains nothing.
_VP9_FAST = {"b": "0", "deadline": "realtime", "cpu-used": "8", "row-mt": "1", "lag-in-frames": "0"}

# The code of BT.709 colours; without it players guess, and colours shift.
_BT709 = 1

_LIMITED_RANGE = 1
_MAX_SAMPLE = 32_767


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


# A constant rate factor of 21 looks the same as the original. x264's macroblock tree reads uninitialised memory, so
# about one export in fifty differed from the others; without it, a factor greater by 6 gives the same quality and
# size. What x264 writes depends on the number of its threads, so that is the same on each machine.
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
    codec: Codec, request: FrameRequest, draft: Path, options: WriteOptions, metadata: str
) -> Iterator[AddFrame]:
    import av

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


mp4, webm, mov = partial(_video, _H264), partial(_video, _VP9), partial(_video, _PRORES)
"""Open a file of each kind for frames; see `juggle_anim.exporter.video.OpenVideo`."""


def _stream(container: OutputContainer, codec: Codec, request: FrameRequest, options: WriteOptions) -> VideoStream:
    more = codec.transparent if request.transparent else codec.opaque
    codec_options = {**codec.options[options.quality], **more}
    stream: Any = container.add_stream(codec.name, rate=frame_rate(request.fps), options=codec_options)
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
    from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc, VideoReformatter

    to_bt709 = VideoReformatter()
    # ProRes repeats in each frame what the container says, and takes it from there.
    tags = {"dst_color_trc": ColorTrc.BT709, "dst_color_primaries": ColorPrimaries.BT709}

    def convert(image: Bytes) -> av.VideoFrame:
        frame = av.VideoFrame.from_ndarray(image, format="rgb24" if image.shape[2] == 3 else "rgba")
        # With several threads FFmpeg gives pixels near the right edge that differ from run to run.
        return to_bt709.reformat(
            frame, format=pixels, dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG, threads=1, **tags
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
        frame = AudioFrame.from_ndarray(np.rint(samples).astype(np.int16)[None], format="s16", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = SAMPLE_RATE, self._written, Fraction(1, SAMPLE_RATE)
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
        animation, speed = request.animation, request.animation.parameters.speed
        # Whole loops fill a whole number of frames, and may be stretch slightly faster or slower for that.
        stretch = request.frames / (request.fps * request.duration) / speed
        events = sound_events(animation.motion, animation.parameters)
        self._times = events.time * stretch
        self._tones = [tone(*each) for each in zip(events.pitch.tolist(), events.loudness.tolist(), strict=True)]
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
        """The samples at which sounds begin, from `low` up to `high`, and the number of each sound in the loop."""
        after = [self._start + sample / SAMPLE_RATE for sample in (low, high)]
        loops = np.arange(np.floor(after[0] / self._loop) - 1, np.ceil(after[1] / self._loop) + 1)
        times: Floats = (loops[:, None] * self._loop + self._times).ravel() - self._start
        onsets = np.rint(times * SAMPLE_RATE).astype(np.intp)
        within = np.flatnonzero((onsets >= low) & (onsets < high))
        return onsets[within], within % max(len(self._times), 1)
