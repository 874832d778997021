"""Notices and questions over the picture, the field for a path, and the mark of a recording."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from imgui_bundle import imgui

from juggle_anim.arrays import Bytes
from juggle_anim.errors import JuggleError, sentence
from juggle_anim.language import _
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import (
    Card,
    Frame,
    Slot,
    begin_card,
    draw_cross,
    draw_field,
    draw_keycap,
    draw_text,
    draw_word_button,
    ellipsize,
    fill_box,
    keycap_width,
    measure,
    outline_box,
    place_button,
    px,
    wrap,
)
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.screenshot import picture_folder, save_picture
from juggle_anim.viewer.state.keymap import Action, Tip, caption, term_tip
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import (
    SAVE_GROUPS,
    Answer,
    PathPrompt,
    Question,
)

WIDEST = 560.0
"""The width of a notice or a prompt, at scale 1, [pixels]."""

MARGIN = 14.0
"""Between it and what is beside it, at scale 1, [pixels]."""

# Sizes of the card at scale 1, [pixels].
_NOTICE_HEIGHT = 32.0
_LOWER_ROW_HEIGHT = 38.0  # of words or buttons at the lower edge, with a gap
_MAX_CHARACTERS = 300  # characters of a notice
_QUESTION_WIDTH = 440.0
_QUESTION_PAD = 18.0
_GAP_BELOW_TITLE = 8.0  # of a question
_GAP_BELOW_TEXT = 18.0  # of a question, above its answers
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
# of the buttons beside and below the field
_SAVE_WIDTH = 72.0
_KIND_HEIGHT = 28.0
_KIND_GAP = 4.0
_GROUP_HEAD_HEIGHT = 18.0
_KINDS_HEIGHT = _GROUP_HEAD_HEIGHT + max(map(len, SAVE_GROUPS.values())) * _KIND_HEIGHT + 4.0
_CAMERAS_HEIGHT = 47.0  # of the buttons for cameras of a film, with their title
# of a file that is being written
_SAVING_WIDTH = 380.0
_SAVING_HEIGHT = 40.0
_CANCEL_WIDTH = 76.0
_GROOVE_PIECES = 5


class NoticeCard(Card):
    """A notice in the lower left corner of the picture, above files that are being written.

    Throws are high above it.
    """

    name = "notice"

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the notice, in a card as large as its words.

        Args:
            frame: frame of the window.
            place: unused, as the card is as large as its words, which are measured here; all cards
                have the same signature.
        """
        notice = frame.model.notice
        layout = frame.layout
        inset = px(12)
        room = min(WIDEST * ui.SCALE, layout.free.width - px(2 * MARGIN)) - 2 * inset
        words = notice.text[:_MAX_CHARACTERS]
        # Buttons stand behind the words; without any they take no room.
        offers = [offer for offer in (notice.offer, notice.refusal) if offer]
        button_widths = [measure(label, strong=True).width + px(20) for label, _act in offers]
        button_room = sum(button_widths) + px(6 * len(offers) + 6) if offers else 0.0
        room -= button_room
        width, height = measure(words, strong=True, wrap=room)
        # `_NOTICE_HEIGHT` is for one line; further lines make the card higher by their own height.
        # An empty text is as high as one line.
        _width, line_height = measure("", strong=True)
        card_height = px(_NOTICE_HEIGHT) + height - line_height
        # What is being written or built has rows in the same corner; the notice lies above these.
        row_count = len(frame.model.screen.under_way)
        saving_height = px(row_count * _SAVING_HEIGHT + MARGIN) if row_count else 0.0
        card_width = width + button_room + 2 * inset
        place = _place_in_corner(frame, card_height, card_width, saving_height)
        begin_card(self.name, place)
        tint = ui.ERROR if notice.is_error else ui.INK
        y = place.middle - height / 2
        draw_text(place.left + inset, y, words, tint, strong=True, wrap=room)
        left = place.right - button_room + px(6)
        pressed: list[Callable[[], object]] = []
        for (label, act), button_width in zip(offers, button_widths, strict=True):
            is_offer = (label, act) == notice.offer
            name = "offer" if is_offer else "refusal"
            button = Rectangle(left, place.middle - px(12), button_width, px(24))
            if draw_word_button(name, label, button, Tip(label), lit=is_offer):
                pressed.append(act)
            left = button.right + px(6)
        imgui.end()
        for act in pressed:
            notice.text = ""
            act()


