"""Colours as text: names, numbers and codes, and the words `mixed`, `orbits` and `default`."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from juggle_anim.errors import NotationError, character_name, did_you_mean
from juggle_anim.language import N_, _, ngettext
from juggle_anim.notation.limits import MAX_COLOURS
from juggle_anim.notation.settings.moves import RepeatExpander
from juggle_anim.notation.settings.syntax import Setting, indent

Colour = tuple[float, float, float]
"""Red, green and blue from 0 to 1, sRGB."""

# Green, orange and pink are others than in CSS: files that name them were made to look as in
# Juggling Lab.
_JUGGLING_LAB = {
    "red": "ff0000",
    "green": "00ff00",
    "blue": "0000ff",
    "yellow": "ffff00",
    "cyan": "00ffff",
    "magenta": "ff00ff",
    "orange": "ffc800",
    "pink": "ffafaf",
    "gray": "808080",
    "black": "000000",
}

MIXED = tuple(_JUGGLING_LAB)
"""The colours that `mixed` and `orbits` give one after the other, as Juggling Lab does."""


def read_colours(text: str) -> tuple[tuple[Colour | None, ...], bool]:
    """Read the setting `colors`.

    Args:
        text: `mixed`, which gives each prop the next of the colours `MIXED`; `orbits`, which gives
            one to each orbit; or a list of colours that `read_colour` reads, in braces if they are
            numbers, in which `({red})^2{blue}` repeats. `default` is the prop's usual colour.

    Returns:
        The colours, which props take in turn, None for a usual one; and whether all props of an
        orbit share a colour.

    Raises:
        NotationError: a colour cannot be read, none is written, or brackets are wrong.
    """
    word = text.strip().casefold()
    if word in ("mixed", "orbits"):
        return tuple(map(_named_colour, MIXED)), word == "orbits"

    # A list: colours in braces or as words, and brackets around repeats. Commas between colours are
    # allowed, but have no meaning.
    colours: RepeatExpander[Colour | None] = RepeatExpander(
        text, MAX_COLOURS, noun="colours", example="({red}{blue})^2"
    )
    for match in _TOKEN.finditer(text):
        token = match[0]
        index = match.start()
        if match["inside"] is not None:
            # The colour begins one character behind the brace, which is where errors count from.
            colours.add(index, _read_listed_colour(text, index + 1, match["inside"]))
        elif match["word"]:
            colours.add(index, _read_listed_colour(text, index, token))
        elif token == "(":
            colours.open(index)
        elif token.startswith(")"):
            colours.close(index, match["count"] or "")
        elif token == "{":
            raise NotationError(text, index, _("this { is never closed"), _EXAMPLE)
        elif token != ",":
            raise NotationError(
                text,
                index,
                _("{token} is not allowed in colours", token=character_name(token)),
                _EXAMPLE,
            )
    if not colours.items():
        raise NotationError(text, len(text), _("the colour is missing"), _EXAMPLE)
    return tuple(colours.items()), False


@lru_cache(maxsize=256)
def read_colour(text: str) -> Colour:
    """Read one colour.

    Args:
        text: a name of CSS, where those that Juggling Lab knows mean its colours; `255,140,0`;
            `#ff8c00` or `#f80`.

    Returns:
        Red, green and blue from 0 to 1, sRGB.

    Raises:
        NotationError: the text is none of these.
    """
    stripped = text.strip()
    if match := _HEX.fullmatch(stripped):
        return hex_colour(match[1])
    # A single number is read as an unfinished list, so that the error asks for three numbers and
    # not for a name.
    if "," in stripped or stripped.isdecimal():
        return _read_numbers(text)

    # Anything else is a name, in which blanks, hyphens and underscores, case, and the spelling of
    # grey do not matter.
    name = re.sub(r"[\s_-]", "", stripped).casefold().replace("grey", "gray")
    if name in _JUGGLING_LAB or name in css_colours():
        return _named_colour(name)
    index = indent(text)
    hint = did_you_mean(
        name,
        css_colours().keys(),
        _("a CSS colour name such as orange, or {example}", example=_(_EXAMPLE)),
    )
    raise NotationError(
        text, index, _("{written} is not a colour", written=stripped[:30] or _("this")), hint
    )


@cache
def css_colours() -> dict[str, Colour]:
    """The colours of CSS by their names, those of greys spelled gray."""
    # Most people name no colour, or one of Juggling Lab's.
    from PIL import ImageColor

    return {
        name: _of_bytes(*ImageColor.getrgb(name)[:3])
        for name in ImageColor.colormap
        if "grey" not in name
    }


def hex_colour(digits: str) -> Colour:
    """Return the colour of one or two hexadecimal digits for each of red, green and blue."""
    width = 2 if len(digits) > 4 else 1
    return _of_bytes(
        *(int(digits[start : start + width] * (3 - width), 16) for start in (0, width, 2 * width))
    )


def hex_text(colour: Colour) -> str:
    """Return a colour as `#ff8c00`."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)


def braced_text(colour: Colour) -> str:
    """Return a colour as `{255,140,0}`."""
    return "{" + ",".join(str(round(255 * part)) for part in colour) + "}"


def _of_bytes(red: int, green: int, blue: int) -> Colour:
    return red / 255, green / 255, blue / 255


def _read_listed_colour(text: str, index: int, written: str) -> Colour | None:
    if written.strip().casefold() == DEFAULT_COLOUR:
        return None
    try:
        return read_colour(written)
    except NotationError as error:
        raise NotationError(text, index + error.index, error.reason, error.accepted) from error


def _read_numbers(text: str) -> Colour:
    """Read a colour of three numbers from 0 to 255, red, green and blue: `255,140,0`.

    Raises:
        NotationError: there are more or fewer numbers, or others.
    """
    # Some files have a comma behind the third number, which is left out.
    accepted = _("red, green and blue, such as {255,140,0}")
    numbers = []
    for field in Setting(text, 0, text.rstrip().removesuffix(",")).fields(","):
        written = field.text.strip()
        if not _BYTE.fullmatch(written) or int(written) > 255:
            reason = _(
                "{field} is not a whole number from 0 to 255", field=written[:20] or _("this")
            )
            raise field.error(field.indent, reason, accepted)
        numbers.append(int(written))
    if len(numbers) != 3:
        reason = ngettext(
            "a colour needs three numbers, not {number}",
            "a colour needs three numbers, not {number}",
            len(numbers),
        )
        raise NotationError(text, 0, reason, accepted)
    return _of_bytes(*numbers)


def _named_colour(name: str) -> Colour:
    return hex_colour(_JUGGLING_LAB[name]) if name in _JUGGLING_LAB else css_colours()[name]


DEFAULT_COLOUR = "default"
"""The word for the colour that a prop has where none is said."""

_TOKEN = re.compile(r"\{(?P<inside>[^{}]*)\}|\)(?:\s*\^\s*(?P<count>[0-9]+))?|(?P<word>#?\w+)|\S")
_HEX = re.compile(r"#((?:[0-9a-fA-F]{3}){1,2})")
_BYTE = re.compile(r"[0-9]{1,3}")
_EXAMPLE = N_("{red}{blue}, {255,140,0}, #ff8c00, mixed or orbits")
