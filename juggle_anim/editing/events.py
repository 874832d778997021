"""Editing events: throws, catches and points of hand paths in time and place.

Events are numbered as the rows of `animation.choreography.events`; places are those of its
`position`: to the left, up and forward of the point on the floor under the body, [m].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import AIR, CatchStyle, Choreography
from juggle_anim.choreography.body_throws import CATCHES
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.manners import caught_in
from juggle_anim.choreography.places import GRASPS
from juggle_anim.choreography.unroll import with_exchanged_landings
from juggle_anim.editing.draft import (
    Draft,
    base_of,
    events_of,
    in_order,
    symmetries_of,
    to_events,
    with_events,
    with_grasps,
)
from juggle_anim.editing.limits import (
    MIN_FLIGHT,
    TimeLimits,
    check_bounces,
    check_event,
    check_seconds,
    checked_place,
    delay_limits,
)
from juggle_anim.editing.places import flight_sites
from juggle_anim.editing.points import with_manner
from juggle_anim.editing.symmetry import Symmetry, images, mirrored_places
from juggle_anim.errors import EditError, JuggleError, printable
from juggle_anim.language import _

_CATCH_STYLE_BY_WORD = {style.name.lower(): style for style in CatchStyle}


def time_limits(draft: Draft, event: int, symmetric: bool = True) -> TimeLimits:
    """Return when an event may be.

    A throw or catch stays between the event before and that after it on the paths of its props,
    0.03 s from another throw or catch of its hand and 0.01 s from its points; flights last 0.05 s
    at least. A point stays between the throws and catches beside it, 0.01 s from each event. What
    is nearer already may stay.

    Args:
        draft: what is edited.
        event: its number.
        symmetric: whether its symmetric images move along.

    Raises:
        EditError: there is no such event.
    """
    choreography = events_of(draft)
    check_event(choreography, event)
    moved = _with_images(draft, choreography, event, symmetric)
    time = float(choreography.events.time[event])
    limits = delay_limits(choreography, moved)
    # The limits are delays; the event's own time makes times of them.
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
        symmetric: whether its symmetric images move along, those in the other hand mirrored.
            Catches of props that land in a hand together count among them.

    Raises:
        EditError: there is no such event, the place is too far, or a prop can no longer bounce in
            its time.
    """
    choreography = events_of(draft)
    check_event(choreography, event)
    moved = _with_images(draft, choreography, event, symmetric)
    delays = np.zeros(len(choreography.events.time))
    if time is not None:
        check_seconds(time)
        delays[moved] = delay_limits(choreography, moved).nearest(
            time - float(choreography.events.time[event])
        )
    places = choreography.events.position
    if position is not None:
        wanted = checked_place(position)
        # Settings have one place for catches that land together, so these move along.
        together = _with_shared_landings(draft, choreography, moved) if symmetric else moved
        places = mirrored_places(choreography, event, together, wanted)
    return with_events(draft, _moved_events(choreography, delays, places))


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
        symmetric: whether symmetric images move along, as in `move_event`; that of an event goes
            its way.

    Raises:
        EditError: as for `move_event`.
    """
    choreography = events_of(draft)
    check_seconds(seconds)
    step = checked_place(offset)
    delays = np.zeros(len(choreography.events.time))
    places = choreography.events.position.copy()
    # An event that is an image of an earlier one has moved with that one, and moves no further.
    moved = list[int]()
    for event in events:
        check_event(choreography, event)
        if event not in moved:
            new_images = [
                image
                for image in _with_images(draft, choreography, event, symmetric)
                if image not in moved
            ]
            together = (
                _with_shared_landings(draft, choreography, new_images) if symmetric else new_images
            )
            wanted = checked_place(choreography.events.position[event] + step)
            rows = [row for row in together if row not in moved]
            places[rows] = mirrored_places(choreography, event, together, wanted)[rows]
            moved += new_images
    if moved and seconds:
        delays[moved] = delay_limits(choreography, moved).nearest(seconds)
    return with_events(draft, _moved_events(choreography, delays, places))


def set_catch(draft: Draft, event: int, kind: str, symmetric: bool = True) -> Draft:
    """Choose how a hand catches.

    Args:
        draft: what is edited.
        event: number of a catch, or of a throw, whose catch is meant.
        kind: "palm" or "claw", which way up the hand catches and then throws; "penguin", "behind",
            "overhead" or "neck", where beside the body it catches; or "natural", "soft" or "grab",
            how far it moves along with the prop. Settings can say all but these three, and hands of
            which they say nothing else catch claws higher.
        symmetric: whether symmetric catches change along.

    Raises:
        EditError: there is no such event, it neither throws nor catches, or no such kind.
    """
    choreography = events_of(draft)
    check_event(choreography, event)
    catches = _catches_meant(choreography, event)
    if symmetric:
        catches = sorted(
            {
                image
                for catch in catches
                for image in _with_images(draft, choreography, catch, symmetric)
            }
        )
    # Grasps and places belong to the event of the catch, styles to the flight that it ends.
    if kind in (*GRASPS, *CATCHES):
        manner = caught_in(kind, choreography.only_kind)
        return with_grasps(draft, with_manner(choreography, catches, manner))
    if kind not in _CATCH_STYLE_BY_WORD:
        known = ", ".join((*GRASPS, *CATCHES, *_CATCH_STYLE_BY_WORD))
        raise EditError(
            _(
                "there is no catch called {kind!r}; there are {known}",
                kind=printable(kind, 30),
                known=known,
            )
        )
    flights = choreography.flights
    old_styles = flights.style or (AIR,) * len(flights.throw)
    new_styles = tuple(
        replace(style, caught=_CATCH_STYLE_BY_WORD[kind]) if catch in catches else style
        for style, catch in zip(old_styles, flights.catch.tolist(), strict=True)
    )
    # No styles stand for usual ones of all flights.
    styles = () if all(style == AIR for style in new_styles) else new_styles
    return with_events(draft, replace(choreography, flights=replace(flights, style=styles)))


def set_dwell(
    draft: Draft,
    event: int | None = None,
    seconds: float | None = None,
    beats: float | None = None,
    symmetric: bool = True,
) -> Draft:
    """Choose how long hands keep what they catch: catches move, throws stay.

    Args:
        draft: what is edited.
        event: number of a catch, or of the throw that ends what is meant; None for all, which
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
        raise EditError(_("a dwell is given in seconds or in beats, in one of the two"))
    if seconds is None:
        assert beats is not None, "one of the two is given"
        seconds = beats / choreography.bps
    check_seconds(seconds)
    if event is None and draft.score.pattern:
        return draft._replace(parameters=draft.parameters.replace(dwell=seconds * choreography.bps))
    flights = choreography.flights
    events = choreography.events
    # Groups of catches that move together: each alone where all are meant, else with its images.
    if event is None:
        groups = [[catch] for catch in sorted(set(flights.catch.tolist()))]
    else:
        check_event(choreography, event)
        catches = [event] if event in flights.catch else _catches_thrown_on_by(choreography, event)
        groups = [_with_images(draft, choreography, catch, symmetric) for catch in catches]
    for group in groups:
        # A catch of several props is moved by the one that is held longest.
        longest = float(choreography.flights.carry[flights.catch == group[0]].max())
        delays = np.zeros(len(events.time))
        delays[group] = delay_limits(choreography, group).nearest(longest - seconds)
        choreography = _delayed(choreography, delays)
    changed = in_order(choreography)
    check_bounces(events_of(draft), changed)
    return with_events(draft, changed)


