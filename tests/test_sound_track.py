from pathlib import Path

import numpy as np
import pytest
from foreign_programs import heard, probed

from juggle_anim.animation import animate
from juggle_anim.exporter.ffmpeg import CatchSounds
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import WriteOptions
from juggle_anim.exporter.video import write_video
from juggle_anim.sound import SAMPLE_RATE

SHOTS = FrameRequest(animate("3"), (32, 24), 29.97, seconds=2.0)


@pytest.mark.parametrize(("ending", "codec"), [(".mp4", "aac"), (".webm", "opus"), (".mov", "pcm_s16le")])
def test_another_program_hears_the_clicks_when_they_are_due(tmp_path: Path, ending: str, codec: str) -> None:
    path = write_video(SHOTS, tmp_path / f"a{ending}", False, None, WriteOptions(sound=True))
    assert [stream["codec_name"] for stream in probed(path)["streams"]][1:] == [codec]
    sound = heard(path)
    expected = CatchSounds(SHOTS).samples(0, len(sound))
    assert len(sound) == pytest.approx(SHOTS.duration * SAMPLE_RATE, abs=0.03 * SAMPLE_RATE)
    # Where the two fit best, in samples; 2 ms cannot be heard.
    offset = int(np.argmax(np.correlate(sound, expected[2_000:-2_000], "valid")))
    assert abs(offset - 2_000) < 0.002 * SAMPLE_RATE
    assert np.corrcoef(sound, expected)[0, 1] > 0.9


def test_without_being_asked_for_there_is_none(tmp_path: Path) -> None:
    assert len(probed(write_video(SHOTS, tmp_path / "a.mp4", False, None))["streams"]) == 1
