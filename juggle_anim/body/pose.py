"""The pose: every joint of every juggler, solved from places of hands and a plan of the bodies.

Life: bodies breathe, sway and blink by a clock of their own.

A loop may be shorter than a breath, so they go on from loop to loop. What has to close after some
time has as many whole breaths, sways and blinks as are nearest to what they take by themselves;
what is shorter than the shortest breath has none.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.arm import Arms, reach_for
from juggle_anim.body.arms import (
    AT_EASE,
    DEFAULT_SOLVER,
    SOLVERS,
    Solver,
    solver_named,
    toward_poles,
)
from juggle_anim.body.clearance import CollisionVolume, clear_of
from juggle_anim.body.planning.least_squares import mirrored_halves
from juggle_anim.body.planning.steps import Steps
from juggle_anim.body.planning.trunk_plan import TrunkPlan
from juggle_anim.body.skeleton import DIGIT_JOINTS, HIP_HEIGHT, JOINTS, SPINE, Joint, closed_digits
from juggle_anim.body.trunk_and_legs import (
    ANKLES,
    GIRDLE,
    LEAN_FORWARD,
    LEAN_LEFT,
    PELVIS_FORWARD,
    PELVIS_LEFT,
    TRUNK_CHANNELS,
    Legs,
    Trunk,
    heel_heights,
    lifted_ankles,
    look_direction,
    pose_head,
    pose_legs,
    pose_trunk,
    within_neck,
)
from juggle_anim.errors import ParameterError, did_you_mean, printable
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import ShortRepr, dataclass
from juggle_anim.motion import (
    CHANNELS,
    CLOSING,
    FACING,
    TURN,
    Frames,
    Motion,
    PeriodicSpline,
    body_origins,
)
from juggle_anim.parameters import Parameters
from juggle_anim.vectors import rotate_about_y, smooth_step, z_up

OWN_PERIOD = 24.0
"""After how long bodies repeat that need not close, [s]: six breaths."""

SHORTEST_PERIOD = 3.0
"""The shortest time that holds a breath, [s]; as many of 4 s as are nearest last 3 to 6 s each."""

BREATH = 4.0
"""From breath to breath and, in the mean, from blink to blink, [s]: adults at ease breathe 12 to 20
times a minute (G. J. Tortora and B. Derrickson, "Principles of Anatomy and Physiology"), and blink
about as often (A. R. Bentivoglio et al., "Analysis of blink rate patterns in normal subjects",
Movement Disorders 12, 1997).
"""

MIN_BLINK_INTERVAL = 3.0
MAX_BLINK_INTERVAL = 6.0
"""Least and most time from blink to blink, [s]."""

# Of a sway to the side, and of one fore and aft: slow, and not in step with the breath, [s].
_SWAY_PERIODS = np.array([3.4, 4.8])

# How far a breath and sways go either way, [m].
_BREATH_RISE = 0.0016
_SWAY = 0.0014

# How long lids close, stay and open, [s]: they open half as fast (C. Evinger et al., "Eyelid
# movements", Investigative Ophthalmology & Visual Science 32, 1991). They cover more than half of
# the eye for 0.16 s.
_LID_CLOSING_TIME = 0.08
_LID_CLOSED_TIME = 0.04
_LID_OPENING_TIME = 0.16

_SEED = 124  # of the intervals between blinks; with it nobody of three dozen blinks at the start

# Share of the period by which each body is ahead of the one before: the golden ratio.
_GOLDEN_SHARE = (np.sqrt(5.0) - 1.0) / 2.0


def _wave_amplitudes() -> Floats:
    """Return the amplitudes of breath and sways in the channels of a trunk.

    Channels are the numbers by which a trunk is posed: displacements [m] and angles [rad].

    Returns:
        Shape (3, `TRUNK_CHANNELS`): rows of the breath, of the sway to the left and of the sway
        forward.
    """
    amplitudes = np.zeros((3, TRUNK_CHANNELS))
    # A breath lifts the shoulders, brings them forward by half as much, and straightens the spine.
    # The girdle's channels are forward and up of the left shoulder, then of the right one.
    amplitudes[0, GIRDLE] = _BREATH_RISE * np.array([0.5, 1.0, 0.5, 1.0])
    amplitudes[0, LEAN_FORWARD] = -_BREATH_RISE / SPINE
    # A standing body sways about the ankles as a whole (D. A. Winter, "Human balance and posture
    # control during standing and walking", Gait & Posture 3, 1995).
    above_ankles = HIP_HEIGHT - ANKLES[0, 1]
    for row, pelvis, lean in ((1, PELVIS_LEFT, LEAN_LEFT), (2, PELVIS_FORWARD, LEAN_FORWARD)):
        amplitudes[row, pelvis] = _SWAY
        amplitudes[row, lean] = _SWAY / above_ankles
    return amplitudes


_WAVE_AMPLITUDES = _wave_amplitudes()


@dataclass(frozen=True)
class Life:
    """Periodic breath, sway and blinks of bodies, from `plan_life`.

    Args:
        amount: amplitude of breath and sway, 1 is natural.
        period: the period after which all repeats, [s].
        cycles: whole numbers of breaths, sways to the side, and sways fore and aft in a period,
            shape (3,).
        blinks: times in the period at which lids begin to close, ascending, shape (B,), [s].
    """

    amount: float
    period: float
    cycles: Floats
    blinks: Floats

    def channels(self, times: Floats, body_count: int) -> Floats:
        """Return how breath and sways move trunks, as additions to the channels of their poses.

        Args:
            times: T times, shape (T,), [s].
            body_count: number of bodies that are posed. Jugglers who share a pose are one of them,
                and breathe together.

        Returns:
            Shape (T, body_count, `TRUNK_CHANNELS`), [m] or [rad].
        """
        # Each body is ahead of the one before by the golden share of the period, so that no two
        # bodies are in the same phase.
        phase = times[:, None] / self.period + _GOLDEN_SHARE * np.arange(body_count)  # in periods
        # Sine waves of the breath and both sways from −1 to 1, shape (T, body_count, 3).
        waves = np.sin(2.0 * np.pi * self.cycles * phase[..., None])
        return np.asarray(self.amount * waves @ _WAVE_AMPLITUDES)

    def lids(self, times: Floats, juggler_count: int) -> Floats:
        """Return how far the lids of J jugglers are closed, from 0 open to 1 closed, shape (T, J).

        Args:
            times: T times, shape (T,), [s].
            juggler_count: J. Each blinks at other times, also those who share a pose.
        """
        # Each juggler is ahead of the one before by a share of the period, so that no two blink
        # together.
        lead = _GOLDEN_SHARE * self.period * np.arange(juggler_count)
        time_in_period = (times[:, None] + lead) % self.period
        # The time since the last blink began, and that until its lids are open again. (Before the
        # first blink the index is −1, that of the last blink of the period: then `since` is below
        # 0, which leaves the lids open.)
        last_blink: Integers = np.searchsorted(self.blinks, time_in_period) - 1
        since = time_in_period - self.blinks[last_blink]
        remaining = _LID_CLOSING_TIME + _LID_CLOSED_TIME + _LID_OPENING_TIME - since
        # Lids close by the smaller of two smooth steps, which are 0 and 1 beyond their ranges.
        return np.asarray(
            smooth_step(np.minimum(since / _LID_CLOSING_TIME, remaining / _LID_OPENING_TIME))
        )


def plan_life(body_motion: float, period: float = OWN_PERIOD) -> Life | None:
    """Plan how bodies breathe, sway and blink.

    Whole numbers of breaths, sways and blinks are fitted into the period. Intervals between blinks
    are pseudorandom, from `MIN_BLINK_INTERVAL` to `MAX_BLINK_INTERVAL`, and the same in each run of
    the program.

    Args:
        body_motion: amplitude of breath and sway, 1 is natural, and more counts as 1; at 0 bodies
            are still.
        period: the period after which all must repeat, [s].

    Returns:
        None for still bodies, and for a period too short for a breath.
    """
    if body_motion == 0.0 or period < SHORTEST_PERIOD:
        return None
    usual_periods = np.array([BREATH, *_SWAY_PERIODS])  # s, of the breath and both sways
    cycles = np.maximum(np.round(period / usual_periods), 1.0)
    blink_count = round(period / BREATH)  # at least 1, as the period is `SHORTEST_PERIOD` or more
    mean_interval = period / blink_count
    # Deviations from the mean sum to 0, so that the intervals fill the period, and are scaled by
    # the room up to the nearer limit, so that the intervals stay within both.
    room = min(mean_interval - MIN_BLINK_INTERVAL, MAX_BLINK_INTERVAL - mean_interval)
    # The library's own generator: numpy's takes a tenth of the time in which a program starts.
    generator = Random(_SEED)
    deviations = np.array([generator.uniform(-1.0, 1.0) for _blink in range(blink_count)])
    deviations -= deviations.mean()
    intervals = mean_interval + room * deviations / max(np.abs(deviations).max(), 1.0)
    # The first blink is in the middle of an interval, so that no picture of the start has one.
    blinks = np.cumsum(intervals) - intervals[0] / 2.0
    return Life(min(body_motion, 1.0), period, cycles, blinks)


HAND_TURN = slice(0, 3)
HAND_YAW = 0
HAND_PITCH = 1
POLE = slice(3, 6)
ARM_CHANNELS = 6
"""Values of `BodyPlan.arms`: by how much a hand turns outward, up and over, [rad], then what is
added to the direction of its elbow, as `toward_poles` has it.
"""


JOINT_NAMES = tuple(joint.name.lower() for joint in Joint)
"""The names of all joints, in the order of `Pose.joints`."""


@dataclass(frozen=True, repr=False)
class Pose(ShortRepr):
    """The joints of J jugglers at T times.

    Args:
        times: T times, shape (T,), [s].
        joints: shape (T, J, `JOINTS`, 3), in the world, [m].
        gaps: shape (T, J, 2), how far each hand stays short of its target, [m]; 0 within reach.
        gaze: shape (T, J, 3), unit vectors in which the eyes look.
        lids: shape (T, J), how far lids close over the eyes, from 0 to 1.
    """

    times: Floats
    joints: Floats
    gaps: Floats
    gaze: Floats
    lids: Floats

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all joints, in the order of the array."""
        return JOINT_NAMES

    def __getitem__(self, name: str | int) -> Any:
        """Return the places of a joint of the first juggler, or the pose of one juggler.

        Args:
            name: name of the joint; or the index of the juggler.
        """
        if isinstance(name, str):
            return joint_of(self.joints, name)
        # The slice keeps the axis of jugglers, for index −1, too.
        chosen = slice(name, name + 1 or None)
        return Pose(
            times=self.times,
            joints=np.asarray(self.joints)[:, chosen].view(type(self.joints)),
            gaps=self.gaps[:, chosen],
            gaze=self.gaze[:, chosen],
            lids=self.lids[:, chosen],
        )

    def __getattr__(self, name: str) -> Floats:
        """Places of a joint, such as `left_elbow` or `right_hand`; see `joint_of`."""
        try:
            _joints_named(name)
        except ParameterError as error:
            raise AttributeError(str(error), name=name) from None
        return joint_of(self.joints, name)