def _catches_meant(choreography: Choreography, event: int) -> list[int]:
    """Return the catches that an event stands for: itself, or the catches of the props it throws.

    Raises:
        EditError: the event neither throws nor catches.
    """
    flights = choreography.flights
    if event in flights.catch:
        return [event]
    if event in flights.throw:
        return sorted(set(flights.catch[flights.throw == event].tolist()))
    raise EditError(
        _("event {event} is a point that a hand passes; choose a catch or a throw", event=event)
    )


def _catches_thrown_on_by(choreography: Choreography, event: int) -> list[int]:
    """Return the catches that brought the props of a throw into the hand.

    Raises:
        EditError: the event is no throw.
    """
    flights = choreography.flights
    if event not in flights.throw:
        raise EditError(
            _("event {event} is a point that a hand passes; choose a catch or a throw", event=event)
        )
    next_throw = flights.throw[choreography.rounds.following]
    return sorted(set(flights.catch[next_throw == event].tolist()))


def _with_images(
    draft: Draft, choreography: Choreography, event: int, symmetric: bool
) -> list[int]:
    """The events that move along with one, itself first."""
    return images(choreography, event, symmetries_of(draft)) if symmetric else [event]


def _with_shared_landings(draft: Draft, choreography: Choreography, moved: list[int]) -> list[int]:
    """Return events with the catches that share a hand and beat with any of them.

    Settings have one place for these. In a draft without a pattern the events are returned alone.

    Args:
        draft: draft of the choreography.
        choreography: its events.
        moved: rows of events; they come first in the result.
    """
    pattern = draft.score.pattern
    if pattern is None:
        return moved
    catches_by_site: dict[tuple[int, int], set[int]] = {}
    sites = flight_sites(repeat_to_full_loop(pattern, draft.score.staging))
    catches = choreography.flights.catch.tolist()
    for (_throw_site, landing_site), catch in zip(sites, catches, strict=True):
        catches_by_site.setdefault(landing_site, set()).add(catch)
    together = {
        catch for group in catches_by_site.values() if group.intersection(moved) for catch in group
    }
    return [*moved, *sorted(together.difference(moved))]


