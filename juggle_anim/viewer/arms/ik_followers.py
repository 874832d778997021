"""IK followers: an arm that reaches for a goal at once by a solver, or iteratively on a joint
chain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body.arm import arm_axes
from juggle_anim.body.arms import SOLVERS, Arm
from juggle_anim.body.arms.solvers import HandDirections
from juggle_anim.body.chain import AT_REST, Chain, Frame, Goal, SolverOptions, solve
from juggle_anim.body.chain.upper_body import SIDES, posture_at_ease, upper_body
from juggle_anim.body.skeleton import FOREARM, HIP_HEIGHT, PALM, SPINE, UPPER_ARM, Joint

HAND = ("WRIST", "PALM", "FINGERS", "TIPS", "THUMB", "THUMB_TIP")
"""Joints that go with a hand."""

_NAMES = ("LEFT", "RIGHT")


@dataclass(frozen=True)
class Target:
    """The goal of a hand, in the juggler's frame.

    Args:
        side: 0 for the left hand, 1 for the right one.
        position: of the wrist, shape (3,), [m].
        rotation: of the hand from its first orientation, shape (3, 3); None if it is free.
    """

    side: int
    position: Floats
    rotation: Floats | None = None


class Follower(Protocol):
    """A method by which an arm follows a goal."""

    iterative: bool
    """Whether it takes several iterations."""

    def follow(self, figure: LocalFigure, target: Target) -> tuple[Floats, float]:
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

    def follow(self, figure: LocalFigure, target: Target) -> tuple[Floats, float]:
        """Solve for the arm, with the hand as it was turned first; the hand stays fixed to the
        forearm.
        """
        side = target.side
        bones = Arm(UPPER_ARM, FOREARM)
        wing = self.wings[target.side]
        shoulder = figure.at("SHOULDER", side)
        wrist = figure.at("WRIST", side)
        solver = SOLVERS[self.solver]
        fingers, _, thumb = arm_axes(figure.joints)[side, 2].T
        directions = HandDirections(fingers, (1 - 2 * side) * np.cross(fingers, thumb))
        places = np.stack([wrist, target.position])
        both = solver(np.stack([shoulder, shoulder]), places, bones, side, wing, directions)
        joints = figure.joints.copy()
        joints[joint_of("ELBOW", side)] = both.elbow[1]
        turn = both.rotations[1, 1] @ both.rotations[0, 1].T
        joints[hand_of(side)] = both.wrist[1] + (figure.hand(side) - wrist) @ turn.T
        return joints, float(both.gap[1])


class ChainFollower:
    """Follows by resolved-rate IK on a joint chain, one iteration at a time.

    Args:
        figure: the juggler at the start.
        side: of the hand that follows the goal.
        whole: whether spine, clavicles and the other arm move, too, while its hand stays; otherwise
            the arm alone.
    """

    iterative = True

    def __init__(self, figure: LocalFigure, side: int, whole: bool) -> None:
        self._side = side
        self._whole = whole
        self._chain = upper_body() if whole else _arm_chain(side)
        self._sides = (0, 1) if whole else (side,)
        self._held = {arm: self._from_root(figure, figure.at("WRIST", arm)) for arm in self._sides}
        self._posture = self._fit(figure)
        self.angles = self._posture.copy()
        self._hands = {
            arm: (figure.hand(arm) - figure.at("WRIST", arm))
            @ self._locate("wrist deviation", arm)[1]
            for arm in self._sides
        }
        self._first_turn = {arm: self._locate("wrist deviation", arm)[1] for arm in self._sides}
        self._trunk = self._chain.locate(self.angles, _CHEST)[1] if whole else np.eye(3)

    def follow(self, figure: LocalFigure, target: Target) -> tuple[Floats, float]:
        """Run one iteration."""
        goals = [self._goal(arm, self._held[arm]) for arm in self._sides if arm != target.side]
        turn = None if target.rotation is None else target.rotation @ self._first_turn[target.side]
        goals.insert(0, self._goal(target.side, self._from_root(figure, target.position), turn))
        once = SolverOptions(tolerance=_TOLERANCE, iterations=1, restarts=0, rest=AT_REST)
        outcome = solve(self._chain, goals, self.angles, self._posture, once)
        self.angles = outcome.angles[0]
        return self.joints(figure), float(outcome.errors[0, 0])

    def joints(self, figure: LocalFigure) -> Floats:
        """The figure's joints posed as the chain, shape (`JOINTS`, 3), [m]."""
        joints = figure.joints.copy()
        if self._whole:
            chest, turn = self._chain.locate(self.angles, _CHEST)
            above = (joints[_UPPER] - joints[Joint.CHEST]) @ (turn @ self._trunk.T).T
            joints[_UPPER] = self._to_figure(figure, chest) + above
        for arm in self._sides:
            for joint, name in (("SHOULDER", "shoulder flexion"), ("ELBOW", "elbow flexion")):
                joints[joint_of(joint, arm)] = self._to_figure(figure, self._locate(name, arm)[0])
            wrist, turn = self._locate("wrist deviation", arm)
            joints[hand_of(arm)] = self._to_figure(figure, wrist) + self._hands[arm] @ turn.T
        return joints

    def _goal(self, arm: int, position: Floats, turn: Floats | None = None) -> Goal:
        return Goal(self._frame("wrist deviation", arm), position, turn)

    def _fit(self, figure: LocalFigure) -> Floats:
        """Angles that pose the chain as the figure, shape (n,), [rad]."""
        goals = (
            [Goal(_CHEST, self._from_root(figure, figure.joints[Joint.CHEST]))]
            if self._whole
            else []
        )
        for arm in self._sides:
            places = [("elbow flexion", "ELBOW", 0.0, 0.5), ("wrist deviation", "WRIST", 0.0, 1.0)]
            places += [("wrist deviation", "PALM", -PALM, 0.3)]
            places += [("shoulder flexion", "SHOULDER", 0.0, 0.5)] if self._whole else []
            for name, joint, below, weight in places:
                frame = replace(self._frame(name, arm), point=(0.0, below, 0.0))
                goals.append(
                    Goal(frame, self._from_root(figure, figure.at(joint, arm)), weight=weight)
                )
        return solve(
            self._chain, goals, posture_at_ease(self._chain), effort=SolverOptions(1e-4, 40, 2)
        ).angles[0]

    def _frame(self, name: str, arm: int) -> Frame:
        return Frame(self._chain.index(f"{SIDES[arm]} {name}"))

    def _locate(self, name: str, arm: int) -> tuple[Floats, Floats]:
        return self._chain.locate(self.angles, self._frame(name, arm))

    def _root(self, figure: LocalFigure) -> Floats:
        """The chain's origin in the figure, shape (3,), [m]."""
        if self._whole:
            return np.asarray(figure.joints[Joint.PELVIS] - (0.0, HIP_HEIGHT, 0.0))
        return figure.at("SHOULDER", self._side)

    def _from_root(self, figure: LocalFigure, point: Floats) -> Floats:
        return point - self._root(figure)

    def _to_figure(self, figure: LocalFigure, point: Floats) -> Floats:
        return point + self._root(figure)


