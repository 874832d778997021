import csv
import math
from pathlib import Path

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.errors import ChoreographyError
from juggle_anim.optimiser.optimise import LinearFunction, Margins, maximise_least

REFERENCE = Path(__file__).parents[1] / "data" / "juggling_lab_margins.tsv"


def rows() -> list[dict[str, str]]:
    lines = [line for line in REFERENCE.read_text().splitlines() if not line.startswith("#")]
    return [
        row
        for row in csv.DictReader(lines, delimiter="\t")
        if not row["variables"].startswith("ERROR")
    ]


def laid_out_as_by_juggling_lab(settings: str) -> ja.Animation:
    # Its props are 10 cm wide, and nothing is said of them.
    given = settings if "propdiam" in settings else f"{settings};propdiam=10"
    return ja.animate(f"{given};style=juggling-lab")


def numbers(text: str | None) -> list[float]:
    return [float(number) for number in (text or "").split()]


# Where several places are equally good for the least margin, its solver and ours do not choose the
# same.
CHOSEN_OTHERWISE = {"pattern=97531;bps=4.4", "pattern=75751;bps=4.5"}


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["settings"].removeprefix("pattern="))
def test_margins_are_those_of_juggling_lab_before_and_after(row: dict[str, str]) -> None:
    margins = Margins.from_animation(laid_out_as_by_juggling_lab(row["settings"]))
    assert margins.free.start.shape[0] == int(row["variables"])
    assert np.allclose(
        margins.at(margins.free.start[:, 0]), numbers(row["margins_before"]), atol=0.005
    )
    places = margins.widest_places()
    found, wanted = np.sort(margins.at(places)), numbers(row["margins_after"])
    if row["settings"] in CHOSEN_OTHERWISE:
        assert found[0] == pytest.approx(wanted[0], abs=0.005)
        assert np.all(found[:3] > np.array(wanted[:3]) - 0.005)
        return
    assert np.allclose(found, wanted, atol=0.005)
    events = margins.free.choreography.events
    for word in (row["x_after"] or "").split():
        name, centimetres = word.split("=")
        kind, side, seconds = "TC".index(name[0]), "LR".index(name[1]), float(name[3:])
        at = (events.kind == kind) & (events.hand == side) & (np.abs(events.time - seconds) < 6e-4)
        place = places[margins.free.place_of_event[np.flatnonzero(at)[0]]] * (1 if side else -1)
        assert 100 * place == pytest.approx(float(centimetres), abs=0.011)


@pytest.mark.parametrize("text", ["<3p|3p>", "5B"])
def test_juggling_labs_margins_do_not_speak_of_passes_and_bounces(text: str) -> None:
    with pytest.raises(ChoreographyError, match="Juggling Lab's margins work only for"):
        ja.optimise(text, like_juggling_lab=True)


def test_of_several_choices_the_best_counts_and_the_least_value_is_greatest() -> None:
    # |x| and 1 − x/2: between −1 and 2 the least of both is greatest at −1.
    choices = [
        [LinearFunction(np.array([1.0]), 0.0), LinearFunction(np.array([-1.0]), 0.0)],
        [LinearFunction(np.array([-0.5]), 1.0)],
    ]
    found, least = maximise_least(choices, low=np.array([-1.0]), high=np.array([2.0]))
    assert (found[0], least) == (pytest.approx(-1.0), pytest.approx(1.0))
    found, least = maximise_least(choices, low=np.array([-0.5]), high=np.array([2.0]))
    assert (found[0], least) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert math.isclose(
        maximise_least(choices, low=np.array([-1.0]), high=np.array([2.0]), upper_bound=0.4)[1], 0.4
    )


@pytest.mark.parametrize(
    ("choices", "least"),
    [
        ([(0.0, 0.0), (0.0, 100.0)], 100.0),
        ([(1.0, 10.0), (-1.0, -10.0)], 11.0),
        ([(1.0, -2.0), (-1.0, -2.0)], -1.0),
    ],
)
def test_choices_may_be_any_linear_functions(
    choices: list[tuple[float, float]], least: float
) -> None:
    functions = [LinearFunction(np.array([slope]), constant) for slope, constant in choices]
    found = maximise_least([functions], low=np.array([-1.0]), high=np.array([1.0]))
    assert found[1] == pytest.approx(least)
