"""Props: which is which, and how each looks."""

from typing import Any

import pytest
from hypothesis import given
from jif_documents import cascade, read, refusal, throw, write
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.choreography import PropStyle
from juggle_anim.choreography.choreograph import prop_looks
from juggle_anim.notation import read_settings, read_siteswap
from juggle_anim.notation.jif.scores import PropOrder
from juggle_anim.pattern import RIGHT, Pattern

RED, GREEN, BLUE = (1.0, 0.0, 0.0), (0.0, 128 / 255, 0.0), (0.0, 0.0, 1.0)
COLOURED: list[dict[str, Any]] = [{"color": "red"}, {"color": "green"}, {"color": "#00f"}]


def first_props(pattern: Pattern) -> list[tuple[int, int]]:
    """The loop and throw with which each prop begins, by following all throws through time."""
    thrown = sorted(range(len(pattern.throws)), key=lambda index: _turn(pattern, index))
    begun: list[tuple[int, int]] = []
    due: set[tuple[int, int]] = set()
    loop = 0
    while len(begun) < pattern.props:
        for index in thrown:
            if (loop, index) not in due:
                begun.append((loop, index))
            made = pattern.throws[index]
            due.add((loop + (made.beat + made.value) // pattern.period, pattern.landings[index]))
        loop += 1
    return begun


def _turn(pattern: Pattern, index: int) -> tuple[int, int, bool, int]:
    made = pattern.throws[index]
    return made.beat, made.juggler, made.hand != RIGHT, index


@given(valid_siteswaps() | valid_passing_siteswaps())
def test_props_are_numbered_by_their_first_throws(text: str) -> None:
    pattern = read_siteswap(text)
    order = PropOrder(pattern)
    assert order.firsts == first_props(pattern)
    assert [order.prop(index, loop) for loop, index in order.firsts] == list(range(pattern.props))
    assert sorted(order.shifted()) == list(range(pattern.props))


@given(valid_siteswaps() | valid_passing_siteswaps())
def test_a_prop_makes_the_throw_on_which_it_lands(text: str) -> None:
    pattern = read_siteswap(text)
    order = PropOrder(pattern)
    for index, made in enumerate(pattern.throws):
        loops = (made.beat + made.value) // pattern.period
        assert order.prop(index, 0) == order.prop(pattern.landings[index], loops)


@given(valid_siteswaps() | valid_passing_siteswaps())
def test_the_order_of_props_is_that_in_which_colours_are_given_out(text: str) -> None:
    pattern = read_siteswap(text)
    order = PropOrder(pattern)
    colours = tuple((number / 1000, 0.0, 0.0) for number in range(max(1, pattern.props)))
    looks = prop_looks(pattern, PropStyle(colours=colours), [0] * len(pattern.orbits))
    given: dict[tuple[int, int], object] = {}
    for number, orbit in enumerate(pattern.orbits):
        for ahead in range(orbit.props):
            given[number, ahead] = looks[len(given)].colour
    for number, orbit in enumerate(pattern.orbits):
        for ahead in range(orbit.props):
            # The prop that is some loops ahead made the orbit's first throw so many loops ago.
            assert given[number, ahead] == colours[order.prop(orbit.throws[0], -ahead)]


def test_colours_are_given_in_the_order_of_the_first_throws() -> None:
    assert read(cascade(props=COLOURED)).score.staging.props.colours == (RED, GREEN, BLUE)
    throws = [throw(0, 3, 0, 1, prop=2), throw(1, 3, 1, 0, prop=0), throw(2, 3, 0, 1, prop=1)]
    swapped = [
        {**made, "time": made["time"] + 3, "from": made["to"], "to": made["from"]}
        for made in throws
    ]
    document = {"props": COLOURED, "throws": throws + swapped, "repetition": {"period": 6}}
    style = read(document).score.staging.props
    assert style == PropStyle("{0,0,255}{255,0,0}{0,128,0}", ("ball",), (BLUE, RED, GREEN))


def test_a_permutation_of_props_says_which_comes_next() -> None:
    props = {"propPermutation": [1, 2, 0], "limbPermutation": [1, 0], "period": 1}
    document = cascade(props=COLOURED, throws=[throw(0, 3, 0, 1, prop=0)], repetition=props)
    assert read(document).score.staging.props.colours == (RED, GREEN, BLUE)
    document["repetition"] = {**props, "propPermutation": [2, 0, 1]}
    assert read(document).score.staging.props.colours == (RED, BLUE, GREEN)


def test_a_permutation_that_fits_only_backwards_is_read_so() -> None:
    throws = [throw(time, 3, time % 2, 1 - time % 2, prop=time % 3) for time in range(4)]
    for permutation in ([1, 2, 0], [2, 0, 1]):
        repetition = {"period": 4, "propPermutation": permutation}
        document = {"props": COLOURED, "throws": throws, "repetition": repetition}
        assert read(document).score.staging.props.colours == (RED, GREEN, BLUE)
    wrong = {**document, "repetition": {"period": 4, "propPermutation": [0, 1, 2]}}
    assert "is caught for this throw" in refusal(wrong)


def test_without_a_permutation_the_props_of_the_first_repetition_count() -> None:
    document = cascade(props=COLOURED, throws=[throw(0, 3, 0, 1, prop=2)])
    assert read(document).score.staging.props.colours == (BLUE, RED, GREEN)


def test_the_props_of_a_multiplex_are_thrown_as_they_are_said_to_be() -> None:
    rows = [(0, 4, 0), (0, 2, 1), (2, 2, 1), (2, 4, 2), (4, 4, 0), (4, 2, 1), (6, 2, 1), (6, 4, 2)]
    throws = [throw(time, duration, 0, 0, prop=prop) for time, duration, prop in rows]
    document = {"props": COLOURED, "throws": throws, "repetition": {"period": 8}}
    score = read(document).score
    assert score.pattern is not None
    order = PropOrder(score.pattern)
    said = {(time, duration): prop for time, duration, prop in rows}
    numbers = [
        said[score.pattern.throws[index].beat, score.pattern.throws[index].value]
        for _, index in order.firsts
    ]
    for index, made in enumerate(score.pattern.throws):
        assert numbers[order.prop(index, 0)] == said[made.beat, made.value]


@pytest.mark.parametrize(
    ("colour", "bytes_"),
    [
        ("orange", (255, 165, 0)),
        (" DarkSlateGrey ", (47, 79, 79)),
        ("#f80", (255, 136, 0)),
        ("#FF880040", (255, 136, 0)),
        ("rgb(1, 2, 3)", (1, 2, 3)),
        ("rgba(1 2 3 / 50%)", (1, 2, 3)),
    ],
)
def test_any_colour_of_css_is_read(colour: str, bytes_: tuple[int, int, int]) -> None:
    style = read(cascade(props=[{"color": colour}] * 3)).score.staging.props
    assert style.colours == (tuple(number / 255 for number in bytes_),)


def test_types_of_props_are_read_and_what_cannot_be_shown_is_said() -> None:
    assert read(cascade(props=[{"type": "Ring"}] * 3)).score.staging.props == PropStyle(
        kinds=("ring",)
    )
    mixed = read(cascade(props=[{"type": "torch"}, {"type": "club"}, {}, {}])).score
    assert mixed.staging.props.kinds == ("club",)
    several = [{"type": "Ring"}, {"type": "ball"}, {"type": "ring"}]
    assert read(cascade(props=several)).score.staging.props.kinds == ("ring", "ball", "ring")
    assert (
        mixed.about
        == "Props of type torch are shown as club.\nThe file has 4 props, but only 3 are thrown."
    )


def test_mixed_props_are_written_one_by_one() -> None:
    settings = read_settings("pattern=3;prop=ball,club")
    document = write(settings)
    assert [prop["type"] for prop in document["props"]] == ["ball", "club", "ball"]
    assert read(document).score.staging == settings.score.staging
    assert read({**document, "juggleAnim": {}}).score.staging.props.kinds == (
        "ball",
        "club",
        "ball",
    )


@pytest.mark.parametrize("colours", ["mixed", "orbits", "{red}{blue}{1,2,3}", "green"])
def test_colours_are_written_for_each_prop_and_kept_in_their_own_words(colours: str) -> None:
    settings = read_settings(f"pattern=(6x,4)*;colors={colours};prop=club")
    document = write(settings)
    assert len(document["props"]) == 5
    assert read(document).score.staging == settings.score.staging
    plain = read({**document, "juggleAnim": {}}).score.staging.props
    painted = [prop["color"] for prop in write(read({**document, "juggleAnim": {}}))["props"]]
    assert painted == [prop["color"] for prop in document["props"]]
    assert not plain.by_orbit
    document["props"][0]["color"] = "white"
    assert read(document).score.staging.props.colours[0] == (1.0, 1.0, 1.0)
