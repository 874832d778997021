from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.viewer.cards.panel import excerpt


@given(st.text("abc", min_size=1, max_size=60), st.data())
def test_an_excerpt_fits_and_marks_the_same_character(text: str, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(text)))
    shown, place = excerpt(text, index, lambda words: len(words) <= 12)
    assert len(shown) <= 12
    assert shown[place : place + 1].strip("…") == text[index : index + 1] or place == len(shown)


def test_what_fits_is_shown_whole() -> None:
    assert excerpt("531", 1, lambda words: True) == ("531", 1)


def test_the_place_is_found_at_once_in_a_text_of_any_length() -> None:
    asked = []
    shown, place = excerpt(
        "5" * 100_000 + "?", 100_000, lambda words: bool(asked.append(words)) or len(words) <= 12
    )
    assert shown[place] == "?"
    assert len(asked) < 200
