"""Plan of trunks: pelvis, hips, spine and shoulders over a loop, by least squares.

A trunk turns toward the hands and follows them a little, is at ease otherwise, moves as slowly as a
mass on springs does, and brings hands and feet within reach and the centre of mass over the feet.
All of it is one problem, whose unknowns are the control values of a spline; `trunk_tasks` has what
is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arm import from_shoulders_to_wrists
from juggle_anim.body.balance import MIDDLE_OF_FOOT
from juggle_anim.body.clearance import CollisionVolume, until_before_trunk
from juggle_anim.body.planning.around_body import (
    AroundBodyProblem,
    FirmBalance,
    KeepClear,
    LimitBends,
    PointsNearBodies,
)
from juggle_anim.body.planning.least_squares import (
    BANDS,
    SAMPLES,
    Mirror,
    Stage,
    least_squares,
    mirrored_halves,
)
from juggle_anim.body.planning.stances import Stances, lifted_legs, stances_at
from juggle_anim.body.planning.steps import Steps
from juggle_anim.body.planning.trunk_tasks import (
    ARM_LENGTH,
    EASE,
    NEAREST_WRIST,
    POSTURE_EASE,
    Balance,
    BeAtEase,
    ReachFeet,
    ReachHands,
    SlopedTask,
    StayInRange,
    TrunkProblem,
)
from juggle_anim.body.trunk_and_legs import (
    ANKLES,
    GIRDLE,
    HIP_ROLL,
    HIP_TURN,
    LEAN,
    LEG_CHANNELS,
    PELVIS,
    SHOULDER_TURN,
    TOES_AHEAD,
    TRUNK_CHANNELS,
    pose_trunk,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Motion
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.motion.palms import CHANNELS
from juggle_anim.motion.piecewise import PeriodicSpline, first_equal_in_all
from juggle_anim.vectors import norm, rotate_about_y, smooth_step

MAX_BACK = 0.2
"""The farthest that a juggler stands back from its place to make room for the arms, [m]."""

KNOT_RATE = 10.0
"""Knots of the plan a second; the arms alone make faster movements."""

MAX_KNOTS = 20_000
"""Limit of knots times jugglers; beyond it knots lie farther apart."""

# Legs that are nearly straight are a limit so firm that it takes effect by and by: a body that
# stands at ease would else be caught beside it.
_STAGES = (
    Stage(firmness=0.01, steps=3, least_gain=0.05),
    Stage(firmness=0.1, steps=3, least_gain=0.05),
    Stage(firmness=1.0, steps=20, least_gain=0.005),
)

# Around the body some gaps cannot be kept, whose cost hides what else is gained.
_STAGES_AROUND_BODY = (
    Stage(firmness=0.1, steps=8, least_gain=0.005),
    Stage(firmness=1.0, steps=20, least_gain=0.001),
)

_DAMPING_AROUND_BODY = 0.02  # Marquardt's, of the first steps

_BLOCK = 1_500  # moments times jugglers planned together

# Channels of a trunk in a mirror: shoulders change sides, and what is to one side changes its sign.
_ODD = [PELVIS.start, HIP_TURN, HIP_ROLL, LEAN.start, SHOULDER_TURN]
_MIRROR = Mirror(
    np.array([*range(GIRDLE.start), *np.roll(range(GIRDLE.start, GIRDLE.stop), 2)]),
    np.where(np.isin(np.arange(TRUNK_CHANNELS), _ODD), -1.0, 1.0),
)

_FREQUENCY = 1.5  # Hz, up to which a trunk follows what it should do, as a mass on springs does

# The same of each channel of who stands: knees and hips give faster than shoulders turn, so far
# as no pelvis of the library is accelerated by more than 6 m/s².
_FREQUENCIES = np.full(TRUNK_CHANNELS + LEG_CHANNELS, _FREQUENCY)
_FREQUENCIES[PELVIS] = 2.0, 2.2, 1.5

# The same of who throws around the body: they come down, bend and lift legs faster.
_FREQUENCIES_AROUND_BODY = np.full(TRUNK_CHANNELS + LEG_CHANNELS, _FREQUENCY)
_FREQUENCIES_AROUND_BODY[PELVIS.start + 1] = 2.5
_FREQUENCIES_AROUND_BODY[[LEAN.start, LEAN.start + 1, SHOULDER_TURN]] = 2.0
_FREQUENCIES_AROUND_BODY[TRUNK_CHANNELS:] = 2.0

# Shares of the bearing of the hands' mean by which shoulders and hips turn, and how much later the
# hips do. Slow bodies make less of it: people's shoulders turn by ±2 to ±8° in cascades and by ±10°
# and more in Mills mess, hips by about 30 % of that.
_SHOULDERS_TURN = 0.75
_HIPS_TURN = 0.225
_HIPS_LATER = 0.06  # s

_CHEST_HEIGHT = 1.35  # m, from which the bearing is seen
_RAISED = 0.15  # m above it, of a hand that is before the face
_NEAREST_BEARING = 0.2  # m: nearer hands count as farther, so that the bearing never jumps

# Mean place of the hands at which the pelvis is at ease, [m], and the share by which it follows.
_NEUTRAL_HANDS = np.array([0.0, 1.0, 0.3])
_FOLLOW_SHARE = np.array([0.16, 0.13, 0.06])
_WEIGHT_SHARE = 0.22  # by which it goes to a side, and the weight with it, while both feet stand
_SOFT_KNEES = 0.011  # m, by which they lower the pelvis: people who juggle bend them by 13 to 19°

_WRIST = 0.04  # m: half the thickness of a wrist, and as much for what the trunk moves


@dataclass(frozen=True)
class TrunkPlan:
    """How J jugglers stand and move their trunks over a loop; `plan_trunks` makes it.

    Args:
        track: channels of the trunks, those of `pose_trunk`; control values of shape (T, J,
            `TRUNK_CHANNELS`).
        back: shape (J,), how far each juggler stands back from its place, [m].
        moved: how far lifted legs are from where throws around bodies lift them, control values of
            shape (T, J, `LEG_CHANNELS`); None without such throws.
        legs: how legs are lifted in the end, those of `pose_legs`, likewise.
    """

    track: PeriodicSpline
    back: Floats
    moved: PeriodicSpline | None = None
    legs: PeriodicSpline | None = None

    def is_same(self, juggler: int, other: int) -> bool:
        """Whether two jugglers stand and move alike."""
        controls = self.track.controls
        return bool(self.back[juggler] == self.back[other]) and np.array_equal(
            controls[:, juggler], controls[:, other]
        )


def plan_trunks(
    motion: Motion,
    amount: float,
    steps: Steps | None,
    start: TrunkPlan | None = None,
    forearms: PeriodicSpline | None = None,
) -> TrunkPlan:
    """Plan the trunks of all jugglers over a loop, and the legs of who throws around the body.

    Args:
        motion: paths of hands.
        amount: of the motion that follows the hands, 1 is natural.
        steps: where feet are; None if they stay under the bodies.
        start: an earlier plan, from which that of jugglers who throw around the body goes on, and
            which the others keep; None to begin with trunks at ease.
        forearms: points of both forearms that legs keep clear of, control values of shape (T, J, 2,
            K, 3), [m]; None if they are not known yet.
    """
    jugglers = motion.choreography.jugglers
    loop = motion.duration
    # Even, so that of a loop whose halves are mirror images both get plans that are.
    group = 2 * BANDS
    knots = group * max(1, min(round(loop * KNOT_RATE / group), MAX_KNOTS // (group * jugglers)))
    times = np.arange(float(knots * SAMPLES)) * (loop / (knots * SAMPLES))
    # Jugglers who do the same are planned once: same hands, both walking or both not, and nothing
    # around the body. Those with steps of their own are all different.
    walks = np.zeros(jugglers, dtype=bool)
    walks[motion.bodies.paths.path[motion.bodies.paths.coefficients[:, 1:].any(axis=(1, 2))]] = True
    around = motion.choreography.throws_around_body
    traits = [motion.first_with_same_hands, walks, np.where(around, np.arange(jugglers), -1)]
    if steps:
        traits.append(np.arange(jugglers))
    planned, plan_index = np.unique(first_equal_in_all(traits), return_inverse=True)
    controls = np.zeros((knots, len(planned), TRUNK_CHANNELS + LEG_CHANNELS))
    if start:
        controls[..., :TRUNK_CHANNELS] = start.track.controls[:, planned]
        if start.moved:
            controls[..., TRUNK_CHANNELS:] = start.moved.controls[:, planned]
    back = np.zeros(len(planned))
    all_hands, all_turns = _hands(motion, times, planned)
    mirrored = mirrored_halves(all_hands, all_turns) & ~around[planned] & (steps is None)
    # Blocks of one of three kinds: around the body (1), mirrored halves (−1) and neither (0).
    block_size = max(1, _BLOCK // len(times))
    for rows in _blocks(around[planned] - 1.0 * mirrored, block_size):
        members = planned[rows]
        hands = all_hands[:, rows]
        turns = all_turns[:, rows]
        stances = stances_at(motion, times, members) if around[members[0]] else None
        # Those who stand back make room for hands before the body. A juggler who walks stays where
        # the pattern says; one whose hands belong behind the body, too, needs no such room.
        if stances is None:
            back[rows] = np.where(walks[members], 0.0, _step_back(hands, turns))
            if start:
                continue  # What `forearms` adds changes nothing without throws around the body.
            hands[..., 2] += back[rows, None]
        ankles = _ankles(motion, times, members, back[rows], steps)
        ease, balance, tasks, limits = _tasks(hands, ankles, amount, loop, stances)
        if stances is None:
            # Of a loop whose halves are mirror images only the first is solved.
            problem = TrunkProblem(hands, turns, ankles, tasks, limits)
            mirror = _MIRROR if mirrored[rows[0]] else Mirror.none(TRUNK_CHANNELS)
            parts = 2 if mirror.is_one else 1
            controls[:, rows, :TRUNK_CHANNELS] = mirror.whole(
                least_squares(
                    problem.until(len(times) // parts),
                    controls[: knots // parts, rows, :TRUNK_CHANNELS],
                    loop / parts,
                    _acceleration_costs(_FREQUENCIES)[:TRUNK_CHANNELS],
                    _STAGES,
                    mirror=mirror,
                ).controls
            )
            continue
        # Throws around the body: legs are unknown, too, and limits concern props and arms.
        if start is None:
            # Postures are far from where bodies are at ease otherwise.
            controls[:, rows, :TRUNK_CHANNELS] = ease.at_ease[::SAMPLES]
        props = PointsNearBodies.of_props(motion, times, members, back[rows])
        arms = hands
        if forearms:
            points = forearms.at(times)[:, members]
            arms = np.concatenate([hands, points.reshape(*hands.shape[:2], -1, 3)], axis=2)
        limits_around_body = (
            *limits,
            FirmBalance(balance.hands, balance.centre),
            KeepClear(props.places, props.radii, arms),
            LimitBends(stances),
        )
        controls[:, rows] = least_squares(
            AroundBodyProblem(hands, turns, ankles, stances, tasks, limits_around_body),
            controls[:, rows],
            loop,
            _acceleration_costs(_FREQUENCIES_AROUND_BODY),
            _STAGES_AROUND_BODY,
            damping=_DAMPING_AROUND_BODY,
        ).controls
    # From the planned ones to all jugglers.
    controls = controls[:, plan_index]
    track = PeriodicSpline(controls[..., :TRUNK_CHANNELS], loop)
    if not around.any():
        return TrunkPlan(track, back[plan_index])
    moved = PeriodicSpline(controls[..., TRUNK_CHANNELS:], loop)
    return TrunkPlan(track, back[plan_index], moved, lifted_legs(motion, moved))


def _blocks(kinds: Floats, size: int) -> Iterator[Integers]:
    """Divide jugglers into blocks that are planned together.

    Args:
        kinds: shape (J,); all jugglers of a block are of the same kind.
        size: largest number of jugglers in a block.

    Yields:
        Indices of the jugglers of each block.
    """
    for kind in sorted(set(kinds.tolist())):
        rows = np.flatnonzero(kinds == kind)
        for first in range(0, len(rows), size):
            yield rows[first : first + size]


def _acceleration_costs(frequency: Floats) -> Floats:
    """Costs of the accelerations of channels of trunks and legs, one for each channel.

    A channel follows what it should do up to its frequency, as a mass on a spring of that natural
    frequency does: deviations cost (x / ease)², so accelerations cost (x″ / (ease · ω²))².

    Args:
        frequency: of each channel, [Hz].
    """
    return 1.0 / (EASE * (2 * np.pi * frequency) ** 2) ** 2


def _hands(motion: Motion, times: Floats, jugglers: Integers) -> tuple[Floats, Floats]:
    """Places of hands, shape (T, J, 2, 3), [m], and turns of palms, shape (T, J, 2, `CHANNELS`)."""
    hand = (2 * jugglers[:, None] + np.arange(2)).ravel()
    hands = motion.hands.evaluate(*motion.hands.locate(hand, times[:, None]))
    turns = motion.palms.at(times, hand)
    shape = (len(times), len(jugglers), 2)
    return hands.reshape(*shape, 3), turns.reshape(*shape, CHANNELS)


def _ankles(
    motion: Motion, times: Floats, jugglers: Integers, back: Floats, steps: Steps | None
) -> Floats:
    """Where ankles of feet that stand are, seen from the bodies, shape (T, J, 2, 3), [m]."""
    if not steps:
        return np.broadcast_to(ANKLES, (len(times), len(jugglers), 2, 3))
    places = motion.bodies.places(times)[:, jugglers, None]
    facing = places[..., FACING]
    behind = 0.0 * places[..., PLACE] + back[:, None, None] * (0.0, 0.0, 1.0)
    standing = places[..., PLACE] - rotate_about_y(behind, facing)
    return steps.seen_from_bodies(times, standing, facing, jugglers)[0]


def _tasks(
    hands: Floats, ankles: Floats, amount: float, loop: float, stances: Stances | None
) -> tuple[BeAtEase, Balance, tuple[SlopedTask, ...], tuple[SlopedTask, ...]]:
    """Return what the trunks of J jugglers should do at T even moments of a loop.

    At ease the pelvis follows the mean of the hands a little, and shoulders and hips turn toward
    it; a throw around the body has a posture of its own, which is blended in. The centre of mass
    should be over the feet, or over the foot that stands.

    Args:
        hands, ankles: shape (T, J, 2, 3), as from `_hands` and `_ankles`, [m].
        amount: as in `plan_trunks`.
        loop: its duration, [s].
        stances: for throws around bodies; None without such throws.

    Returns:
        The task to be at ease, that of the balance, all tasks (with these two), and all limits.
    """
    mean_hand = hands.mean(axis=2)
    # The bearing: the angle between the direction from the chest to the mean of the hands and the
    # plane between left and right. A body with a hand before its face or higher does not turn.
    ahead = np.maximum(mean_hand[..., 2], 0.0)
    below = mean_hand[..., 1] - _CHEST_HEIGHT
    away = np.sqrt(ahead * ahead + below * below + _NEAREST_BEARING**2)
    raised = smooth_step((hands[..., 1] - _CHEST_HEIGHT) / _RAISED).max(axis=-1)
    bearing = (1.0 - raised) * np.arctan2(mean_hand[..., 0], away)
    later = round(_HIPS_LATER / loop * len(hands))
    at_ease = np.zeros((*hands.shape[:2], TRUNK_CHANNELS))
    at_ease[..., PELVIS] = amount * _FOLLOW_SHARE * (mean_hand - _NEUTRAL_HANDS)
    at_ease[..., PELVIS.start + 1] -= _SOFT_KNEES
    at_ease[..., SHOULDER_TURN] = amount * _SHOULDERS_TURN * bearing
    at_ease[..., HIP_TURN] = amount * _HIPS_TURN * np.roll(bearing, later, axis=0)
    # Of hands that do not move the body the balance knows only where they are in the mean.
    resting_hands = hands.mean(axis=0)
    weighing_hands = resting_hands + amount * (hands - resting_hands)
    # The weight is near the middle between both feet, or over one of them.
    feet = ankles[..., ::2] + MIDDLE_OF_FOOT * TOES_AHEAD[:, ::2]
    centre = feet.mean(axis=-2)
    units = np.broadcast_to(EASE[:TRUNK_CHANNELS], at_ease.shape)
    if stances:
        centre = centre + stances.weight * (feet[..., 0, :] - feet[..., 1, :]) / 2
        at_ease = at_ease + stances.share * (stances.bent - at_ease)
        units = units + stances.share * (POSTURE_EASE - units)
    else:
        # On both feet it goes to a side and forward with the pelvis, toward the hands.
        at_ease[..., PELVIS.start] = amount * _WEIGHT_SHARE * mean_hand[..., 0]
        centre = centre + at_ease[..., PELVIS][..., ::2]
    balance = Balance(weighing_hands, centre)
    ease = BeAtEase(at_ease, units)
    return ease, balance, (ease, balance, ReachHands()), (StayInRange(at_ease), ReachFeet())


def _step_back(hands: Floats, turns: Floats) -> Floats:
    """Return how far jugglers stand back so that their hands have room before them.

    They do so until no wrist comes near its shoulder, nor a hand or wrist into the trunk, at any
    moment; hands that are so far behind that they belong there do not count.

    Args:
        hands: shape (T, J, 2, 3), as from `_hands`, [m].
        turns: of the palms, shape (T, J, 2, `CHANNELS`).

    Returns:
        Shape (J,), from 0 to `MAX_BACK`, [m].
    """
    trunk = pose_trunk(hands, np.zeros((*hands.shape[:2], TRUNK_CHANNELS)))
    to_wrists = from_shoulders_to_wrists(hands, turns, trunk.shoulders)
    nearest = NEAREST_WRIST * ARM_LENGTH
    from_shoulders = _distance_to_leave(to_wrists, nearest)[..., 0]
    # The head does not matter here, so the neck stands in for it.
    volume = CollisionVolume.from_joints(
        trunk.pelvis, trunk.across, trunk.spine, trunk.neck, trunk.neck
    )
    points = volume.to_local(np.concatenate([trunk.shoulders + to_wrists, hands], axis=-2))
    from_trunk = until_before_trunk(np.moveaxis(points, -1, 0), _WRIST)
    # Hands that would need more than the limit belong behind the shoulders or the body.
    needed = [
        np.where(back < limit, back, 0.0)
        for back, limit in ((from_shoulders, MAX_BACK + nearest), (from_trunk, MAX_BACK))
    ]
    return np.minimum(np.maximum(*(back.max(axis=(0, 2)) for back in needed)), MAX_BACK)


def _distance_to_leave(to_wrists: Floats, nearest: float) -> Floats:
    """How far ahead (along z) wrists must move to come out of spheres around their shoulders.

    Args:
        to_wrists: from shoulders to wrists, shape (..., 3), [m].
        nearest: radius of the spheres, [m].

    Returns:
        Shape (..., 1), [m]; 0 for wrists beside the sphere, or in front of it.
    """
    # On the sphere z² is r² − x² − y²; it is below 0 where the line along z passes beside it.
    sphere_z_square = nearest**2 - (norm(to_wrists) ** 2 - to_wrists[..., 2:] ** 2)
    return np.where(
        sphere_z_square > 0.0,
        np.maximum(np.sqrt(np.maximum(sphere_z_square, 0.0)) - to_wrists[..., 2:], 0.0),
        0.0,
    )
