"""Arms compared: how far apart the elbows of the solvers are over a loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.body.arms.solvers import SOLVERS

_RATE, _FEWEST = 240, 240
# Times of a loop times jugglers, at most, but for the times that even a thousand jugglers get.
_MOST, _FEWEST_OF_MANY = 40_000, 60


@dataclass(frozen=True)
class Course:
    """What one solver does with all arms over a loop.

    Args:
        solver: its name.
        elbows: shape (T, J, 2, 3), [m].
        heights: shape (T, J, 2), of the elbows above their shoulders, [m].
        fastest: the greatest speed of an elbow, over a step from one time to the next, [m/s].
        short: how far a hand stays short of its place at most, [m].
    """

    solver: str
    elbows: Floats
    heights: Floats
    fastest: float
    short: float


@dataclass(frozen=True)
class ArmComparison:
    """The courses of some solvers for the same motion.

    Args:
        text: what one would type for the pattern.
        duration: of a loop, [s].
        times: shape (T,), [s].
        courses: one for each solver, that of the animation first.
        apart: shape (S, S, T, J, 2), how far the elbow of one solver is from that of another, [m].
    """

    text: str
    duration: float
    times: Floats
    courses: tuple[Course, ...]
    apart: Floats

    @property
    def mean(self) -> Floats:
        """Shape (S, S), the mean of `apart`, [m]."""
        means: Floats = self.apart.mean(axis=(2, 3, 4))
        return means

    @property
    def widest(self) -> Floats:
        """Shape (S, S), the greatest of `apart`, [m]."""
        greatest: Floats = self.apart.max(axis=(2, 3, 4))
        return greatest


def compare_arms(animation: Animation, solvers: Sequence[str] = tuple(SOLVERS)) -> ArmComparison:
    """Pose a loop with each solver.

    Args:
        animation: what to pose; its own solver comes first, and the others are seen from it.
        solvers: names out of `SOLVERS`; the animation's own is one of them anyway.
    """
    most = max(_MOST // animation.jugglers, _FEWEST_OF_MANY)
    count = min(max(round(animation.duration * _RATE), _FEWEST), most)
    times = np.linspace(0.0, animation.duration, count, endpoint=False)
    names = dict.fromkeys([animation.parameters.arms, *solvers])
    courses = tuple(_course(animation.replace(arms=name), times) for name in names)
    # A pair at a time: all at once take much memory where many juggle.
    pairs = [[np.linalg.norm(one.elbows - other.elbows, axis=-1) for other in courses] for one in courses]
    return ArmComparison(animation.text, animation.duration, times, courses, np.array(pairs))


def _course(animation: Animation, times: Floats) -> Course:
    posed = animation.pose(times)
    elbows = posed.joints[:, :, Joint.LEFT_ELBOW : Joint.RIGHT_ELBOW + 1]
    shoulders = posed.joints[:, :, Joint.LEFT_SHOULDER : Joint.RIGHT_SHOULDER + 1]
    # The loop closes, so the step from its end to its start is one as well.
    steps = np.linalg.norm(np.roll(elbows, -1, axis=0) - elbows, axis=-1)
    return Course(
        solver=animation.parameters.arms,
        elbows=elbows,
        heights=(elbows - shoulders)[..., 1],
        fastest=float(steps.max() * len(times) / animation.duration),
        short=float(posed.gaps.max()),
    )
