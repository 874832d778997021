from pathlib import Path

import pytest

from juggle_anim.errors import NotationError
from juggle_anim.notation import open_patterns, read_settings, read_siteswap
from juggle_anim.notation.screen_savers import read_screen_saver

SAVER = """\
$ ====================== $
$ Patterns of mine       $

$ 3 Object patterns
$ -----------------
$ (2 entries)

"Hi-Lo Shower (Me)" 7131;
"Chase" 5c 0 5 0 5c;
"Idle" 7r 2r 7r 2r 7c 1 2;
"423 Variation"
4b@(-2,1)>(1,1)2b3b@(-2,1)>(1,4)
4b@(2,1)>(-1,1)2b3b@(2,1)>(-1,4);
"Dips" 3c@(-1.5,0,90,0)>(1.5,0,90,0)*2 3c@(1.5,0,-90,0)>(-1.5,0,-90,0);
"Broken" 532;
"No throw" 3b 4@(1) 2;
stray words
"""

TABLE = """\
static patternstruct portfolio[] = {
  {"[+2 1]", /* +3 1 */ "Typical 2 ball juggler"},
  {"[2 0 1]", /* 5 0 1 */},
  {"[3]", "3 cascade"},
  {"[_3]", "bouncing 3 cascade"},
  {"[3 1 2]", /* 6 1 2 */ "See-saw"},
  {"[=3 2 2 3 1 2]", /* =6 2 2 5 1 2 */ "\\"stretched\\""},
  {"[2 0 1 2 2]"},
  {"[3 0 3 0 3]", "shake 3 out of 5"},
  {"not one", "at all"},
};
"""


def texts(text: str) -> list[tuple[str, str]]:
    return [(entry.display, entry.text) for entry in read_screen_saver(text, "a").patterns]


def test_a_list_of_juggle_saver_has_names_props_and_hands() -> None:
    read = read_screen_saver(SAVER, "a")
    assert [entry.display for entry in read.entries if not entry.text] == [
        "Patterns of mine",
        "3 Object patterns",
    ]
    assert [(entry.line, entry.display, entry.text) for entry in read.patterns[:4]] == [
        (8, "Hi-Lo Shower (Me)", "pattern=7131;title=Hi-Lo Shower (Me)"),
        (9, "Chase", "pattern=50505;prop=club,ball,club;title=Chase"),
        (10, "Idle", "pattern=7272712;prop=ring,ring,ring,club;title=Idle"),
        (
            11,
            "423 Variation",
            "pattern=423423;hands=(30,15)(15,60).--.(30,15)(-15,15).(30,15)(15,60).--.(30,15)(-15,15).;dwell=0.56;"
            "title=423 Variation",
        ),
    ]
    assert [entry.display for entry in read.patterns if entry.error] == ["Broken", "No throw"]
    assert [note.line for note in read.notes] == [14, 17]
    assert "angles of props" in read.notes[0].text


def test_hands_throw_and_catch_outward_of_the_middle() -> None:
    # The first throw goes from 1.5 left of the middle to as far right of it, where the other hand
    # catches it.
    ((_, text),) = texts('"Dips" 3@(-1.5,0)>(2,1) 3@(1.5,0)>(-2,1);')
    assert text == "pattern=33;hands=(22.5)(30,15).(22.5)(30,15).;dwell=0.56;title=Dips"


def props_of(line: str) -> tuple[int, tuple[str, ...]] | None:
    """The number and the kinds of props in the only statement of a list; None if it is not
    valid.
    """
    (entry,) = read_screen_saver(line, "a").patterns
    return (
        (entry.settings.score.props, entry.settings.score.staging.props.kinds)
        if entry.settings
        else None
    )


@pytest.mark.parametrize(
    ("throws", "props", "kind"),
    [
        ("DDD0003", 6, "ball"),
        ("C4D33333344", 5, "ball"),
        ("BB0B", None, "ball"),
        ("D5", 9, "ball"),
        ("zc", 35, "club"),
        ("ar", 10, "ring"),
        ("5c*05c*15c*2", 5, "club"),
        ("3r*1 3r*12 3r", 3, "ring"),
        ("4c*104c*10", 4, "club"),
    ],
)
def test_what_is_valid_as_plain_values_alone_is_plain_values(
    throws: str, props: int | None, kind: str
) -> None:
    expected = (props, (kind,)) if props else None
    assert props_of(f'"name" {throws};') == expected
    assert props_of(f"{throws};") == expected


