"""Staging: what a text says of a performance besides the throws and the numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

Point = tuple[float, float, float]
"""Outward (to the hand's own side), up and forward of the middle between the hands, [m]."""


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


Catches = tuple[tuple[str, ...], tuple[str, ...]]
"""How left and how right hands catch: "palm", "claw" or "penguin", each list taken in turn by the catches of a hand."""


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
