"""The viewer's controller: which function each action of a key or button calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.errors import ViewerError
from juggle_anim.language import _
from juggle_anim.parameters import Group, quantity_named, row_named
from juggle_anim.scene.camera import EYE_VIEW
from juggle_anim.viewer.camera.camera_rig import DEFAULT_VIEW
from juggle_anim.viewer.diagrams.diagrams import STATES, round_text
from juggle_anim.viewer.editor.edit_actions import editor_actions
from juggle_anim.viewer.editor.editor import EditController
from juggle_anim.viewer.editor.picture_editor import PictureEditor
from juggle_anim.viewer.editor.picture_keys import PictureKeys
from juggle_anim.viewer.editor.routine_list import RoutineList
from juggle_anim.viewer.footage.footage import FootageView
from juggle_anim.viewer.learning.lesson import LessonView
from juggle_anim.viewer.learning.welcome import Welcome
from juggle_anim.viewer.panel.values import FINE, stepped
from juggle_anim.viewer.panel.window_controls import TEXT_SIZE
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.optimiser import OptimiserView
from juggle_anim.viewer.state.playback import faster, next_throw, slower
from juggle_anim.viewer.state.split import Split, VariationSheet

if TYPE_CHECKING:
    from juggle_anim.pattern.state_graph import StateEdge, StateGraph
    from juggle_anim.viewer.arms.arm_lab import ArmLab
    from juggle_anim.viewer.editor.ladder_editor import LadderEditor

Handler = Callable[[], object]

_ZOOM = 2.0  # clicks of the wheel that a key makes

_PANEL = frozenset(
    {Action.EDIT_PATTERN, Action.BROWSE, Action.GENERATE, Action.FIND, Action.WING, Action.PRESETS, Action.GOAL}
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
            **_pattern_actions(self.model, self.library),
            **_parameter_actions(self.model),
            Action.WING: self._reach_wing,
            **_camera_actions(self.model),
            **_playback_actions(self.model),
            **_arm_actions(self.model),
            **_window_actions(self.model, self.split, self.library),
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
        """Juggle throws of a state graph that lead back to where they begin; a playing pattern goes on to them."""
        if throws:
            self.model.type_pattern(round_text(throws))

    def throw_by_hand(self, graph: StateGraph, throw: StateEdge) -> None:
        """Make a throw of a state graph as soon as its state comes, and go on as the card of the graph says."""
        model, clicked = self.model, self.model.diagrams.clicked
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
        views, model = self.model.camera_keys, self.model
        return views.shown and model.panel_shown and not model.help_shown and action in views.actions

    def _look_around(self) -> None:
        self.library.browser.shown = self.library.generator.shown = False
        self.close_cards()
        self.model.panel_shown, self.model.help_shown = True, False
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
        self.variations.shown = self.footage.shown = self.lesson.shown = self.model.camera_keys.shown = False
        self.routine.toggle()

    def _toggle_lesson(self) -> None:
        self.library.browser.shown = self.library.generator.shown = False
        self.variations.shown = self.footage.shown = self.routine.shown = self.model.camera_keys.shown = False
        if self.editor.shown:
            self.editor.toggle()
        self.lesson.toggle()

    @property
    def idle(self) -> tuple[Action, ...]:
        """Actions that have no use now, so that a character that is their key may begin a pattern."""
        return () if self.footage.film else (Action.MARK_BEAT,)

    def release(self, action: Action) -> None:
        """The key of an action comes up."""
        if action is Action.MARK_BEAT:
            self.footage.release()

    def take_files(self, paths: Sequence[str]) -> None:
        """Open files that were dropped on the window."""
        if not self.footage.take_files(paths):
            self.library.take_files(paths)


def _pattern_actions(model: Model, library: LibraryController) -> dict[Action, Handler]:
    return {
        Action.EDIT_PATTERN: lambda: _edit_pattern(model, library),
        Action.BEATS: lambda: _toggle_beats(model),
        Action.DIAGRAM: lambda: _show_next_diagram(model),
        Action.STATE_GRAPH: lambda: _toggle_state_graph(model),
        Action.FACTS: lambda: _toggle_facts(model),
        Action.BROWSE: library.browse,
        Action.GENERATE: library.generator.toggle,
        Action.SHELF: lambda: library.open_filter(0),
        Action.PROPS: lambda: library.open_filter(1),
        Action.LEVEL: lambda: library.open_filter(2),
        Action.TAG: lambda: library.open_filter(3),
        Action.STAR: library.star,
        Action.PATTERN_BEFORE: library.go_back,
        Action.PATTERN_AFTER: library.go_forward,
        Action.OPEN_FILE: library.ask_to_open,
        Action.SAVE_FILE: library.ask_to_save,
        Action.SAVE_AS: library.files.save_as,
        Action.LIVE: lambda: _toggle_live(model),
        Action.COPY: library.copy,
        Action.PASTE: library.paste,
    }


def _parameter_actions(model: Model) -> dict[Action, Handler]:
    return {
        Action.PAGE_UP: lambda: model.choose_next(-1),
        Action.PAGE_DOWN: lambda: model.choose_next(1),
        Action.CHOOSE_PREVIOUS: lambda: model.choose_next(-1),
        Action.CHOOSE_NEXT: lambda: model.choose_next(1),
        Action.TURN_DOWN: lambda: model.step_value(-1),
        Action.TURN_UP: lambda: model.step_value(1),
        Action.TURN_DOWN_FINE: lambda: model.step_value(-FINE),
        Action.TURN_UP_FINE: lambda: model.step_value(FINE),
        Action.TYPE_VALUE: lambda: _open_entry(model),
        Action.RESET_VALUE: lambda: _reset(model),
        Action.RESET_ALL: model.reset_all,
        Action.FIND: lambda: _find(model),
        Action.UNDO: lambda: model.restore(model.undo.undo(model.chosen_step)),
        Action.REDO: lambda: model.restore(model.undo.redo(model.chosen_step)),
        Action.PRESETS: lambda: _toggle_presets(model),
    }


def _camera_actions(model: Model) -> dict[Action, Handler]:
    return {
        Action.FRAME: lambda: model.rig.release(),
        Action.FROM_FRONT: lambda: model.rig.fly("front"),
        Action.FROM_LEFT: lambda: model.rig.fly("left"),
        Action.FROM_RIGHT: lambda: model.rig.fly("right"),
        Action.FROM_BACK: lambda: model.rig.fly("back"),
        Action.FROM_TOP: lambda: model.rig.fly("top"),
        Action.FROM_EYES: lambda: model.rig.fly(EYE_VIEW),
        Action.FRAMING: lambda: _toggle_framing(model),
        Action.ZOOM_IN: lambda: model.rig.zoom(_ZOOM),
        Action.ZOOM_OUT: lambda: model.rig.zoom(-_ZOOM),
        Action.FOLLOW: lambda: model.rig.follow(model.animation.jugglers),
    }


def _playback_actions(model: Model) -> dict[Action, Handler]:
    playback = model.playback
    return {
        Action.PAUSE: playback.toggle,
        Action.STEP_BACK: lambda: playback.step(-1),
        Action.STEP_ON: lambda: playback.step(1),
        Action.SLOWER: lambda: _change_speed(model, slower),
        Action.FASTER: lambda: _change_speed(model, faster),
        Action.BACKWARDS: playback.reverse,
        Action.THROW_BEFORE: lambda: _go_to_throw(model, -1),
        Action.THROW_AFTER: lambda: _go_to_throw(model, 1),
        Action.SOUND: lambda: _toggle_sound(model),
    }


def _arm_actions(model: Model) -> dict[Action, Handler]:
    return {
        Action.PLOTS: lambda: _show_next_plots(model),
        Action.OTHER_ARM: lambda: _switch_arm(model),
        Action.GOAL: lambda: _toggle_lab(model),
        Action.WAY: _with_lab(model, lambda lab: lab.use_method(lab.method.next)),
        Action.ITERATE: _with_lab(model, lambda lab: lab.step_once()),
        Action.HOLD: _with_lab(model, lambda lab: lab.toggle_paused()),
        Action.TURN_GOAL: _with_lab(model, lambda lab: lab.toggle_orientation()),
        Action.GOAL_LEFT: _move_goal(model, -1, 0, 0),
        Action.GOAL_RIGHT: _move_goal(model, 1, 0, 0),
        Action.GOAL_UP: _move_goal(model, 0, 1, 0),
        Action.GOAL_DOWN: _move_goal(model, 0, -1, 0),
        Action.GOAL_AWAY: _move_goal(model, 0, 0, 1),
        Action.GOAL_NEARER: _move_goal(model, 0, 0, -1),
    }


def _window_actions(model: Model, split: Split, library: LibraryController) -> dict[Action, Handler]:
    return {
        Action.FULL_SCREEN: model.screen.toggle,
        Action.PICTURE: model.screen.take_picture,
        Action.RECORD: model.screen.toggle_recording,
        Action.KEEP_SESSION: model.screen.keep_session,
        Action.NUMBERS: model.screen.turn_numbers,
        Action.SPLIT: split.toggle,
        Action.OTHER_HALF: lambda: _switch_half(model, split),
        Action.TOGGLE_PANEL: lambda: _toggle_panel(model),
        Action.TOGGLE_HELP: lambda: _toggle_help(model),
        Action.FOCUS_AFTER: lambda: _move_focus(model, 1),
        Action.FOCUS_BEFORE: lambda: _move_focus(model, -1),
        Action.LARGER_TEXT: lambda: _resize_text(model, 1),
        Action.SMALLER_TEXT: lambda: _resize_text(model, -1),
        Action.USUAL_TEXT: lambda: model.reset(TEXT_SIZE),
        Action.LEAVE: library.files.leave,
    }


def _edit_pattern(model: Model, library: LibraryController) -> None:
    library.browser.shown = library.generator.shown = False
    model.panel_shown, model.help_shown, model.line_wants_focus = True, False, True


def _toggle_beats(model: Model) -> None:
    model.beat_line.shown, model.panel_shown = not (model.beat_line.shown and model.panel_shown), True


def _toggle_live(model: Model) -> None:
    model.live_change = not model.live_change
    model.notice.say(
        _("Other patterns follow by a transition") if model.live_change else _("Other patterns begin with a cut")
    )


def _open_entry(model: Model) -> None:
    if isinstance(model.chosen, Group):
        model.listing.toggle(model.chosen)
    else:
        model.open_entry(model.chosen)


def _reset(model: Model) -> None:
    if not isinstance(model.chosen, Group):
        model.reset(model.chosen)


def _find(model: Model) -> None:
    model.panel_shown, model.help_shown, model.listing.wants_focus = True, False, True


def _toggle_presets(model: Model) -> None:
    model.panel_shown, model.help_shown = True, False
    if model.preset_list.shown:
        model.preset_list.close()
    else:
        model.preset_list.open()


def _change_speed(model: Model, change: Callable[[float], float]) -> None:
    model.set_value(quantity_named("speed"), change(model.animation.parameters.speed))


def _go_to_throw(model: Model, direction: int) -> None:
    moment = model.moment
    model.playback.pause_at(model.playback.time + next_throw(moment.animation, moment.time, direction) - moment.time)


def _toggle_framing(model: Model) -> None:
    row, chosen = row_named("framing"), model.animation.parameters.framing
    # While one edits, the parameter stays as it was.
    whole = not (model.frames_people or chosen == "people")
    model.frames_people = model.editing and whole
    if chosen == "people" or not model.editing:
        model.set_value(row, "people" if whole else "whole")
    model.rig.fly(DEFAULT_VIEW if model.rig.view == EYE_VIEW else model.rig.view)


def _toggle_sound(model: Model) -> None:
    try:
        model.notice.say(model.sound.toggle())
    except ViewerError as error:
        model.show_error(error)


def _show_next_plots(model: Model) -> None:
    model.panel_shown = True
    model.plots.show_next()
    # Plots, diagrams and facts share a strip.
    model.diagrams.show("")
    model.facts.shown = False


def _show_next_diagram(model: Model) -> None:
    model.panel_shown, model.lab = True, None
    model.diagrams.show_next()
    model.plots.shown = model.facts.shown = False


def _toggle_state_graph(model: Model) -> None:
    shown = model.diagrams.kind == STATES and model.lab is None and model.panel_shown
    model.panel_shown, model.lab = True, None
    model.diagrams.show("" if shown else STATES)
    model.plots.shown = model.facts.shown = False


def _toggle_facts(model: Model) -> None:
    shown = model.facts.shown and model.lab is None
    model.panel_shown, model.lab, model.facts.shown = True, None, not shown
    model.diagrams.show("")
    model.plots.shown = False


def _switch_arm(model: Model) -> None:
    model.arm = model.arm.next(model.animation.jugglers)
    if model.lab:
        model.lab.select_arm(model.arm)


def _toggle_lab(model: Model) -> None:
    # Imported when first used: few need its solvers, and the program starts sooner without them.
    from juggle_anim.viewer.arms.arm_lab import ArmLab

    model.lab = None if model.lab else ArmLab(*model.moment[:2], model.arm)
    model.playback.paused, model.panel_shown, model.help_shown = True, True, False


def _with_lab(model: Model, change: Callable[[ArmLab], None]) -> Handler:
    """Return a handler that changes the arm lab if it is open."""
    return lambda: change(model.lab) if model.lab else None


def _move_goal(model: Model, right: int, up: int, away: int) -> Handler:
    return _with_lab(model, lambda lab: lab.move_goal(model.rig.camera, right, up, away))


def _switch_half(model: Model, split: Split) -> None:
    if model.other:
        split.exchange()
    else:
        model.notice.say(_("{key} shows two side by side first", key=caption(Action.SPLIT)))


def _toggle_panel(model: Model) -> None:
    model.panel_shown, model.entry = not model.panel_shown, None


def _move_focus(model: Model, steps: int) -> None:
    model.panel_shown = True
    model.focus.move(steps)


def _resize_text(model: Model, steps: int) -> None:
    model.set_value(TEXT_SIZE, stepped(TEXT_SIZE, model.value(TEXT_SIZE), steps))


def _toggle_help(model: Model) -> None:
    model.help_shown = model.help_pages.show_next(model.help_shown)
