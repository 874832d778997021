import io
import struct
import zlib
from collections.abc import Iterator

import av
import numpy as np
import pytest
from PIL import Image

from juggle_anim.arrays import Bytes
from juggle_anim.exporter.png import encode_png

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
