"""Variation: nobody throws twice alike; times and places of throws and catches vary as those of people do."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from math import ceil, gcd, lcm, sqrt

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography.choreograph import MAX_THROWS
from juggle_anim.choreography.choreography import BodyKeyframes, Choreography, EventKind, Events, Flights, PropOrbit
from juggle_anim.errors import ChoreographyError
from juggle_anim.parameters import Parameters
from juggle_anim.vectors import inverse_permutation

PLACE_SPREAD = (0.025, 0.020, 0.030)
"""Standard deviation of where a hand throws: to the side, up, fore and aft, [m].

These and the next two are from an optical capture of five balls (Project-DeepBlue-Juggling, juggling-analyser).
"""

TIME_SPREAD = 0.027 / sqrt(2.0)
"""Standard deviation of when a hand throws, [s]. Beats between throws of two hands were recorded to vary by 27 ms."""

LANDING_SPREAD, FLIGHT_SPREAD = 0.061, 0.0247
"""Standard deviation of where a prop comes down, each way, as throws vary by 1°, [m], and of how long it flies, as
apexes vary by 5 cm, [s]; of five balls."""

FIVE_BALL_FLIGHT = 0.81
"""How long each of five balls flies, [s]. A shorter throw varies less; a longer one is aimed better, or else nobody
could catch it."""

CORRECTION = 1 / 3
"""Share of its deviation that the next throw of a hand takes back, which makes their lag-one correlation −0.3.

