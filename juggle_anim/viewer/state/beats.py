"""Beats of a pattern in the viewer: text, orbits, and values of recent throws."""

from __future__ import annotations

import math

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Singles
from juggle_anim.choreography import Score, holds, repeat_to_full_loop
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import BeatText, beat_at, beat_text, throw_text
from juggle_anim.pattern import Pattern, Throw

_MAX_ORBIT_VALUES = 8  # throw values written out for an orbit; an ellipsis stands for the others
_SAME_BEAT = 1e-6  # beats; a moment so little before a beat is on it
_SAME_MULTIPLEX_TOLERANCE = 1e-6  # s; props thrown nearer together than this are one multiplex

MAX_VALUES = 200
"""Values that are shown at once; more would be illegible."""

_STOP = "stop"  # the line of a routine where props are caught and kept

_GLOW_BEATS = 2.0  # beats for which the value of a throw is shown
_MIN_GLOW_TIME = 0.30  # s, however fast the beats follow
_MAX_GLOW_TIME = 1.2  # s, however slowly the beats follow
_MAX_JUGGLERS_UNCROWDED = 2  # with more of them, values are shown for fewer beats
_CROWDED_GLOW_BEATS = 1.2  # beats for which a value is shown among more jugglers


@dataclass(frozen=True)
class ShownOrbit:
    """An orbit as the card shows it.

    Args:
        colours: colours of its props, shape (props, 3), sRGB from 0 to 1.
        values: values of its throws, `5  1`, apart so that they are no `51`; `3p` for passes.
    """

    colours: Singles
    values: str


@dataclass
class _Beats:
    """Cached results for one animation.

    Args:
        animation: what they are of.
        text: its throws; for a routine, those of all its patterns.
        orbits: none for a routine.
        starts: when the throws of each beat begin, ascending, [s].
    """

    animation: Animation
    text: BeatText
    orbits: tuple[ShownOrbit, ...]
    starts: Floats


class BeatLine:
    """Whether the beats are shown, and the text and orbits to show."""

    def __init__(self) -> None:
        self.shown = True
        self._beats: _Beats | None = None

    def is_visible(self, animation: Animation) -> bool:
        """Return whether to draw it; events of a file have no beats."""
        return self.shown and bool(animation.pattern or animation.score.routine)

    def text(self, animation: Animation) -> BeatText:
        """Return the throws of the pattern, or of the routine, as text."""
        return self._of(animation).text

    def start(self, animation: Animation, beat: int) -> float:
        """Return when the throws of a beat begin, [s] since the loop began."""
        return float(self._of(animation).starts[beat])

    def orbits(self, animation: Animation) -> tuple[ShownOrbit, ...]:
        """Return the orbits of the pattern."""
        return self._of(animation).orbits

    def beat(self, animation: Animation, time: float, *, uneven_tempo: bool = False) -> int:
        """Return the beat of the last throw, counted from 0 within the period.

        Args:
            animation: animation whose pattern has beats.
            time: [s] since the animation began, in any loop.
            uneven_tempo: whether the tempo changes, so that the beat follows from the times of
                throws instead of from beats per second; then only beats with throws count.
        """
        pattern = animation.pattern
        if pattern is None:
            # Before its first throw, a routine shows where it begins.
            starts = self._of(animation).starts
            moment = time % animation.duration + _SAME_MULTIPLEX_TOLERANCE
            return max(int(np.searchsorted(starts, moment, side="right")) - 1, 0)
        if not uneven_tempo:
            return beat_at(pattern, time, animation.choreography.bps)
        beat = uneven_beat(animation, pattern, time)
        beats = np.unique([throw.beat for throw in _flown(pattern)])
        # The last beat with a throw by now; before the first, that is the last of the loop before.
        # A moment less than `_SAME_BEAT` beats before a beat is on it.
        return int(beats[np.searchsorted(beats, beat + _SAME_BEAT, side="right") - 1])

    def _of(self, animation: Animation) -> _Beats:
        # Parameters change neither text nor orbits, so the cache is valid for the same score.
        if self._beats is None or self._beats.animation.score is not animation.score:
            beats_of = _beats_of_pattern if animation.pattern else _beats_of_routine
            self._beats = beats_of(animation)
        return self._beats


def _beats_of_pattern(animation: Animation) -> _Beats:
    """Return the throws of a pattern, whose beats are even."""
    text = beat_text(_pattern(animation))
    shares = np.arange(len(text.spans)) / len(text.spans)
    return _Beats(animation, text, _orbits(animation), shares * animation.choreography.duration)


