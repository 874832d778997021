"""The controller of the viewer: performs the actions of keys and buttons on the model.

The optimiser in the viewer: it works in a process of its own.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Singles
from juggle_anim.choreography import Score
from juggle_anim.errors import JuggleError, ViewerError, sentence
from juggle_anim.language import N_, _
from juggle_anim.parameters import Group, quantity_named, row_named
from juggle_anim.scene import EYE_VIEW, NO_CONES, STAGES, Traces
from juggle_anim.viewer.camera.camera_rig import DEFAULT_VIEW
from juggle_anim.viewer.diagrams.diagrams import STATES, round_text
from juggle_anim.viewer.editor.editor import LADDER, EditController
from juggle_anim.viewer.editor.picture_editor import PictureEditor, PictureKeys
from juggle_anim.viewer.editor.routine_list import RoutineList
from juggle_anim.viewer.footage.footage import FootageView
from juggle_anim.viewer.learning.lesson import LessonView
from juggle_anim.viewer.learning.welcome import Welcome
from juggle_anim.viewer.panel.controls import TEXT_SIZE, Line, with_value
from juggle_anim.viewer.panel.values import FINE, stepped
from juggle_anim.viewer.state.browser import LEVEL_FILTER, PROPS_FILTER, SHELF_FILTER, TAG_FILTER
from juggle_anim.viewer.state.keymap import (
    CAMERA_PATH,
    FACTS,
    FOOTAGE,
    LESSON,
    PATTERN_LISTS,
    PLOTS,
    ROUTINE,
    VARIATIONS,
    Action,
    Handler,
    Handlers,
    caption,
)
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import Model, change_label
from juggle_anim.viewer.state.palette import Palette
from juggle_anim.viewer.state.playback import faster, next_throw, slower
from juggle_anim.viewer.state.prompt import CONTACT_SHEET
from juggle_anim.viewer.state.split import Split, VariationSheet
from juggle_anim.viewer.state.undo import Step
from juggle_anim.worker_process import WorkerTask, step_back

if TYPE_CHECKING:
    from juggle_anim.optimiser import Optimised
    from juggle_anim.pattern.state_graph import StateEdge, StateGraph
    from juggle_anim.viewer.arms.arm_lab import ArmLab
    from juggle_anim.viewer.editor.ladder_editor import LadderEditor


_LOOKING = N_("Looking for more room …")
_GHOST_STRENGTH = 0.35  # share of the colour of old paths; the remainder is the backdrop's


class OptimiserView:
    """What the key of the optimiser does.

    Args:
        model: the model whose pattern is given more room.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._job: WorkerTask | None = None
        self._searched_score: Score | None = None  # of the pattern that was given to the job
        self._ghost_score: Score | None = None
        self._ghost_rows = NO_CONES

    @property
    def is_working(self) -> bool:
        """Whether places are being looked for."""
        return self._job is not None

    def toggle(self) -> None:
        """Start or stop the search for places of throws and catches with more room between props.

        - While a search runs, it is stopped.
        - After a search, the old and new paths of throws, which are shown then, are hidden.
        - Otherwise a search begins, in another process.
        """
        if self._job:
            self._end()
            self._model.notice.say(_("Stopped looking for more room"))
        elif len(self.ghost):  # paths are shown
            self._ghost_score = None
        else:
            animation = self._model.animation
            self._searched_score = animation.score
            self._job = WorkerTask(
                __name__,
                task=(animation.score, animation.parameters),
                failure=_("cannot look for more room here"),
            )
            self._model.notice.say(_LOOKING)

    def update(self) -> bool:
        """Apply the result of the search once it has ended; return whether it has just ended.

        Called in every frame. Changes the pattern if places with more room were found; a notice
        says the result.
        """
        job = self._job
        model = self._model
        if job is None:
            return False
        # None while the search goes on; words that say why it failed; or the result.
        result: Optimised | str | None = job.result()
        if result is None:
            if not model.notice.text:
                model.notice.say(_LOOKING)  # once more, as notices disappear after a while
            return False
        self._end()
        if isinstance(result, str):
            model.notice.say(sentence(result), bad=True)
        elif model.animation.score is not self._searched_score:
            model.notice.say(_("The pattern changed meanwhile, so nothing was moved"))
        elif not result.moved:
            model.notice.say(_("No more room found. {summary}", summary=result.summary))
        else:
            self._take(result.animation)
            model.notice.say(
                _("{summary}. {key} to undo", summary=result.summary, key=caption(Action.UNDO))
            )
        return True

    @property
    def ghost(self) -> Singles:
        """The paths of throws, those before pale, as `Cone` rows, shape (N, 12)."""
        return self._ghost_rows if self._ghost_score is self._model.animation.score else NO_CONES

    def close(self) -> None:
        """Stop looking."""
        self._end()

    def _take(self, optimised: Animation) -> None:
        """Play the optimised pattern, as a step of undo, and show its old and new paths.

        Args:
            optimised: the pattern with the parameters that it had when the search began.
        """
        model = self._model
        before = model.animation

        def with_present_parameters(present: Animation) -> Animation:
            # Parameters may have changed during the search; if not, the motion that it has computed
            # is kept.
            if present.parameters == optimised.parameters:
                return optimised
            return Animation(optimised.score, present.parameters)

        with model.undo.own_step():
            model.change(with_present_parameters, "optimise")
        # The paths are shown as long as this score is.
        self._ghost_score = optimised.score
        self._ghost_rows = np.concatenate(
            [_paths(before, strength=_GHOST_STRENGTH), _paths(model.animation, strength=1.0)]
        )

    def _end(self) -> None:
        if self._job:
            self._job.stop()
            self._job = None


