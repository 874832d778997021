"""The text of a pattern with the parts of it that are thrown on each beat, and which beat it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import attrgetter

from juggle_anim.errors import NotationError
from juggle_anim.notation.siteswap.parser import parse
from juggle_anim.notation.siteswap.syntax import place_throws
from juggle_anim.notation.siteswap.write import throw_text
from juggle_anim.pattern import Pattern

Span = tuple[int, int]
"""First character of a part of the text, and the one after its last."""

# A value, then flags and a modifier, as in the grammar; a pass may name its receiver.
_MODIFIER = r"(?:B+(?:H[FL]?|[FL]H?)?|[FHT])?"
_SOLO_THROW = re.compile(rf"(?:\{{\d+\}}|\S)x?{_MODIFIER}")
_PASSING_THROW = re.compile(rf"(?:\{{\d+\}}|\S)(?:x|p\d*)*{_MODIFIER}")


@dataclass(frozen=True)
class BeatText:
    """Throws as text.

    Args:
        text: as typed, or throw by throw if what was typed is not a siteswap of these throws.
        spans: for each beat of the period, the parts of the text that are thrown on it.
    """

    text: str
    spans: tuple[tuple[Span, ...], ...]

    def until(self, beat: int) -> BeatText:
        """Return the text of what is thrown before a beat."""
        ends = [end for spans in self.spans[:beat] for _, end in spans]
        return BeatText(
            self.text[: max(ends, default=0)], (*self.spans[:beat], *((),) * len(self.spans[beat:]))
        )


def beat_text(pattern: Pattern) -> BeatText:
    """Return the text of a pattern with the spans of its beats."""
    return _as_typed(pattern) or _throw_by_throw(pattern)


def beat_at(pattern: Pattern, time: float, bps: float) -> int:
    """Return the beat of the period that was thrown last.

    Args:
        pattern: with the beats, or parts of beats.
        time: [s] of the pattern's own time.
        bps: beats a second.
    """
    # A throw at exactly this time counts, despite rounding.
    return int((time * bps * pattern.division + 1e-6) // 1) % pattern.period


def _as_typed(pattern: Pattern) -> BeatText | None:
    """Find the spans in the typed text; None if it is not a siteswap of these throws."""
    try:
        placement = place_throws(pattern.text, parse(pattern.text))
    except NotationError:
        return None
    # A hand siteswap changes the hands of throws, but not their values.
    names = ("beat", "value") if pattern.hand_siteswap else ("beat", "juggler", "hand", "value")
    site = attrgetter(*names)
    laps = range(pattern.period // placement.written_period if pattern.hand_siteswap else 1)
    placed = [
        (throw._replace(beat=throw.beat + lap * placement.written_period), start)
        for lap in laps
        for throw, start in placement.throws
        if throw.beat < placement.written_period or len(laps) == 1
    ]
    if pattern.division > 1 or sorted(site(throw) for throw, _ in placed) != sorted(
        map(site, pattern.throws)
    ):
        return None
    spans: list[set[Span]] = [set() for _ in range(pattern.period)]
    for throw, start in placed:
        spans[throw.beat].add((start, _end(pattern, start)))
    return BeatText(
        pattern.text, _fill_empty_beats(pattern, [tuple(sorted(beat)) for beat in spans])
    )


def _fill_empty_beats(
    pattern: Pattern, spans: list[tuple[Span, ...]]
) -> tuple[tuple[Span, ...], ...]:
    """Repeat the last span on beats without text of their own, as after a synchronous pair."""
    turns = {turn[0] for turn in pattern.turns}
    for beat in range(1, len(spans)):
        if beat not in turns:
            spans[beat] = spans[beat - 1]
    return tuple(spans)


def _throw_by_throw(pattern: Pattern) -> BeatText:
    """Write the throws beat by beat, once if they repeat."""
    words = [_beat_word(pattern, beat) for beat in range(pattern.period)]
    beats = len(words)
    period = next(
        n for n in range(1, beats + 1) if beats % n == 0 and words == words[:n] * (beats // n)
    )
    text = ""
    spans: list[tuple[Span, ...]] = []
    for word in words[:period]:
        text += f" {word}" if text and word else word
        spans.append(((len(text) - len(word), len(text)),) if word else ())
    return BeatText(text, _fill_empty_beats(pattern, spans * (beats // period)))


def _beat_word(pattern: Pattern, beat: int) -> str:
    """Write the throws of a beat: `5`, `[34]` from one hand, `3p|3` from several."""
    hands: dict[tuple[int, int], list[str]] = {}
    for throw in pattern.throws:
        if throw.beat == beat:
            hands.setdefault((throw.juggler, throw.hand), []).append(
                throw_text(throw, pattern.jugglers)
            )
    return "|".join(
        f"[{' '.join(texts)}]" if len(texts) > 1 else texts[0] for texts in hands.values()
    )


def _end(pattern: Pattern, start: int) -> int:
    """Return the index behind the throw that begins at an index of a pattern's text."""
    match = (_SOLO_THROW if pattern.jugglers == 1 else _PASSING_THROW).match(pattern.text, start)
    return match.end() if match else start + 1
