"""Measures over the library whether arms pass through each other or the trunk, and how smoothly
elbows move.

.venv/bin/python -m juggle_anim.measure.limbs [NAME...]
"""

from __future__ import annotations

import sys

import numpy as np

from juggle_anim.analysis.encounters import RoundCones, round_cones_distance
from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Floats
from juggle_anim.body import CollisionVolume, Joint, head_depth, trunk_depth
from juggle_anim.notation.library import library
from juggle_anim.vectors import norm, orthonormal_frames

RATE = 240
"""Moments a second."""

# Radii of upper arms, forearms and palms at both ends, as they are drawn, [m].
_RADII = (0.060, 0.044), (0.037, 0.026), (0.022, 0.0165)

# Each part of `_RADII` is between two of these; right joints come straight after left ones.
_LEFT_ARM = np.array([Joint.LEFT_SHOULDER, Joint.LEFT_ELBOW, Joint.LEFT_WRIST, Joint.LEFT_PALM])

_ELBOWS = np.array([Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW])

_KINK_STEP = 0.0005  # s, within which an elbow's velocity may hardly change
_KINK_STEPS = 10  # of the fine samples to either side of a suspect time
_SUSPECT_TIMES = 60  # around which places are sampled finely

# What each row may be at most.
LIMITS = {
    "arm in arm [mm]": 3.0, "arm or hand in trunk [mm]": 10.0, "elbow's velocity changes within "
    "0.5 ms by [m/s]": 0.5,
    "elbow [m/s]": np.inf, "hand short [mm]": 15.0,
}  # fmt: skip


def measure(animation: Animation) -> dict[str, float]:
    """Measure how near arms come to each other and the trunk, and how smoothly elbows move.

    Args:
        animation: an animation of any number of jugglers.

    Returns:
        A figure for each row of `LIMITS`, in their order and units: the worst of all jugglers and
        moments.
    """
    moment_count = max(8, round(animation.duration * RATE))
    times = animation.times(moment_count)
    pose = animation.pose(times)
    joints_of_jugglers = np.moveaxis(np.asarray(pose.joints), 1, 0)
    # Speeds of elbows, by differences of successive moments, [m/s].
    speed = norm(np.diff(pose.joints[:, :, _ELBOWS], axis=0)) * moment_count / animation.duration
    # Factors of 1000 turn metres into millimetres.
    figures = (
        1000 * max(arm_depth_in_other_arm(joints) for joints in joints_of_jugglers),
        1000 * max(arm_depth_in_trunk(joints) for joints in joints_of_jugglers),
        elbow_kink(animation, times),
        float(speed.max()),
        1000 * float(pose.gaps.max()),
    )
    return dict(zip(LIMITS, figures, strict=True))


def arm_depth_in_other_arm(joints: Floats) -> float:
    """Return the greatest depth of a forearm in the other arm, [m]; negative for a gap.

    Hands, and two upper arms against each other, are left out.

    Args:
        joints: joints of one juggler at T times, shape (T, `JOINTS`, 3), [m].
    """
    # Upper arm (part 0) and forearm (part 1), left (side 0) and right (side 1).
    (left_upper, left_forearm), (right_upper, right_forearm) = (
        [_cone(joints, part, side) for part in (0, 1)] for side in (0, 1)
    )
    pairs = (
        (left_forearm, right_forearm),
        (left_forearm, right_upper),
        (left_upper, right_forearm),
    )
    return -float(min(round_cones_distance(*pair).min() for pair in pairs))


def _cone(joints: Floats, part: int, side: int) -> RoundCones:
    """Return a part of one arm as round cones, one for each of T times.

    Args:
        joints: joints of one juggler, shape (T, `JOINTS`, 3), [m].
        part: index in `_RADII`: 0 the upper arm, 1 the forearm, 2 the palm.
        side: 0 left, 1 right; right joints come straight after left ones in `Joint`.
    """
    start, end = (joints[:, joint + side] for joint in _LEFT_ARM[part : part + 2])
    start_radius, end_radius = (np.full(len(joints), radius) for radius in _RADII[part])
    return RoundCones(start, start_radius, end, end_radius)


def trunk_axes(joints: Floats) -> Floats:
    """Return unit vectors of a trunk at right angles: up, to the left and behind, shape (3, T, 3).

    Up is along the spine, and left as nearly along the line of the shoulders as that lets it.

    Args:
        joints: joints of one juggler at T times, shape (T, `JOINTS`, 3), [m].
    """
    frames = orthonormal_frames(
        joints[:, Joint.CHEST] - joints[:, Joint.PELVIS],
        joints[:, Joint.LEFT_SHOULDER] - joints[:, Joint.RIGHT_SHOULDER],
    )
    return np.moveaxis(frames, -1, 0)


