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

_SHORTEST_TIME_TOLERANCE = 1e-4  # s; to which Juggling Lab finds the shortest time
_LONGEST_BOUNCE_TIME = 1e6  # s; no bounce takes longer
_RELATIVE_ROOT_ERROR = 1e-7  # relative; rounding errors of roots
_NEWTON_STEPS = 8


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
    kept_speed = sqrt(fraction)  # energy is proportional to speed squared
    centre_heights = (style.plane + radius, style.plane) if radius else (style.plane,)
    for bounces in range(style.bounces, 0, -1):
        for height in centre_heights:
            flight = _BounceFlight(start - height, end - height, gravity, kept_speed, bounces)
            launches = flight.launches(duration)
            if launches:
                launch = _closest_launch(launches, style, slow=slow)
                return flight.bounce(launch.speed, duration, height)
    return None


def _closest_launch(launches: list[_Launch], style: FlightStyle, *, slow: bool) -> _Launch:
    """Of the possible launches, one that is thrown and caught as the style says, as far as there
    is one; the slowest of them, or Juggling Lab's first.
    """
    thrown = [launch for launch in launches if _is_thrown_in_style(launch, style)]
    thrown_and_caught = [launch for launch in thrown if launch.falling == style.falling]
    # Lifted and caught falling is hyper, like forced and caught rising.
    hyper = style.falling != style.forced
    related = [launch for launch in launches if (launch.falling != (launch.speed < 0)) == hyper]
    closest = thrown_and_caught or thrown or related or launches
    return min(closest, key=lambda launch: abs(launch.speed)) if slow else closest[0]


def _is_thrown_in_style(launch: _Launch, style: FlightStyle) -> bool:
    return launch.speed <= 0 if style.forced else launch.speed >= 0


@lru_cache(maxsize=4096)
def min_bounce_time(
    start: float, end: float, gravity: float, fraction: float, style: FlightStyle
) -> float:
    """Return the shortest time of a bounce that is thrown and caught as its style says, [s].

    As in Juggling Lab 1.7.7, the time is doubled from 1 s until there is such a bounce, and then
    bisected.

    Args:
        start: height of the throw, [m].
        end: height of the catch, [m].
        gravity: [m/s²].
        fraction: share of the energy that a prop keeps at a bounce.
        style: how often it bounces, and how it is thrown and caught.
    """
    # One that is thrown down and caught rising can be as fast as it is thrown hard.
    if style.bounces == 1 and style.forced and not style.falling:
        return 0.0
    flight = _BounceFlight(
        start - style.plane, end - style.plane, gravity, sqrt(fraction), style.bounces
    )
    # A catch below the plane cannot be on the way up.
    falling = style.falling or end < style.plane

    def is_possible(time: float) -> bool:
        """Whether a bounce of the style takes this time, [s]."""
        return any(
            launch.falling == falling and _is_thrown_in_style(launch, style)
            for launch in flight.launches(time)
        )

    # Bracket the shortest time: `too_short` is impossible, `long_enough` possible.
    too_short = 0.0
    long_enough = 1.0
    while not is_possible(long_enough) and long_enough < _LONGEST_BOUNCE_TIME:
        too_short = long_enough
        long_enough = 2 * long_enough
    while long_enough - too_short > _SHORTEST_TIME_TOLERANCE:
        middle = (too_short + long_enough) / 2
        if is_possible(middle):
            long_enough = middle
        else:
            too_short = middle
    return long_enough


