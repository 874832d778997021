"""Events with times and places of their own, through JIF and back."""

import numpy as np
import pytest
from jif_documents import read, write

from juggle_anim.choreography import Choreography, Score, choreograph
from juggle_anim.notation import read_settings
from juggle_anim.notation.settings.settings import Settings
from juggle_anim.parameters import Parameters

TEXTS = [
    "pattern=531;body=(0,20).(40,20).;colors=mixed",
    "pattern=<3p 3|3p 3>;prop=club",
    "pattern=[34]23",
    "pattern=42",
]


def placed(text: str) -> Settings:
    settings = read_settings(text)
    choreography = choreograph(settings.score, settings.applied_to(Parameters()))
    score = Score(
        placed=choreography, title="One", about="Two.", tags=("three",), base=("siteswap", "531")
    )
    return Settings(score, {"gravity": 500.0}, complete=True)


def events_of(settings: Settings) -> Choreography:
    assert settings.score.placed is not None
    return settings.score.placed


@pytest.mark.parametrize("text", TEXTS)
def test_events_are_read_back_with_all_that_is_said_of_them(text: str) -> None:
    settings = placed(text)
    again = read(write(settings))
    before, after = events_of(settings), events_of(again)
    assert (after.bps, after.props, after.jugglers) == (before.bps, before.props, before.jugglers)
    thrown, thrown_again = (
        np.sort(found.events.time[found.flights.throw]) for found in (before, after)
    )
    np.testing.assert_allclose(thrown_again, thrown, atol=1e-6)
    score = again.score
    assert (score.title, score.about, score.tags, score.base) == (
        "One",
        "Two.",
        ("three",),
        ("siteswap", "531"),
    )
    assert again.parameters["gravity"] == 500.0


@pytest.mark.parametrize("text", TEXTS)
def test_the_members_of_jif_alone_say_throws_with_as_many_props(text: str) -> None:
    settings = placed(text)
    document = {**write(settings), "juggleAnim": {}}
    pattern = read(document).score.pattern
    assert pattern is not None
    assert (pattern.props, pattern.jugglers) == (
        events_of(settings).props,
        events_of(settings).jugglers,
    )


def test_a_throw_lasts_until_the_prop_is_thrown_again() -> None:
    throws = write(placed("pattern=441;dwell=1"))["throws"]
    assert sum(made["duration"] for made in throws) == pytest.approx(3 * 6)
    assert {made["dwell"] for made in throws} <= {1, 0.7}


def test_a_prop_that_is_never_thrown_is_a_throw_that_stays() -> None:
    held = [made for made in write(placed("pattern=42"))["throws"] if made.get("label") == "held"]
    assert [
        (made["duration"], made["from"] == made["to"], made["juggleAnim"]) for made in held
    ] == [(2, True, {"held": True})]


def test_events_that_do_not_make_these_throws_any_more_are_left() -> None:
    document = write(placed("pattern=531"))
    document["throws"] = write(read_settings("pattern=441"))["throws"]
    del document["repetition"]["propPermutation"]
    score = read(document).score
    assert score.placed is None
    assert score.pattern is not None
    assert score.pattern.text == "441"
