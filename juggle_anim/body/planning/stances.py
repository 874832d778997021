"""Stances: which foot bodies stand on over a loop, where lifted feet are, and how bodies bend, for
throws around them.

A foot leaves the floor only once the weight is over the other one, and the weight comes back once
it stands again. When it is over which foot is planned here; `trunk_plan` brings it there.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.trunk_and_legs import (
    LEAN,
    LEG_CHANNELS,
    LIFTS,
    PELVIS,
    SHOULDER_TURN,
    TRUNK_CHANNELS,
)
from juggle_anim.choreography.around_body import Posture
from juggle_anim.choreography.manners import BODY_THROWS
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Motion
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.vectors import smoother_step

FOOT_UP = 0.355
FOOT_DOWN = 0.375
"""How long a foot takes to be lifted and to come down, [s]."""

SHIFT = 0.40
LEAST_SHIFT = 0.22
"""How long the weight takes from one foot to between both, and at least how long both stand in
between, [s].
"""

_LEG_KNOT_RATE = 30.0  # knots a second of how legs are lifted

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

# Channels of a posture's trunk that change sign in a mirror.
_ODD = [LEAN.start, SHOULDER_TURN]


class Stances(NamedTuple):
    """How J jugglers stand at T times.

    Args:
        legs: how feet are lifted, shape (T, J, `LEG_CHANNELS`), as of `pose_legs`.
        bent: how trunks bend, shape (T, J, `TRUNK_CHANNELS`), as of `pose_trunk`.
        share: by what share they do, rather than as they would, shape (T, J, 1).
        weight: where it is, shape (T, J, 1): 1 over the left foot, −1 over the right one, 0 between
            both.
        lifted: by what share each leg is, shape (T, J, 2).
    """

    legs: Floats
    bent: Floats
    share: Floats
    weight: Floats
    lifted: Floats

    def of_jugglers(self, jugglers: Integers) -> Stances:
        """Those of some jugglers, shape (K,)."""
        return Stances(*(values[:, jugglers] for values in self))

    def moved_legs(self, offsets: Floats) -> Floats:
        """Channels of legs that are elsewhere as far as they are lifted.

        Args:
            offsets: shape (..., T, J, `LEG_CHANNELS`).
        """
        left = self.lifted[..., :1]
        right = self.lifted[..., 1:]
        return self.legs + offsets * np.concatenate([left] * 3 + [right] * 3 + [left, right], -1)


def stances_at(motion: Motion, times: Floats, jugglers: Integers) -> Stances | None:
    """Plan the stances of some jugglers, shape (J,), at times, shape (T,), [s].

    None without throws around a body.
    """
    events = motion.choreography.events
    loop = motion.choreography.duration
    if events.body_throw is None:
        return None
    shape = (len(times), len(jugglers))
    legs = np.zeros((*shape, LEG_CHANNELS))
    bent = np.zeros((*shape, TRUNK_CHANNELS))
    share = np.zeros((*shape, 1))
    weight = np.zeros((*shape, 1))
    lifted = np.zeros((*shape, 2))
    around = np.flatnonzero(events.body_throw)
    # Throws of the loops before and after reach into this one.
    laps = np.arange(-1 - int(_FAR / loop), 2 + int(_FAR / loop)) * loop
    for number, juggler in enumerate(jugglers):
        rows = around[events.hand[around] // 2 == juggler]
        if not rows.size:
            continue
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
        legs[:, number], lifted[:, number] = _lifted(demands, spans, times)
        stance = max(demand.posture.stance for demand in demands)
        legs[:, number, LIFTS] += stance * np.array([1.0, 0.0, 0.0, -1.0, 0.0, 0.0])
        bent[:, number], share[:, number, 0] = _bent(demands, times)
        weight[:, number, 0] = _weight([span for span in spans if span.foot], times)
    return Stances(legs, bent, share, weight, lifted)


def lifted_legs(motion: Motion, moved: PeriodicSpline) -> PeriodicSpline:
    """How the legs of all jugglers are lifted over a loop, shape (T, J, `LEG_CHANNELS`).

    Args:
        motion: its choreography says which throws and catches go around bodies.
        moved: how far lifted legs are from where these lift them, likewise.
    """
    loop = motion.duration
    # Even, so that of a loop whose halves are mirror images both get plans that are.
    knots = 2 * max(2, round(loop * _LEG_KNOT_RATE / 2))
    times = np.arange(float(knots)) * (loop / knots)
    stances = stances_at(motion, times, np.arange(motion.choreography.jugglers))
    assert stances
    return PeriodicSpline(stances.moved_legs(moved.at(times)), loop)


@dataclass(frozen=True)
class _Demand:
    """What one throw or catch asks of the body.

    Args:
        time: [s].
        bent: shape (`TRUNK_CHANNELS`,), of the trunk.
        lifted: shape (`LEG_CHANNELS`,), of lifted legs.
        foot: 1 if the body stands on the left foot alone, −1 on the right one, 0 on both.
        posture: of which all this is.
    """

    time: float
    bent: Floats
    lifted: Floats
    foot: int
    posture: Posture

    @staticmethod
    def of(time: float, posture: Posture, side: int) -> _Demand:
        """What a throw asks for, of the left hand, side 0, or in a mirror, of the right one, 1."""
        bent = np.zeros(TRUNK_CHANNELS)
        bent[PELVIS.start + 1] = posture.rise
        bent[LEAN] = posture.lean
        bent[SHOULDER_TURN] = posture.twist
        lifts = np.array(posture.lifts)
        opens = np.array(posture.opens)
        foot = int(np.sign(lifts[1, 1] - lifts[0, 1]))
        if side:
            bent[_ODD] *= -1.0
            lifts = lifts[::-1] * (-1.0, 1.0, 1.0)
            opens = opens[::-1]
            foot = -foot
        lifted = np.concatenate([lifts.ravel(), opens])
        return _Demand(time, bent, lifted, foot, posture)


class _Support(NamedTuple):
    """When a body stands on one foot, 1 the left one and −1 the right one, on both where it is 0;
    and when the other leg is up and begins to come down, [s].
    """

    start: float
    up: float
    down: float
    end: float
    foot: int


def _bent(demands: list[_Demand], times: Floats) -> tuple[Floats, Floats]:
    """How trunks bend at some times, shape (T, `TRUNK_CHANNELS`), and by what share, shape (T,).

    Of several demands that overlap each has its share; together they have no more than one alone.
    """
    shares = np.stack(
        [_raised_cosine((times - demand.time) / demand.posture.lead) for demand in demands]
    )
    joined = _joined(shares)
    shares /= np.maximum(shares.sum(axis=0), 1e-9)
    bent = np.einsum("dt,dc->tc", shares, np.stack([demand.bent for demand in demands]))
    return bent, joined


def _lifted(demands: list[_Demand], spans: list[_Support], times: Floats) -> tuple[Floats, Floats]:
    """Where feet are lifted to at some times, shape (T, `LEG_CHANNELS`), and by what share each leg
    is, shape (T, 2).
    """
    values = np.zeros((len(times), LEG_CHANNELS))
    lifted = np.zeros((len(times), 2))
    for leg, foot in ((0, -1), (1, 1)):
        on_foot = [
            (demand, span) for demand, span in zip(demands, spans, strict=True) if span.foot == foot
        ]
        if on_foot:
            shares = np.stack(
                [
                    smoother_step((times - span.start) / (span.up - span.start))
                    * smoother_step((span.end - times) / (span.end - span.down))
                    for _, span in on_foot
                ]
            )
            lifted[:, leg] = _joined(shares)
            shares *= lifted[:, leg] / np.maximum(shares.sum(axis=0), 1e-9)
            places = np.stack([demand.lifted for demand, _ in on_foot])
            values += np.einsum("dt,dc->tc", shares, places)
    return values, lifted


def _joined(shares: Floats) -> Floats:
    """What several shares of the same come to, as smooth as they are, shape (D, T) to (T,)."""
    return np.asarray(1.0 - np.prod(1.0 - shares, axis=0))


def _single_supports(demands: list[_Demand]) -> list[_Support]:
    """When the body stands on one foot for each demand; where the other one is asked for soon, both
    hurry.
    """
    ups = [demand.time - demand.posture.held[0] for demand in demands]
    downs = [demand.time + demand.posture.held[1] for demand in demands]
    starts = [up - FOOT_UP for up in ups]
    ends = [down + FOOT_DOWN for down in downs]
    legged = [number for number, demand in enumerate(demands) if demand.foot]
    for before, after in itertools.pairwise(legged):
        lacking = LEAST_SHIFT - (starts[after] - ends[before])
        if demands[before].foot != demands[after].foot and lacking > 0.0:
            later = min(lacking, demands[after].posture.held[0] - _LEAST_HELD)
            starts[after] += later
            ups[after] += later
            lacking -= later
            room = ups[after] - downs[before] - 2 * _LEAST_LIFT
            hurry = min(lacking, max(room, 0.0)) / 2
            ends[before] -= hurry
            starts[after] += hurry
    feet = [demand.foot for demand in demands]
    return list(map(_Support, starts, ups, downs, ends, feet))


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


def _raised_cosine(apart: Floats) -> Floats:
    """1 at 0, and 0 from 1 on to both sides."""
    return np.asarray(np.cos(np.minimum(np.abs(apart), 1.0) * (np.pi / 2)) ** 2)
