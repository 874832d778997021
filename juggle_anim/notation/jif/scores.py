"""Reading and writing JIF: from a document to a score and back."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from juggle_anim.choreography import BodyMoves, BodyPlace, Choreography, PropOrbit, Score
from juggle_anim.choreography.choreograph import natural_tempo
from juggle_anim.choreography.places import STYLES
from juggle_anim.errors import JuggleError, joined_names, printable
from juggle_anim.language import _
from juggle_anim.notation.jif.document import Node, read_document, write_css_colour
from juggle_anim.notation.jif.extension import (
    EXTENSION_KEY,
    Extension,
    read_extension,
    write_extension,
    write_modifier,
)
from juggle_anim.notation.jif.limbs import limb_of, read_places, write_head
from juggle_anim.notation.jif.props import PropOrder, identify_props, read_looks, write_looks
from juggle_anim.notation.jif.throws import Throws, read_throws
from juggle_anim.notation.limits import MAX_PERIOD, MAX_THROWS, MAX_VALUE
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.prechac.write import with_own_text
from juggle_anim.notation.rewriting import only_pattern
from juggle_anim.notation.settings.settings import Settings, read_settings
from juggle_anim.notation.siteswap.write import throw_text
from juggle_anim.parameters import Parameters, quantity_named
from juggle_anim.pattern import Pattern, Throw


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
    """Return some paths of members that are not read though they change what is shown."""
    paths = {key: None for key in document if key not in _MEMBERS}
    for name, known_keys in _MEMBERS.items():
        value = document.get(name)
        for item in (value if isinstance(value, list) else [value]) if known_keys else []:
            item_path = f"{name}[]" if isinstance(value, list) else name
            paths |= {
                f"{item_path}.{key}": None
                for key in (item if isinstance(item, dict) else {})
                if key not in known_keys
            }
    listed = [printable(path, _PATH_LENGTH) for path in paths]
    return (
        [*listed[:_MOST_LISTED], _("{count} more", count=len(listed) - _MOST_LISTED)]
        if len(listed) > _MOST_LISTED
        else listed
    )


def _named(document: Node, record: Extension, pattern: Pattern) -> Pattern:
    """Give the pattern a text that says the same: the document's own, or ours."""
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

_MOST_LISTED = 5  # paths of members in a note
_PATH_LENGTH = 40  # characters of a path in a note


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
    """Return the JIF document of settings as JSON values, without empty members."""
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


HELD = "held"
"""The label of a throw that is none, but a prop that stays in its hand."""


def placed_document(settings: Settings) -> dict[str, Any]:
    """A document for a score that holds events; `read_placed` gives them back as JML keeps them.

    A throw lasts until the prop is thrown again, as in a siteswap; its dwell is the time for which
    it then was in a hand. Beats go such that the loop has a whole number of them, as near to the
    tempo of the events as can be.
    """
    from juggle_anim.notation.jml import write_jml

    choreography = settings.score.placed
    assert choreography is not None
    score = settings.score
    alone = PatternList((Entry(score.name, settings),), single=True)
    return {
        **write_head(score, _first_places(choreography)),
        "props": _placed_props(choreography),
        "timeStretchFactor": 1,
        **_placed_throws(choreography, max(1, round(choreography.duration * choreography.bps))),
        # JML has no word for the tempo.
        EXTENSION_KEY: {
            **write_extension(settings),
            "bps": choreography.bps,
            "jml": write_jml(alone),
        },
    }


def read_placed(document: Node) -> Settings | None:
    """Return the events that a document holds as JML; None if its throws are others now.

    Raises:
        FileError: they cannot be read.
    """
    from juggle_anim.notation.jml import read_jml

    node = document.find(EXTENSION_KEY, "jml")
    if node is None:
        return None
    entries = read_jml(node.text(), f"{document.name}: {node.where}").patterns
    settings = entries[0].settings if len(entries) == 1 else None
    if settings is None or settings.score.placed is None:
        raise node.error(_("holds no events"), _("a JML document of one pattern"))
    period = document.find("repetition", "period")
    bps = document.find(EXTENSION_KEY, "bps")
    if not period or not _agree(
        _placed_throws(settings.score.placed, period.whole(1, MAX_PERIOD)), document
    ):
        return None
    placed = settings.score.placed
    if bps:
        placed = dataclasses.replace(placed, bps=bps.number(1 / MAX_PERIOD, MAX_PERIOD))
    record = read_extension(document)
    score = dataclasses.replace(
        settings.score,
        placed=placed,
        title=document.text_of("meta", "name"),
        about=document.text_of("meta", "description"),
        tags=record.tags,
        base=record.base,
    )
    return dataclasses.replace(
        settings, score=score, parameters={**settings.parameters, **record.parameters}
    )


