"""Gaze: where each juggler looks over a loop, which is toward the highest props that concern them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.motion import Motion
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.vectors import rotate_about_y

MAX_PITCH, MAX_DOWN_PITCH, MAX_YAW = np.radians(40.0), np.radians(25.0), np.radians(60.0)
"""How far a head turns at most: up, down, and to either side, [rad]."""

MAX_GAZE_SPEED = np.radians(120.0)
"""How fast a head turns at most, to the side and up or down, [rad/s]; as many times that as it turns farther."""

# Where eyes are, up and forward of the place under the feet, and from which height on a prop is high, [m].
_EYES = np.array([0.0, 1.62, 0.08])
_HANDS = 1.0
# A prop counts with the fourth power of its height above the hands: twice as high, sixteen times as much. Nothing at
# all to see, straight ahead, counts as one at this height.
_POWER = 4
_AHEAD = 0.4
# One that comes from somebody else matters more than one's own, and one that goes there is soon their concern; one that
# drops to the floor is seen without the head.
_COMING, _THROWN_AWAY, _BELOW = 3.0, 0.25, 0.15
# The eyes do the rest: the share of a look that the head takes, sideways and up.
_SHARE = np.array([0.6, 0.5])
# A head is slow: it follows the mean over about so long, the spread of a bell curve, [s].
_SLOWNESS = 0.30
_KNOT, _SAMPLES_PER_KNOT = 0.12, 4
_MAX_SAMPLES = 500_000


def plan_gaze(motion: Motion, amount: float) -> PeriodicSpline | None:
    """Where each juggler's head turns over one loop.

    Args:
        motion: what the props do.
        amount: how far heads turn, 1 as people's do; none can turn farther than a neck allows.

    Returns:
        Shape (T, J, 2) at T times, seen from the bodies: yaw, positive to the left, and pitch, positive up, [rad]. None
        where no head ever turns.
    """
    jugglers = motion.choreography.jugglers
    if amount == 0:
        return None
    most = max(1, _MAX_SAMPLES // (jugglers + motion.choreography.props) // _SAMPLES_PER_KNOT)
    knots = min(most, max(1, round(motion.duration / _KNOT)))
    looks = _weighted_directions(motion, knots * _SAMPLES_PER_KNOT)
    seen = _smoothed(looks, motion.duration)[::_SAMPLES_PER_KNOT]
    angles = _within_neck(amount * _SHARE * _angles(seen))
    return PeriodicSpline(
        _within_speed(angles, MAX_GAZE_SPEED * max(1.0, amount) * motion.duration / knots), motion.duration
    )


def _weighted_directions(motion: Motion, count: int) -> Floats:
    """Sums of the directions from each juggler's eyes to props, times how much each counts; shape (count, J, 3)."""
    places = motion.bodies.places(np.arange(count) * motion.duration / count)
    jugglers = places.shape[1]
    legs = _parabolas(motion)
    row, moment = _moments(legs.start, legs.lasts, motion.duration / count)
    since = (moment * (motion.duration / count) - legs.start[row])[:, None]
    fall = np.array([0.0, 0.5, 0.0]) * legs.gravity[row, None]
    props = legs.position[row] + since * (legs.velocity[row] - since * fall)
    totals = np.zeros((3, count * jugglers))
    passed = legs.thrower != legs.catcher
    for viewer, concern in (
        (legs.catcher, np.where(passed, _COMING, 1.0)),
        (legs.thrower, np.where(passed, _THROWN_AWAY, 0.0)),
    ):
        mine = concern[row] > 0
        cell = (moment[mine] % count) * jugglers + viewer[row[mine]]
        place = places.reshape(-1, 4)[cell]
        weight = concern[row[mine]] * _weight(props[mine, 1] - place[:, 1])
        looks = weight[:, None] * _seen_from(place, props[mine])
        totals += [np.bincount(cell, part, minlength=count * jugglers) for part in looks.T]
    return totals.T.reshape(count, jugglers, 3)


@dataclass(frozen=True)
class _Parabolas:
    """The parabolas of all flights, L rows, with their times and the jugglers who throw and catch."""

    start: Floats
    lasts: Floats
    position: Floats
    velocity: Floats
    gravity: Floats
    thrower: Integers
    catcher: Integers


