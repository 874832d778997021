"""The card of the arm lab: whose hand has a goal, how the arm follows it, and how that goes, step by step."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from juggle_anim.viewer import theme
from juggle_anim.viewer.actions import Controller
from juggle_anim.viewer.arm_curves import Curve
from juggle_anim.viewer.arm_lab import REACHED, ArmLab, Way
from juggle_anim.viewer.card import begin_card, draw_tabs
from juggle_anim.viewer.curve_plot import Plots
from juggle_anim.viewer.keycap import draw_key_button
from juggle_anim.viewer.keys import Action
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.theme import Theme

_PAD, _ROW, _GAP = 12.0, 25.0, 18.0
_WIDE = 560.0  # from here on keys are explained


def draw_lab_card(controller: Controller, lab: ArmLab, plots: Plots, look: Theme, place: Rectangle) -> None:
    """Draw the card in the place that the layout gives it, [pixels]."""
    begin_card("lab", place)
    pad = look.size(_PAD)
    left, width, top = place.left + pad, place.width - 2 * pad, place.top + look.size(9)
    arm = lab.arm.words(controller.model.animation.jugglers)
    if draw_key_button(look, Action.OTHER_ARM, arm, left, top, theme.INK)[1]:
        controller.perform(Action.OTHER_ARM)
    words, tint = status(lab)
    wide = look.measure(words, theme.SMALL, strong=True)[0]
    look.text(left + width - wide, top + look.size(3), words, tint, theme.SMALL, strong=True)
    top += look.size(_ROW)
    explained = width > look.size(_WIDE)
    _draw_ways(controller, lab, look, left, top, explained)
    _draw_keys(controller, lab, look, left + width, top, explained)
    top += look.size(_ROW + 2)
    gap = look.size(_GAP)
    for column, curve in enumerate(trace_curves(lab)):
        across = (width - gap) / 2
        cell = Rectangle(left + column * (across + gap), top, across, place.bottom - look.size(6) - top)
        plots.draw_curve(look, cell, curve, curve.values.shape[1] - 1)
    imgui.end()


def status(lab: ArmLab) -> tuple[str, int]:
    """How it goes, for a reader, and the colour of the words."""
    reach = f"{100 * lab.reach:.0f}% of the arm"
    if lab.missing <= REACHED:
        steps = f" in {lab.steps} steps" if lab.iterative and lab.steps > 1 else ""
        return f"Reached{steps}, {reach}", theme.ACCENT
    if lab.iterative and not lab.resting:
        return f"Step {lab.steps}: {100 * lab.missing:.1f} cm missing", theme.MUTED
    return f"Out of reach by {100 * lab.missing:.1f} cm", theme.ERROR


def trace_curves(lab: ArmLab) -> tuple[Curve, Curve]:
    """The trace as curves: what was missing after each step, and how far each moved the elbow."""
    missing = np.array([[100 * step.missing for step in lab.trace]])
    moved = np.array([[100 * step.moved for step in lab.trace]])
    left = Curve("Missing", "cm", ("Missing",), missing, 1.0, 2, from_zero=True)
    return left, Curve("Elbow moved", "cm", ("Moved",), moved, 1.0, 2, from_zero=True)


def _draw_ways(controller: Controller, lab: ArmLab, look: Theme, x: float, y: float, explained: bool) -> None:
    wide, pressed = draw_key_button(look, Action.WAY, "", x, y, theme.INK)
    if pressed:
        controller.perform(Action.WAY)
    x += wide + look.size(4)
    words = [way.value for way in Way]
    if explained:
        words[list(Way).index(Way.SOLVER)] += f": {controller.model.animation.parameters.arms}"
    if clicked := draw_tabs(look, [way.value for way in Way], words, lab.way.value, x, y):
        lab.choose(Way(clicked))


def _draw_keys(controller: Controller, lab: ArmLab, look: Theme, right: float, y: float, explained: bool) -> None:
    """Keys of what can be asked for now, from the right; what is on is in colour."""
    keys = [(Action.BACK, "Close", False)]
    if lab.iterative:
        keys = [
            (Action.ITERATE, "Iterate", False),
            (Action.HOLD, "Wait", lab.held),
            (Action.TURN_GOAL, "Turn", lab.turning),
            *keys,
        ]
    for action, words, lit in reversed(keys):
        words = words if explained else ""
        right -= draw_key_button(look, action, words, right, y, draw=False)[0]
        if draw_key_button(look, action, words, right, y, theme.ACCENT if lit else theme.INK)[1]:
            controller.perform(action)
        right -= look.size(12 if explained else 4)