@dataclass(frozen=True)
class _BounceFlight:
    """The equations of a bouncing flight between two heights.

    Args:
        start: height of the throw above the bounce plane, [m].
        end: height of the catch above it, [m].
        gravity: [m/s²].
        kept_speed: share of its speed that the prop keeps at a bounce.
        bounces: number of bounces, 1 or more.
    """

    start: float
    end: float
    gravity: float
    kept_speed: float
    bounces: int

    def launches(self, duration: float) -> list[_Launch]:
        """Return all launches after which the prop arrives in time, in Juggling Lab's order.

        The launch speed v solves g·t = v + k·√(v² + u) ± f·√(v² + c), with + for a prop that is
        caught falling.

        Args:
            duration: time of flight t, [s].
        """
        _last, between, u, c = self._coefficients
        launches = []
        for speed in self._roots(duration):
            # Squaring the equation adds roots that are no launches: a square root would be of a
            # negative number. A prop below the plane cannot be thrown down onto it.
            least_radicand = min(speed**2 + u, speed**2 + c)
            if least_radicand < -_RELATIVE_ROOT_ERROR * (1 + abs(u) + abs(c)):
                continue
            if self.start < 0 and speed < 0:
                continue
            # The sign of the last term, which is what remains of g·t.
            last_term = self.gravity * duration - speed - between * sqrt(max(speed**2 + u, 0.0))
            falling = last_term > 0
            # A catch below the plane cannot be on the way up.
            if falling or self.end >= 0:
                launches.append(_Launch(self._polished_speed(speed, falling, duration), falling))
        return launches

    @property
    def _coefficients(self) -> tuple[float, float, float, float]:
        """Return f, k, u and c of g·t = v + k·√(v² + u) ± f·√(v² + c), for launch speed v.

        √(v² + u) is the speed at the first impact; the speed decreases by a factor at each bounce.
        """
        last = self.kept_speed**self.bounces
        between = 1 + last + 2 * sum(self.kept_speed**bounce for bounce in range(1, self.bounces))
        u = 2 * self.gravity * self.start
        return last, between, u, u - 2 * self.gravity * self.end / last**2

    def _roots(self, duration: float) -> list[float]:
        """Return candidate launch speeds: the real roots of g·t = v + k·√(v² + u) ± f·√(v² + c)
        squared twice, a polynomial in v of degree 4, or 3 for one bounce.

        They ascend, but the largest of three comes before the middle one, as in Juggling Lab.

        Args:
            duration: time of flight t, [s].
        """
        last, between, u, c = self._coefficients
        a = self.gravity * duration
        kk = between**2
        ff = last**2

        # (a − v)² + k²(v² + u) − f²(v² + c) = 2 k (a − v) √(v² + u), squared. Coefficients of
        # falling powers of v.
        left = [1 + kk - ff, -2 * a, a**2 + kk * u - ff * c]
        polynomial = np.polymul(left, left) - 4 * kk * np.polymul(
            [1.0, -2 * a, a**2], [1.0, 0.0, u]
        )

        # With one bounce k = 1 + f, and the coefficient of v⁴ vanishes but for rounding.
        roots = np.roots(polynomial[1:] if self.bounces == 1 else polynomial)
        is_real = np.abs(roots.imag) < _RELATIVE_ROOT_ERROR * (1 + np.abs(roots))
        real = sorted(roots[is_real].real.tolist())
        return [real[0], real[2], real[1]] if self.bounces == 1 and len(real) == 3 else real

    def _polished_speed(self, speed: float, falling: bool, duration: float) -> float:
        """Return the launch speed to full precision, by Newton steps on the time of flight.

        Args:
            speed: near the root, upward positive, [m/s].
            falling: whether the prop is caught falling.
            duration: time of flight, [s].
        """
        last, between, u, c = self._coefficients
        sign = 1.0 if falling else -1.0
        for _step in range(_NEWTON_STEPS):
            first_root = sqrt(max(speed**2 + u, 0.0))
            last_root = sqrt(max(speed**2 + c, 0.0))
            # The derivative is infinite where a square root is 0.
            if min(first_root, last_root) < 1e-6:
                return speed
            error = speed + between * first_root + sign * last * last_root - self.gravity * duration
            slope = 1 + between * speed / first_root + sign * last * speed / last_root
            # Near a double root a step could lead to another root: stay.
            if abs(slope) < 1e-9 or abs(error / slope) > 1e-3 * (1 + abs(speed)):
                return speed
            speed -= error / slope
        return speed

    def bounce(self, launch: float, duration: float, height: float) -> Bounce:
        """Return the bounce that begins with a launch speed.

        Args:
            launch: upward positive, [m/s].
            duration: time of flight, [s].
            height: of the centre of the prop when it hits the plane, [m].
        """
        # The speed of the first impact is g·t − launch. Each later one comes after a rise and a
        # fall of equal time.
        impact = sqrt(max(0.0, launch**2 + 2 * self.gravity * self.start))
        hits = [(launch + impact) / self.gravity]
        rises = [impact * self.kept_speed]
        for _bounce in range(self.bounces - 1):
            hits.append(hits[-1] + 2 * rises[-1] / self.gravity)
            rises.append(rises[-1] * self.kept_speed)
        arrival = rises[-1] - self.gravity * (duration - hits[-1])
        return Bounce(launch, tuple(hits), tuple(rises), arrival, height)


