"""Arm lab: a goal for one hand that the user moves, and IK followers that bring the hand there.

Curves of an arm over one loop: heights, speeds, accelerations, joint angles and reach.

Also the gap between the elbows of two IK solvers, as text for the ghost.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from functools import cache
from typing import Protocol

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import (
    DIGIT_NAMES,
    FOREARM,
    HIP_HEIGHT,
    PALM,
    SOLVERS,
    SPINE,
    UPPER_ARM,
    Arm,
    HandDirections,
    Joint,
    Pose,
    arm_axes,
)
from juggle_anim.body.chain import AT_REST, Chain, Frame, Goal, SolverOptions
from juggle_anim.body.chain import solve as solve_chain
from juggle_anim.body.chain.chain import SIDES, posture_at_ease, upper_body
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import Camera, Scene, compose
from juggle_anim.viewer.panel.controls import ArmSelection
from juggle_anim.viewer.state.undo import IdentityCache

HAND = ("WRIST", "PALM", *DIGIT_NAMES)
"""Joints that go with a hand."""

_SIDE_NAMES = ("LEFT", "RIGHT")


@dataclass(frozen=True)
class Target:
    """The goal of a hand, in the juggler's frame.

    Args:
        side: 0 for the left hand, 1 for the right one.
        position: position of the wrist, shape (3,), [m].
        rotation: rotation of the hand from its first orientation, shape (3, 3); None if it is free.
    """

    side: int
    position: Floats
    rotation: Floats | None = None


class Follower(Protocol):
    """A method by which an arm follows a goal."""

    iterative: bool
    """Whether it takes several iterations."""

    def solve(self, figure: LocalFigure, target: Target) -> tuple[Floats, float]:
        """Run one iteration, or solve at once.

        Returns:
            The joints of the figure, shape (`JOINTS`, 3), [m], and the distance to the goal, [m].
        """
        ...


@dataclass(frozen=True)
class SolverFollower:
    """Follows by a solver of `SOLVERS`, with a chicken-wing angle for each side, [rad]."""

    solver: str
    wings: tuple[float, float]
    iterative = False

    def solve(self, figure: LocalFigure, target: Target) -> tuple[Floats, float]:
        """Solve the inverse kinematics of an arm for a wrist position, by one of `SOLVERS`.

        The hand keeps the orientation relative to the forearm that it has in the animation.

        Args:
            figure: the juggler, as posed by the animation.
            target: the side of the arm (0 left, 1 right), and the position of the wrist in the
                figure's frame, [m]; its rotation is not used.

        Returns:
            The joints of the figure, shape (`JOINTS`, 3), [m], and the distance to the goal, [m].
        """
        side = target.side
        bones = Arm(UPPER_ARM, FOREARM)
        # The angle by which the elbow is swivelled outward, [rad].
        chicken_wing = self.wings[side]
        shoulder = figure.at("SHOULDER", side)
        wrist = figure.at("WRIST", side)
        solver = SOLVERS[self.solver]
        # Directions of the fingers and out of the palm; left and right palms are mirror images.
        fingers, _, thumb = arm_axes(figure.joints)[side, WRIST_POINT].T
        sign = 1 if side == 0 else -1
        directions = HandDirections(fingers, sign * np.cross(fingers, thumb))
        # Solve for two arms at once: with the wrist where it is now, and with it at the goal. The
        # first gives the orientation from which the forearm turns.
        now, goal = range(2)
        shoulders = np.stack([shoulder, shoulder])
        wrists = np.stack([wrist, target.position])
        arms = solver(shoulders, wrists, bones, side, chicken_wing, directions)
        joints = figure.joints.copy()
        joints[joint_of("ELBOW", side)] = arms.elbow[goal]
        # The hand turns as the forearm does, R = R_goal R_nowᵀ.
        forearm_rotations = arms.rotations[:, ELBOW_POINT]
        turn = forearm_rotations[goal] @ forearm_rotations[now].T
        joints[hand_of(side)] = arms.wrist[goal] + (figure.hand(side) - wrist) @ turn.T
        return joints, float(arms.gap[goal])


class ChainFollower:
    """Follows by resolved-rate IK on a joint chain, one iteration at a time.

    Args:
        figure: the juggler at the start.
        side: side of the hand that follows the goal.
        whole_body: whether spine, clavicles and the other arm move, too, while its hand stays;
            otherwise the arm alone.
    """

    iterative = True

    def __init__(self, figure: LocalFigure, side: int, *, whole_body: bool) -> None:
        """Choose the chain of joints, and fit its angles to the figure.

        Of all postures that reach a goal, the solver will prefer one like the fitted one.

        Args:
            figure: the juggler at the start.
            side: side of the hand that follows the goal, 0 left, 1 right.
            whole_body: whether spine, clavicles and the other arm move, too, while its hand stays;
                otherwise the arm alone.
        """
        self._side = side
        self._whole_body = whole_body
        self._chain = upper_body() if whole_body else _arm_chain(side)
        self._sides = (0, 1) if whole_body else (side,)
        # Initial positions of the wrists by side, from the root of the chain, shape (3,), [m]; a
        # wrist without a goal stays there.
        self._first_wrists = {
            arm: self._from_root(figure, figure.at("WRIST", arm)) for arm in self._sides
        }
        self._posture = self._fitted_angles(figure)
        self.angles = self._posture.copy()
        # Initial rotations of the wrists by side, shape (3, 3), and the joints of each hand in the
        # frame of its wrist, shape (6, 3), [m].
        self._first_rotations = {}
        for arm in self._sides:
            _position, self._first_rotations[arm] = self._locate(_WRIST, arm)
        self._hands = {
            arm: (figure.hand(arm) - figure.at("WRIST", arm)) @ self._first_rotations[arm]
            for arm in self._sides
        }
        self._first_trunk_rotation = np.eye(3)
        if whole_body:
            _position, self._first_trunk_rotation = self._chain.locate(self.angles, _CHEST)

    def solve(self, figure: LocalFigure, target: Target) -> tuple[Floats, float]:
        """Run one iteration of the solver, which moves `angles` toward the goal.

        Args:
            figure: the juggler, in whose frame the target is.
            target: position of the wrist, and rotation of the hand unless that is free.

        Returns:
            The joints of the figure, shape (`JOINTS`, 3), [m], and the distance to the goal, [m],
            to which an error in rotation adds as `Goal` says.
        """
        # Goals are in the frame of the chain. It has the axes of the figure, so rotations are the
        # same in both, but its own origin (`_from_root`). The target tells how far the hand is to
        # be rotated from its first orientation.
        position = self._from_root(figure, target.position)
        orientation = None
        if target.rotation is not None:
            orientation = target.rotation @ self._first_rotations[target.side]
        goals = [self._goal(target.side, position, orientation)]
        # If the other arm is part of the chain, its wrist is to stay where it was at the start.
        goals += [
            self._goal(arm, self._first_wrists[arm]) for arm in self._sides if arm != target.side
        ]
        # A single step from the present angles. `AT_REST` has the solver go on even with the goals
        # met, toward the preferred posture, the one at the start.
        one_iteration = SolverOptions(tolerance=_TOLERANCE, iterations=1, restarts=0, rest=AT_REST)
        outcome = solve_chain(
            self._chain, goals, start=self.angles, posture=self._posture, effort=one_iteration
        )
        # The results are those of a batch of one; errors are in the order of the goals.
        (self.angles,) = outcome.angles
        target_error = outcome.errors[0, 0]
        return self.joints(figure), float(target_error)

    def joints(self, figure: LocalFigure) -> Floats:
        """Return the figure's joints, posed by `angles`, the present joint angles of the chain.

        The chain is an arm, or the whole upper body. Its joints are converted from its own frame to
        that of the figure.

        Args:
            figure: gives the frame, and the joints that the chain does not move.

        Returns:
            Shape (`JOINTS`, 3), in the frame of the figure, [m].
        """
        joints = figure.joints.copy()
        # Chest, neck and head have turned with the spine since the start.
        if self._whole_body:
            chest, chest_rotation = self._chain.locate(self.angles, _CHEST)
            turn = chest_rotation @ self._first_trunk_rotation.T
            from_chest = (joints[_UPPER_JOINTS] - joints[Joint.CHEST]) @ turn.T
            joints[_UPPER_JOINTS] = self._to_figure(figure, chest) + from_chest
        # Arms are those of the chain, and hands turn rigidly with its wrists.
        for arm in self._sides:
            for joint, chain_joint in (("SHOULDER", _SHOULDER), ("ELBOW", _ELBOW)):
                position, _rotation = self._locate(chain_joint, arm)
                joints[joint_of(joint, arm)] = self._to_figure(figure, position)
            wrist, wrist_rotation = self._locate(_WRIST, arm)
            hand = self._hands[arm] @ wrist_rotation.T  # joints from the wrist
            joints[hand_of(arm)] = self._to_figure(figure, wrist) + hand
        return joints

    def _goal(self, arm: int, position: Floats, orientation: Floats | None = None) -> Goal:
        return Goal(self._frame(_WRIST, arm), position, orientation)

    def _fitted_angles(self, figure: LocalFigure) -> Floats:
        """Return the joint angles with which the chain is posed as the figure, shape (n,), [rad].

        They are found by the solver, with goals for the joints of the figure; wrists matter most.
        """
        # For each goal: a joint of the chain; the joint of the figure that is to be there; the
        # height of the second in the frame of the first, [m]; and the weight of the goal. The
        # shoulder of an arm alone is fixed, and has none.
        matches = [
            (_ELBOW, "ELBOW", 0.0, 0.5),
            (_WRIST, "WRIST", 0.0, 1.0),
            (_WRIST, "PALM", -PALM, 0.3),
        ]
        goals = []
        if self._whole_body:
            matches.append((_SHOULDER, "SHOULDER", 0.0, 0.5))
            goals.append(Goal(_CHEST, self._from_root(figure, figure.joints[Joint.CHEST])))
        for arm in self._sides:
            for chain_joint, joint, height, weight in matches:
                frame = replace(self._frame(chain_joint, arm), point=(0.0, height, 0.0))
                goals.append(
                    Goal(frame, self._from_root(figure, figure.at(joint, arm)), weight=weight)
                )
        outcome = solve_chain(
            self._chain,
            goals,
            posture_at_ease(self._chain),
            effort=SolverOptions(tolerance=_TOLERANCE, iterations=40, restarts=2),
        )
        (angles,) = outcome.angles  # of a batch of one
        return angles

    def _frame(self, name: str, arm: int) -> Frame:
        return Frame(self._chain.index(f"{SIDES[arm]} {name}"))

    def _locate(self, name: str, arm: int) -> tuple[Floats, Floats]:
        return self._chain.locate(self.angles, self._frame(name, arm))

    def _root(self, figure: LocalFigure) -> Floats:
        """Return the chain's origin in the figure, shape (3,), [m]."""
        if self._whole_body:
            return np.asarray(figure.joints[Joint.PELVIS] - (0.0, HIP_HEIGHT, 0.0))
        return figure.at("SHOULDER", self._side)

    def _from_root(self, figure: LocalFigure, point: Floats) -> Floats:
        return point - self._root(figure)

    def _to_figure(self, figure: LocalFigure, point: Floats) -> Floats:
        return point + self._root(figure)


