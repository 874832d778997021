"""The controls of a film: where it is, how large and how fast, and what is marked; and its clock.

The time of a film goes along with the clock of the animation, also where that clock jumps.

Marks that a person sets while a film plays, and the rhythm in them: tempo, phase and dwell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.language import replaced
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import Choice, Group, Quantity, Row, Stage
from juggle_anim.pattern import Pattern
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.panel import values
from juggle_anim.viewer.panel.values import ValueEntry
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.undo import Undo

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
"""Tempo and dwell."""


def _quantity(
    label: str,
    unit: str,
    bounds: tuple[float, float],
    step: float,
    default: float,
    about: str,
    slider: tuple[float, float] | None = None,
) -> Quantity:
    """Create a numeric control of the film.

    Args:
        label: label that users see, which also gives its name.
        unit: unit of its values.
        bounds: least and greatest value.
        step: step of keys.
        default: at first.
        about: what users are told of it.
        slider: range of its slider, if not all values.
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


def _choice_of(label: str, options: tuple[str, ...], about: str) -> Choice:
    """Return a setting of a film beside the picture, which has a few options.

    Args:
        label: its name on the card; unique among settings of films.
        options: its values; the first is the default.
        about: text of its tooltip.
    """
    name = f"film {label}"
    return Choice(
        name=name,
        key=name,
        label=label,
        options=options,
        default=options[0],
        stage=Stage.CLOCK,
        group=Group.LOOK,
        help=about,
    )


