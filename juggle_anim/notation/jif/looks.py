"""Prop types and colours of a JIF document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from juggle_anim.choreography import PropStyle
from juggle_anim.notation.jif.document import Node
from juggle_anim.notation.jif.props import PropOrder, prop_nodes
from juggle_anim.notation.jif.values import read_css_colour, write_css_colour
from juggle_anim.notation.settings.colours import Colour
from juggle_anim.text_settings import PROP_KINDS

T = TypeVar("T")


def read_looks(
    document: Node, order: PropOrder, numbers: list[int], recorded: PropStyle
) -> tuple[PropStyle, list[str]]:
    """Return the appearance of props, and a note on each property that cannot be shown.

    Colours are listed in the order of `PropOrder`, so that each prop gets its own.

    Args:
        document: its props are read.
        order: the props of its pattern.
        numbers: the number in the document of each of them.
        recorded: what our own member says in other words; it counts as long as it agrees with the document.

    Raises:
        FileError: something is of the wrong kind, or a colour is none.
    """
    props = prop_nodes(document)
    kinds, notes = _kinds(props)
    if len(props) > len(numbers):
        notes.append(f"The file has {len(props)} props, but only {len(numbers)} are thrown.")
    colours = [read_css_colour(node) if (node := prop.get("color")) else None for prop in props]
    mine = [colours[number] if number < len(colours) else None for number in numbers]
    each = tuple(kinds[number] if number < len(kinds) else kinds[-1] for number in numbers) or kinds[:1]
    style = prop_style(each, mine)
    written = [(kind, write_css_colour(colour)) for kind, colour in zip(each, mine, strict=False)]
    return (recorded if _looks(recorded, order) == written else style), notes


def prop_style(kinds: Sequence[str], colours: Sequence[Colour | None]) -> PropStyle:
    """The style of props in the order of `PropOrder`, a kind and a colour for each; the usual ones without any."""
    each = tuple(kinds) or PropStyle.kinds
    if not any(colours):
        return PropStyle(kinds=_shortest(each))
    filled = tuple(colour or _PLAIN for colour in colours)
    return PropStyle(_text(filled), _shortest(each), _shortest(filled))


def prop_looks(style: PropStyle, order: PropOrder) -> list[tuple[str, Colour | None]]:
    """The kind and the colour of each prop in the order of `PropOrder`; None where no colour was chosen."""
    places = order.orbits if style.by_orbit else list(range(len(order.firsts)))
    chosen = style.colours
    return [
        (style.kinds[place % len(style.kinds)], chosen[place % len(chosen)] if chosen else None) for place in places
    ]


def write_looks(style: PropStyle, order: PropOrder) -> list[dict[str, Any]]:
    """The props of a document, in the order of `PropOrder`."""
    return [{"type": kind, "color": colour} if colour else {"type": kind} for kind, colour in _looks(style, order)]


def _kinds(props: list[Node]) -> tuple[tuple[str, ...], list[str]]:
    """The type of each prop, at least one; the first that is known stands for those that are not, or not there."""
    said = [kind.text().strip().casefold() if (kind := prop.get("type")) else None for prop in props]
    shown = next((kind for kind in said if kind in PROP_KINDS), PropStyle.kinds[0])
    unknown = sorted({kind[:20] or "nothing" for kind in said if kind is not None and kind not in PROP_KINDS})
    notes = [f"Props of type {', '.join(unknown[:5])} are shown as {shown}."] if unknown else []
    return tuple(kind if kind and kind in PROP_KINDS else shown for kind in said) or (shown,), notes


def _looks(style: PropStyle, order: PropOrder) -> list[tuple[str, str]]:
    """The type of each prop, and its colour as CSS writes it, which is empty where none was chosen."""
    return [(kind, write_css_colour(colour)) for kind, colour in prop_looks(style, order)]


def _text(colours: tuple[Colour, ...]) -> str:
    """Colours as settings write them."""
    return "".join("{" + ",".join(str(round(255 * part)) for part in colour) + "}" for colour in _shortest(colours))


def _shortest(values: tuple[T, ...]) -> tuple[T, ...]:
    """Values for props in turn; one that all share stands once."""
    return values if len(set(values)) > 1 else values[:1]


_PLAIN: Colour = (1.0, 0.0, 0.0)
"""The colour of a prop that has none while others have one."""
