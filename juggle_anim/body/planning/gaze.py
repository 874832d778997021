"""Gaze: angles of heads and eyes over a loop, which follow the highest props that a juggler throws
or catches.
"""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.motion import Motion
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.vectors import rotate_about_y

MAX_PITCH = np.radians(40.0)
MAX_DOWN_PITCH = np.radians(25.0)
MAX_YAW = np.radians(60.0)
"""Limits of a head's rotation: up, down, and to either side, [rad]."""

MAX_EYE_YAW = np.radians(25.0)
MAX_EYE_PITCH = np.radians(22.0)
"""Limits of the rotation of eyes in the head: to either side, and up and down, [rad]."""

MAX_GAZE_SPEED = np.radians(120.0)
"""Limit of a head's angular speed in yaw and pitch, [rad/s]; scaled by a head motion above 100 %.
"""

# Position of the eyes above and in front of the point between the feet, and height of the hands,
# [m].
_EYES = np.array([0.0, 1.62, 0.08])
_HANDS = 1.0
# A prop is weighted by the fourth power of its height above the hands. The direction straight ahead
# always has the weight of a prop at this height above them, [m]; less for the eyes, which follow
# more closely.
_POWER = 4
_AHEAD = 0.4
_EYES_AHEAD = 0.3
# Factors of the weight: of a pass for its catcher, of a pass for its thrower, and of a prop below
# the hands.
_INCOMING = 3.0
_OUTGOING = 0.25
_BELOW = 0.15
# Share of the gaze angles that the head turns, in yaw and pitch; the eyes turn the rest.
_SHARE = np.array([0.6, 0.5])
# Standard deviations of the Gaussians that smooth the movement of heads and eyes over time, and of
# the nods of heads, [s].
_SMOOTHING_TIME = 0.30
_EYE_SMOOTHING_TIME = 0.08
_NOD_TIME = 0.06
# How far a head nods either way, [rad], and the share of the mean of its signal below which peaks
# are too even, or too much in front, to nod to.
_NOD = np.radians(1.5)
_EVEN = 0.05
_KNOT = 0.04  # s: peaks of seven balls are 0.2 s apart
_SAMPLES_PER_KNOT = 2
_MAX_SAMPLES = 500_000
# Samples by which a time may be off.
_ROUNDING = 1e-6


