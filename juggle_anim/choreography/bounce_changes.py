"""Bounces that do not fit the tempo: how people make them instead, and the tempo of the pattern
then.

A pattern slows down until its bounces have the time that they need. Where a throw would go too high
then, each bounce changes as little as it must: it is caught late; or it is thrown down hard, too;
or it does not bounce.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf, sqrt

from juggle_anim.choreography.bounce import (
    BOUNCE_SPARE,
    BouncingThrow,
    bounced_tempo,
    bouncing_throws,
    min_bounce_time,
)
from juggle_anim.choreography.choreography import FlightStyle
from juggle_anim.choreography.events import AS_WRITTEN, BounceChanges, EventTable
from juggle_anim.choreography.places import HAND_HEIGHT
from juggle_anim.choreography.score import BodyMoves

_SLOWEST = 1.0  # beats/s, to which bounces slow a pattern on the Earth at most

_EARTH = 9.8  # m/s²

_HIGHEST = 5.95  # m above the floor, to where bounces make throws go at most

_HIGH = 3.95  # m above the floor, to where throws go so that bounces can be made as written

_THROW_HEIGHT = HAND_HEIGHT + 0.25  # m, of natural throws and catches

_HARDEST = 6.0  # m/s, with which people throw down at most


def fit_bounces(
    table: EventTable,
    late: EventTable,
    bps: float,
    body: BodyMoves | None,
    gravity: float,
    kept: float,
    *,
    given: bool,
) -> tuple[BounceChanges, float]:
    """Return how bounces change, and the tempo, [beats/s].

    Args:
        table: the flights, with all bounces as written.
        late: the same with all bounces caught late.
        bps: the tempo without bounces, [beats/s].
        body: where bodies are.
        gravity: [m/s²].
        kept: share of the energy that a prop keeps at a bounce.
        given: whether this tempo must be kept.
    """
    world = gravity, kept
    as_written, caught_late = (list(bouncing_throws(flights, body)) for flights in (table, late))
    quickest = [_quickest_time(throw, *world) for throw in as_written]
    # Which come back to the hand from a throw that is not too high.
    comes_back = [given or _time_of_height(throw, _HIGHEST, *world) < inf for throw in as_written]
    slowed = bps if given else bounced_tempo(bps, table, body, *world)
    lowest = bps if given else _tempo(table, as_written, bps, _HIGHEST, *world)
    has_time = all(
        throw.beats / slowed >= shortest
        for throw, shortest in zip(as_written, quickest, strict=True)
    )
    if slowed >= lowest and has_time and all(comes_back):
        return AS_WRITTEN, slowed
    calm = bps
    if not given:
        lowest, calm = (_tempo(late, caught_late, bps, top, *world) for top in (_HIGHEST, _HIGH))
    be_late = set[int]()
    hurried: list[BouncingThrow] = []
    left_out = set[int]()
    for throw, later, shortest, comes in zip(
        as_written, caught_late, quickest, comes_back, strict=True
    ):
        asked = shortest
        if not given:
            asked = (
                max(BOUNCE_SPARE * min_bounce_time(*throw.ends, *world, throw.style), shortest)
                if comes
                else inf
            )
        if throw.beats / calm >= asked:
            bps = min(bps, throw.beats / asked)
        elif later.beats / calm >= asked:
            be_late.add(throw.number)
            bps = min(bps, later.beats / asked)
        elif later.beats / lowest >= shortest:
            hurried.append(later)
            bps = min(bps, later.beats / shortest)
        else:
            left_out.add(throw.number)
    styles = {throw.number: _hurried_style(throw, throw.beats / bps, *world) for throw in hurried}
    return BounceChanges(frozenset(be_late | set(styles)), styles, frozenset(left_out)), bps


def _tempo(
    table: EventTable,
    bouncing: list[BouncingThrow],
    usual: float,
    top: float,
    gravity: float,
    kept: float,
) -> float:
    """The slowest tempo at which no throw goes above some height [m], as far as bounces slow it,
    [beats/s].
    """
    rises = sqrt(8 * (top - _THROW_HEIGHT) / gravity)
    throws = table.pattern.throws
    plain = [
        parts / table.pattern.division / rises
        for index, parts in zip(table.flown, table.durations.tolist(), strict=True)
        if not throws[index].bounces
    ]
    bounced = [throw.beats / _time_of_height(throw, top, gravity, kept) for throw in bouncing]
    return min(usual, max(_SLOWEST * sqrt(gravity / _EARTH), *plain, *bounced))


def _time_of_height(throw: BouncingThrow, top: float, gravity: float, kept: float) -> float:
    """The time of a bounce as written whose highest point is at some height [m], [s].

    It is infinite for a prop that comes back to the hand from no such height, which no tempo would
    help.
    """
    above = top - throw.style.plane
    start, end = (height - throw.style.plane for height in throw.ends)
    impact = sqrt(2 * gravity * above / (kept if throw.style.forced else 1.0))
    launch = sqrt(max(impact**2 - 2 * gravity * start, 0.0)) * (-1.0 if throw.style.forced else 1.0)
    time = (launch + impact) / gravity
    rise = impact * sqrt(kept)
    for _bounce in range(throw.style.bounces - 1):
        time += 2 * rise / gravity
        rise *= sqrt(kept)
    if rise**2 < 2 * gravity * end:
        return inf
    arrival = sqrt(rise**2 - 2 * gravity * end) * (-1.0 if throw.style.falling else 1.0)
    return time + (rise - arrival) / gravity


def _quickest_time(throw: BouncingThrow, gravity: float, kept: float) -> float:
    """The time of one bounce that is thrown down as hard as people can and caught as it rises, [s].

    It is infinite for a prop that does not come up so high then.
    """
    start, end = (height - throw.style.plane for height in throw.ends)
    impact = sqrt(max(_HARDEST**2 + 2 * gravity * start, 0.0))
    rise = impact * sqrt(kept)
    if rise**2 < 2 * gravity * end:
        return inf
    return (impact - _HARDEST + rise - sqrt(rise**2 - 2 * gravity * end)) / gravity


def _hurried_style(throw: BouncingThrow, time: float, gravity: float, kept: float) -> FlightStyle:
    """How a prop bounces in some time [s]: most often as often as it should, not too high, best
    caught as it should be.

    Where nothing fits it bounces once, which it can in any time if it is thrown down.
    """
    asked = throw.style
    for bounces in range(asked.bounces, 0, -1):
        for falling in (asked.falling, not asked.falling):
            style = replace(asked, bounces=bounces, falling=falling)
            highest = _time_of_height(throw._replace(style=style), _HIGHEST, gravity, kept)
            if min_bounce_time(*throw.ends, gravity, kept, style) <= time <= highest < inf:
                return style
    return replace(asked, bounces=1)
