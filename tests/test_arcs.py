"""Arcs: the whole flights of what is in the air, and of nothing else."""

import numpy as np
import pytest
from drawn_scenes import PLAIN, capsule, scene

from juggle_anim.animation import animate
from juggle_anim.render import Offscreen
from juggle_anim.scene.palette import PALETTES, STANDARD, prop_colours
from juggle_anim.scene.traces import FlightArcs

TIMES = np.linspace(0.05, 3.0, 40)


def arcs(pattern: str) -> FlightArcs:
    motion = animate(pattern).motion
    return FlightArcs(motion, prop_colours(motion.choreography.props))


@pytest.mark.parametrize("pattern", ["531", "<3p 3|3p 3>", "5B3", "[34]23"])
def test_every_prop_in_the_air_has_its_arc_from_throw_to_catch(pattern: str) -> None:
    shown = arcs(pattern)
    flight, _, _ = shown.motion.thrown(TIMES)
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
    flight, ago, _ = shown.motion.thrown(TIMES[:1])
    prop = int(np.flatnonzero(shown.motion.sample(TIMES[:1]).holders[0] < 0)[0])
    lasts = shown.motion.flight_paths.duration[flight[0, prop]]
    caught = shown.motion.sample(TIMES[:1] - ago[0, prop] + lasts).props[0, prop]
    (rows,) = shown.rows(TIMES[:1])
    assert np.linalg.norm(rows[:, 4:7] - caught, axis=1).min() < 1e-4


def test_it_has_the_colour_of_its_prop_ahead_and_is_paler_behind() -> None:
    shown = arcs("3")
    time = next(time for time in TIMES if (shown.motion.sample(np.array([time])).holders[0] < 0).sum() == 1)
    frames = shown.motion.sample(np.array([time]))
    prop = int(np.flatnonzero(frames.holders[0] < 0)[0])
    (rows,) = shown.rows(np.array([time]))
    ahead = np.isclose(rows[:, 8:11], shown.colours[prop], atol=1e-5).all(axis=1)
    assert 0 < ahead.sum() < len(rows)
    assert not ahead[0]
    assert ahead[-1]
    assert (np.abs(rows[~ahead, 8:11] - STANDARD.thrown) < np.abs(shown.colours[prop] - STANDARD.thrown) + 1e-6).all()


def test_many_moments_at_once_are_those_moments() -> None:
    shown = arcs("<3p 3|3p 3>")
    together = shown.rows(TIMES)
    for rows, time in zip(together, TIMES, strict=True):
        np.testing.assert_array_equal(rows[rows[:, 3] > 0], shown.rows(np.array([time]))[0])


def test_what_never_flies_has_none() -> None:
    assert arcs("2").rows(TIMES).shape == (40, 0, 12)


def test_they_are_a_choice_of_paths() -> None:
    scenes = {paths: animate("531", paths=paths).scene(0.6) for paths in ("none", "flying", "throws")}
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
        animate("531", paths="flying", theme=theme).scene(0.6).traces for theme in ("standard", "projected")
    )
    assert (projected[:, 3] / plain[:, 3]).tolist() == pytest.approx([PALETTES["projected"].line_scale] * len(plain))
