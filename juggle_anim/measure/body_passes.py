"""How near props and arms come to bodies, and how far shoulders and hips turn."""

from __future__ import annotations

from itertools import product

import numpy as np

from juggle_anim.analysis.body_pairs import ARM_OF, PARTS, BodyPairs
from juggle_anim.analysis.distances import RoundCones, round_cones_distance
from juggle_anim.analysis.prop_solids import PropSolids
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.scene.figure import limb_shapes
from juggle_anim.vectors import cross, dot, unit

# The least distance of an ankle from the line of its thigh, [m].
_LEAST_BENT = 0.1

_EARTH = 1000.0  # m

_NEAREST = 200  # pairs of limbs that are measured before others


def passing_gap(
    animation: Animation, times: Floats, without: str = "nothing", follows: float = 0.0
) -> float:
    """The least gap between a prop and a body, but for hands and forearms that handle it, [m].

    Args:
        animation: of one juggler.
        times: shape (T,), [s].
        without: the end of the names of parts that are left out.
        follows: for how much longer than `HANDLING` a hand goes along with what it threw, or is
            about to catch, [s].
    """
    pairs = BodyPairs(animation)
    every = np.arange(animation.choreography.props * len(PARTS))
    pair, moment = np.tile(every, len(times)), np.repeat(times, len(every))
    gap = pairs.gap(pair, moment)
    counts = np.tile([not part.endswith(without) for part in PARTS], len(pair) // len(PARTS))
    handled = [
        pairs.contact_allowed(pair, (moment + by) % animation.duration)
        for by in {-follows, 0.0, follows}
    ]
    return float(gap[counts & ~np.logical_or.reduce(handled)].min())


def floor_gap(animation: Animation, times: Floats) -> float:
    """The least height of any prop above the floor, [m]; negative if it passes through it.

    Args:
        animation: whatever it juggles.
        times: shape (T,), [s].
    """
    solids, props = PropSolids(animation.motion), animation.choreography.props
    prop, moment = np.tile(np.arange(props), len(times)), np.repeat(times, props)
    # A ball so large is flat to half a millimetre where people stand.
    floor = RoundCones.balls(
        np.tile([0.0, -_EARTH, 0.0], (len(prop), 1)), np.full(len(prop), _EARTH)
    )
    return float(solids.gap_to_cones(solids.posed(prop, moment), floor).min())


def arm_gap(joints: Floats) -> float:
    """The least gap between arms and the rest of a body, [m]; joints (T, 1, `JOINTS`, 3).

    It is that of forearms and hands from trunk, head and legs, and that of upper arms from legs.
    """
    limbs = limb_shapes(joints).reshape(len(joints), -1, 8)
    legs = _numbers("thigh", "shin")
    lower, rest = (
        np.flatnonzero(np.array(ARM_OF) >= 0).tolist(),
        [*_numbers("trunk", "head"), *legs],
    )
    pairs = [*product(lower, rest), *product(_numbers("upper arm"), legs)]
    some, others = (
        RoundCones(rows[:, :3], rows[:, 3], rows[:, 4:7], rows[:, 7])
        for rows in (limbs[:, list(each)].reshape(-1, 8) for each in zip(*pairs, strict=True))
    )
    # Most are far from each other, which the balls around them tell at much less cost.
    apart = np.linalg.norm((some.start + some.end - others.start - others.end) / 2, axis=1)
    least = apart - _around(some) - _around(others)
    nearest = (
        least <= np.partition(least, _NEAREST)[_NEAREST]
        if len(least) > _NEAREST
        else least <= np.inf
    )
    gap = round_cones_distance(some.of(nearest), others.of(nearest)).min()
    maybe = (least < gap) & ~nearest
    return float(round_cones_distance(some.of(maybe), others.of(maybe)).min(initial=gap))


def _around(cones: RoundCones) -> Floats:
    """Radii of balls around the middles of cones that hold them, shape (N,), [m]."""
    return np.linalg.norm(cones.end - cones.start, axis=1) / 2 + np.maximum(
        cones.start_radius, cones.end_radius
    )


def _numbers(*ends: str) -> list[int]:
    """The numbers of the parts whose names end in some words."""
    return [number for number, part in enumerate(PARTS) if part.endswith(ends)]


def shoulder_turns(joints: Floats) -> tuple[Floats, Floats]:
    """How far upper arms turn inward from where they hang, and how far back they are, each (T, 2),
    [°].

    Args:
        joints: shape (T, `JOINTS`, 3), [m].
    """
    turns, backs = [], []
    up = unit(joints[:, Joint.CHEST] - joints[:, Joint.PELVIS])
    left = unit(joints[:, Joint.LEFT_SHOULDER] - joints[:, Joint.RIGHT_SHOULDER])
    left = unit(left - dot(left, up) * up)
    ahead = cross(left, up)
    for side, outward in ((0, left), (1, -left)):
        shoulder, elbow, wrist = (
            joints[:, joint + side]
            for joint in (Joint.LEFT_SHOULDER, Joint.LEFT_ELBOW, Joint.LEFT_WRIST)
        )
        axes = np.stack([outward, up, ahead], axis=1)
        arm, forearm = (
            np.einsum("tij,tj->ti", axes, unit(bone)) for bone in (elbow - shoulder, wrist - elbow)
        )
        # The shortest turn takes a hanging arm there, and the directions that belong to it.
        about, whole = cross(np.broadcast_to([0.0, -1.0, 0.0], arm.shape), arm), 1.0 - arm[:, 1:2]

        def carried(
            vector: tuple[float, float, float], about: Floats = about, whole: Floats = whole
        ) -> Floats:
            once = cross(about, np.broadcast_to(vector, about.shape))
            return np.asarray(vector) + once + cross(about, once) / whole

        across, along = (
            dot(forearm, carried((-1.0, 0.0, 0.0))),
            dot(forearm, carried((0.0, 0.0, 1.0))),
        )
        turns.append(np.degrees(np.arctan2(across, along))[:, 0])
        backs.append(np.degrees(np.arcsin(-arm[:, 2])))
    return np.stack(turns, axis=1), np.stack(backs, axis=1)


def hip_turns(joints: Floats) -> tuple[Floats, Floats, Floats]:
    """How far thighs are bent forward, spread outward, and turned outward about themselves, each
    (T, 2), [°].

    E. S. Grood and W. J. Suntay, "A joint coordinate system for the clinical description of
    three-dimensional motions",
    1983. Where a shank is nearly in line with its thigh, that turn shows nowhere and is 0.

    Args:
        joints: shape (T, `JOINTS`, 3), of bodies that face ahead, [m].
    """
    found = []
    for side, outward in ((0, np.array([1.0, 0.0, 0.0])), (1, np.array([-1.0, 0.0, 0.0]))):
        hip, knee, ankle = (
            joints[:, joint + side] for joint in (Joint.LEFT_HIP, Joint.LEFT_KNEE, Joint.LEFT_ANKLE)
        )
        thigh, shank = unit(knee - hip), ankle - knee
        shank = shank - dot(shank, thigh) * thigh
        hinge = unit(outward - dot(thigh, outward) * thigh)
        turned = np.arcsin(np.clip(-dot(unit(shank), hinge)[:, 0], -1.0, 1.0))
        bent = np.linalg.norm(shank, axis=-1) > _LEAST_BENT
        found.append(
            (
                np.arctan2(thigh[:, 2], -thigh[:, 1]),
                np.arcsin(thigh @ outward),
                np.where(bent, turned, 0.0),
            )
        )
    flexion, abduction, rotation = np.degrees(np.array(found)).transpose(1, 2, 0)
    return flexion, abduction, rotation


def bends_beyond(joints: Floats, trunk: float) -> float:
    """How far hips, knees and trunk of a body bend or turn beyond people's limits, [°]; negative if
    within them.

    I. A. Kapandji, "The Physiology of the Joints", volumes 2 and 3; American Academy of Orthopaedic
    Surgeons, "Joint Motion: Method of Measuring and Recording".

    Args:
        joints: as of `hip_turns`.
        trunk: how far the trunk may bend, [°].
    """
    flexion, abduction, rotation = hip_turns(joints)
    beyond = [flexion.max() - 120.0, np.abs(abduction).max() - 45.0, np.abs(rotation).max() - 45.0]
    for side in (0, 1):
        hip, knee, ankle = (
            joints[:, joint + side] for joint in (Joint.LEFT_HIP, Joint.LEFT_KNEE, Joint.LEFT_ANKLE)
        )
        beyond += [
            _bend(np.array([[0.0, -1.0, 0.0]]), knee - hip) - 120.0,
            _bend(knee - hip, ankle - knee) - 140.0,
        ]
    spine = joints[:, Joint.CHEST] - joints[:, Joint.PELVIS]
    return float(max(*beyond, _bend(np.array([[0.0, 1.0, 0.0]]), spine) - trunk))


def _bend(some: Floats, others: Floats) -> float:
    """The largest angle between some directions, shape (T, 3) each, [°]."""
    return float(np.degrees(np.arccos(dot(unit(some), unit(others)))).max())


def under_thigh(pose: Floats, place: Floats, leg: int) -> tuple[float, Floats]:
    """Where a place is under the thigh of a leg, 0 the left one: the share of the way from hip to
    knee, and from there.

    Args:
        pose: shape (`JOINTS`, 3), [m].
        place: shape (3,), [m].
        leg: 0 for the left one.
    """
    hip, knee = pose[Joint.LEFT_HIP + leg], pose[Joint.LEFT_KNEE + leg]
    away, thigh = place - hip, knee - hip
    share = float((away * thigh)[[0, 2]].sum() / (thigh * thigh)[[0, 2]].sum())
    return share, away - share * thigh
