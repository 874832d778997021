from hypothesis import given
from siteswap_strategies import valid_siteswaps

from juggle_anim.notation import read_siteswap


def test_the_orbits_of_531() -> None:
    orbits = read_siteswap("531").orbits
    assert [orbit.throws for orbit in orbits] == [(0, 5), (1, 4), (2, 3)]
    assert [(orbit.beats, orbit.props) for orbit in orbits] == [(6, 1), (6, 1), (6, 1)]


def test_a_cascade_is_one_orbit_of_all_props() -> None:
    (orbit,) = read_siteswap("5").orbits
    assert (orbit.throws, orbit.beats, orbit.props) == ((0, 1), 10, 5)


def test_a_fountain_is_one_orbit_per_hand() -> None:
    assert [orbit.props for orbit in read_siteswap("4").orbits] == [2, 2]


@given(valid_siteswaps())
def test_orbits_share_out_all_throws_and_all_props(text: str) -> None:
    pattern = read_siteswap(text)
    throws = [throw for orbit in pattern.orbits for throw in orbit.throws]
    assert sorted(throws) == list(range(len(pattern.throws)))
    assert sum(orbit.props for orbit in pattern.orbits) == pattern.props


@given(valid_siteswaps())
def test_an_orbit_follows_the_landings_round_and_begins_with_its_first_throw(text: str) -> None:
    pattern = read_siteswap(text)
    for orbit in pattern.orbits:
        following = (*orbit.throws[1:], orbit.throws[0])
        assert tuple(pattern.landings[throw] for throw in orbit.throws) == following
        assert orbit.beats == orbit.props * pattern.period
        assert orbit.throws[0] == min(orbit.throws)
    firsts = [orbit.throws[0] for orbit in pattern.orbits]
    assert firsts == sorted(firsts)
