"""Playback: the clock of the picture, the times of throws, and the sound."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.errors import ViewerError, one_line
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.sound import SAMPLE_RATE, SoundEvents, sound_events, tone
from juggle_anim.viewer.state.undo import IdentityCache

FRAME_TIME = 1 / 60
"""Duration of one step, [s]."""

SPEEDS = (0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
"""Playing speeds that `faster` and `slower` go through."""

_SAME_THROW_TOLERANCE = 1e-6  # s; nearer than this, it is that throw


@dataclass
class Playback:
    """A clock that can be paused, stepped and moved.

    Args:
        time: time of the picture, [s] of the pattern's own time.
        paused: whether time stands still.
        frame_time: time from frame to frame of the screen, [s].
        backwards: whether time runs back.
        base: when the pattern's own time is 0, [s] since the first pattern of a row of live
            changes.
    """

    time: float = 0.0
    paused: bool = False
    frame_time: float = FRAME_TIME
    backwards: bool = False
    base: float = 0.0
    _leftover: float = 0.0  # s of real time that have not become frames yet; may be negative
    _held_at: float | None = None  # s, the time of the last `hold_at`

    @property
    def clock(self) -> float:
        """The time of the picture, [s] since the first pattern of a row of live changes."""
        return self.base + self.time

    def rebase(self, base: float) -> None:
        """Go on in the own time of another pattern, whose 0 is at this clock, [s]."""
        self.time = self.clock - base
        self.base = base

    def advance(self, elapsed: float, speed: float) -> None:
        """Advance the clock of the picture by real time, at a playing speed.

        Time advances by whole frames of the screen, and what is left over counts at the next call:
        uneven intervals between calls would make movements jerk. While paused, time stands still
        and nothing is left over.

        Args:
            elapsed: real time since the last call, [s].
            speed: time of the picture per real time.
        """
        if self.paused:
            self._leftover = 0.0
            return
        self._leftover += elapsed
        # The nearest number, so that intervals that jitter about one frame make one frame each. The
        # clock may therefore be up to half a frame ahead, with a negative leftover.
        frame_count = round(self._leftover / self.frame_time)
        self._leftover -= frame_count * self.frame_time
        self.time += frame_count * self.time_per_frame(speed)

    def time_per_frame(self, speed: float) -> float:
        """Time of the picture from one frame to the next at a playing speed, [s].

        It is negative if time runs backwards.
        """
        return -self.frame_time * speed if self.backwards else self.frame_time * speed

    def toggle(self) -> None:
        """Pause or play."""
        self.paused = not self.paused

    def reverse(self) -> None:
        """Play in the other direction; if paused, play backwards."""
        self.backwards = self.paused or not self.backwards
        self.paused = False

    def pause_at(self, time: float) -> None:
        """Pause, and go to a time, [s]."""
        self.paused = True
        self.time = time

    def hold_at(self, time: float) -> None:
        """Pause at a time, [s], until `let_go`."""
        if not self.paused or self.time == self._held_at:
            self._held_at = time
        self.pause_at(time)

    def let_go(self) -> None:
        """Play on after `hold_at`, unless it was paused before or has gone elsewhere since."""
        if self.paused and self.time == self._held_at:
            self.paused = False

    def step(self, frames: int) -> None:
        """Pause and move by some frames, backward where negative."""
        self.paused = True
        self.time += frames * FRAME_TIME

    def keep_phase(self, before: float, after: float) -> None:
        """Keep the place within the loop when its duration changes, [s]."""
        if before != after:
            self.time *= after / before

    def phase(self, duration: float) -> float:
        """Return the place within a loop of this duration [s], from 0 up to 1."""
        return (self.time / duration) % 1.0

    def seek(self, phase: float, duration: float) -> None:
        """Go to a place within the present loop, 0 to 1."""
        # After each loop, props have moved on along their orbits. Staying in the present loop keeps
        # each prop where it was. The limit below 1 keeps the end of this loop from being the start
        # of the next.
        self.time = (math.floor(self.time / duration) + min(max(phase, 0.0), 1.0 - 1e-9)) * duration


def faster(speed: float) -> float:
    """Return the next playing speed above this one."""
    return next((higher for higher in SPEEDS if higher > speed * 1.001), max(speed, SPEEDS[-1]))


def slower(speed: float) -> float:
    """Return the next playing speed below this one."""
    return next(
        (lower for lower in reversed(SPEEDS) if lower < speed * 0.999), min(speed, SPEEDS[0])
    )


def throw_times(animation: Animation) -> Floats:
    """When props are thrown in one loop, in order, shape (N,), [s]; throws at one time are one."""
    performance = animation.performance
    return np.unique(performance.events.time[performance.flights.throw])


def next_throw(animation: Animation, time: float, direction: int) -> float:
    """Return the time of the next or previous throw; without throws, the time itself.

    Args:
        animation: the animation with the throws.
        time: [s], in any loop.
        direction: 1 for the next throw, −1 for the previous one.
    """
    times_in_loop = throw_times(animation)
    duration = animation.duration
    if not len(times_in_loop):
        return time

    # Times of all throws of the loop before, the present one and the next, in order: with these
    # there is a throw before and after any time of the present loop. The sum has shape (3, N).
    loop_start = math.floor(time / duration) * duration
    loop_offsets = duration * np.array([[-1.0], [0.0], [1.0]])
    times = (loop_start + loop_offsets + times_in_loop).ravel()

    # The step before may have led to exactly a throw. The tolerance, [s], excludes that one, so
    # that the next step goes on.
    if direction > 0:
        later_times = times[times > time + _SAME_THROW_TOLERANCE]
        return float(later_times[0])
    earlier_times = times[times < time - _SAME_THROW_TOLERANCE]
    return float(earlier_times[-1])


def snap(share: float, marks: Floats, within: float) -> float:
    """Return a place on the timeline, 0 to 1, or the nearest mark within a distance."""
    near = marks[np.abs(marks - share) < within]
    return float(near[np.abs(near - share).argmin()]) if len(near) else share


_MAX_STEP = 0.3  # s between two pictures; a longer step is a jump, which is silent
_MAX_SOUNDS_AT_ONCE = 4  # sounds in one picture; more would be noise


class Player(Protocol):
    """Something that plays sounds."""

    def play(self, sound: Singles) -> None:
        """Play a sound."""


class Speaker:
    """Plays sounds at once.

    Raises:
        ViewerError: there is no audio device.
    """

    def __init__(self) -> None:
        """Open the audio device through pyglet.

        Raises:
            ViewerError: there is no device, or its driver fails.
        """
        try:
            # Imported when first used, as pyglet opens an audio driver on import. Each system fails
            # with exceptions of its own, so all are caught.
            with _quiet():
                from pyglet import media
                from pyglet.media.codecs import AudioFormat, StaticMemorySource

                driver = media.get_audio_driver()
        except Exception as error:
            raise ViewerError(_("no sound: {error}", error=one_line(error))) from error
        # Without a device pyglet has a driver that plays nothing.
        if driver is None or type(driver).__name__ == "SilentDriver":
            raise ViewerError(_("no sound: no audio device"))
        self._make: Any = StaticMemorySource
        self._format = AudioFormat(channels=1, sample_size=16, sample_rate=SAMPLE_RATE)

    def play(self, sound: Singles) -> None:
        """Play a sound, shape (samples,), −1 to 1, `SAMPLE_RATE` samples a second."""
        samples = np.rint(np.clip(sound, -1.0, 1.0) * 32_767).astype(np.int16)
        self._make(samples.tobytes(), self._format).play()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Discard what is written to standard error in the body of a `with` statement.

    System libraries report each missing audio device there. They write to file descriptor 2
    itself, so it is this descriptor that is redirected, and not `sys.stderr`.
    """
    # The copy remembers where the descriptor leads, so that it can be restored.
    try:
        stderr_copy = os.dup(2)
    except OSError:  # there is no standard error
        yield
        return
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 2)
        yield
    finally:
        os.dup2(stderr_copy, 2)
        os.close(stderr_copy)
        os.close(null)


