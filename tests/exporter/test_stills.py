import io
from pathlib import Path

import numpy as np
import OpenImageIO as oiio
import pytest
from foreign_programs import decoded, likeness
from PIL import Image

from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.options import Quality, read_quality
from juggle_anim.exporter.stills import DrawnFrames, check_still, encode_still
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.formats import STILLS
from juggle_anim.metadata.documents import read_metadata

LEAST_LIKENESS = {
    ".png": np.inf,
    ".jpg": 40,
    ".jpeg": 40,
    ".webp": 38,
    ".tif": np.inf,
    ".tiff": np.inf,
}
"""Of the picture in a file and the one that was drawn, [dB]."""


@pytest.fixture(scope="module")
def opaque() -> Bytes:
    return next(DrawnFrames(FrameRequest(animate("531"), (160, 120), 10)).images([3]))


@pytest.fixture(scope="module")
def clear() -> Bytes:
    return next(
        DrawnFrames(FrameRequest(animate("531"), (160, 120), 10, transparent=True)).images([3])
    )


SHOWN = [ending for ending in STILLS if ending != ".exr"]
"""Those that hold pictures as screens show them; `test_exr` reads the other."""


@pytest.mark.parametrize("ending", SHOWN)
def test_two_programs_read_the_picture_that_was_drawn(
    tmp_path: Path, ending: str, opaque: Bytes
) -> None:
    path = tmp_path / f"a{ending}"
    path.write_bytes(encode_still(opaque, ending, Quality.GOOD, ""))
    with Image.open(path) as read:
        assert read.mode == "RGB"
        assert likeness(np.asarray(read), opaque) >= LEAST_LIKENESS[ending]
    (picture,) = decoded(path, (160, 120))
    assert likeness(picture, opaque) >= LEAST_LIKENESS[ending]


@pytest.mark.parametrize("ending", [".png", ".webp", ".tif"])
def test_what_is_transparent_stays_so(ending: str, clear: Bytes) -> None:
    with Image.open(io.BytesIO(encode_still(clear, ending, Quality.GOOD, ""))) as read:
        picture = np.asarray(read)
    assert (picture[..., 3] == clear[..., 3]).all()
    seen = clear[..., 3] == 255
    assert seen.any()
    assert likeness(picture[seen], clear[seen]) > 30


@pytest.mark.parametrize("ending", [".jpg", ".JPEG"])
def test_a_jpeg_cannot_be_transparent(ending: str) -> None:
    with pytest.raises(ParameterError, match=r"cannot be transparent; \.png, \.webp, \.tif"):
        check_still(ending, (64, 48), transparent=True)
    check_still(ending, (64, 48), transparent=False)


def test_at_the_best_quality_only_jpeg_loses_anything(opaque: Bytes) -> None:
    for ending in SHOWN:
        with Image.open(io.BytesIO(encode_still(opaque, ending, Quality.BEST, ""))) as read:
            assert (np.asarray(read) == opaque).all() == (ending not in (".jpg", ".jpeg")), ending


@pytest.mark.parametrize("ending", [".jpg", ".webp"])
def test_a_better_quality_is_larger_and_more_like(ending: str, opaque: Bytes) -> None:
    files = [encode_still(opaque, ending, quality, "") for quality in Quality]
    assert list(map(len, files)) == sorted(map(len, files))
    seen = [likeness(np.asarray(Image.open(io.BytesIO(file))), opaque) for file in files]
    assert seen == sorted(seen)


@pytest.mark.parametrize("length", [60_000, 60_001, 200_000])
def test_words_have_room_in_every_picture_however_many_they_are(
    tmp_path: Path, length: int, opaque: Bytes
) -> None:
    words = "".join(map(str, range(length)))[:length]
    for ending in STILLS:
        path = tmp_path / f"a{ending}"
        path.write_bytes(encode_still(opaque, ending, Quality.GOOD, words))
        assert read_metadata(path) == words, ending
        about = oiio.ImageBuf(str(path)).spec()
        assert (about.height, about.width, about.nchannels) == opaque.shape


def test_comments_of_other_programs_are_not_words_of_ours(tmp_path: Path, opaque: Bytes) -> None:
    path = tmp_path / "a.jpg"
    Image.fromarray(opaque).save(path, comment=b"a holiday")
    assert read_metadata(path) is None


def test_a_quality_is_a_word() -> None:
    assert read_quality(" Best ") is Quality.BEST
    with pytest.raises(ParameterError, match="did you mean draft"):
        read_quality("drafft")
