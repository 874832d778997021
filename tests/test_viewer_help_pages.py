from juggle_anim.viewer.state.listing import HelpPages, pack_groups


def test_groups_fill_columns_and_columns_fill_pages_in_their_order() -> None:
    assert pack_groups([30, 40, 20, 50, 90, 10], sum, 70, 2) == [[[30, 40], [20, 50]], [[90], [10]]]


def test_columns_are_even() -> None:
    assert pack_groups([100, 100, 100, 100], sum, 300, 2) == [[[100, 100], [100, 100]]]


def test_the_help_turns_through_its_pages_and_closes() -> None:
    pages = HelpPages(count=2)
    assert pages.show_next(False)
    assert pages.page == 0
    assert pages.show_next(True)
    assert pages.page == 1
    assert not pages.show_next(True)
    assert pages.show_next(False)
    assert pages.page == 0
