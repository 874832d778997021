import pytest
from hypothesis import given
from staging_strategies import hands_texts
from work import ONE_SECOND, at_most

from juggle_anim.choreography import HandBeat
from juggle_anim.errors import NotationError
from juggle_anim.notation.settings.moves import STYLES, read_hands
from juggle_anim.notation.settings.staging import USUAL_PATH, write_hands


def test_a_hand_throws_at_the_first_point_and_catches_at_the_last() -> None:
    (beats,) = read_hands("(10)(32.5,5,-2).(25)(12.5)").beats
    assert beats == (
        HandBeat(((0.1, 0.0, 0.0), (0.325, 0.05, -0.02)), catch=1),
        HandBeat(((0.25, 0.0, 0.0), (0.125, 0.0, 0.0)), catch=1),
    )


def test_a_c_marks_the_catch_and_points_after_it_are_passed_with_the_prop() -> None:
    ((beat,),) = read_hands("t(40,-15)(57,15)C(100,30)(50).").beats
    assert beat.catch == 2
    assert beat.points == ((0.4, -0.15, 0), (0.57, 0.15, 0), (1, 0.3, 0), (0.5, 0, 0))


def test_a_dash_and_an_empty_beat_leave_points_to_the_usual_rule() -> None:
    ((one, other, last),) = read_hands("(10)-(20)..-(5).").beats
    assert one == HandBeat(((0.1, 0, 0), None, (0.2, 0, 0)), catch=2)
    assert other == HandBeat((None, None), catch=1)
    assert last == HandBeat((None, (0.05, 0, 0)), catch=1)
    assert read_hands("t--.").beats == (((HandBeat((None, None), 1)),),)


def test_numbers_left_out_are_zero() -> None:
    ((beat,),) = read_hands("(,,7)(.5e1,).").beats
    assert beat.points == ((0, 0, 0.07), (0.05, 0, 0))


def test_jugglers_have_sides_of_their_own_with_or_without_frames() -> None:
    expected = read_hands("(1)(2).|(3)(4).(5)(6).").beats
    assert [len(beats) for beats in expected] == [1, 2]
    for text in (
        "<(1)(2).|(3)(4).(5)(6).>",
        "{(1)(2).!(3)(4).(5)(6).}",
        "<{(1)(2).}|{(3)(4).(5)(6).}>",
    ):
        assert read_hands(text).beats == expected


def test_repeats_go_across_beats_and_jugglers_and_may_be_nested() -> None:
    assert read_hands("((1)(2).)^3").beats == read_hands("(1)(2).(1)(2).(1)(2).").beats
    assert read_hands("((3))^2.").beats == read_hands("(3)(3).").beats
    assert (
        read_hands("(0)(0).(|((1)(2).)^2)^2").beats
        == read_hands("(0)(0).|(1)(2).(1)(2).|(1)(2).(1)(2).").beats
    )


@pytest.mark.parametrize(("name", "moves"), STYLES.items())
def test_styles_have_names_in_any_spelling(name: str, moves: str) -> None:
    for spelling in (name, name.upper(), name.replace(" ", "-"), f" {name.replace(' ', '')} "):
        assert read_hands(spelling) == read_hands(moves)
    assert read_hands("mill's-mess").text == STYLES["Mills mess"]


@given(hands_texts())
def test_moves_are_read_as_they_are_meant_and_their_text_reads_the_same(drawn: tuple) -> None:
    text, beats = drawn
    moves = read_hands(text)
    assert moves.beats == beats
    assert read_hands(moves.text) == moves
    assert "\n" not in moves.text


@pytest.mark.parametrize(
    "text",
    [
        "(" * 1_000_000,
        "(" * 10_000,
        "((1)(2)." + "(" * 19_000,
        "((((((1)(2).)^999)^999)^999)^999)^999",
        "(1)" * 21_000,
        "(1" + "," * 19_000,
        "(" + "9" * 19_000 + ")",
        "(1)" + " " * 19_000 + "^",
        "(1)(2)." + "<" * 19_000,
        "z" * 19_000,
    ],
    ids=lambda text: f"{text[:24]} {len(text)}",
)
def test_hostile_moves_are_refused_with_little_work(text: str) -> None:
    with at_most(ONE_SECOND // 3), pytest.raises(NotationError):
        read_hands(text)


@given(hands_texts())
def test_paths_that_are_written_are_read_again(
    said: tuple[str, tuple[tuple[HandBeat, ...], ...]],
) -> None:
    beats = said[1]
    written = write_hands(beats)
    usual = all(beat == USUAL_PATH for juggler in beats for beat in juggler)
    assert (written is None) == usual
    if written is not None:
        again = read_hands(written.text).beats
        jugglers = max(len(beats), len(again))
        for juggler in range(jugglers):
            some, others = beats[juggler % len(beats)], again[juggler % len(again)]
            for turn in range(len(some) * len(others)):
                one, other = some[turn % len(some)], others[turn % len(others)]
                assert other.catch == one.catch
                assert [point is None for point in other.points] == [
                    point is None for point in one.points
                ]
                for here, there in zip(one.points, other.points, strict=True):
                    assert here is None or there == pytest.approx(here, abs=1e-7)


def test_usual_paths_need_no_text_but_one_that_is_not_does() -> None:
    way = HandBeat(((0.1, 0.0, 0.0), (0.2, 0.0, 0.0)), catch=1)
    assert write_hands([[USUAL_PATH, USUAL_PATH], [USUAL_PATH]]) is None
    for beats in ([[way, USUAL_PATH]], [[USUAL_PATH], [way]]):
        written = write_hands(beats)
        assert written is not None
        assert written.beats == tuple(map(tuple, beats))
