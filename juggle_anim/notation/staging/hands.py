"""Moves of hands as text: `(10)(32.5).` throws at 10 cm and catches at 32.5 cm outward."""

from __future__ import annotations

import re

from juggle_anim.choreography.staging import HandBeat, HandMoves, Point
from juggle_anim.errors import NotationError
from juggle_anim.notation.staging.moves import Beat, Mark, one_line, read_moves
from juggle_anim.suggestion import did_you_mean

STYLES = {
    "inside": "(10)(32.5).",
    "outside": "(32.5)(10).",
    "half shower": "(32.5)(10).(10)(32.5).",
    "Mills mess": "(-25)(2.5).(25)(-2.5).(-25)(0).",
}
"""Moves that have a name."""


def read_hands(text: str) -> HandMoves:
    """The moves of hands that a text stands for.

    Each beat lists points `(x,z,y)` in cm, outward, up and forward, and ends with a dot. The hand throws at the first
    and catches at the last, or at the one after a `c`. A `-` stands for a point that is left to the usual rule, and so
    does an empty beat for all of them. `|` stands between jugglers, and `((10)(25).)^2` repeats.

    Args:
        text: that, or a name of `STYLES`; its moves are then the text of what is returned.

    Raises:
        NotationError: it is neither.
    """
    named = _STYLES.get(_key(text))
    if named is None and _WORD.match(text):
        raise _unknown_style(text)
    jugglers = read_moves(named or text, "-ct", _NUMBERS)
    if not any(beat for beats in jugglers for beat in beats):
        raise NotationError(text, len(text), "no moves of hands are written", _EXAMPLE)
    beats = tuple(tuple(_beat(text, beat) for beat in beats) for beats in jugglers)
    return HandMoves(named or one_line(text), beats)


def _beat(text: str, beat: Beat) -> HandBeat:
    if not beat:
        return _USUAL
    points: list[Point | None] = []
    catch: int | None = None
    for number, mark in enumerate(beat):
        if mark.sign == "t" and number > 0:
            raise NotationError(text, mark.start, "a hand throws at the first point of a beat", "write the t before it")
        if mark.sign == "c":
            catch = _catch(text, beat, number, catch, len(points))
        elif mark.sign != "t":
            points.append(_place(mark))
    if len(points) < 2:
        reason = "this beat needs two points: where the hand throws, and where it then catches"
        raise NotationError(text, beat[0].start, reason, "one may be left to the usual rule, as in (10)-.")
    return HandBeat(tuple(points), len(points) - 1 if catch is None else catch)


def _catch(text: str, beat: Beat, number: int, before: int | None, point: int) -> int:
    """The index of the point that a `c` marks."""
    index = beat[number].start
    if before is not None:
        raise NotationError(text, index, "a hand catches once in a beat", "write one c")
    if point == 0:
        raise NotationError(text, index, "a hand throws before it catches", "write a point before the c: (10)c(25).")
    if all(mark.sign not in "(-" for mark in beat[number + 1 :]):
        raise NotationError(text, index, "no point follows this c", "write where the hand catches: (10)c(25).")
    return point


def _place(mark: Mark) -> Point | None:
    if mark.sign == "-":
        return None
    outward, up, forward = mark.numbers
    return outward / 100, up / 100, forward / 100


def _unknown_style(text: str) -> NotationError:
    index = len(text) - len(text.lstrip())
    names = {name.casefold(): name for name in STYLES}
    otherwise = f"there are {', '.join(STYLES)}, and moves such as {_EXAMPLE}"
    hint = did_you_mean(text.strip().casefold(), names, otherwise)
    return NotationError(text, index, f"no moves of hands are called {text.strip()[:30]}", hint)


def _key(name: str) -> str:
    return re.sub(r"[\s_'-]", "", name).casefold() if len(name) < 40 else ""


_WORD = re.compile(r"\s*[^\W\d_]{2}")
_STYLES = {_key(name): moves for name, moves in STYLES.items()}
_NUMBERS = {"x": 0.0, "z": 0.0, "y": 0.0}
_USUAL = HandBeat((None, None), 1)
_EXAMPLE = "(10)(32.5)."
