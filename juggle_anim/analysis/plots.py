"""Plots of props and hands over a loop, in one style, and the files that they are written to.

Comparison of arm solvers: how far apart their elbows are over a loop, as text, as data and as a
plot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.analysis.analyse import Analysis, columns, hand_name
from juggle_anim.analysis.measures import STANDARD_GRAVITY
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Size
from juggle_anim.atomic_file import atomic_file, prepare_folder, refuse_existing
from juggle_anim.body import SOLVERS, Joint
from juggle_anim.diagrams.timeline import Flight, Timeline
from juggle_anim.errors import ParameterError, require_library
from juggle_anim.formats import DRAWINGS
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import ShortRepr, dataclass
from juggle_anim.metadata.documents import figure_file
from juggle_anim.motion import Motion
from juggle_anim.notation import record_of
from juggle_anim.parameters import Result, flat_row
from juggle_anim.scene import BRIGHT_STAGE, drawn_colours, palette_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


MOST_HANDS = 12
"""The most hands that are drawn: more lines could not be told apart."""

_SAMPLES_PER_LOOP = 1500
_COLLISION_COLOUR = "#b3261e"

LINE_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Colours of lines that can be told apart, by the colour-blind too."""

_LINE_WIDTHS = (3.4, 1.6, 0.9)
_LANE_OFFSET = 0.12  # of the distance between two hands, between props in one hand
_BOW_TO_SAME_HAND = 0.35  # likewise, of a throw to the same hand

# A colour whose red, green and blue are this bright together is too pale for a line on white.
_PALE_BRIGHTNESS = 2.0
_DIMMING = 0.82

SMALLEST = (320, 320)
LARGEST = (8000, 8000)
"""Widths and heights that are accepted, [pixels]."""

_PIXELS_PER_INCH = 100.0
_TITLE_LEFT = 0.012  # where titles of figures begin, as a share of the width
_LONGEST_PATTERN = 40  # characters of a pattern in a title with more words
_LONGEST_TITLE = 64  # characters of a title that is a pattern and its duration
_LETTER_SCALES = (0.55, 1.4)  # smallest and largest, as factors of the usual letters and lines
_USUAL_WIDTH = 1280
_TEXT_COLOUR = "#26282c"
_GRID_COLOUR = "#d9dce0"


def write_plots(
    animation: Animation,
    analysis: Analysis,
    path: Path,
    size: Size = (1280, 1280),
    force: bool = False,
) -> Path:
    """Write plots of an analysis to a file, as `draw_plots` has them.

    Args:
        animation: the animation that was analysed.
        analysis: the result of the analysis.
        path: a file whose ending is in `formats.DRAWINGS`.
        size: width and height, [pixels]; in SVG and PDF files a pixel is a hundredth of an inch.
        force: whether an existing file may be replaced; if not, it is an error.

    Returns:
        The path.

    Raises:
        ParameterError: the file has another ending, the size is out of range, or matplotlib is not
            installed.
        ExportError: the path exists already, or cannot be written.
    """
    check_plots(path, size, force)
    record = record_of(
        animation.score, animation.parameters, {"picture": "plots", "size": list(size)}
    )
    return write_figure(draw_plots(animation, analysis, size), path, record.text)


def draw_plots(animation: Animation, analysis: Analysis, size: Size) -> Figure:
    """Return the plots of an analysis as a figure.

    From top to bottom: heights of props; height, speed and acceleration of hands; and the ladder
    of throws. All have the same time axis, over one loop.

    Args:
        animation: the animation that was analysed.
        analysis: the result of the analysis.
        size: width and height, [pixels]; in SVG and PDF files a pixel is a hundredth of an inch.
    """
    with new_figure(size) as figure:  # in the style of all plots
        # The ladder's height, relative to the others, grows with its lines, one for each hand; the
        # rest of it is for the title and the margins.
        ladder_height = 0.6 + 0.55 * min(2 * analysis.jugglers, MOST_HANDS)
        axes: Sequence[Axes] = figure.subplots(
            5, 1, sharex=True, height_ratios=(3, 2, 2, 2, ladder_height)
        )
        figure.align_ylabels(axes)
        # The pattern and the duration of its loop.
        title = f"{analysis.text}  ·  {analysis.duration:.2f} s"
        figure.suptitle(cut_text(title, _LONGEST_TITLE), x=_TITLE_LEFT, ha="left", weight="bold")
        times = np.linspace(0.0, analysis.duration, _SAMPLES_PER_LOOP)
        _draw_props(axes[0], animation, times)
        _draw_hands(axes[1:4], animation.motion, times, analysis)
        _draw_ladder(axes[4], animation, analysis)
        for row in axes:
            _mark_collisions(row, analysis)
        axes[-1].set_xlim(0.0, analysis.duration)
        axes[-1].set_xlabel(_("time in the loop, s"))
    return figure


