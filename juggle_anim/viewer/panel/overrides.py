"""Overrides: changed parameters of a pattern as text that opens it again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from juggle_anim.animation import Animation
from juggle_anim.choreography import PropStyle, Staging
from juggle_anim.errors import JuggleError, NotationError, ParameterError
from juggle_anim.language import within_sentence
from juggle_anim.notation import (
    Settings,
    find_file_reference,
    find_pattern,
    open_pattern,
    read_settings,
    write_settings,
)
from juggle_anim.parameters import ROWS, Choice, Parameters, ParameterValue, Row
from juggle_anim.viewer.panel.controls import (
    EVENT_CONTROLS,
    STAGING_CONTROLS,
    chosen_value,
    with_value,
)
from juggle_anim.viewer.panel.values import AUTOMATIC, format_value

Overrides = Mapping[str, ParameterValue | None]
"""Values of changed controls by name; None for automatic."""

_ROWS: tuple[Row, ...] = (*ROWS, *STAGING_CONTROLS)
"""What is written, in this order: it stays, so that texts of favourites do."""

_EVENT_ROWS = tuple(row for row in _ROWS if row in EVENT_CONTROLS)


def full_text(animation: Animation, text: str) -> str:
    """Return a text that opens exactly this animation, for favourites and sessions.

    Args:
        animation: the animation, in which the user may have changed settings since it was opened.
        text: its text in the pattern line.

    Returns:
        `text` if no setting was changed, otherwise all settings. For events, which no settings can
        describe, the absolute path of their file, followed by the changed settings; or an empty
        text if they have no file.
    """
    if animation.pattern:
        return text if _means_settings(text, animation.settings) else animation.settings
    path = path_of(text)
    if not path:
        return ""
    changed_settings = [
        _setting_text(name, value)
        for name, value in overrides_of(animation, path).items()
        if value is not None
    ]
    return ";".join([path, *changed_settings])


def path_of(text: str) -> str:
    """Return the absolute path of the file that a text names, with the number of the pattern.

    Empty if it names none.
    """
    reference = find_file_reference(text)
    if reference is None:
        return ""
    return f"{reference.path.absolute()}" + (f"#{reference.choice}" if reference.choice else "")


def overrides_of(animation: Animation, path: str) -> dict[str, ParameterValue | None]:
    """Return the parameters that differ from those of a file of events, or from the defaults."""
    own = _animation_in_file(path, _file_stamp(path))
    rows = [row for row in _EVENT_ROWS if not _is_only_in_files(row, chosen_value(animation, row))]
    return _changed_values(animation, own, rows)


def with_overrides(animation: Animation, overrides: Overrides) -> Animation:
    """Return a copy of an animation with overrides, values that replace some of its settings.

    Args:
        animation: the animation; it is not changed.
        overrides: values by the names of controls, None for an automatic value: of parameters, such
            as `bps`, and of the staging, such as the kind of props. Invalid ones are ignored, and
            so are those of the staging for a pattern on beats, whose text has a staging itself.
    """
    is_events = animation.score.placed
    for control in _ROWS:
        if control.name not in overrides:
            continue
        value = overrides[control.name]
        try:
            if control not in STAGING_CONTROLS:
                parameters = animation.parameters.replace(**{control.name: value})
                animation = Animation(animation.score, parameters)
            elif is_events and control in EVENT_CONTROLS and not _is_only_in_files(control, value):
                animation = with_value(animation, control, value)
        except ParameterError:
            continue  # written by another version of the program, with other limits
    return animation


def with_overrides_of(animation: Animation, path: str, overrides: Overrides) -> Animation:
    """Return events as in their file, with these overrides and no others."""
    own = _animation_in_file(path, _file_stamp(path))
    usual = {row.name: chosen_value(own, row) for row in EVENT_CONTROLS} if own else {}
    return with_overrides(animation, {**usual, **overrides})


class OwnSettings(NamedTuple):
    """What a person has set, without what the present pattern of the library names for itself."""

    parameters: Parameters = Parameters()
    staging: Staging = Staging()


def own_settings(present: Animation, before: OwnSettings) -> OwnSettings:
    """Return the settings that are the user's own, to be applied to the next pattern.

    These are the settings of the present animation, except those that came with its pattern: values
    of a library pattern that the user has not changed, and the staging of events. For these, the
    user's earlier settings are returned.

    Args:
        present: the present animation.
        before: the user's own settings when this animation was chosen.
    """
    parameters = present.parameters
    staging = before.staging if present.score.placed else present.score.staging
    entry = _library_animation(present.score.title)
    if entry is None:
        return OwnSettings(parameters, staging)
    # Replace what the library pattern sets to other values than the defaults, and what the user has
    # not changed since, by the earlier settings.
    earlier_parameters = {}
    for row in ROWS:
        library_value = getattr(entry.parameters, row.name)
        is_unchanged = getattr(parameters, row.name) == library_value
        if library_value != row.default and is_unchanged:
            earlier_parameters[row.name] = getattr(before.parameters, row.name)
    earlier_staging = {}
    for name in ("props", "style"):
        library_value = getattr(entry.score.staging, name)
        is_unchanged = getattr(staging, name) == library_value
        if library_value != getattr(Staging(), name) and is_unchanged:
            earlier_staging[name] = getattr(before.staging, name)
    return OwnSettings(
        parameters.replace(**earlier_parameters), replace(staging, **earlier_staging)
    )


def with_settings_in_use(settings: Settings, own: OwnSettings) -> Animation:
    """Return an animation of settings, completed by the user's own settings.

    Parameters, kind and colours of props, and hand style that are not in the settings are taken
    from `own`. Complete settings describe an animation exactly, so nothing is added to them.

    Args:
        settings: settings of the new animation, as read from a text.
        own: the user's own settings.
    """
    if settings.complete:
        return _animation_of(settings)
    score = settings.score
    # Several kinds of props were chosen for the props of one pattern, and are not taken over.
    if score.staging.props == PropStyle() and len(own.staging.props.kinds) <= 1:
        score = replace(score, staging=replace(score.staging, props=own.staging.props))
    if score.staging.style == Staging().style:
        score = replace(score, staging=replace(score.staging, style=own.staging.style))
    return Animation(score, settings.applied_to(own.parameters))


def split_overrides(text: str) -> tuple[str, dict[str, ParameterValue | None]]:
    """Split `path;key=value` of `full_text` into path and overrides; any other text has none."""
    for cut in (index for index, letter in enumerate(text) if letter == ";"):
        overrides = _parse_overrides(text[cut + 1 :]) if find_file_reference(text[:cut]) else {}
        if overrides:
            return text[:cut], overrides
    return text, {}


def describe(text: str) -> str:
    """Return the changed settings of a text in words, such as `dwell 1 beats, chicken wing 60°`.

    Args:
        text: a result of `full_text`: the path of a file with changed settings, or settings; empty
            words for any other text.
    """
    _path, overrides = split_overrides(text)
    if not overrides and "=" in text:
        overrides = _overrides_in_settings(text)
    rows = [row for row in _ROWS if row.name in overrides]
    values = [(row, overrides[row.name]) for row in rows]
    words = [
        (row.label, AUTOMATIC if value is None else format_value(row, value))
        for row, value in values
    ]
    # Names of controls begin in lower case within a sentence.
    return ", ".join(f"{within_sentence(label)} {word}" for label, word in words)


def _changed_values(
    animation: Animation, own: Animation | None, rows: Iterable[Row]
) -> dict[str, ParameterValue | None]:
    """Return the values that differ from those of another animation, or from the defaults."""
    values = (
        (row, chosen_value(animation, row), chosen_value(own, row) if own else row.default)
        for row in rows
    )
    return {row.name: value for row, value, usual in values if value != usual}


@lru_cache(maxsize=4)
def named_values(name: str) -> Mapping[str, ParameterValue | None]:
    """Return what the library's pattern of a name sets, other than the defaults, by control."""
    entry = _library_animation(name)
    return _changed_values(entry, None, _ROWS) if entry else {}