def _paths(animation: Animation, strength: float) -> Singles:
    """Return the paths of all throws as round cones to be drawn, rows of `Cone`, shape (N, 12).

    Args:
        animation: the animation with the throws.
        strength: share of the colour of throws, 0 to 1; the remainder is that of the backdrop.
    """
    palette = animation.palette
    backdrop = STAGES[animation.parameters.stage].backdrop_bottom
    red, green, blue = (
        strength * thrown + (1 - strength) * behind
        for thrown, behind in zip(palette.thrown, backdrop, strict=True)
    )
    pale_palette = replace(palette, thrown=(red, green, blue))
    traces = Traces(
        animation.motion,
        trails=0.0,
        paths="throws",
        colours=animation.prop_colours,
        palette=pale_palette,
    )
    # Paths of throws are the same at all times, so that any single time will do.
    (rows,) = traces.rows(np.zeros(1))
    return rows


def work() -> None:
    """Optimise a pattern in a process of its own, which reads its task and writes its answer.

    The task, on standard input, is a pickled score with its parameters. The answer, on standard
    output, is a pickled `Optimised`, or a text that says why it failed.
    """
    from juggle_anim.optimiser import optimise

    step_back()  # pictures go first
    score, parameters = pickle.load(sys.stdin.buffer)
    answer: Optimised | str
    try:
        optimised = optimise(Animation(score, parameters))
        # The motion and the plan of the bodies are computed here and pickled along, so that the
        # first picture does not wait for them.
        optimised.animation.plan  # noqa: B018 - cached
        answer = optimised
    except JuggleError as error:
        answer = str(error)
    pickle.dump(answer, sys.stdout.buffer)


_SHOW_PANEL = frozenset({Action.FIND, Action.PRESETS, Action.GOAL})
"""What closes any card over the panel, but for lists of patterns."""

_IN_LAB = (
    Action.METHOD,
    Action.ITERATE,
    Action.HOLD,
    Action.TURN_GOAL,
    Action.GOAL_LEFT,
    Action.GOAL_RIGHT,
    Action.GOAL_UP,
    Action.GOAL_DOWN,
    Action.GOAL_AWAY,
    Action.GOAL_NEARER,
)
"""What has a use only while a hand has a goal."""

_SHOWN_WING = 80.0  # °, by which elbows are lifted so that it is seen at once

_BELOW_HANDLES = frozenset({FOOTAGE, CAMERA_PATH})
"""Cards that one uses while editing: keys act on handles before they act on these."""


class _CardView(Protocol):
    """What lies behind a card in the place of the panel."""

    @property
    def card_actions(self) -> Handlers:
        """What keys do while its card takes them."""


