import pytest

from juggle_anim.cli import options as module
from juggle_anim.cli.options import duration, print_table, progress, table_width


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


def test_in_a_log_a_line_now_and_then_tells_rate_and_time_left(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress(quiet=False) as report:
        assert report
        clock.now += 5  # before the first frame, all is loaded and solved
        for done in range(1, 101):
            report(done, 100)
            clock.now += 0.125
    assert capsys.readouterr().err.splitlines() == [
        "1/100 frames",
        "17/100 frames, 8/s, 10 s left",
        "33/100 frames, 8/s, 8 s left",
        "49/100 frames, 8/s, 6 s left",
        "65/100 frames, 8/s, 4 s left",
        "81/100 frames, 8/s, 2 s left",
        "97/100 frames, 8/s, 0 s left",
        "100/100 frames, 8/s",
    ]


def test_in_a_terminal_there_is_a_bar_with_the_rate(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with progress(quiet=False) as report:
        assert report
        for done in range(1, 6):
            report(done, 5)
    said = capsys.readouterr().err
    assert "5/5" in said
    assert "/s" in said


def test_nothing_is_said_before_the_first_frame(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(quiet=False):
        pass
    with progress(quiet=True) as report:
        assert report is None
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1:00"), (185, "3:05"), (3_723, "1:02:03")],
)
def test_a_time_is_written_as_people_read_it(seconds: float, said: str) -> None:
    assert duration(seconds) == said


ROWS = [("1", "Cascade", "[/3] x " * 20), ("12", "Box", "short")]


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    print_table(("#", "Name", "What"), ROWS, numbers=("#",), cut={"What": 30})
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_cells_are_apart_by_tabs_for_other_programs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, *rows = printed(capsys)
    assert first == "#\tName\tWhat"
    assert rows == ["1\tCascade\t" + ("[/3] x " * 20).rstrip(), "12\tBox\tshort"]


def test_a_terminal_cuts_what_is_too_wide(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert table_width() == 80
    assert printed(capsys)[1] == " 1  Cascade  " + ("[/3] x " * 20)[:29] + "…"


def test_what_may_not_be_cut_goes_on_in_the_next_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    print_table(("Name", "What"), [("Box", "one two three four five six seven")])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert (
        " ".join(word for line in lines[1:] for word in line)
        == "Box one two three four five six seven"
    )
    assert len(lines) > 2
