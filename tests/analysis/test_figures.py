import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.analysis.measures import (
    MASS,
    hand_forces,
    measure_hands,
    sample_times,
    split_times,
)


def test_a_throw_is_as_high_as_its_time_in_the_air_demands() -> None:
    for throw in ja.analyse("3;style=juggling-lab").throws:
        assert throw.height == pytest.approx(9.8 * throw.flight**2 / 8, rel=0.02)
        assert throw.bounces == 0


def test_flight_and_dwell_of_a_cascade_fill_its_beats() -> None:
    animation = ja.animate("5", bps=4.0)
    for throw in ja.analyse(animation).throws:
        assert throw.flight + throw.dwell == pytest.approx(5 / 4)


def test_a_lift_bounce_is_known_by_its_bounces_and_rises_to_the_sampled_height() -> None:
    animation = ja.animate("5B")
    highest = animation.sample(np.linspace(0.0, animation.duration, 20_000)).props[..., 1].max()
    throws = ja.analyse(animation).throws
    assert {throw.bounces for throw in throws} == {1}
    assert max(throw.apex for throw in throws) <= highest + 1e-6


def test_peaks_of_hands_are_those_that_finite_differences_show() -> None:
    animation = ja.animate("531")
    step = 1e-4
    places = animation.sample(np.arange(0.0, animation.duration, step)).hands[:, 0]
    speed = np.linalg.norm(np.diff(places, axis=0), axis=-1) / step
    acceleration = np.linalg.norm(np.diff(places, 2, axis=0), axis=-1) / step**2
    for use in ja.analyse(animation).hands:
        assert use.speed.peak == pytest.approx(speed[:, use.hand].max(), rel=0.01)
        assert use.acceleration.peak == pytest.approx(acceleration[:, use.hand].max(), rel=0.01)
        assert use.acceleration.rms == pytest.approx(
            np.sqrt((acceleration[:, use.hand] ** 2).mean()), rel=0.01
        )
        assert use.lowest == pytest.approx(places[:, use.hand, 1].min(), abs=1e-3)


def test_a_prop_that_rests_in_a_hand_weighs_its_weight_there() -> None:
    for use in measure_hands(ja.animate("2", gravity=162.0).motion, ()):
        assert use.force.peak == pytest.approx(MASS["ball"] * 1.62)
        assert use.force.rms == pytest.approx(use.force.peak)
        assert use.carries == pytest.approx(1.0)


def test_clubs_weigh_more_than_balls() -> None:
    still = ja.animate("2"), ja.animate("pattern=2;prop=club")
    ball, club = (
        hand_forces(animation.motion, animation.motion.sample(np.zeros(1), derivative=2))[0][0, 0]
        for animation in still
    )
    assert club / ball == pytest.approx(MASS["club"] / MASS["ball"])


def test_the_impulse_on_the_hands_is_the_weight_of_all_props_over_the_loop() -> None:
    animation = ja.animate("3")
    times = np.arange(0.0, animation.duration, 1e-4)
    frames = animation.motion.sample(times, 2)
    lift = np.where(frames.holders >= 0, frames.props[..., 1] + 9.8, 0.0).mean(axis=0).sum()
    assert lift == pytest.approx(3 * 9.8, rel=0.01)
    assert all(use.force.peak > MASS["ball"] * 9.8 for use in ja.analyse(animation).hands)


def test_hands_within_reach_are_never_short_of_their_place() -> None:
    assert ja.analyse("3").out_of_reach == ()


def test_hands_out_of_reach_are_told_with_their_times() -> None:
    animation = ja.animate("pattern=3;hands=(10)(160).")
    spans = ja.analyse(animation).out_of_reach
    assert {span.hand for span in spans} == {0, 1}
    for span in spans:
        middle = animation.pose(np.array([(span.start + span.end) / 2])).gaps.reshape(-1)[span.hand]
        ends = animation.pose(np.array([span.start, span.end])).gaps.reshape(2, -1)[:, span.hand]
        assert middle > 0.001
        assert span.worst >= middle - 1e-4
        assert ends == pytest.approx([0.001, 0.001], abs=0.004)


@pytest.mark.parametrize("text", ["3", "531", "pattern=97531;bps=0.7", "3;bps=100"])
def test_a_loop_is_sampled_evenly_and_as_finely_as_is_asked(text: str) -> None:
    motion = ja.animate(text).motion
    for step in (0.001, 0.004, 0.01):
        times = sample_times(motion, step)
        assert times[0] == 0.0
        apart = np.diff([*times.tolist(), motion.duration])
        assert apart == pytest.approx(apart[0])
        # As many as fit, unless a loop is so short that there would be hardly any.
        assert apart[0] <= 1.01 * step
        assert len(times) == round(motion.duration / step) or apart[0] < 0.99 * step


def test_a_crowd_is_sampled_no_more_often_than_there_is_time_for() -> None:
    crowd = ja.animate(f"<{'|'.join(['3 3 3'] * 30)}>").motion
    few = ja.animate("<3 3 3|3 3 3>").motion
    assert len(sample_times(crowd, 1e-6)) < len(sample_times(few, 1e-6))
    parts = list(split_times(crowd, sample_times(crowd)))
    assert np.concatenate(parts) == pytest.approx(sample_times(crowd))
    assert len(parts[0]) <= len(next(split_times(few, sample_times(few))))
