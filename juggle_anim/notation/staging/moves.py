"""The grammar that moves of hands and bodies share: points in brackets, beats that end with a dot, a side a juggler."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_DISTANCE, MAX_MOVES
from juggle_anim.notation.staging.unrolled import Unrolled
from juggle_anim.printable import character_name


class Mark(NamedTuple):
    """A piece of a beat: a point, or a sign that stands between points.

    Args:
        sign: `(` of a point; `-`, which skips one; or another sign, in lower case.
        start: where in the text it stands.
        numbers: of a point.
    """

    sign: str
    start: int
    numbers: tuple[float, ...] = ()


Beat = tuple[Mark, ...]


def read_moves(text: str, signs: str, usual: Mapping[str, float]) -> list[list[Beat]]:
    """The beats of each juggler, at least one each.

    Args:
        text: for example `(10)(32.5).(25)(10).|((12.5)(25).)^2`; blanks mean nothing, nor do < > and { } around parts.
        signs: what may stand beside points, in lower case.
        usual: the names of a point's numbers, and what each is where it is left out.

    Raises:
        NotationError: it does not follow the grammar, or is beyond the limits.
    """
    pieces: Unrolled[Mark] = Unrolled(text, MAX_MOVES, "points, dots and signs", "((10)(25).)^2")
    frames: list[tuple[str, int]] = []
    for found in _TOKEN.finditer(text):
        token, index = found[0], found.start()
        if token in _FRAMES:
            _frame(text, token, index, frames)
        elif found["count"] or token == ")":
            pieces.close(index, found["count"] or "")
        elif token == "(":
            _check_group(text, index, usual)
            pieces.open(index)
        elif found["point"] is not None:
            pieces.add(index, _point(text, index, found["point"], usual))
        elif token.lower() in (".", "|", "!", *signs):
            pieces.add(index, Mark(token.lower(), index))
        else:
            raise _meaningless(text, token, index, usual)
    if frames:
        raise NotationError(text, frames[-1][1], f"this {frames[-1][0]} is never closed", _EXAMPLE)
    return _jugglers(pieces.items())


def one_line(text: str) -> str:
    """The same moves with no more than single spaces, so that they fit in a line."""
    return " ".join(text.split())


def _jugglers(marks: list[Mark]) -> list[list[Beat]]:
    jugglers: list[list[Beat]] = [[]]
    beat: list[Mark] = []
    for mark in marks:
        if mark.sign == ".":
            jugglers[-1].append(tuple(beat))
            beat = []
        elif mark.sign in "|!":
            _end(jugglers[-1], beat)
            jugglers.append([])
            beat = []
        else:
            beat.append(mark)
    _end(jugglers[-1], beat)
    return jugglers


def _end(beats: list[Beat], rest: list[Mark]) -> None:
    """The dot of the last beat may be left out, and a juggler of whom nothing is said has one empty beat."""
    if rest or not beats:
        beats.append(tuple(rest))


def _point(text: str, index: int, inside: str, usual: Mapping[str, float]) -> Mark:
    numbers, place = list(usual.values()), index + 1
    for number, field in enumerate(inside.split(",")):
        if number == len(numbers):
            raise NotationError(text, place, f"a point has {number} numbers at most", _point_is(usual))
        if written := field.strip():
            numbers[number] = _number(text, place + len(field) - len(field.lstrip()), written, usual)
        place += len(field) + 1
    return Mark("(", index, tuple(numbers))


def _number(text: str, index: int, written: str, usual: Mapping[str, float]) -> float:
    if not _NUMBER.fullmatch(written):
        raise NotationError(text, index, f"{written[:20]} is no number", _point_is(usual))
    number = float(written)
    if abs(number) > MAX_DISTANCE:
        raise NotationError(text, index, f"{written[:20]} is too far", f"numbers up to {MAX_DISTANCE:g}")
    return number


def _check_group(text: str, index: int, usual: Mapping[str, float]) -> None:
    """Say so where what is meant for a point would be taken for a repeat."""
    if not _BEGINS_POINT.match(text, index):
        return
    whole = _CLOSED.match(text, index)
    if not whole:
        raise NotationError(text, index, "this ( is never closed", _point_is(usual))
    hint = f"write it in brackets: ({one_line(whole[0])})^2"
    raise NotationError(text, whole.end(), "a point alone cannot be repeated", hint)


def _frame(text: str, token: str, index: int, frames: list[tuple[str, int]]) -> None:
    if token in "<{":
        frames.append((token, index))
    elif not frames or frames.pop()[0] != _FRAMES[token]:
        raise NotationError(text, index, f"nothing was opened that this {token} could close", _EXAMPLE)


def _meaningless(text: str, token: str, index: int, usual: Mapping[str, float]) -> NotationError:
    accepted = f"{_point_is(usual)}, and a dot ends a beat"
    return NotationError(text, index, f"the {character_name(token)} means nothing here", accepted)


def _point_is(usual: Mapping[str, float]) -> str:
    return f"a point is ({','.join(usual)})"


_TOKEN = re.compile(r"\((?P<point>[^()]*)\)(?!\s*\^)|\)\s*\^\s*(?P<count>[0-9]+)|\S")
_BEGINS_POINT = re.compile(r"\(\s*[-+]?\.?[0-9]")
_CLOSED = re.compile(r"\([^()]*\)")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_FRAMES = {"<": "", "{": "", ">": "<", "}": "{"}
_EXAMPLE = "jugglers are written <…|…>, or only …|…"
