import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from siteswap_strategies import valid_siteswaps
from work import LITTLE, ONE_SECOND, at_most

from juggle_anim.errors import FileError, JuggleError, NotationError
from juggle_anim.notation import Entry, PatternList, open_patterns, read_settings
from juggle_anim.notation.jml import read_jml
from juggle_anim.notation.limits import MAX_LINE_LENGTH, MAX_LINES, MAX_LIST_WORK
from juggle_anim.notation.pattern_list import ReadingBudget
from juggle_anim.notation.rewriting import with_events
from juggle_anim.notation.text_list import read_text_list, write_csv_list, write_text_list

LIST = """\
# title: Tuesday
# about: what we
# about: learned
# Three balls

531
423  # Mills mess, slowly
pattern=441;dwell=1
pattern=3;title=Trick #3
Box
Half shower: 53
532  # no pattern
  # indented
"""


def shown(text: str) -> list[str]:
    return [entry.display for entry in read_text_list(text, "list").entries]


def test_lines_are_patterns_words_and_gaps() -> None:
    read = read_text_list(LIST, "list")
    assert (read.title, read.about, read.single) == ("Tuesday", "what we\nlearned", False)
    assert [entry.display for entry in read.entries] == [
        *(
            "Three balls",
            "",
            "531",
            "Mills mess, slowly",
            "pattern=441;dwell=1",
            "Trick #3",
            "Box",
            "Half shower",
        ),
        *("no pattern", "indented"),
    ]
    assert [entry.line for entry in read.entries] == list(range(4, 14))
    assert [entry.text for entry in read.patterns] == [
        *("531", "423", "pattern=441;dwell=1", "pattern=3;title=Trick #3", "Box", "53", "532"),
    ]


def test_a_line_means_what_it_means_when_typed() -> None:
    for entry in read_text_list(LIST, "list").patterns[:6]:
        assert entry.settings == read_settings(entry.text)


def test_a_wrong_line_is_an_entry_with_the_reason_and_its_place() -> None:
    wrong = read_text_list(LIST, "list").patterns[-1]
    assert (wrong.settings, wrong.line, wrong.text) == (None, 12, "532")
    assert isinstance(wrong.error, NotationError)
    assert (wrong.error.text, wrong.error.index) == ("532", 0)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_ends_will_do_and_so_does_a_byte_order_mark(end: str) -> None:
    assert shown("\ufeff" + end.join(["3", "# words", "", "531"])) == ["3", "words", "", "531"]


@pytest.mark.parametrize(
    ("line", "display", "text"),
    [
        ("531 #easy", "easy", "531"),
        ("531\t#\teasy", "easy", "531"),
        ("531 #", "531", "531"),
        ("pattern=3;title=A #2  # words", "words", "pattern=3;title=A #2"),
        ("Shower:  51 ", "Shower", "51"),
        ("3 in a row: pattern=3;bps=4", "3 in a row", "pattern=3;bps=4"),
        ("A shower: 51  # right hand", "right hand", "51"),
        ("pattern=3;title=Easy: 3", "Easy: 3", "pattern=3;title=Easy: 3"),
        ("five-ball cascade", "Five-ball cascade", "five-ball cascade"),
    ],
)
def test_a_name_may_stand_beside_a_pattern(line: str, display: str, text: str) -> None:
    (entry,) = read_text_list(line, "list").entries
    assert (entry.display, entry.text) == (display, text)


NAMED = """\
645 killer bunny
77772 Martin's one count (async)
9 9 club one count
4 4 1 easy
b97531 Big
<3p 3|3p 3> Two count
7131 (high-low shower)
Shower (6x,2x)
Why not (77862)
**French 3-count** - 786
- Jim's 2-count: 77466
2) 441 Half shower
531 = Tower
531   Tower
Tower,531
3,441,Half box
Half shower\t53
'300'\tWell, to be honest
[The *Box*](http://a.b/c) (4,2x)(2x,4)
| 97531 | Big tower |
4px3 4px3 | 3 4px 3 4px left
box
"""


