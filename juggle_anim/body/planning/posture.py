"""Posture: how bodies move for throws around them over a loop: pelvis, lean and twist of the trunk,
and lifted feet.

A foot leaves the floor only once the weight is over the other one, and the weight comes back once
it stands again. When it is over which foot is planned first; then the pelvis goes where it must for
that, whatever trunk, arms and legs do. For balance, shares of mass and places of the segments'
centres are those of D. A. Winter, "Biomechanics and Motor Control of Human Movement", table 4.1,
after W. T. Dempster (1955).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.balance import MIDDLE_OF_FOOT, centre_over_floor
from juggle_anim.body.planning.reach import Reach, plan_reach
from juggle_anim.body.planning.ruled_trunks import (
    LEGS,
    PELVIS,
    POSTURE_CHANNELS,
    ruled_channels,
)
from juggle_anim.body.planning.steps import Steps
from juggle_anim.body.planning.trunk_plan import TrunkPlan
from juggle_anim.body.trunk_and_legs import (
    ANKLES,
    TOES_AHEAD,
    lifted_ankles,
    pose_legs,
    pose_trunk,
)
from juggle_anim.choreography.around_body import Posture
from juggle_anim.choreography.manners import BODY_THROWS
from juggle_anim.motion import Motion
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.vectors import rotate_about_y, smoother_step

FOOT_UP = 0.355
FOOT_DOWN = 0.375
"""How long a foot takes to be lifted and to come down, [s]."""

SHIFT = 0.40
LEAST_SHIFT = 0.22
"""How long the weight takes from one foot to between both, and at least how long both stand in
between, [s].
"""

_KNOT = 1 / 30  # s
_CHANNEL_KNOT_RATE = 60.0  # knots of channels a second, enough for what follows hands at once
_LIFTS = slice(LEGS.start, LEGS.start + 6)

# At least for so long before a throw its leg is up, however soon after a throw under the other one,
# [s].
_LEAST_HELD = 0.05

# Farther away no throw asks anything of a body; and the least time to lift a foot or put it down.
# [s]
_FAR = 1.5
_LEAST_LIFT = 0.1

# How long before a foot stands the weight begins to leave the other one, as it is not yet over its
# edge, [s].
_SOONER = 0.03

# How the pelvis is smoothed from knot to knot.
_BELL = np.array([1.0, 2.0, 3.0, 2.0, 1.0]) / 9.0

# By how much the centre of mass moves with the pelvis, about; and the steps until it is where it
# should be.
_GIVES = 0.78
_STEPS = 5

_MIRRORED = np.array([-1.0, 1.0, 1.0, -1.0, 1.0, -1.0, *(-1.0, 1.0, 1.0) * 2, 1.0, 1.0])


def plan_posture(
    motion: Motion, amount: float, reach: Reach | None = None
) -> PeriodicSpline | None:
    """The postures of all jugglers over a loop; None without throws around a body.

    They have shape (T, J, `POSTURE_CHANNELS`) at T times.

    Args:
        motion: its choreography says which throws and catches go around bodies.
        amount: of the body motion that follows the throws; 1 is natural.
        reach: how trunks lean toward far hands, which the balance counts with; None if that is not
            known yet.
    """
    choreography = motion.choreography
    events = choreography.events
    loop = choreography.duration
    jugglers = choreography.jugglers
    if events.body_throw is None:
        return None
    # Even, so that of a loop whose halves are mirror images both get plans that are.
    knots = 2 * max(2, round(loop / (2 * _KNOT)))
    times = np.arange(float(knots)) * (loop / knots)
    controls = np.zeros((knots, jugglers, POSTURE_CHANNELS))
    weight = np.zeros((knots, jugglers))
    around = np.flatnonzero(events.body_throw)
    for juggler in np.unique(events.hand[around] // 2):
        rows = around[events.hand[around] // 2 == juggler]
        # Those of the loops before and after reach into this one.
        laps = np.arange(-1 - int(_FAR / loop), 2 + int(_FAR / loop)) * loop
        demands = [
            _Demand.of(
                events.time[row] + lap,
                BODY_THROWS[events.body_throw[row] - 1].posture,
                int(events.hand[row]) % 2,
            )
            for lap in laps
            for row in rows[np.argsort(events.time[rows], kind="stable")]
        ]
        spans = _single_supports(demands)
        controls[:, juggler] = _bent(demands, times) + _lifted(demands, spans, times)
        weight[:, juggler] = _weight([span for span in spans if span.foot], times)
    if controls.any():
        busy = np.unique(events.hand[around] // 2)
        controls[:, busy] = _balanced(
            motion, amount, reach, times, busy, controls[:, busy], weight[:, busy]
        )
    return PeriodicSpline(controls, loop)


@dataclass(frozen=True)
class _Demand:
    """What one throw or catch asks of the body.

    Args:
        time: [s].
        bent: shape (`POSTURE_CHANNELS`,), without what lifted legs do.
        lifts: likewise, that alone.
        foot: 1 if the body stands on the left foot alone, −1 on the right one, 0 on both.
        lead: [s].
        stance: how much farther out both feet stand, [m].
        held: for how long before and after it a leg is up, [s].
    """

    time: float
    bent: Floats
    lifts: Floats
    foot: int
    lead: float
    stance: float
    held: tuple[float, float]

    @staticmethod
    def of(time: float, posture: Posture, side: int) -> _Demand:
        lifts = posture.lifts[::-1] if side else posture.lifts
        opens = posture.opens[::-1] if side else posture.opens
        values = np.array(
            [0.0, posture.rise, 0.0, *posture.lean, posture.twist, *lifts[0], *lifts[1], *opens]
        )
        if side:
            values *= _MIRRORED
        up = values[_LIFTS].reshape(2, 3)[:, 1]
        bent = values.copy()
        raised = np.zeros_like(values)
        of_legs = LEGS
        bent[of_legs], raised[of_legs] = 0.0, values[of_legs]
        foot = int(np.sign(up[1] - up[0]))
        return _Demand(time, bent, raised, foot, posture.lead, posture.stance, posture.held)


class _Support(NamedTuple):
    """When a body stands on one foot, 1 the left one and −1 the right one, on both where it is 0;
    and when the other leg is up and begins to come down, [s].
    """

    start: float
    up: float
    down: float
    end: float
    foot: int


def _bent(demands: list[_Demand], times: Floats) -> Floats:
    """How pelvis and trunk bend at some times, and how wide the feet stand, shape (T,
    `POSTURE_CHANNELS`).

    Of several demands that overlap each has its share; together they have no more than one alone.
    """
    shares = np.stack([_raised_cosine((times - each.time) / each.lead) for each in demands])
    shares *= _joined(shares) / np.maximum(shares.sum(axis=0), 1e-9)
    values = np.einsum("dt,dc->tc", shares, np.stack([each.bent for each in demands]))
    values[:, _LIFTS] += max(each.stance for each in demands) * np.array(
        [1.0, 0.0, 0.0, -1.0, 0.0, 0.0]
    )
    return values


def _lifted(demands: list[_Demand], spans: list[_Support], times: Floats) -> Floats:
    """Where feet are lifted to at some times, shape (T, `POSTURE_CHANNELS`)."""
    values = np.zeros((len(times), POSTURE_CHANNELS))
    for foot in (-1, 1):
        mine = [
            (each, span) for each, span in zip(demands, spans, strict=True) if span.foot == foot
        ]
        if mine:
            shares = np.stack(
                [
                    smoother_step((times - span.start) / (span.up - span.start))
                    * smoother_step((span.end - times) / (span.end - span.down))
                    for _, span in mine
                ]
            )
            shares *= _joined(shares) / np.maximum(shares.sum(axis=0), 1e-9)
            values += np.einsum("dt,dc->tc", shares, np.stack([each.lifts for each, _ in mine]))
    return values


def _joined(shares: Floats) -> Floats:
    """What several shares of the same come to, as smooth as they are, shape (D, T) to (T,)."""
    return np.asarray(1.0 - np.prod(1.0 - shares, axis=0))


def _single_supports(demands: list[_Demand]) -> list[_Support]:
    """When the body stands on one foot for each demand; where the other one is asked for soon, both
    hurry.
    """
    ups = [each.time - each.held[0] for each in demands]
    downs = [each.time + each.held[1] for each in demands]
    starts = [up - FOOT_UP for up in ups]
    ends = [down + FOOT_DOWN for down in downs]
    legged = [number for number, each in enumerate(demands) if each.foot]
    for before, after in itertools.pairwise(legged):
        lacking = LEAST_SHIFT - (starts[after] - ends[before])
        if demands[before].foot != demands[after].foot and lacking > 0.0:
            later = min(lacking, demands[after].held[0] - _LEAST_HELD)
            starts[after], ups[after], lacking = (
                starts[after] + later,
                ups[after] + later,
                lacking - later,
            )
            room = ups[after] - downs[before] - 2 * _LEAST_LIFT
            hurry = min(lacking, max(room, 0.0)) / 2
            ends[before] -= hurry
            starts[after] += hurry
    feet = [each.foot for each in demands]
    return [_Support(*each) for each in zip(starts, ups, downs, ends, feet, strict=True)]


def _weight(alone: list[_Support], times: Floats) -> Floats:
    """Where the weight is at some times: 1 over the left foot, −1 over the right one, 0 between
    both, shape (T,).
    """
    weight = np.zeros(len(times))
    for span in alone:
        weight[(times >= span.start + _SOONER) & (times <= span.end - _SOONER)] = span.foot
    for span, following in itertools.pairwise(alone):
        gap = following.start - span.end + 2 * _SOONER
        after = times - (span.end - _SOONER)
        inside = (after > 0.0) & (after < gap)
        weight[inside] = _between(after[inside], gap, span.foot, following.foot)
    return weight


def _between(after: Floats, gap: float, foot: int, following: int) -> Floats:
    """The weight on its way from one foot to the next in a gap, [s]."""
    if gap >= 2 * SHIFT:
        return foot * smoother_step(1.0 - after / SHIFT) + following * smoother_step(
            1.0 - (gap - after) / SHIFT
        )
    if foot != following:
        return foot + (following - foot) * smoother_step(after / gap)
    depth = min(gap / (2 * SHIFT), 1.0) ** 3
    return foot * (1.0 - depth * np.sin(np.pi * after / gap) ** 4)


def _balanced(
    motion: Motion,
    amount: float,
    reach: Reach | None,
    times: Floats,
    jugglers: Integers,
    posture: Floats,
    weight: Floats,
) -> Floats:
    """The posture with the pelvis where the centre of mass is over what stands, shape (T, J,
    `POSTURE_CHANNELS`).
    """
    hand = (2 * jugglers[:, None] + np.arange(2)).ravel()
    hands = motion.hands.evaluate(*motion.hands.locate(hand, times[:, None])).reshape(
        len(times), -1, 2, 3
    )
    lean = np.zeros((*hands.shape[:2], 3, 3))
    if reach:
        hands = hands + reach.back[jugglers, None, None] * (0.0, 0.0, 1.0)
        lean = reach.track.at(times)[:, jugglers]
    stance = np.zeros_like(posture)
    stance[..., _LIFTS] = np.where(
        np.ptp(posture[..., _LIFTS], axis=0) < 1e-9, posture[..., _LIFTS], 0.0
    )
    between = _centre(hands, amount, lean, stance)
    feet = lifted_ankles(ANKLES, stance[..., LEGS])[..., ::2] + MIDDLE_OF_FOOT * TOES_AHEAD[:, ::2]
    alone = np.where(weight[..., None] > 0.0, feet[..., 0, :], feet[..., 1, :])
    wanted = between + np.abs(weight[..., None]) * (alone - between)
    posture = posture.copy()
    for _ in range(_STEPS):
        missing = wanted - _centre(hands, amount, lean, posture)
        posture[..., PELVIS][..., ::2] += missing / _GIVES
    around = np.arange(-2, 3)
    near = [
        weight * np.roll(posture[..., PELVIS], shift, axis=0)
        for weight, shift in zip(_BELL, around, strict=True)
    ]
    posture[..., PELVIS] = np.sum(near, axis=0)
    return posture


def _centre(hands: Floats, amount: float, reach: Floats, posture: Floats) -> Floats:
    """Where the centre of mass is over the floor, about, to the left and forward, shape (T, J, 2),
    [m].
    """
    trunk = pose_trunk(hands, ruled_channels(hands, amount, reach, posture=posture))
    legs = pose_legs(
        trunk.hips, lifted_ankles(ANKLES, posture[..., LEGS]), channels=posture[..., LEGS]
    )
    return centre_over_floor(trunk, hands, legs)


def _raised_cosine(apart: Floats) -> Floats:
    """1 at 0, and 0 from 1 on to both sides."""
    return np.asarray(np.cos(np.minimum(np.abs(apart), 1.0) * (np.pi / 2)) ** 2)


def plan_ruled_trunks(
    motion: Motion, amount: float, steps: Steps | None, trunks: TrunkPlan
) -> tuple[TrunkPlan, PeriodicSpline]:
    """Plan trunks and legs of all jugglers over a loop with throws around bodies.

    Args:
        motion: paths of hands.
        amount: of the motion that follows the hands, 1 is natural.
        steps: where feet are; None if they stay under the bodies.
        trunks: of all jugglers, which those who do not throw around their bodies keep.

    Returns:
        The plan of trunks, and that of legs, shape (T, J, `LEG_CHANNELS`) at T times.
    """
    loop = motion.duration
    jugglers = motion.choreography.jugglers
    # Each counts with the other.
    reach = plan_reach(motion, amount, plan_posture(motion, amount))
    posture = plan_posture(motion, amount, reach)
    assert posture
    # Even, so that of a loop whose halves are mirror images both get plans that are.
    knots = 2 * max(2, round(loop * _CHANNEL_KNOT_RATE / 2))
    times = np.arange(float(knots)) * (loop / knots)
    hands = motion.hands.evaluate(*motion.hands.locate(np.arange(2 * jugglers), times[:, None]))
    hands = hands.reshape(knots, jugglers, 2, 3) + reach.back[:, None, None] * (0.0, 0.0, 1.0)
    ankles = None
    if steps:
        places = motion.bodies.places(times)[:, :, None]
        facing = places[..., FACING]
        behind = 0.0 * places[..., PLACE] + reach.back[:, None, None] * (0.0, 0.0, 1.0)
        standing = places[..., PLACE] - rotate_about_y(behind, facing)
        ankles = steps.seen_from_bodies(times, standing, facing)[0]
    channels = ruled_channels(hands, amount, reach.track.at(times), ankles, posture.at(times))
    around = motion.choreography.throws_around_body
    channels[:, ~around] = trunks.track.at(times)[:, ~around]
    track = PeriodicSpline(_interpolating_controls(channels), loop)
    legs = PeriodicSpline(posture.controls[..., LEGS], loop)
    return TrunkPlan(track, np.where(around, reach.back, trunks.back)), legs


def _interpolating_controls(values: Floats) -> Floats:
    """Control values of the cubic B-spline through values at its knots, shape (N, ...).

    A knot's value is (c₋₁ + 4 c + c₊₁) / 6, a circular convolution, which a Fourier transform
    undoes.
    """
    frequency = np.arange(len(values) // 2 + 1) / len(values)
    gain = (2.0 + np.cos(2.0 * np.pi * frequency)) / 3.0
    spectrum = np.fft.rfft(values, axis=0) / gain.reshape(-1, *(1,) * (values.ndim - 1))
    return np.fft.irfft(spectrum, len(values), axis=0)
