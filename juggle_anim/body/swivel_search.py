"""The search for the calmest way of an elbow past a moment in which its solver would have it race.

What a way costs is summed over its moments: by how much it is faster than the hand calls for, how deep the arm lies in
the body, how far its hand is bent, how fast it is at all, and how far it is from where the solver has it. The cheapest
of all ways is found moment by moment (R. Bellman, "Dynamic Programming", 1957), first among few that are far apart all
around the arm, then among ever closer ones around the best.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.bulk import Bulk
from juggle_anim.body.clearance import how_deep
from juggle_anim.vectors import cross, dot, norm, unit

# Moments from one choice to the next, how many ways there are, and how far the outermost is turned, [rad].
_SEARCHES = (6, 65, np.pi), (2, 61, 0.45), (1, 41, 0.08)
# What a moment costs, where being faster than is called for by 1 m/s costs 1: each m²/s² of speed, half of lying on the
# other side of the arm, each square centimetre of depth in the body, and how far a hand is bent.
_OF_SPEED, _OF_TURN, _OF_DEPTH, _OF_BEND = 0.003, 0.06, 0.1, 1.0
# The cosine from which on hands count as bent.
_BENT = 0.4
# The same for a turn in a moment that belongs to the solver.
_OF_LEAVING = 20.0


@dataclass(frozen=True)
class Course:
    """One arm and its body over N even moments.

    Args:
        shoulder, elbow, wrist: shape (N, 3), as the solver has them, [m].
        fingers: shape (N, 3), unit directions of the hand.
        bulk: of the body at the N moments.
        called_for: shape (N − 1,), how fast the elbow may be from each moment to the next, [m/s].
        share: shape (N,), which part the chosen way will have in each moment; the rest is the solver's.
        rate: moments in a second.
    """

    shoulder: Floats
    elbow: Floats
    wrist: Floats
    fingers: Floats
    bulk: Bulk
    called_for: Floats
    share: Floats
    rate: float


def calmest(course: Course) -> Floats:
    """Unit directions from the line between shoulder and wrist to the elbow, (N, 3); at both ends the solver's."""
    way = _Circles.of(course).here
    for every, ways, spread in _SEARCHES:
        way = _cheapest(course, way, every, np.linspace(-spread, spread, ways))
    return way


@dataclass(frozen=True)
class _Circles:
    """On which elbows lie: middles and unit axes (N, 3), radii (N, 1), and the directions of the solver, (N, 3)."""

    middle: Floats
    axis: Floats
    radius: Floats
    here: Floats

    @staticmethod
    def of(course: Course) -> _Circles:
        axis, upper = unit(course.wrist - course.shoulder), course.elbow - course.shoulder
        along = dot(upper, axis) * axis
        across = upper - along
        return _Circles(course.shoulder + along, axis, norm(across), unit(across))

    def onto(self, directions: Floats) -> Floats:
        return unit(directions - dot(directions, self.axis) * self.axis)


def _cheapest(course: Course, way: Floats, every: int, turns: Floats) -> Floats:
    """The cheapest of the ways that lie so far around a way, shape (N, 3)."""
    circles = _Circles.of(course)
    at = np.unique(np.append(np.arange(0, len(way), every), len(way) - 1))
    beside = cross(circles.axis, way)[at, None]
    directions = np.cos(turns)[:, None] * way[at, None] + np.sin(turns)[:, None] * beside
    elbows = circles.middle[at, None] + circles.radius[at, None] * directions
    chosen = directions[np.arange(len(at)), _choices(course, circles.here, at, directions, elbows)]
    between = np.stack([np.interp(np.arange(len(way)), at, part) for part in chosen.T], axis=-1)
    return circles.onto(between)


def _choices(course: Course, here: Floats, at: Integers, directions: Floats, elbows: Floats) -> Integers:
    """Which of the directions is best at each of some moments, shape (M,); at both ends the middle one."""
    steps = np.diff(at)
    deep = np.maximum(how_deep(course.bulk.some((at,)), course.shoulder[at], elbows, course.wrist[at]), 0.0) * 100.0
    of_turn = _OF_TURN + _OF_LEAVING * (1.0 - course.share[at, None])
    bent = np.maximum(_BENT - dot(unit(course.wrist[at, None] - elbows), course.fingers[at, None])[..., 0], 0.0)
    still = _OF_BEND * bent * bent + of_turn * (1.0 - dot(directions, here[at, None])[..., 0]) + _OF_DEPTH * deep * deep
    called_for = np.add.reduceat(course.called_for, at[:-1]) / steps
    middle = directions.shape[1] // 2
    total = np.full(directions.shape[1], np.inf)
    total[middle] = 0.0
    before = []
    for step, (lasts, allowed) in enumerate(zip(steps, called_for, strict=True)):
        speed = _distances(elbows[step], elbows[step + 1]) * (course.rate / lasts)
        over = np.maximum(speed - allowed, 0.0)
        costs = total[:, None] + lasts * (over * over + _OF_SPEED * speed * speed)
        before.append(costs.argmin(axis=0))
        total = costs.min(axis=0) + lasts * still[step + 1]
    choice = [middle]
    for earlier in reversed(before):
        choice.append(earlier[choice[-1]])
    return np.array(choice[::-1])


def _distances(ones: Floats, others: Floats) -> Floats:
    """From each of some points to each of others, (A, 3) and (B, 3) to (A, B)."""
    # Near the origin, so that no digits are lost.
    ones, others = ones - others[0], others - others[0]
    squares = dot(ones, ones) + dot(others, others)[:, 0] - 2.0 * ones @ others.T
    return np.sqrt(np.maximum(squares, 0.0))
