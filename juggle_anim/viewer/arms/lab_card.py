"""The card of the arm lab, and the gizmo that moves its goal.

The card names the arm and the solver, and plots how the arm follows the goal step by step. The
gizmo has arrows, and rings if the goal can be turned, which the mouse drags.

Card of plots: curves of one arm over the loop, with a choice of the arm and of the curves.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise

import numpy as np
from imgui_bundle import imgui, implot
from imgui_bundle.imguizmo import im_guizmo

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.language import N_, _
from juggle_anim.scene import Camera
from juggle_anim.viewer.arms.arm_lab import (
    TITLES,
    TOLERANCE,
    ArmLab,
    Curve,
    FollowMethod,
    LoopArms,
    arm_curves,
)
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import (
    Card,
    Frame,
    Slot,
    begin_card,
    draw_key_button,
    draw_tabs,
    draw_text,
    draw_text_before,
    focus,
    key_button_width,
    measure,
    place_button,
    px,
)
from juggle_anim.viewer.layout import Layout, Rectangle, project_points
from juggle_anim.viewer.panel.controls import ArmSelection, Pages
from juggle_anim.viewer.panel.values import option_words
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action, term_tip
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.undo import IdentityCache

SHORT_TITLES = tuple(
    title.split(" ")[-1] if before.split(" ")[0] == title.split(" ")[0] else title
    for before, title in pairwise(("", *TITLES))
)
"""Titles of curves, each without the limb that the title before it names too."""

_MIN_PLOT_WIDTH = 160.0  # smallest width of a plot, at scale 1
# Sizes of the card at scale 1, [pixels].
_HEAD_HEIGHT = 28.0
_TITLE_HEIGHT = 20.0
_TICK_SIZE = 10.5
_FLAGS = implot.Flags_.canvas_only | implot.Flags_.no_inputs | implot.Flags_.no_frame


class PlotsCard(Card):
    """Curves of one arm over the loop, computed once for each animation and arm."""

    name = "plots"
    slot = Slot.STRIP

    def __init__(self) -> None:
        self.plots = Plots()
        self._curves = _CurveCache()
        self._ghost_curves = _CurveCache()

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card: a head, and as many plots as there is room for.

        A drag in a plot goes to a time.

        Args:
            frame: gives the controller, and by it the model.
            place: place of the card in the window, [pixels].
        """
        controller = frame.controller
        begin_card(self.name, place)
        model = controller.model
        pad = px(_PAD)
        gap = px(_PLOT_GAP)
        inner = Rectangle(
            place.left + pad,
            place.top + px(8),
            place.width - 2 * pad,
            place.height - px(14),
        )

        # As many plots as fit beside each other, one at least.
        pages = model.plots
        fitting = int((inner.width + gap) / (px(_MIN_PLOT_WIDTH) + gap))
        pages.capacity = max(min(fitting, pages.count), 1)
        _draw_head(controller, inner)

        # Curves of the arm, and of the ghost's behind them.
        curves = self._curves.of(model.animation, model.arm)
        ghost = (
            self._ghost_curves.of(model.animation.ghost, model.arm)
            if model.animation.ghost
            else None
        )
        top = inner.top + px(_HEAD_HEIGHT)
        width = (inner.width + gap) / len(pages.indices) - gap
        phase = model.playback.phase(model.animation.duration)
        for column, number in enumerate(pages.indices):
            cell = Rectangle(inner.left + column * (width + gap), top, width, inner.bottom - top)
            curve = curves[number]
            # The sample nearest to the present time.
            count = curve.values.shape[1]
            now = round(phase * count) % count
            lines = self.plots.draw_curve(
                cell, curve, now=now, ghost=ghost[number] if ghost else None
            )
            _scrub(model, lines, curve.title)
        imgui.end()

    def close(self) -> None:
        """Release everything."""
        self.plots.close()


