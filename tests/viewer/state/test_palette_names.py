"""What the palette lists."""

from juggle_anim.viewer.state.controller import Controller


def test_a_setting_that_takes_several_values_is_listed_once(controller: Controller) -> None:
    palette = controller.palette
    palette.toggle()
    palette.search("hide jugglers")
    assert [command.name for command in palette.found] == ["Hide jugglers"]