Post, Daffertshofer and Beek, "Principal components in three-ball cascade juggling" (Biological Cybernetics 82, 2000),
found it markedly negative for the catches of a hand, which follow from throws here. The share itself is chosen.
"""

ENOUGH_SECONDS, ENOUGH_THROWS = 12.0, 2_000
"""How long variations go on before they repeat, if no number of loops is asked for, [s]; less with so many throws."""

# Deviations are limited to so many standard deviations.
_FARTHEST = 3.0

# How far a prop may come down from its usual place, for a hand to reach it, [m].
_REACH = 0.16

# A flight as short as this, [s], is a hand that passes a prop on: times and places vary in proportion.
_SHORT_FLIGHT = 0.4

# By how much a throw may move in time: a share of the time to the hand's other throws, and of flights to and fro.
_THROW_SHARE, _FLIGHT_SHARE = 0.15, 0.20

# By how much a catch may move in time: a share of a gap of a hand that is much longer than the second number, [s].
_CATCH_SHARE, _SHORT_GAP = 0.8, 0.06


def vary(choreography: Choreography, parameters: Parameters) -> Choreography:
    """Return some loops of a choreography in which throws vary, as one loop that repeats without a seam.

    Hands throw at other times and places, and props fly higher or lower and to other places; hands catch them where and
    when they come down there. Where time is short they vary less, so the events of a hand keep their order. Props that
    bounce keep their times and heights, as not every other time has a bounce.

    Args:
        choreography: as written. Flight `f` of its loop `n` becomes flight `n · F + f`.
        parameters: human, seed and human_loops are read.

    Raises:
        ChoreographyError: there are too many throws in so many loops.
    """
    if not len(choreography.flights.throw):
        return choreography
    unrolled = _unrolled(choreography, loop_count(choreography, parameters))
    return _moved(unrolled, *_deviations(unrolled, parameters.human / 100, int(parameters.seed)))


def loop_count(choreography: Choreography, parameters: Parameters) -> int:
    """Return the number of loops after which variations repeat.

    By default that is as many as last long enough, and after which each prop is in its own place again.

    Raises:
        ChoreographyError: there are too many throws in so many loops.
    """
    throws = len(choreography.flights.throw)
    if parameters.human_loops is not None:
        loops = int(parameters.human_loops)
        if loops > 1 and loops * throws > MAX_THROWS:
            raise ChoreographyError(
                f"{loops} loops of {throws} throws are too many to vary: {MAX_THROWS} throws is the limit; "
                f"set human_loops to {max(1, MAX_THROWS // throws)} or less"
            )
        return loops
    most = max(1, ENOUGH_THROWS // max(1, throws))
    loops = min(ceil(ENOUGH_SECONDS / choreography.duration), most)
    cycle = lcm(*(orbit.props for orbit in choreography.orbits if orbit.flights))
    whole = cycle * ceil(loops / cycle)
    return whole if whole <= min(2 * loops, most) else loops


def _unrolled(choreography: Choreography, loops: int) -> Choreography:
    """Return the choreography with a loop that goes through the same several times."""
    events, flights, duration = choreography.events, choreography.flights, choreography.duration
    count, flown = len(events.time), len(flights.throw)
    lap = np.repeat(np.arange(loops), flown)
    later = _laps(events.time[flights.throw] + flights.duration - events.time[flights.catch], duration)
    orbits, order = _unrolled_orbits(choreography, loops)
    return dataclasses.replace(
        choreography,
        duration=loops * duration,
        bodies=_unrolled_bodies(choreography.bodies, duration, loops),
        events=Events(
            time=np.tile(events.time, loops) + np.repeat(np.arange(loops), count) * duration,
            hand=np.tile(events.hand, loops),
            kind=np.tile(events.kind, loops),
            position=np.tile(events.position, (loops, 1)),
            grasp=None if events.grasp is None else np.tile(events.grasp, loops),
        ),
        flights=Flights(
            throw=lap * count + np.tile(flights.throw, loops),
            catch=(lap + np.tile(later, loops)) % loops * count + np.tile(flights.catch, loops),
            duration=np.tile(flights.duration, loops),
            carry=np.tile(flights.carry, loops),
            style=flights.style * loops,
        ),
        orbits=orbits,
        looks=tuple(choreography.looks[prop] for prop in order) if choreography.looks else (),
    )


def _laps(times: Floats, duration: float) -> Integers:
    return np.rint(times / duration).astype(np.intp)


def _unrolled_bodies(bodies: BodyKeyframes, duration: float, loops: int) -> BodyKeyframes:
    lap = np.repeat(np.arange(loops), len(bodies.time))
    juggler = np.tile(bodies.juggler, loops)
    # A body that never moves has one keyframe.
    rows = np.flatnonzero((lap == 0) | (np.bincount(bodies.juggler)[juggler] > 1))
    time = np.tile(bodies.time, loops) + lap * duration
    rows = rows[np.lexsort((time[rows], juggler[rows]))]
    source = rows % len(bodies.time)
    return dataclasses.replace(
        bodies,
        time=time[rows],
        juggler=juggler[rows],
        position=bodies.position[source],
        facing=bodies.facing[source],
    )


def _unrolled_orbits(choreography: Choreography, loops: int) -> tuple[tuple[PropOrbit, ...], list[int]]:
    """Return the orbits, and for each of their props in order the one that it was."""
    events, flights = choreography.events, choreography.flights
    thrown, flown = events.time[flights.throw], len(flights.throw)
    again = thrown + flights.duration + flights.carry
    found, order, first = [], list[int](), 0
    for orbit in choreography.orbits:
        if not orbit.flights:
            found.append(orbit)
            order += range(first, first + orbit.props)
        else:
            row = np.array(orbit.flights)
            ahead = np.cumsum(_laps(again[row] - np.roll(thrown[row], -1), choreography.duration))
            lap = np.concatenate([[0], ahead[:-1]])
            parts = gcd(orbit.props, loops)
            rounds = np.arange(loops // parts)[:, None] * orbit.props
            for part in range(parts):
                # Of the props, number `part` comes first to the first flight of this part.
                start = -part % parts
                steps = (start + rounds + lap) % loops * flown + row
                found.append(PropOrbit(tuple(steps.ravel().tolist()), orbit.props // parts, orbit.hand))
                order += [first + (ahead * loops - start) % orbit.props for ahead in range(orbit.props // parts)]
        first += orbit.props
    return tuple(found), order


@dataclass(frozen=True)
class _Around:
    """For each of E events the neighbouring ones of its hand among some of them, the anchors.

    Args:
        before, after: shape (E,); before an anchor is itself, as for all events of a hand that has none.
        since, lasts: shape (E,), the time since the one before, and from that to the one after, [s].
    """

    before: Integers
    after: Integers
    since: Floats
    lasts: Floats

    @classmethod
    def of(cls, choreography: Choreography, anchors: Booleans) -> _Around:
        events, loop = choreography.events, choreography.duration
        order = np.lexsort((events.time, events.hand))
        rows = order[anchors[order]]
        hands = events.hand[rows]
        first, end = (np.searchsorted(hands, events.hand[order], side=side) for side in ("left", "right"))
        place = np.cumsum(anchors[order]) - 1
        before = np.where(place < first, end - 1, place)
        after = np.where(before == end - 1, first, before + 1)
        alone = first == end
        rows = np.append(rows, 0)
        back = inverse_permutation(order)
        before = np.where(alone, order, rows[np.where(alone, 0, before)])[back]
        after = np.where(alone, order, rows[np.where(alone, 0, after)])[back]
        lasts = (events.time[after] - events.time[before]) % loop
        return cls(before, after, (events.time - events.time[before]) % loop, np.where(lasts > 0.0, lasts, loop))

    def between(self, values: Floats) -> Floats:
        """Values of anchors, shape (E,) or (E, C), with those between changing evenly."""
        share = (self.since / self.lasts).reshape(-1, *[1] * (values.ndim - 1))
        mixed: Floats = (1 - share) * values[self.before] + share * values[self.after]
        return mixed


def _deviations(choreography: Choreography, amount: float, seed: int) -> tuple[Floats, Floats]:
    """Return by how much each event is later, shape (E,), [s], and farther, shape (E, 3), [m]."""
    events, flights = choreography.events, choreography.flights
    random = np.random.Generator(np.random.PCG64(seed))
    throws, catches = events.kind == EventKind.THROW, events.kind == EventKind.CATCH
    hand, time = events.hand[flights.throw], events.time[flights.throw]
    own = _corrected(random.standard_normal((len(events.time), 4)), events.hand, events.time, throws)
    flown = _corrected(random.standard_normal((len(hand), 3)), hand, time, np.ones(len(hand), dtype=bool))
    bounces = np.array([style.bounces > 0 for style in flights.style] or [False] * len(hand))
    fixed = np.zeros(len(events.time), dtype=bool)
    fixed[flights.throw[bounces]] = fixed[flights.catch[bounces]] = True

    shortest = np.full(len(events.time), _SHORT_FLIGHT)
    np.minimum.at(shortest, flights.throw, flights.duration)
    own *= amount * np.where(throws, shortest / _SHORT_FLIGHT, 0.0)[:, None]
    later = own[:, 3] * TIME_SPREAD
    later[fixed] = 0.0
    moved = own[:, :3] * PLACE_SPREAD
    moved[fixed, 1] = 0.0
    later = _throw_times(choreography, throws | fixed, later)

    whole = np.minimum(flights.duration / FIVE_BALL_FLIGHT, 1.0)[:, None]
    longer = _limited(amount * FLIGHT_SPREAD * whole[:, 0] * flown[:, 2], _FLIGHT_SHARE * flights.duration)
    lands = _seen_by_catcher(choreography, moved[flights.throw])
    lands[:, ::2] += amount * LANDING_SPREAD * whole**2 * flown[:, :2]
    lands = _limited(lands, np.array(_REACH))
    number = np.bincount(flights.catch, minlength=len(events.time))
    free = catches & ~fixed & (number > 0)
    arrives = np.bincount(flights.catch, later[flights.throw] + longer, len(events.time)) / np.maximum(number, 1)
    later = _catch_times(choreography, throws | catches | fixed, free, later, arrives)
    caught = np.zeros_like(moved)
    np.add.at(caught, flights.catch, lands)
    moved = np.where((catches & (number > 0))[:, None], caught / np.maximum(number, 1)[:, None], moved)
    around = _Around.of(choreography, throws | catches | fixed)
    return around.between(later), around.between(moved)


def _corrected(values: Floats, hand: Integers, time: Floats, chosen: Booleans) -> Floats:
    """Random numbers of variance 1, of which each of a hand takes back a share of the one before; 0 where not chosen.

    Args:
        values: shape (N, C), independent.
        hand, time: shape (N,).
        chosen: shape (N,), which ones count.
    """
    order = np.lexsort((time, hand))
    order = order[chosen[order]]
    first, end = (np.searchsorted(hand[order], hand[order], side=side) for side in ("left", "right"))
    place = np.arange(len(order))
    before = order[np.where(place == first, end - 1, place - 1)]
    found = np.zeros_like(values)
    found[order] = (values[order] - CORRECTION * values[before]) / sqrt(1 + CORRECTION**2)
    return _limited(found, np.array(_FARTHEST))


def _limited(values: Floats, limit: Floats) -> Floats:
    """Values that never pass a limit: nearly unchanged up to half of it, and then bent toward it smoothly."""
    limited: Floats = values / (1 + np.abs(values / np.maximum(limit, 1e-12)) ** 6) ** (1 / 6)
    return limited


def _throw_times(choreography: Choreography, anchors: Booleans, later: Floats) -> Floats:
    """How much later hands throw, limited where time is short; what lies between throws goes along."""
    flights = choreography.flights
    around = _Around.of(choreography, anchors)
    limit = np.full(len(later), np.inf)
    for row in (around.before, around.after):
        np.minimum.at(limit, row[anchors], _THROW_SHARE * around.lasts[anchors])
        # A prop that arrives in between must still fly.
        np.minimum.at(limit, row[flights.catch], _FLIGHT_SHARE * flights.duration)
    np.minimum.at(limit, flights.throw, _FLIGHT_SHARE * flights.duration)
    return around.between(np.where(anchors, _limited(later, limit), 0.0))


def _catch_times(
    choreography: Choreography, anchors: Booleans, free: Booleans, later: Floats, arrives: Floats
) -> Floats:
    """How much later hands throw and catch, if they catch what arrives so much later, limited where time is short.

    Args:
        choreography: the events.
        anchors: which throw or catch.
        free: which catch when they like.
        later: of each event, [s], where catches are as far between throws as usual.
        arrives: [s].
    """
    around = _Around.of(choreography, anchors)
    gap = around.lasts + later[around.after] - later
    room = _CATCH_SHARE * gap**2 / (gap + _SHORT_GAP) / np.where(free & free[around.after], 2.0, 1.0)
    room_before = np.zeros_like(room)
    room_before[around.after[anchors]] = room[anchors]
    sooner = arrives - later
    caught = later + _limited(sooner, np.where(sooner > 0, room, room_before))
    return np.where(free, caught, later)


def _seen_by_catcher(choreography: Choreography, moved: Floats) -> Floats:
    """Displacements of throws, shape (F, 3), from the frames of throwing to those of catching bodies."""
    events, flights, bodies = choreography.events, choreography.flights, choreography.bodies
    width = 2 * choreography.duration
    keys = bodies.juggler * width + bodies.time

    def facing(event: Integers) -> Floats:
        juggler = events.hand[event] // 2
        last = np.searchsorted(keys, juggler * width + events.time[event], side="right") - 1
        return bodies.facing[np.maximum(last, np.searchsorted(bodies.juggler, juggler))]

    turn = facing(flights.throw) - facing(flights.catch)
    cos, sin = np.cos(turn), np.sin(turn)
    left, forward = moved[:, 0], moved[:, 2]
    return np.stack([left * cos + forward * sin, np.zeros_like(left), forward * cos - left * sin], axis=-1)


def _moved(choreography: Choreography, later: Floats, moved: Floats) -> Choreography:
    """Return the choreography with its events so much later, [s], and farther, [m]."""
    events, flights, loop = choreography.events, choreography.flights, choreography.duration
    due = events.time + later
    time = due % loop
    time[time >= loop] = 0.0
    order = np.lexsort((events.kind, events.hand, time))
    rank = inverse_permutation(order)
    following = np.arange(len(flights.throw))
    looks, first = list(choreography.looks), 0
    for orbit in choreography.orbits:
        if orbit.flights:
            steps = np.array(orbit.flights)
            following[steps] = np.roll(steps, -1)
            # A first throw that comes to lie in another loop puts each prop into the place of another.
            shift = int(due[flights.throw[steps[0]]] // loop) % orbit.props
            mine = looks[first : first + orbit.props]
            looks[first : first + orbit.props] = mine[shift:] + mine[:shift]
        first += orbit.props
    return dataclasses.replace(
        choreography,
        events=Events(
            time=time[order],
            hand=events.hand[order],
            kind=events.kind[order],
            position=(events.position + moved)[order],
            grasp=None if events.grasp is None else events.grasp[order],
        ),
        flights=Flights(
            throw=rank[flights.throw],
            catch=rank[flights.catch],
            duration=flights.duration + (later[flights.catch] - later[flights.throw]),
            carry=flights.carry + (later[flights.throw[following]] - later[flights.catch]),
            style=flights.style,
        ),
        looks=tuple(looks),
    )
