"""The frames of an export: size, rate, times and view; and how they are drawn, with blur and supersampling."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes, Floats
from juggle_anim.choreography import EventKind
from juggle_anim.errors import ParameterError, did_you_mean
from juggle_anim.exporter.options import FrameOptions
from juggle_anim.exporter.view import DEFAULT_VIEW, EYES, View
from juggle_anim.language import _
from juggle_anim.motion.prop_shapes import ORIENTED_KINDS
from juggle_anim.render import Offscreen
from juggle_anim.scene import Camera, Scene
from juggle_anim.scene.camera import aspect_per_eye
from juggle_anim.scene.framing import with_room_below

if TYPE_CHECKING:
    from juggle_anim.exporter.caption_painter import CaptionPainter


from juggle_anim.arrays import Singles

MAX_FRAMES = 1_000_000
"""More than four hours at 60 frames a second is a typing mistake."""

MIN_FPS, MAX_FPS = 0.01, 1000
"""Accepted frame rates, [frames/s]."""

MIN_VIDEO_SECONDS = 4.0
"""A video repeats a pattern for at least this long, [s]…"""

MAX_CYCLE_SECONDS = 60.0
"""…and takes no longer than this to bring every prop back to its place, [s]."""

MAX_EDGE, MAX_PIXELS = 16_384, 100_000_000
"""The longest edge and the largest area that are drawn at once, [pixels]; larger pictures take gigabytes of memory."""

MAX_SUPERSAMPLING, MAX_BLUR = 8, 64
"""Higher values take long and look no better."""

SHUTTER = 0.5
"""Share of a frame's time during which the shutter is open, for motion blur: 180° of a film camera's shutter."""

MAX_START = 1_000_000.0
"""The latest time at which an export may start, and the longest that it may last, [s]."""

# Poses are solved for this many frames at once: enough to be fast, few enough to fit in memory with 800 jugglers.
_POSES_AT_ONCE = 64

_BYTE = 8  # bits

MOMENTS = ("beats", "throws", "catches")
"""What pictures can be taken at."""

_KINDS = {"throws": EventKind.THROW, "catches": EventKind.CATCH}
_SAME = 1e-6  # events of several hands at one time are one moment, [s]


@dataclass(frozen=True)
class FrameRequest(FrameOptions):
    """The frames of an export: `fps` a second, over whole loops that close seamlessly or over a span of time.

    `juggle_anim.api.export` describes the fields of `FrameOptions`.

    Args:
        animation: the animation to show.
        size: width and height, [pixels].
        fps: frames a second.
        loops: how often the pattern is repeated; ignored with `seconds`.
        view: the direction to look from.
        shadows: whether there are any on the floor.

    Raises:
        ParameterError: a size, rate, number or time is out of range.
    """

    animation: Animation
    size: tuple[int, int]
    fps: float
    loops: int = 1
    view: View = DEFAULT_VIEW
    shadows: bool = True

    def __post_init__(self) -> None:
        if min(self.size) < 1:
            raise ParameterError.of("size", f"{self.size[0]}x{self.size[1]}", _("at least 1 pixel wide and high"))
        # NaN fails all these comparisons, so it is refused here too.
        if not MIN_FPS <= self.fps <= MAX_FPS:
            raise ParameterError.of(
                "fps", self.fps, _("a number from {min_fps:g} to {max_fps:g}", min_fps=MIN_FPS, max_fps=MAX_FPS)
            )
        if self.loops < 1:
            raise ParameterError.of("loops", self.loops, _("a whole number from 1 up"))
        self._check_times()
        for name, limit in (("supersampling", MAX_SUPERSAMPLING), ("blur", MAX_BLUR)):
            if not 1 <= (value := getattr(self, name)) <= limit:
                raise ParameterError.of(name, value, _("a whole number from 1 to {limit}", limit=limit))
        self._check_area()
        if self.frames > MAX_FRAMES:
            raise ParameterError(
                _(
                    "that makes {frames:,} frames, and {max_frames:,} is the most: take fewer loops or a lower rate",
                    frames=self.frames,
                    max_frames=MAX_FRAMES,
                )
            )

    @property
    def duration(self) -> float:
        """Playing time, [s]."""
        if self.seconds is None:
            return self.loops * self.animation.duration / self.animation.parameters.speed
        return self.seconds if self.at else self.frames / self.fps

    @property
    def frames(self) -> int:
        """Number of frames, rounded so that the last frame of whole loops is one step before the first."""
        if self.at:
            return len(self._moments_asked_for)
        seconds = self.duration if self.seconds is None else self.seconds
        return max(1, round(seconds * self.fps))

    @property
    def times(self) -> Floats:
        """Time of each frame in the pattern, shape (frames,), [s]."""
        if self.at:
            return self._moments_asked_for
        first = self.start * self.animation.parameters.speed
        return first + np.arange(float(self.frames)) * self.step

    def images(self, numbers: Sequence[int] | None = None) -> Iterator[Bytes]:
        """The drawn frames, each of shape (height, width, 3; 4 where transparent) in memory of its own.

        Args:
            numbers: which frames, from 0; by default all.

        Returns:
            Pictures of bytes; with a depth of 16 bits, of `Words`.
        """
        if numbers is None and self._sampled:
            yield from self._with_sampled()
            return
        width, height = self.size
        finer, blur = self.supersampling, self.blur
        moments = self._moments(range(self.frames) if numbers is None else numbers)
        deep = self.depth > _BYTE
        with Offscreen(width * finer, height * finer, self.transparent, self.shadows, deep) as offscreen:
            pictures = self._drawn(offscreen, moments)
            if finer > 1 or blur > 1:
                pictures = (mean_light(group, finer) for group in _groups(pictures, len(moments) // blur, blur))
            pictures = map(unpremultiplied, pictures) if self.transparent else pictures
            yield from self._captioned(pictures, moments) if self.captions else pictures

    def _captioned(self, pictures: Iterator[Bytes], moments: Floats) -> Iterator[Bytes]:
        times = moments.reshape(-1, self.blur).mean(axis=1)
        for picture, time in zip(pictures, times.tolist(), strict=True):
            self._painter.paint(picture, time)
            yield picture

    @cached_property
    def _painter(self) -> CaptionPainter:
        from juggle_anim.exporter.caption_painter import CaptionPainter

        return CaptionPainter(self.animation, self.size)

    def sample(self, numbers: Sequence[int]) -> list[Bytes]:
        """Some frames, as of `images`, which goes through all the next time without drawing these again."""
        self._sampled.update(zip(numbers, self.images(numbers), strict=True))
        return [self._sampled[number] for number in numbers]

    @cached_property
    def _sampled(self) -> dict[int, Bytes]:
        return {}

    def _with_sampled(self) -> Iterator[Bytes]:
        sampled = dict(self._sampled)
        self._sampled.clear()
        others = self.images([number for number in range(self.frames) if number not in sampled])
        for number in range(self.frames):
            yield sampled.pop(number) if number in sampled else next(others)
        for _unused in others:  # so that it ends, and what it draws with is kept for others
            pass

    @cached_property
    def _moments_asked_for(self) -> Floats:
        speed = self.animation.parameters.speed
        lasts = self.loops * self.animation.duration if self.seconds is None else self.seconds * speed
        return moments(self.animation, self.at, self.start * speed, lasts)

    @property
    def step(self) -> float:
        """Time from one frame to the next, [s] in the pattern."""
        if self.seconds is None and not self.at:
            return self.loops * self.animation.duration / self.frames
        return self.animation.parameters.speed / self.fps

    def _moments(self, numbers: Sequence[int]) -> Floats:
        """Times of all exposures, in the order of drawing, shape (frames · blur,), [s] in the pattern."""
        spread = (np.arange(self.blur) + 0.5) / self.blur - 0.5
        moments: Floats = self.times[np.asarray(numbers, dtype=np.intp), None] + spread * (SHUTTER * self.step)
        return moments.ravel()

    def _drawn(self, offscreen: Offscreen, moments: Floats) -> Iterator[Bytes]:
        parts = (moments[first : first + _POSES_AT_ONCE] for first in range(0, len(moments), _POSES_AT_ONCE))
        return offscreen.images(scene for part in parts for scene in self._scenes(part))

    def _scenes(self, moments: Floats) -> Iterable[Scene]:
        animation = self.animation
        aspect = aspect_per_eye(animation.parameters.stereo, self.size[0] / self.size[1])
        if self.view == EYES or self.view.path:
            cameras = self._moving_cameras(moments, aspect)
            scenes = animation.scenes(moments, cameras[0])
            return (replace(scene, camera=camera) for scene, camera in zip(scenes, cameras, strict=True))
        return animation.scenes(moments, self._above_captions(self.view.camera(animation, aspect)))

    def _above_captions(self, camera: Camera) -> Camera:
        """The camera, farther away where captions would cover feet."""
        return with_room_below(camera, self._painter.room) if self.captions else camera

    def _moving_cameras(self, moments: Floats, aspect: float) -> list[Camera]:
        if self.view.path is None:
            return self.animation.eyes(moments)
        played = moments / self.animation.parameters.speed - self.start
        cameras = self.view.path.cameras(self.animation, aspect, played, self.duration)
        return [self._above_captions(camera) for camera in cameras]

    def _check_area(self) -> None:
        width, height = (edge * self.supersampling for edge in self.size)
        if max(width, height) > MAX_EDGE or width * height > MAX_PIXELS:
            finer = (
                _(" at supersampling {supersampling}", supersampling=self.supersampling)
                if self.supersampling > 1
                else ""
            )
            drawn = f"{self.size[0]}x{self.size[1]}{finer}"
            raise ParameterError(
                _(
                    "size is {drawn}, but at most {max_pixels:.0f} million pixels are drawn, such as "
                    "12500x8000, with edges up to {max_edge}",
                    drawn=drawn,
                    max_pixels=MAX_PIXELS / 1e6,
                    max_edge=MAX_EDGE,
                ),
                "size",
            )

    def _check_times(self) -> None:
        if not 0 <= self.start <= MAX_START:
            raise ParameterError.of("start", float(self.start), _("from 0 to {max_start:,.0f} s", max_start=MAX_START))
        if self.seconds is not None and not 0 < self.seconds <= MAX_START:
            raise ParameterError.of(
                "seconds", float(self.seconds), _("above 0 and at most {max_start:,.0f} s", max_start=MAX_START)
            )


def loops_until_props_return(animation: Animation, shortest: float = MIN_VIDEO_SECONDS) -> int:
    """Loops until every prop is back at its start, repeated to last long enough; only one cycle if that takes too long.

    Args:
        animation: the animation to show.
        shortest: the least duration, [s].
    """
    duration = animation.duration / animation.parameters.speed
    cycle = math.lcm(*_laps(animation))
    if cycle * duration > MAX_CYCLE_SECONDS:
        cycle = 1
    return cycle * max(1, math.ceil(shortest / (cycle * duration)))


def _laps(animation: Animation) -> set[int]:
    """Loops after which props are back; only of clubs and rings, which may be turned over by then, the motion tells."""
    choreography = animation.choreography
    if any(look.kind in ORIENTED_KINDS for look in choreography.looks):
        return set(animation.motion.laps().tolist())
    return {orbit.props for orbit in choreography.orbits}


def _groups(pictures: Iterator[Bytes], count: int, size: int) -> Iterator[Iterator[Bytes]]:
    for _round in range(count):
        yield (next(pictures) for _ in range(size))


def moments(animation: Animation, name: str, first: float, lasts: float) -> Floats:
    """Return the times of all beats, throws or catches in a span, ascending, [s] of the pattern.

    Args:
        animation: what is juggled.
        name: one of `MOMENTS`.
        first: when the span begins, [s].
        lasts: how long it is, [s]; what is at its end belongs to the next.

    Raises:
        ParameterError: there is no such moment, or none in the span.
    """
    if name not in MOMENTS:
        near = did_you_mean(name, MOMENTS)
        raise ParameterError(_("at is {name!r}: {near}", name=name, near=near), "at")
    performance = animation.performance
    if name == "beats":
        period, times = 1 / performance.bps, np.zeros(1)
    else:
        period = performance.duration
        times = performance.events.time[performance.events.kind == _KINDS[name]]
    rounds = np.arange(np.floor(first / period) - 1, np.ceil((first + lasts) / period) + 1)
    every = np.sort((rounds[:, None] * period + times).ravel())
    every = every[(every > first - _SAME) & (every < first + lasts - _SAME)]
    if not len(every):
        raise ParameterError(_("there are no {moments} in these {seconds:.2f} s", moments=name, seconds=lasts))
    found: Floats = every[np.diff(every, prepend=-np.inf) > _SAME]
    return found


# Light adds up in linear space. As in the shaders, a square is near enough to sRGB.
def mean_light(pictures: Iterable[Bytes], finer: int) -> Bytes:
    """The mean of pictures in linear light, each of whose pixels is the mean of a square of theirs.

    Args:
        pictures: at least one, each of shape (finer · height, finer · width, 3 or, premultiplied with alpha, 4).
        finer: edge of the square, [pixels].
    """
    total: Singles = np.zeros((), dtype=np.float32)
    count = 0
    for picture in pictures:
        total = total + _box_sums(_linear(picture), finer)
        count += 1
    mean = total / np.float32(count * finer * finer)
    kind = picture.dtype
    return np.rint(_encoded(mean) * np.float32(np.iinfo(kind).max)).astype(kind)


def unpremultiplied(picture: Bytes) -> Bytes:
    """A picture with straight instead of premultiplied alpha, converted in place."""
    most = np.iinfo(picture.dtype).max
    edge = np.nonzero((picture[..., 3] > 0) & (picture[..., 3] < most))
    values = picture[edge].astype(np.float32)
    values[:, :3] = np.minimum(np.rint(values[:, :3] * (np.float32(most) / values[:, 3:])), np.float32(most))
    picture[edge] = values.astype(picture.dtype)
    return picture


def _linear(picture: Bytes) -> Singles:
    """Linear light of each pixel, 0 to 1: the square of its colour, times its alpha where it has one."""
    values = picture.astype(np.float32) / np.float32(np.iinfo(picture.dtype).max)
    colour = values[..., :3]
    if values.shape[2] == 3:
        return np.square(colour)
    alpha = values[..., 3:]
    # A premultiplied colour p stands for the colour p / alpha.
    light = np.square(colour) / np.maximum(alpha, np.float32(1e-6))
    return np.concatenate([light, alpha], axis=2)


def _box_sums(light: Singles, finer: int) -> Singles:
    if finer == 1:
        return light
    height, width, channels = light.shape
    total: Singles = light.reshape(height // finer, finer, width // finer, finer, channels).sum(axis=(1, 3))
    return total


def _encoded(mean: Singles) -> Singles:
    if mean.shape[2] == 3:
        return np.sqrt(mean)
    alpha = mean[..., 3:]
    colour = np.sqrt(mean[..., :3] * alpha)
    return np.concatenate([colour, alpha], axis=2)
