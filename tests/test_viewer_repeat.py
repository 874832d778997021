from juggle_anim.viewer.keyboard import DELAY, INTERVAL, KeyRepeat
from juggle_anim.viewer.state.keymap import Action


def test_a_held_key_repeats_after_a_delay_until_it_is_released() -> None:
    repeat = KeyRepeat()
    repeat.press(Action.TURN_UP)
    assert repeat.due(DELAY * 0.9) == []
    assert repeat.due(DELAY * 0.2) == [Action.TURN_UP]
    assert repeat.due(INTERVAL * 0.5) == []
    assert repeat.due(INTERVAL * 0.6) == [Action.TURN_UP]
    repeat.release()
    assert repeat.due(10.0) == []


def test_a_slow_frame_repeats_only_once() -> None:
    repeat = KeyRepeat()
    repeat.press(Action.TURN_UP)
    assert repeat.due(100.0) == [Action.TURN_UP]
