"""Lists as people keep them: tables, diagrams, notes, blocks between fences, tags and prose."""

from collections.abc import Callable
from pathlib import Path

import pytest
from work import ONE_SECOND, at_most

from juggle_anim.notation import PatternList, read_file
from juggle_anim.notation.json_list import read_json_list
from juggle_anim.notation.text_list import read_text_list

Read = Callable[[str, str], PatternList]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read a text as a file of some name."""

    def read(name: str, text: str) -> PatternList:
        (tmp_path / name).write_text(text)
        return read_file(tmp_path / name)

    return read


def listed(patterns: PatternList) -> list[tuple[str, str]]:
    """Names and texts of patterns, all of which are right."""
    assert [entry.text for entry in patterns.patterns if entry.error] == []
    return [(entry.display, entry.text) for entry in patterns.patterns]


def props_and_jugglers(patterns: PatternList) -> list[tuple[int, int]]:
    """Of patterns, all of which are right."""
    scores = [entry.settings.score.pattern for entry in patterns.patterns if entry.settings]
    return [(pattern.props, pattern.jugglers) for pattern in scores if pattern]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("pattern,jugglers\n3p 3 3,8\n", (24, 8)),
        ("Jugglers;Siteswap\n4;3p 3\n", (12, 4)),
        ("| Name | Pattern | Number of jugglers |\n|---|---|---|\n| Late | 4p 2 3 | 2 |\n", (6, 2)),
        ("siteswap\tpassers\n726\t2\n", (5, 2)),
        ("pattern,people\n531,1\n", (3, 1)),
    ],
)
def test_a_number_of_jugglers_in_a_column_decides(table: str, expected: tuple[int, int]) -> None:
    assert props_and_jugglers(read_text_list(table, "list")) == [expected]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("3p 3 3 for 8 jugglers", (24, 8)),
        ("3p 3 3 (4 people)", (12, 4)),
        ("726 for 2 coconut laden swallow", (5, 2)),
        ("70701 good exercise for 7", (3, 1)),
        ("531 for beginners", (3, 1)),
    ],
)
def test_a_number_of_jugglers_behind_throws_decides(line: str, expected: tuple[int, int]) -> None:
    assert props_and_jugglers(read_text_list(line, "list")) == [expected]


@pytest.mark.parametrize(
    ("table", "notes"),
    [
        ("siteswap,balls\n531,3\n441,4\n", ["441 has 3 props, not 4 as the note says"]),
        ("name,pattern,props_count\nTower,531,3\n", []),
        (
            "|Siteswap|# of objects|\n|--|--|\n|(4,2x)*|5|\n",
            ["(4,2x)* has 3 props, not 5 as the note says"],
        ),
        ("531 (3 balls)\n97531, 4 clubs\n", ["97531 has 5 props, not 4 as the note says"]),
        (
            "ss,jugglers\n<3p 3|3p 3>,3\n",
            ["<3p 3|3p 3> is for 2 jugglers, not for 3 as the note says"],
        ),
        ("Name: Tower\nSiteswap: 531\nBalls: 5\n", ["531 has 3 props, not 5 as the note says"]),
    ],
)
def test_numbers_of_props_are_compared_and_a_difference_is_told(
    table: str, notes: list[str]
) -> None:
    read = read_text_list(table, "list")
    assert all(entry.settings for entry in read.patterns)
    assert [note.text for note in read.notes] == notes


def test_passes_that_so_many_jugglers_cannot_share_are_a_wrong_pattern() -> None:
    (entry,) = read_text_list("pattern,jugglers\n2p 1 fed by 2p,4\n", "list").patterns
    assert entry.error


DIAGRAM = "| Juggler/beat | 1 | 2 | 3 |\n|---|---|---|---|\n"


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (f"{DIAGRAM}| A | 3p | 3 | 3 |\n", [("A", "3p 3 3")]),
        ("| A | 3p | 3 | 3 |\n", [("A", "3p 3 3")]),
        (
            "| **Juggler** | **1** | **2** |\n|:--|--|--|\n| Ann | 3p | 3 |\n| Bob | 3p | 3 |\n",
            [("Ann", "3p 3"), ("Bob", "3p 3")],
        ),
        (f"{DIAGRAM}| A | 3p | 3 | 3 |\n| B | 3p | 4 | 2 |\n", [("A, B", "<3p 3 3|3p 4 2>")]),
        ("|  | 1 | 2 | 3 |\n|--|--|--|--|\n| A | 5 | 3 | 1 |\n", [("A", "5 3 1")]),
        (f"{DIAGRAM}| A | C |   | D |\n| B | D |   | C |\n", []),
        (DIAGRAM, []),
        ("| Juggler | 1 |  | 4 |  |\n|--|--|--|--|--|\n| A | B |  | C |  |\n", []),
        ("| Throw | Name |\n|--|--|\n| 0 | Empty hand |\n| 3p | Pass |\n", []),
        (
            "| Trick | Height | What |\n|--|--|--|\n| Tower | 5 | 531 |\n| Half box | 4 | 441 |\n",
            [("Tower", "531"), ("Half box", "441")],
        ),
        (
            "| Trick | Siteswap |\n|--|--|\n| Two count | <3p 3|3p 3> |\n",
            [("Two count", "<3p 3|3p 3>")],
        ),
        ("name,balls,comment\nTower,3,good\n531,3,better\ncascade,5,best\n", [("531", "531")]),
    ],
)
def test_tables_hold_patterns_where_their_heads_say(
    table: str, expected: list[tuple[str, str]]
) -> None:
    assert listed(read_text_list(table, "list")) == expected


@pytest.mark.parametrize("line", ["L", "B", "RL", "R L R L", "yeast", "add", "A B A", "J1"])
def test_letters_alone_are_no_throws_in_a_list(line: str) -> None:
    read = read_text_list(f"531\n{line}\n", "list")
    assert listed(read) == [("531", "531")]
    assert [note.line for note in read.notes] == [2]


@pytest.mark.parametrize(
    "text",
    [
        "Matching it with the three-count (966) is easy, as it has just one pass.",
        "The seven-club three-count 966 is a good pattern\nto practise doubles with, and it is "
        "easier than\n966 looks.",
        "- pattern: throws to show, as digits\n- bps: beats a second",
        "For example, when I count the beats, the pattern is 531. That is all there is to it here.",
        "- A longer remark about how to learn it, of which the best part is at the end, with 531.",
    ],
)
def test_a_pattern_is_not_picked_out_of_prose(text: str) -> None:
    read = read_text_list(f"3\n\n{text}\n", "list")
    assert listed(read) == [("3", "3")]
    assert [note.line for note in read.notes] == [
        number + 3 for number in range(text.count("\n") + 1)
    ]


def test_sentences_behind_throws_are_their_name_in_a_list() -> None:
    lines = (
        "531 Tower\n441 Half box. It is the first that I learned with the left hand, and so I "
        "like it best.\n"
    )
    assert [text for _, text in listed(read_text_list(lines, "list"))] == ["531", "441"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<siteswap>744</siteswap>", [("744", "744")]),
        ("Tower: <siteswap style='{\"a\": [1]}'>531</siteswap>", [("Tower", "531")]),
        ('<tr><td class="x">531</td><td>Tower</td></tr>', [("Tower", "531")]),
        ('<td class="x">\n531\n</td>', [("531", "531")]),
        ('- <span style="color: blue">5</span>31 Tower', [("Tower", "531")]),
        ("<pattern>&lt;3p 3|3p 3&gt;</pattern>", [("<3p 3|3p 3>", "<3p 3|3p 3>")]),
        ('<td class="x">', []),
    ],
)
def test_tags_stand_around_patterns(text: str, expected: list[tuple[str, str]]) -> None:
    read = read_text_list(text, "list")
    assert listed(read) == expected
    assert read.notes == ()


def test_files_with_tags_open_whatever_their_names(read: Read) -> None:
    page = "<!DOCTYPE html>\n<html><body>\n<siteswap>744</siteswap>\n</body></html>\n"
    assert listed(read("a.html", page)) == [("744", "744")]
    document = (
        "<?xml "
        'version="1.0"?>\n<list><trick><name>Tower</name><siteswap>531</siteswap></trick></list>'
    )
    assert listed(read("a.xml", document)) == [("Tower", "531")]


FENCED = """\
# Mess

