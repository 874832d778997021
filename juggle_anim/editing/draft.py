"""The draft: what operations of editing take and return, a pattern with its settings or events with
their own times.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple, Protocol

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import AIR, Choreography, PropLook, Score, choreograph
from juggle_anim.choreography.body_throws import CATCHES
from juggle_anim.choreography.choreography import CATCH, HOLD, MOVE, THROW
from juggle_anim.choreography.unroll import unroll
from juggle_anim.editing.places import (
    POINT_TIME,
    SAME_PLACE,
    UsualPlaces,
    body_differences,
    nearest_settings,
    with_catches,
)
from juggle_anim.editing.symmetry import (
    SAME_TIME,
    Symmetry,
    matching_events,
    repeat_time,
    time_apart,
    written_symmetries,
)
from juggle_anim.errors import ChoreographyError, EditError, JuggleError, counted, hand_in_words
from juggle_anim.language import N_, _
from juggle_anim.notation.jml.conversion import covered
from juggle_anim.notation.library import find_pattern
from juggle_anim.notation.settings.settings import read_settings, write_settings
from juggle_anim.parameters import BEAT_PARAMETERS, DEFAULTS, Parameters
from juggle_anim.vectors import inverse_permutation

_NOTATION_OF_BASE = "siteswap"

# Where throws and catches have moved in time, points moved along with them: so far apart they count
# as the same, [s].
_POINT_TIME_AMONG_MOVED = 0.15


class Paths(Protocol):
    """Where hands and bodies are between events."""

    def hand_place(self, hand: int, time: float) -> Floats:
        """Where a hand, 2 · juggler + side, is at a time [s], seen from its body as events are,
        shape (3,), [m].
        """

    def body_place(self, juggler: int, time: float) -> Floats:
        """Where a body is at a time [s]: x, y, z of the place under its feet [m] and its turn
        [rad], shape (4,).
        """


class Draft(NamedTuple):
    """What operations change.

    Attributes:
        score: the pattern, or its events.
        parameters: all adjustable values.
        paths: returns the motion before the change; None where there is none.
        stays_events: whether changed events stay events without a look at settings, as is quick
            while they are dragged.
    """

    score: Score
    parameters: Parameters
    paths: Callable[[], Paths] | None = None
    stays_events: bool = False


def kind(draft: Draft) -> str:
    """Return "settings" where a settings string says all, else "events"."""
    return "settings" if draft.score.pattern else "events"


def to_events(draft: Draft) -> Draft:
    """Return the same motion as events with their own times and places, which remember their
    settings as a base.
    """
    return (
        draft
        if draft.score.placed
        else _with_placed_events(draft, choreograph(draft.score, draft.parameters))
    )


def back_to_settings(draft: Draft) -> Draft:
    """Return the settings that come nearest to some events: of their base, with its times.

    Raises:
        EditError: the events were not made from settings.
    """
    if draft.score.pattern:
        return draft
    known = _known(draft)
    if known.source is None:
        raise EditError(_("these events have no settings to go back to"))
    return known.nearest.draft


def losses(draft: Draft) -> tuple[str, ...]:
    """Return what `back_to_settings` would lose, in words such as "times of 2 throws"; empty if it
    loses nothing.
    """
    return () if draft.score.pattern else _known(draft).nearest.lacks


def with_events(draft: Draft, changed: Choreography) -> Draft:
    """Return a draft with other events: as settings where they can say it, else as events.

    Events that settings could have said before the change stay events, since they were wanted so.
    """
    source = None if draft.stays_events else _known(draft).source
    if source is None or (draft.score.placed and not losses(draft)):
        return _with_placed_events(draft, changed)
    nearest = _nearest(source, changed, max_lacks=1)
    return _with_placed_events(draft, changed) if nearest.lacks else nearest.draft


def with_grasps(draft: Draft, changed: Choreography) -> Draft:
    """Return a draft with other manners of catches: settings if these can say it, else events.

    Settings put hands in the usual places for the new manners.
    """
    if draft.score.pattern:
        score = with_catches(draft.score, draft.parameters, changed)
        if not _grasps_differ(changed, choreograph(score, draft.parameters)):
            return Draft(replace(score, title=own_title(score)), draft.parameters)
    return with_events(draft, changed)


def events_of(draft: Draft) -> Choreography:
    """Return the events of a draft, whether settings say them or not."""
    return _known(draft).events


def symmetries_of(draft: Draft) -> list[Symmetry]:
    """Return the symmetries of throws and catches of a draft, as it was written."""
    return _known(draft).symmetries


def base_of(draft: Draft) -> Draft | None:
    """Return the pattern with its settings that a draft is, or was before it became events; None if
    there is none.
    """
    source = _known(draft).source
    return source.draft if source else None


class _NearestSettings(NamedTuple):
    """Settings that come nearest to some events.

    Attributes:
        draft: with the settings.
        lacks: what they cannot say, in words such as "times of 2 throws".
    """

    draft: Draft
    lacks: tuple[str, ...]


class _KnownDraft:
    """What follows from a draft before any change, computed once, as a drag makes many changes."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft

    @cached_property
    def events(self) -> Choreography:
        return choreograph(self.draft.score, self.draft.parameters)

    @cached_property
    def source(self) -> _KnownDraft | None:
        """The settings that the draft has, or that it had before it became events.

        None for events that were not made from settings, or whose base cannot be read.
        """
        score = self.draft.score
        if score.pattern:
            return self
        if score.base is None:
            return None
        notation, text = score.base
        if notation != _NOTATION_OF_BASE:
            return None
        try:
            base, parameters = _read_base(text)
        except JuggleError:
            return None
        # Events lost their parameters of beats, so these are taken from the base.
        beat_parameters = {name: getattr(parameters, name) for name in BEAT_PARAMETERS}
        # The text of the base says no style: events of Juggling Lab have its own.
        as_juggling_lab = score.placed is not None and score.placed.as_juggling_lab
        staging = replace(base.staging, style="juggling-lab" if as_juggling_lab else "natural")
        settings = replace(
            base, staging=staging, title=score.title, about=score.about, tags=score.tags
        )
        return _KnownDraft(Draft(settings, self.draft.parameters.replace(**beat_parameters)))

    @cached_property
    def usual(self) -> UsualPlaces:
        return UsualPlaces(self.draft.score, self.draft.parameters)

    @cached_property
    def symmetries(self) -> list[Symmetry]:
        base = self.source.draft.score if self.source else None
        return written_symmetries(self.events, repeat_time(base, self.events))

    @cached_property
    def nearest(self) -> _NearestSettings:
        """The settings that come nearest to the events."""
        if self.source is None:
            return _NearestSettings(self.draft, lacks=(_("the pattern"),))
        return _nearest(self.source, self.events)


