"""The score: what a text or a file says is juggled, and how it is staged, before any parameter
applies.

The choreography: throws and catches in seconds and metres.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import ShortRepr, dataclass
from juggle_anim.pattern import Pattern, Throw


class EventKind(IntEnum):
    """The kind of a hand event; one that throws and catches at the same time is a throw."""

    THROW = 0
    CATCH = 1
    HOLD = 2
    """It passes a point while it carries a prop."""
    MOVE = 3
    """It passes a point while it is empty."""


THROW, CATCH, HOLD, MOVE = map(int, EventKind)
"""The same as plain numbers: with these, arrays are compared several times as fast."""


class Grasp(IntEnum):
    """Orientation of the hand at a catch, and at the throw of the same prop."""

    PALM = 0
    """The palm up, under the prop."""
    CLAW = 1
    """The palm down, over the prop."""


@dataclass(frozen=True, repr=False)
class Events(ShortRepr):
    """The hand events of one loop, E rows; hand number = 2 · juggler + side, side 0 left and 1
    right.

    A hand never has two events at one time: props thrown or caught together share one event.

    Args:
        time: shape (E,), [s], from 0 up to the loop's duration.
        hand: shape (E,).
        kind: shape (E,), of `EventKind`.
        position: shape (E, 3), of the hand, seen from its body: to the left, up and forward of the
            place under the body's feet, [m].
        grasp: shape (E,), of `Grasp`; None if all are `PALM`.
        body_throw: shape (E,), rows of `manners.BODY_THROWS` counted from 1, 0 for usual throws and
            catches; None if all are usual.
    """

    time: Floats
    hand: Integers
    kind: Integers
    position: Floats
    grasp: Integers | None = None
    body_throw: Integers | None = None

    @property
    def juggler(self) -> Integers:
        """The juggler of each event, shape (E,)."""
        return self.hand >> 1

    @property
    def is_throw_or_catch(self) -> Booleans:
        """Which events throw or catch, shape (E,); the others are points that a hand passes."""
        return self.kind <= CATCH

    @property
    def by_hand(self) -> Integers:
        """The rows sorted by hand and then by time, shape (E,)."""
        return np.lexsort((self.time, self.hand))

    @property
    def manners(self) -> Integers:
        """How hands throw and catch, shape (E, 2): columns `grasp` and `body_throw`, 0 if usual."""
        usual = np.zeros(len(self.time), dtype=np.intp)
        columns = [usual if column is None else column for column in (self.grasp, self.body_throw)]
        return np.stack(columns, axis=-1)

    @property
    def around_body(self) -> Booleans:
        """Which throws and catches are made around the body, shape (E,)."""
        return self.manners[:, 1] > 0

    def with_manners(self, manners: Integers) -> Events:
        """Return the same events with other manners, shape (E, 2), as `manners` has them."""
        # A column in which all are usual, that is 0, becomes None.
        grasp, body_throw = (column if column.any() else None for column in manners.T)
        return replace(self, grasp=grasp, body_throw=body_throw)

    def taken(self, rows: Integers | Booleans) -> Events:
        """Return some of the events, or all of them in another order.

        Args:
            rows: indices of rows in the wanted order, which may repeat; or booleans, shape (E,) for
                E events, that say which rows to keep.
        """
        # A column that is None, as all its entries are usual, stays None.
        grasp = None if self.grasp is None else self.grasp[rows]
        body_throw = None if self.body_throw is None else self.body_throw[rows]
        return Events(
            time=self.time[rows],
            hand=self.hand[rows],
            kind=self.kind[rows],
            position=self.position[rows],
            grasp=grasp,
            body_throw=body_throw,
        )


@dataclass(frozen=True)
class BodyKeyframes:
    """Keyframes of the bodies, K rows, sorted by juggler and time; each juggler has at least one.

    Args:
        time: shape (K,), [s], from 0 up to the loop's duration.
        juggler: shape (K,).
        position: shape (K, 3), the place under the feet, in the world; its y is above 0 for a body
            that flies, [m].
        facing: shape (K,), turn about +y, 0 faces +z, [rad]; bodies turn through the smaller angle
            between two.
    """

    time: Floats
    juggler: Integers
    position: Floats
    facing: Floats

    @classmethod
    def from_rows(
        cls, rows: Iterable[tuple[int, float, Sequence[float] | Floats, float]]
    ) -> BodyKeyframes:
        """Return keyframes of rows, each a juggler, time, position and facing, sorted likewise."""
        juggler, time, position, facing = zip(*rows, strict=True)
        return cls(
            np.array(time), np.array(juggler, dtype=np.intp), np.array(position), np.array(facing)
        )

    def retimed(self, time: Floats) -> BodyKeyframes:
        """Return the keyframes at other times, sorted by juggler and time again.

        Args:
            time: the new time of each, shape (K,), [s].
        """
        order = np.lexsort((time, self.juggler))  # its last key, the juggler, counts first
        return replace(self, time=time).taken(order)

    def taken(self, rows: Integers | Booleans) -> BodyKeyframes:
        """Return the keyframes of given rows: indices, in this order, or a mask of shape (K,)."""
        return BodyKeyframes(
            self.time[rows], self.juggler[rows], self.position[rows], self.facing[rows]
        )


class CatchStyle(IntEnum):
    """The kinds of catches, in the words of JML."""

    NATURAL = 0
    SOFT = 1
    GRAB = 2


_NO_GRAVITY = 1e-3  # m/s²; with less than this a prop lies still


@dataclass(frozen=True)
class FlightStyle:
    """The flight and catch of a prop.

    Args:
        gravity: on this flight, [m/s²]; None is the choreography's.
        bounces: number of bounces.
        forced: whether a prop that bounces is thrown down; otherwise it is thrown up.
        falling: whether a prop that bounces is caught falling; otherwise it is caught rising.
        plane: height of the bounce plane above the floor, [m].
        bounce_fraction: share of its energy that it keeps at a bounce, above 0; None for the
            choreography's.
        caught: how it is caught.
        spin: turns of a club in the air, a multiple of 1/2; None for as many as usual.
    """

    gravity: float | None = None
    bounces: int = 0
    forced: bool = False
    falling: bool = False
    plane: float = 0.0
    bounce_fraction: float | None = None
    caught: CatchStyle = CatchStyle.NATURAL
    spin: float | None = None

    @property
    def rests(self) -> bool:
        """Whether the prop does not fly but lies still, on a table."""
        return self.gravity is not None and self.gravity < _NO_GRAVITY


AIR = FlightStyle()
"""An ordinary throw through the air."""


@dataclass(frozen=True)
class PropLook:
    """The appearance of a prop.

    Args:
        kind: "ball", "club", "ring", "square" or "image".
        colour: red, green and blue from 0 to 1, sRGB; None for the default.
        diameter: [m]; None for the default.
        image: path of the picture of an "image".
        extra: other attributes in the file, unchanged.
    """

    kind: str = "ball"
    colour: tuple[float, float, float] | None = None
    diameter: float | None = None
    image: str = ""
    extra: str = ""


def only_kind(kinds: Iterable[str]) -> str:
    """Return the only kind among the given ones; "" if there are several, or none."""
    several = set(kinds)
    return several.pop() if len(several) == 1 else ""


@dataclass(frozen=True, repr=False)
class Flights(ShortRepr):
    """The flights that begin in one loop, F rows. Throws that leave one hand together share their
    event.

    Args:
        throw: shape (F,), index of the event that throws.
        catch: shape (F,), index of the event that catches, in this loop or a later one.
        duration: shape (F,), [s], above 0.
        carry: shape (F,), how long the catching hand then keeps the prop, [s], 0 or more.
        style: the style of each flight, F of them; empty if all are `AIR`.
    """

    throw: Integers
    catch: Integers
    duration: Floats
    carry: Floats
    style: tuple[FlightStyle, ...] = ()

    @property
    def styles(self) -> tuple[FlightStyle, ...]:
        """The style of each flight, F of them, also if all are `AIR`."""
        return self.style or (AIR,) * len(self.throw)


@dataclass(frozen=True)
class PropOrbit:
    """The path that some props share, one loop apart.

    Args:
        flights: indices of the flights in the order in which a prop makes them; empty for a prop
            that is always held.
        props: number of props on the orbit, which takes as many loops.
        hand: the hand that holds the prop before the first flight.
    """

    flights: tuple[int, ...]
    props: int
    hand: int

    def steps(self) -> Iterator[tuple[int, int]]:
        """Return pairs of each flight and the next, in order; the last is followed by the first."""
        return zip(self.flights, self.flights[1:] + self.flights[:1], strict=True)


def orbits_of_flights(
    pattern: Pattern, flight_of_throw: Mapping[int, int]
) -> tuple[PropOrbit, ...]:
    """Return the orbits of a pattern, in the same order, made of flights instead of throws.

    An orbit is the closed path that some props share. Holds are left out, so the orbit of a prop
    that is always held has no flights; its `hand` then says who holds it.

    Args:
        pattern: its throws and orbits.
        flight_of_throw: for the index of each throw that is no hold, the row of its flight.
    """
    return tuple(
        PropOrbit(
            flights=tuple(
                flight_of_throw[throw_index]
                for throw_index in orbit.throws
                if throw_index in flight_of_throw
            ),
            props=orbit.props,
            hand=pattern.sites[orbit.throws[0]][0],  # of the hand and beat of its first throw
        )
        for orbit in pattern.orbits
    )


class FlightLinks(NamedTuple):
    """How the F flights of a choreography follow each other in the course of a prop.

    Args:
        orbit: shape (F,), index of the orbit of each flight.
        previous_flight, next_flight: shape (F,), index of the flight that the same prop makes
            before and after each flight. An orbit's only flight is its own neighbour.
        throw_time, catch_time: shape (F,), when the prop that makes the orbit's first flight in
            this loop makes each flight, [s]. They count from the start of this loop and are not
            taken modulo its duration, so they increase along the orbit.
    """

    orbit: Integers
    previous_flight: Integers
    next_flight: Integers
    throw_time: Floats
    catch_time: Floats


@dataclass(frozen=True, repr=False)
class Choreography(ShortRepr):
    """One loop of events, which repeats for ever.

    Args:
        duration: the duration of the loop, [s].
        bps: the tempo, [beats/s].
        gravity: acceleration by gravity, downward positive, [m/s²].
        bounce_fraction: share of its energy that a prop keeps at a bounce.
        slow_bounces: whether of several throws that bounce equally long the slowest is made, not
            Juggling Lab's.
        rest: shape (2J, 3), rest position of each hand without events, seen from its body as events
            are, [m].
        looks: the looks of each prop, ordered by orbit and by how many loops it is ahead; empty for
            the default look.
        as_juggling_lab: whether hands, palms and bodies move between events as in Juggling Lab;
            otherwise as people do.
    """

    duration: float
    bps: float
    gravity: float
    bodies: BodyKeyframes
    rest: Floats
    events: Events
    flights: Flights
    orbits: tuple[PropOrbit, ...]
    bounce_fraction: float = 0.9
    slow_bounces: bool = False
    looks: tuple[PropLook, ...] = ()
    as_juggling_lab: bool = False

    @property
    def jugglers(self) -> int:
        """Number of jugglers."""
        return len(self.rest) // 2

    @property
    def props(self) -> int:
        """Number of props."""
        return sum(orbit.props for orbit in self.orbits)

    @property
    def looks_of_props(self) -> tuple[PropLook, ...]:
        """The look of each prop, the default one if `looks` is empty."""
        return self.looks or (PropLook(),) * self.props

    @property
    def orbits_with_props(self) -> Iterator[tuple[PropOrbit, slice]]:
        """Each orbit with the indices of its props, which are numbered orbit by orbit."""
        first_prop = 0
        for orbit in self.orbits:
            yield orbit, slice(first_prop, first_prop + orbit.props)
            first_prop += orbit.props

    @property
    def props_of_orbits(self) -> Integers:
        """Number of props of each of O orbits, shape (O,)."""
        return np.array([orbit.props for orbit in self.orbits], dtype=np.intp)

    @property
    def periods_of_orbits(self) -> Floats:
        """Time in which a prop goes once along each of O orbits, shape (O,), [s]."""
        return np.array([orbit.props * self.duration for orbit in self.orbits])

    @property
    def hands_of_orbits(self) -> Integers:
        """The hand that holds the first prop of each of O orbits at first, shape (O,)."""
        return np.array([orbit.hand for orbit in self.orbits], dtype=np.intp)

    @property
    def held_orbits(self) -> Integers:
        """Indices of the N orbits whose props are never thrown, shape (N,)."""
        return np.flatnonzero([not orbit.flights for orbit in self.orbits])

    @property
    def throws_around_body(self) -> Booleans:
        """Which jugglers throw or catch around the body, shape (J,)."""
        jugglers = self.events.juggler[self.events.around_body]
        return np.bincount(jugglers, minlength=self.jugglers) > 0

    @property
    def only_kind(self) -> str:
        """The kind of all props; "" if there are several."""
        return only_kind(look.kind for look in self.looks or (PropLook(),))

    @cached_property
    def flight_links(self) -> FlightLinks:
        """For each flight its orbit, its neighbours in the course of a prop, and its times.

        An orbit is the closed path that some props share, one loop apart. Times are those of the
        prop that makes the orbit's first flight in this loop, [s]. They increase from flight to
        flight, beyond the end of the loop.
        """
        flights = self.flights
        time_in_loop = self.events.time[flights.throw].tolist()
        durations = flights.duration.tolist()
        carries = flights.carry.tolist()

        # Plain lists by flight, which are faster than arrays here. Each flight is on one orbit, so
        # all entries are overwritten below.
        orbit_of_flight = [0] * len(durations)
        previous_flight = [0] * len(durations)
        next_flight = [0] * len(durations)
        throw_time = time_in_loop.copy()
        catch_time = time_in_loop.copy()
        for orbit_index, orbit in enumerate(self.orbits):
            # Follow a prop along the orbit. The orbit of a prop that is always held has no flights
            # and no steps, so that `time` is unused.
            time = time_in_loop[orbit.flights[0]] if orbit.flights else 0.0
            for flight, flight_after in orbit.steps():
                orbit_of_flight[flight] = orbit_index
                previous_flight[flight_after] = flight
                next_flight[flight] = flight_after
                throw_time[flight] = time
                catch_time[flight] = time + durations[flight]
                time = catch_time[flight] + carries[flight]

        return FlightLinks(
            orbit=np.array(orbit_of_flight, dtype=np.intp),
            previous_flight=np.array(previous_flight, dtype=np.intp),
            next_flight=np.array(next_flight, dtype=np.intp),
            throw_time=np.array(throw_time),
            catch_time=np.array(catch_time),
        )


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
        colours: assigned to the props in turn: red, green and blue from 0 to 1, or None for the
            default of that prop; empty if all are.
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
            index: the index of the prop, or of its orbit if looks are given `by_orbit`, from 0 in
                the order in which looks are assigned.
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

    def thing(self, count: int) -> str:
        """Return what so many props are, as a key for `counted`: "prop" if they have no name."""
        kind = self.only_kind(count)
        return "prop" if kind in ("", "image") else kind


_USUAL_PROPS = PropStyle()


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
    props: PropStyle = _USUAL_PROPS
    style: str = "natural"
    catches: Catches = (("palm",), ("palm",))
    spins: tuple[float | None, ...] = ()
    throws: BodyThrows = ()


_USUAL_STAGING = Staging()


class RoutineLine(NamedTuple):
    """A line of a routine: a pattern for some time, or a stop.

    Attributes:
        text: as it was written.
        number: the number of the line in its text, from 1; 0 for the stop in the end where none is
            written.
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
    def shown(self) -> str:
        """The text without settings, and with a dot before how long, `441  ·  4 loops`."""
        pattern = re.sub(r"^pattern=|;\S*", "", self.text)
        return re.sub(r" (\d\S* \w+)$", r"  ·  \1", pattern)

    @property
    def transition(self) -> str:
        """The throws from the routine's line before into this line, as a text for readers.

        A line is one pattern of the routine. The text also tells how many props are picked up or
        put down, in the current language, such as "4 4 1; 1 picked up"; it is empty if there is
        nothing to tell.
        """
        parts = []
        throws = " ".join(self.throws)
        if throws:
            parts.append(throws)
        if self.more > 0:
            parts.append(_("{count} picked up", count=self.more))
        elif self.more < 0:
            parts.append(_("{count} put down", count=-self.more))
        return "; ".join(parts)


@dataclass(frozen=True)
class RoutineScript:
    """What placed events were laid out from: lines that say what to juggle for how long.

    Args:
        text: as it was written.
        lines: the lines with their times.
        choreography: its events are read.
        values: the values of its flights, as a siteswap writes them.
        throws: the throws of its flights, in parts of beats.
    """

    text: str
    lines: tuple[RoutineLine, ...]
    choreography: Choreography
    values: tuple[str, ...] = ()
    throws: tuple[Throw, ...] = ()


@dataclass(frozen=True, repr=False)
class Score(ShortRepr):
    """The pattern to juggle: throws on beats with their staging, or events that already have times
    and places.

    Exactly one of `pattern` and `placed` is set.

    Args:
        pattern: throws on beats.
        placed: events, where a file holds them.
        staging: the staging of the pattern.
        title: its name; empty if it has none.
        about: a description in words.
        tags: words to search for.
        base: the pattern that placed events were generated from, if the file says so: its notation
            and its text.
        script: the lines that placed events were once laid out from; ask for `routine`.
    """

    pattern: Pattern | None = None
    placed: Choreography | None = None
    staging: Staging = _USUAL_STAGING
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
