import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from long_cases import sampled
from refusals import refusal
from siteswap_strategies import any_text, valid_passing_siteswaps, valid_siteswaps
from work import ONE_SECOND, at_most

from juggle_anim.errors import NotationError
from juggle_anim.notation import completions, near_siteswaps, read_siteswap
from juggle_anim.notation.limits import MAX_COMPLETION_STEPS, MAX_WILDCARDS
from juggle_anim.notation.siteswap.syntax import (
    OPEN,
    Start,
    WrittenThrow,
    leaves_of,
    parse,
    tokenize,
)


def _written(text: str) -> list[WrittenThrow]:
    leaves = [leaf for leaf in leaves_of(parse(text).items) if not isinstance(leaf, Start)]
    return [throw for leaf in leaves for part in leaf if isinstance(part, tuple) for throw in part]


def _values(text: str) -> list[int]:
    return [int(throw.value) for throw in _written(text)]


def _open(text: str, starts: set[int]) -> str:
    """The text with a ? for each value that begins at one of these indices."""
    lengths = {token.start: len(token.text) for token in tokenize(text)}
    for start in sorted(starts, reverse=True):
        text = text[:start] + "?" + text[start + lengths[start] :]
    return text


@st.composite
def _opened(draw: st.DrawFn, most: int) -> tuple[str, str]:
    """A valid siteswap, and the same with some of its throws left open."""
    text = draw(valid_siteswaps() | valid_passing_siteswaps())
    starts = [throw.start for throw in _written(text)]
    return text, _open(text, draw(st.sets(st.sampled_from(starts), min_size=1, max_size=most)))


@pytest.mark.parametrize(
    ("text", "completed"),
    [
        ("5?1", "531"),
        (" 5 ? 1 ", " 5 3 1 "),
        ("?", "3"),
        ("???", "333"),
        ("(?,?)", "(4,4)"),
        ("7?", "77"),
        ("b??531", "b37531"),
        ("97??1", "97441"),
        ("[3?]23", "[34]23"),
        ("(6x,?)*", "(6x,4)*"),
        ("(?x,4)*", "(2x,4)*"),
        ("(5?^3)", "(55^3)"),
        ("<3p ?|3p 3>", "<3p 3|3p 3>"),
        ("<?p ?|?p ?>", "<3p 3|3p 3>"),
        ("5?B5", "55B5"),
    ],
)
def test_a_question_mark_becomes_the_throw_nearest_to_the_mean(text: str, completed: str) -> None:
    assert read_siteswap(text).text == completed


def test_of_equally_near_completions_the_one_with_fewer_props_comes_first() -> None:
    assert [read_siteswap(text).props for text in itertools.islice(completions("4?3"), 2)] == [3, 4]


def test_all_completions_come_once_in_the_order_of_nearness() -> None:
    found = [_values(text) for text in completions("4??", limit=9)]
    brute = [
        [4, first, second]
        for first in range(10)
        for second in range(10)
        if {(1 + first) % 3, (2 + second) % 3} == {0, 2}
    ]
    brute.sort(key=lambda values: (sum((value - 4) ** 2 for value in values), sum(values), values))
    assert found == brute


def test_a_text_without_question_marks_is_its_own_completion() -> None:
    assert list(completions("531")) == ["531"]


def test_no_completion_goes_above_the_limit() -> None:
    assert list(completions("5?1", limit=3)) == ["531", "501"]
    assert "{60}" in list(completions("?", limit=60))


@pytest.mark.parametrize(
    ("text", "completed"),
    [
        ("<3p?|3p 3>", "<3p{3}|3p 3>"),
        ("<3p2?|3p 3>", "<3p2{3}|3p 3>"),
        ("{25}{25}?", "{25}{25}{25}"),
        ("{33}?", "{33}{33}"),
        ("(c,?x)(?x,c)", "(c,{10}x)({10}x,c)"),
    ],
)
def test_braces_stand_where_a_character_would_mean_something_else(
    text: str, completed: str
) -> None:
    assert read_siteswap(text).text == completed


