"""Words of a search, and names of patterns and props, in every language."""

from collections.abc import Iterator

import pytest

from juggle_anim.language import choose_language
from juggle_anim.notation import open_pattern
from juggle_anim.notation.search import english_query, search, tag_words, word_for_with


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    choose_language("en")


@pytest.mark.parametrize(
    ("code", "said", "found"),
    [
        ("de", "vier Bälle Dusche", "Four-ball shower"),
        ("de", "Dusche mit 4 Bällen", "Four-ball shower"),
        ("de", "Kaskade mit fünf Keulen", "Five-club cascade"),
        ("fr", "douche à quatre balles", "Four-ball shower"),
        ("fr", "cascade de 5 quilles", "Five-club cascade"),
        ("es", "ducha de 4 bolas", "Four-ball shower"),
        ("es", "cascada con cinco mazas", "Five-club cascade"),
        ("pt", "chuveiro de quatro bolas", "Four-ball shower"),
    ],
)
def test_a_search_is_understood_as_people_say_it(code: str, said: str, found: str) -> None:
    choose_language(code)
    assert search(english_query(said))[0].name == found


@pytest.mark.parametrize(
    ("code", "text", "throws", "kind"),
    [
        ("de", "531 Keulen", "531", "club"),
        ("de", "Box mit Ringen", "(4,2x)(2x,4)", "ring"),
        ("de", "5 Bälle", "5", "ball"),
        ("fr", "531 avec massues", "531", "club"),
        ("es", "Mills mess mazas", "3", "club"),
        ("pt", "531 com argolas", "531", "ring"),
        ("pt", "531 with clubs", "531", "club"),
        ("fr", "douche à quatre balles", "71", "ball"),
        ("de", "Kaskade", "3", "ball"),
    ],
)
def test_a_pattern_is_named_with_its_props_in_the_present_language(
    code: str, text: str, throws: str, kind: str
) -> None:
    choose_language(code)
    score = open_pattern(text).score
    assert score.pattern
    assert (score.pattern.text, score.staging.props.kinds) == (throws, (kind,))


@pytest.mark.parametrize(
    ("code", "word"), [("en", "with"), ("de", "mit"), ("fr", "avec"), ("es", "con"), ("pt", "com")]
)
def test_the_word_between_a_pattern_and_its_props_is_that_of_the_language(
    code: str, word: str
) -> None:
    choose_language(code)
    assert word_for_with() == word


def test_numbers_of_props_and_jugglers_are_said_in_words_of_the_language() -> None:
    said = [tag_words(tag) for tag in ("3 props", "1 prop", "2 jugglers", "1 juggler", "one two")]
    assert said == ["3 props", "1 prop", "2 jugglers", "1 juggler", "one two"]
    choose_language("de")
    assert [tag_words(tag).split()[0] for tag in ("3 props", "2 jugglers")] == ["3", "2"]
    assert "jugglers" not in tag_words("2 jugglers")
    assert tag_words("3 things") == "3 things"
