"""The score: what is to be juggled, as a text or a file says it, before any parameter is chosen.

MERGED: Staging: what a text says of a performance besides the throws and the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from juggle_anim.choreography.choreography import Choreography
from juggle_anim.pattern import Pattern

Point = tuple[float, float, float]
"""Outward (to the hand's own side), up and forward of the middle between the hands, [m]."""

Catches = tuple[tuple[str, ...], tuple[str, ...]]
"""How left and how right hands catch: "palm", "claw" or "penguin", each list taken in turn by the catches of a hand."""


@dataclass(frozen=True)
class PropStyle:
    """How props look.

    Args:
        text: the colours as they were written.
        kinds: as in `PropLook`; one or more, given to the props one after the other, again and again.
        colours: given likewise, red, green and blue from 0 to 1; none where nobody chose any.
        by_orbit: whether all props of an orbit share a colour and a kind.
        image: as in `PropLook`.
    """

    text: str = ""
    kinds: tuple[str, ...] = ("ball",)
    colours: tuple[tuple[float, float, float], ...] = ()
    by_orbit: bool = False
    image: str = ""


@dataclass(frozen=True)
class Staging:
    """What a text says besides the throws and the numbers; all of it may be left out.

    Args:
        hands: ways of hands.
        body: ways of bodies.
        props: how props look.
        style: what hands do where nothing is said of them, one of `STYLES`.
        catches: which way up hands catch.
    """

    hands: HandMoves | None = None
    body: BodyMoves | None = None
    props: PropStyle = field(default_factory=PropStyle)
    style: str = "natural"
    catches: Catches = (("palm",), ("palm",))


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


@dataclass(frozen=True)
class HandBeat:
    """The way of a hand from a throw to the next.

    Args:
        points: the first is where it throws; None is a point left to the usual rule.
        catch: index of the point where it catches next; those before it are passed by the empty hand, those after it by
            the hand with its props.
    """

    points: tuple[Point | None, ...]
    catch: int


@dataclass(frozen=True)
class HandMoves:
    """Ways of hands, for each juggler for each beat; jugglers and beats begin again after the last.

    Args:
        text: as it was written.
        beats: by juggler and beat.
    """

    text: str
    beats: tuple[tuple[HandBeat, ...], ...]


@dataclass(frozen=True)
class BodyPlace:
    """A place of a body: as a row of `BodyKeys`.

    Args:
        facing: [rad].
        position: in the world, [m].
    """

    facing: float
    position: tuple[float, float, float]


@dataclass(frozen=True)
class BodyMoves:
    """Ways of bodies, for each juggler for each beat; jugglers and beats begin again after the last.

    Args:
        text: as it was written.
        beats: by juggler and beat the places passed at equal steps within the beat; None is a step without a place.
    """

    text: str
    beats: tuple[tuple[tuple[BodyPlace | None, ...], ...], ...]
