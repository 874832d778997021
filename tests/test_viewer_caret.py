from juggle_anim.viewer.keyboard import BLINK_INTERVAL, Caret


def looks(caret: Caret, seconds: float) -> int:
    """How often it wants to be drawn while nothing happens."""
    return sum(caret.due(1 / 60) for _ in range(round(seconds * 60)))


def test_it_is_looked_at_as_rarely_as_it_comes_and_goes() -> None:
    assert 0.8 * 4 / BLINK_INTERVAL <= looks(Caret(), 4.0) <= 4 / BLINK_INTERVAL


def test_after_a_while_it_stays_and_costs_nothing() -> None:
    caret = Caret()
    assert caret.blinks
    looks(caret, 10.1)
    assert not caret.blinks
    assert looks(caret, 60.0) == 0


def test_the_last_look_shows_that_it_stays() -> None:
    caret = Caret()
    while caret.blinks:
        drawn = caret.due(1 / 60)
    assert drawn


def test_it_blinks_again_as_soon_as_something_happens() -> None:
    caret = Caret()
    looks(caret, 20.0)
    caret.reset()
    assert caret.blinks
    assert looks(caret, 1.0) > 0
