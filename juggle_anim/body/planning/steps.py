"""Steps: footsteps of moving jugglers, whose feet do not slide on the floor.

Stances: which foot bodies stand on over a loop, where lifted feet are, and how bodies bend, for
throws around them.

A foot leaves the floor only once the weight is over the other one, and the weight comes back once
it stands again. When it is over which foot is planned here; `trunk_plan` brings it there.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.planning.least_squares import Stretch
from juggle_anim.body.trunk_and_legs import (
    ANKLES,
    LEAN,
    LEG_CHANNELS,
    LIFTS,
    PELVIS,
    SHOULDER_TURN,
    TRUNK_CHANNELS,
)
from juggle_anim.choreography.body_throws import Posture
from juggle_anim.choreography.manners import BODY_THROWS
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Motion
from juggle_anim.motion.bodies import FACING, PLACE, Bodies
from juggle_anim.motion.piecewise import PeriodicSpline, PiecewisePolynomial
from juggle_anim.vectors import rotate_about_y, smoother_step, wrap_angle

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

# Feet keep this far apart, also on the way; and a step goes aside by no more than this for it, [m].
_CLEAR = 0.105
_MAX_DETOUR = 0.12

# Rounds in which places of feet are moved apart, and phases of a step at which it is sampled.
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

# Columns of a foot's place on the floor, x and z; feet have the columns x, y, z of the ankle, [m],
# and the turn about +y, [rad].
_FLOOR_XZ = [0, 2]

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
    """Plan the footsteps of one loop.

    Left and right foot have opportunities to step in turn. At each, a foot steps to its target,
    which is where the body wants it in the middle of its next stance, if it is far from there, or
    somewhat off and the body has come to rest.

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
    """Return where each foot is to go at each of its opportunities to step.

    Args:
        bodies: paths of J bodies.
        when: the opportunities.

    Returns:
        Place of the ankle, [m], and turn of the foot, [rad], in the world, shape (J, 2,
        opportunities, 4); left foot then right. Bodies with fewer opportunities than others have
        further rows, which are not used.
    """
    body = np.arange(len(when.pairs))[:, None, None]
    # Step 2i is opportunity i of the left foot, and step 2i + 1 that of the right one.
    step = 2 * np.arange(when.pairs.max(initial=1)) + np.arange(2)[:, None]
    # A foot's next stance lasts from the end of this step to its own next opportunity.
    lands = when.time(body, step + 1)
    leaves = when.time(body, step + 2)
    located = bodies.paths.locate(body, (lands + leaves) / 2)
    places = bodies.paths.evaluate(*located)
    speeds = bodies.paths.evaluate(*located, 1)
    # Bodies that hardly move keep their feet in the middle of their range.
    stay = when.stay[:, None, None]
    widening = np.where(stay, 0.0, _widening(sideways_speed(places, speeds) * (leaves - lands)))
    places = np.where(stay[..., None], when.middle[:, None, None], places)
    # The ankle at ease, farther out by half of the widening, turned with the body.
    sine = np.sin(places[..., FACING])
    cosine = np.cos(places[..., FACING])
    to_left = ANKLES[:, None, 0] + np.array([[0.5], [-0.5]]) * widening
    ahead = ANKLES[:, None, 2]
    places[..., 0] += to_left * cosine + ahead * sine
    places[..., 1] += ANKLES[:, None, 1]
    places[..., 2] += ahead * cosine - to_left * sine
    return places


def _widening(sidestep: Floats) -> Floats:
    """By how much feet stand farther apart for a sidestep, so that they do not cross, [m].

    Args:
        sidestep: how far the body moves sideways in a stance, [m], 0 or more.
    """
    # A smooth maximum of 0 and of what the width at ease lacks.
    missing = sidestep - (2 * ANKLES[0, 0] - _APART)
    return (missing + np.hypot(missing, 2 * _SOFTNESS)) / 2