def test_a_name_stands_beside_a_siteswap_in_many_ways() -> None:
    read = read_text_list(NAMED, "list")
    assert read.notes == ()
    assert [(entry.display, entry.text) for entry in read.patterns] == [
        *(
            ("killer bunny", "645"),
            ("Martin's one count (async)", "77772"),
            ("9 club one count", "9"),
        ),
        *(
            ("easy", "4 4 1"),
            ("Big", "b97531"),
            ("Two count", "<3p 3|3p 3>"),
            ("high-low shower", "7131"),
        ),
        *(
            ("Shower", "(6x,2x)"),
            ("Why not", "77862"),
            ("French 3-count", "786"),
            ("Jim's 2-count", "77466"),
        ),
        *(
            ("Half shower", "441"),
            ("Tower", "531"),
            ("Tower", "531"),
            ("Tower", "531"),
            ("Half box", "441"),
        ),
        *(
            ("Half shower", "53"),
            ("Well, to be honest", "300"),
            ("The Box", "(4,2x)(2x,4)"),
            ("Big tower", "97531"),
        ),
        *(("left", "<4px 3 4px 3 | 3 4px 3 4px>"), ("Box", "box")),
    ]
    assert all(entry.settings for entry in read.patterns)


def test_a_full_stop_or_comma_may_follow_a_pattern_that_stands_alone_in_a_list() -> None:
    read = read_text_list(
        "531.\n(3p, 4x).\nShower: 51,\n423, 441.\n5.\nWe got to number 20.\n3X each side\n3.5 2.5 "
        "in metres\n",
        "list",
    )
    assert [entry.text for entry in read.patterns if entry.settings] == [
        "531",
        "(3p, 4x)",
        "51",
        "423",
        "441",
    ]
    assert [note.line for note in read.notes] == [5, 6, 7]


def test_several_siteswaps_stand_in_a_line() -> None:
    read = read_text_list(
        "- **34512, 53142, 52413** (magic sequence)\n522 (D - Mike's), 450 (D - Luke's)\n5,3,1\n",
        "list",
    )
    assert [(entry.line, entry.display, entry.text) for entry in read.patterns] == [
        *(
            (1, "magic sequence", "34512"),
            (1, "magic sequence", "53142"),
            (1, "magic sequence", "52413"),
        ),
        *((2, "D - Mike's", "522"), (2, "D - Luke's", "450"), (3, "5,3,1", "5,3,1")),
    ]


def test_the_head_of_a_table_says_what_its_columns_are() -> None:
    table = (
        'Section,Pattern,Sum,Jugglers,Name\n"Two, three objects",,,,\n,3p 0,3,2,"One, '
        'slow"\n,2p 1,3,2,\n'
    )
    read = read_text_list(table, "list")
    assert [(entry.display, entry.text) for entry in read.patterns] == [
        ("One, slow", "pattern=3p 0;jugglers=2"),
        ("pattern=2p 1;jugglers=2", "pattern=2p 1;jugglers=2"),
    ]
    assert [note.line for note in read.notes] == [1, 2]
    assert read.notes[0].text == "columns section and sum are ignored"
    markdown = "| name | siteswap |\n|------|:---:|\n| **Tower** | `531` |\n"
    assert [(entry.display, entry.text) for entry in read_text_list(markdown, "list").patterns] == [
        ("Tower", "531")
    ]


@pytest.mark.parametrize(
    "text", ["[uvwxyz]", "[oqsuwy]0", "b97531", "(0,[axax])([2x2x],0)", "abc", "z"]
)
def test_high_throws_are_no_words(text: str) -> None:
    assert [
        (entry.text, entry.error)
        for entry in read_text_list(f"{text}\nHigh: {text}\n", "list").patterns
    ] == [
        *((text, None), (text, None)),
    ]


def test_words_are_no_throws_and_what_is_skipped_is_told() -> None:
    lines = [
        "[ Siteswaps ]",
        "--- 3 balls ---",
        "5 balls",
        "Reverse",
        "for all of them",
        "1-count, psz",
        "2p: give it",
        "3",
    ]
    read = read_text_list("\n".join(lines), "list")
    assert [entry.text for entry in read.patterns] == ["3"]
    assert [entry.display for entry in read.entries] == lines
    assert [note.line for note in read.notes] == list(range(1, 8))
    assert read.notes[0].text == "skipped, as it has no pattern: [ Siteswaps ]"


