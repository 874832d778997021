"""The page in a browser without a graphics card: how long until its first picture, and how many
follow in a second.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from headless_browser import Page, started_browser
from served import served
from widget_page import PLAYER, write_page

import juggle_anim as ja

WINDOWS = {"desktop": (1280, 720), "telephone": (390, 844)}
PATTERNS = {"ball": "531", "passing": "<3p 3|3p 3>"}
LOADS = 5
WATCHED = 4.0  # [s]

# Notes when the first picture is there: a pixel can be read back only then.
NOTE = """{
let shown;
Object.defineProperty(window, "player", {
    configurable: true,
    get() { return shown; },
    set(player) {
        shown = player;
        performance.mark("ready");
        const draw = player.draw;
        player.draw = () => {
            draw.call(player);
            const { renderer } = player.stage, gl = renderer.getContext();
            gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
            window.drawn = performance.timeOrigin + performance.now();
            player.draw = draw;
        };
    },
});
}"""


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Page]:
    (tmp_path / "browser").mkdir()
    folder = tmp_path / "browser"
    with started_browser(folder) as browser, browser.page(all_frames=True) as page:
        page("Page.addScriptToEvaluateOnNewDocument", source=NOTE)
        page("Network.setCacheDisabled", cacheDisabled=True)
        yield page


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with served() as running:
        yield running.address


def watched(page: Page, address: str, size: tuple[int, int], player: str) -> dict[str, float]:
    """Milliseconds to the first picture, and pictures a second after a while."""
    waits = []
    for _ in range(LOADS):
        page("Page.navigate", url="about:blank")
        page.resize(*size)
        page.events.clear()
        page("Page.navigate", url=address)
        page.wait_for(f"{player}?.drawn > 0")
        waits.append(page.value(f"{player}.drawn - performance.timeOrigin"))
    time.sleep(2.0)
    state = f"[performance.now(), {player}.player.frames, {player}.player.pace.share]"
    before = page.value(state)
    time.sleep(WATCHED)
    after = page.value(state)
    assert page.complaints() == [], page.complaints()
    return {
        "milliseconds_to_the_first_picture": statistics.median(waits),
        "at_worst": max(waits),
        "pictures_a_second": 1e3 * (after[1] - before[1]) / (after[0] - before[0]),
        "share_of_pixels_along_an_edge": after[2],
    }


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_exported_page(
    benchmark, report, chromium: Page, tmp_path: Path, pattern: str, window: str
) -> None:
    (path,) = ja.export(ja.animate(PATTERNS[pattern]), tmp_path / "a.html")
    report(
        **benchmark.pedantic(
            watched, (chromium, path.as_uri(), WINDOWS[window], "window"), rounds=1
        )
    )


@pytest.mark.parametrize("window", WINDOWS)
def test_page_of_the_server(benchmark, report, chromium: Page, server: str, window: str) -> None:
    frame = "document.querySelector('#stage iframe:not(.coming)')?.contentWindow"
    report(**benchmark.pedantic(watched, (chromium, server, WINDOWS[window], frame), rounds=1))


@pytest.mark.parametrize("window", WINDOWS)
def test_widget_of_a_notebook(
    benchmark, report, chromium: Page, tmp_path: Path, window: str
) -> None:
    write_page(tmp_path / "a.html", ja.widget("531"))
    frame = PLAYER.removesuffix("?.player")
    report(
        **benchmark.pedantic(
            watched, (chromium, (tmp_path / "a.html").as_uri(), WINDOWS[window], frame), rounds=1
        )
    )
