from collections.abc import Callable

import numpy as np
from driven_keys import keys_for
from driven_window import DrivenWindow

from juggle_anim.viewer.state.keymap import Action

Opener = Callable[..., DrivenWindow]


def test_views_are_added_previewed_and_removed_with_keys_or_the_mouse(open_window: Opener) -> None:
    window = open_window(pattern="531")
    window.keys(*keys_for(Action.CAMERA_PATH, Action.FROM_FRONT))
    window.wait(
        lambda state: state["desk"]["camera_path"] and state["view"] == "front" and state["settled"]
    )
    window.keys(*keys_for(Action.ADD_POINT, Action.FROM_LEFT))
    window.wait(lambda state: state["view"] == "left" and state["settled"])
    window.keys(*keys_for(Action.ADD_POINT, Action.TURN_UP))
    state = window.wait(lambda state: state["desk"]["views"].endswith("@2.5"))
    first, second = state["desk"]["views"].split()
    assert (first.partition(",")[0], second.partition(",")[0]) == ("0.0", "90.0")
    # A view of the path is seen from as far away as the film will be.
    window.keys(*keys_for(Action.CHOOSE_PREVIOUS, Action.CHOOSE_NEXT))
    state = window.wait(lambda state: not state["awake"])
    at_left = state["eye"]
    window.keys(*keys_for(Action.TYPE_VALUE))
    window.wait(lambda state: np.ptp([state["eye"], at_left], axis=0).max() > 1.0)
    window.wait(
        lambda state: np.ptp([state["eye"], at_left], axis=0).max() < 0.05 and not state["awake"]
    )
    window.keys(*keys_for(Action.REMOVE_POINT))
    state = window.wait(lambda state: state["desk"]["views"] == first and not state["awake"])
    (row,) = (place for name, place in state["controls"].items() if name.endswith("view 0"))
    window.mouse("move", *np.add(row[:2], 8), "click", 1)
    window.wait(lambda state: np.ptp([state["eye"], at_left], axis=0).max() > 1.0)
    window.keys(*keys_for(Action.BACK))
    window.wait(lambda state: not state["desk"]["camera_path"])