def _is_only_in_files(row: Row, value: ParameterValue | None) -> bool:
    """Return whether a value is none of the options, as only files can have it."""
    return row in STAGING_CONTROLS and isinstance(row, Choice) and value not in row.options


def _means_settings(text: str, settings: str) -> bool:
    """Return whether a text alone means the same as settings."""
    try:
        read = read_settings(text)
    except NotationError:
        return False
    return write_settings(read.score, read.applied_to(Parameters())) == settings


@lru_cache(maxsize=4)
def _animation_in_file(path: str, stamp: tuple[int, int] | None) -> Animation | None:
    """Return the animation of a file; None if it cannot be read."""
    try:
        settings = open_pattern(path) if stamp else None
    except JuggleError:
        return None
    return _animation_of(settings) if settings else None


@lru_cache(maxsize=4)
def _library_animation(name: str) -> Animation | None:
    """Return the pattern of the library of a name; None if there is none."""
    pattern = find_pattern(name) if name else None
    return _animation_of(read_settings(pattern.name)) if pattern else None


def _file_stamp(path: str) -> tuple[int, int] | None:
    """Modification time and size of a file, as a cache key; None if there is none."""
    reference = find_file_reference(path)
    try:
        status = reference.path.stat() if reference else None
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size) if status else None


def _animation_of(settings: Settings) -> Animation:
    return Animation(settings.score, settings.applied_to(Parameters()))


def _overrides_in_settings(text: str) -> dict[str, ParameterValue | None]:
    """Return the settings in a text that differ from those of the library pattern it names.

    If it names none, those that differ from the defaults. They are values by the names of controls,
    None for an automatic value; none at all if the text is not valid.

    Args:
        text: settings, `pattern=531;dwell=1`.
    """
    try:
        settings = read_settings(text)
        library_animation = _library_animation(settings.score.title)
    except NotationError:
        return {}
    changed = _changed_values(_animation_of(settings), library_animation, _ROWS)
    if "style=" not in text:
        # Hands and dwell in the text imply a style, which the user has not chosen.
        changed.pop("style", None)
    return changed


def _parse_overrides(words: str) -> dict[str, ParameterValue | None]:
    """Parse settings, `key=value;key=value`, of the controls that events of a file have.

    Args:
        words: the text after the path of a file.

    Returns:
        Values by the names of the controls; unknown keys are left out. Empty if the text is
        something else, or if a value that should be a number is none.
    """
    settings = words.split(";")
    if not all("=" in setting for setting in settings):
        return {}
    value_texts = dict(setting.split("=", 1) for setting in settings)
    overrides: dict[str, ParameterValue | None] = {}
    for row in _EVENT_ROWS:
        if row.key not in value_texts:
            continue
        text = value_texts[row.key]
        try:
            overrides[row.name] = text if isinstance(row, Choice) else float(text)
        except ValueError:
            return {}
    return overrides


def _setting_text(name: str, value: ParameterValue) -> str:
    key = next(row.key for row in _ROWS if row.name == name)
    return f"{key}={value if isinstance(value, str) else repr(float(value)).removesuffix('.0')}"
