"""The page: its text, what its script is given, and the library that it lists.

A server answers with them; a site has them as files.
"""

from __future__ import annotations

import functools
import html
import io
import json
from importlib.resources import files
from string import Template
from typing import Any

from juggle_anim.errors import ParameterError, counted
from juggle_anim.language import _, language
from juggle_anim.notation import LibraryPattern, listed_in_library
from juggle_anim.notation.search import search, tag_words
from juggle_anim.parameters import DEFAULTS, PROP_KINDS, ROWS, Choice, Group, Row
from juggle_anim.resources import __version__, resource
from juggle_anim.server.exchange import FIRST, HAND_WIDTH

POLICY = (
    "default-src 'self'; img-src 'self' blob: data:; connect-src 'self'{hosts}; script-src "
    "'self'{evaluates}; base-uri 'none'; form-action 'self'; object-src 'none'"
)
"""What the page may load and run: its own files alone, and no style or script within it."""

SERVER_POLICY = POLICY.format(hosts="", evaluates="")

SITE_FILES = (
    "page.css",
    "page.js",
    "controls.js",
    "along.js",
    "xr.js",
    "ladder.js",
    "settings.js",
    "shelves.js",
    "ask.js",
    "player.js",
    "fixed.json",
    "icon.svg",
)
"""All files of the page beside its HTML."""

_WITHOUT_CONTROL = ("ghost", "aids", "stereo", "seed", "human_loops", "trails", "paths", "jugglers")
"""Parameters without a control: pages show nothing of them, or they belong to the pattern."""


