import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.choreography import STYLES, EventKind
from juggle_anim.parameters import Parameters


def places(kind: EventKind, **parameters: float) -> np.ndarray:
    events = animate("531", **parameters).choreography.events
    return events.position[events.kind == kind]


@pytest.mark.parametrize("kind", [EventKind.THROW, EventKind.CATCH])
def test_a_wider_pattern_has_all_places_farther_out(kind: EventKind) -> None:
    usual, wide = places(kind), places(kind, width=150.0)
    assert wide[:, 0] == pytest.approx(1.5 * usual[:, 0])
    assert wide[:, 1:] == pytest.approx(usual[:, 1:])


def test_hands_throw_and_catch_as_high_as_they_are_told() -> None:
    changed = {"throw_height": 10.0, "catch_height": -5.0}
    for kind, up in ((EventKind.THROW, 0.10), (EventKind.CATCH, -0.05)):
        assert places(kind, **changed)[:, 1] == pytest.approx(places(kind)[:, 1] + up)


def test_hands_scoop_as_deep_as_they_are_told() -> None:
    def lowest(scoop: float) -> float:
        animation = animate("744", scoop=scoop)
        return float(animation.sample(np.linspace(0, animation.duration, 1000)).hands[..., 1].min())

    assert lowest(40.0) > lowest(100.0) + 0.1
    assert lowest(140.0) < lowest(100.0) - 0.05


def test_a_place_between_two_whole_values_is_between_theirs() -> None:
    style = STYLES["juggling-lab"].shaped(Parameters())
    assert style.catch_point(2.5)[0] == pytest.approx(
        (style.catch_point(2)[0] + style.catch_point(3)[0]) / 2
    )
    assert style.catch_point(35) == style.catch_point(8)
