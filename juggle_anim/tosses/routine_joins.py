"""Joins and rests of routines: the states from which patterns begin and in which they end, throws
that a text names, what hands do with their props between catches and throws, and where jugglers
stand meanwhile.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography.choreography import BodyKeyframes
from juggle_anim.errors import PatternError, hand_in_words
from juggle_anim.language import _, ngettext
from juggle_anim.pattern import RIGHT, Pattern
from juggle_anim.pattern.cycle import rows_of
from juggle_anim.pattern.ground_state import ground_state
from juggle_anim.pattern.joining import Join, States
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of
from juggle_anim.pattern.states import states_of
from juggle_anim.tosses.segment import Segment
from juggle_anim.tosses.stands import pick_up, put_down
from juggle_anim.tosses.toss import Clock, Toss


def ground_states(pattern: Pattern, scale: int) -> list[Integers]:
    """The ground states of a pattern, begun by either hand: props due on each coming beat in each
    hand.
    """
    hands = 2 * pattern.jugglers
    rows = rows_of(pattern)
    found: list[Integers] = []
    for beat in range(2 * math.lcm(*(row.step for row in rows))):
        if not any(row.throws_on(beat) for row in rows):
            continue
        state = ground_state(rows, pattern.props, beat)
        counts = np.zeros((len(state) * scale, hands), dtype=np.intp)
        for later, number in (
            (later, number) for later in range(len(state)) for number in range(len(rows))
        ):
            row = rows[number]
            if state[later][number]:
                hand = 2 * row.juggler + row.hand_on(beat + later)
                counts[later * scale, hand] += state[later][number]
        if not any(len(counts) == len(each) and (counts == each).all() for each in found):
            found.append(counts)
    return found


def entry_states(pattern: Pattern, scale: int, depth: int) -> States:
    """What surrounds each beat, or part of one, of a pattern, told for a number of beats ahead.

    Args:
        pattern: whose hands throw.
        scale: parts of each of its own parts of a beat.
        depth: more than anything flies.
    """
    period = pattern.period * scale
    hands = 2 * pattern.jugglers
    counts = [np.array(state).reshape(-1, hands) for state in states_of(pattern)]
    entries = np.zeros((period, depth, hands), dtype=np.intp)
    for beat in range(period):
        later = -beat % scale
        own = counts[(beat + later) // scale % pattern.period]
        entries[beat, later : later + len(own) * scale : scale] = own
    since = np.full((period, hands), period, dtype=np.intp)
    for throw in pattern.throws:
        ago = (np.arange(period) - throw.beat * scale - 1) % period + 1
        since[:, hand_of(throw)] = np.minimum(since[:, hand_of(throw)], ago)
    return States(entries, since)


def sites_due(counts: Integers) -> list[tuple[int, int]]:
    """The beat and the hand of each prop that is due, from counts of shape (beats, hands)."""
    return [
        (beat, hand)
        for beat, hand in np.argwhere(counts > 0).tolist()
        for _ in range(int(counts[beat, hand]))
    ]


def hands_due(counts: Integers) -> list[int]:
    """The hand of each prop that is due, likewise."""
    return [hand for _, hand in sites_due(counts)]


def padded(states: Sequence[Integers], depth: int) -> Integers:
    """States with as many beats each, shape (N, depth, H)."""
    return np.stack([np.pad(each, ((0, depth - len(each)), (0, 0))) for each in states])


def held_state(held: Counter[int], hands: int, division: int) -> Integers:
    """A state in which each hand throws what it holds on every second beat, right hands first."""
    found = np.zeros((2 * division * max(held.values()), hands), dtype=np.intp)
    for hand, count in held.items():
        first = 0 if hand % 2 == RIGHT else division
        found[first : first + 2 * division * count : 2 * division, hand] = 1
    return found


def given_join(
    olds: Sequence[States], new: States, throws: Sequence[Throw], length: int, division: int
) -> tuple[int, Join]:
    """The join that throws make, by either hand, and from which of some states.

    Raises:
        PatternError: they lead from none of these into the new ones; its `throw` is the first that
            cannot be made.
    """
    best = -1
    problem = PatternError(_("there are no throws"))
    for place, old in enumerate(olds):
        for turned in (0, 1):
            made = [
                throw._replace(
                    beat=throw.beat * division,
                    value=throw.value * division,
                    hand=throw.hand ^ turned,
                    to_hand=throw.to_hand ^ turned,
                )
                for throw in throws
            ]
            depth = max([old.due.shape[1], new.due.shape[1]]) + max(
                (each.value for each in made), default=0
            )
            due = padded([old.due[0]], depth + length * division)[0]
            wrong = _first_wrong(due, made, length * division)
            if wrong is None:
                rest = due[length * division :][: new.due.shape[1]]
                same = (new.due == rest[None, : new.due.shape[1]]).all(axis=(1, 2))
                if same.any():
                    return place, Join(
                        0, int(same.argmax()), length * division, tuple(made), (), ()
                    )
                wrong = (
                    length * division,
                    _("these throws do not lead into it"),
                    None,
                )
            if wrong[0] > best:
                best = wrong[0]
                problem = PatternError(wrong[1], wrong[2])
    raise problem


def _first_wrong(
    due: Integers, throws: Sequence[Throw], length: int
) -> tuple[int, str, int | None] | None:
    """The first beat whose throws do not fit what is due, why, and which throw it is; `due` is
    carried on.
    """
    for beat in range(length):
        for hand in range(due.shape[1]):
            made = [
                (number, each)
                for number, each in enumerate(throws)
                if (each.beat, hand_of(each)) == (beat, hand)
            ]
            if len(made) != due[beat, hand]:
                number = (
                    made[0][0]
                    if made
                    else next((n for n, each in enumerate(throws) if each.beat >= beat), None)
                )
                there = int(due[beat, hand])
                needs = (
                    _("no prop comes down then")
                    if not there
                    else ngettext("{number} comes down then", "{number} come down then", there)
                )
                return (
                    beat,
                    _(
                        "the {hand} throws {count} here, but {needs}",
                        hand=hand_in_words(hand),
                        count=len(made),
                        needs=needs,
                    ),
                    number,
                )
            for _unused, throw in made:
                due[beat + throw.value, catching_hand(throw)] += 1
    return None


class Held(NamedTuple):
    """A prop that a hand has from a beat on, or up to one; or on its stand then."""

    beat: int
    hand: int
    on_stand: bool = False


class Pause(NamedTuple):
    """When props lie in hands, in parts of a beat.

    Attributes:
        starts: once all are caught.
        until: when the next throw may be made.
        crossing: how long a throw from hand to hand takes.
        still: how long nothing moves before `until`, if there is time.
    """

    starts: int
    until: int
    crossing: int
    still: int


def with_stands(
    sources: Sequence[Held], sinks: Sequence[Held], pause: Pause, lying: Counter[int]
) -> tuple[list[Held], list[Held]]:
    """What hands have at the start and at the end of a rest, with what they pick up and put down,
    as much in both.

    Args:
        sources, sinks: what hands have, and what they need.
        pause: between.
        lying: how many more props than in the beginning lie beside each hand; these are taken
            first.
    """
    more = len(sinks) - len(sources)
    have, need = (Counter(each.hand for each in ends) for ends in (sources, sinks))
    missing = sorted((need - have).elements(), key=lambda hand: -lying[hand])
    over = sorted((have - need).elements(), key=lambda hand: lying[hand])
    taken = [Held(pause.starts, hand, True) for hand in missing[: max(more, 0)]]
    left = [Held(pause.until, hand, True) for hand in over[: max(-more, 0)]]
    return [*sources, *taken], [*sinks, *left]


def with_all_back(
    sources: Sequence[Held], sinks: Sequence[Held], pause: Pause, lying: Counter[int]
) -> tuple[list[Held], list[Held]]:
    """The same for the end of a routine: as many props lie beside each hand as in the beginning;
    arguments alike.
    """
    taken = [Held(pause.starts, hand, True) for hand in (+lying).elements()]
    left = [Held(pause.until, hand, True) for hand in (-lying).elements()]
    return [*sources, *taken], [*sinks, *left]


def hold(sources: Sequence[Held], sinks: Sequence[Held], pause: Pause) -> list[Toss]:
    """Hold what hands have until they need it; what another hand needs is thrown across in the
    middle of the pause.

    Args:
        sources, sinks: as many.
        pause: between.
    """
    found = list[Toss]()
    over = list[Held]()
    left = sorted(sinks)
    for source in sorted(sources):
        sink = next((each for each in left if each.hand == source.hand), None)
        if sink is None:
            over.append(source)
            continue
        left.remove(sink)
        found += _kept(source, sink.beat, pause, sink)
    for source, sink in zip(over, left, strict=True):
        middle = (source.beat + sink.beat - pause.crossing) // 2
        thrown = max(source.beat, min(middle, pause.until - pause.crossing - pause.still))
        lands = min(thrown + pause.crossing, sink.beat)
        found += _kept(source, thrown, pause)
        found.append(Toss(_throw(thrown, source.hand, lands, sink.hand), -1, None))
        found += _kept(Held(lands, sink.hand), sink.beat, pause, sink)
    return found


def _kept(source: Held, until: int, pause: Pause, sink: Held | None = None) -> list[Toss]:
    """What a hand does with a prop until a beat: it holds it, picks it up before that in the pause,
    or puts it down.
    """
    if source.on_stand:
        there = min(until, pause.until - 1)
        return [
            pick_up(source.beat, source.hand, there),
            *_kept(Held(there, source.hand), until, pause),
        ]
    if sink and sink.on_stand:
        return [put_down(source.beat, source.hand)]
    if source.beat == until:
        return []
    return [Toss(_throw(source.beat, source.hand, until, source.hand, held=True), -1, None)]


def _throw(beat: int, hand: int, lands: int, to: int, held: bool | None = None) -> Throw:
    return Throw(beat, hand // 2, hand % 2, lands - beat, to // 2, to % 2, held=held)


def rest_times(rests: Sequence[tuple[int, int]], clock: Clock) -> list[tuple[float, float]]:
    """When props lie in hands, [s]; the end of the routine goes on at its start.

    Args:
        rests: likewise in parts of a beat, that at the start first.
        clock: when these are.
    """
    (_, first), *others = rests
    *middle, (last, end) = others
    whole = clock.at(last), clock.at(end) + clock.at(first)
    return [(clock.at(start), clock.at(until)) for start, until in middle] + [whole]


def standing_places(
    segments: Sequence[Segment], spans: Sequence[tuple[int, int, int]], division: int, clock: Clock
) -> BodyKeyframes:
    """Where jugglers stand: as each pattern has it, while it is juggled.

    Args:
        segments: the patterns.
        spans: for each the first part of a beat, that after the last one, and that of its own first
            beat.
        division: parts of a beat.
        clock: when these are.
    """
    rows: list[tuple[int, float, Floats, float]] = []
    for segment, (enters, until, shift) in zip(segments, spans, strict=True):
        keys = segment.choreography.bodies
        rate = segment.choreography.bps * division
        loop = round(segment.choreography.duration * rate)
        still = len(keys.time) == len(np.unique(keys.juggler))
        for row in range(len(keys.time)):
            first = float(keys.time[row]) * rate + shift
            beats = [enters] if still else np.arange(first, until, loop).tolist()
            rows += [
                (
                    int(keys.juggler[row]),
                    clock.at(beat),
                    keys.position[row],
                    float(keys.facing[row]),
                )
                for beat in beats
                if enters <= beat
            ]
    rows.sort(key=lambda row: row[:2])
    begin = {row[0]: row for row in reversed(rows)}
    if all(np.array_equal(row[2], begin[row[0]][2]) and row[3] == begin[row[0]][3] for row in rows):
        rows = [(juggler, 0.0, *begin[juggler][2:]) for juggler in sorted(begin)]
    return BodyKeyframes(
        np.array([row[1] for row in rows]),
        np.array([row[0] for row in rows], dtype=np.intp),
        np.array([row[2] for row in rows]),
        np.array([row[3] for row in rows]),
    )
