"""The viewer: a window in which an animation plays and its quantities can be turned."""

from __future__ import annotations

from juggle_anim.animation import Animation

__all__ = ["show"]


def show(animation: Animation) -> None:
    """Open a window that shows an animation, and wait until it is closed.

    Args:
        animation: what is shown first.

    Raises:
        ViewerError: no window can be opened here.
    """
    # Imported here: window and panel take a while to load, and whoever only exports has no use for them.
    from juggle_anim.viewer.window import Viewer

    viewer = Viewer(animation)
    try:
        viewer.run()
    finally:
        viewer.close()
