"""Comparison of arm solvers: how far apart their elbows are over a loop, as text, as data and as a
plot.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.analysis.analyse import columns, hand_name
from juggle_anim.analysis.plots import LINE_COLOURS, check_plots, cut_text, new_figure, write_figure
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.body.arms.solvers import SOLVERS
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import record_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_SAMPLES_PER_SECOND = 240
_FEWEST_SAMPLES = 240

# The number of sampled times of a loop, multiplied by the number of jugglers, is at most this; but
# however many jugglers there are, no fewer than `_FEWEST_SAMPLES_OF_MANY` times are sampled.
_MOST_POSES = 40_000
_FEWEST_SAMPLES_OF_MANY = 60

_NOTE = N_("  (the mean over all arms and the loop and, in brackets, the most)")


@dataclass(frozen=True)
class SolverResult:
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
class ArmComparison:
    """Results of several solvers for one motion.

    Args:
        text: the pattern.
        duration: of a loop, [s].
        times: shape (T,), [s].
        results: one for each of S solvers, that of the animation first.
        distances: shape (S, S, T, J, 2), from the elbows of the first of two solvers to those of
            the second, in order of `results`, for J jugglers, left and right, [m].
    """

    text: str
    duration: float
    times: Floats
    results: tuple[SolverResult, ...]
    distances: Floats

    @property
    def mean(self) -> Floats:
        """Shape (S, S), the mean of `distances`, [m]."""
        means: Floats = self.distances.mean(axis=(2, 3, 4))
        return means

    @property
    def greatest(self) -> Floats:
        """Shape (S, S), the greatest of `distances`, [m]."""
        greatest: Floats = self.distances.max(axis=(2, 3, 4))
        return greatest


def compare_arms(animation: Animation, solvers: Sequence[str] | None = None) -> ArmComparison:
    """Pose a loop with each solver, and measure the distances of their elbows.

    Args:
        animation: to pose; its own solver comes first.
        solvers: names in `SOLVERS`; None for all. The animation's own solver is always compared,
            named or not, and a name given twice counts once.
    """
    # Evenly spaced times of the loop, its end not included; fewer with many jugglers, for whom
    # poses take long.
    most_samples = max(_MOST_POSES // animation.jugglers, _FEWEST_SAMPLES_OF_MANY)
    wanted_samples = max(round(animation.duration * _SAMPLES_PER_SECOND), _FEWEST_SAMPLES)
    samples = min(wanted_samples, most_samples)
    times = np.linspace(0.0, animation.duration, samples, endpoint=False)

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
        animation: with this solver.
        times: shape (T,), evenly spaced over the loop, [s].
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
    """Return the comparison of solvers as a table with a title above and a note below.

    Each solver has a row: the distance of its elbows from those of every solver, [cm], the mean
    and, in brackets, the greatest; the speed of its fastest elbow, [m/s]; and the greatest distance
    of a hand from its place, [cm].

    Args:
        comparison: results of the solvers.
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
    """Return the comparison of solvers as JSON data, in units of [s], [m] and [m/s].

    "fastest_elbow" and "short" are `SolverResult.fastest_speed` and `greatest_shortfall`.
    "mean_from" and "most_from" are the mean and the greatest distance from the elbows of every
    solver, by its name; from a solver's own they are 0.
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
    size: tuple[int, int],
    force: bool = False,
) -> Path:
    """Write a plot of the solvers' elbows over the loop.

    Args:
        animation: that was compared, for the record that the file carries.
        comparison: results of the solvers.
        path: a file that ends in .svg, .pdf or .png.
        size: width and height, [pixels]; in SVG and PDF files a pixel is a hundredth of an inch.
        force: whether a file that is there already may be replaced.

    Returns:
        The path.

    Raises:
        ParameterError: the file has another ending, the size is out of range, or matplotlib is not
            installed.
        ExportError: something is there already, or it cannot be written.
    """
    check_plots(path, size, force)
    record = record_of(
        animation.score, animation.parameters, {"picture": "arms", "size": list(size)}
    )
    return write_figure(draw_arms(comparison, size), path, record.text)


def draw_arms(comparison: ArmComparison, size: tuple[int, int]) -> Figure:
    """Plot the first juggler's elbows over one loop, with a line for each solver.

    The four rows are the height of the left elbow and of the right, then the distance of the left
    elbow and of the right from that of the first solver.

    Args:
        comparison: results of the solvers.
        size: width and height, [pixels]; in SVG and PDF files a pixel is a hundredth of an inch.
    """
    jugglers = comparison.distances.shape[3]
    whose = _("  ·  the first of {jugglers} jugglers", jugglers=jugglers) if jugglers > 1 else ""
    with new_figure(size) as figure:
        axes: Sequence[Axes] = figure.subplots(4, 1, sharex=True)
        title = _(
            "{text}  ·  elbows by solver{whose}", text=cut_text(comparison.text, 40), whose=whose
        )
        figure.suptitle(title, x=0.012, ha="left", weight="bold")
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
                line_style: Any = {
                    "color": LINE_COLOURS[solver % len(LINE_COLOURS)],
                    "linewidth": 3.2 - 0.5 * solver,
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
    return [
        "–"
        if other_solver == solver
        else f"{means[other_solver]:.1f} ({greatest[other_solver]:.1f})"
        for other_solver in range(len(comparison.results))
    ]
