"""A web page that plays a pattern in any browser, without a network: orbit, pause, speed and
chicken wing.

Its shaders are the program's own, converted from OpenGL 3.3 to OpenGL ES 3.0. Another page, such as
a notebook, can hold the whole of it in a tag.

The data of a web page: one loop of an animation as numbers, how things look, and the rules that
pose arms.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Singles
from juggle_anim.atomic_file import atomic_file
from juggle_anim.body import (
    ARM_RULES,
    BONE_RULES,
    CLEARANCE_RULES,
    DEFAULT_SOLVER,
    DIGIT_JOINTS,
    FOREARM,
    HAND_RULES,
    JOINTS,
    NATURAL_RULES,
    POLE,
    SKELETON_RULES,
    SOLVERS,
    UPPER_ARM,
    VOLUME_RULES,
    Arm,
    Joint,
    from_shoulders_to_wrists,
    hand_digits,
    hand_turns,
    resting_direction,
)
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.models.tracks import with_contacts
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Progress, WriteOptions
from juggle_anim.exporter.resume import claim
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.language import _, language
from juggle_anim.motion import FACING, HELD, PLACE, TURN, aim_directions, ring_axes, steady_aims
from juggle_anim.notation import record_of
from juggle_anim.parameters import quantity_named, row_named
from juggle_anim.resources import resource
from juggle_anim.scene import (
    CLUB_BENDS,
    CLUB_DEFINES,
    CLUB_PARTS,
    FILL_DIRECTION,
    FREE_BELOW,
    MARGIN,
    PENUMBRA,
    PERSON,
    SEE_THROUGH,
    SEE_THROUGH_OPACITY,
    Ball,
    Cone,
    Ring,
    Sphere,
    Stage,
    brightness,
    club_capsules,
    drawn_kinds,
    figure_capsules,
    light_axes,
    lighten_on_dark_stage,
    low_detail_capsules,
    people_girths,
    people_indices,
    people_paint,
    people_worn,
    prop_rows,
)
from juggle_anim.scene.skin import (
    AROUND_EYES,
    BROW,
    BROWS_FOLLOW,
    CASTING,
    EYES,
    EYES_BACK,
    FINER_FROM,
    HEAD,
    LID_FOLLOWS,
    LIDS,
    LIDS_CLOSE,
    OCCLUDER_RADII,
    OCCLUDERS,
    PARTS,
    SUMS,
    TWIST_MIDDLES,
    TWISTED,
    TWISTED_BETWEEN,
    UNIT,
    SkinLevel,
    load_skin,
    outward,
    parts_worn,
    worn_number,
)
from juggle_anim.vectors import rotate_about_y

JsonObject = dict[str, Any]
"""An object of JSON: values by name."""

BODIES_A_SECOND = 120.0
PROPS_A_SECOND = 300.0
"""Sample rates of a page, [1/s]; it interpolates bodies with cubics, and props linearly, which is
right to 0.4 mm where bodies turn as fast as people do.
"""

POSED_JOINTS = tuple(
    joint
    for joint in Joint
    if joint not in DIGIT_JOINTS and not joint.name.endswith(("ELBOW", "WRIST", "PALM"))
)
"""The joints in the page's data; the page computes the others from the chicken wing."""

_MIN_WEIGHT = 1e-6  # of a joint in the end of a limb

# The columns of a prop, or of a part of a club, that are not positions or directions.
_BALL_COLUMNS = np.r_[Ball.RADIUS, Ball.COLOUR, Ball.GLOSS, Ball.TONE]
_SQUARE_COLUMNS = np.r_[Sphere.RADIUS, Sphere.COLOUR, Sphere.GLOSS]
_RING_COLUMNS = np.r_[Ring.RADIUS, Ring.HOLE : Ring.WIDTH]  # also those that are not used
_CLUB_COLUMNS = np.r_[Cone.START_RADIUS, Cone.END_RADIUS, Cone.COLOUR, Cone.GLOSS]

_FORWARD = np.array([[[0.0, 0.0, 1.0]]])
_WHITE = np.ones((1, 3), dtype=np.float32)

# Start and end of a club's parts, from its centre toward its top, [m].
_CLUB_PART_SPANS = [
    (round(float(row[2]), 6), round(float(row[6]), 6))
    for row in club_capsules(np.zeros((1, 1, 3)), _FORWARD, np.ones(1), _WHITE)[0]
]

