"""The frames of an export as data: size, rate, times and view."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography import EventKind
from juggle_anim.errors import ParameterError, did_you_mean
from juggle_anim.exporter.options import FrameOptions, WriteOptions
from juggle_anim.exporter.view import DEFAULT_VIEW, View, compose
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.metadata.record import Record
from juggle_anim.motion.prop_shapes import ORIENTED_KINDS
from juggle_anim.notation import record_of
from juggle_anim.scene.camera import aspect_per_eye

MAX_FRAMES = 1_000_000
"""More than four hours at 60 frames a second is a typing mistake."""

MIN_FPS = 0.01
MAX_FPS = 1000
"""Accepted frame rates, [frames/s]."""

MIN_VIDEO_SECONDS = 4.0
"""A video repeats a pattern for at least this long, [s]…"""

MAX_CYCLE_SECONDS = 60.0
"""…and takes no longer than this to bring every prop back to its place, [s]."""

MAX_EDGE = 16_384
MAX_PIXELS = 100_000_000
"""The longest edge and the largest area that are drawn at once, [pixels]; larger pictures take
gigabytes of memory.
"""

MAX_SUPERSAMPLING = 8
MAX_BLUR = 64
"""Higher values take long and look no better."""

SHUTTER = 0.5
"""Share of a frame's time during which the shutter is open, for motion blur: 180° of a film
camera's shutter.
"""

MAX_START = 1_000_000.0
"""The latest time at which an export may start, and the longest that it may last, [s]."""

MOMENTS = ("beats", "throws", "catches")
"""What pictures can be taken at."""

_EVENT_KINDS = {"throws": EventKind.THROW, "catches": EventKind.CATCH}
_SAME_MOMENT = 1e-6  # s; events of several hands at one time are one moment


@dataclass(frozen=True)
class FrameRequest(FrameOptions):
    """The frames of an export, over whole loops that close seamlessly or over a span of time.

    `juggle_anim.api.export` describes the fields of `FrameOptions`.

    Args:
        animation: the animation to show.
        size: width and height, [pixels].
        fps: frames a second; whole loops are shown in a whole number of frames, so that their real
            rate may differ a little.
        loops: how often the loop of the pattern is shown; ignored where `seconds` is not None.
        view: the direction to look from.
        start: the time of the first frame, [s].
        free: whether a still picture may have another time, as nobody has chosen it.
        shadows: whether there are any on the floor.

    Raises:
        ParameterError: a size, rate, number or time is out of range.
    """

    animation: Animation
    size: tuple[int, int]
    fps: float
    loops: int = 1
    view: View = DEFAULT_VIEW
    start: float = 0.0
    free: bool = False
    shadows: bool = True

    def __post_init__(self) -> None:
        """Refuse values that are out of range, and requests that are too large.

        Raises:
            ParameterError: they are.
        """
        width, height = self.size
        if min(width, height) < 1:
            raise ParameterError.of(
                "size", f"{width}x{height}", _("at least 1 pixel wide and high")
            )
        # NaN fails all these comparisons, so it is refused here too.
        if not MIN_FPS <= self.fps <= MAX_FPS:
            raise ParameterError.of(
                "fps",
                self.fps,
                _("a number from {min_fps:g} to {max_fps:g}", min_fps=MIN_FPS, max_fps=MAX_FPS),
            )
        if self.loops < 1:
            raise ParameterError.of("loops", self.loops, _("a whole number, 1 or more"))
        self._check_times()
        for name, value, limit in (
            ("supersampling", self.supersampling, MAX_SUPERSAMPLING),
            ("blur", self.blur, MAX_BLUR),
        ):
            if not 1 <= value <= limit:
                raise ParameterError.of(
                    name, value, _("a whole number from 1 to {limit}", limit=limit)
                )
        self._check_area()
        if self.frames > MAX_FRAMES:
            raise ParameterError(
                _(
                    "this would be {frames:,} frames, but the limit is {max_frames:,}; use "
                    "fewer loops or a lower rate",
                    frames=self.frames,
                    max_frames=MAX_FRAMES,
                )
            )

    def composed(self) -> FrameRequest:
        """This request with the time of its first frame and the view chosen, if they are free."""
        animation = self.animation
        aspect = aspect_per_eye(animation.parameters.stereo, self.size[0] / self.size[1])
        speed = animation.parameters.speed
        start = None if self.free else self.start * speed
        view, time = compose(animation, self.view, start, aspect)
        return replace(self, view=view, start=time / speed, free=False)

    @property
    def duration(self) -> float:
        """Playing time, [s] of the film.

        Whole loops and pictures at moments last as long as they are; a span of frames lasts a whole
        number of them.
        """
        if self.seconds is None:
            return self.loops * self.animation.duration / self.animation.parameters.speed
        return self.seconds if self.at else self.frames / self.fps

    @property
    def frames(self) -> int:
        """Number of frames; the last one of whole loops is one step before the first."""
        if self.at:
            return len(self._moments)
        seconds = self.duration if self.seconds is None else self.seconds
        return max(1, round(seconds * self.fps))

    @property
    def times(self) -> Floats:
        """Time of each frame in the pattern, shape (frames,), [s]."""
        if self.at:
            return self._moments
        first = self.start * self.animation.parameters.speed
        return first + np.arange(float(self.frames)) * self.step

    @cached_property
    def closing_animation(self) -> Animation:
        """The animation to draw: where whole loops are shown, bodies breathe and blink in time with
        these.
        """
        closes = self.seconds is None and not self.at
        return self.animation.closing_after(self.loops) if closes else self.animation

    @cached_property
    def _moments(self) -> Floats:
        """Times of the beats, throws or catches that are asked for, [s] in the pattern."""
        speed = self.animation.parameters.speed
        whole_loops = self.loops * self.animation.duration
        duration = whole_loops if self.seconds is None else self.seconds * speed
        return moments(self.animation, self.at, start=self.start * speed, duration=duration)

    @property
    def step(self) -> float:
        """Time from one frame to the next, [s] in the pattern."""
        if self.seconds is None and not self.at:
            return self.loops * self.animation.duration / self.frames
        return self.animation.parameters.speed / self.fps

    def exposures(self, frame_numbers: Sequence[int]) -> Floats:
        """Return the times of all exposures of some frames, frame after frame.

        Args:
            frame_numbers: of N frames, from 0.

        Returns:
            Shape (N · blur,), [s] in the pattern.
        """
        # Exposures are evenly spread over the time in which the shutter is open, which is centred
        # on the time of the frame: at the middles of `blur` equal parts of it. As shares of that
        # time they are from −0.5 to 0.5, and 0 for a single one.
        spread = (np.arange(self.blur) + 0.5) / self.blur - 0.5
        frames = np.asarray(frame_numbers, dtype=np.intp)
        open_time = SHUTTER * self.step
        times: Floats = self.times[frames, None] + spread * open_time
        return times.ravel()

    def record(self, options: WriteOptions) -> Record:
        """Return the record that the files of this request carry, by which it can be repeated.

        Some options are in it only where they differ from their defaults. Of `loops` and `seconds`
        it has the one that decides the span.

        Args:
            options: how files are written; those that change what is seen or heard are recorded.
        """
        span = {"loops": self.loops} if self.seconds is None else {"seconds": self.seconds}
        picture = {
            "size": list(self.size),
            "fps": self.fps,
            "frames": self.frames,
            **span,
            **({"at": self.at} if self.at else {}),
            "start": self.start,
            "camera": self.view.name,
            "transparent": self.transparent,
            "supersampling": self.supersampling,
            "blur": self.blur,
            "quality": options.quality,
            "dither": options.dither,
            "sound": options.sound,
            **({"depth": self.depth} if self.depth != 8 else {}),
            **({"captions": True} if self.captions else {}),
            **({"bones": self.bones} if self.bones else {}),
            **({"scale": self.scale} if self.scale != 1.0 else {}),
        }
        return record_of(self.animation.score, self.animation.parameters, picture)

    def _check_area(self) -> None:
        """Refuse pictures that are too large to draw.

        Raises:
            ParameterError: they are.
        """
        # The pixels that are drawn, before supersampling averages them.
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
                    "size is {drawn}, but the limit is {max_pixels:.0f} million pixels, such as "
                    "12500x8000, with edges up to {max_edge}",
                    drawn=drawn,
                    max_pixels=MAX_PIXELS / 1e6,
                    max_edge=MAX_EDGE,
                ),
                "size",
            )

    def _check_times(self) -> None:
        """Refuse a start or a duration out of range; NaN is, too.

        Raises:
            ParameterError: it is.
        """
        if not 0 <= self.start <= MAX_START:
            raise ParameterError.of(
                "start", float(self.start), _("from 0 to {max_start:,.0f} s", max_start=MAX_START)
            )
        if self.seconds is not None and not 0 < self.seconds <= MAX_START:
            raise ParameterError.of(
                "seconds",
                float(self.seconds),
                _("above 0 and at most {max_start:,.0f} s", max_start=MAX_START),
            )


def loops_until_props_return(animation: Animation, shortest: float = MIN_VIDEO_SECONDS) -> int:
    """Return the number of loops until every prop is back at its start, or a multiple of it.

    It is the least multiple that lasts at least `shortest`. Where all props are back only after
    more than `MAX_CYCLE_SECONDS`, they need not be, and any number of loops may be returned.

    Args:
        animation: the animation to show.
        shortest: the least duration of all loops, [s] of the film.
    """
    loop_seconds = animation.duration / animation.parameters.speed
    # Each orbit has its own number of loops until its props are back; all are back after the least
    # common multiple of these.
    cycle = math.lcm(*_laps(animation))
    if cycle * loop_seconds > MAX_CYCLE_SECONDS:
        cycle = 1
    cycle_count = max(1, math.ceil(shortest / (cycle * loop_seconds)))
    return cycle * cycle_count


def _laps(animation: Animation) -> set[int]:
    """Return the numbers of loops after which props are back, one for each orbit, equal ones once.

    A prop on an orbit of n props takes the place of the next one in each loop, and is back after n
    loops. Clubs and rings may be turned over by then and need twice as many, which the motion
    knows.
    """
    choreography = animation.choreography
    if any(look.kind in ORIENTED_KINDS for look in choreography.looks):
        return set(animation.motion.laps().tolist())
    return {orbit.props for orbit in choreography.orbits}


def moments(animation: Animation, name: str, start: float, duration: float) -> Floats:
    """Return the times of all beats, throws or catches in a span, ascending, [s] of the pattern.

    Args:
        animation: what is juggled.
        name: one of `MOMENTS`.
        start: when the span begins, [s] of the pattern.
        duration: of the span, [s] of the pattern; a moment at its beginning is in it, and one at
            its end is not.

    Returns:
        Shape (N,), N at least 1; moments of several hands at one time are one.

    Raises:
        ParameterError: there is no such moment, or none in the span.
    """
    if name not in MOMENTS:
        near = did_you_mean(name, MOMENTS)
        raise ParameterError(_("at is {name!r}: {near}", name=name, near=near), "at")
    performance = animation.performance
    # The period after which moments repeat, and the times of those in the first one, [s].
    if name == "beats":
        period = 1 / performance.bps
        times = np.zeros(1)
    else:
        period = performance.duration
        times = performance.events.time[performance.events.kind == _EVENT_KINDS[name]]
    # Repeat them over the span, and a period more at both ends, which makes up for rounding.
    end = start + duration
    rounds = np.arange(np.floor(start / period) - 1, np.ceil(end / period) + 1)
    repeated = np.sort((rounds[:, None] * period + times).ravel())
    # From `start` on, up to `end`. Both limits are moved earlier by the tolerance, so that, but for
    # rounding, a moment at `start` counts and one at `end` does not.
    within = repeated[(repeated > start - _SAME_MOMENT) & (repeated < end - _SAME_MOMENT)]
    if not len(within):
        raise ParameterError(
            _("these {seconds:.2f} s have no {moments}", moments=name, seconds=duration)
        )
    # Several hands may throw or catch at one time: keep the first of each group.
    distinct: Floats = within[np.diff(within, prepend=-np.inf) > _SAME_MOMENT]
    return distinct
