"""Transitions: the shortest throws that lead from one pattern, or any state, into another
pattern.
"""

from __future__ import annotations

import dataclasses
import heapq
import math
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from juggle_anim.errors import ParameterError, PatternError, counted
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern.pattern import (
    LEFT,
    RIGHT,
    Pattern,
    Throw,
    catching_hand,
    hand_of,
    throw_between,
)
from juggle_anim.pattern.states import Landings, states_of


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
    If all props of the first pattern are due on turns of hands in the second one, throws of the
    transition land on such turns only; else they may land in any hand on any beat.

    Args:
        start: the pattern that is left.
        end: the pattern that follows.
        rules: what throws may be; by default no multiplexes but those of the patterns.
        exits: the beats on which the first may be left, any whole numbers; None for all of one
            period, in parts of a beat that suit both patterns.
        entries: the beats on which the second may be entered, likewise.
        mirrored: whether the second goes on with left and right hands swapped; None for either.
        longest: find longer transitions too, up to so many beats; None for the shortest only.
        direct: whether of equally long ones those come first whose throws land after the
            transition, the lower ones first; else the order is lexicographic by values.
        cancelled: asked while searching; once it returns True the search ends, without an error.

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
    arrivals = _flight_values_by_landing(start)
    # Exits with the same state are one start, from which is searched once: what can follow depends
    # on the state alone. The exception are multiplexes without squeezes (several props caught at
    # once): there it also matters which of the props fly and which are held, and that may differ
    # between exits with the same state. So then each exit is a start of its own.
    tells_exits_apart = rules.multiplex > 1 and not rules.squeezes
    exits_by_start: dict[tuple[Landings, int], list[int]] = {}
    for exit_beat in _distinct_beats(start) if exits is None else exits:
        key = states[exit_beat % start.period], exit_beat if tells_exits_apart else 0
        exits_by_start.setdefault(key, []).append(exit_beat)
    starts = [
        _Start(
            tuple(exit_beats),
            state,
            count_flying=partial(_count_flying, arrivals, start.period, exit_beats[0]),
        )
        for (state, _exit), exit_beats in exits_by_start.items()
    ]
    joints = _Joints(
        end, rules, entries=entries, mirrored=mirrored, direct=direct, cancelled=cancelled
    )
    return joints.find(starts, longest)


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
    """Find the shortest throws from a state into a pattern, as `find_transitions` does.

    Args:
        state: props due on each coming beat in each hand, as `state_at` gives them; in the parts of
            beats that `end` has. It may be empty.
        end, rules, entries, mirrored, longest, direct, cancelled: as of `find_transitions`.

    Returns:
        Transitions, found while they are asked for, shortest first; the exit of all is 0.

    Raises:
        PatternError: the numbers of props or jugglers differ, or no transition exists within the
            rules.
    """
    rules = rules or TransitionRules()
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
    joints = _Joints(
        end, rules, entries=entries, mirrored=mirrored, direct=direct, cancelled=cancelled
    )
    return joints.find([start], longest)


class _Start(NamedTuple):
    """Where a transition may begin.

    Attributes:
        exits: all beats with one state on which the first pattern may be left.
        state: that state.
        count_flying: called with a beat since the exit and a hand (2 · juggler + side), returns how
            many props fly into that hand then, holds left out.
    """

    exits: tuple[int, ...]
    state: Landings
    count_flying: Callable[[int, int], int]


class _Goal(NamedTuple):
    """Where a transition may end.

    Attributes:
        entries: all beats of the second pattern with one state and the same turns of hands.
        mirrored: whether the second pattern goes on with left and right hands swapped.
        state: the state before these entries, swapped if `mirrored`.
    """

    entries: tuple[int, ...]
    mirrored: bool
    state: Landings


class _Joint(NamedTuple):
    """Where a transition may begin and end.

    Attributes:
        start: its begin.
        goal: its end.
        is_turn: called with a beat since the exit and a hand (2 · juggler + side), returns whether
            it is that hand's turn; None where any hand may throw.
    """

    start: _Start
    goal: _Goal
    is_turn: Callable[[int, int], bool] | None


