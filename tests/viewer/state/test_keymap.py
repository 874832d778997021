from hypothesis import given
from hypothesis import strategies as st
from paths import DOCS

from juggle_anim.viewer.session.file import custom_bindings
from juggle_anim.viewer.state.keymap import BINDINGS, Action, caption, use_bindings

chords = st.sampled_from(
    ["x", "y", "ctrl+k", "Shift + F5", "space", "h", "?", "", "ctrl+", "a+b+c", "\n"]
)
names = st.sampled_from(
    [action.name.lower() for action in Action] + ["fly", "", "PAUSE", "step on"]
)


def chords_of(table: tuple, action: Action) -> list[str]:
    return [binding.chord for binding in table if binding.action is action]


def test_a_chosen_key_takes_the_place_of_the_usual_one() -> None:
    table, complaints = custom_bindings(
        BINDINGS, {"pause": ("f7", "Shift+Space"), "step on": ("f10",)}
    )
    assert complaints == []
    assert chords_of(table, Action.PAUSE) == ["f7", "shift+space"]
    assert chords_of(table, Action.STEP_ON) == ["f10"]
    assert next(binding for binding in table if binding.chord == "f10").action.repeats


def test_a_chosen_key_stands_wherever_keys_are_shown() -> None:
    usual = caption(Action.PAUSE)
    try:
        use_bindings(custom_bindings(BINDINGS, {"pause": ("ctrl+k",)})[0])
        assert caption(Action.PAUSE) == "Ctrl+K" != usual
    finally:
        use_bindings(BINDINGS)
    assert caption(Action.PAUSE) == usual


def test_a_key_is_taken_from_an_action_that_has_another() -> None:
    table, complaints = custom_bindings(BINDINGS, {"pause": ("?",)})
    assert complaints == []
    assert chords_of(table, Action.PALETTE) == ["ctrl+k"]


def test_the_only_key_of_an_action_is_not_taken_before_it_has_another() -> None:
    table, complaints = custom_bindings(BINDINGS, {"pause": ("escape",)})
    assert table == BINDINGS
    assert "escape is the only key of back" in complaints[0]
    table, complaints = custom_bindings(BINDINGS, {"back": ("ctrl+k",), "pause": ("escape",)})
    assert (chords_of(table, Action.PAUSE), complaints) == (["escape"], [])


def test_nonsense_is_said_and_changes_nothing() -> None:
    table, complaints = custom_bindings(
        BINDINGS, {"pauze": ("x",), "pause": (), "step_on": ("strg+alt",)}
    )
    assert table == BINDINGS
    assert len(complaints) == 3
    assert "pause" in complaints[0]


def test_the_page_names_every_action_that_a_key_can_be_chosen_for() -> None:
    page = (DOCS / "viewer_reference.md").read_text()
    assert [action.name for action in Action if f"`{action.name.lower()}`" not in page] == []


@given(st.dictionaries(names, st.lists(chords, max_size=3).map(tuple), max_size=6))
def test_every_action_keeps_a_key_and_no_key_does_two_things(
    choices: dict[str, tuple[str, ...]],
) -> None:
    table, _ = custom_bindings(BINDINGS, choices)
    assert {binding.action for binding in table} == set(Action)
    assert len({binding.chord for binding in table}) == len(table)