class _CurveCache:
    """Remembers the last curves."""

    def __init__(self) -> None:
        self._loop = IdentityCache(LoopArms.from_animation)
        self._last: tuple[Animation, ArmSelection, tuple[Curve, ...]] | None = None

    def of(self, animation: Animation, arm: ArmSelection) -> tuple[Curve, ...]:
        """Return the curves of an arm; those of the last animation and arm are cached."""
        if self._last is not None:
            known_animation, known_arm, known_curves = self._last
            if known_animation is animation and known_arm == arm:
                return known_curves
        curves = arm_curves(self._loop.of(animation), arm.juggler, arm.side)
        self._last = animation, arm, curves
        return curves


def _draw_head(controller: Controller, inner: Rectangle) -> None:
    """Draw the arm, and the titles of all curves if they do not fit together."""
    model = controller.model
    arm = model.arm.label(model.animation.num_jugglers)
    wide = draw_key_button(
        Action.OTHER_ARM, arm, inner.left, inner.top, tint=None, perform=controller.perform
    )
    x = inner.left + wide + px(16)
    pages = model.plots
    if pages.capacity < pages.count:
        _draw_pages(model.plots, x, inner.top, inner.right - x)


def _draw_pages(pages: Pages, x: float, top: float, room: float) -> None:
    """Draw the titles of all curves to choose from: shorter, or as dots, where room is short.

    Args:
        pages: which curves are shown; a click turns to another.
        x, top: upper left corner in the window, [pixels].
        room: width, [pixels].
    """
    # Whole titles, or else short ones, or else dots.
    titles: tuple[str, ...] = TITLES
    gap = px(12)
    widths = [measure(title, ui.SMALL).width for title in titles]
    if sum(widths) + gap * (len(widths) - 1) > room:
        gap = px(10)
        titles = SHORT_TITLES
        widths = [measure(title, ui.SMALL).width for title in titles]
    dot_width = px(10)
    has_dots = sum(widths) + gap * (len(widths) - 1) > room
    if has_dots:
        widths = [dot_width] * len(widths)
        gap = px(5)
        # Behind the last dot, for the title of the one under the mouse.
        hovered_title_x = x + sum(widths) + gap * len(widths) + px(6)

    for number, (title, width) in enumerate(zip(titles, widths, strict=True)):
        spot = Rectangle(x, top, width, px(20))
        if place_button(f"plot {TITLES[number]}", spot, term_tip("plots", TITLES[number])):
            pages.turn_to(number)
        is_lit = number in pages.indices or imgui.is_item_hovered()
        if has_dots:
            centre = (x + width / 2, top + px(10))
            tint = ui.ACCENT if is_lit else ui.FAINT
            imgui.get_window_draw_list().add_circle_filled(centre, px(3.5), tint)
            if imgui.is_item_hovered():
                draw_text(hovered_title_x, top + px(3), TITLES[number], ui.MUTED, ui.SMALL)
        else:
            draw_text(x, top + px(3), title, ui.ACCENT if is_lit else ui.MUTED, ui.SMALL)
        x += width + gap


def _scrub(model: Model, lines: Rectangle, title: str) -> None:
    """Pause, and go to the time at which the mouse drags a plot.

    Args:
        model: model whose playback goes there.
        lines: lines of the plot, from the start to the end of the loop, [pixels].
        title: title of the plot.
    """
    place_button(f"scrub {title}", lines, term_tip("plot", title), tab_stop=False)
    # The last move may come with the release of the mouse.
    if imgui.is_item_active() or imgui.is_item_deactivated():
        model.playback.paused = True
        model.playback.seek(
            (imgui.get_io().mouse_pos.x - lines.left) / lines.width, model.animation.duration
        )


def curve_colours() -> tuple[int, int, int]:
    """Return the colours of the quantities in a plot."""
    return ui.ACCENT, ui.SECOND, ui.THIRD


_Line = tuple[Floats, int, float]  # values at even intervals, tint and thickness


