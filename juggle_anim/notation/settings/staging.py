"""Staging as settings: hands, style, catches, bodies, props and their colours.

Colours as text: names, numbers and codes, and the words `mixed`, `orbits` and `default`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, TypeVar

from juggle_anim.choreography import (
    USUAL_PATH,
    BodyMoves,
    BodyPlace,
    BodyThrows,
    Catches,
    HandBeat,
    HandMoves,
    PropStyle,
    Staging,
)
from juggle_anim.errors import NotationError, character_name, counted, did_you_mean
from juggle_anim.language import N_, _, ngettext
from juggle_anim.notation.library import find_pattern
from juggle_anim.notation.limits import MAX_CATCHES, MAX_COLOURS, MAX_JUGGLERS
from juggle_anim.notation.settings.moves import (
    STANDING,
    RepeatExpander,
    one_line,
    place_numbers,
    read_body,
    read_hands,
)
from juggle_anim.notation.settings.syntax import Setting, indent
from juggle_anim.parameters import (
    BODY_CATCH_NAMES,
    BODY_THROW_NAMES,
    GRASP_KINDS,
    HAND_STYLES,
    IMPLIED_HAND_STYLE,
    OTHER_PROP_NAMES,
    OTHER_TRICK_NAMES,
    PROP_KINDS,
)
from juggle_anim.pattern import repeat_length

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
    """Read the setting `colors`, the colours of props.

    Args:
        text: `mixed`, which gives each prop the next of the colours `MIXED`; `orbits`, which gives
            one to each orbit (the props that follow each other on one path); or a list of colours
            that `read_colour` reads, in brackets if they are numbers, with repeats such as
            `({red})^2{blue}`. `default` is the prop's usual colour.

    Returns:
        The colours, which props take in turn, None for the usual one; and whether all props of an
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
        inside = match["inside"] or match["numbers"]
        if inside is not None:
            # Indices in errors count from the first character behind the bracket.
            colours.add(index, _read_listed_colour(text, index + 1, inside))
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
def read_colour(text: str | tuple[int, int, int]) -> Colour:
    """Read one colour.

    Args:
        text: a name of CSS, where those that Juggling Lab knows mean its colours; `255,140,0`, also
            in brackets or as numbers; `#ff8c00` or `#f80`.

    Returns:
        Red, green and blue from 0 to 1, sRGB.

    Raises:
        NotationError: the text is not among these.
    """
    text = str(text)
    stripped = text.strip().strip("{()}")
    if match := _HEX.fullmatch(stripped):
        return hex_colour(match[1])
    # A single number is read as an incomplete list, so that the error asks for three numbers and
    # not for a name.
    if "," in stripped or stripped.isdecimal():
        return _read_numbers(stripped)

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
    """Return the colours of CSS by their names, those of greys spelled gray."""
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
    """Read a colour from three numbers, red, green and blue from 0 to 255: `255,140,0`.

    Args:
        text: the text of the setting, perhaps with a comma behind the third number.

    Returns:
        Red, green and blue, 0 to 1.

    Raises:
        NotationError: there are not three numbers, or one is not in this range.
    """
    # Some files have a comma behind the third number, which is dropped.
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

_TOKEN = re.compile(
    # In braces are names and numbers; three numbers may also be in parentheses.
    r"\{(?P<inside>[^{}]*)\}|\((?P<numbers>(?:\s*[0-9]+\s*,){2}\s*[0-9]+\s*)\)"
    r"|\)(?:\s*\^\s*(?P<count>[0-9]+))?|(?P<word>#?\w+)|\S"
)
_HEX = re.compile(r"#((?:[0-9a-fA-F]{3}){1,2})")
_BYTE = re.compile(r"[0-9]{1,3}")
_EXAMPLE = N_("{red}{blue}, {255,140,0}, #ff8c00, mixed or orbits")


MAX_SPINS = 20
"""Most turns of a club in the air."""

_PLACE_DECIMALS = 4  # of numbers in cm and degrees that are written


