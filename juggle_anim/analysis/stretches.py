"""Stretches of time in which props fly, or in which a hand holds them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.motion import Motion
from juggle_anim.vectors import inverse_permutation


@dataclass(frozen=True)
class Stretches:
    """Pieces of the ways of props, N rows.

    Args:
        prop: shape (N,).
        start, duration: shape (N,), [s].
        holder: the hand that holds the prop, −1 in flight, shape (N,).
    """

    prop: Integers
    start: Floats
    duration: Floats
    holder: Integers


def prop_stretches(motion: Motion, earlier: int = 0, later: int = 0) -> Stretches:
    """All that begin in one loop, and in so many loops before and after it."""
    one = _stretches_of_a_loop(motion)
    after = motion.successors()
    before = inverse_permutation(after)
    prop = one.prop
    # One loop later than a prop, the one before it on its orbit does the same.
    for _ in range(earlier):
        prop = after[prop]
    props = []
    for _ in range(earlier + 1 + later):
        props.append(prop)
        prop = before[prop]
    laps = np.repeat(np.arange(-earlier, later + 1), len(one.prop))
    return Stretches(
        np.concatenate(props),
        np.tile(one.start, len(props)) + laps * motion.duration,
        np.tile(one.duration, len(props)),
        np.tile(one.holder, len(props)),
    )


def _stretches_of_a_loop(motion: Motion) -> Stretches:
    paths, loop = motion.props.paths, motion.duration
    sizes = np.array([orbit.props for orbit in motion.choreography.orbits], dtype=np.intp)
    orbit = paths.path % max(1, len(sizes))
    first = np.cumsum(sizes) - sizes
    # The props of an orbit are one loop apart, so only one of them comes to a piece within this loop.
    lap = np.minimum((paths.start / loop).astype(np.intp), sizes[orbit] - 1)
    prop = first[orbit] + lap
    following = np.roll(paths.start, -1)
    last = paths.last[paths.path] == np.arange(len(paths.path))
    end = np.where(last, paths.start[paths.first[paths.path]] + paths.periods[paths.path], following)
    # Each sort of prop has its own way through the orbit.
    own = motion.props.course[prop] == paths.path
    return Stretches(prop[own], (paths.start - lap * loop)[own], (end - paths.start)[own], motion.props.holder[own])
