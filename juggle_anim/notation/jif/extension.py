"""The `juggleAnim` members of a JIF document and of its throws: what a score says that JIF has no
words for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from juggle_anim.choreography import Score, Staging
from juggle_anim.errors import JuggleError, NotationError, ParameterError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.jif.document import Node
from juggle_anim.notation.limits import (
    MAX_BOUNCES,
    MAX_JUGGLERS,
    MAX_LOOP_THROWS,
    MAX_PERIOD,
    MAX_TAGS,
)
from juggle_anim.notation.settings.settings import Settings, read_settings, write_settings
from juggle_anim.notation.settings.staging import read_staging, staging_texts
from juggle_anim.notation.settings.syntax import Setting
from juggle_anim.notation.siteswap.syntax import BOUNCE_STYLES, PLAIN, Modifier
from juggle_anim.parameters import CHOICES, QUANTITIES, Parameters
from juggle_anim.pattern import Throw, Turn
from juggle_anim.text_settings import TEXT_KEYS

_NOTHING = Staging()

EXTENSION_KEY = "juggleAnim"
"""The name of the members that are ours; JIF allows any others than its own."""


@dataclass(frozen=True)
class Extension:
    """The content of our extension.

    Args:
        notation: settings that stand for the pattern.
        staging: as settings had it.
        parameters: as in `Settings`.
        empty: beats, jugglers and hands for which it was written that they throw nothing.
        tags: as in `Score`.
        base: as in `Score`.
    """

    notation: str = ""
    staging: Staging = _NOTHING
    parameters: Mapping[str, float | str | None] = field(default_factory=dict)
    empty: tuple[Turn, ...] = ()
    tags: tuple[str, ...] = ()
    base: tuple[str, str] | None = None


def read_extension(document: Node) -> Extension:
    """Read our member of a document; an empty extension where there is none.

    Raises:
        FileError: a value in it is of the wrong kind or out of range.
    """
    ours = document.get(EXTENSION_KEY)
    if ours is None:
        return Extension()
    base = ours.get("base")
    return Extension(
        notation=ours.text_of("notation"),
        staging=_staging(ours),
        parameters=_parameters(ours),
        empty=tuple(_turn(node) for node in ours.list_of("empty", MAX_LOOP_THROWS)),
        tags=tuple(node.text() for node in ours.list_of("tags", MAX_TAGS)),
        base=(base.text_of("notation"), base.text_of("text")) if base else None,
    )


def write_extension(settings: Settings) -> dict[str, Any]:
    """Return our member for a document, as JSON values without empty ones.

    It is empty if JIF says all by itself.

    Args:
        settings: of the pattern or the events that the document holds.
    """
    score = settings.score
    members: dict[str, Any] = {
        "notation": _notation(score),
        "staging": staging_texts(score.staging),
    }
    if score.staging.props.image:
        members["staging"]["image"] = score.staging.props.image
    members["parameters"] = {
        name: value for name, value in settings.parameters.items() if value is not None
    }
    if score.pattern:
        # Turns on which a hand throws nothing, each as beat, juggler and hand.
        turns_with_throws = {throw[:3] for throw in score.pattern.throws}
        members["empty"] = [
            list(turn) for turn in score.pattern.turns if turn not in turns_with_throws
        ]
    members["tags"] = list(score.tags)
    if score.base:
        notation, text = score.base
        members["base"] = {"notation": notation, "text": text}
    return {key: value for key, value in members.items() if value}


def _notation(score: Score) -> str:
    """Settings text of the pattern alone; empty if it is not read back as the same pattern."""
    if score.pattern is None:
        return ""
    try:
        text = write_settings(Score(score.pattern), Parameters())
        return text if read_settings(text).score.pattern == score.pattern else ""
    except JuggleError:
        return ""


def _staging(ours: Node) -> Staging:
    """Return the staging in our member, written as texts of settings.

    Args:
        ours: our member of the document.

    Raises:
        FileError: a text is no such setting.
    """
    node = ours.get("staging")
    if node is None:
        return Staging()
    settings = {key: Setting.alone(text) for key in TEXT_KEYS if (text := node.text_of(key))}
    try:
        staging = read_staging(settings, Staging())
    except NotationError as error:
        raise node.error(error.reason, error.accepted) from error
    return dataclasses.replace(
        staging, props=dataclasses.replace(staging.props, image=node.text_of("image"))
    )


def _parameters(ours: Node) -> dict[str, float | str | None]:
    """Return the parameters in our member, by name.

    Args:
        ours: our member of the document.

    Raises:
        FileError: an unknown name, or a value of the wrong kind or out of range.
    """
    node = ours.get("parameters")
    if node is None:
        return {}
    parameters: dict[str, float | str | None] = {
        choice.name: node.text_of(choice.name) for choice in CHOICES
    }
    parameters = {name: word for name, word in parameters.items() if word}
    for quantity in QUANTITIES:
        if value := node.get(quantity.name):
            parameters[quantity.name] = value.number(quantity.low, quantity.high)
    # `replace` refuses unknown names and unknown choices.
    for name in node.value:
        try:
            Parameters().replace(**{name: parameters.get(name)})
        except ParameterError as error:
            raise node.error(str(error), _("the names and ranges of parameters")) from error
    return parameters


def _turn(node: Node) -> Turn:
    """Read a list of beat, juggler and hand.

    Raises:
        FileError: it is no such list.
    """
    items = node.items(3)
    if len(items) != 3:
        raise node.error(
            _("this has {count}", count=len(items)),
            _("three numbers: a beat, a juggler and a hand"),
        )
    beat, juggler, hand = items
    return beat.whole(0, MAX_PERIOD), juggler.whole(0, MAX_JUGGLERS), hand.whole(0, 1)


def read_modifier(throw: Node) -> Modifier:
    """Return the modifier of a throw, bounces and hold, from our member; `PLAIN` without one.

    Args:
        throw: of the document.

    Raises:
        FileError: a value in it is of the wrong kind or out of range.
    """
    ours = throw.get(EXTENSION_KEY)
    if ours is None:
        return PLAIN
    bounces = ours.get("bounces")
    style = ours.get("bounceStyle")
    held = ours.get("held")
    # A bounce without a style is lifted; a style without bounces means nothing.
    count = bounces.whole(0, MAX_BOUNCES) if bounces else 0
    kind = style.text() if style else "lift"
    if style and kind not in BOUNCE_STYLES:
        raise style.error(
            _("unknown bounce style"),
            _("one of {bounce_styles}", bounce_styles=", ".join(BOUNCE_STYLES)),
        )
    return Modifier(count, kind if count else "", held.flag() if held else None)


def write_modifier(throw: Throw) -> dict[str, Any]:
    """Our member of a throw, under its key; empty for a plain throw."""
    members: dict[str, Any] = (
        {"bounces": throw.bounces, "bounceStyle": throw.bounce_style} if throw.bounces else {}
    )
    if throw.held is not None:
        members["held"] = throw.held
    return {EXTENSION_KEY: members} if members else {}
