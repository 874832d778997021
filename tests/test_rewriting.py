import pytest

from juggle_anim.notation import Entry, PatternList, open_patterns, read_settings
from juggle_anim.notation.rewriting import with_events, with_titles, without_names


def listed(*texts: str) -> PatternList:
    return PatternList((Entry("words"), *(Entry(f"my {text}", read_settings(text), text=text) for text in texts)))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("531", "531"),
        ("pattern=531;dwell=1", "pattern=531;dwell=1"),
        ("pattern= 5 3\n1;\ndwell=1.3", "pattern= 5 3\n1;\ndwell=1.3"),
        ("Box", "pattern=(4,2x)(2x,4);title=Box"),
        ("5?1", "pattern=531"),
    ],
)
def test_only_what_other_programs_do_not_know_is_written_out(text: str, written: str) -> None:
    words, entry = without_names(listed(text)).entries
    assert (words, entry.display, entry.text) == (Entry("words"), f"my {text}", written)
    assert read_settings(entry.text).score.pattern == read_settings(text).score.pattern


def test_throws_on_beats_become_events_that_remember_them() -> None:
    patterns, failed = with_events(listed("531", "pattern=3;bps=2"))
    words, first, second = patterns.entries
    assert (words, failed) == (Entry("words"), ())
    for entry in (first, second):
        assert entry.settings is not None
        assert entry.settings.score.pattern is None
        assert entry.text == ""
    assert first.settings is not None
    assert first.settings.score.base == ("siteswap", "pattern=531")
    assert first.settings.score.name == "my 531"
    assert second.settings is not None
    assert second.settings.score.placed is not None
    assert second.settings.score.placed.bps == 2.0


def test_the_name_in_a_list_becomes_the_title_where_there_is_none() -> None:
    named, titled = with_titles(listed("531", "pattern=3;title=Cascade")).patterns
    assert named.settings is not None
    assert titled.settings is not None
    assert (named.settings.score.title, titled.settings.score.title) == ("my 531", "Cascade")
    plain = open_patterns("531")
    assert with_titles(plain) == plain


def test_events_and_broken_patterns_stay_as_they_are() -> None:
    patterns, _ = with_events(open_patterns("531"))
    assert with_events(patterns) == (patterns, ())
    broken = PatternList((Entry("broken", error=ValueError("no"), text="532"),))  # type: ignore[arg-type]
    assert with_events(broken) == (broken, ())
