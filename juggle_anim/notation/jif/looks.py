"""Looks of props: their types and colours."""

from __future__ import annotations

from typing import Any

from juggle_anim.choreography import PropStyle
from juggle_anim.notation.jif.colours import read_css_colour, write_css_colour
from juggle_anim.notation.jif.node import Node
from juggle_anim.notation.jif.prop_order import PropOrder
from juggle_anim.notation.limits import MAX_PROPS
from juggle_anim.notation.staging.colours import Colour
from juggle_anim.text_settings import PROP_KINDS


def read_looks(
    document: Node, order: PropOrder, numbers: list[int], recorded: PropStyle
) -> tuple[PropStyle, list[str]]:
    """How props look, and what of it cannot be shown, a sentence for each.

    Colours are listed in the order of `PropOrder`, so that each prop gets its own.

    Args:
        document: its props are read.
        order: the props of its pattern.
        numbers: the number in the document of each of them.
        recorded: what our own member says in other words; it counts as long as it agrees with the document.

    Raises:
        FileError: something is of the wrong kind, or a colour is none.
    """
    props = document.list_of("props", MAX_PROPS)
    kind, notes = _kind(props)
    if len(props) > len(numbers):
        notes.append(f"The file has {len(props)} props, but only {len(numbers)} are thrown.")
    colours = [read_css_colour(node) if (node := prop.get("color")) else None for prop in props]
    mine = [colours[number] if number < len(colours) else None for number in numbers]
    style = PropStyle(kind=kind)
    if any(mine):
        filled = tuple(colour or _PLAIN for colour in mine)
        style = PropStyle(_text(filled), kind, filled if len(set(filled)) > 1 else filled[:1])
    if _looks(recorded, order) == [(kind, _written(colour)) for colour in mine]:
        return recorded, notes
    return style, notes


def write_looks(style: PropStyle, order: PropOrder) -> list[dict[str, Any]]:
    """The props of a document, in the order of `PropOrder`."""
    return [{"type": kind, "color": colour} if colour else {"type": kind} for kind, colour in _looks(style, order)]


def _kind(props: list[Node]) -> tuple[str, list[str]]:
    """The type of the first prop that has one stands for all: a score knows one."""
    kinds = [kind.text().strip().casefold() for prop in props if (kind := prop.get("type"))]
    if not kinds:
        return PropStyle.kind, []
    shown = next((kind for kind in kinds if kind in PROP_KINDS), PropStyle.kind)
    others = sorted({printed for kind in kinds if kind != shown for printed in [kind[:20] or "nothing"]})
    return shown, [f"Props of type {', '.join(others[:5])} are shown as {shown}."] if others else []


def _looks(style: PropStyle, order: PropOrder) -> list[tuple[str, str]]:
    """The type of each prop, and its colour as CSS writes it, which is empty where nobody chose one."""
    places = order.orbits if style.by_orbit else list(range(len(order.firsts)))
    chosen = style.colours
    return [(style.kind, _written(chosen[place % len(chosen)] if chosen else None)) for place in places]


def _text(colours: tuple[Colour, ...]) -> str:
    """Colours as settings write them."""
    shown = colours if len(set(colours)) > 1 else colours[:1]
    return "".join("{" + ",".join(str(round(255 * part)) for part in colour) + "}" for colour in shown)


def _written(colour: Colour | None) -> str:
    return write_css_colour(colour) if colour else ""


_PLAIN: Colour = (1.0, 0.0, 0.0)
"""Of a prop whose colour is left out where others have one."""
