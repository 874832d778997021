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
from juggle_anim.editing.symmetry import Symmetry, images_of_event, mirrored_places
from juggle_anim.errors import EditError, JuggleError, printable
from juggle_anim.language import _

_CATCH_STYLES = {style.name.lower(): style for style in CatchStyle}


def time_limits(draft: Draft, event: int, symmetric: bool = True) -> TimeLimits:
    """Return when an event may be, together with its images if these move along.

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
    moved = _with_images(draft, choreography, event, symmetric=symmetric)
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
        draft: what is edited.
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
    moved = _with_images(draft, choreography, event, symmetric=symmetric)
    delays = np.zeros(len(choreography.events.time))
    if time is not None:
        check_seconds(time)
        delays[moved] = delay_limits(choreography, moved).nearest(
            time - float(choreography.events.time[event])
        )
    places = choreography.events.position
    if position is not None:
        wanted = checked_place(position)
        together = _with_landings(draft, choreography, moved) if symmetric else moved
        places = mirrored_places(choreography, event, together, wanted)
    return with_events(draft, _with_moved_events(choreography, delays, places))


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
    moved = list[int]()
    for event in events:
        check_event(choreography, event)
        if event not in moved:
            # The event and its images that move by the same time, without those that have moved
            # along with another one; and with them catches that have one place, which take over
            # places only.
            new_images = [
                image
                for image in _with_images(draft, choreography, event, symmetric=symmetric)
                if image not in moved
            ]
            together = _with_landings(draft, choreography, new_images) if symmetric else new_images
            wanted = checked_place(choreography.events.position[event] + step)
            rows = [row for row in together if row not in moved]
            places[rows] = mirrored_places(choreography, event, together, wanted)[rows]
            moved += new_images
    if moved and seconds:
        delays[moved] = delay_limits(choreography, moved).nearest(seconds)
    return with_events(draft, _with_moved_events(choreography, delays, places))


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
                for image in _with_images(draft, choreography, catch, symmetric=symmetric)
            }
        )
    if kind in (*GRASPS, *CATCHES):
        manner = caught_in(kind, choreography.only_kind)
        return with_grasps(draft, with_manner(choreography, catches, manner))
    if kind not in _CATCH_STYLES:
        known = ", ".join((*GRASPS, *CATCHES, *_CATCH_STYLES))
        raise EditError(
            _(
                "there is no catch called {kind!r}; there are {known}",
                kind=printable(kind, 30),
                known=known,
            )
        )
    flights = choreography.flights
    styles = flights.style or (AIR,) * len(flights.throw)
    changed = tuple(
        replace(style, caught=_CATCH_STYLES[kind]) if catch in catches else style
        for style, catch in zip(styles, flights.catch.tolist(), strict=True)
    )
    # An empty tuple stands for flights that all have the usual style.
    style = () if all(flight_style == AIR for flight_style in changed) else changed
    return with_events(draft, replace(choreography, flights=replace(flights, style=style)))


def set_dwell(
    draft: Draft,
    event: int | None = None,
    seconds: float | None = None,
    beats: float | None = None,
    symmetric: bool = True,
) -> Draft:
    """Choose how long hands keep what they catch: catches move, throws stay.

    Of several props that are caught together, that which is held longest is kept for so long.

    Args:
        draft: what is edited.
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
    # Catches of a group move by the same time.
    if event is None:
        groups = [[catch] for catch in sorted(set(flights.catch.tolist()))]
    else:
        check_event(choreography, event)
        caught = [event] if event in flights.catch else _catches_before_throw(choreography, event)
        groups = [_with_images(draft, choreography, catch, symmetric=symmetric) for catch in caught]
    for group in groups:
        # The dwell of props caught together is that of the one held longest. A longer dwell means
        # an earlier catch.
        longest = float(choreography.flights.carry[flights.catch == group[0]].max())
        delays = np.zeros(len(events.time))
        delays[group] = delay_limits(choreography, group).nearest(longest - seconds)
        choreography = _with_delayed_events(choreography, delays)
    changed = in_order(choreography)
    check_bounces(events_of(draft), changed)
    return with_events(draft, changed)


def _catches_meant(choreography: Choreography, event: int) -> list[int]:
    """The catches that a number stands for: itself, or those of what it throws."""
    flights = choreography.flights
    if event in flights.catch:
        return [event]
    if event in flights.throw:
        return sorted(set(flights.catch[flights.throw == event].tolist()))
    raise EditError(
        _("event {event} is a point on a hand's path; choose a catch or a throw", event=event)
    )


def _catches_before_throw(choreography: Choreography, event: int) -> list[int]:
    """The catches of the props that a throw throws, just before it.

    Raises:
        EditError: the event is no throw.
    """
    flights = choreography.flights
    if event not in flights.throw:
        raise EditError(
            _("event {event} is a point on a hand's path; choose a catch or a throw", event=event)
        )
    # For each flight the throw that its prop makes next.
    next_throws = flights.throw[choreography.rounds.following]
    return sorted(set(flights.catch[next_throws == event].tolist()))


def _with_images(
    draft: Draft, choreography: Choreography, event: int, *, symmetric: bool
) -> list[int]:
    """An event and, with `symmetric`, its images under the symmetries of the draft."""
    return images_of_event(choreography, event, symmetries_of(draft)) if symmetric else [event]


