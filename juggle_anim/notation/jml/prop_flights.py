"""The paths of props through the events of a JML document: their flights, in order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from juggle_anim.choreography import FlightStyle
from juggle_anim.errors import FileError
from juggle_anim.language import _
from juggle_anim.notation.jml.document import (
    JmlEvent,
    JmlPattern,
    Transition,
    TransitionKind,
    hand_name,
)
from juggle_anim.notation.jml.symmetry_expansion import SAME_TIME
from juggle_anim.notation.permutations import inverse
from juggle_anim.pattern.pattern import cycles


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
class PropPath:
    """The path of props that follow each other a loop apart.

    Args:
        paths: of the first prop in one loop after the other, which are those of all the props in
            the first loop.
        flights: in their order; none for props that are held for ever.
        hand: the hand that holds the first prop before its first flight.
    """

    paths: tuple[int, ...]
    flights: tuple[Flight, ...]
    hand: int


def prop_paths(pattern: JmlPattern, events: tuple[JmlEvent, ...]) -> list[PropPath]:
    """Return the path of each prop.

    Args:
        pattern: of the events.
        events: all of one loop, sorted by time.

    Raises:
        FileError: a prop that is thrown by a hand that does not hold it, caught before it is
            thrown, thrown and never caught, or nowhere at all.
    """
    steps: list[list[_Step]] = [[] for _ in pattern.props]
    for index, event in enumerate(events):
        for transition in sorted(event.transitions, key=lambda transition: transition.kind):
            steps[transition.path].append(_Step(event.time, index, event, transition))
    found = []
    for cycle in cycles(inverse(pattern.paths)):
        thrown = (
            n
            for n, path in enumerate(cycle)
            if any(step.kind is TransitionKind.THROW for step in steps[path])
        )
        first = next(thrown, 0)
        found.append(_prop_path(pattern, (*cycle[first:], *cycle[:first]), steps))
    return found


class _Step(NamedTuple):
    """Something that happens to a prop; `time` counts from the loop in which its first path
    begins.
    """

    time: float
    row: int
    event: JmlEvent
    transition: Transition

    @property
    def kind(self) -> TransitionKind:
        return self.transition.kind


def _prop_path(pattern: JmlPattern, paths: tuple[int, ...], steps: list[list[_Step]]) -> PropPath:
    own = [
        step._replace(time=step.time + loop * pattern.delay)
        for loop, path in enumerate(paths)
        for step in steps[path]
    ]
    if not own:
        path = _("path {paths}", paths=min(paths) + 1)
        raise pattern.location.error(
            _("{path} is never thrown, caught or held", path=path),
            _("an event that names {path}", path=path),
        )
    for before, after in pairwise([own[-1], *own]):
        _check(before, after)
    first = next(
        (place for place, step in enumerate(own) if step.kind is TransitionKind.THROW), None
    )
    if first is None:
        return PropPath(paths, (), own[0].event.hand)
    whole = len(paths) * pattern.delay
    later = [step._replace(time=step.time + whole) for step in own[: first + 1]]
    return PropPath(paths, _flights([*own[first:], *later]), own[first].event.hand)


def _flights(steps: list[_Step]) -> tuple[Flight, ...]:
    """Return the flights of a path that begins with a throw and ends with the same one."""
    legs = [step for step in steps if step.kind is not TransitionKind.HOLDING]
    flights = []
    for throw, catch, following in zip(legs[:-1:2], legs[1::2], legs[2::2], strict=True):
        duration = catch.time - throw.time
        if duration < SAME_TIME:
            raise _error(catch, _("is caught at the moment when it is thrown"), _("a later catch"))
        style = throw.transition.flight
        if catch.transition.caught:
            style = replace(style, caught=catch.transition.caught)
        flights.append(
            Flight(throw.row, catch.row, duration, max(0.0, following.time - catch.time), style)
        )
    return tuple(flights)


def _check(before: _Step, after: _Step) -> None:
    """Refuse an impossible sequence: a prop flies from a throw to a catch, and otherwise stays in
    one hand.
    """
    since = _("line {line}", line=before.event.location.line)
    thrown = after.kind is TransitionKind.THROW
    if after.kind is TransitionKind.CATCH:
        if before.kind is not TransitionKind.THROW:
            raise _error(
                after,
                _("is caught, but not thrown since {since}", since=since),
                _("a throw before each catch"),
            )
    elif before.kind is TransitionKind.THROW:
        reason = (
            _("is thrown, but not caught since {since}", since=since)
            if thrown
            else _("is held, but not caught since {since}", since=since)
        )
        raise _error(after, reason, _("a catch after each throw"))
    elif before.event.hand != after.event.hand:
        hands = _(
            "by {hand}, but it is in {hand2}",
            hand=hand_name(after.event.hand),
            hand2=hand_name(before.event.hand),
        )
        reason = (
            _("is thrown {hands} since {since}", hands=hands, since=since)
            if thrown
            else _("is held {hands} since {since}", hands=hands, since=since)
        )
        raise _error(after, reason, _("a throw and a catch between"))


def _error(step: _Step, reason: str, accepted: str) -> FileError:
    return step.event.location.error(
        _("path {path} {reason}", path=step.transition.path + 1, reason=reason), accepted
    )
