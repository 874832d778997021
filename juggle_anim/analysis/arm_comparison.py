"""Comparison of arm solvers: how far apart their elbows are over a loop, as text, as data and as a
plot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.analysis.analyse import columns, hand_name
from juggle_anim.analysis.plots import check_plots, cut_text, new_figure, write_figure
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.body.arms.solvers import SOLVERS
from juggle_anim.language import N_, _
from juggle_anim.notation import record_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_SAMPLES_PER_SECOND = 240
_FEWEST_SAMPLES = 240

# Times of a loop times jugglers, at most, but for the times that even a thousand jugglers get.
_MOST_POSES = 40_000
_FEWEST_SAMPLES_OF_MANY = 60

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
_NOTE = N_("  (the mean over all arms and the loop and, in brackets, the most)")


@dataclass(frozen=True)
class SolverResult:
    """Elbows of all arms over a loop, by one solver.

    Args:
        solver: its name.
        elbows: shape (T, J, 2, 3), [m].
        heights: shape (T, J, 2), of the elbows above their shoulders, [m].
        fastest: the greatest speed of an elbow from one time to the next, [m/s].
        short: the greatest distance of a hand from its place, [m].
    """

    solver: str
    elbows: Floats
    heights: Floats
    fastest: float
    short: float


@dataclass(frozen=True)
class ArmComparison:
    """Results of several solvers for one motion.

    Args:
        text: the pattern.
        duration: of a loop, [s].
        times: shape (T,), [s].
        results: one for each solver, that of the animation first.
        distances: shape (S, S, T, J, 2), between the elbows of two solvers, [m].
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
        solvers: names out of `SOLVERS`, by default all; the animation's own is one of them anyway.
    """
    # Evenly spaced times, fewer with many jugglers, for whom poses take long.
    most = max(_MOST_POSES // animation.jugglers, _FEWEST_SAMPLES_OF_MANY)
    wanted = max(round(animation.duration * _SAMPLES_PER_SECOND), _FEWEST_SAMPLES)
    times = np.linspace(0.0, animation.duration, min(wanted, most), endpoint=False)

    # Each solver once, in order.
    names = dict.fromkeys([animation.parameters.arms, *(SOLVERS if solvers is None else solvers)])
    results = tuple(_solver_result(animation.replace(arms=name), times) for name in names)
    # Pair by pair, to save memory with many jugglers.
    distances = [
        [np.linalg.norm(first.elbows - second.elbows, axis=-1) for second in results]
        for first in results
    ]
    return ArmComparison(animation.text, animation.duration, times, results, np.array(distances))


def _solver_result(animation: Animation, times: Floats) -> SolverResult:
    """Measure the elbows that the animation's solver of arms finds.

    Args:
        animation: with this solver.
        times: shape (T,), evenly spaced over the loop, [s].
    """
    posed = animation.pose(times)
    # Shape (T, J, 2, 3): left and right.
    elbows = posed.joints[:, :, Joint.LEFT_ELBOW : Joint.RIGHT_ELBOW + 1]
    shoulders = posed.joints[:, :, Joint.LEFT_SHOULDER : Joint.RIGHT_SHOULDER + 1]
    # The loop closes, so the step from its end to its start is one as well.
    steps = np.linalg.norm(np.roll(elbows, -1, axis=0) - elbows, axis=-1)
    return SolverResult(
        solver=animation.parameters.arms,
        elbows=elbows,
        heights=(elbows - shoulders)[..., 1],
        fastest=float(steps.max() * len(times) / animation.duration),
        short=float(posed.gaps.max()),
    )


def arms_text(comparison: ArmComparison) -> str:
    """Return the comparison of solvers as a table.

    Each solver has a row: distances of its elbows from those of every solver, [cm], mean and in
    brackets the greatest; its fastest elbow, [m/s]; and how far hands come short, [cm].

    Args:
        comparison: results of the solvers.
    """
    names = [result.solver for result in comparison.results]
    # Lengths from metres to centimetres.
    head = (_("cm from"), *names, _("elbow m/s"), _("short cm"))
    rows = [
        (
            result.solver,
            *_distance_cells(comparison, row),
            f"{result.fastest:.1f}",
            f"{100 * result.short:.1f}",
        )
        for row, result in enumerate(comparison.results)
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

    "mean_from" and "most_from" are the mean and the greatest distance from each solver's elbows.
    """
    names = [result.solver for result in comparison.results]
    return {
        "text": comparison.text,
        "duration": comparison.duration,
        "solvers": {
            result.solver: {
                "fastest_elbow": result.fastest,
                "short": result.short,
                "mean_from": dict(zip(names, comparison.mean[row].tolist(), strict=True)),
                "most_from": dict(zip(names, comparison.greatest[row].tolist(), strict=True)),
            }
            for row, result in enumerate(comparison.results)
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
        size: width and height, [pixels].
        force: whether a file that is there already may be replaced.

    Raises:
        ParameterError: another kind of file, or a size that cannot be.
        ExportError: something is there already, or it cannot be written.
    """
    check_plots(path, size, force)
    record = record_of(
        animation.score, animation.parameters, {"picture": "arms", "size": list(size)}
    )
    return write_figure(draw_arms(comparison, size), path, record.text)


def draw_arms(comparison: ArmComparison, size: tuple[int, int]) -> Figure:
    """Plot the heights of both elbows of the first juggler, and their distances from the first
    solver's elbows, over one loop.

    Args:
        comparison: results of the solvers.
        size: width and height, [pixels].
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
        # Rows: heights of the left and the right elbow, then distances of the left and the right.
        for side in range(2):
            height_axes = axes[side]
            distance_axes = axes[2 + side]
            height_axes.set_title(
                _("Height of the {side} elbow above its shoulder, cm", side=hand_name(side, False))
            )
            distance_axes.set_title(
                _(
                    "{side} elbow, cm from that of {first}",
                    side=hand_name(side, False).capitalize(),
                    first=first_solver,
                )
            )
            for row, result in enumerate(comparison.results):
                # A line under another one still shows beside it, as it is thicker.
                line: Any = {"color": _COLOURS[row % len(_COLOURS)], "linewidth": 3.2 - 0.5 * row}
                heights = 100 * result.heights[:, 0, side]
                distances = 100 * comparison.distances[0, row, :, 0, side]
                height_axes.plot(comparison.times, heights, label=result.solver, **line)
                distance_axes.plot(comparison.times, distances, **line)
            distance_axes.set_ylim(bottom=0.0)
        axes[0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=len(comparison.results))
        axes[-1].set_xlim(0.0, comparison.duration)
        axes[-1].set_xlabel(_("time in the loop, s"))
    return figure


def _distance_cells(comparison: ArmComparison, row: int) -> list[str]:
    """Cells of a table: mean and greatest distance, [cm], of one solver's elbows, by row of the
    comparison, from those of each; a dash for its own.
    """
    pairs = zip(100 * comparison.mean[row], 100 * comparison.greatest[row], strict=True)
    return [
        "–" if row == column else f"{mean:.1f} ({most:.1f})"
        for column, (mean, most) in enumerate(pairs)
    ]
