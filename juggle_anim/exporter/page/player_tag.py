"""The player as part of another page: a tag that holds the whole of it, for notebooks, even without a kernel."""

from __future__ import annotations

import html
from pathlib import Path

from juggle_anim.animation import Animation
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.page.page import small_enough_page
from juggle_anim.language import _
from juggle_anim.notation import record_of

SIZE = 720, 480
"""Width at most and height of a player in a notebook, [pixels]."""


def player_page(animation: Animation) -> str:
    """The text of the page that plays an animation.

    Raises:
        ExportError: the loop is too long for a page.
    """
    request = FrameRequest(animation, SIZE, 60.0, seconds=1 / 60)
    metadata = record_of(animation.score, animation.parameters, {"camera": request.view.name, "start": 0.0}).text
    return small_enough_page(request, metadata, Path("a notebook")).decode()


def player_tag(animation: Animation) -> str:
    """A tag of HTML that plays an animation; it needs neither files nor a network.

    Raises:
        ExportError: the loop is too long for a page.
    """
    return framed(animation.title, player_page(animation))


def framed(title: str, page: str) -> str:
    """The tag that holds a page of `player_page`."""
    width, height = SIZE
    about = _("{title}, juggled in 3D", title=title)
    style = f"width:100%;max-width:{width}px;height:{height}px;border:0"
    return (
        f'<iframe title="{html.escape(about)}" sandbox="allow-scripts" style="{style}" '
        f'srcdoc="{html.escape(page)}"></iframe>'
    )