def bounced_tempo(
    bps: float, table: EventTable, body: BodyMoves | None, gravity: float, fraction: float
) -> float:
    """Return the tempo, slowed where a bounce needs longer than its beats, [beats/s].

    The time is that of a point which falls down to the plane, as in Juggling Lab 1.7.7, so that no
    tempo depends on how large props are; a ball, whose centre has less far to fall, is thrown a
    little higher.

    Args:
        bps: the tempo without bounces, [beats/s].
        table: the flights.
        body: where bodies are; None in the usual circle.
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

    Args:
        bps: tempo, [beats/s].
        table: the flights.
        body: where bodies are; None in the usual circle.
        gravity: [m/s²].
        fraction: share of the energy that a prop keeps at a bounce.

    Raises:
        ChoreographyError: one does not.
    """
    for bouncing in bouncing_throws(table, body):
        time = bouncing.beats / bps
        bounce = solve_bounce(bouncing.start, bouncing.end, time, gravity, fraction, bouncing.style)
        if bounce is None:
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
    """Yield all throws that bounce, in the order of the pattern.

    Args:
        table: the flights.
        body: where bodies are; None in the usual circle.
    """
    styles = [(flight, index, table.style(index)) for flight, index in enumerate(table.flown)]
    bouncing = [(flight, index, style) for flight, index, style in styles if style.bounces]
    if not bouncing:
        return
    # At a rate of 1, so that the times of keyframes are in units of the pattern, as those below.
    keyframes = body_keyframes(table.pattern, body, 1.0)
    for flight, index, style in bouncing:
        start, end = (
            _height_above_floor(keyframes, table.pattern.period, juggler, time, above_feet)
            for juggler, time, above_feet in table.ends(flight)
        )
        beats = float(table.durations[flight]) / table.pattern.division
        yield BouncingThrow(index, style, start, end, beats)


def _height_above_floor(
    keyframes: BodyKeyframes, period: int, juggler: int, time: float, above_feet: float
) -> float:
    """Height above the floor of a point above a juggler's feet, [m]; `time` and `period` are in
    units of the pattern, as those of the keyframes.
    """
    rows = keyframes.juggler == juggler
    # The path of a body that moves up and down is really a curve; the motion stage solves for the
    # exact heights.
    feet = np.interp(time, keyframes.time[rows], keyframes.position[rows, 1], period=period)
    return above_feet + float(feet)


_SLOWEST_EARTH_TEMPO = 1.0  # beats/s, to which bounces slow a pattern on the Earth at most

_EARTH_GRAVITY = 9.8  # m/s²

_HIGHEST_POINT_EVER = 5.95  # m above the floor, to where bounces make throws go at most

_HIGHEST_POINT_AS_WRITTEN = (
    3.95  # m above the floor, to where throws go so that bounces can be made as written
)

_THROW_HEIGHT = HAND_HEIGHT + 0.25  # m, of natural throws and catches

_FASTEST_DOWNWARD_THROW = 6.0  # m/s, with which people throw down at most


