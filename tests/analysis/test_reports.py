"""What an analysis says, in text, as data and in plots."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.analysis.analyse import Analysis, as_data, as_text, columns, hand_name
from juggle_anim.analysis.collisions import Collision
from juggle_anim.analysis.measures import Flight, HandMeasures, LoopStatistics, OutOfReach
from juggle_anim.analysis.plots import (
    LARGEST,
    SMALLEST,
    ArmComparison,
    arms_data,
    arms_text,
    check_plots,
    compare_arms,
    draw_arms,
    draw_plots,
    write_arms,
    write_plots,
)
from juggle_anim.errors import ExportError, ParameterError


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return ja.analyse("531")


@pytest.fixture(scope="module")
def comparison() -> ArmComparison:
    return compare_arms(ja.animate("531"), ["natural", "two-link", "natural"])


def section(text: str, name: str) -> list[str]:
    """The rows of a section of a report."""
    rows = text.splitlines()
    first = next(number for number, row in enumerate(rows) if row[2:14].strip() == name)
    after = (number for number in range(first + 1, len(rows)) if rows[number][2:14].strip())
    return [row[14:] for row in rows[first : next(after, len(rows))]]


def test_a_report_counts_throws_by_what_they_are_like_the_highest_first(analysis: Analysis) -> None:
    rows = section(as_text(analysis), "throws")
    counts = [int(row.split(" × ")[0]) for row in rows]
    heights = [float(row.split(" × ")[1].split()[0]) for row in rows]
    assert sum(counts) == len(analysis.throws)
    assert heights == sorted(heights, reverse=True)
    assert heights[0] == pytest.approx(max(throw.height for throw in analysis.throws), abs=0.005)
    bouncing = replace(analysis.throws[0], bounces=2)
    assert "2 bounces" in as_text(replace(analysis, throws=(bouncing,)))
    assert section(as_text(replace(analysis, throws=())), "throws") == ["none"]


def test_a_report_gives_hands_in_g_and_names_jugglers_where_there_are_several(
    analysis: Analysis,
) -> None:
    one = analysis.hands[1]
    use = replace(
        one,
        lowest=0.9,
        highest=1.25,
        acceleration=LoopStatistics(2 * 9.80665, 9.80665, 9.80665),
        hand=1,
    )
    rows = section(as_text(replace(analysis, hands=(use,))), "hands")
    assert "0.90 to 1.25" in rows[2]
    assert "2.0 (1.0)" in rows[2]
    assert rows[2].startswith("right")
    several = section(as_text(replace(analysis, hands=(use,), jugglers=2)), "hands")
    assert several[2].startswith("1 right")
    assert [hand_name(hand, several_jugglers=True) for hand in range(4)] == [
        "1 left",
        "1 right",
        "2 left",
        "2 right",
    ]


def test_a_report_has_all_that_is_out_of_reach_or_collides_in_centimetres(
    analysis: Analysis,
) -> None:
    short = OutOfReach(hand=3, start=0.5, end=0.75, worst=0.123)
    known = ja.analyse("3;propdiam=25").collisions
    assert known
    props, body = (
        replace(
            known[0],
            start=0.25,
            end=0.5,
            overlap=0.045,
            prop=0,
            other=other,
            juggler=juggler,
            part="torso",
        )
        for other, juggler in ((2, -1), (-1, 0))
    )
    text = as_text(replace(analysis, jugglers=2, out_of_reach=(short,), collisions=(props, body)))
    assert section(text, "reach") == ["2 right hand from 0.500 to 0.750 s, short by 12.3 cm"]
    rows = section(text, "collisions")
    assert rows[0] == "prop 1 and prop 3 from 0.250 to 0.500 s, 4.5 cm deep"
    assert rows[1].startswith("prop 1 and torso of juggler 1 from")
    plain = as_text(replace(analysis, out_of_reach=(), collisions=(), miss=None, body_miss=None))
    assert section(plain, "reach") == ["every hand reaches its position"]
    assert section(plain, "collisions") == ["none"]
    assert section(plain, "nearest") == ["no props pass each other"]


def test_a_report_says_what_comes_nearest(analysis: Analysis) -> None:
    assert analysis.miss
    assert analysis.body_miss
    rows = section(as_text(analysis), "nearest")
    assert [float(row.split(" s, ")[1].split()[0]) for row in rows] == pytest.approx(
        [100 * analysis.miss.gap, 100 * analysis.body_miss.gap], abs=0.05
    )


@pytest.mark.parametrize("number", [1, 8, 9, 40])
def test_of_many_rows_the_first_are_shown_and_the_others_counted(
    number: int, analysis: Analysis
) -> None:
    spans = tuple(OutOfReach(0, float(each), each + 0.5, 0.1) for each in range(number))
    rows = section(as_text(replace(analysis, out_of_reach=spans)), "reach")
    left_out = [row for row in rows if row.startswith("… and ")]
    shown = len(rows) - len(left_out)
    assert shown + sum(int(row.split()[2]) for row in left_out) == number
    assert bool(left_out) == (shown < number)
    assert rows[0].startswith("left hand from 0.000")


def test_columns_are_aligned_the_first_to_the_left_and_others_to_the_right() -> None:
    lines = columns([("a", "1", "22"), ("long", "333", "4"), ("", "", "")])
    assert lines == ["a       1  22", "long  333   4", ""]


def test_data_are_the_measures_under_their_names(analysis: Analysis) -> None:
    data = json.loads(json.dumps(as_data(analysis)))
    assert data == as_data(analysis)
    assert [each["name"] for each in data["hands"]] == ["left", "right"]
    assert [Flight(**each) for each in data["throws"]] == list(analysis.throws)
    for each, use in zip(data["hands"], analysis.hands, strict=True):
        assert isinstance(use, HandMeasures)
        assert each["speed"]["peak"] == use.speed.peak
    several = as_data(replace(analysis, jugglers=2))["hands"]
    assert [each["name"] for each in several] == ["1 left", "1 right"]


def test_solvers_are_as_far_from_each_other_as_their_elbows(comparison: ArmComparison) -> None:
    names = [result.solver for result in comparison.results]
    assert names == list(dict.fromkeys([ja.animate("531").parameters.arms, "natural", "two-link"]))
    assert comparison.distances == pytest.approx(np.swapaxes(comparison.distances, 0, 1))
    for number, result in enumerate(comparison.results):
        assert not comparison.distances[number, number].any()
        for other, there in enumerate(comparison.results):
            apart = np.linalg.norm(result.elbows - there.elbows, axis=-1)
            assert comparison.mean[number, other] == pytest.approx(apart.mean())
            assert comparison.greatest[number, other] == pytest.approx(apart.max())
        # The fastest elbow, by differences over the closed loop.
        loop = np.concatenate([result.elbows, result.elbows[:1]])
        step = comparison.duration / len(comparison.times)
        speed = np.linalg.norm(np.diff(loop, axis=0), axis=-1).max() / step
        assert result.fastest_speed == pytest.approx(speed)


def test_a_comparison_says_the_same_as_text_and_as_data(comparison: ArmComparison) -> None:
    data = json.loads(json.dumps(arms_data(comparison)))
    rows = arms_text(comparison).splitlines()
    assert rows[0].startswith("531: ")
    for (name, solver), row in zip(data["solvers"].items(), rows[2:], strict=False):
        assert row.split()[0] == name
        assert solver["mean_from"][name] == solver["most_from"][name] == 0.0
        for other in data["solvers"]:
            if other != name:
                mean, most = solver["mean_from"][other], solver["most_from"][other]
                assert f"{100 * mean:.1f} ({100 * most:.1f})" in row
        assert row.split()[-2:] == [
            f"{solver['fastest_elbow']:.1f}",
            f"{100 * solver['short']:.1f}",
        ]


def test_lines_of_a_comparison_are_heights_and_distances_of_elbows(
    comparison: ArmComparison, tmp_path: Path
) -> None:
    rows = draw_arms(comparison, (800, 800)).axes
    assert len(rows) == 4
    for side in range(2):
        for number, result in enumerate(comparison.results):
            height, apart = (rows[row].lines[number].get_ydata() for row in (side, 2 + side))
            assert height == pytest.approx(100 * result.heights[:, 0, side])
            assert apart == pytest.approx(100 * comparison.distances[0, number, :, 0, side])
    animation = ja.animate("531")
    path = write_arms(animation, comparison, tmp_path / "arms.svg", (800, 800))
    assert path == tmp_path / "arms.svg"
    assert path.read_bytes().lstrip().startswith(b"<?xml")


def test_plots_show_props_and_hands_as_they_move(analysis: Analysis) -> None:
    animation = ja.animate("531")
    rows = draw_plots(animation, analysis, (800, 1000)).axes
    times = rows[0].lines[0].get_xdata()
    frames = animation.sample(times)
    for prop in range(3):
        faint, bold = (rows[0].lines[2 * prop + which].get_ydata() for which in range(2))
        assert faint == pytest.approx(frames.props[:, prop, 1])
        assert np.array_equal(np.isnan(bold), frames.holders[:, prop] >= 0)
    for hand in range(2):
        height, speed, acceleration = (rows[row].lines[hand].get_ydata() for row in (1, 2, 3))
        assert height == pytest.approx(frames.hands[:, 0, hand, 1])
        use = analysis.hands[hand]
        assert speed.max() == pytest.approx(use.speed.peak, rel=0.01)
        assert acceleration.max() * 9.80665 == pytest.approx(use.acceleration.peak, rel=0.02)
    # The ladder has six throws, five props in hands, or more where one is held over the loop's end.
    flights = [line for line in rows[4].lines if len(line.get_xdata()) > 2]
    assert len(flights) >= 6
    for line in flights:
        ends = line.get_ydata()[[0, -1]]
        assert set(np.round(ends, 9)) <= {0.0, 1.0}
        middle = np.abs(line.get_ydata() - 0.5).max()
        assert middle <= 0.5 + 1e-9  # the bow of a throw to the same hand is toward the other
    assert rows[4].get_xlim() == pytest.approx((0.0, analysis.duration))


def test_collisions_are_marked_in_each_plot(analysis: Analysis) -> None:
    animation = ja.animate("531")
    known = ja.analyse("3;propdiam=25").collisions[0]
    assert isinstance(known, Collision)
    once = replace(known, time=analysis.duration + 0.25)
    rows = draw_plots(animation, replace(analysis, collisions=(once,)), (800, 1000)).axes
    plain = draw_plots(animation, replace(analysis, collisions=()), (800, 1000)).axes
    for row, without in zip(rows, plain, strict=True):
        assert len(row.lines) == len(without.lines) + 1
        assert row.lines[-1].get_xdata()[0] == pytest.approx(0.25)
    assert [row.get_title("right") for row in rows] == ["collisions are dashed", "", "", "", ""]
    assert plain[0].get_title("right") == ""


def test_plots_are_written_once_and_in_sizes_that_can_be_read(
    analysis: Analysis, tmp_path: Path
) -> None:
    animation = ja.animate("531")
    path = tmp_path / "a.png"
    path.write_bytes(b"something")
    with pytest.raises(ExportError):
        write_plots(animation, analysis, path, (320, 320))
    assert path.read_bytes() == b"something"
    assert write_plots(animation, analysis, path, (320, 320), force=True) == path
    assert path.read_bytes().startswith(b"\x89PNG")
    for size in (SMALLEST, LARGEST):
        check_plots(tmp_path / "b.png", size, False)
    for size in (
        (SMALLEST[0] - 1, 500),
        (500, SMALLEST[1] - 1),
        (LARGEST[0] + 1, 500),
        (500, LARGEST[1] + 1),
    ):
        with pytest.raises(ParameterError, match="each edge"):
            check_plots(tmp_path / "b.png", size, False)
    with pytest.raises(ParameterError, match="plots can be saved as"):
        check_plots(tmp_path / "b.txt", (500, 500), False)
