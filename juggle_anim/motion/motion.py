"""The motion: every hand and prop as a function of time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import CatchStyle, Choreography, EventKind
from juggle_anim.motion.aim import pointing
from juggle_anim.motion.bodies import Bodies, body_paths
from juggle_anim.motion.flight import Flying, mean_by_event
from juggle_anim.motion.hand_paths import PARTING, hand_paths
from juggle_anim.motion.palms import Palms, turn_palms
from juggle_anim.motion.piecewise import PiecewisePolynomial
from juggle_anim.motion.prop_paths import LastThrows, PropPaths, last_throws, prop_paths
from juggle_anim.motion.prop_shapes import Carry, PropShapes, grips, prop_shapes
from juggle_anim.motion.spin import Grips, PropKind, Spin, fly_prop_kinds, join_spins
from juggle_anim.parameters import Parameters

FASTEST_CATCH = 4.0
"""No hand moves along with a prop it catches faster than this, however fast that comes, [m/s]."""


# So many positions are sampled at once.
_BLOCK = 16_384
_SOFTNESS = {CatchStyle.SOFT: 1.0, CatchStyle.GRAB: 0.0}


@dataclass(frozen=True)
class Frames:
    """The motion at T times, of J jugglers and P props.

    Args:
        times: shape (T,), [s].
        hands: shape (T, J, 2, 3), left then right, in the world, [m].
        props: shape (T, P, 3), centres, [m].
        holders: shape (T, P), the hand that holds each prop, 2 · juggler + side, or −1 in flight.
        aims: shape (T, P, 2), yaw and pitch of each prop as in `juggle_anim.motion.aim`, [rad]; None where all are
            balls.
    """

    times: Floats
    hands: Floats
    props: Floats
    holders: Integers
    aims: Floats | None = None


@dataclass(frozen=True)
class Places:
    """Where single props are, N rows.

    Args:
        centres: shape (N, 3), in the world, [m].
        holders: shape (N,), the hand that holds each, 2 · juggler + side, or −1 in flight.
        aims: shape (N, 2), yaw and pitch as in `Frames`; None where all props are balls.
    """

    centres: Floats
    holders: Integers
    aims: Floats | None = None


@dataclass(frozen=True)
class Motion:
    """Continuous paths of one choreography; `move` makes it.

    Args:
        choreography: the events it passes.
        shapes: of the props.
        bodies: path of each juggler over the floor.
        flying: the flights, of the first sort of prop where there are several.
        hands: path of each hand, seen from its body.
        props: path of each orbit of props.
        spin: how props turn along each of those paths; None where all are balls.
    """

    choreography: Choreography
    shapes: PropShapes
    bodies: Bodies
    flying: Flying
    hands: PiecewisePolynomial
    props: PropPaths
    spin: Spin | None

    @property
    def prop_radius(self) -> float:
        """From where a hand has a prop to its palm's skin; the radius of the largest ball, [m]."""
        return self.shapes.palm

    @property
    def duration(self) -> float:
        """Of one loop, [s]."""
        return self.choreography.duration

    @cached_property
    def palms(self) -> Palms:
        """How the hands are turned."""
        return turn_palms(self.choreography, self.shapes, self.hands, self.flying)

    @cached_property
    def last_throws(self) -> LastThrows:
        """When props are thrown."""
        return last_throws(self.choreography)

    def thrown(self, times: Floats) -> tuple[Integers, Floats, Floats]:
        """The last throw of every prop at some times, as `LastThrows.at` has it."""
        return self.last_throws.at(self.props.orbit, self.props.lead, np.asarray(times, dtype=float))

    def sample(self, times: Floats, derivative: int = 0) -> Frames:
        """Hands and props at any times.

        Args:
            times: shape (T,), [s]; negative ones and those past the loop too.
            derivative: 0 for positions; 1, 2 … for velocities [m/s], accelerations [m/s²] …
        """
        times = np.atleast_1d(np.asarray(times, dtype=float))
        block = max(1, _BLOCK // (self.choreography.props + 2 * self.choreography.jugglers))
        if len(times) <= block:
            return self._sample(times, derivative)
        # What fits into the processor's caches is quicker than all at once.
        parts = [self._sample(times[first : first + block], derivative) for first in range(0, len(times), block)]
        aims = [part.aims for part in parts if part.aims is not None]
        return Frames(
            times,
            np.concatenate([part.hands for part in parts]),
            np.concatenate([part.props for part in parts]),
            np.concatenate([part.holders for part in parts]),
            np.concatenate(aims) if aims else None,
        )

    def places(self, prop: Integers, times: Floats) -> Places:
        """Single props at single times, where `sample` gives all of them at each.

        Args:
            prop: shape (N,).
            times: of each, shape (N,), [s].
        """
        piece, elapsed = self.locate(prop, times)
        centres, holders = self.props.paths.evaluate(piece, elapsed), self.props.holder.take(piece)
        held = np.flatnonzero(holders >= 0)
        hand, when = holders[held], times[held]
        aims, by_top = self._aims(self.props.course[prop], times + self.props.lead[prop], 0)
        at = self.hands.locate(hand, when)
        seen = [self.hands.evaluate(*at, order) for order in self.bodies.orders(0)]
        mine = [aim[held] for aim in aims]
        centres[held] = self._carried(
            prop[held], hand, when, seen, [centres[held]], mine, by_top[held] if aims else by_top
        )
        if aims:
            aims[0][held, 0] += np.where(self.shapes.points[prop[held]], self.bodies.turns(hand // 2, when), 0.0)
        return Places(centres, holders, aims[0] if aims else None)

    def locate(self, prop: Integers, times: Floats) -> tuple[Integers, Floats]:
        """The pieces of `props.paths` on which single props are, and the time since each began [s]; as for `places`."""
        return self.props.paths.locate(self.props.course[prop], times + self.props.lead[prop])

    def _sample(self, times: Floats, derivative: int) -> Frames:
        orders = self.bodies.orders(derivative)
        numbers = np.arange(len(self.hands.periods))
        at = self.hands.locate(numbers, times[:, None])
        hands = [self.hands.evaluate(*at, order) for order in orders]
        later = times[:, None] + self.props.lead
        piece, elapsed = self.props.paths.locate(self.props.course, later)
        holders = self.props.holder.take(piece)
        props = self.props.paths.evaluate(piece, elapsed, derivative)
        flat = np.flatnonzero(holders >= 0)
        row, prop = np.divmod(flat, max(1, holders.shape[1]))
        hand, when = holders.take(flat), times[row]
        here, of_hand = (piece.take(flat), elapsed.take(flat)), row * len(numbers) + hand
        lies = [self.props.paths.evaluate(*here, order) for order in orders[:-1]]
        lies.append(props.reshape(-1, 3).take(flat, axis=0))
        seen = [each.reshape(-1, 3).take(of_hand, axis=0) for each in hands]
        aims, by_top = self._aims(self.props.course, later, derivative)
        mine = [aim[row, prop] for aim in aims]
        carried = self._carried(prop, hand, when, seen, lies, mine, by_top.take(flat) if aims else by_top, derivative)
        props.reshape(-1, 3)[flat] = carried
        if aims:
            turns = self.bodies.turns(hand // 2, when, derivative)
            aims[derivative][row, prop, 0] += np.where(self.shapes.points[prop], turns, 0.0)
        world = self.bodies.to_world(hands, numbers // 2, times[:, None], derivative)
        hands_now = world.reshape(len(times), len(numbers) // 2, 2, 3)
        return Frames(times, hands_now, props, holders, aims[-1] if aims else None)

    def _carried(
        self,
        prop: Integers,
        hand: Integers,
        times: Floats,
        seen: list[Floats],
        lies: list[Floats],
        aims: list[Floats],
        by_top: Booleans,
        derivative: int = 0,
    ) -> Floats:
        """The centres of held props in the world, or a derivative of them, shape (N, 3).

        Args:
            prop, hand, times: shape (N,); who holds what when, [s].
            seen: of the hands, seen from their bodies, shape (N, 3), those derivatives that `Bodies.orders` names.
            lies: likewise of the places in them where they have the props.
            aims: shape (N, 2), as seen from the bodies, and their derivatives; none where all are balls.
            by_top: shape (N,), which are held by their top.
            derivative: which is wanted.
        """
        carried = [grip + place for grip, place in zip(seen, lies, strict=True)]
        if aims:
            orders = self.bodies.orders(derivative)
            carried = [
                grip + self._from_grip(aims[: order + 1], prop, by_top)
                for grip, order in zip(carried, orders, strict=True)
            ]
        return self.bodies.to_world(carried, hand // 2, times, derivative)

    def _aims(self, course: Integers, times: Floats, derivative: int) -> tuple[list[Floats], Booleans]:
        """As `Spin.along`; of held props as seen from their bodies. No aims where all are balls."""
        return self.spin.along(course, times, derivative) if self.spin else ([], np.zeros(0, dtype=bool))

    def _from_grip(self, aims: list[Floats], prop: Integers, by_top: Booleans) -> Floats:
        """The centres of held props seen from where they lie in the hand, or a derivative of them, shape (N, 3)."""
        away = np.where(by_top, -1.0, 1.0)[:, None] * self.shapes.arm[prop, None] * pointing(aims)
        if len(aims) == 1:
            away[:, 1] -= self.shapes.lower[prop]
        return away

    def successors(self) -> Integers:
        """Shape (P,): the prop that is, at any time t, where each prop is at t + duration."""
        orbit = self.props.orbit
        sizes = np.array([orbit.props for orbit in self.choreography.orbits], dtype=np.intp)
        first: Integers = (np.cumsum(sizes) - sizes)[orbit]
        size: Integers = sizes[orbit]
        return first + (np.arange(len(orbit), dtype=np.intp) - first + 1) % size

    def laps(self) -> Integers:
        """Shape (P,): after how many loops each prop is where it is now, and points as it does now.

        That is once round its orbit, or twice where that turns it over.
        """
        sizes = np.array([orbit.props for orbit in self.choreography.orbits], dtype=np.intp)
        rounds = 1 + self.spin.over[self.props.course] if self.spin else 1
        laps: Integers = sizes[self.props.orbit] * rounds
        return laps


def move(choreography: Choreography, parameters: Parameters) -> Motion:
    """Paths through the events of a choreography.

    Args:
        choreography: what happens.
        parameters: prop diameter, catch softness, scoop, spins and the way of empty hands are read.
    """
    shapes = prop_shapes(choreography, parameters.prop_diameter / 100)
    events = choreography.events
    grips = _grips(choreography, shapes)
    bodies = body_paths(choreography.bodies, choreography.jugglers, choreography.duration)
    sorts = fly_prop_kinds(choreography, bodies, shapes, grips, parameters.spins)
    flying = [sort.flying for sort in sorts]
    parting = PARTING * _strongest_pull(choreography) + bodies.rise(events.hand // 2, events.time)
    launch, arrival = _seen(choreography, sorts, shapes)
    wanted = _wanted(choreography, launch, arrival, parameters.catch_softness / 100)
    hands = hand_paths(choreography, wanted, parting, parameters.scoop / 100, parameters.hand_path)
    velocities = hands.evaluate(*hands.locate(events.hand, events.time), 1)
    props = prop_paths(choreography, flying, shapes.variety[1], velocities, grips[1])
    spins = [sort.spin for sort in sorts if sort.spin]
    return Motion(choreography, shapes, bodies, flying[0], hands, props, join_spins(spins))


def _seen(choreography: Choreography, sorts: list[PropKind], shapes: PropShapes) -> tuple[Floats, Floats]:
    """The velocities of places where hands have props at throws and catches, shape (F, 3), [m/s].

    Where props of several sorts follow each other on an orbit, the hands move with their mean.
    """
    if len(sorts) == 1:
        return sorts[0].flying.seen_launch, sorts[0].flying.seen_arrival
    share = np.zeros((len(choreography.flights.throw), len(sorts)))
    prop = 0
    for orbit in choreography.orbits:
        mine = shapes.variety[1][prop : prop + orbit.props]
        share[list(orbit.flights)] = np.bincount(mine, minlength=len(sorts)) / orbit.props
        prop += orbit.props
    launch = sum((share[:, [n]] * sort.flying.seen_launch for n, sort in enumerate(sorts)), start=np.zeros(3))
    arrival = sum((share[:, [n]] * sort.flying.seen_arrival for n, sort in enumerate(sorts)), start=np.zeros(3))
    return launch, arrival


def _wanted(choreography: Choreography, launch: Floats, arrival: Floats, softness: float) -> Floats:
    """The velocity of the hand at each throw and catch, seen from its body, shape (E, 3), [m/s]."""
    events, flights = choreography.events, choreography.flights
    soft = np.full(len(flights.catch), softness)
    for flight, style in enumerate(flights.style):
        soft[flight] = _SOFTNESS.get(style.caught, softness)
    given = mean_by_event(flights.catch, soft[:, None] * arrival, len(events.time))
    speed = np.linalg.norm(given, axis=1, keepdims=True)
    given *= np.minimum(1.0, FASTEST_CATCH / np.maximum(speed, 1e-9))
    thrown = mean_by_event(flights.throw, launch, len(events.time))
    return np.where((events.kind == EventKind.THROW)[:, None], thrown, given)


def _strongest_pull(choreography: Choreography) -> Floats:
    """The gravity on what is thrown at each event, shape (E,), [m/s²]."""
    pull = np.full(len(choreography.events.time), choreography.gravity)
    for event, style in zip(choreography.flights.throw, choreography.flights.style, strict=False):
        pull[event] = max(pull[event], style.gravity or 0.0)
    return pull


def _grips(choreography: Choreography, shapes: PropShapes) -> Grips:
    """Offsets from the hand: for each flight those of the carry after it, and (O, 3) for orbits that never fly."""
    events, flights, loop = choreography.events, choreography.flights, choreography.duration
    stages = np.ceil(flights.carry / loop - 1e-9).astype(int)
    carries: list[Carry] = []
    for catch, carry, count in zip(flights.catch, flights.carry, stages, strict=True):
        hand, caught, each = int(events.hand[catch]), float(events.time[catch]), float(carry / count)
        carries += [(hand, caught + number * each, caught + (number + 1) * each) for number in range(count)]
    still = [number for number, orbit in enumerate(choreography.orbits) if not orbit.flights]
    forever = [(choreography.orbits[number].hand, 0.0, 2 * loop) for number in still]
    offsets = grips(choreography, carries + forever, shapes.palm)
    if shapes.pointed:
        # What points forward has its neighbours beside and above it.
        offsets = np.stack([offsets[:, 0], 1.75 * offsets[:, 1] + offsets[:, 2], 0 * offsets[:, 2]], axis=-1)
    held = np.zeros((len(choreography.orbits), 3))
    held[still] = offsets[len(carries) :]
    places = np.split(offsets[: len(carries)], np.cumsum(stages))[:-1] if len(stages) else []
    return tuple(places), held
