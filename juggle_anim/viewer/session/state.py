"""The saved state of a session, its JSON form, and the merge of states from two windows."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from juggle_anim.language import _

VERSION = 1
"""Version of the format. Other versions read the fields that they know and keep the rest."""

MAX_RECENT = 60
"""The length of the list of recent patterns."""

MAX_RECENT_FILES = 20
"""The length of the list of recent files."""

_MAX_CHARACTERS = 20_000  # of a text in the file
_MAX_TEXTS = 2_000  # of a list in the file
_MAX_DEPTH = 50  # of values in values; deeper ones could not be written again


@dataclass(frozen=True)
class SavedView:
    """The orbit of a camera that the user has moved.

    Args:
        target: the point it orbits, [m].
        distance: from the target, [m].
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
        pattern: the text that opens its animation.
        parameters: that the text does not hold.
        right: whether it is the right half.
    """

    pattern: str
    parameters: Mapping[str, float | str | None]
    right: bool


@dataclass(frozen=True)
class SavedFile:
    """A file that a pattern was opened from or saved to.

    Args:
        path: of the file.
        stamp: of its version then, as in `FileStamp`.
    """

    path: str
    stamp: tuple[int, int]


@dataclass(frozen=True)
class SavedFilm:
    """A film that was shown with the animation.

    Args:
        path: of the film.
        controls: values of its controls, by name.
        lag: when it begins, [s] after the loop of the animation.
        marks: when the key of each mark went down and came up, [s] of the film.
    """

    path: str
    controls: Mapping[str, float | str]
    lag: float
    marks: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class SessionState:
    """The saved state of a viewer. Every field has a default, so that any of them may be missing in
    a file.

    Args:
        size: width and height of the window, [pixels].
        place: x and y of the window's upper left corner on the screen, [pixels].
        pattern: the text that opens the animation.
        parameters: of the animation, by name, that the text does not hold.
        document: the file that settings were opened from or saved to; None for events, whose text
            names it.
        draft: the unfinished text in the pattern line.
        diagram: the kind of diagram shown; empty if none.
        time: in the loop, [s].
        paused: whether the animation was paused.
        panel: whether the panel was shown.
        beats: whether the line of beats was shown.
        facts: whether the facts of the pattern were shown.
        plots: the first plot shown; None if plots were hidden.
        numbers: which numbers were written beside props.
        sound: whether it was on.
        live: whether another pattern was reached by a transition.
        folded: names of the folded groups in the panel; None for those of a new window.
        window: values of the controls of the window, by name.
        standpoint: the name of the view; empty for the default.
        juggler: the juggler whom the camera followed, counted from 0; None if it followed none.
        view: the camera, if the user has moved it.
        beside: the other half of a split view.
        film: the film that was shown.
        camera_path: its views: azimuth and elevation, [°], and the time from the one before, [s].
        recent: recent patterns, the latest first, with the settings that were changed.
        favourites: favourite patterns, the latest first.
        files: absolute paths of recent files, the latest first.
        keys: custom chords by the name of their action.
        other: unknown fields of the file by name, kept as they are.
    """

    size: tuple[int, int] | None = None
    place: tuple[int, int] | None = None
    pattern: str = ""
    parameters: Mapping[str, float | str | None] = field(default_factory=dict)
    document: SavedFile | None = None
    draft: str = ""
    diagram: str = ""
    time: float = 0.0
    paused: bool = False
    panel: bool = True
    beats: bool = True
    facts: bool = False
    plots: int | None = None
    numbers: str = ""
    sound: bool = False
    live: bool = True
    folded: tuple[str, ...] | None = None
    window: Mapping[str, float | str | None] = field(default_factory=dict)
    standpoint: str = ""
    juggler: int | None = None
    view: SavedView | None = None
    beside: OtherHalf | None = None
    film: SavedFilm | None = None
    camera_path: tuple[tuple[float, float, float], ...] = ()
    recent: tuple[str, ...] = ()
    favourites: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    other: Mapping[str, Any] = field(default_factory=dict)


def read_session_state(text: str) -> SessionState:
    """Return the state in a JSON text; fields with invalid values have their defaults.

    Args:
        text: as `write_session_state` makes it, by any version of the program, maybe edited by
            hand.

    Raises:
        ValueError: the text is not a JSON object.
    """
    data = _fields(text)
    values = {name: read(data[name]) for name, read in _READERS.items() if name in data}
    valid = {name: value for name, value in values.items() if value is not None}
    other = {
        name: value for name, value in data.items() if name not in _READERS and name != "version"
    }
    return SessionState(**valid, other=other)


def invalid_fields(text: str) -> list[str]:
    """The names of fields in a JSON text that have invalid values.

    Raises:
        ValueError: the text is not a JSON object.
    """
    values = {
        name: value
        for name, value in _fields(text).items()
        if value is not None and name in _READERS
    }
    return [name for name, value in values.items() if _READERS[name](value) is None]


def _fields(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except RecursionError as error:
        raise ValueError(_("it is nested too deeply")) from error
    if not isinstance(data, dict):
        raise ValueError(_("it holds no settings"))
    if _is_deeper(data, _MAX_DEPTH):
        raise ValueError(_("it is nested too deeply"))
    return data


def _is_deeper(value: Any, levels: int) -> bool:
    """Whether objects and lists stand in each other on more than so many levels."""
    members = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    )
    return levels == 0 or any(_is_deeper(member, levels - 1) for member in members)


def write_session_state(state: SessionState) -> str:
    """Return the JSON text of a state; `read_session_state` reads it back."""
    known = {name: value for name, value in asdict(state).items() if name != "other"}
    data = {"version": VERSION, **known, **state.other}
    return json.dumps(data, indent=1, allow_nan=False) + "\n"


def _finite(text: str) -> float | None:
    """Return a JSON number; None for infinity and NaN."""
    number = float(text)
    return number if math.isfinite(number) else None


def _text(value: Any) -> str | None:
    valid = isinstance(value, str) and len(value) <= _MAX_CHARACTERS and value.isprintable()
    return value if valid else None


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _number(value: Any) -> float | None:
    valid = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6
    return float(value) if valid and math.isfinite(value) else None


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
    return tuple(dict.fromkeys(text for each in value[:_MAX_TEXTS] if (text := _text(each))))


def _parameters(value: Any) -> dict[str, Any] | None:
    if not isinstance(value, dict):
        return None
    return {
        name: each
        for name, each in value.items()
        if each is None or _text(each) or _number(each) is not None
    }


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
    pattern = _text(value.get("pattern"))
    right = _flag(value.get("right"))
    return (
        OtherHalf(pattern, _parameters(value.get("parameters")) or {}, right is not False)
        if pattern
        else None
    )


def _document(value: Any) -> SavedFile | None:
    if not isinstance(value, dict):
        return None
    path = _text(value.get("path"))
    stamp = value.get("stamp")
    if not path or not isinstance(stamp, list) or [type(number) for number in stamp] != [int, int]:
        return None
    return SavedFile(path, (stamp[0], stamp[1]))


def _film(value: Any) -> SavedFilm | None:
    if not isinstance(value, dict):
        return None
    path = _text(value.get("path"))
    lag = _number(value.get("lag"))
    marks = value.get("marks")
    controls = {
        name: each
        for name, each in (_parameters(value.get("controls")) or {}).items()
        if each is not None
    }
    pairs = [_numbers(2)(mark) for mark in marks[:_MAX_TEXTS]] if isinstance(marks, list) else []
    made = tuple((pair[0], pair[1]) for pair in pairs if pair)
    return SavedFilm(path, controls, lag or 0.0, made) if path else None


def _camera_path(value: Any) -> tuple[tuple[float, float, float], ...] | None:
    views = [_numbers(3)(view) for view in value[:_MAX_TEXTS]] if isinstance(value, list) else []
    return tuple((view[0], view[1], view[2]) for view in views if view)


_NAMES: dict[Callable[[Any], Any], str] = {
    _pixels: "size place",
    _text: "pattern draft diagram numbers standpoint",
    _parameters: "parameters window",
    _number: "time",
    _flag: "paused panel beats facts sound live",
    _count: "plots juggler",
    _texts: "folded recent favourites files",
    _view: "view",
    _document: "document",
    _beside: "beside",
    _film: "film",
    _camera_path: "camera_path",
    _keys: "keys",
}

_READERS = {name: read for read, names in _NAMES.items() for name in names.split()}


def merge_sessions(before: SessionState, mine: SessionState, theirs: SessionState) -> SessionState:
    """Merge the state of this window with one that another window has written since.

    Favourites, recent patterns and recent files are the union of both, less what either has
    removed. Keys and unknown fields come from the file, everything else from this window.

    Args:
        before: the state that both started from.
        mine: the state of this window.
        theirs: the state in the file now.
    """
    recent = _merge_lists(before.recent, mine.recent, theirs.recent)[:MAX_RECENT]
    favourites = _merge_lists(before.favourites, mine.favourites, theirs.favourites)
    files = _merge_lists(before.files, mine.files, theirs.files)[:MAX_RECENT_FILES]
    return replace(
        mine,
        recent=recent,
        favourites=favourites,
        files=files,
        keys=theirs.keys,
        other=theirs.other,
    )


def _merge_lists(
    before: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]
) -> tuple[str, ...]:
    """Merge two versions of a list, the newest first: new texts of mine, new texts of theirs, then
    what both kept.
    """
    if theirs == before:
        return mine
    removed = {text for text in before if text not in mine or text not in theirs}
    texts = dict.fromkeys(
        (*_moved_to_front(before, mine), *_moved_to_front(before, theirs), *mine, *theirs)
    )
    return tuple(text for text in texts if text not in removed)


def _moved_to_front(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts put in front of a list since, new or moved up."""
    for count in range(len(now)):
        rest = now[count:]
        if rest == tuple(text for text in before if text in rest):
            return now[:count]
    return now
