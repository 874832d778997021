"""Sound of a pattern: times, pitches and loudness of catches, bounces and beats, and the tone that
each plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.motion import Motion
from juggle_anim.parameters import Parameters

CATCH = 210.0
BOUNCE = 95.0
BEAT = 880.0
"""Pitch of a catch, of a bounce on the floor, and of the metronome, [Hz]."""

_LEFT = CATCH * 2 ** (-4 / 12)
_RIGHT = CATCH * 2 ** (5 / 12)
_BOUNCE_LOUD = 0.8
_BEAT_LOUD = 0.3
# metres a prop rises for each octave, and how many there are at most
_OCTAVE = 1.5
_OCTAVES = 2.5
_DECIMALS = 6  # of times [s]: nearer sounds are one

SAMPLE_RATE = 48_000
"""Samples a second."""

# seconds
_LENGTH = 0.08
_ATTACK = 0.001
_TONES = (
    (1.0, 0.45, 0.014),
    (5.476, 0.2, 0.004),
)  # over the pitch, loudness, time in which it fades [s]


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
    """Return the catches and bounces of a pattern, and the beats of the metronome; equal sounds at
    one time are one.

    Args:
        motion: of the pattern.
        parameters: pitch, metronome and volume.
    """
    parts = [_catches(motion, parameters.pitch), _bounces(motion)]
    if parameters.metronome == "on":
        parts.append(_beats(motion))
    rows = np.unique(np.concatenate(parts), axis=0)
    return SoundEvents(rows[:, 0], rows[:, 1], rows[:, 2] * parameters.volume / 100)


def _catches(motion: Motion, pitch: str) -> Floats:
    events = motion.choreography.events
    flights = motion.choreography.flights
    high = np.full(len(flights.catch), CATCH)
    if pitch == "hand":
        high = np.where(events.hand[flights.catch] % 2 == 0, _LEFT, _RIGHT)
    elif pitch == "height":
        rises = np.clip(_rises(motion) / _OCTAVE - 1, -1, _OCTAVES)
        # Whole semitones, so that nearly equal heights sound alike.
        high = CATCH * 2 ** (np.round(12 * rises) / 12)
    return _rows(events.time[flights.catch], high, 1.0)


def _rises(motion: Motion) -> Floats:
    """Return the height of each flight above its throw, shape (F,), [m]."""
    flying = motion.flight_paths
    if not len(flying.start):
        return np.zeros(0)
    highest = np.maximum.reduceat(flying.parabolas.apexes()[:, 1], flying.parabolas.first)
    rises: Floats = highest - flying.start[:, 1]
    return rises


def _bounces(motion: Motion) -> Floats:
    choreography = motion.choreography
    parabolas = motion.flight_paths.parabolas
    bounced = parabolas.since > 0.0
    thrown = choreography.events.time[choreography.flights.throw[parabolas.flight[bounced]]]
    within: Floats = (thrown + parabolas.since[bounced]) % motion.duration
    return _rows(within, BOUNCE, _BOUNCE_LOUD)


def _beats(motion: Motion) -> Floats:
    count = max(round(motion.duration * motion.choreography.bps), 1)
    return _rows(np.linspace(0.0, motion.duration, count, endpoint=False), BEAT, _BEAT_LOUD)


def _rows(times: Floats, pitch: Floats | float, loudness: float) -> Floats:
    rows = np.empty((len(times), 3))
    rows[:, 0], rows[:, 1], rows[:, 2] = np.round(times, _DECIMALS), pitch, loudness
    return rows


@lru_cache(maxsize=256)
def tone(pitch: float, loudness: float = 1.0) -> Singles:
    """Return two tones, of which the higher fades sooner, shape (samples,), −1 to 1.

    The array is cached and read-only.

    Args:
        pitch: of the lower, [Hz].
        loudness: 0 to 1.
    """
    time = np.arange(round(_LENGTH * SAMPLE_RATE)) / SAMPLE_RATE
    tones = sum(
        loud * np.sin(2 * np.pi * above * pitch * time) * np.exp(-time / fades)
        for above, loud, fades in _TONES
    )
    shared = np.asarray(loudness * tones * np.minimum(time / _ATTACK, 1.0), dtype=np.float32)
    shared.setflags(write=False)
    return shared
