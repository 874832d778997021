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

    Jugglers, limbs and props that are left out are completed, and throws repeat with limbs and
    props permuted. Throws of no duration are empty hands. The description of the pattern gets a
    note on everything that cannot be shown.

    Args:
        text: the whole file.
        name: of the file, for errors.

    Returns:
        A list of one pattern.

    Raises:
        FileError: it is no JIF, or no pattern; the text says where in the document and why.
    """
    document = read_document(text, name)
    # Our own files may hold events, which say more than throws.
    settings = read_placed(document) or _settings_of_throws(document)
    return PatternList((Entry(settings.score.name, settings, line=1),), single=True)


def _settings_of_throws(document: Node) -> Settings:
    """Read the settings of a document from its throws: pattern, props, places and parameters.

    What the document has beyond that is named in notes at the end of the score's description.

    Args:
        document: the root of the document.

    Raises:
        FileError: a part of the document cannot be read.
    """
    throws = read_throws(document)
    extension = read_extension(document)
    pattern, numbers = identify_props(document, throws)
    pattern = _with_text(document, extension, pattern)
    props, notes = read_looks(document, PropOrder(pattern), numbers, extension.staging.props)
    body = read_places(document, pattern.jugglers, extension.staging.body)
    # Parameters that our extension states win over those that follow from the throws.
    parameters = _tempo(throws, pattern) | _dwell(throws, notes) | dict(extension.parameters)
    if any(throw.node.get("spins") for throw in throws.written):
        notes.append(_("Props spin as usual, not as in the file."))
    if unknown := _unknown_members(document.value):
        notes.append(_("The file's {unknown} is not shown.", unknown=joined_names(unknown)))
    score = Score(
        pattern,
        staging=dataclasses.replace(extension.staging, body=body, props=props),
        title=document.text_of("meta", "name"),
        about="\n".join(filter(None, [document.text_of("meta", "description"), *notes])),
        tags=extension.tags,
        base=extension.base,
    )
    return Settings(score, parameters, complete=True)


def _unknown_members(document: dict[str, Any]) -> list[str]:
    """List members that are not read though they may change what is shown, such as `limbs[].x`.

    At most `_MOST_LISTED` paths are listed, and then how many more there are.

    Args:
        document: the root of the document as JSON values.
    """
    # A dict as an ordered set: members of a list share a path.
    paths = {key: None for key in document if key not in _MEMBERS}
    for name, known_keys in _MEMBERS.items():
        # No known keys mean that any are allowed.
        if not known_keys:
            continue
        value = document.get(name)
        items = value if isinstance(value, list) else [value]
        item_path = f"{name}[]" if isinstance(value, list) else name
        for item in items:
            if isinstance(item, dict):
                paths |= {f"{item_path}.{key}": None for key in item if key not in known_keys}
    listed = [printable(path, _PATH_LENGTH) for path in paths]
    if len(listed) <= _MOST_LISTED:
        return listed
    return [*listed[:_MOST_LISTED], _("{count} more", count=len(listed) - _MOST_LISTED)]


def _with_text(document: Node, extension: Extension, pattern: Pattern) -> Pattern:
    """Give the pattern a text: one of the document that means these throws, or a new one.

    Args:
        document: its description and name may be such a text.
        extension: it may hold such a text, and hands that throw nothing.
        pattern: the throws.
    """
    description = document.text_of("highLevelDescription", "description")
    for text in filter(None, [extension.notation, description, document.text_of("meta", "name")]):
        # Most names and descriptions are no patterns.
        with suppress(JuggleError):
            read = read_settings(text).score.pattern
            if read and _content(read) == _content(pattern):
                return read
    # No text of the document means these throws. A new text should have the zeros that were written
    # in our own file, as far as they are within the pattern.
    empty = {
        (beat, juggler, hand)
        for beat, juggler, hand in extension.empty
        if beat < pattern.period and juggler < pattern.jugglers
    }
    pattern = dataclasses.replace(pattern, turns=tuple(sorted({*pattern.turns, *empty})))
    return with_own_text(pattern)


def _content(pattern: Pattern) -> tuple[object, ...]:
    """All of a pattern that a file must agree in, without its text."""
    return pattern.throws, pattern.period, pattern.jugglers, pattern.division


def _tempo(throws: Throws, pattern: Pattern) -> dict[str, float | None]:
    """Parameter `bps`, [beats/s], for a document that changes the usual tempo; else empty."""
    if throws.tempo == 1:
        return {}
    bps = quantity_named("bps")
    usual = natural_tempo(pattern, Parameters().dwell, next(iter(STYLES.values())))
    return {"bps": min(max(usual * throws.tempo, bps.low), bps.high)}


def _dwell(throws: Throws, notes: list[str]) -> dict[str, float | None]:
    """Return the parameter `dwell`, [beats of a juggler], if all throws have the same dwell.

    Args:
        throws: of the document.
        notes: a note for the user is appended if throws differ, only some of them have a dwell, or
            it is out of range.

    Returns:
        The parameter by its name. Empty if there is no such dwell.
    """
    # Throws of no duration are empty hands.
    nodes = [
        node for throw in throws.written if throw.duration and (node := throw.node.get("dwell"))
    ]
    if not nodes:
        return {}
    quantity = quantity_named("dwell")
    # The dwells that occur. The document counts its own beats, of which `stretch` make one beat of
    # a juggler.
    dwells = {node.number(0, 1_000_000) / throws.stretch for node in nodes}
    throws_with_prop = sum(throw.duration > 0 for throw in throws.written)
    dwell = min(dwells)
    # One parameter can stand for all throws only.
    if (
        len(dwells) > 1
        or len(nodes) < throws_with_prop
        or not quantity.low <= dwell <= quantity.high
    ):
        notes.append(_("Props are held as long as usual, not as in the file."))
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
    """Write one pattern as a JIF file, which `read_jif` reads as the same pattern.

    All members of JIF are as its schema wants them, so places of jugglers are in whole metres.
    Members of our own, named `juggleAnim`, hold what JIF has no place for: bounces and holds, moves
    of hands and bodies, parameters, exact places.

    Raises:
        FileError: there are several patterns or none, or it is one that could not be read.
    """
    _, settings = only_pattern(patterns, "JIF")
    return _formatted(_document(settings))


def _document(settings: Settings) -> dict[str, Any]:
    """Return the JIF document of settings as JSON values, without empty members except `throws`."""
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
            # The identity. The format's own page ignores a repetition without it.
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
    """A throw as in a siteswap; on divided beats its value in beats, with a p for a pass."""
    if pattern.division == 1:
        return throw_text(throw, pattern.jugglers)
    pass_flag = "p" if throw.juggler != throw.to_juggler else ""
    return f"{throw.value / pattern.division:.4g}{pass_flag}"


def _formatted(document: dict[str, Any]) -> str:
    """JSON text with a line for each member, and for each item of a member that is a list."""
    lines = []
    for key, value in document.items():
        if isinstance(value, list) and value:
            json_text = "[\n    " + ",\n    ".join(map(_json, value)) + "\n  ]"
        else:
            json_text = _json(value)
        lines.append(f"  {_json(key)}: {json_text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: Any) -> str:
    """A value as JSON in one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


