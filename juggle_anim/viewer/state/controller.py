"""The viewer's controller: it holds what changes the model, and performs the actions of keys and
buttons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from juggle_anim.animation import Animation
from juggle_anim.parameters import row_named
from juggle_anim.viewer.diagrams.diagrams import round_text
from juggle_anim.viewer.editor.editor import EditController
from juggle_anim.viewer.editor.picture_editor import PictureEditor
from juggle_anim.viewer.editor.picture_keys import PictureKeys
from juggle_anim.viewer.editor.routine_list import RoutineList
from juggle_anim.viewer.footage.footage import FootageView
from juggle_anim.viewer.learning.lesson import LessonView
from juggle_anim.viewer.learning.welcome import Welcome
from juggle_anim.viewer.state.actions import (
    Handler,
    arm_actions,
    camera_actions,
    editor_actions,
    parameter_actions,
    pattern_actions,
    playback_actions,
    window_actions,
)
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.open_cards import (
    CAMERA_PATH,
    FOOTAGE,
    LESSON,
    PATTERN_LISTS,
    ROUTINE,
    VARIATIONS,
)
from juggle_anim.viewer.state.optimiser import OptimiserView
from juggle_anim.viewer.state.split import Split, VariationSheet

if TYPE_CHECKING:
    from juggle_anim.pattern.state_graph import StateEdge, StateGraph
    from juggle_anim.viewer.editor.ladder_editor import LadderEditor

_SHOW_PANEL = frozenset({Action.FIND, Action.PRESETS, Action.GOAL})
"""What closes any card over the panel, but for lists of patterns."""

_BELOW_HANDLES = frozenset({FOOTAGE, CAMERA_PATH})
"""Cards that one uses while editing: keys act on handles before they act on these."""


class _CardView(Protocol):
    """What lies behind a card in the place of the panel."""

    @property
    def card_actions(self) -> Mapping[Action, Handler]:
        """What keys do while its card takes them."""


class Controller:
    """Performs the actions of window and cards on a model.

    Args:
        animation: shown first.
        time: at which it starts, [s].
        paused: whether it starts paused.
    """

    def __init__(self, animation: Animation, time: float = 0.0, paused: bool = False) -> None:
        self.model = Model(animation, time, paused)
        self.library = LibraryController(self.model)
        self.split = Split(self.model, self.library)
        self.variations = VariationSheet(self.model)
        self.optimiser = OptimiserView(self.model)
        self.routine = RoutineList(self.model)
        self.lesson = LessonView(self.model, self.library)
        self.welcome = Welcome()
        self.editor = EditController(self.model)
        self._ladder: LadderEditor | None = None
        self.footage = FootageView(self.model, self.library)
        self.picture = PictureEditor(self.model, self.editor)
        self.picture_keys = PictureKeys(self.model, self.editor, self.picture)
        self._actions = {
            **pattern_actions(self.model, self.library),
            **parameter_actions(self.model),
            Action.WING: self._reach_wing,
            **camera_actions(self.model),
            **playback_actions(self.model),
            **arm_actions(self.model),
            **window_actions(self.model, self.split, self.library),
            **editor_actions(self.editor, self.library, lambda: self.ladder),
            **self.footage.actions,
            **self.picture_keys.actions,
            Action.VARY: self.variations.toggle,
            Action.OPTIMISE: self.optimiser.toggle,
            Action.ROUTINE: self.routine.toggle,
            Action.CAMERA_PATH: self.model.camera_keys.toggle,
            Action.LEARN: self._toggle_lesson,
            Action.WELCOME: self._look_around,
        }

    @property
    def ladder(self) -> LadderEditor:
        """What edits the pattern on its ladder."""
        # Imported when first used: the program starts sooner.
        from juggle_anim.viewer.editor.ladder_editor import LadderEditor

        self._ladder = self._ladder or LadderEditor(self.model, self.editor)
        return self._ladder

    def juggle_throws(self, throws: Sequence[StateEdge]) -> None:
        """Juggle throws of a state graph that lead back to where they begin; a playing pattern goes
        on to them.
        """
        if throws:
            self.model.type_pattern(round_text(throws))

    def throw_by_hand(self, graph: StateGraph, throw: StateEdge) -> None:
        """Make a throw of a state graph as soon as its state comes, and go on as the card of the
        graph says.
        """
        model = self.model
        clicked = self.model.diagrams.clicked
        chosen = model.live.chosen.animation
        text = clicked.text(graph, throw, chosen)
        clicked.click(graph, throw, chosen)
        model.type_pattern(text, at_start=True)
        clicked.followed_by(model.live.chosen.animation)

    def perform(self, action: Action) -> None:
        """Perform an action: the first of prompt, cards, handles and window that knows it does."""
        handler = next(filter(None, self._handlers(action)))
        handler()

    def _handlers(self, action: Action) -> Iterator[Handler | None]:
        """Yield what can perform an action, what lies on top first; None where it is unknown."""
        yield self.library.handler(action)
        of_card = self._card_handler(action)
        if self.model.cards.panel not in _BELOW_HANDLES:
            yield of_card
        if self.editor.handles(action):
            yield partial(self.editor.perform, action)
        yield of_card
        yield partial(self._perform_in_window, action)

    def _card_handler(self, action: Action) -> Handler | None:
        """Return what an action does in the card that lies in the place of the panel."""
        views: dict[str, _CardView] = {
            VARIATIONS: self.variations,
            ROUTINE: self.routine,
            LESSON: self.lesson,
            FOOTAGE: self.footage,
            CAMERA_PATH: self.model.camera_keys,
        }
        cards = self.model.cards
        if cards.panel in views and cards.takes_keys(cards.panel):
            return views[cards.panel].card_actions.get(action)
        return None

    def _perform_in_window(self, action: Action) -> None:
        cards = self.model.cards
        if action in _SHOW_PANEL and cards.panel not in PATTERN_LISTS:
            cards.panel = None
        self._actions[action]()

    def _look_around(self) -> None:
        self.model.cards.panel = None
        self.model.cards.reveal()
        self.welcome.begin(self.model.window_controls.is_still or None)

    def _reach_wing(self) -> None:
        self.model.cards.panel = None
        self.model.reach(row_named("chicken_wing"))

    def _toggle_lesson(self) -> None:
        if self.editor.shown:
            self.editor.toggle()
        self.lesson.toggle()

    @property
    def idle(self) -> tuple[Action, ...]:
        """Actions that have no use now, so that a character that is their key may begin a
        pattern.
        """
        return () if self.footage.film else (Action.MARK_BEAT,)

    def release(self, action: Action) -> None:
        """The key of an action comes up."""
        if action is Action.MARK_BEAT:
            self.footage.release()

    def take_files(self, paths: Sequence[str]) -> None:
        """Open files that were dropped on the window."""
        if not self.footage.take_files(paths):
            self.library.take_files(paths)
