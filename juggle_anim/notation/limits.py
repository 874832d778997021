"""Limits of what is read: a hostile text or file ends in an error message, not in lost memory.

Numbers in texts: whole numbers of any length, mixed fractions such as 2⅔, and decimals without
needless digits.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

MAX_LENGTH = 5_000  # characters in a pattern
MAX_VALUE = 1_000  # beats of one throw
MAX_BEATS = 2_000  # beats of a pattern as written, repeats written out
MAX_THROWS = 10_000  # throws of a pattern as written, repeats written out
MAX_PROPS = 5_000  # props in the air and in the hands
MAX_NESTING = 20  # brackets within brackets
MAX_JUGGLERS = 1_000  # sides of a passing pattern
MAX_BOUNCES = 20  # bounces of one throw
MAX_WILDCARDS = 12  # throws left open with a `?`
MAX_WILDCARD_VALUE = 35  # what a `?` may become: the throws that one character writes
# Choices tried to complete a pattern, for a fraction of a second. As many single throws as may be
# open take 50,000.
MAX_COMPLETION_STEPS = 400_000
# Bytes of a file of patterns; the largest that people share hold a fiftieth of it.
MAX_FILE_SIZE = 10_000_000
MAX_LINES = 20_000  # lines of a plain text list
# Cost of reading a list, in about microseconds, beyond that of usual lines: 300,000 throws in few
# lines.
MAX_LIST_WORK = 1_500_000
# Measured time, [µs], beyond that of usual lines; it catches estimates that are too low.
MAX_LIST_TIME = 10_000_000
# characters in a line of a plain text list: the longest settings, and words beside them
MAX_LINE_LENGTH = 250_000
MAX_JSON_LIST_CHARACTERS = 10_000_000  # of a list in JSON
# Objects, lists and texts in it; 20,000 patterns and the same number of lists around them.
MAX_JSON_VALUES = 40_000
# Beats after which the objects and the hands of a hand siteswap begin together again.
MAX_LOOP = 10_000
MAX_LOOP_THROWS = 20_000  # throws until then
MAX_HANDSPEC = 20_000  # characters that say whose hands the hands of a hand siteswap are
MAX_SETTINGS_LENGTH = 200_000  # characters in a settings string
MAX_MOVES = 20_000  # points, dots and signs in the moves of hands or bodies, repeats written out
MAX_DISTANCE = 100_000.0  # of a hand or a body, [cm], and its turn, [degrees]
MAX_CATCHES = 100  # catches of a hand that are listed, until they begin again
MAX_COLOURS = 10_000  # colours of props, repeats written out
MAX_DIVISION = 100  # parts of a beat, where jugglers throw between each other's beats
MAX_DECIMALS = 6  # digits after the point of a pass
# Digits before the point of a throw in prechac notation; so `333`, where spaces were forgotten, is
# found.
MAX_WRITTEN_DIGITS = 2
# Up to how many jugglers are tried where a text does not say how many there are.
MAX_INFERRED_JUGGLERS = 7
# Places looked at to find out who passes to whom, for a fraction of a second.
MAX_MATCHING_STEPS = 100_000

# Throws of parts of beats for one juggler
MAX_RHYTHM_STEPS = 2_000  # moments tried to find out when hands throw, for a fraction of a second

# JML files
MAX_JML_CHARACTERS = 10_000_000  # of a file; the largest that people share hold a fiftieth of it
MAX_XML_DEPTH = 12  # elements within elements; JML needs six
MAX_XML_ELEMENTS = 60_000  # of a file, and declarations of a document type
MAX_XML_ATTRIBUTES = 300_000  # of a file
MAX_XML_TAG = 1_000_000  # bytes of a tag or a comment; a permutation has a tenth of it
MAX_JML_NUMBER = 1e7  # of a time, a place or an angle, in the units of the file
MIN_DELAY = 1e-4  # the shortest loop, [s]
MAX_JML_EVENTS = 20_000  # of one loop, all symmetries applied; also places of bodies
MAX_JML_ATTRIBUTE = 100_000  # characters of a permutation, or of a mod
MAX_SYMMETRY_WORK = 4_000_000  # paths × events that the symmetries of a pattern make
MAX_SYMMETRY_STEPS = 10_000  # parts into which symmetries divide a loop
MAX_SYMMETRY_ORDER = 12  # parts into which a symmetry that is wanted divides a loop
MAX_PERMUTATIONS = 200  # permutations of jugglers tried for one kind of symmetry
MAX_PLACES_MOVED = 12  # by how many places all jugglers move in those that are tried
MAX_FREE_JUGGLERS = 5  # up to this number of jugglers, all permutations of jugglers are tried

# JoePass! files
MAX_JOEPASS_CHARACTERS = 200_000  # of a file, and of the texts that it puts for words
MAX_REPLACED_WORDS = 100  # words that it replaces

# JIF files
MAX_JIF_CHARACTERS = 3_000_000  # characters; ten thousand throws written out take half of it
MAX_PERIOD = 100_000  # beats of the loop, or parts of beats where throws are made between them
MAX_STRETCH = 1_000  # how much faster or slower the beats of a file may go than a juggler's
MAX_JIF_DISTANCE = 990.0  # from the middle to a juggler, or to what one looks at, [m]
MAX_TAGS = 1_000  # tags of a score


_GLYPHS = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾"}

NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
"""Numbers that are written out, in order from 0."""


class Digits(NamedTuple):
    """Number of decimals with which numbers are written.

    Attributes:
        time: decimals of a time in seconds.
        loop: decimals of a loop's duration in seconds; a long flight spans many loops.
        place: decimals of a position in centimetres.
        angle: decimals of an angle in degrees.
    """

    time: int
    loop: int
    place: int
    angle: int


USUAL = Digits(time=7, loop=9, place=5, angle=7)
"""Decimals for files that all programs read: a tenth of a microsecond, a tenth of a micrometre."""

EXACT = Digits(time=13, loop=14, place=12, angle=12)
"""Decimals where joints are to be the same again: elbows amplify what is rounded, here and there a
million times.
"""


def whole_number(digits: str, limit: int) -> int | None:
    """Return the number that digits stand for; None if it is above the limit.

    Args:
        digits: one or more of 0 to 9.
        limit: the greatest number that is returned.
    """
    significant = digits.lstrip("0") or "0"  # leading zeros do not count
    # By its length first, since Python does not turn thousands of digits into an int.
    if len(significant) > len(str(limit)) or int(significant) > limit:
        return None
    return int(significant)


def mixed_number(number: Fraction) -> str:
    """Return the text of a number that is not negative, such as 3, 2⅔ or 3 4/11."""
    whole, remainder = divmod(number.numerator, number.denominator)
    if not remainder:
        return str(whole)
    if glyph := _GLYPHS.get((remainder, number.denominator)):
        return f"{whole or ''}{glyph}"
    return f"{whole or ''} {remainder}/{number.denominator}".strip()


def decimals(value: float, digits: int) -> str:
    """Return the text of a number with at most `digits` decimals, without trailing zeros."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
