"""A web page that plays a pattern in any browser, without a network: orbit, pause, speed and
chicken wing.

Its shaders are the program's own, converted from OpenGL 3.3 to OpenGL ES 3.0. Another page, as of a
notebook, can hold the whole of it in a tag.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from juggle_anim.animation import Animation
from juggle_anim.atomic_file import atomic_file
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Progress, WriteOptions
from juggle_anim.exporter.page.page_data import body_rules, page_data, skin_data
from juggle_anim.exporter.resume import claim
from juggle_anim.language import _, language
from juggle_anim.notation import record_of
from juggle_anim.parameters import row_named
from juggle_anim.resources import resource
from juggle_anim.scene.skin import PARTS, worn_number

MAX_BYTES = 1_500_000
"""The greatest size of a page, so that it is easy to send and opens at once."""

MAX_ROUTINE_BYTES = 6_000_000
"""The same for a routine, which has minutes to show and nothing that repeats."""

PLAYER = (
    "vectors", "table", "hands", "elbows", "clearance", "figure", "props", "framing", "frame",
    "shapes", "bones",
    "skin_level", "skin", "stage", "view", "marks", "pace", "player",
)  # fmt: skip
"""Scripts that play, in the order in which they are loaded."""

SCRIPTS = (*PLAYER, "controls", "start")
"""Those of a page of its own."""

_COARSENESS = (1, 2, 3, 4)

_SHADER_PAIRS = (
    "capsule", "sphere", "ring", "box", "capsule_shadow", "sphere_shadow", "ring_shadow",
    "contact_shadow",
    "floor_shadow",
)  # fmt: skip

_SINGLE_SHADERS = ("floor.frag", "sky.frag", "skin.frag")


SIZE = 720, 480
"""Width at most and height of a player in a notebook, [pixels]."""


def write_page(
    request: FrameRequest,
    path: Path,
    *,
    force: bool = False,
    progress: Progress | None = None,
    options: WriteOptions = DEFAULT_OPTIONS,
) -> Path:
    """Write one loop as a web page, and return its path.

    Args:
        request: its animation, view and start are shown; the page itself chooses size and rate.
        path: the file; its folder is created.
        force: whether an existing file may be replaced.
        progress: called with 1 and 1 when the page is written.
        options: with `resume`, an existing file is kept if it is complete and of this same export.

    Raises:
        ParameterError: supersampling or blur is asked for.
        ExportError: the loop is too long for a page, the file exists and `force` is not set, or it
            cannot be written.
    """
    if request.supersampling > 1 or request.blur > 1:
        raise ParameterError(
            _("{path}: web pages have no supersampling or blur; leave them out", path=path)
        )
    picture = {"camera": request.view.name, "start": request.start}
    metadata = record_of(request.animation.score, request.animation.parameters, picture).text
    if claim(path, metadata, force=force, resume=options.resume):
        page = small_enough_page(request, metadata, path)
        with atomic_file(path, replaces=force or options.resume) as draft:
            draft.write_bytes(page)
        if progress:
            progress(1, 1)  # the page counts as a single frame
    return path


def small_enough_page(request: FrameRequest, metadata: str, path: Path) -> bytes:
    """Return the page of a request in UTF-8, as finely sampled as the limit of its size allows.

    The limit is `MAX_ROUTINE_BYTES` for a routine and `MAX_BYTES` for all else.

    Args:
        request: its animation, view and start are shown.
        metadata: text for the file to carry.
        path: the file that the error names.

    Raises:
        ExportError: the page is too large even when it is sampled most coarsely.
    """
    max_bytes = MAX_ROUTINE_BYTES if request.animation.score.routine else MAX_BYTES
    for coarser in _COARSENESS:
        data = {**page_data(request, coarser), "shaders": shaders()}
        page = page_html(request.animation.title, metadata, data).encode()
        if len(page) <= max_bytes:
            return page
    animation = request.animation
    who = (
        _("{jugglers} jugglers", jugglers=animation.jugglers)
        if animation.jugglers > 1
        else _("a juggler")
    )
    raise ExportError(
        _(
            "{path}: a web page can hold {most:g} MB, but one loop of {duration:.0f} s of "
            "{who} needs more; save a video instead, such as {stem}.mp4",
            path=path,
            most=max_bytes / 1e6,
            duration=animation.duration,
            who=who,
            stem=path.stem,
        )
    )


def page_html(title: str, metadata: str, data: dict[str, Any]) -> str:
    """Return the text of the page, with words in the present language.

    Args:
        title: any text, which is escaped.
        metadata: text for the file to carry, which is escaped.
        data: what the scripts read, as JSON values: that of `page_data`, and the shaders.
    """
    script = _script()
    style = _file_text("page.css")
    # The browser runs this script and this style alone, known by their hashes, and loads nothing.
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri "
        f"'none'; form-action 'none'"
    )
    parts = {
        "policy": policy,
        "metadata": metadata,
        "title": title,
        "language": language(),
        **_texts(title),
    }
    # Texts are escaped; style, data and script are not, as they contain no tags of their own.
    return Template(_file_text("page.html")).substitute(
        {name: html.escape(text) for name, text in parts.items()},
        style=style,
        given=_json({**data, "words": _script_texts()}),
        script=script,
    )


def _texts(title: str) -> dict[str, str]:
    """Return the translated texts of the page, by their names in its template."""
    return {
        "about": _("{title}, juggled in 3D. Drag to rotate, scroll to zoom.", title=title),
        "camera": _("Reset camera"),
        "framing": _("Fit the pattern (F)"),
        "no_script": _("This page needs JavaScript."),
        "no_webgl": _("This browser cannot show 3D: it needs WebGL 2."),
    }


def _script_texts() -> dict[str, str]:
    """Return the translated texts that scripts show, by their names there."""
    return {
        "pause": _("Pause"),
        "play": _("Play"),
        "space": _("Space"),
        "speed": row_named("speed").label,
    }


@cache
def _script() -> str:
    """Return all scripts as one in a scope of its own: three.js, then ours as in `SCRIPTS`.

    Ours share `given`, the data that the page holds as JSON, and its `rules`.
    """
    header = (
        'const given = JSON.parse(document.getElementById("given").textContent), { rules } = given;'
        " const before = null;"
    )
    script = _with_three(f"{header}\n{_scripts(SCRIPTS)}")
    # A script must not contain its own end tag, or the start of an HTML comment.
    return re.sub(r"<(?=/script|!--)", r"\\x3c", script, flags=re.IGNORECASE)


def player_script() -> str:
    """Return the script of a page that shows one animation after another on one canvas.

    Its function `openPlayer` takes the canvas, the data as of `pattern_data` with `fixed_data`, and
    the player before, which must be closed then; it returns a player that plays.
    """
    header = "window.openPlayer = (canvas, given, before = null) => {\nconst { rules } = given;"
    return _with_three(f"{header}\n{_scripts(PLAYER)}\nreturn play(canvas);\n}};")


def fixed_data() -> dict[str, Any]:
    """Return the data that the player needs for all animations alike, as JSON values."""
    return {"rules": body_rules(), "shaders": shaders(), "skin": skin_data(worn_number(*PARTS))}


def _with_three(script: str) -> str:
    """Return three.js and a script after it, in a scope of their own."""
    licence = resource("assets", "three/LICENSE-three.txt").read_text("utf-8")
    three = resource("assets", "three/three.min.js").read_text("utf-8")
    return f'(() => {{\n"use strict";\n/*!\n{licence}*/\n{three}\n{script}\n}})();\n'


def _scripts(names: Sequence[str]) -> str:
    return "\n".join(_file_text(f"js/{name}.js") for name in names)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _json(data: dict[str, Any]) -> str:
    """Return JSON in ASCII without any characters of HTML tags."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _file_text(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


