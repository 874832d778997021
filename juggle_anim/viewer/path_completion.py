"""Completing a path that is being typed, as a shell does."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from pathlib import Path


def completed(text: str, endings: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """A path, as far as what is there leaves no choice.

    Args:
        text: what was typed; `~` stands for the home, and other paths begin in the current folder.
        endings: of the files that count, in small letters; folders always do, with a slash behind them.

    Returns:
        What was typed with more behind it, and the names that could follow, hidden ones only after a dot.
    """
    before, begun = text[: text.rfind("/") + 1], text[text.rfind("/") + 1 :]
    names = tuple(name for name in _names(before, endings) if name.startswith(begun))
    visible = tuple(name for name in names if begun or not name.startswith("."))
    return (before + _shared(visible) if visible else text), visible


def _names(folder: str, endings: Collection[str]) -> list[str]:
    """What is in a folder, in order; nothing where it cannot be read."""
    try:
        found = sorted(Path(folder or ".").expanduser().iterdir(), key=lambda path: path.name.casefold())
        named = [f"{path.name}/" if path.is_dir() else path.name for path in found]
    except (OSError, RuntimeError):  # the latter of a home that nobody has
        return []
    return [name for name in named if name.endswith("/") or Path(name).suffix.casefold() in endings]


def _shared(names: tuple[str, ...]) -> str:
    """What all of them begin with."""
    signs = itertools.takewhile(lambda signs: len(set(signs)) == 1, zip(*names, strict=False))
    return "".join(sign for sign, *_ in signs)
