import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.errors import ParameterError
from juggle_anim.pattern.cycle import state_cycle
from juggle_anim.variants import MIDDLE, difference, vary


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("531", "mixed"),
        ("3", "throws"),
        ("<3p 3|3p 3>", "mixed"),
        ("(6x,4)*", "throws"),
        ("441", "places"),
    ],
)
def test_nine_different_versions_are_told_by_their_settings(text: str, kind: str) -> None:
    animation = ja.animate(text)
    versions = ja.variations(text, kind, seed=1)
    settings = [each.settings for each in versions]
    assert len(versions) == len(set(settings)) == 9
    assert settings[MIDDLE] == animation.settings
    assert settings == [each.settings for each in vary(animation, kind, seed=1)]
    assert settings != [each.settings for each in vary(animation, kind, seed=2)]
    for each in versions[::4]:
        again = ja.animate(each.settings)
        assert np.array_equal(
            again.sample(np.array([0.3])).props, each.sample(np.array([0.3])).props
        )


def test_throws_change_by_exchanged_landings_only() -> None:
    versions = vary(ja.animate("744"), "throws", 0.2, 3)
    assert {each.pattern.props for each in versions if each.pattern} == {5}
    assert all(each.parameters == versions[MIDDLE].parameters for each in versions)
    cycles = [state_cycle(each.pattern) for each in versions if each.pattern]
    assert not any(one.is_same(other) for one in cycles for other in cycles if one is not other)


def test_times_go_from_slow_to_fast_and_from_short_dwell_to_long() -> None:
    versions = vary(ja.animate("441"), "times", 1.0)
    tempi = np.reshape([each.choreography.bps for each in versions], (3, 3))
    dwells = np.reshape([each.parameters.dwell for each in versions], (3, 3))
    assert (np.diff(tempi, axis=1) > 0).all()
    assert (np.diff(dwells, axis=0) > 0).all()


def test_a_larger_amount_changes_more() -> None:
    def widest(amount: float) -> float:
        return max(
            abs(each.choreography.bps - 3.63) for each in vary(ja.animate("531"), "times", amount)
        )

    assert widest(0.2) < widest(0.9)


def test_what_differs_is_said() -> None:
    animation = ja.animate("531")
    assert difference(ja.animate("441", dwell=1), animation) == "441 · dwell 1"
    assert difference(animation, animation) == "531"


@pytest.mark.parametrize(
    ("given", "said"),
    [({"kind": "looks"}, "throws"), ({"amount": 0.0}, "at most 1"), ({"seed": -1}, "whole number")],
)
def test_impossible_values_are_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        ja.variations("531", **given)