HELD = "held"
"""The label of a throw that is none, but a prop that stays in its hand."""


def placed_document(settings: Settings) -> dict[str, Any]:
    """Return the JIF document of a score that holds events, as JSON values.

    The events stand in our own member as JML, from which `read_placed` reads them; other programs
    see throws. A throw lasts until the prop is thrown again, as in a siteswap; its dwell is the
    time in a hand before that. The beat is chosen such that the loop has a whole number of beats,
    as near to the tempo of the events as can be.

    Args:
        settings: whose score has placed events rather than a pattern.
    """
    # Imported here, since only documents of placed events need it.
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
    """Read the events that a document of ours holds as JML.

    Returns:
        None without events, or if the throws of the document were changed since and do not belong
        to these events any more.

    Raises:
        FileError: the events cannot be read.
    """
    from juggle_anim.notation.jml import read_jml

    node = document.find(EXTENSION_KEY, "jml")
    if node is None:
        return None
    entries = read_jml(node.text(), f"{document.name}: {node.where}").patterns
    settings = entries[0].settings if len(entries) == 1 else None
    if settings is None or settings.score.placed is None:
        raise node.error(_("has no events"), _("a JML document with one pattern"))
    period = document.find("repetition", "period")
    bps = document.find(EXTENSION_KEY, "bps")
    # The throws that follow from the events must be those of the document.
    if not period or not _has_throws(
        _placed_throws(settings.score.placed, period.whole(1, MAX_PERIOD)), document
    ):
        return None
    placed = settings.score.placed
    if bps:
        placed = dataclasses.replace(placed, bps=bps.number(1 / MAX_PERIOD, MAX_PERIOD))
    extension = read_extension(document)
    score = dataclasses.replace(
        settings.score,
        placed=placed,
        title=document.text_of("meta", "name"),
        about=document.text_of("meta", "description"),
        tags=extension.tags,
        base=extension.base,
    )
    return dataclasses.replace(
        settings, score=score, parameters={**settings.parameters, **extension.parameters}
    )


def _has_throws(expected_members: dict[str, Any], document: Node) -> bool:
    """Return whether a document has the same throws as members made by `_placed_throws`.

    Their order does not matter, and times may differ by `_TIME_TOLERANCE`, since JML rounds them.

    Args:
        expected_members: what `_placed_throws` returns.
        document: the root of the document.
    """
    nodes = document.list_of("throws", MAX_THROWS)
    if len(nodes) != len(expected_members["throws"]):
        return False
    # Rows of numbers: whether the prop is only held, limbs, time and duration.
    document_throws = sorted(
        (node.text_of("label") == HELD, *map(node.number_of, _COMPARED_KEYS)) for node in nodes
    )
    expected = sorted(
        (throw.get("label") == HELD, *(float(throw[key]) for key in _COMPARED_KEYS))
        for throw in expected_members["throws"]
    )
    return bool(
        np.allclose(
            np.array(document_throws, dtype=float),
            np.array(expected, dtype=float),
            rtol=0,
            atol=_TIME_TOLERANCE,
        )
    )