def _draw_props(axes: Axes, animation: Animation, times: Floats) -> None:
    """Draw the height of each prop in its colour: bold in the air, faint in a hand.

    Args:
        axes: the axes to draw on.
        animation: the animation, which moves the props.
        times: T times, shape (T,), [s].
    """
    axes.set_title(_("Height of props, m"))
    frames = animation.motion.sample(times)
    for prop, colour in enumerate(_plot_colours(animation)):
        height = frames.props[:, prop, 1]
        # A faint line throughout, and a bold one over it with gaps (NaN) where a hand holds it.
        axes.plot(times, height, color=colour, alpha=0.35)
        axes.plot(times, np.where(frames.holders[:, prop] < 0, height, np.nan), color=colour)


def _draw_hands(rows: Sequence[Axes], motion: Motion, times: Floats, analysis: Analysis) -> None:
    """Draw height, speed and acceleration of hands over time, one quantity in each of three rows.

    Only the first `MOST_HANDS` hands are drawn; a note in the title of the first row says so.

    Args:
        rows: the three plots, from top to bottom.
        motion: motion of the hands.
        times: T times, shape (T,), [s].
        analysis: the analysis, read for the number of jugglers.
    """
    several_jugglers = analysis.jugglers > 1
    hand_count = 2 * analysis.jugglers
    shown_count = min(hand_count, MOST_HANDS)

    def vectors_of_hands(derivative: int) -> Floats:
        """Positions of the shown hands, or derivatives by time, shape (T, shown_count, 3)."""
        vectors = motion.sample(times, derivative).hands
        return vectors.reshape(len(times), -1, 3)[:, :shown_count]

    height = vectors_of_hands(derivative=0)[..., 1]
    speed = np.linalg.norm(vectors_of_hands(derivative=1), axis=-1)
    acceleration = np.linalg.norm(vectors_of_hands(derivative=2), axis=-1) / STANDARD_GRAVITY

    titles = (_("Height of hands, m"), _("Speed of hands, m/s"), _("Acceleration of hands, g"))
    for axes, title, quantity in zip(rows, titles, (height, speed, acceleration), strict=True):
        axes.set_title(title)
        for hand in range(shown_count):
            axes.plot(
                times,
                quantity[:, hand],
                label=hand_name(hand, several_jugglers=several_jugglers),
                **_line_style_of_hand(hand, several_jugglers=several_jugglers),
            )
    # Speed and acceleration are lengths of vectors, so their axes begin at 0. Heights may be
    # negative: their axis fits the lines.
    for axes in rows[1:]:
        axes.set_ylim(bottom=0.0)

    # Title and legend of the first row; the title says if some hands are left out. The translated
    # message calls the number of all hands {jugglers}.
    shown_note = ""
    if shown_count < hand_count:
        shown_note = _(
            "  (the first {shown} of {jugglers})", shown=shown_count, jugglers=hand_count
        )
    rows[0].set_title(titles[0] + shown_note)
    rows[0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=min(shown_count, 6))


