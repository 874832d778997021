from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from small_films import number_of, write_film

from juggle_anim.animation import animate
from juggle_anim.api import export
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.viewer.footage.footage import (
    ACROSS,
    BESIDE,
    END,
    FRONT,
    IN_STEP,
    MARKS,
    OPACITY,
    PLACE,
    RIGHT_HAND,
    SIZE,
    SPEED,
    START,
    STAY,
    UP,
    FootageView,
    Mark,
)
from juggle_anim.viewer.layout import Rectangle, arrange
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action, begins_pattern
from juggle_anim.viewer.state.playback import throw_times

TAP = 0.08


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_film(tmp_path_factory.mktemp("film") / "person.mp4", 60)


@pytest.fixture
def controller(path: Path) -> Iterator[Controller]:
    made = Controller(animate("531"), 0.5)
    made.footage.open(str(path))
    yield made
    made.footage.close()


def run(controller: Controller, seconds: float) -> FootageView:
    """Let time pass in pictures of a screen."""
    model, footage = controller.model, controller.footage
    footage.synchronize()
    for _ in range(round(seconds * 60)):
        model.playback.advance(1 / 60, model.animation.parameters.speed)
        model.advance()
        footage.synchronize()
    return footage


def test_the_film_begins_with_the_loop_and_follows_the_clock(controller: Controller) -> None:
    footage = controller.footage
    assert footage.time == pytest.approx(0.5)
    assert run(controller, 0.7).time == pytest.approx(1.2)
    controller.perform(Action.PAUSE)
    assert run(controller, 0.5).time == pytest.approx(1.2)
    controller.perform(Action.STEP_BACK)
    assert footage.time == pytest.approx(1.2 - 1 / 60)
    assert run(controller, 0.0).time == pytest.approx(1.2 - 1 / 60)


def test_speed_and_start_say_which_picture_is_shown(controller: Controller) -> None:
    footage = controller.footage
    footage.controls.set_value(SPEED, 0.5)
    footage.synchronize()
    assert footage.time == pytest.approx(0.5), "the film goes on from where it is"
    assert run(controller, 0.4).time == pytest.approx(0.7)
    footage.controls.set_value(START, 0.25)
    assert footage.time == pytest.approx(0.95)
    controller.model.change(lambda animation: animation.replace(speed=0.5), "speed")
    assert run(controller, 0.4).time == pytest.approx(1.05)
    frame = footage.film and footage.film.frame(footage.time, (64, 48), 10.0)
    assert frame
    assert number_of(frame.pixels) == int(1.05 * 30)


def test_at_its_end_a_film_begins_again_or_stays(controller: Controller) -> None:
    footage, loop = controller.footage, controller.model.animation.choreography.duration
    controller.model.playback.time = 4.3
    assert footage.time == pytest.approx(0.3)
    footage.controls.set_value(END, STAY)
    assert footage.time == 2.0
    footage.controls.set_value(END, IN_STEP)
    assert footage.time == pytest.approx(4.3 % loop), (
        "after whole loops of the pattern that fit into the film"
    )


def test_the_film_goes_on_where_tempo_or_pattern_change(controller: Controller) -> None:
    footage = run(controller, 0.3)
    for change in (
        lambda: controller.model.change(lambda animation: animation.replace(bps=2.0), "bps"),
        lambda: controller.model.type_pattern("441"),
        lambda: controller.perform(Action.LIVE) or controller.model.type_pattern("97531"),
    ):
        before = footage.time
        change()
        assert run(controller, 0.0).time == pytest.approx(before, abs=1e-6)
        assert run(controller, 0.2).time == pytest.approx((before + 0.2) % 2.0, abs=0.02)


def test_a_place_on_its_line_is_gone_to_with_the_animation(controller: Controller) -> None:
    footage, playback = controller.footage, controller.model.playback
    for time in (1.5, 0.1, 1.9, 0.0):
        between = playback.time - footage.time
        footage.go_to(time)
        assert footage.time == pytest.approx(time)
        shifted = (
            playback.time - footage.time - between
        ) / controller.model.animation.choreography.duration
        assert shifted == pytest.approx(round(shifted)), (
            "both moved by the same time, or by whole loops besides"
        )
        assert playback.time >= 0.0


def mark(footage: FootageView, times: np.ndarray, hold: float = TAP) -> None:
    footage.marks.made = [Mark(time, time + hold) for time in times.tolist()]


def throws_in_film(controller: Controller) -> np.ndarray:
    """Times of the film at which the animation throws, of the present loop."""
    model, footage = controller.model, controller.footage
    shown = []
    for time in throw_times(model.animation):
        model.playback.time = float(time)
        shown.append(footage.time)
    return np.array(shown)


