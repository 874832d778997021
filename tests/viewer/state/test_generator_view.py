import itertools
from pathlib import Path

import pytest

from juggle_anim.animation import animate
from juggle_anim.notation import read_file
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.generator import GeneratorView
from juggle_anim.viewer.state.keymap import GENERATOR, Action


@pytest.fixture
def controller() -> Controller:
    controller = Controller(animate("531"))
    controller.perform(Action.GENERATE)
    return controller


@pytest.fixture
def view(controller: Controller) -> GeneratorView:
    return controller.library.generator


def control(view: GeneratorView, name: str, value: object) -> None:
    """Step a control until it has a value."""
    found = next(each for each in view.active_controls if each.name == name)
    values = [each for _, each in found.values]
    view.step(found, values.index(value) - values.index(found.value))


def finish(view: GeneratorView) -> list[str]:
    while view.advance(1.0):
        pass
    return [each.pattern for each in view.found]


def test_it_opens_with_patterns_of_as_many_props(
    controller: Controller, view: GeneratorView
) -> None:
    assert {animate(each).pattern.props for each in finish(view)} == {3}
    control(view, "period", 3)
    assert finish(view) == ["441", "522", "531", "450"]
    control(view, "start", "excited")
    assert finish(view) == ["450"]
    controller.perform(Action.GENERATE)
    assert controller.model.cards.panel is None


def test_keys_go_through_controls_and_patterns_and_play_these(
    controller: Controller, view: GeneratorView
) -> None:
    control(view, "period", 3)
    finish(view)
    while not view.chosen:
        controller.perform(Action.CHOOSE_NEXT)
    assert controller.model.text == "441"
    controller.perform(Action.PAGE_DOWN)
    assert controller.model.text == "450"
    controller.perform(Action.STAR)
    assert controller.library.browser.favourites == ["450"]
    for _ in range(len(view.found)):
        controller.perform(Action.CHOOSE_PREVIOUS)
    before = view.active_controls[view.line].value
    controller.perform(Action.TURN_UP)
    assert view.active_controls[view.line].value != before
    assert list(view.stars) == ["450"]
    controller.perform(Action.TYPE_VALUE)
    controller.perform(Action.BACK)
    controller.perform(Action.BACK)
    assert controller.model.cards.panel is None


def test_patterns_that_are_skimmed_are_not_in_the_history(
    controller: Controller, view: GeneratorView
) -> None:
    library = controller.library
    controller.model.playback.paused = True
    library.advance(2.0)
    finish(view)
    for number in range(4):
        view.play(number)
        library.advance(0.2)
    library.advance(2.0)
    assert library.visited.history.now
    assert library.visited.history.now.text == view.found[3].pattern
    assert library.visited.history.before
    assert library.visited.history.before.text == "531"


def test_a_large_search_is_cut_into_slices_and_left_at_once(
    controller: Controller, view: GeneratorView
) -> None:
    for name, value in (("props", 5), ("max_throw", 11), ("period", 9)):
        control(view, name, value)
    assert view.advance(0.0) is True
    assert view.search
    while len(view.found) < 2_000:
        view.advance(0.002)
    assert 0 < view.search.done < 1
    first = view.search
    control(view, "period", 8)
    assert view.search is not first
    assert len(view.found) == 0
    controller.perform(Action.BACK)
    assert (view.search, view.stopped) == (None, True)
    assert controller.model.cards.panel == GENERATOR


def test_what_is_impossible_is_said(view: GeneratorView) -> None:
    control(view, "synchronous", True)
    assert "period" in view.error
    control(view, "period", 4)
    assert not view.error
    control(view, "jugglers", 2)
    assert all("p" in each for each in finish(view)[:20])


@pytest.mark.parametrize("ending", [".txt", ".jml", ".json"])
def test_stars_of_several_searches_are_saved_and_open_again(
    controller: Controller, view: GeneratorView, tmp_path: Path, ending: str
) -> None:
    for period in (3, 4):
        control(view, "period", period)
        finish(view)
        for each in itertools.islice(view.found, 2):
            view.star(each)
    controller.perform(Action.SHELF)
    path = tmp_path / f"stars{ending}"
    controller.perform(Action.SAVE_FILE)
    controller.library.apply_prompt(str(path))
    assert "4 patterns saved" in controller.model.notice.text
    assert [each.text or each.display for each in read_file(path).patterns] == list(view.stars)
    assert controller.library.open_text(str(path))
