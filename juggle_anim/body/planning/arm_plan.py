"""Plan of arms: hands turn and elbows swivel a little more over a loop, by least squares.

Natural arms know one moment alone. Where they break a limit of a wrist, come into the body or each
other, or hurry, all of it is one problem of least squares, whose unknowns are the control values of
a spline; `arm_tasks` has the limits. Which forearm goes over the other, and on which side of its
body an elbow passes, no derivative tells: a few starts are tried, and the best is gone on with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.planning.arm_tasks import (
    ArmLimits,
    ArmState,
    KeepArmsApart,
    KeepClearOfBody,
    LimitWrists,
    ReachPlaces,
    arm_gaps,
)
from juggle_anim.body.planning.least_squares import (
    BANDS,
    AccelerationLimit,
    Mirror,
    Problem,
    Products,
    Residuals,
    Solution,
    Stage,
    accelerations,
    least_squares,
)
from juggle_anim.body.pose import ARM_CHANNELS, HAND_TURN, POLE, ArmTargets, BodyPlan
from juggle_anim.choreography.choreography import CATCH
from juggle_anim.choreography.manners import BODY_THROWS
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Motion
from juggle_anim.motion.piecewise import PeriodicSpline, successors
from juggle_anim.parameters import Parameters
from juggle_anim.vectors import cross, dot, unit

KNOT_RATE = 14.0
"""Knots of the plan a second."""

MAX_KNOTS = 6_000
"""Knots times jugglers beyond which arms are not planned."""

_SAMPLES = 8  # moments of each interval between knots
_BLOCK = 1_500  # moments times jugglers planned together
_LONG = 6_000  # moments of a loop in which no other start is tried

# Units of the turns of a hand [rad] and of the parts of a pole, usually; of hands that hold clubs,
# which are in line with them; and of hands that stay as they are.
_EASE = np.array([0.5, 0.4, 0.5, 0.6, 0.6, 0.6])
_CLUB_EASE = np.array([0.1, 0.1, 0.5, 0.6, 0.6, 0.6])
_FIXED_EASE = np.array([1e-4, 1e-4, 1e-4, 0.6, 0.6, 0.6])

# The farthest that hands turn from where they are at ease, and the excess that counts as 1, [rad].
_MOST = np.array([*np.radians([55.0, 50.0, 60.0]), np.inf, np.inf, np.inf])
_TOO_FAR = np.radians(3.0)

_FREQUENCY = 2.5  # Hz, up to which turns and poles follow what they should do

# Elbows that accelerate less are calm; people's wrists need 142 m/s² with five props.
_CALM = AccelerationLimit(most=110.0, excess=40.0)

# Firmness of limits, and steps with it. From arms at ease limits become firm by and by, so that
# arms do not leap. Then other starts are tried, which know what they are to keep; then the last.
_SOFT_STAGES = (
    Stage(firmness=0.1, steps=6, least_gain=0.1),
    Stage(firmness=0.3, steps=4, least_gain=0.1),
)
_FIRM_STAGE = (Stage(firmness=1.0, steps=12, least_gain=0.05),)
_OTHER_STAGE = (Stage(firmness=1.0, steps=20, least_gain=0.03),)
_LAST_STAGE = (Stage(firmness=1.0, steps=30, least_gain=0.005),)
_DAMPING = 0.2
_LARGEST_STEP = 0.5

# Options of an arm of which a start is made: lift of the elbow, yaw and pitch of the hand, [rad].
_OPTIONS = np.radians(
    [
        (lift, yaw, pitch)
        for lift in (0.0, -50.0, 50.0, 100.0)
        for yaw in (0.0, -35.0, 35.0)
        for pitch in (0.0, -35.0, 35.0)
    ]
)
_STEP_UNIT = np.radians([15.0, 12.0, 12.0])  # of a step from one option to the next
_BESIDE = 3  # moments, of a quarter of them
_NEAR = 0.10  # m, between arms that may meet
_FAR_BEYOND = 1.5  # excess over limits from which other starts are tried
_POLES = ((2.5, 1.2, 0.0), (0.0, 2.8, 0.0), (0.0, -2.8, 0.0))  # of elbows that would flip over
_OVERTURNED = 8.0  # excess of the turn of a forearm from which its elbow might hang
_HANGING = -0.8  # rad
_FLIPPING = 6.0  # times the calm acceleration
_BLEND = 0.18  # s, until a start is at ease again

_LARGE = 10.0  # residual of a limit from which on it grows with the root
_STEP = 1e-3  # of values, from which derivatives are taken
_AT_EASE = 1e-4  # values so small change no arm

_ARM_VALUES = 2 * ARM_CHANNELS

_MIRROR = Mirror(np.roll(np.arange(_ARM_VALUES), ARM_CHANNELS), np.ones(_ARM_VALUES))
_NO_MIRROR = Mirror.none(_ARM_VALUES)


def plan_arms(
    motion: Motion, parameters: Parameters, plan: BodyPlan, same: Integers
) -> PeriodicSpline | None:
    """Plan the arms of all jugglers over a loop; None if they break no limit anyway.

    Args:
        motion: paths of hands.
        parameters: body motion is read.
        plan: the other movements of the bodies.
        same: for each juggler the first who does the same, shape (J,).

    Returns:
        Shape (T, J, 2, `ARM_CHANNELS`) at T times.
    """
    loop = motion.duration
    jugglers = motion.choreography.jugglers
    # Even, so that of a loop whose halves are mirror images both get plans that are.
    group = 2 * BANDS
    knots = group * max(1, round(loop * KNOT_RATE / group))
    if knots * jugglers > MAX_KNOTS:
        return None
    moments = knots * _SAMPLES
    times = np.arange(float(moments)) * (loop / moments)
    targets = ArmTargets.from_plan(motion, parameters, plan, times)
    planned = np.flatnonzero(same == np.arange(jugglers))
    mirrored = targets.mirrored_halves[planned]
    everyone = np.zeros((knots, jugglers, _ARM_VALUES))
    for members, mirror in (
        (planned[mirrored], _MIRROR),
        (planned[~mirrored], _NO_MIRROR),
    ):
        if not members.size:
            continue
        ease = _Ease.of(motion, targets, members, loop / moments, mirror)
        busy = np.flatnonzero(ease.broken.any(axis=0))
        block = max(1, _BLOCK // len(ease.excess))
        for first in range(0, len(busy), block):
            jugglers_of_block = busy[first : first + block]
            controls = _planned(ease.of_jugglers(jugglers_of_block))
            everyone[:, members[jugglers_of_block]] = mirror.whole(controls)
    if not everyone.any():
        return None
    return PeriodicSpline(everyone[:, same].reshape(knots, jugglers, 2, ARM_CHANNELS), loop)


def forearms_at_ease(motion: Motion, parameters: Parameters, plan: BodyPlan) -> PeriodicSpline:
    """Points of the forearms of all jugglers as throws around their bodies lift them.

    Args:
        motion, parameters, plan: as of `plan_arms`.

    Returns:
        Shape (T, J, 2, 3, 3) at T times, [m].
    """
    loop = motion.duration
    moments = _SAMPLES * max(1, round(loop * KNOT_RATE))
    times = np.arange(float(moments)) * (loop / moments)
    targets = ArmTargets.from_plan(motion, parameters, plan, times)
    arms = targets.pose_arms()
    joints = np.stack([targets.shoulders, arms.elbows, arms.wrists, arms.palms], axis=-2)
    lifts = _lifts_of_body_throws(motion, moments)
    values = _values_of(joints, lifts, 0.0 * lifts)
    arms = targets.pose_arms(values.reshape(*lifts.shape, ARM_CHANNELS))
    shares = np.array([[0.2], [0.5], [0.8]])
    along = (arms.wrists - arms.elbows)[..., None, :]
    return PeriodicSpline(arms.elbows[..., None, :] + shares * along, loop)


def _planned(ease: _Ease) -> Floats:
    """Control values of jugglers who break limits at ease, shape (N, J, `_ARM_VALUES`)."""
    # Half of the moments are enough until the last steps, but not for throws around the body.
    half = ease if ease.wanted.any() else ease.every_other()
    soft = _best_of(half, _starts(half), _SOFT_STAGES)
    controls = _solved(half, soft.controls, _FIRM_STAGE).controls
    # Where arms stay beyond their limits, more is tried.
    missed = _ArmProblem(ease).residuals(_values_at(ease, controls))
    far = np.flatnonzero(_is_far(ease, missed))
    if far.size and len(ease.excess) <= _LONG:
        hard = ease.of_jugglers(far)
        starts = [controls[:, far], *_other_starts(hard, soft.controls[:, far])]
        controls = controls.copy()
        controls[:, far] = _best_of(hard, starts, _OTHER_STAGE).controls
    return _solved(ease, controls, _LAST_STAGE).controls


def _best_of(ease: _Ease, starts: list[Floats], stages: Sequence[Stage]) -> Solution:
    """The best of what some starts lead to.

    Args:
        ease: arms at ease of J jugglers.
        starts: control values, each of shape (N, J, `_ARM_VALUES`).
        stages: of the limits.
    """
    jugglers = np.arange(ease.excess.shape[1])
    if len(starts) == 1:
        return _solved(ease, starts[0], stages)
    copies = ease.of_jugglers(np.tile(jugglers, len(starts)))
    solution = _solved(copies, np.concatenate(starts, axis=1), stages)
    best = solution.cost.reshape(len(starts), -1).argmin(axis=0)
    return solution.of_jugglers(best * len(jugglers) + jugglers)


def _solved(ease: _Ease, start: Floats, stages: Sequence[Stage]) -> Solution:
    """What a start leads to."""
    return least_squares(
        _ArmProblem(ease),
        start,
        ease.period * len(ease.excess),
        acceleration_costs=1.0 / (ease.units * (2.0 * np.pi * _FREQUENCY) ** 2) ** 2,
        stages=stages,
        limit=_CALM,
        samples=ease.samples,
        damping=_DAMPING,
        largest_step=_LARGEST_STEP,
        mirror=ease.mirror,
    )


@dataclass(frozen=True)
class _Ease:
    """Arms of J jugglers at ease at T even moments of a loop, and what is asked of them.

    Args:
        limits: that they should keep.
        units: of the values of both arms, shape (`_ARM_VALUES`,).
        period: from each moment to the next, [s].
        targets: of leading shape (T · J, 1).
        joints: shape (T, J, 2, 4, 3), [m].
        excess: over the limits, shape (T, J, R).
        wanted: values at which elbows are at ease, shape (T, J, `_ARM_VALUES`): 0, but for throws
            around the body, which lift them.
        mirror: through which their loop goes on.
        samples: moments of each interval between knots.
    """

    limits: ArmLimits
    units: Floats
    period: float
    targets: ArmTargets
    joints: Floats
    excess: Floats
    wanted: Floats
    mirror: Mirror
    samples: int = _SAMPLES

    @staticmethod
    def of(
        motion: Motion,
        targets: ArmTargets,
        jugglers: Integers,
        period: float,
        mirror: Mirror = _NO_MIRROR,
    ) -> _Ease:
        """Pose the arms of some jugglers, shape (J,), at all T moments or, mirrored, half."""
        moments = len(targets.hands)
        shape = (moments // 2 if mirror.is_one else moments, len(jugglers))
        as_juggling_lab = motion.choreography.as_juggling_lab
        limits = ArmLimits(
            LimitWrists(as_juggling_lab), KeepClearOfBody(), ReachPlaces(), KeepArmsApart()
        )
        units = _EASE
        if as_juggling_lab:
            units = _FIXED_EASE
        elif motion.shapes.has_clubs:
            units = _CLUB_EASE
        flat = targets.at(np.repeat(np.arange(shape[0]), shape[1]), np.tile(jugglers, shape[0]))
        state = ArmState.posed(flat, np.zeros((shape[0] * shape[1], 2, ARM_CHANNELS)))
        excess = limits.excess(state)
        joints = state.joints.reshape(*shape, 2, 4, 3)
        lifts = _lifts_of_body_throws(motion, moments)[: shape[0], jugglers]
        return _Ease(
            limits=limits,
            units=np.tile(units, 2),
            period=period,
            targets=flat,
            joints=joints,
            excess=excess.reshape(*shape, -1),
            wanted=_values_of(joints, lifts, 0.0 * lifts),
            mirror=mirror,
        )

    def of_jugglers(self, jugglers: Integers) -> _Ease:
        """Select some jugglers, or some several times, shape (K,)."""
        moments, count = self.excess.shape[:2]
        rows = (np.arange(moments)[:, None] * count + jugglers).ravel()
        return replace(
            self,
            targets=self.targets.at(rows, np.zeros_like(rows)),
            joints=self.joints[:, jugglers],
            excess=self.excess[:, jugglers],
            wanted=self.wanted[:, jugglers],
        )

    def every_other(self) -> _Ease:
        """Select every other moment."""
        moments, count = self.excess.shape[:2]
        rows = np.arange(moments * count).reshape(moments, count)[::2].ravel()
        return replace(
            self,
            period=2.0 * self.period,
            targets=self.targets.at(rows, np.zeros_like(rows)),
            joints=self.joints[::2],
            excess=self.excess[::2],
            wanted=self.wanted[::2],
            samples=self.samples // 2,
        )

    @property
    def hurry(self) -> Floats:
        """Acceleration of the faster elbow, shape (T, J), [m/s²]."""
        return accelerations(self.joints[..., 1, :], self.period, self.mirror).max(axis=-1)

    def knots_of(self, values: Floats) -> Floats:
        """Means of values over a knot's distance around each knot, shape (T, ...) to (N, ...)."""
        around = self.mirror.around(values, self.samples // 2, 0)[: len(values)]
        return around.reshape(-1, self.samples, *values.shape[1:]).mean(axis=1)

    @property
    def broken(self) -> Booleans:
        """Where arms break a limit or hurry, shape (T, J)."""
        beyond = (np.abs(self.excess) > self.limits.margins).any(axis=-1)
        beyond |= self.wanted.any(axis=-1)
        return beyond | (self.hurry > _CALM.most)


def _starts(ease: _Ease) -> list[Floats]:
    """Control values to begin with, each of shape (N, J, `_ARM_VALUES`)."""
    starts = [ease.wanted]
    if ease.wanted.any():
        starts.append(0.0 * ease.wanted)
    overturned = np.abs(ease.excess[..., [0, 8]]).max(axis=-1) > _OVERTURNED
    if overturned.any():
        # An elbow that rose too far might as well hang.
        blend = round(_BLEND / ease.period)
        hanging = np.repeat(_HANGING * _around(overturned, blend)[..., None], 2, axis=-1)
        starts.append(ease.wanted + _values_of(ease.joints, hanging, 0.0 * hanging))
    return [ease.knots_of(values) for values in starts]


def _is_far(ease: _Ease, missed: Residuals) -> Booleans:
    """Who is still far beyond a limit by its residuals, shape (J,)."""
    most = _softened(ease.limits.margins + _FAR_BEYOND)
    beyond = (np.abs(missed.limits) > most).any(axis=(0, 2))
    if missed.points is not None:
        hurry = accelerations(missed.points, ease.period, ease.mirror).max(axis=(0, 2))
        beyond |= hurry > _FLIPPING * _CALM.most
    return np.asarray(beyond)


def _values_at(ease: _Ease, controls: Floats) -> Floats:
    """Values of a spline at the moments, shape (T, J, `_ARM_VALUES`)."""
    times = np.arange(float(len(ease.excess))) * ease.period
    whole = ease.mirror.whole(controls)
    return PeriodicSpline(whole, len(whole) * ease.samples * ease.period).at(times)


def _posed(ease: _Ease, values: Floats) -> ArmState:
    """Arms with some values at all moments."""
    return ArmState.posed(ease.targets, values.reshape(-1, 2, ARM_CHANNELS))


def _other_starts(ease: _Ease, controls: Floats) -> list[Floats]:
    """Control values for jugglers of whom the first did not lead within the limits, likewise.

    Args:
        ease: their arms at ease.
        controls: to which the first led while limits were soft.
    """
    moments, jugglers = ease.excess.shape[:2]
    reached = _values_at(ease, controls)
    starts = []
    for values in (reached, 0.0 * reached):
        joints = _posed(ease, values).joints.reshape(moments, jugglers, 2, 4, 3)
        starts.append(_cheapest_course(ease, values, joints))
    flips = ease.hurry > _FLIPPING * _CALM.most
    if flips.any():
        # Where elbows would flip over, they may stay on one side.
        share = _around(flips, round(_BLEND / ease.period))[..., None, None]
        for pole in _POLES:
            led = ease.wanted.reshape(moments, jugglers, 2, ARM_CHANNELS).copy()
            led[..., POLE] += share * np.array(pole)
            starts.append(led.reshape(moments, jugglers, -1))
    return [ease.knots_of(values) for values in starts]


def _cheapest_course(ease: _Ease, start: Floats, joints: Floats) -> Floats:
    """Values of the cheapest way through a few options at each moment, (T, J, `_ARM_VALUES`).

    Which forearm goes over the other, and whether an elbow hangs or rises, is chosen by dynamic
    programming (R. Bellman, "Dynamic Programming", 1957) over pairs of options of both arms.

    Args:
        ease: arms at ease.
        start: values to which options are added, of the same shape.
        joints: of arms with these, shape (T, J, 2, 4, 3), [m].
    """
    # Again, half of the moments are enough to choose.
    start = start[::2]
    joints = joints[::2]
    moments, jugglers = start.shape[:2]
    table = _OPTIONS
    if ease.limits.wrists.free:
        # Hands stay as they are.
        table = table[~table[:, 1:].any(axis=1)]
    options = len(table)
    lift, yaw, pitch = np.broadcast_to(
        table.T[:, :, None, None, None], (3, options, moments, jugglers, 2)
    )
    values = np.stack(
        [
            start + _values_of(joints, lift[option], pitch[option], yaw[option])
            for option in range(options)
        ]
    )
    rows = np.arange(2 * moments * jugglers).reshape(-1, 2 * jugglers)[:, :jugglers].ravel()
    rows = np.tile(rows, options)
    state = ArmState.posed(
        ease.targets.at(rows, np.zeros_like(rows)), values.reshape(-1, 2, ARM_CHANNELS)
    )
    alone = (_softened(ease.limits.of_each_arm(state)) ** 2).sum(axis=-1)
    alone += ((values / ease.units) ** 2).reshape(-1, 2, ARM_CHANNELS).sum(axis=-1)
    alone = alone.reshape(options, moments, jugglers, 2)
    of_options = state.joints.reshape(options, moments, jugglers, 2, 4, 3)
    gaps = arm_gaps(joints[:, :, 0].reshape(-1, 4, 3), joints[:, :, 1].reshape(-1, 4, 3))
    near = (gaps < _NEAR).any(axis=-1).reshape(moments, jugglers)
    steps = (((table[:, None] - table) / _STEP_UNIT) ** 2).sum(axis=-1)
    chosen = np.empty((moments, jugglers, 2, ARM_CHANNELS))
    values = values.reshape(options, moments, jugglers, 2, ARM_CHANNELS)
    for juggler in range(jugglers):
        costs = alone[:, :, juggler, 0].T[:, :, None] + alone[:, :, juggler, 1].T[:, None]
        meeting = np.flatnonzero(near[:, juggler])
        # Gaps need few digits, and there are many.
        meet = of_options[:, meeting, juggler].swapaxes(0, 1).astype(np.float32)
        left, right = np.broadcast_arrays(meet[:, :, None, 0], meet[:, None, :, 1])
        apart = ease.limits.apart.of_arms(left.reshape(-1, 4, 3), right.reshape(-1, 4, 3))
        apart_costs = (_softened(apart) ** 2).sum(axis=-1)
        costs[meeting] += apart_costs.reshape(-1, options, options)
        # A curve smooths what is chosen at a knot over those beside it.
        sides = (0, 2, 1) if ease.mirror.is_one else (0, 1, 2)
        ends = [costs[-_BESIDE:].transpose(sides), costs, costs[:_BESIDE].transpose(sides)]
        around = np.concatenate(ends)
        shifts = range(2 * _BESIDE + 1)
        costs = np.maximum.reduce([around[shift : shift + moments] for shift in shifts])
        course = _cheapest_cycle(costs, steps, ease.mirror.is_one)
        for side in (0, 1):
            chosen[:, juggler, side] = values[course[:, side], np.arange(moments), juggler, side]
    return np.repeat(chosen.reshape(moments, jugglers, -1), 2, axis=0)


def _cheapest_cycle(costs: Floats, steps: Floats, mirrored: bool) -> Integers:
    """The cheapest closed way through pairs of options, shape (T, 2).

    Args:
        costs: of pairs at T moments, shape (T, K, K).
        steps: of a change of one option to another, shape (K, K).
        mirrored: whether the way goes on with the arms exchanged.
    """
    options = len(steps)

    def by_left(total: Floats) -> Floats:
        return total[:, None, :] + steps[:, :, None]

    def by_right(total: Floats) -> Floats:
        return total[:, None, :] + steps[None]

    # A lap forgets how it began; the second one begins and ends where that is best.
    total = np.zeros((options, options))
    for cost in costs:
        total = by_right(by_left(total).min(axis=0)).min(axis=-1) + cost
    end = np.unravel_index(total.argmin(), total.shape)
    total = np.full_like(total, np.inf)
    total[end[::-1] if mirrored else end] = 0.0
    came = []
    for cost in costs:
        ways = by_left(total)
        from_left = ways.argmin(axis=0)
        ways = by_right(ways.min(axis=0))
        came.append((from_left, ways.argmin(axis=-1)))
        total = ways.min(axis=-1) + cost
    left, right = (int(part) for part in end)
    course = []
    for from_left, from_right in reversed(came):
        course.append((left, right))
        # Steps go left part first, so that they are taken back right part first.
        right = int(from_right[left, right])
        left = int(from_left[left, right])
    return np.array(course[::-1])


def _values_of(joints: Floats, lift: Floats, pitch: Floats, yaw: Floats | float = 0.0) -> Floats:
    """Values by which elbows turn outward, and hands up and outward, (T, J, `_ARM_VALUES`).

    Args:
        joints: of arms at ease, shape (T, J, 2, 4, 3), [m].
        lift, pitch, yaw: shape (T, J, 2), [rad].
    """
    outward = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]])
    # Directions of elbows across the lines to their wrists, and along their hinges.
    axis = unit(joints[..., 2, :] - joints[..., 0, :])
    upper = joints[..., 1, :] - joints[..., 0, :]
    elbow = unit(upper - dot(upper, axis) * axis)
    hinge = cross(axis, elbow) * outward[:, :1]
    values = np.zeros((*lift.shape, ARM_CHANNELS))
    values[..., HAND_TURN.start] = yaw
    values[..., HAND_TURN.start + 1] = pitch
    cosine = np.cos(lift)[..., None]
    sine = np.sin(lift)[..., None]
    values[..., POLE] = outward * ((cosine - 1.0) * elbow + sine * hinge)
    return values.reshape(*lift.shape[:2], _ARM_VALUES)


