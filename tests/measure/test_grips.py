"""Digits touch what their hands hold and do not enter it."""

import numpy as np
import pytest
from long_cases import sampled

from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.measure.grips import grip_figures, grips
from juggle_anim.motion import aim_directions


@pytest.mark.parametrize(
    "text",
    sampled(
        [
            *(f"pattern=3;prop=ball;propdiam={size}" for size in (5, 12)),
            *("mills-mess", "744", "<3p 3|3p 3>"),
            *(f"pattern={text};prop=club" for text in ("531", "box", "<3p 3|3p 3>")),
        ],
        "pattern=3;prop=ball;propdiam=12",
        "mills-mess",
        "pattern=531;prop=club",
    ),
)
def test_thumb_and_three_fingers_touch_what_a_hand_holds_and_none_enters_it(text: str) -> None:
    figures = grip_figures(grips(animate(text)))
    assert figures["grip"] > 0.9
    assert figures["deep"] < 1.1
    assert figures["deep (skin)"] < 1.1


@pytest.mark.parametrize(
    "text", sampled(["3", "97531", "mills-mess", "columns"], "3", "mills-mess")
)
def test_no_digit_is_in_the_way_of_a_ball_that_leaves(text: str) -> None:
    assert grip_figures(grips(animate(text)))["leaving"] < 1.5


@pytest.mark.parametrize("ring", sampled(["5", "531", "box", "<3p 3|3p 3>"], "531", "box"))
def test_rings_are_held_between_thumb_and_three_fingers(ring: str) -> None:
    figures = grip_figures(grips(animate(ring, prop="ring")))
    assert figures["grip"] > 0.95
    assert figures["deep"] < 1.0
    assert figures["leaving"] < 1.5


def _in_the_middle_of_carries(animation: Animation) -> tuple[Floats, Floats, Floats]:
    """Props, their axes and the joints of the left hand when it has held a prop for a while."""
    times = np.arange(0.0, animation.duration, 1 / 60)
    frames = animation.sample(times)
    held = frames.holders == 0
    held &= np.roll(held, 6, axis=0) & np.roll(held, -6, axis=0)
    sample, prop = np.nonzero(held)
    assert frames.aims is not None
    aims = frames.aims[sample, prop]
    return frames.props[sample, prop], aims, animation.pose(times).joints[sample, 0]


def test_index_and_middle_finger_hook_through_a_ring_toward_the_thumb() -> None:
    rings, aims, joints = _in_the_middle_of_carries(animate("3", prop="ring"))
    normal = np.stack([np.cos(aims[:, 0]), 0 * aims[:, 0], -np.sin(aims[:, 0])], axis=-1)

    def beside(joint: Joint) -> Floats:
        return ((joints[:, joint] - rings) * normal).sum(axis=-1)

    toward_thumb = np.sign(beside(Joint.LEFT_THUMB_TIP))
    for tip, knuckle in (
        (Joint.LEFT_INDEX_TIP, Joint.LEFT_INDEX_MIDDLE),
        (Joint.LEFT_TIPS, Joint.LEFT_FINGERS),
    ):
        assert (beside(knuckle) * toward_thumb < -0.005).all()
        assert (beside(tip) * toward_thumb > 0.003).mean() > 0.9


def test_every_finger_goes_round_a_handle() -> None:
    _clubs, _aims, joints = _in_the_middle_of_carries(animate("3", prop="club"))
    along = joints[:, Joint.LEFT_PALM] - joints[:, Joint.LEFT_WRIST]
    for tip, knuckle in (
        (Joint.LEFT_INDEX_TIP, Joint.LEFT_INDEX_MIDDLE),
        (Joint.LEFT_TIPS, Joint.LEFT_FINGERS),
        (Joint.LEFT_RING_TIP, Joint.LEFT_RING_MIDDLE),
        (Joint.LEFT_LITTLE_TIP, Joint.LEFT_LITTLE_MIDDLE),
    ):
        last_bone = joints[:, tip] - joints[:, knuckle]
        assert ((last_bone * along).sum(axis=-1) < 0.2 * 0.0367 * 0.105).mean() > 0.65


def test_thumbs_lie_along_handles() -> None:
    _clubs, aims, joints = _in_the_middle_of_carries(animate("3", prop="club"))
    thumbs = joints[:, Joint.LEFT_THUMB_TIP] - joints[:, Joint.LEFT_THUMB]
    along = (thumbs * aim_directions([aims])).sum(axis=-1) / np.linalg.norm(thumbs, axis=-1)
    assert np.degrees(np.arccos(along)).max() < 38.0


@pytest.mark.parametrize("ring", sampled(["97531", "mills-mess"], "mills-mess"))
def test_where_hands_hang_low_thumbs_are_in_the_way_of_rings_for_a_tenth_of_the_time(
    ring: str,
) -> None:
    measured = grips(animate(ring, prop="ring"))
    gaps = measured.gaps[measured.held]
    assert gaps[:, 1:].min() > -0.001
    assert (gaps[:, 0] < -0.001).mean() < 0.11
    assert grip_figures(measured)["grip"] > 0.85


@pytest.mark.parametrize("prop", ["club", "ring"])
def test_clubs_and_rings_keep_their_places_in_hands_that_dip(prop: str) -> None:
    animation = animate("3", prop=prop)
    times = np.arange(0.0, animation.duration, 1 / 60)
    frames = animation.sample(times)
    joints = animation.pose(times).joints
    assert frames.aims is not None
    aims = aim_directions([frames.aims])
    sample, held = np.nonzero(frames.holders >= 0)
    hand = Joint.LEFT_PALM + frames.holders[sample, held]
    fingers = joints[sample, 0, hand] - joints[sample, 0, hand - 2]
    heights = fingers[:, 1] / np.linalg.norm(fingers, axis=1)
    turned = np.degrees(np.arcsin(aims[sample, held, 1]) - np.arcsin(heights))
    assert np.ptp(turned) < 30.0
    assert np.ptp(np.degrees(np.arcsin(heights))) > 30.0


@pytest.mark.parametrize("prop", ["club", "ring"])
@pytest.mark.parametrize("text", sampled(["3", "97531"], "3"))
def test_clubs_and_rings_turn_over_above_the_fingers_that_threw_them(text: str, prop: str) -> None:
    assert grip_figures(grips(animate(text, prop=prop)))["leaving"] < 2.0


def test_drawn_fingers_are_where_their_cones_are() -> None:
    measured = grips(animate("3"))
    off = (measured.skin_gaps - measured.gaps)[measured.held][:, 1:]
    assert np.abs(off).max() < 0.002
