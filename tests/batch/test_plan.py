from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.batch.plan import MAX_NAME_BYTES, file_names, safe_name
from juggle_anim.exporter.resume import read_template


def test_names_are_those_of_the_patterns() -> None:
    titles = [
        "531",
        "Mills Mess",
        "(6x,4)*",
        "<3p 3|3p 3>",
        "3.5p 3",
        "five-ball cascade",
        "Überkopf",
    ]
    assert file_names(titles) == [
        "531", "Mills_Mess", "6x,4", "3p_3_3p_3", "3_5p_3", "five-ball_cascade", "Überkopf",
    ]  # fmt: skip


def test_equal_names_are_counted_and_no_count_takes_the_name_of_another() -> None:
    assert file_names(["a", "A", "a", "a 2", "a*"]) == ["a", "A_2", "a_3", "a_2_2", "a_4"]


def test_no_name_is_that_of_a_further_file_of_another_pattern() -> None:
    assert file_names(["a-1", "a-props", "a-1-b", "one-handed"]) == [
        "a_1",
        "a_props",
        "a-1-b",
        "one-handed",
    ]


def test_a_name_of_nothing_harmless_still_is_one() -> None:
    assert file_names(["***", "", "../..", "CON", "lpt1", "-rf", "{camera}", "####"]) == [
        "pattern", "pattern_2", "pattern_3", "CON_", "lpt1_", "rf", "camera", "pattern_4",
    ]  # fmt: skip


@given(st.lists(st.text(max_size=120), max_size=8), st.lists(st.text(max_size=5), max_size=5))
def test_names_are_safe_and_unique_and_later_ones_change_none(
    titles: list[str], more: list[str]
) -> None:
    names = file_names(titles)
    assert len({name.casefold() for name in names}) == len(titles)
    assert file_names(titles + more)[: len(titles)] == names
    for name in names:
        assert name[0].isalnum()
        assert not set(name) & set("/\\:*?\"<>|%#{}[]()&;$`'! \n\0.~")
        assert len(name.encode()) <= MAX_NAME_BYTES + len("_-999")
        name.encode()


@given(st.text(max_size=300))
def test_a_safe_name_stays_as_it_is(title: str) -> None:
    name = safe_name(title)
    assert read_template(Path(name)) is None
    assert safe_name(name) == name.removesuffix("_") or safe_name(name) == name
