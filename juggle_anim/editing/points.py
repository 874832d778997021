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
    if not _has_room_for_point(choreography, hand, time):
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
        image_hand = int(symmetry.hand(np.array([hand]), choreography.jugglers)[0])
        # Between a left and a right hand, the axis to the left is mirrored.
        place = np.array(wanted) * (-1.0 if (image_hand ^ hand) % 2 else 1.0, 1.0, 1.0)
        if _has_room_for_point(added, image_hand, time + symmetry.delay):
            added = _with_point(added, image_hand, time + symmetry.delay, place)
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
    return with_events(draft, _without_events(choreography, gone))


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
    targets = images(choreography, target, symmetries_of(draft)) if symmetric else [target]
    # Points come and go with each copy, so that throws are found again by hand and time.
    starts = [
        (int(events.hand[throw]), float(events.time[throw])) for throw in targets if throw != source
    ]
    for hand, time in starts:
        choreography = path.copied(choreography, event_at(choreography, hand, time), mirrored)
    return with_events(draft, choreography)


def with_manner(
    choreography: Choreography, events: Sequence[int], manner: Manner | None
) -> Choreography:
    """Return events of which some throw or catch in another manner.

    A hand goes to the place around its body and passes the points before and after it, and the
    other hand gives way where it has to. What is thrown so is caught where such throws come down.
    Where nothing of that kind is left to do, a hand throws or catches where it rests. All else
    stays where it is.

    Args:
        choreography: the events.
        events: rows of throws and catches.
        manner: their new manner; None for a throw as usual, from the grasp that caught the prop.
    """
    before = choreography
    # Points come and go, which renumbers events; they are found again by hand and time.
    sites = [
        (int(choreography.events.hand[event]), float(choreography.events.time[event]))
        for event in events
    ]
    for hand, time in sites:
        # The points of the old manner go.
        choreography = _without_events(
            choreography,
            _passed_points_of_body_throw(choreography, event_at(choreography, hand, time)),
        )
        event = event_at(choreography, hand, time)
        table = choreography.events
        manners = table.manners

        # The place around the body, or where the hand rests if the old manner had such a place.
        position = table.position.copy()
        if manner and manner.row:
            body_throw = BODY_THROWS[manner.row - 1]  # row 0 stands for none
            position[event] = to_body_frame([body_throw.place], np.array([hand]))[0]
        elif manners[event, 1]:
            position[event] = choreography.rest[hand]
        manners[event] = manner or (_grasp_before(choreography, event), 0)
        choreography = replace(
            choreography, events=replace(table, position=position).with_manners(manners)
        )

        # Catches of such throws, and the other hand, move; then the points of the new manner come.
        choreography = _with_offsets_of_manners(choreography, table.manners)
        for passing_hand, moment, place in _points_of_body_throw(
            choreography, event_at(choreography, hand, time)
        ):
            if _has_room_for_point(choreography, passing_hand, moment):
                choreography = _with_point(choreography, passing_hand, moment, place)

    # Throws of which nothing was said follow the grasps of their catches.
    manners = choreography.events.manners
    for flight, throw in enumerate(before.flights.throw.tolist()):
        usual_manner = (_grasp_before(before, throw), 0)
        if throw not in events and tuple(before.events.manners[throw]) == usual_manner:
            new_row = int(choreography.flights.throw[flight])
            manners[new_row, 0] = _grasp_before(choreography, new_row)
    return replace(choreography, events=choreography.events.with_manners(manners))


def _grasp_before(choreography: Choreography, throw: int) -> int:
    """Return the number of the grasp in which a hand caught the props of a throw.

    0 stands for the usual grasp, which also follows a catch around the body.
    """
    flights = choreography.flights
    manners = choreography.events.manners
    caught = flights.catch[flights.throw[choreography.rounds.following] == throw]
    return int(np.where(manners[caught, 1], 0, manners[caught, 0]).max(initial=0))


def _with_offsets_of_manners(choreography: Choreography, before: Integers) -> Choreography:
    """Events that are where throws in their manners have them, after they had others, shape (E,
    2).
    """
    events = choreography.events
    moved = _offsets_by_body_throws(choreography, events.manners) - _offsets_by_body_throws(
        choreography, before
    )
    position = events.position + np.where(events.manners[:, 1:] > 0, 0.0, moved)
    return replace(choreography, events=replace(events, position=position))