def test_marks_set_tempo_and_let_throws_fall_on_them(controller: Controller) -> None:
    controller.model.type_pattern("3")
    footage = run(controller, 0.4)
    mark(footage, 0.17 + 0.31 * np.arange(6))
    before = footage.time
    controller.perform(Action.USE_MARKS)
    assert controller.model.animation.parameters.bps == pytest.approx(1 / 0.31, abs=1e-3)
    assert abs(footage.time - before) < 0.31, "the film goes on about where it is"
    off = (throws_in_film(controller) - 0.17) / 0.31
    assert off == pytest.approx(np.round(off), abs=0.01)


def test_undo_leads_back_to_tempo_dwell_and_start(controller: Controller) -> None:
    footage, model = run(controller, 0.4), controller.model
    mark(footage, 0.17 + 0.31 * np.arange(6))
    before, start = model.animation.parameters, footage.controls.value(START)
    controller.perform(Action.USE_MARKS)
    used, used_start = model.animation.parameters, footage.controls.value(START)
    assert (before, start) != (used, used_start)
    for action, parameters, value in (
        (Action.UNDO, before, start),
        (Action.REDO, used, used_start),
    ):
        controller.perform(action)
        assert run(controller, 0.0).controls.value(START) == value
        assert model.animation.parameters == parameters


def test_a_start_set_by_hand_stays_after_marks_that_keep_the_pace(controller: Controller) -> None:
    footage = run(controller, 0.4)
    mark(footage, 0.17 + 0.31 * np.arange(6))
    controller.perform(Action.USE_MARKS)
    footage.controls.set_value(START, 1.0)
    controller.perform(Action.USE_MARKS)
    assert footage.controls.value(START) != 1.0
    footage.controls.set_value(START, 1.0)
    assert run(controller, 0.0).controls.value(START) == 1.0


def test_a_key_that_is_held_while_a_hand_holds_gives_dwell_and_lets_that_hand_throw(
    controller: Controller,
) -> None:
    footage, model = run(controller, 0.1), controller.model
    model.type_pattern("3")
    model.advance()
    footage.controls.set_value(MARKS, RIGHT_HAND)
    mark(footage, 0.1 + 0.6 * np.arange(3), 0.42)
    mark(footage, np.array([0.1, 0.7, 1.3, 1.9]), 0.42)
    controller.perform(Action.USE_MARKS)
    parameters = model.animation.parameters
    assert (parameters.bps, parameters.dwell) == (
        pytest.approx(1 / 0.3, abs=1e-3),
        pytest.approx(1.4),
    )
    first = throws_in_film(controller)[0]  # the right hand's, on beat 0
    assert (first - 0.52 + 0.3) % 0.6 == pytest.approx(0.3, abs=0.01)


def test_a_shift_gives_the_marks_to_the_other_hand(controller: Controller) -> None:
    before = controller.footage.time
    controller.perform(Action.SHIFT_BEAT)
    assert (controller.footage.time - before) % 2.0 == pytest.approx(
        1 / controller.model.animation.choreography.bps
    )


def test_the_key_of_marks_marks_what_is_shown(controller: Controller) -> None:
    controller.perform(Action.MARK_BEAT)
    run(controller, 0.25)
    controller.release(Action.MARK_BEAT)
    (made,) = controller.footage.marks.made
    assert (made.pressed, made.released) == (pytest.approx(0.5), pytest.approx(0.75))
    controller.perform(Action.UNMARK)
    assert controller.model.notice.text == "", "the card shows marks"
    assert controller.footage.marks.made == []


def test_without_the_card_a_notice_says_what_marks_give(controller: Controller) -> None:
    controller.perform(Action.FOOTAGE)
    for count, says in ((1, "1 mark;"), (3, "3 marks;"), (5, "5 marks: 4.00 beats/s")):
        while len(controller.footage.marks.made) < count:
            controller.perform(Action.MARK_BEAT)
            controller.release(Action.MARK_BEAT)
            run(controller, 0.25)
        assert controller.model.notice.text.startswith(says)


def test_marks_of_events_that_say_their_own_times_are_refused(
    controller: Controller, tmp_path: Path
) -> None:
    write_file(with_events(open_patterns("pattern=531;title=Mine"))[0], tmp_path / "events.jml")
    controller.perform(Action.PAUSE)
    controller.library.open_text(str(tmp_path / "events.jml"))
    mark(controller.footage, 0.17 + 0.31 * np.arange(6))
    controller.perform(Action.USE_MARKS)
    assert "cannot change timed events" in controller.model.notice.text


