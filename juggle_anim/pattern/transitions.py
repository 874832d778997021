"""Transitions: the shortest throws that lead from one pattern, or any state, into another
pattern.
"""

from __future__ import annotations

import dataclasses
import heapq
import math
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from juggle_anim.errors import ParameterError, PatternError, counted
from juggle_anim.language import _
from juggle_anim.pattern.pattern import LEFT, RIGHT, Pattern, Throw, catching_hand
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


_MAX_TRIED = 50_000  # throws that are tried between a transition and the next one


# bits for the number of props that are due in one hand on one beat, as many as `_packed` gives them
_FIELD = 16


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


class ThrowSearch:
    """Tries all throws of some beats that lead from a state to another one, depth first.

    Args:
        start: the state before them.
        end: the state after them, in which all props of the first are due that are not due before.
        length: in beats, or parts of beats.
        rules: what throws may be.
        jugglers: how many.
        division: parts of a beat.
        is_turn: whether it is the turn of a hand on a beat, both counted from 0; None where any
            hand may throw.
        flying: how many props that are no holds come to a hand on a beat from before.
        direct: whether those throws come first that land after the transition.
        straight: whether all throws land after it, but holds that hands are forced to.
        patience: how many throws are tried before the first transition is found.
        cancelled: asked while searching; once it says yes, no more are found.

    Attributes:
        tried: how many throws were tried since a transition was found.
        gave_up: whether none was found in spite of all patience.
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
        flying: Callable[[int, int], int],
        direct: bool,
        straight: bool,
        patience: int,
        cancelled: Callable[[], bool],
    ) -> None:
        self.start = start
        self.length = length
        self.rules = rules
        self.beat = division
        self.is_turn = is_turn
        self.flying = flying
        self.cancelled = cancelled
        self.direct = direct
        self.straight = straight
        self.patience = patience
        self.tried = 0
        self.gave_up = False
        hands = 2 * jugglers
        self.order = right_first(hands)
        beats = length + max(len(end), len(start) - length)
        self.due = [list(counts) for counts in start] + [
            [0] * hands for _ in range(beats - len(start))
        ]
        self.goal = [[0] * hands] * length + [list(counts) for counts in end]
        self.thrown = [[0] * hands for _ in range(length)]
        self.made: list[Throw] = []
        self.dead: set[object] = set()

    def find(self) -> Iterator[tuple[Throw, ...]]:
        """The throws of each transition.

        Raises:
            PatternError: after some ways, no other one was found among very many throws.
        """
        site = self._next(0)
        if site is None:
            yield ()
            return
        if self.is_turn is None and not all(self._can_follow(*due) for due in self._all_due()):
            return
        levels = [(self._choices(*site), self._key(site[0]), 0)]
        found = 0
        while levels:
            choices, key, before = levels[-1]
            throw = next(choices, None)
            if throw is None:
                levels.pop()
                if key is not None and found == before:
                    self.dead.add(key)
                if levels:
                    self._undo()
                continue
            self._make(throw)
            site = self._next(throw.beat)
            if site is None:
                found = found + 1
                self.tried = 0
                yield tuple(self.made)
                self._undo()
                continue
            key = self._key(site[0]) if site[0] > throw.beat else None
            if key in self.dead:
                self._undo()
                continue
            levels.append((self._choices(*site), key, found))
            self.tried += 1
            self.gave_up = not found and self.tried > self.patience
            if self.gave_up or self.cancelled():
                return
            if self.tried > _MAX_TRIED:
                reason = _(
                    "after {found} transitions no other one was found among {max_tried} throws",
                    found=found,
                    max_tried=_MAX_TRIED,
                )
                raise PatternError(
                    _("{reason}; ask for fewer, or allow higher throws", reason=reason)
                )

    def _next(self, beat: int) -> tuple[int, int] | None:
        """Where the next prop is thrown, from a beat on."""
        for now in range(beat, self.length):
            for hand in self.order:
                if self.due[now][hand] > self.thrown[now][hand]:
                    return now, hand
        return None

    def _key(self, beat: int) -> object:
        """What decides which throws are possible from a beat on; None if that is more than the
        state.
        """
        if self.rules.multiplex > 1 and not self.rules.squeezes:
            return None
        return beat, tuple(map(tuple, self.due[max(beat - self.beat, 0) :]))

    def _make(self, throw: Throw) -> None:
        self.made.append(throw)
        self.thrown[throw.beat][2 * throw.juggler + throw.hand] += 1
        self.due[throw.beat + throw.value][2 * throw.to_juggler + throw.to_hand] += 1

    def _undo(self) -> None:
        throw = self.made.pop()
        self.thrown[throw.beat][2 * throw.juggler + throw.hand] -= 1
        self.due[throw.beat + throw.value][2 * throw.to_juggler + throw.to_hand] -= 1

    def _choices(self, now: int, hand: int) -> Iterator[Throw]:
        """The throws that one hand may make now, in order."""
        last = (
            len(self.goal)
            if self.rules.max_throw is None
            else now + self.rules.max_throw * self.beat + 1
        )
        found = []
        busy = self._busy(now, hand)
        for landing in range(now + 1, min(last, len(self.goal))):
            on_the_way = landing < self.length
            if on_the_way and self.straight and landing != busy:
                continue
            for to in self.order:
                if self._room(landing, to) > 0 and (
                    not on_the_way or not self.is_turn or self.is_turn(landing, to)
                ):
                    throw = Throw(now, *divmod(hand, 2), landing - now, *divmod(to, 2))
                    if self._is_possible(throw, hand, to):
                        found.append(throw)
        length = self.length if self.direct else None
        return iter(sorted(found, key=partial(throw_order, length=length)))

    def _is_possible(self, throw: Throw, hand: int, to: int) -> bool:
        """Whether a hand can make a throw beside its others on this beat and those next to it."""
        now = throw.beat
        if self.is_turn is None and not self._leaves_time(throw, hand, to):
            return False
        if not self.thrown[now][hand]:
            return True
        before = self.made[-1]
        if throw_order(throw) > throw_order(before) or (
            throw == before and not self.rules.clusters
        ):
            return False
        return self.rules.multiplex == 1 or self.rules.squeezes or self._caught(now, hand) <= 1

    def _leaves_time(self, throw: Throw, hand: int, to: int) -> bool:
        """Whether hands that throw on two beats running hold what they throw first, and no
        longer.
        """
        now = throw.beat
        landing = throw.beat + throw.value
        busy = self._busy(now, hand)
        if busy and not (to == hand and landing == busy) and not self._given(now, busy, hand):
            return False
        if to == hand and throw.value <= self.beat:
            return not any(self.due[beat][hand] for beat in range(max(now - self.beat, 0), now))
        # What follows only finds out early what would fail later on.
        if (
            landing < self.length
            and (after := self._busy(landing, to))
            and not self._room(after, to)
        ):
            return False
        for beat in range(max(landing - self.beat, now), min(landing, self.length)):
            held = self.due[beat][to] - self.thrown[beat][to]
            if held > 0 and self._room(landing, to) <= held and not self._given(beat, landing, to):
                return False
        return True

    def _can_follow(self, beat: int, hand: int) -> bool:
        """Whether a hand that throws on a beat can also throw on the next one, if it must."""
        busy = self._busy(beat, hand)
        held = self.due[beat][hand]
        return not busy or self._given(beat, busy, hand) or self._room(busy, hand) >= held

    def _all_due(self) -> Iterator[tuple[int, int]]:
        return (
            (beat, hand)
            for beat in range(self.length)
            for hand in self.order
            if self.due[beat][hand]
        )

    def _busy(self, beat: int, hand: int) -> int:
        """The next beat on which a hand throws, if it is so near that it cannot throw before; else
        0.
        """
        following = range(beat + 1, min(beat + self.beat + 1, len(self.goal)))
        near = (
            after
            for after in following
            if (self.due if after < self.length else self.goal)[after][hand]
        )
        return next(near, 0)

    def _room(self, beat: int, hand: int) -> int:
        """How many more props may land in a hand on a beat."""
        return (self.rules.multiplex if beat < self.length else self.goal[beat][hand]) - self.due[
            beat
        ][hand]

    def _given(self, now: int, later: int, hand: int) -> bool:
        """Whether the state itself makes a hand throw on two beats that are so near."""
        start = self.start
        return later < len(start) and bool(start[now][hand] and start[later][hand])

    def _caught(self, now: int, hand: int) -> int:
        """How many props fly into a hand on a beat, holds left out."""
        site = divmod(hand, 2)
        holds = 2 * self.beat
        landing = (
            throw for throw in self.made if throw.beat + throw.value == now and throw[4:6] == site
        )
        return self.flying(now, hand) + sum(
            throw.value > holds or throw[1:3] != site for throw in landing
        )


def throw_order(throw: Throw, length: int | None = None) -> tuple[int, ...]:
    """Lower throws first, selfs before passes, passes to later jugglers before others, and plain
    ones before crossing.

    Given the length of a transition, throws that land after it come first, and then the right hand
    of each juggler.
    """
    if length is not None:
        return (
            throw.beat + throw.value < length,
            throw.value,
            throw.to_juggler,
            throw.to_hand != RIGHT,
        )
    passed = throw.to_juggler != throw.juggler
    crossing = (throw.hand + throw.value + throw.to_hand) % 2
    return throw.value, passed, -throw.to_juggler if passed else 0, crossing


def right_first(hands: int) -> list[int]:
    """All hands, the right one of each juggler before the left one."""
    return [hand ^ (LEFT ^ RIGHT) for hand in range(hands)]


class Fits:
    """Which states fit into which others some beats later: no prop is due then where the other
    state has none.

    All are packed into one number each, so that two are compared by a subtraction.

    Args:
        states: those that are left.
        others: those that follow.
        hands: how many the states have.
    """

    def __init__(self, states: Sequence[Landings], others: Sequence[Landings], hands: int) -> None:
        beats = max((len(state) for state in (*states, *others)), default=0)
        self._beat = _FIELD * hands
        self._guard = _packed(((1 << _FIELD - 1,) * hands,) * beats)
        self._states = [_packed(state) for state in states]
        self._rooms = [_packed(other) | self._guard for other in others]

    def pairs(self, beats: int) -> Iterator[tuple[int, int]]:
        """Numbers of states and of others into which they fit so many beats later, in order."""
        guard = self._guard
        for number, state in enumerate(self._states):
            later = state >> beats * self._beat
            for other, room in enumerate(self._rooms):
                if (room - later) & guard == guard:
                    yield number, other


def _packed(state: Landings) -> int:
    """The state as one number, with the next beat in its lowest bits."""
    counts = list(chain.from_iterable(state))
    return int.from_bytes(struct.pack(f"<{len(counts)}H", *counts), "little")
