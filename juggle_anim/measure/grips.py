"""Measures how digits hold props: how deep they are inside, and how near they are, each carry.

.venv/bin/python -m juggle_anim.measure.grips [SETTINGS...]
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.motion import CLUB_WIDTH, Motion, aim_directions
from juggle_anim.motion.prop_shapes import RING_HOLE, RING_THICKNESS
from juggle_anim.scene.figure import limb_shapes
from juggle_anim.scene.props import club_capsules
from juggle_anim.scene.skin import NAMES, UNIT, load_skin

RATE = 240
"""Moments a second."""

DIGITS = "thumb", "index", "middle", "ring", "little"

PATTERNS = tuple(
    f"pattern={pattern};prop={prop}"
    for prop in ("ball", "club", "ring")
    for pattern in ("3", "5", "531", "97531", "mills-mess", "box", "columns", "744", "<3p 3|3p 3>")
) + tuple(f"pattern=3;propdiam={size}" for size in (5, 9, 12))

_TOUCHES = 0.002  # m, within which a digit touches
_LEAVES = 0.1  # s, after a throw, in which a prop leaves
_SIDE = 17  # limbs of a side: two of the arm, two of the palm, thumb, fingers, and the leg's
_POINTS = 13  # of a limb, at which its distance is taken


class Grips(NamedTuple):
    """Props in hands or about to leave them, N rows of a prop, its hand and a moment.

    Args:
        held: shape (N,), whether the hand holds the prop; if not, it has just thrown it.
        gaps: shape (N, 5), from each of `DIGITS`, as a round cone, to the prop, [m].
        skin_gaps: likewise, from its drawn skin.
    """

    held: Booleans
    gaps: Floats
    skin_gaps: Floats


def grips(animation: Animation) -> Grips:
    """Distances of digits from props that hands hold or have just thrown, over a loop."""
    times = np.arange(0.0, animation.duration, 1 / RATE)
    frames = animation.sample(times)
    joints = animation.pose(times).joints
    holders = frames.holders
    # A prop belongs to the hand that holds it, and for a while to the one that threw it.
    steps = round(_LEAVES * RATE)
    hands = holders.copy()
    for _ in range(steps):
        hands = np.where(hands < 0, np.roll(hands, 1, axis=0), hands)
    at, prop = np.nonzero(hands >= 0)
    hand = hands[at, prop]
    places = frames.props[at, prop]
    aims = None if frames.aims is None else frames.aims[at, prop]

    limbs = limb_shapes(joints)
    first = limbs.shape[2] - 2 * _SIDE + _SIDE * (hand % 2) + 4
    shares = np.linspace(0.0, 1.0, _POINTS)[:, None]
    gaps = np.full((len(at), len(DIGITS)), np.inf)
    for digit, parts in enumerate(((0,), (1, 2), (3, 4), (5, 6), (7, 8))):
        for part in parts:
            cone = limbs[at, hand // 2, first + part][:, None]
            points = cone[..., :3] + shares * (cone[..., 4:7] - cone[..., :3])
            radii = cone[..., 3] + shares[:, 0] * (cone[..., 7] - cone[..., 3])
            distance = _distances(animation.motion, prop, places, aims, points) - radii
            gaps[:, digit] = np.minimum(gaps[:, digit], distance.min(axis=1))
    skin_gaps = _skin_gaps(animation.motion, joints, at, hand, prop, places, aims)
    return Grips(holders[at, prop] >= 0, gaps, skin_gaps)


def _skin_gaps(
    motion: Motion,
    joints: Floats,
    at: Integers,
    hand: Integers,
    prop: Integers,
    places: Floats,
    aims: Floats | None,
) -> Floats:
    """Distances of the skin of digits from props, shape (N, 5), [m]."""
    skin = load_skin()
    level = skin.levels[0]
    gaps = np.zeros((len(at), len(DIGITS)))
    leading = level.bones[:, 0].astype(np.intp)
    for side, which in enumerate(("left", "right")):
        rows = np.flatnonzero(hand % 2 == side)
        groups = _digit_points(which, leading)
        points = np.concatenate(groups)
        bounds = np.cumsum([0, *map(len, groups)])
        shares = level.shares[points] / 255
        for block in np.array_split(rows, max(1, len(rows) // 100)):
            bones = skin.skeleton.transforms(joints[at[block], hand[block] // 2])
            transforms = np.einsum("vk,nvkab->nvab", shares, bones[:, level.bones[points]])
            rest = level.points[points] * UNIT
            carried = (transforms[..., :3] @ rest[..., None])[..., 0] + transforms[..., 3]
            distance = _distances(
                motion,
                prop[block],
                places[block],
                None if aims is None else aims[block],
                carried,
            )
            for digit in range(len(DIGITS)):
                gaps[block, digit] = distance[:, bounds[digit] : bounds[digit + 1]].min(axis=1)
    return gaps


def _digit_points(side: str, leading: Integers) -> list[Integers]:
    """Indices of the points of the skin of each of `DIGITS`, by the bone of the largest share."""
    bones = (
        ("thumb",),
        ("index", "index tip"),
        ("fingers", "fingertips"),
        ("ring", "ring tip"),
        ("little", "little tip"),
    )
    return [
        np.flatnonzero(np.isin(leading, [NAMES.index(f"{side} {name}") for name in names]))
        for names in bones
    ]


def _distances(
    motion: Motion, prop: Integers, places: Floats, aims: Floats | None, points: Floats
) -> Floats:
    """Distances of points from the surfaces of props as drawn, below 0 inside, shape (N, K), [m].

    Args:
        motion: for the shapes.
        prop: shape (N,).
        places: of the props, shape (N, 3), [m].
        aims: shape (N, 2), [rad]; None if all are balls.
        points: shape (N, K, 3), [m].
    """
    shapes = motion.shapes
    size = shapes.size[prop]
    away = points - places[:, None]
    distances = np.linalg.norm(away, axis=-1) - size[:, None] / 2
    if aims is None:
        return distances
    kinds = np.array(shapes.kind)[prop]
    clubs = np.flatnonzero(kinds == "club")
    if clubs.size:
        axes = aim_directions([aims[clubs]])
        cones = club_capsules(
            np.zeros((1, 1, 3)), np.array([[[0.0, 0.0, 1.0]]]), np.array([CLUB_WIDTH]),
            np.zeros((1, 3), dtype=np.float32),
        )[0].astype(float)  # fmt: skip
        along = (away[clubs] * axes[:, None]).sum(axis=-1)
        across = np.linalg.norm(away[clubs] - along[..., None] * axes[:, None], axis=-1)
        # Along the club, and the radius: of the starts of all cones, and the end of the last.
        profile = np.concatenate([cones[:, [2, 3]], cones[-1:, [6, 7]]])
        ends = np.clip(along, profile[0, 0], profile[-1, 0])
        radius = np.interp(along, *profile.T)
        distances[clubs] = np.hypot(across, along - ends) - radius
    rings = np.flatnonzero(kinds == "ring")
    if rings.size:
        yaw = aims[rings, 0]
        normal = np.stack([np.cos(yaw), 0.0 * yaw, -np.sin(yaw)], axis=-1)
        height = (away[rings] * normal[:, None]).sum(axis=-1)
        radius = np.linalg.norm(away[rings] - height[..., None] * normal[:, None], axis=-1)
        outer = size[rings, None] / 2
        beside = np.abs(radius - outer * (1 + RING_HOLE) / 2) - outer * (1 - RING_HOLE) / 2
        above = np.abs(height) - RING_THICKNESS / 2
        distances[rings] = np.hypot(np.maximum(beside, 0.0), np.maximum(above, 0.0)) + np.minimum(
            np.maximum(beside, above), 0.0
        )
    return distances


def summary(of: Grips) -> dict[str, float]:
    """Depths in [mm], and shares of the time in which digits touch."""
    figures: dict[str, float] = {}
    for name, gaps in (("", of.gaps), (" (skin)", of.skin_gaps)):
        held = gaps[of.held]
        near = held < _TOUCHES
        figures |= {
            f"deep{name}": -1000 * float(held.min()),
            f"leaving{name}": -1000 * float(gaps[~of.held].min(initial=1.0)),
            f"grip{name}": float((near[:, 0] & (near[:, 1:].sum(axis=1) >= 3)).mean()),
            f"thumb{name}": float(near[:, 0].mean()),
            f"3 fingers{name}": float((near[:, 1:].sum(axis=1) >= 3).mean()),
        }
    return figures


def main(arguments: list[str]) -> None:
    """Print the figures of some settings, or of `PATTERNS`."""
    for text in arguments or PATTERNS:
        measured = grips(animate(text))
        figures = summary(measured)
        print(text)
        print("   ", "  ".join(f"{name} {value:.2f}" for name, value in figures.items()))
        for name, gaps in (("cones", measured.gaps), ("skin", measured.skin_gaps)):
            held = 1000 * gaps[measured.held]
            rows = np.percentile(held, [0, 5, 50, 95], axis=0).T.round(1).tolist()
            print("   ", name, dict(zip(DIGITS, rows, strict=True)))


if __name__ == "__main__":
    main(sys.argv[1:])
