"""The command `show`: a window."""

from __future__ import annotations

from typing import Any

from juggle_anim.commands.opening import PatternText, open_animation
from juggle_anim.flags import take_parameters


@take_parameters
def show(pattern: PatternText, **given: Any) -> None:
    """Open the viewer; the word show may be left out."""
    from juggle_anim.public import show as open_viewer

    open_viewer(open_animation(pattern, given))
