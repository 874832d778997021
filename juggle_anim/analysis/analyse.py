"""The analysis of an animation: all its figures in one."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.analysis.collisions import Collision, Miss, find_collisions
from juggle_anim.analysis.hands import HandUse, measure_hands
from juggle_anim.analysis.reach import OutOfReach, find_out_of_reach
from juggle_anim.analysis.throws import Flight, measure_throws
from juggle_anim.animation import Animation


@dataclass(frozen=True)
class Analysis:
    """What one loop of a pattern asks for; `analyse` makes it.

    Args:
        text: the pattern.
        duration: of the loop, [s] of the pattern's own time.
        jugglers, props: how many there are.
        throws: every flight that begins in the loop, by the time of its throw.
        hands: how each hand moves and what it bears.
        out_of_reach: when hands stay short of their place.
        collisions: of props with props and with bodies, by time.
        miss: the narrowest pass of two props that do not touch; None where none pass.
        body_miss: likewise of a prop and a body.
    """

    text: str
    duration: float
    jugglers: int
    props: int
    throws: tuple[Flight, ...]
    hands: tuple[HandUse, ...]
    out_of_reach: tuple[OutOfReach, ...]
    collisions: tuple[Collision, ...]
    miss: Miss | None
    body_miss: Miss | None


def analyse(animation: Animation) -> Analysis:
    """Measure one loop of an animation."""
    collisions = find_collisions(animation)
    return Analysis(
        text=animation.text,
        duration=animation.duration,
        jugglers=animation.jugglers,
        props=animation.choreography.props,
        throws=measure_throws(animation.motion),
        hands=measure_hands(animation.motion),
        out_of_reach=find_out_of_reach(animation),
        collisions=collisions.collisions,
        miss=collisions.miss,
        body_miss=collisions.body_miss,
    )
