"""The generator: all patterns that options ask for, one after another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from juggle_anim.generator.classes import one_of_permutations, one_of_rotations
from juggle_anim.generator.filters import wanted
from juggle_anim.generator.options import GeneratorOptions
from juggle_anim.generator.search import Loops, Space, find_loops, search_space
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


def find_patterns(options: GeneratorOptions) -> Iterator[str]:
    """Find all patterns, as they are written; shorter ones come first.

    They are found while they are asked for, a few at once. Patterns are counted as Juggling Lab's generator counts
    them, except that of those in which jugglers only change places one is found, and always one.
    """
    for length in _lengths(options):
        for _, texts in _found(options, length):
            yield from texts


def find_with_passages(options: GeneratorOptions) -> Iterator[Generated]:
    """Find all patterns, each with the shortest throws from the ground state into it and back."""
    for length in _lengths(options):
        write = PassageWriter(options, search_space(options, length))
        for loops, texts in _found(options, length):
            for text, start in zip(texts, loops.states[:, 0].tolist(), strict=True):
                yield Generated(text, *write.passages(start))


def _found(options: GeneratorOptions, length: int) -> Iterator[tuple[Loops, list[str]]]:
    space = search_space(options, length)
    for loops in find_loops(options, length):
        for keep in (wanted, one_of_rotations, one_of_permutations):
            if not len(loops):
                break
            chosen = keep(loops, options, space)
            if not chosen.all():
                loops = loops[chosen]
        if len(loops):
            texts = write_loops(loops, options, space)
            if options.exclude or options.include:
                matching = [_matches(text, options) for text in texts]
                loops = loops[np.array(matching)]
                texts = [text for text, matches in zip(texts, matching, strict=True) if matches]
            yield loops, texts


def _lengths(options: GeneratorOptions) -> Iterator[int]:
    low, high = options.periods
    if high is None:
        # A prime pattern is not longer than there are states.
        high = options.step * _count_states(search_space(options, low))
    return (length for length in range(low, high + 1) if length % options.step == 0)


def _count_states(space: Space) -> int:
    ways = [1] + [0] * space.props
    for _ in range(space.beats * space.hands):
        ways = [sum(ways[max(0, props - space.several) : props + 1]) for props in range(space.props + 1)]
    return ways[-1]


def _matches(text: str, options: GeneratorOptions) -> bool:
    return all(re.search(each, text) for each in options.include) and not any(
        re.search(each, text) for each in options.exclude
    )
