"""The viewer: a window in which an animation plays and its parameters can be changed."""

from __future__ import annotations

import gc

from juggle_anim.animation import Animation
from juggle_anim.errors import ViewerError
from juggle_anim.language import _

__all__ = ["show"]


def show(
    animation: Animation | None,
    *,
    safe: bool = False,
    listed: str = "",
    welcome: bool = False,
    camera: str = "",
    fullscreen: bool = False,
) -> None:
    """Open a window that shows an animation, and wait until it is closed.

    Window, favourites and keys are restored from the last session.

    Args:
        animation: shown first; None for that of the last session.
        safe: whether to begin with defaults and ignore the last session.
        listed: path of the animation's file, "" for none; if it holds several patterns, the
            library lists them.
        welcome: whether to show what one can do first, as at the very first start.
        camera: the name of a view; another is that of the last session.
        fullscreen: whether the window fills the screen.

    Raises:
        ViewerError: no window can be opened.
    """
    # Without garbage collection while modules are loaded: they are no garbage, and to look for some
    # among them takes a tenth of the time.
    collecting = gc.isenabled()
    gc.disable()
    gc.set_threshold(700)  # Python's own, as a window stays open; a command looks less often
    try:
        # Imported here: window and panel take a while to load, and exports do not need them.
        from juggle_anim.scene import CAMERA_PRESETS, EYE_VIEW
        from juggle_anim.viewer.session.file import open_default_session
        from juggle_anim.viewer.session.session import last_animation
        from juggle_anim.viewer.window_open import EXPORT_HINT, missing_libraries

        try:
            from juggle_anim.viewer.window import Viewer
        except ModuleNotFoundError:
            # A missing Python package, which no system library would mend.
            raise
        except ImportError as missing:
            # The panel's library needs libraries of a desktop as soon as it is imported.
            raise ViewerError(f"{missing_libraries(missing)}; {_(EXPORT_HINT)}") from missing
    finally:
        if collecting:
            gc.enable()

    session = open_default_session(safe=safe)
    error = ""
    shown = animation
    if shown is None:
        shown, error = last_animation(session.state)
    viewer = Viewer(shown, session=session, resumed=animation is None and not error)
    if error:
        viewer.model.notice.say(error, bad=True)
    if listed:
        viewer.controller.library.name_file(listed)
    viewer.greet(asked=welcome)
    viewer.model.screen.full |= fullscreen
    if camera in (*CAMERA_PRESETS, EYE_VIEW):
        viewer.model.rig.fly(camera)
    try:
        viewer.run()
    finally:
        viewer.close()
