"""Joining: the shortest throws that lead from what plays into another pattern, with props picked up
or put down.

A pattern can follow another after L beats of other throws if the state of the first, L beats older,
fits into that of the second, as for any transition. The throws of these L beats fill what is
missing there. Where the second pattern has more props, the last holes stay empty: there a prop is
picked up in time. Where it has fewer, the first props due are put down and not thrown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.arrays import Integers
from juggle_anim.pattern.pattern import Pattern, Throw
from juggle_anim.pattern.states import Landings
from juggle_anim.pattern.transitions import Fits, find_transitions_from

Site = tuple[int, int]
"""A beat and a hand, 2 · juggler + side."""

_QUICK = 3
"""How many more beats are worth that no hand throws on two beats in a row."""


@dataclass(frozen=True)
class States:
    """What surrounds N beats on which one might go over; parts of a beat count as beats.

    Args:
        due: shape (N, depth, H), props due on each coming beat in each hand.
        since: shape (N, H), how long ago each hand last had a prop to throw.
    """

    due: Integers
    since: Integers


@dataclass(frozen=True)
class Join:
    """The throws from one pattern into another; beats are counted from the exit, hands as 2 ·
    juggler + side.

    Args:
        exit: which of the beats on which one might leave.
        entry: which of the beats of the other pattern follows.
        length: beats between.
        throws: in these beats, in order.
        put_down: where a prop is put down in place of a throw.
        picked: where a throw of the other pattern needs a prop that is picked up.
    """

    exit: int
    entry: int
    length: int
    throws: tuple[Throw, ...]
    put_down: tuple[Site, ...]
    picked: tuple[Site, ...]

    def written(self, division: int) -> tuple[str, ...]:
        """The throws of each beat of so many parts, as digits."""
        texts = []
        for beat in range(0, self.length, division):
            made = [throw for throw in self.throws if beat <= throw.beat < beat + division]
            values = [np.base_repr(throw.value // division, 36).lower() for throw in made]
            texts.append(
                "".join(values) if len(values) == 1 else f"[{''.join(values)}]" if values else "0"
            )
        return tuple(texts)


def shortest_join(
    old: States,
    new: States,
    end: Pattern | None,
    division: int,
    step: int,
    entries: Collection[int] | None = None,
    drawback: Callable[[Join], int] | None = None,
) -> Join | None:
    """Find the shortest join; of equally short ones that which begins first, and then the one with
    the lowest throws.

    Two or three beats more are taken where otherwise a hand would throw on two beats in a row.

    Args:
        old: for each beat on which the first pattern may be left, `step` after one another.
        new: for each beat of the second on which it may begin.
        end: the second pattern; None if states alone are known of it.
        division: parts of a beat.
        step: parts of a beat.
        entries: the beats of the second on which alone it may begin; None for all of them.
        drawback: how many more beats a join is worth that has not what it takes from; None if all
            are as good.
    """
    fits = Fits(old.due.tolist(), new.due.tolist(), old.due.shape[2])
    best: tuple[int, int] | None = None
    found: Join | None = None
    for length in range(old.due.shape[1] + 3 * division):
        if best is not None and best[0] <= length:
            break
        pairs = [pair for pair in fits.pairs(length) if entries is None or pair[1] in entries]
        if not pairs:
            continue
        cost = (length + _QUICK * division * _quick(old, new, length, division)).tolist()
        for leave, entry in sorted(pairs, key=lambda pair: (cost[pair[0]][pair[1]], pair)):
            key = cost[leave][entry], leave
            if best is not None and key >= best:
                break
            for join in _joins(old, new, leave, entry, length, every=drawback is not None):
                worth = key[0] + (division * drawback(join) if drawback else 0), leave
                if best is not None and worth >= best:
                    continue
                in_time = all(beat + leave * step >= 2 * division for beat, _ in join.picked)
                if in_time and not any(_is_hasty(throw, division) for throw in join.throws):
                    best = worth
                    found = join
    if found and end and found.length and not found.put_down and not found.picked and division == 1:
        return _lowest(found, old.due[found.exit], new.due[found.entry], end)
    return found


def _quick(old: States, new: States, length: int, division: int) -> Integers:
    """How many hands throw a last time before the new pattern less than two beats before their
    first in it, (N, M).
    """
    first = np.where(new.due.any(axis=1), new.due.astype(bool).argmax(axis=1), 1_000_000)
    # One more beat before, on which nothing is due, stands for no beat at all.
    before = np.pad(old.due[:, :length].astype(bool), ((0, 0), (1, 0), (0, 0)))
    within = np.where(before.any(axis=1), before[:, ::-1].argmax(axis=1) + 1, old.since + length)
    gaps = within[:, None] + first[None]
    own = np.minimum(new.since + first, 2 * division)
    quick: Integers = (gaps < np.minimum(2 * division, own)[None]).sum(axis=2)
    return quick


def _is_hasty(throw: Throw, division: int) -> bool:
    """Whether a throw is a pass that flies for less than two beats."""
    return throw.juggler != throw.to_juggler and throw.value < 2 * division


def _joins(
    old: States, new: States, leave: int, entry: int, length: int, every: bool
) -> Iterator[Join]:
    """The throws that lead there, each to the next hole of its own juggler if there is one.

    Where props are put down, the first ones due are; with `every`, then later ones, too.
    """
    rest = np.zeros_like(new.due[entry])
    still = old.due[leave, length:][: len(rest)]
    rest[: len(still)] = still
    wanted = list(_sites(new.due[entry] - rest, length))
    sources = list(_sites(old.due[leave, :length], 0))
    fewer = max(0, len(sources) - len(wanted))
    for first in range(len(sources) - fewer + 1 if fewer and every else 1):
        holes = wanted.copy()
        throws = []
        for beat, hand in (*sources[:first], *sources[first + fewer :]):
            own = next((hole for hole in holes if hole[1] // 2 == hand // 2), holes[0])
            holes.remove(own)
            throws.append(Throw(beat, hand // 2, hand % 2, own[0] - beat, own[1] // 2, own[1] % 2))
        yield Join(
            leave, entry, length, tuple(throws), tuple(sources[first : first + fewer]), tuple(holes)
        )


def _sites(counts: Integers, shift: int) -> Iterator[Site]:
    for beat, hand in np.argwhere(counts > 0).tolist():
        for _ in range(int(counts[beat, hand])):
            yield beat + shift, hand


def _lowest(join: Join, old: Integers, new: Integers, end: Pattern) -> Join:
    """The same join with the lowest throws, where no hand has to throw on two beats in a row for
    that.

    Args:
        join: with whole beats, which keeps all props.
        old, new: props due on each coming beat in each hand, shape (depth, H), at its exit and its
            entry.
        end: the pattern that follows.
    """
    due = old[: 1 + int(np.flatnonzero(old.any(axis=1))[-1])].tolist()
    state: Landings = tuple(tuple(counts) for counts in due)
    transition = next(find_transitions_from(state, end, entries=[join.entry], mirrored=False), None)
    if transition is None or transition.length != join.length:
        return join
    busy = np.concatenate([np.zeros((join.length, old.shape[1]), dtype=bool), new[:1] > 0])
    for throw in transition.throws:
        busy[throw.beat, 2 * throw.juggler + throw.hand] = True
    hasty = any(_is_hasty(throw, 1) for throw in transition.throws)
    return (
        join if hasty or (busy[1:] & busy[:-1]).any() else replace(join, throws=transition.throws)
    )
