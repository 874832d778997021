import pytest

from juggle_anim.errors import NotationError
from juggle_anim.notation import read_settings, read_siteswap
from juggle_anim.notation.text_list import read_text_list
from juggle_anim.pattern import Pattern


def throws(text: str) -> tuple[object, ...]:
    """What a typed text means, without its spelling."""
    pattern = read_settings(text).score.pattern
    assert pattern is not None
    return meaning(pattern)


def meaning(pattern: Pattern) -> tuple[object, ...]:
    return pattern.throws, pattern.period, pattern.division, pattern.jugglers, pattern.turns


SPELLINGS = {
    # Sides without brackets; of a 7-club list.
    "4px3 | 3p4": "<4p 3|3p 4>",
    "4p3 | 34p": "<4p 3|3 4p>",
    "4px4px33 | 3p3p44": "<4p 4p 3 3|3p 3p 4 4>",
    "55513p333 | 3p3335551": "<5 5 5 1 3p 3 3 3|3p 3 3 3 5 5 5 1>",
    "(4x, 3p) | (4x, 3p).": "<(4x, 3p)|(4x, 3p)>",
    "(3p, 4x)|4p3": "<(3p,4x)|4p 3>",
    "4.5p 333353 | 353 4.5p 333": "<4.5p 3 3 3 3 5 3|3 5 3 4.5p 3 3 3>",
    "4.5 3 3 | 3 4 3.5": "<4.5 3 3|3 4 3.5>",
    "3p 3|3p 3|3p 3": "<3p 3|3p 3|3p 3>",
    "3p 3|^4": "<3p 3|^4>",
    "<4px 3|3p 4>": "<4p 3|3p 4>",
    # One side against another.
    "3p 3 3p vs. 4 4p 4p": "<3p 3 3p|4 4p 4p>",
    "3p4p3 vs 4p34p": "<3p 4p 3|4p 3 4p>",
    "4p 4p 1 versus 4p 5 3p": "<4p 4p 1|4p 5 3p>",
    # Lines of a book.
    "A: 3pB33pC3\nB: 3pA333\nC: 333pA3": "<3p2 3 3p3 3|3p1 3 3 3|3 3 3p1 3>",
    "A: 3p 3 3\n\nB: 3p 3 3\n": "<3p 3 3|3p 3 3>",
    "Juggler 1: 4p 3\nJuggler 2: 3 4p": "<4p 3|3 4p>",
    "A 3pB 3\nB 3pA 3": "<3p 3|3p 3>",
    "A) 3p 3\nB) 3p 3": "<3p 3|3p 3>",
    "1) 4p 3\n\n2) 3 4p\n": "<4p 3|3 4p>",
    "A 3pB 3\nB 3pA 3 for two": "<3p 3|3p 3>",
    "A. 3p 3 3\nB 3p 3 3 for 2": "<3p 3 3|3p 3 3>",
    "A 3pB33pC3\nB 3pA333\nC 333pA3": "<3p2 3 3p3 3|3p1 3 3 3|3 3 3p1 3>",
    "A: 3pB 3; B: 3pA 3": "<3p 3|3p 3>",
    "A: 3pB 3;\nB: 3pA 3;": "<3p 3|3p 3>",
    "A: 3p 3 | B: 3p 3": "<3p 3|3p 3>",
    "A: 3p 3 3 B: 3p 3 3": "<3p 3 3|3p 3 3>",
    # A large P.
    "3P 3 3": "3p 3 3",
    "3P33": "3p 3 3",
    "4P 2 3": "4p 2 3",
    "3.5P 3": "3.5p 3",
    "<3P3|3P3>": "<3p 3|3p 3>",
    # Numbers behind a p that are no juggler's.
    "<3p33|234p>": "<3p 3 3|2 3 4p>",
    "<4p23|4p23>": "<4p 2 3|4p 2 3>",
    "<4p2|4p2>": "<4p 2|4p 2>",
    "<3p333|3p333|3p333>": "<3p 3 3 3|3p 3 3 3|3p 3 3 3>",
    # Numbers behind a p that are a receiver and throws.
    "<3p23|3p13>": "<3p2 3|3p1 3>",
    "4p23|34p1": "<4p2 3|3 4p1>",
    "<3p233p33|3p1333|333p13>": "<3p2 3 3p3 3|3p1 3 3 3|3 3 3p1 3>",
    # Letters of receivers.
    "<3pB 3|3pA 3>": "<3p 3|3p 3>",
    "<3pB3|3pA3>": "<3p 3|3p 3>",
    "<5pC 3|5pA 3|5pB 3>": "<5p3 3|5p1 3|5p2 3>",
    "<3pxB 3|3pxA 3>": "<3px 3|3px 3>",
    "{0,0.3,0.6}<1.6pC|2|2.3p>": "{0,0.3,0.6}<1.6p3 | 2 | 2.3p>",
    # Commas, and pairs without one.
    "<3p,3,3|3p,3,3>": "<3p 3 3|3p 3 3>",
    "3p,3 | 3p,3": "<3p 3|3p 3>",
    "3p,3,3": "3p 3 3",
    "4p, 2, 3": "4p 2 3",
    "3.5p,3": "3.5p 3",
    "3p,3,3 for 2": "3p 3 3",
    "3p33,3p33": "<3p 3 3|3p 3 3>",
    "3p33,3p33 for 2": "<3p 3 3|3p 3 3>",
    "4p3,34p": "<4p 3|3 4p>",
    "3p 3 3, 3p 3 3": "<3p 3 3|3p 3 3>",
    "<(4xp,2),(2,4xp)|(4xp,2),(2,4xp)>": "<(4xp,2)(2,4xp)|(4xp,2)(2,4xp)>",
    "(4 2x)*": "(4,2x)*",
    "([44] 2x)(2x [44])": "([44],2x)(2x,[44])",
    "<(4xp 2)|(4xp 2)>*": "<(4xp,2)|(4xp,2)>*",
    # With how many jugglers there are.
    "3P 3 3 for 2": "3p 3 3",
    "4p 2 3 for 2 people": "4p 2 3 for 2",
    "3p 3 | 3p 3 for 2": "<3p 3|3p 3>",
    "<3p 3|3p 3> for 2": "<3p 3|3p 3>",
    "7 8 6 for 2": "786 for 2",
    "popcorn for 2": "popcorn",
    "726 for two": "726 for 2",
    "3p 3 3 for two": "3p 3 3 for 2",
    "3p 3|3p 3 for Two jugglers": "<3p 3|3p 3>",
    "4p 2 3 for three people": "4p 2 3 for 3",
    "531 for 1": "531",
}


