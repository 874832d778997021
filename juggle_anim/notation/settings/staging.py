"""Staging as settings: hands, style, catches, bodies and props."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from juggle_anim.choreography import PropStyle, Staging
from juggle_anim.choreography.score import Catches
from juggle_anim.errors import NotationError, did_you_mean
from juggle_anim.notation.limits import MAX_CATCHES
from juggle_anim.notation.settings.colours import read_colours
from juggle_anim.notation.settings.moves import one_line, read_body, read_hands
from juggle_anim.notation.settings.syntax import Setting
from juggle_anim.text_settings import GRASP_KINDS, HAND_STYLES, IMPLIED_HAND_STYLE, PROP_KINDS


def read_staging(found: Mapping[str, Setting], before: Staging) -> Staging:
    """Return a staging with some settings changed.

    Args:
        found: settings by key, of which hands, style, catches, body, prop and colors are read. With `hands` or
            `dwell` but no style, the style is the one that such strings were written for.
        before: the staging to change.

    Raises:
        NotationError: a setting that cannot be read.
    """
    hands, body, props, style, catches = before.hands, before.body, before.props, before.style, before.catches
    if "hands" in found:
        hands = found["hands"].read(read_hands)
    if "style" in found:
        style = found["style"].read(lambda text: _one_of(text, 0, text, HAND_STYLES, "style"))
    elif "hands" in found or "dwell" in found:
        style = IMPLIED_HAND_STYLE
    if "catches" in found:
        catches = found["catches"].read(read_catches)
    if "body" in found:
        body = found["body"].read(read_body)
    if "prop" in found:
        props = replace(props, kinds=found["prop"].read(lambda text: _words(text, 0, text, PROP_KINDS, "prop")))
    if "colors" in found:
        colours, by_orbit = found["colors"].read(read_colours)
        props = replace(props, text=one_line(found["colors"].text), colours=colours, by_orbit=by_orbit)
    return Staging(hands, body, props, style, catches)


def staging_texts(staging: Staging, dwell: bool = False) -> dict[str, str]:
    """The settings that `read_staging` reads as this staging, by key; those that say nothing are left out.

    Args:
        staging: what is to be written.
        dwell: whether the dwell is written beside it.
    """
    texts = {}
    if staging.hands:
        texts["hands"] = staging.hands.text
    if staging.style != (IMPLIED_HAND_STYLE if staging.hands or dwell else Staging().style):
        texts["style"] = staging.style
    if staging.catches != Staging().catches:
        texts["catches"] = write_catches(staging.catches)
    if staging.body:
        texts["body"] = staging.body.text
    if staging.props.kinds != PropStyle().kinds:
        texts["prop"] = ",".join(staging.props.kinds)
    if staging.props.text:
        texts["colors"] = staging.props.text
    return texts


def _one_of(text: str, start: int, part: str, names: Sequence[str], what: str) -> str:
    """Return the name that the part of a text from `start` on says."""
    name = part.strip().casefold()
    if name in names:
        return name
    reason = f"there is no {what} called {part.strip()[:30]}" if name else f"no {what} is named"
    raise NotationError(text, start + len(part) - len(part.lstrip()), reason, did_you_mean(name, names))


def read_catches(text: str) -> Catches:
    """Read how left and right hands catch.

    Args:
        text: words of `GRASP_KINDS` after commas, which the catches of each hand take in turn; a `|` stands between
            those of left and of right hands.

    Raises:
        NotationError: the text is neither.
    """
    sides, at = [], 0
    for number, side in enumerate(text.split("|")):
        if number == 2:
            raise NotationError(text, at - 1, "there are two hands, so there is one |", "left and right as palm|claw")
        sides.append(_words(text, at, side, GRASP_KINDS, "catch", MAX_CATCHES))
        at += len(side) + 1
    return sides[0], sides[-1]


def write_catches(catches: Catches) -> str:
    """The text that `read_catches` reads as these."""
    left, right = (",".join(words) for words in catches)
    return left if left == right else f"{left}|{right}"


def _words(
    text: str, start: int, side: str, names: Sequence[str], what: str, most: float = math.inf
) -> tuple[str, ...]:
    """The names between the commas of the part of a text from `start` on; one if all are the same."""
    words: list[str] = []
    at = start
    for part in side.split(","):
        if len(words) == most:
            raise NotationError(text, at - 1, f"these are more than {most} catches", "fewer of them")
        words.append(_one_of(text, at, part, names, what))
        at += len(part) + 1
    return (words[0],) if len(set(words)) == 1 else tuple(words)