_TOLERANCE = 1e-4  # distance at which the solver takes a goal for reached, [m]
_CHEST = Frame(2, (0.0, SPINE, 0.0))

# Names of the chain's joints, without the side, whose frames are at an arm's shoulder, elbow and
# wrist.
_SHOULDER = "shoulder flexion"
_ELBOW = "elbow flexion"
_WRIST = "wrist deviation"

_UPPER_JOINTS = [Joint.CHEST, Joint.NECK, Joint.HEAD, Joint.FACE]
_BEFORE_THE_SHOULDER = 5  # joints of the spine and of a clavicle


@cache
def _arm_chain(side: int) -> Chain:
    """Return the chain of joints of one arm from a fixed shoulder, which is its origin."""
    first, *others = upper_body((side,)).joints[_BEFORE_THE_SHOULDER:]
    first_at_origin = replace(first, offset=(0.0, 0.0, 0.0))
    # The parent of each joint is the one before it; −1 is the origin.
    return Chain(
        tuple(
            replace(joint, parent=index - 1)
            for index, joint in enumerate((first_at_origin, *others))
        )
    )


@dataclass(frozen=True)
class LocalFigure:
    """One juggler at one time.

    Args:
        joints: shape (`JOINTS`, 3), seen from the juggler, [m].
        place: shape (3,), where they stand, [m].
        facing: turn about +y, [rad].
    """

    joints: Floats
    place: Floats
    facing: float

    @classmethod
    def from_animation(cls, animation: Animation, time: float, juggler: int) -> LocalFigure:
        """Return a juggler, counted from 0, of an animation at a time of its loop, [s]."""
        times = np.array([time])
        *position, facing = animation.motion.bodies.places(times)[0, juggler].tolist()
        # A figure without joints, whose frame converts those of the pose.
        frame = cls(np.zeros((0, 3)), np.array(position), facing)
        world_joints = animation.pose(times).joints[0, juggler]
        return cls(frame.to_local(world_joints), frame.place, facing)

    def to_local(self, points: Floats) -> Floats:
        """Points of the world, shape (..., 3), as the juggler sees them, [m]."""
        return (points - self.place) @ self.rotation

    def to_world(self, points: Floats) -> Floats:
        """Points that the juggler sees, shape (..., 3), in the world, [m]."""
        return points @ self.rotation.T + self.place

    @property
    def rotation(self) -> Floats:
        """The rotation of the juggler in the world, shape (3, 3)."""
        sine = np.sin(self.facing)
        cosine = np.cos(self.facing)
        return np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])

    def at(self, joint: str, side: int) -> Floats:
        """A joint of one side, shape (3,): `ELBOW`, [m]."""
        return np.asarray(self.joints[joint_of(joint, side)])

    def hand(self, side: int) -> Floats:
        """Return the joints of a hand from its wrist, shape (6, 3), [m]."""
        return np.asarray(self.joints[hand_of(side)])


