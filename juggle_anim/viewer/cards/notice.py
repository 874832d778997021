"""Notices and questions over the picture, the field for a path, and the mark of a recording."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from imgui_bundle import imgui

from juggle_anim.arrays import Bytes
from juggle_anim.errors import JuggleError, sentence
from juggle_anim.language import _
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.registry import Card, Frame, Slot
from juggle_anim.viewer.cards.theme import Theme, load_theme
from juggle_anim.viewer.cards.widgets import (
    begin_card,
    draw_field,
    draw_keycap,
    ellipsize,
    fill_box,
    keycap_width,
    outline_box,
    place_button,
    wrap,
)
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.screenshot import picture_folder, save_picture
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import Answer, PathPrompt, Question
from juggle_anim.viewer.state.terms import term_tip

WIDEST = 560.0
"""The width of a notice or a prompt, at scale 1, [pixels]."""

MARGIN = 14.0
"""Between it and what is beside it, at scale 1, [pixels]."""

# Sizes of the card at scale 1, [pixels].
_NOTICE_HEIGHT = 32.0
_MAX_CHARACTERS = 300  # characters of a notice
_QUESTION_WIDTH = 440.0
_QUESTION_PAD = 18.0
_BUTTON_HEIGHT = 32.0
_BUTTON_PAD = 12.0
_BUTTON_GAP = 8.0
_MARK_HEIGHT = 28.0
_MARK_INSET = 11.0
_DOT_RADIUS = 5.0


_PROMPT_HEIGHT = 92.0
# of recent files
_ROW_HEIGHT = 24.0
_MAX_ROWS = 6
_RECENT_GAP = 8.0
# of what is said below the field
_LINE_HEIGHT = 17.0
_MAX_LINES = 8
_MAX_HINT_LINES = 2


class NoticeCard(Card):
    """A notice over the upper edge of the picture."""

    name = "notice"

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the card."""
        notice = frame.model.notice
        layout = frame.layout
        inset = look.size(12)
        room = min(WIDEST * look.scale, layout.free.width - look.size(2 * MARGIN)) - 2 * inset
        words = notice.text[:_MAX_CHARACTERS]
        wide, tall = look.measure(words, theme.SMALL, strong=True, wrap=room)
        line = look.measure("", theme.SMALL, strong=True)[1]
        place = place_above(layout, _NOTICE_HEIGHT + (tall - line) / look.scale, wide + 2 * inset)
        begin_card(self.name, place)
        tint = theme.ERROR if notice.is_error else theme.INK
        y = place.top + (place.height - tall) / 2
        look.text(place.left + inset, y, words, tint, theme.SMALL, strong=True, wrap=room)
        imgui.end()


