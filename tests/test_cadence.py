import numpy as np
import pytest
from body_moves import moving_jugglers
from hypothesis import given, settings

from juggle_anim.animation import animate
from juggle_anim.body.planning.steps import MAX_STEP_TIME, MIN_STEP_TIME, Cadence, cadence


def cadence_of(text: str) -> Cadence:
    animation = animate(text)
    return cadence(animation.motion.bodies, animation.duration)


@settings(max_examples=60)
@given(moving_jugglers())
def test_steps_follow_each_other_round_the_loop(text: str) -> None:
    when = cadence_of(text)
    juggler, count = np.array([0]), 2 * int(when.pairs[0])
    begins = when.time(juggler, np.arange(count + 1))
    assert begins[0] == 0
    assert begins[-1] == when.duration
    assert when.time(juggler, np.arange(count + 1) + count) == pytest.approx(begins + when.duration)
    if not (when.stay[0] or when.glide[0]):
        lasts = np.diff(begins)
        assert lasts.mean() > 0.999 * MIN_STEP_TIME
        assert lasts.min() > 0.8 * MIN_STEP_TIME
        assert lasts.max() < 1.3 * MAX_STEP_TIME


def test_steps_are_quicker_while_a_body_is_faster() -> None:
    text = "pattern=3;body=(0,0,0)....(0,0,250)..(0,0,250)..(0,0,250)..(0,0,250)....(0,0,0)..(0,0,0)..(0,0,0).."
    when = cadence_of(text)
    begins = when.time(np.array([0]), np.arange(2 * when.pairs[0] + 1))
    speeds = animate(text).motion.bodies.places((begins[1:] + begins[:-1]) / 2, 1)[:, 0]
    speed, lasts = np.hypot(speeds[:, 0], speeds[:, 2]), np.diff(begins)
    assert lasts[speed > 1.5].max() < 0.7 * lasts[speed < 0.5].max()


def test_who_goes_sideways_steps_quicker_than_who_goes_ahead() -> None:
    ahead, aside = (cadence_of(f"pattern=3;body=(0,0,0)......({way})......").pairs[0] for way in ("0,0,120", "0,120,0"))
    assert aside > ahead


@pytest.mark.parametrize(
    ("body", "stays", "glides"),
    [
        ("(0,0,0)....(0,3,0)....", True, False),
        ("(0,0,0)....(15,0,3)....", True, False),
        ("(0,0,0)....(0,0,60)....", False, False),
        ("(0,0,0).(0,300,0).", False, True),
        ("(0).(120).(240).", False, True),
        ("(0,0,0,100)....(0,0,0,150)....", True, True),
        ("(0,0,0,100)....(0,0,60,150)....", False, True),
    ],
)
def test_who_sways_stays_and_who_flies_or_races_glides(body: str, stays: bool, glides: bool) -> None:
    when = cadence_of(f"pattern=3;body={body}")
    assert when.stay.tolist() == [stays]
    assert when.glide.tolist() == [glides]