_RULES_BY_PART = {
    "skeleton": SKELETON_RULES,
    "bones": BONE_RULES,
    "hand": HAND_RULES,
    "arm": ARM_RULES,
    "natural": NATURAL_RULES,
    "bulk": VOLUME_RULES,
    "clearance": CLEARANCE_RULES,
}


LEAST_ROWS = 8
"""A loop has at least so many rows."""

_MAX_16_BIT = 65_535

# Columns that change by less count as constant.
_CONSTANT_BELOW = 1e-9


def page_data(request: FrameRequest, coarser: int = 1) -> JsonObject:
    """Return all data of a web page that shows one animation, as JSON values.

    Args:
        request: the animation, with view and start time.
        coarser: the factor by which tables over time have fewer rows than by default, 1 or more.

    Returns:
        The data of the pattern, from `pattern_data`, and what is the same for all patterns: the
        constants by which the scripts pose bodies, under "rules", and, if bodies with a skin are
        shown, their shapes, under "skin".
    """
    data = pattern_data(request, coarser)
    if data["skin"]:
        people = people_worn(request.animation.look.people, request.animation.num_jugglers)
        data["skin"] |= skin_data(*np.unique(people).tolist())
    return {**data, "rules": body_rules()}


def pattern_data(request: FrameRequest, coarser: int = 1) -> JsonObject:
    """Return the data of one animation for the page's script, as JSON values.

    Times are in [s] of the pattern, lengths in [m], and angles in [rad] unless stated otherwise.

    Args:
        request: the request with the animation, view and start time.
        coarser: divides the number of rows of the tables, 1 or more.
    """
    animation = request.animation
    parameters = animation.parameters
    return {
        "title": animation.title,
        "loop": animation.duration,
        "start": float(request.times[0]),
        "speed": parameters.speed,
        "givesWay": animation.motion.palms.give_way,
        "bendsByPlan": animation.motion.palms.bend_by_plan,
        "wings": list(parameters.wings),  # chicken wing of the left and the right arm, [°]
        "wingSliders": [_slider(name) for name in ("chicken_wing", "left_wing", "right_wing")],
        "jugglers": animation.num_jugglers,
        "joints": [int(joint) for joint in POSED_JOINTS],  # those that the rows of "bodies" have
        "jointNumbers": {joint.name: int(joint) for joint in Joint},
        "solved": parameters.arms == DEFAULT_SOLVER,  # whether the page itself solves arms
        "timelines": timelines(animation, PROPS_A_SECOND / coarser),  # motion of props
        **looks(animation),
        **planned_data(request, coarser),
    }


def planned_data(request: FrameRequest, coarser: int = 1) -> JsonObject:
    """Return the data of bodies and camera for the page's script, as JSON values.

    They depend on the body plan (how bodies move over the whole loop), which takes long.

    Args:
        request: the request with the animation, view and start time.
        coarser: divides the number of rows of the tables, 1 or more.
    """
    # Breath, sway and blinks also repeat after a loop, so that the page has no jump there.
    animation = request.animation.closing_after(1)
    rate = BODIES_A_SECOND / coarser
    return {
        "bodies": packed(_bodies(animation, rate)),
        "poles": _poles(animation, rate),
        "camera": _camera(request),
    }


def _bodies(animation: Animation, rate: float) -> Floats:
    """Return the bodies over a loop, shape (T, J · columns), at the T times of `_times`.

    The columns of a juggler, left before right, are: the place under its feet in the world (3), and
    sine and cosine of its turn about +y (2); then, in body coordinates, where hands hold props
    (2 · 3), turns of hands and held props as from `hand_turns`, and how digits are bent, from
    `hand_digits`, the `POSED_JOINTS` (3 each), a point 1 m from the head's middle towards where the
    eyes look (3), and how far lids are closed; and, where the page has no rule for elbows, their
    turn from the resting direction as sine and cosine (2 · 2).

    Args:
        animation: animation whose bodies they are.
        rate: rows a second of the pattern.
    """
    times = _times(animation, rate)
    motion = animation.motion
    jugglers = animation.num_jugglers
    body_places = motion.bodies.places(times)
    pose = animation.pose(times)
    hands = _in_body_space(motion.sample_hands(times), body_places)
    joints = _in_body_space(pose.joints, body_places)
    looked_at = _in_body_space(pose.joints[:, :, [Joint.HEAD]] + pose.gaze[:, :, None], body_places)
    # Jugglers who do the same may share a pose. Here each needs one, so nothing is shared.
    plan = replace(animation.plan, shared=None)
    hand_rotations = hand_turns(motion, plan, times)
    digits = hand_digits(plan, hand_rotations, times)
    facing = body_places[..., FACING, None]
    # Shapes (T, J, …), of which each is flattened to columns of a juggler.
    columns = [
        body_places[..., PLACE],
        np.sin(facing),
        np.cos(facing),
        hands,
        np.concatenate([hand_rotations[..., TURN], hand_rotations[..., HELD], digits], axis=-1),
        joints[:, :, list(POSED_JOINTS)],
        looked_at,
        pose.lids[..., None],
    ]
    # The page itself solves arms as the default solver does, and no others.
    if animation.parameters.arms != DEFAULT_SOLVER:
        shoulders = joints[:, :, [Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]]
        columns.append(_elbow_turns(animation, hands, hand_rotations, shoulders))
    flattened = [column.reshape(len(times), jugglers, -1) for column in columns]
    return np.concatenate(flattened, axis=2).reshape(len(times), -1)


