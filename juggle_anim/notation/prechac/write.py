"""Writing prechac notation: a line for each juggler, for patterns with divided beats; and a text
for any pattern.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from juggle_anim.errors import JuggleError, PatternError
from juggle_anim.language import _
from juggle_anim.notation.limits import MAX_BEATS, MAX_DECIMALS
from juggle_anim.notation.numbers import decimals
from juggle_anim.notation.prechac.read import read_prechac
from juggle_anim.notation.siteswap.read import read_siteswap
from juggle_anim.notation.siteswap.write import throw_text, write_siteswap
from juggle_anim.pattern import LEFT, Pattern, Throw

_MAX_BEATS_DESCRIBED = 20_000
"""Of more parts of beats, those of all jugglers together, throws are not told one by one."""


def with_own_text(pattern: Pattern) -> Pattern:
    """Return the same throws with a text: a siteswap, prechac notation, or a description."""
    try:
        return (
            read_siteswap(write_siteswap(pattern))
            if pattern.division == 1
            else read_prechac(write_prechac(pattern))
        )
    except PatternError:
        return replace(pattern, text=_description(pattern))


def _description(pattern: Pattern) -> str:
    if pattern.division == 1:
        return f"{len(pattern.throws)} throws in {pattern.period} beats"
    if pattern.period * pattern.jugglers > _MAX_BEATS_DESCRIBED:
        return f"{len(pattern.throws)} throws in {pattern.period}/{pattern.division} beats"
    try:
        return f"{write_siteswap(replace(pattern, division=1))} in 1/{pattern.division} beats"
    except PatternError:
        return f"{len(pattern.throws)} throws in {pattern.period}/{pattern.division} beats"


def write_prechac(pattern: Pattern) -> str:
    """Return a text such as `<4.5p 3 3|3 4 3.5p>`, which `read_prechac` reads as the same.

    Args:
        pattern: any.

    Raises:
        PatternError: the notation does not say this; in it hands take turns on the beats of each
            juggler.
    """
    beats, remainder = divmod(pattern.period, pattern.division)
    thrown: list[list[Throw]] = [[] for _ in range(pattern.jugglers)]
    for throw in pattern.throws:
        thrown[throw.juggler].append(throw)
    begins = [
        min((throw.beat % pattern.division for throw in juggler_throws), default=0)
        for juggler_throws in thrown
    ]
    remainder = remainder or beats > MAX_BEATS
    lines = (
        []
        if remainder
        else [
            _line(pattern, juggler_throws, late, beats)
            for juggler_throws, late in zip(thrown, begins, strict=True)
        ]
    )
    delays = ",".join(decimals(late / pattern.division, MAX_DECIMALS) for late in begins)
    for length in _lengths(lines, beats) if not remainder else ():
        sides = (
            f"<{'|'.join(start + ' '.join(beats_text[:length]) for start, beats_text in lines)}>"
        )
        # Passes say when jugglers begin, unless some do not pass.
        for text in (sides, f"{{{delays}}}{sides}"):
            with suppress(JuggleError):
                read = read_prechac(text)
                if (read.throws, read.period, read.division) == (
                    pattern.throws,
                    pattern.period,
                    pattern.division,
                ):
                    return text
    raise PatternError(
        _("no text in prechac notation stands for these {count} throws", count=len(pattern.throws))
    )


def _lengths(lines: list[tuple[str, list[str]]], beats: int) -> list[int]:
    """Return beats that repeat to the whole: the fewest, the half with swaps, and all."""
    divisors = [length for length in range(1, beats) if beats % length == 0]
    repeating = [
        length
        for length in divisors
        if all(beats_text[length:] == beats_text[:-length] for _, beats_text in lines)
    ]
    return [
        *sorted({length for length in repeating if length == repeating[0] or 2 * length == beats}),
        beats,
    ]


def _line(
    pattern: Pattern, juggler_throws: list[Throw], begins: int, beats: int
) -> tuple[str, list[str]]:
    """The letter of a juggler who begins with the left hand, and what is thrown on each beat.

    Args:
        pattern: of all.
        mine: the throws of the juggler.
        begins: the parts of a beat by which they are late.
        beats: how many there are.
    """
    slots: list[list[str]] = [[] for _ in range(beats)]
    for throw in juggler_throws:
        slots[(throw.beat - begins) // pattern.division].append(_throw(throw, pattern))
    texts_of_beats = [
        f"[{' '.join(texts)}]" if len(texts) > 1 else "".join(texts) or "0" for texts in slots
    ]
    # Hands take turns, so the hand of the first throw says which one begins.
    left = bool(juggler_throws) and (juggler_throws[0].hand == LEFT) == (
        (juggler_throws[0].beat - begins) // pattern.division % 2 == 0
    )
    return "L " if left else "", texts_of_beats


def _throw(throw: Throw, pattern: Pattern) -> str:
    """Write a throw without an x, since whose turn it is catches; values may be fractions."""
    flags = throw_text(throw._replace(value=0), pattern.jugglers)[1:].replace("x", "")
    return decimals(throw.value / pattern.division, MAX_DECIMALS) + flags
