"""Arcs: the whole flights of what is in the air, and of nothing else."""

import numpy as np
import pytest
from drawn_scenes import PLAIN, capsule, scene

from juggle_anim.animation import animate
from juggle_anim.parameters import row_named
from juggle_anim.render import Offscreen
from juggle_anim.scene.people import PALETTES, STANDARD, prop_colours
from juggle_anim.scene.scene import STAGES, FlightArcs, Traces

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
    assert tubes[:, 8:11] == pytest.approx(
        np.broadcast_to(np.float32(STANDARD.thrown), (len(tubes), 3))
    )
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
    bright, dark = (
        animate("531", figure="see-through", stage=stage).scene(0.3) for stage in ("gym", "dark")
    )
    assert (dark.see_through[:, :8] == bright.see_through[:, :8]).all()
    darker = 1.0 - bright.see_through[:, 8:11]
    assert (dark.see_through[:, 8:11] > bright.see_through[:, 8:11] + 0.5 * darker).all()
    studio = animate("531", figure="see-through").scene(0.3)
    assert (studio.see_through == bright.see_through).all()


def test_every_stage_and_figure_looks_different() -> None:
    assert animate("3", stage="dark").scene(0.0).stage is STAGES["dark"]
    figures = [animate("3", figure=figure).scene(0.0) for figure in ("solid", "mannequin", "stick")]
    assert len({scene.capsules.tobytes() for scene in figures}) == 3


TIMES = np.linspace(0.05, 3.0, 40)


def arcs(pattern: str) -> FlightArcs:
    motion = animate(pattern).motion
    return FlightArcs(motion, prop_colours(motion.choreography.props))


@pytest.mark.parametrize("pattern", ["531", "<3p 3|3p 3>", "5B3", "[34]23"])
def test_every_prop_in_the_air_has_its_arc_from_throw_to_catch(pattern: str) -> None:
    shown = arcs(pattern)
    flight, _, _ = shown.motion.last_throws_at(TIMES)
    for moment, time in enumerate(TIMES):
        (rows,) = shown.rows(np.array([time]))
        frames = shown.motion.sample(np.array([time]))
        flying = np.flatnonzero(frames.holders[0] < 0)
        for prop in flying:
            start = shown.motion.flight_paths.start[flight[moment, prop]]
            assert np.linalg.norm(rows[:, :3] - start, axis=1).min() < 1e-5
            middle = (rows[:, :3] + rows[:, 4:7]) / 2
            longest = np.linalg.norm(rows[:, 4:7] - rows[:, :3], axis=1).max()
            assert np.linalg.norm(middle - frames.props[0, prop], axis=1).min() < longest
        assert (len(rows) > 0) == (len(flying) > 0)


def test_an_arc_ends_where_the_prop_is_caught() -> None:
    shown = arcs("531")
    flight, ago, _ = shown.motion.last_throws_at(TIMES[:1])
    prop = int(np.flatnonzero(shown.motion.sample(TIMES[:1]).holders[0] < 0)[0])
    lasts = shown.motion.flight_paths.duration[flight[0, prop]]
    caught = shown.motion.sample(TIMES[:1] - ago[0, prop] + lasts).props[0, prop]
    (rows,) = shown.rows(TIMES[:1])
    assert np.linalg.norm(rows[:, 4:7] - caught, axis=1).min() < 1e-4


def test_it_has_the_colour_of_its_prop_ahead_and_is_paler_behind() -> None:
    shown = arcs("3")
    time = next(
        time for time in TIMES if (shown.motion.sample(np.array([time])).holders[0] < 0).sum() == 1
    )
    frames = shown.motion.sample(np.array([time]))
    prop = int(np.flatnonzero(frames.holders[0] < 0)[0])
    (rows,) = shown.rows(np.array([time]))
    ahead = np.isclose(rows[:, 8:11], shown.colours[prop], atol=1e-5).all(axis=1)
    assert 0 < ahead.sum() < len(rows)
    assert not ahead[0]
    assert ahead[-1]
    assert (
        np.abs(rows[~ahead, 8:11] - STANDARD.thrown)
        < np.abs(shown.colours[prop] - STANDARD.thrown) + 1e-6
    ).all()


def test_many_moments_at_once_are_those_moments() -> None:
    shown = arcs("<3p 3|3p 3>")
    together = shown.rows(TIMES)
    for rows, time in zip(together, TIMES, strict=True):
        np.testing.assert_array_equal(rows[rows[:, 3] > 0], shown.rows(np.array([time]))[0])


def test_what_never_flies_has_none() -> None:
    assert arcs("2").rows(TIMES).shape == (40, 0, 12)


def test_they_are_a_choice_of_paths() -> None:
    scenes = {
        paths: animate("531", paths=paths).scene(0.6) for paths in ("none", "flying", "throws")
    }
    tubes = {paths: len(each.traces) for paths, each in scenes.items()}
    assert 0 == tubes["none"] < tubes["flying"] < tubes["throws"]


def test_a_tube_without_width_is_not_drawn() -> None:
    rows = np.array([capsule((-0.5, 1.1, 0.0), 0.0, (0.5, 1.1, 0.0), 0.0)], dtype=np.float32)
    with Offscreen(320, 240) as offscreen:
        plain = offscreen.image(scene(stage=PLAIN)).copy()
        drawn = scene(capsules=rows.tolist(), stage=PLAIN)
        np.testing.assert_array_equal(offscreen.image(drawn), plain)


def test_they_are_as_bold_as_other_ways_of_a_theme() -> None:
    plain, projected = (
        animate("531", paths="flying", theme=theme).scene(0.6).traces
        for theme in ("standard", "projected")
    )
    assert (projected[:, 3] / plain[:, 3]).tolist() == pytest.approx(
        [PALETTES["projected"].line_scale] * len(plain)
    )


def test_arcs_begin_at_throws_and_end_at_what_flies() -> None:
    rows = Traces(MOTION, 0.0, "arcs", COLOURS).arcs(NOW)
    frames = MOTION.sample(NOW)
    for time, tubes in enumerate(rows):
        drawn = tubes[tubes[:, 7] > 0]
        flying = frames.props[time, frames.holders[time] < 0]
        ends = np.linalg.norm(flying[:, None] - drawn[:, 4:7], axis=2)
        assert ends.min(axis=1) == pytest.approx(0.0, abs=1e-5)
        assert drawn[ends.argmin(axis=1), 7].min() > drawn[:, 3].min() + 0.005
        # Nothing is drawn of what is still to be flown.
        assert len(drawn) <= 24 * len(flying)
    assert Traces(MOTION, 0.0, "none", COLOURS).arcs(NOW).shape == (3, 0, 12)
