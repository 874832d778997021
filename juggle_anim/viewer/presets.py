"""Presets: saved by name in one file of the user's."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from juggle_anim.errors import ViewerError
from juggle_anim.printable import printable
from juggle_anim.viewer.alone import alone_in
from juggle_anim.whole_file import cannot_write, whole_file

LONGEST_NAME = 40
"""Characters of a name."""

_LARGEST = 1_000_000  # bytes of a file
_KEY = "presets"


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
        with alone_in(self.path.parent):
            self._write({**self.all(), name: preset})
        return name

    def delete(self, name: str) -> None:
        """Forget a preset, if there is one of that name.

        Raises:
            ExportError: the file cannot be written.
        """
        with alone_in(self.path.parent):
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
        with whole_file(self.path) as draft:
            draft.write_text(text, encoding="utf-8", newline="\n")
