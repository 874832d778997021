from pathlib import Path

import numpy as np
import pytest
from work import ONE_SECOND, at_most

import juggle_anim as ja
from juggle_anim.choreography import EventKind
from juggle_anim.errors import FileError, JuggleError
from juggle_anim.notation import open_first, open_patterns, read_file
from juggle_anim.notation.jugglemaster import read_jugglemaster
from juggle_anim.notation.pattern_list import Note

LIST = """\
; a comment
#GA=9.8\t\t;Gravity [meter/second^2]
#DR=0.50
#HR=0.20
#BC=000\t;Background

%Mills Mess
{ -1,  0}{-12,  0}
{  0,  0}{ 12,  0}
{  1,  0}{-12,  0}
%Box
{ 10,  0}{ 10,  0}
{ 10,  0}{  2,  0}
{ 10,  0}{  2,  1}
{ 10,  0}{ 10,  0}
/---------------
/[ 3 balls ]
%Mills Mess
3\tMills mess
%Normal
423
3 Cascade ; slow
%Box
#DR=0.75
(2x,4)(4,2x)\tBox (See Saw)
532\tBroken
Hello world
%Nowhere
3
#HR=tall
{1,2}{3}{4}
"""


def texts(text: str) -> list[str]:
    return [entry.text for entry in read_jugglemaster(text, "a.jm").patterns]


def setting(text: str, key: str) -> str:
    """A setting of the only pattern of a list."""
    (written,) = texts(text)
    return dict(each.partition("=")[::2] for each in written.split(";")).get(key, "")


def test_a_list_has_names_headings_styles_and_times() -> None:
    read = read_jugglemaster(LIST, "a.jm")
    assert [(entry.display, entry.line) for entry in read.entries[:6]] == [
        *(
            ("", 16),
            ("3 balls", 17),
            ("Mills mess", 19),
            ("423", 21),
            ("Cascade", 22),
            ("Box (See Saw)", 25),
        ),
    ]
    assert [entry.text for entry in read.patterns[:4]] == [
        "pattern=3;hands=(-30)(2.5).(30)(-2.5).(-30)(0).;dwell=1;bps=2.858;title=Mills mess",
        "pattern=423;hands=(10)(32.5).(32.5)(32.5).(10)(32.5).;dwell=1;bps=3.712",
        "pattern=3;hands=(10)(32.5).;dwell=1;bps=2.858;title=Cascade",
        "pattern=(2x,4)(4,2x);hands=(5)(25).(25)(25).(25)(25).(5,5)(25).;dwell=1.5;bps=3.094;title=Box (See Saw)",
    ]


def test_what_is_wrong_or_not_read_is_told_with_its_line() -> None:
    read = read_jugglemaster(LIST, "a.jm")
    assert [(entry.line, entry.text) for entry in read.patterns if entry.error] == [
        (26, "532"),
        (27, "Hello world"),
    ]
    assert read.notes == (
        Note(5, "picture and sound settings of that program are ignored"),
        Note(29, "there is no style nowhere, so hands move as in Normal"),
        Note(30, "#height is tall, but must be a number from 0.01 to 1"),
        Note(31, "{1,2}{3}{4} is not a row of a style: write {x,y}{x,y}"),
    )


def test_the_highest_throw_rises_by_its_height_and_is_held_for_the_dwell() -> None:
    animation = ja.animate(texts("#HR=0.3\n#DR=0.4\n531")[0])
    flight = max(animation.choreography.flights.duration)
    assert animation.parameters.gravity / 100 * flight**2 / 8 == pytest.approx(5 * 0.3, rel=1e-3)
    assert flight * animation.parameters.bps == pytest.approx(5 - 0.8, rel=1e-3)


def test_hands_throw_and_catch_where_the_rows_say() -> None:
    style = "%Arches\n{20,10}{20,10}\n{10,0}{8,0}\n{15,5}{15,5}\n"
    animation = ja.animate(texts(f"{style}3\n")[0])
    events = animation.choreography.events
    right = (events.hand == 1) & (events.kind == EventKind.THROW)
    # The right hand takes rows 0, 2 and 1 in turn, 2.5 cm across and 5 cm up.
    assert np.ptp(events.position[right], axis=0)[:2] == pytest.approx([0.3, 0.5])


def test_the_right_hand_of_a_pair_takes_the_first_row() -> None:
    assert setting("%A\n{1}{2}\n{3}{4}\n(4,4)", "hands") == "(10)(7.5).(5)(2.5)."
    assert setting("%A\n{1}{2}\n{3}{4}\n{5}{6}\n(4,4)", "hands") == (
        "(10)(2.5).(5)(12.5).(5)(12.5).(15)(7.5).(15)(7.5).(10)(2.5)."
    )


def test_a_star_writes_the_second_half_out_where_rows_go_on() -> None:
    assert setting("%A\n{1}{2}\n{3}{4}\n*\n(4x,2)*", "pattern") == "(4x,2)(2,4x)"
    assert setting("(4x,2)*", "pattern") == "(4x,2)*"


