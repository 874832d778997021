"""Juggling along with the page: count-in, mirror, slow gravity, clicks, and the throws that come."""

import pytest
from headless_browser import Page

CLICKS = """
window.clicks = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (time) {
    clicks.push([time, this.frequency.value, window.player.time < 0]);
    start.call(this, time);
};
"""


DRAWN = """
(() => {
    const cues = document.getElementById("cues"), { width, height } = cues;
    if (!width) return false;
    const pen = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    pen.drawImage(cues, 0, 0);
    return [0, width / 2].every((left) => pen.getImageData(left, 0, width / 2, height).data.some(Boolean));
})()
"""
"""Whether throws that come are drawn in both halves of the picture."""


def test_one_juggles_along_with_a_count_clicks_and_slow_gravity(page: Page, address: str) -> None:
    page.resize(390, 844)
    page("Page.addScriptToEvaluateOnNewDocument", source=CLICKS)
    page("Page.navigate", url=f"{address}?pattern=441;bps=2")
    page.wait_for("window.player?.frames > 1")
    page.tap("#along")
    page.wait_for("document.getElementById('count').textContent > 0 && player.time < 0")
    assert page.value("getComputedStyle(document.querySelector('aside')).display") == "none"
    assert "Throw when a circle" in page.value("document.getElementById('along-bar').textContent")
    assert page.value("getComputedStyle(document.getElementById('picture')).transform") == (
        "matrix(-1, 0, 0, 1, 0, 0)"
    )
    page.wait_for("document.getElementById('count').hidden && player.time > 0 && clicks.length > 3")
    counted = page.value("clicks.filter(([, , counts]) => counts).map(([time]) => time)")
    assert counted
    # The first beat of the period has another tone.
    tones = page.value("clicks.map(([, tone]) => tone)")
    assert set(tones) == {880, 1760}
    # Throws that come are drawn on both sides.
    page.wait_for(DRAWN)
    # A quarter of the gravity: all takes twice as long.
    page.value("document.getElementById('along-gravity').focus()")
    for _step in range(15):
        page.press("ArrowLeft")
    assert page.value("player.speed") == pytest.approx(0.5)
    assert page.value("document.getElementById('along-gravity-told').textContent") == "25%"
    page.tap("#along-clicks")
    page.tap("#count-again")
    page.value("clicks.length = 0")
    page.wait_for("player.time < 0 && !document.getElementById('count').hidden")
    page.wait_for("player.time > 0")
    assert page.value("clicks.length") == 0
    page.press("Escape")
    page.wait_for("document.getElementById('along-bar').hidden && player.speed === 1")
    assert page.value("document.getElementById('stage').className") == ""
    assert page.complaints() == []


FARTHEST = """
(() => {
    const { camera } = player.view;
    camera.updateMatrixWorld();
    const places = player.joints().flat().map((joint) => camera.position.clone().set(...joint).project(camera));
    return Math.max(...places.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]));
})()
"""
"""How far joints are from the middle of the picture, of the half of its width or height."""


def test_all_jugglers_of_a_passing_pattern_are_seen(page: Page, address: str) -> None:
    page.resize(390, 844)
    page("Page.navigate", url=f"{address}?pattern=<3p 3|3p 3>;camera=40,10")
    page.wait_for("window.player?.frames > 1")
    page.tap("#along")
    page.wait_for("document.getElementById('count').textContent > 0")
    page.wait_for(f"{FARTHEST} < 1 && Math.abs(player.view.camera.position.x) < 0.5")
    page.press("Escape")
    page.wait_for("player.view.camera.position.x > 1")
