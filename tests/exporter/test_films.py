import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from foreign_programs import decoded, likeness, probed, turbores_pictures
from long_cases import sampled
from PIL import Image, ImageSequence

from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.options import Quality, WriteOptions
from juggle_anim.exporter.stills import DrawnFrames
from juggle_anim.exporter.video import write_video
from juggle_anim.exporter.view import FrameRequest, loops_until_props_return
from juggle_anim.formats import VIDEOS

ANIMATION = animate("531")
LARGE = FrameRequest(ANIMATION, (320, 240), 12, seconds=0.5)
SMALL = FrameRequest(ANIMATION, (96, 72), 12)

LEAST_LIKENESS = {".mp4": 40, ".webm": 40, ".mov": 40, ".gif": 40, ".apng": np.inf, ".webp": 40}
"""Of each picture and the one that was drawn, [dB]."""

WITH_ALPHA = [ending for ending, film in VIDEOS.items() if film.alpha]


def pictures(path: Path, size: tuple[int, int], alpha: bool = False) -> Bytes:
    """The pictures of a file, read by FFmpeg's program, or by Pillow where that cannot."""
    if path.suffix == ".webp":
        with Image.open(path) as read:
            return np.array(
                [
                    np.asarray(each.convert("RGBA" if alpha else "RGB"))
                    for each in ImageSequence.Iterator(read)
                ]
            )
    return decoded(
        path, size, "rgba" if alpha else "rgb24", "libvpx-vp9" if path.suffix == ".webm" else ""
    )


def test_every_kind_has_a_bound_here() -> None:
    assert LEAST_LIKENESS.keys() == VIDEOS.keys()


@pytest.mark.parametrize("ending", VIDEOS)
def test_another_program_reads_the_pictures_that_were_drawn(tmp_path: Path, ending: str) -> None:
    path = write_video(LARGE, tmp_path / f"a{ending}")
    read = pictures(path, LARGE.size)
    assert len(read) == LARGE.frames
    for picture, image in zip(read, DrawnFrames(LARGE).images(), strict=True):
        assert likeness(picture, image) >= LEAST_LIKENESS[ending]
    if ending in (".mp4", ".webm", ".mov"):
        (stream,) = probed(path)["streams"]
        assert (stream["color_space"], stream["color_range"]) == ("bt709", "tv")


def test_each_frame_of_prores_says_that_its_colours_are_bt709(tmp_path: Path) -> None:
    content = write_video(SMALL, tmp_path / "a.mov").read_bytes()
    frames = content.split(b"icpf")[1:]
    assert len(frames) == SMALL.frames
    for frame in frames:
        assert tuple(frame[14:17]) == (
            1,
            1,
            1,
        )  # primaries, transfer and matrix (SMPTE RDD 36, 5.1.1)


@pytest.mark.parametrize("transparent", sampled([False, True], True))
def test_a_second_program_reads_the_pictures_of_prores_that_were_drawn(
    tmp_path: Path, transparent: bool
) -> None:
    shots = replace(LARGE, transparent=transparent)
    path = write_video(shots, tmp_path / "a.mov")
    heads, read = turbores_pictures(path)
    assert [head["codec"] for head in heads] == [("apch", "ap4h")[transparent]] * shots.frames
    assert [head["time"] for head in heads] == pytest.approx(
        [number / 12 for number in range(shots.frames)]
    )
    assert {tuple(head["colours"]) for head in heads} == {(1, 1, 1)}
    for picture, other, image in zip(
        read, decoded(path, shots.size, "rgba"), DrawnFrames(shots).images(), strict=True
    ):
        solid = image[..., 3] == 255 if transparent else np.full(image.shape[:2], True)
        assert likeness(picture[solid][:, :3], image[solid][:, :3]) >= (
            27 if transparent else LEAST_LIKENESS[".mov"]
        )
        assert likeness(picture[..., :3], other[..., :3]) > 40
        if transparent:
            assert np.abs(picture[..., 3].astype(int) - other[..., 3]).max() <= 1


@pytest.mark.parametrize("ending", WITH_ALPHA)
def test_what_is_transparent_stays_so_and_people_stay_whole(tmp_path: Path, ending: str) -> None:
    shots = replace(LARGE, transparent=True, fps=5)
    read = pictures(write_video(shots, tmp_path / f"a{ending}"), shots.size, alpha=True)
    for picture, image in zip(read, DrawnFrames(shots).images(), strict=True):
        clear, solid = image[..., 3] == 0, image[..., 3] == 255
        assert (picture[clear][:, 3] <= 12).mean() > 0.999
        assert (picture[solid][:, 3] >= 243).mean() > 0.99
        assert likeness(picture[solid][:, :3], image[solid][:, :3]) > 27


@pytest.mark.parametrize("ending", [ending for ending in VIDEOS if ending != ".webp"])
def test_another_program_reads_size_number_and_time_of_the_pictures(
    tmp_path: Path, ending: str
) -> None:
    said = probed(write_video(replace(SMALL, fps=20), tmp_path / f"a{ending}"))
    (stream,) = said["streams"]
    assert (stream["width"], stream["height"]) == SMALL.size
    assert int(stream["nb_read_frames"]) == replace(SMALL, fps=20).frames
    assert float(Fraction(stream["r_frame_rate"])) == pytest.approx(20, rel=0.03)
    if "duration" in said["format"]:
        assert float(said["format"]["duration"]) == pytest.approx(SMALL.duration, abs=0.03)