@cache
def shaders() -> dict[str, str]:
    """Return each shader's source by file name, as OpenGL ES 3.0 without the line `#version`.

    Included files are pasted in.
    """
    names = [f"{name}.{kind}" for name in _SHADER_PAIRS for kind in ("vert", "frag")]
    # OpenGL ES has no default precision for these types in fragment shaders.
    precision = "".join(f"precision highp {kind};\n" for kind in ("float", "int", "sampler2D"))
    ours = {name: precision + _shader_text(name) for name in (*names, *_SINGLE_SHADERS)}
    # Shaders that only the page has. Its skin has the parts that the program's own vertex shaders
    # include; the other two are whole already.
    parts = "".join(_shader_text(f"{name}.glsl") for name in ("frame", "pixel", "shade"))
    skin = precision + parts + _file_text("skin.vert")
    own = {name: _file_text(name) for name in ("strip.vert", "backdrop.frag")}
    return {**ours, **own, "skin.vert": skin}


def _shader_text(name: str) -> str:
    text = (files("juggle_anim") / "render" / "shaders" / name).read_text(encoding="utf-8")
    text = text.replace("#version 330 core\n", "")
    return re.sub(
        r'^#include "(.+)"$', lambda match: _shader_text(match[1]), text, flags=re.MULTILINE
    )


def player_page(animation: Animation) -> str:
    """Return the text of the page that plays an animation from the start of its loop.

    Raises:
        ExportError: the loop is too long for a page.
    """
    request = FrameRequest(animation, SIZE, 60.0, seconds=1 / 60)  # one frame
    metadata = record_of(
        animation.score, animation.parameters, {"camera": request.view.name, "start": 0.0}
    ).text
    return small_enough_page(request, metadata, Path("a notebook")).decode()


def player_tag(animation: Animation) -> str:
    """Return a tag of HTML that plays an animation without files or a network.

    Raises:
        ExportError: the loop is too long for a page.
    """
    return framed(animation.title, player_page(animation))


def framed(title: str, page: str) -> str:
    """Return the `iframe` tag that holds a page of `player_page`.

    The frame is sandboxed: scripts run in it, but cannot reach the page around it.

    Args:
        title: of the pattern, any text.
        page: the text of the page.
    """
    width, height = SIZE
    about = _("{title}, juggled in 3D", title=title)
    style = f"width:100%;max-width:{width}px;height:{height}px;border:0"
    return (
        f'<iframe title="{html.escape(about)}" sandbox="allow-scripts" style="{style}" '
        f'srcdoc="{html.escape(page)}"></iframe>'
    )