PLACE = _choice_of(
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
SIZE = _quantity("Size", "%", (5.0, 1000.0), 5.0, 100.0, "100 % fits the picture", (20.0, 300.0))
ACROSS = _quantity("Across", "%", (-200.0, 200.0), 1.0, 0.0, "Distance right of the centre")
UP = _quantity("Up", "%", (-200.0, 200.0), 1.0, 0.0, "Distance above the centre")
END = _choice_of(
    "At the end",
    (LOOP, IN_STEP, STAY),
    "What happens at the end: repeat, repeat in step with the pattern's loops, or stop",
)
MARKS = _choice_of(
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
        self._values: dict[str, float | str] = {}

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

    def value(self, row: Row) -> float | str:
        """Return the value of a control."""
        return self._values.get(row.name, self._default(row))

    def number(self, quantity: Quantity) -> float:
        """Return the value of a control that is a number."""
        return float(self.value(quantity))

    @property
    def changed(self) -> dict[str, float | str]:
        """The values of controls that were set, by name, as `restore` takes them."""
        return dict(self._values)

    def restore(self, changed: Mapping[str, float | str]) -> None:
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

    def set_value(self, row: Row, value: float | str | None) -> None:
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
    def actions(self) -> dict[Action, Callable[[], None]]:
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
        """Place the film in the window: at a size of 100 % it fits into the free part.

        Args:
            free: the free part, [pixels].
            film: width and height of the film, [pixels].
        """
        scale = min(free.width / film[0], free.height / film[1]) * self.number(SIZE) / 100.0
        width = film[0] * scale
        height = film[1] * scale
        left = free.left + (free.width - width) / 2 + free.width * self.number(ACROSS) / 100.0
        top = free.top + (free.height - height) / 2 - free.height * self.number(UP) / 100.0
        return Rectangle(left, top, width, height)

    def _default(self, row: Row) -> float | str:
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

        After its end the film stays at its last picture, begins again, or, in step, is cut to whole
        loops of the animation first.
        """
        duration = self.duration
        running = self._running  # as if the film had no end
        if self._controls.value(END) == STAY:
            return min(max(running, 0.0), duration)
        # One loop of the animation lasts so long in the film; a shorter film begins again early.
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
        return self._controls.number(START) + self.speed * (
            self._model.playback.clock - self._origin
        )

    def go_to(self, time: float) -> None:
        """Go to a time of the film, [s], and to what the animation does then."""
        playback = self._model.playback
        seconds = (min(max(time, 0.0), self.duration) - self.time) / self.speed
        # Not back before this pattern, but to the same place of a later loop.
        whole = math.ceil(max(-playback.time - seconds, 0.0) / self._loop) * self._loop
        self._origin += whole
        playback.time += seconds + whole
        self._clock = playback.clock

    def synchronize(self) -> None:
        """Synchronise the film with jumps of the clock and changes of speed; called in each frame.

        Changes the origin of the film, and after undo or redo of used marks also the control
        `START`.
        """
        clock = self._model.playback.clock
        loop = self._model.animation.choreography.duration
        speed = self.speed
        start = self._controls.number(START)
        # Tempo and dwell of the pattern as they are now.
        present_pace = self.pace
        passed = clock - self._clock
        if loop != self._loop or passed < -loop:
            # The loop has changed, or the clock went back by more than a loop. The clock may have
            # run on (in a transition), been scaled to keep the phase (with another tempo), or
            # restarted (by a cut). Without the right jump, the time that has passed is that of one
            # frame, at most `_MAX_CLOCK_STEP`, [s]. The origin of the film jumps by the same time.
            scaled = (self._clock - self._model.playback.base) * (loop / self._loop - 1.0)
            jump = min(0.0, scaled, key=lambda jump: abs(passed - jump))
            self._origin += jump if abs(passed - jump) < _MAX_CLOCK_STEP else passed
        self._clock = clock
        self._loop = loop
        # With another speed, the film continues from its present time.
        self.speed = self._controls.number(SPEED)
        self._origin = clock - (clock - self._origin) * speed / self.speed
        # Undo and redo of a use of marks change the pace (tempo and dwell): if the pace is the one
        # before or after the use, but the start of the film is the other one, change the start.
        for use in self._uses_of_marks:
            for pace, left_start, wanted_start in (
                (use.pace_before, use.start_after, use.start_before),  # undone
                (use.pace_after, use.start_before, use.start_after),  # redone
            ):
                if present_pace == pace and start == left_start != wanted_start:
                    self._origin += (wanted_start - left_start) / self.speed
                    start = wanted_start
                    self._controls.set_value(START, wanted_start)

    def shift(self, seconds: float) -> None:
        """Let the film run ahead by some time of the clock, [s]."""
        self._origin -= seconds

    def align(self, rhythm: Rhythm, beat: float) -> None:
        """Shift the film by less than a cycle, so that throws of the pattern coincide with marks.

        Args:
            rhythm: rhythm of the marks.
            beat: the first beat on which the marked hands throw.
        """
        # The first mark of the film, a throw on the clock, and the time from throw to throw. Times
        # of the film, [s of the film], and of the clock, [s].
        first = rhythm.beat % rhythm.period
        running = self._running
        thrown = self._model.playback.base + beat / self._model.animation.choreography.bps
        cycle = rhythm.period / self.speed
        # The film begins with the first mark, at the throw nearest to where it is now.
        wanted = self._clock - (running - first) / self.speed
        self._origin = thrown + round((wanted - thrown) / cycle) * cycle
        self._controls.set_value(START, first)

    def note_use(self, before: Pace, start: float) -> None:
        """Remember film and pattern before and after marks were used, for undo and redo.

        Args:
            before: the pace before.
            start: start of the film before, [s].
        """
        self._uses_of_marks.append(
            _MarksUse(
                pace_before=before,
                start_before=start,
                pace_after=self.pace,
                start_after=self._controls.number(START),
            )
        )


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
    """Fit even beats to marks of which some are missing, doubled or wrong.

    The period is the lowest frequency near that of the median step at which the marks are nearly as
    coherent, |Σ exp(2πi f t)|, as at the best one (the periodogram of a point process, Bartlett
    1963). Each mark then has the number of its beat, and a line through times over numbers, without
    marks that are far from it, gives period and phase.

    Args:
        times: times of the marks in any order, shape (N,), [s].

    Returns:
        The rhythm; None for fewer than `FEWEST` marks, or marks without one.
    """
    marks = np.sort(np.asarray(times, dtype=np.float64))
    span = float(marks[-1] - marks[0]) if len(marks) >= FEWEST else 0.0
    if span <= 0.0:
        return None
    frequency = _mark_frequency(marks, span)
    if frequency is None:
        return None
    period = 1.0 / frequency
    # A beat near the first mark, by the phase of the sum.
    first_beat = float(
        np.angle(np.exp(2j * np.pi * frequency * (marks - marks[0])).sum())
        / (2 * np.pi * frequency)
    )
    first_beat += float(marks[0])
    # Fit a line through times over numbers of beats, without marks far from it, again and again.
    fitted_marks = marks
    for _ in range(_MAX_FITS):
        beat_numbers = np.round((marks - first_beat) / period)
        deviations = np.abs(marks - first_beat - beat_numbers * period)
        # Surely right below a share of the period, surely wrong above another. In between, what
        # counts is how far the other marks are from their beats. A mark is a mistake if it is off
        # by `_OUTLIER_DEVIATIONS` median deviations, and by `_MIN_MISTAKE_DEVIATION` periods at
        # least.
        allowed = np.clip(
            _OUTLIER_DEVIATIONS * np.median(deviations),
            _MAX_RIGHT_DEVIATION * period,
            _MIN_MISTAKE_DEVIATION * period,
        )
        near = deviations < allowed
        # Too few beats are left for a line.
        if len(np.unique(beat_numbers[near])) < min(FEWEST, len(marks)) - 1:
            return None
        fitted_marks = marks[near]
        period, first_beat = (
            float(coefficient) for coefficient in np.polyfit(beat_numbers[near], fitted_marks, 1)
        )
    beat_numbers = np.round((fitted_marks - first_beat) / period)
    deviation = float(np.sqrt(np.mean((fitted_marks - first_beat - beat_numbers * period) ** 2)))
    # The beat in the middle of the marks, which is the surest.
    middle = first_beat + float(np.median(beat_numbers) // 1) * period
    return Rhythm(period, beat=middle, deviation=deviation, beats=len(np.unique(beat_numbers)))


def marked_beats(pattern: Pattern, hands: Sequence[int]) -> tuple[float, float]:
    """Return beats on which a viewer of a film sees throws, and so marks them.

    Held 2s and empty hands, 0, are not seen as throws; they count only if there is nothing else.

    Args:
        pattern: pattern that is juggled.
        hands: hands of the first juggler that are marked, 0 left and 1 right.

    Returns:
        The first of these beats, and the greatest common divisor of the steps between them,
        [beats]. Where these hands throw nothing, 0 and the step of hands that throw by turns.
    """
    beat_division = pattern.division
    throws_of_hands = [
        throw for throw in pattern.throws if throw.juggler == 0 and throw.hand in hands
    ]
    visible_throws = [
        throw for throw in throws_of_hands if throw.value not in (0, 2 * beat_division)
    ]
    beats = sorted(throw.beat for throw in visible_throws or throws_of_hands)
    if not beats:
        return 0.0, 2.0 / len(hands)
    return beats[0] / beat_division, math.gcd(
        pattern.period, *(beat - beats[0] for beat in beats)
    ) / beat_division


def rhythm_of(marks: Sequence[Mark], *, held: bool) -> Rhythm | None:
    """Find the rhythm of the throws, and how long props are held, from marks of a film.

    Args:
        marks: set while the film played, in any order.
        held: whether the key was held from catch to throw; otherwise it was tapped at throws.

    Returns:
        The rhythm of the throws, and with `held` how long props were held; None if there is
        none.
    """
    holds = np.array([mark.released - mark.pressed for mark in marks])
    rhythm = tempo_from_marks([mark.released if held else mark.pressed for mark in marks])
    if rhythm is None or not held:
        return rhythm
    # A key that was held while the film began again says nothing.
    valid = holds[(holds > 0) & (holds < rhythm.period)]
    hold = float(np.median(valid)) if len(valid) else 0.0
    # Holds shorter than `_MIN_HOLD` periods are taps.
    hold = hold if hold > _MIN_HOLD * rhythm.period else 0.0
    return replace(rhythm, hold=hold)


def _mark_frequency(marks: Floats, span: float) -> float | None:
    """Estimate the frequency of marks, [1/s], by the periodogram of a point process.

    The result is the lowest frequency with nearly the greatest coherence, |Σ exp(2πi f t)|, since
    multiples of the true frequency are as coherent.

    Args:
        marks: times in increasing order, shape (N,), [s].
        span: from the first to the last, [s].

    Returns:
        The frequency; None if nearly all marks are at one time.
    """
    # Trial frequencies around that of the median step, which doubled and missing marks hardly move.
    steps = np.diff(marks)
    steps = steps[steps > _MIN_MARK_INTERVAL]
    if not len(steps):
        return None
    # Frequencies are tried in a range around that of the median step, `_TRIALS_PER_CYCLE` for each
    # further cycle within the span of the marks.
    low, high = (share / float(np.median(steps)) for share in _FREQUENCY_RANGE)
    frequencies = np.linspace(
        max(low, _MIN_MARK_RATE),
        max(high, 2 * _MIN_MARK_RATE),
        int(_TRIALS_PER_CYCLE * span * (high - low)) + 2,
    )
    coherence = np.abs(np.exp(2j * np.pi * frequencies[:, None] * (marks - marks[0])).sum(axis=1))
    # A lower frequency with nearly the best coherence is the beat, and the best its double.
    coherent_trials = np.flatnonzero(coherence >= _NEARLY_COHERENT * coherence.max())
    # The first run of nearly coherent frequencies is a peak; its highest point counts.
    gaps = np.flatnonzero(np.diff(coherent_trials) > 1)
    peak = coherent_trials[: int(gaps[0]) + 1 if len(gaps) else len(coherent_trials)]
    return float(frequencies[peak[coherence[peak].argmax()]])
