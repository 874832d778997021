"""Plan of limbs: hands and elbows turn a little more, so that wrists stay within people's limits
and arms stay clear.

Where natural arms break a limit, derivatives tell which turns of hands and elbows mend that with
the least change, of both arms at once (damped least squares: K. Levenberg, "A method for the
solution of certain non-linear problems in least squares", 1944). What each knot is given for the
moments around it makes a smooth curve; a few rounds find it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.anatomy import FOREARM_RADII, PALM_INNER_RADII, UPPER_ARM_RADII
from juggle_anim.body.arm import FREE_BEND, WRIST_LIMITS
from juggle_anim.body.clearance import arm_depths, body_depth, leg_depth
from juggle_anim.body.planning.crossings import arm_gaps
from juggle_anim.body.pose import ArmTargets
from juggle_anim.body.skeleton import FOREARM, PALM
from juggle_anim.motion import Motion
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.vectors import dot, norm, smooth_step, wrap_angle

LIMB_TURNS = 4
"""By how much a hand turns outward, up and over, and its elbow outward."""

_ROUNDS = 11

# What a loop is divided into if it is so long, [s]; and how often shares are averaged with their
# neighbours.
_PART = 2.0
_LONG = 30.0
_MIXING = 8
_ALMOST = 1.3

# The largest turns, [rad].
_MOST = np.radians([50.0, 35.0, 60.0, 50.0])

# What turns cost: usually, of hands that hold clubs, which are in line with them, and where hands
# stay as they are.
_COSTS, _WITH_CLUBS, _ELBOWS_ONLY = np.array(
    [[1.0, 1.5, 1.0, 1.0], [30.0, 30.0, 1.0, 1.0], [*3 * [np.inf], 1.0]]
)

# Added to the squares of the derivatives; and the largest turn that a round adds, [rad].
_DAMPING = 0.05
_LARGEST_STEP = 0.5

# Of each arm, three angles of the wrist and its whole bend [rad], its depth in the body, and how
# far the hand is short, [m]: where the plan keeps them, and what the rest counts. Then the same of
# the gaps between the arms.
_MARGIN = np.radians(3.0)
_LOWEST = np.array([*(WRIST_LIMITS[:, 0] + _MARGIN), -np.inf, -np.inf, -np.inf])
_HIGHEST = np.array([*(WRIST_LIMITS[:, 1] - _MARGIN), FREE_BEND, 0.0, 0.004])
_WEIGHTS = np.array([1.0, 1.0, 1.0, 1.0, 16.0, 12.0])
_GAP = 0.008
_WEIGHT_OF_GAP = 22.0

# What the plan takes for deep: arms a little before they touch their bodies, forearms and hands a
# little after. [m]
_BEFORE = 0.002
_AFTER = 0.003

# Nearly upside down a forearm could as well turn the other way: there it counts less and less,
# [rad].
_UPSIDE_DOWN, _WHOLLY = np.radians([130.0, 170.0])

# Shares of forearms and hands at which they are looked at, and their radii at both ends, as they
# are drawn, [m].
_SHARES = np.linspace(0.0, 1.0, 6)
_RADII = (FOREARM_RADII, PALM_INNER_RADII)

# Elbows move no faster because of turns, unless that is no faster than so many times as without;
# the turns of so many knots around a moment where one would are taken back, more in each round,
# [m/s].
_HASTY = 10.0
_HASTIER = 1.3
_TAKEN_BACK = (2, 3, 5, 8, 12)

_NEAR_A_BODY_THROW = 1.0  # s

_SMALL = 0.02  # turn from which derivatives follow, [rad]

# A part is solved if no more than that is beyond limits; others of a loop that is so long [s] are
# planned again from where elbows hang down, turned by so much, [rad].
_SOLVED = 1.0
_AGAIN = 4.0
_HANGING = -0.8

_BELL = np.array([1.0, 2.0, 1.0]) / 4.0


def plan_limbs(
    motion: Motion, targets: ArmTargets, jugglers: Integers, amiss: Booleans
) -> tuple[Floats, Floats]:
    """By how much more hands and elbows of some jugglers turn over a loop.

    Args:
        motion: paths of hands.
        targets: of all jugglers at T even times of the loop, a whole number for each knot.
        jugglers: shape (J,), whose they are.
        amiss: shape (N, J), at which knots arms are near limits; of a long loop, only parts with
            such are planned.

    Returns:
        Control values of a `PeriodicSpline`, shape (N, J, 2, `LIMB_TURNS`), [rad]; and what is
        still beyond limits, as a sum of squares, shape (J,).
    """
    samples = len(targets.hands)
    loop = motion.duration
    count = len(jugglers)
    knots = len(amiss)
    times = np.arange(float(samples)) * (loop / samples)
    as_juggling_lab = motion.choreography.as_juggling_lab
    moments = np.repeat(np.arange(samples), count)
    who = np.tile(jugglers, samples)
    targets = targets.at(moments, who)
    free = np.full((len(who), 1, 2), as_juggling_lab)
    costs = np.where(
        free[..., None], _ELBOWS_ONLY, _WITH_CLUBS if motion.shapes.has_clubs else _COSTS
    )
    costs = costs.reshape(len(who), 2 * LIMB_TURNS)
    part = _parts(knots, loop)
    planned = np.stack([amiss[part == each].any(axis=0) for each in range(part[-1] + 1)]) | (
        part[-1] == 0
    )
    search = _Search(targets, times, free, costs, part)
    search.hasty_from = hasty_from = _speeds_allowed(
        motion, times, search.at_ease.haste(count, loop)
    )
    tried, totals = search.rounds(np.zeros((knots, count, 2, LIMB_TURNS)), planned)
    unsolved = planned & (totals.min(axis=0) > _SOLVED)
    if loop >= _AGAIN and unsolved.any():
        # Where an elbow might as well hang down, a round leads there only from there.
        other, others = search.rounds(search.hanging(unsolved), unsolved)
        tried = np.concatenate([tried, other])
        totals = np.concatenate([totals, np.where(unsolved, others, np.inf)])
    best, left = _best_of(tried, totals, part)
    return _calmed(best, targets, times, hasty_from) if search.hasty else best, left


class _Search:
    """A search for turns.

    Args:
        targets, times: of all jugglers one after another at T times of a loop, and these, [s].
        free: shape (T · J, 1, 2), whose wrists have no limits.
        costs: of turns, shape (T · J, 8).
        part: shape (N,), as `_parts` has it.
    """

    def __init__(
        self, targets: ArmTargets, times: Floats, free: Booleans, costs: Floats, part: Integers
    ) -> None:
        self.targets = targets
        self.times = times
        self.free = free
        self.costs = costs
        self.part = part
        self.loop = len(times) * float(times[1])
        self.samples = len(times)
        self.count = len(free) // len(times)
        self.at_ease = _Limbs.posed(targets, np.zeros((len(free), 1, 2, LIMB_TURNS)))
        self.hasty_from: Floats = np.full((self.samples, self.count, 2), np.inf)
        """How fast elbows may be, [m/s]; and whether some were faster in a round."""
        self.hasty = False

    def rounds(self, turns: Floats, planned: Booleans) -> tuple[Floats, Floats]:
        """What each round tries, shape (R, N, J, 2, 4), and what is beyond limits then in each
        part, (R, K, J).

        Args:
            turns: with which they begin.
            planned: shape (K, J), which parts are looked at.
        """
        knots = len(self.part)
        samples = self.samples
        count = self.count
        looked_at = np.repeat(planned[self.part], samples // knots, axis=0).reshape(-1, 1)
        limbs = _Limbs(self.at_ease.values.copy(), self.at_ease.joints.copy())
        made = np.zeros((len(self.free), 1, 2, LIMB_TURNS))
        beyond = limbs.beyond(self.free)[:, 0] * looked_at
        tried = list[Floats]()
        totals = list[Floats]()
        for rounds_left in reversed(range(_ROUNDS)):
            before = made
            made = PeriodicSpline(turns, self.loop).at(self.times).reshape(made.shape)
            # Few moments of a long loop change.
            changed = np.flatnonzero((made != before).any(axis=(1, 2, 3)))
            if changed.size:
                posed = _Limbs.posed(
                    self.targets.at(changed, np.zeros_like(changed)), made[changed]
                )
                limbs.values[changed], limbs.joints[changed] = posed.values, posed.joints
                beyond[changed] = posed.beyond(self.free[changed])[:, 0] * looked_at[changed]
                self.hasty |= bool((limbs.haste(count, self.loop) > self.hasty_from).any())
            total = np.zeros((self.part[-1] + 1, count))
            squares = (beyond * beyond).reshape(samples, count, -1).sum(axis=2)
            np.add.at(total, np.repeat(self.part, samples // knots), squares)
            tried.append(turns)
            totals.append(total)
            broken = np.flatnonzero(beyond.any(axis=1))
            if not rounds_left or not broken.size:
                break
            here = self.targets.at(broken, np.zeros_like(broken))
            slopes = _slopes(here, made[broken], limbs.at(broken))[:, 0]
            wanted = np.zeros((len(made), 2 * LIMB_TURNS))
            wanted[broken] = _mended(beyond[broken], slopes, self.costs[broken])
            steps = _smoothed(wanted.reshape(samples, count, 2, LIMB_TURNS), knots)
            turns = np.clip(turns + steps, -_MOST, _MOST)
        return np.stack(tried), np.stack(totals)

    def hanging(self, planned: Booleans) -> Floats:
        """Turns by which elbows hang down where arms at ease are beyond their limits, shape (N, J,
        2, 4).
        """
        knots = len(self.part)
        broken = (
            self.at_ease.beyond(self.free)
            .any(axis=(1, 2))
            .reshape(knots, -1, self.count)
            .any(axis=1)
        )
        turns = np.zeros((knots, self.count, 2, LIMB_TURNS))
        turns[..., -1] = _HANGING * _shares_around(broken & planned[self.part], 1)[..., None]
        return turns


def _speeds_allowed(motion: Motion, times: Floats, haste: Floats) -> Floats:
    """How fast turns may make elbows at some times, shape (T, J, 2), [m/s], where they are so fast
    without.

    Around bodies elbows go over heads and behind backs, and swivels slow them down.
    """
    allowed = np.maximum(_HASTY, _HASTIER * haste)
    events = motion.choreography.events
    around = () if events.body_throw is None else events.time[events.body_throw > 0]
    for time in around:
        since = (times - time + motion.duration / 2) % motion.duration - motion.duration / 2
        allowed[np.abs(since) < _NEAR_A_BODY_THROW] = np.inf
    return allowed


def _calmed(turns: Floats, targets: ArmTargets, times: Floats, hasty_from: Floats) -> Floats:
    """Turns of which those are taken back that make elbows too fast: a hand that turns may push its
    wrist past where its elbow flips over.

    Args:
        turns: at the knots, shape (N, J, 2, `LIMB_TURNS`).
        targets, times: of all jugglers one after another at T times of a loop, and these, [s].
        hasty_from: how fast elbows may be, shape (T, J, 2), [m/s].
    """
    knots, count = turns.shape[:2]
    loop = len(times) * times[1]
    for around in _TAKEN_BACK:
        posed = _Limbs.posed(
            targets, PeriodicSpline(turns, loop).at(times).reshape(-1, 1, 2, LIMB_TURNS)
        )
        too_fast = posed.haste(count, loop) > hasty_from
        fast: Booleans = np.logical_or.reduce(too_fast.reshape(knots, -1, count, 2), axis=1)
        if not fast.any():
            break
        turns = turns * (1.0 - _shares_around(fast, around))[..., None]
    return turns


def _shares_around(fast: Booleans, around: int) -> Floats:
    """1 at knots near others, falling smoothly to 0 beyond; shape (N, J, 2)."""
    near = np.logical_or.reduce(
        [np.roll(fast, shift, axis=0) for shift in range(-around, around + 1)]
    ).astype(float)
    for _ in range(around):
        near = sum(
            weight * np.roll(near, shift, axis=0)
            for weight, shift in zip(_BELL, range(-1, 2), strict=True)
        )
    return np.asarray(near)


def _parts(knots: int, loop: float) -> Integers:
    """The part of a long loop [s] that each knot is in, shape (N,), from 0 on; each has a best
    round of its own.
    """
    count = max(int(loop / _PART), 1) if loop >= _LONG else 1
    return np.arange(knots) * count // knots


def _best_of(tried: Floats, totals: Floats, part: Integers) -> tuple[Floats, Floats]:
    """Of what rounds tried, shape (R, N, J, 2, 4), the best in each of K parts, with smooth changes
    between.

    Args:
        tried: turns of each round.
        totals: shape (R, K, J), what is beyond limits.
        part: shape (N,).

    Returns:
        Shape (N, J, 2, 4); and what is beyond limits, shape (J,).
    """
    chosen = totals.argmin(axis=0)
    if len(chosen) > 1:
        # The first that is about as good turns arms least.
        chosen = (totals <= _ALMOST * totals.min(axis=0)).argmax(axis=0)
    best = np.take_along_axis(tried, chosen[part][None, ..., None, None], axis=0)[0]
    if len(chosen) > 1:
        # Where two rounds meet, they are mixed over some knots.
        rounds = np.zeros((len(tried), len(part), tried.shape[2]))
        np.put_along_axis(rounds, chosen[part][None], 1.0, axis=0)
        for _ in range(_MIXING):
            rounds = (np.roll(rounds, 1, axis=1) + 2.0 * rounds + np.roll(rounds, -1, axis=1)) / 4.0
        best = np.einsum("rnj,rnjsk->njsk", rounds, tried)
    return best, totals.min(axis=0).sum(axis=0)


def _mended(beyond: Floats, slopes: Floats, costs: Floats) -> Floats:
    """Turns that bring what is beyond limits toward them, shape (N, 8), for values (N, 15) and
    slopes (N, 15, 8).
    """
    slopes = np.where(beyond[..., None] == 0.0, 0.0, slopes / costs[:, None])
    across = np.swapaxes(slopes, -1, -2)
    mended = np.linalg.solve(
        across @ slopes + _DAMPING * np.eye(costs.shape[-1]), -across @ beyond[..., None]
    )
    return np.clip(mended[..., 0] / costs, -_LARGEST_STEP, _LARGEST_STEP)


@dataclass(frozen=True)
class _Limbs:
    """Both arms of N poses of jugglers.

    Args:
        values: shape (N, 1, 2, 6), in the order of `_WEIGHTS`.
        joints: shape (N, 1, 2, 4, 3): shoulder, elbow, wrist and palm, [m].
    """

    values: Floats
    joints: Floats

    def at(self, some: Integers) -> _Limbs:
        """Some of the poses."""
        return _Limbs(self.values[some], self.joints[some])

    @staticmethod
    def posed(targets: ArmTargets, turns: Floats) -> _Limbs:
        arms = targets.pose_arms(turns[..., :-1], turns[..., -1])
        joints = np.stack([targets.shoulders, arms.elbows, arms.wrists, arms.palms], axis=-2)
        straight = dot(arms.palms - arms.wrists, arms.wrists - arms.elbows) / (PALM * FOREARM)
        bend = np.arccos(np.clip(straight, -1.0, 1.0))
        values = (
            arms.wrist_angles(targets.shoulders),
            bend,
            _depths(targets, joints)[..., None],
            arms.gaps[..., None],
        )
        return _Limbs(np.concatenate(values, axis=-1), joints)

    def haste(self, count: int, loop: float) -> Floats:
        """How fast elbows move, of so many jugglers at even times of a loop [s], shape (T, J, 2),
        [m/s].
        """
        elbows = self.joints[:, 0, :, 1].reshape(-1, count, 2, 3)
        return norm(np.roll(elbows, -1, axis=0) - elbows)[..., 0] * (len(elbows) / loop)

    def gaps(self, others: _Limbs) -> Floats:
        """Gaps between these left arms and the right arms of others, shape (N, 1, 3), [m]."""
        return arm_gaps(self.joints[:, :, 0], others.joints[:, :, 1])[:, 0]

    def beyond(self, free: Booleans) -> Floats:
        """What is beyond its limit, weighted, shape (N, 1, 15): left arm, right arm, and gaps
        between them.

        Args:
            free: shape (N, 1, 2), whose wrists have no limits.
        """
        values = np.minimum(self.values - _LOWEST, 0.0) + np.maximum(self.values - _HIGHEST, 0.0)
        values[..., 0] *= smooth_step(
            (_WHOLLY - np.abs(self.values[..., 0])) / (_WHOLLY - _UPSIDE_DOWN)
        )
        values[..., :3] *= ~free[..., None]
        gaps = np.minimum(self.gaps(self) - _GAP, 0.0)
        return np.concatenate(
            [(_WEIGHTS * values).reshape(len(gaps), 1, -1), _WEIGHT_OF_GAP * gaps], axis=-1
        )


def _slopes(targets: ArmTargets, turns: Floats, limbs: _Limbs) -> Floats:
    """Derivatives of what `_Limbs.beyond` has by the turns of both arms, shape (N, 1, 15, 8)."""
    poses = len(turns)
    count = len(_WEIGHTS)
    slopes = np.zeros((poses, 1, 2 * count + 3, 2 * LIMB_TURNS))
    gaps = limbs.gaps(limbs)
    # All at once, which is faster.
    again = np.tile(np.arange(poses), LIMB_TURNS)
    small = np.repeat(_SMALL * np.eye(LIMB_TURNS), poses, axis=0)[:, None, None]
    others = _Limbs.posed(targets.at(again, np.zeros_like(again)), turns[again] + small)
    here = limbs.at(again)
    change = (_WEIGHTS * wrap_angle(others.values - here.values) / _SMALL).reshape(
        LIMB_TURNS, poses, 1, 2, count
    )
    for side, changed in enumerate((others.gaps(here), here.gaps(others))):
        columns = slopes[..., side * LIMB_TURNS : (side + 1) * LIMB_TURNS]
        columns[..., side * count : (side + 1) * count, :] = np.moveaxis(
            change[..., side, :], 0, -1
        )
        by_turn = _WEIGHT_OF_GAP * (changed.reshape(LIMB_TURNS, poses, 1, -1) - gaps) / _SMALL
        columns[..., 2 * count :, :] = np.moveaxis(by_turn, 0, -1)
    return slopes


def _depths(targets: ArmTargets, joints: Floats) -> Floats:
    """How much deeper arms, forearms and hands are in their bodies than they may be, shape (N, 1,
    2), [m].
    """
    flat = joints.reshape(-1, 4, 3)
    bodies = targets.volume.subset((np.arange(len(flat)) // 2, 0))
    deepest = arm_depths(bodies, flat[:, 0], flat[:, None, 1], flat[:, 2])[:, 0] + _BEFORE
    heads = bodies.heads(np.arange(len(flat)))
    for part, ends in enumerate(_RADII, start=1):
        points = flat[:, None, part] + _SHARES[:, None] * (
            flat[:, None, part + 1] - flat[:, None, part]
        )
        points = bodies.to_local(points).transpose(2, 1, 0)
        depths = body_depth(points, heads) + np.interp(_SHARES, (0.0, 1.0), ends)[:, None]
        deepest = np.maximum(deepest, depths.max(axis=0) - _AFTER)
    deepest = deepest.reshape(joints.shape[:3])
    return (
        deepest
        if targets.legs is None
        else np.maximum(deepest, depths_in_legs(targets.legs, joints) - _AFTER)
    )


def depths_in_legs(legs: Floats, joints: Floats) -> Floats:
    """How deep arms are in the legs of their bodies, negative outside, shape (..., 2), [m].

    Args:
        legs: as in `ArmTargets`, shape (..., 2, 3, 3), [m].
        joints: shape (..., 2, 4, 3): shoulder, elbow, wrist and palm, [m].
    """
    bones = np.diff(joints, axis=-2)[..., None, :]
    points = joints[..., :-1, None, :] + _SHARES[:, None] * bones
    radii = np.stack([np.interp(_SHARES, (0.0, 1.0), ends) for ends in (UPPER_ARM_RADII, *_RADII)])
    depths = leg_depth(points.reshape(*joints.shape[:-3], -1, 3), legs)
    deepest: Floats = (depths.reshape(points.shape[:-1]) + radii).max(axis=(-2, -1))
    return deepest


def _smoothed(turns: Floats, knots: int) -> Floats:
    """Turns at the knots for those wanted at the moments around each, shape (T, ...) to (N,
    ...).
    """
    samples = len(turns) // knots
    wanted = np.roll(turns, samples // 2, axis=0).reshape(knots, samples, *turns.shape[1:])
    highest = np.maximum(wanted.max(axis=1), 0.0)
    lowest = np.minimum(wanted.min(axis=1), 0.0)
    shifts = range(-1, 2)
    both = np.maximum.reduce([np.roll(highest, shift, axis=0) for shift in shifts])
    both += np.minimum.reduce([np.roll(lowest, shift, axis=0) for shift in shifts])
    return np.sum(
        [
            weight * np.roll(both, shift, axis=0)
            for weight, shift in zip(_BELL, shifts, strict=True)
        ],
        axis=0,
    )