def _placed_throws(choreography: Choreography, period: int) -> dict[str, Any]:
    """Return the members `repetition` and `throws` of a document, as JSON values.

    Args:
        choreography: placed events.
        period: into how many beats the loop is divided.
    """

    def in_beats(time: float) -> float:
        """A time or duration [s] in beats; an int if it is whole, which JSON shows without ".0"."""
        beats = round(time * period / choreography.duration, _BEAT_DIGITS)
        return int(beats) if beats == int(beats) else beats

    throws: list[dict[str, Any]] = []
    permutation: list[int] = []
    for orbit in choreography.orbits:
        # Props of an orbit have successive numbers.
        first_prop = len(permutation)
        throws += (
            _throws_of_orbit(choreography, orbit, in_beats, first_prop)
            if orbit.flights
            else _holds(orbit, period, first_prop)
        )
        # A throw is made a loop later by the prop before; held props stay what they are.
        step = 1 if orbit.flights else 0
        permutation += [first_prop + (prop - step) % orbit.props for prop in range(orbit.props)]
    throws.sort(key=lambda throw: (throw["time"], throw["from"]))
    limbs = list(range(2 * choreography.jugglers))
    repetition = {"period": period, "limbPermutation": limbs, "propPermutation": permutation}
    return {"repetition": repetition, "throws": throws}


def _throws_of_orbit(
    choreography: Choreography,
    orbit: PropOrbit,
    in_beats: Callable[[float], float],
    first_prop: int,
) -> list[dict[str, Any]]:
    """Return the throws of an orbit as JSON values, in the order in which a prop makes them.

    A throw lasts until the prop is thrown again; its dwell is how long the prop is in a hand before
    that.

    Args:
        choreography: placed events.
        orbit: an orbit of it with flights.
        in_beats: converts a time or duration [s] to beats.
        first_prop: number of the first prop of the orbit.
    """
    events = choreography.events
    flights = choreography.flights
    throws = []
    # The loops after which the orbit's first prop comes to the throw. In this loop the throw is
    # made by the prop that is so many loops ahead of the first one.
    loops_ahead = 0
    for flight, next_flight in orbit.steps():
        # Times of this throw and the next one within the loop, [s].
        start = float(events.time[flights.throw[flight]])
        next_start = float(events.time[flights.throw[next_flight]])
        lasts = float(flights.duration[flight] + flights.carry[flight])
        # The prop throws next at `next_start` of a loop that is so many loops later. The quotient
        # is whole but for errors of floats, which rounding removes.
        loops = round((start + lasts - next_start) / choreography.duration)
        throws.append(
            {
                "time": in_beats(start),
                "duration": in_beats(next_start + loops * choreography.duration - start),
                "from": limb_of(*divmod(int(events.hand[flights.throw[flight]]), 2)),
                "to": limb_of(*divmod(int(events.hand[flights.catch[flight]]), 2)),
                "dwell": in_beats(float(flights.carry[flight])),
                "prop": first_prop + loops_ahead % orbit.props,
            }
        )
        loops_ahead += loops
    return throws


def _holds(orbit: PropOrbit, period: int, first_prop: int) -> list[dict[str, Any]]:
    """Return the props that a hand holds all the time, as throws that never leave the hand.

    Args:
        orbit: without flights.
        period: of the loop, [beats].
        first_prop: number of the first prop of the orbit.
    """
    limb = limb_of(*divmod(orbit.hand, 2))
    # The longest duration within the limit of throws that divides the loop.
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
        {"time": time, **held, "prop": first_prop + prop}
        for time in times
        for prop in range(orbit.props)
    ]


def _placed_props(choreography: Choreography) -> list[dict[str, Any]]:
    """Looks of the props of placed events as JSON values, empty for default looks."""
    if not choreography.looks:
        return [{}] * choreography.props
    looks = [
        {"type": look.kind, "color": write_css_colour(look.colour)} for look in choreography.looks
    ]
    return [{key: text for key, text in look.items() if text} for look in looks]


def _first_places(choreography: Choreography) -> BodyMoves:
    """Where each juggler of placed events stands at first, as moves without any motion."""
    keys = choreography.bodies
    places: dict[int, BodyPlace] = {}
    # Keyframes are sorted by juggler and time; the first one counts.
    for juggler, facing, position in zip(keys.juggler, keys.facing, keys.position, strict=True):
        x, y, z = map(float, position)
        places.setdefault(int(juggler), BodyPlace(float(facing), (x, y, z)))
    return BodyMoves("", tuple(((places[juggler],),) for juggler in range(choreography.jugglers)))


_BEAT_DIGITS = 6  # decimals of beats that are written
# beats; JML keeps times of events in seconds with fewer digits.
_TIME_TOLERANCE = 1e-4
_COMPARED_KEYS = ("from", "to", "time", "duration")
