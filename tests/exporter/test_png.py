import io
import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import OpenImageIO as oiio
import pytest
from foreign_programs import decoded
from PIL import Image, ImageSequence

from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.exporter.animated import changed_rectangle
from juggle_anim.exporter.stills import DrawnFrames, encode_png, write_still
from juggle_anim.exporter.video import write_video
from juggle_anim.exporter.view import FrameRequest


@pytest.mark.parametrize("transparent", [False, True])
def test_two_programs_read_every_pixel_as_it_was_drawn(tmp_path: Path, transparent: bool) -> None:
    shots = FrameRequest(animate("(6x,4)*"), (97, 61), 12, transparent=transparent)
    path = write_video(shots, tmp_path / "a.apng")
    drawn = np.array(list(DrawnFrames(shots).images()))
    assert (decoded(path, shots.size, "rgba" if transparent else "rgb24") == drawn).all()
    with Image.open(path) as read:
        frames = [
            np.asarray(each.convert("RGBA" if transparent else "RGB"))
            for each in ImageSequence.Iterator(read)
        ]
        assert (np.array(frames) == drawn).all()


@pytest.mark.parametrize(("transparent", "pixels"), [(False, "rgb48le"), (True, "rgba64le")])
def test_two_programs_read_every_deep_pixel_as_it_was_drawn(
    tmp_path: Path, transparent: bool, pixels: str
) -> None:
    shot = FrameRequest(
        animate("531"), (97, 61), 12, transparent=transparent, depth=16, captions=True
    )
    path = write_still(shot, tmp_path / "a.png")
    (image,) = DrawnFrames(shot).images([0])
    assert (decoded(path, shot.size, pixels)[0] == image).all()
    asked = oiio.ImageSpec()
    asked["oiio:UnassociatedAlpha"] = 1
    read = oiio.ImageBuf(str(path), 0, 0, asked)
    assert (read.get_pixels(oiio.UINT16) == image).all()
    assert str(read.spec().format) == "uint16"


@pytest.mark.parametrize("finer", [1, 2])
def test_deep_pictures_are_those_of_bytes_with_more_shades(finer: int) -> None:
    plain = FrameRequest(animate("531"), (160, 120), 12, supersampling=finer, blur=finer)
    (image,), (deep,) = (
        DrawnFrames(plain).images([0]),
        DrawnFrames(replace(plain, depth=16)).images([0]),
    )
    assert np.abs(deep / 257 - image).max() < 3
    assert np.abs(deep / 257 - image).mean() < 0.4
    assert len(np.unique(deep)) > 8 * len(np.unique(image))


def test_the_pauses_are_those_of_the_loop_to_a_thousandth(tmp_path: Path) -> None:
    shots = FrameRequest(animate("531"), (16, 12), 29.97)
    with Image.open(write_video(shots, tmp_path / "a.apng")) as read:
        assert read.info["loop"] == 0
        pauses = [each.info["duration"] / 1000 for each in ImageSequence.Iterator(read)]
    assert sum(pauses) == pytest.approx(shots.duration, rel=1e-4)


def test_only_what_changes_is_written(tmp_path: Path) -> None:
    shots = FrameRequest(animate("531"), (160, 120), 12)
    path = write_video(shots, tmp_path / "a.apng")
    assert path.stat().st_size < 0.8 * sum(
        len(encode_png(image)) for image in DrawnFrames(shots).images()
    )


def test_the_part_that_changes_is_the_smallest_that_holds_all_changes() -> None:
    before = np.zeros((5, 7, 3), dtype=np.uint8)
    after = before.copy()
    assert changed_rectangle(before, after) == (0, 0, 1, 1)
    after[1, 2, 0] = 1
    assert changed_rectangle(before, after) == (2, 1, 1, 1)
    after[4, 6, 2] = 9
    assert changed_rectangle(before, after) == (2, 1, 5, 4)


def test_a_pause_of_one_picture_is_a_fraction_that_the_format_can_hold(tmp_path: Path) -> None:
    shots = FrameRequest(animate("3", bps=0.05), (8, 6), 0.05)
    with Image.open(write_video(shots, tmp_path / "a.apng")) as read:
        assert Fraction(read.info["duration"]) / 1000 == pytest.approx(
            shots.duration / shots.frames, rel=1e-3
        )


SIZES = [(1, 1), (1, 7), (7, 1), (3, 2), (97, 61), (640, 480)]


def noise(width: int, height: int) -> Bytes:
    return np.random.default_rng(width).integers(0, 256, (height, width, 3), dtype=np.uint8)


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    start = 8
    while start < len(data):
        (length,) = struct.unpack_from(">I", data, start)
        yield data[start + 4 : start + 8], data[start + 8 : start + 8 + length]
        (checksum,) = struct.unpack_from(">I", data, start + 8 + length)
        assert checksum == zlib.crc32(data[start + 4 : start + 8 + length])
        start += 12 + length


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_picture_is_read_back_pixel_for_pixel(width: int, height: int) -> None:
    image = noise(width, height)
    with Image.open(io.BytesIO(encode_png(image))) as read:
        assert read.mode == "RGB"
        assert (np.asarray(read) == image).all()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_another_reader_reads_the_same(width: int, height: int) -> None:
    image = noise(width, height)
    with av.open(io.BytesIO(encode_png(image))) as container:
        (frame,) = container.decode(video=0)
        assert (frame.to_ndarray(format="rgb24") == image).all()


def test_the_file_is_a_header_pixels_and_an_end_with_right_checksums() -> None:
    data = encode_png(noise(5, 4))
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert [kind for kind, _ in chunks(data)] == [b"IHDR", b"IDAT", b"IEND"]
    assert dict(chunks(data))[b"IHDR"] == struct.pack(">IIBBBBB", 5, 4, 8, 2, 0, 0, 0)


def test_a_picture_that_is_a_view_of_another_is_written_as_seen() -> None:
    image = noise(40, 30)[::-1, 3:20]
    with Image.open(io.BytesIO(encode_png(image))) as read:
        assert (np.asarray(read) == image).all()


def test_a_plain_picture_takes_little_room() -> None:
    assert len(encode_png(np.full((480, 640, 3), 200, np.uint8))) < 10_000
