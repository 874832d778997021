"""Variation: nobody throws twice alike; times and places of throws and catches vary as those of
people do.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from math import ceil, lcm, sqrt

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography.choreograph import MAX_THROWS
from juggle_anim.choreography.choreography import Choreography, EventKind, Flights
from juggle_anim.choreography.unroll import unroll
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _
from juggle_anim.parameters import Parameters
from juggle_anim.vectors import inverse_permutation

PLACE_SPREAD = (0.025, 0.020, 0.030)
"""Standard deviation of where a hand throws: to the side, up, fore and aft, [m].

These and the next two are from an optical capture of five balls (Project-DeepBlue-Juggling,
juggling-analyser).
"""

TIME_SPREAD = 0.012
HASTE = 0.45
"""Standard deviation of when a hand throws, of its own accord, [s], and the share of its time by
which a hand throws later or earlier if what it catches next does. With both, beats of five balls
vary by 27 ms, as recorded.
"""

LANDING_SPREAD = 0.061
FLIGHT_SPREAD = 0.0247
"""Standard deviation of where a prop comes down, each way, as throws vary by 1°, [m], and of how
long it flies, as apexes vary by 5 cm, [s]; of five balls.
"""

FIVE_BALL_FLIGHT = 0.81
"""How long each of five balls flies, [s]. A shorter throw varies less; a longer one is aimed
better, or else nobody could catch it.
"""

CORRECTION = 1 / 3
"""Share of its deviation that the next throw of a hand takes back, which makes their lag-one
correlation −0.3.