class Controller:
    """Performs the actions of window and cards on a model.

    Args:
        animation: shown first.
        time: the time at which it starts, [s].
        paused: whether it starts paused.
    """

    def __init__(self, animation: Animation, time: float = 0.0, *, paused: bool = False) -> None:
        """Create the model, the parts that change it, and the table of actions.

        The model is the state of the window. An action is what a key or a button asks for; the
        table has a handler, a function without arguments, for each.

        Args:
            animation: shown first.
            time: the time of the picture, [s].
            paused: whether time stands still.
        """
        self.model = Model(animation, time, paused=paused)
        self.library = LibraryController(self.model)
        self.split = Split(self.model, self.library)
        self.variations = VariationSheet(self.model)
        self.optimiser = OptimiserView(self.model)
        self.routine = RoutineList(self.model)
        self.lesson = LessonView(self.model, self.library)
        self.welcome = Welcome(self._show_wing, self._tell_of_tour)
        self._before_wing: tuple[Animation, Line, set[Group]] | None = None
        self.editor = EditController(self.model)
        self._ladder: LadderEditor | None = None  # made when first used
        self.footage = FootageView(self.model, self.library)
        self.picture = PictureEditor(self.model, self.editor)
        self.picture_keys = PictureKeys(self.model, self.editor, self.picture)
        self.palette = Palette(self.model, self.library, self.perform)
        self._actions = {
            **pattern_actions(self.model, self.library),
            **parameter_actions(self.model),
            Action.WING: self._reach_wing,
            **camera_actions(self.model),
            **playback_actions(self.model),
            **arm_actions(self.model),
            **window_actions(self.model, self.split, self.library),
            **editor_actions(self.editor, self.library, lambda: self.ladder),
            Action.BACK: lambda: _go_back(self.editor, self.palette),
            **self.footage.actions,
            **self.picture_keys.actions,
            Action.VARY: self.variations.toggle,
            Action.OPTIMISE: self.optimiser.toggle,
            Action.ROUTINE: self.routine.toggle,
            Action.CAMERA_PATH: self.model.camera_keys.toggle,
            Action.LEARN: self._toggle_lesson,
            Action.WELCOME: self._look_around,
            Action.PALETTE: self.palette.toggle,
        }

    @property
    def ladder(self) -> LadderEditor:
        """What edits the pattern on its ladder."""
        # Imported when first used: the program starts sooner.
        from juggle_anim.viewer.editor.ladder_editor import LadderEditor

        self._ladder = self._ladder or LadderEditor(self.model, self.editor)
        return self._ladder

    def juggle_throws(self, throws: Sequence[StateEdge]) -> None:
        """Juggle throws of a state graph that lead back to where they begin.

        A playing pattern goes on to them.
        """
        if throws:
            self.model.type_pattern(round_text(throws))

    def throw_by_hand(self, graph: StateGraph, throw: StateEdge) -> None:
        """Change to a pattern that begins with a throw of the state graph, at its state.

        A state says on which coming beats props land; each edge of the graph is a throw that leads
        from one state to another.

        Args:
            graph: the graph of states, as it is shown.
            throw: the edge of the graph that was clicked.
        """
        model = self.model
        # The throws that were clicked one after the other make a pattern.
        clicked_throws = model.diagrams.clicked
        chosen = model.live.chosen.animation
        siteswap = clicked_throws.text(graph, throw, chosen)
        clicked_throws.click(graph, throw, chosen)
        model.type_pattern(siteswap, at_start=True)
        clicked_throws.note_result(model.live.chosen.animation)

    def begin_typing(self) -> None:
        """Open the field for a pattern that somebody begins to type.

        That is a new line of the routine if its list is open, or else the pattern line.
        """
        if self.model.cards.takes_keys(ROUTINE):
            self.routine.type_line(adds=True)
        else:
            self.perform(Action.EDIT_PATTERN)

    def perform(self, action: Action) -> None:
        """Perform an action: the first of prompt, cards, handles and window that knows it does."""
        handler = next(filter(None, self._handlers(action)))
        handler()

    def _handlers(self, action: Action) -> Iterator[Handler | None]:
        """Yield the functions that can perform an action, in order; None where a part has none.

        An action is what a key or a button asks for. What lies on top in the window comes first:
        questions and lists of the library, then the card in the place of the panel and the handles
        of the editor (marks in the picture that can be dragged), and last the window itself, which
        knows all actions.

        Args:
            action: the action.
        """
        yield self.library.handler(action)
        card_handler = self._card_handler(action)
        if self.editor.shown:
            # Handles in the picture have the menu of the ladder, which may never have been shown.
            self.editor.handling[LADDER] = self.ladder
        editor_handler = None
        if self.editor.handles(action):
            editor_handler = partial(self.editor.perform, action)
        # Most cards come before handles; those that one uses while editing come after them.
        if self.model.cards.panel in _BELOW_HANDLES:
            yield editor_handler
            yield card_handler
        else:
            yield card_handler
            yield editor_handler
        yield partial(self._perform_in_window, action)

    def _card_handler(self, action: Action) -> Handler | None:
        """Return what an action does in the card that is shown instead of the panel.

        None if no such card is open, if it does not take keys now, or if it does not know the
        action.
        """
        view_by_card: dict[str, _CardView] = {
            VARIATIONS: self.variations,
            ROUTINE: self.routine,
            LESSON: self.lesson,
            FOOTAGE: self.footage,
            CAMERA_PATH: self.model.camera_keys,
        }
        cards = self.model.cards
        if cards.panel in view_by_card and cards.takes_keys(cards.panel):
            return view_by_card[cards.panel].card_actions.get(action)
        return None

    def _perform_in_window(self, action: Action) -> None:
        cards = self.model.cards
        if action in _SHOW_PANEL and cards.panel not in PATTERN_LISTS:
            cards.panel = None
        strip_before = cards.strip
        self._actions[action]()
        # Editing on the ladder ends with it; editing in the picture goes on.
        is_closed = strip_before == LADDER and cards.strip is None
        if is_closed and self.editor.shown and not self.editor.is_in_picture:
            self.editor.toggle()

    def _look_around(self) -> None:
        self.model.cards.panel = None
        self.model.cards.reveal()
        self.welcome.begin()

    def _tell_of_tour(self) -> None:
        self.model.notice.say(_("{key} shows the tour again", key=caption(Action.WELCOME)))

    def _show_wing(self, is_there: bool, list_moves: bool) -> None:
        """Lift the elbows while the welcome tour shows their slider, and lower them afterwards.

        The slider is that of the chicken wing, the angle by which elbows are lifted. This is no
        step of undo.

        Args:
            is_there: whether the slider is shown; False puts the pattern back as it was.
            list_moves: whether the list of settings then goes back to what was chosen before.
        """
        wing_row = row_named("chicken_wing")
        model = self.model
        state_before = self._before_wing  # None if elbows are not lifted
        self._before_wing = None
        # Not while a transition leads to another pattern, which would replace the lifted one.
        if is_there and not model.live.coming:
            self._before_wing = model.animation, model.chosen, set(model.listing.folded)
            model.reach(wing_row)
            model.take(with_value(model.animation, wing_row, _SHOWN_WING), model.text)
        elif not is_there and state_before:
            animation, chosen_line, folded_groups = state_before
            model.take(animation, model.text)
            if list_moves:
                model.listing.folded = folded_groups
                model.choose(chosen_line)

    def _reach_wing(self) -> None:
        self.model.cards.panel = None
        self.model.reach(row_named("chicken_wing"))

    def _toggle_lesson(self) -> None:
        if self.editor.shown:
            self.editor.toggle()
        self.lesson.toggle()

    @property
    def idle(self) -> tuple[Action, ...]:
        """Actions without a use now: their characters may begin a pattern."""
        return (
            *(() if self.footage.film else (Action.MARK_BEAT,)),
            *(() if self.model.lab else _IN_LAB),
            *(() if self.model.other else (Action.OTHER_HALF,)),
        )

    def release(self, action: Action) -> None:
        """Handle a release of the key of an action."""
        if action is Action.MARK_BEAT:
            self.footage.release()

    def take_files(self, paths: Sequence[str]) -> None:
        """Open files that were dropped on the window."""
        if not self.footage.take_files(paths):
            self.library.take_files(paths)


