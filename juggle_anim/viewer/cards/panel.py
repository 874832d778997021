"""The panel: pattern line with its errors, facts, a search field, undo and redo, and sliders."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial

from imgui_bundle import imgui

from juggle_anim.errors import ALL_NAMES, NotationError, counted, printable, sentence
from juggle_anim.language import N_, _, language
from juggle_anim.notation import LibraryPattern
from juggle_anim.parameters import Group, Row
from juggle_anim.viewer.cards import slider, ui
from juggle_anim.viewer.cards.slider import Sliders
from juggle_anim.viewer.cards.ui import (
    COMPLETE_KEY,
    Card,
    Frame,
    Slot,
    draw_field,
    draw_keycap,
    draw_text,
    draw_text_before,
    ellipsize,
    fill_box,
    measure,
    outline_box,
    place_button,
    px,
)
from juggle_anim.viewer.editor.files import describe
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.learning.welcome import LINE
from juggle_anim.viewer.panel.controls import CONTROLS, PANEL_CONTROLS, Line
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import (
    NO_TIP,
    Action,
    action_tip,
    caption,
    line_hint,
    line_hints,
    term_tip,
)
from juggle_anim.viewer.state.model import Model

_SUGGESTION_HEIGHT = 24.0  # at scale 1, [pixels]

_VISIBLE_GAP = 1.5  # cm between hand and ball; the ball hides a smaller one
_BUTTONS = (
    (Action.BROWSE, N_("Library")),
    (Action.LEARN, N_("Learn")),
    (Action.DIAGRAM, N_("Diagram")),
    (Action.EDIT, N_("Edit")),
    (Action.SAVE_FILE, N_("Save")),
    (Action.PALETTE, N_("Actions")),
)
"""The buttons at the foot, in rows of `_BUTTONS_ACROSS`; the last one finds all else."""

_BUTTONS_ACROSS = 3
_BUTTON_HEIGHT = 27.0
_BUTTON_GAP = 4.0  # at scale 1, [pixels]

_LOW_PANEL = 700.0  # height at scale 1 below which more scrolls, and less stays below, [pixels]

GROUP_HEIGHT = 26.0
"""The height of a group heading, at scale 1, [pixels]."""

_HINT_LINE = 17.0  # height at scale 1, [pixels]
_MAX_HELP_LINES = 4

TOOLS_HEIGHT = 28.0
"""The height of the field and buttons above the sliders, at scale 1, [pixels]."""

_ROW = "row"  # of the panel, in `ui.spots`, with the name of its line
_SEARCH_HINT = N_("Search settings")
_KEYCAP_ROOM = 42.0  # of the key in the search field, with gaps, at scale 1, [pixels]
_SINGLE_SPACE = re.compile(r"(?<! ) (?! )")
_UNBROKEN = "\N{NO-BREAK SPACE}"


class Panel(Card):
    """The panel; its sliders scroll if the window is too low for them."""

    name = "panel"
    slot = Slot.PANEL
    is_still = True

    def __init__(self) -> None:
        self._foot_height = 0.0  # in the last frame, [pixels]; 0 before the first
        self._chosen: Line | None = None
        self._shown_reason = ""
        self._clear_of_fades: Rectangle | None = None
        self._sliders = Sliders()

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the panel: pattern, tools, sliders that scroll, and below them the foot.

        The foot has hints and buttons. The sliders take the height that it leaves, so that nothing
        moves as groups unfold. The height of the foot is only known once it is drawn, so that of
        the last frame is used.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        controller = frame.controller
        flags = imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse
        ui.begin_card(self.name, place, flags)
        pad = px(10)
        left = place.left + pad
        width = place.width - 2 * pad
        is_low = place.height < px(_LOW_PANEL)

        # From the top down; each part with a height of its own returns its lower edge.
        y = self._draw_pattern(controller, left, place.top + pad, width, low=is_low)
        draw_tools(controller, Rectangle(left, y, width, px(TOOLS_HEIGHT)))
        y = round(y + px(TOOLS_HEIGHT + 6))
        room = max(place.bottom - y - self._foot_height, px(slider.HEIGHT))
        self._draw_sliders(controller.model, Rectangle(place.left, y, place.width, room))
        foot_top = y + room
        y = _draw_hint(controller, left, foot_top, width, low=is_low)
        self._foot_height = _draw_footer(controller, left, y, width) + pad - foot_top
        imgui.end()

    def _draw_sliders(self, model: Model, place: Rectangle) -> None:
        """Draw the part of the panel that scrolls: sliders, and which hands do not reach props.

        Args:
            model: the model with the lines.
            place: place of this part, [pixels].
        """
        imgui.set_cursor_screen_pos(place.low)
        imgui.begin_child("sliders", place.size, window_flags=imgui.WindowFlags_.no_nav)
        origin = imgui.get_cursor_screen_pos()
        pad = px(10)
        left = origin.x + pad
        # A scrollbar lies in the padding at the right, so that nothing moves when it appears.
        width = place.width - 2 * pad
        y = self._draw_lines(model, left, origin.y, width)
        y = _draw_shortfall(model, left, y)
        ui.end_contents(left, y)
        beside_scrollbar = replace(place, width=place.width - pad)
        ui.draw_fades(beside_scrollbar, self._clear_of_fades)
        imgui.end_child()

    def _draw_pattern(
        self, controller: Controller, left: float, y: float, width: float, *, low: bool
    ) -> float:
        """Draw the pattern line, and below it an error, a hint while one types, or facts.

        Facts say what is juggled, and whether it is saved. There is always room for two lines of
        them, or for one in a low panel, so that nothing moves as the pattern is edited.

        Args:
            controller: controller of the viewer.
            left, y, width: left edge, top and width of the part, [pixels].
            low: whether the panel is low, so that there is room for one line: that the pattern is
                not saved, if so, or else the other facts.

        Returns:
            Their lower edge, [pixels].
        """
        model = controller.model
        line = Rectangle(left, y, width, px(PATTERN_LINE_HEIGHT))
        is_editing = draw_pattern_line(controller, line)
        y += line.height + px(7)
        # A pattern is being typed if the line differs from the text of the present pattern, unless
        # it differs because the typed pattern is already being prepared in the background.
        is_typed = is_editing or (model.line != model.text and not model.live.coming)
        if is_typed:
            lines = [TYPING_HINT]
        else:
            # Facts are separated by double spaces. Single spaces within a fact are made
            # non-breaking, so that lines are only wrapped between facts.
            lines = [_SINGLE_SPACE.sub(_UNBROKEN, pattern_facts(model))]
            if state := describe(controller.library.files.shown):
                lines = [state] if low else [*lines, state]
        line_count = 1 if low else 2
        bottom = y + line_count * (measure("0").height + px(3))
        for words in lines:
            draw_text(left + px(2), y, words, ui.MUTED, wrap=width)
            y += measure(words, wrap=width).height + px(3)
        y = max(y, bottom)
        # Timed events may be turned back into the settings they were made from. To compute what
        # that would lose takes time, so its button is left out while events are dragged.
        if not is_typed and model.animation.pattern is None and not controller.editor.is_dragging:
            y += self._draw_way_back(controller, left, y, width)
        return y + px(7)

    def _draw_way_back(self, controller: Controller, left: float, y: float, width: float) -> float:
        """Draw a button that turns events back into settings, with words on what that would lose.

        Events are throws and catches with times and places of their own; settings are the text from
        which they were made.

        Args:
            controller: controller of the viewer.
            left, y, width: left edge, top and width of the words, [pixels].

        Returns:
            The height, [pixels]; 0 if there are no settings to go back to.
        """
        # What would be lost, in words; empty if there are no settings.
        words = controller.library.files.way_back.of(controller.model.animation.score)
        if not words:
            return 0.0
        key_width = ui.keycap_width(caption(Action.EVENTS)) + px(6)
        y += px(3)
        height = max(measure(words, wrap=width - key_width).height, px(20))
        place = Rectangle(left, y, width, height)
        pressed = ui.place_button("back to settings", place, term_tip("back to settings"))
        tint = ui.ACCENT if imgui.is_item_hovered() else ui.MUTED
        ui.draw_keycap(caption(Action.EVENTS), left + px(2), y, tint=tint)
        draw_text(
            left + key_width + px(2),
            y + px(3),
            words,
            tint,
            wrap=width - key_width,
        )
        if pressed:
            controller.perform(Action.EVENTS)
        return height + px(9)

    def _draw_lines(self, model: Model, left: float, y: float, width: float) -> float:
        """Draw the visible sliders and heads of groups; return the lower edge of the last.

        Also sets `_clear_of_fades`, the part of the list that is not to be faded at its edges: all
        lines that are seen whole, and the chosen one.

        Args:
            model: the model with the lines.
            left, y, width: left edge, top and width of the list as it is scrolled, [pixels].
        """
        lines = model.lines
        self._clear_of_fades = None
        if not lines:
            return _draw_no_match(left, y, width)
        # The upper and lower edge of the part of the list that is seen, [pixels].
        upper = imgui.get_window_pos().y
        lower = upper + imgui.get_window_height()
        for line in lines:
            top = y
            height = GROUP_HEIGHT if isinstance(line, Group) else slider.height(line)
            # Lines that are scrolled away are not drawn. The chosen one is always, as the panel may
            # have to scroll to its item.
            if line is model.chosen or (y < lower and y + px(height) > upper):
                row = Rectangle(left, round(y), width, px(height))
                ui.spots[_ROW, line.name] = row
                self._draw_line(model, line, row)
            y += px(height + 1)
            # The reason why a change of the chosen line is refused is below that line.
            if line is model.chosen:
                self._keep_in_view(line)
                y += self._draw_trouble(model, left, y, width)
            # The part that is not faded reaches from the first line that is whole, or the chosen
            # one, to the last such line.
            bottom = y
            is_whole = upper <= top and bottom <= lower + 1
            is_partly_seen = top < lower and bottom > upper
            if is_whole or (line is model.chosen and is_partly_seen):
                clear_top = self._clear_of_fades.top if self._clear_of_fades else top
                self._clear_of_fades = Rectangle(left, clear_top, width, bottom - clear_top)
        return y

    def _draw_line(self, model: Model, line: Line, place: Rectangle) -> None:
        """Draw the head of a group, or a slider, in a place, [pixels]."""
        if isinstance(line, Group):
            draw_group_head(model, line, place)
        else:
            self._sliders.draw(model, line, place)

    def _draw_trouble(self, model: Model, left: float, y: float, width: float) -> float:
        """Draw why the chosen line cannot be changed, or not so; return the height, [pixels].

        The height is 0 if there is no such reason. The list scrolls there when the reason is new.

        Args:
            model: the model with the chosen line.
            left, y, width: left edge, top and width of the words, [pixels].
        """
        # In red why a typed value or the last change is refused; otherwise in grey why the line is
        # fixed: its value cannot be changed with this pattern.
        reason = model.entry.typed.error if model.entry.typed else model.error
        tint = ui.ERROR
        if not reason and not isinstance(model.chosen, Group):
            reason = model.fixed(model.chosen)
            tint = ui.MUTED
        is_new = reason != self._shown_reason
        self._shown_reason = reason
        if not reason:
            return 0.0
        room = width - px(12)
        draw_text(left + px(6), y, reason, tint, wrap=room)
        height = measure(reason, wrap=room).height + px(7)
        # The list scrolls so far that the reason is seen, but only in the frame in which it is new,
        # so that the user can scroll away from it afterwards.
        hidden_height = y + height - imgui.get_window_pos().y - imgui.get_window_height()
        if hidden_height > 0 and is_new:
            imgui.set_scroll_y(imgui.get_scroll_y() + hidden_height)
        return height

    def _keep_in_view(self, line: Line) -> None:
        """Scroll to a line once it is chosen, if the last item is partly out of sight."""
        if line is not self._chosen:
            self._chosen = line
            if not _is_item_whole():
                imgui.set_scroll_here_y(0.5)


class Suggestions(Card):
    """Patterns that the name typed in the pattern line may become, below the hint, one a row.

    A click plays one. Down and up choose one, which Enter plays; Tab completes the line.
    """

    name = "suggestions"

    def place_in(self, frame: Frame) -> Rectangle | None:
        """Return the place, [pixels]; None while nobody types, or if nothing is suggested.

        A press on a row takes the keyboard from the line, so the rows stay under the mouse.
        """
        panel = frame.layout.panel
        count = len(frame.model.suggestions)
        if panel is None or not count:
            return None
        scale = frame.layout.scale
        top = panel.top + (10 + PATTERN_LINE_HEIGHT + 7 + ui.SMALL + 5) * scale
        height = (count * _SUGGESTION_HEIGHT + 8) * scale
        place = Rectangle(panel.left + 10 * scale, top, panel.width - 20 * scale, height)
        place = place.on_pixels()
        return place if frame.model.is_typing or place.covers(*frame.mouse) else None

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw a row for each pattern: its name, and at the right its siteswap or Tab's key."""
        model = frame.model
        ui.begin_bare(self.name, place)
        # Over the panel, which is in front while one types there, and keeps the keyboard.
        imgui.internal.bring_window_to_display_front(imgui.internal.get_current_window())
        fill_box(place, ui.SHEET, edge=ui.LINE, rounding=8)
        inner = place.inset(px(4))
        for index, pattern in enumerate(model.suggestions):
            top = inner.top + index * px(_SUGGESTION_HEIGHT)
            row = Rectangle(inner.left, top, inner.width, px(_SUGGESTION_HEIGHT))
            if place_button(f"suggestion {index}", row, NO_TIP, tab_stop=False):
                frame.controller.library.open_text(pattern.name)
            is_first = index == 0 and not model.suggestion
            is_chosen = pattern.name == model.suggestion
            ui.fill_row(row, chosen=is_chosen, lit=imgui.is_item_hovered())
            _draw_suggestion(pattern, row, with_key=is_chosen or is_first)
        ui.end_cover()


