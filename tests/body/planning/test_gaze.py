import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from siteswap_strategies import flying_siteswaps

from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.body.planning.gaze import (
    MAX_DOWN_PITCH,
    MAX_EYE_PITCH,
    MAX_EYE_YAW,
    MAX_PITCH,
    MAX_YAW,
    plan_gaze,
)

ROUND = np.linspace(0, 1, 200)


def looks(animation: Animation, amount: float = 1.0) -> Floats:
    """Yaw and pitch of the head [rad] at even times of a loop, shape (200, J, 2)."""
    track = plan_gaze(animation.motion, amount)
    assert track is not None
    return track.at(ROUND * animation.duration)[..., :2]


@given(flying_siteswaps(), st.floats(1.0, 300.0))
def test_a_head_is_slow_and_within_what_a_neck_allows(pattern: str, amount: float) -> None:
    animation = animate(pattern)
    track = plan_gaze(animation.motion, amount / 100)
    assert track is not None
    times = np.arange(0, animation.duration, 0.01)
    heads, eyes = np.split(track.at(times), 2, axis=-1)
    yaw, pitch = np.moveaxis(heads, -1, 0)
    assert np.abs(yaw).max() <= MAX_YAW
    assert pitch.min() >= -MAX_DOWN_PITCH
    assert pitch.max() <= MAX_PITCH
    assert track.at(times + animation.duration) == pytest.approx(track.at(times), abs=1e-9)
    speed = np.abs(np.diff(heads, axis=0)).max(initial=0.0) / 0.01
    assert speed < 1e-9 + np.radians(120.0) * max(1.0, amount / 100)
    assert (
        np.abs(eyes - heads).max(axis=(0, 1), initial=0.0) <= (MAX_EYE_YAW, MAX_EYE_PITCH)
    ).all()


def test_the_higher_the_throws_the_higher_a_juggler_looks() -> None:
    pitches = [
        np.degrees(looks(animate(pattern))[..., 1].mean()) for pattern in ("3", "4", "5", "7")
    ]
    assert pitches == sorted(pitches)
    assert -15 < pitches[0] < 0
    assert 20 < pitches[3] < 40


def test_a_head_goes_to_and_fro_with_the_hands_less_the_faster_they_are() -> None:
    to_and_fro, up_and_down = np.stack(
        [np.degrees(np.ptp(looks(animate(pattern))[:, 0], axis=0)) for pattern in "357b"]
    ).T
    assert to_and_fro.tolist() == sorted(to_and_fro, reverse=True)
    assert 8 < to_and_fro[0] < 16
    assert 4 < to_and_fro[1] < 8
    assert to_and_fro[-1] < 2
    assert up_and_down.max() < 7


def test_a_head_is_turned_to_the_side_of_the_prop_that_peaks() -> None:
    for pattern in ("3", "5"):
        animation = animate(pattern)
        track = plan_gaze(animation.motion, 1.0)
        assert track is not None
        parabolas = animation.motion.flight_paths.parabolas
        rise = parabolas.velocity[:, 1] / parabolas.gravity
        throws = animation.choreography.flights.throw[parabolas.flight]
        yaw = track.at(animation.choreography.events.time[throws] + rise)[:, 0, 0]
        assert np.sign(yaw).tolist() == np.sign(parabolas.apexes()[:, 0]).tolist()


@pytest.mark.parametrize("pattern", ["60", "06"])
def test_a_juggler_looks_to_the_side_where_the_high_throws_are(pattern: str) -> None:
    animation = animate(pattern)
    frames = animation.sample(ROUND * animation.duration)
    highest = frames.props[frames.props[..., 1] > 2.0]
    yaw = looks(animation)[..., 0].mean()
    assert abs(np.degrees(yaw)) > 5
    assert np.sign(yaw) == np.sign(highest[:, 0].mean())


def test_who_has_nothing_to_see_looks_straight_ahead() -> None:
    assert looks(animate("2")) == pytest.approx(0.0, abs=1e-9)


