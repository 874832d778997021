"""Curves of an arm over one loop: heights, speeds, accelerations, joint angles and reach.

Also the gap between the elbows of two IK solvers, as text for the ghost.
"""

from __future__ import annotations

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.viewer.state.identity_cache import IdentityCache

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

SAMPLE_RATE = 120
MIN_SAMPLES = 64
MAX_SAMPLES = 2400
"""Samples a second of a loop, and the fewest and most samples of a loop."""

SHOULDER, ELBOW, WRIST, PALM = range(4)
"""Indices of an arm's joints in `LoopArms.joints`."""

_ARM_JOINTS = [
    [Joint[f"{side}_{joint}"] for joint in ("SHOULDER", "ELBOW", "WRIST", "PALM")]
    for side in ("LEFT", "RIGHT")
]


@dataclass(frozen=True)
class Curve:
    """One plot: a few quantities of one arm over a loop, in one unit.

    Args:
        title: of the plot.
        unit: of the values.
        names: of the quantities.
        values: shape (K, N).
        min_span: smallest range of the vertical axis, so that small changes look small.
        decimals: of a value as text.
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
            top = max(1.08 * high, self.min_span)
            # Room for the whole width of a line at 0.
            return -0.04 * top, top
        margin = max(0.5 * (self.min_span - (high - low)), 0.08 * (high - low))
        return low - margin, high + margin

    def value_text(self, quantity: int, sample: int) -> str:
        """Return the value of one quantity at one time, by their indices, as text: `1.4 m/s`."""
        text = f"{self.values[quantity, sample]:.{self.decimals}f}".replace("-", "−")
        return text + self.unit if self.unit in "°%" else f"{text} {self.unit}"


def arm_curves(arms: LoopArms, juggler: int, side: int) -> tuple[Curve, ...]:
    """Return all curves of one arm, in the order of `TITLES`.

    Args:
        arms: over a loop.
        juggler: index of the juggler, from 0.
        side: 0 for the left arm, 1 for the right one.
    """
    # Points at N times, shape (N, 3) each, [m], and the vectors between them.
    joints = np.moveaxis(arms.joints[:, juggler, side], 1, 0)
    shoulder, elbow, wrist, palm = (joints[joint] for joint in (SHOULDER, ELBOW, WRIST, PALM))
    upper = elbow - shoulder
    lower = wrist - elbow
    hand = palm - wrist

    # Quantities that take more than a line; the others are computed where they are plotted.
    reach = _norms(wrist - shoulder) / (UPPER_ARM + FOREARM)
    angles = np.degrees(
        [_angles_between(upper, _DOWN), _angles_between(upper, lower), _angles_between(lower, hand)]
    )
    swivels = np.degrees(swivel(shoulder, elbow, wrist, side))
    palm_velocity = _derivative(palm, arms.step)
    accelerations = _norms(_derivative(palm_velocity, arms.step))

    def height_curve(title: str, points: Floats) -> Curve:
        heights = 100 * points[:, 1]  # cm
        return Curve(
            title, "cm", names=(N_("Height"),), values=heights[None], min_span=10.0, decimals=1
        )

    def speed_curve(title: str, velocities: Floats) -> Curve:
        return Curve(
            title,
            "m/s",
            names=(N_("Speed"),),
            values=_norms(velocities)[None],
            min_span=0.5,
            decimals=2,
            from_zero=True,
        )

    return (
        height_curve(TITLES[0], palm),
        speed_curve(TITLES[1], palm_velocity),
        Curve(
            TITLES[2],
            "m/s²",
            names=(N_("Acceleration"),),
            values=accelerations[None],
            min_span=5.0,
            decimals=1,
            from_zero=True,
        ),
        Curve(
            TITLES[3],
            "°",
            names=(N_("Shoulder"), N_("Elbow"), N_("Wrist")),
            values=angles,
            min_span=30.0,
        ),
        height_curve(TITLES[4], elbow),
        speed_curve(TITLES[5], _derivative(elbow, arms.step)),
        Curve(TITLES[6], "°", names=(N_("Swivel"),), values=swivels[None], min_span=20.0),
        Curve(TITLES[7], "%", names=(N_("Reach"),), values=100 * reach[None], min_span=10.0),
    )


def swivel(shoulder: Floats, elbow: Floats, wrist: Floats, side: int) -> Floats:
    """Return the swivel angle of an elbow about the line from shoulder to wrist.

    It is 0 where the elbow hangs lowest, and positive outward.

    Args:
        shoulder, elbow, wrist: shape (N, 3), one after the other in time, [m].
        side: 0 for the left arm, 1 for the right one.

    Returns:
        Shape (N,), [rad], without jumps of whole turns.
    """
    axis = wrist - shoulder
    axis = axis / np.maximum(_norms(axis), 1e-9)[:, None]
    # The basis across the axis: down without its share along the axis, and outward.
    down = _DOWN - np.sum(_DOWN * axis, axis=-1, keepdims=True) * axis
    outward = np.cross(axis, down) * (1.0 if side == 0 else -1.0)
    upper_arm = elbow - shoulder
    angle: Floats = np.unwrap(
        np.arctan2(np.sum(upper_arm * outward, axis=-1), np.sum(upper_arm * down, axis=-1))
    )
    return angle


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
        duration: of the loop, [s].
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
    between = arms.joints[:, :, :, ELBOW] - others.joints[:, :, :, ELBOW]
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
    """Return the gap now and at most, [m], as text: `Elbows 3.2 cm apart, at most 6.0`."""
    return _("Elbows {now:.1f} cm apart", now=100 * now) + (
        "" if most is None else _(", at most {most:.1f}", most=100 * most)
    )