@functools.cache
def library_json(_code: str) -> bytes:
    """Return all patterns of the library in the present language, as JSON; cached.

    Args:
        _code: code of that language, by which results are kept.
    """
    # `words` are what the page's search looks through.
    rows = [
        {
            "name": pattern.name,
            "pattern": pattern.siteswap,
            "counted": _counted(pattern),
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
        for pattern in (listed.pattern for listed in listed_in_library())
    ]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()


def _counted(pattern: LibraryPattern) -> str:
    """Return how many props and people a pattern has, in words."""
    if pattern.jugglers > 1:
        return _("{props} / {jugglers} people", props=pattern.props, jugglers=pattern.jugglers)
    kind = dict(pattern.settings).get("prop", "ball")
    return counted(pattern.props, kind if kind in PROP_KINDS else "prop")


def found_names(words: str) -> bytes:
    """Return the names of the library's patterns that a search has, best first, as JSON."""
    return json.dumps([pattern.name for pattern in search(words)]).encode()


def qr_code(words: str) -> bytes:
    """Return a QR code as a picture, "svg", in JSON.

    Args:
        words: up to 2,331 bytes, which is what fits with medium correction of errors (ISO 18004).

    Raises:
        ParameterError: it is longer.
    """
    import segno  # imported here, as few people ask for it

    try:
        code = segno.make(words, error="m", micro=False, boost_error=False)
    except segno.DataOverflowError:
        raise ParameterError(_("this link is too long for a QR code")) from None
    drawn = io.BytesIO()
    code.save(drawn, kind="svg", xmldecl=False, light="#fff", omitsize=True)
    return json.dumps({"svg": drawn.getvalue().decode()}).encode()


def page_html(policy: str = SERVER_POLICY, links: str = "") -> str:
    """Return the text of the page in the present language, with data for its script.

    Args:
        policy: what the page may load and run.
        links: more tags of its head, in HTML.
    """
    # The window's controls, in its order; imported here, as nothing else here wants them.
    from juggle_anim.viewer.panel.controls import CONTROLS

    script_data = json.dumps(
        {
            "first": FIRST,
            "sliders": [_control(row) for row in CONTROLS if _has_control(row)],
            "words": _script_words(),
            "played": {"speed": DEFAULTS.speed, "chickenwing": DEFAULTS.chicken_wing},
        }
    )
    words = {name: html.escape(text) for name, text in _page_words().items()}
    # A script's data must not contain its end tag, so `<` is written as JSON can, too.
    return Template(_page_text("index.html")).substitute(
        words,
        given=script_data.replace("<", "\\u003c"),
        version=__version__,
        language=language(),
        policy=policy,
        links=links,
    )


@functools.cache
def site_file(name: str) -> str:
    """Return the text of a file that the page loads.

    Args:
        name: one of `SITE_FILES`.
    """
    # Imported here, since the player is made by modules that draw, which take a while to load.
    from juggle_anim.exporter.page.page import fixed_data, player_script

    if name == "player.js":
        return player_script()
    if name == "fixed.json":
        return json.dumps(fixed_data(), separators=(",", ":"))
    if name == "icon.svg":
        return resource("assets", "icon/juggle-anim.svg").read_text("utf-8")
    return _page_text(name)


def _page_text(name: str) -> str:
    return (files(__package__) / "site" / name).read_text(encoding="utf-8")


def _page_words() -> dict[str, str]:
    """Return the texts of the page itself, by the names under which its script looks them up.

    They are in the language of the present request.
    """
    return {
        "add": _("Add"),
        "add_trick": _("Add a trick"),
        "along": _("Juggle along"),
        "along_hint": _("Throw when a circle reaches its ring. Less gravity gives more time."),
        "animation": _("The animation"),
        "as_mirror": _("Mirrored"),
        "camera": _("Fit the pattern"),
        "catches": _("catches"),
        "close": _("Close"),
        "collisions": _("Find collisions"),
        "copy": _("Copy"),
        "count_in": _("Count in again"),
        "edit": _("Edit"),
        "edit_hint": _("Drag a throw to another landing, or tap it for a menu."),
        "edit_keys": _(
            "Keys: ← → choose a throw, Enter opens its menu, Shift with ← → moves its landing."
        ),
        "enter_vr": _("Enter VR"),
        "enter_ar": _("Enter AR"),
        "generate": _("Generate"),
        "gravity": _("Gravity"),
        "height": _("Highest throw"),
        "install": _("Install (works offline)"),
        "juggle": _("Juggle"),
        "ladder": _("Ladder"),
        "landings": _("Make it:"),
        "length": _("How long"),
        "learn_other": _("Learn another trick"),
        "library": _("Library"),
        "loops": _("loops"),
        "link": _("Link with all settings"),
        "metronome": _("Metronome"),
        "more_formats": _("More formats"),
        "name": _("Name"),
        "news": _("A new version is available."),
        "no_script": _("This page needs JavaScript."),
        "no_webgl": _("This browser cannot show 3D: it needs WebGL 2."),
        "normal_speed": _("Playback speed; back to normal"),
        "offline": _("Works offline."),
        "open": _("Open file"),
        "pattern": _("Pattern"),
        "period": _("Period"),
        "props": _("Props"),
        "redo": _("Redo"),
        "reload": _("Reload"),
        "reset": _("Reset"),
        "routine": _("Routine"),
        "save_as": _("Save as"),
        "save_list": _("Save list"),
        "search": _("Search the library"),
        "search_example": _("Try 5 balls or shower"),
        "qr": _("QR code"),
        "seconds": _("seconds"),
        "share": _("Share"),
        "sliders": _("Settings"),
        "state_colours": _("The ground state is dark. Warmer states are more throws away."),
        "states": _("State graph"),
        "star": _("Add or remove favourite"),
        "step_back": _("One frame back"),
        "step_forth": _("One frame forward"),
        "tag": _("Embed code for your page"),
        "time": _("Time"),
        "to_home": _("Add it to your home screen from the browser's menu."),
        "undo": _("Undo"),
        "unit": _("Unit"),
        "whole_pattern": _("Whole pattern"),
    }


def _script_words() -> dict[str, Any]:
    """Return the words that the page's script shows; it fills in names in braces."""
    return {
        "automatic": _("auto"),
        "changed": _("{number} settings changed"),
        "copied": _("Copied"),
        "copy_yourself": _("Press and hold the marked text to copy it"),
        "first_trick": _("Add your first trick."),
        "failed": _("drawing failed; request a shorter or smaller picture"),
        "formats": {
            "svg": _("Ladder (SVG)"),
            "jml": "Juggling Lab (JML)",  # names in all languages
            "jif": _("For other programs (JIF)"),
            "routine": _("Routine (text)"),
            "glb": _("3D model (GLB)"),
            "json": _("Joints in numbers (JSON)"),
            "html": _("Page of its own (HTML)"),
        },
        "goes_on": _("{title} keeps playing."),
        "juggled": _("{title}, juggled in 3D"),
        "juggling": _("Juggling"),
        "learn_which": _("Choose a trick to learn."),
        "lesson_step": _("{title} · step {number}"),
        "level": _("level {number} of 10"),
        "line": _("Line {number}"),
        "loading": _("Loading …"),
        "next_step": _("Next step"),
        "nothing": _("Nothing found."),
        "starred": _("The star beside a pattern keeps it here"),
        "pause": _("Pause"),
        "play": _("Play"),
        "remove": _("Remove {text}"),
        "saved": _("Saved {name}"),
        "shelves": {
            "library": _("All tricks"),
            "favourites": _("Favourites"),
            "recent": _("Recent"),
            "generate": _("Generate"),
            "learn": _("Learn"),
            "routine": _("Routine"),
            "file": _("Opened file"),
        },
        "space": _("Space"),
        "start": _("Start the lesson"),
        "step": _("Step {number}: {title}"),
        "trouble": _("If it goes wrong"),
        "up": _("Move {text} up"),
    }


def _has_control(row: Row) -> bool:
    return row.group not in (Group.SOUND, Group.WINDOW) and row.name not in _WITHOUT_CONTROL


def _control(row: Row) -> dict[str, Any]:
    """Return what the page needs to show a control: a choice of options, or a slider.

    A control that is "kept" belongs to no pattern.

    Args:
        row: row of the window's controls.
    """
    # The width of hands has another key here, since `width` is that of the picture.
    about = {
        "key": HAND_WIDTH if row.key == "width" else row.key,
        "label": row.label,
        "help": row.help,
        "group": _(row.group.value),
        "default": row.default,
        "kept": row in ROWS,
    }
    # Imported here, as the controls are.
    from juggle_anim.viewer.panel.values import option_note, option_words, with_unit

    if isinstance(row, Choice):
        words = {
            option: ": ".join(filter(None, (option_words(option), option_note(option))))
            for option in row.options
        }
        return {**about, "options": words}
    return {
        **about,
        "low": row.slider[0],
        "high": row.slider[1],
        "step": row.step,
        "unit": with_unit("", row.unit),  # as it stands behind a number
    }
