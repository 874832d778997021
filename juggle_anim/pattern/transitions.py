"""Transitions: the shortest throws that lead from one pattern, or any state, into another
pattern.
"""

from __future__ import annotations

import dataclasses
import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from juggle_anim.errors import PatternError, counted
from juggle_anim.language import _
from juggle_anim.pattern.pattern import Pattern, Throw, catching_hand
from juggle_anim.pattern.states import Landings, states_of
from juggle_anim.pattern.transition_search import Fits, ThrowSearch, TransitionRules, throw_order


class Transition(NamedTuple):
    """Throws that lead from one pattern into another.

    Attributes:
        exit: the beat of the first pattern whose throws are no longer made.
        throws: what is thrown instead; their beats count from there.
        length: in beats, or parts of beats where a pattern has them.
        entry: the beat of the second pattern that follows.
        mirrored: whether the second pattern goes on with left and right hands swapped.
    """

    exit: int
    throws: tuple[Throw, ...]
    length: int
    entry: int
    mirrored: bool = False


def find_transitions(
    start: Pattern,
    end: Pattern,
    rules: TransitionRules | None = None,
    *,
    exits: Sequence[int] | None = None,
    entries: Sequence[int] | None = None,
    mirrored: bool | None = None,
    longest: int | None = None,
    direct: bool = False,
    cancelled: Callable[[], bool] | None = None,
) -> Iterator[Transition]:
    """Find the shortest throws from one pattern into another, in lexicographic order.

    A transition of some length exists where the props that are due after it in the first pattern
    are all due in the second one, too: B. Polster, The Mathematics of Juggling (Springer, 2003).
    Where the first pattern throws on turns of the second one, throws of the transition keep to
    these; else they go to any hand.

    Args:
        start: the pattern that is left.
        end: the pattern that follows.
        rules: what throws may be; by default no multiplexes but those of the patterns.
        exits: the beats on which the first may be left, any whole numbers; None for all.
        entries: the beats on which the second may be entered; None for all.
        mirrored: whether its hands are swapped; None for either.
        longest: find longer transitions too, up to so many beats; None for the shortest only.
        direct: whether of equally long ones those come first whose throws land in the second
            pattern at once, there as soon as they can; else the order is lexicographic.
        cancelled: asked while searching; once it says yes, no more are found.

    Returns:
        Transitions, found while they are asked for: shortest first; of one length in the order of
        their values, then of exits and entries.

    Raises:
        PatternError: the numbers of props or jugglers differ, or no transition exists within the
            rules.
    """
    rules = rules or TransitionRules()
    _check_alike(start, end)
    division = math.lcm(start.division, end.division)
    start = _divided(start, division)
    end = _divided(end, division)
    states = tuple(states_of(start))
    made = _arrivals(start)
    # What flies where decides about squeezes alone.
    squeezes = rules.multiplex > 1 and not rules.squeezes
    alike: dict[tuple[Landings, int], list[int]] = {}
    for beat in _beats(start) if exits is None else exits:
        alike.setdefault((states[beat % start.period], beat * squeezes), []).append(beat)
    starts = [
        _Start(tuple(beats), state, partial(_flying, made, start.period, beats[0]))
        for (state, _unused), beats in alike.items()
    ]
    return _Joints(end, rules, entries, mirrored, direct, cancelled).find(starts, longest)