def _offsets_by_body_throws(choreography: Choreography, manners: Integers) -> Floats:
    """Return how far events are from their usual places because of throws around the body.

    These throws are caught elsewhere, and the other hand gives way meanwhile.

    Args:
        choreography: E events.
        manners: (E, 2), of each event its grasp and its throw or catch around the body, 0 for none.

    Returns:
        (E, 3), m: left, up and forward; 0 for events around the body, which have their own place.
    """
    events = choreography.events
    flights = choreography.flights
    offsets = np.zeros_like(events.position)

    # Catches: the mean over the props that are caught together.
    rows = manners[flights.throw, 1]
    landing_offsets = np.array(
        [BODY_THROWS[row - 1].lands if row else (0.0, 0.0, 0.0) for row in rows.tolist()]
    )
    np.add.at(offsets, flights.catch, landing_offsets.reshape(-1, 3))
    props_caught = np.bincount(flights.catch, minlength=len(offsets))
    offsets /= np.maximum(props_caught, 1)[:, None]

    # The other hand.
    offsets += offsets_meanwhile(
        events.time, events.hand, events.kind, manners[:, 1], choreography.duration
    )
    # Offsets so far are outward, which is to the right for right hands.
    offsets[:, 0] *= 1.0 - 2.0 * (events.hand % 2)
    return np.where(manners[:, 1:] > 0, 0.0, offsets)


def _points_of_body_throw(
    choreography: Choreography, event: int
) -> list[tuple[int, float, Floats]]:
    """Return the points that hands pass for a throw or catch around the body; none for another.

    Args:
        choreography: the events.
        event: row of the throw or catch.

    Returns:
        Hand, time in the loop [s], and place in the body frame [m], shape (3,), of each point.
    """
    events = choreography.events
    row = events.manners[event, 1]
    hand = int(events.hand[event])
    time = float(events.time[event])
    if not row:
        return []
    loop = choreography.duration
    beat = min(1.0 / choreography.bps, SLOWEST_BEAT)

    # Time that the hand has since its event before and until the one after, s.
    is_throw_or_catch = events.kind < HOLD
    of_hand = is_throw_or_catch & (events.hand == hand) & (np.arange(len(events.time)) != event)
    since, until = (
        float(((sign * (events.time[of_hand] - time)) % loop).min(initial=loop)) for sign in (-1, 1)
    )
    other_hand = hand ^ 1
    busy_times = events.time[is_throw_or_catch & (events.hand == other_hand)].tolist()
    points = [(hand, *point) for point in path_before(row, time, since, beat)]
    points += [(hand, *point) for point in path_after(row, time, until, beat)]
    points += [
        (other_hand, *point) for point in path_of_other_hand(row, time, busy_times, loop, beat)
    ]
    return [
        (passing_hand, moment % loop, to_body_frame([place], np.array([passing_hand]))[0])
        for passing_hand, moment, place in points
    ]


