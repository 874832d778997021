import pytest
from hypothesis import given
from siteswap_strategies import valid_siteswaps

from juggle_anim.notation import open_pattern, read_prechac, read_siteswap
from juggle_anim.pattern.states import state_at, write_state, written_states


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("3", "111"),
        ("531", "111"),
        ("b97531", "111111"),
        ("51", "1101"),
        ("50505", "10101"),
        ("60", "10101"),
        ("[54]24", "2111"),
        ("{36}", "1" * 36),
        ("[333333333]", "999"),
        ("[3333333333]", "{10}{10}{10}"),
        ("(4,4)", "11,11"),
        ("(6,4)", "111,11"),
        ("(4,2x)(2x,4)", "1,11"),
        ("(6,4)!", "111111,1111"),
        ("0", "0"),
    ],
)
def test_the_state_is_written_as_jugglers_do(text: str, state: str) -> None:
    assert write_state(read_siteswap(text)) == state


def test_a_state_belongs_to_its_beat() -> None:
    pattern = read_siteswap("531")
    assert [write_state(pattern, beat) for beat in range(4)] == ["111", "11001", "1011", "111"]


@given(valid_siteswaps())
def test_every_prop_is_in_the_state_once(text: str) -> None:
    pattern = read_siteswap(text)
    for beat in range(pattern.period):
        assert sum(map(sum, state_at(pattern, beat))) == pattern.props


@given(valid_siteswaps())
def test_what_lands_on_a_beat_is_thrown_on_it(text: str) -> None:
    pattern = read_siteswap(text)
    for beat in range(pattern.period):
        thrown = [
            sum(throw.beat == beat and throw.hand == hand for throw in pattern.throws)
            for hand in (0, 1)
        ]
        assert [*(state_at(pattern, beat) or [(0, 0)])[0]] == thrown


def test_jugglers_who_throw_between_each_others_beats_each_count_their_own() -> None:
    # Both juggle 2.5p for ever: five props, each thrown two and a half beats across.
    pattern = read_prechac("2.5p")
    assert pattern.division == 2
    rows = write_state(pattern).split(",")
    assert len(rows) == 4
    assert sum(map(int, "".join(rows))) == 5
    assert all(len(row) <= 3 for row in rows)


@given(valid_siteswaps())
def test_the_states_of_a_loop_are_those_of_its_beats(text: str) -> None:
    pattern = read_siteswap(text)
    assert list(written_states(pattern)) == [
        write_state(pattern, beat) for beat in range(pattern.period)
    ]


def test_objects_of_a_hand_siteswap_have_one_state() -> None:
    pattern = open_pattern("pattern=726;hss=4").score.pattern
    assert pattern is not None
    assert [write_state(pattern, beat) for beat in range(3)] == ["111011", "1101101", "111101"]