def read_staging(by_key: Mapping[str, Setting], before: Staging) -> Staging:
    """Return a staging (hands, catches, props, bodies) with given settings changed.

    Args:
        by_key: the text of each setting, by its key as it is written. Read are hands, style,
            catches, throwspins, throws, body, prop and colors (as Juggling Lab spells it). Hands or
            dwell without a style imply `IMPLIED_HAND_STYLE`.
        before: the staging to change; parts that no setting names are taken from it.

    Raises:
        NotationError: a setting that cannot be read.
    """
    # New values of fields of the staging. Most fields have the name of their setting.
    readers: dict[str, Callable[[str], object]] = {
        "hands": read_hands,
        "catches": read_catches,
        "throws": read_throws,
        "body": read_body,
    }
    changes: dict[str, Any] = {
        key: by_key[key].read(reader) for key, reader in readers.items() if key in by_key
    }
    if "throwspins" in by_key:
        changes["spins"] = by_key["throwspins"].read(read_spins)
    if "style" in by_key:
        changes["style"] = _read_name(by_key["style"], HAND_STYLES, "style")
    elif "hands" in by_key or "dwell" in by_key:
        # Settings with hands or dwell but without style were written for Juggling Lab, whose hands
        # always move in this style.
        changes["style"] = IMPLIED_HAND_STYLE

    # Kinds and colours of props are two settings for one field.
    props = before.props
    if "prop" in by_key:
        props = replace(props, kinds=_read_names(by_key["prop"], PROP_KINDS, "prop"))
    if "colors" in by_key:
        colours, by_orbit = by_key["colors"].read(read_colours)
        props = replace(
            props, text=one_line(by_key["colors"].text), colours=colours, by_orbit=by_orbit
        )
    if props is not before.props:
        changes["props"] = props
    return replace(before, **changes) if changes else before


def staging_texts(staging: Staging, *, dwell: bool = False) -> dict[str, str]:
    """Return the settings that are read as this staging, without those that have their defaults.

    Args:
        staging: the staging to write.
        dwell: whether the setting `dwell` is written as well, which implies a style.

    Returns:
        The values by key, without those that `read_staging` assumes anyway.
    """
    texts = {}
    if staging.hands:
        texts["hands"] = staging.hands.text
    # The style is written unless it is the one that is assumed when the settings are read: with
    # hands or dwell `IMPLIED_HAND_STYLE`, else the default.
    if staging.style != (IMPLIED_HAND_STYLE if staging.hands or dwell else Staging().style):
        texts["style"] = staging.style
    if staging.catches != Staging().catches:
        texts["catches"] = write_catches(staging.catches)
    if staging.spins:
        texts["throwspins"] = write_spins(staging.spins)
    if staging.throws:
        texts["throws"] = write_throws(staging.throws)
    if staging.body:
        texts["body"] = staging.body.text
    if staging.props.kinds != PropStyle().kinds:
        texts["prop"] = ",".join(staging.props.kinds)
    if staging.props.text:
        texts["colors"] = staging.props.text
    return texts


def write_hands(beats: Sequence[Sequence[HandBeat]]) -> HandMoves | None:
    """Return moves of hands with the shortest text that says them; None for the usual ones.

    Args:
        beats: for each juggler, the path of the hand whose turn it is, turn by turn; `USUAL_PATH`
            for one without points of its own. Points are rounded to a thousandth of a millimetre.
    """
    if all(beat == USUAL_PATH for juggler_beats in beats for beat in juggler_beats):
        return None
    jugglers = (
        "".join(f"{_beat_text(beat)}." for beat in juggler_beats)
        for juggler_beats in _shortest_periods(beats)
    )
    return read_hands("|".join(jugglers))


def write_body(beats: Sequence[Sequence[tuple[BodyPlace | None, ...]]]) -> BodyMoves:
    """Return the moves of bodies with the shortest text that `read_body` reads as them.

    Args:
        beats: for each juggler, the places of each beat, None for one that is skipped. They are
            rounded to a thousandth of a millimetre, and a ten-thousandth of a degree.
    """
    jugglers = (
        "".join(f"{''.join(map(_place_text, beat))}." for beat in juggler_beats)
        for juggler_beats in _shortest_periods(beats)
    )
    return read_body("|".join(jugglers))


_Item = TypeVar("_Item")


def _shortest_periods(beats: Sequence[Sequence[_Item]]) -> list[tuple[_Item, ...]]:
    """Return the shortest lists that repeat as these, one for all jugglers if they do the same."""
    periods = [shortest_period(items) for items in beats]
    return periods[:1] if all(items == periods[0] for items in periods) else periods


