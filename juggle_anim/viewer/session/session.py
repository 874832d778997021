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
        self, controller: Controller, window: Any, file: SessionFile | None, *, resumed: bool
    ) -> None:
        """Restore window, keys, patterns and cards of the last session.

        Whatever cannot be restored is told by a notice, and work that was not saved is offered.

        Args:
            controller: of the viewer.
            window: pyglet's.
            file: of the session; None to save nothing.
            resumed: whether to show the pattern of the last session.
        """
        self.window_lost = False
        """Whether another program has destroyed the window."""
        self.is_first = bool(file and file.is_first)
        """Whether no viewer was opened here before."""
        self._controller = controller
        self._window = window
        self._file = file
        state = file.state if file else SessionState()
        # The place of the window, if it is still visible on one of the screens.
        screens = screens_of(window.display) if state.place else []
        size = window.get_size()
        self._window_place = WindowPlace(
            window, fitting_place(state.place, size, screens) if state.place else None
        )
        self._size = size
        self._due = monotonic() + _SAVE_INTERVAL
        bindings, key_errors = custom_bindings(BINDINGS, state.keys)
        use_bindings(bindings)
        errors = [file.error if file else "", *key_errors]
        try:
            restore_session(state, controller, resumed=resumed)
        # Whatever stands there must not keep this window and all later ones from opening.
        except Exception as error:
            aside = file.set_aside() if file else ""
            errors.append(
                _(
                    "Cannot restore the viewer's settings ({error}){aside}",
                    error=error,
                    aside=aside,
                )
            )
        message = "; ".join(filter(None, errors))
        if message:
            controller.model.notice.say(message, bad=True)
        self._autosave = (
            Autosave(file.path.parent / "recovery") if file and file.has_place else None
        )
        self._autosave_error = ""
        if self._autosave:
            offer_recovered(controller, self._autosave)

    def advance(self, elapsed: float) -> bool:
        """Let time pass, and save now and then; return whether the window must be redrawn.

        Args:
            elapsed: since the last call, [s].
        """
        self._window_place.advance(elapsed)
        # `elapsed` is shorter than that where a frame takes long.
        if monotonic() > self._due:
            self._due = monotonic() + _SAVE_INTERVAL
            self._write(closing=False)
        has_new_error = self._keep_unsaved()
        library_changed = self._controller.library.advance(elapsed)
        return has_new_error or library_changed

    def end(self) -> None:
        """Save the state and the unsaved work at exit, also where a signal ends the program."""
        if self._autosave:
            # The session and its history hold all else.
            unsaved = self._controller.model.documents.unsaved
            self._autosave.end([document for document in unsaved if document.needs_file])
        self._write(closing=True)

    def _keep_unsaved(self) -> bool:
        """Keep unsaved work; returns whether there is something new to tell about it."""
        if self._autosave is None:
            return False
        self._autosave.advance(self._controller.model.documents.unsaved)
        previous_error = self._autosave_error
        self._autosave_error = self._autosave.error
        if self._autosave_error and self._autosave_error != previous_error:
            self._controller.model.notice.say(self._autosave_error, bad=True)
            return True
        return False

    def _write(self, *, closing: bool) -> None:
        """Write the session file, if something has changed or the window closes.

        Afterwards the lists of recent and favourite patterns have what other windows added to the
        file.

        Args:
            closing: whether the window closes.
        """
        if self._file is None:
            return
        state = capture_session(self._controller, self._file.state, closing=closing)
        # The size of a full screen is not one to restore.
        if not self.window_lost and not self._window.fullscreen:
            self._size = self._window.get_size()
            state = replace(state, place=self._window_place.now)
        before = self._file.error
        if self._file.write(replace(state, size=self._size), closing=closing):
            update_lists(self._file.state, self._controller.library)
        if self._file.error != before:
            self._controller.model.notice.say(self._file.error, bad=True)


def last_animation(state: SessionState) -> tuple[Animation, str]:
    """Open the animation of the last session, or the default one if that is not possible.

    Args:
        state: of the last session.

    Returns:
        The animation, with its motion computed, and an error message; empty if there was none.
    """
    error_message = ""
    if state.pattern:
        try:
            return _animation_of_text(state.pattern, state.parameters), ""
        except Exception as error:  # of any kind, or else no later viewer would open
            error_message = _(
                "Cannot reopen the last pattern: {error}", error=" ".join(str(error).split())
            )
    return _animation_of_text(DEFAULT_PATTERN, {}), error_message


def restore_session(state: SessionState, controller: Controller, *, resumed: bool) -> None:
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
    model.cards.panel_shown = state.panel  # and what else does not depend on the pattern
    _restore_cards(state, model)
    if not resumed:
        return
    # The pattern's name and file, its time, and what was typed.
    model.name_events(state.pattern)
    if state.document:
        _restore_document(state.document, model)
    model.playback.time = state.time
    model.playback.paused = state.paused
    if state.draft:
        model.line = state.draft
    if state.standpoint in (*CAMERA_PRESETS, EYE_VIEW):
        model.rig.fly(state.standpoint)
    model.rig.following = within_jugglers(state.juggler, model.animation.jugglers)
    # A camera that was moved by hand; turning and zooming it by nothing brings it within limits.
    if state.view:
        view = state.view
        field_of_view = Orbit.from_camera(model.rig.camera).field_of_view
        orbit = Orbit(
            view.target,
            max(view.distance, MIN_DISTANCE),
            azimuth=view.azimuth,
            elevation=view.elevation,
            field_of_view=field_of_view,
        )
        model.rig.hold(orbit.rotated(0.0, 0.0).zoomed(0.0))
    if state.beside:
        _open_other_half(state.beside, controller)
    if state.film:
        _open_film(state.film, controller.footage)
    model.camera_keys.restore(CameraKey(*view) for view in state.camera_path)


