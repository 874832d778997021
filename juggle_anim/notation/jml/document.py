"""The JML document: what a pattern says, element by element, in its own units of centimetres,
degrees and seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import IntEnum

from juggle_anim.choreography import AIR, CatchStyle, FlightStyle, PropLook
from juggle_anim.choreography.manners import USUAL, Manner
from juggle_anim.errors import hand_in_words
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.jml.xml import Location
from juggle_anim.notation.pattern_list import Note
from juggle_anim.notation.permutations import JugglerPermutation, PathPermutation

Triple = tuple[float, float, float]

NOWHERE = Location()


class TransitionKind(IntEnum):
    """The kinds of transitions, in the order in which they happen to one prop at one moment."""

    CATCH = 0
    HOLDING = 1
    THROW = 2


@dataclass(frozen=True)
class Transition:
    """A transition of the prop on a path.

    Args:
        kind: what happens to it.
        path: from 0.
        flight: of a throw, how it flies; its way of being caught belongs to the catch.
        caught: of a catch.
    """

    kind: TransitionKind
    path: int
    flight: FlightStyle = AIR
    caught: CatchStyle = CatchStyle.NATURAL


@dataclass(frozen=True)
class JmlEvent:
    """An event of a hand.

    Args:
        time: [s], may lie outside the loop.
        juggler: from 0.
        side: 0 left, 1 right.
        place: of the hand, right, forward and up of its usual place in front of the body, [cm].
        transitions: what happens to props.
        manner: how the hand is turned, and what it does around the body.
        idle: whether it only says where a hand is that does nothing.
        location: where in the file it stands.
    """

    time: float
    juggler: int
    side: int
    place: Triple
    transitions: tuple[Transition, ...] = ()
    manner: Manner = USUAL
    idle: bool = False
    location: Location = field(default=NOWHERE, compare=False, repr=False)

    @property
    def hand(self) -> int:
        """Hand index, 2·juggler + side."""
        return 2 * self.juggler + self.side


@dataclass(frozen=True)
class JmlPosition:
    """A body position.

    Args:
        time: [s].
        juggler: from 0.
        place: in the world, x, y and z up; a standing body has z = 100, [cm].
        angle: counterclockwise as seen from above, 0 faces +y, [degrees].
        location: where in the file it stands.
    """

    time: float
    juggler: int
    place: Triple
    angle: float
    location: Location = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class Symmetry:
    """A symmetry of a pattern: the same events with hands and paths permuted.

    Args:
        jugglers: the permutation of jugglers.
        paths: the permutation of paths.
        delayed: whether it applies after the loop's duration divided by the order of `jugglers`, or
            at once.
    """

    jugglers: JugglerPermutation
    paths: PathPermutation
    delayed: bool


@dataclass(frozen=True)
class Extension:
    """What a pattern says in our own instruction, since JML has no words for it.

    Args:
        as_juggling_lab: as in `Choreography`.
        parameters: all that are not at their defaults, and as `bps` the tempo if it does not follow
            from what else the pattern says; None where nothing is said.
        numbers: of the throws in order of their times, as they are numbered; empty where that is
            their order.
        first: for each orbit with throws the number of its first; empty where that is its first one
            in the loop.
        spins: of the throws as they are numbered, as in `FlightStyle`; empty where all are usual.
    """

    as_juggling_lab: bool = True
    parameters: Mapping[str, float | str | None] | None = None
    numbers: tuple[int, ...] = ()
    first: tuple[int, ...] = ()
    spins: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class JmlPattern:
    """A whole pattern.

    Args:
        jugglers: how many.
        looks: of the kinds of prop.
        props: for each path, which of `looks` it has.
        delay: duration of the loop, [s].
        paths: the path that takes over another's part a loop later.
        symmetries: all but that one.
        events: those listed; the symmetries make the others.
        positions: of bodies; a juggler without any stands where jugglers usually stand.
        title: what it is called.
        about: a description.
        tags: words to find it by.
        base: the notation and the text of the pattern from which it was made.
        extension: what JML has no words for; None in files of other programs.
        notes: on what is not read.
        location: where in the file it stands.
    """

    jugglers: int
    looks: tuple[PropLook, ...]
    props: tuple[int, ...]
    delay: float
    paths: PathPermutation
    symmetries: tuple[Symmetry, ...]
    events: tuple[JmlEvent, ...]
    positions: tuple[JmlPosition, ...] = ()
    title: str = ""
    about: str = ""
    tags: tuple[str, ...] = ()
    base: tuple[str, str] | None = None
    extension: Extension | None = None
    notes: tuple[Note, ...] = ()
    location: Location = field(default=NOWHERE, compare=False, repr=False)


def hand_name(hand: int) -> str:
    """Name of a hand for messages; `hand` is 2·juggler + side."""
    return _("the {hand} of juggler {juggler}", hand=hand_in_words(hand), juggler=hand // 2 + 1)
