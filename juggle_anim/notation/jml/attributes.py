"""The attributes of an element as numbers and words, refused with a clear message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from juggle_anim.errors import FileError
from juggle_anim.notation.jml.limits import MAX_NUMBER
from juggle_anim.notation.jml.spot import Spot, shown
from juggle_anim.notation.jml.tree import Node
from juggle_anim.suggestion import did_you_mean

Value = TypeVar("Value")

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?", re.ASCII)
_WHOLE = re.compile(r"\+?[0-9]{1,9}", re.ASCII)


def check_attributes(node: Node, *known: str) -> None:
    """Refuse attributes that an element does not have.

    Raises:
        FileError: it has one; the nearest that there is is suggested.
    """
    for key in node.attributes:
        if key not in known and not key.startswith(("xml", "{")):
            raise unknown(node.spot, f"<{node.tag}> has no attribute {shown(key)}", key, known)


def unknown(spot: Spot, reason: str, word: str, known: Iterable[str]) -> FileError:
    """A word that means nothing here, with the nearest that does."""
    names = list(known)
    return spot.error(reason, did_you_mean(word.lower(), names, f"there is {', '.join(names) or 'nothing'}"))


def required(node: Node, key: str) -> str:
    """The text of an attribute that must be there.

    Raises:
        FileError: it is not.
    """
    if key not in node.attributes:
        raise node.spot.error(f"<{node.tag}> has no {key}", f'write {key}="…" in it')
    return node.attributes[key]


def number(node: Node, key: str, default: float | None = None) -> float:
    """The number in an attribute; without a default it must be there.

    Raises:
        FileError: it is not there, or no finite number.
    """
    if default is not None and key not in node.attributes:
        return default
    return read_number(node.spot, f"{key} of <{node.tag}>", required(node, key))


def whole(node: Node, key: str, low: int, high: int, default: int | None = None) -> int:
    """The whole number in an attribute; without a default it must be there.

    Raises:
        FileError: it is not there, or no whole number from `low` to `high`.
    """
    if default is not None and key not in node.attributes:
        return default
    return read_whole(node.spot, f"{key} of <{node.tag}>", required(node, key), low, high)


def word(node: Node, key: str, meanings: Mapping[str, Value], default: str) -> Value:
    """What the word in an attribute means.

    Raises:
        FileError: it is none of `meanings`; the nearest of them is suggested.
    """
    text = node.attributes.get(key, default)
    meaning = meanings.get(text.strip().lower())
    if meaning is None:
        raise unknown(node.spot, f"{key} of <{node.tag}> is {shown(text)}", text.strip(), meanings)
    return meaning


def read_number(spot: Spot, what: str, text: str) -> float:
    """A finite number from a text.

    Raises:
        FileError: it is none, or too large; `what` names it.
    """
    if not _NUMBER.fullmatch(text.strip()):
        raise spot.error(f"{what} is {shown(text)}, which is no number", "a number such as 12.5")
    value = float(text)
    if not abs(value) <= MAX_NUMBER:
        raise spot.error(f"{what} is {shown(text)}", f"a number from {-MAX_NUMBER:.0f} to {MAX_NUMBER:.0f}")
    return value


def read_whole(spot: Spot, what: str, text: str, low: int, high: int) -> int:
    """A whole number from a text.

    Raises:
        FileError: it is none from `low` to `high`; `what` names it.
    """
    if not (_WHOLE.fullmatch(text.strip()) and low <= int(text) <= high):
        raise spot.error(f"{what} is {shown(text)}", f"a whole number from {low} to {high}")
    return int(text)
