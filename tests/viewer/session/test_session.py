import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_films import write_film

from juggle_anim.animation import animate
from juggle_anim.exporter.view import MAX_KEYS
from juggle_anim.notation import Settings, open_pattern, open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import Group, row_named
from juggle_anim.viewer.camera.camera_rig import CameraKey
from juggle_anim.viewer.footage.footage import BESIDE, PLACE, Mark
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.panel.controls import CONTROLS, TEXT_SIZE
from juggle_anim.viewer.panel.controls import chosen_value as given_of
from juggle_anim.viewer.screenshot import Numbers
from juggle_anim.viewer.session.file import (
    SavedView,
    SessionState,
    custom_bindings,
    open_session_file,
    read_session_state,
    write_session_state,
)
from juggle_anim.viewer.session.session import (
    Session,
    capture_session,
    last_animation,
    restore_session,
    update_lists,
)
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import BINDINGS, FACTS, PLOTS, Action
from juggle_anim.viewer.state.model import Model

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["531", "front", "pause", "dwell", "x"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["dwell", "arms", "pause", "target", "distance", "azimuth"]), inner
        )
    ),
    max_leaves=10,
)


def reopened(controller: Controller) -> Controller:
    """The viewer that opens after this one was closed."""
    memory = read_session_state(
        write_session_state(capture_session(controller, SessionState(), closing=True))
    )
    animation, trouble = last_animation(memory)
    assert trouble == ""
    again = Controller(animation)
    restore_session(memory, again, resumed=True)
    return again


def test_pattern_parameters_and_time_come_back_and_the_line_names_what_plays() -> None:
    controller = Controller(
        animate("pattern=(6x,4)*;gravity=500;prop=club;title=Low"), 0.4, paused=True
    )
    model = controller.model
    model.line, model.cards.panel_shown = "5a", False
    controller.library.browser.star("441")
    again = reopened(controller)
    assert (again.model.animation.score, again.model.animation.parameters) == (
        model.animation.score,
        model.animation.parameters,
    )
    assert again.model.playback.time == pytest.approx(0.4)
    assert not again.model.playback.paused
    assert (again.model.line, again.model.cards.panel_shown, again.library.browser.favourites) == (
        model.text,
        False,
        ["441"],
    )


def test_a_pattern_comes_back_with_its_file_and_recent_files(tmp_path: Path) -> None:
    path, other = tmp_path / "mine.jml", tmp_path / "other.jml"
    for each in (path, other):
        write_file(open_patterns("pattern=531;gravity=500"), each)
    controller = Controller(animate("3"))
    for each in (other, path):
        controller.library.open_text(str(each))
    again = reopened(controller).library.files
    assert (again.shown.path, again.shown.is_edited, again.recent) == (
        path,
        False,
        [str(path), str(other)],
    )
    controller.model.set_value(next(row for row in CONTROLS if row.name == "dwell"), 1.0)
    assert reopened(controller).library.files.shown.is_edited
    write_file(open_patterns("441"), path, force=True)
    assert reopened(controller).library.files.shown.has_newer_file
    path.unlink()
    assert reopened(controller).library.files.shown.path is None


def test_throws_that_were_edited_come_back_without_a_question() -> None:
    controller = Controller(animate("531"))
    assert controller.editor.apply(lambda editor: editor.swap_landings(0, 1), "swap")
    controller.perform(Action.LEAVE)
    assert controller.model.leaving
    assert reopened(controller).model.animation.text == "441"


def test_work_that_was_discarded_does_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "mine.jml"
    write_file(open_patterns("531"), path)
    controller = Controller(animate("3"))
    assert controller.library.open_text(str(path))
    assert controller.editor.apply(lambda editor: editor.swap_landings(0, 1), "swap")
    assert reopened(controller).model.animation.text == "441"
    controller.perform(Action.LEAVE)
    question = controller.library.files.question
    assert question
    controller.library.files.answer(question.type("d"))
    assert reopened(controller).model.animation.text == "531"


def test_events_come_back_from_their_file_with_their_parameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4);title=My box"))
    write_file(patterns, tmp_path / "box.jml")
    monkeypatch.chdir(tmp_path)
    controller = Controller(animate("3"))
    model = controller.model
    model.type_pattern("box.jml")
    model.set_value(row_named("chicken_wing"), 60.0)
    memory = capture_session(controller, SessionState(), closing=True)
    monkeypatch.chdir("/")
    animation, trouble = last_animation(memory)
    assert trouble == ""
    again = Controller(animation)
    assert again.model.animation.title == "My box"
    assert again.model.animation.parameters.chicken_wing == 60


