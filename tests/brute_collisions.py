"""Collisions found the slow way: every pair at even times of a loop."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from juggle_anim.analysis.body_parts import ARM_OF, PARTS
from juggle_anim.analysis.handling_table import HANDLING
from juggle_anim.analysis.hit_radius import hit_radii
from juggle_anim.analysis.round_cone import round_cone_distance
from juggle_anim.animation import Animation
from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.scene.figure import figure_capsules


class Found(NamedTuple):
    """Who meets (prop, other, juggler, part), when [s], and how deep or how far from each other they are [m]."""

    who: tuple[int, int, int, str]
    time: float
    depth: float


class Course(NamedTuple):
    """The gap of two things over one loop, both ends included, and whether they are together; what they go on as."""

    who: tuple[int, int, int, str]
    gap: Floats
    together: Booleans
    next: tuple[int, int, int, str]


def brute_props(animation: Animation, samples: int = 10_000) -> tuple[list[Found], Found | None]:
    """Collisions of props by their deepest moment, and the narrowest miss."""
    motion = animation.motion
    times = np.linspace(0.0, animation.duration, samples + 1)
    frames, radii, after = motion.sample(times), hit_radii(motion), motion.successors()
    courses = []
    for first in range(len(radii)):
        for second in range(first + 1, len(radii)):
            apart = np.linalg.norm(frames.props[:, first] - frames.props[:, second], axis=1)
            holder = frames.holders[:, first]
            together = (holder >= 0) & (holder == frames.holders[:, second])
            following = sorted((int(after[first]), int(after[second])))
            courses.append(
                Course((first, second, -1, ""), apart - radii[first] - radii[second], together, (*following, -1, ""))
            )
    return _collisions(courses, times), _narrowest(courses, times)


def brute_bodies(animation: Animation, samples: int = 10_000) -> list[Found]:
    """Collisions with bodies by their deepest moment; limbs of one part are one."""
    motion = animation.motion
    times = np.linspace(0.0, animation.duration, samples + 1)
    frames, radii, after = motion.sample(times), hit_radii(motion), motion.successors()
    limbs = figure_capsules(animation.pose(times).joints)[..., :8].astype(float)
    reach = int(HANDLING / times[1])
    wide = np.arange(-reach, samples + reach + 1) * times[1]
    holders = motion.sample(wide).holders
    found = []
    for prop in range(len(radii)):
        for limb in range(limbs.shape[1]):
            juggler, number = divmod(limb, len(PARTS))
            hand = 2 * juggler + ARM_OF[number] if ARM_OF[number] >= 0 else -2
            held = np.concatenate([[0], np.cumsum(holders[:, prop] == hand)])
            together = held[2 * reach + 1 :] > held[: -2 * reach - 1]
            one = limbs[:, limb]
            gap = round_cone_distance(frames.props[:, prop], one[:, :3], one[:, 3], one[:, 4:7], one[:, 7])
            who = (prop, -1, juggler, f"{PARTS[number]} {number}")
            found.append(Course(who, gap - radii[prop], together, (int(after[prop]), *who[1:])))
    return _collisions(found, times)


def _collisions(courses: list[Course], times: Floats) -> list[Found]:
    """Stretches below nought that do not hang together with a stretch of being together, over two loops."""
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
            if loop <= deepest < 2 * loop and gap[deepest] < -1e-5 and not together[start:end].any():
                found.append(Found(course.who, float(times[deepest - loop]), -float(gap[deepest])))
    return found


def _narrowest(courses: list[Course], times: Floats) -> Found | None:
    best = None
    by_who = {course.who: course for course in courses}
    for course in courses:
        gap = np.append(course.gap, by_who[course.next].gap[1])
        together = np.append(course.together, by_who[course.next].together[1])
        least = 1 + np.flatnonzero((gap[1:-1] < gap[:-2]) & (gap[1:-1] <= gap[2:]) & (gap[1:-1] > 1e-5))
        least = least[~(together[least - 1] | together[least] | together[least + 1])]
        if len(least):
            at = least[gap[least].argmin()]
            if best is None or gap[at] < best.depth:
                best = Found(course.who, float(times[at % (len(times) - 1)]), float(gap[at]))
    return best


def _stretches(wanted: Booleans) -> list[tuple[int, int]]:
    edges: Integers = np.flatnonzero(np.diff(wanted.astype(int), prepend=0, append=0))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
