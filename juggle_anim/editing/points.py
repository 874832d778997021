"""Editing paths of hands: points that they pass between throws and catches, and whole paths from
throw to throw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, Events
from juggle_anim.choreography.choreography import CATCH, HOLD, MOVE, THROW
from juggle_anim.choreography.hand_points import (
    SLOWEST_BEAT,
    offsets_meanwhile,
    path_after,
    path_before,
    path_of_other_hand,
)
from juggle_anim.choreography.manners import BODY_THROWS, Manner
from juggle_anim.choreography.places import to_body_frame
from juggle_anim.editing.draft import Draft, events_of, in_order, symmetries_of, with_events
from juggle_anim.editing.limits import (
    POINT_APART,
    check_event,
    check_seconds,
    checked_place,
    event_at,
)
from juggle_anim.editing.places import POINT_TIME, SAME_PLACE
from juggle_anim.editing.symmetry import images, symmetries_around, time_apart
from juggle_anim.errors import EditError
from juggle_anim.language import _


def add_point(
    draft: Draft,
    hand: int,
    time: float,
    position: Sequence[float] | None = None,
    symmetric: bool = True,
) -> Draft:
    """Add a point that a hand passes.

    Args:
        draft: what is edited.
        hand: 2 · juggler + side, side 0 left and 1 right.
        time: when, [s].
        position: where; by default where the hand is then.
        symmetric: whether hands that do the same at other times pass such a point, too.

    Raises:
        EditError: there is no such hand, another of its events is within 0.01 s, or the place is
            too far.
    """
    choreography = events_of(draft)
    if not 0 <= hand < 2 * choreography.jugglers:
        raise EditError(
            _(
                "there is no hand {hand}; there are 0 to {jugglers}, even ones left",
                hand=hand,
                jugglers=2 * choreography.jugglers - 1,
            )
        )
    check_seconds(time)
    if position is not None:
        wanted = checked_place(position)
    elif draft.paths is not None:
        wanted = draft.paths().hand_place(hand, time % choreography.duration)
    else:
        raise EditError(_("a new point needs a place: left, up and forward of the body, in metres"))
    if not _is_free(choreography, hand, time):
        raise EditError(
            _(
                "another event of that hand is within {point_apart:g} s of {time:.3f} s; choose "
                "another time",
                point_apart=POINT_APART,
                time=time,
            )
        )
    added = _with_point(choreography, hand, time, wanted)
    for symmetry in (
        symmetries_around(choreography, hand, time, symmetries_of(draft)) if symmetric else ()
    ):
        other = int(symmetry.hand(np.array([hand]), choreography.jugglers)[0])
        place = np.array(wanted) * (-1.0 if (other ^ hand) % 2 else 1.0, 1.0, 1.0)
        if _is_free(added, other, time + symmetry.delay):
            added = _with_point(added, other, time + symmetry.delay, place)
    return with_events(draft, added)


def remove_point(draft: Draft, event: int, symmetric: bool = True) -> Draft:
    """Remove a point that a hand passes, and with `symmetric` its images.

    Raises:
        EditError: there is no such event, or it is a throw or catch.
    """
    choreography = events_of(draft)
    check_event(choreography, event)
    if choreography.events.kind[event] < HOLD:
        raise EditError(
            _(
                "event {event} throws or catches; only points that a hand passes can be removed",
                event=event,
            )
        )
    gone = images(choreography, event, symmetries_of(draft)) if symmetric else [event]
    return with_events(draft, _without(choreography, gone))


def copy_path(
    draft: Draft, source: int, target: int, mirrored: bool = True, symmetric: bool = True
) -> Draft:
    """Let a hand go from a throw to its next one along the path of another hand, or of its own on
    another beat.

    Its throw, its catches and its points get the places of the other's; points come at the same
    shares of the times between. Its next throw stays where it is.

    Args:
        draft: what is edited.
        source, target: numbers of the throws with which the two paths begin.
        mirrored: whether a path of a left hand is mirrored for a right one, and the other way
            round.
        symmetric: whether symmetric images of the target get the path, too.

    Raises:
        EditError: there is no such throw, or no time for the points between throws and catches.
    """
    choreography = events_of(draft)
    for event in (source, target):
        check_event(choreography, event)
        if choreography.events.kind[event] != THROW:
            raise EditError(
                _(
                    "event {event} does not throw; a path goes from a throw to the next one",
                    event=event,
                )
            )
    events = choreography.events
    path = _HandSpan.of(choreography, source)
    places = images(choreography, target, symmetries_of(draft)) if symmetric else [target]
    starts = [
        (int(events.hand[each]), float(events.time[each])) for each in places if each != source
    ]
    for hand, time in starts:
        choreography = path.copied(choreography, event_at(choreography, hand, time), mirrored)
    return with_events(draft, choreography)


def with_manner(
    choreography: Choreography, events: Sequence[int], manner: Manner | None
) -> Choreography:
    """Return events of which some throw or catch in a manner.

    A hand goes to the place around its body and passes the points before and after it, and the
    other hand gives way where it has to. What is thrown so is caught where such throws come down.
    Where nothing of that kind is left to do, a hand throws or catches where it rests. All else
    stays where it is.

    Args:
        choreography: the events.
        events: numbers of throws and catches.
        manner: of them; None for a throw as usual, from the grasp that caught the prop.
    """
    before = choreography
    for hand, time in [
        (int(choreography.events.hand[each]), float(choreography.events.time[each]))
        for each in events
    ]:
        choreography = _without(
            choreography, _points_around(choreography, event_at(choreography, hand, time))
        )
        event = event_at(choreography, hand, time)
        table = choreography.events
        manners = table.manners
        position = table.position.copy()
        if manner and manner.row:
            position[event] = to_body_frame([BODY_THROWS[manner.row - 1].place], np.array([hand]))[
                0
            ]
        elif manners[event, 1]:
            position[event] = choreography.rest[hand]
        manners[event] = manner or (_grasp_before(choreography, event), 0)
        choreography = replace(
            choreography, events=replace(table, position=position).with_manners(manners)
        )
        choreography = _with_events_moved(choreography, table.manners)
        for passing, moment, place in _way(choreography, event_at(choreography, hand, time)):
            if _is_free(choreography, passing, moment):
                choreography = _with_point(choreography, passing, moment, place)
    manners = choreography.events.manners
    for flight, throw in enumerate(before.flights.throw.tolist()):
        if throw not in events and tuple(before.events.manners[throw]) == (
            _grasp_before(before, throw),
            0,
        ):
            # Nothing is said of it, so it follows its catch.
            now = int(choreography.flights.throw[flight])
            manners[now, 0] = _grasp_before(choreography, now)
    return replace(choreography, events=choreography.events.with_manners(manners))


def _grasp_before(choreography: Choreography, throw: int) -> int:
    """The grasp in which a hand caught what it throws, if it is one of no body catch."""
    flights = choreography.flights
    manners = choreography.events.manners
    caught = flights.catch[flights.throw[choreography.rounds.following] == throw]
    return int(np.where(manners[caught, 1], 0, manners[caught, 0]).max(initial=0))


def _with_events_moved(choreography: Choreography, before: Integers) -> Choreography:
    """Events that are where throws in their manners have them, after they had others, shape (E,
    2).
    """
    events = choreography.events
    moved = _offsets(choreography, events.manners) - _offsets(choreography, before)
    position = events.position + np.where(events.manners[:, 1:] > 0, 0.0, moved)
    return replace(choreography, events=replace(events, position=position))


def _offsets(choreography: Choreography, manners: Integers) -> Floats:
    """How far from their usual places events are because of throws around the body, shape (E, 3),
    [m]: where these are caught, and what the other hand does meanwhile.
    """
    events = choreography.events
    flights = choreography.flights
    found = np.zeros_like(events.position)
    rows = manners[flights.throw, 1]
    lands = np.array(
        [BODY_THROWS[row - 1].lands if row else (0.0, 0.0, 0.0) for row in rows.tolist()]
    )
    np.add.at(found, flights.catch, lands.reshape(-1, 3))
    count = np.bincount(flights.catch, minlength=len(found))
    found /= np.maximum(count, 1)[:, None]
    found += offsets_meanwhile(
        events.time, events.hand, events.kind, manners[:, 1], choreography.duration
    )
    found[:, 0] *= 1.0 - 2.0 * (events.hand % 2)
    return np.where(manners[:, 1:] > 0, 0.0, found)


def _way(choreography: Choreography, event: int) -> list[tuple[int, float, Floats]]:
    """The hands that pass points for an event around the body, when and where, [s], [m]."""
    events = choreography.events
    row = events.manners[event, 1]
    hand = int(events.hand[event])
    time = float(events.time[event])
    if not row:
        return []
    loop = choreography.duration
    beat = min(1.0 / choreography.bps, SLOWEST_BEAT)
    does = events.kind < HOLD
    mine = does & (events.hand == hand) & (np.arange(len(events.time)) != event)
    before, after = ((sign * (events.time[mine] - time)) % loop for sign in (-1, 1))
    since, until = (float(each.min(initial=loop)) for each in (before, after))
    busy = events.time[does & (events.hand == hand ^ 1)].tolist()
    found = [(hand, *each) for each in path_before(row, time, since, beat)]
    found += [(hand, *each) for each in path_after(row, time, until, beat)]
    found += [(hand ^ 1, *each) for each in path_of_other_hand(row, time, busy, loop, beat)]
    return [
        (passing, moment % loop, to_body_frame([point], np.array([passing]))[0])
        for passing, moment, point in found
    ]


def _points_around(choreography: Choreography, event: int) -> list[int]:
    """The points that hands pass for an event around the body and that are where such an event has
    them.
    """
    events = choreography.events
    loop = choreography.duration
    gone = list[int]()
    for passing, moment, place in _way(choreography, event):
        mine = np.flatnonzero((events.hand == passing) & (events.kind >= HOLD))
        near = np.abs(time_apart(events.time[mine], np.array(moment), loop)) < POINT_TIME
        near &= np.abs(events.position[mine] - place).max(axis=1, initial=0.0) < SAME_PLACE
        gone += mine[near].tolist()
    return gone


@dataclass(frozen=True)
class _HandSpan:
    """What a hand does from a throw to its next one.

    Args:
        hand: whose.
        throw: where it throws, shape (3,), [m].
        lasts: [s].
        since, place: of its catches, since the throw [s] and where, shapes (C,) and (C, 3).
        point_since, point_place: of its points, likewise.
        rows: numbers of the catches and points.
    """

    hand: int
    throw: Floats
    lasts: float
    since: Floats
    place: Floats
    point_since: Floats
    point_place: Floats
    rows: tuple[Integers, Integers]

    @classmethod
    def of(cls, choreography: Choreography, throw: int) -> _HandSpan:
        events = choreography.events
        loop = choreography.duration
        mine = np.flatnonzero(events.hand == events.hand[throw])
        since = (events.time[mine] - events.time[throw]) % loop
        throws = since[(events.kind[mine] == THROW) & (mine != throw)]
        lasts = float(throws.min(initial=loop))
        inside = (since > 0) & (since < lasts)
        mine = mine[inside]
        since = since[inside]
        mine = mine[np.argsort(since)]
        since = np.sort(since)
        catches = events.kind[mine] == CATCH
        rows = mine[catches], mine[~catches]
        times = since[catches], since[~catches]
        catch_place, point_place = (events.position[each] for each in rows)
        hand = int(events.hand[throw])
        return cls(
            hand, events.position[throw], lasts, times[0], catch_place, times[1], point_place, rows
        )

    def copied(self, choreography: Choreography, throw: int, mirrored: bool) -> Choreography:
        """The choreography in which a hand goes along this path from another throw on."""
        other = _HandSpan.of(choreography, throw)
        sign = -1.0 if mirrored and (self.hand ^ other.hand) % 2 else 1.0
        flip = np.array([sign, 1.0, 1.0])
        position = choreography.events.position.copy()
        position[throw] = self.throw * flip
        if len(self.since):
            which = np.minimum(np.arange(len(other.since)), len(self.since) - 1)
            position[other.rows[0]] = self.place[which] * flip
        start = float(choreography.events.time[throw])
        changed = _without(
            replace(choreography, events=replace(choreography.events, position=position)),
            other.rows[1].tolist(),
        )
        times = start + np.interp(self.point_since, self._moments(other), other._moments(self))
        for time, place in zip(times.tolist(), self.point_place, strict=True):
            if not _is_free(changed, other.hand, time):
                raise EditError(
                    _(
                        "there is no time for {count} points from that throw to the next; remove "
                        "some first",
                        count=len(times),
                    )
                )
            changed = _with_point(changed, other.hand, time, place * flip)
        return changed

    def _moments(self, other: _HandSpan) -> list[float]:
        """The throw, the catches as far as there are as many in both, and the next throw, since the
        throw [s].
        """
        since = self.since.tolist()
        if len(since) != len(other.since):
            since = [since[0], since[-1]] if len(since) and len(other.since) else []
        return [0.0, *since, self.lasts]


def _is_free(choreography: Choreography, hand: int, time: float) -> bool:
    events = choreography.events
    loop = choreography.duration
    apart = (events.time[events.hand == hand] - time + loop / 2) % loop - loop / 2
    return bool((np.abs(apart) >= POINT_APART - 1e-9).all())


def _with_point(choreography: Choreography, hand: int, time: float, place: Floats) -> Choreography:
    events = choreography.events
    grasp, body_throw = (
        None if each is None else np.append(each, 0) for each in (events.grasp, events.body_throw)
    )
    more = Events(
        np.append(events.time, time % choreography.duration),
        np.append(events.hand, hand),
        np.append(events.kind, MOVE),
        np.vstack([events.position, place]),
        grasp,
        body_throw,
    )
    return in_order(replace(choreography, events=more))


def _without(choreography: Choreography, gone: list[int]) -> Choreography:
    events = choreography.events
    flights = choreography.flights
    kept = ~np.isin(np.arange(len(events.time)), gone)
    number = np.cumsum(kept) - 1
    renumbered = replace(flights, throw=number[flights.throw], catch=number[flights.catch])
    return replace(choreography, events=events.taken(kept), flights=renumbered)