def plan_gaze(motion: Motion, amount: float, nod: float = 1.0) -> PeriodicSpline | None:
    """Angles of each juggler's head and eyes over one loop.

    Args:
        motion: paths of props.
        amount: amplitude of the head motion, 1 is natural; the limits of the neck always hold.
        nod: amplitude of nods by itself, 1 is natural and the most.

    Returns:
        Shape (T, J, 4) at T times, relative to the bodies: yaw, positive to the left, and pitch,
        positive up, of the head, and then of the eyes, [rad]. None for an amount of 0.
    """
    jugglers = motion.choreography.jugglers
    if amount == 0:
        return None
    most = max(1, _MAX_SAMPLES // (jugglers + motion.choreography.props) // _SAMPLES_PER_KNOT)
    # Even, so that of a loop whose halves are mirror images both get gazes that are.
    knots = 2 * max(1, min(most // 2, round(motion.duration / (2 * _KNOT))))
    directions = _weighted_directions(motion, knots * _SAMPLES_PER_KNOT)
    smooth, closer = (
        _smoothed(directions, motion.duration, time)[::_SAMPLES_PER_KNOT]
        for time in (_SMOOTHING_TIME, _EYE_SMOOTHING_TIME)
    )
    nod = amount * min(nod, 1.0)
    angles = _within_neck(amount * _SHARE * _angles(smooth, _AHEAD), nod * _NOD)
    if nod:
        angles = angles + nod * _NOD * _nods(motion, knots)
    heads = _within_speed(angles, MAX_GAZE_SPEED * max(1.0, amount) * motion.duration / knots)
    limit = np.array([MAX_EYE_YAW, MAX_EYE_PITCH])
    eyes = heads + limit * np.tanh((_angles(closer, _EYES_AHEAD) - heads) / limit)
    return PeriodicSpline(np.concatenate([heads, eyes], axis=-1), motion.duration)


def _weighted_directions(motion: Motion, count: int) -> Floats:
    """Weighted sums of the directions from each juggler's eyes to props, shape (count, J, 3)."""
    places = motion.bodies.places(np.arange(count) * motion.duration / count)
    jugglers = places.shape[1]
    events = motion.choreography.events
    flights = motion.choreography.flights
    legs = motion.flight_paths.parabolas
    start = events.time[flights.throw[legs.flight]] + legs.since
    thrower, catcher = (
        events.hand[event[legs.flight]] // 2 for event in (flights.throw, flights.catch)
    )
    row, moment = _moments(start, legs.duration, motion.duration / count)
    since = (moment * (motion.duration / count) - start[row])[:, None]
    fall = np.array([0.0, 0.5, 0.0]) * legs.gravity[row, None]
    props = legs.position[row] + since * (legs.velocity[row] - since * fall)
    totals = np.zeros((3, count * jugglers))
    passed = thrower != catcher
    for viewer, factor in (
        (catcher, np.where(passed, _INCOMING, 1.0)),
        (thrower, np.where(passed, _OUTGOING, 0.0)),
    ):
        seen = factor[row] > 0
        cell = (moment[seen] % count) * jugglers + viewer[row[seen]]
        place = places.reshape(-1, 4)[cell]
        weight = factor[row[seen]] * _weight(props[seen, 1] - place[:, 1])
        directions = weight[:, None] * _directions_from_eyes(place, props[seen])
        totals += [np.bincount(cell, part, minlength=count * jugglers) for part in directions.T]
    return totals.T.reshape(count, jugglers, 3)


def _nods(motion: Motion, count: int) -> Floats:
    """Yaw and pitch of heads that nod to props as they peak, from −1 to 1, shape (count, J, 2).

    Where jugglers look goes to and fro at the rate of a hand, and up and down at that of both, even
    where they hardly follow single props (R. Huys and P. J. Beek, "The coupling between
    point-of-gaze and ball movements in three-ball cascade juggling", Journal of Sports Sciences 20,
    2002). How far is the same for all peaks, however high.
    """
    events = motion.choreography.events
    flights = motion.choreography.flights
    legs = motion.flight_paths.parabolas
    rises = legs.velocity[:, 1] / legs.gravity
    peaking = (rises > 0.0) & (rises < legs.duration)
    flight = legs.flight[peaking]
    time = events.time[flights.throw[flight]] + (legs.since + rises)[peaking]
    viewer = events.hand[flights.catch[flight]] // 2
    places = motion.bodies.places(time)[np.arange(len(time)), viewer]
    aside = _directions_from_eyes(places, legs.apexes()[peaking])[:, 0]
    peaks = np.stack([aside, np.ones_like(aside)], axis=1)
    # Each peak counts for the two samples around its time, so that none jumps from one to another.
    jugglers = motion.choreography.jugglers
    sample = time / motion.duration * count
    signals = np.zeros((count, jugglers, 2))
    first = np.floor(sample).astype(np.intp)
    for near in (first, first + 1):
        share = 1.0 - np.abs(sample - near)
        np.add.at(signals, (near % count, viewer), share[:, None] * peaks)
    mean = signals[..., 1].mean(axis=0)[:, None]
    smooth = _smoothed(signals, motion.duration, _NOD_TIME)
    middle = (smooth.max(axis=0) + smooth.min(axis=0)) / 2.0
    size = (smooth.max(axis=0) - smooth.min(axis=0)) / 2.0
    return np.asarray((smooth - middle) / np.maximum(np.hypot(size, _EVEN * mean), 1e-9))


def _moments(start: Floats, lasts: Floats, step: float) -> tuple[Integers, Integers]:
    """Row of the parabola and index of the sample, for each sample within a parabola.

    One at its very end is within, whatever rounding makes of it, so that left and right count
    alike.
    """
    first = np.ceil(start / step - _ROUNDING).astype(np.intp)
    counts = np.maximum(0, np.floor((start + lasts) / step + _ROUNDING).astype(np.intp) + 1 - first)
    row = np.repeat(np.arange(len(start)), counts)
    return row, first[row] + np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)


def _weight(height: Floats) -> Floats:
    """Weights of props at a height above the floor, [m]."""
    above = height - _HANDS
    return np.where(above > 0, 1.0, _BELOW) * above**_POWER


def _directions_from_eyes(places: Floats, points: Floats) -> Floats:
    """Directions from the eyes of bodies at places of shape (N, 4) to points, shape (N, 3), in the
    bodies' frames.
    """
    away = rotate_about_y(points - places[:, PLACE], -places[:, FACING]) - _EYES
    return away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 0.1)


def _smoothed(values: Floats, duration: float, time: float) -> Floats:
    """Values convolved with a Gaussian in time, around the loop."""
    frequency = 2 * np.pi * time / duration * np.arange(len(values) // 2 + 1)
    gain = np.exp(-(frequency**2) / 2)[:, None, None]
    return np.fft.irfft(gain * np.fft.rfft(values, axis=0), len(values), axis=0)


def _angles(directions: Floats, height: float) -> Floats:
    """Yaw and pitch of a gaze in directions, shape (…, 3) to (…, 2); ahead counts as a prop at a
    height, [m].

    Steep directions and those behind are mapped to small yaws, so that the gaze never jumps from
    one side to the other.
    """
    ahead = height**_POWER
    x = directions[..., 0]
    y = directions[..., 1]
    z = directions[..., 2] + ahead
    forward = (z + np.sqrt(z * z + 0.1 * (x * x + y * y + ahead * ahead))) / 2
    return np.stack(
        [np.arctan2(x, np.sqrt(forward**2 + 0.1 * y * y)), np.arctan2(y, np.hypot(x, forward))],
        axis=-1,
    )


def _within_neck(angles: Floats, spare: float) -> Floats:
    """Angles softly limited to the range of the neck, but for what nods need of it, [rad]."""
    up_or_down = np.where(angles[..., 1] > 0, MAX_PITCH, MAX_DOWN_PITCH)
    limits = np.stack([np.full_like(up_or_down, MAX_YAW), up_or_down], axis=-1) - spare
    return np.asarray(limits * np.tanh(angles / limits))


def _within_speed(angles: Floats, step: float) -> Floats:
    """Limit the change of each angle's spline from one knot to the next, [rad]; shape (knots, J,
    2).

    A B-spline is never steeper than its control values. So those of a spline that is too fast are
    replaced by values that differ by at most `step`: the mean of their least upper and greatest
    lower bounds with that slope.
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

    The derivative of a uniform cubic B-spline is a quadratic one of the differences: greatest at a
    knot or a vertex.
    """
    change = np.roll(angles, -1, axis=0) - angles
    before = np.roll(change, 1, axis=0)
    after = np.roll(change, -1, axis=0)
    bend = before - 2.0 * change + after
    vertex = np.clip((before - change) / np.where(bend == 0.0, np.inf, bend), 0.0, 1.0)
    slopes = [
        ((1.0 - u) ** 2 * before + (1.0 + 2.0 * u - 2.0 * u * u) * change + u * u * after) / 2.0
        for u in (np.zeros_like(vertex), vertex)
    ]
    return np.abs(slopes).max(axis=(0, 1))
