from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.diagrams.nodes import PRINT_INK, WHITE
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.theme import DARK, LIGHT, brightened_for_dark, is_paper_dark, pack_colour, paper_colour

shares = st.floats(0, 1)


@pytest.fixture
def dark() -> Iterator[None]:
    theme.use_colours(DARK)
    yield
    theme.use_colours(LIGHT)


def luminance(colour: tuple[float, ...]) -> float:
    return sum(part * share**2.2 for part, share in zip((0.2126, 0.7152, 0.0722), colour, strict=True))


def test_on_light_cards_inks_are_those_of_the_print() -> None:
    assert not is_paper_dark()
    assert paper_colour((0.2, 0.4, 0.6)) == pack_colour((0.2, 0.4, 0.6))
    assert theme.PAPER == paper_colour(WHITE) == 0xFFFFFFFF


@pytest.mark.usefixtures("dark")
def test_on_dark_cards_paper_is_dark_and_words_are_light() -> None:
    assert is_paper_dark()
    assert paper_colour(WHITE) == theme.PAPER != 0xFFFFFFFF
    assert paper_colour(PRINT_INK) == theme.PAPER_INK


@given(st.tuples(shares, shares, shares))
def test_no_line_is_too_dark_for_dark_paper(colour: tuple[float, float, float]) -> None:
    brighter = brightened_for_dark(colour)
    assert all(0 <= part <= 1 + 1e-9 for part in brighter)
    assert luminance(brighter) >= 0.25 - 1e-6
