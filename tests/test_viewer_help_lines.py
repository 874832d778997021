from collections.abc import Iterator, Sequence

import pytest

from juggle_anim.viewer.cards.key_help import Cap, Line, LineGroup, help_groups, key_rows, split_groups
from juggle_anim.viewer.state.keymap import BINDINGS, Action, chords, custom_bindings, use_bindings


@pytest.fixture(autouse=True)
def usual_keys() -> Iterator[None]:
    yield
    use_bindings(BINDINGS)


def choose(**chords: tuple[str, ...]) -> None:
    table, complaints = custom_bindings(BINDINGS, chords)
    assert not complaints
    use_bindings(table)


def wide(cap: Cap) -> float:
    return 10.0 * len(cap.words)


def words(*actions: Action, room: float = 1000.0) -> list[list[str]]:
    return [[cap.words for cap in row] for row in key_rows(actions, wide, room)]


def test_every_chord_of_an_action_is_named() -> None:
    assert words(Action.EDIT_PATTERN) == [["/", "or", "Ctrl", "L"]]
    assert words(Action.TOGGLE_HELP) == [["H", "or", "?"]]


def test_what_several_keys_hold_down_is_named_once() -> None:
    assert words(Action.TURN_DOWN_FINE, Action.TURN_UP_FINE) == [["Shift", "←", "→"]]


def test_keys_that_hold_different_ones_down_are_named_in_full() -> None:
    choose(turn_up_fine=("ctrl+k",))
    assert words(Action.TURN_DOWN_FINE, Action.TURN_UP_FINE) == [["Shift", "←", "Ctrl", "K"]]


def test_where_one_of_several_actions_has_two_chords_each_has_a_row() -> None:
    choose(faster=("]", "f7"), slower=("[",))
    assert words(Action.SLOWER, Action.FASTER) == [["["], ["]", "or", "F7"]]


def test_chords_without_room_go_into_another_row_and_only_those_that_are_too_wide_are_torn() -> None:
    choose(pause=("f7", "ctrl+shift+k"))
    assert words(Action.PAUSE, room=130.0) == [["F7"], ["or", "Ctrl", "Shift"], ["K"]]
    assert words(Action.PAUSE, room=150.0) == [["F7"], ["or", "Ctrl", "Shift", "K"]]


def test_a_key_knows_what_a_click_on_it_does() -> None:
    (row,) = key_rows((Action.COPY, Action.PASTE), wide, 1000.0)
    assert [cap.action for cap in row] == [None, Action.COPY, Action.PASTE]


def test_all_chords_of_the_table_are_in_the_help() -> None:
    named = [
        cap.words
        for group in help_groups(wide, 1000.0)
        for line in group.lines
        for row in line.rows
        for cap in row
        if cap.key
    ]
    assert {name for action in Action for names in chords(action) for name in names} <= set(named)
    # What is held down may be named for several at once, but each chord ends in a key of its own.
    assert sum(cap not in ("Ctrl", "Shift", "Alt", "Delete") for cap in named) == len(BINDINGS)


def height(groups: Sequence[LineGroup]) -> float:
    return float(sum(1 + len(group.lines) for group in groups))


def test_a_group_that_is_too_high_comes_in_parts_under_its_title() -> None:
    lines = tuple(Line((), name) for name in "abcde")
    small, large = LineGroup("Small", lines[:2]), LineGroup("Large", lines)
    parts = [("Small", 2), ("Large", 3), ("Large", 2)]
    assert [(part.title, len(part.lines)) for part in split_groups([small, large], height, 4.0)] == parts
