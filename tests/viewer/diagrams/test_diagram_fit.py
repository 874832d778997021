import pytest

from juggle_anim.animation import animate
from juggle_anim.diagrams.drawing import NODE_HEIGHT, Label, Stroke
from juggle_anim.viewer.diagrams.diagrams import (
    DEFAULT_SCALE,
    MARGIN_ABOVE,
    MARGIN_BELOW,
    MIN_SCALE,
    DiagramFit,
    LoopDiagram,
)

PATTERNS = ["3", "531", "[543]24", "<3p 3|3p 3>", "(534^20)", "<" + "|".join("3" * 30) + ">"]
ROOMS = [(290, 130), (850, 230), (1500, 370)]


def test_throws_stay_legible_and_apart_in_any_room() -> None:
    for scale in [1.0, 2.0]:
        for room in ROOMS:
            for text in PATTERNS:
                tape = LoopDiagram.from_animation("ladder", animate(text))
                fit = DiagramFit.for_area(tape, room[0] * scale, room[1] * scale, scale)
                assert MIN_SCALE * scale <= fit.mark_scale <= DEFAULT_SCALE * scale, (
                    scale,
                    room,
                    text,
                )
                assert fit.y_scale * tape.min_spacing >= NODE_HEIGHT * fit.mark_scale, (
                    scale,
                    room,
                    text,
                )
                assert fit.x_scale >= MIN_SCALE * scale, (scale, room, text)
                assert fit.y_of(tape, tape.depth) < fit.height, (scale, room, text)


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("text", PATTERNS)
def test_whole_loops_fill_the_room_where_one_has_room(text: str, room: tuple[int, int]) -> None:
    tape = LoopDiagram.from_animation("ladder", animate(text))
    fit = DiagramFit.for_area(tape, *room, 1.0)
    if tape.length * MIN_SCALE <= room[0]:
        assert fit.loops == pytest.approx(round(fit.loops))
        assert fit.loops >= 1
        assert fit.x_scale * tape.length * fit.loops == pytest.approx(room[0])
    else:
        assert fit.loops < 1
        assert fit.x_scale == DEFAULT_SCALE


def test_the_room_that_is_wanted_is_enough() -> None:
    tape = LoopDiagram.from_animation("causal", animate("<3p 3|3p 3>"))
    wanted = DEFAULT_SCALE * (MARGIN_ABOVE + tape.depth + MARGIN_BELOW)
    fit = DiagramFit.for_area(tape, 400, wanted, 1.0)
    assert fit.height <= wanted + 1e-6
    assert (fit.mark_scale, fit.y_scale) == pytest.approx((DEFAULT_SCALE, DEFAULT_SCALE))


def test_every_throw_of_who_to_whom_has_the_letter_of_its_hand() -> None:
    tape = LoopDiagram.from_animation("who to whom", animate("<3p 3|3p 3>"))
    letters = [mark.text for mark in tape.marks if isinstance(mark, Label) and mark.text in "LR"]
    assert sorted(letters) == ["L", "L", "R", "R"]
    colours = {tape.mark_in(index, loop) for index in range(len(tape.marks)) for loop in range(6)}
    arrows = {mark.colour for mark in colours if isinstance(mark, Stroke) and mark.arrow}
    assert len(arrows) == 6
