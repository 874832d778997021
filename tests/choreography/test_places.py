import numpy as np
import pytest
from jif_documents import read, write

import juggle_anim as ja
from juggle_anim import animate
from juggle_anim.choreography import Choreography, EventKind, Grasp
from juggle_anim.choreography.manners import catch_word
from juggle_anim.choreography.places import circle
from juggle_anim.notation import read_settings


def test_a_single_juggler_stands_in_the_middle() -> None:
    standing, facing = circle(1)
    assert standing.tolist() == [[0, 0, 0]]
    assert facing.tolist() == [0]


@pytest.mark.parametrize("jugglers", [2, 3, 4, 8, 50, 825])
def test_several_face_the_middle_and_have_room(jugglers: int) -> None:
    standing, facing = circle(jugglers)
    ahead = np.stack([np.sin(facing), np.zeros(jugglers), np.cos(facing)], axis=-1)
    radius = np.linalg.norm(standing, axis=1)
    assert standing + radius[:, None] * ahead == pytest.approx(0.0, abs=1e-9)
    neighbour = np.linalg.norm(standing - np.roll(standing, 1, axis=0), axis=1)
    assert (neighbour >= 1.3 - 1e-9).all()
    assert (radius >= 0.70).all()


def test_two_stand_across_from_each_other() -> None:
    standing, _ = circle(2)
    assert standing == pytest.approx(np.array([[-0.7, 0, 0], [0.7, 0, 0]]))


def test_passers_have_room_for_clubs_unless_they_are_to_stand_as_in_juggling_lab() -> None:
    apart = [
        np.linalg.norm(
            np.subtract(*animate("<3p 3|3p 3>", style=style).choreography.bodies.position)
        )
        for style in ("natural", "juggling-lab")
    ]
    assert apart == pytest.approx([2.0, 1.4])


def choreography(text: str) -> Choreography:
    return ja.animate(text).choreography


def caught(found: Choreography, hand: int) -> list[str]:
    """The words for one hand's catches in their order."""
    events = found.events
    manners = events.manners[(events.hand == hand) & (events.kind == EventKind.CATCH)]
    return [catch_word(grasp, row) for grasp, row in manners.tolist()]


def test_hands_catch_with_the_palm_where_nothing_is_said() -> None:
    assert choreography("531").events.grasp is None


def test_every_catch_is_as_the_text_says() -> None:
    found = choreography("pattern=531;catches=claw").events
    assert found.grasp is not None
    assert (found.grasp == Grasp.CLAW).all()


def test_left_and_right_hands_may_differ() -> None:
    found = choreography("pattern=(4,4);catches=palm|penguin")
    assert set(caught(found, 0)) == {"palm"}
    assert set(caught(found, 1)) == {"penguin"}


@pytest.mark.parametrize("text", ["3", "531", "(6x,4)*", "[34]23", "<3p 3|3p 3>", "4", "51"])
def test_a_list_is_taken_in_turn_by_the_catches_of_each_hand_round_the_loop(text: str) -> None:
    found = choreography(f"pattern={text};catches=claw,palm,overhead")
    for hand in range(2 * found.jugglers):
        words = caught(found, hand)
        assert len(words) > 0
        assert len(words) % 3 == 0
        assert words == ["claw", "palm", "overhead"] * (len(words) // 3)


@pytest.mark.parametrize("text", ["3", "531", "441", "(6x,4)*", "<3p 3|3p 3>", "97531"])
def test_what_was_clawed_is_thrown_out_of_a_claw(text: str) -> None:
    found = choreography(f"pattern={text};catches=claw,palm|claw,claw,palm")
    flights, grasp = found.flights, found.events.grasp
    assert grasp is not None
    for orbit in found.orbits:
        for flight, following in orbit.steps():
            assert grasp[flights.catch[flight]] == grasp[flights.throw[following]]


def test_claws_are_higher_than_palms_and_penguins_beside_and_a_little_behind_the_hip() -> None:
    palm, claw, penguin = (
        choreography(f"pattern=3;catches={word}").events for word in ("palm", "claw", "penguin")
    )
    assert (claw.position[:, 1] > palm.position[:, 1] + 0.05).all()
    catch = penguin.kind == EventKind.CATCH
    out = np.where(penguin.hand == 0, 1.0, -1.0)
    assert (out * penguin.position[:, 0] > 0.35)[catch].all()
    assert (penguin.position[catch, 2] < -0.1).all()
    # What they catch is thrown before the body, as usual.
    assert (penguin.position[penguin.kind == EventKind.THROW, 2] > 0.2).all()


def test_who_says_where_hands_go_is_taken_at_their_word() -> None:
    palm, claw = (
        choreography(f"pattern=3;hands=(10)(30);catches={word}").events for word in ("palm", "claw")
    )
    np.testing.assert_array_equal(palm.position, claw.position)


def test_catches_come_back_from_a_file() -> None:
    again = read(write(read_settings("pattern=531;catches=palm|claw,palm")))
    assert again.score.staging.catches == (("palm",), ("claw", "palm"))
