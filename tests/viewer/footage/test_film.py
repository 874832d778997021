import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import av
import numpy as np
import pytest
from small_films import number_of, write_film

from juggle_anim.errors import ViewerError
from juggle_anim.viewer.footage import footage as film_module
from juggle_anim.viewer.footage.footage import MEMORY, Film, decoded_size

SIZE = 64, 48
PATIENCE = 20.0


def shown(film: Film, time: float, size: tuple[int, int] = SIZE) -> int:
    """The number of the picture that is shown at a time."""
    frame = film.frame(time, size, PATIENCE)
    assert frame is not None
    assert frame.start <= time < frame.end
    return number_of(frame.pixels)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Film]:
    with closing(Film(write_film(tmp_path_factory.mktemp("film") / "even.mp4"))) as opened:
        yield opened


def test_a_film_tells_its_size_duration_and_rate(film: Film) -> None:
    assert (film.size, film.duration, film.interval) == (
        SIZE,
        pytest.approx(2.0),
        pytest.approx(1 / 30),
    )


def test_the_right_picture_is_shown_at_any_time(film: Film) -> None:
    # Forward, backward and after jumps; a tenth of a picture after it begins, and before it ends.
    for number in (0, 1, 2, 30, 31, 29, 28, 27, 3, 59, 58, 10, 9, 50, 0):
        assert shown(film, (number + 0.1) / 30) == number
        assert shown(film, (number + 0.9) / 30) == number


def test_the_last_picture_stays(film: Film) -> None:
    assert shown(film, 7.0) == 59


def test_a_picture_that_came_late_is_waited_for_until_it_is_shown(tmp_path: Path) -> None:
    # A window at rest draws again only while this says so.
    with closing(Film(write_film(tmp_path / "film.mp4"))) as film:
        film.frame(0.5, SIZE)
        while film._is_decoding:
            time.sleep(0.01)
        assert film.is_waiting
        assert shown(film, 0.5) == 15
        assert not film.is_waiting


def test_a_film_runs_back_picture_by_picture(film: Film) -> None:
    assert [shown(film, (number + 0.5) / 30) for number in range(59, -1, -1)] == list(
        range(59, -1, -1)
    )


def test_pictures_take_no_more_memory_than_they_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(film_module, "MEMORY", 8 * 4 * SIZE[0] * SIZE[1])
    with closing(Film(write_film(tmp_path / "long.mp4", key_every=12))) as film:
        for number in (*range(0, 60, 2), *range(59, 0, -3), 5, 50, 20):
            assert shown(film, (number + 0.5) / 30) == number
            assert film.memory <= film_module.MEMORY


def test_pictures_are_decoded_at_about_the_size_at_which_they_are_shown(film: Film) -> None:
    frame = film.frame(0.5, (20.0, 15.0), PATIENCE)
    assert frame is not None
    assert frame.pixels.shape == (17, 23, 4)
    assert number_of(frame.pixels) == 15


@pytest.mark.parametrize(
    "shown", [(3840, 2160), (1920, 1080), (700, 394), (90, 50), (1, 1), (1e5, 1e5)]
)
def test_a_decoded_picture_is_hardly_larger_than_what_is_shown_and_not_smaller(
    shown: tuple[float, float],
) -> None:
    wide, high = decoded_size((3840, 2160), shown)
    assert 16 * wide * high <= MEMORY * 1.01
    assert wide >= min(shown[0], 2715) * 0.99
    assert wide <= 3840
    assert wide <= shown[0] * 1.42 + 1


def test_uneven_pictures_are_shown_when_they_are_due(tmp_path: Path) -> None:
    times = [0.0, 0.1, 0.15, 0.9, 1.0, 1.04, 3.0]
    with closing(Film(write_film(tmp_path / "uneven.mp4", len(times), times=times))) as film:
        for at, number in (
            (0.05, 0),
            (0.12, 1),
            (0.5, 2),
            (0.95, 3),
            (2.9, 5),
            (3.1, 6),
            (0.0, 0),
            (1.02, 4),
        ):
            assert shown(film, at) == number


def test_a_gif_is_shown_with_its_transparent_parts(tmp_path: Path) -> None:
    with closing(Film(write_film(tmp_path / "a.gif", 12, rate=10))) as film:
        assert (film.size, film.duration) == (SIZE, pytest.approx(1.2))
        assert [shown(film, at) for at in (0.05, 1.15, 0.35)] == [0, 11, 3]
        frame = film.frame(0.35, SIZE, PATIENCE)
        assert frame is not None
        assert (frame.pixels[:, :30, 3] == 0).all()
        assert (frame.pixels[:, 34:, 3] == 255).all()


@pytest.mark.parametrize("name", ["one.mp4", "one.gif"])
def test_a_film_of_one_picture_shows_it(tmp_path: Path, name: str) -> None:
    with closing(Film(write_film(tmp_path / name, 1))) as film:
        assert film.duration > 0
        assert [shown(film, at) for at in (0.0, 5.0)] == [0, 0]


def test_odd_sizes_and_webm_are_shown(tmp_path: Path) -> None:
    with closing(Film(write_film(tmp_path / "odd.webm", 5, size=(51, 33)))) as film:
        assert film.size == (51, 33)
        assert shown(film, 0.11, (51, 33)) == 3


def test_a_film_that_was_held_upright_is_turned(tmp_path: Path) -> None:
    plain, turned = (
        write_film(tmp_path / "plain.mp4", 3, brighter_left=True),
        tmp_path / "turned.mp4",
    )
    data = bytearray(plain.read_bytes())
    # The matrix of the track's header (ISO/IEC 14496-12, 8.3.2): a quarter turn to the right.
    at = data.index(b"tkhd") + 4 + 40
    one, minus = (1 << 16).to_bytes(4, "big"), (-(1 << 16)).to_bytes(4, "big", signed=True)
    nothing, last = bytes(4), (1 << 30).to_bytes(4, "big")
    data[at : at + 36] = (
        nothing + one + nothing + minus + nothing + nothing + nothing + nothing + last
    )
    turned.write_bytes(data)
    with closing(Film(turned)) as film:
        assert film.size == (48, 64)
        frame = film.frame(0.0, (48, 64), PATIENCE)
        assert frame is not None
        assert frame.pixels.shape == (64, 48, 4)
        assert frame.pixels[:28, :, 0].min() > 200, "the left side is above"
        assert frame.pixels[36:, :, 0].max() < 50


def test_a_film_that_was_cut_off_ends_with_its_last_good_picture(tmp_path: Path) -> None:
    whole = write_film(tmp_path / "whole.webm", 40).read_bytes()
    cut = tmp_path / "cut.webm"
    cut.write_bytes(whole[: len(whole) * 2 // 3])
    with closing(Film(cut)) as film:
        assert shown(film, 0.05) == 1
        assert shown(film, 100.0) < 39


@pytest.mark.parametrize("name", ["text", "cut", "sound"])
def test_a_file_that_is_no_film_is_refused_by_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.mp4"
    if name == "text":
        path.write_text("Dear all,\nnothing here is a film.\n")
    elif name == "cut":
        whole = write_film(path).read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
    else:
        with av.open(str(path), "w") as container:
            stream = container.add_stream("aac", rate=44_100)
            sound = av.AudioFrame.from_ndarray(
                np.zeros((1, 1024), dtype=np.float32), "fltp", "mono"
            )
            sound.sample_rate = 44_100
            container.mux(stream.encode(sound))
            container.mux(stream.encode())
    with pytest.raises(ViewerError, match=rf"^cannot read (a video from )?{name}\.mp4"):
        Film(path)
