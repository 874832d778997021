import threading
import time
from collections.abc import Iterator

import pytest

from juggle_anim.exporter.frames import overlapped


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
