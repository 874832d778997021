import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.parameters import row_named
from juggle_anim.scene.palette import STANDARD, prop_colours
from juggle_anim.scene.scene import STAGES
from juggle_anim.scene.traces import Traces

MOTION = animate("531").motion
COLOURS = prop_colours(3)
NOW = np.array([0.3, 0.9, 5.0])


def rows_of(trails: float, paths: str) -> np.ndarray:
    return Traces(MOTION, trails, paths, COLOURS).rows(NOW)


def test_the_table_of_parameters_has_what_scenes_know() -> None:
    assert row_named("stage").options == tuple(STAGES)


def test_nothing_is_shown_where_nothing_is_wanted() -> None:
    assert rows_of(0.0, "none").shape == (3, 0, 12)
    assert animate("531").look.traces is None


def test_a_trail_begins_at_its_prop_and_ends_where_that_was() -> None:
    rows = rows_of(0.4, "none").reshape(3, -1, 3, 12)
    assert rows[:, 0, :, :3] == pytest.approx(MOTION.sample(NOW).props, abs=1e-6)
    assert rows[:, -1, :, 4:7] == pytest.approx(MOTION.sample(NOW - 0.4).props, abs=1e-6)
    assert rows[:, 1:, :, :4] == pytest.approx(rows[:, :-1, :, 4:8])
    assert (np.diff(rows[:, :, :, 3], axis=1) < 0).all()
    assert rows[:, -1, :, 7] == pytest.approx(0.0, abs=1e-7)
    assert rows[0, 0, :, 8:11] == pytest.approx(COLOURS)


def test_throws_are_shown_as_the_ways_that_props_fly() -> None:
    tubes = rows_of(0.0, "throws")[0]
    assert tubes[:, 8:11] == pytest.approx(np.broadcast_to(np.float32(STANDARD.thrown), (len(tubes), 3)))
    times = np.linspace(0.0, MOTION.duration, 400)
    frames = MOTION.sample(times)
    flown = frames.props[frames.holders < 0]
    gaps = np.linalg.norm(flown[:, None] - tubes[:, :3], axis=2).min(axis=1)
    longest = np.linalg.norm(tubes[:, 4:7] - tubes[:, :3], axis=1).max()
    assert gaps.max() < longest


def test_ways_of_hands_close_and_every_one_is_on_them() -> None:
    tubes = rows_of(0.0, "hands")[0]
    left = tubes[np.isclose(tubes[:, 8:11], STANDARD.left).all(axis=1)]
    assert len(left) == len(tubes) / 2
    assert left[0, :3] == pytest.approx(left[-1, 4:7], abs=1e-5)
    assert left[1:, :3] == pytest.approx(left[:-1, 4:7])
    hand = MOTION.sample(NOW).hands[:, 0, 0]
    assert np.linalg.norm(left[:, :3] - hand[:, None], axis=2).min() < 0.05


def test_both_are_all_of_them_and_crowds_get_fewer_tubes() -> None:
    both = rows_of(0.0, "both").shape[1]
    assert both == rows_of(0.0, "throws").shape[1] + rows_of(0.0, "hands").shape[1]
    crowd = animate("<" + "|".join(["3"] * 60) + ">", paths="both", trails=1.0)
    assert crowd.scene(0.1).traces.shape[0] < 30_000


def test_traces_cast_no_shadow_and_a_hidden_figure_leaves_its_props() -> None:
    scene = animate("531", trails=0.4, figure="hidden").scene(0.3)
    assert len(scene.capsules) == 0
    assert len(scene.spheres) == 3
    assert len(scene.traces) > 0


def test_who_is_seen_through_is_no_solid() -> None:
    scene, solid = animate("531", figure="see-through").scene(0.3), animate("531").scene(0.3)
    assert len(scene.capsules) == 0
    assert scene.see_through.shape == solid.capsules.shape
    assert len(solid.see_through) == 0


def test_who_is_seen_through_is_paler_in_the_dark_or_would_be_lost_in_it() -> None:
    bright, dark = (animate("531", figure="see-through", stage=stage).scene(0.3) for stage in ("gym", "dark"))
    assert (dark.see_through[:, :8] == bright.see_through[:, :8]).all()
    assert (dark.see_through[:, 8:11] > bright.see_through[:, 8:11] + 0.05).all()
    studio = animate("531", figure="see-through").scene(0.3)
    assert (studio.see_through == bright.see_through).all()


def test_every_stage_and_figure_looks_different() -> None:
    assert animate("3", stage="dark").scene(0.0).stage is STAGES["dark"]
    figures = [animate("3", figure=figure).scene(0.0) for figure in ("solid", "mannequin", "stick")]
    assert len({scene.capsules.tobytes() for scene in figures}) == 3
