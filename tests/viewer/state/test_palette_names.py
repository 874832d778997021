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


def test_notes_say_more_than_the_names_before_them(controller: Controller) -> None:
    palette = controller.palette
    palette.toggle()
    for command in (found for found in palette.found if found.keys):
        assert command.name.casefold() not in command.about.casefold(), command.name


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("print", "Print"),
        ("pdf", "Save as: Ladder"),
        ("export", "Save as: Pattern"),
        ("mute", "Sound"),
        ("screenshot", "Save a picture of the window"),
        ("exit", "Quit"),
        ("help", "Keyboard shortcuts"),
        ("tutorial", "Learn"),
        ("compare solvers", "Split"),
        ("undo all", "Undo all"),
        ("shower", "Three-ball shower"),
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
