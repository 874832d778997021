import json
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from siteswap_strategies import valid_siteswaps

from juggle_anim.choreography import (
    BodyKeyframes,
    Choreography,
    EventKind,
    Events,
    Flights,
    PropOrbit,
    Score,
)
from juggle_anim.notation import Check, check, check_all, orbit_values


def test_a_valid_pattern_is_told_in_full() -> None:
    assert check("531").as_data() == {
        "text": "531",
        "valid": True,
        "siteswap": "531",
        "jugglers": 1,
        "props": 3,
        "period": 3,
        "orbits": [
            {"throws": [5, 1], "beats": 6, "props": 1},
            {"throws": [3, 3], "beats": 6, "props": 1},
            {"throws": [1, 5], "beats": 6, "props": 1},
        ],
        "state": "111",
        "states": ["111", "11001", "1011"],
        "prime": True,
        "parts": [{"siteswap": "531", "times": 1}],
        "ground": True,
        "entry": {"throws": "", "pattern": "531"},
        "exit": {"throws": "", "pattern": "531"},
        "inverse": {"siteswap": "531", "props": 3, "same": True},
        "dual": {"siteswap": "420", "props": 2, "same": False, "height": 5},
        "mirror": {"siteswap": "L531", "props": 3, "same": True},
        "hand_load": {"smallest": 1.5, "largest": 1.5, "at_once": 1},
        "prop_period": 6,
        "hand_period": 6,
        "not_applicable": {},
    }


def test_a_name_is_told_with_its_siteswap() -> None:
    data = check("Box").as_data()
    assert (data["text"], data["siteswap"], data["state"], data["ground"]) == (
        "Box",
        "(4,2x)(2x,4)",
        "1,11",
        True,
    )


def test_what_is_no_pattern_is_told_with_the_reason_and_its_place() -> None:
    found = check("531)")
    assert found.pattern is None
    assert found.as_data() == {
        "text": "531)",
        "valid": False,
        "error": "this ) closes nothing",
        "index": 3,
        "accepted": "write a pair as (4,2) and a repeat as (531^2)",
    }


@given(valid_siteswaps())
def test_orbits_hold_the_values_of_all_throws(text: str) -> None:
    pattern = check(text).pattern
    assert pattern is not None
    values = sorted(value for orbit in pattern.orbits for value in orbit_values(pattern, orbit))
    assert values == sorted(throw.value for throw in pattern.throws)


@given(
    st.one_of(
        valid_siteswaps(), st.text(max_size=20), st.text("0123456789x,()[]*^<>|p", max_size=20)
    )
)
def test_any_text_can_be_checked_and_told_as_json(text: str) -> None:
    data = check(text).as_data()
    assert json.loads(json.dumps(data)) == data


def test_all_patterns_of_a_file_are_checked_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("# words\n3  # Cascade\n532\n")
    first, second = (each.as_data() for each in check_all(str(path)))
    place = (first["file"], first["number"], first["line"], first["name"])
    assert place == (str(path), 1, 2, "Cascade")
    assert (first["text"], first["valid"], first["props"]) == ("3", True, 3)
    assert (second["number"], second["line"], second["valid"], second["index"]) == (2, 3, False, 0)
    (chosen,) = check_all(f"{path}#2")
    assert (chosen.number, chosen.error is None) == (2, False)


def test_a_text_without_a_file_is_checked_alone() -> None:
    assert check_all("531") == (check("531"),)


def test_a_file_that_cannot_be_read_is_a_check_that_failed(tmp_path: Path) -> None:
    (found,) = check_all(str(tmp_path / "list.jml"))
    assert "there is no such file" in found.as_data()["error"]


def one_ball() -> Choreography:
    """A ball from the left hand to the right and back, in a second."""
    events = Events(
        np.array([0.0, 0.4, 0.5, 0.9]),
        np.array([0, 1, 1, 0]),
        np.array([EventKind.THROW, EventKind.CATCH, EventKind.THROW, EventKind.CATCH]),
        np.array([[0.2, 1.0, 0.3], [-0.2, 1.0, 0.3], [-0.2, 1.0, 0.3], [0.2, 1.0, 0.3]]),
    )
    flights = Flights(
        np.array([0, 2]), np.array([1, 3]), np.array([0.4, 0.4]), np.array([0.1, 0.1])
    )
    bodies = BodyKeyframes(np.zeros(1), np.zeros(1, dtype=int), np.zeros((1, 3)), np.zeros(1))
    rest = np.array([[0.2, 1.0, 0.3], [-0.2, 1.0, 0.3]])
    return Choreography(1.0, 2.0, 9.8, bodies, rest, events, flights, (PropOrbit((0, 1), 1, 0),))


def test_events_are_told_in_seconds() -> None:
    data = Check("One ball", Score(placed=one_ball(), title="One ball")).as_data()
    assert set(data.pop("not_applicable").values()) == {"its events have no beats"}
    known = {name: value for name, value in data.items() if value is not None}
    assert known == {
        "text": "One ball",
        "valid": True,
        "jugglers": 1,
        "props": 1,
        "duration": 1.0,
        "orbits": [{"throws": 2, "seconds": 1.0, "props": 1}],
        "prop_period": 1.0,
        "hand_period": 1.0,
    }
    assert json.loads(json.dumps(data)) == data


def test_a_pattern_that_people_hop_in_is_valid_with_advice() -> None:
    hopping, stepping = check("pattern=3;throws=underleg;bps=2"), check("pattern=3;throws=underleg")
    assert "hop" in hopping.as_data()["advice"]
    assert hopping.as_data()["valid"]
    assert "advice" not in stepping.as_data()


def test_where_a_1_cannot_go_around_the_body_advice_says_so() -> None:
    said = check("pattern=531;throws=backcross").as_data()
    assert said["valid"]
    assert said["advice"] == (
        "a 1 has no time to go around the body, so it is thrown and caught normally"
    )
    assert "advice" not in check("pattern=531;throws=overhead").as_data()
    assert "advice" not in check("pattern=441;throws=backcross,-,-").as_data()
