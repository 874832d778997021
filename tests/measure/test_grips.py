"""Digits touch what their hands hold and do not enter it."""

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.measure.grips import grips, summary


@pytest.mark.parametrize(
    "text",
    [
        *(f"pattern=3;prop=ball;propdiam={size}" for size in (5, 7, 12)),
        *("mills-mess", "box", "744", "<3p 3|3p 3>"),
        *(f"pattern={text};prop=club" for text in ("3", "5", "531", "box", "<3p 3|3p 3>")),
    ],
)
def test_thumb_and_three_fingers_touch_what_a_hand_holds_and_none_enters_it(text: str) -> None:
    figures = summary(grips(animate(text)))
    assert figures["grip"] > 0.9
    assert figures["deep"] < 1.1
    assert figures["deep (skin)"] < 1.1


@pytest.mark.parametrize("text", ["3", "5", "531", "97531", "mills-mess", "box", "columns", "744"])
def test_no_digit_is_in_the_way_of_a_ball_that_leaves(text: str) -> None:
    assert summary(grips(animate(text)))["leaving"] < 1.5


@pytest.mark.parametrize("ring", ["3", "5", "mills-mess", "<3p 3|3p 3>"])
def test_thumb_and_three_fingers_touch_a_ring(ring: str) -> None:
    figures = summary(grips(animate(ring, prop="ring")))
    assert figures["grip"] > 0.9
    assert figures["deep"] < 2.5


@pytest.mark.parametrize("prop", ["club", "ring"])
@pytest.mark.parametrize("text", ["3", "5", "97531", "441"])
def test_clubs_and_rings_turn_over_above_the_fingers_that_threw_them(text: str, prop: str) -> None:
    assert summary(grips(animate(text, prop=prop)))["leaving"] < 1.5


def test_drawn_fingers_are_where_their_cones_are() -> None:
    measured = grips(animate("3"))
    off = (measured.skin_gaps - measured.gaps)[measured.held][:, 1:]
    assert np.abs(off).max() < 0.002
