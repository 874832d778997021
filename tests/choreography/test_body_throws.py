"""Words for throws and catches around the body."""

import numpy as np
import pytest
from paths import ROOT

from juggle_anim import animate
from juggle_anim.choreography.body_throws import CATCHES, THROW_VARIANTS, THROWS
from juggle_anim.choreography.manners import (
    BODY_THROWS,
    catch_manner,
    throw_manner,
    throw_word,
)
from juggle_anim.choreography.score import CATCH, THROW
from juggle_anim.parameters import BODY_CATCH_NAMES, BODY_THROW_NAMES


def test_settings_know_the_words_of_the_tables():
    assert set(THROWS) == set(BODY_THROW_NAMES)
    assert set(CATCHES) == set(BODY_CATCH_NAMES)


@pytest.mark.parametrize(
    ("table", "manner", "key", "kind", "between"),
    [
        (THROWS, throw_manner, "throws", THROW, ",-,"),
        (CATCHES, catch_manner, "catches", CATCH, ","),
    ],
)
def test_each_word_means_its_own_row(table, manner, key, kind, between):
    assert [BODY_THROWS[manner(word).row - 1] for word in table] == list(table.values())
    events = animate("3", **{key: between.join(table)}).choreography.events
    done = np.flatnonzero((events.kind == kind) & (events.body_throw != 0))
    assert set(events.body_throw[done]) == {manner(word).row for word in table}


def test_the_page_of_tricks_has_all_words_with_pictures():
    page = (ROOT / "docs" / "tricks.md").read_text()
    pictures = [(f"throws_{word}", word) for word in THROWS] + [
        (f"catches_{word}", word) for word in CATCHES
    ]
    for picture, word in pictures:
        assert any(
            f"| `{word}` |" in line and f"images/{picture}.png" in line
            for line in page.splitlines()
        )
        assert (ROOT / "docs" / "images" / f"{picture}.png").exists()


def test_throws_of_legs_that_follow_each_other_have_their_own_rows():
    names = [name.split(" ") for name in THROW_VARIANTS]
    for word in [name[1] for name in names if name[0] == "consecutive" and len(name) == 2]:
        row = throw_manner(f"consecutive {word}").row
        assert BODY_THROWS[row - 1] is THROW_VARIANTS[f"consecutive {word}"]
        assert thrown("3", 0, throws=word) + thrown("3", 1, throws=word) == [row, row]
        assert throw_word(row) == word
        assert thrown("3", 1, throws=f"{word},-") == [throw_manner(word).row]
    underleg, again = throw_manner("underleg").row, throw_manner("consecutive underleg").row
    assert thrown("3", 1, throws="underleg,underleg,-,underleg,-,-") == [again, 0, 0]
    assert thrown("3", 0, throws="underleg,underleg,-,underleg,-,-") == [again, underleg, 0]


def test_a_pattern_of_one_kind_of_props_takes_the_rows_of_that_kind():
    for name in THROW_VARIANTS:
        word, _, kind = name.removeprefix("consecutive ").partition(" of ")
        if kind:
            words = word if name.startswith("consecutive") else f"{word},-"
            row = throw_manner(name).row
            assert BODY_THROWS[row - 1] == THROW_VARIANTS[name]
            assert throw_word(row) == word
            assert row in thrown("3", 1, throws=words, prop=kind.removesuffix("s"))
            assert row not in thrown("3", 1, throws=words, prop=f"ball,{kind.removesuffix('s')}")


def test_what_is_said_of_a_1_holds_for_the_variants_of_a_word_too():
    for name, row in THROW_VARIANTS.items():
        assert row.ones == THROWS[name.removeprefix("consecutive ").partition(" of ")[0]].ones


def thrown(text, hand, **settings):
    """The rows of the throws of a hand in a loop, in their order."""
    events = animate(text, **settings).choreography.events
    return events.body_throw[(events.kind == THROW) & (events.hand == hand)].tolist()


def test_each_juggler_takes_the_words_of_their_own_turns():
    backcross, overhead = throw_manner("backcross").row, throw_manner("overhead").row
    assert thrown("3", 1, throws="backcross,-") == [backcross]
    assert thrown("3", 0, throws="backcross,-") == [0]
    passing = "<3p|3p>"
    assert [thrown(passing, hand, throws="backcross,-|-,overhead") for hand in range(4)] == [
        [0],
        [backcross],
        [overhead],
        [0],
    ]
    assert [thrown(passing, hand, throws="backcross,-") for hand in range(4)] == [
        [0],
        [backcross],
        [0],
        [backcross],
    ]


def test_the_mirrored_half_of_a_loop_has_the_words_of_the_other_hand():
    lazy = throw_manner("lazy").row
    assert thrown("(4,2x)*", 0, throws="lazy,-") == [lazy, 0]
    assert thrown("(4,2x)*", 1, throws="lazy,-") == [0, lazy]


def test_a_prop_that_comes_back_to_the_hand_that_threw_it_around_the_back_has_the_time_for_it():
    lazy = THROWS["lazy"]
    to_other_hand, to_same_hand = lazy.flies
    assert to_other_hand < to_same_hand
    flight_times = animate("4;throws=lazy").choreography.flights.duration
    np.testing.assert_allclose(flight_times, to_same_hand)
    assert (
        to_other_hand < animate("3;throws=lazy").choreography.flights.duration.min() < to_same_hand
    )
