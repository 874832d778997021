"""Keys in haste: kept in their order until a text field has let go."""

import pytest

from juggle_anim.viewer.keyboard import DeferredKeys


@pytest.fixture
def heard() -> list[str]:
    return []


def press(haste: DeferredKeys, heard: list[str], key: str) -> None:
    if not haste.keep(lambda: press(haste, heard, key)):
        heard.append(key)
        if key == "escape":
            haste.wait()


def rest(haste: DeferredKeys, frames: int = 3) -> None:
    for _ in range(frames):
        haste.frame_drawn(typing=False)


def test_keys_after_one_that_closes_a_field_wait_for_the_field_to_let_go(heard: list[str]) -> None:
    haste = DeferredKeys()
    for key in ("a", "escape", "b", "c"):
        press(haste, heard, key)
    haste.frame_drawn(typing=True)
    assert heard == ["a", "escape"]
    rest(haste)
    assert heard == ["a", "escape", "b", "c"]


def test_a_field_that_takes_over_from_another_is_no_rest(heard: list[str]) -> None:
    haste = DeferredKeys()
    for key in ("escape", "b"):
        press(haste, heard, key)
    for typing in (True, False, True, True, False):
        haste.frame_drawn(typing)
    assert heard == ["escape"]
    rest(haste)
    assert heard == ["escape", "b"]


def test_a_second_such_key_makes_those_after_it_wait_again(heard: list[str]) -> None:
    haste = DeferredKeys()
    for key in ("escape", "escape", "b"):
        press(haste, heard, key)
    rest(haste)
    assert heard == ["escape", "escape"]
    press(haste, heard, "c")
    rest(haste)
    assert heard == ["escape", "escape", "b", "c"]


def test_where_a_field_stays_open_keys_go_on_after_a_few_frames(heard: list[str]) -> None:
    haste = DeferredKeys()
    for key in ("escape", "b"):
        press(haste, heard, key)
    for _ in range(12):
        haste.frame_drawn(typing=True)
    assert heard == ["escape", "b"]
