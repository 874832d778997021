"""Arms and hands: joints from each shoulder to the fingertips, and the axes of the arm's joints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers, Rule
from juggle_anim.body.arms.solvers import AT_EASE, Arm, ArmPose, HandDirections, Solver
from juggle_anim.body.skeleton import (
    DIGIT_RULES,
    FINGERS,
    FOREARM,
    PALM,
    PALM_HALF_THICKNESS,
    THUMB,
    THUMB_BACK,
    THUMB_OUT,
    TIPS,
    UPPER_ARM,
    Joint,
    digit_points,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import HELD, TURN
from juggle_anim.vectors import cross, dot, norm, smooth_step, smoother_step, unit, unit_interval

SOFT_MAX_REACH = 0.94
MAX_REACH = 0.982
"""A wrist farther from its shoulder than `SOFT_MAX_REACH` is softly kept within `MAX_REACH`. Both
are shares of the length of upper arm and forearm together.
"""

SOFT_MIN_REACH = 0.38
MIN_REACH = 0.32
"""A wrist nearer to its shoulder than `SOFT_MIN_REACH` is softly kept beyond `MIN_REACH`, where the
elbow is bent by 145°: its muscles bend it no farther (I. A. Kapandji, "The Physiology of the
Joints", volume 1), and around a nearer wrist the elbow would turn fast. Both are shares as above.
"""

_BONES = Arm(UPPER_ARM, FOREARM)
_SIDES = np.array([0, 1])

WRIST_LIMITS = np.radians([[-90.0, 85.0], [-70.0, 80.0], [-40.0, 25.0]])
"""Lower and upper limit of the turn of a forearm (palm up, palm down), of a wrist's flexion
(extension, flexion) and of its deviation (ulnar, radial), shape (3, 2), [rad]; signs are those of
`Arms.wrist_angles`.
"""

FREE_BEND = np.radians(68.0)
MAX_BEND = np.radians(78.0)
"""Bend of a wrist beyond which its hand gives way, and the bend that it never reaches, [rad]."""

ARM_RULES: dict[str, Rule] = {
    "FREE_BEND": FREE_BEND,
    "FOREARM": FOREARM,
    "PALM": PALM,
    "UPPER_ARM": UPPER_ARM,
    "FAR": SOFT_MAX_REACH,
    "FARTHEST": MAX_REACH,
    "NEAR": SOFT_MIN_REACH,
    "NEAREST": MIN_REACH,
    "SIDES": _SIDES,
}
"""Constants for a web page, by the names in its scripts."""

_STRAIGHT = 1e-6  # sine of the bend below which an arm has no plane of its own

# A hand points away from a relaxed elbow.
_ELBOW_OUT = 0.10  # m, outward of the shoulder
_ELBOW_BACK = 0.18  # m, behind it, which makes the hand point forward rather than sideways

_TURN_DISTANCE = 0.15  # m, over which hands that pass their relaxed elbows backward turn inward
_INWARD = 0.9  # m inward for each metre behind

# A hand turns toward the line of the arm from the first distance on, as a share of the whole arm,
# and by `_STRAIGHTENED_SHARE` of the angle at the second.
_STRAIGHTENING_RANGE = (0.75, 1.15)
_STRAIGHTENED_SHARE = 0.5

_WHOLE_ARM = UPPER_ARM + FOREARM + PALM

FREE_DEVIATION = np.radians([10.0, 20.0])
MAX_DEVIATION = np.radians([18.0, 32.0])
"""Radial and ulnar deviation of a wrist beyond which its hand gives way, and that it never reaches,
[rad]; people's wrists have 25° and 40°, and what is left allows for forearms that are only
estimated.
"""

# Hands that point back along their forearms give way less from the first deviation on, and not at
# all from the second one, [rad].
_YIELDS_LESS = np.radians([95.0, 170.0])

_NO_YIELD_BEHIND = 0.3  # m behind its shoulder, where a hand does not give way either

# About the direction of left and right elbows from the line between shoulder and wrist.
_ELBOW_DIRECTIONS = unit(np.array([[0.5, -1.0, -0.6], [-0.5, -1.0, -0.6]]))
_WRIST_BELOW = 0.03  # m, of a wrist below what its hand holds

# Added to the square of the part of that direction across the line, so that the estimate stays
# smooth where it lies along the line.
_MIN_SIDE_SQUARE = 0.2

# Length of the part of a forearm's unit direction in the plane of the palm from which on the hand
# gives way wholly.
_FULL_YIELD_FLATNESS = 0.54

_OUTWARD = np.array([1.0, -1.0])  # sign of x outward of left and right hands

HAND_RULES: dict[str, Rule] = {
    "FINGERS": FINGERS,
    "FOREARM": FOREARM,
    "PALM": PALM,
    "THUMB": THUMB,
    "THUMB_BACK": THUMB_BACK,
    "THUMB_OUT": THUMB_OUT,
    "TIPS": TIPS,
    "UPPER_ARM": UPPER_ARM,
    "PALM_RADIUS": PALM_HALF_THICKNESS,
    "FREE_BEND": FREE_BEND,
    "FARTHEST_BEND": MAX_BEND,
    **DIGIT_RULES,
    "ELBOW_OUT": _ELBOW_OUT,
    "ELBOW_BACK": _ELBOW_BACK,
    "ROUND": _TURN_DISTANCE,
    "INWARD": _INWARD,
    "STRAIGHTENS": _STRAIGHTENING_RANGE,
    "STRAIGHT": _STRAIGHTENED_SHARE,
    "WHOLE_ARM": _WHOLE_ARM,
    "OUTWARD": _OUTWARD,
    "FREE_DEVIATION": FREE_DEVIATION,
    "FARTHEST_DEVIATION": MAX_DEVIATION,
    "YIELDS_LESS": _YIELDS_LESS,
    "BEHIND": _NO_YIELD_BEHIND,
    "ELBOWS": _ELBOW_DIRECTIONS,
    "WRIST_BELOW": _WRIST_BELOW,
    "LEAST_SIDE": _MIN_SIDE_SQUARE,
    "FLAT": _FULL_YIELD_FLATNESS,
}
"""Constants for a web page, by the names in its scripts."""


@dataclass(frozen=True)
class Arms:
    """Joints of both arms of J jugglers at T times, left then right, shape (T, J, 2, 3) each, [m].

    Args:
        elbows, wrists: as solved.
        palms: roots of the fingers.
        thumbs: roots of the thumbs.
        hands: directions of the hands, as turned.
        gaps: how far each hand stays short of its place, shape (T, J, 2), [m]; at least 0.
    """

    elbows: Floats
    wrists: Floats
    palms: Floats
    thumbs: Floats
    hands: Hands
    gaps: Floats

    def wrist_angles(self, shoulders: Floats) -> Floats:
        """Return the joint angles of the wrists, shape (T, J, 2, 3), [rad].

        The last axis has the turn of the forearm (pronation: 0 with the thumb up, positive with the
        palm down), the flexion of the wrist (positive toward the palm) and its radial deviation
        (positive toward the thumb). They are Euler angles in this order: about the forearm, the
        axis of the thumb, and that of the palm.

        Args:
            shoulders: shape (T, J, 2, 3) for J jugglers at T times, left then right, [m]. With
                elbows and wrists they give the axes of the elbows' hinges, so no arm may be quite
                straight.
        """
        forearm = (self.wrists - self.elbows) / FOREARM
        fingers = (self.palms - self.wrists) / PALM
        # The thumb's root lies back along the fingers and to the side; adding the way back along
        # the fingers leaves the direction to the side alone.
        thumb = unit(self.thumbs - self.palms + THUMB_BACK * fingers)
        hinge = unit(cross(forearm, self.elbows - shoulders))
        # Left and right hands are mirror images: a sign makes cross products alike on both sides.
        outward = _OUTWARD[:, None]
        palm = outward * cross(fingers, thumb)
        # Turn: seen along the forearm, the palm's angle from the inward end of the hinge, where it
        # points when the thumb is up.
        downward = cross(hinge, forearm)
        turn = np.arctan2(dot(palm, downward), -outward * dot(palm, hinge))
        # Flexion: the palm points back along the forearm by its sine.
        flexion_sine = -dot(palm, forearm)
        flexion = np.arcsin(np.minimum(np.maximum(flexion_sine, -1.0), 1.0))
        # Deviation: in the plane of fingers and thumb, the angle from the forearm to the fingers.
        deviation = np.arctan2(-dot(thumb, forearm), dot(fingers, forearm))
        return np.concatenate([turn, flexion, deviation], axis=-1)


def reach_for(
    hands: Floats,
    turns: Floats,
    shoulders: Floats,
    solver_at: Callable[[Integers | slice], Solver],
    swivels: Floats,
    gives_way: bool = True,
    bends_by_plan: bool = False,
) -> Arms:
    """Pose the arms of J jugglers at T times so that each palm lies against the prop it holds.

    Where the first solution bends a wrist too far, its hand turns toward the forearm, which moves
    the wrist; those times are solved a second time. As this looks at each moment by itself, hands
    may turn abruptly where they go around bodies. There a plan of the arms over the loop keeps
    wrists from bending so far (`bends_by_plan`).

    Args:
        hands: shape (T, J, 2, 3), centres of held props, for jugglers who face +z, left hand then
            right, [m].
        turns: shape (T, J, 2, `CHANNELS`), yaw, pitch and roll of the hands [rad], how they close,
            and where they grip props [m], as in `juggle_anim.motion.palms`.
        shoulders: shape (T, J, 2, 3), [m].
        solver_at: function from some of the T times, given as indices or a slice, to the solver
            that places elbows at these times.
        swivels: lift of the elbows outward, shape (2,) or (T, J, 2), [rad].
        gives_way: whether hands turn so that no wrist deviates (bends sideways) too far.
        bends_by_plan: whether a plan limits the bends of wrists where the swivel is `AT_EASE`: no
            hand turns for its bend there.
    """
    # Vectors from the shoulders to held props and to the targets of the wrists.
    to_props = hands - shoulders
    directions = turn_hands(to_props, turns, gives_way)
    to_wrists = directions.wrists(to_props)
    solution = _solve_arms(shoulders, to_wrists, directions, solver_at(slice(None)), swivels)
    elbows = solution.elbow
    wrists = solution.wrist
    # Wrists that are bent by more than `FREE_BEND` and not limited by a plan, and the times at
    # which any juggler has one.
    forearm = (wrists - elbows) / FOREARM
    is_bent = dot(forearm, directions.fingers)[..., 0] < np.cos(FREE_BEND)
    if bends_by_plan:
        is_bent &= swivels != AT_EASE
    bent_moments = np.flatnonzero(is_bent.any(axis=(1, 2)))
    if bent_moments.size:
        # Only these times are solved again. Hands that are bent less do not turn: what is not bent
        # too far stays the same bit for bit.
        yielding = directions.subset(bent_moments).with_limited_bend(
            forearm[bent_moments], is_bent[bent_moments]
        )
        directions = directions.with_subset(bent_moments, yielding)
        to_wrists[bent_moments] = yielding.wrists(to_props[bent_moments])
        resolved = _solve_arms(
            shoulders[bent_moments],
            to_wrists[bent_moments],
            yielding,
            solver_at(bent_moments),
            # Swivels of shape (2,) are those of all times.
            swivels[bent_moments] if swivels.ndim == 3 else swivels,
        )
        elbows[bent_moments] = resolved.elbow
        wrists[bent_moments] = resolved.wrist
    # Palms and thumbs follow from the wrists as reached; gaps are how far these miss their targets.
    palms = wrists + PALM * directions.fingers
    gap_vectors = shoulders + to_wrists - wrists
    return Arms(
        elbows=elbows,
        wrists=wrists,
        palms=palms,
        thumbs=palms - THUMB_BACK * directions.fingers + THUMB_OUT * directions.thumb,
        hands=directions,
        gaps=norm(gap_vectors)[..., 0],
    )


def from_shoulders_to_wrists(
    hands: Floats, turns: Floats, shoulders: Floats, gives_way: bool = True
) -> Floats:
    """Return vectors from shoulders to wrists, if wrists could bend without limit, (T, J, 2, 3).

    Args:
        hands: shape (T, J, 2, 3) for J jugglers at T times, centres of held props, for jugglers who
            face +z, [m].
        turns: shape (T, J, 2, `CHANNELS`), yaw, pitch and roll of the hands [rad], how they close,
            and where they grip props [m].
        shoulders: shape (T, J, 2, 3), [m].
        gives_way: whether hands turn so that no wrist deviates (bends sideways) too far.
    """
    to_props = hands - shoulders
    return turn_hands(to_props, turns, gives_way).wrists(to_props)


def _solve_arms(
    shoulders: Floats, to_wrists: Floats, hands: Hands, solver: Solver, swivels: Floats
) -> ArmPose:
    """Pose arms with wrists softly kept within reach, so that no arm is straight or fully folded.

    Args:
        shoulders: shape (T, J, 2, 3) for J jugglers at T times, [m].
        to_wrists: vectors from the shoulders to targets of the wrists, shape (T, J, 2, 3), [m].
        hands: directions of fingers and palms, which some solvers use to place elbows.
        solver: the method that poses arms, which places the elbows.
        swivels: lift of the elbows outward, shape (2,) or (T, J, 2), [rad].
    """
    distance = norm(to_wrists)
    distance_in_reach = _softly_within_reach(distance, UPPER_ARM + FOREARM)
    to_wrists_in_reach = to_wrists / np.maximum(distance, 1e-9) * distance_in_reach
    return solver(
        shoulder=shoulders,
        hand=shoulders + to_wrists_in_reach,
        arm=_BONES,
        side=_SIDES,
        swivel=swivels,
        directions=HandDirections(hands.fingers, hands.palm),
    )


def _softly_within_reach(distance: Floats, length: float) -> Floats:
    """Return distances from shoulder to wrist, softly limited to what an arm spans, [m].

    A straight arm starts to bend with unbounded speed, so no arm becomes quite straight. Around a
    wrist at its shoulder the elbow would turn fast, so no wrist comes quite there. From
    `SOFT_MIN_REACH` to `SOFT_MAX_REACH`, distances stay as they are. Beyond either, an excess x
    becomes w tanh(x / w), where w is the room from there to the limit, `MIN_REACH` or `MAX_REACH`
    (all four are shares of the length).

    Args:
        distance: distances of the targets of wrists, of any shape, at least 0, [m].
        length: length of upper arm and forearm together, [m].
    """
    far_from = SOFT_MAX_REACH * length
    near_from = SOFT_MIN_REACH * length
    too_far = np.maximum(distance - far_from, 0.0)
    too_near = np.maximum(near_from - distance, 0.0)
    far_room = (MAX_REACH - SOFT_MAX_REACH) * length
    near_room = (SOFT_MIN_REACH - MIN_REACH) * length
    # Each parenthesis replaces an excess by its softened one; it is 0 where there is no excess.
    return (
        distance
        + (far_room * np.tanh(too_far / far_room) - too_far)
        - (near_room * np.tanh(too_near / near_room) - too_near)
    )


def arm_axes(joints: Floats) -> Floats:
    """Return axes of the shoulder, the elbow and the wrist of both arms, as rotation matrices.

    At shoulder and elbow, x is along the bone, away from the body; z along the elbow's hinge; and
    y = z × x. At the wrist, x is along the palm toward the fingers, z points to the side of the
    thumb, and y = z × x.

    Args:
        joints: places of a body's joints, as `Joint` numbers them, shape (..., `JOINTS`, 3), [m].

    Returns:
        Shape (..., 2, 3, 3, 3), in the frame of `joints`: side (left, right), joint (shoulder,
        elbow, wrist), and a matrix whose columns are the axes x, y and z.
    """
    shoulder, elbow, wrist, palm, thumb = (
        joints[..., [Joint[f"LEFT_{name}"], Joint[f"RIGHT_{name}"]], :]
        for name in ("SHOULDER", "ELBOW", "WRIST", "PALM", "THUMB")
    )
    upper = unit(elbow - shoulder)
    forearm = unit(wrist - elbow)
    fingers = (palm - wrist) / PALM
    thumb_side = unit(thumb - palm + THUMB_BACK * fingers)
    hinge_line = cross(forearm, upper)
    hinge_size = norm(hinge_line)
    # The hinge is normal to the plane of the arm. A straight arm has no plane, and any axis across
    # it would fit; the direction to the side of the thumb, made normal to the arm, is taken.
    hinge = np.where(
        hinge_size > _STRAIGHT,
        hinge_line / np.maximum(hinge_size, _STRAIGHT),
        unit(thumb_side - dot(thumb_side, upper) * upper),
    )
    axes_x_and_z = ((upper, hinge), (forearm, hinge), (fingers, thumb_side))
    return np.stack([np.stack([x, cross(z, x), z], axis=-1) for x, z in axes_x_and_z], axis=-3)


@dataclass(frozen=True)
class Hands:
    """The directions of hands, unit vectors at right angles to each other, of shape (T, J, 2, 3).

    Args:
        fingers: from the wrist to the roots of the fingers.
        palm: out of the palm, toward a held prop.
        thumb: from the palm's middle to the side of the thumb.
        grip_offsets: where the gripped point of a prop lies, shape (T, J, 2, 3), [m]. The last axis
            is no vector but three distances of that point: out of the palm's skin, straight below
            the hand's place, and behind the roots of the fingers.
    """

    fingers: Floats
    palm: Floats
    thumb: Floats
    grip_offsets: Floats

    def subset(self, moments: Integers) -> Hands:
        """Select the hands at some of the T times, by their indices, shape (N,)."""
        return Hands(*(getattr(self, channel.name)[moments] for channel in fields(self)))

    def with_subset(self, moments: Integers, replacements: Hands) -> Hands:
        """Copy these hands, with others at some of the T times.

        Args:
            moments: shape (N,), indices of these times.
            replacements: hands at N times, in the same order.
        """
        names = [channel.name for channel in fields(self)]
        merged = [getattr(self, name).copy() for name in names]
        for name, values in zip(names, merged, strict=True):
            values[moments] = getattr(replacements, name)
        return Hands(*merged)

    def wrists(self, hands: Floats) -> Floats:
        """Return the places of the wrists of hands that hold props, shape (T, J, 2, 3), [m].

        Args:
            hands: places of the hands, which are the centres of held props, shape (T, J, 2, 3) for
                J jugglers at T times, [m], in the frame of the directions of these hands, with y
                up; wrists are in the same frame.
        """
        from_skin, below_centre, behind_fingers = np.moveaxis(self.grip_offsets, -1, 0)
        # From the centre of the prop straight down to the gripped point (done last, as it concerns
        # y alone); from there against the palm's direction to the middle of the hand's thickness;
        # and then back to the wrist. The gripped point is `behind_fingers` behind the roots of the
        # fingers, and the wrist is `PALM` behind them.
        wrists = hands - (from_skin[..., None] + PALM_HALF_THICKNESS) * self.palm
        wrists -= (PALM - behind_fingers[..., None]) * self.fingers
        wrists[..., 1] -= below_centre
        return wrists

    def digit_joints(self, palms: Floats, digits: Floats) -> Floats:
        """Return the joints of fingers and thumbs, shape (T, J, 2, 13, 3), [m].

        Args:
            palms: joints at the roots of the fingers, `LEFT_PALM` and `RIGHT_PALM`, shape
                (T, J, 2, 3) for J jugglers at T times, [m]; the result is in the same frame.
            digits: channels of `digit_points`, by which fingers and thumbs are bent and spread,
                shape (T, J, 2, `DIGITS`).

        Returns:
            The 13 joints of each hand, in the order of `DIGIT_JOINTS`.
        """
        # `digit_points` gives the joints in the frame of the palm, with the joints on the last
        # axis. The sums are computed that way, as numpy is faster on the longer axis. Each joint is
        # palms + along · fingers + across · thumb + height · palm, with unit vectors (T, J, 2, 3).
        points = digit_points(digits)
        along, across, height = (points[..., axis : axis + 1, :] for axis in range(3))
        joints = self.fingers[..., None] * along
        joints += self.thumb[..., None] * across
        joints += self.palm[..., None] * height
        joints += palms[..., None]
        return np.swapaxes(joints, -1, -2)

    def with_limited_bend(self, forearm: Floats, is_limited: Booleans | bool = True) -> Hands:
        """Turn hands rigidly toward their forearms, so that no wrist bends too far.

        The bend of a wrist is the angle between fingers and forearm. A bend α beyond f =
        `FREE_BEND` becomes f + w tanh((α − f) / w), with w the room up to `MAX_BEND`.

        Args:
            forearm: unit vectors from elbows to wrists, shape (T, J, 2, 3) for J jugglers at T
                times.
            is_limited: which hands turn so, broadcasts over (T, J, 2).
        """
        bend_cosine = dot(self.fingers, forearm)
        bend = np.arccos(np.minimum(np.maximum(bend_cosine, -1.0), 1.0))
        room = MAX_BEND - FREE_BEND
        excess = np.maximum(bend - FREE_BEND, 0.0) * np.asarray(is_limited)[..., None]
        yielding = excess - room * np.tanh(excess / room)
        # The hand rotates by `yielding`, the reduction of the bend, in the plane of fingers and
        # forearm. The axes of this plane are the fingers and the direction across them toward the
        # forearm; the part of a vector normal to the plane stays.
        toward_forearm = unit(forearm - bend_cosine * self.fingers)
        sine = np.sin(yielding)
        cosine = np.cos(yielding)

        def rotated(vectors: Floats) -> Floats:
            """Return vectors of the hands, shape (T, J, 2, 3), rotated by `yielding`."""
            along = dot(vectors, self.fingers)
            across = dot(vectors, toward_forearm)
            off_plane = vectors - along * self.fingers - across * toward_forearm
            in_plane = (along * cosine - across * sine) * self.fingers + (
                along * sine + across * cosine
            ) * toward_forearm
            # The sum has rounding errors, so hands that need not yield keep their vectors: they
            # stay the same bit for bit, whatever hands are posed with them.
            return np.where(excess > 0, off_plane + in_plane, vectors)

        return replace(
            self,
            fingers=rotated(self.fingers),
            palm=rotated(self.palm),
            thumb=rotated(self.thumb),
        )


def turn_hands(from_shoulders: Floats, turns: Floats, gives_way: bool = True) -> Hands:
    """Return the directions of fingers, palms and thumbs of hands with yaw, pitch and roll.

    At yaw 0 a hand points away from where a relaxed elbow would be. From there, hands of arms that
    reach far turn toward the line of the arm, and then hands whose wrists deviate (bend sideways)
    too far turn toward their forearms, both in the plane of the palm.

    Args:
        from_shoulders: shape (T, J, 2, 3) for J jugglers at T times, from the shoulders to held
            props, for jugglers who face +z, with the left at +x, [m].
        turns: shape (T, J, 2, `CHANNELS`), as in `juggle_anim.motion.palms`; the first three are
            yaw (outward), pitch (up) and roll (0 palm up, π palm down), [rad], and `HELD` are the
            offsets of the grip, [m].
        gives_way: whether hands whose wrists deviate too far turn toward their forearms. It is
            False where hands go around the body, which would turn too fast.
    """
    yaw, pitch, roll = np.moveaxis(turns[..., TURN], -1, 0)
    heading_x, heading_z = _level_heading(from_shoulders, yaw)
    pitch_sine = np.sin(pitch)
    pitch_cosine = np.cos(pitch)
    roll_sine = np.sin(roll)
    roll_cosine = np.cos(roll)
    # The directions of fingers, palm and thumb after yaw and pitch, at roll 0 with the palm up.
    fingers = _stacked(pitch_cosine * heading_x, pitch_sine, pitch_cosine * heading_z)
    palm_up = _stacked(-pitch_sine * heading_x, pitch_cosine, -pitch_sine * heading_z)
    thumb_out = _stacked(_OUTWARD * heading_z, np.zeros_like(pitch_sine), -_OUTWARD * heading_x)
    # The roll turns palm and thumb about the fingers.
    palm = roll_cosine[..., None] * palm_up - roll_sine[..., None] * thumb_out
    thumb = roll_cosine[..., None] * thumb_out + roll_sine[..., None] * palm_up
    fingers, thumb = _straightened(from_shoulders, fingers, thumb)
    if gives_way:
        fingers, thumb = _with_limited_deviation(from_shoulders, fingers, thumb)
    return Hands(
        fingers=fingers,
        palm=palm,
        thumb=thumb,
        grip_offsets=turns[..., HELD],
    )


def _level_heading(from_shoulders: Floats, yaw: Floats) -> tuple[Floats, Floats]:
    """Return level unit vectors along the fingers, from the places of the hands and their yaw.

    At yaw 0 a hand points in the direction from a relaxed elbow to the hand, seen from above.

    Args:
        from_shoulders: vectors from the shoulders to held props, to the left, up and ahead, shape
            (T, J, 2, 3) for J jugglers at T times, [m].
        yaw: how far hands are turned outward from there, shape (T, J, 2), [rad].

    Returns:
        Components to the left (+x) and ahead (+z), shape (T, J, 2) each.
    """
    # The direction from the relaxed elbow, in the coordinates outward and ahead, [m]. The elbow is
    # `_ELBOW_BACK` behind its shoulder and `_ELBOW_OUT` outward of it. `_OUTWARD` is 1 for left
    # hands, whose x is outward, and −1 for right ones.
    ahead = from_shoulders[..., 2] + _ELBOW_BACK
    outward = _OUTWARD * from_shoulders[..., 0] - _ELBOW_OUT
    # `ahead` is replaced by its softplus, d ln(1 + exp(ahead / d)) with d = `_TURN_DISTANCE`, a
    # smooth maximum of it and 0. So no hand points back, and a hand that passes its elbow does not
    # turn abruptly. Far ahead nothing changes.
    softened_ahead = _TURN_DISTANCE * np.logaddexp(0.0, ahead / _TURN_DISTANCE)
    # Hands behind the elbow point inward, the more the farther behind they are. What the softplus
    # adds grows in the same way, and is nearly 0 for hands far ahead.
    outward = outward - _INWARD * (softened_ahead - ahead)
    length = np.sqrt(outward * outward + softened_ahead * softened_ahead)
    # The unit vector, turned by the yaw.
    sine = np.sin(yaw)
    cosine = np.cos(yaw)
    to_left = _OUTWARD * (outward * cosine + softened_ahead * sine) / length
    to_front = (softened_ahead * cosine - outward * sine) / length
    return to_left, to_front


def _straightened(from_shoulders: Floats, fingers: Floats, thumb: Floats) -> tuple[Floats, Floats]:
    """Turn the hands of arms that reach far toward the line of the arm, in the plane of the palm.

    How far an arm reaches is the distance over the length of the whole arm; in the range
    `_STRAIGHTENING_RANGE` of it the turn grows from none to its largest share.

    Args:
        from_shoulders: vectors from the shoulders to held props, shape (T, J, 2, 3) for the two
            hands of J jugglers at T times, [m].
        fingers, thumb: unit vectors along the fingers and to the side of the thumb, of the same
            shape.

    Returns:
        Directions of fingers and thumbs, each of shape (T, J, 2, 3).
    """
    distance = norm(from_shoulders)
    # How much of the way to turn: a smooth step of the distance, 3 s² − 2 s³, times the largest
    # share.
    start, full = _STRAIGHTENING_RANGE
    step = unit_interval((distance / _WHOLE_ARM - start) / (full - start))
    share = _STRAIGHTENED_SHARE * step * step * (3 - 2 * step)
    # The mixture (1 − share) · fingers + share · line of the arm: its components along the fingers
    # and toward the thumb, normalised, are cosine and sine of the turn in the plane of the palm.
    # The bounds avoid divisions by 0.
    arm_line = from_shoulders / np.maximum(distance, 1e-9)
    along = 1 - share + share * dot(arm_line, fingers)
    across = share * dot(arm_line, thumb)
    length = np.maximum(np.sqrt(along * along + across * across), 1e-9)
    cosine = along / length
    sine = across / length
    return cosine * fingers + sine * thumb, cosine * thumb - sine * fingers


def _with_limited_deviation(
    from_shoulders: Floats, fingers: Floats, thumb: Floats
) -> tuple[Floats, Floats]:
    """Turn hands in the plane of the palm, so that no wrist deviates too far to either side.

    A wrist deviates if it bends in the plane of the palm. Forearms are estimated, as arms are not
    solved yet. Hands that point back or are behind the body stay as they are, since their forearms
    are elsewhere than estimated.

    Args:
        from_shoulders: vectors from the shoulders to held props, shape (T, J, 2, 3) for J jugglers
            at T times, [m].
        fingers, thumb: unit vectors along the fingers and to the side of the thumb, shape
            (T, J, 2, 3).

    Returns:
        Directions of fingers and thumbs, each of shape (T, J, 2, 3).
    """
    forearm = _estimated_forearm(from_shoulders - PALM * fingers - (0.0, _WRIST_BELOW, 0.0))
    along = dot(forearm, fingers)
    across = dot(forearm, thumb)
    deviation = np.arctan2(across, along)
    turn = _excess_deviation(deviation)
    # The turn is reduced by three smooth steps, each 1 where its argument is 1 or more; a step is
    # computed only if some argument is less. First, a forearm at right angles to the palm has no
    # direction in its plane, and nearby the deviation changes fast.
    flatness = np.sqrt(along * along + across * across) / _FULL_YIELD_FLATNESS
    if (flatness < 1.0).any():
        turn *= smoother_step(flatness)
    # Second, hands that point back.
    fade_start, fade_end = _YIELDS_LESS
    forward_share = (fade_end - np.abs(deviation)) / (fade_end - fade_start)
    if (forward_share < 1.0).any():
        turn *= smooth_step(forward_share)
    # Third, hands behind their shoulders: z, the last coordinate, is ahead.
    front_share = 1.0 + from_shoulders[..., 2:] / _NO_YIELD_BEHIND
    if (front_share < 1.0).any():
        turn *= smooth_step(front_share)
    sine = np.sin(turn)
    cosine = np.cos(turn)
    return cosine * fingers + sine * thumb, cosine * thumb - sine * fingers


def _excess_deviation(deviation: Floats) -> Floats:
    """Return how far hands have to turn toward their forearms so that no wrist deviates too far.

    A deviation δ beyond the free one f is to become f + w tanh((δ − f) / w), with w the room from f
    up to the farthest one. The turn is the difference of the two.

    Args:
        deviation: angles δ from the fingers to the forearm in the plane of the palm, of any shape,
            [rad]: positive where the forearm is on the side of the thumb (ulnar deviation),
            negative where it is on the other side (radial deviation).

    Returns:
        Turns of the same shape and sign, [rad]; 0 up to the free deviation.
    """
    # The constants have the radial angle first. At most one side has an excess.
    turn = np.zeros_like(deviation)
    for sign, free_angle, farthest_angle in zip(
        (-1.0, 1.0), FREE_DEVIATION, MAX_DEVIATION, strict=True
    ):
        room = farthest_angle - free_angle
        excess = np.maximum(sign * deviation - free_angle, 0.0)
        turn += sign * (excess - room * np.tanh(excess / room))
    return turn


def _estimated_forearm(to_wrists: Floats) -> Floats:
    """Estimate the directions of the forearms, from elbows to wrists, shape (T, J, 2, 3).

    Hands are turned before the arms are solved, when the elbows are not known. Each elbow is
    estimated by the law of cosines: from the line between shoulder and wrist it lies about in
    `_ELBOW_DIRECTIONS`, down, a little outward and back.

    Args:
        to_wrists: vectors from shoulders to wrists, shape (T, J, 2, 3) for J jugglers at T times,
            [m].

    Returns:
        Vectors that are a little shorter than unit vectors.
    """
    length = UPPER_ARM + FOREARM
    distance = norm(to_wrists)
    axis = to_wrists / np.maximum(distance, 1e-9)
    reach = _softly_within_reach(distance, length)
    # The elbow is at (r² + l₁² − l₂²) / 2r along the line to the wrist at r, and `toward_elbow` is
    # its direction across the line. This is a little shorter than a unit vector, and 0 where the
    # line itself is along `_ELBOW_DIRECTIONS`: so nothing jumps, and the result is a little shorter
    # than a unit vector, too.
    along = (reach + (UPPER_ARM**2 - FOREARM**2) / reach) / 2
    across = np.sqrt(UPPER_ARM**2 - along * along)
    off_axis = _ELBOW_DIRECTIONS - dot(axis, _ELBOW_DIRECTIONS) * axis
    toward_elbow = off_axis / np.sqrt(dot(off_axis, off_axis) + _MIN_SIDE_SQUARE)
    return ((reach - along) * axis - across * toward_elbow) / FOREARM


def _stacked(x: Floats, y: Floats, z: Floats) -> Floats:
    """Vectors from their coordinates, shape (...) each to (..., 3); faster than `np.stack`."""
    vectors = np.empty((*x.shape, 3))
    vectors[..., 0] = x
    vectors[..., 1] = y
    vectors[..., 2] = z
    return vectors
