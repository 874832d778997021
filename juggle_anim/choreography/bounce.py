"""Bounce throws: their launch, and tempos that leave them enough time.

A pattern slows down until its bounces have the time that they need. Where a throw would go too high
then, each bounce changes as little as it must: it is caught late; or it is thrown down hard, too;
or it does not bounce.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from juggle_anim.choreography.choreography import BodyKeyframes, FlightStyle
from juggle_anim.choreography.events import AS_WRITTEN, BounceChanges, EventTable
from juggle_anim.choreography.places import HAND_HEIGHT, body_keyframes
from juggle_anim.choreography.score import BodyMoves
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _

BOUNCE_SPARE = 1.01
"""Ratio of the time for a bounce to the shortest possible one; as in Juggling Lab 1.7.7."""

_TIME_STEP = 1e-4  # s; to which Juggling Lab finds the shortest time
_MAX_TIME = 1e6  # s; no bounce takes longer
_EPSILON = 1e-7  # relative; rounding errors of roots
_POLISHING_STEPS = 8


@dataclass(frozen=True)
class Bounce:
    """The vertical motion of one bouncing flight.

    Args:
        launch: vertical velocity with which the prop leaves the hand, upward positive, [m/s].
        hits: when it hits the plane, seconds since the throw.
        rises: the speed with which it leaves the plane then, [m/s].
        arrival: vertical velocity when it is caught, [m/s].
        height: of its centre when it hits the plane, [m].
    """

    launch: float
    hits: tuple[float, ...]
    rises: tuple[float, ...]
    arrival: float
    height: float


class _Launch(NamedTuple):
    """A launch speed, upward positive, [m/s], and whether the prop is then caught falling."""

    speed: float
    falling: bool


def solve_bounce(
    start: float,
    end: float,
    duration: float,
    gravity: float,
    fraction: float,
    style: FlightStyle,
    radius: float = 0.0,
    *,
    slow: bool = False,
) -> Bounce | None:
    """Return the bounce that takes a prop from throw to catch in its time; None if there is none.

    Which bounce is chosen, if none or several are as asked for, follows Juggling Lab 1.7.7: one
    with the right throw and catch; else with the right throw; else one with the right relation of
    throw and catch; else any; else the same with fewer bounces.

    Args:
        start: height of the throw, [m].
        end: height of the catch, [m].
        duration: [s].
        gravity: [m/s²].
        fraction: share of the energy that a prop keeps at a bounce.
        style: how often it bounces, and how it is thrown and caught.
        radius: how high above the plane its centre is when it bounces, [m]. Where it cannot bounce
            as often at that height, as when a hand is lower, its centre comes down to the plane.
        slow: whether of several that are equally right the one with the slowest throw is chosen.
    """
    for bounces in range(style.bounces, 0, -1):
        for height in (style.plane + radius, style.plane) if radius else (style.plane,):
            flight = _BounceFlight(start - height, end - height, gravity, sqrt(fraction), bounces)
            if launches := flight.launches(duration):
                return flight.bounce(_choose(launches, style, slow=slow).speed, duration, height)
    return None


def _choose(launches: list[_Launch], style: FlightStyle, *, slow: bool) -> _Launch:
    thrown = [launch for launch in launches if _is_thrown(launch, style)]
    both = [launch for launch in thrown if launch.falling == style.falling]
    # Lifted and caught falling is hyper, like forced and caught rising.
    hyper = style.falling != style.forced
    related = [launch for launch in launches if (launch.falling != (launch.speed < 0)) == hyper]
    right = both or thrown or related or launches
    return min(right, key=lambda launch: abs(launch.speed)) if slow else right[0]


def _is_thrown(launch: _Launch, style: FlightStyle) -> bool:
    return launch.speed <= 0 if style.forced else launch.speed >= 0


@lru_cache(maxsize=4096)
def min_bounce_time(
    start: float, end: float, gravity: float, fraction: float, style: FlightStyle
) -> float:
    """Return the shortest time of a bounce that is thrown and caught as its style says, [s];
    arguments as above.

    As in Juggling Lab 1.7.7, the time is doubled from 1 s until there is such a bounce, and then
    bisected.
    """
    if style.bounces == 1 and style.forced and not style.falling:
        return 0.0
    flight = _BounceFlight(
        start - style.plane, end - style.plane, gravity, sqrt(fraction), style.bounces
    )
    # A catch below the plane cannot be on the way up.
    falling = style.falling or end < style.plane

    def possible(time: float) -> bool:
        return any(
            launch.falling == falling and _is_thrown(launch, style)
            for launch in flight.launches(time)
        )

    shorter = 0.0
    longer = 1.0
    while not possible(longer) and longer < _MAX_TIME:
        shorter = longer
        longer = 2 * longer
    while longer - shorter > _TIME_STEP:
        middle = (shorter + longer) / 2
        shorter, longer = (shorter, middle) if possible(middle) else (middle, longer)
    return longer


@dataclass(frozen=True)
class _BounceFlight:
    """Heights are above the plane; `kept` is the share of the speed that is kept at a bounce."""

    start: float
    end: float
    gravity: float
    kept: float
    bounces: int

    def launches(self, duration: float) -> list[_Launch]:
        """Return all launches that arrive after `duration`, in the order in which Juggling Lab
        finds them.

        The launch speed v solves g·t = v + k·√(v² + u) ± f·√(v² + c), with + for a prop that is
        caught falling.
        """
        _unused, between, u, c = self._terms
        found = []
        for speed in self._roots(duration):
            # Squaring the equation adds roots that are no launches.
            if min(speed**2 + u, speed**2 + c) < -_EPSILON * (1 + abs(u) + abs(c)) or (
                self.start < 0 and speed < 0
            ):
                continue
            falling = self.gravity * duration - speed - between * sqrt(max(speed**2 + u, 0.0)) > 0
            if falling or self.end >= 0:
                found.append(_Launch(self._polished(speed, falling, duration), falling))
        return found

    @property
    def _terms(self) -> tuple[float, float, float, float]:
        """Return f, k, u and c of the equation in `launches`."""
        last = self.kept**self.bounces
        between = 1 + last + 2 * sum(self.kept**bounce for bounce in range(1, self.bounces))
        u = 2 * self.gravity * self.start
        return last, between, u, u - 2 * self.gravity * self.end / last**2

    def _roots(self, duration: float) -> list[float]:
        """Return the roots of the equation without its square roots, a polynomial of degree 4, or 3
        for one bounce.

        They ascend, but the largest of three comes before the middle one.
        """
        last, between, u, c = self._terms
        a = self.gravity * duration
        kk = between**2
        ff = last**2
        # (a − v)² + k²(v² + u) − f²(v² + c) = 2 k (a − v) √(v² + u), squared.
        left = [1 + kk - ff, -2 * a, a**2 + kk * u - ff * c]
        polynomial = np.polymul(left, left) - 4 * kk * np.polymul(
            [1.0, -2 * a, a**2], [1.0, 0.0, u]
        )
        roots = np.roots(polynomial[1:] if self.bounces == 1 else polynomial)
        real = sorted(roots[np.abs(roots.imag) < _EPSILON * (1 + np.abs(roots))].real.tolist())
        return [real[0], real[2], real[1]] if self.bounces == 1 and len(real) == 3 else real

    def _polished(self, speed: float, falling: bool, duration: float) -> float:
        """Return the launch speed to full precision, by Newton steps on the time of flight."""
        last, between, u, c = self._terms
        sign = 1.0 if falling else -1.0
        for _round in range(_POLISHING_STEPS):
            first = sqrt(max(speed**2 + u, 0.0))
            second = sqrt(max(speed**2 + c, 0.0))
            if min(first, second) < 1e-6:
                return speed
            off = speed + between * first + sign * last * second - self.gravity * duration
            slope = 1 + between * speed / first + sign * last * speed / second
            if abs(slope) < 1e-9 or abs(off / slope) > 1e-3 * (1 + abs(speed)):
                return speed
            speed -= off / slope
        return speed

    def bounce(self, launch: float, duration: float, height: float) -> Bounce:
        """Return the bounce of a launch speed; `height` is that of the centre at the plane, [m]."""
        impact = sqrt(max(0.0, launch**2 + 2 * self.gravity * self.start))
        hits = [(launch + impact) / self.gravity]
        rises = [impact * self.kept]
        for _round in range(self.bounces - 1):
            hits.append(hits[-1] + 2 * rises[-1] / self.gravity)
            rises.append(rises[-1] * self.kept)
        arrival = rises[-1] - self.gravity * (duration - hits[-1])
        return Bounce(launch, tuple(hits), tuple(rises), arrival, height)


def bounced_tempo(
    bps: float, table: EventTable, body: BodyMoves | None, gravity: float, fraction: float
) -> float:
    """Return the tempo, slowed where a bounce needs longer than its beats.

    The time is that of a point which falls down to the plane, as in Juggling Lab 1.7.7, so that no
    tempo depends on how large props are; a ball, whose centre has less far to fall, is thrown a
    little higher.

    Args:
        bps: the tempo without bounces, [beats/s].
        table: the flights.
        body: where bodies are.
        gravity: [m/s²].
        fraction: share of the energy that a prop keeps at a bounce.
    """
    slowest = bps
    for throw in bouncing_throws(table, body):
        needed = min_bounce_time(throw.start, throw.end, gravity, fraction, throw.style)
        if needed > throw.beats / bps:
            slowest = min(slowest, throw.beats / (BOUNCE_SPARE * needed))
    return slowest


def check_bounces(
    bps: float, table: EventTable, body: BodyMoves | None, gravity: float, fraction: float
) -> None:
    """Check that every bounce fits into its time.

    Raises:
        ChoreographyError: one does not.
    """
    for bouncing in bouncing_throws(table, body):
        time = bouncing.beats / bps
        if (
            solve_bounce(bouncing.start, bouncing.end, time, gravity, fraction, bouncing.style)
            is None
        ):
            throw = table.pattern.throws[bouncing.number]
            raise ChoreographyError(
                _(
                    "the {value:g}B thrown by juggler {juggler} on beat {beat} cannot bounce "
                    "between these "
                    "hands in {time:.2f} s; a slower tempo may do",
                    value=throw.value / table.pattern.division,
                    juggler=throw.juggler + 1,
                    beat=throw.beat // table.pattern.division + 1,
                    time=time,
                )
            )


class BouncingThrow(NamedTuple):
    """A throw that bounces.

    Attributes:
        number: of the throw in the pattern.
        style: of its flight.
        start, end: heights of throw and catch above the floor, [m].
        beats: for which it flies.
    """

    number: int
    style: FlightStyle
    start: float
    end: float
    beats: float

    @property
    def ends(self) -> tuple[float, float]:
        """Heights of throw and catch, [m]."""
        return self.start, self.end


def bouncing_throws(table: EventTable, body: BodyMoves | None) -> Iterator[BouncingThrow]:
    """All throws that bounce."""
    styles = [(number, index, table.style(index)) for number, index in enumerate(table.flown)]
    bouncing = [row for row in styles if row[2].bounces]
    if not bouncing:
        return
    keys = body_keyframes(table.pattern, body, 1.0)
    for number, index, style in bouncing:
        start, end = (_height(keys, table.pattern.period, *where) for where in table.ends(number))
        yield BouncingThrow(
            index, style, start, end, float(table.durations[number]) / table.pattern.division
        )


def _height(keys: BodyKeyframes, period: int, juggler: int, time: float, above: float) -> float:
    mine = keys.juggler == juggler
    # The path of a body that moves up and down is really a curve; the motion stage solves for the
    # exact heights.
    return above + float(np.interp(time, keys.time[mine], keys.position[mine, 1], period=period))


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
