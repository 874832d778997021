"""Live change: patterns that are chosen while one plays follow without a jump, and time goes back
through that.
"""

import gc
from collections.abc import Iterator
from threading import Event
from threading import enumerate as enumerate_threads
from time import sleep
from weakref import ref

import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Floats
from juggle_anim.body import unplanned_blocks
from juggle_anim.parameters import quantity_named, row_named
from juggle_anim.render import Offscreen
from juggle_anim.routine import Routine
from juggle_anim.routine.change_process import ChangeProcess, prepared_change
from juggle_anim.scene import Camera
from juggle_anim.viewer.cards.panel import shortfall, shown_title
from juggle_anim.viewer.picture import ScenePrefetch
from juggle_anim.viewer.state import live_change
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model

FRAME = 1 / 60
FASTEST = 8.0  # m/s; no prop of these patterns flies faster
CAMERA = Camera((0.0, 1.2, 4.0), (0.0, 1.2, 0.0))


@pytest.fixture
def controller() -> Controller:
    return Controller(animate("3"), 0.5)


@pytest.fixture
def model(controller: Controller) -> Model:
    return controller.model


def play(model: Model, seconds: float) -> Floats:
    """Let time pass; return where the props were in each picture."""
    found = []
    for _ in range(round(seconds / FRAME)):
        model.playback.advance(FRAME, 1.0)
        model.advance()
        found.append(props(model))
    return np.array(found)


LONG = "64 5 97531 744 66661 5 744 97531 64 66661 97531 5 744 64 66661 97531 97531 744 66661"


def test_bodies_of_a_long_pattern_are_planned_before_pictures_come_to_them() -> None:
    model = Controller(animate(LONG), 0.5).model
    model.live.in_background = True
    model.animation.pose(0.0)
    soon = np.array([2.5])
    assert unplanned_blocks(model.animation.plan, soon)
    model.advance()
    for thread in enumerate_threads():
        if thread.name == "plan of bodies":
            thread.join()
    assert unplanned_blocks(model.animation.plan, soon) is None


def test_the_panel_waits_for_no_plan_of_a_long_pattern_that_a_thread_makes() -> None:
    model = Controller(animate(f"pattern={LONG};hands=(150)(200)."), 0.5, paused=True).model
    model.live.in_background = True
    assert shortfall(model) == ""
    assert "gaps" not in vars(model.animation)
    while not model.advance():
        for thread in enumerate_threads():
            if thread.name == "plan of bodies":
                thread.join()
    assert shortfall(model)


def props(model: Model) -> Floats:
    return model.live.drawn.sample(np.array([model.playback.clock])).props[0]


def ways(model: Model, seconds: float) -> Iterator[str]:
    """What is under way, each as often as it changes, with the present part in brackets."""
    before = ""
    for _ in range(round(seconds / FRAME)):
        play(model, FRAME)
        way = model.live.transition_texts(model.playback.clock)
        words = " → ".join(f"[{text}]" if present else text for text, present in way)
        if words != before:
            yield words
        before = words


def test_a_pattern_that_is_typed_while_one_plays_follows_without_a_jump(model: Model) -> None:
    before = play(model, 0.5)
    assert model.type_pattern("51")
    assert (model.text, model.animation.text, model.line) == ("51", "51", "51")
    after = play(model, 5.0)
    steps = np.abs(np.diff(np.concatenate([before, after]), axis=0)).max()
    assert steps < FASTEST * FRAME
    # It is plain 51 in the end, whose own time is that of the cards.
    plain = animate("51").sample(np.array([model.playback.time])).props[0]
    assert np.abs(np.sort(props(model), axis=0) - np.sort(plain, axis=0)).max() < 1e-4


def test_the_line_says_what_is_under_way(model: Model) -> None:
    model.type_pattern("51")
    assert list(ways(model, 5.0)) == ["[3] → 4 → 51", "3 → [4] → 51", "3 → 4 → [51]", ""]


