import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.errors import ParameterError
from juggle_anim.parameters import CHOICES, QUANTITIES, Choice, Quantity, quantity_named
from juggle_anim.viewer.panel.values import (
    FINE,
    format_value,
    fraction,
    option_words,
    parse_value,
    plain_text,
    stepped,
    value_at,
)

quantities = st.sampled_from(QUANTITIES)


def test_a_turn_is_one_step_and_a_fine_one_a_tenth() -> None:
    wing = quantity_named("chicken_wing")
    assert stepped(wing, 30.0, 1) == 35.0
    assert stepped(wing, 30.0, -FINE) == 29.5


def test_many_small_turns_leave_a_round_number() -> None:
    speed, value = quantity_named("speed"), 0.1
    for _ in range(3):
        value = stepped(speed, value, 1)
    assert value == 0.4


@given(quantities, st.floats(0.0, 1.0), st.integers(-1000, 1000))
def test_a_turn_stays_on_the_slider(quantity: Quantity, place: float, steps: int) -> None:
    low, high = quantity.slider
    assert low <= stepped(quantity, value_at(quantity, place), steps) <= high


def test_a_value_typed_beyond_the_slider_only_comes_back() -> None:
    gravity = quantity_named("gravity")
    assert stepped(gravity, 5000.0, 1) == 5000.0
    assert stepped(gravity, 5000.0, -1) == 4980.0


@given(quantities, st.floats(-1.0, 2.0), st.booleans())
def test_the_mouse_finds_whole_steps_on_the_slider(
    quantity: Quantity, place: float, fine: bool
) -> None:
    low, high = quantity.slider
    step = quantity.step * (FINE if fine else 1.0)
    value = value_at(quantity, place, fine=fine)
    assert low <= value <= high
    assert value in (low, high) or value / step == pytest.approx(round(value / step), abs=1e-6)
    assert fraction(quantity, value) == pytest.approx(
        min(max(place, 0.0), 1.0), abs=step / (high - low)
    )


@given(st.sampled_from(CHOICES), st.floats(-1.0, 2.0), st.booleans())
def test_each_word_has_an_equal_share_of_the_slider(
    choice: Choice, place: float, fine: bool
) -> None:
    value = value_at(choice, place, fine=fine)
    assert (
        abs(fraction(choice, value) - min(max(place, 0.0), 1.0))
        <= 0.5 / len(choice.options) + 1e-12
    )
    assert value_at(choice, fraction(choice, value)) == value


@given(st.sampled_from(CHOICES), st.data())
def test_a_turn_goes_from_word_to_word_and_stops_at_the_ends(
    choice: Choice, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(choice.options) - 1))
    following = choice.options[min(number + 1, len(choice.options) - 1)]
    assert stepped(choice, choice.options[number], 1) == following
    assert stepped(choice, choice.options[number], FINE) == following
    assert stepped(choice, choice.options[number], -1) == choice.options[max(number - 1, 0)]


def test_values_are_written_short_with_their_unit() -> None:
    assert format_value(quantity_named("chicken_wing"), -30.0) == "−30°"
    assert format_value(quantity_named("chicken_wing"), 30.5) == "30.5°"
    assert format_value(quantity_named("bps"), 3.0) == "3 beats/s"
    bounce = quantity_named("bounce_fraction")
    assert format_value(bounce, 0.9) == "90% energy kept"
    assert parse_value(bounce, "85 %") == parse_value(bounce, "0.85") == 0.85
    assert format_value(quantity_named("chicken_wing"), -0.001) == "0°"


@given(st.sampled_from(QUANTITIES), st.floats(0.0, 1.0), st.booleans())
def test_what_is_written_can_be_typed_again(quantity: Quantity, place: float, fine: bool) -> None:
    value = value_at(quantity, place, fine=fine)
    assert parse_value(quantity, format_value(quantity, value)) == pytest.approx(value)
    assert parse_value(quantity, plain_text(quantity, value)) == pytest.approx(value)


def test_a_decimal_comma_is_understood() -> None:
    assert parse_value(quantity_named("dwell"), " 1,25 ") == 1.25


def test_auto_is_only_for_what_follows_from_the_pattern() -> None:
    assert parse_value(quantity_named("bps"), "auto") is None
    with pytest.raises(ParameterError, match="not a number"):
        parse_value(quantity_named("dwell"), "auto")


@pytest.mark.parametrize(
    ("text", "part"), [("abc", "“abc” is not a number"), ("900", "out of range"), ("nan", "range")]
)
def test_nonsense_is_refused_with_what_is_accepted(text: str, part: str) -> None:
    with pytest.raises(ParameterError, match=part) as caught:
        parse_value(quantity_named("chicken_wing"), text)
    assert "−180° to 180°" in str(caught.value)


@pytest.mark.parametrize(("name", "value", "words"), [("spins", 1.0, "1 turn"),
    ("spins", 1.5, "1.5 turns"),
                                                      ("dwell", 1.0, "1 beat"),
                                                      ("bps", 1.0, "1 beats/s")])  # fmt: skip
def test_one_of_a_unit_is_written_and_read_without_its_s(
    name: str, value: float, words: str
) -> None:
    row = quantity_named(name)
    assert format_value(row, value) == words
    assert parse_value(row, words) == value


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.name)
def test_an_option_is_what_it_is_shown_as(choice: Choice) -> None:
    for option in choice.options:
        assert parse_value(choice, option_words(option)) == option