class Joints(np.ndarray[Any, np.dtype[np.float64]]):
    """The array of joints of a `Pose`, of which names also choose one, as of a dict.

    Parts of it, and what is computed from it, are plain arrays.
    """

    def __getitem__(self, key: Any) -> Any:
        return joint_of(self, key) if isinstance(key, str) else np.asarray(self)[key]

    def __array_wrap__(self, array: Floats, *_context: Any) -> Any:
        return np.asarray(array)[()]

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def keys(self) -> list[str]:
        """Return the names of all joints."""
        return [*JOINT_NAMES]

    def items(self) -> list[tuple[str, Floats]]:
        """Return the names of all joints with their places, as of `joint_of`."""
        return [(name, self[name]) for name in self.keys()]


def joint_of(joints: Floats, name: str) -> Floats:
    """Return places of a joint of the first juggler, [m], with z up as in `Animation`.

    Args:
        joints: shape (T, J, `JOINTS`, 3) for J jugglers at T times, with y up.
        name: such as "left elbow": in capitals or not, with spaces, hyphens or underscores; or
            "elbows", the left and the right one.

    Returns:
        Shape (T, 3); (3,) at one time. Of a pair, shape (T, 2, 3) or (2, 3).

    Raises:
        ParameterError: there is no such joint.
    """
    places = np.asarray(joints)[:, 0, _joints_named(name)]
    return z_up(places[0] if len(places) == 1 else places)


