"""Ways of hands to and from throws around bodies."""

import numpy as np
import pytest

from juggle_anim import animate
from juggle_anim.choreography.body_throws import THROWS
from juggle_anim.choreography.choreography import HOLD, THROW


@pytest.mark.parametrize("word", ["backcross", "lazy", "underarm", "underleg", "trebla"])
@pytest.mark.parametrize("text", ["423", "42", "52233"])
def test_a_hand_that_holds_a_ball_for_long_waits_before_the_body(text, word):
    animation = animate(text, throws=f"{word},-,-,-")
    hands = animation.sample(np.arange(0.0, animation.duration, 0.02)).hands[:, 0]
    points = animation.choreography.events.position
    # A hand swings beyond what it passes, but not by much.
    assert hands[..., 1].min() > points[:, 1].min() - 0.45
    assert hands[..., 1].max() < points[:, 1].max() + 0.35
    assert np.abs(hands[..., 0]).max() < np.abs(points[:, 0]).max() + 0.2


@pytest.mark.parametrize("word", ["backcross", "trebla"])
def test_a_longer_dwell_leaves_the_way_to_a_throw_as_long(word):
    spans = []
    for dwell in (1.5, 1.8):
        events = animate("3", throws=word, bps=2.0, dwell=dwell).choreography.events
        ways = np.flatnonzero((events.kind == HOLD) & (events.hand == 0))
        throw = events.time[(events.kind == THROW) & (events.hand == 0)][0]
        spans.append(sorted((throw - events.time[ways]) % 1.0))
    assert spans[0] == pytest.approx(spans[1], abs=1e-6)
    assert spans[0][0] == pytest.approx((1.0 - THROWS[word].comes[-1][0]) * 1.4 / 2.0, abs=1e-6)
