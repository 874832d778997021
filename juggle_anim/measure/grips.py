"""Measures how digits hold props: how deep they are inside, and how near they are, each carry.

.venv/bin/python -m juggle_anim.measure.grips [SETTINGS...]
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.motion import (
    CLUB_WIDTH,
    RING_HOLE,
    RING_THICKNESS,
    Motion,
    aim_directions,
    ring_axes,
)
from juggle_anim.scene import Cone, club_capsules, limb_shapes
from juggle_anim.scene.skin import NAMES, UNIT, load_skin

RATE = 240
"""Moments a second."""

DIGITS = "thumb", "index", "middle", "ring", "little"

PATTERNS = tuple(
    f"pattern={pattern};prop={prop}"
    for prop in ("ball", "club", "ring")
    for pattern in ("3", "5", "531", "97531", "mills-mess", "box", "columns", "744", "<3p 3|3p 3>")
) + tuple(f"pattern=3;propdiam={size}" for size in (5, 9, 12))

_TOUCH_DISTANCE = 0.002  # m, within which a digit touches
_LEAVING_TIME = 0.1  # s, after a throw, in which a prop still counts as its hand's
_LIMBS_OF_SIDE = 22  # at the end of the list of limbs: arm, palm, digits and leg of either side
_LIMBS_BEFORE_DIGITS = 4  # of a side: two of the arm and two of the palm
# Of `DIGITS`, counted from the thumb's first.
_LIMBS_OF_DIGITS = (0, 1), (2, 3, 4), (5, 6, 7), (8, 9, 10), (11, 12, 13)
_POINTS = 13  # of a limb, at which its distance is taken


class Grips(NamedTuple):
    """Props in hands or about to leave them, N rows of a prop, its hand and a moment.

    Args:
        held: shape (N,), whether the hand holds the prop; if not, it has just thrown it.
        gaps: shape (N, 5), from each of `DIGITS`, as a round cone, to the prop, [m].
        skin_gaps: shape (N, 5), from the drawn skin of each of `DIGITS` to the prop, [m].
    """

    held: Booleans
    gaps: Floats
    skin_gaps: Floats


def grips(animation: Animation) -> Grips:
    """Measure how far digits are from the props that hands hold or have just thrown, over a loop.

    Digits are fingers and thumbs. The loop is sampled `RATE` times a second.

    Args:
        animation: an animation of any number of jugglers.

    Returns:
        A row for each prop at each sample at which a hand holds it, or has thrown it less than
        `_LEAVING_TIME` before.
    """
    # From a little before the loop on, as in the next loop props may have changed their places.
    leaving_samples = round(_LEAVING_TIME * RATE)
    times = np.arange(-leaving_samples, animation.duration * RATE) / RATE
    frames = animation.sample(times)
    joints = animation.pose(times).joints
    # The hand of each prop at each sample, 2 · juggler + side, −1 for none, shape (T, props). A
    # prop in flight takes over its hand from the sample before. This is repeated once for each
    # sample in `_LEAVING_TIME`, so that for so long it still belongs to the hand that threw it.
    hand_of_prop = frames.holders.copy()
    for _sample in range(leaving_samples):
        before = hand_of_prop[:-1]
        hand_of_prop[1:] = np.where(hand_of_prop[1:] < 0, before, hand_of_prop[1:])
    hand_of_prop[:leaving_samples] = -1
    sample, prop = np.nonzero(hand_of_prop >= 0)
    hand = hand_of_prop[sample, prop]
    centres = frames.props[sample, prop]
    aims = None if frames.aims is None else frames.aims[sample, prop]

    # Limbs of the left side come before those of the right, both at the end of the list: the arm
    # (`_LIMBS_BEFORE_DIGITS` limbs with the palm), the digits from the thumb on, and the leg.
    # `_LIMBS_OF_DIGITS` are counted from the thumb's first limb.
    limbs = limb_shapes(joints)
    sides_to_end = 2 - hand % 2  # 2 from the first limb of the left side on, 1 from the right one's
    thumb = limbs.shape[2] - _LIMBS_OF_SIDE * sides_to_end + _LIMBS_BEFORE_DIGITS
    # Limbs are round cones. Distances are taken at points along the axes, less the radius there.
    shares = np.linspace(0.0, 1.0, _POINTS)
    gaps = np.full((len(sample), len(DIGITS)), np.inf)
    for digit, parts in enumerate(_LIMBS_OF_DIGITS):
        for part in parts:
            cone = limbs[sample, hand // 2, thumb + part][:, None]
            axis = cone[..., Cone.END] - cone[..., Cone.START]
            growth = cone[..., Cone.END_RADIUS] - cone[..., Cone.START_RADIUS]
            points = cone[..., Cone.START] + shares[:, None] * axis
            radii = cone[..., Cone.START_RADIUS] + shares * growth
            distance = _distances(animation.motion, prop, centres, aims, points) - radii
            gaps[:, digit] = np.minimum(gaps[:, digit], distance.min(axis=1))
    skin_gaps = _skin_gaps(animation.motion, joints, sample, hand, prop, centres, aims)
    return Grips(frames.holders[sample, prop] >= 0, gaps, skin_gaps)


def _skin_gaps(
    motion: Motion,
    joints: Floats,
    sample: Integers,
    hand: Integers,
    prop: Integers,
    centres: Floats,
    aims: Floats | None,
) -> Floats:
    """Return the least distance between the skin of each finger or thumb and a prop, [m].

    A row is a prop in a hand at a sample, one of the times at which the loop is measured.

    Args:
        motion: the motion, for the shapes of props.
        joints: shape (T, J, `JOINTS`, 3), of all jugglers at T samples, [m].
        sample: shape (N,), index of the sample of each row.
        hand: shape (N,), 2 · juggler + side (0 left, 1 right).
        prop: shape (N,), number of the prop of each row.
        centres: centres of the props in the world, shape (N, 3), [m].
        aims: yaw and pitch of the props, shape (N, 2), [rad]; None if all are balls.

    Returns:
        Shape (N, 5) for N rows and the digits of `DIGITS`, [m].
    """
    skin = load_skin()
    finest = skin.levels[0]  # of its levels of detail
    gaps = np.zeros((len(sample), len(DIGITS)))
    # Each point of the skin moves with several bones, by shares; the largest share comes first.
    main_bones = finest.bones[:, 0].astype(np.intp)
    for side, side_name in enumerate(("left", "right")):
        rows = np.flatnonzero(hand % 2 == side)
        # The points of all digits in one array; those of digit d are from bounds[d] to
        # bounds[d + 1].
        points_of_digits = _digit_points(side_name, main_bones)
        points = np.concatenate(points_of_digits)
        bounds = np.cumsum([0, *map(len, points_of_digits)])
        shares = finest.shares[points] / 255  # stored as bytes, which add up to 255
        # About 100 rows at a time, to bound the memory for all points of each.
        for block in np.array_split(rows, max(1, len(rows) // 100)):
            # Linear blend skinning: a point is moved by the mean of its bones' transforms (3, 4),
            # weighted by their shares. Indices: row n, point v, bone k of the point.
            bones = skin.skeleton.transforms(joints[sample[block], hand[block] // 2])
            transforms = np.einsum("vk,nvkab->nvab", shares, bones[:, finest.bones[points]])
            at_rest = finest.points[points] * UNIT  # [m]
            posed = (transforms[..., :3] @ at_rest[..., None])[..., 0] + transforms[..., 3]
            distance = _distances(
                motion,
                prop[block],
                centres[block],
                None if aims is None else aims[block],
                posed,
            )
            for digit in range(len(DIGITS)):
                gaps[block, digit] = distance[:, bounds[digit] : bounds[digit + 1]].min(axis=1)
    return gaps


def _digit_points(side: str, main_bones: Integers) -> list[Integers]:
    """Return for each of `DIGITS` the indices of the skin's points that move mainly with its bones.

    Args:
        side: "left" or "right".
        main_bones: for each point of the skin the index in `NAMES` of the bone of the largest
            share.
    """
    # Names of bones without the side. "finger" is the middle one.
    bones_of_digits = (
        ("thumb", "thumb tip"),
        *(
            (name, f"{name} middle", f"{name} tip")
            for name in ("index", "finger", "ring", "little")
        ),
    )
    return [
        np.flatnonzero(np.isin(main_bones, [NAMES.index(f"{side} {name}") for name in names]))
        for names in bones_of_digits
    ]


def _distances(
    motion: Motion, prop: Integers, centres: Floats, aims: Floats | None, points: Floats
) -> Floats:
    """Return the distances of points from the surfaces of props as drawn, below 0 inside.

    Distances from clubs are measured straight across the club's axis, which is a little more than
    the shortest way where its profile is steep.

    Args:
        motion: the motion, for the shapes of props.
        prop: shape (N,), a prop for each row of points.
        centres: centres of the props in the world, shape (N, 3), [m].
        aims: yaw and pitch of the props, shape (N, 2), [rad]; None if all are balls.
        points: K points for each prop, shape (N, K, 3), in the world, [m].

    Returns:
        Shape (N, K) for N props and K points of each, [m].
    """
    shapes = motion.shapes
    size = shapes.size[prop]
    # All props count as balls first; the rows of clubs and rings are then replaced.
    from_centres = points - centres[:, None]
    distances = np.linalg.norm(from_centres, axis=-1) - size[:, None] / 2
    if aims is None:
        return distances
    kinds = np.array(shapes.kind)[prop]
    clubs = np.flatnonzero(kinds == "club")
    if clubs.size:
        distances[clubs] = _distances_to_clubs(from_centres[clubs], aims[clubs])
    rings = np.flatnonzero(kinds == "ring")
    if rings.size:
        distances[rings] = _distances_to_rings(from_centres[rings], aims[rings], size[rings])
    return distances


def _distances_to_clubs(from_centres: Floats, aims: Floats) -> Floats:
    """Return the distances of points from the surfaces of clubs, (N, K), [m]; below 0 inside.

    Args:
        from_centres: K points for each of N clubs, from its centre, shape (N, K, 3), [m].
        aims: yaw and pitch of the clubs, shape (N, 2), [rad].
    """
    # The round cones of a club at the origin that points along +z.
    cones = club_capsules(
        np.zeros((1, 1, 3)), np.array([[[0.0, 0.0, 1.0]]]), np.array([CLUB_WIDTH]),
        np.zeros((1, 3), dtype=np.float32),
    )[0].astype(float)  # fmt: skip
    # Rows of the profile are (along the club, radius): the starts of all cones, and the end of the
    # last. Of a ball, the last two columns are z, along this club, and the radius.
    start_rows = cones[:, Cone.START_BALL][:, -2:]
    end_row = cones[-1:, Cone.END_BALL][:, -2:]
    profile_along, profile_radius = np.concatenate([start_rows, end_row]).T
    along, across = _along_and_across(from_centres, aim_directions([aims]))
    # Beyond the ends of the club the nearest point is on the ball at the end.
    beyond_end = along - np.clip(along, profile_along[0], profile_along[-1])
    return np.hypot(across, beyond_end) - np.interp(along, profile_along, profile_radius)


def _distances_to_rings(from_centres: Floats, aims: Floats, diameter: Floats) -> Floats:
    """Return the distances of points from the surfaces of rings, (N, K), [m]; below 0 inside.

    Args:
        from_centres: K points for each of N rings, from its centre, shape (N, K, 3), [m].
        aims: yaw and pitch of the rings, of which only the yaw counts, shape (N, 2), [rad].
        diameter: outer diameters of the rings, shape (N,), [m].
    """
    along, across = _along_and_across(from_centres, ring_axes(aims[:, 0]))
    # The section of a ring is a rectangle, from the hole to the rim and as thick as the ring.
    # `beside` and `above` are how far a point is beyond its sides, negative within. Outside of the
    # rectangle, the positive parts make the distance; inside, the nearest side does.
    outer = diameter[:, None] / 2
    beside = np.abs(across - outer * (1 + RING_HOLE) / 2) - outer * (1 - RING_HOLE) / 2
    above = np.abs(along) - RING_THICKNESS / 2
    outside = np.hypot(np.maximum(beside, 0.0), np.maximum(above, 0.0))
    inside = np.minimum(np.maximum(beside, above), 0.0)
    return outside + inside


def _along_and_across(from_centres: Floats, axes: Floats) -> tuple[Floats, Floats]:
    """Return how far points are along the axes of props, and from these, (N, K) each, [m].

    Args:
        from_centres: K points for each of N props, from its centre, shape (N, K, 3), [m].
        axes: unit vectors, shape (N, 3).
    """
    along = (from_centres * axes[:, None]).sum(axis=-1)
    across = np.linalg.norm(from_centres - along[..., None] * axes[:, None], axis=-1)
    return along, across


def grip_figures(measured: Grips) -> dict[str, float]:
    """Return figures of grips by their names: depths, and shares of the time that digits touch.

    Digits are fingers and thumbs.

    Args:
        measured: gaps between digits and props, with at least one held prop.

    Returns:
        "deep" and "leaving": how deep a digit is at most in a prop that is held, or was just
        thrown, [mm]. "thumb", "3 fingers" and "grip": the share of samples of held props in which
        the thumb touches, three other fingers do, or all of these. Each once for digits as round
        cones, and once, with " (skin)" behind the name, for their drawn skin.
    """
    figures: dict[str, float] = {}
    for name, gaps in (("", measured.gaps), (" (skin)", measured.skin_gaps)):
        held_gaps = gaps[measured.held]
        # A digit touches a prop within `_TOUCH_DISTANCE`, [m].
        touch = held_gaps < _TOUCH_DISTANCE
        thumb_touches = touch[:, 0]
        three_fingers_touch = touch[:, 1:].sum(axis=1) >= 3
        figures |= {
            f"deep{name}": -1000 * float(held_gaps.min()),
            f"leaving{name}": -1000 * float(gaps[~measured.held].min(initial=1.0)),
            f"grip{name}": float((thumb_touches & three_fingers_touch).mean()),
            f"thumb{name}": float(thumb_touches.mean()),
            f"3 fingers{name}": float(three_fingers_touch.mean()),
        }
    return figures


def main(arguments: list[str]) -> None:
    """Print the figures of given settings, or of `PATTERNS`."""
    for text in arguments or PATTERNS:
        measured = grips(animate(text))
        figures = grip_figures(measured)
        print(text)
        print("   ", "  ".join(f"{name} {value:.2f}" for name, value in figures.items()))
        for name, gaps in (("cones", measured.gaps), ("skin", measured.skin_gaps)):
            held = 1000 * gaps[measured.held]
            rows = np.percentile(held, [0, 5, 50, 95], axis=0).T.round(1).tolist()
            print("   ", name, dict(zip(DIGITS, rows, strict=True)))


if __name__ == "__main__":
    main(sys.argv[1:])
