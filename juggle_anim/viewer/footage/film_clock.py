"""The time of a film that goes along with the clock of the animation, also where that clock jumps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from juggle_anim.viewer.footage.controls import END, IN_STEP, SPEED, START, STAY, FilmControls
from juggle_anim.viewer.state.model import Model

if TYPE_CHECKING:
    from juggle_anim.viewer.footage.marks import Rhythm

_LONGEST_STEP = 0.5  # s that pass on the clock between two looks at it, at most

Pace = tuple[float | None, float]
"""Tempo and dwell."""


class FilmClock:
    """Tells the time of a film: `START` + `SPEED` × the time since an origin on the clock of the animation.

    The origin moves where that clock jumps because of another tempo or pattern, so that the film goes on.

    Args:
        model: whose clock the film follows.
        controls: of the film.
    """

    def __init__(self, model: Model, controls: FilmControls) -> None:
        self._model, self._controls = model, controls
        self.duration = 0.0
        """Of the film, [s]; 0 without one."""
        self.speed = 1.0
        """Of the film, relative to the clock."""
        self._origin = self._clock = self._loop = 0.0
        self._used: list[tuple[Pace, float, Pace, float]] = []  # pace and start before and after marks were used

    def begin(self, duration: float) -> None:
        """Let the present loop begin with a film of a duration, [s]."""
        playback = self._model.playback
        self.duration, self.speed, self._loop = duration, 1.0, self._model.animation.choreography.duration
        self._clock = playback.clock
        self._origin = self._clock - playback.time % self._loop

    def end(self) -> None:
        """There is no film any more."""
        self.duration, self._used = 0.0, []

    @property
    def lag(self) -> float:
        """When the film begins, [s] after a loop of the animation."""
        return (self._origin - self._model.playback.base) % self._loop

    @lag.setter
    def lag(self, seconds: float) -> None:
        self._origin += seconds - self.lag

    @property
    def time(self) -> float:
        """The time of the film that is shown now, [s]."""
        duration, running = self.duration, self._running
        if self._controls.value(END) == STAY:
            return min(max(running, 0.0), duration)
        loop = self._loop * self.speed
        if self._controls.value(END) == IN_STEP and 0.0 < loop <= duration:
            duration = math.floor(duration / loop + 1e-9) * loop
        return running % duration if duration else 0.0

    @property
    def pace(self) -> Pace:
        """Tempo and dwell of the animation."""
        parameters = self._model.animation.parameters
        return parameters.bps, parameters.dwell

    @property
    def _running(self) -> float:
        """The time of a film without an end, [s]."""
        return self._controls.number(START) + self.speed * (self._model.playback.clock - self._origin)

    def go_to(self, time: float) -> None:
        """Go to a time of the film, [s], and to what the animation does then."""
        playback = self._model.playback
        seconds = (min(max(time, 0.0), self.duration) - self.time) / self.speed
        # Not back before this pattern, but to the same place of a later loop.
        whole = math.ceil(max(-playback.time - seconds, 0.0) / self._loop) * self._loop
        self._origin += whole
        playback.time += seconds + whole
        self._clock = playback.clock

    def follow(self) -> None:
        """Let the film go on where the clock of the animation jumped, and where its own speed was changed."""
        clock, loop, speed = self._model.playback.clock, self._model.animation.choreography.duration, self.speed
        start, now = self._controls.number(START), self.pace
        passed = clock - self._clock
        if loop != self._loop or passed < -loop:
            # A transition lets the clock run on, another tempo keeps the phase, and a cut begins anew.
            scaled = (self._clock - self._model.playback.base) * (loop / self._loop - 1.0)
            jump = min(0.0, scaled, key=lambda each: abs(passed - each))
            self._origin += jump if abs(passed - jump) < _LONGEST_STEP else passed
        self._clock, self._loop, self.speed = clock, loop, self._controls.number(SPEED)
        self._origin = clock - (clock - self._origin) * speed / self.speed
        # Undo and redo of tempo and dwell lead back to the start of the film that belonged to them.
        for before, start_before, after, start_after in self._used:
            for pace, old, new in ((before, start_after, start_before), (after, start_before, start_after)):
                if now == pace and start == old != new:
                    self._origin += (new - old) / self.speed
                    start = new
                    self._controls.set_value(START, new)

    def shift(self, seconds: float) -> None:
        """Let the film run ahead by some time of the clock, [s]."""
        self._origin -= seconds

    def align(self, rhythm: Rhythm, beat: float) -> None:
        """Let throws fall on marks, while the film goes on about where it is.

        Args:
            rhythm: of the marks.
            beat: the first beat on which the marked hands throw.
        """
        first, running = rhythm.beat % rhythm.period, self._running
        thrown = self._model.playback.base + beat / self._model.animation.choreography.bps
        cycle, wanted = rhythm.period / self.speed, self._clock - (running - first) / self.speed
        self._origin = thrown + round((wanted - thrown) / cycle) * cycle
        self._controls.set_value(START, first)

    def note_use(self, before: Pace, start: float) -> None:
        """Remember what belonged together before marks were used, and what does now, for undo and redo.

        Args:
            before: the pace before.
            start: of the film before, [s].
        """
        self._used.append((before, start, self.pace, self._controls.number(START)))
