import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from foreign_programs import decoded, likeness, probed

from juggle_anim.animation import animate
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.stills import DrawnFrames
from juggle_anim.exporter.video import write_raw
from juggle_anim.exporter.view import FrameRequest

SHOTS = FrameRequest(animate("531"), (64, 48), 24000 / 1001, seconds=0.3)


def raw(request: FrameRequest, kind: str) -> bytes:
    stream = io.BytesIO()
    write_raw(request, kind, stream, None)
    return stream.getvalue()


def test_raw_frames_are_the_pixels_of_pictures() -> None:
    drawn = np.array(list(DrawnFrames(SHOTS).images()))
    assert raw(SHOTS, "rgb24") == drawn.tobytes()
    found = np.frombuffer(raw(SHOTS, "rgba"), np.uint8).reshape(*drawn.shape[:3], 4)
    assert (found[..., :3] == drawn).all()
    assert (found[..., 3] == 255).all()
    clear = replace(SHOTS, transparent=True)
    assert raw(clear, "rgba") == np.array(list(DrawnFrames(clear).images())).tobytes()


def test_y4m_says_size_and_rate_and_has_the_same_colours(tmp_path: Path) -> None:
    path = tmp_path / "a.y4m"
    path.write_bytes(raw(SHOTS, "y4m"))
    (stream,) = probed(path)["streams"]
    assert (stream["width"], stream["height"], stream["r_frame_rate"]) == (64, 48, "24000/1001")
    assert int(stream["nb_read_frames"]) == SHOTS.frames
    # It cannot say the matrix of its colours, so FFmpeg is told.
    said = (
        "-vf",
        "scale=in_color_matrix=bt709:in_range=tv",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-",
    )
    shown = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, *said], capture_output=True, check=True
    ).stdout
    found = np.frombuffer(shown, np.uint8).reshape(-1, 48, 64, 3)
    assert likeness(found, np.array(list(DrawnFrames(SHOTS).images()))) > 40


def test_the_program_writes_frames_into_a_pipe_and_nothing_else(tmp_path: Path) -> None:
    words = [
        "export",
        "531",
        "-",
        "--format",
        "rgb24",
        "--size",
        "64x48",
        "--fps",
        "10",
        "--seconds",
        "0.3",
    ]
    ran = subprocess.run([sys.executable, "-m", "juggle_anim", *words], capture_output=True)
    assert (ran.returncode, len(ran.stdout)) == (0, 3 * 64 * 48 * 3)
    # A busy machine may have told of fewer before.
    assert ran.stderr.splitlines()[-1].startswith(b"3/3 frames")
    form = ["-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", "64x48", "-framerate", "10"]
    path = tmp_path / "a.mkv"
    subprocess.run(
        ["ffmpeg", "-v", "error", *form, "-i", "-", "-c:v", "ffv1", path],
        input=ran.stdout,
        check=True,
    )
    assert decoded(path, (64, 48)).tobytes() == ran.stdout


@pytest.mark.parametrize(
    ("kind", "transparent", "said"),
    [
        ("rgb2", False, "did you mean rgb24"),
        ("y4m", True, "rgba can"),
        ("rgb24", True, "cannot be transparent"),
    ],
)
def test_what_raw_frames_cannot_be_is_said(kind: str, transparent: bool, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        raw(replace(SHOTS, transparent=transparent), kind)