def test_a_camera_that_was_moved_comes_back() -> None:
    controller, layout = Controller(animate("531")), Layout(800, 600, 1.0)
    model = controller.model
    model.rig.aim(model.animation, layout, 0.0)
    model.rig.rotate(0.2, 0.1)
    model.rig.aim(model.animation, layout, 9.0)
    again = reopened(controller)
    again.model.rig.aim(again.model.animation, layout, 0.0)
    assert again.model.rig.is_manual
    assert again.model.rig.camera.eye == pytest.approx(model.rig.camera.eye, abs=1e-3)


def test_a_film_comes_back_with_its_place_marks_and_time(tmp_path: Path) -> None:
    controller = Controller(animate("3"), 0.2, paused=True)
    controller.footage.open(str(write_film(tmp_path / "person.gif", 20, rate=10)))
    controller.footage.marks.made = [
        Mark(0.125 + 0.25 * beat, 0.1875 + 0.25 * beat) for beat in range(5)
    ]
    controller.perform(Action.USE_MARKS)
    controller.footage.controls.set_value(PLACE, BESIDE)
    again = reopened(controller)
    before, after = controller.footage, again.footage
    assert (after.path, after.place, after.marks.made) == (before.path, BESIDE, before.marks.made)
    assert after.time == pytest.approx(before.time, abs=1e-3)
    assert again.model.cards.panel is None
    (tmp_path / "person.gif").unlink()
    gone = reopened(again)
    assert gone.footage.film is None
    assert "Cannot show the last video" in gone.model.notice.text
    for each in (before, after):
        each.close()


def test_a_camera_path_comes_back_within_what_a_path_can_have() -> None:
    controller = Controller(animate("531"))
    views = controller.model.camera_keys
    for azimuth, elevation in ((0.0, 8.0), (90.0, 30.0)):
        views.keys.append(CameraKey(azimuth, elevation))
    views.chosen = 1
    views.lengthen(3)
    again = reopened(controller).model
    assert again.camera_keys.text == "0.0,8.0@0 90.0,30.0@3.5"
    assert again.cards.panel is None
    saved = SessionState(camera_path=((9e5, -200.0, 0.0), *((0.0, 0.0, 1e5),) * 500))
    restore_session(saved, controller, resumed=True)
    assert views.keys[:2] == [CameraKey(720.0, -85.0, 0.5), CameraKey(0.0, 0.0, 60.0)]
    assert len(views.keys) == MAX_KEYS


def test_a_pattern_that_is_gone_gives_way_to_the_cascade_with_a_word_about_it() -> None:
    animation, trouble = last_animation(SessionState(pattern="/gone/tricks.jml#3"))
    assert animation.text == "Cascade"
    assert "tricks.jml" in trouble
    assert "\n" not in trouble


def test_whatever_cannot_be_opened_or_restored_no_window_fails_to_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_given: object) -> None:
        raise ZeroDivisionError("a mistake in the program")

    monkeypatch.setattr("juggle_anim.viewer.session.session._restore_cards", failing)
    path = tmp_path / "viewer.json"
    path.write_text(content := write_session_state(SessionState(pattern="531")))
    controller = Controller(animate("3"))
    window = SimpleNamespace(display=None, get_size=lambda: (800, 600))
    Session(controller, window, open_session_file(path), resumed=True)
    assert "a mistake in the program" in controller.model.notice.text
    assert "viewer.old.json" in controller.model.notice.text
    assert path.with_name("viewer.old.json").read_text() == content


