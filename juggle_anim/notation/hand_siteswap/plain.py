"""Plain siteswaps: one throw or multiplex a beat, and nothing said about hands, since others say it."""

from __future__ import annotations

import re
from typing import NamedTuple

from juggle_anim.errors import NotationError
from juggle_anim.notation.average import check_average
from juggle_anim.notation.modifier import PLAIN
from juggle_anim.notation.parser import parse
from juggle_anim.notation.placement import PlacedThrow, place
from juggle_anim.notation.syntax import Group, Pair, Passing, Single, Start, WrittenThrow
from juggle_anim.notation.wildcard import completions


class Plain(NamedTuple):
    """A siteswap by itself.

    Attributes:
        text: as it was typed; with a `?` in it, its nearest completion.
        throws: those above 0, as often as they are written, ordered by beat; their hands mean nothing.
        beats: how many are written.
    """

    text: str
    throws: tuple[PlacedThrow, ...]
    beats: int


def read_plain(text: str, *, hands: bool) -> Plain:
    """Read one of the two siteswaps of which a pattern with a hand siteswap is made.

    Args:
        text: single throws with their repeats, and, for objects, multiplexes and modifiers.
        hands: whether it is the siteswap of the hands themselves. A hand is no prop, so it is neither bounced nor held,
            and there is no multiplex of hands.

    Raises:
        NotationError: the text is no siteswap, it says which hands throw, or its objects are no whole number.
    """
    tree = parse(text)
    _check(text, tree, hands)
    if "?" in text:
        text = next(completions(text))
        tree = parse(text)
    placement = place(text, tree)
    if not hands:
        check_average(text, placement)
    # Not those of a swapped repetition, which only the hands of one juggler would make.
    written = tuple(each for each in placement.throws if each.throw.beat < placement.written_period)
    return Plain(text, written, placement.written_period)


def _check(text: str, tree: Group, hands: bool) -> None:
    for item in tree.items:
        if isinstance(item, Group):
            _check(text, item, hands)
        elif isinstance(item, Passing):
            raise _error(text, text.index("<"), "jugglers and passes follow from the hand siteswap", hands)
        elif isinstance(item, Pair):
            opening = text.rindex("(", 0, item.left[0].start)
            raise _error(text, opening, "beside a hand siteswap one hand throws at a time", hands)
        elif isinstance(item, Start) or item.hand is not None:
            raise _error(text, _specifier(text, item), "which hand throws follows from the hand siteswap", hands)
        else:
            _check_throws(text, item, hands)
    if tree.swaps:
        raise _error(text, text.index("*"), "hands that follow a hand siteswap cannot be swapped", hands)


def _check_throws(text: str, item: Single, hands: bool) -> None:
    if hands and len(item.throws) > 1:
        opening = text.rindex("[", 0, item.throws[0].start)
        raise _error(text, opening, "hands make no multiplex: one hand throws on a beat", hands)
    for throw in item.throws:
        if throw.crossing:
            raise _error(text, _flag("[xX×]", text, throw), "where a throw lands follows from the hand siteswap", hands)
        if hands and throw.modifier != PLAIN:
            raise _error(text, _flag("[BFHT]", text, throw), "hands neither bounce nor are held", hands)


def _specifier(text: str, item: Start | Single) -> int:
    """Where the L or R stands that turns the hands, as near as the syntax tells."""
    end = item.throws[0].start if isinstance(item, Single) else len(text)
    found = [match.start() for match in re.finditer("[LR]", text[:end])]
    return found[-1 if isinstance(item, Single) else 0]


def _flag(letters: str, text: str, throw: WrittenThrow) -> int:
    match = re.compile(letters).search(text, throw.start + 1)
    assert match is not None, "a flag is written after its throw"
    return match.start()


def _error(text: str, index: int, reason: str, hands: bool) -> NotationError:
    return NotationError(text, index, reason, _HANDS if hands else _OBJECTS)


_OBJECTS = "with a hand siteswap the objects are written as single throws and multiplexes, such as 786 or [43]23"
_HANDS = "a hand siteswap is written as single throws, such as 4 or 423"
