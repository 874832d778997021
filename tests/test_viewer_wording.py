import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.errors import ParameterError
from juggle_anim.parameters import QUANTITIES, Quantity, quantity_named
from juggle_anim.viewer.state.values import format_value, parse_value, plain_text, value_at


def test_values_are_written_short_with_their_unit() -> None:
    assert format_value(quantity_named("chicken_wing"), -30.0) == "−30°"
    assert format_value(quantity_named("chicken_wing"), 30.5) == "30.5°"
    assert format_value(quantity_named("bps"), 3.0) == "3 beats/s"
    assert format_value(quantity_named("chicken_wing"), -0.001) == "0°"


@given(st.sampled_from(QUANTITIES), st.floats(0.0, 1.0), st.booleans())
def test_what_is_written_can_be_typed_again(quantity: Quantity, place: float, fine: bool) -> None:
    value = value_at(quantity, place, fine)
    assert parse_value(quantity, format_value(quantity, value)) == pytest.approx(value)
    assert parse_value(quantity, plain_text(quantity, value)) == pytest.approx(value)


def test_a_decimal_comma_is_understood() -> None:
    assert parse_value(quantity_named("dwell"), " 1,25 ") == 1.25


def test_auto_is_only_for_what_follows_from_the_pattern() -> None:
    assert parse_value(quantity_named("bps"), "auto") is None
    with pytest.raises(ParameterError, match="no number"):
        parse_value(quantity_named("dwell"), "auto")


@pytest.mark.parametrize(("text", "part"), [("abc", "“abc” is no number"), ("900", "out of range"), ("nan", "range")])
def test_nonsense_is_refused_with_what_is_accepted(text: str, part: str) -> None:
    with pytest.raises(ParameterError, match=part) as caught:
        parse_value(quantity_named("chicken_wing"), text)
    assert "−180° to 180°" in str(caught.value)
