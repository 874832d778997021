"""The generator: all patterns that options ask for, one after another, written as siteswaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from juggle_anim.generator.filters import (
    hands_mirrored,
    one_of_permutations,
    one_of_rotations,
    wanted,
)
from juggle_anim.generator.options import DIGITS, GeneratorOptions
from juggle_anim.generator.search import AT_ONCE, Loops, Space, find_loops, search_space

Throws = Sequence[tuple[int, int]]
"""Of one hand: beats until a prop lands, and the hand that it lands in."""


class Generated(NamedTuple):
    """A pattern that was found.

    Attributes:
        pattern: as it is written.
        entry, exit: the throws from the ground state into it and back, empty where it starts in the
            ground state.
    """

    pattern: str
    entry: str
    exit: str


class Search:
    """A search for all patterns, in short steps: it can be followed, and left at any of them.

    Args:
        options: what is looked for.
        at_once: how many beginnings of patterns are extended together; with fewer, steps are
            shorter.
    """

    def __init__(self, options: GeneratorOptions, at_once: int = AT_ONCE) -> None:
        self.options = options
        self._at_once = at_once
        self.period, self.last_period = options.periods[0], _last_period(options)
        """The period that is searched now, and the last one, in beats."""
        self.done = 0.0
        """How much of this period is done, 0 to 1: an estimate that never falls, and ends at 1."""

    def steps(self) -> Iterator[list[str]]:
        """The patterns found in each step, as they are written, often none; shorter ones come
        first.
        """
        for _, _, texts in self._found():
            yield texts

    def steps_with_passages(self) -> Iterator[list[Generated]]:
        """The same, each with the shortest throws from the ground state into it and back."""
        space = write = None
        for now, loops, texts in self._found():
            if now is not space or write is None:
                space = now
                write = PassageWriter(self.options, now)
            starts = loops.states[:, 0].tolist() if texts else ()
            yield [
                Generated(text, *write.passages(start))
                for text, start in zip(texts, starts, strict=True)
            ]

    def _found(self) -> Iterator[tuple[Space, Loops, list[str]]]:
        options = self.options
        for length in range(self.period, self.last_period + 1):
            if length % options.step:
                continue
            self.period = length
            self.done = 0.0
            space = search_space(options, length)
            for done, loops in find_loops(options, length, self._at_once):
                self.done = max(self.done, done)
                yield space, *_written(loops, options, space)
        self.done = 1.0


def find_patterns(options: GeneratorOptions) -> Iterator[str]:
    """Find all patterns, as they are written; shorter ones come first.

    They are found while they are asked for, a few at once. Patterns are counted as Juggling Lab's
    generator counts them, except that of those in which jugglers only change places one is found,
    and always one.
    """
    return chain.from_iterable(Search(options).steps())


def find_with_passages(options: GeneratorOptions) -> Iterator[Generated]:
    """Find all patterns, each with the shortest throws from the ground state into it and back."""
    return chain.from_iterable(Search(options).steps_with_passages())


def _written(loops: Loops, options: GeneratorOptions, space: Space) -> tuple[Loops, list[str]]:
    """The loops that are wanted, and their texts."""
    for keep in (wanted, one_of_rotations, one_of_permutations):
        if not len(loops):
            break
        chosen = keep(loops, options, space)
        if not chosen.all():
            loops = loops[chosen]
    if not len(loops):
        return loops, []
    texts = write_loops(loops, options, space)
    if options.exclude or options.include:
        matching = [_matches(text, options) for text in texts]
        loops = loops[np.array(matching, dtype=bool)]
        texts = [text for text, matches in zip(texts, matching, strict=True) if matches]
    return loops, texts


def _last_period(options: GeneratorOptions) -> int:
    low, high = options.periods
    # A prime pattern is not longer than there are states.
    return options.step * _count_states(search_space(options, low)) if high is None else high


def _count_states(space: Space) -> int:
    ways = [1] + [0] * space.props
    for _ in range(space.beats * space.hands):
        ways = [
            sum(ways[max(0, props - space.several) : props + 1]) for props in range(space.props + 1)
        ]
    return ways[-1]


def _matches(text: str, options: GeneratorOptions) -> bool:
    return all(re.search(each, text) for each in options.include) and not any(
        re.search(each, text) for each in options.exclude
    )


def write_loops(loops: Loops, options: GeneratorOptions, space: Space) -> list[str]:
    """Write each loop, as `531`, `(4,2x)*` or `<3p|3>`; of throws of one hand the highest comes
    first.
    """
    if options.hands == options.multiplex == 1:
        return _write_digits(loops, space)
    starred = (
        hands_mirrored(loops, options, space) if options.star else np.zeros(len(loops), dtype=bool)
    )
    write = _Writer(options, space).__getitem__
    return [
        "".join(map(write, throws[: len(throws) // 2])) + "*"
        if star
        else "".join(map(write, throws))
        for throws, star in zip(_as_tuples(loops), starred.tolist(), strict=True)
    ]


def _as_tuples(loops: Loops) -> list[list[tuple[int, ...]]]:
    """The numbers of throws of each beat, those of all hands in one tuple."""
    count, beats, *_ = loops.throws.shape
    return [list(map(tuple, throws)) for throws in loops.throws.reshape(count, beats, -1).tolist()]


def _write_digits(loops: Loops, space: Space) -> list[str]:
    digits = np.frombuffer(("0" + DIGITS[1:]).encode(), dtype=np.uint8)
    if space.beats < len(digits):
        rows = np.full((len(loops), loops.throws.shape[1] + 1), ord("\n"), dtype=np.uint8)
        rows[:, :-1] = digits[loops.throws[:, :, 0, 0] + 1]
        return rows.tobytes().decode().splitlines()
    return [
        "".join(_digit(value) for value in row) for row in (loops.throws[:, :, 0, 0] + 1).tolist()
    ]


def _digit(value: int) -> str:
    return DIGITS[value] if value < len(DIGITS) else f"{{{value}}}"


class _Writer(dict[tuple[int, ...], str]):
    """Texts of beats, each made when it is first looked up."""

    def __init__(self, options: GeneratorOptions, space: Space, rising: bool = False) -> None:
        super().__init__()
        self._options = options
        self._space = space
        self._rising = rising
        self._throws = list(map(tuple, space.throws.tolist()))

    def __missing__(self, numbers: tuple[int, ...]) -> str:
        several = self._space.several
        hands = [
            [self._throws[number] for number in numbers[low : low + several] if number >= 0]
            for low in range(0, len(numbers), several)
        ]
        text = self[numbers] = self.beat(hands)
        return text

    def beat(self, hands: Sequence[Throws]) -> str:
        texts = [self._hand(hand, throws) for hand, throws in enumerate(hands)]
        if self._options.synchronous:
            texts = [
                f"({left},{right})" for left, right in zip(texts[::2], texts[1::2], strict=True)
            ]
        return texts[0] if len(texts) == 1 else f"<{'|'.join(texts)}>"

    def _hand(self, hand: int, throws: Throws) -> str:
        texts = [
            self._throw(hand, *throw) for throw in (throws if self._rising else reversed(throws))
        ]
        if len(texts) > 1:
            # The next value would be taken for the juggler whom a pass goes to.
            spaced = [f"{text} " if "p" in text else text for text in texts]
            return f"[{''.join(spaced).strip()}]"
        return texts[0] if texts else "0"

    def _throw(self, hand: int, beats: int, to: int) -> str:
        step = self._options.step
        jugglers = self._options.jugglers
        crossing = "x" if to % step != hand % step else ""
        passed = to // step != hand // step
        return (
            _digit(beats * step)
            + crossing
            + passed * (f"p{to // step + 1}" if jugglers > 2 else "p")
        )


class PassageWriter:
    """Writes the shortest throws from the ground state into a state, and back; every prop goes
    where it ends up.
    """

    def __init__(self, options: GeneratorOptions, space: Space) -> None:
        self._space, self._write = space, _Writer(options, space, rising=True)
        self._known: dict[int, tuple[str, str]] = {}

    def passages(self, state: int) -> tuple[str, str]:
        """The throws into a state and out of it, both empty for the ground state."""
        if state not in self._known:
            ground = self._space.ground
            self._known[state] = self._passage(ground, state), self._passage(state, ground)
        return self._known[state]

    def _passage(self, start: int, end: int) -> str:
        before, after = (
            self._space.counts(self._space.numbers(np.array(each))) for each in (start, end)
        )
        beats = len(before)
        late = np.concatenate([before, np.zeros_like(before)])
        length = next(
            each for each in range(beats + 1) if (late[each : each + beats] <= after).all()
        )
        missing = after - late[length : length + beats]
        places = iter(
            [
                (length + beat, hand)
                for beat, hand in np.argwhere(missing).tolist()
                for _ in range(missing[beat, hand])
            ]
        )
        made = []
        for beat, counts in enumerate(before[:length].tolist()):
            landings = [[next(places) for _ in range(count)] for count in counts]
            made.append(
                self._write.beat([[(at - beat, hand) for at, hand in hands] for hands in landings])
            )
        return "".join(made)
