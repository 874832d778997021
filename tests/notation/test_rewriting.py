import re

import pytest

from juggle_anim.notation import Entry, PatternList, open_patterns, read_settings
from juggle_anim.notation.jml import read_jml, write_jml
from juggle_anim.notation.rewriting import (
    with_events,
    with_props_of_juggling_lab,
    with_titles,
    without_names,
)


def listed(*texts: str) -> PatternList:
    return PatternList(
        (Entry("words"), *(Entry(f"my {text}", read_settings(text), text=text) for text in texts))
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("531", "531"),
        ("pattern=531;dwell=1", "pattern=531;dwell=1"),
        ("pattern= 5 3\n1;\ndwell=1.3", "pattern= 5 3\n1;\ndwell=1.3"),
        ("Box", "pattern=(4,2x)(2x,4);title=Box"),
        ("5?1", "pattern=531"),
        ("pattern=3;dratio=0.5;tps=3", "pattern=3;bps=3;dwell=1"),
        ("3;colours={red}", "pattern=3;colors={red}"),
    ],
)
def test_only_what_other_programs_do_not_know_is_written_out(text: str, written: str) -> None:
    words, entry = without_names(listed(text)).entries
    assert (words, entry.display, entry.text) == (Entry("words"), f"my {text}", written)
    assert read_settings(entry.text).score.pattern == read_settings(text).score.pattern


def test_throws_on_beats_become_events_that_remember_them() -> None:
    patterns, failed = with_events(listed("531", "pattern=3;bps=2"))
    words, first, second = patterns.entries
    assert (words, failed) == (Entry("words"), ())
    for entry in (first, second):
        assert entry.settings is not None
        assert entry.settings.score.pattern is None
        assert entry.text == ""
    assert first.settings is not None
    assert first.settings.score.base == ("siteswap", "pattern=531")
    assert first.settings.score.name == "my 531"
    assert second.settings is not None
    assert second.settings.score.placed is not None
    assert second.settings.score.placed.bps == 2.0


def test_the_name_in_a_list_becomes_the_title_where_there_is_none() -> None:
    named, titled = with_titles(listed("531", "pattern=3;title=Cascade")).patterns
    assert named.settings is not None
    assert titled.settings is not None
    assert (named.settings.score.title, titled.settings.score.title) == ("my 531", "Cascade")
    plain = open_patterns("531")
    assert with_titles(plain) == plain


def test_events_and_broken_patterns_stay_as_they_are() -> None:
    patterns, _ = with_events(open_patterns("531"))
    assert with_events(patterns) == (patterns, ())
    broken = PatternList((Entry("broken", error=ValueError("no"), text="532"),))  # type: ignore[arg-type]
    assert with_events(broken) == (broken, ())


def test_a_name_that_is_only_the_pattern_does_not_become_a_title() -> None:
    settings = read_settings("<4p|4p>")
    single = PatternList((Entry("<4p|4p>", settings, text=""),), single=True)
    assert with_titles(single) == single
    patterns, _ = with_events(open_patterns("pattern=531;dwell=1"))
    (entry,) = patterns.patterns
    assert entry.settings is not None
    assert entry.settings.score.title == "531"


@pytest.mark.parametrize(
    ("kind", "size"), [("", 0.099), (";prop=square;colors=mixed", 0.099), (";prop=ring", None)]
)
def test_the_size_of_props_goes_along_with_events(kind: str, size: float | None) -> None:
    patterns, _ = with_events(listed(f"pattern=531;propdiam=9.9{kind}"))
    (entry,) = patterns.patterns
    assert entry.settings is not None
    assert entry.settings.score.placed is not None
    assert [look.diameter for look in entry.settings.score.placed.looks] == [size] * 3


def test_what_jml_has_no_word_for_is_found_again_in_the_pattern_from_which_events_were_made() -> (
    None
):
    sliders = {"chicken_wing": 60.0, "catch_softness": 20.0, "body_motion": 50.0, "speed": 0.5}
    settings = "pattern=531;chickenwing=60;softness=20;bodymotion=50;speed=0.5;gravity=400;bps=2"
    patterns, _ = with_events(listed(settings))
    (entry,) = read_jml(write_jml(patterns), "f").patterns
    assert entry.settings is not None
    assert entry.settings.parameters == {**sliders, "gravity": 400.0}
    broken = write_jml(patterns).replace("softness=20", "softness=x")
    assert read_jml(broken, "f").patterns[0].settings.parameters == {"gravity": 400.0}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "written", "said"),
    [
        ("531;prop=club", "pattern=531", "no clubs; they are saved as balls"),
        ("531;prop=square;bps=4", "pattern=531;bps=4", "no squares; they are saved as balls"),
        (
            "531;prop=ring,ball",
            "pattern=531;prop=ring",
            "one kind of prop in settings; all are saved as rings",
        ),
        (
            "531;prop=club,ring",
            "pattern=531",
            "one kind of prop in settings and no clubs; all are saved as balls",
        ),
        (
            "531;colors=default{blue}",
            "pattern=531;colors={#ff0000}{#0000ff}",
            "no default colour among others",
        ),
    ],
)
def test_props_that_juggling_lab_lacks_are_written_as_others_and_named(
    text: str, written: str, said: str
) -> None:
    patterns, lacking = with_props_of_juggling_lab(listed("531;prop=ring", text))
    assert [entry.text for entry in patterns.entries] == ["", "531;prop=ring", written]
    assert len(lacking) == 1
    assert lacking[0].startswith(f"my {text}: Juggling Lab has {said}")


def test_each_prop_of_events_that_juggling_lab_lacks_is_a_ball_there_and_itself_here() -> None:
    events, _ = with_events(listed("531;prop=club,ring,square;colors={red}{blue}{green}"))
    patterns, lacking = with_props_of_juggling_lab(events)
    text = write_jml(patterns)
    assert sorted(re.findall(r'<prop type="(\w+)"', text)) == ["ball", "ball", "ring"]
    settings = read_jml(text, "a file").entries[1].settings
    assert settings is not None
    assert settings.score.placed is not None
    assert sorted(look.kind for look in settings.score.placed.looks) == ["club", "ring", "square"]
    assert len({look.colour for look in settings.score.placed.looks}) == 3
    assert [words.partition(": ")[2] for words in lacking] == [
        "Juggling Lab has no clubs and no squares; they are saved as balls"
    ]
