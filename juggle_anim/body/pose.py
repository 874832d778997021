"""The pose: every joint of every juggler, solved from places of hands and a plan of the bodies."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.arm import Arms, reach_for
from juggle_anim.body.arms.natural import toward_poles
from juggle_anim.body.arms.solvers import AT_EASE, DEFAULT_SOLVER, SOLVERS, Solver, solver_named
from juggle_anim.body.clearance import CollisionVolume, clear_of
from juggle_anim.body.digits import DIGIT_JOINTS, closed_digits
from juggle_anim.body.life import Life
from juggle_anim.body.planning.least_squares import mirrored_halves
from juggle_anim.body.planning.steps import Steps
from juggle_anim.body.planning.trunk_plan import TrunkPlan
from juggle_anim.body.skeleton import JOINTS, Joint
from juggle_anim.body.trunk_and_legs import (
    ANKLES,
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
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Frames, Motion
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.motion.palms import CHANNELS, CLOSING, TURN
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.parameters import Parameters
from juggle_anim.short_repr import ShortRepr
from juggle_anim.vectors import rotate_about_y, z_up

HAND_TURN = slice(0, 3)
POLE = slice(3, 6)
ARM_CHANNELS = 6
"""Values of `BodyPlan.arms`: by how much a hand turns outward, up and over, [rad], then what is
added to the direction of its elbow, as `toward_poles` has it.
"""


@dataclass(frozen=True, repr=False)
class Pose(ShortRepr):
    """The joints of J jugglers at T times.

    Args:
        times: shape (T,), [s].
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

    def __getitem__(self, name: str) -> Floats:
        """Places of a joint over time, by its name, shape (T, J, 3), in the world, [m].

        Args:
            name: of a joint, such as "left elbow": in capitals or not, with spaces, hyphens or
                underscores between words, and spaces around.

        Raises:
            ParameterError: there is no such joint.
        """
        joint = Joint.__members__.get(name.strip().upper().replace(" ", "_").replace("-", "_"))
        if joint is None:
            names = [joint.name.lower().replace("_", " ") for joint in Joint]
            near = did_you_mean(name.casefold(), names)
            raise ParameterError(
                _("unknown joint {name!r}: {near}", name=printable(name, 40), near=near)
            )
        return self.joints[..., joint, :]

    def __getattr__(self, name: str) -> Floats:
        """Places of a joint of the first juggler, such as `left_elbow` or `right_hand`.

        Shape (T, 3); (3,) at one time; [m], with z up as of `Animation`.
        """
        joint = Joint.__members__.get(name.replace("hand", "palm").upper())
        if joint is None:
            raise AttributeError(name=name, obj=self)
        return z_up(self.joints[:, 0, joint].squeeze(axis=0 if len(self.joints) == 1 else ()))


def pose(frames: Frames, motion: Motion, parameters: Parameters, plan: BodyPlan) -> Pose:
    """Solve every joint.

    Args:
        frames: where the hands are at T times, in the world.
        motion: that the frames sample; its bodies and palms are read at these times.
        parameters: chicken-wing angle, body motion and name of the arm solver are read.
        plan: slow movements of the bodies over the loop.

    Returns:
        The joints of all jugglers in the world.
    """
    return pose_bodies(frames, motion, parameters, plan).in_world(frames.times, plan.shared)