def _restore_document(document: SavedFile, model: Model) -> None:
    """Make the pattern a document of its file again.

    It counts as edited where it differs from what the file holds now.

    Args:
        document: path and version of the file.
        model: that juggles the pattern already.
    """
    try:
        settings = open_pattern(document.path)
        saved_step = Step(settings.score, settings.applied_to(Parameters()), document.path)
    except JuggleError:
        return  # the file is gone: the pattern is in no file
    model.documents.add(
        Document(
            saved_step,
            model.chosen_step,
            path=Path(document.path),
            stamp=FileStamp(*document.stamp),
        )
    )


def _restore_cards(state: SessionState, model: Model) -> None:
    """Restore cards, folded groups and controls of the window, which fit any pattern.

    Args:
        state: of the last session.
        model: to change.
    """
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
    """Show recent and favourite patterns, and recent files, that other windows have changed.

    The pattern that is chosen in the browser stays chosen.

    Args:
        state: as read from the session file.
        library: to change.
    """
    browser = library.browser
    library.files.recent = list(state.files)
    if (state.recent, state.favourites) == (tuple(browser.recent), tuple(browser.favourites)):
        return
    # Only lists of favourites or recent patterns (a shelf other than 0) change under the choice.
    chosen = browser.chosen if library.is_browsing and browser.shelf.index else None
    browser.recent = list(state.recent)
    browser.favourites = list(state.favourites)
    if chosen:
        browser.choose_text(browser.text_of(chosen))


def capture_session(controller: Controller, before: SessionState, *, closing: bool) -> SessionState:
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
    text = model.text
    before_lesson = controller.lesson.start
    if before_lesson:
        # A lesson ends with the window; the pattern is kept as it was.
        document = model.documents.owner(before_lesson.score) or document
        animation = Animation(before_lesson.score, before_lesson.parameters)
        text = before_lesson.text
    # Edits that the user has discarded do not come back.
    if closing and document.is_discarded and document.saved:
        animation = Animation(document.saved.score, document.saved.parameters)
        text = document.saved.text
    pattern, parameters = _text_and_overrides(animation, text)
    stamp = document.stamp if animation.pattern and document.path else None
    # While it plays, the time alone would have the file written every second.
    saves_time = closing or model.playback.paused
    return replace(
        before,
        pattern=pattern,
        parameters=parameters,
        document=SavedFile(str(document.path), stamp) if stamp else None,
        draft=model.line if model.line != model.text else "",
        time=round(model.playback.time % model.animation.duration, 4)
        if saves_time
        else before.time,
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
        beside=_saved_other_half(model),
        film=_saved_film(controller.footage),
        camera_path=tuple(
            (key.azimuth, key.elevation, key.seconds) for key in model.camera_keys.keys
        ),
        recent=tuple(browser.recent),
        favourites=tuple(browser.favourites),
        files=tuple(controller.library.files.recent),
    )


def _animation_of_text(text: str, overrides: Mapping[str, float | str | None]) -> Animation:
    settings = open_pattern(text)
    own = Animation(settings.score, Parameters())
    animation = with_overrides(own, {**settings.parameters, **overrides})
    animation.motion  # noqa: B018 - raises here if the pattern cannot be juggled
    return animation


def _open_film(film: SavedFilm, footage: FootageView) -> None:
    """Open the film of the last session with its controls and marks, or say why it is not shown.

    Args:
        film: as saved.
        footage: that shows it; its card, which opening a film shows, is closed again.
    """
    try:
        footage.open(film.path)
    except ViewerError as error:
        footage.model.notice.say(_("Cannot show the last video: {error}", error=error), bad=True)
        return
    footage.model.cards.close(FOOTAGE)
    footage.controls.restore(film.controls)
    footage.clock.lag = film.lag
    footage.marks.made = [Mark(*mark) for mark in film.marks]


def _saved_film(footage: FootageView) -> SavedFilm | None:
    if footage.film is None:
        return None
    marks = tuple((round(mark.pressed, 4), round(mark.released, 4)) for mark in footage.marks.made)
    return SavedFilm(
        str(footage.path.absolute()),
        controls=footage.controls.changed,
        lag=round(footage.clock.lag, 5),
        marks=marks,
    )


def _open_other_half(beside: OtherHalf, controller: Controller) -> None:
    try:
        animation = _animation_of_text(beside.pattern, beside.parameters)
    except JuggleError:
        return  # the view is not split, as in a new window
    text = animation.text if animation.pattern else beside.pattern
    controller.split.open(animation, text, active_half=LEFT if beside.right else RIGHT)


def _saved_other_half(model: Model) -> OtherHalf | None:
    if model.other is None:
        return None
    pattern, parameters = _text_and_overrides(model.other.animation, model.other.text)
    return OtherHalf(pattern, parameters, right=model.half == LEFT) if pattern else None


def _text_and_overrides(
    animation: Animation, text: str
) -> tuple[str, dict[str, float | str | None]]:
    """Return the text that opens an animation, and the parameters that this text does not hold."""
    if animation.pattern:
        return animation.settings, {}
    path = path_of(text)
    return path, overrides_of(animation, path) if path else {}


def _saved_view(orbit: Orbit) -> SavedView:
    x, y, z = (round(part, 4) for part in orbit.target)
    return SavedView(
        (x, y, z),
        distance=round(orbit.distance, 4),
        azimuth=round(orbit.azimuth, 5),
        elevation=round(orbit.elevation, 5),
    )
