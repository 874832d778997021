"""What tests of the viewer without a window begin with."""

import pytest
from shared_plans import plan_without_arms

from juggle_anim.animation import animate
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.model import Model


@pytest.fixture(autouse=True)
def bridges_without_plans_of_arms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sees the arms of those who go over to another pattern in a window that is not there;
    windows plan all in processes of their own.
    """
    monkeypatch.setattr("juggle_anim.routine.routine.plan_bodies", plan_without_arms)


@pytest.fixture
def controller() -> Controller:
    controller = Controller(animate("531"))
    controller.library.advance(0.1)
    return controller


@pytest.fixture
def model(controller: Controller) -> Model:
    return controller.model
