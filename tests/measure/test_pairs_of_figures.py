"""Figures before and after, side by side."""

from types import SimpleNamespace
from typing import Any

from juggle_anim.measure.optimiser import before_and_after


def room(clearance: float | None) -> Any:
    return SimpleNamespace(clearance=clearance)


def test_figures_stand_before_and_after_an_arrow_in_their_unit_and_width() -> None:
    assert before_and_after(room(0.012), room(0.0345), "clearance", 100, 6) == "   1.2 →   3.5"
    assert before_and_after(room(None), room(0.5), "clearance", 10, 4) == "   – → 5.0"
