"""The pose: every joint of every juggler, solved from places of hands and a plan of the bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arm import Arms, reach_for
from juggle_anim.body.arms.closed_form import Swivels, guide
from juggle_anim.body.arms.solvers import AT_EASE, DEFAULT_SOLVER, SOLVERS, Solver, solver_named
from juggle_anim.body.clearance import CollisionVolume, clear_of
from juggle_anim.body.planning.steps import Steps
from juggle_anim.body.planning.trunk_plan import TrunkPlan
from juggle_anim.body.skeleton import JOINTS, Joint
from juggle_anim.body.trunk_and_legs import (
    ANKLES,
    lifted_ankles,
    look_direction,
    pose_head,
    pose_legs,
    pose_trunk,
)
from juggle_anim.errors import ParameterError, did_you_mean, printable
from juggle_anim.language import _
from juggle_anim.motion import Frames, Motion
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.motion.palms import CHANNELS, TURN
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.parameters import Parameters
from juggle_anim.short_repr import ShortRepr
from juggle_anim.vectors import rotate_about_y

HAND = slice(0, 2)
ELBOW = 2
"""Indices of the turns of the hand and of the elbow in `BodyPlan.crossings`."""


@dataclass(frozen=True, repr=False)
class Pose(ShortRepr):
    """The joints of J jugglers at T times.

    Args:
        times: shape (T,), [s].
        joints: shape (T, J, `JOINTS`, 3), in the world, [m].
        gaps: shape (T, J, 2), how far each hand stays short of its target, [m]; 0 within reach.
        gaze: shape (T, J, 3), unit vectors in which the eyes look.
    """

    times: Floats
    joints: Floats
    gaps: Floats
    gaze: Floats

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
                _("there is no joint {name!r}: {near}", name=printable(name, 40), near=near)
            )
        return self.joints[..., joint, :]


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
    """

    joints: Floats
    gaps: Floats
    gaze: Floats
    standing: Floats
    facing: Floats

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
        return Pose(times, rotate_about_y(joints, self.facing) + self.standing, gaps, gaze)


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
        standing, facing: as in `BodyPoses`.
        trunk: shape (T, R, `TRUNK_CHANNELS`), as of `pose_trunk`.
        looks: shape (T, R, 4), yaw and pitch of the head, then of the eyes, [rad].
        turns: shape (T, R, 2, `CHANNELS`), turns and grips of the hands.
        lift: by how much elbows turn outward beyond what the parameters say, shape (T, R, 2) or one
            for all, [rad].
        feet: ankles, shape (T, R, 2, 3), [m], and turns of feet to the left, shape (T, R, 2),
            [rad]; None if they stay under the bodies. With feet every juggler is posed, R = J.
        guided: which elbows follow a plan and how, as `arms` and `planned` of `guide`; None
            without.
        legs: shape (T, R, `LEG_CHANNELS`), as of `pose_legs`; None if all stand as usual.
    """

    hands: Floats
    standing: Floats
    facing: Floats
    trunk: Floats
    looks: Floats
    turns: Floats
    lift: Floats | float
    feet: tuple[Floats, Floats] | None = None
    guided: tuple[Integers, Floats] | None = None
    legs: Floats | None = None

    @staticmethod
    def from_plan(
        frames: Frames, motion: Motion, parameters: Parameters, plan: BodyPlan
    ) -> BodyTargets:
        """Collect what the jugglers are posed for at the times of frames.

        Args:
            frames: places of the hands in the world at T times.
            motion: whose bodies and palms are read at these times.
            parameters: tell the arm solver: only the natural arm follows planned elbows.
            plan: slow movements of the bodies over the loop.
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
        # Only the natural arm, which the plan was made for, follows the plan of its elbows.
        is_natural = parameters.arms == DEFAULT_SOLVER
        lift = plan.lift(times, is_natural)
        swivels = plan.swivels if is_natural else None
        return BodyTargets(
            hands=hands,
            standing=standing,
            facing=facing,
            trunk=plan.trunk.track.at(times)[:, posed],
            looks=looks,
            turns=hand_turns(motion, plan, times),
            lift=lift[:, posed] if isinstance(lift, np.ndarray) else lift,
            feet=plan.steps.seen_from_bodies(times, standing, facing) if plan.steps else None,
            guided=(swivels.arms, swivels.track.at(times)) if swivels else None,
            legs=plan.legs.at(times)[:, posed] if plan.legs else None,
        )