class Sound:
    """Plays the sounds between one picture and the next; off at first.

    Args:
        find_speaker: returns a player or raises a `ViewerError`; called when sound is first turned
            on.
    """

    def __init__(self, find_speaker: Callable[[], Player] = Speaker) -> None:
        self.on = False
        self._open_speaker = find_speaker
        self._speaker: Player | None = None
        self._events = IdentityCache(_events_of)
        self._clock = 0.0

    def toggle(self) -> str:
        """Turn sound on or off.

        The audio device is opened the first time, so that its failure is known at once.

        Returns:
            The message to show.

        Raises:
            ViewerError: there is no audio device.
        """
        if not self.on and self._speaker is None:
            self._speaker = self._open_speaker()
        self.on = not self.on
        return _("Sound is on") if self.on else _("Sound is off")

    def resume(self) -> None:
        """Turn it on; a device is only opened for the first sound."""
        self.on = True

    def play_until(self, animation: Animation, time: float, base: float = 0.0) -> None:
        """Play the sounds of throws and catches between the last call and this one.

        Time may run backward. Steps of more than `_MAX_STEP`, [s] at normal speed, are jumps of a
        user, and silent.

        Args:
            animation: the present animation.
            time: present time of the animation, [s].
            base: time of the clock at which the time of the animation is 0, [s].

        Raises:
            ViewerError: there is no device, or it failed; the sound is off then.
        """
        # The time of the last call, expressed as a time in this animation.
        time_before = self._clock - base
        self._clock = time + base

        is_step = 0 < abs(time - time_before) < _MAX_STEP * animation.parameters.speed
        if not self.on or not is_step:
            return
        events = self._events.of(animation)
        speaker = self._find_once()
        event_rows = _between(events, animation.duration, time_before, time)
        try:
            for event in event_rows[:_MAX_SOUNDS_AT_ONCE].tolist():
                speaker.play(tone(float(events.pitch[event]), float(events.loudness[event])))
        except Exception as error:  # each driver raises exceptions of its own
            self.on = False
            self._speaker = None
            raise ViewerError(
                _(
                    "sound stopped: {error}",
                    error=one_line(error),
                )
            ) from error

    def _find_once(self) -> Player:
        try:
            self._speaker = self._speaker or self._open_speaker()
        except ViewerError:
            self.on = False
            raise
        return self._speaker


def _events_of(animation: Animation) -> SoundEvents:
    return sound_events(animation.motion, animation.parameters)


def _between(events: SoundEvents, duration: float, before: float, now: float) -> Integers:
    """Return the indices of the sounds that fall between two times, the later one included.

    Events repeat in every loop; each is returned at most once.

    Args:
        events: throws and catches that sound, with their times in the loop, [s].
        duration: duration of the loop, [s].
        before, now: times in any loop, [s], in either order.
    """
    earlier = min(before, now)
    later = max(before, now)
    # When each event happened last, up to the later time: whole loops after its time in the loop.
    loops_passed = np.floor((later - events.time) / duration)
    last_times = events.time + loops_passed * duration
    return np.flatnonzero(last_times > earlier)
