"""State cycles: the states that a pattern goes through, its prime parts, and its dual and
inverse.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from juggle_anim.pattern.pattern import Pattern
from juggle_anim.pattern.states import (
    Landings,
    Row,
    RowThrow,
    hands_of,
    rows_of,
    throws_of,
    turns_of,
)

MAX_STATES_SIZE = 6_000_000
"""Numbers in all states of a pattern, beyond which they are not worked out."""

_REVERSED_BOUNCES = {"lift": "force", "force": "lift"}  # the hyper ones are their own reversals


@dataclass(frozen=True)
class StateCycle:
    """A closed walk through the state graph.

    Args:
        rows: of its states.
        beats: the throws of each beat, or part of a beat, until the same throws come again, perhaps
            from the other hands.
        division: parts of a beat, as in `Pattern`.
        regular: whether each row throws at even intervals, so that there is a ground state.
    """

    rows: tuple[Row, ...]
    beats: tuple[tuple[RowThrow, ...], ...]
    division: int = 1
    regular: bool = True

    @cached_property
    def props(self) -> int:
        """Number of props."""
        return sum(throw.value for throws in self.beats for throw in throws) // len(self.beats)

    @cached_property
    def highest(self) -> int:
        """The greatest value of a throw."""
        return max((throw.value for throws in self.beats for throw in throws), default=0)

    @property
    def size(self) -> int:
        """About how many numbers all states hold."""
        return len(self.beats) * self.highest * len(self.rows)

    @cached_property
    def phase(self) -> int:
        """Beats after which the same rows throw together again."""
        return math.lcm(*(row.step for row in self.rows))

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The beats on which a row throws."""
        found = {
            beat for row in set(self.rows) for beat in range(row.first, len(self.beats), row.step)
        }
        return tuple(sorted(found))

    @cached_property
    def states(self) -> tuple[Landings, ...]:
        """The state before the throws of each beat: props due on each coming beat in each row,
        shape (beats, rows).
        """
        empty = (0,) * len(self.rows)
        length = len(self.beats)
        due = [empty] * self.highest
        for beat, throws in enumerate(self.beats):
            for throw in throws:
                for landing in range(beat + throw.value - length, -1, -length):
                    due[landing] = _with_one_more(due[landing], throw.to_row)
        found = []
        for throws in self.beats:
            last = next(
                (number for number in range(len(due), 0, -1) if due[number - 1] != empty), 0
            )
            found.append(tuple(due[:last]))
            due = [*due[1:], empty]
            for throw in throws:
                due[throw.value - 1] = _with_one_more(due[throw.value - 1], throw.to_row)
        return tuple(found)

    @cached_property
    def lowest(self) -> int:
        """The beat from which jugglers write the pattern: of its lowest state, and there the one of
        higher throws.

        A state is lower than another if its props land sooner, which is told at the farthest beat
        where their numbers differ; the ground state is the lowest of all. Only beats on which the
        first row throws are chosen from.
        """
        starts = [turn for turn in self.turns if self.rows[0].throws_on(turn)]
        length = min((len(self.states[turn]) for turn in starts), default=0)
        short = [turn for turn in starts if len(self.states[turn]) == length]
        heights = {turn: [sum(counts) for counts in reversed(self.states[turn])] for turn in short}
        least = min(heights.values(), default=[])
        twice = [sorted(map(_order, throws)) for throws in self.beats] * 2
        starts = [turn for turn, height in heights.items() if height == least]
        return min(starts, key=lambda turn: twice[turn : turn + len(self.beats)], default=0)

    def standard(self) -> StateCycle:
        """The walk from its lowest state on."""
        return self.part(self.turns_from(self.lowest))

    def turns_from(self, first: int) -> list[int]:
        """All turns in order, from one of them on."""
        return [turn for turn in self.turns if turn >= first] + [
            turn for turn in self.turns if turn < first
        ]

    @cached_property
    def parts(self) -> tuple[StateCycle, ...]:
        """The prime walks, no state twice in any, into which it falls: itself alone if it is prime.

        It is followed from its lowest state on, and whenever a state comes again, the walk since
        then is taken out. So the parts do not depend on where the pattern was begun.
        """
        found: list[StateCycle] = []
        seen: dict[tuple[int, Landings], int] = {}
        walked: list[tuple[int, tuple[int, Landings]]] = []
        for turn in self.turns_from(self.lowest):
            key = turn % self.phase, self.states[turn]
            if (since := seen.get(key)) is not None:
                found.append(self.part([each for each, _ in walked[since:]]))
                for _, passed in walked[since:]:
                    del seen[passed]
                del walked[since:]
            seen[key] = len(walked)
            walked.append((turn, key))
        return *found, self.part([each for each, _ in walked])

    def part(self, turns: Sequence[int]) -> StateCycle:
        """The walk of some of its turns, each of which leads to the state before the next one."""
        if not turns:
            return self
        beats = [
            each
            for turn in turns
            for each in (self.beats[turn], *[()] * (self._intervals[turn] - 1))
        ]
        return replace(
            self, rows=tuple(row.moved(turns[0]) for row in self.rows), beats=tuple(beats)
        )

    def inverse(self) -> StateCycle:
        """The pattern in reversed time: each throw goes back from where it landed, with the same
        value.
        """
        beats: list[list[RowThrow]] = [[] for _ in self.beats]
        for beat, throws in enumerate(self.beats):
            for throw in throws:
                style = _REVERSED_BOUNCES.get(throw.bounce_style, throw.bounce_style)
                back = throw._replace(row=throw.to_row, to_row=throw.row, bounce_style=style)
                beats[-(beat + throw.value) % len(beats)].append(back)
        return self._with(beats)

    def dual_height(self) -> int:
        """The least height for which there is a dual: no less than any throw.

        A throw of that height to another hand would have a dual of 0 beats to another hand, so it
        makes room for that.
        """
        throws = [throw for each in self.beats for throw in each]
        height = -(-self.highest // self.phase) * self.phase
        moves = any(throw.value == height and throw.row != throw.to_row for throw in throws)
        return max(height + moves * self.phase, self.phase)

    def dual(self, height: int) -> StateCycle:
        """The pattern of the empty places: a throw v becomes height - v, and time is reversed.

        As in B. Polster, The Mathematics of Juggling (Springer, 2003): props and empty places
        change roles, so n props become height - n for each hand that throws on one beat.

        Args:
            height: at least `dual_height`, and a multiple of `phase`.
        """
        made = {
            (beat, throw.row): throw for beat, throws in enumerate(self.beats) for throw in throws
        }
        beats: list[list[RowThrow]] = [[] for _ in self.beats]
        for number, row in enumerate(self.rows):
            for beat in range(row.first, len(beats), row.step):
                throw = made.get((beat, number), RowThrow(number, 0, number))
                if throw.value < height:
                    beats[-beat % len(beats)].append(
                        RowThrow(number, height - throw.value, throw.to_row)
                    )
        return self._with(beats)

    def is_same(self, other: StateCycle) -> bool:
        """Whether another walk is this one, perhaps begun elsewhere."""
        return is_rotation(_tokens(self), _tokens(other))

    def pattern(self, text: str = "") -> Pattern:
        """The pattern that walks it; where all hands take turns, a right hand begins."""
        length = len(self.beats)
        alternate = [row for row in self.rows if row.hand is None]
        loop = length * (2 if any(length // row.step % 2 for row in alternate) else 1)
        beats = [self.beats[beat % length] for beat in range(loop)]
        throws = throws_of(self.rows, beats)
        turns = turns_of(self.rows, loop)
        jugglers = 1 + max((row.juggler for row in self.rows), default=0)
        return Pattern(text, throws, loop, length, jugglers, self.division, turns)

    @cached_property
    def _intervals(self) -> dict[int, int]:
        """Beats from each turn to the next."""
        ends = [*self.turns[1:], self.turns[0] + len(self.beats)]
        return {turn: end - turn for turn, end in zip(self.turns, ends, strict=True)}

    def _with(self, beats: Iterable[Iterable[RowThrow]]) -> StateCycle:
        rows = tuple(row.reversed() for row in self.rows)
        return replace(self, rows=rows, beats=tuple(map(_sorted, beats)))


def state_cycle(pattern: Pattern) -> StateCycle:
    """The walk of a pattern through the state graph, as short as it repeats."""
    rows, regular = rows_of(pattern)
    shared = len(rows) == 1 and pattern.hand_siteswap is not None
    number = {
        (row.juggler, hand): index for index, row in enumerate(rows) for hand in hands_of(row)
    }
    beats: list[list[RowThrow]] = [[] for _ in range(pattern.period)]
    for throw in pattern.throws:
        row, to_row = (0, 0) if shared else (number[throw[1:3]], number[throw[4:6]])
        beats[throw.beat].append(RowThrow(row, throw.value, to_row, *throw[6:]))
    found = [_sorted(throws) for throws in beats]
    phase = math.lcm(*(row.step for row in rows))
    lengths = (
        length for length in range(phase, pattern.period + 1, phase) if pattern.period % length == 0
    )
    length = next(
        length
        for length in lengths
        if found[length:] == found[:-length] or length == pattern.period
    )
    return StateCycle(rows, tuple(found[:length]), pattern.division, regular)


def is_rotation(one: Sequence[object], other: Sequence[object]) -> bool:
    """Whether two rounds of things are the same, begun at different places."""
    numbers: dict[object, int] = {}
    texts = [
        "".join(chr(_FIRST_SIGN + numbers.setdefault(each, len(numbers))) for each in row)
        for row in (one, other)
    ]
    return len(one) == len(other) and texts[1] in 2 * texts[0]


_FIRST_SIGN = 0x10000  # beyond all surrogates


def _tokens(cycle: StateCycle) -> list[object]:
    """What happens on each beat: who could throw, and what is thrown."""
    phase = cycle.phase
    could = [tuple(row.throws_on(beat) for row in cycle.rows) for beat in range(phase)]
    return [(could[beat % phase], throws) for beat, throws in enumerate(cycle.beats)]


def _sorted(throws: Iterable[RowThrow]) -> tuple[RowThrow, ...]:
    return tuple(sorted(throws, key=lambda throw: (*throw[:-1], str(throw.held))))


def _order(throw: RowThrow) -> tuple[int, bool, int, int]:
    """Higher throws first, and of equal ones those to others."""
    return -throw.value, throw.row == throw.to_row, throw.row, throw.to_row


def _with_one_more(counts: tuple[int, ...], row: int) -> tuple[int, ...]:
    return (*counts[:row], counts[row] + 1, *counts[row + 1 :])
