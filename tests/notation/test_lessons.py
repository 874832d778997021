"""Lessons: every step can be juggled, from props at rest in hands to props at rest in hands."""

from pathlib import Path

import numpy as np
import pytest

from juggle_anim.animation import Animation
from juggle_anim.notation import open_pattern
from juggle_anim.notation.lessons import Lesson, LessonStep, all_advice, lesson
from juggle_anim.notation.library import library, name_key
from juggle_anim.parameters import DEFAULTS

SOLO = [pattern for pattern in library() if pattern.jugglers == 1 and pattern.props <= 5]

ENDLESS = "One hand alone", "In slow motion", "Faster"


def animation(step: LessonStep) -> Animation:
    return Animation(step.settings.score, step.settings.applied_to(DEFAULTS))


def props(learnt: Lesson) -> list[int]:
    return [step.settings.score.props for step in learnt.steps]


@pytest.mark.parametrize("first", range(7))
def test_steps_of_solo_patterns_obey_the_laws_from_rest_to_rest(first: int) -> None:
    rng = np.random.default_rng(first)
    for number in rng.choice(len(SOLO), 5, replace=False).tolist():
        learnt = lesson(SOLO[number].name)
        step = learnt.steps[int(rng.integers(len(learnt.steps)))]
        juggled, said = animation(step), f"{SOLO[number].name}: {step.title}"
        ends = juggled.duration
        if step is not learnt.steps[-1] and step.title not in ENDLESS:
            assert juggled.score.routine is not None, said
            for moment in (0.0, ends - 1e-6):
                assert (juggled.sample(np.array([moment])).holders >= 0).all(), said
        times = np.linspace(0.0, ends, 1500)
        place, speed = (juggled.motion.sample(times, order).hands for order in (0, 1))
        steady = (speed[1:] + speed[:-1]) / 2 * (times[1] - times[0])
        assert np.abs(place[1:] - place[:-1] - steady).max() < 5e-3, said
        flights = juggled.choreography.flights
        assert (flights.duration > 0.05).all(), said


def test_steps_of_the_cascade_go_from_one_prop_to_all() -> None:
    learnt = lesson("Cascade")
    assert props(learnt) == [1, 1, 2, 3, 3, 3]
    assert learnt.steps[-1].text == "pattern=3;title=Cascade"
    assert [step.gravity for step in learnt.steps] == [40, 52, 64, 76, 88, 100]
    first, *_, last = (animation(step) for step in learnt.steps)
    assert first.choreography.gravity == pytest.approx(0.4 * last.choreography.gravity)
    # As high as in the whole pattern, and slower by the root of 0.4.
    tops = [each.motion.flight_paths.parabolas.apexes()[:, 1].max() for each in (first, last)]
    assert tops[0] == pytest.approx(tops[1], abs=0.03)
    assert first.choreography.flights.duration.max() == pytest.approx(
        last.choreography.flights.duration.max() / 0.4**0.5, rel=0.03
    )


def test_a_step_begins_with_either_hand_where_props_end_in_other_hands() -> None:
    flash = next(step for step in lesson("3").steps if step.title == "3 throws, then stop")
    events, flights = (lambda each: (each.events, each.flights))(animation(flash).choreography)
    order = np.argsort(events.time[flights.throw])
    assert (events.hand[flights.throw][order] % 2).tolist() in (
        [1, 0, 1, 0, 1, 0],
        [0, 1, 0, 1, 0, 1],
    )


@pytest.mark.parametrize("pattern", ["Cascade", "531", "51"])
def test_the_other_hand_starts_in_the_step_that_says_so(pattern: str) -> None:
    starts = dict[str, int]()
    for step in lesson(pattern).steps:
        if step.title in ("One ball", "The other hand starts"):
            laid_out = animation(step).choreography
            thrown = laid_out.flights.throw
            first = thrown[laid_out.events.time[thrown].argmin()]
            starts[step.title] = int(laid_out.events.hand[first])
    assert starts == {"One ball": 1, "The other hand starts": 0}


@pytest.mark.parametrize(
    ("props", "titles"),
    [
        ("ball", ["One ball", "Two balls"]),
        ("club", ["One club", "Two clubs"]),
        ("ring", ["One ring", "Two rings"]),
        ("square", ["One prop", "Two props"]),
        ("club, ball", ["One prop", "Two props"]),
    ],
)
def test_steps_name_the_props_where_all_are_of_one_kind(props: str, titles: list[str]) -> None:
    steps = [step.title for step in lesson(f"pattern=3;prop={props}").steps]
    assert [steps[0], steps[2]] == titles


def test_hands_of_a_fountain_are_learnt_alone() -> None:
    step = next(step for step in lesson("4").steps if step.title == "One hand alone")
    choreography = animation(step).choreography
    assert set((choreography.events.hand[choreography.flights.throw]).tolist()) == {1}
    assert step.settings.score.props == 2


def test_passing_and_many_props_are_shown_slowly_and_not_taken_apart() -> None:
    for name in ("Six-count", "Seven-ball cascade", "Shared cascade"):
        assert len(set(props(lesson(name)))) == 1, name


def test_every_starter_and_the_best_known_tricks_have_words_of_their_own() -> None:
    patterns = library()
    starters = {name_key(pattern.name) for pattern in patterns if "starter" in pattern.tags}
    assert starters < set(all_advice()) < {name_key(pattern.name) for pattern in patterns}
    texts = [
        text
        for words in all_advice().values()
        for text in (words.begin, words.look, words.wrong, words.mend)
        if text
    ]
    assert len(set(texts)) == len(texts)
    for name in ("Cascade", "Mills mess", "Burke's barrage", "Alberts", "Two-count"):
        assert lesson(name).words is not None, name


def test_a_lesson_without_words_says_so_and_what_the_library_says_of_the_pattern() -> None:
    learnt = lesson("Matt's mess")
    assert learnt.words is None
    assert learnt.about.startswith("A general lesson")
    assert learnt.description == next(
        pattern.description for pattern in library() if pattern.name == "Matt's mess"
    )
    assert lesson("Mills mess").about.startswith("From one prop")
    assert lesson("pattern=3;hands=(32.5)(10).").description == ""


def test_hands_with_paths_of_their_own_move_before_they_throw() -> None:
    crossing, plain = (lesson(name).steps[0] for name in ("Mills mess", "Cascade"))
    assert crossing.title == plain.title
    assert "without props" in crossing.advice
    assert "without props" not in plain.advice


def test_a_starter_has_its_words_by_its_throws_and_props_too() -> None:
    for typed, name in (
        ("3", "Cascade"),
        ("51", "Three-ball shower"),
        ("pattern=3;prop=club", "Three-club cascade"),
    ):
        assert lesson(typed).words == lesson(name).words is not None
    assert lesson("pattern=3;hands=(32.5)(10).").words is None


@pytest.mark.parametrize("name", ["mills mess", "rubensteins revenge", "shower"])
def test_each_step_is_a_file_that_opens_as_the_same(name: str, tmp_path: Path) -> None:
    for number, step in enumerate(lesson(name).steps):
        path = tmp_path / f"{number}.txt"
        path.write_text(step.text)
        opened = open_pattern(str(path))
        assert opened.score.props == step.settings.score.props
        assert opened.score.name == step.settings.score.name


def test_a_lesson_says_whether_it_takes_the_pattern_apart() -> None:
    assert "From one prop to the whole pattern, slowly at first. Each step" in lesson("531").about
    assert all("up to five props" in lesson(name).about for name in ("Six-count", "7", "40"))
