"""Editing paths of hands: points that they pass between throws and catches, and whole paths from
throw to throw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
from juggle_anim.editing.symmetry import images_of_event, symmetries_around, time_apart
from juggle_anim.errors import EditError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass


def add_point(
    draft: Draft,
    hand: int,
    time: float,
    position: Sequence[float] | None = None,
    symmetric: bool = True,
) -> Draft:
    """Add a point that a hand passes.

    With `symmetric`, the images of the point are added too, where another event of their hand is
    not too near; in hands of the other side they are mirrored.

    Args:
        draft: what is edited.
        hand: 2 · juggler + side, side 0 left and 1 right.
        time: when, [s].
        position: where, to the left, up and forward of its body, [m]; None for where the hand is
            then.
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
        raise EditError(
            _("give the new point a place: left, up and forward of the body, in metres")
        )
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
        place = np.array(wanted) * (-1.0 if symmetry.swaps_sides else 1.0, 1.0, 1.0)
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
                "event {event} is a throw or catch; only points on a hand's path can be removed",
                event=event,
            )
        )
    gone = images_of_event(choreography, event, symmetries_of(draft)) if symmetric else [event]
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
                    "event {event} is not a throw; a path goes from one throw to the next",
                    event=event,
                )
            )
    events = choreography.events
    path = _HandSpan.from_throw(choreography, source)
    targets = images_of_event(choreography, target, symmetries_of(draft)) if symmetric else [target]
    # By hand and time, since events get other numbers with each change.
    starts = [
        (int(events.hand[throw]), float(events.time[throw])) for throw in targets if throw != source
    ]
    for hand, time in starts:
        choreography = path.copy_to(
            choreography, event_at(choreography, hand, time), mirrored=mirrored
        )
    return with_events(draft, choreography)


def with_manner(
    choreography: Choreography, events: Sequence[int], manner: Manner | None
) -> Choreography:
    """Return a choreography in which some throws and catches have another manner.

    For a throw or catch around the body, the hand goes to its place there, passing points before
    and after it, and the other hand gives way if it has to; the prop is caught where such throws
    come down. If a throw or catch was around the body and is no longer, it is put where the hand
    rests, and its points are taken away. Other events stay where they are. Events get other
    numbers as points come and go.

    Args:
        choreography: the events.
        events: numbers of throws and catches.
        manner: the new one; None for a usual throw, from the grasp that caught the prop.
    """
    before = choreography
    # By hand and time, since events get other numbers.
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
        manners = table.manners  # columns: grasp, row of the body throw
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

    # Other throws that were made from the grasp of their catch still are.
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
    grasps, body_throws = manners[caught].T
    return int(np.where(body_throws, 0, grasps).max(initial=0))


def _with_offsets_of_manners(choreography: Choreography, before: Integers) -> Choreography:
    """The choreography with events moved, as throws around the body have come or gone.

    Such throws move the catches of their props and the other hand, see `_offsets_by_body_throws`:
    events move by what they are to be moved now less what they were before.

    Args:
        choreography: with the new manners, events still in the old places.
        before: the manners to which the old places belong, shape (E, 2).
    """
    events = choreography.events
    old_offsets = _offsets_by_body_throws(choreography, before)
    new_offsets = _offsets_by_body_throws(choreography, events.manners)
    # Events around the body have places of their own.
    is_around_body = events.manners[:, 1:] > 0
    position = events.position + np.where(is_around_body, 0.0, new_offsets - old_offsets)
    return replace(choreography, events=replace(events, position=position))


