"""The two texts beside each other in hand siteswap: plain siteswaps, and handspecs such as
`(2,1)(4,3)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from juggle_anim.errors import NotationError
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import MAX_HANDSPEC
from juggle_anim.notation.numbers import whole_number
from juggle_anim.notation.siteswap.parser import parse
from juggle_anim.notation.siteswap.read import check_average
from juggle_anim.notation.siteswap.syntax import (
    PLAIN,
    Group,
    Pair,
    Passing,
    PlacedThrow,
    Single,
    Start,
    Token,
    WrittenThrow,
    place_throws,
)
from juggle_anim.notation.siteswap.wildcard import completions
from juggle_anim.pattern import LEFT, RIGHT

Hand = tuple[int, int]
"""A juggler, counted from 0, and a side."""

_TOKEN = re.compile(r"[0-9]+|\S")

_DIGITS = frozenset("0123456789")

_ACCEPTED = N_(
    "a handspec names the left and the right hand of each juggler, as (2,1)(4,3), or (1,)(,2) for "
    "one hand each"
)

_OBJECTS = N_(
    "with a hand siteswap the objects are written as single throws and multiplexes, such as 786 "
    "or [43]23"
)

_HANDS = N_("a hand siteswap is written as single throws, such as 4 or 423")


def default_hands(count: int) -> tuple[Hand, ...]:
    """Return whose hands they are by default: first the right hands of all jugglers in turn, then
    their left hands.
    """
    jugglers = (count + 1) // 2
    return tuple(
        (number % jugglers, RIGHT if number < jugglers else LEFT) for number in range(count)
    )


def read_handspec(text: str, count: int) -> tuple[Hand, ...]:
    """Whose hands they are, in the order of their numbers.

    Args:
        text: for each juggler the numbers of the left and of the right hand, counted from 1, as
            `(2,1)(4,3)`; left out where a juggler has one hand, as in `(1,)(,2)`.
        count: how many hands there are; each must belong to a juggler.

    Raises:
        NotationError: the text is no handspec, or not one for so many hands.
    """
    if len(text) > MAX_HANDSPEC:
        raise NotationError(
            text,
            MAX_HANDSPEC,
            _("this text is {count} characters long", count=len(text)),
            _ACCEPTED,
        )
    found: dict[int, Hand] = {}
    for number, hand in _numbers(text):
        named = whole_number(number.text, count)
        if not named:
            raise NotationError(
                text,
                number.start,
                _("there is no hand {text}", text=number.text[:12]),
                _numbered(count),
            )
        place = named - 1
        if place in found:
            raise NotationError(
                text,
                number.start,
                _("hand {place} is here twice", place=place + 1),
                _("give each hand to one juggler"),
            )
        found[place] = hand
    for place in range(count):
        if place not in found:
            raise NotationError(
                text,
                len(text),
                _("hand {place} belongs to no juggler", place=place + 1),
                _numbered(count),
            )
    return tuple(found[place] for place in range(count))


def _numbers(text: str) -> Iterator[tuple[Token, Hand]]:
    """Every number that is written, with the hand for which it stands."""
    tokens = [Token(match.group(), match.start()) for match in _TOKEN.finditer(text)]
    tokens.append(Token("", len(text)))
    place = 0
    juggler = 0
    while tokens[place].text or not juggler:
        opening = tokens[place]
        place = _after("(", text, tokens, place)
        hands = 0
        for side, end in ((LEFT, ","), (RIGHT, ")")):
            if tokens[place].text[:1] in _DIGITS:
                yield tokens[place], (juggler, side)
                hands = hands + 1
                place = place + 1
            place = _after(end, text, tokens, place)
        if not hands:
            reason = _("juggler {juggler} has no hand", juggler=juggler + 1)
            raise NotationError(text, opening.start, reason, _("name one, as in (1,) or (,1)"))
        juggler += 1


def _after(expected: str, text: str, tokens: list[Token], place: int) -> int:
    token = tokens[place]
    if token.text == expected:
        return place + 1
    what = f"a {expected}" if expected != "," else _("a comma")
    found = _("not {text}", text=token.text[:12]) if token.text else _("but the text ends")
    raise NotationError(
        text, token.start, _("{what} is expected here, {found}", what=what, found=found), _ACCEPTED
    )


def _numbered(count: int) -> str:
    hands = (
        _("the only hand is 1")
        if count == 1
        else _("the hands are numbered 1 to {count}", count=count)
    )
    return _("{hands}, and each is one juggler's", hands=hands)


class PlainSiteswap(NamedTuple):
    """A siteswap by itself.

    Attributes:
        text: as it was typed; with a `?` in it, its nearest completion.
        throws: those above 0, as often as they are written, ordered by beat; their hands mean
            nothing.
        beats: how many are written.
    """

    text: str
    throws: tuple[PlacedThrow, ...]
    beats: int


def read_plain_siteswap(text: str, *, hands: bool) -> PlainSiteswap:
    """Read one of the two siteswaps of which a pattern with a hand siteswap is made.

    Args:
        text: single throws with their repeats, and, for objects, multiplexes and modifiers.
        hands: whether it is the siteswap of the hands themselves. A hand is no prop, so it is
            neither bounced nor held, and there is no multiplex of hands.

    Raises:
        NotationError: the text is no siteswap, it says which hands throw, or its objects are no
            whole number.
    """
    tree = parse(text)
    _check(text, tree, hands)
    if "?" in text:
        text = next(completions(text))
        tree = parse(text)
    placement = place_throws(text, tree)
    if not hands:
        check_average(text, placement)
    # Not those of a swapped repetition, which only the hands of one juggler would make.
    written = tuple(each for each in placement.throws if each.throw.beat < placement.written_period)
    return PlainSiteswap(text, written, placement.written_period)


def _check(text: str, tree: Group, hands: bool) -> None:
    for item in tree.items:
        if isinstance(item, Group):
            _check(text, item, hands)
        elif isinstance(item, Passing):
            raise _error(
                text, text.index("<"), _("jugglers and passes follow from the hand siteswap"), hands
            )
        elif isinstance(item, Pair):
            opening = text.rindex("(", 0, item.left[0].start)
            raise _error(
                text, opening, _("beside a hand siteswap one hand throws at a time"), hands
            )
        elif isinstance(item, Start) or item.hand is not None:
            raise _error(
                text,
                _specifier(text, item),
                _("which hand throws follows from the hand siteswap"),
                hands,
            )
        else:
            _check_throws(text, item, hands)
    if tree.swaps:
        raise _error(
            text, text.index("*"), _("hands that follow a hand siteswap cannot be swapped"), hands
        )


def _check_throws(text: str, item: Single, hands: bool) -> None:
    if hands and len(item.throws) > 1:
        opening = text.rindex("[", 0, item.throws[0].start)
        raise _error(text, opening, _("hands make no multiplex: one hand throws on a beat"), hands)
    for throw in item.throws:
        if throw.crossing:
            raise _error(
                text,
                _flag("[xX×]", text, throw),
                _("where a throw lands follows from the hand siteswap"),
                hands,
            )
        if hands and throw.modifier != PLAIN:
            raise _error(
                text, _flag("[BFHT]", text, throw), _("hands neither bounce nor are held"), hands
            )


def _specifier(text: str, item: Start | Single) -> int:
    """Return the position of the L or R that changes the hands, as near as the syntax tells."""
    end = item.throws[0].start if isinstance(item, Single) else len(text)
    found = [match.start() for match in re.finditer("[LR]", text[:end])]
    return found[-1 if isinstance(item, Single) else 0]


def _flag(letters: str, text: str, throw: WrittenThrow) -> int:
    match = re.compile(letters).search(text, throw.start + 1)
    assert match is not None, "a flag is written after its throw"
    return match.start()


def _error(text: str, index: int, reason: str, hands: bool) -> NotationError:
    return NotationError(text, index, reason, _HANDS if hands else _OBJECTS)
