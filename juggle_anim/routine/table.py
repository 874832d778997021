"""Tables: where props lie before they are picked up and after they are put down, and how they look."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.choreography.stands import STAND_HEIGHT
from juggle_anim.motion import aim_directions
from juggle_anim.motion.prop_shapes import CLUB_WIDTH
from juggle_anim.scene import Scene
from juggle_anim.scene.props import ball_rows, club_capsules, ring_rows
from juggle_anim.scene.rows import Sphere
from juggle_anim.scene.stands import board_table
from juggle_anim.vectors import smooth_step

LYING = STAND_HEIGHT
"""The height of props on tables, [m]."""

RISING = 0.4
"""How long a table takes to rise from the floor, [s], and to go back once nothing lies on it."""

_NEAR, _DEEP = 0.42, (0.24, 0.5)  # how far ahead a table begins; its depth for balls and for clubs, [m]
_RADIUS = (0.035, CLUB_WIDTH / 2)  # of what lies on it, [m]
_HALF = 0.40  # the length, [m]


class Rest(NamedTuple):
    """A prop that lies on a juggler's table for some time.

    Attributes:
        prop: its number.
        juggler: whose table it is.
        place: as a position in `Events`, [m].
        since: when it is put down, [s]; −∞ for one that appears there.
        until: when it is picked up, [s]; or ∞.
        shown: when its table begins to appear, [s].
        aim: yaw and pitch, as in `Frames`, [rad].
        stand: shape (4,), where the juggler stands then, as `Bodies.places` has it; None while that is not yet known.
    """

    prop: int
    juggler: int
    place: Floats
    since: float
    until: float
    shown: float
    aim: tuple[float, float] = (0.0, 0.0)
    stand: Floats | None = None

    @property
    def appears(self) -> float:
        """From when on it lies there to be seen, [s]."""
        return self.since if math.isfinite(self.since) else self.shown


def risen(rests: Sequence[Rest], times: Floats) -> Floats:
    """How far the table of these props has risen at some times, from 0 to 1, shape (T,)."""
    share = np.zeros_like(times)
    for rest in rests:
        # It is there in time, however soon that is.
        used = rest.since if np.isfinite(rest.since) else rest.until
        up, down = (times - rest.shown) / min(RISING, 0.9 * (used - rest.shown)), (rest.until + RISING - times) / RISING
        share = np.maximum(share, smooth_step(up) * smooth_step(down))
    return share


@dataclass(frozen=True)
class Props:
    """N props that lie on tables, and are drawn by themselves.

    Args:
        kind: of each, as in `PropShapes`.
        size: shape (N,), as there, [m].
        colour: shape (N, 3), sRGB.
        centre: shape (N, 3), in the world, [m].
        aim: shape (N, 2), as in `Frames`, [rad].
    """

    kind: tuple[str, ...]
    size: Floats
    colour: Singles
    centre: Floats
    aim: Floats


def with_tables(
    scene: Scene, time: float, rests: Sequence[Rest], bodies: Floats, balls: Sequence[int], clubs: bool
) -> Scene:
    """A scene with the tables of all jugglers; balls that appear do so with them.

    Args:
        scene: without them.
        time: of it, [s].
        rests: props that lie on tables at some time.
        bodies: shape (J, 4), where jugglers stand, as `Bodies.places` has it.
        balls: the number of each ball of the scene.
        clubs: whether clubs lie there, which need more room.
    """
    rows = list[Singles]()
    deep, radius = (_DEEP[clubs], _RADIUS[clubs])
    for juggler in sorted({rest.juggler for rest in rests}):
        mine = [rest for rest in rests if rest.juggler == juggler]
        share = float(risen(mine, np.array([time]))[0])
        if share > 0.0:
            stand = next((rest.stand for rest in mine if rest.stand is not None), bodies[juggler])
            rows.append(board_table((-_HALF, _HALF), (_NEAR, _NEAR + deep), share * (LYING - radius), stand))
    if not rows:
        return scene
    spheres = scene.spheres.copy()
    for rest in rests:
        if rest.prop in balls and not np.isfinite(rest.since) and time < rest.shown + RISING:
            row, share = balls.index(rest.prop), float(risen([rest], np.array([time]))[0])
            spheres[row, Sphere.CENTRE.start + 1] *= share
            spheres[row, Sphere.RADIUS] *= share
    at = scene.limb_count
    capsules = np.concatenate([scene.capsules[:at], *rows, scene.capsules[at:]])
    return dataclasses.replace(scene, capsules=capsules, spheres=spheres)


def with_props(scene: Scene, props: Props) -> Scene:
    """A scene with props that lie somewhere."""
    kind = np.array(props.kind, dtype=str)
    ball, ring, club = (np.flatnonzero(kind == each) for each in ("ball", "ring", "club"))
    spheres = ball_rows(props.centre[None, ball], props.aim[None, ball], props.size[ball], props.colour[ball])[0]
    axes = aim_directions([props.aim[None, club]])
    clubs = club_capsules(props.centre[None, club], axes, props.size[club], props.colour[club])[0]
    rings = ring_rows(props.centre[None, ring], props.aim[None, ring, 0], props.size[ring], props.colour[ring])[0]
    return dataclasses.replace(
        scene,
        spheres=np.concatenate([scene.spheres, spheres]),
        capsules=np.concatenate([scene.capsules, clubs]),
        club_parts=scene.club_parts + len(clubs),
        rings=np.concatenate([scene.rings.reshape(-1, rings.shape[1]), rings]),
    )
