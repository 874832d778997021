"""The controller of editing: drags, their drafts and their steps of undo."""

from __future__ import annotations

import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.body import unplanned_blocks
from juggle_anim.diagrams.drawing import NODE_HEIGHT
from juggle_anim.edit_menu import throw_lines, thrown_word, turns_of_club
from juggle_anim.viewer.diagrams.diagrams import LoopDiagram
from juggle_anim.viewer.editor.editor import (
    LADDER,
    PICTURE,
    EditController,
    EventHandle,
    ThrowHandle,
)
from juggle_anim.viewer.editor.ladder_editor import (
    HandleKind,
    LadderEditor,
    LadderHandles,
    landing_targets,
)
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model


def dragged(model: Model, editor: EditController) -> None:
    """Drag a landing there and back and there again."""
    editor.begin_drag("landing")
    for second in (1, 4, 1):
        editor.drag(lambda edit, second=second: edit.swap_landings(0, second))


def test_a_drag_is_one_step_of_undo_and_is_planned_in_full_afterwards() -> None:
    model = Model(animate("531"), 0.3, paused=True)
    editor, before = EditController(model), model.animation
    dragged(model, editor)
    assert model.animation.gaps is before.gaps, "the camera keeps still"
    editor.end_drag()
    after, fresh = model.animation, Animation(model.animation.score, model.animation.parameters)
    times = np.array([0.2, 0.7])
    np.testing.assert_array_equal(after.pose(times).joints, fresh.pose(times).joints)
    model.restore(model.undo.undo(model.chosen_step))
    assert model.animation.score is before.score
    assert model.undo.undo(model.chosen_step) is None


def test_escape_takes_a_drag_back_and_a_refused_one_keeps_the_last() -> None:
    model = Model(animate("531"), 0.3, paused=True)
    editor, before = EditController(model), model.animation
    dragged(model, editor)
    there = model.animation
    editor.drag(lambda edit: edit.swap_landings(0, 99))
    assert model.animation is there
    assert "99" in model.error
    editor.cancel_drag()
    assert model.animation is before
    assert not editor.is_dragging