_ZOOM = 2.0  # clicks of the wheel that a key makes


def pattern_actions(model: Model, library: LibraryController) -> Handlers:
    """Return the handlers of actions that choose, show and keep patterns.

    An action is what a key or a button asks for; a handler is a function without arguments. The
    strip is the place along the lower edge of the window for a diagram, the state graph or facts.

    Args:
        model: state of the viewer.
        library: opens, saves, lists and generates patterns.
    """
    return {
        Action.EDIT_PATTERN: lambda: _edit_pattern(model),
        Action.BEATS: lambda: _toggle_beats(model),
        Action.DIAGRAM: lambda: _toggle_strip(model, model.diagrams.last),
        Action.STATE_GRAPH: lambda: _toggle_strip(model, STATES),
        Action.FACTS: lambda: _toggle_strip(model, FACTS),
        Action.BROWSE: library.browse,
        Action.GENERATE: library.generator.toggle,
        Action.SHELF: lambda: library.open_filter(SHELF_FILTER),
        Action.PROPS: lambda: library.open_filter(PROPS_FILTER),
        Action.LEVEL: lambda: library.open_filter(LEVEL_FILTER),
        Action.TAG: lambda: library.open_filter(TAG_FILTER),
        Action.STAR: library.star,
        Action.PATTERN_BEFORE: library.visited.go_back,
        Action.PATTERN_AFTER: library.visited.go_forward,
        Action.OPEN_FILE: library.ask_to_open,
        Action.SAVE_FILE: library.ask_to_save,
        Action.SAVE_AS: library.files.save_as,
        Action.PRINT: lambda: library.files.ask_for(CONTACT_SHEET),
        Action.LIVE: lambda: _toggle_live(model),
        Action.COPY: library.copy,
        Action.PASTE: library.paste,
    }


