"""Bounce throws: their launch, and tempos that leave them enough time.

A pattern slows down until its bounces have the time that they need. Where a throw would go too high
then, each bounce changes as little as possible: it is caught late; or it is also thrown down hard;
or it does not bounce.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from juggle_anim.choreography.events import AS_WRITTEN, BounceChanges, EventTable, FlightEnd
from juggle_anim.choreography.places import HAND_HEIGHT, body_keyframes
from juggle_anim.choreography.score import BodyKeyframes, BodyMoves, FlightStyle
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass

BOUNCE_SPARE = 1.01
"""Where a bounce slows the tempo, it gets this many times the shortest time that it can take.

As in Juggling Lab 1.7.7.
"""

_SHORTEST_TIME_TOLERANCE = 1e-4  # s; accuracy with which Juggling Lab finds the shortest time
_LONGEST_BOUNCE_TIME = 1e6  # s; at which the search for a possible time gives up
_RELATIVE_ROOT_ERROR = 1e-7  # of a polynomial's roots x, by rounding; relative to 1 + |x|

# Newton steps that make a launch speed v more accurate, and where they end.
_NEWTON_STEPS = 8
_LEAST_SQUARE_ROOT = 1e-6  # m/s; of the two square roots in the equation
_LEAST_SLOPE = 1e-9  # derivative of the error of the equation with respect to v
_LARGEST_RELATIVE_STEP = 1e-3  # relative to 1 + |v|


@dataclass(frozen=True)
class Bounce:
    """The vertical motion of one bouncing flight.

    Args:
        launch: vertical velocity with which the prop leaves the hand, upward positive, [m/s].
        hits: when it hits the plane, ascending, one or more times, [s] since the throw.
        rises: for each hit the upward speed with which it leaves the plane, [m/s].
        arrival: vertical velocity when it is caught, upward positive, [m/s].
        height: of its centre above the floor when it hits the plane, [m].
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


@lru_cache(maxsize=4096)  # checked before it is flown, and a pattern has few bounces of many throws
def solve_bounce(
    start: float,
    end: float,
    duration: float,
    gravity: float,
    kept_energy: float,
    style: FlightStyle,
    radius: float = 0.0,
    *,
    slow: bool = False,
) -> Bounce | None:
    """Return the bounce that takes a prop from throw to catch in a given time; None without one.

    If no bounce or several have the given style, the choice follows Juggling Lab 1.7.7. In order of
    preference: thrown and caught in the style; only thrown in the style; hyper (lifted and caught
    falling, or forced and caught rising) or not, as the style is; any with as many bounces; the
    same with one bounce less, and so on.

    Args:
        start: height of the throw above the floor, [m].
        end: height of the catch above the floor, [m].
        duration: time from throw to catch, above 0, [s].
        gravity: downward, above 0, [m/s²].
        kept_energy: share of the energy that a prop keeps at a bounce, above 0.
        style: the bounce plane, how often the prop bounces, and how it is thrown and caught.
        radius: radius of the prop, [m]; its centre is so high above the plane when it bounces. If
            it cannot bounce as often then, for example because a hand is lower than that, its
            centre comes down to the plane instead.
        slow: whether of several equally preferred bounces the one with the slowest throw is chosen;
            otherwise the one that Juggling Lab finds first.
    """
    kept_speed = sqrt(kept_energy)  # energy is proportional to speed squared
    centre_heights = (style.plane + radius, style.plane) if radius else (style.plane,)
    # The first of these that the prop can do in the time: as many bounces as written, or fewer.
    for bounce_count in range(style.bounces, 0, -1):
        for height in centre_heights:
            flight = _BounceFlight(
                start=start - height,
                end=end - height,
                gravity=gravity,
                kept_speed=kept_speed,
                bounces=bounce_count,
            )
            launches = flight.launches(duration)
            if launches:
                launch = _launch_nearest_style(launches, style, slow=slow)
                return flight.bounce(launch.speed, duration, height)
    return None


