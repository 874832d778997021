"""Editing events: throws, catches and points of hand paths in time and place.

Events are numbered as the rows of `animation.choreography.events`; places are those of its `position`: to the left, up
and forward of the point on the floor under the body, [m].
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, Events
from juggle_anim.choreography.bounce import solve_bounce
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.choreography import HOLD, MOVE
from juggle_anim.editing.draft import Draft, base_of, events_of, in_order, with_events
from juggle_anim.editing.limits import POINT_APART, TimeLimits, delay_limits
from juggle_anim.editing.places import flight_sites
from juggle_anim.editing.symmetry import Symmetry, image_of, side_signs, written_symmetries
from juggle_anim.errors import EditError

MAX_FAR = 10.0
"""How far from the body a place may be, in each direction, [m]."""

# How much higher or lower than its hand a prop may leave and land, [m].
_GRIP = 0.08


def time_limits(draft: Draft, event: int, symmetric: bool = True) -> TimeLimits:
    """Return when an event may be.

    A throw or catch stays between the event before and that after it on the paths of its props, 0.03 s from another
    throw or catch of its hand and 0.01 s from its points; flights last 0.05 s at least. A point stays between the
    throws and catches beside it, 0.01 s from each event. What is nearer already may stay.

    Args:
        draft: what is edited.
        event: its number.
        symmetric: whether its symmetric images move along.

    Raises:
        EditError: there is no such event.
    """
    choreography = events_of(draft)
    _check_event(choreography, event)
    moved = _images(draft, choreography, event, symmetric)
    time = float(choreography.events.time[event])
    limits = delay_limits(choreography, moved)
    shifted = tuple((time + start, time + end) for start, end in limits.taken)
    return TimeLimits(time + limits.earliest, time + limits.latest, shifted)


def move_event(
    draft: Draft,
    event: int,
    time: float | None = None,
    position: Sequence[float] | None = None,
    symmetric: bool = True,
) -> Draft:
    """Move a throw, a catch or a point of a hand's path; flights and carries follow.

    Args:
        draft: what is edited.
        event: its number.
        time: when it is to be, [s]; the nearest time within `time_limits` counts.
        position: where it is to be.
        symmetric: whether its symmetric images move along, those in the other hand mirrored. Catches of props that land
            in a hand together count among them.

    Raises:
        EditError: there is no such event, the place is too far, or a prop can no longer bounce in its time.
    """
    choreography = events_of(draft)
    _check_event(choreography, event)
    moved = _images(draft, choreography, event, symmetric)
    delays = np.zeros(len(choreography.events.time))
    if time is not None:
        _check_number(time, "time")
        delays[moved] = delay_limits(choreography, moved).nearest(time - float(choreography.events.time[event]))
    places = choreography.events.position
    if position is not None:
        wanted = _checked_place(position)
        together = _with_landings(draft, choreography, moved) if symmetric else moved
        places = _mirrored(choreography, event, together, wanted)
    return with_events(draft, _moved(choreography, delays, places))


def move_events(
    draft: Draft,
    events: Iterable[int],
    seconds: float = 0.0,
    offset: Sequence[float] = (0.0, 0.0, 0.0),
    symmetric: bool = True,
) -> Draft:
    """Move several events by the same time and the same way.

    Args:
        draft: what is edited.
        events: their numbers.
        seconds: how much later they are to be, as far as the limits of all allow.
        offset: how far they move to the left, up and forward, [m].
        symmetric: whether symmetric images move along, as in `move_event`; that of an event goes its way.

    Raises:
        EditError: as for `move_event`.
    """
    choreography = events_of(draft)
    _check_number(seconds, "time")
    step, delays = _checked_place(offset), np.zeros(len(choreography.events.time))
    places, moved = choreography.events.position.copy(), list[int]()
    for event in events:
        _check_event(choreography, event)
        if event not in moved:
            mine = [each for each in _images(draft, choreography, event, symmetric) if each not in moved]
            together = _with_landings(draft, choreography, mine) if symmetric else mine
            wanted = _checked_place(choreography.events.position[event] + step)
            rows = [each for each in together if each not in moved]
            places[rows] = _mirrored(choreography, event, together, wanted)[rows]
            moved += mine
    if moved and seconds:
        delays[moved] = delay_limits(choreography, moved).nearest(seconds)
    return with_events(draft, _moved(choreography, delays, places))


def add_point(
    draft: Draft, hand: int, time: float, position: Sequence[float] | None = None, symmetric: bool = True
) -> Draft:
    """Add a point that a hand passes.

    Args:
        draft: what is edited.
        hand: 2 · juggler + side, side 0 left and 1 right.
        time: when, [s].
        position: where; by default where the hand is then.
        symmetric: whether hands that do the same at other times pass such a point, too.

    Raises:
        EditError: there is no such hand, another of its events is within 0.01 s, or the place is too far.
    """
    choreography = events_of(draft)
    if not 0 <= hand < 2 * choreography.jugglers:
        raise EditError(f"there is no hand {hand}; there are 0 to {2 * choreography.jugglers - 1}, even ones left")
    _check_number(time, "time")
    if position is not None:
        wanted = _checked_place(position)
    elif draft.hand_place is not None:
        wanted = draft.hand_place(hand, time % choreography.duration)
    else:
        raise EditError("a new point needs a place: left, up and forward of the body, in metres")
    if not _is_free(choreography, hand, time):
        raise EditError(f"another event of that hand is within {POINT_APART:g} s of {time:.3f} s; choose another time")
    added = _with_point(choreography, hand, time, wanted)
    repeats = _repeats_around(draft, choreography, hand, time) if symmetric else []
    for symmetry in repeats:
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
    _check_event(choreography, event)
    if choreography.events.kind[event] < HOLD:
        raise EditError(f"event {event} throws or catches; only points that a hand passes can be removed")
    gone = _images(draft, choreography, event, symmetric)
    return with_events(draft, _without(choreography, gone))


def event_at(choreography: Choreography, hand: int, time: float) -> int:
    """Return the event of a hand that is nearest to a time [s]; of what was moved, its new number.

    Raises:
        EditError: the hand has no event.
    """
    events, loop = choreography.events, choreography.duration
    mine = np.flatnonzero(events.hand == hand)
    if not len(mine):
        raise EditError(f"hand {hand} has no events")
    apart = np.abs((events.time[mine] - time + loop / 2) % loop - loop / 2)
    return int(mine[apart.argmin()])


def _check_event(choreography: Choreography, event: int) -> None:
    count = len(choreography.events.time)
    if not 0 <= event < count:
        raise EditError(f"there is no event {event}; the loop has {count}, from 0")


def _check_number(number: float, what: str) -> None:
    if not math.isfinite(number):
        raise EditError(f"{number} is no {what}; give it in seconds")


def _checked_place(place: Sequence[float] | Floats) -> Floats:
    found = np.array(place, dtype=float)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise EditError("a place is three numbers: left, up and forward, in metres")
    if np.abs(found).max() > MAX_FAR:
        raise EditError(f"a place is up to {MAX_FAR:g} m away, but this is {np.abs(found).max():.4g} m")
    return found


def _written_delay(draft: Draft, choreography: Choreography) -> float | None:
    """After what time the pattern is written to repeat, [s]."""
    base = base_of(draft)
    if base is None or base.pattern is None:
        return None
    full = repeat_to_full_loop(base.pattern, base.staging)
    return choreography.duration * base.pattern.written_period / full.period


def _images(draft: Draft, choreography: Choreography, event: int, symmetric: bool) -> list[int]:
    """The events that move along with one, itself first."""
    found = [event]
    if symmetric:
        for symmetry in written_symmetries(choreography, _written_delay(draft, choreography)):
            image = image_of(choreography, event, symmetry)
            found += [image] if image is not None and image not in found else []
    return found


def _repeats_around(draft: Draft, choreography: Choreography, hand: int, time: float) -> list[Symmetry]:
    """The symmetries that keep the throws and catches of a hand before and after a time."""
    events = choreography.events
    mine = np.flatnonzero((events.hand == hand) & (events.kind < HOLD))
    since = (time - events.time[mine]) % choreography.duration
    beside = {int(mine[since.argmin()]), int(mine[since.argmax()])} if len(mine) else set[int]()
    return [
        symmetry
        for symmetry in written_symmetries(choreography, _written_delay(draft, choreography))
        if all(image_of(choreography, each, symmetry) is not None for each in beside)
    ]


def _with_landings(draft: Draft, choreography: Choreography, moved: list[int]) -> list[int]:
    """Some events, and the catches of the same hands on the same beats, for which settings have one place."""
    pattern = draft.score.pattern
    if pattern is None:
        return moved
    landings: dict[tuple[int, int], set[int]] = {}
    sites = flight_sites(repeat_to_full_loop(pattern, draft.score.staging))
    for (_, site), event in zip(sites, choreography.flights.catch.tolist(), strict=True):
        landings.setdefault(site, set()).add(event)
    more = {event for group in landings.values() if group.intersection(moved) for event in group}
    return [*moved, *sorted(more.difference(moved))]


def _mirrored(choreography: Choreography, event: int, moved: list[int], place: Floats) -> Floats:
    """Places of all events, shape (E, 3), where some are as far outward, up and forward as one at a new place."""
    hand, places = choreography.events.hand, choreography.events.position.copy()
    outward = side_signs(hand[moved]) * side_signs(hand[event : event + 1])
    places[moved] = place
    places[moved, 0] *= outward
    return places


def _moved(choreography: Choreography, delays: Floats, places: Floats) -> Choreography:
    """The choreography with events later [s] and elsewhere, both of E rows; flights and carries last accordingly."""
    flights = choreography.flights
    after = flights.throw[choreography.rounds.following]
    longer = replace(
        flights,
        duration=flights.duration + delays[flights.catch] - delays[flights.throw],
        carry=np.maximum(0.0, flights.carry + delays[after] - delays[flights.catch]),
    )
    events = replace(choreography.events, time=choreography.events.time + delays, position=places)
    changed = in_order(replace(choreography, events=events, flights=longer))
    _check_bounces(choreography, changed)
    return changed


def _check_bounces(before: Choreography, after: Choreography) -> None:
    """Refuse flights that can no longer bounce as often as they should in their time; flights keep their numbers."""
    for flight, style in enumerate(after.flights.style):
        if style.bounces and _bounces(after, flight) < min(style.bounces, _bounces(before, flight)):
            duration = float(after.flights.duration[flight])
            raise EditError(
                f"a prop cannot bounce {style.bounces} × in {duration:.2f} s between hands at these heights; leave it "
                "more time"
            )


def _bounces(choreography: Choreography, flight: int) -> int:
    """How often a prop can bounce in its time, as it is asked to at most."""
    events, bodies, style = choreography.events, choreography.bodies, choreography.flights.style[flight]
    ends = [int(each[flight]) for each in (choreography.flights.throw, choreography.flights.catch)]
    feet = [bodies.position[bodies.juggler == events.hand[end] // 2, 1].mean() for end in ends]
    start, end = (float(events.position[end, 1] + floor) for end, floor in zip(ends, feet, strict=True))
    gravity = choreography.gravity if style.gravity is None else style.gravity
    kept = choreography.bounce_fraction if style.bounce_fraction is None else style.bounce_fraction
    duration = float(choreography.flights.duration[flight])
    bounces = (solve_bounce(start + grip, end + grip, duration, gravity, kept, style) for grip in (-_GRIP, _GRIP))
    return min(len(bounce.hits) if bounce else 0 for bounce in bounces)


def _is_free(choreography: Choreography, hand: int, time: float) -> bool:
    events, loop = choreography.events, choreography.duration
    apart = (events.time[events.hand == hand] - time + loop / 2) % loop - loop / 2
    return bool((np.abs(apart) >= POINT_APART - 1e-9).all())


def _with_point(choreography: Choreography, hand: int, time: float, place: Floats) -> Choreography:
    events = choreography.events
    grasp = None if events.grasp is None else np.append(events.grasp, 0)
    more = Events(
        np.append(events.time, time % choreography.duration),
        np.append(events.hand, hand),
        np.append(events.kind, MOVE),
        np.vstack([events.position, place]),
        grasp,
    )
    return in_order(replace(choreography, events=more))


def _without(choreography: Choreography, gone: list[int]) -> Choreography:
    events, flights = choreography.events, choreography.flights
    kept = ~np.isin(np.arange(len(events.time)), gone)
    number = np.cumsum(kept) - 1
    fewer = Events(
        events.time[kept],
        events.hand[kept],
        events.kind[kept],
        events.position[kept],
        None if events.grasp is None else events.grasp[kept],
    )
    renumbered = replace(flights, throw=number[flights.throw], catch=number[flights.catch])
    return replace(choreography, events=fewer, flights=renumbered)