def test_a_statement_may_be_typed_and_stand_in_plain_text(tmp_path: Path) -> None:
    statements = [
        "zc;",
        "5c*05c*15c*2;",
        '"Chase" 5c 0 5 0 5c;',
        "4b@(-2,1)>(1,1) 2b 3b;",
        "DDD0003;",
    ]
    (tmp_path / "a.txt").write_text("\n".join(statements))
    listed = [entry.settings for entry in open_patterns(str(tmp_path / "a.txt")).patterns]
    assert [settings and settings.score.props for settings in listed] == [35, 5, 3, 3, 6]
    assert [read_settings(statement).score.props for statement in statements] == [35, 5, 3, 3, 6]
    assert read_settings('"Chase" 5c 0 5 0 5c;').score.title == "Chase"


@pytest.mark.parametrize(
    ("text", "props", "kind"),
    [
        ("5b 5b 5b;", 5, "ball"),
        ("3b 3b 3b;", 3, "ball"),
        ("5b 1b;", 3, "ball"),
        ("5r 5r ; ", 5, "ring"),
        ("3r*1 3r*12 3r;", 3, "ring"),
        ("3c 3c 3c;", 3, "club"),
    ],
)
def test_spaced_throws_that_all_have_a_kind_of_prop_are_a_statement(
    text: str, props: int, kind: str
) -> None:
    score = read_settings(text).score
    assert (score.props, score.staging.props.kinds) == (props, (kind,))


@pytest.mark.parametrize("text", ["DDD0003;", "5b;", "5B 5B;", "5b5b;", "5b 5b"])
def test_other_throws_with_letters_are_values_or_bounces(text: str) -> None:
    assert read_settings(text).score.pattern == read_siteswap(text.rstrip(";"))


@pytest.mark.parametrize("text", ["word;", '"";', '"Name" ;', "532;", "5c 5q!;", "stray words;"])
def test_what_is_no_statement_either_is_refused_as_settings(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_settings(text)
    assert caught.value.text == text


def test_the_table_of_a_source_is_read_from_adam_notation() -> None:
    read = read_screen_saver(TABLE, "a")
    assert [(entry.display, entry.text.partition(";")[0]) for entry in read.patterns] == [
        *(
            ("Typical 2 ball juggler", "31"),
            ("501", "501"),
            ("3 cascade", "3"),
            ("bouncing 3 cascade", "3B"),
        ),
        *(
            ("See-saw", "612"),
            ('"stretched"', "622512"),
            ("40123", "40123"),
            ("shake 3 out of 5", "50505"),
        ),
    ]
    assert all(entry.settings for entry in read.patterns)
    assert [note.line for note in read.notes] == [2, 7]


def test_strings_of_a_source_are_read() -> None:
    strings = [
        '"3b@(-1,0)>(1,0) "',
        '"3@(1,0)>(-1,0)",',
        "",
        '"7c@(-2,0)>(1,0)7c@(2,0)>(-1,0)"',
        "};",
    ]
    source = "\n".join(["const char* PatternText[] =", "{", *strings])
    assert [text.partition(";")[0] for _, text in texts(source)] == ["pattern=33", "pattern=77"]


def test_a_throw_that_is_none_is_shown() -> None:
    (entry,) = read_screen_saver('"No throw" 3b 4@(1) 2;', "a").patterns
    assert isinstance(entry.error, NotationError)
    assert (entry.error.text, entry.error.index) == ("3b 4@(1) 2", 3)


@pytest.mark.parametrize(("name", "text"), [("sites.txt", SAVER), ("juggle.c", TABLE)])
def test_such_files_open_by_what_they_hold(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    found = open_patterns(str(tmp_path / name))
    assert len(found.patterns) > 5
    assert open_patterns(f"{tmp_path / name}#3").patterns[0].settings == found.patterns[2].settings


def test_what_is_read_can_be_typed() -> None:
    for entry in read_screen_saver(SAVER, "a").patterns:
        if entry.settings:
            assert read_settings(entry.text) == entry.settings
