import re

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.cards.panel import pattern_facts, shortfall, shown_title
from juggle_anim.viewer.state.model import Model


def with_gaps(left: float, right: float) -> Model:
    model = Model(animate("531"))
    model.animation.__dict__["gaps"] = np.array([[left, right]])
    return model


def test_the_facts_are_props_period_and_tempo() -> None:
    assert pattern_facts(Model(animate("531"))) == "3 props  ·  period 3  ·  3.63 beats/s"
    assert pattern_facts(Model(animate("1", bps=2))).startswith("1 prop  ·")
    assert pattern_facts(Model(animate("<3p 3|3p 3>"))) == "2 jugglers  ·  6 props  ·  period 2"


def test_the_line_shows_the_title_alone_until_something_is_typed() -> None:
    model = Model(animate("pattern=531;prop=club;dwell=1"))
    assert shown_title(model) == "531"
    assert shown_title(Model(animate("pattern=Mills mess;speed=0.5"))) == "Mills mess"
    model.line = "5317"
    assert shown_title(model) == "5317"


@pytest.mark.parametrize(
    ("gaps", "words"),
    [
        ((0.0, 0.009), ""),
        ((0.032, 0.0), "Out of reach: left hand, by 3 cm"),
        ((0.004, 0.11), "Out of reach: right hand, by 11 cm"),
        ((0.02, 0.05), "Out of reach: both hands, by 5 cm"),
    ],
)
def test_hands_that_cannot_reach_are_named(gaps: tuple[float, float], words: str) -> None:
    assert shortfall(with_gaps(*gaps)) == words


def test_throws_too_wide_for_any_arm_are_out_of_reach() -> None:
    assert shortfall(Model(animate("531"))) == ""
    assert re.fullmatch(
        r"Out of reach: both hands, by \d+ cm",
        shortfall(Model(animate("pattern=531;hands=(150)(200)."))),
    )
