"""The public functions that need a window, write files or measure; each accepts an animation or the text of one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation, animate

if TYPE_CHECKING:
    from juggle_anim.analysis import Analysis


def show(animation: Animation | str) -> None:
    """Open the viewer, and return when it is closed.

    Args:
        animation: an animation, or a text as for `animate`.

    Raises:
        NotationError: the text is no valid pattern.
        ViewerError: no window can be opened.
    """
    from juggle_anim.viewer import show as open_viewer

    open_viewer(_animation(animation))


def export(
    animation: Animation | str,
    path: str | Path,
    *,
    size: tuple[int, int] = (1280, 720),
    fps: float = 60.0,
    loops: int | None = None,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> list[Path]:
    """Write an animation as files: PNG frames into a folder, or a video where the path ends in `.mp4`.

    Args:
        animation: an animation, or a text as for `animate`.
        path: a folder, made if it does not exist, or a file that ends in `.mp4`.
        size: width and height of the picture, [pixels].
        fps: frames a second.
        loops: how often the pattern is gone through; by default once for frames, and for a video as often as it takes
            until every prop is back at its place.
        force: whether frames or a video that are there already may be replaced.
        progress: called with the number of frames done and of all frames, after each.

    Returns:
        The files written.

    Raises:
        NotationError: the text is no valid pattern.
        ParameterError: a size, rate, number of loops or kind of file that cannot be.
        ExportError: something is there already, or it cannot be written.
        RenderError: no picture can be drawn on this machine.
    """
    from juggle_anim.exporter import export as write

    return write(_animation(animation), Path(path), size=size, fps=fps, loops=loops, force=force, progress=progress)


def analyse(animation: Animation | str) -> Analysis:
    """Measure one loop: throws, hands, what is out of reach, collisions and the narrowest miss, forces.

    Args:
        animation: an animation, or a text as for `animate`.

    Raises:
        NotationError: the text is no valid pattern.
    """
    from juggle_anim.analysis import analyse as measure

    return measure(_animation(animation))


def _animation(animation: Animation | str) -> Animation:
    return animate(animation) if isinstance(animation, str) else animation
