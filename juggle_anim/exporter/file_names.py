"""File names of frames: a template such as `shot_####.png`, of which each frame's number fills the place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from juggle_anim.errors import ParameterError

CAMERA = "{camera}"
"""What stands for the name of the camera in a path."""


@dataclass(frozen=True)
class Template:
    """Where frames go.

    Args:
        folder: that holds them all.
        before, after: what stands around the number; `after` holds the ending.
        digits: of the number at least, with zeros before it.
    """

    folder: Path
    before: str
    after: str
    digits: int

    def path(self, number: int) -> Path:
        """The file of the frame with this number."""
        return self.folder / f"{self.before}{number:0{self.digits}}{self.after}"

    @property
    def suffix(self) -> str:
        """The ending that says how frames are written, in small letters."""
        return Path(f"0{self.after}").suffix.casefold()

    def is_frame(self, name: str) -> bool:
        """Whether a file of this name is a frame."""
        return bool(re.fullmatch(rf"{re.escape(self.before)}{self._number}{re.escape(self.after)}", name))

    def is_draft(self, name: str) -> bool:
        """Whether it is a frame half written, which a killed export left behind."""
        ending = Path(f"0{self.after}").suffix
        within = self.after.removesuffix(ending)
        draft = rf"\.{re.escape(self.before)}{self._number}{re.escape(within)}\.\d+\.part{re.escape(ending)}"
        return bool(re.fullmatch(draft, name))

    @property
    def _number(self) -> str:
        return rf"\d{{{self.digits},}}"


def read_template(path: Path) -> Template | None:
    """The template in the last part of a path: a run of #, or %05d; None where it has neither.

    Raises:
        ParameterError: there are several places for a number, or one is in the name of a folder.
    """
    places = list(_NUMBER.finditer(path.name))
    if _NUMBER.search(str(path.parent)):
        raise ParameterError(f"{path}: the number of a frame can stand in the name of the file only")
    if not places:
        return None
    if len(places) > 1:
        raise ParameterError(f"{path}: has {len(places)} places for the number of a frame; leave one")
    found = places[0]
    digits = len(found[0]) if found[0].startswith("#") else int(found[1] or 1)
    return Template(path.parent, path.name[: found.start()], path.name[found.end() :], max(digits, 1))


def in_folder(folder: Path, ending: str, last: int) -> Template:
    """The template for frames that have a folder of their own: `frame_00000.png` and on.

    Args:
        folder: that.
        ending: of the names, with its point.
        last: the highest number, for which there must be room.
    """
    return Template(folder, "frame_", ending, max(_DIGITS, len(str(last))))


_DIGITS = 5
_NUMBER = re.compile(r"#+|%(?:0?([1-9]))?d")
