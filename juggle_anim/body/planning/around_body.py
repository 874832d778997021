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
_ODD = np.isin(
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
        """All props, seen from some jugglers, shape (J,), who stand back, shape (J,), [m]."""
        props, radii = _balls_of_props(motion.shapes, motion.sample(times))
        places = motion.bodies.places(times)[:, jugglers, None]
        away = rotate_about_y(props[:, None] - places[..., PLACE], -places[..., FACING])
        return PointsNearBodies(away + back[:, None, None] * (0.0, 0.0, 1.0), radii)


def _balls_of_props(shapes: PropShapes, frames: Frames) -> tuple[Floats, Floats]:
    """Balls that fill the props: several along a club, and along the rim of a ring.

    Returns:
        Their centres, shape (T, N, 3), and radii, shape (N,), [m].
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
            yaw = frames.aims[:, prop, 0]
            level = np.stack([np.sin(yaw), 0.0 * yaw, np.cos(yaw)], axis=-1)
            rim = size / 4 * (1.0 + RING_HOLE)
            for angle in _RIM_ANGLES:
                places.append(centre + rim * (np.cos(angle) * level + np.sin(angle) * up))
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
        """How much gaps lack to trunk and head, then to legs."""
        trunk = state.trunk
        shape = trunk.pelvis.shape[:-1]
        head, _ = pose_head(trunk.neck, trunk.upright, None)
        volume = CollisionVolume.from_joints(
            trunk.pelvis, trunk.across, trunk.spine, trunk.neck, head
        )
        local = volume.to_local(self.props).reshape(-1, *self.props.shape[-2:])
        heads = volume.heads(np.arange(len(local)))
        of_body = body_depth(local.transpose(2, 1, 0), heads).T.reshape(*shape, -1)
        to_shoulders = self.props[..., None, :] - trunk.shoulders[..., None, :, :]
        of_shoulders = _SHOULDER_RADIUS - norm(to_shoulders)[..., 0].min(axis=-1)
        of_body = np.maximum(of_body, of_shoulders)
        legs = np.stack([state.legs.hips, state.legs.knees, state.legs.ankles], axis=-2)
        points = np.concatenate([self.props, self.arms], axis=-2)
        of_legs = leg_depth(np.broadcast_to(points, (*shape, *points.shape[-2:])), legs)
        forearms = self.arms.shape[-2] - 2
        arm_radii = np.array([_HAND_RADIUS] * 2 + [_FOREARM_RADIUS] * forearms)
        radii = np.concatenate([self.radii, self.radii, arm_radii])
        depths = np.concatenate([of_body, of_legs], axis=-1) + radii
        return np.maximum(depths + _GAP, 0.0) / _GAP_EXCESS

    def of_jugglers(self, jugglers: Integers) -> KeepClear:
        """That of some jugglers, shape (K,)."""
        return KeepClear(self.props[:, jugglers], self.radii, self.arms[:, jugglers])


@dataclass(frozen=True)
class LimitBends(Task):
    """Hips, knees and trunk bend no farther than people's.

    Args:
        stances: those with feet wide apart bend trunks farther.
    """

    stances: Stances

    def residuals(self, state: TrunkState) -> Floats:
        """Excess of the angles of the left and the right leg, then of the lean."""
        is_wide = self.stances.legs[..., LIFTS.start].min(axis=0) > 0.0
        lean = np.arccos(np.clip(state.trunk.spine[..., 1], -1.0, 1.0))
        of_legs = np.abs(leg_angles(state.legs)) - MOST_LEG_ANGLES
        beyond = np.concatenate(
            [
                of_legs.reshape(*of_legs.shape[:-2], -1),
                (lean - np.where(is_wide, *_MOST_LEAN))[..., None],
            ],
            axis=-1,
        )
        return np.maximum(beyond + _ANGLE_MARGIN, 0.0) / _ANGLE_EXCESS

    def of_jugglers(self, jugglers: Integers) -> LimitBends:
        """That of some jugglers, shape (K,)."""
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
        """That of some jugglers, shape (K,)."""
        return AroundBodyProblem(
            hands=self.hands[:, jugglers],
            turns=self.turns[:, jugglers],
            ankles=self.ankles[:, jugglers],
            stances=self.stances.of_jugglers(jugglers),
            tasks=[task.of_jugglers(jugglers) for task in self.tasks],
            limits=[limit.of_jugglers(jugglers) for limit in self.limits],
        )

    def residuals(self, values: Floats) -> Residuals:
        """Of all tasks, one after another, and of all limits.

        Args:
            values: channels of trunks, then how far lifted legs are moved, shape (..., T, J, C).
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
        """Of differences over small steps of each channel."""
        channels = values.shape[-1]
        unit_steps = np.eye(channels)
        steps = np.concatenate([np.zeros((1, channels)), unit_steps, -unit_steps[_ODD]]) * _STEP
        widths = np.where(_ODD, 2.0 * _STEP, _STEP)
        tasks, limits, _ = self.residuals(values + steps[:, None, None])
        around = np.concatenate([tasks, firmness * limits], axis=-1)
        before = np.repeat(around[:1], channels, axis=0)
        before[_ODD] = around[1 + channels :]
        slopes = (around[1 : 1 + channels] - before) / widths[:, None, None, None]
        slopes = slopes.transpose(1, 2, 0, 3)
        return Products(slopes @ slopes.swapaxes(-1, -2), (slopes @ around[0][..., None])[..., 0])
