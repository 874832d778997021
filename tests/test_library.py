from pathlib import Path

import pytest

from juggle_anim.errors import LibraryError
from juggle_anim.notation import LibraryPattern, find_pattern, library, read_siteswap
from juggle_anim.notation.library import read_library

_GOOD = """
[[pattern]]
name = "Cascade"
siteswap = "3"
tags = ["3 props"]
difficulty = 1
description = "It crosses."
"""


def test_the_library_holds_the_patterns_that_come_with_the_program() -> None:
    assert len(library()) >= 12
    assert {"3", "531", "(6x,4)*", "[34]23", "b97531"} <= {pattern.siteswap for pattern in library()}


@pytest.mark.parametrize("pattern", library(), ids=lambda pattern: pattern.name)
def test_every_pattern_of_the_library_can_be_juggled_with_the_props_it_says(pattern: LibraryPattern) -> None:
    props = read_siteswap(pattern.siteswap).props
    assert f"{props} prop{'s' if props > 1 else ''}" in pattern.tags
    assert pattern.description.endswith(".")


def test_a_pattern_is_found_by_name_in_any_case_and_spacing() -> None:
    found = find_pattern("  five-BALL   cascade ")
    assert found is not None
    assert found.siteswap == "5"
    assert find_pattern("no such thing") is None


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