def joint_of(joint: str, side: int) -> Joint:
    """Return the joint of one side, 0 for left and 1 for right."""
    return Joint[f"{_SIDE_NAMES[side]}_{joint}"]


def hand_of(side: int) -> list[Joint]:
    """Joints of a hand, the wrist first."""
    return [joint_of(joint, side) for joint in HAND]


class FollowMethod(Enum):
    """The solver by which the arm follows its goal."""

    SOLVER = N_("Solver")
    ARM = N_("Arm chain")
    BODY = N_("Whole body")

    @property
    def next(self) -> FollowMethod:
        """The next method, cyclically."""
        methods = list(FollowMethod)
        return methods[(methods.index(self) + 1) % len(methods)]


@dataclass(frozen=True)
class Iteration:
    """One iteration: the distance left to the goal, and how far the elbow moved, [m]."""

    error: float
    elbow_step: float


TRACE_LENGTH = 120
"""Iterations that a trace holds."""

TOLERANCE = 1e-3
"""Distance at which a goal counts as reached, [m]."""

GOAL_STEP = 0.02
"""How far a key moves the goal, [m]."""

_LEAST_STEP = 1e-5  # m; an elbow that moves less has converged


class ArmLab:
    """A goal, and an arm that follows it.

    Args:
        animation: the animation with the arm.
        time: time of its pose, [s].
        arm: arm that follows.
    """

    def __init__(self, animation: Animation, time: float, arm: ArmSelection) -> None:
        """Begin with the goal at the hand, and with the animation's solver for the arm.

        Args:
            animation: the animation with the juggler.
            time: time of the pose, [s].
            arm: the arm that follows the goal: a juggler and a side.
        """
        self.method = FollowMethod.SOLVER
        self.arm = arm
        self.paused = False
        """Whether iterations run only by key."""
        self.orients_hand = False
        """Whether the goal sets the hand's orientation, too."""
        self.held_from: tuple[Floats, Floats] | None = None
        """`place` and `goal_rotation` when the mouse took hold of the goal; None if it does not."""
        self.trace: list[Iteration] = []
        """The last iterations, at most `TRACE_LENGTH`."""
        self.step_count = 0
        """Number of iterations since the goal was placed."""
        self.converged = False
        """Whether more iterations would change nothing."""
        self._animation = animation
        self._time = time
        # The joints of the juggler as the arm follows, shape (joints, 3), [m]; `select_arm` sets
        # them.
        self._joints: Floats = np.zeros((0, 3))
        self.select_arm(arm)

    @property
    def goal(self) -> Floats:
        """The goal of the wrist in the world, shape (3,), [m]."""
        return self._figure.to_world(self._position)

    @property
    def place(self) -> Floats:
        """The goal as the juggler has it: left, up and forward, shape (3,), [m]."""
        return self._position.copy()

    @property
    def goal_rotation(self) -> Floats:
        """Rotation of the hand from its first orientation, in the world, shape (3, 3)."""
        return self._figure.rotation @ self._goal_rotation

    @property
    def joints(self) -> Floats:
        """The joints of the juggler whose arm follows, shape (`JOINTS`, 3), in the world, [m]."""
        return self._figure.to_world(self._joints)

    @property
    def error(self) -> float:
        """Distance of the wrist from its goal, [m]."""
        return self.trace[-1].error

    @property
    def reach(self) -> float:
        """Distance of the goal from the shoulder, as a share of the arm's length."""
        shoulder = self._joints[joint_of("SHOULDER", self.arm.side)]
        return float(np.linalg.norm(self._position - shoulder)) / (UPPER_ARM + FOREARM)

    @property
    def is_iterative(self) -> bool:
        """Whether the present method is iterative."""
        return self._follower.iterative

    @property
    def is_moving(self) -> bool:
        """Whether the arm still moves without a key."""
        return self.is_iterative and not self.paused and not self.converged

    def select_arm(self, arm: ArmSelection) -> None:
        """Select another arm, with its goal at its hand."""
        self.arm = arm
        self._figure = LocalFigure.from_animation(self._animation, self._time, arm.juggler)
        self._position = self._figure.at("WRIST", arm.side).copy()
        self._goal_rotation = np.eye(3)
        self._restart()

    def use_method(self, method: FollowMethod) -> None:
        """Follow by another method, from the pose of the animation."""
        self.method = method
        self._restart()

    def update(self, animation: Animation, time: float) -> None:
        """Go on with another animation or time; the goal stays where it is from the juggler.

        The lab shows one arm that follows a goal for its hand, by a direct solver, which needs no
        steps, or by an iterative one, which comes nearer with each step. If the juggler of the arm
        is not in the animation, another arm is selected.

        Args:
            animation: the animation that is shown now.
            time: time of the pose, [s].
        """
        is_new_animation = animation is not self._animation
        if not is_new_animation and time == self._time:
            return
        self._animation = animation
        self._time = time
        # The juggler is gone: start again with an arm that is there.
        if self.arm.juggler >= animation.num_jugglers:
            self.select_arm(self.arm.within(animation.num_jugglers))
            return
        self._figure = LocalFigure.from_animation(animation, time, self.arm.juggler)
        self.converged = False
        # An iterative method keeps its chain of joints in its posture, and goes on toward the goal
        # from there in later frames. A direct solver and its parameters are those of the animation.
        if self.is_iterative:
            return
        if is_new_animation:
            self._follower = self._new_follower()
        self.iterate()

    def place_goal(self, goal: Floats, rotation: Floats | None = None) -> None:
        """Place the goal, and solve at once unless the method is iterative.

        Args:
            goal: position of the wrist in the world, shape (3,), [m].
            rotation: rotation of the hand from its first orientation, in the world, shape (3, 3);
                None to keep the rotation that it has.
        """
        self._position = self._figure.to_local(np.asarray(goal, dtype=float))
        if rotation is not None:
            self._goal_rotation = self._figure.rotation.T @ rotation
        self.step_count = 0
        self.converged = False
        if not self.is_iterative:
            self.iterate()

    def move_goal(self, camera: Camera, right: int, up: int, away: int) -> None:
        """Move the goal by some steps, as the camera sees it."""
        seen = np.array([-right if camera.mirrored else right, up, -away]) @ camera.view()[:3, :3]
        self.place_goal(self.goal + GOAL_STEP * seen)

    def step_once(self) -> None:
        """Run one iteration and pause."""
        self.paused = True
        self.iterate()

    def toggle_paused(self) -> None:
        """Pause iterations, or run them."""
        self.paused = not self.paused

    def toggle_orientation(self) -> None:
        """Let the goal set the hand's orientation, or not."""
        self.orients_hand = not self.orients_hand
        self.step_count = 0
        self.converged = False

    def advance(self) -> None:
        """Run the iteration of the next picture, if the arm still moves."""
        if self.is_moving:
            self.iterate()

    def iterate(self) -> None:
        """Move the arm by one iteration toward the goal, and add it to the trace.

        The goal is a position of the wrist, and also an orientation of the hand if `orients_hand`;
        only iterative methods follow that.
        """
        elbow = joint_of("ELBOW", self.arm.side)
        elbow_before = self._joints[elbow]
        rotation = self._goal_rotation if self.orients_hand and self.is_iterative else None
        # The distance is from the wrist to the goal, [m].
        self._joints, distance = self._follower.solve(
            self._figure, Target(self.arm.side, self._position, rotation)
        )
        elbow_step = float(np.linalg.norm(self._joints[elbow] - elbow_before))
        # Converged once neither the elbow nor the distance to the goal changes by more than a tiny
        # length. `error` still is the distance of the iteration before.
        self.converged = (
            bool(self.trace)
            and elbow_step < _LEAST_STEP
            and abs(distance - self.error) < _LEAST_STEP
        )
        self.step_count += 1
        trace = [*self.trace, Iteration(distance, elbow_step)]
        self.trace = trace[-TRACE_LENGTH:]

    def ghost_joints(self) -> Floats | None:
        """Return the joints of the ghost, the same juggler whose arm another solver brings there.

        Returns:
            Shape (`JOINTS`, 3), in the world, [m]; None if the ghost is off.
        """
        animation = self._animation.ghost
        if animation is None:
            return None
        figure = LocalFigure.from_animation(animation, self._time, self.arm.juggler)
        follower = SolverFollower(animation.parameters.arms, _wing_angles(animation))
        joints, _distance = follower.solve(figure, Target(self.arm.side, self._position))
        return figure.to_world(joints)

    @property
    def ghost_gap(self) -> float | None:
        """Distance of the elbow from that of the ghost, [m]; None without a ghost."""
        ghost_joints = self.ghost_joints()
        if ghost_joints is None:
            return None
        elbow = joint_of("ELBOW", self.arm.side)
        return float(np.linalg.norm(ghost_joints[elbow] - self.joints[elbow]))

    def scene(self, camera: Camera) -> Scene:
        """Return what is drawn of the animation while one arm follows a goal in the arm lab.

        The picture is that of the animation at the lab's time, [s], except for the arm, whose
        joints are where the lab's solver has brought them.

        Args:
            camera: the camera of the picture.
        """
        animation = self._animation
        frames = animation.sample(np.array([self._time]))
        pose = self._pose_with(animation.pose(frames.times), self.joints)
        # The ghost is a second body in another colour, posed by another solver. Other jugglers have
        # ghosts, too, which are those of the animation.
        ghost_joints = self.ghost_joints()
        ghost_pose = None
        if animation.ghost is not None and ghost_joints is not None:
            ghost_pose = self._pose_with(animation.ghost.pose(frames.times), ghost_joints)
        # One time makes one scene.
        (scene,) = compose(
            frames, pose, animation.motion, camera, ghost=ghost_pose, look=animation.look
        )
        return scene

    def _pose_with(self, pose: Pose, joints: Floats) -> Pose:
        """Return a pose with other joints of the arm's juggler, shape (`JOINTS`, 3), [m]."""
        all_joints = pose.joints.copy()
        all_joints[0, self.arm.juggler] = joints
        return replace(pose, joints=all_joints)

    def _restart(self) -> None:
        """Follow from the pose of the animation."""
        self._joints = self._figure.joints
        self.trace = []
        self.step_count = 0
        self.converged = False
        self._follower = self._new_follower()
        self.iterate()

    def _new_follower(self) -> Follower:
        if self.method is FollowMethod.SOLVER:
            return SolverFollower(self._animation.parameters.arms, _wing_angles(self._animation))
        return ChainFollower(
            self._figure, self.arm.side, whole_body=self.method is FollowMethod.BODY
        )


