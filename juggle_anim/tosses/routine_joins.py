"""Joins of routines: the states from which patterns begin and in which they end, and throws that a text names."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from juggle_anim.arrays import Integers
from juggle_anim.errors import PatternError, hand_in_words
from juggle_anim.language import _, ngettext
from juggle_anim.pattern import RIGHT, Pattern
from juggle_anim.pattern.ground_state import ground_state
from juggle_anim.pattern.joining import Join, States
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of
from juggle_anim.pattern.states import rows_of, states_of


def ground_states(pattern: Pattern, scale: int) -> list[Integers]:
    """The ground states of a pattern, begun by either hand: props due on each coming beat in each hand."""
    hands = 2 * pattern.jugglers
    rows, _unused = rows_of(pattern)
    found: list[Integers] = []
    for beat in range(2 * math.lcm(*(row.step for row in rows))):
        if not any(row.throws_on(beat) for row in rows):
            continue
        state = ground_state(rows, pattern.props, beat)
        counts = np.zeros((len(state) * scale, hands), dtype=np.intp)
        for later, number in ((later, number) for later in range(len(state)) for number in range(len(rows))):
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
    period, hands = pattern.period * scale, 2 * pattern.jugglers
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
    return [(beat, hand) for beat, hand in np.argwhere(counts > 0).tolist() for _ in range(int(counts[beat, hand]))]


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
        PatternError: they lead from none of these into the new ones; its `throw` is the first that cannot be made.
    """
    best, problem = -1, PatternError(_("there are no throws"))
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
            depth = max([old.due.shape[1], new.due.shape[1]]) + max((each.value for each in made), default=0)
            due = padded([old.due[0]], depth + length * division)[0]
            wrong = _first_wrong(due, made, length * division)
            if wrong is None:
                rest = due[length * division :][: new.due.shape[1]]
                same = (new.due == rest[None, : new.due.shape[1]]).all(axis=(1, 2))
                if same.any():
                    return place, Join(0, int(same.argmax()), length * division, tuple(made), (), ())
                wrong = (
                    length * division,
                    _("these throws do not lead into it"),
                    None,
                )
            if wrong[0] > best:
                best, problem = wrong[0], PatternError(wrong[1], wrong[2])
    raise problem


def _first_wrong(due: Integers, throws: Sequence[Throw], length: int) -> tuple[int, str, int | None] | None:
    """The first beat whose throws do not fit what is due, why, and which throw it is; `due` is carried on."""
    for beat in range(length):
        for hand in range(due.shape[1]):
            made = [(number, each) for number, each in enumerate(throws) if (each.beat, hand_of(each)) == (beat, hand)]
            if len(made) != due[beat, hand]:
                number = made[0][0] if made else next((n for n, each in enumerate(throws) if each.beat >= beat), None)
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
