"""Permutations of numbers from 0, and those of paths and jugglers as JML writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import lcm

from juggle_anim.language import _
from juggle_anim.notation.limits import MAX_JML_ATTRIBUTE
from juggle_anim.pattern.pattern import cycles

Permutation = tuple[int, ...]
"""For each number the one that it becomes."""

PathPermutation = Permutation
"""For each path, from 0, the path that it becomes."""

JugglerImage = tuple[int, bool]
"""A juggler, from 0, and whether left and right are exchanged."""

JugglerPermutation = tuple[JugglerImage | None, ...]
"""For each juggler the one that takes over; None for a juggler with whom the symmetry has nothing
to do.
"""

_NUMBER = re.compile(r"\s*([0-9]{1,6})\s*(\*?)\s*", re.ASCII)

_CYCLES = re.compile(r"\s*(\([^()]*\)\s*)*")


def inverse(step: Permutation) -> Permutation:
    """Return the permutation that undoes another."""
    sources = [0] * len(step)
    for source, image in enumerate(step):
        sources[image] = source
    return tuple(sources)


class Powers:
    """A permutation applied any number of times; numbers beyond it stay what they are."""

    def __init__(self, step: Permutation) -> None:
        # For each number its cycle, and its index in that.
        self._cycle_and_index = {
            number: (cycle, index) for cycle in cycles(step) for index, number in enumerate(cycle)
        }

    def cycle(self, number: int) -> Permutation:
        """Return the cycle of a number that the permutation has."""
        cycle, _index = self._cycle_and_index[number]
        return cycle

    def image(self, number: int, exponent: int) -> int:
        """Return the image of a number under a power of the permutation; it may be negative."""
        if number not in self._cycle_and_index:
            return number
        cycle, index = self._cycle_and_index[number]
        return cycle[(index + exponent) % len(cycle)]


class PermutationError(ValueError):
    """A text that is not a permutation, and why."""


def read_paths(text: str, paths: int) -> PathPermutation:
    """Read a permutation of paths.

    Args:
        text: cycles, as `(1,3)(2)`, or the image of each path in turn, as `3,2,1`. Paths count from
            1. A path that no cycle names stays; an empty text keeps all.
        paths: how many there are.

    Returns:
        The image of each path, counted from 0.

    Raises:
        PermutationError: the text is neither, or no permutation.
    """
    # A path that is not named stays where it is.
    images = list(range(paths))
    for path, image in _read_images(text, paths):
        if path < 0 or image < 0:
            starred = -path if path < 0 else -image
            raise PermutationError(
                _("{number}* is not a path; hands belong to jugglers", number=starred)
            )
        images[path - 1] = image - 1
    if len(set(images)) < paths:
        raise PermutationError(_("two paths become one"))
    return tuple(images)


def read_jugglers(text: str, jugglers: int) -> JugglerPermutation:
    """Read a permutation of jugglers.

    Args:
        text: as of paths; `2*` is juggler 2 with left and right exchanged. A juggler that no cycle
            names has nothing to do with the symmetry.
        jugglers: how many there are.

    Returns:
        For each juggler the image, from 0, and whether left and right are exchanged; None for one
        who has nothing to do with the symmetry.

    Raises:
        PermutationError: the text is no such permutation.
    """
    # Image by juggler, both counted from 1. An image is negative if left and right are exchanged.
    images: dict[int, int] = {}
    for juggler, image in _read_images(text, jugglers):
        # A negative number is a juggler with hands exchanged. What becomes of that follows from the
        # juggler as such: if 2* becomes 3, then 2 becomes 3*. So both texts must agree.
        signed_image = image if juggler > 0 else -image
        if images.setdefault(abs(juggler), signed_image) != signed_image:
            raise PermutationError(_("juggler {one} becomes two different hands", one=abs(juggler)))
    if len({abs(image) for image in images.values()}) < len(images):
        raise PermutationError(_("two jugglers become one"))
    named = [images.get(juggler) for juggler in range(1, jugglers + 1)]
    return tuple(None if image is None else (abs(image) - 1, image < 0) for image in named)


def write_paths(paths: PathPermutation) -> str:
    """Write a permutation of paths as cycles."""
    return "".join(f"({','.join(str(path + 1) for path in cycle)})" for cycle in cycles(paths))


def write_jugglers(jugglers: JugglerPermutation) -> str:
    """Write a permutation of jugglers as cycles: `(1,2*)` counts from 1, * exchanges the hands.

    Jugglers with whom the symmetry has nothing to do are left out.
    """
    cycles_text = ""
    seen = set()
    for start, image in enumerate(jugglers):
        if start in seen or image is None:
            continue
        cycle = list(_orbit(jugglers, start))
        seen |= {juggler for juggler, _crossed in cycle}
        cycles_text += (
            f"({','.join(str(juggler + 1) + '*' * crossed for juggler, crossed in cycle)})"
        )
    return cycles_text


def order(jugglers: JugglerPermutation) -> int:
    """Return the order of a permutation: the least power that keeps all jugglers and hands."""
    starts = [start for start, image in enumerate(jugglers) if image is not None]
    return lcm(*(len(list(_orbit(jugglers, start))) for start in starts))


def _orbit(jugglers: JugglerPermutation, start: int) -> Iterator[JugglerImage]:
    """Yield the images of a juggler under all powers, until hands are themselves again.

    Args:
        jugglers: the permutation.
        start: a juggler, from 0, who belongs to the symmetry, as do all images.

    Yields:
        A juggler, from 0, and whether left and right are exchanged; first `start` itself.
    """
    juggler = start
    crossed = False
    while True:
        yield juggler, crossed
        image = jugglers[juggler]
        assert image is not None, "a juggler becomes one who belongs to the symmetry, too"
        juggler, crosses = image
        crossed = crossed != crosses
        if (juggler, crossed) == (start, False):
            return


def _read_images(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Parse a permutation, as cycles or as a list of images.

    Args:
        text: as `read_paths` and `read_jugglers` take it.
        size: how many things are permuted; they are numbered from 1.

    Yields:
        Each number that is named, with its image; a number with a star is negative. Nothing for an
        empty text.

    Raises:
        PermutationError: the text is neither, or names a number twice or one above the size.
    """
    if len(text) > MAX_JML_ATTRIBUTE:
        raise PermutationError(_("it has {count} characters", count=len(text)))

    # A list of images: `3,2,1`.
    if "(" not in text:
        numbers = _read_numbers(text, size)
        if numbers and len(numbers) != size:
            raise PermutationError(_("it names {count} of {size}", count=len(numbers), size=size))
        yield from enumerate(numbers, 1)
        return

    # Cycles: `(1,3)(2)`.
    if not _CYCLES.fullmatch(text):
        raise PermutationError(_("its brackets do not match"))
    named: set[int] = set()
    for cycle in re.findall(r"\(([^()]*)\)", text):
        numbers = _read_numbers(cycle, size)
        for number in numbers:
            if number in named:
                raise PermutationError(
                    _("it names {name} twice", name=f"{abs(number)}{'*' * (number < 0)}")
                )
            named.add(number)
        # Each number of a cycle becomes the next one, and the last becomes the first.
        yield from zip(numbers, [*numbers[1:], *numbers[:1]], strict=True)


def _read_numbers(text: str, size: int) -> Sequence[int]:
    """Read numbers from 1 to `size` with commas between; a number with a star is negative.

    Returns:
        The numbers in order; none for a blank text.

    Raises:
        PermutationError: there is anything else.
    """
    if not text.strip():
        return []
    numbers = []
    for piece in text.split(","):
        match = _NUMBER.fullmatch(piece)
        if not match or not 1 <= int(match[1]) <= size:
            raise PermutationError(
                _("{piece!r} is not a number from 1 to {size}", piece=piece.strip()[:20], size=size)
            )
        numbers.append(-int(match[1]) if match[2] else int(match[1]))
    return numbers