def _beats_of_routine(animation: Animation) -> _Beats:
    """Return the throws of a routine as text, beat by beat; throws at the same time are one beat.

    Args:
        animation: an animation of a routine: patterns one after another. Its flights are sorted by
            the times of their throws.

    Returns:
        The text, the span of characters of each beat in it, and the times of the beats, [s].
    """
    choreography = animation.choreography
    throws = choreography.flights.throw
    # By the time of each beat, [s], and by hand, the values that are thrown.
    values_by_beat: dict[float, dict[int, list[str]]] = {}
    for time, hand, value in zip(
        choreography.events.time[throws].tolist(),
        choreography.events.hand[throws].tolist(),
        throw_values(animation.score),
        strict=True,
    ):
        last_beat = next(reversed(values_by_beat), -math.inf)
        is_on_last_beat = time - last_beat < _SAME_MULTIPLEX_TOLERANCE
        beat = last_beat if is_on_last_beat else time
        values_by_beat.setdefault(beat, {}).setdefault(hand, []).append(value)
    # The text, with a space between beats: `3 4 4 1 [43] (4,4)`.
    text = ""
    spans = []
    for values_by_hand in values_by_beat.values():
        hands = [_written_together(values) for values in values_by_hand.values()]
        beat_text = hands[0] if len(hands) == 1 else f"({','.join(hands)})"
        spans.append(((len(text), len(text) + len(beat_text)),))
        text += f"{beat_text} "
    return _Beats(animation, BeatText(text, tuple(spans)), (), np.array(list(values_by_beat)))


def routine_line(animation: Animation, time: float) -> str:
    """Return which line of a routine is juggled at a time, [s]; empty for no routine or one line.

    A dot stands before how long it is juggled, `441  ·  4 loops`; settings are left out.
    """
    script = animation.score.routine
    lines = [line for line in script.lines if line.number] if script else []
    phase = time % animation.duration
    begun = [line for line in lines if line.begins <= phase]
    patterns = [line for line in lines if line.text != _STOP]
    if not begun or len(patterns) == 1:
        return ""
    return begun[-1].shown


def uneven_beat(animation: Animation, pattern: Pattern, time: float) -> float:
    """Return the beat at a time, with its fraction, interpolated between the times of throws.

    Args:
        animation: animation whose tempo changes.
        pattern: pattern that it juggles.
        time: time in the animation, in any loop, [s].

    Returns:
        From 0 up to the period.
    """
    # The throws of the pattern that leave the hand, in the order of the flights. Throws of less
    # than two beats leave the hand well before their beat, so others are used, if there are any.
    flown = _flown(pattern)
    is_on_beat = np.array([throw.value >= 2 * pattern.division for throw in flown])
    if not is_on_beat.any():
        is_on_beat[:] = True
    throw_beats = np.array([throw.beat for throw in flown], dtype=float)
    throw_times = animation.choreography.events.time[animation.choreography.flights.throw]
    # Of several throws on a beat, the first.
    beats, first_throws = np.unique(throw_beats[is_on_beat], return_index=True)
    times_in_loop = throw_times[is_on_beat][first_throws]
    loop = animation.duration
    # A throw just before the start of the loop has its time at the end of the loop: move it by a
    # loop, so that times increase with beats.
    loops_apart = np.round(beats / pattern.period - times_in_loop / loop)
    times = np.maximum.accumulate(times_in_loop + loop * loops_apart)
    # Add the last throw of the loop before and the first of the next, to interpolate at the ends.
    known_times = np.concatenate([times[-1:] - loop, times, times[:1] + loop])
    known_beats = np.concatenate([beats[-1:] - pattern.period, beats, beats[:1] + pattern.period])
    return float(np.interp(time % loop, known_times, known_beats)) % pattern.period


def _flown(pattern: Pattern) -> list[Throw]:
    """Return the throws that are no holds, in the order of flights."""
    return [throw for throw, held in zip(pattern.throws, holds(pattern), strict=True) if not held]


def _pattern(animation: Animation) -> Pattern:
    assert animation.pattern is not None, "events are on no beats"
    return animation.pattern


