"""Videos by FFmpeg: H.264 in MP4, which plays everywhere; VP9 in WebM; ProRes in MOV, to be edited further.

MERGED: The sound of a video, written picture by picture beside it.

MERGED: The sound of some shots: a knock for each catch, made a piece at a time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.arrays import Bytes, Floats, Integers, Singles
from juggle_anim.exporter.film import Add, frame_rate
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import Quality, WriteOptions
from juggle_anim.metadata.documents import COMMENT
from juggle_anim.sound import SAMPLE_RATE, sound_events, tone

if TYPE_CHECKING:
    from av.container import OutputContainer
    from av.video.stream import VideoStream


# Its slower ways take ten times as long, and make files a fifth smaller; pictures kept to look ahead gain nothing.
_QUICK = {"b": "0", "deadline": "realtime", "cpu-used": "8", "row-mt": "1", "lag-in-frames": "0"}

# Numbers that video gives to the colours of BT.709; without them players guess, and colours shift.
_BT709 = 1

_LIMITED_RANGE = 1

_LOUDEST = 32_767


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
def mp4(shots: FrameRequest, draft: Path, manner: WriteOptions, words: str) -> Iterator[Add]:
    """Begin an MP4 file."""
    with _video(_H264, shots, draft, manner, words) as add:
        yield add


@contextlib.contextmanager
def webm(shots: FrameRequest, draft: Path, manner: WriteOptions, words: str) -> Iterator[Add]:
    """Begin a WebM file."""
    with _video(_VP9, shots, draft, manner, words) as add:
        yield add


@contextlib.contextmanager
def mov(shots: FrameRequest, draft: Path, manner: WriteOptions, words: str) -> Iterator[Add]:
    """Begin a MOV file."""
    with _video(_PRORES, shots, draft, manner, words) as add:
        yield add


@contextlib.contextmanager
def _video(codec: Codec, shots: FrameRequest, draft: Path, manner: WriteOptions, words: str) -> Iterator[Add]:
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


def _stream(container: OutputContainer, codec: Codec, shots: FrameRequest, manner: WriteOptions) -> VideoStream:
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


class SoundTrack:
    """A stream of sound in a file that is being written.

    Args:
        container: the file.
        codec: FFmpeg's name of how it is packed.
        shots: what is seen meanwhile.
    """

    def __init__(self, container: OutputContainer, codec: str, shots: FrameRequest) -> None:
        from av.audio.stream import AudioStream

        stream = container.add_stream(codec, rate=SAMPLE_RATE)
        assert isinstance(stream, AudioStream)
        stream.layout = "mono"
        self._container, self._stream, self._clicks = container, stream, Clicks(shots)
        self._rate = frame_rate(shots.fps)
        self._pictures = self._written = 0

    def go_on(self) -> None:
        """Write what is heard during the next picture."""
        from av import AudioFrame

        self._pictures += 1
        count = round(self._pictures * SAMPLE_RATE / self._rate) - self._written
        samples = self._clicks.samples(self._written, count) * _LOUDEST
        frame = AudioFrame.from_ndarray(np.rint(samples).astype(np.int16)[None], format="s16", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = SAMPLE_RATE, self._written, Fraction(1, SAMPLE_RATE)
        self._written += count
        self._container.mux(self._stream.encode(frame))

    def end(self) -> None:
        """Write what is left."""
        self._container.mux(self._stream.encode(None))


class Clicks:
    """The sound that goes with some shots, played at their rate.

    Args:
        shots: what is seen.
    """

    def __init__(self, shots: FrameRequest) -> None:
        animation, speed = shots.animation, shots.animation.parameters.speed
        # Whole loops take a whole number of pictures, and may be played a little faster or slower for it.
        played = shots.frames / (shots.fps * shots.duration) / speed
        heard = sound_events(animation.motion, animation.parameters)
        self._times = heard.time * played
        self._tones = [tone(*each) for each in zip(heard.pitch.tolist(), heard.loudness.tolist(), strict=True)]
        self._loop = animation.duration * played
        self._start = shots.start * speed * played

    def samples(self, first: int, count: int) -> Singles:
        """Some samples from the first on, shape (count,), −1 to 1."""
        margin = len(tone(1.0))
        sound = np.zeros(count + 2 * margin, dtype=np.float32)
        begins, numbers = self._beginnings(first - margin, first + count)
        for begin, number in zip((begins - first + margin).tolist(), numbers.tolist(), strict=True):
            sound[begin : begin + margin] += self._tones[number]
        return np.clip(sound[margin : margin + count], -1.0, 1.0)

    def _beginnings(self, low: int, high: int) -> tuple[Integers, Integers]:
        """The samples at which knocks begin, from `low` up to `high`, and which knock of the loop each is."""
        after = [self._start + sample / SAMPLE_RATE for sample in (low, high)]
        loops = np.arange(np.floor(after[0] / self._loop) - 1, np.ceil(after[1] / self._loop) + 1)
        times: Floats = (loops[:, None] * self._loop + self._times).ravel() - self._start
        begins = np.rint(times * SAMPLE_RATE).astype(np.intp)
        within = np.flatnonzero((begins >= low) & (begins < high))
        return begins[within], within % max(len(self._times), 1)
