"""The beat text: a pattern's throws as text, and which part of it is thrown on which beat."""

from __future__ import annotations

import re
from dataclasses import dataclass

from juggle_anim.errors import NotationError
from juggle_anim.notation.parser import parse
from juggle_anim.notation.placement import place
from juggle_anim.notation.write_siteswap import throw_text
from juggle_anim.pattern import Pattern, Throw

Span = tuple[int, int]
"""First character of a part of the text, and the one after its last."""


@dataclass(frozen=True)
class BeatText:
    """Throws as text.

    Args:
        text: as it was typed, or throw by throw where that says something else.
        spans: for each beat of the period, the parts that are thrown on it; as in a multiplex, there may be several.
    """

    text: str
    spans: tuple[tuple[Span, ...], ...]


def beat_text(pattern: Pattern) -> BeatText:
    """The text of a pattern with its beats."""
    return _as_typed(pattern) or _throw_by_throw(pattern)


def beat_at(pattern: Pattern, time: float, bps: float) -> int:
    """The beat of the period that was thrown last.

    Args:
        pattern: whose beats are counted, or their parts.
        time: [s] of the pattern's own time.
        bps: beats a second.
    """
    # A throw at the very moment is thrown, however the time was rounded.
    return int((time * bps * pattern.division + 1e-6) // 1) % pattern.period


def _as_typed(pattern: Pattern) -> BeatText | None:
    """Spans in what was typed; None where that is no siteswap that makes these throws."""
    try:
        placement = place(pattern.text, parse(pattern.text))
    except NotationError:
        return None
    # Throws of hands that have a siteswap of their own go elsewhere, but have the values that were typed.
    site = _beat_and_value if pattern.hand_siteswap else _site
    laps = range(pattern.period // placement.written_period if pattern.hand_siteswap else 1)
    placed = [
        (throw._replace(beat=throw.beat + lap * placement.written_period), start)
        for lap in laps
        for throw, start in placement.throws
        if throw.beat < placement.written_period or len(laps) == 1
    ]
    if pattern.division > 1 or sorted(site(throw) for throw, _ in placed) != sorted(map(site, pattern.throws)):
        return None
    spans: list[set[Span]] = [set() for _ in range(pattern.period)]
    for throw, start in placed:
        spans[throw.beat].add((start, _end(pattern, start)))
    return BeatText(pattern.text, _lasting(pattern, [tuple(sorted(beat)) for beat in spans]))


def _lasting(pattern: Pattern, spans: list[tuple[Span, ...]]) -> tuple[tuple[Span, ...], ...]:
    """Spans that stay on beats for which nothing is written, as after a pair."""
    turns = {turn[0] for turn in pattern.turns}
    for beat in range(1, len(spans)):
        if beat not in turns:
            spans[beat] = spans[beat - 1]
    return tuple(spans)


def _throw_by_throw(pattern: Pattern) -> BeatText:
    """The throws of all beats with any, one after another, up to where they repeat."""
    words = [_word(pattern, beat) for beat in range(pattern.period)]
    whole = len(words)
    repeat = next(n for n in range(1, whole + 1) if whole % n == 0 and words == words[:n] * (whole // n))
    text, spans = "", list[tuple[Span, ...]]()
    for word in words[:repeat]:
        text += f" {word}" if text and word else word
        spans.append(((len(text) - len(word), len(text)),) if word else ())
    return BeatText(text, _lasting(pattern, spans * (whole // repeat)))


def _word(pattern: Pattern, beat: int) -> str:
    """What is thrown on a beat: `5`, `[34]` from one hand, `3p|3` from several."""
    hands: dict[tuple[int, int], list[str]] = {}
    for throw in pattern.throws:
        if throw.beat == beat:
            hands.setdefault((throw.juggler, throw.hand), []).append(throw_text(throw, pattern.jugglers))
    return "|".join(f"[{' '.join(texts)}]" if len(texts) > 1 else texts[0] for texts in hands.values())


def _end(pattern: Pattern, start: int) -> int:
    match = (_OF_ONE if pattern.jugglers == 1 else _OF_SEVERAL).match(pattern.text, start)
    return match.end() if match else start + 1


def _beat_and_value(throw: Throw) -> tuple[int, int]:
    return throw.beat, throw.value


def _site(throw: Throw) -> tuple[int, int, int, int]:
    return throw.beat, throw.juggler, throw.hand, throw.value


# A value, then flags and a modifier, as in the grammar; a pass may name its receiver.
_MODIFIER = r"(?:B+(?:H[FL]?|[FL]H?)?|[FHT])?"
_OF_ONE = re.compile(rf"(?:\{{\d+\}}|\S)x?{_MODIFIER}")
_OF_SEVERAL = re.compile(rf"(?:\{{\d+\}}|\S)(?:x|p\d*)*{_MODIFIER}")