def _wing_angles(animation: Animation) -> tuple[float, float]:
    left, right = np.radians(animation.parameters.wings)
    return float(left), float(right)


TITLES = (
    N_("Hand height"),
    N_("Hand speed"),
    N_("Hand acceleration"),
    N_("Joints"),
    N_("Elbow height"),
    N_("Elbow speed"),
    N_("Swivel"),
    N_("Reach"),
)
"""Titles of all curves, in their order."""

_DOWN = np.array([0.0, -1.0, 0.0])
_AXIS_MARGIN = 0.08  # of the range of values, above and below the curves of a plot
_ROOM_BELOW_ZERO = 0.04  # of the upper end of an axis that begins at 0

SAMPLE_RATE = 120
MIN_SAMPLES = 64
MAX_SAMPLES = 2400
"""Samples a second of a loop, and the fewest and most samples of a loop."""

SHOULDER_POINT, ELBOW_POINT, WRIST_POINT, PALM_POINT = range(4)
"""Indices of an arm's joints, as in `LoopArms.joints`."""

_ARM_JOINTS = [
    [Joint[f"{side}_{joint}"] for joint in ("SHOULDER", "ELBOW", "WRIST", "PALM")]
    for side in ("LEFT", "RIGHT")
]


@dataclass(frozen=True)
class Curve:
    """One plot: a few quantities of one arm over a loop, in one unit.

    Args:
        title: title of the plot.
        unit: unit of the values.
        names: names of the quantities.
        values: shape (K, N).
        min_span: smallest range of the vertical axis, so that small changes look small.
        decimals: decimals of a value as text.
        from_zero: whether the axis begins at 0.
    """

    title: str
    unit: str
    names: tuple[str, ...]
    values: Floats
    min_span: float
    decimals: int = 0
    from_zero: bool = False

    def limits(self, *others: Curve) -> tuple[float, float]:
        """Return lower and upper end of the vertical axis, with room above and below the curves.

        Args:
            others: other curves in the same plot, in the same unit.
        """
        low = min(float(curve.values.min()) for curve in (self, *others))
        high = max(float(curve.values.max()) for curve in (self, *others))
        if self.from_zero:
            top = max((1 + _AXIS_MARGIN) * high, self.min_span)
            # Below 0 there is room for the whole width of a line at 0.
            return -_ROOM_BELOW_ZERO * top, top
        span = high - low
        margin = max((self.min_span - span) / 2, _AXIS_MARGIN * span)
        return low - margin, high + margin

    def value_text(self, quantity: int, sample: int) -> str:
        """Return the value of one quantity at one time, by their indices, as text: `1.4 m/s`."""
        text = f"{self.values[quantity, sample]:.{self.decimals}f}".replace("-", "−")
        return text + self.unit if self.unit in "°%" else f"{text} {self.unit}"


