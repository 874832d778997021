from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import juggle_anim as ja
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.view import DEFAULT_VIEW, View
from juggle_anim.metadata.documents import read_metadata, read_record
from juggle_anim.prints import print_strobe
from juggle_anim.prints.prints import expose
from juggle_anim.render import Offscreen
from juggle_anim.scene import Scene

SIZE = (320, 240)


def people_of(scene: Scene) -> Scene:
    return replace(
        scene,
        spheres=scene.spheres[:0],
        capsules=scene.capsules[: scene.limb_count],
        traces=scene.traces[:0],
    )


def props_of(scene: Scene) -> Scene:
    """The balls of a scene without ghosts."""
    return replace(
        scene,
        capsules=scene.capsules[:0],
        traces=scene.traces[:0],
        low_detail=scene.low_detail[:0],
        bodies=scene.bodies[:0],
        limb_count=0,
    )


def test_one_exposure_is_an_ordinary_picture() -> None:
    animation = ja.animate("531")
    with Offscreen(*SIZE) as offscreen:
        plain = offscreen.image(animation.scene(0.4, animation.camera(4 / 3)))
    one = expose(animation, np.array([0.4]), DEFAULT_VIEW, SIZE)
    assert np.abs(one.astype(int) - plain).mean() < 0.3


def test_what_explains_arms_is_seen_once() -> None:
    times = np.linspace(0.0, 0.6, 7)
    plain, one, many = (
        expose(ja.animate("531", aids=aids), moments, DEFAULT_VIEW, SIZE).astype(int)
        for aids, moments in (("none", times), ("both", times[-1:]), ("both", times))
    )
    alone = expose(ja.animate("531"), times[-1:], DEFAULT_VIEW, SIZE).astype(int)
    added, at_once = (np.abs(shown - bare).mean() for shown, bare in ((many, plain), (one, alone)))
    assert added > 0.5
    assert added == pytest.approx(at_once, rel=0.25)


def test_props_of_all_exposures_are_seen_and_later_ones_stronger() -> None:
    animation = ja.animate("pattern=7;colors={255,0,0};framing=whole")
    times = np.array([0.05, 0.15, 0.25])
    picture = expose(animation, times, DEFAULT_VIEW, SIZE).astype(int)
    camera = animation.camera(4 / 3)
    through = camera.projection(4 / 3) @ camera.view()
    strengths = []
    for props in animation.sample(times).props:
        x, y, _, w = through @ np.append(props[props[:, 1].argmax()], 1.0)
        pixel = picture[round((1 - y / w) / 2 * SIZE[1]), round((x / w + 1) / 2 * SIZE[0])]
        strengths.append(int(pixel[0] - pixel[2]))
    assert 40 < strengths[0] < strengths[1] < strengths[2]


def test_the_last_exposure_stands_before_the_people_of_the_others() -> None:
    animation = ja.animate("mills mess")
    times = np.linspace(0.0, 1.0, 8)
    camera = animation.camera(4 / 3)
    scenes = list(animation.scenes(times, camera))
    with Offscreen(*SIZE, transparent=True) as offscreen:
        last = offscreen.image(scenes[-1])
        props = [offscreen.image(props_of(scene))[..., 3] for scene in scenes[:-1]]
    solid = (last[..., 3] == 255) & (np.max(props, axis=0) == 0)
    picture = expose(animation, times, DEFAULT_VIEW, SIZE)
    assert solid.sum() > 500
    assert np.abs(picture[solid].astype(int) - last[solid][:, :3]).max() <= 1


@pytest.mark.parametrize(("azimuth", "seen"), [(0.0, True), (180.0, False)])
def test_props_before_the_last_exposure_are_seen_and_those_behind_are_not(
    azimuth: float, seen: bool
) -> None:
    animation = ja.animate("pattern=3;colors={0,255,0};width=30")
    view = View("view", azimuth, 0.0)
    times = np.linspace(0.0, animation.duration, 12)
    picture = expose(animation, times, view, SIZE).astype(int)
    camera = view.camera(animation, 4 / 3)
    with Offscreen(*SIZE, transparent=True) as offscreen:
        people = (
            offscreen.image(people_of(next(iter(animation.scenes(times[-1:], camera)))))[..., 3]
            == 255
        )
    green = picture[..., 1] - picture[..., 0] > 60
    column = people.sum(axis=0).argmax()
    chest = people & (np.abs(np.arange(SIZE[0]) - column) < 12)
    assert bool((green & chest).any()) == seen


def test_it_is_a_png_that_opens_as_its_animation(tmp_path: Path) -> None:
    path = print_strobe(ja.animate("531", dwell=1.1), tmp_path / "a.png", frames=4, size=SIZE)
    assert Image.open(path).size == SIZE
    assert ja.animate(str(path)).parameters.dwell == 1.1


def test_clubs_are_exposed_less_often_than_balls(tmp_path: Path) -> None:
    for text, frames in (("3", 16), ("pattern=3;prop=club", 5)):
        path = print_strobe(ja.animate(text), tmp_path / "a.png", size=(64, 48), force=True)
        record = read_record(read_metadata(path) or "")
        assert record
        assert record.picture["frames"] == frames


@pytest.mark.parametrize("ending", ["svg", "pdf"])
def test_it_fills_a_page_that_opens_as_its_animation(tmp_path: Path, ending: str) -> None:
    path = print_strobe(ja.animate("531", dwell=1.1), tmp_path / f"a.{ending}", frames=2, size=SIZE)
    assert ja.animate(str(path)).parameters.dwell == 1.1
    with pytest.raises(ParameterError, match=r"can be saved as \.svg, \.pdf or \.png"):
        print_strobe(ja.animate("3"), tmp_path / "a.gif")


def test_exposures_are_what_one_eye_sees() -> None:
    times = np.array([0.2, 0.4])
    pair = expose(ja.animate("531", stereo="anaglyph"), times, DEFAULT_VIEW, SIZE)
    np.testing.assert_array_equal(pair, expose(ja.animate("531"), times, DEFAULT_VIEW, SIZE))


@pytest.mark.parametrize("figure", ["stick", "see-through", "mannequin"])
def test_of_those_before_only_people_are_faint_whatever_the_figure(figure: str) -> None:
    times = np.linspace(0.0, 1.0, 4)
    dressed = ja.animate("3", prop="club", figure=figure)
    with Offscreen(*SIZE, transparent=True) as offscreen:
        last = offscreen.image(dressed.scene(1.0, dressed.camera(4 / 3)))[..., 3] > 0
    clubs_alone = expose(
        ja.animate("3", prop="club", figure="hidden"), times, DEFAULT_VIEW, SIZE
    ).astype(int)
    apart = np.abs(expose(dressed, times, DEFAULT_VIEW, SIZE).astype(int) - clubs_alone).max(axis=2)
    above = np.arange(SIZE[1])[:, None] < 0.7 * SIZE[1]  # the last one's shadow lies on the floor
    assert 0 < apart[~last & above].max() < 80
