"""What a page is told: one loop of an animation as numbers, how things look, and how arms are posed.

MERGED: Tables of numbers in few letters: two bytes for each, which a page unpacks.

MERGED: How jugglers, props and the stage of a page look: as they do everywhere.

MERGED: The numbers by which a page poses arms: those of the body, so that each stands in one place.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import JOINTS, Joint
from juggle_anim.body.arm import ARM_RULES, HAND_RULES, from_shoulders_to_wrists
from juggle_anim.body.arms.arm import BONE_RULES, Arm
from juggle_anim.body.arms.natural import NATURAL_RULES, resting
from juggle_anim.body.arms.solvers import DEFAULT_SOLVER, SOLVERS
from juggle_anim.body.clearance import BULK_RULES, CLEARANCE_RULES
from juggle_anim.body.skeleton import FOREARM, SKELETON_RULES, UPPER_ARM
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.motion import pointing
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.motion.palms import CHANNELS
from juggle_anim.parameters import quantity_named
from juggle_anim.render.transparent import SEE_THROUGH_OPACITY
from juggle_anim.render.uniforms import PENUMBRA, light_axes
from juggle_anim.scene.camera import MARGIN
from juggle_anim.scene.compose import Look, drawn_kinds
from juggle_anim.scene.figure import SEE_THROUGH, figure_capsules, lighten_on_dark_stage
from juggle_anim.scene.props import PARTS, club_capsules
from juggle_anim.vectors import turned_about_y

BODIES_A_SECOND, PROPS_A_SECOND = 120.0, 240.0
"""How often a page knows where bodies and props are, [1/s]; cubics lie between bodies, straight lines between props."""

_LEAST_ROWS = 8

POSED_JOINTS = tuple(
    joint for joint in Joint if not joint.name.endswith(("ELBOW", "WRIST", "PALM", "FINGERS", "TIPS", "THUMB", "TIP"))
)
"""Those that a page is told; it finds the others itself, by the chicken wing."""

_FINEST = 65_535

# Columns that change by less stay as they begin.
_STILL = 1e-9

_NO_WEIGHT = 1e-6

# Radii, colour and gloss in the row of a round cone.
_LOOK = [3, 7, 8, 9, 10, 11]

_AXIS, _WHITE = np.array([[[0.0, 0.0, 1.0]]]), np.ones((1, 3), dtype=np.float32)

# Where the parts of a club begin and end, from its centre toward its top, [m].
_ALONG = [
    (round(float(row[2]), 6), round(float(row[6]), 6))
    for row in club_capsules(np.zeros((1, 1, 3)), _AXIS, np.ones(1), _WHITE)[0]
]

_RULES = {
    "skeleton": SKELETON_RULES,
    "bones": BONE_RULES,
    "hand": HAND_RULES,
    "arm": ARM_RULES,
    "natural": NATURAL_RULES,
    "bulk": BULK_RULES,
    "clearance": CLEARANCE_RULES,
}


def contents(shots: FrameRequest, coarser: int = 1) -> dict[str, Any]:
    """What a page is told, as JSON can hold it.

    Args:
        shots: whose animation, view and beginning are shown.
        coarser: how many times fewer rows than usual the tables have.
    """
    animation, parameters = shots.animation, shots.animation.parameters
    return {
        "title": animation.title,
        "loop": animation.duration,
        "start": float(shots.times[0]),
        "speed": parameters.speed,
        "wings": list(parameters.wings),
        "wingSliders": [_slider(name) for name in ("chicken_wing", "left_wing", "right_wing")],
        "jugglers": animation.jugglers,
        "joints": [int(joint) for joint in POSED_JOINTS],
        "jointNumbers": {joint.name: int(joint) for joint in Joint},
        "solved": parameters.arms == DEFAULT_SOLVER,
        "bodies": packed(_bodies(animation, BODIES_A_SECOND / coarser)),
        "led": _led(animation, BODIES_A_SECOND / coarser),
        "courses": _courses(animation, PROPS_A_SECOND / coarser),
        "camera": _camera(shots),
        "rules": body_rules(),
        **looks(animation),
    }


def _bodies(animation: Animation, rate: float) -> Floats:
    """Rows over a loop; of each juggler in turn: place and the sine and cosine of its turn, then all seen from there:

    what the hands hold, how they are turned, joints, and, where no rule of the page finds elbows, which way they are
    from the resting direction, as sine and cosine.
    """
    times = _times(animation, rate)
    count, motion, jugglers = len(times), animation.motion, animation.jugglers
    place = motion.bodies.places(times)
    frames, joints = animation.sample(times), animation.pose(times).joints
    hands, seen = _seen(frames.hands, place), _seen(joints, place)
    turns = motion.palms.at(times).reshape(count, jugglers, 2, CHANNELS)
    turn = place[..., FACING, None]
    parts = [place[..., PLACE], np.sin(turn), np.cos(turn), hands, turns, seen[:, :, list(POSED_JOINTS)]]
    if animation.parameters.arms != DEFAULT_SOLVER:
        sides = seen[:, :, [Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]]
        parts.append(_elbow_turns(animation, hands, turns, sides))
    return np.concatenate([part.reshape(count, jugglers, -1) for part in parts], axis=2).reshape(count, -1)


def _led(animation: Animation, rate: float) -> dict[str, Any] | None:
    """The led arms, by 2 · juggler + side, and their splines as in `body.planning.swivels`; None without any."""
    swivels = animation.plan.swivels
    if swivels is None or animation.parameters.arms != DEFAULT_SOLVER:
        return None
    rows = swivels.track.at(_times(animation, rate))
    return {"arms": swivels.arms.tolist(), "table": packed(rows.reshape(len(rows), -1))}


def _times(animation: Animation, rate: float) -> Floats:
    count = max(_LEAST_ROWS, round(animation.duration * rate))
    return np.arange(float(count)) * (animation.duration / count)


def _seen(points: Floats, place: Floats) -> Floats:
    """Points (T, J, N, 3) of the world as they lie from each body."""
    return turned_about_y(points - place[:, :, None, PLACE], -place[..., FACING, None])


def _elbow_turns(animation: Animation, hands: Floats, turns: Floats, shoulders: Floats) -> Floats:
    """How far outward elbows are turned from where `resting` has them, as sine and cosine, shape (T, J, 2, 2)."""
    away = from_shoulders_to_wrists(hands, turns, shoulders)
    side, swivels = np.array([0, 1]), np.radians(animation.parameters.wings)
    solver = SOLVERS[animation.parameters.arms]
    elbows = solver(shoulders, shoulders + away, Arm(UPPER_ARM, FOREARM), side, swivels).elbow - shoulders
    axis = away / np.linalg.norm(away, axis=-1, keepdims=True)
    rest = np.moveaxis(resting(axis.reshape(-1, 3).T).reshape(3, *axis.shape[:-1]), 0, -1)
    sine, cosine = (np.cross(axis, rest) * elbows).sum(axis=-1), (rest * elbows).sum(axis=-1)
    length = np.maximum(np.hypot(sine, cosine), 1e-9)
    return np.stack([(1 - 2 * side) * sine / length, cosine / length], axis=-1)


def _courses(animation: Animation, rate: float) -> list[dict[str, Any]]:
    """Of each course of props: its period [s], where a prop on it is, and which way that points, round it once."""
    motion = animation.motion
    courses = []
    for course in np.unique(motion.props.course):
        prop = int(np.flatnonzero(motion.props.course == course)[0])
        period = float(motion.props.paths.periods[course])
        count = max(_LEAST_ROWS, round(period * rate))
        # The last row is a whole round after the first: a club may come back turned over.
        since = np.arange(count + 1) * (period / count)
        since[-1] -= 1e-9 * period
        places = motion.places(np.full(count + 1, prop), since - motion.props.lead[prop])
        columns = [places.centres]
        if places.aims is not None:
            columns.append(_axes(places.aims, motion.shapes.kind[prop]))
        over = bool(motion.spin and motion.spin.over[course] and motion.shapes.kind[prop] == "club")
        courses.append({"number": int(course), "period": period, "over": over, "table": packed(np.hstack(columns))})
    return courses


def _axes(aims: Floats, kind: str) -> Floats:
    """Which way props point, shape (N, 3): clubs to their tops, rings across their planes."""
    if kind == "ring":
        return np.stack([np.cos(aims[:, 0]), 0.0 * aims[:, 0], -np.sin(aims[:, 0])], axis=-1)
    return pointing([aims])


def _camera(shots: FrameRequest) -> dict[str, Any]:
    camera = shots.view.camera(shots.animation, shots.size[0] / shots.size[1])
    x, y, z = np.subtract(camera.eye, camera.target)
    points, reach = shots.animation.extent
    return {
        "points": np.round(points, 5).tolist(),
        "reach": reach,
        "azimuth": math.atan2(x, z),
        "elevation": math.atan2(y, math.hypot(x, z)),
        "angle": camera.field_of_view,
        "mirrored": camera.mirrored,
        "orthographic": camera.orthographic,
    }


def _slider(name: str) -> dict[str, Any]:
    row = quantity_named(name)
    return {"label": row.label, "low": row.slider[0], "high": row.slider[1], "step": row.step}


def packed(table: Floats) -> dict[str, Any]:
    """A table as JSON can hold it; each number is exact to 1/131,070 of what its column spans.

    Args:
        table: shape (N, C).

    Returns:
        How many `rows`; for each column the number that 0 stands for (`low`) and that one more adds (`step`, 0 where
        the column never changes); and in `data` all columns that change, one after the other, as whole numbers of 16
        bits with the low byte first, in base64.
    """
    low, high = table.min(axis=0), table.max(axis=0)
    varies = high - low > _STILL
    step = np.where(varies, (high - low) / _FINEST, 0.0)
    numbers = np.rint((table[:, varies] - low[varies]) / step[varies]).astype("<u2")
    data = base64.b64encode(np.ascontiguousarray(numbers.T).tobytes()).decode("ascii")
    return {"rows": len(table), "low": low.tolist(), "step": step.tolist(), "data": data}


def looks(animation: Animation) -> dict[str, Any]:
    """Limbs, props and stage, as JSON can hold them."""
    stage = animation.look.stage
    return {
        "limbs": _limbs(animation.look),
        "veiled": animation.look.figure == SEE_THROUGH,
        "veil": SEE_THROUGH_OPACITY,
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
    rows = lighten_on_dark_stage(look.stage, figure_capsules(joints, look.figure), look.figure)
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
    ways = zip(drawn_kinds(motion).tolist(), motion.props.course.tolist(), motion.props.lead.tolist(), strict=True)
    return [{"course": course, "lead": lead, "kind": kind, "look": next(drawn[kind])} for kind, course, lead in ways]


def _drawn(animation: Animation) -> dict[str, Iterator[list[Any]]]:
    """How the props of each kind look, one after the other: their rows in a scene, less where they are."""
    scene = animation.scene(0.0)
    club_rows = PARTS * int((drawn_kinds(animation.motion) == "club").sum())
    clubs = scene.capsules[len(scene.capsules) - club_rows :].reshape(-1, PARTS, 12)
    return {
        "ball": (_rounded(row[3:]) for row in scene.spheres),
        "square": (_rounded(row[3:]) for row in scene.boxes),
        "ring": (_rounded(row[[3, 7, 8, 9, 10, 11]]) for row in scene.rings),
        "club": ([[*ends, *_rounded(row[_LOOK])] for ends, row in zip(_ALONG, club, strict=True)] for club in clubs),
    }


def _rounded(numbers: Singles) -> list[float]:
    return [round(float(number), 6) for number in numbers]


def body_rules() -> dict[str, dict[str, Any]]:
    """What the page's scripts follow, by the part of the body and the name, as JSON can hold it."""
    return {part: {name: np.asarray(rule).tolist() for name, rule in rules.items()} for part, rules in _RULES.items()}
