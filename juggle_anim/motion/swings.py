"""Swings: how a hand gathers speed for a throw, and how it comes to a stop after it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats

HIGHEST, DEEPEST = 0.0662, 0.095
"""How far a hand swings up after a throw, and down before it: shares of the throw's speed times the time between two
throws."""

FARTHEST_UP, FARTHEST_DOWN = 0.289, 0.387
"""It never swings farther, [m]."""

# And no farther than this for a speed, [m] and [s]: who has time need not swing far for a slow throw.
_UP_AT_REST, _UP_WITH_SPEED = 0.064, 0.0223
_DOWN_AT_REST, _DOWN_WITH_SPEED = 0.03, 0.041
# The turn from gathering speed to slowing, as a share of twice the way down over the speed.
_TURN, _SHORTEST_TURN, _LONGEST_TURN = 0.11, 0.0105, 0.4
# A swing takes twice its way over the throw's speed; it may take no more than this of the time there is, twice.
_SHARE = 0.36


@dataclass(frozen=True)
class Swings:
    """Vertical courses around N throws, by the points where their acceleration changes.

    From the lowest point a hand gathers speed evenly; shortly before the throw it turns round; from the throw on it
    slows evenly up to the highest point. For the ways it has, no course needs less acceleration.

    Args:
        time: shape (N, 3), since the throw: of the lowest point, of the turn, and of the highest point, [s].
        height: shape (N, 3), above the throw, [m].
        velocity: shape (N, 3), upward, [m/s].
        acceleration: shape (N, 3), upward, [m/s²].
        release: shape (N,), upward, at the throw, [m/s²].
    """

    time: Floats
    height: Floats
    velocity: Floats
    acceleration: Floats
    release: Floats


def swings(speed: Floats, before: Floats, after: Floats, parting: Floats, scoop: float = 1.0) -> Swings:
    """The courses around throws.

    Args:
        speed: shape (N,), upward, of each throw, above 0, [m/s].
        before: shape (N,), since the catch before it, [s].
        after: shape (N,), until the catch after it, [s].
        parting: shape (N,), by how much the hand must slow at least, [m/s²]; below 0 where its body falls away.
        scoop: by which the ways down are stretched.
    """
    whole = speed * (before + after)
    deep = scoop * np.minimum(_DOWN_AT_REST + _DOWN_WITH_SPEED * speed, FARTHEST_DOWN)
    down = np.minimum.reduce([scoop * DEEPEST * whole, _SHARE * speed * before, deep])
    far = np.minimum(_UP_AT_REST + _UP_WITH_SPEED * speed, FARTHEST_UP)
    up = np.minimum.reduce([HIGHEST * whole, _SHARE * speed * after, far, speed**2 / (2 * np.maximum(parting, 1e-9))])
    slows = speed**2 / (2 * up)
    turn = np.minimum(np.maximum(_TURN * 2 * down / speed, _SHORTEST_TURN), _LONGEST_TURN * down / speed)
    # The turn is a cubic from the even gathering to the even slowing; that it begins with the speed and at the height
    # to which gathering has led by then, is a quadratic equation for the acceleration.
    steep = speed + slows * turn / 2
    depth = 2 * down - speed * turn - slows * turn**2 / 6
    gathers = 2 * steep**2 / (depth + np.sqrt(depth**2 + steep**2 * turn**2 / 3))
    fastest = steep - gathers * turn / 2
    fall = speed * turn + slows * turn**2 / 3 - gathers * turn**2 / 6
    none = np.zeros_like(speed)
    return Swings(
        time=np.stack([-turn - fastest / gathers, -turn, speed / slows], axis=-1),
        height=np.stack([-down, -fall, up], axis=-1),
        velocity=np.stack([none, fastest, none], axis=-1),
        acceleration=np.stack([gathers, gathers, -slows], axis=-1),
        release=-slows,
    )
