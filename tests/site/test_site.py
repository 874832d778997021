import base64
import dataclasses
import functools
import http.server
import io
import json
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from headless_browser import Page
from paths import ROOT
from PIL import Image
from program import Program
from pyodide_copy import pyodide_copy

import juggle_anim as ja
from juggle_anim.notation.library import library
from juggle_anim.server.drawing import draw
from juggle_anim.server.query import read_query
from juggle_anim.site import build, worker
from juggle_anim.site.build import write_site

PLAYS = "window.player?.frames > 2"
PREPARED = ("Cascade", "Mills mess")


class _Server(http.server.SimpleHTTPRequestHandler):
    asked: ClassVar[list[str]] = []  # paths

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, pyodide_copy(), names=PREPARED)
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    handler = functools.partial(_Server, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def opened(page: Page, address: str) -> Page:
    page.resize(390, 844)
    page("Page.navigate", url=address)
    page.wait_for(PLAYS)
    return page


def type_pattern(page: Page, text: str) -> None:
    page.value(f"document.getElementById('pattern').value = {text!r}")
    page.value("document.getElementById('typed').requestSubmit()")


# Python begins once for all of it, which takes longest, and once more without a network.
def test_in_one_visit_what_is_typed_plays_is_edited_opened_and_made_and_goes_on_without_a_network(
    opened: Page, address: str, tmp_path: Path
) -> None:
    check_that_what_is_typed_plays_or_is_refused(opened, address)
    check_that_bodies_are_at_ease_until_they_are_planned(opened)
    type_pattern(opened, "531")
    opened.wait_for("document.title.startsWith('531')")
    check_that_throws_are_edited_and_files_opened(opened)
    assert opened.complaints() == []
    type_pattern(opened, "531;bps=8;figure=stick")
    opened.wait_for("location.search.includes('bps=8') && player.loop < 1")
    check_that_files_are_made(opened)
    check_that_a_film_has_every_picture_of_a_loop(opened, tmp_path / "film.mp4")
    check_that_it_works_without_a_network(opened, address)


def check_that_what_is_typed_plays_or_is_refused(page: Page, address: str) -> None:
    assert page.value("document.title") == "531 – juggle-anim"
    type_pattern(page, "51")
    page.wait_for("document.title.startsWith('51')")
    assert page.value("document.getElementById('said').textContent").startswith("3 balls, period 2")
    type_pattern(page, "532")
    page.wait_for("document.getElementById('said').className === 'wrong'")
    assert page.value("document.title") == "juggle-anim"
    assert "532" in page.value("document.getElementById('said').textContent")
    type_pattern(page, "mils mes")
    page.wait_for("document.querySelector('#said button')?.textContent === 'Mills mess'")
    assert {url[: len(address)] for url in page.requests() if url.startswith("http")} == {address}
    assert page.complaints() == []


def check_that_bodies_are_at_ease_until_they_are_planned(page: Page) -> None:
    query = read_query("pattern=7531")
    drafts, planned = (
        json.loads(draw(dataclasses.replace(query, format=kind)).content)
        for kind in ("draft", "curves")
    )
    for part in ("bodies", "poles"):
        assert drafts.pop(part) != planned[part]
    del drafts["camera"]
    assert drafts.items() <= planned.items()
    page.value("shapes = player.stage.skin.solid, paint = shapes.arrays.paint.join(), 0")
    type_pattern(page, "7531")
    page.wait_for("document.title.startsWith('7531') && player.frames > 0")
    # The same people go on with their shapes.
    assert page.value("player.stage.skin.solid === shapes && shapes.arrays.paint.join() === paint")
    drafted, frames = page.value("[player.joints(0), player.frames]")
    joints = ja.animate("7531").closing_after(1).pose(0.0).joints[0, 0]
    page.wait_for(f"{OFF.format(joints=joints.tolist())} < 2e-3")
    off = np.linalg.norm(np.array(drafted[0]) - joints, axis=-1).max()
    assert off < 0.2
    assert frames > 20 or off > 2e-3


OFF = """Math.max(...player.joints(0)[0].map((joint, number) =>
    Math.hypot(...joint.map((place, axis) => place - {joints}[number][axis]))))"""


def check_that_throws_are_edited_and_files_opened(page: Page) -> None:
    page.tap("#tab-ladder")
    page.wait_for("document.querySelectorAll('#diagram button').length > 3")
    page.tap("#diagram button[data-number='0']")
    page.wait_for("document.getElementById('menu').open")
    page.tap("#landings button:nth-of-type(4)")
    page.wait_for("location.search.includes('pattern=441')")
    told = page.value(
        "import('./ask.js').then(({ send }) => send('open', 'a.txt', new Blob(['531\\n']))"
        ".then((blob) => blob.text()))"
    )
    assert json.loads(told)["patterns"] == [{"name": "531", "settings": {"pattern": "531"}}]
    page.tap("#tab-share")
    page.tap("#code summary")
    page.wait_for("Boolean(document.querySelector('#qr path'))")


def check_that_files_are_made(page: Page) -> None:
    for ending, begins in (
        ("gif", b"GIF89a"),
        ("png", b"\x89PNG"),
        ("svg", b"<svg"),
        ("jml", b"<?xml"),
        ("glb", b"glTF"),
        ("jif", b"{"),
        ("json", b"{"),
    ):
        content = base64.b64decode(page.value(SAVED % ending))
        assert content.startswith(begins), ending
        if ending == "gif":
            with Image.open(io.BytesIO(content)) as film:
                # Twenty pictures a second, of a loop after which all props are back.
                assert film.n_frames == round(20 * page.value("player.cycle"))
    assert page.value("player.paused") is False


def check_that_a_film_has_every_picture_of_a_loop(page: Page, film: Path) -> None:
    assert "mp4" in page.value("import('./ask.js').then(({ endings }) => endings)")
    # As on a slow machine, whose picture has fewer pixels while it moves.
    page.value("player.pace.share = 0.5, player.stage.resize(picture, 0.5), 0")
    film.write_bytes(base64.b64decode(page.value(SAVED % "mp4")))
    asked = "stream=codec_name,width,height,nb_read_frames,duration,pix_fmt"
    command = ["ffprobe", "-v", "warning", "-count_frames", "-show_entries", asked, "-of", "json"]
    ran = subprocess.run([*command, film], capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    (stream,) = json.loads(ran.stdout)["streams"]
    cycle = page.value("player.cycle")
    assert stream["codec_name"] == "h264"
    assert int(stream["nb_read_frames"]) == round(60 * cycle)
    assert float(stream["duration"]) == pytest.approx(cycle, abs=1 / 60)
    canvas = page.value("[picture.clientWidth, picture.clientHeight]")
    assert [stream["width"], stream["height"]] == [2 * round(edge / 2) for edge in canvas]
    assert page.value("player.paused") is False


def check_that_it_works_without_a_network(page: Page, address: str) -> None:
    # All that is needed has been kept by now; what was never asked for is computed.
    page.wait_for("caches.keys().then((names) => names.length === 1)")
    page.wait_for("caches.match('library.en.json').then((kept) => Boolean(kept))")
    page("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1,
         uploadThroughput=-1)  # fmt: skip
    page("Page.navigate", url=f"{address}?pattern=441")
    page.wait_for("document.title.startsWith('441')")
    page.value("document.getElementById('tab-library').click()")
    page.wait_for("document.querySelectorAll('#patterns li').length > 100")
    page.value("search = document.getElementById('search'); search.value = 'mils mess'")
    page.value("search.dispatchEvent(new Event('input'))")
    page.wait_for("document.querySelector('#patterns b')?.textContent === 'Mills mess'")


@pytest.mark.long
def test_a_later_visit_goes_on_with_the_python_of_the_first(opened: Page, address: str) -> None:
    page = opened
    page.wait_for("caches.match('library.en.json').then((kept) => Boolean(kept))")
    page.wait_for(f"{STORED}.then((names) => names.some((name) => name.endsWith('memory')))")
    # It needs nothing then that it began with.
    page.value(f"{NAMES}.then((names) => Promise.all(names.map(forget)))".replace("forget", FORGET))
    page.blank()
    _Server.asked.clear()
    page("Page.navigate", url=f"{address}?pattern=42")
    page.wait_for("document.title.startsWith('42')")
    type_pattern(page, "<3p|3p>;prop=club")
    page.wait_for("document.title.startsWith('<3p')")
    # Browsers may ask for the page itself beside its service worker, and whether there is a newer one.
    asked = {path.partition("?")[0] for path in _Server.asked}
    assert asked <= {"/", "/offline.js", "/files.js"}
    assert page.complaints() == []


def test_the_first_picture_of_a_first_visit_is_there_before_python_begins(
    page: Page, address: str
) -> None:
    noting = "Worker = class { constructor() { window.before = player.frames; } postMessage() {} };"
    page("Page.addScriptToEvaluateOnNewDocument", source=noting)
    page("Storage.clearDataForOrigin", origin=address, storageTypes="all")
    page.resize(390, 844)
    page("Page.navigate", url=address)
    page.wait_for("window.before > 0")
    assert page.value("document.title") == "531 – juggle-anim"
    assert page.complaints() == []


NAMES = """caches.keys().then(([mine]) => caches.open(mine)).then(async (cache) =>
    (await cache.keys()).map(({ url }) => url))"""

STORED = """navigator.storage.getDirectory().then(async (all) => {
    const names = [];
    for await (const folder of all.values()) for await (const name of folder.keys()) names.push(name);
    return names;
})"""

FORGET = """async (name) => /[/]program[.]|numpy-/.test(name) &&
    (await caches.open((await caches.keys())[0])).delete(name)"""


def test_the_first_picture_does_not_wait_for_what_is_typed_before_it(
    page: Page, address: str
) -> None:
    typing = """
        Worker = class { postMessage() { window.asks = true; } };
        addEventListener("DOMContentLoaded", () => {
            document.getElementById("pattern").value = "51";
            document.getElementById("typed").requestSubmit();
        });
    """
    page("Page.addScriptToEvaluateOnNewDocument", source=typing)
    page.resize(390, 844)
    page("Page.navigate", url=address)
    page.wait_for(f"window.asks && {PLAYS}")
    assert page.value("[location.search, document.title]") == ["?pattern=51", "juggle-anim"]
    assert page.complaints() == []


TOLD_WORKERS = """
    self.workers = [];
    Worker = class {
        asked = [];
        constructor() {
            workers.push(this);
            setTimeout(() => this.say({ to: 0 }));
        }
        say(data) {
            this.onmessage({ data });
        }
        postMessage({ number }) {
            this.asked.push(number);
        }
        terminate() {
            this.ended = true;
        }
    };
"""


def test_python_that_has_kept_its_memory_begins_anew_once_nothing_is_asked(
    page: Page, address: str
) -> None:
    page("Page.addScriptToEvaluateOnNewDocument", source=TOLD_WORKERS)
    page.resize(390, 844)
    page("Page.navigate", url=address)
    page.wait_for(f"window.workers?.length && {PLAYS}")
    type_pattern(page, "51")
    page.wait_for("workers[0].asked.length")
    page.value("workers[0].say({ to: -1 })")
    assert page.value("[workers.length, workers[0].ended ?? false]") == [1, False]
    # What plays leaves time for the pattern that is awaited, until the answer is there.
    assert page.value("player.awaits")
    page.value(
        "workers[0].say({ to: workers[0].asked[0], status: 500, content: new Uint8Array() })"
    )
    page.wait_for("!player.awaits")
    page.value("workers[0].say({ to: -1 })")
    assert page.value("workers[0].ended")
    page.wait_for("workers.length === 2")
    type_pattern(page, "42")
    page.wait_for("workers[1].asked.length")
    assert page.value("[workers.length, workers[0].asked.length]") == [2, 1]
    assert page.complaints() == []


@pytest.mark.parametrize("query", worker.EXERCISES)
def test_exercises_are_patterns(query: str) -> None:
    status, content = worker.answer("shown", query, "en")
    assert (status, json.loads(content)["facts"]["valid"]) == (200, True)


def test_prepared_patterns_need_no_python_and_are_what_it_answers(site: Path) -> None:
    told = (site / "prepared.js").read_text().removeprefix("export const prepared = ")
    prepared = json.loads(told.rstrip(";\n"))
    assert list(prepared) == [
        "pattern=531", "pattern=3;title=Cascade", *[name for name in prepared if "Mills" in name]
    ]  # fmt: skip
    for text, name in prepared.items():
        kept = json.loads((site / "curves" / f"{name}.json").read_text())
        query = read_query(text)
        for kind, ours in (("curves", kept["curves"]), ("facts", kept["facts"]["en"])):
            answer = draw(dataclasses.replace(query, format=kind))
            assert json.loads(answer.content) == ours


@pytest.mark.long
@pytest.mark.parametrize(
    "names",
    [
        ["75314", "Two-ball Mills mess", "Four-club triples"],
        [pattern.name for pattern in library()][::110],
    ],
)
def test_joints_and_props_are_those_of_the_desktop(
    site: Path, tmp_path: Path, names: list[str]
) -> None:
    (tmp_path / "code.py").write_text(CODE.format(names=names))
    copy = pyodide_copy()
    command = ["node", ROOT / "tests/support/python_in_node.mjs", copy, site / "program.zip",
               copy / build.NUMPY, tmp_path / "code.py"]  # fmt: skip
    told = subprocess.run(list(map(str, command)), capture_output=True, check=True)
    theirs = json.loads(told.stdout)
    for name, (joints, props) in theirs.items():
        animation = ja.animate(name)
        times = np.linspace(0.0, animation.duration, 7)
        np.testing.assert_allclose(joints, animation.pose(times).joints, rtol=0, atol=1e-9)
        np.testing.assert_allclose(props, animation.sample(times).props, rtol=0, atol=1e-9)
    assert len(theirs) == len(names)


CODE = """
import json
import numpy as np
import juggle_anim as ja

told = {{}}
for name in {names}:
    animation = ja.animate(name)
    times = np.linspace(0.0, animation.duration, 7)
    told[name] = animation.pose(times).joints.tolist(), animation.sample(times).props.tolist()
json.dumps(told)
"""


def embed(page: Page, site: Path, address: str, attributes: str) -> None:
    """Open another page, with a tag that has attributes."""
    (site / "other.html").write_text(
        '<!doctype html><link rel="icon" href="icon.svg"><script type="module" src="embed.js"></script>'
        f'<juggle-anim {attributes} style="height: 300px"></juggle-anim>'
    )
    page.resize(640, 480)
    page("Page.navigate", url=f"{address}other.html")
    page.wait_for(f"document.readyState === 'complete' && {TAG}?.player?.frames > 1")


def test_another_page_shows_a_pattern_by_one_tag(page: Page, site: Path, address: str) -> None:
    # This pattern was prepared, and needs no Python.
    page("Page.addScriptToEvaluateOnNewDocument", source="Worker = class { postMessage() {} };")
    embed(page, site, address, 'siteswap="531"')
    assert page.value(f"{TAG}.location.search") == "?pattern=531"
    assert page.value(f"getComputedStyle({TAG}.document.querySelector('aside')).display") == "none"
    assert page.complaints() == []
    packed = subprocess.run(["npm", "pack", "--dry-run", "--json"], cwd=site, capture_output=True)
    (told,) = json.loads(packed.stdout)
    assert told["name"] == "juggle-anim"
    exported = json.loads((site / "package.json").read_text())["exports"]["."]
    assert exported.removeprefix("./") in {file["path"] for file in told["files"]}


@pytest.mark.long
def test_another_page_changes_what_its_tag_shows(page: Page, site: Path, address: str) -> None:
    embed(page, site, address, 'siteswap="441" figure="stick"')
    assert page.value(f"{TAG}.location.search") == "?pattern=441;figure=stick"
    page.value(
        "tag = document.querySelector('juggle-anim'); tag.removeAttribute('figure');"
        "tag.setAttribute('siteswap', '531')"
    )
    page.wait_for(f"{TAG}.document.title.startsWith('531') && {TAG}.player?.frames > 1")
    assert page.complaints() == []


TAG = "document.querySelector('juggle-anim')?.shadowRoot?.querySelector('iframe').contentWindow"


def test_a_gif_keeps_the_colours_of_small_props_before_a_large_wall() -> None:
    height = np.linspace(0, 1, 160)[:, None, None]
    across = np.linspace(0, 1, 200)[:, None]
    picture = 170 + 60 * height + across * np.array([20.0, 12.0, 4.0])
    balls = {10: (230, 90, 20), 30: (30, 100, 200), 50: (220, 210, 40)}
    for column, colour in balls.items():
        picture[20:24, column : column + 4] = colour
    pixels = np.dstack([picture, np.full((160, 200), 255)]).astype(np.uint8)
    film = worker.gif(pixels.tobytes(), 200, 160, 20.0, "pattern=3")
    with Image.open(io.BytesIO(film)) as shown:
        kept = np.asarray(shown.convert("RGB"), float)
    assert np.abs(kept - pixels[..., :3]).max() < 16  # levels of 256


SAVED = """
import("./ask.js").then((source) => source.file("%s", location.search.slice(1), player)).then(
    async (blob) => {
        const bytes = new Uint8Array(await blob.arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    },
)
"""


def test_a_copy_of_another_release_is_refused(program: Program) -> None:
    (program.folder / "pyodide").mkdir()
    (program.folder / "pyodide" / "pyodide.mjs").write_text("another")
    ran = program("site", "out", "--pyodide", "pyodide")
    assert (ran.code, ran.err.strip()) == (
        2, f"pyodide/pyodide.mjs is not from Pyodide {build.VERSION}"
    )  # fmt: skip
    (program.folder / "pyodide" / "pyodide.mjs").unlink()
    assert "Pyodide 0.27.7 has it" in program("site", "out", "--pyodide", "pyodide").err
    assert not (program.folder / "out").exists()


# The last one: Python begins anew in a newer version.
@pytest.mark.long
def test_a_newer_version_is_told_and_begins_when_one_wants_it(opened: Page, site: Path) -> None:
    page = opened
    page.wait_for("caches.match('library.en.json').then((kept) => Boolean(kept))")
    told = (site / "files.js").read_text()
    (site / "files.js").write_text(told.replace('"version": "', '"version": "newer'))
    style = (site / "page.css").read_text()
    (site / "page.css").write_text(f"{style}\n#news {{ order: 7; }}\n")
    page.value("window.isOld = true")
    page("Page.reload")
    page.wait_for("!window.isOld && Boolean(navigator.serviceWorker.controller)")
    # Browsers look for a newer one by themselves once they have nothing else to do.
    page.value("navigator.serviceWorker.ready.then((one) => one.update()).then(Boolean)")
    page.wait_for("document.getElementById('news')?.hidden === false")
    order = "getComputedStyle(document.getElementById('news')).order"
    assert page.value(order) == "0"
    page.value("document.getElementById('reload').click()")
    page.wait_for(f"document.readyState === 'complete' && {order} === '7' && {PLAYS}")
    assert page.value("caches.keys().then((names) => names.length)") == 1
