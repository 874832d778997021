"""The text of a pattern with the parts of it that are thrown on each beat, and which beat it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter

from juggle_anim.errors import NotationError
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.siteswap import (
    PlacedThrow,
    Placement,
    parse,
    place_throws,
    throw_text,
)
from juggle_anim.pattern import Pattern, grouped, hand_text, repeat_length

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
        text: the text as typed, or throw by throw if what was typed is not a siteswap of these
            throws.
        spans: for each beat of the period, the parts of the text that are thrown on it.
    """

    text: str
    spans: tuple[tuple[Span, ...], ...]

    def until(self, beat: int) -> BeatText:
        """Return the text cut off behind the throws before a beat; later beats have no spans."""
        ends = [end for spans in self.spans[:beat] for _start, end in spans]
        empty_beats = ((),) * len(self.spans[beat:])
        return BeatText(self.text[: max(ends, default=0)], (*self.spans[:beat], *empty_beats))


def beat_text(pattern: Pattern) -> BeatText:
    """Return the text of a pattern with the spans of its beats."""
    return _typed_text(pattern) or _throw_by_throw(pattern)


def beat_at(pattern: Pattern, time: float, bps: float) -> int:
    """Return the beat of the period that was thrown last.

    Args:
        pattern: the pattern with the beats, or parts of beats.
        time: [s] of the pattern's own time.
        bps: beats a second.
    """
    # A throw at exactly this time counts, despite rounding.
    return int((time * bps * pattern.division + 1e-6) // 1) % pattern.period


def _typed_text(pattern: Pattern) -> BeatText | None:
    """Return the text as the user typed it, with the places where the throws of each beat stand.

    Returns:
        The text with the spans (start, end) of the throws by beat, as indices of its characters;
        None if the text is not a siteswap of the pattern's throws: a name, or a text whose throws
        have been edited since.
    """
    try:
        placement = place_throws(pattern.text, parse(pattern.text))
    except NotationError:
        return None

    # A siteswap has whole beats, so a pattern with divided ones was typed in another notation.
    if pattern.division > 1:
        return None

    # All throws of the pattern's period, each with the index in the text where it starts.
    placed: Sequence[PlacedThrow] = placement.throws
    compared_names = ["beat", "value", "juggler", "hand"]
    if pattern.hand_siteswap:
        placed = _repeated(placement, pattern.period)
        # With a hand siteswap other hands throw than in the text by itself.
        compared_names = ["beat", "value"]

    # The throws that are written must be those of the pattern.
    compared_fields = attrgetter(*compared_names)
    written_throws = sorted(compared_fields(throw) for throw, _start in placed)
    if written_throws != sorted(map(compared_fields, pattern.throws)):
        return None

    # Sets of spans by beat, since a throw that is written once may stand for several on a beat.
    spans: list[set[Span]] = [set() for _beat in range(pattern.period)]
    for throw, start in placed:
        spans[throw.beat].add((start, _end_of_throw(pattern, start)))
    return BeatText(
        pattern.text,
        _fill_empty_beats(pattern, [tuple(sorted(beat_spans)) for beat_spans in spans]),
    )


def _repeated(placement: Placement, period: int) -> list[PlacedThrow]:
    """Return the written throws, repeated until the hands of their hand siteswap repeat as well.

    Args:
        placement: the throws of the text. Those after the written period, which repeat it with
            swapped hands, are left out, since the hand siteswap decides about hands.
        period: beats of the result, a multiple of the written period.
    """
    written_period = placement.written_period
    return [
        PlacedThrow(throw._replace(beat=first_beat + throw.beat), start)
        for first_beat in range(0, period, written_period)
        for throw, start in placement.throws
        if throw.beat < written_period
    ]


def _fill_empty_beats(
    pattern: Pattern, spans: Sequence[tuple[Span, ...]]
) -> tuple[tuple[Span, ...], ...]:
    """Return spans in which beats on which no hand has a turn have those of the beat before them.

    Such a beat is the second one of a synchronous pair, for which nothing is written.

    Args:
        pattern: the pattern; its turns are the beats on which a hand throws or could throw.
        spans: by beat, the parts of the text that are thrown on it.
    """
    beats_with_turns = {beat for beat, _juggler, _hand in pattern.turns}
    filled = list(spans)
    for beat in range(1, len(filled)):
        if beat not in beats_with_turns:
            filled[beat] = filled[beat - 1]
    return tuple(filled)


def _throw_by_throw(pattern: Pattern) -> BeatText:
    """Write a pattern as a word for each beat, with blanks between: `5 [34] 2`.

    Words that repeat within the period are written once; later beats share their spans.
    """
    words = [_beat_word(pattern, beat) for beat in range(pattern.period)]

    written_words = words[: repeat_length(words)]
    text = ""
    spans: list[tuple[Span, ...]] = []
    for word in written_words:
        # Nothing is thrown on a beat with an empty word, so it takes no blank either.
        text += f" {word}" if text and word else word
        spans.append(((len(text) - len(word), len(text)),) if word else ())
    repeats = len(words) // len(written_words)
    return BeatText(text, _fill_empty_beats(pattern, spans * repeats))


def _beat_word(pattern: Pattern, beat: int) -> str:
    """Write the throws of a beat: `5`, `[34]` from one hand, `3p|3` from several.

    Empty if nothing is thrown.

    Args:
        pattern: throws on beats, by jugglers and hands.
        beat: the beat of its period, from 0.
    """
    texts_by_hand = grouped(
        ((throw.juggler, throw.hand), throw_text(throw, pattern.jugglers))
        for throw in pattern.throws
        if throw.beat == beat
    )
    # Brackets mark a multiplex, several props from one hand.
    return "|".join(hand_text(texts, " ") for texts in texts_by_hand.values())


def _end_of_throw(pattern: Pattern, start: int) -> int:
    """Return the index behind the throw that begins at an index of a pattern's text."""
    match = (_SOLO_THROW if pattern.jugglers == 1 else _PASSING_THROW).match(pattern.text, start)
    return match.end() if match else start + 1