def _draw_ladder(axes: Axes, animation: Animation, analysis: Analysis) -> None:
    """Draw a ladder diagram of holds and throws over time.

    There is a line for each hand, a bar on it for as long as the hand holds a prop, and a line from
    hand to hand for each throw.

    Args:
        axes: the axes to draw on; one unit of its y axis is the distance between two hands.
        animation: the animation whose holds and throws of one loop are drawn.
        analysis: the analysis, read for the number of jugglers; only the first `MOST_HANDS` hands
            are drawn, and throws from one of them to another.
    """
    # The hands are names on the y axis, at 0, 1, 2 …
    shown_count = min(2 * analysis.jugglers, MOST_HANDS)
    axes.set_title(_("Throws from hand to hand"))
    several_jugglers = analysis.jugglers > 1
    names = [hand_name(hand, several_jugglers=several_jugglers) for hand in range(shown_count)]
    axes.set_yticks(range(shown_count), names)
    axes.set_ylim(shown_count - 0.6, -0.4)  # upside down, with the first hand, 0, at the top
    axes.grid(axis="y", visible=False)

    # All holds and flights of one loop, with their times in seconds.
    colours = _plot_colours(animation)
    timeline = Timeline(animation.score, animation.performance, 1)
    for hold in timeline.holds:
        if hold.hand < shown_count:
            # Props that a hand holds at the same time lie in lanes beside each other.
            height = hold.hand + _LANE_OFFSET * hold.lane
            axes.plot(
                [hold.start, hold.end],
                [height, height],
                color=colours[hold.prop],
                lw=5,
                solid_capstyle="butt",
            )
    for flight in timeline.flights:
        if max(flight.hand, flight.to_hand) < shown_count:
            _draw_flight(axes, flight, colours[flight.prop])


def _draw_flight(axes: Axes, flight: Flight, colour: Floats) -> None:
    """Draw a throw in the ladder: a straight line to another hand, or a parabola to the same one.

    The parabola bows toward the line of the juggler's other hand.

    Args:
        axes: the axes to draw on; one unit of its y axis is the distance between two hands.
        flight: the throw, with its hands and times.
        colour: of the line, sRGB from 0 to 1, shape (3,).
    """
    share = np.linspace(0.0, 1.0, 24)  # of the flight time
    # How far the parabola bows, in distances between hands. A left hand, with an even number, has
    # the right one below it, at greater y; a right hand has the left one above it.
    bow = _BOW_TO_SAME_HAND if flight.hand == flight.to_hand else 0.0
    side = 1.0 if flight.hand % 2 == 0 else -1.0
    # 4·share·(1 − share) is a parabola that is 0 at both ends and 1 in the middle.
    y = flight.hand + (flight.to_hand - flight.hand) * share + side * bow * 4 * share * (1 - share)
    axes.plot(
        flight.throw_time + (flight.catch_time - flight.throw_time) * share,
        y,
        color=colour,
        alpha=0.75,
    )


def _mark_collisions(axes: Axes, analysis: Analysis) -> None:
    """Draw collisions as thin dashed upright lines, and above the first row a note on these lines.

    Args:
        axes: one of the rows of the figure; the note is only written if it is the topmost.
        analysis: the analysis with the collisions.
    """
    for collision in analysis.collisions:
        # A collision that goes on after the loop's end may be deepest in a later loop.
        axes.axvline(
            collision.time % analysis.duration,
            color=_COLLISION_COLOUR,
            linestyle=(0, (2, 2)),
            linewidth=1.0,
            zorder=0.5,
        )
    if analysis.collisions and axes.get_subplotspec().is_first_row():  # type: ignore[union-attr]
        axes.set_title(_("collisions are dashed"), loc="right", color=_COLLISION_COLOUR)


def _plot_colours(animation: Animation) -> list[Floats]:
    """Return the colour of each prop in the plots, sRGB from 0 to 1, shape (3,).

    It is that of the animation on the bright stage, as plots are on white paper; pale colours
    become a little darker.
    """
    palette = palette_of(animation.parameters.theme, BRIGHT_STAGE)
    colours = drawn_colours(animation.performance, palette).astype(float)
    is_pale = colours.sum(axis=1, keepdims=True) > _PALE_BRIGHTNESS
    return list(np.where(is_pale, _DIMMING, 1.0) * colours)