class QuestionCard(Card):
    """A question over the whole window, whose other parts do nothing until it is answered."""

    name = "question"
    slot = Slot.WINDOW

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the question in the middle of the darkened window, and give a clicked answer.

        Only called while a question is asked.

        Args:
            frame: the controller, its model and the layout of the window.
            place: the window, which is darkened behind the question, [pixels].
        """
        files = frame.controller.library.files
        layout = frame.layout
        question = files.question
        assert question
        ui.begin_cover(self.name, place)
        fill_box(place, ui.VEIL, rounding=0)

        # The height of the sheet, [pixels]: title, text and rows of answers below each other, with
        # a gap between any two.
        pad = px(_QUESTION_PAD)
        width = min(px(_QUESTION_WIDTH), layout.width - px(2 * MARGIN))
        room = width - 2 * pad
        title_height = measure(question.title, ui.TEXT, strong=True, wrap=room).height
        text_height = measure(question.text, wrap=room).height
        rows = _answer_rows(question, room)
        answers_height = px(len(rows) * (_BUTTON_HEIGHT + _BUTTON_GAP) - _BUTTON_GAP)
        words_height = title_height + px(_GAP_BELOW_TITLE) + text_height + px(_GAP_BELOW_TEXT)
        height = words_height + answers_height + 2 * pad

        left = round((layout.width - width) / 2)
        top = round((layout.height - height) / 2)
        sheet = Rectangle(left, top, width, height)
        fill_box(sheet, ui.SHEET, edge=ui.LINE, rounding=14, thickness=1)
        draw_text(left + pad, top + pad, question.title, ui.INK, ui.TEXT, strong=True, wrap=room)
        y = top + pad + title_height + px(_GAP_BELOW_TITLE)
        draw_text(left + pad, y, question.text, ui.MUTED, wrap=room)
        y += text_height + px(_GAP_BELOW_TEXT)
        clicked = None
        for row in rows:
            answer = _draw_answers(
                question, row, Rectangle(left + pad, y, room, px(_BUTTON_HEIGHT))
            )
            clicked = clicked or answer
            y += px(_BUTTON_HEIGHT + _BUTTON_GAP)
        ui.end_cover()
        files.answer(clicked)  # in most frames None, which does nothing


def _answer_rows(question: Question, room: float) -> list[dict[int, float]]:
    """Break the buttons of answers into rows.

    Args:
        question: the question with the answers.
        room: width of a row, [pixels].

    Returns:
        For each row the widths of its buttons, [pixels], by index of the answer.
    """
    rows: list[dict[int, float]] = []
    gap = px(_BUTTON_GAP)
    inset = px(_BUTTON_PAD)
    for index, answer in enumerate(question.answers):
        label_width = measure(answer.label, ui.TEXT, strong=True).width
        key_width = keycap_width(_key_of(question, index))
        # Insets at both ends, and a smaller one between key and label.
        width = label_width + key_width + 3 * inset - px(6)
        if not rows or sum(rows[-1].values()) + gap * len(rows[-1]) + width > room:
            rows.append({})
        rows[-1][index] = width
    return rows


def _key_of(question: Question, number: int) -> str:
    """Return the key of an answer, as it is shown."""
    return _("Esc") if number == len(question.answers) - 1 else question.answers[number].key.upper()


def _draw_answers(question: Question, row: dict[int, float], place: Rectangle) -> Answer | None:
    """Draw a row of buttons for answers, each with its key, aligned at the right edge.

    Args:
        question: the question with the answers.
        row: widths of the buttons, [pixels], by index of the answer.
        place: place of the row, [pixels].

    Returns:
        The answer that was clicked, or None.
    """
    clicked = None
    inset = px(_BUTTON_PAD)
    gap = px(_BUTTON_GAP)
    x = place.right - sum(row.values()) - gap * (len(row) - 1)
    for index, width in row.items():
        answer = question.answers[index]
        box = Rectangle(round(x), round(place.top), round(width), place.height)
        is_chosen = index == question.chosen
        if place_button(answer.label, box, term_tip("answer", answer.label), tab_stop=False):
            clicked = answer
        fill = ui.TRACK_HOVERED if imgui.is_item_hovered() else ui.TRACK
        if is_chosen:
            fill = ui.FILL_CHOSEN
        edge = ui.ACCENT if is_chosen else ui.LINE
        fill_box(box, fill, edge=edge, rounding=8, thickness=2 if is_chosen else 1)

        # The key, and the label beside it.
        left = box.left + inset
        key = _key_of(question, index)
        key_width = draw_keycap(key, left, box.top + px(6), tint=ui.MUTED)
        text_y = ui.line_top(box, ui.TEXT)
        label_left = left + key_width + px(6)
        draw_text(label_left, text_y, answer.label, ui.INK, ui.TEXT, strong=True)
        x += width + gap
    return clicked


def place_above(layout: Layout, height: float, width: float) -> Rectangle:
    """Return a place at the upper edge of the picture, centred across, [pixels].

    Args:
        layout: layout of the window; `free` is the part of the picture that no card covers.
        height: height of the place at scale 1, [pixels].
        width: width of the place, already scaled, [pixels]; limited to that of the picture.
    """
    free = layout.free
    margin = MARGIN * layout.scale
    width = min(width, free.width - 2 * margin)
    left = free.centre - width / 2
    return Rectangle(left, free.top + margin, width, height * layout.scale)


def _place_in_corner(frame: Frame, height: float, width: float, above: float = 0.0) -> Rectangle:
    """Return a place in the lower left corner of the picture, [pixels].

    It lies above what stands in a row at the lower edge.

    Args:
        frame: the layout of the window; its `free` part is covered by no card.
        height, width: size of the place, [pixels]; the width is limited to that of the picture.
        above: height of something else in the corner, above which the place is, [pixels].
    """
    free = frame.layout.free
    scale = frame.layout.scale
    margin = MARGIN * scale
    width = min(width, free.width - 2 * margin)
    bottom = free.bottom - margin - above
    if frame.has_lower_row:
        bottom -= _LOWER_ROW_HEIGHT * scale
    return Rectangle(free.left + margin, bottom - height, width, height)


def save_window_picture(model: Model, picture: Bytes) -> None:
    """Save a picture of the window in the folder of pictures.

    A notice says where it is, or what went wrong.

    Args:
        model: model of the viewer; its pattern and time name the file.
        picture: sRGB bytes, shape (height, width, 3).
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
        # The mark is drawn after the frame that is recorded. A context of imgui draws its frame in
        # one go, so that the mark needs a context of its own.
        self._context = imgui.create_context()
        imgui.set_current_context(self._context)
        imgui.get_io().set_ini_filename("")
        imgui.backends.opengl3_init("#version 330")
        ui.load_fonts()
        imgui.set_current_context(before)

    def draw(self, layout: Layout, elapsed: float) -> None:
        """Draw the mark into the lower right corner of the picture.

        Args:
            layout: layout of the window.
            elapsed: time since the start of the recording, [s].
        """
        # imgui draws one frame for each context. The mark has a context of its own, so that it can
        # be drawn after the frame has been recorded, and is not seen in the recording.
        before = imgui.get_current_context()
        imgui.set_current_context(self._context)
        io = imgui.get_io()
        io.display_size = imgui.ImVec2(layout.width, layout.height)
        io.delta_time = 1 / 60  # imgui refuses 0; the value does not matter, as nothing moves
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        _draw_mark(
            layout,
            _(
                "{format_elapsed}   {key} stops",
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


def _draw_mark(layout: Layout, text: str) -> None:
    """Draw the mark of a recording: a red dot and a text, in the lower right corner.

    Args:
        layout: gives the part of the window that no card covers.
        text: beside the dot, such as the time recorded so far.
    """
    inset = px(_MARK_INSET)
    dot_radius = px(_DOT_RADIUS)
    dot_and_gap = 2 * dot_radius + px(7)
    height = px(_MARK_HEIGHT)
    text_width = measure(text, strong=True).width
    width = 2 * inset + dot_and_gap + text_width
    margin = px(MARGIN)
    left = layout.free.right - margin - width
    top = layout.free.bottom - margin - height

    # A dark box with round ends, the dot, and the text beside it.
    draw = imgui.get_foreground_draw_list()
    draw.add_rect_filled((left, top), (left + width, top + height), ui.VEIL_STRONG, height / 2)
    centre = (left + inset + dot_radius, top + height / 2)
    draw.add_circle_filled(centre, dot_radius, ui.RECORDING)
    text_left = left + inset + dot_and_gap
    text_top = top + (height - px(ui.SMALL)) / 2 - px(1)
    draw_text(text_left, text_top, text, ui.ON_VEIL, strong=True, draw=draw)


class SavingCard(Card):
    """How far files and a routine are that are being made, in the picture's lower left corner."""

    name = "saving"

    def place_in(self, frame: Frame) -> Rectangle:
        """Return the place, with a row for each of them, [pixels]."""
        scale = frame.layout.scale
        height = len(frame.model.screen.under_way) * _SAVING_HEIGHT * scale
        return _place_in_corner(frame, height, _SAVING_WIDTH * scale)

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw a row for each that is being made: its progress, and a button to cancel it.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        begin_card(self.name, place)
        inset = px(12)
        height = px(_SAVING_HEIGHT)
        for index, saving in enumerate(frame.model.screen.under_way):
            top = place.top + index * height
            left = place.right - px(_CANCEL_WIDTH + 8)
            button = Rectangle(left, top + px(8), px(_CANCEL_WIDTH), px(24))
            room = left - place.left - inset - px(8)
            words = ellipsize(saving.words, room)
            draw_text(place.left + inset, top + px(10), words)
            groove = Rectangle(place.left + inset, top + height - px(8), room, px(3))
            fill_box(groove, ui.TRACK, rounding=1)
            if saving.total:
                full_width = groove.width * saving.done / saving.total
                full = replace(groove, width=full_width)
            else:
                # How long it takes is not known: a piece goes on along the groove each second.
                piece_width = groove.width / _GROOVE_PIECES
                piece_left = groove.left + piece_width * (saving.elapsed % _GROOVE_PIECES)
                full = Rectangle(piece_left, groove.top, piece_width, groove.height)
            fill_box(full, ui.ACCENT, rounding=1)
            tip = term_tip(saving.cancel_term)
            if draw_word_button(f"cancel {index}", _("Cancel"), button, tip):
                saving.cancelled = True
        imgui.end()


def _fixed_height(prompt: PathPrompt) -> float:
    """Return the height of a prompt without buttons for kinds and rows, at scale 1, [pixels]."""
    return _PROMPT_HEIGHT + (prompt.lines - 1) * _LINE_HEIGHT


class PromptCard(Card):
    """A field in which a path is typed."""

    name = "prompt"

    def place_in(self, frame: Frame) -> Rectangle:
        """Return the place of the prompt for a path, [pixels].

        Below its field are either buttons for kinds of files, or rows for recent files: as many as
        there is room for, but at most `_MAX_ROWS`. With kinds the card is at the bottom of the
        picture, where it covers no props. Its top leaves room for the buttons for cameras, which
        come with the kinds of films, so that it does not move when they do.

        Args:
            frame: the controller with the prompt, its model and the layout of the window.
        """
        layout = frame.layout
        prompt = frame.controller.library.prompt
        max_width = WIDEST * layout.scale
        # Heights are at scale 1.
        height = _fixed_height(prompt)
        if prompt.kinds:
            height += _KINDS_HEIGHT
            highest = place_above(layout, height, max_width)  # where a low window leaves no room
            lowest = layout.free.bottom - (height + _CAMERAS_HEIGHT + MARGIN) * layout.scale
            cameras_height = _CAMERAS_HEIGHT * layout.scale if prompt.is_film else 0.0
            return Rectangle(
                highest.left,
                max(highest.top, round(lowest)),
                highest.width,
                highest.height + cameras_height,
            )
        room = layout.free.height / layout.scale - height - 2 * MARGIN - _RECENT_GAP
        row_count = max(min(len(prompt.recent), _MAX_ROWS, int(room / _ROW_HEIGHT)), 0)
        if row_count:
            height += row_count * _ROW_HEIGHT + _RECENT_GAP
        return place_above(layout, height, max_width)

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the field with what can be chosen below it; use a path that is entered or clicked.

        From the top: the title, the field and a button that uses its path, buttons for kinds of
        files if there are any, an error or hint, and recent files.

        Args:
            frame: the controller, its model and the layout of the window.
            place: place of the card in the window, [pixels].
        """
        library = frame.controller.library
        prompt = library.prompt
        inset = px(12)
        assert prompt.purpose
        # The title, words on the accepted files, and the verb on the button, such as "Open".
        title, accepted, verb = prompt.purpose.value
        begin_card(self.name, place)
        # An opaque background: cards are translucent, and moving jugglers behind text disturb
        # reading.
        fill_box(place, ui.SHEET, rounding=12)
        draw_text(place.left + inset, place.top + px(8), title, ui.INK, ui.TEXT, strong=True)
        side = px(22)
        if draw_cross(place.right - side - px(6), place.top + px(5), side):
            frame.controller.perform(Action.BACK)
        button = Rectangle(
            place.right - inset - px(_SAVE_WIDTH),
            place.top + px(30),
            px(_SAVE_WIDTH),
            px(32),
        )
        field = Rectangle(
            place.left + inset,
            button.top,
            button.left - place.left - inset - px(8),
            button.height,
        )
        fill_box(field, ui.FIELD, rounding=8)
        # `_handle_path_key` is called on Tab (completion) and on the arrow keys (history).
        flags = imgui.InputTextFlags_
        is_entered, prompt.text = draw_field(
            "path", prompt.text, field, takes_focus=prompt.wants_focus,
            flags=flags.enter_returns_true | flags.callback_completion | flags.callback_history,
            callback=partial(_handle_path_key, prompt), tip=term_tip("path"),
        )  # fmt: skip
        prompt.wants_focus = False
        outline_box(field, ui.ERROR if prompt.error else ui.ACCENT, rounding=8)
        tip = Tip(_(verb), keys=_("Enter"))
        is_pressed = draw_word_button("use path", _(verb), button, tip, lit=True)
        if prompt.kinds:
            # In place of the accepted files, words on the kind under the mouse.
            accepted = _draw_kinds(prompt, place)
        if prompt.is_film:
            _draw_cameras(frame, place)

        _draw_message(prompt, place, accepted)
        clicked = _draw_recent(prompt, place)
        imgui.end()
        if is_entered or is_pressed or clicked:
            library.apply_prompt(clicked or prompt.text)


def _draw_message(prompt: PathPrompt, place: Rectangle, accepted: str) -> None:
    """Draw the lines below the field of a prompt, and set `prompt.lines`, how many have room there.

    They are the first of these texts that is not empty: an error; names that would complete the
    path; or what may be typed.

    Args:
        prompt: the prompt.
        place: place of the whole card, [pixels].
        accepted: words on the accepted files; translated already if the prompt has kinds of files.
    """
    inset = px(12)
    usual = accepted
    if prompt.recent:
        usual = _("Tab to complete; ↑ ↓ or click for recent files")
    elif not prompt.kinds:
        usual = _("{accepted}; Tab to complete", accepted=sentence(_(accepted)))
    tint = ui.ERROR if prompt.error else ui.MUTED
    # An error says what to do, so it gets more lines than names, whose list may be long.
    max_lines = _MAX_LINES if prompt.error else _MAX_HINT_LINES
    lines = list[str]()
    for paragraph in (prompt.error or prompt.hint or usual).split("\n"):
        lines += wrap(paragraph, place.width - 2 * inset, max_lines)
    lines = lines[:_MAX_LINES]
    # Words on kinds always have room for two lines, so that the buttons below do not move as the
    # words change with the mouse.
    prompt.lines = max(len(lines), _MAX_HINT_LINES if prompt.kinds else 1)
    for index, line in enumerate(lines):
        top = place.top + px(67 + index * _LINE_HEIGHT)
        draw_text(place.left + inset, top, line, tint)


def _draw_kinds(prompt: PathPrompt, place: Rectangle) -> str:
    """Draw a button for each kind of file that can be saved, and choose one that is clicked.

    Each group of kinds is a column.

    Args:
        prompt: the prompt with the kinds.
        place: place of the whole card, [pixels].

    Returns:
        Words on the kind under the mouse, or else on the present one: what it is for, and which
        other endings its files may have.
    """
    present = prompt.kind_of(prompt.text)
    explained = present
    top = place.top + px(_fixed_height(prompt))
    number = 0
    for column, (title, kinds) in enumerate(SAVE_GROUPS.items()):
        left = _cell(place, top, column, len(SAVE_GROUPS)).left
        draw_text(left, top, title, ui.MUTED)
        for row, kind in enumerate(kinds):
            cell = column + row * len(SAVE_GROUPS)
            box = _cell(place, top + px(_GROUP_HEAD_HEIGHT), cell, len(SAVE_GROUPS))
            is_present = kind is present
            if draw_word_button(f"kind {number}", kind.name, box, Tip(kind.name), lit=is_present):
                # Another kind changes the ending of the path. To refuse this path without an error
                # puts it into the field, and the prompt stays open.
                path = prompt.take_kind(kind, prompt.text)
                prompt.refuse(path, error="")
            if imgui.is_item_hovered():
                explained = kind
            number += 1
    if explained is None:
        return sentence(_("choose what to save"))
    ending = Path(prompt.text).suffix.casefold() if explained is present else explained.endings[0]
    other_endings = ", ".join(known for known in explained.endings if known != ending)
    also = _("Also: {endings}", endings=other_endings) if other_endings else ""
    return ". ".join(part for part in (_(explained.use), also) if part)


def _cell(place: Rectangle, top: float, index: int, columns: int) -> Rectangle:
    """Return the place of a button in a grid of buttons across a prompt, [pixels].

    Args:
        place: place of the whole card, [pixels].
        top: top of the grid, [pixels].
        index: index of the button, row by row.
        columns: number of columns.
    """
    inset = px(_BUTTON_PAD)
    gap = px(_KIND_GAP)
    row, column = divmod(index, columns)
    pitch = (place.width - 2 * inset + gap) / columns  # from one button to the next
    left = place.left + inset + column * pitch
    height = px(_KIND_HEIGHT)
    return Rectangle(left, top + row * height, pitch - gap, height - gap)


def _draw_cameras(frame: Frame, place: Rectangle) -> None:
    """Draw a button for each camera of a film at the bottom, and choose one that is clicked.

    Args:
        frame: its controller offers the cameras.
        place: place of the whole card, [pixels].
    """
    files = frame.controller.library.files
    cameras = files.offered_cameras
    top = place.bottom - px(_CAMERAS_HEIGHT)
    draw_text(place.left + px(_BUTTON_PAD), top, _("Camera"), ui.MUTED)
    top += px(_LINE_HEIGHT)
    for index, camera in enumerate(cameras):
        box = _cell(place, top, index, len(cameras))
        words = camera.value
        if draw_word_button(words, words, box, Tip(words), lit=camera is files.film_camera):
            files.film_camera = camera


def _draw_recent(prompt: PathPrompt, place: Rectangle) -> str:
    """Draw a row for each of the recent files that fit, the chosen one among them.

    Args:
        prompt: the prompt with the paths.
        place: place of the whole card, [pixels].

    Returns:
        The path that was clicked; empty if none was.
    """
    top = _fixed_height(prompt)  # of the first row, at scale 1
    row_count = int((place.height / ui.SCALE - top) / _ROW_HEIGHT)
    clicked = ""
    # The index of the first path that is drawn: 0, or so far on that the chosen one is in the last
    # row. `chosen` is -1 if none is, which gives 0.
    first = max(prompt.chosen - row_count + 1, 0)
    for row, path in enumerate(prompt.recent[first : first + row_count]):
        is_chosen = first + row == prompt.chosen
        box = Rectangle(
            place.left + px(6), place.top + px(top + row * _ROW_HEIGHT),
            place.width - px(12),
            px(_ROW_HEIGHT - 2),
        )  # fmt: skip
        if place_button(f"recent {row}", box, term_tip("recent file", path), tab_stop=False):
            clicked = path
        if is_chosen or imgui.is_item_hovered():
            fill_box(box, ui.FILL_CHOSEN if is_chosen else ui.TRACK)

        # The name of the file, and behind it its folder, if 40 pixels at scale 1 are left for that.
        x = box.left + px(8)
        y = box.top + px(4)
        room = box.width - px(16)
        name = ellipsize(Path(path).name, room, strong=True)
        draw_text(x, y, name, strong=True)
        name_width = measure(name, strong=True).width + px(12)
        if room - name_width > px(40):
            folder = str(Path(path).parent)
            folder = ellipsize(folder, room - name_width)
            draw_text(x + name_width, y, folder, ui.MUTED)
    return clicked


def _handle_path_key(prompt: PathPrompt, typed: imgui.InputTextCallbackData) -> int:
    """Replace the path that is typed, after a press of Tab, up or down.

    Tab completes the path. The arrow keys choose a recent path if there are any, or else another
    kind of file to save. imgui calls this for these keys alone, while one types in the field. It
    keeps the text itself then, so the text is replaced through `typed`.

    Args:
        prompt: the prompt with the recent paths or kinds.
        typed: the text so far, which this changes, and the key.

    Returns:
        0, the value that imgui expects.
    """
    text: Any = typed.buf  # a string, whatever the library's annotations say
    new_text = text
    if typed.event_flag == imgui.InputTextFlags_.callback_history:  # up or down
        steps = -1 if typed.event_key == imgui.Key.up_arrow else 1
        if prompt.recent:
            new_text = prompt.choose(steps)
        elif prompt.kinds:
            new_text = prompt.next_kind(steps, text)
    else:  # Tab
        new_text = prompt.complete(text)
    if new_text != text:
        typed.delete_chars(0, typed.buf_text_len)
        typed.insert_chars(0, new_text)
    return 0
