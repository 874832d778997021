"""File names of frames: a folder, and a template with a place for the number, such as
`shot_#####.png`.
"""

from __future__ import annotations

import re
from pathlib import Path

from juggle_anim.errors import ParameterError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass

CAMERA = "{camera}"
"""The placeholder for the camera's name in a path."""

_DIGITS = 5  # of the number of a frame in a folder of its own
_NUMBER_PLACE = re.compile(r"#+|%(?:0?([1-9]))?d")


@dataclass(frozen=True)
class Template:
    """The file names of frames.

    Args:
        folder: the folder of all frames.
        before, after: the text of a file name before and after the number; `after` holds the
            ending.
        digits: the least number of digits, to which numbers are filled with zeros; at least 1.
    """

    folder: Path
    before: str
    after: str
    digits: int

    def path(self, number: int) -> Path:
        """Return the file of the frame with this number."""
        return self.folder / f"{self.before}{number:0{self.digits}}{self.after}"

    @property
    def suffix(self) -> str:
        """The ending, in lower case, which decides the format."""
        return Path(f"0{self.after}").suffix.casefold()

    def is_frame(self, name: str) -> bool:
        """Return whether a file of this name is a frame."""
        return bool(
            re.fullmatch(rf"{re.escape(self.before)}{self._number}{re.escape(self.after)}", name)
        )

    def is_partial(self, name: str) -> bool:
        """Return whether a file of this name is a partial frame.

        That is the draft of a frame, as `atomic_file` names it: of an export that is running or was
        killed. A dot comes before the frame's name, and the writer's ID before its ending.
        """
        # `after` may hold text before the ending. With a digit in front, `Path` finds an ending
        # also where `after` is nothing else.
        ending = Path(f"0{self.after}").suffix
        within = self.after.removesuffix(ending)
        stem = f"{re.escape(self.before)}{self._number}{re.escape(within)}"
        partial = rf"\.{stem}\.\d+\.part{re.escape(ending)}"
        return bool(re.fullmatch(partial, name))

    @property
    def _number(self) -> str:
        return rf"\d{{{self.digits},}}"


def read_template(path: Path) -> Template | None:
    """Read the template for names of frames in a path: a run of `#`, or `%05d`, in the file name.

    Args:
        path: as it was asked for.

    Returns:
        The template; None where there is neither.

    Raises:
        ParameterError: there are several places for the number, or one is in the name of a folder.
    """
    places = list(_NUMBER_PLACE.finditer(path.name))
    if _NUMBER_PLACE.search(str(path.parent)):
        raise ParameterError(
            _("{path}: the frame number must be in the file name, not in a folder name", path=path)
        )
    if not places:
        return None
    if len(places) > 1:
        raise ParameterError(
            _(
                "{path}: has {count} places for the frame number; leave only one",
                path=path,
                count=len(places),
            )
        )
    # At least as many digits as there are #, or as %05d says; %d has as many as are needed, so that
    # it counts as 1.
    match = places[0]
    has_signs = match[0].startswith("#")
    digits = len(match[0]) if has_signs else int(match[1] or 1)
    before = path.name[: match.start()]
    after = path.name[match.end() :]
    return Template(path.parent, before, after, digits=max(digits, 1))


def folder_template(folder: Path, ending: str, last_number: int) -> Template:
    """Return the template of frames in a folder of their own: `frame_00000.png` and so on.

    Args:
        folder: the folder.
        ending: of the names, with its dot.
        last_number: the highest number, which must fit the digits.
    """
    return Template(
        folder, before="frame_", after=ending, digits=max(_DIGITS, len(str(last_number)))
    )
