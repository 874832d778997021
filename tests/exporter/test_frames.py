import errno
import os
import re
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.overlapped import overlapped
from juggle_anim.exporter.stills import DrawnFrames, write_frames
from juggle_anim.exporter.view import FrameRequest

SHOTS = FrameRequest(animate("531"), (48, 36), 12)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_every_picture_is_a_file_numbered_from_0_with_the_pixels_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "here"
    paths = write_frames(SHOTS, folder)
    assert [path.name for path in paths] == [
        f"frame_{number:05}.png" for number in range(SHOTS.frames)
    ]
    assert sorted(folder.iterdir()) == paths
    for path, image in zip(paths, DrawnFrames(SHOTS).images(), strict=True):
        with Image.open(path) as read:
            assert (np.asarray(read) == image).all()


def test_progress_counts_each_file_once_it_is_there(tmp_path: Path) -> None:
    seen = []

    def progress(done: int, total: int) -> None:
        assert (tmp_path / f"frame_{done - 1:05}.png").exists()
        seen.append((done, total))

    write_frames(SHOTS, tmp_path, progress=progress)
    assert seen == [(done, SHOTS.frames) for done in range(1, SHOTS.frames + 1)]


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ExportError, match="force=True"):
        write_frames(SHOTS, tmp_path)
    assert names(tmp_path) == ["notes.txt"]


def test_with_force_old_frames_and_drafts_go_and_other_files_stay(tmp_path: Path) -> None:
    for name in (
        "frame_00099.png",
        "frame_123456.png",
        ".frame_00007.4711.part.png",
        "frame_me.png",
        "notes.txt",
    ):
        (tmp_path / name).write_bytes(b"old")
    paths = write_frames(SHOTS, tmp_path, force=True)
    assert names(tmp_path) == sorted([path.name for path in paths] + ["frame_me.png", "notes.txt"])


def test_an_export_that_cannot_start_costs_no_old_frames(tmp_path: Path) -> None:
    (tmp_path / "frame_00000.png").write_bytes(b"old")
    with pytest.raises(ParameterError):
        write_frames(FrameRequest(animate("3"), (10**6, 8), 12), tmp_path, force=True)
    assert (tmp_path / "frame_00000.png").read_bytes() == b"old"


def test_an_export_that_cannot_start_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ParameterError):
        write_frames(FrameRequest(animate("3"), (10**6, 8), 12), tmp_path / "new")
    assert names(tmp_path) == []


def test_an_interrupted_export_leaves_whole_frames_and_no_drafts(tmp_path: Path) -> None:
    def progress(done: int, _total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_frames(SHOTS, tmp_path, progress=progress)
    assert 3 <= len(names(tmp_path)) < SHOTS.frames
    assert names(tmp_path) == [f"frame_{number:05}.png" for number in range(len(names(tmp_path)))]
    for path in tmp_path.iterdir():
        with Image.open(path) as read:
            read.load()


def test_a_full_disk_is_one_line_and_leaves_no_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Path.write_bytes

    def write_until_full(path: Path, data: bytes) -> int:
        if "00002" in path.name:
            whole(path, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return whole(path, data)

    monkeypatch.setattr(Path, "write_bytes", write_until_full)
    with pytest.raises(ExportError) as caught:
        write_frames(SHOTS, tmp_path)
    assert (
        str(caught.value) == f"{tmp_path / 'frame_00002.png'}: cannot save: No space left on device"
    )
    assert {"frame_00000.png", "frame_00001.png"} <= set(names(tmp_path))
    assert not any("00002" in name or name.startswith(".") for name in names(tmp_path))


def test_of_two_exports_at_once_to_one_folder_one_is_refused_and_the_other_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = threading.Barrier(2)

    draw = DrawnFrames.images

    def draw_together(self: DrawnFrames, numbers: Sequence[int] | None = None) -> Iterator[Bytes]:
        for number, image in enumerate(draw(self, numbers)):
            if number == 0:
                together.wait(60)
            yield image

    monkeypatch.setattr(DrawnFrames, "images", draw_together)
    shots = FrameRequest(animate("3"), (16, 12), 12)
    with ThreadPoolExecutor(2) as both:
        begun = [both.submit(write_frames, shots, tmp_path / "out") for _ in range(2)]
    refused = [error for error in (each.exception() for each in begun) if error]
    assert len(refused) == 1
    assert re.search(
        "already (exists|holds .*); choose another (name|folder), or add force=True",
        str(refused[0]),
    )
    assert len(names(tmp_path / "out")) == shots.frames


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine")
    for folder, reason in (
        (path, "is a file"),
        (path / "below", "Not a directory"),
        (tmp_path / ("a" * 300), "long"),
    ):
        with pytest.raises(ExportError, match=reason):
            write_frames(SHOTS, folder, force=True)
    assert names(tmp_path) == ["file"]
    assert path.read_text() == "mine"


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_what_is_done_comes_in_the_order_of_the_items(threads: int) -> None:
    def late(item: int) -> int:
        time.sleep(0.002 * (item % 3))
        return item * item

    assert list(overlapped(late, range(30), threads)) == [item * item for item in range(30)]


def test_items_are_made_while_others_are_worked_on() -> None:
    second_made = threading.Event()

    def items() -> Iterator[int]:
        yield 1
        second_made.set()
        yield 2

    assert list(overlapped(lambda _: second_made.wait(10), items())) == [True, True]


def test_only_a_few_items_exist_at_a_time() -> None:
    made = []

    def items() -> Iterator[int]:
        for item in range(100):
            made.append(item)
            yield item

    for count, _ in enumerate(overlapped(lambda item: item, items()), 1):
        assert len(made) - count <= 4


def test_after_a_failure_nothing_more_is_worked_on() -> None:
    tried = []

    def work(item: int) -> None:
        tried.append(item)
        if item == 3:
            raise ValueError("three")

    with pytest.raises(ValueError, match="three"):
        list(overlapped(work, range(100)))
    assert tried == [0, 1, 2, 3]


def test_an_interrupt_while_a_thread_starts_leaves_none_at_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start, begun, done = threading.Thread.start, threading.Event(), threading.Event()

    def start_interrupted(thread: threading.Thread) -> None:
        start(thread)
        begun.wait(60)
        raise KeyboardInterrupt

    def work(_: int) -> None:
        begun.set()
        time.sleep(0.2)  # for whoever does not wait
        done.set()

    monkeypatch.setattr(threading.Thread, "start", start_interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(overlapped(work, range(9)))
    assert done.is_set()


def test_an_item_that_waits_tells_the_error_of_a_later_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    second_failed = threading.Event()
    first_thread = []

    class Semaphore(threading.Semaphore):
        """Its first thread goes on when the work of the second one has failed."""

        def __enter__(self) -> bool:
            if not first_thread:
                first_thread.append(threading.get_ident())
                second_failed.wait(10)
            return super().__enter__()

    def work(item: int) -> None:
        second_failed.set()
        raise ValueError(f"item {item}")

    monkeypatch.setattr(threading, "Semaphore", Semaphore)
    with pytest.raises(ValueError, match="item 1"):
        list(overlapped(work, range(2), threads=2))


def test_a_failure_of_the_maker_or_of_whoever_takes_ends_the_work() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(overlapped(lambda item: item, items()))
    running = overlapped(lambda item: item, range(1000))
    assert next(running) == 0
    before = threading.active_count()
    running.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before - 1
