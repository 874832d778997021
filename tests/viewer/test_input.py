"""Keys in haste: kept in their order until a text field has let go."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.keyboard import (
    BLINK_INTERVAL,
    DELAY,
    INTERVAL,
    LETTER_WAIT,
    Caret,
    DeferredKeys,
    Keyboard,
    KeyRepeat,
)
from juggle_anim.viewer.layout import arrange
from juggle_anim.viewer.panel.controls import CONTROLS
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.window import ClickDetector


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


# In a program of its own: pyglet wants a display as soon as it is asked for the names of keys.
SCRIPT = """
from types import SimpleNamespace
from imgui_bundle import imgui
from pyglet.window import key
from juggle_anim.viewer.input import Input

imgui.create_context()
imgui.get_io().backend_flags |= imgui.BackendFlags_.renderer_has_textures
keys, KNOWN = Input(SimpleNamespace()), (imgui.Key.a, imgui.Key.left_arrow)

def frame():
    keys.begin_frame(100, 100, 0.01)
    imgui.new_frame()
    seen = imgui.get_io().key_ctrl, any(imgui.is_key_pressed(each, False) for each in KNOWN)
    imgui.end_frame()
    return seen

def pressed(*events):
    for event in events:
        symbol, modifiers, down = event
        keys.key(symbol, modifiers, down=down)
    print(frame(), [frame() for _ in range(3)][-1])

CONTROL, A = key.LCTRL, key.A
for released in ((CONTROL, 2, False), (A, 0, False)), ((A, 2, False), (CONTROL, 2, False)):
    keys.key(CONTROL, 0, down=True)
    frame()
    pressed((A, 2, True), *released)
pressed((key.LEFT, 0, True), (key.LEFT, 0, False))
"""


def test_a_chord_let_go_within_a_frame_keeps_its_modifier_and_a_key_without_one_has_none(
    display: dict[str, str],
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=display, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    chord, again, alone = done.stdout.splitlines()
    assert chord == again == "(True, True) (False, False)"
    assert alone == "(False, True) (False, False)"


# How many frames, beside the one that is painted, a text field takes for what was typed since the
# last one.
CROWDS = """
from types import SimpleNamespace
from imgui_bundle import imgui
from pyglet.window import key
from juggle_anim.viewer.input import Input

imgui.create_context()
imgui.get_io().backend_flags |= imgui.BackendFlags_.renderer_has_textures
keys, said, frames = Input(SimpleNamespace()), "", 0

def frame():
    global said, frames
    keys.begin_frame(100, 100, 0.01)
    imgui.new_frame()
    imgui.begin("window")
    if not said:
        imgui.set_keyboard_focus_here()
    said = imgui.input_text("field", said)[1] or " "
    imgui.end()
    imgui.end_frame()
    frames += 1

def taken():
    global frames
    frames = 0
    while keys.crowded:
        frame()
    frame()
    assert not keys.pending
    print(frames, said.strip())

def type(text):
    for sign in text:
        symbol, shift = ord(sign.lower()), sign in "()*ABC"
        if shift:
            keys.key(key.LSHIFT, 0, down=True)
        keys.key(symbol, key.MOD_SHIFT * shift, down=True)
        keys.text(sign)
        keys.key(symbol, key.MOD_SHIFT * shift, down=False)
        if shift:
            keys.key(key.LSHIFT, key.MOD_SHIFT, down=False)

def press(*symbols, modifiers=0):
    for symbol in symbols:
        keys.key(symbol, modifiers, down=True)
        keys.key(symbol, modifiers, down=False)

