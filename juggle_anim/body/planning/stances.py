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

# A leg is up for this long at least before its throw, however soon that follows a throw under the
# other leg, [s].
_LEAST_HELD = 0.05

# No throw or catch affects a body earlier or later than this, [s].
_MAX_LEAD = 1.5

# A foot that hurries takes this long at least to be lifted or put down, [s].
_LEAST_LIFT = 0.1

# The weight begins to leave a foot this long before the other one stands, and is over a foot this
# long after the other one has left the floor, as it is still within the edge of the foot then, [s].
_WEIGHT_LEAD = 0.03

# Channels of a posture's trunk that change sign in a mirror image.
_MIRRORED_CHANNELS = [LEAN.start, SHOULDER_TURN]


class Stances(NamedTuple):
    """How J jugglers stand at T times.

    Args:
        legs: how feet are lifted and legs turned, channels of `pose_legs`, shape (T, J,
            `LEG_CHANNELS`).
        bent: the bend of the trunk that throws around the body ask for, channels of `pose_trunk`,
            shape (T, J, `TRUNK_CHANNELS`).
        share: how far trunks go from their bend without such throws, 0, to `bent`, 1; shape
            (T, J, 1).
        weight: over which foot the body's weight is, shape (T, J, 1): from 1, the left one, to −1,
            the right one; 0 between both.
        lifted: how far each leg is lifted, left then right, from 0 for one that stands to 1 for one
            that is where its throw has it, shape (T, J, 2).
    """

    legs: Floats
    bent: Floats
    share: Floats
    weight: Floats
    lifted: Floats

    def of_jugglers(self, jugglers: Integers) -> Stances:
        """The stances of some jugglers, whose indices have shape (K,), in that order."""
        return Stances(*(values[:, jugglers] for values in self))

    def moved_legs(self, offsets: Floats) -> Floats:
        """Channels of legs with offsets added, each scaled by how far its leg is lifted.

        So a leg that stands stays where it is.

        Args:
            offsets: shape (..., T, J, `LEG_CHANNELS`), [m] and [rad].

        Returns:
            Shape (..., T, J, `LEG_CHANNELS`).
        """
        left = self.lifted[..., :1]
        right = self.lifted[..., 1:]
        # As the channels: x, y, z of the left and the right ankle, and the turns of both legs.
        return self.legs + offsets * np.concatenate([left] * 3 + [right] * 3 + [left, right], -1)


def stances_at(motion: Motion, times: Floats, jugglers: Integers) -> Stances | None:
    """Plan how some jugglers stand while they throw and catch around their bodies.

    Each throw or catch around the body demands a bend of the trunk and perhaps a lifted leg. From
    the demands of one juggler follow when the body stands on one foot, then where the lifted legs
    and the weight are.

    Args:
        motion: whose choreography has the events.
        times: shape (T,), [s], in the loop.
        jugglers: shape (J,), indices.

    Returns:
        All 0 for a juggler without such events; None if no juggler has any.
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
    body_events = np.flatnonzero(events.body_throw)
    # Events of the loops before and after reach into this one.
    loop_starts = np.arange(-1 - int(_MAX_LEAD / loop), 2 + int(_MAX_LEAD / loop)) * loop
    for index, juggler in enumerate(jugglers):
        rows = body_events[events.hand[body_events] // 2 == juggler]
        if not rows.size:
            continue
        # In order of time.
        demands = [
            _Demand.from_posture(
                events.time[row] + loop_start,
                BODY_THROWS[events.body_throw[row] - 1].posture,
                int(events.hand[row]) % 2,
            )
            for loop_start in loop_starts
            for row in rows[np.argsort(events.time[rows], kind="stable")]
        ]
        supports = _supports(demands)
        legs[:, index], lifted[:, index] = _leg_lifts(demands, supports, times)
        # Both feet stand farther outward all the time, by the most that any demand asks for.
        stance = max(demand.posture.stance for demand in demands)
        legs[:, index, LIFTS] += stance * np.array([1.0, 0.0, 0.0, -1.0, 0.0, 0.0])
        bent[:, index], share[:, index, 0] = _trunk_bends(demands, times)
        weight[:, index, 0] = _weight([support for support in supports if support.foot], times)
    return Stances(legs, bent, share, weight, lifted)


def lifted_legs(motion: Motion, moved: PeriodicSpline) -> PeriodicSpline:
    """How the legs of all J jugglers are lifted over a loop, (T, J, `LEG_CHANNELS`) control values.

    Args:
        motion: its choreography has throws or catches that go around bodies.
        moved: how far lifted legs are from where these events lift them, (any number, J,
            `LEG_CHANNELS`) control values.
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
    """What one throw or catch around the body asks of the body.

    Args:
        time: when, [s].
        bent: channels of the trunk then, shape (`TRUNK_CHANNELS`,).
        lifted: channels of the legs then, shape (`LEG_CHANNELS`,).
        foot: 1 if the body stands on the left foot alone, −1 on the right one, 0 on both.
        posture: the row of the table from which all this comes.
    """

    time: float
    bent: Floats
    lifted: Floats
    foot: int
    posture: Posture

    @staticmethod
    def from_posture(time: float, posture: Posture, side: int) -> _Demand:
        """The demand of an event of the left hand, side 0, or of the right one, side 1.

        Postures are those for left hands; right hands have the mirror image.
        """
        bent = np.zeros(TRUNK_CHANNELS)
        bent[PELVIS.start + 1] = posture.rise
        bent[LEAN] = posture.lean
        bent[SHOULDER_TURN] = posture.twist
        lifts = np.array(posture.lifts)
        opens = np.array(posture.opens)
        # The body stands on the left foot (1) if the right one is lifted higher, and vice versa.
        foot = int(np.sign(lifts[1, 1] - lifts[0, 1]))
        if side:
            bent[_MIRRORED_CHANNELS] *= -1.0
            lifts = lifts[::-1] * (-1.0, 1.0, 1.0)
            opens = opens[::-1]
            foot = -foot
        lifted = np.concatenate([lifts.ravel(), opens])
        return _Demand(time, bent, lifted, foot, posture)


