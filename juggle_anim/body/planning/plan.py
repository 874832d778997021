"""The body plan: slow movements of the bodies over a loop, computed once and sampled at any time.

Elbows go around trunk and head in time, and not only once they touch them: what
`juggle_anim.body.clearance` finds for one moment knows no other, so an elbow that is pushed aside
moves abruptly. Where a natural arm comes near its body, the depth of the arm is found for a fan of
swivels, and dynamic programming (R. Bellman, "Dynamic Programming", 1957) takes the cheapest
sequence of these through the loop.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.arm import WRIST_LIMITS, Arms
from juggle_anim.body.clearance import arm_depths
from juggle_anim.body.planning.crossings import plan_crossings
from juggle_anim.body.planning.gaze import plan_gaze
from juggle_anim.body.planning.limb_plan import LIMB_TURNS, depths_in_legs, plan_limbs
from juggle_anim.body.planning.steps import Steps, plan_steps
from juggle_anim.body.planning.swivel_plan import plan_swivels
from juggle_anim.body.planning.trunk_plan import TrunkPlan, plan_trunks
from juggle_anim.body.pose import HAND, ArmTargets, BodyPlan, SharedPoses
from juggle_anim.body.skeleton import FOREARM, PALM, THUMB_BACK
from juggle_anim.choreography.choreography import CATCH
from juggle_anim.choreography.manners import BODY_THROWS
from juggle_anim.motion import Motion
from juggle_anim.motion.piecewise import (
    PeriodicSpline,
    first_equal_in_all,
    first_equal_rows,
    successors,
)
from juggle_anim.parameters import Parameters
from juggle_anim.vectors import cross, dot, unit

KNOT = 1 / 14
"""Time between knots of the plans for arms, [s]."""

SAMPLES = 8
"""Moments of each knot at which arms are looked at."""

MAX_KNOTS = 6_000
"""Knots times jugglers beyond which nothing is planned for their arms."""

# Of the moments every second is enough; and how many of these before and after a knot count for it.
_EVERY = 2
_AROUND = 4

_TURNS = np.radians(np.arange(-75.0, 91.0, 7.5))

# Only arms that come so deep into their body are planned, with this gap; beyond the last they are
# not looked at. [m]
_TOUCHES = 0.004
_GAP = 0.006
_FAR = 0.06

# Costs that differ by less are those of mirror images.
_SAME = 1e-3

# Costs: of each cm² that the gap lacks, of the squares of turns, and of the squares of steps from
# turn to turn.
_COST_OF_GAP = 1.0
_COST_OF_TURN = 4.0
_COST_OF_STEP = 0.15

# Sines of angles by which a hand may deviate from its forearm, toward the thumb and the other way;
# the cosine of one by which it may bend; then what the squares of the rest cost.
_RADIAL = 0.38
_ULNAR = 0.60
_BENT = 0.36

_COST_OF_DEVIATION = 40.0
_COST_OF_BEND = 400.0

_MOST_STEPS = 3

_LAPS = 1  # until a path forgets how it began

_SAME_DURATION = 1e-9  # s


def plan_bodies(motion: Motion, parameters: Parameters) -> BodyPlan:
    """The body plan of one loop.

    Args:
        motion: paths of hands and props.
        parameters: the plan depends on body motion, head motion and feet.
    """
    steps = _steps(motion, parameters)
    trunk, legs = _trunk_and_legs(motion, parameters, steps)
    plan = BodyPlan(
        trunk=trunk,
        gaze=plan_gaze(motion, parameters.head_motion / 100),
        steps=steps,
        legs=legs,
    )
    # Even, so that of a loop whose halves are mirror images both get plans that are.
    knots = 2 * max(2, round(motion.duration / (2 * KNOT)))
    plan = replace(plan, clearance=_elbows_around_bodies(motion, knots))
    plan = replace(plan, crossings=plan_crossings(motion, parameters, plan, knots))
    plan = _with_arms_clear(motion, parameters, plan, knots)
    plan = replace(plan, swivels=plan_swivels(motion, parameters, plan))
    return replace(plan, shared=_shared_poses(motion, plan))


def draft_plan(motion: Motion, parameters: Parameters, before: BodyPlan) -> BodyPlan:
    """A body plan in a fraction of the time, for pictures while something is being dragged.

    In a loop of the same duration, trunks and arms go on as they did, whatever the hands do now; in
    another one arms are not planned at all.

    Args:
        motion, parameters: as for `plan_bodies`.
        before: the plan of the motion that is being changed.
    """
    steps = _steps(motion, parameters)
    same_loop = abs(before.trunk.track.duration - motion.duration) < _SAME_DURATION
    if same_loop and len(before.trunk.back) == motion.choreography.jugglers:
        plan = replace(before, steps=steps, swivels=None)
    else:
        trunk, legs = _trunk_and_legs(motion, parameters, steps)
        plan = BodyPlan(trunk, plan_gaze(motion, parameters.head_motion / 100), steps, legs=legs)
    return replace(plan, shared=_shared_poses(motion, plan))


def _steps(motion: Motion, parameters: Parameters) -> Steps | None:
    """The steps of all jugglers; None if nobody moves or feet are to stay under their bodies."""
    walks = parameters.feet == "step" and motion.bodies.has_movement
    return plan_steps(motion) if walks else None


def _trunk_and_legs(
    motion: Motion, parameters: Parameters, steps: Steps | None
) -> tuple[TrunkPlan, PeriodicSpline | None]:
    """The plan of trunks, and that of legs for throws around bodies; None without such throws."""
    amount = parameters.body_motion / 100
    trunks = plan_trunks(motion, amount, steps)
    if motion.choreography.events.body_throw is None:
        return trunks, None
    # Imported for body throws alone.
    from juggle_anim.body.planning.posture import plan_ruled_trunks

    return plan_ruled_trunks(motion, amount, steps, trunks)


def _with_arms_clear(
    motion: Motion, parameters: Parameters, plan: BodyPlan, knots: int
) -> BodyPlan:
    """The plan with elbows that go around bodies, and with wrists within their limits."""
    loop = motion.duration
    jugglers = motion.choreography.jugglers
    if knots * jugglers > MAX_KNOTS:
        return plan
    times = np.arange(float(knots * SAMPLES)) * (loop / (knots * SAMPLES))
    targets = ArmTargets.from_plan(motion, parameters, plan, times)
    arms = targets.pose_arms()
    around = plan_clearance(targets, arms, knots)
    lift = np.zeros((knots, jugglers, 2)) if around is None else around
    anyway = plan.clearance.controls if plan.clearance else np.zeros_like(lift)
    cross = (
        plan.crossings.controls.any(axis=(0, 2, 3))
        if plan.crossings
        else np.zeros(jugglers, dtype=bool)
    )
    angles = arms.wrist_angles(targets.shoulders)
    beyond_limits = ((angles < WRIST_LIMITS[:, 0]) | (angles > WRIST_LIMITS[:, 1])).any(axis=(2, 3))
    if targets.legs is not None:
        joints = np.stack([targets.shoulders, arms.elbows, arms.wrists, arms.palms], axis=-2)
        beyond_limits |= (depths_in_legs(targets.legs, joints) > 0.0).any(axis=2)
    uneasy = beyond_limits.any(axis=0)
    busy = cross if motion.choreography.as_juggling_lab else cross | uneasy | lift.any(axis=(0, 2))
    if not busy.any():
        return replace(plan, clearance=PeriodicSpline(anyway + lift, loop)) if lift.any() else plan
    turns = np.zeros((knots, jugglers, 2, LIMB_TURNS))
    beyond = np.where(busy, np.inf, 0.0)
    turns[..., -1] = lift
    # Where nothing is amiss in a long loop, arms stay as they are.
    amiss: Booleans = np.logical_or(
        lift.any(axis=2), beyond_limits.reshape(knots, -1, jugglers).any(axis=1)
    )
    if plan.crossings:
        amiss |= plan.crossings.controls.any(axis=(2, 3))
    # Who does the same is planned once.
    same = _first_alike(motion, plan, lift)
    busy &= same == np.arange(jugglers)
    # Crossed arms that go around the trunk may come into each other, so without is tried, too.
    for tried_lift, who in (
        (lift, busy),
        (np.zeros_like(lift), busy & cross & lift.any(axis=(0, 2))),
    ):
        some = np.flatnonzero(who & (beyond > 0.0))
        if some.size:
            tried = replace(targets, lift=targets.lift + PeriodicSpline(tried_lift, loop).at(times))
            found, left = plan_limbs(motion, tried, some, amiss[:, some])
            better = left < beyond[some]
            found[..., -1] += tried_lift[:, some]
            turns[:, some[better]], beyond[some[better]] = found[:, better], left[better]
    turns = turns[:, same]
    if plan.crossings:
        turns[..., HAND] += plan.crossings.controls[..., HAND]
    lifts = PeriodicSpline(anyway + turns[..., -1], loop)
    of_hands = PeriodicSpline(turns[..., :-1], loop)
    return replace(
        plan,
        clearance=lifts if lifts.controls.any() else None,
        turns=of_hands if of_hands.controls.any() else None,
    )


def _shared_poses(motion: Motion, plan: BodyPlan) -> SharedPoses | None:
    """The poses of jugglers who do the same; feet that step and guided elbows are everybody's
    own.
    """
    if motion.choreography.jugglers == 1 or plan.steps or plan.swivels:
        return None
    tracks = [track.controls for track in (plan.clearance, plan.turns) if track]
    same = _first_alike(motion, plan, *tracks)
    posed, copied = np.unique(same, return_inverse=True)
    return SharedPoses(posed, copied) if len(posed) < len(same) else None


def _first_alike(motion: Motion, plan: BodyPlan, *controls: Floats) -> Integers:
    """For each juggler the first who does the same, also in some controls of shape (N, J, ...);
    shape (J,).
    """
    tracks = [
        track.controls
        for track in (plan.trunk.track, plan.gaze, plan.crossings, plan.legs)
        if track
    ]
    rows = [np.moveaxis(each, 1, 0).reshape(each.shape[1], -1) for each in (*tracks, *controls)]
    return first_equal_in_all(
        [motion.first_with_same_hands, first_equal_rows(np.column_stack([plan.trunk.back, *rows]))]
    )


def plan_clearance(targets: ArmTargets, arms: Arms, knots: int) -> Floats | None:
    """Plan angles by which elbows swing outward about shoulder and wrist, so that arms keep clear
    of trunk and head.

    For each arm that goes into its body, dynamic programming finds the closed path of least cost
    through the angles `_TURNS` at all knots. A path costs gaps that are lacking, wrists beyond
    their limits, and turns and their changes.

    Args:
        targets: of the arms at T even times of the loop; T / (2 N) is a whole number.
        arms: as posed for these targets without the plan.
        knots: N, of the spline.

    Returns:
        Control values of a `PeriodicSpline`, shape (N, J, 2), [rad], 0 for arms that stay clear;
        None if all of them do or no angle other than 0 is better.
    """
    samples, jugglers = targets.hands[::_EVERY].shape[:2]
    fingers = (arms.palms - arms.wrists) / PALM
    thumb = unit(arms.thumbs - arms.palms + THUMB_BACK * fingers)
    joints = (targets.shoulders, arms.elbows, arms.wrists, thumb, fingers)
    shoulder, elbow, wrist, thumb, fingers = (each[::_EVERY].reshape(-1, 3) for each in joints)
    moments = np.repeat(_EVERY * np.arange(samples), 2 * jugglers)
    who = np.repeat(np.arange(jugglers), 2)
    bodies = targets.volume.subset((moments, np.tile(who, samples)))
    depths = arm_depths(bodies, shoulder, elbow[:, None], wrist)[:, 0]
    touching = (depths.reshape(samples, -1) > _TOUCHES).any(axis=0)
    if not touching.any():
        return None
    near = np.flatnonzero((depths > -_FAR) & np.tile(touching, samples))
    lacking = np.zeros((len(depths), len(_TURNS)))
    outward = np.tile([1.0, -1.0], len(depths) // 2)[near, None]
    elbows = _swung(shoulder[near], elbow[near], wrist[near], outward)
    lacking[near] = 100.0 * np.maximum(
        arm_depths(bodies.subset((near,)), shoulder[near], elbows, wrist[near]) + _GAP, 0.0
    )
    forearm = (wrist[near, None] - elbows) / FOREARM
    aside, straight = (dot(forearm, each[near, None])[..., 0] for each in (thumb, fingers))
    aside = np.maximum.reduce([-aside - _RADIAL, aside - _ULNAR, np.zeros_like(aside)])
    bent = np.maximum(_BENT - straight, 0.0)
    costs = _COST_OF_GAP * lacking * lacking
    costs[near] += _COST_OF_DEVIATION * aside * aside + _COST_OF_BEND * bent * bent
    costs = costs.reshape(samples, -1, len(_TURNS))[:, touching]
    controls = np.zeros((knots, 2 * jugglers))
    controls[:, touching] = _TURNS[
        _mirrored(_cheapest(costs, knots), costs, np.flatnonzero(touching))
    ]
    return controls.reshape(knots, jugglers, 2) if controls.any() else None


def _swung(shoulder: Floats, elbow: Floats, wrist: Floats, outward: Floats) -> Floats:
    """Elbows of N arms turned outward by all turns, shape (N, K, 3), [m]."""
    axis = unit(wrist - shoulder)
    along = dot(elbow - shoulder, axis) * axis
    here = elbow - shoulder - along
    beside = outward * cross(axis, here)
    circle = np.cos(_TURNS)[:, None] * here[:, None] + np.sin(_TURNS)[:, None] * beside[:, None]
    return (shoulder + along)[:, None] + circle


def _cheapest(costs: Floats, knots: int) -> Integers:
    """The turns at N knots of the cheapest closed paths of A arms, as indices, shape (N, A).

    Args:
        costs: shape (T, A, K), a whole number of samples for each knot.
        knots: N.
    """
    samples = len(costs) // knots
    shifts = range(-_AROUND, _AROUND + 1)
    costs = np.maximum.reduce([np.roll(costs, -shift, axis=0)[::samples] for shift in shifts])
    costs = costs + _COST_OF_TURN * _TURNS**2
    total = np.zeros(costs.shape[1:])
    for moment in np.tile(costs, (_LAPS, 1, 1)):
        total = _step(total)[0] + moment
    arm = np.arange(len(total))
    start = total.argmin(axis=1)
    total = np.full_like(total, np.inf)
    total[arm, start] = 0.0
    came = []
    for moment in costs:
        total, best = _step(total)
        total = total + moment
        came.append(best)
    path = []
    place = start
    for best in reversed(came):
        path.append(place)
        place = best[arm, place]
    return np.array(path[::-1])


def _mirrored(chosen: Integers, costs: Floats, arms: Integers) -> Integers:
    """The choices, those of right arms like those of left ones half a loop ago where so are the
    costs, (N, A).
    """
    half = len(costs) // 2
    knots = len(chosen) // 2
    for row in np.flatnonzero((np.diff(arms, prepend=-2) == 1) & (arms % 2 == 1)):
        if np.abs(costs[:, row] - np.roll(costs[:, row - 1], half, axis=0)).max() < _SAME:
            chosen[:, row] = np.roll(chosen[:, row - 1], knots)
    return chosen


def _step(total: Floats) -> tuple[Floats, Integers]:
    """The least costs to be at each turn a step later, and the turns from which they come, both (A,
    K).
    """
    count = total.shape[1]
    steps = np.arange(-_MOST_STEPS, _MOST_STEPS + 1)
    padded = np.pad(total, ((0, 0), (_MOST_STEPS, _MOST_STEPS)), constant_values=np.inf)
    ways = np.stack(
        [
            padded[:, _MOST_STEPS + step : _MOST_STEPS + step + count] + _COST_OF_STEP * step**2
            for step in steps
        ]
    )
    best = ways.argmin(axis=0)
    return ways.min(axis=0), np.arange(count) + steps[best]


def _elbows_around_bodies(motion: Motion, knots: int) -> PeriodicSpline | None:
    """By how much elbows turn outward for throws and catches around bodies, shape (T, J, 2), [rad];
    None without any.

    Each turns from the event before on, and back until the event after.

    Args:
        motion: its choreography says which throws and catches go around bodies.
        knots: number of control values of the spline.
    """
    choreography = motion.choreography
    events = choreography.events
    loop = choreography.duration
    if events.body_throw is None:
        return None
    thrown = np.flatnonzero(events.kind <= CATCH)
    thrown = thrown[np.lexsort((events.time[thrown], events.hand[thrown]))]
    hand = events.hand[thrown]
    rows = events.body_throw[thrown]
    to, gap = successors(hand, events.time[thrown], loop)
    before = np.empty_like(gap)
    before[to] = gap
    times = np.arange(knots) * (loop / knots)
    controls = np.zeros((knots, 2 * choreography.jugglers))
    for number in np.flatnonzero(rows):
        since = (times - events.time[thrown[number]] + loop / 2) % loop - loop / 2
        share = np.abs(since) / np.where(since < 0, before[number], gap[number])
        bell = np.cos(np.minimum(share, 1.0) * (np.pi / 2)) ** 2
        controls[:, hand[number]] += np.radians(BODY_THROWS[rows[number] - 1].elbow) * bell
    return PeriodicSpline(controls.reshape(knots, -1, 2), loop) if controls.any() else None
