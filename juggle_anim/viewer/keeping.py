"""Keeping: what of a viewer goes into its memory, and comes back from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError
from juggle_anim.notation import open_pattern
from juggle_anim.parameters import Group, Parameters
from juggle_anim.scene.standpoints import STANDPOINTS
from juggle_anim.viewer.actions import Controller
from juggle_anim.viewer.browser import Browser
from juggle_anim.viewer.camera_rig import EYES, USUAL
from juggle_anim.viewer.diagrams import KINDS
from juggle_anim.viewer.following import Following
from juggle_anim.viewer.memory import Beside, Memory, View
from juggle_anim.viewer.model import LEFT, RIGHT, Model
from juggle_anim.viewer.numbers import Numbers
from juggle_anim.viewer.orbit import Orbit
from juggle_anim.viewer.tuning import path_of, tuning_of, with_tuning

START = "Cascade"
"""What a viewer shows that nobody has told what to show."""


def remembered_animation(memory: Memory) -> tuple[Animation, str]:
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
    return _animation(START, {}), trouble


def recall(memory: Memory, controller: Controller, resumed: bool) -> None:
    """Give a new viewer what is remembered.

    Args:
        memory: from the last time.
        controller: of a viewer that begins.
        resumed: whether it goes on with the pattern of the last time, and not with one that somebody named.
    """
    model, browser = controller.model, controller.desk.browser
    browser.recent, browser.favourites = list(memory.recent), list(memory.favourites)
    model.panel_shown = memory.panel
    _recall_cards(memory, model)
    if not resumed:
        return
    model.name_events(memory.pattern)
    model.playback.time, model.playback.paused = memory.time, memory.paused
    if memory.draft:
        model.line = memory.draft
    if memory.standpoint in (*STANDPOINTS, EYES):
        model.rig.fly(memory.standpoint)
    model.rig.following = Following(memory.juggler).within(model.animation.jugglers)
    if memory.view:
        seen = memory.view
        angle = Orbit.of(model.rig.camera).field_of_view
        orbit = Orbit(seen.target, seen.distance, seen.azimuth, seen.elevation, angle)
        model.rig.hold(orbit.turned(0.0, 0.0).zoomed(0.0))
    if memory.beside:
        _open_beside(memory.beside, controller)


def _recall_cards(memory: Memory, model: Model) -> None:
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


def share(memory: Memory, browser: Browser) -> None:
    """Give a browser the favourites and recent patterns of other windows, too."""
    if (memory.recent, memory.favourites) == (tuple(browser.recent), tuple(browser.favourites)):
        return
    chosen = browser.chosen if browser.shown and browser.shelf.at else None
    browser.recent, browser.favourites = list(memory.recent), list(memory.favourites)
    if chosen:
        browser.find(browser.text_of(chosen))


def remember(controller: Controller, before: Memory, closing: bool) -> Memory:
    """What is to be remembered of a viewer; the window is no part of it.

    Args:
        controller: of the viewer.
        before: what was remembered until now; what is not of the controller stays as it is there.
        closing: whether the viewer ends; the time of a picture that moves is remembered only then.
    """
    model, browser = controller.model, controller.desk.browser
    controller.desk.note_recent()
    pattern, parameters = _written(model.animation, model.shown)
    still = closing or model.playback.paused
    return replace(
        before,
        pattern=pattern,
        parameters=parameters,
        draft=model.line if model.line != model.shown else "",
        time=round(model.playback.time % model.animation.duration, 4) if still else before.time,
        paused=model.playback.paused,
        panel=model.panel_shown,
        diagram=model.diagrams.kind,
        beats=model.beat_line.shown,
        plots=model.plots.first if model.plots.shown else None,
        numbers=str(model.screen.numbers),
        sound=model.sound.on,
        folded=tuple(group.value for group in Group if group in model.listing.folded),
        juggler=model.rig.following.juggler,
        standpoint=model.rig.view if model.rig.view != USUAL else "",
        view=_view(model.rig.orbit) if model.rig.held else None,
        beside=_beside(model),
        recent=tuple(browser.recent),
        favourites=tuple(browser.favourites),
    )


def _animation(text: str, given: Mapping[str, float | str | None]) -> Animation:
    settings = open_pattern(text)
    own = Animation(settings.score, Parameters())
    animation = with_tuning(own, {**settings.parameters, **given})
    animation.motion  # noqa: B018 - so that what cannot be juggled is found here
    return animation


def _open_beside(beside: Beside, controller: Controller) -> None:
    try:
        animation = _animation(beside.pattern, beside.parameters)
    except JuggleError:
        return  # one picture is shown, as in a new window
    shown = animation.text if animation.pattern else beside.pattern
    controller.split.open(animation, shown, LEFT if beside.right else RIGHT)


def _beside(model: Model) -> Beside | None:
    if model.other is None:
        return None
    pattern, parameters = _written(model.other.animation, model.other.shown)
    return Beside(pattern, parameters, model.half == LEFT) if pattern else None


def _written(animation: Animation, shown: str) -> tuple[str, dict[str, float | str | None]]:
    """The text that opens what is shown, and parameters that it does not say."""
    if animation.pattern:
        return animation.settings, {}
    path = path_of(shown)
    return path, tuning_of(animation, path) if path else {}


def _view(orbit: Orbit) -> View:
    x, y, z = (round(part, 4) for part in orbit.target)
    return View((x, y, z), round(orbit.distance, 4), round(orbit.azimuth, 5), round(orbit.elevation, 5))
