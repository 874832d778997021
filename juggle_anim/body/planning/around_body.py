"""Bodies that throw around themselves: legs are unknown, too, and trunk, head and legs keep clear
of props and arms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.arm import from_shoulders_to_wrists
from juggle_anim.body.balance import centre_over_floor
from juggle_anim.body.clearance import CollisionVolume, body_depth, leg_depth
from juggle_anim.body.planning.least_squares import Problem, Products, Residuals
from juggle_anim.body.planning.stances import Stances
from juggle_anim.body.planning.trunk_tasks import EASE, Task, TrunkState
from juggle_anim.body.trunk_and_legs import (
    HIP_ROLL,
    HIP_TURN,
    LEAN,
    LEG_CHANNELS,
    LIFTS,
    MOST_LEG_ANGLES,
    PELVIS,
    SHOULDER_TURN,
    TRUNK_CHANNELS,
    leg_angles,
    lifted_ankles,
    pose_head,
    pose_legs,
    pose_trunk,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Frames, Motion, aim_directions
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.motion.prop_shapes import CLUB_CENTRE, CLUB_WIDTH, RING_HOLE, PropShapes
from juggle_anim.vectors import norm, rotate_about_y

_OFF_CENTRE = 0.005  # m, by which the centre of mass may be off
_BALANCE_EXCESS = 0.002  # m

_GAP = 0.02  # m, between props and bodies as they are drawn, whose volumes are slimmer
_GAP_EXCESS = 0.005  # m
_SHOULDER_RADIUS = 0.065  # m
_HAND_RADIUS = 0.055  # m, of a hand
_FOREARM_RADIUS = 0.035  # m

# How far spines lean from upright, at most, with feet wide apart and otherwise, [rad].
_MOST_LEAN = np.radians([105.0, 60.0])
_ANGLE_MARGIN = np.radians(3.0)
_ANGLE_EXCESS = np.radians(2.0)

# A club as balls: their distances from the end of the knob, and radii, [m]; and where on a ring its
# balls are, [rad].
_CLUB_BALLS = ((0.02, 0.0175), (0.14, 0.013), (0.25, 0.03), (0.35, CLUB_WIDTH / 2), (0.45, 0.035))
_RIM_ANGLES = np.arange(8) * (2.0 * np.pi / 8)

_STEP = 1e-4  # of values, from which derivatives are taken

# Channels that change sign in a mirror: their derivatives are taken from both sides, so that the
# plan of a mirrored body is the mirrored plan.
_MIRRORED = np.isin(
    np.arange(TRUNK_CHANNELS + LEG_CHANNELS),
    [
        PELVIS.start,
        HIP_TURN,
        HIP_ROLL,
        LEAN.start,
        SHOULDER_TURN,
        TRUNK_CHANNELS + LIFTS.start,
        TRUNK_CHANNELS + LIFTS.start + 3,
    ],
)


@dataclass(frozen=True)
class FirmBalance(Task):
    """The centre of mass is nowhere far from where it should be.

    Args:
        hands, centre: as of `Balance`.
    """

    hands: Floats
    centre: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Excess of how far it is off, in both directions."""
        off = centre_over_floor(state.trunk, self.hands, state.legs) - self.centre
        return (off - np.clip(off, -_OFF_CENTRE, _OFF_CENTRE)) / _BALANCE_EXCESS


class PointsNearBodies(NamedTuple):
    """Balls of props.

    Args:
        places: in the frames of J bodies, shape (T, J, K, 3), [m].
        radii: shape (K,), [m].
    """

    places: Floats
    radii: Floats

    @staticmethod
    def of_props(
        motion: Motion, times: Floats, jugglers: Integers, back: Floats
    ) -> PointsNearBodies:
        """Balls that fill all props, in the frames of the bodies of some jugglers.

        Args:
            motion: of the props and bodies.
            times: shape (T,), [s].
            jugglers: indices, shape (J,).
            back: how far each of them stands back from its place, shape (J,), [m].
        """
        props, radii = _balls_of_props(motion.shapes, motion.sample(times))
        places = motion.bodies.places(times)[:, jugglers, None]
        from_bodies = rotate_about_y(props[:, None] - places[..., PLACE], -places[..., FACING])
        # Props are farther ahead of a body that stands back.
        return PointsNearBodies(from_bodies + back[:, None, None] * (0.0, 0.0, 1.0), radii)


