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
from juggle_anim.choreography.manners import BODY_THROWS, Manner, body_throw_of_row
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
    # Images of the point, mirrored in hands of the other side; where another event is near, none.
    for symmetry in (
        symmetries_around(choreography, hand, time, symmetries_of(draft)) if symmetric else ()
    ):
        image_hand = int(symmetry.hand(np.array([hand]), choreography.jugglers)[0])
        is_other_side = (image_hand ^ hand) % 2
        place = np.array(wanted) * (-1.0 if is_other_side else 1.0, 1.0, 1.0)
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
    # By hand and time, since events get other numbers with each change.
    starts = [
        (int(events.hand[throw]), float(events.time[throw])) for throw in targets if throw != source
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
    # By hand and time, since events get other numbers as points come and go.
    for hand, time in [
        (int(choreography.events.hand[event]), float(choreography.events.time[event]))
        for event in events
    ]:
        # Take away the points of the old manner.
        choreography = _without_events(
            choreography, _points_around(choreography, event_at(choreography, hand, time))
        )

        # Put the event in its place, and others where the new manner has them.
        event = event_at(choreography, hand, time)
        table = choreography.events
        manners = table.manners
        position = table.position.copy()
        if manner and manner.row:
            # Rows of body throws count from 1; 0 is none.
            body_throw = BODY_THROWS[manner.row - 1]
            position[event] = to_body_frame([body_throw.place], np.array([hand]))[0]
        elif manners[event, 1]:
            position[event] = choreography.rest[hand]
        manners[event] = manner or (_grasp_before(choreography, event), 0)
        choreography = replace(
            choreography, events=replace(table, position=position).with_manners(manners)
        )
        choreography = _with_offsets_of_manners(choreography, table.manners)

        # Add the points of the new manner where there is room.
        for passing_hand, moment, place in _points_for_body_throw(
            choreography, event_at(choreography, hand, time)
        ):
            if _has_room_for_point(choreography, passing_hand, moment):
                choreography = _with_point(choreography, passing_hand, moment, place)

    # Throws of which nothing is said are made from the grasps of their catches, so they follow
    # these.
    manners = choreography.events.manners
    for flight, throw in enumerate(before.flights.throw.tolist()):
        follows_catch = tuple(before.events.manners[throw]) == (_grasp_before(before, throw), 0)
        if throw not in events and follows_catch:
            new_throw = int(choreography.flights.throw[flight])
            manners[new_throw, 0] = _grasp_before(choreography, new_throw)
    return replace(choreography, events=choreography.events.with_manners(manners))


def _grasp_before(choreography: Choreography, throw: int) -> int:
    """The grasp in which a hand caught what it throws; 0 for a catch around the body.

    Of several props, the greatest grasp.
    """
    flights = choreography.flights
    manners = choreography.events.manners
    caught = flights.catch[flights.throw[choreography.rounds.following] == throw]
    return int(np.where(manners[caught, 1], 0, manners[caught, 0]).max(initial=0))


def _with_offsets_of_manners(choreography: Choreography, before: Integers) -> Choreography:
    """The choreography with events moved to where throws around the body have them.

    Args:
        choreography: with the new manners, events still in the old places.
        before: the manners for which the places are, shape (E, 2).
    """
    events = choreography.events
    moved = _offsets_by_body_throws(choreography, events.manners) - _offsets_by_body_throws(
        choreography, before
    )
    # Events around the body have places of their own.
    position = events.position + np.where(events.manners[:, 1:] > 0, 0.0, moved)
    return replace(choreography, events=replace(events, position=position))


def _offsets_by_body_throws(choreography: Choreography, manners: Integers) -> Floats:
    """How far from their usual places events are because of throws around the body.

    Such throws are caught elsewhere, and the other hand gives way meanwhile.

    Args:
        choreography: of E events.
        manners: of these, shape (E, 2).

    Returns:
        Shape (E, 3), m, in the frames of the bodies; 0 for events around the body themselves.
    """
    events = choreography.events
    flights = choreography.flights
    # Catches: the mean offset of the props that are caught together.
    offsets = np.zeros_like(events.position)
    body_throw_rows = manners[flights.throw, 1]
    landing_offsets = np.array(
        [BODY_THROWS[row - 1].lands if row else (0.0, 0.0, 0.0) for row in body_throw_rows.tolist()]
    )
    np.add.at(offsets, flights.catch, landing_offsets.reshape(-1, 3))
    count = np.bincount(flights.catch, minlength=len(offsets))
    offsets /= np.maximum(count, 1)[:, None]
    offsets += offsets_meanwhile(
        events.time, events.hand, events.kind, manners[:, 1], choreography.duration
    )
    # From outward to the left of the body: outward of a right hand is to the right.
    offsets[:, 0] *= 1.0 - 2.0 * (events.hand % 2)
    return np.where(manners[:, 1:] > 0, 0.0, offsets)


def _points_for_body_throw(
    choreography: Choreography, event: int
) -> list[tuple[int, float, Floats]]:
    """The points that hands pass for an event around the body; empty for any other event.

    Args:
        choreography: the events.
        event: number of a throw or catch.

    Returns:
        For each point the hand, the time within the loop [s], and the place, shape (3,), m, in the
        frame of the body.
    """
    events = choreography.events
    body_throw = body_throw_of_row(int(events.manners[event, 1]))
    hand = int(events.hand[event])
    time = float(events.time[event])
    if not body_throw:
        return []
    loop = choreography.duration
    beat = min(1.0 / choreography.bps, SLOWEST_BEAT)

    # The time since the hand's event before, until that after it, and what the other hand does.
    does = events.kind < HOLD
    own = does & (events.hand == hand) & (np.arange(len(events.time)) != event)
    before, after = ((sign * (events.time[own] - time)) % loop for sign in (-1, 1))
    since, until = (float(times.min(initial=loop)) for times in (before, after))
    other_hand = hand ^ 1
    busy = events.time[does & (events.hand == other_hand)].tolist()

    points = [(hand, *point) for point in path_before(body_throw, time, since, beat)]
    points += [(hand, *point) for point in path_after(body_throw, time, until, beat)]
    points += [
        (other_hand, *point) for point in path_of_other_hand(body_throw, time, busy, loop, beat)
    ]
    return [
        (passing_hand, moment % loop, to_body_frame([place], np.array([passing_hand]))[0])
        for passing_hand, moment, place in points
    ]


def _points_around(choreography: Choreography, event: int) -> list[int]:
    """The numbers of the points that hands pass for an event around the body.

    Only those still count that are where and when such an event has them.
    """
    events = choreography.events
    loop = choreography.duration
    rows = list[int]()
    for passing_hand, moment, place in _points_for_body_throw(choreography, event):
        points = np.flatnonzero((events.hand == passing_hand) & (events.kind >= HOLD))
        is_near = np.abs(time_apart(events.time[points], np.array(moment), loop)) < POINT_TIME
        is_near &= np.abs(events.position[points] - place).max(axis=1, initial=0.0) < SAME_PLACE
        rows += points[is_near].tolist()
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
        """The span of a hand from one of its throws on.

        Args:
            choreography: the events.
            throw: number of the throw.
        """
        events = choreography.events
        loop = choreography.duration
        rows = np.flatnonzero(events.hand == events.hand[throw])
        since = (events.time[rows] - events.time[throw]) % loop
        # The next throw ends it; with a single throw, a whole loop.
        throws = since[(events.kind[rows] == THROW) & (rows != throw)]
        lasts = float(throws.min(initial=loop))
        is_inside = (since > 0) & (since < lasts)
        rows = rows[is_inside]
        since = since[is_inside]
        rows = rows[np.argsort(since)]
        since = np.sort(since)
        is_catch = events.kind[rows] == CATCH
        catches = rows[is_catch]
        points = rows[~is_catch]
        return cls(
            hand=int(events.hand[throw]),
            throw=events.position[throw],
            lasts=lasts,
            since=since[is_catch],
            place=events.position[catches],
            point_since=since[~is_catch],
            point_place=events.position[points],
            rows=(catches, points),
        )

    def copied(self, choreography: Choreography, throw: int, mirrored: bool) -> Choreography:
        """The choreography in which a hand goes along this path from another throw on.

        Args:
            choreography: the events.
            throw: number of the other throw.
            mirrored: whether the path is mirrored for a hand of the other side.

        Raises:
            EditError: there is no time for the points.
        """
        target = _HandSpan.of(choreography, throw)
        sign = -1.0 if mirrored and (self.hand ^ target.hand) % 2 else 1.0
        flip = np.array([sign, 1.0, 1.0])

        # Places of the throw and the catches; more catches than here take the last place.
        position = choreography.events.position.copy()
        position[throw] = self.throw * flip
        target_catches, target_points = target.rows
        if len(self.since):
            nearest = np.minimum(np.arange(len(target.since)), len(self.since) - 1)
            position[target_catches] = self.place[nearest] * flip

        # The points in place of those that were there, at the same shares of the times between.
        start = float(choreography.events.time[throw])
        changed = _without_events(
            replace(choreography, events=replace(choreography.events, position=position)),
            target_points.tolist(),
        )
        times = start + np.interp(
            self.point_since, self._matching_times(target), target._matching_times(self)
        )
        for time, place in zip(times.tolist(), self.point_place, strict=True):
            if not _has_room_for_point(changed, target.hand, time):
                raise EditError(
                    _(
                        "there is no time for {count} points from that throw to the next; remove "
                        "some first",
                        count=len(times),
                    )
                )
            changed = _with_point(changed, target.hand, time, place * flip)
        return changed

    def _matching_times(self, other: _HandSpan) -> list[float]:
        """Times since the throw that correspond to those of another span, [s].

        These are the throw, the catches if both have as many, else the first and the last if both
        have any, and the next throw.
        """
        since = self.since.tolist()
        if len(since) != len(other.since):
            since = [since[0], since[-1]] if len(since) and len(other.since) else []
        return [0.0, *since, self.lasts]


def _has_room_for_point(choreography: Choreography, hand: int, time: float) -> bool:
    """Whether no event of a hand is too near to a time [s] for a point."""
    events = choreography.events
    loop = choreography.duration
    # The shorter way round the loop; rounding must not refuse a point at just that distance.
    apart = (events.time[events.hand == hand] - time + loop / 2) % loop - loop / 2
    return bool((np.abs(apart) >= POINT_APART - 1e-9).all())


def _with_point(choreography: Choreography, hand: int, time: float, place: Floats) -> Choreography:
    """The choreography with one point more; all its events are numbered anew.

    Args:
        choreography: the events.
        hand: 2 · juggler + side.
        time: when the hand passes it, [s].
        place: where, shape (3,), m, in the frame of the body.
    """
    events = choreography.events
    # Columns that may be missing.
    grasp, body_throw = (
        None if column is None else np.append(column, 0)
        for column in (events.grasp, events.body_throw)
    )
    more = Events(
        np.append(events.time, time % choreography.duration),
        np.append(events.hand, hand),
        # `in_order` says whether the hand carries a prop there.
        np.append(events.kind, MOVE),
        np.vstack([events.position, place]),
        grasp,
        body_throw,
    )
    return in_order(replace(choreography, events=more))


def _without_events(choreography: Choreography, removed: list[int]) -> Choreography:
    """The choreography without some points; its other events are numbered anew.

    Args:
        choreography: the events.
        removed: numbers of points, on which no flight begins or ends.
    """
    events = choreography.events
    flights = choreography.flights
    stays = ~np.isin(np.arange(len(events.time)), removed)
    new_number = np.cumsum(stays) - 1
    renumbered = replace(flights, throw=new_number[flights.throw], catch=new_number[flights.catch])
    return replace(choreography, events=events.taken(stays), flights=renumbered)
