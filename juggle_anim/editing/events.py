"""Editing events: throws, catches and points of hand paths in time and place.

Events are numbered as the rows of `animation.choreography.events`; places are those of its
`position`: to the left, up and forward of the point on the floor under the body, [m].

Editing paths of hands: points that they pass between throws and catches, and whole paths from
throw to throw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import (
    AIR,
    BODY_THROWS,
    CATCH,
    CATCHES,
    GRASPS,
    HOLD,
    MOVE,
    SLOWEST_BEAT,
    THROW,
    CatchStyle,
    Choreography,
    Events,
    Manner,
    body_throw_of_row,
    catch_manner,
    other_hand_offsets,
    other_hand_points,
    points_after_event,
    points_before_event,
    repeat_to_full_loop,
    to_body_frame,
)
from juggle_anim.choreography.unroll import with_exchanged_landings
from juggle_anim.editing.draft import (
    Draft,
    base_of,
    events_of,
    flight_sites,
    in_order,
    points_coincide,
    symmetries_of,
    to_events,
    with_events,
    with_grasps,
)
from juggle_anim.editing.symmetry import (
    MIN_FLIGHT,
    POINT_APART,
    Symmetry,
    TimeLimits,
    check_bounces,
    check_event,
    check_seconds,
    checked_place,
    delay_limits,
    event_at,
    images_of_event,
    mirrored_places,
    side_signs,
    symmetries_around,
    time_apart,
    with_kept_events,
)
from juggle_anim.errors import EditError, JuggleError, printable
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass


def add_point(
    draft: Draft,
    hand: int,
    time: float,
    position: Sequence[float] | None = None,
    symmetric: bool = True,
) -> Draft:
    """Add a point to the path of a hand.

    With `symmetric`, the images of the point are added too, where another event of their hand is
    not too near; in hands of the other side they are mirrored.

    Args:
        draft: the score and the parameters that are edited.
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
            _("give the position of the new point: left, up and forward of the body, in metres")
        )
    if not _has_room_for_point(choreography, hand, time):
        # `POINT_APART` is the least time from a point to any other event of its hand, [s].
        raise EditError(
            _(
                "another event of that hand is within {point_apart:g} s of {time:.3f} s; choose "
                "another time",
                point_apart=POINT_APART,
                time=time,
            )
        )
    added = _with_point(choreography, hand, time, wanted)
    candidates = symmetries_of(draft) if symmetric else []
    for symmetry in symmetries_around(choreography, hand, time, candidates):
        image_hand = int(symmetry.hand(np.array([hand]), choreography.jugglers)[0])
        image_time = time + symmetry.delay
        # Places are to the left, up and forward: for a hand of the other side, left becomes right.
        image_place = wanted * (-1.0 if symmetry.swaps_sides else 1.0, 1.0, 1.0)
        if _has_room_for_point(added, image_hand, image_time):
            added = _with_point(added, image_hand, image_time, image_place)
    return with_events(draft, added)


