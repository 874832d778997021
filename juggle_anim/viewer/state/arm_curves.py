"""Curves of an arm over a loop: what hand and elbow do, how far the hand reaches, and the angles of the joints.

MERGED: The arms over a loop: where their joints are at even times, for all that is told or plotted of them.

MERGED: The ghost's gap: how far the elbows of the two solvers are apart, now and at most.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM

TITLES = (
    "Hand height", "Hand speed", "Hand acceleration", "Joints", "Elbow height", "Elbow speed", "Swivel", "Reach",
)  # fmt: skip
"""Of all curves, in their order."""

_DOWN = np.array([0.0, -1.0, 0.0])

TIMES_A_SECOND, FEWEST, MOST = 120, 64, 2400
"""How densely a loop is looked at, and how often at least and at most, whatever its length."""

SHOULDER, ELBOW, WRIST, PALM = range(4)
"""The joints, as they follow each other."""

_JOINTS = [[Joint[f"{side}_{joint}"] for joint in ("SHOULDER", "ELBOW", "WRIST", "PALM")] for side in ("LEFT", "RIGHT")]


@dataclass(frozen=True)
class Curve:
    """One plot: a few quantities of one arm over a loop, in one unit.

    Args:
        title: what it shows.
        unit: of the values.
        names: of the quantities.
        values: shape (K, N).
        span: what the plot shows at least, so that little looks like little.
        decimals: with which a value is written.
        from_zero: whether the plot begins at 0, below which no value is.
    """

    title: str
    unit: str
    names: tuple[str, ...]
    values: Floats
    span: float
    decimals: int = 0
    from_zero: bool = False

    def limits(self, *others: Curve) -> tuple[float, float]:
        """What to show from below to above, of this curve and of others in the same plot."""
        low = min(float(curve.values.min()) for curve in (self, *others))
        high = max(float(curve.values.max()) for curve in (self, *others))
        if self.from_zero:
            top = max(1.08 * high, self.span)
            # A line at 0 is to be seen whole.
            return -0.04 * top, top
        more = max(0.5 * (self.span - (high - low)), 0.08 * (high - low))
        return low - more, high + more

    def written(self, row: int, number: int) -> str:
        """The value of one quantity at one time: `1.4 m/s`."""
        text = f"{self.values[row, number]:.{self.decimals}f}".replace("-", "−")
        return text + self.unit if self.unit in "°%" else f"{text} {self.unit}"


def arm_curves(arms: LoopArms, juggler: int, side: int) -> tuple[Curve, ...]:
    """All curves of one arm.

    Args:
        arms: over a loop.
        juggler: counted from 0.
        side: 0 for the left arm, 1 for the right one.
    """
    joints = np.moveaxis(arms.joints[:, juggler, side], 1, 0)
    shoulder, elbow, wrist, palm = (joints[joint] for joint in (SHOULDER, ELBOW, WRIST, PALM))
    upper, lower, hand = elbow - shoulder, wrist - elbow, palm - wrist
    reach = _size(wrist - shoulder) / (UPPER_ARM + FOREARM)
    angles = np.degrees([_between(upper, _DOWN), _between(upper, lower), _between(lower, hand)])
    swivels = np.degrees(swivel(shoulder, elbow, wrist, side))
    accelerations = _size(_rate(_rate(palm, arms.step), arms.step))
    return (
        Curve(TITLES[0], "cm", ("Height",), 100 * palm[None, :, 1], 10.0, 1),
        Curve(TITLES[1], "m/s", ("Speed",), _size(_rate(palm, arms.step))[None], 0.5, 2, from_zero=True),
        Curve(TITLES[2], "m/s²", ("Acceleration",), accelerations[None], 5.0, 1, from_zero=True),
        Curve(TITLES[3], "°", ("Shoulder", "Elbow", "Wrist"), angles, 30.0),
        Curve(TITLES[4], "cm", ("Height",), 100 * elbow[None, :, 1], 10.0, 1),
        Curve(TITLES[5], "m/s", ("Speed",), _size(_rate(elbow, arms.step))[None], 0.5, 2, from_zero=True),
        Curve(TITLES[6], "°", ("Swivel",), swivels[None], 20.0),
        Curve(TITLES[7], "%", ("Reach",), 100 * reach[None], 10.0),
    )


def swivel(shoulder: Floats, elbow: Floats, wrist: Floats, side: int) -> Floats:
    """Angle of an elbow about the line from shoulder to wrist: 0 hanging lowest, positive outward.

    Args:
        shoulder, elbow, wrist: shape (N, 3), one after the other in time, [m].
        side: 0 for the left arm, 1 for the right one.

    Returns:
        Shape (N,), [rad], without jumps of whole turns.
    """
    axis = wrist - shoulder
    axis = axis / np.maximum(_size(axis), 1e-9)[:, None]
    bone = elbow - shoulder
    low = _DOWN - np.sum(_DOWN * axis, axis=-1, keepdims=True) * axis
    out = np.cross(axis, low) * (1.0 if side == 0 else -1.0)
    angle: Floats = np.unwrap(np.arctan2(np.sum(bone * out, axis=-1), np.sum(bone * low, axis=-1)))
    return angle


def _rate(values: Floats, step: float) -> Floats:
    """How fast values change, shape (N, 3), a second; the loop closes: after the last time comes the first."""
    change: Floats = (np.roll(values, -1, axis=0) - np.roll(values, 1, axis=0)) / (2 * step)
    return change


def _size(vectors: Floats) -> Floats:
    return np.asarray(np.sqrt(np.sum(vectors * vectors, axis=-1)))


def _between(first: Floats, second: Floats) -> Floats:
    cosine = np.sum(first * second, axis=-1) / np.maximum(
        _size(first) * _size(np.broadcast_to(second, first.shape)), 1e-12
    )
    return np.asarray(np.arccos(np.clip(cosine, -1.0, 1.0)))


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


class GhostGap:
    """Looks at a loop once for each animation, and then tells the gap of any time."""

    def __init__(self) -> None:
        self._animation: Animation | None = None
        self._own, self._other = LastLoop(), LastLoop()
        self._gaps: Floats = np.zeros(1)

    def at(self, animation: Animation, time: float) -> tuple[float, float] | None:
        """The gap at a time [s] and at most over the loop, [m]; None where there is no ghost."""
        if animation.ghost is None:
            return None
        own, other = self._own.of(animation), self._other.of(animation.ghost)
        if animation is not self._animation:
            self._animation, self._gaps = animation, apart(own, other)
        return float(self._gaps[own.number(time)]), float(self._gaps.max())


def words(now: float, most: float | None = None) -> str:
    """The gap for a reader, now and at most, [m]: `Elbows 3.2 cm apart, at most 6.0`."""
    told = f"Elbows {100 * now:.1f} cm apart"
    return told if most is None else f"{told}, at most {100 * most:.1f}"