Post, Daffertshofer and Beek, "Principal components in three-ball cascade juggling" (Biological
Cybernetics 82, 2000), found it markedly negative for the catches of a hand, which follow from
throws here. The share itself is chosen.
"""

ENOUGH_SECONDS = 12.0
ENOUGH_THROWS = 2_000
"""How long variations go on before they repeat, if no number of loops is asked for, [s]; less with
so many throws.
"""

# Deviations are limited to so many standard deviations.
_FARTHEST = 3.0

# How far a prop may come down from its usual place, for a hand to reach it, [m].
_REACH = 0.16

# A flight as short as this, [s], is a hand that passes a prop on: times and places vary in
# proportion.
_SHORT_FLIGHT = 0.4

# By how much a throw may move in time: a share of the time to the hand's other throws, and of
# flights to and fro.
_THROW_SHARE = 0.15
_FLIGHT_SHARE = 0.20

# Each round halves what is missing where throws hasten each other.
_ROUNDS = 32

# By how much a catch may move in time: a share of a gap of a hand that is much longer than the
# second number, [s].
_CATCH_SHARE = 0.8
_SHORT_GAP = 0.12


def vary(choreography: Choreography, parameters: Parameters) -> Choreography:
    """Return some loops of a choreography in which throws vary, as one loop that repeats without a
    seam.

    Hands throw at other times and places, and props fly higher or lower and to other places; hands
    catch them where and when they come down there. Where time is short they vary less, so the
    events of a hand keep their order. Props that bounce keep their times and heights, as not every
    other time has a bounce.

    Args:
        choreography: as written. Flight `f` of its loop `n` becomes flight `n · F + f`.
        parameters: human, seed and human_loops are read.

    Raises:
        ChoreographyError: there are too many throws in so many loops.
    """
    if not len(choreography.flights.throw):
        return choreography
    unrolled = unroll(choreography, loop_count(choreography, parameters))
    return _moved(unrolled, *_deviations(unrolled, parameters.human / 100, int(parameters.seed)))


def loop_count(choreography: Choreography, parameters: Parameters) -> int:
    """Return the number of loops after which variations repeat.

    By default that is as many as last long enough, and after which each prop is in its own place
    again.

    Raises:
        ChoreographyError: there are too many throws in so many loops.
    """
    throws = len(choreography.flights.throw)
    if parameters.human_loops is not None:
        loops = int(parameters.human_loops)
        if loops > 1 and loops * throws > MAX_THROWS:
            raise ChoreographyError(
                _(
                    "{loops} loops of {throws} throws are too many to vary: {max_throws} throws "
                    "is the "
                    "limit; set human_loops to {value} or less",
                    loops=loops,
                    throws=throws,
                    max_throws=MAX_THROWS,
                    value=max(1, MAX_THROWS // throws),
                )
            )
        return loops
    most = max(1, ENOUGH_THROWS // max(1, throws))
    loops = min(ceil(ENOUGH_SECONDS / choreography.duration), most)
    cycle = lcm(*(orbit.props for orbit in choreography.orbits if orbit.flights))
    whole = cycle * ceil(loops / cycle)
    return whole if whole <= min(2 * loops, most) else loops


@dataclass(frozen=True)
class _Around:
    """For each of E events the neighbouring ones of its hand among some of them, the anchors.

    Args:
        before, after: shape (E,); before an anchor is itself, as for all events of a hand that has
            none.
        since, lasts: shape (E,), the time since the one before, and from that to the one after,
            [s].
    """

    before: Integers
    after: Integers
    since: Floats
    lasts: Floats

    @classmethod
    def of(cls, choreography: Choreography, anchors: Booleans) -> _Around:
        events = choreography.events
        loop = choreography.duration
        order = np.lexsort((events.time, events.hand))
        rows = order[anchors[order]]
        hands = events.hand[rows]
        first, end = (
            np.searchsorted(hands, events.hand[order], side=side) for side in ("left", "right")
        )
        place = np.cumsum(anchors[order]) - 1
        before = np.where(place < first, end - 1, place)
        after = np.where(before == end - 1, first, before + 1)
        alone = first == end
        rows = np.append(rows, 0)
        back = inverse_permutation(order)
        before = np.where(alone, order, rows[np.where(alone, 0, before)])[back]
        after = np.where(alone, order, rows[np.where(alone, 0, after)])[back]
        lasts = (events.time[after] - events.time[before]) % loop
        return cls(
            before,
            after,
            (events.time - events.time[before]) % loop,
            np.where(lasts > 0.0, lasts, loop),
        )

    def between(self, values: Floats) -> Floats:
        """Values of anchors, shape (E,) or (E, C), with those between changing evenly."""
        share = (self.since / self.lasts).reshape(-1, *[1] * (values.ndim - 1))
        mixed: Floats = (1 - share) * values[self.before] + share * values[self.after]
        return mixed


@dataclass(frozen=True)
class _Roles:
    """What each of E events may do; all of shape (E,).

    Args:
        throws: it is a throw.
        catches: it catches, and is no throw.
        fixed: it keeps its time and height, since a prop bounces on the way to or from it.
    """

    throws: Booleans
    catches: Booleans
    fixed: Booleans

    @classmethod
    def of(cls, choreography: Choreography) -> _Roles:
        events = choreography.events
        flights = choreography.flights
        caught = np.zeros(len(events.time), dtype=bool)
        caught[flights.catch] = True
        bounces = np.array(
            [style.bounces > 0 for style in flights.style] or [False] * len(flights.throw)
        )
        fixed = np.zeros_like(caught)
        fixed[flights.throw[bounces]] = fixed[flights.catch[bounces]] = True
        return cls(events.kind == EventKind.THROW, caught & (events.kind == EventKind.CATCH), fixed)

    @property
    def free(self) -> Booleans:
        """Catches that may be at any time."""
        return self.catches & ~self.fixed


def _deviations(choreography: Choreography, amount: float, seed: int) -> tuple[Floats, Floats]:
    """Return by how much each event is later, shape (E,), [s], and farther, shape (E, 3), [m]."""
    events = choreography.events
    flights = choreography.flights
    roles = _Roles.of(choreography)
    random = np.random.Generator(np.random.PCG64(seed))
    hand = events.hand[flights.throw]
    time = events.time[flights.throw]
    own = _corrected(
        random.standard_normal((len(events.time), 4)), events.hand, events.time, roles.throws
    )
    flown = amount * _corrected(
        random.standard_normal((len(hand), 3)), hand, time, np.ones(len(hand), dtype=bool)
    )
    shortest = np.full(len(events.time), _SHORT_FLIGHT)
    np.minimum.at(shortest, flights.throw, flights.duration)
    own *= amount * (shortest / _SHORT_FLIGHT)[:, None]
    own[roles.fixed] *= (1.0, 0.0, 1.0, 0.0)

    whole = np.minimum(flights.duration / FIVE_BALL_FLIGHT, 1.0)
    longer = _limited(FLIGHT_SPREAD * whole * flown[:, 2], _FLIGHT_SHARE * flights.duration)
    later, arrives = _throw_times(choreography, roles, TIME_SPREAD * own[:, 3], longer)
    later = _catch_times(choreography, roles, later, arrives)

    moved = own[:, :3] * PLACE_SPREAD
    lands = _seen_by_catcher(choreography, moved[flights.throw])
    lands[:, ::2] += LANDING_SPREAD * (whole**2)[:, None] * flown[:, :2]
    moved[roles.catches] = _mean_by_catch(choreography, _limited(lands, np.array(_REACH)))[
        roles.catches
    ]
    around = _Around.of(choreography, roles.throws | roles.catches)
    return around.between(later), around.between(moved)


def _mean_by_catch(choreography: Choreography, values: Floats) -> Floats:
    """The mean of values of the flights that each event catches, shape (E,) or (E, C); 0 where it
    catches none.
    """
    count = len(choreography.events.time)
    total = np.zeros((count, *values.shape[1:]))
    np.add.at(total, choreography.flights.catch, values)
    number = np.maximum(np.bincount(choreography.flights.catch, minlength=count), 1)
    mean: Floats = total / number.reshape(-1, *[1] * (values.ndim - 1))
    return mean


def _corrected(values: Floats, hand: Integers, time: Floats, chosen: Booleans) -> Floats:
    """Random numbers of variance 1, of which each of a hand takes back a share of the one before; 0
    where not chosen.

    Args:
        values: shape (N, C), independent.
        hand, time: shape (N,).
        chosen: shape (N,), which ones count.
    """
    order = np.lexsort((time, hand))
    order = order[chosen[order]]
    first, end = (
        np.searchsorted(hand[order], hand[order], side=side) for side in ("left", "right")
    )
    place = np.arange(len(order))
    before = order[np.where(place == first, end - 1, place - 1)]
    found = np.zeros_like(values)
    found[order] = (values[order] - CORRECTION * values[before]) / sqrt(1 + CORRECTION**2)
    return _limited(found, np.array(_FARTHEST))


def _limited(values: Floats, limit: Floats) -> Floats:
    """Values that never pass a limit: nearly unchanged up to half of it, and then bent toward it
    smoothly.
    """
    limited: Floats = values / (1 + np.abs(values / np.maximum(limit, 1e-12)) ** 6) ** (1 / 6)
    return limited


def _throw_times(
    choreography: Choreography, roles: _Roles, own: Floats, longer: Floats
) -> tuple[Floats, Floats]:
    """How much later events are, limited where time is short, and how much later props arrive, each
    shape (E,), [s].

    What lies between throws goes along.

    Args:
        choreography, roles: the events.
        own: of each throw of its own accord, shape (E,), [s].
        longer: of each flight, shape (F,), [s].
    """
    flights = choreography.flights
    anchors = roles.throws | roles.fixed
    around = _Around.of(choreography, anchors)
    limit = np.full(len(own), np.inf)
    for row in (around.before, around.after):
        np.minimum.at(limit, row[anchors], _THROW_SHARE * around.lasts[anchors])
        # A prop that arrives in between must still fly.
        np.minimum.at(limit, row[flights.catch], _FLIGHT_SHARE * flights.duration)
    np.minimum.at(limit, flights.throw, _FLIGHT_SHARE * flights.duration)
    following = _Around.of(choreography, anchors | roles.catches).after
    haste = np.where(roles.throws & ~roles.fixed & roles.free[following], HASTE, 0.0)
    arrives = np.zeros_like(own)
    for _round in range(_ROUNDS):
        later = np.where(anchors, _limited(own + haste * arrives[following], limit), 0.0)
        arrives = _mean_by_catch(choreography, later[flights.throw] + longer)
    return around.between(later), arrives


def _catch_times(
    choreography: Choreography, roles: _Roles, later: Floats, arrives: Floats
) -> Floats:
    """How much later hands throw and catch, if they catch what arrives so much later, limited where
    time is short.

    Args:
        choreography, roles: the events.
        later: of each event, shape (E,), where catches are as far between throws as usual, [s].
        arrives: shape (E,), [s].
    """
    anchors = roles.throws | roles.catches
    free = roles.free
    around = _Around.of(choreography, anchors)
    gap = around.lasts + later[around.after] - later
    room = (
        _CATCH_SHARE * gap**2 / (gap + _SHORT_GAP) / np.where(free & free[around.after], 2.0, 1.0)
    )
    room_before = np.zeros_like(room)
    room_before[around.after[anchors]] = room[anchors]
    sooner = arrives - later
    caught = later + _limited(sooner, np.where(sooner > 0, room, room_before))
    return np.where(free, caught, later)


def _seen_by_catcher(choreography: Choreography, moved: Floats) -> Floats:
    """Displacements of throws, shape (F, 3), from the frames of throwing to those of catching
    bodies.
    """
    events = choreography.events
    flights = choreography.flights
    bodies = choreography.bodies
    width = 2 * choreography.duration
    keys = bodies.juggler * width + bodies.time

    def facing(event: Integers) -> Floats:
        juggler = events.hand[event] // 2
        last = np.searchsorted(keys, juggler * width + events.time[event], side="right") - 1
        return bodies.facing[np.maximum(last, np.searchsorted(bodies.juggler, juggler))]

    turn = facing(flights.throw) - facing(flights.catch)
    cos = np.cos(turn)
    sin = np.sin(turn)
    left = moved[:, 0]
    forward = moved[:, 2]
    return np.stack(
        [left * cos + forward * sin, np.zeros_like(left), forward * cos - left * sin], axis=-1
    )


def _moved(choreography: Choreography, later: Floats, moved: Floats) -> Choreography:
    """Return the choreography with its events so much later, [s], and farther, [m]."""
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    due = events.time + later
    time = due % loop
    time[time >= loop] = 0.0
    order = np.lexsort((events.kind, events.hand, time))
    rank = inverse_permutation(order)
    following = np.arange(len(flights.throw))
    looks = list(choreography.looks)
    first = 0
    for orbit in choreography.orbits:
        if orbit.flights:
            steps = np.array(orbit.flights)
            following[steps] = np.roll(steps, -1)
            # A first throw that comes to lie in another loop puts each prop into the place of
            # another.
            shift = int(due[flights.throw[steps[0]]] // loop) % orbit.props
            mine = looks[first : first + orbit.props]
            looks[first : first + orbit.props] = mine[shift:] + mine[:shift]
        first += orbit.props
    return dataclasses.replace(
        choreography,
        events=dataclasses.replace(events, time=time, position=events.position + moved).taken(
            order
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