_recent: deque[_KnownDraft] = deque(maxlen=4)


def _known(draft: Draft) -> _KnownDraft:
    """What is known of a draft; the last few are remembered."""
    for known in _recent:
        # The same objects: comparing their values would take long.
        if known.draft.score is draft.score and known.draft.parameters is draft.parameters:
            return known
    new = _KnownDraft(Draft(draft.score, draft.parameters))
    _recent.append(new)
    return new


def in_order(choreography: Choreography) -> Choreography:
    """Return a choreography in normal form; events get other numbers.

    Times are taken into the loop, events are sorted by time, hand and kind, and points are marked
    as HOLD where the hand has a prop, else as MOVE. Where throws move into another loop by this,
    the looks of props are put in another order, so that each prop keeps its look.
    """
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    laps = np.floor(events.time / loop).astype(np.intp)  # by how many loops each event is later
    time = events.time - laps * loop
    time = np.where(time >= loop, 0.0, time)  # rounding may leave a time at the very end
    order = np.lexsort((events.kind, events.hand, time))
    rank = inverse_permutation(order)
    looks = choreography.looks and _looks_after(choreography, laps)
    changed = replace(
        choreography,
        events=replace(events, time=time).taken(order),
        flights=replace(flights, throw=rank[flights.throw], catch=rank[flights.catch]),
        looks=looks,
    )
    return replace(changed, events=replace(changed.events, kind=_kinds_of_events(changed)))