@dataclass(frozen=True, repr=False)
class BodyPoses(ShortRepr):
    """Joints of the R jugglers who are posed, seen from their bodies, and where all J stand.

    Args:
        joints: shape (T, R, `JOINTS`, 3), for bodies that stand at the origin and face +z, [m].
        gaps: shape (T, R, 2), as in `Pose`.
        gaze: shape (T, R, 3), as in `Pose`, but seen from the bodies.
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
        """Move poses from the frames of the bodies into the world.

        Args:
            times: shape (T,), of the poses, [s].
            shared: tells which of the R poses each of the J jugglers has; None if every juggler was
                posed, R = J.
        """
        joints = self.joints
        gaps = self.gaps
        gaze = self.gaze
        if shared:
            joints, gaps, gaze = (
                values.take(shared.pose_index, axis=1) for values in (joints, gaps, gaze)
            )
        # The axis of length 1 in `facing` broadcasts over the joints, which the gaze has not.
        gaze = rotate_about_y(gaze, self.facing[..., 0])
        joints = rotate_about_y(joints, self.facing) + self.standing
        return Pose(times, joints, gaps, gaze, self.lids)


def pose_bodies(
    frames: Frames, motion: Motion, parameters: Parameters, plan: BodyPlan
) -> BodyPoses:
    """Solve every joint of the jugglers who are posed; arguments as of `pose`."""
    return pose_targets(BodyTargets.from_plan(frames, motion, parameters, plan), parameters)


@dataclass(frozen=True)
class BodyTargets:
    """What R jugglers are posed for at T times, seen from where they stand; and where all J stand.

    Args:
        hands: shape (T, R, 2, 3), [m].
        standing, facing, lids: as in `BodyPoses`.
        trunk: shape (T, R, `TRUNK_CHANNELS`), as of `pose_trunk`.
        looks: shape (T, R, 4), yaw and pitch of the head, then of the eyes, [rad].
        turns: shape (T, R, 2, `CHANNELS`), turns and grips of the hands.
        digits: how fingers and thumbs are bent, shape (T, R, 2, `DIGITS`).
        heels: how far heels of feet that stand are off the floor, shape (T, R, 2, 1), [m].
        feet: ankles, shape (T, R, 2, 3), [m], and turns of feet to the left, shape (T, R, 2),
            [rad]; None if they stay under the bodies. With feet every juggler is posed, R = J.
        poles: what is added to the directions of elbows, shape (T, R, 2, 3), as of `toward_poles`;
            None if elbows are where the solver has them.
        legs: shape (T, R, `LEG_CHANNELS`), as of `pose_legs`; None if all stand as usual.
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

    @staticmethod
    def from_plan(
        frames: Frames, motion: Motion, parameters: Parameters, plan: BodyPlan, origin: float = 0.0
    ) -> BodyTargets:
        """Collect what the jugglers are posed for at the times of frames.

        Args:
            frames: places of the hands in the world at T times.
            motion: whose bodies and palms are read at these times.
            parameters: tell the arm solver: only the natural arm follows planned elbows.
            plan: slow movements of the bodies over the loop.
            origin: when the motion began, by the clock that bodies breathe and blink by, [s].
        """
        times = frames.times
        places = motion.bodies.places(times)[:, :, None]
        facing = places[..., FACING]
        # Jugglers stand behind their places by what their reach needs. That does not depend on the
        # time; adding 0 times the places gives it the shape (T, J, 1, 3).
        back = 0.0 * places[..., PLACE] + plan.trunk.back[:, None, None] * (0.0, 0.0, 1.0)
        standing = places[..., PLACE] - rotate_about_y(back, facing)
        # Jugglers whose poses are not copies of another's; only these are solved.
        posed: Integers | slice = plan.shared.posed if plan.shared else slice(None)
        hands = rotate_about_y(frames.hands[:, posed] - standing[:, posed], -facing[:, posed])
        straight_ahead = np.zeros((*hands.shape[:2], 4))
        looks = plan.gaze.at(times)[:, posed] if plan.gaze else straight_ahead
        trunk = plan.trunk.track.at(times)[:, posed]
        heels = heel_heights(trunk)
        if motion.bodies.has_movement or plan.legs:
            heels *= 0.0  # Feet that step, glide or are lifted have ways of their own.
        lids = np.zeros(facing.shape[:2])
        if plan.life:
            trunk += plan.life.channels(times + origin, trunk.shape[1])
            lids = plan.life.lids(times + origin, facing.shape[1])
        # Only the natural arm, which the plan was made for, follows the plan of its elbows.
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
        )


