"""Columns of tables: every joint and prop with its name and unit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.exporter.models.captured import Captured
from juggle_anim.exporter.models.names import joint_name, juggler_name, prop_name
from juggle_anim.exporter.shots import Shots
from juggle_anim.scene.compose import drawn_as

UNITS = {
    "time": "s",
    "joints": "m",
    "props": "m",
    "aims": "rad",
    "holders": "2 * juggler + side from 0, side 0 is left; -1 in flight",
}
"""What the numbers of a table are counted in. Aims are yaw, the turn about +y from +z, and pitch above the horizon."""

AXES = "+y is up, jugglers who are not turned face +z, their left is +x"


def column_names(shots: Shots, joints: bool = True) -> Iterator[str]:
    """The names of the columns of `column_values`, each with its unit."""
    yield "time [s]"
    if joints:
        for juggler in range(shots.animation.jugglers):
            for joint in Joint:
                yield from (f"{juggler_name(juggler)}_{joint_name(joint)}_{axis} [m]" for axis in "xyz")
    turning = shots.animation.motion.spin is not None
    for prop in range(shots.animation.choreography.props):
        yield from (f"{prop_name(prop)}_{axis} [m]" for axis in "xyz")
        if turning:
            yield from (f"{prop_name(prop)}_{angle} [rad]" for angle in ("yaw", "pitch"))
        yield f"{prop_name(prop)}_holder"


def column_values(some: Captured, joints: bool = True) -> Floats:
    """A row for each moment, shape (T, columns)."""
    frames, count = some.frames, len(some)
    aims = [] if frames.aims is None else [frames.aims]
    props = np.concatenate([frames.props, *aims, frames.holders[..., None]], axis=2)
    bodies = [some.joints.reshape(count, -1)] if joints else []
    return np.concatenate([some.times[:, None], *bodies, props.reshape(count, -1)], axis=1)


def column_formats(shots: Shots, joints: bool = True) -> list[str]:
    """How many digits each column is worth: micrometres and microradians."""
    return ["%d" if name.endswith("holder") else "%.6f" for name in column_names(shots, joints)]


def prop_looks(shots: Shots) -> list[dict[str, object]]:
    """What each prop looks like."""
    motion = shots.animation.motion
    kinds, colours = drawn_as(motion).tolist(), shots.animation.prop_colours.astype(float).round(4).tolist()
    return [
        {"name": prop_name(prop), "kind": kind, "diameter": float(size), "colour": colour}
        for prop, (kind, size, colour) in enumerate(zip(kinds, motion.shapes.size, colours, strict=True))
    ]
