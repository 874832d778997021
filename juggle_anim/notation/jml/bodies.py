"""Body positions: from a JML document to a choreography and back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import BodyKeyframes
from juggle_anim.choreography.places import circle
from juggle_anim.notation.jml.document import JmlPattern, JmlPosition
from juggle_anim.notation.jml.symmetry_expansion import SAME_PLACE, SAME_TIME
from juggle_anim.notation.settings.moves import STANDING

# Places and turns that differ by less are one, [m] and [rad].
_SAME = 1e-9


def body_keys(pattern: JmlPattern) -> BodyKeyframes:
    """The places of a document; a juggler without any stands where jugglers usually stand.

    Raises:
        FileError: a juggler is at two places at once.
    """
    standing, facing = circle(pattern.jugglers)
    listed: list[list[JmlPosition]] = [[] for _ in range(pattern.jugglers)]
    for position in pattern.positions:
        listed[position.juggler].append(replace(position, time=_wrapped(position.time, pattern.delay)))
    rows: list[tuple[int, float, Floats, float]] = []
    for juggler, positions in enumerate(listed):
        if not positions:
            rows.append((juggler, 0.0, standing[juggler], float(facing[juggler])))
        for position in _once(positions):
            x, y, z = position.place
            place = np.array([-x, z - STANDING, y]) / 100
            rows.append((juggler, position.time, place, np.radians(position.angle)))
    return BodyKeyframes(
        time=np.array([row[1] for row in rows]),
        juggler=np.array([row[0] for row in rows], dtype=np.intp),
        position=np.array([row[2] for row in rows]),
        facing=np.array([row[3] for row in rows]),
    )


def positions(bodies: BodyKeyframes) -> tuple[JmlPosition, ...]:
    """The places of bodies that do not just stand where jugglers usually stand."""
    standing, facing = circle(int(bodies.juggler[-1]) + 1)
    away = np.abs(bodies.position - standing[bodies.juggler]).max(axis=1, initial=0.0) > _SAME
    away |= np.abs(bodies.facing - facing[bodies.juggler]) > _SAME
    # The only place that JML does not need is that of a juggler with no other.
    away |= (bodies.time > 0) | (np.bincount(bodies.juggler)[bodies.juggler] > 1)
    rows = np.flatnonzero(away)
    return tuple(_position(bodies, int(row)) for row in rows[np.argsort(bodies.time[rows], kind="stable")])


def _once(positions: list[JmlPosition]) -> list[JmlPosition]:
    """A juggler's positions sorted; that of the loop's end, if it is written, is that of its start."""
    kept: list[JmlPosition] = []
    for position in sorted(positions, key=lambda position: position.time):
        if not kept or position.time - kept[-1].time >= SAME_TIME:
            kept.append(position)
        elif not _same(position, kept[-1]):
            where = f"at the time {position.time:.6g}, here and in line {kept[-1].location.line}"
            reason = f"juggler {position.juggler + 1} is at two places {where}"
            raise position.location.error(reason, "one place at a time")
    return kept


def _wrapped(time: float, delay: float) -> float:
    within = time % delay
    return 0.0 if delay - within < SAME_TIME else within


def _same(one: JmlPosition, other: JmlPosition) -> bool:
    near = max(abs(a - b) for a, b in zip(one.place, other.place, strict=True)) < SAME_PLACE
    return near and abs((one.angle - other.angle + 180) % 360 - 180) < SAME_PLACE


def _position(bodies: BodyKeyframes, row: int) -> JmlPosition:
    left, up, forward = (float(part) for part in bodies.position[row])
    place = (-100 * left, 100 * forward, 100 * up + STANDING)
    angle = float(np.degrees(bodies.facing[row]))
    return JmlPosition(float(bodies.time[row]), int(bodies.juggler[row]), place, angle)