def _offsets_by_body_throws(choreography: Choreography, manners: Integers) -> Floats:
    """How far from their usual places events are because of throws around the body.

    Such throws are caught elsewhere, and the other hand gives way meanwhile.

    Args:
        choreography: of E events.
        manners: grasp and row of the body throw of each event, shape (E, 2).

    Returns:
        Shape (E, 3), m, in the frames of the bodies; 0 for events around the body themselves.
    """
    events = choreography.events
    flights = choreography.flights
    _grasps, body_throws = manners.T
    # Catches: the mean offset of the props that are caught together.
    offsets = np.zeros_like(events.position)
    rows_of_flights = body_throws[flights.throw].tolist()  # counted from 1; 0 for a usual throw
    landing_offsets = np.array(
        [BODY_THROWS[row - 1].lands if row else (0.0, 0.0, 0.0) for row in rows_of_flights]
    )
    np.add.at(offsets, flights.catch, landing_offsets.reshape(-1, 3))
    count = np.bincount(flights.catch, minlength=len(offsets))
    offsets /= np.maximum(count, 1)[:, None]
    offsets += offsets_meanwhile(
        events.time, events.hand, events.kind, body_throws, choreography.duration
    )
    # From outward to the left of the body: outward of a right hand is to the right.
    offsets[:, 0] *= 1.0 - 2.0 * (events.hand % 2)
    return np.where(body_throws[:, None] > 0, 0.0, offsets)


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

    # Time since the hand's throw or catch before this one, and until the next, [s]; and when the
    # other hand throws and catches.
    throws_or_catches = events.kind < HOLD
    is_beside = throws_or_catches & (events.hand == hand) & (np.arange(len(events.time)) != event)
    delays = events.time[is_beside] - time
    since = float((-delays % loop).min(initial=loop))
    until = float((delays % loop).min(initial=loop))
    other_hand = hand ^ 1
    busy = events.time[throws_or_catches & (events.hand == other_hand)].tolist()

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
    """Rows of the points that hands pass because of an event around the body.

    Points that have been moved are left out: those farther than `POINT_TIME` or `SAME_PLACE` from
    where the throw puts them, as far as a file of settings can tell times and places apart. An
    event that is not around the body has none.
    """
    events = choreography.events
    loop = choreography.duration
    rows = list[int]()
    for passing_hand, moment, place in _points_for_body_throw(choreography, event):
        # Kinds from `HOLD` on, which are holds and moves, are points; those before are throws and
        # catches.
        points = np.flatnonzero((events.hand == passing_hand) & (events.kind >= HOLD))
        is_near = np.abs(time_apart(events.time[points], np.array(moment), loop)) < POINT_TIME
        is_near &= np.abs(events.position[points] - place).max(axis=1, initial=0.0) < SAME_PLACE
        rows += points[is_near].tolist()
    return rows


