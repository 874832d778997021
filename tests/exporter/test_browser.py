"""Pictures, films and subtitles as a browser shows them: Chromium.

Web pages have tests of their own in `page/`.
"""

import base64
import io
from collections.abc import Iterator
from pathlib import Path

import foreign_programs
import numpy as np
import pytest
from foreign_programs import likeness
from headless_browser import Browser, Page
from PIL import Image

import juggle_anim as ja
from juggle_anim.arrays import Bytes
from juggle_anim.exporter.stills import DrawnFrames
from juggle_anim.exporter.view import FrameRequest

SIZE, FPS, LASTS = (160, 120), 10, 0.6
SHOTS = FrameRequest(ja.animate("531"), SIZE, FPS, seconds=LASTS)

MEDIA = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".apng": "image/png",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
}
"""The media types of what a browser shows."""

LEAST_LIKENESS = {
    ".png": np.inf,
    ".jpg": 40,
    ".webp": 34,
    ".gif": 34,
    ".apng": np.inf,
    ".mp4": 34,
    ".webm": 34,
}
"""Of each picture and the one that was drawn, [dB]; browsers convert colours of films in ways of
their own.
"""

SCRIPT = """
const canvas = document.createElement("canvas");
[canvas.width, canvas.height] = [160, 120];
const pen = canvas.getContext("2d");
function drawn(source) {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(source, 0, 0);
    return canvas.toDataURL("image/png").split(",")[1];
}
async function bytesOf(address) { return await (await fetch(address)).arrayBuffer(); }
async function pictures(address, type) {
    const found = [];
    if (type.startsWith("video")) {
        const film = document.createElement("video");
        film.muted = true;
        film.src = address;
        await new Promise((done, fail) => { film.onloadeddata = done; film.onerror = () => fail(film.error.message); });
        for (let number = 0; number < 6; number++) {
            // The first seek may end while the picture before is still shown.
            for (const part of [0.4, 0.5, 0.6]) {
                await new Promise((done) => { film.onseeked = done; film.currentTime = (number + part) / 10; });
                await new Promise((done) => setTimeout(done, 30));
            }
            found.push(drawn(film));
        }
        return { pictures: found, duration: film.duration };
    }
    const decoder = new ImageDecoder({ data: await bytesOf(address), type });
    await decoder.tracks.ready;
    await decoder.completed;
    let lasts = 0;
    for (let number = 0; number < decoder.tracks.selectedTrack.frameCount; number++) {
        const { image } = await decoder.decode({ frameIndex: number });
        lasts += image.duration ?? 0;
        found.push(drawn(image));
    }
    return { pictures: found, duration: lasts / 1e6 };
}
async function cues(film, text) {
    const video = document.createElement("video"), track = document.createElement("track");
    video.src = film;
    Object.assign(track, { kind: "subtitles", src: URL.createObjectURL(new Blob([text], { type: "text/vtt" })) });
    video.append(track);
    document.body.append(video);
    track.track.mode = "showing";
    await new Promise((done, fail) => { track.onload = done; track.onerror = () => fail("no track"); });
    return [...track.track.cues].map((cue) => [cue.startTime, cue.endTime, cue.getCueAsHTML().textContent, cue.text]);
}
async function shown(address) {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
    pen.fillStyle = "white";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(picture, 0, 0);
    return canvas.toDataURL("image/png").split(",")[1];
}
window.ready = true;
"""


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    blank = tmp_path_factory.mktemp("blank") / "page.html"
    blank.write_text(f"<!doctype html><meta charset=utf-8><body><script>{SCRIPT}</script>")
    with browser.page() as opened:
        opened("Page.navigate", url=blank.resolve().as_uri())
        opened.wait_for("window.ready === true")
        yield opened


def address(path: Path, media: str) -> str:
    return f"data:{media};base64,{base64.b64encode(path.read_bytes()).decode()}"


def pixels(encoded: str) -> Bytes:
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(encoded))).convert("RGB"))


@pytest.mark.parametrize("ending", MEDIA)
def test_a_browser_shows_the_pictures_that_were_drawn(
    tmp_path: Path, page: Page, ending: str
) -> None:
    still = ending in (".png", ".jpg")
    how = {"start": 0.0, "cameras": ["default"]} if still else {"seconds": LASTS, "fps": FPS}
    (path,) = ja.export("531", tmp_path / f"a{ending}", size=SIZE, **how)
    found = page.value(f"pictures({address(path, MEDIA[ending])!r}, {MEDIA[ending]!r})")
    images = list(DrawnFrames(SHOTS).images([0] if still else None))
    assert len(found["pictures"]) == len(images)
    for encoded, image in zip(found["pictures"], images, strict=True):
        assert likeness(pixels(encoded), image) >= LEAST_LIKENESS[ending]
    if not still:
        assert found["duration"] == pytest.approx(LASTS, abs=0.02)


def test_a_drawing_is_that_of_another_program(tmp_path: Path, page: Page) -> None:
    path = ja.draw("531", tmp_path / "a.svg", "ladder")
    seen, other = (
        pixels(page.value(f"shown({address(path, 'image/svg+xml')!r})")),
        foreign_programs.page(path),
    )
    high, wide = np.minimum(seen.shape, other.shape)[
        :2
    ]  # one rounds edges of parts of a pixel down
    assert max(seen.shape[0] - high, other.shape[1] - wide) <= 1
    assert likeness(seen[:high, :wide], other[:high, :wide]) > 20
    assert seen.min() < 60


def test_subtitles_are_cues_of_a_film(tmp_path: Path, page: Page) -> None:
    film, side = ja.export(
        "<3p 3|3p 3>", tmp_path / "a.webm", size=SIZE, fps=FPS, loops=1, subtitles="vtt"
    )
    told = page.value(f"cues({address(film, 'video/webm')!r}, {side.read_text()!r})")
    beat = 1 / ja.animate("<3p 3|3p 3>").choreography.bps
    assert [words for _, _, words, _ in told] == ["<3p 3|3p 3>"] * 2
    assert [begins for begins, *_ in told] == pytest.approx([0.0, beat], abs=0.05)
    assert "<c.yellow><b>3p</b></c>" in told[0][3]