def test_a_pattern_that_the_program_fails_at_gives_way_to_the_cascade(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def opened(text: str) -> Settings:
        if text == "531":
            raise ZeroDivisionError("a mistake in the program")
        return open_pattern(text)

    monkeypatch.setattr("juggle_anim.viewer.session.session.open_pattern", opened)
    animation, trouble = last_animation(SessionState(pattern="531"))
    assert animation.text == "Cascade"
    assert "a mistake in the program" in trouble


def test_parameters_that_this_version_does_not_know_are_left_out(tmp_path: Path) -> None:
    memory = SessionState(
        pattern="531",
        parameters={"chicken_wing": 60.0, "hat_size": 7.0, "dwell": 99.0, "arms": "robot"},
    )
    animation, trouble = last_animation(memory)
    assert trouble == ""
    assert animation.parameters.chicken_wing == 60
    assert animation.parameters.dwell == 1.3


def test_somebody_who_names_a_pattern_gets_it_as_it_is_and_keeps_favourites() -> None:
    controller = Controller(animate("441"))
    model = controller.model
    view = SavedView((0.0, 1.0, 0.0), 4.0, 0.0, 0.1)
    restore_session(SessionState(time=0.7, favourites=("3",), view=view), controller, resumed=False)
    assert (model.playback.time, model.line, model.rig.is_manual) == (0.0, "441", False)
    assert controller.library.browser.favourites == ["3"]


def test_time_that_runs_is_only_written_down_at_the_end() -> None:
    controller = Controller(animate("531"), 0.5)
    model = controller.model
    before = capture_session(controller, SessionState(), closing=False)
    model.playback.time = 0.9
    assert capture_session(controller, before, closing=False) == before
    assert capture_session(controller, before, closing=True).time == pytest.approx(0.9)


def test_what_belongs_to_others_is_kept() -> None:
    before = SessionState(size=(800, 600), keys={"pause": ("x",)}, other={"hats": 3})
    after = capture_session(Controller(animate("531")), before, closing=True)
    assert (after.size, after.keys, after.other) == (before.size, before.keys, before.other)


def test_any_camera_in_the_file_can_be_looked_through() -> None:
    controller, layout = Controller(animate("531")), Layout(800, 600, 1.0)
    model = controller.model
    restore_session(
        SessionState(view=SavedView((0.0, 1.0, 0.0), -3.0, 1e5, 40.0), standpoint="moon"),
        controller,
        resumed=True,
    )
    model.rig.aim(model.animation, layout, 0.1)
    assert 0.4 < model.rig.orbit.distance < 200
    assert abs(model.rig.orbit.elevation) < 1.6


@given(
    st.dictionaries(
        st.sampled_from([*json.loads(write_session_state(SessionState())), "hats"]),
        anything,
        max_size=8,
    )
)
def test_a_viewer_begins_with_whatever_stands_in_its_memory(data: dict[str, object]) -> None:
    memory = read_session_state(json.dumps(data))
    animation, _ = last_animation(memory)
    controller, layout = Controller(animation), Layout(800, 600, 1.0)
    model = controller.model
    restore_session(memory, controller, resumed=True)
    model.rig.aim(model.animation, layout, 0.1)
    custom_bindings(BINDINGS, memory.keys)
    assert read_session_state(
        write_session_state(capture_session(controller, memory, closing=True))
    ).pattern


def test_favourites_of_another_window_appear_and_the_chosen_pattern_stays_chosen() -> None:
    controller = Controller(animate("3"))
    restore_session(SessionState(favourites=("441", "531")), controller, resumed=False)
    browser = controller.library.browser
    controller.library.browse()
    browser.choose_filter(0, 1)
    browser.choose_text("531")
    update_lists(
        SessionState(favourites=("b97531", "441", "531"), recent=("3",)), controller.library
    )
    assert (browser.favourites, browser.recent) == (["b97531", "441", "531"], ["3"])
    assert browser.chosen
    assert browser.text_of(browser.chosen) == "531"


def turn(model: Model, name: str, value: float | str) -> None:
    model.set_value(next(row for row in CONTROLS if row.name == name), value)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4);gravity=500;title=My box"))
    write_file(patterns, tmp_path / "box.jml")
    return tmp_path / "box.jml"


def test_props_and_colours_that_were_turned_on_events_come_back_however_often(box: Path) -> None:
    controller = Controller(animate("3"))
    model = controller.model
    model.type_pattern(str(box))
    for name, value in (("prop", "club"), ("colors", "orbits"), ("gravity", 980.0)):
        turn(model, name, value)
    again = reopened(reopened(controller))
    assert again.model.text == str(box)
    assert [given_of(again.model.animation, row) for row in CONTROLS] == [
        given_of(model.animation, row) for row in CONTROLS
    ]


def test_a_half_with_events_comes_back_with_its_props(box: Path) -> None:
    controller = Controller(animate("3"))
    model = controller.model
    model.type_pattern(str(box))
    turn(model, "prop", "ring")
    controller.split.open(animate("441"), "441")
    controller.split.exchange()
    other = reopened(controller).model.other
    assert other
    assert next(given_of(other.animation, row) for row in CONTROLS if row.name == "prop") == "ring"


def test_events_of_a_file_that_has_changed_meanwhile_are_those_of_the_file(box: Path) -> None:
    controller = Controller(animate("3"))
    model = controller.model
    model.type_pattern(str(box))
    turn(model, "prop", "club")
    memory = capture_session(controller, SessionState(), closing=True)
    patterns, _ = with_events(open_patterns("pattern=531;gravity=700;title=Other"))
    write_file(patterns, box, force=True)
    animation, trouble = last_animation(memory)
    assert (trouble, animation.title, animation.parameters.gravity) == ("", "Other", 700.0)
    assert next(given_of(animation, row) for row in CONTROLS if row.name == "prop") == "club"
    box.write_text("441\n")
    assert last_animation(memory)[0].text == "Cascade"
    box.unlink()
    animation, trouble = last_animation(memory)
    assert animation.text == "Cascade"
    assert "box.jml" in trouble
    # Nothing breaks either where the file goes while the window is open.
    assert capture_session(controller, memory, closing=True).parameters["prop"] == "club"


