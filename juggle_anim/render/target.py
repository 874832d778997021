"""Targets: what pictures are drawn into."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A framebuffer.

    Args:
        size: its width and height, [pixels].
        framebuffer: OpenGL's name of it; 0 is the window.
        transparent: whether nothing is to be drawn behind the solids, shadows included; their colours are then
            premultiplied by the alpha.
    """

    size: tuple[int, int]
    framebuffer: int = 0
    transparent: bool = False