class Plots:
    """Draws plots with ImPlot."""

    def __init__(self) -> None:
        self._context: implot.internal.Context | None = None

    def draw_curve(
        self, place: Rectangle, curve: Curve, now: int, ghost: Curve | None = None
    ) -> Rectangle:
        """Draw a curve, and behind it that of a second solver.

        Args:
            place: place of text and plot, [pixels].
            curve: what is plotted.
            now: index of the present time among the samples.
            ghost: the curve of the second solver.

        Returns:
            Where the lines are, from the first time to the last, [pixels].
        """
        text_lines = _draw_captions(place, curve, now)
        # Lines of the ghost come first, behind the others, and are thinner.
        lines: list[_Line] = [(row, ui.GHOST, 1.2) for row in ghost.values] if ghost else []
        lines += [
            (row, tint, 1.8) for row, tint in zip(curve.values, curve_colours(), strict=False)
        ]
        text_height = px(_TITLE_HEIGHT * text_lines)
        below_text = Rectangle(
            place.left, place.top + text_height, place.width, place.height - text_height
        )
        limits = curve.limits(ghost) if ghost else curve.limits()
        return self._draw_lines(below_text, name=curve.title, lines=lines, limits=limits, now=now)

    def _draw_lines(
        self,
        place: Rectangle,
        name: str,
        lines: list[_Line],
        limits: tuple[float, float],
        now: int,
    ) -> Rectangle:
        """Draw lines with a mark at the present time.

        Args:
            place: place of the plot with its axis, [pixels].
            name: name of the plot, different for each in a card.
            lines: from back to front.
            limits: lower and upper end of the vertical axis.
            now: index of the present time.

        Returns:
            Where the lines are, without the axis, [pixels].
        """
        # ImPlot's context is made for the first plot.
        if self._context is None:
            self._context = implot.create_context()
        implot.set_current_context(self._context)
        _set_plot_style()
        imgui.set_cursor_screen_pos(place.low)
        imgui.push_font(ui.font(), px(_TICK_SIZE))
        inner = place
        # Out of sight, the library draws no plot.
        if implot.begin_plot(f"##{name}", (place.width, place.height), _FLAGS):
            last = max(len(values) for values, _, _ in lines) - 1.0
            implot.setup_axes("", "", implot.AxisFlags_.no_decorations, implot.AxisFlags_.no_label)
            implot.setup_axes_limits(0.0, max(last, 1.0), *limits, imgui.Cond_.always)

            # A vertical line at the present time, the curves, and dots where they meet.
            mark = implot.Spec(line_color=_imgui_colour(ui.FAINT), line_weight=px(1.2))
            implot.plot_inf_lines("##now", np.array([float(now)]), mark)
            for number, (values, tint, weight) in enumerate(lines):
                spec = implot.Spec(
                    line_color=_imgui_colour(tint), line_weight=px(weight * ui.LINE_SCALE)
                )
                implot.plot_line(
                    f"##{number}", np.ascontiguousarray(values, dtype=float), spec=spec
                )
            draw = implot.get_plot_draw_list()
            for values, tint, _ in lines:
                dot = implot.plot_to_pixels(float(now), float(values[min(now, len(values) - 1)]))
                draw.add_circle_filled((dot.x, dot.y), px(3.2), tint)

            # Where the library has put the lines beside the axis.
            corner = implot.get_plot_pos()
            size = implot.get_plot_size()
            inner = Rectangle(corner.x, corner.y, size.x, size.y)
            implot.end_plot()
        imgui.pop_font()
        return inner

    def close(self) -> None:
        """Release everything."""
        if self._context is not None:
            implot.destroy_context(self._context)
            self._context = None


