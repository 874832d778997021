"""What a page is told: one loop of an animation as numbers, how things look, and how arms are posed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.body.arm import from_shoulders_to_wrists
from juggle_anim.body.arms.arm import Arm
from juggle_anim.body.arms.natural import resting
from juggle_anim.body.arms.solvers import DEFAULT_SOLVER, SOLVERS
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.exporter.page.looks import looks
from juggle_anim.exporter.page.rules import body_rules
from juggle_anim.exporter.page.table import packed
from juggle_anim.exporter.shots import Shots
from juggle_anim.motion import pointing
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.motion.palms import CHANNELS
from juggle_anim.parameters import quantity_named
from juggle_anim.vectors import turned_about_y

BODIES_A_SECOND, PROPS_A_SECOND = 120.0, 240.0
"""How often a page knows where bodies and props are, [1/s]; cubics lie between bodies, straight lines between props."""

_LEAST_ROWS = 8

JOINTS = tuple(
    joint for joint in Joint if not joint.name.endswith(("ELBOW", "WRIST", "PALM", "FINGERS", "TIPS", "THUMB", "TIP"))
)
"""Those that a page is told; it finds the others itself, by the chicken wing."""


def contents(shots: Shots, coarser: int = 1) -> dict[str, Any]:
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
        "joints": [int(joint) for joint in JOINTS],
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
    parts = [place[..., PLACE], np.sin(turn), np.cos(turn), hands, turns, seen[:, :, list(JOINTS)]]
    if animation.parameters.arms != DEFAULT_SOLVER:
        sides = seen[:, :, [Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]]
        parts.append(_elbow_turns(animation, hands, turns, sides))
    return np.concatenate([part.reshape(count, jugglers, -1) for part in parts], axis=2).reshape(count, -1)


def _led(animation: Animation, rate: float) -> dict[str, Any] | None:
    """Which arms are led, by 2 · juggler + side, and how, as `juggle_anim.body.swivels` has it; None where none are."""
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


def _camera(shots: Shots) -> dict[str, Any]:
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