def pose_targets(targets: BodyTargets, parameters: Parameters) -> BodyPoses:
    """Solve every joint of the jugglers who are posed: trunk, head, arms, then legs.

    Args:
        targets: where hands, feet, eyes and postures are to be, in the frames of the bodies.
        parameters: chicken-wing angle, body motion and name of the arm solver are read.
    """
    hands = targets.hands
    looks = targets.looks
    ankles, foot_turns = targets.feet or (None, None)
    if targets.legs is not None:
        ankles = lifted_ankles(ANKLES if ankles is None else ankles, targets.legs)
    # Trunk and head come first, since arms hang on them and keep clear of them.
    trunk = pose_trunk(hands, targets.trunk)
    head, face = pose_head(trunk, looks)
    swivel = np.radians(parameters.wings)
    volume = CollisionVolume.from_joints(trunk.pelvis, trunk.across, trunk.spine, trunk.neck, head)

    # The solver for some of the T times, given as indices or a slice: elbows follow their plan, and
    # keep clear of the bodies where that does not.
    def solver_at(moments: Integers | slice) -> Solver:
        if targets.poles is None:
            solver = solver_named(parameters.arms)
        else:
            solver = toward_poles(targets.poles[moments])
        return clear_of(volume.subset((moments,)), solver)

    arms = reach_for(hands, targets.turns, trunk.shoulders, solver_at, swivel)
    legs = pose_legs(
        trunk.hips,
        ANKLES if ankles is None else ankles,
        foot_turns,
        targets.legs,
        targets.heels,
    )
    # All joints in the order of `Joint`: those in the middle, then pairs, left before right, from
    # shoulders to palms and from hips to toes; and those of the digits.
    joints = np.empty((*hands.shape[:2], JOINTS, 3))
    joints[..., Joint.PELVIS, :] = trunk.pelvis
    joints[..., Joint.CHEST, :] = trunk.chest
    joints[..., Joint.NECK, :] = trunk.neck
    joints[..., Joint.HEAD, :] = head
    joints[..., Joint.FACE, :] = face
    pairs = (
        trunk.shoulders,
        arms.elbows,
        arms.wrists,
        arms.palms,
    )
    np.concatenate(pairs, axis=-2, out=joints[..., Joint.LEFT_SHOULDER : Joint.LEFT_FINGERS, :])
    np.concatenate(legs, axis=-2, out=joints[..., Joint.LEFT_HIP : Joint.LEFT_INDEX, :])
    joints[..., DIGIT_JOINTS, :] = arms.hands.digit_joints(arms.palms, targets.digits)
    # Yaw and pitch of the eyes; the first two are those of the head.
    gaze = within_neck(trunk, look_direction(looks[..., 2], looks[..., 3]))
    return BodyPoses(joints, arms.gaps, gaze, targets.standing, targets.facing, targets.lids)


