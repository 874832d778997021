"""The arm lab: a goal for one hand that the user moves, and an arm that follows it by inverse
kinematics.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Pose
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.language import N_
from juggle_anim.scene import Camera, Scene, compose
from juggle_anim.viewer.arms.ik_followers import (
    ChainFollower,
    Follower,
    LocalFigure,
    SolverFollower,
    Target,
    joint_of,
)
from juggle_anim.viewer.panel.listing import ArmSelection


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

_AT_REST = 1e-5  # m; an elbow that moves less has converged


class ArmLab:
    """A goal, and an arm that follows it.

    Args:
        animation: with the arm.
        time: of its pose, [s].
        arm: that follows.
    """

    def __init__(self, animation: Animation, time: float, arm: ArmSelection) -> None:
        self.method = FollowMethod.SOLVER
        self.arm = arm
        self.paused = False
        self.orients_hand = False
        """Whether iterations run only by key, and whether the goal sets the hand's orientation."""
        self.held_from: tuple[Floats, Floats] | None = None
        """`place` and `goal_rotation` when the mouse took hold of the goal; None if it does not."""
        self.trace: list[Iteration] = []
        self.step_count = 0
        self.converged = False
        """Iterations since the goal was placed, and whether more of them would change nothing."""
        self._animation = animation
        self._time = time
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
        self._figure = LocalFigure.of(self._animation, self._time, arm.juggler)
        self._position, self._goal_rotation = self._figure.at("WRIST", arm.side).copy(), np.eye(3)
        self._restart()

    def use_method(self, method: FollowMethod) -> None:
        """Follow by another method, from the pose of the animation."""
        self.method = method
        self._restart()

    def update(self, animation: Animation, time: float) -> None:
        """Continue with another animation or time; the goal stays where it is relative to the
        juggler.
        """
        if animation is self._animation and time == self._time:
            return
        if self.arm.juggler >= animation.jugglers:
            self._animation = animation
            self._time = time
            self.select_arm(self.arm.within(animation.jugglers))
            return
        changed = animation is not self._animation
        self._animation = animation
        self._time = time
        self._figure = LocalFigure.of(animation, time, self.arm.juggler)
        if changed and not self.is_iterative:
            self._follower = self._new_follower()
        self.converged = False
        if not self.is_iterative:
            self.iterate()

    def place_goal(self, goal: Floats, turn: Floats | None = None) -> None:
        """Place the goal in the world, shape (3,), [m], with a rotation, shape (3, 3)."""
        self._position = self._figure.to_local(np.asarray(goal, dtype=float))
        if turn is not None:
            self._goal_rotation = self._figure.rotation.T @ turn
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
        """Run one iteration."""
        before = self._joints[joint_of("ELBOW", self.arm.side)]
        turn = self._goal_rotation if self.orients_hand and self.is_iterative else None
        self._joints, missing = self._follower.follow(
            self._figure, Target(self.arm.side, self._position, turn)
        )
        moved = float(np.linalg.norm(self._joints[joint_of("ELBOW", self.arm.side)] - before))
        self.converged = (
            moved < _AT_REST and abs(missing - self.error) < _AT_REST if self.trace else False
        )
        self.step_count += 1
        self.trace = [*self.trace[1 - TRACE_LENGTH :], Iteration(missing, moved)]

    def ghost(self) -> Floats | None:
        """The joints with the arm of the ghost's solver, shape (`JOINTS`, 3), in the world; None
        without a ghost.
        """
        other = self._animation.ghost
        if other is None:
            return None
        figure = LocalFigure.of(other, self._time, self.arm.juggler)
        joints, _unused = SolverFollower(other.parameters.arms, _wing_angles(other)).follow(
            figure, Target(self.arm.side, self._position)
        )
        return figure.to_world(joints)

    @property
    def ghost_gap(self) -> float | None:
        """Distance of the elbow from that of the ghost, [m]; None without a ghost."""
        ghost = self.ghost()
        elbow = joint_of("ELBOW", self.arm.side)
        return None if ghost is None else float(np.linalg.norm(ghost[elbow] - self.joints[elbow]))

    def scene(self, camera: Camera) -> Scene:
        """The scene at this time, with the juggler posed as their arm follows."""
        frames = self._animation.sample(np.array([self._time]))
        pose = self._animation.pose(frames.times)
        ghost = self.ghost()
        shown = self._animation.ghost
        other = (
            None if ghost is None or shown is None else self._with(shown.pose(frames.times), ghost)
        )
        animation = self._animation
        return compose(
            frames, self._with(pose, self.joints), animation.motion, camera, other, animation.look
        )[0]

    def _with(self, pose: Pose, joints: Floats) -> Pose:
        every = pose.joints.copy()
        every[0, self.arm.juggler] = joints
        return replace(pose, joints=every)

    def _restart(self) -> None:
        self._joints = self._figure.joints
        self.trace = []
        self.step_count = 0
        self.converged = False
        self._follower = self._new_follower()
        self.iterate()

    def _new_follower(self) -> Follower:
        if self.method is FollowMethod.SOLVER:
            return SolverFollower(self._animation.parameters.arms, _wing_angles(self._animation))
        return ChainFollower(self._figure, self.arm.side, self.method is FollowMethod.BODY)


def _wing_angles(animation: Animation) -> tuple[float, float]:
    left, right = np.radians(animation.parameters.wings)
    return float(left), float(right)
