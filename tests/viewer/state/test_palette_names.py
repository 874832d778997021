"""The palette says each thing once."""

from juggle_anim.viewer.state.controller import Controller


def test_no_action_of_the_palette_says_its_name_twice(controller: Controller) -> None:
    palette = controller.palette
    palette.toggle()
    actions = [command for command in palette.found if command.keys]
    assert {"Generate patterns", "More room between props", "Undo"} <= {
        command.name for command in actions
    }
    for command in actions:
        assert not command.about.startswith(command.name), command


def test_a_setting_that_takes_several_values_is_listed_once(controller: Controller) -> None:
    palette = controller.palette
    palette.toggle()
    palette.search("hide jugglers")
    assert [command.name for command in palette.found] == ["Hide jugglers"]