def _parabolas(motion: Motion) -> _Parabolas:
    events, flights, flying = motion.choreography.events, motion.choreography.flights, motion.flight_paths
    legs = [leg for flight in flying.parabolas for leg in flight]
    flight = np.repeat(np.arange(len(flying.parabolas)), [len(flight) for flight in flying.parabolas])
    since = np.array([leg.since for leg in legs], dtype=float)
    last = np.append(flight[1:] != flight[:-1], [True] * min(1, len(flight)))
    return _Parabolas(
        start=events.time[flights.throw[flight]] + since,
        lasts=np.where(last, flying.duration[flight], np.roll(since, -1)) - since,
        position=np.array([leg.position for leg in legs]).reshape(-1, 3),
        velocity=np.array([leg.velocity for leg in legs]).reshape(-1, 3),
        gravity=np.array([leg.gravity for leg in legs], dtype=float),
        thrower=events.hand[flights.throw[flight]] // 2,
        catcher=events.hand[flights.catch[flight]] // 2,
    )


def _moments(start: Floats, lasts: Floats, step: float) -> tuple[Integers, Integers]:
    """The leg, and the number of the look, of every look that falls into a leg."""
    first = np.ceil(start / step).astype(np.intp)
    counts = np.maximum(0, np.floor((start + lasts) / step).astype(np.intp) + 1 - first)
    row = np.repeat(np.arange(len(start)), counts)
    return row, first[row] + np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)


def _weight(height: Floats) -> Floats:
    """How much props count at a height above the floor."""
    above = height - _HANDS
    return np.where(above > 0, 1.0, _BELOW) * above**_POWER


def _seen_from(places: Floats, points: Floats) -> Floats:
    """Directions from the eyes of bodies at some places, shape (N, 4), to points, shape (N, 3)."""
    seen = rotate_about_y(points - places[:, PLACE], -places[:, FACING]) - _EYES
    return seen / np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), 0.1)


def _smoothed(values: Floats, duration: float) -> Floats:
    """Means over a bell curve in time, around the loop."""
    pitch = 2 * np.pi * _SLOWNESS / duration * np.arange(len(values) // 2 + 1)
    kept = np.exp(-(pitch**2) / 2)[:, None, None]
    return np.fft.irfft(kept * np.fft.rfft(values, axis=0), len(values), axis=0)


def _angles(seen: Floats) -> Floats:
    """Yaw and pitch of a look at directions, shape (…, 3) to (…, 2).

    Who looks far up hardly turns sideways, and nobody looks behind: so no look jumps from one side to the other.
    """
    ahead = _AHEAD**_POWER
    x, y, z = seen[..., 0], seen[..., 1], seen[..., 2] + ahead
    forward = (z + np.sqrt(z * z + 0.1 * (x * x + y * y + ahead * ahead))) / 2
    return np.stack([np.arctan2(x, np.sqrt(forward**2 + 0.1 * y * y)), np.arctan2(y, np.hypot(x, forward))], axis=-1)


def _within_neck(angles: Floats) -> Floats:
    """Angles that grow ever slower toward what a neck allows."""
    yaw, pitch = angles[..., 0], angles[..., 1]
    limit = np.where(pitch > 0, MAX_PITCH, MAX_DOWN_PITCH)
    return np.stack([MAX_YAW * np.tanh(yaw / MAX_YAW), limit * np.tanh(pitch / limit)], axis=-1)


def _within_speed(angles: Floats, step: float) -> Floats:
    """Limit how far each angle's spline goes from one knot to the next, in radians; shape (knots, J, 2).

    A spline that is too fast gets control values that differ by at most `step`, since a B-spline is never steeper than
    these: halfway between the least such values above its own and the greatest below.
    """
    above = below = angles
    reach = 1
    while reach < len(angles):
        for shift in (reach, -reach):
            above = np.maximum(above, np.roll(above, shift, axis=0) - reach * step)
            below = np.minimum(below, np.roll(below, shift, axis=0) + reach * step)
        reach *= 2
    return np.where(_largest_step(angles) > step, (above + below) / 2, angles)


def _largest_step(angles: Floats) -> Floats:
    """The greatest slope of each spline with these control values, by knot; shape (J, 2).

    The derivative of a uniform cubic B-spline is a quadratic one of the differences: greatest at a knot or a vertex.
    """
    change = np.roll(angles, -1, axis=0) - angles
    before, after = np.roll(change, 1, axis=0), np.roll(change, -1, axis=0)
    bend = before - 2.0 * change + after
    vertex = np.clip((before - change) / np.where(bend == 0.0, np.inf, bend), 0.0, 1.0)
    slopes = [
        ((1.0 - u) ** 2 * before + (1.0 + 2.0 * u - 2.0 * u * u) * change + u * u * after) / 2.0
        for u in (np.zeros_like(vertex), vertex)
    ]
    return np.abs(slopes).max(axis=(0, 1))
