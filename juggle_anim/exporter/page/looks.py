"""How jugglers, props and the stage of a page look: as they do everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Singles
from juggle_anim.body import JOINTS
from juggle_anim.render.frame import PENUMBRA, light_axes
from juggle_anim.render.ghosts import VEIL
from juggle_anim.scene.club import PARTS, club_capsules
from juggle_anim.scene.compose import drawn_as
from juggle_anim.scene.figure import SEEN_THROUGH, figure_capsules, seen_on
from juggle_anim.scene.framing import MARGIN
from juggle_anim.scene.look import Look


def looks(animation: Animation) -> dict[str, Any]:
    """Limbs, props and stage, as JSON can hold them."""
    stage = animation.look.stage
    return {
        "limbs": _limbs(animation.look),
        "veiled": animation.look.figure == SEEN_THROUGH,
        "veil": VEIL,
        "props": _props(animation),
        "stage": {
            "light": light_axes(stage).tolist(),
            "penumbra": PENUMBRA,
            "colours": [stage.backdrop_top, stage.backdrop_bottom, stage.floor, stage.line],
            "margin": MARGIN,
        },
    }


def _limbs(look: Look) -> list[dict[str, Any]]:
    """Of each limb the weights of joints and of up at either end, the radii there [m], colour and gloss.

    Ends are weighted sums of joints and up: with one joint a metre aside and all others at the origin, they are its
    weights.
    """
    joints = np.zeros((JOINTS + 1, 1, JOINTS, 3))
    joints[np.arange(JOINTS), 0, np.arange(JOINTS), 0] = 1.0
    rows = seen_on(look.stage, figure_capsules(joints, look.figure), look.figure)
    still = rows[JOINTS]
    return [
        {
            "start": _weights([*rows[:JOINTS, limb, 0], still[limb, 1]]),
            "end": _weights([*rows[:JOINTS, limb, 4], still[limb, 5]]),
            "look": _rounded(still[limb, _LOOK]),
        }
        for limb in range(rows.shape[1])
    ]


def _weights(numbers: Sequence[float]) -> list[tuple[int, float]]:
    return [(number, round(float(weight), 6)) for number, weight in enumerate(numbers) if abs(weight) > _NO_WEIGHT]


def _props(animation: Animation) -> list[dict[str, Any]]:
    """Of each prop its course, its lead on it [s], what it is drawn as, and how it looks."""
    motion = animation.motion
    drawn = _drawn(animation)
    ways = zip(drawn_as(motion).tolist(), motion.props.course.tolist(), motion.props.lead.tolist(), strict=True)
    return [{"course": course, "lead": lead, "kind": kind, "look": next(drawn[kind])} for kind, course, lead in ways]


def _drawn(animation: Animation) -> dict[str, Iterator[list[Any]]]:
    """How the props of each kind look, one after the other: their rows in a scene, less where they are."""
    scene = animation.scene(0.0)
    club_rows = PARTS * int((drawn_as(animation.motion) == "club").sum())
    clubs = scene.capsules[len(scene.capsules) - club_rows :].reshape(-1, PARTS, 12)
    return {
        "ball": (_rounded(row[3:]) for row in scene.spheres),
        "square": (_rounded(row[3:]) for row in scene.boxes),
        "ring": (_rounded(row[[3, 7, 8, 9, 10, 11]]) for row in scene.rings),
        "club": ([[*ends, *_rounded(row[_LOOK])] for ends, row in zip(_ALONG, club, strict=True)] for club in clubs),
    }


def _rounded(numbers: Singles) -> list[float]:
    return [round(float(number), 6) for number in numbers]


_NO_WEIGHT = 1e-6
# Radii, colour and gloss in the row of a round cone.
_LOOK = [3, 7, 8, 9, 10, 11]
_AXIS, _WHITE = np.array([[[0.0, 0.0, 1.0]]]), np.ones((1, 3), dtype=np.float32)
# Where the parts of a club begin and end, from its centre toward its top, [m].
_ALONG = [
    (round(float(row[2]), 6), round(float(row[6]), 6))
    for row in club_capsules(np.zeros((1, 1, 3)), _AXIS, np.ones(1), _WHITE)[0]
]