def _agree(ours: dict[str, Any], document: Node) -> bool:
    """Whether a document has the throws that our events make; JML rounds their times a little."""
    nodes = document.list_of("throws", MAX_THROWS)
    if len(nodes) != len(ours["throws"]):
        return False
    found_throws = sorted(
        (node.text_of("label") == HELD, *map(node.number_of, _COMPARED_KEYS)) for node in nodes
    )
    expected = sorted(
        (throw.get("label") == HELD, *(float(throw[key]) for key in _COMPARED_KEYS))
        for throw in ours["throws"]
    )
    return bool(
        np.allclose(
            np.array(found_throws, dtype=float),
            np.array(expected, dtype=float),
            rtol=0,
            atol=_TIME_TOLERANCE,
        )
    )


def _placed_throws(choreography: Choreography, period: int) -> dict[str, Any]:
    """The members `repetition` and `throws`, in so many beats."""

    def in_beats(time: float) -> float:
        """A time or duration [s] in beats, whole ones without a fraction."""
        beats = round(time * period / choreography.duration, _BEAT_DIGITS)
        return int(beats) if beats == int(beats) else beats

    throws: list[dict[str, Any]] = []
    permutation: list[int] = []
    for orbit in choreography.orbits:
        first = len(permutation)
        throws += (
            _orbit(choreography, orbit, in_beats, first)
            if orbit.flights
            else _holds(orbit, period, first)
        )
        # A loop later, each prop of an orbit has become the next; held ones stay.
        step = 1 if orbit.flights else 0
        permutation += [first + (ahead - step) % orbit.props for ahead in range(orbit.props)]
    throws.sort(key=lambda throw: (throw["time"], throw["from"]))
    limbs = list(range(2 * choreography.jugglers))
    repetition = {"period": period, "limbPermutation": limbs, "propPermutation": permutation}
    return {"repetition": repetition, "throws": throws}


def _orbit(
    choreography: Choreography, orbit: PropOrbit, in_beats: Callable[[float], float], first: int
) -> list[dict[str, Any]]:
    """Return the throws of an orbit, one after the other, for JSON.

    A throw lasts until the prop is thrown again; its dwell is the time in the hand before that.
    """
    events = choreography.events
    flights = choreography.flights
    throws = []
    ahead = 0
    for flight, following in orbit.steps():
        # A prop is in the air and then in a hand until it is thrown again.
        begins, ends = (float(events.time[flights.throw[index]]) for index in (flight, following))
        lasts = float(flights.duration[flight] + flights.carry[flight])
        # Whole loops that pass until then: each changes which prop of the orbit it is.
        loops = round((begins + lasts - ends) / choreography.duration)
        throws.append(
            {
                "time": in_beats(begins),
                "duration": in_beats(ends + loops * choreography.duration - begins),
                "from": limb_of(*divmod(int(events.hand[flights.throw[flight]]), 2)),
                "to": limb_of(*divmod(int(events.hand[flights.catch[flight]]), 2)),
                "dwell": in_beats(float(flights.carry[flight])),
                "prop": first + ahead % orbit.props,
            }
        )
        ahead += loops
    return throws


def _holds(orbit: PropOrbit, period: int, first: int) -> list[dict[str, Any]]:
    """A prop that is never thrown, as throws that never leave their hand."""
    limb = limb_of(*divmod(orbit.hand, 2))
    lasts = next(beats for beats in range(min(MAX_VALUE, period), 0, -1) if period % beats == 0)
    held = {
        "duration": lasts,
        "from": limb,
        "to": limb,
        "label": HELD,
        EXTENSION_KEY: {"held": True},
    }
    times = range(0, period, lasts)
    return [
        {"time": time, **held, "prop": first + prop}
        for time in times
        for prop in range(orbit.props)
    ]


def _placed_props(choreography: Choreography) -> list[dict[str, Any]]:
    looks = [
        {"type": look.kind, "color": write_css_colour(look.colour)} for look in choreography.looks
    ]
    return [{key: text for key, text in look.items() if text} for look in looks] or [
        {}
    ] * choreography.props


def _first_places(choreography: Choreography) -> BodyMoves:
    keys = choreography.bodies
    places: dict[int, BodyPlace] = {}
    for juggler, facing, position in zip(keys.juggler, keys.facing, keys.position, strict=True):
        x, y, z = map(float, position)
        places.setdefault(int(juggler), BodyPlace(float(facing), (x, y, z)))
    return BodyMoves("", tuple(((places[juggler],),) for juggler in range(choreography.jugglers)))


_BEAT_DIGITS = 6  # decimals of beats that are written
# beats; JML keeps times of events in seconds with fewer digits.
_TIME_TOLERANCE = 1e-4
_COMPARED_KEYS = ("from", "to", "time", "duration")
