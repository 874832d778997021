"""Props that are picked up from stands and put down there, as a routine goes on with another number
of them.
"""

from pathlib import Path

import numpy as np
import pytest
from glb_reader import read_glb

import juggle_anim as ja
from juggle_anim.animation import Animation, animate
from juggle_anim.choreography.places import STAND_HEIGHT, on_stand
from juggle_anim.language import speaking
from juggle_anim.notation.facts import check_all
from juggle_anim.scene.scene import Cone

UP_AND_DOWN = "3 6 catches", "531 1 loop", "4 8 catches", "3 4 catches"
ROUTINES = [
    (UP_AND_DOWN, (3, 3, 4, 3)),
    (("4 8 beats", "3 8 catches"), (4, 3)),
    (
        ("3 4 catches", "stop", "5 7 catches", "4 8 beats", "stop", "51 6 beats", "5 6 beats"),
        (3, 5, 4, 3, 5),
    ),
    (("prop=club", "[43]23 8 beats", "6 6 beats", "40 8 beats", "7 8 beats"), (4, 6, 2, 7)),
    (("prop=ring", "<3p|3p> 5 beats", "<4p 3|3 4p> 4 loops", "<3|3> 5 beats"), (6, 7, 6)),
]


def lines(*written: str) -> Animation:
    return animate("\n".join(written) + "\n")


def lying(routine: Animation, time: float) -> list[tuple[float, ...]]:
    """The places on stands on which something lies."""
    choreography = routine.choreography
    flights, events = choreography.flights, choreography.events
    since = (time - events.time[flights.throw]) % routine.duration
    there = on_stand(choreography) & (since < flights.duration)
    return [tuple(np.round(place, 6).tolist()) for place in events.position[flights.throw[there]]]


@pytest.mark.parametrize(("written", "props"), ROUTINES)
def test_each_line_has_its_props_and_all_others_lie_where_nothing_else_does(
    written: tuple[str, ...], props: tuple[int, ...]
) -> None:
    routine = lines(*written)
    script = routine.score.routine
    assert script is not None
    juggled = [line for line in script.lines if not line.text.startswith("stop")]
    here = [routine.choreography.props - len(lying(routine, line.ends - 0.15)) for line in juggled]
    assert here == list(props)
    for time in np.arange(0.0, routine.duration, 0.1).tolist():
        places = lying(routine, time)
        assert len(set(places)) == len(places)
    assert sorted(lying(routine, 0.0)) == sorted(lying(routine, routine.duration - 1e-6))


def test_props_are_picked_up_and_put_down_by_hands_that_are_at_the_stand() -> None:
    routine = lines(*UP_AND_DOWN)
    flights, events = routine.choreography.flights, routine.choreography.events
    (flight,) = np.flatnonzero(on_stand(routine.choreography)).tolist()
    down, up = (float(events.time[each[flight]]) for each in (flights.throw, flights.catch))
    script = routine.score.routine
    assert script is not None
    _, _, fountain, cascade, _ = script.lines
    assert fountain.begins < up < fountain.ends
    assert cascade.begins - 0.1 < down < cascade.enters + 0.5
    assert fountain.transition == "1 picked up"
    assert cascade.transition.endswith("; 1 put down")
    with speaking("de"):
        assert (fountain.transition, cascade.transition.rpartition("; ")[2]) == (
            "1 aufgenommen",
            "1 abgelegt",
        )
    frames = routine.sample(np.array([up - 0.05, up + 0.05, down - 0.05, down + 0.05]))
    (prop,) = np.flatnonzero(
        (frames.holders[0] < 0) & (np.abs(frames.props[0, :, 1] - STAND_HEIGHT) < 1e-3)
    ).tolist()
    assert frames.holders[1, prop] == events.hand[flights.catch[flight]]
    again = int(np.argmin(np.abs(frames.props[3, :, 1] - STAND_HEIGHT)))
    assert (frames.holders[2, again], frames.holders[3, again]) == (
        events.hand[flights.throw[flight]],
        -1,
    )


def test_at_a_stop_all_is_picked_up_before_the_first_throw() -> None:
    routine = lines("3 4 catches", "stop", "5 7 catches", "stop", "3 3 catches")
    script = routine.score.routine
    assert script is not None
    flights, events = routine.choreography.flights, routine.choreography.events
    taken = events.time[flights.catch[on_stand(routine.choreography)]]
    assert len(taken) == 2
    assert (taken > script.lines[1].begins).all()
    assert (taken < script.lines[2].begins).all()
    assert routine.gaps.max() < 0.01


def test_stands_are_in_pictures_prints_pages_and_models_and_files_open_again(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.routine"
    path.write_text("\n".join(UP_AND_DOWN))
    routine, plain = animate(str(path)), animate("4")
    assert not len(plain.look.stands)
    stands = routine.look.stands
    scene = routine.scene(0.0)
    assert any(np.array_equal(row, stands[0]) for row in scene.capsules)
    assert scene.club_parts == 0
    top = stands[:, Cone.START][:, 1].max() + stands[:, Cone.START_RADIUS].max()
    assert top == pytest.approx(STAND_HEIGHT - routine.motion.shapes.size[0] / 2, abs=1e-3)
    places = np.array(lying(routine, 0.0))
    assert np.ptp(stands[:, 0]) > 0.1
    assert stands[:, 0].min() < places[:, 0].min() <= places[:, 0].max() < stands[:, 4].max()
    (model,) = ja.export(routine, tmp_path / "a.glb", fps=5, seconds=1)
    assert "stands" in read_glb(model).number
    (page,) = ja.export(routine, tmp_path / "a.html")
    for file in (model, page):
        again = animate(str(file))
        assert again.score.routine is not None
        assert np.array_equal(again.look.stands, stands)
    ja.draw(routine, tmp_path / "a.svg", force=True)
    assert b"#a8" in (tmp_path / "a.svg").read_bytes().lower()


def test_a_check_says_how_many_come_and_go(tmp_path: Path) -> None:
    path = tmp_path / "a.routine"
    path.write_text("\n".join(UP_AND_DOWN))
    assert [line["more"] for line in check_all(str(path))[0].as_data()["lines"]] == [0, 0, 1, -1, 0]