def _looks_after(choreography: Choreography, laps: Integers) -> tuple[PropLook, ...]:
    """The looks of props in their order, after throws have moved into other loops.

    The props of an orbit are counted from its first throw of the loop, so another prop may be the
    first.

    Args:
        choreography: with the looks before.
        laps: by how many loops each event is later.
    """
    looks = list[PropLook]()
    first_prop = 0
    for orbit in choreography.orbits:
        orbit_looks = choreography.looks[first_prop : first_prop + orbit.props]
        shift = int(laps[choreography.flights.throw[orbit.flights[0]]]) if orbit.flights else 0
        looks += [orbit_looks[(prop + shift) % orbit.props] for prop in range(orbit.props)]
        first_prop += orbit.props
    return tuple(looks)


def _kinds_of_events(choreography: Choreography) -> Integers:
    """The kinds of all events, shape (E,): points are HOLD where the hand has a prop, else MOVE.

    Throws and catches keep their kinds.
    """
    events = choreography.events
    flights = choreography.flights
    kind = choreography.events.kind.copy()
    # An orbit without flights is a prop that a hand never lets go.
    always_full = {orbit.hand for orbit in choreography.orbits if not orbit.flights}
    for hand in np.unique(events.hand[kind >= HOLD]).tolist():
        points = np.flatnonzero((events.hand == hand) & (kind >= HOLD))
        is_caught = events.hand[flights.catch] == hand
        starts = events.time[flights.catch[is_caught]]
        lengths = flights.carry[is_caught]
        has_prop = covered(events.time[points], starts, lengths, choreography.duration) | (
            hand in always_full
        )
        kind[points] = np.where(has_prop, HOLD, MOVE)
    return kind


def _with_placed_events(draft: Draft, changed: Choreography) -> Draft:
    """The draft as events with their own times; settings that it had become its base.

    Events have no beats, so the parameters that speak of beats go into the text of the base, and
    the draft gets their defaults.

    Args:
        draft: with settings or with events.
        changed: the events.
    """
    score = draft.score
    base = draft.score.base
    if score.pattern:
        # The base is a text of what makes the motion only.
        beat_parameters = {name: getattr(draft.parameters, name) for name in BEAT_PARAMETERS}
        bare = replace(score, title="", about="", tags=())
        base = _NOTATION_OF_BASE, write_settings(bare, DEFAULTS.replace(**beat_parameters))
    placed = Score(
        placed=changed, title=own_title(score), about=score.about, tags=score.tags, base=base
    )
    usual = {name: getattr(DEFAULTS, name) for name in BEAT_PARAMETERS}
    return Draft(placed, draft.parameters.replace(**usual))


def own_title(score: Score) -> str:
    """Return the title, unless it says that this is a pattern of the library as it stands there."""
    return "" if score.title and find_pattern(score.title) else score.title


@lru_cache(maxsize=8)
def _read_base(text: str) -> tuple[Score, Parameters]:
    """The score of a settings text, and the default parameters with those that it says."""
    settings = read_settings(text)
    return settings.score, settings.applied_to(DEFAULTS)


def _nearest(
    source: _KnownDraft, wanted: Choreography, max_lacks: int | None = None
) -> _NearestSettings:
    """Return the settings that come nearest to some events, and what these cannot say.

    If the settings cannot be juggled at any possible tempo, those before are returned, which lack
    all places.

    Args:
        source: the settings before.
        wanted: the events.
        max_lacks: how many differences are looked for; None for all.
    """
    nearest: _NearestSettings | None = None
    before = source.draft.score
    score = nearest_settings(source.usual, wanted)
    if score.staging != before.staging:
        score = replace(score, title=own_title(score))
    # Take the first tempo at which nothing is lacking, else the first that can be juggled.
    for parameters in _possible_tempos(score, source.draft.parameters, wanted):
        try:
            lacks = tuple(islice(_differences(wanted, choreograph(score, parameters)), max_lacks))
        except ChoreographyError:
            continue
        if not lacks:
            return _NearestSettings(Draft(score, parameters), lacks=())
        nearest = nearest or _NearestSettings(Draft(score, parameters), lacks)
    return nearest or _NearestSettings(
        Draft(before, source.draft.parameters), lacks=(_("all places"),)
    )


