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

_QUICK_HAND_COST = 3  # beats that a join may be longer so that no hand throws twice in a row


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
    """Find the shortest join.

    Of equally short ones, it is that which begins first, and then the one with the lowest throws.
    Two or three beats more are taken where otherwise a hand would throw on two beats in a row.

    Args:
        old: for each beat on which the first pattern may be left, `step` after one another.
        new: for each beat of the second on which it may begin.
        end: the second pattern; None if states alone are known of it.
        division: parts of a beat.
        step: parts of a beat.
        entries: the beats of the second on which alone it may begin; None for all of them.
        drawback: how many beats longer another join may be than one with a drawback; None if no
            join has any.
    """
    fits = Fits(old.due.tolist(), new.due.tolist(), old.due.shape[2])
    best: tuple[int, int] | None = None
    shortest: Join | None = None
    for length in range(old.due.shape[1] + 3 * division):
        if best is not None and best[0] <= length:
            break
        pairs = [pair for pair in fits.pairs(length) if entries is None or pair[1] in entries]
        if not pairs:
            continue
        quick_hands = _count_quick_hands(old, new, length, division)
        cost = (length + _QUICK_HAND_COST * division * quick_hands).tolist()
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
                    shortest = join
    if shortest is None or end is None:
        return shortest
    keeps_all_props = not shortest.put_down and not shortest.picked
    if shortest.length and keeps_all_props and division == 1:
        return _with_lowest_throws(shortest, old.due[shortest.exit], new.due[shortest.entry], end)
    return shortest


def _count_quick_hands(old: States, new: States, length: int, division: int) -> Integers:
    """How many hands throw twice within two beats because of a join, shape (N, M).

    For each exit and entry: hands whose last throw before the new pattern is less than two beats
    before their first in it, where the new pattern itself leaves them more time.
    """
    # Beats from the entry to the first throw of each hand, shape (M, H).
    first = np.where(new.due.any(axis=1), new.due.astype(bool).argmax(axis=1), _NEVER)
    # One more beat before, on which nothing is due, stands for no beat at all.
    before = np.pad(old.due[:, :length].astype(bool), ((0, 0), (1, 0), (0, 0)))
    # Beats from the last throw of each hand to the entry, shape (N, H).
    last = np.where(before.any(axis=1), before[:, ::-1].argmax(axis=1) + 1, old.since + length)
    gaps = last[:, None] + first[None]
    usual = np.minimum(new.since + first, 2 * division)
    quick: Integers = (gaps < usual[None]).sum(axis=2)
    return quick


_NEVER = 1_000_000  # beats; a hand that never throws


def _is_hasty(throw: Throw, division: int) -> bool:
    """Whether a throw is a pass that flies for less than two beats."""
    return throw.juggler != throw.to_juggler and throw.value < 2 * division


def _joins(
    old: States, new: States, leave: int, entry: int, length: int, every: bool
) -> Iterator[Join]:
    """The throws that lead there, each to the next hole of its own juggler if there is one.

    Where props are put down, the first ones due are; with `every`, then later ones, too.
    """
    # Props of the old state that land after the join, as far as the new state goes.
    already_due = np.zeros_like(new.due[entry])
    landing_later = old.due[leave, length:][: len(already_due)]
    already_due[: len(landing_later)] = landing_later
    all_holes = list(_sites(new.due[entry] - already_due, length))
    sources = list(_sites(old.due[leave, :length], 0))
    put_down = max(0, len(sources) - len(all_holes))
    choices = len(sources) - put_down + 1 if put_down and every else 1
    for first in range(choices):
        holes = all_holes.copy()
        throws = []
        for beat, hand in (*sources[:first], *sources[first + put_down :]):
            juggler, side = divmod(hand, 2)
            hole = next((hole for hole in holes if hole[1] // 2 == juggler), holes[0])
            holes.remove(hole)
            lands, to_hand = hole
            throws.append(Throw(beat, juggler, side, lands - beat, *divmod(to_hand, 2)))
        yield Join(
            leave,
            entry,
            length,
            throws=tuple(throws),
            put_down=tuple(sources[first : first + put_down]),
            picked=tuple(holes),
        )


def _sites(counts: Integers, shift: int) -> Iterator[Site]:
    """The beats, some later, and hands of counts of shape (beats, H); once for each prop."""
    for beat, hand in np.argwhere(counts > 0).tolist():
        for _prop in range(int(counts[beat, hand])):
            yield beat + shift, hand


def _with_lowest_throws(join: Join, old: Integers, new: Integers, end: Pattern) -> Join:
    """The same join with the lowest throws, unless a hand then throws on two beats in a row.

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
    twice_in_a_row = (busy[1:] & busy[:-1]).any()
    if twice_in_a_row or any(_is_hasty(throw, 1) for throw in transition.throws):
        return join
    return replace(join, throws=transition.throws)
