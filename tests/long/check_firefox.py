"""Exported pages in a second browser; `make firefox` runs this, as Firefox is too large for every
test run.
"""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from firefox import FirefoxPage, firefox
from foreign_programs import likeness
from PIL import Image

import juggle_anim as ja
from juggle_anim.render import Offscreen

SOME: list[tuple[str, dict[str, Any], float]] = [
    ("531", {"chicken_wing": 55, "figure": "person"}, 0.4),
    ("pattern=<3p 3|3p 3>;prop=club,ring", {"figure": "see-through"}, 1.3),
    ("pattern=423;prop=square", {"stage": "gym", "projection": "orthographic"}, 2.9),
]
"""Patterns, what is set of them, and when they start [s]."""

TITLE = 60
"""Where the picture begins below the title, [pixels]."""


@pytest.fixture(scope="module")
def page(
    tmp_path_factory: pytest.TempPathFactory, display: dict[str, str]
) -> Iterator[FirefoxPage]:
    with firefox(tmp_path_factory.mktemp("firefox"), display) as opened:
        yield opened


@pytest.mark.parametrize(("text", "given", "start"), SOME)
def test_a_page_shows_the_joints_props_and_picture_that_were_exported(
    page: FirefoxPage, tmp_path: Path, text: str, given: dict[str, Any], start: float
) -> None:
    animation = ja.animate(text, **given)
    (path,) = ja.export(animation, tmp_path / "a.html", start=start)
    # A page repeats one loop, with breath, sway and blinks that close after it.
    animation = animation.closing_after(1)
    page.open(path)
    page.wait_for("document.readyState === 'complete' && window.player?.frames > 2")
    times = np.linspace(0.0, 2 * animation.duration, 37)
    joints, props = (
        page.value(f"{json.dumps(times.tolist())}.map((t) => player.{what}(t))")
        for what in ("joints", "props")
    )
    np.testing.assert_allclose(joints, animation.pose(times).joints, atol=4e-3)
    np.testing.assert_allclose(props, animation.sample(times).props, atol=5e-4)
    picture = np.asarray(Image.open(io.BytesIO(page.picture())).convert("RGB"))
    width, height = page.value("[picture.width, picture.height]")
    with Offscreen(width, height) as offscreen:
        ours = offscreen.image(animation.scene(start, animation.camera(width / height)))
    alike = likeness(picture[TITLE:height], ours[TITLE:])
    assert alike > 45
    assert alike > likeness(picture[TITLE:height], ours[TITLE:, ::-1]) + 10


def test_a_page_plays_and_its_sliders_turn_elbows(page: FirefoxPage, tmp_path: Path) -> None:
    (path,) = ja.export("3", tmp_path / "a.html")
    page.open(path)
    page.wait_for("window.player?.frames > 2")
    page.value("document.getElementById('play').click()")
    time, elbow = page.value("player.time"), page.value("player.joints(0)[0][7]")
    page.wait_for(f"player.time > {time} + 0.2")
    slide = (
        "Object.assign(document.querySelector('input'), { value: 90 }).dispatchEvent(new "
        "Event('input'))"
    )
    page.value(slide)
    assert page.value("player.wings") == [90, 90]
    assert np.linalg.norm(np.subtract(page.value("player.joints(0)[0][7]"), elbow)) > 0.08
