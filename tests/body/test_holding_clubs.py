"""Clubs at every throw and catch: the handle lies in the palm, and across the fingers."""

import numpy as np
import pytest
from long_cases import sampled

import juggle_anim as ja
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.body.skeleton import PALM
from juggle_anim.choreography import EventKind
from juggle_anim.motion import CLUB_CENTRE, aim_directions
from juggle_anim.motion.flight import MAX_SINK
from juggle_anim.motion.prop_shapes import CLUB_HELD, HANDLE_RADIUS

PATTERNS = [
    *("3", "4", "5", "7", "9", "1", "51", "531", "744", "423", "441", "97531", "b97531"),
    *("(4,4)", "(6x,4)*", "[34]23", "<3p 3|3p 3>", "<4p 3|3 4p>", "<3p|3p|3p>", "mills-mess"),
]
PALM_SKIN = 0.016
HAIR = 1e-7


def _held(animation: Animation) -> tuple[Floats, Floats]:
    """At all throws and catches, how far the handle is from the palm's skin [m], and from the
    hand's axis [rad].
    """
    choreography = animation.choreography
    events, flights = choreography.events, choreography.flights
    gaps, turns = [], []
    for kind, event in ((EventKind.THROW, flights.throw), (EventKind.CATCH, flights.catch)):
        # A prop is held until just before its throw, and from just after its catch on.
        times = events.time[event] + (-HAIR if kind == EventKind.THROW else HAIR)
        frames = animation.sample(times)
        joints = animation.pose(times).joints
        assert frames.aims is not None
        axes = aim_directions([frames.aims])
        grips = frames.props - (CLUB_CENTRE - CLUB_HELD) * axes
        for row, hand in enumerate(events.hand[event].tolist()):
            body = joints[row, hand // 2]
            palm = body[Joint.LEFT_PALM + hand % 2]
            ahead = (palm - body[Joint.LEFT_WRIST + hand % 2]) / PALM
            thumb = body[Joint.LEFT_THUMB + hand % 2] - palm
            out = (1 - 2 * (hand % 2)) * np.cross(ahead, thumb)
            out /= np.linalg.norm(out)
            for prop in np.flatnonzero(frames.holders[row] == hand):
                gaps.append((grips[row, prop] - palm) @ out - PALM_SKIN - HANDLE_RADIUS)
                turns.append(np.arccos(axes[row, prop] @ ahead))
    return np.array(gaps), np.array(turns)


@pytest.mark.parametrize(
    "text",
    sampled(PATTERNS, "1", "531", "b97531", "(6x,4)*", "[34]23", "<4p 3|3 4p>", "mills-mess"),
)
def test_the_handle_is_in_the_palm_and_across_the_fingers_at_every_throw_and_catch(
    text: str,
) -> None:
    gaps, turns = _held(ja.animate(text, prop="club"))
    assert len(gaps) > 0
    assert gaps.min() > -0.01
    assert gaps.max() < 0.01 + MAX_SINK
    assert np.degrees(turns.min()) > 24.0
    assert np.degrees(turns.max()) < 55.0
