"""The pose: every joint of every juggler, solved from where the hands are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.arm import reach_for
from juggle_anim.body.legs import stand
from juggle_anim.body.skeleton import JOINTS, Joint
from juggle_anim.body.trunk import carry_trunk
from juggle_anim.motion import Frames, Motion
from juggle_anim.parameters import Parameters

# How much more hands point upward that hold clubs.
_RAISED = 0.10


@dataclass(frozen=True)
class Pose:
    """The joints of J jugglers at T times.

    Args:
        times: shape (T,), [s].
        joints: shape (T, J, `JOINTS`, 3), in the world, [m].
        gaps: shape (T, J, 2), how far each hand stays short of where the pattern wants it, [m]; 0 within reach.
    """

    times: Floats
    joints: Floats
    gaps: Floats


def pose(frames: Frames, motion: Motion, parameters: Parameters) -> Pose:
    """Solve every joint.

    Args:
        frames: where the hands are.
        motion: the motion the frames are of: it knows where jugglers stand and how thick a prop is.
        parameters: chicken wing and body motion are read.
    """
    places = motion.bodies.places(frames.times)[:, :, None]
    standing, facing = places[..., :3], places[..., 3]
    hands = _turn(frames.hands - standing, -facing)
    trunk = carry_trunk(hands, parameters.body_motion / 100)
    wing, raised = np.radians(parameters.chicken_wing), _RAISED if motion.shapes.clubs else 0.0
    arms = reach_for(hands, trunk.shoulders, motion.prop_radius, wing, raised)
    legs = stand(trunk.pelvis)
    joints = np.empty((*hands.shape[:2], JOINTS, 3))
    joints[..., Joint.PELVIS, :] = trunk.pelvis
    joints[..., Joint.CHEST, :] = trunk.chest
    joints[..., Joint.NECK, :] = trunk.neck
    joints[..., Joint.HEAD, :] = trunk.head
    pairs = (trunk.shoulders, arms.elbows, arms.wrists, arms.palms, arms.fingers, *legs)
    joints[..., Joint.LEFT_SHOULDER :, :] = np.concatenate(pairs, axis=-2)
    return Pose(frames.times, _turn(joints, facing) + standing, arms.gaps)


def _turn(points: Floats, angle: Floats) -> Floats:
    """Points turned about +y; shape (T, J, N, 3), angle (T, J, 1)."""
    if not angle.any():
        return points
    sine, cosine = np.sin(angle), np.cos(angle)
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    return np.stack([x * cosine + z * sine, y, z * cosine - x * sine], axis=-1)
