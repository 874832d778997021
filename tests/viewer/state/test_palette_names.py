"""What the palette lists."""

import pytest

from juggle_anim.viewer.state.controller import Controller


def test_a_setting_that_takes_several_values_is_listed_once(controller: Controller) -> None:
    palette = controller.palette
    palette.toggle()
    palette.search("hide jugglers")
    assert [command.name for command in palette.found] == ["Hide jugglers"]


def test_an_exact_name_comes_first(controller: Controller) -> None:
    palette = controller.palette
    palette.toggle()
    for name in ("Stage", "sound", "View from the top", "Generate"):
        palette.search(name)
        assert palette.found[0].name.casefold() == name.casefold()


def test_notes_are_not_the_names_before_them_again(controller: Controller) -> None:
    palette = controller.palette
    palette.toggle()
    for command in (found for found in palette.found if found.keys):
        assert command.about, command.name
        assert command.about.casefold() != command.name.casefold(), command.name


def test_what_an_action_does_is_told_beside_its_name(controller: Controller) -> None:
    palette = controller.palette
    palette.toggle()
    abouts = {command.name: command.about for command in palette.found}
    assert "patterns to juggle one after another" in abouts["Routine"]
    assert "throws and catches" in abouts["More room"]
    assert "elbows" in abouts["Elbow lift"]
    bare = [name for name, about in abouts.items() if about == "Pattern"]
    assert all(" " in name for name in bare), bare


def test_methods_for_elbows_have_their_explanations(controller: Controller) -> None:
    controller.palette.toggle()
    controller.palette.search("compare with")
    abouts = {command.name: command.about for command in controller.palette.found}
    assert "shortest way" in abouts["Compare with: robot, direct"]
    assert "creep to the hand" in abouts["Compare with: robot, small steps"]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("print", "Sheet to print as PDF"),
        ("pdf", "Sheet to print as PDF"),
        ("export", "Save as: Pattern"),
        ("mute", "Sound"),
        ("screenshot", "Save a picture of the window"),
        ("exit", "Quit"),
        ("help", "Keyboard shortcuts"),
        ("tutorial", "Learn"),
        ("compare solvers", "Split"),
        ("undo all", "Undo all"),
        ("shower", "Three-ball shower"),
        ("contact sheet", "Sheet to print as PDF"),
        ("strobe", "Save as: Overlay"),
        ("causal", "Diagram"),
        ("square", "Prop: cube"),
        ("scoop", "Hand dip"),
        ("seed", "Variation number"),
        ("humanise loops", "Varied loops"),
        ("split scale", "Size in split view"),
        ("squeeze", "Squeeze catches"),
    ],
)
def test_words_of_newcomers_find_what_they_mean(
    controller: Controller, words: str, name: str
) -> None:
    controller.palette.toggle()
    controller.palette.search(words)
    assert controller.palette.found[0].name == name


@pytest.mark.parametrize(
    ("typed", "name"),
    [("routine", "Routine"), ("collision", "Find collisions"), ("gym", ""), ("mirror zzz", "")],
)
def test_what_is_typed_as_a_pattern_may_be_the_name_of_a_command(
    controller: Controller, typed: str, name: str
) -> None:
    assert next(iter(controller.palette.commands_named(typed)), "") == name