def _line_style_of_hand(hand: int, *, several_jugglers: bool) -> dict[str, Any]:
    """Return colour, style and width of a hand's line, as keyword arguments of matplotlib's `plot`.

    After the last of `LINE_COLOURS` the colours begin again, in dashed lines. With several
    jugglers, widths change from juggler to juggler, so that where two hands do the same a thin line
    still shows on a broad one.

    Args:
        hand: 2 · juggler + side (0 left, 1 right).
        several_jugglers: whether there are several; one juggler's lines have the default width.
    """
    line: dict[str, Any] = {"color": LINE_COLOURS[hand % len(LINE_COLOURS)], "linestyle": "-"}
    if hand >= len(LINE_COLOURS):
        line["linestyle"] = (0, (4, 1.5))  # dashes of 4 and gaps of 1.5 line widths, from 0 on
    if several_jugglers:
        juggler = hand // 2
        line["linewidth"] = _LINE_WIDTHS[juggler % len(_LINE_WIDTHS)]
    return line


@contextmanager
def new_figure(size: Size) -> Iterator[Figure]:
    """Yield an empty figure, with the style of all plots as long as the context is open.

    Matplotlib is imported here, as it is optional: only plots need it.

    Args:
        size: width and height, [pixels]; in SVG and PDF files a pixel is a hundredth of an inch.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # Letters and lines grow and shrink with the picture's width, within limits: beyond these, a
    # wider picture only has more room between them.
    smallest, largest = _LETTER_SCALES
    scale = float(np.clip(size[0] / _USUAL_WIDTH, smallest, largest))
    with mpl.rc_context(_matplotlib_style(scale)):
        yield Figure(
            figsize=(size[0] / _PIXELS_PER_INCH, size[1] / _PIXELS_PER_INCH),
            dpi=_PIXELS_PER_INCH,
            layout="constrained",
        )


def check_plots(path: Path, size: Size, force: bool) -> None:
    """Check that plots can be written to a file, before any work is done.

    Args:
        path: the file to which they are to be written.
        size: width and height, [pixels].
        force: whether an existing file may be replaced; if not, it is an error.

    Raises:
        ParameterError: the ending of the file is not in `formats.DRAWINGS`, the size is out of the
            range from `SMALLEST` to `LARGEST`, or matplotlib is not installed.
        ExportError: the path exists already, and `force` is not set.
    """
    # The message lists the endings as "a, b or c", so the last one is apart.
    if path.suffix.lower() not in DRAWINGS:
        *others, last = DRAWINGS
        raise ParameterError(
            _(
                "{path}: plots can be saved as {others} or {last}",
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
    """Write a figure to a file, whole or not at all.

    The same figure always gives the same bytes.

    Args:
        figure: the figure that is written.
        path: path of the file; `check_plots` has accepted it.
        metadata: text in ASCII for the file: the record that opens the pattern again.

    Returns:
        The path.

    Raises:
        ExportError: the file cannot be written.
    """
    prepare_folder(path)
    import matplotlib as mpl

    # Matplotlib makes identifiers inside an SVG file from a salt, by default a random one. A fixed
    # salt makes them the same every time.
    with mpl.rc_context({"svg.hashsalt": "juggle-anim"}):
        content = figure_file(figure, path.suffix.lower(), metadata)
    with atomic_file(path) as draft:
        draft.write_bytes(content)
    return path


def cut_text(text: str, most: int) -> str:
    """Return a text of at most `most` characters; a longer one is cut, and ends in "…"."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _matplotlib_style(scale: float) -> Any:
    """Return the settings of matplotlib for all plots: `scale` enlarges letters, lines and gaps."""
    return {
        "font.size": 10.5 * scale, "axes.titlesize": 10.5 * scale, "figure.titlesize": 14 * scale,
        "axes.titlelocation": "left", "axes.titlepad": 5 * scale, "lines.linewidth": 1.6 * scale,
        "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": _TEXT_COLOUR,
        "axes.linewidth": 0.8 * scale,
        "axes.labelcolor": _TEXT_COLOUR, "text.color": _TEXT_COLOUR,
        "xtick.color": _TEXT_COLOUR, "ytick.color": _TEXT_COLOUR,
        "axes.grid": True, "axes.axisbelow": True, "grid.color": _GRID_COLOUR,
        "grid.linewidth": 0.7 * scale,
        "legend.frameon": False, "legend.handlelength": 1.2, "legend.columnspacing": 1.2,
        "legend.borderpad": 0.0,
        "figure.constrained_layout.h_pad": 0.06 * scale, "text.parse_math": False,
        "axes.ymargin": 0.08,
    }  # fmt: skip


