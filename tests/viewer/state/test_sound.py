import subprocess
import sys

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.arrays import Singles
from juggle_anim.errors import ViewerError
from juggle_anim.sound import sound_events
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.playback import Sound

ANIMATION = animate("3")


class Heard:
    def __init__(self) -> None:
        self.sounds: list[Singles] = []

    def play(self, sound: Singles) -> None:
        self.sounds.append(sound)


def playing() -> tuple[Sound, Heard]:
    heard = Heard()
    sound = Sound(lambda: heard)
    assert sound.toggle() == "Sound is on"
    return sound, heard


@pytest.mark.parametrize("way", [1, -1])
def test_each_catch_is_heard_once_forwards_and_backwards(way: int) -> None:
    sound, heard = playing()
    times = 5.0 + way * np.arange(0.0, 3 * ANIMATION.duration, 1 / 60)
    for time in times:
        sound.play_until(ANIMATION, float(time))
    catches = sound_events(ANIMATION.motion, ANIMATION.parameters).time
    low, high = min(times[0], times[-1]), max(times[0], times[-1])
    all_of_them = (catches + ANIMATION.duration * np.arange(-50, 100)[:, None]).ravel()
    assert len(heard.sounds) == ((all_of_them > low) & (all_of_them <= high)).sum() > 3


def test_jumps_and_stands_are_silent_and_so_is_a_sound_that_is_off() -> None:
    sound, heard = playing()
    for time in (0.0, 50.0, 50.0, 20.0):
        sound.play_until(ANIMATION, time)
    assert sound.toggle() == "Sound is off"
    for time in np.arange(20.0, 22.0, 1 / 60):
        sound.play_until(ANIMATION, float(time))
    assert not heard.sounds


def test_without_an_audio_device_the_viewer_says_so_and_goes_on() -> None:
    def none() -> Heard:
        raise ViewerError("no sound: no audio device")

    controller = Controller(ANIMATION)
    model = controller.model
    model.sound = Sound(none)
    controller.perform(Action.SOUND)
    assert model.notice.text == "No sound: no audio device"
    assert not model.sound.on
    model.playback.time = 0.1
    model.play_sound()


def test_a_device_that_fails_is_told_once() -> None:
    class Fails:
        def play(self, sound: Singles) -> None:
            raise OSError("unplugged")

    controller = Controller(ANIMATION)
    model = controller.model
    model.sound = Sound(Fails)
    controller.perform(Action.SOUND)
    for time in np.arange(0.0, 1.0, 1 / 60):
        model.playback.time = float(time)
        model.play_sound()
    assert model.notice.text == "Sound stopped: unplugged"
    assert not model.sound.on


def test_sound_that_was_on_is_on_again_and_looks_for_a_device_when_there_is_something_to_hear() -> (
    None
):
    found: list[Heard] = []

    def find() -> Heard:
        found.append(Heard())
        return found[-1]

    sound = Sound(find)
    sound.resume()
    sound.play_until(ANIMATION, 0.0)
    assert sound.on
    assert not found
    for time in np.arange(0.0, 2.0, 1 / 60):
        sound.play_until(ANIMATION, float(time))
    assert len(found) == 1
    assert found[0].sounds


def test_sound_that_was_on_goes_off_where_the_device_is_gone() -> None:
    def none() -> Heard:
        raise ViewerError("no sound: no audio device")

    model = Model(ANIMATION)
    model.sound = Sound(none)
    model.sound.resume()
    for _ in range(3):
        model.playback.time += 0.05
        model.play_sound()
    assert model.notice.text == "No sound: no audio device"
    assert not model.sound.on


# Asks for sound twice, as somebody does who is told that there is no device.
PROGRAM = """
from juggle_anim.animation import animate
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.window import Viewer

viewer = Viewer(animate("3"), size=(320, 240))
for _ in range(2):
    viewer.model.sound.on = False
    viewer.controller.perform(Action.SOUND)
    print(viewer.model.notice.text)
viewer.close()
"""


@pytest.mark.long
def test_with_a_device_or_without_nothing_is_written_to_the_terminal(
    display: dict[str, str],
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=display,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first == second
    assert first == "Sound is on" or first.startswith("No sound:")
