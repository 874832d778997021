"""Steps: when and where the feet of moving jugglers go, so that a foot on the floor stays in place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.legs import ANKLES
from juggle_anim.motion import Motion
from juggle_anim.motion.bodies import FACING, Bodies
from juggle_anim.motion.piecewise import PiecewisePolynomial
from juggle_anim.vectors import wrap_angle

# A body that comes to rest puts its feet where it wants them, unless that is within these, [m] and [rad].
_TIDY, _TIDY_TURNED = 0.015, np.radians(4.0)

# Feet that pass each other sideways keep so far apart, with a soft bound, [m].
_APART, _SOFTNESS = 0.16, 0.015

# How high a foot is lifted, and by how much more for each metre it goes and each radian it turns, [m].
_LIFT, _LIFT_BY_WAY, _LIFT_BY_TURN, _MAX_LIFT = 0.03, 0.10, 0.04, 0.12

# Of the share of a step that has passed: what is gone of the way, and how high a foot is; both begin and end at rest.
_WAY = np.array([0.0, 0.0, 0.0, 10.0, -15.0, 6.0, 0.0])

_ARC = np.array([0.0, 0.0, 0.0, 64.0, -192.0, 192.0, -64.0])

MAX_STEP_TIME, MIN_STEP_TIME = 0.42, 0.16
"""A step takes about between these, [s]."""

MAX_STANCE = 0.32
"""So far before and behind its hip a foot may be on the floor, [m]; who would need more glides."""

MAX_FOOT_TURN = np.radians(100.0)
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

_SAMPLE_TIME, _MIN_SAMPLES, _MAX_SAMPLES, _MAX_STEPS = 0.05, 64, 2_000_000, 1_000_000


@dataclass(frozen=True)
class Steps:
    """Where the feet of J jugglers are; `plan_steps` makes it.

    Args:
        paths: of 2 · J feet, left then right of each juggler: x, y, z of the ankle [m], and the turn of the foot [rad].
        glide: shape (J,), whose feet go along with the body instead.
    """

    paths: PiecewisePolynomial
    glide: Booleans

    def at(self, times: Floats) -> Floats:
        """Ankles and turns at some times, shape (T, J, 2, 4), in the world."""
        feet = self.paths.evaluate(*self.paths.locate(np.arange(len(self.paths.periods)), times[:, None]))
        return feet.reshape(len(times), len(self.glide), 2, 4)


def plan_steps(motion: Motion) -> Steps | None:
    """Plan the steps of one loop.

    Feet take turns. Each time a foot may step, it goes to where the body wants it in the middle of its next stand, if
    it is too far from there, or somewhat and the body has come to rest.

    Args:
        motion: where bodies go.

    Returns:
        None where nobody steps: bodies stand still, or move as no feet could.
    """
    if not motion.bodies.has_movement:
        return None
    when = cadence(motion.bodies, motion.duration)
    if when.glide.all():
        return None
    wanted = _foot_targets(motion.bodies, when)
    stepped, before = _chosen_steps(wanted, when)
    return Steps(_paths(wanted, stepped, before, when), when.glide)


def _foot_targets(bodies: Bodies, when: Cadence) -> Floats:
    """Where bodies want each foot after each of its chances to step, shape (J, 2, chances, 4)."""
    body = np.arange(len(when.pairs))[:, None, None]
    step = 2 * np.arange(when.pairs.max(initial=1)) + np.arange(2)[:, None]
    # A foot's next stand lasts from the other's step after this one to its own next chance.
    lands, leaves = when.time(body, step + 1), when.time(body, step + 2)
    at = bodies.paths.locate(body, (lands + leaves) / 2)
    places, speeds = bodies.paths.evaluate(*at), bodies.paths.evaluate(*at, 1)
    stay = when.stay[:, None, None]
    wider = np.where(stay, 0.0, _wider(sideways_speed(places, speeds) * (leaves - lands)))
    places = np.where(stay[..., None], when.middle[:, None, None], places)
    sine, cosine = np.sin(places[..., FACING]), np.cos(places[..., FACING])
    out, ahead = ANKLES[:, None, 0] + np.array([[0.5], [-0.5]]) * wider, ANKLES[:, None, 2]
    places[..., 0] += out * cosine + ahead * sine
    places[..., 1] += ANKLES[:, None, 1]
    places[..., 2] += ahead * cosine - out * sine
    return places


def _wider(way: Floats) -> Floats:
    """By how much more than at ease feet stand apart that go so far to a side in a step, so as not to cross, [m]."""
    missing = way - (2 * ANKLES[0, 0] - _APART)
    return (missing + np.hypot(missing, 2 * _SOFTNESS)) / 2


def _chosen_steps(wanted: Floats, when: Cadence) -> tuple[Booleans, Floats]:
    """Which chances to step are taken, shape (J, 2, chances), and where the foot is before each, wider by 4.

    The round begins at the chance that matters most, which is taken: so the feet come back to where they began.
    """
    count = wanted.shape[2]
    body, side = np.ogrid[: len(wanted), :2]
    pairs = when.pairs[:, None]
    first = _most_moved(wanted, when)
    foot = wanted[body, side, first]
    stepped, before = np.zeros(wanted.shape[:3], dtype=bool), np.zeros_like(wanted)
    for turn in range(1, count + 1):
        chance, following = (first + turn) % pairs, (first + turn + 1) % pairs
        target = wanted[body, side, chance]
        rests = _near(wanted[body, side, following], target, _TIDY / 3, _TIDY_TURNED / 3)
        near = np.where(rests, _near(target, foot, _TIDY, _TIDY_TURNED), _near(target, foot, STAY, STAY_TURNED))
        moves = np.where(turn == pairs, (target != foot).any(axis=-1), ~near) & (turn <= pairs)
        stepped[body, side, chance] |= moves
        before[body, side, chance] = np.where(moves[..., None], foot, before[body, side, chance])
        foot = np.where(moves[..., None], target, foot)
    return stepped, before


def _most_moved(wanted: Floats, when: Cadence) -> Floats:
    """The chance by which each foot is wanted farthest from where it was, shape (J, 2)."""
    body, side, chance = np.ogrid[: wanted.shape[0], : wanted.shape[1], : wanted.shape[2]]
    pairs = when.pairs[:, None, None]
    way = wanted - wanted[body, side, (chance - 1) % pairs]
    return np.where(chance < pairs, np.hypot(way[..., 0], way[..., 2]), -1.0).argmax(axis=2)


def _near(one: Floats, other: Floats, distance: float, angle: float) -> Booleans:
    away = one - other
    return (np.hypot(away[..., 0], away[..., 2]) < distance) & (np.abs(wrap_angle(away[..., FACING])) < angle)


def _paths(wanted: Floats, stepped: Booleans, before: Floats, when: Cadence) -> PiecewisePolynomial:
    """Each step and the stand after it; a foot that never steps only stands."""
    body, side, chance = np.nonzero(stepped)
    begins, ends = when.time(body, 2 * chance + side), when.time(body, 2 * chance + side + 1)
    swings = _swings(before[body, side, chance], wanted[body, side, chance], ends - begins)
    never, side_never = np.nonzero(~stepped.any(axis=2))
    path = np.concatenate([2 * body + side, 2 * body + side, 2 * never + side_never])
    start = np.concatenate([begins, np.where(ends < when.duration, ends, 0.0), np.zeros(len(never))])
    standing = np.concatenate([wanted[body, side, chance], wanted[never, side_never, 0]])
    stands = np.pad(standing[:, None], ((0, 0), (0, len(_WAY) - 1), (0, 0)))
    order = np.lexsort((start, path))
    coefficients = np.concatenate([swings, stands])[order]
    return PiecewisePolynomial(np.full(2 * len(wanted), when.duration), path[order], start[order], coefficients)


def _swings(from_: Floats, to: Floats, lasts: Floats) -> Floats:
    """Polynomials of steps, shape (N, 7, 4)."""
    way = to - from_
    way[:, FACING] = wrap_angle(way[:, FACING])
    lift = _LIFT + _LIFT_BY_WAY * np.hypot(way[:, 0], way[:, 2]) + _LIFT_BY_TURN * np.abs(way[:, FACING])
    swings = way[:, None] * _WAY[:, None]
    swings[:, :, 1] += np.minimum(lift, _MAX_LIFT)[:, None] * _ARC
    swings /= lasts[:, None, None] ** np.arange(len(_WAY))[:, None]
    swings[:, 0] += from_
    return swings


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
    count = max(_MIN_SAMPLES, min(round(duration / _SAMPLE_TIME), _MAX_SAMPLES // jugglers))
    times = np.arange(float(count)) * (duration / count)
    places, speeds = bodies.places(times), bodies.places(times, 1)
    middle, half = _extent(places)
    stay = (np.hypot(half[:, 0], half[:, 2]) < STAY) & (half[:, FACING] < STAY_TURNED)
    speed, spin = walking_speed(places, speeds), np.abs(speeds[..., FACING])
    wanted = np.maximum(speed / (2 * _EASY_STANCE), 2 * spin / _EASY_TURN)
    rate = _eased(np.clip(wanted, 1 / MAX_STEP_TIME, 1 / MIN_STEP_TIME), duration / count)
    passed = np.cumsum(rate, axis=0) * (duration / count)
    # A loop too short for more has one pair of steps.
    pairs = np.maximum(1, np.minimum(np.rint(passed[-1] / 2), duration // (2 * MIN_STEP_TIME))).astype(np.intp)
    lasts = passed[-1] / (2 * pairs) / rate
    fast = (speed * lasts / 2 > MAX_STANCE) | (2 * spin * lasts > MAX_FOOT_TURN)
    crowded = (2 * pairs * MIN_STEP_TIME > duration) | (pairs > _MAX_STEPS // jugglers)
    glide = (half[:, 1] > _LEVEL / 2) | ((fast.any(axis=0) | crowded) & ~stay)
    pairs = np.where(stay | glide, 1, pairs)
    return Cadence(pairs, _begins(passed, pairs, duration), duration, middle, stay, glide)


def walking_speed(places: Floats, speeds: Floats) -> Floats:
    """How fast bodies go, a way to the side counted double; places and speeds of shape (…, 4), [m/s]."""
    return np.hypot(
        np.hypot(speeds[..., 0], speeds[..., 2]), np.sqrt(_SIDEWAYS**2 - 1) * sideways_speed(places, speeds)
    )


def sideways_speed(places: Floats, speeds: Floats) -> Floats:
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