def fit_bounces(
    table: EventTable,
    late: EventTable,
    bps: float,
    body: BodyMoves | None,
    gravity: float,
    kept_energy: float,
    *,
    given: bool,
) -> tuple[BounceChanges, float]:
    """Return how bounces have to change to fit into their time, and the tempo, [beats/s].

    The pattern is slowed first, as long as no throw goes too high. Then each bounce changes as
    little as it must: it is caught late, or also thrown down hard, or left out.

    Args:
        table: the flights, with all bounces as written.
        late: the same with all bounces caught late.
        bps: the tempo without bounces, [beats/s].
        body: where bodies are; None in the usual circle.
        gravity: [m/s²].
        kept_energy: share of the energy that a prop keeps at a bounce.
        given: whether this tempo must be kept.
    """
    world = gravity, kept_energy
    as_written, caught_late = (list(bouncing_throws(flights, body)) for flights in (table, late))
    quickest_times = [_quickest_time(throw, *world) for throw in as_written]
    # Whether each comes back to the hand from a throw that is not too high.
    comes_back = [
        given or _time_with_highest_point(throw, _HIGHEST_POINT_EVER, *world) < inf
        for throw in as_written
    ]

    # Nothing changes if a tempo that is slow enough for the bounces throws nothing too high.
    slowed = bps if given else bounced_tempo(bps, table, body, *world)
    slowest = (
        bps
        if given
        else _slowest_tempo_below_height(table, as_written, bps, _HIGHEST_POINT_EVER, *world)
    )
    has_time = all(
        throw.beats / slowed >= quickest
        for throw, quickest in zip(as_written, quickest_times, strict=True)
    )
    if slowed >= slowest and has_time and all(comes_back):
        return AS_WRITTEN, slowed

    # Slowest tempos with late catches: for bounces as written, and for the others.
    calm = bps
    if not given:
        slowest, calm = (
            _slowest_tempo_below_height(late, caught_late, bps, highest, *world)
            for highest in (_HIGHEST_POINT_EVER, _HIGHEST_POINT_AS_WRITTEN)
        )

    # The least change of each bounce that fits, and the tempo that all of them need.
    late_numbers = set[int]()
    hurried: list[BouncingThrow] = []
    left_out = set[int]()
    for throw, late_throw, quickest, returns in zip(
        as_written, caught_late, quickest_times, comes_back, strict=True
    ):
        needed = quickest
        if not given:
            needed = inf
            if returns:
                in_style = min_bounce_time(*throw.ends, *world, throw.style)
                needed = max(BOUNCE_SPARE * in_style, quickest)
        if throw.beats / calm >= needed:
            bps = min(bps, throw.beats / needed)
        elif late_throw.beats / calm >= needed:
            late_numbers.add(throw.number)
            bps = min(bps, late_throw.beats / needed)
        elif late_throw.beats / slowest >= quickest:
            hurried.append(late_throw)
            bps = min(bps, late_throw.beats / quickest)
        else:
            left_out.add(throw.number)
    styles = {throw.number: _hurried_style(throw, throw.beats / bps, *world) for throw in hurried}
    changes = BounceChanges(frozenset(late_numbers | set(styles)), styles, frozenset(left_out))
    return changes, bps


def _slowest_tempo_below_height(
    table: EventTable,
    bouncing: list[BouncingThrow],
    usual: float,
    top: float,
    gravity: float,
    kept_energy: float,
) -> float:
    """The slowest tempo at which no throw goes above a height, as far as bounces slow it,
    [beats/s].

    Args:
        table: the flights.
        bouncing: those of its throws that bounce.
        usual: tempo without bounces, which is the upper limit, [beats/s].
        top: greatest height above the floor, [m].
        gravity: [m/s²].
        kept_energy: share of the energy that a prop keeps at a bounce.
    """
    # A throw through the air that rises by h and comes back takes √(8h/g).
    longest_flight = sqrt(8 * (top - _THROW_HEIGHT) / gravity)
    throws = table.pattern.throws
    through_air = [
        duration / table.pattern.division / longest_flight
        for index, duration in zip(table.flown, table.durations.tolist(), strict=True)
        if not throws[index].bounces
    ]
    bounced = [
        throw.beats / _time_with_highest_point(throw, top, gravity, kept_energy)
        for throw in bouncing
    ]
    # Times scale with 1/√g.
    slowest = _SLOWEST_EARTH_TEMPO * sqrt(gravity / _EARTH_GRAVITY)
    return min(usual, max(slowest, *through_air, *bounced))


