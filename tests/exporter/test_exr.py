import importlib.util
from pathlib import Path

import numpy as np
import OpenImageIO as oiio
import pytest
from foreign_programs import decoded, likeness

import juggle_anim as ja
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.stills import (
    CHROMATICITIES,
    COLOUR_SPACE,
    DrawnFrames,
    linear_light,
    write_still,
)
from juggle_anim.exporter.view import FrameRequest

SHOT = FrameRequest(ja.animate("531"), (160, 120), 10, start=0.3, depth=16)


@pytest.mark.parametrize("transparent", [False, True])
def test_another_program_reads_the_light_of_each_pixel(tmp_path: Path, transparent: bool) -> None:
    shot = FrameRequest(
        ja.animate("531"), (160, 120), 10, start=0.3, depth=16, transparent=transparent
    )
    read = oiio.ImageBuf(str(write_still(shot, tmp_path / "a.exr")))
    (image,) = DrawnFrames(shot).images([0])
    np.testing.assert_allclose(read.get_pixels(oiio.FLOAT), linear_light(image), atol=5e-4)
    assert str(read.spec().format) == "half"
    assert read.spec().channelnames == tuple("RGBA" if transparent else "RGB")


def test_the_file_says_its_colour_space(tmp_path: Path) -> None:
    about = oiio.ImageBuf(str(write_still(SHOT, tmp_path / "a.exr"))).spec()
    assert about.getattribute("oiio:ColorSpace") == COLOUR_SPACE == "lin_rec709_scene"
    assert about.getattribute("chromaticities") == pytest.approx(CHROMATICITIES)


def test_ffmpeg_shows_the_picture_that_a_png_shows(tmp_path: Path) -> None:
    paths = [
        ja.export("531", tmp_path / name, size=(160, 120), captions=True)[0]
        for name in ("a.exr", "a.png")
    ]
    light, (plain,) = (
        decoded(path, (160, 120), options=options)
        for path, options in zip(paths, (("-apply_trc", "iec61966_2_1"), ()), strict=True)
    )
    assert likeness(light[0], plain) > 45


def test_light_is_that_of_srgb_times_alpha() -> None:
    picture = np.array([[[0, 128, 255, 255], [255, 255, 255, 51]]], dtype=np.uint8)
    np.testing.assert_allclose(
        linear_light(picture), [[[0, 0.21586, 1, 1], [0.2, 0.2, 0.2, 0.2]]], atol=1e-5
    )
    deep = picture.astype(np.uint16) * 257
    np.testing.assert_allclose(linear_light(deep), linear_light(picture), atol=1e-6)


def test_frames_are_written_too(tmp_path: Path) -> None:
    paths = ja.export("531", tmp_path / "a_##.exr", size=(32, 24), fps=4, seconds=0.5)
    assert [path.name for path in paths] == ["a_00.exr", "a_01.exr"]
    assert ja.animate(str(paths[1])).settings == ja.animate("531").settings


def test_without_its_library_a_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "juggle_anim.errors.find_spec", lambda name: None if name == "OpenEXR" else found(name)
    )
    for name in ("a.exr", "a_##.exr"):
        with pytest.raises(
            ParameterError, match=r'EXR files need .* OpenEXR: pip install "juggle-anim\[exr\]"'
        ):
            ja.export("531", tmp_path / name, size=(32, 24))
    assert not list(tmp_path.iterdir())
