import math

import pytest
from hypothesis import given
from staging_strategies import body_texts

from juggle_anim.choreography import BodyPlace
from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_SETTINGS_LENGTH
from juggle_anim.notation.settings.moves import RepeatExpander, read_body


def test_a_place_is_a_turn_to_the_left_then_right_forward_and_up() -> None:
    (((place,),),) = read_body("(90,75,-20,180).").beats
    assert place == BodyPlace(math.pi / 2, (-0.75, 0.8, -0.2))


def test_a_body_of_which_no_height_is_said_stands_on_the_floor() -> None:
    for text in ("(90).", "(90,,).", "(90,0,0,)."):
        assert read_body(text).beats == (((BodyPlace(math.pi / 2, (0, 0, 0)),),),)


def test_beats_hold_no_place_or_several() -> None:
    (beats,) = read_body("(0)-(90)..(180)..").beats
    assert [len(places) for places in beats] == [3, 0, 1, 0]
    assert beats[0][1] is None


def test_a_turn_beyond_the_full_circle_is_kept() -> None:
    (beats,) = read_body("(0).(720).").beats
    assert beats[1][0].facing == pytest.approx(4 * math.pi)


def test_jugglers_of_whom_nothing_is_said_have_no_place() -> None:
    assert read_body("|(0,5).|").beats[::2] == (((),), ((),))


def test_hundreds_of_jugglers_may_be_repeated() -> None:
    assert len(read_body("{((0).|)^824(0).}").beats) == 825
    assert [len(side) for side in read_body("(0,-39).(|(0)..(0,0,0,120)..)^5").beats] == [
        1,
        4,
        4,
        4,
        4,
        4,
    ]


@given(body_texts())
def test_places_are_read_as_they_are_meant_and_their_text_reads_the_same(drawn: tuple) -> None:
    text, beats = drawn
    moves = read_body(text)
    flat = [place for side in moves.beats for places in side for place in places]
    meant = [place for side in beats for places in side for place in places]
    assert [[len(places) for places in side] for side in moves.beats] == [
        [len(each) for each in side] for side in beats
    ]
    for place, expected in zip(flat, meant, strict=True):
        assert (place is None) == (expected is None)
        if place and expected:
            assert place.facing == pytest.approx(expected.facing, abs=1e-12)
            assert place.position == pytest.approx(expected.position, abs=1e-12)
    assert read_body(moves.text) == moves


def unroll(text: str, limit: int = 100) -> str:
    """A text of letters with the repeats in it written out."""
    unrolled: RepeatExpander[str] = RepeatExpander(text, limit, noun="letters", example="(ab)^2")
    for index, character in enumerate(text):
        if character == "(":
            unrolled.open(index)
        elif character == ")":
            count = text[index + 2 :]
            unrolled.close(index, count[: len(count) - len(count.lstrip("0123456789"))])
        elif character.isalpha():
            unrolled.add(index, character)
    return "".join(unrolled.items())


def test_brackets_with_a_count_repeat_what_they_hold() -> None:
    assert unroll("a(bc)^2d") == "abcbcd"
    assert unroll("((a)^2b)^3") == "aabaabaab"
    assert unroll("a()^5") == "a"


def test_items_outside_the_open_brackets_count_too() -> None:
    with pytest.raises(NotationError, match="more than 100 letters") as caught:
        unroll("aaaa(" * 19 + "b" * 60)
    assert caught.value.index == 19 * 5 + 24


def test_a_text_that_is_too_long_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match=f"{MAX_SETTINGS_LENGTH + 1} characters long"):
        RepeatExpander("(" * (MAX_SETTINGS_LENGTH + 1), 5, noun="letters", example="(ab)^2")