def _joints_named(name: str) -> Joint | list[Joint]:
    """Return the joint that a name means, or the left and the right one; as for `joint_of`."""
    # As members of `Joint` are written, where the place of a hand is that of its palm.
    member = re.sub("[ -]", "_", name.strip().upper()).replace("HAND", "PALM")
    if member in Joint.__members__:
        return Joint[member]
    # A plural, such as "elbows", means the left and the right joint.
    pair = [f"{side}_{member.removesuffix('S')}" for side in ("LEFT", "RIGHT")]
    if member.endswith("S") and pair[0] in Joint.__members__:
        return [Joint[side_member] for side_member in pair]
    known_names = [known.name.lower().replace("_", " ") for known in Joint]
    near = did_you_mean(name.casefold(), known_names)
    raise ParameterError(_("unknown joint {name!r}: {near}", name=printable(name, 40), near=near))


def pose(frames: Frames, motion: Motion, parameters: Parameters, plan: BodyPlan) -> Pose:
    """Pose all jugglers: compute every joint by inverse kinematics from the places of the hands.

    Args:
        frames: where the hands are at T times, in the world.
        motion: the motion that the frames sample; its bodies and palms are read at these times.
        parameters: settings, of which the chicken-wing angle (how far elbows are lifted outward),
            body motion and the name of the arm solver are read.
        plan: slow movements of the bodies over the loop: trunks, heads, feet, arms and digits.

    Returns:
        The joints of all jugglers in the world.
    """
    return pose_bodies(frames, motion, parameters, plan).in_world(frames.times, plan.shared)


