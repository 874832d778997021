import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.state.playback import (
    FRAME_TIME,
    SPEEDS,
    Playback,
    faster,
    next_throw,
    slower,
    snap,
    throw_times,
)
from juggle_anim.viewer.state.undo import IdentityCache


def test_time_runs_at_the_playing_speed() -> None:
    playback = Playback(1.0)
    playback.advance(0.5, speed=0.25)
    assert playback.time == pytest.approx(1.125)


def test_a_pause_stops_time_until_it_goes_on() -> None:
    playback = Playback()
    playback.toggle()
    playback.advance(1.0, speed=1.0)
    assert playback.time == 0.0
    playback.toggle()
    playback.advance(1.0, speed=1.0)
    assert playback.time == 1.0


def test_a_step_pauses_and_moves_one_frame_either_way() -> None:
    playback = Playback(1.0)
    playback.step(1)
    assert playback.paused
    assert playback.time == pytest.approx(1.0 + FRAME_TIME)
    playback.step(-2)
    assert playback.time == pytest.approx(1.0 - FRAME_TIME)


def test_the_place_in_the_loop_survives_another_duration() -> None:
    playback = Playback(7.3)
    phase = playback.phase(2.0)
    playback.keep_phase(2.0, 3.1)
    assert playback.phase(3.1) == pytest.approx(phase)


@pytest.mark.parametrize("time", [7.3, -0.4])
def test_seeking_stays_within_the_present_loop(time: float) -> None:
    playback = Playback(time)
    playback.seek(0.25, 2.0)
    assert playback.time // 2.0 == time // 2.0
    assert playback.phase(2.0) == pytest.approx(0.25)
    playback.seek(1.0, 2.0)
    assert playback.time // 2.0 == time // 2.0


def test_speeds_are_gone_through_one_by_one_and_stop_at_the_ends() -> None:
    speed = SPEEDS[0]
    for wanted in SPEEDS[1:]:
        speed = faster(speed)
        assert speed == wanted
    assert faster(speed) == speed
    assert slower(SPEEDS[0]) == SPEEDS[0]
    assert slower(1.2) == 1.0
    assert faster(1.2) == 1.5
    assert faster(50.0) == 50.0
    assert slower(50.0) == SPEEDS[-1]


def test_time_goes_on_in_whole_screen_frames_and_loses_none() -> None:
    playback = Playback(frame_time=1 / 60)
    uneven = [0.010, 0.021, 0.016, 0.0175, 0.030, 0.005] * 20
    for elapsed in uneven:
        playback.advance(elapsed, speed=1.0)
        assert playback.time * 60 == pytest.approx(round(playback.time * 60), abs=1e-6)
    assert playback.time == pytest.approx(sum(uneven), abs=1 / 60)


def test_time_runs_back_from_a_stand_and_turns_around_while_it_runs() -> None:
    playback = Playback(time=1.0, paused=True)
    playback.reverse()
    playback.advance(0.5, speed=2.0)
    assert playback.time == pytest.approx(0.0)
    playback.reverse()
    playback.advance(0.5, speed=1.0)
    assert playback.time == pytest.approx(0.5)
    playback.reverse()
    playback.pause_at(7.25)
    assert playback.paused
    assert playback.time == 7.25


def test_throws_are_on_the_beats_and_at_one_time_count_once() -> None:
    animation = animate("(4,4)")
    beats = throw_times(animation) * animation.choreography.bps
    assert beats == pytest.approx([beats[0] + 2 * number for number in range(len(beats))])
    assert len(throw_times(animate("531"))) == 6


def test_steps_go_through_all_throws_and_on_into_the_next_loop() -> None:
    animation = animate("531")
    throws, duration = throw_times(animation), animation.duration
    time, gone = throws[0] + 5 * duration, []
    for _ in range(len(throws)):
        time = next_throw(animation, time, 1)
        gone.append(time)
    assert gone == pytest.approx([*(throws[1:] + 5 * duration), throws[0] + 6 * duration])
    back = [time := next_throw(animation, time, -1) for _ in range(len(throws))]
    assert back == pytest.approx([*gone[-2::-1], throws[0] + 5 * duration])
    assert next_throw(animation, -0.01, -1) < -0.01


def test_where_nobody_throws_time_stays() -> None:
    assert next_throw(animate("0"), 1.5, 1) == 1.5


def test_the_throws_of_another_animation_are_looked_up_anew() -> None:
    last, animation = IdentityCache(throw_times), animate("531")
    assert last.of(animation) is last.of(animation)
    assert len(last.of(animate("3"))) == 2


def test_a_place_near_a_mark_is_that_mark() -> None:
    marks = np.array([0.2, 0.21, 0.8])
    assert snap(0.206, marks, 0.01) == 0.21
    assert snap(0.25, marks, 0.01) == 0.25
    assert snap(0.5, np.zeros(0), 0.01) == 0.5