def _possible_tempos(
    score: Score, parameters: Parameters, wanted: Choreography
) -> Iterator[Parameters]:
    """Yield the parameters as they are, and then, if useful, those with the tempo of the events.

    That is useful where no tempo is chosen and the natural one may have changed.
    """
    yield parameters
    # The natural tempo of bounces follows from the heights of hands, and that of throws around the
    # body from which ones they are, so both may have changed it.
    has_bounces = score.pattern is not None and any(throw.bounces for throw in score.pattern.throws)
    caught_words = {word for words in score.staging.catches for word in words}
    goes_around_body = score.staging.throws or CATCHES.keys() & caught_words
    if parameters.bps is None and (has_bounces or goes_around_body):
        yield parameters.replace(bps=wanted.bps)


def _differences(wanted: Choreography, have: Choreography) -> Iterator[str]:
    """Yield the differences between two choreographies in words, such as "times of 2 throws".

    Nothing is yielded if they are the same. If loops, jugglers or throws differ, nothing else can
    be compared, and that is the only difference.

    Args:
        wanted: the wanted events.
        have: those of settings. Its loop may be shorter, if several of them are as long.
    """
    # The same loop, written out as often as that of the wanted events has it.
    loops = round(wanted.duration / have.duration)
    if (
        loops < 1
        or abs(loops * have.duration - wanted.duration) > SAME_TIME
        or wanted.jugglers != have.jugglers
    ):
        yield _("all times")
        return
    have = unroll(have, loops) if loops > 1 else have
    match = matching_events(wanted, have)
    if match is None or len(wanted.flights.throw) != len(have.flights.throw):
        yield _("the throws")
        return

    # Throws and catches, then flights.
    rows = np.flatnonzero(match >= 0)
    yield from _event_differences(wanted, have, match, rows)
    yield from _flight_differences(wanted, have, match)

    # Points, which may be at other times if throws and catches are.
    late = np.abs(
        time_apart(wanted.events.time[match[rows]], have.events.time[rows], wanted.duration)
    )
    has_same_times = late.max(initial=0.0) <= SAME_TIME
    tolerance = POINT_TIME + SAME_TIME if has_same_times else _POINT_TIME_AMONG_MOVED
    yield from _point_differences(wanted, have, tolerance)

    # Bodies and looks.
    for juggler, keys in body_differences(wanted.bodies, have.bodies, wanted.duration).items():
        of_juggler = _of_juggler(juggler, wanted.jugglers)
        yield _("{places} of the body{of}", places=counted(keys, "place"), of=of_juggler)
    if Counter(wanted.looks) != Counter(have.looks):
        yield _("looks of props")
    if wanted.as_juggling_lab != have.as_juggling_lab:
        yield _("the style of hands")


def _of_juggler(juggler: int, jugglers: int) -> str:
    """The words " of juggler 1", counted from 1; empty if there is only one."""
    return _(" of juggler {juggler}", juggler=juggler + 1) if jugglers > 1 else ""


def _event_differences(
    wanted: Choreography, have: Choreography, match: Integers, rows: Integers
) -> Iterator[str]:
    """Yield in words how many throws and catches have other times, places or manners.

    Args:
        wanted: the wanted events.
        have: those of settings, over the same loop.
        match: for each event of `have` the row of its counterpart in `wanted`; −1 for points.
        rows: rows of the throws and catches of `have`.
    """
    wanted_events = wanted.events
    events = have.events
    loop = wanted.duration
    is_late = (
        np.abs(time_apart(wanted_events.time[match[rows]], events.time[rows], loop)) > SAME_TIME
    )
    is_away = (
        np.abs(wanted_events.position[match[rows]] - events.position[rows]).max(axis=1, initial=0.0)
        > SAME_PLACE
    )
    for kind_of_event, word in ((THROW, "throw"), (CATCH, "catch")):
        is_of_kind = events.kind[rows] == kind_of_event
        for message, differs in (
            (N_("times of {things}"), is_late),
            (N_("places of {things}"), is_away),
        ):
            if count := int((is_of_kind & differs).sum()):
                yield _(message, things=counted(count, word))

    grasp_differs, body_throw_differs = (
        wanted_events.manners[match[rows]] != events.manners[rows]
    ).T
    manner_differs = grasp_differs | body_throw_differs
    is_other_catch = manner_differs & (events.kind[rows] == CATCH)
    # If catches differ, so do the grasps of the throws after them, which are not counted again.
    throw_differs = body_throw_differs if is_other_catch.any() else manner_differs
    is_other_throw = throw_differs & (events.kind[rows] == THROW)
    for differs, word in ((is_other_throw, "throw"), (is_other_catch, "catch")):
        if differs.any():
            yield _("kinds of {things}", things=counted(int(differs.sum()), word))