def hand_turns(motion: Motion, plan: BodyPlan, times: Floats) -> Floats:
    """Turns and grips of the hands of those who are posed, shape (T, R, 2, `CHANNELS`).

    Args:
        motion: gives yaw, pitch, roll, closing and grip of every hand.
        plan: gives further turns, which keep wrists within their limits and arms apart, and tells
            which R jugglers are posed (all if none share poses).
        times: shape (T,), [s].
    """
    turns = motion.palms.at(times, plan.shared.hands if plan.shared else None)
    turns = turns.reshape(len(times), turns.shape[1] // 2, 2, CHANNELS)
    posed: Integers | slice = plan.shared.posed if plan.shared else slice(None)
    if plan.arms:
        turns[..., TURN] += plan.arms.at(times)[:, posed, :, HAND_TURN]
    return turns


def hand_digits(plan: BodyPlan, turns: Floats, times: Floats) -> Floats:
    """How fingers and thumbs of those who are posed are bent, shape (T, R, 2, `DIGITS`).

    Args:
        plan: of the digits, or none, with which they bend as far as hands close.
        turns: of the hands, as of `hand_turns`.
        times: shape (T,), [s].
    """
    if plan.digits is None:
        return closed_digits(turns[..., CLOSING])
    posed: Integers | slice = plan.shared.posed if plan.shared else slice(None)
    return plan.digits.at(times)[:, posed]


@dataclass(frozen=True)
class ArmTargets:
    """What natural arms at ease are posed for, seen from J jugglers at T times.

    Args:
        hands: shape (T, J, 2, 3), [m].
        turns: shape (T, J, 2, `CHANNELS`), of the hands.
        shoulders: shape (T, J, 2, 3), [m].
        volume: of the bodies, of shape (T, J).
        legs: shape (T, J, 2, 3, 3): left and right leg; hip, knee and ankle; coordinates, [m]. None
            if all stand as usual, where no arm meets a leg.
    """

    hands: Floats
    turns: Floats
    shoulders: Floats
    volume: CollisionVolume
    legs: Floats | None = None

    @staticmethod
    def from_plan(
        motion: Motion, parameters: Parameters, plan: BodyPlan, times: Floats
    ) -> ArmTargets:
        """Collect what natural arms of all J jugglers are posed for at T times.

        Args:
            motion: gives places and turns of hands.
            parameters: body motion is read.
            plan: slow movements of the bodies over the loop, as far as they are planned yet.
            times: shape (T,), [s].
        """
        hand_indices = np.arange(2 * motion.choreography.jugglers)
        located = motion.hands.locate(hand_indices, times[:, None])
        hands = motion.hands.evaluate(*located).reshape(len(times), -1, 2, 3)
        # `motion.hands` are seen from the jugglers' places. Bodies stand back from these for their
        # reach, so seen from bodies the hands are farther ahead.
        hands = hands + plan.trunk.back[:, None, None] * (0.0, 0.0, 1.0)
        trunk = pose_trunk(hands, plan.trunk.track.at(times))
        head, _ = pose_head(trunk, plan.gaze.at(times) if plan.gaze else None)
        volume = CollisionVolume.from_joints(
            trunk.pelvis, trunk.across, trunk.spine, trunk.neck, head
        )
        # Legs that stand as usual are out of the way.
        leg_joints = None
        if plan.legs:
            lifts = plan.legs.at(times)
            legs = pose_legs(trunk.hips, lifted_ankles(ANKLES, lifts), channels=lifts)
            leg_joints = np.stack([legs.hips, legs.knees, legs.ankles], axis=-2)
        return ArmTargets(
            hands=hands,
            turns=hand_turns(motion, plan, times),
            shoulders=trunk.shoulders,
            volume=volume,
            legs=leg_joints,
        )

    @property
    def mirrored_halves(self) -> Booleans:
        """Whose second half of the T times mirrors the first, shape (J,)."""
        heads = self.volume.head[..., None, :]
        mirrored = mirrored_halves(self.hands, self.turns)
        for points in (self.shoulders, heads):
            mirrored &= mirrored_halves(points, 0.0 * points)
        return mirrored & (self.legs is None)

    def at(self, moments: Integers, jugglers: Integers) -> ArmTargets:
        """Select N pairs of a time and a juggler, as if they were one juggler at N times.

        Args:
            moments, jugglers: shape (N,), indices into the T times and the J jugglers.

        Returns:
            Targets of leading shape (N, 1).
        """
        pairs = moments[:, None], jugglers[:, None]
        return ArmTargets(
            hands=self.hands[pairs],
            turns=self.turns[pairs],
            shoulders=self.shoulders[pairs],
            volume=self.volume.subset(pairs),
            legs=None if self.legs is None else self.legs[pairs],
        )

    def pose_arms(self, values: Floats | None = None) -> Arms:
        """Pose natural arms for these targets, without keeping them clear of the bodies.

        Args:
            values: of the plan of the arms, on top of `self.turns`, shape (T, J, 2,
                `ARM_CHANNELS`); None for arms at ease.
        """
        natural = SOLVERS[DEFAULT_SOLVER]
        ease = np.full(2, AT_EASE)
        if values is None:
            return reach_for(self.hands, self.turns, self.shoulders, lambda _: natural, ease)
        turns = self.turns.copy()
        turns[..., TURN] += values[..., HAND_TURN]
        poles = values[..., POLE]

        def solver_at(moments: Integers | slice) -> Solver:
            return toward_poles(poles[moments])

        return reach_for(self.hands, turns, self.shoulders, solver_at, ease)


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
        legs: how legs are lifted for throws around them, shape (T, J, `LEG_CHANNELS`), as of
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
