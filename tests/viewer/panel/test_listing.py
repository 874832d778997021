import pytest

from juggle_anim.parameters import Group, row_named
from juggle_anim.viewer.panel.controls import (
    CONTROLS,
    PANEL_CONTROLS,
    WINDOW_CONTROLS,
    ArmSelection,
    Listing,
    Pages,
    pack_groups,
)


@pytest.fixture
def listing() -> Listing:
    """One without folded groups."""
    listing = Listing()
    listing.folded.clear()
    return listing


def names(listing: Listing, *changed: str) -> list[str]:
    lines = listing.lines(lambda row: row.name in changed)
    return [line.value if isinstance(line, Group) else line.name for line in lines]


def test_each_group_has_its_head_and_its_knobs_below_it(listing: Listing) -> None:
    assert names(listing)[:7] == ["Basics", "prop", "colors", "jugglers", "speed", "bps", "view"]
    rows = [line for line in listing.lines(lambda _: False) if not isinstance(line, Group)]
    assert rows == list(PANEL_CONTROLS)
    assert {*CONTROLS, *WINDOW_CONTROLS} == set(rows)


def test_a_new_window_shows_the_basics_and_the_heads_of_all_else() -> None:
    lines = names(Listing())
    assert lines[: lines.index("Look")] == [
        "Basics",
        "prop",
        "colors",
        "jugglers",
        "speed",
        "bps",
        "view",
    ]
    assert lines[lines.index("Look") :] == [group.value for group in Group][1:]


def test_a_folded_group_shows_its_head_alone(listing: Listing) -> None:
    listing.toggle(Group.ARMS)
    assert "arms" not in names(listing)
    listing.toggle(Group.ARMS)
    assert names(listing)[names(listing).index("Arms") + 1] == "chicken_wing"


@pytest.mark.parametrize(
    ("sought", "found"),
    [
        (
            "chick",
            ["Arms", "chicken_wing", "arms", "ghost"],
        ),
        ("usual  hands  THROW", ["Hand path", "throw_height"]),
        ("beats/s", ["Basics", "bps"]),
        ("club", ["Props", "spins", "Basics", "prop"]),
        ("gravity", ["Timing", "gravity"]),
        ("qqq", []),
    ],
)
def test_what_is_sought_is_found_by_any_of_its_words(
    listing: Listing, sought: str, found: list[str]
) -> None:
    listing.query = sought
    assert names(listing) == found


def test_names_that_fit_come_before_all_else_that_fits(listing: Listing) -> None:
    listing.query = "prop"
    assert names(listing)[:2] == ["Basics", "prop"]
    assert names(listing).index("gravity") > names(listing).index("prop_diameter")


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


def test_arms_follow_each_other_around_all_jugglers() -> None:
    arm, seen = ArmSelection(), []
    for _ in range(4):
        seen.append((arm.juggler, arm.side))
        arm = arm.next(2)
    assert seen == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert arm == ArmSelection()


def test_an_arm_is_named_and_kept_within_the_jugglers() -> None:
    assert ArmSelection(0, 1).label(1) == "Right arm"
    assert ArmSelection(2, 0).label(3) == "Left arm of 3"
    assert ArmSelection(2, 1).within(2) == ArmSelection(1, 1)


def test_groups_fill_columns_and_columns_fill_pages_in_their_order() -> None:
    assert pack_groups([30, 40, 20, 50, 90, 10], sum, 70, 2) == [[[30, 40], [20, 50]], [[90], [10]]]


def test_columns_are_even() -> None:
    assert pack_groups([100, 100, 100, 100], sum, 300, 2) == [[[100, 100], [100, 100]]]


def test_the_help_turns_through_its_pages_and_closes() -> None:
    pages = Pages(count=2)
    assert pages.turn(shown=False)
    assert pages.first == 0
    assert pages.turn(shown=True)
    assert pages.first == 1
    assert not pages.turn(shown=True)
    assert pages.turn(shown=False)
    assert pages.first == 0


def test_pages_are_turned_through_and_then_put_away() -> None:
    pages = Pages(5, capacity=2)
    shown = False
    seen = []
    for _ in range(5):
        shown = pages.turn(shown=shown)
        seen.append(list(pages.indices) if shown else [])
    assert seen == [[0, 1], [2, 3], [3, 4], [], [0, 1]]


@pytest.mark.parametrize("room", [5, 7])
def test_where_all_have_room_there_is_one_page(room: int) -> None:
    pages = Pages(5, capacity=room)
    assert pages.turn(shown=False)
    assert list(pages.indices) == [0, 1, 2, 3, 4]
    assert not pages.turn(shown=True)


def test_what_people_call_a_control_comes_before_names_that_only_have_the_word(
    listing: Listing,
) -> None:
    listing.query = "elbow"
    assert names(listing)[:3] == ["Arms", "chicken_wing", "left_wing"]
    listing.query = "solver"
    assert "arms" in names(listing)
