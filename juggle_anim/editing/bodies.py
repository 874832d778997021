"""Editing bodies: where jugglers stand, how they are turned, and the keys of their path.

Keys of a juggler are numbered from 0 in the order of their times, as rows of
`animation.choreography.bodies`; places are in the world, x, y, z of the point under the feet, y
above 0 for a body that flies, [m].
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import BodyKeyframes, Choreography
from juggle_anim.editing.draft import Draft, events_of, symmetries_of, with_events
from juggle_anim.editing.limits import check_bounces, check_seconds, checked_place
from juggle_anim.editing.symmetry import SAME_TIME, Symmetry, time_apart
from juggle_anim.errors import EditError
from juggle_anim.language import _
from juggle_anim.vectors import wrap_angle

KEYS_APART = 0.02
"""Least time between two keys of a body, [s]; as in Juggling Lab."""

MAX_AWAY = 100.0
"""How far from the middle a body may be, [m]."""

_SAME_POSITION = 1e-4  # m, between a body and the image of another
_SAME_FACING = 1e-4  # rad, likewise


def move_body(
    draft: Draft,
    juggler: int,
    key: int = 0,
    position: Sequence[float] | None = None,
    facing: float | None = None,
    time: float | None = None,
    symmetric: bool = False,
) -> Draft:
    """Move or turn a body at one of its keys.

    Args:
        draft: what is edited.
        juggler: counted from 0.
        key: its number.
        position: where it is to be.
        facing: turn about +y, 0 faces +z, [rad].
        time: when, [s]; the nearest 0.02 s from the keys beside it counts. That of a single key
            means nothing.
        symmetric: whether other jugglers who throw alike move along, if all stand as they would
            turned around some point, or mirrored: two who face each other then stay face to face.

    Raises:
        EditError: there is no such juggler or key, the place is too far or below the floor, or a
            prop can no longer bounce in its time.
    """
    choreography = events_of(draft)
    bodies = choreography.bodies
    row = _row_of_key(choreography, juggler, key)
    times = bodies.time.copy()
    places = bodies.position.copy()
    facings = bodies.facing.copy()
    # Images are found before the key moves, while bodies are still symmetric.
    images = _key_images(choreography, row, symmetries_of(draft)) if symmetric else {}
    if position is not None:
        places[row] = _checked_feet(position)
    if facing is not None:
        facings[row] = _checked_turn(facing)
    keys_of_juggler = np.flatnonzero(bodies.juggler == juggler)
    if time is not None and len(keys_of_juggler) > 1:
        check_seconds(time)
        other_keys = keys_of_juggler[keys_of_juggler != row]
        gaps = (bodies.time[other_keys] - bodies.time[row]) % choreography.duration
        # The key before is the farthest one after, a loop earlier. A key that is nearer to another
        # already may stay, so that a delay of 0 is always allowed.
        earliest_delay = gaps.max() - choreography.duration + KEYS_APART
        latest_delay = gaps.min() - KEYS_APART
        times[row] += min(max(time - times[row], min(0.0, earliest_delay)), max(0.0, latest_delay))
    for image, motion in images.items():
        places[image], facings[image] = motion.of(places[row], float(facings[row]))
        times[image] += times[row] - bodies.time[row]
    return _with_sorted_keys(
        draft, choreography, BodyKeyframes(times, bodies.juggler, places, facings)
    )


def add_body_key(
    draft: Draft,
    juggler: int,
    time: float,
    position: Sequence[float] | None = None,
    facing: float | None = None,
) -> Draft:
    """Add a key to the path of a body.

    Args:
        draft: what is edited.
        juggler: counted from 0.
        time: when, [s].
        position, facing: as of `move_body`; by default as the body is then.

    Raises:
        EditError: there is no such juggler, another of its keys is within 0.02 s, or the place is
            too far.
    """
    choreography = events_of(draft)
    bodies = choreography.bodies
    loop = choreography.duration
    first = _row_of_key(choreography, juggler, 0)
    check_seconds(time)
    apart = (bodies.time[bodies.juggler == juggler] - time + loop / 2) % loop - loop / 2
    if np.abs(apart).min() < KEYS_APART - 1e-9:
        raise EditError(
            _(
                "another key of that body is within {keys_apart:g} s of {time:.3f} s; choose "
                "another time",
                keys_apart=KEYS_APART,
                time=time,
            )
        )
    # Where the body is at that time: x, y, z and facing. Without a motion its first key stands in.
    if draft.paths:
        present_place = draft.paths().body_place(juggler, time % loop)
    else:
        present_place = np.array([*bodies.position[first], bodies.facing[first]])
    place = present_place[:3] if position is None else _checked_feet(position)
    turn = present_place[3] if facing is None else _checked_turn(facing)
    keys = BodyKeyframes(
        np.append(bodies.time, time),
        np.append(bodies.juggler, juggler),
        np.vstack([bodies.position, place]),
        np.append(bodies.facing, turn),
    )
    return _with_sorted_keys(draft, choreography, keys)


def remove_body_key(draft: Draft, juggler: int, key: int) -> Draft:
    """Remove a key from the path of a body.

    Raises:
        EditError: there is no such juggler or key, or it is the only one.
    """
    choreography = events_of(draft)
    bodies = choreography.bodies
    row = _row_of_key(choreography, juggler, key)
    if (bodies.juggler == juggler).sum() == 1:
        raise EditError(
            _("the only key of a body says where it stands and cannot go; move it instead")
        )
    is_kept = np.arange(len(bodies.time)) != row
    keys = BodyKeyframes(
        bodies.time[is_kept],
        bodies.juggler[is_kept],
        bodies.position[is_kept],
        bodies.facing[is_kept],
    )
    return _with_sorted_keys(draft, choreography, keys)


class _Motion(NamedTuple):
    """A turn of the floor about some point, or a mirroring in some line.

    Attributes:
        swap: −1 if it mirrors, else 1.
        turn: of a body that faces +z, about +y, [rad].
        start, end: shape (3,), a point and where it comes, [m].
    """

    swap: int
    turn: float
    start: Floats
    end: Floats

    def of(self, place: Floats, facing: float) -> tuple[Floats, float]:
        """Where a body comes, shape (3,), [m], and along which heading, [rad]."""
        x, y, z = place - self.start
        cos = math.cos(self.turn)
        sin = math.sin(self.turn)
        moved = self.swap * cos * x + sin * z, y, cos * z - self.swap * sin * x
        return self.end + moved, self.swap * facing + self.turn


def _key_images(
    choreography: Choreography, row: int, known: Iterable[Symmetry]
) -> dict[int, _Motion]:
    """Return the keys of other jugglers that follow a key, by symmetries which all bodies share.

    Args:
        choreography: keys of all bodies are in `choreography.bodies`.
        row: row of the key.
        known: symmetries of the throws.

    Returns:
        By row of the image, the motion of the floor that takes all bodies to their images.
    """
    bodies = choreography.bodies
    motions = dict[int, _Motion]()
    for symmetry in known:
        image = _image_of_key(choreography, row, symmetry)
        # A symmetry with a turn of 0 jugglers takes each body to itself.
        if not symmetry.turn or image is None or image in motions:
            continue
        swap = -1 if symmetry.swap else 1
        turn = float(bodies.facing[image] - swap * bodies.facing[row])
        motion = _Motion(swap, turn, bodies.position[row], bodies.position[image])
        if all(
            _comes_to_its_image(choreography, key_row, symmetry, motion)
            for key_row in range(len(bodies.time))
        ):
            motions[image] = motion
    return motions


def _comes_to_its_image(
    choreography: Choreography, row: int, symmetry: Symmetry, motion: _Motion
) -> bool:
    """Return whether a motion of the floor takes a keyframe to its image under a symmetry.

    Args:
        choreography: of all bodies.
        row: index of the keyframe in `choreography.bodies`.
        symmetry: says whose keyframe the image is.
        motion: of the floor.
    """
    bodies = choreography.bodies
    image = _image_of_key(choreography, row, symmetry)
    if image is None:
        return False
    place, facing = motion.of(bodies.position[row], float(bodies.facing[row]))
    distance = np.abs(place - bodies.position[image]).max()
    angle = abs(wrap_angle(facing - bodies.facing[image]))
    return bool(distance < _SAME_POSITION and angle < _SAME_FACING)


def _image_of_key(choreography: Choreography, row: int, symmetry: Symmetry) -> int | None:
    """Return the key to which a symmetry takes a key: of another juggler, some time later.

    Args:
        choreography: keys of all bodies are in `choreography.bodies`.
        row: row of the key.
        symmetry: by which it is moved.

    Returns:
        Row of the image; None if that juggler has no key at that time, or other numbers of keys.
    """
    bodies = choreography.bodies
    loop = choreography.duration
    juggler = (int(bodies.juggler[row]) + symmetry.turn) % choreography.jugglers
    candidates = np.flatnonzero(bodies.juggler == juggler)
    if len(candidates) != (bodies.juggler == bodies.juggler[row]).sum():
        return None
    apart = np.abs(time_apart(bodies.time[candidates], bodies.time[row] + symmetry.delay, loop))
    # A single key holds at all times.
    is_image = len(candidates) == 1 or apart.min() < SAME_TIME
    return int(candidates[apart.argmin()]) if is_image else None


def _row_of_key(choreography: Choreography, juggler: int, key: int) -> int:
    """Return the row in `choreography.bodies` of a juggler's key; both are counted from 0.

    Raises:
        EditError: there is no such juggler or key.
    """
    if not 0 <= juggler < choreography.jugglers:
        raise EditError(
            _(
                "there is no juggler {juggler}; there are {jugglers}, from 0",
                juggler=juggler,
                jugglers=choreography.jugglers,
            )
        )
    rows = np.flatnonzero(choreography.bodies.juggler == juggler)
    if not 0 <= key < len(rows):
        raise EditError(
            _(
                "juggler {juggler} has no key {key}; there are {count}, from 0",
                juggler=juggler,
                key=key,
                count=len(rows),
            )
        )
    return int(rows[key])


def _checked_feet(position: Sequence[float]) -> Floats:
    place = checked_place(position, MAX_AWAY)
    if place[1] < 0:
        raise EditError(
            _("a body stands at y 0 or above, but this is {place:.3g} m", place=place[1])
        )
    return place


def _checked_turn(facing: float) -> float:
    if not math.isfinite(facing):
        raise EditError(_("{facing} is not an angle; give it in radians", facing=facing))
    return facing


def _with_sorted_keys(draft: Draft, choreography: Choreography, keys: BodyKeyframes) -> Draft:
    """Return a draft with other keys of bodies, sorted by juggler and time within the loop.

    Raises:
        EditError: a prop can no longer bounce in its time.
    """
    time = keys.time % choreography.duration
    # Rounding may leave a time just below 0 at the end of the loop, which is its beginning.
    time = np.where(time >= choreography.duration, 0.0, time)
    order = np.lexsort((time, keys.juggler))
    ordered = BodyKeyframes(
        time[order], keys.juggler[order], keys.position[order], keys.facing[order]
    )
    changed = replace(choreography, bodies=ordered)
    check_bounces(choreography, changed)
    return with_events(draft, changed)
