import math
from dataclasses import replace

import numpy as np
import pytest
from drawn_scenes import seen

import juggle_anim as ja
from juggle_anim.body import Joint
from juggle_anim.render import Offscreen
from juggle_anim.render.gl_objects import RenderTarget
from juggle_anim.render.renderer import without_props_above
from juggle_anim.scene import CLUB_PARTS, Camera, Scene, Viewport
from juggle_anim.scene.scene import NO_SPHERES, Flying

SIZE = 320, 240
HIGH = ja.animate("97531")
TIMES = np.linspace(0.0, HIGH.duration, 20, endpoint=False)


def drawn(scene: Scene, *, transparent: bool = False) -> np.ndarray:
    with Offscreen(*SIZE, transparent=transparent) as offscreen:
        return offscreen.image(scene).astype(int)


def rows_marked(scene: Scene, *, transparent: bool = False) -> np.ndarray:
    """Rows of the picture that differ from that without marks."""
    plain = drawn(replace(scene, flying=NO_SPHERES), transparent=transparent)
    return np.flatnonzero((drawn(scene, transparent=transparent) != plain).any(axis=(1, 2)))


def are_above(scene: Scene) -> np.ndarray:
    """Which props are above the picture."""
    return np.array([seen(scene.camera, *SIZE, row[Flying.CENTRE])[1] < 0 for row in scene.flying])


def test_what_flies_above_the_picture_is_marked_at_its_edge_and_nothing_else() -> None:
    scenes = list(HIGH.scenes(TIMES, HIGH.camera(4 / 3)))
    counts = [are_above(scene).sum() for scene in scenes]
    high = scenes[int(np.argmax(counts))]
    assert 0 < rows_marked(high).size < 0.25 * SIZE[1]
    assert rows_marked(high, transparent=True).size > 0
    assert rows_marked(ja.animate("531").scene(0.3)).size == 0
    # In the colour of the prop.
    marked = high.flying[are_above(high)][0, Flying.COLOUR] * 255
    top = drawn(high)[: SIZE[1] // 4]
    assert np.abs(top - marked).max(axis=2).min() < 3


def test_a_mark_shows_the_kind_of_its_prop_and_covers_neither_props_nor_heads() -> None:
    camera = HIGH.camera(4 / 3)
    for scene in HIGH.scenes(TIMES, camera):
        if are_above(scene).any():
            as_club = scene.flying.copy()
            as_club[:, Flying.KIND] = Flying.KINDS.index("club")
            assert (drawn(replace(scene, flying=as_club)) != drawn(scene)).any()
            break
    # With the head at the upper edge of the picture, what is drawn there stays.
    head = HIGH.pose(TIMES[:1]).joints[0, 0, Joint.HEAD]
    scene = HIGH.scene(0.0, Camera((0.0, 1.2, 4.0), (0.0, 1.2, 0.0), math.radians(16.0)))
    x, y = seen(scene.camera, *SIZE, head)
    assert 0 < y < 60
    assert are_above(scene).any()
    around = slice(None, round(y) + 10), slice(round(x) - 20, round(x) + 20)
    assert (drawn(scene)[around] == drawn(replace(scene, flying=NO_SPHERES))[around]).all()


def test_all_throws_of_a_whole_pattern_are_in_the_picture() -> None:
    whole = HIGH.replace(framing="whole")
    for scene in whole.scenes(TIMES[::4], whole.camera(4 / 3)):
        assert not are_above(scene).any()


def test_a_mark_says_when_the_prop_is_caught() -> None:
    scenes = HIGH.scenes(TIMES, HIGH.camera(4 / 3))
    for scene, time in zip(scenes, TIMES, strict=True):
        held = HIGH.sample(np.array([time])).holders[0] >= 0
        until = scene.flying[:, Flying.UNTIL]
        assert (until[held] == 0).all()
        assert (until[~held] > 0).all()
        for prop in np.flatnonzero(~held):
            caught = time + until[prop]
            before, after = HIGH.sample(caught + np.array([-1e-3, 1e-3])).holders[:, prop]
            assert before < 0 <= after
    assert scenes.flying[..., Flying.UNTIL].max() == pytest.approx(
        HIGH.choreography.flights.duration.max(), abs=0.2
    )


@pytest.mark.parametrize("prop", ["ball", "club", "ring", "square", "ball,club,ring"])
def test_nothing_flies_around_a_bar_at_the_upper_edge_where_marks_stand_for_it(prop: str) -> None:
    high = HIGH.replace(prop=prop)
    area, left_out = Viewport(0, 0, *SIZE), 0
    for scene in high.scenes(TIMES, high.camera(4 / 3)):
        assert without_props_above(scene, scene.camera, RenderTarget(SIZE), area) is scene
        shown = without_props_above(scene, scene.camera, RenderTarget(SIZE, covered=60), area)
        left_out += scene is not shown
        rows = scene.flying[scene.flying[:, Flying.UNTIL] > 0.0]
        tops = [seen(scene.camera, *SIZE, row[Flying.CENTRE])[1] for row in rows]
        kept = sum(len(rows) for rows in (shown.spheres, shown.boxes, shown.rings))
        kept += shown.club_parts // CLUB_PARTS
        assert len(scene.flying) - kept <= sum(top < 60 for top in tops)
        assert len(scene.flying) - kept >= sum(top < 0 for top in tops)
        limbs = slice(None, scene.limb_count)
        assert (shown.capsules[limbs] == scene.capsules[limbs]).all()
        assert len(shown.capsules) - shown.club_parts == len(scene.capsules) - scene.club_parts
    assert left_out > 0