def prop_style(looks: Sequence[tuple[str, Colour | None]], before: PropStyle) -> PropStyle:
    """Return a style of props with given kinds and colours, as the shortest sequences that repeat.

    Args:
        looks: kind and colour of each prop, in the order of their first throws; None for the kind's
            usual colour. If there are no props, `before` is returned.
        before: the style whose kinds and colours are replaced.
    """
    if not looks:
        return before
    kinds = _shortest_turns([kind for kind, _colour in looks])
    colours = _shortest_turns([colour for _kind, colour in looks])
    # If all props have their usual colours, no colours are written.
    if any(colours):
        text = "".join(f"{{{_colour_text(colour)}}}" for colour in colours)
        return replace(before, text=text, kinds=kinds, colours=colours, by_orbit=False)
    return replace(before, text="", kinds=kinds, colours=(), by_orbit=False)


def _shortest_turns(items: Sequence[_Item]) -> tuple[_Item, ...]:
    """Return the shortest list that, repeated, begins with the given items.

    The items may end in the middle of a repeat.
    """
    lengths = (
        length
        for length in range(1, len(items) + 1)
        if items[length:] == items[: len(items) - length]
    )
    return tuple(items[: next(lengths, len(items))])


def _colour_text(colour: Colour | None) -> str:
    return DEFAULT_COLOUR if colour is None else hex_text(colour)


def shortest_period(items: Sequence[_Item]) -> tuple[_Item, ...]:
    """Return the shortest list that repeats as this one."""
    return tuple(items[: repeat_length(items)])


def _beat_text(beat: HandBeat) -> str:
    if beat == USUAL_PATH:
        return ""
    points = [
        "-" if point is None else _numbers_text([100 * part for part in point])
        for point in beat.points
    ]
    if beat.catch < len(points) - 1:
        points[beat.catch] = f"c{points[beat.catch]}"
    return "".join(["*" if beat.goes_around_body else "", *points])


def _place_text(place: BodyPlace | None) -> str:
    if place is None:
        return "-"
    return _numbers_text(place_numbers(place), (0.0, 0.0, 0.0, STANDING))


def _numbers_text(numbers: list[float], default: Sequence[float] = (0.0, 0.0, 0.0)) -> str:
    """Return numbers in brackets, without those at the end that have their default values."""
    texts = [f"{round(number, _PLACE_DECIMALS) + 0.0:.12g}" for number in numbers]
    while len(texts) > 1 and float(texts[-1]) == default[len(texts) - 1]:
        texts.pop()
    return f"({','.join(texts)})"


def _read_name(field: Setting, names: Sequence[str], noun: str) -> str:
    """Return the name in a part of a setting, in lower case.

    Args:
        field: a name in any case, perhaps with blanks around it, or in the plural.
        names: the known names.
        noun: what the names are called in errors.

    Raises:
        NotationError: the part is not among the names; the message suggests a similar one.
    """
    written = field.text.strip()
    name = written.casefold()
    words = re.sub("[-_]", " ", name)
    other_names = OTHER_TRICK_NAMES | OTHER_PROP_NAMES
    for known in (name, name.removesuffix("s"), other_names.get(words.removesuffix("s"), "")):
        if known in names:
            return known
    reason = (
        _("there is no {what} called {part}", what=noun, part=written[:30])
        if name
        else _("the {what} is missing", what=noun)
    )
    near = did_you_mean(name, names)
    # A style of other programs may be a pattern here.
    if words[:1].isalpha() and (pattern := find_pattern(words)):
        near = _("{near}; {name} is a pattern of the library", near=near, name=pattern.name)
    raise field.error(field.indent, reason, near)


def read_catches(text: str) -> Catches:
    """Read the setting `catches`: how left and right hands catch.

    Args:
        text: words of `GRASP_KINDS` and `BODY_CATCH_NAMES` after commas, which the catches of each
            hand take in turn; a `|` stands between those of left and of right hands.

    Returns:
        The words of left hands, and those of right hands; both are the same if there is no `|`. If
        all words of a side are equal, it has one word.

    Raises:
        NotationError: a word is not among these, or there are too many.
    """
    sides: list[tuple[str, ...]] = []
    for side in Setting.of_text(text).fields("|"):
        # The error points at the | before this side.
        if len(sides) == 2:
            reason = _("there are only two hands, so write one |")
            raise side.error(-1, reason, _("write left and right as palm|claw"))
        sides.append(_read_names(side, (*GRASP_KINDS, *BODY_CATCH_NAMES), "catch", MAX_CATCHES))
    return sides[0], sides[-1]


