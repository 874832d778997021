"""One colour as CSS writes it."""

from __future__ import annotations

import re

from juggle_anim.notation.jif.node import Node
from juggle_anim.notation.staging.colours import Colour, css_colours, hex_colour
from juggle_anim.printable import printable
from juggle_anim.suggestion import did_you_mean


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


def write_css_colour(colour: Colour) -> str:
    """A colour as `#ff8c00`."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)


_HEX = re.compile(r"#((?:[0-9a-f]{3,4}){1,2})")
_RGB = re.compile(r"rgba?\(\s*([0-9]{1,3})\s*[,\s]\s*([0-9]{1,3})\s*[,\s]\s*([0-9]{1,3})\s*(?:[,/][^)]{1,20})?\)")
