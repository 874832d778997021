"""The page of a server, in the language of who asks: its words, and the rows of its sliders."""

from __future__ import annotations

import html
import json
from importlib.resources import files
from string import Template
from typing import Any

from juggle_anim.language import _, language, pgettext
from juggle_anim.parameters import ROWS, Choice, Group, Quantity
from juggle_anim.resources import __version__
from juggle_anim.server.exchange import FIRST, HAND_WIDTH

_GROUPS = (Group.BASICS, Group.TIMING, Group.PROPS, Group.HAND_PATH, Group.ARMS, Group.BODY, Group.LOOK)

_LEFT_OUT = ("left_wing", "right_wing", "speed", "ghost", "trails", "paths", "aids", "stereo", "seed", "human_loops")
"""What the page shows no slider of: its player has one, or pages show nothing of it."""


def page_html() -> str:
    """The text of the page in the present language."""
    rows = sorted((row for row in ROWS if _is_turned(row)), key=lambda row: _GROUPS.index(row.group))
    given = json.dumps({"first": FIRST, "sliders": [_slider(row) for row in rows], "words": _words_of_scripts()})
    words = {name: html.escape(text) for name, text in _words().items()}
    return Template(site_text("index.html")).substitute(
        words, given=given.replace("<", "\\u003c"), version=__version__, language=language()
    )


def site_text(name: str) -> str:
    """A file of the page."""
    return (files(__package__) / "site" / name).read_text(encoding="utf-8")


def _words() -> dict[str, str]:
    """What stands in the page itself."""
    return {
        "animation": _("The animation"),
        "copy": _("Copy"),
        "files": _("Files"),
        "juggle": _("Juggle"),
        "library": _("Library"),
        "link": _("A link that holds everything"),
        "no_script": _("This page needs JavaScript."),
        "pattern": _("Pattern"),
        "search": _("Search the library"),
        "search_example": _("Search 5 balls, shower, passing …"),
        "share": _("Share"),
        "sliders": _("Sliders"),
        "tag": _("A tag for your own page"),
    }


def _words_of_scripts() -> dict[str, str]:
    """What the page's script shows; it puts values in the place of names in braces."""
    return {
        "automatic": _("auto"),
        "copied": _("Copied"),
        "copy": _("Copy"),
        "juggled": _("{title}, juggled in 3D"),
        "juggling": _("Juggling"),
        "ladder": _("Ladder (SVG)"),
        "level": _("level {number}"),
        "people": _("{props} / {jugglers} people"),
    }


def _is_turned(row: Quantity | Choice) -> bool:
    return row.group in _GROUPS and row.name not in _LEFT_OUT


def _slider(row: Quantity | Choice) -> dict[str, Any]:
    about = {
        "key": HAND_WIDTH if row.key == "width" else row.key,
        "label": row.label,
        "help": row.help,
        "group": _(row.group.value),
        "default": row.default,
    }
    if isinstance(row, Choice):
        return {**about, "options": {option: pgettext("choice", option) for option in row.options}}
    return {**about, "low": row.slider[0], "high": row.slider[1], "step": row.step, "unit": _(row.unit)}
