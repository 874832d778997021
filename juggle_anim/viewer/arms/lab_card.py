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
        fitting_count = int((inner.width + gap) / (px(_MIN_PLOT_WIDTH) + gap))
        pages.capacity = max(min(fitting_count, pages.count), 1)
        _draw_head(controller, inner)

        # Curves of the arm, and behind them those of the ghost, the same arm by another solver.
        curves = self._curves.of(model.animation, model.arm)
        ghost_curves = (
            self._ghost_curves.of(model.animation.ghost, model.arm)
            if model.animation.ghost
            else None
        )
        top = inner.top + px(_HEAD_HEIGHT)
        width = (inner.width + gap) / len(pages.indices) - gap
        phase = model.playback.phase(model.animation.duration)
        for column, curve_index in enumerate(pages.indices):
            cell = Rectangle(inner.left + column * (width + gap), top, width, inner.bottom - top)
            curve = curves[curve_index]
            # The sample nearest to the present time.
            sample_count = curve.values.shape[1]
            now = round(phase * sample_count) % sample_count
            ghost = ghost_curves[curve_index] if ghost_curves else None
            lines = self.plots.draw_curve(cell, curve, now=now, ghost=ghost)
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
    widths = [measure(title).width for title in titles]
    if sum(widths) + gap * (len(widths) - 1) > room:
        gap = px(10)
        titles = SHORT_TITLES
        widths = [measure(title).width for title in titles]
    has_dots = sum(widths) + gap * (len(widths) - 1) > room
    if has_dots:
        gap = px(5)
        widths = [px(10)] * len(titles)
    # Behind the last dot, where the title of the dot under the mouse is written.
    hovered_title_x = x + sum(widths) + gap * len(widths) + px(6)

    left = x
    for index, (title, width) in enumerate(zip(titles, widths, strict=True)):
        full_title = TITLES[index]
        spot = Rectangle(left, top, width, px(20))
        if place_button(f"plot {full_title}", spot, term_tip("plots", full_title)):
            pages.turn_to(index)
        is_lit = index in pages.indices or imgui.is_item_hovered()
        if has_dots:
            centre = (left + width / 2, top + px(10))
            tint = ui.ACCENT if is_lit else ui.FAINT
            imgui.get_window_draw_list().add_circle_filled(centre, px(3.5), tint)
            if imgui.is_item_hovered():
                draw_text(hovered_title_x, top + px(3), full_title, ui.MUTED)
        else:
            draw_text(left, top + px(3), title, ui.ACCENT if is_lit else ui.MUTED)
        left += width + gap


def _scrub(model: Model, lines: Rectangle, title: str) -> None:
    """Let the user drag in a plot: pause playback, and move it to the time below the mouse.

    Args:
        model: model whose playback is paused and moved to that time.
        lines: where the curves of the plot are, from the start to the end of the loop, [pixels].
        title: title of the plot.
    """
    place_button(f"scrub {title}", lines, term_tip("plot", title), tab_stop=False)
    # The mouse may still have moved in the frame of its release, so that frame counts too.
    if imgui.is_item_active() or imgui.is_item_deactivated():
        model.playback.paused = True
        # Beside the plot the phase is below 0 or above 1; `seek` limits it to the present loop.
        phase = ui.mouse_share(lines)
        model.playback.seek(phase, model.animation.duration)


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
        """Draw the plot of a curve, which may have several lines, with its title and values.

        Args:
            place: place of text and plot, [pixels].
            curve: what is plotted: one to three quantities at equal steps of time.
            now: index of the present time among the samples.
            ghost: the same quantities by a second solver, drawn behind; None for none.

        Returns:
            Where the lines are, from the first time to the last, [pixels].
        """
        caption_line_count = _draw_captions(place, curve, now)
        # Lines of the ghost come first, behind the others, and are thinner.
        lines: list[_Line] = [(values, ui.GHOST, 1.2) for values in ghost.values] if ghost else []
        lines += [
            (values, tint, 1.8) for values, tint in zip(curve.values, curve_colours(), strict=False)
        ]
        text_height = px(_TITLE_HEIGHT * caption_line_count)
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
            lines: values at equal steps of time, tint and thickness of each, from back to front.
            limits: lower and upper end of the vertical axis.
            now: index of the present time among the values.

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
            # The horizontal axis counts samples. It needs a length, even for a single sample.
            last_index = max(len(values) for values, _tint, _weight in lines) - 1.0
            implot.setup_axes("", "", implot.AxisFlags_.no_decorations, implot.AxisFlags_.no_label)
            implot.setup_axes_limits(0.0, max(last_index, 1.0), *limits, imgui.Cond_.always)

            # A vertical line at the present time, the curves, and dots where they meet.
            mark = implot.Spec(line_color=_imgui_colour(ui.FAINT), line_weight=px(1.2))
            implot.plot_inf_lines("##now", np.array([float(now)]), mark)
            for index, (values, tint, weight) in enumerate(lines):
                spec = implot.Spec(
                    line_color=_imgui_colour(tint), line_weight=px(weight * ui.LINE_SCALE)
                )
                implot.plot_line(f"##{index}", np.ascontiguousarray(values, dtype=float), spec=spec)
            draw = implot.get_plot_draw_list()
            for values, tint, _weight in lines:
                # The loop of a ghost may have fewer samples.
                present_value = float(values[min(now, len(values) - 1)])
                dot = implot.plot_to_pixels(float(now), present_value)
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
    """Draw the title and value of a plot, or the names and values of its several quantities.

    Args:
        place: place of text and plot, [pixels].
        curve: what is plotted.
        now: index of the present time among the samples.

    Returns:
        How many lines of text there are: 1 or 2.
    """
    if len(curve.names) == 1:
        draw_text(place.left, place.top, curve.title, ui.MUTED)
        value = curve.value_text(quantity=0, sample=now)
        first_tint, *_other_tints = curve_colours()
        draw_text_before(place.right, place.top, value, first_tint, strong=True)
        return 1
    # Each name with its value in the colour of its line; the value below the name where room is
    # short.
    gap = px(10)
    line_count = 1
    names_and_values = [
        (_(name), curve.value_text(quantity, now)) for quantity, name in enumerate(curve.names)
    ]
    captions = [f"{name} {value}" for name, value in names_and_values]
    if sum(measure(caption).width + gap for caption in captions) > place.width:
        line_count = 2
        captions = [f"{name}\n{value}" for name, value in names_and_values]
    x = place.left
    for caption, tint in zip(captions, curve_colours(), strict=False):
        draw_text(x, place.top, caption, tint)
        x += measure(caption).width + gap
    return line_count