_TOLERANCE = 1e-4
_CHEST = Frame(2, (0.0, SPINE, 0.0))
_UPPER = [Joint.CHEST, Joint.NECK, Joint.HEAD, Joint.FACE]
_BEFORE_THE_SHOULDER = 5  # joints of the spine and of a clavicle


@cache
def _arm_chain(side: int) -> Chain:
    """The chain of one arm from a fixed shoulder."""
    joints = upper_body((side,)).joints[_BEFORE_THE_SHOULDER:]
    first = replace(joints[0], offset=(0.0, 0.0, 0.0))
    return Chain(
        tuple(
            replace(joint, parent=number - 1) for number, joint in enumerate((first, *joints[1:]))
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
    def of(cls, animation: Animation, time: float, juggler: int) -> LocalFigure:
        """A juggler of an animation."""
        times = np.array([time])
        place = animation.motion.bodies.places(times)[0, juggler]
        frame = cls(np.zeros((0, 3)), place[:3], float(place[3]))
        return cls(
            frame.to_local(animation.pose(times).joints[0, juggler]), frame.place, frame.facing
        )

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
        """The joints of a hand from its wrist, shape (6, 3), [m]."""
        return np.asarray(self.joints[hand_of(side)])


def joint_of(joint: str, side: int) -> Joint:
    """The joint of one side, 0 for left and 1 for right."""
    return Joint[f"{_NAMES[side]}_{joint}"]


def hand_of(side: int) -> list[Joint]:
    """Joints of a hand, the wrist first."""
    return [joint_of(joint, side) for joint in HAND]