@pytest.mark.parametrize("ending", sampled(VIDEOS, ".mp4", ".gif"))
def test_the_last_picture_is_followed_by_the_first_as_by_any_other(
    tmp_path: Path, ending: str
) -> None:
    animation = animate("3")
    shots = FrameRequest(animation, (160, 120), 20, loops_until_props_return(animation, 0.0))
    read = pictures(write_video(shots, tmp_path / f"a{ending}"), shots.size).astype(float)
    steps = np.abs(np.roll(read, -1, axis=0) - read).mean(axis=(1, 2, 3))
    assert steps[-1] <= 1.2 * steps[:-1].max()


@pytest.mark.parametrize("ending", sampled(VIDEOS, ".mp4", ".webp"))
def test_any_size_is_written_or_refused_in_a_line(tmp_path: Path, ending: str) -> None:
    path, even = tmp_path / f"a{ending}", VIDEOS[ending].even
    for size in ((65, 48), (64, 47)) if even else ():
        with pytest.raises(ParameterError, match="must be even"):
            write_video(FrameRequest(ANIMATION, size, 3), path)
        assert list(tmp_path.iterdir()) == []
    for size in ((2, 2),) if even else ((65, 47), (2, 2)):
        written = write_video(FrameRequest(ANIMATION, size, 3), path, force=True)
        assert pictures(written, size).shape[1:3] == size[::-1]


@pytest.mark.parametrize("ending", sampled([".mp4", ".webm", ".webp"], ".mp4", ".webp"))
def test_a_better_quality_is_more_like_and_larger(tmp_path: Path, ending: str) -> None:
    few = replace(LARGE, seconds=0.3)
    (image,) = DrawnFrames(few).images([0])
    found = []
    for quality in Quality:
        path = write_video(
            few, tmp_path / f"{quality.value}{ending}", options=WriteOptions(quality)
        )
        found.append((likeness(pictures(path, LARGE.size)[0], image), path.stat().st_size))
    assert found == sorted(found)
    assert found[0][0] < found[-1][0] - 1


@pytest.mark.parametrize("ending", VIDEOS)
def test_an_interrupted_file_leaves_nothing(tmp_path: Path, ending: str) -> None:
    def interrupt(done: int, _total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_video(SMALL, tmp_path / f"a{ending}", progress=interrupt)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [".gif", ".apng", ".webp", ".webm"])
def test_a_picture_that_cannot_be_drawn_leaves_nothing(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = DrawnFrames.images

    def fail_at_the_fifth(
        self: DrawnFrames, numbers: Sequence[int] | None = None
    ) -> Iterator[Bytes]:
        for number, image in enumerate(draw(self, numbers)):
            if number == 5:
                raise ZeroDivisionError
            yield image

    monkeypatch.setattr(DrawnFrames, "images", fail_at_the_fifth)
    with pytest.raises(ZeroDivisionError):
        write_video(FrameRequest(ANIMATION, (96, 72), 12), tmp_path / f"a{ending}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("ending", "change", "said"),
    [
        (".gif", lambda shots: replace(shots, fps=60), "GIF allows at most 50"),
        (
            ".mp4",
            lambda shots: replace(shots, transparent=True),
            "MP4 cannot be transparent; .webm, .mov",
        ),
    ],
)
def test_what_a_kind_cannot_show_is_refused(
    tmp_path: Path, ending: str, change: Callable[[FrameRequest], FrameRequest], said: str
) -> None:
    with pytest.raises(ParameterError, match=said):
        write_video(change(SMALL), tmp_path / f"a{ending}")
    assert list(tmp_path.iterdir()) == []


def test_a_sound_is_refused_where_there_can_be_none(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"GIF has no sound; \.mp4, \.webm, \.mov have"):
        write_video(SMALL, tmp_path / "a.gif", options=WriteOptions(sound=True))


@pytest.mark.parametrize("ending", [ending for ending, film in VIDEOS.items() if film.codecs])
def test_a_codec_that_is_missing_is_named(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    codec = VIDEOS[ending].codecs[0]
    monkeypatch.setattr(av, "codecs_available", av.codecs_available - {codec})
    with pytest.raises(ExportError, match=f"needs the codec {codec}"):
        write_video(SMALL, tmp_path / f"a{ending}")
    assert list(tmp_path.iterdir()) == []


# Neither edge is a multiple of what codecs work in.
ODD = FrameRequest(ANIMATION, (208, 150), 12, seconds=0.5)
EACH_FILM = """
import sys
from pathlib import Path
from juggle_anim.animation import animate
from juggle_anim.formats import VIDEOS
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.exporter.video import write_video
for ending in VIDEOS:
    write_video(FrameRequest(animate("531"), (208, 150), 12, seconds=0.5), Path(sys.argv[1] + ending), force=True)
"""


def test_two_exports_are_equal_to_the_last_byte_whatever_memory_holds_that_nobody_has_written(
    tmp_path: Path,
) -> None:
    # This fills new memory, where the C library is GNU's.
    environment = {**os.environ, "MALLOC_PERTURB_": "85"}
    subprocess.run(
        [sys.executable, "-c", EACH_FILM, str(tmp_path / "other")], env=environment, check=True
    )
    for ending in VIDEOS:
        one = write_video(ODD, tmp_path / f"one{ending}").read_bytes()
        assert one == (tmp_path / f"other{ending}").read_bytes(), ending
