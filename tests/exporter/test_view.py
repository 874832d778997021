import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.view import DEFAULT_VIEW, VIEWS, read_view
from juggle_anim.scene.camera import LOWEST

ANIMATION = animate("3")


@pytest.mark.parametrize(
    ("text", "beside", "ahead"),
    [("front", 0, 1), ("left", 1, 0), ("right", -1, 0), ("back", 0, -1), ("90,5", 1, 0)],
)
def test_the_camera_stands_where_the_name_says(text: str, beside: int, ahead: int) -> None:
    camera = read_view(text).camera(ANIMATION, 1.5)
    back = np.subtract(camera.eye, camera.target)
    np.testing.assert_allclose(
        back[[0, 2]] / np.hypot(back[0], back[2]), (beside, ahead), atol=1e-6
    )


def test_from_the_top_it_looks_down() -> None:
    camera = read_view("top").camera(ANIMATION, 1.0)
    back = np.subtract(camera.eye, camera.target)
    assert back[1] / np.linalg.norm(back) == pytest.approx(np.sin(np.radians(80)))


def test_the_usual_view_is_that_of_the_window() -> None:
    assert DEFAULT_VIEW.camera(ANIMATION, 1.5) == ANIMATION.camera(1.5)


def test_a_view_has_a_name_fit_for_a_file() -> None:
    assert read_view(" LEFT ") in VIEWS
    assert read_view(" -30 , 10.50").name == "-30,10.5"
    assert (read_view("-30,10.5").azimuth, read_view("-30,10.5").elevation) == (-30.0, 10.5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lefft", "did you mean left"),
        ("30", "azimuth and elevation such as 30,10"),
        ("0,90", "from -85 to 85"),
        ("nan,0", "azimuth and elevation"),
    ],
)
def test_what_is_no_view_is_refused(text: str, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        read_view(text)


@pytest.mark.parametrize("elevation", [-85, -20, -3, 0, 40])
@pytest.mark.parametrize("more", [{}, {"projection": "orthographic"}])
def test_no_camera_looks_from_below_the_floor(elevation: int, more: dict[str, str]) -> None:
    camera = read_view(f"30,{elevation}").camera(ANIMATION.replace(**more), 1.5)
    height = camera.eye[1] - camera.target[1] if more else camera.eye[1]
    assert height >= (0.0 if more else LOWEST)
    joints = ANIMATION.pose(np.array([0.0])).joints.reshape(-1, 3)
    clip = (
        np.column_stack([joints, np.ones(len(joints))]) @ (camera.projection(1.5) @ camera.view()).T
    )
    assert (np.abs(clip[:, :2]) < clip[:, 3:]).all()