def _poles(animation: Animation, rate: float) -> JsonObject | None:
    """Return the poles of elbows, see `toward_poles`; None if elbows are where they are at ease.

    The columns are left and right of each juggler (3 each), the packed rows at the times of
    `_times`.
    """
    arms = animation.plan.arms
    if arms is None or animation.parameters.arms != DEFAULT_SOLVER:
        return None
    poles = arms.at(_times(animation, rate))[..., POLE]
    return packed(poles.reshape(len(poles), -1))


def _times(animation: Animation, rate: float) -> Floats:
    """Return the times of rows over a loop, shape (T,) for T times, [s]."""
    count = max(LEAST_ROWS, round(animation.duration * rate))
    return np.arange(float(count)) * (animation.duration / count)


def _in_body_space(points: Floats, place: Floats) -> Floats:
    """Convert world points (T, J, N, 3) for T times and J jugglers and N points to the coordinates
    of each body.
    """
    return rotate_about_y(points - place[:, :, None, PLACE], -place[..., FACING, None])


def _elbow_turns(
    animation: Animation, hands: Floats, hand_rotations: Floats, shoulders: Floats
) -> Floats:
    """Return the outward angles of elbows from `resting_direction`, as sine and cosine.

    Args:
        animation: animation whose solver poses arms.
        hands: points where hands hold props, left before right, in body coordinates, shape (T, J,
            2, 3) for T times and J jugglers, [m].
        hand_rotations: turns, closing and grips of the hands, a row of channels for each hand,
            shape (T, J, 2, channels).
        shoulders: shoulders in body coordinates, left before right, shape (T, J, 2, 3), [m].

    Returns:
        Sine and cosine, shape (T, J, 2, 2); 0 and 0 if an arm is straight. The sign of the sine
        is mirrored on the right, so that both sides agree.
    """
    # Elbows from the solver, relative to shoulders; sides are 0 for left and 1 for right.
    gives_way = animation.motion.palms.give_way
    to_wrists = from_shoulders_to_wrists(hands, hand_rotations, shoulders, gives_way)
    side = np.array([0, 1])
    swivels = np.radians(animation.parameters.wings)
    solver = SOLVERS[animation.parameters.arms]
    arm = Arm(UPPER_ARM, FOREARM)
    elbows = solver(shoulders, shoulders + to_wrists, arm, side, swivels).elbow - shoulders
    # Their angle about the line from shoulder to wrist, counted from where elbows rest.
    axis = to_wrists / np.linalg.norm(to_wrists, axis=-1, keepdims=True)
    # `resting_direction` takes and returns vectors as columns, shape (3, N).
    rest = resting_direction(axis.reshape(-1, 3).T).T.reshape(axis.shape)
    sine = (np.cross(axis, rest) * elbows).sum(axis=-1)
    cosine = (rest * elbows).sum(axis=-1)
    length = np.maximum(np.hypot(sine, cosine), 1e-9)
    mirror = np.array([1, -1])  # left and right
    return np.stack([mirror * sine / length, cosine / length], axis=-1)


