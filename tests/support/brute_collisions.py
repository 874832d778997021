"""Collisions found the slow way: every pair at even times of a loop."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from juggle_anim.analysis.collisions import ARM_OF, HANDLING, PARTS
from juggle_anim.analysis.encounters import RoundCones
from juggle_anim.analysis.prop_solids import PosedProps, PropSolids
from juggle_anim.animation import Animation
from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.motion import Frames, Motion
from juggle_anim.scene.figure import figure_capsules


class Found(NamedTuple):
    """Who meets (prop, other, juggler, part), when [s], and how deep or how far from each other
    they are [m].
    """

    who: tuple[int, int, int, str]
    time: float
    depth: float


class Course(NamedTuple):
    """The gap of two things over one loop, both ends included, and whether they are together; what
    they go on as.
    """

    who: tuple[int, int, int, str]
    gap: Floats
    together: Booleans
    next: tuple[int, int, int, str]


# A dip of the gap between two clubs may be shorter than a blink where another part of one comes to
# be the nearest.
SHORT = 0.005


def brute_props(
    animation: Animation, samples: int = 10_000
) -> tuple[list[Found], Found | None, Found | None]:
    """Collisions of props by their deepest moment, the narrowest miss, and the narrowest that is no
    short dip.
    """
    motion = animation.motion
    times = np.linspace(0.0, animation.duration, samples + 1)
    frames, after, solids = motion.sample(times), motion.successors(), PropSolids(motion)
    courses = []
    for first in range(len(after)):
        for second in range(first + 1, len(after)):
            gap = solids.gap(posed(motion, frames, first), posed(motion, frames, second))
            holder = frames.holders[:, first]
            together = (holder >= 0) & (holder == frames.holders[:, second])
            following = sorted((int(after[first]), int(after[second])))
            courses.append(Course((first, second, -1, ""), gap, together, (*following, -1, "")))
    return (
        _collisions(courses, times),
        _narrowest(courses, times, 1),
        _narrowest(courses, times, int(SHORT / times[1]) + 1),
    )


def brute_bodies(animation: Animation, samples: int = 10_000) -> list[Found]:
    """Collisions with bodies by their deepest moment; limbs of one part are one."""
    motion = animation.motion
    times = np.linspace(0.0, animation.duration, samples + 1)
    frames, after, solids = motion.sample(times), motion.successors(), PropSolids(motion)
    limbs = figure_capsules(animation.pose(times).joints)[..., :8].astype(float)
    reach = int(HANDLING / times[1])
    wide = np.arange(-reach, samples + reach + 1) * times[1]
    holders = motion.sample(wide).holders
    found = []
    for prop in range(len(after)):
        lies = posed(motion, frames, prop)
        for limb in range(limbs.shape[1]):
            juggler, number = divmod(limb, len(PARTS))
            hand = 2 * juggler + ARM_OF[number] if ARM_OF[number] >= 0 else -2
            held = np.concatenate([[0], np.cumsum(holders[:, prop] == hand)])
            together = held[2 * reach + 1 :] > held[: -2 * reach - 1]
            one = limbs[:, limb]
            gap = solids.gap_to_cones(
                lies, RoundCones(one[:, :3], one[:, 3], one[:, 4:7], one[:, 7])
            )
            who = (prop, -1, juggler, f"{PARTS[number]} {number}")
            found.append(Course(who, gap, together, (int(after[prop]), *who[1:])))
    return _collisions(found, times)


def posed(motion: Motion, frames: Frames, prop: int) -> PosedProps:
    """A prop at all times of some frames: a club's axis is the way it points, a ring's is level and
    across that.
    """
    axis = np.zeros((len(frames.times), 3))
    if frames.aims is not None:
        yaw, pitch = frames.aims[:, prop].T
        axis = np.stack(
            [np.sin(yaw) * np.cos(pitch), np.sin(pitch), np.cos(yaw) * np.cos(pitch)], axis=-1
        )
        if motion.shapes.kind[prop] == "ring":
            axis = np.stack([np.cos(yaw), 0 * yaw, -np.sin(yaw)], axis=-1)
    return PosedProps(np.full(len(axis), prop), frames.props[:, prop], axis)


def _collisions(courses: list[Course], times: Floats) -> list[Found]:
    """Stretches below nought that do not hang together with a stretch of being together, over two
    loops.
    """
    by_who = {course.who: course for course in courses}
    found = []
    for course in courses:
        if not (course.gap < -1e-5).any():
            continue
        # What goes on over the end is seen whole in this loop and those beside it.
        before = next(each for each in courses if each.next == course.who)
        after = by_who[course.next]
        gap = np.concatenate([before.gap[:-1], course.gap[:-1], after.gap])
        together = np.concatenate([before.together[:-1], course.together[:-1], after.together])
        loop = len(times) - 1
        for start, end in _stretches((gap < 1e-5) | together):
            deepest = start + int(gap[start:end].argmin())
            if (
                loop <= deepest < 2 * loop
                and gap[deepest] < -1e-5
                and not together[start:end].any()
            ):
                found.append(Found(course.who, float(times[deepest - loop]), -float(gap[deepest])))
    return found


def _narrowest(courses: list[Course], times: Floats, wide: int) -> Found | None:
    """The least gap that no other is below within so many samples to either side."""
    best = None
    by_who = {course.who: course for course in courses}
    for course in courses:
        before = next(each for each in courses if each.next == course.who)
        after = by_who[course.next]
        gap, together = (
            np.concatenate([one[-wide - 1 : -1], two, three[1 : wide + 1]])
            for one, two, three in (
                (before.gap, course.gap, after.gap),
                (before.together, course.together, after.together),
            )
        )
        around = sliding_window_view(gap, 2 * wide + 1)
        least = wide + np.flatnonzero(
            (gap[wide:-wide] <= around.min(axis=1)) & (gap[wide:-wide] > 1e-5)
        )
        least = least[
            (gap[least] < gap[least - 1]) & ~sliding_window_view(together, 3)[least - 1].any(axis=1)
        ]
        if len(least):
            at = least[gap[least].argmin()]
            if best is None or gap[at] < best.depth:
                best = Found(
                    course.who, float(times[(at - wide) % (len(times) - 1)]), float(gap[at])
                )
    return best


def _stretches(wanted: Booleans) -> list[tuple[int, int]]:
    edges: Integers = np.flatnonzero(np.diff(wanted.astype(int), prepend=0, append=0))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
