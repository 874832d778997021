import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.state.playback import ThrowTimesCache, next_throw, snap, throw_times


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
    last, animation = ThrowTimesCache(), animate("531")
    assert last.of(animation) is last.of(animation)
    assert len(last.of(animate("3"))) == 2


def test_a_place_near_a_mark_is_that_mark() -> None:
    marks = np.array([0.2, 0.21, 0.8])
    assert snap(0.206, marks, 0.01) == 0.21
    assert snap(0.25, marks, 0.01) == 0.25
    assert snap(0.5, np.zeros(0), 0.01) == 0.5
