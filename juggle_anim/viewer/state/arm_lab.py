"""The arm lab: a goal for one hand that can be moved about, and an arm that follows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Pose
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.scene import Camera, Scene, compose
from juggle_anim.viewer.state.ik_followers import AtOnce, Follower, OnChain, Target
from juggle_anim.viewer.state.listing import ArmChoice
from juggle_anim.viewer.state.local_figure import LocalFigure, joint_of


class Way(Enum):
    """How the arm follows."""

    SOLVER = "Solver"
    ARM = "Arm chain"
    BODY = "Whole body"

    @property
    def next(self) -> Way:
        """The one after it, and around."""
        ways = list(Way)
        return ways[(ways.index(self) + 1) % len(ways)]


@dataclass(frozen=True)
class Step:
    """One step of an arm: what is missing after it and how far it moved the elbow, [m]."""

    missing: float
    moved: float


REMEMBERED = 120
"""Steps that a trace holds."""

REACHED = 1e-3
"""A goal that is missed by no more is reached, [m]."""

STEP = 0.02
"""How far a key moves the goal, [m]."""

_AT_REST = 1e-5  # m; an elbow that moves no more rests


class ArmLab:
    """A goal, and the arm that goes after it.

    Args:
        animation: whose arm it is.
        time: at which, [s].
        arm: which.
    """

    def __init__(self, animation: Animation, time: float, arm: ArmChoice) -> None:
        self.way, self.arm = Way.SOLVER, arm
        self.held, self.turning = False, False
        """Whether iterations wait to be asked for, and whether the goal says how the hand is turned."""
        self.trace: list[Step] = []
        self.steps, self.resting = 0, False
        """Steps since the goal was put where it is, and whether more of them would change nothing."""
        self._animation, self._time = animation, time
        self._joints: Floats = np.zeros((0, 3))
        self.take(arm)

    @property
    def goal(self) -> Floats:
        """Where the wrist should be, shape (3,), in the world, [m]."""
        return self._figure.to_world(self._position)

    @property
    def turn(self) -> Floats:
        """How the hand should be turned against how it was taken, in the world, shape (3, 3)."""
        return self._figure.rotation @ self._turn

    @property
    def joints(self) -> Floats:
        """The joints of the juggler as they follow, shape (`JOINTS`, 3), in the world, [m]."""
        return self._figure.to_world(self._joints)

    @property
    def missing(self) -> float:
        """How far the wrist is from its goal, [m]."""
        return self.trace[-1].missing

    @property
    def reach(self) -> float:
        """How far the goal is from the shoulder, as a share of the arm's length."""
        shoulder = self._joints[joint_of("SHOULDER", self.arm.side)]
        return float(np.linalg.norm(self._position - shoulder)) / (UPPER_ARM + FOREARM)

    @property
    def iterative(self) -> bool:
        """Whether the present way goes step by step."""
        return self._follower.iterative

    @property
    def busy(self) -> bool:
        """Whether the arm is still on its way by itself."""
        return self.iterative and not self.held and not self.resting

    def take(self, arm: ArmChoice) -> None:
        """Take another hand, and set its goal where it is."""
        self.arm = arm
        self._figure = LocalFigure.of(self._animation, self._time, arm.juggler)
        self._position, self._turn = self._figure.at("WRIST", arm.side).copy(), np.eye(3)
        self._start()

    def choose(self, way: Way) -> None:
        """Follow in another way, from where the hand of the animation is."""
        self.way = way
        self._start()

    def show(self, animation: Animation, time: float) -> None:
        """Go on with another animation or at another time, the goal where it was seen from the juggler."""
        if animation is self._animation and time == self._time:
            return
        if self.arm.juggler >= animation.jugglers:
            self._animation, self._time = animation, time
            self.take(self.arm.within(animation.jugglers))
            return
        changed, self._animation, self._time = animation is not self._animation, animation, time
        self._figure = LocalFigure.of(animation, time, self.arm.juggler)
        if changed and not self.iterative:
            self._follower = self._made()
        self.resting = False
        if not self.iterative:
            self.iterate()

    def place(self, goal: Floats, turn: Floats | None = None) -> None:
        """Put the goal elsewhere in the world, shape (3,), [m], and turn it, shape (3, 3)."""
        self._position = self._figure.to_local(np.asarray(goal, dtype=float))
        if turn is not None:
            self._turn = self._figure.rotation.T @ turn
        self.steps, self.resting = 0, False
        if not self.iterative:
            self.iterate()

    def move(self, camera: Camera, right: int, up: int, away: int) -> None:
        """Move the goal by some steps, as the camera sees it."""
        seen = np.array([-right if camera.mirrored else right, up, -away]) @ camera.view()[:3, :3]
        self.place(self.goal + STEP * seen)

    def ask(self) -> None:
        """Go one step, and wait with the next one until it is asked for."""
        self.held = True
        self.iterate()

    def toggle_held(self) -> None:
        """Let iterations wait to be asked for, or run."""
        self.held = not self.held

    def toggle_turning(self) -> None:
        """Let the goal say how the hand is turned, or not."""
        self.turning, self.steps, self.resting = not self.turning, 0, False

    def run(self) -> None:
        """Do what is to be done for the next picture: one iteration, unless they wait to be asked for."""
        if self.busy:
            self.iterate()

    def iterate(self) -> None:
        """Go one step."""
        before = self._joints[joint_of("ELBOW", self.arm.side)]
        turn = self._turn if self.turning and self.iterative else None
        self._joints, missing = self._follower.follow(self._figure, Target(self.arm.side, self._position, turn))
        moved = float(np.linalg.norm(self._joints[joint_of("ELBOW", self.arm.side)] - before))
        self.resting = moved < _AT_REST and abs(missing - self.missing) < _AT_REST if self.trace else False
        self.steps += 1
        self.trace = [*self.trace[1 - REMEMBERED :], Step(missing, moved)]

    def ghost(self) -> Floats | None:
        """The joints with the arm of the ghost's solver, shape (`JOINTS`, 3), in the world; None without a ghost."""
        other = self._animation.ghost
        if other is None:
            return None
        figure = LocalFigure.of(other, self._time, self.arm.juggler)
        joints, _ = AtOnce(other.parameters.arms, _wings(other)).follow(figure, Target(self.arm.side, self._position))
        return figure.to_world(joints)

    @property
    def ghost_gap(self) -> float | None:
        """How far the elbow is from that of the ghost, [m]; None without a ghost."""
        ghost, elbow = self.ghost(), joint_of("ELBOW", self.arm.side)
        return None if ghost is None else float(np.linalg.norm(ghost[elbow] - self.joints[elbow]))

    def scene(self, camera: Camera) -> Scene:
        """The picture: all jugglers and props as they are at the time, but for the one whose arm follows."""
        frames = self._animation.sample(np.array([self._time]))
        pose = self._animation.pose(frames.times)
        ghost, shown = self.ghost(), self._animation.ghost
        other = None if ghost is None or shown is None else self._with(shown.pose(frames.times), ghost)
        animation = self._animation
        return compose(frames, self._with(pose, self.joints), animation.motion, camera, other, animation.look)[0]

    def _with(self, pose: Pose, joints: Floats) -> Pose:
        every = pose.joints.copy()
        every[0, self.arm.juggler] = joints
        return replace(pose, joints=every)

    def _start(self) -> None:
        self._joints, self.trace, self.steps, self.resting = self._figure.joints, [], 0, False
        self._follower = self._made()
        self.iterate()

    def _made(self) -> Follower:
        if self.way is Way.SOLVER:
            return AtOnce(self._animation.parameters.arms, _wings(self._animation))
        return OnChain(self._figure, self.arm.side, self.way is Way.BODY)


def _wings(animation: Animation) -> tuple[float, float]:
    left, right = np.radians(animation.parameters.wings)
    return float(left), float(right)