def _grasps_differ(wanted: Choreography, have: Choreography) -> bool:
    """Whether any catch is made in another manner, or the throws are not the same."""
    match = matching_events(wanted, have)
    if match is None:
        return True
    caught = np.unique(have.flights.catch)
    return bool((wanted.events.manners[match[caught]] != have.events.manners[caught]).any())


def _flight_differences(wanted: Choreography, have: Choreography, match: Integers) -> Iterator[str]:
    """Yield in words whether props are thrown to others, or how many fly in another style.

    Args:
        wanted: the wanted events.
        have: those of settings, over the same loop.
        match: for each event of `have` the row of its counterpart in `wanted`; −1 for points.
    """

    def sorted_flights(
        choreography: Choreography, throw: Integers, catch: Integers
    ) -> list[tuple[object, ...]]:
        """For each flight: throw and catch, loops in the air, half loops in the hand, and style.

        Throws and catches are rows of the wanted events, so that flights of both choreographies
        compare.
        """
        flights = choreography.flights
        times = choreography.events.time
        loops = np.rint(
            (times[flights.throw] + flights.duration - times[flights.catch]) / choreography.duration
        )
        half_loops_held = np.rint(flights.carry / choreography.duration * 2)
        styles = flights.style or (AIR,) * len(throw)
        # Styles as text, since they have no order.
        return sorted(
            zip(
                throw.tolist(),
                catch.tolist(),
                loops,
                half_loops_held,
                map(repr, styles),
                strict=True,
            )
        )

    flights = have.flights
    wanted_flights = sorted_flights(wanted, wanted.flights.throw, wanted.flights.catch)
    have_flights = sorted_flights(have, match[flights.throw], match[flights.catch])
    # Throw and catch of each flight.
    if [flight[:2] for flight in wanted_flights] != [flight[:2] for flight in have_flights]:
        yield _("who throws what")
        return
    count = sum(
        wanted_style != have_style
        for (*_ends, wanted_style), (*_ends, have_style) in zip(
            wanted_flights, have_flights, strict=True
        )
    )
    if count:
        yield _("kinds of {things}", things=counted(count, "flight"))


def _point_differences(wanted: Choreography, have: Choreography, tolerance: float) -> Iterator[str]:
    """Yield in words how many points of each hand have no counterpart in the other choreography.

    A counterpart is at the same place at about the same time. Points without one are counted in
    both choreographies, and the greater number is told.

    Args:
        wanted: the wanted events.
        have: those of settings, over the same loop.
        tolerance: how much sooner or later a point is still the same, [s].
    """
    wanted_events = wanted.events
    events = have.events
    hands_with_points = {
        int(hand) for table in (wanted_events, events) for hand in table.hand[table.kind >= HOLD]
    }
    for hand in sorted(hands_with_points):
        wanted_rows, rows = (
            np.flatnonzero((table.hand == hand) & (table.kind >= HOLD))
            for table in (wanted_events, events)
        )
        # Which of the wanted points (rows) are near which of the others (columns).
        is_near = (
            np.abs(
                time_apart(
                    wanted_events.time[wanted_rows, None], events.time[rows], wanted.duration
                )
            )
            <= tolerance
        )
        away = np.abs(wanted_events.position[wanted_rows, None] - events.position[rows])
        is_near &= away.max(axis=2) <= SAME_PLACE
        unmatched = max((~is_near.any(axis=1)).sum(), (~is_near.any(axis=0)).sum())
        if unmatched:
            of_juggler = _of_juggler(hand // 2, wanted.jugglers)
            yield _(
                "{points} of the {hand}{of}",
                points=counted(int(unmatched), "point"),
                hand=hand_in_words(hand),
                of=of_juggler,
            )