def arm_curves(arms: LoopArms, juggler: int, side: int) -> tuple[Curve, ...]:
    """Return the curves to plot of one arm over a loop, with `TITLES` in their order.

    Each curve has one quantity, or several in one unit, at N even times.

    Args:
        arms: arms of all jugglers over a loop.
        juggler: index of the juggler, from 0.
        side: 0 for the left arm, 1 for the right one.
    """
    # Points at N times, shape (N, 3) each, [m], and the vectors between them.
    joints = np.moveaxis(arms.joints[:, juggler, side], 1, 0)
    shoulder, elbow, wrist, palm = (
        joints[joint] for joint in (SHOULDER_POINT, ELBOW_POINT, WRIST_POINT, PALM_POINT)
    )
    upper_arm = elbow - shoulder
    forearm = wrist - elbow
    hand = palm - wrist

    # Quantities that take more than a line; the others are computed where they are plotted.
    reach = _norms(wrist - shoulder) / (UPPER_ARM + FOREARM)  # share of the arm's length
    # How far the upper arm is lifted, the elbow is bent and the wrist is bent, shape (3, N), [°].
    angles = np.degrees(
        [
            _angles_between(upper_arm, _DOWN),
            _angles_between(upper_arm, forearm),
            _angles_between(forearm, hand),
        ]
    )
    # The swivel turns the elbow about the line from shoulder to wrist.
    swivels = np.degrees(swivel(shoulder, elbow, wrist, side))
    palm_velocity = _derivative(palm, arms.step)
    accelerations = _norms(_derivative(palm_velocity, arms.step))

    def height_curve(title: str, points: Floats) -> Curve:
        """Return the height of a point over time, given its places, shape (N, 3), [m]."""
        heights = 100 * points[:, 1]  # cm
        return Curve(
            title, "cm", names=(N_("Height"),), values=heights[None], min_span=10.0, decimals=1
        )

    def speed_curve(title: str, velocities: Floats) -> Curve:
        """Return the speed of a point over time, given its velocities, shape (N, 3), [m/s]."""
        return Curve(
            title,
            "m/s",
            names=(N_("Speed"),),
            values=_norms(velocities)[None],
            min_span=0.5,
            decimals=2,
            from_zero=True,
        )

    (
        hand_height,
        hand_speed,
        hand_acceleration,
        joint_angles,
        elbow_height,
        elbow_speed,
        swivel_angle,
        arm_reach,
    ) = TITLES
    return (
        height_curve(hand_height, palm),
        speed_curve(hand_speed, palm_velocity),
        Curve(
            hand_acceleration,
            "m/s²",
            names=(N_("Acceleration"),),
            values=accelerations[None],
            min_span=5.0,
            decimals=1,
            from_zero=True,
        ),
        Curve(
            joint_angles,
            "°",
            names=(N_("Shoulder"), N_("Elbow"), N_("Wrist")),
            values=angles,
            min_span=30.0,
        ),
        height_curve(elbow_height, elbow),
        speed_curve(elbow_speed, _derivative(elbow, arms.step)),
        Curve(swivel_angle, "°", names=(N_("Swivel"),), values=swivels[None], min_span=20.0),
        Curve(arm_reach, "%", names=(N_("Reach"),), values=100 * reach[None], min_span=10.0),
    )


