"""Transitions: the shortest throws that lead from one pattern, or any state, into another
pattern.

Joining: the shortest throws that lead from what plays into another pattern, with props picked up
or put down.

A pattern can follow another after L beats of other throws if the state of the first, L beats older,
fits into that of the second, as for any transition. The throws of these L beats fill the holes that
remain there. Where the second pattern has more props, the last holes stay empty: there a prop is
picked up in time. Where it has fewer, the first props due are put down and not thrown.
"""

from __future__ import annotations

import dataclasses
import heapq
import math
import struct
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Integers
from juggle_anim.errors import ParameterError, PatternError, counted
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern.pattern import (
    LEFT,
    RIGHT,
    Pattern,
    Throw,
    catching_hand,
    grouped,
    hand_number,
    hand_of,
    juggler_of_hand,
    other_hand_of,
    repeat_length,
    throw_between,
)
from juggle_anim.pattern.states import Landings, states_of


class Transition(NamedTuple):
    """Throws that lead from one pattern into another.

    Attributes:
        exit: the first beat of the first pattern whose throws are not made any more.
        throws: the throws made instead; their beats count from the exit.
        length: duration, [beats], or parts of beats if a pattern has them.
        entry: the beat of the second pattern that follows the throws.
        mirrored: whether the second pattern goes on with left and right hands swapped; if not,
            unchanged.
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
    """Find the shortest throws from one pattern into another, by default in lexicographic order.

    A transition of a given length exists if all props that are due after it in the first pattern
    are due in the second one, too: B. Polster, The Mathematics of Juggling (Springer, 2003). If all
    props of the first pattern are due on turns of hands in the second one, throws of the transition
    land on such turns only; else they may land in any hand on any beat.

    Args:
        start: the pattern that is left.
        end: the pattern that follows.
        rules: which throws are allowed; by default no multiplexes except those of the patterns.
        exits: the beats on which the first may be left, any whole numbers; None for all of one
            period, in parts of a beat that suit both patterns.
        entries: the beats on which the second may be entered; None for all of one period, too.
        mirrored: whether the second goes on with left and right hands swapped; None for either.
        longest: also find longer transitions, up to this number of beats; None for the shortest
            only.
        direct: the order of transitions of one length. True: first those whose throws land after
            the transition, lower throws first. False: lexicographic by values.
        cancelled: asked while searching; once it returns True the search ends, without an error.

    Returns:
        An iterator that searches as it is advanced: shortest transitions first; those of one length
        by values, then by exits and entries.

    Raises:
        PatternError: the numbers of props or jugglers differ, or no transition exists within the
            rules.
    """
    rules = rules or TransitionRules()
    _check_alike(start, end)
    # In parts of a beat that suit both patterns.
    division = math.lcm(start.division, end.division)
    start = _divided(start, division)
    end = _divided(end, division)
    starts = _starts_at(start, _distinct_beats(start) if exits is None else exits, rules)
    search = _TransitionSearch(
        end, rules, entries=entries, mirrored=mirrored, direct=direct, cancelled=cancelled
    )
    return search.find(starts, longest)


def find_transitions_from(
    state: Landings,
    end: Pattern,
    *,
    entries: Sequence[int] | None = None,
    mirrored: bool | None = None,
) -> Iterator[Transition]:
    """Find the shortest throws from a state into a pattern, as `find_transitions` does.

    Of several throws at once only those of the pattern are allowed.

    Args:
        state: props due on each coming beat in each hand, as from `state_at`, in the parts of beats
            of `end`. It may be empty.
        end: the pattern that follows.
        entries: the beats on which the pattern may be entered, any whole numbers; None for all of
            one period.
        mirrored: whether it goes on with left and right hands swapped; None for either.

    Returns:
        An iterator that searches as it is advanced; all transitions are equally short and have exit
        0.

    Raises:
        PatternError: the numbers of props or jugglers differ, or no transition exists within the
            rules.
    """
    props = sum(map(sum, state))
    if props != end.props:
        raise _unequal_props_error(props, end.props)
    if state and len(state[0]) != 2 * end.jugglers:
        ours = counted(len(state[0]) // 2, "juggler")
        theirs = counted(end.jugglers, "juggler")
        raise PatternError(
            _("the state has {ours}, but the pattern has {theirs}", ours=ours, theirs=theirs)
        )
    # Nothing is known of the throws before, so no prop counts as held.
    start = _Start(
        exits=(0,),
        state=state,
        count_flying=lambda beat, hand: state[beat][hand] if beat < len(state) else 0,
    )
    search = _TransitionSearch(
        end, TransitionRules(), entries=entries, mirrored=mirrored, direct=False, cancelled=None
    )
    return search.find([start], None)


def _starts_at(pattern: Pattern, exits: Iterable[int], rules: TransitionRules) -> list[_Start]:
    """Return the states in which a pattern may be left, each with all exits that have it.

    Exits with the same state are one start, searched once: what can follow depends on the state
    alone. The exception are multiplexes without squeezes (several props caught at once): there it
    also matters which of the props fly and which are held, and that may differ between exits with
    the same state. So then each exit is a start of its own.

    Args:
        pattern: the pattern that is left.
        exits: the beats on which it may be left, any whole numbers.
        rules: which throws are allowed.
    """
    # The state before each beat of the loop: props due on each coming beat, by hand. And the values
    # of the throws, except holds, by where they land.
    states = tuple(states_of(pattern))
    arrivals = _flight_values_by_landing(pattern)
    tells_exits_apart = rules.multiplex > 1 and not rules.squeezes
    exits_by_start = grouped(
        ((states[exit_beat % pattern.period], exit_beat if tells_exits_apart else None), exit_beat)
        for exit_beat in exits
    )
    return [
        _Start(
            tuple(exit_beats),
            state,
            count_flying=partial(_count_flying, arrivals, pattern.period, exit_beats[0]),
        )
        for (state, _only_exit), exit_beats in exits_by_start.items()
    ]


class _Start(NamedTuple):
    """A state from which a transition may begin.

    Attributes:
        exits: all beats with this state on which the first pattern may be left.
        state: the state of these exits.
        count_flying: function of a beat since the exit and a hand (2 · juggler + side) that returns
            how many props fly into that hand then, without holds.
    """

    exits: tuple[int, ...]
    state: Landings
    count_flying: Callable[[int, int], int]


class _Goal(NamedTuple):
    """A state with which a transition may end.

    Attributes:
        entries: all beats of the second pattern with this state and the same turns of hands.
        mirrored: whether the second pattern goes on with left and right hands swapped; if not,
            unchanged.
        state: the state before these entries, swapped if `mirrored`.
    """

    entries: tuple[int, ...]
    mirrored: bool
    state: Landings


class _Endpoints(NamedTuple):
    """The states between which throws of one length are sought.

    Attributes:
        start: the state before the throws.
        goal: the state after them.
        is_turn: function of a beat since the exit and a hand (2 · juggler + side) that returns
            whether it is that hand's turn; None if any hand may throw.
    """

    start: _Start
    goal: _Goal
    is_turn: Callable[[int, int], bool] | None


# Limits of throws tried before a transition is found, for one length and for all together.
_MAX_TRIES_PER_LENGTH = 10_000
_MAX_TRIES_IN_ALL = 3 * _MAX_TRIES_PER_LENGTH


class _TransitionSearch:
    """Search for transitions into one pattern; the arguments are those of `find_transitions`."""

    def __init__(
        self,
        end: Pattern,
        rules: TransitionRules,
        *,
        entries: Sequence[int] | None,
        mirrored: bool | None,
        direct: bool,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        """List the goals, the states with which throws may enter the second pattern.

        A state says on which coming beats a prop is due in each hand.

        Args:
            end: the second pattern.
            rules: which throws are allowed.
            entries: the beats on which it may be entered; None for all of one period.
            mirrored: whether it goes on with left and right hands swapped; None for either.
            direct: whether throws that land after the transition come first; if not, the order is
                lexicographic.
            cancelled: asked while searching; once it returns True the search ends.
        """
        self.end = end
        self.rules = rules
        self.direct = direct
        self.cancelled = cancelled or (lambda: False)
        self.rhythm = _rhythm(end)  # the hands whose turn it is on each beat, until that repeats
        # Whether hands are swapped: both ways are tried if none is asked for. The mirror image of a
        # symmetric pattern would give each transition twice, so it is left out.
        if mirrored is not None:
            mirrorings: tuple[bool, ...] = (mirrored,)
        elif _is_mirror_symmetric(end):
            mirrorings = (False,)
        else:
            mirrorings = (False, True)

        # Entries with the same state and turns are one goal, which is searched for once.
        entries = _distinct_beats(end) if entries is None else entries
        states = tuple(states_of(end))
        entries_by_goal = grouped(
            ((states[entry % end.period], entry % len(self.rhythm), is_mirrored), entry)
            for entry in entries
            for is_mirrored in mirrorings
        )
        self.goals = [
            _Goal(tuple(goal_entries), is_mirrored, _swapped(state) if is_mirrored else state)
            for (state, _rhythm_beat, is_mirrored), goal_entries in entries_by_goal.items()
        ]

    def find(self, starts: Sequence[_Start], longest: int | None) -> Iterator[Transition]:
        """Yield transitions from given states into the second pattern, shortest first.

        A state says on which coming beats a prop is due in each hand. The rhythm is the hands whose
        turn it is on each beat, until that repeats. Lengths are tried one after another, from 0 on,
        until one has transitions and `longest` is reached. Once too many throws were tried in vain,
        the lengths that are hard to search are skipped, and in the end the search gives up.

        Args:
            starts: states in which transitions may begin.
            longest: also find longer ones, up to this number of beats; None for the shortest only.
                At least the shortest ones are always found.

        Raises:
            PatternError: none was found, unless the search was cancelled.
        """
        # For which start and goal the props that land after some beats are all due in the goal.
        fits = StateFits(
            [start.state for start in starts],
            [goal.state for goal in self.goals],
            hands=2 * self.end.jugglers,
        )
        # Whether throws land on turns of hands in the second pattern only.
        keeps_to_turns = not self.rules.any_hand and self._can_keep_to_turns(starts)
        # Until the props of the first pattern have landed, they leave little room: a search may try
        # very many throws in vain. From `all_landed_length` on, every throw may land in the second
        # pattern, and a transition is found soon if there is any.
        farthest_due = max((len(start.state) for start in starts), default=0)
        all_landed_length = farthest_due + self.end.division
        # By then the rhythm has passed twice, too, so every state was reached that can be reached.
        last_wanted = longest or 0
        last_length = max(all_landed_length + 2 * len(self.rhythm), last_wanted)
        any_found = False
        tried_throws = 0  # for all lengths so far
        for length in range(last_length + 1):
            # After many tries in vain, skip to the lengths that are easy to search.
            if tried_throws > _MAX_TRIES_PER_LENGTH and length < all_landed_length:
                continue
            # Endpoints are a start and a goal, and whose turn it is on the beats between.
            endpoints = list(
                self._endpoints_of_length(starts, fits.pairs(length), length, keeps_to_turns)
            )
            # Throws to be tried are shared out evenly among the searches of one length.
            searches = [
                self._search(ends, length, max_tries=_MAX_TRIES_PER_LENGTH // len(endpoints))
                for ends in endpoints
            ]
            # Each search yields its transitions in order, so that they are merged and not sorted.
            streams = map(self._find_between, endpoints, searches)
            for transition in heapq.merge(*streams, key=partial(_sort_key, direct=self.direct)):
                any_found = True
                yield transition
            if self.cancelled() or (any_found and length >= last_wanted):
                return
            tried_throws += sum(search.tries for search in searches)
            if tried_throws > _MAX_TRIES_IN_ALL:
                break
        if not any_found:
            raise self._none_found_error(length, tried_throws)

    def _can_keep_to_turns(self, starts: Sequence[_Start]) -> bool:
        """Whether any start has all its props due on turns of hands in the second pattern.

        The second pattern may be entered with any mirroring, on any beat of its rhythm.
        """
        return any(
            self._all_due_on_turns(start.state, beat, mirrored)
            for start in starts
            for mirrored in {goal.mirrored for goal in self.goals}
            for beat in range(len(self.rhythm))
        )

    def _none_found_error(self, longest: int, tries: int) -> PatternError:
        """The error that no transition was found.

        Args:
            longest: the greatest length that was tried, in beats.
            tries: number of throws tried.
        """
        capped = (
            _(" with throws up to {max_throw}", max_throw=self.rules.max_throw)
            if self.rules.max_throw
            else ""
        )
        after = _("; {tried} throws were tried", tried=tries) if tries else ""
        return PatternError(
            _(
                "no transition of up to {bound} beats exists{capped}{after}",
                bound=longest,
                capped=capped,
                after=after,
            )
        )

    def _endpoints_of_length(
        self,
        starts: Sequence[_Start],
        pairs: Iterable[tuple[int, int]],
        length: int,
        keeps_to_turns: bool,
    ) -> Iterator[_Endpoints]:
        """Yield the starts and goals that transitions of one length can connect.

        A start is a state of the first pattern, a goal one of the second, perhaps with left and
        right hands swapped (`mirrored`). A state says on which coming beats a prop is due in each
        hand.

        Args:
            starts: states from which transitions may begin.
            pairs: pairs of indices of starts and goals; the state of the start, `length` beats
                later, fits into that of the goal.
            length: number of beats between the states.
            keeps_to_turns: whether hands throw only on beats on which it is their turn in the
                second pattern; if not, any hand may throw on any beat, and the `is_turn` of the
                result is None.
        """
        for start_index, goal_index in pairs:
            # Check for cancellation here, too, since there may be very many pairs.
            if self.cancelled():
                return
            start = starts[start_index]
            goal = self.goals[goal_index]
            # The beat of the second pattern with which the exit coincides, counted back from the
            # entry. All entries of a goal have the same turns, so the first stands for all.
            exit_in_second = goal.entries[0] - length
            is_turn = None
            if keeps_to_turns:
                if not self._all_due_on_turns(start.state, exit_in_second, goal.mirrored):
                    continue
                is_turn = partial(self._is_turn, exit_in_second, goal.mirrored)
            yield _Endpoints(start, goal, is_turn)

    def _search(
        self, ends: _Endpoints, length: int, *, max_tries: int, lands_after: bool = False
    ) -> ThrowSearch:
        """Return a search for the throws that lead from the state of a start to that of a goal.

        A state says on which coming beats a prop is due in each hand. The search is returned before
        it has begun.

        Args:
            ends: the start, the goal, and which hands have a turn on each beat between.
            length: length of the transition, in beats.
            max_tries: number of throws to try before the search gives up without a result.
            lands_after: whether all throws must land after the transition; if not, they may land
                within it.
        """
        return ThrowSearch(
            start=ends.start.state,
            end=ends.goal.state,
            length=length,
            rules=self.rules,
            jugglers=self.end.jugglers,
            division=self.end.division,
            is_turn=ends.is_turn,
            count_flying=ends.start.count_flying,
            direct=self.direct,
            lands_after=lands_after,
            max_tries=max_tries,
            cancelled=self.cancelled,
        )

    def _find_between(self, ends: _Endpoints, search: ThrowSearch) -> Iterator[Transition]:
        """Yield the transitions that a search between two endpoints finds, in order."""
        yield from _transitions(ends, search, search.find())
        if search.gave_up:
            # The search in order was given up, as it tried too many throws in vain. If throws may
            # only land after the transition, there are far fewer to try: one transition of that
            # kind is better than none.
            fallback = self._search(
                ends, search.length, max_tries=search.max_tries, lands_after=True
            )
            yield from _transitions(ends, fallback, islice(fallback.find(), 1))

    def _all_due_on_turns(self, state: Landings, first_beat: int, mirrored: bool) -> bool:
        """Whether all props of a state are due on turns of the second pattern.

        Args:
            state: props due on each coming beat in each hand.
            first_beat: the beat of the second pattern on which the first beat of the state would
                be.
            mirrored: whether the hands of the second pattern are swapped.
        """
        # Where no prop is due, it does not matter whose turn it is.
        return all(
            not count or self._is_turn(first_beat, mirrored, beat, hand)
            for beat, counts in enumerate(state)
            for hand, count in enumerate(counts)
        )

    def _is_turn(self, first_beat: int, mirrored: bool, beat: int, hand: int) -> bool:
        """Whether it is a hand's turn in the second pattern, some beats after its `first_beat`.

        Args:
            first_beat: any whole number, as the rhythm repeats.
            mirrored: whether the hands of the second pattern are swapped.
            beat: beats since `first_beat`.
            hand: 2 · juggler + side (0 left, 1 right).
        """
        # XOR with True (1) flips the last bit of 2 · juggler + side, and so swaps left and right.
        return hand ^ mirrored in self.rhythm[(first_beat + beat) % len(self.rhythm)]


def _transitions(
    ends: _Endpoints, search: ThrowSearch, throw_sequences: Iterable[tuple[Throw, ...]]
) -> Iterator[Transition]:
    """Yield a transition for each sequence of throws and each exit and entry that it can join."""
    for throws in throw_sequences:
        for exit_beat in ends.start.exits:
            for entry in ends.goal.entries:
                yield Transition(
                    exit_beat, throws, search.length, entry, mirrored=ends.goal.mirrored
                )


def _sort_key(transition: Transition, direct: bool) -> tuple[object, ...]:
    """Sort key of transitions of one length: their throws beat by beat, right hands first.

    Of equal throws the earlier exit comes first, then the earlier entry, then the unmirrored one.

    Args:
        transition: a transition with its throws in the order in which they are made, right hands
            first on each beat.
        direct: whether throws that land after the transition come first; if not, the order is
            lexicographic.
    """
    keys_by_beat: list[list[tuple[int, ...]]] = [[] for _ in range(transition.length)]
    for throw in transition.throws:
        keys_by_beat[throw.beat].append(throw_order(throw, transition.length if direct else None))
    return keys_by_beat, transition.exit, transition.entry, transition.mirrored


def _check_alike(start: Pattern, end: Pattern) -> None:
    """Raise a `PatternError` if two patterns have different numbers of props or of jugglers."""
    if start.props != end.props:
        raise _unequal_props_error(start.props, end.props)
    if start.jugglers != end.jugglers:
        ours = counted(start.jugglers, "juggler")
        theirs = counted(end.jugglers, "juggler")
        raise PatternError(
            _(
                "the first pattern has {ours} and the second {theirs}: they must have the same "
                "number",
                ours=ours,
                theirs=theirs,
            )
        )


def _unequal_props_error(prop_count: int, end_prop_count: int) -> PatternError:
    """The error that two patterns have different numbers of props."""
    ours = counted(prop_count, "prop")
    theirs = counted(end_prop_count, "prop")
    return PatternError(
        _(
            "the first pattern has {ours} and the second {theirs}: a transition cannot add or "
            "drop props",
            ours=ours,
            theirs=theirs,
        )
    )


def _divided(pattern: Pattern, division: int) -> Pattern:
    """The same pattern with each beat divided into more parts.

    Args:
        pattern: the pattern.
        division: parts into which a beat is divided, a multiple of the pattern's own `division`.
    """
    scale = division // pattern.division
    if scale == 1:
        return pattern
    throws = tuple(
        throw._replace(beat=scale * throw.beat, value=scale * throw.value)
        for throw in pattern.throws
    )
    turns = tuple((scale * beat, juggler, hand) for beat, juggler, hand in pattern.turns)
    period = scale * pattern.period
    written = scale * pattern.written_period
    return dataclasses.replace(
        pattern,
        throws=throws,
        turns=turns,
        period=period,
        written_period=written,
        division=division,
    )


def _rhythm(pattern: Pattern) -> list[frozenset[int]]:
    """The hands whose turn it is on each beat, up to the shortest period with which that repeats.

    One set for each beat of that period, which divides the period of the pattern; hands are 2 ·
    juggler + side (0 left, 1 right).
    """
    hands_by_beat: list[set[int]] = [set() for _ in range(pattern.period)]
    for beat, juggler, hand in pattern.turns:
        hands_by_beat[beat].add(hand_number(juggler, hand))
    return [frozenset(hands) for hands in hands_by_beat[: repeat_length(hands_by_beat)]]


def _distinct_beats(pattern: Pattern) -> list[int]:
    """The beats with turns of hands, until the pattern repeats or goes on as its mirror image.

    For a pattern without turns that is beat 0 alone.
    """
    throws = set(pattern.throws)
    period = pattern.period
    same_throws = (throws, _mirror(throws))
    # The least shift of time, a divisor of the period, that gives the same throws or their mirror
    # image. Beats from there on are like earlier ones, so they are left out.
    divisors = (length for length in range(1, period + 1) if period % length == 0)
    length = next(
        length
        for length in divisors
        if {throw._replace(beat=(throw.beat + length) % period) for throw in pattern.throws}
        in same_throws
    )
    return sorted({beat for beat, _juggler, _hand in pattern.turns if beat < length}) or [0]


def _is_mirror_symmetric(pattern: Pattern) -> bool:
    """Whether a pattern is the same with left and right hands swapped, on the same beats."""
    return _mirror(pattern.throws) == set(pattern.throws)


def _mirror(throws: Iterable[Throw]) -> set[Throw]:
    """The throws with left and right hands swapped."""
    return {throw.mirrored for throw in throws}


def _swapped(state: Landings) -> Landings:
    """The state with the counts of left and right hands swapped."""
    return tuple(
        tuple(counts[other_hand_of(hand)] for hand in range(len(counts))) for counts in state
    )


def _flight_values_by_landing(pattern: Pattern) -> dict[tuple[int, int], list[int]]:
    """Values of all throws except holds, by beat of the loop and hand of their landing.

    Hands are 2 · juggler + side (0 left, 1 right). Beats and values are in units of the pattern, of
    which a beat has `division`.
    """
    return grouped(
        (((throw.beat + throw.value) % pattern.period, catching_hand(throw)), throw.value)
        for throw in pattern.throws
        if not _is_hold(throw, pattern.division)
    )


def _is_hold(throw: Throw, division: int) -> bool:
    """Whether the prop of a throw stays in the hand.

    If `held` of the throw is None, throws of up to two beats to the same hand are holds. A beat has
    `division` parts.
    """
    if throw.held is not None:
        return throw.held
    return hand_of(throw) == catching_hand(throw) and throw.value <= 2 * division


def _count_flying(
    arrivals: dict[tuple[int, int], list[int]], period: int, exit_beat: int, beat: int, hand: int
) -> int:
    """Count the props thrown before an exit that fly into a hand on a beat after it.

    Args:
        arrivals: values of the throws that are not holds, by the beat of the loop and the hand in
            which they land.
        period: period of the loop, in beats.
        exit_beat: the exit, a beat of the loop.
        beat: beats since the exit.
        hand: 2 · juggler + side (0 left, 1 right).
    """
    # Of the throws that land there, those with a value greater than the beats since the exit were
    # made before the exit. The others would be made after it: the transition replaces them.
    return sum(value > beat for value in arrivals.get(((exit_beat + beat) % period, hand), ()))


# Limit of throws tried between a transition and the next one.
_MAX_TRIES_BETWEEN_TRANSITIONS = 50_000

# Bits for the number of props that are due in one hand on one beat; `_packed` writes so many.
_BITS_PER_COUNT = 16


@dataclass(frozen=True)
class TransitionRules:
    """The throws allowed in a transition.

    Args:
        max_throw: greatest value, [beats]; None for no limit.
        multiplex: greatest number of props that land in one hand on one beat in between.
        squeezes: whether several of these may be caught at once; if not, all except one are holds.
        clusters: whether one hand may throw several props alike, as in [33]; if not, their values
            differ.
        any_hand: whether throws may go to either hand on any beat, also where both patterns have
            the same rhythm. A hand then throws on two successive beats only if the first throw is
            held for the second.

    Raises:
        ParameterError: a number is not possible.
    """

    max_throw: int | None = None
    multiplex: int = 1
    squeezes: bool = False
    clusters: bool = True
    any_hand: bool = False

    def __post_init__(self) -> None:
        if self.max_throw is not None and self.max_throw < 1:
            raise ParameterError(
                _("max_throw is {max_throw}, but must be at least 1", max_throw=self.max_throw)
            )
        if self.multiplex < 1:
            raise ParameterError(
                _("multiplex is {multiplex}, but must be at least 1", multiplex=self.multiplex)
            )


class _SearchLevel(NamedTuple):
    """A level of the depth-first search.

    Attributes:
        choices: the throws still to try.
        key: the key of the state, see `ThrowSearch._search_key`; None if it has none.
        found_before: number of transitions found when the level was entered.
    """

    choices: Iterator[Throw]
    key: object
    found_before: int


class ThrowSearch:
    """Depth-first search for all sequences of throws that lead from one state to another.

    Args:
        start: the state before the throws.
        end: the state after them. It must have room for all props of `start` that land later than
            the throws are made; their number of props must be the same.
        length: duration of the transition, [beats], or parts of beats if `division` is above 1.
        rules: which throws are allowed.
        jugglers: number of jugglers.
        division: parts of a beat.
        is_turn: function of a beat since the exit and a hand (2 · juggler + side) that returns
            whether it is that hand's turn; None if any hand may throw.
        count_flying: function of the same arguments that returns how many props thrown before the
            transition fly into that hand then, without holds.
        direct: whether throws that land after the transition come first; if not, the order is
            lexicographic.
        lands_after: whether all throws must land after it, except holds with which a hand
            avoids throwing twice too soon.
        max_tries: number of throws to try for the first transition before giving up.
        cancelled: asked while searching; once it returns True the search ends.

    Attributes:
        tries: number of throws tried since the last transition was found.
        gave_up: whether more than `max_tries` throws were tried without finding any transition.
    """

    def __init__(
        self,
        start: Landings,
        end: Landings,
        length: int,
        rules: TransitionRules,
        *,
        jugglers: int,
        division: int,
        is_turn: Callable[[int, int], bool] | None,
        count_flying: Callable[[int, int], int],
        direct: bool,
        lands_after: bool,
        max_tries: int,
        cancelled: Callable[[], bool],
    ) -> None:
        """Prepare the search, with no throw made yet.

        Args:
            start: the state before the throws: props due on each coming beat in each hand.
            end: the state after them, of the same form.
            length: duration of the transition, [beats], or parts of beats if `division` is above 1.
            rules: which throws are allowed.
            jugglers: number of jugglers.
            division: parts of a beat.
            is_turn: tells for a beat and a hand whether it is that hand's turn; None for any hand.
            count_flying: tells for a beat and a hand how many props thrown before fly there.
            direct: whether throws that land after the transition come first; if not, the order is
                lexicographic.
            lands_after: whether all throws must land after it, except forced holds.
            max_tries: number of throws to try for the first transition.
            cancelled: asked while searching; once it returns True the search ends.
        """
        self.start = start
        self.length = length
        self.rules = rules
        self.parts_per_beat = division
        self.is_turn = is_turn
        self.count_flying = count_flying
        self.cancelled = cancelled
        self.direct = direct
        self.lands_after = lands_after
        self.max_tries = max_tries
        self.tries = 0
        self.gave_up = False
        hands = 2 * jugglers
        self.hand_order = right_first(hands)
        # Three tables of counts, each indexed by the beat since the exit and then by the hand.
        # `due`: props that land, from the start state and from the throws made so far. `goal`:
        # props that are to land after the transition; 0 during it. `thrown`: props thrown so far.
        # The first two go on to the last beat on which a prop is due in either state.
        beats = length + max(len(end), len(start) - length)
        self.due = [list(counts) for counts in start] + [
            [0] * hands for _ in range(beats - len(start))
        ]
        # Never changed, so its rows may share one list.
        self.goal = [[0] * hands] * length + [list(counts) for counts in end]
        self.thrown = [[0] * hands for _ in range(length)]
        self.throws_made: list[Throw] = []  # in order
        self.dead_keys: set[object] = set()  # of states that lead nowhere

    def find(self) -> Iterator[tuple[Throw, ...]]:
        """Yield each transition as the tuple of its throws, by a depth-first search.

        Transitions come in lexicographic order of their throws by `throw_order`. One without throws
        is the empty tuple. The search ends early if it is cancelled, or, with `gave_up` set, if
        more than `max_tries` throws lead to no transition.

        Raises:
            PatternError: after some transitions, no other one was found among
                `_MAX_TRIES_BETWEEN_TRANSITIONS` (50,000) throws.
        """
        site = self._next_site(0)
        if site is None:
            yield ()
            return
        # Without turns, hands may have to throw on two successive beats. If one of them cannot, the
        # search ends here.
        if self.is_turn is None and not all(
            self._can_throw_again(*due_site) for due_site in self._sites_with_props()
        ):
            return
        # The stack of the search: the throws to try at each level, one level for each throw in
        # `throws_made`, and one for the next throw.
        beat, hand = site
        levels = [_SearchLevel(self._possible_throws(beat, hand), self._search_key(beat), 0)]
        found_count = 0
        while levels:
            level = levels[-1]
            throw = next(level.choices, None)
            if throw is None:
                # Backtrack: all throws of this level were tried. If none led to a transition, its
                # state is dead, and need not be searched again when other throws lead to it.
                levels.pop()
                if level.key is not None and found_count == level.found_before:
                    self.dead_keys.add(level.key)
                if levels:
                    self._pop_throw()
                continue
            self._push_throw(throw)
            site = self._next_site(throw.beat)
            if site is None:
                # A leaf: nothing is left to throw, so the throws made are a transition.
                found_count += 1
                self.tries = 0
                yield tuple(self.throws_made)
                self._pop_throw()
                continue
            # Descend, unless the state is known to be dead. Between two throws of one beat the
            # state has no key, since then it also matters what was thrown on that beat already.
            next_beat, next_hand = site
            key = self._search_key(next_beat) if next_beat > throw.beat else None
            if key in self.dead_keys:
                self._pop_throw()
                continue
            choices = self._possible_throws(next_beat, next_hand)
            levels.append(_SearchLevel(choices, key, found_count))
            self.tries += 1
            self.gave_up = not found_count and self.tries > self.max_tries
            if self.gave_up or self.cancelled():
                return
            if self.tries > _MAX_TRIES_BETWEEN_TRANSITIONS:
                reason = _(
                    "no more than {found} transitions were found after trying {max_tried} throws",
                    found=found_count,
                    max_tried=_MAX_TRIES_BETWEEN_TRANSITIONS,
                )
                raise PatternError(
                    _("{reason}; request fewer, or allow higher throws", reason=reason)
                )

    def _next_site(self, beat: int) -> tuple[int, int] | None:
        """The beat and hand of the next prop to be thrown, from a beat on; None if all are thrown.

        Only beats of the transition count; right hands come before left ones.
        """
        for now in range(beat, self.length):
            for hand in self.hand_order:
                if self.due[now][hand] > self.thrown[now][hand]:
                    return now, hand
        return None

    def _search_key(self, beat: int) -> object:
        """The state from a beat on as a hashable key: equal keys allow the same further throws.

        None if the state alone does not decide that: with multiplexes but without squeezes it also
        matters which of the props due are held and which fly.
        """
        if self.rules.multiplex > 1 and not self.rules.squeezes:
            return None
        # The props due one beat before are part of the key: hands that threw then must not throw
        # again too soon.
        return beat, tuple(map(tuple, self.due[max(beat - self.parts_per_beat, 0) :]))

    def _push_throw(self, throw: Throw) -> None:
        """Add a throw to those made, and count it where it is thrown and where it is due."""
        self.throws_made.append(throw)
        self.thrown[throw.beat][hand_of(throw)] += 1
        self.due[throw.beat + throw.value][catching_hand(throw)] += 1

    def _pop_throw(self) -> None:
        """Take back the last throw that was made."""
        throw = self.throws_made.pop()
        self.thrown[throw.beat][hand_of(throw)] -= 1
        self.due[throw.beat + throw.value][catching_hand(throw)] -= 1

    def _possible_throws(self, now: int, hand: int) -> Iterator[Throw]:
        """The next throws to try from a hand on a beat, given those already made, by `throw_order`.

        A transition is the throws that lead from a start state to a goal state, which say on which
        coming beats a prop is due in each hand. Throws are no higher than `max_throw`, and land

        - during the transition on turns of hands that have room for one more prop,
        - after it where the goal has a prop due that no earlier throw has brought there.

        With `lands_after` they land after the transition only, but for a hold that the hand is
        forced to.

        Args:
            now: the beat on which they are made.
            hand: 2 · juggler + side (0 left, 1 right).
        """
        # The first beat on which the prop may no longer land: beyond the goal state, or too high.
        if self.rules.max_throw is None:
            landing_limit = len(self.goal)
        else:
            landing_limit = now + self.rules.max_throw * self.parts_per_beat + 1
        # The beat on which the hand throws again so soon that it would have to hold the prop until
        # then, if there is one.
        end_of_forced_hold = self._next_throw_too_near(now, hand)
        throws = []
        for landing in range(now + 1, min(landing_limit, len(self.goal))):
            lands_within = landing < self.length
            if lands_within and self.lands_after and landing != end_of_forced_hold:
                continue
            for to_hand in self.hand_order:
                if not self._may_catch(landing, to_hand):
                    continue
                throw = throw_between(now, hand, landing, to_hand)
                if self._is_possible(throw, hand, to_hand):
                    throws.append(throw)
        length = self.length if self.direct else None
        return iter(sorted(throws, key=partial(throw_order, length=length)))

    def _may_catch(self, beat: int, hand: int) -> bool:
        """Whether a further prop may land in a hand on a beat, which is counted from the exit.

        There must be room. During the transition it must be the hand's turn, too, if hands have
        turns; after it, the goal alone decides.
        """
        if self._free_landings(beat, hand) <= 0:
            return False
        if self.is_turn is None or beat >= self.length:
            return True
        return self.is_turn(beat, hand)

    def _is_possible(self, throw: Throw, hand: int, to_hand: int) -> bool:
        """Whether a hand can make a throw beside its other throws, on the same beat and near it.

        The search makes throws one after another, in the order of beats, until all props are where
        the goal state has them due. It asks this before it makes a throw.

        Args:
            throw: the throw; there is room for the prop where it lands.
            hand: the hand that throws, 2 · juggler + side (0 left, 1 right).
            to_hand: the hand that catches, 2 · juggler + side.
        """
        beat = throw.beat
        if self.is_turn is None and not self._leaves_time_to_hands(throw, hand, to_hand):
            return False
        # The only throw of the hand on this beat so far: nothing else to compare with.
        if not self.thrown[beat][hand]:
            return True
        # A multiplex: its throws must be made in falling order, so that the same multiplex is not
        # found once for each order of its throws. A hand makes all of them in succession, so the
        # one before is the last that was made. Two equal ones are a cluster, as in [33].
        throw_before = self.throws_made[-1]
        if throw_order(throw) > throw_order(throw_before):
            return False
        if throw == throw_before and not self.rules.clusters:
            return False
        if self.rules.multiplex == 1 or self.rules.squeezes:
            return True
        # Without squeezes, one at most of the props of the multiplex may have been caught on this
        # beat; the others must have been held.
        return self._count_caught(beat, hand) <= 1

    def _leaves_time_to_hands(self, throw: Throw, hand: int, to_hand: int) -> bool:
        """Whether neither hand of a throw has to throw twice within a beat because of it.

        A hand can only throw twice within a beat if the first throw is a hold until the second, or
        if the start state has props due in it on both beats. (A state says on which coming beats a
        prop is due in each hand.) This is asked only where hands have no turns of their own, so
        that they may throw on any beat (`is_turn` is None).

        Args:
            throw: the throw; there is room for the prop where it lands.
            hand: the hand that throws, 2 · juggler + side (0 left, 1 right).
            to_hand: the hand that catches, 2 · juggler + side.
        """
        now = throw.beat
        landing = throw.beat + throw.value
        # If the hand throws again within a beat, this throw must be a hold until then, unless the
        # start state has props due in the hand on both beats.
        next_throw = self._next_throw_too_near(now, hand)
        holds_until_next = to_hand == hand and landing == next_throw
        if (
            next_throw is not None
            and not holds_until_next
            and not self._forced_by_start(now, next_throw, hand)
        ):
            return False
        is_short_hold = to_hand == hand and throw.value <= self.parts_per_beat
        if is_short_hold:
            # A hold of a beat or less. The hand must not have thrown within the beat before, too.
            beat_before = range(max(now - self.parts_per_beat, 0), now)
            return not any(self.due[beat][hand] for beat in beat_before)
        return self._leaves_time_to_catcher(now, landing, to_hand)

    def _leaves_time_to_catcher(self, now: int, landing: int, to_hand: int) -> bool:
        """Whether the hand that catches a throw can avoid throwing twice within a beat for it.

        This check is not needed for a right result, but finds out early what would fail later on.

        Args:
            now: the beat of the throw, since the exit.
            landing: the beat of the catch.
            to_hand: the hand that catches, 2 · juggler + side (0 left, 1 right).
        """
        # If the hand throws again within a beat after the landing, there must be room to hold the
        # prop until then: one more prop must be allowed to land in the hand on that beat.
        if landing < self.length:
            next_throw = self._next_throw_too_near(landing, to_hand)
            if next_throw is not None and self._free_landings(next_throw, to_hand) == 0:
                return False
        # If it has props to throw within a beat before the landing, there must be room to hold all
        # of these until it, besides the one that lands. Where the start state has props due on both
        # beats, the hand may throw on both.
        for beat in range(max(landing - self.parts_per_beat, now), min(landing, self.length)):
            still_held = self.due[beat][to_hand] - self.thrown[beat][to_hand]
            if still_held <= 0 or self._forced_by_start(beat, landing, to_hand):
                continue
            if self._free_landings(landing, to_hand) <= still_held:
                return False
        return True

    def _can_throw_again(self, beat: int, hand: int) -> bool:
        """Whether a hand that throws on a beat can meet its next throw, if that is within a beat.

        It can if there is room to hold all its props until then, or if the start state has props
        due in the hand on both beats. True if its next throw is later.

        Args:
            beat: the beat since the exit, in parts of beats where a beat has parts.
            hand: 2 · juggler + side (0 left, 1 right).
        """
        next_throw = self._next_throw_too_near(beat, hand)
        if next_throw is None or self._forced_by_start(beat, next_throw, hand):
            return True
        held = self.due[beat][hand]
        return self._free_landings(next_throw, hand) >= held

    def _sites_with_props(self) -> Iterator[tuple[int, int]]:
        """The beat and hand of each site of the transition on which props are due."""
        return (
            (beat, hand)
            for beat in range(self.length)
            for hand in self.hand_order
            if self.due[beat][hand]
        )

    def _next_throw_too_near(self, beat: int, hand: int) -> int | None:
        """The beat on which a hand throws again, one beat or less after a given one; None if none.

        Both beats are counted since the exit, in parts of beats where a beat has parts. During the
        transition a hand throws where props are due, after it where the goal has props.
        """
        for later_beat in range(beat + 1, min(beat + self.parts_per_beat + 1, len(self.goal))):
            props_due = self.due if later_beat < self.length else self.goal
            if props_due[later_beat][hand]:
                return later_beat
        return None

    def _free_landings(self, beat: int, hand: int) -> int:
        """Number of further props that may land in a hand on a beat, 0 or below for none.

        During the transition `rules.multiplex` is the limit; after it, the props due in the goal.
        """
        limit = self.rules.multiplex if beat < self.length else self.goal[beat][hand]
        return limit - self.due[beat][hand]

    def _forced_by_start(self, now: int, later: int, hand: int) -> bool:
        """Whether the start state has props due in a hand on both of two beats."""
        start = self.start
        return later < len(start) and bool(start[now][hand] and start[later][hand])

    def _count_caught(self, beat: int, hand: int) -> int:
        """Number of props that a hand catches on a beat, thrown before or in the transition.

        Props that the hand holds until that beat do not count.

        Args:
            beat: the beat, or part of one where beats have parts, since the transition left the
                first pattern.
            hand: 2 · juggler + side (0 left, 1 right).
        """
        caught_throws = [
            throw
            for throw in self.throws_made
            if throw.beat + throw.value == beat
            and catching_hand(throw) == hand
            and not _is_hold(throw, self.parts_per_beat)
        ]
        thrown_before_transition = self.count_flying(beat, hand)
        return thrown_before_transition + len(caught_throws)


def throw_order(throw: Throw, length: int | None = None) -> tuple[int, ...]:
    """Sort key of throws: lower ones come first.

    Of equally high ones, throws to oneself come before passes, passes to jugglers of higher index
    before others, and straight throws before crossing ones.

    Args:
        throw: any throw of a transition.
        length: length of the transition. Given this, throws that land after it come first; then
            lower ones, those to jugglers of lower index, and those to right hands.
    """
    # In all keys False sorts before True.
    if length is not None:
        lands_within = throw.beat + throw.value < length
        is_to_left = throw.to_hand == LEFT
        return lands_within, throw.value, throw.to_juggler, is_to_left
    is_pass = throw.to_juggler != throw.juggler
    catcher_rank = -throw.to_juggler if is_pass else 0  # higher indices first
    # 1 for a throw that siteswap marks as crossing: an odd value to the same side, or an even one
    # to the other. (Usually hands alternate, so odd values go to the other side.)
    crossing = (throw.hand + throw.value + throw.to_hand) % 2
    return throw.value, is_pass, catcher_rank, crossing


def right_first(hands: int) -> list[int]:
    """All hands, 2 · juggler + side, the right one of each juggler before the left one."""
    return [hand ^ (LEFT ^ RIGHT) for hand in range(hands)]


class StateFits:
    """Test of pairs of states: whether a state, some beats later, fits into a goal.

    It fits if in each hand on each beat no more props are due than in the goal. Each state is
    packed into one number, so that two are compared by a single subtraction.

    Args:
        states: the states that are left.
        goals: the states that follow.
        hands: number of hands of the states.
    """

    def __init__(self, states: Sequence[Landings], goals: Sequence[Landings], hands: int) -> None:
        beats = max((len(state) for state in (*states, *goals)), default=0)
        self._bits_per_beat = _BITS_PER_COUNT * hands
        # The highest bit of each count, which no count itself reaches. It is set in all counts of
        # the goals. A subtraction of states clears it where the count that is subtracted is
        # greater, as the count then borrows from it; so no borrow reaches the next count.
        self._guard_bits = _packed(((1 << _BITS_PER_COUNT - 1,) * hands,) * beats)
        self._states = [_packed(state) for state in states]
        self._guarded_goals = [_packed(goal) | self._guard_bits for goal in goals]

    def pairs(self, beats: int) -> Iterator[tuple[int, int]]:
        """Yield the pairs of a state and a goal that it fits into, as indices, in order.

        The state fits if, in each hand on each beat, it has no more props due after the given beats
        than the goal.

        Args:
            beats: number of beats after which the first state is compared; props that land before
                are left out.
        """
        # A state is one number, with some bits for the count of each beat and hand, the next beat
        # in the lowest bits. The guard bits are the highest bit of every count. All are set in a
        # goal; a subtraction clears that of each count from which a greater one is subtracted. So
        # the state fits if all are still set.
        guard_bits = self._guard_bits
        for state_index, state in enumerate(self._states):
            # Beats that are over fall out of the lowest bits.
            state_later = state >> (beats * self._bits_per_beat)
            for goal_index, guarded_goal in enumerate(self._guarded_goals):
                difference = guarded_goal - state_later
                if difference & guard_bits == guard_bits:
                    yield state_index, goal_index


def _packed(state: Landings) -> int:
    """The counts of a state as one number, 16 bits each, with the next beat in the lowest bits."""
    counts = list(chain.from_iterable(state))
    return int.from_bytes(struct.pack(f"<{len(counts)}H", *counts), "little")


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
        throws: the throws in these beats, in order.
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
        texts_by_beat = []
        for beat in range(0, self.length, division):
            throws_on_beat = [
                throw for throw in self.throws if beat <= throw.beat < beat + division
            ]
            # In base 36 a letter stands for each value from 10 to 35.
            values = [np.base_repr(throw.value // division, 36).lower() for throw in throws_on_beat]
            if not values:
                texts_by_beat.append("0")
            elif len(values) == 1:
                texts_by_beat.append(values[0])
            else:
                texts_by_beat.append(f"[{''.join(values)}]")
        return tuple(texts_by_beat)


def shortest_join(
    exits: States,
    entries: States,
    next_pattern: Pattern | None,
    division: int,
    exit_step: int,
    allowed_entries: Collection[int] | None = None,
    drawback: Callable[[Join], int] | None = None,
) -> Join | None:
    """Find the shortest join: throws from one pattern into another, with props added or removed.

    A state says how many props are due in each hand on each coming beat.

    - Of equally short joins, the one that begins first is taken, and then the one with the lowest
      throws.
    - A join counts as three beats longer for each hand that throws on two beats in a row. A join
      without such a hand is preferred even if it takes two beats more.
    - Joins are left out in which a prop would be picked up before a hand can have fetched it, or a
      pass would fly for less than two beats.

    Args:
        exits: states of the first pattern, before each beat on which it may be left.
        entries: states of the second pattern, before each beat on which it may begin.
        next_pattern: the second pattern; None if only its states are known: then throws are not
            lowered.
        division: parts into which a beat is divided; all beats of states and joins are such parts.
        exit_step: step from one state of `exits` to the next, in parts of a beat.
        allowed_entries: indices of the only states of `entries` that may be entered; None for all.
        drawback: a function that says how many beats longer a join counts for another reason, 0 or
            more; None if nothing speaks against it.

    Returns:
        The join, whose `length` excludes its drawback; None if no join leads from an exit to an
        entry.
    """
    # Which exits fit which entries some beats later: no prop is due where the entry needs none.
    fits = StateFits(exits.due.tolist(), entries.due.tolist(), hands=exits.due.shape[2])
    best_key = math.inf, 0.0  # cost in parts of a beat, and exit
    shortest: Join | None = None
    # A join that is two beats longer than the depth of the states is always possible, at no extra
    # cost but its drawback: all props of the first pattern have landed, so throws can make any
    # state, and hands, passes and pick-ups have the two beats that they need. So longer ones need
    # not be tried; the range excludes its end, hence three.
    for length in range(exits.due.shape[1] + 3 * division):
        # The cost of a join is at least its length, so longer joins cannot be cheaper than the best
        # one.
        lowest_cost, _exit = best_key
        if lowest_cost <= length:
            break
        pairs = [
            (exit_index, entry_index)
            for exit_index, entry_index in fits.pairs(length)
            if allowed_entries is None or entry_index in allowed_entries
        ]
        # The cheapest pairs of exit and entry first. A drawback can only add to the cost, so from
        # the first pair that is too dear without it, all others are too dear as well.
        for least_cost, exit_index, entry_index in _sorted_by_cost(
            pairs, exits, entries, length, division
        ):
            if (least_cost, exit_index) >= best_key:
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
                join_key = least_cost + extra_cost, exit_index
                if join_key < best_key and _is_feasible(join, division, exit_step):
                    best_key = join_key
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


def _sorted_by_cost(
    pairs: Sequence[tuple[int, int]], exits: States, entries: States, length: int, division: int
) -> list[tuple[int, int, int]]:
    """The cost, exit and entry of joins of one length, the cheapest first, then by exit and entry.

    A join is the throws that lead from one pattern into another. A state says on which coming beats
    a prop is due in each hand. The cost is the length in parts of a beat, and an addition for each
    hand that would throw twice in a row.

    Args:
        pairs: indices of an exit and an entry, for each join.
        exits: states in which the first pattern may be left.
        entries: states in which the second pattern may begin.
        length: length of the joins, in parts of a beat.
        division: parts of a beat.
    """
    if not pairs:
        return []
    quick_hands = _count_quick_hands(exits, entries, length, division)
    cost_of_pair = (length + _QUICK_HAND_COST * division * quick_hands).tolist()
    return sorted(
        (cost_of_pair[exit_index][entry_index], exit_index, entry_index)
        for exit_index, entry_index in pairs
    )


def _count_quick_hands(exits: States, entries: States, length: int, division: int) -> Integers:
    """Count the hands that throw twice within two beats in joins of one length, shape (N, M).

    A join is the throws that lead from one pattern into another. For each exit and entry: the
    number of hands whose last throw before the new pattern is less than two beats before their
    first throw in it, where the new pattern itself leaves more time.

    Args:
        exits: the N states in which the old pattern may be left. `due` has the props due on
            each coming beat in each of H hands; `since`, shape (N, H), says how long ago each hand
            last threw.
        entries: the M states in which the new pattern may begin, with the same hands.
        length: length of the joins, in parts of a beat, as are all beats here.
        division: parts of a beat.
    """
    # Beats from the entry to the first throw of each hand, shape (M, H); very many where none is
    # due.
    entry_due = entries.due
    until_first = np.where(
        entry_due.any(axis=1), entry_due.astype(bool).argmax(axis=1), _BEATS_OF_NO_THROW
    )
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


def _is_feasible(join: Join, division: int, exit_step: int) -> bool:
    """Whether hands have time to fetch the props that a join picks up, and no pass of it is hasty.

    A state says on which coming beats a prop is due in each hand. A join is a series of throws that
    leads from one pattern into another. Its exit is the state of the first pattern after which it
    begins, given as an index from the first state that may be left. A pass that flies for less than
    two beats is hasty.

    Args:
        join: the join, whose beats and values are counted in parts of a beat.
        division: number of parts in a beat.
        exit_step: parts of a beat from one exit to the next.
    """
    # A hand needs two beats to fetch a prop that it picks up, counted from the first exit, the
    # earliest time at which anything can change. Beats of the join count from its own exit, which
    # is `join.exit` steps after the first.
    since_first_exit = join.exit * exit_step
    first_pick_up = 2 * division - since_first_exit
    is_in_time = all(beat >= first_pick_up for beat, _hand in join.picked_up)
    return is_in_time and not any(_is_hasty(throw, division) for throw in join.throws)


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
    """Yield joins of a given length from a state of the first pattern to one of the second.

    A join is the throws that lead from one pattern into another; a state says how many props are
    due in each hand on each coming beat. A hole is a hand and a beat on which the new state needs a
    prop and the old state has none.

    - Each prop that is due during the join is thrown to the soonest hole of its own juggler, or to
      the soonest of any juggler if its own has none.
    - If holes remain, a prop is picked up for each of them.
    - If there are more props than holes, the k surplus ones, due in succession, are put down.

    Beats here are parts of a beat.

    Args:
        exits: states of the first pattern.
        entries: states of the second pattern.
        exit_index: index of the state that is left.
        entry_index: index of the state that is entered. Every prop of the old state that lands
            after the join must be due there as well.
        length: length of the join, [parts of a beat].
        all_put_downs: whether to yield a join for every choice of the k props put down; if not,
            only the join that puts down the first k.
    """
    old_due = exits.due[exit_index]
    new_due = entries.due[entry_index]
    # Props of the old state that land after the join, cut to the length of the new state.
    already_due = np.zeros_like(new_due)
    landing_later = old_due[length:][: len(new_due)]
    already_due[: len(landing_later)] = landing_later

    # Holes: where a prop is needed after the join. Sources: where one is due during the join.
    all_holes = sites_due(new_due - already_due, first_beat=length)
    sources = sites_due(old_due[:length])
    surplus = max(0, len(sources) - len(all_holes))
    choice_count = len(sources) - surplus + 1 if surplus and all_put_downs else 1
    for first_surplus in range(choice_count):
        # Put down the `surplus` props from source `first_surplus` on, and throw the others. Holes
        # remain if the new pattern has more props: for these props are picked up.
        thrown = [*sources[:first_surplus], *sources[first_surplus + surplus :]]
        throws, holes_left = _thrown_into_holes(thrown, all_holes)
        yield Join(
            exit=exit_index,
            entry=entry_index,
            length=length,
            throws=tuple(throws),
            put_down=tuple(sources[first_surplus : first_surplus + surplus]),
            picked_up=tuple(holes_left),
        )


def _thrown_into_holes(
    sources: Sequence[Site], holes: Sequence[Site]
) -> tuple[list[Throw], list[Site]]:
    """Throw each prop, in order, to the soonest hole of its own juggler, else of any juggler.

    Args:
        sources: the beat and hand of each prop that is thrown.
        holes: beats and hands that need a prop, in order of beats; at least one for each source.

    Returns:
        The throws, and the holes that remain.
    """
    holes_left = list(holes)  # still in order of beats, so the first that fits is the soonest
    throws = []
    for beat, hand in sources:
        juggler = juggler_of_hand(hand)
        holes_of_juggler = (
            (hole_beat, hole_hand)
            for hole_beat, hole_hand in holes_left
            if juggler_of_hand(hole_hand) == juggler
        )
        landing_beat, to_hand = next(holes_of_juggler, holes_left[0])
        holes_left.remove((landing_beat, to_hand))
        throws.append(throw_between(beat, hand, landing_beat, to_hand))
    return throws, holes_left


def sites_due(counts: Integers, first_beat: int = 0) -> list[Site]:
    """Return the beat and the hand of each prop that is due, by beat and then by hand.

    Where several props are due in one hand on one beat, the pair is repeated for each.

    Args:
        counts: how many props are due in each of H hands on each beat, shape (beats, H); none where
            it is below 0.
        first_beat: the number of the first of these beats.
    """
    return [
        (first_beat + beat, hand)
        for beat, hand in np.argwhere(counts > 0).tolist()
        for _prop in range(int(counts[beat, hand]))
    ]


def _with_lowest_throws(
    join: Join, old_due: Integers, new_due: Integers, next_pattern: Pattern
) -> Join:
    """Return a join with its throws replaced by the lowest ones between the same states.

    It is returned unchanged if a hand would then throw on two beats in a row, if no transition of
    the same length is found, or if a pass in it would be too low.

    Args:
        join: throws from one pattern into another, on whole beats, which keep all props.
        old_due, new_due: props due on each coming beat in each hand, shape (depth, H) for H hands,
            at its exit and its entry. At least one prop must be due in `old_due`.
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
    hands = old_due.shape[1]
    throws_on = np.zeros((join.length + 1, hands), dtype=bool)
    throws_on[-1] = new_due[0] > 0
    for throw in transition.throws:
        throws_on[throw.beat, hand_of(throw)] = True
    twice_in_a_row = (throws_on[1:] & throws_on[:-1]).any()
    if twice_in_a_row or any(_is_hasty(throw, 1) for throw in transition.throws):
        return join
    return replace(join, throws=transition.throws)
