import pytest

from juggle_anim.errors import NotationError
from juggle_anim.notation import read_pattern


@pytest.mark.parametrize(
    ("text", "siteswap"),
    [("531", "531"), ("cascade", "3"), (" Five-Ball  CASCADE", "5"), ("5-ball cascade", "5"), ("snake", "50505")],
)
def test_a_siteswap_or_a_name_is_read(text: str, siteswap: str) -> None:
    assert read_pattern(text).text == siteswap


def test_the_throws_of_a_name_are_in_the_hands_that_the_library_says() -> None:
    assert read_pattern("mills mess").text == "3"
    assert read_pattern("holy grail").jugglers == 2
    assert read_pattern("975").jugglers == 1


def test_what_is_neither_is_refused() -> None:
    with pytest.raises(NotationError, match="did you mean Cascade"):
        read_pattern("cascad")