def _draw_captions(place: Rectangle, curve: Curve, now: int) -> int:
    """Draw the title and value, or the names and values of several quantities.

    Args:
        place: place of text and plot, [pixels].
        curve: what is plotted.
        now: index of the present time.

    Returns:
        How many lines of text there are.
    """
    if len(curve.names) == 1:
        draw_text(place.left, place.top, curve.title, ui.MUTED, ui.SMALL)
        value = curve.value_text(quantity=0, sample=now)
        draw_text_before(place.right, place.top, value, curve_colours()[0], ui.SMALL, strong=True)
        return 1
    # Each name with its value in the colour of its line; the value below the name where room is
    # short.
    gap = px(10)
    line_count = 1
    captions = [f"{_(name)} {curve.value_text(row, now)}" for row, name in enumerate(curve.names)]
    if sum(measure(caption, ui.SMALL).width + gap for caption in captions) > place.width:
        line_count = 2
        captions = [
            f"{_(name)}\n{curve.value_text(row, now)}" for row, name in enumerate(curve.names)
        ]
    x = place.left
    for caption, tint in zip(captions, curve_colours(), strict=False):
        draw_text(x, place.top, caption, tint, ui.SMALL)
        x += measure(caption, ui.SMALL).width + gap
    return line_count


def _imgui_colour(tint: int) -> imgui.ImVec4:
    """Return a packed colour as ImPlot's."""
    return imgui.color_convert_u32_to_float4(tint)


def _set_plot_style() -> None:
    """Set ImPlot's colours and margins."""
    style = implot.get_style()
    style.plot_padding = imgui.ImVec2(px(2), px(4))
    style.label_padding = imgui.ImVec2(px(4), px(2))
    style.plot_min_size = imgui.ImVec2(px(40), px(24))
    style.plot_border_size = 0.0
    # Colours by ImPlot's names; 0 is transparent.
    colours = {
        "plot_bg": ui.TRACK,
        "frame_bg": 0,
        "axis_text": ui.MUTED,
        "axis_grid": ui.LINE,
    }
    for name, tint in colours.items():
        style.set_color_(getattr(implot.Col_, name), _imgui_colour(tint))


# Sizes of the card at scale 1, [pixels].
_PAD = 12.0
_ROW_HEIGHT = 25.0
_PLOT_GAP = 18.0
_MIN_EXPLAINED_WIDTH = 560.0  # a narrower card does not explain its keys

GIZMO_SIZE = 60.0
"""Length of the arrows at scale 1, [pixels]."""

_RING_SIZE = 46.0
_MIN_SHOWN_STEP = 0.05  # cm; a shorter one rounds to nothing
_LIBRARY_NUMBERS = "X : -0.000 Y : -0.000 Z : -0.000"  # the widest text that ImGuizmo writes
_LIBRARY_GAP = 15.0  # pixels from the goal to that text
_GIZMO_REACH = 1.25  # lengths of an arrow around the goal, where the mouse leaves the camera