def test_props_that_bounce_on_the_floor_are_watched_below() -> None:
    assert np.degrees(looks(animate("pattern=3B"))[..., 1].mean()) < -10


@pytest.mark.parametrize(("first", "second"), [(-75, 75), (75, -75)])
def test_a_juggler_looks_toward_the_one_who_passes(first: int, second: int) -> None:
    animation = animate(f"pattern=<3p|3p>;body=<(0,{first},0).|(0,{second},0).>")
    places = animation.motion.bodies.places(np.zeros(1))[0]
    yaw = looks(animation)[..., 0].mean(axis=0)
    assert np.sign(yaw).tolist() == np.sign(places[::-1, 0] - places[:, 0]).tolist()
    assert np.degrees(np.abs(yaw)).min() > 10


def test_a_pass_counts_more_for_who_catches_it() -> None:
    # The second juggler only holds; the high throws of the first go back and forth before their own
    # face.
    animation = animate("pattern=<7|2>;body=<(90,75,0).|(90,-75,0).>")
    assert looks(animation)[:, 1] == pytest.approx(0.0, abs=1e-9)


def test_a_pass_that_comes_counts_more_than_throws_of_ones_own() -> None:
    # Half of the throws are as high before one's own face; the look goes from one to the other, and
    # in the mean is nearer to the pass than to the middle.
    passes, mixed = (
        np.abs(looks(animate(f"pattern={throws};body=<(0,-75,0).|(0,75,0).>"))[..., 0].mean(axis=0))
        for throws in ("<3p|3p>", "<3p 3|3p 3>")
    )
    assert (mixed > 0.52 * passes).all()


@pytest.mark.parametrize("pattern", ["5", "7", "60", "b97531", "pattern=531;body=(130,80,0)."])
def test_eyes_look_nearer_to_the_highest_prop_than_the_head_does(pattern: str) -> None:
    animation = animate(pattern)
    times = ROUND * animation.duration
    pose, props = animation.pose(times), animation.sample(times).props
    highest = props[np.arange(len(times)), props[..., 1].argmax(axis=1)]
    head, face = pose.joints[:, 0, Joint.HEAD], pose.joints[:, 0, Joint.FACE]
    to_prop, ahead = (
        away / np.linalg.norm(away, axis=1, keepdims=True) for away in (highest - head, face - head)
    )
    gaze = pose.gaze[:, 0]
    assert np.linalg.norm(gaze, axis=1) == pytest.approx(1.0)
    off, head_off = (
        np.degrees(np.arccos((each * to_prop).sum(axis=1))).mean() for each in (gaze, ahead)
    )
    assert off < 0.75 * head_off


def test_a_juggler_who_is_turned_looks_the_same_way_seen_from_the_body() -> None:
    usual, turned = (
        looks(animate(f"pattern=531;body=({angle},{x},0).")) for angle, x in ((0, 0), (130, 80))
    )
    assert turned == pytest.approx(usual, abs=1e-9)


def test_head_motion_is_how_far_heads_turn_and_0_keeps_them_still() -> None:
    small, usual, large = (
        np.abs(looks(animate("531"), amount)).max() for amount in (0.5, 1.0, 3.0)
    )
    assert 0.4 * usual < small < 0.7 * usual
    assert usual < large <= MAX_PITCH
    animation = animate("b97531", head_motion=0)
    assert animation.plan.gaze is None
    joints = animation.pose(ROUND * animation.duration).joints
    face = joints[..., Joint.FACE, :] - joints[..., Joint.HEAD, :]
    assert face / np.linalg.norm(face, axis=-1, keepdims=True) == pytest.approx(
        np.array([[[0.0, 0.0, 1.0]]] * 200)
    )


@pytest.mark.parametrize("pattern", ["5", "5" * 600])
def test_a_plan_is_as_long_as_its_loop(pattern: str) -> None:
    animation = animate(pattern)
    track = plan_gaze(animation.motion, 1.0)
    assert track is not None
    assert 22 * animation.duration < len(track.controls) < 26 * animation.duration + 2
