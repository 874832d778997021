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
        nod: factor of the nods, beside that of `amount`; limited to 1, which is natural.

    Returns:
        Spline with control values of shape (N, J, 4) for N knots and J jugglers, relative to the
        bodies: yaw, positive to the left, and pitch, positive up, of the head, and then of the
        eyes, [rad]. None for an amount of 0.
    """
    if amount == 0:
        return None
    # An even number of knots, so that mirrored halves of a loop get mirrored gazes; and no more
    # than `_MAX_SAMPLES` samples of all jugglers and props, to bound time and memory.
    max_samples = _MAX_SAMPLES // (motion.choreography.jugglers + motion.choreography.props)
    max_knots = max(1, max_samples // _SAMPLES_PER_KNOT)
    knot_pairs = min(max_knots // 2, round(motion.duration / (2 * _KNOT_INTERVAL)))
    knot_count = 2 * max(1, knot_pairs)
    directions = _weighted_directions(motion, knot_count * _SAMPLES_PER_KNOT)
    smoothed = _gaussian_smoothed(directions, motion.duration, _SMOOTHING_TIME)
    gaze = _gaze_angles(smoothed[::_SAMPLES_PER_KNOT])
    # The head makes a share of the gaze, in a range of the neck that leaves room for the nods.
    nod_scale = amount * min(nod, 1.0)
    angles = _limit_to_neck(amount * _HEAD_SHARE * gaze, nod_scale * _NOD_AMPLITUDE)
    if nod_scale:
        angles = angles + nod_scale * _NOD_AMPLITUDE * _nod_signals(motion, knot_count)
    max_turn = MAX_GAZE_SPEED * max(1.0, amount) * motion.duration / knot_count  # between knots
    heads = _limit_speed(angles, max_turn)
    # Eyes turn in the head by no more than their limit, softly by limit · tanh(x / limit).
    limit = np.array([MAX_EYE_YAW, MAX_EYE_PITCH])
    eyes = heads + limit * np.tanh((gaze - heads) / limit)
    return PeriodicSpline(np.concatenate([heads, eyes], axis=-1), motion.duration)


def _weighted_directions(motion: Motion, sample_count: int) -> Floats:
    """Weighted sums of the directions from each juggler's eyes to the props to look at.

    Jugglers look at the flying props that they will catch, and with less weight at passes that they
    have thrown. High props have more weight than low ones.

    Args:
        motion: paths of bodies and flights.
        sample_count: number of samples, at even times of the loop.

    Returns:
        Shape (sample_count, J, 3) for J jugglers, in the frames of the bodies; not of unit length,
        and 0 without props.
    """
    places = motion.bodies.places(np.arange(sample_count) * motion.duration / sample_count)
    juggler_count = places.shape[1]
    events = motion.choreography.events
    flights = motion.choreography.flights
    parabolas = motion.flight_paths.parabolas
    # A flight has several parabolas if the prop bounces. When each of them begins, [s], and who
    # throws and catches its flight: hand h is of juggler h // 2.
    throw_event = flights.throw[parabolas.flight]
    catch_event = flights.catch[parabolas.flight]
    start = events.time[throw_event] + parabolas.since
    thrower = events.hand[throw_event] // 2
    catcher = events.hand[catch_event] // 2
    # A row for each sample within a parabola, with the place of the prop then: x + v t − g t² / 2.
    step = motion.duration / sample_count
    parabola, sample = _samples_within(start, parabolas.duration, step)
    since = (sample * step - start[parabola])[:, None]
    half_gravity = np.array([0.0, 0.5, 0.0]) * parabolas.gravity[parabola, None]
    props = parabolas.position[parabola] + since * (
        parabolas.velocity[parabola] - since * half_gravity
    )
    # Each row adds a direction to the sums of its sample and viewer. These are kept as flat
    # columns, one for each coordinate.
    cell_count = sample_count * juggler_count
    totals = np.zeros((3, cell_count))
    is_pass = thrower != catcher
    for viewer, factor in (
        (catcher, np.where(is_pass, _INCOMING_PASS_WEIGHT, 1.0)),
        (thrower, np.where(is_pass, _OUTGOING_PASS_WEIGHT, 0.0)),
    ):
        seen = factor[parabola] > 0
        # Flat index of the sample, in the loop, and the viewer.
        cell = (sample[seen] % sample_count) * juggler_count + viewer[parabola[seen]]
        place = places.reshape(-1, 4)[cell]
        weight = factor[parabola[seen]] * _height_weight(props[seen, 1] - place[:, 1])
        directions = weight[:, None] * _directions_from_eyes(place, props[seen])
        totals += [np.bincount(cell, column, minlength=cell_count) for column in directions.T]
    return totals.T.reshape(sample_count, juggler_count, 3)


def _nod_signals(motion: Motion, sample_count: int) -> Floats:
    """Yaw and pitch of nods of heads to props at their peaks, as shares of their amplitude.

    Where jugglers look goes to and fro at the rate of a hand, and up and down at that of both, even
    where they hardly follow single props (R. Huys and P. J. Beek, "The coupling between
    point-of-gaze and ball movements in three-ball cascade juggling", Journal of Sports Sciences 20,
    2002). The head nods equally far to all peaks, however high: an impulse at each peak is
    smoothed, and the result shifted and scaled to the range from −1 to 1 over the loop.

    Args:
        motion: paths of bodies and flights.
        sample_count: number of samples, at even times of the loop.

    Returns:
        Yaw and pitch, shape (sample_count, J, 2) for J jugglers, from −1 to 1; nearly 0 where peaks
        follow each other so evenly that their smoothed signal hardly changes.
    """
    events = motion.choreography.events
    flights = motion.choreography.flights
    parabolas = motion.flight_paths.parabolas
    # A parabola peaks v / g after its start, if the prop still flies then. The catcher looks at the
    # peak.
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
    # Each peak is divided between the two samples around its time, so that its effect changes
    # smoothly with the time.
    signals = np.zeros((sample_count, motion.choreography.jugglers, 2))
    peak_time = time / motion.duration * sample_count  # in samples
    sample_before = np.floor(peak_time).astype(np.intp)
    for sample in (sample_before, sample_before + 1):
        share = 1.0 - np.abs(peak_time - sample)
        np.add.at(signals, (sample % sample_count, viewer), share[:, None] * impulses)
    smooth = _gaussian_smoothed(signals, motion.duration, _NOD_TIME)
    # Each signal is scaled from its range to −1 to 1. A share of the mean number of peaks in the
    # divisor keeps signals small that hardly change; the last limit avoids 0 / 0 without peaks.
    middle = (smooth.max(axis=0) + smooth.min(axis=0)) / 2.0
    half_range = (smooth.max(axis=0) - smooth.min(axis=0)) / 2.0
    peaks_per_sample = signals[..., 1].mean(axis=0)[:, None]  # shape (J, 1)
    divisor = np.maximum(np.hypot(half_range, _MIN_NOD_SIGNAL * peaks_per_sample), 1e-9)
    return np.asarray((smooth - middle) / divisor)


def _samples_within(start: Floats, duration: Floats, step: float) -> tuple[Integers, Integers]:
    """Find the samples, at multiples of a time step, that lie within each of N spans of time.

    Samples at the very ends of a span are within it, in spite of rounding errors.

    Args:
        start, duration: start and duration of each span, shape (N,), [s].
        step: time between samples, [s].

    Returns:
        For each of M pairs of a span and a sample within it, the index of the span, and that of the
        sample, a multiple of the step; shape (M,) each, sorted by span. Samples may be beyond the
        loop.
    """
    first_sample = np.ceil(start / step - _SAMPLE_ROUNDING).astype(np.intp)
    last_sample = np.floor((start + duration) / step + _SAMPLE_ROUNDING).astype(np.intp)
    sample_counts = np.maximum(0, last_sample + 1 - first_sample)
    span = np.repeat(np.arange(len(start)), sample_counts)
    # How many samples a sample is after the first one of its span: the difference of their rows.
    first_row = np.cumsum(sample_counts) - sample_counts
    since_first = np.arange(len(span)) - first_row[span]
    return span, first_sample[span] + since_first


def _height_weight(height: Floats) -> Floats:
    """Weights of props: the power `_HEIGHT_POWER` of their height above the hands, any shape.

    The power is even, so those of props below the hands are reduced by `_BELOW_HANDS_WEIGHT`.

    Args:
        height: above the floor on which the juggler stands, [m].
    """
    above_hands = height - _HANDS_HEIGHT
    return np.where(above_hands > 0, 1.0, _BELOW_HANDS_WEIGHT) * above_hands**_HEIGHT_POWER


def _directions_from_eyes(places: Floats, points: Floats) -> Floats:
    """Return directions from the eyes of N bodies to points, in the frames of the bodies, (N, 3).

    They are unit vectors, or shorter for points within `_MIN_EYE_DISTANCE` of the eyes.

    Args:
        places: place [m] and facing [rad] of each body, shape (N, 4), as in `Bodies.places`.
        points: a point for each body, in the world, shape (N, 3), [m].
    """
    from_eyes = rotate_about_y(points - places[:, PLACE], -places[:, FACING]) - _EYE_POSITION
    return from_eyes / np.maximum(
        np.linalg.norm(from_eyes, axis=1, keepdims=True), _MIN_EYE_DISTANCE
    )


def _gaussian_smoothed(values: Floats, duration: float, deviation: float) -> Floats:
    """Convolve periodic values with a Gaussian in time, shape (T, J, C).

    Args:
        values: values at T even times of a loop, shape (T, J, C) for C channels of J jugglers.
        duration: duration of the loop, [s].
        deviation: standard deviation σ of the Gaussian, [s].
    """
    # By the convolution theorem: the Fourier transform of the Gaussian is exp(−(ω σ)² / 2), at the
    # angular frequencies ω = 2π k / duration of the real transform.
    omega_sigma = 2 * np.pi * deviation / duration * np.arange(len(values) // 2 + 1)
    gain = np.exp(-(omega_sigma**2) / 2)[:, None, None]
    return np.fft.irfft(gain * np.fft.rfft(values, axis=0), len(values), axis=0)


def _gaze_angles(directions: Floats) -> Floats:
    """Return yaw and pitch of the gaze along weighted sums of directions, shape (…, 2), [rad].

    Steep directions and those behind are mapped to small yaws, so that the gaze never jumps from
    one side to the other.

    Args:
        directions: sums of directions to props, weighted by a power of the props' height, in the
            frames of the bodies, shape (…, 3): x to the left, y up and z forward.
    """
    # Straight ahead is added as a direction with the weight of a prop at `_AHEAD_HEIGHT`, so that
    # there is always a direction.
    ahead = _AHEAD_HEIGHT**_HEIGHT_POWER
    x = directions[..., 0]
    y = directions[..., 1]
    z = directions[..., 2] + ahead
    # A smooth function of z that is nearly z where it is large, and above 0 even where z is not.
    added = _STEEPNESS_SHARE * (x * x + y * y + ahead * ahead)
    forward = (z + np.sqrt(z * z + added)) / 2
    # A part of y in the denominator keeps the yaw of steep directions small.
    yaw = np.arctan2(x, np.sqrt(forward**2 + _STEEPNESS_SHARE * y * y))
    pitch = np.arctan2(y, np.hypot(x, forward))
    return np.stack([yaw, pitch], axis=-1)


def _limit_to_neck(angles: Floats, reserve: float) -> Floats:
    """Limit yaws and pitches softly to the range of the neck, by limit · tanh(angle / limit).

    Args:
        angles: yaw and pitch, positive up, shape (…, 2), [rad].
        reserve: the part of the range, at every limit, that is left for nods, [rad].
    """
    pitch_limit = np.where(angles[..., 1] > 0, MAX_PITCH, MAX_DOWN_PITCH)
    limits = np.stack([np.full_like(pitch_limit, MAX_YAW), pitch_limit], axis=-1) - reserve
    return np.asarray(limits * np.tanh(angles / limits))


def _limit_speed(angles: Floats, max_step: float) -> Floats:
    """Limit the slope of periodic B-splines, given by their control values.

    A B-spline is never steeper than its control values. So the values of a spline that is too fast
    are replaced by values that differ by at most `max_step` from one to the next: the mean of two
    envelopes, the least one that is nowhere below the values and the greatest one that is nowhere
    above them.

    Args:
        angles: control values, shape (knots, J, 2) for J jugglers, [rad].
        max_step: largest change from one knot to the next, [rad].

    Returns:
        Shape (knots, J, 2), [rad]; splines that are slow enough stay as they are.
    """
    # At knot i the envelope above is the maximum, over all knots j, of value j − `max_step` ·
    # distance of i and j, and that below likewise. By pointer doubling: the maximum with knots 1
    # away, then with the maxima 2, 4, 8 … knots away.
    above = angles
    below = angles
    reach = 1
    while reach < len(angles):
        for shift in (reach, -reach):
            above = np.maximum(above, np.roll(above, shift, axis=0) - reach * max_step)
            below = np.minimum(below, np.roll(below, shift, axis=0) + reach * max_step)
        reach *= 2
    return np.where(_largest_slope(angles) > max_step, (above + below) / 2, angles)


def _largest_slope(angles: Floats) -> Floats:
    """Return the largest magnitude of the slope of each spline, (J, 2), [rad] per knot interval.

    The derivative of a uniform cubic B-spline is a quadratic B-spline of the differences of its
    control values. So it is extreme at a knot, or at the vertex of the parabola between two knots.

    Args:
        angles: control values of 2J periodic cubic B-splines, shape (knots, J, 2) for J jugglers,
            [rad].
    """
    # Differences of neighbouring control values: one, the one before it and the one after it.
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
    # The slopes at all knots (u = 0) and at all vertices.
    slopes = [
        ((1.0 - u) ** 2 * before + (1.0 + 2.0 * u - 2.0 * u * u) * change + u * u * after) / 2.0
        for u in (np.zeros_like(vertex), vertex)
    ]
    return np.abs(slopes).max(axis=(0, 1))
