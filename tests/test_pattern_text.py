import pytest

from juggle_anim.errors import NotationError
from juggle_anim.notation import read_pattern


@pytest.mark.parametrize(("text", "siteswap"), [("531", "531"), ("cascade", "3"), (" Five-Ball  CASCADE", "5")])
def test_a_siteswap_or_a_name_is_read(text: str, siteswap: str) -> None:
    assert read_pattern(text).text == siteswap


def test_a_name_may_begin_with_a_digit() -> None:
    assert read_pattern("5-ball cascade").text == "5"


def test_a_name_goes_before_a_siteswap_of_the_same_letters() -> None:
    assert read_pattern("snake").text == "50505"


@pytest.mark.parametrize("text", ["531", " (4,2x)(2x,4)", "[34]23"])
def test_the_library_is_not_read_for_a_siteswap(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("juggle_anim.notation.pattern_text.find_pattern", None)
    assert read_pattern(text).text == text


def test_a_mistyped_name_suggests_the_nearest() -> None:
    with pytest.raises(NotationError, match="did you mean Cascade"):
        read_pattern("cascad")


def test_a_wrong_siteswap_suggests_no_name() -> None:
    with pytest.raises(NotationError) as caught:
        read_pattern("(6x,4")
    assert "did you mean" not in str(caught.value)
    with pytest.raises(NotationError) as caught:
        read_pattern("531)")
    assert "did you mean" not in str(caught.value)


def test_a_number_is_no_text() -> None:
    with pytest.raises(NotationError, match="in quotes"):
        read_pattern(531)  # type: ignore[arg-type]
