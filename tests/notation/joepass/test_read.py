"""Files of JoePass!, with what real ones hold."""

from math import lcm

import pytest

from juggle_anim.errors import FileError
from juggle_anim.notation import Settings, read_prechac, read_settings, read_siteswap
from juggle_anim.notation.joepass import read_joepass
from juggle_anim.notation.pattern_list import note_sentences
from juggle_anim.notation.settings.moves import read_hands
from juggle_anim.pattern import LEFT, RIGHT, Pattern

_SEVEN = """\
!###########################################
! 4.5p 3 3  (2 Jugglers)
!###########################################
#sx

#jugglerPosition 1 (200,0,0)(0,0,0)
#jugglerPosition 2 (-200,0,0)(0,0,0)

#replace orbit1 (1,0.5,0) ! orange
#objectColor 2 orbit1
#D -
#jugglerDelay 2 0.5

< 4.5r1  3  3 |
  3  4  3.5r1x >
"""


def _read(text: str) -> Settings:
    settings = read_joepass(text, "f").patterns[0].settings
    assert settings is not None
    return settings


def _pattern(text: str) -> Pattern:
    pattern = _read(text).score.pattern
    assert pattern is not None
    return pattern


def _throws(pattern: Pattern, juggler: int) -> list[tuple[float, int, float, int, int]]:
    parts = pattern.division
    return [
        (throw.beat / parts, throw.hand, throw.value / parts, throw.to_juggler, throw.to_hand)
        for throw in pattern.throws
        if throw.juggler == juggler
    ]


@pytest.mark.parametrize(
    ("text", "siteswap"),
    [
        ("531", "531"),
        ("5 3 1", "531"),
        ("B0 1", "b01"),
        ("#sx\n11 0 1", "{11}01"),
        ("[34]23", "[34]23"),
        ("(4,2x)(2x,4)", "(4,2x)(2x,4)"),
        ("(4 2x)(2x 4)", "(4,2x)(2x,4)"),
        ("(6x,4)*", "(6x,4)*"),
        ("#h 1 (6x,4)(4,6x)", "(4,6x)(6x,4)"),
        ("#emptyBeats 0\n(4,3x)", "(4,3x)!"),
        ("#mhn*\n(-,3)(3,-)", "3"),
        ("3x 3%", "R3xL3L3xR3"),
        ("#sx 3 3x*", "R3R3xL3L3x"),
        ("{4 4 1}2 3 3", "44144133"),
        ("{{3}2, 4 4 1} 2", "3344133441"),
        ("#sx 7 5b 3 1", "75B31"),
        ("7 5bb 3 1", "75BF31"),
        ("7 5vhf 3 1", "75BHF31"),
        ("#objectBounceFrom 5\n7 5 3 1", "7B5B31"),
        ("< 3p 3 | 3p 3 >", "<3p 3|3p 3>"),
        ("<3:2 3 1 1:2 | 1 1:1 3:1 3>", "<3p 3 1 1p|1 1p 3p 3>"),
        ("<3r1 3|3r1 3|3r1 3>", "<3p 3|3p 3|3p 3>"),
        ("<3r-1 3|3r-1 3|3r-1 3>", "<3p3 3|3p1 3|3p2 3>"),
        ("<3p2 3|3p3 3|3p1 3>", "<3p 3|3p 3|3p 3>"),
        ("<3p|3p> <3|3>", "<3p 3|3p 3>"),
        ("#jugglerStartLeft 2\n<4p 3|3 4p>", "<R|L><4xp 3|3 4xp>"),
        ("#jugglerStartLeft 1, 2\n<3p 3|3p 3>", "<L|L><3p 3|3p 3>"),
        ("A= 3Pass 3 B= 3 Pass 3 END", "<3p 3|3p 3>"),
        ('3 "not 9\n9" 3! 9', "33"),
    ],
)
def test_throws_and_hands_are_those_of_a_siteswap(text: str, siteswap: str) -> None:
    found, expected = _pattern(text), read_siteswap(siteswap)
    assert (found.jugglers, found.props) == (expected.jugglers, expected.props)
    period = max(found.period, expected.period)
    assert _rolled(found, period) == _rolled(expected, period)


def _rolled(pattern: Pattern, period: int) -> list[tuple[object, ...]]:
    """The throws of as many rounds as there are in a period."""
    rounds = range(0, period, pattern.period)
    throws = [
        throw._replace(beat=throw.beat + begins) for begins in rounds for throw in pattern.throws
    ]
    return sorted(tuple(throw[:8]) for throw in throws)


def test_delays_say_when_jugglers_throw_and_passes_last_as_long_as_they_say() -> None:
    pattern = _pattern(_SEVEN)
    assert (pattern.division, pattern.props) == (2, 7)
    assert pattern.throws == read_prechac("<4.5p 3 3|3 4 3.5p>").throws
    assert (
        _pattern("#sx #D -\n#jugglerDelay 2 0.33, 3 0.67\n<3.33r1 3|3.33r1 3|4.33r1 3>").division
        == 3
    )


