"""Plots of props and hands over a loop, in one style, and the files that they are written to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.analysis.analyse import Analysis, hand_name
from juggle_anim.analysis.measures import STANDARD_GRAVITY
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.atomic_file import atomic_file, prepare_folder, refuse_existing
from juggle_anim.diagrams.timeline import Flight, Timeline
from juggle_anim.errors import ParameterError, require_library
from juggle_anim.formats import DRAWINGS
from juggle_anim.language import _
from juggle_anim.metadata.documents import figure_file
from juggle_anim.motion import Motion
from juggle_anim.notation import record_of
from juggle_anim.scene.palette import palette_of, prop_colours
from juggle_anim.scene.scene import BRIGHT_STAGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


MOST_HANDS = 12
"""The most hands that are drawn: more lines could not be told apart."""

_TIMES = 1500
_ALARM = "#b3261e"
_HANDS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
_WIDTHS = (3.4, 1.6, 0.9)
_LANE = 0.12

# A colour whose red, green and blue are this bright together is too pale for a line on white.
_PALE = 2.0
_DIMMED = 0.82

SMALLEST = (320, 320)
LARGEST = (8000, 8000)
"""Widths and heights that are accepted, [pixels]."""

_INCH = 100.0
_WIDEST_TEXT = 1280
_INK = "#26282c"
_FAINT = "#d9dce0"


def write_plots(
    animation: Animation,
    analysis: Analysis,
    path: Path,
    size: tuple[int, int] = (1280, 1280),
    force: bool = False,
) -> Path:
    """Write plots of an analysis: heights of props, motion of hands, and a ladder of holds and
    throws.

    Args:
        animation: that was analysed.
        analysis: its result.
        path: a file whose ending is in `formats.DRAWINGS`.
        size: width and height, [pixels]; of a hundredth of an inch each where the picture has none.
        force: whether a file that is there already may be replaced.

    Raises:
        ParameterError: another kind of file, or a size that cannot be.
        ExportError: something is there already, or it cannot be written.
    """
    check_plots(path, size, force)
    made = record_of(
        animation.score, animation.parameters, {"picture": "plots", "size": list(size)}
    )
    return write_figure(draw_plots(animation, analysis, size), path, made.text)


def draw_plots(animation: Animation, analysis: Analysis, size: tuple[int, int]) -> Figure:
    """Return the plots as a figure; arguments as of `write_plots`."""
    with new_figure(size) as figure:
        ladder = 0.6 + 0.55 * min(2 * analysis.jugglers, MOST_HANDS)
        axes: Sequence[Axes] = figure.subplots(
            5, 1, sharex=True, height_ratios=(3, 2, 2, 2, ladder)
        )
        figure.align_ylabels(axes)
        title = f"{analysis.text}  ·  {analysis.duration:.2f} s"
        figure.suptitle(cut_text(title, 64), x=0.012, ha="left", weight="bold")
        times = np.linspace(0.0, analysis.duration, _TIMES)
        _draw_props(axes[0], animation, times)
        _draw_hands(axes[1:4], animation.motion, times, analysis)
        _draw_ladder(axes[4], animation, analysis)
        for row in axes:
            _mark_trouble(row, analysis)
        axes[-1].set_xlim(0.0, analysis.duration)
        axes[-1].set_xlabel(_("time in the loop, s"))
    return figure


def _draw_props(axes: Axes, animation: Animation, times: Floats) -> None:
    """Each prop in its colour: bold in the air, faint in a hand."""
    axes.set_title(_("Height of props, m"))
    frames = animation.motion.sample(times)
    for prop, colour in enumerate(_colours(animation)):
        height = frames.props[:, prop, 1]
        axes.plot(times, height, color=colour, alpha=0.35)
        axes.plot(times, np.where(frames.holders[:, prop] < 0, height, np.nan), color=colour)


def _draw_hands(rows: Sequence[Axes], motion: Motion, times: Floats, analysis: Analysis) -> None:
    several = analysis.jugglers > 1
    shown = min(2 * analysis.jugglers, MOST_HANDS)
    frames = [
        motion.sample(times, derivative).hands.reshape(len(times), -1, 3)[:, :shown]
        for derivative in range(3)
    ]
    speed, acceleration = (np.linalg.norm(each, axis=-1) for each in frames[1:])
    titles = (_("Height of hands, m"), _("Speed of hands, m/s"), _("Acceleration of hands, g"))
    for axes, title, values in zip(
        rows, titles, (frames[0][..., 1], speed, acceleration / STANDARD_GRAVITY), strict=True
    ):
        axes.set_title(title)
        for hand in range(shown):
            axes.plot(
                times, values[:, hand], label=hand_name(hand, several), **_line(hand, several)
            )
    for axes in rows[1:]:
        axes.set_ylim(bottom=0.0)
    more = (
        _("  (the first {shown} of {jugglers})", shown=shown, jugglers=2 * analysis.jugglers)
        if shown < 2 * analysis.jugglers
        else ""
    )
    rows[0].set_title(titles[0] + more)
    rows[0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=min(shown, 6))


def _draw_ladder(axes: Axes, animation: Animation, analysis: Analysis) -> None:
    """A line for each hand: throws run from hand to hand, and a bar shows while a hand holds
    something.
    """
    hands = min(2 * analysis.jugglers, MOST_HANDS)
    axes.set_title(_("Throws from hand to hand"))
    axes.set_yticks(range(hands), [hand_name(hand, analysis.jugglers > 1) for hand in range(hands)])
    axes.set_ylim(hands - 0.6, -0.4)
    axes.grid(axis="y", visible=False)
    colours = _colours(animation)
    timeline = Timeline(animation.score, animation.performance, 1)
    for hold in timeline.holds:
        if hold.hand < hands:
            line = [hold.hand + _LANE * hold.lane] * 2
            axes.plot(
                [hold.start, hold.end], line, color=colours[hold.prop], lw=5, solid_capstyle="butt"
            )
    for flown in timeline.flights:
        if max(flown.hand, flown.to_hand) < hands:
            _arc(axes, flown, colours[flown.prop])


def _arc(axes: Axes, flown: Flight, colour: Any) -> None:
    """A throw to the same hand bows away from its line."""
    share = np.linspace(0.0, 1.0, 24)
    bow = 0.35 if flown.hand == flown.to_hand else 0.0
    side = 1.0 if flown.hand % 2 == 0 else -1.0
    line = flown.hand + (flown.to_hand - flown.hand) * share + side * bow * 4 * share * (1 - share)
    axes.plot(flown.thrown + (flown.caught - flown.thrown) * share, line, color=colour, alpha=0.75)


def _mark_trouble(axes: Axes, analysis: Analysis) -> None:
    """Collisions as thin upright lines."""
    for each in analysis.collisions:
        axes.axvline(
            each.time % analysis.duration,
            color=_ALARM,
            linestyle=(0, (2, 2)),
            linewidth=1.0,
            zorder=0.5,
        )
    if analysis.collisions and axes.get_subplotspec().is_first_row():  # type: ignore[union-attr]
        axes.set_title(_("collisions are dashed"), loc="right", color=_ALARM)


def _colours(animation: Animation) -> list[Any]:
    """Return the colours of props, pale ones a little darker."""
    performance = animation.performance
    palette = palette_of(animation.parameters.theme, BRIGHT_STAGE)
    ours = prop_colours(performance.props, palette).astype(float).tolist()
    chosen = [look.colour for look in performance.looks] or [None] * len(ours)
    colours = np.array(
        [own if look is None else look for own, look in zip(ours, chosen, strict=True)]
    ).reshape(-1, 3)
    return list(np.where(colours.sum(axis=1, keepdims=True) > _PALE, _DIMMED, 1.0) * colours)


def _line(hand: int, several: bool) -> dict[str, Any]:
    """After so many hands colours begin again, dashed; a thin line shows on a broad one where two
    hands do the same.
    """
    width = {"linewidth": _WIDTHS[hand // 2 % len(_WIDTHS)]} if several else {}
    style = "-" if hand < len(_HANDS) else (0, (4, 1.5))
    return {"color": _HANDS[hand % len(_HANDS)], "linestyle": style, **width}


@contextmanager
def new_figure(size: tuple[int, int]) -> Iterator[Figure]:
    """An empty figure; what is drawn while it is open is in our style.

    Args:
        size: width and height, [pixels]; of a hundredth of an inch each where the picture has none.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # A wide picture gets larger letters and lines, up to a point, rather than more room between
    # them.
    scale = float(np.clip(size[0] / _WIDEST_TEXT, 0.55, 1.4))
    with mpl.rc_context(_style(scale)):
        yield Figure(figsize=(size[0] / _INCH, size[1] / _INCH), dpi=_INCH, layout="constrained")


