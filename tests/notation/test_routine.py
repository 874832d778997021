"""Routines as texts: found among other files, read with what stands above them, written, and told
where they err.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.errors import RoutineError
from juggle_anim.exporter.jobs import export
from juggle_anim.exporter.options import ExportOptions
from juggle_anim.notation import check_all, read_file, record_of, write_file
from juggle_anim.notation.formats import ROUTINE, format_of_text
from juggle_anim.notation.formats import TEXT as PLAIN_TEXT
from juggle_anim.notation.routine import lengthened, read_routine, with_lines
from juggle_anim.parameters import DEFAULTS

TEXT = """\
# of three balls
title=Two tricks
colors={red}{green}{blue}
theme=projected

cascade 4 catches   # calm
pattern=531;dwell=1 2 loops
stop
"""


def test_a_text_file_of_lines_with_lengths_is_a_routine() -> None:
    assert format_of_text(TEXT, Path("a.txt")) == ROUTINE
    assert format_of_text("3\n531\n51  # shower 2 s\n441", Path("a.txt")) == PLAIN_TEXT
    assert format_of_text("start\ncascade\nunderleg right\nbox 3 times", Path("a.txt")) == ROUTINE
    assert format_of_text("3 2 loops", Path("a.routine")) == ROUTINE


@pytest.mark.parametrize(
    "line",
    [
        f"pattern=531;hands={'(10)(32.5).' * 30}",
        f"531;title={'A title of many words ' * 20}",
        "<3p 3 3|3p 3 3>;body=" + "(0,-100).(180,100)." * 30,
        "531" + " " * 300,
    ],
)
def test_a_line_of_a_routine_may_have_any_length(line: str) -> None:
    assert (
        format_of_text(f"title={'A title ' * 50}\n{line} 2 loops\nstop\n", Path("a.txt")) == ROUTINE
    )
    assert format_of_text(f"{line}\n{line}", Path("a.txt")) == PLAIN_TEXT


@pytest.mark.parametrize(
    ("text", "props"),
    [
        ("2 2 loops\nstop", 2),
        ("(2,2) 4 beats", 2),
        ("<2|2> 3 s\nstop 2 s", 4),
        ("22 1 loop\nrepeat 2\n2 2 loops\nend", 2),
        ("dwell=1.5\n02 2 loops\nstop", 1),
    ],
)
def test_a_routine_may_hold_all_of_its_props(text: str, props: int) -> None:
    settings = read_routine(text).patterns[0].settings
    assert settings is not None
    assert settings.score.props == props
    animation = Animation(settings.score, settings.applied_to(DEFAULTS))
    held = animation.sample(np.linspace(0.0, animation.duration, 7))
    assert (held.holders >= 0).all()
    assert np.isfinite(animation.pose(np.array([0.0, 1.0])).joints).all()


def test_what_stands_above_all_holds_for_all() -> None:
    settings = read_routine(TEXT).patterns[0].settings
    assert settings is not None
    assert settings.score.title == "Two tricks"
    assert settings.parameters == {"theme": "projected"}
    assert settings.score.placed is not None
    assert {look.colour for look in settings.score.placed.looks} == {
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
    }
    assert settings.score.props == 3


def test_lengths_may_be_said_in_the_words_that_people_use() -> None:
    said = (
        read_routine("start\n3 6 throws\n531 2 times\n441 0.1 min\nstop\nstart\n51 3x")
        .patterns[0]
        .settings
    )
    plain = read_routine("3 6 catches\n531 2 loops\n441 6 s\nstop\n51 3 loops").patterns[0].settings
    assert said is not None
    assert plain is not None
    assert said.score.placed is not None
    assert plain.score.placed is not None
    assert np.array_equal(said.score.placed.events.time, plain.score.placed.events.time)


def test_a_trick_is_one_throw_and_its_plural_the_pattern_of_that_name() -> None:
    settings = (
        read_routine("alberts 2 loops\ncascade 2 loops\nalbert right\nstop").patterns[0].settings
    )
    assert settings is not None
    assert settings.score.routine is not None
    assert [line.text for line in settings.score.routine.lines][:3] == [
        "alberts 2 loops",
        "cascade 2 loops",
        "albert right",
    ]


def test_each_wrong_line_is_told() -> None:
    with pytest.raises(RoutineError) as caught:
        read_routine("3 4 catches\n532 2 loops\nmils mess 2 loops\n")
    assert [number for number, _ in caught.value.problems] == [2, 3]
    assert "did you mean Mills mess?" in str(caught.value)


def test_a_check_says_where_each_line_begins(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(TEXT)
    data = check_all(str(path))[0].as_data()
    assert [line["number"] for line in data["lines"]] == [6, 7, 8]
    path.write_text(TEXT.replace("531", "532"))
    assert check_all(str(path))[0].as_data()["problems"][0]["line"] == 7


@pytest.mark.parametrize("name", ["a.routine", "a.txt"])
def test_a_routine_is_written_as_it_was(name: str, tmp_path: Path) -> None:
    write_file(read_routine(TEXT), tmp_path / name)
    assert (tmp_path / name).read_text() == TEXT
    assert write_file(read_routine(TEXT), tmp_path / "a.jml") == ()
    assert read_file(tmp_path / "a.jml").patterns[0].settings is not None


def test_what_is_exported_opens_the_routine_again(tmp_path: Path) -> None:
    (tmp_path / "show.routine").write_text(TEXT.replace("title=Two tricks\n", ""))
    routine = animate(str(tmp_path / "show.routine"), stage="dark")
    (path,) = export(routine, tmp_path / "a.bvh", ExportOptions())[:1]
    again = animate(str(path))
    assert again.title == routine.title == "show"
    assert again.score.routine is not None
    assert again.parameters == routine.parameters


def test_what_is_changed_by_hand_is_kept_as_events() -> None:
    routine = animate(TEXT)
    changed = routine.edit().set_props(colour="black")
    assert changed.score.routine is None
    assert record_of(changed.score, changed.parameters, {}).jml


def test_other_lines_leave_the_head_as_it_stands() -> None:
    text = with_lines(TEXT, ["441 3 loops", "stop 2 s"])
    assert text == TEXT[: TEXT.index("cascade")] + "441 3 loops\nstop 2 s\n"
    assert read_routine(text).patterns[0].settings is not None


@pytest.mark.parametrize("name", ["balls", "clubs", "rings"])
def test_the_routines_that_come_along_last_two_minutes_with_twenty_changes(name: str) -> None:
    path = Path(__file__).parents[2] / "examples" / "routines" / f"{name}.routine"
    settings = read_file(path).patterns[0].settings
    assert settings is not None
    assert settings.score.routine is not None
    assert len(settings.score.routine.lines) > 21
    assert settings.score.routine.lines[-1].ends == pytest.approx(120, abs=5)


def test_a_title_may_end_like_a_length() -> None:
    text = "title=A show of 2 props\n\n531 2 loops\n"
    assert read_routine(text).patterns[0].settings.score.name == "A show of 2 props"
    assert with_lines(text, ["51 3 loops"]) == "title=A show of 2 props\n\n51 3 loops\n"


@pytest.mark.parametrize(
    ("line", "steps", "longer"),
    [
        ("mills mess", 0, "mills mess 1 loop"),
        ("531 1 loop", 1, "531 2 loops"),
        ("531 2 loops # twice", -1, "531 1 loop # twice"),
        ("3 for 2 seconds", -1, "3 for 1 second"),
        ("3 2 s", -1, "3 1 s"),
    ],
)
def test_lengths_of_one_are_singular(line: str, steps: int, longer: str) -> None:
    assert lengthened(line, steps) == longer


BLOCKS = """\
repeat 2
  cascade 4 catches
  Repeat 3 times  # thrice
    531 1 loop
  end
  stop