def _camera(request: FrameRequest) -> JsonObject:
    """Return the direction of the camera, and the points that it must frame, as JSON values.

    Azimuth (0 on the side of +z, then towards +x), elevation, and the vertical angle of view are in
    [rad]. The page computes the distance for its own window, so that all points are visible with a
    margin of "reach", [m].
    """
    camera = request.view.camera(request.animation, request.aspect)
    # From the target to the eye, [m].
    x, y, z = np.subtract(camera.eye, camera.target)
    points, reach = request.animation.extent
    return {
        "points": np.round(points, 5).tolist(),
        "reach": reach,
        "azimuth": math.atan2(x, z),
        "elevation": math.atan2(y, math.hypot(x, z)),
        "angle": camera.field_of_view,
        "mirrored": camera.mirrored,
        "orthographic": camera.orthographic,
    }


def _slider(name: str) -> JsonObject:
    row = quantity_named(name)
    return {"label": row.label, "low": row.slider[0], "high": row.slider[1], "step": row.step}


def looks(animation: Animation) -> JsonObject:
    """Return the appearance of limbs, props and stage, as JSON values for the page's script.

    "shown" are the jugglers who are drawn, by index from 0, and "people" the person that each of
    these is: an index into the paint of "limbs" and "skin", which have each person once.

    Args:
        animation: animation that the page shows.
    """
    look = animation.look
    stage = animation.look.stage
    jugglers = animation.num_jugglers
    bodies = _bodies_of(look.figure, stage, look.people, jugglers, look.palette.clothes)
    shown = look.shown_of(jugglers).tolist()
    return {
        **bodies,
        "shown": shown,
        "people": [bodies["people"][juggler] for juggler in shown],
        "veiled": look.figure == SEE_THROUGH,
        "veil": SEE_THROUGH_OPACITY,
        "props": _props(animation),
        "stands": [_rounded(row) for row in look.stands],
        "clubDefines": CLUB_DEFINES,
        "stage": {
            "light": light_axes(stage).tolist(),
            "penumbra": PENUMBRA,
            "colours": [stage.backdrop_top, stage.backdrop_bottom, stage.floor, stage.line],
            "margin": MARGIN,
            "standing": FREE_BELOW,
            "scenery": stage.scenery,
            "behind": brightness(stage),
            "fillDirection": FILL_DIRECTION,
            **{light: getattr(stage, light) for light in ("key", "sky", "ground", "fill", "rim")},
        },
    }


@lru_cache(maxsize=8)  # one pattern after another has the same people
def _bodies_of(
    figure: str, stage: Stage, people: str, jugglers: int, saturation: float
) -> JsonObject:
    """Return how the bodies of some jugglers look, as JSON values: members of `looks`.

    Args:
        figure, stage, people: as of `Look`.
        jugglers: how many there are.
        saturation: of clothes, 0 (grey) to 1.
    """
    # Jugglers who are the same person share their looks. `first` has the first juggler of each
    # person, and `person_of` the person of each juggler.
    _, first, person_of = np.unique(
        people_indices(people, jugglers), return_index=True, return_inverse=True
    )
    paint = people_paint(people, jugglers, saturation)[first]
    worn = people_worn(people, jugglers)[first]
    girths = people_girths(people, jugglers)[first]
    return {
        "people": person_of.tolist(),
        "limbs": _limbs(figure, stage, paint),
        "skin": _skin_differences(paint, worn.tolist(), girths) if figure == PERSON else None,
    }


def _limbs(figure: str, stage: Stage, paint: Singles) -> list[JsonObject]:
    """Return each limb as JSON values: how its ends follow from joints, radii [m], and paint.

    An end is a weighted sum of all joints and of the up vector, [m]. The weights are found with
    test bodies: with joint j at x = 1 m and all others at 0, the x of an end is the weight of joint
    j; with all joints at 0, the y of an end is the weight of the up vector.

    Args:
        figure, stage: as of `Look`.
        paint: paint of each person, a row of colour and gloss for each of `COVERS`.
    """
    # Body j has joint j at x = 1 m and all others at 0; the last one has all at 0.
    joints = np.zeros((JOINTS + 1, len(paint), JOINTS, 3))
    joints[np.arange(JOINTS), :, np.arange(JOINTS), 0] = 1.0
    # Limbs of a smooth body are those of its sketch, which only casts shadows.
    sketched = low_detail_capsules if figure == PERSON else figure_capsules
    capsules = sketched(joints, figure, paint).reshape(JOINTS + 1, -1, Cone.WIDTH)
    rows = lighten_on_dark_stage(stage, capsules, figure).reshape(
        JOINTS + 1, len(paint), -1, Cone.WIDTH
    )
    # Shape (test bodies, people, limbs, columns of `Cone`). The ends and radii are the same for all
    # people, so those of person 0 are read.
    test_bodies = rows[:JOINTS, 0]
    still = rows[JOINTS]

    def end_weights(limb: int, end: slice) -> list[tuple[int, float]]:
        """Return the weights of an end of a limb, the columns `Cone.START` or `Cone.END`."""
        of_joints = test_bodies[:, limb, end][:, 0]
        of_up = still[0, limb, end][1]
        return _weights([*of_joints, of_up])

    return [
        {
            "start": end_weights(limb, Cone.START),
            "end": end_weights(limb, Cone.END),
            "radii": _rounded(still[0, limb, Cone.RADII]),
            "paint": [_rounded(row) for row in still[:, limb, Cone.PAINT]],
        }
        for limb in range(rows.shape[2])
    ]