def _time_with_highest_point(
    throw: BouncingThrow, top: float, gravity: float, kept_energy: float
) -> float:
    """The time of a bounce in its style whose highest point is at some height, [s].

    It is infinite for a prop that comes back to the hand from no such height, which no tempo would
    help.

    Args:
        throw: with its style and ends.
        top: height of the highest point above the floor, [m].
        gravity: [m/s²].
        kept_energy: share of the energy that a prop keeps at a bounce.
    """
    top_above_plane = top - throw.style.plane
    start, end = (height - throw.style.plane for height in throw.ends)

    # A lifted throw is highest before the first impact; a forced one after it, where it has lost
    # energy. Speed and height: v² = 2·g·h.
    impact = sqrt(2 * gravity * top_above_plane / (kept_energy if throw.style.forced else 1.0))
    launch_sign = -1.0 if throw.style.forced else 1.0
    launch = sqrt(max(impact**2 - 2 * gravity * start, 0.0)) * launch_sign
    time = (launch + impact) / gravity

    # From bounce to bounce.
    rise = impact * sqrt(kept_energy)
    for _bounce in range(throw.style.bounces - 1):
        time += 2 * rise / gravity
        rise *= sqrt(kept_energy)

    # From the last bounce to the catch, if it comes up that far.
    if rise**2 < 2 * gravity * end:
        return inf
    arrival_sign = -1.0 if throw.style.falling else 1.0
    arrival = sqrt(rise**2 - 2 * gravity * end) * arrival_sign
    return time + (rise - arrival) / gravity


def _quickest_time(throw: BouncingThrow, gravity: float, kept_energy: float) -> float:
    """The time of one bounce that is thrown down as hard as people can and caught as it rises, [s].

    It is infinite for a prop that does not come up to the hand then.

    Args:
        throw: whose ends they are; its style is ignored but for the plane.
        gravity: [m/s²].
        kept_energy: share of the energy that a prop keeps at a bounce.
    """
    start, end = (height - throw.style.plane for height in throw.ends)
    impact = sqrt(max(_FASTEST_DOWNWARD_THROW**2 + 2 * gravity * start, 0.0))
    rise = impact * sqrt(kept_energy)
    if rise**2 < 2 * gravity * end:
        return inf
    # Changes of speed: from launch to impact, and from the bounce to the catch.
    return (impact - _FASTEST_DOWNWARD_THROW + rise - sqrt(rise**2 - 2 * gravity * end)) / gravity


def _hurried_style(
    throw: BouncingThrow, time: float, gravity: float, kept_energy: float
) -> FlightStyle:
    """The style nearest to the one asked for in which a prop bounces in some time and not too high.

    As many bounces as possible come first, then the right catch. Where nothing fits it bounces
    once, which it can in any time if it is thrown down.

    Args:
        throw: with the style that is asked for.
        time: of flight, [s].
        gravity: [m/s²].
        kept_energy: share of the energy that a prop keeps at a bounce.
    """
    asked = throw.style
    for bounces in range(asked.bounces, 0, -1):
        for falling in (asked.falling, not asked.falling):
            style = replace(asked, bounces=bounces, falling=falling)
            shortest = min_bounce_time(*throw.ends, gravity, kept_energy, style)
            longest = _time_with_highest_point(
                throw._replace(style=style), _HIGHEST_POINT_EVER, gravity, kept_energy
            )
            # Infinite: it never comes back to the hand.
            if shortest <= time <= longest < inf:
                return style
    return replace(asked, bounces=1)