@pytest.mark.parametrize("line", ["(4,4", "(4,2x)(2x,4", "(4, 44", "[34,23"])
def test_throws_whose_bracket_stays_open_are_wrong(line: str) -> None:
    (entry,) = read_text_list(line, "a.txt").entries
    assert entry.text == line
    assert entry.error is not None


def test_a_comma_within_brackets_divides_no_cells() -> None:
    (entry,) = read_text_list("Tower,(4x,4x)", "a.txt").entries
    assert (entry.display, entry.text) == ("Tower", "(4x,4x)")


def test_a_column_of_siteswaps_holds_them_plainly() -> None:
    siteswaps = ("441", "97531;bps=4")
    unwritten = [Entry(siteswap, read_settings(siteswap)) for siteswap in siteswaps]
    named = [Entry(name, read_settings("3"), text="3") for name in ("cascade", "a: b")]
    written = write_csv_list(PatternList((*unwritten, *named)))
    assert written.text.split() == [
        "name,siteswap", "441,441", "97531;bps=4,97531;bps=4", "cascade,3", "a:", "b,3",
    ]  # fmt: skip
    assert written.left_out == ()


def test_wrong_throws_beside_a_name_are_a_wrong_pattern() -> None:
    read = read_text_list("532 Broken\nHalf shower: 54\nMess - [75]15121\n", "list")
    assert [(entry.display, entry.text, entry.error is None) for entry in read.patterns] == [
        *(("Broken", "532", False), ("Mess", "[75]15121", False)),
    ]
    assert [note.line for note in read.notes] == [2]


def test_what_leads_into_a_pattern_is_told_not_to_be_juggled() -> None:
    read = read_text_list("4|55050 (snake)", "list")
    assert [(entry.display, entry.text) for entry in read.patterns] == [("snake", "55050")]
    assert [note.text for note in read.notes] == ["4| leads into 55050 and is ignored"]


def test_settings_of_juggle_anim_are_read() -> None:
    line = "Mess\tmode=siteswap;pattern=423;slowdown=2.0;mat_style={-1,0}{-12,0}{0,0}{12,0};mat_DR=0.6;mat_HR=0.1;fps=9"
    read = read_text_list(
        f"{line};colors={{255,0,0}}\nA\tmode=siteswap;pattern=3;title=7\n", "list"
    )
    assert [(entry.display, entry.text) for entry in read.patterns] == [
        (
            "Mess",
            "pattern=423;hands=(-30)(-2.5).(0)(0).(-30)(-2.5).(30)(0).(-2.5)(-2.5).(30)(0).;dwell=1.2;bps=4.9;speed=0.5;"
            "colors={255,0,0};title=Mess",
        ),
        ("A", "pattern=3;dwell=1;bps=4.5;title=A"),
    ]
    assert [note.text for note in read.notes] == ["fps is ignored"]


def test_what_is_written_reads_the_same() -> None:
    read = read_text_list(LIST, "list")
    written = write_text_list(read)
    assert written.left_out == ()
    again = read_text_list(written.text, "list")
    assert (again.title, again.about) == (read.title, read.about)
    assert [contents(each) for each in again.entries] == [contents(each) for each in read.entries]


def contents(entry: Entry) -> tuple[str, str, object]:
    return entry.display, entry.text, entry.settings or str(entry.error)


words = st.text(
    st.characters(exclude_categories=("C", "Z"), exclude_characters="#:="), min_size=1, max_size=12
)


words_or_none = st.just("") | words


@given(
    st.lists(st.tuples(words, valid_siteswaps() | st.just("")), max_size=8),
    words_or_none,
    words_or_none,
)
def test_any_list_of_named_patterns_and_words_is_written_and_read_back(
    named: list[tuple[str, str]], title: str, about: str
) -> None:
    entries = tuple(
        Entry(name, read_settings(text), text=text) if text else Entry(name) for name, text in named
    )
    again = read_text_list(write_text_list(PatternList(entries, title, about)).text, "list")
    assert (again.title, again.about) == (title, about)
    assert [(entry.display, entry.text) for entry in again.entries] == named