def _draw_suggestion(pattern: LibraryPattern, row: Rectangle, *, with_key: bool) -> None:
    """Draw the name of a pattern, and at the right its siteswap.

    Args:
        pattern: the pattern.
        row: place of the row, [pixels].
        with_key: whether the key that completes the line to it stands in place of the siteswap.
    """
    y = row.top + px(4)
    right = row.right - px(6)
    if with_key:
        right -= ui.keycap_width(COMPLETE_KEY)
        draw_keycap(COMPLETE_KEY, right, row.top + px(2), tint=ui.MUTED)
    elif pattern.siteswap:
        siteswap = ellipsize(pattern.siteswap, 0.4 * row.width)
        right -= measure(siteswap).width
        draw_text(right, y, siteswap, ui.MUTED)
    left = row.left + px(8)
    draw_text(left, y, ellipsize(pattern.name, right - px(8) - left, ui.TEXT), ui.ACCENT)


class PatternError(Card):
    """What is wrong with the typed pattern, below its line, over settings that stay in place."""

    name = "pattern error"

    def __init__(self) -> None:
        self._height = 0.0  # in the last frame, [pixels]; 0 before the first

    def place_in(self, frame: Frame) -> Rectangle | None:
        """Return the place below the pattern line, [pixels]."""
        panel = frame.layout.panel
        if panel is None:
            return None
        scale = frame.layout.scale
        top = panel.top + (10 + PATTERN_LINE_HEIGHT + 5) * scale
        width = panel.width - 16 * scale
        return Rectangle(panel.left + 8 * scale, top, width, self._height or 1.0).on_pixels()

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the error in a box as high as its words, which cuts no row of the panel."""
        ui.begin_bare(self.name, place)
        # Over the panel, which is in front while one types there, and keeps the keyboard.
        imgui.internal.bring_window_to_display_front(imgui.internal.get_current_window())
        fill_box(place, ui.SHEET, rounding=8)
        self._height = draw_pattern_error(frame.controller, place.left, place.top, place.width)
        ui.end_cover()


def _is_item_whole() -> bool:
    """Return whether the last item is visible from its upper to its lower edge."""
    top = imgui.get_window_pos().y
    return (
        top <= imgui.get_item_rect_min().y
        and imgui.get_item_rect_max().y <= top + imgui.get_window_height()
    )


def _draw_no_match(left: float, y: float, width: float) -> float:
    """Draw that a search finds no line of the panel; return the lower edge, [pixels].

    Args:
        left, y, width: left edge, top and width of the list, [pixels].
    """
    words = _(
        "No setting matches. Esc clears the search, {key} searches everything.",
        key=caption(Action.PALETTE),
    )
    room = width - px(20)
    draw_text(left + px(10), y + px(4), words, ui.MUTED, wrap=room)
    return y + measure(words, wrap=room).height + px(14)


def pattern_facts(model: Model) -> str:
    """Return one line about the pattern: jugglers if several, props, period, and tempo."""
    score = model.animation.score
    pattern = model.animation.pattern
    # Events from a file have no beats.
    period = _("loop {duration:.3g} s", duration=model.animation.choreography.duration)
    if pattern:
        period = _("period {period}", period=pattern.beats(pattern.written_period))
    words = [counted(score.props, "prop"), period]
    # A narrow panel has room for three facts, and the tempo has a slider.
    if score.jugglers > 1:
        return "  ·  ".join([counted(score.jugglers, "juggler"), *words])
    if pattern is None:
        return "  ·  ".join(words)
    words.append(_("{bps:.3g} beats/s", bps=model.animation.choreography.bps))
    return "  ·  ".join(words)


def shortfall(model: Model) -> str:
    """Return which hands do not reach their props, and by how much, in words.

    Empty if the gap is invisible, or while the bodies of a long loop are being planned.
    """
    if not model.live.has_planned(model.animation):
        return ""
    # The greatest gap between a hand and where it should be, of all left hands and of all right
    # hands, [cm]; `gaps` has a row for each juggler, [m].
    left, right = 100 * model.animation.gaps.max(axis=0)
    if max(left, right) <= _VISIBLE_GAP:
        return ""
    if right <= _VISIBLE_GAP:
        hands = _("left hand")
    elif left <= _VISIBLE_GAP:
        hands = _("right hand")
    else:
        hands = _("both hands")
    return _("Out of reach: {hands}, by {left:.0f} cm", hands=hands, left=max(left, right))


def _draw_shortfall(model: Model, left: float, y: float) -> float:
    """Draw the shortfall of hands; return its lower edge, [pixels]."""
    words = shortfall(model)
    if not words:
        return y
    # The words stand below the sliders, as they may come and go during a drag: above, they would
    # move the slider away from the mouse that drags it.
    draw_text(left + px(10), y + px(2), words, ui.MUTED)
    return y + px(ui.SMALL + 5)


def _draw_hint(controller: Controller, left: float, y: float, width: float, *, low: bool) -> float:
    """Draw the help of the chosen line of the panel, and below it what keys do with that line.

    Where the chosen line is the number of jugglers, and several people juggle without passing, a
    button that lists passing patterns takes the place of the keys.

    The help takes the same height for all lines, so that nothing moves as another one is chosen. It
    is empty for a line that is hidden in a folded group or by a search. The keys are left out
    there, too, and for a setting that is fixed now.

    Args:
        controller: opens the library, and holds the model with the chosen line.
        left, y, width: left edge, top and width of the part, [pixels].
        low: whether the panel is low: then there is no help, and one line about keys.

    Returns:
        Its lower edge, [pixels].
    """
    model = controller.model
    line_height = px(_HINT_LINE)
    chosen = model.chosen
    room = width - px(4)
    y += px(4)
    ui.draw_rule(left, y, width)
    y += px(5)

    # Paragraphs: colour, words, and the number of lines for which there is room: as many as the
    # longest words of any line of the panel take.
    paragraphs = list[tuple[int, str, int]]()
    if not low:  # a low panel leaves the room to the sliders; tooltips say what they are
        about = term_tip("group").text if isinstance(chosen, Group) else _help_text(chosen)
        about = about if chosen in model.lines else ""
        paragraphs.append((ui.INK, about, _max_help_lines(room, ui.SCALE, language())))
    max_key_lines = 1 if low else 2
    key_lines = max(
        len(ui.wrap(hint, room, max_key_lines)) for hint in line_hints(short=low).values()
    )
    is_fixed = isinstance(chosen, Row) and model.fixed(chosen)
    has_no_keys = is_fixed or chosen not in model.lines or model.juggles_apart
    keys = "" if has_no_keys else line_hint(chosen, short=low)
    paragraphs.append((ui.MUTED, keys, key_lines))

    for tint, words, line_count in paragraphs:
        for index, line in enumerate(ui.wrap(words, room, line_count)):
            draw_text(left + px(2), y + index * line_height, line, tint)
        y += line_count * line_height
    if model.juggles_apart:
        height = min(px(_BUTTON_HEIGHT), key_lines * line_height + px(4))
        place = Rectangle(left, y - height, width, height)
        if ui.draw_word_button("passing", N_("Passing patterns"), place, term_tip("passing")):
            controller.library.find_passing()
    return y


@lru_cache(maxsize=8)
def _max_help_lines(room: float, _scale: float, _language: str) -> int:
    """Return how many lines the longest help of a control needs, in the present language.

    Args:
        room: width of a line, [pixels].
        _scale: scale of sizes; part of the cache key only.
        _language: the present language; part of the cache key only.
    """
    return max(len(ui.wrap(_help_text(row), room, _MAX_HELP_LINES)) for row in PANEL_CONTROLS)


def _help_text(row: Row) -> str:
    """Return the name of a control with its help."""
    return f"{row.label}: {row.help}"


def _draw_footer(controller: Controller, left: float, y: float, width: float) -> float:
    """Draw the buttons below the sliders in rows; return their lower edge, [pixels].

    A button of something that can be shown or hidden is lit while it is shown. Also sets the places
    of buttons in `ui.spots`, by which the tour of the program points at them.

    Args:
        controller: performs their actions.
        left, y, width: left edge, top and width of the rows, [pixels].
    """
    y += px(6)
    gap = px(_BUTTON_GAP)
    height = px(_BUTTON_HEIGHT)
    button_width = (width - (_BUTTONS_ACROSS - 1) * gap) / _BUTTONS_ACROSS
    is_on = {
        Action.EDIT: controller.editor.shown,
        Action.LEARN: controller.lesson.is_running,
        Action.DIAGRAM: controller.model.diagrams.kind == controller.model.diagrams.last,
    }
    for index, (action, words) in enumerate(_BUTTONS):
        row, column = divmod(index, _BUTTONS_ACROSS)
        place = Rectangle(
            round(left + column * (button_width + gap)),
            round(y + row * (height + gap)),
            round(button_width),
            round(height),
        )
        ui.spots[action] = place
        if ui.draw_word_button(
            action.name, words, place, action_tip(action), lit=is_on.get(action, False)
        ):
            controller.perform(action)
    return place.bottom


def draw_group_head(model: Model, group: Group, place: Rectangle) -> None:
    """Draw the head of a group of sliders; a click chooses it, and folds or unfolds the group.

    At the right it says which sliders of the group are changed.

    Args:
        model: model of the viewer.
        group: group of settings; its value is its title.
        place: area to draw into, [pixels] in the window.
    """
    name = f"group {group.value}"
    if ui.place_button(name, place, term_tip("group", group.value), tab_stop=False):
        model.choose(group)
        model.listing.toggle(group)
    if imgui.is_item_hovered():
        ui.fill_box(place, ui.TRACK)
    if model.chosen is group:
        ui.outline_box(place, ui.ACCENT)
    middle = place.middle
    # While sliders are searched, all groups are unfolded.
    is_folded = group in model.listing.folded and not model.listing.query
    _draw_arrow(place.left + px(10), middle, folded=is_folded)
    top = middle - px(ui.SMALL / 2 + 1)
    draw_text(place.left + px(20), top, group.value, ui.MUTED, strong=True)
    right = place.right - px(10)
    draw_text_before(right, top, changed_text(model, group), ui.ACCENT, strong=True)


def changed_text(model: Model, group: Group) -> str:
    """Return how many sliders of a group are not at their defaults: `2 changed`, or nothing."""
    count = sum(not model.is_default(row) for row in CONTROLS if row.group is group)
    return _("{count} changed", count=count) if count else ""


def _draw_arrow(x: float, y: float, *, folded: bool) -> None:
    """Draw the arrow of a group around a middle, [pixels]: to the right if folded, else down."""
    draw = imgui.get_window_draw_list()
    size = px(4)
    # The corners are in clockwise order: imgui smooths only what is drawn so.
    if folded:
        draw.add_triangle_filled(
            (x - size / 2, y - size), (x + size, y), (x - size / 2, y + size), ui.MUTED
        )
    else:
        draw.add_triangle_filled(
            (x - size, y - size / 2), (x + size, y - size / 2), (x, y + size), ui.MUTED
        )


def draw_tools(controller: Controller, place: Rectangle) -> None:
    """Draw the field that finds sliders, and the buttons for undo and redo.

    Args:
        controller: holds the model, and performs actions.
        place: area to draw into, [pixels] in the window.
    """
    side = place.height
    gap = px(4)
    field = replace(place, width=place.width - 2 * (side + gap))
    model = controller.model
    _draw_field(model, field)
    x = field.right + gap
    # `chosen_step` says whether undo is for the chosen line alone or for all changes.
    can_undo, can_redo = model.undo.can_undo_and_redo(model.chosen_step)
    for action, sign, possible in ((Action.UNDO, "↩", can_undo), (Action.REDO, "↪", can_redo)):
        box = Rectangle(x, place.top, side, side)
        _draw_button(controller, action, sign, box, is_possible=possible)
        x += side + gap


def _draw_field(model: Model, place: Rectangle) -> None:
    """Draw the field that searches sliders; leaving it chooses the first one that is found.

    An empty field shows its key, if there is room; otherwise it has a cross that empties it.

    Args:
        model: holds the typed query and the lines that it finds.
        place: area to draw into, [pixels] in the window.
    """
    ui.fill_box(place, ui.TRACK)
    listing = model.listing
    flags = imgui.InputTextFlags_.auto_select_all | imgui.InputTextFlags_.escape_clears_all
    takes_focus = listing.wants_focus
    listing.wants_focus = False
    # The cross before the field: of two items that overlap, imgui gives the mouse to the first.
    side = px(22)
    top = place.middle - side / 2
    if listing.query and ui.draw_cross(place.right - side - px(3), top, side, "clear"):
        listing.query = ""
    tip = term_tip("find")
    _entered, listing.query = ui.draw_field(
        "find",
        listing.query,
        place,
        takes_focus=takes_focus,
        hint=_SEARCH_HINT,
        flags=flags,
        tip=tip,
    )
    is_active = imgui.is_item_active()
    # The down arrow leaves the field, and goes on to the sliders that are found.
    if is_active and imgui.is_key_pressed(imgui.Key.down_arrow):
        imgui.internal.clear_active_id()
        model.choose_found()
    elif imgui.is_item_deactivated() and listing.query:
        model.choose_found()
    if is_active:
        ui.outline_box(place, ui.ACCENT)
    elif listing.query:
        ui.outline_box(place, ui.LINE)
    elif place.width > measure(_SEARCH_HINT, ui.TEXT).width + px(_KEYCAP_ROOM):
        ui.draw_keycap(caption(Action.FIND), place.right - px(25), place.top + px(4))


def _draw_button(
    controller: Controller,
    action: Action,
    sign: str,
    place: Rectangle,
    *,
    is_possible: bool,
) -> None:
    """Draw a square button with a sign; a click performs its action.

    Args:
        controller: holds the model, and performs actions.
        action: action of the button.
        sign: a single character.
        is_possible: whether the action would do anything now; otherwise the sign is pale.
        place: area to draw into, [pixels] in the window.
    """
    if ui.place_button(action.name, place, action_tip(action)):
        controller.perform(action)
    hovered = imgui.is_item_hovered()
    if hovered and is_possible:
        ui.fill_box(place, ui.TRACK_HOVERED)
    tint = ui.ACCENT if hovered else ui.INK
    if not is_possible:
        tint = ui.FAINT
    sign_width = measure(sign, 16).width
    draw_text(place.centre - sign_width / 2, place.top + px(6), sign, tint, 16)


PATTERN_LINE_HEIGHT = 38.0
"""The height of the line, at scale 1, [pixels]."""

TYPING_HINT = N_("Press Enter to juggle")
"""Shown under the line while something is typed."""

_ARROW = " → "
_MAX_CONTEXT = 60  # characters of a wrong text on either side of its mark


def draw_pattern_line(controller: Controller, place: Rectangle) -> bool:
    """Draw the pattern line, in which a pattern is typed; return whether one types in it.

    While nobody types, a transition is drawn over the text if one is under way; otherwise a dot for
    unsaved changes, which a click saves, a star, and the key that goes to the line.

    Args:
        controller: holds the model, and performs actions.
        place: area to draw into, [pixels] in the window.
    """
    model = controller.model
    # The place of the line in this frame is kept for the tour, which points to it.
    ui.spots[LINE] = place
    fill_box(place, ui.FIELD, rounding=8)
    # There is no dot while another pattern is typed (`line` is the text in the field, `text` that
    # of the present pattern) or is about to begin.
    has_dot = (
        controller.library.files.shown.is_edited
        and model.line == model.text
        and not model.live.coming
    )
    # The dot before the field: of two items that overlap, imgui gives the mouse to the first.
    if has_dot:
        tip = term_tip("unsaved", action=Action.SAVE_FILE)
        if place_button("unsaved", _dot_place(model, place), tip):
            controller.perform(Action.SAVE_FILE)
    star = _star_place(model, place, edited=has_dot)
    if star and place_button("favourite", star, action_tip(Action.STAR), tab_stop=False):
        controller.perform(Action.STAR)
    star_hovered = star is not None and imgui.is_item_hovered()
    is_editing = _draw_pattern_field(controller, place)
    tint = ui.ACCENT if is_editing else ui.LINE
    outline_box(place, ui.ERROR if model.pattern_error else tint, rounding=8)
    transition = () if is_editing else model.live.transition_texts(model.playback.clock)
    if transition:
        _draw_transition(place, transition)
    elif not is_editing:
        title = shown_title(model)
        if title != model.line:
            _draw_title(place, title)
        _draw_marks(model, place, edited=has_dot)
        if star:
            is_favourite = controller.library.is_favourite
            tint = ui.ACCENT if is_favourite or star_hovered else ui.MUTED
            ui.draw_star(star, filled=is_favourite, tint=tint)
    return is_editing


def shown_title(model: Model) -> str:
    """Return what the line shows while nobody types: the title of the pattern, or what was typed.

    The text that opens it may name many settings.
    """
    coming = model.live.coming
    if model.pattern_error is not None or (model.line != model.text and not coming):
        return model.line
    return (coming or model.live.now).animation.title


def _draw_title(place: Rectangle, title: str) -> None:
    """Draw a title over the text of the pattern line, which a click shows again."""
    inner = _draw_cover(place)
    y = place.middle - px(ui.LARGE) / 2 - px(2)
    left = place.left + px(10)
    room = place.right - px(34) - left
    words = ellipsize(title, room, ui.LARGE, strong=True)
    draw = imgui.get_window_draw_list()
    draw.push_clip_rect(inner.low, inner.high, True)
    draw_text(left, y, words, ui.INK, ui.LARGE, strong=True)
    draw.pop_clip_rect()


def _draw_cover(place: Rectangle) -> Rectangle:
    """Hide the text of the pattern line, and return the inside of its box, [pixels]."""
    fill_box(place, ui.FIELD, edge=ui.LINE, rounding=8)
    margin = px(2)
    return Rectangle(
        place.left + margin,
        place.top + margin,
        place.width - 2 * margin,
        place.height - 2 * margin,
    )


def draw_pattern_error(controller: Controller, left: float, top: float, width: float) -> float:
    """Draw what is wrong with the typed pattern, in a box; return its height, [pixels].

    From the top: the reason; for an error of notation the text with a mark at the error, and what
    is accepted; and suggestions as buttons. An error at the very beginning mostly concerns the
    whole text, which needs no mark.

    Args:
        controller: holds the model with the error, and opens a pattern that is clicked.
        left, top, width: left edge, top and width of the box, [pixels].
    """
    model = controller.model
    error = model.pattern_error
    is_name = False  # whether the text was read as a name
    inset = px(10)
    gap = px(5)
    # The box lies behind the words, but its height is only known once they are written. So words go
    # to channel 1 of imgui's draw list, and the box afterwards to channel 0, which is drawn first.
    draw = imgui.get_window_draw_list()
    draw.channels_split(2)
    draw.channels_set_current(1)
    room = width - 2 * inset
    y = top + px(8)
    if isinstance(error, NotationError):
        y += _write(left + inset, y, sentence(error.reason), ui.ERROR, room)
        if error.text[: error.index].strip():
            y += gap + _write_marked(error, left + inset, y + gap, room)
        accepted = error.accepted
        is_name = accepted == _(ALL_NAMES)  # here is no command line, but a library to browse
        if accepted and not is_name:
            y += gap + _write(left + inset, y + gap, sentence(accepted), ui.MUTED, room)
    else:
        y += _write(left + inset, y, str(error), ui.ERROR, room)
    y += _draw_suggestions(controller, left + inset, y + 2 * gap, room, browses=is_name)
    bottom = y + px(8)
    # The box does not end within a row of the panel: it is extended to the lower edge of that row.
    for line in model.lines:
        row = ui.spots.get((_ROW, line.name))
        if row and row.top < bottom < row.bottom:
            bottom = row.bottom
    height = round(bottom) - top
    draw.channels_set_current(0)
    fill_box(Rectangle(left, top, width, height), ui.ERROR_FILL, edge=ui.ERROR, rounding=8)
    draw.channels_merge()
    return height


def _draw_suggestions(
    controller: Controller, left: float, top: float, width: float, *, browses: bool
) -> float:
    """Draw buttons for what a wrong pattern may have meant, and do what a pressed one says.

    These are patterns with similar texts; without any, actions and settings of that name.

    Args:
        controller: holds the model with the wrong text, and opens a pattern that is clicked.
        left, top, width: left edge, top and width of the rows of buttons, [pixels].
        browses: whether there is also a button that opens the library.

    Returns:
        The height of the rows with the gap above them, [pixels]; 0 without any buttons.
    """
    model = controller.model
    near = model.near_patterns
    commands = {} if near else controller.palette.commands_named(model.line)
    browse = (_("Browse library"),) if browses else ()
    offers = (*near, *commands, *browse)
    if not offers:
        return 0.0
    chosen, bottom = ui.draw_offers(offers, left, top, width)
    if chosen in commands:
        model.drop_pattern()
        commands[chosen].do()
    elif chosen in browse:
        model.drop_pattern()
        controller.perform(Action.BROWSE)
    elif chosen:
        controller.library.open_text(chosen)
    return bottom - top + px(10)


def excerpt(text: str, index: int, fits: Callable[[str], bool]) -> tuple[str, int]:
    """Return a part of a text that fits a line and includes a given character.

    Args:
        text: text of any length.
        index: index of the character; the length of the text for the place after its end.
        fits: whether a text fits.

    Returns:
        part: part of the text, with dots where something is missing.
        index: index of the character in that part.
    """
    # Begin with as many characters as a line may have at most, as pasted text may be so long that
    # measuring it takes time.
    start = max(0, index - _MAX_CONTEXT)
    end = min(len(text), index + _MAX_CONTEXT)
    # Drop characters from the end that is farther from `index`.
    while end - start > 1 and not fits(_dotted(text, start, end)):
        if index - start > end - index:
            start += 1
        else:
            end -= 1
    index_in_part = index - start
    if start > 0:
        index_in_part += 1  # an ellipsis stands before the part
    return _dotted(text, start, end), index_in_part


def _dotted(text: str, start: int, end: int) -> str:
    """Return a part of a text with dots where something is missing."""
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")


def _draw_transition(place: Rectangle, transition: tuple[tuple[str, bool], ...]) -> None:
    """Draw a transition over the text of the pattern line: `3 → 4 → 51`, the present step lit.

    A transition leads from a pattern to another by some throws in between; its steps are the
    pattern, these throws and the other pattern.

    Args:
        place: place of the line, [pixels].
        transition: text of each step, and whether it is juggled now.
    """
    draw = imgui.get_window_draw_list()
    gap = px(10)
    inner = _draw_cover(place)
    # Each step may take an equal share of the width that the arrows leave; longer ones are cut.
    arrow_width = measure(_ARROW, ui.LARGE).width
    room = (place.width - 2 * gap - arrow_width * (len(transition) - 1)) / len(transition)
    x = place.left + gap
    y = place.middle - px(ui.LARGE) / 2 - px(2)
    draw.push_clip_rect(inner.low, inner.high, True)
    for index, (words, is_present) in enumerate(transition):
        if index:
            draw_text(x, y, _ARROW, ui.MUTED, ui.LARGE)
            x += arrow_width
        fitted = ellipsize(words, room, ui.LARGE, strong=True)
        tint = ui.ACCENT if is_present else ui.MUTED
        draw_text(x, y, fitted, tint, ui.LARGE, strong=True)
        x += measure(fitted, ui.LARGE, strong=True).width
    draw.pop_clip_rect()


def _room_for_key(model: Model, place: Rectangle) -> float:
    """Return how much room the text leaves before the key of the line, [pixels], or below 0."""
    text_width = measure(shown_title(model), ui.LARGE, strong=True).width
    return place.width - px(28) - 2 * px(10) - text_width


def _dot_place(model: Model, place: Rectangle) -> Rectangle:
    """Return where the dot of unsaved changes is, with room for the mouse, [pixels]."""
    middle = place.right - px(8 if _room_for_key(model, place) <= 0 else 37)
    side = px(16)
    return Rectangle(middle - side / 2, place.middle - side / 2, side, side)


def _star_place(model: Model, place: Rectangle, *, edited: bool) -> Rectangle | None:
    """Return the place of the star that marks a favourite, right of the pattern's name, [pixels].

    None while another text is typed than that of the present pattern, and where the name leaves no
    room.

    Args:
        model: the model with the pattern.
        place: place of the pattern line, [pixels].
        edited: whether the dot for unsaved changes takes some of the room.
    """
    side = px(22)
    room = _room_for_key(model, place) - (side if edited else 0.0)
    if room < side or model.pattern_error or (model.line != model.text and not model.live.coming):
        return None
    text_width = measure(shown_title(model), ui.LARGE, strong=True).width
    left = place.left + px(10) + text_width + px(4)
    return Rectangle(left, place.middle - side / 2, side, side)


def _draw_marks(model: Model, place: Rectangle, *, edited: bool) -> None:
    """Draw the marks at the right end of the pattern line, the field with the pattern's text.

    They are a dot for unsaved changes, and the key that goes to the line if there is room for it
    beside the text.

    Args:
        model: the model with the text.
        place: place of the pattern line, [pixels].
        edited: whether there are unsaved changes.
    """
    room = _room_for_key(model, place)
    if edited:
        spot = _dot_place(model, place)
        draw = imgui.get_window_draw_list()
        dot_x = spot.centre
        if room <= 0:
            # A long text reaches the right edge: a box hides its end below the dot, and the outline
            # of the line is drawn again over the box.
            left = dot_x - px(7)
            end = Rectangle(left, place.top, place.right - left, place.height)
            fill_box(end, ui.FIELD, rounding=8)
            outline_box(place, ui.ERROR if model.pattern_error else ui.LINE, rounding=8)
        draw.add_circle_filled((dot_x, place.middle), px(3.5), ui.ACCENT)
    if room > 0:
        left = place.right - px(28)
        top = place.middle - px(20) / 2
        draw_keycap(caption(Action.EDIT_PATTERN), left, top, tint=ui.MUTED)


def _draw_pattern_field(controller: Controller, place: Rectangle) -> bool:
    """Draw the text field of the pattern line; return whether one types in it.

    Enter plays what is typed; if it is refused, the field keeps the keyboard. Escape drops it, and
    goes back to the card from which one came here.

    Args:
        controller: holds the model, and performs actions.
        place: area to draw into, [pixels] in the window.
    """
    model = controller.model
    # imgui gives a field the keys of its callbacks only from the frame after it asked for them: it
    # asks before there are suggestions, so that Tab takes one as soon as it is shown.
    flags = (
        imgui.InputTextFlags_.enter_returns_true
        | imgui.InputTextFlags_.callback_completion
        | imgui.InputTextFlags_.callback_history
    )
    if model.pattern_error is None:
        # As in the address bar of a browser, all of the text is selected at first, so that typing
        # replaces the pattern. A text that was refused is to be mended, so nothing is selected.
        flags |= imgui.InputTextFlags_.auto_select_all
    takes_focus = model.line_wants_focus
    model.line_wants_focus = False
    line_before = model.line
    is_entered, model.line = draw_field(
        "pattern",
        model.line,
        place,
        takes_focus=takes_focus,
        hint="a siteswap",
        flags=int(flags),
        text_size=ui.LARGE,
        strong=True,
        callback=partial(_use_suggestions, model),
        tip=term_tip("pattern"),
    )
    is_editing = imgui.is_item_active()
    model.is_typing = is_editing
    entered = model.suggestion or model.line
    if is_entered or model.line != line_before:
        model.suggestion = ""
    if is_entered and not controller.library.open_text(entered):
        model.line_wants_focus = True
    elif imgui.is_item_deactivated():
        cards = model.cards
        covered = cards.covered
        cards.covered = None
        if imgui.is_key_pressed(imgui.Key.escape):
            model.drop_pattern()
            if covered:
                cards.open(covered)
                controller.library.browser.wants_focus = controller.library.is_browsing
    return is_editing


def _use_suggestions(model: Model, typed: imgui.InputTextCallbackData) -> int:
    """Choose another suggestion, or complete the line to the chosen one or else the first.

    imgui calls this on Up, Down and Tab in the pattern line.

    Args:
        model: the model with the suggestions.
        typed: the key, and the text so far, which this changes on Tab.

    Returns:
        0, the value that imgui expects.
    """
    if not model.suggestions:
        return 0
    # The empty name stands for the line as it is typed, above the suggestions.
    names = ["", *(pattern.name for pattern in model.suggestions)]
    index = names.index(model.suggestion)
    if typed.event_flag == imgui.InputTextFlags_.callback_completion:
        typed.delete_chars(0, typed.buf_text_len)
        typed.insert_chars(0, names[max(index, 1)])
    elif typed.event_key == imgui.Key.down_arrow:
        model.suggestion = names[min(index + 1, len(names) - 1)]
    else:
        model.suggestion = names[max(index - 1, 0)]
    return 0


def _write_marked(error: NotationError, left: float, top: float, room: float) -> float:
    """Write a wrong text with a triangle under the error; return the height, [pixels].

    Args:
        error: the error with the text, and the index of the wrong character in it.
        left, top: upper left corner, [pixels].
        room: width; of a longer text an excerpt around the error is shown, [pixels].
    """
    shown, index = excerpt(
        printable(error.text, None),
        error.index,
        lambda words: measure(words, ui.TEXT, strong=True).width <= room,
    )
    draw_text(left, top, shown, text_size=ui.TEXT, strong=True)
    before_width = measure(shown[:index], ui.TEXT, strong=True).width
    # An error at the end of the text is marked where the next character would be.
    character_width = measure(shown[index : index + 1] or " ", ui.TEXT, strong=True).width

    tip_y = top + px(ui.TEXT + 4)
    base_y = tip_y + px(6)
    middle = left + before_width + character_width / 2
    half = px(4)
    draw = imgui.get_window_draw_list()
    draw.add_triangle_filled(
        (middle, tip_y), (middle + half, base_y), (middle - half, base_y), ui.ERROR
    )
    return px(ui.TEXT + 11)


def _write(left: float, top: float, words: str, tint: int, room: float) -> float:
    """Write words in lines; return their height, [pixels]."""
    draw_text(left, top, words, tint, wrap=room)
    return measure(words, wrap=room).height
