"""What made a picture or a video: enough to open the same animation, and to take the same picture again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

PROGRAM = "juggle-anim"


@dataclass(frozen=True)
class Record:
    """What made a file.

    Args:
        settings: the settings string of the animation; empty where no settings hold it.
        jml: the events of such an animation, as a JML document.
        parameters: what goes with those, by names of the table in `juggle_anim.parameters`.
        picture: how the picture was taken: size, rate, camera and so on.
        version: of the program.
    """

    settings: str = ""
    jml: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    picture: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""

    @property
    def text(self) -> str:
        """One line of JSON in ASCII, which any format can hold; `read_record` gives the record back."""
        parts = {"settings": self.settings, "jml": self.jml, "parameters": self.parameters, "picture": self.picture}
        return json.dumps({PROGRAM: self.version, **{name: part for name, part in parts.items() if part}})


def read_record(text: str) -> Record | None:
    """The record that a text holds; None where it is anything else."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict) or not isinstance(read.get(PROGRAM), str):
        return None
    settings, jml = read.get("settings", ""), read.get("jml", "")
    parameters, picture = read.get("parameters", {}), read.get("picture", {})
    if not all(isinstance(each, str) for each in (settings, jml)):
        return None
    if not all(isinstance(each, dict) for each in (parameters, picture)):
        return None
    return Record(settings, jml, parameters, picture, read[PROGRAM])
