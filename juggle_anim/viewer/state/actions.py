"""The controller of a viewer: its model, what acts on that, and what each action does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.errors import ViewerError
from juggle_anim.parameters import Group, quantity_named
from juggle_anim.viewer.state.camera_rig import EYES
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.playback import faster, next_throw, slower
from juggle_anim.viewer.state.split import Split
from juggle_anim.viewer.state.undo import step_of
from juggle_anim.viewer.state.values import FINE

if TYPE_CHECKING:
    from juggle_anim.viewer.state.arm_lab import ArmLab

Deed = Callable[[], object]


class Controller:
    """What the window and its cards talk to.

    Args:
        animation: what is shown first.
        time: where it starts, [s].
        paused: whether it stands still.
    """

    def __init__(self, animation: Animation, time: float = 0.0, paused: bool = False) -> None:
        self.model = Model(animation, time, paused)
        self.desk = LibraryController(self.model)
        self.split = Split(self.model, self.desk)
        self._actions = {
            **_patterns(self.model, self.desk),
            **_quantities(self.model),
            **_views(self.model),
            **_times(self.model),
            **_arms(self.model),
            **_window(self.model, self.split),
        }

    def perform(self, action: Action) -> None:
        """Do what a key says."""
        if self.desk.takes(action):
            self.desk.perform(action)
        else:
            self._actions[action]()


def _patterns(model: Model, desk: LibraryController) -> dict[Action, Deed]:
    return {
        Action.EDIT_PATTERN: lambda: _edit_pattern(model, desk),
        Action.BEATS: lambda: _toggle_beats(model),
        Action.DIAGRAM: lambda: _turn_diagram(model),
        Action.BROWSE: desk.browse,
        Action.SHELF: desk.turn_filter(0),
        Action.PROPS: desk.turn_filter(1),
        Action.LEVEL: desk.turn_filter(2),
        Action.TAG: desk.turn_filter(3),
        Action.STAR: desk.star,
        Action.PATTERN_BEFORE: desk.go_back,
        Action.PATTERN_AFTER: desk.go_forward,
        Action.OPEN_FILE: desk.ask_to_open,
        Action.SAVE_FILE: desk.ask_to_save,
        Action.COPY: desk.copy,
        Action.PASTE: desk.paste,
    }


def _quantities(model: Model) -> dict[Action, Deed]:
    return {
        Action.PAGE_UP: lambda: model.choose_next(-1),
        Action.PAGE_DOWN: lambda: model.choose_next(1),
        Action.CHOOSE_PREVIOUS: lambda: model.choose_next(-1),
        Action.CHOOSE_NEXT: lambda: model.choose_next(1),
        Action.TURN_DOWN: lambda: model.turn(-1),
        Action.TURN_UP: lambda: model.turn(1),
        Action.TURN_DOWN_FINE: lambda: model.turn(-FINE),
        Action.TURN_UP_FINE: lambda: model.turn(FINE),
        Action.TYPE_VALUE: lambda: _enter(model),
        Action.RESET_VALUE: lambda: _reset(model),
        Action.RESET_ALL: model.reset_all,
        Action.FIND: lambda: _find(model),
        Action.UNDO: lambda: model.restore(model.undo.back(step_of(model.animation, model.shown))),
        Action.REDO: lambda: model.restore(model.undo.forth(step_of(model.animation, model.shown))),
        Action.PRESETS: lambda: _toggle_presets(model),
    }


def _views(model: Model) -> dict[Action, Deed]:
    return {
        Action.FRAME: lambda: model.rig.release(),
        Action.FROM_FRONT: lambda: model.rig.fly("front"),
        Action.FROM_LEFT: lambda: model.rig.fly("left"),
        Action.FROM_RIGHT: lambda: model.rig.fly("right"),
        Action.FROM_BACK: lambda: model.rig.fly("back"),
        Action.FROM_TOP: lambda: model.rig.fly("top"),
        Action.FROM_EYES: lambda: model.rig.fly(EYES),
        Action.FOLLOW: lambda: model.rig.follow(model.animation.jugglers),
    }


def _times(model: Model) -> dict[Action, Deed]:
    playback = model.playback
    return {
        Action.PAUSE: playback.toggle,
        Action.STEP_BACK: lambda: playback.step(-1),
        Action.STEP_ON: lambda: playback.step(1),
        Action.SLOWER: lambda: _change_speed(model, slower),
        Action.FASTER: lambda: _change_speed(model, faster),
        Action.BACKWARDS: playback.turn_back,
        Action.THROW_BEFORE: lambda: playback.go(next_throw(model.animation, playback.time, -1)),
        Action.THROW_AFTER: lambda: playback.go(next_throw(model.animation, playback.time, 1)),
        Action.SOUND: lambda: _toggle_sound(model),
    }


def _arms(model: Model) -> dict[Action, Deed]:
    return {
        Action.PLOTS: lambda: _turn_plots(model),
        Action.OTHER_ARM: lambda: _other_arm(model),
        Action.GOAL: lambda: _toggle_lab(model),
        Action.WAY: _in_lab(model, lambda lab: lab.choose(lab.way.next)),
        Action.ITERATE: _in_lab(model, lambda lab: lab.ask()),
        Action.HOLD: _in_lab(model, lambda lab: lab.toggle_held()),
        Action.TURN_GOAL: _in_lab(model, lambda lab: lab.toggle_turning()),
        Action.GOAL_LEFT: _move_goal(model, -1, 0, 0),
        Action.GOAL_RIGHT: _move_goal(model, 1, 0, 0),
        Action.GOAL_UP: _move_goal(model, 0, 1, 0),
        Action.GOAL_DOWN: _move_goal(model, 0, -1, 0),
        Action.GOAL_AWAY: _move_goal(model, 0, 0, 1),
        Action.GOAL_NEARER: _move_goal(model, 0, 0, -1),
    }


def _window(model: Model, split: Split) -> dict[Action, Deed]:
    return {
        Action.FULL_SCREEN: model.screen.toggle,
        Action.PICTURE: model.screen.take_picture,
        Action.RECORD: model.screen.toggle_recording,
        Action.NUMBERS: model.screen.turn_numbers,
        Action.SPLIT: split.toggle,
        Action.OTHER_HALF: lambda: _other_half(model, split),
        Action.TOGGLE_PANEL: lambda: _toggle_panel(model),
        Action.TOGGLE_HELP: lambda: _toggle_help(model),
        Action.BACK: lambda: _go_back(model),
        Action.LEAVE: lambda: _leave(model),
    }


def _edit_pattern(model: Model, desk: LibraryController) -> None:
    desk.browser.shown = False
    model.panel_shown, model.help_shown, model.line_wanted = True, False, True


def _toggle_beats(model: Model) -> None:
    model.beat_line.shown, model.panel_shown = not (model.beat_line.shown and model.panel_shown), True


def _enter(model: Model) -> None:
    if isinstance(model.chosen, Group):
        model.listing.toggle(model.chosen)
    else:
        model.open_entry(model.chosen)


def _reset(model: Model) -> None:
    if not isinstance(model.chosen, Group):
        model.reset(model.chosen)


def _find(model: Model) -> None:
    model.panel_shown, model.help_shown, model.listing.wanted = True, False, True


def _toggle_presets(model: Model) -> None:
    model.panel_shown, model.help_shown = True, False
    if model.preset_list.shown:
        model.preset_list.close()
    else:
        model.preset_list.open()


def _change_speed(model: Model, change: Callable[[float], float]) -> None:
    model.set_value(quantity_named("speed"), change(model.animation.parameters.speed))


def _toggle_sound(model: Model) -> None:
    try:
        model.notice.say(model.sound.toggle())
    except ViewerError as error:
        model.complain(error)


def _turn_plots(model: Model) -> None:
    model.panel_shown = True
    model.plots.turn()
    # They share a strip.
    model.diagrams.show("")


def _turn_diagram(model: Model) -> None:
    model.panel_shown, model.lab = True, None
    model.diagrams.turn()
    model.plots.shown = False


def _other_arm(model: Model) -> None:
    model.arm = model.arm.next(model.animation.jugglers)
    if model.lab:
        model.lab.take(model.arm)


def _toggle_lab(model: Model) -> None:
    # It brings solvers that few want, and a program starts sooner without.
    from juggle_anim.viewer.state.arm_lab import ArmLab

    model.lab = None if model.lab else ArmLab(model.animation, model.playback.time, model.arm)
    model.playback.paused, model.panel_shown, model.help_shown = True, True, False


def _in_lab(model: Model, change: Callable[[ArmLab], None]) -> Deed:
    """What to do where there is a goal, and nothing where there is none."""
    return lambda: change(model.lab) if model.lab else None


def _move_goal(model: Model, right: int, up: int, away: int) -> Deed:
    return _in_lab(model, lambda lab: lab.move(model.rig.camera, right, up, away))


def _other_half(model: Model, split: Split) -> None:
    if model.other:
        split.exchange()
    else:
        model.notice.say(f"{caption(Action.SPLIT)} shows two side by side first")


def _toggle_panel(model: Model) -> None:
    model.panel_shown, model.entry = not model.panel_shown, None


def _toggle_help(model: Model) -> None:
    model.help_shown = model.help_pages.turn(model.help_shown)


def _leave(model: Model) -> None:
    model.leaving = True


def _go_back(model: Model) -> None:
    if model.help_shown:
        model.help_shown = False
    elif model.entry is not None:
        model.entry = None
    elif model.pattern_error is not None or model.line != model.shown:
        model.drop_pattern()
    elif model.preset_list.shown:
        model.preset_list.close()
    elif model.listing.sought:
        model.listing.sought = ""
    elif model.lab is not None:
        model.lab = None
    else:
        model.leaving = True
