"""What happens to each prop, one thing after the other: flights, carries and orbits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from juggle_anim.choreography import FlightStyle
from juggle_anim.errors import FileError
from juggle_anim.notation.cycles import cycles, inverse
from juggle_anim.notation.jml.document import Doing, JmlEvent, JmlPattern, Transition, hand_name
from juggle_anim.notation.jml.expand import SAME_TIME


@dataclass(frozen=True)
class Flight:
    """A flight that begins in the loop.

    Args:
        throw: index of the event that throws.
        catch: index of the event that catches, in this loop or a later one.
        duration: [s].
        carry: time from the catch to the next throw, [s].
        style: how it flies and is caught.
    """

    throw: int
    catch: int
    duration: float
    carry: float
    style: FlightStyle


@dataclass(frozen=True)
class Chain:
    """The way of the props that follow each other a loop apart.

    Args:
        paths: of the first prop in one loop after the other, which are those of all the props in the first loop.
        flights: in their order; none for props that are held for ever.
        hand: the hand that holds the first prop before its first flight.
    """

    paths: tuple[int, ...]
    flights: tuple[Flight, ...]
    hand: int


def chains(pattern: JmlPattern, events: tuple[JmlEvent, ...]) -> list[Chain]:
    """The way of each prop.

    Args:
        pattern: of the events.
        events: all of one loop, sorted by time.

    Raises:
        FileError: a prop that is thrown by a hand that does not hold it, caught before it is thrown, thrown and never
            caught, or nowhere at all.
    """
    steps: list[list[_Step]] = [[] for _ in pattern.props]
    for index, event in enumerate(events):
        for transition in sorted(event.transitions, key=lambda transition: transition.doing):
            steps[transition.path].append(_Step(event.time, index, event, transition))
    found = []
    for cycle in cycles(inverse(pattern.paths)):
        thrown = (n for n, path in enumerate(cycle) if any(step.doing is Doing.THROW for step in steps[path]))
        first = next(thrown, 0)
        found.append(_chain(pattern, (*cycle[first:], *cycle[:first]), steps))
    return found


@dataclass(frozen=True)
class _Step:
    """Something that happens to a prop; `time` counts from the loop in which its first path begins."""

    time: float
    index: int
    event: JmlEvent
    transition: Transition

    @property
    def doing(self) -> Doing:
        return self.transition.doing


def _chain(pattern: JmlPattern, paths: tuple[int, ...], steps: list[list[_Step]]) -> Chain:
    way = [
        _Step(step.time + loop * pattern.delay, step.index, step.event, step.transition)
        for loop, path in enumerate(paths)
        for step in steps[path]
    ]
    if not way:
        number = min(paths) + 1
        raise pattern.spot.error(f"path {number} is never thrown, caught or held", f"an event that names path {number}")
    for before, after in pairwise([way[-1], *way]):
        _check(before, after)
    first = next((place for place, step in enumerate(way) if step.doing is Doing.THROW), None)
    if first is None:
        return Chain(paths, (), way[0].event.hand)
    whole = len(paths) * pattern.delay
    later = [_Step(step.time + whole, step.index, step.event, step.transition) for step in way[: first + 1]]
    return Chain(paths, _flights([*way[first:], *later]), way[first].event.hand)


def _flights(way: list[_Step]) -> tuple[Flight, ...]:
    """The flights of a way that begins with a throw and ends with the same one."""
    legs = [step for step in way if step.doing is not Doing.HOLDING]
    flights = []
    for throw, catch, following in zip(legs[:-1:2], legs[1::2], legs[2::2], strict=True):
        duration = catch.time - throw.time
        if duration < SAME_TIME:
            raise _error(catch, "is caught at the moment when it is thrown", "a later catch")
        style = throw.transition.flight
        if catch.transition.caught:
            style = replace(style, caught=catch.transition.caught)
        flights.append(Flight(throw.index, catch.index, duration, max(0.0, following.time - catch.time), style))
    return tuple(flights)


def _check(before: _Step, after: _Step) -> None:
    """Refuse what cannot follow: a prop flies after a throw and until a catch, and else stays in one hand."""
    since = f"line {before.event.spot.line}"
    if after.doing is Doing.CATCH:
        if before.doing is not Doing.THROW:
            raise _error(after, f"is caught, but nobody threw it since {since}", "a throw before each catch")
    elif before.doing is Doing.THROW:
        doing = "thrown" if after.doing is Doing.THROW else "held"
        raise _error(after, f"is {doing}, but nobody caught it since {since}", "a catch after each throw")
    elif before.event.hand != after.event.hand:
        doing = "thrown" if after.doing is Doing.THROW else "held"
        hands = f"by {hand_name(after.event.hand)}, but it is in {hand_name(before.event.hand)}"
        raise _error(after, f"is {doing} {hands} since {since}", "a throw and a catch between")


def _error(step: _Step, reason: str, accepted: str) -> FileError:
    return step.event.spot.error(f"path {step.transition.path + 1} {reason}", accepted)
