"""The desktop's own dialog for the path of a file, which lets the window go on."""

from __future__ import annotations

import shutil
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from juggle_anim.language import _
from juggle_anim.viewer.state.prompt import Purpose

if TYPE_CHECKING:
    from imgui_bundle import portable_file_dialogs

_PROGRAMS = (
    "zenity",
    "matedialog",
    "qarma",
    "kdialog",
)  # that show dialogs where the system does not


class NativeDialog:
    """Opens one dialog at a time, and is asked in each frame whether there is an answer."""

    def __init__(self) -> None:
        self._shown: portable_file_dialogs.open_file | portable_file_dialogs.save_file | None = None

    def open(self, purpose: Purpose, suggested: str) -> bool:
        """Open the desktop's dialog for the path of a file; return whether this desktop has one.

        The dialog is a process of its own; `answer` tells when it is done.

        Args:
            purpose: why a path is asked for.
            suggested: the path that it begins with; empty for the current folder.
        """
        if not _has_dialogs():
            return False
        # Imported when first used: most windows open no file.
        from imgui_bundle import portable_file_dialogs as dialogs

        title = purpose.value[0]
        if purpose in (Purpose.SAVE, Purpose.SAVE_LIST):
            self._shown = dialogs.save_file(title, suggested)
        else:
            named = " ".join(f"*{ending}" for ending in purpose.endings)
            # A path that ends in a slash is a folder to look into.
            folder = suggested or f"{Path.cwd()}/"
            self._shown = dialogs.open_file(
                title, folder, [_("Supported files"), named, _("All files"), "*"]
            )
        return True

    def answer(self) -> str | None:
        """Return the chosen path, empty if none was chosen; None while the dialog is open."""
        if self._shown is None or not self._shown.ready(0):
            return None
        result = self._shown.result()
        self._shown = None
        return result if isinstance(result, str) else next(iter(result), "")

    def close(self) -> None:
        """Close the dialog, if it is open."""
        if self._shown is not None:
            self._shown.kill()
            self._shown = None


@cache
def _has_dialogs() -> bool:
    return sys.platform in ("win32", "darwin") or any(map(shutil.which, _PROGRAMS))
