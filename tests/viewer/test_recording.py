import resource
import subprocess
import sys
import time
from pathlib import Path

import av
import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.parameters import row_named
from juggle_anim.viewer.recording import RATE, SLOW_PIXELS, BackgroundExports, Recording, fit_image
from juggle_anim.viewer.state.model import Model


def picture(level: int, size: tuple[int, int] = (64, 48)) -> np.ndarray:
    return np.full((size[1], size[0], 3), level, dtype=np.uint8)


def film(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(stream))
        assert stream.average_rate == RATE
        times = np.array([float(frame.time) for frame in frames])
        assert times == pytest.approx(np.arange(len(frames)) / RATE, abs=1e-3)
        return [frame.to_ndarray(format="rgb24") for frame in frames]


def test_pictures_stand_for_as_long_as_they_were_shown(tmp_path: Path) -> None:
    recording = Recording(animate("531"), tmp_path / "film.mp4", (64, 48), moment=100.0)
    recording.add(picture(40), 100.0)
    recording.add(picture(120), 100.0 + 10.2 / RATE)
    recording.add(picture(220), 100.0 + 12.4 / RATE)
    recording.end(100.0 + 20.5 / RATE)
    recording.wait()
    assert recording.trouble == ""
    levels = np.array([frame.mean() for frame in film(recording.path)])
    assert levels == pytest.approx([40] * 10 + [120] * 2 + [220] * 8, abs=4)


def test_all_that_was_juggled_becomes_one_film_and_opens_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("juggle_anim.viewer.recording.picture_folder", lambda: tmp_path)
    model, films = Model(animate("3")), BackgroundExports()
    model.set_value(row_named("speed"), 3.0)
    model.type_pattern("51")
    model.screen.keep_session()
    while not model.notice.text.startswith(("Saved", "Not")):
        films.advance(model, (64, 48))
        time.sleep(0.05)
    (path,), (events,) = tmp_path.glob("*.mp4"), tmp_path.glob("*.jml")
    assert model.notice.text == f"Saved as {path} and {events.name}"
    assert len(film(path)) == round(model.live.last.routine.parts[-1].ends / 3.0 * RATE)
    for each in (path, events):
        assert (animate(str(each)).title, animate(str(each)).choreography.props) == ("3 → 51", 3)


def test_a_picture_is_due_at_its_rate_only() -> None:
    recording = Recording(animate("531"), Path("/nowhere/at/all.mp4"), (64, 48), moment=5.0)
    assert recording.due(5.0)
    recording.add(picture(40), 5.0)
    assert not recording.due(5.0 + 0.9 / RATE)
    large = Recording(animate("3"), Path("/nowhere/at/all.mp4"), (SLOW_PIXELS, 2))
    assert large.rate < RATE
    for each in (recording, large):
        each.end(5.0)
        each.wait()


def test_it_opens_the_animation_with_which_it_began(tmp_path: Path) -> None:
    recording = Recording(
        animate("b97531", chicken_wing=70), tmp_path / "film.mp4", (65, 49), start=1.5
    )
    recording.add(picture(40, (65, 49)), 0.0)
    recording.end(0.0)
    recording.wait()
    again = animate(str(recording.path))
    assert (again.text, again.parameters.chicken_wing) == ("b97531", 70)
    assert film(recording.path)[0].shape == (48, 64, 3)


def test_what_is_ended_at_once_is_a_film_of_one_picture(tmp_path: Path) -> None:
    recording = Recording(animate("531"), tmp_path / "film.mp4", (64, 48))
    recording.end(0.0)
    recording.wait()
    assert len(film(recording.path)) == 1


def test_a_file_that_cannot_be_written_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    recording = Recording(animate("531"), tmp_path / "none" / "film.mp4", (64, 48))
    recording.end(1.0)
    recording.wait()
    assert "cannot save" in recording.trouble
    assert list(tmp_path.iterdir()) == []


FULL = """
import resource, sys
from pathlib import Path
import numpy as np
from juggle_anim.animation import animate
from juggle_anim.viewer.recording import Recording

resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
recording = Recording(animate("531"), Path(sys.argv[1]), (640, 480))
noise = np.random.default_rng(0)
for number in range(60):
    if not recording.done:
        recording.add(noise.integers(0, 256, (480, 640, 3)).astype(np.uint8), number / 30)
recording.end(2.0)
recording.wait()
print(recording.trouble)
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="files have no limit here")
def test_a_full_disk_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL, str(tmp_path / "film.mp4")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "cannot save" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_missing_codec_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(av, "codecs_available", set())
    recording = Recording(animate("531"), tmp_path / "film.mp4", (64, 48))
    recording.end(1.0)
    recording.wait()
    assert "codec" in recording.trouble


def test_another_size_is_seen_whole_in_the_middle() -> None:
    wide = fit_image(picture(200, (128, 48)), (64, 48))
    assert wide.shape == (48, 64, 3)
    assert (wide[12:36] == 200).all()
    assert not wide[:12].any()
    assert not wide[36:].any()
    assert (fit_image(picture(200, (65, 49)), (64, 48)) == 200).all()
