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
    PELVIS_UP,
    SHOULDER_TURN,
    SIDEWAYS,
    TRUNK_CHANNELS,
)
from juggle_anim.choreography import BODY_THROWS, Events, Posture
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import (
    FACING,
    PLACE,
    Bodies,
    Motion,
    PeriodicSpline,
    PiecewisePolynomial,
    successors,
)
from juggle_anim.vectors import rotate_about_y, smoother_step, wrap_angle

# When a body comes to rest, a foot farther from its target than this steps there, [m] and [rad].
_REST_TOLERANCE = 0.015
_REST_TURN_TOLERANCE = np.radians(4.0)

# Least distance of the feet in sidesteps, and the softness of this bound, [m].
_MIN_FOOT_DISTANCE = 0.16
_SOFTNESS = 0.015

# Height of a step, its increase per metre and per radian of the step, and its limit, [m].
_LIFT = 0.03
_LIFT_PER_METRE = 0.10
_LIFT_PER_RADIAN = 0.04
_MAX_LIFT = 0.12

# Feet keep this far apart, also on the way; and a step goes aside by no more than this for it, [m].
_FOOT_CLEARANCE = 0.105
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

STANDING_SWAY = 0.08
STANDING_TURN = np.radians(20.0)
"""A body that sways and turns by less than this to either side keeps its feet in place, [m] and
[rad].
"""

# The cadence keeps stance and turn of a step within these, [m] and [rad].
_EASY_STANCE = 0.22
_EASY_TURN = np.radians(60.0)

# Factor of a sideways speed in the cadence, since legs must not cross.
_SIDEWAYS_FACTOR = 2.0

# A body that rises and sinks by more than this flies, [m].
_MAX_LEVEL_RISE = 0.01

# The cadence is raised this long before and after a fast movement, [s].
_CADENCE_LEAD = 0.4