frame(), frame()
type("(6x,4)*ABCvxyz" * 20)
taken()
keys.key(key.LCTRL, 0, down=True)
press(key.A, modifiers=key.MOD_CTRL)
keys.key(key.LCTRL, key.MOD_CTRL, down=False)
taken()
type("54")
press(key.BACKSPACE)
type("31")
press(key.LEFT, key.LEFT, key.DELETE)
type("cab")
taken()
"""


def test_any_length_of_text_takes_one_frame_and_keys_between_it_keep_their_place(
    display: dict[str, str],
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CROWDS], env=display, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    typed, chosen, mixed = (line.split(" ", 1) for line in done.stdout.splitlines())
    assert typed == ["1", "(6x,4)*ABCvxyz" * 20]
    assert int(chosen[0]) <= 3
    assert mixed[1] == "5cab1"
    assert int(mixed[0]) <= 14


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
        haste.frame_drawn(typing=typing)
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


def test_a_held_key_repeats_after_a_delay_until_it_is_released() -> None:
    repeat = KeyRepeat()
    repeat.press(Action.TURN_UP)
    assert repeat.due(DELAY * 0.9) == []
    assert repeat.due(DELAY * 0.2) == [Action.TURN_UP]
    assert repeat.due(INTERVAL * 0.5) == []
    assert repeat.due(INTERVAL * 0.6) == [Action.TURN_UP]
    repeat.release()
    assert repeat.due(10.0) == []


def test_a_slow_frame_repeats_only_once() -> None:
    repeat = KeyRepeat()
    repeat.press(Action.TURN_UP)
    assert repeat.due(100.0) == [Action.TURN_UP]


def test_keys_wait_until_a_field_has_had_all_that_was_typed_before() -> None:
    field = SimpleNamespace(typing=True, held=False, pending=True)
    controller = Controller(animate("3"))
    keyboard = Keyboard(
        lambda: controller, lambda: field, lambda: arrange(1280, 800, 1.0, shown=True)
    )
    keyboard.deferred.wait()
    for _ in range(50):
        keyboard.frame_drawn()
    assert keyboard.deferred.waiting
    field.pending = field.typing = False
    for _ in range(3):
        keyboard.frame_drawn()
    assert not keyboard.deferred.waiting


def test_a_field_that_is_never_drawn_does_not_keep_the_keyboard() -> None:
    field = SimpleNamespace(typing=False, held=False, pending=False)
    controller = Controller(animate("3"))
    keyboard = Keyboard(
        lambda: controller, lambda: field, lambda: arrange(1280, 800, 1.0, shown=True)
    )
    for wish in (Action.EDIT_PATTERN, Action.FIND, Action.PRESETS, Action.BROWSE, Action.OPEN_FILE):
        controller.perform(wish)
    controller.model.open_entry(CONTROLS[3])
    controller.model.entry.wants_focus = controller.footage.controls.entry.wants_focus = True
    held = []
    for _ in range(20):
        keyboard.expect_typing()
        held.append(field.waits_for_focus)
        keyboard.frame_drawn()
    assert held[0]
    assert not held[-1]
    assert not keyboard.typing


class _Typist:
    """A keyboard with a field that keeps what it is given, and a window's clock."""

    def __init__(self, fields: tuple[Action, ...] = ()) -> None:
        self.typed, self.done = "", list[Action]()
        self._fields = fields  # actions that give the field the keyboard
        field = SimpleNamespace(
            typing=False, held=False, pending=False, text=self._type, key=lambda *_, down: None
        )
        self._field, self._controller = field, Controller(animate("3"))
        self._controller.perform = self._perform  # type: ignore[method-assign, assignment]
        self.keyboard = Keyboard(
            lambda: self._controller, lambda: field, lambda: arrange(1280, 800, 1.0, shown=True)
        )

    def _perform(self, action: Action) -> None:
        self.done.append(action)
        self._field.typing = action in self._fields

    def types_slowly(self, letters: str) -> None:
        """Press and release each, and wait for 0.9 s."""
        for letter in letters:
            self.keyboard.text(letter)
            self.keyboard.release(0, 0)
            self.keyboard.advance(0.9)

    def _type(self, text: str) -> None:
        self.typed += text
        self._field.typing = True


def test_a_letter_acts_unless_another_one_follows_it_soon() -> None:
    typist = _Typist()
    typist.keyboard.text("s")
    assert typist.done == []
    assert not typist.keyboard.advance(0.9 * LETTER_WAIT)
    assert typist.keyboard.advance(0.2 * LETTER_WAIT)
    assert typist.done == [Action.SPLIT]
    typist.keyboard.release(0, 0)
    for letter in "shower":
        typist.keyboard.text(letter)
    assert (typist.typed, typist.done[1:]) == ("shower", [Action.EDIT_PATTERN])
    assert not typist.keyboard.advance(10.0)


