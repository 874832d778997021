"""Plan of swivels: slower paths for elbows that would move too fast.

A solver has no memory, so an elbow turns fast where a hand passes close to its shoulder, or behind
and above it. Around such moments only, elbows follow a plan that begins to turn earlier, or does
not turn.

The cost of a path is summed over its moments: speed beyond what the hand calls for, depth of the
arm in the body, bend of the hand, speed itself, and distance from the solver's elbow. The cheapest
path is found by dynamic programming (R. Bellman, "Dynamic Programming", 1957), first among few
directions all around the arm, then among ever closer ones around the best.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.arm import from_shoulders_to_wrists
from juggle_anim.body.arms.closed_form import SHARE, SWIVEL_CHANNELS, Swivels
from juggle_anim.body.arms.solvers import AT_EASE, DEFAULT_SOLVER
from juggle_anim.body.clearance import CollisionVolume, arm_depths
from juggle_anim.body.pose import BodyPlan, pose
from juggle_anim.body.skeleton import Joint
from juggle_anim.body.trunk_and_legs import pose_trunk
from juggle_anim.motion import Motion
from juggle_anim.motion.bodies import FACING
from juggle_anim.motion.palms import CHANNELS
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.parameters import Parameters
from juggle_anim.vectors import cross, dot, norm, rotate_about_y, smooth_step, unit

MAX_SPEED_RATIO = 1.5
"""Elbow speed over palm speed that a well posed arm hardly ever exceeds."""

EXCESS_SPEED = 1.9
ALLOWED_EXCESS = 1.0
"""An elbow is guided where it would be faster than that by the first, and then by no more than the
second, [m/s].
"""

LEAD_TIME = 0.25
"""Time before and after a fast moment in which an elbow is guided, [s]."""

RATE = 480
"""Moments of a plan per second."""

MAX_MOMENTS = 120_000
MAX_GUIDED = 40_000
"""Limits of the moments of a loop times jugglers, beyond which no elbow is guided; and of the
guided moments of all arms together, beyond which only the fastest are guided.
"""

# Speeds are those that 240 samples per second show, at any phase.
_STRIDE = 2

# Each round starts from the wrists of the round before, since wrists follow their forearms.
_ROUNDS = 3

# Samples of the hands, [1/s], and samples times jugglers that are processed together.
_SAMPLE_RATE = 100
_BLOCK = 40_000

# Largest distance of an elbow from the line from shoulder to wrist, [m], and the estimated excess
# speed from which on a moment is examined, [m/s].
_MAX_RADIUS = 0.31
_SUSPECT = 1.0

# Elbows turn fastest around the direction opposite to this one.
_HOME = np.array([0.0, -0.6, 0.95]) / np.hypot(0.6, 0.95)

# Time of the blend from the solver's elbow to the plan's, [s].
_BLEND = 0.06

_TRUNK = (Joint.PELVIS, Joint.CHEST, Joint.NECK, Joint.HEAD)

_ARM = (Joint.LEFT_SHOULDER, Joint.LEFT_ELBOW, Joint.LEFT_WRIST, Joint.LEFT_PALM)

_JOINTS = np.array(_TRUNK + tuple(joint + side for joint in _ARM for side in (0, 1)))

# Moments from one choice to the next, number of directions, and angle of the outermost, [rad].
_SEARCHES = (6, 65, np.pi), (2, 61, 0.45), (1, 41, 0.08)

# Costs of a moment, relative to an excess speed of 1 m/s: each m²/s² of speed, 1 − the cosine of
# the angle from the solver's direction, each cm² of depth in the body, and the bend of the wrist.
_COST_OF_SPEED = 0.003
_COST_OF_TURN = 0.06
_COST_OF_DEPTH = 0.1
_COST_OF_BEND = 1.0

# Below this cosine of the angle from forearm to fingers a wrist counts as bent.
_BENT = 0.4

# Additional cost of an angle from the solver's direction, times the weight of the solver.
_COST_OF_LEAVING = 20.0


def plan_swivels(motion: Motion, parameters: Parameters, plan: BodyPlan) -> Swivels | None:
    """A plan for the elbows that would move too fast.

    Args:
        motion: paths of hands.
        parameters: the plan depends on body motion; it is made at the default swivel, and turned by
            the chicken wing.
        plan: the other movements of the bodies.

    Returns:
        None if no elbow would be too fast, or a plan makes none slower.
    """
    # Even, so that of a loop whose halves are mirror images both get plans that are.
    moments = 2 * round(motion.duration * RATE / 2)
    jugglers = motion.choreography.jugglers
    if moments * jugglers > MAX_MOMENTS:
        return None
    suspect = _suspect_moments(motion, plan, parameters.body_motion / 100, moments)
    if not suspect.any():
        return None
    default = parameters.replace(arms=DEFAULT_SOLVER, left_wing=None, right_wing=None)
    default = default.replace(chicken_wing=float(np.degrees(AT_EASE)))
    guided = np.zeros((moments, 2 * jugglers, SWIVEL_CHANNELS))
    best = guided.copy()
    least = np.full(2 * jugglers, np.inf)
    swivels = None
    for trial in range(_ROUNDS + 1):
        posed = _Posed.of(
            motion, default, replace(plan, swivels=swivels), np.flatnonzero(suspect), moments
        )
        excess = posed.excess.max(axis=0)
        best[:, excess < least] = guided[:, excess < least]
        least = np.minimum(excess, least)
        fast = posed.excess > EXCESS_SPEED
        if trial == _ROUNDS or not fast.any():
            break
        for arm in _arms_to_guide(posed, fast):
            posed.guide(arm, fast[:, arm], guided[:, arm])
        swivels = _swivels(guided, motion.duration)
    return _swivels(best, motion.duration)


def _swivels(guided: Floats, duration: float) -> Swivels | None:
    """The swivels of the guided arms."""
    arms = np.flatnonzero(guided[..., SHARE].any(axis=0))
    return Swivels(arms, PeriodicSpline(guided[:, arms], duration)) if arms.size else None


def _arms_to_guide(posed: _Posed, fast: Booleans) -> list[int]:
    """Arms to guide, the fastest first, within `MAX_GUIDED`."""
    arms = [int(arm) for arm in np.argsort(-posed.excess.max(axis=0)) if fast[:, arm].any()]
    counts = np.cumsum([_near_moments(fast[:, arm], posed.reach).sum() for arm in arms])
    return arms[: int(np.searchsorted(counts, MAX_GUIDED, side="right"))]


def _suspect_moments(motion: Motion, plan: BodyPlan, amount: float, moments: int) -> Booleans:
    """Which moments are near one in which an elbow may be too fast, from the hands alone, shape
    (moments,).
    """
    samples = max(round(motion.duration * _SAMPLE_RATE), 2)
    jugglers = motion.choreography.jugglers
    times = np.arange(float(samples)) * (motion.duration / samples)
    channels = plan.trunk.track.at(times)
    suspect = np.zeros(samples, dtype=bool)
    block = max(1, _BLOCK // samples)
    for first in range(0, jugglers, block):
        some = slice(first, first + block)
        hand = np.arange(2 * jugglers).reshape(-1, 2)[some].ravel()
        hands = motion.hands.evaluate(*motion.hands.locate(hand, times[:, None])).reshape(
            samples, -1, 2, 3
        )
        hands[..., 2] += plan.trunk.back[some, None]
        turns = motion.palms.at(times, hand).reshape(*hands.shape[:3], CHANNELS)
        trunk = pose_trunk(hands, channels[:, some])
        away = from_shoulders_to_wrists(hands, turns, trunk.shoulders)
        suspect |= (_suspected_excess(away, samples / motion.duration) > _SUSPECT).any(axis=(1, 2))
    near = np.zeros(moments, dtype=bool)
    near[np.flatnonzero(suspect) * moments // samples] = True
    return _near_moments(near, round(2 * LEAD_TIME * RATE))


def _suspected_excess(away: Floats, rate: float) -> Floats:
    """Estimated excess speed of elbows after each sample, shape (T, J, 2), [m/s].

    The direction rotated along from home to an axis at the angle θ turns about the axis tan(θ/2)
    times as fast as the axis moves around home.
    """
    axis = unit(away)
    change = np.roll(away, -1, axis=0) - away
    turn = np.roll(axis, -1, axis=0) - axis
    ahead = (axis @ _HOME)[..., None]
    spin = np.sqrt((1.0 - ahead) / np.maximum(1.0 + ahead, 0.01))
    return ((_MAX_RADIUS * (1.0 + spin) * norm(turn) - MAX_SPEED_RATIO * norm(change)) * rate)[
        ..., 0
    ]


def _near_moments(moments: Booleans, reach: int) -> Booleans:
    """Moments of a loop within `reach` of some of them."""
    near = np.zeros_like(moments)
    for step in np.flatnonzero(moments):
        near[np.arange(step - reach, step + reach + 1) % len(near)] = True
    return near


@dataclass(frozen=True)
class _Posed:
    """Arms and bodies at the suspect moments of a loop; at the others values are 0 and the excess
    is −∞.

    Args:
        arms: shape (T, A, 4, 3): shoulder, elbow, wrist and palm of A arms, [m].
        volume: of the bodies, of shape (T, J).
        facing: shape (T, J), [rad].
        excess: shape (T, A), excess speed of elbows in the next `_STRIDE` moments, [m/s].
        rate: moments in a second.
    """

    arms: Floats
    volume: CollisionVolume
    facing: Floats
    excess: Floats
    rate: float

    @property
    def reach(self) -> int:
        """Number of moments before and after a fast one in which an elbow is guided."""
        return round(LEAD_TIME * self.rate)

    @staticmethod
    def of(
        motion: Motion, parameters: Parameters, plan: BodyPlan, suspect: Integers, moments: int
    ) -> _Posed:
        jugglers = motion.choreography.jugglers
        rate = moments / motion.duration
        joints = np.zeros((moments, jugglers, len(_JOINTS), 3))
        facing = np.zeros((moments, jugglers))
        for some in np.array_split(suspect, 1 + len(suspect) * jugglers // _BLOCK):
            times = some / rate
            joints[some] = pose(motion.sample(times), motion, parameters, plan).joints[
                :, :, _JOINTS
            ]
            facing[some] = motion.bodies.places(times)[..., FACING]
        arms = joints[:, :, 4:].reshape(moments, jugglers, 4, 2, 3).transpose(0, 1, 3, 2, 4)
        change = np.roll(arms, -_STRIDE, axis=0) - arms
        speed = rate / _STRIDE * norm(change)[..., 0]
        excess = (speed[..., 1] - MAX_SPEED_RATIO * speed[..., 3]).reshape(moments, -1)
        known = np.isin(np.arange(moments), suspect)
        known &= np.roll(known, -_STRIDE)
        excess = np.where(known[:, None], excess, -np.inf)
        return _Posed(
            arms.reshape(moments, -1, 4, 3), _collision_volume(joints), facing, excess, rate
        )

    def guide(self, arm: int, fast: Booleans, guided: Floats) -> None:
        """Write the plan of an arm around its fast moments into `guided`, (T,
        `SWIVEL_CHANNELS`).
        """
        juggler = arm // 2
        known = self.excess[:, arm] > -np.inf
        near = _near_moments(fast, self.reach) & known & np.roll(known, 1)
        for run in _runs(near, self.excess[:, arm]):
            shoulder, elbow, wrist, palm = self.arms[run, arm].transpose(1, 0, 2)
            change = np.diff(palm, axis=0)
            allowed = MAX_SPEED_RATIO * self.rate * norm(change)[:, 0] + ALLOWED_EXCESS
            share = np.maximum(_share(run, self.rate), guided[run, SHARE])
            arm_path = ElbowPath(
                shoulder,
                elbow,
                wrist,
                unit(palm - wrist),
                self.volume.subset((run, juggler)),
                allowed,
                share,
                self.rate,
            )
            directions = rotate_about_y(best_elbow_directions(arm_path), -self.facing[run, juggler])
            guided[run] = np.concatenate([share[:, None] * directions, share[:, None]], axis=1)


def _share(run: Integers, rate: float) -> Floats:
    """Weight of the plan in each moment of a run, shape (N,): blended at the ends, unless the run
    is the whole loop.
    """
    place = np.arange(len(run))
    share = smooth_step(np.minimum(place, place[::-1]) / (_BLEND * rate))
    return np.where(run[0] == run[-1], 1.0, share)


def _collision_volume(joints: Floats) -> CollisionVolume:
    """The volumes of bodies from pelvis, chest, neck, head and shoulders, in this order, (T, J, 6,
    3).
    """
    pelvis, chest, neck, head, left, right = (joints[:, :, row] for row in range(6))
    spine = unit(chest - pelvis)
    across = left - right
    return CollisionVolume.from_joints(
        pelvis, unit(across - dot(across, spine) * spine), spine, neck, head
    )


def _runs(near: Booleans, excess: Floats) -> list[Integers]:
    """Runs of consecutive moments in a loop, extended by one moment at both ends; a run over the
    whole loop is cut.
    """
    count = len(near)
    if near.all():
        return [(excess.argmin() + np.arange(count + 1)) % count]
    first = int(near.argmin())
    edges = np.flatnonzero(np.diff(np.append(np.roll(near, -first), False)))
    return [(first + np.arange(start, end + 2)) % count for start, end in edges.reshape(-1, 2)]


@dataclass(frozen=True)
class ElbowPath:
    """One arm and its body over N even moments.

    Args:
        shoulder, elbow, wrist: shape (N, 3), as the solver has them, [m].
        fingers: shape (N, 3), unit directions of the hand.
        volume: of the body at the N moments.
        allowed_speed: shape (N − 1,), of the elbow from each moment to the next, [m/s].
        share: shape (N,), weight of the plan in each moment; the rest is the solver's.
        rate: moments in a second.
    """

    shoulder: Floats
    elbow: Floats
    wrist: Floats
    fingers: Floats
    volume: CollisionVolume
    allowed_speed: Floats
    share: Floats
    rate: float


def best_elbow_directions(arm_path: ElbowPath) -> Floats:
    """Unit directions from the line between shoulder and wrist to the elbow, (N, 3); at both ends
    the solver's.
    """
    path = _Circles.of(arm_path).solved
    for every, count, spread in _SEARCHES:
        path = _cheapest(arm_path, path, every, np.linspace(-spread, spread, count))
    return path


@dataclass(frozen=True)
class _Circles:
    """Swivel circles of elbows: centres and unit axes (N, 3), radii (N, 1), and solved directions,
    (N, 3).
    """

    centre: Floats
    axis: Floats
    radius: Floats
    solved: Floats

    @staticmethod
    def of(arm_path: ElbowPath) -> _Circles:
        axis = unit(arm_path.wrist - arm_path.shoulder)
        upper = arm_path.elbow - arm_path.shoulder
        along = dot(upper, axis) * axis
        across = upper - along
        return _Circles(arm_path.shoulder + along, axis, norm(across), unit(across))

    def project(self, directions: Floats) -> Floats:
        """Unit directions within the planes of the circles, (N, 3)."""
        return unit(directions - dot(directions, self.axis) * self.axis)


def _cheapest(arm_path: ElbowPath, path: Floats, every: int, turns: Floats) -> Floats:
    """The cheapest path among directions turned by `turns` from a path, shape (N, 3)."""
    circles = _Circles.of(arm_path)
    at = np.unique(np.append(np.arange(0, len(path), every), len(path) - 1))
    beside = cross(circles.axis, path)[at, None]
    directions = np.cos(turns)[:, None] * path[at, None] + np.sin(turns)[:, None] * beside
    elbows = circles.centre[at, None] + circles.radius[at, None] * directions
    chosen = directions[
        np.arange(len(at)), _choices(arm_path, circles.solved, at, directions, elbows)
    ]
    between = np.stack([np.interp(np.arange(len(path)), at, part) for part in chosen.T], axis=-1)
    return circles.project(between)


def _choices(
    arm_path: ElbowPath, solved: Floats, at: Integers, directions: Floats, elbows: Floats
) -> Integers:
    """Which of the directions is best at each of some moments, shape (M,); at both ends the middle
    one.
    """
    steps = np.diff(at)
    depth = (
        np.maximum(
            arm_depths(
                arm_path.volume.subset((at,)), arm_path.shoulder[at], elbows, arm_path.wrist[at]
            ),
            0.0,
        )
        * 100.0
    )
    of_turn = _COST_OF_TURN + _COST_OF_LEAVING * (1.0 - arm_path.share[at, None])
    bent = np.maximum(
        _BENT - dot(unit(arm_path.wrist[at, None] - elbows), arm_path.fingers[at, None])[..., 0],
        0.0,
    )
    static = (
        _COST_OF_BEND * bent * bent
        + of_turn * (1.0 - dot(directions, solved[at, None])[..., 0])
        + _COST_OF_DEPTH * depth * depth
    )
    allowed_speed = np.add.reduceat(arm_path.allowed_speed, at[:-1]) / steps
    middle = directions.shape[1] // 2
    total = np.full(directions.shape[1], np.inf)
    total[middle] = 0.0
    predecessors = []
    for step, (lasts, allowed) in enumerate(zip(steps, allowed_speed, strict=True)):
        speed = _distances(elbows[step], elbows[step + 1]) * (arm_path.rate / lasts)
        excess = np.maximum(speed - allowed, 0.0)
        costs = total[:, None] + lasts * (excess * excess + _COST_OF_SPEED * speed * speed)
        predecessors.append(costs.argmin(axis=0))
        total = costs.min(axis=0) + lasts * static[step + 1]
    choice = [middle]
    for predecessor in reversed(predecessors):
        choice.append(predecessor[choice[-1]])
    return np.array(choice[::-1])


def _distances(points: Floats, others: Floats) -> Floats:
    """Distances from each of some points to each of others, (A, 3) and (B, 3) to (A, B)."""
    # Relative to one of the points, against cancellation.
    points = points - others[0]
    others = others - others[0]
    squares = dot(points, points) + dot(others, others)[:, 0] - 2.0 * points @ others.T
    return np.sqrt(np.maximum(squares, 0.0))
