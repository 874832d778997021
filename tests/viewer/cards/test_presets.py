from driven_window import DrivenWindow


def test_the_mouse_finds_the_way_back_from_the_picture_alone(window: DrivenWindow) -> None:
    window.afresh()
    window.mouse("move", 400, 100)
    window.keys("Tab")
    window.wait(lambda state: not state["panel"] and state["settled"])
    bare = window.pixels()
    height = window.state()["size"][1]
    window.mouse("move", 60, height - 30)
    window.wait(lambda _: (window.pixels() != bare).any())
    near = window.pixels()
    assert (near != bare).any(axis=2)[height - 150 :, :200].any()
    assert (near == bare)[: height - 150].all()
    window.mouse("click", 1)
    window.wait(lambda state: state["panel"])


def test_the_button_is_there_only_near_its_corner_and_takes_no_drag_elsewhere(
    window: DrivenWindow,
) -> None:
    window.afresh()
    window.mouse("move", 400, 100)
    window.keys("Tab")
    before = window.wait(lambda state: not state["panel"] and state["settled"])
    height = before["size"][1]
    window.drag((180, height - 180), (260, height - 180))
    window.wait(lambda state: state["eye"] != before["eye"])
    assert not window.state()["panel"]
