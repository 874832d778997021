"""Beats of a pattern in the viewer: text, orbits, and values of recent throws."""

from __future__ import annotations

import math
from itertools import groupby

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Singles
from juggle_anim.choreography import Score, holds, repeat_to_full_loop
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import BeatText, beat_at, beat_text, throw_text
from juggle_anim.pattern import Pattern, Throw
from juggle_anim.viewer.state.undo import IdentityCache

_MAX_ORBIT_VALUES = 8  # throw values written out for an orbit; an ellipsis stands for the others
_SAME_BEAT = 1e-6  # beats; a moment so little before a beat is on it
_SAME_MULTIPLEX_TOLERANCE = 1e-6  # s; props thrown nearer together than this are one multiplex

MAX_VALUES = 200
"""Values that are shown at once; more would be illegible."""

_LONG_RUN = 6  # the same throw so often in a row is written once, with how often it comes

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
        self._early = IdentityCache(_early_throws)

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
            animation: animation of a pattern, or of a routine, which has several.
            time: [s] since the animation began, in any loop.
            uneven_tempo: whether the tempo changes, so that the beat follows from the times of
                throws instead of from beats per second; then only beats with throws count.
        """
        pattern = animation.pattern
        if pattern is None:
            # A routine: the last beat that has begun, or before its first throw the first one.
            starts = self._of(animation).starts
            time_in_loop = time % animation.duration + _SAME_MULTIPLEX_TOLERANCE
            started_count = int(np.searchsorted(starts, time_in_loop, side="right"))
            return max(started_count - 1, 0)
        if not uneven_tempo:
            beat_time = self.time_on_beat(animation, time)
            return beat_at(pattern, beat_time, animation.choreography.bps)
        present_beat = uneven_beat(animation, pattern, time)
        throw_beats = np.unique([throw.beat for throw in _thrown(pattern)])
        # The last beat with a throw by now. Before the first it has the index −1: the last beat, of
        # the loop before. A moment less than `_SAME_BEAT` beats before a beat is on it.
        started_count = int(np.searchsorted(throw_beats, present_beat + _SAME_BEAT, side="right"))
        return int(throw_beats[started_count - 1])

    def time_on_beat(self, animation: Animation, time: float) -> float:
        """Return the time of the beat of the throw that is made at a time, [s].

        A throw may leave its hand before its beat, as a 1 does in 531. At any other time, and in a
        routine, it is the time itself.

        Args:
            animation: the animation.
            time: [s] since the animation began, in any loop.
        """
        releases, leads = self._early.of(animation)
        loop = animation.duration
        apart = np.abs((time - releases + loop / 2) % loop - loop / 2)
        leads_now = leads[apart < _SAME_MULTIPLEX_TOLERANCE]
        return time + float(leads_now.max()) if len(leads_now) else time

    def _of(self, animation: Animation) -> _Beats:
        # Parameters change neither text nor orbits, so the cache is valid for the same score.
        if self._beats is None or self._beats.animation.score is not animation.score:
            beats_of = _beats_of_pattern if animation.pattern else _beats_of_routine
            self._beats = beats_of(animation)
        return self._beats


def _early_throws(animation: Animation) -> tuple[Floats, Floats]:
    """Return when throws leave that are off their beats, and how long before these, [s] each.

    Returns:
        Times in the loop of the animation, shape (N,), and times from them to the beats, shape
        (N,), negative after these.
    """
    pattern = animation.pattern
    choreography = animation.choreography
    beat = 1 / choreography.bps
    if pattern is None:
        return np.zeros(0), np.zeros(0)
    pattern = repeat_to_full_loop(pattern, animation.score.staging)
    tick = beat / pattern.division
    loop = choreography.duration
    if abs(pattern.period * tick - loop) > _SAME_MULTIPLEX_TOLERANCE:
        return np.zeros(0), np.zeros(0)  # the tempo changes, and with it the time of a beat
    beats = np.array([throw.beat for throw in _thrown(pattern)], dtype=float)
    leads = tick * beats - choreography.events.time[choreography.flights.throw]
    # A throw just before the start of the loop has its time at the end of the loop.
    leads -= np.round(leads / loop) * loop
    # A performance may have several loops, with the same throws in each.
    performance = animation.performance
    releases = performance.events.time[performance.flights.throw]
    leads = np.tile(leads, len(releases) // max(len(leads), 1))
    is_early = np.abs(leads) > _SAME_MULTIPLEX_TOLERANCE
    return releases[is_early], leads[is_early]


def _beats_of_pattern(animation: Animation) -> _Beats:
    """Return the throws of a pattern, whose beats are even."""
    text = beat_text(_pattern(animation))
    shares_of_loop = np.arange(len(text.spans)) / len(text.spans)
    starts = shares_of_loop * animation.choreography.duration
    return _Beats(animation, text, _orbits(animation), starts)


def _beats_of_routine(animation: Animation) -> _Beats:
    """Return the throws of a routine as text, beat by beat; throws at the same time are one beat.

    Args:
        animation: an animation of a routine: patterns one after another. Its flights are sorted by
            the times of their throws.

    Returns:
        The text, the span of characters of each beat in it, and the times of the beats, [s].
    """
    choreography = animation.choreography
    throw_events = choreography.flights.throw
    # The values that are thrown, by the time of the beat, [s], and by hand.
    values_by_time: dict[float, dict[int, list[str]]] = {}
    for time, hand, value in zip(
        choreography.events.time[throw_events].tolist(),
        choreography.events.hand[throw_events].tolist(),
        throw_values(animation.score),
        strict=True,
    ):
        last_time = next(reversed(values_by_time), -math.inf)
        is_on_last_beat = time - last_time < _SAME_MULTIPLEX_TOLERANCE
        beat_time = last_time if is_on_last_beat else time
        values_by_time.setdefault(beat_time, {}).setdefault(hand, []).append(value)
    # The text, with a space between beats: `3 4 4 1 [43] (4,4)`.
    text = ""
    spans = []
    for values_by_hand in values_by_time.values():
        hand_texts = [_written_together(values) for values in values_by_hand.values()]
        text_of_beat = hand_texts[0] if len(hand_texts) == 1 else f"({','.join(hand_texts)})"
        span = len(text), len(text) + len(text_of_beat)
        spans.append((span,))  # a beat may have several spans, but in a routine it has one
        text += f"{text_of_beat} "
    beats = shortened(BeatText(text, tuple(spans)))
    return _Beats(animation, beats, (), np.array(list(values_by_time)))


def shortened(beats: BeatText) -> BeatText:
    """Return throws as text in which long runs of the same throw are short: `3 ×19 4 4 1`.

    Nothing is shortened if a beat stands at several places of the text.

    Args:
        beats: text of throws, in order, with one place of each beat; the last ones may have none.
    """
    places = tuple(spans for spans in beats.spans if spans)
    beats_without = beats.spans[len(places) :]
    if any(len(spans) != 1 for spans in places) or any(beats_without):
        return beats
    text = ""
    spans = []
    end_before = 0  # in the text of `beats`, of the run before
    words = [beats.text[start:end] for ((start, end),) in places]
    for word, run in groupby(range(len(words)), key=words.__getitem__):
        indices = list(run)
        ((run_start, _first_end),) = beats.spans[indices[0]]
        ((_last_start, run_end),) = beats.spans[indices[-1]]
        between = beats.text[end_before:run_start]
        end_before = run_end
        if len(indices) < _LONG_RUN:
            text += between
            shift = len(text) - run_start
            for index in indices:
                ((start, end),) = beats.spans[index]
                spans.append(((start + shift, end + shift),))
            text += beats.text[run_start:run_end]
        else:
            text = f"{text}{between}".rstrip() + " " if text else ""
            run_text = f"{word} ×{len(indices)}"
            spans += [((len(text), len(text) + len(run_text)),)] * len(indices)
            text += f"{run_text} "
    return BeatText(text + beats.text[end_before:], (*spans, *beats_without))


def routine_line(animation: Animation, time: float) -> str:
    """Return the line of a routine that is juggled at a time, as text, such as `441  ·  4 loops`.

    Settings in the line are left out. Empty for a pattern alone, or a routine of one pattern.

    Args:
        animation: the animation, perhaps of a routine.
        time: [s] since the animation began, in any loop.
    """
    script = animation.score.routine
    # Lines without a number were added by the program.
    lines = [line for line in script.lines if line.number] if script else []
    time_in_loop = time % animation.duration
    begun_lines = [line for line in lines if line.begins <= time_in_loop]
    pattern_lines = [line for line in lines if line.text != _STOP]
    if not begun_lines or len(pattern_lines) == 1:
        return ""
    return begun_lines[-1].shown


def uneven_beat(animation: Animation, pattern: Pattern, time: float) -> float:
    """Return the beat at a time, with its fraction, interpolated between the times of throws.

    Args:
        animation: animation whose tempo changes, as in a transition between two patterns.
        pattern: pattern that it juggles.
        time: time in the animation, in any loop, [s].

    Returns:
        From 0 up to the period, in the pattern's parts of beats, `division` to a beat.
    """
    # Throws of less than two beats leave the hand well before their beat, so others are used, if
    # there are any.
    throws = _thrown(pattern)
    is_used = np.array([throw.value >= 2 * pattern.division for throw in throws])
    if not is_used.any():
        is_used[:] = True
    throw_beats = np.array([throw.beat for throw in throws], dtype=float)
    throw_times = animation.choreography.events.time[animation.choreography.flights.throw]
    # Of several throws on a beat, the first.
    beats, first_indices = np.unique(throw_beats[is_used], return_index=True)
    times_in_loop = throw_times[is_used][first_indices]
    loop = animation.duration
    # A throw just before the start of the loop has its time at the end of the loop: move it by a
    # loop, so that times increase with beats.
    loops_apart = np.round(beats / pattern.period - times_in_loop / loop)
    times = np.maximum.accumulate(times_in_loop + loop * loops_apart)
    # Add the last throw of the loop before and the first of the next, to interpolate at the ends.
    known_times = np.concatenate([times[-1:] - loop, times, times[:1] + loop])
    known_beats = np.concatenate([beats[-1:] - pattern.period, beats, beats[:1] + pattern.period])
    return float(np.interp(time % loop, known_times, known_beats)) % pattern.period


def _thrown(pattern: Pattern) -> list[Throw]:
    """Return the throws that leave the hand, which are no holds, in the order of flights."""
    return [throw for throw, held in zip(pattern.throws, holds(pattern), strict=True) if not held]


def _pattern(animation: Animation) -> Pattern:
    assert animation.pattern is not None, "events are on no beats"
    return animation.pattern


def _orbits(animation: Animation) -> tuple[ShownOrbit, ...]:
    """Return the orbits of a pattern with the colours of their props and their first throws.

    An orbit is the closed path of throws that some props share. Props are numbered orbit after
    orbit, so each orbit has a slice of the rows of `prop_colours`.
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

    A value is the number of a throw in siteswap; it glows for a while where the prop left the hand.
    Each hand has at most one: its last throw, which may be a multiplex of several props. No more
    than `MAX_VALUES` are returned.

    Args:
        animation: the animation with the throws.
        values: the text of each flight in the loop of the pattern, in order; empty if there are no
            values to show.
        time: [s] since the animation began, in any loop.
    """
    performance = animation.performance
    throw_events = performance.flights.throw
    # A performance may have several loops, which vary as people do. Each loop has all values, so
    # that flight n has the value n modulo their number. If the numbers do not fit, the values are
    # of other flights, and none is shown.
    if not values or len(throw_events) % len(values):
        return []

    # How long a value glows, [s]: some beats, among many jugglers fewer, but limited so that it can
    # be read at a fast tempo and is gone in time at a slow one.
    glow_beats = (
        _GLOW_BEATS if animation.num_jugglers <= _MAX_JUGGLERS_UNCROWDED else _CROWDED_GLOW_BEATS
    )
    glow_time = min(max(glow_beats / animation.choreography.bps, _MIN_GLOW_TIME), _MAX_GLOW_TIME)

    # For each prop the index of its last flight, −1 if it was not thrown yet, and the time since it
    # was thrown, [s]. Rows are times, of which there is one.
    last_flight_by_prop, age_by_prop, _ = (
        row[0] for row in animation.motion.last_throws_at(np.array([time]))
    )

    # Recently thrown props, by the hand that threw them.
    props_by_hand: dict[int, list[int]] = {}
    is_recent = (last_flight_by_prop >= 0) & (age_by_prop < glow_time)
    for prop in np.flatnonzero(is_recent).tolist():
        flight = last_flight_by_prop[prop]
        if not values[flight % len(values)]:
            continue  # its value is empty: it was put down, not thrown
        hand = int(performance.events.hand[throw_events[flight]])
        props_by_hand.setdefault(hand, []).append(prop)

    colours = animation.prop_colours
    release_points = animation.motion.flight_paths.start
    recent_throws = []
    for recent_props in list(props_by_hand.values())[:MAX_VALUES]:
        # Of several recent props of the hand, those of its last throw: one, or all of a multiplex,
        # which were thrown at the same time.
        age = min(age_by_prop[recent_props])
        props = [
            prop for prop in recent_props if age_by_prop[prop] < age + _SAME_MULTIPLEX_TOLERANCE
        ]
        text = _written_together(
            [values[last_flight_by_prop[prop] % len(values)] for prop in props]
        )
        # From 1 at the throw to 0 after the glow time. The cube keeps it bright at first, and then
        # lets it fade fast.
        glow = 1.0 - float(age / glow_time) ** 3
        first_prop = props[0]
        recent_throws.append(
            LitThrow(
                text,
                place=_triple(release_points[last_flight_by_prop[first_prop]]),
                colour=_triple(colours[first_prop]),
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
    return tuple(
        throw_text(throw, pattern.jugglers, pattern.division) for throw in _thrown(pattern)
    )


def _triple(values: Singles) -> tuple[float, float, float]:
    first, second, third = values.tolist()
    return first, second, third