def parameter_actions(model: Model) -> Handlers:
    """Return the handlers of actions that choose a line of the panel and change its value.

    An action is what a key or a button asks for; a handler is a function without arguments.

    Args:
        model: state of the viewer, with the chosen line. Its value is moved by one step of the
            setting, or by `FINE` of a step.
    """
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
        Action.UNDO: lambda: _restore(
            model,
            model.undo.undo(model.chosen_step),
            N_("Undone: {change}"),
            changed_to=model.chosen_step,
        ),
        Action.REDO: lambda: _restore(
            model, model.undo.redo(model.chosen_step), N_("Redone: {change}")
        ),
        Action.PRESETS: lambda: _toggle_presets(model),
    }


def camera_actions(model: Model) -> Handlers:
    """Return the handlers of actions that turn and move the camera.

    A view is the name of a standpoint of the camera, or `EYE_VIEW` for the eyes of a juggler.

    Args:
        model: state of the viewer.
    """
    # `model.rig` is looked up when a key is pressed: a split view exchanges it.
    return {
        Action.FRAME: lambda: model.look_from(DEFAULT_VIEW),
        Action.FROM_FRONT: lambda: model.look_from("front"),
        Action.FROM_LEFT: lambda: model.look_from("left"),
        Action.FROM_RIGHT: lambda: model.look_from("right"),
        Action.FROM_BACK: lambda: model.look_from("back"),
        Action.FROM_TOP: lambda: model.look_from("top"),
        Action.FROM_EYES: lambda: model.look_from(EYE_VIEW),
        Action.FRAMING: lambda: _toggle_framing(model),
        Action.ZOOM_IN: lambda: model.rig.zoom(_ZOOM),
        Action.ZOOM_OUT: lambda: model.rig.zoom(-_ZOOM),
        Action.FOLLOW: lambda: model.rig.follow_next_juggler(model.animation.num_jugglers),
    }


def playback_actions(model: Model) -> Handlers:
    """Return the handlers of actions that play, pause, and go to another time.

    Args:
        model: state of the viewer, with the playback. Steps of time are one picture.
    """
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


def arm_actions(model: Model) -> Handlers:
    """Return the handlers of actions about arms: those of plots, and those of the arm lab.

    In the arm lab a solver moves one hand to a goal, step by step. The actions of the lab do
    nothing while it is closed (`model.lab` is None). The goal moves by one step at each press of a
    key: to the right or left, up or down, away or nearer, as the camera sees it.

    Args:
        model: state of the viewer.
    """
    return {
        Action.PLOTS: lambda: _show_next_plots(model),
        Action.OTHER_ARM: lambda: _switch_arm(model),
        Action.GOAL: lambda: _toggle_lab(model),
        Action.METHOD: _with_lab(model, lambda lab: lab.use_method(lab.method.next)),
        Action.ITERATE: _with_lab(model, lambda lab: lab.step_once()),
        Action.HOLD: _with_lab(model, lambda lab: lab.toggle_paused()),
        Action.TURN_GOAL: _with_lab(model, lambda lab: lab.toggle_orientation()),
        Action.GOAL_LEFT: _move_goal(model, right=-1),
        Action.GOAL_RIGHT: _move_goal(model, right=1),
        Action.GOAL_UP: _move_goal(model, up=1),
        Action.GOAL_DOWN: _move_goal(model, up=-1),
        Action.GOAL_AWAY: _move_goal(model, away=1),
        Action.GOAL_NEARER: _move_goal(model, away=-1),
    }