# Columns of a foot's place on the floor, x and z, and of its height; feet have the columns x, y, z
# of the ankle, [m], and the turn about +y, [rad].
_FLOOR_XZ = [0, 2]
_VERTICAL = 1

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
        """Feet in the world at T times, left then right, shape (T, J, 2, 4).

        Columns are x, y, z of the ankle, [m], and the turn of the foot about +y, [rad].
        """
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
            times: T times, shape (T,), [s].
            standing: where bodies stand in the world, shape (T, J, 1, 3), [m].
            facing: turns of bodies about +y, shape (T, J, 1), [rad].
            jugglers: indices of the J jugglers to whom these bodies belong.

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

    Left and right foot may step in turn. At each of these opportunities a foot has a target, the
    place at ease under the body in the middle of the foot's next stance. It steps there if it is
    far from its target, or somewhat off and the body has come to rest.

    Args:
        motion: paths of bodies, of which one moves at least.

    Returns:
        None where no juggler steps: all bodies glide.
    """
    cadence = plan_cadence(motion.bodies, motion.duration)
    if cadence.glide.all():
        return None
    targets = _foot_targets(motion.bodies, cadence)
    is_step = _choose_steps(targets, cadence)
    return Steps(_foot_paths(targets, is_step, cadence), cadence.glide)


def _foot_targets(bodies: Bodies, cadence: Cadence) -> Floats:
    """Targets of feet in the world, at each opportunity to step, shape (J, 2, opportunities, 4).

    The last axis has x, y, z of the ankle, [m], and the turn of the foot about +y, [rad]. Rows
    beyond the opportunities of a body are padding.

    Args:
        bodies: paths of J bodies.
        cadence: when each foot may step.
    """
    body = np.arange(len(cadence.pairs))[:, None, None]
    # Step 2i is opportunity i of the left foot, and step 2i + 1 that of the right one.
    step = 2 * np.arange(cadence.pairs.max(initial=1)) + np.arange(2)[:, None]
    # A foot's next stance lasts from the end of this step to its own next opportunity.
    lands = cadence.time(body, step + 1)
    leaves = cadence.time(body, step + 2)
    located = bodies.paths.locate(body, (lands + leaves) / 2)
    places = bodies.paths.evaluate(*located)
    speeds = bodies.paths.evaluate(*located, 1)
    # Bodies that hardly move keep their feet in the middle of their range.
    stays = cadence.stay[:, None, None]
    widening = np.where(stays, 0.0, _widening(sideways_speed(places, speeds) * (leaves - lands)))
    places = np.where(stays[..., None], cadence.middle[:, None, None], places)
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
    """Additional distance between the feet for a sidestep, so that legs do not cross, [m].

    Args:
        sidestep: distance that the body moves sideways in a stance, of any shape, 0 or more, [m].
    """
    # A smooth maximum of 0 and x, (x + √(x² + 4s²)) / 2 with the softness s.
    missing = sidestep - (2 * ANKLES[0, 0] - _MIN_FOOT_DISTANCE)
    return (missing + np.hypot(missing, 2 * _SOFTNESS)) / 2


def _choose_steps(targets: Floats, cadence: Cadence) -> Booleans:
    """Decide at which opportunities feet step, shape (J, 2, opportunities).

    For each foot one round of the loop is simulated, in which a foot that stands near its target
    stays. The round begins after the foot's longest step and ends with that step, which is made
    unless the foot is there already, so that the loop closes.

    Args:
        targets: of feet at their opportunities, shape (J, 2, opportunities, 4), from
            `_foot_targets`.
        cadence: the opportunities.
    """
    count = targets.shape[2]
    body, side = np.ogrid[: len(targets), :2]
    pairs = cadence.pairs[:, None]
    first = _longest_step(targets, cadence)
    foot = targets[body, side, first]
    is_step = np.zeros(targets.shape[:3], dtype=bool)
    for offset in range(1, count + 1):
        opportunity = (first + offset) % pairs
        following = (first + offset + 1) % pairs
        target = targets[body, side, opportunity]
        # Where the body has come to rest, as the next target is nearly the same, a foot comes
        # nearer to its target than on the way.
        is_at_rest = _is_near(
            targets[body, side, following], target, _REST_TOLERANCE / 3, _REST_TURN_TOLERANCE / 3
        )
        stays = np.where(
            is_at_rest,
            _is_near(target, foot, _REST_TOLERANCE, _REST_TURN_TOLERANCE),
            _is_near(target, foot, STANDING_SWAY, STANDING_TURN),
        )
        # A foot's round ends with its first opportunity, after `pairs` of them.
        is_last = offset == pairs
        moves = np.where(is_last, (target != foot).any(axis=-1), ~stays) & (offset <= pairs)
        is_step[body, side, opportunity] |= moves
        foot = np.where(moves[..., None], target, foot)
    return is_step


def _longest_step(targets: Floats, cadence: Cadence) -> Integers:
    """Index of the opportunity whose target is farthest from the one before, shape (J, 2).

    Args:
        targets: of left and right feet at their opportunities to step, shape
            (J, 2, opportunities, 4): x, y and z of the ankle, [m], and the turn of the foot, [rad].
            Those of a body with fewer opportunities are padded.
        cadence: tells how many opportunities the feet of each body have in a loop (`pairs`, as both
            feet have as many).
    """
    body, side, opportunity = np.ogrid[: targets.shape[0], : targets.shape[1], : targets.shape[2]]
    count = cadence.pairs[:, None, None]
    # The first opportunity comes after the last one of the loop before.
    change = targets - targets[body, side, (opportunity - 1) % count]
    distance = np.hypot(change[..., 0], change[..., 2])  # on the floor
    is_padding = opportunity >= count
    return np.where(is_padding, -1.0, distance).argmax(axis=2)


def _is_near(foot: Floats, place: Floats, distance: float, angle: float) -> Booleans:
    """Whether feet are within a distance on the floor, [m], and an angle, [rad], of places, (...).

    Args:
        foot, place: x, y, z, [m], and turn, [rad], shape (..., 4).
        distance, angle: the tolerances.
    """
    change = foot - place
    return (np.hypot(change[..., 0], change[..., 2]) < distance) & (
        np.abs(wrap_angle(change[..., FACING])) < angle
    )


def _foot_paths(targets: Floats, is_step: Booleans, cadence: Cadence) -> PiecewisePolynomial:
    """Return the paths of feet: a piece for each step, and one for the stance after it.

    Args:
        targets: of feet at their opportunities, shape (J, 2, opportunities, 4), from
            `_foot_targets`.
        is_step: at which opportunities feet step, shape (J, 2, opportunities).
        cadence: when the opportunities are.

    Returns:
        Path 2 · juggler + side for each foot, as in `Steps`; a foot that never steps has one piece.
    """
    # N steps, each with the index of the previous step of the same foot, and of the other foot.
    # Step 2 · opportunity + side of a body begins when the one before it, of the other foot, ends.
    body, side, opportunity = np.nonzero(is_step)
    begins = cadence.time(body, 2 * opportunity + side)
    ends = cadence.time(body, 2 * opportunity + side + 1)
    last_steps, other_steps = _previous_steps(is_step)
    last_step = last_steps[body, side, opportunity]
    other_step = other_steps[body, side, opportunity]
    landings = targets[body, side, opportunity]
    other_never_steps = other_step < 0
    only_target = targets[body, 1 - side, 0]

    def other_feet(landings: Floats) -> Floats:
        """Place of the other foot during each step, shape (N, 4); its target if it never steps."""
        return np.where(other_never_steps[:, None], only_target, landings[other_step])

    # A foot that is moved may come too near to the other one's next place, hence the rounds.
    for _ in range(_ROUNDS):
        landings = _pushed_apart(landings, other_feet(landings))
    swings = _step_polynomials(landings[last_step], landings, ends - begins, other_feet(landings))
    # Pieces: the steps, the stances after them, and the feet that never step.
    still_body, still_side = np.nonzero(~is_step.any(axis=2))
    moving_path = 2 * body + side
    still_path = 2 * still_body + still_side
    path = np.concatenate([moving_path, moving_path, still_path])
    # A stance that begins with the end of the loop begins with its start.
    stance_begins = np.where(ends < cadence.duration, ends, 0.0)
    start = np.concatenate([begins, stance_begins, np.zeros(len(still_body))])
    # Stances are constant, so only the first of their coefficients, of the power 0 of the time, is
    # not 0.
    standing = np.concatenate([landings, targets[still_body, still_side, 0]])
    zeros = np.zeros((len(standing), len(_PROGRESS) - 1, standing.shape[1]))
    stances = np.concatenate([standing[:, None], zeros], axis=1)
    order = np.lexsort((start, path))
    coefficients = np.concatenate([swings, stances])[order]
    return PiecewisePolynomial(
        np.full(2 * len(targets), cadence.duration), path[order], start[order], coefficients
    )


def _previous_steps(is_step: Booleans) -> tuple[Integers, Integers]:
    """Find the previous step of the same foot, and that of the other foot, at each opportunity.

    Args:
        is_step: at which opportunities feet step, shape (J, 2, opportunities).

    Returns:
        Indices of the previous step of the same foot and of the other foot, in the order of
        `np.nonzero(is_step)`, shape (J, 2, opportunities) each; −1 for a foot that never steps.
    """
    # The index of the step at each opportunity, −1 without a step.
    step = np.where(is_step, np.cumsum(is_step).reshape(is_step.shape) - 1, -1)
    # The latest step of a foot up to each opportunity, this one included: along a foot's
    # opportunities indices grow, and before the first step of a loop comes the last one.
    latest = np.maximum.accumulate(step, axis=2)
    last_of_loop = latest[:, :, -1:]
    latest = np.where(latest < 0, last_of_loop, latest)
    before = np.concatenate([last_of_loop, latest[:, :, :-1]], axis=2)
    # At each opportunity the left foot goes first. So the right foot has not gone yet when the left
    # one does, and the left foot has when the right one does.
    other_of_left = before[:, 1]
    other_of_right = latest[:, 0]
    return before, np.stack([other_of_left, other_of_right], axis=1)


def _pushed_apart(feet: Floats, other_feet: Floats) -> Floats:
    """Move feet straight away from the other foot until they are `_FOOT_CLEARANCE` apart.

    Args:
        feet: N feet in the world, shape (N, 4): x, y, z of the ankle, [m], and turn, [rad].
        other_feet: the other foot of the same juggler for each, likewise.

    Returns:
        Shape (N, 4), `feet` with other x and z; those that are far enough stay.
    """
    from_other = (feet - other_feet)[:, _FLOOR_XZ]
    distance = np.hypot(*from_other.T)
    # A distance d must grow by the share clearance / d − 1 of itself. Feet nearer than 1 mm have
    # hardly any direction in which to move apart, so their share is limited.
    missing_share = np.maximum(_FOOT_CLEARANCE / np.maximum(distance, 1e-3) - 1.0, 0.0)
    shifted = feet.copy()
    shifted[:, _FLOOR_XZ] += missing_share[:, None] * from_other
    return shifted


def _step_polynomials(start: Floats, end: Floats, duration: Floats, other_foot: Floats) -> Floats:
    """Polynomials of N steps in time, which begin and end at rest.

    A foot goes straight from start to end, apart from a lift and a detour around the other foot.
    Longer steps and greater turns are lifted higher, up to `_MAX_LIFT`.

    Args:
        start, end: feet in the world, shape (N, 4): x, y, z of the ankle, [m], and turn, [rad].
        duration: of each step, shape (N,), [s].
        other_foot: where the other foot stands during the step, shape (N, 4), likewise.

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
    swings[:, :, _VERTICAL] += np.minimum(lift, _MAX_LIFT)[:, None] * _HEIGHT
    swings[:, :, _FLOOR_XZ] += (
        _detours_around_feet(start, change, other_foot)[:, None] * _HEIGHT[:, None]
    )
    # The phase is time / duration, so the coefficient of power k of the time is divided by
    # duration ** k.
    swings /= duration[:, None, None] ** np.arange(len(_PROGRESS))[:, None]
    swings[:, 0] += start
    return swings


