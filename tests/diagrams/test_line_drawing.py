from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from long_cases import sampled
from PIL import Image, ImageFilter

import juggle_anim as ja
from juggle_anim.arrays import Bytes
from juggle_anim.body import Joint
from juggle_anim.diagrams import Drawing, Polygon, figure_lines
from juggle_anim.diagrams.line_drawing import PaperProjection
from juggle_anim.prints.prints import write_drawing
from juggle_anim.render import Offscreen
from juggle_anim.scene import Camera
from juggle_anim.scene.scene import GHOST_COLOUR
from juggle_anim.scene.skin import COVERS

SIZE = (480, 360)


PATTERNS = [
    "531",
    "pattern=5;prop=club",
    "pattern=<3p 3|3p 3>;prop=ring",
    "pattern=3;prop=square",
    "mills mess",
]


def drawn(animation: ja.Animation, time: float) -> Drawing:
    return figure_lines(animation.scene(time), animation.num_jugglers, 4 / 3)


def pixels(drawing: Drawing, folder: Path) -> Bytes:
    return np.asarray(Image.open(write_drawing(drawing, folder / "a.png", SIZE, "")).convert("RGB"))


@pytest.mark.parametrize("text", sampled(PATTERNS, "pattern=5;prop=club"))
def test_lines_enclose_just_what_a_picture_shows(text: str, tmp_path: Path) -> None:
    animation = ja.animate(text, figure="person")
    for time in (0.1, 0.45) if text == "531" else (0.45,):
        drawing = drawn(animation, time)
        marks = tuple(
            replace(m, fill=(0.0, 0.0, 0.0))
            for m in drawing.marks
            if isinstance(m, Polygon) and m.fill
        )
        covered = pixels(replace(drawing, marks=marks), tmp_path).min(axis=2) < 128
        with Offscreen(*SIZE, transparent=True) as offscreen:
            seen = offscreen.image(animation.scene(time))[..., 3] > 127
        assert (covered & seen).sum() / (covered | seen).sum() > 0.96


AROUND = [(0, 8), (45, -5), (90, 25), (135, 8), (180, -5), (215, 25)]
"""Directions from which a neck is seen, azimuth and elevation in degrees: each side once, each
height twice.
"""


@pytest.mark.parametrize(
    ("azimuth", "elevation"),
    [
        pytest.param(*each, marks=() if each in AROUND else pytest.mark.long)
        for each in product((0, 45, 90, 135, 180, 215), (-5, 8, 25))
    ],
)
def test_a_neck_ends_at_its_collar_from_every_side(
    azimuth: float, elevation: float, tmp_path: Path
) -> None:
    scene = ja.animate("3", figure="person").scene(0.3)
    neck, level = scene.bodies[0, Joint.NECK].astype(float), 3 * np.cos(np.radians(elevation))
    away = (
        level * np.sin(np.radians(azimuth)),
        3 * np.sin(np.radians(elevation)),
        level * np.cos(np.radians(azimuth)),
    )
    paint = np.zeros_like(scene.paint)
    paint[:, COVERS.index("skin"), 0] = paint[:, COVERS.index("shirt"), 2] = 1.0
    camera = Camera(tuple((neck + away).tolist()), tuple(neck.tolist()), np.radians(5.0))
    close = replace(scene, paint=paint, camera=camera, spheres=scene.spheres[:0])
    drawing = figure_lines(close, 1, 4 / 3)
    marks = tuple(mark for mark in drawing.marks if isinstance(mark, Polygon) and mark.fill)
    lines = pixels(replace(drawing, marks=marks), tmp_path).astype(int)
    with Offscreen(*SIZE, transparent=True) as offscreen:
        seen = offscreen.image(close).astype(int)
    both = (
        (seen[..., 3] > 250)
        & (np.abs(lines[..., 0] - lines[..., 2]) > 20)
        & (np.abs(seen[..., 0] - seen[..., 2]) > 20)
    )
    assert both.mean() > 0.2
    skin = lines[..., 0] > lines[..., 2]
    assert (skin == (seen[..., 0] > seen[..., 2]))[both].mean() > 0.99


@pytest.mark.parametrize("azimuth", [30, 200])
def test_no_line_within_a_body_doubles_the_rim_of_it_seen_from_far_above(
    azimuth: float, tmp_path: Path
) -> None:
    animation = ja.animate("531", figure="person")
    camera = animation.camera(4 / 3, azimuth=np.radians(azimuth), elevation=np.radians(60.0))
    drawing = figure_lines(animation.scene(0.0, camera), 1, 4 / 3)
    polygons = [mark for mark in drawing.marks if isinstance(mark, Polygon)]
    solid = tuple(replace(mark, fill=(0.0, 0.0, 0.0)) for mark in polygons if mark.fill)
    covered = pixels(replace(drawing, marks=solid), tmp_path).max(axis=2) < 128
    well_within = (
        np.asarray(Image.fromarray(covered).convert("L").filter(ImageFilter.MinFilter(3))) > 0
    )
    lines = [outline for mark in polygons if not mark.closed for outline in mark.outlines]
    middles = (
        np.concatenate([(line[1:] + line[:-1]) / 2 for line in lines]) * SIZE[0] / drawing.width
    )
    lengths = np.concatenate([np.linalg.norm(np.diff(line, axis=0), axis=1) for line in lines])
    column, row = middles.astype(int).T
    assert lengths[~well_within[row, column]].sum() < 0.15 * lengths.sum()


