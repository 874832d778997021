from collections import Counter

from juggle_anim.viewer.state.keymap import BINDINGS, HELP, Action, binding_for, caption, chords


def test_no_chord_stands_for_two_actions() -> None:
    assert Counter(binding.chord for binding in BINDINGS).most_common(1)[0][1] == 1


def test_every_action_has_a_key_and_a_line_of_help() -> None:
    explained = [
        action
        for lines in HELP.values()
        for keys, _ in lines
        if isinstance(keys, tuple)
        for action in keys
    ]
    assert sorted(explained, key=list(Action).index) == list(Action)
    assert {binding.action for binding in BINDINGS} == set(Action)


def test_chords_are_found_and_others_do_nothing() -> None:
    binding = binding_for("shift+left")
    assert binding
    assert binding.action is Action.TURN_DOWN_FINE
    assert binding_for("ctrl+x") is None


def test_keys_are_named_as_people_name_them() -> None:
    assert caption(Action.TURN_DOWN_FINE) == "Shift+←"
    assert caption(Action.STEP_BACK) == ","
    assert chords(Action.REDO) == [["Ctrl", "Shift", "Z"]]
    assert chords(Action.EDIT_PATTERN) == [["/"], ["Ctrl", "L"]]
