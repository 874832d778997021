"""The help in the real window, clicked; and what has room in it."""

import shutil
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from driven_window import DrivenWindow
from imgui_bundle import imgui
from key_checks import CHECKS, State
from long_cases import sampled

from juggle_anim.animation import animate
from juggle_anim.viewer.cards import key_help
from juggle_anim.viewer.cards.key_help import (
    GAP,
    Cap,
    Line,
    LineGroup,
    help_groups,
    key_rows,
    split_groups,
)
from juggle_anim.viewer.cards.ui import LIGHT, Frame, load_theme, measure
from juggle_anim.viewer.layout import Rectangle, arrange
from juggle_anim.viewer.session.file import custom_bindings
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import BINDINGS, Action, chords, use_bindings

real_mouse = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def drawn(state: State, page: int) -> bool:
    shown = state["drawn_help"]
    return bool(
        state["help"]
        and state["help_page"] == shown["page"] == page
        and shown["size"] == state["size"]
    )


def click(window: DrivenWindow, place: tuple[float, float]) -> None:
    window.mouse("move", *place, "drawn", "click", 1)


def open_help(window: DrivenWindow) -> State:
    """By its key."""
    window.keys("h")
    return window.wait(lambda state: drawn(state, 0))


def turn_to(window: DrivenWindow, action: Action) -> tuple[float, float]:
    """Open the help and turn its pages, by mouse, until an action is on one; returns the middle of
    its place.
    """
    state, page = open_help(window), 0
    while action.name not in state["drawn_help"]["spots"]:
        page += 1
        click(window, state["help_button"])
        state = window.wait(lambda state, page=page: drawn(state, page))
    left, top, width, height = state["drawn_help"]["spots"][action.name]
    return left + width / 2, top + height / 2


CLICKED = (Action.EDIT_PATTERN, Action.TURN_UP_FINE, Action.METHOD, Action.TOGGLE_PANEL)
"""One that begins to type, a step, one that another must come before, and one that changes the
layout.
"""


@real_mouse
@pytest.mark.parametrize(
    "action", sampled(CLICKED, Action.METHOD, Action.TOGGLE_PANEL), ids=lambda action: action.name
)
def test_a_click_closes_the_help_and_does_what_the_key_does(
    window: DrivenWindow, action: Action
) -> None:
    check = CHECKS[action]
    before = window.afresh(check.pattern)
    for first, ready in check.lead:
        click(window, turn_to(window, first))
        before = window.wait(lambda state, ready=ready: ready(state) and not state["help"])
    place = turn_to(window, action)
    if not check.types:
        assert not check.effect(before, window.state()), "the check would hold without the click"
    click(window, place)
    if check.types:
        window.wait(lambda state: state["typing"])
        window.type(check.types)
    window.wait(lambda now: check.effect(before, now) and not now["help"])


@real_mouse
@pytest.mark.parametrize("size", sampled([(640, 480), (1280, 720)], (640, 480)))
def test_every_action_has_a_place_of_its_own_in_the_window(
    window: DrivenWindow, size: tuple[int, int]
) -> None:
    window.afresh()
    window.resize(*size)
    window.wait(lambda state: state["size"] == list(size))
    window.keys("h")
    state, page, seen = window.wait(lambda state: drawn(state, 0)), 0, set[str]()
    while state["help"]:
        places = state["drawn_help"]["spots"]
        assert_apart([Rectangle(*place) for place in places.values()], size)
        seen |= set(places)
        page += 1
        window.keys("h")
        state = window.wait(lambda state, page=page: not state["help"] or drawn(state, page))
    window.resize(640, 480)
    window.wait(lambda state: state["size"] == [640, 480])
    assert seen == {action.name for action in Action}


@real_mouse
def test_each_click_is_a_step_of_its_own_to_undo(window: DrivenWindow) -> None:
    window.afresh()
    for value in (35.0, 40.0):
        click(window, turn_to(window, Action.TURN_UP))
        window.wait(lambda state, value=value: state["given"]["chicken_wing"] == value)
    window.keys("ctrl+z")
    window.wait(lambda state: state["given"]["chicken_wing"] == 35.0)


@real_mouse
def test_a_click_closes_the_help_beside_it_by_its_button_and_by_its_line_and_leaves_nothing(
    window: DrivenWindow,
) -> None:
    window.afresh()
    line = turn_to(window, Action.BACK)
    for close in (lambda state: line, lambda state: state["close_button"], lambda state: (3, 3)):
        state = window.wait(lambda state: state["help"])
        click(window, close(state))
        window.wait(lambda state: not state["help"])
        open_help(window)


@real_mouse
def test_a_click_between_the_lines_leaves_the_help_open(window: DrivenWindow) -> None:
    window.afresh()
    spots = open_help(window)["drawn_help"]["spots"]
    left, top, *_ = spots[Action.EDIT_PATTERN.name]
    click(window, (left + 100, top - 12))
    click(window, turned := turn_to_nothing(spots))
    frames = window.state()["frames"]
    window.mouse("move", turned[0] + 1, turned[1])
    assert window.wait(lambda state: state["frames"] > frames)["help"]


def turn_to_nothing(spots: dict[str, list[float]]) -> tuple[float, float]:
    """Between two keys that stand for different actions, and the words of their line."""
    left, top, width, height = spots[Action.FASTER.name]
    return left + width + 25, top + height / 2