@dataclass(frozen=True, repr=False)
class BodyPoses(ShortRepr):
    """Poses of R jugglers in the frames of their bodies, and the frames of the bodies of all J.

    Args:
        joints: shape (T, R, `JOINTS`, 3), for bodies that stand at the origin and face +z, [m].
        gaps: shape (T, R, 2), as in `Pose`.
        gaze: shape (T, R, 3), as in `Pose`, but in the frames of the bodies.
        standing: shape (T, J, 1, 3), origins of the bodies in the world, [m].
        facing: shape (T, J, 1), turns of the bodies about +y from facing +z, [rad].
        lids: shape (T, J), as in `Pose`.
    """

    joints: Floats
    gaps: Floats
    gaze: Floats
    standing: Floats
    facing: Floats
    lids: Floats

    def in_world(self, times: Floats, shared: SharedPoses | None = None) -> Pose:
        """Return the poses in the world, of all J jugglers at T times.

        The frame of a body has its origin on the floor below the juggler, and its z axis in the
        direction that the juggler faces. Jugglers who do the same at the same times share one pose
        in that frame, so there may be fewer poses, R, than jugglers.

        Args:
            times: times of the poses, shape (T,), [s].
            shared: which of the R poses each juggler has; None if each juggler has one, R = J.

        Returns:
            Joints and gazes in the world; their second axis is the juggler.
        """
        joints = self.joints
        gaps = self.gaps
        gaze = self.gaze
        if shared:
            joints, gaps, gaze = (
                values.take(shared.pose_index, axis=1) for values in (joints, gaps, gaze)
            )
        # `facing` has a last axis of length 1, which broadcasts over the joints; a gaze is one
        # vector, so that it has no such axis.
        gaze_in_world = rotate_about_y(gaze, self.facing[..., 0])
        joints_in_world = rotate_about_y(joints, self.facing) + self.standing
        return Pose(times, joints_in_world, gaps, gaze_in_world, self.lids)


def pose_bodies(
    frames: Frames, motion: Motion, parameters: Parameters, plan: BodyPlan
) -> BodyPoses:
    """Solve every joint of the R jugglers who are posed, in the frames of their bodies.

    Args:
        frames, motion, parameters, plan: as in `pose`.
    """
    return pose_targets(BodyTargets.from_plan(frames, motion, parameters, plan), parameters)


