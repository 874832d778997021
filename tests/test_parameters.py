import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from juggle_anim.choreography import STYLES, Staging
from juggle_anim.errors import ParameterError
from juggle_anim.parameters import (
    HAND_STYLES,
    PROP_KINDS,
    QUANTITIES,
    TEXT_KEYS,
    TEXT_SETTINGS,
    Parameters,
    Stage,
    quantity_named,
)


def test_the_chicken_wing_stands_first() -> None:
    assert QUANTITIES[0].name == "chicken_wing"


def test_every_row_makes_sense() -> None:
    for quantity in QUANTITIES:
        low, high = quantity.slider
        assert quantity.low <= low < high <= quantity.high, quantity
        assert quantity.default is None or low <= quantity.default <= high, quantity
        assert 0 < quantity.step <= (high - low) / 10, quantity
        assert quantity.label, quantity
        assert quantity.help, quantity
        assert quantity.unit or quantity.whole, quantity
        assert isinstance(quantity.stage, Stage), quantity


def test_keys_of_settings_strings_are_unique() -> None:
    keys = [quantity.key for quantity in QUANTITIES]
    assert len(set(keys)) == len(keys)


def test_values_outside_the_range_are_refused() -> None:
    for quantity in QUANTITIES:
        for value in (
            quantity.low - 1,
            quantity.high * 2 + 1,
            math.nan,
            math.inf,
            -math.inf,
            "3",
            True,
        ):
            with pytest.raises(ParameterError, match=quantity.name):
                Parameters().replace(**{quantity.name: value})
        for value in (quantity.low, quantity.high):
            assert (
                getattr(Parameters().replace(**{quantity.name: value}), quantity.name) == value
            ), quantity


def test_only_a_quantity_that_follows_from_the_pattern_may_be_none() -> None:
    assert Parameters(bps=None).bps is None
    with pytest.raises(ParameterError, match="dwell"):
        Parameters(dwell=None)  # type: ignore[arg-type]


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(ParameterError, match="did you mean gravity"):
        quantity_named("gravty")
    with pytest.raises(ParameterError, match="there are chicken_wing"):
        quantity_named("qqqq")


def test_a_fine_step_is_shown_in_full() -> None:
    assert quantity_named("dwell").decimals == 3
    assert quantity_named("chicken_wing").decimals == 1
    assert quantity_named("gravity").decimals == 0


@pytest.mark.parametrize("number", [np.int64(30), np.float32(30), np.float64(30)])
def test_numbers_of_numpy_are_numbers(number: Any) -> None:
    taken = Parameters(chicken_wing=number).chicken_wing
    assert taken == 30
    # A float32 would make all that is computed from it as coarse as itself.
    assert type(taken) is float


def test_every_setting_in_words_has_a_name_of_its_own_and_says_what_it_does() -> None:
    taken = {name for quantity in QUANTITIES for name in (quantity.name, quantity.key)} | {
        "pattern"
    }
    assert len(set(TEXT_KEYS)) == len(TEXT_KEYS)
    assert taken.isdisjoint(TEXT_KEYS)
    assert all(setting.help for setting in TEXT_SETTINGS)


def test_the_usual_prop_is_one_of_those_that_can_be_named() -> None:
    assert set(Staging().props.kinds) <= set(PROP_KINDS)
    assert "kinds" in {field.name for field in dataclasses.fields(Staging().props)}


def test_the_styles_are_those_that_hands_can_follow() -> None:
    assert tuple(STYLES) == HAND_STYLES
    assert Staging().style == HAND_STYLES[0]
