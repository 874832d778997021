"""The record of an export: enough to open the same animation and draw the same picture; read from
any format.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from juggle_anim.formats import FORMATS
from juggle_anim.metadata.readers import BoundedFile, read_with

PROGRAM = "juggle-anim"

_START = 12


@dataclass(frozen=True)
class Record:
    """The animation and the options that a file was made from.

    Args:
        settings: the settings string of the animation; empty where settings cannot express it.
        jml: the events of such an animation, as a JML document.
        parameters: its parameters, by names of the table in `juggle_anim.parameters`.
        picture: the options of the picture: size, rate, camera and so on.
        version: of the program.
        routine: the lines of a routine, from which its events are laid out.
    """

    settings: str = ""
    jml: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    picture: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""
    routine: str = ""

    @property
    def text(self) -> str:
        """One line of JSON in ASCII, which any format can hold; `read_record` reads it."""
        parts: dict[str, Any] = {
            "settings": self.settings,
            "jml": self.jml,
            "routine": self.routine,
        }
        parts |= {"parameters": self.parameters, "picture": self.picture}
        return json.dumps(
            {PROGRAM: self.version, **{name: part for name, part in parts.items() if part}}
        )


def read_record(text: str) -> Record | None:
    """Read a record from its text; None where the text is anything else."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict) or not isinstance(read.get(PROGRAM), str):
        return None
    settings, jml, routine = (read.get(name, "") for name in ("settings", "jml", "routine"))
    parameters = read.get("parameters", {})
    picture = read.get("picture", {})
    if not all(isinstance(each, str) for each in (settings, jml, routine)):
        return None
    if not all(isinstance(each, dict) for each in (parameters, picture)):
        return None
    return Record(settings, jml, parameters, picture, read[PROGRAM], routine)


def read_metadata(path: Path) -> str | None:
    """Read the metadata of a file; None where it has none, or is of another format.

    An invalid file, or one that is cut short before its metadata ends, has none; one that is cut
    short later may still give it. The metadata of a BVH is in the table beside it.

    Raises:
        OSError: the file cannot be read.
    """
    with BoundedFile(path, _START) as file:
        start = file.read()
    readers = dict.fromkeys(
        row.metadata_reader for row in FORMATS if row.metadata_reader and row.begins(start)
    )
    return next(filter(None, (read_with(reader, path) for reader in readers)), None)