@dataclass(frozen=True)
class BodyTargets:
    """Targets of the poses of R jugglers at T times, in the frames of their bodies.

    Args:
        hands: places of the hands, shape (T, R, 2, 3), [m].
        standing, facing, lids: fields of `BodyPoses`, of all J jugglers.
        trunk: channels of the trunks, shape (T, R, `TRUNK_CHANNELS`), as in `pose_trunk`.
        looks: yaw and pitch of the head, then of the eyes, shape (T, R, 4), [rad].
        turns: turns and grips of the hands, shape (T, R, 2, `CHANNELS`).
        digits: channels of fingers and thumbs, shape (T, R, 2, `DIGITS`).
        heels: heights of the heels of standing feet above the floor, shape (T, R, 2, 1), [m].
        feet: ankles, shape (T, R, 2, 3), [m], and turns of feet to the left, shape (T, R, 2),
            [rad]; None if they stay under the bodies. With feet every juggler is posed, R = J.
        poles: pole vectors of elbows, shape (T, R, 2, 3), as in `toward_poles`; None to leave
            elbows to the solver.
        legs: channels of the legs, shape (T, R, `LEG_CHANNELS`), as in `pose_legs`; None if all
            feet stand.
        gives_way: whether hands whose wrists deviate (bend sideways) too far turn toward their
            forearms, as in `Palms`.
        bends_by_plan: whether the plan of the arms alone limits the bends of wrists.
    """

    hands: Floats
    standing: Floats
    facing: Floats
    lids: Floats
    trunk: Floats
    looks: Floats
    turns: Floats
    digits: Floats
    heels: Floats
    feet: tuple[Floats, Floats] | None = None
    poles: Floats | None = None
    legs: Floats | None = None
    gives_way: bool = True
    bends_by_plan: bool = False

    @staticmethod
    def from_plan(
        frames: Frames, motion: Motion, parameters: Parameters, plan: BodyPlan, origin: float = 0.0
    ) -> BodyTargets:
        """Sample the targets of the R jugglers who are posed at the times of frames.

        Jugglers who do the same at the same times share one pose, so only one of them is posed.

        Args:
            frames: places of the hands in the world at T times.
            motion: the motion, whose bodies and palms are sampled at these times.
            parameters: settings, of which the name of the arm solver is read.
            plan: slow movements of the bodies over the loop, which says who is posed.
            origin: time on the clock of breath and blinks at which the motion begins, [s].

        Returns:
            The targets, in the frames of the bodies.
        """
        times = frames.times
        places = motion.bodies.places(times)[:, :, None]
        facing = places[..., FACING]
        standing = body_origins(places, plan.trunk.back[:, None])
        posed = plan.posed
        # From the world into the frames of the bodies, by the axis of both hands of a juggler.
        hands = rotate_about_y(frames.hands[:, posed] - standing[:, posed], -facing[:, posed])
        straight_ahead = np.zeros((*hands.shape[:2], 4))
        looks = plan.gaze.at(times)[:, posed] if plan.gaze else straight_ahead
        trunk = plan.trunk.track.at(times)[:, posed]
        heels = heel_heights(trunk)
        if motion.bodies.has_movement or plan.legs:
            # Feet that step, glide or are lifted move in ways of their own.
            heels = np.zeros_like(heels)
        lids = np.zeros(facing.shape[:2])
        if plan.life:
            trunk += plan.life.channels(times + origin, trunk.shape[1])
            lids = plan.life.lids(times + origin, facing.shape[1])
        # Poles are directions toward which elbows turn. Only the natural arm, for which the plan
        # was made, follows them.
        poles = None
        if plan.arms and parameters.arms == DEFAULT_SOLVER:
            poles = plan.arms.at(times)[:, posed, :, POLE]
        turns = hand_turns(motion, plan, times)
        return BodyTargets(
            hands=hands,
            standing=standing,
            facing=facing,
            lids=lids,
            trunk=trunk,
            looks=looks,
            turns=turns,
            feet=plan.steps.seen_from_bodies(times, standing, facing) if plan.steps else None,
            poles=poles,
            legs=plan.legs.at(times)[:, posed] if plan.legs else None,
            heels=heels,
            digits=hand_digits(plan, turns, times),
            gives_way=motion.palms.give_way,
            bends_by_plan=motion.palms.bend_by_plan and poles is not None,
        )


