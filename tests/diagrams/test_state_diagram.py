from collections.abc import Sequence

import numpy as np
import pytest

from juggle_anim.arrays import Floats
from juggle_anim.diagrams import Label, Pill, Stroke
from juggle_anim.diagrams.state_diagram import MOST_DRAWN, StateDiagram, draw_state_diagram
from juggle_anim.errors import ParameterError
from juggle_anim.pattern.state_graph import ASYNCHRONOUS, SYNCHRONOUS, StateGraph

ALONG = np.linspace(0.0, 1.0, 60)[:, None]
BASIS = np.hstack(
    [(1 - ALONG) ** 3, 3 * (1 - ALONG) ** 2 * ALONG, 3 * (1 - ALONG) * ALONG**2, ALONG**3]
)


def laid(props: int, highest: int, rows: int = ASYNCHRONOUS) -> StateDiagram:
    return StateDiagram.lay_out(StateGraph.of(props, highest, rows))


@pytest.fixture(scope="module")
def diagrams() -> Sequence[StateDiagram]:
    simple = StateDiagram.lay_out(StateGraph.of(3, 5).simplified())
    return (
        laid(3, 5),
        laid(3, 6),
        laid(4, 6),
        laid(7, 8),
        laid(3, 4, SYNCHRONOUS),
        simple,
        laid(5, 10),
    )


def labels(diagram: StateDiagram) -> tuple[Floats, Floats]:
    """Centres and half sizes of labels."""
    found = [(arrow.label, arrow.label_size) for arrow in diagram.arrows if arrow.label]
    return np.array([at for at, _ in found]).reshape(-1, 2), np.array(
        [size for _, size in found]
    ).reshape(-1, 2) / 2


def test_no_node_or_label_lies_over_another(diagrams: Sequence[StateDiagram]) -> None:
    for diagram in diagrams:
        places, shape = diagram.places, diagram.shape
        one, other = np.triu_indices(len(places), 1)
        assert shape.gaps(places[other] - places[one]).min() > 0.5
        at, half = labels(diagram)
        for box, size in zip(at, half, strict=True):
            assert shape.clearance(places - box, *size).min() > 0.0
        one, other = np.triu_indices(len(at), 1)
        assert ((np.abs(at[one] - at[other]) > half[one] + half[other]).any(axis=1)).all()


def test_all_stays_on_the_paper(diagrams: Sequence[StateDiagram]) -> None:
    for diagram in diagrams:
        at, half = labels(diagram)
        node = np.array([diagram.shape.width, diagram.shape.height]) / 2
        curves = np.concatenate([BASIS @ arrow.points for arrow in diagram.arrows])
        for points, size in ((at, half), (curves, 0.0), (diagram.places, node)):
            assert (points - size > 0.0).all()
            assert (points + size < (diagram.width, diagram.height)).all()


def test_arrows_end_at_the_border_of_their_node_and_pass_beside_others(
    diagrams: Sequence[StateDiagram],
) -> None:
    for diagram in diagrams[:-1]:
        hidden = 0
        for arrow in diagram.arrows:
            gaps = diagram.shape.clearance((BASIS @ arrow.points)[:, None] - diagram.places)
            assert 0.0 < gaps[-1, arrow.target] < 0.8
            assert abs(gaps[0, arrow.source]) < 0.4
            gaps[:, [arrow.source, arrow.target]] = 9.0
            hidden += bool(gaps.min() < 0.2)
        assert hidden == 0


def test_tips_of_arrows_are_apart(diagrams: Sequence[StateDiagram]) -> None:
    for diagram in diagrams[:-1]:
        tips = np.array([arrow.points[-1] for arrow in diagram.arrows])
        apart = np.linalg.norm(tips[:, None] - tips, axis=2) + 9 * np.eye(len(tips))
        assert apart.min() > 1.0


def test_all_throws_are_written_where_there_is_room(diagrams: Sequence[StateDiagram]) -> None:
    three_five, *_, large = diagrams
    assert all(arrow.label for arrow in three_five.arrows)
    assert sorted("".join(arrow.throws) for arrow in three_five.arrows) == sorted(
        edge.throws for edge in StateGraph.of(3, 5).edges
    )
    assert not any(arrow.label for arrow in large.arrows)


@pytest.mark.parametrize(
    ("props", "highest", "rows"), [(3, 6, ASYNCHRONOUS), (6, 7, ASYNCHRONOUS), (4, 6, SYNCHRONOUS)]
)
def test_the_picture_is_symmetric_where_the_graph_is(props: int, highest: int, rows: int) -> None:
    diagram = laid(props, highest, rows)
    middle, side = diagram.places.mean(axis=0), (-1.0, 1.0)
    centred = diagram.places - middle
    assert np.abs(centred[list(diagram.graph.mirror)] - centred * side).max() < 1e-6
    curves = np.array([BASIS @ arrow.points - middle for arrow in diagram.arrows])
    # Arrows may turn around, and end a bit farther from their nodes than they begin. There and back
    # on the axis are on two sides of it.
    images = np.stack([curves * side, curves[:, ::-1] * side], axis=1)
    apart = np.linalg.norm(images[:, :, None] - curves, axis=4).max(axis=3).min(axis=(1, 2))
    assert (apart < 0.7).mean() > 0.8


def test_the_same_graph_is_laid_out_the_same() -> None:
    one, other = laid(3, 5), laid(3, 5)
    assert (one.places == other.places).all()
    assert all((a.points == b.points).all() for a, b in zip(one.arrows, other.arrows, strict=True))


def test_large_graphs_are_rings_by_distance_from_the_ground_state(
    diagrams: Sequence[StateDiagram],
) -> None:
    large = diagrams[-1]
    assert len(large.graph.states) > 150
    radius = np.linalg.norm(large.places - large.places[0], axis=1)
    distances = np.array(large.graph.distances)
    for ring in range(1, distances.max() + 1):
        own = radius[distances == ring]
        assert np.ptp(own) < 1e-6
        assert own[0] > radius[distances == ring - 1][0] + large.shape.width


def test_the_cycle_of_a_pattern_is_bold() -> None:
    diagram = laid(3, 5)
    drawing = draw_state_diagram(diagram, "3 5", "", [0, 1, 3])
    bold = [mark for mark in drawing.marks if isinstance(mark, Stroke) and mark.width > 0.5]
    assert len(bold) == 3
    frames = [
        mark
        for mark in drawing.marks
        if isinstance(mark, Pill) and mark.outline and mark.line > 0.5
    ]
    assert len(frames) == 3
    assert {"11100", "3 5"} <= {mark.text for mark in drawing.marks if isinstance(mark, Label)}


def test_too_many_states_are_refused() -> None:
    with pytest.raises(
        ParameterError, match=f"has 1,287 states, but a drawing can show at most {MOST_DRAWN:,}"
    ):
        laid(5, 13)
