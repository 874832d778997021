"""Joining: the shortest throws that lead from what plays into another pattern, with props picked up
or put down.

A pattern can follow another after L beats of other throws if the state of the first, L beats older,
fits into that of the second, as for any transition. The throws of these L beats fill what is
missing there. Where the second pattern has more props, the last holes stay empty: there a prop is
picked up in time. Where it has fewer, the first props due are put down and not thrown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Integers
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern.pattern import Pattern, Throw, throw_between
from juggle_anim.pattern.states import Landings
from juggle_anim.pattern.transitions import Fits, find_transitions_from

Site = tuple[int, int]
"""A beat and a hand, 2 · juggler + side."""

_QUICK_HAND_COST = 3  # beats that a join may be longer so that no hand throws twice in a row


@dataclass(frozen=True)
class States:
    """The states before N beats on which one might go over; parts of a beat count as beats.

    Args:
        due: shape (N, depth, H), props due on each coming beat in each of the H hands, up to
            `depth` beats ahead.
        since: shape (N, H), how many beats ago each hand last threw.
    """

    due: Integers
    since: Integers


@dataclass(frozen=True)
class Join:
    """The throws from one pattern into another. Beats, or parts of beats, are counted from the
    exit; hands are 2 · juggler + side.

    Args:
        exit: index of the state of the first pattern that is left.
        entry: index of the state of the other pattern that follows.
        length: beats between.
        throws: in these beats, in order.
        put_down: where a prop is put down in place of a throw.
        picked_up: where a throw of the other pattern needs a prop that is picked up.
    """

    exit: int
    entry: int
    length: int
    throws: tuple[Throw, ...]
    put_down: tuple[Site, ...]
    picked_up: tuple[Site, ...]

    def written(self, division: int) -> tuple[str, ...]:
        """The throws of each beat as siteswap: a digit, a multiplex in brackets, or 0 for none.

        One text for each whole beat of the length. From 10 on values are letters; values that are
        no whole beats are rounded down, and it is not said to which hand throws go.

        Args:
            division: parts into which a beat is divided.
        """
        texts = []
        for beat in range(0, self.length, division):
            thrown = [throw for throw in self.throws if beat <= throw.beat < beat + division]
            values = [np.base_repr(throw.value // division, 36).lower() for throw in thrown]
            if not values:
                texts.append("0")
            elif len(values) == 1:
                texts.append(values[0])
            else:
                texts.append(f"[{''.join(values)}]")
        return tuple(texts)


def shortest_join(
    exits: States,
    entries: States,
    next_pattern: Pattern | None,
    division: int,
    exit_step: int,
    allowed_entries: Collection[int] | None = None,
    drawback: Callable[[Join], int] | None = None,
) -> Join | None:
    """Find the shortest join, or None if there is none.

    Of equally short ones, it is that which begins first, and then the one with the lowest throws.
    A join in which a hand throws on two beats in a row counts as three beats longer for each such
    hand, so one that is up to two beats longer is preferred. Joins are left out in which a prop
    would be picked up before a hand can have fetched it, or a pass would fly for less than two
    beats.

    Args:
        exits: states of the first pattern, before each beat on which it may be left.
        entries: states of the second pattern, before each beat on which it may begin.
        next_pattern: the second pattern; None if only its states are known: then throws are not
            lowered.
        division: parts into which a beat is divided; all beats of states and joins are such parts.
        exit_step: from one state of `exits` to the next, in parts of a beat.
        allowed_entries: indices of the only states of `entries` that may be entered; None for all.
        drawback: a function that says how many beats longer a join counts for another reason, 0 or
            more; None if there is none.
    """
    fits = Fits(exits.due.tolist(), entries.due.tolist(), hands=exits.due.shape[2])
    best_key: tuple[int, int] | None = None  # cost in parts of a beat, and exit
    shortest: Join | None = None
    # Lengths up to three beats more than the depth of the states: by then all props of the first
    # pattern have landed, and its throws can make any state.
    for length in range(exits.due.shape[1] + 3 * division):
        # The cost of a join is at least its length, so longer joins cannot be cheaper than the best
        # one.
        if best_key is not None and best_key[0] <= length:
            break
        pairs = [
            (exit_index, entry_index)
            for exit_index, entry_index in fits.pairs(length)
            if allowed_entries is None or entry_index in allowed_entries
        ]
        if not pairs:
            continue
        quick_hands = _count_quick_hands(exits, entries, length, division)
        cost = (length + _QUICK_HAND_COST * division * quick_hands).tolist()
        # The cheapest pairs of exit and entry first. A drawback can only add to the cost, so from
        # the first pair that is too dear without it, all others are too dear as well.
        for exit_index, entry_index in sorted(
            pairs, key=lambda pair: (cost[pair[0]][pair[1]], pair)
        ):
            least_cost = cost[exit_index][entry_index]
            if best_key is not None and (least_cost, exit_index) >= best_key:
                break
            for join in _joins(
                exits,
                entries,
                exit_index,
                entry_index,
                length,
                all_put_downs=drawback is not None,
            ):
                extra_cost = division * drawback(join) if drawback else 0
                key = least_cost + extra_cost, exit_index
                if best_key is not None and key >= best_key:
                    continue
                # A hand needs two beats to fetch what it picks up, counted from the first exit:
                # that is the earliest time at which anything can change.
                first_pick_up = 2 * division - exit_index * exit_step
                in_time = all(beat >= first_pick_up for beat, _hand in join.picked_up)
                if in_time and not any(_is_hasty(throw, division) for throw in join.throws):
                    best_key = key
                    shortest = join
    if shortest is None or next_pattern is None:
        return shortest
    # Throws can only be lowered by the search for transitions, which knows whole beats and neither
    # puts props down nor picks any up.
    keeps_all_props = not shortest.put_down and not shortest.picked_up
    if shortest.length and keeps_all_props and division == 1:
        return _with_lowest_throws(
            shortest, exits.due[shortest.exit], entries.due[shortest.entry], next_pattern
        )
    return shortest


def _count_quick_hands(exits: States, entries: States, length: int, division: int) -> Integers:
    """How many hands throw twice within two beats because of a join, shape (N, M).

    For each exit and entry: the number of hands whose last throw before the new pattern is less
    than two beats before their first throw in it, where the new pattern itself leaves more time.

    Args:
        exits: N states; with the same H hands as the others.
        entries: M states.
        length: of the join, in parts of a beat.
        division: parts of a beat.
    """
    # Beats from the entry to the first throw of each hand, shape (M, H).
    due = entries.due
    until_first = np.where(due.any(axis=1), due.astype(bool).argmax(axis=1), _BEATS_OF_NO_THROW)
    # Whether each hand throws on each beat of the join, shape (N, length + 1, H): where a prop of
    # the old state is due. The first beat is added and empty, so that `argmax` below has something
    # to search even in a join of length 0.
    throws_on = np.pad(exits.due[:, :length].astype(bool), ((0, 0), (1, 0), (0, 0)))
    # Beats from the last throw of each hand to the entry, shape (N, H), searched backwards from the
    # entry. Without a throw in the join, the last throw was `since` beats before the exit.
    since_last = np.where(
        throws_on.any(axis=1), throws_on[:, ::-1].argmax(axis=1) + 1, exits.since + length
    )
    # From the last throw before the entry to the first after it, shape (N, M, H); and what the new
    # pattern leaves between these throws when it is juggled all the time, two beats at most.
    gaps = since_last[:, None] + until_first[None]
    usual_gaps = np.minimum(entries.since + until_first, 2 * division)
    quick_hands: Integers = (gaps < usual_gaps[None]).sum(axis=2)
    return quick_hands


_BEATS_OF_NO_THROW = 1_000_000  # beats to the first throw of a hand that never throws


def _is_hasty(throw: Throw, division: int) -> bool:
    """Whether a throw is a pass that flies for less than two beats."""
    return throw.juggler != throw.to_juggler and throw.value < 2 * division


def _joins(
    exits: States,
    entries: States,
    exit_index: int,
    entry_index: int,
    length: int,
    *,
    all_put_downs: bool,
) -> Iterator[Join]:
    """Yield joins of some length between two states that fit.

    Each prop is thrown to the next hole of its own juggler, or to the next of all if there is none.
    A hole is a place where the new state needs a prop that is not yet in the air.

    Args:
        exits: states of the first pattern.
        entries: states of the second pattern.
        exit_index: of the state that is left.
        entry_index: of the state that is entered; after `length` beats no prop of the old state may
            be due there where the new one has none.
        length: of the join, in parts of a beat.
        all_put_downs: where k props are put down, whether to yield a join for each k successive
            props that may be put down, not just that which puts down the first k.
    """
    old_due = exits.due[exit_index]
    new_due = entries.due[entry_index]
    # Props of the old state that land after the join, as far as the new state goes.
    already_due = np.zeros_like(new_due)
    landing_later = old_due[length:][: len(new_due)]
    already_due[: len(landing_later)] = landing_later

    # Holes: where a prop is needed after the join. Sources: where one is due in it.
    all_holes = list(_sites(new_due - already_due, length))
    sources = list(_sites(old_due[:length], 0))
    surplus = max(0, len(sources) - len(all_holes))
    choices = len(sources) - surplus + 1 if surplus and all_put_downs else 1
    for first in range(choices):
        # As many props as are too many are put down, one after another from `first` on.
        # The other props are thrown, in order, each into the soonest hole.
        holes = all_holes.copy()
        throws = []
        for beat, hand in (*sources[:first], *sources[first + surplus :]):
            holes_of_juggler = (hole for hole in holes if hole[1] // 2 == hand // 2)
            landing_beat, to_hand = next(holes_of_juggler, holes[0])
            holes.remove((landing_beat, to_hand))
            throws.append(throw_between(beat, hand, landing_beat, to_hand))
        # Where the new pattern has more props, holes are left: there props are picked up.
        yield Join(
            exit_index,
            entry_index,
            length,
            throws=tuple(throws),
            put_down=tuple(sources[first : first + surplus]),
            picked_up=tuple(holes),
        )


def _sites(counts: Integers, shift: int) -> Iterator[Site]:
    """Yield the beat and hand of each prop, by beat and then by hand.

    Counts of 0 or below yield nothing; those above 1 yield the site as many times.

    Args:
        counts: props in each hand on each beat, shape (beats, H).
        shift: the number that the first beat gets; others count on from there.
    """
    for beat, hand in np.argwhere(counts > 0).tolist():
        for _prop in range(int(counts[beat, hand])):
            yield beat + shift, hand


def _with_lowest_throws(
    join: Join, old_due: Integers, new_due: Integers, next_pattern: Pattern
) -> Join:
    """The same join with the lowest throws, unless a hand then throws on two beats in a row.

    It stays as it is, too, if no transition of the same length is found or if a pass in it would be
    too low.

    Args:
        join: with whole beats, which keeps all props.
        old_due, new_due: props due on each coming beat in each hand, shape (depth, H), at its exit
            and its entry. At least one prop must be due in `old_due`.
        next_pattern: the pattern that follows.
    """
    # The search takes states as tuples that end with the last beat on which a prop is due, without
    # the empty beats after that.
    last_due = int(np.flatnonzero(old_due.any(axis=1))[-1])
    state: Landings = tuple(map(tuple, old_due[: 1 + last_due].tolist()))
    transition = next(
        find_transitions_from(state, next_pattern, entries=[join.entry], mirrored=False), None
    )
    if transition is None or transition.length != join.length:
        return join

    # On which beats each hand throws, shape (length + 1, H): the beats of the join, and the first
    # beat of the new pattern.
    busy = np.concatenate([np.zeros((join.length, old_due.shape[1]), dtype=bool), new_due[:1] > 0])
    for throw in transition.throws:
        busy[throw.beat, 2 * throw.juggler + throw.hand] = True
    twice_in_a_row = (busy[1:] & busy[:-1]).any()
    if twice_in_a_row or any(_is_hasty(throw, 1) for throw in transition.throws):
        return join
    return replace(join, throws=transition.throws)
