"""How hard hands work, against Juggling Lab 1.7.7, and on the paths of their own that tricks have.

The peer's figures: peak acceleration of a hand [g], and its lowest and highest place above the
throw [cm].
"""

from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.choreography import EventKind
from juggle_anim.notation import read_settings
from juggle_anim.notation.library import library
from juggle_anim.parameters import Parameters

PEER = {
    "3": (4.7, -25, 14),
    "4": (6.8, -29, 16),
    "5": (10.8, -28, 15),
    "7": (15.2, -28, 15),
    "9": (18.5, -31, 17),
    "b": (22.2, -39, 21),
    "531": (10.4, -29, 18),
    "744": (13.2, -41, 23),
    "97531": (17.2, -38, 25),
    "b97531": (21.6, -43, 29),
    "(6x,4)*": (11.0, -37, 20),
}
RATE = 10_000
CALM, MORE = 8.0, 1.65
"""What a hand may need on a path that `hands` gives, [g]; or how many times as much as the same
throws ask of hands at their usual places.
"""


def work(text: str, style: str) -> tuple[float, float, float, float]:
    """Peak acceleration [g], lowest and highest place [cm], and the largest jump of the
    acceleration over its peak.
    """
    animation = animate(text, style=style)
    times = np.arange(0, animation.duration, 1 / RATE)
    acceleration = animation.motion.sample(times, 2).hands
    peak = np.linalg.norm(acceleration, axis=-1).max()
    jump = np.linalg.norm(np.diff(acceleration, axis=0), axis=-1).max()
    events = animation.choreography.events
    throw = events.position[events.kind == EventKind.THROW, 1].min()
    heights = 100 * (animation.sample(times).hands[..., 1] - throw)
    return peak / 9.8, heights.min(), heights.max(), jump / peak


@pytest.mark.parametrize("text", PEER)
def test_natural_hands_need_less_force_within_their_room(text: str) -> None:
    peer, _, _ = PEER[text]
    peak, low, high, jump = work(text, "natural")
    assert peak <= peer
    assert low > -36
    assert high < 34
    assert jump < 0.02


@pytest.mark.parametrize("text", PEER)
def test_in_the_places_of_juggling_lab_hands_need_hardly_more_force_than_there(text: str) -> None:
    peak, _, _, jump = work(text, "juggling-lab")
    assert peak <= 1.2 * PEER[text][0]
    assert jump < 0.02


def test_mills_mess_is_smooth_too() -> None:
    for style in ("natural", "juggling-lab"):
        peak, _, _, jump = work("pattern=3;hands=Mills mess", style)
        assert peak < 5.5
        assert jump < 0.02


@pytest.mark.parametrize(
    ("pattern", "peak"),
    [("3", 4.6), ("5", 7.9), ("7", 9.2), ("97531", 14.7), ("b97531", 17.9), ("Mills mess", 5.5)],
)
def test_high_throws_ask_for_as_much_of_hands_as_the_documentation_says(
    pattern: str, peak: float
) -> None:
    assert _coarse_peak(animate(pattern)) == pytest.approx(peak, abs=0.1)


def test_no_trick_of_the_library_asks_more_of_its_hands_than_people_do() -> None:
    for pattern in library():
        if "hands" not in dict(pattern.settings):
            continue
        settings = read_settings(pattern.settings_text)
        parameters = settings.applied_to(Parameters())
        trick = Animation(settings.score, parameters)
        peak = _coarse_peak(trick)
        if peak > CALM:
            usual = replace(settings.score, staging=replace(settings.score.staging, hands=None))
            assert peak <= MORE * _coarse_peak(Animation(usual, parameters)), (pattern.name, peak)


def _coarse_peak(animation: Animation) -> float:
    """Peak acceleration of a hand, [g], seen often enough to be off by a few hundredths."""
    times = np.arange(0.0, animation.duration, 1 / 300)
    (acceleration,) = animation.motion.hand_derivatives(times, (2,))
    return float(np.linalg.norm(acceleration, axis=-1).max()) / 9.8
