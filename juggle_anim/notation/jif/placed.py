"""Patterns given by events as JIF: their throws in beats, and the events themselves as JML in our
own member.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from juggle_anim.choreography import BodyMoves, BodyPlace, Choreography, PropOrbit
from juggle_anim.language import _
from juggle_anim.notation.jif.document import Node, write_css_colour
from juggle_anim.notation.jif.extension import EXTENSION_KEY, read_extension, write_extension
from juggle_anim.notation.jif.limbs import limb_of, write_head
from juggle_anim.notation.limits import MAX_PERIOD, MAX_THROWS, MAX_VALUE
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.settings.settings import Settings

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
        "props": _props(choreography),
        "timeStretchFactor": 1,
        **_throws(choreography, max(1, round(choreography.duration * choreography.bps))),
        # JML has no word for the tempo.
        EXTENSION_KEY: {
            **write_extension(settings),
            "bps": choreography.bps,
            "jml": write_jml(alone),
        },
    }


def read_placed(document: Node) -> Settings | None:
    """The events that a document holds as JML; None if there are none, or its throws are not theirs
    any more.

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
        _throws(settings.score.placed, period.whole(1, MAX_PERIOD)), document
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
    rows = sorted(
        (node.text_of("label") == HELD, *map(node.number_of, _COMPARED)) for node in nodes
    )
    mine = sorted(
        (throw.get("label") == HELD, *(float(throw[key]) for key in _COMPARED))
        for throw in ours["throws"]
    )
    return bool(
        np.allclose(
            np.array(rows, dtype=float), np.array(mine, dtype=float), rtol=0, atol=_ROUNDING
        )
    )


def _throws(choreography: Choreography, period: int) -> dict[str, Any]:
    """The members `repetition` and `throws`, in so many beats."""

    def in_beats(time: float) -> float:
        """A time or duration [s] in beats, whole ones without a fraction."""
        beats = round(time * period / choreography.duration, _DIGITS)
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
        step = 1 if orbit.flights else 0
        permutation += [first + (ahead - step) % orbit.props for ahead in range(orbit.props)]
    throws.sort(key=lambda throw: (throw["time"], throw["from"]))
    limbs = list(range(2 * choreography.jugglers))
    repetition = {"period": period, "limbPermutation": limbs, "propPermutation": permutation}
    return {"repetition": repetition, "throws": throws}


def _orbit(
    choreography: Choreography, orbit: PropOrbit, in_beats: Callable[[float], float], first: int
) -> list[dict[str, Any]]:
    events = choreography.events
    flights = choreography.flights
    throws = []
    ahead = 0
    for flight, following in orbit.steps():
        begins, ends = (float(events.time[flights.throw[index]]) for index in (flight, following))
        lasts = float(flights.duration[flight] + flights.carry[flight])
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
    lasts = next(number for number in range(min(MAX_VALUE, period), 0, -1) if period % number == 0)
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


def _props(choreography: Choreography) -> list[dict[str, Any]]:
    looks = [
        {"type": look.kind, "color": write_css_colour(look.colour)} for look in choreography.looks
    ]
    return [{key: text for key, text in look.items() if text} for look in looks] or [
        {}
    ] * choreography.props


def _first_places(choreography: Choreography) -> BodyMoves:
    keys = choreography.bodies
    found: dict[int, BodyPlace] = {}
    for juggler, facing, position in zip(keys.juggler, keys.facing, keys.position, strict=True):
        x, y, z = map(float, position)
        found.setdefault(int(juggler), BodyPlace(float(facing), (x, y, z)))
    return BodyMoves("", tuple(((found[juggler],),) for juggler in range(choreography.jugglers)))


_DIGITS = 6
_ROUNDING = 1e-4
_COMPARED = ("from", "to", "time", "duration")