def _with_landings(draft: Draft, choreography: Choreography, moved: list[int]) -> list[int]:
    """Add to some events the catches of props that the same hand throws on the same beat.

    Settings have a single place for all these catches, so they move together. Nothing is added
    to placed events, which have no settings.

    Args:
        draft: what is edited.
        choreography: its events.
        moved: numbers of events.
    """
    pattern = draft.score.pattern
    if pattern is None:
        return moved
    # The catches of each hand and beat.
    landings: dict[tuple[int, int], set[int]] = {}
    sites = flight_sites(repeat_to_full_loop(pattern, draft.score.staging))
    catches = choreography.flights.catch.tolist()
    for (_throw_site, landing_site), catch in zip(sites, catches, strict=True):
        landings.setdefault(landing_site, set()).add(catch)
    together = {
        event for group in landings.values() if group.intersection(moved) for event in group
    }
    return [*moved, *sorted(together.difference(moved))]


def _with_moved_events(choreography: Choreography, delays: Floats, places: Floats) -> Choreography:
    """The choreography with events at other times and places; flights and carries follow.

    Args:
        choreography: of E events.
        delays: how much later each event is, shape (E,), [s].
        places: of all events, shape (E, 3), [m].

    Raises:
        EditError: a prop can no longer bounce in its time.
    """
    events = replace(choreography.events, position=places)
    changed = in_order(_with_delayed_events(replace(choreography, events=events), delays))
    check_bounces(choreography, changed)
    return changed


def _with_delayed_events(choreography: Choreography, delays: Floats) -> Choreography:
    """The choreography with events later; flights and carries get longer or shorter accordingly.

    Events are neither sorted nor taken into the loop; `in_order` does that.

    Args:
        choreography: of E events.
        delays: how much later each event is, shape (E,), [s].
    """
    events = choreography.events
    flights = choreography.flights
    # For each flight the throw that its prop makes next.
    next_throws = flights.throw[choreography.rounds.following]
    delayed_flights = replace(
        flights,
        duration=flights.duration + delays[flights.catch] - delays[flights.throw],
        # Rounding must not make a carry negative.
        carry=np.maximum(0.0, flights.carry + delays[next_throws] - delays[flights.catch]),
    )
    return replace(
        choreography, events=replace(events, time=events.time + delays), flights=delayed_flights
    )


def exchanged_flights(
    draft: Draft, first: int, second: int, *, delay: float, symmetric: bool
) -> Choreography:
    """Return events in which two flights exchange landings; with `symmetric`, so do their images.

    Images whose flights have changed already, or which are missing, stay as they are.

    Args:
        draft: with events.
        first, second: numbers of the flights.
        delay: how much later than in this loop the second one is made, [s].
        symmetric: whether images change along.

    Raises:
        EditError: there are no such flights, a prop would land before its throw, or can no longer
            bounce in its time.
    """
    placed = events_of(draft)
    check_flights(placed, first, second)
    if first == second:
        raise EditError(_("a throw cannot swap with itself; choose two throws", first=first))
    # The two flights, and pairs of images that have no flight in common with earlier pairs.
    pairs = [(first, second)]
    for symmetry in symmetries_of(draft) if symmetric else ():
        first_image, second_image = (
            _image_of_flight(placed, flight, symmetry) for flight in (first, second)
        )
        if first_image is None or second_image is None or first_image == second_image:
            continue
        paired = {flight for pair in pairs for flight in pair}
        if not paired & {first_image, second_image}:
            pairs.append((first_image, second_image))

    thrown = placed.events.time[placed.flights.throw]
    durations = placed.flights.duration
    throws_apart = float(thrown[second] + delay - thrown[first])  # s
    changed = placed
    for pair_first, pair_second in pairs:
        # The throws of an image are as far apart, but perhaps in the other order in the loop: the
        # second one is then made whole loops later or earlier.
        gap_in_loop = float(thrown[pair_second] - thrown[pair_first])
        loops = round((throws_apart - gap_in_loop) / placed.duration)
        # Each prop flies from its own throw to the landing of the other one.
        first_duration = durations[pair_second] + throws_apart
        second_duration = durations[pair_first] - throws_apart
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
    """Return a draft of changed events; the settings that they were made from follow if they can.

    The same change is made to the settings, and these become the new base of the events. If they
    cannot be changed so, the events have no base any more.

    Args:
        draft: with events.
        changed: in any order.
        operation: makes the same change to settings.
        keeps_tempo: whether settings that choose no tempo get that of the events.
    """
    base = None
    settings = base_of(draft)
    if settings is not None:
        bps = settings.parameters.bps or (changed.bps if keeps_tempo else None)
        settings = settings._replace(parameters=settings.parameters.replace(bps=bps))
        with suppress(JuggleError):
            base = to_events(operation(settings)).score.base
    return Draft(replace(draft.score, placed=in_order(changed), base=base), draft.parameters)


def check_flights(choreography: Choreography, *numbers: int) -> None:
    """Refuse numbers that no flight has.

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
    """The flight that one becomes by a symmetry, perhaps itself; None if there is none.

    Args:
        placed: the events.
        flight: number of the flight.
        symmetry: of the events.
    """
    flights = placed.flights
    # `images_of_event` returns the event itself, and after it the image if that is another one: so
    # the last item is the image, and an event without one of its own stands for itself.
    *_itself, throw_image = images_of_event(placed, int(flights.throw[flight]), [symmetry])
    *_itself, catch_image = images_of_event(placed, int(flights.catch[flight]), [symmetry])
    rows = np.flatnonzero((flights.throw == throw_image) & (flights.catch == catch_image))
    return int(rows[0]) if len(rows) else None