def _passed_points_of_body_throw(choreography: Choreography, event: int) -> list[int]:
    """Return the rows of points that hands pass for a throw or catch around the body.

    Points that were moved away from where such an event has them are left out.
    """
    events = choreography.events
    loop = choreography.duration
    rows = list[int]()
    for hand, moment, place in _points_of_body_throw(choreography, event):
        points = np.flatnonzero((events.hand == hand) & (events.kind >= HOLD))
        is_same = np.abs(time_apart(events.time[points], np.array(moment), loop)) < POINT_TIME
        is_same &= np.abs(events.position[points] - place).max(axis=1, initial=0.0) < SAME_PLACE
        rows += points[is_same].tolist()
    return rows


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
        """Return what a hand does from a throw, by its row, to its next throw."""
        events = choreography.events
        loop = choreography.duration
        rows = np.flatnonzero(events.hand == events.hand[throw])
        since = (events.time[rows] - events.time[throw]) % loop
        # A hand with a single throw comes back to it after a loop.
        later_throws = since[(events.kind[rows] == THROW) & (rows != throw)]
        lasts = float(later_throws.min(initial=loop))

        # Catches and points between the throws, in order of time.
        is_between = (since > 0) & (since < lasts)
        rows = rows[is_between]
        since = since[is_between]
        rows = rows[np.argsort(since)]
        since = np.sort(since)
        is_catch = events.kind[rows] == CATCH
        catch_rows = rows[is_catch]
        point_rows = rows[~is_catch]
        return cls(
            int(events.hand[throw]),
            events.position[throw],
            lasts,
            since[is_catch],
            events.position[catch_rows],
            since[~is_catch],
            events.position[point_rows],
            (catch_rows, point_rows),
        )

    def copied(self, choreography: Choreography, throw: int, mirrored: bool) -> Choreography:
        """Return a choreography in which a hand goes along this path from another throw on.

        Args:
            choreography: the events.
            throw: row of the throw.
            mirrored: whether the path is mirrored between a left and a right hand.

        Raises:
            EditError: there is no time for the points.
        """
        other = _HandSpan.of(choreography, throw)
        sign = -1.0 if mirrored and (self.hand ^ other.hand) % 2 else 1.0
        flip = np.array([sign, 1.0, 1.0])
        other_catches, other_points = other.rows

        # Throw and catches; more catches than this path has get the place of its last one.
        position = choreography.events.position.copy()
        position[throw] = self.throw * flip
        if len(self.since):
            catch_index = np.minimum(np.arange(len(other.since)), len(self.since) - 1)
            position[other_catches] = self.place[catch_index] * flip

        # Points at the same shares of the times between throws and catches.
        start = float(choreography.events.time[throw])
        changed = _without_events(
            replace(choreography, events=replace(choreography.events, position=position)),
            other_points.tolist(),
        )
        times = start + np.interp(
            self.point_since, self._matching_moments(other), other._matching_moments(self)
        )
        for time, place in zip(times.tolist(), self.point_place, strict=True):
            if not _has_room_for_point(changed, other.hand, time):
                raise EditError(
                    _(
                        "there is no time for {count} points from that throw to the next; remove "
                        "some first",
                        count=len(times),
                    )
                )
            changed = _with_point(changed, other.hand, time, place * flip)
        return changed

    def _matching_moments(self, other: _HandSpan) -> list[float]:
        """The throw, the catches as far as there are as many in both, and the next throw, since the
        throw [s].
        """
        since = self.since.tolist()
        if len(since) != len(other.since):
            since = [since[0], since[-1]] if len(since) and len(other.since) else []
        return [0.0, *since, self.lasts]


def _has_room_for_point(choreography: Choreography, hand: int, time: float) -> bool:
    events = choreography.events
    loop = choreography.duration
    apart = (events.time[events.hand == hand] - time + loop / 2) % loop - loop / 2
    return bool((np.abs(apart) >= POINT_APART - 1e-9).all())


def _with_point(choreography: Choreography, hand: int, time: float, place: Floats) -> Choreography:
    """Return a choreography with one more point, which a hand passes in the usual manner.

    Args:
        choreography: the events; those of the result are sorted again.
        hand: 2 · juggler + side (0 left, 1 right).
        time: s; taken into the loop.
        place: (3,), m, left, up and forward of the body.
    """
    events = choreography.events
    grasp, body_throw = (
        None if column is None else np.append(column, 0)
        for column in (events.grasp, events.body_throw)
    )
    with_point = Events(
        np.append(events.time, time % choreography.duration),
        np.append(events.hand, hand),
        np.append(events.kind, MOVE),
        np.vstack([events.position, place]),
        grasp,
        body_throw,
    )
    return in_order(replace(choreography, events=with_point))


def _without_events(choreography: Choreography, gone: list[int]) -> Choreography:
    """Return a choreography without some points, by their rows; flights are renumbered."""
    events = choreography.events
    flights = choreography.flights
    is_kept = ~np.isin(np.arange(len(events.time)), gone)
    new_row = np.cumsum(is_kept) - 1
    renumbered = replace(flights, throw=new_row[flights.throw], catch=new_row[flights.catch])
    return replace(choreography, events=events.taken(is_kept), flights=renumbered)
