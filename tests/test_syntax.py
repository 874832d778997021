import pytest
from hypothesis import given
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.notation.siteswap.parser import parse
from juggle_anim.notation.siteswap.placement import place_throws
from juggle_anim.notation.siteswap.syntax import beats_of


@pytest.mark.parametrize(
    ("text", "beats"),
    [("531", 3), ("(4,2)[34]", 3), ("(4,2)!", 1), ("((51^3)5*^2)", 28), ("<R|L><3p(4,4)|333>", 3)],
)
def test_beats_are_counted_with_repeats_written_out(text: str, beats: int) -> None:
    assert beats_of(parse(text).items) == beats


@given(valid_siteswaps() | valid_passing_siteswaps())
def test_beats_are_those_that_throws_are_placed_on(text: str) -> None:
    tree = parse(text)
    assert beats_of(tree.items) == place_throws(text, tree).written_period
