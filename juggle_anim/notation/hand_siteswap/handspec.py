"""Handspecs: whose hands the hands of a hand siteswap are, as `(2,1)(4,3)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_HANDSPEC
from juggle_anim.notation.tokens import Token
from juggle_anim.notation.whole_number import whole_number
from juggle_anim.pattern import LEFT, RIGHT

Hand = tuple[int, int]
"""A juggler, counted from 0, and a side."""


def usual_hands(count: int) -> tuple[Hand, ...]:
    """Whose hands they are where nobody says: first the right hands of all jugglers in turn, then their left hands."""
    jugglers = (count + 1) // 2
    return tuple((number % jugglers, RIGHT if number < jugglers else LEFT) for number in range(count))


def read_handspec(text: str, count: int) -> tuple[Hand, ...]:
    """Whose hands they are, in the order of their numbers.

    Args:
        text: for each juggler the numbers of the left and of the right hand, counted from 1, as `(2,1)(4,3)`; left out
            where somebody juggles with one hand, as in `(1,)(,2)`.
        count: how many hands there are; each must be somebody's.

    Raises:
        NotationError: the text is no handspec, or not one for so many hands.
    """
    if len(text) > MAX_HANDSPEC:
        raise NotationError(text, MAX_HANDSPEC, f"this text is {len(text)} characters long", _ACCEPTED)
    found: dict[int, Hand] = {}
    for number, hand in _numbers(text):
        named = whole_number(number.text, count)
        if not named:
            raise NotationError(text, number.start, f"there is no hand {number.text[:12]}", _numbered(count))
        place = named - 1
        if place in found:
            raise NotationError(text, number.start, f"hand {place + 1} is here twice", "give each hand to one juggler")
        found[place] = hand
    for place in range(count):
        if place not in found:
            raise NotationError(text, len(text), f"hand {place + 1} is nobody's", _numbered(count))
    return tuple(found[place] for place in range(count))


def _numbers(text: str) -> Iterator[tuple[Token, Hand]]:
    """Every number that is written, with the hand for which it stands."""
    tokens = [Token(match.group(), match.start()) for match in _TOKEN.finditer(text)]
    tokens.append(Token("", len(text)))
    place, juggler = 0, 0
    while tokens[place].text or not juggler:
        opening, place = tokens[place], _after("(", text, tokens, place)
        hands = 0
        for side, end in ((LEFT, ","), (RIGHT, ")")):
            if _is_number(tokens[place]):
                yield tokens[place], (juggler, side)
                hands, place = hands + 1, place + 1
            place = _after(end, text, tokens, place)
        if not hands:
            raise NotationError(
                text, opening.start, f"juggler {juggler + 1} has no hand", "name one, as in (1,) or (,1)"
            )
        juggler += 1


def _after(expected: str, text: str, tokens: list[Token], place: int) -> int:
    token = tokens[place]
    if token.text == expected:
        return place + 1
    what = f"a {expected}" if expected != "," else "a comma"
    found = f"not {token.text[:12]}" if token.text else "but the text ends"
    raise NotationError(text, token.start, f"{what} is expected here, {found}", _ACCEPTED)


def _is_number(token: Token) -> bool:
    return token.text[:1] in _DIGITS and bool(token.text)


def _numbered(count: int) -> str:
    hands = "the only hand is 1" if count == 1 else f"the hands are numbered 1 to {count}"
    return f"{hands}, and each is one juggler's"


_TOKEN = re.compile(r"[0-9]+|\S")
_DIGITS = frozenset("0123456789")
_ACCEPTED = "a handspec names the left and the right hand of each juggler, as (2,1)(4,3), or (1,)(,2) for one hand each"
