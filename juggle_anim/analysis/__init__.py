"""Analysis: what a pattern asks of hands, arms and props, in figures and in plots."""

from juggle_anim.analysis.analyse import Analysis, analyse
from juggle_anim.analysis.plots import check_plots, write_plots
from juggle_anim.analysis.report import as_data, as_text

__all__ = ["Analysis", "analyse", "as_data", "as_text", "check_plots", "write_plots"]