@dataclass(frozen=True)
class _HandSpan:
    """What a hand does from a throw to its next one.

    Args:
        hand: 2 · juggler + side.
        throw_position: where it throws, shape (3,), [m].
        duration: until the next throw, [s].
        catch_rows, point_rows: numbers of its catches and of the points that it passes.
        catch_since, point_since: their times since the throw, ascending, [s].
        catch_position, point_position: where they are, shapes (C, 3) and (P, 3), [m].
    """

    hand: int
    throw_position: Floats
    duration: float
    catch_rows: Integers
    catch_since: Floats
    catch_position: Floats
    point_rows: Integers
    point_since: Floats
    point_position: Floats

    @classmethod
    def from_throw(cls, choreography: Choreography, throw: int) -> _HandSpan:
        """The span of a hand that begins with a throw.

        Args:
            choreography: the events.
            throw: number of the throw.
        """
        events = choreography.events
        loop = choreography.duration
        rows = np.flatnonzero(events.hand == events.hand[throw])
        since = (events.time[rows] - events.time[throw]) % loop
        # The next throw ends the span; a single throw is followed by itself after a loop.
        other_throws = since[(events.kind[rows] == THROW) & (rows != throw)]
        duration = float(other_throws.min(initial=loop))
        is_inside = (since > 0) & (since < duration)
        rows = rows[is_inside]
        since = since[is_inside]
        rows = rows[np.argsort(since)]
        since = np.sort(since)
        is_catch = events.kind[rows] == CATCH
        catches = rows[is_catch]
        points = rows[~is_catch]
        return cls(
            hand=int(events.hand[throw]),
            throw_position=events.position[throw],
            duration=duration,
            catch_rows=catches,
            catch_since=since[is_catch],
            catch_position=events.position[catches],
            point_rows=points,
            point_since=since[~is_catch],
            point_position=events.position[points],
        )

    def copy_to(self, choreography: Choreography, throw: int, *, mirrored: bool) -> Choreography:
        """The choreography in which a hand follows this path from another throw on.

        The other throw, its catches and its points up to the next throw get the places of this
        path. Throws and catches keep their times. Points are replaced by those of this path, at the
        same shares of the times between throws and catches. The next throw keeps its place.

        Args:
            choreography: the events.
            throw: number of the other throw.
            mirrored: whether the path is mirrored for a hand of the other side.

        Raises:
            EditError: there is no time for the points.
        """
        target = _HandSpan.from_throw(choreography, throw)
        sign = -1.0 if mirrored and (self.hand ^ target.hand) % 2 else 1.0
        flip = np.array([sign, 1.0, 1.0])

        # The throw and the catches; where the target has more catches than this path, the further
        # ones take the place of its last catch.
        position = choreography.events.position.copy()
        position[throw] = self.throw_position * flip
        if len(self.catch_since):
            sources = np.minimum(np.arange(len(target.catch_since)), len(self.catch_since) - 1)
            position[target.catch_rows] = self.catch_position[sources] * flip

        # Times since the throw are mapped linearly between events that both paths have.
        start = float(choreography.events.time[throw])
        changed = _without_events(
            replace(choreography, events=replace(choreography.events, position=position)),
            target.point_rows.tolist(),
        )
        times = start + np.interp(
            self.point_since, self._matching_times(target), target._matching_times(self)
        )
        for time, place in zip(times.tolist(), self.point_position, strict=True):
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
        """Times of events that have a counterpart in another span, since the throw, [s].

        These are the throw; the catches if both spans have as many, else the first and the last if
        both have any; and the next throw. So the other span gives a list of the same length.
        """
        catches = self.catch_since.tolist()
        if len(catches) != len(other.catch_since):
            catches = [catches[0], catches[-1]] if catches and len(other.catch_since) else []
        return [0.0, *catches, self.duration]


def _has_room_for_point(choreography: Choreography, hand: int, time: float) -> bool:
    """Whether no event of a hand is too near to a time [s] for a point."""
    events = choreography.events
    apart = time_apart(events.time[events.hand == hand], np.array(time), choreography.duration)
    return bool((np.abs(apart) >= POINT_APART - 1e-9).all())  # exactly that far is allowed


def _with_point(choreography: Choreography, hand: int, time: float, place: Floats) -> Choreography:
    """The choreography with another point that a hand passes; events may get other numbers.

    Args:
        choreography: the events.
        hand: 2 · juggler + side.
        time: when the hand passes it, [s].
        place: where, shape (3,), m, in the frame of the body.
    """
    events = choreography.events
    # Columns that are None if all throws and catches are as usual.
    grasp, body_throw = (
        None if column is None else np.append(column, 0)
        for column in (events.grasp, events.body_throw)
    )
    with_new = Events(
        time=np.append(events.time, time % choreography.duration),
        hand=np.append(events.hand, hand),
        kind=np.append(events.kind, MOVE),  # `in_order` makes it a HOLD if the hand carries a prop
        position=np.vstack([events.position, place]),
        grasp=grasp,
        body_throw=body_throw,
    )
    return in_order(replace(choreography, events=with_new))


def _without_events(choreography: Choreography, removed: list[int]) -> Choreography:
    """The choreography without some points; its other events are numbered anew.

    Args:
        choreography: the events.
        removed: numbers of points, on which no flight begins or ends.
    """
    events = choreography.events
    flights = choreography.flights
    stays = ~np.isin(np.arange(len(events.time)), removed)
    # The number of an event that stays is how many stay before it.
    new_number = np.cumsum(stays) - 1
    renumbered = replace(flights, throw=new_number[flights.throw], catch=new_number[flights.catch])
    return replace(choreography, events=events.taken(stays), flights=renumbered)