def _moved_events(choreography: Choreography, delays: Floats, places: Floats) -> Choreography:
    """The choreography with events later [s] and elsewhere, both of E rows; flights and carries
    last accordingly.
    """
    events = replace(choreography.events, position=places)
    changed = in_order(_delayed(replace(choreography, events=events), delays))
    check_bounces(choreography, changed)
    return changed


def _delayed(choreography: Choreography, delays: Floats) -> Choreography:
    """Return a choreography with delayed events, whose flights and carries last accordingly.

    Times may be outside the loop then, and events out of order.

    Args:
        choreography: E events.
        delays: (E,), s.
    """
    events = choreography.events
    flights = choreography.flights
    next_throw = flights.throw[choreography.rounds.following]
    changed_flights = replace(
        flights,
        duration=flights.duration + delays[flights.catch] - delays[flights.throw],
        # Rounding may not make a carry negative.
        carry=np.maximum(0.0, flights.carry + delays[next_throw] - delays[flights.catch]),
    )
    return replace(
        choreography, events=replace(events, time=events.time + delays), flights=changed_flights
    )


def exchanged_flights(
    draft: Draft, first: int, second: int, later: float, symmetric: bool
) -> Choreography:
    """Return events in which two flights exchange landings, and their symmetric images too, as far
    as these are others.

    Args:
        draft: with events.
        first, second: numbers of the flights.
        later: how much later than in this loop the second one is made, [s].
        symmetric: whether images change along.

    Raises:
        EditError: there are no such flights, a prop would land before its throw, or can no longer
            bounce in its time.
    """
    placed = events_of(draft)
    check_flights(placed, first, second)
    if first == second:
        raise EditError(_("throw {first} lands where it lands; choose two throws", first=first))

    # The pair and its images, each flight in one pair at most.
    pairs = [(first, second)]
    for symmetry in symmetries_of(draft) if symmetric else ():
        one, other = (_image_of_flight(placed, flight, symmetry) for flight in (first, second))
        paired = {flight for pair in pairs for flight in pair}
        if one is not None and other is not None and one != other and not paired & {one, other}:
            pairs.append((one, other))
    throw_time = placed.events.time[placed.flights.throw]
    duration = placed.flights.duration
    apart = float(throw_time[second] + later - throw_time[first])
    changed = placed
    for one, other in pairs:
        # Images may be made in another order in the loop, but as far apart.
        loops = round(float(apart - throw_time[other] + throw_time[one]) / placed.duration)
        # Each prop flies from its own throw to the other's landing.
        if min(duration[other] + apart, duration[one] - apart) < MIN_FLIGHT:
            raise EditError(
                _("a prop would land before it is thrown; choose a throw that lands later")
            )
        changed = with_exchanged_landings(changed, one, other, loops * placed.duration)
    check_bounces(placed, changed)
    return changed


def with_other_throws(
    draft: Draft,
    changed: Choreography,
    operation: Callable[[Draft], Draft],
    *,
    keeps_tempo: bool = False,
) -> Draft:
    """Return a draft with other events, and a base of settings that follows them if it can.

    Args:
        draft: draft with events.
        changed: the new events, in any order.
        operation: changes the settings of the base in the same way.
        keeps_tempo: whether settings that choose no tempo get that of the events.
    """
    base = None
    source = base_of(draft)
    if source is not None:
        bps = source.parameters.bps or (changed.bps if keeps_tempo else None)
        source = source._replace(parameters=source.parameters.replace(bps=bps))
        # Where settings cannot follow, the events have no base any more.
        with suppress(JuggleError):
            base = to_events(operation(source)).score.base
    return Draft(replace(draft.score, placed=in_order(changed), base=base), draft.parameters)


def check_flights(choreography: Choreography, *numbers: int) -> None:
    """Refuse numbers of flights that there are not.

    Raises:
        EditError: there is no such flight.
    """
    count = len(choreography.flights.throw)
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
    """Return the flight between the images of a flight's throw and catch; None if there is none."""
    # An event without an image stands for itself.
    throw, catch = (
        images(placed, int(event[flight]), [symmetry])[-1]
        for event in (placed.flights.throw, placed.flights.catch)
    )
    flights = np.flatnonzero((placed.flights.throw == throw) & (placed.flights.catch == catch))
    return int(flights[0]) if len(flights) else None
