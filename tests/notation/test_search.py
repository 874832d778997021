import re
from difflib import SequenceMatcher
from itertools import pairwise
from random import Random
from string import ascii_lowercase

import pytest

from juggle_anim.errors import NotationError
from juggle_anim.language import speaking
from juggle_anim.notation import LibraryPattern, nearest_names
from juggle_anim.notation.library import folded_text, library
from juggle_anim.notation.search import english_query, search
from juggle_anim.notation.settings.settings import look_up
from juggle_anim.pattern import Pattern


def names(text: str) -> list[str]:
    return [pattern.name for pattern in search(text)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("cascade", "Cascade"),
        ("CASCADE ", "Cascade"),
        ("box", "Box"),
        ("passing", "One ball between two"),
        ("wimpy", "Four-ball wimpy"),
        ("531", "531"),
        ("(6x,4)*", "Crossing and straight"),
        ("(6×, 4)*", "Crossing and straight"),
        ("51", "Three-ball shower"),
        ("5 ball cascade", "Five-ball cascade"),
        ("cascade five balls", "Five-ball cascade"),
        ("half-shower", "Half shower"),
        ("hálf shower", "Half shower"),
        ("casc", "Cascade"),
        ("fontain", "Fountain"),
        ("shouwer 4", "Four-ball shower"),
        ("mills", "Mills mess"),
        ("revenge", "Relf's revenge"),
        ("<3p 3 | 3p 3>", "Two-count"),
        ("7 club one count", "Seven-club one-count"),
        ("3 balls", "Cascade"),
        ("four balls", "Fountain"),
        ("5 clubs", "Five-club cascade"),
    ],
)
def test_the_best_match_comes_first(text: str, first: str) -> None:
    assert names(text)[0] == first


def test_every_pattern_comes_first_for_each_of_its_names() -> None:
    for pattern in library():
        for name in pattern.names:
            assert search(name)[0] is pattern, name


def test_every_pattern_comes_first_for_its_names_with_a_typing_error() -> None:
    random = Random(5)
    for pattern in library():
        for name in pattern.names:
            typed = misspelt(name, random)
            if typed is None:
                continue
            first = search(typed)[0]
            # An error may lead as near to another name: yo-oy is yo-yo or oy-oy.
            assert first is pattern or any(similar(typed, other) for other in first.names), typed


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("mils mess", "Mills mess"),
        ("rubinsteins revenge", "Rubenstein's revenge"),
        ("rubinstien revange", "Rubenstein's revenge"),
        ("millsmess", "Mills mess"),
        ("halfbox", "441"),
        ("5 club cascade", "Five-club cascade"),
        ("5 ring splits", "Five-ball splits"),
        ("thee ball flash", "Three-ball flash"),
    ],
)
def test_a_mistyped_or_joined_name_is_found(typed: str, meant: str) -> None:
    assert names(typed)[0] == meant


def misspelt(name: str, random: Random) -> str | None:
    """A name with one letter wrong, missing, doubled or exchanged with the next; None if it has too
    few.
    """
    letters = [
        place for place, pair in enumerate(pairwise(name)) if all(each.isalpha() for each in pair)
    ]
    if len(letters) < 4:
        return None
    at, wrong = random.choice(letters), random.choice(ascii_lowercase)
    put = random.choice([wrong, "", 2 * name[at], name[at + 1] + name[at]])
    return name[:at] + put + name[at + (2 if put == name[at + 1] + name[at] else 1) :]


def similar(typed: str, name: str) -> bool:
    one, other = (folded_text(each).replace(" ", "") for each in (typed, name))
    return SequenceMatcher(None, one, other, autojunk=False).ratio() > 0.7


def test_for_a_siteswap_a_pattern_comes_first_that_has_just_these_throws() -> None:
    plain = {pattern.siteswap for pattern in library() if not pattern.settings}
    for siteswap in sorted({pattern.siteswap for pattern in library()})[::4]:
        first = search(siteswap)[0]
        assert first.siteswap == siteswap
        assert not (first.settings and first.siteswap in plain)


@pytest.mark.parametrize(
    ("text", "tag", "at_least"),
    [
        ("mills mess", "mills mess", 15),
        ("bounce", "bounce", 25),
        ("passing 3 jugglers", "3 jugglers", 20),
        ("passing four jugglers", "4 jugglers", 8),
        ("four-handed passing", "four-handed", 25),
        ("starter", "starter", 20),
        ("hand siteswap", "hand siteswap", 30),
    ],
)
def test_a_family_is_found_by_its_name(text: str, tag: str, at_least: int) -> None:
    found = search(text)
    assert sum(tag in pattern.tags for pattern in found) >= at_least
    assert all(tag in pattern.tags for pattern in found[:at_least])


