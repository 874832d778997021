"""The list of presets that a window shows: which is chosen, what is typed for a new one, and what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from juggle_anim.errors import JuggleError, NotationError, ViewerError
from juggle_anim.viewer.presets import Presets
from juggle_anim.viewer.settings_folder import settings_folder


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
