import pytest

from juggle_anim.errors import FileError, NotationError
from juggle_anim.notation import Entry, open_patterns, read_settings
from juggle_anim.notation.reading_work import ReadingWork
from juggle_anim.notation.rewriting import with_events
from juggle_anim.notation.text_list import read_text_list

MANY_THROWS = "(3^2000)"


def added(entry: Entry, times: int) -> None:
    work = ReadingWork("list")
    for _ in range(times):
        work.add(entry)


@pytest.mark.parametrize("text", [MANY_THROWS, "[??????][??????]"])
def test_little_text_that_takes_much_work_is_refused_in_great_numbers(text: str) -> None:
    entry = Entry("much", read_settings(text), text=text, line=7)
    added(entry, 20)
    with pytest.raises(FileError, match="list, line 7: until here this is too much to read at once"):
        added(entry, 2000)


def test_events_and_long_wrong_texts_count_too() -> None:
    (events,) = with_events(open_patterns("(3^1000)"))[0].entries
    wrong = Entry("wrong", error=NotationError("", 0, ""), text="a" * 5000)
    for entry in (events, wrong):
        with pytest.raises(FileError, match="list: until here"):
            added(entry, 2000)


def test_a_long_list_of_common_patterns_is_read() -> None:
    added(Entry("3", read_settings("97531"), text="97531"), 20_000)


def test_a_hostile_list_is_refused_before_all_of_it_is_read() -> None:
    with pytest.raises(FileError, match="cut it into smaller files"):
        read_text_list("\n".join([MANY_THROWS] * 20_000), "list")
