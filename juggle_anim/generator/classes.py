"""One pattern of each class: of rotations of a composite pattern, and of jugglers who change places."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juggle_anim.generator.filters import Chosen, throws_of_jugglers
from juggle_anim.generator.options import GeneratorOptions
from juggle_anim.generator.search import Loops, Space, States


def one_of_rotations(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Of loops that are back at their start before the end, choose the rotation whose parts are greatest.

    Parts, from start to start, compare by their length and then by their throws.
    """
    chosen = np.ones(len(loops), dtype=bool)
    if options.kind == "all" and not options.rotations:
        back = loops.states == loops.states[:, :1]
        for index in np.flatnonzero(back[:, 1:].any(axis=1)):
            throws = loops.throws[index].tolist()
            turns = np.flatnonzero(back[index]).tolist()
            chosen[index] = _parts(throws, turns, 0) == max(_parts(throws, turns, first) for first in range(len(turns)))
    return chosen


def _parts(throws: list[Any], turns: list[int], first: int) -> list[tuple[int, list[Any]]]:
    """The parts of a loop between turns, from one of them on, each with its length."""
    bounds = [*turns, len(throws)]
    parts = [(high - low, throws[low:high]) for low, high in pairwise(bounds)]
    return parts[first:] + parts[:first]


def one_of_permutations(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Of loops that differ only in who is who, choose one.

    It is the one in which the first juggler has the highest throws, compared from the highest down, then the second,
    and so on. It can be missing: the search finds a loop from its least state only, and drops it if that state comes
    twice, which may depend on who is who. Then the best of those found is chosen. Of equally good ones it is the one
    with the lowest throws, compared from the start on.
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


def _exchanged(states: States, order: tuple[int, ...], options: GeneratorOptions, space: Space) -> States:
    """States with jugglers in another order."""
    hands = [options.step * juggler + side for juggler in order for side in range(options.step)]
    return space.states(space.counts(states)[..., hands])


def _found(states: States, order: tuple[int, ...], options: GeneratorOptions, space: Space) -> Chosen:
    """Whether loops through these states are found with jugglers in another order: the least state comes once."""
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
    """Whether no exchange that keeps the sorted throws gives lower throws, told from the start on."""
    states, throws = loops.states[index], loops.throws[index]
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
                beat for _, part in max(_parts(other, turns, first) for first in range(len(turns))) for beat in part
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