def _skin_differences(paint: Singles, worn: list[int], girths: Floats) -> JsonObject:
    """Return in which respects the bodies of persons differ, for the page's data in JSON.

    Args:
        paint: paint of each person, shape (people, covers, 4), colour and gloss for each of
            `COVERS`.
        worn: the clothes of each person, a number whose bit n is set for part n of
            `scene.skin.PARTS`.
        girths: girths of each person's bones, shape (people, bones, 3).

    Returns:
        A list with an item for each person under each key: `paint` (rows of colour and gloss),
        `worn` (names of parts) and `girths`.
    """
    return {
        "paint": [[_rounded(row) for row in rows] for rows in paint],
        "worn": [parts_worn(number) for number in worn],
        "girths": girths.round(4).tolist(),
    }


def skin_data(*worn: int) -> JsonObject:
    """Return the smooth body that all people share, as JSON values for the page's script.

    Members say how the joints of a person carry the skin ("sums", "between", "twistMiddles",
    "rest"), where the head, eyes and lids are among its parts, the solids that block ambient light
    ("occluders"), which parts cast shadows, and the surface itself in several levels of detail.

    Args:
        worn: the clothes of each person, a number whose bit n is set for part n of
            `scene.skin.PARTS`; the surface has these parts only.
    """
    return {
        "sums": [_weights(row) for row in SUMS.tolist()],
        "between": np.column_stack([TWISTED, TWISTED_BETWEEN]).tolist(),
        "twistMiddles": TWIST_MIDDLES.tolist(),
        "rest": load_skin().skeleton.joints.tolist(),
        "head": HEAD,
        "aroundEyes": _starts(AROUND_EYES),
        "eyes": [*range(EYES.start, EYES.stop)],
        "lids": {
            "rows": [*range(LIDS.start, LIDS.stop)],
            "follow": LID_FOLLOWS,
            "brow": BROW,
            "rise": BROWS_FOLLOW,
            "close": LIDS_CLOSE,
            "back": EYES_BACK,
        },
        "occluders": [
            (*ends, radius) for ends, radius in zip(OCCLUDERS.tolist(), OCCLUDER_RADII, strict=True)
        ],
        "casting": CASTING,
        "levels": _skin_levels(*worn),
    }


def _skin_levels(*worn: int) -> list[JsonObject]:
    """Return the surface of the smooth body in all levels of detail but the finest, finer first.

    "from" is the least scale at which a level is drawn, [pixels per metre].

    Args:
        worn: the clothes of each person, a number whose bit n is set for part n of
            `scene.skin.PARTS`; the surface has these parts only.
    """
    return [
        {"from": least, **_skin_level(level.wearing(*worn))}
        for least, level in zip((FINER_FROM[0], 0), load_skin().levels[1:], strict=True)
    ]


def _starts(bones: slice) -> list[list[float]]:
    """Return the numbers of bones, each with where it begins at rest, [m]."""
    starts = load_skin().skeleton.starts
    return [[bone, *starts[bone].tolist()] for bone in range(bones.start, bones.stop)]


def _skin_level(level: SkinLevel) -> JsonObject:
    """Return the arrays of a level of detail by name, in base64, with its unit and parts.

    "unit" is the length of 1 in the points, [m]. The triangles are those of the body, then those of
    each part that people wear; "parts" has where each of these begins, and last where all end.
    "corners" has the same for the points, as each part has points of its own. Points at one place
    have the same number in "places".
    """
    # A part without triangles ends where the one before does.
    by_part = np.split(level.triangles.astype(int), level.parts[:-1])
    ends = np.maximum.accumulate([0, *(part.max(initial=-1) + 1 for part in by_part)])
    _, places = np.unique(level.points, axis=0, return_inverse=True)
    arrays = {**vars(level), "outward": outward(level), "places": places.astype(np.uint16)}
    texts = {name: _in_base64(array) for name, array in arrays.items()}
    begins = {"parts": [0, *level.parts.tolist()], "corners": ends.tolist()}
    return {"unit": UNIT, **texts, **begins}


