"""What to say about a token that cannot stand where it stands."""

from __future__ import annotations

from juggle_anim.errors import NotationError
from juggle_anim.notation.tokens import Token
from juggle_anim.printable import character_name


def unexpected_token(text: str, token: Token, before: Token | None, opening: Token | None) -> NotationError:
    """The error for a token that cannot stand where it does.

    Args:
        text: all that was typed.
        token: that token; an empty one is the end of the text.
        before: the token that it follows, if any.
        opening: the bracket that is still open there, if any.
    """
    reason, accepted = _why(token, before, opening)
    place = opening if opening and not token.text else token
    return NotationError(text, place.start, reason, accepted)


def _why(token: Token, before: Token | None, opening: Token | None) -> tuple[str, str]:
    if before and before.text == "*" and token.text and not opening:
        return "the * ends a pattern, but more follows it", "write the * last, or leave it out"
    if token.text in ("=", ";"):
        return _meaningless(token), "settings begin with the pattern, as in pattern=531;dwell=1"
    if token.text == ".":
        return _MISPLACED["."]
    if opening:
        return _why_inside(token, before, opening)
    if token.text in _MISPLACED:
        return _MISPLACED[token.text]
    return _meaningless(token), _THROWS


def _why_inside(token: Token, before: Token | None, opening: Token) -> tuple[str, str]:
    accepted = _CLOSED_BY[opening.text]
    if not token.text:
        return f"this {opening.text} is never closed", accepted
    if token.text not in _KNOWN:
        return _meaningless(token), accepted
    if token.text in (_CLOSING[opening.text], ",", "|") and before and before.text in "([,<|":
        return "a throw is missing here", "write 0 for a hand that throws nothing"
    if token.text in ")]>":
        return f"the {token.text} does not close the {opening.text}", accepted
    return f"the {token.text} cannot stand here, inside {opening.text} {_CLOSING[opening.text]}", accepted


def _meaningless(token: Token) -> str:
    return f"the {character_name(token.text)} means nothing in a siteswap"


_THROWS = "throws are written 0 to 9, a to z for 10 to 35, {36} and so on, such as 531, [34]23 or (6x,4)*"
_CLOSING = {"[": "]", "(": ")", "<": ">"}
_CLOSED_BY = {
    "[": "a multiplex is written [34]",
    "(": "a pair is written (4,2), and a repeat (531^2)",
    "<": "passing is written <3p 3|3p 3>, a side for each juggler",
}
_KNOWN = frozenset("[](),<|>*!^/?xX×") | frozenset("0123456789")
_MISPLACED = {
    ")": ("nothing was opened that this ) could close", _CLOSED_BY["("]),
    "]": ("nothing was opened that this ] could close", _CLOSED_BY["["]),
    ">": ("nothing was opened that this > could close", _CLOSED_BY["<"]),
    "|": ("a | stands only between the jugglers of < >", _CLOSED_BY["<"]),
    "}": ("nothing was opened that this } could close", "a value such as {12}"),
    ",": ("a comma stands only between the two hands of a pair", "write 35, or (4,2) for both hands at once"),
    ".": ("a point stands only between the digits of a pass", "write it as in 3.5p"),
    "-": ("no throw is negative", _THROWS),
    "*": ("the * must follow what it repeats", "write it last, as in (6x,4)*"),
    "!": ("a ! follows a pair only", "write it as in (4,3x)!"),
    "^": ("a count such as ^2 repeats what stands in brackets", "write it as in (531^2)"),
    "×": ("the × marks a throw as crossing", "write it after a throw, as in 4×"),
    "/": ("a / only separates throws", "write it after a throw, or leave it out"),
}