def test_gravity_speed_mirror_and_letters_are_said_as_we_say_them() -> None:
    assert setting("#GA=1.62\n3", "gravity") == "162"
    assert setting("#SP=0.5\n3", "speed") == "0.5"
    assert setting("#MR=1\n3", "mirror") == "on"
    assert setting("x1", "pattern") == "{33}1"
    assert setting("(4X,2X)", "pattern") == "(4x,2x)"


def test_flags_that_make_no_sense_are_values_and_stars_stand_anywhere() -> None:
    styles = "%A\n{1}{2}\n{3}{4}\n"
    for style in ("", styles):
        lines = (
            '"1X" a\n"1x" b\n"(2×,2×)**" c\n"([642],[642])**([642],[642])" '
            'd\n"(Y,Y)****(Y,Y)" e\n"51*51" f\n'
        )
        read = read_jugglemaster(style + lines, "a.jmp").patterns
        assert [entry.settings and entry.settings.score.props for entry in read] == [
            17,
            17,
            2,
            12,
            34,
            3,
        ]
    assert setting(f"{styles}(2,4x)*(2,4)", "pattern") == "(2,4x)(4x,2)(2,4)"


def test_stars_without_end_are_refused_with_little_work() -> None:
    with at_most(ONE_SECOND):
        (entry,) = read_jugglemaster(f'"(4,4){"*" * 900}" a', "a.jmp").patterns
    assert entry.error


PRO = """\
#siteswap = false
#height   = 12
#dwell    = 70
$ROY9
/[423]
/¯¯¯¯
%Douche
{ 5, 1,#2}{ 10 }
{ 10,  ,2}{ 5,, #3×}
"51 *" Douche ; 3
^6
@ 50
"(4×,2) *" Cascade ; 3
#style = Mills Mess
"[43]23" Multiplexé a ; 4
"""


def test_a_list_of_juggle_master_pro_is_read() -> None:
    read = read_jugglemaster(PRO, "a.jmp")
    assert [entry.display for entry in read.entries] == [
        "423",
        "",
        "Douche",
        "Cascade",
        "Multiplexé a",
    ]
    colours = "colors={255,0,0}{255,140,0}{51,51,0}"
    assert [entry.text for entry in read.patterns[:2]] == [
        f"pattern=51;hands=(25)(12.5,5).(12.5)(25).;dwell=1.4;bps=5.144;{colours};title=Douche",
        "pattern=(4x,2)(2,4x);hands=(12.5)(25).(12.5,5)(12.5,5).(25)(25).(25)(12.5,5).;dwell=1;bps=6.778;"
        f"{colours};title=Cascade",
    ]
    assert all(entry.settings for entry in read.patterns)
    assert read.notes == (
        Note(8, "depths of hands and props are ignored"),
        Note(9, "depths of hands and props are ignored"),
    )