@real_mouse
def test_what_would_be_clicked_lights_up(window: DrivenWindow) -> None:
    window.afresh()
    x, y = turn_to(window, Action.BEATS)
    window.mouse("move", 3, 3)
    dark = window.pixels()
    window.mouse("move", x, y, "drawn")
    changed = (window.pixels() != dark).any(axis=2)
    assert changed[round(y)].sum() > 200
    assert not changed[round(y) + 30 :].any()


def assert_apart(places: list[Rectangle], size: tuple[int, int]) -> None:
    """Places lie in the window, and no two of them over each other."""
    for place in places:
        assert place.left >= 0
        assert place.top >= 0
        assert place.left + place.width <= size[0]
        assert place.top + place.height <= size[1]
    for one, other in combinations(places, 2):
        assert (
            one.left + one.width <= other.left + 0.01
            or other.left + other.width <= one.left + 0.01
            or one.top + one.height <= other.top + 0.01
            or other.top + other.height <= one.top + 0.01
        )


@pytest.fixture
def fonts() -> Iterator[None]:
    """Fonts without a window, between two frames."""
    context = imgui.create_context()
    imgui.set_current_context(context)
    io = imgui.get_io()
    io.set_ini_filename("")
    io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
    io.display_size = imgui.ImVec2(640, 480)
    load_theme(1.0, 1.0, LIGHT)
    imgui.new_frame()
    yield
    imgui.end_frame()
    imgui.destroy_context(context)
    use_bindings(BINDINGS)


@pytest.mark.usefixtures("fonts")
def test_all_words_of_the_help_have_room() -> None:
    wide = key_help.key_width
    room = key_help.COLUMN_WIDTH - key_help.KEYS_WIDTH - 2 * key_help.LINE_MARGIN
    for group in help_groups(wide, key_help.KEYS_WIDTH - key_help.LINE_MARGIN):
        for line in group.lines:
            assert measure(line.words, 13).width <= room, line.words
            assert (
                measure(line.mouse, 13, strong=True).width
                <= key_help.KEYS_WIDTH - key_help.LINE_MARGIN
            )
            assert len(line.rows) <= 1, "no line of the usual table needs more"
            for row in line.rows:
                assert (
                    sum(map(wide, row)) + GAP * (len(row) - 1)
                    <= key_help.KEYS_WIDTH - key_help.LINE_MARGIN
                )


@pytest.mark.usefixtures("fonts")
def test_two_long_chords_for_every_action_have_room_in_a_small_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen = {
        action.name.lower(): tuple(f"ctrl+shift+alt+{letter}{number}" for letter in "mp")
        for number, action in enumerate(Action)
    }
    table, complaints = custom_bindings(BINDINGS, chosen)
    assert not complaints
    use_bindings(table)
    controller, seen, pages = Controller(animate("3")), set[Action](), 0
    spots: list[tuple[Action, Rectangle]] = []

    def record(controller: Controller, action: Action, name: str, place: Rectangle) -> bool:
        spots.append((action, place))
        return False

    monkeypatch.setattr(key_help, "place_action_button", record)
    controller.model.cards.help_shown = True
    while controller.model.cards.help_shown:
        layout = arrange(640, 480, 1.0, shown=True)
        frame = Frame(controller, layout, (0.0, 0.0))
        key_help.KeyHelp().draw(frame, layout.window)
        assert_apart([place for _, place in spots], (640, 480))
        seen |= {action for action, _ in spots}
        spots.clear()
        pages += 1
        controller.perform(Action.TOGGLE_HELP)
    assert seen == set(Action)
    assert pages > 4


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
    assert words(Action.PALETTE) == [["Ctrl", "K", "or", "?"]]


def test_what_several_keys_hold_down_is_named_once() -> None:
    assert words(Action.TURN_DOWN_FINE, Action.TURN_UP_FINE) == [["Shift", "←", "→"]]


def test_keys_that_hold_different_ones_down_are_named_in_full() -> None:
    choose(turn_up_fine=("ctrl+k",))
    assert words(Action.TURN_DOWN_FINE, Action.TURN_UP_FINE) == [["Shift", "←", "Ctrl", "K"]]


def test_where_one_of_several_actions_has_two_chords_each_has_a_row() -> None:
    choose(faster=("]", "f7"), slower=("[",))
    assert words(Action.SLOWER, Action.FASTER) == [["["], ["]", "or", "F7"]]


def test_chords_without_room_go_into_another_row_and_only_those_that_are_too_wide_are_torn() -> (
    None
):
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
        if cap.is_key
    ]
    assert {name for action in Action for names in chords(action) for name in names} <= set(named)
    # What is held down may be named for several at once, but each chord ends in a key of its own.
    # Del is one in the picture, and stands beside presets, too, where it cannot be rebound.
    assert sum(cap not in ("Ctrl", "Shift", "Alt", "1 – 9") for cap in named) == len(BINDINGS) + 1


def height(groups: Sequence[LineGroup]) -> float:
    return float(sum(1 + len(group.lines) for group in groups))


def test_a_group_that_is_too_high_comes_in_parts_under_its_title() -> None:
    lines = tuple(Line((), name) for name in "abcde")
    small, large = LineGroup("Small", lines[:2]), LineGroup("Large", lines)
    parts = [("Small", 2), ("Large", 3), ("Large", 2)]
    assert [
        (part.title, len(part.lines)) for part in split_groups([small, large], height, 4.0)
    ] == parts
