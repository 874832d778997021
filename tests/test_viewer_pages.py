import pytest

from juggle_anim.viewer.state.listing import Pages


def test_pages_are_turned_through_and_then_put_away() -> None:
    pages = Pages(5, capacity=2)
    seen = []
    for _ in range(5):
        pages.show_next()
        seen.append(list(pages.indices) if pages.shown else [])
    assert seen == [[0, 1], [2, 3], [3, 4], [], [0, 1]]


@pytest.mark.parametrize("room", [5, 7])
def test_where_all_have_room_there_is_one_page(room: int) -> None:
    pages = Pages(5, capacity=room)
    pages.show_next()
    assert list(pages.indices) == [0, 1, 2, 3, 4]
    pages.show_next()
    assert not pages.shown


def test_a_page_is_opened_at_one_of_the_list() -> None:
    pages = Pages(5, capacity=2)
    pages.show_page(3)
    assert pages.shown
    assert list(pages.indices) == [2, 3]
