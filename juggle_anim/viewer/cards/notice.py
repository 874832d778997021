"""The notice and the path prompt over the upper edge of the picture, saved pictures, and the mark of a recording."""

from __future__ import annotations

from functools import partial
from typing import Any

from imgui_bundle import imgui

from juggle_anim.arrays import Bytes
from juggle_anim.errors import JuggleError, sentence
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.layout import Layout, Rectangle
from juggle_anim.viewer.cards.theme import Theme, load_theme
from juggle_anim.viewer.cards.widgets import begin_card, draw_field, ellipsize, fill_box, outline_box
from juggle_anim.viewer.screenshot import picture_folder, save_picture
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import Notice, PathPrompt

_WIDEST, _HEIGHT, _PROMPT = 560.0, 32.0, 92.0
_MARGIN = 14.0
_LONGEST = 300  # characters of a notice
_MARK_HEIGHT, _MARK_INSET, _DOT = 28.0, 11.0, 5.0


def prompt_place(layout: Layout) -> Rectangle:
    """Return where the prompt is drawn, [pixels]."""
    return _place(layout, _PROMPT, _WIDEST * layout.scale)


def draw_notice(notice: Notice, look: Theme, layout: Layout) -> None:
    """Draw a notice."""
    inset = look.size(12)
    room = min(_WIDEST * look.scale, layout.free.width - look.size(2 * _MARGIN)) - 2 * inset
    words = notice.text[:_LONGEST]
    wide, tall = look.measure(words, theme.SMALL, strong=True, wrap=room)
    line = look.measure("", theme.SMALL, strong=True)[1]
    place = _place(layout, _HEIGHT + (tall - line) / look.scale, wide + 2 * inset)
    begin_card("notice", place)
    tint = theme.ERROR if notice.is_error else theme.INK
    y = place.top + (place.height - tall) / 2
    look.text(place.left + inset, y, words, tint, theme.SMALL, strong=True, wrap=room)
    imgui.end()


def draw_prompt(library: LibraryController, look: Theme, place: Rectangle) -> None:
    """Draw the field in which a path is typed, and use the path once it is entered."""
    prompt, inset = library.prompt, look.size(12)
    assert prompt.purpose
    title, accepted = prompt.purpose.value
    begin_card("prompt", place)
    look.text(place.left + inset, place.top + look.size(8), title, theme.INK, strong=True)
    field = Rectangle(place.left + inset, place.top + look.size(30), place.width - 2 * inset, look.size(32))
    fill_box(look, field, theme.FIELD, 8)
    flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.callback_completion
    done, prompt.text = draw_field(
        look, "path", prompt.text, field, prompt.wants_focus, flags=flags, callback=partial(_complete, prompt)
    )
    prompt.wants_focus = False
    outline_box(look, field, theme.ERROR if prompt.error else theme.ACCENT, 8)
    words = prompt.error or prompt.hint or f"{sentence(accepted)}; Tab completes"
    tint = theme.ERROR if prompt.error else theme.MUTED
    shown = ellipsize(look, words, place.width - 2 * inset, theme.SMALL)
    look.text(place.left + inset, place.top + look.size(67), shown, tint, theme.SMALL)
    imgui.end()
    if done:
        library.apply_prompt(prompt.text)


def _complete(prompt: PathPrompt, typed: imgui.InputTextCallbackData) -> int:
    """Complete the path: Tab was pressed."""
    text: Any = typed.buf  # a string, whatever the library's annotations say
    longer = prompt.complete(text)
    if longer != text:
        typed.delete_chars(0, typed.buf_text_len)
        typed.insert_chars(0, longer)
    return 0


def _place(layout: Layout, height: float, width: float) -> Rectangle:
    """Return a place in the middle of the upper edge of the picture, [pixels]."""
    free, margin = layout.free, _MARGIN * layout.scale
    wide = min(width, free.width - 2 * margin)
    return Rectangle(free.left + (free.width - wide) / 2, free.top + margin, wide, height * layout.scale)


def save_window_picture(model: Model, picture: Bytes) -> None:
    """Save a picture, shape (height, width, 3), in the folder of pictures; a notice tells where, or what went wrong."""
    notice = model.notice
    try:
        path = save_picture(picture, model.animation, model.playback.time, picture_folder())
    except JuggleError as error:
        notice.say(str(error), bad=True)
    else:
        notice.say(f"Kept as {path}")


class RecordingMark:
    """Draws the mark after all else, so that recorded pictures are without it."""

    def __init__(self) -> None:
        before = imgui.get_current_context()
        # imgui draws a frame as a whole; what comes later needs another context.
        self._context = imgui.create_context()
        imgui.set_current_context(self._context)
        imgui.get_io().set_ini_filename("")
        imgui.backends.opengl3_init("#version 330")
        self._theme: Theme | None = None
        imgui.set_current_context(before)

    def draw(self, layout: Layout, elapsed: float) -> None:
        """Draw the mark into the lower right corner of the picture.

        Args:
            layout: of the window.
            elapsed: time since the start of the recording, [s].
        """
        before = imgui.get_current_context()
        imgui.set_current_context(self._context)
        if self._theme is None or self._theme.scale != layout.scale:
            self._theme = load_theme(layout.scale)
        io = imgui.get_io()
        io.display_size, io.delta_time = imgui.ImVec2(layout.width, layout.height), 1 / 60
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        _draw_mark(self._theme, layout, f"{format_elapsed(elapsed)}   {caption(Action.RECORD)} ends it")
        imgui.render()
        imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())
        imgui.set_current_context(before)

    def close(self) -> None:
        """Release everything."""
        before = imgui.get_current_context()
        imgui.set_current_context(self._context)
        imgui.backends.opengl3_shutdown()
        imgui.destroy_context(self._context)
        imgui.set_current_context(before)


def format_elapsed(elapsed: float) -> str:
    """Write a time, [s], as minutes and seconds: `0:07`."""
    return f"{int(elapsed) // 60}:{int(elapsed) % 60:02d}"


def _draw_mark(look: Theme, layout: Layout, text: str) -> None:
    inset, dot, tall = look.size(_MARK_INSET), look.size(_DOT), look.size(_MARK_HEIGHT)
    wide = 2 * inset + 2 * dot + look.size(7) + look.measure(text, theme.SMALL, strong=True)[0]
    free, margin = layout.free, look.size(_MARGIN)
    left, top = free.right - margin - wide, free.bottom - margin - tall
    draw = imgui.get_foreground_draw_list()
    draw.add_rect_filled((left, top), (left + wide, top + tall), theme.VEIL_STRONG, tall / 2)
    draw.add_circle_filled((left + inset + dot, top + tall / 2), dot, theme.RECORDING)
    place = (
        round(left + inset + 2 * dot + look.size(7)),
        round(top + (tall - look.size(theme.SMALL)) / 2 - look.size(1)),
    )
    draw.add_text(look.strong, look.size(theme.SMALL), place, theme.ON_VEIL, text)
