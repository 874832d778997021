"""The juggler in a headset: both eyes see the person life-size, each from its own place."""

import base64

import numpy as np
import pytest
from headless_browser import Page
from paths import ROOT

SOURCE = (ROOT / "tests" / "support" / "fake_headset.js").read_text("utf-8")


def seen(page: Page, eye: int) -> np.ndarray:
    """What an eye sees, shape (160, 240, 4), the top row first."""
    frames = page.value("headset.frames")
    page.wait_for(f"headset.frames > {frames + 2}")
    pixels = base64.b64decode(page.value(f"headset.pixels({eye})"))
    return np.frombuffer(pixels, np.uint8).reshape(160, 240, 4)[::-1].astype(int)


def shirt(picture: np.ndarray) -> np.ndarray:
    """Places of the pixels of the green shirt, shape (N, 2): row and column."""
    red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
    return np.argwhere((green > red + 25) & (blue > red + 15))


# To open a page takes longest.
@pytest.mark.long
def test_a_juggler_is_seen_by_both_eyes_in_a_room_of_ones_own_and_alone(
    page: Page, address: str
) -> None:
    page.resize(1280, 720)
    page("Page.addScriptToEvaluateOnNewDocument", source=SOURCE)
    page("Page.navigate", url=f"{address}?pattern=3")
    page.wait_for("window.player?.frames > 1")
    page.tap("#along")
    check_that_a_room_of_ones_own_is_seen_around_the_juggler(page)
    check_that_a_headset_shows_the_juggler_life_size_to_both_eyes(page)
    assert page.complaints() == []


def enter(page: Page, mode: str) -> None:
    """Press the button that enters "vr" or "ar"."""
    page.wait_for(f"!document.getElementById('enter-{mode}').hidden")
    page.value("headset.frames = 0")
    page.tap(f"#enter-{mode}")
    page.wait_for("headset.frames > 2 && Boolean(headset.pixels)")


def leave(page: Page) -> None:
    """Take the headset off: the page goes on."""
    page.value("headset.session.end()")
    page.wait_for("!document.getElementById('picture').hidden")
    frames = page.value("player.frames")
    page.wait_for(f"player.frames > {frames + 1}")
    assert page.value("player.stage.picture") is None


def check_that_a_room_of_ones_own_is_seen_around_the_juggler(page: Page) -> None:
    enter(page, "ar")
    left, right = (seen(page, eye) for eye in (0, 1))
    for picture in (left, right):
        opacity = picture[..., 3]
        assert np.mean(opacity == 0) > 0.6  # the room
        rows, columns = shirt(picture).T
        assert np.mean(opacity[rows, columns] > 250) > 0.9
        # Colours are multiplied by opacity, as headsets expect.
        assert (picture[..., :3] <= opacity[..., None] + 1).all()
        # The shadow on the floor is black that lets some of it through.
        shadow = (opacity > 20) & (opacity < 200) & (picture[..., :3].max(axis=-1) < 5)
        assert np.count_nonzero(shadow) > 50
        assert np.argwhere(shadow)[:, 0].mean() > rows.mean()
    assert shirt(left)[:, 1].mean() != shirt(right)[:, 1].mean()
    leave(page)


def check_that_a_headset_shows_the_juggler_life_size_to_both_eyes(page: Page) -> None:
    enter(page, "vr")
    left, right = (shirt(seen(page, eye)) for eye in (0, 1))
    assert min(len(left), len(right)) > 300
    # The shirt is about 0.45 m wide, 2.2 m away: columns have 2 / (0.9 * 240) of a radian.
    columns = np.ptp(np.percentile(left[:, 1], (2, 98)))
    assert 0.3 < columns * 2.2 * 2 / (0.9 * 240) < 1.0
    # Eyes 64 mm apart see it that much apart, beside how each looks to its own side.
    apart = left[:, 1].mean() - right[:, 1].mean()
    straight = (0.15 + 0.15) * 240 / 2  # pixels between the middles of what both show
    assert apart - straight == np.clip(apart - straight, 0.3, 8.0)
    # A head that leans to its left sees the person lean to the right.
    upright = np.polyfit(left[:, 0], left[:, 1], 1)[0]
    page.value("headset.lean = 0.5")
    leaning = shirt(seen(page, 0))
    assert abs(np.polyfit(leaning[:, 0], leaning[:, 1], 1)[0] - upright) > 0.2
    before = page.value("player.time")
    page.wait_for(f"player.time > {before}")
    # In a mirror the left eye sees what the right one sees of the person, left and right exchanged.
    page.value("headset.lean = 0")
    page.value("headset.session.dispatchEvent(new Event('select'))")
    reflected = seen(page, 0)
    page.value("document.getElementById('along-mirror').click()")
    direct = seen(page, 1)
    assert np.abs(reflected - direct[:, ::-1]).mean() < 1.0  # levels of 256
    assert np.abs(reflected - direct).mean() > 4.0
    leave(page)
