"""One file that plays a pattern in any browser: orbit, pause, speed and chicken wing, without a network.

MERGED: The program's own shaders, as browsers have them: OpenGL ES 3.0 in place of OpenGL 3.3.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from juggle_anim.animation import Animation
from juggle_anim.atomic_file import atomic_file
from juggle_anim.errors import ExportError
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, WriteOptions
from juggle_anim.exporter.page.contents import contents
from juggle_anim.exporter.resume import claim
from juggle_anim.notation import record_of
from juggle_anim.resources import resource

MOST_BYTES = 1_500_000
"""No page is larger, so that it can be sent and opens at once."""

SCRIPTS = (
    "vectors", "table", "hands", "elbows", "clearance", "figure", "props", "framing", "frame", "shapes", "stage",
    "view", "controls", "player",
)  # fmt: skip
"""The page's own scripts, in the order in which they are read."""

_COARSENESS = (1, 2, 3, 4)

_NAMES = (
    "capsule", "sphere", "ring", "box", "capsule_shadow", "sphere_shadow", "ring_shadow", "floor_shadow",
)  # fmt: skip

_ALONE = ("floor.frag", "sky.frag")


def write_page(
    shots: FrameRequest,
    path: Path,
    force: bool,
    progress: Callable[[int, int], None] | None,
    manner: WriteOptions = DEFAULT_OPTIONS,
) -> Path:
    """Write one loop as a web page of its own; all else is as for `write_video`.

    Raises:
        ExportError: the loop is too long for a page, or something is there already, or it cannot be written.
    """
    words = record_of(shots.animation.score, shots.animation.parameters, _picture(shots)).text
    if claim(path, words, force, manner.resume):
        page = _small_enough(shots, words, path)
        with atomic_file(path) as draft:
            draft.write_bytes(page)
        if progress:
            progress(1, 1)
    return path


def page_text(title: str, words: str, given: dict[str, Any]) -> str:
    """The whole page.

    Args:
        title: any text.
        words: what the file carries for `read_words`.
        given: what the scripts are told, as JSON can hold it.
    """
    script, style = _script(), _text("page.css")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    parts = {"policy": policy, "words": words, "title": title}
    return Template(_text("page.html")).substitute(
        {name: html.escape(text) for name, text in parts.items()},
        style=style,
        given=_json(given),
        script=script,
    )


def _small_enough(shots: FrameRequest, words: str, path: Path) -> bytes:
    for coarser in _COARSENESS:
        given = {**contents(shots, coarser), "shaders": {**shaders(), "strip.vert": _text("strip.vert")}}
        page = page_text(shots.animation.title, words, given).encode()
        if len(page) <= MOST_BYTES:
            return page
    raise ExportError(
        f"{path}: a web page holds {MOST_BYTES / 1e6:g} MB, and one loop of {shots.animation.duration:.0f} s of "
        f"{_amount(shots.animation)} is more; write a video, such as {path.stem}.mp4"
    )


def _amount(animation: Animation) -> str:
    return f"{animation.jugglers} jugglers" if animation.jugglers > 1 else "a juggler"


def _picture(shots: FrameRequest) -> dict[str, Any]:
    return {"camera": shots.view.name, "start": shots.start}


def _script() -> str:
    """Everything that runs, as one script that keeps its names to itself."""
    three = [_read(resource("assets", f"three/{name}")) for name in ("LICENSE-three.txt", "three.min.js")]
    own = "\n".join(_text(f"js/{name}.js") for name in SCRIPTS)
    told = 'const given = JSON.parse(document.getElementById("given").textContent), { rules } = given;'
    whole = f'(() => {{\n"use strict";\n/*!\n{three[0]}*/\n{three[1]}\n{told}\n{own}}})();\n'
    # Nothing in a script may look like its end, or like the beginning of a comment of the page.
    return re.sub(r"<(?=/script|!--)", r"\\x3c", whole, flags=re.IGNORECASE)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _json(given: dict[str, Any]) -> str:
    """JSON in ASCII in which nothing can be taken for a tag."""
    text = json.dumps(given, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _text(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def shaders() -> dict[str, str]:
    """The text of each shader by the name of its file, whole and without its line `#version`."""
    names = [f"{name}.{kind}" for name in _NAMES for kind in ("vert", "frag")]
    return {name: _precise(_shader_text(name)) for name in (*names, *_ALONE)}


def _shader_text(name: str) -> str:
    text = (files("juggle_anim.render") / "shaders" / name).read_text(encoding="utf-8")
    text = text.replace("#version 330 core\n", "")
    return re.sub(r'^#include "(.+)"$', lambda match: _shader_text(match[1]), text, flags=re.MULTILINE)


def _precise(text: str) -> str:
    return f"precision highp float;\nprecision highp int;\nprecision highp sampler2D;\n{text}"
