"""Patterns written for JoePass!, and read back."""

from fractions import Fraction

import pytest
from hypothesis import given
from prechac_strategies import Drawn, prechac_lines
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.choreography import Score
from juggle_anim.errors import FileError
from juggle_anim.notation import Settings, read_prechac, read_settings, read_siteswap
from juggle_anim.notation.joepass import read_joepass, write_joepass
from juggle_anim.notation.pattern_list import Entry, PatternList, WrittenText
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw


def _write(settings: Settings) -> WrittenText:
    return write_joepass(PatternList((Entry("it", settings),), single=True))


def _read(text: str) -> Settings:
    settings = read_joepass(text).patterns[0].settings
    assert settings is not None
    return settings


def _events(pattern: Pattern | None) -> tuple[object, ...]:
    """All throws in beats but for holds, and the bounces after the first."""
    assert pattern is not None
    parts = pattern.division
    throws = [
        (Fraction(beat, parts), juggler, hand, Fraction(value, parts), to_juggler, to_hand, style)
        for beat, juggler, hand, value, to_juggler, to_hand, _, style, _ in pattern.throws
    ]
    return pattern.jugglers, Fraction(pattern.period, parts), throws


def _comes_back(pattern: Pattern) -> bool:
    return _events(_read(_write(Settings(Score(pattern))).text).score.pattern) == _events(pattern)


@given(valid_siteswaps() | valid_passing_siteswaps())
def test_any_siteswap_is_read_back_as_the_same_throws(text: str) -> None:
    assert _comes_back(read_siteswap(text))


@given(prechac_lines())
def test_passes_between_beats_are_read_back_as_the_same_throws(drawn: Drawn) -> None:
    if drawn.jugglers < 36:
        assert _comes_back(read_prechac(drawn.text, drawn.jugglers))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("531", "5 3 1"),
        ("[34]23", "[ 3 4 ] 2 3"),
        ("(4,2x)*", "#emptyBeats 1\n( 4 , 2x ) ( 2x , 4 )"),
        ("R3R3xL3L3x", "#emptyBeats 0\n( - , 3 ) ( - , 3x ) ( 3 , - ) ( 3x , - )"),
        ("<3p 3|3p 3>", "< 3p 3 | 3p 3 >"),
        ("<3p3 3|3p1 3|3p2 3>", "< 3:3 3 | 3:1 3 | 3:2 3 >"),
        ("<R|L><4px 3|3 4px>", "#jugglerStartLeft 2\n< 4p 3 | 3 4p >"),
        ("3.5p", "#D -\n#jugglerDelay 2 0.5\n< 3.5p | 3.5px >"),
        (
            "3.67p 3",
            "#D -\n#jugglerDelay 2 0.666667\n#jugglerDelay 3 0.333333\n< 3.666667:2 3 | "
            "3.666667:3x 3 |",
        ),
        ("7B5BF7BHF5BHL", "7b 5bb 7vhf 5vhl"),
    ],
)
def test_throws_are_written_as_jugglers_write_them(text: str, written: str) -> None:
    assert f"\n{written}" in _write(read_settings(text)).text


def test_hands_that_are_late_by_themselves_are_written_so() -> None:
    text = "#jugglerStartLeft 2\n#D +\n#jugglerDelay 1 r 0.5\n#jugglerDelay 2 l 0.5\n<4p 3|3 4p>"
    found = _read(text)
    written = _write(found).text
    assert "#jugglerDelay 1 r 0.5 l 0\n#jugglerDelay 2 r 0 l 0.5\n" in written
    assert _events(_read(written).score.pattern) == _events(found.score.pattern)


@pytest.mark.parametrize("hands", ["outside", "Mills mess"])
def test_moves_of_hands_that_have_a_name_come_back(hands: str) -> None:
    settings = read_settings(f"pattern=3;hands={hands}")
    written = _write(settings)
    assert not written.left_out
    assert _read(written.text).score.staging == settings.score.staging


def test_what_a_file_can_say_of_settings_comes_back() -> None:
    text = (
        "<3p 3|3p "
        "3>;body=(90,75,0,100).|(270,-75,0,100).;prop=club;colors={255,0,0}{0,0,255};bps=4;dwell=1.1;title=Six"
    )
    settings = read_settings(f"pattern={text}")
    written = _write(settings)
    again = _read(written.text)
    assert written.left_out == ("it: how hands move, throw and catch is not saved",)
    assert (again.score.title, dict(again.parameters)) == ("Six", {"bps": 4, "dwell": 1.1})
    assert again.score.staging.body == settings.score.staging.body
    assert again.score.staging.props.kinds == ("club",)
    assert again.score.staging.props.colours == ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)) * 3


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("pattern=3H", "whether a throw is held or thrown is not saved"),
        ("pattern=7BB", "only one bounce of each throw is saved"),
        ("pattern=3;hands=(10)(32.5).", "how hands move, throw and catch is not saved"),
        ("pattern=3;throws=lazy,-", "how hands move, throw and catch is not saved"),
        (
            "pattern=3;body=(0,1).(0,2).",
            "where bodies move is not saved, only where they start",
        ),
        ("pattern=3;prop=square,ball", "a .pass file has no square: they are written as balls"),
        ("pattern=3;gravity=500", "not saved: gravity"),
    ],
)
def test_what_a_file_cannot_say_is_told(text: str, left_out: str) -> None:
    assert _write(read_settings(text)).left_out == (f"it: {left_out}",)


def test_one_pattern_is_written() -> None:
    several = PatternList(tuple(Entry(text, read_settings(text)) for text in ("3", "531")))
    with pytest.raises(
        FileError, match=r"a \.pass file can have only one pattern, not 2; use \.jml or \.txt for"
    ):
        write_joepass(several)
    with pytest.raises(FileError, match="could not be read"):
        write_joepass(PatternList((Entry("54", error=FileError("no")),)))
    with pytest.raises(
        FileError, match=r"it: it has 36 jugglers; the limit of a \.pass file is 35"
    ):
        _write(read_settings("<3p|^36>"))


def test_a_loop_that_is_no_whole_number_of_beats_is_refused() -> None:
    throws = tuple(Throw(beat, 0, RIGHT, 2, 0, RIGHT) for beat in range(3))
    pattern = Pattern("", throws, 3, 3, division=4)
    with pytest.raises(
        FileError, match=r"it: a \.pass file needs throws on whole beats of each hand; save it as"
    ):
        _write(Settings(Score(pattern)))


def test_hands_that_are_not_always_as_late_are_refused() -> None:
    throws = (
        Throw(0, 0, RIGHT, 3, 0, RIGHT),
        Throw(3, 0, RIGHT, 5, 0, RIGHT),
        Throw(5, 0, LEFT, 8, 0, LEFT),
    )
    with pytest.raises(
        FileError, match=r"it: a \.pass file needs throws on whole beats of each hand; save it as"
    ):
        _write(Settings(Score(Pattern("", throws, 8, 8, division=2))))
