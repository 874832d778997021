"""A session: restores the viewer as it was closed, and saves its state while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError
from juggle_anim.notation import open_pattern
from juggle_anim.parameters import Group, Parameters
from juggle_anim.scene.camera import CAMERA_PRESETS
from juggle_anim.viewer.screenshot import Numbers
from juggle_anim.viewer.session.file import SessionFile
from juggle_anim.viewer.session.state import OtherHalf, SavedView, SessionState
from juggle_anim.viewer.state.actions import Controller
from juggle_anim.viewer.state.browser import Browser
from juggle_anim.viewer.state.camera_rig import DEFAULT_VIEW, EYE_VIEW, within_jugglers
from juggle_anim.viewer.state.diagrams import KINDS
from juggle_anim.viewer.state.keymap import BINDINGS, custom_bindings, use_bindings
from juggle_anim.viewer.state.model import LEFT, RIGHT, Model
from juggle_anim.viewer.state.orbit import Orbit
from juggle_anim.viewer.state.overrides import overrides_of, path_of, with_overrides
from juggle_anim.viewer.window_place import WindowPlace, fitting_place, screens_of

_SAVE_INTERVAL = 2.0  # s; whatever ends the program, no more than this is lost

DEFAULT_PATTERN = "Cascade"
"""What a viewer shows that nobody has told what to show."""


class Session:
    """Brings a viewer to where it was closed, and writes down where it is.

    Args:
        controller: of the viewer.
        window: pyglet's.
        file: of the memory; None where nothing is to be remembered.
        resumed: whether the pattern of the last time is shown.
    """

    def __init__(self, controller: Controller, window: Any, file: SessionFile | None, resumed: bool) -> None:
        self.window_lost = False
        """Whether somebody else has destroyed the window."""
        self._controller, self._window, self._file = controller, window, file
        memory = file.state if file else SessionState()
        screens = screens_of(window.display) if memory.place else []
        size = window.get_size()
        self._window_place = WindowPlace(window, fitting_place(memory.place, size, screens) if memory.place else None)
        self._size, self._unsaved_time = size, 0.0
        bindings, complaints = custom_bindings(BINDINGS, memory.keys)
        use_bindings(bindings)
        restore_session(memory, controller, resumed)
        said = [file.error if file else "", *complaints]
        if trouble := "; ".join(filter(None, said)):
            controller.model.notice.say(trouble, bad=True)

    def advance(self, elapsed: float) -> bool:
        """Let time pass, [s], and write down from time to time; returns whether something is to be drawn anew."""
        self._window_place.advance(elapsed)
        self._unsaved_time += elapsed
        if self._unsaved_time > _SAVE_INTERVAL:
            self._unsaved_time = 0.0
            self._write(closing=False)
        return self._controller.library.advance(elapsed)

    def end(self) -> None:
        """Write down how it ends."""
        self._write(closing=True)

    def _write(self, closing: bool) -> None:
        if self._file is None:
            return
        memory = capture_session(self._controller, self._file.state, closing)
        # A full screen is no size to open with.
        if not self.window_lost and not self._window.fullscreen:
            self._size = self._window.get_size()
            memory = replace(memory, place=self._window_place.now)
        before = self._file.error
        if self._file.write(replace(memory, size=self._size), last=closing):
            update_lists(self._file.state, self._controller.library.browser)
        if self._file.error != before:
            self._controller.model.notice.say(self._file.error, bad=True)


def remembered_animation(memory: SessionState) -> tuple[Animation, str]:
    """What was juggled when the viewer was closed, and why it is something else where that cannot be.

    Returns:
        The animation, its motion computed, and a sentence; empty where all is well.
    """
    trouble = ""
    if memory.pattern:
        try:
            return _animation(memory.pattern, memory.parameters), ""
        except JuggleError as error:
            trouble = f"What was open last cannot be opened: {' '.join(str(error).split())}"
    return _animation(DEFAULT_PATTERN, {}), trouble


def restore_session(memory: SessionState, controller: Controller, resumed: bool) -> None:
    """Give a new viewer what is remembered.

    Args:
        memory: from the last time.
        controller: of a viewer that begins.
        resumed: whether it goes on with the pattern of the last time, and not with one that somebody named.
    """
    model, browser = controller.model, controller.library.browser
    browser.recent, browser.favourites = list(memory.recent), list(memory.favourites)
    model.panel_shown = memory.panel
    _recall_cards(memory, model)
    if not resumed:
        return
    model.name_events(memory.pattern)
    model.playback.time, model.playback.paused = memory.time, memory.paused
    if memory.draft:
        model.line = memory.draft
    if memory.standpoint in (*CAMERA_PRESETS, EYE_VIEW):
        model.rig.fly(memory.standpoint)
    model.rig.following = within_jugglers(memory.juggler, model.animation.jugglers)
    if memory.view:
        seen = memory.view
        angle = Orbit.of(model.rig.camera).field_of_view
        orbit = Orbit(seen.target, seen.distance, seen.azimuth, seen.elevation, angle)
        model.rig.hold(orbit.rotated(0.0, 0.0).zoomed(0.0))
    if memory.beside:
        _open_beside(memory.beside, controller)


def _recall_cards(memory: SessionState, model: Model) -> None:
    """Show what was shown, and fold what was folded, whatever is juggled now."""
    if memory.diagram in KINDS:
        model.diagrams.show(memory.diagram)
    elif memory.plots is not None:
        model.plots.first, model.plots.shown = min(memory.plots, model.plots.count - 1), True
    model.beat_line.shown = memory.beats
    if memory.numbers in list(Numbers):
        model.screen.numbers = Numbers(memory.numbers)
    model.listing.folded = {group for group in Group if group.value in memory.folded}
    if memory.sound:
        model.sound.resume()


def update_lists(memory: SessionState, browser: Browser) -> None:
    """Give a browser the favourites and recent patterns of other windows, too."""
    if (memory.recent, memory.favourites) == (tuple(browser.recent), tuple(browser.favourites)):
        return
    chosen = browser.chosen if browser.shown and browser.shelf.index else None
    browser.recent, browser.favourites = list(memory.recent), list(memory.favourites)
    if chosen:
        browser.choose_text(browser.text_of(chosen))


def capture_session(controller: Controller, before: SessionState, closing: bool) -> SessionState:
    """What is to be remembered of a viewer; the window is no part of it.

    Args:
        controller: of the viewer.
        before: what was remembered until now; what is not of the controller stays as it is there.
        closing: whether the viewer ends; the time of a picture that moves is remembered only then.
    """
    model, browser = controller.model, controller.library.browser
    controller.library.note_recent()
    pattern, parameters = _written(model.animation, model.text)
    still = closing or model.playback.paused
    return replace(
        before,
        pattern=pattern,
        parameters=parameters,
        draft=model.line if model.line != model.text else "",
        time=round(model.playback.time % model.animation.duration, 4) if still else before.time,
        paused=model.playback.paused,
        panel=model.panel_shown,
        diagram=model.diagrams.kind,
        beats=model.beat_line.shown,
        plots=model.plots.first if model.plots.shown else None,
        numbers=str(model.screen.numbers),
        sound=model.sound.on,
        folded=tuple(group.value for group in Group if group in model.listing.folded),
        juggler=model.rig.following,
        standpoint=model.rig.view if model.rig.view != DEFAULT_VIEW else "",
        view=_view(model.rig.orbit) if model.rig.is_manual else None,
        beside=_beside(model),
        recent=tuple(browser.recent),
        favourites=tuple(browser.favourites),
    )


def _animation(text: str, given: Mapping[str, float | str | None]) -> Animation:
    settings = open_pattern(text)
    own = Animation(settings.score, Parameters())
    animation = with_overrides(own, {**settings.parameters, **given})
    animation.motion  # noqa: B018 - so that what cannot be juggled is found here
    return animation


def _open_beside(beside: OtherHalf, controller: Controller) -> None:
    try:
        animation = _animation(beside.pattern, beside.parameters)
    except JuggleError:
        return  # one picture is shown, as in a new window
    shown = animation.text if animation.pattern else beside.pattern
    controller.split.open(animation, shown, LEFT if beside.right else RIGHT)


def _beside(model: Model) -> OtherHalf | None:
    if model.other is None:
        return None
    pattern, parameters = _written(model.other.animation, model.other.text)
    return OtherHalf(pattern, parameters, model.half == LEFT) if pattern else None


def _written(animation: Animation, shown: str) -> tuple[str, dict[str, float | str | None]]:
    """The text that opens what is shown, and parameters that it does not say."""
    if animation.pattern:
        return animation.settings, {}
    path = path_of(shown)
    return path, overrides_of(animation, path) if path else {}


def _view(orbit: Orbit) -> SavedView:
    x, y, z = (round(part, 4) for part in orbit.target)
    return SavedView((x, y, z), round(orbit.distance, 4), round(orbit.azimuth, 5), round(orbit.elevation, 5))
