import pytest
from work import ONE_SECOND, at_most

from juggle_anim.errors import FileError, NotationError
from juggle_anim.notation import Entry, open_patterns, read_settings
from juggle_anim.notation.jml import read_jml
from juggle_anim.notation.limits import MAX_LIST_WORK
from juggle_anim.notation.rewriting import with_events
from juggle_anim.notation.text_list import ReadingBudget, read_text_list

MANY_THROWS = "(3^2000)"


def added(entry: Entry, times: int) -> int:
    """How often an entry could be read."""
    work = ReadingBudget("list")
    for _ in range(times):
        work.add(entry)
    return times


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
    assert added(Entry("3", read_settings("97531"), text="97531"), 20_000) == 20_000


@pytest.fixture
def tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of what is allowed, so that the test takes a tenth of the time."""
    monkeypatch.setattr("juggle_anim.notation.text_list.MAX_LIST_WORK", MAX_LIST_WORK / 10)


@pytest.mark.usefixtures("tenth")
def test_a_hostile_list_is_refused_before_all_of_it_is_read() -> None:
    with pytest.raises(FileError, match=r"list, line \d\d: until here .* cut it into smaller files"):
        read_text_list("\n".join([MANY_THROWS] * 20_000), "list")


@pytest.mark.usefixtures("tenth")
@pytest.mark.parametrize(
    "line", ["([33333]^2000)4", "(???3^2)(??5^2)(??5??^2)(??4?^2)", "3p " + "4p 3 3p [3p 4p] " * 60]
)
def test_a_list_of_wrong_lines_that_take_long_is_refused_soon(line: str) -> None:
    with at_most(ONE_SECOND), pytest.raises(FileError, match="cut it into smaller files"):
        read_text_list("3\n" + f"{line}\n" * 5_000, "list")


@pytest.mark.usefixtures("tenth")
def test_a_list_of_wrong_symmetries_that_take_long_is_refused_soon() -> None:
    everyone = f"({','.join(map(str, range(1, 1_001)))})"
    symmetries = f'<symmetry type="delay" delay="1"/><symmetry type="switch" jperm="{everyone}"/>'
    event = '<event x="0" t="0" hand="left"><holding path="1"/></event>'
    pattern = f'<pattern><setup paths="5000" jugglers="1000"/>{symmetries}{event}</pattern>'
    lines = f'<line notation="jml">{pattern}</line>' * 1_000
    with at_most(5 * ONE_SECOND), pytest.raises(FileError, match="cut it into smaller files"):
        read_jml(f"<jml><patternlist>{lines}</patternlist></jml>", "list")