def find_transitions_from(
    state: Landings,
    end: Pattern,
    rules: TransitionRules | None = None,
    *,
    entries: Sequence[int] | None = None,
    mirrored: bool | None = None,
    longest: int | None = None,
    direct: bool = False,
    cancelled: Callable[[], bool] | None = None,
) -> Iterator[Transition]:
    """Find the shortest throws from a state into a pattern, as `find_transitions` does; their exit
    is 0.

    Args:
        state: props due on each coming beat in each hand, as `state_at` gives them; in the parts of
            beats that `end` has.
        end, rules, entries, mirrored, longest, direct, cancelled: as there.

    Raises:
        PatternError: the numbers of props or jugglers differ, or no transition exists within the
            rules.
    """
    rules = rules or TransitionRules()
    props = sum(map(sum, state))
    if props != end.props:
        raise _unequal(props, end.props)
    if state and len(state[0]) != 2 * end.jugglers:
        ours = counted(len(state[0]) // 2, "juggler")
        theirs = counted(end.jugglers, "juggler")
        raise PatternError(
            _("the state is of {ours}, but the pattern of {theirs}", ours=ours, theirs=theirs)
        )
    start = _Start((0,), state, lambda beat, hand: state[beat][hand] if beat < len(state) else 0)
    return _Joints(end, rules, entries, mirrored, direct, cancelled).find([start], longest)


class _Start(NamedTuple):
    """Where a transition may begin.

    Attributes:
        beats: all exits with one state.
        state: that state.
        flying: how many props come to a hand on a beat after it, holds left out.
    """

    beats: tuple[int, ...]
    state: Landings
    flying: Callable[[int, int], int]


class _Goal(NamedTuple):
    """Where a transition may end: all entries with one state and turn, whether hands are swapped,
    and the state.
    """

    beats: tuple[int, ...]
    mirrored: bool
    state: Landings


_Joint = tuple[_Start, _Goal, Callable[[int, int], bool] | None]
"""Where a transition may begin and end, and whose turn it is in between; None where any hand may
throw.
"""

_PATIENCE = 10_000  # throws that are tried for one length before a transition is found


class _Joints:
    """All places where throws may join a pattern; the arguments are those of `find_transitions`."""

    def __init__(
        self,
        end: Pattern,
        rules: TransitionRules,
        entries: Sequence[int] | None,
        mirrored: bool | None,
        direct: bool,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self.end = end
        self.rules = rules
        self.direct = direct
        self.cancelled = cancelled or (lambda: False)
        self.rhythm = _rhythm(end)
        sides = (
            (mirrored,)
            if mirrored is not None
            else (False,)
            if _is_symmetric(end)
            else (False, True)
        )
        entries = _beats(end) if entries is None else entries
        states = tuple(states_of(end))
        alike: dict[tuple[Landings, int, bool], list[int]] = {}
        for entry in entries:
            for side in sides:
                key = states[entry % end.period], entry % len(self.rhythm), side
                alike.setdefault(key, []).append(entry)
        self.goals = [
            _Goal(tuple(beats), side, _swapped(state) if side else state)
            for (state, _unused, side), beats in alike.items()
        ]

    def find(self, starts: Sequence[_Start], longest: int | None) -> Iterator[Transition]:
        """Transitions from some states, shortest first."""
        fits = Fits(
            [start.state for start in starts],
            [goal.state for goal in self.goals],
            2 * self.end.jugglers,
        )
        highest = max((len(start.state) for start in starts), default=0)
        in_turn = not self.rules.any_hand and any(
            self._in_turn(start.state, beat, side)
            for start in starts
            for side in {goal.mirrored for goal in self.goals}
            for beat in range(len(self.rhythm))
        )
        bound = max(highest + 2 * len(self.rhythm) + self.end.division, longest or 0)
        found = False
        tried = 0
        for length in range(bound + 1):
            if tried > _PATIENCE and length < highest + self.end.division:
                # Later no prop of the first pattern is left in the air, and any throw may land in
                # the second one.
                continue
            joints = list(self._joints(starts, fits.pairs(length), length, in_turn))
            searches = [self._search(joint, length, _PATIENCE // len(joints)) for joint in joints]
            streams = [self._between(*each) for each in zip(joints, searches, strict=True)]
            for transition in heapq.merge(*streams, key=partial(_order, direct=self.direct)):
                found = True
                yield transition
            if self.cancelled() or (found and length >= (longest or 0)):
                return
            tried += sum(search.tried for search in searches)
            if tried > 3 * _PATIENCE:
                bound = length
                break
        if not found:
            capped = (
                _(" with throws up to {max_throw}", max_throw=self.rules.max_throw)
                if self.rules.max_throw
                else ""
            )
            after = _("; {tried} throws were tried", tried=tried) if tried else ""
            raise PatternError(
                _(
                    "no transition of up to {bound} beats was found{capped}{after}",
                    bound=bound,
                    capped=capped,
                    after=after,
                )
            )

    def _joints(
        self, starts: Sequence[_Start], pairs: Iterable[tuple[int, int]], length: int, in_turn: bool
    ) -> Iterator[_Joint]:
        """Starts and goals that throws of some beats may join, of those whose states fit, and whose
        turn it is then.
        """
        for number, other in pairs:
            if self.cancelled():
                return
            start = starts[number]
            goal = self.goals[other]
            first = goal.beats[0] - length
            if in_turn and not self._in_turn(start.state, first, goal.mirrored):
                continue
            is_turn = partial(self._is_turn, first, goal.mirrored) if in_turn else None
            yield start, goal, is_turn

    def _search(
        self, joint: _Joint, length: int, patience: int, straight: bool = False
    ) -> ThrowSearch:
        start, goal, is_turn = joint
        return ThrowSearch(
            *(start.state, goal.state, length, self.rules),
            jugglers=self.end.jugglers,
            division=self.end.division,
            is_turn=is_turn,
            flying=start.flying,
            direct=self.direct,
            straight=straight,
            patience=patience,
            cancelled=self.cancelled,
        )

    def _between(self, joint: _Joint, search: ThrowSearch) -> Iterator[Transition]:
        yield from _transitions(joint, search, search.find())
        if search.gave_up:
            # So many throws lead nowhere that the order would take too long; those that stop
            # nowhere lead there soon.
            straight = self._search(joint, search.length, search.patience, straight=True)
            yield from _transitions(joint, straight, islice(straight.find(), 1))

    def _in_turn(self, state: Landings, first: int, side: bool) -> bool:
        """Whether all props of a state are due on turns of the pattern, if its first beat is that
        one of it.
        """
        return all(
            not count or self._is_turn(first, side, beat, hand)
            for beat, counts in enumerate(state)
            for hand, count in enumerate(counts)
        )

    def _is_turn(self, first: int, side: bool, beat: int, hand: int) -> bool:
        return hand ^ side in self.rhythm[(first + beat) % len(self.rhythm)]


def _transitions(
    joint: _Joint, search: ThrowSearch, found: Iterable[tuple[Throw, ...]]
) -> Iterator[Transition]:
    start, goal, _unused = joint
    for throws in found:
        for first in start.beats:
            for entry in goal.beats:
                yield Transition(first, throws, search.length, entry, goal.mirrored)


def _order(transition: Transition, direct: bool) -> tuple[object, ...]:
    """The order of transitions of one length: beat by beat, right hands first."""
    beats: list[list[tuple[int, ...]]] = [[] for _ in range(transition.length)]
    for throw in transition.throws:
        beats[throw.beat].append(throw_order(throw, transition.length if direct else None))
    return beats, transition.exit, transition.entry, transition.mirrored


def _check_alike(start: Pattern, end: Pattern) -> None:
    if start.props != end.props:
        raise _unequal(start.props, end.props)
    if start.jugglers != end.jugglers:
        ours = counted(start.jugglers, "juggler")
        theirs = counted(end.jugglers, "juggler")
        raise PatternError(
            _(
                "the first pattern is of {ours} and the second of {theirs}: they must be as many",
                ours=ours,
                theirs=theirs,
            )
        )


def _unequal(props: int, others: int) -> PatternError:
    ours = counted(props, "prop")
    theirs = counted(others, "prop")
    return PatternError(
        _(
            "the first pattern has {ours} and the second {theirs}: a transition keeps all props "
            "and takes no more",
            ours=ours,
            theirs=theirs,
        )
    )


def _divided(pattern: Pattern, division: int) -> Pattern:
    """The pattern with beats that are divided into more parts."""
    parts = division // pattern.division
    if parts == 1:
        return pattern
    throws = tuple(
        throw._replace(beat=parts * throw.beat, value=parts * throw.value)
        for throw in pattern.throws
    )
    turns = tuple((parts * beat, juggler, hand) for beat, juggler, hand in pattern.turns)
    period = parts * pattern.period
    written = parts * pattern.written_period
    return dataclasses.replace(
        pattern,
        throws=throws,
        turns=turns,
        period=period,
        written_period=written,
        division=division,
    )


def _rhythm(pattern: Pattern) -> list[frozenset[int]]:
    """The hands whose turn it is on each beat, until that repeats."""
    beats: list[set[int]] = [set() for _ in range(pattern.period)]
    for beat, juggler, hand in pattern.turns:
        beats[beat].add(2 * juggler + hand)
    lengths = (length for length in range(1, len(beats) + 1) if len(beats) % length == 0)
    length = next(
        length for length in lengths if beats[length:] == beats[:-length] or length == len(beats)
    )
    return [frozenset(hands) for hands in beats[:length]]


def _beats(pattern: Pattern) -> list[int]:
    """The beats on which hands have their turn, until the pattern comes again, perhaps with hands
    swapped.
    """
    throws = set(pattern.throws)
    period = pattern.period
    images = (throws, _mirror(throws))
    lengths = (length for length in range(1, period + 1) if period % length == 0)
    length = next(
        length
        for length in lengths
        if {throw._replace(beat=(throw.beat + length) % period) for throw in pattern.throws}
        in images
    )
    return sorted({turn[0] for turn in pattern.turns if turn[0] < length}) or [0]


def _is_symmetric(pattern: Pattern) -> bool:
    return _mirror(pattern.throws) == set(pattern.throws)


def _mirror(throws: Iterable[Throw]) -> set[Throw]:
    return {throw._replace(hand=1 - throw.hand, to_hand=1 - throw.to_hand) for throw in throws}


def _swapped(state: Landings) -> Landings:
    return tuple(tuple(counts[hand ^ 1] for hand in range(len(counts))) for counts in state)


def _arrivals(pattern: Pattern) -> dict[tuple[int, int], list[int]]:
    """The values of throws that are no holds, by the beat of the loop and the hand in which they
    land.
    """
    found: dict[tuple[int, int], list[int]] = {}
    for throw in pattern.throws:
        near = throw.value <= 2 * pattern.division and throw[1:3] == throw[4:6]
        if throw.held is False or not (near or throw.held):
            landing = (throw.beat + throw.value) % pattern.period, catching_hand(throw)
            found.setdefault(landing, []).append(throw.value)
    return found


def _flying(
    arrivals: dict[tuple[int, int], list[int]], period: int, first: int, beat: int, hand: int
) -> int:
    """How many props that were thrown before an exit fly into a hand on a beat after it."""
    return sum(value > beat for value in arrivals.get(((first + beat) % period, hand), ()))
