"""Writing prechac notation: a line for each juggler, for patterns with divided beats; and a text
for any pattern.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from juggle_anim.errors import JuggleError, PatternError
from juggle_anim.language import _
from juggle_anim.notation.limits import MAX_BEATS, MAX_DECIMALS, decimals
from juggle_anim.notation.prechac.read import read_prechac
from juggle_anim.notation.siteswap import read_siteswap, throw_text, write_siteswap
from juggle_anim.pattern import LEFT, Pattern, Throw, hand_text, repeat_length

_MAX_BEATS_DESCRIBED = 20_000
"""Of more parts of beats, those of all jugglers together, throws are not told one by one."""


def with_own_text(pattern: Pattern) -> Pattern:
    """Return the same pattern with a new text: a siteswap, prechac notation, or else a description.

    The throws are those read back from the text; a description cannot be read.

    Args:
        pattern: the pattern whose text is replaced.
    """
    try:
        return (
            read_siteswap(write_siteswap(pattern))
            if pattern.division == 1
            else read_prechac(write_prechac(pattern))
        )
    except PatternError:
        return replace(pattern, text=_description(pattern))


def _description(pattern: Pattern) -> str:
    """Return words for a pattern that no notation can express."""
    if pattern.division == 1:
        return f"{len(pattern.throws)} throws in {pattern.period} beats"
    if pattern.period * pattern.jugglers > _MAX_BEATS_DESCRIBED:
        return f"{len(pattern.throws)} throws in {pattern.period}/{pattern.division} beats"
    try:
        return f"{write_siteswap(replace(pattern, division=1))} in 1/{pattern.division} beats"
    except PatternError:
        return f"{len(pattern.throws)} throws in {pattern.period}/{pattern.division} beats"


def write_prechac(pattern: Pattern) -> str:
    """Write a pattern such as `<4.5p 3 3|3 4 3.5p>`, which `read_prechac` reads as the same.

    Args:
        pattern: its beats may be divided; times in it count the parts.

    Raises:
        PatternError: the notation cannot express the pattern; in it hands take turns on the beats
            of each juggler.
    """
    refusal = PatternError(
        _("these {count} throws cannot be written in prechac notation", count=len(pattern.throws))
    )
    # A pattern can be written only if its period is a whole number of beats, and not too long.
    beats, remainder = divmod(pattern.period, pattern.division)
    if remainder or beats > MAX_BEATS:
        raise refusal
    throws_of_juggler: list[list[Throw]] = [[] for _ in range(pattern.jugglers)]
    for throw in pattern.throws:
        throws_of_juggler[throw.juggler].append(throw)
    # The delay of each juggler in parts of a beat, from its first throw. If other throws of a
    # juggler have another delay, the text will read as another pattern below.
    late_parts = [
        min((throw.beat % pattern.division for throw in juggler_throws), default=0)
        for juggler_throws in throws_of_juggler
    ]
    lines = [
        _line(pattern, juggler_throws, late, beats)
        for juggler_throws, late in zip(throws_of_juggler, late_parts, strict=True)
    ]
    delays = ",".join(decimals(late / pattern.division, MAX_DECIMALS) for late in late_parts)
    # The shortest text that is read back as the same pattern.
    expected = pattern.throws, pattern.period, pattern.division
    for length in _lengths(lines, beats):
        written_lines = [start + " ".join(beats_text[:length]) for start, beats_text in lines]
        sides = f"<{'|'.join(written_lines)}>"
        # Start times follow from the values of passes; delays are needed if some jugglers do not
        # pass.
        for text in (sides, f"{{{delays}}}{sides}"):
            with suppress(JuggleError):
                read = read_prechac(text)
                if (read.throws, read.period, read.division) == expected:
                    return text
    raise refusal


def _lengths(lines: list[tuple[str, list[str]]], beats: int) -> list[int]:
    """Return numbers of beats whose text, repeated, gives all beats of the lines; ascending.

    They are the fewest such beats, half of all beats if these repeat, and all beats. A reader
    repeats a text until the hands are the same again, twice if its length is odd; so the shortest
    text may be read with another period, and a longer one be needed.

    Args:
        lines: for each juggler the first hand, and a text for each beat.
        beats: the beats of each line.
    """
    shortest = repeat_length(list(zip(*(texts for _hand, texts in lines), strict=True)))
    lengths = {shortest, beats}
    # Half of the beats repeat if they are the shortest ones once or several times.
    if beats % (2 * shortest) == 0:
        lengths.add(beats // 2)
    return sorted(lengths)


def _line(
    pattern: Pattern, juggler_throws: list[Throw], late_parts: int, beats: int
) -> tuple[str, list[str]]:
    """Return the line of a juggler: "L " if the left hand begins, and a text for each beat.

    Args:
        pattern: the pattern of all jugglers. `division` parts make a beat; its times are in these
            parts.
        juggler_throws: throws of this juggler, by time.
        late_parts: delay of the juggler, [parts of a beat].
        beats: number of beats of the period.
    """

    def own_beat(throw: Throw) -> int:
        """Return the beat of a throw on the juggler's own line, which begins after the delay."""
        return (throw.beat - late_parts) // pattern.division

    texts_by_beat: list[list[str]] = [[] for _ in range(beats)]
    for throw in juggler_throws:
        texts_by_beat[own_beat(throw)].append(_throw(throw, pattern))
    prefix = ""
    if juggler_throws:
        # Hands take turns, so the hand of the first throw says which one begins.
        first = juggler_throws[0]
        is_on_even_beat = own_beat(first) % 2 == 0
        prefix = "L " if (first.hand == LEFT) == is_on_even_beat else ""
    return prefix, [hand_text(texts, " ") for texts in texts_by_beat]


def _throw(throw: Throw, pattern: Pattern) -> str:
    """Write a throw without an x, since whose turn it is catches; values may be fractions."""
    flags = throw_text(throw._replace(value=0), pattern.jugglers)[1:].replace("x", "")
    return decimals(throw.value / pattern.division, MAX_DECIMALS) + flags
