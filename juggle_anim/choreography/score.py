"""The score: what a text or a file says is juggled, and how it is staged, before any parameter
applies.
"""

from __future__ import annotations

from dataclasses import field
from typing import NamedTuple

from juggle_anim.choreography.choreography import Choreography, only_kind
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern import Pattern
from juggle_anim.short_repr import ShortRepr

Point = tuple[float, float, float]
"""Outward (to the hand's own side), up and forward of the middle between the hands, [m]."""

Catches = tuple[tuple[str, ...], tuple[str, ...]]
"""How left and how right hands catch: "palm", "claw" or one of `body_throws.CATCHES`, each list
taken in turn by the catches of a hand.
"""

BodyThrows = tuple[tuple[str | None, ...], ...]
"""How hands throw, by juggler and turn; both lists repeat. "palm", "claw", one of
`body_throws.THROWS`, or None as usual: in the grasp that caught the prop. Empty if all throw as
usual.
"""


@dataclass(frozen=True)
class PropStyle:
    """The appearance of props.

    Args:
        text: the colours as they were written.
        kinds: as in `PropLook`; one or more, assigned to the props in turn.
        colours: assigned likewise, red, green and blue from 0 to 1, or None for the default of that
            prop; empty if all are.
        by_orbit: whether all props of an orbit share a colour and a kind.
        image: as in `PropLook`.
    """

    text: str = ""
    kinds: tuple[str, ...] = ("ball",)
    colours: tuple[tuple[float, float, float] | None, ...] = ()
    by_orbit: bool = False
    image: str = ""

    def look(self, index: int) -> tuple[str, tuple[float, float, float] | None]:
        """Return the kind and the colour of a prop; None for the default colour.

        Args:
            index: of the prop, or of its orbit if looks are given `by_orbit`, from 0 in the order
                in which looks are assigned.
        """
        colour = self.colours[index % len(self.colours)] if self.colours else None
        return self.kinds[index % len(self.kinds)], colour

    def only_kind(self, count: int) -> str:
        """Return the kind that all props have; "" if they have several.

        Args:
            count: number of props, or of orbits if looks are given `by_orbit`.
        """
        # Without any props the first kind counts.
        kinds = (self.look(index)[0] for index in range(max(count, 1)))
        return only_kind(kinds)


@dataclass(frozen=True)
class Staging:
    """The settings of a text besides throws and numbers; each field is optional.

    Args:
        hands: where hands go.
        body: where bodies go.
        props: how props look.
        style: how hands move where `hands` says nothing, one of `STYLES`.
        catches: which way up hands catch.
        spins: turns in the air of the clubs that are thrown in each turn of a hand, in the order of
            beats, None for the usual ones; they begin again after the last. Empty if all are usual.
        throws: in which manner, and where beside the body, hands throw.
    """

    hands: HandMoves | None = None
    body: BodyMoves | None = None
    props: PropStyle = field(default_factory=PropStyle)
    style: str = "natural"
    catches: Catches = (("palm",), ("palm",))
    spins: tuple[float | None, ...] = ()
    throws: BodyThrows = ()


class RoutineLine(NamedTuple):
    """A line of a routine: a pattern for some time, or a stop.

    Attributes:
        text: as it was written.
        number: of the line in its text, from 1; 0 for the stop in the end where none is written.
        begins: when the throws to it begin, [s].
        enters: when it is juggled alone, [s].
        ends: when what follows begins, [s].
        throws: the throws that lead to it, one text for each beat.
        more: how many props are picked up for it; below 0, how many are put down.
    """

    text: str
    number: int
    begins: float
    enters: float
    ends: float
    throws: tuple[str, ...] = ()
    more: int = 0

    @property
    def transition(self) -> str:
        """The throws that lead to the line, and how many props are picked up or put down for it.

        Words for a reader, in the current language; empty if there is nothing to say.
        """
        moved = ""
        if self.more:
            moved = (
                _("{count} picked up", count=self.more)
                if self.more > 0
                else _("{count} put down", count=-self.more)
            )
        return "; ".join(part for part in (" ".join(self.throws), moved) if part)


