import pytest

from juggle_anim.parameters import Group, row_named
from juggle_anim.viewer.state.controls import CONTROLS
from juggle_anim.viewer.state.listing import Listing


@pytest.fixture
def listing() -> Listing:
    return Listing()


def names(listing: Listing, *changed: str) -> list[str]:
    lines = listing.lines(lambda row: row.name in changed)
    return [line.value if isinstance(line, Group) else line.name for line in lines]


def test_each_group_has_its_head_and_its_knobs_below_it(listing: Listing) -> None:
    assert names(listing)[:3] == ["Arms", "chicken_wing", "left_wing"]
    rows = [line for line in listing.lines(lambda _: False) if not isinstance(line, Group)]
    assert rows == list(CONTROLS)


def test_a_folded_group_shows_its_head_alone(listing: Listing) -> None:
    listing.toggle(Group.ARMS)
    assert names(listing)[:3] == ["Arms", "Timing", "bps"]
    listing.toggle(Group.ARMS)
    assert names(listing)[1] == "chicken_wing"


@pytest.mark.parametrize(
    ("sought", "found"),
    [
        ("chick", ["Arms", "chicken_wing", "arms", "ghost"]),
        ("usual  THROW", ["Hand path", "throw_height"]),
        ("beats/s", ["Timing", "bps"]),
        ("club", ["Props", "prop", "spins"]),
        ("qqq", []),
    ],
)
def test_what_is_sought_is_found_by_any_of_its_words(listing: Listing, sought: str, found: list[str]) -> None:
    listing.query = sought
    assert names(listing) == found


def test_folded_knobs_are_found_too(listing: Listing) -> None:
    listing.toggle(Group.TIMING)
    listing.query = "dwell"
    assert names(listing) == ["Timing", "dwell"]


def test_changed_finds_the_knobs_that_were_turned(listing: Listing) -> None:
    listing.query = "changed"
    assert names(listing, "gravity", "scoop") == ["Timing", "gravity", "Hand path", "scoop"]
    assert names(listing) == []


def test_a_knob_can_be_brought_back_into_sight(listing: Listing) -> None:
    listing.toggle(Group.TIMING)
    listing.query = "wing"
    listing.show(row_named("dwell"))
    assert "dwell" in names(listing)
