"""Hands: height, speed, acceleration and jerk over a loop, and the force of the props on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.motion import Frames, Motion

STANDARD_GRAVITY = 9.80665
"""One g, [m/s²]."""

MASS = {"ball": 0.12, "club": 0.22, "ring": 0.11}
"""Mass of a prop of each kind: a beanbag, a one-piece club, a ring of 32 cm, [kg]."""

STEP = 0.001
"""Time between two samples, [s]; a hand's jerk hardly changes in it."""

# The fewest times of a loop, and the most places of hands and props.
_FEWEST = 512
_MOST = 1_600_000

# Hands and props that are sampled at once; memory grows with it.
_AT_ONCE = 100_000


@dataclass(frozen=True)
class PeakAndRms:
    """The greatest value of a quantity over one loop, and its root mean square."""

    peak: float
    rms: float


@dataclass(frozen=True)
class HandMeasures:
    """Motion and load of one hand in a loop.

    Args:
        hand: 2 · juggler + side.
        lowest, highest: height above the floor, [m].
        speed: [m/s].
        acceleration: [m/s²].
        jerk: [m/s³].
        force: of the props it carries, their weight included, [N].
        carries: share of the time in which it carries anything.
    """

    hand: int
    lowest: float
    highest: float
    speed: PeakAndRms
    acceleration: PeakAndRms
    jerk: PeakAndRms
    force: PeakAndRms
    carries: float


def measure_hands(motion: Motion) -> tuple[HandMeasures, ...]:
    """Measure every hand, in order of their numbers."""
    times = sample_times(motion)
    hands = 2 * motion.choreography.jugglers
    heights = []
    carrying = np.zeros(hands)
    statistics = [_Statistics(hands) for _ in range(4)]
    for part in split_times(motion, times):
        accelerations = motion.sample(part, 2)
        places, velocities, jerks = motion.hand_derivatives(part, (0, 1, 3))
        heights.append(places[..., 1].reshape(len(part), hands))
        for move, statistic in zip(
            (velocities, accelerations.hands, jerks), statistics, strict=False
        ):
            statistic.add(np.linalg.norm(move, axis=-1).reshape(len(part), hands))
        borne, carried = _forces(motion, accelerations)
        statistics[3].add(borne)
        carrying += (carried > 0).sum(axis=0)
    lowest = np.min([height.min(axis=0) for height in heights], axis=0)
    highest = np.max([height.max(axis=0) for height in heights], axis=0)
    speed, acceleration, jerk, force = (statistic.extents() for statistic in statistics)
    return tuple(
        HandMeasures(
            hand=hand,
            lowest=float(lowest[hand]),
            highest=float(highest[hand]),
            speed=speed[hand],
            acceleration=acceleration[hand],
            jerk=jerk[hand],
            force=force[hand],
            carries=float(carrying[hand] / len(times)),
        )
        for hand in range(hands)
    )


def hand_forces(motion: Motion, times: Floats) -> tuple[Floats, Floats]:
    """Return the force F = m(a + g) of the props in each hand, and their number.

    Args:
        motion: of hands and props.
        times: shape (T,), [s].

    Returns:
        Both of shape (T, 2J): [N], and a number.
    """
    return _forces(motion, motion.sample(times, 2))


def _forces(motion: Motion, frames: Frames) -> tuple[Floats, Floats]:
    """The same, from the accelerations of props."""
    hands = 2 * motion.choreography.jugglers
    lift = prop_masses(motion)[:, None] * (frames.props + (0.0, motion.choreography.gravity, 0.0))
    force = np.zeros((len(frames.times), hands, 3))
    count = np.zeros((len(frames.times), hands))
    row, prop = np.nonzero(frames.holders >= 0)
    held = row, frames.holders[row, prop]
    np.add.at(force, held, lift[row, prop])
    np.add.at(count, held, 1.0)
    return np.linalg.norm(force, axis=-1), count


def prop_masses(motion: Motion) -> Floats:
    """Return the mass of each prop, shape (P,), [kg]."""
    return np.array([MASS[kind] for kind in motion.shapes.kind], dtype=float)


class _Statistics:
    """Peak and mean square of a quantity of many hands, accumulated part by part."""

    def __init__(self, hands: int) -> None:
        self._peak, self._squares, self._count = np.zeros(hands), np.zeros(hands), 0

    def add(self, values: Floats) -> None:
        """Add values at more times, shape (T, hands)."""
        self._peak = np.maximum(self._peak, values.max(axis=0))
        self._squares += (values**2).sum(axis=0)
        self._count += len(values)

    def extents(self) -> list[PeakAndRms]:
        """Return peak and root mean square of each hand."""
        rms = np.sqrt(self._squares / max(1, self._count))
        return [
            PeakAndRms(float(peak), float(mean)) for peak, mean in zip(self._peak, rms, strict=True)
        ]


def sample_times(motion: Motion, step: float = STEP) -> Floats:
    """Return evenly spaced times of one loop, shape (T,), [s]; fewer where there are very many
    hands and props.
    """
    things = 2 * motion.choreography.jugglers + motion.choreography.props
    wanted = max(_FEWEST, round(motion.duration / step))
    count = max(_FEWEST, min(wanted, _MOST // max(1, things)))
    return np.arange(float(count)) * (motion.duration / count)


def split_times(motion: Motion, times: Floats) -> Iterator[Floats]:
    """Yield times in parts that fit into memory for any number of jugglers."""
    things = 2 * motion.choreography.jugglers + motion.choreography.props
    size = max(1, _AT_ONCE // max(1, things))
    for first in range(0, len(times), size):
        yield times[first : first + size]
