import itertools
from pathlib import Path

import numpy as np
import pytest
from foreign_programs import heard, probed

from juggle_anim.animation import animate
from juggle_anim.exporter.options import WriteOptions
from juggle_anim.exporter.video import CatchSounds, write_video
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.sound import SAMPLE_RATE


def beginnings(sound: np.ndarray) -> np.ndarray:
    """When clicks begin, [s]."""
    loud = np.flatnonzero(np.abs(sound) > 0.1)
    return loud[np.diff(loud, prepend=-SAMPLE_RATE) > 0.06 * SAMPLE_RATE] / SAMPLE_RATE


@pytest.mark.parametrize("speed", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("start", [0.0, 0.7])
def test_there_is_a_click_at_every_catch(speed: float, start: float) -> None:
    shots = FrameRequest(animate("3", speed=speed), (8, 6), 30, start=start, seconds=3.0)
    choreography = shots.animation.choreography
    times = choreography.events.time[choreography.flights.catch]
    catches = (times + np.arange(20)[:, None] * choreography.duration).ravel() / speed - start
    found = beginnings(CatchSounds(shots).samples(0, 3 * SAMPLE_RATE))
    np.testing.assert_allclose(
        found, np.sort(catches[(catches > 0) & (catches < 2.999)]), atol=0.002
    )


def test_the_sound_is_the_same_in_whatever_pieces_it_is_made() -> None:
    clicks = CatchSounds(FrameRequest(animate("531"), (8, 6), 30, loops=2))
    whole = clicks.samples(0, 50_000)
    edges = [0, 1, 700, 12_345, 30_000, 30_001, 50_000]
    parts = [clicks.samples(low, high - low) for low, high in itertools.pairwise(edges)]
    np.testing.assert_allclose(np.concatenate(parts), whole, atol=1e-6)
    assert np.abs(whole).max() <= 1


def test_whole_loops_are_heard_at_the_pace_at_which_they_are_seen() -> None:
    # At this rate a loop of 0.34 s is one picture of 0.5 s.
    shots = FrameRequest(animate("3"), (8, 6), 2.0, loops=1)
    assert shots.frames == 1
    found = beginnings(CatchSounds(shots).samples(0, 3 * SAMPLE_RATE))
    np.testing.assert_allclose(
        np.diff(found), 0.5 / len(np.unique(shots.animation.choreography.flights.catch)), atol=1e-4
    )


SHOTS = FrameRequest(animate("3"), (32, 24), 29.97, seconds=2.0)


@pytest.mark.parametrize(
    ("ending", "codec"), [(".mp4", "aac"), (".webm", "opus"), (".mov", "pcm_s16le")]
)
def test_another_program_hears_the_clicks_when_they_are_due(
    tmp_path: Path, ending: str, codec: str
) -> None:
    path = write_video(SHOTS, tmp_path / f"a{ending}", options=WriteOptions(sound=True))
    assert [stream["codec_name"] for stream in probed(path)["streams"]][1:] == [codec]
    sound = heard(path)
    expected = CatchSounds(SHOTS).samples(0, len(sound))
    assert len(sound) == pytest.approx(SHOTS.duration * SAMPLE_RATE, abs=0.03 * SAMPLE_RATE)
    # Where the two fit best, in samples; 2 ms cannot be heard.
    offset = int(np.argmax(np.correlate(sound, expected[2_000:-2_000], "valid")))
    assert abs(offset - 2_000) < 0.002 * SAMPLE_RATE
    assert np.corrcoef(sound, expected)[0, 1] > 0.9


def test_without_being_asked_for_there_is_none(tmp_path: Path) -> None:
    assert len(probed(write_video(SHOTS, tmp_path / "a.mp4"))["streams"]) == 1
