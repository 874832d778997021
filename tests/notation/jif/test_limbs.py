"""Places of jugglers: read from metres, written as whole ones, and kept exactly."""

from __future__ import annotations

import math
from typing import Any

import pytest
from jif_documents import cascade, read, refusal, throw, write

from juggle_anim.choreography import BodyPlace
from juggle_anim.notation import read_settings


def places(jugglers: list[dict[str, Any]]) -> list[BodyPlace | None]:
    document = {
        "jugglers": jugglers,
        "throws": [throw(0, 2, limb, limb) for limb in range(2 * len(jugglers))],
        "period": 2,
    }
    body = read(document).score.staging.body
    return [] if body is None else [steps[0] if steps else None for (steps,) in body.beats]


def test_jugglers_who_look_at_each_other_do_so_here() -> None:
    found = places(
        [
            {"position": [1.6, 0, 0], "lookAt": [0, 0, 0]},
            {"position": [-1.6, 0, 0], "lookAt": [0, 0, 0]},
        ]
    )
    assert found == [BodyPlace(-math.pi / 2, (1.6, 0, 0)), BodyPlace(math.pi / 2, (-1.6, 0, 0))]


def test_two_numbers_are_a_place_on_the_floor() -> None:
    assert places([{"position": [0.25, 2], "lookAt": [0.25, 1]}]) == [
        BodyPlace(math.pi, (0.25, 0, 2))
    ]


def test_who_looks_nowhere_looks_at_the_middle_or_ahead() -> None:
    assert places([{"position": [0, 1.5, 3]}]) == [BodyPlace(0, (0, 1.5, 3))]
    found = places([{"position": [0, 0, 3]}, {"lookAt": [-1, 0, 0]}])
    assert found == [BodyPlace(math.pi, (0, 0, 3)), BodyPlace(-math.pi / 2, (0, 0, 0))]


def test_jugglers_of_whom_nothing_is_said_stand_where_they_usually_do() -> None:
    assert places([{}, {"name": "B"}]) == []
    assert places([{}, {"position": [0, 0, 1]}]) == [None, BodyPlace(math.pi, (0, 0, 1))]


@pytest.mark.parametrize(
    "body", ["(30,10,20).", "(90,-160).|(270,160).", "(0).(90,10,0,120).(180)(270).", ".|(10)."]
)
def test_places_are_written_in_whole_metres_and_kept_exactly(body: str) -> None:
    settings = read_settings(f"pattern=<3p|3p>;body={body}")
    document = write(settings)
    assert read(document).score.staging == settings.score.staging
    moved = {**document, "jugglers": [{"position": [3, 0, 4], "lookAt": [3, 0, 5]}, {}]}
    body_read = read(moved).score.staging.body
    assert body_read is not None
    assert body_read.beats[0] == ((BodyPlace(0, (3, 0, 4)),),)


@pytest.mark.parametrize(
    ("juggler", "words"),
    [
        ({"position": [1]}, "jugglers[0].position: this has 1"),
        ({"position": [1, 2, 3, 4]}, "jugglers[0].position: this has 4"),
        ({"position": [1, "x", 3]}, 'jugglers[0].position[1]: "x" is not a number'),
        (
            {"lookAt": [1e9, 0]},
            "jugglers[0].lookAt[0]: 1000000000 is out of range; a number from -990 to 990",
        ),
        ({"position": 3}, "jugglers[0].position: 3 is not a list"),
    ],
)
def test_what_is_no_place_is_refused(juggler: dict[str, Any], words: str) -> None:
    assert words in refusal(cascade(jugglers=[juggler]))
