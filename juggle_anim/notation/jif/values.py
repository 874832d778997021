"""Values that JIF documents share: colours as in CSS, our modifiers of throws, and the head of a document."""

from __future__ import annotations

import re
from typing import Any

from juggle_anim.choreography import BodyMoves, Score
from juggle_anim.errors import did_you_mean, printable
from juggle_anim.notation.jif.document import Node
from juggle_anim.notation.jif.limbs import juggler_name, write_limbs, write_places
from juggle_anim.notation.limits import MAX_BOUNCES
from juggle_anim.notation.settings.colours import Colour, css_colours, hex_colour
from juggle_anim.notation.siteswap.syntax import BOUNCE_STYLES, PLAIN, Modifier
from juggle_anim.pattern import Throw

_HEX = re.compile(r"#((?:[0-9a-f]{3,4}){1,2})")

_RGB = re.compile(r"rgba?\(\s*([0-9]{1,3})\s*[,\s]\s*([0-9]{1,3})\s*[,\s]\s*([0-9]{1,3})\s*(?:[,/][^)]{1,20})?\)")

EXTENSION_KEY = "juggleAnim"
"""The name of the members that are ours; JIF allows any others than its own."""


def read_css_colour(node: Node) -> Colour:
    """A colour: a name of CSS, `#f80`, `#ff8c00` or `rgb(255, 140, 0)`; how much shines through it is left out.

    Raises:
        FileError: it is none.
    """
    word = node.text().strip().casefold()
    name = word.replace("grey", "gray")
    if name in css_colours():
        return css_colours()[name]
    if found := _HEX.fullmatch(word):
        return hex_colour(found[1])
    if (found := _RGB.fullmatch(word)) and max(map(int, found.groups())) < 256:
        red, green, blue = (int(number) / 255 for number in found.groups())
        return red, green, blue
    hint = did_you_mean(name, css_colours().keys(), "a name of CSS such as orange, or #ff8c00")
    raise node.error(f'"{printable(word, 30)}" is no colour', hint)


def write_css_colour(colour: Colour | None) -> str:
    """A colour as `#ff8c00`; empty for none."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour) if colour else ""


def read_modifier(throw: Node) -> Modifier:
    """Return the modifier of a throw.

    Raises:
        FileError: something in our member is of the wrong kind.
    """
    ours = throw.get(EXTENSION_KEY)
    if ours is None:
        return PLAIN
    bounces, style, held = ours.get("bounces"), ours.get("bounceStyle"), ours.get("held")
    count = bounces.whole(0, MAX_BOUNCES) if bounces else 0
    kind = style.text() if style else "lift"
    if style and kind not in BOUNCE_STYLES:
        raise style.error("there is no such bounce", f"one of {', '.join(BOUNCE_STYLES)}")
    return Modifier(count, kind if count else "", held.flag() if held else None)


def write_modifier(throw: Throw) -> dict[str, Any]:
    """The member beside a throw; nothing where there is nothing to say."""
    said: dict[str, Any] = {"bounces": throw.bounces, "bounceStyle": throw.bounce_style} if throw.bounces else {}
    if throw.held is not None:
        said["held"] = throw.held
    return {EXTENSION_KEY: said} if said else {}


def write_head(score: Score, body: BodyMoves | None) -> dict[str, Any]:
    """The members `meta`, which is left out where nothing is said, `jugglers` and `limbs`.

    Args:
        score: its title, description and number of jugglers are written.
        body: where jugglers stand; None where no place is set.
    """
    meta = {key: text for key, text in {"name": score.title, "description": score.about}.items() if text}
    places = enumerate(write_places(body, score.jugglers))
    return {
        **({"meta": meta} if meta else {}),
        "jugglers": [{"name": juggler_name(juggler), **place} for juggler, place in places],
        "limbs": write_limbs(score.jugglers),
    }
