"""Operations on throws."""

from __future__ import annotations

import pytest

import juggle_anim as ja
from juggle_anim.errors import EditError


def test_swapped_landings_of_531_make_441_once() -> None:
    assert ja.animate("531").edit().swap_landings(0, 1).text == "441531"


def test_a_prop_cannot_land_before_it_is_thrown() -> None:
    with pytest.raises(EditError, match="land before"):
        ja.animate("441").edit().swap_landings(2, 4)
