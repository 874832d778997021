"""The motion: every hand and prop as a function of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import CATCH, THROW, CatchStyle, Choreography
from juggle_anim.lazy_dataclass import ShortRepr, dataclass
from juggle_anim.motion.bodies import FACING, PLACE, Bodies, body_paths
from juggle_anim.motion.detours import (
    HAND_GAP,
    ROUNDING_TIME,
    claw_mask,
    clear_of_props,
    moves_away,
    softness_with_claws,
    with_claw_approach,
    without_hurry,
)
from juggle_anim.motion.flight import (
    FlightPaths,
    LastThrow,
    LastThrows,
    PropPaths,
    last_throws,
    prop_paths,
)
from juggle_anim.motion.hand_paths import RELEASE_SLOWING, hand_paths
from juggle_anim.motion.palms import Palms, turn_palms
from juggle_anim.motion.piecewise import PiecewisePolynomial, first_equal_in_all
from juggle_anim.motion.prop_shapes import (
    CLUB_BODY,
    CLUB_CENTRE,
    CLUB_HANDLE,
    RING_HOLE,
    PropShapes,
    find_grips,
    prop_shapes,
)
from juggle_anim.motion.spin import (
    PropKind,
    Spin,
    aim_directions,
    join_spins,
    solve_flights_by_kind,
    spin_of_balls,
)
from juggle_anim.parameters import Parameters
from juggle_anim.vectors import mean_by_event, norm, rotate_about_y

# Number of positions, of hands and props at all times, that are sampled together: blocks that fit
# in the processor's caches are faster.
_BLOCK_SIZE = 16_384


MAX_CATCH_SPEED = 4.0
"""Fastest motion of a hand with the prop that it catches, [m/s]."""

# Downward pull on a hand that puts a prop down, [m/s²]; below 0, so the hand goes on upward.
_PUT_DOWN_PULL = -20.0

_SOFTNESS = {CatchStyle.SOFT: 1.0, CatchStyle.GRAB: 0.0}

# Of the softness of a usual catch. Around the body an arm is near the end of its reach or of its
# joints' ranges, so its hand has no way to go along.
_SOFTNESS_AROUND_BODY = 0.5

# A club's profile: distances from the end of the knob, and radii, [m]. Spheres along it, and around
# the rim of a ring, are so close to each other that no head comes in between, [m] and [rad].
_CLUB_PROFILE = np.array([*CLUB_HANDLE, *CLUB_BODY])
_ALONG_CLUB = np.linspace(0.02, 0.49, 10)
_BETWEEN_SPHERES = 0.0025  # m, by which they are larger than clubs, which bulge less in between
_RIM_ANGLES = np.arange(16) * (2.0 * np.pi / 16)

# Moments a second at which empty hands are compared with props, which move by 5 cm at most, seen
# from a hand near them, from one to the next. [Hz]
_YIELDING_RATE = 100.0

# A hand handles a prop, and may touch it, from a little before the catch until after the throw, as
# it goes on beside what it throws.
_HANDLED_BEFORE_CATCH = 0.05  # s
_HANDLED_AFTER_THROW = 0.07  # s

_FLOOR_GAP = 0.03  # m, from the floor to the props that hands hold

# Times from a throw or catch, before and after, at which props fly clear of its hand, [s]; rounds
# of moving them, after each of which props fly elsewhere; and moves that are not worth while, [m].
_NEAR_EVENTS = np.linspace(-0.03, 0.03, 7)
_ROUNDS_OF_MOVES = 3
_NEGLIGIBLE_MOVE = 0.001


@dataclass(frozen=True, repr=False)
class Frames(ShortRepr):
    """The motion at T times, of J jugglers and P props.

    Args:
        times: T times, shape (T,), [s].
        hands: shape (T, J, 2, 3), left then right, in the world, [m].
        props: shape (T, P, 3), centres, [m].
        holders: shape (T, P), the hand that holds each prop, 2 · juggler + side, or −1 in flight.
        aims: shape (T, P, 2), yaw and pitch as in `juggle_anim.motion.spin`, [rad]; None if all
            props are balls.
    """

    times: Floats
    hands: Floats
    props: Floats
    holders: Integers
    aims: Floats | None = None


@dataclass(frozen=True)
class PropPlaces:
    """Places of single props at single times, N rows.

    Args:
        centres: shape (N, 3), in the world, [m].
        holders: shape (N,), as in `Frames`.
        aims: shape (N, 2), as in `Frames`.
    """

    centres: Floats
    holders: Integers
    aims: Floats | None = None


@dataclass(frozen=True, repr=False)
class _Paths(ShortRepr):
    """Paths of hands and props, computed when first used: many programs need one of them or none.

    Args:
        choreography: the events, E of them.
        shapes: the shapes of the props.
        bodies: path of each juggler over the floor.
        kinds: flights and spins of each kind of prop, one or more.
        catch_softness: share of a prop's velocity with which a hand usually catches it.
        scoop: scale of the swing down before a throw, 1 for the usual depth.
        empty_hand_path: the path of empty hands, "direct", "over" or "under".
    """

    choreography: Choreography
    shapes: PropShapes
    bodies: Bodies
    kinds: list[PropKind]
    catch_softness: float
    scoop: float
    empty_hand_path: str

    @cached_property
    def hand_velocities(self) -> Floats:
        """Velocities of hands at throws and catches, shape (E, 3), in frames of bodies, [m/s]."""
        launch, arrival = _grip_velocities(self.choreography, self.kinds, self.shapes)
        return _target_velocities(self.choreography, launch, arrival, self.catch_softness)

    @cached_property
    def release_deceleration(self) -> Floats:
        """Least deceleration of hands after throws, shape (E,), [m/s²]; to be read at throws only.

        After a throw a hand must slow down faster than gravity slows the prop, by the factor
        `RELEASE_SLOWING`, so that the prop leaves it.
        """
        # Decelerations are seen from the body: if that accelerates up, a hand must slow by so much
        # more.
        events = self.choreography.events
        body_acceleration = self.bodies.vertical_acceleration(events.juggler, events.time)
        return RELEASE_SLOWING * _strongest_pull(self.choreography) + body_acceleration

    @cached_property
    def unhurried(self) -> Choreography:
        """The choreography; its points on ways around bodies have the times of unhurried hands."""
        return without_hurry(self.choreography, self.hand_velocities)

    @cached_property
    def hands(self) -> PiecewisePolynomial:
        """Path of each hand, in the frame of its body."""
        return hand_paths(
            self.unhurried,
            self.hand_velocities,
            self.release_deceleration,
            scoop=self.scoop,
            empty_hand_path=self.empty_hand_path,
        )

    @cached_property
    def props(self) -> PropPaths:
        """Path of each orbit of props, for each kind of prop."""
        # Props sink into hands at a catch, and rise from them at a throw, by the difference between
        # their own velocity and that of the hand.
        flights = [kind.flight_paths for kind in self.kinds]
        kind_of_prop = self.shapes.flight_kinds.kind_of_prop
        return prop_paths(self.choreography, flights, kind_of_prop, self.hand_velocities)

    @cached_property
    def spin(self) -> Spin | None:
        """How props turn along each of their paths; None if all are balls."""
        spins = [kind.spin(self.choreography, self.hands) for kind in self.kinds]
        return join_spins([spin for spin in spins if spin])


@dataclass(frozen=True, repr=False)
class Motion(ShortRepr):
    """Continuous paths of hands and props, from `move`.

    Args:
        choreography: its events are read.
        shapes: the shapes of the props.
        bodies: path of each juggler over the floor.
        paths: the paths of hands and props, shared by motions that differ in looks and turns alone.
        turned_like: another motion, whose turns of palms and balls are taken for this one's; None
            if they are computed.
        direct: the same motion before empty hands give way to props; None if none does.
    """

    choreography: Choreography
    shapes: PropShapes
    bodies: Bodies
    paths: _Paths
    turned_like: Motion | None = None
    direct: Motion | None = None

    @property
    def flight_paths(self) -> FlightPaths:
        """The flights, of the first kind of prop if there are several."""
        return self.paths.kinds[0].flight_paths

    @property
    def unhurried(self) -> Choreography:
        """The choreography; its points on ways around bodies have the times of unhurried hands."""
        return self.paths.unhurried

    @property
    def hands(self) -> PiecewisePolynomial:
        """Path of each hand, in the frame of its body."""
        return self.direct.yielding_hands if self.direct else self.paths.hands

    @cached_property
    def yielding_hands(self) -> PiecewisePolynomial:
        """Paths of all hands, in the frames of their bodies, bent away from props and the floor.

        Between throws and catches, the hands of jugglers who throw around the body keep clear of
        the props that they do not handle, and hold their own props above the floor. All other
        hands have the paths of `hands`.
        """
        # T times of the loop, an even number, so that mirrored halves of a loop have mirrored
        # times.
        count = 2 * max(4, round(self.duration * _YIELDING_RATE / 2))
        times: Floats = np.linspace(0.0, self.duration, count, endpoint=False)
        props = _PropsBesideHands.at(self, times)
        hand_places = self.hands.evaluate(*self.hands.locate(props.hands, times[:, None]))
        floor_places, floor_radii = props.floor_below(hand_places)
        return clear_of_props(
            self.hands,
            self.choreography,
            props.hands,
            times,
            props=np.concatenate([props.places, floor_places], axis=2),
            radii=np.concatenate([props.radii, floor_radii], axis=2),
            carried=np.pad(props.is_held, ((0, 0), (0, 0), (0, 1))),  # no hand carries the floor
        )

    def with_room(self) -> Choreography:
        """Move throws and catches before bodies away from props that would fly through the hands.

        A hand cannot give way as it throws or catches, so that happens a little farther away from
        what flies from or to a hand around the body. Throws and catches around it stay.

        Returns:
            The choreography itself if no prop flies through these hands.
        """
        events = self.choreography.events
        # The usual throws and catches of jugglers who also throw around the body, and M times, some
        # around each of them.
        is_usual = events.is_throw_or_catch & ~events.around_body
        rows = np.flatnonzero(is_usual & self.choreography.throws_around_body[events.juggler])
        times = (events.time[rows, None] + _NEAR_EVENTS).ravel()
        hand = np.repeat(events.hand[rows], len(_NEAR_EVENTS))
        # Props are filled with K spheres, which all hands see: those that this hand sees at each of
        # its times are `[moment, hand_row]`, shape (M, K, …). The juggler's other hand has the row
        # before or after.
        props = _PropsBesideHands.at(self, times)
        moment = np.arange(len(times))
        hand_row = np.searchsorted(props.hands, hand)
        other_hand_row = hand_row ^ 1
        # Obstacles are spheres of props that last flew from or to a hand around the body, unless
        # the other hand holds them.
        flights = self.choreography.flights
        goes_around = events.around_body[flights.throw] | events.around_body[flights.catch]
        last_flights = self.last_throws_at(times + ROUNDING_TIME).flight
        is_obstacle = goes_around[last_flights[:, props.prop]]
        is_obstacle &= ~props.is_held[moment, other_hand_row]
        radii = np.where(is_obstacle, props.radii[moment, hand_row], -np.inf)
        places = self.hands.evaluate(*self.hands.locate(hand, times))
        away = places[:, None] - props.places[moment, hand_row]
        # All spheres and times of an event ask its hand to move.
        sphere_count = len(_NEAR_EVENTS) * radii.shape[1]
        moves = moves_away(
            away.reshape(len(rows), sphere_count, 3), radii.reshape(len(rows), sphere_count)
        )
        is_moved = norm(moves)[:, 0] > _NEGLIGIBLE_MOVE
        if not is_moved.any():
            return self.choreography
        position = events.position.copy()
        position[rows[is_moved]] += moves[is_moved]
        return replace(self.choreography, events=replace(events, position=position))

    @property
    def props(self) -> PropPaths:
        """Path of each orbit of props."""
        return self.paths.props

    @property
    def spin(self) -> Spin | None:
        """How props turn along each of their paths; None if all are balls."""
        return self.paths.spin

    @property
    def prop_radius(self) -> float:
        """Distance from the gripped point of a prop to the palm, [m]: the largest ball's radius."""
        return self.shapes.palm_distance

    @property
    def duration(self) -> float:
        """The duration of one loop, [s]."""
        return self.choreography.duration

    @cached_property
    def palms(self) -> Palms:
        """The orientations of the hands."""
        if self.turned_like:
            return self.turned_like.palms
        return turn_palms(self.choreography, self.shapes, self.hands, self.flight_paths)

    @cached_property
    def _ball_spin(self) -> Spin:
        if self.turned_like:
            return self.turned_like._ball_spin
        return spin_of_balls(self.choreography, self.bodies, self.shapes.palm_distance)

    def ball_aims(self, prop: Integers, times: Floats, holders: Integers) -> Floats:
        """Return how single balls are turned, yaw and pitch in the world, shape (…, 2), [rad].

        A ball in flight spins steadily; one in a hand turns with its body.

        Args:
            prop: indices of props, of any shape; the other arguments broadcast with it.
            times: time of each, [s].
            holders: holder of each, the hand 2 · juggler + side, −1 in flight; of the full shape ….
        """
        # A prop that is `lead` seconds ahead on its orbit, the closed path that some props share,
        # is where the first prop of the orbit will be so much later. `along` returns a list of the
        # aims and their derivatives, here the aims alone; and which end was caught, which does not
        # matter for balls.
        aims_and_derivatives, _is_caught_by_top = self._ball_spin.along(
            self.props.orbit_of_prop[prop], times + self.props.lead[prop], derivative=0
        )
        aims = aims_and_derivatives[0]
        # Balls in flight have aims in the world already; those in hands have them in the frame of
        # the body, whose heading is added to the yaw.
        held = holders >= 0
        aims[held, 0] += self.bodies.facing(
            holders[held] // 2, np.broadcast_to(times, holders.shape)[held]
        )
        return aims

    def turned_as(self, other: Motion) -> Motion:
        """Return this motion with palms and balls turned as in another one, to save computing.

        It serves a drag, with which a parameter changes a little from image to image: the turns of
        one image are too near those of the next to show a difference.

        Args:
            other: the motion whose turns are taken.

        Returns:
            A copy of this motion with the turns of the other; or this motion itself, unless the two
            have the same loop duration, orbits, throws and catches (their times may differ).
        """
        choreography = self.choreography
        reference = other.choreography
        if (
            choreography.duration != reference.duration
            or choreography.orbits != reference.orbits
            or not np.array_equal(choreography.events.hand, reference.events.hand)
            or not np.array_equal(choreography.events.kind, reference.events.kind)
            or not np.array_equal(choreography.flights.throw, reference.flights.throw)
            or not np.array_equal(choreography.flights.catch, reference.flights.catch)
        ):
            return self
        # Not `other` if that took its turns from a third motion: a chain of motions, one for each
        # image of a long drag, would stay in memory.
        return replace(self, turned_like=other.turned_like or other)

    @cached_property
    def first_with_same_hands(self) -> Integers:
        """For each of J jugglers the first one whose hands do the same at all times, shape (J,).

        That is the juggler's own index if no earlier one does the same: moves, turns and closes
        both hands alike, in the frame of the own body, up to rounding.
        """
        # Groups of 2 successive paths are the hands of one juggler.
        if self.choreography.jugglers == 1:
            return np.zeros(1, dtype=np.intp)
        return first_equal_in_all(
            [self.hands.first_equal_groups(2), self.palms.paths.first_equal_groups(2)]
        )

    @cached_property
    def last_throws(self) -> LastThrows:
        """A table of the throws of all props, to look up the last one before any time."""
        return last_throws(self.choreography)

    def last_throws_at(self, times: Floats) -> LastThrow:
        """The last throw of every prop at T times, [s]."""
        return self.last_throws.at(
            self.props.orbit_of_prop, self.props.lead, np.asarray(times, dtype=float)
        )

    def sample(self, times: Floats, derivative: int = 0) -> Frames:
        """Return hands and props at given times, or their derivatives.

        Args:
            times: T times, shape (T,), or one time, [s]. As the motion repeats, they may be
                negative or past the end of the loop.
            derivative: 0 for positions; 1, 2 … for velocities [m/s], accelerations [m/s²] …

        Returns:
            Frames, whose hands, props and aims (yaw and pitch of the axes of props) are that
            derivative; the holders are the same for all derivatives.
        """
        times = np.atleast_1d(np.asarray(times, dtype=float))
        # Many times are sampled in blocks that fit in the processor's caches. Each time has a
        # position for each prop and hand.
        positions_per_time = self.choreography.props + 2 * self.choreography.jugglers
        times_per_block = max(1, _BLOCK_SIZE // positions_per_time)
        if len(times) <= times_per_block:
            return self._sample(times, derivative)
        blocks = [
            self._sample(times[start : start + times_per_block], derivative)
            for start in range(0, len(times), times_per_block)
        ]
        # Either all blocks have aims or none has, as that depends on the kinds of props.
        aims = [frames.aims for frames in blocks if frames.aims is not None]
        return Frames(
            times,
            hands=np.concatenate([frames.hands for frames in blocks]),
            props=np.concatenate([frames.props for frames in blocks]),
            holders=np.concatenate([frames.holders for frames in blocks]),
            aims=np.concatenate(aims) if aims else None,
        )

    def holders(self, times: Floats) -> Integers:
        """Who holds each prop at T times, [s], shape (T, P), as in `Frames`."""
        prop = np.arange(self.choreography.props)
        return self.props.holder_of_piece.take(self.locate(prop, times[:, None])[0])

    def sample_without_props(self, times: Floats) -> Frames:
        """Hands at any times, shape (T,), [s]; as `sample`, but of no props."""
        times = np.atleast_1d(np.asarray(times, dtype=float))
        return Frames(
            times,
            hands=self.sample_hands(times),
            props=np.zeros((len(times), 0, 3)),
            holders=np.zeros((len(times), 0), dtype=np.intp),
        )

    def sample_hands(self, times: Floats, derivative: int = 0) -> Floats:
        """Hands alone, as `sample` has them, shape (T, J, 2, 3)."""
        return self.hand_derivatives(times, [derivative])[0]

    def hand_derivatives(self, times: Floats, derivatives: Sequence[int]) -> list[Floats]:
        """Several derivatives of the hands at the same times, each as from `sample_hands`."""
        times = np.atleast_1d(np.asarray(times, dtype=float))
        located = self._locate_hands(times)
        return [self._sample_hands(times, located, derivative)[1] for derivative in derivatives]

    def hand_place(self, hand: int, time: float) -> Floats:
        """Position of a hand at a time [s], in the frame of its body as events, shape (3,), [m]."""
        piece, elapsed = self.hands.locate(np.array([hand]), np.array([time]))
        place: Floats = self.hands.evaluate(piece, elapsed)[0]
        return place

    def body_place(self, juggler: int, time: float) -> Floats:
        """Place of a body at a time: x, y, z under its feet, [m], and turn, [rad], shape (4,)."""
        place: Floats = self.bodies.places(np.array([time]))[0, juggler]
        return place

    def places(self, prop: Integers, times: Floats) -> PropPlaces:
        """Return the places of single props at single times.

        `sample`, by contrast, gives all props at each of its times.

        Args:
            prop: indices of N props, which may repeat, shape (N,).
            times: time of each, shape (N,), [s].
        """
        # On pieces in flight, paths are those of centres in the world; on pieces in hands, those of
        # the gripped point relative to the hand, in the frame of the body. So `centres` is right in
        # rows of flights only, until those of held props are replaced below.
        piece, elapsed = self.locate(prop, times)
        centres = self.props.paths.evaluate(piece, elapsed)
        # Yaw and pitch, a list of one array or none, and which clubs were last caught by their top.
        aims, by_top = self._prop_aims(
            self.props.path_of_prop[prop], times + self.props.lead[prop], 0
        )

        # Held props, H of the N: the hand, the grip in it and the aim give the centre. Each of them
        # is a list of derivatives, here of one entry, the place or aim itself; that of aims is
        # empty if all props are balls.
        holders = self.props.holder_of_piece.take(piece)
        held = np.flatnonzero(holders >= 0)
        hand = holders[held]
        held_times = times[held]
        located = self.hands.locate(hand, held_times)
        centres[held] = self._held_centres(
            prop[held],
            hand,
            held_times,
            hand_places=[self.hands.evaluate(*located)],
            grips=[centres[held]],
            aims=[aim[held] for aim in aims],
            by_top=by_top[held],
        )

        # Aims of held clubs and rings are known in the frame of the body, whose heading is added to
        # the yaw; those of balls among them are all 0 and stay so.
        if aims:
            aims[0][held, 0] += np.where(
                self.shapes.oriented[prop[held]], self.bodies.facing(hand // 2, held_times), 0.0
            )
        return PropPlaces(centres, holders, aims=aims[0] if aims else None)

    def locate(self, prop: Integers, times: Floats) -> tuple[Integers, Floats]:
        """Find the pieces of `props.paths` on which single props are at single times.

        Args:
            prop: indices of props, shape (N,).
            times: the time of each, shape (N,), [s]; any value, as paths repeat.

        Returns:
            Rows of pieces, shape (N,), and the time since each piece started, shape (N,), [s].
        """
        return self.props.paths.locate(self.props.path_of_prop[prop], times + self.props.lead[prop])

    def _sample(self, times: Floats, derivative: int) -> Frames:
        """Sample hands and props at T times, all at once.

        The aim of a prop is the yaw and pitch of its axis. With moving bodies a derivative in the
        world needs also all lower ones in body frames, by the product rule. `Bodies.orders` names
        those that are needed, the requested one last.

        Args:
            times: T times, shape (T,), [s].
            derivative: order of the time derivative, 0 for positions.

        Returns:
            That derivative of hands, props and aims in the world; and who holds each prop.
        """
        # Hands in the frames of their bodies, one array for each of these orders, and in the world.
        hands, hands_in_world = self._sample_hands(times, self._locate_hands(times), derivative)

        # All props along their paths, shape (T, P, 3): in flight that is the centre in the world,
        # in hands the gripped point relative to the hand, in the frame of the body. The held ones
        # are replaced by their centres in the world below.
        path_times = times[:, None] + self.props.lead
        piece, elapsed = self.props.paths.locate(self.props.path_of_prop, path_times)
        holders = self.props.holder_of_piece.take(piece)
        props = self.props.paths.evaluate(piece, elapsed, derivative)

        # N of the T × P are held. Arrays of shape (N,): `held` are flat indices among the T × P,
        # which have a row for each time, `moment` are indices of times, `prop` of props, `hand` of
        # hands. (Without any props there are no flat indices, and 1 only avoids a division by 0.)
        prop_count = holders.shape[1]
        held = (holders >= 0).ravel().nonzero()[0]
        moment = held // max(1, prop_count)
        prop = held - moment * prop_count
        hand = holders.take(held)
        held_times = times[moment]

        # Their hands, grips and aims give their centres in the world. Each is a list of derivatives
        # by ascending order. The grips of the highest, requested order are in `props` already; only
        # the lower ones are evaluated here.
        flat_props = props.reshape(-1, 3)  # a view
        grips = [
            self.props.paths.evaluate(piece.take(held), elapsed.take(held), order)
            for order in self.bodies.orders(derivative)[:-1]
        ]
        grips.append(flat_props.take(held, axis=0))
        # Flat indices of their hands among all hands at all times.
        hand_and_moment = moment * len(self.hands.periods) + hand
        aims, by_top = self._prop_aims(self.props.path_of_prop, path_times, derivative)
        flat_props[held] = self._held_centres(
            prop,
            hand,
            held_times,
            hand_places=[places.reshape(-1, 3).take(hand_and_moment, axis=0) for places in hands],
            grips=grips,
            aims=[aim[moment, prop] for aim in aims],
            by_top=by_top.take(held),
            derivative=derivative,
        )

        # Aims of held clubs and rings are known in body frames: to their yaw, or its derivative,
        # that of the body's heading is added. `aims` has all orders from 0 to the requested one.
        if aims:
            headings = self.bodies.facing(hand // 2, held_times, derivative)
            aims[derivative][moment, prop, 0] += np.where(self.shapes.oriented[prop], headings, 0.0)
        return Frames(times, hands_in_world, props, holders, aims[-1] if aims else None)

    def _locate_hands(self, times: Floats) -> tuple[Integers, Floats]:
        """Pieces of all H hands at T times, and the times since they began, [s], (T, H) each."""
        return self.hands.locate(np.arange(len(self.hands.periods)), times[:, None])

    def _sample_hands(
        self, times: Floats, located: tuple[Integers, Floats], derivative: int
    ) -> tuple[list[Floats], Floats]:
        """Sample all H hands in body frames and in the world.

        Args:
            times: T times, shape (T,), [s].
            located: pieces of the hands' paths, and times since they began, as from
                `_locate_hands`.
            derivative: order of the derivative in the world.

        Returns:
            A list of the derivatives in body frames that `Bodies.orders` names, shape (T, H, 3)
            each; and the requested derivative in the world, shape (T, J, 2, 3) for J jugglers, left
            hands first.
        """
        # Hand 2 j + side belongs to juggler j, with side 0 left and 1 right.
        hand = np.arange(len(self.hands.periods))
        in_bodies = [
            self.hands.evaluate(*located, order) for order in self.bodies.orders(derivative)
        ]
        in_world = self.bodies.to_world(in_bodies, hand // 2, times[:, None], derivative)
        return in_bodies, in_world.reshape(len(times), len(hand) // 2, 2, 3)

    def _held_centres(
        self,
        prop: Integers,
        hand: Integers,
        times: Floats,
        *,
        hand_places: list[Floats],
        grips: list[Floats],
        aims: list[Floats],
        by_top: Booleans,
        derivative: int = 0,
    ) -> Floats:
        """Centres of N held props in the world, or a derivative of them, shape (N, 3).

        Args:
            prop, hand: indices, shape (N,); a hand's is 2 · juggler + side.
            times: one time for each, shape (N,), [s].
            hand_places: the derivatives of the places of the hands that `Bodies.orders(derivative)`
                names, in its order, in the frames of their bodies, shape (N, 3) each.
            grips: gripped points of props relative to the hands; the same derivatives.
            aims: yaw and pitch in the frames of the bodies, [rad], and all their derivatives up to
                `derivative`, shape (N, 2) each; empty if all props are balls.
            by_top: shape (N,), which are held by their top.
            derivative: order of the derivative to return, 0 for positions.
        """
        # In body frames: hand + grip, and for clubs and rings the way from grip to centre, whose
        # derivative of an order needs all derivatives of the aims up to it.
        centres = [place + grip for place, grip in zip(hand_places, grips, strict=True)]
        if aims:
            orders = self.bodies.orders(derivative)
            centres = [
                centre + self._from_grip(aims[: order + 1], prop, by_top)
                for centre, order in zip(centres, orders, strict=True)
            ]
        return self.bodies.to_world(centres, hand // 2, times, derivative)

    def _prop_aims(
        self, path: Integers, times: Floats, derivative: int
    ) -> tuple[list[Floats], Booleans]:
        """Aims of props and their derivatives, and which were last caught by their tops.

        Args:
            path: indices of paths of props, any shape that broadcasts with `times`.
            times: times on the path, [s]; any value, as paths repeat.
            derivative: order of the highest derivative that is returned, 0 for aims only.

        Returns:
            A list of yaws and pitches, [rad], and their derivatives in ascending order, shape
            (…, 2) each, empty if all props are balls; and shape (…), which props were last caught
            by their tops, none of balls.
        """
        if self.spin:
            return self.spin.along(path, times, derivative)
        return [], np.zeros(np.broadcast_shapes(path.shape, times.shape), dtype=bool)

    def _from_grip(self, aims: list[Floats], prop: Integers, by_top: Booleans) -> Floats:
        """Vectors from grips to centres of N held props, or a time derivative of these vectors.

        A grip is the point where a hand holds a prop. The centre lies `grip_to_centre` from it
        along the axis of the prop, and `grip_drop` lower, [m].

        Args:
            aims: [aim, first time derivative, …], each of shape (N, 2): yaw and pitch of the axes,
                [rad]. With n + 1 entries, derivative n is returned.
            prop: indices of the props, shape (N,).
            by_top: shape (N,), which are held by their top. The axis points from the knob to the
                top, so their centres lie against it.

        Returns:
            Shape (N, 3), in the frames of the bodies, y up, [m], [m/s] …
        """
        from_grip = (
            np.where(by_top, -1.0, 1.0)[:, None]
            * self.shapes.grip_to_centre[prop, None]
            * aim_directions(aims)
        )
        # The drop is constant: it matters to the position only.
        if len(aims) == 1:
            from_grip[:, 1] -= self.shapes.grip_drop[prop]
        return from_grip

    def successors(self) -> Integers:
        """Return for each prop the prop that is at any time t where it will be at t + duration.

        An orbit is the closed path that some props share, one loop apart.

        Returns:
            Shape (P,), indices: the next prop of its orbit, and for the last one the first. On an
            orbit of one prop that is the prop itself.
        """
        # Props are numbered orbit by orbit. For each prop: the first prop of its orbit, and how
        # many props are there.
        orbit_of_prop = self.props.orbit_of_prop
        prop_counts = self.choreography.props_of_orbits
        first: Integers = (np.cumsum(prop_counts) - prop_counts)[orbit_of_prop]
        count: Integers = prop_counts[orbit_of_prop]
        return first + (np.arange(len(orbit_of_prop), dtype=np.intp) - first + 1) % count

    def laps(self) -> Integers:
        """Number of loops after which each prop has the same place and aim again, shape (P,).

        A round of an orbit of n props takes n loops. Two rounds are needed if one turns the prop
        over.
        """
        rounds_to_repeat = 1 + self.spin.turned_over[self.props.path_of_prop] if self.spin else 1
        loops_of_round = self.choreography.props_of_orbits[self.props.orbit_of_prop]
        laps: Integers = loops_of_round * rounds_to_repeat
        return laps


class _PropsBesideHands(NamedTuple):
    """K spheres that fill all props, seen at T times from the hands that make room for them.

    They are those of jugglers who throw around their bodies.

    Args:
        hands: indices of the H hands, both of each of these jugglers, shape (H,), ascending.
        places: centres, seen from the body of each hand, shape (T, H, K, 3), [m].
        prop: of which prop each sphere is, shape (K,).
        sphere_radii: shape (K,), [m].
        radii: the same for each hand, shape (T, H, K), but −∞ for what it handles, which begins
            before the catch and ends after the throw, and is no obstacle, [m].
        is_held: whether each hand holds each sphere, shape (T, H, K).
    """

    hands: Integers
    places: Floats
    prop: Integers
    sphere_radii: Floats
    radii: Floats
    is_held: Booleans

    @staticmethod
    def at(motion: Motion, times: Floats) -> _PropsBesideHands:
        """Return the spheres that fill the props of a motion, as these hands see them.

        Args:
            motion: paths of props, hands and bodies.
            times: T times, shape (T,), [s].
        """
        jugglers = np.flatnonzero(motion.choreography.throws_around_body)
        hands = (2 * jugglers[:, None] + np.arange(2)).ravel()  # left and right of each
        stands_back = np.zeros(len(jugglers))  # m; seen from the jugglers' own places
        spheres = PropSpheres.from_bodies(motion, times, jugglers, stands_back)

        def is_held_after(offset: float) -> Booleans:
            """Whether each hand holds each sphere so much after the times, shape (T, H, K)."""
            holders = motion.holders(times + ROUNDING_TIME + offset)
            return holders[:, None, spheres.prop] == hands[:, None]

        # A hand handles what it holds now, held just before, or will hold soon.
        is_held = is_held_after(0.0)
        offsets = np.linspace(-_HANDLED_AFTER_THROW, _HANDLED_BEFORE_CATCH, 5)
        is_handled = np.logical_or.reduce([is_held, *map(is_held_after, offsets)])
        return _PropsBesideHands(
            hands=hands,
            # Both hands of a juggler are in the frame of the same body.
            places=np.repeat(spheres.places, 2, axis=1),
            prop=spheres.prop,
            sphere_radii=spheres.radii,
            radii=np.where(is_handled, -np.inf, spheres.radii),
            is_held=is_held,
        )

    def floor_below(self, hand_places: Floats) -> tuple[Floats, Floats]:
        """Return one large sphere below each hand, which stands for the floor.

        Args:
            hand_places: places of the hands in the frames of their bodies, whose origins are on the
                floor, shape (T, H, 3), [m].

        Returns:
            Centres, shape (T, H, 1, 3), [m], and radii, shape (T, H, 1), [m]; −∞ below a hand that
            holds nothing.
        """
        # Height above the floor of the lowest point that each hand holds; ∞ if it holds nothing.
        bottoms = np.where(self.is_held, self.places[..., 1] - self.sphere_radii, np.inf)
        lowest = bottoms.min(axis=-1, keepdims=True)
        # The centre is 1 m below the hand. With the radius 1 m − `HAND_GAP` + `_FLOOR_GAP` − lowest
        # the hand's gap is `HAND_GAP`, the least allowed, where lowest = `_FLOOR_GAP`.
        centres = hand_places[:, :, None] - (0.0, 1.0, 0.0)
        return centres, 1.0 - HAND_GAP + _FLOOR_GAP - lowest


class PropSpheres(NamedTuple):
    """K spheres that fill all props, seen from J bodies at T times.

    Args:
        places: centres in the frames of the bodies, shape (T, J, K, 3), [m].
        radii: shape (K,), [m].
        prop: shape (K,), of which prop each is.
    """

    places: Floats
    radii: Floats
    prop: Integers

    @staticmethod
    def from_bodies(motion: Motion, times: Floats, jugglers: Integers, back: Floats) -> PropSpheres:
        """Fill all props with spheres, in the frames of the bodies of some jugglers.

        Args:
            motion: paths of props and bodies.
            times: T times, shape (T,), [s].
            jugglers: indices of the J jugglers, shape (J,).
            back: how far each body stands behind the juggler's place, shape (J,), [m].
        """
        props, radii, prop = _prop_spheres(motion.shapes, motion.sample(times))
        places = motion.bodies.places(times)[:, jugglers, None]
        centres = rotate_about_y(props[:, None] - places[..., PLACE], -places[..., FACING])
        # Props are farther ahead of a body that stands back.
        return PropSpheres(centres + back[:, None, None] * (0.0, 0.0, 1.0), radii, prop)


def _prop_spheres(shapes: PropShapes, frames: Frames) -> tuple[Floats, Floats, Integers]:
    """Fill props with spheres: one for a ball, several along a club or the rim of a ring.

    The aim of a prop is the yaw and pitch of its axis.

    Args:
        shapes: kinds and sizes of the props.
        frames: the props at T times; without aims if all are balls.

    Returns:
        Centres of K spheres in the world, shape (T, K, 3), [m]; radii, shape (K,), [m]; and of
        which prop each is, shape (K,).
    """
    up = np.array([0.0, 1.0, 0.0])
    centres = []
    radii: list[float] = []
    prop_of_sphere: list[int] = []
    for prop, kind in enumerate(shapes.kind):
        centre = frames.props[:, prop]
        size = float(shapes.size[prop])
        if frames.aims is None or kind == "ball":
            centres.append(centre)
            radii.append(size / 2)
        elif kind == "club":
            axis = aim_directions([frames.aims[:, prop]])
            centres += [centre + (along - CLUB_CENTRE) * axis for along in _ALONG_CLUB]
            radii += (np.interp(_ALONG_CLUB, *_CLUB_PROFILE.T) + _BETWEEN_SPHERES).tolist()
        else:
            # A ring stands upright in the plane of its yaw. The spheres are around the circle half
            # way between its outer and inner radius, and half as thick as the rim is wide.
            yaw = frames.aims[:, prop, 0]
            level = np.stack([np.sin(yaw), np.zeros_like(yaw), np.cos(yaw)], axis=-1)
            rim_radius = size / 4 * (1.0 + RING_HOLE)
            for angle in _RIM_ANGLES:
                centres.append(centre + rim_radius * (np.cos(angle) * level + np.sin(angle) * up))
                radii.append(size / 4 * (1.0 - RING_HOLE))
        new_spheres = len(radii) - len(prop_of_sphere)
        prop_of_sphere += [prop] * new_spheres
    return np.stack(centres, axis=1), np.array(radii), np.array(prop_of_sphere)


def move(choreography: Choreography, parameters: Parameters) -> Motion:
    """Return continuous paths of hands and props through the events of a choreography.

    Args:
        choreography: its events are read.
        parameters: of these, prop diameter, catch softness, scoop, spins and the path of empty
            hands are read.

    Raises:
        ChoreographyError: a prop cannot bounce as required in its flight time.
    """
    motion = _direct_motion(choreography, parameters)
    # Hands of jugglers who throw around the body cannot choose their paths freely, so there hands
    # make room for props: in some rounds at throws and catches, then empty ones on their ways.
    if choreography.events.body_throw is None:
        return motion
    for _ in range(_ROUNDS_OF_MOVES):
        with_room = motion.with_room()
        if with_room is motion.choreography:
            break
        motion = _direct_motion(with_room, parameters)
    return replace(motion, direct=motion)


def _direct_motion(choreography: Choreography, parameters: Parameters) -> Motion:
    """Return the motion in which no hand makes room for props.

    Args:
        choreography, parameters: as `move` takes them.

    Raises:
        ChoreographyError: a prop cannot bounce as required in its flight time.
    """
    # Parameters are in cm and %, the motion is in m and shares of 1. (A grip is where a prop lies
    # in its hand.)
    shapes = prop_shapes(choreography, parameters.prop_diameter / 100)
    grips = find_grips(choreography, shapes)
    bodies = body_paths(
        choreography.bodies,
        choreography.jugglers,
        choreography.duration,
        as_juggling_lab=choreography.as_juggling_lab,
    )
    paths = _Paths(
        choreography=choreography,
        shapes=shapes,
        bodies=bodies,
        kinds=solve_flights_by_kind(choreography, bodies, shapes, grips, parameters.spins),
        catch_softness=parameters.catch_softness / 100,
        scoop=parameters.scoop / 100,
        empty_hand_path=parameters.hand_path,
    )
    return Motion(choreography, shapes, bodies, paths)


def _grip_velocities(
    choreography: Choreography, kinds: list[PropKind], shapes: PropShapes
) -> tuple[Floats, Floats]:
    """Velocities of the gripped points of props at throws and catches, in the frames of the bodies.

    An orbit is the closed path that some props share. Where these are of several kinds, which fly
    differently, the velocities are their mean, since hands do the same for each of them.

    Args:
        choreography: flights, F of them, and orbits.
        kinds: flights of each kind of prop, one or more.
        shapes: kinds, sizes and grips of the props, which are in the order of the orbits.

    Returns:
        At throws and at catches, shape (F, 3) each, [m/s].
    """
    if len(kinds) == 1:
        return kinds[0].flight_paths.grip_launch, kinds[0].flight_paths.grip_arrival

    # The share of each kind among the props that take turns in making each flight, those of its
    # orbit, shape (F, kinds).
    kind_of_prop = shapes.flight_kinds.kind_of_prop
    share_of_flight_and_kind = np.zeros((len(choreography.flights.throw), len(kinds)))
    for orbit, props in choreography.orbits_with_props:
        count_of_kind = np.bincount(kind_of_prop[props], minlength=len(kinds))
        share_of_flight_and_kind[list(orbit.flights)] = count_of_kind / orbit.props

    # Sums weighted with these shares, which add up to 1 for each flight.
    launch = np.zeros((len(share_of_flight_and_kind), 3))
    arrival = np.zeros((len(share_of_flight_and_kind), 3))
    for kind_index, kind in enumerate(kinds):
        share_of_kind = share_of_flight_and_kind[:, kind_index, None]
        launch += share_of_kind * kind.flight_paths.grip_launch
        arrival += share_of_kind * kind.flight_paths.grip_arrival
    return launch, arrival


def _target_velocities(
    choreography: Choreography, launch: Floats, arrival: Floats, softness: float
) -> Floats:
    """Velocity of the hand at each throw and catch, shape (E, 3), [m/s], in the frame of its body.

    At throws that is the mean velocity of the thrown props. At catches it is the mean, over the
    caught props, of a share of their velocity, the softness of the catch: a hand that moves along
    with the prop catches it softly. Its magnitude is limited to `MAX_CATCH_SPEED`, and hands that
    claw, with the palm down, also move forward, onto the prop. At all other events the values are
    arbitrary and must not be used.

    Args:
        choreography: E events and F flights.
        launch, arrival: velocities of the points where props are gripped, at the throw and the
            catch of each flight, shape (F, 3), [m/s].
        softness: share of a prop's velocity, 0 to 1, that the hand has as it catches it, where the
            style of the flight requests neither a soft catch nor a grab.
    """
    events = choreography.events
    flights = choreography.flights

    # Softness of the catch with which each flight ends: from the style of the flight, if that asks
    # for a soft catch (1) or a grab (0). It is larger for claws, and smaller around the body.
    # (`flights.style` is empty if all flights have the default style.)
    softness_of_flight = np.full(len(flights.catch), softness)
    for flight, style in enumerate(flights.style):
        softness_of_flight[flight] = _SOFTNESS.get(style.caught, softness)
    if events.grasp is not None:
        is_claw_of_flight = claw_mask(events, CATCH)[flights.catch]
        softness_of_flight = softness_with_claws(softness_of_flight, is_claw_of_flight)
    if events.body_throw is not None:
        is_around_body = events.body_throw[flights.catch] > 0
        softness_of_flight[is_around_body] *= _SOFTNESS_AROUND_BODY

    # From flights to events: means over the props that are caught, or thrown, at the same event; 0
    # where none is.
    velocity = mean_by_event(
        np.concatenate([flights.throw, flights.catch]),
        np.concatenate([launch, softness_of_flight[:, None] * arrival]),
        len(events.time),
    )
    speed = norm(velocity)
    is_too_fast = (events.kind != THROW)[:, None] & (speed > MAX_CATCH_SPEED)
    if is_too_fast.any():
        slowed = velocity * (MAX_CATCH_SPEED / np.maximum(speed, MAX_CATCH_SPEED))
        velocity = np.where(is_too_fast, slowed, velocity)
    return with_claw_approach(velocity, events)


def _strongest_pull(choreography: Choreography) -> Floats:
    """Strongest gravity on the props thrown at each event, shape (E,), downward, [m/s²].

    It is the usual gravity or more, and at events without throws the usual one. For a hand that
    puts a prop down it is `_PUT_DOWN_PULL` instead, [m/s²].

    Args:
        choreography: the events, E of them, and flights, some of which have a gravity of their own
            as their style says.
    """
    flights = choreography.flights
    pull = np.full(len(choreography.events.time), choreography.gravity)
    # Flights with their own style; `flights.style` is empty if none has one.
    for flight, style in enumerate(flights.style):
        event = flights.throw[flight]
        pull[event] = _PUT_DOWN_PULL if style.rests else max(pull[event], style.gravity or 0.0)
    return pull