def test_a_slow_typist_loses_no_letter() -> None:
    typist = _Typist()
    typist.types_slowly("mills")
    # Sound is switched on by the first letter, and off again as the next one makes it a name.
    assert typist.done == [Action.SOUND, Action.SOUND, Action.EDIT_PATTERN]
    assert typist.typed == "mills"


def test_two_keys_in_a_row_that_begin_no_name_are_two_actions() -> None:
    typist = _Typist()
    typist.types_slowly("xzhm")
    # Nor are letters right after shortcuts taken for the beginning of a name.
    assert typist.done == [Action.NUMBERS, Action.BEATS, Action.TOGGLE_HELP, Action.SOUND]


def test_a_letter_twice_is_its_key_twice_and_other_keys_keep_their_order() -> None:
    typist = _Typist()
    typist.keyboard.text("x")
    typist.keyboard.release(0, 0)
    typist.keyboard.text("x")
    typist.keyboard.text("+")
    assert typist.done == [Action.NUMBERS, Action.NUMBERS, Action.FASTER]


def test_a_letter_that_opens_a_field_waits_only_for_the_rest_of_a_name() -> None:
    typist = _Typist()
    typist.keyboard.text("q")
    assert typist.done == [Action.FIND], "no name begins with it"
    typist = _Typist()
    for letter in "eighth":
        typist.keyboard.text(letter)
    assert (typist.typed, typist.done) == ("eighth", [Action.EDIT_PATTERN])


@pytest.mark.parametrize("sought", ["441", "box", "shower"])
def test_a_letter_that_opens_a_field_leaves_the_field_what_begins_no_name(sought: str) -> None:
    typist = _Typist(fields=(Action.BROWSE,))
    for letter in f"e{sought}":
        typist.keyboard.text(letter)
    assert (typist.typed, typist.done) == (sought, [Action.BROWSE])


def test_letters_of_no_use_now_begin_a_name_at_once() -> None:
    typist = _Typist()
    typist.keyboard.text("c")
    assert (typist.typed, typist.done) == ("c", [Action.EDIT_PATTERN])


# All that a hasty hand does between two frames, on a panel that kept its pixels until then.
HASTY = """
from juggle_anim.animation import animate
from juggle_anim.viewer.cards.ui import focus
from juggle_anim.viewer.window import Viewer
from pyglet.window import mouse

viewer = Viewer(animate("3"), size=(1280, 800))
viewer.model.playback.frame_time = 1 / 60
window = viewer.window

def play(ticks):
    for _ in range(ticks):
        window.dispatch_events()
        viewer.tick(1 / 60)

def at(place, share):
    x = round(place.left + share * place.width)
    return x, round(window.height - 1 - place.middle)

def swipe(start, end):
    window.dispatch_event("on_mouse_motion", *start, 0, 0)
    window.dispatch_event("on_mouse_press", *start, mouse.LEFT, 0)
    if end != start:
        away = end[0] - start[0], 0
        window.dispatch_event("on_mouse_drag", *end, *away, mouse.LEFT, 0)
    window.dispatch_event("on_mouse_release", *end, mouse.LEFT, 0)

def kept():
    for _ in range(60):
        play(1)
        if viewer._picture.kept[0]:
            return True

play(60)
places = {control.name: control.place for control in focus.controls}
assert kept()
speed = places["panel slider speed"]
swipe(at(speed, 0.3), at(speed, 0.6))
play(8)
print(round(viewer.model.animation.parameters.speed, 2))
window.dispatch_event("on_mouse_motion", 900, 400, 0, 0)
assert kept()
print(viewer.model.cards.panel)
swipe(*[at(places["panel BROWSE"], 0.5)] * 2)
play(8)
print(viewer.model.cards.panel)
viewer.close()
"""


def test_clicks_and_drags_between_two_frames_count(display: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HASTY], env=display, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1.8", "None", "browser"]
