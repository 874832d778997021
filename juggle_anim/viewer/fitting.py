"""Fitting words into a width: what is too long ends in dots."""

from __future__ import annotations

from juggle_anim.viewer import theme
from juggle_anim.viewer.theme import Theme

_MOST = 4_000  # words that are kept; then all are measured anew
_kept: dict[tuple[str, float, float, bool, float], str] = {}


def fitted(look: Theme, words: str, room: float, points: float = theme.TEXT, strong: bool = False) -> str:
    """As much of some words as fits, with dots where something is missing.

    Args:
        look: fonts and sizes.
        words: in one line.
        room: the width, [pixels].
        points: size of the text at scale 1, [pixels].
        strong: whether in the strong font.
    """
    key = words, room, points, strong, look.scale
    if key not in _kept:
        if len(_kept) > _MOST:
            _kept.clear()
        _kept[key] = _cut(look, words, room, points, strong)
    return _kept[key]


def _cut(look: Theme, words: str, room: float, points: float, strong: bool) -> str:
    if look.measure(words[:400], points, strong)[0] <= room:
        return words[:400]
    low, high = 0, min(len(words), 400)
    while high - low > 1:
        middle = (low + high) // 2
        fits = look.measure(words[:middle].rstrip() + "…", points, strong)[0] <= room
        low, high = (middle, high) if fits else (low, middle)
    return words[:low].rstrip() + "…"
