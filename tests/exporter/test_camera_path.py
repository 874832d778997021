from pathlib import Path

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.animation import animate
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.stills import DrawnFrames
from juggle_anim.exporter.view import FrameRequest, read_view
from juggle_anim.metadata.documents import read_metadata, read_record
from juggle_anim.scene import Camera

FIVE = animate("5")


def cameras(text: str, played: list[float], duration: float = 8.0) -> list[Camera]:
    path = read_view(text).path
    assert path
    return path.cameras(FIVE, 1.5, np.array(played), duration)


def azimuths(text: str, played: list[float]) -> list[float]:
    back = [np.subtract(camera.eye, camera.target) for camera in cameras(text, played)]
    return [round(float(np.degrees(np.arctan2(x, z))), 6) for x, _, z in back]


def test_a_turntable_goes_once_around_at_an_even_pace_and_ends_where_it_began() -> None:
    first, *_, last = found = azimuths("turntable", np.linspace(0, 8, 9).tolist())
    assert last == pytest.approx(first)
    assert np.diff(np.unwrap(found, period=360)) == pytest.approx(45)


def test_a_path_is_at_its_views_at_their_times_and_stays_at_the_last() -> None:
    assert azimuths("front@1 left@3 -30,20@4", [0, 1, 2, 3, 4, 7]) == pytest.approx(
        [0, 0, 45, 90, -30, -30]
    )
    assert azimuths("left@2", [0, 5]) == pytest.approx([90, 90])
    steps = np.diff(azimuths("front@0 left@2", np.linspace(0, 2, 200).tolist()))
    assert steps[[0, -1]].max() < 0.1 * steps.max()


@pytest.mark.parametrize("text", ["turntable", "front@0 top@3 60,-20@6"])
def test_from_everywhere_the_whole_pattern_is_seen_from_the_same_distance(text: str) -> None:
    points, _ = FIVE.extent
    found = cameras(text, np.linspace(0, 8, 25).tolist())
    assert (
        np.ptp(
            [
                np.linalg.norm(np.subtract(each.eye, each.target))
                for each in found
                if each.eye[1] > 0.2
            ]
        )
        < 1e-9
    )
    for camera in found:
        seen = np.hstack([points, np.ones((len(points), 1))]) @ camera.view().T
        across, up = camera.scales(1.5)
        assert np.abs(seen[:, 0] * across / -seen[:, 2]).max() < 1
        assert np.abs(seen[:, 1] * up / -seen[:, 2]).max() < 1


def test_a_film_moves_around_and_says_so(tmp_path: Path) -> None:
    shots = FrameRequest(
        animate("531"), (64, 48), 4, start=1.0, seconds=1.0, view=read_view("turntable")
    )
    still = FrameRequest(animate("531"), (64, 48), 4, start=1.0, seconds=1.0)
    differ = [
        float((one != other).mean())
        for one, other in zip(DrawnFrames(shots).images(), DrawnFrames(still).images(), strict=True)
    ]
    assert differ[2] > 0.2
    (path,) = ja.export(
        "531", tmp_path / "a.gif", size=(64, 48), fps=4, cameras=("Front@0  left@1",)
    )
    record = read_record(read_metadata(path) or "")
    assert record
    assert record.picture["camera"] == "front@0 left@1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("front@2 left@1", "each view needs a later time than the one before"),
        ("front@0 left", "views, each with its time in seconds"),
        ("sideways@0", "camera is 'sideways'"),
        ("eyes@0 left@1", "cannot be part of a camera path"),
        ("turntabel", "did you mean turntable"),
    ],
)
def test_what_is_no_path_is_refused(text: str, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        read_view(text)


def test_models_have_no_camera_that_moves(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="camera turntable moves while a video plays"):
        ja.export("3", tmp_path / "a.glb", fps=4, cameras=("turntable",))
