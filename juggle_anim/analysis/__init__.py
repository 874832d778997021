"""Analysis: what a pattern asks of hands, arms and props, in figures and in plots."""

from juggle_anim.analysis.analyse import Analysis, analyse
from juggle_anim.analysis.arm_comparison import compare_arms
from juggle_anim.analysis.arm_table import arms_data, arms_text, write_arms
from juggle_anim.analysis.figure_file import check_plots
from juggle_anim.analysis.plots import write_plots
from juggle_anim.analysis.report import as_data, as_text

__all__ = [
    "Analysis",
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
