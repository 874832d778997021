"""Curves of an arm over a loop: what hand and elbow do, how far the hand reaches, and the angles of the joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.viewer.loop_arms import ELBOW, PALM, SHOULDER, WRIST, LoopArms


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


TITLES = (
    "Hand height", "Hand speed", "Hand acceleration", "Joints", "Elbow height", "Elbow speed", "Swivel", "Reach",
)  # fmt: skip
"""Of all curves, in their order."""


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


_DOWN = np.array([0.0, -1.0, 0.0])


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