def _detours_around_feet(start: Floats, change: Floats, other_foot: Floats) -> Floats:
    """Sideways displacements of N steps that keep `_FOOT_CLEARANCE` from the standing foot.

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
    # be `_FOOT_CLEARANCE` c away from it there, its distance across must be √(c² − ahead²). The
    # straight step has |offset| of that, and a detour d adds d · height: d = lacking / height.
    progress = np.polynomial.polynomial.polyval(_PHASES, _PROGRESS)
    height = np.polynomial.polynomial.polyval(_PHASES, _HEIGHT)
    ahead = (along * from_other).sum(axis=1)[:, None] + length[:, None] * progress
    lacking = np.sqrt(np.maximum(_FOOT_CLEARANCE**2 - ahead**2, 0.0)) - np.abs(offset)[:, None]
    return np.clip((lacking / height).max(axis=1), 0.0, _MAX_DETOUR)[:, None] * across


@dataclass(frozen=True)
class Cadence:
    """When J jugglers may step in a loop, from `plan_cadence`.

    Args:
        pairs: number of opportunities that each foot of a juggler has in a loop, shape (J,).
        begins: times at which left and right foot may begin to step, in turn, shape (J, steps),
            [s]; rows of jugglers with fewer steps are padded.
        duration: of the loop, [s].
        middle: midrange of each body's places [m] and turns [rad], shape (J, 4).
        stay: jugglers who move too little to step, shape (J,).
        glide: jugglers who cannot step, being too fast or in the air, shape (J,).
    """

    pairs: Integers
    begins: Floats
    duration: float
    middle: Floats
    stay: Booleans
    glide: Booleans

    def time(self, juggler: Integers, step: Integers) -> Floats:
        """Time at which steps begin, from the start of the first loop on, [s].

        Args:
            juggler: indices of jugglers.
            step: 2 · opportunity + side, of a shape that broadcasts with `juggler`; beyond the
                last one of a loop steps go on in the next loop.
        """
        loop, step_in_loop = np.divmod(step, 2 * self.pairs[juggler])
        return self.begins[juggler, step_in_loop] + loop * self.duration


def plan_cadence(bodies: Bodies, duration: float) -> Cadence:
    """Plan when jugglers may step: more often, the faster they move and turn.

    The rate of steps follows the speed, smoothed and raised ahead of fast movements, and is scaled
    so that a whole number of pairs of steps fits into the loop. Jugglers who move too little to
    step stay: their feet remain where they are. Those who cannot step, as they are too fast or rise
    from the floor, glide: their feet are carried along with the body.

    Args:
        bodies: paths of J bodies.
        duration: of the loop, [s].

    Returns:
        For each juggler the number of pairs of a left and a right step, when each step may begin,
        and whether the juggler stays or glides; those who do have one pair.
    """
    jugglers = len(bodies.paths.periods)
    count = max(_MIN_SAMPLES, min(round(duration / _SAMPLE_TIME), _MAX_SAMPLES // jugglers))
    interval = duration / count
    # T times around the loop. Places and speeds have the shape (T, J, 4), what is derived from them
    # for each time (T, J), and what holds for the whole loop (J,).
    times = np.arange(float(count)) * interval
    places = bodies.places(times)
    speeds = bodies.places(times, 1)
    speed = walking_speed(places, speeds)
    spin = np.abs(speeds[..., FACING])
    # Who stays: places are x, height and z [m] and the turn `FACING` [rad]; half the range of each.
    middle, half = _midrange_and_half_width(places)
    stay = (np.hypot(half[:, 0], half[:, 2]) < STANDING_SWAY) & (half[:, FACING] < STANDING_TURN)
    # The number of pairs, from the integral of the rate of steps; 1 in a loop too short for more.
    rate = _easy_rate(speed, spin, interval)
    steps_until = np.cumsum(rate, axis=0) * interval
    most_pairs = duration // (2 * MIN_STEP_TIME)
    pairs = np.maximum(1, np.minimum(np.rint(steps_until[-1] / 2), most_pairs)).astype(np.intp)
    # Who glides. With the rounded number of steps all steps last longer or shorter by the same
    # factor. A foot stands for one step time, in which the body passes over it; at the end it is
    # ahead of the foot by what it goes in half of that. In its own step a foot turns by as much as
    # the body turns in two.
    step_time = steps_until[-1] / (2 * pairs) / rate
    is_too_fast = (speed * step_time / 2 > MAX_STANCE) | (2 * spin * step_time > MAX_FOOT_TURN)
    is_crowded = (2 * pairs * MIN_STEP_TIME > duration) | (pairs > _MAX_STEPS // jugglers)
    rises = half[:, _VERTICAL] > _MAX_LEVEL_RISE / 2
    glide = rises | ((is_too_fast.any(axis=0) | is_crowded) & ~stay)
    pairs = np.where(stay | glide, 1, pairs)
    return Cadence(
        pairs=pairs,
        begins=_step_times(steps_until, pairs, duration),
        duration=duration,
        middle=middle,
        stay=stay,
        glide=glide,
    )


def _easy_rate(speed: Floats, spin: Floats, interval: float) -> Floats:
    """Steps a second with which stances and turns of feet stay easy, smoothed, shape (T, J).

    Args:
        speed, spin: how fast bodies walk, [m/s], and turn, [rad/s], at even moments of the loop,
            shape (T, J).
        interval: time from moment to moment, [s].
    """
    # A foot stands for the time of one step, in which the body passes over it from `_EASY_STANCE`
    # before it to as much behind it; in its own step it turns by as much as the body in two steps.
    needed_rate = np.maximum(speed / (2 * _EASY_STANCE), 2 * spin / _EASY_TURN)
    return _smoothed_rate(np.clip(needed_rate, 1 / MAX_STEP_TIME, 1 / MIN_STEP_TIME), interval)


def walking_speed(places: Floats, speeds: Floats) -> Floats:
    """Speeds over the floor whose sideways component is scaled by `_SIDEWAYS_FACTOR`, (…), [m/s].

    Args:
        places, speeds: x, y, z and turn of bodies, and their derivatives, shape (…, 4), [m], [rad]
            and per second, as in `Bodies.places`.
    """
    # √(v² + (k² − 1) s²) has the sideways part s of v multiplied by k.
    return np.hypot(
        np.hypot(speeds[..., 0], speeds[..., 2]),
        np.sqrt(_SIDEWAYS_FACTOR**2 - 1) * sideways_speed(places, speeds),
    )


def sideways_speed(places: Floats, speeds: Floats) -> Floats:
    """Sideways speeds of bodies, 0 or more, (…), [m/s]; arguments as in `walking_speed`."""
    return np.abs(
        speeds[..., 0] * np.cos(places[..., FACING]) - speeds[..., 2] * np.sin(places[..., FACING])
    )


def _midrange_and_half_width(places: Floats) -> tuple[Floats, Floats]:
    """Middles and half widths of the ranges of places over time, shape (T, J, 4) to (J, 4) each."""
    lowest = places.min(axis=0)
    highest = places.max(axis=0)
    return (lowest + highest) / 2, (highest - lowest) / 2


def _smoothed_rate(rate: Floats, interval: float) -> Floats:
    """Smooth rates around a loop without lowering any: a running maximum, then a running mean.

    Both windows extend over `_CADENCE_LEAD` to either side, so that rates are raised before and
    after each high value.

    Args:
        rate: rates of J jugglers at T evenly spaced moments of the loop, shape (T, J), [1/s].
        interval: time from moment to moment, [s].

    Returns:
        Smoothed rates, shape (T, J), [1/s].
    """
    # Moments to either side; at most half the loop, so that a window holds no moment twice or more,
    # except for the one half a loop away.
    span = min(int(np.ceil(_CADENCE_LEAD / interval)), len(rate) // 2)
    shifts = range(-span, span + 1)
    highest = np.max([np.roll(rate, shift, axis=0) for shift in shifts], axis=0)
    return np.mean([np.roll(highest, shift, axis=0) for shift in shifts], axis=0)


def _step_times(steps_until: Floats, pairs: Integers, duration: float) -> Floats:
    """Times at which steps begin, evenly spaced in the integral of the rate of steps.

    Args:
        steps_until: integral of the rate until the end of each sample, shape (samples, J).
        pairs: number of pairs of steps of each juggler, shape (J,).
        duration: of the loop, [s].

    Returns:
        Shape (J, 2 · largest number of pairs), [s]; padded beyond a juggler's last step.
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


