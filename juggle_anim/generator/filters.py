"""Filters: which loops are patterns that options ask for, many loops at once, and one pattern of
each class.
"""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juggle_anim.generator.options import GeneratorOptions
from juggle_anim.generator.search import Loops, Space, States

Chosen = NDArray[np.bool_]


def wanted(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Say which loops pass all filters that do not compare them with others, shape (N,)."""
    chosen = np.ones(len(loops), dtype=bool)
    if options.hands == options.multiplex == 1 and options.neighbouring_ones and not options.delay:
        return chosen
    made = _Made(loops, space)
    if not options.neighbouring_ones and options.hands == 1 and options.multiplex == 1:
        ones = made.values[:, :, 0, 0] == 1
        chosen &= ~(ones[:, 1:] & ones[:, :-1]).any(axis=1)
    if options.multiplex > 1:
        chosen &= _multiplexes_wanted(made, options)
    if options.symmetric_hands:
        chosen &= hands_mirrored(loops, options, space)
    if options.connected and options.jugglers > 1:
        chosen &= _connected(made, options)
    if options.symmetric_jugglers and options.jugglers > 1:
        chosen &= _jugglers_alike(made, options)
    if options.delay:
        chosen &= _usual_at_first(made, options, space)
    return chosen


class _Made:
    """The throws of loops.

    Args:
        loops: N of them.
        space: that they were found in.
    """

    def __init__(self, loops: Loops, space: Space) -> None:
        self.there = loops.throws >= 0
        """Whether there is one, shape (N, beats, hands, several), as all that follow."""
        self.values, self.to = np.moveaxis(
            np.where(self.there[..., None], space.throws[loops.throws], 0), -1, 0
        )
        """Beats until a prop lands, and in which hand."""
        self.hands = np.arange(space.hands)[:, None]
        """That throw, shape (hands, 1)."""
        self.held = self.there & (self.values * space.step == 2) & (self.to == self.hands)
        """Whether it is a hold: a 2 to the same hand."""


def _multiplexes_wanted(made: _Made, options: GeneratorOptions) -> Chosen:
    several = np.asarray(made.there[..., 1:].any(axis=-1))
    chosen = np.ones(len(several), dtype=bool)
    if not options.clusters:
        alike = (made.values[..., 1:] == made.values[..., :-1]) & (
            made.to[..., 1:] == made.to[..., :-1]
        )
        chosen &= ~(alike & made.there[..., 1:]).any(axis=(1, 2, 3))
    if options.true_multiplex:
        chosen &= (several & ~made.held.any(axis=-1)).any(axis=(1, 2))
    if not options.squeezes:
        chosen &= ~_squeezes(made)
    return chosen


def _squeezes(made: _Made) -> Chosen:
    """Whether props land together that were thrown apart, holds aside."""
    count, beats, hands, several = made.there.shape
    flat = (count, beats * hands * several)
    lands = ((np.arange(beats)[:, None, None] + made.values) % beats * hands + made.to).reshape(
        flat
    )
    source = np.broadcast_to(
        np.arange(hands)[:, None] + hands * made.values, made.values.shape
    ).reshape(flat)
    thrown = (made.there & ~made.held).reshape(flat)
    found = np.zeros(count, dtype=bool)
    for one in range(1, flat[1]):
        together = (lands[:, :one] == lands[:, one, None]) & thrown[:, :one] & thrown[:, one, None]
        found |= (together & (source[:, :one] != source[:, one, None])).any(axis=1)
    return found


def hands_mirrored(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Whether the second half of loops is the first with left and right exchanged, shape (N,)."""
    beats = loops.throws.shape[1]
    if beats % 2 or options.jugglers > 1 or not options.synchronous:
        return np.zeros(len(loops), dtype=bool)
    mirrored = np.where(loops.throws >= 0, loops.throws ^ 1, -1)[:, :, ::-1]
    # Throws of a hand go up by value, and then by hand.
    second = np.sort(mirrored[:, beats // 2 :], axis=-1)
    first = np.sort(loops.throws[:, : beats // 2], axis=-1)
    equal: Chosen = (first == second).all(axis=(1, 2, 3))
    return equal


def _connected(made: _Made, options: GeneratorOptions) -> Chosen:
    count = len(made.there)
    joined = np.broadcast_to(
        np.eye(options.jugglers, dtype=bool), (count, options.jugglers, options.jugglers)
    ).copy()
    rows = np.arange(count)[:, None, None, None]
    own = np.broadcast_to(made.hands // options.step, made.to.shape)
    there = made.there
    joined[
        np.broadcast_to(rows, there.shape)[there], own[there], (made.to // options.step)[there]
    ] = True
    joined |= np.swapaxes(joined, 1, 2)
    for _ in range(options.jugglers):
        joined = np.einsum("nij,njk->nik", joined, joined)
    return np.asarray(joined.all(axis=(1, 2)))


def throws_of_jugglers(loops: Loops, options: GeneratorOptions, space: Space) -> NDArray[np.int64]:
    """What each juggler throws, no matter to whom.

    Returns:
        Shape (N, jugglers, beats, throws on a beat): 0 where nothing is thrown, else higher for
        higher throws, and of equal ones for passes.
    """
    return _by_juggler(_Made(loops, space), options)


def _by_juggler(made: _Made, options: GeneratorOptions) -> NDArray[np.int64]:
    passed = made.to // options.step != made.hands // options.step
    numbers = np.where(made.there, 2 * made.values + passed, 0)
    count, beats, _, several = numbers.shape
    parted = numbers.reshape(count, beats, options.jugglers, options.step * several)
    return np.moveaxis(parted, 2, 1)


def _jugglers_alike(made: _Made, options: GeneratorOptions) -> Chosen:
    rows = _by_juggler(made, options)
    turned = np.stack(
        [np.roll(rows[:, 0], shift, axis=1) for shift in range(rows.shape[2])], axis=1
    )
    alike = (rows[:, :, None] == turned[:, None]).all(axis=(3, 4))
    chosen: Chosen = alike.any(axis=2).all(axis=1)
    return chosen


def _usual_at_first(made: _Made, options: GeneratorOptions, space: Space) -> Chosen:
    """Whether all but the leader throw as from the ground state, to where the next props would be
    due.
    """
    beats = np.arange(made.values.shape[1])[:, None, None]
    place = (beats + made.values) * space.hands + made.to - space.props
    usual = (place >= beats * space.hands) & (place < (beats + 1) * space.hands)
    others = made.hands // options.step != options.leader - 1
    early = beats < options.delay
    chosen: Chosen = (usual | ~made.there | ~others | ~early).all(axis=(1, 2, 3))
    return chosen


def one_of_rotations(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Of loops that are back at their start before the end, choose the rotation whose parts are
    greatest.

    Parts, from start to start, compare by their length and then by their throws.
    """
    chosen = np.ones(len(loops), dtype=bool)
    if options.kind == "all" and not options.rotations:
        back = loops.states == loops.states[:, :1]
        for index in np.flatnonzero(back[:, 1:].any(axis=1)):
            throws = loops.throws[index].tolist()
            turns = np.flatnonzero(back[index]).tolist()
            chosen[index] = _parts(throws, turns, 0) == max(
                _parts(throws, turns, first) for first in range(len(turns))
            )
    return chosen


def _parts(throws: list[Any], turns: list[int], first: int) -> list[tuple[int, list[Any]]]:
    """The parts of a loop between turns, from one of them on, each with its length."""
    bounds = [*turns, len(throws)]
    parts = [(high - low, throws[low:high]) for low, high in pairwise(bounds)]
    return parts[first:] + parts[:first]


def one_of_permutations(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Of loops that differ only in who is who, choose one.

    It is the one in which the first juggler has the highest throws, compared from the highest down,
    then the second, and so on. It can be missing: the search finds a loop from its least state
    only, and drops it if that state comes twice, which may depend on who is who. Then the best of
    those found is chosen. Of equally good ones it is the one with the lowest throws, compared from
    the start on.
    """
    chosen = np.ones(len(loops), dtype=bool)
    if not options.compares_jugglers:
        return chosen
    rows = throws_of_jugglers(loops, options, space)
    rows = -np.sort(-rows.reshape(len(loops), options.jugglers, -1), axis=2)
    orders = list(permutations(range(options.jugglers)))[1:]
    doubtful = np.zeros(len(loops), dtype=bool)
    for order in orders:
        above = _compare(rows[:, order].reshape(len(loops), -1), rows.reshape(len(loops), -1))
        better = above > 0
        if options.kind == "simple" and not options.rotations and better.any():
            better[better] = _found(loops.states[better], order, options, space)
        chosen &= ~better
        doubtful |= above == 0
    for index in np.flatnonzero(chosen & doubtful):
        chosen[index] = _least(loops, int(index), rows[index], orders, options, space)
    return chosen


def _compare(ones: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """Whether rows are lexicographically greater (above 0), equal (0) or less, shape (N,)."""
    signs = np.sign(ones - others)
    first = np.argmax(signs != 0, axis=1)
    found: NDArray[np.int64] = np.take_along_axis(signs, first[:, None], axis=1)[:, 0]
    return found


def _exchanged(
    states: States, order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> States:
    """States with jugglers in another order."""
    hands = [options.step * juggler + side for juggler in order for side in range(options.step)]
    return space.states(space.counts(states)[..., hands])


def _found(
    states: States, order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> Chosen:
    """Whether loops through these states are found with jugglers in another order: the least state
    comes once.
    """
    exchanged = space.order(_exchanged(states, order, options, space))
    once: Chosen = (exchanged == exchanged.min(axis=1, keepdims=True)).sum(axis=1) == 1
    return once


def _least(
    loops: Loops,
    index: int,
    rows: NDArray[np.int64],
    orders: list[tuple[int, ...]],
    options: GeneratorOptions,
    space: Space,
) -> bool:
    """Whether no exchange that keeps the sorted throws gives lower throws, told from the start
    on.
    """
    states = loops.states[index]
    throws = loops.throws[index]
    for order in orders:
        if (rows[list(order)] != rows).any():
            continue
        exchanged = space.order(_exchanged(states, order, options, space))
        least = np.flatnonzero(exchanged == exchanged.min()).tolist()
        if options.kind == "simple" and not options.rotations and len(least) > 1:
            continue
        other = _exchange_throws(throws, order, options, space).tolist()
        if not options.rotations:
            other = other[least[0] :] + other[: least[0]]
            turns = [each - least[0] for each in least]
            other = [
                beat
                for _, part in max(_parts(other, turns, first) for first in range(len(turns)))
                for beat in part
            ]
        if other < throws.tolist():
            return False
    return True


def _exchange_throws(
    throws: NDArray[np.int16], order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> NDArray[np.int16]:
    hands = [options.step * juggler + side for juggler in order for side in range(options.step)]
    values, to = np.divmod(throws[:, hands], space.hands)
    exchanged = values * space.hands + np.argsort(hands)[to]
    return np.sort(np.where(throws[:, hands] >= 0, exchanged, -1), axis=-1).astype(np.int16)
