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
from juggle_anim.editing.symmetry import (
    SAME_TIME,
    Symmetry,
    check_bounces,
    check_seconds,
    checked_place,
    time_apart,
)
from juggle_anim.errors import EditError
from juggle_anim.language import _
from juggle_anim.vectors import times_in_loop, wrap_angle

KEYS_APART = 0.02
"""Least time between two keys of a body, [s]; as in Juggling Lab."""

MAX_AWAY = 100.0
"""Greatest distance of a body from the middle in each direction, [m]."""

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
    """Move or turn a body at one of the positions of its path.

    Args:
        draft: the score and the parameters that are edited.
        juggler: counted from 0.
        key: number of the key among those of the juggler, from 0.
        position: where it is to be, x, y, z in the world, [m]; None to stay.
        facing: turn about +y, 0 faces +z, [rad]; None to stay.
        time: when it is to be there, [s]; the nearest time counts that is between the keys beside
            it and 0.02 s from both. None to stay. The time of a single key means nothing, and
            stays.
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
    positions = bodies.position.copy()
    facings = bodies.facing.copy()
    images = _images_of_key(choreography, row, symmetries_of(draft)) if symmetric else {}
    if position is not None:
        positions[row] = _checked_feet(position)
    if facing is not None:
        facings[row] = _checked_facing(facing)
    rows = np.flatnonzero(bodies.juggler == juggler)
    if time is not None and len(rows) > 1:
        check_seconds(time)
        # Clamp the delay, so that the key stays between its neighbours; one that is too near a
        # neighbour already may stay. `gaps` are the times until each other key comes: the least
        # leads to the next key, the greatest to the last one, which was a loop earlier.
        gaps = (bodies.time[rows[rows != row]] - bodies.time[row]) % choreography.duration
        # `KEYS_APART` is the least time between two keys of a body, [s].
        least_delay = min(0.0, gaps.max() - choreography.duration + KEYS_APART)
        greatest_delay = max(0.0, gaps.min() - KEYS_APART)
        times[row] += min(max(time - times[row], least_delay), greatest_delay)
    for image, motion in images.items():
        positions[image], facings[image] = motion.apply(positions[row], float(facings[row]))
        times[image] += times[row] - bodies.time[row]
    keys = BodyKeyframes(time=times, juggler=bodies.juggler, position=positions, facing=facings)
    return _with_keys(draft, choreography, keys)


def add_body_key(
    draft: Draft,
    juggler: int,
    time: float,
    position: Sequence[float] | None = None,
    facing: float | None = None,
) -> Draft:
    """Add a position to the path of a body; later ones are renumbered.

    Args:
        draft: the score and the parameters that are edited.
        juggler: counted from 0.
        time: when, [s].
        position: where it is then, x, y, z, [m]; None for where it would be anyway.
        facing: turn about +y, 0 faces +z, [rad]; None for that which it would have anyway.

    Raises:
        EditError: there is no such juggler, another of its keys is within 0.02 s, or the place is
            too far.
    """
    choreography = events_of(draft)
    bodies = choreography.bodies
    loop = choreography.duration
    first = _row_of_key(choreography, juggler, 0)
    check_seconds(time)
    gaps = time_apart(bodies.time[bodies.juggler == juggler], np.array(time), loop)
    # `KEYS_APART` is the least time between two keys of a body, [s].
    if np.abs(gaps).min() < KEYS_APART - 1e-9:  # keys exactly that far apart are allowed
        raise EditError(
            _(
                "another body position is within {keys_apart:g} s of {time:.3f} s; choose "
                "another time",
                keys_apart=KEYS_APART,
                time=time,
            )
        )
    if draft.paths:
        *present_position, present_facing = draft.paths().body_place(juggler, time % loop)
    else:
        present_position, present_facing = bodies.position[first], bodies.facing[first]
    new_position = present_position if position is None else _checked_feet(position)
    new_facing = present_facing if facing is None else _checked_facing(facing)
    keys = BodyKeyframes(
        time=np.append(bodies.time, time),
        juggler=np.append(bodies.juggler, juggler),
        position=np.vstack([bodies.position, new_position]),
        facing=np.append(bodies.facing, new_facing),
    )
    return _with_keys(draft, choreography, keys)


def remove_body_key(draft: Draft, juggler: int, key: int) -> Draft:
    """Remove a position from the path of a body; later ones are renumbered.

    Args:
        draft: the score and the parameters that are edited.
        juggler: counted from 0.
        key: number of the key among those of the juggler.

    Raises:
        EditError: there is no such juggler or key, or it is the only one.
    """
    choreography = events_of(draft)
    bodies = choreography.bodies
    row = _row_of_key(choreography, juggler, key)
    if (bodies.juggler == juggler).sum() == 1:
        raise EditError(_("the only body position cannot be deleted; move it instead"))
    is_kept = np.arange(len(bodies.time)) != row
    return _with_keys(draft, choreography, bodies.taken(is_kept))


class _FloorMotion(NamedTuple):
    """A rigid motion of the floor plane: a rotation or a reflection, and a translation.

    Attributes:
        handedness: −1 for a reflection, 1 for a rotation.
        turn: the facing to which it takes a body that faces +z, about +y, [rad].
        start, end: a point and its image, each of shape (3,), [m].
    """

    handedness: int
    turn: float
    start: Floats
    end: Floats

    def apply(self, position: Floats, facing: float) -> tuple[Floats, float]:
        """Return the new position of a moved body, shape (3,), [m], and its new facing, [rad].

        Seen from `start`, the position is reflected (x becomes −x) if the motion is a reflection,
        turned about +y, and moved to `end`. The height over `start` stays.

        Args:
            position: x, y, z of the point under its feet before, shape (3,), [m].
            facing: its turn about +y before, 0 faces +z, [rad].
        """
        x, y, z = position - self.start
        x *= self.handedness
        cos = math.cos(self.turn)
        sin = math.sin(self.turn)
        moved = cos * x + sin * z, y, cos * z - sin * x
        return self.end + moved, self.handedness * facing + self.turn


def _images_of_key(
    choreography: Choreography, row: int, candidates: Iterable[Symmetry]
) -> dict[int, _FloorMotion]:
    """Find the symmetric images of a body key, and the rigid motion of the floor to each of them.

    A key says where a body stands at some time, and which way it faces. A symmetry of the throws
    maps the key to a key of another juggler. It is used only if one rigid motion of the floor maps
    all keys of all bodies to their images.

    Args:
        choreography: the choreography with the keys of all bodies.
        row: row of the key in `choreography.bodies`.
        candidates: symmetries of the throws and catches.

    Returns:
        By the row of each image, the motion that maps the key to it.
    """
    bodies = choreography.bodies
    motions = dict[int, _FloorMotion]()
    for symmetry in candidates:
        image = _key_after(choreography, row, symmetry)
        # A symmetry without a shift of jugglers maps a body to itself. If several symmetries have
        # the same image, the first one that fits counts.
        if not symmetry.juggler_shift or image is None or image in motions:
            continue
        # The motion must take this key to its image: `start` to `end`, and its facing to that of
        # the image, which is handedness · facing + turn.
        handedness = -1 if symmetry.swaps_sides else 1
        turn = float(bodies.facing[image] - handedness * bodies.facing[row])
        motion = _FloorMotion(
            handedness=handedness,
            turn=turn,
            start=bodies.position[row],
            end=bodies.position[image],
        )
        if all(
            _comes_to_its_image(choreography, key, symmetry, motion)
            for key in range(len(bodies.time))
        ):
            motions[image] = motion
    return motions


def _comes_to_its_image(
    choreography: Choreography, row: int, symmetry: Symmetry, motion: _FloorMotion
) -> bool:
    """Return whether a motion of the floor takes a keyframe to its image under a symmetry.

    Args:
        choreography: the choreography with the keys of all bodies: times, places and headings.
        row: index of the keyframe in `choreography.bodies`.
        symmetry: says which juggler has the image, and how much later.
        motion: the motion of the floor.
    """
    bodies = choreography.bodies
    image = _key_after(choreography, row, symmetry)
    if image is None:
        return False
    place, facing = motion.apply(bodies.position[row], float(bodies.facing[row]))
    distance = np.abs(place - bodies.position[image]).max()
    angle = abs(wrap_angle(facing - bodies.facing[image]))
    return bool(distance < _SAME_POSITION and angle < _SAME_FACING)


def _key_after(choreography: Choreography, row: int, symmetry: Symmetry) -> int | None:
    """Return the row of the key that is the image of a key under a symmetry.

    A symmetry says which juggler does the same as another one some time later; the image is the key
    of that juggler at that time.

    Args:
        choreography: the choreography with the keys of all bodies: times, places and headings.
        row: index of the key in `choreography.bodies`.
        symmetry: the symmetry of the throws and catches.

    Returns:
        An index in `choreography.bodies`; None if that juggler has no key at that time, or another
        number of keys. A single key holds at all times.
    """
    bodies = choreography.bodies
    loop = choreography.duration
    next_juggler = (int(bodies.juggler[row]) + symmetry.juggler_shift) % choreography.jugglers
    keys = np.flatnonzero(bodies.juggler == next_juggler)
    if len(keys) != (bodies.juggler == bodies.juggler[row]).sum():
        return None
    gaps = np.abs(time_apart(bodies.time[keys], bodies.time[row] + symmetry.delay, loop))
    if len(keys) > 1 and gaps.min() >= SAME_TIME:
        return None
    return int(keys[gaps.argmin()])


def _row_of_key(choreography: Choreography, juggler: int, key: int) -> int:
    """Return the index of a key in `choreography.bodies`.

    Args:
        choreography: the choreography with the keys of all bodies: times, places and headings.
        juggler: counted from 0.
        key: number among the keys of the juggler.

    Raises:
        EditError: there is no such juggler or key.
    """
    if not 0 <= juggler < choreography.jugglers:
        raise EditError(
            _(
                "there is no juggler {juggler}; there are {jugglers}, counted from 0",
                juggler=juggler,
                jugglers=choreography.jugglers,
            )
        )
    rows = np.flatnonzero(choreography.bodies.juggler == juggler)
    if not 0 <= key < len(rows):
        raise EditError(
            _(
                "juggler {juggler} has no body position {key}; there are {count}, counted from 0",
                juggler=juggler,
                key=key,
                count=len(rows),
            )
        )
    return int(rows[key])


def _checked_feet(position: Sequence[float]) -> Floats:
    """Return the place under a body's feet as an array, shape (3,), [m], after a check."""
    place = checked_place(position, MAX_AWAY)
    if place[1] < 0:
        raise EditError(
            _("a body cannot be below the ground; this is {place:.3g} m", place=place[1])
        )
    return place


def _checked_facing(facing: float) -> float:
    """Return the facing of a body, [rad], after a check that it is finite."""
    if not math.isfinite(facing):
        raise EditError(_("{facing} is not an angle; give it in radians", facing=facing))
    return facing


def _with_keys(draft: Draft, choreography: Choreography, keys: BodyKeyframes) -> Draft:
    """Return the draft with other keyframes of bodies, sorted by juggler and time.

    Times are taken modulo the loop.

    Args:
        draft: the score and the parameters that are edited.
        choreography: the choreography with the keys of all bodies: times, places and headings.
        keys: the keys of all bodies, in any order, at any times.

    Raises:
        EditError: a prop can no longer bounce in its time.
    """
    time, _loops_later = times_in_loop(keys.time, choreography.duration)
    changed = replace(choreography, bodies=keys.retimed(time))
    check_bounces(choreography, changed)
    return with_events(draft, changed)
