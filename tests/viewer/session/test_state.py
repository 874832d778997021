import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.viewer.session.file import (
    MAX_RECENT,
    OtherHalf,
    SavedFilm,
    SavedView,
    SessionState,
    merge_sessions,
    read_session_state,
    write_session_state,
)

texts = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=20)


numbers = st.floats(-999, 999)


views = st.builds(SavedView, st.tuples(numbers, numbers, numbers), numbers, numbers, numbers)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=10,
)


memories = st.builds(
    SessionState,
    size=st.none() | st.tuples(st.integers(1, 9999), st.integers(1, 9999)),
    place=st.none() | st.tuples(st.integers(-999, 9999), st.integers(-999, 9999)),
    pattern=texts | st.just(""),
    parameters=st.dictionaries(texts, st.none() | numbers | texts, max_size=3),
    time=numbers,
    panel=st.booleans(),
    beats=st.booleans(),
    plots=st.none() | st.integers(0, 99),
    numbers=texts,
    save_kind=texts,
    sound=st.booleans(),
    folded=st.lists(texts, unique=True, max_size=4).map(tuple),
    standpoint=texts,
    juggler=st.none() | st.integers(0, 999),
    view=st.none() | views,
    beside=st.none()
    | st.builds(OtherHalf, texts, st.dictionaries(texts, numbers, max_size=3), st.booleans()),
    film=st.none()
    | st.builds(
        SavedFilm,
        texts,
        st.dictionaries(texts, numbers | texts, max_size=3),
        numbers,
        st.lists(st.tuples(numbers, numbers), max_size=3).map(tuple),
    ),
    camera_path=st.lists(st.tuples(numbers, numbers, numbers), max_size=3).map(tuple),
    recent=st.lists(texts, unique=True, max_size=4).map(tuple),
    favourites=st.lists(texts, unique=True, max_size=4).map(tuple),
    keys=st.dictionaries(texts, st.lists(texts, unique=True, max_size=2).map(tuple), max_size=3),
)


@given(memories)
def test_a_memory_that_is_written_is_read_as_it_was(memory: SessionState) -> None:
    assert read_session_state(write_session_state(memory)) == memory


@given(
    st.dictionaries(
        st.sampled_from([*json.loads(write_session_state(SessionState())), "elsewhere"]),
        anything,
        max_size=8,
    )
)
def test_whatever_stands_in_it_is_read_and_can_be_written_again(data: dict[str, object]) -> None:
    memory = read_session_state(json.dumps(data))
    assert read_session_state(write_session_state(memory)) == memory


def test_parts_that_make_no_sense_have_their_defaults_and_the_others_count() -> None:
    text = """{"version": "old", "size": [800, "wide"], "time": NaN, "pattern": 531, "panel": false,
        "favourites": [1, "441"], "beats": 0, "plots": -3, "juggler": true, "sound": "on", "numbers": 7,
        "folded": "Look"}"""
    assert read_session_state(text) == SessionState(panel=False, favourites=("441",))


def test_numbers_without_end_and_halves_of_signs_do_not_stand_in_the_way_of_writing() -> None:
    memory = read_session_state(
        '{"elsewhere": [Infinity, 1e999, -Infinity, "\\ud800"], "time": 1e999}'
    )
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


lists = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6).map(tuple)


BEFORE = SessionState(favourites=("3", "441"), recent=("441", "3"))


def starred(memory: SessionState, *texts: str) -> SessionState:
    return replace(memory, favourites=(*texts, *memory.favourites))


def test_favourites_of_two_windows_are_both_kept() -> None:
    after = merge_sessions(BEFORE, starred(BEFORE, "531"), starred(BEFORE, "b97531"))
    assert after.favourites == ("531", "b97531", "3", "441")


def test_what_one_of_them_unstarred_is_gone() -> None:
    mine, theirs = replace(BEFORE, favourites=("441",)), starred(BEFORE, "531")
    assert merge_sessions(BEFORE, mine, theirs).favourites == ("531", "441")
    assert merge_sessions(BEFORE, theirs, mine).favourites == ("531", "441")


def test_recent_patterns_are_those_of_both_the_newest_first() -> None:
    mine, theirs = replace(BEFORE, recent=("3", "441")), replace(BEFORE, recent=("51", "441", "3"))
    assert merge_sessions(BEFORE, mine, theirs).recent == ("3", "51", "441")


def test_no_more_recent_patterns_than_usual_are_kept() -> None:
    mine, theirs = (
        SessionState(recent=tuple(f"{who}{each}" for each in range(MAX_RECENT)))
        for who in ("a", "b")
    )
    assert len(merge_sessions(SessionState(), mine, theirs).recent) == MAX_RECENT


def test_where_it_opens_is_mine_and_keys_are_theirs() -> None:
    mine = SessionState(pattern="531", panel=False, keys={"pause": ("x",)})
    theirs = SessionState(pattern="441", keys={"pause": ("y",)}, other={"hats": 2})
    after = merge_sessions(SessionState(), mine, theirs)
    assert (after.pattern, after.panel, after.keys, after.other) == (
        "531",
        False,
        theirs.keys,
        theirs.other,
    )


@given(lists, lists, lists)
def test_nothing_that_is_new_is_lost_and_nothing_that_was_removed_comes_back(
    before: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]
) -> None:
    after = merge_sessions(
        *(SessionState(favourites=each, recent=each) for each in (before, mine, theirs))
    )
    kept = (set(before) & set(mine) & set(theirs)) | ((set(mine) | set(theirs)) - set(before))
    assert set(after.favourites) == set(after.recent) == kept
    assert len(after.favourites) == len(set(after.favourites))


@given(lists, lists)
def test_where_nobody_else_wrote_it_is_mine_as_it_is(
    before: tuple[str, ...], mine: tuple[str, ...]
) -> None:
    old, new = (
        SessionState(favourites=before, recent=before),
        SessionState(favourites=mine, recent=mine, pattern="3"),
    )
    assert merge_sessions(old, new, old) == new