def test_a_mere_number_may_be_one_of_jugglers() -> None:
    assert {pattern for pattern in library() if pattern.jugglers == 3} <= set(search("passing 3"))


def test_every_word_must_fit() -> None:
    assert set(names("shower sync")) == set(names("shower")) & set(names("sync"))
    assert all("sync" in pattern.tags for pattern in search("shower sync"))
    assert 0 < len(names("shower sync")) < len(names("shower"))
    assert names("shower xyzzy") == []


def test_words_are_looked_for_in_tags_too() -> None:
    assert names("excited 3 props")
    assert all({"excited", "3 props"} <= set(pattern.tags) for pattern in search("excited 3 props"))


def test_words_of_a_description_find_its_pattern_after_those_that_are_called_so() -> None:
    assert names("clap") == ["Three-ball flash", "Five-ring flash"]
    flashes = [name for name in names("flash") if "flash" in name.lower()]
    assert names("flash")[: len(flashes)] == flashes
    assert names("elbow") == names("elb") == ["Carry to the opposite elbow"]


def test_in_another_language_descriptions_are_found_by_their_words_and_by_english_ones() -> None:
    typed = {"de": "Klatschen", "es": "palmada", "fr": "frapper", "pt": "palmas"}
    random = Random(7)
    for code, word in typed.items():
        with speaking(code):
            assert "Three-ball flash" in names(english_query(word)), code
            assert names("clap") == ["Three-ball flash", "Five-ring flash"], code
            for pattern in random.sample(library(), 12):
                said = sorted(re.findall(r"[^\W\d_]+", pattern.shown_description), key=len)[-2:]
                assert pattern in search(english_query(" ".join(said))), (code, said)


def test_a_description_is_told_in_the_present_language_and_one_of_somebody_else_as_it_stands() -> (
    None
):
    cascade = next(pattern for pattern in library() if pattern.name == "Cascade")
    own = LibraryPattern("Weave", "3", ("3 props",), 2, "It weaves.")
    with speaking("de"):
        assert cascade.shown_description.startswith("Das Muster für den Anfang")
        assert cascade.description.startswith("The pattern to start with")
        assert (
            own.shown_description,
            LibraryPattern("Weave", "3", (), 2, "").shown_description,
        ) == ("It weaves.", "")
    assert cascade.shown_description == cascade.description


def test_a_part_of_a_siteswap_is_enough() -> None:
    assert {"7531", "97531", "b97531", "db97531"} <= set(names("7531"))


def test_digits_are_not_mistyped() -> None:
    assert names("5312") == []


def test_one_letter_is_a_whole_word() -> None:
    assert names("c") == []


def test_no_words_fit_everything() -> None:
    assert len(search("")) == len(search("   ")) == len(library())


def test_where_patterns_fit_alike_those_for_beginners_and_the_easy_one_come_first() -> None:
    order = [("starter" not in pattern.tags, pattern.difficulty) for pattern in search("async")]
    assert order == sorted(order)


def test_the_best_known_ways_to_pass_come_first_of_those_with_six_clubs() -> None:
    six_clubs = [pattern for pattern in search("passing") if pattern.props == 6]
    assert {"Two-count", "Four-count"} <= {pattern.name for pattern in six_clubs[:4]}


def test_other_patterns_can_be_searched() -> None:
    own = LibraryPattern("Weave", "3", ("3 props",), 2, "It weaves.", aliases=("Braid",))
    other = LibraryPattern("Other", "4", ("4 props",), 2, "It does not.")
    assert search("braid", [other, own]) == (own,)


def test_an_endless_text_is_no_trouble() -> None:
    assert search("x" * 1_000_000) == ()
    assert nearest_names("x" * 1_000_000) == ()


@pytest.mark.parametrize(
    ("text", "near"),
    [("cascad", ("Cascade",)), ("5 ball cascad", ("Five-ball cascade",)), ("532", ())],
)
def test_the_nearest_name_is_one_of_words(text: str, near: tuple[str, ...]) -> None:
    assert nearest_names(text) == near


def test_the_nearest_of_given_names() -> None:
    assert nearest_names("5312", ["531", "97531", "Box"], count=2, alike=0.4) == ("531", "97531")


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
    monkeypatch.setattr("juggle_anim.notation.settings.settings.find_pattern", None)
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