FOOT_LIFT_TIME = 0.355
FOOT_LOWER_TIME = 0.375
"""Duration of lifting a foot, and of putting it down, [s]."""

WEIGHT_SHIFT_TIME = 0.40
MIN_DOUBLE_SUPPORT = 0.22
"""Time in which the weight goes from one foot to the middle between both, and least time in which
both feet stand between two single supports, [s].
"""

LEG_KNOT_RATE = 30.0
"""Knots a second of how legs are lifted."""

# A leg is up for this long at least before and after its throw, however soon one under the other
# leg follows, [s].
_MIN_UP_TIME = 0.05

# A leg under which the other side's hand throws is up so long before, if there is time: that hand
# comes down between both legs, past the knee. [s]
_UP_BEFORE_OTHER_HAND = 0.26

# No throw or catch affects a body earlier or later than this, [s].
_MAX_LEAD = 1.5

# A foot that hurries takes this long at least to be lifted or put down, [s].
_MIN_LIFT_TIME = 0.1

# The weight begins to leave a foot this long before the other one stands, and is over a foot this
# long after the other one has left the floor, as it is still within the edge of the foot then, [s].
_WEIGHT_LEAD = 0.03


class Stances(NamedTuple):
    """How J jugglers stand at T times, as throws around their bodies demand.

    Args:
        legs: lifts of the ankles and outward turns of the legs, channels of `pose_legs`, shape
            (T, J, `LEG_CHANNELS`).
        trunk_posture: the demanded channels of `pose_trunk`, shape (T, J, `TRUNK_CHANNELS`).
        posture_share: weight of `trunk_posture` against the trunk's channels at ease, from 0 to 1,
            shape (T, J, 1).
        weight: the foot that bears the weight: from 1, the left one, to −1, the right one; 0
            between both, shape (T, J, 1).
        lift_share: height of the left and of the right leg, from 0 for a leg that stands to 1 for
            one that is lifted as its throw demands, shape (T, J, 2).
    """

    legs: Floats
    trunk_posture: Floats
    posture_share: Floats
    weight: Floats
    lift_share: Floats

    def for_jugglers(self, jugglers: Integers) -> Stances:
        """Select the stances of K jugglers by their indices, shape (K,)."""
        return Stances(*(values[:, jugglers] for values in self))

    def with_offsets(self, offsets: Floats) -> Floats:
        """Channels of legs with offsets added, which are scaled by how far each leg is lifted.

        Offsets of a leg that stands have no effect.

        Args:
            offsets: shape (..., T, J, `LEG_CHANNELS`), [m] and [rad].

        Returns:
            Shape (..., T, J, `LEG_CHANNELS`).
        """
        left = self.lift_share[..., :1]
        right = self.lift_share[..., 1:]
        # As the channels: x, y, z of the left and the right ankle, and the turns of both legs.
        return self.legs + offsets * np.concatenate([left] * 3 + [right] * 3 + [left, right], -1)