class _Support(NamedTuple):
    """A span of time in which a body stands on one foot, and the other leg is lifted, [s].

    Args:
        start: when the other foot leaves the floor.
        up: from when on it is up.
        down: when it begins to come down.
        end: when it stands again.
        foot: the standing foot, 1 the left one and −1 the right one; 0 for a demand that needs both
            feet, for which the times have no meaning.
    """

    start: float
    up: float
    down: float
    end: float
    foot: int


def _trunk_bends(demands: list[_Demand], times: Floats) -> tuple[Floats, Floats]:
    """Blend the bends of the trunk that several demands of one juggler ask for.

    Each demand counts most at its time, and not at all beyond its posture's lead from it.

    Args:
        demands: one or more.
        times: shape (T,), [s].

    Returns:
        The weighted mean of the bends, shape (T, `TRUNK_CHANNELS`), and how far the trunk goes
        there, from 0 where no demand counts to 1, shape (T,).
    """
    weights = np.stack(
        [_raised_cosine((times - demand.time) / demand.posture.lead) for demand in demands]
    )
    share = _united_share(weights)
    # Normalised to the sum 1 where any demand counts; elsewhere 1e-9 leaves them 0.
    weights /= np.maximum(weights.sum(axis=0), 1e-9)
    bent = np.einsum("dt,dc->tc", weights, np.stack([demand.bent for demand in demands]))
    return bent, share


def _leg_lifts(
    demands: list[_Demand], supports: list[_Support], times: Floats
) -> tuple[Floats, Floats]:
    """Blend where the lifted legs of one juggler are that several demands ask for.

    Args:
        demands: one or more.
        supports: when the body stands on one foot for each demand, in the same order.
        times: shape (T,), [s].

    Returns:
        Channels of the legs, 0 where both feet stand, shape (T, `LEG_CHANNELS`), and how far the
        left and the right leg are lifted, from 0 to 1, shape (T, 2).
    """
    channels = np.zeros((len(times), LEG_CHANNELS))
    lifted = np.zeros((len(times), 2))
    # The left leg (0) is lifted while the body stands on the right foot (−1), and vice versa.
    for leg, foot in ((0, -1), (1, 1)):
        on_foot = [
            (demand, support)
            for demand, support in zip(demands, supports, strict=True)
            if support.foot == foot
        ]
        if on_foot:
            # Each lift rises from `start` to `up`, and sinks from `down` to `end`.
            weights = np.stack(
                [
                    smoother_step((times - support.start) / (support.up - support.start))
                    * smoother_step((support.end - times) / (support.end - support.down))
                    for _, support in on_foot
                ]
            )
            lifted[:, leg] = _united_share(weights)
            # Scaled so that they sum to how far the leg is lifted: the channels are the weighted
            # mean of the demanded ones times that.
            weights *= lifted[:, leg] / np.maximum(weights.sum(axis=0), 1e-9)
            demanded = np.stack([demand.lifted for demand, _ in on_foot])
            channels += np.einsum("dt,dc->tc", weights, demanded)
    return channels, lifted


