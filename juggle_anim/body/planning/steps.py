"""Steps: footsteps of moving jugglers, whose feet do not slide on the floor."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.trunk_and_legs import ANKLES
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Motion
from juggle_anim.motion.bodies import FACING, PLACE, Bodies
from juggle_anim.motion.piecewise import PiecewisePolynomial
from juggle_anim.vectors import rotate_about_y, wrap_angle

# When a body comes to rest, a foot farther from its target than this steps there, [m] and [rad].
_TIDY = 0.015
_TIDY_TURNED = np.radians(4.0)

# Least distance of the feet in sidesteps, and the softness of this bound, [m].
_APART = 0.16
_SOFTNESS = 0.015

# Height of a step, its increase per metre and per radian of the step, and its limit, [m].
_LIFT = 0.03
_LIFT_PER_METRE = 0.10
_LIFT_PER_RADIAN = 0.04
_MAX_LIFT = 0.12

# Feet and ways of feet keep so far apart, and a step goes aside by no more than the second for it,
# [m].
_CLEAR = 0.105
_MAX_DETOUR = 0.12

# Rounds in which places of feet are moved apart, and phases at which a step is looked at.
_ROUNDS = 4
_PHASES = np.linspace(0.15, 0.85, 15)

# Polynomials in the phase of a step, 0 to 1: share of the distance, and height; both begin and end
# at rest. A foot is off the floor before it goes on.
_PROGRESS = np.array([0.0, 0.0, 0.0, 0.0, 35.0, -84.0, 70.0, -20.0])

_HEIGHT = np.array([0.0, 0.0, 0.0, 64.0, -192.0, 192.0, -64.0, 0.0])

MAX_STEP_TIME = 0.42
MIN_STEP_TIME = 0.16
"""Approximate limits of the duration of a step, [s]."""

MAX_STANCE = 0.32
"""Greatest distance of a standing foot before or behind its hip, [m]; a juggler who would need more
glides.
"""

MAX_FOOT_TURN = np.radians(100.0)
"""Greatest turn of a foot in one step, [rad]; a juggler who spins faster glides."""

STAY = 0.08
STAY_TURNED = np.radians(20.0)
"""A body that sways and turns by less than this to either side keeps its feet in place, [m] and
[rad].
"""

# The cadence keeps stance and turn of a step within these, [m] and [rad].
_EASY_STANCE = 0.22
_EASY_TURN = np.radians(60.0)

# Factor of a sideways speed in the cadence, since legs must not cross.
_SIDEWAYS = 2.0

# A body that rises and sinks by more than this flies, [m].
_LEVEL = 0.01

# The cadence is raised this long before and after a fast movement, [s].
_CADENCE_LEAD = 0.4

_SAMPLE_TIME = 0.05
_MIN_SAMPLES = 64
_MAX_SAMPLES = 2_000_000
_MAX_STEPS = 1_000_000


@dataclass(frozen=True)
class Steps:
    """Paths of the feet of J jugglers; `plan_steps` makes them.

    Args:
        paths: of 2 · J feet, left then right of each juggler: x, y, z of the ankle [m], and the
            turn of the foot [rad].
        glide: shape (J,), jugglers whose feet move with the body instead.
    """

    paths: PiecewisePolynomial
    glide: Booleans

    def at(self, times: Floats) -> Floats:
        """Ankles and turns at some times, shape (T, J, 2, 4), in the world."""
        feet = self.paths.evaluate(
            *self.paths.locate(np.arange(len(self.paths.periods)), times[:, None])
        )
        return feet.reshape(len(times), len(self.glide), 2, 4)

    def seen_from_bodies(
        self,
        times: Floats,
        standing: Floats,
        facing: Floats,
        jugglers: Integers | slice = slice(None),
    ) -> tuple[Floats, Floats]:
        """Ankles and turns of feet in the frames of bodies.

        Feet of jugglers who glide, rather than step, stay at ease under their bodies.

        Args:
            times: shape (T,), [s].
            standing: where bodies stand in the world, shape (T, J, 1, 3), [m].
            facing: turns of bodies about +y, shape (T, J, 1), [rad].
            jugglers: J of them.

        Returns:
            Ankles, shape (T, J, 2, 3), [m], and turns of the feet to the left, from −π to π, shape
            (T, J, 2), [rad]; left foot then right.
        """
        feet = self.at(times)[:, jugglers]
        glide = self.glide[jugglers, None]  # shape (J, 1), over both feet
        # Without full turns of the difference, since knees turn by half of it.
        turns = wrap_angle(feet[..., FACING] - facing)
        ankles = rotate_about_y(feet[..., PLACE] - standing, -facing)
        return np.where(glide[..., None], ANKLES, ankles), np.where(glide, 0.0, turns)


def plan_steps(motion: Motion) -> Steps | None:
    """The footsteps of one loop.

    Feet step in turn. At each opportunity, a foot steps to its target in the middle of its next
    stance if it is far from there, or somewhat off and the body has come to rest.

    Args:
        motion: paths of bodies, of which one moves at least.

    Returns:
        None where no juggler steps: all bodies glide.
    """
    when = cadence(motion.bodies, motion.duration)
    if when.glide.all():
        return None
    targets = _foot_targets(motion.bodies, when)
    stepped = _chosen_steps(targets, when)
    return Steps(_paths(targets, stepped, when), when.glide)


def _foot_targets(bodies: Bodies, when: Cadence) -> Floats:
    """Targets of each foot for each of its opportunities to step, shape (J, 2, opportunities,
    4).
    """
    body = np.arange(len(when.pairs))[:, None, None]
    step = 2 * np.arange(when.pairs.max(initial=1)) + np.arange(2)[:, None]
    # A foot's next stance lasts from the end of this step to its own next opportunity.
    lands = when.time(body, step + 1)
    leaves = when.time(body, step + 2)
    at = bodies.paths.locate(body, (lands + leaves) / 2)
    places = bodies.paths.evaluate(*at)
    speeds = bodies.paths.evaluate(*at, 1)
    stay = when.stay[:, None, None]
    wider = np.where(stay, 0.0, _widening(sideways_speed(places, speeds) * (leaves - lands)))
    places = np.where(stay[..., None], when.middle[:, None, None], places)
    sine = np.sin(places[..., FACING])
    cosine = np.cos(places[..., FACING])
    out = ANKLES[:, None, 0] + np.array([[0.5], [-0.5]]) * wider
    ahead = ANKLES[:, None, 2]
    places[..., 0] += out * cosine + ahead * sine
    places[..., 1] += ANKLES[:, None, 1]
    places[..., 2] += ahead * cosine - out * sine
    return places


def _widening(sidestep: Floats) -> Floats:
    """Increase of the stance width with the length of a sidestep, so that feet do not cross,
    [m].
    """
    missing = sidestep - (2 * ANKLES[0, 0] - _APART)
    return (missing + np.hypot(missing, 2 * _SOFTNESS)) / 2


def _chosen_steps(targets: Floats, when: Cadence) -> Booleans:
    """Opportunities that are used, shape (J, 2, opportunities).

    The round begins with the longest step, which is always made, so that the feet return to their
    first places.
    """
    count = targets.shape[2]
    body, side = np.ogrid[: len(targets), :2]
    pairs = when.pairs[:, None]
    first = _longest_step(targets, when)
    foot = targets[body, side, first]
    stepped = np.zeros(targets.shape[:3], dtype=bool)
    for turn in range(1, count + 1):
        opportunity = (first + turn) % pairs
        following = (first + turn + 1) % pairs
        target = targets[body, side, opportunity]
        rests = _near(targets[body, side, following], target, _TIDY / 3, _TIDY_TURNED / 3)
        near = np.where(
            rests, _near(target, foot, _TIDY, _TIDY_TURNED), _near(target, foot, STAY, STAY_TURNED)
        )
        moves = np.where(turn == pairs, (target != foot).any(axis=-1), ~near) & (turn <= pairs)
        stepped[body, side, opportunity] |= moves
        foot = np.where(moves[..., None], target, foot)
    return stepped


def _longest_step(targets: Floats, when: Cadence) -> Integers:
    """The opportunity whose target is farthest from the one before, for each foot; shape (J, 2)."""
    body, side, opportunity = np.ogrid[: targets.shape[0], : targets.shape[1], : targets.shape[2]]
    pairs = when.pairs[:, None, None]
    change = targets - targets[body, side, (opportunity - 1) % pairs]
    return np.where(opportunity < pairs, np.hypot(change[..., 0], change[..., 2]), -1.0).argmax(
        axis=2
    )


def _near(one: Floats, other: Floats, distance: float, angle: float) -> Booleans:
    away = one - other
    return (np.hypot(away[..., 0], away[..., 2]) < distance) & (
        np.abs(wrap_angle(away[..., FACING])) < angle
    )


def _paths(targets: Floats, stepped: Booleans, when: Cadence) -> PiecewisePolynomial:
    """Paths of feet: each step and the stance after it; a foot that never steps has one stance."""
    body, side, opportunity = np.nonzero(stepped)
    begins = when.time(body, 2 * opportunity + side)
    ends = when.time(body, 2 * opportunity + side + 1)
    last, other = _last_steps(stepped)
    last = last[body, side, opportunity]
    other = other[body, side, opportunity]
    ends_at = targets[body, side, opportunity]
    # Where the other foot stands during each step: one that never steps stands at its only target.
    alone = other < 0
    still = targets[body, 1 - side, 0]

    def beside() -> Floats:
        return np.where(alone[:, None], still, ends_at[other])

    for _ in range(_ROUNDS):
        ends_at = _kept_apart(ends_at, beside())
    swings = _swings(ends_at[last], ends_at, ends - begins, beside())
    never, side_never = np.nonzero(~stepped.any(axis=2))
    path = np.concatenate([2 * body + side, 2 * body + side, 2 * never + side_never])
    start = np.concatenate(
        [begins, np.where(ends < when.duration, ends, 0.0), np.zeros(len(never))]
    )
    standing = np.concatenate([ends_at, targets[never, side_never, 0]])
    stands = np.pad(standing[:, None], ((0, 0), (0, len(_PROGRESS) - 1), (0, 0)))
    order = np.lexsort((start, path))
    coefficients = np.concatenate([swings, stands])[order]
    return PiecewisePolynomial(
        np.full(2 * len(targets), when.duration), path[order], start[order], coefficients
    )


def _last_steps(stepped: Booleans) -> tuple[Integers, Integers]:
    """The last step before each opportunity of the same foot, and of the other; shape (J, 2,
    opportunities).

    As numbers of the steps in the order of `np.nonzero`; −1 for a foot that never steps.
    """
    number = np.where(stepped, np.cumsum(stepped).reshape(stepped.shape) - 1, -1)
    # Within a foot numbers grow, and before the first step of a loop comes the last one.
    latest = np.maximum.accumulate(number, axis=2)
    final = latest[:, :, -1:]
    latest = np.where(latest < 0, final, latest)
    before = np.concatenate([final, latest[:, :, :-1]], axis=2)
    # The left foot goes first.
    other = np.stack([before[:, 1], latest[:, 0]], axis=1)
    return before, other


def _kept_apart(places: Floats, beside: Floats) -> Floats:
    """Places of feet, moved away from those of the other feet where they are too near; shape (N,
    4).
    """
    away = (places - beside)[:, [0, 2]]
    distance = np.hypot(*away.T)
    farther = places.copy()
    farther[:, [0, 2]] += (np.maximum(_CLEAR / np.maximum(distance, 1e-3) - 1.0, 0.0))[
        :, None
    ] * away
    return farther


def _swings(start: Floats, end: Floats, lasts: Floats, beside: Floats) -> Floats:
    """Polynomials of steps that take some time [s], around where the other foot stands; shape (N,
    8, 4).
    """
    change = end - start
    change[:, FACING] = wrap_angle(change[:, FACING])
    lift = (
        _LIFT
        + _LIFT_PER_METRE * np.hypot(change[:, 0], change[:, 2])
        + _LIFT_PER_RADIAN * np.abs(change[:, FACING])
    )
    swings = change[:, None] * _PROGRESS[:, None]
    swings[:, :, 1] += np.minimum(lift, _MAX_LIFT)[:, None] * _HEIGHT
    swings[:, :, [0, 2]] += _detours(start, change, beside)[:, None] * _HEIGHT[:, None]
    swings /= lasts[:, None, None] ** np.arange(len(_PROGRESS))[:, None]
    swings[:, 0] += start
    return swings


def _detours(start: Floats, change: Floats, beside: Floats) -> Floats:
    """How far steps go aside in their middle so that they pass the other foot, over the floor,
    shape (N, 2), [m].
    """
    moved = change[:, [0, 2]]
    away = (start - beside)[:, [0, 2]]
    length = np.hypot(*moved.T)
    along = moved / np.maximum(length, 1e-9)[:, None]
    across = np.stack([along[:, 1], -along[:, 0]], axis=1)
    aside = (across * away).sum(axis=1)
    across *= np.where(aside < 0.0, -1.0, 1.0)[:, None]
    # How far ahead of the other foot, and how far beside it, at some moments between the ends.
    progress, height = (
        np.polynomial.polynomial.polyval(_PHASES, terms) for terms in (_PROGRESS, _HEIGHT)
    )
    ahead = (along * away).sum(axis=1)[:, None] + length[:, None] * progress
    lacks = np.sqrt(np.maximum(_CLEAR**2 - ahead**2, 0.0)) - np.abs(aside)[:, None]
    return np.clip((lacks / height).max(axis=1), 0.0, _MAX_DETOUR)[:, None] * across


@dataclass(frozen=True)
class Cadence:
    """The opportunities of J jugglers to step in a loop; `cadence` makes them.

    Args:
        pairs: shape (J,), number of opportunities of each foot.
        begins: shape (J, steps), when left and right foot may begin to step, in turn; rows are
            padded, [s].
        duration: of the loop, [s].
        middle: shape (J, 4), the middle of the range of each body's places [m] and turns [rad].
        stay: shape (J,), jugglers who move too little to step.
        glide: shape (J,), jugglers who cannot step: too fast, or in the air.
    """

    pairs: Integers
    begins: Floats
    duration: float
    middle: Floats
    stay: Booleans
    glide: Booleans

    def time(self, juggler: Integers, step: Integers) -> Floats:
        """When steps begin, counted from the start of the loop and continued beyond its end,
        [s].
        """
        loop, place = np.divmod(step, 2 * self.pairs[juggler])
        return self.begins[juggler, place] + loop * self.duration


def cadence(bodies: Bodies, duration: float) -> Cadence:
    """The cadence of all jugglers.

    Args:
        bodies: their paths.
        duration: of the loop, [s].
    """
    jugglers = len(bodies.paths.periods)
    count = max(_MIN_SAMPLES, min(round(duration / _SAMPLE_TIME), _MAX_SAMPLES // jugglers))
    times = np.arange(float(count)) * (duration / count)
    places = bodies.places(times)
    speeds = bodies.places(times, 1)
    middle, half = _range(places)
    stay = (np.hypot(half[:, 0], half[:, 2]) < STAY) & (half[:, FACING] < STAY_TURNED)
    speed = walking_speed(places, speeds)
    spin = np.abs(speeds[..., FACING])
    needed = np.maximum(speed / (2 * _EASY_STANCE), 2 * spin / _EASY_TURN)
    rate = _smoothed_rate(np.clip(needed, 1 / MAX_STEP_TIME, 1 / MIN_STEP_TIME), duration / count)
    passed = np.cumsum(rate, axis=0) * (duration / count)
    # A loop too short for more has one pair of steps.
    pairs = np.maximum(
        1, np.minimum(np.rint(passed[-1] / 2), duration // (2 * MIN_STEP_TIME))
    ).astype(np.intp)
    lasts = passed[-1] / (2 * pairs) / rate
    fast = (speed * lasts / 2 > MAX_STANCE) | (2 * spin * lasts > MAX_FOOT_TURN)
    crowded = (2 * pairs * MIN_STEP_TIME > duration) | (pairs > _MAX_STEPS // jugglers)
    glide = (half[:, 1] > _LEVEL / 2) | ((fast.any(axis=0) | crowded) & ~stay)
    pairs = np.where(stay | glide, 1, pairs)
    return Cadence(pairs, _begins(passed, pairs, duration), duration, middle, stay, glide)


def walking_speed(places: Floats, speeds: Floats) -> Floats:
    """Speeds of bodies, with their sideways part doubled; places and speeds of shape (…, 4),
    [m/s].
    """
    return np.hypot(
        np.hypot(speeds[..., 0], speeds[..., 2]),
        np.sqrt(_SIDEWAYS**2 - 1) * sideways_speed(places, speeds),
    )


def sideways_speed(places: Floats, speeds: Floats) -> Floats:
    """Sideways speeds of bodies; places and speeds of shape (…, 4), [m/s]."""
    return np.abs(
        speeds[..., 0] * np.cos(places[..., FACING]) - speeds[..., 2] * np.sin(places[..., FACING])
    )


def _range(places: Floats) -> tuple[Floats, Floats]:
    lowest = places.min(axis=0)
    highest = places.max(axis=0)
    return (lowest + highest) / 2, (highest - lowest) / 2


def _smoothed_rate(rate: Floats, interval: float) -> Floats:
    """Rates smoothed around the loop, and raised ahead of each rise; sampled at an interval,
    [s].
    """
    span = min(int(np.ceil(_CADENCE_LEAD / interval)), len(rate) // 2)
    highest = rate
    for step in range(1, span + 1):
        highest = np.maximum(
            highest, np.maximum(np.roll(rate, step, axis=0), np.roll(rate, -step, axis=0))
        )
    return sum((np.roll(highest, step, axis=0) for step in range(-span, span + 1)), 0.0 * rate) / (
        2 * span + 1
    )


def _begins(passed: Floats, pairs: Integers, duration: float) -> Floats:
    """Times at which steps begin, from the number of steps made until the end of each sample, shape
    (samples, J).
    """
    count, jugglers = passed.shape
    # One interpolation table for all jugglers, one after the other.
    share = np.concatenate([np.zeros((1, jugglers)), passed / passed[-1]]) + np.arange(jugglers)
    step = np.arange(2 * pairs.max(initial=1))
    phase = np.minimum(step / (2 * pairs[:, None]), 1.0)
    times = np.tile(np.linspace(0.0, duration, count + 1), jugglers)
    begins = np.interp(phase + np.arange(jugglers)[:, None], share.T.ravel(), times)
    begins[:, 0] = 0.0
    return begins
