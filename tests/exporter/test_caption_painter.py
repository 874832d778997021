from itertools import pairwise

import numpy as np
import pytest
from long_cases import sampled

from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.exporter.captions import CaptionPainter
from juggle_anim.exporter.stills import DrawnFrames
from juggle_anim.exporter.view import FrameRequest

LIT = np.array([255, 201, 51])
LONG = " ".join(["97531", "744", "753", "66661"] * 6)


def painted(text: str, size: tuple[int, int], time: float = 0.05, grey: int = 128) -> Bytes:
    """A grey picture with the caption of a time."""
    picture = np.full((size[1], size[0], 3), grey, dtype=np.uint8)
    CaptionPainter(animate(text), size).paint(picture, time)
    return picture


def box_of(mask: np.ndarray) -> tuple[int, int, int, int]:
    """The first and last row and column of what is true."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(rows[0]), int(rows[-1]), int(columns[0]), int(columns[-1])


SIZES = [(320, 240), (320, 180), (640, 480), (1080, 1920), (1920, 1080), (3840, 2160)]


@pytest.mark.parametrize(
    ("text", "size"),
    sampled(
        [
            *((text, size) for text in ("531", LONG) for size in SIZES),
            *((text, SIZES[1]) for text in ("Mills mess", "<3p 3|3p 3>")),
        ],
        *((text, size) for text in ("531", LONG) for size in (SIZES[1], SIZES[3])),
        ("531", SIZES[5]),
        ("<3p 3|3p 3>", SIZES[1]),
        arguments=2,
    ),
)
def test_letters_are_legible_at_any_size_and_nothing_is_cut_off(
    text: str, size: tuple[int, int]
) -> None:
    picture = painted(text, size)
    top, bottom, left, right = box_of((picture != 128).any(axis=2))
    assert top > 0.6 * size[1]
    assert bottom < size[1] - 2
    assert left >= 0.03 * size[0]
    assert right <= 0.97 * size[0]
    bright = box_of((picture == LIT).all(axis=2))
    assert bright[1] - bright[0] >= max(12, 0.03 * min(size))


def test_ink_and_ground_stand_apart_on_any_picture() -> None:
    for grey in (0, 128, 255):
        row, _, left, right = box_of(
            (painted("531", (640, 480), grey=grey) == 255).all(axis=2)
            if grey < 255
            else np.ones((1, 1))
        )
        assert (row, left) <= (row, right)
        ground = painted("531", (640, 480), grey=grey)[-18, 320 - 30]
        assert ground.max() < 90


def test_the_mark_goes_from_throw_to_throw() -> None:
    animation = animate("531")
    beat = 1 / animation.choreography.bps
    lefts = [
        box_of((painted("531", (640, 480), (n + 0.5) * beat) == LIT).all(axis=2))[2]
        for n in range(4)
    ]
    assert lefts[0] < lefts[1] < lefts[2]
    assert lefts[3] == lefts[0]


def test_a_text_that_is_too_long_turns_pages_with_the_beat() -> None:
    animation = animate(LONG)
    beat = 1 / animation.choreography.bps
    painter = CaptionPainter(animation, (320, 240))
    marks = []
    for number in range(animation.pattern.written_period):  # type: ignore[union-attr]
        picture = np.full((240, 320, 3), 128, dtype=np.uint8)
        painter.paint(picture, (number + 0.5) * beat)
        marks.append(box_of((picture == LIT).all(axis=2))[2])
    turns = [number for number, (one, other) in enumerate(pairwise(marks)) if other < one]
    assert 2 <= len(turns) <= 8


def test_feet_are_above_the_caption_and_hidden_by_nothing() -> None:
    plain = FrameRequest(animate("531"), (320, 240), 1, captions=False, transparent=True)
    with_caption = FrameRequest(animate("531"), (320, 240), 1, captions=True, transparent=True)
    (without,), (image,) = DrawnFrames(plain).images([0]), DrawnFrames(with_caption).images([0])
    solid = image[..., 3] == 255
    gap = [row for row in range(150, 240) if not solid[row].any()]
    assert gap, "nothing is between the shoes and the caption"
    assert box_of(without[..., 3] == 255)[1] > gap[0]


def test_over_clear_pixels_a_caption_is_as_clear_as_its_ground() -> None:
    picture = np.zeros((240, 320, 4), dtype=np.uint8)
    CaptionPainter(animate("531"), (320, 240)).paint(picture, 0.05)
    _top, bottom, left, _right = box_of(picture[..., 3] > 0)
    assert picture[bottom - 5, left + 5].tolist() == [18, 22, 32, 190]


def test_each_eye_has_its_own_side_by_side() -> None:
    picture = painted("pattern=531;stereo=parallel", (640, 240))
    np.testing.assert_array_equal(picture[:, :320], picture[:, 320:])
    assert (picture[:, :320] != 128).any()
