import time

import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action


def finished(controller: Controller) -> Controller:
    end = time.monotonic() + 300.0
    while not controller.optimiser.update():
        assert time.monotonic() < end
        time.sleep(0.01)
    return controller


@pytest.fixture
def controller() -> Controller:
    controller = Controller(animate("4BF"), paused=True)
    controller.perform(Action.OPTIMISE)
    assert controller.optimiser.is_working
    return controller


def test_the_pattern_gets_more_room_in_one_step_of_undo(controller: Controller) -> None:
    finished(controller)
    model = controller.model
    assert model.notice.text.startswith("Clearance 2.6 cm → ")
    assert "hands=" in model.animation.settings
    assert len(controller.optimiser.ghost)
    controller.perform(Action.UNDO)
    assert (model.animation.settings, len(controller.optimiser.ghost)) == ("pattern=4BF", 0)
    controller.perform(Action.REDO)
    assert len(controller.optimiser.ghost)
    controller.perform(Action.OPTIMISE)
    assert not len(controller.optimiser.ghost)
    assert "hands=" in model.animation.settings


def test_the_key_stops_it(controller: Controller) -> None:
    controller.perform(Action.OPTIMISE)
    assert not controller.optimiser.is_working
    assert not controller.optimiser.update()
    assert controller.model.animation.settings == "pattern=4BF"


@pytest.mark.long
def test_another_pattern_that_is_shown_meanwhile_stays(controller: Controller) -> None:
    controller.model.type_pattern("531")
    finished(controller)
    assert controller.model.animation.settings == "pattern=531"
    assert "pattern changed meanwhile" in controller.model.notice.text