def test_each_figure_has_outlines_of_its_own_around_the_same_clubs() -> None:
    counts = []
    for figure in ("hidden", "stick", "person", "solid"):
        animation = ja.animate("pattern=3;prop=club", figure=figure)
        counts.append(len(figure_lines(animation.scene(0.2), animation.num_jugglers, 4 / 3).marks))
    assert counts == sorted(set(counts))


def test_what_is_nearer_covers_what_is_behind_it(tmp_path: Path) -> None:
    animation = ja.animate("pattern=3;colors={255,0,0}")
    front, back = (
        figure_lines(animation.scene(0.5, animation.camera(4 / 3, azimuth=azimuth)), 1, 4 / 3)
        for azimuth in (0.0, np.pi)
    )

    def red(drawing: Drawing) -> int:
        found = pixels(drawing, tmp_path).astype(int)
        return int(((found[..., 0] > 240) & (found[..., 1] < 20)).sum())

    assert red(front) > 1.3 * red(back)


def test_props_keep_their_colours_and_people_are_pale_but_for_their_hair(tmp_path: Path) -> None:
    marks = [
        m
        for m in drawn(ja.animate("531", figure="person"), 0.3).marks
        if isinstance(m, Polygon) and m.fill
    ]
    fills = {m.fill for m in marks}
    colours = {tuple(map(float, row[4:7])) for row in ja.animate("531").scene(0.3).spheres}
    assert colours <= fills
    (hair,) = (fill for fill in fills - colours if fill and min(fill) <= 0.7)
    assert 0.35 < min(hair) < max(hair) < 0.6


def test_a_ring_has_a_hole() -> None:
    colours = {
        tuple(row[8:11].tolist()) for row in ja.animate("pattern=3;prop=ring").scene(0.3).rings
    }
    marks = drawn(ja.animate("pattern=3;prop=ring", figure="person"), 0.3).marks
    rings = [
        m for m in marks if isinstance(m, Polygon) and m.fill in colours and len(m.outlines) == 2
    ]
    assert len(rings) == 3


def test_arms_of_a_second_solver_are_open_outlines_over_all() -> None:
    animation = ja.animate("3", ghost="two-link")
    marks = figure_lines(animation.scene(0.2), 1, 4 / 3).marks
    assert [m.fill for m in marks[-4:] if isinstance(m, Polygon)] == [None] * 4
    assert {m.outline for m in marks[-4:] if isinstance(m, Polygon)} == {GHOST_COLOUR}


LENS = PaperProjection(Camera((0.0, 1.0, 5.0), (0.0, 1.0, 0.0)), 400.0, 300.0)


PLACES = st.tuples(st.floats(-0.8, 0.8), st.floats(0.2, 1.8), st.floats(-1.0, 1.0))


def test_the_target_is_in_the_middle_and_lengths_shrink_with_distance() -> None:
    assert LENS.to_paper(LENS.to_camera(np.array([0.0, 1.0, 0.0]))) == pytest.approx([200.0, 150.0])
    near, far = (
        LENS.to_paper(LENS.to_camera(np.array([1.0, 1.0, z])))[0] - 200 for z in (0.0, -5.0)
    )
    assert near == pytest.approx(2 * far)
    assert LENS.to_paper(LENS.to_camera(np.array([0.0, 2.0, 0.0])))[1] < 150.0


@given(PLACES, st.floats(0.01, 0.3))
def test_lines_of_sight_through_the_outline_of_a_ball_touch_it(
    place: tuple[float, float, float], radius: float
) -> None:
    centre = LENS.to_camera(np.array([place]))
    outline = (LENS.balls(centre, np.array([radius]))[0] - (200.0, 150.0)) / LENS.scale
    rays = np.column_stack([outline[:, 0], -outline[:, 1], -np.ones(len(outline))])
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    distance = np.linalg.norm(centre - (rays @ centre[0])[:, None] * rays, axis=1)
    assert distance == pytest.approx(radius, rel=1e-6)


@settings(max_examples=40)
@given(PLACES, PLACES, st.floats(0.02, 0.2), st.floats(0.02, 0.2))
def test_the_outline_of_a_round_cone_is_that_of_all_its_balls(
    start: tuple[float, float, float], end: tuple[float, float, float], first: float, last: float
) -> None:
    ends = LENS.to_camera(np.array([start, end]))
    hull = LENS.round_cones(ends[:1], np.array([first]), ends[1:], np.array([last]))[0]
    share = np.linspace(0.0, 1.0, 9)[:, None]
    between = LENS.balls(
        ends[:1] * (1 - share) + ends[1:] * share, (first + (last - first) * share)[:, 0]
    )
    normals = np.stack([np.cos(turn := np.linspace(0, 2 * np.pi, 90)), np.sin(turn)])
    reach = (hull @ normals).max(axis=0)
    widest = np.ptp(between, axis=1).max() / 2
    assert ((between @ normals).max(axis=(0, 1)) <= reach + 0.003 * widest).all()
    assert (reach <= (between[[0, -1]] @ normals).max(axis=(0, 1)) + 1e-9).all()
