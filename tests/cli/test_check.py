import json

import pytest
from program import Program


def test_valid_patterns_are_told_with_what_follows_from_them(program: Program) -> None:
    ran = program("check", "531", "snake", "[34]23", "(4,2x)(2x,4)")
    assert (ran.code, ran.err) == (0, "")
    assert (
        ran.out.split("\n\n")[0]
        == """\
531: valid
  jugglers  1
  props     3
  period    3 beats
  orbits    5 1, 3 3, 1 5
  state     111 (ground)
  states    111  11001  1011
  parts     prime: not made of shorter patterns
  entry     none needed, start with 531
  exit      none needed, end after 531
  inverse   531 (itself)
  dual      420: 2 props, height 5
  mirror    L531 (itself)
  hand load 1.5 props a hand, 1 at once
  repeats   hands after 6 beats, props after 6"""
    )
    assert "siteswap  50505" in ran.out
    assert "10101 (excited)" in ran.out
    assert "entry     4, then 55050\n" in ran.out
    assert "state     1,11 (ground)\n" in ran.out
    assert "dual      not applicable: a hand throws several props at once\n" in ran.out


def test_one_beat_is_told_as_one(program: Program) -> None:
    out = program("check", "R3x", "(4,4)!", "pattern=3;hss=1").out
    assert out.count("period    1 beat\n") == out.count("hands after 1 beat, ") == 3


def test_many_states_are_cut(program: Program) -> None:
    ran = program("check", "45141" * 5 + "3")
    assert ran.code == 0
    assert "  … 26 in all\n" in ran.out
    assert max(map(len, ran.out.splitlines())) < 140


def test_a_check_goes_on_after_a_wrong_pattern_and_ends_in_2(program: Program) -> None:
    ran = program("check", "531)", "3")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("531): not valid\n  this ) closes nothing\n    531)\n       ^\n")
    assert "3: valid" in ran.out


def test_a_check_can_be_read_by_machines(program: Program) -> None:
    ran = program("check", "--json", "441", "Box", "532")
    first, second, third = json.loads(ran.out)
    assert ran.code == 1
    assert (first["props"], first["period"], first["state"]) == (3, 3, "111")
    assert second["siteswap"] == "(4,2x)(2x,4)"
    assert (third["valid"], third["index"]) == (False, 0)


LIST = "# Three\n3  # Cascade\n532  # Broken\n<3p 3|3p 3>\n51\n"


def test_a_file_of_several_is_summed_up_with_what_is_wrong(program: Program) -> None:
    (program.folder / "a.txt").write_text(LIST)
    ran = program("check", "a.txt")
    assert (ran.code, ran.err) == (1, "")
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert lines[:5] == [
        "a.txt: 4 patterns, 3 valid, 1 not valid",
        "  props     2 with 3, 1 with 6",
        "  jugglers  2 with 1, 1 with 2",
        "",
        "#\tLine\tPattern\tReason",
    ]
    assert lines[5].startswith("2\t3\t532\taverage 3⅓")
    assert len(lines) == 6


def test_one_pattern_of_a_file_is_told_in_full(program: Program) -> None:
    (program.folder / "a.txt").write_text(LIST)
    ran = program("check", "a.txt#1")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("a.txt#1: valid\n  name      Cascade\n  siteswap  3\n")
    assert program("check", "a.txt#Broken").out.startswith("a.txt#2: not valid\n  average")


def test_a_file_and_patterns_are_checked_together(program: Program) -> None:
    (program.folder / "a.txt").write_text("3\n51\n")
    ran = program("check", "a.txt", "531", "b.txt")
    assert ran.code == 1
    assert ran.out.startswith("a.txt: 2 patterns, 2 valid, 0 not valid\n")
    assert "\n\n531: valid\n" in ran.out
    assert ran.out.endswith(
        "\n\nb.txt: not valid\n  b.txt: there is no such file; did you mean a.txt?\n"
    )


def test_every_pattern_of_a_file_is_told_to_machines(program: Program) -> None:
    (program.folder / "a.txt").write_text(LIST)
    ran = program("check", "a.txt", "441", "--json")
    assert ran.code == 1
    found = json.loads(ran.out)
    assert [(each.get("number"), each["valid"]) for each in found] == [
        *((1, True), (2, False), (3, True), (4, True), (None, True)),
    ]
    assert (found[1]["line"], found[1]["name"], found[1]["index"]) == (3, "Broken", 0)


def test_of_very_many_wrong_patterns_the_first_are_shown(program: Program) -> None:
    (program.folder / "a.txt").write_text("3\n" + "532\n" * 300)
    ran = program("check", "a.txt")
    assert ran.out.count("\n532") == 0
    assert ran.out.count("\t532\t") == 200
    assert ran.out.endswith("\n100 more are not valid; --json shows them all\n")


