import json

import pytest
from program import Program, Ran

import juggle_anim
from juggle_anim.language import speaking
from juggle_anim.notation.library import library


def test_the_list_shows_every_pattern(program: Program) -> None:
    ran = program("list")
    assert ran.code == 0
    for pattern in library():
        assert any(
            line.startswith(f"{pattern.name}\t{pattern.siteswap}\t")
            for line in ran.out.splitlines()
        )


def listed(ran: Ran) -> list[str]:
    assert (ran.code, ran.err) == (0, "")
    return [line.split("\t")[0] for line in ran.out.splitlines()[1:]]


def test_the_list_begins_with_what_to_learn_first_and_then_with_few_props(
    program: Program,
) -> None:
    names = listed(program("list"))
    assert len(names) == len(library())
    assert names[0] == "Cascade"
    some = ("Five-ball cascade", "One-ball bounce", "Two-ball cascade", "Mills mess")
    places = [names.index(name) for name in some]
    assert places == sorted(places)


def test_the_list_fits_a_terminal_of_80_columns(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = program("list").out.splitlines()
    assert len(lines) == len(library()) + 1
    assert max(map(len, lines)) <= 80


def test_what_is_too_wide_for_a_terminal_is_cut_but_not_for_a_file(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    (program.folder / "long.txt").write_text("3" * 300 + "  # " + "long name " * 20)
    ((line,), (name,)) = (program("list", "long.txt").out.splitlines()[1:], ["long name " * 20])
    assert "3" * 300 in line
    assert name.strip() in line
    monkeypatch.setenv("COLUMNS", "80")
    cut = program("list", "long.txt").out.splitlines()
    assert (len(cut), max(map(len, cut))) == (2, 80)
    assert "…" in cut[1]


def test_a_wide_terminal_shows_descriptions_as_well(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert library()[0].description in program("list").out
    monkeypatch.setenv("COLUMNS", "100")
    assert library()[0].description not in program("list").out


def test_the_list_speaks_and_is_searched_in_the_language_and_its_json_stays_english(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    with speaking("de"):
        shown = program("list", "Dusche", "4", "Bälle").out
        (first,) = json.loads(program("list", "Uhrzeiger", "--json").out)
    assert any(line.startswith("Four-ball shower ") for line in shown.splitlines())
    assert "Ein hoher Kreis" in shown
    assert (first["name"], first["description"][:9]) == ("Hands of time", "A prop is")


def test_the_list_is_searched_by_words_tags_and_props(program: Program) -> None:
    assert listed(program("list", "casc"))[0] == "Cascade"
    assert listed(program("list", "half", "shower", "--props", "7")) == [
        "Seven-ball half shower",
        "b3",
    ]
    both = {pattern.name for pattern in library() if {"sync", "shower"} <= set(pattern.tags)}
    assert set(listed(program("list", "--tag", "SYNC", "--tag", "shower"))) == both


def test_the_list_is_searched_by_difficulty(program: Program) -> None:
    easy = json.loads(program("list", "--difficulty", "easy", "--json").out)
    assert {pattern["difficulty"] for pattern in easy} == {1, 2, 3}
    hardest = json.loads(program("list", "--difficulty", "10", "--json").out)
    assert {pattern["difficulty"] for pattern in hardest} == {10}
    names = [pattern.title for pattern in juggle_anim.library.search(difficulty="easy")]
    assert names == [pattern["name"] for pattern in easy]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("list cascad barage", "did you mean"),
        ("list 5312", "did you mean 531, "),
        ("list qqqqqq", "try fewer words"),
        ("list box --props 9", "without them: Box"),
        ("list --props 44", "nothing found with these filters"),
    ],
)
def test_a_list_of_nothing_ends_in_1_and_names_the_nearest(
    program: Program, words: str, said: str
) -> None:
    ran = program(*words.split(" "))
    assert (ran.code, ran.out) == (1, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


LIST = (
    "# Three\n3  # Cascade\n532  # Broken\npattern=<3p 3|3p 3>;title=Two count\n51  # Casual "
    "shower\n"
)


def test_a_file_is_listed_with_the_numbers_that_open_its_patterns(program: Program) -> None:
    (program.folder / "a.txt").write_text(LIST)
    ran = program("list", "a.txt")
    assert (ran.code, ran.err) == (0, "")
    rows = [line.split() for line in ran.out.splitlines()[1:]]
    assert [row[:2] for row in rows] == [
        ["1", "Cascade"],
        ["2", "Broken"],
        ["3", "Two"],
        ["4", "Casual"],
    ]
    assert "not valid" in ran.out.splitlines()[2]
    assert program("list", "--file", "a.txt") == ran


def test_a_file_is_searched_as_the_library_is(program: Program) -> None:
    (program.folder / "a.txt").write_text(LIST)
    for words in (
        "a.txt casc",
        "--file a.txt casc",
        "a.txt --props 3 --jugglers 1",
        "a.txt --tag 3-props cascad",
    ):
        first = program("list", *words.split()).out.splitlines()[1]
        assert first.split()[:2] == ["1", "Cascade"]
    assert program("list", "a.txt", "--jugglers", "2").out.count("\n") == 2
    ran = program("list", "a.txt", "showr", "--jugglers", "2")
    assert (ran.code, ran.err) == (
        1,
        "nothing found with these filters; without them: Casual shower\n",
    )


def test_a_list_can_be_read_by_machines(program: Program) -> None:
    (program.folder / "a.txt").write_text(LIST)
    found = json.loads(program("list", "a.txt", "--json").out)
    assert [each["number"] for each in found] == [1, 2, 3, 4]
    assert found[2]["settings"] == "pattern=<3p 3|3p 3>;title=Two count"
    names = [each["name"] for each in json.loads(program("list", "--json").out)]
    assert sorted(names) == sorted(pattern.name for pattern in library())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("list none.txt casc", "none.txt: there is no such file; did you mean one.txt?"),
        ("list --file none.txt", "none.txt: there is no such file; did you mean one.txt?"),
        ("list --file .", ". is a folder"),
        ("list one.txt --tag chse", "does not exist"),
    ],
)
def test_a_file_that_cannot_be_listed_is_told(program: Program, words: str, said: str) -> None:
    (program.folder / "one.txt").write_text(LIST)
    ran = program(*words.split())
    assert (ran.code, ran.out) == (2 if "--tag" in words else 1, "")
    assert said in ran.err


def test_a_lesson_is_printed_step_by_step(program: Program) -> None:
    lesson = program("learn", "441")
    assert lesson.code == 0
    assert lesson.out.startswith("Learn 441\n")
    assert "\n1. One ball (63% speed)\n" in lesson.out
    assert "\n6. Keep going (100% speed)\n" in lesson.out
    assert "Where to look: The two outside columns" in lesson.out
    assert program("lessons", "441") == lesson


def test_each_step_of_a_lesson_has_a_text_that_opens_it(program: Program) -> None:
    steps = json.loads(program("learn", "mills", "mess", "--json").out)
    assert [step["title"] for step in steps][:2] == ["One ball", "The other hand starts"]
    assert juggle_anim.animate(steps[0]["text"]).num_props == 1
    assert juggle_anim.animate(steps[-1]["text"]).siteswap == "3"


def test_what_cannot_be_learned_is_told(program: Program) -> None:
    ran = program("learn", "432")
    assert (ran.code, ran.out) == (1, "")
    assert "two props would land" in ran.err