def _lifts_of_body_throws(motion: Motion, moments: int) -> Floats:
    """By how much throws and catches around bodies lift elbows outward, shape (T, J, 2), [rad].

    Each lifts its elbow from the event before on, and back until the event after.

    Args:
        motion: its choreography says which throws and catches go around bodies.
        moments: T, of a loop.
    """
    choreography = motion.choreography
    events = choreography.events
    loop = choreography.duration
    lifts = np.zeros((moments, 2 * choreography.jugglers))
    if events.body_throw is not None:
        thrown = np.flatnonzero(events.kind <= CATCH)
        thrown = thrown[np.lexsort((events.time[thrown], events.hand[thrown]))]
        hand = events.hand[thrown]
        rows = events.body_throw[thrown]
        to, gap = successors(hand, events.time[thrown], loop)
        before = np.empty_like(gap)
        before[to] = gap
        times = np.arange(moments) * (loop / moments)
        for number in np.flatnonzero(rows):
            since = (times - events.time[thrown[number]] + loop / 2) % loop - loop / 2
            share = np.abs(since) / np.where(since < 0, before[number], gap[number])
            bell = np.cos(np.minimum(share, 1.0) * (np.pi / 2)) ** 2
            lifts[:, hand[number]] += np.radians(BODY_THROWS[rows[number] - 1].elbow) * bell
    return lifts.reshape(moments, -1, 2)