def swivel(shoulder: Floats, elbow: Floats, wrist: Floats, side: int) -> Floats:
    """Return the swivel angle of an elbow: its turn about the line from shoulder to wrist.

    It is 0 if the elbow hangs lowest, and positive outward.

    Args:
        shoulder, elbow, wrist: shape (N, 3), one after the other in time, [m].
        side: 0 for the left arm, 1 for the right one.

    Returns:
        Shape (N,), [rad], without jumps of whole turns.
    """
    to_wrist = wrist - shoulder
    axis = to_wrist / np.maximum(_norms(to_wrist), 1e-9)[:, None]
    # Two vectors of equal length across the axis, at right angles: down without its share along the
    # axis, and outward.
    down = _DOWN - np.sum(_DOWN * axis, axis=-1, keepdims=True) * axis
    outward = np.cross(axis, down) * (1.0 if side == 0 else -1.0)
    upper_arm = elbow - shoulder
    outward_share = np.sum(upper_arm * outward, axis=-1)
    down_share = np.sum(upper_arm * down, axis=-1)
    angles: Floats = np.unwrap(np.arctan2(outward_share, down_share))
    return angles


def _derivative(values: Floats, step: float) -> Floats:
    """Return central differences of values, shape (N, 3), a second; the loop is periodic."""
    following = np.roll(values, -1, axis=0)
    previous = np.roll(values, 1, axis=0)
    derivative: Floats = (following - previous) / (2 * step)
    return derivative


