from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.animation import animate
from juggle_anim.notation import open_pattern, open_patterns, read_siteswap, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.scene.palette import prop_colours
from juggle_anim.viewer.state.beats import BeatLine, beat_at, beat_text


def test_orbits_have_the_colours_of_their_props_and_the_values_of_their_throws() -> None:
    line, animation = BeatLine(), animate("531")
    orbits = line.orbits(animation)
    assert [orbit.values for orbit in orbits] == ["5 1", "3 3", "1 5"]
    np.testing.assert_array_equal(np.concatenate([orbit.colours for orbit in orbits]), prop_colours(3))
    assert len(line.orbits(animate("3"))[0].colours) == 3


def test_a_long_orbit_is_cut_short() -> None:
    assert BeatLine().orbits(animate("97531 744 753 66661"))[0].values.endswith(" …")
    assert BeatLine().orbits(animate("97531 744 753 66661"))[0].values.count(" ") == 8


def test_the_colours_are_those_that_were_chosen() -> None:
    orbits = BeatLine().orbits(animate("531", colors="{red}"))
    assert orbits[0].colours.tolist() == [[1.0, 0.0, 0.0]]


def test_the_state_is_that_before_the_throws_of_a_beat() -> None:
    line, animation = BeatLine(), animate("531")
    assert [line.state(animation, beat) for beat in range(3)] == ["111", "11001", "1011"]


def test_another_pattern_has_other_beats() -> None:
    line = BeatLine()
    assert line.text(animate("531")).text == "531"
    assert line.text(animate("441")).text == "441"


def test_events_of_a_file_have_no_beats(tmp_path: Path) -> None:
    events, _ = with_events(open_patterns("531"))
    write_file(events, tmp_path / "a.jml")
    assert not BeatLine().is_visible(animate(f"{tmp_path}/a.jml"))
    assert BeatLine().is_visible(animate("531"))


def lit(text: str) -> tuple[str, list[list[str]]]:
    pattern = open_pattern(text).score.pattern
    assert pattern
    beats = beat_text(pattern)
    return beats.text, [[beats.text[start:end] for start, end in spans] for spans in beats.spans]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("531", [["5"], ["3"], ["1"]] * 2),
        ("[34]23", [["3", "4"], ["2"], ["3"]] * 2),
        ("(6x,4)*", [["6x", "4"]] * 4),
        ("5 0 1", [["5"], [], ["1"]] * 2),
        ("<3p 3|3p 3>", [["3p", "3p"], ["3", "3"]]),
        ("{12}0", [["{12}"], []]),
        ("5BHF1", [["5BHF"], ["1"]]),
        ("R3L3", [["3"], ["3"]]),
    ],
)
def test_the_throws_of_a_beat_are_lit_where_they_were_typed(text: str, parts: list[list[str]]) -> None:
    assert lit(text) == (text, parts)


def test_a_repeat_lights_the_same_place_again() -> None:
    pattern = read_siteswap("(531^2)")
    spans = beat_text(pattern).spans
    assert spans[0] == spans[3] != spans[1]


def test_throws_with_a_siteswap_of_hands_are_lit_as_typed() -> None:
    assert lit("pattern=5;hss=3")[0] == "5"


def test_what_is_no_plain_siteswap_is_written_throw_by_throw() -> None:
    assert lit("4p 2 3") == ("4p|4p 2|2 3|3", [["4p|4p"], ["2|2"], ["3|3"]] * 2)


@given(st.one_of(valid_siteswaps(), valid_passing_siteswaps()))
def test_every_beat_with_a_throw_lights_a_part_of_the_text(text: str) -> None:
    pattern = read_siteswap(text)
    beats = beat_text(pattern)
    assert len(beats.spans) == pattern.period
    for throw in pattern.throws:
        assert beats.spans[throw.beat]
    for spans in beats.spans:
        for start, end in spans:
            assert beats.text[start:end].strip()


@given(st.integers(0, 40), st.floats(0.01, 0.99))
def test_a_beat_lasts_until_the_next_is_thrown(beat: int, part: float) -> None:
    animation = animate("531")
    assert animation.pattern
    bps = animation.choreography.bps
    assert beat_at(animation.pattern, beat / bps, bps) == beat % 6
    assert beat_at(animation.pattern, (beat + part) / bps, bps) == beat % 6
