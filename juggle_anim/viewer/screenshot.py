"""The screen: full screen, which numbers are in the picture, and pictures of the window."""

from __future__ import annotations

import configparser
import math
import os
import re
from enum import Enum, StrEnum
from pathlib import Path
from time import perf_counter
from typing import ClassVar, NamedTuple

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes
from juggle_anim.atomic_file import atomic_file, cannot_write
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.metadata.images import PNG_TEXT_CHUNK, png_text_content
from juggle_anim.notation import record_of

_MAX_TITLE = 60


class Numbers(StrEnum):
    """Which numbers are in the picture; a key goes from each to the next, and then to the first."""

    NONE = ""
    PROPS = "props"
    THROWS = "throws"
    BOTH = "both"

    @property
    def next(self) -> Numbers:
        """The next one."""
        every = list(Numbers)
        return every[(every.index(self) + 1) % len(every)]

    @property
    def of_props(self) -> bool:
        """Whether each prop has its number."""
        return self in (Numbers.PROPS, Numbers.BOTH)

    @property
    def of_throws(self) -> bool:
        """Whether each throw has its value."""
        return self in (Numbers.THROWS, Numbers.BOTH)


class FilmCamera(Enum):
    """Camera of a film, and what it does, in words."""

    HERE = N_("Current view")
    TURNTABLE = N_("Circle once")
    FROM_FRONT = N_("From the front to the current view")
    PATH = N_("Follow the camera path")


class WantedExport(NamedTuple):
    """A file to export to, and how it is filmed.

    `keys` are those of a camera path, as exports take them; `picture` is the kind of a print, and
    empty for exports.
    """

    path: Path
    camera: FilmCamera = FilmCamera.HERE
    keys: str = ""
    picture: str = ""


@dataclass(eq=False)
class Saving:
    """A file that is being written beside the window.

    Args:
        name: name of the file.
        began: when writing began, [s] of `perf_counter`.
        done, total: numbers of frames; the total is 0 until it is known, and for files that are not
            written frame by frame.
        remaining: estimated time until it is complete, [s]; None until it is known.
        cancelled: whether it is to be given up.
    """

    name: str
    began: float
    done: int = 0
    total: int = 0
    remaining: float | None = None
    cancelled: bool = False

    cancel_term: ClassVar[str] = "cancel saving"  # of the tooltip of its button

    @property
    def elapsed(self) -> int:
        """For how many whole seconds it has been written."""
        return int(perf_counter() - self.began)

    @property
    def words(self) -> str:
        """How far the file is written, in words: the time that is left, or else that has passed."""
        if self.remaining is None and self.total:
            return _(
                "Saving {name}: {count} of {total}",
                name=self.name,
                count=self.done,
                total=self.total,
            )
        if self.remaining is None:
            return _("Saving {name} … {seconds} s", name=self.name, seconds=self.elapsed)
        seconds = math.ceil(self.remaining)
        return _(
            "Saving {name}: {percent}%, {time} left",
            name=self.name,
            percent=100 * self.done // self.total,
            time=f"{seconds} s" if seconds < 100 else f"{round(seconds / 60)} min",
        )


class Building(Saving):
    """A routine that is being built, which is shown as a file is that is being written."""

    cancel_term = "cancel building"

    @property
    def words(self) -> str:
        """For how long it has been built, in words."""
        return _("Building routine … {seconds} s", seconds=self.elapsed)


@dataclass
class Screen:
    """Requests to the window about its screen.

    Args:
        full: whether the window fills it.
        picture_wanted: whether to save the next frame as a picture.
        numbers: which numbers are in the picture.
        recording_wanted: whether to record what the window shows.
        session_wanted: whether to write a film of all that was juggled.
        export_wanted: what to export; None for nothing.
        saving: files that are being written.
        building: the routine that is being built; None if none is.
    """

    full: bool = False
    picture_wanted: bool = False
    numbers: Numbers = Numbers.NONE
    recording_wanted: bool = False
    session_wanted: bool = False
    export_wanted: WantedExport | None = None
    saving: tuple[Saving, ...] = ()
    building: Building | None = None

    @property
    def under_way(self) -> tuple[Saving, ...]:
        """All that is written or built beside the window, and can be cancelled."""
        return (*self.saving, self.building) if self.building else self.saving

    def toggle(self) -> None:
        """Begin or end full screen."""
        self.full = not self.full

    def turn_numbers(self) -> None:
        """Show the next kind of numbers."""
        self.numbers = self.numbers.next

    def toggle_recording(self) -> None:
        """Begin or end a recording."""
        self.recording_wanted = not self.recording_wanted

    def keep_session(self) -> None:
        """Write a film of all that was juggled."""
        self.session_wanted = True

    def take_picture(self) -> None:
        """Save the next frame as a picture."""
        self.picture_wanted = True


def picture_folder() -> Path:
    """Return the folder for pictures of the user; the current folder if there is none."""
    # A desktop without such a folder names a missing one, or the home.
    home = Path(os.path.expanduser("~"))
    folders = (folder for folder in (_pictures_of_desktop(), home / "Pictures") if folder != home)
    return next(
        (folder for folder in folders if folder.is_absolute() and folder.is_dir()), Path.cwd()
    )


def _pictures_of_desktop() -> Path:
    """Return the folder for pictures as the desktop names it; the home if it names none."""
    from platformdirs import user_pictures_path

    try:
        return user_pictures_path()
    except (OSError, RuntimeError, ValueError, configparser.Error):
        return Path(os.path.expanduser("~"))


def save_picture(image: Bytes, animation: Animation, time: float, folder: Path) -> Path:
    """Save what a window shows as a PNG file, with text in it that opens the animation again.

    Args:
        image: sRGB bytes, shape (height, width, 3), top row first.
        animation: animation that the picture shows.
        time: time of the picture in the pattern, [s].
        folder: folder of the file, which gets an unused name.

    Returns:
        The path of the file.

    Raises:
        ExportError: the file cannot be written.
    """
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    # The options of an export that draws the same picture. Its start counts in time of the film, in
    # which the pattern plays at its speed.
    picture = {"size": [image.shape[1], image.shape[0]], "start": time / animation.parameters.speed}
    metadata = PngInfo()
    metadata.add(
        PNG_TEXT_CHUNK,
        png_text_content(record_of(animation.score, animation.parameters, picture).text),
    )
    with cannot_write(folder):
        path = free_path(folder, animation.title, ".png")
    with atomic_file(path) as draft:
        Image.fromarray(image).save(draft, "PNG", pnginfo=metadata)
    return path


def free_path(folder: Path, title: str, ending: str) -> Path:
    """Find an unused path in a folder, named after a pattern; numbered from 2 if that is taken.

    Args:
        folder: folder that exists.
        title: title of the pattern; characters that file names should not have become hyphens.
        ending: ending of the file, such as `.png`.
    """
    words = re.sub(r"[^\w()\[\],+-]+", "-", title).strip("-")[:_MAX_TITLE]
    stem = f"juggling-{words}" if words else "juggling"
    path = folder / f"{stem}{ending}"
    number = 2
    while path.exists():
        path = folder / f"{stem}-{number}{ending}"
        number += 1
    return path