@pytest.mark.parametrize("name", ["a.jm", "a.jmp", "a.txt", "a"])
def test_a_list_opens_by_its_name_or_by_what_it_holds(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(LIST)
    assert len(open_patterns(str(tmp_path / name)).patterns) == 7
    chosen = open_patterns(f"{tmp_path / name}#mills mess")
    assert [entry.display for entry in chosen.patterns] == ["Mills mess"]


@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis", "euc_jp", "iso2022_jp"])
def test_old_japanese_files_read(tmp_path: Path, encoding: str) -> None:
    title = "３－カスケード すべての基本"
    (tmp_path / "a.jm").write_bytes(
        f"#HR=0.2\n/[ ミルズメス ]\n3\t{title}\n".replace("－", "ー").encode(encoding)
    )
    read = read_file(tmp_path / "a.jm")
    assert [entry.display for entry in read.entries] == ["ミルズメス", title.replace("－", "ー")]


def test_old_french_files_still_read(tmp_path: Path) -> None:
    (tmp_path / "a.jmp").write_bytes(
        '%Écarté\n{ 20}{ 18}\n"3" Écartée à 3, la première ; 3\n'.encode("windows-1252")
    )
    assert [entry.display for entry in read_file(tmp_path / "a.jmp").patterns] == [
        "Écartée à 3, la première"
    ]


def test_a_file_without_a_pattern_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.jm").write_text("%a\n{2,-2}\n{14,2}\n")
    with pytest.raises(FileError, match="has no patterns"):
        open_first(str(tmp_path / "a.jm"))


def test_many_rows_and_throws_do_not_come_together_without_end() -> None:
    rows = "".join(f"{{{number % 30},0}}{{{number % 7},1}}\n" for number in range(97))
    assert len(setting(f"%A\n{rows}52{'3' * 99}2", "hands").split(".")) < 1000


def props_and_jugglers(text: str) -> list[tuple[int, int]]:
    """Of each pattern of a list that is right."""
    patterns = [
        entry.settings.score.pattern
        for entry in read_jugglemaster(text, "a.jm").patterns
        if entry.settings
    ]
    return [(pattern.props, pattern.jugglers) for pattern in patterns if pattern]


@pytest.mark.parametrize(
    ("word", "props"), [("yeast", 23), ("cook", 20), ("[uvwxyz]", 195), ("siteawsp", 23)]
)
def test_a_word_is_throws_in_a_list_of_jugglemaster(word: str, props: int) -> None:
    assert props_and_jugglers(word) == [(props, 1)]


def test_a_word_that_is_no_throws_is_wrong_though_the_library_knows_it() -> None:
    (entry,) = read_jugglemaster("star", "a.jm").patterns
    assert isinstance(entry.error, FileError | JuggleError)


def test_who_found_patterns_is_no_pattern() -> None:
    read = read_jugglemaster("*Ada B. (http://a.b/)\n531\n*5\n%A\n{1}{2}\n{3}{4}\n*\n3\n", "a.jm")
    assert [entry.display for entry in read.entries] == ["Ada B. (http://a.b/)", "531", "5", "3"]
    assert [entry.line for entry in read.patterns] == [2, 8]


GROUPS = """\
!2-Person RL
{30, 0}
{ 0, 0}

!Trio
{0,0}
{30,0}
{60,0}

!2-Person RL
6
60
(6,6)
(4x,a)(a,4x)
!Trio
966
!4-Person Somewhere
c
!1-Person
6
"""


def test_a_group_juggles_one_siteswap_in_turn() -> None:
    assert props_and_jugglers(GROUPS) == [(6, 2), (3, 2), (6, 2), (7, 2), (7, 3), (12, 4), (6, 1)]


def test_a_group_that_is_placed_again_has_only_its_new_places() -> None:
    text = "!2-Person RL\n{30,0}\n{0,0}\n6\n!2-Person RL\n7\n!2-Person RL\n{50,0}\n{0,0}\n6\n"
    assert props_and_jugglers(text) == [(6, 2), (7, 2), (6, 2)]


def test_of_a_group_each_takes_two_beats_and_then_the_next() -> None:
    (entry,) = read_jugglemaster("!2-Person RL\n{30,0}\n{0,0}\n7566\n", "a.jm").patterns
    assert entry.settings
    assert entry.settings.score.pattern
    throws = entry.settings.score.pattern.throws[:4]
    assert [(throw.juggler, throw.hand, throw.to_juggler, throw.to_hand) for throw in throws] == [
        *((0, 1, 1, 0), (0, 0, 1, 1), (1, 1, 0, 1), (1, 0, 0, 0)),
    ]


def test_each_of_a_group_may_have_a_style_until_an_empty_line() -> None:
    rows = "%Carry\n{7,12}{-7,12}\n%Reverse\n!2-Person\n"
    assert (
        setting(f"{rows}$1:%Carry\n$2:%Normal\n6", "hands") == "<(-17.5,60)(17.5,60).|(10)(32.5).>"
    )
    assert setting(f"{rows}$1-2:%Carry\n6", "hands") == "(-17.5,60)(17.5,60)."
    assert setting(f"{rows}$1:%Carry\n\n6", "hands") == "(32.5)(10)."
    # As the note says, hands of an unknown style move as in Normal, not as all others do.
    assert setting(f"{rows}$1-2:%Nowhere\n6", "hands") == "(10)(32.5)."


@pytest.mark.parametrize("group", ["!Pyramid", "!Pyramid\n{0,0}\n{1,up}", "!"])
def test_what_follows_an_unknown_group_is_not_read_as_one_persons(group: str) -> None:
    (wrong, right) = read_jugglemaster(f"{group}\n6\n!1-Person\n6\n", "a.jm").patterns
    assert str(wrong.error).startswith("the number of jugglers is unknown: there is no such group")
    assert right.settings


def test_the_longest_list_of_words_is_read() -> None:
    # The budget is for what takes longer than usual, however many lines there are.
    words = "\n".join(["abbeys", "yeast", "zebra", "cook"] * 600)
    assert len(read_jugglemaster(words, "a.jm").patterns) == 2_400


def test_stars_that_repeat_a_style_over_and_over_come_to_an_end() -> None:
    rows = "{ 1, 2}{ 3, 4}\n" * 2
    patterns = read_jugglemaster(f"%A\n{rows}" + "*\n" * 60 + "3\n", "f")
    assert [entry.display for entry in patterns.entries] == ["3"]
    assert any("*" in note.text for note in patterns.notes)


@pytest.mark.parametrize(
    ("wrong_line", "message"),
    [
        ("{ 5, 1,#2}", "is not a position"),
        ("\n".join(["{ 1, 1}"] * 9), "more than 10 jugglers"),
    ],
)
def test_places_after_a_wrong_one_do_not_bring_the_group_back(
    wrong_line: str, message: str
) -> None:
    lines = ["!Circle", "{ 0, 0}", "{10, 0}", wrong_line, "{20, 0}", "6"]
    read = read_jugglemaster("\n".join(lines), "a.jm")
    (note,) = read.notes
    assert message in note.text
    (entry,) = read.entries
    assert "the number of jugglers is unknown" in str(entry.error)
