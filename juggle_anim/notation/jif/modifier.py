"""What JIF has no word for, bounces and holds, in a member of our own beside a throw."""

from __future__ import annotations

from typing import Any

from juggle_anim.notation.jif.node import Node
from juggle_anim.notation.limits import MAX_BOUNCES
from juggle_anim.notation.modifier import BOUNCE_STYLES, PLAIN, Modifier
from juggle_anim.pattern import Throw

OURS = "juggleAnim"
"""The name of the members that are ours; JIF allows any others than its own."""


def read_modifier(throw: Node) -> Modifier:
    """How a throw is thrown.

    Raises:
        FileError: something in our member is of the wrong kind.
    """
    ours = throw.get(OURS)
    if ours is None:
        return PLAIN
    bounces, style, held = ours.get("bounces"), ours.get("bounceStyle"), ours.get("held")
    count = bounces.whole(0, MAX_BOUNCES) if bounces else 0
    way = style.text() if style else "lift"
    if style and way not in BOUNCE_STYLES:
        raise style.error("there is no such bounce", f"one of {', '.join(BOUNCE_STYLES)}")
    return Modifier(count, way if count else "", held.flag() if held else None)


def write_modifier(throw: Throw) -> dict[str, Any]:
    """The member beside a throw; nothing where there is nothing to say."""
    said: dict[str, Any] = {"bounces": throw.bounces, "bounceStyle": throw.bounce_style} if throw.bounces else {}
    if throw.held is not None:
        said["held"] = throw.held
    return {OURS: said} if said else {}
