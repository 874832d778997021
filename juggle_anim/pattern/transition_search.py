"""The search for throws that lead from one state to another in a given number of beats, and which
states fit.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from juggle_anim.errors import ParameterError, PatternError
from juggle_anim.language import _
from juggle_anim.pattern.pattern import LEFT, RIGHT, Throw
from juggle_anim.pattern.states import Landings

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