def check_plots(path: Path, size: tuple[int, int], force: bool) -> None:
    """Check that plots can be written to a file, before any work is done; arguments and errors as
    of `write_plots`.
    """
    if path.suffix.lower() not in DRAWINGS:
        *others, last = DRAWINGS
        raise ParameterError(
            _(
                "{path}: plots are written as {others} or {last}",
                path=path,
                others=", ".join(others),
                last=last,
            )
        )
    if not all(
        low <= edge <= high for low, edge, high in zip(SMALLEST, size, LARGEST, strict=True)
    ):
        raise ParameterError(
            _(
                "plots cannot be {size}x{size2}: each edge must be from {smallest} to {largest}",
                size=size[0],
                size2=size[1],
                smallest=SMALLEST[0],
                largest=LARGEST[0],
            )
        )
    require_library("matplotlib", "plots", _("Plots"))
    refuse_existing(path, force)


def write_figure(figure: Figure, path: Path, metadata: str) -> Path:
    """Write a figure to a file that `check_plots` let pass, whole or not at all; the same figure is
    the same bytes.

    Args:
        figure: what is drawn.
        path: where to.
        metadata: what was measured, for the file to carry, in ASCII.

    Raises:
        ExportError: it cannot be written.
    """
    prepare_folder(path)
    import matplotlib as mpl

    # Names inside the file come from a fixed salt.
    with mpl.rc_context({"svg.hashsalt": "juggle-anim"}):
        content = figure_file(figure, path.suffix.lower(), metadata)
    with atomic_file(path) as draft:
        draft.write_bytes(content)
    return path


def cut_text(text: str, most: int) -> str:
    """A text that fits into a title; one of more letters than these ends in …"""
    return text if len(text) <= most else text[: most - 1] + "…"


def _style(scale: float) -> Any:
    return {
        "font.size": 10.5 * scale, "axes.titlesize": 10.5 * scale, "figure.titlesize": 14 * scale,
        "axes.titlelocation": "left", "axes.titlepad": 5 * scale, "lines.linewidth": 1.6 * scale,
        "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": _INK,
        "axes.linewidth": 0.8 * scale,
        "axes.labelcolor": _INK, "text.color": _INK, "xtick.color": _INK, "ytick.color": _INK,
        "axes.grid": True, "axes.axisbelow": True, "grid.color": _FAINT,
        "grid.linewidth": 0.7 * scale,
        "legend.frameon": False, "legend.handlelength": 1.2, "legend.columnspacing": 1.2,
        "legend.borderpad": 0.0,
        "figure.constrained_layout.h_pad": 0.06 * scale, "text.parse_math": False,
        "axes.ymargin": 0.08,
    }  # fmt: skip
