"""Plan of crossed arms: elbows and hands turn so that forearms pass each other and do not meet.

Where the hands of a juggler change sides, both arms are posed with their elbows and hands turned in
a few ways, and for each pair of these the gap between the arms is found. Of all sequences of pairs
over the loop the cheapest is taken, by dynamic programming (R. Bellman, "Dynamic Programming",
1957): gaps that are missing cost most, then turns, and changes of them. So which arm goes over the
other is decided once, and each turns in time.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.anatomy import CROSSING_HAND_RADII, FOREARM_RADII, UPPER_ARM_RADII
from juggle_anim.body.arm import reach_for
from juggle_anim.body.arms.solvers import AT_EASE, DEFAULT_SOLVER, SOLVERS
from juggle_anim.body.clearance import CollisionVolume, arm_depths
from juggle_anim.body.planning.swivel_plan import EXCESS_SPEED, MAX_SPEED_RATIO
from juggle_anim.body.pose import BodyPlan, pose
from juggle_anim.body.skeleton import FOREARM, PALM, Joint
from juggle_anim.body.trunk_and_legs import pose_head, pose_trunk
from juggle_anim.motion import Motion
from juggle_anim.motion.palms import CHANNELS
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.parameters import Parameters
from juggle_anim.vectors import cross, dot, norm, unit, unit_interval

TURNS = 3
"""By how much a hand turns outward and up, and its elbow outward."""

MAX_KNOTS = 250
"""Knots times jugglers whose hands cross, beyond which nothing is planned."""

_SAMPLES = 8  # of each knot

# How many samples before and after a knot count for it, since the curve smooths the knots, in the
# plans that are tried.
_AROUND = 8, 11, 6, 14, 5

_BLOCK = 16  # samples looked at together

_LAPS = 2  # until a path forgets how it began

# Joints that are nearer to the mirror images of others are those, [m].
_SAME = 1e-5

# The turns that are tried, [rad].
_YAWS = np.radians([-30.0, 0.0, 30.0])
_PITCHES = np.radians([-30.0, 0.0, 30.0])

_SWIVELS = np.radians([-60.0, -30.0, 0.0, 30.0, 60.0, 90.0, 120.0])

_GRID = len(_YAWS), len(_PITCHES), len(_SWIVELS)

# Radii of upper arms, forearms and hands at both ends, [m].
_RADII = UPPER_ARM_RADII, FOREARM_RADII, CROSSING_HAND_RADII

# The option in which nothing is turned.
_EASE = int(np.ravel_multi_index((1, 1, 2), _GRID))

# The axes of left and right arms exchanged.
_OTHER_SIDE = (3, 4, 5, 0, 1, 2)

_JOINTS = np.array([Joint.LEFT_SHOULDER, Joint.LEFT_ELBOW, Joint.LEFT_WRIST, Joint.LEFT_PALM])

# Pairs of parts of the left and of the right arm: 0 upper arm, 1 forearm and 2 hand.
_ARMS = ((1, 1), (1, 0), (0, 1))
_HANDS = ((2, 1), (1, 2), (2, 0), (0, 2))

# The gap that is asked for between the parts of arms, beyond which they may come as near as they
# like, and the one with which no other plan is tried, [m].
_GAP = 0.030
_ENOUGH = 0.008

# Jugglers whose arms lie less deep in each other stay as they are; moments with arms so far apart
# are free. [m]
_TOUCHES = 0.003
_FAR = 0.15

# Costs: of each cm² that a gap lacks between arms, and with hands; of each cm² that an arm lies in
# the body, or that a hand is short of its place; of turns, by the squares of their angles; and of
# each step from a turn to the next.
_COST_OF_GAP = 1.0
_COST_OF_HAND = 0.1
_COST_OF_DEPTH = 0.1
_COST_OF_SHORT = 4.0
_COST_OF_TURN = 0.3
_COST_OF_STEP = 0.15

# Of a whole plan: what 1 m/s by which an elbow is too fast costs of the least gap, [s].
_COST_OF_HASTE = 0.02

# The cosine of the angle from forearm to hand below which a wrist counts as bent, and what the rest
# costs, squared.
_BENT = 0.45
_COST_OF_BEND = 200.0

# The turn of a forearm from the thumb up beyond which it counts as turned too far, [rad], and what
# the rest costs, squared.
_MOST_TURNED = np.radians(88.0)
_COST_OF_TWIST = 12.0

# Hands that hold clubs are in line with them: what their turns cost.
_COST_OF_GRIP = 1000.0


def plan_crossings(
    motion: Motion, parameters: Parameters, plan: BodyPlan, knots: int
) -> PeriodicSpline | None:
    """The turns of crossed arms over a loop.

    Args:
        motion: paths of hands.
        parameters: the plan depends on body motion; it is made at the default swivel.
        plan: the other movements of the bodies.
        knots: how many, even.

    Returns:
        Shape (T, J, 2, `TURNS`) at T times, [rad]; None if no arms of one juggler meet.
    """
    loop = motion.duration
    jugglers = motion.choreography.jugglers
    times = np.arange(float(knots * _SAMPLES)) * (loop / (knots * _SAMPLES))
    crossing = np.flatnonzero(_hands_cross(motion, times))
    if not 0 < len(crossing) * knots <= MAX_KNOTS:
        return None
    controls = np.zeros((knots, jugglers, 2, TURNS))
    for juggler, model in zip(
        crossing.tolist(), motion.first_with_same_hands[crossing].tolist(), strict=True
    ):
        if model < juggler and plan.trunk.is_same(juggler, model):
            controls[:, juggler] = controls[:, model]
            continue
        arms = _Arms.of(motion, parameters, plan, juggler, times)
        if arms.gap_at_ease().min() < -_TOUCHES:
            controls[:, juggler] = _best_turns(arms, motion, parameters, plan, juggler, knots)
    return PeriodicSpline(controls, loop) if controls.any() else None


def _posed(
    motion: Motion, parameters: Parameters, plan: BodyPlan, juggler: int
) -> tuple[Floats, Floats]:
    """Left and right natural arms of a juggler at ease over the loop, each shape (T, 1, 4, 3),
    [m].
    """
    assert plan.crossings
    default = parameters.replace(arms=DEFAULT_SOLVER, left_wing=None, right_wing=None)
    default = default.replace(chicken_wing=float(np.degrees(AT_EASE)))
    samples = 2 * _SAMPLES * len(plan.crossings.controls)
    frames = motion.sample(np.arange(float(samples)) * (motion.duration / samples))
    joints = pose(frames, motion, default, plan).joints[:, juggler]
    return joints[:, None, _JOINTS], joints[:, None, _JOINTS + 1]


def _best_turns(
    arms: _Arms, motion: Motion, parameters: Parameters, plan: BodyPlan, juggler: int, knots: int
) -> Floats:
    """The turns of one juggler at the knots, by the first of a few plans that keeps arms apart and
    slow; shape (N, 2, `TURNS`), [rad].

    Where the halves of the loop are mirror images, a plan whose halves are, too, goes first.
    """
    mirrored = arms.has_mirrored_halves()
    costs = arms.costs(mirrored)
    highest = -np.inf
    best = np.zeros((knots, 2, TURNS))
    for around, twisted in itertools.product(_AROUND, (True, False) if mirrored else (False,)):
        turns = _cheapest(costs, knots, around, twisted)
        gap, haste = arms.outcome(turns, motion, parameters, plan, juggler)
        score = min(gap, _ENOUGH) - _COST_OF_HASTE * max(haste, 0.0)
        if score > highest:
            highest = score
            best = turns
        if highest == _ENOUGH:
            break
    return best


def _hands_cross(motion: Motion, times: Floats) -> Booleans:
    """Whose left hand is ever to the right of the right one, shape (J,)."""
    hands = 2 * motion.choreography.jugglers
    places = motion.hands.evaluate(*motion.hands.locate(np.arange(hands), times[::2, None]))
    x = places[..., 0].reshape(-1, hands // 2, 2)
    return np.asarray((x[..., 0] < x[..., 1]).any(axis=0))


@dataclass(frozen=True)
class _Arms:
    """The arms of one juggler at T samples, each in C ways.

    Args:
        joints: left and right; each shape (T, C, 4, 3): shoulder, elbow, wrist and palm, [m].
        static: shape (2, T, C), what each option costs by itself.
    """

    joints: tuple[Floats, Floats]
    static: Floats

    @staticmethod
    def of(
        motion: Motion, parameters: Parameters, plan: BodyPlan, juggler: int, times: Floats
    ) -> _Arms:
        hand = 2 * juggler + np.arange(2)
        hands = motion.hands.evaluate(*motion.hands.locate(hand, times[:, None])).reshape(
            -1, 1, 2, 3
        )
        hands = hands + plan.trunk.back[juggler] * np.array([0.0, 0.0, 1.0])
        channels = plan.trunk.track.at(times)[:, juggler : juggler + 1]
        trunk = pose_trunk(hands, channels)
        head, _ = pose_head(trunk.neck, trunk.upright, None)
        volume = CollisionVolume.from_joints(
            trunk.pelvis, trunk.across, trunk.spine, trunk.neck, head
        )
        turns = motion.palms.at(times, hand).reshape(-1, 1, 2, CHANNELS)
        of_hand = _COST_OF_GRIP if motion.shapes.has_clubs else _COST_OF_TURN
        parts = []
        static = []
        natural = SOLVERS[DEFAULT_SOLVER]
        for yaw in _YAWS:
            for pitch in _PITCHES:
                turned = turns.copy()
                turned[..., 0] += yaw
                turned[..., 1] += pitch
                arms = reach_for(
                    hands, turned, trunk.shoulders, lambda _: natural, np.full(2, AT_EASE)
                )
                part = np.stack([trunk.shoulders, arms.elbows, arms.wrists, arms.palms], axis=-2)[
                    :, 0
                ]
                fingers = unit(arms.palms - arms.wrists)
                palm = cross(fingers, arms.thumbs - arms.palms)[:, 0] * np.array([[1.0], [-1.0]])
                joints, cost = _swung(part, unit(palm), volume)
                short = 100.0 * arms.gaps[:, 0]
                cost += (
                    _COST_OF_SHORT * short * short + _COST_OF_TURN * _SWIVELS[:, None, None] ** 2
                )
                parts.append(joints)
                static.append(cost + of_hand * (yaw * yaw + pitch * pitch))
        # Gaps need few digits, and there are many.
        left, right = np.concatenate(parts).transpose(2, 1, 0, 3, 4).astype(np.float32)
        return _Arms((left, right), np.concatenate(static).transpose(2, 1, 0).astype(np.float32))

    def gap_at_ease(self) -> Floats:
        """The gap between the arms as they are without a plan, of upper arms and forearms, shape
        (T,), [m].
        """
        left, right = (arm[:, _EASE : _EASE + 1] for arm in self.joints)
        return np.asarray(arm_gaps(left, right)[:, 0, 0].min(axis=-1))

    def outcome(
        self, turns: Floats, motion: Motion, parameters: Parameters, plan: BodyPlan, juggler: int
    ) -> tuple[float, float]:
        """The least gap between the arms, [m], and how much too fast an elbow moves, [m/s].

        Args:
            turns: at the knots, shape (N, 2, `TURNS`), [rad].
            motion, parameters, plan: as in `plan_crossings`.
            juggler: whose they are.
        """
        controls = np.zeros((len(turns), motion.choreography.jugglers, 2, TURNS))
        controls[:, juggler] = turns
        turned = replace(plan, crossings=PeriodicSpline(controls, motion.duration))
        left, right = _posed(motion, parameters, turned, juggler)
        speed = np.stack([norm(np.diff(arm[:, 0], axis=0))[..., 0] for arm in (left, right)])
        speed *= len(left) / motion.duration
        haste = speed[..., 1] - MAX_SPEED_RATIO * speed[..., 3] - EXCESS_SPEED
        return float(arm_gaps(left, right).min()), float(haste.max())

    def has_mirrored_halves(self) -> bool:
        """Whether each arm does in one half of the loop what the other does in the other half."""
        left, right = self.joints
        return bool(
            np.abs(left - np.roll(right, len(right) // 2, axis=0) * (-1.0, 1.0, 1.0)).max() < _SAME
        )

    def costs(self, mirrored: bool) -> Floats:
        """The costs of each pair of ways at each sample, shape (T, C, C); of half of them if the
        rest is mirrored.
        """
        count = len(self.static[0]) // (2 if mirrored else 1)
        costs = np.zeros((count, *2 * self.static.shape[2:]), dtype=np.float32)
        near = np.flatnonzero(self.gap_at_ease()[:count] < _FAR)
        # In blocks that stay in the processor's caches.
        for some in np.array_split(near, 1 + len(near) // _BLOCK):
            left, right = (arm[some] for arm in self.joints)
            total = np.zeros((len(some), *costs.shape[1:]), dtype=np.float32)
            for pairs, cost in ((_ARMS, _COST_OF_GAP), (_HANDS, _COST_OF_HAND)):
                for one, other in pairs:
                    missing = _GAP - _gaps(left, one, right, other)
                    np.maximum(missing, 0.0, out=missing)
                    missing *= 100.0
                    total += cost * missing * missing
            costs[some] = total
        costs += self.static[0, :count, :, None] + self.static[1, :count, None]
        return np.concatenate([costs, costs.swapaxes(1, 2)]) if mirrored else costs


def _swung(part: Floats, palm: Floats, volume: CollisionVolume) -> tuple[Floats, Floats]:
    """Arms with elbows at all swivels, and what their depths in the body and bent wrists cost.

    Args:
        part: shape (T, 2, 4, 3), joints of both arms, [m].
        palm: shape (T, 2, 3), unit directions out of the palms.
        volume: of shape (T, 1).

    Returns:
        Shape (S, T, 2, 4, 3), [m], and (S, T, 2).
    """
    shoulder = part[:, :, 0]
    elbow = part[:, :, 1]
    wrist = part[:, :, 2]
    axis = unit(wrist - shoulder)
    along = dot(elbow - shoulder, axis) * axis
    here = elbow - shoulder - along
    beside = cross(axis, here) * np.array([[1.0], [-1.0]])
    joints = np.repeat(part[None], len(_SWIVELS), axis=0)
    swivels = _SWIVELS[:, None, None, None]
    joints[..., 1, :] = shoulder + along + np.cos(swivels) * here + np.sin(swivels) * beside
    bodies = volume.subset((np.repeat(np.arange(len(part)), 2), 0))
    elbows = joints[..., 1, :].reshape(len(_SWIVELS), -1, 3).swapaxes(0, 1)
    depths = arm_depths(bodies, shoulder.reshape(-1, 3), elbows, wrist.reshape(-1, 3))
    deep = 100.0 * np.maximum(depths.T.reshape(len(_SWIVELS), -1, 2), 0.0)
    straight = dot(wrist - joints[..., 1, :], part[:, :, 3] - wrist)[..., 0] / (FOREARM * PALM)
    bent = np.maximum(_BENT - straight, 0.0)
    twisted = _turned_too_far(joints, palm)
    return (
        joints,
        _COST_OF_DEPTH * deep * deep
        + _COST_OF_BEND * bent * bent
        + _COST_OF_TWIST * twisted * twisted,
    )


def _turned_too_far(joints: Floats, palm: Floats) -> Floats:
    """How much farther forearms are turned than they can, shape (S, T, 2), [rad]; arguments as of
    `_swung`.
    """
    forearm = unit(joints[..., 2, :] - joints[..., 1, :])
    hinge = unit(cross(forearm, joints[..., 1, :] - joints[..., 0, :]))
    turn = np.arctan2(
        dot(palm, cross(hinge, forearm)), dot(palm, hinge) * np.array([[-1.0], [1.0]])
    )[..., 0]
    return np.asarray(np.maximum(-_MOST_TURNED - turn, 0.0) + np.maximum(turn - _MOST_TURNED, 0.0))


def arm_gaps(left: Floats, right: Floats) -> Floats:
    """Gaps between forearms, and between each forearm and the other upper arm, shape (T, C, D, 3),
    [m].

    Args:
        left, right: joints of arms, as those of `_gaps`.
    """
    return np.stack([_gaps(left, one, right, other) for one, other in _ARMS], axis=-1)


def _gaps(some: Floats, part: int, others: Floats, other: int) -> Floats:
    """Gaps between parts of left and of right arms, negative where they overlap, shape (T, C, D),
    [m].

    Between the points of both axes that are nearest, which is exact for cylinders.

    Args:
        some, others: joints of arms, shape (T, C, 4, 3) and (T, D, 4, 3), [m].
        part, other: 0 for upper arms, 1 for forearms and 2 for hands.
    """
    middle = others[:, :1, 0]
    p = some[:, :, part] - middle
    r = others[:, :, other] - middle
    u = some[:, :, part + 1] - middle - p
    v = others[:, :, other + 1] - middle - r
    a = dot(u, u)
    e = dot(v, v).swapaxes(1, 2)
    r_across = r.swapaxes(1, 2)
    v_across = v.swapaxes(1, 2)
    b = u @ v_across
    c = dot(u, p) - u @ r_across
    f = p @ v_across - dot(r, v).swapaxes(1, 2)
    w = dot(p, p) + dot(r, r).swapaxes(1, 2) - 2.0 * (p @ r_across)
    s = unit_interval((b * f - c * e) / np.maximum(a * e - b * b, 1e-6))
    t = unit_interval((b * s + f) / e)
    s = unit_interval((b * t - c) / a)
    square = w + 2.0 * s * c - 2.0 * t * f + s * s * a - 2.0 * s * t * b + t * t * e
    (first, last), (start, end) = _RADII[part], _RADII[other]
    return np.sqrt(np.maximum(square, 0.0)) - first - start - s * (last - first) - t * (end - start)


def _cheapest(costs: Floats, knots: int, around: int, twisted: bool) -> Floats:
    """The turns at the knots of the cheapest closed path, shape (N, 2, `TURNS`), [rad].

    Args:
        costs: shape (T, C, C), a whole number of samples for each knot.
        knots: N, even.
        around: how many samples before and after a knot count for it.
        twisted: whether the second half is the mirror image of the first.
    """
    at = np.arange(knots // 2 if twisted else knots) * (len(costs) // knots)
    shifts = range(-around, around + 1)
    costs = np.maximum.reduce([costs.take(at + shift, axis=0, mode="wrap") for shift in shifts])
    costs = costs.reshape(-1, *2 * _GRID)
    total: Floats = np.zeros(costs.shape[1:], dtype=np.float32)
    for _ in range(_LAPS):
        total, _ = _lap(total, costs)
        total = total.transpose(_OTHER_SIDE) if twisted else total
    start = np.unravel_index(total.argmin(), total.shape)
    total = np.full_like(total, np.inf)
    total[start] = 0.0
    place = np.array(start)[list(_OTHER_SIDE)] if twisted else np.array(start)
    path = []
    for stages in reversed(_lap(total, costs)[1]):
        path.append(place.copy())
        for axis in reversed(range(len(place))):
            place[axis] += _came(stages[axis], place, axis)
    chosen = np.array(path[::-1]).reshape(-1, 2, TURNS)
    chosen = np.concatenate([chosen, chosen[:, ::-1]]) if twisted else chosen
    return np.stack(
        [values[chosen[..., turn]] for turn, values in enumerate((_YAWS, _PITCHES, _SWIVELS))],
        axis=-1,
    )


def _lap(total: Floats, costs: Floats) -> tuple[Floats, list[list[Floats]]]:
    """The least costs after some moments, and those of the path to each, as `_stages` has them."""
    stages = []
    for moment in costs:
        stages.append(_stages(total))
        total = stages[-1][-1] + moment
    return total, stages


def _stages(total: Floats) -> list[Floats]:
    """The least costs to be at each place of a grid, and then those with a step along one axis
    after the other.
    """
    stages = [total]
    for axis in range(total.ndim):
        stages.append(stages[-1].copy())
        before, after = (each.swapaxes(0, axis) for each in stages[-2:])
        np.minimum(after[1:], before[:-1] + _COST_OF_STEP, out=after[1:])
        np.minimum(after[:-1], before[1:] + _COST_OF_STEP, out=after[:-1])
    return stages


def _came(total: Floats, place: Integers, axis: int) -> int:
    """From which place along an axis, 0 for this one, −1 for the one below and 1 for the one above,
    a place came.
    """
    line = total[(*place[:axis], slice(None), *place[axis + 1 :])]
    here = place[axis]
    costs = [
        (line[here + step] + _COST_OF_STEP * abs(step), step)
        for step in (0, -1, 1)
        if 0 <= here + step < len(line)
    ]
    return min(costs, key=lambda each: each[0])[1]
