"""The arms over a loop: where their joints are at even times, for all that is told or plotted of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint

TIMES_A_SECOND, FEWEST, MOST = 120, 64, 2400
"""How densely a loop is looked at, and how often at least and at most, whatever its length."""

SHOULDER, ELBOW, WRIST, PALM = range(4)
"""The joints, as they follow each other."""

_JOINTS = [[Joint[f"{side}_{joint}"] for joint in ("SHOULDER", "ELBOW", "WRIST", "PALM")] for side in ("LEFT", "RIGHT")]


@dataclass(frozen=True)
class LoopArms:
    """Arms of J jugglers at N even times of a loop.

    Args:
        duration: of the loop, [s].
        joints: shape (N, J, 2, 4, 3), from shoulder to palm, in the world, [m].
    """

    duration: float
    joints: Floats

    @classmethod
    def of(cls, animation: Animation) -> LoopArms:
        """Those of an animation."""
        count = min(max(round(animation.duration * TIMES_A_SECOND), FEWEST), MOST)
        times = np.linspace(0.0, animation.duration, count, endpoint=False)
        return cls(animation.duration, animation.pose(times).joints[:, :, _JOINTS])

    @property
    def times(self) -> Floats:
        """Shape (N,), [s]."""
        return self.step * np.arange(float(len(self.joints)))

    @property
    def step(self) -> float:
        """From one time to the next, [s]."""
        return self.duration / len(self.joints)

    def number(self, time: float) -> int:
        """That of the time nearest to one, [s], in any round of the loop."""
        return round(time / self.step) % len(self.joints)


def apart(arms: LoopArms, others: LoopArms) -> Floats:
    """How far the elbows of one solver are from those of another, the worst of all arms, shape (N,), [m]."""
    between = arms.joints[:, :, :, ELBOW] - others.joints[:, :, :, ELBOW]
    return np.asarray(np.sqrt(np.sum(between * between, axis=-1)).max(axis=(1, 2)))


class LastLoop:
    """Remembers the arms of the animation that was asked for last."""

    def __init__(self) -> None:
        self._known: tuple[Animation, LoopArms] | None = None

    def of(self, animation: Animation) -> LoopArms:
        """The arms of an animation, from memory if they are those of the last one."""
        if self._known is None or self._known[0] is not animation:
            self._known = animation, LoopArms.of(animation)
        return self._known[1]