def _orbits(animation: Animation) -> tuple[ShownOrbit, ...]:
    """Return the orbits of a pattern with the colours of their props and their first throws.

    Props are numbered orbit after orbit, so each orbit has a slice of the rows of `prop_colours`.
    """
    pattern = _pattern(animation)
    colours = animation.prop_colours
    orbits = []
    first_prop = 0
    for orbit in pattern.orbits:
        texts = [
            throw_text(pattern.throws[index], pattern.jugglers, pattern.division)
            for index in orbit.throws
        ]
        # What repeats within the orbit is written once: a cascade is `3`, not `3  3`.
        period = 1
        while texts != texts[:period] * (len(texts) // period):
            period += 1
        values = "  ".join(texts[: min(period, _MAX_ORBIT_VALUES)])
        if period > _MAX_ORBIT_VALUES:
            values += "  …"
        orbits.append(ShownOrbit(colours[first_prop : first_prop + orbit.props], values))
        first_prop += orbit.props
    return tuple(orbits)


@dataclass(frozen=True)
class LitThrow:
    """A recent throw.

    Args:
        text: its value, `5` or `3p`; all values of a multiplex, `[54]`.
        place: place of its release, in the world, [m].
        colour: colour of the first of its props, sRGB.
        glow: from 1 at the throw down to 0.
    """

    text: str
    place: tuple[float, float, float]
    colour: tuple[float, float, float]
    glow: float


def lit_throws(animation: Animation, values: tuple[str, ...], time: float) -> list[LitThrow]:
    """Return the recent throws whose values are shown at a time, the brightest last.

    Each hand has at most one: its last throw, which may be a multiplex of several props. No more
    than `MAX_VALUES` in all.

    Args:
        animation: the animation with the throws.
        values: the text of each flight that the pattern writes, in order; empty if there are no
            values to show.
        time: [s] since the animation began, in any loop.
    """
    performance = animation.performance
    throw_events = performance.flights.throw
    # A performance repeats the written flights a whole number of times, so flight number n has the
    # value n modulo their number. If it does not, the values are of other flights, and none is
    # shown.
    if not values or len(throw_events) % len(values):
        return []

    # How long a value glows, [s]: some beats, limited so that it can be read at a fast tempo and is
    # gone in time at a slow one. Values are shown for `_GLOW_BEATS` beats, among many jugglers for
    # fewer, but for `_MIN_GLOW_TIME`, [s], at least.
    glow_beats = (
        _GLOW_BEATS if animation.num_jugglers <= _MAX_JUGGLERS_UNCROWDED else _CROWDED_GLOW_BEATS
    )
    glow_s = min(max(glow_beats / animation.choreography.bps, _MIN_GLOW_TIME), _MAX_GLOW_TIME)

    # For each prop the index of its last flight, -1 if it was not thrown yet, and the time since it
    # was thrown, [s]. Rows are times, of which there is one.
    last_flight, age_s, _ = (row[0] for row in animation.motion.last_throws_at(np.array([time])))

    # Recently thrown props, by the hand that threw them.
    props_by_hand: dict[int, list[int]] = {}
    for prop in np.flatnonzero((last_flight >= 0) & (age_s < glow_s)).tolist():
        if not values[last_flight[prop] % len(values)]:
            continue  # its value is empty: it was put down, not thrown
        hand = int(performance.events.hand[throw_events[last_flight[prop]]])
        props_by_hand.setdefault(hand, []).append(prop)

    colours = animation.prop_colours
    release_points = animation.motion.flight_paths.start
    recent_throws = []
    for props in list(props_by_hand.values())[:MAX_VALUES]:
        # Of several recent props of the hand, those of its last throw: one, or all of a multiplex,
        # which were thrown at the same time.
        youngest_s = min(age_s[props])
        props = [prop for prop in props if age_s[prop] < youngest_s + _SAME_MULTIPLEX_TOLERANCE]
        text = _written_together([values[last_flight[prop] % len(values)] for prop in props])
        # From 1 at the throw to 0 after the glow time. The cube keeps it bright at first, and then
        # lets it fade fast.
        glow = 1.0 - float(youngest_s / glow_s) ** 3
        first = props[0]
        recent_throws.append(
            LitThrow(
                text,
                place=_triple(release_points[last_flight[first]]),
                colour=_triple(colours[first]),
                glow=glow,
            )
        )
    return sorted(recent_throws, key=lambda throw: throw.glow)


def _written_together(values: list[str]) -> str:
    """Return values that a hand throws at once as one text: `5`, or a multiplex `[54]`.

    The highest value comes first; spaces stand between values of several characters: `[5p 4]`.
    """
    if len(values) == 1:
        return values[0]
    separator = " " if max(map(len, values)) > 1 else ""
    return f"[{separator.join(sorted(values, reverse=True))}]"


def throw_values(score: Score) -> tuple[str, ...]:
    """Return the value of each flight of a score, as text; empty for events without beats."""
    if score.pattern is None:
        return score.routine.values if score.routine else ()
    pattern = repeat_to_full_loop(score.pattern, score.staging)
    return tuple(throw_text(throw, pattern.jugglers, pattern.division) for throw in _flown(pattern))


def _triple(values: Singles) -> tuple[float, float, float]:
    first, second, third = values.tolist()
    return first, second, third
