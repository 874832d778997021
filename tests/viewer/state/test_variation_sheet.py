import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.layout import arrange
from juggle_anim.viewer.picture_parts import sheet_areas, sheet_place_at
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.split import VariationSheet


@pytest.fixture
def controller() -> Controller:
    controller = Controller(animate("531"))
    controller.perform(Action.VARY)
    return controller


def filled(controller: Controller) -> VariationSheet:
    while controller.variations.advance():
        pass
    return controller.variations


def test_versions_come_one_after_another_in_two_frames_each(controller: Controller) -> None:
    sheet = controller.variations
    for frame in range(1, 19):
        assert sheet.advance()
        assert len(sheet.versions) == frame // 2
    assert not sheet.advance()
    assert sheet.versions[4].text == "531"


def test_one_goes_on_with_a_version_and_undo_leads_back(controller: Controller) -> None:
    controller.perform(Action.TURN_UP)  # throws
    sheet = filled(controller)
    wanted = sheet.versions[1].text
    sheet.choose(1)
    assert controller.model.text == wanted != "531"
    assert filled(controller).versions[4].text == wanted
    controller.perform(Action.UNDO)
    assert controller.model.text == "531"
    assert filled(controller).versions[4].text == "531"
    sheet.choose(4)
    assert controller.model.text == "531"


def test_keys_turn_what_varies_and_give_others(controller: Controller) -> None:
    first = [each.settings for each in filled(controller).versions]
    controller.perform(Action.TYPE_VALUE)
    assert [each.settings for each in filled(controller).versions] != first
    controller.perform(Action.CHOOSE_NEXT)
    controller.perform(Action.TURN_UP)
    assert [control.value for control in controller.variations.controls] == ["mixed", 0.7]
    controller.perform(Action.BACK)
    assert controller.model.cards.panel is None


@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (1920, 1080)])
def test_a_click_finds_the_picture_under_it(size: tuple[int, int]) -> None:
    layout = arrange(*size, 1.0, shown=True)
    areas = sheet_areas(layout)
    for number, area in enumerate(areas):
        x, y = area.left + area.width / 2, size[1] - area.bottom - area.height / 2
        assert layout.free.covers(x, y)
        assert sheet_place_at(layout, x, y) == number
    assert sheet_place_at(layout, 5, 5) is None
    assert not any(one.overlaps(other) for one in areas for other in areas if one is not other)