def window_actions(model: Model, split: Split, library: LibraryController) -> Handlers:
    """Return the handlers of actions of the window: screen, split view, panel, text size.

    Args:
        model: state of the viewer.
        split: the two halves of a split view.
        library: its `files` asks about unsaved work before the window closes.
    """
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


def _edit_pattern(model: Model) -> None:
    model.cards.covered = model.cards.panel
    model.cards.panel = None
    model.cards.reveal()
    model.line_wants_focus = True


def _toggle_beats(model: Model) -> None:
    model.beat_line.shown = not (model.beat_line.shown and model.cards.panel_shown)
    model.cards.panel_shown = True


def _toggle_live(model: Model) -> None:
    model.live_change = not model.live_change
    model.notice.say(
        _("Patterns now change with a transition")
        if model.live_change
        else _("Patterns now change with a cut")
    )


def _open_entry(model: Model) -> None:
    if isinstance(model.chosen, Group):
        model.listing.toggle(model.chosen)
    else:
        model.open_entry(model.chosen)


def _restore(
    model: Model, step: Step | None, words: str, *, changed_to: Step | None = None
) -> None:
    """Go to a step of undo, with a notice of the change unless the change is visible by itself.

    Args:
        model: model to change.
        step: the state of the pattern to go to, with the name of the change; None if there is none.
        words: a message, with `{change}` for what has changed.
        changed_to: the state that the change has led to, in undo; None if it leads to `step`, as in
            redo.
    """
    if step is None:
        return
    model.restore(step)
    # Changes of settings and of the pattern are told; others, such as edits, are seen.
    label = change_label(step.change, (changed_to or step).score.name)
    if label:
        model.notice.say(_(words, change=label))


def _reset(model: Model) -> None:
    if not isinstance(model.chosen, Group):
        model.reset(model.chosen)


def _find(model: Model) -> None:
    model.cards.reveal()
    model.listing.wants_focus = True


def _toggle_presets(model: Model) -> None:
    model.cards.reveal()
    if model.preset_list.shown:
        model.preset_list.close()
    else:
        model.preset_list.open()


def _change_speed(model: Model, change: Callable[[float], float]) -> None:
    model.set_value(quantity_named("speed"), change(model.animation.parameters.speed))


def _go_to_throw(model: Model, direction: int) -> None:
    moment = model.moment
    throw_time = next_throw(moment.animation, moment.time, direction)
    model.playback.pause_at(model.playback.time + throw_time - moment.time)


def _toggle_framing(model: Model) -> None:
    shows_whole = model.animation.parameters.framing == "whole"
    model.set_value(row_named("framing"), "people" if shows_whole else "whole")
    model.rig.fly(DEFAULT_VIEW if model.rig.is_in_eyes else model.rig.view)


def _toggle_sound(model: Model) -> None:
    try:
        model.notice.say(model.sound.toggle())
    except ViewerError as error:
        model.show_error(error)


def _show_next_plots(model: Model) -> None:
    # An open arm lab stays: it shows the plots too.
    are_shown = model.plots.turn(shown=model.cards.strip == PLOTS)
    _show_strip(model, PLOTS if are_shown else None)


def _toggle_strip(model: Model, card: str) -> None:
    """Show a card in the strip, or close it if it is visible there; the arm lab closes."""
    is_visible = model.cards.strip == card and model.cards.panel_shown and model.lab is None
    model.lab = None
    _show_strip(model, None if is_visible else card)


def _show_strip(model: Model, card: str | None) -> None:
    """Show a card or a kind of diagram in the strip, instead of what is there; None closes it."""
    model.cards.panel_shown = True
    if model.cards.strip == FACTS != card:
        model.playback.let_go()
    model.cards.strip = card
    model.diagrams.restart()


def _switch_arm(model: Model) -> None:
    model.arm = model.arm.next(model.animation.num_jugglers)
    if model.lab:
        model.lab.select_arm(model.arm)