class QuestionCard(Card):
    """A question over the whole window, whose other parts do nothing until it is answered."""

    name = "question"
    slot = Slot.WINDOW

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the card."""
        files = frame.controller.library.files
        layout = frame.layout
        question = files.question
        assert question
        imgui.set_next_window_focus()
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
        begin_card(
            self.name, place, imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_background
        )
        fill_box(look, place, theme.VEIL, 0)
        pad = look.size(_QUESTION_PAD)
        wide = min(look.size(_QUESTION_WIDTH), layout.width - look.size(2 * MARGIN))
        room = wide - 2 * pad
        title = look.measure(question.title, theme.TEXT, strong=True, wrap=room)[1]
        text = look.measure(question.text, theme.SMALL, wrap=room)[1]
        rows = _answer_rows(question, look, room)
        tall = (
            title
            + text
            + look.size(8 + 18 - _BUTTON_GAP + len(rows) * (_BUTTON_HEIGHT + _BUTTON_GAP))
            + 2 * pad
        )
        left = round((layout.width - wide) / 2)
        top = round((layout.height - tall) / 2)
        fill_box(look, Rectangle(left, top, wide, tall), theme.SHEET, 14)
        outline_box(look, Rectangle(left, top, wide, tall), theme.LINE, 14, 1)
        look.text(left + pad, top + pad, question.title, theme.INK, strong=True, wrap=room)
        y = top + pad + title + look.size(8)
        look.text(left + pad, y, question.text, theme.MUTED, theme.SMALL, wrap=room)
        y = y + text + look.size(18)
        clicked = None
        for row in rows:
            answer = _draw_answers(
                question, look, row, Rectangle(left + pad, y, room, look.size(_BUTTON_HEIGHT))
            )
            clicked = clicked or answer
            y = y + look.size(_BUTTON_HEIGHT + _BUTTON_GAP)
        imgui.end()
        imgui.pop_style_var()
        files.answer(clicked)


def _answer_rows(question: Question, look: Theme, room: float) -> list[dict[int, float]]:
    """Return the widths of answer buttons by their numbers, in rows that fit a room, [pixels]."""
    rows: list[dict[int, float]] = []
    gap = look.size(_BUTTON_GAP)
    inset = look.size(_BUTTON_PAD)
    for number, answer in enumerate(question.answers):
        label = look.measure(answer.label, strong=True)[0]
        wide = label + keycap_width(look, _key_of(question, number)) + 3 * inset - look.size(6)
        if not rows or sum(rows[-1].values()) + gap * len(rows[-1]) + wide > room:
            rows.append({})
        rows[-1][number] = wide
    return rows


def _key_of(question: Question, number: int) -> str:
    """Return the key of an answer, as it is shown."""
    return _("Esc") if number == len(question.answers) - 1 else question.answers[number].key.upper()


def _draw_answers(
    question: Question, look: Theme, row: dict[int, float], place: Rectangle
) -> Answer | None:
    """Draw a row of answer buttons that ends at the right; return the one that was clicked."""
    clicked = None
    inset = look.size(_BUTTON_PAD)
    x = place.right - sum(row.values()) - look.size(_BUTTON_GAP) * (len(row) - 1)
    for number, wide in row.items():
        answer = question.answers[number]
        box = Rectangle(round(x), round(place.top), round(wide), place.height)
        chosen = number == question.chosen
        if place_button(answer.label, box, term_tip("answer", answer.label), stop=False):
            clicked = answer
        hovered = imgui.is_item_hovered()
        fill_box(
            look,
            box,
            theme.FILL_CHOSEN if chosen else theme.TRACK_HOVERED if hovered else theme.TRACK,
            8,
        )
        outline_box(look, box, theme.ACCENT if chosen else theme.LINE, 8, 2 if chosen else 1)
        cap = draw_keycap(
            look, _key_of(question, number), box.left + inset, box.top + look.size(6), theme.MUTED
        )
        text_y = box.top + (box.height - look.size(theme.TEXT)) / 2 - look.size(1)
        look.text(
            box.left + inset + cap + look.size(6), text_y, answer.label, theme.INK, strong=True
        )
        x += wide + look.size(_BUTTON_GAP)
    return clicked


def place_above(layout: Layout, height: float, width: float) -> Rectangle:
    """Return a place in the middle of the upper edge of the picture, [pixels]."""
    free = layout.free
    margin = MARGIN * layout.scale
    wide = min(width, free.width - 2 * margin)
    return Rectangle(
        free.left + (free.width - wide) / 2, free.top + margin, wide, height * layout.scale
    )


def save_window_picture(model: Model, picture: Bytes) -> None:
    """Save a picture, shape (height, width, 3), in the folder of pictures.

    A notice tells where, or what went wrong.
    """
    notice = model.notice
    try:
        path = save_picture(picture, model.animation, model.playback.time, picture_folder())
    except JuggleError as error:
        notice.say(str(error), bad=True)
    else:
        notice.say(_("Saved as {path}", path=path))


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
        io.display_size = imgui.ImVec2(layout.width, layout.height)
        io.delta_time = 1 / 60
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        _draw_mark(
            self._theme,
            layout,
            _(
                "{format_elapsed}   {key} ends it",
                format_elapsed=format_elapsed(elapsed),
                key=caption(Action.RECORD),
            ),
        )
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
    """Draw the mark of a recording: a red dot and a text."""
    inset = look.size(_MARK_INSET)
    dot = look.size(_DOT_RADIUS)
    tall = look.size(_MARK_HEIGHT)
    wide = 2 * inset + 2 * dot + look.size(7) + look.measure(text, theme.SMALL, strong=True)[0]
    free = layout.free
    margin = look.size(MARGIN)
    left = free.right - margin - wide
    top = free.bottom - margin - tall
    draw = imgui.get_foreground_draw_list()
    draw.add_rect_filled((left, top), (left + wide, top + tall), theme.VEIL_STRONG, tall / 2)
    draw.add_circle_filled((left + inset + dot, top + tall / 2), dot, theme.RECORDING)
    place = (
        round(left + inset + 2 * dot + look.size(7)),
        round(top + (tall - look.size(theme.SMALL)) / 2 - look.size(1)),
    )
    draw.add_text(look.strong, look.size(theme.SMALL), place, theme.ON_VEIL, text)


def _height(prompt: PathPrompt) -> float:
    """Return the height of the prompt without recent files, at scale 1, [pixels]."""
    return _PROMPT_HEIGHT + (prompt.lines - 1) * _LINE_HEIGHT


class PromptCard(Card):
    """A field in which a path is typed."""

    name = "prompt"

    def place_in(self, frame: Frame) -> Rectangle:
        """Return the place with as many recent files as there is room for, [pixels]."""
        layout = frame.layout
        prompt = frame.controller.library.prompt
        height = _height(prompt)
        room = (layout.free.height / layout.scale - height - 2 * MARGIN - _RECENT_GAP) / _ROW_HEIGHT
        rows = max(min(len(prompt.recent), _MAX_ROWS, int(room)), 0)
        recent = rows * _ROW_HEIGHT + _RECENT_GAP if rows else 0.0
        return place_above(layout, height + recent, WIDEST * layout.scale)

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the field, and use the path once it is entered."""
        library = frame.controller.library
        prompt = library.prompt
        inset = look.size(12)
        assert prompt.purpose
        title, accepted = prompt.purpose.value
        begin_card(self.name, place)
        look.text(place.left + inset, place.top + look.size(8), title, theme.INK, strong=True)
        field = Rectangle(
            place.left + inset, place.top + look.size(30), place.width - 2 * inset, look.size(32)
        )
        fill_box(look, field, theme.FIELD, 8)
        flags = imgui.InputTextFlags_
        done, prompt.text = draw_field(
            look, "path", prompt.text, field, prompt.wants_focus,
            flags=flags.enter_returns_true | flags.callback_completion | flags.callback_history,
            callback=partial(_complete, prompt), tip=term_tip("path"),
        )  # fmt: skip
        prompt.wants_focus = False
        outline_box(look, field, theme.ERROR if prompt.error else theme.ACCENT, 8)
        usual = (
            _("Tab completes; ↑ ↓ or a click for a recent file")
            if prompt.recent
            else _("{accepted}; Tab completes", accepted=sentence(_(accepted)))
        )
        words = prompt.error or prompt.hint or usual
        tint = theme.ERROR if prompt.error else theme.MUTED
        room = place.width - 2 * inset
        # Long lists of names are cut, an error is not: it says what to do.
        most = _MAX_LINES if prompt.error else _MAX_HINT_LINES
        lines = [part for line in words.split("\n") for part in wrap(look, line, room, most)]
        prompt.lines = min(len(lines), _MAX_LINES)
        for row, line in enumerate(lines[:_MAX_LINES]):
            look.text(
                place.left + inset,
                place.top + look.size(67 + row * _LINE_HEIGHT),
                line,
                tint,
                theme.SMALL,
            )
        clicked = _draw_recent(prompt, look, place)
        imgui.end()
        if done or clicked:
            library.apply_prompt(clicked or prompt.text)


