"""Registry of the cards of the window: which there are, when each is shown, and what draws it.

A card is one class in one file. The table `LAYERS` names the classes, and a class is imported when
its card is shown for the first time, so that the program starts sooner.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum, auto
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.viewer.diagrams.diagrams import CAUSAL, LADDER, STATES
from juggle_anim.viewer.layout import Layout, Rectangle

if TYPE_CHECKING:
    from juggle_anim.viewer.state.controller import Controller
    from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.terms import (
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

NOWHERE = Rectangle(0.0, 0.0, 0.0, 0.0)
"""The place of cards that leave the mouse to the picture."""


class Slot(Enum):
    """A room of the layout that a card takes."""

    PANEL = auto()
    """At the left of the window; one card at a time."""
    STRIP = auto()
    """Above the transport; one card at a time."""
    BAR = auto()
    """Of the transport, below the picture."""
    HEAD = auto()
    """Of the beats, above the picture."""
    PICTURE = auto()
    """Over the picture, which keeps the mouse unless the card's `place_in` says otherwise."""
    WINDOW = auto()
    """The whole window, whose other cards do nothing meanwhile."""


@dataclass(frozen=True)
class Frame:
    """What cards are placed by and drawn from in one frame of the window.

    Args:
        controller: controller of the viewer.
        layout: the rooms for cards.
        mouse: its position, [pixels] from the upper left corner of the window.
        painted: whether the frame is seen; otherwise cards only take input.
        keeps_strip: whether the pixels of the strip stay as they were drawn last.
    """

    controller: Controller
    layout: Layout
    mouse: tuple[float, float]
    painted: bool = True
    keeps_strip: bool = False

    @property
    def model(self) -> Model:
        """The model of the viewer."""
        return self.controller.model

    @property
    def has_sheet(self) -> bool:
        """Whether nine variations are shown in the place of the picture."""
        return self.model.cards.panel == VARIATIONS


class Card(ABC):
    """A card of the window; one object of each class lasts as long as the window.

    Attributes:
        name: name of its imgui window, and of its controls for keys that go from control to
            control.
        slot: the room that it takes.
        is_still: whether it stays the same while time passes and nobody touches anything.
    """

    name: ClassVar[str] = ""
    slot: ClassVar[Slot] = Slot.PICTURE
    is_still: ClassVar[bool] = False

    def place_in(self, frame: Frame) -> Rectangle | None:
        """Return where the card takes the mouse, [pixels]; None if there is no room for it now.

        A card in the picture takes none, so that the mouse turns the camera there.

        Args:
            frame: the controller, its model and the layout of the window.
        """
        layout = frame.layout
        places = {
            Slot.PANEL: layout.panel,
            Slot.STRIP: layout.strip,
            Slot.BAR: layout.bar,
            Slot.HEAD: layout.head,
            Slot.PICTURE: NOWHERE,
            Slot.WINDOW: layout.window,
        }
        return places[self.slot]

    @abstractmethod
    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card in a place, [pixels], and let the mouse and typed text act on it."""

    def close(self) -> None:  # noqa: B027 - most cards hold nothing to release
        """Release what lies outside Python's memory."""


@dataclass(frozen=True)
class CardRow:
    """A row of the registry.

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


def _over_picture(path: str, is_shown: Callable[[Model], object]) -> CardRow:
    """Row of what lies over the one or two pictures and takes no input."""
    return CardRow(
        path, lambda frame: frame.painted and not frame.has_sheet and bool(is_shown(frame.model))
    )


LAYERS: tuple[tuple[CardRow, ...], ...] = (
    (CardRow("cards.variations:SheetNumbers", lambda frame: frame.has_sheet),),
    (
        _over_picture(
            "cards.labels:JugglerLabels", lambda model: model.cards.strip in (LADDER, CAUSAL)
        ),
    ),
    (
        _over_picture(
            "cards.labels:CollisionMarks",
            lambda model: model.facts.hits(model.animation) and not model.lab,
        ),
    ),
    (
        _over_picture(
            "cards.labels:GhostLabel",
            lambda model: model.cards.panel_shown and model.animation.ghost and not model.other,
        ),
    ),
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
    (
        CardRow(
            "editor.handle_marks:HandleMarks",
            lambda frame: (
                frame.controller.editor.shown and not frame.has_sheet and not frame.model.lab
            ),
        ),
    ),
    (CardRow("cards.picture_buttons:FrameButton", lambda frame: not frame.has_sheet),),
    (CardRow("cards.picture_buttons:ScaleButtons", lambda frame: not frame.has_sheet),),
    (CardRow("cards.notice:SavingCard", lambda frame: bool(frame.model.screen.saving)),),
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
    ),
    (CardRow("cards.transport:TransportBar", lambda frame: True),),
    (CardRow("cards.beats:BeatCard", lambda frame: True),),
    (
        _in_strip("arms.lab_card:LabCard", "lab"),
        _in_strip("diagrams.state_graph_card:StateGraphCard", STATES),
        _in_strip("diagrams.diagram_card:DiagramCard", LADDER, CAUSAL),
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
