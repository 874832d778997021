"""The saved state of a session, its JSON form, and the merge of states from two windows."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

VERSION = 1
"""Of what is written; a program of another version reads what it understands and keeps the rest."""

MAX_RECENT = 60
"""Patterns that are remembered as recent."""

_LONGEST = 20_000  # characters of a text that is taken from a file
_MOST = 2_000  # texts in a list


@dataclass(frozen=True)
class SavedView:
    """A camera that somebody has moved.

    Args:
        target: the point it turns around, [m].
        distance: from it, [m].
        azimuth: around +y, [rad].
        elevation: above the horizon, [rad].
    """

    target: tuple[float, float, float]
    distance: float
    azimuth: float
    elevation: float


@dataclass(frozen=True)
class OtherHalf:
    """The other half of a split view.

    Args:
        pattern: the text that opens what is juggled there.
        parameters: with which, where the text does not say it.
        right: whether it is the right half.
    """

    pattern: str
    parameters: Mapping[str, float | str | None]
    right: bool


@dataclass(frozen=True)
class SessionState:
    """What is remembered; every part has a default, so that any of them may be missing.

    Args:
        size: of the window, [pixels].
        place: of its upper left corner on the screen, [pixels].
        pattern: the text that opens what was juggled.
        parameters: with which, where the text does not say it.
        draft: what was being typed in the pattern line.
        diagram: which was shown, if any.
        time: in the loop, [s].
        paused: whether time stood still.
        panel: whether panels were shown.
        beats: whether the beats were shown over the picture.
        plots: the first of those that were shown, if any.
        numbers: which were written into the picture.
        sound: whether it was on.
        folded: the groups of the panel that were folded.
        standpoint: the name of the view from which the pattern was seen.
        juggler: whom the camera followed, counted from 0; None for nobody.
        view: the camera, where somebody has moved it.
        beside: the other half, where the view was split.
        recent: patterns that were opened, the last one first, with settings where something was turned.
        favourites: patterns that somebody starred, the last one first.
        keys: chords that stand in for the usual ones, by the name of their action.
        other: whatever else the file holds, by its name; kept as it is.
    """

    size: tuple[int, int] | None = None
    place: tuple[int, int] | None = None
    pattern: str = ""
    parameters: Mapping[str, float | str | None] = field(default_factory=dict)
    draft: str = ""
    diagram: str = ""
    time: float = 0.0
    paused: bool = False
    panel: bool = True
    beats: bool = True
    plots: int | None = None
    numbers: str = ""
    sound: bool = False
    folded: tuple[str, ...] = ()
    standpoint: str = ""
    juggler: int | None = None
    view: SavedView | None = None
    beside: OtherHalf | None = None
    recent: tuple[str, ...] = ()
    favourites: tuple[str, ...] = ()
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    other: Mapping[str, Any] = field(default_factory=dict)


def read_session_state(text: str) -> SessionState:
    """What a text says; what cannot be understood in it has its default.

    Args:
        text: as `write_memory` makes it, by a program of any version, or by hand.

    Raises:
        ValueError: it is no JSON object at all.
    """
    try:
        data = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(data, dict):
        raise ValueError("it holds no settings")
    known = {name: read(data[name]) for name, read in _READERS.items() if name in data}
    given = {name: value for name, value in known.items() if value is not None}
    other = {name: value for name, value in data.items() if name not in _READERS and name != "version"}
    return SessionState(**given, other=other)


def write_session_state(memory: SessionState) -> str:
    """The text that `read_memory` reads as this memory."""
    known = {name: value for name, value in asdict(memory).items() if name != "other"}
    data = {"version": VERSION, **known, **memory.other}
    return json.dumps(data, indent=1, allow_nan=False) + "\n"


def _finite(text: str) -> float | None:
    """A number as JSON has it; none where it is endless."""
    number = float(text)
    return number if math.isfinite(number) else None


def _text(value: Any) -> str | None:
    good = isinstance(value, str) and len(value) <= _LONGEST and value.isprintable()
    return value if good else None


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _number(value: Any) -> float | None:
    good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6
    return float(value) if good and math.isfinite(value) else None


def _count(value: Any) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number >= 0 else None


def _numbers(count: int) -> Callable[[Any], tuple[float, ...] | None]:
    def read(value: Any) -> tuple[float, ...] | None:
        if not isinstance(value, list) or len(value) != count:
            return None
        numbers = [number for each in value if (number := _number(each)) is not None]
        return tuple(numbers) if len(numbers) == count else None

    return read


def _pixels(value: Any) -> tuple[int, ...] | None:
    numbers = _numbers(2)(value)
    return tuple(round(number) for number in numbers) if numbers else None


def _texts(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(dict.fromkeys(text for each in value[:_MOST] if (text := _text(each))))


def _parameters(value: Any) -> dict[str, Any] | None:
    if not isinstance(value, dict):
        return None
    return {name: each for name, each in value.items() if each is None or _text(each) or _number(each) is not None}


def _keys(value: Any) -> dict[str, tuple[str, ...]] | None:
    if not isinstance(value, dict):
        return None
    lists = {name: [each] if isinstance(each, str) else each for name, each in value.items()}
    return {name: texts for name, each in lists.items() if (texts := _texts(each)) is not None}


def _view(value: Any) -> SavedView | None:
    if not isinstance(value, dict):
        return None
    target = _numbers(3)(value.get("target"))
    numbers = [_number(value.get(name)) for name in ("distance", "azimuth", "elevation")]
    if target is None or any(number is None for number in numbers):
        return None
    distance, azimuth, elevation = (number or 0.0 for number in numbers)
    return SavedView((target[0], target[1], target[2]), distance, azimuth, elevation)


def _beside(value: Any) -> OtherHalf | None:
    if not isinstance(value, dict):
        return None
    pattern, right = _text(value.get("pattern")), _flag(value.get("right"))
    return OtherHalf(pattern, _parameters(value.get("parameters")) or {}, right is not False) if pattern else None


_NAMES: dict[Callable[[Any], Any], str] = {
    _pixels: "size place",
    _text: "pattern draft diagram numbers standpoint",
    _parameters: "parameters",
    _number: "time",
    _flag: "paused panel beats sound",
    _count: "plots juggler",
    _texts: "folded recent favourites",
    _view: "view",
    _beside: "beside",
    _keys: "keys",
}

_READERS = {name: read for read, names in _NAMES.items() for name in names.split()}


def merged_sessions(before: SessionState, mine: SessionState, theirs: SessionState) -> SessionState:
    """What is to be written where somebody else has written meanwhile.

    Favourites and recent patterns are those of both, less what either has removed; keys, and whatever this version does
    not know, are only written by others. Where it opens next time is a matter of who writes last.

    Args:
        before: what both began with.
        mine: what this window would write.
        theirs: what the file says by now.
    """
    recent = _both(before.recent, mine.recent, theirs.recent)[:MAX_RECENT]
    favourites = _both(before.favourites, mine.favourites, theirs.favourites)
    return replace(mine, recent=recent, favourites=favourites, keys=theirs.keys, other=theirs.other)


def _both(before: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """Two lists, the newest first, that were one before: what is new in mine, in theirs, and what neither removed."""
    if theirs == before:
        return mine
    removed = {text for text in before if text not in mine or text not in theirs}
    texts = dict.fromkeys((*_front(before, mine), *_front(before, theirs), *mine, *theirs))
    return tuple(text for text in texts if text not in removed)


def _front(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """What was put in front of a list, be it new or from farther down."""
    for count in range(len(now)):
        rest = now[count:]
        if rest == tuple(text for text in before if text in rest):
            return now[:count]
    return now
