"""What tests sample of motions: where pieces of paths join, where props point and when they are
thrown.
"""

from __future__ import annotations

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.motion import aim_directions
from juggle_anim.motion.piecewise import PiecewisePolynomial


def joins(paths: PiecewisePolynomial, derivative: int) -> tuple[Floats, Floats]:
    """Values at the end of every piece, and at the start of the one that follows it, shape (S, 3)
    each.
    """
    count = len(paths.path_of_piece)
    following = np.where(
        np.arange(count) == paths.last[paths.path_of_piece],
        paths.first[paths.path_of_piece],
        np.arange(count) + 1,
    )
    length = paths.start[following] - paths.start
    length = np.where(
        following <= np.arange(count), length + paths.periods[paths.path_of_piece], length
    )
    ends = paths.evaluate(np.arange(count), length, derivative)
    return ends, paths.evaluate(following, np.zeros(count), derivative)


def around_the_joins_of_props(
    animation: Animation, derivative: int
) -> tuple[Floats, Floats, Floats]:
    """Each prop just before and after each moment at which some prop is thrown, caught or comes to
    rest.
    """
    props = animation.motion.props
    times = np.unique((props.paths.start[:, None] - props.lead[None, :]) % animation.duration)
    hair = 1e-8
    before, after = (
        animation.motion.sample(times + side, derivative).props for side in (-hair, hair)
    )
    steepest = np.abs(
        animation.motion.sample(np.concatenate([times - hair, times + hair]), derivative + 1).props
    )
    return before, after, 4 * hair * steepest.max(initial=0.0) + 1e-9


def axes(animation: Animation, times: Floats) -> Floats:
    aims = animation.sample(times).aims
    assert aims is not None
    return aim_directions([aims])


def thrown(animation: Animation, flight: int) -> tuple[float, int]:
    """When a flight begins, and which prop flies."""
    choreography = animation.choreography
    event = choreography.flights.throw[flight]
    start = float(choreography.events.time[event])
    before, after = animation.sample(start + np.array([-1e-6, 1e-6])).holders
    (prop,) = np.flatnonzero((before == choreography.events.hand[event]) & (after < 0))
    return start, int(prop)
