from juggle_anim.viewer.picture import ClickDetector


def test_a_button_that_comes_up_where_it_went_down_is_a_click_once() -> None:
    click = ClickDetector()
    click.press(10, 20)
    click.move(12, 17)
    assert click.release()
    assert not click.release()


def test_a_drag_is_no_click_even_where_it_comes_back() -> None:
    click = ClickDetector()
    click.press(10, 20)
    click.move(10, 40)
    click.move(10, 20)
    assert not click.release()


def test_a_button_that_went_down_elsewhere_is_none() -> None:
    click = ClickDetector()
    click.move(10, 20)
    assert not click.release()