@pytest.mark.parametrize("text", ["5?x1", "R?xL?x", "<?p|3p><?p|3>"])
def test_a_crossed_or_passed_throw_does_not_become_an_empty_hand(text: str) -> None:
    with pytest.raises(NotationError, match="none of them can land on beat"):
        read_siteswap(text)


@given(_opened(most=MAX_WILDCARDS))
def test_a_valid_siteswap_with_throws_left_open_is_completed(texts: tuple[str, str]) -> None:
    original, opened = texts
    pattern = read_siteswap(opened)
    assert "?" not in pattern.text
    assert read_siteswap(pattern.text) == pattern
    for old, new in zip(_written(opened), _written(pattern.text), strict=True):
        assert new[1:2] + new[3:] == old[1:2] + old[3:]
        assert old.value in (new.value, OPEN)
    assert pattern.period == read_siteswap(original).period


@given(_opened(most=3))
def test_what_was_there_is_among_the_completions(texts: tuple[str, str]) -> None:
    original, opened = texts
    values = _values(original)
    found = [_values(text) for text in completions(opened, limit=max(values))]
    assert found.count(values) == 1


@given(_opened(most=4))
def test_every_completion_is_a_pattern(texts: tuple[str, str]) -> None:
    for text in itertools.islice(completions(texts[1]), 10):
        assert read_siteswap(text).text == text


@settings(max_examples=2 * settings.default.max_examples)
@given(any_text() | st.text("????0123579abpxzABLR[](){},*!^<|> ", max_size=20))
def test_any_text_with_question_marks_ends_in_a_pattern_or_a_message_with_little_work(
    text: str,
) -> None:
    with at_most(ONE_SECOND):
        error = refusal(text)
    if error is not None:
        assert error.text == text
        assert 0 <= error.index <= len(text)
        assert error.reason
        assert error.accepted


@pytest.mark.parametrize(
    "text",
    sampled(
        [
            "?" * 20,
            "?" * 5_000,
            "[99]????????????",
            "z0" * 20 + "?" * 12,
            "([????????????]^300)",
            "([???????????5x]^300)",
            "9???????????1",
            "(9??7??5??3??1??^100)9",
            "<" + "|".join(["????"] * 3) + ">",
            "z" * 1_999 + "?",
            "??x?[?x9](ax,?)!???x(?^20)*",
            "[60]?((??8^1)*^2)([??]*^400)[????]??",
        ],
        *("?" * 5_000, "z0" * 20 + "?" * 12, "([????????????]^300)", "9???????????1"),
        "??x?[?x9](ax,?)!???x(?^20)*",
    ),
    ids=lambda text: text[:16],
)
def test_many_question_marks_take_little_work(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A tenth of what is allowed, so that the test takes a tenth of the time.
    monkeypatch.setattr(
        "juggle_anim.notation.siteswap.wildcard.MAX_COMPLETION_STEPS", MAX_COMPLETION_STEPS // 10
    )
    with at_most(ONE_SECOND // 3):
        error = refusal(text)
    assert error is None or text[error.index] == "?"


@given(st.from_regex(r"[0-9]{1,6}", fullmatch=True))
def test_near_siteswaps_are_valid_and_differ_in_two_throws_at_most(text: str) -> None:
    for near in near_siteswaps(text):
        assert read_siteswap(near)
        assert sum(new != old for new, old in zip(near, text, strict=True)) <= 2


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("532", ("522", "531", "534")),
        ("543", ("444", "534", "333")),
        ("(4,5)", ("(4,4)", "(4,6)", "(4,2)")),
        ("no pattern", ()),
    ],
)
def test_near_siteswaps(text: str, near: tuple[str, ...]) -> None:
    assert near_siteswaps(text) == near