_SAMPLES_PER_SECOND = 240
_FEWEST_SAMPLES = 240

# The number of sampled times of a loop, multiplied by the number of jugglers, is at most this; but
# however many jugglers there are, no fewer than `_FEWEST_SAMPLES_OF_MANY` times are sampled.
_MOST_POSES = 40_000
_FEWEST_SAMPLES_OF_MANY = 60

_WIDEST_LINE = 3.2  # points, of the first solver's line
_LINE_STEP = 0.5  # points, from each line to the next, thinner one
_THINNEST_LINE = 0.7  # points, for any number of solvers

_NOTE = N_("(mean over all arms and the loop; maximum in brackets)")


@dataclass(frozen=True, repr=False)
class SolverResult(ShortRepr):
    """Elbows of all arms of J jugglers at T times of a loop, by one solver.

    Args:
        solver: its name.
        elbows: shape (T, J, 2, 3), left and right, in the world, [m].
        heights: shape (T, J, 2), of the elbows above their shoulders, negative below, [m].
        fastest_speed: the greatest mean speed of an elbow between two neighbouring times, [m/s].
        greatest_shortfall: the greatest distance of a hand from the place where it should be, [m].
    """

    solver: str
    elbows: Floats
    heights: Floats
    fastest_speed: float
    greatest_shortfall: float


@dataclass(frozen=True)
class ArmComparison(Result):
    """Results of several solvers for one motion.

    Args:
        text: the pattern.
        duration: duration of a loop, [s].
        times: T times, shape (T,), [s].
        results: one for each of S solvers, that of the animation first.
        distances: shape (S, S, T, J, 2), from the elbows of the first of two solvers to those of
            the second, in order of `results`, for J jugglers, left and right, [m].
    """

    text: str
    duration: float
    times: Floats
    results: tuple[SolverResult, ...]
    distances: Floats

    def __iter__(self) -> Iterator[SolverResult]:
        return iter(self.results)

    def __str__(self) -> str:
        return arms_text(self)

    def __getitem__(self, solver: str | int) -> SolverResult:
        results: dict[str | int, SolverResult] = {result.solver: result for result in self}
        results.update(enumerate(self))
        return results[solver]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON data; see `arms_data`."""
        return arms_data(self)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each solver, in units of [s], [m] and [m/s].

        Columns are those of `arms_data`; distances from a solver have its name behind them.
        """
        solvers = arms_data(self)["solvers"]
        return [{"solver": solver, **flat_row(solvers[solver])} for solver in solvers]

    @property
    def mean(self) -> Floats:
        """Shape (S, S) for S solvers, the mean of `distances`, [m]."""
        means: Floats = self.distances.mean(axis=(2, 3, 4))
        return means

    @property
    def greatest(self) -> Floats:
        """Shape (S, S) for S solvers, the greatest of `distances`, [m]."""
        greatest: Floats = self.distances.max(axis=(2, 3, 4))
        return greatest