def _draw_recent(prompt: PathPrompt, look: Theme, place: Rectangle) -> str:
    """Draw the recent files that fit; return the one that was clicked, or nothing."""
    top = _height(prompt)
    rows = int((place.height / look.scale - top) / _ROW_HEIGHT)
    clicked = ""
    first = max(prompt.chosen - rows + 1, 0)
    for row, path in enumerate(prompt.recent[first : first + rows]):
        box = Rectangle(
            place.left + look.size(6), place.top + look.size(top + row * _ROW_HEIGHT),
            place.width - look.size(12),
            look.size(_ROW_HEIGHT - 2),
        )  # fmt: skip
        if place_button(f"recent {row}", box, term_tip("recent file", path), stop=False):
            clicked = path
        if first + row == prompt.chosen or imgui.is_item_hovered():
            fill_box(look, box, theme.FILL_CHOSEN if first + row == prompt.chosen else theme.TRACK)
        name = Path(path).name
        folder = str(Path(path).parent)
        x = box.left + look.size(8)
        y = box.top + look.size(4)
        room = box.width - look.size(16)
        shown = ellipsize(look, name, room, theme.SMALL, strong=True)
        look.text(x, y, shown, theme.INK, theme.SMALL, strong=True)
        wide = look.measure(shown, theme.SMALL, strong=True)[0] + look.size(12)
        if room - wide > look.size(40):
            look.text(
                x + wide,
                y,
                ellipsize(look, folder, room - wide, theme.SMALL),
                theme.MUTED,
                theme.SMALL,
            )
    return clicked


def _complete(prompt: PathPrompt, typed: imgui.InputTextCallbackData) -> int:
    """Complete the path, as Tab was pressed, or replace it by a recent one, as an arrow was."""
    text: Any = typed.buf  # a string, whatever the library's annotations say
    if typed.event_flag == imgui.InputTextFlags_.callback_history:
        longer = (
            prompt.choose(-1 if typed.event_key == imgui.Key.up_arrow else 1)
            if prompt.recent
            else text
        )
    else:
        longer = prompt.complete(text)
    if longer != text:
        typed.delete_chars(0, typed.buf_text_len)
        typed.insert_chars(0, longer)
    return 0