@given(
    st.text(max_size=60)
    | st.lists(st.text("0123456789x,()[]*^<>|p;= #:\n", max_size=30)).map("\n".join)
)
def test_any_text_is_a_list_and_stays_the_same_when_written(text: str) -> None:
    read = read_text_list(text, "list")
    assert all(entry.settings or isinstance(entry.error, JuggleError) for entry in read.patterns)
    written = write_text_list(read)
    again = read_text_list(written.text, "list")
    if not written.left_out:
        assert [(each.display, each.text) for each in again.patterns] == [
            (each.display, each.text) for each in read.patterns
        ]


def test_letters_are_written_so_that_they_are_read_as_throws() -> None:
    entries = tuple(Entry(text, read_settings(text), text=text) for text in ("z", "531", "yeast"))
    again = read_text_list(write_text_list(PatternList(entries)).text, "list")
    assert [(entry.display, entry.text) for entry in again.patterns] == [
        ("z", "z"),
        ("531", "531"),
        ("yeast", "yeast"),
    ]


def test_a_line_that_would_be_read_otherwise_is_told() -> None:
    entry = Entry("3", read_settings("pattern=3;title=A # B"), text="pattern=3;title=A # B")
    assert write_text_list(PatternList((entry,))).left_out == (
        "3: a # or : in it will be read as the start of a note",
    )


def test_a_line_of_columns_that_would_be_read_as_words_is_told() -> None:
    for text in (":0  0 1", "A,0 '"):
        written = write_text_list(read_text_list(text, "list"))
        assert [words.partition(": ")[2] for words in written.left_out] == [
            "part of it will be read as a note"
        ]


def test_how_another_program_shows_a_pattern_is_told_to_be_left_out() -> None:
    entry = Entry("3", read_settings("3"), text="3", animprefs="fps=30")
    written = write_text_list(PatternList((Entry("words"), entry)))
    assert written.text == "# words\n3\n"
    assert written.left_out == ("3: display settings of other programs are not saved",)


def test_too_many_lines_are_refused_and_a_long_one_is_an_error_of_its_own() -> None:
    with pytest.raises(FileError, match="list has 20001 lines; the limit is 20000"):
        read_text_list("3\n" * (MAX_LINES + 1), "list")
    first, second = read_text_list("3" * (MAX_LINE_LENGTH + 1) + "\n3", "list").entries
    assert isinstance(first.error, FileError)
    assert second.settings is not None


def test_a_text_of_mere_prose_is_no_list() -> None:
    with pytest.raises(FileError, match="list has no patterns: none of the 500 lines is one"):
        read_text_list("no pattern\n" * 501, "list")
    assert len(read_text_list("3\n" + "no pattern\n" * 501, "list").patterns) == 1


def test_settings_over_several_lines_become_one() -> None:
    entry = Entry(
        "Words\nhere", read_settings("pattern=531;dwell=1"), text="pattern=5\n31;\r\ndwell=1"
    )
    assert write_text_list(PatternList((entry,))).text == "pattern=531;dwell=1  # Words here\n"


MANY_THROWS = "(3^2000)"


def added(entry: Entry, times: int) -> int:
    """How often an entry could be read."""
    work = ReadingBudget("list")
    for _ in range(times):
        work.add(entry)
    return times


@pytest.mark.parametrize("text", [MANY_THROWS, "[??????][??????]"])
def test_little_text_that_takes_much_work_is_refused_in_great_numbers(text: str) -> None:
    entry = Entry("much", read_settings(text), text=text, line=7)
    added(entry, 10)
    with pytest.raises(
        FileError, match="list, line 7: too much to read at once; split it into smaller files"
    ):
        added(entry, 2000)


def test_events_and_long_wrong_texts_count_too() -> None:
    (events,) = with_events(open_patterns("(3^1000)"))[0].entries
    wrong = Entry("wrong", error=NotationError("", 0, ""), text="a" * 5000)
    for entry in (events, wrong):
        with pytest.raises(
            FileError, match="list: too much to read at once; split it into smaller files"
        ):
            added(entry, 2000)


