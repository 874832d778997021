"""Prints how far throws around the body keep the laws of tests/body.

    .venv/bin/python -m juggle_anim.measure.body_throws "3;throws=albert,-;prop=club" "531"

A row of figures belongs to each settings string; a ! stands behind those beyond their limits.

How near props and arms come to bodies, and how far shoulders and hips turn.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np

from juggle_anim.analysis import (
    ARM_OF,
    PARTS,
    BodyPairs,
    PropSolids,
    RoundCones,
    round_cones_distance,
)
from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Floats
from juggle_anim.body import (
    JOINTS,
    MAX_LEG_ANGLES,
    WRIST_LIMITS,
    Joint,
    Legs,
    leg_angles,
    support_margin,
)
from juggle_anim.choreography import BODY_THROWS, THROW, throw_word
from juggle_anim.measure.limbs import (
    arm_depth_in_other_arm,
    arm_depth_in_trunk,
    elbow_kink,
    trunk_axes,
)
from juggle_anim.measure.realism import wrist_angles
from juggle_anim.scene import Cone, limb_shapes
from juggle_anim.vectors import cross, dot, norm, unit

_FLOOR_BALL_RADIUS = 1000.0  # m

_FIRST_PAIRS = 200  # pairs of limbs that are measured before others

_MAX_HIP_FLEXION = 120.0  # °
_MAX_TRUNK_BEND = 60.0  # °
_MAX_TRUNK_BEND_OF_STANCE = 105.0  # °, in body throws with a stance of their own


def passing_gap(
    animation: Animation, times: Floats, *, without: str | None = None, follows: float = 0.0
) -> float:
    """Return the least gap between any prop and the body, [m]; negative if they overlap.

    A prop may touch the hand and forearm that throw, hold or catch it, so these are left out while
    they handle the prop.

    Args:
        animation: an animation of one juggler.
        times: T times, shape (T,), at which gaps are measured, [s].
        without: body parts whose names end in this, such as "hand", are left out; None for none.
        follows: how much longer than the analysis allows a hand may touch a prop that it threw, or
            is about to catch, [s].
    """
    pairs = BodyPairs(animation)
    # Every prop with every body part, at every time. Pairs are numbered prop by prop, and by body
    # part within each, as `BodyPairs` has them.
    all_pairs = np.arange(animation.choreography.props * len(PARTS))
    pair = np.tile(all_pairs, len(times))
    time = np.repeat(times, len(all_pairs))
    gap = pairs.gap(pair, time)
    is_wanted_part = [without is None or not part.endswith(without) for part in PARTS]
    is_measured = np.tile(is_wanted_part, len(pair) // len(PARTS))
    # Contact is allowed at a time if it is allowed then, or `follows` earlier or later, which makes
    # handling longer by that at both ends. Times wrap around, since the animation is a loop.
    is_handled = np.zeros(len(pair), dtype=bool)
    for offset in {-follows, 0.0, follows}:  # a single one if `follows` is 0
        is_handled |= pairs.contact_allowed(pair, (time + offset) % animation.duration)
    return float(gap[is_measured & ~is_handled].min())


def floor_gap(animation: Animation, times: Floats) -> float:
    """Return the least height of any prop above the floor, [m]; negative if it passes through it.

    Args:
        animation: the animation whose props are measured.
        times: T times, shape (T,), at which they are measured, [s].
    """
    solids = PropSolids(animation.motion)
    # Every prop at every time.
    prop_count = animation.choreography.props
    prop = np.tile(np.arange(prop_count), len(times))
    time = np.repeat(times, prop_count)
    # Gaps are computed between solids, so the floor is a ball that touches y = 0 from below: one of
    # 1 km is flat to half a millimetre within a metre of its top.
    floor = RoundCones.balls(
        np.tile([0.0, -_FLOOR_BALL_RADIUS, 0.0], (len(prop), 1)),
        np.full(len(prop), _FLOOR_BALL_RADIUS),
    )
    return float(solids.gap_to_cones(solids.posed(prop, time), floor).min())


def arm_gap(joints: Floats) -> float:
    """Return the least gap between the arms and the rest of a body, [m]; negative if they overlap.

    It is the smaller of the gap between forearms or hands and trunk, head or legs, and that between
    upper arms and legs. Upper arms always touch the trunk, and gaps between the two arms are not
    measured here.

    Args:
        joints: joints of one juggler at T times, shape (T, 1, `JOINTS`, 3), [m].
    """
    # Round cones of all body parts, shape (T, part, 8), and indices of parts.
    limbs = limb_shapes(joints).reshape(len(joints), -1, 8)
    legs = _part_indices("thigh", "shin")
    # Only forearms and hands are parts of an arm in `ARM_OF`; others have −1 there.
    forearms_and_hands = np.flatnonzero(np.array(ARM_OF) >= 0).tolist()
    trunk_head_legs = [*_part_indices("trunk", "head"), *legs]
    pairs = [
        *product(forearms_and_hands, trunk_head_legs),
        *product(_part_indices("upper arm"), legs),
    ]
    arms = _cones_of_parts(limbs, [arm for arm, _obstacle in pairs])
    obstacles = _cones_of_parts(limbs, [obstacle for _arm, obstacle in pairs])
    return _least_gap(arms, obstacles)


def _cones_of_parts(limbs: Floats, parts: list[int]) -> RoundCones:
    """Return body parts at T times as round cones: all at the first time, then at the next one.

    Args:
        limbs: all body parts, shape (T, part, 8): start, its radius, end and its radius, [m].
        parts: indices of the wanted parts, any of which may occur more than once.
    """
    rows = limbs[:, parts].reshape(-1, 8)
    return RoundCones(
        rows[:, Cone.START],
        rows[:, Cone.START_RADIUS],
        rows[:, Cone.END],
        rows[:, Cone.END_RADIUS],
    )


def _least_gap(cones: RoundCones, others: RoundCones) -> float:
    """Return the least gap between a cone and the other cone of the same row, [m].

    It is negative if they overlap. Exact gaps, which take long, are computed only for the pairs
    that may have the least one.

    Args:
        cones, others: N pairs of a cone and an other cone.
    """
    # The gap between the balls that enclose both cones is a cheap lower bound of their gap.
    between_middles = (cones.start + cones.end - others.start - others.end) / 2
    bounds = (
        np.linalg.norm(between_middles, axis=1) - _bounding_radii(cones) - _bounding_radii(others)
    )
    # Exact gaps of the pairs with the least bounds (about `_FIRST_PAIRS`) first; all if there are
    # no more.
    is_first = np.ones(len(bounds), dtype=bool)
    if len(bounds) > _FIRST_PAIRS:
        is_first = bounds <= np.partition(bounds, _FIRST_PAIRS)[_FIRST_PAIRS]
    least = round_cones_distance(cones.select(is_first), others.select(is_first)).min()
    # Of the other pairs, only those whose bound is below the least of these gaps can be nearer.
    may_be_nearer = (bounds < least) & ~is_first
    gaps = round_cones_distance(cones.select(may_be_nearer), others.select(may_be_nearer))
    return float(gaps.min(initial=least))


def _bounding_radii(cones: RoundCones) -> Floats:
    """Radii of balls about the middles of cones' axes that enclose the cones, shape (N,) for N
    cones, [m].
    """
    return np.linalg.norm(cones.end - cones.start, axis=1) / 2 + np.maximum(
        cones.start_radius, cones.end_radius
    )


def _part_indices(*ends: str) -> list[int]:
    """Indices in `PARTS` of the body parts whose names end in one of the given words."""
    return [index for index, part in enumerate(PARTS) if part.endswith(ends)]


def shoulder_turns(joints: Floats) -> tuple[Floats, Floats]:
    """Return how far upper arms rotate inward about themselves, and how far they point back.

    An upper arm gets from hanging to where it is by the shortest turn, and then by a rotation about
    itself, which is measured here. The forearm shows it: in a hanging arm with a bent elbow, it
    points ahead at rotation 0 and to the other side at 90°.

    Args:
        joints: joints of one juggler at T times, shape (T, `JOINTS`, 3), [m].

    Returns:
        Rotations, positive inward, and angles of the upper arms behind the plane of the trunk,
        negative in front of it; both of shape (T, 2), left then right, [°].
    """
    rotations = []
    angles_back = []
    up, left, behind = trunk_axes(joints)
    for side, outward in ((0, left), (1, -left)):
        shoulder = joints[:, Joint.LEFT_SHOULDER + side]
        elbow = joints[:, Joint.LEFT_ELBOW + side]
        wrist = joints[:, Joint.LEFT_WRIST + side]
        # Unit vectors in the coordinates outward, up and ahead, (T, 3), in which right arms are
        # mirror images of left ones.
        axes = np.stack([outward, up, -behind], axis=1)
        arm = np.einsum("tij,tj->ti", axes, unit(elbow - shoulder))
        forearm = np.einsum("tij,tj->ti", axes, unit(wrist - elbow))
        # The forearm's parts along the directions that were inward and ahead before the shortest
        # turn; its part along the upper arm does not matter.
        inward = dot(forearm, _turned_with_arm((-1.0, 0.0, 0.0), arm))
        forward = dot(forearm, _turned_with_arm((0.0, 0.0, 1.0), arm))
        rotations.append(np.degrees(np.arctan2(inward, forward))[:, 0])
        angles_back.append(np.degrees(np.arcsin(-arm[:, 2])))
    return np.stack(rotations, axis=1), np.stack(angles_back, axis=1)


def _turned_with_arm(vector: tuple[float, float, float], arm: Floats) -> Floats:
    """Turn a vector by the shortest turns that take a hanging arm to given directions, (T, 3).

    Args:
        vector: components outward, up and ahead.
        arm: unit vectors along upper arms at T times, with the same components, shape (T, 3); none
            may point straight up.
    """
    # The shortest turn that takes a unit vector d to a takes any vector v to
    # v + w × v + w × (w × v) / (1 + d · a), where w = d × a. Here d = (0, −1, 0).
    axis = cross(np.broadcast_to([0.0, -1.0, 0.0], arm.shape), arm)
    divisor = 1.0 - arm[:, 1:2]
    once = cross(axis, np.broadcast_to(vector, axis.shape))
    return np.asarray(vector) + once + cross(axis, once) / divisor


def hip_turns(joints: Floats) -> tuple[Floats, Floats, Floats]:
    """Return flexion, abduction and outward rotation of both hips, each (T, 2) for T times, [°].

    Angles are relative to an upright body: 0 for a thigh straight down. They are defined as in
    E. S. Grood and W. J. Suntay, "A joint coordinate system for the clinical description of
    three-dimensional motions", 1983. The rotation of a thigh about itself shows only in its shank;
    for a nearly straight leg `leg_angles` gives a rotation of 0.

    Args:
        joints: joints of one juggler who faces +z at the origin, shape (T, `JOINTS`, 3), [m].

    Returns:
        Flexion, positive with the thigh ahead; abduction, positive outward; and rotation, positive
        outward; the left hip before the right one.
    """
    legs = _legs_of(joints)
    # The flexion is seen from the side and has a sign. The first of `leg_angles` is another angle:
    # that of the thigh from straight down in whatever direction.
    thigh = unit(legs.knees - legs.hips)
    flexion = np.arctan2(thigh[..., 2], -thigh[..., 1])
    angles = leg_angles(legs)  # (T, 2, 4): from straight down, abduction, rotation, knee
    abduction = angles[..., 1]
    rotation = angles[..., 2]
    return np.degrees(flexion), np.degrees(abduction), np.degrees(rotation)


def _legs_of(joints: Floats) -> Legs:
    """Legs of bodies whose joints have shape (T, `JOINTS`, 3), [m]."""
    pairs = [
        joints[:, [left, left + 1]]
        for left in (Joint.LEFT_HIP, Joint.LEFT_KNEE, Joint.LEFT_ANKLE, Joint.LEFT_TOES)
    ]
    return Legs(*pairs)


def bends_beyond(joints: Floats, max_trunk_bend: float) -> float:
    """Return by how much hips, knees and trunk bend beyond people's range of motion at most, [°].

    It is negative if all stay within their limits at all times. Limits of legs are
    `_MAX_HIP_FLEXION` and `MAX_LEG_ANGLES`: hips flex by 120°, and turn by 45° in abduction and
    rotation, to either side; knees bend by 140°.

    Sources: I. A. Kapandji, "The Physiology of the Joints", volumes 2 and 3; American Academy of
    Orthopaedic Surgeons, "Joint Motion: Method of Measuring and Recording".

    Args:
        joints: shape (T, `JOINTS`, 3) for T times, of one juggler who faces +z, [m].
        max_trunk_bend: how far the trunk may bend from upright, [°].
    """
    flexion, _, _ = hip_turns(joints)
    flexion_excess = flexion.max() - _MAX_HIP_FLEXION
    # Four angles of each leg and their limits, [rad]: of the thigh from straight down, in whatever
    # direction; of the thigh to a side; of its turn about itself; and of the knee.
    angles = np.abs(leg_angles(_legs_of(joints)))
    leg_excess = np.degrees(angles - MAX_LEG_ANGLES).max()
    spine = joints[:, Joint.CHEST] - joints[:, Joint.PELVIS]
    trunk_excess = _largest_angle(np.array([[0.0, 1.0, 0.0]]), spine) - max_trunk_bend
    return float(max(flexion_excess, leg_excess, trunk_excess))


def _largest_angle(vectors: Floats, other_vectors: Floats) -> float:
    """The largest angle between two lists of vectors, shape (T, 3) for T vectors or (1, 3) each,
    [°].
    """
    cosines = np.clip(dot(unit(vectors), unit(other_vectors)), -1.0, 1.0)  # rounding
    return float(np.degrees(np.arccos(cosines)).max())


def under_thigh(joints: Floats, place: Floats, leg: int) -> tuple[float, Floats]:
    """Return where along a thigh a place is, seen from above, and the vector to it from there.

    Args:
        joints: joints of one juggler, shape (`JOINTS`, 3), [m].
        place: shape (3,), in the same frame, [m].
        leg: 0 for the left leg, 1 for the right one.

    Returns:
        The share of the way from hip to knee (0 to 1; beyond for a place that is not under the
        thigh) that is nearest to the place, seen from above, and the vector from there to the
        place, shape (3,), [m].
    """
    # Right joints come straight after left ones.
    hip = joints[Joint.LEFT_HIP + leg]
    thigh = joints[Joint.LEFT_KNEE + leg] - hip
    to_place = place - hip
    # The projection on the thigh by the level parts, x and z, of both vectors.
    level = [0, 2]
    share = float((to_place * thigh)[level].sum() / (thigh * thigh)[level].sum())
    return share, to_place - share * thigh


LAWS = {
    # Depths are negative for a gap.
    "hand off": 1.5,  # how far a hand stays short of its place, [cm]
    "prop": -1.0,  # depth of a prop in a body, [cm]
    "no hands": -1.0,  # the same without hands, [cm]
    "limbs": 0.3,  # depth of an arm in trunk, head or legs as they are drawn, [cm]
    "trunk": 0.3,  # depth of a forearm or palm in the volume of trunk and head, [cm]
    "arms": 0.3,  # depth of a forearm in the other arm, [cm]
    "wrists": 6.0,  # share of wrists and moments beyond limits, [%]
    "balance": -2.0,  # how far the centre of mass is outside of the soles, [cm]
    "speed": 10.0,  # of the fastest hand, [m/s]
    "elbows": 0.5,  # change of an elbow's velocity within 0.5 ms, [m/s]
    "bends": 0.0,  # of hips, knees and trunk, farther than people's, [°]
    "floor": -1.0,  # depth of a prop in the floor, [cm]
    # How far a place under a thigh is from `_THIGH_SHARE` of the way from hip to knee, likewise.
    "thigh": 0.3,
}
"""The limits of figures, which are to be no larger, in the order of `measure`."""

_THIGH_SHARE = 0.7  # of the way from hip to knee, where throws under a thigh should be

_COLUMN_WIDTH = 9  # characters of a printed figure

_UNDER_LEGS = ("underleg", "underleg-inside", "underleg-other")


def measure(animation: Animation, rate: float) -> Floats:
    """Measure an animation with throws around the body against all `LAWS`.

    Args:
        animation: an animation of one juggler.
        rate: moments a second at which it is sampled, [Hz]; there are at least 8 moments.

    Returns:
        A figure for each law, in their order and units: the worst of all moments, except for
        "wrists", a share of the moments.
    """
    moment_count = max(8, round(animation.duration * rate))
    times = animation.times(moment_count)
    pose = animation.pose(times)
    joints = pose.joints
    # Factors of 100 turn metres into centimetres, and shares into percent. A gap is a distance from
    # surface to surface, below 0 where bodies overlap: times −100 it is a depth in centimetres.
    figures = {
        "hand off": 100 * pose.gaps.max(),  # how far a hand stays short of its place, [cm]
        # Depth of a prop in the body, [cm], and in all of it but the hands. Until 20 ms after a
        # throw the hand that threw may still touch the prop.
        "prop": -100 * passing_gap(animation, times, follows=0.02),
        "no hands": -100 * passing_gap(animation, times, without="hand"),
        # Depth of an arm in trunk, head or legs as they are drawn; of a forearm or palm in the
        # volume of trunk and head; and of a forearm in the other arm, [cm].
        "limbs": -100 * arm_gap(joints),
        "trunk": 100 * arm_depth_in_trunk(joints[:, 0]),
        "arms": 100 * arm_depth_in_other_arm(joints[:, 0]),
        "wrists": 100 * _share_of_bent_wrists(joints),  # [%]
        "balance": -100 * support_margin(joints).min(),  # of the centre of mass off the soles, [cm]
        "speed": norm(animation.motion.sample(times, derivative=1).hands).max(),  # of hands, [m/s]
        # Change of an elbow's velocity within 0.5 ms, [m/s].
        "elbows": elbow_kink(animation, times),
        # How much farther than people's limits hips, knees and trunk bend, [°].
        "bends": bends_beyond(joints[:, 0], _max_trunk_bend(animation)),
        "floor": -100 * floor_gap(animation, times),  # depth of a prop in the floor, [cm]
        "thigh": _thigh_share_error(animation),  # of throws under a thigh, as a share of its length
    }
    return np.array([figures[name] for name in LAWS])


def _share_of_bent_wrists(joints: Floats) -> float:
    """Share of wrists and moments, 0 to 1, at which any angle of a wrist is beyond its limits.

    Args:
        joints: shape (..., `JOINTS`, 3), [m].
    """
    lowest, highest = np.degrees(WRIST_LIMITS.T)
    angles = wrist_angles(joints)
    is_within = ((angles >= lowest) & (angles <= highest)).all(axis=-1)
    return float(1.0 - is_within.mean())


def _max_trunk_bend(animation: Animation) -> float:
    """Return how far the trunk may bend from upright, [°]: more in throws with a stance of their
    own.
    """
    body_throw = animation.choreography.events.body_throw
    if body_throw is None:  # no throws around the body
        return _MAX_TRUNK_BEND
    # The kind of each throw counts `BODY_THROWS` from 1; 0 stands for usual throws.
    numbers = set(body_throw[body_throw > 0].tolist())
    has_stance = any(BODY_THROWS[number - 1].posture.stance for number in numbers)
    return _MAX_TRUNK_BEND_OF_STANCE if has_stance else _MAX_TRUNK_BEND


def _thigh_share_error(animation: Animation) -> float:
    """Return how far throws under a thigh are at most from where they should be along it.

    They should be at `_THIGH_SHARE` of the way from hip to knee, seen from above. The result is a
    share of this way; 0 for an animation without such throws.

    Args:
        animation: an animation of one juggler.
    """
    events = animation.choreography.events
    farthest = 0.0
    for event in np.flatnonzero(events.around_body):
        _grasp, body_throw_number = events.manners[event].tolist()
        word = throw_word(body_throw_number)
        side = int(events.hand[event]) % 2  # 0 left, 1 right
        if word in _UNDER_LEGS and events.kind[event] == THROW:
            joints = animation.pose(events.time[event]).joints.reshape(-1, JOINTS, 3)[0]
            # The hand goes under the leg of its own side, except for the throw under the other one.
            leg = 1 - side if word == "underleg-other" else side
            share, _from_thigh = under_thigh(joints, events.position[event], leg)
            farthest = max(farthest, abs(share - _THIGH_SHARE))
    return farthest


def main() -> None:
    """Print the figures of all settings; a ! stands behind each that is beyond its limit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("settings", nargs="+", help="as in 3;throws=albert,-;prop=club")
    print("".join(f"{name + ' ':>{_COLUMN_WIDTH}}" for name in LAWS))
    for text in parser.parse_args().settings:
        cells = zip(measure(animate(text), 100.0), LAWS.values(), strict=True)
        marked = (f"{figure:.2f}{'!' if figure > limit else ' '}" for figure, limit in cells)
        print("".join(f"{cell:>{_COLUMN_WIDTH}}" for cell in marked), "", text)


if __name__ == "__main__":
    main()
