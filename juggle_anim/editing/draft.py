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

_BASE_NOTATION = "siteswap"

# Points stay with throws and catches that come at other times; so far from each other they are
# still the same, [s].
_RETIMED_POINT_TOLERANCE = 0.15


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
        draft if draft.score.placed else _placed(draft, choreograph(draft.score, draft.parameters))
    )


def back_to_settings(draft: Draft) -> Draft:
    """Return the settings that come nearest to some events: of their base, with its times.

    A draft that is settings already is returned as it is.

    Raises:
        EditError: the events were not made from settings.
    """
    if draft.score.pattern:
        return draft
    prepared = _prepared(draft)
    if prepared.source is None:
        raise EditError(
            _(
                "these events have no settings to go back to; they were not made from a pattern "
                "of throws"
            )
        )
    return prepared.nearest[0]


def losses(draft: Draft) -> tuple[str, ...]:
    """Return what `back_to_settings` would lose, in words such as "times of 2 throws"; empty if it
    loses nothing.
    """
    return () if draft.score.pattern else _prepared(draft).nearest[1]


def with_events(draft: Draft, changed: Choreography) -> Draft:
    """Return a draft with other events: as settings where they can say it, else as events.

    Events that settings could have said before the change stay events, since they were wanted so.
    """
    source = None if draft.stays_events else _prepared(draft).source
    if source is None or (draft.score.placed and not losses(draft)):
        return _placed(draft, changed)
    # The first loss decides, so no more are looked for.
    settings, lost = _nearest_and_losses(source, changed, most=1)
    return _placed(draft, changed) if lost else settings


def with_grasps(draft: Draft, changed: Choreography) -> Draft:
    """Return a draft with other manners of catches; settings that say them put hands where these
    usually are.
    """
    if draft.score.pattern:
        score = with_catches(draft.score, draft.parameters, changed)
        if not _grasps_differ(changed, choreograph(score, draft.parameters)):
            return Draft(replace(score, title=own_title(score)), draft.parameters)
    return with_events(draft, changed)


def events_of(draft: Draft) -> Choreography:
    """Return the events of a draft, whether settings say them or not."""
    return _prepared(draft).events


def symmetries_of(draft: Draft) -> list[Symmetry]:
    """Return the symmetries of throws and catches of a draft, as it was written."""
    return _prepared(draft).symmetries


def base_of(draft: Draft) -> Draft | None:
    """Return the pattern with its settings that a draft is, or was before it became events; None if
    there is none.
    """
    source = _prepared(draft).source
    return source.draft if source else None