@dataclass(frozen=True)
class RoutineScript:
    """What placed events were laid out from: lines that say what to juggle for how long.

    Args:
        text: as it was written.
        lines: with their times.
        choreography: the events.
        values: of its flights, as a siteswap writes them.
    """

    text: str
    lines: tuple[RoutineLine, ...]
    choreography: Choreography
    values: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class Score(ShortRepr):
    """The pattern to juggle: throws on beats with their staging, or events that already have times
    and places.

    Exactly one of `pattern` and `placed` is set.

    Args:
        pattern: throws on beats.
        placed: events, where a file holds them.
        staging: of the pattern.
        title: its name; empty if it has none.
        about: a description in words.
        tags: words to search for.
        base: the pattern that placed events were generated from, if the file says so: its notation
            and its text.
        script: the lines that placed events were once laid out from; ask for `routine`.
    """

    pattern: Pattern | None = None
    placed: Choreography | None = None
    staging: Staging = field(default_factory=Staging)
    title: str = ""
    about: str = ""
    tags: tuple[str, ...] = ()
    base: tuple[str, str] | None = None
    script: RoutineScript | None = None

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
        """Its title, or else its notation."""
        return self.title or (self.pattern.text if self.pattern else self.base_name or "untitled")

    @property
    def routine(self) -> RoutineScript | None:
        """The script from which the placed events were laid out; None if there is none.

        Also None if the placed events have been replaced since then, as the lines no longer
        describe them.
        """
        return self.script if self.script and self.script.choreography is self.placed else None

    @property
    def base_name(self) -> str:
        """The throws of the pattern from which placed events were generated; else empty.

        They are taken from the pattern's text, which is the throws alone, or settings that begin
        with `pattern=`.
        """
        return self.base[1].removeprefix("pattern=").partition(";")[0] if self.base else ""

    @property
    def _source(self) -> Pattern | Choreography:
        source = self.pattern or self.placed
        assert source is not None, "a score has a pattern or placed events"
        return source


@dataclass(frozen=True)
class HandBeat:
    """The path of a hand from one throw to the next.

    Args:
        points: the first is where it throws; None leaves a point to the hand style.
        catch: index of the point where it catches next, 1 or more; the empty hand passes the points
            before it, the hand with the prop those after it.
        goes_around_body: whether the points also hold where a throw or catch is made around the
            body; if not, the manner of that throw or catch decides.
    """

    points: tuple[Point | None, ...]
    catch: int
    goes_around_body: bool = False


USUAL_PATH = HandBeat((None, None), catch=1)
"""The path of a hand of which nothing is said."""


@dataclass(frozen=True)
class HandMoves:
    """Paths of hands, by juggler and beat; both lists repeat.

    Args:
        text: as it was written.
        beats: by juggler and beat.
    """

    text: str
    beats: tuple[tuple[HandBeat, ...], ...]

    @property
    def goes_its_own_way(self) -> bool:
        """Whether hands pass points between throw and catch after every turn."""
        # A throw and a catch are two points.
        return all(len(path.points) > 2 for paths in self.beats for path in paths)


@dataclass(frozen=True)
class BodyPlace:
    """The position and heading of a body, as in a row of `BodyKeyframes`.

    Args:
        facing: [rad].
        position: in the world, [m].
    """

    facing: float
    position: tuple[float, float, float]


@dataclass(frozen=True)
class BodyMoves:
    """Paths of bodies, by juggler and beat; both lists repeat.

    Args:
        text: as it was written.
        beats: by juggler and beat the places passed at equal steps within the beat; None is a step
            without a place.
    """

    text: str
    beats: tuple[tuple[tuple[BodyPlace | None, ...], ...], ...]
