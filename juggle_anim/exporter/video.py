"""Videos: all frames in one file, which takes its name when it is complete.

FFmpeg writes videos with sound: H.264 in MP4, which plays everywhere; VP9 in WebM; ProRes in MOV,
for editing. Raw frames for another program are pixels one after another, or YUV4MPEG2, which also
says size and rate.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from juggle_anim.arrays import Bytes, Floats, Integers, Singles
from juggle_anim.atomic_file import atomic_file
from juggle_anim.errors import ExportError, ParameterError, did_you_mean
from juggle_anim.exporter.options import DEFAULT_OPTIONS, AddFrame, Progress, Quality, WriteOptions
from juggle_anim.exporter.overlapped import overlapped
from juggle_anim.exporter.resume import claim
from juggle_anim.exporter.stills import DrawnFrames, check_edges
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.formats import VIDEOS, Format, load
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.metadata.documents import COMMENT_TAG
from juggle_anim.sound import SAMPLE_RATE, sound_events, tone

if TYPE_CHECKING:
    from av.container import OutputContainer
    from av.video.stream import VideoStream


OpenVideo = Callable[[DrawnFrames, Path, WriteOptions, str], AbstractContextManager[AddFrame]]
"""Opens a video. Its arguments are the frames, the file to write, options and metadata in ASCII;
its context yields a function that adds the next frame.

