"""Tuning: what somebody turned on a pattern, and the text that brings it back just so."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError, NotationError, ParameterError
from juggle_anim.notation import Settings, find_pattern, open_pattern, read_settings, write_settings
from juggle_anim.notation.open import find_file_reference
from juggle_anim.parameters import Choice, Parameters, Row
from juggle_anim.viewer.state.controls import CONTROLS, EVENT_CONTROLS, STAGED, given, with_value
from juggle_anim.viewer.state.values import AUTOMATIC, written

Overrides = Mapping[str, float | str | None]
"""What knobs were turned to, by their names; None where a value follows from the pattern."""

_ANY = "pattern=3"  # stands where settings belong to a file


def full_text(animation: Animation, shown: str) -> str:
    """The text that opens an animation just as it is.

    Args:
        animation: what is shown.
        shown: the text that stands for it.

    Returns:
        `shown` where nothing was turned, else settings; for events of a file its whole path, with settings behind it
        where something was turned, or nothing where no file is known.
    """
    if animation.pattern:
        return shown if _says(shown, animation.settings) else animation.settings
    path = path_of(shown)
    words = ";".join(
        _setting(name, value) for name, value in overrides_of(animation, path).items() if value is not None
    )
    return f"{path};{words}" if path and words else path


def path_of(shown: str) -> str:
    """The whole path of a file that a text names, with the number of the pattern in it; nothing where it is none."""
    place = find_file_reference(shown)
    if place is None:
        return ""
    return f"{place.path.absolute()}" + (f"#{place.choice}" if place.choice else "")


def overrides_of(animation: Animation, path: str) -> dict[str, float | str | None]:
    """What was turned on events since they came from their file; all that is not usual where nobody knows that file."""
    own = _opened(path, _stamp(path))
    rows = [row for row in EVENT_CONTROLS if not _is_of_file(row, given(animation, row))]
    if own is None:
        return {row.name: given(animation, row) for row in rows if given(animation, row) != row.default}
    return {row.name: given(animation, row) for row in rows if given(animation, row) != given(own, row)}


def with_overrides(animation: Animation, tuning: Overrides) -> Animation:
    """The animation with all that can be turned on it as a tuning says; what it cannot have stays as it is."""
    for row in CONTROLS:
        if row.name not in tuning or (row in STAGED and not animation.score.placed):
            continue
        value = tuning[row.name]
        try:
            if row not in STAGED:
                animation = Animation(animation.score, animation.parameters.replace(**{row.name: value}))
            elif row in EVENT_CONTROLS and not _is_of_file(row, value):
                animation = with_value(animation, row, value)
        except ParameterError:
            continue  # of another version
    return animation


def with_overrides_of(animation: Animation, path: str, tuning: Overrides) -> Animation:
    """Events with a tuning and nothing else turned on what their file says."""
    own = _opened(path, _stamp(path))
    usual = {row.name: given(own, row) for row in EVENT_CONTROLS} if own else {}
    return with_overrides(animation, {**usual, **tuning})


def split_overrides(text: str) -> tuple[str, dict[str, float | str | None]]:
    """A text as `full_text` gives it for events, as the path and what was turned; any other stays whole."""
    for cut in (place for place, sign in enumerate(text) if sign == ";"):
        tuning = _read(text[cut + 1 :]) if find_file_reference(text[:cut]) else {}
        if tuning:
            return text[:cut], tuning
    return text, {}


def describe(text: str) -> str:
    """For a reader, what a text as `full_text` gives it has turned: `dwell 1 beats, chicken wing 60°`."""
    tuning = split_overrides(text)[1] or (_of_settings(text) if "=" in text else {})
    rows = [row for row in CONTROLS if row.name in tuning]
    return ", ".join(f"{row.label[:1].lower()}{row.label[1:]} {_value(row, tuning[row.name])}" for row in rows)


def _is_of_file(row: Row, value: float | str | None) -> bool:
    """Whether nobody can turn to a value that files have: props of several kinds, or colours of their own."""
    return row in STAGED and isinstance(row, Choice) and value not in row.options


def _says(text: str, settings: str) -> bool:
    """Whether a text alone means the same as settings."""
    try:
        read = read_settings(text)
    except NotationError:
        return False
    return write_settings(read.score, read.applied_to(Parameters())) == settings


@lru_cache(maxsize=4)
def _opened(path: str, stamp: tuple[int, int] | None) -> Animation | None:
    """What a file holds; None where it cannot be read."""
    try:
        settings = open_pattern(path) if stamp else None
    except JuggleError:
        return None
    return _animation(settings) if settings else None


def _stamp(path: str) -> tuple[int, int] | None:
    """What changes with a file; None where there is none."""
    place = find_file_reference(path)
    try:
        about = place.path.stat() if place else None
    except OSError:
        return None
    return (about.st_mtime_ns, about.st_size) if about else None


def _animation(settings: Settings) -> Animation:
    return Animation(settings.score, settings.applied_to(Parameters()))


def _of_settings(text: str) -> dict[str, float | str | None]:
    """What settings turn on the pattern that they name, of which the library may say something itself."""
    try:
        settings = read_settings(text)
        named = find_pattern(settings.score.title) if settings.score.title else None
        own = _animation(read_settings(named.name)) if named else None
    except NotationError:
        return {}
    here = _animation(settings)
    turned = {
        row.name: given(here, row) for row in CONTROLS if given(here, row) != (given(own, row) if own else row.default)
    }
    if "style=" not in text:
        turned.pop("style", None)  # hands and a dwell that are written bring one that nobody turned
    return turned


def _read(words: str) -> dict[str, float | str | None]:
    """What `key=value;key=value` turns on events; nothing where it is no such text."""
    pairs = [part.partition("=") for part in words.split(";")]
    if not all(sign for _, sign, _ in pairs):
        return {}
    given_words = {key: value for key, _, value in pairs}
    rows = [row for row in EVENT_CONTROLS if row.key in given_words]
    try:
        return {row.name: _parsed(row, given_words[row.key]) for row in rows}
    except ValueError:
        return {}


def _parsed(row: Row, word: str) -> float | str:
    return word if isinstance(row, Choice) else float(word)


def _setting(name: str, value: float | str) -> str:
    key = next(row.key for row in CONTROLS if row.name == name)
    return f"{key}={value if isinstance(value, str) else repr(float(value)).removesuffix('.0')}"


def _value(row: Row, value: float | str | None) -> str:
    return AUTOMATIC if value is None else written(row, value)
