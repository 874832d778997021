"""Plan of reach: how trunk and shoulders move toward far hands, in time and smoothly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.arm import from_shoulders_to_wrists
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.body.trunk import limited_reach, pose_trunk
from juggle_anim.motion import Motion
from juggle_anim.motion.palms import CHANNELS
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.vectors import norm

MAX_DISTANCE, MIN_DISTANCE = 0.94, 0.34
"""Trunk and shoulders keep each wrist between these distances from its shoulder, as shares of the arm: a straighter arm
cannot bend smoothly, and around a nearer hand the elbow would fly about."""

MAX_BACK = 0.2
"""Who needs room for their arms stands back from their place by this at most, [m]."""

KNOT = 0.1
"""Between two values of the plan, [s]: what changes in less is left to the arms."""

AHEAD = 3
"""Reaching begins twice so many knots before a hand is far, is complete when it is, and takes as long to return."""

MAX_KNOTS = 20_000
"""Knots of a plan times jugglers; beyond it knots lie farther apart."""

_SAMPLES_PER_KNOT = 10
_MIN_KNOTS = 4
# Looks at jugglers that are worked on at once.
_BLOCK = 40_000
_STEPS = 2
_FAR, _NEAR = MAX_DISTANCE * (UPPER_ARM + FOREARM), MIN_DISTANCE * (UPPER_ARM + FOREARM)
# One leans aside, away from a near wrist, where that takes less than this share of what going back from it takes.
_ASIDE = 0.5
# Rather than go down in the knees, people bend forward.
_STRAIGHT, _BENT = np.eye(3), np.array([[1.0, 0.0, 0.0], [0.0, 0.4, -0.4], [0.0, 0.0, 1.0]])
# The rounds of planning: what is far, that share, and how people go down. The last has but one aim: where a hand that
# is far asks for what one that is near forbids, room comes first, since a missed hand is better than a wild elbow.
_ROUNDS = (
    (_FAR, _ASIDE, _BENT),
    (_FAR, _ASIDE, (_BENT + _STRAIGHT) / 2),
    (_FAR, _ASIDE, _STRAIGHT),
    (np.inf, 0.0, _STRAIGHT),
)
# Of what is missing, so much comes from the shoulder; trunk and knees do the rest.
_BY_SHOULDER = 0.4
_BELL = np.array([1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0]) / 16.0


@dataclass(frozen=True)
class Reach:
    """How J jugglers stand and bend so that their arms have the hands at ease; `plan_reach` makes it.

    Args:
        track: shape (T, J, 3, 3) at T times: how far trunk, left and right shoulder go, as `pose_trunk` wants it, [m].
        back: shape (J,), how far everybody stands back from their place, [m].
    """

    track: PeriodicSpline
    back: Floats


def plan_reach(motion: Motion, amount: float) -> Reach:
    """Plan how all jugglers reach over a loop.

    Args:
        motion: what the hands do.
        amount: how much the body gives with the throws, 1 as people do.
    """
    jugglers, loop = motion.choreography.jugglers, motion.duration
    knots = max(_MIN_KNOTS, min(round(loop / KNOT), MAX_KNOTS // jugglers))
    looks = _SAMPLES_PER_KNOT * knots
    times = (np.arange(float(looks)) - _SAMPLES_PER_KNOT // 2) * (loop / looks)
    block = max(1, _BLOCK // looks)
    controls, back = np.zeros((knots, jugglers, 3, 3)), np.zeros(jugglers)
    # Who moves about is where the pattern says.
    moves = motion.bodies.paths.coefficients[:, 1:].any(axis=(1, 2))
    still = np.bincount(motion.bodies.paths.path, moves, jugglers) == 0
    for first in range(0, jugglers, block):
        who = slice(first, first + block)
        hand = np.arange(2 * jugglers).reshape(-1, 2)[who].ravel()
        hands = motion.hands.evaluate(*motion.hands.locate(hand, times[:, None])).reshape(looks, -1, 2, 3)
        turns = motion.palms.at(times, hand).reshape(*hands.shape[:3], CHANNELS)
        arms = _Arms(hands, turns, amount)
        back[who] = np.where(still[who], _step_back(arms), 0.0)
        hands[..., 2] += back[who, None]
        controls[:, who] = _controls(arms, knots, loop)
    return Reach(PeriodicSpline(controls, loop), back)


@dataclass(frozen=True)
class _Arms:
    """What arms have to reach, looks at jugglers; hands are of shape (..., 2, 3), the rest as in `reach_for`."""

    hands: Floats
    turns: Floats
    amount: float

    def from_shoulders(self, reach: Floats) -> tuple[Floats, Floats]:
        """Wrists seen from shoulders, shape (..., 2, 3), and how far they are, (..., 2, 1), [m]."""
        shoulders = pose_trunk(self.hands, self.amount, reach).shoulders
        away = from_shoulders_to_wrists(self.hands, self.turns, shoulders)
        return away, norm(away)


def _step_back(arms: _Arms) -> Floats:
    """How far to stand back so that no wrist comes near its shoulder nor passes behind it, shape (J,), [m]."""
    away, distance = arms.from_shoulders(np.zeros((*arms.hands.shape[:2], 3, 3)))
    back = _until_free(away, distance)
    wanted = np.where(back < MAX_BACK + _NEAR, back, 0.0).max(axis=(0, 2, 3))
    return np.minimum(wanted, MAX_BACK)


def _controls(arms: _Arms, knots: int, loop: float) -> Floats:
    """The control values of a track that reaches in time, shape (N, J, 3, 3)."""
    looks, jugglers = arms.hands.shape[:2]
    times = (np.arange(float(looks)) - _SAMPLES_PER_KNOT // 2) * (loop / looks)
    controls = np.zeros((knots, jugglers, 3, 3))
    for far, aside, down in _ROUNDS:
        planned = PeriodicSpline(controls, loop).at(times)
        missing = (_improved(arms, planned, far, aside, down) - planned).reshape(knots, _SAMPLES_PER_KNOT, -1, 3, 3)
        controls = limited_reach(controls + _smoothed(missing)) if missing.any() else controls
    return controls


def _improved(arms: _Arms, reach: Floats, far: float, aside: float, down: Floats) -> Floats:
    """Reaching that brings wrists nearer than `far` and out of the way, look by look; shape (T, J, 3, 3)."""
    pull = _pull(arms, reach, far, aside)
    busy = pull.any(axis=(-2, -1))
    if not busy.any():
        return reach
    some = _Arms(arms.hands[busy], arms.turns[busy], arms.amount)
    better, pull = reach[busy], pull[busy]
    for step in range(_STEPS):
        pull = _pull(some, better, far, aside) if step else pull
        sides = np.maximum(pull.any(axis=-1).sum(axis=-1), 1)[..., None, None]
        trunk = np.einsum("...i,ij->...j", (1.0 - _BY_SHOULDER) * pull.sum(axis=-2, keepdims=True) / sides, down)
        better = limited_reach(better + np.concatenate([trunk, _BY_SHOULDER * pull], axis=-2))
    reach = reach.copy()
    reach[busy] = better
    return reach


def _pull(arms: _Arms, reach: Floats, far: float, aside: float) -> Floats:
    """How far each shoulder would have to go, shape (..., 2, 3), [m]."""
    away, distance = arms.from_shoulders(reach)
    pull = np.maximum(distance - far, 0.0) * away / np.maximum(distance, 1e-9)
    return pull - _too_near(away, distance, aside)


def _too_near(away: Floats, distance: Floats, share: float) -> Floats:
    """How far wrists that are near would have to go ahead, or aside where that is less than a share of it, (..., 3)."""
    ahead, x = _until_free(away, distance), away[..., :1]
    aside = np.sqrt(np.maximum(_NEAR**2 - distance**2 + x**2, 0.0)) - np.abs(x)
    less = np.where(aside < share * ahead, np.copysign(aside, x) * (1.0, 0.0, 0.0), ahead * (0.0, 0.0, 1.0))
    return np.where(distance < _NEAR, less, 0.0)


def _until_free(away: Floats, distance: Floats) -> Floats:
    """How far forward wrists would have to go to be ahead of their shoulders and not near, shape (..., 1), [m]."""
    free = _NEAR**2 - (distance**2 - away[..., 2:] ** 2)
    return np.where(free > 0.0, np.maximum(np.sqrt(np.maximum(free, 0.0)) - away[..., 2:], 0.0), 0.0)


def _smoothed(missing: Floats) -> Floats:
    """Control values that reach in time; shape (N, looks, J, 3, 3) to (N, J, 3, 3)."""
    out, back = np.maximum(missing.max(axis=1), 0.0), np.minimum(missing.min(axis=1), 0.0)
    steps = range(-AHEAD, AHEAD + 1)
    out = np.maximum.reduce([np.roll(out, step, axis=0) for step in steps])
    back = np.minimum.reduce([np.roll(back, step, axis=0) for step in steps])
    both = out + back
    return sum((share * np.roll(both, step, axis=0) for share, step in zip(_BELL, steps, strict=True)), 0.0 * both)
