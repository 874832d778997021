from hypothesis import given
from siteswap_strategies import any_text

from juggle_anim.notation.siteswap.syntax import Token, tokenize


def test_tokens_know_where_they_stood_and_the_last_one_is_empty() -> None:
    expected = [Token("{12}", 0), Token("×", 4), Token("(", 6), Token("é", 7), Token("{3", 8), Token("", 10)]
    assert tokenize("{12}× (é{3") == expected


@given(any_text())
def test_no_character_but_spaces_is_lost(text: str) -> None:
    assert "".join(token.text for token in tokenize(text)) == "".join(text.split())
