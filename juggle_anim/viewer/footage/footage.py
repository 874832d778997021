"""Footage: a film beside the animation, its controls, its clock, and marks for tempo and dwell.

The time of a film goes along with the clock of the animation, also where that clock jumps. A thread
decodes ahead of what is shown. Marks that a person sets while a film plays have a rhythm: tempo,
phase and dwell.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes, Floats
from juggle_anim.errors import ViewerError, counted, one_line
from juggle_anim.language import _, replaced
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import (
    Choice,
    Group,
    ParameterValue,
    Quantity,
    Row,
    Stage,
    quantity_named,
)
from juggle_anim.pattern import Pattern
from juggle_anim.scene import Viewport
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.panel import values
from juggle_anim.viewer.panel.values import ValueEntry
from juggle_anim.viewer.state.keymap import FOOTAGE, Action, Handlers, caption
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import Purpose, home_path, is_film, local_path
from juggle_anim.viewer.state.undo import Undo

if TYPE_CHECKING:
    from juggle_anim.render.backdrop import FilmLayer

BEHIND = "behind"
BESIDE = "beside"
FRONT = "in front"
LOOP = "loop"
IN_STEP = "in step"
STAY = "stay"
THROWS = "all throws"
LEFT_HAND = "left hand"
RIGHT_HAND = "right hand"


_MAX_CLOCK_STEP = 0.5  # s that pass on the clock between two looks at it, at most

Pace = tuple[float | None, float]
"""Tempo, [beats/s] (None for the natural one), and dwell, [beats]."""


def _quantity(
    label: str,
    unit: str,
    bounds: tuple[float, float],
    step: float,
    default: float,
    about: str,
    slider: tuple[float, float] | None = None,
) -> Quantity:
    """Return a numeric control of the film, a video shown with the animation.

    Args:
        label: label that users see. The control's name is made of it, so no two controls of the
            film may have the same.
        unit: unit of the values.
        bounds: least and greatest value.
        step: by how much a key changes the value.
        default: the value at first.
        about: the text of the tooltip.
        slider: range of the slider; None for all values.
    """
    name = f"film {label}"
    low, high = bounds
    return Quantity(
        name=name,
        key=name,
        label=label,
        unit=unit,
        low=low,
        high=high,
        slider=slider or bounds,
        step=step,
        default=default,
        stage=Stage.CLOCK,
        group=Group.LOOK,
        help=about,
    )


def _film_choice(label: str, options: tuple[str, ...], tooltip: str) -> Choice:
    """Return a setting with a few options, for the film that is shown along with the animation.

    Args:
        label: name of the setting on the card of the film. The key is made of it, so no two
            settings of the film may have the same.
        options: values of the setting; the first is the default.
        tooltip: text that explains the setting.
    """
    name = f"film {label}"
    return Choice(
        name=name,
        key=name,
        label=label,
        options=options,
        default=options[0],
        stage=Stage.CLOCK,  # a change needs no new animation: only what is shown at a time differs
        group=Group.LOOK,  # it is about the picture, not about the juggling
        help=tooltip,
    )


PLACE = _film_choice(
    "Video",
    (BEHIND, BESIDE, FRONT),
    "Where the video is: behind, beside or in front of the animation",
)
SPEED = _quantity(
    "Speed",
    "×",
    (0.01, 100.0),
    0.05,
    1.0,
    "Speed of the video relative to the animation",
    (0.1, 4.0),
)
START = _quantity(
    "Start",
    "s",
    (0.0, 86_400.0),
    0.1,
    0.0,
    "Time in the video at which the animation starts",
    (0.0, 10.0),
)
OPACITY = _quantity(
    "Opacity",
    "%",
    (0.0, 100.0),
    5.0,
    100.0,
    "Lower it to see the stage or animation through the video",
)
SIZE = _quantity("Size", "%", (5.0, 1000.0), 5.0, 100.0, "100% fits the picture", (20.0, 300.0))
ACROSS = _quantity("Across", "%", (-200.0, 200.0), 1.0, 0.0, "Distance right of the centre")
UP = _quantity("Up", "%", (-200.0, 200.0), 1.0, 0.0, "Distance above the centre")
END = _film_choice(
    "At the end",
    (LOOP, IN_STEP, STAY),
    "What happens at the end: repeat, repeat in step with the pattern's loops, or stop",
)
MARKS = _film_choice(
    "Marks", (THROWS, LEFT_HAND, RIGHT_HAND), "What to mark: each throw, or how long a hand holds"
)

ROWS: tuple[Row, ...] = (PLACE, START, SPEED, OPACITY, SIZE, ACROSS, UP, END, MARKS)
"""The controls of a film, in the order of its card."""

_FRONT_OPACITY = 50.0  # %; the default of a film over the animation


class FilmControls:
    """The values of the controls, as sliders and keys change them.

    Args:
        model: model of the viewer.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.chosen: Row = PLACE
        """The control that keys change."""
        self.drop_downs = model.drop_downs
        self.entry = ValueEntry(self.drop_downs, self.set_value)
        self.undo = Undo()
        """Without steps: what is changed here is not undone."""
        self._rows = ROWS
        self._values: dict[str, ParameterValue] = {}

    @property
    def animation(self) -> Animation:
        """The animation that the film is shown with."""
        return self._model.animation

    def begin(self, duration: float) -> None:
        """Reset all controls for a film of a duration, [s]."""
        start = replaced(START, slider=(0.0, duration), step=0.1 if duration < 60 else 1.0)
        self._rows = tuple(start if row is START else row for row in ROWS)
        self.chosen = PLACE
        self._values = {}
        self.entry.cancel()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The controls, with the range of this film, and the defaults of its place."""
        faint = self.value(PLACE) == FRONT
        return tuple(
            replaced(row, default=_FRONT_OPACITY) if faint and row is OPACITY else row
            for row in self._rows
        )

    def value(self, row: Row) -> ParameterValue:
        """Return the value of a control."""
        return self._values.get(row.name, self._default(row))

    def number(self, quantity: Quantity) -> float:
        """Return the value of a control that is a number."""
        return float(self.value(quantity))

    @property
    def changed(self) -> dict[str, ParameterValue]:
        """The values of controls that were set, by name, as `restore` takes them."""
        return dict(self._values)

    def restore(self, changed: Mapping[str, ParameterValue]) -> None:
        """Set controls as they were; names and values that there are not are passed over."""
        for row in self.rows:
            value = values.remembered_value(row, changed)
            if value is not None:
                self._values[row.name] = value

    def is_default(self, quantity: Row) -> bool:
        """Return whether a control is at its default."""
        return self.value(quantity) == self._default(quantity)

    def fixed(self, quantity: Row) -> str:
        """Return why a control cannot be turned: of a film all can."""
        return ""

    def choose(self, line: Row) -> None:
        """Let keys change a control."""
        self.chosen = line

    def choose_next(self, steps: int) -> None:
        """Choose the control a number of places further down, cyclically."""
        names = [row.name for row in self.rows]
        self.chosen = self.rows[(names.index(self.chosen.name) + steps) % len(names)]

    def set_value(self, row: Row, value: ParameterValue | None) -> None:
        """Set a control."""
        if value is None:
            self._values.pop(row.name, None)
        else:
            self._values[row.name] = value

    def drag(self, quantity: Row, place: float, *, fine: bool = False) -> None:
        """Set a control to a position on its slider, 0 to 1."""
        self.set_value(quantity, values.value_at(quantity, place, fine=fine))

    def step(self, steps: float) -> None:
        """Change the chosen control by some steps."""
        self.set_value(self.chosen, values.stepped(self.chosen, self.value(self.chosen), steps))

    def reset(self, quantity: Row) -> None:
        """Reset a control to its default."""
        self.set_value(quantity, None)

    def open_entry(self, quantity: Row) -> None:
        """Begin to type a value, or to choose one from the list of options."""
        self.chosen = quantity
        self.entry.open(quantity, self.value(quantity))

    @property
    def actions(self) -> Handlers:
        """Functions that the keys of the card call, by action; all change the chosen control."""
        return {
            Action.CHOOSE_PREVIOUS: lambda: self.choose_next(-1),
            Action.CHOOSE_NEXT: lambda: self.choose_next(1),
            Action.TURN_DOWN: lambda: self.step(-1.0),
            Action.TURN_UP: lambda: self.step(1.0),
            Action.TURN_DOWN_FINE: lambda: self.step(-values.FINE),
            Action.TURN_UP_FINE: lambda: self.step(values.FINE),
            Action.TYPE_VALUE: lambda: self.open_entry(self.chosen),
            Action.RESET_VALUE: lambda: self.reset(self.chosen),
        }

    def placed(self, free: Rectangle, film: tuple[int, int]) -> Rectangle:
        """Return the rectangle of the window in which the film is shown, [pixels].

        At a size of 100 % the film fits into the free part of the window.

        Args:
            free: the part of the window that no card covers, [pixels].
            film: width and height of the film, [pixels].
        """
        film_width, film_height = film
        # The controls are percentages of what fits: of the film, and of the free part.
        fitting_scale = min(free.width / film_width, free.height / film_height)
        scale = fitting_scale * self.number(SIZE) / 100.0
        width = film_width * scale
        height = film_height * scale
        left = free.centre - width / 2 + free.width * self.number(ACROSS) / 100.0
        top = free.middle - height / 2 - free.height * self.number(UP) / 100.0
        return Rectangle(left, top, width, height)

    def _default(self, row: Row) -> ParameterValue:
        if row.name == OPACITY.name and self._values.get(PLACE.name) == FRONT:
            return _FRONT_OPACITY
        assert row.default is not None
        return row.default


class _MarksUse(NamedTuple):
    """Pace of the pattern, and start of the film [s], before and after marks were used."""

    pace_before: Pace
    start_before: float
    pace_after: Pace
    start_after: float


class FilmClock:
    """Clock of a film: `START` + `SPEED` × the time since an origin on the animation's clock.

    The origin moves where that clock jumps because of another tempo or pattern, so that the film
    goes on.

    Args:
        model: model whose clock the film follows.
        controls: controls of the film.
    """

    def __init__(self, model: Model, controls: FilmControls) -> None:
        self._model = model
        self._controls = controls
        self.duration = 0.0
        """Of the film, [s]; 0 without one."""
        self.speed = 1.0
        """Of the film, relative to the clock."""
        self._origin = self._clock = self._loop = 0.0
        self._uses_of_marks: list[_MarksUse] = []

    def begin(self, duration: float) -> None:
        """Let the present loop begin with a film of a duration, [s]."""
        playback = self._model.playback
        self.duration = duration
        self.speed = 1.0
        self._loop = self._model.animation.choreography.duration
        self._clock = playback.clock
        self._origin = self._clock - playback.time % self._loop

    def end(self) -> None:
        """There is no film any more."""
        self.duration = 0.0
        self._uses_of_marks = []

    @property
    def lag(self) -> float:
        """When the film begins, [s] after a loop of the animation."""
        return (self._origin - self._model.playback.base) % self._loop

    @lag.setter
    def lag(self, seconds: float) -> None:
        self._origin += seconds - self.lag

    @property
    def time(self) -> float:
        """Time of the film that is shown now, [s], from 0 to its duration.

        The user chooses what the film does at its end:

        - it stays at its last picture;
        - it begins again;
        - in step, it is cut to whole loops of the animation, and begins again.
        """
        endless_time = self._running  # as if the film had no end, [s]
        if self._controls.value(END) == STAY:
            return min(max(endless_time, 0.0), self.duration)
        repeated = self.duration
        # One loop of the animation, in seconds of the film. A film that is shorter than that is not
        # cut.
        loop = self._loop * self.speed
        if self._controls.value(END) == IN_STEP and 0.0 < loop <= self.duration:
            # A loop that is missing only by a rounding error counts.
            whole_loop_count = math.floor(self.duration / loop + 1e-9)
            repeated = whole_loop_count * loop
        return endless_time % repeated if repeated else 0.0

    @property
    def pace(self) -> Pace:
        """Tempo and dwell of the animation."""
        parameters = self._model.animation.parameters
        return parameters.bps, parameters.dwell

    @property
    def _running(self) -> float:
        """The time of a film without an end, [s]."""
        return self._controls.number(START) + self.speed * (
            self._model.playback.clock - self._origin
        )

    def go_to(self, time: float) -> None:
        """Go to a time of the film, [s], and to what the animation does then."""
        playback = self._model.playback
        # By how much the clock of the animation has to move, [s].
        step = (min(max(time, 0.0), self.duration) - self.time) / self.speed
        # The time of the present pattern cannot become negative: whole loops are added instead, in
        # which the animation does the same. The origin of the film moves along.
        added = math.ceil(max(-playback.time - step, 0.0) / self._loop) * self._loop
        self._origin += added
        playback.time += step + added
        self._clock = playback.clock

    def synchronize(self) -> None:
        """Synchronise the film with jumps of the clock and changes of speed; called in each frame.

        The origin of the film is the time on the animation's clock, [s], at which the film begins.
        It moves with jumps of that clock. The control `START` changes after undo or redo of a tempo
        that was taken from marks.
        """
        clock = self._model.playback.clock
        loop = self._model.animation.choreography.duration
        self._origin += self._clock_jump(clock, loop)
        self._clock = clock
        self._loop = loop
        # With another speed the film goes on from its present time: (clock − origin) · speed stays.
        speed_before = self.speed
        self.speed = self._controls.number(SPEED)
        self._origin = clock - (clock - self._origin) * speed_before / self.speed
        self._follow_undo()

    def _clock_jump(self, clock: float, loop: float) -> float:
        """Return by how much the animation's clock has jumped since the last frame, [s].

        Args:
            clock: the present time of that clock, [s].
            loop: the present duration of the animation's loop, [s].
        """
        passed = clock - self._clock
        # With the same loop the clock runs, or a user moves it, which moves the film as well.
        if loop == self._loop and passed >= -loop:
            return 0.0
        # The loop has changed, or the clock went back by more than a loop. There are three cases:
        # the clock has run on (in a transition to another pattern); or another tempo has scaled the
        # time since the pattern began, at `base`, so that the phase of its loop is the same; or the
        # clock was restarted. In the first two, what passed besides the jump is about one frame.
        jump_by_tempo = (self._clock - self._model.playback.base) * (loop / self._loop - 1.0)
        jump = jump_by_tempo if abs(passed - jump_by_tempo) < abs(passed) else 0.0
        if abs(passed - jump) < _MAX_CLOCK_STEP:
            return jump
        return passed  # the clock was restarted

    def _follow_undo(self) -> None:
        """Restore the start of the film, the control `START`, after undo or redo of a use of marks.

        Users mark throws while a film plays. To use the marks sets the pace of the pattern (tempo
        and dwell) and the start of the film. Undo and redo restore only the pace. So a use has just
        been undone if the pace is again that before it, but the start is still that after it; redo
        is the reverse. Undo restores the very same numbers, so they are compared exactly.
        """
        pace = self.pace
        for use in self._uses_of_marks:
            start = self._controls.number(START)
            if pace == use.pace_before and start == use.start_after:
                self._move_start(use.start_before)
            elif pace == use.pace_after and start == use.start_before:
                self._move_start(use.start_after)

    def _move_start(self, start: float) -> None:
        """Set the control `START`, [s of the film], so that the film shows the same as before.

        The origin, the time on the animation's clock at which the film begins, moves by as much.
        """
        self._origin += (start - self._controls.number(START)) / self.speed
        self._controls.set_value(START, start)

    def shift(self, seconds: float) -> None:
        """Let the film run ahead by some time of the clock, [s]."""
        self._origin -= seconds

    def align(self, rhythm: Rhythm, beat: float) -> None:
        """Shift the film by less than a cycle, so that throws of the pattern coincide with marks.

        A mark is a time in the film at which a hand throws; a cycle is the time from mark to mark.
        The film has its own time, [s of the film], which runs `speed` times as fast as the clock of
        the animation, [s].

        Args:
            rhythm: the time of a mark and the period of the marks, [s of the film].
            beat: the first beat of the pattern on which the marked hands throw.
        """
        first_mark = rhythm.beat % rhythm.period  # s of the film, 0 or later
        # The rest is on the clock, [s]: when the pattern's first throw is made, the time from throw
        # to throw, and when the film has shown its first mark.
        first_throw = self._model.playback.base + beat / self._model.animation.choreography.bps
        cycle = rhythm.period / self.speed
        first_mark_shown = self._clock - (self._running - first_mark) / self.speed
        # The film begins with its first mark, at the throw nearest to where that mark was shown.
        throw_number = round((first_mark_shown - first_throw) / cycle)
        self._origin = first_throw + throw_number * cycle
        self._controls.set_value(START, first_mark)

    def note_use(self, pace_before: Pace, start_before: float) -> None:
        """Remember how a use of marks changed the pattern's pace and the film's start, for undo.

        The pace and the start after it are the present ones. If either is as before, undo has no
        start to restore.

        Args:
            pace_before: tempo, [beats/s], and dwell, [beats], before the marks were used.
            start_before: the start of the film before, [s].
        """
        use = _MarksUse(
            pace_before=pace_before,
            start_before=start_before,
            pace_after=self.pace,
            start_after=self._controls.number(START),
        )
        if use.pace_after != pace_before and use.start_after != start_before:
            self._uses_of_marks.append(use)


FEWEST = 4
"""Marks from which a rhythm is found."""

_MIN_MARK_RATE = 0.1  # marks/s
_MIN_MARK_INTERVAL = 0.08  # s; a person who presses again so soon has slipped
_FREQUENCY_RANGE = 0.6, 2.2  # frequencies that are tried, over the usual one
_TRIALS_PER_CYCLE = 8.0  # trial frequencies for each cycle more over the span of the marks
# Of the best coherence: a lower frequency with so much is the beat, the higher one an overtone.
_NEARLY_COHERENT = 0.85
_MAX_RIGHT_DEVIATION = 0.08  # periods; a mark nearer to its beat is right
_MIN_MISTAKE_DEVIATION = 0.3  # periods; a mark farther from its beat is a mistake
_OUTLIER_DEVIATIONS = 4.0  # median deviations beyond which it is a mistake between these two
_MAX_FITS = 6  # rounds in which mistakes are found
_MIN_HOLD = 0.12  # periods; shorter ones are taps


@dataclass(frozen=True)
class Mark:
    """A key that was held while a film played.

    Args:
        pressed, released: when, [s] of the film.
    """

    pressed: float
    released: float


@dataclass(frozen=True)
class Rhythm:
    """Even beats through marks.

    Args:
        period: from a beat to the next, [s].
        beat: when one of them is, in the middle of the marks, where it is surest, [s].
        deviation: deviation of the marks from their beats, root mean square, [s].
        beats: how many beats were marked at least once.
        hold: how long the key was held, [s]; 0 for taps.
    """

    period: float
    beat: float
    deviation: float
    beats: int
    hold: float = 0.0


class Marks:
    """The marks of a film, and a key that is held now."""

    def __init__(self) -> None:
        self.made: list[Mark] = []
        """Those whose key has come up."""
        self._pressed: float | None = None
        self._cached_rhythm: tuple[tuple[Mark, ...], bool, Rhythm | None] = (), False, None

    def press(self, time: float) -> None:
        """Handle a press of the key at a time of the film, [s]."""
        if self._pressed is not None:  # the window lost the keyboard before it came up
            self.release(self._pressed)
        self._pressed = time

    def release(self, time: float) -> None:
        """Handle a release of the key at a time of the film, [s]."""
        if self._pressed is not None:
            self.made.append(Mark(self._pressed, time))
        self._pressed = None

    def rhythm(self, *, held: bool) -> Rhythm | None:
        """Return the rhythm in them, as `rhythm_of` does."""
        marks = tuple(self.made)
        cached_marks, cached_held, rhythm = self._cached_rhythm
        if (cached_marks, cached_held) != (marks, held):
            rhythm = rhythm_of(marks, held=held)
            self._cached_rhythm = marks, held, rhythm
        return rhythm


def tempo_from_marks(times: Sequence[float] | Floats) -> Rhythm | None:
    """Fit evenly spaced beats to marks of which some are missing, doubled or wrong.

    A mark is a time at which a person pressed a key. A first estimate of the frequency is that at
    which the marks are most coherent, that is |Σ exp(2πi f t)| is greatest (the periodogram of a
    point process, Bartlett 1963). Each mark then gets the number of its beat, and a line through
    times over numbers, without marks that are far from it, gives period and phase.

    Args:
        times: times of the marks in any order, shape (N,), [s].

    Returns:
        The rhythm; None for fewer than `FEWEST` marks, or marks without a rhythm.
    """
    marks = np.sort(np.asarray(times, dtype=np.float64))
    span = float(marks[-1] - marks[0]) if len(marks) >= FEWEST else 0.0
    if span <= 0.0:
        return None
    frequency = _mark_frequency(marks, span)
    if frequency is None:
        return None
    period = 1.0 / frequency
    # For marks exactly on beats, all terms of the sum have the phase of the first beat, measured
    # from the first mark. Otherwise the phase of the sum is their mean.
    phase = np.angle(np.exp(2j * np.pi * frequency * (marks - marks[0])).sum())
    first_beat = float(phase / (2 * np.pi * frequency)) + float(marks[0])
    # Fit the line again and again, as the marks that are left out depend on the line before.
    fitted_marks = marks
    for _attempt in range(_MAX_FITS):
        beat_numbers = np.round((marks - first_beat) / period)
        deviations = np.abs(marks - first_beat - beat_numbers * period)
        # A mark is left out if it is farther from its beat than some median deviations. That limit
        # is between two shares of the period: nearer marks are surely right, farther ones wrong.
        allowed = np.clip(
            _OUTLIER_DEVIATIONS * np.median(deviations),
            _MAX_RIGHT_DEVIATION * period,
            _MIN_MISTAKE_DEVIATION * period,
        )
        is_near = deviations < allowed
        # Too few beats are left for a line.
        if len(np.unique(beat_numbers[is_near])) < min(FEWEST, len(marks)) - 1:
            return None
        fitted_marks = marks[is_near]
        period, first_beat = np.polyfit(beat_numbers[is_near], fitted_marks, 1).tolist()
    beat_numbers = np.round((fitted_marks - first_beat) / period)
    deviation = float(np.sqrt(np.mean((fitted_marks - first_beat - beat_numbers * period) ** 2)))
    # The beat in the middle of the marks is the surest: errors of the period grow from there.
    middle_number = float(np.floor(np.median(beat_numbers)))
    middle_beat = first_beat + middle_number * period
    return Rhythm(period, beat=middle_beat, deviation=deviation, beats=len(np.unique(beat_numbers)))


def marked_beats(pattern: Pattern, hands: Sequence[int]) -> tuple[float, float]:
    """Return the coarsest even grid of beats that has all throws a viewer of a film would mark.

    A 2 that is held and a 0, an empty hand, are not seen as throws; they count only if there is
    nothing else.

    Args:
        pattern: pattern that is juggled.
        hands: hands of the first juggler that are marked, 0 left and 1 right; at least one.

    Returns:
        first: the beat of the first of these throws in the loop; 0 if the hands have no throws.
        step: the step of the grid, [beats]: the greatest common divisor of the loop, so that each
            loop has the same grid, and of the distances of all these throws from the first. If the
            hands have no throws, that of hands that throw by turns.
    """
    beat_division = pattern.division  # ticks of a beat; the pattern's times and values are in ticks
    throws_of_hands = [
        throw for throw in pattern.throws if throw.juggler == 0 and throw.hand in hands
    ]
    visible_throws = [
        throw for throw in throws_of_hands if throw.value not in (0, 2 * beat_division)
    ]
    if not throws_of_hands:
        return 0.0, 2.0 / len(hands)  # hands that throw by turns: 2 beats for one, 1 for both
    ticks = sorted(throw.beat for throw in visible_throws or throws_of_hands)
    first_tick = ticks[0]
    step_in_ticks = math.gcd(pattern.period, *(tick - first_tick for tick in ticks))
    return first_tick / beat_division, step_in_ticks / beat_division


def rhythm_of(marks: Sequence[Mark], *, held: bool) -> Rhythm | None:
    """Return the rhythm of the throws, and how long props are held, from marks of a film.

    Args:
        marks: the key presses that a person made while the film played, in any order.
        held: whether the key was held from catch to throw; otherwise it was tapped at throws.

    Returns:
        The rhythm of the throws, and with `held` how long props were held; None if the marks have
        no rhythm.
    """
    rhythm = tempo_from_marks([mark.released if held else mark.pressed for mark in marks])
    if rhythm is None or not held:
        return rhythm
    # A hold is shorter than a period. It is negative if the film began again while the key was
    # down, which says nothing about the throws.
    holds = np.array([mark.released - mark.pressed for mark in marks])
    valid_holds = holds[(holds > 0) & (holds < rhythm.period)]
    median_hold = float(np.median(valid_holds)) if len(valid_holds) else 0.0
    is_tap = median_hold <= _MIN_HOLD * rhythm.period
    return replace(rhythm, hold=0.0 if is_tap else median_hold)


def _mark_frequency(marks: Floats, span: float) -> float | None:
    """Estimate the frequency of marks, [1/s], by the periodogram of a point process.

    The coherence of the marks at a frequency f is |Σ exp(2πi f t)|. It is as great at multiples of
    the true frequency, so the result is the lowest frequency with nearly the greatest coherence.

    Args:
        marks: times in increasing order, shape (N,), [s].
        span: time from the first mark to the last, [s].

    Returns:
        The frequency; None if nearly all marks are at one time.
    """
    intervals = np.diff(marks)
    # A person who presses again so soon has slipped.
    intervals = intervals[intervals > _MIN_MARK_INTERVAL]
    if not len(intervals):
        return None
    # Frequencies are tried in a range around that of the median interval, which doubled and missing
    # marks hardly move. Over the span of the marks, neighbouring trials differ by a small part of a
    # cycle, so that no peak of the coherence is missed.
    low, high = (ratio / float(np.median(intervals)) for ratio in _FREQUENCY_RANGE)
    frequencies = np.linspace(
        max(low, _MIN_MARK_RATE),
        max(high, 2 * _MIN_MARK_RATE),
        int(_TRIALS_PER_CYCLE * span * (high - low)) + 2,
    )
    phases = 2 * np.pi * frequencies[:, None] * (marks - marks[0])  # shape (trials, N), rad
    coherence = np.abs(np.exp(1j * phases).sum(axis=1))
    # The first run of neighbouring trials with nearly the best coherence is the lowest peak.
    coherent_trials = np.flatnonzero(coherence >= _NEARLY_COHERENT * coherence.max())
    run_ends = np.flatnonzero(np.diff(coherent_trials) > 1)
    peak_trials = coherent_trials
    if len(run_ends):
        peak_trials = coherent_trials[: int(run_ends[0]) + 1]
    best_trial = peak_trials[coherence[peak_trials].argmax()]
    return float(frequencies[best_trial])


class FootageView:
    """A film behind, beside or over the animation, and what its card and keys do.

    Args:
        model: model whose clock the film follows, and whose tempo and dwell marks can set.
        library: library whose prompt asks for the path of a film.
    """

    def __init__(self, model: Model, library: LibraryController) -> None:
        """Begin without a film, and let the library open films here.

        Args:
            model: model whose clock the film follows. Marks, times of throws in the film, can set
                its tempo and dwell.
            library: library whose prompt asks for the path of a film.
        """
        self.model = model
        self._library = library
        self.controls = FilmControls(model)
        self.film: Film | None = None
        self.path = Path()
        """Of its file."""
        # s by which the picture that was drawn last is late, as decoding may be slow
        self._delay = 0.0
        self.marks = Marks()
        self._layer: FilmLayer | None = None
        self.clock = FilmClock(model, self.controls)
        library.open_film = self.open
        library.is_film = is_film

    @property
    def is_beside(self) -> bool:
        """Whether the film is shown beside the animation."""
        return self.place == BESIDE

    @property
    def place(self) -> str:
        """Where the film is, a word of `PLACE`; empty without a film."""
        return str(self.controls.value(PLACE)) if self.film else ""

    @property
    def time(self) -> float:
        """The time of the film that is shown now, [s]."""
        return self.clock.time

    @property
    def is_waiting(self) -> bool:
        """Whether the picture of this time is still being decoded, or is not shown yet."""
        return self.film is not None and self.film.is_waiting

    def pixels(self, size: tuple[float, float]) -> Bytes | None:
        """Return the film's picture of this time; None if none is decoded yet.

        Also notes how late that picture is.

        Args:
            size: size at which it is shown, width and height, [pixels].

        Returns:
            RGBA, shape (height, width, 4), 0 to 255, of about that size.
        """
        frame = self.film.frame(self.time, size) if self.film else None
        self._delay = max(self.time - frame.end, 0.0) if frame else 0.0
        return frame.pixels if frame else None

    def draw(self, layout: Layout, area: Viewport) -> None:
        """Draw the film's present picture into an area of the bound framebuffer.

        Args:
            layout: layout of the area, as if it were the whole window. The film fits into
                `layout.film`, the place beside the picture, if it has one, or else into the part
                that no card covers, `layout.free`.
            area: the viewport, [pixels], y upward.
        """
        from juggle_anim.render.backdrop import FilmLayer

        if self.film is None:
            return
        free = layout.film or layout.free
        # In stereo, the picture of one eye is narrower than its part of the window.
        if area.width < layout.width and layout.film is None:
            free = replace(free, left=0.0, width=area.width)
        rectangle = self.controls.placed(free, self.film.size)
        pixels = self.pixels(rectangle.size)
        if pixels is None:
            return
        # OpenGL counts rows from the lower edge, layouts from the upper one.
        film_place = Viewport(
            round(area.left + rectangle.left),
            round(area.bottom + layout.height - rectangle.bottom),
            max(round(rectangle.width), 1),
            max(round(rectangle.height), 1),
        )
        self._layer = self._layer or FilmLayer()
        self._layer.draw(pixels, film_place, area, self.controls.number(OPACITY) / 100.0)

    def open(self, text: str) -> None:
        """Show a film from its beginning, while the pattern goes on; the film before is closed.

        Opens the card with the controls of the film, and resets them.

        Args:
            text: path of the file; ~ is the home folder.

        Raises:
            ViewerError: there is no such file, or it is no film that can be read.
        """
        path = home_path(text)
        if not path.is_file():
            raise ViewerError(
                _("{text} is a folder; type the path of a video", text=text)
                if path.exists()
                else _("{text} does not exist; type the path of a video", text=text)
            )
        # It is opened before the present film is closed, so that this one stays if the new one
        # cannot be read.
        film = Film(path)
        self.remove()
        self.film = film
        self.path = path
        # The range of the control of the start depends on the duration of the film, [s]. The film
        # begins with the present loop of the animation.
        self.controls.begin(film.duration)
        self.clock.begin(film.duration)
        self.controls.entry.cancel()
        self.model.cards.open(FOOTAGE)

    def take_files(self, paths: Sequence[str]) -> bool:
        """Show a film that was dropped on the window; return whether it was one.

        A film that this program exported contains its pattern, and is left to be opened as that,
        unless the card of films is shown. Errors are shown to the user.

        Args:
            paths: paths or addresses of the dropped files; several at once are no film.
        """
        path = local_path(paths[0]) if len(paths) == 1 else ""
        if not is_film(path, ours=self.model.cards.panel == FOOTAGE):
            return False
        try:
            self.open(path)
        except ViewerError as error:
            self.model.show_error(error)
        return True

    def remove(self) -> None:
        """Take the film away, and its marks."""
        if self.film:
            self.film.close()
        self.film = None
        self.path = Path()
        self.marks = Marks()
        self.clock.end()

    def close(self) -> None:
        """Release everything; the OpenGL context of the window must be current."""
        self.remove()
        if self._layer:
            self._layer.close()

    def forget_layer(self) -> None:
        """Redraw from now on: OpenGL has lost what was loaded into it."""
        self._layer = None

    def go_to(self, time: float) -> None:
        """Go to a time of the film, [s], and to what the animation does then."""
        if self.film:
            self.clock.go_to(time)

    def synchronize(self) -> None:
        """Keep the film in step with jumps of the animation's clock and changes of its speed."""
        if self.film:
            self.clock.synchronize()

    @property
    def rhythm(self) -> Rhythm | None:
        """The rhythm of the marks; None if there are too few."""
        return self.marks.rhythm(held=self.controls.value(MARKS) != THROWS)

    @property
    def pace(self) -> Pace | None:
        """The tempo and the dwell that the marks give; None if there are too few marks.

        A mark is a time in the film at which a hand throws, or a span in which it holds a prop. The
        tempo is in [beats/s] of the animation, and the dwell in [beats], both within the ranges of
        their parameters. If the marks give no dwell, it is the present one.
        """
        rhythm = self.rhythm
        if rhythm is None:
            return None
        bps_parameter = quantity_named("bps")
        dwell_parameter = quantity_named("dwell")
        _first_beat, beats_per_mark = self._marked_beats
        beat_duration = rhythm.period / beats_per_mark  # s of the film
        present_dwell = self.model.animation.parameters.dwell
        marked_dwell = rhythm.hold / beat_duration if rhythm.hold else present_dwell  # beats
        # The film runs `speed` times as fast as the animation.
        tempo = self.clock.speed / beat_duration
        return (
            round(min(max(tempo, bps_parameter.low), bps_parameter.high), 4),
            round(min(max(marked_dwell, dwell_parameter.low), dwell_parameter.high), 2),
        )

    @property
    def rhythm_text(self) -> str:
        """The tempo, dwell and deviation that the marks give, in words for the user."""
        mark_count = len(self.marks.made)
        if not mark_count:
            return _("No marks yet")
        pace = self.pace
        rhythm = self.rhythm
        if pace is None or rhythm is None:
            return _("{marks}; add more to get the tempo", marks=counted(mark_count, "mark"))
        tempo, dwell = pace  # beats/s, beats
        # Marks that were only tapped have no hold, and so no dwell.
        dwell_text = _(", dwell {pace:.2f}", pace=dwell) if rhythm.hold else ""
        return _(
            "{count} marks: {pace:.2f} beats/s{dwell}, ±{deviation:.0f} ms",
            count=mark_count,
            pace=tempo,
            dwell=dwell_text,
            deviation=1000 * rhythm.deviation,
        )

    def press(self) -> None:
        """Handle a press of the key of marks."""
        if self._has_film():
            self.marks.press(self.time - self._delay)

    def release(self) -> None:
        """Handle a release of the key of marks."""
        self.marks.release(self.time - self._delay)
        if not self.model.cards.is_visible(FOOTAGE):  # the card would show it
            self.model.notice.say(self.rhythm_text)

    def unmark(self) -> None:
        """Take the last mark away."""
        if self.marks.made:
            self.marks.made.pop()
        else:
            self.model.notice.say(_("No marks to remove"))

    def use(self) -> None:
        """Set the pattern's tempo and dwell to those of the marks, and align throws with the marks.

        A mark is a time in the film at which a person saw a throw. The change is one undo step. If
        it is impossible, a notice says why.
        """
        if not self._has_film():
            return
        pace = self.pace
        rhythm = self.rhythm
        model = self.model
        if pace is None or rhythm is None:
            model.notice.say(
                _(
                    "Mark some throws first: press {key} while the video plays",
                    key=caption(Action.MARK_BEAT),
                ),
                bad=True,
            )
            return
        if model.animation.pattern is None:
            model.notice.say(_("Marks cannot change timed events"), bad=True)
            return
        # The change of the tempo makes the animation's clock jump. The film is synchronised before
        # and after it, so that no other jump is mixed with this one.
        self.synchronize()
        pace_before = self.clock.pace
        start_before = self.controls.number(START)
        tempo, dwell = pace
        with model.undo.own_step():
            model.change(lambda animation: animation.replace(bps=tempo, dwell=dwell), "film")
        if model.error:
            model.notice.say(_("Not used: {error}", error=model.error), bad=True)
            return
        self.synchronize()
        # A repeating film stays in step only if it repeats after whole loops.
        if self.controls.value(END) == LOOP:
            self.controls.set_value(END, IN_STEP)
        first_beat, _beats_per_mark = self._marked_beats
        self.clock.align(rhythm, first_beat)
        self.clock.note_use(pace_before, start_before)
        model.notice.say(
            _(
                "{pace:.2f} beats/s, dwell {pace2:.2f}. {key} to undo",
                pace=tempo,
                pace2=dwell,
                key=caption(Action.UNDO),
            )
        )

    def shift(self) -> None:
        """Let the film run a beat ahead, so that the other hand throws with it."""
        if self._has_film():
            self.clock.shift(1.0 / self.model.animation.choreography.bps)

    @property
    def _marked_beats(self) -> tuple[float, float]:
        """The first beat on which the marked hands throw, and the beats from a mark to the next."""
        marked = self.controls.value(MARKS)
        hands = {LEFT_HAND: (0,), RIGHT_HAND: (1,)}.get(str(marked), (0, 1))
        pattern = self.model.animation.pattern
        return marked_beats(pattern, hands) if pattern else (0.0, 2.0 / len(hands))

    def _has_film(self) -> bool:
        """Return whether there is a film; if not, a notice says how to open one."""
        if self.film is not None:
            return True
        self.model.notice.say(
            _(
                "No video yet: drop one here, or press {key} to open one",
                key=caption(Action.FOOTAGE),
            ),
            bad=True,
        )
        return False

    def toggle(self) -> None:
        """Show the card, or hide it; the film stays."""
        self.model.cards.toggle(FOOTAGE)
        self.controls.entry.cancel()

    def take_away(self) -> None:
        """Take the film away, as a key does."""
        if self._has_film():
            self.remove()
            self.model.notice.say(_("Video removed"))

    @property
    def actions(self) -> Handlers:
        """What keys do wherever they are pressed."""
        return {
            Action.FOOTAGE: self.toggle,
            Action.REMOVE_FILM: self.take_away,
            Action.MARK_BEAT: self.press,
            Action.UNMARK: self.unmark,
            Action.USE_MARKS: self.use,
            Action.SHIFT_BEAT: self.shift,
        }

    @property
    def card_actions(self) -> Handlers:
        """What keys do while its card takes them."""
        ask = partial(self._library.prompt.ask, Purpose.FILM, "")
        return {Action.OPEN_FILE: ask, Action.BACK: self.toggle, **self.controls.actions}


