"""Staging as settings: hands, bodies and props."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace

from juggle_anim.choreography import PropStyle, Staging
from juggle_anim.errors import NotationError
from juggle_anim.notation.body_text import read_body
from juggle_anim.notation.colours_text import read_colours
from juggle_anim.notation.hands_text import read_hands
from juggle_anim.notation.moves_text import one_line
from juggle_anim.notation.setting import Setting
from juggle_anim.text_settings import PROP_KINDS


def read_staging(found: Mapping[str, Setting], before: Staging) -> Staging:
    """A staging in which some settings have changed what was before.

    Args:
        found: settings by key, of which hands, body, prop and colors are read.
        before: what holds where they say nothing.

    Raises:
        NotationError: a setting that cannot be read.
    """
    hands, body, props = before.hands, before.body, before.props
    if "hands" in found:
        hands = found["hands"].read(read_hands)
    if "body" in found:
        body = found["body"].read(read_body)
    if "prop" in found:
        props = replace(props, kind=found["prop"].read(_read_kind))
    if "colors" in found:
        colours, by_orbit = found["colors"].read(read_colours)
        props = replace(props, text=one_line(found["colors"].text), colours=colours, by_orbit=by_orbit)
    return Staging(hands, body, props)


def staging_texts(staging: Staging) -> dict[str, str]:
    """The settings that `read_staging` reads as this staging, by key; those that say nothing are left out."""
    texts = {}
    if staging.hands:
        texts["hands"] = staging.hands.text
    if staging.body:
        texts["body"] = staging.body.text
    if staging.props.kind != PropStyle().kind:
        texts["prop"] = staging.props.kind
    if staging.props.text:
        texts["colors"] = staging.props.text
    return texts


def _read_kind(text: str) -> str:
    kind = text.strip().casefold()
    if kind in PROP_KINDS:
        return kind
    near = difflib.get_close_matches(kind[:30], PROP_KINDS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(PROP_KINDS)}"
    reason = f"there is no prop called {text.strip()[:30]}" if kind else "no prop is named"
    raise NotationError(text, len(text) - len(text.lstrip()), reason, hint)