def _weights(numbers: Sequence[float]) -> list[tuple[int, float]]:
    """Return the index and weight of each joint whose weight is not 0."""
    return [
        (joint, round(float(weight), 6))
        for joint, weight in enumerate(numbers)
        if abs(weight) > _MIN_WEIGHT
    ]


def _props(animation: Animation) -> list[JsonObject]:
    """Return the props as JSON values: timeline and lead on it [s], kind, shader inputs, marker.

    A timeline is the path that several props follow, each ahead by its own lead. "colour", sRGB,
    and "reach", [m], are those of the marker on a prop.
    """
    motion = animation.motion
    # An iterator for each kind, in the order of its props, from which `next` takes the inputs of
    # one prop after another.
    looks_of_kind = _looks_by_kind(animation)
    rows = zip(
        drawn_kinds(motion).tolist(),
        motion.props.path_of_prop.tolist(),
        motion.props.lead.tolist(),
        animation.prop_colours.round(4).tolist(),
        motion.shapes.reach.round(4).tolist(),
        strict=True,
    )
    return [
        {
            "timeline": timeline,
            "lead": lead,
            "kind": kind,
            "look": next(looks_of_kind[kind]),
            "colour": colour,
            "reach": reach,
        }
        for kind, timeline, lead, colour, reach in rows
    ]


def _looks_by_kind(animation: Animation) -> dict[str, Iterator[list[Any]]]:
    """Return, for each kind of prop, an iterator of the shader inputs of its props, in order.

    An item is the row of a prop in a scene without positions and directions, which the page
    computes itself; for a club, a row for each of its parts.

    Args:
        animation: the animation with the props.
    """
    frames = animation.motion.sample(np.zeros(1))
    rows = prop_rows(frames, animation.motion, animation.prop_colours)
    clubs = rows.clubs[0].reshape(-1, CLUB_PARTS, Cone.WIDTH)
    return {
        "ball": (_rounded(row[_BALL_COLUMNS]) for row in rows.balls[0]),
        "square": (_rounded(row[_SQUARE_COLUMNS]) for row in rows.boxes[0]),
        "ring": (_rounded(row[_RING_COLUMNS]) for row in rows.rings[0]),
        "club": map(_club_look, clubs),
    }


def _club_look(parts: Singles) -> list[list[float]]:
    """Return the shader inputs of each part of a club.

    They are its start and end from the club's centre, [m], radii, colour and gloss, and its bends.

    Args:
        parts: rows of `Cone`, shape (`CLUB_PARTS`, `Cone.WIDTH`).
    """
    return [
        [*span, *_rounded(row[_CLUB_COLUMNS]), *_rounded(bend)]
        for span, row, bend in zip(_CLUB_PART_SPANS, parts, CLUB_BENDS, strict=True)
    ]


def _rounded(numbers: Singles) -> list[float]:
    return [round(float(number), 6) for number in numbers]


def body_rules() -> dict[str, JsonObject]:
    """Return the constants by which the page's scripts pose bodies, by part of the body and name.

    They are JSON values: numbers, or lists of numbers.
    """
    return {
        part: {name: np.asarray(rule).tolist() for name, rule in rules.items()}
        for part, rules in _RULES_BY_PART.items()
    }


def timelines(animation: Animation, rate: float) -> list[JsonObject]:
    """Return the motion of props as tables, one for each timeline.

    A timeline is a periodic path that several props follow, each with its own lead. Rows are at
    even time steps, the last a full period after the first, and at contacts between these.

    Args:
        animation: animation whose props are written.
        rate: even rows a second.

    Returns:
        For each timeline, ascending by "number": its "period" [s]; "over", whether a club returns
        turned over; "contacts", the times since the period's start of the rows that are not at even
        steps, [s]; and "table", whose columns are the position, x, y and z [m], and then yaw and
        pitch of a ball [rad], or a unit vector of a ring or club.
    """
    return [
        _timeline(animation, int(timeline), rate)
        for timeline in np.unique(animation.motion.props.path_of_prop)
    ]