def test_keys_of_the_card_turn_its_controls(controller: Controller) -> None:
    controls = controller.footage.controls
    controller.perform(Action.TURN_UP)
    assert controls.value(PLACE) == BESIDE
    controller.perform(Action.TURN_UP)
    assert (controls.value(PLACE), controls.value(OPACITY)) == (FRONT, 50.0)
    for _ in range(2):
        controller.perform(Action.CHOOSE_NEXT)
    controller.perform(Action.TURN_UP)
    assert controls.value(SPEED) == 1.05
    controller.perform(Action.RESET_VALUE)
    assert controls.is_default(SPEED)
    controller.perform(Action.TYPE_VALUE)
    assert controls.entry.typed
    controls.entry.apply("fast")
    assert controls.entry.typed.error
    controls.entry.apply("2")
    assert (controls.value(SPEED), controls.entry.typed) == (2.0, None)
    controller.perform(Action.BACK)
    assert controller.model.cards.panel is None
    assert controller.footage.film


def test_the_film_fits_its_place_and_is_moved_in_it(controller: Controller) -> None:
    controls, free = controller.footage.controls, Rectangle(300.0, 50.0, 900.0, 600.0)
    assert controls.placed(free, (480, 640)) == Rectangle(525.0, 50.0, 450.0, 600.0)
    controls.set_value(SIZE, 50.0)
    controls.set_value(ACROSS, 10.0)
    controls.set_value(UP, -20.0)
    assert controls.placed(free, (480, 640)) == Rectangle(727.5, 320.0, 225.0, 300.0)


def test_a_film_beside_leaves_the_right_half_to_the_animation() -> None:
    layout = arrange(1280, 720, 1.0, shown=True, beats=True)
    halved = layout.with_film()
    assert halved.film
    assert (halved.film.left, halved.film.right) == (layout.free.left, halved.free.left)
    assert halved.free.right == layout.free.right
    assert halved.free.width == pytest.approx(halved.film.width, abs=2)


def test_a_film_is_dropped_and_a_film_of_ours_opens_as_its_pattern(
    tmp_path: Path, path: Path
) -> None:
    controller = Controller(animate("531"))
    ours = export(animate("441"), tmp_path / "ours.gif", size=(32, 32), fps=5)[0]
    controller.take_files([str(ours)])
    assert (controller.model.text, controller.footage.film) == ("441", None)
    controller.take_files([path.as_uri()])
    assert (controller.model.text, controller.footage.path.name) == ("441", "person.mp4")
    controller.take_files([str(ours)])  # while the card is shown
    assert (controller.model.text, controller.footage.path.name) == ("441", "ours.gif")
    controller.perform(Action.REMOVE_FILM)
    assert controller.footage.film is None
    assert controller.model.text == "441"


def test_a_film_is_opened_by_its_path(path: Path) -> None:
    controller = Controller(animate("531"))
    for actions in ((Action.OPEN_FILE,), (Action.FOOTAGE, Action.OPEN_FILE)):
        for action in actions:
            controller.perform(action)
        assert controller.library.prompt.purpose
        controller.library.apply_prompt(str(path))
        assert controller.library.prompt.purpose is None
        assert controller.footage.path.name == "person.mp4"
        controller.footage.close()
        controller.model.cards.panel = None


def test_a_broken_film_is_refused_and_the_one_before_stays(
    controller: Controller, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_text("no film")
    controller.take_files([str(broken)])
    assert "annot read a video from broken.mp4" in controller.model.notice.text
    controller.perform(Action.OPEN_FILE)
    for text, says in (
        (str(broken), "cannot read a video"),
        (str(tmp_path), "is a folder"),
        ("gone.mp4", "does not exist"),
    ):
        controller.library.apply_prompt(text)
        assert says in controller.library.prompt.error
    assert controller.footage.path.name == "person.mp4"


@pytest.mark.parametrize(
    "action", [Action.MARK_BEAT, Action.USE_MARKS, Action.SHIFT_BEAT, Action.REMOVE_FILM]
)
def test_without_a_film_keys_say_how_to_open_one(action: Action) -> None:
    controller = Controller(animate("531"))
    controller.perform(action)
    assert "No video yet" in controller.model.notice.text


def test_the_key_of_marks_begins_a_pattern_while_there_is_no_film(controller: Controller) -> None:
    assert begins_pattern("b", Controller(animate("531")).idle)
    assert not begins_pattern("b", controller.idle)