def pose_targets(targets: BodyTargets, parameters: Parameters) -> BodyPoses:
    """Pose R jugglers at T times by inverse kinematics: trunk, head, arms, then legs.

    Args:
        targets: targets of hands, feet, eyes and postures, in the frames of the bodies.
        parameters: settings, of which the chicken-wing angle (how far elbows are lifted outward)
            and the name of the arm solver are read.

    Returns:
        All joints in the frames of the bodies, by how much palms miss their targets, and where eyes
        look.
    """
    hands = targets.hands
    looks = targets.looks
    # Feet without targets stand at ease.
    ankles, foot_turns = targets.feet or (ANKLES, None)
    if targets.legs is not None:
        ankles = lifted_ankles(ankles, targets.legs)
    # Trunk and head come first, since arms hang on the trunk and keep clear of both.
    trunk = pose_trunk(hands, targets.trunk)
    head, face = pose_head(trunk, looks)
    swivels = np.radians(parameters.wings)
    volume = CollisionVolume.from_joints(trunk.pelvis, trunk.across, trunk.spine, trunk.neck, head)

    def solver_at(moments: Integers | slice) -> Solver:
        """Return the arm solver for some of the T times, given by their indices.

        Its elbows follow the poles of the plan, if there are any, and keep clear of the bodies.
        """
        bodies = volume.subset((moments,))
        if targets.poles is None:
            return clear_of(bodies, solver_named(parameters.arms))
        return clear_of(bodies, toward_poles(targets.poles[moments]), is_planned=True)

    arms = reach_for(
        hands,
        targets.turns,
        trunk.shoulders,
        solver_at,
        swivels,
        targets.gives_way,
        targets.bends_by_plan,
    )
    legs = pose_legs(trunk.hips, ankles, foot_turns, targets.legs, targets.heels)
    joints = _joints_in_order(trunk, head, face, arms, legs, targets.digits)
    # Columns 2 and 3 are yaw and pitch of the eyes, after those of the head.
    gaze = within_neck(trunk, look_direction(looks[..., 2], looks[..., 3]))
    return BodyPoses(joints, arms.gaps, gaze, targets.standing, targets.facing, targets.lids)


def _joints_in_order(
    trunk: Trunk, head: Floats, face: Floats, arms: Arms, legs: Legs, digits: Floats
) -> Floats:
    """Put all joints of R bodies at T times in the order of `Joint`, (T, R, `JOINTS`, 3), [m].

    Args:
        trunk, arms, legs: the posed parts of the bodies.
        head, face: middles of heads and tips of noses, shape (T, R, 3), [m].
        digits: channels of fingers and thumbs, shape (T, R, 2, `DIGITS`).
    """
    joints = np.empty((*trunk.pelvis.shape[:2], JOINTS, 3))
    joints[..., Joint.PELVIS, :] = trunk.pelvis
    joints[..., Joint.CHEST, :] = trunk.chest
    joints[..., Joint.NECK, :] = trunk.neck
    joints[..., Joint.HEAD, :] = head
    joints[..., Joint.FACE, :] = face
    # Pairs, left before right, from shoulders to palms and from hips to toes.
    arm_joints = (trunk.shoulders, arms.elbows, arms.wrists, arms.palms)
    np.concatenate(
        arm_joints, axis=-2, out=joints[..., Joint.LEFT_SHOULDER : Joint.LEFT_FINGERS, :]
    )
    np.concatenate(legs, axis=-2, out=joints[..., Joint.LEFT_HIP : Joint.LEFT_INDEX, :])
    joints[..., DIGIT_JOINTS, :] = arms.hands.digit_joints(arms.palms, digits)
    return joints