END
51 2 loops
"""


def test_lines_between_repeat_and_end_are_juggled_several_times() -> None:
    script = read_routine(BLOCKS).patterns[0].settings.score.routine
    assert [line.number for line in script.lines] == [*2 * (2, 4, 4, 4, 6), 8, 0]
    assert all(before.ends == after.begins for before, after in pairwise(script.lines))
    spelt_out = "\n".join(2 * ["cascade 4 catches", *3 * ["531 1 loop"], "stop"] + ["51 2 loops"])
    same = read_routine(spelt_out).patterns[0].settings.score
    assert np.array_equal(script.choreography.events.time, same.placed.events.time)
    assert np.array_equal(script.choreography.events.position, same.placed.events.position)


def test_a_trick_in_a_block_is_one_in_the_pattern_that_is_written_before_it() -> None:
    script = (
        read_routine("3 6 catches\nrepeat 2\nlazy right\n531 2 loops\nend")
        .patterns[0]
        .settings.score.routine
    )
    rows = script.choreography.events.body_throw
    times = script.choreography.events.time[rows > 0]
    lazies = [line for line in script.lines if line.text == "lazy right"]
    assert len(lazies) == len(times) == 2


def test_blocks_are_known_and_changed_as_lines() -> None:
    assert format_of_text("repeat 3\n531\nend", Path("a.txt")) == ROUTINE
    assert lengthened("  repeat 3 times # so often", 1) == "  repeat 4 times # so often"
    assert lengthened("repeat 1", -1) == "repeat 1"
    assert lengthened("  end", 1) == "  end"
