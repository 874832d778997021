"""The page: its text, what its script is given, and the library that it lists.

A server answers with them; a site has them as files.
"""

from __future__ import annotations

import functools
import html
import json
from importlib.resources import files
from string import Template
from typing import Any

from juggle_anim.language import _, language, pgettext
from juggle_anim.notation.library import library
from juggle_anim.notation.search import tag_words
from juggle_anim.parameters import ROWS, Choice, Group, Quantity
from juggle_anim.resources import __version__
from juggle_anim.server.exchange import FIRST, HAND_WIDTH

_GROUPS = (
    Group.BASICS,
    Group.TIMING,
    Group.PROPS,
    Group.HAND_PATH,
    Group.ARMS,
    Group.BODY,
    Group.LOOK,
)

_WITHOUT_SLIDER = (
    "left_wing",
    "right_wing",
    "speed",
    "ghost",
    "trails",
    "paths",
    "aids",
    "stereo",
    "seed",
    "human_loops",
)
"""Parameters without a slider: the player has one, or pages show nothing of them."""


@functools.cache
def library_json(_code: str) -> bytes:
    """Return all patterns of the library in the present language, as JSON; cached.

    Args:
        _code: of that language, by which results are kept.
    """
    # `words` are what the page's search looks through; sorted by jugglers, props and difficulty.
    rows = [
        {
            "name": pattern.name,
            "pattern": pattern.siteswap,
            "props": pattern.props,
            "jugglers": pattern.jugglers,
            "difficulty": pattern.difficulty,
            "about": pattern.shown_description,
            "description": pattern.description,
            "words": " ".join(
                (
                    *pattern.names,
                    *pattern.tags,
                    *map(tag_words, pattern.tags),
                    f"{pattern.props} {_('balls')}",
                )
            ),
            "settings": {
                "pattern": pattern.siteswap,
                **dict(pattern.settings),
                "title": pattern.name,
            },
        }
        for pattern in sorted(
            library(), key=lambda pattern: (pattern.jugglers, pattern.props, pattern.difficulty)
        )
    ]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()


def page_html() -> str:
    """Return the text of the page in the present language, with data for its script."""
    rows = sorted(
        (row for row in ROWS if _has_slider(row)), key=lambda row: _GROUPS.index(row.group)
    )
    script_data = json.dumps(
        {"first": FIRST, "sliders": [_slider(row) for row in rows], "words": _script_words()}
    )
    words = {name: html.escape(text) for name, text in _page_words().items()}
    # A script's data must not contain its end tag, so `<` is written as JSON can, too.
    return Template(page_text("index.html")).substitute(
        words, given=script_data.replace("<", "\\u003c"), version=__version__, language=language()
    )


def page_text(name: str) -> str:
    """Return the text of a file of the page."""
    return (files(__package__) / "site" / name).read_text(encoding="utf-8")


def _page_words() -> dict[str, str]:
    """Return the words of the page itself."""
    return {
        "animation": _("The animation"),
        "copy": _("Copy"),
        "files": _("Files"),
        "juggle": _("Juggle"),
        "library": _("Library"),
        "link": _("Link with all settings"),
        "no_script": _("This page needs JavaScript."),
        "pattern": _("Pattern"),
        "search": _("Search the library"),
        "search_example": _("Search 5 balls, shower, passing …"),
        "share": _("Share"),
        "sliders": _("Settings"),
        "tag": _("Embed code for your page"),
    }


def _script_words() -> dict[str, str]:
    """Return the words that the page's script shows; it fills in names in braces."""
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


def _has_slider(row: Quantity | Choice) -> bool:
    return row.group in _GROUPS and row.name not in _WITHOUT_SLIDER


def _slider(row: Quantity | Choice) -> dict[str, Any]:
    """Return what the page needs to show a parameter: a choice of options, or a slider.

    Args:
        row: of the table of parameters.
    """
    # The width of hands has another key here, since `width` is that of the picture.
    about = {
        "key": HAND_WIDTH if row.key == "width" else row.key,
        "label": row.label,
        "help": row.help,
        "group": _(row.group.value),
        "default": row.default,
    }
    if isinstance(row, Choice):
        return {**about, "options": {option: pgettext("choice", option) for option in row.options}}
    return {
        **about,
        "low": row.slider[0],
        "high": row.slider[1],
        "step": row.step,
        "unit": _(row.unit),
    }
