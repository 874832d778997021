"""Views of an export: from where the camera looks, by name, by angles or along a path.

The frames of an export as data: size, rate, times and view.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from juggle_anim.animation import AZIMUTH, Animation
from juggle_anim.arrays import Floats, Size
from juggle_anim.choreography import EventKind
from juggle_anim.errors import ParameterError, did_you_mean, printable
from juggle_anim.exporter.options import TURNTABLE, FrameOptions, WriteOptions
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.metadata.documents import Record
from juggle_anim.motion import ORIENTED_KINDS
from juggle_anim.notation import read_colour, record_of
from juggle_anim.scene import (
    CAMERA_PRESETS,
    EYE_VIEW,
    LOWEST,
    Camera,
    Viewpoint,
    aspect_per_eye,
    turntable_circle,
)

MAX_KEYS = 100
"""The most keys of a camera path."""

Angles = tuple[float | None, float | None]
"""Azimuth and elevation, [°]; None for the default."""

_KEY = re.compile(r"(\S+)@(\d{1,6}(?:\.\d{1,6})?)", re.ASCII)
_FRAMING_SAMPLES = 73  # of a camera path, from each of which everything must be seen

_MAX_ELEVATION = 85  # °, of a view by angles


@dataclass(frozen=True)
class CameraPath:
    """The path of a camera while a film plays.

    Its distance is always the same, from which it sees the whole pattern everywhere on the path.

    Args:
        times: times of the keys, strictly ascending, since the beginning of the film, [s]; empty
            for a turntable: once around in the time of the film, at an even pace.
        angles: angles at each key, [°], one for each time; between keys the camera starts and stops
            gently.
    """

    times: tuple[float, ...] = ()
    angles: tuple[Angles, ...] = ()

    def cameras(
        self, animation: Animation, aspect: float, film_times: Floats, duration: float
    ) -> list[Camera]:
        """Return a camera for each of N times, all at the same distance from the same target.

        Args:
            animation: the animation to show.
            aspect: width of the picture over its height.
            film_times: times since the beginning of the film, shape (N,), [s].
            duration: duration of the film, [s].
        """
        # At samples of the path, cameras are placed as near as possible so that they see all.
        # `turntable_circle` gives the mean of their targets, and a distance from which everything
        # is seen all along the path.
        sample_times = np.linspace(0.0, duration, _FRAMING_SAMPLES)
        # Placing a camera takes time, so views that are equal except for rounding get only one.
        samples = np.unique(np.round(self._angles(animation, sample_times, duration), 6), axis=0)
        nearest = [animation.camera(aspect, *angles) for angles in samples.tolist()]
        target, distance = turntable_circle(nearest)
        return [
            replace(nearest[0], eye=_eye(target, distance, azimuth, elevation), target=target)
            for azimuth, elevation in self._angles(animation, film_times, duration).tolist()
        ]

    def _angles(self, animation: Animation, film_times: Floats, duration: float) -> Floats:
        """Return azimuth and elevation of the camera at N times of a film, shape (N, 2), [rad].

        The camera moves along a path of views at given times. Without views it is a turntable: it
        goes once around, from the default view on.

        Args:
            animation: animation whose default view stands for angles that are not given.
            film_times: times since the beginning of the film, shape (N,), [s].
            duration: duration of the film, [s].
        """
        azimuth = float(AZIMUTH)
        elevation = animation.elevation
        if not self.times:
            azimuths = azimuth + 2 * np.pi * film_times / duration
            return np.stack([azimuths, np.full(len(film_times), elevation)], axis=-1)
        return self.angles_between(film_times, (azimuth, elevation))

    def angles_between(self, film_times: Floats, usual: tuple[float, float]) -> Floats:
        """Interpolate azimuth and elevation between the keys of the path, shape (N, 2), [rad].

        Before the first key and after the last one the camera stands still.

        Args:
            film_times: N times since the beginning of the film, shape (N,), [s].
            usual: default azimuth and elevation, for keys in which these are None, [rad].
        """
        times = np.array(self.times)
        # Keys have degrees, or None, which becomes NaN here. Azimuths are not wrapped: from 0 to
        # 720 the camera goes around twice.
        written = np.radians(np.array(self.angles, dtype=float))
        angles = np.where(np.isnan(written), usual, written)
        if len(times) == 1:
            return np.tile(angles, (len(film_times), 1))
        # The key before each time, and the share of the time to the next key that has passed. Both
        # are clipped: before the first key the share is 0, and after the last one it is 1.
        before = np.clip(np.searchsorted(times, film_times, side="right") - 1, 0, len(times) - 2)
        progress = np.clip(
            (film_times - times[before]) / (times[before + 1] - times[before]), 0.0, 1.0
        )
        # The smooth step 3s² − 2s³ starts and stops gently at each key.
        eased = progress**2 * (3 - 2 * progress)
        interpolated: Floats = angles[before] + eased[:, None] * (
            angles[before + 1] - angles[before]
        )
        return interpolated


def read_camera_path(text: str, angles_of: Callable[[str], Angles]) -> CameraPath | None:
    """Read `turntable`, or keys of a path such as `front@0 left@2 60,20@4`.

    A key is a view and, behind @, the time in the film at which it is reached, [s].

    Args:
        text: the text as it was typed.
        angles_of: reads the view of a key, as azimuth and elevation [°].

    Returns:
        The path; None if the text is neither, as it has no @.

    Raises:
        ParameterError: keys are misspelt, too many or not ascending, or `angles_of` raises it.
    """
    if text.strip().casefold() == TURNTABLE:
        return CameraPath()
    if "@" not in text:
        return None
    # Words that are not keys are dropped, so if there are fewer keys than words, it is an error.
    keys = [key for key in map(_KEY.fullmatch, text.split()) if key]
    if len(keys) != len(text.split()) or len(keys) > MAX_KEYS:
        accepted = _(
            "up to {number} views, each with its time in seconds, such as front@0 left@2 60,20@4",
            number=MAX_KEYS,
        )
        raise ParameterError.of("camera", text, accepted)
    times = tuple(float(key[2]) for key in keys)
    # The camera cannot be at two places at once.
    if any(later <= time for time, later in pairwise(times)):
        reason = _(
            "camera is {text!r}: each view needs a later time than the one before",
            text=printable(text, 40),
        )
        raise ParameterError(reason, "camera")
    return CameraPath(times, tuple(angles_of(key[1]) for key in keys))


def _eye(
    target: tuple[float, float, float], distance: float, azimuth: float, elevation: float
) -> tuple[float, float, float]:
    """Return the position of a camera by distance and angles, x, y and z in the world, [m].

    Args:
        target: point at which the camera looks, [m].
        distance: distance from the target, [m].
        azimuth: 0 is on the side of +z, growing towards +x, [rad].
        elevation: above the level of the target, negative below it, [rad].
    """
    x, y, z = target
    horizontal = distance * math.cos(elevation)
    # A camera stands no lower than `LOWEST`, which is just above the floor.
    eye_y = max(y + distance * math.sin(elevation), LOWEST)
    return x + horizontal * math.sin(azimuth), eye_y, z + horizontal * math.cos(azimuth)


@dataclass(frozen=True)
class View:
    """A direction to look from; the camera stands where it sees the whole pattern.

    Args:
        name: one word that is safe in a file name.
        azimuth, elevation: angles as for `Animation.camera`, [°]; None for the default.
        path: path of the camera; None if it stands still.
        moments: the only times at which it sees the whole pattern, [s] of that; none for all.
        full_length: whether the camera shows people with their feet, and all throws, at these
            times.
        free: whether a still picture may have another view, as the user has not chosen one.
    """

    name: str
    azimuth: float | None = None
    elevation: float | None = None
    path: CameraPath | None = None
    moments: tuple[float, ...] = ()
    full_length: bool = True
    free: bool = False

    def camera(self, animation: Animation, aspect: float) -> Camera:
        """Return the camera of this view, which stands still.

        Args:
            animation: the animation to show.
            aspect: width of the picture over its height.

        Raises:
            ParameterError: the view moves, as a juggler's eyes or a camera path do.
        """
        if self.name == EYE_VIEW or self.path:
            moves = _("with a head") if self.name == EYE_VIEW else _("while a video plays")
            raise ParameterError(
                _(
                    "camera {camera} moves {how}, so it works only for pictures and videos; "
                    "choose another",
                    camera=self.name,
                    how=moves,
                )
            )
        azimuth = AZIMUTH if self.azimuth is None else math.radians(self.azimuth)
        elevation = None if self.elevation is None else math.radians(self.elevation)
        return animation.camera(
            aspect, azimuth, elevation, moments=self.moments, full_length=self.full_length
        )


VIEWS = tuple(View(name, *angles) for name, angles in CAMERA_PRESETS.items())
"""The named views."""

_OTHER_VIEWS = {"above": "top", "behind": "back", "orbit": TURNTABLE, "side": "left"}
"""What people call some views."""

EYES = View(EYE_VIEW)
"""What the first juggler sees."""

DEFAULT_VIEW = VIEWS[0]
"""The initial view of the viewer."""

FREE_VIEW = replace(DEFAULT_VIEW, free=True)
"""The same where a still picture may have a better one."""


def compose(
    animation: Animation,
    view: View,
    start: float | None,
    aspect: float,
    *,
    full_length: bool = False,
) -> tuple[View, float]:
    """Return the view and the time of a still picture, choosing the best where they are not set.

    If the time or the direction is not set, the picture frames only what there is at that moment,
    so that people are large. If both are set, it is framed as in a window.

    Args:
        animation: the content of the picture.
        view: the requested view; a moving one is returned unchanged.
        start: time of the picture, [s] of the pattern; None for the best time, or for 0 in a view
            that moves.
        aspect: width of the picture over its height.
        full_length: whether people are always shown with their feet, and all throws.
    """
    moves = view.name == EYE_VIEW or view.path is not None
    is_set = start is not None and not view.free
    if moves or is_set:
        return view, start or 0.0
    azimuth = AZIMUTH if view.azimuth is None else math.radians(view.azimuth)
    elevation = animation.elevation if view.elevation is None else math.radians(view.elevation)
    # The time and the direction (azimuth and elevation, [rad]) that are set; None is to be chosen.
    times = None if start is None else np.array([start])
    direction = None if view.free else (azimuth, elevation)
    best = animation.viewpoint(aspect, times, direction, full_length)
    if view.free:
        view = replace(_seen_from(best, (best.time,), view.name), full_length=full_length)
    else:
        view = replace(view, moments=(best.time,))
    return view, best.time


def steady(animation: Animation, view: View, times: Floats, aspect: float) -> View:
    """Return the view, the best where it is free, of a picture of several moments.

    Args:
        animation, view, aspect: the arguments of `compose`.
        times: times of the moments, shape (T,) for T moments, [s] of the pattern.
    """
    if not view.free:
        return view
    viewpoint = animation.viewpoint(aspect, times)
    return _seen_from(viewpoint, tuple(times.tolist()), view.name)


def _seen_from(viewpoint: Viewpoint, moments: tuple[float, ...], name: str) -> View:
    """Return a view from a viewpoint, which sees all that is there at given times, [s]."""
    angles = math.degrees(viewpoint.azimuth), math.degrees(viewpoint.elevation)
    return View(name, *angles, moments=moments)


def read_view(text: str) -> View:
    """Read a view from its name, from azimuth and elevation [°] as 30,10, or from a camera path.

    Case and spaces around the text do not matter.

    Raises:
        ParameterError: the text is none of these, or the elevation is not from −85 to 85°.
    """
    text = _OTHER_VIEWS.get(text.strip().casefold(), text)
    if path := read_camera_path(text, _angles_of):
        return View(" ".join(text.split()).casefold(), path=path)
    return _standing_view(text)


def _angles_of(text: str) -> Angles:
    """Read a view of a camera path as azimuth and elevation, [°]; None for a default angle.

    Raises:
        ParameterError: the text is not a view, or the view moves with a head.
    """
    view = _standing_view(text)
    if view == EYES:
        reason = _(
            "camera {camera} moves with the head, so it cannot be part of a camera path",
            camera=EYE_VIEW,
        )
        raise ParameterError(reason, "camera")
    return view.azimuth, view.elevation


def _standing_view(text: str) -> View:
    """Read a view without a camera path: a name, or azimuth and elevation such as 30,10, [°].

    The name may be that of a juggler's eyes, which do move.

    Raises:
        ParameterError: the text is neither, or the elevation is out of range.
    """
    for view in (*VIEWS, EYES):
        if view.name == text.strip().casefold():
            return view
    # Without a name it must be two numbers with a comma between them.
    angles = re.fullmatch(
        r" *(-?\d{1,3}(?:\.\d{1,6})?) *, *(-?\d{1,3}(?:\.\d{1,6})?) *", text, re.ASCII
    )
    if not angles:
        near = did_you_mean(
            text.strip().casefold(), [*(view.name for view in (*VIEWS, EYES)), TURNTABLE]
        )
        name = _("camera is {text!r}", text=printable(text, 40))
        raise ParameterError(
            _("{name}: {near}, or azimuth and elevation such as 30,10", name=name, near=near),
            "camera",
        )
    azimuth = float(angles[1])
    elevation = float(angles[2])
    if abs(elevation) > _MAX_ELEVATION:
        accepted = _(
            "azimuth and elevation, with elevation from -{max_elevation} to {max_elevation}°",
            max_elevation=_MAX_ELEVATION,
        )
        raise ParameterError.of("camera", text.strip(), accepted)
    return View(f"{azimuth:g},{elevation:g}", azimuth, elevation)


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

_FINER = 3  # samples across a pixel of a still at most
_FINE_PIXELS = 4_000_000  # that are drawn for it at most, which takes a third of a second

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
        loops: number of loops of the pattern; ignored if `seconds` is not None.
        view: the direction to look from.
        start: the time of the first frame, [s].
        free: whether a still picture may have another time, as the user has not chosen one.
        shadows: whether props and people cast shadows on the floor.

    Raises:
        ParameterError: a size, rate, number or time is out of range, or the background is both a
            colour and transparent.
        NotationError: the background is not a colour.
    """

    animation: Animation
    size: Size
    fps: float
    loops: int = 1
    view: View = DEFAULT_VIEW
    start: float = 0.0
    free: bool = False
    shadows: bool = True

    @property
    def backdrop(self) -> tuple[float, float, float] | None:
        """The colour in place of the background, if it has one."""
        return read_colour(self.background) if self.background else None

    def __post_init__(self) -> None:
        """Raise an error for values that are out of range, and requests that are too large.

        Raises:
            ParameterError: a value is out of range, or the request is too large.
        """
        # Also raises an error if there is no such colour.
        if self.backdrop and self.transparent:
            raise ParameterError(_("use either background or transparent, not both"))
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
        """Return this request for a still picture, with a definite start time and view.

        With a free view, a picture also gets more supersampling, and more the smaller it is, since
        parts of faces and hands in it are smaller than a pixel.
        """
        animation = self.animation
        aspect = aspect_per_eye(animation.parameters.stereo, self.aspect)
        speed = animation.parameters.speed
        start = None if self.free else self.start * speed
        # The start is in [s] of the film, and a time of the animation is `speed` times that.
        # `compose` chooses the view, and the time if `start` is None.
        view, time = compose(animation, self.view, start, aspect)
        width, height = self.size
        # The greatest supersampling with which at most `_FINE_PIXELS` are drawn.
        affordable = min(math.isqrt(_FINE_PIXELS // (width * height)), _FINER)
        finer = max(self.supersampling, affordable if self.view.free else 1)
        return replace(self, view=view, start=time / speed, free=False, supersampling=finer)

    @property
    def aspect(self) -> float:
        """Width over height of the picture; in stereo, of both eyes together."""
        width, height = self.size
        return width / height

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
        """Times of the beats, throws or catches that are requested, [s] in the pattern."""
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
        """Return the times of all exposures of given frames, frame after frame.

        For motion blur a frame is the mean of several exposures, `blur` in number.

        Args:
            frame_numbers: numbers of N frames, from 0.

        Returns:
            Shape (N · blur,), [s] in the pattern.
        """
        # The shutter is open for some time around the time of the frame. Exposures are at the
        # middles of `blur` equal parts of it, here as shares of it from −0.5 to 0.5; a single
        # exposure is at 0.
        spread = (np.arange(self.blur) + 0.5) / self.blur - 0.5
        frames = np.asarray(frame_numbers, dtype=np.intp)
        open_time = SHUTTER * self.step
        times: Floats = self.times[frames, None] + spread * open_time
        return times.ravel()

    def record(self, options: WriteOptions) -> Record:
        """Return the metadata record of the exported files, from which the export can be repeated.

        Some options are recorded only if they differ from their defaults.

        Args:
            options: how files are written; options that change picture or sound are recorded.
        """
        picture: dict[str, Any] = {
            "size": list(self.size),
            "fps": self.fps,
            "frames": self.frames,
        }
        # The duration is recorded as seconds if these are set, else as a number of loops.
        if self.seconds is None:
            picture["loops"] = self.loops
        else:
            picture["seconds"] = self.seconds
        if self.at:
            picture["at"] = self.at
        picture |= {
            "start": self.start,
            "camera": self.view.name,
            "transparent": self.transparent,
            "supersampling": self.supersampling,
            "blur": self.blur,
            "quality": options.quality,
            "dither": options.dither,
            "sound": options.sound,
        }
        if self.depth != 8:
            picture["depth"] = self.depth
        if self.captions:
            picture["captions"] = True
        if self.bones:
            picture["bones"] = self.bones
        if self.scale != 1.0:
            picture["scale"] = self.scale
        if self.background:
            picture["background"] = self.background
        return record_of(self.animation.score, self.animation.parameters, picture)

    def _check_area(self) -> None:
        """Raise an error if pictures are too large to draw.

        Raises:
            ParameterError: the pictures are too large.
        """
        # The size that is drawn, before supersampling averages pixels.
        width, height = (edge * self.supersampling for edge in self.size)
        if max(width, height) > MAX_EDGE or width * height > MAX_PIXELS:
            drawn = f"{self.size[0]}x{self.size[1]}"
            if self.supersampling > 1:
                drawn += _(" at supersampling {supersampling}", supersampling=self.supersampling)
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
        """Raise an error if the start or the duration is out of range.

        Raises:
            ParameterError: one of them is out of range, or NaN.
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
    """Return the fewest loops that last long enough and bring every prop back to its start.

    If all props are back only after more than `MAX_CYCLE_SECONDS`, they need not be.

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
        animation: the animation.
        name: one of `MOMENTS`.
        start: start of the span, [s] of the pattern.
        duration: duration of the span, [s] of the pattern; a moment at its beginning is in it, and
            one at its end is not.

    Returns:
        Shape (N,), N at least 1; moments of several hands at one time are one.

    Raises:
        ParameterError: the moment does not exist, or is not within the span.
    """
    if name not in MOMENTS:
        raise ParameterError.none_of("at", name, did_you_mean(name, MOMENTS))
    performance = animation.performance
    # The period after which moments repeat, and the times of those in the first period, [s].
    if name == "beats":
        period = 1 / performance.bps
        times = np.zeros(1)
    else:
        period = performance.duration
        times = performance.events.time[performance.events.kind == _EVENT_KINDS[name]]
    # Repeat them over the span, and one period more at both ends to allow for rounding.
    end = start + duration
    rounds = np.arange(np.floor(start / period) - 1, np.ceil(end / period) + 1)
    repeated = np.sort((rounds[:, None] * period + times).ravel())
    # Keep those from `start`, included, to `end`, excluded. Both limits are moved earlier by a
    # tolerance, so that rounding does not matter.
    within = repeated[(repeated > start - _SAME_MOMENT) & (repeated < end - _SAME_MOMENT)]
    if not len(within):
        raise ParameterError(
            _("these {seconds:.2f} s have no {moments}", moments=name, seconds=duration)
        )
    # Several hands may throw or catch at one time, of which the first is kept.
    distinct: Floats = within[np.diff(within, prepend=-np.inf) > _SAME_MOMENT]
    return distinct