def _toggle_lab(model: Model) -> None:
    # Imported when first used: few need its solvers, and the program starts sooner without them.
    from juggle_anim.viewer.arms.arm_lab import ArmLab

    moment = model.moment
    model.lab = None if model.lab else ArmLab(moment.animation, moment.time, model.arm)
    model.playback.paused = True
    model.cards.reveal()


def _with_lab(model: Model, change: Callable[[ArmLab], None]) -> Handler:
    """Return a handler that changes the arm lab if it is open."""
    return lambda: change(model.lab) if model.lab else None


def _move_goal(model: Model, *, right: int = 0, up: int = 0, away: int = 0) -> Handler:
    return _with_lab(model, lambda lab: lab.move_goal(model.rig.camera, right, up, away))


def _switch_half(model: Model, split: Split) -> None:
    if model.other:
        split.exchange()
    else:
        model.notice.say(
            _("Press {key} first to show two patterns side by side", key=caption(Action.SPLIT))
        )


def _toggle_panel(model: Model) -> None:
    model.cards.panel_shown = not model.cards.panel_shown
    model.entry.cancel()


def _move_focus(model: Model, steps: int) -> None:
    model.cards.panel_shown = True
    model.focus.move(steps)


def _resize_text(model: Model, steps: int) -> None:
    model.set_value(TEXT_SIZE, stepped(TEXT_SIZE, model.value(TEXT_SIZE), steps))


def _toggle_help(model: Model) -> None:
    model.cards.help_shown = model.help_pages.turn(shown=model.cards.help_shown)


def editor_actions(
    editor: EditController, library: LibraryController, ladder: Callable[[], LadderEditor]
) -> Handlers:
    """Return the handlers of actions that open the editor, or turn a pattern into timed events.

    An open editor performs the actions of its handles, such as `EDIT_MENU`, before the window does.
    So the handlers here that first open the editor are called only while it is closed.

    Args:
        editor: knows what is chosen, and makes changes.
        library: its `files` convert a pattern to events and back.
        ladder: returns the editor on the ladder (the diagram of throws over time), which is made
            when first used.
    """

    def toggle() -> None:
        _toggle_editor(editor, ladder)

    def after_opening(action: Action) -> Callable[[], object]:
        """Return a handler that opens the editor, and performs the action there."""

        def open_and_perform() -> None:
            toggle()
            editor.perform(action)

        return open_and_perform

    return {
        Action.EDIT: toggle,
        Action.EVENTS: lambda: library.files.toggle_events(editor),
        Action.HANDLE_BEFORE: after_opening(Action.HANDLE_BEFORE),
        Action.HANDLE_AFTER: after_opening(Action.HANDLE_AFTER),
        Action.EDIT_MENU: after_opening(Action.EDIT_MENU),
    }


def _toggle_editor(editor: EditController, ladder: Callable[[], LadderEditor]) -> None:
    model = editor.model
    editor.toggle()
    if editor.shown:
        editor.handling[LADDER] = ladder()
        model.lab = None
        model.cards.help_shown = False
        _show_strip(model, LADDER)


def _go_back(editor: EditController, palette: Palette) -> None:
    """Close or cancel the topmost thing that is open; each press of the key does one of them.

    If nothing is open, a notice says how to quit. The key itself never quits, as many people press
    it once too often.

    Args:
        editor: the editor of handles, which holds the model, too.
        palette: the palette of commands.
    """
    model = editor.model
    # From the topmost down: help lies over everything, the editor under all cards.
    if palette.shown:
        palette.toggle()
    elif model.cards.help_shown:
        model.cards.help_shown = False
    elif editor.let_go():
        pass  # that has cancelled a drag, or unselected handles
    elif model.entry.typed is not None:
        model.entry.cancel()
    elif model.pattern_error is not None or model.line != model.text:
        model.drop_pattern()
    elif model.preset_list.shown:
        model.preset_list.close()
    elif model.listing.query:
        model.listing.query = ""
    elif model.lab is not None:
        model.lab = None
    elif editor.shown:
        editor.toggle()
    elif model.cards.strip is not None and model.cards.panel_shown:
        _show_strip(model, None)
    else:
        model.notice.say(_("Nothing to close. {key} quits.", key=caption(Action.LEAVE)))