def write_catches(catches: Catches) -> str:
    """Return the text that `read_catches` reads as these."""
    left, right = (",".join(words) for words in catches)
    return left if left == right else f"{left}|{right}"


def read_throws(text: str) -> BodyThrows:
    """Read the setting `throws`: how each juggler throws, turn by turn; empty if all is as usual.

    Args:
        text: words of `GRASP_KINDS` and `BODY_THROW_NAMES` with commas between them, which the
            turns of a juggler's hands take one after the other, again and again. A `-` leaves a
            throw as usual. A `|` stands between jugglers.

    Returns:
        For each juggler one cycle of words, None for a throw as usual. One juggler's if all throw
        alike.

    Raises:
        NotationError: a word is not among these, or there are too many words or jugglers.
    """
    jugglers = list[tuple[str | None, ...]]()
    for side in Setting.of_text(text).fields("|"):
        # The error points at the | before this juggler.
        if len(jugglers) == MAX_JUGGLERS:
            reason = _("more than {max_jugglers} jugglers", max_jugglers=MAX_JUGGLERS)
            raise side.error(-1, reason, _("use fewer"))
        words = _read_names(side, ("-", *GRASP_KINDS, *BODY_THROW_NAMES), "throw", MAX_CATCHES)
        jugglers.append(tuple(None if word == "-" else word for word in words))
    return body_throws(jugglers)


def body_throws(throws: Sequence[Sequence[str | None]]) -> BodyThrows:
    """Return the shortest lists that repeat as these; empty if all throw as usual.

    Args:
        throws: the throws of each juggler, turn by turn.
    """
    shortest = tuple(_shortest_periods(throws))
    return () if all(word is None for words in shortest for word in words) else shortest


def write_throws(throws: BodyThrows) -> str:
    """Return the text that `read_throws` reads as these."""
    return "|".join(",".join(word or "-" for word in words) for words in throws)


def read_spins(text: str) -> tuple[float | None, ...]:
    """Read the setting `throwspins`: turns of clubs in the air, throw by throw.

    Args:
        text: numbers of turns, whole or half, with commas between them, as 1,1.5. A `-` leaves a
            throw as usual.

    Returns:
        The turns of each throw, None for the usual ones; empty if all are usual.

    Raises:
        NotationError: a number is malformed or above `MAX_SPINS`, or there are too many.
    """
    spins: list[float | None] = []
    for field in Setting.of_text(text).fields(","):
        word = field.text.strip()
        # The error points at the comma before this number.
        if len(spins) == MAX_CATCHES:
            reason = _("more than {max_catches} throws", max_catches=MAX_CATCHES)
            raise field.error(-1, reason, _("use fewer"))
        if word == "-":
            spins.append(None)
        # Digits, perhaps with .0 or .5: only whole and half turns are accepted.
        elif re.fullmatch(r"\d{1,2}(\.[05]0*)?", word) and float(word) <= MAX_SPINS:
            spins.append(float(word))
        else:
            reason = (
                _("{word} is not a number of turns", word=word[:12])
                if word
                else _("a number of turns is missing")
            )
            accepted = _(
                "use 0 to {max_spins} in halves, such as 1.5, or - for the default",
                max_spins=MAX_SPINS,
            )
            raise field.error(field.indent, reason, accepted)
    return () if set(spins) == {None} else tuple(spins)


def write_spins(spins: Sequence[float | None]) -> str:
    """Return the text that `read_spins` reads as these."""
    return ",".join("-" if spin is None else f"{spin:g}" for spin in spins)


def _read_names(
    part: Setting, names: Sequence[str], noun: str, max_count: float = math.inf
) -> tuple[str, ...]:
    """Read the names between commas in a part of a setting.

    Names repeat in turn, so if all are the same, one stands for all.

    Args:
        part: the names, in lower or upper case.
        names: the known names, in lower case.
        noun: what the names are called in errors; a thing that `counted` knows.
        max_count: the greatest number of names; infinite for any number.

    Raises:
        NotationError: a name is unknown, or there are too many.
    """
    words: list[str] = []
    for field in part.fields(","):
        # The error points at the comma before this name.
        if len(words) == max_count:
            reason = _("more than {things}", things=counted(max_count, noun))
            raise field.error(-1, reason, _("use fewer"))
        words.append(_read_name(field, names, noun))
    return (words[0],) if len(set(words)) == 1 else tuple(words)