def pose_targets(targets: BodyTargets, parameters: Parameters) -> BodyPoses:
    """Solve every joint of the jugglers who are posed: trunk, head, arms, then legs.

    Args:
        targets: where hands, feet, eyes and postures are to be, in the frames of the bodies.
        parameters: chicken-wing angle, body motion and name of the arm solver are read.
    """
    hands = targets.hands
    looks = targets.looks
    lift = targets.lift
    ankles, foot_turns = targets.feet or (None, None)
    if targets.legs is not None:
        ankles = lifted_ankles(ANKLES if ankles is None else ankles, targets.legs)
    # Trunk and head come first, since arms hang on them and keep clear of them.
    trunk = pose_trunk(hands, targets.trunk)
    head, face = pose_head(trunk.neck, trunk.upright, looks)
    swivel = np.radians(parameters.wings)
    volume = CollisionVolume.from_joints(trunk.pelvis, trunk.across, trunk.spine, trunk.neck, head)

    # The solver for some of the T times, given as indices or a slice: its elbows keep clear of the
    # bodies, and those of guided arms then follow their plan, which itself weighs their depth in
    # the bodies.
    def solver_at(moments: Integers | slice) -> Solver:
        solver = clear_of(volume.subset((moments,)), solver_named(parameters.arms))
        if not targets.guided:
            return solver
        arms, planned = targets.guided
        planned_lift = lift[moments] if isinstance(lift, np.ndarray) else lift
        return guide(solver, arms, planned[moments], planned_lift)

    arms = reach_for(hands, targets.turns, trunk.shoulders, solver_at, swivel + lift)
    legs = pose_legs(trunk.hips, ANKLES if ankles is None else ankles, foot_turns, targets.legs)
    # All joints in the order of `Joint`: those in the middle, then pairs from shoulders to toes,
    # left before right, which are all that come from `LEFT_SHOULDER` on.
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
        arms.fingers,
        arms.tips,
        arms.thumbs,
        arms.thumb_tips,
        *legs,
    )
    np.concatenate(pairs, axis=-2, out=joints[..., Joint.LEFT_SHOULDER :, :])
    # Yaw and pitch of the eyes; the first two are those of the head.
    gaze = look_direction(looks[..., 2], looks[..., 3])
    return BodyPoses(joints, arms.gaps, gaze, targets.standing, targets.facing)


