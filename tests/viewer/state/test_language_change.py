"""Words that are kept for more than a picture follow when the language of a window that runs is
changed.
"""

from collections.abc import Iterator

import pytest
from catalogues import read_catalogue

from juggle_anim.animation import animate
from juggle_anim.language import LANGUAGES, choose_language, english
from juggle_anim.viewer.diagrams.diagrams import LoopDiagram
from juggle_anim.viewer.editor.editor import EditMenu
from juggle_anim.viewer.panel.controls import LANGUAGE
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    choose_language("en")
    yield
    choose_language("en")


def speak(controller: Controller, code: str) -> None:
    controller.model.set_value(LANGUAGE, LANGUAGES[code])
    controller.lesson.update()


def test_facts_diagrams_and_lessons_are_said_anew(controller: Controller) -> None:
    model = controller.model
    controller.perform(Action.LEARN)
    model.diagrams.show("ladder")

    def said() -> list[tuple[str, ...]]:
        diagram = model.diagrams.of(model.animation, at_once=True)
        assert isinstance(diagram, LoopDiagram)
        titles = [
            part
            for step in controller.lesson.steps
            for part in (step.title, step.advice, step.trouble)
        ]
        return [
            tuple(name for _, name in diagram.lines),
            (model.facts.of(model.animation).head,),
            (*titles,),
        ]

    told = {}
    for code in ("fr", "de", "en", "fr"):
        speak(controller, code)
        assert told.setdefault(code, said()) == said()
    assert told["en"][0] == ("left", "right")
    assert len({str(each) for each in told.values()}) == 3
    pairs = [
        pair
        for both in zip(told["fr"], told["de"], strict=True)
        for pair in zip(*both, strict=True)
    ]
    assert [one for one, other in pairs if one == other and one] == []


def test_why_what_is_typed_is_no_pattern_is_said_anew(controller: Controller) -> None:
    model = controller.model
    model.type_pattern("543")
    error = str(model.pattern_error)
    model.notice.say("an old notice")
    speak(controller, "de")
    assert "Schlag" in str(model.pattern_error)
    assert model.line == "543"
    assert model.notice.text == ""
    speak(controller, "en")
    assert str(model.pattern_error) == error


def test_rows_that_are_made_of_others_keep_their_english_words(controller: Controller) -> None:
    texts = {each.id for each in read_catalogue("fr")}
    choose_language("fr")
    controls = controller.footage.controls
    controls.begin(4.0)
    assert {english(row, name) for row in controls.rows for name in ("label", "help")} <= texts


def test_a_lesson_goes_on_with_its_step() -> None:
    controller = Controller(animate("531"))
    controller.library.advance(0.1)
    controller.perform(Action.LEARN)
    controller.lesson.go_to(4)
    row = controller.lesson.row
    speak(controller, "pt")
    assert controller.lesson.row == row > 0


def test_a_question_a_menu_and_a_list_that_are_open_go_on_in_the_other_language(
    controller: Controller,
) -> None:
    library, editor, model = controller.library, controller.editor, controller.model
    editor.shown = True
    controller.ladder.open_menu(None, (10.0, 20.0))
    menu = editor.menu
    assert isinstance(menu, EditMenu)
    menu.take(len(menu.lines) - 1)
    menu.index = 2
    library.open_filter(2)
    assert model.drop_downs.now
    model.drop_downs.now.press("down")
    editor.apply(lambda edit: edit.to_events(), "events")
    editor.apply(lambda edit: edit.move_event(0, time=0.05), "time")
    library.files.leave()
    assert library.files.question
    library.files.question.press("right")

    def said() -> list[tuple[str, ...]]:
        question, menu, listed = library.files.question, editor.menu, model.drop_downs.now
        assert question
        assert isinstance(menu, EditMenu)
        assert listed
        assert (question.chosen, menu.index, listed.index) == (1, 2, 1)
        return [
            (question.title, question.text, *(answer.label for answer in question.answers)),
            (menu.title, *(line.words for line in menu.lines)),
            tuple(option.words for option in listed.options),
        ]

    told = {}
    for code in ("en", "de", "fr", "en"):
        speak(controller, code)
        assert told.setdefault(code, said()) == said()
    assert told["en"][1][0] == "Props"
    for one, other in zip(told["de"], told["fr"], strict=True):
        assert not set(one) & set(other) - {"Standard"}


def test_steps_of_a_pattern_that_is_not_taken_apart_are_said_in_the_present_language() -> None:
    controller, titles = Controller(animate("<3p 3|3p 3>")), set[str]()
    controller.perform(Action.LEARN)
    for code in ("en", "de", "fr"):
        speak(controller, code)
        titles |= {step.title for step in controller.lesson.steps}
    assert len(titles) == 3 * len(controller.lesson.steps)
