"""The score: what is to be juggled, as a text or a file says it, before any parameter is chosen."""

from __future__ import annotations

from dataclasses import dataclass, field

from juggle_anim.choreography.choreography import Choreography
from juggle_anim.choreography.staging import Staging
from juggle_anim.pattern import Pattern


@dataclass(frozen=True)
class Score:
    """What is to be juggled: throws on beats with their staging, or events that already have times and places.

    Exactly one of `pattern` and `placed` is there.

    Args:
        pattern: throws on beats.
        placed: events, where a file holds them.
        staging: of the pattern.
        title: what it is called; empty where nobody named it.
        about: a description in words.
        tags: words to find it by.
        base: the pattern from which placed events were made, as the file says: the name of its notation, and its text.
    """

    pattern: Pattern | None = None
    placed: Choreography | None = None
    staging: Staging = field(default_factory=Staging)
    title: str = ""
    about: str = ""
    tags: tuple[str, ...] = ()
    base: tuple[str, str] | None = None

    @property
    def jugglers(self) -> int:
        """Number of jugglers."""
        return self._source.jugglers

    @property
    def props(self) -> int:
        """Number of props."""
        return self._source.props

    @property
    def name(self) -> str:
        """Its title, or what else tells it from others."""
        return self.title or (self.pattern.text if self.pattern else self.base[1] if self.base else "untitled")

    @property
    def _source(self) -> Pattern | Choreography:
        source = self.pattern or self.placed
        assert source is not None, "a score has a pattern or placed events"
        return source
