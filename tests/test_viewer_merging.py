from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.viewer.session.state import MAX_RECENT, SessionState, merged_sessions

lists = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6).map(tuple)
BEFORE = SessionState(favourites=("3", "441"), recent=("441", "3"))


def starred(memory: SessionState, *texts: str) -> SessionState:
    return replace(memory, favourites=(*texts, *memory.favourites))


def test_favourites_of_two_windows_are_both_kept() -> None:
    after = merged_sessions(BEFORE, starred(BEFORE, "531"), starred(BEFORE, "b97531"))
    assert after.favourites == ("531", "b97531", "3", "441")


def test_what_one_of_them_unstarred_is_gone() -> None:
    mine, theirs = replace(BEFORE, favourites=("441",)), starred(BEFORE, "531")
    assert merged_sessions(BEFORE, mine, theirs).favourites == ("531", "441")
    assert merged_sessions(BEFORE, theirs, mine).favourites == ("531", "441")


def test_recent_patterns_are_those_of_both_the_newest_first() -> None:
    mine, theirs = replace(BEFORE, recent=("3", "441")), replace(BEFORE, recent=("51", "441", "3"))
    assert merged_sessions(BEFORE, mine, theirs).recent == ("3", "51", "441")


def test_no_more_recent_patterns_than_usual_are_kept() -> None:
    mine, theirs = (SessionState(recent=tuple(f"{who}{each}" for each in range(MAX_RECENT))) for who in ("a", "b"))
    assert len(merged_sessions(SessionState(), mine, theirs).recent) == MAX_RECENT


def test_where_it_opens_is_mine_and_keys_are_theirs() -> None:
    mine = SessionState(pattern="531", paused=True, keys={"pause": ("x",)})
    theirs = SessionState(pattern="441", keys={"pause": ("y",)}, other={"hats": 2})
    after = merged_sessions(SessionState(), mine, theirs)
    assert (after.pattern, after.paused, after.keys, after.other) == ("531", True, theirs.keys, theirs.other)


@given(lists, lists, lists)
def test_nothing_that_is_new_is_lost_and_nothing_that_was_removed_comes_back(
    before: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]
) -> None:
    after = merged_sessions(*(SessionState(favourites=each, recent=each) for each in (before, mine, theirs)))
    kept = (set(before) & set(mine) & set(theirs)) | ((set(mine) | set(theirs)) - set(before))
    assert set(after.favourites) == set(after.recent) == kept
    assert len(after.favourites) == len(set(after.favourites))


@given(lists, lists)
def test_where_nobody_else_wrote_it_is_mine_as_it_is(before: tuple[str, ...], mine: tuple[str, ...]) -> None:
    old, new = SessionState(favourites=before, recent=before), SessionState(favourites=mine, recent=mine, pattern="3")
    assert merged_sessions(old, new, old) == new
