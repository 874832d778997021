"""Reading JIF: from a document to a score."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from typing import Any

from juggle_anim.choreography import Score
from juggle_anim.choreography.choreograph import natural_tempo
from juggle_anim.choreography.places import STYLES
from juggle_anim.errors import JuggleError, joined_names, printable
from juggle_anim.language import _
from juggle_anim.notation.jif.document import Node, read_document
from juggle_anim.notation.jif.extension import EXTENSION_KEY, Extension, read_extension
from juggle_anim.notation.jif.limbs import read_places
from juggle_anim.notation.jif.placed import read_placed
from juggle_anim.notation.jif.props import PropOrder, identify_props, read_looks
from juggle_anim.notation.jif.throws import Throws, read_throws
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.prechac.write import with_own_text
from juggle_anim.notation.settings.settings import Settings, read_settings
from juggle_anim.parameters import Parameters, quantity_named
from juggle_anim.pattern import Pattern


def read_jif(text: str, name: str = "JIF") -> PatternList:
    """Read a JIF file (https://passist.org): JSON with throws at times, in beats, between limbs.

    What is left out is completed: jugglers, limbs, props, and throws that repeat with limbs and
    props permuted. Throws of no duration are empty hands. What cannot be shown is said in the
    description.

    Args:
        text: the whole file.
        name: of the file, for errors.

    Returns:
        A list of one pattern.

    Raises:
        FileError: it is no JIF, or no pattern; the text says where in the document and why.
    """
    document = read_document(text, name)
    settings = read_placed(document) or _thrown(document)
    return PatternList((Entry(settings.score.name, settings, line=1),), single=True)


def _thrown(document: Node) -> Settings:
    """Return the throws of a document and its other members."""
    throws = read_throws(document)
    record = read_extension(document)
    pattern, numbers = identify_props(document, throws)
    pattern = _named(document, record, pattern)
    props, notes = read_looks(document, PropOrder(pattern), numbers, record.staging.props)
    body = read_places(document, pattern.jugglers, record.staging.body)
    parameters = _tempo(throws, pattern) | _dwell(throws, notes) | dict(record.parameters)
    if any(throw.node.get("spins") for throw in throws.written):
        notes.append(_("Props spin as they usually do, not as the file says."))
    if unknown := _unknown_members(document.value):
        notes.append(
            _("What the file says of {unknown} is not shown.", unknown=joined_names(unknown))
        )
    score = Score(
        pattern,
        staging=dataclasses.replace(record.staging, body=body, props=props),
        title=document.text_of("meta", "name"),
        about="\n".join(filter(None, [document.text_of("meta", "description"), *notes])),
        tags=record.tags,
        base=record.base,
    )
    return Settings(score, parameters, complete=True)


def _unknown_members(document: dict[str, Any]) -> list[str]:
    """The paths of members that are not read, without those that change nothing that is shown; a
    few of them.
    """
    found = {key: None for key in document if key not in _MEMBERS}
    for name, known in _MEMBERS.items():
        value = document.get(name)
        for each in (value if isinstance(value, list) else [value]) if known else []:
            place = f"{name}[]" if isinstance(value, list) else name
            found |= {
                f"{place}.{key}": None
                for key in (each if isinstance(each, dict) else {})
                if key not in known
            }
    listed = [printable(path, _SHOWN) for path in found]
    return (
        [*listed[:_MOST], _("{count} more", count=len(listed) - _MOST)]
        if len(listed) > _MOST
        else listed
    )


def _named(document: Node, record: Extension, pattern: Pattern) -> Pattern:
    """The pattern with a text that says the same, if there is any, as the document has it or else
    as we write it.
    """
    described = document.text_of("highLevelDescription", "description")
    for text in filter(None, [record.notation, described, document.text_of("meta", "name")]):
        with suppress(JuggleError):
            read = read_settings(text).score.pattern
            if read and _throws_of(read) == _throws_of(pattern):
                return read
    empty = {
        turn for turn in record.empty if turn[0] < pattern.period and turn[1] < pattern.jugglers
    }
    pattern = dataclasses.replace(pattern, turns=tuple(sorted({*pattern.turns, *empty})))
    return with_own_text(pattern)


def _throws_of(pattern: Pattern) -> tuple[object, ...]:
    return pattern.throws, pattern.period, pattern.jugglers, pattern.division


def _tempo(throws: Throws, pattern: Pattern) -> dict[str, float | None]:
    if throws.tempo == 1:
        return {}
    bps = quantity_named("bps")
    usual = natural_tempo(pattern, Parameters().dwell, next(iter(STYLES.values())))
    return {"bps": min(max(usual * throws.tempo, bps.low), bps.high)}


def _dwell(throws: Throws, notes: list[str]) -> dict[str, float | None]:
    """The time for which props stay in a hand, where it is said of all throws and one."""
    nodes = [
        node for throw in throws.written if throw.duration and (node := throw.node.get("dwell"))
    ]
    if not nodes:
        return {}
    quantity = quantity_named("dwell")
    stretch = throws.stretch
    dwells = {node.number(0, 1_000_000) / stretch for node in nodes}
    flying = sum(throw.duration > 0 for throw in throws.written)
    dwell = min(dwells)
    if len(dwells) > 1 or len(nodes) < flying or not quantity.low <= dwell <= quantity.high:
        notes.append(_("Props are held as long as they usually are, not as the file says."))
        return {}
    return {"dwell": dwell}


_MEMBERS: dict[str, tuple[str, ...]] = {
    "jugglers": ("name", "label", "position", "lookAt", "becomes"),
    "limbs": ("juggler", "type", "kind", "label"),
    "props": ("color", "type"),
    "objects": ("color", "type"),
    "throws": (
        *("time", "duration", "from", "to", "prop", "label", "dwell", "spins", "isManipulated"),
        EXTENSION_KEY,
    ),
    "repetition": ("period", "limbPermutation", "propPermutation"),
    **dict.fromkeys(
        (
            "$schema",
            "version",
            "meta",
            "highLevelDescription",
            "period",
            "timeStretchFactor",
            "valid",
        ),
        (),
    ),
    EXTENSION_KEY: (),
}
"""The members of a document that are read, or that change nothing that is shown, and those of them;
none for any.
"""

_MOST = 5
_SHOWN = 40