@pytest.mark.parametrize(
    "text", ["97531", "3p 3 4 2p 3 3 4p 2", "4px3 4px3 | 3 4px 3 4px", "no pattern of this name"]
)
def test_a_list_as_long_as_may_be_is_read(text: str) -> None:
    entry = Entry(text, error=NotationError(text, 0, ""), text=text)
    with contextlib.suppress(NotationError):
        entry = Entry(text, read_settings(text), text=text)
    assert added(entry, MAX_LINES) == MAX_LINES


def test_a_line_that_takes_longer_than_it_looks_is_measured() -> None:
    entry = Entry("3", read_settings("3"), text="3", line=9)
    budget = ReadingBudget("list")
    for _ in range(100):
        budget.add(entry, measured=2_000.0)
    with pytest.raises(
        FileError, match="list, line 9: too much to read at once; split it into smaller files"
    ):
        budget.add(entry, measured=1e8)


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundredth of what is allowed, so that the test takes a hundredth of the time."""
    monkeypatch.setattr("juggle_anim.notation.pattern_list.MAX_LIST_WORK", MAX_LIST_WORK / 100)


@pytest.mark.usefixtures("small_budget")
def test_a_hostile_list_is_refused_before_all_of_it_is_read() -> None:
    with pytest.raises(
        FileError, match="list, line 2: too much to read at once; split it into smaller files"
    ):
        read_text_list("\n".join([MANY_THROWS] * 20_000), "list")


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize(
    "line", ["([33333]^2000)4", "(???3^2)(??5^2)(??5??^2)(??4?^2)", "3p " + "4p 3 3p [3p 4p] " * 60]
)
def test_a_list_of_wrong_lines_that_take_long_is_refused_soon(line: str) -> None:
    with (
        at_most(ONE_SECOND // 3),
        pytest.raises(FileError, match=": too much to read at once; split it into smaller files"),
    ):
        read_text_list("3\n" + f"{line}\n" * 5_000, "list")


@pytest.mark.usefixtures("small_budget")
def test_a_list_of_wrong_symmetries_that_take_long_is_refused_soon() -> None:
    everyone = f"({','.join(map(str, range(1, 1_001)))})"
    symmetries = f'<symmetry type="delay" delay="1"/><symmetry type="switch" jperm="{everyone}"/>'
    event = '<event x="0" t="0" hand="left"><holding path="1"/></event>'
    pattern = f'<pattern><setup paths="5000" jugglers="1000"/>{symmetries}{event}</pattern>'
    lines = f'<line notation="jml">{pattern}</line>' * 1_000
    with (
        at_most(ONE_SECOND),
        pytest.raises(FileError, match=": too much to read at once; split it into smaller files"),
    ):
        read_jml(f"<jml><patternlist>{lines}</patternlist></jml>", "list")


def test_a_list_that_has_a_pattern_many_times_takes_the_work_of_reading_it_once() -> None:
    with at_most(LITTLE):
        listed = read_text_list("(531^600)\n" * 100, "list")
    patterns = [entry.settings.score.pattern for entry in listed.entries if entry.settings]
    assert len(patterns) == 100
    assert all(pattern is patterns[0] for pattern in patterns)


@pytest.mark.parametrize("line", ["[" * 200_000, "ab " * 60_000, "a" * 200_000 + " 531"])
def test_a_line_without_end_is_read_in_the_time_of_its_length(line: str) -> None:
    patterns = read_text_list(f"# a list\n{line}\n531\n", "f")
    assert patterns.entries[-1].display == "531"


def test_settings_in_a_title_are_words() -> None:
    line = r"pattern=531;title=mode=siteswap\;pattern=4233\;slowdown=2"
    (entry,) = read_text_list(line, "f").patterns
    assert entry.settings.score.title == "mode=siteswap;pattern=4233;slowdown=2"


@pytest.mark.parametrize("title", ["4\tfour", "a](b", "4\t1(>](AH"])
def test_a_title_is_any_text(title: str) -> None:
    (entry,) = read_text_list(f"pattern=531;title={title}", "f").patterns
    assert entry.settings.score.title == title
