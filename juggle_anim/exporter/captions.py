"""Captions: what is juggled, as text, with the throws of the present beat marked."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.notation.beat_text import BeatText, Span, beat_at, beat_text

_SAME = 1e-6  # [s]


@dataclass(frozen=True)
class Caption:
    """What is said at a time.

    Args:
        text: the throws, a line of a routine, or a name.
        lit: the parts of it that are thrown on this beat.
        title: the name of the pattern; empty where it has none but its throws.
        is_throws: whether the text is throws, whose letters stand apart.
    """

    text: str
    lit: tuple[Span, ...] = ()
    title: str = ""
    is_throws: bool = False

    @property
    def parts(self) -> list[tuple[str, bool]]:
        """The text in pieces, each with whether it is lit."""
        cuts = [0, *(cut for span in self.lit for cut in span), len(self.text)]
        pieces = itertools.pairwise(cuts)
        return [(self.text[a:b], bool(number % 2)) for number, (a, b) in enumerate(pieces) if a < b]


@dataclass(frozen=True)
class Captions:
    """The captions of an animation."""

    animation: Animation

    def at(self, time: float) -> Caption:
        """The caption at a time of the pattern, [s]."""
        score = self.animation.score
        if score.pattern:
            beat = beat_at(score.pattern, time, self.animation.choreography.bps)
            return Caption(self.text.text, self.text.spans[beat], self._title, True)
        if score.routine:
            now = time % self.animation.duration + _SAME
            first, *others = (line for line in score.routine.lines if line.number)
            return Caption([first, *(line for line in others if line.begins <= now)][-1].text.strip())
        return Caption(self.animation.title)

    def changes(self, first: float, last: float) -> Iterator[float]:
        """Times of the pattern at which the caption may change, after the first and before the last, ascending, [s]."""
        score, animation = self.animation.score, self.animation
        if score.pattern:
            period, within = 1 / (animation.choreography.bps * score.pattern.division), [0.0]
        elif score.routine:
            period = animation.duration
            within = sorted({0.0, *(line.begins % period for line in score.routine.lines if line.number)})
        else:
            return
        for round_ in range(int(np.floor(first / period)), int(np.ceil(last / period)) + 1):
            yield from (time for each in within if first + _SAME < (time := round_ * period + each) < last - _SAME)

    @cached_property
    def text(self) -> BeatText:
        """The throws, if they are on beats."""
        assert self.animation.pattern
        return beat_text(self.animation.pattern)

    @property
    def _title(self) -> str:
        title = self.animation.score.title
        return "" if title == self.text.text else title
