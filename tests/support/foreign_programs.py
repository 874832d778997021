"""Files, as programs that are not ours read them: FFmpeg, Poppler, librsvg, SQLite, three.js and
others.

`make test` installs them.
"""

import contextlib
import io
import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
from paths import ROOT, SUPPORT
from PIL import Image

from juggle_anim.arrays import Bytes

_MODULES = ROOT / ".venv/node_modules"


def probed(path: Path) -> dict[str, Any]:
    """What ffprobe says: `streams` and `format`."""
    said = _run(
        "ffprobe", "-count_frames", "-show_streams", "-show_format", "-of", "json", str(path)
    )
    read: dict[str, Any] = json.loads(said)
    return read


def decoded(
    path: Path,
    size: tuple[int, int],
    pixels: str = "rgb24",
    decoder: str = "",
    options: tuple[str, ...] = (),
) -> Bytes:
    """All pictures of a file, shape (frames, height, width, channels); `options` are FFmpeg's of
    the decoder.
    """
    codec = (*options, *(("-c:v", decoder) if decoder else ()))
    form = ("-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", pixels)
    data = _run("ffmpeg", *codec, "-i", str(path), *form, "-")
    if "48" in pixels or "64" in pixels:
        return np.frombuffer(data, "<u2").reshape(-1, size[1], size[0], len(pixels) - 4)
    return np.frombuffer(data, np.uint8).reshape(
        -1, size[1], size[0], len(pixels.removesuffix("24"))
    )