def _around(there: Booleans, blend: int) -> Floats:
    """1 where something is, falling to 0 within some moments, shape (T, J)."""
    near = there.astype(float)
    for step in range(1, blend):
        for shift in (-step, step):
            near = np.maximum(near, (1.0 - step / blend) * np.roll(there, shift, axis=0))
    return near


def _softened(excess: Floats) -> Floats:
    """Residuals that grow with the root where they are large: what cannot be mended bends arms
    little farther than what just can.
    """
    size = np.abs(excess) / _LARGE
    return np.sign(excess) * _LARGE * (np.sqrt(1.0 + 2.0 * size) - 1.0)


def _turned_too_far(values: Floats) -> Floats:
    """How much farther hands turn than `_MOST`, of the shape of the values."""
    most = np.tile(_MOST, 2)
    return np.asarray((values - np.clip(values, -most, most)) / _TOO_FAR)


@dataclass(frozen=True)
class _ArmProblem(Problem):
    """What arms are asked to do: values in their units, and limits.

    Args:
        ease: the arms, at ease.
    """

    ease: _Ease

    def of_jugglers(self, jugglers: Integers) -> _ArmProblem:
        """That of some jugglers, shape (K,)."""
        return _ArmProblem(self.ease.of_jugglers(jugglers))

    def residuals(self, values: Floats) -> Residuals:
        """Pose arms that are not at ease."""
        excess = self.ease.excess.copy()
        elbows = self.ease.joints[..., 1, :].copy()
        flat = values.reshape(-1, 2, ARM_CHANNELS)
        rows = np.flatnonzero(np.abs(values).max(axis=-1) > _AT_EASE)
        if rows.size:
            targets = self.ease.targets
            if rows.size < len(flat):
                targets = targets.at(rows, np.zeros_like(rows))
            state = ArmState.posed(targets, flat[rows])
            excess.reshape(-1, excess.shape[-1])[rows] = self.ease.limits.excess(state)
            elbows.reshape(-1, 2, 3)[rows] = state.joints[:, :, 1]
        eased = (values - self.ease.wanted) / self.ease.units
        tasks = np.concatenate([eased, _turned_too_far(values)], axis=-1)
        return Residuals(tasks, _softened(excess), elbows)

    def products(
        self, values: Floats, missed: Residuals, firmness: float, hurried: Booleans
    ) -> Products:
        """Differences over small steps of both arms at once, where limits are broken."""
        eased, too_far = np.split(missed.tasks, 2, axis=-1)
        squares = np.zeros((*values.shape, _ARM_VALUES))
        np.einsum("tjcc->tjc", squares)[:] = 1.0 / self.ease.units**2 + (
            (too_far != 0.0) / _TOO_FAR**2
        )
        pull = eased / self.ease.units + too_far / _TOO_FAR
        points = np.zeros((*values.shape, 2, 3))
        moment, juggler = np.nonzero(missed.limits.any(axis=-1) | hurried)
        if moment.size:
            slopes, of_elbows = self._slopes(
                moment * values.shape[1] + juggler, values[moment, juggler]
            )
            slopes *= firmness
            squares[moment, juggler] += slopes @ slopes.swapaxes(-1, -2)
            left = firmness * missed.limits[moment, juggler, :, None]
            pull[moment, juggler] += (slopes @ left)[..., 0]
            points[moment, juggler] = of_elbows
        return Products(squares, pull, points)

    def _slopes(self, rows: Integers, values: Floats) -> tuple[Floats, Floats]:
        """Derivatives of limits and of elbows.

        Args:
            rows: indices of T · J, shape (M,).
            values: of these, shape (M, `_ARM_VALUES`).

        Returns:
            Shape (M, `_ARM_VALUES`, 23) and (M, `_ARM_VALUES`, 2, 3).
        """
        count = len(rows)
        again = np.tile(rows, ARM_CHANNELS + 1)
        steps = _STEP * np.eye(ARM_CHANNELS + 1, ARM_CHANNELS, k=-1)[:, None, None]
        state = ArmState.posed(
            self.ease.targets.at(again, np.zeros_like(again)),
            (values.reshape(-1, 2, ARM_CHANNELS) + steps).reshape(-1, 2, ARM_CHANNELS),
        )
        alone = _softened(self.ease.limits.of_each_arm(state))
        alone = alone.reshape(ARM_CHANNELS + 1, count, 2, -1)
        # One arm moves, the other one stays: first the left one.
        left, right = state.joints.swapaxes(0, 1)
        still = np.tile(state.joints[:count], (ARM_CHANNELS + 1, 1, 1, 1))
        apart = self.ease.limits.apart.residuals(
            np.concatenate([left, still[count:, 0]]), np.concatenate([still[:, 1], right[count:]])
        )
        apart = _softened(apart).reshape(2 * ARM_CHANNELS + 1, count, -1)
        elbows = state.joints[:, :, 1].reshape(ARM_CHANNELS + 1, count, 2, 3)
        of_each = alone.shape[-1]
        slopes = np.zeros((count, _ARM_VALUES, 2 * of_each + apart.shape[-1]))
        of_elbows = np.zeros((count, _ARM_VALUES, 2, 3))
        slopes[:, :, 2 * of_each :] = ((apart[1:] - apart[0]) / _STEP).swapaxes(0, 1)
        for side in (0, 1):
            own = slice(side * ARM_CHANNELS, (side + 1) * ARM_CHANNELS)
            moved = (alone[1:, :, side] - alone[0, :, side]) / _STEP
            slopes[:, own, side * of_each : (side + 1) * of_each] = moved.swapaxes(0, 1)
            of_elbows[:, own, side] = ((elbows[1:, :, side] - elbows[0, :, side]) / _STEP).swapaxes(
                0, 1
            )
        return slopes, of_elbows
