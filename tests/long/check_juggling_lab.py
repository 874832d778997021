"""Written JML opened by Juggling Lab itself; `make juggling-lab` runs this, as it takes a Java
machine.

Debian has Juggling Lab 0.6.2, which knows JML 1.2: what later versions added (`basepattern`,
`info`) is taken out here.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jpype
import numpy as np
import pytest

import juggle_anim as ja

JAR = "/usr/share/jugglinglab/jugglinglab.jar"

PATTERNS = [
    "531",
    "97531",
    "(4,2x)*",
    "(6x,4)(4,6x)",
    "[33]33",
    "mills mess",
    "3;throws=backcross",
    "3;style=juggling-lab",
    "7;bps=6;gravity=12",
    "<3p 3|3p 3>",
    "<4p 3|3 4p>",
    "<3p|3p|3p>",
]

AXES = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]) / 100.0
"""From Juggling Lab's x to the right, y forward and z up, [cm], to ours."""


@pytest.fixture(scope="module")
def juggling_lab() -> Any:
    if not jpype.isJVMStarted():
        jpype.startJVM("-Djava.awt.headless=true", classpath=[JAR])
    return jpype.JPackage("jugglinglab")


@pytest.fixture
def opened(juggling_lab: Any) -> Callable[[Path], Any]:
    def open_jml(path: Path) -> Any:
        text = re.sub(r"<(basepattern|info)\b.*?</\1>\n", "", path.read_text(), flags=re.DOTALL)
        text = text.replace('<jml version="3">', '<jml version="1.2">')
        pattern = juggling_lab.jml.JMLPattern(jpype.JClass("java.io.StringReader")(text))
        pattern.layoutPattern()
        return pattern

    return open_jml


@pytest.mark.parametrize("text", PATTERNS)
def test_juggling_lab_shows_written_events_as_we_do(text, juggling_lab, opened, program, tmp_path):
    path = tmp_path / "a.jml"
    program("convert", text, str(path), "--events")
    pattern, animation = opened(path), ja.animate(text)
    assert pattern.getNumberOfJugglers() == animation.num_jugglers
    assert pattern.getLoopEndTime() - pattern.getLoopStartTime() == pytest.approx(
        animation.duration
    )

    # Juggling Lab holds the props of a multiplex in one place, and we side by side.
    near = 0.05 if "[" in text else 1e-3
    times = np.linspace(0.0, animation.duration, 61)[:-1] + 1e-4
    frames = animation.sample(times)
    paths = range(1, pattern.getNumberOfPaths() + 1)
    assert len(paths) == frames.props.shape[1]
    for time, props, holders in zip(times, frames.props, frames.holders, strict=True):
        theirs = np.array(
            [place(juggling_lab, pattern.getPathCoordinate, path, time) for path in paths]
        )
        gaps = np.linalg.norm(theirs[:, None] - props[holders < 0], axis=-1)
        assert (gaps.min(axis=0) < near).all(), time


@pytest.mark.parametrize("text", PATTERNS)
def test_hands_throw_and_catch_in_juggling_lab_where_ours_do(
    text, juggling_lab, opened, program, tmp_path
):
    path = tmp_path / "a.jml"
    program("convert", text, str(path), "--events")
    pattern, animation = opened(path), ja.animate(text)
    events = animation.choreography.events
    ours = animation.sample(events.time).hands[
        np.arange(len(events.time)), events.hand // 2, events.hand % 2
    ]
    for time, hand, at in zip(events.time, events.hand, ours, strict=True):
        juggler, side = hand // 2 + 1, hand % 2
        theirs = place(
            juggling_lab, pattern.getHandCoordinate, juggler, 1 if side == 0 else 2, time
        )
        assert np.linalg.norm(theirs - at) < 2e-3, (time, hand)


@pytest.mark.parametrize("text", PATTERNS)
def test_what_juggling_lab_saves_of_it_opens_as_the_same_pattern(text, opened, program, tmp_path):
    program("convert", text, str(tmp_path / "a.jml"), "--events")
    (tmp_path / "saved.jml").write_text(str(opened(tmp_path / "a.jml").toString()))
    saved, animation = ja.animate(str(tmp_path / "saved.jml")), ja.animate(text)
    # It writes times to a tenth of a millisecond.
    assert saved.duration == pytest.approx(animation.duration, abs=1e-4)
    near = 0.08 if "[" in text else 5e-3  # and holds multiplexes otherwise
    times = np.linspace(0.0, animation.duration, 61)[:-1] + 1e-4
    before, after = animation.sample(times), saved.sample(times)
    assert before.props.shape == after.props.shape
    for now, then, holders in zip(before.props, after.props, before.holders, strict=True):
        gaps = np.linalg.norm(then[:, None] - now[holders < 0], axis=-1)
        assert (gaps.min(axis=0) < near).all()


def test_juggling_lab_juggles_each_line_of_a_written_list(juggling_lab, program, tmp_path):
    texts = [
        "531",
        "pattern=441;bps=3;dwell=1.5",
        "(4,2x)*",
        "<3p 3|3p 3>",
        "[34]23",
        "pattern=423;hands=(10)(32.5).",
    ]
    (tmp_path / "list.txt").write_text("\n".join(texts))
    program("convert", "list.txt", "list.jml")
    parser = juggling_lab.jml.JMLParser()
    written = (
        (tmp_path / "list.jml").read_text().replace('<jml version="3">', '<jml version="1.2">')
    )
    parser.parse(jpype.JClass("java.io.StringReader")(written))
    lines = [node for node in tree(parser.getTree()) if node.getNodeType() == "line"]
    assert len(lines) == len(texts)
    siteswap = juggling_lab.notation.Notation.getNotation("siteswap")
    for line, text in zip(lines, texts, strict=True):
        pattern = siteswap.getJMLPattern(str(line.getNodeValue()).strip())
        pattern.layoutPattern()
        assert pattern.getNumberOfPaths() == ja.animate(text).sample(np.zeros(1)).props.shape[1]


def place(juggling_lab: Any, find: Callable[..., None], *what: Any) -> np.ndarray:
    """Where Juggling Lab says that something is, in our axes, [m]."""
    coordinate = juggling_lab.util.Coordinate()
    find(*what, coordinate)
    return AXES @ (coordinate.x, coordinate.y, coordinate.z)


def tree(node: Any) -> Iterator[Any]:
    """A node of a JML file and all below it."""
    yield node
    for child in range(node.getNumberOfChildren()):
        yield from tree(node.getChildNode(child))
