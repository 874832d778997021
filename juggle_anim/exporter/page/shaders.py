"""The program's own shaders, as browsers have them: OpenGL ES 3.0 in place of OpenGL 3.3."""

from __future__ import annotations

import re
from importlib.resources import files

_NAMES = (
    "capsule", "sphere", "ring", "box", "capsule_shadow", "sphere_shadow", "ring_shadow", "floor_shadow",
)  # fmt: skip
_ALONE = ("floor.frag", "sky.frag")


def shaders() -> dict[str, str]:
    """The text of each shader by the name of its file, whole and without its line `#version`."""
    names = [f"{name}.{kind}" for name in _NAMES for kind in ("vert", "frag")]
    return {name: _precise(_text(name)) for name in (*names, *_ALONE)}


def _text(name: str) -> str:
    text = (files("juggle_anim.render") / "shaders" / name).read_text(encoding="utf-8")
    text = text.replace("#version 330 core\n", "")
    return re.sub(r'^#include "(.+)"$', lambda match: _text(match[1]), text, flags=re.MULTILINE)


def _precise(text: str) -> str:
    return f"precision highp float;\nprecision highp int;\nprecision highp sampler2D;\n{text}"
