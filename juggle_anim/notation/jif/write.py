"""Writing JIF: from a score to a document."""

from __future__ import annotations

import json
from typing import Any

from juggle_anim.notation.jif.extension import EXTENSION_KEY, write_extension, write_modifier
from juggle_anim.notation.jif.limbs import limb_of, write_head
from juggle_anim.notation.jif.placed import placed_document
from juggle_anim.notation.jif.props import PropOrder, write_looks
from juggle_anim.notation.pattern_list import PatternList
from juggle_anim.notation.rewriting import only_pattern
from juggle_anim.notation.settings.settings import Settings
from juggle_anim.notation.siteswap.write import throw_text
from juggle_anim.pattern import Pattern, Throw


def write_jif(patterns: PatternList) -> str:
    """Write one pattern as a JIF file; `read_jif` gives it back.

    All members of JIF are as its schema wants them, so places of jugglers are in whole metres. What
    JIF has no words for stands in members of our own, named `juggleAnim`: bounces and holds, moves
    of hands and bodies, parameters, exact places.

    Raises:
        FileError: there are several patterns or none, or it is one that could not be read.
    """
    _, settings = only_pattern(patterns, "JIF")
    return _formatted(_document(settings))


def _document(settings: Settings) -> dict[str, Any]:
    score = settings.score
    if score.pattern is None:
        return placed_document(settings)
    pattern = score.pattern
    order = PropOrder(score.pattern)
    document = {
        **write_head(score, score.staging.body),
        "highLevelDescription": {"type": "siteswap", "description": pattern.text},
        "props": write_looks(score.staging.props, order),
        "timeStretchFactor": pattern.division,
        "repetition": {
            "period": pattern.period,
            # The page of the format drops a repetition without this one.
            "limbPermutation": list(range(2 * pattern.jugglers)),
            "propPermutation": order.shifted(),
        },
        "throws": [_throw(pattern, order, index) for index in range(len(pattern.throws))],
        EXTENSION_KEY: write_extension(settings),
    }
    return {key: value for key, value in document.items() if value or key == "throws"}


def _throw(pattern: Pattern, order: PropOrder, index: int) -> dict[str, Any]:
    throw = pattern.throws[index]
    return {
        "time": throw.beat,
        "duration": throw.value,
        "from": limb_of(throw.juggler, throw.hand),
        "to": limb_of(throw.to_juggler, throw.to_hand),
        "label": _label(throw, pattern),
        "prop": order.prop(index, 0),
        **write_modifier(throw),
    }


def _label(throw: Throw, pattern: Pattern) -> str:
    if pattern.division == 1:
        return throw_text(throw, pattern.jugglers)
    return f"{throw.value / pattern.division:.4g}" + "p" * (throw.juggler != throw.to_juggler)


def _formatted(document: dict[str, Any]) -> str:
    """JSON with a member of a list in each line."""
    lines = []
    for key, value in document.items():
        listed = isinstance(value, list) and value
        shown = "[\n    " + ",\n    ".join(map(_line, value)) + "\n  ]" if listed else _line(value)
        lines.append(f"  {_line(key)}: {shown}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
