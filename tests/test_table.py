import pytest

from juggle_anim.cli.output import print_table, table_width

ROWS = [("1", "Cascade", "[/3] x " * 20), ("12", "Box", "short")]


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    print_table(("#", "Name", "What"), ROWS, numbers=("#",), cut={"What": 30})
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_columns_are_aligned_and_numbers_stand_to_the_right(capsys: pytest.CaptureFixture[str]) -> None:
    first, *rows = printed(capsys)
    assert first == " #  Name     What"
    assert rows == [" 1  Cascade  " + ("[/3] x " * 20).rstrip(), "12  Box      short"]


def test_a_terminal_cuts_what_is_too_wide(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert table_width() == 80
    assert printed(capsys)[1] == " 1  Cascade  " + ("[/3] x " * 20)[:29] + "…"


def test_what_may_not_be_cut_goes_on_in_the_next_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    print_table(("Name", "What"), [("Box", "one two three four five six seven")])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert " ".join(word for line in lines[1:] for word in line) == "Box one two three four five six seven"
    assert len(lines) > 2
