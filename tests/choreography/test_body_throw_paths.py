"""Ways of hands to and from throws around bodies."""

import numpy as np
import pytest

from juggle_anim import animate
from juggle_anim.choreography.body_throws import THROW_VARIANTS, THROWS
from juggle_anim.choreography.manners import BODY_THROWS, needs_hops
from juggle_anim.choreography.places import HAND_FORWARD, HAND_HEIGHT
from juggle_anim.choreography.score import CATCH, HOLD, THROW


@pytest.mark.parametrize("word", ["backcross", "lazy", "underarm", "underleg", "trebla"])
@pytest.mark.parametrize("text", ["423", "42", "52233"])
def test_a_hand_that_holds_a_ball_for_long_waits_before_the_body(text, word):
    animation = animate(text, throws=f"{word},-,-,-")
    hands = animation.sample(np.arange(0.0, animation.duration, 0.02)).hands[:, 0]
    points = animation.choreography.events.position
    # A hand swings beyond what it passes, but not by much.
    assert hands[..., 1].min() > points[:, 1].min() - 0.45
    assert hands[..., 1].max() < points[:, 1].max() + 0.35
    assert np.abs(hands[..., 0]).max() < np.abs(points[:, 0]).max() + 0.2


@pytest.mark.parametrize("word", ["backcross", "trebla"])
def test_a_longer_dwell_leaves_the_way_to_a_throw_as_long(word):
    spans = []
    for dwell in (1.5, 1.8):
        events = animate("3", throws=word, bps=2.0, dwell=dwell).choreography.events
        ways = np.flatnonzero((events.kind == HOLD) & (events.hand == 0))
        throw = events.time[(events.kind == THROW) & (events.hand == 0)][0]
        spans.append(sorted((throw - events.time[ways]) % 1.0))
    assert spans[0] == pytest.approx(spans[1], abs=1e-6)
    comes = THROW_VARIANTS.get(f"consecutive {word}", THROWS[word]).comes
    assert spans[0][0] == pytest.approx((1.0 - comes[-1][0]) * 1.4 / 2.0, abs=1e-6)


def test_a_tempo_slows_down_for_the_legs_but_nobody_throws_higher_than_a_house():
    flights = animate("5", throws="underleg-other").choreography.flights
    assert 1.5 < flights.duration.max() < 1.91


def test_both_hands_may_throw_under_different_legs_at_once():
    animation = animate("(4,4)", throws="underleg-inside,underleg", catches="palm|behind")
    assert np.isfinite(animation.pose(np.linspace(0.0, animation.duration, 50)).joints).all()


def test_from_a_catch_around_the_body_to_a_throw_around_it_two_ways_share_the_time():
    events = animate("42", throws="underleg-inside", catches="behind").choreography.events
    for hand in (0, 1):
        rows = np.flatnonzero(events.hand == hand)
        places, lasts = events.position[rows], np.diff(events.time[rows])
        assert (np.linalg.norm(np.diff(places, axis=0), axis=1) / lasts).max() < 12.0


@pytest.mark.parametrize("hands", [None, "(10)(25)."])
def test_the_other_hand_throws_and_catches_elsewhere_while_one_is_around_the_body_unless_its_places_are_given(
    hands,
):
    said = {"hands": hands, "style": "natural"} if hands else {}
    usual = animate("3", bps=2.0, **said).choreography.events
    events = animate("3", bps=2.0, throws="albert,-,-,-,-", **said).choreography.events
    beat = 0.5
    loop = 10 * beat
    throws = events.time[events.body_throw > 0]
    moved = []
    for time, hand, kind, place in zip(
        events.time, events.hand, events.kind, events.position, strict=True
    ):
        apart = np.abs((time - throws + loop / 2) % loop - loop / 2)
        at, kinds = usual.time - time % (2 * beat), (usual.hand == hand) & (usual.kind == kind)
        same = np.flatnonzero(kinds & (np.abs((at + beat) % (2 * beat) - beat) < 1e-6))
        if kind <= CATCH and apart.min() > 1e-6 and same.size:
            moved.append((apart.min(), np.abs(place - usual.position[same[0]]).max(), hand))
    far = [by for apart, by, _ in moved if apart > 0.61 + beat]
    near = [by for apart, by, _ in moved if apart < 0.3]
    assert max(far) < 1e-9
    assert (max(near) > 0.1) == (hands is None)


OWN_PATHS = (
    "Mills mess",
    "Shuffle",
    "N-box",
    "Reverse windmill",
    "552 Mills mess",
    "Pass-under shower",
)