```siteswap
pattern: 3
hands: (-25)(2.5).(25)(-2.5).(-25)(0).
colors: mixed
height: 400
```

```siteswap
531
```

```python
pattern = 97531
531
```
"""


def test_a_block_between_fences_is_one_pattern_with_its_settings() -> None:
    read = read_text_list(FENCED, "note.md")
    assert [(entry.line, entry.text) for entry in read.patterns] == [
        (4, "pattern=3;hands=(-25)(2.5).(25)(-2.5).(-25)(0).;colors=mixed"),
        (11, "531"),
    ]
    assert all(entry.settings for entry in read.patterns)
    assert [note.line for note in read.notes] == [15]


@pytest.mark.parametrize(
    ("note", "text"),
    [
        ("pattern: 3\nhands: inside\nwidth: 200\nheight: 400\n", "pattern=3;hands=inside"),
        (
            '---\nprops: 3\nsiteswap: "(4,2x)*"\nhands: (20)(20).\ntags:\n  - slam\n---\n',
            "pattern=(4,2x)*;hands=(20)(20).",
        ),
        ("~~~\npattern: 531\nbps: 4\n~~~\n", "pattern=531;bps=4"),
        ("Name: Tower\nSiteswap: 531\nprop: club\n", "pattern=531;prop=club;title=Tower"),
        ("pattern = 3p 3\njugglers = 3\n", "pattern=3p 3;jugglers=3"),
    ],
)
def test_keys_and_values_of_a_note_are_one_pattern(note: str, text: str) -> None:
    read = read_text_list(note, "note.md")
    assert [entry.text for entry in read.patterns] == [text]
    assert read.patterns[0].settings
    assert read.notes == ()


def test_each_of_several_notes_is_a_pattern() -> None:
    note = (
        "- name: Tower\n  siteswap: 531\n- name: Half box\n  siteswap: 441\n\nSiteswap: "
        "51\nName: Shower\n"
    )
    assert listed(read_text_list(note, "a.yaml")) == [
        ("Tower", "531"),
        ("Half box", "441"),
        ("Shower", "51"),
    ]


def test_keys_that_are_no_settings_are_named() -> None:
    read = read_text_list("```\npattern: 3\ncolors: mixed\ncamangle: 90\n```\n", "note.md")
    assert [note.text for note in read.notes] == ["ignored: camangle"]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ('[{"s": "423", "n": "name"}]', [("name", "423")]),
        ('[{"siteswap": "531", "title": "Tower", "difficulty": 4}]', [("Tower", "531")]),
        (
            '{"tricks": [{"code": "441", "label": "Half box"}, {"code": "b97531"}]}',
            [("Half box", "441"), ("b97531", "b97531")],
        ),
        ('["531", "(4,2x)*"]', [("531", "531"), ("(4,2x)*", "(4,2x)*")]),
        ('[["531", "Tower"], ["Half box", "441"]]', [("Tower", "531"), ("Half box", "441")]),
        ('{"Tower": "531", "Half box": "441"}', [("Tower", "531"), ("Half box", "441")]),
        ('{"3": [{"pattern": "531"}], "2": {"more": ["31"]}}', [("531", "531"), ("31", "31")]),
        (
            '[{"pattern": "3p 3 3", "jugglers": 8}]',
            [("pattern=3p 3 3;jugglers=8", "pattern=3p 3 3;jugglers=8")],
        ),
    ],
)
def test_lists_in_json_are_read(document: str, expected: list[tuple[str, str]], read: Read) -> None:
    assert listed(read("a.json", document)) == expected


def test_patterns_in_json_have_lines_and_notes(read: Read) -> None:
    document = '[\n{"s": "423", "balls": 3},\n{"s": "441", "balls": 4},\n{"s": "543"}\n]\n'
    patterns = read("a.json", document)
    assert [(entry.line, entry.error is None) for entry in patterns.patterns] == [
        (2, True),
        (3, True),
        (4, False),
    ]
    assert [(note.line, note.text) for note in patterns.notes] == [
        (3, "441 has 3 props, not 4 as the note says")
    ]


def test_two_sides_stand_with_a_word_or_a_bar_between_them() -> None:
    read = read_text_list("3p 3 3p vs. 4 4p 4p hard\nDoubles on one side: 4p3 | 34p.\n", "list")
    assert [text for _, text in listed(read)] == ["<3p 3 3p | 4 4p 4p>", "4p3 | 34p"]
    assert [entry.settings.score.jugglers for entry in read.patterns if entry.settings] == [2, 2]


@pytest.mark.parametrize(
    "text",
    [
        "`" * 3_000,
        "```\n" * 3_000,
        "|" * 3_000,
        "| 1 " * 3_000,
        "<a " * 3_000,
        "a: b\n" * 1_500,
        "---\n" * 1_500,
        "1 | " * 3_000,
    ],
)
def test_hostile_marks_are_read_soon(text: str) -> None:
    with at_most(ONE_SECOND):
        assert read_text_list(f"3\n{text}\n3\n", "list").patterns


def test_members_of_json_that_are_no_settings_spoil_no_pattern() -> None:
    text = (
        '[{"siteswap": "534", "name": "Trick", "catches": 50}, {"siteswap": "441", "by": '
        '["3ballpatterns", "tj"]}]'
    )
    read = read_json_list(text, "list")
    assert read is not None
    assert [(entry.text, entry.error) for entry in read.patterns] == [("534", None), ("441", None)]


@pytest.mark.parametrize(
    "line", ["flash 3up", "2up pirouette", "a 5b flash", "juggle 7c", "catch 3X"]
)
def test_a_count_beside_words_is_no_pattern(line: str) -> None:
    assert not read_text_list(f"531\n441\n{line}\n", "list").patterns[2:]


@pytest.mark.parametrize(
    ("text", "patterns", "notes"),
    [
        ('["531", "532"]', ["531", "532"], 0),
        ('[531, 441, "(4,2x)*"]', ["531", "441", "(4,2x)*"], 0),
        ('[{"pattern": "531"}, {"pattern": "nope!"}]', ["531"], 1),
        ('{"Tower": "531", "Bad": "532"}', ["531", "532"], 0),
    ],
)
def test_no_pattern_of_json_is_lost_without_a_word(
    text: str, patterns: list[str], notes: int
) -> None:
    read = read_json_list(text, "list")
    assert read is not None
    assert ([entry.text for entry in read.patterns], len(read.notes)) == (patterns, notes)


@pytest.mark.parametrize(
    "line",
    [
        "Convention 2024",
        "Room 31",
        "Try the shower (51) first. Then the box (4,2x)* too.",
        "The pattern (744) takes five clubs.",
    ],
)
def test_a_number_behind_words_is_no_pattern_where_patterns_stand_first(line: str) -> None:
    assert not read_text_list(f"531\n441 thing\n{line}\n", "list").patterns[2:]


def test_a_number_behind_words_is_a_pattern_where_most_lines_end_so() -> None:
    read = read_text_list("Half shower 53\nTower 531\nBox 51\n", "list")
    assert [entry.text for entry in read.patterns] == ["53", "531", "51"]


@pytest.mark.parametrize(
    ("jugglers", "count"), [("8", 8), ("8.0", 8), ("eight", 8), ("8 people", 8), ("many", 2)]
)
def test_numbers_of_jugglers_are_read_as_people_and_spreadsheets_write_them(
    jugglers: str, count: int
) -> None:
    read = read_text_list(f"pattern,jugglers\n3p 3 3,{jugglers}\n", "list")
    (entry,) = read.patterns
    assert entry.settings is not None
    assert entry.settings.score.jugglers == count
    assert len(read.notes) == (jugglers == "many")
