import sys

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.errors import ParameterError
from juggle_anim.notation.jml import write_jml
from juggle_anim.notation.pattern_list import list_of_one
from juggle_anim.optimiser import Optimised, Room
from juggle_anim.optimiser.optimise import FreePlaces, Margins


@pytest.fixture(scope="module", params=["<3p|3p>", "3B"])
def found(request: pytest.FixtureRequest) -> Optimised:
    return ja.optimise(request.param)


def test_props_get_more_room_and_hands_reach_as_before(found: Optimised) -> None:
    assert found.before.clearance is not None
    assert found.after.clearance is not None
    assert found.after.clearance > found.before.clearance + 0.03
    assert found.after.short < found.before.short + 0.001
    assert found.after.is_no_worse_than(found.before)


def test_the_figures_are_those_of_the_analysis(found: Optimised) -> None:
    measured = ja.analyse(found.animation)
    assert measured.miss is not None
    hits = [-hit.overlap for hit in measured.collisions if hit.other >= 0]
    assert found.after.clearance == pytest.approx(min([measured.miss.gap, *hits]), abs=1e-6)


def test_places_stay_within_the_budget_and_hands_on_their_side(found: Optimised) -> None:
    assert 0.01 < found.moved < 0.15 * np.sqrt(1 + 0.6**2 + 1)
    assert FreePlaces.from_animation(found.animation).start[:, 0].min() > 0.019


def test_the_settings_open_the_same_again(found: Optimised) -> None:
    again = ja.animate(found.animation.settings)
    assert np.array_equal(
        again.choreography.events.position, found.animation.choreography.events.position
    )


def test_what_has_room_or_needs_none_stays_as_it_is() -> None:
    for text in ("Stacked four-ball box", "1"):
        animation = ja.animate(text)
        assert ja.optimise(animation).animation is animation


def test_events_of_a_file_move_too(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("events")
    placed = ja.animate(_as_file(folder / "before.jml", ja.animate("4BF"), events=True))
    found = ja.optimise(placed)
    assert found.after.clearance > found.before.clearance + 0.03
    again = ja.animate(_as_file(folder / "after.jml", found.animation))
    assert Room.measure(again).clearance == pytest.approx(found.after.clearance, abs=2e-4)


def _as_file(path, animation: ja.Animation, events: bool = False) -> str:  # type: ignore[no-untyped-def]
    from juggle_anim.notation.rewriting import with_events

    patterns = list_of_one(animation.score, animation.parameters)
    path.write_text(write_jml(with_events(patterns)[0] if events else patterns))
    return str(path)


@pytest.mark.parametrize("given", [{"goal": 0.0}, {"goal": 1.5}, {"budget": -0.1}])
def test_a_goal_or_budget_out_of_range_is_refused(given: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match="must be above 0 and at most 100 cm"):
        ja.optimise("531", **given)


def test_a_missing_solver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(ParameterError, match=r'pip install "juggle-anim\[optimise\]"'):
        Margins.from_animation(ja.animate("3")).widest_places()