def _imgui_colour(tint: int) -> imgui.ImVec4:
    """Return a packed colour as ImPlot's."""
    return imgui.color_convert_u32_to_float4(tint)


def _set_plot_style() -> None:
    """Set the colours and margins of ImPlot, which draws plots, to those of the cards."""
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

        In the arm lab one arm follows a goal for its hand, which the mouse moves by the gizmo, a
        figure of arrows and rings.

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
        draw_text_before(left + width, top + px(3), words, tint, strong=True)
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

    There are three cases: the goal is reached, the arm is on its way, or it cannot come nearer.

    Args:
        lab: the arm lab, in which an arm follows a goal for its hand; `error` is the distance to
            the goal, [m], and `reach` the distance of the goal as a share of the arm's length.
    """
    if lab.error <= TOLERANCE:
        steps = (
            _(" in {step_count} steps", step_count=lab.step_count)
            if lab.is_iterative and lab.step_count > 1
            else ""
        )
        reach = _("{reach:.0f}% of the arm", reach=100 * lab.reach)
        return _("Reached{steps}, {reach}", steps=steps, reach=reach), ui.ACCENT
    if lab.is_iterative and not lab.converged:
        return _(
            "Step {step_count}: {error:.1f} cm to go",
            step_count=lab.step_count,
            error=100 * lab.error,
        ), ui.MUTED
    return _("Out of reach by {error:.1f} cm", error=100 * lab.error), ui.ERROR


def trace_curves(lab: ArmLab) -> tuple[Curve, Curve]:
    """Return curves over the last iterations: the distance to the goal, and the elbow's steps."""
    # One quantity a curve: shape (1, iterations), [cm].
    distances = np.array([[100 * iteration.error for iteration in lab.trace]])
    elbow_steps = np.array([[100 * iteration.elbow_step for iteration in lab.trace]])
    curve_in_cm = partial(Curve, unit="cm", min_span=1.0, decimals=2, from_zero=True)
    return (
        curve_in_cm(_("Distance to goal"), names=(_("Distance to goal"),), values=distances),
        curve_in_cm(_("Elbow moved"), names=(_("Moved"),), values=elbow_steps),
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
    methods = list(FollowMethod)
    labels = [_(method.value) for method in methods]
    # The tab of solvers also names the one that the animation uses.
    if explained:
        solver = option_words(controller.model.animation.parameters.arms)
        labels[methods.index(FollowMethod.SOLVER)] += f": {solver}"
    names = [method.value for method in methods]
    clicked_name = draw_tabs(names, labels, lab.method.value, x + key_width + px(4), y)
    if clicked_name:
        lab.use_method(FollowMethod(clicked_name))


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
    # Action, words, and whether it is switched on; from the right to the left.
    keys = [(Action.BACK, N_("Close"), False)]
    if lab.is_iterative:
        keys += [
            (Action.TURN_GOAL, N_("Turn"), lab.orients_hand),
            (Action.HOLD, N_("Wait"), lab.paused),
            (Action.ITERATE, N_("Iterate"), False),
        ]
    gap = px(12 if explained else 4)
    key_right = right
    for action, words, is_on in keys:
        shown_words = words if explained else ""
        key_left = key_right - key_button_width(action, shown_words)
        tint = ui.ACCENT if is_on else ui.INK
        draw_key_button(action, shown_words, key_left, y, tint=tint, perform=controller.perform)
        key_right = key_left - gap


def draw_gizmo(lab: ArmLab, layout: Layout, camera: Camera) -> None:
    """Draw the gizmo at the goal of the arm lab, and move the goal as the mouse drags it.

    A gizmo is a figure of arrows and rings by which a thing is moved and turned.

    Args:
        lab: lab whose goal is drawn and moved. Its `held_from`, the goal's place and rotation when
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
        # The gizmo is no widget of imgui: its place is given for the tooltip.
        x, y = on_screen(lab.goal, layout, camera)
        half = px(GIZMO_SIZE)
        focus.explain("gizmo", Rectangle(x - half, y - half, 2 * half, 2 * half), term_tip("gizmo"))


def _manipulate(
    lab: ArmLab, layout: Layout, camera: Camera, operation: im_guizmo.OPERATION, size: float
) -> None:
    """Draw a gizmo of arrows or rings, by which the mouse drags or rotates the goal.

    Args:
        lab: the arm lab with the goal of a hand.
        layout: layout of the window.
        camera: camera of the picture.
        operation: to move or to turn.
        size: size of the gizmo, [pixels].
    """
    # The goal as a transform from its own frame to the world.
    transform = np.eye(4)
    transform[:3, :3] = lab.goal_rotation
    transform[:3, 3] = lab.goal
    matrix = _library_matrix(transform)
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
        moved_transform = np.asarray(matrix.values, dtype=float).reshape(4, 4).T
        rotation = _nearest_rotation(moved_transform[:3, :3]) if is_rotation else None
        lab.place_goal(moved_transform[:3, 3], rotation)
    im_guizmo.pop_id()


def moved_words(lab: ArmLab) -> str:
    """Return how far the mouse has moved and turned the goal: `left 3.2 cm, up 1.0 cm`.

    Directions are the juggler's. Steps that would be written as 0.0 cm are left out.

    Args:
        lab: the arm lab with the goal of a hand, and where the goal was when the drag began.
    """
    place_before, rotation_before = lab.held_from or (lab.place, lab.goal_rotation)
    # Names of the positive and the negative direction of each axis.
    axis_names = ((_("left"), _("right")), (_("up"), _("down")), (_("forward"), _("back")))
    steps = (100 * (lab.place - place_before)).tolist()  # cm
    words = []
    for step, (positive, negative) in zip(steps, axis_names, strict=True):
        if abs(step) >= _MIN_SHOWN_STEP:
            words.append(f"{positive if step >= 0 else negative} {abs(step):.1f} cm")
    # The angle φ of a rotation R: cos φ = (tr R − 1) / 2.
    cosine = (np.trace(rotation_before.T @ lab.goal_rotation) - 1) / 2
    degrees = math.degrees(math.acos(min(max(float(cosine), -1.0), 1.0)))
    if degrees >= 1:
        words.append(_("turned {turned:.0f}°", turned=degrees))
    return ", ".join(words) or _("not moved yet")


def _draw_moved(words: str, x: float, y: float) -> None:
    """Draw how far the goal has been moved, in a box that hides the numbers of ImGuizmo.

    ImGuizmo, the library that draws the arrows by which the goal is moved, writes numbers without
    units there.

    Args:
        words: such as `left 3.2 cm, up 1.0 cm`.
        x, y: position of the goal in the window, [pixels].
    """
    draw = imgui.get_background_draw_list()
    pad = px(8)
    # The size of the widest text of the library, [pixels].
    library_size = imgui.calc_text_size(_LIBRARY_NUMBERS)
    words_width, words_height = measure(words, strong=True)
    left = x + _LIBRARY_GAP - pad
    top = y + _LIBRARY_GAP - pad
    right = left + max(words_width, library_size.x) + 2 * pad
    bottom = top + max(words_height, library_size.y) + 2 * pad
    draw.add_rect_filled((left, top), (right, bottom), ui.SHEET, px(7))
    draw.add_rect((left, top), (right, bottom), ui.LINE, rounding=px(7), thickness=px(1))
    text_top = (top + bottom - words_height) / 2
    draw_text(left + pad, text_top, words, strong=True, draw=draw)


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