def _balls_of_props(shapes: PropShapes, frames: Frames) -> tuple[Floats, Floats]:
    """Return balls that fill the props: one for a ball, several along a club or the rim of a ring.

    Args:
        shapes: of the props.
        frames: the props at T times; without aims if all are balls.

    Returns:
        Centres, in the world, shape (T, N, 3), [m], and radii, shape (N,), [m].
    """
    up = np.array([0.0, 1.0, 0.0])
    places = []
    radii: list[float] = []
    for prop, kind in enumerate(shapes.kind):
        centre = frames.props[:, prop]
        size = float(shapes.size[prop])
        if frames.aims is None or kind == "ball":
            places.append(centre)
            radii.append(size / 2)
        elif kind == "club":
            axis = aim_directions([frames.aims[:, prop]])
            places += [centre + (along - CLUB_CENTRE) * axis for along, _ in _CLUB_BALLS]
            radii += [radius for _, radius in _CLUB_BALLS]
        else:
            # A ring stands upright in the plane of its yaw. The middle of its rim is half way
            # between the outer and the inner radius, and its half width is the radius of balls.
            yaw = frames.aims[:, prop, 0]
            level = np.stack([np.sin(yaw), 0.0 * yaw, np.cos(yaw)], axis=-1)
            rim_radius = size / 4 * (1.0 + RING_HOLE)
            for angle in _RIM_ANGLES:
                places.append(centre + rim_radius * (np.cos(angle) * level + np.sin(angle) * up))
                radii.append(size / 4 * (1.0 - RING_HOLE))
    return np.stack(places, axis=1), np.array(radii)


@dataclass(frozen=True)
class KeepClear(Task):
    """Trunk and head stay clear of props, and legs of props and arms.

    Args:
        props: places of balls, shape (T, J, K, 3), [m].
        radii: theirs, shape (K,), [m].
        arms: places of hands, then of points of forearms, shape (T, J, 2 or more, 3), [m].
    """

    props: Floats
    radii: Floats
    arms: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """How much gaps fall short of `_GAP`, in units of `_GAP_EXCESS`.

        Returns:
            Shape (..., T, J, R): of each ball of a prop to trunk, head and shoulders; then of each
            ball, hand and point of a forearm to the legs. 0 where the gap is wide enough.
        """
        trunk = state.trunk
        shape = trunk.pelvis.shape[:-1]
        head, _ = pose_head(trunk, None)
        volume = CollisionVolume.from_joints(
            trunk.pelvis, trunk.across, trunk.spine, trunk.neck, head
        )
        local = volume.to_local(self.props).reshape(-1, *self.props.shape[-2:])
        heads = volume.heads(np.arange(len(local)))
        # Depths of the centres, negative outside; those of the surfaces are more by the radii.
        in_body = body_depth(local.transpose(2, 1, 0), heads).T.reshape(*shape, -1)
        from_shoulders = self.props[..., None, :] - trunk.shoulders[..., None, :, :]
        in_shoulders = _SHOULDER_RADIUS - norm(from_shoulders)[..., 0].min(axis=-1)
        in_body = np.maximum(in_body, in_shoulders)
        legs = np.stack([state.legs.hips, state.legs.knees, state.legs.ankles], axis=-2)
        points = np.concatenate([self.props, self.arms], axis=-2)
        in_legs = leg_depth(np.broadcast_to(points, (*shape, *points.shape[-2:])), legs)
        forearm_points = self.arms.shape[-2] - 2
        arm_radii = np.array([_HAND_RADIUS] * 2 + [_FOREARM_RADIUS] * forearm_points)
        radii = np.concatenate([self.radii, self.radii, arm_radii])
        depths = np.concatenate([in_body, in_legs], axis=-1) + radii
        return np.maximum(depths + _GAP, 0.0) / _GAP_EXCESS

    def of_jugglers(self, jugglers: Integers) -> KeepClear:
        """The same task for some jugglers, by their indices, shape (K,)."""
        return KeepClear(self.props[:, jugglers], self.radii, self.arms[:, jugglers])


@dataclass(frozen=True)
class LimitBends(Task):
    """Hips, knees and trunk bend no farther than people's.

    Args:
        stances: those with feet wide apart bend trunks farther.
    """

    stances: Stances

    def residuals(self, state: TrunkState) -> Floats:
        """How far angles are beyond their limits less a margin, in units of `_ANGLE_EXCESS`.

        Returns:
            Shape (..., T, J, 9): of four angles of the left leg, four of the right leg, and the
            lean of the spine from upright; 0 within the limits.
        """
        # Feet stand wide apart all the time if the left one is farther out at every moment.
        is_wide = self.stances.legs[..., LIFTS.start].min(axis=0) > 0.0
        lean = np.arccos(np.clip(state.trunk.spine[..., 1], -1.0, 1.0))
        leg_excess = np.abs(leg_angles(state.legs)) - MOST_LEG_ANGLES
        beyond = np.concatenate(
            [
                leg_excess.reshape(*leg_excess.shape[:-2], -1),
                (lean - np.where(is_wide, *_MOST_LEAN))[..., None],
            ],
            axis=-1,
        )
        return np.maximum(beyond + _ANGLE_MARGIN, 0.0) / _ANGLE_EXCESS

    def of_jugglers(self, jugglers: Integers) -> LimitBends:
        """The same task for some jugglers, by their indices, shape (K,)."""
        return LimitBends(self.stances.of_jugglers(jugglers))