def hand_turns(motion: Motion, plan: BodyPlan, times: Floats) -> Floats:
    """Turns and grips of the hands of those who are posed, shape (T, R, 2, `CHANNELS`).

    Args:
        motion: gives yaw, pitch, roll, closing and grip of every hand.
        plan: gives further turns, which keep wrists within their limits and crossed arms apart, and
            tells which R jugglers are posed (all if none share poses).
        times: shape (T,), [s].
    """
    turns = motion.palms.at(times, plan.shared.hands if plan.shared else None)
    turns = turns.reshape(len(times), turns.shape[1] // 2, 2, CHANNELS)
    posed: Integers | slice = plan.shared.posed if plan.shared else slice(None)
    # `plan.turns` includes the turns for crossed arms (`BodyPlan.turns`), so `plan.crossings` is
    # added only where there are none.
    if plan.turns:
        turns[..., TURN] += plan.turns.at(times)[:, posed]
    elif plan.crossings:
        turns[..., HAND] += plan.crossings.at(times)[:, posed, :, HAND]
    return turns


@dataclass(frozen=True)
class ArmTargets:
    """What natural arms at ease are posed for, seen from J jugglers at T times.

    Args:
        hands: shape (T, J, 2, 3), [m].
        turns: shape (T, J, 2, `CHANNELS`), of the hands.
        shoulders: shape (T, J, 2, 3), [m].
        lift: by how much elbows turn outward, shape (T, J, 2), [rad].
        volume: of the bodies, of shape (T, J).
        legs: shape (T, J, 2, 3, 3): left and right leg; hip, knee and ankle; coordinates, [m]. None
            if all stand as usual, where no arm meets a leg.
    """

    hands: Floats
    turns: Floats
    shoulders: Floats
    lift: Floats
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
        head, _ = pose_head(trunk.neck, trunk.upright, plan.gaze.at(times) if plan.gaze else None)
        volume = CollisionVolume.from_joints(
            trunk.pelvis, trunk.across, trunk.spine, trunk.neck, head
        )
        lift = np.broadcast_to(plan.lift(times, natural=True), hands.shape[:3])
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
            lift=lift,
            volume=volume,
            legs=leg_joints,
        )

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
            lift=self.lift[pairs],
            volume=self.volume.subset(pairs),
            legs=None if self.legs is None else self.legs[pairs],
        )

    def pose_arms(self, extra_turn: float | Floats = 0.0, extra_lift: float | Floats = 0.0) -> Arms:
        """Pose natural arms for these targets, without keeping them clear of the bodies.

        Args:
            extra_turn: by how much more hands turn outward, up and over, on top of `self.turns`;
                broadcasts over (T, J, 2, 3), [rad].
            extra_lift: by how much more elbows turn outward, on top of `self.lift`; broadcasts over
                (T, J, 2), [rad].
        """
        turns = self.turns.copy()
        turns[..., TURN] += extra_turn
        return reach_for(
            self.hands,
            turns,
            self.shoulders,
            solver_at=lambda _: SOLVERS[DEFAULT_SOLVER],
            swivels=AT_EASE + self.lift + extra_lift,
        )


@dataclass(frozen=True, repr=False)
class BodyPlan(ShortRepr):
    """Slow movements of J jugglers over one loop, from `plan_bodies`.

    Args:
        trunk: how bodies stand, lean and turn.
        gaze: shape (T, J, 4): yaw and pitch of the head, then of the eyes, [rad]; None if heads
            keep still.
        steps: where the feet are; None if they stay under the bodies.
        crossings: shape (T, J, 2, 3): by how much hands turn outward and up, and elbows outward, so
            that crossed arms pass each other, [rad]; None if none would meet.
        clearance: shape (T, J, 2): by how much natural elbows turn outward on their way around
            trunk and head, [rad]; None if none need to.
        turns: shape (T, J, 2, 3): by how much hands turn outward, up and over, with what
            `crossings` has for them, so that wrists stay within their limits, [rad]; None if they
            do anyway.
        swivels: guided elbows, which would otherwise move too fast; None if there are none.
        shared: which jugglers do the same as others; None if each is posed alone.
        legs: how legs are lifted for throws around them, shape (T, J, `LEG_CHANNELS`), as of
            `stand`; None without such throws.
    """

    trunk: TrunkPlan
    gaze: PeriodicSpline | None
    steps: Steps | None
    crossings: PeriodicSpline | None = None
    clearance: PeriodicSpline | None = None
    turns: PeriodicSpline | None = None
    swivels: Swivels | None = None
    shared: SharedPoses | None = None
    legs: PeriodicSpline | None = None

    def lift(self, times: Floats, natural: bool) -> Floats | float:
        """Planned outward turns of elbows at some times, shape (T, J, 2), [rad]; 0 without a plan.

        Args:
            times: shape (T,), [s].
            natural: whether elbows are those of the natural arm. Only for these is the turn around
                trunk and head planned and added; the turn for crossed arms is for every solver.
        """
        crossed = self.crossings.at(times)[..., ELBOW] if self.crossings else 0.0
        return crossed + self.clearance.at(times) if self.clearance and natural else crossed


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