def stances_at(motion: Motion, times: Floats, jugglers: Integers) -> Stances | None:
    """Plan how J jugglers stand while they throw and catch around their bodies.

    Each throw or catch around the body demands a posture of the trunk and perhaps a lifted leg.
    From the demands of one juggler follow the single supports, then the lifts of the legs and the
    place of the weight.

    Args:
        motion: its choreography has the throws and catches.
        times: T times, shape (T,), [s], any value, as the loop repeats.
        jugglers: indices of the J jugglers, shape (J,).

    Returns:
        Zeros for a juggler without throws or catches around the body; None if nobody makes any.
    """
    events = motion.unhurried.events
    loop = motion.duration
    if events.body_throw is None:
        return None
    held = _times_to_points_beside(events, loop)
    shape = (len(times), len(jugglers))
    legs = np.zeros((*shape, LEG_CHANNELS))
    trunk_posture = np.zeros((*shape, TRUNK_CHANNELS))
    posture_share = np.zeros((*shape, 1))
    weight = np.zeros((*shape, 1))
    lift_share = np.zeros((*shape, 2))
    body_events = np.flatnonzero(events.body_throw)
    # All times are brought into one loop. Events of so many loops before and after reach into it.
    times = times % loop
    loops = 1 + int(_MAX_LEAD / loop)
    loop_starts = np.arange(-loops, loops + 1) * loop
    for index, juggler in enumerate(jugglers):
        rows = body_events[events.hand[body_events] // 2 == juggler]
        if not rows.size:
            continue
        # In order of time.
        demands = [
            _BodyDemand.from_posture(
                events.time[row] + loop_start,
                BODY_THROWS[events.body_throw[row] - 1].posture,
                int(events.hand[row]) % 2,
                held[row],
            )
            for loop_start in loop_starts
            for row in rows[np.argsort(events.time[rows], kind="stable")]
        ]
        supports = _single_supports(demands)
        legs[:, index], lift_share[:, index] = _leg_lifts(demands, supports, times)
        # Both feet stand farther outward all the time, by the widest stance of all demands. `LIFTS`
        # are x, y and z of the left and of the right ankle, with x to the left.
        stance = max(demand.posture.stance for demand in demands)
        legs[:, index, LIFTS] += stance * np.array([1.0, 0.0, 0.0, -1.0, 0.0, 0.0])
        trunk_posture[:, index], posture_share[:, index, 0] = _blended_postures(demands, times)
        single_supports = [support for support in supports if support.foot]
        weight[:, index, 0] = _weight_shift(single_supports, times)
    return Stances(legs, trunk_posture, posture_share, weight, lift_share)


def _times_to_points_beside(events: Events, loop: float) -> Floats:
    """Times from the point that a hand passes before each event, and to that after it, (E, 2), [s].

    They are `_MIN_UP_TIME` at least, as beside another throw or catch, which is no such point.

    Args:
        events: E events of all hands.
        loop: duration of the loop, [s].
    """
    order = np.lexsort((events.time, events.hand))
    following, gap = successors(events.hand[order], events.time[order], loop)
    is_passed = ~events.is_throw_or_catch[order]
    times = np.empty((len(order), 2))
    times[order[following], 0] = np.where(is_passed, gap, 0.0)
    times[order, 1] = np.where(is_passed[following], gap, 0.0)
    return np.maximum(times, _MIN_UP_TIME)


def lifted_legs(
    motion: Motion, leg_offsets: PeriodicSpline, stretch: Stretch | None = None
) -> PeriodicSpline:
    """Sample the legs that throws around bodies demand, with offsets, as a spline over a loop.

    Args:
        motion: its choreography has throws or catches that go around bodies, which lift legs.
        leg_offsets: spline of what a plan adds to the channels of lifted legs, control values of
            shape (N, J, `LEG_CHANNELS`), [m] and [rad]; it has no effect on legs that stand.
        stretch: the part of the loop that is wanted, and its knots; None for all.

    Returns:
        Spline of the channels of `pose_legs`, a control value at each knot, shape
        (knots, J, `LEG_CHANNELS`).
    """
    if stretch is None:
        # An even number, so that mirrored halves of a loop get mirrored splines.
        knots = 2 * max(2, round(motion.duration * LEG_KNOT_RATE / 2))
        stretch = Stretch(knots, motion.duration)
    times = stretch.times(1)  # those of the knots
    stances = stances_at(motion, times, np.arange(motion.choreography.jugglers))
    assert stances
    legs = stances.with_offsets(leg_offsets.at(times))
    # A cubic B-spline is the sixth of the second difference of its control values nearer to their
    # middle than these: less this, they make it pass the values at the knots, nearly.
    second_difference = np.roll(legs, 1, axis=0) - 2.0 * legs + np.roll(legs, -1, axis=0)
    return PeriodicSpline(legs - second_difference / 6.0, stretch.duration, stretch.start)


@dataclass(frozen=True)
class _BodyDemand:
    """What one throw or catch around the body demands of trunk and legs.

    Args:
        time: of the event, [s].
        trunk: channels of the trunk at that time, shape (`TRUNK_CHANNELS`,).
        legs: channels of the legs at that time, shape (`LEG_CHANNELS`,).
        foot: the standing foot, 1 for the left one, −1 for the right one; 0 for both.
        posture: the posture of the table of body throws, as for a left hand.
        held: for how long before and after the event a lifted leg is up, shape (2,), [s].
    """

    time: float
    trunk: Floats
    legs: Floats
    foot: int
    posture: Posture
    held: Floats

    @staticmethod
    def from_posture(time: float, posture: Posture, side: int, held: Floats) -> _BodyDemand:
        """Convert the posture of an event to channels, mirrored for a right hand.

        Args:
            time: of the event, [s].
            posture: the posture for a left hand.
            side: side of the hand, 0 left or 1 right.
            held: for how long before and after the event a lifted leg is up, shape (2,), [s].
        """
        trunk = np.zeros(TRUNK_CHANNELS)
        trunk[PELVIS_UP] = posture.rise
        trunk[LEAN] = posture.lean
        trunk[SHOULDER_TURN] = posture.twist
        lifts = np.array(posture.lifts)  # of the left and the right ankle: x, y, z, [m]
        leg_turns = np.array(posture.opens)  # outward turns of the left and the right leg, [rad]
        # The body stands on the left foot (1) if the right one is lifted higher, and vice versa.
        left_height, right_height = lifts[:, 1]
        foot = int(np.sign(right_height - left_height))
        if side:
            # In the mirror image left and right are exchanged, and x changes its sign.
            trunk[list(SIDEWAYS)] *= -1.0
            lifts = lifts[::-1] * (-1.0, 1.0, 1.0)
            leg_turns = leg_turns[::-1]
            foot = -foot
        legs = np.concatenate([lifts.ravel(), leg_turns])
        if foot == 1 - 2 * side:  # the foot of the hand's own side stands
            held = np.maximum(held, (_UP_BEFORE_OTHER_HAND, 0.0))
        return _BodyDemand(time, trunk, legs, foot, posture, held)


class _SingleSupport(NamedTuple):
    """A span of time in which a body stands on one foot and the other leg is lifted, times in [s].

    Args:
        start: when the other foot leaves the floor.
        up: when its lift is complete.
        down: when it begins to come down.
        end: when it is on the floor again.
        foot: the standing foot, 1 for the left one and −1 for the right one; 0 for a demand of both
            feet, for which the times have no meaning.
    """

    start: float
    up: float
    down: float
    end: float
    foot: int


def _blended_postures(demands: list[_BodyDemand], times: Floats) -> tuple[Floats, Floats]:
    """Blend the postures of the trunk that one juggler's throws and catches demand.

    The weight of a demand is a raised cosine, 1 at its time and 0 from its posture's lead on.

    Args:
        demands: one or more, of one juggler.
        times: T times, shape (T,), [s].

    Returns:
        The weighted mean of the demanded channels, shape (T, `TRUNK_CHANNELS`), and the weight of
        this mean against the posture at ease, from 0 to 1, shape (T,).
    """
    weights = np.stack(
        [_raised_cosine((times - demand.time) / demand.posture.lead) for demand in demands]
    )
    share = _combined_share(weights)
    # Normalised to the sum 1 where any demand counts; elsewhere 1e-9 leaves them 0.
    weights /= np.maximum(weights.sum(axis=0), 1e-9)
    posture = np.einsum("dt,dc->tc", weights, np.stack([demand.trunk for demand in demands]))
    return posture, share


def _leg_lifts(
    demands: list[_BodyDemand], supports: list[_SingleSupport], times: Floats
) -> tuple[Floats, Floats]:
    """Blend the lifts of legs that one juggler's throws and catches demand.

    Args:
        demands: one or more, of one juggler.
        supports: the single support of each demand, in the same order.
        times: T times, shape (T,), [s].

    Returns:
        Channels of the legs, 0 where both feet stand, shape (T, `LEG_CHANNELS`), and how far the
        left and the right leg are lifted, from 0 to 1, shape (T, 2).
    """
    channels = np.zeros((len(times), LEG_CHANNELS))
    lift_share = np.zeros((len(times), 2))
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
            lift_share[:, leg] = _combined_share(weights)
            # Channels are the weighted mean of the demanded ones, scaled by the share of the lift.
            weights *= lift_share[:, leg] / np.maximum(weights.sum(axis=0), 1e-9)
            demanded = np.stack([demand.legs for demand, _ in on_foot])
            channels += np.einsum("dt,dc->tc", weights, demanded)
    return channels, lift_share


def _combined_share(shares: Floats) -> Floats:
    """Smooth union of D shares from 0 to 1: 1 − Π(1 − s), shape (D, T) to (T,).

    It is 0 where all shares are 0, 1 where any share is 1, and otherwise no less than the largest;
    unlike their maximum, it is as smooth as the shares.
    """
    return np.asarray(1.0 - np.prod(1.0 - shares, axis=0))


def _single_supports(demands: list[_BodyDemand]) -> list[_SingleSupport]:
    """Schedule the single support of each demand.

    Between standing on one foot and on the other, both feet should stand for `MIN_DOUBLE_SUPPORT`.
    Where the demands leave less, the first leg is held up for a shorter time after its event, and
    the second one before its own; then the first foot comes down, and the second one goes up,
    faster, as far as `_MIN_LIFT_TIME` allows. If both feet still stand for less, that is accepted.

    Args:
        demands: of one juggler, in order of time.

    Returns:
        A support for each demand, in the same order.
    """
    ups = [demand.time - demand.held[0] for demand in demands]
    downs = [demand.time + demand.held[1] for demand in demands]
    starts = [up - FOOT_LIFT_TIME for up in ups]
    ends = [down + FOOT_LOWER_TIME for down in downs]
    on_one_foot = [index for index, demand in enumerate(demands) if demand.foot]
    for before, after in itertools.pairwise(on_one_foot):
        lacking = MIN_DOUBLE_SUPPORT - (starts[after] - ends[before])
        if demands[before].foot != demands[after].foot and lacking > 0.0:
            # Each leg gives the same share of the time for which it may be held up less.
            early = demands[before].held[1] - _MIN_UP_TIME
            late = demands[after].held[0] - _MIN_UP_TIME
            share = lacking / max(early + late, lacking)
            downs[before] -= share * early
            ends[before] -= share * early
            starts[after] += share * late
            ups[after] += share * late
            # Half of the time that is still lacking is taken from the movement of each foot.
            lacking -= share * (early + late)
            room = ups[after] - downs[before] - 2 * _MIN_LIFT_TIME
            hurry = min(lacking, max(room, 0.0)) / 2
            ends[before] -= hurry
            starts[after] += hurry
    feet = [demand.foot for demand in demands]
    return list(map(_SingleSupport, starts, ups, downs, ends, feet))


def _weight_shift(supports: list[_SingleSupport], times: Floats) -> Floats:
    """Place of a body's weight: 1 over the left foot, −1 over the right one, 0 between, shape (T,).

    Args:
        supports: single supports in order of time; before the first and after the last one the
            weight is between both feet.
        times: T times, shape (T,), [s].
    """
    weight = np.zeros(len(times))
    for support in supports:
        is_over_foot = (times >= support.start + _WEIGHT_LEAD) & (
            times <= support.end - _WEIGHT_LEAD
        )
        weight[is_over_foot] = support.foot
    # The weight begins to leave a foot `_WEIGHT_LEAD` before the other foot is down, and is over
    # the following foot as long after the other one has left the floor.
    for support, following in itertools.pairwise(supports):
        gap = following.start - support.end + 2 * _WEIGHT_LEAD
        since = times - (support.end - _WEIGHT_LEAD)
        is_in_gap = (since > 0.0) & (since < gap)
        weight[is_in_gap] = _weight_in_transition(
            since[is_in_gap], gap, support.foot, following.foot
        )
    return weight


def _weight_in_transition(since: Floats, gap: float, foot: int, following: int) -> Floats:
    """Place of the weight between two single supports, from `foot` to `following`, shape (N,).

    Args:
        since: time since the weight began to leave the first foot, shape (N,), 0 to `gap`, [s].
        gap: time until it is over the next standing foot, [s].
        foot, following: the standing foot before and after: 1 the left one, −1 the right one.
    """
    # A long gap has time to go to the middle, rest there, and go on from the middle.
    if gap >= 2 * WEIGHT_SHIFT_TIME:
        leaving = foot * smoother_step(1.0 - since / WEIGHT_SHIFT_TIME)
        arriving = following * smoother_step(1.0 - (gap - since) / WEIGHT_SHIFT_TIME)
        return leaving + arriving
    if foot != following:
        return foot + (following - foot) * smoother_step(since / gap)
    # Back to the same foot: toward the middle and back by a smooth bump, the less far the shorter
    # the gap is, so that the acceleration stays bounded.
    depth = min(gap / (2 * WEIGHT_SHIFT_TIME), 1.0) ** 3
    return foot * (1.0 - depth * np.sin(np.pi * since / gap) ** 4)


def _raised_cosine(offset: Floats) -> Floats:
    """Raised cosine cos²(π x / 2) of offsets x: 1 at x = 0, and 0 from |x| = 1 on."""
    return np.asarray(np.cos(np.minimum(np.abs(offset), 1.0) * (np.pi / 2)) ** 2)