class LabCard(Card):
    """The arm lab: the arm and its solver, plots of the iterations, and the gizmo at the goal."""

    name = "lab"
    slot = Slot.STRIP

    def __init__(self) -> None:
        self._plots = Plots()

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card and the gizmo; nothing while there is no arm lab.

        Args:
            frame: gives the lab, the camera, and the controller, on which keys act.
            place: place of the card in the window, [pixels].
        """
        controller = frame.controller
        lab = frame.model.lab
        if lab is None:
            return
        draw_gizmo(lab, frame.layout, frame.model.rig.camera)

        # A row with the arm on the left and how it follows on the right.
        begin_card(self.name, place)
        pad = px(_PAD)
        left = place.left + pad
        width = place.width - 2 * pad
        top = place.top + px(9)
        arm = lab.arm.label(controller.model.animation.num_jugglers)
        draw_key_button(Action.OTHER_ARM, arm, left, top, tint=ui.INK, perform=controller.perform)
        words, tint = status(lab)
        draw_text_before(left + width, top + px(3), words, tint, ui.SMALL, strong=True)
        top += px(_ROW_HEIGHT)

        # A row with the methods on the left and the keys on the right.
        explained = width > px(_MIN_EXPLAINED_WIDTH)
        _draw_methods(controller, lab, left, top, explained=explained)
        _draw_keys(controller, lab, left + width, top, explained=explained)
        top += px(_ROW_HEIGHT + 2)

        # Two plots side by side, marked at the last iteration.
        gap = px(_PLOT_GAP)
        plot_width = (width - gap) / 2
        height = place.bottom - px(6) - top
        for column, curve in enumerate(trace_curves(lab)):
            cell = Rectangle(left + column * (plot_width + gap), top, plot_width, height)
            last_iteration = curve.values.shape[1] - 1
            self._plots.draw_curve(cell, curve, now=last_iteration)
        imgui.end()

    def close(self) -> None:
        """Release the plots."""
        self._plots.close()


def status(lab: ArmLab) -> tuple[str, int]:
    """Return how the arm follows the goal, in words in the user's language, and their colour.

    One of three: the goal is reached, the arm is on its way, or it cannot come nearer.

    Args:
        lab: the arm lab, in which an arm follows a goal for its hand; `error` is the distance to
            the goal, [m], and `reach` the distance of the goal as a share of the arm's length.
    """
    reach = _("{reach:.0f}% of the arm", reach=100 * lab.reach)
    if lab.error <= TOLERANCE:
        steps = (
            _(" in {step_count} steps", step_count=lab.step_count)
            if lab.is_iterative and lab.step_count > 1
            else ""
        )
        return _("Reached{steps}, {reach}", steps=steps, reach=reach), ui.ACCENT
    if lab.is_iterative and not lab.converged:
        return _(
            "Step {step_count}: {error:.1f} cm to go",
            step_count=lab.step_count,
            error=100 * lab.error,
        ), ui.MUTED
    return _("Out of reach by {error:.1f} cm", error=100 * lab.error), ui.ERROR


def trace_curves(lab: ArmLab) -> tuple[Curve, Curve]:
    """Return curves of the distance left after each iteration, and of the steps of the elbow."""
    missing = np.array([[100 * step.error for step in lab.trace]])
    moved = np.array([[100 * step.elbow_step for step in lab.trace]])
    curve = partial(Curve, unit="cm", min_span=1.0, decimals=2, from_zero=True)
    return (
        curve(_("Distance to goal"), names=(_("Distance to goal"),), values=missing),
        curve(_("Elbow moved"), names=(_("Moved"),), values=moved),
    )


def _draw_methods(
    controller: Controller, lab: ArmLab, x: float, y: float, *, explained: bool
) -> None:
    """Draw the methods by which the arm follows as tabs, with their key; a click changes it.

    Args:
        controller: controller on which the key acts.
        lab: the arm lab, whose method (a solver, or iterations on a joint chain) is shown and
            changed.
        x, y: upper left corner in the window, [pixels].
        explained: whether there is room to name the solver, too.
    """
    key_width = draw_key_button(Action.METHOD, "", x, y, tint=ui.INK, perform=controller.perform)
    x += key_width + px(4)
    methods = list(FollowMethod)
    words = [_(method.value) for method in methods]
    # The solver that the animation uses, beside the tab of solvers.
    if explained:
        solver = option_words(controller.model.animation.parameters.arms)
        words[methods.index(FollowMethod.SOLVER)] += f": {solver}"
    clicked = draw_tabs([method.value for method in methods], words, lab.method.value, x, y)
    if clicked:
        lab.use_method(FollowMethod(clicked))


def _draw_keys(
    controller: Controller, lab: ArmLab, right: float, y: float, *, explained: bool
) -> None:
    """Draw the keys of the present actions from the right, those that are switched on in colour.

    Args:
        controller: performs the action of a key that is clicked.
        lab: the arm lab, in which one arm follows a goal. Only iterative solvers have more keys.
        right, y: upper right corner of the row in the window, [pixels].
        explained: whether there is room for words beside the keys.
    """
    # Action, words, and whether it is switched on.
    keys = [(Action.BACK, N_("Close"), False)]
    if lab.is_iterative:
        keys = [
            (Action.ITERATE, N_("Iterate"), False),
            (Action.HOLD, N_("Wait"), lab.paused),
            (Action.TURN_GOAL, N_("Turn"), lab.orients_hand),
            *keys,
        ]
    for action, words, is_on in reversed(keys):
        shown_words = words if explained else ""
        right -= key_button_width(action, shown_words)
        tint = ui.ACCENT if is_on else ui.INK
        draw_key_button(action, shown_words, right, y, tint=tint, perform=controller.perform)
        right -= px(12 if explained else 4)


def draw_gizmo(lab: ArmLab, layout: Layout, camera: Camera) -> None:
    """Draw the gizmo at the goal of the arm lab, and move the goal as the mouse drags it.

    A gizmo is a figure of arrows and rings by which a thing is moved and turned.

    Args:
        lab: lab whose goal is drawn and moved; its `held_from`, the goal's place and rotation as
            the drag began, is set here.
        layout: layout of the window.
        camera: camera of the picture.
    """
    # ImGuizmo, the library of the gizmo, draws behind the cards, over the whole window.
    im_guizmo.begin_frame()
    im_guizmo.set_orthographic(camera.orthographic)
    im_guizmo.set_drawlist(imgui.get_background_draw_list())
    im_guizmo.set_rect(0.0, 0.0, layout.width, layout.height)
    _set_gizmo_style()

    # Rings to turn, if the goal sets the orientation, and arrows to move.
    before = lab.place, lab.goal_rotation
    if lab.orients_hand and lab.is_iterative:
        _manipulate(lab, layout, camera, im_guizmo.OPERATION.rotate, px(_RING_SIZE))
    _manipulate(lab, layout, camera, im_guizmo.OPERATION.translate, px(GIZMO_SIZE))

    # While the mouse drags, say how far the goal is from where it was at the start of the drag.
    if not im_guizmo.is_using_any():
        lab.held_from = None
    else:
        lab.held_from = lab.held_from or before
        _draw_moved(moved_words(lab), *on_screen(lab.goal, layout, camera))
    if im_guizmo.is_over():
        x, y = on_screen(lab.goal, layout, camera)
        half = px(GIZMO_SIZE)
        focus.explain("gizmo", Rectangle(x - half, y - half, 2 * half, 2 * half), term_tip("gizmo"))


def _manipulate(
    lab: ArmLab, layout: Layout, camera: Camera, operation: im_guizmo.OPERATION, size: float
) -> None:
    """Draw a gizmo, by which the mouse drags or rotates the goal.

    Args:
        lab: lets one arm follow the goal.
        layout: layout of the window.
        camera: camera of the picture.
        operation: to move or to turn.
        size: size of the gizmo, [pixels].
    """
    # The goal as a transform from its own frame to the world.
    place = np.eye(4)
    place[:3, :3] = lab.goal_rotation
    place[:3, 3] = lab.goal
    matrix = _library_matrix(place)
    view = _library_matrix(camera.view())
    projection = _library_matrix(camera.projection(layout.width / layout.height))
    # The size is a share of clip space, in which the window is 2 wide.
    im_guizmo.set_gizmo_size_clip_space(2 * size / layout.width)
    im_guizmo.push_id(operation.value)
    is_rotation = operation == im_guizmo.OPERATION.rotate
    mode = im_guizmo.MODE.local if is_rotation else im_guizmo.MODE.world
    # The library changes the matrix in place.
    if im_guizmo.manipulate(view, projection, operation, mode, matrix):
        # The matrix is column-major. It may be scaled after a drag, so take the nearest rotation.
        moved = np.asarray(matrix.values, dtype=float).reshape(4, 4).T
        lab.place_goal(moved[:3, 3], _nearest_rotation(moved[:3, :3]) if is_rotation else None)
    im_guizmo.pop_id()


def moved_words(lab: ArmLab) -> str:
    """Return how far the mouse has moved and turned the goal: `left 3.2 cm, up 1.0 cm`.

    Directions are the juggler's; steps too short to read are left out.

    Args:
        lab: lets one arm follow a goal.
    """
    place, rotation = lab.held_from or (lab.place, lab.goal_rotation)
    # Names of the positive and the negative direction of each axis.
    axis_names = ((_("left"), _("right")), (_("up"), _("down")), (_("forward"), _("back")))
    steps = (100 * (lab.place - place)).tolist()  # cm
    words = []
    for step, (positive, negative) in zip(steps, axis_names, strict=True):
        if abs(step) >= _MIN_SHOWN_STEP:
            words.append(f"{positive if step >= 0 else negative} {abs(step):.1f} cm")
    # Angle of a rotation R: cos φ = (tr R − 1) / 2.
    cosine = (np.trace(rotation.T @ lab.goal_rotation) - 1) / 2
    turned = math.degrees(math.acos(min(max(float(cosine), -1.0), 1.0)))
    if turned >= 1:
        words.append(_("turned {turned:.0f}°", turned=turned))
    return ", ".join(words) or _("not moved yet")


def _draw_moved(words: str, x: float, y: float) -> None:
    """Draw how far the goal has been moved, over the numbers of ImGuizmo, which lack units.

    ImGuizmo is the library that draws the arrows by which the goal is moved.

    Args:
        words: such as `left 3.2 cm, up 1.0 cm`.
        x, y: position of the goal in the window, [pixels].
    """
    draw = imgui.get_background_draw_list()
    pad = px(8)
    # A box large enough to hide the widest text of the library.
    library_text = imgui.calc_text_size(_LIBRARY_NUMBERS)
    words_width, words_height = measure(words, ui.SMALL, strong=True)
    left = x + _LIBRARY_GAP - pad
    top = y + _LIBRARY_GAP - pad
    right = left + max(words_width, library_text.x) + 2 * pad
    bottom = top + max(words_height, library_text.y) + 2 * pad
    draw.add_rect_filled((left, top), (right, bottom), ui.SHEET, px(7))
    draw.add_rect((left, top), (right, bottom), ui.LINE, rounding=px(7), thickness=px(1))
    text_top = (top + bottom - words_height) / 2
    draw_text(left + pad, text_top, words, ui.INK, ui.SMALL, strong=True, draw=draw)


def gizmo_covers(lab: ArmLab, layout: Layout, camera: Camera, x: float, y: float) -> bool:
    """Whether a place in the window belongs to the gizmo, [pixels] from the upper left corner."""
    left, top = on_screen(lab.goal, layout, camera)
    return math.hypot(x - left, y - top) < _GIZMO_REACH * GIZMO_SIZE * layout.scale


def on_screen(point: Floats, layout: Layout, camera: Camera) -> tuple[float, float]:
    """Return where a point of the world is in the window, [pixels] from the upper left corner."""
    x, y = project_points(
        np.asarray(point)[None], camera, Rectangle(0.0, 0.0, layout.width, layout.height)
    )[0]
    return float(x), float(y)


def _library_matrix(rows: Floats) -> im_guizmo.Matrix16:
    """Return a matrix of shape (4, 4) as the library's, which lists columns."""
    return im_guizmo.Matrix16(rows.T.ravel().tolist())


def _nearest_rotation(matrix: Floats) -> Floats:
    """Return the rotation nearest to a matrix: the library adds up small errors."""
    # Orthogonal Procrustes: with M = U Σ Vᵀ it is U Vᵀ.
    left, _unused, right = np.linalg.svd(matrix)
    return np.asarray(left @ right)


def _set_gizmo_style() -> None:
    """Set the thickness of lines and arrows of the gizmo."""
    style = im_guizmo.get_style()
    style.translation_line_thickness = px(3.5)
    style.translation_line_arrow_size = px(7)
    style.rotation_line_thickness = px(2.5)
    style.center_circle_size = px(6)
