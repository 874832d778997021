import pytest
from hypothesis import given
from hypothesis import strategies as st
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.animation import animate
from juggle_anim.notation import open_pattern, read_siteswap
from juggle_anim.notation.beats import beat_at, beat_text


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
def test_the_throws_of_a_beat_are_lit_where_they_were_typed(
    text: str, parts: list[list[str]]
) -> None:
    assert lit(text) == (text, parts)


def test_a_repeat_lights_the_same_place_again() -> None:
    pattern = read_siteswap("(531^2)")
    spans = beat_text(pattern).spans
    assert spans[0] == spans[3] != spans[1]


def test_throws_with_a_siteswap_of_hands_are_lit_as_typed() -> None:
    assert lit("pattern=5;hss=3")[0] == "5"
    assert lit("pattern=531;hss=3") == ("531", [["5"], ["3"], ["1"]])


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