def heard(path: Path) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The sound of a file, 48,000 samples a second."""
    return np.frombuffer(
        _run("ffmpeg", "-i", str(path), "-f", "f32le", "-ac", "1", "-ar", "48000", "-"), np.float32
    )


def subtitles(path: Path, into: Path | None = None) -> list[tuple[float, float, str]]:
    """When each line of a file of subtitles begins and ends [s], and its words as FFmpeg writes
    them.

    Args:
        path: the file.
        into: a film into which they are muxed, and from which they are read then.
    """
    given = ("-i", str(path))
    if into:
        both = into.with_name("muxed.mp4")
        _run("ffmpeg", "-y", "-i", str(into), *given, "-c:v", "copy", "-c:s", "mov_text", str(both))
        given = ("-i", str(both), "-map", "0:s:0")
    blocks = (
        _run("ffmpeg", *given, "-f", "srt", "-").decode().replace("\r", "").strip().split("\n\n")
    )
    found = []
    for block in blocks:
        _number, times, words = block.split("\n", 2)
        begins, ends = (
            sum(
                60**n * float(part.replace(",", "."))
                for n, part in enumerate(reversed(time.split(":")))
            )
            for time in times.split(" --> ")
        )
        found.append((begins, ends, re.sub(r"</?font[^>]*>", "", words)))
    return found


def page(path: Path, dots: float = 96.0) -> Bytes:
    """The first page of a PDF or an SVG, so many pixels to an inch, shape (height, width, 3)."""
    if path.suffix == ".svg":
        size = ("--dpi-x", "96", "--dpi-y", "96", "--zoom", f"{dots / 96:g}")
        data = _run("rsvg-convert", *size, "--background-color", "white", str(path), errors=())
    else:
        data = _run("pdftoppm", "-r", f"{dots:g}", "-png", "-singlefile", str(path), errors=())
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def pdfium_page(path: Path, dots: float = 96.0) -> Bytes:
    """The first page of a PDF as PDFium draws it, which Chromium shows them with; as `page`."""
    with contextlib.closing(pypdfium2.PdfDocument(path)) as document:
        return np.asarray(document[0].render(scale=dots / 72).to_pil().convert("RGB"))


def page_words(path: Path) -> str:
    """The text of a PDF."""
    return _run("pdftotext", "-layout", str(path), "-", errors=()).decode()


def three_places(path: Path, times: Sequence[float]) -> list[dict[str, list[float]]]:
    """Where three.js has the nodes of a model at some times [s], by their names without colons."""
    script = str(SUPPORT / "three_models.mjs")
    said = _run("node", script, str(_MODULES / "three"), str(path), *map(str, times), errors=())
    placed: list[dict[str, list[float]]] = json.loads(said)["placed"]
    return [{name.replace(":", ""): place for name, place in places.items()} for places in placed]


def turbores_pictures(path: Path) -> tuple[list[dict[str, Any]], Bytes]:
    """What each picture of ProRes in QuickTime says of itself, and all of them, as mp4box and
    TurboRes read them.

    Pictures have the shape (frames, height, width, 3), or 4 where they can be transparent.
    """
    said = _run("node", str(SUPPORT / "prores_pictures.mjs"), str(_MODULES), str(path), errors=())
    line, data = said.split(b"\n", 1)
    heads: list[dict[str, Any]] = json.loads(line)
    frames = np.frombuffer(data, "<u2").reshape(len(heads), -1)
    return heads, np.stack([_rgb(frame, **head) for frame, head in zip(frames, heads, strict=True)])


def _rgb(
    planes: np.ndarray[Any, np.dtype[np.uint16]],
    layout: str,
    coded: list[int],
    size: list[int],
    **_: Any,
) -> Bytes:
    """A picture from its planes, whose colours are those of BT.709 in the limited range."""
    (wide, high), narrow, bits = coded, 2 if "422" in layout else 1, int(layout[-2:])
    sizes = [wide * high, *[wide // narrow * high] * 2, *[wide * high] * ("A" in layout)]
    luma, blue, red, *alpha = np.split(planes.astype(float), np.cumsum(sizes)[:-1])
    luma = (luma.reshape(high, wide) / 2 ** (bits - 8) - 16) / 219
    # Of two pixels the left one has the colour, and the right one the mean of its neighbours.
    columns = np.arange(wide) / narrow
    left, right = (
        np.floor(columns).astype(int),
        np.minimum(np.ceil(columns), wide // narrow - 1).astype(int),
    )
    blue, red = (
        (plane[:, left] + plane[:, right]) / 2
        for plane in (
            (each.reshape(high, -1) / 2 ** (bits - 8) - 128) / 224 for each in (blue, red)
        )
    )
    colours = luma + 1.5748 * red, luma - 0.1873 * blue - 0.4681 * red, luma + 1.8556 * blue
    channels = [*colours, *(each.reshape(high, wide) / (2**bits - 1) for each in alpha)]
    return (
        (np.stack(channels, axis=-1)[: size[1], : size[0]].clip(0, 1) * 255)
        .round()
        .astype(np.uint8)
    )


def node_table(path: Path) -> dict[str, Any]:
    """A `.json` as Node reads it, or the arrays of an `.npz` as npyjs does, by their names."""
    read = json.loads(
        _run("node", str(SUPPORT / "tables_in_node.mjs"), str(_MODULES), str(path), errors=())
    )
    if path.suffix == ".npz":
        return {name: np.reshape(array["values"], array["shape"]) for name, array in read.items()}
    return dict(read)


def node_complaints(schema: Path, path: Path) -> list[str]:
    """What Ajv, in Node, finds wrong with each document of a `.json` with a list, as a JSON schema
    has it.
    """
    return list(
        json.loads(
            _run(
                "node",
                str(SUPPORT / "schema_in_node.mjs"),
                str(_MODULES),
                str(schema),
                str(path),
                errors=(),
            )
        )
    )


def sqlite_table(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV below its first line, as SQLite imports them."""
    steps = ".mode json", f".import --csv --skip 1 '{path}' rows", "SELECT * FROM rows"
    return list(json.loads(_run("sqlite3", ":memory:", *steps, errors=())))


def likeness(picture: Bytes, other: Bytes) -> float:
    """Peak signal-to-noise ratio, [dB]."""
    error = float(np.mean((picture.astype(float) - other) ** 2))
    return 10 * np.log10(255**2 / error) if error else np.inf


def _run(*words: str, errors: tuple[str, ...] = ("-v", "error")) -> bytes:
    ran = subprocess.run([words[0], *errors, *words[1:]], capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b""), ran.stderr.decode()
    return ran.stdout
