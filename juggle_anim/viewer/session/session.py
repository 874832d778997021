"""A session: restores the viewer as it was closed, and saves its state while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError, ViewerError
from juggle_anim.language import _
from juggle_anim.notation import open_pattern
from juggle_anim.parameters import Group, Parameters
from juggle_anim.scene.camera import CAMERA_PRESETS, EYE_VIEW
from juggle_anim.viewer.camera.camera_keys import CameraKey
from juggle_anim.viewer.camera.camera_rig import DEFAULT_VIEW, within_jugglers
from juggle_anim.viewer.camera.orbit import MIN_DISTANCE, Orbit
from juggle_anim.viewer.diagrams.diagrams import KINDS, STATES
from juggle_anim.viewer.editor.documents import Document, FileStamp
from juggle_anim.viewer.footage.footage import FootageView
from juggle_anim.viewer.footage.marks import Mark
from juggle_anim.viewer.panel.overrides import overrides_of, path_of, with_overrides
from juggle_anim.viewer.screenshot import Numbers
from juggle_anim.viewer.session.file import (
    OtherHalf,
    SavedFile,
    SavedFilm,
    SavedView,
    SessionFile,
    SessionState,
    custom_bindings,
)
from juggle_anim.viewer.session.recovery import Autosave, offer_recovered
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import BINDINGS, use_bindings
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.live_change import LEFT, RIGHT
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.open_cards import FACTS, FOOTAGE, PLOTS
from juggle_anim.viewer.state.undo import Step
from juggle_anim.viewer.window_open import WindowPlace, fitting_place, screens_of

_SAVE_INTERVAL = 1.0  # s; whatever ends the program, no more than this is lost

DEFAULT_PATTERN = "Cascade"
"""The pattern of a viewer that is opened without one."""


class Session:
    """Restores a viewer as it was closed, and saves its state while it runs.

    Args:
        controller: of the viewer.
        window: pyglet's.
        file: of the session; None to save nothing.
        resumed: whether to show the pattern of the last session.
    """

    def __init__(
        self, controller: Controller, window: Any, file: SessionFile | None, resumed: bool
    ) -> None:
        """Restore the viewer; notices say what cannot be restored."""
        self.window_lost = False
        """Whether another program has destroyed the window."""
        self.is_first = bool(file and file.is_first)
        """Whether no viewer was opened here before."""
        self._controller = controller
        self._window = window
        self._file = file
        state = file.state if file else SessionState()

        # The window comes to its old place, if that still is on a screen.
        screens = screens_of(window.display) if state.place else []
        size = window.get_size()
        self._window_place = WindowPlace(
            window, fitting_place(state.place, size, screens) if state.place else None
        )
        self._size = size
        self._next_save = monotonic() + _SAVE_INTERVAL

        # Keys first: they hold even where the rest cannot be restored.
        bindings, key_errors = custom_bindings(BINDINGS, state.keys)
        use_bindings(bindings)
        errors = [file.error if file else "", *key_errors]
        try:
            restore_session(state, controller, resumed)
        # Whatever stands there must not keep this window and all later ones from opening.
        except Exception as error:
            aside = file.set_aside() if file else ""
            errors.append(
                _(
                    "The viewer's settings cannot be restored ({error}){aside}",
                    error=error,
                    aside=aside,
                )
            )
        if message := "; ".join(filter(None, errors)):
            controller.model.notice.say(message, bad=True)
        # Unsaved work of windows that ended is offered at once.
        self._autosave = (
            Autosave(file.path.parent / "recovery") if file and file.has_place else None
        )
        self._autosave_error = ""
        if self._autosave:
            offer_recovered(controller, self._autosave)

    def advance(self, elapsed: float) -> bool:
        """Let time pass, [s], and save now and then; returns whether the window must be redrawn."""
        self._window_place.advance(elapsed)
        # `elapsed` is shorter than that where a frame takes long.
        if monotonic() > self._next_save:
            self._next_save = monotonic() + _SAVE_INTERVAL
            self._write(closing=False)
        return self._keep_unsaved() | self._controller.library.advance(elapsed)

    def end(self) -> None:
        """Save the state and the unsaved work at exit, also where a signal ends the program."""
        if self._autosave:
            self._autosave.end(self._controller.model.documents.unsaved)
        self._write(closing=True)

    def _keep_unsaved(self) -> bool:
        """Keep unsaved work; returns whether there is something new to tell about it."""
        if self._autosave is None:
            return False
        self._autosave.advance(self._controller.model.documents.unsaved)
        told = self._autosave_error
        self._autosave_error = self._autosave.error
        if self._autosave_error and self._autosave_error != told:
            self._controller.model.notice.say(self._autosave_error, bad=True)
            return True
        return False

    def _write(self, closing: bool) -> None:
        """Write the session file, if something has changed or the window closes."""
        if self._file is None:
            return
        state = capture_session(self._controller, self._file.state, closing)
        # A lost window has no size or place, and those of a full screen are not to be restored.
        if not self.window_lost and not self._window.fullscreen:
            self._size = self._window.get_size()
            state = replace(state, place=self._window_place.now)
        before = self._file.error
        if self._file.write(replace(state, size=self._size), last=closing):
            update_lists(self._file.state, self._controller.library)
        if self._file.error != before:
            self._controller.model.notice.say(self._file.error, bad=True)


def last_animation(state: SessionState) -> tuple[Animation, str]:
    """Return the animation of the last session, or the default one if it cannot be opened.

    Returns:
        The animation, with its motion computed, and an error message; empty if there was none.
    """
    error_message = ""
    if state.pattern:
        try:
            return _checked_animation(state.pattern, state.parameters), ""
        except Exception as error:  # of any kind, or else no later viewer would open
            error_message = _(
                "What was open last cannot be opened: {error}", error=" ".join(str(error).split())
            )
    return _checked_animation(DEFAULT_PATTERN, {}), error_message


def restore_session(state: SessionState, controller: Controller, resumed: bool) -> None:
    """Restore a saved state in a new viewer.

    Args:
        state: of the last session.
        controller: of the new viewer.
        resumed: whether to restore the pattern too, and not only panels, lists and cards.
    """
    model = controller.model
    browser = controller.library.browser
    browser.recent = list(state.recent)
    browser.favourites = list(state.favourites)
    controller.library.files.recent = list(state.files)
    model.cards.panel_shown = state.panel
    _restore_cards(state, model)
    if not resumed:
        return
    # The pattern plays already; what follows goes with it: its name, file and time.
    model.name_events(state.pattern)
    if state.document:
        _restore_document(state.document, model)
    model.playback.time = state.time
    model.playback.paused = state.paused
    if state.draft:
        model.line = state.draft

    # The camera: a view by name, whom it follows, and an orbit of the user's own.
    if state.standpoint in (*CAMERA_PRESETS, EYE_VIEW):
        model.rig.fly(state.standpoint)
    model.rig.following = within_jugglers(state.juggler, model.animation.jugglers)
    if state.view:
        view = state.view
        field_of_view = Orbit.of(model.rig.camera).field_of_view
        orbit = Orbit(
            view.target,
            max(view.distance, MIN_DISTANCE),
            view.azimuth,
            view.elevation,
            field_of_view,
        )
        # Moves by nothing bring values from a file into their limits.
        model.rig.hold(orbit.rotated(0.0, 0.0).zoomed(0.0))
    if state.beside:
        _open_other_half(state.beside, controller)
    if state.film:
        _open_film(state.film, controller.footage)
    model.camera_keys.restore(CameraKey(*view) for view in state.camera_path)


def _restore_document(document: SavedFile, model: Model) -> None:
    """Register the present pattern as a document of its file, edited where they differ."""
    try:
        settings = open_pattern(document.path)
        own = Step(settings.score, settings.applied_to(Parameters()), document.path)
    except JuggleError:
        return  # the file is gone: the pattern is in no file
    model.documents.add(
        Document(own, model.chosen_step, Path(document.path), FileStamp(*document.stamp))
    )


def _restore_cards(state: SessionState, model: Model) -> None:
    """Restore the cards and folded groups, which do not depend on the pattern.

    Names that this version does not know leave the defaults.
    """
    # Diagram, plots and facts share a place, so that one of them is shown.
    if state.diagram in (*KINDS, STATES):
        model.diagrams.show(state.diagram)
    elif state.plots is not None:
        model.plots.first = min(state.plots, model.plots.count - 1)
        model.cards.strip = PLOTS
    elif state.facts:
        model.cards.strip = FACTS
    model.beat_line.shown = state.beats
    model.live_change = state.live
    if state.numbers in list(Numbers):
        model.screen.numbers = Numbers(state.numbers)
    if state.folded is not None:
        model.listing.folded = {group for group in Group if group.value in state.folded}
    model.window_controls.restore(state.window)
    if state.sound:
        model.sound.resume()


def update_lists(state: SessionState, library: LibraryController) -> None:
    """Update a library with recent and favourite patterns, and recent files, from other windows."""
    browser = library.browser
    library.files.recent = list(state.files)
    if (state.recent, state.favourites) == (tuple(browser.recent), tuple(browser.favourites)):
        return
    # The pattern that is chosen in the browser stays chosen where it comes to stand elsewhere.
    chosen = browser.chosen if library.is_browsing and browser.shelf.index else None
    browser.recent = list(state.recent)
    browser.favourites = list(state.favourites)
    if chosen:
        browser.choose_text(browser.text_of(chosen))


def capture_session(controller: Controller, before: SessionState, closing: bool) -> SessionState:
    """Return the state of a viewer to save, without that of its window.

    Args:
        controller: of the viewer.
        before: the state saved last; fields that the controller does not know are copied from it.
        closing: whether the viewer is closing; the time of a playing animation is saved only then.
    """
    model = controller.model
    browser = controller.library.browser
    controller.library.visited.note_recent()
    document = controller.library.files.shown
    animation = model.animation
    shown_text = model.text
    if lesson_start := controller.lesson.start:
        # A lesson ends with the window; the pattern is kept as it was.
        document = model.documents.owner(lesson_start.score) or document
        animation = Animation(lesson_start.score, lesson_start.parameters)
        shown_text = lesson_start.text
    if closing and document.is_discarded and document.saved:
        # Edits that the user discards at the end do not come back.
        animation = Animation(document.saved.score, document.saved.parameters)
        shown_text = document.saved.text
    pattern, parameters = _text_and_overrides(animation, shown_text)
    # Events need no stamp: their text names the file.
    stamp = document.stamp if animation.pattern and document.path else None
    # While the animation plays, its time would change the file with every save.
    save_time = closing or model.playback.paused
    return replace(
        before,
        pattern=pattern,
        parameters=parameters,
        document=SavedFile(str(document.path), stamp) if stamp else None,
        draft=model.line if model.line != model.text else "",
        time=round(model.playback.time % model.animation.duration, 4) if save_time else before.time,
        paused=model.playback.paused,
        panel=model.cards.panel_shown,
        diagram=model.diagrams.kind,
        beats=model.beat_line.shown,
        facts=model.cards.strip == FACTS,
        plots=model.plots.first if model.cards.strip == PLOTS else None,
        numbers=str(model.screen.numbers),
        sound=model.sound.on,
        live=model.live_change,
        folded=tuple(group.value for group in Group if group in model.listing.folded),
        window=model.window_controls.changed,
        juggler=model.rig.following,
        standpoint=model.rig.view if model.rig.view != DEFAULT_VIEW else "",
        view=_saved_view(model.rig.orbit) if model.rig.is_manual else None,
        beside=_other_half(model),
        film=_shown_film(controller.footage),
        camera_path=tuple(
            (key.azimuth, key.elevation, key.seconds) for key in model.camera_keys.keys
        ),
        recent=tuple(browser.recent),
        favourites=tuple(browser.favourites),
        files=tuple(controller.library.files.recent),
    )


def _checked_animation(text: str, overrides: Mapping[str, float | str | None]) -> Animation:
    settings = open_pattern(text)
    own = Animation(settings.score, Parameters())
    animation = with_overrides(own, {**settings.parameters, **overrides})
    animation.motion  # noqa: B018 - raises here if the pattern cannot be juggled
    return animation


def _open_film(film: SavedFilm, footage: FootageView) -> None:
    """Show the film of the last session with its controls and marks, and its card closed.

    A film that cannot be opened is left out with a notice.
    """
    try:
        footage.open(film.path)
    except ViewerError as error:
        footage.model.notice.say(
            _("The film of last time is not shown: {error}", error=error), bad=True
        )
        return
    footage.model.cards.close(FOOTAGE)
    footage.controls.restore(film.controls)
    footage.clock.lag = film.lag
    footage.marks.made = [Mark(*mark) for mark in film.marks]


def _shown_film(footage: FootageView) -> SavedFilm | None:
    if footage.film is None:
        return None
    marks = tuple((round(mark.pressed, 4), round(mark.released, 4)) for mark in footage.marks.made)
    return SavedFilm(
        str(footage.path.absolute()), footage.controls.changed, round(footage.clock.lag, 5), marks
    )


def _open_other_half(beside: OtherHalf, controller: Controller) -> None:
    try:
        animation = _checked_animation(beside.pattern, beside.parameters)
    except JuggleError:
        return  # the view is not split, as in a new window
    shown = animation.text if animation.pattern else beside.pattern
    controller.split.open(animation, shown, LEFT if beside.right else RIGHT)


def _other_half(model: Model) -> OtherHalf | None:
    if model.other is None:
        return None
    pattern, parameters = _text_and_overrides(model.other.animation, model.other.text)
    return OtherHalf(pattern, parameters, model.half == LEFT) if pattern else None


def _text_and_overrides(
    animation: Animation, shown: str
) -> tuple[str, dict[str, float | str | None]]:
    """Return the text that opens an animation, and the parameters that this text does not hold."""
    if animation.pattern:
        return animation.settings, {}
    path = path_of(shown)
    return path, overrides_of(animation, path) if path else {}


def _saved_view(orbit: Orbit) -> SavedView:
    x, y, z = (round(part, 4) for part in orbit.target)
    return SavedView(
        (x, y, z), round(orbit.distance, 4), round(orbit.azimuth, 5), round(orbit.elevation, 5)
    )
