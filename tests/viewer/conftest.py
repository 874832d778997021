"""What tests of the viewer without a window begin with."""

import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.model import Model


@pytest.fixture
def controller() -> Controller:
    controller = Controller(animate("531"))
    controller.library.advance(0.1)
    return controller


@pytest.fixture
def model(controller: Controller) -> Model:
    return controller.model