def _norms(vectors: Floats) -> Floats:
    """Return the lengths of vectors, shape (…,)."""
    return np.asarray(np.sqrt(np.sum(vectors * vectors, axis=-1)))


def _angles_between(first: Floats, second: Floats) -> Floats:
    """Return the angles between vectors, [rad]."""
    cosine = np.sum(first * second, axis=-1) / np.maximum(
        _norms(first) * _norms(np.broadcast_to(second, first.shape)), 1e-12
    )
    return np.asarray(np.arccos(np.clip(cosine, -1.0, 1.0)))


@dataclass(frozen=True)
class LoopArms:
    """Arms of J jugglers at N even times of a loop.

    Args:
        duration: duration of the loop, [s].
        joints: shape (N, J, 2, 4, 3), from shoulder to palm, in the world, [m].
    """

    duration: float
    joints: Floats

    @classmethod
    def from_animation(cls, animation: Animation) -> LoopArms:
        """Sample the arms of an animation."""
        count = min(max(round(animation.duration * SAMPLE_RATE), MIN_SAMPLES), MAX_SAMPLES)
        times = np.linspace(0.0, animation.duration, count, endpoint=False)
        return cls(animation.duration, animation.pose(times).joints[:, :, _ARM_JOINTS])

    @property
    def times(self) -> Floats:
        """Shape (N,), [s]."""
        return self.step * np.arange(float(len(self.joints)))

    @property
    def step(self) -> float:
        """From one time to the next, [s]."""
        return self.duration / len(self.joints)

    def index_at(self, time: float) -> int:
        """Return the index of the sample nearest to a time, [s], in any loop."""
        return round(time / self.step) % len(self.joints)


