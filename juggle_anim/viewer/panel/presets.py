"""Presets: the settings of the panel without a pattern, saved under a name in the user's file."""

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
from juggle_anim.language import _
from juggle_anim.notation import read_settings, read_siteswap, write_settings
from juggle_anim.viewer.session.file import directory_lock, settings_folder

_PLACEHOLDER_PATTERN = "pattern=3"  # stands for the pattern that a preset lacks

MAX_NAME_LENGTH = 40
"""Characters of a name."""

_MAX_BYTES = 1_000_000  # bytes of a file
_PRESETS_KEY = "presets"


def preset_of(animation: Animation) -> str:
    """Return the settings that are no defaults, `dwell=1;style=natural;prop=club`, or nothing."""
    staging = animation.score.staging
    usual = Staging()
    # Hand and body movements belong to the throws.
    staging = dataclasses.replace(staging, hands=usual.hands, body=usual.body, throws=usual.throws)
    text = write_settings(Score(read_siteswap("3"), staging=staging), animation.parameters)
    return text.removeprefix(_PLACEHOLDER_PATTERN).removeprefix(";")


def with_preset(animation: Animation, preset: str) -> Animation:
    """Copy an animation with a preset applied; its pattern stays.

    Args:
        animation: stays as it is.
        preset: settings without a pattern, `dwell=1;prop=club`; empty for no changes.

    Raises:
        NotationError: the preset has unknown settings.
        ParameterError: it sets beats, but the animation consists of events with their own times.
    """
    settings = read_settings(f"{_PLACEHOLDER_PATTERN};{preset}" if preset else _PLACEHOLDER_PATTERN)
    new = settings.score.staging
    score = animation.score
    staging = dataclasses.replace(
        score.staging, props=new.props, style=new.style, catches=new.catches
    )
    parameters = settings.applied_to(animation.parameters)
    if score.placed or staging == score.staging:
        # Events of a file have their own props.
        return animation.replace(**dataclasses.asdict(parameters))
    return Animation(dataclasses.replace(score, staging=staging), parameters)


class PresetStore:
    """Presets in a file, which is read each time, as another window may have written it.

    Args:
        path: of the file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.error = ""
        """Why the file could not be read; empty if it could."""

    def all(self) -> dict[str, str]:
        """Return the presets by name, sorted; empty if the file is missing or unreadable."""
        entries = self._read().get(_PRESETS_KEY, {})
        texts = {name: text for name, text in entries.items() if isinstance(text, str)}
        return dict(sorted(texts.items(), key=lambda entry: entry[0].casefold()))

    def save(self, name: str, preset: str) -> str:
        """Save a preset, replacing one of that name; return the normalised name.

        Args:
            name: as typed; blanks are made single, and signs that cannot be printed are removed.
            preset: settings without a pattern, as `preset_of` has them.

        Raises:
            ViewerError: the name is empty or too long.
            ExportError: the file cannot be written.
        """
        name = " ".join(printable(name, None).split())
        if not 0 < len(name) <= MAX_NAME_LENGTH:
            raise ViewerError(
                _(
                    "a preset needs a name of 1 to {max_name_length} characters",
                    max_name_length=MAX_NAME_LENGTH,
                )
            )
        with directory_lock(self.path.parent):
            self._write({**self.all(), name: preset})
        return name

    def delete(self, name: str) -> None:
        """Delete a preset, if there is one of that name.

        Raises:
            ExportError: the file cannot be written.
        """
        with directory_lock(self.path.parent):
            self._write({other: preset for other, preset in self.all().items() if other != name})

    def _read(self) -> dict[str, Any]:
        """Content of the file; empty if it is missing or holds no presets, which sets `error`.

        All of it is kept, as a newer program may store more than presets in it.
        """
        self.error = ""
        # Whatever is wrong with the file, the error below says so.
        with contextlib.suppress(OSError, ValueError, RecursionError):
            if not self.path.exists():
                return {}
            if self.path.is_file() and self.path.stat().st_size <= _MAX_BYTES:
                content = json.loads(self.path.read_text(encoding="utf-8"))
                if isinstance(content, dict) and isinstance(content.get(_PRESETS_KEY, {}), dict):
                    return content
        self.error = _(
            "{name} has no presets; saving one keeps the old file under another name",
            name=self.path.name,
        )
        return {}

    def _write(self, presets: dict[str, str]) -> None:
        """Replace the presets in the file, and keep what else it holds.

        Args:
            presets: settings by name.

        Raises:
            ExportError: the file cannot be written.
        """
        content = self._read()
        with cannot_write(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not content and self.path.exists():
                # Keep the broken file, as the user may want to repair it.
                self.path.replace(self.path.with_suffix(".old.json"))
        text = json.dumps({**content, _PRESETS_KEY: presets}, indent=1, ensure_ascii=False) + "\n"
        with atomic_file(self.path) as draft:
            draft.write_text(text, encoding="utf-8", newline="\n")


class PresetList:
    """The list of presets on screen.

    Args:
        path: returns the file of the presets, when it is first needed.
    """

    def __init__(
        self, path: Callable[[], Path] = lambda: settings_folder() / "presets.json"
    ) -> None:
        """Begin with a hidden list; the file is read when it is opened.

        Args:
            path: returns the file of the presets.
        """
        self._path = path
        self.shown = self.wants_focus = False
        """Whether the list is shown, and whether its field takes the keyboard focus when it is next
        drawn.
        """
        self.name = self.error = ""
        """The typed name, and the last error."""
        self.chosen: str | None = None
        """The name of the chosen preset."""
        self.presets: dict[str, str] = {}
        """All presets by name, as last read from the file."""

    def open(self) -> None:
        """Show the list, read from the file again."""
        self.shown = self.wants_focus = True
        self.name = self.error = ""
        self._reload()

    def close(self) -> None:
        """Hide the list."""
        self.shown = self.wants_focus = False

    def step(self, steps: int) -> None:
        """Choose the preset so many steps further down, cyclically."""
        names = list(self.presets)
        if names:
            index = names.index(self.chosen) + steps if self.chosen in names else min(steps, 0)
            self.chosen = names[index % len(names)]

    def save(self, preset: str) -> None:
        """Save a preset under the typed name."""

        def save() -> None:
            self.chosen = self._store.save(self.name, preset)
            self.name = ""

        self._change_and_reload(save)

    def delete(self, name: str) -> None:
        """Delete a preset."""
        self._change_and_reload(lambda: self._store.delete(name))

    @cached_property
    def _store(self) -> PresetStore:
        return PresetStore(self._path())

    def _change_and_reload(self, change: Callable[[], None]) -> None:
        self.error = ""
        self.wants_focus = True
        try:
            change()
        except JuggleError as error:
            self.error = error.reason if isinstance(error, NotationError) else str(error)
        self._reload()

    def _reload(self) -> None:
        try:
            self.presets = self._store.all()
            self.error = self.error or self._store.error
        except ViewerError as error:
            self.error = str(error)
        if self.chosen not in self.presets:
            self.chosen = None
