from pathlib import Path

import pytest

from juggle_anim.errors import LibraryError
from juggle_anim.notation import LibraryPattern, find_pattern, library, read_pattern, read_siteswap
from juggle_anim.notation.library import read_library
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.states import is_ground

_GOOD = """
[[pattern]]
name = "Cascade"
siteswap = "3"
tags = ["3 props"]
difficulty = 1
description = "It crosses."
"""


def test_the_library_holds_the_patterns_that_come_with_the_program() -> None:
    assert len(library()) >= 200
    assert {"3", "531", "(6x,4)*", "[34]23", "b97531"} <= {pattern.siteswap for pattern in library()}


@pytest.mark.parametrize("pattern", library(), ids=lambda pattern: pattern.name)
def test_every_pattern_of_the_library_is_what_its_tags_say(pattern: LibraryPattern) -> None:
    juggled = read_siteswap(pattern.siteswap)
    assert f"{juggled.props} prop{'s' if juggled.props > 1 else ''}" in pattern.tags
    assert ("sync" if "(" in pattern.siteswap else "async") in pattern.tags
    assert ("multiplex" in pattern.tags) == ("[" in pattern.siteswap)
    kind = is_ground(juggled)
    assert ("ground state" in pattern.tags) == (kind is True)
    assert ("excited" in pattern.tags) == (kind is False)
    assert len(set(pattern.tags)) == len(pattern.tags)


@pytest.mark.parametrize("pattern", library(), ids=lambda pattern: pattern.name)
def test_every_pattern_of_the_library_is_described_in_a_sentence(pattern: LibraryPattern) -> None:
    assert pattern.description.endswith(".")
    assert len(pattern.description.split()) >= 5


def test_every_description_is_of_one_pattern_alone() -> None:
    descriptions = [pattern.description for pattern in library()]
    assert len(set(descriptions)) == len(descriptions)


@pytest.mark.parametrize("pattern", library(), ids=lambda pattern: pattern.name)
def test_every_name_and_alias_opens_its_pattern_or_one_that_only_starts_elsewhere(pattern: LibraryPattern) -> None:
    for name in pattern.names:
        assert find_pattern(name) is pattern
        assert _shape(read_pattern(name)) == _shape(read_siteswap(pattern.siteswap))


def test_no_two_patterns_of_the_library_are_the_same_but_for_where_they_start() -> None:
    shapes = [_shape(read_siteswap(pattern.siteswap)) for pattern in library()]
    assert len(set(shapes)) == len(shapes)


def test_a_siteswap_that_somebody_types_is_not_taken_for_a_name_of_another() -> None:
    for pattern in library():
        named = find_pattern(pattern.siteswap)
        assert named is None or named is pattern


def test_difficulty_grows_with_the_number_of_props() -> None:
    cascades = [found.difficulty for name in ("3", "5", "7", "9") if (found := find_pattern(f"{name}-ball cascade"))]
    assert len(cascades) == 4
    assert cascades == sorted(set(cascades))
    assert all(
        pattern.difficulty >= 8
        for pattern in library()
        if read_siteswap(pattern.siteswap).props >= 8 and "[" not in pattern.siteswap
    )


def test_a_pattern_is_found_by_name_in_any_case_and_spacing() -> None:
    for name in ("  five-BALL   cascade ", "5 ball cascade", "Fivé ball cascade", "five-props cascade"):
        found = find_pattern(name)
        assert found is not None
        assert found.siteswap == "5"
    assert find_pattern("no such thing") is None


def test_a_pattern_is_found_by_another_name() -> None:
    found = find_pattern("wimpy")
    assert found is not None
    assert found.siteswap == "(4x,4x)"


def _shape(pattern: Pattern) -> tuple[int, tuple[tuple[int, int, int, int], ...]]:
    """The throws as they are whichever beat is the first, and whichever hand is the right one."""
    period = pattern.period
    turned = (
        tuple(sorted(((t.beat - first) % period, t.hand ^ swap, t.value, t.to_hand ^ swap) for t in pattern.throws))
        for first in range(period)
        for swap in (0, 1)
    )
    return period, min(turned)


def test_files_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(_GOOD)
    (tmp_path / "a.toml").write_text(_GOOD.replace("Cascade", "First"))
    assert [pattern.name for pattern in read_library(tmp_path)] == ["First", "Cascade"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[[pattern", "cannot be read as TOML"),
        ("name = 1", "holds \\[\\[pattern\\]\\] tables"),
        ("pattern = 3", "holds \\[\\[pattern\\]\\] tables"),
        ("pattern = [3]", "pattern 1: it has 3"),
        ("[[pattern]]\nname = 'x'", "pattern 1: it has name, but must have name, siteswap"),
        (_GOOD + "colour = 'red'", "pattern 1: it has .*colour, but must have"),
        (_GOOD + _GOOD.replace("Cascade", "CASCADE"), "pattern 2: there is another pattern named 'CASCADE'"),
        (_GOOD + _GOOD.replace("Cascade", "Other") + "aliases = ['cascade']", "pattern 2: .* named 'cascade'"),
        (_GOOD + "aliases = ['CASCADE']", "pattern 1: there is another pattern named 'CASCADE'"),
        (_GOOD + "aliases = 'Weave'", "aliases must be a list of texts"),
        (_GOOD + "aliases = ['']", "aliases must be a list of texts"),
        (_GOOD.replace('"Cascade"', "3"), "name must be a text"),
        (_GOOD.replace('"3"', '" "'), "siteswap must be a text"),
        (_GOOD.replace('["3 props"]', "[3]"), "tags must be a list of texts"),
        (_GOOD.replace("= 1", "= 11"), "difficulty must be a whole number from 1 to 10"),
        (_GOOD.replace("= 1", "= true"), "difficulty must be a whole number from 1 to 10"),
    ],
)
def test_a_broken_file_is_told_with_its_place(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text)
    with pytest.raises(LibraryError, match=reason) as caught:
        read_library(tmp_path)
    assert str(path) in str(caught.value)
