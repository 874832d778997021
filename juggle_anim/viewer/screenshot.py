"""The screen: whether the window fills it, and pictures of what it shows.

MERGED: Which numbers are written into the picture.
"""

from __future__ import annotations

import configparser
import itertools
import os
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes
from juggle_anim.atomic_file import atomic_file, cannot_write
from juggle_anim.metadata.images import KIND, png_text
from juggle_anim.notation import record_of

_MAX_TITLE = 60


class Numbers(StrEnum):
    """What is numbered; a key turns from each to the next, and then to the first."""

    NONE = ""
    PROPS = "props"
    THROWS = "throws"
    BOTH = "both"

    @property
    def next(self) -> Numbers:
        """The one after this."""
        every = list(Numbers)
        return every[(every.index(self) + 1) % len(every)]

    @property
    def of_props(self) -> bool:
        """Whether each prop has its number."""
        return self in (Numbers.PROPS, Numbers.BOTH)

    @property
    def of_throws(self) -> bool:
        """Whether each throw shows its value."""
        return self in (Numbers.THROWS, Numbers.BOTH)


@dataclass
class Screen:
    """What is wanted of the window's screen.

    Args:
        full: whether the window is to fill it.
        picture_wanted: whether what it shows next is to be kept as a picture.
        numbers: which are written into the picture.
        recording_wanted: whether what it shows is to be recorded.
    """

    full: bool = False
    picture_wanted: bool = False
    numbers: Numbers = Numbers.NONE
    recording_wanted: bool = False

    def toggle(self) -> None:
        """Fill the screen, or no longer."""
        self.full = not self.full

    def turn_numbers(self) -> None:
        """Write other numbers into the picture."""
        self.numbers = self.numbers.next

    def toggle_recording(self) -> None:
        """Record what is shown, or no longer."""
        self.recording_wanted = not self.recording_wanted

    def take_picture(self) -> None:
        """Keep what is shown next."""
        self.picture_wanted = True


def picture_folder() -> Path:
    """Where pictures of this user go: their folder of pictures if there is one, else the current one."""
    # What is not there, and the home itself, is how a desktop says that there is none.
    home = Path(os.path.expanduser("~"))
    folders = (folder for folder in (_pictures_of_desktop(), home / "Pictures") if folder != home)
    return next((folder for folder in folders if folder.is_absolute() and folder.is_dir()), Path.cwd())


def _pictures_of_desktop() -> Path:
    """The folder for pictures by the name that the desktop gives it; the home where it gives none."""
    from platformdirs import user_pictures_path

    try:
        return user_pictures_path()
    except (OSError, RuntimeError, ValueError, configparser.Error):
        return Path(os.path.expanduser("~"))


def save_picture(image: Bytes, animation: Animation, time: float, folder: Path) -> Path:
    """Write what a window shows as PNG, with the record by which it opens the same animation again.

    Args:
        image: shape (height, width, 3), top row first.
        animation: that it shows.
        time: of the picture, [s] in the pattern.
        folder: that is to hold it; its name is one that is free there.

    Raises:
        ExportError: it cannot be written.
    """
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    picture = {"size": [image.shape[1], image.shape[0]], "start": time / animation.parameters.speed}
    about = PngInfo()
    about.add(KIND, png_text(record_of(animation.score, animation.parameters, picture).text))
    with cannot_write(folder):
        path = free_path(folder, animation.title, ".png")
    with atomic_file(path) as draft:
        Image.fromarray(image).save(draft, "PNG", pnginfo=about)
    return path


def free_path(folder: Path, title: str, ending: str) -> Path:
    """A path in a folder where nothing is yet, named after a pattern."""
    stem = _stem(title)
    numbered = (folder / f"{stem}-{number}{ending}" for number in itertools.count(2))
    return next(path for path in itertools.chain([folder / f"{stem}{ending}"], numbered) if not path.exists())


def _stem(title: str) -> str:
    """A name of a file from that of a pattern."""
    words = re.sub(r"[^\w()\[\],+-]+", "-", title).strip("-")[:_MAX_TITLE]
    return f"juggling-{words}" if words else "juggling"
