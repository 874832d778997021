"""The command `analyse`: what a pattern asks of hands, arms and props."""

from __future__ import annotations

from functools import partial
from typing import Any

from juggle_anim.commands.measuring import USUAL_SIZE, AsJson, PlotFile, PlotSize, ReplacePlot, tell
from juggle_anim.commands.opening import PatternText, open_animation
from juggle_anim.flags import take_parameters


@take_parameters
def analyse(
    pattern: PatternText,
    json: AsJson = False,
    plot: PlotFile = None,
    size: PlotSize = USUAL_SIZE,
    force: ReplacePlot = False,
    **given: Any,
) -> None:
    """Measure a pattern: throws, hands, reach, collisions, forces."""
    from juggle_anim.analysis import analyse as measure
    from juggle_anim.analysis import as_data, as_text, write_plots

    def measured() -> tuple[Any, Any]:
        animation = open_animation(pattern, given)
        analysis = measure(animation)
        return (as_data if json else as_text)(analysis), partial(write_plots, animation, analysis)

    tell(json, plot, size, force, measured)