def _chosen_steps(targets: Floats, when: Cadence) -> Booleans:
    """Decide which opportunities feet use to step, shape (J, 2, opportunities).

    For each foot one round of the loop is gone through, in which a foot that stands near its target
    stays. The round begins where the foot has just made its longest step, and ends with that step,
    which is made unless the foot is there already, so that the loop closes.

    Args:
        targets: as from `_foot_targets`.
        when: the opportunities.
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
        # Where the body has come to rest, as the next target is nearly the same, a foot comes
        # nearer to its target than on the way.
        is_at_rest = _is_near(targets[body, side, following], target, _TIDY / 3, _TIDY_TURNED / 3)
        stays = np.where(
            is_at_rest,
            _is_near(target, foot, _TIDY, _TIDY_TURNED),
            _is_near(target, foot, STAY, STAY_TURNED),
        )
        # The last turn of a foot's round is its first opportunity; later turns are not its own.
        moves = np.where(turn == pairs, (target != foot).any(axis=-1), ~stays) & (turn <= pairs)
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


def _is_near(foot: Floats, place: Floats, distance: float, angle: float) -> Booleans:
    """Whether feet are within a distance, [m], and an angle, [rad], of places, each (..., 4)."""
    change = foot - place
    return (np.hypot(change[..., 0], change[..., 2]) < distance) & (
        np.abs(wrap_angle(change[..., FACING])) < angle
    )


def _paths(targets: Floats, stepped: Booleans, when: Cadence) -> PiecewisePolynomial:
    """Return the paths of feet: a piece for each step, and one for the stance after it.

    Args:
        targets: of all opportunities, as from `_foot_targets`.
        stepped: which opportunities are used, shape (J, 2, opportunities).
        when: the opportunities.

    Returns:
        Path 2 · juggler + side for each foot, as in `Steps`; a foot that never steps has one piece.
    """
    # N steps, each with the number of the last step of the same foot before it, and of the other
    # foot. Step 2 · opportunity + side of a body begins when the one before it, of the other foot,
    # ends.
    body, side, opportunity = np.nonzero(stepped)
    begins = when.time(body, 2 * opportunity + side)
    ends = when.time(body, 2 * opportunity + side + 1)
    last_steps, other_steps = _last_steps(stepped)
    last_step = last_steps[body, side, opportunity]
    other_step = other_steps[body, side, opportunity]
    landings = targets[body, side, opportunity]
    other_never_steps = other_step < 0
    only_target = targets[body, 1 - side, 0]

    def other_feet(landings: Floats) -> Floats:
        """Where the other foot stands during each step; one that never steps, at its target."""
        return np.where(other_never_steps[:, None], only_target, landings[other_step])

    # Each foot that is moved changes what is too near to it, hence the rounds.
    for _ in range(_ROUNDS):
        landings = _kept_apart(landings, other_feet(landings))
    swings = _swings(landings[last_step], landings, ends - begins, other_feet(landings))
    # Pieces: the steps, the stances after them, and the feet that never step. A stance that begins
    # with the end of the loop begins with its start. Stances are constant, so only the first of
    # their coefficients, of the power 0 of the time, is not 0.
    still_body, still_side = np.nonzero(~stepped.any(axis=2))
    path = np.concatenate([2 * body + side, 2 * body + side, 2 * still_body + still_side])
    start = np.concatenate(
        [begins, np.where(ends < when.duration, ends, 0.0), np.zeros(len(still_body))]
    )
    standing = np.concatenate([landings, targets[still_body, still_side, 0]])
    stances = np.pad(standing[:, None], ((0, 0), (0, len(_PROGRESS) - 1), (0, 0)))
    order = np.lexsort((start, path))
    coefficients = np.concatenate([swings, stances])[order]
    return PiecewisePolynomial(
        np.full(2 * len(targets), when.duration), path[order], start[order], coefficients
    )


def _last_steps(stepped: Booleans) -> tuple[Integers, Integers]:
    """Find the last step before each opportunity of the same foot, and of the other foot.

    Args:
        stepped: which opportunities are used, shape (J, 2, opportunities).

    Returns:
        For the same foot and for the other one, shape (J, 2, opportunities) each: the number of the
        step in the order of `np.nonzero(stepped)`; −1 for a foot that never steps.
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


