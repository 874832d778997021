import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.viewer.picture import BATCH_SIZE, ScenePrefetch

STEP = 1 / 60


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pictures were solved at each turn."""
    counts: list[int] = []
    scenes = Animation.scenes

    def counting(self: Animation, times: np.ndarray, camera: object) -> object:
        counts.append(len(times))
        return scenes(self, times, camera)  # type: ignore[arg-type]

    monkeypatch.setattr(Animation, "scenes", counting)
    return counts


def test_scenes_are_those_of_their_time_however_time_goes() -> None:
    animation, ahead = animate("531"), ScenePrefetch()
    camera = animation.camera(1.3)
    evenly = list(np.arange(40) * STEP)
    for time in (*evenly, 0.2, 5.0, 5.0 + STEP, 5.0 + 3 * STEP, 4.9, 4.9 + STEP / 2, -1.0):
        scene, exact = ahead.scene(animation, time, STEP, camera), animation.scene(time, camera)
        # Times that differ in their last bit give places that do.
        assert scene.spheres == pytest.approx(exact.spheres, abs=1e-6)
        assert scene.capsules == pytest.approx(exact.capsules, abs=1e-6)


def test_playing_solves_many_pictures_at_once(solved: list[int]) -> None:
    animation, ahead = animate("531"), ScenePrefetch()
    camera = animation.camera(1.3)
    solved.clear()
    time = 0.0
    for _ in range(1 + 3 * BATCH_SIZE):
        ahead.scene(animation, time, STEP, camera)
        time += STEP
    assert solved == [1, BATCH_SIZE, BATCH_SIZE, BATCH_SIZE]


def test_a_still_picture_is_solved_once(solved: list[int]) -> None:
    animation, ahead = animate("531"), ScenePrefetch()
    camera = animation.camera(1.3)
    solved.clear()
    for _ in range(10):
        ahead.scene(animation, 0.3, STEP, camera)
    assert solved == [1]


def test_another_animation_or_camera_is_seen_at_once() -> None:
    animation, ahead = animate("531"), ScenePrefetch()
    camera = animation.camera(1.3)
    for number in range(5):
        ahead.scene(animation, number * STEP, STEP, camera)
    lifted = animation.replace(chicken_wing=80.0)
    elsewhere = lifted.camera(1.3, azimuth=1.0)
    scene = ahead.scene(lifted, 5 * STEP, STEP, elsewhere)
    assert scene.camera is elsewhere
    assert scene.capsules == pytest.approx(lifted.scene(5 * STEP, elsewhere).capsules, abs=1e-6)


def test_scenes_are_solved_ahead_backwards_too(solved: list[int]) -> None:
    animation, ahead = animate("531"), ScenePrefetch()
    camera = animation.camera(1.3)
    solved.clear()
    for number in range(BATCH_SIZE):
        scene = ahead.scene(animation, 1.0 - number * STEP, -STEP, camera)
    assert len(solved) <= 3
    assert scene.spheres == pytest.approx(animation.scene(1.0 - (BATCH_SIZE - 1) * STEP, camera).spheres, abs=1e-6)