def _timeline(animation: Animation, timeline: int, rate: float) -> JsonObject:
    """Return the motion along a timeline, as a member of `timelines`.

    Args:
        animation: animation whose props are written.
        timeline: index of the path of props.
        rate: even rows a second.
    """
    motion = animation.motion
    # The first prop on the timeline is sampled; its own time is that of the timeline less its lead.
    prop = int(np.flatnonzero(motion.props.path_of_prop == timeline)[0])
    kind = motion.shapes.kind[prop]
    period = float(motion.props.paths.periods[timeline])
    lead = float(motion.props.lead[prop])
    # The last row is a full period after the first: a club may return turned over.
    even_times = np.arange(max(LEAST_ROWS, round(period * rate)) + 1.0)
    even_times *= period / even_times[-1]
    times = with_contacts(even_times, motion.props.contacts(prop, -lead, period - lead) + lead)
    contacts = times[~np.isin(times, even_times)]
    # The last row is sampled just before the end of the period, since there the next round begins,
    # in which a club may be turned over.
    times[-1] -= 1e-9 * period
    props = np.full(len(times), prop)
    places = motion.places(props, times - lead)
    columns = [places.centres]
    if drawn_kinds(motion)[prop] == "ball":
        columns.append(steady_aims(motion.ball_aims(props, times - lead, places.holders)))
    elif places.aims is not None:
        columns.append(_axes(places.aims, kind))
    is_turned_over = motion.spin is not None and motion.spin.turned_over[timeline]
    return {
        "number": timeline,
        "period": period,
        "over": bool(is_turned_over and kind == "club"),
        "contacts": np.round(contacts, 7).tolist(),
        "table": packed(np.hstack(columns)),
    }


def _axes(aims: Floats, kind: str) -> Floats:
    """Return directions of props, unit vectors of shape (N, 3) for N props.

    That of a club points to its top; that of a ring is at right angles to its plane, and level.

    Args:
        aims: yaw (from +z toward +x) and pitch, shape (N, 2), [rad].
        kind: "club" or "ring", as in the motion.
    """
    if kind == "ring":
        return ring_axes(aims[:, 0])
    return aim_directions([aims])


def packed(table: Floats) -> JsonObject:
    """Return a table as JSON values, with 16 bits a number.

    The error of a number is at most 1/131,070 of its column's range.

    Args:
        table: shape (N, C) for N rows and C columns, with at least one row.

    Returns:
        "rows" is N. For each column, "low" is its least number and "step" the size of one unit, 0
        if the column is constant, so that a number is low + step · integer. "data" has all columns
        that are not constant, one after the other, as unsigned little-endian integers of 16 bits,
        in base64.
    """
    # Each column is scaled to its own range; constant ones need no data.
    low = table.min(axis=0)
    high = table.max(axis=0)
    varies = high - low > _CONSTANT_BELOW
    step = np.where(varies, (high - low) / _MAX_16_BIT, 0.0)
    numbers = np.rint((table[:, varies] - low[varies]) / step[varies]).astype("<u2")
    return {
        "rows": len(table),
        "low": low.tolist(),
        "step": step.tolist(),
        "data": _in_base64(numbers.T),
    }


def _in_base64(array: NDArray[Any]) -> str:
    """Return the numbers of an array, row by row, in base64."""
    return base64.b64encode(array.tobytes()).decode("ascii")


MAX_BYTES = 1_600_000
"""The greatest size of a page, so that it is easy to send and opens at once."""

MAX_ROUTINE_BYTES = 6_000_000
"""The same for a routine, which has minutes to show and nothing that repeats."""

_SHARED = ("vectors", "table", "pace", "skin_level", "outline")

PLAYER = (
    "hands", "elbows", "clearance", "figure", "props", "framing", "frame", "shapes", "bones",
    "skin", "stage", "view", "marks", "player",
)  # fmt: skip
"""Scripts that play one animation, in the order in which they are loaded.

They come after those of `_SHARED`, which know nothing of it.
"""