def _kept_apart(feet: Floats, other_feet: Floats) -> Floats:
    """Move feet that are nearer to the other foot than `_CLEAR` straight away from it, so far.

    Args:
        feet: N feet in the world, shape (N, 4): x, y, z of the ankle, [m], and turn, [rad].
        other_feet: the other foot of the same juggler for each, likewise.

    Returns:
        Shape (N, 4), as `feet`, with x and z changed.
    """
    from_other = (feet - other_feet)[:, _FLOOR_XZ]
    distance = np.hypot(*from_other.T)
    # To become `_CLEAR`, a distance d must grow by the share clear / d − 1 of itself. Feet nearer
    # than 1 mm have hardly any direction in which to move apart, so their share is limited.
    missing_share = np.maximum(_CLEAR / np.maximum(distance, 1e-3) - 1.0, 0.0)
    moved = feet.copy()
    moved[:, _FLOOR_XZ] += missing_share[:, None] * from_other
    return moved


def _swings(start: Floats, end: Floats, duration: Floats, other_foot: Floats) -> Floats:
    """Return the polynomials of steps, which begin and end at rest.

    A foot goes straight from start to end, apart from a lift and a detour around the other foot.
    Longer steps and greater turns are lifted higher, up to `_MAX_LIFT`.

    Args:
        start, end: feet in the world, shape (N, 4): x, y, z of the ankle, [m], and turn, [rad].
        duration: of each step, shape (N,), [s].
        other_foot: where the other foot stands meanwhile, likewise.

    Returns:
        Coefficients of the four columns by ascending powers of the time since each step begins,
        [s], shape (N, 8, 4).
    """
    change = end - start
    change[:, FACING] = wrap_angle(change[:, FACING])
    lift = (
        _LIFT
        + _LIFT_PER_METRE * np.hypot(change[:, 0], change[:, 2])
        + _LIFT_PER_RADIAN * np.abs(change[:, FACING])
    )
    # Coefficients of powers of the phase, 0 to 1. `_PROGRESS` goes from 0 to 1, `_HEIGHT` from 0 to
    # 1 in the middle and back.
    swings = change[:, None] * _PROGRESS[:, None]
    swings[:, :, 1] += np.minimum(lift, _MAX_LIFT)[:, None] * _HEIGHT
    swings[:, :, _FLOOR_XZ] += _detours(start, change, other_foot)[:, None] * _HEIGHT[:, None]
    # The phase is time / duration, so the coefficient of power k of the time is divided by
    # duration ** k.
    swings /= duration[:, None, None] ** np.arange(len(_PROGRESS))[:, None]
    swings[:, 0] += start
    return swings


def _detours(start: Floats, change: Floats, other_foot: Floats) -> Floats:
    """Return how far steps must swing sideways to keep `_CLEAR` away from the standing foot.

    A detour is at right angles to the step and away from the other foot, so the step passes that
    foot on the same side as before. In time it follows the polynomial `_HEIGHT`, which is 1 in the
    middle of the step.

    Args:
        start: feet where the steps begin, in the world, shape (N, 4): x, y, z of the ankle, [m],
            and turn, [rad]; only x and z are read.
        change: from there to where the steps end, shape (N, 4), likewise.
        other_foot: where the other foot stands, shape (N, 4), likewise.

    Returns:
        Displacements along x and z in the middle of the step, shape (N, 2), [m], of length 0, where
        the straight step is clear, to `_MAX_DETOUR`.
    """
    step = change[:, _FLOOR_XZ]
    from_other = (start - other_foot)[:, _FLOOR_XZ]
    length = np.hypot(*step.T)
    # Unit vectors on the floor, along each step and at right angles to it, away from the other
    # foot. A foot that only turns has a step of length 0, and zeros in both.
    along = step / np.maximum(length, 1e-9)[:, None]
    across = np.stack([along[:, 1], -along[:, 0]], axis=1)
    offset = (across * from_other).sum(axis=1)  # of the step's line from the other foot, [m]
    across *= np.where(offset < 0.0, -1.0, 1.0)[:, None]
    # `ahead` is how far along the step the foot is ahead of the other one at some phases, [m]. To
    # be `_CLEAR` away from it there, its distance across must be √(clear² − ahead²). The straight
    # step has |offset| of that; a detour d adds d · height, so it must be lacking / height.
    progress, height = (
        np.polynomial.polynomial.polyval(_PHASES, terms) for terms in (_PROGRESS, _HEIGHT)
    )
    ahead = (along * from_other).sum(axis=1)[:, None] + length[:, None] * progress
    lacking = np.sqrt(np.maximum(_CLEAR**2 - ahead**2, 0.0)) - np.abs(offset)[:, None]
    return np.clip((lacking / height).max(axis=1), 0.0, _MAX_DETOUR)[:, None] * across


