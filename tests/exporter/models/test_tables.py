import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
from foreign_programs import node_table, sqlite_table
from model_patterns import PATTERNS, animation, file_name, joints_at

import juggle_anim as ja
from juggle_anim.body import Joint

CLUBS = "clubs that turn over"

START = 0.013
"""No event is then, so that digits that a file leaves out do not decide who holds a prop."""


def rows_of(path: Path) -> tuple[list[str], list[list[str]]]:
    """The names of the columns of a CSV, and its rows."""
    with path.open(newline="") as file:
        assert next(file).startswith("# ")
        names, *rows = csv.reader(file)
    return names, rows


@pytest.mark.parametrize("name", PATTERNS)
def test_a_csv_has_every_joint_and_prop_with_its_unit(tmp_path: Path, name: str) -> None:
    (path,) = ja.export(animation(name), tmp_path / "a.csv", fps=10, start=START)
    names, rows = rows_of(path)
    table = dict(zip(names, np.array(rows, dtype=float).T, strict=True))
    times = START + table["time [s]"]
    joints, frames = (
        joints_at(name, times),
        animation(name).sample(times * animation(name).parameters.speed),
    )
    del table["time [s]"]
    for juggler in range(animation(name).num_jugglers):
        for joint in Joint:
            for axis, letter in enumerate("xyz"):
                column = table.pop(f"juggler_{juggler + 1}_{file_name(joint)}_{letter} [m]")
                np.testing.assert_allclose(column, joints[:, juggler, joint, axis], atol=2e-5)
    for prop in range(frames.props.shape[1]):
        for axis, letter in enumerate("xyz"):
            column = table.pop(f"prop_{prop + 1}_{letter} [m]")
            np.testing.assert_allclose(column, frames.props[:, prop, axis], atol=2e-5)
        np.testing.assert_array_equal(table.pop(f"prop_{prop + 1}_holder"), frames.holders[:, prop])
        if frames.aims is not None:
            for number, angle in enumerate(("yaw", "pitch")):
                column = table.pop(f"prop_{prop + 1}_{angle} [rad]")
                np.testing.assert_allclose(column, frames.aims[:, prop, number], atol=1e-4)
    assert not table


def test_a_json_says_what_its_numbers_are(tmp_path: Path) -> None:
    (path,) = ja.export(animation(CLUBS), tmp_path / "a.json", fps=10, start=START)
    read = json.loads(path.read_text())
    assert read["units"]["joints"] == read["units"]["props"] == "m"
    assert read["joints"] == [file_name(joint) for joint in Joint]
    assert [prop["kind"] for prop in read["props"]] == ["club"] * 3
    assert read["duration"] == pytest.approx(
        read["moments"][-1]["time"] + read["moments"][1]["time"], abs=1e-5
    )
    times = START + np.array([moment["time"] for moment in read["moments"]])
    frames = animation(CLUBS).sample(times)
    for name, wanted in (
        ("joints", joints_at(CLUBS, times)),
        ("props", frames.props),
        ("aims", frames.aims),
        ("holders", frames.holders),
    ):
        np.testing.assert_allclose([moment[name] for moment in read["moments"]], wanted, atol=1e-4)


@pytest.mark.parametrize("name", PATTERNS)
def test_an_npz_opens_with_numpy_and_holds_every_digit(tmp_path: Path, name: str) -> None:
    (path,) = ja.export(animation(name), tmp_path / "a.npz", fps=10, start=START)
    with np.load(path) as read:
        arrays = dict(read)
    times = START + arrays["times"]
    frames = animation(name).sample(times * animation(name).parameters.speed)
    np.testing.assert_allclose(arrays["joints"], joints_at(name, times), atol=1e-12)
    np.testing.assert_allclose(arrays["props"], frames.props, atol=1e-12)
    np.testing.assert_array_equal(arrays["holders"], frames.holders)
    if frames.aims is not None:
        np.testing.assert_allclose(arrays["aims"], frames.aims, atol=1e-9)
    assert ("aims" in arrays) == (frames.aims is not None)
    assert arrays["joint_names"].tolist() == [file_name(joint) for joint in Joint]
    assert json.loads(str(arrays["units"]))["joints"] == "m"
    assert len(json.loads(str(arrays["looks"]))) == frames.props.shape[1]


def test_second_programs_read_of_each_table_what_python_reads(tmp_path: Path) -> None:
    given = {"fps": 10, "start": START}
    table, document, arrays = (
        ja.export(animation(CLUBS), tmp_path / f"a{end}", **given)[0]
        for end in (".csv", ".json", ".npz")
    )
    names, rows = rows_of(table)
    read = sqlite_table(table)
    assert [list(row) for row in read] == [names] * len(rows)
    assert [list(row.values()) for row in read] == rows
    assert node_table(document) == json.loads(document.read_text())
    found = node_table(arrays)
    with np.load(arrays) as wanted:
        assert list(found) == list(wanted)
        for name, array in wanted.items():
            np.testing.assert_array_equal(found[name], array)


@pytest.mark.parametrize("ending", [".csv", ".json", ".npz"])
def test_a_long_table_is_the_same_as_its_parts(tmp_path: Path, ending: str) -> None:
    (path,) = ja.export("3", tmp_path / f"a{ending}", fps=100, seconds=6)
    values = {".csv": numbers_of_csv, ".json": numbers_of_json, ".npz": numbers_of_npz}[ending](
        path
    )
    times = np.arange(600) / 100
    np.testing.assert_allclose(values[:, 0], times, atol=1e-6)
    np.testing.assert_allclose(
        values[:, 1], ja.animate("3").sample(times).props[:, 0, 1], atol=1e-5
    )


def numbers_of_csv(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    names, rows = rows_of(path)
    return np.array(rows, dtype=float)[:, [0, names.index("prop_1_y [m]")]]


def numbers_of_json(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array(
        [(each["time"], each["props"][0][1]) for each in json.loads(path.read_text())["moments"]]
    )


def numbers_of_npz(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    with np.load(path) as read:
        return np.stack([read["times"], read["props"][:, 0, 1]], axis=1)


def test_no_cell_of_a_table_is_a_formula_whatever_the_title_is(tmp_path: Path) -> None:
    title = "=1+1,=cmd|' /C calc'!A0 @SUM(A1),+2\\;-3"
    (path,) = ja.export(f"pattern=531;title={title}", tmp_path / "a.csv", fps=4)
    first = path.read_text().splitlines()[0]
    cells = [cell.strip(" \"'") for cell in re.split(r"[,;\t|]", first)]
    assert not [cell for cell in cells if cell[:1] in set("=+-@")]
    assert ja.animate(str(path)).title == ja.animate(f"pattern=531;title={title}").title
    assert ja.export(f"pattern=531;title={title}", path, fps=4, resume=True) == [path]
