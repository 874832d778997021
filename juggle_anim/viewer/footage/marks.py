"""Marks that a person sets while a film plays, and the rhythm in them: tempo, phase and dwell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern import Pattern

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
        deviation: of the marks from their beats, root mean square, [s].
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
        """The key goes down at a time of the film, [s]."""
        if self._pressed is not None:  # the window lost the keyboard before it came up
            self.release(self._pressed)
        self._pressed = time

    def release(self, time: float) -> None:
        """The key comes up at a time of the film, [s]."""
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
        times: of the marks in any order, shape (N,), [s].

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
        # counts is how far the other marks are from their beats.
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
    """Beats on which a viewer of a film sees throws, and so marks them.

    Held 2s and empty hands, 0, are not seen as throws; they count only if there is nothing else.

    Args:
        pattern: that is juggled.
        hands: of the first juggler that are marked, 0 left and 1 right.

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
        The rhythm of the throws, and with `held` how long props were held; None where there is
        none.
    """
    holds = np.array([mark.released - mark.pressed for mark in marks])
    rhythm = tempo_from_marks([mark.released if held else mark.pressed for mark in marks])
    if rhythm is None or not held:
        return rhythm
    # A key that was held while the film began anew says nothing.
    valid = holds[(holds > 0) & (holds < rhythm.period)]
    hold = float(np.median(valid)) if len(valid) else 0.0
    # A shorter hold was a tap.
    hold = hold if hold > _MIN_HOLD * rhythm.period else 0.0
    return replace(rhythm, hold=hold)


def _mark_frequency(marks: Floats, span: float) -> float | None:
    """Estimate the frequency of marks, [1/s], by the periodogram of a point process.

    The lowest frequency at which the marks are nearly as coherent, |Σ exp(2πi f t)|, as at the best
    one: multiples of the true frequency are just as coherent.

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
    low, high = (share / float(np.median(steps)) for share in _FREQUENCY_RANGE)
    frequencies = np.linspace(
        max(low, _MIN_MARK_RATE),
        max(high, 2 * _MIN_MARK_RATE),
        int(_TRIALS_PER_CYCLE * span * (high - low)) + 2,
    )
    coherence = np.abs(np.exp(2j * np.pi * frequencies[:, None] * (marks - marks[0])).sum(axis=1))
    coherent_trials = np.flatnonzero(coherence >= _NEARLY_COHERENT * coherence.max())
    # The first run of nearly coherent frequencies is a peak; its highest point counts.
    gaps = np.flatnonzero(np.diff(coherent_trials) > 1)
    peak = coherent_trials[: int(gaps[0]) + 1 if len(gaps) else len(coherent_trials)]
    return float(frequencies[peak[coherence[peak].argmax()]])
