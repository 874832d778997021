from pathlib import Path

from juggle_anim.notation.library import library
from juggle_anim.notation.listing import listed_in_file, listed_in_library, search_listed

LIST = "# Three\n3  # Cascade\n532  # Broken\npattern=<3p 3|3p 3>;title=Two count\n3  # Cascade\n"


def test_the_whole_library_is_listed_with_patterns_to_begin_with_first() -> None:
    listed = [row.pattern for row in listed_in_library()]
    assert set(listed) == set(library())
    starters = [pattern for pattern in library() if "starter" in pattern.tags and pattern.props > 2]
    assert listed[0].name == "Cascade"
    assert set(listed[: len(starters)]) == set(starters)
    others = [
        (pattern.jugglers, pattern.props, pattern.name == pattern.siteswap)
        for pattern in listed[len(starters) :]
    ]
    assert others == sorted(others), "few props first, and of equally many those with names"
    assert {row.number for row in listed_in_library()} == {0}


def test_the_patterns_of_a_file_are_listed_with_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(LIST)
    listed = listed_in_file(tmp_path / "a.txt")
    assert [
        (each.number, each.pattern.name, each.pattern.props, each.pattern.jugglers)
        for each in listed
    ] == [
        *((1, "Cascade", 3, 1), (2, "Broken", 0, 1), (3, "Two count", 6, 2), (4, "Cascade", 3, 1)),
    ]
    assert listed[2].pattern.tags == ("6 props", "2 jugglers")
    assert [bool(each.reason) for each in listed] == [False, True, False, False]


def test_one_pattern_of_a_file_is_listed_alone(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(LIST)
    for choice in ("3", "two count"):
        (listed,) = listed_in_file(f"{tmp_path}/a.txt#{choice}")
        assert (listed.number, listed.pattern.name) == (3, "Two count")


def test_files_are_searched_as_the_library_is(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(LIST)
    listed = listed_in_file(tmp_path / "a.txt")
    assert [each.number for each in search_listed("cascad", listed)] == [1, 4]
    assert [each.number for each in search_listed("count two", listed)] == [3]
    assert [each.number for each in search_listed("6 clubs", listed)] == [3]
    assert search_listed(" ", listed) == listed


def test_a_listed_pattern_is_told_as_json(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(LIST)
    first, second, *_ = (each.as_data() for each in listed_in_file(tmp_path / "a.txt"))
    assert (first["number"], first["name"], first["siteswap"], first["props"]) == (
        1,
        "Cascade",
        "3",
        3,
    )
    assert "average" in second["error"]
    assert "props" not in second
    assert "number" not in listed_in_library()[0].as_data()
