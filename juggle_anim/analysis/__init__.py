"""Analysis: what a pattern asks of hands, arms and props, in figures and in plots."""

from juggle_anim.analysis.analyse import Analysis, analyse, as_data, as_text
from juggle_anim.analysis.measures import Flight
from juggle_anim.analysis.plots import (
    arms_data,
    arms_text,
    check_plots,
    compare_arms,
    write_arms,
    write_plots,
)

__all__ = [
    "Analysis",
    "Flight",
    "analyse",
    "arms_data",
    "arms_text",
    "as_data",
    "as_text",
    "check_plots",
    "compare_arms",
    "write_arms",
    "write_plots",
]