class _Prepared:
    """What is known of a draft before any change, computed once: many changes may begin from it
    while one drags.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft

    @cached_property
    def events(self) -> Choreography:
        return choreograph(self.draft.score, self.draft.parameters)

    @cached_property
    def source(self) -> _Prepared | None:
        """Settings that the draft has, or had before it became events; None if there are none."""
        score = self.draft.score
        if score.pattern:
            return self
        # Events may come from a file, with a base in another notation or none.
        if score.base is None or score.base[0] != _BASE_NOTATION:
            return None
        try:
            base, parameters = _read_base(score.base[1])
        except JuggleError:
            return None
        # Of the base only the parameters of beats count; the others may have changed since.
        beat_values = {name: getattr(parameters, name) for name in BEAT_PARAMETERS}
        # Juggling Lab writes no style, since it has but one.
        as_juggling_lab = score.placed is not None and score.placed.as_juggling_lab
        staging = replace(base.staging, style="juggling-lab" if as_juggling_lab else "natural")
        base_score = replace(
            base, staging=staging, title=score.title, about=score.about, tags=score.tags
        )
        return _Prepared(Draft(base_score, self.draft.parameters.replace(**beat_values)))

    @cached_property
    def usual(self) -> UsualPlaces:
        return UsualPlaces(self.draft.score, self.draft.parameters)

    @cached_property
    def symmetries(self) -> list[Symmetry]:
        base = self.source.draft.score if self.source else None
        return written_symmetries(self.events, repeat_time(base, self.events))

    @cached_property
    def nearest(self) -> tuple[Draft, tuple[str, ...]]:
        """The settings that come nearest, and what they lack."""
        return (
            _nearest_and_losses(self.source, self.events)
            if self.source
            else (self.draft, (_("the pattern"),))
        )


_recent: deque[_Prepared] = deque(maxlen=4)


def _prepared(draft: Draft) -> _Prepared:
    """Return what is known of a draft, from the cache if its score and parameters are in it."""
    for recent in _recent:
        if recent.draft.score is draft.score and recent.draft.parameters is draft.parameters:
            return recent
    prepared = _Prepared(Draft(draft.score, draft.parameters))
    _recent.append(prepared)
    return prepared


def in_order(choreography: Choreography) -> Choreography:
    """Return a choreography with times within the loop, 0 ≤ t < duration, and events sorted.

    Events are sorted by time, then hand, then kind, and renumbered in flights. Points of hand paths
    become HOLD or MOVE by what the hand does there, and looks of props follow throws that cross the
    end of the loop.
    """
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    laps = np.floor(events.time / loop).astype(np.intp)
    # Rounding may leave a time just below 0 at the end of the loop, which is its beginning.
    time = np.where(events.time - laps * loop >= loop, 0.0, events.time - laps * loop)
    order = np.lexsort((events.kind, events.hand, time))
    rank = inverse_permutation(order)
    looks = choreography.looks and _looks_after(choreography, laps)
    changed = replace(
        choreography,
        events=replace(events, time=time).taken(order),
        flights=replace(flights, throw=rank[flights.throw], catch=rank[flights.catch]),
        looks=looks,
    )
    return replace(changed, events=replace(changed.events, kind=_event_kinds(changed)))


def _looks_after(choreography: Choreography, laps: Integers) -> tuple[PropLook, ...]:
    """Return the looks of props after the first throws of orbits have moved into other loops.

    Args:
        choreography: events before their times are taken into the loop; it has looks.
        laps: (E,), number of the loop in which each event is.

    Returns:
        One look for each prop, orbit after orbit.
    """
    looks = list[PropLook]()
    first = 0
    for orbit in choreography.orbits:
        orbit_looks = choreography.looks[first : first + orbit.props]
        # Props of an orbit are numbered by the loop in which they make its first throw.
        shift = int(laps[choreography.flights.throw[orbit.flights[0]]]) if orbit.flights else 0
        looks += [orbit_looks[(prop + shift) % orbit.props] for prop in range(orbit.props)]
        first += orbit.props
    return tuple(looks)


def _event_kinds(choreography: Choreography) -> Integers:
    """Return the kinds of all events, with points as HOLD where the hand carries a prop, else MOVE.

    Returns:
        (E,), kinds; those of throws and catches are unchanged.
    """
    events = choreography.events
    flights = choreography.flights
    kinds = choreography.events.kind.copy()
    # A prop that is never thrown keeps its hand full.
    always_full = {orbit.hand for orbit in choreography.orbits if not orbit.flights}
    for hand in np.unique(events.hand[kinds >= HOLD]).tolist():
        points = np.flatnonzero((events.hand == hand) & (kinds >= HOLD))
        caught = events.hand[flights.catch] == hand
        carry_starts = events.time[flights.catch[caught]]
        carry_lengths = flights.carry[caught]
        is_carrying = covered(
            events.time[points], carry_starts, carry_lengths, choreography.duration
        ) | (hand in always_full)
        kinds[points] = np.where(is_carrying, HOLD, MOVE)
    return kinds


def _placed(draft: Draft, changed: Choreography) -> Draft:
    """Return a draft of events, with the settings of the draft before as their base."""
    score = draft.score
    base = draft.score.base
    if score.pattern:
        beat_values = {name: getattr(draft.parameters, name) for name in BEAT_PARAMETERS}
        bare = replace(score, title="", about="", tags=())
        base = _BASE_NOTATION, write_settings(bare, DEFAULTS.replace(**beat_values))
    placed = Score(
        placed=changed, title=own_title(score), about=score.about, tags=score.tags, base=base
    )
    # Parameters of beats stand in the base; on events they have no effect.
    default_beat_values = {name: getattr(DEFAULTS, name) for name in BEAT_PARAMETERS}
    return Draft(placed, draft.parameters.replace(**default_beat_values))


def own_title(score: Score) -> str:
    """Return the title, unless it says that this is a pattern of the library as it stands there."""
    return "" if score.title and find_pattern(score.title) else score.title


@lru_cache(maxsize=8)
def _read_base(text: str) -> tuple[Score, Parameters]:
    settings = read_settings(text)
    return settings.score, settings.applied_to(DEFAULTS)


def _nearest_and_losses(
    source: _Prepared, wanted: Choreography, most: int | None = None
) -> tuple[Draft, tuple[str, ...]]:
    """Return the settings that come nearest to some events, and in words what they lack.

    Args:
        source: settings from which the events were made.
        wanted: the events.
        most: number of losses after which the comparison may stop; None for all of them.
    """
    first_choice: tuple[Draft, tuple[str, ...]] | None = None
    before = source.draft.score
    score = nearest_settings(source.usual, wanted)
    if score.staging != before.staging:
        # A changed pattern no longer is the one of the library by that name.
        score = replace(score, title=own_title(score))
    for parameters in _tempos_to_try(score, source.draft.parameters, wanted):
        try:
            lacks = tuple(islice(_differences(wanted, choreograph(score, parameters)), most))
        except ChoreographyError:
            continue
        if not lacks:
            return Draft(score, parameters), ()
        first_choice = first_choice or (Draft(score, parameters), lacks)
    return first_choice or (Draft(before, source.draft.parameters), (_("all places"),))


def _tempos_to_try(
    score: Score, parameters: Parameters, wanted: Choreography
) -> Iterator[Parameters]:
    """Yield parameters with which settings may match some events: as they are, then in their tempo.

    Args:
        score: settings with a pattern.
        parameters: of the settings.
        wanted: the events.
    """
    yield parameters
    # The natural tempo of bounces follows from the heights of hands, and that of body throws from
    # their manners, so that it may have changed with these.
    has_bounces = score.pattern is not None and any(throw.bounces for throw in score.pattern.throws)
    has_body_throws = score.staging.throws or CATCHES.keys() & {
        word for words in score.staging.catches for word in words
    }
    if parameters.bps is None and (has_bounces or has_body_throws):
        yield parameters.replace(bps=wanted.bps)


def _differences(wanted: Choreography, have: Choreography) -> Iterator[str]:
    """Yield in words how one choreography differs from another.

    Args:
        wanted: choreography that is described.
        have: choreography to which it is compared; its loop may be a fraction of the wanted one.
    """
    loops = round(wanted.duration / have.duration)
    if (
        loops < 1
        or abs(loops * have.duration - wanted.duration) > SAME_TIME
        or wanted.jugglers != have.jugglers
    ):
        yield _("all times")
        return
    have = unroll(have, loops) if loops > 1 else have
    # Without a one-to-one match of throws and catches no finer comparison has a meaning.
    match = matching_events(wanted, have)
    if match is None or len(wanted.flights.throw) != len(have.flights.throw):
        yield _("the throws")
        return
    rows = np.flatnonzero(match >= 0)
    yield from _event_differences(wanted, have, match, rows)
    yield from _flight_differences(wanted, have, match)
    # Where throws come at other times, which is said already, points may have moved with them.
    late = np.abs(
        time_apart(wanted.events.time[match[rows]], have.events.time[rows], wanted.duration)
    )
    is_on_time = late.max(initial=0.0) <= SAME_TIME
    tolerance = POINT_TIME + SAME_TIME if is_on_time else _RETIMED_POINT_TOLERANCE
    yield from _point_differences(wanted, have, tolerance)
    for juggler, keys in body_differences(wanted.bodies, have.bodies, wanted.duration).items():
        of = _(" of juggler {juggler}", juggler=juggler + 1) if wanted.jugglers > 1 else ""
        yield _("{places} of the body{of}", places=counted(keys, "place"), of=of)
    if Counter(wanted.looks) != Counter(have.looks):
        yield _("looks of props")
    if wanted.as_juggling_lab != have.as_juggling_lab:
        yield _("the style of hands")


def _event_differences(
    wanted: Choreography, have: Choreography, match: Integers, rows: Integers
) -> Iterator[str]:
    """Yield in words how throws and catches differ in time, place and kind.

    Args:
        wanted, have: choreographies of the same throws and catches.
        match: (E,), row of `wanted.events` for each event of `have`; -1 for points.
        rows: rows of `have.events` that throw or catch.
    """
    wanted_events = wanted.events
    have_events = have.events
    loop = wanted.duration
    times_apart = time_apart(wanted_events.time[match[rows]], have_events.time[rows], loop)
    differs_in_time = np.abs(times_apart) > SAME_TIME
    differs_in_place = (
        np.abs(wanted_events.position[match[rows]] - have_events.position[rows]).max(
            axis=1, initial=0.0
        )
        > SAME_PLACE
    )
    for kind_of_event, word in ((THROW, "throw"), (CATCH, "catch")):
        is_of_kind = have_events.kind[rows] == kind_of_event
        for message, differs in (
            (N_("times of {things}"), differs_in_time),
            (N_("places of {things}"), differs_in_place),
        ):
            if count := int((is_of_kind & differs).sum()):
                yield _(message, things=counted(count, word))

    # Columns of manners: the grasp, and the throw or catch around the body.
    differ = wanted_events.manners[match[rows]] != have_events.manners[rows]
    caught = differ.any(axis=1) & (have_events.kind[rows] == CATCH)
    # The grasp of a throw follows from its catch, and is not named again beside it.
    differing_throws = differ[:, 1] if caught.any() else differ.any(axis=1)
    thrown = differing_throws & (have_events.kind[rows] == THROW)
    for is_of_other_kind, word in ((thrown, "throw"), (caught, "catch")):
        if is_of_other_kind.any():
            yield _("kinds of {things}", things=counted(int(is_of_other_kind.sum()), word))


def _grasps_differ(wanted: Choreography, have: Choreography) -> bool:
    """Whether any catch is made in another manner."""
    match = matching_events(wanted, have)
    if match is None:
        return True
    caught = np.unique(have.flights.catch)
    return bool((wanted.events.manners[match[caught]] != have.events.manners[caught]).any())


def _flight_differences(wanted: Choreography, have: Choreography, match: Integers) -> Iterator[str]:
    """Yield in words how flights differ: in who throws to whom, or in their styles.

    Args:
        wanted, have: choreographies of the same throws and catches.
        match: (E,), row of `wanted.events` for each event of `have`; -1 for points.
    """

    def sorted_flights(
        choreography: Choreography, throw: Integers, catch: Integers
    ) -> list[tuple[object, ...]]:
        """Return the flights of a choreography in an order that two choreographies share.

        Args:
            choreography: whose flights they are.
            throw, catch: rows of wanted events with which they begin and end.

        Returns:
            Throw, catch, loops in the air, half loops in the hand, and style of each flight.
        """
        flights = choreography.flights
        times = choreography.events.time
        loops = np.rint(
            (times[flights.throw] + flights.duration - times[flights.catch]) / choreography.duration
        )
        half_loops_held = np.rint(flights.carry / choreography.duration * 2)
        styles = flights.style or (AIR,) * len(throw)
        # Styles have no order, so their texts are sorted.
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
    if [flight[:2] for flight in wanted_flights] != [flight[:2] for flight in have_flights]:
        yield _("who throws what")
    elif count := sum(
        wanted_style != have_style
        for (*_ends, wanted_style), (*_same_ends, have_style) in zip(
            wanted_flights, have_flights, strict=True
        )
    ):
        yield _("kinds of {things}", things=counted(count, "flight"))


def _point_differences(wanted: Choreography, have: Choreography, tolerance: float) -> Iterator[str]:
    """Yield in words, hand by hand, how many points of paths have no counterpart.

    Args:
        wanted, have: choreographies with the same hands.
        tolerance: how far apart in time two points may be that are the same, s.
    """
    wanted_events = wanted.events
    have_events = have.events
    hands_with_points = {
        int(hand)
        for events in (wanted_events, have_events)
        for hand in events.hand[events.kind >= HOLD]
    }
    for hand in sorted(hands_with_points):
        wanted_points, have_points = (
            np.flatnonzero((events.hand == hand) & (events.kind >= HOLD))
            for events in (wanted_events, have_events)
        )
        # (points of wanted, points of have)
        is_same = (
            np.abs(
                time_apart(
                    wanted_events.time[wanted_points, None],
                    have_events.time[have_points],
                    wanted.duration,
                )
            )
            <= tolerance
        )
        is_same &= (
            np.abs(
                wanted_events.position[wanted_points, None] - have_events.position[have_points]
            ).max(axis=2)
            <= SAME_PLACE
        )
        lost = max(int((~is_same.any(axis=1)).sum()), int((~is_same.any(axis=0)).sum()))
        if lost:
            of = _(" of juggler {juggler}", juggler=hand // 2 + 1) if wanted.jugglers > 1 else ""
            yield _(
                "{points} of the {hand}{of}",
                points=counted(lost, "point"),
                hand=hand_in_words(hand),
                of=of,
            )