The file is complete when the context has ended without an error.
"""


_BROADCAST_RATES = tuple(Fraction(1000 * whole, 1001) for whole in (24, 30, 48, 60, 120))
_RATE_ROUNDING = 0.006  # frames/s by which people round these rates, as 23.98 or 29.97


def open_video(
    frames: DrawnFrames, path: Path, draft: Path, options: WriteOptions, metadata: str
) -> AbstractContextManager[AddFrame]:
    """Open a video of the format that the ending of `path` names.

    Args:
        frames: frames of the film.
        path: the final name of the file, of which only the ending matters here.
        draft: the file to write, whose ending may be another.
        options: how to write.
        metadata: text for the file to carry, in ASCII.

    Returns:
        A context with a function that adds the next frame; the file is complete when it ends.
    """
    opener: OpenVideo = load(VIDEOS[path.suffix.casefold()].video)
    return opener(frames, draft, options, metadata)


def frame_ticks(request: FrameRequest, rate: int) -> Integers:
    """Return the times at which frames begin and the last one ends, shape (frames + 1,), [ticks].

    They ascend from 0. Each time is rounded by itself, so that its error is at most half a tick. If
    durations were rounded, errors would add up.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        rate: ticks per second.
    """
    times = np.arange(request.frames + 1) * (request.duration * rate / request.frames)
    ticks: Integers = np.rint(times).astype(np.intp)
    return ticks


def frame_rate(fps: float) -> Fraction:
    """Return a frame rate, [frames/s], as a fraction that containers can store.

    A rate within `_RATE_ROUNDING` of one of television, such as 29.97, is that rate exactly, such
    as 30000/1001. Any other is the nearest fraction whose denominator is at most 1001.
    """
    broadcast = (rate for rate in _BROADCAST_RATES if abs(fps - rate) < _RATE_ROUNDING)
    return next(broadcast, Fraction(fps).limit_denominator(1001))


def write_video(
    request: FrameRequest,
    path: Path,
    *,
    force: bool = False,
    progress: Progress | None = None,
    options: WriteOptions = DEFAULT_OPTIONS,
) -> Path:
    """Write the frames as one file of the format that its ending names.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        path: the file; its folder is created.
        force: whether an existing file may be replaced; if not, it is an error.
        progress: called with the number of frames written and of all frames.
        options: how to write; with `resume`, an existing file is kept if it is complete and of this
            same export.

    Raises:
        ParameterError: the format cannot have such a size, rate, transparency or sound.
        ExportError: the file exists and `force` is not set, it cannot be written, or a codec is
            missing.
    """
    import av

    video = VIDEOS[path.suffix.casefold()]
    check_video(video, request, options)
    request = within_frame_rate(video, request)
    # In some formats a pixel is either opaque or transparent, so that a soft shadow would become
    # black.
    request = replace(request, shadows=not (request.transparent and video.one_bit_alpha))
    metadata = request.record(options).text
    if not claim(path, metadata, force=force, resume=options.resume):
        return path
    frames = DrawnFrames(request)
    try:
        # Another thread encodes frames while the next ones are drawn. Contexts end in reverse
        # order, so the film is closed before the draft gets its final name.
        with (
            atomic_file(path, replaces=force or options.resume) as draft,
            open_video(frames, path, draft=draft, options=options, metadata=metadata) as add,
        ):
            for done, _result in enumerate(overlapped(add, frames.images()), 1):
                if progress:
                    progress(done, request.frames)
    except av.error.FFmpegError as error:
        raise ExportError(
            _("{path}: cannot save: {strerror}", path=path, strerror=error.strerror)
        ) from error
    return path


def check_video(video: Format, request: FrameRequest, options: WriteOptions) -> None:
    """Check that a video format can hold the frames and the sound of a request.

    Args:
        video: the format.
        request: the frames, with their size, rate and transparency.
        options: whether there is a sound.

    Raises:
        ParameterError: the size, rate, transparency or sound is not possible.
        ExportError: the video library lacks a codec.
    """
    width, height = request.size
    check_edges(video, request.size)
    # Codecs that halve the resolution of colours need even edges.
    if video.even and (width % 2 or height % 2):
        larger = f"{width + width % 2}x{height + height % 2}"
        raise ParameterError(
            _(
                "{width}x{height}: width and height of a video must be even, such as {larger}",
                width=width,
                height=height,
                larger=larger,
            )
        )
    if request.fps > video.max_fps:
        reason = _(
            "fps is {fps:g}, but {name} allows at most {max_fps:g} frames per second",
            fps=request.fps,
            name=video.name,
            max_fps=video.max_fps,
        )
        raise ParameterError(reason, "fps")
    # The error names the formats that can be transparent, or have sound.
    if request.transparent and not video.alpha:
        kinds = ", ".join(ending for ending, row in VIDEOS.items() if row.alpha)
        raise ParameterError(
            _("{name} cannot be transparent; {kinds} can", name=video.name, kinds=kinds)
        )
    if options.sound and not video.sound:
        kinds = ", ".join(ending for ending, row in VIDEOS.items() if row.sound)
        raise ParameterError(_("{name} has no sound; {kinds} have", name=video.name, kinds=kinds))
    _check_codecs(video)


def within_frame_rate(video: Format, request: FrameRequest) -> FrameRequest:
    """Return the request, with fewer frames if rounding made its rate too high for the format.

    Whole loops are shown in a whole number of frames. By rounding this number, the real rate may be
    a little above the rate that was requested and checked. A span of seconds has its exact rate.

    Args:
        video: the format, with the greatest rate that it can have.
        request: the frames, at a rate that is not above it.
    """
    # The greatest number of frames that the format allows. The tolerance keeps a whole product that
    # is a little too small from being rounded down. A film must keep at least one frame.
    limit = math.floor(request.duration * video.max_fps + 1e-6)
    if request.seconds is None and 0 < limit < request.frames:
        return replace(request, fps=limit / request.duration)
    return request


def _check_codecs(video: Format) -> None:
    """Check that the video library has the codecs of a format.

    Raises:
        ExportError: the library lacks one of them.
    """
    import av

    for codec in video.codecs:
        if codec not in av.codecs_available:
            raise ExportError(
                _(
                    "{name} needs the codec {codec}, which this build of PyAV lacks: pip "
                    "install av",
                    name=video.name,
                    codec=codec,
                )
            )


# Slower settings take ten times as long for files a fifth smaller; looking ahead gains nothing.
_VP9_FAST = {"b": "0", "deadline": "realtime", "cpu-used": "8", "row-mt": "1", "lag-in-frames": "0"}

# FFmpeg's codes of BT.709 colours, and of their limited range; without them players guess, and
# colours shift.
_BT709 = 1
_LIMITED_RANGE = 1

_MAX_SAMPLE = 32_767  # of sound with 16 bits

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
# threads, so that is the same on each machine. The first picture is better than x264 makes it of
# itself (a ratio of 1.4): later ones are made of it, so the step from the last to the first is seen
# less, at the same size.
_H264 = Codec(
    name="libx264",
    sound="aac",
    pixels=("yuv420p", ""),
    options={
        Quality.DRAFT: {"crf": "31", "preset": "veryfast"},
        Quality.GOOD: {"crf": "21", "preset": "veryfast"},
        Quality.BEST: {"crf": "16", "preset": "medium"},
    },
    opaque={"threads": "4", "x264-params": "mbtree=0:ipratio=1.6"},
    container={"movflags": "faststart"},
)

_VP9 = Codec(
    name="libvpx-vp9",
    sound="libopus",
    pixels=("yuv420p", "yuva420p"),
    options={
        Quality.DRAFT: {"crf": "34", **_VP9_FAST},
        Quality.GOOD: {"crf": "20", **_VP9_FAST},
        Quality.BEST: {"crf": "8", "b": "0", "deadline": "good", "cpu-used": "4", "row-mt": "1"},
    },
    # FFmpeg needs this for alpha; looking ahead would be useless then.
    transparent={"auto-alt-ref": "0", "lag-in-frames": "0"},
    container={"fflags": "+bitexact"},  # otherwise tracks get random numbers, and exports differ
)

_PRORES = Codec(
    name="prores_ks",
    sound="pcm_s16le",
    pixels=("yuv422p10le", "yuva444p10le"),
    options={quality: {"vendor": "apl0"} for quality in Quality},
    opaque={"profile": "hq"},
    transparent={"profile": "4444"},
)


@contextlib.contextmanager
def _video(
    codec: Codec, frames: DrawnFrames, draft: Path, options: WriteOptions, metadata: str
) -> Iterator[AddFrame]:
    """Open a video file to which frames are added one by one.

    Args:
        codec: how frames and sound are encoded.
        frames: frames whose request gives size, rate, transparency and the times of sounds.
        draft: the file to write.
        options: quality, and whether there is sound.
        metadata: text for the file to carry, in ASCII.

    Yields:
        A function that encodes an image as the next frame and writes it, with the sound during it;
        the file is complete when the context ends.
    """
    import av

    request = frames.request
    # Closing the container at the end of the context completes the file.
    with av.open(str(draft), "w", options=dict(codec.container)) as container:
        container.metadata[COMMENT_TAG] = metadata
        stream = _add_video_stream(container, codec, request, options)
        sound = SoundTrack(container, codec.sound, request) if options.sound else None
        convert = bt709_converter(stream.pix_fmt or "")

        def add(image: Bytes) -> None:
            container.mux(stream.encode(convert(image)))
            if sound:
                sound.add_frame()

        yield add
        # Encoders keep frames back to compress them together; None flushes those that are left.
        container.mux(stream.encode(None))
        if sound:
            sound.finish()


mp4 = partial(_video, _H264)
webm = partial(_video, _VP9)
mov = partial(_video, _PRORES)
"""Open a file of each kind for frames; see `OpenVideo`."""


def _add_video_stream(
    container: OutputContainer, codec: Codec, request: FrameRequest, options: WriteOptions
) -> VideoStream:
    """Add a video stream to a file, and return it.

    Args:
        container: the file.
        codec: how frames are encoded.
        request: the frames, with their size, rate and transparency.
        options: how to write, with the quality.
    """
    alpha_options = codec.transparent if request.transparent else codec.opaque
    # Options of the encoder for this quality, with transparency or without.
    codec_options = {**codec.options[options.quality], **alpha_options}
    stream: Any = container.add_stream(
        codec.name, rate=frame_rate(request.fps), options=codec_options
    )
    stream.width, stream.height = request.size
    # The pixel formats without alpha (index False, which is 0) and with it (True).
    stream.pix_fmt = codec.pixels[request.transparent]
    context = stream.codec_context
    # Colours are written as those of HD television, with levels 16 to 235.
    context.color_primaries = context.color_trc = context.colorspace = _BT709
    context.color_range = _LIMITED_RANGE
    video: VideoStream = stream
    return video


def bt709_converter(format_name: str) -> Any:
    """Return a function that converts an image to FFmpeg's frame, in BT.709 of limited range.

    The function takes sRGB bytes of shape (height, width, 3; 4 with alpha), and returns an
    `av.VideoFrame`.

    Args:
        format_name: FFmpeg's name of the pixel format of the frames, such as "yuv420p".
    """
    import av
    from av.video.reformatter import (
        ColorPrimaries,
        ColorRange,
        Colorspace,
        ColorTrc,
        VideoReformatter,
    )

    to_bt709 = VideoReformatter()
    # ProRes states transfer and primaries in each frame, and takes them from the frame that it
    # encodes rather than from the container. So they are set on each frame.
    tags = {"dst_color_trc": ColorTrc.BT709, "dst_color_primaries": ColorPrimaries.BT709}

    def convert(image: Bytes) -> av.VideoFrame:
        frame = av.VideoFrame.from_ndarray(image, format="rgb24" if image.shape[2] == 3 else "rgba")
        # With several threads FFmpeg gives pixels near the right edge that differ from run to run.
        return to_bt709.reformat(
            frame,
            format=format_name,
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
        """Add a sound stream of one channel to the file.

        Args:
            container: the open file.
            codec: FFmpeg's name of the sound codec.
            request: the frames; each catch during their time has a sound.
        """
        from av.audio.stream import AudioStream

        stream = container.add_stream(codec, rate=SAMPLE_RATE)
        assert isinstance(stream, AudioStream)
        stream.layout = "mono"
        self._container = container
        self._stream = stream
        self._sounds = CatchSounds(request)
        self._rate = frame_rate(request.fps)
        self._frames_added = 0
        self._samples_written = 0

    def add_frame(self) -> None:
        """Write the sound during the next frame. This is called once for each frame, in order."""
        from av import AudioFrame

        # Samples up to the end of this frame. A frame need not last a whole number of samples. Its
        # end is rounded rather than its length, so that sound and pictures stay together, while the
        # number of samples varies by one.
        self._frames_added += 1
        count = round(self._frames_added * SAMPLE_RATE / self._rate) - self._samples_written
        # From ±1 to integers of 16 bits.
        samples = self._sounds.samples(self._samples_written, count) * _MAX_SAMPLE
        frame = AudioFrame.from_ndarray(
            np.rint(samples).astype(np.int16)[None], format="s16", layout="mono"
        )
        frame.sample_rate = SAMPLE_RATE
        frame.pts = self._samples_written
        frame.time_base = Fraction(1, SAMPLE_RATE)
        self._samples_written += count
        self._container.mux(self._stream.encode(frame))

    def finish(self) -> None:
        """Write the frames that the encoder still holds."""
        self._container.mux(self._stream.encode(None))


class CatchSounds:
    """The sounds of catches during a request, in time with its frames.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
    """

    def __init__(self, request: FrameRequest) -> None:
        """Compute the tones of one loop, and their times in the film, [s].

        Args:
            request: the frames of the film.
        """
        animation = request.animation
        speed = animation.parameters.speed
        # Factor from times of the pattern to times of the film. Besides the speed it has the effect
        # of rounding: whole loops fill a whole number of frames, which at the rate of the film may
        # last slightly longer or shorter than the loops.
        stretch = request.frames / (request.fps * request.duration) / speed
        events = sound_events(animation.motion, animation.parameters)
        self._times = events.time * stretch
        self._tones = [
            tone(pitch, loudness)
            for pitch, loudness in zip(events.pitch.tolist(), events.loudness.tolist(), strict=True)
        ]
        self._loop = animation.duration * stretch
        self._start = request.start * speed * stretch

    def samples(self, first: int, count: int) -> Singles:
        """Return the mixed sounds of a span of time.

        Args:
            first: number of the first sample, counted from 0 at the start of the film.
            count: number of samples.

        Returns:
            Samples from −1 to 1, clipped where tones add up to more, shape (count,).
        """
        # All tones have the same length; a tone that began less than this before is still heard.
        length = len(tone(1.0))
        # The buffer has `length` samples more at both ends, so that any tone that overlaps the span
        # fits into it as a whole.
        mixed = np.zeros(count + 2 * length, dtype=np.float32)
        onsets, events = self._onsets(first - length, first + count)
        starts = onsets - first + length
        for start, event in zip(starts.tolist(), events.tolist(), strict=True):
            mixed[start : start + length] += self._tones[event]
        return np.clip(mixed[length : length + count], -1.0, 1.0)

    def _onsets(self, low: int, high: int) -> tuple[Integers, Integers]:
        """Return the sounds that begin in a range of samples, counted from the start of the film.

        Args:
            low: the first sample; negative before the start.
            high: the sample after the last one.

        Returns:
            The sample at which each sound begins, shape (N,) for N sounds, loop by loop.
            The index of each sound among those of one loop, shape (N,).
        """
        # The sounds of all loops that touch the range, and of one more on each side for rounding.
        first_time = self._start + low / SAMPLE_RATE
        last_time = self._start + high / SAMPLE_RATE
        loops = np.arange(
            np.floor(first_time / self._loop) - 1, np.ceil(last_time / self._loop) + 1
        )
        times: Floats = (loops[:, None] * self._loop + self._times).ravel() - self._start
        onsets = np.rint(times * SAMPLE_RATE).astype(np.intp)
        in_range = np.flatnonzero((onsets >= low) & (onsets < high))
        # `times` has the sounds of one loop after another, so the remainder is the index within the
        # loop. Without sounds there are no indices, and `max` avoids a division by 0.
        return onsets[in_range], in_range % max(len(self._times), 1)


def write_raw(
    request: FrameRequest, kind: str, stream: BinaryIO, progress: Progress | None
) -> None:
    """Write all frames to a stream as raw pixels.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        kind: one of `_RAW_FORMATS`. "rgb24" and "rgba" have rows from the top, 3 and 4 bytes a
            pixel, and no header. "y4m" has a header, and in each frame planes of Y, Cb and Cr, a
            byte each for a pixel (BT.709, limited range).
        stream: stream that receives the bytes.
        progress: called with the number of frames written and of all frames.

    Raises:
        ParameterError: there is no such format, or it cannot hold the request's depth or alpha.
        BrokenPipeError: the other program has ended.
    """
    if kind not in _RAW_FORMATS:
        raise ParameterError.none_of("format", kind, did_you_mean(kind, _RAW_FORMATS))
    if request.depth > 8:
        raise ParameterError(_("raw frames have 8 bits per channel"), "depth")
    if request.transparent and kind != "rgba":
        raise ParameterError(_("{format} frames cannot be transparent; rgba can", format=kind))
    # A function from an image to the bytes of a frame. Images for rgb24 and y4m have no alpha, as
    # was checked above.
    frame_bytes: Callable[[Bytes], bytes]
    if kind == "rgba":
        frame_bytes = _with_alpha
    elif kind == "y4m":
        stream.write(_y4m_header(request))
        frame_bytes = _y4m_frame()
    else:
        frame_bytes = np.ndarray.tobytes

    def write(image: Bytes) -> None:
        stream.write(frame_bytes(image))

    # Another thread writes while the next frames are drawn.
    for done, _written in enumerate(overlapped(write, DrawnFrames(request).images()), 1):
        if progress:
            progress(done, request.frames)
    stream.flush()


def _with_alpha(image: Bytes) -> bytes:
    """Return pixels with four bytes each; an image without alpha is opaque."""
    if image.shape[2] == 3:
        image = np.concatenate([image, np.full((*image.shape[:2], 1), 255, dtype=np.uint8)], axis=2)
    return image.tobytes()


def _y4m_header(request: FrameRequest) -> bytes:
    """Return the line before all frames (MJPEG tools, "YUV4MPEG2")."""
    width, height = request.size
    rate = frame_rate(request.fps)
    about = (
        f"W{width} H{height} F{rate.numerator}:{rate.denominator} Ip A1:1 C444 XCOLORRANGE=LIMITED"
    )
    return f"YUV4MPEG2 {about}\n".encode("ascii")


def _y4m_frame() -> Callable[[Bytes], bytes]:
    """Return a function from an image to its frame: a line, then three planes."""
    convert = bt709_converter("yuv444p")
    return lambda image: b"FRAME\n" + convert(image).to_ndarray().tobytes()
