import numpy as np
import pytest

from juggle_anim.sound import SAMPLE_RATE, tone


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
