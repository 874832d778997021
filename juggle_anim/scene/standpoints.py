"""Standpoints: the directions with names that pictures are taken from."""

from __future__ import annotations

STANDPOINTS: dict[str, tuple[float | None, float | None]] = {
    "usual": (None, None),
    "front": (0.0, None),
    "left": (90.0, None),
    "right": (-90.0, None),
    "back": (180.0, None),
    "top": (0.0, 80.0),
}
"""Azimuth, 0 in front of the jugglers and positive toward their left, and elevation of each, [°]; None is the usual."""