def test_without_d_minus_passes_last_longer_by_the_delays() -> None:
    for text in ("#D +\n#jugglerDelay 2 0.5\n<3p 3|3p 3>", "#d 2 0.5;<3p 3|3p 3>"):
        pattern = _pattern(text)
        assert _throws(pattern, 0) == [(0, RIGHT, 3.5, 1, LEFT), (1, LEFT, 3, 0, RIGHT)]
        assert [throw[:3] for throw in _throws(pattern, 1)] == [(0.5, RIGHT, 2.5), (1.5, LEFT, 3)]


def test_hands_may_be_late_each_by_itself() -> None:
    """Seven clubs on singles: all that right hands throw comes half a beat later, and lasts 3.5
    beats.
    """
    automatic = (
        "#jugglerStartLeft 2\n#D +\n#jugglerDelay 1 r 0.5\n#jugglerDelay 2 l 0.5\n<4p 3|3 4p>"
    )
    by_hand = (
        "#sx\n#jugglerStartLeft 2\n#D -\n#jugglerDelay 1 r 0.5\n#jugglerDelay 2 l "
        "0.5\n<3.5px 3.5|3.5 3.5px>"
    )
    pattern = _pattern(automatic)
    assert {
        (throw[0] % 1, throw[1]) for juggler in (0, 1) for throw in _throws(pattern, juggler)
    } == {
        (0.5, RIGHT),
        (0, LEFT),
    }
    assert _pattern(by_hand).props == pattern.props == 7


def test_a_pass_of_no_beats_flies_for_the_delay() -> None:
    pattern = _pattern("#sx\n#D +\n#jugglerDelay 1 0.5\n<1p|0p>")
    assert (pattern.props, {throw.value for throw in pattern.throws}) == (1, {1})
    assert pattern.division == 2


def test_passes_that_would_land_in_empty_hands_go_to_those_whose_turn_it_is() -> None:
    found = read_joepass("#sx\n#D -\n#jugglerDelay 1 0.5\n<0.5p|0.5px>", "f")
    assert [note.text.rpartition(";")[2] for note in found.notes] == [
        " passes go to the hand whose turn it is"
    ]
    assert found.patterns[0].settings is not None
    assert found.patterns[0].settings.score.props == 1


def _shared_siteswap(values: list[int], jugglers: int) -> str:
    """A siteswap that jugglers throw in turn, as programs that turn these into JoePass!'s throws
    write it.
    """
    thrown = lcm(len(values), jugglers)
    parts = []
    for throw in range(thrown):
        value = values[throw % len(values)]
        text = f"{value / jugglers:.2f}"
        if value % jugglers:
            same = (throw // jugglers - (throw + value) // jugglers) % 2 == 0
            even = round(float(text)) % 2 == 0
            text += f"r{value % jugglers}" + "x" * (same != even)
        parts.append(text)
    rows = ("|".join(parts[first : first + jugglers]) for first in range(0, thrown, jugglers))
    delays = "".join(
        f"#jugglerDelay {juggler + 1} {juggler / jugglers:.2f}\n" for juggler in range(1, jugglers)
    )
    return f"#sx\n{delays}#D -\n" + "".join(f"<{row}>\n" for row in rows)


@pytest.mark.parametrize(
    ("values", "jugglers"),
    [("7", 2), ("975", 2), ("867", 2), ("966867", 2), ("7", 3), ("97531", 3), ("786", 4)],
)
def test_a_siteswap_that_jugglers_share_is_that_of_a_hand_siteswap(
    values: str, jugglers: int
) -> None:
    read = _pattern(_shared_siteswap([int(value) for value in values], jugglers))
    expected = read_settings(f"pattern={values};hss={2 * jugglers};dwellmax=false").score.pattern
    assert expected is not None
    assert (read.division, read.period) == (jugglers, expected.period)
    assert sorted(throw[:6] for throw in read.throws) == sorted(
        throw[:6] for throw in expected.throws
    )


def test_a_multi_hand_notation_says_what_both_hands_do() -> None:
    text = (
        "! cdew siteswap output:\n#sx\n#mhn*\n#objectCount 4\n<( -, 3) ( 5, -) |\n( -, -) ( -, "
        '-) >\n"\n#cdew\n"\n'
    )
    pattern = _pattern(text)
    assert (pattern.jugglers, pattern.props, pattern.period) == (2, 4, 2)
    assert [throw[:4] for throw in pattern.throws] == [(0, 0, RIGHT, 3), (1, 0, LEFT, 5)]


def test_a_file_says_where_jugglers_stand_and_what_they_look_at() -> None:
    body = _read("#j 2 (60,0,0)(60,0,100)\n#j 1 (-60,20,0)(-160,0,0)\n<3p|3p>").score.staging.body
    assert body is not None
    assert body.text == "(90,-60,0,120).|(0,60,0,100)."
    assert _read(_SEVEN).score.staging.body.text == "(90,200,0,100).|(270,-200,0,100)."  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "layout",
    ["sideToSide", "backtoback", "line", "dropbackLine", "circle", "feed r 2;", "gorillaFeed"],
)
def test_a_layout_places_all_jugglers_apart(layout: str) -> None:
    body = _read(f"#{layout}\n<3p2|3p1|3>").score.staging.body
    assert body is not None
    places = {beats[0][0].position for beats in body.beats if beats[0][0]}
    assert len(places) == 3