def test_names_in_a_file_cannot_steer_the_terminal(program: Program) -> None:
    (program.folder / "a.txt").write_text("3  # a\u202eb\n")
    assert "\u202e" not in program("check", "a.txt").out + program("list", "a.txt").out


def test_all_completions_of_an_open_throw_are_told_the_nearest_first(program: Program) -> None:
    ran = program("check", "5?1", "--all")
    assert (ran.code, ran.err) == (0, "")
    rows = [line.split() for line in ran.out.splitlines()]
    assert rows[0] == ["Siteswap", "Props", "Period", "State"]
    assert [(row[0], row[1]) for row in rows[1:5]] == [
        ("531", "3"),
        ("501", "2"),
        ("561", "4"),
        ("591", "5"),
    ]
    found = json.loads(program("check", "5?1", "--all", "--json").out)
    assert [each["text"] for each in found] == [row[0] for row in rows[1:]]
    assert len(found) == 12


@pytest.mark.long
def test_of_very_many_completions_only_the_nearest_are_told(program: Program) -> None:
    ran = program("check", "????", "--all", "--json")
    assert ran.err == "????: only the nearest 1000 completions are listed\n"
    assert len(json.loads(ran.out)) == 1000


def test_texts_with_nothing_left_open_are_checked_as_ever(program: Program) -> None:
    (program.folder / "a.txt").write_text(LIST)
    (program.folder / "long.txt").write_text("531\n" * 1_200)
    for words in (["531"], ["a.txt"], ["Box"], ["long.txt"]):
        assert program("check", "--all", *words) == program("check", *words)
    ran = program("check", "--all", "5?1)", "pattern=5?1;dwell=1")
    assert ran.code == 1
    assert "this ) closes nothing" in ran.out
    assert "only a siteswap can be completed" in ran.out


def test_what_is_not_read_of_a_file_is_told_with_its_lines(program: Program) -> None:
    (program.folder / "a.jm").write_text("#BC=000\n#HD=1\n#HR=tall\n3\tCascade\n51\n")
    said = (
        "a.jm: lines 1 and 2: picture and sound settings of that program are ignored\n"
        "a.jm: line 3: #height is tall, but must be a number from 0.01 to 1\n"
    )
    batch = ["batch", "a.jm", "out", "--dry-run"]
    for command in (
        ["check", "a.jm"],
        ["list", "a.jm"],
        ["convert", "a.jm", "-", "--format", "txt"],
        batch,
    ):
        ran = program(*command)
        assert (ran.code, ran.err) == (0, said), command
    first, second = json.loads(program("check", "--json", "a.jm").out)
    assert first["notes"][0] == {
        "line": 1,
        "text": "picture and sound settings of that program are ignored",
    }
    assert "notes" not in second
    assert program("check", "a.jm#2").err == ""


@pytest.mark.parametrize(
    "words",
    [("check",), ("export", "out.png", "--size", "16x16", "-q"), ("convert", "out.txt")],
)
def test_what_is_said_to_another_program_alone_is_left_out_with_a_note(
    program: Program, words: tuple[str, ...]
) -> None:
    text = "pattern=531;scale=2;showground=no;redirect=gif;hidejugglers=(1,3)"
    ran = program(words[0], text, *words[1:])
    assert ran.code == 0
    assert [line.split(": ")[1] for line in ran.err.splitlines()] == [
        "unknown setting scale is ignored",
        "unknown setting redirect is ignored",
    ]


def test_lines_of_lists_with_such_settings_are_named(program: Program) -> None:
    (program.folder / "tricks.txt").write_text(
        "pattern=3;border=2\npattern=51\npattern=531;BORDER=2;avatar=female\n"
    )
    ran = program("check", "tricks.txt")
    assert ran.code == 0
    assert ran.err.splitlines() == [
        "tricks.txt: lines 1 and 3: unknown setting border is ignored",
        "tricks.txt: line 3: unknown setting avatar is ignored",
    ]


@pytest.mark.parametrize(
    "text", ["pattern=531;dwel=1", "pattern=531;hidejuggler=1", "pattern=531;wxyz=1"]
)
def test_a_slip_in_a_setting_stays_an_error(program: Program, text: str) -> None:
    assert program("check", text).code != 0


def test_completions_may_be_those_of_some_props(program: Program) -> None:
    checks = json.loads(program("check", "??1", "--all", "--props", "3", "--json").out)
    assert {check["props"] for check in checks} == {3}
    assert "531" in [check["siteswap"] for check in checks]