@dataclass(frozen=True)
class AroundBodyProblem(Problem):
    """What trunks and legs are asked to do; derivatives are differences.

    Args:
        hands, turns, ankles, tasks, limits: as of `TrunkProblem`.
        stances: which feet are lifted.
    """

    hands: Floats
    turns: Floats
    ankles: Floats
    stances: Stances
    tasks: Sequence[Task]
    limits: Sequence[Task]

    def of_jugglers(self, jugglers: Integers) -> AroundBodyProblem:
        """The problem of some jugglers, by their indices, shape (K,)."""
        return AroundBodyProblem(
            hands=self.hands[:, jugglers],
            turns=self.turns[:, jugglers],
            ankles=self.ankles[:, jugglers],
            stances=self.stances.of_jugglers(jugglers),
            tasks=[task.of_jugglers(jugglers) for task in self.tasks],
            limits=[limit.of_jugglers(jugglers) for limit in self.limits],
        )

    def residuals(self, values: Floats) -> Residuals:
        """Pose trunks and legs, and return the residuals of all tasks and of all limits.

        The offsets of lifted legs are tasks, too: each should be 0, in its unit.

        Args:
            values: channels of trunks, then how far lifted legs are moved, shape (..., T, J, C);
                leading axes are for alternatives, as `products` needs them.
        """
        trunk = pose_trunk(self.hands, values[..., :TRUNK_CHANNELS])
        # Wrists depend little on the trunk, so those of the first alternative serve all.
        shoulders = trunk.shoulders.reshape(-1, *self.hands.shape)[0]
        to_wrists = from_shoulders_to_wrists(self.hands, self.turns, shoulders)
        to_wrists = shoulders + to_wrists - trunk.shoulders
        lifts = self.stances.moved_legs(values[..., TRUNK_CHANNELS:])
        ankles = lifted_ankles(self.ankles, lifts)
        legs = pose_legs(trunk.hips, ankles, channels=lifts)
        state = TrunkState(values[..., :TRUNK_CHANNELS], trunk, to_wrists, legs, ankles)
        tasks = [task.residuals(state) for task in self.tasks]
        eased_legs = values[..., TRUNK_CHANNELS:] / EASE[TRUNK_CHANNELS:]
        limits = [limit.residuals(state) for limit in self.limits]
        return Residuals(
            np.concatenate([*tasks, eased_legs], axis=-1), np.concatenate(limits, axis=-1)
        )

    def products(
        self, values: Floats, missed: Residuals, firmness: float, hurried: Booleans
    ) -> Products:
        """Return the products of derivatives and residuals that Gauss–Newton steps need.

        Derivatives are differences over a small step of each channel: forward ones, or, of channels
        that change sign in a mirror, central ones.

        Args:
            values: shape (T, J, C), as of `residuals`.
            missed: not read, as the residuals are computed again with those of the steps.
            firmness: factor of the residuals of limits.
            hurried: not read, as trunks have no limit of accelerations.
        """
        # Alternatives: no step, a step up in each channel, and a step down in mirrored ones.
        channels = values.shape[-1]
        unit_steps = np.eye(channels)
        steps = np.concatenate([np.zeros((1, channels)), unit_steps, -unit_steps[_MIRRORED]])
        widths = np.where(_MIRRORED, 2.0 * _STEP, _STEP)
        tasks, limits, _ = self.residuals(values + (_STEP * steps)[:, None, None])
        residuals = np.concatenate([tasks, firmness * limits], axis=-1)
        before = np.repeat(residuals[:1], channels, axis=0)
        before[_MIRRORED] = residuals[1 + channels :]
        slopes = (residuals[1 : 1 + channels] - before) / widths[:, None, None, None]
        slopes = slopes.transpose(1, 2, 0, 3)
        pull = (slopes @ residuals[0][..., None])[..., 0]
        return Products(slopes @ slopes.swapaxes(-1, -2), pull)