def hand_turns(motion: Motion, plan: BodyPlan, times: Floats) -> Floats:
    """Return turns and grips of the hands of the R jugglers who are posed, (T, R, 2, `CHANNELS`).

    The channels are yaw, pitch and roll of the palm, [rad], and how far the hand closes and grips.

    Args:
        motion: the motion, whose palms have these channels for every hand, as juggled.
        plan: the plan of the bodies. It says who is posed: all jugglers, or one of those who do the
            same at the same times. It also has further turns of hands, added to those of the
            motion, that keep wrists within their limits and arms apart.
        times: T times, shape (T,), [s].
    """
    # If jugglers share poses (`plan.shared`), only the hands of those posed are evaluated; with
    # None, all hands are. `at` returns a new array, which may be changed below.
    # Hands are numbered 2 · juggler + side; they become pairs of a juggler and a side.
    by_hand = motion.palms.at(times, plan.shared.hands if plan.shared else None)
    turns = by_hand.reshape(len(times), by_hand.shape[1] // 2, 2, CHANNELS)
    # The plan of arms has all jugglers, of whom those who are posed are selected. `TURN` and
    # `HAND_TURN` are the slices with yaw, pitch and roll in either array.
    if plan.arms:
        turns[..., TURN] += plan.arms.at(times)[:, plan.posed, :, HAND_TURN]
    return turns


def hand_digits(plan: BodyPlan, turns: Floats, times: Floats) -> Floats:
    """Channels of fingers and thumbs of the R jugglers who are posed, (T, R, 2, `DIGITS`).

    Args:
        plan: has the digits; without a plan of these, digits close as far as the hands do.
        turns: turns and closing of the hands, as in `hand_turns`.
        times: T times, shape (T,), [s].
    """
    if plan.digits is None:
        return closed_digits(turns[..., CLOSING])
    return plan.digits.at(times)[:, plan.posed]


@dataclass(frozen=True)
class ArmTargets:
    """Targets of the natural arms of J jugglers at T times, in the frames of their bodies.

    Args:
        hands: places of the hands, shape (T, J, 2, 3), [m].
        turns: turns and grips of the hands, shape (T, J, 2, `CHANNELS`).
        shoulders: shape (T, J, 2, 3), [m].
        volume: collision volume of the bodies, of shape (T, J).
        legs: shape (T, J, 2, 4, 3): left and right leg; hip, knee, ankle and toes; coordinates,
            [m]. None if all feet stand, where no arm meets a leg.
        props: shape (T, J, 2, K, 5): spheres of props near the left and the right arm: their
            places, radii, and by how much a forearm may come nearer, [m]. None for none.
        gives_way: whether hands whose wrists deviate (bend sideways) too far turn toward their
            forearms, as in `Palms`.
        bends_by_plan: whether the plan of the arms alone limits the bends of wrists.
    """

    hands: Floats
    turns: Floats
    shoulders: Floats
    volume: CollisionVolume
    legs: Floats | None = None
    props: Floats | None = None
    gives_way: bool = True
    bends_by_plan: bool = False

    @staticmethod
    def from_plan(motion: Motion, plan: BodyPlan, times: Floats) -> ArmTargets:
        """Sample the targets of the arms of the J jugglers who are posed, at T times.

        Trunks, heads and legs are posed for this, since shoulders are among the targets, and arms
        keep clear of the others.

        Args:
            motion: paths and turns of hands.
            plan: slow movements of the bodies over the loop, as far as they are planned yet; it has
                the J jugglers who are posed.
            times: T times, shape (T,), [s].
        """
        posed = np.arange(motion.choreography.jugglers)[plan.posed]
        # Hands are numbered 2 · juggler + side; shape (T, J, 2, 3).
        hand_numbers = (2 * posed[:, None] + np.arange(2)).ravel()
        located = motion.hands.locate(hand_numbers, times[:, None])
        hands = motion.hands.evaluate(*located).reshape(len(times), -1, 2, 3)
        # `motion.hands` are in frames at the jugglers' places. Bodies stand back from these, so in
        # the frames of the bodies the hands are farther ahead.
        hands = hands + plan.trunk.back[posed, None, None] * (0.0, 0.0, 1.0)
        trunk = pose_trunk(hands, plan.trunk.track.at(times)[:, posed])
        head, _ = pose_head(trunk, plan.gaze.at(times)[:, posed] if plan.gaze else None)
        volume = CollisionVolume.from_joints(
            trunk.pelvis, trunk.across, trunk.spine, trunk.neck, head
        )
        # Legs that stand as usual are out of the way.
        leg_joints = None
        if plan.legs:
            lifts = plan.legs.at(times)[:, posed]
            legs = pose_legs(trunk.hips, lifted_ankles(ANKLES, lifts), channels=lifts)
            leg_joints = np.stack(legs, axis=-2)
        return ArmTargets(
            hands=hands,
            turns=hand_turns(motion, plan, times),
            shoulders=trunk.shoulders,
            volume=volume,
            legs=leg_joints,
            gives_way=motion.palms.give_way,
            bends_by_plan=motion.palms.bend_by_plan,
        )

    @property
    def mirrored_halves(self) -> Booleans:
        """Whether the second half of the T times mirrors the first, for each juggler, shape (J,).

        Hands, shoulders and heads are compared. With lifted legs it is False for all.
        """
        heads = self.volume.head[..., None, :]
        mirrored = mirrored_halves(self.hands, self.turns)
        for points in (self.shoulders, heads):
            # Points have no turns to compare.
            mirrored &= mirrored_halves(points, np.zeros_like(points))
        return mirrored & (self.legs is None)

    def at(self, moments: Integers, jugglers: Integers | int = 0) -> ArmTargets:
        """Select the targets of N pairs of a time and a juggler.

        Args:
            moments: indices of the times, shape (N,).
            jugglers: indices of the jugglers, shape (N,), or one index for all pairs.

        Returns:
            Targets as of one juggler at N times: their leading shape is (N, 1).
        """
        pairs = moments[:, None], np.broadcast_to(jugglers, moments.shape)[:, None]
        return ArmTargets(
            hands=self.hands[pairs],
            turns=self.turns[pairs],
            shoulders=self.shoulders[pairs],
            volume=self.volume.subset(pairs),
            legs=None if self.legs is None else self.legs[pairs],
            props=None if self.props is None else self.props[pairs],
            gives_way=self.gives_way,
            bends_by_plan=self.bends_by_plan,
        )

    def pose_arms(self, channels: Floats | None = None) -> Arms:
        """Pose natural arms for these targets, without keeping them clear of the bodies.

        Natural arms have elbows as people have them, by the default solver. Where a wrist deviates
        too far, its hand turns toward the forearm if `gives_way`. Where a wrist bends too far, it
        does so too, unless channels are given and `bends_by_plan`: then they limit the bends.

        Args:
            channels: of the plan of the arms, shape (T, J, 2, `ARM_CHANNELS`) for J jugglers at T
                times: in `HAND_TURN` the yaw, pitch and roll that are added to those of
                `self.turns`, [rad]; in `POLE` the vectors that are added to the direction of an
                elbow at ease. None for arms at ease, which have the turns of `self.turns` alone and
                elbows where the default solver places them.

        Returns:
            The joints of both arms, shape (T, J, 2, 3), and the directions of the hands.
        """
        turns = self.turns
        poles = None
        if channels is not None:
            turns = turns.copy()
            turns[..., TURN] += channels[..., HAND_TURN]
            poles = channels[..., POLE]

        def solver_at(moments: Integers | slice) -> Solver:
            """Return the solver for some of the T times: all, then those with wrists bent far."""
            return SOLVERS[DEFAULT_SOLVER] if poles is None else toward_poles(poles[moments])

        return reach_for(
            self.hands,
            turns,
            self.shoulders,
            solver_at,
            np.full(2, AT_EASE),  # how far left and right elbows are lifted outward, [rad]
            self.gives_way,
            self.bends_by_plan and channels is not None,
        )


@dataclass(frozen=True, repr=False)
class BodyPlan(ShortRepr):
    """Slow movements of J jugglers over one loop, from `plan_bodies`.

    Args:
        trunk: how bodies stand, lean and turn.
        gaze: shape (T, J, 4): yaw and pitch of the head, then of the eyes, [rad]; None if heads
            keep still.
        steps: where the feet are; None if they stay under the bodies.
        arms: shape (T, J, 2, `ARM_CHANNELS`): by how much hands turn and where elbows point, so
            that wrists stay within their limits, arms keep clear of bodies and each other, and
            elbows are calm; None if they do anyway.
        shared: which jugglers do the same as others; None if each is posed alone.
        legs: how legs are lifted for throws around them, shape (T, J, `LEG_CHANNELS`), as in
            `stand`; None without such throws.
        digits: how fingers and thumbs are bent around props, shape (T, J, 2, `DIGITS`); None for as
            far as hands close.
        life: how bodies breathe, sway and blink; None if they don't.
    """

    trunk: TrunkPlan
    gaze: PeriodicSpline | None
    steps: Steps | None
    arms: PeriodicSpline | None = None
    shared: SharedPoses | None = None
    legs: PeriodicSpline | None = None
    digits: PeriodicSpline | None = None
    life: Life | None = None

    @property
    def posed(self) -> Integers | slice:
        """Index of the R jugglers who are posed, one of each group with the same pose."""
        return self.shared.posed if self.shared else slice(None)

    @property
    def pose_index(self) -> Integers | slice:
        """Index, into the R jugglers who are posed, of the pose of each juggler."""
        return self.shared.pose_index if self.shared else slice(None)


@dataclass(frozen=True)
class SharedPoses:
    """Poses that several of J jugglers share, since they do the same at the same times.

    Args:
        posed: shape (R,), the jugglers who are posed.
        pose_index: shape (J,), for each juggler the index in `posed` (from 0 to R − 1) of the one
            whose pose it shares.
    """

    posed: Integers
    pose_index: Integers

    @property
    def hands(self) -> Integers:
        """Indices 2 · juggler + side of the hands of those who are posed, shape (2R,)."""
        return (2 * self.posed[:, None] + np.arange(2)).ravel()
