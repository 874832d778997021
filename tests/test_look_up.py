import pytest

from juggle_anim.errors import NotationError
from juggle_anim.notation import LibraryPattern
from juggle_anim.notation.settings.settings import look_up
from juggle_anim.pattern import Pattern


def throws(text: str) -> str:
    found = look_up(text)
    assert isinstance(found, Pattern)
    return found.text


def name(text: str) -> str:
    found = look_up(text)
    assert isinstance(found, LibraryPattern)
    return found.name


def test_a_siteswap_is_read() -> None:
    assert throws("531") == "531"


@pytest.mark.parametrize("text", ["cascade", " Three-Ball  CASCADE", "3-ball cascade"])
def test_a_name_gives_its_pattern_in_the_library(text: str) -> None:
    assert name(text) == "Cascade"


def test_a_name_may_begin_with_a_digit_or_hold_nothing_else() -> None:
    assert name("531 Mills mess") == "531 Mills mess"
    assert name("3-3-10") == "3-3-10"


def test_a_name_goes_before_a_siteswap_of_the_same_letters() -> None:
    assert name("snake") == "Snake"


def test_a_name_that_is_its_own_siteswap_is_one() -> None:
    assert throws("b97531") == "b97531"


@pytest.mark.parametrize("text", ["531", " (4,2x)(2x,4)", "[34]23"])
def test_the_library_is_not_read_for_a_siteswap(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("juggle_anim.notation.search.find_pattern", None)
    assert throws(text) == text


def test_a_mistyped_name_suggests_the_nearest() -> None:
    with pytest.raises(NotationError, match="did you mean Cascade"):
        look_up("cascad")
    with pytest.raises(NotationError, match="did you mean Mills mess"):
        look_up("mils mess")


def test_a_wrong_siteswap_suggests_no_name() -> None:
    for wrong in ("(6x,4", "531)"):
        with pytest.raises(NotationError) as caught:
            look_up(wrong)
        assert "did you mean" not in str(caught.value)


def test_a_number_is_no_text() -> None:
    with pytest.raises(NotationError, match="in quotes"):
        look_up(531)  # type: ignore[arg-type]
