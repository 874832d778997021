"""The screen: whether the window fills it, and pictures of what it shows."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes
from juggle_anim.embedded.png_text import KIND, png_text
from juggle_anim.notation import record_of
from juggle_anim.whole_file import cannot_write, whole_file


@dataclass
class Screen:
    """What is wanted of the window's screen.

    Args:
        full: whether the window is to fill it.
        picture_wanted: whether what it shows next is to be kept as a picture.
        numbers: whether props have their numbers beside them.
    """

    full: bool = False
    picture_wanted: bool = False
    numbers: bool = False

    def toggle(self) -> None:
        """Fill the screen, or no longer."""
        self.full = not self.full

    def toggle_numbers(self) -> None:
        """Write numbers beside the props, or no longer."""
        self.numbers = not self.numbers

    def take_picture(self) -> None:
        """Keep what is shown next."""
        self.picture_wanted = True


def picture_folder() -> Path:
    """Where pictures of this user go: their folder of pictures if there is one, else the current one."""
    pictures = Path.home() / "Pictures"
    return pictures if pictures.is_dir() else Path.cwd()


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
        path = _free(folder, _stem(animation.title), Path.exists)
    with whole_file(path) as draft:
        Image.fromarray(image).save(draft, "PNG", pnginfo=about)
    return path


def _free(folder: Path, stem: str, taken: Callable[[Path], bool]) -> Path:
    numbered = (folder / f"{stem}-{number}.png" for number in itertools.count(2))
    return next(path for path in itertools.chain([folder / f"{stem}.png"], numbered) if not taken(path))


def _stem(title: str) -> str:
    """A name of a file from that of a pattern."""
    words = re.sub(r"[^\w()\[\],+-]+", "-", title).strip("-")[:_LONGEST]
    return f"juggling-{words}" if words else "juggling"


_LONGEST = 60
