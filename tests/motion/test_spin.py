"""Where props point: laws over random patterns, and what jugglers expect of clubs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from motion_samples import axes, thrown
from siteswap_strategies import flying_siteswaps

from juggle_anim.animation import Animation, animate
from juggle_anim.motion import aim_directions
from juggle_anim.motion.spin import MAX_SWING

KINDS = ("club", "ring", "club,ball,ring")
turned = st.builds(
    lambda text, kinds: animate(text, prop=kinds), flying_siteswaps(), st.sampled_from(KINDS)
)
laws = settings(max_examples=settings.default.max_examples // 2)


def turns_in_flight(text: str) -> list[float]:
    """How often each throw of clubs turns, counted from its pitch."""
    animation = animate(text, prop="club")
    counted = []
    for flight, duration in enumerate(animation.choreography.flights.duration.tolist()):
        start, prop = thrown(animation, flight)
        aims = animation.sample(start + np.linspace(1e-6, duration - 1e-6, 400)).aims
        assert aims is not None
        counted.append(float(np.ptp(aims[:, prop, 1]) / (2 * np.pi)))
    return counted


@given(turned, st.integers(0, 2**32 - 1))
@laws
def test_centres_of_flying_props_obey_gravity_exactly(animation: Animation, seed: int) -> None:
    times = np.random.default_rng(seed).uniform(-5, 50, 200)
    frames = animation.motion.sample(times, derivative=2)
    flying = frames.props[frames.holders < 0]
    assert np.abs(flying - (0.0, -9.8, 0.0)).max(initial=0.0) < 1e-9


def test_velocities_of_clubs_are_those_of_their_places() -> None:
    for text in ("531", "pattern=<3p 3|3p 3>;body=<(90,75).(0,75).|(270,-75).>"):
        animation = animate(text, prop="club")
        times, hair = np.linspace(0.011, 2.0, 300), 1e-6
        before, after = (animation.motion.sample(times + side).props for side in (-hair, hair))
        velocities = animation.motion.sample(times, 1).props
        # A moment of the 300 may fall on a corner of the velocity.
        off = np.abs((after - before) / (2 * hair) - velocities).max(axis=(1, 2))
        assert np.sort(off)[:-5].max() < 1e-3


@pytest.mark.parametrize(
    ("text", "turns"), [("1", [0.0]), ("3", [1.0]), ("5", [2.0]), ("744", [1.0, 3.0]), ("9", [3.0])]
)
def test_the_higher_a_club_is_thrown_the_more_often_it_turns(text: str, turns: list[float]) -> None:
    counted = np.array(turns_in_flight(text))
    nearest = np.abs(counted[:, None] - turns).min(axis=1)
    # Hands do not point exactly alike where they throw and where they catch.
    assert nearest.max() < 0.08
    assert {turns[place] for place in np.abs(counted[:, None] - turns).argmin(axis=1)} == set(turns)


def test_clubs_turn_with_their_top_toward_the_thrower() -> None:
    animation = animate("3", prop="club")
    start, club = thrown(animation, 0)
    pointed = [axes(animation, np.array([start + since]))[0, club] for since in (0.001, 0.1)]
    flown = axes(animation, start + np.linspace(0.0, 0.5, 200))[:, club]
    assert pointed[0][2] > 0.8 * np.hypot(pointed[0][0], pointed[0][2])
    assert pointed[1][1] > pointed[0][1]
    upside = flown[np.argmax(flown[:, 1])], flown[np.argmax(flown[:, 1]) + 30]
    assert upside[1][2] < upside[0][2]


def test_passed_clubs_come_with_the_handle_toward_the_catcher() -> None:
    animation = animate("<3p|3p>", prop="club")
    choreography = animation.choreography
    for flight in range(len(choreography.flights.catch)):
        event = choreography.flights.catch[flight]
        hand = choreography.events.hand[event]
        frames = animation.sample(choreography.events.time[[event]] + 1e-6)
        (club,) = np.flatnonzero(frames.holders[0] == hand)
        catcher = animation.motion.bodies.places(frames.times)[0, hand // 2, :3]
        away = (frames.props[0, club] - catcher)[[0, 2]]
        level = aim_directions([frames.aims[0, club]])[[0, 2]]  # type: ignore[index]
        assert level @ away > 0.7 * np.linalg.norm(away)


def test_a_club_that_is_held_long_rests() -> None:
    animation = animate("[34]23", prop="club")
    flights = animation.choreography.flights
    longest = int(flights.carry.argmax())
    assert flights.carry[longest] > 4 * MAX_SWING
    event = flights.catch[longest]
    middle = animation.choreography.events.time[event] + flights.carry[longest] / 2
    held = (
        animation.sample(np.array([middle])).holders[0] == animation.choreography.events.hand[event]
    )
    rates = animation.motion.sample(np.array([middle]), 1).aims
    assert rates is not None
    assert np.abs(rates[0, held]).min() < 1.0


def test_balls_have_no_aims() -> None:
    assert animate("531").sample(np.zeros(1)).aims is None
    assert animate("531").motion.spin is None


def test_props_of_one_orbit_may_differ() -> None:
    animation = animate("3", prop="ball,club,ring")
    shapes = animation.motion.shapes
    assert sorted(shapes.kind) == ["ball", "club", "ring"]
    frames = animation.sample(np.linspace(0.0, 2.0, 400))
    hands = frames.hands.reshape(len(frames.times), -1, 3)
    at, prop = np.nonzero(frames.holders >= 0)
    away = np.linalg.norm(frames.props[at, prop] - hands[at, frames.holders[at, prop]], axis=-1)
    for number in range(3):
        assert (
            away[prop == number].max()
            < shapes.grip_to_centre[number] + shapes.grip_drop[number] + 0.016
        )
        assert (
            away[prop == number].min()
            > shapes.grip_to_centre[number] - shapes.grip_drop[number] - 0.016
        )