@pytest.mark.parametrize("text", SPELLINGS)
def test_passers_may_spell_a_pattern_in_other_ways(text: str) -> None:
    assert throws(text) == throws(SPELLINGS[text])


@pytest.mark.parametrize("text", SPELLINGS)
def test_the_text_of_a_respelled_pattern_is_one_line_that_means_the_same(text: str) -> None:
    pattern = read_settings(text).score.pattern
    assert pattern is not None
    assert "\n" not in pattern.text
    if pattern.hand_siteswap is None:
        assert meaning(read_siteswap(pattern.text)) == meaning(pattern)


@pytest.mark.parametrize(
    ("text", "throw"),
    [
        ("<5pB 3|5pB 3>", "bounces=1"),  # B is also the second juggler
        ("<3p2 3|3p1 3>", "value=3"),
        ("A262", "value=10"),
        ("3P", "value=25"),
        ("7 P 1", "value=25"),
    ],
)
def test_what_is_a_valid_pattern_as_it_stands_is_that(text: str, throw: str) -> None:
    pattern = read_siteswap(text)
    assert throw in str(pattern.throws)
    assert pattern.text == text


@pytest.mark.parametrize(
    "text",
    [
        "5|711",
        "3 | 3",
        "3p 3 3,8",
        "(3p 3,3)",
        "531 vs 441",
        "A: 531\nB: 441",
        "A: 3p 3\nC: 3p 3",
        "A 3p 3\n3p 3",
        "B) 3p 3\nA) 3p 3",
        "B: 3p 3\nA: 3p 3",
        "<3pC 3|3p 3>",
    ],
)
def test_without_a_pass_or_with_an_unknown_juggler_nothing_is_respelled(text: str) -> None:
    with pytest.raises(NotationError):
        read_siteswap(text)


@pytest.mark.parametrize(
    "text",
    [
        "foobar for 2",
        "cascade for two",
        "(4,4) for 2",
        "(4,4) for two",
        "five ball cascade for 3 jugglers",
    ],
)
def test_a_number_of_jugglers_is_never_thrown(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_settings(text)
    assert "average" not in caught.value.reason


def test_a_block_in_a_list_is_one_pattern() -> None:
    lines = [
        "Feed for three",
        "- A: 3pB33pC3",
        "- B: 3pA333",
        "- C: 333pA3",
        "",
        "4px3 | 3p4",
        "4px3 | 3p4 crossing",
    ]
    feed, bare, named = read_text_list("\n".join(lines), "list").patterns
    assert (feed.line, feed.settings and throws(feed.text)) == (
        2,
        throws("<3p2 3 3p3 3|3p1 3 3 3|3 3 3p1 3>"),
    )
    assert throws(bare.text) == throws(named.text) == throws("<4p 3|3p 4>")
    assert named.display == "crossing"


@pytest.mark.parametrize(
    ("line", "text", "name"),
    [
        ("3p 3 3p vs. 4 4p 4p (7 clubs)", "<3p 3 3p|4 4p 4p>", "(7 clubs)"),
        ("4px3 | 3p4 crossing", "<4p 3|3p 4>", "crossing"),
        ("4p3|34p two-count", "<4p 3|3 4p>", "two-count"),
        ("3pB3|3pA3 everies", "<3p 3|3p 3>", "everies"),
        ("(3p, 4x) | 4p3 mixed", "<(3p,4x)|4p 3>", "mixed"),
        ("everies: 3P 3 | 3P 3", "<3p 3|3p 3>", "everies"),
    ],
)
def test_sides_in_a_list_may_have_a_name_beside_them(line: str, text: str, name: str) -> None:
    (entry,) = read_text_list(f"{line}\n", "list").patterns
    assert (throws(entry.text), entry.display) == (throws(text), name)


def test_what_leads_into_a_pattern_is_no_side() -> None:
    (entry,) = read_text_list("5|711 into a high 7", "list").patterns
    assert entry.text == "711"


def test_a_block_may_have_comments_and_empty_lines() -> None:
    block, after = read_text_list(
        "A: 3pB 3  # left\n\n**B:** 3pA 3  # right\n\n531", "list"
    ).patterns
    assert throws(block.text) == throws("<3p 3|3p 3>")
    assert (after.text, after.line) == ("531", 5)


def test_a_wrong_block_is_one_entry_with_the_reason() -> None:
    (entry,) = read_text_list("A: 3pB 3\nB: 3pA 4", "list").patterns
    assert entry.error is not None
    assert "average" in str(entry.error)


def test_lines_that_are_patterns_by_themselves_stay_so() -> None:
    patterns = read_text_list("A: 531\nB: 441\nA: 3p 3 3\nB: 4p 2 3", "list").patterns
    assert [(entry.display, entry.text) for entry in patterns] == [
        ("A", "531"),
        ("B", "441"),
        ("A", "3p 3 3"),
        ("B", "4p 2 3"),
    ]
