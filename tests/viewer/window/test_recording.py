import json
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from driven_window import DrivenWindow

from juggle_anim.animation import animate
from juggle_anim.viewer.recording import RATE

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def probed(path: Path) -> dict[str, Any]:
    if not shutil.which("ffprobe"):
        pytest.skip("needs ffprobe: apt-get install ffmpeg")
    wanted = "stream=codec_name,width,height,r_frame_rate,avg_frame_rate,nb_read_frames,duration"
    command = [
        "ffprobe",
        "-v",
        "error",
        "-count_frames",
        "-show_entries",
        wanted,
        "-of",
        "json",
        str(path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert done.stderr == ""
    stream: dict[str, Any] = json.loads(done.stdout)["streams"][0]
    return stream


def frames(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as container:
        return [
            frame.to_ndarray(format="rgb24")
            for frame in container.decode(container.streams.video[0])
        ]


def test_f9_films_the_window_in_real_time_and_again_ends_it(
    open_window: Opener, pictures: Path
) -> None:
    window = open_window(paused=False)
    window.wait(lambda state: state["settled"])
    window.keys("F9")
    began = window.wait(lambda state: state["recording"] is not None)["recording"]
    clock = time.monotonic()
    time.sleep(1.0)
    before = window.state()["time"]
    window.wait(lambda state: state["time"] > before + 0.2)  # it goes on meanwhile
    window.keys("F9")
    state = window.wait(lambda state: state["recording"] is None and "Saved as" in state["said"])
    lasted = time.monotonic() - clock + began
    path = pictures / "juggling-531.mp4"
    assert str(path) in state["said"]
    found = probed(path)
    assert (found["codec_name"], found["width"], found["height"]) == ("h264", 640, 480)
    assert found["r_frame_rate"] == found["avg_frame_rate"] == f"{RATE}/1"
    assert (
        1.0
        < float(found["duration"])
        == pytest.approx(int(found["nb_read_frames"]) / RATE, abs=0.01)
    )
    assert float(found["duration"]) <= lasted + 0.5
    assert animate(str(path)).text == "531"
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_the_film_shows_the_panels_but_not_its_own_mark(
    open_window: Opener, pictures: Path
) -> None:
    window = open_window(at=0.4)
    window.wait(lambda state: state["settled"])
    plain = window.pixels()
    window.keys("F9")
    window.wait(lambda state: state["recording"] is not None and state["recording"] > 0.8)
    shown = window.screen()
    assert (window.pixels() == plain).all()  # what F12 keeps has no mark either
    window.keys("F9")
    window.wait(lambda state: "Saved as" in state["said"])
    film = frames(pictures / "juggling-531.mp4")
    assert np.abs(film[-1].astype(int) - plain).mean() < 3  # text loses a little of its colour
    marked = (np.abs(shown.astype(int) - plain) > 60).any(axis=2)
    red = marked & (shown[..., 0] > 200) & (shown[..., 1] < 140)
    assert red.sum() > 40
    assert np.abs(film[-1].astype(int) - plain)[red].mean() < 6


@pytest.mark.long
def test_a_film_goes_on_where_opengl_forgets_everything(
    open_window: Opener, pictures: Path
) -> None:
    window = open_window(paused=False)
    window.keys("F9")
    window.wait(lambda state: state["recording"] is not None and state["recording"] > 0.3)
    window.forget()
    later = window.wait(lambda state: state["recording"] is not None)["recording"] + 0.4
    window.wait(lambda state: state["recording"] > later)
    window.keys("F9")
    window.wait(lambda state: "Saved as" in state["said"])
    assert len(list(pictures.iterdir())) == 1


@pytest.mark.long
def test_another_size_and_a_closed_window_leave_a_sound_film(
    open_window: Opener, pictures: Path
) -> None:
    window = open_window(paused=False)
    window.keys("F9")
    window.wait(lambda state: state["recording"] is not None)
    window.resize(801, 455)
    window.wait(lambda state: state["size"] == [801, 455])
    later = window.state()["recording"] + 0.4
    window.wait(lambda state: state["recording"] > later)
    window.ask_to_close()
    assert window.exit_code() == 0
    path = pictures / "juggling-531.mp4"
    found = probed(path)
    assert (found["width"], found["height"]) == (640, 480)
    last = frames(path)[-1]
    assert last[:40].max() < 30  # as wide as before, with black above
    assert last[100:380].mean() > 60


def test_a_film_that_cannot_be_written_is_said_and_the_animation_goes_on(
    open_window: Opener, pictures: Path
) -> None:
    window = open_window(paused=False)
    window.keys("F9")
    window.wait(lambda state: state["recording"] is not None and state["recording"] > 0.3)
    shutil.rmtree(pictures)
    window.keys("F9")
    state = window.wait(lambda state: "Not recorded" in state["said"])
    window.wait(lambda later: later["time"] > state["time"] + 0.2)
    window.keys("F9")  # to the current folder, as there is none of pictures
    window.wait(lambda state: state["recording"] is not None)
    window.keys("F9")
    said = window.wait(lambda state: "Saved as" in state["said"])["said"]
    Path(said.removeprefix("Saved as ")).unlink()
