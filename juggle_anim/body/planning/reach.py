"""Plan of reach: smooth, anticipating movements of trunk and shoulders toward far hands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats
from juggle_anim.body.arm import from_shoulders_to_wrists
from juggle_anim.body.clearance import CollisionVolume, until_before_trunk
from juggle_anim.body.planning.ruled_trunks import LEAN, limited_reach, ruled_channels
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.body.trunk_and_legs import pose_trunk
from juggle_anim.motion import Motion
from juggle_anim.motion.palms import CHANNELS
from juggle_anim.motion.piecewise import PeriodicSpline, first_equal_in_all, first_equal_rows
from juggle_anim.vectors import norm, smooth_step

MAX_DISTANCE = 0.94
MIN_DISTANCE = 0.34
"""Trunk and shoulders keep each wrist between these distances from its shoulder, as shares of the
arm length: beyond the first the elbow angle changes abruptly, and within the second the swivel
does.
"""

MAX_BACK = 0.2
"""The farthest that a juggler stands back from its place to make room for the arms, [m]."""

KNOT = 0.1
"""Time between knots of the plan, [s]; the arms alone make faster movements."""

AHEAD = 3
"""Reaching begins twice this many knots before a hand is far, is complete by then, and takes as
long to return.
"""

MAX_KNOTS = 20_000
"""Limit of knots times jugglers; beyond it knots lie farther apart."""

_SAMPLES_PER_KNOT = 10
_MIN_KNOTS = 4
# Samples times jugglers processed together.
_BLOCK = 40_000
_STEPS = 2
_FAR = MAX_DISTANCE * (UPPER_ARM + FOREARM)
_NEAR = MIN_DISTANCE * (UPPER_ARM + FOREARM)
# The body leans sideways from a near wrist, rather than back, where that takes less than this share
# of the distance.
_ASIDE = 0.5
# The last round considers near hands only: where far and near hands conflict, near ones win, since
# a gap at a hand looks better than a racing elbow.
_NEAR_HANDS = (np.inf, 0.0)
# The rounds of planning: the far distance, and that share.
_ROUNDS = (*3 * [(_FAR, _ASIDE)], _NEAR_HANDS)
# How a downward reach is made in each round: people bend forward rather than bend their knees, and
# who throws around the body does both.
_DOWN = np.eye(3)
_FORWARD = np.array([[1.0, 0.0, 0.0], [0.0, 0.25, -0.7], [0.0, 0.0, 1.0]])
_FORWARD_AND_DOWN = np.array([[1.0, 0.0, 0.0], [0.0, 0.4, -0.4], [0.0, 0.0, 1.0]])
_USUALLY = _FORWARD, _FORWARD, _DOWN, _DOWN
_AROUND_BODIES = _FORWARD_AND_DOWN, (_FORWARD_AND_DOWN + _DOWN) / 2, _DOWN, _DOWN
# Half the thickness of a wrist, and as much for what the trunk moves, [m].
_WRIST = 0.04
# Share of a reach made by the shoulder; trunk and knees make the rest.
_BY_SHOULDER = 0.4
# A trunk that a throw bends by the first angle still leans toward far hands as usual; by the second
# no more. [rad]
_BENT_A_LITTLE = 0.65
_BENT_FAR = 1.05
_BELL = np.array([1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0]) / 16.0


@dataclass(frozen=True)
class Reach:
    """How J jugglers stand and lean so that all hands are in comfortable reach; `plan_reach` makes
    it.

    Args:
        track: shape (T, J, 3, 3) at T times: displacement of trunk, left and right shoulder, as in
            `pose_trunk`, [m].
        back: shape (J,), how far each juggler stands back from its place, [m].
    """

    track: PeriodicSpline
    back: Floats

    def is_same(self, juggler: int, other: int) -> bool:
        """Whether two jugglers stand and lean alike."""
        controls = self.track.controls
        return bool(self.back[juggler] == self.back[other]) and np.array_equal(
            controls[:, juggler], controls[:, other]
        )


def plan_reach(motion: Motion, amount: float, posture: PeriodicSpline | None = None) -> Reach:
    """The plan of reach of all jugglers over a loop.

    Args:
        motion: paths of hands.
        amount: amplitude of the body motion that follows the throws; 1 is natural.
        posture: what bodies do anyway, shape (T, J, `POSTURE_CHANNELS`), as of `pose_trunk`; None
            if all stand as usual.
    """
    jugglers = motion.choreography.jugglers
    loop = motion.duration
    # Even, so that of a loop whose halves are mirror images both get plans that are.
    knots = max(_MIN_KNOTS, 2 * min(round(loop / (2 * KNOT)), MAX_KNOTS // (2 * jugglers)))
    samples = _SAMPLES_PER_KNOT * knots
    times = (np.arange(float(samples)) - _SAMPLES_PER_KNOT // 2) * (loop / samples)
    block = max(1, _BLOCK // samples)
    # A juggler who walks stays where the pattern says.
    moves = motion.bodies.paths.coefficients[:, 1:].any(axis=(1, 2))
    still = np.bincount(motion.bodies.paths.path, moves, jugglers) == 0
    around = motion.choreography.throws_around_body
    # Whose hands belong behind the body, too, does not make room for them before it.
    still &= ~around
    # Who does the same is planned once.
    same = [motion.first_with_same_hands, still, around]
    if posture:
        same.append(first_equal_rows(posture.controls.swapaxes(0, 1).reshape(jugglers, -1)))
    planned, copied = np.unique(first_equal_in_all(same), return_inverse=True)
    bodies = posture and PeriodicSpline(posture.controls[:, planned], loop)
    still = still[planned]
    count = len(planned)
    controls = np.zeros((knots, count, 3, 3))
    back = np.zeros(count)
    for first in range(0, count, block):
        some = slice(first, first + block)
        hand = (2 * planned[some, None] + np.arange(2)).ravel()
        hands = motion.hands.evaluate(*motion.hands.locate(hand, times[:, None])).reshape(
            samples, -1, 2, 3
        )
        turns = motion.palms.at(times, hand).reshape(*hands.shape[:3], CHANNELS)
        arms = _Arms(hands, turns, amount, bodies.at(times)[:, some] if bodies else None)
        back[some] = np.where(still[some], _step_back(arms), 0.0)
        hands[..., 2] += back[some, None]
        controls[:, some] = _controls(arms, around[planned[some]], knots, loop)
    return Reach(PeriodicSpline(controls[:, copied], loop), back[copied])


@dataclass(frozen=True)
class _Arms:
    """Targets of the arms of T samples and J jugglers.

    Args:
        hands: shape (T, J, 2, 3), [m].
        turns: shape (T, J, 2, `CHANNELS`), how the palms are turned.
        amount: as in `plan_reach`.
        posture: shape (T, J, `POSTURE_CHANNELS`), as of `pose_trunk`; None if all stand as usual.
    """

    hands: Floats
    turns: Floats
    amount: float
    posture: Floats | None = None

    def from_shoulders(self, reach: Floats) -> tuple[Floats, Floats]:
        """Vectors from shoulders to wrists, shape (..., 2, 3), and their lengths, (..., 2, 1),
        [m].
        """
        channels = ruled_channels(self.hands, self.amount, reach, posture=self.posture)
        shoulders = pose_trunk(self.hands, channels).shoulders
        away = from_shoulders_to_wrists(self.hands, self.turns, shoulders)
        return away, norm(away)


def _step_back(arms: _Arms) -> Floats:
    """How far to stand back so that no wrist comes near its shoulder, behind it or into the trunk,
    shape (J,), [m].
    """
    channels = ruled_channels(
        arms.hands, arms.amount, np.zeros((*arms.hands.shape[:2], 3, 3)), posture=arms.posture
    )
    trunk = pose_trunk(arms.hands, channels)
    away = from_shoulders_to_wrists(arms.hands, arms.turns, trunk.shoulders)
    of_shoulder = _until_free(away, norm(away))[..., 0]
    volume = CollisionVolume.from_joints(
        trunk.pelvis, trunk.across, trunk.spine, trunk.neck, trunk.neck
    )
    points = volume.to_local(np.concatenate([trunk.shoulders + away, arms.hands], axis=-2))
    of_trunk = until_before_trunk(np.moveaxis(points, -1, 0), _WRIST)
    # Hands that belong behind the shoulders or the body stay there.
    both = [
        np.where(back < most, back, 0.0)
        for back, most in ((of_shoulder, MAX_BACK + _NEAR), (of_trunk, MAX_BACK))
    ]
    return np.minimum(np.maximum(*(back.max(axis=(0, 2)) for back in both)), MAX_BACK)


def _controls(arms: _Arms, around: Booleans, knots: int, loop: float) -> Floats:
    """Control values of a track that anticipates far hands, shape (N, J, 3, 3).

    Args:
        arms: at the samples of the loop.
        around: shape (J,), who throws or catches around the body.
        knots: N.
        loop: its duration, [s].
    """
    samples, jugglers = arms.hands.shape[:2]
    times = (np.arange(float(samples)) - _SAMPLES_PER_KNOT // 2) * (loop / samples)
    controls = np.zeros((knots, jugglers, 3, 3))
    for (far, aside), usually, beside_throws in zip(_ROUNDS, _USUALLY, _AROUND_BODIES, strict=True):
        planned = PeriodicSpline(controls, loop).at(times)
        down = np.where(around[:, None, None], beside_throws, usually)
        missing = (_improved(arms, planned, far, aside, down) - planned).reshape(
            knots, _SAMPLES_PER_KNOT, -1, 3, 3
        )
        controls = limited_reach(controls + _smoothed(missing)) if missing.any() else controls
        if arms.posture is not None:
            controls = controls * _upright(
                arms.posture[_SAMPLES_PER_KNOT // 2 :: _SAMPLES_PER_KNOT]
            )
    return controls


def _upright(posture: Floats) -> Floats:
    """By what share trunks reach that bend for a throw anyway, shape (N, J, 1, 1); those that bend
    far do not.
    """
    bend = np.sqrt((posture[..., LEAN] ** 2).sum(axis=-1))
    return smooth_step((_BENT_FAR - bend) / (_BENT_FAR - _BENT_A_LITTLE))[..., None, None]


def _improved(arms: _Arms, reach: Floats, far: float, aside: float, down: Floats) -> Floats:
    """Displacements that bring wrists nearer than `far` and not too near, at each sample; shape (T,
    J, 3, 3).

    Args:
        arms, reach: at present.
        far, aside: as in `_ROUNDS`.
        down: shape (J, 3, 3), what becomes of downward reaches of each juggler.
    """
    pull = _pull(arms, reach, far, aside)
    busy = pull.any(axis=(-2, -1))
    if not busy.any():
        return reach
    posture = None if arms.posture is None else arms.posture[busy]
    some = _Arms(arms.hands[busy], arms.turns[busy], arms.amount, posture)
    better = reach[busy]
    pull = pull[busy]
    downward = np.broadcast_to(down, (*busy.shape, 3, 3))[busy]
    for step in range(_STEPS):
        pull = _pull(some, better, far, aside) if step else pull
        sides = np.maximum(pull.any(axis=-1).sum(axis=-1), 1)[..., None, None]
        wanted = (1.0 - _BY_SHOULDER) * pull.sum(axis=-2, keepdims=True) / sides
        trunk = np.where(
            wanted[..., 1:2] < 0.0, np.einsum("nki,nij->nkj", wanted, downward), wanted
        )
        better = limited_reach(better + np.concatenate([trunk, _BY_SHOULDER * pull], axis=-2))
    reach = reach.copy()
    reach[busy] = better
    return reach


def _pull(arms: _Arms, reach: Floats, far: float, aside: float) -> Floats:
    """The displacement that each shoulder still needs, shape (..., 2, 3), [m]."""
    away, distance = arms.from_shoulders(reach)
    pull = np.maximum(distance - far, 0.0) * away / np.maximum(distance, 1e-9)
    return pull - _too_near(away, distance, aside)


def _too_near(away: Floats, distance: Floats, share: float) -> Floats:
    """Displacement that frees near wrists: forward, or sideways where that is less than a share of
    it; (..., 3).
    """
    ahead = _until_free(away, distance)
    x = away[..., :1]
    aside = np.sqrt(np.maximum(_NEAR**2 - distance**2 + x**2, 0.0)) - np.abs(x)
    shorter = np.where(
        aside < share * ahead, np.copysign(aside, x) * (1.0, 0.0, 0.0), ahead * (0.0, 0.0, 1.0)
    )
    return np.where(distance < _NEAR, shorter, 0.0)


def _until_free(away: Floats, distance: Floats) -> Floats:
    """How far forward wrists must move to be in front of their shoulders and not near, shape (...,
    1), [m].
    """
    free = _NEAR**2 - (distance**2 - away[..., 2:] ** 2)
    return np.where(
        free > 0.0, np.maximum(np.sqrt(np.maximum(free, 0.0)) - away[..., 2:], 0.0), 0.0
    )


def _smoothed(missing: Floats) -> Floats:
    """Missing displacements as smooth control values that anticipate; shape (N, samples, J, 3, 3)
    to (N, J, 3, 3).
    """
    highest = np.maximum(missing.max(axis=1), 0.0)
    lowest = np.minimum(missing.min(axis=1), 0.0)
    count = len(missing)
    around = (np.arange(count) - np.arange(-AHEAD, AHEAD + 1)[:, None]) % count
    both = highest.take(around, axis=0).max(axis=0) + lowest.take(around, axis=0).min(axis=0)
    near = both.take(around, axis=0)
    return sum((weight * each for weight, each in zip(_BELL, near, strict=True)), 0.0 * both)