def _launch_nearest_style(launches: list[_Launch], style: FlightStyle, *, slow: bool) -> _Launch:
    """Return the launch that comes nearest to a style.

    In order of preference: one that is thrown and caught as the style says; one that is thrown as
    the style says; one that is hyper (see `_is_hyper`) if the style is, or not if it is not; any.

    Args:
        launches: all possible launches, in Juggling Lab's order; not empty.
        style: how the prop should be thrown (`forced` for down, otherwise up) and caught
            (`falling`, otherwise rising).
        slow: whether of several equally near launches the slowest is taken; otherwise the first.
    """
    thrown = [launch for launch in launches if _is_thrown_in_style(launch, style)]
    thrown_and_caught = [launch for launch in thrown if launch.falling == style.falling]
    hyper = _is_hyper(forced=style.forced, falling=style.falling)
    # A speed below 0 is that of a forced throw.
    same_kind = [
        launch
        for launch in launches
        if _is_hyper(forced=launch.speed < 0, falling=launch.falling) == hyper
    ]
    nearest = thrown_and_caught or thrown or same_kind or launches  # the first that is not empty
    return min(nearest, key=lambda launch: abs(launch.speed)) if slow else nearest[0]


def _is_hyper(*, forced: bool, falling: bool) -> bool:
    """Whether a bounce is lifted and caught falling, or forced and caught rising."""
    return forced != falling


def _is_thrown_in_style(launch: _Launch, style: FlightStyle) -> bool:
    """Whether it is thrown down or up as the style says; a prop let go at rest is both."""
    return launch.speed <= 0 if style.forced else launch.speed >= 0