# Throws that are tried for one length before a transition is found.
_MAX_THROWS_TRIED_PER_LENGTH = 10_000


class _Joints:
    """All places where throws may join a pattern; the arguments are those of `find_transitions`."""

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
        """Find the goals: where throws may enter the second pattern. Searches nothing yet."""
        self.end = end
        self.rules = rules
        self.direct = direct
        self.cancelled = cancelled or (lambda: False)
        self.rhythm = _rhythm(end)
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
        entries_by_goal: dict[tuple[Landings, int, bool], list[int]] = {}
        for entry in entries:
            for is_mirrored in mirrorings:
                key = states[entry % end.period], entry % len(self.rhythm), is_mirrored
                entries_by_goal.setdefault(key, []).append(entry)
        self.goals = [
            _Goal(tuple(goal_entries), is_mirrored, _swapped(state) if is_mirrored else state)
            for (state, _rhythm_beat, is_mirrored), goal_entries in entries_by_goal.items()
        ]

    def find(self, starts: Sequence[_Start], longest: int | None) -> Iterator[Transition]:
        """Yield transitions from some states, shortest first.

        Lengths are tried one after another, from 0 on, until one has transitions and `longest` is
        reached. Once too many throws were tried in vain, the lengths that are hard to search are
        skipped, and in the end the search gives up.

        Args:
            starts: where they may begin.
            longest: find longer ones too, up to so many beats; None for the shortest only. At least
                the shortest ones are always found.

        Raises:
            PatternError: none was found, unless the search was cancelled.
        """
        fits = Fits(
            [start.state for start in starts],
            [goal.state for goal in self.goals],
            hands=2 * self.end.jugglers,
        )
        in_turn = not self.rules.any_hand and self._can_keep_to_turns(starts)
        # Until the props of the first pattern have landed, they leave little room: a search may
        # try very many throws in vain. From `all_landed` on, every throw may land in the second
        # pattern, and a transition is found soon if there is any.
        farthest_due = max((len(start.state) for start in starts), default=0)
        all_landed = farthest_due + self.end.division
        # By then the rhythm has passed twice, too, so every state was reached that can be reached.
        last_length = max(all_landed + 2 * len(self.rhythm), longest or 0)
        any_found = False
        tried = 0
        for length in range(last_length + 1):
            if tried > _MAX_THROWS_TRIED_PER_LENGTH and length < all_landed:
                continue
            joints = list(self._joints(starts, fits.pairs(length), length, in_turn))
            # Throws to be tried are shared out evenly among the searches of one length.
            searches = [
                self._search(joint, length, patience=_MAX_THROWS_TRIED_PER_LENGTH // len(joints))
                for joint in joints
            ]
            # Each search yields its transitions in order, so that they are merged and not sorted.
            streams = map(self._find_between, joints, searches)
            for transition in heapq.merge(*streams, key=partial(_sort_key, direct=self.direct)):
                any_found = True
                yield transition
            if self.cancelled() or (any_found and length >= (longest or 0)):
                return
            tried += sum(search.tried for search in searches)
            if tried > 3 * _MAX_THROWS_TRIED_PER_LENGTH:
                break
        if not any_found:
            raise self._none_found_error(length, tried)

    def _can_keep_to_turns(self, starts: Sequence[_Start]) -> bool:
        """Whether the props of any start are all due on turns of the second pattern.

        It may be entered with any mirroring, on any beat of its rhythm.
        """
        return any(
            self._all_due_on_turns(start.state, beat, mirrored)
            for start in starts
            for mirrored in {goal.mirrored for goal in self.goals}
            for beat in range(len(self.rhythm))
        )

    def _none_found_error(self, longest: int, tried: int) -> PatternError:
        """The error that throws of up to so many beats join nothing, after so many were tried."""
        capped = (
            _(" with throws up to {max_throw}", max_throw=self.rules.max_throw)
            if self.rules.max_throw
            else ""
        )
        after = _("; {tried} throws were tried", tried=tried) if tried else ""
        return PatternError(
            _(
                "no transition of up to {bound} beats exists{capped}{after}",
                bound=longest,
                capped=capped,
                after=after,
            )
        )

    def _joints(
        self, starts: Sequence[_Start], pairs: Iterable[tuple[int, int]], length: int, in_turn: bool
    ) -> Iterator[_Joint]:
        """Yield starts and goals that throws of some beats may join, with the turns in between.

        Args:
            starts: where transitions may begin.
            pairs: indices of starts and goals whose states fit.
            length: of the transition, in beats.
            in_turn: whether throws keep to the turns of the second pattern.
        """
        for start_index, goal_index in pairs:
            # Asked here, too, since there may be very many pairs.
            if self.cancelled():
                return
            start = starts[start_index]
            goal = self.goals[goal_index]
            # The beat of the second pattern with which the exit coincides, if one counts back from
            # the entry. All entries of a goal have the same turns, so the first stands for all.
            first = goal.entries[0] - length
            if in_turn and not self._all_due_on_turns(start.state, first, goal.mirrored):
                continue
            is_turn = partial(self._is_turn, first, goal.mirrored) if in_turn else None
            yield _Joint(start, goal, is_turn)

    def _search(
        self, joint: _Joint, length: int, *, patience: int, straight: bool = False
    ) -> ThrowSearch:
        """Return the search for throws between the states of a joint.

        Args:
            joint: the start, the goal and the turns in between.
            length: of the transition, in beats.
            patience: how many throws are tried before the search gives up without a result.
            straight: whether all throws must land after the transition.
        """
        return ThrowSearch(
            joint.start.state,
            joint.goal.state,
            length,
            self.rules,
            jugglers=self.end.jugglers,
            division=self.end.division,
            is_turn=joint.is_turn,
            count_flying=joint.start.count_flying,
            direct=self.direct,
            straight=straight,
            patience=patience,
            cancelled=self.cancelled,
        )

    def _find_between(self, joint: _Joint, search: ThrowSearch) -> Iterator[Transition]:
        """Yield the transitions between the states of a joint that a search finds, in order."""
        yield from _transitions(joint, search, search.find())
        if search.gave_up:
            # The search in order was given up, as it tried too many throws in vain. If throws may
            # only land after the transition, there are far fewer to try: one transition of that
            # kind is better than none.
            straight = self._search(joint, search.length, patience=search.patience, straight=True)
            yield from _transitions(joint, straight, islice(straight.find(), 1))

    def _all_due_on_turns(self, state: Landings, first: int, mirrored: bool) -> bool:
        """Whether all props of a state are due on turns of the second pattern.

        Args:
            state: props due on each coming beat in each hand.
            first: the beat of the second pattern on which the first beat of the state would be.
            mirrored: whether the hands of the second pattern are swapped.
        """
        # Where no prop is due, it does not matter whose turn it is.
        return all(
            not count or self._is_turn(first, mirrored, beat, hand)
            for beat, counts in enumerate(state)
            for hand, count in enumerate(counts)
        )

    def _is_turn(self, first: int, mirrored: bool, beat: int, hand: int) -> bool:
        """Whether it is a hand's turn in the second pattern some beats after its beat `first`.

        `hand` is 2 · juggler + side; `first` may be any whole number, as the rhythm repeats.
        """
        # XOR with True (1) flips the last bit of 2 · juggler + side, and so swaps left and right.
        return hand ^ mirrored in self.rhythm[(first + beat) % len(self.rhythm)]


def _transitions(
    joint: _Joint, search: ThrowSearch, throw_sequences: Iterable[tuple[Throw, ...]]
) -> Iterator[Transition]:
    """Yield a transition for each sequence of throws and each exit and entry that it can join."""
    for throws in throw_sequences:
        for exit_beat in joint.start.exits:
            for entry in joint.goal.entries:
                yield Transition(
                    exit_beat, throws, search.length, entry, mirrored=joint.goal.mirrored
                )


def _sort_key(transition: Transition, direct: bool) -> tuple[object, ...]:
    """Sort key of transitions of one length: their throws beat by beat, right hands first.

    Of equal throws the earlier exit comes first, then the earlier entry, then the unmirrored one.

    Args:
        transition: with its throws in the order in which they are made, right hands first on each
            beat.
        direct: whether throws that land after the transition come first.
    """
    beats: list[list[tuple[int, ...]]] = [[] for _ in range(transition.length)]
    for throw in transition.throws:
        beats[throw.beat].append(throw_order(throw, transition.length if direct else None))
    return beats, transition.exit, transition.entry, transition.mirrored


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


def _unequal_props_error(props: int, end_props: int) -> PatternError:
    """The error that the first pattern has so many props, and the second so many others."""
    ours = counted(props, "prop")
    theirs = counted(end_props, "prop")
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
    juggler + side.
    """
    beats: list[set[int]] = [set() for _ in range(pattern.period)]
    for beat, juggler, hand in pattern.turns:
        beats[beat].add(2 * juggler + hand)
    # The least divisor of the period by which the list can be shifted and stays the same. One is
    # always found: the period itself, for which nothing is left to compare.
    lengths = (length for length in range(1, len(beats) + 1) if len(beats) % length == 0)
    length = next(
        length for length in lengths if beats[length:] == beats[:-length] or length == len(beats)
    )
    return [frozenset(hands) for hands in beats[:length]]


def _distinct_beats(pattern: Pattern) -> list[int]:
    """The beats on which hands have their turn, until the pattern repeats, perhaps mirrored.

    Just beat 0 for a pattern without turns.
    """
    throws = set(pattern.throws)
    period = pattern.period
    images = (throws, _mirror(throws))
    # The least shift of time, a divisor of the period, that gives the same throws or their mirror
    # image. Beats from there on are like earlier ones, so they are left out.
    lengths = (length for length in range(1, period + 1) if period % length == 0)
    length = next(
        length
        for length in lengths
        if {throw._replace(beat=(throw.beat + length) % period) for throw in pattern.throws}
        in images
    )
    return sorted({beat for beat, _juggler, _hand in pattern.turns if beat < length}) or [0]


def _is_mirror_symmetric(pattern: Pattern) -> bool:
    return _mirror(pattern.throws) == set(pattern.throws)


def _mirror(throws: Iterable[Throw]) -> set[Throw]:
    return {throw._replace(hand=1 - throw.hand, to_hand=1 - throw.to_hand) for throw in throws}


def _swapped(state: Landings) -> Landings:
    return tuple(tuple(counts[hand ^ 1] for hand in range(len(counts))) for counts in state)


def _flight_values_by_landing(pattern: Pattern) -> dict[tuple[int, int], list[int]]:
    """The values of throws that are no holds, by the beat of the loop and the hand in which they
    land.

    Throws of up to two beats to the same hand are holds, unless `held` says otherwise.
    """
    values: dict[tuple[int, int], list[int]] = {}
    for throw in pattern.throws:
        is_self = hand_of(throw) == catching_hand(throw)
        is_short_self = is_self and throw.value <= 2 * pattern.division
        if throw.held is False or not (is_short_self or throw.held):
            landing = (throw.beat + throw.value) % pattern.period, catching_hand(throw)
            values.setdefault(landing, []).append(throw.value)
    return values


def _count_flying(
    arrivals: dict[tuple[int, int], list[int]], period: int, exit_beat: int, beat: int, hand: int
) -> int:
    """The number of props thrown before an exit that fly into a hand on a beat after it.

    Props that are held until then do not count.

    Args:
        arrivals: values of the throws by the beat of the loop and the hand in which they land.
        period: of the loop, in beats.
        exit_beat: the exit, a beat of the loop.
        beat: beats since the exit.
        hand: 2 · juggler + side.
    """
    # Of the throws that land there, those with a value greater than the beats since the exit were
    # made before it; the others are made after it, so they are replaced by the transition.
    return sum(value > beat for value in arrivals.get(((exit_beat + beat) % period, hand), ()))


# Throws that are tried between a transition and the next one.
_MAX_TRIED_BETWEEN_TRANSITIONS = 50_000

# Bits for the number of props that are due in one hand on one beat; `_packed` writes so many.
_BITS_PER_COUNT = 16


@dataclass(frozen=True)
class TransitionRules:
    """What throws of a transition may be.

    Args:
        max_throw: the highest, in beats; None for as high as needed.
        multiplex: how many props may land in one hand on one beat in between.
        squeezes: whether several of those may be caught at once; else all but one are holds.
        clusters: whether one hand may throw several props alike, as in [33].
        any_hand: whether throws may go to either hand on any beat, also where both patterns have
            the same rhythm. A hand then throws on two beats running only if the first throw is held
            for the second.

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
        key: of the state, see `ThrowSearch._search_key`; None where it has none.
        found_before: how many transitions had been found when the level was entered.
    """

    choices: Iterator[Throw]
    key: object
    found_before: int


class ThrowSearch:
    """Tries all throws of some beats that lead from a state to another one, depth first.

    Args:
        start: the state before them.
        end: the state after them. It must have room for all props of `start` that land later than
            the throws are made; their number of props must be the same.
        length: of the transition, in beats, or parts of beats where `division` is above 1.
        rules: what throws may be.
        jugglers: how many.
        division: parts of a beat.
        is_turn: called with a beat since the exit and a hand (2 · juggler + side): whether it is
            that hand's turn; None where any hand may throw.
        count_flying: called with the same arguments: how many props thrown before the transition
            come to that hand then, holds left out.
        direct: whether those throws come first that land after the transition.
        straight: whether all throws must land after it, except holds with which a hand
            avoids throwing twice too soon.
        patience: how many throws are tried in search of the first transition, before giving up.
        cancelled: asked while searching; once it returns True the search ends.

    Attributes:
        tried: how many throws were tried since the last transition was found.
        gave_up: whether more than `patience` throws were tried without finding any transition.
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
        straight: bool,
        patience: int,
        cancelled: Callable[[], bool],
    ) -> None:
        self.start = start
        self.length = length
        self.rules = rules
        self.parts_per_beat = division
        self.is_turn = is_turn
        self.count_flying = count_flying
        self.cancelled = cancelled
        self.direct = direct
        self.straight = straight
        self.patience = patience
        self.tried = 0
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
        self.goal = [[0] * hands] * length + [list(counts) for counts in end]
        self.thrown = [[0] * hands for _ in range(length)]
        self.throws_made: list[Throw] = []  # in order
        self.dead_keys: set[object] = set()  # of states that lead nowhere

    def find(self) -> Iterator[tuple[Throw, ...]]:
        """Yield the throws of each transition, in the order of `throw_order`, throw by throw.

        A transition of no throws is the empty tuple. Nothing is yielded if hands would have to
        throw on two beats running where that cannot be helped. The search ends early if it is
        cancelled, or, with `gave_up` set, if more than `patience` throws lead to no transition.

        Raises:
            PatternError: after some transitions, no other one was found among very many throws.
        """
        site = self._next_site(0)
        if site is None:
            yield ()
            return
        # Without turns, hands may be due to throw on two beats running. Where that cannot be helped
        # no throws can lead on, which is found out at once here and not by trying all of them.
        if self.is_turn is None and not all(self._can_follow(*due) for due in self._all_due()):
            return
        # The stack of the depth-first search: a level for each throw made, and one for the next.
        beat, hand = site
        levels = [_SearchLevel(self._possible_throws(beat, hand), self._search_key(beat), 0)]
        found_count = 0
        while levels:
            level = levels[-1]
            throw = next(level.choices, None)
            if throw is None:
                # All throws of this level were tried, so take back the throw that led to it. If no
                # transition was found from here, its state is dead: it need not be tried again when
                # other throws lead to it.
                levels.pop()
                if level.key is not None and found_count == level.found_before:
                    self.dead_keys.add(level.key)
                if levels:
                    self._undo()
                continue
            self._make(throw)
            site = self._next_site(throw.beat)
            if site is None:
                # Nothing is left to throw: the throws made are a transition.
                found_count += 1
                self.tried = 0
                yield tuple(self.throws_made)
                self._undo()
                continue
            next_beat, next_hand = site
            # Between two throws of one beat the state has no key, since then it also matters what
            # was thrown on that beat already.
            key = self._search_key(next_beat) if next_beat > throw.beat else None
            if key in self.dead_keys:
                self._undo()
                continue
            choices = self._possible_throws(next_beat, next_hand)
            levels.append(_SearchLevel(choices, key, found_count))
            self.tried += 1
            self.gave_up = not found_count and self.tried > self.patience
            if self.gave_up or self.cancelled():
                return
            if self.tried > _MAX_TRIED_BETWEEN_TRANSITIONS:
                reason = _(
                    "no more than {found} transitions were found after trying {max_tried} throws",
                    found=found_count,
                    max_tried=_MAX_TRIED_BETWEEN_TRANSITIONS,
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
        """A hashable value that decides which throws are possible from a beat on.

        None where the state does not decide that: with multiplexes but without squeezes it also
        matters which of the props due are held and which fly.
        """
        if self.rules.multiplex > 1 and not self.rules.squeezes:
            return None
        # What was due one beat before is part of it: hands that threw then must not throw again too
        # soon.
        return beat, tuple(map(tuple, self.due[max(beat - self.parts_per_beat, 0) :]))

    def _make(self, throw: Throw) -> None:
        """Add a throw to those made, and count it where it is thrown and where it is due."""
        self.throws_made.append(throw)
        self.thrown[throw.beat][hand_of(throw)] += 1
        self.due[throw.beat + throw.value][catching_hand(throw)] += 1

    def _undo(self) -> None:
        """Take back the last throw that was made."""
        throw = self.throws_made.pop()
        self.thrown[throw.beat][hand_of(throw)] -= 1
        self.due[throw.beat + throw.value][catching_hand(throw)] -= 1

    def _possible_throws(self, now: int, hand: int) -> Iterator[Throw]:
        """The throws that a hand may make on a beat beside those already made, by `throw_order`.

        They land where there is room, within `max_throw`: during the transition on turns of hands,
        after it where the goal has props. A straight search allows only the latter, and a hold
        that the hand is forced to.

        Args:
            now: the beat.
            hand: 2 · juggler + side.
        """
        # The first beat on which the prop may no longer land.
        if self.rules.max_throw is None:
            end = len(self.goal)
        else:
            end = now + self.rules.max_throw * self.parts_per_beat + 1
        throws = []
        # The beat on which the hand throws again so soon that it would have to hold the prop until
        # then; 0 if there is none.
        forced_hold = self._next_throw_too_near(now, hand)
        for landing in range(now + 1, min(end, len(self.goal))):
            lands_within = landing < self.length
            # A straight search allows no landing within the transition but on the beat of a forced
            # hold.
            if lands_within and self.straight and landing != forced_hold:
                continue
            for to_hand in self.hand_order:
                # After the transition, the goal alone decides where props may land.
                has_turn = not lands_within or not self.is_turn or self.is_turn(landing, to_hand)
                if self._room_for(landing, to_hand) > 0 and has_turn:
                    throw = throw_between(now, hand, landing, to_hand)
                    if self._is_possible(throw, hand, to_hand):
                        throws.append(throw)
        length = self.length if self.direct else None
        return iter(sorted(throws, key=partial(throw_order, length=length)))

    def _is_possible(self, throw: Throw, hand: int, to_hand: int) -> bool:
        """Whether a hand can make a throw beside its others on this beat and those next to it.

        Args:
            throw: to a place with room for it.
            hand: that throws, 2 · juggler + side.
            to_hand: that catches, likewise.
        """
        now = throw.beat
        if self.is_turn is None and not self._leaves_time(throw, hand, to_hand):
            return False
        # The only throw of the hand on this beat so far: nothing else to compare with.
        if not self.thrown[now][hand]:
            return True
        # A multiplex: its throws must be made in falling order, so that the same multiplex is not
        # found once for each order of its throws. Two equal ones are a cluster, as in [33].
        before = self.throws_made[-1]
        if throw_order(throw) > throw_order(before) or (
            throw == before and not self.rules.clusters
        ):
            return False
        # Of the props that the hand has for a multiplex, one at most may have been caught on this
        # beat; the others must have been held. With squeezes allowed this does not matter.
        return (
            self.rules.multiplex == 1 or self.rules.squeezes or self._count_caught(now, hand) <= 1
        )

    def _leaves_time(self, throw: Throw, hand: int, to_hand: int) -> bool:
        """Whether a throw leaves time to the hand that throws it and to that which catches it.

        A hand can only throw on two beats running if the first throw is a hold until the second, or
        if the start state has props due in it on both beats. Used only where hands have no turns of
        their own (`is_turn` is None).

        Args:
            throw: to a place with room for it.
            hand: that throws, 2 · juggler + side.
            to_hand: that catches, likewise.
        """
        now = throw.beat
        landing = throw.beat + throw.value
        # The thrower: if it throws again within a beat, this throw must be a hold until then. Where
        # the start state has props due in the hand on both beats, it cannot be helped.
        next_throw = self._next_throw_too_near(now, hand)
        holds_until_next = to_hand == hand and landing == next_throw
        if next_throw and not holds_until_next and not self._forced_by_start(now, next_throw, hand):
            return False
        if to_hand == hand and throw.value <= self.parts_per_beat:
            # A hold of a beat or less. The hand must not have thrown within the beat before, too.
            return not any(
                self.due[beat][hand] for beat in range(max(now - self.parts_per_beat, 0), now)
            )

        # The catcher. These two checks are not needed for a right result, but they find out early
        # what would fail later on. First, the hand throws too soon after the landing, and there is
        # no room to hold the prop until then. Second, it has props to throw too soon before the
        # landing, and there is no room to hold all of these until it.
        if (
            landing < self.length
            and (after := self._next_throw_too_near(landing, to_hand))
            and not self._room_for(after, to_hand)
        ):
            return False
        for beat in range(max(landing - self.parts_per_beat, now), min(landing, self.length)):
            still_due = self.due[beat][to_hand] - self.thrown[beat][to_hand]
            if (
                still_due > 0
                and self._room_for(landing, to_hand) <= still_due
                and not self._forced_by_start(beat, landing, to_hand)
            ):
                return False
        return True

    def _can_follow(self, beat: int, hand: int) -> bool:
        """Whether a hand that throws on a beat can also throw within the next beat, if it must.

        It can if there is room to hold all its props until then, or if the start state has props
        due in the hand on both beats, so that it cannot be helped. True if it need not throw again.
        """
        next_throw = self._next_throw_too_near(beat, hand)
        held = self.due[beat][hand]
        return (
            not next_throw
            or self._forced_by_start(beat, next_throw, hand)
            or self._room_for(next_throw, hand) >= held
        )

    def _all_due(self) -> Iterator[tuple[int, int]]:
        """The beat and hand of each site of the transition on which props are due."""
        return (
            (beat, hand)
            for beat in range(self.length)
            for hand in self.hand_order
            if self.due[beat][hand]
        )

    def _next_throw_too_near(self, beat: int, hand: int) -> int:
        """The beat on which a hand throws again, one beat or less after a given one; 0 if none.

        Both beats are counted since the exit, in parts of beats where a beat has parts. During the
        transition a hand throws where props are due, after it where the goal has props.
        """
        # 0 can stand for "none", since all these beats are later than a beat from 0 on.
        following = range(beat + 1, min(beat + self.parts_per_beat + 1, len(self.goal)))
        near = (
            after
            for after in following
            if (self.due if after < self.length else self.goal)[after][hand]
        )
        return next(near, 0)

    def _room_for(self, beat: int, hand: int) -> int:
        """How many more props may land in a hand on a beat, 0 or below for none.

        During the transition `rules.multiplex` is the limit; after it, what the goal has there.
        """
        limit = self.rules.multiplex if beat < self.length else self.goal[beat][hand]
        return limit - self.due[beat][hand]

    def _forced_by_start(self, now: int, later: int, hand: int) -> bool:
        """Whether the start state itself makes a hand throw on both of two beats."""
        start = self.start
        return later < len(start) and bool(start[now][hand] and start[later][hand])

    def _count_caught(self, now: int, hand: int) -> int:
        """How many props fly into a hand on a beat, holds left out.

        Args:
            now: the beat, since the exit.
            hand: 2 · juggler + side.
        """
        longest_hold = 2 * self.parts_per_beat
        landing_now = (
            throw
            for throw in self.throws_made
            if throw.beat + throw.value == now and catching_hand(throw) == hand
        )
        # Those thrown before the transition, and its own throws but holds: throws of up to two
        # beats to the same hand.
        return self.count_flying(now, hand) + sum(
            throw.value > longest_hold or hand_of(throw) != hand for throw in landing_now
        )


def throw_order(throw: Throw, length: int | None = None) -> tuple[int, ...]:
    """Sort key of throws: lower ones come first.

    Of equally high ones, throws to oneself come before passes, passes to jugglers of higher index
    before others, and straight throws before crossing ones.

    Args:
        throw: any throw of a transition.
        length: of the transition. Given this, throws that land after it come first; then lower
            ones, those to jugglers of lower index, and those to right hands.
    """
    if length is not None:
        return (
            throw.beat + throw.value < length,
            throw.value,
            throw.to_juggler,
            throw.to_hand != RIGHT,
        )
    is_pass = throw.to_juggler != throw.juggler
    # 1 for a throw that siteswap marks as crossing: an odd value to the same side, or an even one
    # to the other. (Usually hands alternate, so odd values go to the other side.)
    crossing = (throw.hand + throw.value + throw.to_hand) % 2
    return throw.value, is_pass, -throw.to_juggler if is_pass else 0, crossing


def right_first(hands: int) -> list[int]:
    """All hands, 2 · juggler + side, the right one of each juggler before the left one."""
    return [hand ^ (LEFT ^ RIGHT) for hand in range(hands)]


class Fits:
    """Which states fit into which others some beats later: in each hand on each beat, no more props
    are due then than in the other state.

    Each state is packed into one number, so that two are compared by a single subtraction.

    Args:
        states: those that are left.
        others: those that follow.
        hands: how many the states have.
    """

    def __init__(self, states: Sequence[Landings], others: Sequence[Landings], hands: int) -> None:
        beats = max((len(state) for state in (*states, *others)), default=0)
        self._bits_per_beat = _BITS_PER_COUNT * hands
        # The highest bit of each count, which no count itself reaches. It is set in all counts of
        # the rooms. A subtraction of states clears it where the count that is subtracted is
        # greater, as the count then borrows from it; so no borrow reaches the next count.
        self._guard = _packed(((1 << _BITS_PER_COUNT - 1,) * hands,) * beats)
        self._states = [_packed(state) for state in states]
        self._rooms = [_packed(other) | self._guard for other in others]

    def pairs(self, beats: int) -> Iterator[tuple[int, int]]:
        """Yield pairs of indices, of a state and another one into which it fits, in order.

        Args:
            beats: how many beats later the first state is compared; what lands before is left out.
        """
        guard = self._guard
        for state_index, state in enumerate(self._states):
            # Beats that are over fall out of the lowest bits.
            later = state >> beats * self._bits_per_beat
            for other_index, room in enumerate(self._rooms):
                if (room - later) & guard == guard:
                    yield state_index, other_index


def _packed(state: Landings) -> int:
    """The counts of a state as one number, 16 bits each, with the next beat in the lowest bits."""
    counts = list(chain.from_iterable(state))
    return int.from_bytes(struct.pack(f"<{len(counts)}H", *counts), "little")