@pytest.mark.parametrize("prop", ["sausage", "", 7.0, None, "ball,ring"])
def test_props_that_cannot_be_are_left_out(box: Path, prop: str | float | None) -> None:
    animation, trouble = last_animation(
        SessionState(pattern=str(box), parameters={"prop": prop, "colors": prop})
    )
    assert (trouble, animation.title) == ("", "My box")
    assert [given_of(animation, row) for row in CONTROLS] == [
        given_of(animate(str(box)), row) for row in CONTROLS
    ]


def test_what_was_turned_is_found_again_after_another_pattern_was_opened_by_name() -> None:
    controller = Controller(animate("531"))
    model = controller.model
    controller.library.advance(0.1)
    turn(model, "dwell", 0.8)
    tuned = model.animation.settings
    memory = read_session_state(
        write_session_state(capture_session(controller, SessionState(), closing=True))
    )
    assert memory.recent == (tuned,)
    other = Controller(animate("441"))
    restore_session(memory, other, resumed=False)
    other.library.advance(0.1)
    assert capture_session(other, memory, closing=True).recent == ("441", tuned)


def test_cards_sound_and_folded_groups_come_back_whatever_is_juggled() -> None:
    controller = Controller(animate("531"))
    model = controller.model
    model.beat_line.shown, model.sound.on = False, True
    model.screen.turn_numbers()
    model.plots.first = model.plots.capacity
    model.cards.strip = PLOTS
    model.listing.folded = {Group.LOOK, Group.ARMS}
    model.set_value(TEXT_SIZE, 150.0)
    memory = read_session_state(
        write_session_state(capture_session(controller, SessionState(), closing=True))
    )
    again = Controller(animate("441"))
    restore_session(memory, again, resumed=False)
    assert (again.model.beat_line.shown, again.model.sound.on) == (False, True)
    assert again.model.screen.numbers is Numbers.PROPS
    assert (again.model.cards.strip == PLOTS, again.model.plots.indices) == (
        True,
        model.plots.indices,
    )
    assert again.model.listing.folded == {Group.LOOK, Group.ARMS}
    assert again.model.window_controls.text_scale == 1.5
    assert capture_session(again, memory, closing=True).folded == memory.folded


def test_plots_and_a_diagram_do_not_come_back_together() -> None:
    controller = Controller(animate("531"))
    model = controller.model
    restore_session(SessionState(diagram="ladder", plots=2), controller, resumed=True)
    assert model.cards.strip == "ladder"


def test_facts_come_back_where_nothing_else_takes_their_place() -> None:
    controller = Controller(animate("531"))
    controller.perform(Action.FACTS)
    assert reopened(controller).model.cards.strip == FACTS
    restore_session(
        SessionState(diagram="ladder", facts=True),
        controller := Controller(animate("531")),
        resumed=True,
    )
    assert controller.model.cards.strip == "ladder"


def test_who_was_followed_is_followed_again() -> None:
    controller, layout = Controller(animate("<3p|3p>")), Layout(800, 600, 1.0)
    model = controller.model
    model.rig.follow_next_juggler(2)
    model.rig.follow_next_juggler(2)
    model.rig.aim(model.animation, layout, 0.0)
    again = reopened(controller)
    again.model.rig.aim(again.model.animation, layout, 0.0)
    assert again.model.rig.following == 1
    assert again.model.rig.camera == model.rig.camera
    alone = Controller(animate("531"))
    restore_session(SessionState(juggler=1), alone, resumed=True)
    assert alone.model.rig.following is None
    named = Controller(animate("<3p|3p>"))
    restore_session(SessionState(juggler=1), named, resumed=False)
    assert named.model.rig.following is None


def test_cards_and_groups_that_this_version_does_not_know_are_left_out() -> None:
    controller = Controller(animate("531"))
    model = controller.model
    memory = SessionState(
        numbers="roman", folded=("Hats", "Look"), plots=10**6, diagram="cube", juggler=10**6
    )
    restore_session(memory, controller, resumed=True)
    assert (model.screen.numbers, model.listing.folded, model.diagrams.kind) == (
        Numbers.NONE,
        {Group.LOOK},
        "",
    )
    assert len(model.plots.indices) == model.plots.capacity
