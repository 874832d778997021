import json

from hypothesis import given
from hypothesis import strategies as st
from siteswap_strategies import valid_siteswaps

from juggle_anim.notation import check, orbit_values


def test_a_valid_pattern_is_told_in_full() -> None:
    assert check("531").as_data() == {
        "text": "531",
        "valid": True,
        "siteswap": "531",
        "jugglers": 1,
        "props": 3,
        "period": 6,
        "orbits": [
            {"throws": [5, 1], "beats": 6, "props": 1},
            {"throws": [3, 3], "beats": 6, "props": 1},
            {"throws": [1, 5], "beats": 6, "props": 1},
        ],
        "state": "111",
        "ground": True,
    }


def test_a_name_is_told_with_its_siteswap() -> None:
    data = check("Box").as_data()
    assert (data["text"], data["siteswap"], data["state"], data["ground"]) == ("Box", "(4,2x)(2x,4)", "1,11", None)


def test_what_is_no_pattern_is_told_with_the_reason_and_its_place() -> None:
    found = check("531)")
    assert found.pattern is None
    assert found.as_data() == {
        "text": "531)",
        "valid": False,
        "error": "nothing was opened that this ) could close",
        "index": 3,
        "accepted": "a pair is written (4,2), and a repeat (531^2)",
    }


@given(valid_siteswaps())
def test_orbits_hold_the_values_of_all_throws(text: str) -> None:
    pattern = check(text).pattern
    assert pattern is not None
    values = sorted(value for orbit in pattern.orbits for value in orbit_values(pattern, orbit))
    assert values == sorted(throw.value for throw in pattern.throws)


@given(st.one_of(valid_siteswaps(), st.text(max_size=20), st.text("0123456789x,()[]*^<>|p", max_size=20)))
def test_any_text_can_be_checked_and_told_as_json(text: str) -> None:
    data = check(text).as_data()
    assert json.loads(json.dumps(data)) == data
