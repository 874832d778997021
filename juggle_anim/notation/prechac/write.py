"""Writing prechac notation: a line for each juggler, for patterns with divided beats."""

from __future__ import annotations

from contextlib import suppress

from juggle_anim.errors import JuggleError, PatternError
from juggle_anim.notation.limits import MAX_BEATS, MAX_DECIMALS
from juggle_anim.notation.numbers import decimals
from juggle_anim.notation.prechac.read import read_prechac
from juggle_anim.notation.siteswap.write import throw_text
from juggle_anim.pattern import LEFT, Pattern, Throw


def write_prechac(pattern: Pattern) -> str:
    """A text in prechac notation, such as `<4.5p 3 3|3 4 3.5p>`, of which `read_prechac` makes the same throws.

    Args:
        pattern: any.

    Raises:
        PatternError: the notation does not say this; in it hands take turns on the beats of each juggler.
    """
    beats, rest = divmod(pattern.period, pattern.division)
    lines = [] if rest or beats > MAX_BEATS else [_line(pattern, juggler, beats) for juggler in range(pattern.jugglers)]
    for length in _lengths(lines, beats) if lines else ():
        sides = f"<{'|'.join(start + ' '.join(words[:length]) for start, words in lines)}>"
        # Passes say when jugglers begin, unless some do not pass.
        for text in (sides, f"{{{_delays(pattern)}}}{sides}"):
            with suppress(JuggleError):
                read = read_prechac(text)
                if (read.throws, read.period, read.division) == (pattern.throws, pattern.period, pattern.division):
                    return text
    raise PatternError(f"no text in prechac notation stands for these {len(pattern.throws)} throws")


def _lengths(lines: list[tuple[str, list[str]]], beats: int) -> list[int]:
    """Beats that repeat to the whole: the fewest, the half, which may swap hands, and the whole itself."""
    divisors = [length for length in range(1, beats) if beats % length == 0]
    repeating = [length for length in divisors if all(words[length:] == words[:-length] for _, words in lines)]
    return [*sorted({length for length in repeating if length == repeating[0] or 2 * length == beats}), beats]


def _line(pattern: Pattern, juggler: int, beats: int) -> tuple[str, list[str]]:
    """The letter of a juggler who begins with the left hand, and what is thrown on each beat.

    The juggler begins within the first beat of the pattern.
    """
    mine = [throw for throw in pattern.throws if throw.juggler == juggler]
    begins = _begins(pattern, juggler)
    slots: list[list[str]] = [[] for _ in range(beats)]
    for throw in mine:
        slots[(throw.beat - begins) // pattern.division].append(_throw(throw, pattern))
    words = [f"[{' '.join(texts)}]" if len(texts) > 1 else "".join(texts) or "0" for texts in slots]
    # Hands take turns, so the hand of the first throw says which one begins.
    left = bool(mine) and (mine[0].hand == LEFT) == ((mine[0].beat - begins) // pattern.division % 2 == 0)
    return "L " if left else "", words


def _begins(pattern: Pattern, juggler: int) -> int:
    """The parts of a beat by which the throws of a juggler are late."""
    return min((throw.beat % pattern.division for throw in pattern.throws if throw.juggler == juggler), default=0)


def _delays(pattern: Pattern) -> str:
    begins = [_begins(pattern, juggler) / pattern.division for juggler in range(pattern.jugglers)]
    return ",".join(decimals(beats, MAX_DECIMALS) for beats in begins)


def _throw(throw: Throw, pattern: Pattern) -> str:
    """A throw as in a siteswap, but its value may have a fraction; whose turn it is catches, so no x is said."""
    whole = throw_text(throw._replace(value=0), pattern.jugglers)[1:].replace("x", "")
    return decimals(throw.value / pattern.division, MAX_DECIMALS) + whole