@pytest.mark.parametrize("name", OWN_PATHS)
def test_a_hand_with_a_path_of_its_own_goes_to_the_place_of_a_throw_or_catch_around_the_body_and_back(
    name,
):
    own = animate(name)
    for key, words in (
        ("throws", ("underleg-inside", "backcross", "albert")),
        ("catches", ("behind",)),
    ):
        for word in words:
            said = {key: f"{word},-" if key == "throws" else f"{word}|palm"}
            animation, plain = animate(name, **said), animate(own.score.pattern.text, **said)
            events, beat = animation.choreography.events, 1 / animation.choreography.bps
            around = events.body_throw > 0
            assert around.any()
            places = np.array([BODY_THROWS[row - 1].place for row in events.body_throw[around]])
            places[:, 0] *= 1 - 2 * (events.hand[around] % 2)
            assert events.position[around] == pytest.approx(
                places + (0.0, HAND_HEIGHT, HAND_FORWARD)
            ), (word, key)
            # What is more than a beat and a half from there, and no catch of such a throw, is where
            # the pattern has it.
            kept = {
                (h, k, *np.round(p, 6))
                for h, k, p in zip(*columns(own.choreography.events), strict=True)
            }
            flights = animation.choreography.flights
            lands = set(flights.catch[around[flights.throw]].tolist())
            for event, row in enumerate(zip(*columns(events), strict=True)):
                apart = np.abs(
                    ((events.time[event] - events.time[around]) / animation.duration + 0.5) % 1.0
                    - 0.5
                )
                if (
                    apart.min() * animation.duration > 1.5 * beat
                    and event not in lands
                    and word != "albert"
                ):
                    assert (row[0], row[1], *np.round(row[2], 6)) in kept, (word, key)
            # Nor is a hand much quicker than in the same throws along usual paths, or in the
            # pattern alone.
            limit = max(12.0, 1.1 * max(quickest(plain), quickest(own)))
            assert quickest(animation) < limit, (word, key)


def columns(events):
    return events.hand.tolist(), np.minimum(events.kind, HOLD).tolist(), events.position


def quickest(animation):
    """The highest speed of a hand, [m/s]."""
    hands = animation.sample(np.arange(0.0, animation.duration, 1 / 200)).hands
    return np.linalg.norm(np.diff(hands, axis=0), axis=-1).max() * 200


def test_the_tempo_of_a_library_pattern_gives_way_to_what_goes_around_the_body_but_not_one_that_is_typed():
    own, typed = animate("Shuffle").choreography.bps, 4.0
    for slower in (animate("Shuffle;throws=albert,-"), animate("Shuffle", throws="albert,-")):
        assert slower.choreography.bps < 0.7 * own
    for same in (
        animate(f"Shuffle;bps={typed};throws=albert,-"),
        animate("Shuffle", throws="albert,-", bps=typed),
    ):
        assert same.choreography.bps == typed
    assert animate("Shuffle;throws=claw,-").choreography.bps == own


def test_a_path_with_a_star_holds_for_a_throw_around_the_body_too():
    said = {"throws": "underleg,-", "style": "natural", "bps": 2.0}
    usual, plain, star = (
        animate("3", **said, **hands)
        for hands in ({}, {"hands": "(5)(20)."}, {"hands": "*(5)(20)."})
    )
    places = []
    for each in (usual, plain, star):
        events = each.choreography.events
        places.append(events.position[np.flatnonzero(events.body_throw)[0]])
    assert places[0] == pytest.approx(places[1])
    assert places[2][0] == pytest.approx(-0.05)  # of the right hand


def test_people_hop_where_legs_change_too_soon():
    for text, hops in (
        ("3;throws=underleg", False),
        ("3;throws=underleg;bps=2", True),
        ("3;throws=underleg-other;bps=2", True),
        ("3;throws=underleg,-;bps=3", False),
        ("5;throws=underleg", True),
        ("3;throws=albert;bps=2", False),
        ("3;throws=backcross;bps=3", False),
        ("3", False),
    ):
        assert needs_hops(animate(text).choreography) == hops


def test_a_hand_has_longer_to_come_back_from_around_the_body_than_from_a_throw_before_it():
    beats = []
    for throws in ("-", "underleg,-,-"):
        animation = animate("531", throws=throws)
        events = animation.choreography.events
        right = events.hand == 1
        throw = events.time[right & (events.kind == THROW)][0]  # the 5
        catches = events.time[right & (events.kind == CATCH)]
        beat = animation.duration / animation.score.pattern.period
        beats.append(((catches - throw) % animation.duration).min() / beat)
    assert beats[1] > beats[0] + 0.05