def compare_arms(animation: Animation, solvers: Sequence[str] | None = None) -> ArmComparison:
    """Pose a loop with each solver of arms, and measure how far apart the elbows are.

    An arm solver is a method that places the elbow of an arm whose hand is given.

    Args:
        animation: the animation to pose; its own solver comes first.
        solvers: names in `SOLVERS`; None for all. The animation's own solver is always compared,
            named or not, and a name given twice counts once.

    Returns:
        Places, heights and speeds of the elbows of each solver, and the distances of all pairs of
        solvers at the sampled times.
    """
    # Evenly spaced times of the loop, its end not included; fewer with many jugglers, for whom
    # poses take long.
    most_samples = max(_MOST_POSES // animation.num_jugglers, _FEWEST_SAMPLES_OF_MANY)
    wanted_samples = max(round(animation.duration * _SAMPLES_PER_SECOND), _FEWEST_SAMPLES)
    sample_count = min(wanted_samples, most_samples)
    times = animation.times(sample_count)

    # A dict keeps names in order and each once, with the animation's own solver first.
    names = dict.fromkeys([animation.parameters.arms, *(SOLVERS if solvers is None else solvers)])
    results = tuple(_solver_result(animation.replace(arms=name), times) for name in names)
    # Distances are computed pair by pair, as differences of all pairs at once would take a lot of
    # memory with many jugglers.
    distances = [
        [np.linalg.norm(first.elbows - second.elbows, axis=-1) for second in results]
        for first in results
    ]
    return ArmComparison(
        text=animation.text,
        duration=animation.duration,
        times=times,
        results=results,
        distances=np.array(distances),
    )


def _solver_result(animation: Animation, times: Floats) -> SolverResult:
    """Measure the elbows that the animation's solver of arms finds.

    Args:
        animation: the animation with this solver.
        times: T times, shape (T,), evenly spaced over the loop, [s].
    """
    pose = animation.pose(times)
    # Left and right joints have consecutive numbers: shape (T, J, 2, 3).
    elbows = pose.joints[:, :, Joint.LEFT_ELBOW : Joint.RIGHT_ELBOW + 1]
    shoulders = pose.joints[:, :, Joint.LEFT_SHOULDER : Joint.RIGHT_SHOULDER + 1]
    # How far each elbow moves from one time to the next; the loop is closed, so also from the last
    # time to the first.
    moves = np.linalg.norm(np.roll(elbows, -1, axis=0) - elbows, axis=-1)
    return SolverResult(
        solver=animation.parameters.arms,
        elbows=elbows,
        heights=(elbows - shoulders)[..., 1],
        fastest_speed=float(moves.max() * len(times) / animation.duration),
        greatest_shortfall=float(pose.gaps.max()),
    )


def arms_text(comparison: ArmComparison) -> str:
    """Return the comparison of arm solvers as a table with a title above and a note below.

    Each solver has a row: the distance of its elbows from those of every solver, [cm], the mean
    and, in brackets, the greatest; the speed of its fastest elbow, [m/s]; and the greatest distance
    of a hand from its place, [cm].
    """
    names = [result.solver for result in comparison.results]
    head = (_("cm from"), *names, _("elbow m/s"), _("short cm"))
    rows = [
        (
            result.solver,
            *_distance_cells(comparison, solver),
            f"{result.fastest_speed:.1f}",
            f"{100 * result.greatest_shortfall:.1f}",
        )
        for solver, result in enumerate(comparison.results)
    ]
    lines = columns([head, *rows])
    return "\n".join(
        [
            _(
                "{text}: elbows over a loop of {duration:.3f} s",
                text=comparison.text,
                duration=comparison.duration,
            ),
            *(f"  {line}" for line in lines),
            _NOTE,
        ]
    )


def arms_data(comparison: ArmComparison) -> dict[str, Any]:
    """Return the comparison of arm solvers as JSON data, in units of [s], [m] and [m/s].

    For each solver, "fastest_elbow" is the greatest speed of an elbow, and "short" the greatest
    distance of a hand from its place. "mean_from" and "most_from" are the mean and the greatest
    distance from the elbows of every solver, by its name; from a solver's own they are 0.
    """
    names = [result.solver for result in comparison.results]
    return {
        "text": comparison.text,
        "duration": comparison.duration,
        "solvers": {
            result.solver: {
                "fastest_elbow": result.fastest_speed,
                "short": result.greatest_shortfall,
                "mean_from": dict(zip(names, comparison.mean[solver].tolist(), strict=True)),
                "most_from": dict(zip(names, comparison.greatest[solver].tolist(), strict=True)),
            }
            for solver, result in enumerate(comparison.results)
        },
    }


def write_arms(
    animation: Animation,
    comparison: ArmComparison,
    path: Path,
    size: Size,
    force: bool = False,
) -> Path:
    """Write a plot of the elbows that solvers of arms find, over the loop, to a file.

    Args:
        animation: the animation that was compared, for the record that the file carries.
        comparison: results of the solvers.
        path: a file that ends in .svg, .pdf or .png.
        size: width and height, [pixels]; in SVG and PDF files a pixel is a hundredth of an inch.
        force: whether an existing file may be replaced; if not, it is an error.

    Returns:
        The path.

    Raises:
        ParameterError: the file has another ending, the size is out of range, or matplotlib is not
            installed.
        ExportError: the path exists already, or cannot be written.
    """
    check_plots(path, size, force)
    record = record_of(
        animation.score, animation.parameters, {"picture": "arms", "size": list(size)}
    )
    return write_figure(draw_arms(comparison, size), path, record.text)


def draw_arms(comparison: ArmComparison, size: Size) -> Figure:
    """Plot the first juggler's elbows over one loop, with a line for each solver.

    The four rows are the height of the left elbow and of the right, then the distance of the left
    elbow and of the right from that of the first solver.

    Args:
        comparison: results of the solvers.
        size: width and height, [pixels]; in SVG and PDF files a pixel is a hundredth of an inch.
    """
    juggler_count = comparison.distances.shape[3]
    whose = ""
    if juggler_count > 1:
        whose = _("  ·  the first of {jugglers} jugglers", jugglers=juggler_count)
    with new_figure(size) as figure:
        axes: Sequence[Axes] = figure.subplots(4, 1, sharex=True)
        title = _(
            "{text}  ·  elbows by solver{whose}",
            text=cut_text(comparison.text, _LONGEST_PATTERN),
            whose=whose,
        )
        figure.suptitle(title, x=_TITLE_LEFT, ha="left", weight="bold")
        first_solver = comparison.results[0].solver
        # Side 0 is the left elbow, in rows 0 and 2; side 1 is the right one, in rows 1 and 3.
        for side in range(2):
            side_name = hand_name(side, several_jugglers=False)
            height_axes = axes[side]
            distance_axes = axes[2 + side]
            height_axes.set_title(
                _("Height of the {side} elbow above its shoulder, cm", side=side_name)
            )
            distance_axes.set_title(
                _(
                    "{side} elbow, cm from that of {first}",
                    side=side_name.capitalize(),
                    first=first_solver,
                )
            )
            for solver, result in enumerate(comparison.results):
                # Each line is drawn over the ones before, and thinner, so that where solvers agree
                # the lines below still show on both sides.
                line_width = _WIDEST_LINE - _LINE_STEP * solver
                line_style: Any = {
                    "color": LINE_COLOURS[solver % len(LINE_COLOURS)],
                    "linewidth": max(line_width, _THINNEST_LINE),
                }
                # Of juggler 0, from metres to centimetres; distances from solver 0.
                heights = 100 * result.heights[:, 0, side]
                distances = 100 * comparison.distances[0, solver, :, 0, side]
                height_axes.plot(comparison.times, heights, label=result.solver, **line_style)
                distance_axes.plot(comparison.times, distances, **line_style)
            distance_axes.set_ylim(bottom=0.0)
        axes[0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=len(comparison.results))
        axes[-1].set_xlim(0.0, comparison.duration)
        axes[-1].set_xlabel(_("time in the loop, s"))
    return figure


def _distance_cells(comparison: ArmComparison, solver: int) -> list[str]:
    """Return the distances of a solver's elbows from those of all solvers, as cells of a row, [cm].

    Args:
        comparison: results of the solvers.
        solver: index of the solver in the results.

    Returns:
        Texts such as "1.2 (3.4)", of the mean and the greatest distance; a dash for its own column.
    """
    # Lengths from metres to centimetres.
    means = 100 * comparison.mean[solver]
    greatest = 100 * comparison.greatest[solver]
    cells = [f"{mean:.1f} ({most:.1f})" for mean, most in zip(means, greatest, strict=True)]
    cells[solver] = "–"
    return cells
