import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.viewer.session.state import OtherHalf, SavedView, SessionState, read_session_state, write_session_state

texts = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=20)
numbers = st.floats(-999, 999)
views = st.builds(SavedView, st.tuples(numbers, numbers, numbers), numbers, numbers, numbers)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)
memories = st.builds(
    SessionState,
    size=st.none() | st.tuples(st.integers(1, 9999), st.integers(1, 9999)),
    place=st.none() | st.tuples(st.integers(-999, 9999), st.integers(-999, 9999)),
    pattern=texts | st.just(""),
    parameters=st.dictionaries(texts, st.none() | numbers | texts, max_size=3),
    draft=texts,
    time=numbers,
    paused=st.booleans(),
    panel=st.booleans(),
    beats=st.booleans(),
    plots=st.none() | st.integers(0, 99),
    numbers=texts,
    sound=st.booleans(),
    folded=st.lists(texts, unique=True, max_size=4).map(tuple),
    standpoint=texts,
    juggler=st.none() | st.integers(0, 999),
    view=st.none() | views,
    beside=st.none() | st.builds(OtherHalf, texts, st.dictionaries(texts, numbers, max_size=3), st.booleans()),
    recent=st.lists(texts, unique=True, max_size=4).map(tuple),
    favourites=st.lists(texts, unique=True, max_size=4).map(tuple),
    keys=st.dictionaries(texts, st.lists(texts, unique=True, max_size=2).map(tuple), max_size=3),
)


@given(memories)
def test_a_memory_that_is_written_is_read_as_it_was(memory: SessionState) -> None:
    assert read_session_state(write_session_state(memory)) == memory


@given(st.dictionaries(st.sampled_from([*json.loads(write_session_state(SessionState())), "elsewhere"]), anything))
def test_whatever_stands_in_it_is_read_and_can_be_written_again(data: dict[str, object]) -> None:
    memory = read_session_state(json.dumps(data))
    assert read_session_state(write_session_state(memory)) == memory


def test_parts_that_make_no_sense_have_their_defaults_and_the_others_count() -> None:
    text = """{"version": "old", "size": [800, "wide"], "time": NaN, "pattern": 531, "paused": true,
        "favourites": [1, "441"], "beats": 0, "plots": -3, "juggler": true, "sound": "on", "numbers": 7,
        "folded": "Look"}"""
    assert read_session_state(text) == SessionState(paused=True, favourites=("441",))


def test_numbers_without_end_and_halves_of_signs_do_not_stand_in_the_way_of_writing() -> None:
    memory = read_session_state('{"elsewhere": [Infinity, 1e999, -Infinity, "\\ud800"], "time": 1e999}')
    assert read_session_state(write_session_state(memory)) == memory
    assert write_session_state(memory).encode()


def test_what_a_newer_version_wrote_is_kept() -> None:
    text = '{"version": 7, "hats": {"worn": [1, 2]}, "pattern": "531"}'
    memory = read_session_state(text)
    assert memory.pattern == "531"
    assert json.loads(write_session_state(memory))["hats"] == {"worn": [1, 2]}


@pytest.mark.parametrize("text", ["", "531", "[]", "{", "null", "[" * 100_000, "\x00"])
def test_what_is_no_memory_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_session_state(text)