def test_props_have_the_colours_and_kinds_of_their_numbers() -> None:
    props = _read("#k 1\n#k 2:4\n#O 1 (1,0,0),3 (0,0,1)\n#O 2:(0,1,0)\n531").score.staging.props
    assert props.kinds == ("club", "ring", "club")
    assert props.text == "{255,0,0}{0,255,0}{0,0,255}"
    # The left hand's prop is the first, and ours is the right hand's.
    assert (
        _read("#O 1 (1,0,0)\n#O 2 (0,1,0)\n(2,2)").score.staging.props.text == "{0,255,0}{255,0,0}"
    )
    assert (
        _read("#objectColorRange 255\n#O (255,140,0)\n3").score.staging.props.text == "{255,140,0}"
    )


def test_a_colour_for_a_prop_beyond_the_last_colours_no_prop() -> None:
    assert _read(f"#O {10**10} (1,0,0)\n3").score.staging.props == _read("3").score.staging.props


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("#bps 4\n3", {"bps": 4}),
        ("#tps10 35\n3", {"bps": 3.5}),
        ("#hurried 1.5\n3", {"dwell": 1.5}),
        ("#o 0.6\n3", {"dwell": 1.2}),
    ],
)
def test_tempo_and_dwell_are_parameters(text: str, parameters: dict[str, float]) -> None:
    assert dict(_read(text).parameters) == parameters


@pytest.mark.parametrize(
    ("style", "hands"),
    [
        ("reverse", "(32.5)(10)."),
        ("mills_mess", "(-25)(2.5).(25)(-2.5).(-25)(0)."),
        ("cascade", ""),
    ],
)
def test_styles_that_we_have_move_hands(style: str, hands: str) -> None:
    staging = _read(f"#globalStyle {style}\n<3|3>").score.staging
    assert staging.hands == (read_hands(hands) if hands else None)


def test_comments_are_the_description() -> None:
    assert _read(_SEVEN).score.about == "4.5p 3 3  (2 Jugglers)"
    score = _read("! title: Mine\n! about: one\n! about:  two\n!#h 2\n3").score
    assert (score.title, score.about) == ("Mine", "one\n two")


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("3\n#frobnicate (1,2,3),(4,5,6) 7\n3", "line 2: not shown: #frobnicate"),
        ("#gravity 8\n#cameraMode 1\n3", "line 1: not shown: #gravity"),
        ("5@2 3f(1,2)t2 4j(0,0,1)", "line 1: not shown: hand movements of throws"),
        ("5@2 3f(1,2)t2 4j(0,0,1)", "line 1: not shown: spins of throws"),
        ("3d0.5\n3d0.5\n3", "lines 1 and 2: not shown: delays of single throws"),
        ("3\n#bps 4\n3", "line 2: not shown: #bps after throws"),
        ("#objectCount 4\n3", "line 1: not shown: #objectCount 4, since 3 are thrown"),
        ("#k 2\n3", "line 1: not shown: props of kind 2"),
        ("#O 4 (1,0,0)\n3", "line 1: not shown: the colour of prop 4, as 3 are thrown"),
        (
            "#O 12345678901 (1,0,0)\n3",
            "line 1: not shown: the colour of prop 12345678901, as 3 are thrown",
        ),
        ("#O 1 (-1,0,0)\n3", "line 1: not shown: invisible props"),
        ("#bps 100000\n3", "line 1: not shown: #bps 100000"),
        ("#j 3 (0,0,0)(0,0,1)\n3", "line 1: not shown: the position of juggler 3"),
        ("4 4\n{3 3} 0", "line 2: not shown: what comes before a loop without end"),
        ("#J 1 (1,0,0)\n#jugglerName 1:Ann;\n3", "line 2: not shown: #jugglerName"),
    ],
)
def test_what_is_not_shown_is_named_with_its_line(text: str, note: str) -> None:
    assert note in note_sentences(read_joepass(text, "f").notes)


def test_kinds_of_props_that_are_not_thrown_are_not_named() -> None:
    text = "#k 4:2, 2:1\n3"
    assert _read(text).score.staging.props.kinds == ("ball", "club", "ball")
    assert not read_joepass(text, "f").notes


def test_a_2_that_spins_is_really_thrown() -> None:
    assert _pattern("<3p 3 3|2@1 3 4p>").throws[1].held is False


def test_a_broken_file_names_the_line() -> None:
    with pytest.raises(
        FileError, match=r"^f:3: two props would land in the same hand at once: the 5 thrown on"
    ):
        read_joepass("! words\n5\n4 3", "f")