SCRIPTS = (*_SHARED, *PLAYER, "controls", "start")
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
        force: whether an existing file may be replaced; if not, it is an error.
        progress: called with 1 and 1 when the page is written.
        options: with `resume`, an existing file is kept if it is complete and of this same export.

    Raises:
        ParameterError: supersampling or blur is requested.
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
    """Return a web page in UTF-8, with movements sampled as finely as the limit of its size allows.

    The limit is `MAX_ROUTINE_BYTES` for a routine and `MAX_BYTES` for all else.

    Args:
        request: its animation, view and start are shown.
        metadata: text for the file to carry.
        path: the file that the error names.

    Raises:
        ExportError: the page is too large even when it is sampled most coarsely.
    """
    max_bytes = MAX_ROUTINE_BYTES if request.animation.score.routine else MAX_BYTES
    # Factors by which movements are sampled more coarsely than usual, ascending.
    for coarser in _COARSENESS:
        data = {**page_data(request, coarser), "shaders": shaders()}
        page = page_html(request.animation.title, metadata, data).encode()
        if len(page) <= max_bytes:
            return page
    animation = request.animation
    who = (
        _("{jugglers} jugglers", jugglers=animation.num_jugglers)
        if animation.num_jugglers > 1
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


def page_html(title: str, metadata: str, data: JsonObject) -> str:
    """Return the HTML of the page, with words in the user's language.

    Args:
        title: any text, which is escaped.
        metadata: text for the file to carry, which is escaped.
        data: the data for the scripts as JSON values: that of `page_data`, and the shaders.
    """
    script = _script()
    style = _file_text("page.css")
    # The browser may use only this script and this style, known by their hashes, and load nothing.
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
    """Return all scripts of a page in one scope of their own: three.js, then those in `SCRIPTS`.

    Our scripts share `given`, the data that the page holds as JSON, and its `rules`.
    """
    header = (
        'const given = JSON.parse(document.getElementById("given").textContent), { rules } = given;'
        " let before = null;"
    )
    script = _with_three(f"{header}\n{_scripts(SCRIPTS)}")
    # A script must not contain its own end tag, or the start of an HTML comment.
    return re.sub(r"<(?=/script|!--)", r"\\x3c", script, flags=re.IGNORECASE)


def player_script() -> str:
    """Return the script of a page that shows one animation after another on one canvas.

    Its function `openPlayer` takes the canvas, the data from `pattern_data` with `fixed_data`, and
    the player before, which must be closed then; it returns a player that plays.
    """
    header = "window.openPlayer = (canvas, given, before = null) => {\nconst { rules } = given;"
    # Browsers compile a function to fast code again each time that it is created, so functions that
    # need no `given` are created only once.
    shared = _scripts(_SHARED)
    script = _with_three(f"{shared}\n{header}\n{_scripts(PLAYER)}\nreturn play(canvas);\n}};")
    # This line tells browsers to compile all functions while the script loads, not at first call.
    return f"//# allFunctionsCalledOnLoad\n{script}"


def fixed_data() -> JsonObject:
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


def _json(data: JsonObject) -> str:
    """Return JSON in ASCII without any characters of HTML tags."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _file_text(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


@cache
def shaders() -> dict[str, str]:
    """Return each shader's source by file name, as OpenGL ES 3.0 without the line `#version`.

    They are shaders of the window, and a few that only the page has. Included files are pasted in.
    """
    pairs = [f"{name}.{stage}" for name in _SHADER_PAIRS for stage in ("vert", "frag")]
    # OpenGL ES has no default precision for these types in fragment shaders; vertex shaders get the
    # same lines.
    precision = "".join(f"precision highp {kind};\n" for kind in ("float", "int", "sampler2D"))
    sources = {name: precision + _shader_text(name) for name in (*pairs, *_SINGLE_SHADERS)}
    # The page's shaders are complete, except for the skin's, which lacks what vertex shaders of the
    # window include.
    sources |= {name: _file_text(name) for name in ("strip.vert", "backdrop.frag", "skin.vert")}
    included = "".join(_shader_text(f"{name}.glsl") for name in ("frame", "pixel", "shade"))
    sources["skin.vert"] = precision + included + sources["skin.vert"]
    return sources


def _shader_text(name: str) -> str:
    text = (files("juggle_anim") / "render" / "shaders" / name).read_text(encoding="utf-8")
    # Without comments, as a page holds what is included many times.
    text = re.sub(r" *//.*", "", text.replace("#version 330 core\n", ""))
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
        title: title of the pattern, any text.
        page: the text of the page.
    """
    # The width is the most that it takes, [pixels].
    width, height = SIZE
    about = _("{title}, juggled in 3D", title=title)
    style = f"width:100%;max-width:{width}px;height:{height}px;border:0"
    return (
        f'<iframe title="{html.escape(about)}" sandbox="allow-scripts" style="{style}" '
        f'srcdoc="{html.escape(page)}"></iframe>'
    )
