"""The cadence: when jugglers who move may step, quicker while they are faster, and who has no need or no chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.motion.bodies import FACING, Bodies

SLOWEST_STEP, QUICKEST_STEP = 0.42, 0.16
"""A step takes about between these, [s]."""

FARTHEST_STANCE = 0.32
"""So far before and behind its hip a foot may be on the floor, [m]; who would need more glides."""

WIDEST_TURN = np.radians(100.0)
"""So far a foot may turn in one step, [rad]; who spins faster glides."""

STAY, STAY_TURNED = 0.08, np.radians(20.0)
"""A body that sways no farther to any side, and turns no farther, leaves its feet where they are, [m] and [rad]."""

# Steps are as quick as it takes to keep feet within these.
_EASY_STANCE, _EASY_TURN = 0.22, np.radians(60.0)
# Who goes sideways steps as for this times the speed, since legs must not cross.
_SIDEWAYS = 2.0
# Who rises and sinks by more than this flies, [m].
_LEVEL = 0.01
# The cadence changes this long before it must and after, [s].
_CHANGE = 0.4
_LOOK, _FEWEST_LOOKS, _MOST_LOOKS, _MOST_STEPS = 0.05, 64, 2_000_000, 1_000_000


@dataclass(frozen=True)
class Cadence:
    """When J jugglers may step in a loop; `cadence` makes it.

    Args:
        pairs: shape (J,), how often each foot may.
        begins: shape (J, steps), when left and right foot may begin to, in turn; rows are filled up, [s].
        duration: of the loop, [s].
        middle: shape (J, 4), the middle of each body's places [m] and turns [rad].
        stay: shape (J,), who need not.
        glide: shape (J,), who moves as no feet could: too fast, or through the air.
    """

    pairs: Integers
    begins: Floats
    duration: float
    middle: Floats
    stay: Booleans
    glide: Booleans

    def time(self, juggler: Integers, step: Integers) -> Floats:
        """When steps begin, counted from the loop's start and on into the next, [s]."""
        loop, place = np.divmod(step, 2 * self.pairs[juggler])
        return self.begins[juggler, place] + loop * self.duration


def cadence(bodies: Bodies, duration: float) -> Cadence:
    """The cadence of all jugglers.

    Args:
        bodies: where they go.
        duration: of the loop, [s].
    """
    jugglers = len(bodies.paths.periods)
    count = max(_FEWEST_LOOKS, min(round(duration / _LOOK), _MOST_LOOKS // jugglers))
    times = np.arange(float(count)) * (duration / count)
    places, speeds = bodies.places(times), bodies.places(times, 1)
    middle, half = _extent(places)
    stay = (np.hypot(half[:, 0], half[:, 2]) < STAY) & (half[:, FACING] < STAY_TURNED)
    speed, spin = hurry(places, speeds), np.abs(speeds[..., FACING])
    wanted = np.maximum(speed / (2 * _EASY_STANCE), 2 * spin / _EASY_TURN)
    rate = _eased(np.clip(wanted, 1 / SLOWEST_STEP, 1 / QUICKEST_STEP), duration / count)
    passed = np.cumsum(rate, axis=0) * (duration / count)
    # A loop too short for more has one pair of steps.
    pairs = np.maximum(1, np.minimum(np.rint(passed[-1] / 2), duration // (2 * QUICKEST_STEP))).astype(np.intp)
    lasts = passed[-1] / (2 * pairs) / rate
    fast = (speed * lasts / 2 > FARTHEST_STANCE) | (2 * spin * lasts > WIDEST_TURN)
    crowded = (2 * pairs * QUICKEST_STEP > duration) | (pairs > _MOST_STEPS // jugglers)
    glide = (half[:, 1] > _LEVEL / 2) | ((fast.any(axis=0) | crowded) & ~stay)
    pairs = np.where(stay | glide, 1, pairs)
    return Cadence(pairs, _begins(passed, pairs, duration), duration, middle, stay, glide)


def hurry(places: Floats, speeds: Floats) -> Floats:
    """How fast bodies go, a way to the side counted double; places and speeds of shape (…, 4), [m/s]."""
    return np.hypot(np.hypot(speeds[..., 0], speeds[..., 2]), np.sqrt(_SIDEWAYS**2 - 1) * sideways(places, speeds))


def sideways(places: Floats, speeds: Floats) -> Floats:
    """How fast bodies go to either side; places and speeds of shape (…, 4), [m/s]."""
    return np.abs(speeds[..., 0] * np.cos(places[..., FACING]) - speeds[..., 2] * np.sin(places[..., FACING]))


def _extent(places: Floats) -> tuple[Floats, Floats]:
    lowest, highest = places.min(axis=0), places.max(axis=0)
    return (lowest + highest) / 2, (highest - lowest) / 2


def _eased(rate: Floats, look: float) -> Floats:
    """Rates that rise in time and change slowly, around the loop."""
    span = min(int(np.ceil(_CHANGE / look)), len(rate) // 2)
    highest = rate
    for step in range(1, span + 1):
        highest = np.maximum(highest, np.maximum(np.roll(rate, step, axis=0), np.roll(rate, -step, axis=0)))
    return sum((np.roll(highest, step, axis=0) for step in range(-span, span + 1)), 0.0 * rate) / (2 * span + 1)


def _begins(passed: Floats, pairs: Integers, duration: float) -> Floats:
    """The times at which steps begin, from how many have passed at the end of each look, shape (looks, J)."""
    count, jugglers = passed.shape
    # All jugglers one behind the other: one table for all.
    share = np.concatenate([np.zeros((1, jugglers)), passed / passed[-1]]) + np.arange(jugglers)
    step = np.arange(2 * pairs.max(initial=1))
    wanted = np.minimum(step / (2 * pairs[:, None]), 1.0)
    known = np.tile(np.linspace(0.0, duration, count + 1), jugglers)
    begins = np.interp(wanted + np.arange(jugglers)[:, None], share.T.ravel(), known)
    begins[:, 0] = 0.0
    return begins