def _united_share(shares: Floats) -> Floats:
    """Combine several shares, from 0 to 1, into one: 1 − Π(1 − s), shape (D, T) to (T,).

    It is 0 where all of them are 0, 1 where any of them is 1, otherwise no less than the largest,
    and as smooth as they are, which their maximum would not be.
    """
    return np.asarray(1.0 - np.prod(1.0 - shares, axis=0))


def _supports(demands: list[_Demand]) -> list[_Support]:
    """When the body stands on one foot for each demand.

    Between standing on one foot and on the other, both feet should stand for `LEAST_SHIFT`. Where
    the demands leave less, the second leg is first held up for a shorter time before its event;
    then the first foot comes down, and the second one goes up, faster, as far as `_LEAST_LIFT`
    allows. What still lacks is accepted.

    Args:
        demands: of one juggler, in order of time.

    Returns:
        A support for each demand, in the same order.
    """
    ups = [demand.time - demand.posture.held[0] for demand in demands]
    downs = [demand.time + demand.posture.held[1] for demand in demands]
    starts = [up - FOOT_UP for up in ups]
    ends = [down + FOOT_DOWN for down in downs]
    on_one_foot = [index for index, demand in enumerate(demands) if demand.foot]
    for before, after in itertools.pairwise(on_one_foot):
        lacking = LEAST_SHIFT - (starts[after] - ends[before])
        if demands[before].foot != demands[after].foot and lacking > 0.0:
            delay = min(lacking, demands[after].posture.held[0] - _LEAST_HELD)
            starts[after] += delay
            ups[after] += delay
            lacking -= delay
            # Half of what lacks is taken from either foot's movement.
            room = ups[after] - downs[before] - 2 * _LEAST_LIFT
            hurry = min(lacking, max(room, 0.0)) / 2
            ends[before] -= hurry
            starts[after] += hurry
    feet = [demand.foot for demand in demands]
    return list(map(_Support, starts, ups, downs, ends, feet))


def _weight(supports: list[_Support], times: Floats) -> Floats:
    """Over which foot the weight of a body is at some times.

    Args:
        supports: spans on one foot, in order of time; before the first and after the last one the
            weight is between both feet.
        times: shape (T,), [s].

    Returns:
        Shape (T,): from 1, over the left foot, to −1, over the right one; 0 between both.
    """
    weight = np.zeros(len(times))
    for support in supports:
        is_over_foot = (times >= support.start + _WEIGHT_LEAD) & (
            times <= support.end - _WEIGHT_LEAD
        )
        weight[is_over_foot] = support.foot
    for support, following in itertools.pairwise(supports):
        gap = following.start - support.end + 2 * _WEIGHT_LEAD
        since = times - (support.end - _WEIGHT_LEAD)
        is_in_gap = (since > 0.0) & (since < gap)
        weight[is_in_gap] = _weight_between(since[is_in_gap], gap, support.foot, following.foot)
    return weight


def _weight_between(since: Floats, gap: float, foot: int, following: int) -> Floats:
    """Over which foot the weight is on its way from one single support to the next.

    Args:
        since: time since the way began, shape (N,), 0 to `gap`, [s].
        gap: how long the way takes, [s].
        foot, following: the foot at its start and at its end, 1 or −1.

    Returns:
        Shape (N,): 1 over the left foot, −1 over the right one, 0 between both.
    """
    # A long gap has time for the way to the middle, a rest there, and the way from the middle.
    if gap >= 2 * SHIFT:
        return foot * smoother_step(1.0 - since / SHIFT) + following * smoother_step(
            1.0 - (gap - since) / SHIFT
        )
    if foot != following:
        return foot + (following - foot) * smoother_step(since / gap)
    # Back to the same foot: toward the middle and back by a smooth bump, the less far the shorter
    # the gap is, so that the acceleration stays bounded.
    depth = min(gap / (2 * SHIFT), 1.0) ** 3
    return foot * (1.0 - depth * np.sin(np.pi * since / gap) ** 4)


def _raised_cosine(offset: Floats) -> Floats:
    """A smooth bump, cos²(π x / 2): 1 at the offset x = 0, and 0 from x = ±1 on."""
    return np.asarray(np.cos(np.minimum(np.abs(offset), 1.0) * (np.pi / 2)) ** 2)
