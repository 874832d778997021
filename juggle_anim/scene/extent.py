"""The extent of an animation: what pictures must show, and what the eyes of its jugglers have to see."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import JOINTS, Joint
from juggle_anim.motion import Frames, Motion, aim_directions
from juggle_anim.scene.aids import REACH
from juggle_anim.scene.camera import EyeRange
from juggle_anim.scene.framing import extreme_points
from juggle_anim.scene.rows import Cone

_AXES = np.concatenate([np.eye(3), -np.eye(3)])


def outermost_points(motion: Motion, frames: Frames, joints: Floats, stands: Singles) -> Floats:
    """Points around people and props, shape (N, 3), [m].

    Args:
        motion: of the loop.
        frames: hands and props at T times of it.
        joints: shape (T, J, 29, 3), at these times.
        stands: rows of `Cone` that are always there.
    """
    found, posts = joints.reshape(-1, 3), stands.astype(float)
    points = np.concatenate([found, _prop_points(motion, frames), posts[:, Cone.START], posts[:, Cone.END]])
    floor = found.reshape(-1, JOINTS, 3)[0, -2:] * (1.0, 0.0, 1.0)
    return np.concatenate([extreme_points(points), floor])


def _prop_points(motion: Motion, frames: Frames) -> Floats:
    """Centres, apexes and ends of props, shape (N, 3), [m]."""
    centres, highest = frames.props.reshape(-1, 3), motion.flight_paths.parabolas.apexes()
    if frames.aims is None:
        return np.concatenate([centres, highest])
    reach = motion.shapes.reach
    along = aim_directions([frames.aims]) * reach[:, None]
    ends = [(frames.props + side * along).reshape(-1, 3) for side in (-1, 1)]
    beyond = reach.max() * _AXES
    return np.concatenate([centres, *ends, (highest[:, None] + beyond).reshape(-1, 3)])


def reach_points(joints: Floats) -> Floats:
    """Extreme points along the world axes of the spheres that hands reach, shape (N, 3), [m].

    Args:
        joints: shape (T, J, 29, 3).
    """
    shoulders = joints[:, :, [Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]].reshape(-1, 1, 3)
    return (shoulders + REACH * _AXES).reshape(-1, 3)


def eye_ranges(motion: Motion, hands: Floats, joints: Floats) -> list[EyeRange]:
    """What the eyes of each juggler have to see over a loop.

    Args:
        motion: of the loop.
        hands: shape (T, J, 2, 3), at times of it.
        joints: shape (T, J, 29, 3), at these times.
    """
    events, flights, paths = motion.choreography.events, motion.choreography.flights, motion.flight_paths
    tops, of = paths.parabolas.apexes(), paths.parabolas.flight
    thrower, catcher = (events.hand[event[of]] // 2 for event in (flights.throw, flights.catch))
    return [
        EyeRange.of(
            joints[:, juggler, Joint.HEAD],
            joints[:, juggler, Joint.FACE],
            hands[:, juggler],
            tops[(thrower == juggler) | (catcher == juggler)],
        )
        for juggler in range(motion.choreography.jugglers)
    ]
