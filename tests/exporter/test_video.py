import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from av.video.reformatter import ColorRange, Colorspace
from long_cases import sampled

from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.stills import DrawnFrames
from juggle_anim.exporter.video import write_video
from juggle_anim.exporter.view import FrameRequest

SHOTS = FrameRequest(animate("531"), (96, 72), 12, seconds=1.0)

COLOURS = np.array(
    [(230, 30, 30), (30, 230, 30), (30, 30, 230), (230, 230, 30), (30, 230, 230), (128, 128, 128)],
    dtype=np.uint8,
)

# In a process of its own: files may not grow beyond so many bytes, as on a full disk.
LIMITED = """
import resource, sys
from pathlib import Path
from typing import Any
from juggle_anim.animation import animate
from juggle_anim.errors import ExportError
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.exporter.video import write_video
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    write_video(FrameRequest(animate("531"), (96, 72), 12, seconds=1.0), Path(sys.argv[1]))
except ExportError as error:
    print(error)
"""


def likeness(one: Bytes, other: Bytes) -> float:
    """The ratio of the peak signal to the noise, [dB]."""
    error = np.mean((one.astype(float) - other) ** 2)
    return float(10 * np.log10(255**2 / error)) if error else np.inf


def decoded(path: Path) -> list[Bytes]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


@pytest.mark.parametrize(
    ("fps", "rate"), [(60, Fraction(60)), (25, Fraction(25)), (29.97, Fraction(30000, 1001))]
)
def test_the_file_says_what_it_is(tmp_path: Path, fps: float, rate: Fraction) -> None:
    shots = FrameRequest(animate("3"), (64, 48), fps)
    path = write_video(shots, tmp_path / "v.mp4")
    with av.open(str(path)) as container:
        (stream,) = container.streams.video
        assert (stream.frames, stream.average_rate) == (shots.frames, rate)
        assert float(stream.duration * stream.time_base) == pytest.approx(
            shots.frames / fps, rel=1e-3
        )
        context = stream.codec_context
        assert (context.width, context.height, context.pix_fmt, context.name) == (
            64,
            48,
            "yuv420p",
            "h264",
        )
        assert (
            context.color_primaries,
            context.color_trc,
            context.colorspace,
            context.color_range,
        ) == (1, 1, 1, 1)


LOOKS: list[tuple[str, dict[str, Any], str]] = [
    ("531", {}, "webm"),
    ("<3p 3|3p 3>", {"paths": "both", "trails": 1.0}, "mp4"),
    ("<3|3|3|3|3|3>", {}, "webm"),
    ("pattern=b97531;prop=club", {"stage": "dark"}, "mp4"),
]


def in_planes(image: Bytes) -> Bytes:
    """A picture as videos hold it."""
    return (
        av.VideoFrame.from_ndarray(image, format="rgb24")
        .reformat(
            format="yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG
        )
        .to_ndarray(format="yuv420p")
    )


@pytest.mark.parametrize(
    ("pattern", "given", "kind"), sampled(LOOKS, LOOKS[0], LOOKS[3], arguments=3)
)
def test_whatever_is_shown_a_codec_loses_little_of_what_its_pixels_can_hold(
    tmp_path: Path, pattern: str, given: dict[str, Any], kind: str
) -> None:
    """Both have colours in half the width and height; what that loses, no codec can bring back."""
    shots = FrameRequest(animate(pattern, **given), (320, 240), 12, seconds=0.5)
    path = write_video(shots, tmp_path / f"v.{kind}")
    with av.open(str(path)) as container:
        decoded = [frame.to_ndarray(format="yuv420p") for frame in container.decode(video=0)]
    for picture, image in zip(decoded, DrawnFrames(shots).images(), strict=True):
        assert likeness(picture, in_planes(image)) >= 40


def patches(frames: DrawnFrames) -> Iterator[Bytes]:
    """Pictures of six plain colours side by side."""
    for _ in range(frames.request.frames):
        yield np.repeat(np.repeat(COLOURS[None], 60, axis=0), 20, axis=1)


def test_colours_are_those_of_bt709_in_limited_range(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DrawnFrames, "images", patches)
    path = write_video(FrameRequest(animate("3"), (120, 60), 5), tmp_path / "v.mp4")
    with av.open(str(path)) as container:
        brightness = next(container.decode(video=0)).to_ndarray()[30, 10::20].astype(float)
    # Luma of ITU-R BT.709, of which 16 to 235 are the range that video uses.
    luma = COLOURS @ np.array([0.2126, 0.7152, 0.0722])
    np.testing.assert_allclose(brightness, 16 + luma * 219 / 255, atol=2.5)


@pytest.mark.parametrize("size", [(63, 48), (64, 47)])
def test_an_odd_size_is_refused_before_anything_is_written(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with pytest.raises(ParameterError, match="must be even"):
        write_video(FrameRequest(animate("3"), size, 12), tmp_path / "new" / "v.mp4")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "v.mp4"
    path.write_bytes(b"old")
    with pytest.raises(ExportError, match="force=True"):
        write_video(SHOTS, path)
    assert path.read_bytes() == b"old"
    write_video(SHOTS, path, force=True)
    assert len(decoded(path)) == SHOTS.frames
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_with_the_name_of_the_video_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "v.mp4"
    path.mkdir()
    with pytest.raises(ExportError, match="is a folder"):
        write_video(SHOTS, path, force=True)


def test_the_file_takes_its_name_only_when_it_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = []
    rename = Path.replace

    def look_and_rename(draft: Path, path: Path) -> Path:
        frames.append(len(decoded(draft)))
        return rename(draft, path)

    monkeypatch.setattr(Path, "replace", look_and_rename)
    write_video(SHOTS, tmp_path / "v.mp4", force=True)
    assert frames == [SHOTS.frames]


def test_an_interrupted_video_leaves_the_old_one_and_no_draft(tmp_path: Path) -> None:
    def progress(done: int, _total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    path = tmp_path / "v.mp4"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        write_video(SHOTS, path, force=True, progress=progress)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_fills_up_even_at_the_last_byte_leaves_nothing(tmp_path: Path) -> None:
    limit = write_video(SHOTS, tmp_path / "whole.mp4").stat().st_size - 1
    path = tmp_path / "limited" / "v.mp4"
    ran = subprocess.run(
        [sys.executable, "-c", LIMITED, path, str(limit)], capture_output=True, text=True
    )
    # x264 chooses by threads, so two runs may differ by some bytes: what is there must be whole.
    if path.exists():
        assert len(decoded(path)) == SHOTS.frames
    else:
        assert ran.stdout == f"{path}: cannot save: File too large\n", ran.stderr
        assert list(path.parent.iterdir()) == []
