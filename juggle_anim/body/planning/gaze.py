"""Gaze: angles of heads and eyes over a loop, which follow the highest props that a juggler throws
or catches.
"""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.motion import FACING, PLACE, Motion, PeriodicSpline
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
_EYE_POSITION = np.array([0.0, 1.62, 0.08])
_HANDS_HEIGHT = 1.0
# Points nearer to the eyes have shorter directions, which so do not jump as a prop passes, [m].
_MIN_EYE_DISTANCE = 0.1
# Share of the square of the other components that is added under roots: forward directions stay
# above 0 and steep yaws small.
_STEEPNESS_SHARE = 0.1
# A prop is weighted by the eighth power of its height above the hands, which favours the one that
# peaks. The direction straight ahead always has the weight of a prop at this height above them,
# [m].
_HEIGHT_POWER = 8
_AHEAD_HEIGHT = 0.35
# Factors of the weight: of a pass for its catcher, of a pass for its thrower, and of a prop below
# the hands.
_INCOMING_PASS_WEIGHT = 3.0
_OUTGOING_PASS_WEIGHT = 0.25
_BELOW_HANDS_WEIGHT = 0.15
# Share of the gaze angles that the head turns, in yaw and pitch; the eyes turn the rest, as those
# of people do alone as far as about 15° (J. S. Stahl, "Amplitude of human head movements associated
# with horizontal saccades", Experimental Brain Research 126, 1999).
_HEAD_SHARE = np.array([0.3, 0.5])
# Standard deviations of the Gaussians that smooth over time the movement of the gaze, which so goes
# to and fro with the hands up to about 2 Hz, and the nods of heads, [s].
_SMOOTHING_TIME = 0.09
_NOD_TIME = 0.06
# How far a head nods either way, [rad], and the share of the mean of its signal below which peaks
# are too even, or too much in front, to nod to.
_NOD_AMPLITUDE = np.radians(1.5)
_MIN_NOD_SIGNAL = 0.05
_KNOT_INTERVAL = 0.04  # s: peaks of seven balls are 0.2 s apart
_SAMPLES_PER_KNOT = 2
_MAX_SAMPLES = 500_000
# Samples by which a time may be off.
_SAMPLE_ROUNDING = 1e-6