def arm_depth_in_trunk(joints: Floats) -> float:
    """Return the greatest depth of a forearm or a palm in trunk or head, [m]; negative for a gap.

    Args:
        joints: joints of one juggler at T times, shape (T, `JOINTS`, 3), [m].
    """
    # The volume of trunk and head.
    spine, across, _behind = trunk_axes(joints)
    neck = joints[:, Joint.NECK]
    head = joints[:, Joint.HEAD]
    volume = CollisionVolume.from_joints(joints[:, Joint.PELVIS], across, spine, neck, head)
    heads = volume.heads(np.arange(len(joints)))
    # Six points along the bones of forearm and palm, parts 1 and 2 of `_RADII`, with radii between
    # those at the ends. A right joint (side 1) has the number after that of the left one (side 0).
    shares = np.linspace(0.0, 1.0, 6)
    deepest = -np.inf
    for side in (0, 1):
        for part in (1, 2):
            start = joints[:, None, _LEFT_ARM[part] + side]
            end = joints[:, None, _LEFT_ARM[part + 1] + side]
            points = volume.to_local(start + shares[:, None] * (end - start))  # (T, 6, 3)
            points = points.transpose(2, 1, 0)  # depths take coordinates first, (3, 6, T)
            radii = np.interp(shares, (0.0, 1.0), _RADII[part])[:, None]
            depths = np.maximum(trunk_depth(points), head_depth(points, heads)) + radii
            deepest = max(deepest, float(depths.max()))
    return deepest


def elbow_kink(animation: Animation, times: Floats) -> float:
    """Return the largest change of an elbow's velocity within `_KINK_STEP`, [m/s].

    The search is coarse first: only around the `_SUSPECT_TIMES` times at which velocities change
    most are places sampled finely, by `_KINK_STEPS` steps to both sides.

    Args:
        animation: an animation of any number of jugglers.
        times: T times, shape (T,), evenly spaced, of the coarse search, [s].
    """
    # Times are evenly spaced, so second differences of places are proportional to changes of
    # velocity. Elbows have shape (T, jugglers, 2, 3), and lengths of their differences a last axis
    # of length 1.
    elbows = animation.pose(times).joints[:, :, _ELBOWS]
    change = norm(np.diff(elbows, n=2, axis=0)).max(axis=(1, 2, 3))
    # The second difference at index i is that of times i to i + 2 and belongs to the middle one,
    # hence the 1.
    suspects = times[1 + np.argsort(-change)[:_SUSPECT_TIMES]]
    offsets = _KINK_STEP * np.arange(-_KINK_STEPS, _KINK_STEPS + 1)
    fine_times = np.clip(suspects[:, None] + offsets, 0.0, animation.duration)
    fine_elbows = animation.pose(fine_times.ravel()).joints[:, :, _ELBOWS]
    fine_elbows = fine_elbows.reshape(*fine_times.shape, -1, 3)
    # Where times were clipped to the ends of the animation, the second difference is 0 of three
    # equal times; three unevenly spaced ones do not count.
    rounding_error = 1e-9  # s
    is_even = np.abs(np.diff(fine_times, n=2, axis=1)) < rounding_error
    second_differences = norm(np.diff(fine_elbows, n=2, axis=1))[..., 0]
    # A second difference of places over the step is a change of velocity.
    return float((second_differences * is_even[..., None]).max() / _KINK_STEP)


def main(names: list[str]) -> None:
    """Print for each row of `LIMITS` how many patterns exceed the limit, and the six worst.

    Args:
        names: names of library patterns, others are ignored; the whole library if empty.
    """
    patterns = [pattern for pattern in library() if not names or pattern.name in names]
    figures_by_name = {
        pattern.name: measure(animate(pattern.settings_text)) for pattern in patterns
    }
    for row, limit in LIMITS.items():
        figure_by_name = {name: figures[row] for name, figures in figures_by_name.items()}
        worst_names = sorted(figure_by_name, key=lambda name: -figure_by_name[name])[:6]
        exceeding_count = sum(figure > limit for figure in figure_by_name.values())
        print(
            f"{row}: {exceeding_count} of {len(figure_by_name)} over {limit:g};",
            ", ".join(f"{name} {figure_by_name[name]:.3g}" for name in worst_names),
        )


if __name__ == "__main__":
    main(sys.argv[1:])
