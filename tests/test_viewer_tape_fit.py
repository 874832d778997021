import pytest

from juggle_anim.animation import animate
from juggle_anim.diagrams.nodes import NODE_HEIGHT
from juggle_anim.viewer.state.tape import LEAST, USUAL, Fit, Tape, wanted_height

PATTERNS = ["3", "531", "[543]24", "<3p 3|3p 3>", "(534^20)", "<" + "|".join("3" * 30) + ">"]
ROOMS = [(290, 130), (850, 230), (1500, 370)]


def test_throws_stay_legible_and_apart_in_any_room() -> None:
    for scale in [1.0, 2.0]:
        for room in ROOMS:
            for text in PATTERNS:
                tape = Tape.of("ladder", animate(text))
                fit = Fit.of(tape, room[0] * scale, room[1] * scale, scale)
                assert LEAST * scale <= fit.unit <= USUAL * scale, (scale, room, text)
                assert fit.across * tape.narrowest >= NODE_HEIGHT * fit.unit, (scale, room, text)
                assert fit.along >= LEAST * scale, (scale, room, text)
                assert fit.y_of(tape, tape.depth) < fit.deep, (scale, room, text)


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("text", PATTERNS)
def test_whole_loops_fill_the_room_where_one_has_room(text: str, room: tuple[int, int]) -> None:
    tape = Tape.of("ladder", animate(text))
    fit = Fit.of(tape, *room, 1.0)
    if tape.length * LEAST <= room[0]:
        assert fit.loops == pytest.approx(round(fit.loops))
        assert fit.loops >= 1
        assert fit.along * tape.length * fit.loops == pytest.approx(room[0])
    else:
        assert fit.loops < 1
        assert fit.along == USUAL


def test_the_room_that_is_wanted_is_enough() -> None:
    tape = Tape.of("causal", animate("<3p 3|3p 3>"))
    fit = Fit.of(tape, 400, wanted_height(tape), 1.0)
    assert fit.deep <= wanted_height(tape) + 1e-6
    assert (fit.unit, fit.across) == pytest.approx((USUAL, USUAL))