@pytest.mark.parametrize("beats", [30, 120])
def test_people_are_at_ease_until_a_long_plan_is_made_and_then_as_it_has_them(beats: int) -> None:
    """Jugglers throw a 441 among 3s, each at another time, for 8 s, or for half a minute, of which
    only what is shown soon is waited for.
    """
    sides = [
        " ".join("3" * beat + "441" + "3" * (beats - 3 - beat)) for beat in range(8 + beats // 60)
    ]
    model = Model(animate(f"<{'|'.join(sides)}>"), 0.0, paused=True)
    model.live.in_background = True
    editor = EditController(model)
    before = model.animation
    assert editor.update()
    times = np.array([0.2, 0.7])
    assert model.animation.score is before.score
    assert "plan" not in vars(before)
    assert np.isfinite(model.animation.pose(times).joints).all()
    assert editor.is_settling
    assert editor._settling
    editor._settling.join()
    assert editor.update()
    if beats == 120:
        later = np.array([model.animation.duration / 2])
        assert unplanned_blocks(model.animation.plan, later)
    np.testing.assert_array_equal(model.animation.pose(times).joints, before.pose(times).joints)
    assert not editor.update()
    assert not editor.is_settling
    assert model.undo.undo(model.chosen_step) is None


def test_pictures_wait_for_a_plan_that_is_made_soon() -> None:
    model = Model(animate("<a|3>"), 0.0, paused=True)
    model.live.in_background = True
    shown = model.animation
    assert not EditController(model).update()
    assert model.animation is shown


def test_a_draft_poses_people_with_the_plan_from_before() -> None:
    before = animate("<3p|3p>")
    draft = before.replace(dwell=1.4).drafted(before)
    assert draft.plan.arms is before.plan.arms
    assert np.isfinite(draft.pose(np.array([0.1])).joints).all()
    # Hands turn as before where the same hands throw the same props; joints hardly tell.
    moved = before.edit().move_event(1, position=before.choreography.events.position[1] + 0.05)
    quick, times = moved.drafted(before), np.arange(10) / 10
    assert quick.motion.palms is before.motion.palms
    assert np.abs(quick.pose(times).joints - moved.pose(times).joints).max() < 0.08


def test_keys_on_the_ladder_aim_a_throw_of_events_at_the_catch_of_another() -> None:
    model = Model(animate("531").edit().move_event(0, time=0.05), 0.0, paused=True)
    editor = EditController(model)
    ladder = LadderEditor(model, editor)
    editor.choose(ThrowHandle(0), LADDER)
    ladder.move(-1, 0, fine=False)
    assert model.animation.edit().back_to_settings().pattern.text == "441"
    assert editor.selection == (ThrowHandle(0),)


def test_every_handle_of_a_ladder_is_in_its_loop_and_has_words() -> None:
    for pattern in ("531", "<a|a>", "(6x,4)*", "[34]23", "423"):
        model = Model(animate(pattern), 0.0, paused=True)
        ladder = LadderEditor(model, EditController(model))
        handles, tape = ladder.handles(), LoopDiagram.from_animation(LADDER, model.animation)
        assert ((handles.places[:, 0] >= -1e-6) & (handles.places[:, 0] < tape.length)).all()
        assert len({each.handle for each in handles.handles}) == len(handles.handles)
        assert all(handles.describe(each) for each in handles.handles)


def test_del_removes_a_point_on_the_ladder_and_says_why_it_removes_no_throw() -> None:
    controller = Controller(animate("531").edit().add_point(0, 0.7), 0.0, paused=True)
    controller.perform(Action.EDIT)
    model, editor, ladder = controller.model, controller.editor, controller.ladder
    point = next(each for each in ladder.handles().handles if each.kind == HandleKind.POINT)
    count = len(model.animation.choreography.events.time)
    editor.choose(ThrowHandle(0), LADDER)
    controller.perform(Action.REMOVE_POINT)
    assert "beat" in model.error
    assert len(model.animation.choreography.events.time) == count
    editor.choose(point.handle, LADDER)
    controller.perform(Action.REMOVE_POINT)
    assert len(model.animation.choreography.events.time) < count
    assert not model.error


def test_while_one_edits_a_playing_pattern_is_cut_so_that_its_ladder_can_be_edited_at_any_time() -> (
    None
):
    controller = Controller(animate("3"), 0.5)
    model = controller.model
    model.type_pattern("441")
    controller.perform(Action.EDIT)
    model.advance()
    assert model.text == "441"
    assert model.moment.animation is model.animation, (
        "its own throws are juggled, and not those of a transition"
    )
    controller.editor.apply(lambda edit: edit.swap_landings(0, 2), "landing")
    edited, model.playback.time = model.text, 4.3
    beat = model.playback.time * model.animation.choreography.bps
    controller.perform(Action.UNDO)
    model.advance()
    assert (model.text, model.moment.animation) == ("441", model.animation)
    assert model.playback.time * model.animation.choreography.bps == pytest.approx(beat)
    controller.perform(Action.REDO)
    assert model.text == model.line == edited


@pytest.mark.parametrize(
    ("text", "turns", "menu", "results"),
    [
        (
            "5;prop=club",
            [2.0, 2.0],
            "Spins of all clubs",
            ["throwspins=1.5", "unchanged", "throwspins=2.5"],
        ),
        (
            "55;throwspins=2.5,-;prop=club",
            [2.5, 2.0],
            "Spins of the club",
            ["throwspins=2,-", "unchanged", "throwspins=3,-"],
        ),
    ],
)
def test_the_menu_of_a_throw_says_how_often_its_club_turns_now_and_what_changes(
    text: str, turns: list[float], menu: str, results: list[str]
) -> None:
    before = animate(f"pattern={text}")
    assert [turns_of_club(before, throw) for throw in (0, 1)] == turns
    line = next(each for each in throw_lines(before, 0, symmetric=True) if each.lines)
    assert (line.words, line.result) == (menu, f"{turns[0]:g}")
    now = [each.result for each in line.lines].index("unchanged")
    assert [each.result for each in line.lines[now - 1 : now + 2]] == results


def test_the_menu_of_a_throw_leads_to_throws_around_the_body_and_says_which_it_is() -> None:
    before = animate("pattern=531;throws=-,lazy,-")
    for animation, throw in ((before, 1), (before.edit().to_events(), 1)):
        assert thrown_word(animation, throw) == "lazy"
        line = next(
            each for each in throw_lines(animation, throw, symmetric=True) if each.result == "lazy"
        )
        assert [each.result for each in line.lines][:4] == [
            "-",
            "backcross",
            "shoulder",
            "unchanged",
        ]
        assert line.lines[1].change is not None
        assert thrown_word(line.lines[1].change(animation.edit()), throw) == "backcross"


def test_what_is_chosen_on_the_ladder_stays_chosen_when_keys_go_to_the_picture() -> None:
    controller = Controller(animate("531"), 0.0, paused=True)
    controller.perform(Action.EDIT)
    controller.editor.choose(EventHandle(5), LADDER)
    controller.perform(Action.HANDLE_PLACE)
    assert (controller.editor.place, controller.editor.selection) == (PICTURE, (EventHandle(5),))


@pytest.mark.parametrize(
    "pattern", ["531", "441", "97531", "51", "3", "(4,4)", "<3p33|3p33>", "633"]
)
def test_an_arrow_is_dropped_between_a_catch_and_a_throw_that_the_ladder_shows(
    pattern: str,
) -> None:
    animation = animate(pattern)
    ladder = LadderHandles.from_animation(animation, LoopDiagram.from_animation(LADDER, animation))
    targets = landing_targets(animation, 0, symmetric=True)
    assert len(targets) > 4
    for target in targets:
        assert target.begin < target.end
        for kind, laps in ((HandleKind.CATCH, target.begin), (HandleKind.THROW, target.end)):
            away = [
                laps - handle.time / ladder.duration
                for handle in ladder.handles
                if handle.kind == kind and handle.hand == target.hand
            ]
            assert min(abs(lap - round(lap)) for lap in away) < 1e-9


@pytest.mark.parametrize("pattern", ["231831", "423", "[43]23", "(4,2)"])
def test_marks_of_holds_cover_no_throw_and_no_2(pattern: str) -> None:
    animation = animate(pattern)
    ladder = LadderHandles.from_animation(animation, LoopDiagram.from_animation(LADDER, animation))
    holds = [handle for handle in ladder.handles if handle.kind == HandleKind.HOLD]
    assert holds
    for hold in holds:
        for other in ladder.handles:
            if other.text and other.kind != HandleKind.HOLD and other.y == hold.y:
                assert abs(other.x - hold.x) > NODE_HEIGHT / 2, (hold, other)
