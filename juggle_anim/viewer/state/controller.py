"""The viewer's controller: it holds what changes the model, and performs the actions of keys and
buttons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.parameters import row_named
from juggle_anim.viewer.diagrams.diagrams import round_text
from juggle_anim.viewer.editor.editor import EditController
from juggle_anim.viewer.editor.picture_editor import PictureEditor, PictureKeys
from juggle_anim.viewer.editor.routine_list import RoutineList
from juggle_anim.viewer.footage.footage import FootageView
from juggle_anim.viewer.learning.lesson import LessonView
from juggle_anim.viewer.learning.welcome import Welcome
from juggle_anim.viewer.state.actions import (
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
from juggle_anim.viewer.state.optimiser import OptimiserView
from juggle_anim.viewer.state.split import Split, VariationSheet

if TYPE_CHECKING:
    from juggle_anim.pattern.state_graph import StateEdge, StateGraph
    from juggle_anim.viewer.editor.ladder_editor import LadderEditor

_PANEL = frozenset(
    {
        Action.EDIT_PATTERN,
        Action.BROWSE,
        Action.GENERATE,
        Action.FIND,
        Action.WING,
        Action.PRESETS,
        Action.GOAL,
    }
)
"""What needs the place of the card of variations, or the whole picture."""


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
        self.variations = VariationSheet(self.model, self.library)
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
            Action.ROUTINE: self._toggle_routine,
            Action.CAMERA_PATH: self._toggle_camera_path,
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
        """Perform an action."""
        if self.library.handles(action):
            self.library.perform(action)
        elif self.variations.handles(action):
            self.variations.perform(action)
        elif self.routine.handles(action):
            self.routine.perform(action)
        elif self.lesson.handles(action):
            self.lesson.perform(action)
        elif self.editor.handles(action):
            self.editor.perform(action)
        elif self.footage.handles(action):
            self.footage.perform(action)
        elif self._camera_path_handles(action):
            self.model.camera_keys.actions[action]()
        else:
            if action in _PANEL:
                self.close_cards()
            self._actions[action]()

    def close_cards(self) -> None:
        """Close what lies over the panel, but for the library and its generator."""
        self.variations.shown = self.footage.shown = self.routine.shown = self.lesson.shown = False
        self.model.camera_keys.shown = False

    def _camera_path_handles(self, action: Action) -> bool:
        views = self.model.camera_keys
        model = self.model
        return (
            views.shown and model.panel_shown and not model.help_shown and action in views.actions
        )

    def _look_around(self) -> None:
        self.library.browser.shown = self.library.generator.shown = False
        self.close_cards()
        self.model.panel_shown = True
        self.model.help_shown = False
        self.welcome.begin(self.model.window_controls.is_still or None)

    def _reach_wing(self) -> None:
        self.library.browser.shown = self.library.generator.shown = False
        self.model.reach(row_named("chicken_wing"))

    def _toggle_camera_path(self) -> None:
        views = self.model.camera_keys
        shown = views.shown
        self.library.browser.shown = self.library.generator.shown = False
        self.close_cards()
        self.model.panel_shown = True
        views.shown = shown
        views.toggle()

    def _toggle_routine(self) -> None:
        self.library.browser.shown = self.library.generator.shown = False
        self.variations.shown = self.footage.shown = self.lesson.shown = (
            self.model.camera_keys.shown
        ) = False
        self.routine.toggle()

    def _toggle_lesson(self) -> None:
        self.library.browser.shown = self.library.generator.shown = False
        self.variations.shown = self.footage.shown = self.routine.shown = (
            self.model.camera_keys.shown
        ) = False
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
