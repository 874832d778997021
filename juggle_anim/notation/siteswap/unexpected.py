"""What is wrong with a token of a siteswap that cannot stand where it does."""

from __future__ import annotations

import re

from juggle_anim.errors import character_name
from juggle_anim.language import N_, _
from juggle_anim.notation.siteswap.syntax import Token

_THROWS = N_(
    "throws are written 0 to 9, a to z for 10 to 35, {36} and so on, such as 531, [34]23 or (6x,4)*"
)
_CLOSED_BY = {
    "[": N_("a multiplex is written [34]"),
    "(": N_("a pair is written (4,2), and a repeat (531^2)"),
    "<": N_("passing is written <3p 3|3p 3>, a side for each juggler"),
}

_BRACES = re.compile(r"\{[^{}]*\}")

_CLOSING = {"[": "]", "(": ")", "<": ">"}

_KNOWN = frozenset("[](),<|>*!^/?xX×") | frozenset("0123456789")

_MISPLACED = {
    ")": (N_("nothing was opened that this ) could close"), _CLOSED_BY["("]),
    "]": (N_("nothing was opened that this ] could close"), _CLOSED_BY["["]),
    ">": (N_("nothing was opened that this > could close"), _CLOSED_BY["<"]),
    "|": (N_("a | stands only between the jugglers of < >"), _CLOSED_BY["<"]),
    "}": (N_("nothing was opened that this } could close"), N_("a value such as {12}")),
    ",": (
        N_("a comma stands only between the two hands of a pair"),
        N_("write 35, or (4,2) for both hands at once"),
    ),
    ".": (N_("a point stands only between the digits of a pass"), N_("write it as in 3.5p")),
    "-": (N_("no throw is negative"), _THROWS),
    "*": (N_("the * must follow what it repeats"), N_("write it last, as in (6x,4)*")),
    "!": (N_("a ! follows a pair only"), N_("write it as in (4,3x)!")),
    "^": (N_("a count such as ^2 repeats what stands in brackets"), N_("write it as in (531^2)")),
    "×": (N_("the × marks a throw as crossing"), N_("write it after a throw, as in 4×")),
    "/": (N_("a / only separates throws"), N_("write it after a throw, or leave it out")),
}


def why_no_value(text: str, opening: int) -> tuple[str, str]:
    """Why what begins with the { at an index is no value, and what would be accepted."""
    if _BRACES.match(text, opening):
        return _("these {} hold something else than digits"), _("a value such as {12}")
    return _("this { is never closed"), _("a value such as {12}")


def why_unexpected(token: Token, before: Token | None, opening: Token | None) -> tuple[str, str]:
    """Why a token cannot stand where it does, and what would be accepted.

    Args:
        token: the token; without a text for the end.
        before: that before it.
        opening: the bracket that is still open.
    """
    if before and before.text == "*" and token.text and not opening:
        return _("the * ends a pattern, but more follows it"), _(
            "write the * last, or leave it out"
        )
    if token.text in ("=", ";"):
        return _meaningless(token), _("settings begin with the pattern, as in pattern=531;dwell=1")
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
        return _("this {text} is never closed", text=opening.text), accepted
    if token.text not in _KNOWN:
        return _meaningless(token), accepted
    if token.text in (_CLOSING[opening.text], ",", "|") and before and before.text in "([,<|":
        return _("a throw is missing here"), _("write 0 for a hand that throws nothing")
    if token.text in ")]>":
        return _(
            "the {text} does not close the {text2}", text=token.text, text2=opening.text
        ), accepted
    return _(
        "the {text} cannot stand here, inside {text2} {closing}",
        text=token.text,
        text2=opening.text,
        closing=_CLOSING[opening.text],
    ), accepted


def _meaningless(token: Token) -> str:
    return _("the {text} means nothing in a siteswap", text=character_name(token.text))
