"""Exported files: the animation that is embedded in a picture or video, written and read back."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from juggle_anim.choreography import Score
from juggle_anim.errors import FileError, JuggleError
from juggle_anim.language import _
from juggle_anim.metadata.record import Record, read_metadata, read_record
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.settings.settings import Settings, read_settings, write_settings
from juggle_anim.notation.text_file import shown_path
from juggle_anim.parameters import ROWS, Parameters
from juggle_anim.resources import __version__

_TITLE = re.compile(r"^\s*title\s*=", re.IGNORECASE | re.MULTILINE)


def record_of(score: Score, parameters: Parameters, picture: Mapping[str, Any]) -> Record:
    """Return the record of an animation to embed in a file; `read_exported` reads it back.

    Args:
        score: what is juggled.
        parameters: how.
        picture: how the picture is taken, as JSON can hold it.
    """
    if score.pattern:
        return Record(write_settings(score, parameters), picture=picture, version=__version__)
    # JML says what is thrown, but nothing of elbows and the like.
    changed = {row.name: value for row in ROWS if (value := getattr(parameters, row.name)) != row.default}
    if score.routine:
        text = score.routine.text
        lines = text if _TITLE.search(text) else f"title={score.title}\n{text}"
        return Record(routine=lines, parameters=changed, picture=picture, version=__version__)
    from juggle_anim.notation.jml import write_jml

    jml = write_jml(PatternList((Entry(score.name, Settings(score)),), single=True))
    return Record(jml=jml, parameters=changed, picture=picture, version=__version__)


def read_exported(path: Path) -> PatternList | None:
    """Read the animation embedded in a picture or a video, as a list of one; None where there is none.

    Raises:
        FileError: what it carries cannot be read.
    """
    try:
        words = read_metadata(path)
    except (OSError, ValueError):
        return None  # reading it as text raises the error
    record = read_record(words) if words else None
    if record is None:
        return None
    try:
        settings = _settings(record, shown_path(path))
    except JuggleError as error:
        raise FileError(
            _("{path}: holds an animation that cannot be read: {error}", path=shown_path(path), error=error)
        ) from error
    return PatternList((Entry(settings.score.name, settings, text=record.settings),), single=True)


def _settings(record: Record, name: str) -> Settings:
    if record.routine:
        from juggle_anim.notation.routine import read_routine

        patterns = read_routine(record.routine, name).patterns
    elif record.jml:
        from juggle_anim.notation.jml import read_jml

        patterns = read_jml(record.jml, name).patterns
    else:
        return read_settings(record.settings)
    settings = patterns[0].settings if patterns else None
    if settings is None:
        raise FileError(_("its events are broken"))
    Parameters().replace(**record.parameters)  # raises for an unknown name or value
    return dataclasses.replace(settings, parameters=dict(record.parameters), complete=True)
