"""The generator: all patterns that options ask for, one after another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np

from juggle_anim.generator.classes import one_of_permutations, one_of_rotations
from juggle_anim.generator.filters import wanted
from juggle_anim.generator.options import GeneratorOptions
from juggle_anim.generator.search import AT_ONCE, Loops, Space, find_loops, search_space
from juggle_anim.generator.written import PassageWriter, write_loops


class Generated(NamedTuple):
    """A pattern that was found.

    Attributes:
        pattern: as it is written.
        entry, exit: the throws from the ground state into it and back, empty where it starts in the ground state.
    """

    pattern: str
    entry: str
    exit: str


class Search:
    """A search for all patterns, in short steps: it can be followed, and left at any of them.

    Args:
        options: what is looked for.
        at_once: how many beginnings of patterns are extended together; with fewer, steps are shorter.
    """

    def __init__(self, options: GeneratorOptions, at_once: int = AT_ONCE) -> None:
        self.options, self._at_once = options, at_once
        self.period, self.last_period = options.periods[0], _last_period(options)
        """The period that is searched now, and the last one, in beats."""
        self.done = 0.0
        """How much of this period is done, 0 to 1: an estimate that never falls, and ends at 1."""

    def steps(self) -> Iterator[list[str]]:
        """The patterns found in each step, as they are written, often none; shorter ones come first."""
        for _, _, texts in self._found():
            yield texts

    def steps_with_passages(self) -> Iterator[list[Generated]]:
        """The same, each with the shortest throws from the ground state into it and back."""
        space = write = None
        for now, loops, texts in self._found():
            if now is not space or write is None:
                space, write = now, PassageWriter(self.options, now)
            starts = loops.states[:, 0].tolist() if texts else ()
            yield [Generated(text, *write.passages(start)) for text, start in zip(texts, starts, strict=True)]

    def _found(self) -> Iterator[tuple[Space, Loops, list[str]]]:
        options = self.options
        for length in range(self.period, self.last_period + 1):
            if length % options.step:
                continue
            self.period, self.done = length, 0.0
            space = search_space(options, length)
            for done, loops in find_loops(options, length, self._at_once):
                self.done = max(self.done, done)
                yield space, *_written(loops, options, space)
        self.done = 1.0


def find_patterns(options: GeneratorOptions) -> Iterator[str]:
    """Find all patterns, as they are written; shorter ones come first.

    They are found while they are asked for, a few at once. Patterns are counted as Juggling Lab's generator counts
    them, except that of those in which jugglers only change places one is found, and always one.
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
        ways = [sum(ways[max(0, props - space.several) : props + 1]) for props in range(space.props + 1)]
    return ways[-1]


def _matches(text: str, options: GeneratorOptions) -> bool:
    return all(re.search(each, text) for each in options.include) and not any(
        re.search(each, text) for each in options.exclude
    )
