import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.sound import BEAT, BOUNCE, CATCH, SAMPLE_RATE, SoundEvents, sound_events, tone


def of(animation: Animation) -> SoundEvents:
    return sound_events(animation.motion, animation.parameters)


def test_every_catch_is_heard_and_those_at_one_time_once() -> None:
    animation = animate("(4,4)")
    heard, choreography = of(animation), animation.choreography
    assert heard.time == pytest.approx(
        np.unique(np.round(choreography.events.time[choreography.flights.catch], 6))
    )
    assert (heard.pitch == CATCH).all()
    assert (heard.loudness == 1).all()


def test_hands_have_tones_of_their_own() -> None:
    animation = animate("3", pitch="hand")
    heard, events = of(animation), animation.choreography.events
    left = events.time[
        (events.hand == 0)
        & np.isin(np.arange(len(events.time)), animation.choreography.flights.catch)
    ]
    assert len(set(heard.pitch.tolist())) == 2
    assert np.isin(heard.time[heard.pitch == heard.pitch.min()], np.round(left, 6)).all()


def test_higher_throws_sound_higher() -> None:
    heard = of(animate("531", pitch="height"))
    assert len(set(heard.pitch.tolist())) == 3
    assert (
        of(animate("9", pitch="height")).pitch.min() > of(animate("3", pitch="height")).pitch.max()
    )


def test_a_bounce_is_heard_on_the_floor() -> None:
    animation = animate("5B")
    heard = of(animation)
    bounces = heard.time[heard.pitch == BOUNCE]
    assert len(bounces) > 0
    props = animation.motion.sample(bounces).props[..., 1].min(axis=1)
    assert props == pytest.approx(animation.motion.prop_radius, abs=1e-4)


def test_the_metronome_ticks_on_each_beat_and_the_volume_counts_for_all() -> None:
    animation = animate("531", metronome="on", volume=50.0)
    heard, beat = of(animation), 1 / animation.choreography.bps
    ticks = heard.time[heard.pitch == BEAT]
    assert ticks == pytest.approx(np.arange(len(ticks)) * beat, abs=1e-5)
    assert len(ticks) == round(animation.duration / beat)
    assert heard.loudness.max() == pytest.approx(0.5)


def test_where_nothing_is_caught_nothing_is_heard() -> None:
    assert len(of(animate("0")).time) == 0


@pytest.mark.parametrize("pitch", [95.0, 210.0, 420.0])
def test_a_tone_has_its_pitch_begins_softly_and_dies_away(pitch: float) -> None:
    sound = tone(pitch)
    heights = np.abs(np.fft.rfft(sound, 1 << 16))
    loudest = heights.argmax() * SAMPLE_RATE / (1 << 16)
    assert loudest == pytest.approx(pitch, rel=0.08)
    assert sound[0] == 0
    assert np.abs(sound[-100:]).max() < 0.01
    assert 0.2 < np.abs(sound).max() < 1


def test_a_softer_tone_is_the_same_with_less_of_it() -> None:
    np.testing.assert_allclose(tone(210.0, 0.5), 0.5 * tone(210.0), rtol=1e-6)