@lru_cache(maxsize=4096)
def min_bounce_time(
    start: float, end: float, gravity: float, kept_energy: float, style: FlightStyle
) -> float:
    """Return the shortest time of a bounce that is thrown and caught as its style says, [s].

    As in Juggling Lab 1.7.7, the time is doubled from 1 s until there is such a bounce, and then
    bisected; a bounce that is possible in some time is taken to be possible in any longer one. If
    no time up to `_LONGEST_BOUNCE_TIME` is long enough, the result is at least that.

    Args:
        start: height of the throw above the floor, [m].
        end: height of the catch above the floor, [m].
        gravity: acceleration by gravity, downward positive, [m/s²].
        kept_energy: share of the energy that a prop keeps at a bounce.
        style: the bounce plane, how often the prop bounces, and how it is thrown and caught.
    """
    # After a bounce a prop is above the plane, so it can reach a catch below it only by falling.
    falling = style.falling or end < style.plane
    # Thrown down, bounced once and caught rising: the harder the throw the shorter the time,
    # without a lower limit.
    if style.bounces == 1 and style.forced and not falling:
        return 0.0
    # The equations of the vertical motion, with heights above the plane; `launches(time)` has all
    # launch speeds with which the prop arrives after that time.
    flight = _BounceFlight.of_style(start, end, gravity, kept_energy, style)

    def is_possible(time: float) -> bool:
        """Whether a bounce of the style takes this time, [s]."""
        return any(
            launch.falling == falling and _is_thrown_in_style(launch, style)
            for launch in flight.launches(time)
        )

    # Bracket the shortest time between `too_short`, in which it is impossible, and `long_enough`,
    # in which it is possible; the upper limit is for bounces that never are.
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
    """The equations of the vertical motion of a bouncing flight between two heights.

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

    @classmethod
    def of_style(
        cls, start: float, end: float, gravity: float, kept_energy: float, style: FlightStyle
    ) -> _BounceFlight:
        """Return the flight of a point between heights above the floor, [m], in a style."""
        return cls(
            start - style.plane, end - style.plane, gravity, sqrt(kept_energy), style.bounces
        )

    def launches(self, duration: float) -> list[_Launch]:
        """Return all launches with which the prop arrives after a time, in Juggling Lab's order.

        The launch speed v solves g·t = v + k·√(v² + u) ± f·√(v² + c), with + for a prop that is
        caught falling. √(v² + u) is the speed of the first impact, and f·√(v² + c) that of the
        catch. The factors k and f, and u and c, [m²/s²], depend only on gravity, on the heights and
        on what bounces keep; `_coefficients` has their formulas.

        Args:
            duration: time of flight t, [s].
        """
        _f, k, u, c = self._coefficients
        launches = []
        for speed in self._roots(duration):  # of the equation squared twice, a polynomial in v
            # Squaring the equation adds roots that are no launches. Those are left out for which a
            # square root is of a negative number, beyond rounding errors; and those for which a
            # prop below the plane would be thrown down onto it.
            least_radicand = min(speed**2 + u, speed**2 + c)
            if least_radicand < -_RELATIVE_ROOT_ERROR * (1 + abs(u) + abs(c)):
                continue
            if self.start < 0 and speed < 0:
                continue
            # The last term is what remains of g·t; its sign says whether the catch is falling.
            last_term = self.gravity * duration - speed - k * sqrt(max(speed**2 + u, 0.0))
            falling = last_term > 0
            # A prop that rises from the plane is above it, so a catch below needs a falling prop.
            if falling or self.end >= 0:
                launches.append(
                    _Launch(self._polished_speed(speed, duration, falling=falling), falling)
                )
        return launches

    @property
    def _coefficients(self) -> tuple[float, float, float, float]:
        """Return f, k, u and c of g·t = v + k·√(v² + u) ± f·√(v² + c), for launch speed v.

        With the first impact at the speed s = √(v² + u) and the speed multiplied by `kept_speed`,
        e, at each of n bounces, the flight to the first impact takes (v + s)/g; each bounce b
        before the last takes 2·e^b·s/g to the next; and from the last the prop takes
        (eⁿ·s ± f·√(v² + c))/g, where f·√(v² + c) is its speed at the catch.

        Returns:
            f = eⁿ; k = 1 + eⁿ + 2·(e + … + eⁿ⁻¹); u and c, [m²/s²].
        """
        f = self.kept_speed**self.bounces  # share of the speed that is left after the last bounce
        k = 1 + f + 2 * sum(self.kept_speed**bounce for bounce in range(1, self.bounces))
        # By energy, the fall from the throw to the plane adds u to the square of the speed, and the
        # rise to the catch takes 2·g·end from f²·(v² + u), which leaves f²·(v² + c).
        u = 2 * self.gravity * self.start
        c = u - 2 * self.gravity * self.end / f**2
        return f, k, u, c

    def _roots(self, duration: float) -> list[float]:
        """Return candidate launch speeds, upward positive, [m/s].

        They are the real roots of a polynomial in v, of degree 4, or 3 for one bounce. It results
        from g·t = v + k·√(v² + u) ± f·√(v² + c), squared twice to remove the square roots. They
        ascend, but if one bounce has three, the largest comes before the middle one, as in Juggling
        Lab.

        Args:
            duration: time of flight t, [s].
        """
        f, k, u, c = self._coefficients
        a = self.gravity * duration
        k_squared = k**2
        f_squared = f**2

        # With a = g·t, (a − v − k·√(v² + u))² = f²(v² + c); expanded, with the square root alone on
        # the right: (a − v)² + k²(v² + u) − f²(v² + c) = 2·k·(a − v)·√(v² + u). `left` has its left
        # side; the polynomial is left² − right². Coefficients are those of falling powers of v, as
        # numpy has them.
        left = [1 + k_squared - f_squared, -2 * a, a**2 + k_squared * u - f_squared * c]
        polynomial = np.polymul(left, left) - 4 * k_squared * np.polymul(
            [1.0, -2 * a, a**2], [1.0, 0.0, u]
        )

        # With one bounce k = 1 + f, so the coefficient of v⁴ is 0 but for rounding, and left out:
        # otherwise there would be a spurious, very large root.
        roots = np.roots(polynomial[1:] if self.bounces == 1 else polynomial)
        is_real = np.abs(roots.imag) < _RELATIVE_ROOT_ERROR * (1 + np.abs(roots))
        real = sorted(roots[is_real].real.tolist())
        return [real[0], real[2], real[1]] if self.bounces == 1 and len(real) == 3 else real

    def _polished_speed(self, speed: float, duration: float, *, falling: bool) -> float:
        """Return a launch speed to full precision, by Newton steps.

        The equation for the launch speed v is g·t = v + k·√(v² + u) ± f·√(v² + c), with + for a
        prop that is caught falling; `_coefficients` explains f, k, u and c. Where Newton steps are
        unsafe, the best speed so far is returned.

        Args:
            speed: the launch speed but for rounding errors, upward positive, [m/s].
            duration: time of flight t, [s].
            falling: whether the prop is caught falling.
        """
        f, k, u, c = self._coefficients
        sign = 1.0 if falling else -1.0
        for _step in range(_NEWTON_STEPS):
            first_root = sqrt(max(speed**2 + u, 0.0))
            last_root = sqrt(max(speed**2 + c, 0.0))
            # The derivative has the square roots as divisors and becomes infinite where one is 0.
            if min(first_root, last_root) < _LEAST_SQUARE_ROOT:
                return speed
            error = speed + k * first_root + sign * f * last_root - self.gravity * duration
            slope = 1 + k * speed / first_root + sign * f * speed / last_root
            # Near a double root the slope is almost 0, and a large step could lead to another root.
            if abs(slope) < _LEAST_SLOPE:
                return speed
            step = error / slope
            if abs(step) > _LARGEST_RELATIVE_STEP * (1 + abs(speed)):
                return speed
            speed -= step
        return speed

    def bounce(self, launch: float, duration: float, height: float) -> Bounce:
        """Return the bounce that begins with a launch speed.

        Args:
            launch: velocity at the throw, upward positive, [m/s].
            duration: time of flight, [s].
            height: of the prop's centre above the floor when it hits the plane, [m]; only passed
                on.

        Returns:
            Its launch and arrival velocities, upward positive, the times of its hits since the
            throw and the speeds with which it rises after each of them, in [m/s] and [s].
        """
        hits, rises = self._hits_and_rises(launch)
        arrival = rises[-1] - self.gravity * (duration - hits[-1])
        return Bounce(
            launch=launch, hits=tuple(hits), rises=tuple(rises), arrival=arrival, height=height
        )

    def _hits_and_rises(self, launch: float) -> tuple[list[float], list[float]]:
        """Return the times of the hits since the throw, [s], and the speeds after them, [m/s].

        Args:
            launch: velocity at the throw, upward positive, [m/s].
        """
        # The velocity changes from `launch` to −`impact` until the first hit, at the rate of
        # gravity. Each later hit comes after a rise and a fall of equal time. `max` is for rounding
        # errors.
        impact = sqrt(max(0.0, launch**2 + 2 * self.gravity * self.start))
        hits = [(launch + impact) / self.gravity]
        rises = [impact * self.kept_speed]
        for _bounce in range(self.bounces - 1):
            hits.append(hits[-1] + 2 * rises[-1] / self.gravity)
            rises.append(rises[-1] * self.kept_speed)
        return hits, rises

    def time_to_catch(self, launch: float, *, falling: bool) -> float:
        """Return the time from throw to catch, [s]; infinite if the prop does not come up so far.

        Args:
            launch: velocity at the throw, upward positive, [m/s].
            falling: whether the prop is caught falling; if not, rising.
        """
        hits, rises = self._hits_and_rises(launch)
        # By energy, the rise from the plane to the catch takes 2·g·end from the square of the
        # speed.
        catch_speed_squared = rises[-1] ** 2 - 2 * self.gravity * self.end
        if catch_speed_squared < 0:
            return inf
        catch_velocity = sqrt(catch_speed_squared) * (-1 if falling else 1)
        return hits[-1] + (rises[-1] - catch_velocity) / self.gravity


def bounced_tempo(
    bps: float, table: EventTable, body: BodyMoves | None, gravity: float, kept_energy: float
) -> float:
    """Return a tempo at which every bounce has the time that it needs, [beats/s].

    That is `bps`, or a slower one if a bounce needs longer than its beats. As in Juggling Lab
    1.7.7, the time is that of a point which falls down to the plane, so the tempo does not depend
    on the size of props. A ball, whose centre has less far to fall, is thrown a little higher to
    take as long.

    Args:
        bps: the tempo without bounces, [beats/s].
        table: throws and catches of the pattern, with their heights, and their times in units of
            the pattern (beats, or equal parts of a beat).
        body: the paths of bodies, which change heights; None if all stand in the usual circle.
        gravity: acceleration by gravity, downward positive, [m/s²].
        kept_energy: share of the energy that a prop keeps at a bounce.
    """
    slowest = bps
    # `start` and `end` are heights above the floor, [m]; `beats` is the time of flight.
    for throw in bouncing_throws(table, body):
        needed = min_bounce_time(throw.start, throw.end, gravity, kept_energy, throw.style)
        if needed > throw.beats / bps:
            # Slowed so far that the bounce has a little more than the time that it needs (1 %).
            with_spare_time = throw.beats / (BOUNCE_SPARE * needed)
            slowest = min(slowest, with_spare_time)
    return slowest


def check_bounces(
    bps: float, table: EventTable, body: BodyMoves | None, gravity: float, kept_energy: float
) -> None:
    """Check that every bounce fits into its time, perhaps in another style than is written.

    Args:
        bps: the tempo, [beats/s].
        table: throws and catches of the pattern, with their heights, and their times in units of
            the pattern (beats, or equal parts of a beat); bounces that are left out in it are not
            checked.
        body: the paths of bodies, which change heights; None if all stand in the usual circle.
        gravity: acceleration by gravity, downward positive, [m/s²].
        kept_energy: share of the energy that a prop keeps at a bounce.

    Raises:
        ChoreographyError: there is no bounce at all that takes as long as the beats of a throw.
    """
    for bouncing in bouncing_throws(table, body):
        time = bouncing.beats / bps
        bounce = solve_bounce(
            bouncing.start, bouncing.end, time, gravity, kept_energy, bouncing.style
        )
        if bounce is None:
            throw = table.pattern.throws[bouncing.throw_index]
            raise ChoreographyError(
                _(
                    "the {value:g}B thrown by juggler {juggler} on beat {beat} cannot bounce "
                    "between these hands in {time:.2f} s; try a slower tempo",
                    value=throw.value / table.pattern.division,
                    juggler=throw.juggler + 1,
                    beat=throw.beat // table.pattern.division + 1,
                    time=time,
                )
            )


class BouncingThrow(NamedTuple):
    """A throw that bounces.

    Attributes:
        throw_index: the index of the throw in the pattern.
        style: the style of its flight.
        start, end: heights of throw and catch above the floor, [m].
        beats: from throw to catch.
    """

    throw_index: int
    style: FlightStyle
    start: float
    end: float
    beats: float

    @property
    def ends(self) -> tuple[float, float]:
        """Heights of throw and catch, [m]."""
        return self.start, self.end


def bouncing_throws(table: EventTable, body: BodyMoves | None) -> Iterator[BouncingThrow]:
    """Yield all throws that bounce, in the order of the pattern, with heights and time of flight.

    Args:
        table: throws and catches of the pattern; bounces that are left out in it do not count.
        body: the paths of bodies, which change heights; None if all stand in the usual circle.
    """
    # The flights whose styles say that they bounce.
    bouncing = [(flight, style) for flight, style in enumerate(table.styles) if style.bounces]
    # Most patterns have no bounces: then no keyframes need to be made.
    if not bouncing:
        return
    # The tempo is not known yet, and times of throws and catches are in units of the pattern, of
    # which `division` make a beat. With one of them a second, keyframes have the same times.
    units_per_second = 1.0
    keyframes = body_keyframes(table.pattern, body, units_per_second)
    for flight, style in bouncing:
        throw_height, catch_height = (
            _height_above_floor(keyframes, table.pattern.period, flight_end)
            for flight_end in table.flight_ends(flight)
        )
        yield BouncingThrow(
            throw_index=table.throw_of_flight[flight],
            style=style,
            start=throw_height,
            end=catch_height,
            beats=float(table.durations[flight]) / table.pattern.division,
        )


def _height_above_floor(keyframes: BodyKeyframes, period: int, flight_end: FlightEnd) -> float:
    """Return the height above the floor of a throw or catch, [m].

    A unit of the pattern is a beat, or the part of one in which the pattern counts. A keyframe is
    where a body stands and faces at one time.

    Args:
        keyframes: keyframes of all bodies, with times in units of the pattern, and the places under
            their feet in the world, y up, [m].
        period: period of the loop, in units of the pattern.
        flight_end: the throw or catch: juggler, time in units of the pattern, and height above the
            feet, [m].
    """
    is_of_body = keyframes.juggler == flight_end.juggler
    # Linear between keyframes, which is an approximation: a body that moves up and down really
    # follows a curve, and the motion stage later solves for the exact heights.
    feet_height = np.interp(
        flight_end.time,
        keyframes.time[is_of_body],
        keyframes.position[is_of_body, 1],
        period=period,
    )
    return flight_end.height + float(feet_height)


_SLOWEST_EARTH_TEMPO = 1.0  # beats/s; with the gravity of the Earth, bounces slow no further

_EARTH_GRAVITY = 9.8  # m/s²

# How high throws may go when bounces slow a pattern, in m above the floor: always, and if it is
# slowed only to make bounces as they are written.
_HIGHEST_POINT_EVER = 5.95
_HIGHEST_POINT_AS_WRITTEN = 3.95

_THROW_HEIGHT = HAND_HEIGHT + 0.25  # m above the floor, of natural throws and catches

_FASTEST_DOWNWARD_THROW = 6.0  # m/s; people cannot throw down faster


class _Physics(NamedTuple):
    """What decides how long a bounce of given heights takes.

    Args:
        gravity: acceleration by gravity, downward positive, [m/s²].
        kept_energy: share of the energy that a prop keeps at a bounce.
    """

    gravity: float
    kept_energy: float


def fit_bounces(
    table: EventTable,
    late_table: EventTable,
    bps: float,
    body: BodyMoves | None,
    gravity: float,
    kept_energy: float,
    *,
    is_tempo_given: bool,
) -> tuple[BounceChanges, float]:
    """Find the smallest changes with which all bounces have enough time, and the tempo.

    The pattern is slowed first, as long as no throw goes too high; a tempo that the user has set is
    kept. If that is not enough, each bounce gets the first of these changes that suffices: it is
    caught late; it is also thrown down hard, which is quicker; it does not bounce.

    Args:
        table: throws and catches of the pattern, with all bounces as written.
        late_table: the same with all bounces caught late, so that they have more time.
        bps: the tempo without bounces, [beats/s].
        body: the paths of bodies, which change heights; None if all stand in the usual circle.
        gravity: acceleration by gravity, downward positive, [m/s²].
        kept_energy: share of the energy that a prop keeps at a bounce.
        is_tempo_given: whether the user has set this tempo, so that it must be kept.

    Returns:
        The changes, `AS_WRITTEN` if there are none; and the tempo, at most `bps`, [beats/s].
    """
    physics = _Physics(gravity, kept_energy)
    # The same bounces in the same order.
    as_written = list(bouncing_throws(table, body))
    caught_late = list(bouncing_throws(late_table, body))
    # In seconds, thrown down as hard as people can; infinite if the prop does not come up again.
    quickest_times = [_shortest_human_time(throw, physics) for throw in as_written]
    if is_tempo_given:
        if _is_slow_enough(bps, as_written, quickest_times):
            return AS_WRITTEN, bps
        return _changes_at_given_tempo(as_written, caught_late, quickest_times, bps, physics)

    # Whether each bounce, as written, comes up to the catching hand again if it is thrown as high
    # as ever allowed. If not, more time would not help.
    comes_back = [
        _time_with_highest_point(throw, _HIGHEST_POINT_EVER, physics) < inf for throw in as_written
    ]
    # Best is to slow the pattern only, so throws may go as high as ever allowed for that.
    needed_tempo = bounced_tempo(bps, table, body, gravity, kept_energy)
    slowest_unchanged = _slowest_allowed_tempo(table, as_written, bps, _HIGHEST_POINT_EVER, physics)
    is_slowing_enough = needed_tempo >= slowest_unchanged and all(comes_back)
    if is_slowing_enough and _is_slow_enough(needed_tempo, as_written, quickest_times):
        return AS_WRITTEN, needed_tempo

    # Some bounces change, so there is less reason for the others to go as high as ever allowed: for
    # those that keep their style, the pattern is slowed less than for those thrown down hard.
    slowest_in_style = _slowest_allowed_tempo(
        late_table, caught_late, bps, _HIGHEST_POINT_AS_WRITTEN, physics
    )
    slowest = _slowest_allowed_tempo(late_table, caught_late, bps, _HIGHEST_POINT_EVER, physics)
    needed_times = [
        _needed_time(throw, quickest, physics, comes_back=returns)
        for throw, quickest, returns in zip(as_written, quickest_times, comes_back, strict=True)
    ]
    return _smallest_changes(
        as_written,
        caught_late,
        needed_times,
        tempo=bps,
        slowest_in_style=slowest_in_style,
        slowest=slowest,
        physics=physics,
    )


def _changes_at_given_tempo(
    as_written: list[BouncingThrow],
    caught_late: list[BouncingThrow],
    quickest_times: list[float],
    bps: float,
    physics: _Physics,
) -> tuple[BounceChanges, float]:
    """Return the smallest changes with which bounces have enough time at a tempo, and this tempo.

    Args:
        as_written, caught_late: all bouncing throws as written, and the same caught late.
        quickest_times: for each the shortest time of flight of which people are capable, [s].
        bps: the tempo, which the user has set, [beats/s].
        physics: gravity, and the energy that is kept.
    """
    # At a given tempo no bounce is required to keep its style, so each needs the quickest time
    # only; and as the pattern cannot be slowed, the slowest tempo is the given one.
    return _smallest_changes(
        as_written,
        caught_late,
        [_NeededTime(in_style=quickest, quickest=quickest) for quickest in quickest_times],
        tempo=bps,
        slowest_in_style=bps,
        slowest=bps,
        physics=physics,
    )


def _is_slow_enough(
    tempo: float, bouncing: list[BouncingThrow], quickest_times: list[float]
) -> bool:
    """Whether each bounce has at least its quickest time.

    Args:
        tempo: [beats/s].
        bouncing: throws that bounce.
        quickest_times: for each of them the shortest time that people can make it take, [s].
    """
    return all(
        throw.beats / tempo >= quickest
        for throw, quickest in zip(bouncing, quickest_times, strict=True)
    )


class _NeededTime(NamedTuple):
    """Least times of a bounce from throw to catch, [s]; infinite if it cannot come up to the hand.

    Args:
        in_style: in the written style.
        quickest: in any style, thrown down as hard as people can.
    """

    in_style: float
    quickest: float


def _needed_time(
    throw: BouncingThrow,
    quickest: float,
    physics: _Physics,
    *,
    comes_back: bool,
) -> _NeededTime:
    """Return the least times of a bounce in the written style, and in any.

    Args:
        throw: a throw with the written style.
        quickest: the least time in any style, [s].
        physics: gravity, and the energy that is kept.
        comes_back: whether in the written style the prop comes up to the catching hand at all.
    """
    if not comes_back:
        return _NeededTime(in_style=inf, quickest=quickest)
    shortest = min_bounce_time(*throw.ends, *physics, throw.style)
    return _NeededTime(in_style=max(BOUNCE_SPARE * shortest, quickest), quickest=quickest)


def _smallest_changes(
    as_written: list[BouncingThrow],
    caught_late: list[BouncingThrow],
    needed_times: list[_NeededTime],
    tempo: float,
    slowest_in_style: float,
    slowest: float,
    physics: _Physics,
) -> tuple[BounceChanges, float]:
    """Change each bounce as little as possible, and find the tempo that is slow enough for all.

    Of four possibilities a bounce gets the first that it has time for: as written; caught late;
    caught late and thrown down hard, in another style; no bounce.

    Args:
        as_written, caught_late: all throws that bounce, with their flights as written and if they
            are caught late, in the same order.
        needed_times: for each of these throws, in the same order, the least time that it needs to
            keep its style (`in_style`) and if it is thrown down hard (`quickest`), [s].
        tempo: the tempo without bounces, [beats/s].
        slowest_in_style: the slowest tempo allowed for the sake of bounces that keep their style,
            [beats/s].
        slowest: the slowest tempo allowed for those that are thrown down hard, [beats/s].
        physics: gravity, and the energy that is kept.

    Returns:
        The changes; and the final tempo, not above the given one, [beats/s].
    """
    # Throws by their indices in the pattern.
    late_throws = set[int]()  # caught late
    hard_throws: list[BouncingThrow] = []  # caught late, and thrown down hard
    unbounced = set[int]()  # without a bounce
    for throw, late_throw, needed in zip(as_written, caught_late, needed_times, strict=True):
        # A flight has time enough if at the slowest allowed tempo it lasts as long as needed. Then
        # the pattern is slowed just so far that it does.
        if throw.beats / slowest_in_style >= needed.in_style:
            tempo = min(tempo, throw.beats / needed.in_style)
        elif late_throw.beats / slowest_in_style >= needed.in_style:
            late_throws.add(throw.throw_index)
            tempo = min(tempo, late_throw.beats / needed.in_style)
        elif late_throw.beats / slowest >= needed.quickest:
            hard_throws.append(late_throw)
            tempo = min(tempo, late_throw.beats / needed.quickest)
        else:
            unbounced.add(throw.throw_index)
    # The styles of hard throws depend on the final tempo.
    styles = {
        throw.throw_index: _restyled(throw, throw.beats / tempo, physics) for throw in hard_throws
    }
    changes = BounceChanges(
        caught_late=frozenset(late_throws | set(styles)),
        restyled=styles,
        unbounced=frozenset(unbounced),
    )
    return changes, tempo


def _slowest_allowed_tempo(
    table: EventTable,
    bouncing: list[BouncingThrow],
    usual: float,
    top: float,
    physics: _Physics,
) -> float:
    """Return the slowest tempo to which bounces may slow a pattern, [beats/s].

    At this tempo no throw goes above the height `top`, and it is not below a general limit. It is
    never above the tempo without bounces, even if throws go higher at that one.

    Args:
        table: all throws and catches of the pattern.
        bouncing: all throws of the pattern that bounce.
        usual: tempo without bounces, [beats/s].
        top: greatest height of props above the floor; it is above the hands, [m].
        physics: gravity, and the energy that is kept.
    """
    # A throw through the air that rises by h and comes back to the same height takes √(8h/g).
    longest_flight = sqrt(8 * (top - _THROW_HEIGHT) / physics.gravity)
    throws = table.pattern.throws
    # The tempo at which each throw that does not bounce flies for that long. Durations are in units
    # of the pattern, of which `division` make a beat.
    through_air_tempos = [
        duration / table.pattern.division / longest_flight
        for throw_index, duration in zip(
            table.throw_of_flight, table.durations.tolist(), strict=True
        )
        if not throws[throw_index].bounces
    ]
    # A bounce that cannot come back to the hand has an infinite time, so it sets no limit (0).
    bounced_tempos = [
        throw.beats / _time_with_highest_point(throw, top, physics) for throw in bouncing
    ]
    # With another gravity, the time of the same path scales with 1/√g, so its tempo with √g.
    slowest = _SLOWEST_EARTH_TEMPO * sqrt(physics.gravity / _EARTH_GRAVITY)
    return min(usual, max(slowest, *through_air_tempos, *bounced_tempos))


def _time_with_highest_point(throw: BouncingThrow, top: float, physics: _Physics) -> float:
    """Return the time from throw to catch of a bounce whose highest point is at some height, [s].

    It is infinite if the prop loses so much energy that it does not come up to the catching hand.

    Args:
        throw: a throw of which the style, the bounce plane and the heights of throw and catch are
            read.
        top: height of the highest point above the floor, [m].
        physics: gravity, and the energy that is kept.
    """
    style = throw.style
    flight = _BounceFlight.of_style(*throw.ends, *physics, style)
    # The height above the plane from which a prop falls to the first impact. A lifted throw is
    # highest before the impact. A forced one is highest after it, with the share `kept_energy` of
    # its energy, and energy is proportional to height.
    energy_share = physics.kept_energy if style.forced else 1.0
    fall = (top - style.plane) / energy_share
    # By energy, v² = 2·g·h over a height h. A throw from above the highest point, for which there
    # is no speed, counts as dropped.
    launch_speed = sqrt(max(2 * physics.gravity * (fall - flight.start), 0.0))
    launch = -launch_speed if style.forced else launch_speed
    return flight.time_to_catch(launch, falling=style.falling)


def _shortest_human_time(throw: BouncingThrow, physics: _Physics) -> float:
    """Return the shortest time from throw to catch that people can make with one bounce, [s].

    The prop is thrown down at `_FASTEST_DOWNWARD_THROW`, and caught as it rises. The time is
    infinite if the prop does not come up to the catching hand.

    Args:
        throw: a throw of which the bounce plane and the heights of throw and catch are read.
        physics: gravity, and the energy that is kept.
    """
    one_bounce = replace(throw.style, bounces=1)
    flight = _BounceFlight.of_style(*throw.ends, *physics, one_bounce)
    return flight.time_to_catch(-_FASTEST_DOWNWARD_THROW, falling=False)


def _restyled(throw: BouncingThrow, time: float, physics: _Physics) -> FlightStyle:
    """Return the style nearest to the written one in which a bounce takes a given time.

    It has as many bounces as possible, up to the written number, and if possible the written catch,
    falling or rising; and the prop does not go above `_HIGHEST_POINT_EVER`. If no style fits, it is
    the written style with one bounce; `solve_bounce` then finds a throw down that is fast enough.

    Args:
        throw: a throw with the written style, and the heights of throw and catch (`ends`), [m].
        time: time from throw to catch, [s].
        physics: gravity, and the energy that is kept.
    """
    written = throw.style
    for bounces in range(written.bounces, 0, -1):
        for falling in (written.falling, not written.falling):
            style = replace(written, bounces=bounces, falling=falling)
            shortest = min_bounce_time(*throw.ends, *physics, style)
            longest = _time_with_highest_point(
                throw._replace(style=style), _HIGHEST_POINT_EVER, physics
            )
            # `longest` is infinite for a prop that does not come up to the hand: that does not fit.
            if shortest <= time <= longest < inf:
                return style
    return replace(written, bounces=1)
