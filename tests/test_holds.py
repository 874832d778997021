import pytest

from juggle_anim.choreography.dwell import holds
from juggle_anim.notation import read_siteswap
from juggle_anim.notation.hand_siteswap import read_hand_siteswap
from juggle_anim.pattern import RIGHT, Pattern, Throw


def held(pattern: Pattern) -> list[int]:
    """The values of the throws that are held, in the order written."""
    stays = holds(pattern)
    written = zip(pattern.throws, stays, strict=True)
    return [throw.value for throw, still in written if still and throw.beat < pattern.written_period]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("423", [2]),
        ("522", [2, 2]),
        ("(2,4x)*", [2]),
        ("(2x,2x)", []),
        ("R2R2", []),
        ("R1x", [1]),
        ("1", []),
        ("2T", []),
        ("4H", [4]),
        ("3H", []),
    ],
)
def test_a_two_is_held_unless_its_hand_throws_in_between(text: str, values: list[int]) -> None:
    assert held(read_siteswap(text)) == values


def test_hands_with_a_siteswap_of_their_own_hold_by_the_same_rule() -> None:
    assert held(read_hand_siteswap("2", "2")) == [2]
    assert held(read_hand_siteswap("2", "4")) == []


def divided(*throws: tuple[int, int]) -> Pattern:
    """A right hand that throws on these halves of beats, to itself, so many halves high."""
    made = tuple(Throw(beat, 0, RIGHT, value, 0, RIGHT) for beat, value in throws)
    period = sum(value for _, value in throws)
    return Pattern("", made, period, period, division=2)


def test_in_parts_of_beats_too_two_beats_are_the_longest_hold() -> None:
    assert holds(divided((0, 4))) == (True,)
    assert holds(divided((0, 3))) == (True,)
    assert holds(divided((0, 5))) == (False,)


def test_whatever_a_hand_throws_within_those_two_beats_makes_the_first_a_throw() -> None:
    throws = (Throw(0, 0, RIGHT, 4, 0, RIGHT), Throw(1, 0, RIGHT, 4, 0, RIGHT))
    assert holds(Pattern("", throws, 4, 4, division=2)) == (False, False)