def elbow_gaps(arms: LoopArms, others: LoopArms) -> Floats:
    """Return the largest distance between the elbows of two solvers, shape (N,), [m]."""
    between = arms.joints[:, :, :, ELBOW_POINT] - others.joints[:, :, :, ELBOW_POINT]
    return np.asarray(np.sqrt(np.sum(between * between, axis=-1)).max(axis=(1, 2)))


class GhostGap:
    """Finds the elbow gap of an animation and its ghost; a loop is sampled once."""

    def __init__(self) -> None:
        self._animation: Animation | None = None
        self._arms = IdentityCache(LoopArms.from_animation)
        self._ghost_arms = IdentityCache(LoopArms.from_animation)
        self._gaps: Floats = np.zeros(1)

    def at(self, animation: Animation, time: float) -> tuple[float, float] | None:
        """Return the gap at a time, [s], and at most over the loop, [m]; None without a ghost."""
        if animation.ghost is None:
            return None
        arms = self._arms.of(animation)
        if animation is not self._animation:
            self._animation = animation
            self._gaps = elbow_gaps(arms, self._ghost_arms.of(animation.ghost))
        return float(self._gaps[arms.index_at(time)]), float(self._gaps.max())


def gap_text(now: float, most: float | None = None) -> str:
    """Return the gap now and at most, [m], as text: `Elbows 3.2 cm apart, at most 6.0 cm`."""
    return _("Elbows {now:.1f} cm apart", now=100 * now) + (
        "" if most is None else _(", at most {most:.1f} cm", most=100 * most)
    )
