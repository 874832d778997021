"""The overlay: all cards, drawn over the picture with Dear ImGui, and when each is shown.

A card is one class in one file. The table `LAYERS` names the classes, and a class is imported when
its card is shown for the first time, so that the program starts sooner.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from imgui_bundle import imgui

from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import ANAGLYPH, Scene
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.panel import pattern_facts
from juggle_anim.viewer.cards.ui import Card, Frame, Slot, focus
from juggle_anim.viewer.diagrams.diagrams import KINDS, LADDER, STATES
from juggle_anim.viewer.frame_pacing import KeptPixels
from juggle_anim.viewer.input import Input
from juggle_anim.viewer.layout import Layout, Rectangle, arrange, scale_in_window
from juggle_anim.viewer.picture_parts import PicturePart, may_move_behind
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.facts import CARD_HEIGHT
from juggle_anim.viewer.state.keymap import (
    BROWSER,
    CAMERA_PATH,
    FACTS,
    FOOTAGE,
    GENERATOR,
    LESSON,
    PLOTS,
    ROUTINE,
    VARIATIONS,
)
from juggle_anim.viewer.state.model import Model


@dataclass(frozen=True)
class CardRow:
    """A row of the table of cards.

    Args:
        path: module below `juggle_anim.viewer` and class of the card: `cards.facts:FactsCard`.
        is_shown: tells whether the card is shown in a frame.
    """

    path: str
    is_shown: Callable[[Frame], bool]

    def load(self) -> Card:
        """Import the class, and return an object of it."""
        module, name = self.path.split(":")
        card: Card = getattr(import_module(f"juggle_anim.viewer.{module}"), name)()
        return card


def strip_card(frame: Frame) -> str | None:
    """Return the name of the card in the strip; that of a goal covers the one that is open."""
    return "lab" if frame.model.lab is not None else frame.model.cards.strip


def _in_panel(path: str, name: str | None) -> CardRow:
    return CardRow(path, lambda frame: frame.model.cards.panel == name)


def _in_strip(path: str, *names: str) -> CardRow:
    return CardRow(path, lambda frame: strip_card(frame) in names)


def _shows_marks(frame: Frame) -> bool:
    """Return whether handles are shown in the picture.

    While one edits on the ladder, the picture stays clear.
    """
    editor = frame.controller.editor
    is_free = not (frame.has_sheet or frame.model.lab)
    return is_free and editor.shown and (editor.is_in_picture or strip_card(frame) != LADDER)


def _over_picture(path: str, is_shown: Callable[[Model], object]) -> CardRow:
    """Row of what lies over the one or two pictures and takes no input."""
    return CardRow(
        path, lambda frame: frame.painted and not frame.has_sheet and bool(is_shown(frame.model))
    )


_GHOST_LABEL = _over_picture(
    "cards.labels:GhostLabel",
    lambda model: model.cards.panel_shown and model.animation.ghost and not model.other,
)
_MARK_HINTS = CardRow(
    "diagrams.diagram_card:MarkHints",
    lambda frame: _shows_marks(frame) and not (frame.layout.strip and strip_card(frame) == LADDER),
)
_FRAME_BUTTON = CardRow("cards.picture_buttons:FrameButton", lambda frame: not frame.has_sheet)
_SCALE_BUTTONS = CardRow("cards.picture_buttons:ScaleButtons", lambda frame: not frame.has_sheet)

LOWER_ROWS = (_GHOST_LABEL, _MARK_HINTS, _FRAME_BUTTON, _SCALE_BUTTONS)
"""Rows of the cards at the lower edge of the picture, above which messages are."""

LAYERS: tuple[tuple[CardRow, ...], ...] = (
    (CardRow("cards.variations:SheetNumbers", lambda frame: frame.has_sheet),),
    (
        _over_picture(
            "cards.labels:JugglerLabels",
            lambda model: model.animation.is_passing or model.cards.strip in KINDS,
        ),
    ),
    (
        _over_picture(
            "cards.labels:CollisionMarks",
            lambda model: model.cards.strip == FACTS and not model.lab,
        ),
    ),
    (_GHOST_LABEL,),
    (_over_picture("cards.labels:HighThrowTips", lambda model: not model.lab),),
    (_over_picture("cards.labels:NumberLabels", lambda model: model.screen.numbers),),
    (
        CardRow(
            "learning.lesson_card:NextThrows",
            lambda frame: (
                frame.painted
                and not frame.has_sheet
                and frame.controller.lesson.is_running
                and not frame.model.lab
            ),
        ),
    ),
    (_over_picture("cards.labels:SplitLabels", lambda model: model.other and not model.lab),),
    (CardRow("editor.handle_marks:HandleMarks", _shows_marks),),
    (_MARK_HINTS,),
    (_FRAME_BUTTON,),
    (_SCALE_BUTTONS,),
    (CardRow("cards.notice:SavingCard", lambda frame: bool(frame.model.screen.under_way)),),
    (
        _in_panel("cards.browser:BrowserCard", BROWSER),
        _in_panel("cards.generator:GeneratorCard", GENERATOR),
        _in_panel("cards.variations:VariationsCard", VARIATIONS),
        _in_panel("cards.routine:RoutineCard", ROUTINE),
        _in_panel("learning.lesson_card:LessonCard", LESSON),
        _in_panel("footage.footage_card:FootageCard", FOOTAGE),
        _in_panel("camera.camera_path_card:CameraPathCard", CAMERA_PATH),
        _in_panel("cards.panel:Panel", None),
    ),
    (
        CardRow(
            "cards.panel:PatternError",
            lambda frame: bool(frame.model.pattern_error and not frame.model.cards.panel),
        ),
        _in_panel("cards.panel:Suggestions", None),
    ),
    (CardRow("cards.transport:TransportBar", lambda frame: True),),
    (CardRow("cards.beats:BeatCard", lambda frame: True),),
    (
        _in_strip("arms.lab_card:LabCard", "lab"),
        _in_strip("diagrams.state_graph_card:StateGraphCard", STATES),
        _in_strip("diagrams.diagram_card:DiagramCard", *KINDS),
        _in_strip("cards.facts:FactsCard", FACTS),
        _in_strip("arms.lab_card:PlotsCard", PLOTS),
    ),
    (CardRow("cards.presets:PresetCard", lambda frame: frame.model.preset_list.shown),),
    (
        CardRow(
            "cards.notice:PromptCard", lambda frame: bool(frame.controller.library.prompt.purpose)
        ),
        CardRow("cards.notice:NoticeCard", lambda frame: bool(frame.model.notice.text)),
    ),
    (
        CardRow("cards.key_help:KeyHelp", lambda frame: frame.model.cards.help_shown),
        CardRow(
            "cards.picture_buttons:PanelsButton", lambda frame: not frame.model.cards.panel_shown
        ),
    ),
    (
        CardRow(
            "cards.palette_card:PaletteCard",
            lambda frame: (
                frame.controller.palette.shown and not frame.controller.library.files.question
            ),
        ),
    ),
    (
        CardRow(
            "cards.notice:QuestionCard", lambda frame: bool(frame.controller.library.files.question)
        ),
    ),
    (CardRow("learning.welcome_card:WelcomeCard", lambda frame: frame.controller.welcome.shown),),
    (CardRow("cards.menus:DropDownList", lambda frame: bool(frame.model.drop_downs.now)),),
    (CardRow("cards.menus:EditMenuCard", lambda frame: bool(frame.controller.editor.menu)),),
)
"""All cards from back to front: in each layer, the first row that is shown is drawn."""

_MAX_GL_ERRORS = 100  # reported at most after a context was lost


class Overlay:
    """Draws all cards over the picture. The window's OpenGL context must be current.

    Args:
        window: pyglet's.
    """

    def __init__(self, window: Any) -> None:
        self._context = imgui.create_context()
        imgui.set_current_context(self._context)
        imgui.get_io().set_ini_filename("")
        self.input = Input(window)
        imgui.backends.opengl3_init("#version 330")
        self._cards: dict[str, Card] = {}
        self._kept = KeptPixels()

    @staticmethod
    def layout(controller: Controller, size: tuple[int, int], scale: float) -> Layout:
        """Return the layout of the cards that are shown.

        Args:
            controller: controller of the viewer.
            size: width and height of the window, [pixels].
            scale: scale of its screen. Themes for projectors and the user's text size enlarge it.
        """
        model = controller.model
        cards = model.cards

        # The sheet of variations takes the whole picture, so nothing lies over that.
        has_sheet = cards.panel == VARIATIONS
        has_lab = model.lab is not None
        has_beats = model.beat_line.is_visible(model.animation) and not has_sheet
        has_strip = (has_lab or cards.strip is not None) and not has_sheet

        # The strip is the place above the lower edge for plots, facts, diagrams or the arm lab. Its
        # height is at scale 1; 0 stands for the usual one, of plots and the arm lab.
        if has_lab or cards.strip == PLOTS:
            strip_height = 0.0
        elif cards.strip == FACTS:
            strip_height = CARD_HEIGHT
        else:
            strip_height = model.diagrams.card_height

        width, height = (max(extent, 1) for extent in size)  # a minimized window has 0
        scale = scale_in_window(max(scale, 1.0), width, height)
        scale *= ui.THEME_SCALE.get(model.animation.parameters.theme, 1.0)
        scale *= model.window_controls.text_scale
        layout = arrange(
            width,
            height,
            scale,
            shown=cards.panel_shown,
            plots=has_strip,
            beats=has_beats,
            diagram_height=strip_height,
        )
        has_film = controller.footage.is_beside and not (has_sheet or has_lab)
        return layout.with_film() if has_film else layout

    def card(self, row: CardRow) -> Card:
        """Return the card of a row of the table."""
        if row.path not in self._cards:
            self._cards[row.path] = row.load()
        return self._cards[row.path]

    def _shown_cards(self, frame: Frame) -> Iterator[tuple[Card, Rectangle]]:
        """Yield the cards that are shown and their places, from back to front.

        Each is decided only when the caller asks for it: a click in a card takes effect while it is
        drawn, and the cards behind it in this order are already to follow the change.

        Args:
            frame: the controller, its model and the layout of the window.
        """
        # A layer has rows of a card and the condition on which it is shown; the first one whose
        # condition is met is the card of the layer.
        for layer in LAYERS:
            row = next((row for row in layer if row.is_shown(frame)), None)
            card = self.card(row) if row else None
            place = card.place_in(frame) if card else None
            if card and place:
                yield card, place

    def _frame(
        self,
        controller: Controller,
        layout: Layout,
        mouse: tuple[float, float] | None = None,
        *,
        painted: bool = True,
    ) -> Frame:
        """Return a frame of all cards.

        Args:
            controller: controller of the viewer.
            layout: layout of the window.
            mouse: position of the mouse, [pixels]; None for imgui's present one.
            painted: whether the frame is seen.
        """
        x, y = mouse or imgui.get_mouse_pos()
        frame = Frame(controller, layout, (x, y), painted, keeps_strip=bool(self._kept.rows))
        if not (frame.model.notice.text or frame.model.screen.under_way):
            return frame  # no message is shown that would have to keep clear
        seen = replace(frame, painted=True)
        has_row = any(row.is_shown(seen) and self.card(row).place_in(seen) for row in LOWER_ROWS)
        return replace(frame, has_lower_row=has_row)

    def _begin_frame(
        self, controller: Controller, layout: Layout, elapsed: float, *, painted: bool = True
    ) -> Frame:
        """Begin a frame of imgui, some time after the last one, [s]; return it for the cards."""
        imgui.set_current_context(self._context)
        self._use_theme(controller.model, layout.scale)
        self.input.begin_frame(layout.width, layout.height, elapsed)
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        focus.begin_frame(controller.model.focus)
        return self._frame(controller, layout, painted=painted)

    def covers(self, controller: Controller, layout: Layout, x: float, y: float) -> bool:
        """Return whether a point, [pixels] from the upper left corner, is over a card."""
        frame = self._frame(controller, layout, (x, y))
        return any(place.covers(x, y) for _, place in self._shown_cards(frame))

    @property
    def is_waiting(self) -> bool:
        """Whether a tooltip is about to come, or a list of options to open."""
        return focus.is_waiting

    def covers_gizmo(self, model: Model, layout: Layout, x: float, y: float) -> bool:
        """Whether a point, [pixels] from the upper left corner, is over the gizmo of a goal."""
        if model.lab is None or layout.strip is None:
            return False
        from juggle_anim.viewer.arms.lab_card import gizmo_covers

        return gizmo_covers(model.lab, layout, model.rig.camera, x, y)

    def draw(self, controller: Controller, layout: Layout, elapsed: float) -> None:
        """Draw all cards over the picture, except those whose pixels are kept from before.

        Args:
            controller: controller of the viewer.
            layout: layout of the window.
            elapsed: time since the last frame, [s].
        """
        controller.picture.is_drawn = False  # until its card draws the handles
        is_any_drawn = False
        # While they are drawn, cards note in `ui.spots` where their parts are. It is emptied for
        # each frame, unless the panel at the left, some columns of pixels, is kept: the cards in it
        # are not drawn again, so that they note nothing.
        if not self._kept.columns:
            ui.spots.clear()
        frame = self._begin_frame(controller, layout, elapsed)
        for card, place in self._shown_cards(frame):
            # Cards whose pixels are kept are skipped. That in the strip is called in any case: the
            # frame's `keeps_strip` tells it whether its pixels stay.
            if place == layout.strip or not self._kept.covers(place):
                card.draw(frame, place)
                is_any_drawn = True
            else:
                focus.keep_card(card.name)
        focus.end_frame(layout, elapsed)
        _end_search_under_other_card(controller)
        imgui.render()
        if is_any_drawn:
            imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())
        self.input.show_cursor()

    def take_input(self, controller: Controller, layout: Layout) -> None:
        """Let all cards act on the next input, without showing a frame.

        Cards act on input while they are drawn, and on one press or release in a frame. So where
        several inputs come between two pictures, this draws a frame for one of them, which is
        discarded instead of rendered.

        Args:
            controller: holds the model, and performs actions.
            layout: places in the window, [pixels].
        """
        frame = self._begin_frame(controller, layout, 0.0, painted=False)
        for card, place in self._shown_cards(frame):
            card.draw(frame, place)
        imgui.end_frame()

    def keep(
        self,
        controller: Controller,
        layout: Layout,
        pictures: Sequence[tuple[PicturePart, Scene]],
        *,
        is_late: bool,
        is_untouched: bool,
    ) -> tuple[int, int]:
        """Return which columns and rows of the window keep their pixels in the next frame.

        Cards take long to draw. The panel mostly stays the same while a handle is dragged, as the
        mouse does nothing else then, and while nobody touches anything, as nothing is hovered or
        typed. So its pixels are kept from the last frame instead of drawing it again.

        Args:
            controller: controller of the viewer.
            layout: layout of the window.
            pictures: the parts of the next frame that have cameras of their own, and what is drawn
                in each.
            is_late: whether frames take too long. During a drag, the panel, the ladder diagram and
                what is below that are then drawn in some frames only.
            is_untouched: whether time passes, and no input came lately.

        Returns:
            Number of columns from the left edge, and of rows from the lower edge, that keep their
            pixels; 0 and 0 if everything is drawn.
        """
        panel = layout.panel
        strip = layout.strip
        model = controller.model
        is_dragging = controller.editor.is_dragging and model.cards.panel != VARIATIONS
        is_kept = is_dragging or (
            is_untouched
            and panel is not None
            and self._is_panel_still(controller, layout, panel)
            and not any(may_move_behind(part, scene, panel) for part, scene in pictures)
        )
        # The panel is drawn again when this content changes: what it shows, and the cameras, as the
        # picture is seen through it. During a drag the picture behind it may be outdated. None if
        # the panel is drawn in any case, as always with an anaglyph or footage.
        content = None
        is_anaglyph = any(scene.stereo == ANAGLYPH for _part, scene in pictures)
        if is_kept and not is_anaglyph and not controller.footage.place:
            cameras = () if is_dragging else tuple(part.rig.camera for part, _scene in pictures)
            content = (model.text, model.line, model.error, pattern_facts(model), cameras)
        columns = math.ceil(panel.right) if panel else 0
        # A notice lies over the ladder and may come or go, so that nothing is kept under it.
        keeps_ladder = (
            is_dragging and is_late and model.diagrams.kind == LADDER and not model.notice.text
        )
        # All rows from the lower edge of the window to the top of the ladder, and one for rounding.
        rows = 0
        if strip and keeps_ladder:
            rows = layout.height - math.floor(strip.top) + 1
        return self._kept.choose_kept(layout, content, columns, rows, late=is_dragging and is_late)

    def _is_panel_still(self, controller: Controller, layout: Layout, panel: Rectangle) -> bool:
        """Return whether the panel looks the same in the next frame, so that its pixels can stay.

        That is so if all cards in its columns change by input only (`is_still`), no card lies over
        the whole window, and there is no input: neither typing nor the mouse over these columns.

        Args:
            controller: controller of the viewer.
            layout: layout of the window.
            panel: the place of the card, [pixels].
        """
        if focus.is_active or self.input.typing or self.input.pending:
            return False
        frame = self._frame(controller, layout)
        shown = list(self._shown_cards(frame))
        in_panel = [card for card, place in shown if place.width > 0 and place.left < panel.right]
        return (
            all(card.is_still for card in in_panel)
            and all(card.slot is not Slot.WINDOW for card, _place in shown)
            and not 0 <= frame.mouse[0] < panel.right
        )

    @staticmethod
    def _use_theme(model: Model, scale: float) -> None:
        """Use the theme of the model's parameters, and a scale of sizes, for the next frame."""
        parameters = model.animation.parameters
        ui.load_theme(
            scale,
            line_scale=ui.THEME_LINE_SCALE.get(parameters.theme, 1.0),
            tints=ui.theme_colours(parameters.theme, parameters.stage),
        )

    def close(self) -> None:
        """Release everything."""
        imgui.set_current_context(self._context)
        for card in self._cards.values():
            card.close()
        imgui.backends.opengl3_shutdown()
        imgui.destroy_context(self._context)

    def close_lost(self) -> None:
        """Release everything after the OpenGL context was lost."""
        from juggle_anim.render import gl

        self.close()
        # Objects that were released belonged to the lost context, so that OpenGL has noted errors,
        # which would be reported at the next check elsewhere: read them all. The limit is for
        # drivers that report errors without end.
        for _ in range(_MAX_GL_ERRORS):
            if not gl.glGetError():
                break


def _end_search_under_other_card(controller: Controller) -> None:
    """End a search for settings, which hides other settings, while another card is open.

    Such a card is a panel, a prompt for the path of a file, or the palette of commands.
    """
    has_other_card = controller.model.cards.panel or controller.library.prompt.purpose
    if has_other_card or controller.palette.shown:
        controller.model.listing.query = ""