def plan_gaze(motion: Motion, amount: float, nod: float = 1.0) -> PeriodicSpline | None:
    """Plan yaw and pitch of each juggler's head and eyes over one loop.

    The gaze is a weighted mean of the directions to props, smoothed in time, so that it goes from
    peak to peak. The head makes a share of its turns, within the limits of a neck, and nods to
    props as they peak, no faster than `MAX_GAZE_SPEED`; the eyes make the rest within their limits.

    Args:
        motion: paths of bodies and props.
        amount: amplitude of the head motion, 1 is natural; the limits of the neck always hold.
        nod: amplitude of nods by itself, limited to 1, which is natural.

    Returns:
        Spline with control values of shape (N, J, 4), relative to the bodies: yaw, positive to the
        left, and pitch, positive up, of the head, and then of the eyes, [rad]. None for an amount
        of 0.
    """
    jugglers = motion.choreography.jugglers
    if amount == 0:
        return None
    # An even number of knots, so that mirrored halves of a loop get mirrored gazes; no more than
    # `_MAX_SAMPLES` samples of all jugglers and props.
    max_samples = _MAX_SAMPLES // (jugglers + motion.choreography.props)
    max_knots = max(1, max_samples // _SAMPLES_PER_KNOT)
    knot_pairs = min(max_knots // 2, round(motion.duration / (2 * _KNOT_INTERVAL)))
    knots = 2 * max(1, knot_pairs)
    directions = _weighted_directions(motion, knots * _SAMPLES_PER_KNOT)
    smoothed = _gaussian_smoothed(directions, motion.duration, _SMOOTHING_TIME)
    gaze = _gaze_angles(smoothed[::_SAMPLES_PER_KNOT])
    # The range of the neck is kept free for the nods.
    nod_scale = amount * min(nod, 1.0)
    angles = _limit_to_neck(amount * _HEAD_SHARE * gaze, nod_scale * _NOD_AMPLITUDE)
    if nod_scale:
        angles = angles + nod_scale * _NOD_AMPLITUDE * _nod_signals(motion, knots)
    max_turn = MAX_GAZE_SPEED * max(1.0, amount) * motion.duration / knots  # between two knots
    heads = _limit_speed(angles, max_turn)
    # Eyes turn in the head by no more than their limit, softly by limit · tanh(x / limit).
    limit = np.array([MAX_EYE_YAW, MAX_EYE_PITCH])
    eyes = heads + limit * np.tanh((gaze - heads) / limit)
    return PeriodicSpline(np.concatenate([heads, eyes], axis=-1), motion.duration)


def _weighted_directions(motion: Motion, count: int) -> Floats:
    """Weighted sums of the directions from each juggler's eyes to the props to look at.

    Jugglers look at the flying props that they will catch, and with less weight at passes that they
    have thrown. `_height_weight` favours high props.

    Args:
        motion: paths of bodies and flights.
        count: number of samples, at even times of the loop.

    Returns:
        Shape (count, J, 3), in the frames of the bodies; not of unit length, and 0 without props.
    """
    places = motion.bodies.places(np.arange(count) * motion.duration / count)
    jugglers = places.shape[1]
    events = motion.choreography.events
    flights = motion.choreography.flights
    parabolas = motion.flight_paths.parabolas
    # When each parabola begins, [s], and who throws and catches its flight: hand h is of juggler
    # h // 2.
    throw = flights.throw[parabolas.flight]
    catch = flights.catch[parabolas.flight]
    start = events.time[throw] + parabolas.since
    thrower = events.hand[throw] // 2
    catcher = events.hand[catch] // 2
    # A row for each sample within a parabola, with the place of the prop then: x + v t − g t² / 2.
    step = motion.duration / count
    parabola, sample = _samples_within(start, parabolas.duration, step)
    since = (sample * step - start[parabola])[:, None]
    half_gravity = np.array([0.0, 0.5, 0.0]) * parabolas.gravity[parabola, None]
    props = parabolas.position[parabola] + since * (
        parabolas.velocity[parabola] - since * half_gravity
    )
    totals = np.zeros((3, count * jugglers))
    is_pass = thrower != catcher
    for viewer, factor in (
        (catcher, np.where(is_pass, _INCOMING_PASS_WEIGHT, 1.0)),
        (thrower, np.where(is_pass, _OUTGOING_PASS_WEIGHT, 0.0)),
    ):
        seen = factor[parabola] > 0
        # Flat index of the sample, in the loop, and the juggler.
        cell = (sample[seen] % count) * jugglers + viewer[parabola[seen]]
        place = places.reshape(-1, 4)[cell]
        weight = factor[parabola[seen]] * _height_weight(props[seen, 1] - place[:, 1])
        directions = weight[:, None] * _directions_from_eyes(place, props[seen])
        totals += [np.bincount(cell, part, minlength=count * jugglers) for part in directions.T]
    return totals.T.reshape(count, jugglers, 3)


def _nod_signals(motion: Motion, count: int) -> Floats:
    """Yaw and pitch of nods of heads to props at their peaks, as shares of their amplitude.

    Where jugglers look goes to and fro at the rate of a hand, and up and down at that of both, even
    where they hardly follow single props (R. Huys and P. J. Beek, "The coupling between
    point-of-gaze and ball movements in three-ball cascade juggling", Journal of Sports Sciences 20,
    2002). The head nods equally far to all peaks, however high: an impulse at each peak is
    smoothed, and the result shifted and scaled to the range from −1 to 1 over the loop.

    Args:
        motion: paths of bodies and flights.
        count: number of samples, at even times of the loop.

    Returns:
        Yaw and pitch, shape (count, J, 2), from −1 to 1; nearly 0 where peaks follow each other so
        evenly that their smoothed signal hardly changes.
    """
    events = motion.choreography.events
    flights = motion.choreography.flights
    parabolas = motion.flight_paths.parabolas
    # A parabola peaks v / g after its start, if it still flies then. The catcher looks there.
    rise_time = parabolas.velocity[:, 1] / parabolas.gravity
    has_peak = (rise_time > 0.0) & (rise_time < parabolas.duration)
    flight = parabolas.flight[has_peak]
    time = events.time[flights.throw[flight]] + (parabolas.since + rise_time)[has_peak]
    viewer = events.hand[flights.catch[flight]] // 2
    places = motion.bodies.places(time)[np.arange(len(time)), viewer]
    # Each peak is an impulse: of the yaw by how far to the left of the juggler's eyes it is (the x
    # of its direction), and of the pitch by 1, however high it is.
    leftward = _directions_from_eyes(places, parabolas.apexes()[has_peak])[:, 0]
    impulses = np.stack([leftward, np.ones_like(leftward)], axis=1)
    # Each peak is divided between the two samples around its time, so that none jumps from one
    # sample to another.
    jugglers = motion.choreography.jugglers
    peak_sample = time / motion.duration * count
    signals = np.zeros((count, jugglers, 2))
    sample_before = np.floor(peak_sample).astype(np.intp)
    for sample in (sample_before, sample_before + 1):
        share = 1.0 - np.abs(peak_sample - sample)
        np.add.at(signals, (sample % count, viewer), share[:, None] * impulses)
    mean = signals[..., 1].mean(axis=0)[:, None]  # peaks a sample, shape (J, 1)
    smooth = _gaussian_smoothed(signals, motion.duration, _NOD_TIME)
    # Each signal is scaled from its range to −1 to 1. Adding `_MIN_NOD_SIGNAL` times the mean to
    # the divisor keeps signals that hardly change small.
    middle = (smooth.max(axis=0) + smooth.min(axis=0)) / 2.0
    size = (smooth.max(axis=0) - smooth.min(axis=0)) / 2.0
    return np.asarray((smooth - middle) / np.maximum(np.hypot(size, _MIN_NOD_SIGNAL * mean), 1e-9))


def _samples_within(start: Floats, duration: Floats, step: float) -> tuple[Integers, Integers]:
    """Find the samples, at multiples of a time step, that lie within each of N spans of time.

    Samples at the very ends of a span are within it, in spite of rounding errors.

    Args:
        start, duration: of the spans, shape (N,), [s].
        step: time between samples, [s].

    Returns:
        Index of the span, and index of the sample, of M samples within spans, shape (M,) each,
        sorted by span. Indices of samples may be beyond the loop.
    """
    first = np.ceil(start / step - _SAMPLE_ROUNDING).astype(np.intp)
    last = np.floor((start + duration) / step + _SAMPLE_ROUNDING).astype(np.intp)
    counts = np.maximum(0, last + 1 - first)
    span = np.repeat(np.arange(len(start)), counts)
    # The number of a sample in its span: its row in the result less that of the span's first one.
    first_row = np.cumsum(counts) - counts
    number = np.arange(len(span)) - first_row[span]
    return span, first[span] + number


def _height_weight(height: Floats) -> Floats:
    """Weights of props: the power `_HEIGHT_POWER` of their height above the hands, any shape.

    The power is even, so those of props below the hands are reduced by `_BELOW_HANDS_WEIGHT`.

    Args:
        height: above the floor on which the juggler stands, [m].
    """
    above_hands = height - _HANDS_HEIGHT
    return np.where(above_hands > 0, 1.0, _BELOW_HANDS_WEIGHT) * above_hands**_HEIGHT_POWER


def _directions_from_eyes(places: Floats, points: Floats) -> Floats:
    """Directions from the eyes of N bodies to points, in the frames of the bodies, shape (N, 3).

    They are unit vectors, or shorter for points within `_MIN_EYE_DISTANCE` of the eyes.

    Args:
        places: of the bodies, shape (N, 4), as in `Bodies.places`.
        points: in the world, shape (N, 3), [m].
    """
    from_eyes = rotate_about_y(points - places[:, PLACE], -places[:, FACING]) - _EYE_POSITION
    return from_eyes / np.maximum(
        np.linalg.norm(from_eyes, axis=1, keepdims=True), _MIN_EYE_DISTANCE
    )


def _gaussian_smoothed(values: Floats, duration: float, deviation: float) -> Floats:
    """Convolve values with a Gaussian in time, around the loop, shape (T, J, C).

    Args:
        values: at even times of the loop, shape (T, J, C).
        duration: of the loop, [s].
        deviation: standard deviation σ of the Gaussian, [s].
    """
    # The Fourier transform of the Gaussian is exp(−(ω σ)² / 2).
    frequency = 2 * np.pi * deviation / duration * np.arange(len(values) // 2 + 1)
    gain = np.exp(-(frequency**2) / 2)[:, None, None]
    return np.fft.irfft(gain * np.fft.rfft(values, axis=0), len(values), axis=0)


def _gaze_angles(directions: Floats) -> Floats:
    """Yaw and pitch of the gaze along weighted sums of directions, shape (…, 2), [rad].

    Steep directions and those behind are mapped to small yaws, so that the gaze never jumps from
    one side to the other.

    Args:
        directions: in the frames of the bodies, shape (…, 3), from `_weighted_directions`.
    """
    # The weight of the direction straight ahead, which is added to those of props.
    ahead = _AHEAD_HEIGHT**_HEIGHT_POWER
    x = directions[..., 0]
    y = directions[..., 1]
    z = directions[..., 2] + ahead
    # A smooth function of z that is above 0 also where z is not.
    added = _STEEPNESS_SHARE * (x * x + y * y + ahead * ahead)
    forward = (z + np.sqrt(z * z + added)) / 2
    # A part of y in the denominator keeps the yaw of steep directions small.
    yaw = np.arctan2(x, np.sqrt(forward**2 + _STEEPNESS_SHARE * y * y))
    pitch = np.arctan2(y, np.hypot(x, forward))
    return np.stack([yaw, pitch], axis=-1)


def _limit_to_neck(angles: Floats, reserve: float) -> Floats:
    """Limit yaws and pitches softly to the range of the neck, by limit · tanh(angle / limit).

    Args:
        angles: shape (…, 2), [rad].
        reserve: part of the range, at every limit, that is left for nods, [rad].
    """
    pitch_limit = np.where(angles[..., 1] > 0, MAX_PITCH, MAX_DOWN_PITCH)
    limits = np.stack([np.full_like(pitch_limit, MAX_YAW), pitch_limit], axis=-1) - reserve
    return np.asarray(limits * np.tanh(angles / limits))


def _limit_speed(angles: Floats, max_step: float) -> Floats:
    """Limit the slope of periodic splines, given by their control values.

    A B-spline is never steeper than its control values. So those of a spline that is too fast are
    replaced by values that differ by at most `max_step` from one to the next: the mean of the
    smallest such values that are nowhere below them, and of the largest that are nowhere above.

    Args:
        angles: control values, shape (knots, J, 2), [rad].
        max_step: largest change from one knot to the next, [rad].

    Returns:
        Shape (knots, J, 2), [rad]; splines that are slow enough stay as they are.
    """
    # At knot i the smallest values above are the maximum, over all knots j, of
    # value j − `max_step` · distance of i and j, and the largest below likewise. By pointer
    # doubling: the maximum with knots 1 away, then with the maxima 2, 4, 8 … knots away.
    above = below = angles
    reach = 1
    while reach < len(angles):
        for shift in (reach, -reach):
            above = np.maximum(above, np.roll(above, shift, axis=0) - reach * max_step)
            below = np.minimum(below, np.roll(below, shift, axis=0) + reach * max_step)
        reach *= 2
    return np.where(_largest_slope(angles) > max_step, (above + below) / 2, angles)


def _largest_slope(angles: Floats) -> Floats:
    """Largest magnitude of the slope of each of J · 2 splines, (J, 2), [rad] per knot interval.

    The derivative of a uniform cubic B-spline is a quadratic B-spline of the differences of its
    control values. So it is extreme at a knot, or at the vertex of the parabola between two knots.

    Args:
        angles: control values of uniform cubic B-splines, shape (knots, J, 2), [rad].
    """
    change = np.roll(angles, -1, axis=0) - angles
    before = np.roll(change, 1, axis=0)
    after = np.roll(change, -1, axis=0)
    # The slope at the share u between two knots is ((1 − u)² before + (1 + 2u − 2u²) change +
    # u² after) / 2. Its derivative is 0 at the vertex, u = (before − change) / second difference;
    # without a second difference there is none, and u is 0.
    second_difference = before - 2.0 * change + after
    vertex = np.clip(
        (before - change) / np.where(second_difference == 0.0, np.inf, second_difference), 0.0, 1.0
    )
    slopes = [
        ((1.0 - u) ** 2 * before + (1.0 + 2.0 * u - 2.0 * u * u) * change + u * u * after) / 2.0
        for u in (np.zeros_like(vertex), vertex)
    ]
    return np.abs(slopes).max(axis=(0, 1))