def test_the_line_names_patterns_whose_text_has_settings(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A preparation that never comes to an end.
    path = "juggle_anim.viewer.state.live_change._Preparation"
    monkeypatch.setattr(f"{path}.start", lambda _: None)
    monkeypatch.setattr(f"{path}.is_alive", lambda _: True)
    model.live.in_background = True
    assert model.type_pattern("pattern=51;prop=club;dwell=1.1")
    way = model.live.transition_texts(model.playback.clock)
    assert (way, shown_title(model)) == ((("3", True), ("51", False)), "51")


def test_beats_and_ladder_show_the_throws_that_lead_there(model: Model) -> None:
    model.type_pattern("51")
    moment = model.moment
    throws = [
        throw for throw in moment.animation.pattern.throws if throw.beat < moment.transition_beats
    ]
    text = "".join(str(throw.value) for throw in throws)
    assert "3345151" in text
    lit = set()
    for _ in range(180):
        play(model, FRAME)
        juggled, time, transition = model.moment
        lit.add(
            juggled.pattern.throws[model.beat_line.beat(juggled, time, uneven_tempo=True)].value
            if transition
            else 0
        )
    assert lit == {3, 4, 5, 1}


def test_going_back_in_time_shows_the_same_pictures_and_patterns(controller: Controller) -> None:
    model, offscreen = controller.model, Offscreen(160, 120)
    prefetch, seen = ScenePrefetch(), []

    def picture() -> Floats:
        scene = prefetch.scene(model.live.drawn, model.playback.clock, FRAME, CAMERA)
        return offscreen.image(scene)

    for number in range(90):
        play(model, FRAME)
        if number == 20:
            model.type_pattern("51")
        if number % 10 == 9:
            seen.append((model.playback.clock, picture(), model.text, model.playback.time))
    for clock, image, text, time in reversed(seen):
        while model.playback.clock > clock + FRAME / 2:
            controller.perform(Action.STEP_BACK)
            model.advance()
        assert (model.text, model.line) == (text, text)
        assert model.playback.time == pytest.approx(time)
        assert (picture() == image).all()


def test_long_sessions_let_go_of_what_was_and_find_it_again_the_same(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_change, "_STRETCHES_IN_MEMORY", 1)
    paths, seen = [], []
    for text in ("51", "441", "3", "531", "51"):
        model.type_pattern(text)
        paths.append(ref(model.moment.animation.motion))
        play(model, 1.4)
        clock = model.playback.clock - FRAME
        seen.append((clock, model.live.drawn.scene(clock, CAMERA)))
    gc.collect()
    assert [path() is None for path in paths] == [True, True, True, True, False]
    for clock, scene in reversed(seen):
        model.live.go_to_time(clock)
        again = model.live.drawn.scene(clock, CAMERA)
        assert np.array_equal(again.spheres, scene.spheres)
        assert np.array_equal(again.capsules, scene.capsules)
    gc.collect()
    held = [span for span in model.live.drawn.spans if "motion" in vars(span.line)]
    assert len(held) <= 3


def test_undo_goes_back_by_a_transition_and_redo_again(controller: Controller) -> None:
    model = controller.model
    model.type_pattern("51")
    seen = [play(model, 2.2)]
    controller.perform(Action.UNDO)
    assert (model.text, len(model.live.stretches)) == ("3", 3)
    seen.append(play(model, 1.0))
    controller.perform(Action.REDO)
    assert model.text == "51"
    seen.append(play(model, 1.0))
    assert np.abs(np.diff(np.concatenate(seen), axis=0)).max() < FASTEST * FRAME


def test_undo_back_in_time_drops_what_came_later(controller: Controller) -> None:
    model = controller.model
    play(model, 0.5)
    model.type_pattern("51")
    play(model, 1.0)
    model.playback.pause_at(model.playback.time - 1.2)
    model.advance()
    assert (model.text, model.chosen_step.text) == ("3", "51")
    controller.perform(Action.UNDO)
    assert [each.text for each in model.live.stretches] == ["3"]
    model.playback.toggle()
    assert np.abs(np.diff(play(model, 2.0), axis=0)).max() < FASTEST * FRAME


@pytest.mark.parametrize("why", ["switched off", "paused", "backwards", "events"])
def test_otherwise_the_pattern_is_cut_to_its_start(controller: Controller, why: str) -> None:
    model = controller.model
    if why == "switched off":
        controller.perform(Action.LIVE)
    elif why == "paused":
        controller.perform(Action.PAUSE)
    elif why == "backwards":
        controller.perform(Action.BACKWARDS)
    model.type_pattern("<3p|3p>" if why == "events" else "51")
    assert (model.playback.time, model.playback.clock, len(model.live.stretches)) == (0.0, 0.0, 1)


def test_looks_and_speed_change_on_the_way_without_a_cut(model: Model) -> None:
    model.type_pattern("51")
    seen = [play(model, 1.0)]
    model.set_value(row_named("theme"), "dark")
    model.set_value(quantity_named("speed"), 0.5)
    model.set_value(quantity_named("chicken_wing"), 60.0)
    assert model.live.transition_texts(model.playback.clock)
    seen.append(play(model, 1.0))
    assert np.abs(np.diff(np.concatenate(seen), axis=0)).max() < FASTEST * FRAME
    assert model.moment.animation.palette == model.animation.palette
    assert {each.animation.parameters.chicken_wing for each in model.live.stretches} == {60.0}


def test_another_tempo_on_the_way_goes_on_with_the_present_pattern(model: Model) -> None:
    model.type_pattern("51")
    play(model, 1.0)
    phase = model.playback.phase(model.animation.duration)
    model.set_value(quantity_named("bps"), 3.0)
    assert [each.text for each in model.live.stretches] == [model.text]
    assert model.playback.phase(model.animation.duration) == pytest.approx(phase)


def test_a_process_prepares_a_transition_if_it_can(model: Model) -> None:
    asked = []

    class Process(ChangeProcess):
        def change(
            self, routine: Routine, time: float, animation: Animation, at_start: bool = False
        ) -> Routine | None:
            asked.append(animation.text)
            return None if animation.text == "51" else prepared_change(routine, time, animation)

    model.live.in_background, model.live.process = True, Process()
    for text in ("441", "51", "4"):
        model.type_pattern(text)
        while model.live.coming:
            model.advance()
            sleep(0.01)
        assert (model.text, asked[-1]) == (text, text)
        assert len(model.live.stretches) > 1


def test_a_machine_that_is_too_slow_for_any_transition_cuts_to_the_pattern(model: Model) -> None:
    asked = []

    class Process(ChangeProcess):
        def change(
            self, routine: Routine, time: float, animation: Animation, at_start: bool = False
        ) -> Routine:
            asked.append(time)
            while model.playback.clock <= time:
                sleep(0.001)
            sleep(0.01)
            return prepared_change(routine, time, animation)

    model.live.in_background, model.live.process = True, Process()
    model.type_pattern("51")
    while model.live.coming:
        play(model, 4 * FRAME)
        sleep(0.002)
        assert len(asked) < 20, "it is prepared again and again"
    assert (model.text, model.line, len(model.live.stretches)) == ("51", "51", 1)
    assert len(asked) > 1, "a later moment is tried before"


def test_a_pattern_that_takes_too_long_to_prepare_is_cut_to(model: Model) -> None:
    is_shown = Event()

    class Process(ChangeProcess):
        def change(
            self, routine: Routine, time: float, animation: Animation, at_start: bool = False
        ) -> Routine:
            is_shown.wait()
            return prepared_change(routine, time, animation)

    model.live.in_background, model.live.process = True, Process()
    model.type_pattern("51")
    waited = 0.0
    while model.live.coming and not model.live.coming.cuts:
        waited += FRAME
        model.playback.advance(FRAME, 1.0)
        model.advance(FRAME)
        assert waited < 2.0
    assert (model.text, model.notice.text) == ("3", "Preparing 51 …"), "the present one goes on"
    while model.text == "3":
        model.advance(FRAME)
        sleep(0.001)
    assert model.animation.is_planned, "no picture waits for bodies"
    assert not model.notice.text
    is_shown.set()
    assert (model.text, model.line, len(model.live.stretches)) == ("51", "51", 1)


def test_no_change_of_a_setting_waits_for_a_preparation_without_end(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_over = Event()

    class Process(ChangeProcess):
        def change(
            self, routine: Routine, time: float, animation: Animation, at_start: bool = False
        ) -> Routine:
            is_over.wait()
            return prepared_change(routine, time, animation)

    monkeypatch.setattr("juggle_anim.viewer.state.live_change._LONGEST_BLOCK", 0.01)
    model.live.in_background, model.live.process = True, Process()
    model.type_pattern("51")
    model.set_value(quantity_named("chicken_wing"), 60.0)
    assert (model.text, model.value(quantity_named("chicken_wing"))) == ("51", 60.0)
    is_over.set()


@pytest.mark.parametrize(("passed", "stretch_count"), [(0.1, 2), (1.0, 1)])
def test_where_pictures_are_slow_a_pattern_is_cut_to(
    model: Model, passed: float, stretch_count: int
) -> None:
    """A transition would last too long: a picture stands for a tenth of a second at most."""
    is_seen = Event()

    class Process(ChangeProcess):
        def change(
            self, routine: Routine, time: float, animation: Animation, at_start: bool = False
        ) -> Routine:
            is_seen.wait()
            return prepared_change(routine, time, animation)

    model.live.in_background, model.live.process = True, Process()
    model.type_pattern("51")
    model.playback.advance(0.1, 1.0)
    model.advance(passed)
    is_seen.set()
    while model.live.coming:
        model.advance()
        sleep(0.001)
    assert (model.text, len(model.live.stretches)) == ("51", stretch_count)


def test_a_transition_is_prepared_beside_the_pictures(model: Model) -> None:
    model.live.in_background = True
    model.type_pattern("441")
    model.type_pattern("51")
    assert (model.text, model.chosen_step.text, model.line) == ("3", "51", "51")
    assert model.live.transition_texts(model.playback.clock) == (("3", True), ("51", False))
    model.set_value(quantity_named("chicken_wing"), 60.0)  # waits for it
    assert (model.text, model.value(quantity_named("chicken_wing"))) == ("51", 60.0)
    assert np.abs(np.diff(play(model, 2.0), axis=0)).max() < FASTEST * FRAME
