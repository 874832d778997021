import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from siteswap_strategies import valid_siteswaps

from juggle_anim.animation import animate
from juggle_anim.errors import NotationError
from juggle_anim.notation import read_settings, write_settings
from juggle_anim.parameters import QUANTITIES, Parameters


def test_a_settings_string_gives_pattern_and_parameters() -> None:
    settings = read_settings("pattern=(6x,4)*; BPS=4.5 ;dwell=1;chickenwing=-10;")
    assert settings.pattern.text == "(6x,4)*"
    assert settings.parameters == {"bps": 4.5, "dwell": 1.0, "chicken_wing": -10.0}


def test_a_text_without_an_equals_sign_is_a_pattern() -> None:
    assert read_settings("531").pattern.text == "531"
    assert read_settings("Cascade").pattern.text == "3"
    assert not read_settings("531").complete


def test_an_animation_takes_settings_and_flags_win() -> None:
    animation = animate("pattern=3;dwell=1;gravity=500", dwell=0.9)
    assert animation.parameters.dwell == 0.9
    assert animation.parameters.gravity == 500.0


def test_settings_bring_their_own_defaults_and_a_pattern_keeps_what_is() -> None:
    turned = Parameters(dwell=0.8)
    assert read_settings("pattern=3;bps=2").applied_to(turned) == Parameters(bps=2)
    assert read_settings("3").applied_to(turned) == turned


WRONG = [
    ("pattern=3;dwel=1", "dwel", "did you mean dwell"),
    ("pattern=3;qqqqq=1", "qqqqq", "there are pattern"),
    ("pattern=3;hands=(10)(32.5).", "hands", "not read yet"),
    ("pattern=3;dwell=1;dwell=1", ";dwell=1", "given twice"),
    ("pattern=3; dwell = x", "x", "no number"),
    ("pattern=3;dwell=", "", "no number"),
    ("pattern=3;dwell=nan", "nan", "no number"),
    ("pattern=3;bps=inf", "inf", "no number"),
    ("pattern=3;dwell=5", "5", "0.02 to 1.98"),
    ("dwell=1", "dwell", "no pattern"),
    ("pattern=3;531", "531", "no value"),
    ("dwell=1;pattern=543", "43", "both land"),
    ("pattern=", "", "nothing"),
]


@pytest.mark.parametrize(("text", "place", "words"), WRONG, ids=[text for text, *_ in WRONG])
def test_a_mistake_is_shown_under_its_place_in_the_whole_text(text: str, place: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_settings(text)
    wanted = text.rindex(place) + place.startswith(";") if place else len(text)
    assert caught.value.index == wanted
    assert caught.value.text == text
    assert words in str(caught.value)


values = st.fixed_dictionaries(
    {},
    optional={quantity.name: st.floats(quantity.low, quantity.high) for quantity in QUANTITIES},
)


@given(valid_siteswaps(), values)
def test_what_is_written_is_read_back_exactly(text: str, changes: dict[str, float]) -> None:
    animation = animate(text, **changes)
    settings = read_settings(write_settings(animation.pattern, animation.parameters))
    assert settings.pattern == animation.pattern
    assert settings.applied_to(Parameters(dwell=0.5)) == animation.parameters


def test_defaults_are_not_written() -> None:
    assert write_settings(animate("531").pattern, Parameters()) == "pattern=531"
    assert write_settings(animate("531").pattern, Parameters(dwell=1, chicken_wing=62.5)) == (
        "pattern=531;chickenwing=62.5;dwell=1"
    )


@given(st.text(max_size=20), st.text("pattern=dwell;531bps.", max_size=40))
def test_any_text_is_read_or_refused_with_a_notation_error(wild: str, near: str) -> None:
    for text in (wild, near, "pattern=" + near):
        with contextlib.suppress(NotationError):
            assert read_settings(text).pattern.props >= 0