@dataclass(frozen=True)
class Cadence:
    """The opportunities of J jugglers to step in a loop; `cadence` makes them.

    Args:
        pairs: shape (J,), number of opportunities that each foot of a juggler has in a loop.
        begins: shape (J, steps), when left and right foot may begin to step, in turn, [s]; rows of
            jugglers with fewer steps are padded.
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
    """Find when jugglers may step: the more often, the faster they move and turn.

    The rate of steps follows the speed, smoothed and raised ahead of fast movements, and is such
    that a whole number of pairs of steps fits into the loop.

    Args:
        bodies: paths of J bodies.
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
    # Steps a second. A foot stands for the time of one step, in which the body passes over it from
    # one easy stance to the other; in its own step it turns by as much as the body in two steps.
    needed_rate = np.maximum(speed / (2 * _EASY_STANCE), 2 * spin / _EASY_TURN)
    rate = _smoothed_rate(
        np.clip(needed_rate, 1 / MAX_STEP_TIME, 1 / MIN_STEP_TIME), duration / count
    )
    steps_until = np.cumsum(rate, axis=0) * (duration / count)
    # A loop too short for more has one pair of steps.
    pairs = np.maximum(
        1, np.minimum(np.rint(steps_until[-1] / 2), duration // (2 * MIN_STEP_TIME))
    ).astype(np.intp)
    # With the rounded number of steps all steps are longer or shorter by the same factor.
    step_time = steps_until[-1] / (2 * pairs) / rate
    is_too_fast = (speed * step_time / 2 > MAX_STANCE) | (2 * spin * step_time > MAX_FOOT_TURN)
    is_crowded = (2 * pairs * MIN_STEP_TIME > duration) | (pairs > _MAX_STEPS // jugglers)
    glide = (half[:, 1] > _LEVEL / 2) | ((is_too_fast.any(axis=0) | is_crowded) & ~stay)
    pairs = np.where(stay | glide, 1, pairs)
    begins = _begins(steps_until, pairs, duration)
    return Cadence(pairs, begins, duration, middle, stay, glide)


def walking_speed(places: Floats, speeds: Floats) -> Floats:
    """Speeds of bodies over the floor, with their sideways part counted `_SIDEWAYS` times, [m/s].

    Args:
        places, speeds: of bodies and their changes, shape (…, 4), as of `Bodies.places`.
    """
    # √(v² + (k² − 1) s²) has the sideways part s of v multiplied by k.
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
    """Middles and half widths of the ranges of places over time, shape (T, J, 4) to (J, 4) each."""
    lowest = places.min(axis=0)
    highest = places.max(axis=0)
    return (lowest + highest) / 2, (highest - lowest) / 2


def _smoothed_rate(rate: Floats, interval: float) -> Floats:
    """Smooth rates around a loop, so that they are raised before and after each high value.

    A rate becomes the mean, over `_CADENCE_LEAD` to either side, of the largest rates as far around
    each moment; so it is nowhere below the given one.

    Args:
        rate: at even moments of the loop, shape (T, J), [1/s].
        interval: time from moment to moment, [s].
    """
    # The running maximum over `span` moments to either side, then the mean over as many; the sum
    # begins with zeros of the shape of the rates.
    span = min(int(np.ceil(_CADENCE_LEAD / interval)), len(rate) // 2)
    highest = rate
    for step in range(1, span + 1):
        highest = np.maximum(
            highest, np.maximum(np.roll(rate, step, axis=0), np.roll(rate, -step, axis=0))
        )
    return sum((np.roll(highest, step, axis=0) for step in range(-span, span + 1)), 0.0 * rate) / (
        2 * span + 1
    )


def _begins(steps_until: Floats, pairs: Integers, duration: float) -> Floats:
    """Return the times at which steps begin: evenly spaced in the number of steps made.

    Args:
        steps_until: number of steps until the end of each sample, by the rate, shape (samples, J).
        pairs: number of pairs of steps of each juggler, shape (J,).
        duration: of the loop, [s].

    Returns:
        Shape (J, 2 · most pairs), [s]; padded beyond a juggler's last step.
    """
    count, jugglers = steps_until.shape
    # Step k of n begins when the share k / n of all steps is made, which is interpolated. One table
    # serves all jugglers, one after the other: j is added to the shares of juggler j, 0 to 1, so
    # that they ascend from one juggler to the next. Steps beyond a juggler's last have the share 1.
    share = np.concatenate([np.zeros((1, jugglers)), steps_until / steps_until[-1]])
    share += np.arange(jugglers)
    step = np.arange(2 * pairs.max(initial=1))
    phase = np.minimum(step / (2 * pairs[:, None]), 1.0)
    times = np.tile(np.linspace(0.0, duration, count + 1), jugglers)
    begins = np.interp(phase + np.arange(jugglers)[:, None], share.T.ravel(), times)
    # The share j is also the end of the juggler before, whose time would be the loop's end.
    begins[:, 0] = 0.0
    return begins


FOOT_UP = 0.355
FOOT_DOWN = 0.375
"""How long a foot takes to be lifted and to come down, [s]."""

SHIFT = 0.40
LEAST_SHIFT = 0.22
"""How long the weight takes from one foot to between both, and at least how long both stand in
between, [s].
"""

LEG_KNOT_RATE = 30.0
"""Knots a second of how legs are lifted."""

# A leg is up for this long at least before its throw, however soon that follows a throw under the
# other leg, [s].
_LEAST_HELD = 0.05

# No throw or catch affects a body earlier or later than this, [s].
_MAX_LEAD = 1.5

# A foot that hurries takes this long at least to be lifted or put down, [s].
_LEAST_LIFT = 0.1

# The weight begins to leave a foot this long before the other one stands, and is over a foot this
# long after the other one has left the floor, as it is still within the edge of the foot then, [s].
_WEIGHT_LEAD = 0.03

# Channels of a posture's trunk that change sign in a mirror image.
_MIRRORED_CHANNELS = [LEAN.start, SHOULDER_TURN]


class Stances(NamedTuple):
    """How J jugglers stand at T times.

    Args:
        legs: how feet are lifted and legs turned, channels of `pose_legs`, shape (T, J,
            `LEG_CHANNELS`).
        bent: the bend of the trunk that throws around the body ask for, channels of `pose_trunk`,
            shape (T, J, `TRUNK_CHANNELS`).
        share: how far trunks go from their bend without such throws, 0, to `bent`, 1; shape
            (T, J, 1).
        weight: over which foot the body's weight is, shape (T, J, 1): from 1, the left one, to −1,
            the right one; 0 between both.
        lifted: how far each leg is lifted, left then right, from 0 for one that stands to 1 for one
            that is where its throw has it, shape (T, J, 2).
    """

    legs: Floats
    bent: Floats
    share: Floats
    weight: Floats
    lifted: Floats

    def of_jugglers(self, jugglers: Integers) -> Stances:
        """The stances of some jugglers, whose indices have shape (K,), in that order."""
        return Stances(*(values[:, jugglers] for values in self))

    def moved_legs(self, offsets: Floats) -> Floats:
        """Channels of legs with offsets added, each scaled by how far its leg is lifted.

        So a leg that stands stays where it is.

        Args:
            offsets: shape (..., T, J, `LEG_CHANNELS`), [m] and [rad].

        Returns:
            Shape (..., T, J, `LEG_CHANNELS`).
        """
        left = self.lifted[..., :1]
        right = self.lifted[..., 1:]
        # As the channels: x, y, z of the left and the right ankle, and the turns of both legs.
        return self.legs + offsets * np.concatenate([left] * 3 + [right] * 3 + [left, right], -1)


def stances_at(motion: Motion, times: Floats, jugglers: Integers) -> Stances | None:
    """Plan how some jugglers stand while they throw and catch around their bodies.

    Each throw or catch around the body demands a bend of the trunk and perhaps a lifted leg. From
    the demands of one juggler follow when the body stands on one foot, then where the lifted legs
    and the weight are.

    Args:
        motion: whose choreography has the events.
        times: shape (T,), [s]; any, as the loop repeats.
        jugglers: shape (J,), indices.

    Returns:
        All 0 for a juggler without such events; None if no juggler has any.
    """
    events = motion.choreography.events
    loop = motion.choreography.duration
    if events.body_throw is None:
        return None
    shape = (len(times), len(jugglers))
    legs = np.zeros((*shape, LEG_CHANNELS))
    bent = np.zeros((*shape, TRUNK_CHANNELS))
    share = np.zeros((*shape, 1))
    weight = np.zeros((*shape, 1))
    lifted = np.zeros((*shape, 2))
    body_events = np.flatnonzero(events.body_throw)
    # Events of the loops before and after reach into this one, in which all times are.
    times = times % loop
    loop_starts = np.arange(-1 - int(_MAX_LEAD / loop), 2 + int(_MAX_LEAD / loop)) * loop
    for index, juggler in enumerate(jugglers):
        rows = body_events[events.hand[body_events] // 2 == juggler]
        if not rows.size:
            continue
        # In order of time.
        demands = [
            _Demand.from_posture(
                events.time[row] + loop_start,
                BODY_THROWS[events.body_throw[row] - 1].posture,
                int(events.hand[row]) % 2,
            )
            for loop_start in loop_starts
            for row in rows[np.argsort(events.time[rows], kind="stable")]
        ]
        supports = _supports(demands)
        legs[:, index], lifted[:, index] = _leg_lifts(demands, supports, times)
        # Both feet stand farther outward all the time, by the most that any demand asks for: the
        # first of the left foot's three lifts is to the left, and so is that of the right foot.
        stance = max(demand.posture.stance for demand in demands)
        legs[:, index, LIFTS] += stance * np.array([1.0, 0.0, 0.0, -1.0, 0.0, 0.0])
        bent[:, index], share[:, index, 0] = _trunk_bends(demands, times)
        weight[:, index, 0] = _weight([support for support in supports if support.foot], times)
    return Stances(legs, bent, share, weight, lifted)


def lifted_legs(
    motion: Motion, moved: PeriodicSpline, stretch: Stretch | None = None
) -> PeriodicSpline:
    """How the legs of all J jugglers are lifted over a loop, (T, J, `LEG_CHANNELS`) control values.

    Args:
        motion: its choreography has throws or catches that go around bodies.
        moved: how far lifted legs are from where these events lift them, (any number, J,
            `LEG_CHANNELS`) control values.
        stretch: of the loop, for which alone they are wanted; None for all.
    """
    if stretch is None:
        # Even, so that of a loop whose halves are mirror images both get plans that are.
        knots = 2 * max(2, round(motion.duration * LEG_KNOT_RATE / 2))
        stretch = Stretch(knots, motion.duration)
    times = stretch.times(1)
    stances = stances_at(motion, times, np.arange(motion.choreography.jugglers))
    assert stances
    return PeriodicSpline(stances.moved_legs(moved.at(times)), stretch.duration, stretch.start)


@dataclass(frozen=True)
class _Demand:
    """What one throw or catch around the body asks of the body.

    Args:
        time: when, [s].
        bent: channels of the trunk then, shape (`TRUNK_CHANNELS`,).
        lifted: channels of the legs then, shape (`LEG_CHANNELS`,).
        foot: 1 if the body stands on the left foot alone, −1 on the right one, 0 on both.
        posture: the row of the table from which all this comes.
    """

    time: float
    bent: Floats
    lifted: Floats
    foot: int
    posture: Posture

    @staticmethod
    def from_posture(time: float, posture: Posture, side: int) -> _Demand:
        """Return what an event around the body demands of the body.

        Args:
            time: of the event, [s].
            posture: that for a left hand; a right hand has the mirror image.
            side: 0 for the left hand, 1 for the right one.
        """
        bent = np.zeros(TRUNK_CHANNELS)
        bent[PELVIS.start + 1] = posture.rise
        bent[LEAN] = posture.lean
        bent[SHOULDER_TURN] = posture.twist
        lifts = np.array(posture.lifts)  # of the left and the right ankle: x, y, z, [m]
        opens = np.array(posture.opens)  # outward turns of the left and the right leg, [rad]
        # The body stands on the left foot (1) if the right one is lifted higher, and vice versa.
        foot = int(np.sign(lifts[1, 1] - lifts[0, 1]))
        if side:
            # In the mirror image left and right change, and x changes its sign.
            bent[_MIRRORED_CHANNELS] *= -1.0
            lifts = lifts[::-1] * (-1.0, 1.0, 1.0)
            opens = opens[::-1]
            foot = -foot
        lifted = np.concatenate([lifts.ravel(), opens])
        return _Demand(time, bent, lifted, foot, posture)


class _Support(NamedTuple):
    """A span of time in which a body stands on one foot, and the other leg is lifted, [s].

    Args:
        start: when the other foot leaves the floor.
        up: from when on it is up.
        down: when it begins to come down.
        end: when it stands again.
        foot: the standing foot, 1 the left one and −1 the right one; 0 for a demand that needs both
            feet, for which the times have no meaning.
    """

    start: float
    up: float
    down: float
    end: float
    foot: int


def _trunk_bends(demands: list[_Demand], times: Floats) -> tuple[Floats, Floats]:
    """Blend the bends of the trunk that several demands of one juggler ask for.

    Each demand counts most at its time, and not at all beyond its posture's lead from it.

    Args:
        demands: one or more.
        times: shape (T,), [s].

    Returns:
        The weighted mean of the bends, shape (T, `TRUNK_CHANNELS`), and how far the trunk goes
        there, from 0 where no demand counts to 1, shape (T,).
    """
    weights = np.stack(
        [_raised_cosine((times - demand.time) / demand.posture.lead) for demand in demands]
    )
    share = _united_share(weights)
    # Normalised to the sum 1 where any demand counts; elsewhere 1e-9 leaves them 0.
    weights /= np.maximum(weights.sum(axis=0), 1e-9)
    bent = np.einsum("dt,dc->tc", weights, np.stack([demand.bent for demand in demands]))
    return bent, share


def _leg_lifts(
    demands: list[_Demand], supports: list[_Support], times: Floats
) -> tuple[Floats, Floats]:
    """Blend where the lifted legs of one juggler are that several demands ask for.

    Args:
        demands: one or more.
        supports: when the body stands on one foot for each demand, in the same order.
        times: shape (T,), [s].

    Returns:
        Channels of the legs, 0 where both feet stand, shape (T, `LEG_CHANNELS`), and how far the
        left and the right leg are lifted, from 0 to 1, shape (T, 2).
    """
    channels = np.zeros((len(times), LEG_CHANNELS))
    lifted = np.zeros((len(times), 2))
    # The left leg (0) is lifted while the body stands on the right foot (−1), and vice versa.
    for leg, foot in ((0, -1), (1, 1)):
        on_foot = [
            (demand, support)
            for demand, support in zip(demands, supports, strict=True)
            if support.foot == foot
        ]
        if on_foot:
            # Each lift rises from `start` to `up`, and sinks from `down` to `end`.
            weights = np.stack(
                [
                    smoother_step((times - support.start) / (support.up - support.start))
                    * smoother_step((support.end - times) / (support.end - support.down))
                    for _, support in on_foot
                ]
            )
            lifted[:, leg] = _united_share(weights)
            # Scaled so that they sum to how far the leg is lifted: the channels are the weighted
            # mean of the demanded ones times that.
            weights *= lifted[:, leg] / np.maximum(weights.sum(axis=0), 1e-9)
            demanded = np.stack([demand.lifted for demand, _ in on_foot])
            channels += np.einsum("dt,dc->tc", weights, demanded)
    return channels, lifted


def _united_share(shares: Floats) -> Floats:
    """Combine several shares, from 0 to 1, into one: 1 − Π(1 − s), shape (D, T) to (T,).

    It is 0 where all of them are 0, 1 where any of them is 1, otherwise no less than the largest,
    and as smooth as they are, which their maximum would not be.
    """
    return np.asarray(1.0 - np.prod(1.0 - shares, axis=0))


def _supports(demands: list[_Demand]) -> list[_Support]:
    """When the body stands on one foot for each demand.

    Between standing on one foot and on the other, both feet should stand for `LEAST_SHIFT`. Where
    the demands leave less, the second leg is first held up for a shorter time before its event;
    then the first foot comes down, and the second one goes up, faster, as far as `_LEAST_LIFT`
    allows. What still lacks is accepted.

    Args:
        demands: of one juggler, in order of time.

    Returns:
        A support for each demand, in the same order.
    """
    # `held` is how long before and after its event a posture keeps the leg up, [s].
    ups = [demand.time - demand.posture.held[0] for demand in demands]
    downs = [demand.time + demand.posture.held[1] for demand in demands]
    starts = [up - FOOT_UP for up in ups]
    ends = [down + FOOT_DOWN for down in downs]
    on_one_foot = [index for index, demand in enumerate(demands) if demand.foot]
    for before, after in itertools.pairwise(on_one_foot):
        lacking = LEAST_SHIFT - (starts[after] - ends[before])
        if demands[before].foot != demands[after].foot and lacking > 0.0:
            delay = min(lacking, demands[after].posture.held[0] - _LEAST_HELD)
            starts[after] += delay
            ups[after] += delay
            lacking -= delay
            # Half of what lacks is taken from either foot's movement.
            room = ups[after] - downs[before] - 2 * _LEAST_LIFT
            hurry = min(lacking, max(room, 0.0)) / 2
            ends[before] -= hurry
            starts[after] += hurry
    feet = [demand.foot for demand in demands]
    return list(map(_Support, starts, ups, downs, ends, feet))


def _weight(supports: list[_Support], times: Floats) -> Floats:
    """Over which foot the weight of a body is at some times.

    Args:
        supports: spans on one foot, in order of time; before the first and after the last one the
            weight is between both feet.
        times: shape (T,), [s].

    Returns:
        Shape (T,): from 1, over the left foot, to −1, over the right one; 0 between both.
    """
    weight = np.zeros(len(times))
    for support in supports:
        is_over_foot = (times >= support.start + _WEIGHT_LEAD) & (
            times <= support.end - _WEIGHT_LEAD
        )
        weight[is_over_foot] = support.foot
    for support, following in itertools.pairwise(supports):
        gap = following.start - support.end + 2 * _WEIGHT_LEAD
        since = times - (support.end - _WEIGHT_LEAD)
        is_in_gap = (since > 0.0) & (since < gap)
        weight[is_in_gap] = _weight_between(since[is_in_gap], gap, support.foot, following.foot)
    return weight


def _weight_between(since: Floats, gap: float, foot: int, following: int) -> Floats:
    """Over which foot the weight is on its way from one single support to the next.

    Args:
        since: time since the way began, shape (N,), 0 to `gap`, [s].
        gap: how long the way takes, [s].
        foot, following: the foot at its start and at its end, 1 or −1.

    Returns:
        Shape (N,): 1 over the left foot, −1 over the right one, 0 between both.
    """
    # A long gap has time for the way to the middle, a rest there, and the way from the middle.
    if gap >= 2 * SHIFT:
        return foot * smoother_step(1.0 - since / SHIFT) + following * smoother_step(
            1.0 - (gap - since) / SHIFT
        )
    if foot != following:
        return foot + (following - foot) * smoother_step(since / gap)
    # Back to the same foot: toward the middle and back by a smooth bump, the less far the shorter
    # the gap is, so that the acceleration stays bounded.
    depth = min(gap / (2 * SHIFT), 1.0) ** 3
    return foot * (1.0 - depth * np.sin(np.pi * since / gap) ** 4)


def _raised_cosine(offset: Floats) -> Floats:
    """A smooth bump, cos²(π x / 2): 1 at the offset x = 0, and 0 from x = ±1 on."""
    return np.asarray(np.cos(np.minimum(np.abs(offset), 1.0) * (np.pi / 2)) ** 2)
