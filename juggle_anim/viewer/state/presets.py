"""A preset: how everything in the panel is turned, as settings without a pattern.

MERGED: Presets: saved by name in one file of the user's.

MERGED: The list of presets that a window shows: which is chosen, what is typed for a new one, and what went wrong.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from juggle_anim.animation import Animation
from juggle_anim.atomic_file import atomic_file, cannot_write
from juggle_anim.choreography import Score, Staging
from juggle_anim.errors import JuggleError, NotationError, ViewerError, printable
from juggle_anim.notation import read_settings, read_siteswap, write_settings
from juggle_anim.viewer.session.file import directory_lock, settings_folder

_ANY = "pattern=3"  # the pattern that stands where there is none

LONGEST_NAME = 40
"""Characters of a name."""

_LARGEST = 1_000_000  # bytes of a file

_KEY = "presets"


def preset_of(animation: Animation) -> str:
    """What is turned away from its default: `dwell=1;style=natural;prop=club`, or nothing."""
    staging, usual = animation.score.staging, Staging()
    # Ways of hands and bodies belong to the throws.
    staging = dataclasses.replace(staging, hands=usual.hands, body=usual.body)
    text = write_settings(Score(read_siteswap("3"), staging=staging), animation.parameters)
    return text.removeprefix(_ANY).removeprefix(";")


def with_preset(animation: Animation, preset: str) -> Animation:
    """The animation with everything turned as a preset says; its pattern stays.

    Raises:
        NotationError: the preset holds what this program does not know.
        ParameterError: it sets beats, and the animation is made of events with times of their own.
    """
    settings = read_settings(f"{_ANY};{preset}" if preset else _ANY)
    said, score = settings.score.staging, animation.score
    staging = dataclasses.replace(score.staging, props=said.props, style=said.style, catches=said.catches)
    parameters = settings.applied_to(animation.parameters)
    if score.placed or staging == score.staging:
        # Events of a file say themselves what is juggled.
        return animation.replace(**dataclasses.asdict(parameters))
    return Animation(dataclasses.replace(score, staging=staging), parameters)


class Presets:
    """The store. It reads the file each time, since another window may have written it.

    Args:
        path: of the file, there or not.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def all(self) -> dict[str, str]:
        """The presets by name, in the order of the alphabet; none where there is no file or it cannot be read."""
        found = self._read().get(_KEY)
        texts = {name: text for name, text in found.items() if isinstance(text, str)} if isinstance(found, dict) else {}
        return dict(sorted(texts.items(), key=lambda entry: entry[0].casefold()))

    def save(self, name: str, preset: str) -> str:
        """Keep a preset, in place of one of that name; returns the name as it is kept.

        Raises:
            ViewerError: the name is empty or too long.
            ExportError: the file cannot be written.
        """
        name = " ".join(printable(name, None).split())
        if not 0 < len(name) <= LONGEST_NAME:
            raise ViewerError(f"a preset needs a name of 1 to {LONGEST_NAME} characters")
        with directory_lock(self.path.parent):
            self._write({**self.all(), name: preset})
        return name

    def delete(self, name: str) -> None:
        """Forget a preset, if there is one of that name.

        Raises:
            ExportError: the file cannot be written.
        """
        with directory_lock(self.path.parent):
            self._write({other: preset for other, preset in self.all().items() if other != name})

    def _read(self) -> dict[str, Any]:
        """What the file holds; a newer program may keep more in it than presets."""
        with contextlib.suppress(OSError, ValueError, RecursionError):
            if self.path.is_file() and self.path.stat().st_size <= _LARGEST:
                held = json.loads(self.path.read_text(encoding="utf-8"))
                return held if isinstance(held, dict) else {}
        return {}

    def _write(self, presets: dict[str, str]) -> None:
        held = self._read()
        with cannot_write(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not held and self.path.exists():
                # Somebody may want to mend it.
                self.path.replace(self.path.with_suffix(".old.json"))
        text = json.dumps({**held, _KEY: presets}, indent=1, ensure_ascii=False) + "\n"
        with atomic_file(self.path) as draft:
            draft.write_text(text, encoding="utf-8", newline="\n")


def usual_presets() -> Path:
    """Where the presets of this user are.

    Raises:
        ViewerError: nobody knows where the user is at home.
    """
    return settings_folder() / "presets.json"


class PresetList:
    """The presets on screen.

    Args:
        path: gives the file of the presets; asked when they are first wanted.
    """

    def __init__(self, path: Callable[[], Path] = usual_presets) -> None:
        self._path = path
        self.shown = self.wanted = False
        """Whether the list is shown, and whether its field is to take the keyboard as soon as it is drawn."""
        self.name = self.trouble = ""
        """What is typed as a name, and what went wrong last."""
        self.chosen: str | None = None
        """The name of the chosen preset."""
        self.presets: dict[str, str] = {}
        """All of them by name, as the file had them when it was last looked at."""

    def open(self) -> None:
        """Show them, as they are now."""
        self.shown = self.wanted = True
        self.name = self.trouble = ""
        self._look()

    def close(self) -> None:
        """Show them no more."""
        self.shown = self.wanted = False

    def step(self, ways: int) -> None:
        """Choose another one, so many further down, around the ends."""
        names = list(self.presets)
        if names:
            at = names.index(self.chosen) + ways if self.chosen in names else min(ways, 0)
            self.chosen = names[at % len(names)]

    def save(self, preset: str) -> None:
        """Keep a preset under the name that is typed."""

        def save() -> None:
            self.chosen, self.name = self._store.save(self.name, preset), ""

        self._try(save)

    def delete(self, name: str) -> None:
        """Forget one of them."""
        self._try(lambda: self._store.delete(name))

    @cached_property
    def _store(self) -> Presets:
        return Presets(self._path())

    def _try(self, change: Callable[[], None]) -> None:
        self.trouble, self.wanted = "", True
        try:
            change()
        except JuggleError as error:
            self.trouble = error.reason if isinstance(error, NotationError) else str(error)
        self._look()

    def _look(self) -> None:
        try:
            self.presets = self._store.all()
        except ViewerError as error:
            self.trouble = str(error)
        if self.chosen not in self.presets:
            self.chosen = None