MEMORY = 64 << 20
"""How much the decoded pictures of a film take at most, [bytes]."""

_BYTES_PER_PIXEL = 4  # RGBA
_MIN_FRAMES_KEPT = 4  # pictures
_MAX_FRAMES_KEPT = 48
_SEEK_DISTANCE = 1.0  # s; a farther picture is looked for from the key frame before it
_MAX_DELAY = 0.4  # s behind at which decoding goes on from a later key frame
_MAX_WAIT = 0.1  # s after which a late picture is shown rather than none
_PRIORITY_DROP = 5  # how far the priority of decoding is below that of pictures
_SIZE_STEP = math.sqrt(2.0)  # from one size of decoded pictures to the next
_BEHIND_WEIGHT = 3.0  # of pictures that were shown already, which are dropped first


@dataclass(frozen=True, eq=False)
class FilmFrame:
    """A picture of a film.

    Args:
        start: when it is shown, [s] since the first picture.
        end: when the next one is shown, [s]; infinite for the last picture.
        pixels: shape (height, width, 4), red, green, blue and alpha, top row first.
    """

    start: float
    end: float
    pixels: Bytes


class Film:
    """A film that can be seen at any time, forward, backward and after jumps.

    Decoding begins at the key frame before a picture. Pictures are made in about the size in which
    they are shown, some of them ahead; the rest of `MEMORY` keeps those before.

    Args:
        path: path of a file of any format that FFmpeg reads.

    Raises:
        ViewerError: the file cannot be opened, holds no pictures, or the first is broken.
    """

    def __init__(self, path: Path) -> None:
        """Start the decoding thread, and wait until it has opened the file.

        Args:
            path: path of a file of any format that FFmpeg reads.

        Raises:
            ViewerError: the file cannot be opened, holds no pictures, or the first is broken.
        """
        self._changed = threading.Condition()  # guards all that follows
        # The decoder, or why there is none; None until the thread has tried to open the file.
        self._opened: FilmDecoder | ViewerError | None = None
        self._frames: list[FilmFrame] = []  # decoded pictures in order of time
        self._latest: FilmFrame | None = None  # the picture shown last, perhaps in another size
        self._time = 0.0  # s, the time that was requested last
        self._backwards = False  # whether requested times go back
        # Width and height of decoded pictures, [pixels]; 0 before a request.
        self._decoded_size = (0, 0)
        self._jumped = False  # whether a far time was requested since the thread looked last
        self._closed = False
        self._thread = threading.Thread(target=self._run, args=(path,), name="film", daemon=True)
        self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._opened is not None)
        if isinstance(self._opened, ViewerError):
            raise self._opened
        assert self._opened
        self.size: tuple[int, int] = self._opened.size
        """Width and height, turned and stretched as it is to be shown, [pixels]."""
        self.duration: float = self._opened.duration
        """Of all pictures, [s]."""
        self.interval: float = self._opened.interval
        """The mean time between pictures, [s]."""

    def frame(self, time: float, size: tuple[float, float], wait: float = 0.0) -> FilmFrame | None:
        """Return the picture at a time, or the nearest decoded one before; requests the right one.

        Args:
            time: time of the film, [s].
            size: size at which it is shown, width and height, [pixels]. If it changes much, all
                pictures are decoded again.
            wait: how long to wait at most until the right one is decoded, [s].

        Returns:
            The picture; None before any has been decoded.
        """
        with self._changed:
            self._request(time, decoded_size(self.size, size))
            if wait:
                self._changed.wait_for(lambda: not self._is_decoding, wait)
            if self._frames:
                # If all decoded pictures are later (index −1), the first of them.
                self._latest = self._frames[max(self._frame_index(time), 0)]
            return self._latest

    @property
    def is_waiting(self) -> bool:
        """Whether the last requested picture is still being decoded, or is not shown yet."""
        with self._changed:
            if self._covers(self._time):
                return self._latest is not self._frames[self._frame_index(self._time)]
            return self._is_decoding

    @property
    def _is_decoding(self) -> bool:
        return self._thread.is_alive() and not self._covers(self._time)

    @property
    def memory(self) -> int:
        """How much the decoded pictures take now, [bytes]."""
        with self._changed:
            return sum(frame.pixels.nbytes for frame in self._frames)

    def close(self) -> None:
        """End the thread, and let go of the file."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(5.0)
        self._frames = []
        self._latest = None

    def _request(self, time: float, size: tuple[int, int]) -> None:
        if size != self._decoded_size:
            self._frames.clear()
            self._decoded_size = size
            self._jumped = True
        elif time == self._time:
            return
        self._backwards = time < self._time and self._time - time < _SEEK_DISTANCE
        self._jumped |= abs(time - self._time) > _SEEK_DISTANCE
        self._time = time
        self._changed.notify_all()

    def _frame_index(self, time: float) -> int:
        """Return the index of the last picture that begins at a time or before, −1 for none."""
        return bisect_right(self._frames, time, key=lambda frame: frame.start) - 1

    def _covers(self, time: float) -> bool:
        index = self._frame_index(time)
        return index >= 0 and time < self._frames[index].end

    @property
    def _max_frames(self) -> int:
        """How many pictures may be kept."""
        width, height = self._decoded_size
        frame_bytes = _BYTES_PER_PIXEL * max(width * height, 1)
        return min(max(MEMORY // frame_bytes, _MIN_FRAMES_KEPT), _MAX_FRAMES_KEPT)

    def _first_missing_time(self) -> float | None:
        """Return the first time at which a needed picture is not decoded yet, [s].

        While the film plays forward, half as many pictures as can be kept are needed from the
        present on. While it plays backward, as many before the present are decoded at once, since
        decoding goes forward, as soon as fewer than two before the present one are left.

        Returns:
            The time; None if all needed pictures are decoded.
        """
        # No picture has been requested yet.
        if not self._decoded_size[0]:
            return None
        ahead_count = self._max_frames // 2  # pictures that are decoded in advance
        if not self._backwards:
            return self._first_gap(self._time, ahead_count)
        # Backward, and the present picture is missing: the run of pictures up to it.
        if not self._covers(self._time):
            run_start = max(self._time - ahead_count * self.interval, 0.0)
            return self._first_gap(run_start, _MAX_FRAMES_KEPT, self._time)
        # The earliest picture from which there is no gap up to the present one.
        present_index = self._frame_index(self._time)
        earliest_index = present_index
        while (
            earliest_index > 0
            and self._frames[earliest_index - 1].end == self._frames[earliest_index].start
        ):
            earliest_index -= 1
        earliest = self._frames[earliest_index].start
        # Two pictures before the present one are enough; before the start there is none.
        if present_index - earliest_index >= 2 or earliest <= 0.0:
            return None
        run_start = max(earliest - ahead_count * self.interval, 0.0)
        # Just before the earliest picture, which is decoded.
        return self._first_gap(run_start, _MAX_FRAMES_KEPT, earliest - 1e-6)

    def _first_gap(self, time: float, count: int, last: float = math.inf) -> float | None:
        """Return the first time from a given one on at which no picture of the film is stored.

        Args:
            time: where to begin, [s].
            count: how many stored pictures in a row are looked at, at most.
            last: time up to which gaps count, [s].

        Returns:
            The time, [s]; None if there is no gap.
        """
        for _round in range(count):
            if time > last or time == math.inf:  # the last picture of the film ends at infinity
                return None
            index = self._frame_index(time)
            if index < 0 or time >= self._frames[index].end:
                return time
            time = self._frames[index].end
        return None

    def _run(self, path: Path) -> None:
        """Body of the decoding thread: open the film, and decode until it is closed.

        `_opened` becomes the decoder, or the error for which there is none.

        Args:
            path: path of the film.
        """
        # Lower the priority of this thread, and of those that the decoder starts, since the
        # animation comes first. Only Linux knows priorities of threads; a higher "nice" value runs
        # later.
        with contextlib.suppress(AttributeError, OSError):
            thread = threading.get_native_id()
            niceness = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, niceness + _PRIORITY_DROP)
        # What remains if another error than a `ViewerError` ends the thread.
        opened: FilmDecoder | ViewerError = ViewerError(
            _("cannot read a video from {name}", name=path.name)
        )
        try:
            opened = FilmDecoder(path)
        except ViewerError as error:
            opened = error
        finally:
            # The constructor waits on this condition, also if opening fails.
            with self._changed:
                self._opened = opened
                self._changed.notify_all()
        if isinstance(opened, FilmDecoder):
            with contextlib.closing(opened):
                self._decode_missing(opened)

    def _decode_missing(self, decoder: FilmDecoder) -> None:
        """Decode missing pictures one after another, until the film is closed; runs in a thread.

        Pictures between the position of the decoder and the missing one have to be decoded, too.
        They are kept only if no other picture has been kept for a while, so that the film is seen
        to move.

        Args:
            decoder: decoder of the film, used by this thread alone.
        """
        last_kept_at = 0.0  # s, of the monotonic clock
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: self._closed or self._first_missing_time() is not None
                )
                # Read together, as other threads change them: the time of the next picture that
                # is wanted, [s], the size of pictures, width and height in [pixels], and whether
                # the film has jumped.
                missing_time = self._first_missing_time()
                size = self._decoded_size
                jumped = self._jumped
                self._jumped = False
            # The wait ends without a missing picture only when the film is closed.
            if self._closed or missing_time is None:
                return
            # Decoding can begin only at a key frame. Seek to a missing picture that is behind; to
            # one far ahead after a jump; and to one more than `_MAX_DELAY` ahead if there is a key
            # frame between the decoder and it. Otherwise decode the next picture.
            distance = missing_time - decoder.start  # s
            if (
                distance < 0
                or (jumped and distance > _SEEK_DISTANCE)
                or (distance > _MAX_DELAY and decoder.has_key_frame(missing_time))
            ):
                decoder.seek(missing_time)
            # When the next picture begins and ends, [s]. At the end of the film it is the last one
            # again, whose end is infinite.
            picture_start, raw, picture_end = decoder.next()
            now = time.monotonic()
            if picture_end > missing_time or now - last_kept_at > _MAX_WAIT:
                last_kept_at = now
                pixels = decoder.pixels(raw, size)
                self._keep(FilmFrame(picture_start, picture_end, pixels), size)

    def _keep(self, frame: FilmFrame, size: tuple[int, int]) -> None:
        """Add a decoded picture to the cache, and drop those that are farthest from the shown one.

        Args:
            frame: the picture; it replaces one with the same start time.
            size: width and height of the picture, [pixels].
        """
        with self._changed:
            if size != self._decoded_size:  # another size has been requested meanwhile
                return
            other_frames = [known for known in self._frames if known.start != frame.start]
            self._frames = sorted([*other_frames, frame], key=lambda known: known.start)
            while len(self._frames) > self._max_frames:
                self._frames.remove(max(self._frames, key=self._distance_from_shown))
            self._changed.notify_all()

    def _distance_from_shown(self, frame: FilmFrame) -> float:
        """Return the distance of a picture from what is shown, [s]; weighted if it is behind it."""
        ahead = frame.start - self._time
        is_behind = (ahead < 0) != self._backwards
        return abs(ahead) * (_BEHIND_WEIGHT if is_behind else 1.0)


def decoded_size(film: tuple[int, int], shown: tuple[float, float]) -> tuple[int, int]:
    """Return the size at which pictures of a film are decoded, width and height, [pixels].

    The size of the film is divided by √2 as long as the result is not smaller than the size shown.
    The steps are coarse so that small changes of the window do not decode the pictures again. The
    size is divided further if `MEMORY` has no room for a few pictures.

    Args:
        film: width and height of the film, [pixels].
        shown: width and height at which it is shown, [pixels].
    """
    width, height = film
    shown_width, shown_height = shown
    # The least scale at which nothing is lost; its own limit avoids a division by 0.
    least_scale = max(shown_width / width, shown_height / height, 1e-4)
    # Whole steps from 1 down to the least scale, with a tolerance for rounding. The number is
    # negative if the film is shown enlarged: it is decoded in its own size then.
    step_count = math.floor(math.log(1.0 / least_scale, _SIZE_STEP) + 1e-9)
    scale = 1.0 / _SIZE_STEP ** max(step_count, 0)
    while _MIN_FRAMES_KEPT * _BYTES_PER_PIXEL * width * height * scale**2 > MEMORY:
        scale /= _SIZE_STEP
    return max(round(width * scale), 1), max(round(height * scale), 1)


_SEEK_MARGINS = 0.0, 1.0, 10.0  # s; a key frame may be shown later than its place in the file says
_MAX_THREADS = 4
_DEFAULT_FRAME_RATE = 25.0  # pictures/s, where a file says nothing


class FilmDecoder:
    """Decodes the pictures of a file one after another; each ends where the next one begins.

    Times count from the first picture, [s].
    """

    def __init__(self, path: Path) -> None:
        """Open a file and decode its first picture, from which times count.

        Args:
            path: path of a file of any format that FFmpeg reads.

        Raises:
            ViewerError: the file cannot be opened, holds no pictures, or the first is broken.
        """
        import av
        from av.video.reformatter import VideoReformatter

        self._path = path
        self._scaler = VideoReformatter()
        self._errors = av.error.FFmpegError, OSError, ValueError, EOFError
        self._origin = 0.0
        self._pictures: Iterator[Any] = iter(())
        self.start = 0.0
        """When the next picture to be returned begins, [s]."""
        try:
            self._open()
            raw = next(self._pictures, None)
        except self._errors as error:
            # What FFmpeg or the system says, else the words of the error.
            reason = getattr(error, "strerror", None) or one_line(error)
            raise ViewerError(
                _("cannot read a video from {name}: {reason}", name=path.name, reason=reason)
            ) from error
        if raw is None:
            self.close()
            raise ViewerError(_("cannot read {name}; choose a video or GIF", name=path.name))
        # The decoded picture that is to be returned next.
        self._raw = raw
        rate = self._stream.average_rate or self._stream.guessed_rate or _DEFAULT_FRAME_RATE
        self.interval = 1.0 / float(rate)
        self._origin = self._time(raw)
        # Size as shown: files of phones say by how many quarter turns pictures are turned, and
        # pixels of the file need not be square.
        self._turns = round(raw.rotation / 90) % 4
        aspect = float(self._stream.sample_aspect_ratio or 1)
        width = max(round(raw.width * aspect), 1)
        height = raw.height
        self.size = (height, width) if self._turns % 2 else (width, height)
        self.duration = max(self._duration(), self.interval)

    def next(self) -> tuple[float, Any, float]:
        """Return the next picture, and decode the one after it; at the end the last one again.

        Returns:
            start: when the picture begins, [s] of the film.
            raw: the picture of the decoder.
            end: when it ends, which is when the one after it begins, [s]; infinite for the last
                one.
        """
        start = self.start
        raw = self._raw
        for raw_after in self._pictures:
            end = self._time(raw_after)
            # Broken files may have pictures out of order; they are left out.
            if end > start:
                self.start = end
                self._raw = raw_after
                return start, raw, end
        return start, raw, math.inf

    def seek(self, time: float) -> None:
        """Seek to a key frame at a time or before; to the first picture if none is found.

        Films can be decoded only from a key frame on, a picture that is stored completely. The
        picture there becomes the next one. If the file can no longer be read, nothing changes.

        Args:
            time: time of the film, [s].
        """
        picture = None
        with contextlib.suppress(*self._errors):
            # A key frame may be shown later than its place in the file says, so that a seek may end
            # too late. Then it is tried again, more seconds before the wanted time.
            for margin in _SEEK_MARGINS:
                self._container.seek(self._file_timestamp(time - margin), stream=self._stream)
                self._pictures = self._decode()
                picture = next(self._pictures, None)
                if picture is None or self._time(picture) <= time:
                    break
        # Where no seek ends early enough: from the first picture again.
        if picture is None or self._time(picture) > time:
            picture = self._restart()
        if picture is not None:
            self.start = max(self._time(picture), 0.0)
            self._raw = picture

    def has_key_frame(self, until: float) -> bool:
        """Return whether a key frame is known between the next picture and a time, [s]."""
        entries = self._stream.index_entries
        index = entries.search_timestamp(self._file_timestamp(until))
        return bool(
            index >= 0
            and entries[index].timestamp > self._file_timestamp(self.start + self.interval)
        )

    def _file_timestamp(self, time: float) -> int:
        """Return a time, [s], in the units of the file."""
        return int((max(time, 0.0) + self._origin) / self._stream.time_base)

    def pixels(self, raw: Any, size: tuple[int, int]) -> Bytes:
        """Convert a decoded picture to RGBA of a size, turned as it is to be shown.

        Args:
            raw: picture of the decoder.
            size: width and height as shown, [pixels].

        Returns:
            Shape (height, width, 4); transparent black if it cannot be converted.
        """
        # Pictures are scaled first, and then turned by quarter turns: an odd number of these
        # exchanges width and height.
        width, height = size[::-1] if self._turns % 2 else size
        try:
            pixels: Any = self._scaler.reformat(
                raw, width, height, "rgba", interpolation="BILINEAR"
            ).to_ndarray()
        except self._errors:  # of a size or a format that cannot be converted
            pixels = np.zeros((height, width, 4), dtype=np.uint8)
        return np.ascontiguousarray(np.rot90(pixels, self._turns))

    def close(self) -> None:
        """Let go of the file."""
        self._pictures = iter(())
        self._container.close()

    def _open(self) -> None:
        """Open the file at its first video stream; without one there are no pictures.

        Raises:
            FFmpegError, OSError, ValueError: the file cannot be opened.
        """
        import av

        # A file may be a list of other files; these must not be fetched from the network.
        self._container: Any = av.open(str(self._path), options={"protocol_whitelist": "file"})
        # The cover picture of an album is a video stream, too.
        cover_flag = av.stream.Disposition.attached_pic
        streams = [
            stream
            for stream in self._container.streams.video
            if not stream.disposition & cover_flag
        ]
        if not streams:
            self._pictures = iter(())
            return
        self._stream: Any = streams[0]
        self._stream.thread_type = "AUTO"
        self._stream.codec_context.thread_count = min(os.cpu_count() or 1, _MAX_THREADS)
        self._pictures = self._decode()

    def _restart(self) -> Any:
        """Open the file again, and return its first picture; None if that fails."""
        try:
            self.close()
            self._open()
            return next(self._pictures, None)
        except self._errors:
            self._pictures = iter(())
            return None

    def _decode(self) -> Iterator[Any]:
        """Yield the decoded pictures in order, up to the end or a break of the file."""
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets)
            except (StopIteration, *self._errors):
                # A file that was cut off ends with its last good picture.
                return
            # A broken part is left out.
            with contextlib.suppress(*self._errors):
                yield from packet.decode()

    def _time(self, raw: Any) -> float:
        """Return the time at which a decoded picture is shown, [s] from the first picture.

        Where the file does not say it, the picture comes one mean interval after the one before.
        """
        # The time stamp of presentation, or else that of decoding, in units of `time_base`, [s].
        timestamp = raw.pts if raw.pts is not None else raw.dts
        if timestamp is None:
            return self.start + self.interval
        return float(timestamp * raw.time_base) - self._origin

    def _duration(self) -> float:
        """Return the duration of the film, [s]: as the file says, or the end of its last picture.

        0 if it can neither be told nor read.
        """
        if self._stream.duration:  # in units of the stream's time base, [s]
            return float(self._stream.duration * self._stream.time_base)
        if self._container.duration:
            return float(self._container.duration / 1e6)  # from µs
        import av

        last_end = 0.0
        # The file is opened again, as reading packets would move the decoder.
        with contextlib.suppress(*self._errors), av.open(str(self._path)) as container:
            for packet in container.demux(video=0):
                # When the packet's picture is shown, in units of the time base, [s].
                if packet.pts is not None:
                    end = float((packet.pts + (packet.duration or 0)) * packet.time_base)
                    last_end = max(last_end, end - self._origin)
        return last_end
