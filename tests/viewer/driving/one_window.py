"""One window for many tests: to open one takes longer than to begin anew in it."""

import shutil
from pathlib import Path

from driven_window import DrivenWindow
from window_starter import WindowStarter


class OneWindow:
    """Gives the same window again and again, and another where that has ended.

    Args:
        environment: of the viewer, which has no audio device; its home is `folder`.
        folder: an empty one.
        starter: of its viewers.
    """

    def __init__(self, environment: dict[str, str], folder: Path, starter: WindowStarter) -> None:
        self.home = folder
        folders = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "settings")}
        self._environment = {**environment, **folders, "PYGLET_AUDIO": "silent"}
        self._starter = starter
        self._window: DrivenWindow | None = None

    def get(self) -> DrivenWindow:
        """The window; tests begin `afresh` in it, and nothing that others kept in its home is there
        any more.
        """
        for kept in self.home.glob("[!.]*"):
            shutil.rmtree(kept) if kept.is_dir() and not kept.is_symlink() else kept.unlink()
        if self._window is None or self._window.process.poll() is not None:
            self._window = DrivenWindow(self._environment, self.home, starter=self._starter)
        elif not self._window.is_focused():
            self._window.find()  # windows of other tests had the keyboard since
        return self._window

    def rest(self) -> None:
        """Stop what it plays, which takes time from the tests that come next."""
        if self._window and self._window.process.poll() is None:
            self._window.rest()

    def close(self) -> None:
        """End it."""
        if self._window:
            self._window.process.kill()
            self._window.process.communicate()
            self._window = None