def remove_point(draft: Draft, event: int, symmetric: bool = True) -> Draft:
    """Remove a point from the path of a hand and, with `symmetric`, its mirror images.

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
    gone = event_with_images(draft, choreography, event, symmetric=symmetric)
    return with_events(draft, _without_points(choreography, gone))


def copy_path(
    draft: Draft, source: int, target: int, mirrored: bool = True, symmetric: bool = True
) -> Draft:
    """Copy a hand's path between two throws from another hand, or from another beat of the same
    hand.

    Its throw, its catches and its points get the places of the other's; points come at the same
    shares of the times between. Its next throw stays where it is.

    Args:
        draft: the score and the parameters that are edited.
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
    # What the hand does from the source to its next throw.
    path = _HandSpan.from_throw(choreography, source)
    targets = event_with_images(draft, choreography, target, symmetric=symmetric)
    # Targets are found again by hand and time, since events get other numbers with each change.
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

    A manner is the way in which a hand throws or catches: a grasp (which way up the hand is), and a
    row in the table of throws and catches around the body.

    - A throw or catch that is now around the body gets its place beside the body, points on the
      paths of both hands before and after it, and another place where its prop is caught.
    - One that is no longer around the body goes to the rest position of the hand, without these
      points.
    - Other throws that keep the grasp of the catch before them follow a change of that grasp.

    All other events keep their places. Rows of events change as points are added and removed.

    Args:
        choreography: timed events (throws, catches, points that hands pass), flights and orbits of
            props.
        events: rows of throws and catches.
        manner: the new manner; None for a default throw, from the grasp that caught the prop.
    """
    before = choreography
    # Events are found by hand and time, since their rows change.
    table = before.events
    for hand, time in zip(
        table.hand[list(events)].tolist(), table.time[list(events)].tolist(), strict=True
    ):
        # Remove the points that the old manner has put on paths of hands.
        choreography = _without_points(
            choreography, _points_around(choreography, event_at(choreography, hand, time))
        )
        choreography = _placed_by_manner(choreography, event_at(choreography, hand, time), manner)
        # Add the points of the new manner that are not too near in time to other events of the
        # hand.
        for passing_hand, moment, place in _points_for_body_throw(
            choreography, event_at(choreography, hand, time)
        ):
            if _has_room_for_point(choreography, passing_hand, moment):
                choreography = _with_point(choreography, passing_hand, moment, place)

    # Other throws that used the grasp of the catch before them take over a changed grasp. Flights
    # keep their rows, so the same throw is found through its flight. A manner is a grasp and the
    # row of a body throw, 0 for none.
    manners = choreography.events.manners
    for throw, new_throw in zip(
        before.flights.throw.tolist(), choreography.flights.throw.tolist(), strict=True
    ):
        follows_catch = tuple(table.manners[throw]) == (_grasp_before(before, throw), 0)
        if throw not in events and follows_catch:
            manners[new_throw, 0] = _grasp_before(choreography, new_throw)
    return replace(choreography, events=choreography.events.with_manners(manners))


def _placed_by_manner(
    choreography: Choreography, event: int, manner: Manner | None
) -> Choreography:
    """Return a choreography in which an event has a manner and the place that goes with it.

    A manner is the way in which a hand throws or catches: a grasp, and a row in the table of throws
    and catches around the body. Catches of props thrown around the body, and the other hand, which
    gives way meanwhile, move too. Points of hands stay.

    Args:
        choreography: timed events (throws, catches, points that hands pass), flights and orbits of
            props.
        event: row of a throw or catch.
        manner: the new manner; None for a default throw, from the grasp that caught the prop.
    """
    table = choreography.events
    hand = int(table.hand[event])
    manners = table.manners  # columns: grasp, row of the body throw; a copy
    position = table.position.copy()
    if manner and manner.row:
        # Rows of body throws count from 1; 0 is none.
        body_throw = BODY_THROWS[manner.row - 1]
        position[event] = to_body_frame([body_throw.place], np.array([hand]))[0]
    elif manners[event, 1]:
        # The event was around the body, and is no longer.
        position[event] = choreography.rest[hand]
    manners[event] = manner or (_grasp_before(choreography, event), 0)
    changed = replace(choreography, events=replace(table, position=position).with_manners(manners))
    return _with_offsets_of_manners(changed, table.manners)


def _grasp_before(choreography: Choreography, throw: int) -> int:
    """Return the number of the grasp in which a hand caught what it throws.

    It is 0, the usual grasp, for a catch around the body. Of several props that are thrown together
    the greatest number counts.

    Args:
        choreography: events with manners, flights and orbits of props.
        throw: row of the throw.
    """
    flights = choreography.flights
    manners = choreography.events.manners
    # Rows of the catches of those props whose next throw this is.
    caught = flights.catch[flights.throw[choreography.flight_links.next_flight] == throw]
    grasps, body_throws = manners[caught].T
    return int(np.where(body_throws, 0, grasps).max(initial=0))


def _with_offsets_of_manners(choreography: Choreography, before: Integers) -> Choreography:
    """Return the choreography with events moved as throws around the body were added or removed.

    Such throws move the catches of their props and the other hand (`_offsets_by_body_throws`).
    Events move by the difference of their new and old offsets from the usual places, so that other
    shifts of their places stay.

    Args:
        choreography: the choreography with the new manners, events still in the old places.
        before: the manners to which the old places belong, shape (E, 2) for E events: the grasp,
            and the row in the table of throws around the body, 0 for none.
    """
    events = choreography.events
    old_offsets = _offsets_by_body_throws(choreography, before)
    new_offsets = _offsets_by_body_throws(choreography, events.manners)
    # Events around the body have places of their own.
    is_around_body = events.manners[:, 1:] > 0
    position = events.position + np.where(is_around_body, 0.0, new_offsets - old_offsets)
    return replace(choreography, events=replace(events, position=position))


def _offsets_by_body_throws(choreography: Choreography, manners: Integers) -> Floats:
    """Return how far from their usual places events are because of throws around the body.

    Such throws are caught elsewhere, and the other hand gives way meanwhile.

    Args:
        choreography: E events with times and places (throws, catches, points that hands pass),
            flights and orbits of props.
        manners: how hands throw and catch in each event, shape (E, 2): the grasp, and the row of
            the throw around the body in `BODY_THROWS`, counted from 1, 0 for none.

    Returns:
        Shape (E, 3), [m], in the frames of the bodies; 0 for events around the body themselves.
    """
    events = choreography.events
    flights = choreography.flights
    body_throws = manners[:, 1]
    # Where props land, outward, up and forward of the usual place, (F, 3) for F flights, even none.
    rows_of_flights = body_throws[flights.throw].tolist()
    landing_offsets = np.array(
        [BODY_THROWS[row - 1].lands if row else (0.0, 0.0, 0.0) for row in rows_of_flights]
    ).reshape(-1, 3)
    # A catch is moved by the mean of the props that are caught together.
    offsets = np.zeros_like(events.position)
    np.add.at(offsets, flights.catch, landing_offsets)
    prop_count = np.bincount(flights.catch, minlength=len(offsets))
    offsets /= np.maximum(prop_count, 1)[:, None]
    offsets += other_hand_offsets(
        events.time, events.hand, events.kind, body_throws, choreography.duration
    )
    # From outward to the left of the body: outward of a right hand is to the right.
    offsets[:, 0] *= side_signs(events.hand)
    return np.where(body_throws[:, None] > 0, 0.0, offsets)


def _points_for_body_throw(
    choreography: Choreography, event: int
) -> list[tuple[int, float, Floats]]:
    """Return the points that hands pass for an event around the body; empty for any other event.

    For a throw or catch around the body, such as a backcross, the hand passes points before and
    after it, and the other hand gives way.

    Args:
        choreography: the choreography with the event.
        event: row of a throw or catch.

    Returns:
        For each point the hand, the time within the loop [s], and the place, shape (3,), to the
        left, up and forward of the body, [m].
    """
    events = choreography.events
    body_throw = body_throw_of_row(int(events.manners[event, 1]))
    hand = int(events.hand[event])
    time = float(events.time[event])
    if not body_throw:
        return []
    loop = choreography.duration
    beat = min(1.0 / choreography.bps, SLOWEST_BEAT)

    # Points must fit between the hand's last throw or catch and its next one: the times since the
    # one and until the other, [s]. The times of the other hand's throws and catches limit its own
    # points. Without any other event of a hand, the loop is the limit.
    is_throw_or_catch = events.kind < HOLD
    is_neighbour = (
        is_throw_or_catch & (events.hand == hand) & (np.arange(len(events.time)) != event)
    )
    delays = events.time[is_neighbour] - time
    time_since_last = float((-delays % loop).min(initial=loop))
    time_until_next = float((delays % loop).min(initial=loop))
    other_hand = hand ^ 1
    other_hand_times = events.time[is_throw_or_catch & (events.hand == other_hand)].tolist()

    # Pairs of a time [s] and a place: outward, up and forward of the hand's side, [m].
    own_points = [
        *points_before_event(body_throw, time, time_since_last, beat),
        *points_after_event(body_throw, time, time_until_next, beat),
    ]
    other_points = other_hand_points(body_throw, time, other_hand_times, loop, beat)
    return [
        (passing_hand, moment % loop, to_body_frame([place], np.array([passing_hand]))[0])
        for passing_hand, points in ((hand, own_points), (other_hand, other_points))
        for moment, place in points
    ]


def _points_around(choreography: Choreography, event: int) -> list[int]:
    """Return rows of the points that hands pass because of an event around the body.

    Points that have been moved since are left out: they are no longer where the throw puts them,
    up to the rounding of settings. An event that is not around the body has none.

    Args:
        choreography: events with times and places (throws, catches, points that hands pass),
            flights and orbits of props.
        event: row of a throw or catch.
    """
    events = choreography.events
    loop = choreography.duration
    rows = list[int]()
    for passing_hand, moment, place in _points_for_body_throw(choreography, event):
        # Kinds from `HOLD` on, which are holds and moves, are points; those before are throws and
        # catches.
        points = np.flatnonzero((events.hand == passing_hand) & (events.kind >= HOLD))
        is_near = points_coincide(
            events.time[points], events.position[points], np.array(moment), place, loop
        )
        rows += points[is_near].tolist()
    return rows


class _Stops(NamedTuple):
    """Events of a hand after one of its throws, in order of time.

    Attributes:
        rows: their rows in the table of events, shape (N,).
        delay: their times since the throw, shape (N,), [s].
        position: where they are, shape (N, 3), [m].
    """

    rows: Integers
    delay: Floats
    position: Floats


@dataclass(frozen=True)
class _HandSpan:
    """What a hand does from one of its throws to its next throw: where and when it does so.

    Args:
        hand: 2 · juggler + side.
        throw_position: where it throws, shape (3,), [m].
        duration: until the next throw, [s].
        catches, points: its catches, and the points that it passes.
    """

    hand: int
    throw_position: Floats
    duration: float
    catches: _Stops
    points: _Stops

    @classmethod
    def from_throw(cls, choreography: Choreography, throw: int) -> _HandSpan:
        """Return the span of a hand: the time from one of its throws to its next throw.

        Catches and points at the time of either throw do not count as inside.

        Args:
            choreography: a table of events (throws, catches and points that hands pass), each with
                its hand, time and place. It repeats after `duration`, [s].
            throw: row of the throw in that table.
        """
        events = choreography.events
        loop = choreography.duration
        # A hand is 2 · juggler + side, so no two jugglers have the same one.
        rows_of_hand = np.flatnonzero(events.hand == events.hand[throw])
        delay = (events.time[rows_of_hand] - events.time[throw]) % loop  # s after the throw
        # The next throw ends the span; a single throw is followed by itself after a loop.
        is_other_throw = (events.kind[rows_of_hand] == THROW) & (rows_of_hand != throw)
        duration = float(delay[is_other_throw].min(initial=loop))
        # Indices into `rows_of_hand`, in order of time, of the events within the span.
        by_delay = np.argsort(delay, kind="stable")
        inside = by_delay[(delay[by_delay] > 0) & (delay[by_delay] < duration)]
        is_catch = events.kind[rows_of_hand[inside]] == CATCH
        catches, points = (
            _Stops(rows_of_hand[stops], delay[stops], events.position[rows_of_hand[stops]])
            for stops in (inside[is_catch], inside[~is_catch])
        )
        return cls(
            hand=int(events.hand[throw]),
            throw_position=events.position[throw],
            duration=duration,
            catches=catches,
            points=points,
        )

    def copy_to(self, choreography: Choreography, throw: int, *, mirrored: bool) -> Choreography:
        """Return a choreography in which a hand follows this path after another throw.

        That throw and the catches after it get the places of this path, at their own times. Points
        up to the next throw are replaced by those of this path, at the same shares of the times
        between throws and catches. The next throw keeps its place.

        Args:
            choreography: timed events (throws, catches, points that hands pass), flights and orbits
                of props.
            throw: row of the other throw.
            mirrored: whether the path is mirrored for a hand of the other side.

        Raises:
            EditError: there is no time for the points.
        """
        target = _HandSpan.from_throw(choreography, throw)
        # Places are to the left, up and forward: from one side to the other, left becomes right.
        are_other_sides = (self.hand ^ target.hand) % 2
        flip = np.array([-1.0 if mirrored and are_other_sides else 1.0, 1.0, 1.0])

        # Places of the throw and the catches. If there are more catches than in this path, the rest
        # get the place of its last catch.
        position = choreography.events.position.copy()
        position[throw] = self.throw_position * flip
        if len(self.catches.delay):
            catch_indices = np.minimum(
                np.arange(len(target.catches.delay)), len(self.catches.delay) - 1
            )
            position[target.catches.rows] = self.catches.position[catch_indices] * flip

        # Remove the old points. The times of new ones since the throw are mapped linearly between
        # the throws and catches that both paths have.
        start = float(choreography.events.time[throw])
        changed = _without_points(
            replace(choreography, events=replace(choreography.events, position=position)),
            target.points.rows.tolist(),
        )
        times = start + np.interp(
            self.points.delay, self._matching_times(target), target._matching_times(self)
        )
        for time, place in zip(times.tolist(), self.points.position, strict=True):
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
        """Return the times since the throw [s] of events with a counterpart in another span.

        These are, in order:

        - the throw;
        - all catches if both spans have as many, else the first and the last if both have any;
        - the next throw.

        The other span, asked for this one, returns a list of the same length.
        """
        catches = self.catches.delay.tolist()
        if len(catches) != len(other.catches.delay):
            catches = [catches[0], catches[-1]] if catches and len(other.catches.delay) else []
        return [0.0, *catches, self.duration]


def _has_room_for_point(choreography: Choreography, hand: int, time: float) -> bool:
    """Return whether all events of a hand are at least `POINT_APART` [s] from a time [s].

    Args:
        choreography: events with times and hands, which repeat after its duration.
        hand: 2 · juggler + side.
        time: when the point is to be.
    """
    events = choreography.events
    gaps = time_apart(events.time[events.hand == hand], np.array(time), choreography.duration)
    return bool((np.abs(gaps) >= POINT_APART - 1e-9).all())  # exactly that far is allowed


def _with_point(choreography: Choreography, hand: int, time: float, place: Floats) -> Choreography:
    """Return the choreography with another point that a hand passes.

    The point is sorted in by time, so later events are numbered again, in flights too.

    Args:
        choreography: events with times and places (throws, catches, points that hands pass),
            flights and orbits of props.
        hand: 2 · juggler + side.
        time: when the hand passes it, [s].
        place: where, shape (3,), [m], in the frame of the body.
    """
    events = choreography.events
    # Columns that are None if all throws and catches are as usual; a point has 0, the usual value.
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


def _without_points(choreography: Choreography, removed: list[int]) -> Choreography:
    """Return the choreography without some points that hands pass, given by their event numbers."""
    is_kept = ~np.isin(np.arange(len(choreography.events.time)), removed)
    return with_kept_events(choreography, is_kept)


_CATCH_STYLES = {style.name.lower(): style for style in CatchStyle}


def time_limits(draft: Draft, event: int, symmetric: bool = True) -> TimeLimits:
    """Return the earliest and latest time of an event, with its mirror images if these move too.

    A throw or catch stays between the event before and that after it on the paths of its props,
    0.03 s from another throw or catch of its hand and 0.01 s from its points; flights last 0.05 s
    at least. A point stays between the throws and catches beside it, 0.01 s from each event. What
    is nearer already may stay.

    Args:
        draft: the score and the parameters that are edited.
        event: its number.
        symmetric: whether its symmetric images move along.

    Raises:
        EditError: there is no such event.
    """
    choreography = events_of(draft)
    check_event(choreography, event)
    moved = event_with_images(draft, choreography, event, symmetric=symmetric)
    time = float(choreography.events.time[event])
    delays = delay_limits(choreography, moved)
    return TimeLimits(
        earliest=time + delays.earliest,
        latest=time + delays.latest,
        taken=tuple((time + start, time + end) for start, end in delays.taken),
    )


def move_event(
    draft: Draft,
    event: int,
    time: float | None = None,
    position: Sequence[float] | None = None,
    symmetric: bool = True,
) -> Draft:
    """Move a throw, a catch or a point of a hand's path; flights and carries follow.

    Args:
        draft: the score and the parameters that are edited.
        event: its number.
        time: when it is to be, [s]; the nearest time within `time_limits` counts. None to stay.
        position: where it is to be, to the left, up and forward of its body, [m]; None to stay.
        symmetric: whether its symmetric images move along, those in the other hand mirrored.
            Catches of props that land in a hand together count among them.

    Raises:
        EditError: there is no such event, the place is too far, or a prop can no longer bounce in
            its time.
    """
    choreography = events_of(draft)
    check_event(choreography, event)
    moved = event_with_images(draft, choreography, event, symmetric=symmetric)
    delays = np.zeros(len(choreography.events.time))
    if time is not None:
        check_seconds(time)
        delays[moved] = delay_limits(choreography, moved).nearest(
            time - float(choreography.events.time[event])
        )
    places = choreography.events.position
    places_together = places
    if position is not None:
        wanted = checked_place(position)
        places = mirrored_places(choreography, event, moved, wanted)
        together = _with_landings(draft, choreography, moved) if symmetric else moved
        places_together = mirrored_places(choreography, event, together, wanted)
    return _with_moves(draft, choreography, delays, places, places_together)


def move_events(
    draft: Draft,
    events: Iterable[int],
    seconds: float = 0.0,
    offset: Sequence[float] = (0.0, 0.0, 0.0),
    symmetric: bool = True,
) -> Draft:
    """Move several events by the same time and distance.

    Args:
        draft: the score and the parameters that are edited.
        events: their numbers.
        seconds: how much later they are to be; clamped to the limits of all.
        offset: how far they move to the left, up and forward, [m].
        symmetric: whether symmetric images move along, as in `move_event`.

    Raises:
        EditError: as for `move_event`.
    """
    choreography = events_of(draft)
    check_seconds(seconds)
    step = checked_place(offset)
    delays = np.zeros(len(choreography.events.time))
    places = choreography.events.position.copy()
    places_together = places.copy()
    moved = list[int]()
    for event in events:
        check_event(choreography, event)
        if event in moved:
            continue
        # The event and its images, without those that have moved along with an earlier event.
        new_images = [
            image
            for image in event_with_images(draft, choreography, event, symmetric=symmetric)
            if image not in moved
        ]
        # Catches that share a place with these in settings get the new place, but keep their times.
        together = _with_landings(draft, choreography, new_images) if symmetric else new_images
        wanted = checked_place(choreography.events.position[event] + step)
        new_places = mirrored_places(choreography, event, together, wanted)
        rows = [row for row in together if row not in moved]
        places_together[rows] = new_places[rows]
        places[new_images] = new_places[new_images]
        moved += new_images
    if moved and seconds:
        delays[moved] = delay_limits(choreography, moved).nearest(seconds)
    return _with_moves(draft, choreography, delays, places, places_together)


def _with_moves(
    draft: Draft,
    choreography: Choreography,
    delays: Floats,
    places: Floats,
    places_together: Floats,
) -> Draft:
    """Return a draft with E events at other times and places.

    Catches that share a place in settings move together where settings can say the change. Where
    they cannot, the draft gets timed events, which have places of their own.

    Args:
        draft: the score and the parameters before the change.
        choreography: its events.
        delays: how much later each event is, shape (E,), [s].
        places: the places of all events if only the chosen ones and their images move, shape
            (E, 3), [m].
        places_together: the places if catches that share one with these move along, shape (E, 3).

    Raises:
        EditError: a prop can no longer bounce in its time.
    """
    changed = with_events(draft, _with_moved_events(choreography, delays, places_together))
    if not changed.score.placed or np.array_equal(places, places_together):
        return changed
    return with_events(draft, _with_moved_events(choreography, delays, places))


def set_catch(draft: Draft, event: int, kind: str, symmetric: bool = True) -> Draft:
    """Choose how a hand catches.

    Args:
        draft: the score and the parameters that are edited.
        event: number of a catch, or of a throw, whose catch is meant.
        kind: "palm" or "claw", which way up the hand catches and then throws; "penguin", "behind",
            "overhead" or "neck", where beside the body it catches; or "natural", "soft" or "grab",
            how far it moves along with the prop. Settings can say all but the last three. In
            settings, a claw is caught higher than usual unless they say where the hand is.
        symmetric: whether symmetric catches change along.

    Raises:
        EditError: there is no such event, it neither throws nor catches, or there is no such kind.
    """
    choreography = events_of(draft)
    check_event(choreography, event)
    catches = _catches_meant(choreography, event)
    if symmetric:
        catches = sorted(
            {
                image
                for catch in catches
                for image in event_with_images(draft, choreography, catch, symmetric=symmetric)
            }
        )
    if kind in (*GRASPS, *CATCHES):
        # The changed manners are written in settings if these can express them, and as events
        # otherwise.
        return with_grasps(draft, with_manner(choreography, catches, catch_manner(kind)))
    if kind in _CATCH_STYLES:
        return _with_catch_style(draft, choreography, catches, _CATCH_STYLES[kind])
    known = ", ".join((*GRASPS, *CATCHES, *_CATCH_STYLES))
    raise EditError(
        _(
            "there is no catch called {kind!r}; there are {known}",
            kind=printable(kind, 30),
            known=known,
        )
    )


def _with_catch_style(
    draft: Draft, choreography: Choreography, catches: Sequence[int], caught: CatchStyle
) -> Draft:
    """Return a draft of events in which some catches have another style.

    The style of a catch is how far the hand moves along with the prop; it is part of the style of
    the flight that ends with the catch. Settings cannot say it, so the result has events.

    Args:
        draft: the pattern or the events that are edited, with parameters.
        choreography: the events of the draft.
        catches: rows of the catches that change.
        caught: the new style of these catches.
    """
    flights = choreography.flights
    flight_styles = tuple(
        replace(style, caught=caught) if catch in catches else style
        for style, catch in zip(flights.styles, flights.catch.tolist(), strict=True)
    )
    # An empty tuple stands for flights that all have the usual style.
    if all(style == AIR for style in flight_styles):
        flight_styles = ()
    return with_events(draft, replace(choreography, flights=replace(flights, style=flight_styles)))


def set_dwell(
    draft: Draft,
    event: int | None = None,
    seconds: float | None = None,
    beats: float | None = None,
    symmetric: bool = True,
) -> Draft:
    """Change how long hands hold what they catch: catches move, throws stay.

    Of several props that are caught together, that which is held longest is kept for so long.

    Args:
        draft: the score and the parameters that are edited.
        event: number of a catch, or of the throw of what was caught; None for all catches, which
            settings say as `dwell`.
        seconds, beats: how long; one of the two. The nearest within the limits of each catch
            counts.
        symmetric: whether symmetric catches change along.

    Raises:
        EditError: there is no such event, no such time, or the event neither throws nor catches.
        ParameterError: a dwell of all that is out of range.
    """
    choreography = events_of(draft)
    if (seconds is None) == (beats is None):
        raise EditError(_("give the dwell in seconds or in beats, not both"))
    if seconds is None:
        assert beats is not None, "one of the two is given"
        seconds = beats / choreography.bps
    check_seconds(seconds)
    if event is None and draft.score.pattern:
        dwell_beats = seconds * choreography.bps
        return draft._replace(parameters=draft.parameters.replace(dwell=dwell_beats))
    flights = choreography.flights
    events = choreography.events
    # Groups of catches that move by the same time: a catch and its symmetric images.
    if event is None:
        groups = [[catch] for catch in sorted(set(flights.catch.tolist()))]
    else:
        check_event(choreography, event)
        groups = [
            event_with_images(draft, choreography, catch, symmetric=symmetric)
            for catch in _catches_meant(choreography, event, before=True)
        ]
    for group in groups:
        # The dwell of props caught together is that of the one held longest. A shorter dwell means
        # a later catch. Rows of events stay as they are until `in_order`.
        dwell = float(choreography.flights.carry[flights.catch == group[0]].max())
        delays = np.zeros(len(events.time))
        delays[group] = delay_limits(choreography, group).nearest(dwell - seconds)
        choreography = _with_delayed_events(choreography, delays)
    changed = in_order(choreography)
    check_bounces(events_of(draft), changed)
    return with_events(draft, changed)


def _catches_meant(choreography: Choreography, event: int, *, before: bool = False) -> list[int]:
    """Return the catches that an event stands for: itself, or those of the props that it throws.

    Args:
        choreography: events, flights and orbits of props.
        event: row of a catch or a throw.
        before: whether the catches just before a throw are meant, rather than those after it.

    Raises:
        EditError: the event is a point on the path of a hand.
    """
    flights = choreography.flights
    if event in flights.catch:
        return [event]
    if event not in flights.throw:
        raise EditError(
            _("event {event} is a point on a hand's path; choose a catch or a throw", event=event)
        )
    # For each flight the throw with which it begins, or which its prop makes next.
    throws = flights.throw[choreography.flight_links.next_flight] if before else flights.throw
    return sorted(set(flights.catch[throws == event].tolist()))


def event_with_images(
    draft: Draft, choreography: Choreography, event: int, *, symmetric: bool
) -> list[int]:
    """Return the rows of an event and, with `symmetric`, of its images in the draft.

    An image is an event that does the same later, perhaps by another hand or juggler.
    """
    return images_of_event(choreography, event, symmetries_of(draft)) if symmetric else [event]


def _with_landings(draft: Draft, choreography: Choreography, moved: list[int]) -> list[int]:
    """Return some events, and the catches that share a place with them in settings.

    Settings have a single place for all catches of props that the same hand throws next on the same
    beat, so these catches move together. Nothing is added to events without settings.

    Args:
        draft: the score and the parameters that are edited.
        choreography: events with times and places (throws, catches, points that hands pass),
            flights and orbits of props.
        moved: rows of events.
    """
    pattern = draft.score.pattern
    if pattern is None:
        return moved
    # By site (hand and beat), the catches of the props that are thrown there next. Flights of the
    # choreography are in the order of the throws of the pattern.
    catches_by_next_site: dict[tuple[int, int], set[int]] = {}
    sites = flight_sites(repeat_to_full_loop(pattern, draft.score.staging))
    catches = choreography.flights.catch.tolist()
    for (_throw_site, next_site), catch in zip(sites, catches, strict=True):
        catches_by_next_site.setdefault(next_site, set()).add(catch)
    together = {
        event
        for group in catches_by_next_site.values()
        if group.intersection(moved)
        for event in group
    }
    return [*moved, *sorted(together.difference(moved))]


def _with_moved_events(choreography: Choreography, delays: Floats, places: Floats) -> Choreography:
    """Return the choreography with events at other times and places; flights and carries follow.

    Args:
        choreography: E events with times and places (throws, catches, points that hands pass),
            flights and orbits of props.
        delays: how much later each event is, shape (E,), [s].
        places: the places of all events, shape (E, 3), [m].

    Raises:
        EditError: a prop can no longer bounce in its time.
    """
    events = replace(choreography.events, position=places)
    changed = in_order(_with_delayed_events(replace(choreography, events=events), delays))
    check_bounces(choreography, changed)
    return changed


def _with_delayed_events(choreography: Choreography, delays: Floats) -> Choreography:
    """Return the choreography with events delayed; flights and carries change accordingly.

    Events are neither sorted nor taken modulo the loop; `in_order` does that.

    Args:
        choreography: E events with times and places (throws, catches, points that hands pass),
            flights and orbits of props.
        delays: how much later each event is, shape (E,), [s].
    """
    events = choreography.events
    flights = choreography.flights
    # For each flight the throw that its prop makes next.
    next_throws = flights.throw[choreography.flight_links.next_flight]
    delayed_flights = replace(
        flights,
        duration=flights.duration + delays[flights.catch] - delays[flights.throw],
        # A carry, from a catch to the next throw of the prop, must not get negative by rounding.
        carry=np.maximum(0.0, flights.carry + delays[next_throws] - delays[flights.catch]),
    )
    return replace(
        choreography, events=replace(events, time=events.time + delays), flights=delayed_flights
    )


def exchanged_flights(
    draft: Draft, first: int, second: int, *, delay: float, symmetric: bool
) -> Choreography:
    """Return a choreography in which two flights exchange their landings.

    Args:
        draft: the score and the parameters that are edited; the score has events.
        first, second: rows of the flights.
        delay: how much later than in this loop the second throw is made: whole loops, [s].
        symmetric: whether pairs of symmetric flights change along, except those that are missing or
            share a flight with an earlier pair.

    Raises:
        EditError: there are no such flights, a prop would land before its throw, or can no longer
            bounce in its time.
    """
    placed = events_of(draft)
    check_throws(len(placed.flights.throw), first, second)
    if first == second:
        raise EditError(_("a throw cannot swap with itself; choose two throws", first=first))
    # The two flights, and pairs of their images that have no flight in common with earlier pairs: a
    # flight can exchange its landing only once.
    flight_pairs = [(first, second)]
    for symmetry in symmetries_of(draft) if symmetric else ():
        first_image, second_image = (
            _image_of_flight(placed, flight, symmetry) for flight in (first, second)
        )
        if first_image is None or second_image is None or first_image == second_image:
            continue
        paired = {flight for pair in flight_pairs for flight in pair}
        if not paired & {first_image, second_image}:
            flight_pairs.append((first_image, second_image))

    throw_times = placed.events.time[placed.flights.throw]
    durations = placed.flights.duration
    throws_apart = float(throw_times[second] + delay - throw_times[first])  # s
    changed = placed
    for pair_first, pair_second in flight_pairs:
        # The throws of an image are as far apart, but perhaps in the other order in the loop: the
        # second one is then made whole loops later or earlier.
        gap_in_loop = float(throw_times[pair_second] - throw_times[pair_first])
        loops = round((throws_apart - gap_in_loop) / placed.duration)
        # Each prop flies from its own throw to the landing of the other one.
        first_duration = durations[pair_second] + throws_apart
        second_duration = durations[pair_first] - throws_apart
        # `MIN_FLIGHT` is the shortest flight that editing makes, [s].
        if min(first_duration, second_duration) < MIN_FLIGHT:
            raise EditError(
                _("the prop would land before it is thrown; choose a throw that lands later")
            )
        changed = with_exchanged_landings(changed, pair_first, pair_second, loops * placed.duration)
    check_bounces(placed, changed)
    return changed


def with_other_throws(
    draft: Draft,
    changed: Choreography,
    operation: Callable[[Draft], Draft],
    *,
    keeps_tempo: bool = False,
) -> Draft:
    """Return a draft of changed events, whose base is changed along with them if possible.

    The base of events is the settings from which they were made; a user may go back to it. If
    settings cannot express the same change, the events have no base any more.

    Args:
        draft: the score and the parameters that are edited; the score has events.
        changed: the events after the change, in any order.
        operation: makes the same change to a draft with settings.
        keeps_tempo: whether settings that choose no tempo get that of the events.
    """
    base = None
    settings = base_of(draft)
    if settings is not None:
        bps = settings.parameters.bps or (changed.bps if keeps_tempo else None)
        settings = settings._replace(parameters=settings.parameters.replace(bps=bps))
        # Events made from the changed settings have these as their base. An error means that
        # settings cannot express the change.
        with suppress(JuggleError):
            base = to_events(operation(settings)).score.base
    return Draft(replace(draft.score, placed=in_order(changed), base=base), draft.parameters)


def check_throws(count: int, *numbers: int) -> None:
    """Refuse numbers that none of the throws of a loop has, which are counted from 0.

    Raises:
        EditError: there is no such throw.
    """
    for number in numbers:
        if not 0 <= number < count:
            raise EditError(
                _(
                    "there is no throw {number}; the loop has {count}, counted from 0",
                    number=number,
                    count=count,
                )
            )


def _image_of_flight(placed: Choreography, flight: int, symmetry: Symmetry) -> int | None:
    """Return the flight to which a symmetry maps a flight, perhaps itself; None if there is none.

    Args:
        placed: events with times and places (throws, catches, points that hands pass), flights and
            orbits of props.
        flight: number of the flight.
        symmetry: the symmetry of the events.
    """
    flights = placed.flights
    # `images_of_event` lists the event and, if the symmetry moves it, its image: so the last item
    # is where the event goes. An event without an image is listed alone, as if it stayed; then a
    # flight is found only if one has exactly these ends.
    *_itself, throw_image = images_of_event(placed, int(flights.throw[flight]), [symmetry])
    *_itself, catch_image = images_of_event(placed, int(flights.catch[flight]), [symmetry])
    images = np.flatnonzero((flights.throw == throw_image) & (flights.catch == catch_image))
    # Several props of a stack may share both events; any of their flights will do.
    return int(images[0]) if len(images) else None
