"""Sound of a pattern: times, pitches and loudness of catches, bounces and beats, and the tone that
each plays.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Motion
from juggle_anim.parameters import Parameters

CATCH = 210.0
BOUNCE = 95.0
BEAT = 880.0
"""Pitch of a catch, of a bounce on the floor, and of the metronome, [Hz]."""

_LEFT = CATCH * 2 ** (-4 / 12)  # Hz, four semitones lower
_RIGHT = CATCH * 2 ** (5 / 12)  # Hz, five semitones higher
_BOUNCE_LOUDNESS = 0.8
_BEAT_LOUDNESS = 0.3
_OCTAVE_HEIGHT = 1.5  # m, that a prop rises for each octave
_MAX_OCTAVES = 2.5  # above the usual pitch
_TIME_DECIMALS = 6  # of seconds: sounds that are nearer to each other are one

SAMPLE_RATE = 48_000
"""Samples a second."""

_TONE_DURATION = 0.08  # s
_ATTACK = 0.001  # s, in which a tone reaches its loudness

# Frequency over the pitch, loudness, and time in which the partial fades to 1/e [s].
_PARTIALS = (
    (1.0, 0.45, 0.014),
    (5.476, 0.2, 0.004),
)


@dataclass(frozen=True)
class SoundEvents:
    """The sounds of one loop, N rows in order of time.

    Args:
        time: shape (N,), [s], from 0 up to the loop's duration.
        pitch: shape (N,), [Hz].
        loudness: shape (N,), 0 to 1.
    """

    time: Floats
    pitch: Floats
    loudness: Floats


def sound_events(motion: Motion, parameters: Parameters) -> SoundEvents:
    """Return the sounds of catches, bounces and the metronome in one loop, sorted by time.

    Sounds of the same pitch and loudness at the same time count as one.

    Args:
        motion: motion of the pattern.
        parameters: pitch, metronome and volume (percent) are used.
    """
    parts = [_catches(motion, parameters.pitch), _bounces(motion)]
    if parameters.metronome == "on":
        parts.append(_beats(motion))
    # `np.unique` sorts rows by time, and keeps one of equal rows.
    rows = np.unique(np.concatenate(parts), axis=0)
    return SoundEvents(rows[:, 0], rows[:, 1], rows[:, 2] * parameters.volume / 100)


def _catches(motion: Motion, pitch: str) -> Floats:
    """Return a row for each catch: time [s], pitch [Hz], loudness; shape (F, 3).

    Args:
        motion: motion of the pattern, with F flights, each of which ends in a catch.
        pitch: "even" for the same pitch of all catches, "hand" for one pitch of left and one of
            right hands, "height" for higher pitches of higher throws.
    """
    events = motion.choreography.events
    flights = motion.choreography.flights
    pitches = np.full(len(flights.catch), CATCH)
    if pitch == "hand":
        # Hand index 2 · juggler + side, so even ones are left.
        pitches = np.where(events.hand[flights.catch] % 2 == 0, _LEFT, _RIGHT)
    elif pitch == "height":
        # One octave below `CATCH` for a flight without rise, and one octave more for each
        # `_OCTAVE_HEIGHT` by which a flight rises.
        octaves = np.clip(_rises(motion) / _OCTAVE_HEIGHT - 1, -1, _MAX_OCTAVES)
        # Whole semitones, so that nearly equal heights sound alike.
        pitches = CATCH * 2 ** (np.round(12 * octaves) / 12)
    return _rows(events.time[flights.catch], pitches, 1.0)


def _rises(motion: Motion) -> Floats:
    """Return the height of each flight above its throw, shape (F,), [m]."""
    flying = motion.flight_paths
    if not len(flying.start):
        return np.zeros(0)
    # A flight that bounces has several parabolas, one after the other; the highest counts.
    highest = np.maximum.reduceat(flying.parabolas.apexes()[:, 1], flying.parabolas.first)
    rises: Floats = highest - flying.start[:, 1]
    return rises


def _bounces(motion: Motion) -> Floats:
    """Return a row for each bounce: time [s], pitch [Hz], loudness."""
    # Each parabola but the first of a flight begins with a bounce.
    choreography = motion.choreography
    parabolas = motion.flight_paths.parabolas
    bounced = parabolas.since > 0.0
    thrown = choreography.events.time[choreography.flights.throw[parabolas.flight[bounced]]]
    within: Floats = (thrown + parabolas.since[bounced]) % motion.duration
    return _rows(within, BOUNCE, _BOUNCE_LOUDNESS)


def _beats(motion: Motion) -> Floats:
    count = max(round(motion.duration * motion.choreography.bps), 1)
    return _rows(np.linspace(0.0, motion.duration, count, endpoint=False), BEAT, _BEAT_LOUDNESS)


def _rows(times: Floats, pitch: Floats | float, loudness: float) -> Floats:
    """Return a row for each sound: time [s], pitch [Hz] and loudness."""
    rows = np.empty((len(times), 3))
    rows[:, 0] = np.round(times, _TIME_DECIMALS)
    rows[:, 1] = pitch
    rows[:, 2] = loudness
    return rows


@lru_cache(maxsize=256)
def tone(pitch: float, loudness: float = 1.0) -> Singles:
    """Return the samples of a short sound of two partials, shape (samples,), −1 to 1.

    The higher partial fades sooner, as of a struck bar. The array is cached and read-only.

    Args:
        pitch: of the lower partial, [Hz].
        loudness: 0 to 1.
    """
    # Sum of a · sin(2π f t) · exp(−t / decay).
    time = np.arange(round(_TONE_DURATION * SAMPLE_RATE)) / SAMPLE_RATE
    partials = sum(
        partial_loudness * np.sin(2 * np.pi * ratio * pitch * time) * np.exp(-time / decay)
        for ratio, partial_loudness, decay in _PARTIALS
    )
    # The attack grows linearly, without which there would be a click.
    shared = np.asarray(loudness * partials * np.minimum(time / _ATTACK, 1.0), dtype=np.float32)
    shared.setflags(write=False)
    return shared
