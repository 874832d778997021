"""Pictures of docs/viewer.md and the README show the viewer as it is.

When it should look otherwise, make them anew (`xvfb-run -a .venv/bin/python docs/make_pictures.py`)
and look at them.

What is drawn is brought to the colours that a picture has room for, and compared with it. Drivers
round differently, so two things count: the mean of all differences, and the means of tiles of 8×8
pixels, which rounding hardly moves but another letter does.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from paths import ROOT
from PIL import Image

IMAGES = ROOT / "docs" / "images"
STORED = sorted(path.name for path in IMAGES.glob("viewer*.png"))
MEAN, TILE, SIDE = 1.0, 12.0, 8
"""Most that a picture may be off: on average, and by the mean of any tile in its worst colour, of
255.
"""
MOST_BYTES = 1_500_000  # stages shade softly, which takes room


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB")).astype(np.int32)


def shown(page: str) -> list[tuple[str, str]]:
    """Pictures of the viewer on a page: their words, and their names."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"!\[([^\]]*)\]\([\w/]*images/(viewer[^)]*)\)", text)


def codes(picture: np.ndarray) -> np.ndarray:
    """A number for each colour."""
    return picture[..., 0] << 16 | picture[..., 1] << 8 | picture[..., 2]


def colours(codes: np.ndarray) -> np.ndarray:
    return np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1)


def in_colours_of(stored: np.ndarray, picture: np.ndarray) -> np.ndarray:
    """A picture, each pixel in the nearest of the colours that are in another one."""
    stored_codes, picture_codes = codes(stored), codes(picture)
    room = colours(occurring(stored_codes))
    other = np.flatnonzero(
        stored_codes != picture_codes
    )  # where both are alike, no colour is nearer
    there, where = np.unique(picture_codes.flat[other], return_inverse=True)
    nearest = ((room**2).sum(axis=1) - 2.0 * colours(there) @ room.T).argmin(axis=1)
    found = stored.copy()
    found.reshape(-1, 3)[other] = room[nearest][where]
    return found


def occurring(codes: np.ndarray) -> np.ndarray:
    """Each number of a colour once; to mark them is quicker than to sort them."""
    marks = np.zeros(1 << 24, dtype=bool)
    marks[codes] = True
    return np.flatnonzero(marks)


def off(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    """How far two pictures differ: on average, and in the worst tile."""
    difference = (one - other).astype(np.float32)
    down, across = (length // SIDE for length in difference.shape[:2])
    tiles = (
        difference[: down * SIDE, : across * SIDE]
        .reshape(down, SIDE, across, SIDE, 3)
        .mean(axis=(1, 3))
    )
    return float(np.abs(difference).mean()), float(np.abs(tiles).max())


def complaint(name: str, made: Path) -> str:
    """What is wrong with a picture; nothing where it shows what is drawn."""
    stored, now = pixels(IMAGES / name), pixels(made / name)
    if stored.shape != now.shape:
        return f"{name} has another size than {made / name}"
    mean, tile = off(stored, in_colours_of(stored, now))
    fine = mean <= MEAN and tile <= TILE
    return (
        ""
        if fine
        else f"{name} is off by {mean:.2f} on average, {tile:.0f} in its worst tile; see "
        f"{made / name}"
    )


@pytest.mark.parametrize("named", [STORED[::10], pytest.param([], marks=pytest.mark.long)])
def test_the_viewer_looks_as_in_its_pictures_and_the_script_makes_all_of_them(
    named: list[str], display: dict[str, str], tmp_path: Path
) -> None:
    # All at once, in one window: to open one takes longest.
    command = [sys.executable, "docs/viewer_pictures.py", str(tmp_path), *named]
    subprocess.run(command, cwd=ROOT, env=display, check=True, timeout=300)
    made = sorted(os.listdir(tmp_path))
    assert made == (named or STORED)
    assert [words for name in made if (words := complaint(name, tmp_path))] == []


def test_other_rounding_is_forgiven_and_a_stroke_as_of_a_letter_is_not() -> None:
    stored = pixels(IMAGES / "viewer_window.png")
    rounded = np.clip(stored + np.random.default_rng(1).integers(-1, 2, stored.shape), 0, 255)
    mean, tile = off(stored, in_colours_of(stored, rounded))
    assert mean <= MEAN / 2
    assert tile <= TILE / 2
    changed = stored.copy()
    changed[300:308, 700] = stored.min(axis=(0, 1))
    assert off(stored, in_colours_of(stored, changed))[1] > TILE


def test_pages_show_each_of_them_once_and_no_other_and_say_what_is_in_it() -> None:
    pages = (
        "docs/viewer.md",
        "docs/viewer_reference.md",
        "docs/editing.md",
        "docs/footage.md",
        "docs/generator.md",
        "docs/learn.md",
        "docs/routines.md",
        "docs/variations.md",
        "README.md",
    )
    pictures = [each for page in pages for each in shown(page)]
    assert sorted(name for _, name in pictures) == STORED
    assert [name for words, name in pictures if len(words.split()) < 4] == []


def test_they_are_not_too_large_to_keep() -> None:
    assert sum((IMAGES / name).stat().st_size for name in STORED) < MOST_BYTES
