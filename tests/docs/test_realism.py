"""The table of docs/realism.md, measured again."""

from pathlib import Path

import numpy as np
import pytest

from juggle_anim.measure.realism import (
    carry_beside_recorded,
    palm_tilts,
    shares_within_wrist_limits,
    table,
)
from juggle_anim.notation.library import library

ROOT = Path(__file__).parents[2]


def _first_table() -> list[str]:
    text = (ROOT / "docs/realism.md").read_text()
    return text[text.index("| balls") :].split("\n\n")[0].splitlines()


def test_the_page_on_realism_shows_what_is_measured() -> None:
    written = [line.split("|")[1:-1] for line in _first_table()]
    measured = [line.split("|")[1:-1] for line in table().splitlines()]
    assert [row[:3] for row in written] == [row[:3] for row in measured]
    ours = [np.array([float(row[3]) for row in rows[2:]]) for rows in (written, measured)]
    assert np.allclose(*ours, rtol=0.02)


def test_the_carry_of_five_balls_is_that_which_was_recorded() -> None:
    outward, up = carry_beside_recorded()
    assert np.abs(outward).max() < 0.03
    assert np.abs(up).max() < 0.03


def test_forearms_and_wrists_turn_no_farther_than_peoples_do() -> None:
    turn, flexion, deviation, every = shares_within_wrist_limits(
        [pattern.name for pattern in library()[::68]]
    )
    assert min(turn, flexion, deviation) > 0.99
    assert every > 0.98


@pytest.mark.parametrize("text", ["3", "5", "531"])
def test_palms_that_carry_tilt_inward_as_recorded(text: str) -> None:
    low, middle, high = palm_tilts(text)
    assert 28.0 < low < high < 48.0
    assert 30.0 < middle < 45.0
