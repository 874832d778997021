"""The pictures of an export, one after the other.

MERGED: Light of several pictures put together: motion blur and supersampling.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes, Floats, Singles
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.options import FrameOptions
from juggle_anim.exporter.view import USUAL, View
from juggle_anim.render import Offscreen
from juggle_anim.scene.camera import aspect_per_eye

MOST_FRAMES = 1_000_000
"""More than four hours at 60 a second is a slip of the finger."""

SLOWEST, FASTEST = 0.01, 1000
"""Rates that are accepted, [frames/s]."""

SHORTEST_VIDEO = 4.0
"""A video goes through a pattern at least for this long, [s]…"""

LONGEST_VIDEO = 60.0
"""…and tries no longer than this to bring every prop back to its place, [s]."""

MOST_SUPERSAMPLING, MOST_BLUR = 8, 64
"""Finer ones take long and look no better."""

SHUTTER = 0.5
"""Share of a frame's time in which light falls in, for motion blur: half a turn of a film camera's shutter."""

LATEST = 1_000_000.0
"""The latest time from which pictures are taken, [s]."""

# Poses are solved for this many frames at once: enough to be quick, few enough to fit in memory with 800 jugglers.
_AT_ONCE = 64

# Light adds up in linear space. As in the shaders, a square is near enough to sRGB.
_FULL = 255.0


@dataclass(frozen=True)
class FrameRequest(FrameOptions):
    """What is exported: `frames` pictures, `fps` a second; whole loops, that close into one, or a span of time.

    The fields of `FrameOptions` are told at `juggle_anim.api.export`.

    Args:
        animation: what is shown.
        size: width and height, [pixels].
        fps: pictures a second.
        loops: how often the pattern is gone through; of no use with `seconds`.
        view: from where.

    Raises:
        ParameterError: a size, rate, number or time that cannot be.
    """

    animation: Animation
    size: tuple[int, int]
    fps: float
    loops: int = 1
    view: View = USUAL

    def __post_init__(self) -> None:
        if min(self.size) < 1:
            raise ParameterError(
                f"a picture cannot be {self.size[0]}x{self.size[1]}: each edge must be at least 1 pixel"
            )
        # NaN fails all these comparisons, so it is refused here too.
        if not SLOWEST <= self.fps <= FASTEST:
            raise ParameterError(f"{self.fps:g} frames a second cannot be: it must be from {SLOWEST} to {FASTEST}")
        if self.loops < 1:
            raise ParameterError(f"{self.loops} loops cannot be: it must be a whole number from 1 up")
        self._check_times()
        for name, most in (("supersampling", MOST_SUPERSAMPLING), ("blur", MOST_BLUR)):
            if not 1 <= (value := getattr(self, name)) <= most:
                raise ParameterError(f"{name} is {value}, but must be a whole number from 1 to {most}")
        if self.frames > MOST_FRAMES:
            raise ParameterError(
                f"that makes {self.frames:,} frames, and {MOST_FRAMES:,} is the most: take fewer loops or a lower rate"
            )

    @property
    def duration(self) -> float:
        """How long it is played, [s]."""
        if self.seconds is None:
            return self.loops * self.animation.duration / self.animation.parameters.speed
        return self.frames / self.fps

    @property
    def frames(self) -> int:
        """Number of pictures: whole ones, so that the last of whole loops is followed by the first as by any other."""
        seconds = self.duration if self.seconds is None else self.seconds
        return max(1, round(seconds * self.fps))

    @property
    def times(self) -> Floats:
        """Time of each picture in the pattern, shape (frames,), [s]."""
        first = self.start * self.animation.parameters.speed
        return first + np.arange(float(self.frames)) * self._step

    def images(self, numbers: Sequence[int] | None = None) -> Iterator[Bytes]:
        """The pictures, shape (height, width, 3; 4 where transparent) each; every one is new memory.

        Args:
            numbers: which, from 0; by default all.
        """
        width, height = self.size
        finer, blur = self.supersampling, self.blur
        moments = self._moments(range(self.frames) if numbers is None else numbers)
        with Offscreen(width * finer, height * finer, self.transparent) as offscreen:
            pictures = self._drawn(offscreen, moments)
            if finer > 1 or blur > 1:
                pictures = (mean_light(group, finer) for group in _groups(pictures, len(moments) // blur, blur))
            yield from map(straight, pictures) if self.transparent else pictures

    @property
    def _step(self) -> float:
        """From one picture to the next, [s] in the pattern."""
        if self.seconds is None:
            return self.loops * self.animation.duration / self.frames
        return self.animation.parameters.speed / self.fps

    def _moments(self, numbers: Sequence[int]) -> Floats:
        """When light falls in, in the order of drawing, shape (pictures · blur,), [s] in the pattern."""
        spread = (np.arange(self.blur) + 0.5) / self.blur - 0.5
        moments: Floats = self.times[np.asarray(numbers, dtype=np.intp), None] + spread * (SHUTTER * self._step)
        return moments.ravel()

    def _drawn(self, offscreen: Offscreen, moments: Floats) -> Iterator[Bytes]:
        aspect = aspect_per_eye(self.animation.parameters.stereo, self.size[0] / self.size[1])
        camera = self.view.camera(self.animation, aspect)
        parts = (moments[first : first + _AT_ONCE] for first in range(0, len(moments), _AT_ONCE))
        return offscreen.images(scene for part in parts for scene in self.animation.scenes(part, camera))

    def _check_times(self) -> None:
        if not 0 <= self.start <= LATEST:
            raise ParameterError(f"it cannot begin at {self.start:g} s: that must be from 0 to {LATEST:,.0f}")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise ParameterError(f"{self.seconds:g} seconds cannot be: it must be a number above 0")


def loops_until_props_return(animation: Animation, shortest: float = SHORTEST_VIDEO) -> int:
    """Loops after which every prop is as it was when it began, repeated to be worth a video; fewer if that takes long.

    Args:
        animation: what is shown.
        shortest: how long it is to be at least, [s].
    """
    duration = animation.duration / animation.parameters.speed
    cycle = math.lcm(*set(animation.motion.laps().tolist()))
    if cycle * duration > LONGEST_VIDEO:
        cycle = 1
    return cycle * max(1, math.ceil(shortest / (cycle * duration)))


def _groups(pictures: Iterator[Bytes], count: int, size: int) -> Iterator[Iterator[Bytes]]:
    for _ in range(count):
        yield (next(pictures) for _ in range(size))


def mean_light(pictures: Iterable[Bytes], finer: int) -> Bytes:
    """The mean of some pictures, each pixel of it the mean of a square of theirs.

    Args:
        pictures: at least one, each of shape (finer · height, finer · width, 3 or, premultiplied with alpha, 4).
        finer: edge of the square, [pixels].
    """
    total: Singles = np.zeros((), dtype=np.float32)
    count = 0
    for picture in pictures:
        total = total + _squares(_linear(picture), finer)
        count += 1
    mean = total / np.float32(count * finer * finer)
    return np.rint(_encoded(mean)).astype(np.uint8)


def straight(picture: Bytes) -> Bytes:
    """A picture with alpha whose colours are no longer premultiplied by it, in the same memory."""
    edge = np.nonzero((picture[..., 3] > 0) & (picture[..., 3] < 255))
    values = picture[edge].astype(np.float32)
    values[:, :3] = np.minimum(np.rint(values[:, :3] * (_FULL / values[:, 3:])), _FULL)
    picture[edge] = values.astype(np.uint8)
    return picture


def _linear(picture: Bytes) -> Singles:
    """Light of each pixel, 0 to 1: the square of its colour, times its alpha where it has one."""
    values = picture.astype(np.float32) / np.float32(_FULL)
    colour = values[..., :3]
    if values.shape[2] == 3:
        return np.square(colour)
    alpha = values[..., 3:]
    # A premultiplied colour p stands for the colour p / alpha.
    light = np.square(colour) / np.maximum(alpha, np.float32(1e-6))
    return np.concatenate([light, alpha], axis=2)


def _squares(light: Singles, finer: int) -> Singles:
    if finer == 1:
        return light
    height, width, channels = light.shape
    total: Singles = light.reshape(height // finer, finer, width // finer, finer, channels).sum(axis=(1, 3))
    return total


def _encoded(mean: Singles) -> Singles:
    if mean.shape[2] == 3:
        return np.sqrt(mean) * np.float32(_FULL)
    alpha = mean[..., 3:]
    colour = np.sqrt(mean[..., :3] * alpha)
    return np.concatenate([colour, alpha], axis=2) * np.float32(_FULL)
