"""Life: bodies breathe, sway and blink by a clock of their own.

A loop may be shorter than a breath, so they go on from loop to loop. What has to close after some
time has as many whole breaths, sways and blinks as are nearest to what they take by themselves;
what is shorter than the shortest breath has none.
"""

from __future__ import annotations

from random import Random

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.skeleton import HIP_HEIGHT, SPINE
from juggle_anim.body.trunk_and_legs import ANKLES, GIRDLE, LEAN, PELVIS, TRUNK_CHANNELS
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import smooth_step

OWN_PERIOD = 24.0
"""After how long bodies repeat that need not close, [s]: six breaths."""

SHORTEST_PERIOD = 3.0
"""The shortest time that holds a breath, [s]; as many of 4 s as are nearest last 3 to 6 s each."""

BREATH = 4.0
"""From breath to breath and, in the mean, from blink to blink, [s]: adults at ease breathe 12 to 20
times a minute (G. J. Tortora and B. Derrickson, "Principles of Anatomy and Physiology"), and blink
about as often (A. R. Bentivoglio et al., "Analysis of blink rate patterns in normal subjects",
Movement Disorders 12, 1997).
"""

LEAST_INTERVAL = 3.0
MOST_INTERVAL = 6.0
"""Least and most time from blink to blink, [s]."""

_SWAYS = np.array([3.4, 4.8])  # s, to the side, and fore and aft: slow, and not in step with breath

# How far a breath and sways go either way, [m].
_BREATH_RISE = 0.0016
_SWAY = 0.0014

# How long lids close, stay and open, [s]: they open half as fast (C. Evinger et al., "Eyelid
# movements", Investigative Ophthalmology & Visual Science 32, 1991). They cover more than half of
# the eye for 0.16 s.
_CLOSING = 0.08
_CLOSED = 0.04
_OPENING = 0.16

_SEED = 124  # of the intervals between blinks; with it nobody of three dozen blinks at the start
_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0  # share of the period that each body is ahead of the last


def _moves() -> Floats:
    """What breath and sways add to the channels of a trunk where they are largest.

    Returns:
        Rows for the height of a breath, the sway to the left and the sway forward, shape (3,
        `TRUNK_CHANNELS`), [m] or [rad].
    """
    moves = np.zeros((3, TRUNK_CHANNELS))
    # Ribs lift the shoulders and bring them forward by less, and straighten the spine.
    moves[0, GIRDLE] = _BREATH_RISE * np.array([0.5, 1.0, 0.5, 1.0])
    moves[0, LEAN.start + 1] = -_BREATH_RISE / SPINE
    # Who stands sways about the ankles as a whole (D. A. Winter, "Human balance and posture control
    # during standing and walking", Gait & Posture 3, 1995).
    above_ankles = HIP_HEIGHT - ANKLES[0, 1]
    for row, axis, lean in ((1, 0, 0), (2, 2, 1)):
        moves[row, PELVIS.start + axis] = _SWAY
        moves[row, LEAN.start + lean] = _SWAY / above_ankles
    return moves


_MOVES = _moves()


@dataclass(frozen=True)
class Life:
    """How bodies breathe, sway and blink; `plan_life` makes it.

    Args:
        amount: of breath and sway, 1 is natural.
        period: after which all repeats, [s].
        cycles: shape (3,), how many breaths and sways it has.
        blinks: shape (B,), when lids begin to close within the period, ascending, [s].
    """

    amount: float
    period: float
    cycles: Floats
    blinks: Floats

    def channels(self, times: Floats, count: int) -> Floats:
        """What breath and sway add to the channels of trunks, shape (T, count, `TRUNK_CHANNELS`).

        Args:
            times: shape (T,), [s].
            count: of bodies that are posed; those who share a pose breathe alike.
        """
        phase = times[:, None] / self.period + _GOLDEN * np.arange(count)
        waves = np.sin(2.0 * np.pi * self.cycles * phase[..., None])
        return np.asarray(self.amount * waves @ _MOVES)

    def lids(self, times: Floats, jugglers: int) -> Floats:
        """How far the lids of each juggler are closed, from 0 to 1, shape (T, J).

        Args:
            times: shape (T,), [s].
            jugglers: J; each blinks at other times, also those who share a pose.
        """
        # Each juggler is ahead of the last one by a share of the period. `since` is the time since
        # the last blink began, and `remaining` that until the lids are open again. (Before the
        # first blink the index is −1: then `since` is below 0, which leaves the lids open.)
        lead = _GOLDEN * self.period * np.arange(jugglers)
        clock = (times[:, None] + lead) % self.period
        last_blink: Integers = np.searchsorted(self.blinks, clock) - 1
        since = clock - self.blinks[last_blink]
        remaining = _CLOSING + _CLOSED + _OPENING - since
        return np.asarray(smooth_step(np.minimum(since / _CLOSING, remaining / _OPENING)))


def plan_life(body_motion: float, period: float = OWN_PERIOD) -> Life | None:
    """Plan how bodies breathe, sway and blink.

    Whole numbers of breaths, sways and blinks are fitted into the period. Intervals between blinks
    are random, always the same ones, between `LEAST_INTERVAL` and `MOST_INTERVAL`.

    Args:
        body_motion: the parameter, as a factor: below 1 bodies breathe and sway less, at 0 they are
            still.
        period: after which all must repeat, [s].

    Returns:
        None for still bodies, and for a period too short for a breath.
    """
    if body_motion == 0.0 or period < SHORTEST_PERIOD:
        return None
    usual_times = np.array([BREATH, *_SWAYS])
    cycles = np.maximum(np.round(period / usual_times), 1.0)
    blink_count = round(period / BREATH)
    mean_interval = period / blink_count
    # Deviations from the mean, which sum to 0 so that the intervals fill the period, are scaled to
    # stay within the limits.
    room = min(mean_interval - LEAST_INTERVAL, MOST_INTERVAL - mean_interval)
    # The library's own generator: numpy's takes a tenth of the time in which a program starts.
    generator = Random(_SEED)
    deviations = np.array([generator.uniform(-1.0, 1.0) for _blink in range(blink_count)])
    deviations -= deviations.mean()
    intervals = mean_interval + room * deviations / max(np.abs(deviations).max(), 1.0)
    # The first blink is in the middle of an interval, so that no picture of the start has one.
    blinks = np.cumsum(intervals) - intervals[0] / 2.0
    return Life(min(body_motion, 1.0), period, cycles, blinks)
