from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.animation import animate
from juggle_anim.viewer.state.undo import MAX_STEPS, History, Step, step_of

STEPS = [step_of(animate(text), text) for text in ("3", "441", "531", "b97531")]


def visited(*steps: Step) -> History:
    history = History()
    for step in steps:
        history.visit(step)
    return history


def test_one_goes_back_and_forward_but_not_beyond_the_ends() -> None:
    history = visited(*STEPS[:3])
    assert [history.back(), history.back(), history.back()] == [STEPS[1], STEPS[0], None]
    assert [history.forward(), history.forward(), history.forward()] == [STEPS[1], STEPS[2], None]
    assert History().back() is None


def test_a_visit_forgets_what_was_ahead() -> None:
    history = visited(*STEPS[:3])
    history.back()
    history.visit(STEPS[3])
    assert history.forward() is None
    assert history.back() == STEPS[1]


def test_what_was_turned_meanwhile_comes_back_with_its_pattern() -> None:
    history, turned = visited(*STEPS[:2]), step_of(animate("441", dwell=1.0), "441")
    history.keep(turned)
    history.back()
    assert history.forward() == turned


@given(st.lists(st.sampled_from(["visit", "back", "forward"]), max_size=60))
def test_back_undoes_forward_and_forward_undoes_back(ways: list[str]) -> None:
    history = visited(STEPS[0])
    for number, way in enumerate(ways):
        now = history.now
        if way == "visit":
            history.visit(STEPS[number % 4])
            continue
        went = history.back() if way == "back" else history.forward()
        if went:
            assert (history.forward() if way == "back" else history.back()) == now
            history.back() if way == "back" else history.forward()


def test_it_does_not_grow_without_end() -> None:
    history, count = visited(*(STEPS[number % 4] for number in range(MAX_STEPS + 50))), 0
    while history.back():
        count += 1
    assert count == MAX_STEPS - 1
