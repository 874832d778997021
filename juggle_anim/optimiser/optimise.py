"""Other places of throws and catches, so that props pass each other with more room.

The narrow encounters of the true motion are made linear in the places, a program finds places that
widen the narrowest, and the motion with these is measured; so again, until there is room enough or
nothing widens them.

Places of throws and catches as variables: which of them move together, and the score in which
they have moved.

Juggling Lab's optimiser: the angle by which throws may go astray before props collide, made as
large as it can be.

Facts after Jack Boyce, Juggling Lab 1.7 (`MarginEquations`, `Optimizer`): only the sideways places
of throws and catches move, times stay, and arcs are ordinary throws of one juggler.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from juggle_anim.analysis import (
    BodyPairs,
    Collisions,
    PropPairs,
    find_collisions,
    find_encounters,
    time_grid,
)
from juggle_anim.animation import Animation
from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import (
    BODY_THROWS,
    STYLES,
    BodyThrowSites,
    Choreography,
    EventKind,
    HandBeat,
    Point,
    Score,
    Site,
    path_without_body_throws,
    repeat_to_full_loop,
)
from juggle_anim.editing.draft import flight_sites, lowered, next_turns, paths_by_turn, write_paths
from juggle_anim.editing.symmetry import outward_places, side_signs, symmetries
from juggle_anim.errors import ChoreographyError, ParameterError, require_library
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import ShortRepr, dataclass
from juggle_anim.motion import Motion
from juggle_anim.parameters import Result
from juggle_anim.pattern import Pattern, grouped


@dataclass(frozen=True)
class FreePlaces:
    """The places of throws and catches that may move, G of them.

    Throws and catches that symmetry makes alike share one place. Coordinates are outward, up and
    forward of the middle between the hands, as in settings, [m].

    Args:
        score: the pattern, or its events.
        choreography: the choreography of the score, E events.
        place_of_event: shape (E,), which place each event has; −1 where a hand only passes.
        start: shape (G, 3), where they are.
    """

    score: Score
    choreography: Choreography
    place_of_event: Integers
    start: Floats

    @classmethod
    def from_animation(cls, animation: Animation, *, mirror_only: bool = False) -> FreePlaces:
        """Return the places of throws and catches of an animation that may move.

        An event is a throw, a catch, or a point that a hand only passes; these have no place. Two
        events share one place if a symmetry of the loop maps one to the other, or, in a pattern,
        if they are catches of one hand before the same throw.

        Args:
            animation: the animation whose throws and catches are to move.
            mirror_only: whether places are alike only where the second half of the loop mirrors the
                first, as in Juggling Lab; otherwise jugglers who do the same at other times move
                theirs alike, too.
        """
        score = animation.score
        choreography = animation.choreography
        events = choreography.events
        outward = outward_places(choreography)
        can_move = (events.kind == EventKind.THROW) | (events.kind == EventKind.CATCH)

        # Each event is represented by the first event that has to move alike: itself to begin with.
        # `image` has, for each event, the event to which a symmetry maps it.
        representative = np.arange(len(can_move))
        for _outward, image in symmetries(choreography, outward, mirror_only):
            _merge_events(representative, enumerate(image.tolist()))
        if score.pattern:
            for events_of_turn in _catches_of_one_turn(score, choreography):
                _merge_events(representative, pairwise(events_of_turn))

        # Places are the representatives of movable events, numbered from 0.
        first_events, place_of_movable = np.unique(representative[can_move], return_inverse=True)
        place_of_event = np.full(len(can_move), -1)
        place_of_event[can_move] = place_of_movable
        return cls(
            score=score,
            choreography=choreography,
            place_of_event=place_of_event,
            start=outward[first_events],
        )

    @cached_property
    def first_event(self) -> Integers:
        """For each place the first event that has it, shape (G,) for G places."""
        return np.array(
            [
                int(np.flatnonzero(self.place_of_event == place)[0])
                for place in range(len(self.start))
            ],
            dtype=np.intp,
        )

    @cached_property
    def side_sign(self) -> Floats:
        """For each event, 1 if outward is to the body's left, −1 if it is to the right, shape
        (E,) for E events.
        """
        return side_signs(self.choreography.events.hand)

    def prop_jacobian(
        self, motion: Motion, prop: Integers, times: Floats, direction: Floats
    ) -> Floats:
        """Return by how much props move along given directions per displacement of the places.

        Places are those of throws and catches, whose times are constant. So a prop in flight moves
        with the places of its throw and its catch, weighted by the remaining and the past share of
        the flight. A held prop moves with its hand, see `hand_jacobian`.

        Args:
            motion: the motion at whose places the Jacobian is taken.
            prop: shape (K,), the prop of each of K pairs of a prop and a time.
            times: shape (K,), [s].
            direction: shape (K, 3), directions in the world, along which positions are measured; of
                unit length for results in m/m.

        Returns:
            The Jacobian, shape (K, 3 · G), [m/m]: the columns of each place are outward, up and
            forward.
        """
        flights = motion.choreography.flights
        last_throws = motion.last_throws
        # The flight of each prop's last throw, and the time since this throw; after the flight the
        # past share is 1. `last_throws` has a piece of time for each throw of an orbit, the closed
        # path that some props share, on which each is ahead by its `lead`, [s].
        piece, since_throw = last_throws.paths.locate(
            motion.props.orbit_of_prop[prop], times + motion.props.lead[prop]
        )
        flight = last_throws.flight_of_piece[piece]
        share = np.minimum(since_throw / last_throws.flight_duration[piece], 1.0)
        jacobian = self._jacobian_between_events(
            motion,
            before=flights.throw[flight],
            after=flights.catch[flight],
            share=share,
            direction=direction,
        )

        # The rows of props that are held are replaced. `holder` is the hand, and −1 in flight.
        path_piece, _since_start = motion.locate(prop, times)
        holder = motion.props.holder_of_piece[path_piece]
        held = holder >= 0
        jacobian[held] = self.hand_jacobian(motion, holder[held], times[held], direction[held])
        return jacobian

    def hand_jacobian(
        self, motion: Motion, hand: Integers, times: Floats, direction: Floats
    ) -> Floats:
        """Return by how much hands move along given directions per displacement of the places.

        Places are those of throws and catches. A hand moves with the places of its throw or catch
        before and after each time, weighted by the remaining and the past share of the time between
        the two.

        Args:
            motion: the motion at whose places the Jacobian is taken.
            hand: shape (K,), the hand of each of K pairs of a hand and a time: 2 · juggler + side.
            times: shape (K,), [s].
            direction: shape (K, 3), directions in the world, of unit length.

        Returns:
            Shape (K, 3 · G) for G places, [m/m]: the columns of each place are outward, up and
            forward. 0 for hands without places, which only hold.
        """
        events = motion.choreography.events
        before = np.zeros_like(hand)
        after = np.zeros_like(hand)
        share = np.zeros(len(hand))
        has_no_places = np.zeros(len(hand), dtype=bool)
        for hand_number in np.unique(hand):
            rows = np.flatnonzero(hand == hand_number)
            # The throws and catches of this hand, in order of time, as all events are.
            events_of_hand = np.flatnonzero(
                (events.hand == hand_number) & (self.place_of_event >= 0)
            )
            if not len(events_of_hand):
                has_no_places[rows] = True
                continue

            # The events before and after each time, around the loop: before the first event is the
            # last one (index −1), after the last one the first.
            time_in_loop = times[rows] % motion.duration
            next_index = np.searchsorted(events.time[events_of_hand], time_in_loop, side="right")
            before[rows] = events_of_hand[next_index - 1]
            after[rows] = events_of_hand[next_index % len(events_of_hand)]

            # From a hand's only event to itself is a whole loop, not 0.
            interval = (events.time[after[rows]] - events.time[before[rows]]) % motion.duration
            elapsed = (time_in_loop - events.time[before[rows]]) % motion.duration
            share[rows] = elapsed / np.where(interval > 0, interval, motion.duration)
        jacobian = self._jacobian_between_events(
            motion, before=before, after=after, share=share, direction=direction
        )
        return np.where(has_no_places[:, None], 0.0, jacobian)

    def _jacobian_between_events(
        self,
        motion: Motion,
        *,
        before: Integers,
        after: Integers,
        share: Floats,
        direction: Floats,
    ) -> Floats:
        """Return by how much points between two events move along directions, per displacement.

        A point is (1 − share) · (place of the event before) + share · (place of the event after).
        Places are in the frames of the bodies, so directions are rotated into the frame of the body
        at each event.

        Args:
            motion: the motion, which says where bodies face at the events.
            before, after: shape (K,) for K points, indices of events, all of which have a place.
            share: shape (K,), weight of the event after, 0 to 1.
            direction: shape (K, 3), directions in the world, of unit length.

        Returns:
            The Jacobian, shape (K, 3 · G) for G places, [m/m]: the columns of each place are
            outward, up and forward.
        """
        events = motion.choreography.events
        facing = motion.bodies.facing(events.hand // 2, events.time)  # of each event, [rad]
        jacobian = np.zeros((len(share), len(self.start), 3))
        rows = np.arange(len(share))
        for event, weight in ((before, 1 - share), (after, share)):
            # The direction in the frame of the event's body: outward, up, forward. A body that
            # faces +z has +x to its left, and `facing` is its turn about y.
            sine = np.sin(facing[event])
            cosine = np.cos(facing[event])
            left = direction[:, 0] * cosine - direction[:, 2] * sine
            forward = direction[:, 0] * sine + direction[:, 2] * cosine
            in_body = np.stack([left * self.side_sign[event], direction[:, 1], forward], axis=-1)
            # Both events may share a place: weights add up.
            np.add.at(jacobian, (rows, self.place_of_event[event]), weight[:, None] * in_body)
        return jacobian.reshape(len(share), 3 * len(self.start))

    def moved(self, places: Floats, digits: int = 1) -> Score:
        """Return the score with other places of throws and catches.

        A score is a pattern, or a list of events with their positions. A pattern stays one, and the
        setting `hands` of its staging is written anew, which says where hands go; events get other
        positions. Points that hands pass move along with the throws and catches beside them.

        Args:
            places: shape (G, 3) for G places, outward, up, forward, [m].
            digits: decimal places of a centimetre to which results are rounded.
        """
        if self.score.pattern is None:
            displacement = self._event_displacements(places - self.start)
            events = self.choreography.events
            displacement[:, 0] *= self.side_sign  # from outward to left
            # Decimal places of a metre: two more than of a centimetre.
            position = events.position + np.round(displacement, digits + 2)
            placed = replace(self.choreography, events=replace(events, position=position))
            return replace(self.score, placed=placed)
        pattern, paths = _moved_paths(self, places)
        hands = write_paths(pattern, paths, digits)
        return replace(self.score, staging=replace(self.score.staging, hands=hands))

    def _event_displacements(self, place_displacements: Floats) -> Floats:
        """Return by how much each event moves, shape (E, 3) for E events: outward, up and forward,
        [m].

        A place is where one or more throws and catches are made, which symmetry makes alike; they
        move as their place does. The displacement of a point that a hand only passes is
        interpolated in time between the throws and catches of the hand, around the loop. It is 0 if
        the hand has none.

        Args:
            place_displacements: shape (G, 3) for G places, outward, up and forward, [m].
        """
        events = self.choreography.events
        loop = self.choreography.duration
        # `place_of_event` is −1 for events without a place.
        displacement = np.where(
            self.place_of_event[:, None] >= 0, place_displacements[self.place_of_event], 0.0
        )
        for hand in np.unique(events.hand[self.place_of_event < 0]):
            events_of_hand = np.flatnonzero(events.hand == hand)
            with_place = events_of_hand[self.place_of_event[events_of_hand] >= 0]
            only_passing = events_of_hand[self.place_of_event[events_of_hand] < 0]
            if not len(with_place):
                continue
            # `period` makes the interpolation go on around the loop, from the last event to the
            # first one.
            for axis in range(3):
                displacement[only_passing, axis] = np.interp(
                    events.time[only_passing],
                    events.time[with_place],
                    displacement[with_place, axis],
                    period=loop,
                )
        return displacement


def _merge_events(representative: Integers, pairs: Iterable[tuple[int, int]]) -> None:
    """Let both events of each pair have the same representative, in place: the lower one."""
    for first, second in pairs:
        low, high = sorted((int(representative[first]), int(representative[second])))
        if low != high:
            representative[representative == high] = low


def _catches_of_one_turn(score: Score, choreography: Choreography) -> list[list[int]]:
    """Catches by a hand of the props that it throws on one beat: `hands` has one place for them."""
    assert score.pattern is not None, "placed events have no beats"
    sites = flight_sites(repeat_to_full_loop(score.pattern, score.staging))
    catch_events = choreography.flights.catch.tolist()
    events_of_site = grouped(
        (site, event) for (_throw, site), event in zip(sites, catch_events, strict=True)
    )
    return [events for events in events_of_site.values() if len(events) > 1]


def _moved_paths(free: FreePlaces, places: Floats) -> tuple[Pattern, dict[Site, HandBeat]]:
    """Return the paths of hands with throws and catches moved to other places.

    A turn of a hand (of the type `Site`) is the hand and a beat on which it throws. Its path begins
    with that throw and has the points that the hand passes until its next turn, among them its next
    catch.

    Args:
        free: G places of throws and catches that may move; symmetric events share one place.
        places: the new places, shape (G, 3): outward, up and forward of the middle between the
            hands, [m].

    Returns:
        The pattern of a full loop, and for each turn of a hand its path up to the next turn.
    """
    assert free.score.pattern is not None, "placed events have no turns"
    staging = free.score.staging
    pattern = repeat_to_full_loop(free.score.pattern, staging)
    next_turn = next_turns(pattern)
    throw_place, catch_place, around = _places_of_turns(free, pattern)
    moved_paths = {}
    for turn, path in paths_by_turn(pattern, staging.hands).items():
        following = next_turn[turn]
        old = _without_empty_points(path_without_body_throws(path, turn, following, around))
        # The props that are caught before a turn are thrown in it, so the catch of this path
        # belongs to the next turn.
        place_indices = (
            throw_place.get(turn),
            catch_place.get(following),
            throw_place.get(following),
        )
        points = _moved_points(old, place_indices, places, places - free.start, staging.style)
        moved = HandBeat(points, old.catch, old.goes_around_body)
        # Throws around the body replace points of a path that is not marked to go around the body
        # itself. Mark the path if some of its points would be replaced.
        is_kept = moved == path_without_body_throws(moved, turn, following, around)
        moved_paths[turn] = moved if is_kept else replace(moved, goes_around_body=True)
    return pattern, moved_paths


def _places_of_turns(
    free: FreePlaces, pattern: Pattern
) -> tuple[dict[Site, int], dict[Site, int], BodyThrowSites]:
    """Return the places of throws and catches by turns; a turn is a hand and a beat on which it
    throws.

    Args:
        free: the places, and the choreography with the flights of the pattern.
        pattern: the pattern of a full loop.

    Returns:
        For each turn with a throw, the index of its place; for each turn with a catch before it,
        the index of the place of that catch; and the turns with throws and catches around the body.
    """
    flights = free.choreography.flights
    # The second of the manners of an event is the kind of its throw around the body, which counts
    # `BODY_THROWS` from 1, and is 0 for usual throws.
    body_throw_number = free.choreography.events.manners[:, 1]
    throw_place: dict[Site, int] = {}
    catch_place: dict[Site, int] = {}
    around_throws = set()
    around_catches = set()
    from_behind = set()
    # For each flight the turn that throws it, and the turn that throws the caught prop again.
    for (throw_turn, catch_turn), throw_event, catch_event in zip(
        flight_sites(pattern), flights.throw, flights.catch, strict=True
    ):
        throw_place[throw_turn] = free.place_of_event[throw_event]
        catch_place[catch_turn] = free.place_of_event[catch_event]
        if number := body_throw_number[throw_event]:
            around_throws.add(throw_turn)
            if BODY_THROWS[number - 1].from_behind:
                from_behind.add(catch_turn)
        if body_throw_number[catch_event]:
            around_catches.add(catch_turn)
    around = BodyThrowSites(throws=around_throws, catches=around_catches, from_behind=from_behind)
    return throw_place, catch_place, around


def _moved_points(
    old: HandBeat,
    place_indices: tuple[int | None, int | None, int | None],
    places: Floats,
    place_displacements: Floats,
    style_name: str,
) -> tuple[Point | None, ...]:
    """Return the points of a hand's path with its throw and its catch at their new places.

    A point between the two, or between the catch and the next throw, is moved by the
    displacements of both, interpolated linearly. A hand style raises hands by a height:
    `raised_point` adds it to a point of a path, and `lowered` takes it away.

    Args:
        old: the path, from a throw (index 0) by way of a catch to before the next throw. A point of
            None is placed by the hand style.
        place_indices: indices of the places of the throw, the catch and the next throw; None where
            there is no throw or catch.
        places: the G new places, shape (G, 3), [m].
        place_displacements: how far the G places move, shape (G, 3), [m].
        style_name: name of the hand style.
    """
    style = STYLES[style_name]
    # The indices of throw, catch and next throw in the path, with their places and displacements.
    key_indices = (0, old.catch, len(old.points))
    place_at = dict(zip(key_indices, place_indices, strict=True))
    key_displacements = [
        np.zeros(3) if place is None else place_displacements[place] for place in place_indices
    ]
    points: list[Point | None] = []
    for index, point in enumerate(old.points):
        place = place_at.get(index)
        # A throw or catch gets its new place, if it has one; points of None are kept.
        if place is not None:
            points.append(lowered(style, places[place]))
        elif point is None or index in place_at:
            points.append(point)
        else:
            displacement = [
                np.interp(index, key_indices, column) for column in np.transpose(key_displacements)
            ]
            points.append(lowered(style, np.add(style.raised_point(point), displacement)))
    return tuple(points)


def _without_empty_points(path: HandBeat) -> HandBeat:
    """The path with its throw and catch only, if all points between and after them are None."""
    other_points = [
        point for index, point in enumerate(path.points) if index not in (0, path.catch)
    ]
    if any(other_points):
        return path
    return HandBeat((path.points[0], path.points[path.catch]), 1, path.goes_around_body)


_NEAREST_SHARE = 0.1  # of the farthest place, nearer than which to the middle no place may be
_FARTHEST_THROW_SHARE = 0.9  # of the farthest place, beyond which no throw may be

_UNBOUNDED = 1000.0  # a value beyond all that occur

_TIME_LIMIT = 10.0  # s, of a program; those of patterns that people juggle take milliseconds

_SAME_TIME = 1e-9  # s
_LEAST_SLOPE = 1e-6  # °/cm; a margin does not depend on places with a lower one
_PINNED_MARGIN = 1e-6  # °, above the least margin, up to which others count as least, too


@dataclass(frozen=True)
class Margins:
    """The margins of a pattern as functions of the sideways places of its throws and catches.

    Args:
        free: the places, G of them.
        slope: shape (N, G) for N margins, by how much each margin grows with each place, [°/m].
        size_term: shape (N,), the part of each that is due to the props' size, 0 or less, [°].
    """

    free: FreePlaces
    slope: Floats
    size_term: Floats

    @classmethod
    def from_animation(cls, animation: Animation) -> Margins:
        """Return the margins of an animation: errors of throws in angle at which props touch.

        Two arcs (flights), thrown at t₁ and t₂ and caught at c₁ and c₂, have the same height at the
        time s = (t₂c₂ − t₁c₁) / (t₂ + c₂ − t₁ − c₁). Their props of radius r are then |x₁(s) −
        x₂(s)| apart sideways, where x is linear from throw to catch. A throw with the upward speed
        v = g(c − t)/2 and a small error α in angle is off by v(s − t)·α at s. Both props touch if
        both throws err toward each other by the margin (|x₁(s) − x₂(s)| − 2r) / (v₁(s − t₁) +
        v₂(s − t₂)).

        Margins are sorted by their present size, the narrowest first, without duplicates.

        Args:
            animation: the animation of one juggler. Its throws and catches give the times t and c,
                and its props the radius r.

        Raises:
            ChoreographyError: the animation has passes or bounces, for which there is no margin.
        """
        choreography = animation.choreography
        name = animation.title
        if choreography.jugglers > 1:
            raise ChoreographyError(
                _("{name}: Juggling Lab's margins work only for one juggler", name=name)
            )
        if any(style.bounces for style in choreography.flights.style):
            raise ChoreographyError(
                _(
                    "{name}: Juggling Lab's margins work only for throws that do not bounce",
                    name=name,
                )
            )

        # The divisor v₁(s − t₁) + v₂(s − t₂), with v = g/2 · flight duration; times π/180 for
        # margins in degrees.
        free = FreePlaces.from_animation(animation, mirror_only=True)
        first, second = _pairs_of_meeting_arcs(choreography)
        s = _time_of_equal_height(first, second)
        squared_times = first.flight * (s - first.throw) + second.flight * (s - second.throw)
        divisor = np.radians(choreography.gravity / 2 * squared_times)

        # The dividend: x₁(s) − x₂(s) is linear in the places, and 2r is the size of the largest
        # prop.
        slope = (first.sideways(free, s) - second.sideways(free, s)) / divisor[:, None]
        size_term = -float(animation.motion.shapes.size.max(initial=0.0)) / divisor
        # A margin has the absolute value of a slope times the places, so a slope and its negative
        # mean the same: choose the one that is positive at the present places.
        slope *= np.where(slope @ free.start[:, 0] < 0, -1.0, 1.0)[:, None]

        # Remove duplicates: margins with equal slopes, [°/cm], and size terms, [°], rounded to
        # `_LEAST_SLOPE`.
        rounded = np.round(np.column_stack([slope / 100, size_term]) / _LEAST_SLOPE)
        _rows, different = np.unique(rounded, axis=0, return_index=True)
        different.sort()  # so that margins of equal size stay in the order of the arcs below
        margins = np.abs(slope[different] @ free.start[:, 0]) + size_term[different]
        order = different[np.argsort(margins, kind="stable")]
        return cls(free, slope=slope[order], size_term=size_term[order])

    def at(self, sideways: Floats) -> Floats:
        """Return the margins for places, shape (N,) for N margins, [°].

        Args:
            sideways: outward coordinate of each place, shape (G,) for G places, [m].
        """
        return np.abs(self.slope @ sideways) + self.size_term

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """The least and the greatest outward coordinate of each place, shape (G,) each, [m].

        A place stays on the side of the body's middle on which it is: that of its hand, or across
        the middle, where bounds are negative. Its distance from the middle is at least
        `_NEAREST_SHARE` of that of the farthest present place; that of a throw is at most
        `_FARTHEST_THROW_SHARE` of it, and that of a catch all of it.
        """
        free = self.free
        first_event = free.first_event
        sideways = free.start[:, 0]
        farthest = float(np.abs(sideways).max(initial=0.0))

        # Distances from the middle.
        is_throw = free.choreography.events.kind[first_event] == EventKind.THROW
        far = farthest * np.where(is_throw, _FARTHEST_THROW_SHARE, 1.0)
        near = np.full(len(first_event), _NEAREST_SHARE * farthest)

        # Whether a place is on the side of its hand. `side_sign` is 1 for left hands, −1 for right
        # ones, so −side_sign · outward is how far right a place is, as in Juggling Lab. There the
        # very middle belongs to the left, so for a left hand it is on the side of the hand.
        is_on_right = -free.side_sign[first_event] * sideways > 0
        is_right_hand = free.side_sign[first_event] < 0
        is_on_own_side = is_on_right == is_right_hand
        return np.where(is_on_own_side, near, -far), np.where(is_on_own_side, far, -near)

    def widest_places(self) -> Floats:
        """Return the outward places with lexicographically greatest margins, shape (G,) for G
        places, [m].

        A margin is the error in angle of two throws at which their props touch. The least margin is
        maximised; then the places on which it depends are fixed, the next margin is maximised by
        the other places, and so on. Places on which no margin depends are not moved. Results are
        rounded to 0.1 mm.

        Raises:
            ParameterError: highspy is not installed.
        """
        # The program is in Juggling Lab's units, [cm] to the right, as the solver's choice among
        # equally good places depends on units. The scale from outward, [m], is 100 for right hands
        # and −100 for left ones.
        scale = -100 * self.free.side_sign[self.free.first_event]
        slope = self.slope / scale
        least, greatest = self.bounds
        low, high = np.sort([scale * least, scale * greatest], axis=0)
        places = scale * self.free.start[:, 0]

        depends = np.abs(self.slope) > _LEAST_SLOPE  # of each margin on each place, (N, G)
        is_pinned = np.zeros(len(places), dtype=bool)  # places that are fixed
        while True:
            # Margins that still depend on a place which may move.
            open_margins = np.flatnonzero(depends[:, ~is_pinned].any(axis=1))
            if not open_margins.size:
                break

            # A margin is |slope · x| + size term, and |y| is the greater of y and −y.
            choices = [
                [LinearFunction(sign * slope[margin], self.size_term[margin]) for sign in (1, -1)]
                for margin in open_margins
            ]
            places, _least_margin = maximise_least(
                choices,
                low=np.where(is_pinned, places, low),
                high=np.where(is_pinned, places, high),
            )

            # Fix the places of the least margins, which cannot be wider. Each of these depends on a
            # place that was not fixed yet, so the loop ends.
            sizes = self.at(places / scale)[open_margins]
            narrowest = open_margins[sizes <= sizes.min() + _PINNED_MARGIN]
            is_pinned |= depends[narrowest].any(axis=0)

        return np.where(is_pinned, np.round(places, 2) / scale, self.free.start[:, 0])


@dataclass(frozen=True)
class _Arcs:
    """N flights: their indices, and when they begin and end, [s], each shape (N,)."""

    index: Integers
    throw: Floats
    catch: Floats

    @property
    def flight(self) -> Floats:
        """Their durations, [s]."""
        return self.catch - self.throw

    def select(self, rows: Booleans) -> _Arcs:
        """Return the arcs of given rows."""
        return _Arcs(index=self.index[rows], throw=self.throw[rows], catch=self.catch[rows])

    def sideways(self, free: FreePlaces, moment: Floats) -> Floats:
        """Return how far left each prop is at a moment, as a linear function of outward places.

        A prop is thrown and caught at places, whose outward coordinates are the variables.

        Args:
            free: G places of throws and catches that may move.
            moment: a time of each arc, between its throw and its catch, shape (N,) for N arcs, [s].

        Returns:
            Weights, shape (N, G): their product with the outward places, [m], is how far left the
            prop of each arc is, [m].
        """
        flights = free.choreography.flights
        rows = np.arange(len(moment))
        weights = np.zeros((len(moment), len(free.start)))

        # Sideways a prop goes evenly: x(s) = (1 − share) x(throw) + share x(catch). `side_sign`
        # turns outward into left. A throw and a catch may share a place: weights add up.
        share = (moment - self.throw) / self.flight
        throw_event = flights.throw[self.index]
        catch_event = flights.catch[self.index]
        for event, weight in ((throw_event, 1 - share), (catch_event, share)):
            np.add.at(weights, (rows, free.place_of_event[event]), weight * free.side_sign[event])
        return weights


def _pairs_of_meeting_arcs(choreography: Choreography) -> tuple[_Arcs, _Arcs]:
    """Return all pairs of arcs (flights) whose props are equally high while both are in the air.

    The second of a pair is thrown while the first flies, perhaps in a later loop, and reaches its
    top later.

    Args:
        choreography: one loop of throws without bounces, all under the same gravity.

    Returns:
        The first arcs of all N pairs, and the second ones in the same order; their times are those
        since the start of the loop in which the first is thrown.
    """
    loop = choreography.duration
    flights = choreography.flights
    throw = choreography.events.time[flights.throw]

    # Every flight with every flight of this loop and of those in which the first still flies.
    loops_later = np.arange(int(np.ceil(flights.duration.max(initial=0.0) / loop)) + 1)
    every_flight = np.arange(len(throw))
    grid = np.meshgrid(every_flight, every_flight, loops_later, indexing="ij")
    first_flight, second_flight, second_loop = (axis.ravel() for axis in grid)
    first_throw = throw[first_flight]
    second_throw = throw[second_flight] + second_loop * loop
    first = _Arcs(first_flight, first_throw, first_throw + flights.duration[first_flight])
    second = _Arcs(second_flight, second_throw, second_throw + flights.duration[second_flight])

    # Those that meet. `_SAME_TIME` on each side keeps rounding errors from deciding.
    moment = _time_of_equal_height(first, second)
    earlier_catch = np.minimum(first.catch, second.catch)
    meets = (
        (second.throw > first.throw + _SAME_TIME)
        & (second.throw < first.catch - _SAME_TIME)
        & (_twice_time_between_tops(first, second) > _SAME_TIME)
        & (moment >= second.throw - _SAME_TIME)
        & (moment < earlier_catch - _SAME_TIME)
    )
    return first.select(meets), second.select(meets)


def _time_of_equal_height(first: _Arcs, second: _Arcs) -> Floats:
    """Return the times s = (t₂c₂ − t₁c₁) / (t₂ + c₂ − t₁ − c₁) at which arcs are equally high, [s].

    At a time s an arc is g(s − t)(c − s)/2 high; both arcs equated, the terms in s² cancel. Where
    the second arc reaches its top no later than the first, the result means nothing.
    """
    between = _twice_time_between_tops(first, second)
    products = second.throw * second.catch - first.throw * first.catch
    return products / np.where(between > _SAME_TIME, between, 1.0)


def _twice_time_between_tops(first: _Arcs, second: _Arcs) -> Floats:
    """Twice the time from the top of the first arc to that of the second, [s]."""
    return second.throw + second.catch - first.throw - first.catch


class LinearFunction(NamedTuple):
    """The function w·x + b of V variables x.

    Args:
        weights: w, shape (V,).
        constant: b.
    """

    weights: Floats
    constant: float


def maximise_least(
    choices: list[list[LinearFunction]],
    *,
    low: Floats,
    high: Floats,
    cost: Floats | None = None,
    upper_bound: float = _UNBOUNDED,
    mean_weight: float = 0.0,
) -> tuple[Floats, float]:
    """Return the variables that maximise the least of several values: a max–min program.

    Each value is the maximum of its choices, linear functions w·x + b. In the mixed-integer
    program, each choice is a row e + s ≤ w·x + b + M·(1 − z) with a binary z; for each value
    exactly one z is 1, and M is so large that the rows with z = 0 are inactive. The least value is
    e, and s ≥ 0 is the excess of a value over it. The objective is e − cost·x + mean_weight ·
    mean(s).

    Args:
        choices: for each value its linear functions, one or several.
        low, high: bounds of the V variables, each shape (V,).
        cost: c of each variable in c·x, shape (V,); None for no cost.
        upper_bound: upper bound of e and of each s.
        mean_weight: weight of the mean of s in the objective, where e has 1; 0 for no s at all.

    Returns:
        The variables, shape (V,), and the least value e.

    Raises:
        ChoreographyError: no solution is found within `_TIME_LIMIT`.
        ParameterError: highspy is not installed.
    """
    # Columns: the variables x, e, s of each value, z of each choice. A value with a single choice
    # needs no z and no M.
    variable_count = len(low)
    e_column = variable_count
    excess_count = len(choices) if mean_weight else 0
    binary_counts = [len(functions) if len(functions) > 1 else 0 for functions in choices]
    continuous_count = e_column + 1 + excess_count
    column_count = continuous_count + sum(binary_counts)

    # Rows, and their lower and upper bounds. `first_binary` is the column of the first z of a
    # value.
    matrix: list[Floats] = []
    limits: list[tuple[float, float]] = []
    first_binary = continuous_count
    for value_index, (functions, binary_count) in enumerate(
        zip(choices, binary_counts, strict=True)
    ):
        for choice_index, function in enumerate(functions):
            # e + s − w·x + M·z ≤ b + M
            row = np.zeros(column_count)
            row[:variable_count] = -function.weights
            row[e_column] = 1.0
            if mean_weight:
                row[e_column + 1 + value_index] = 1.0
            big_m = 0.0
            if binary_count:
                big_m = _big_m(function, functions, low, high)
                row[first_binary + choice_index] = big_m
            matrix.append(row)
            limits.append((-_UNBOUNDED, function.constant + big_m))
        if binary_count:
            # Σ z = 1
            row = np.zeros(column_count)
            row[first_binary : first_binary + binary_count] = 1.0
            matrix.append(row)
            limits.append((1.0, 1.0))
        first_binary += binary_count

    # Maximise e − cost·x + mean_weight · mean(s).
    objective = np.zeros(column_count)
    if cost is not None:
        objective[:variable_count] = -cost
    objective[e_column] = 1.0
    objective[e_column + 1 : continuous_count] = mean_weight / max(1, excess_count)

    # e may be negative; s is 0 or more, and z is 0 or 1.
    column_low = np.zeros(column_count)
    column_low[:variable_count] = low
    column_low[e_column] = -_UNBOUNDED
    column_high = np.ones(column_count)
    column_high[:variable_count] = high
    column_high[e_column:continuous_count] = upper_bound
    solution = _solve_mixed_integer_program(
        objective,
        matrix=np.array(matrix).reshape(-1, column_count),
        limits=np.array(limits).reshape(-1, 2),
        bounds=(column_low, column_high),
        continuous_count=continuous_count,
    )
    return solution[:variable_count], float(solution[e_column])


def _big_m(
    function: LinearFunction, functions: list[LinearFunction], low: Floats, high: Floats
) -> float:
    """Return a bound of how much the greatest of some linear functions exceeds one of them.

    Another function w'·x + b' exceeds w·x + b by at most the greatest value of (w' − w)·x within
    the bounds of x, which is at one of their corners, plus b' − b.

    Args:
        function: the function w·x + b.
        functions: the functions, among them this one.
        low, high: bounds of the V variables x, each shape (V,).
    """
    leads = []
    for rival in functions:
        difference = rival.weights - function.weights
        greatest = np.maximum(difference * low, difference * high).sum()
        leads.append(float(greatest) + rival.constant - function.constant)
    return max(leads) + 1 + abs(function.constant)  # with a generous margin for rounding


def _solve_mixed_integer_program(
    objective: Floats,
    matrix: Floats,
    limits: Floats,
    bounds: tuple[Floats, Floats],
    continuous_count: int,
) -> Floats:
    """Solve a mixed-integer linear program by the library HiGHS, and return its solution x, (V,).

    Args:
        objective: c of the sum c·x that is maximised, shape (V,) for V variables.
        matrix: A, shape (R, V) for R limits.
        limits: limits of A x, least and greatest, shape (R, 2).
        bounds: the bounds of x, least and greatest, each shape (V,).
        continuous_count: number of continuous variables, which come before the whole ones.

    Raises:
        ChoreographyError: no solution is found within `_TIME_LIMIT`.
        ParameterError: highspy is not installed.
    """
    require_library("highspy", "optimise", _("Optimised patterns"))
    import highspy  # only here, as it is an optional library

    program = highspy.HighsLp()
    program.num_col_ = len(objective)
    program.num_row_ = len(matrix)
    program.col_cost_ = objective
    program.sense_ = highspy.ObjSense.kMaximize
    program.col_lower_, program.col_upper_ = bounds
    program.row_lower_, program.row_upper_ = limits.T

    # The matrix in compressed rows: where each row starts among the entries that are not 0, and
    # the columns and values of these.
    rows, columns = np.nonzero(matrix)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.searchsorted(rows, np.arange(len(matrix) + 1)).astype(np.int32)
    program.a_matrix_.index_ = columns.astype(np.int32)
    program.a_matrix_.value_ = matrix[rows, columns]
    kinds = highspy.HighsVarType
    integer_count = len(objective) - continuous_count
    program.integrality_ = [kinds.kContinuous] * continuous_count + [kinds.kInteger] * integer_count

    # One thread and no gap, so that the same program always has the same solution.
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("mip_rel_gap", 0.0),
        ("time_limit", _TIME_LIMIT),
    ):
        solver.setOptionValue(option, value)
    solver.passModel(program)
    solver.run()
    solution = solver.getSolution()
    if not solution.value_valid:
        raise ChoreographyError(_("no better positions were found in the time allowed"))
    return np.array(solution.col_value)


GOAL = 0.10
BUDGET = 0.15
"""The clearance that is wanted, and how far a place may move along each axis, [m]."""

MOST = 1.0
"""The greatest goal and budget, [m]."""

# Wider encounters are left out of a program; the verified motion has them all.
_BEYOND_GOAL = 0.04  # m, beyond the goal
_BEYOND_NARROWEST = 0.08  # m, beyond the narrowest encounter

# What a program maximises, beside the narrowest gap [m].
_STEP_COST = 0.15  # m of clearance that a mean step of 1 m costs
_MEAN_GAP_WEIGHT = 0.2  # of the mean room, where the narrowest gap counts as 1

_VERTICAL_SHARE = 0.6  # of the budget, for steps up or down
_TOWARD_SHARE = 0.6  # of the budget, for steps toward the body
_MIDDLE_GAP = 0.02  # m, that hands stay away from the middle plane of the body

# The trust region: how far one program may move a place, [m].
_FIRST_TRUST = 0.06
_GREATEST_TRUST = 0.08
_LEAST_TRUST = 0.002  # smaller steps are not worth a further program
_MAX_PROGRAMS = 16
_SHARE_BISECTIONS = 3  # of the share of steps that serves, which finds it to an eighth

_ROUNDING = 1e-4  # m, that a result may lose to the rounding of places
_CLEAR_OF_BODIES = 0.04  # m; bodies that are this far away are not in the way

_BODY_WEIGHT = 20.0  # clearance that each metre too near to a body costs, in metres
_NEAR_BODIES = 0.05  # m beyond the least gap, up to which gaps to bodies become constraints
_BODY_SLACK = 0.003  # m, by which these constraints are stricter, as they are only linear
_MAX_SEARCHES = 4  # searches, each with the constraints of bodies that the last one needed

# A gap whose one-sided slopes differ by more has a kink: it grows in both directions.
_LEAST_KINK = 0.6

_LAST_STEP_SHARES = (1.0, 0.8, 0.6, 0.4, 0.2)  # shares of the steps that the last attempt tries


@dataclass(frozen=True)
class Room:
    """How much room props have in one loop.

    Args:
        margin: Juggling Lab's, by how much throws may err in angle, [°]; None for passes, bounces,
            and where no two arcs meet.
        clearance: the narrowest gap of two props, negative where they overlap, [m]; None if none
            pass each other.
        body_clearance: the narrowest gap of a prop and a body, negative where they overlap, [m];
            None if none pass each other.
        short: greatest distance by which a hand misses its place, [m].
    """

    margin: float | None
    clearance: float | None
    body_clearance: float | None
    short: float

    @classmethod
    def measure(cls, animation: Animation) -> Room:
        """Measure the room that props have in one loop of an animation.

        - `margin` is the least error in angle of two throws at which their props touch, as in
          Juggling Lab; None for passes, bounces, or if no two arcs meet.
        - `clearance` and `body_clearance` are the least gaps between props, and between props and
          bodies, [m].
        - `short` is by how much hands fall short of their props, at most, [m].
        """
        collisions = find_collisions(animation)
        margin = None
        try:
            margins = Margins.from_animation(animation)
            # The least margin at the present places, if any two arcs meet.
            if len(margins.slope):
                margin = float(margins.at(margins.free.start[:, 0]).min())
        except ChoreographyError:
            pass  # passes or bounces, which have no margin
        return cls(
            margin=margin,
            clearance=_clearance(collisions, with_bodies=False),
            body_clearance=_clearance(collisions, with_bodies=True),
            # How far hands are short of props, at most, [m].
            short=float(animation.gaps.max(initial=0.0)),
        )

    def is_no_worse_than(self, before: Room) -> bool:
        """Return whether props have as much room as before, and hands reach as far.

        Each figure may be a little worse, as places are rounded. The gap to bodies may even become
        less than before, as long as it is not below the `body_floor` of the room before.
        """
        if _or_infinite(self.clearance) < _or_infinite(before.clearance) - _ROUNDING:
            return False
        clear_of_bodies = _or_infinite(self.body_clearance) >= before.body_floor - _ROUNDING
        # Hands may fall short by ten times as much more, 1 mm, which nobody sees.
        return clear_of_bodies and self.short <= before.short + 10 * _ROUNDING

    @property
    def body_floor(self) -> float:
        """The least gap between props and bodies that a result may have, [m].

        That is the gap which this room has, or less: `_CLEAR_OF_BODIES` is enough, or the clearance
        between props where that is more.
        """
        return min(_or_infinite(self.body_clearance), max(_CLEAR_OF_BODIES, self.clearance or 0.0))


@dataclass(frozen=True, repr=False)
class Optimised(Result, ShortRepr):
    """An animation with other places of throws and catches; `optimise` makes one.

    Args:
        animation: the animation with its new places.
        before, after: the room that props had, and have.
        moved: greatest displacement of a place, [m].
    """

    animation: Animation
    before: Room
    after: Room
    moved: float

    @property
    def summary(self) -> str:
        """The clearance and the margin before and after, in a line."""
        before = self.before
        after = self.after
        summary = f"Clearance {_before_and_after(before.clearance, after.clearance, ' cm')}"
        if before.margin is not None and after.margin is not None:
            summary += f", margin {_before_and_after(before.margin, after.margin, '°')}"
        return summary.replace("-", "−")

    def __str__(self) -> str:
        return self.as_text()

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON data; see `as_data`."""
        return self.as_data()

    def save(self, path: str | Path) -> Any:
        """Save the figures as .csv or .json; with any other ending the new animation."""
        return (
            self.animation.save(path)
            if Path(path).suffix not in (".csv", ".json")
            else super().save(path)
        )

    def as_text(self) -> str:
        """Return a report of a few lines: title, figures before and after with units, settings.

        Figures that are known neither before nor after are left out. The settings are those that
        open the result; placed events have none.
        """
        before = self.before
        after = self.after
        # Rows: name, figures before and after, and what they mean.
        rows = [
            (
                "clearance",
                _before_and_after(before.clearance, after.clearance, " cm"),
                _("between props"),
            ),
            (
                "",
                _before_and_after(before.body_clearance, after.body_clearance, " cm"),
                _("between props and bodies"),
            ),
            (
                "margin",
                _before_and_after(before.margin, after.margin, "°"),
                _("throwing error allowed, as in Juggling Lab"),
            ),
            (
                "reach",
                _before_and_after(before.short, after.short, " cm"),
                _("by which hands fall short"),
            ),
            ("moved", _("{moved:.1f} cm", moved=100 * self.moved), _("at most")),
        ]
        # Without the rows that have no figure before or after.
        no_figures = _before_and_after(None, None, "")
        lines = [
            self.animation.title,
            *(
                f"  {name:<12}{figures:<22}{meaning}"
                for name, figures, meaning in rows
                if figures != no_figures
            ),
        ]
        if self.animation.pattern:
            lines.append(f"  {'settings':<12}{self.animation.settings}")
        return "\n".join(lines)

    def as_data(self) -> dict[str, Any]:
        """JSON data, in units of [°] and [m]."""
        settings = self.animation.settings if self.animation.pattern else None
        figures = {"before": asdict(self.before), "after": asdict(self.after), "moved": self.moved}
        return {"text": self.animation.text, "settings": settings, **figures}


def optimise(animation: Animation, goal: float = GOAL, budget: float = BUDGET) -> Optimised:
    """Move throws and catches by small steps until props have the wanted clearance.

    The clearance is the least gap between two props, with their true shapes and paths. It never
    decreases, gaps to bodies do not fall below 4 cm (or what they were before), and hands can still
    reach. The animation is returned unchanged if no better places are found.

    Args:
        animation: the animation; people who vary count as if they did not.
        goal: the clearance that is wanted, [m].
        budget: greatest displacement of a place outward or forward, [m]; it moves 0.6 of that
            toward the body, up and down.

    Raises:
        ParameterError: a goal or budget out of range.
        ChoreographyError: highspy is not installed.
    """
    for name, value in (("goal", goal), ("budget", budget)):
        if not 0.0 < value <= MOST:
            raise ParameterError.of(
                name, f"{100 * value:g} cm", _("above 0 and at most {most:g} cm", most=100 * MOST)
            )

    # Measure without the variation from throw to throw (`human`), which the result has again.
    exact = animation.replace(human=0.0)
    free = FreePlaces.from_animation(exact)
    before = Room.measure(exact)
    unchanged = Optimised(animation, before=before, after=before, moved=0.0)
    if _or_infinite(before.clearance) >= goal:
        return unchanged

    search = _Search(exact, free, goal=goal, budget=budget)
    steps = np.zeros_like(free.start)
    # Search again while the result is worse than before, mostly as props are too near to bodies.
    # Each search starts from the last result, with additional constraints for bodies.
    for attempt in range(_MAX_SEARCHES):
        steps = search.best(steps)
        if not steps.any():
            break
        # The last attempt also tries smaller steps in the same directions.
        shares = _LAST_STEP_SHARES if attempt == _MAX_SEARCHES - 1 else (1.0,)
        for share in shares:
            changed = _animation_with_steps(exact, free, share * steps)
            after = Room.measure(changed)
            if after.is_no_worse_than(before):
                return Optimised(
                    Animation(changed.score, animation.parameters),
                    before=before,
                    after=after,
                    moved=float(np.linalg.norm(share * steps, axis=1).max()),
                )
        search = search.away_from_bodies(steps, before.body_floor)
    return unchanged


def optimise_like_juggling_lab(animation: Animation) -> Optimised:
    """Move throws and catches sideways to maximise the margins, as Juggling Lab does.

    A margin is the error in angle of two throws at which their props touch. The least margin is
    maximised, then the next one, and so on. A pattern gets Juggling Lab's hand style first, with
    which `before` of the result is measured, too.

    Args:
        animation: the animation of one juggler, without bounces.

    Raises:
        ChoreographyError: the animation has passes or bounces, for which there is no margin.
        ParameterError: highspy is not installed.
    """
    # Only a pattern has a hand style; events of a file have their own places.
    if animation.pattern:
        staging = replace(animation.score.staging, style="juggling-lab")
        animation = Animation(replace(animation.score, staging=staging), animation.parameters)
    margins = Margins.from_animation(animation)
    # The new outward coordinate of each place, [m]; up and forward stay.
    outward = margins.widest_places()
    places = np.column_stack([outward, margins.free.start[:, 1:]])
    changed = Animation(margins.free.moved(places, digits=2), animation.parameters)
    return Optimised(
        changed,
        before=Room.measure(animation),
        after=Room.measure(changed),
        moved=float(np.abs(outward - margins.free.start[:, 0]).max(initial=0.0)),
    )


def _animation_with_steps(animation: Animation, free: FreePlaces, steps: Floats) -> Animation:
    """Return the animation with places moved by given steps, shape (G, 3) for G places, [m]."""
    return Animation(free.moved(free.start + steps), animation.parameters)


@dataclass(frozen=True)
class _Search:
    """The search for places by sequential linear programs within a trust region.

    Args:
        animation: the animation as it was before the search.
        free: the G places of the animation that may move.
        goal, budget: the goal and the budget that `optimise` takes, [m].
        body_gaps: linear functions of the steps, w·s + b [m], that are below the goal where props
            come too near to bodies.
    """

    animation: Animation
    free: FreePlaces
    goal: float
    budget: float
    body_gaps: tuple[LinearFunction, ...] = ()

    def away_from_bodies(self, steps: Floats, floor: float) -> _Search:
        """Return a search that also keeps props away from the bodies to which steps bring them.

        Steps are displacements of throws and catches. All gaps between props and bodies that are
        narrow after these steps become linear constraints, beside those that this search has.

        Args:
            steps: displacements at which gaps to bodies are linearised, shape (G, 3) for G places,
                [m].
            floor: the least gap to bodies that is wanted, [m].

        Returns:
            The search; the present one stays unchanged.
        """
        moved = _animation_with_steps(self.animation, self.free, steps)
        gaps, jacobian = _body_gaps(moved, self.free, within=floor + _NEAR_BODIES)
        # At other steps s' a gap is about gap + J (s' − s), so that J s' + spare is by how much it
        # is above the floor. Programs maximise the least of all functions up to the goal. So the
        # function goal + weight · (J s' + spare) limits them exactly where a gap is too small, and
        # because of the weight it does so more than any gap between props.
        spare = gaps - jacobian @ steps.ravel() - floor - _BODY_SLACK
        weights = _BODY_WEIGHT * jacobian
        constants = self.goal + _BODY_WEIGHT * spare
        new_gaps = map(LinearFunction, weights, constants.tolist())
        return replace(self, body_gaps=(*self.body_gaps, *new_gaps))

    def best(self, steps: Floats) -> Floats:
        """Return the best displacements of places that linear programs find, shape (G, 3), [m].

        Each program changes the present steps (displacements) within a trust region around them. If
        the true motion is better with its result, this becomes the present steps and the region
        grows; if not, the region is halved. The search ends once the goal is reached, the region is
        too small or `_MAX_PROGRAMS` programs were solved. Steps that reach the goal are shortened
        as far as the goal allows. Results are rounded to 1 mm.

        Args:
            steps: initial displacements, shape (G, 3), [m].
        """
        encounters = self._encounters(steps)
        merit = self._gap_less_cost(encounters, steps)  # m, of the true, not linearised, motion
        trust = _FIRST_TRUST
        for _iteration in range(_MAX_PROGRAMS):
            if self._least_gap(encounters, steps) >= self.goal or trust < _LEAST_TRUST:
                break
            new_steps = np.round(self._linear_program_steps(encounters, steps, trust), 3)
            new_encounters = self._encounters(new_steps)
            new_merit = self._gap_less_cost(new_encounters, new_steps)
            if new_merit > merit + _ROUNDING:
                encounters = new_encounters
                steps = new_steps
                merit = new_merit
                trust = min(1.5 * trust, _GREATEST_TRUST)
            else:
                trust /= 2
        # With more room than the goal, smaller steps may serve.
        return self._shortened(steps) if self._least_gap(encounters, steps) >= self.goal else steps

    def _shortened(self, steps: Floats) -> Floats:
        """Multiply steps by the least share with which there is room enough, found by bisection.

        Room is enough if the narrowest gap between props is at least the goal.

        Args:
            steps: displacements of places, with which there is room enough, shape (G, 3) for G
                places, [m].

        Returns:
            The shorter steps, shape (G, 3), rounded to 1 mm, [m].
        """
        enough = 1.0
        too_little = 0.0
        for _bisection in range(_SHARE_BISECTIONS):
            share = (enough + too_little) / 2
            shorter = np.round(share * steps, 3)
            if self._least_gap(self._encounters(shorter), shorter) >= self.goal:
                enough = share
            else:
                too_little = share
        return np.round(enough * steps, 3)

    def _encounters(self, steps: Floats) -> _Encounters:
        """The narrow encounters of props with places moved by given steps, (G, 3) for G places,
        [m].
        """
        return _Encounters.find(_animation_with_steps(self.animation, self.free, steps), self.goal)

    def _least_gap(self, encounters: _Encounters, steps: Floats) -> float:
        """Return the narrowest gap of props at given steps, (G, 3) for G places, at most the goal,
        [m].

        Where props come too near to bodies it is less, by the weighted functions of `body_gaps`.
        """
        body_gaps = (float(gap.weights @ steps.ravel()) + gap.constant for gap in self.body_gaps)
        return min(encounters.least, self.goal, *body_gaps)

    def _gap_less_cost(self, encounters: _Encounters, steps: Floats) -> float:
        """Return the narrowest gap less the cost of the steps, [m]."""
        return self._least_gap(encounters, steps) - _STEP_COST * float(np.abs(steps).mean())

    def _linear_program_steps(self, encounters: _Encounters, steps: Floats, trust: float) -> Floats:
        """Return the best displacements of places by a linear program, shape (G, 3), [m].

        The gaps between props are linearised, and displacements (steps) are limited to a trust
        region around the present ones. The program maximises the narrowest gap, up to the goal,
        plus a small weight of the mean excess of gaps over it, minus the cost of the steps.

        Args:
            encounters: encounters at the present displacements.
            steps: the present displacements, shape (G, 3), [m].
            trust: greatest change of each coordinate, [m].
        """
        least, greatest = self._step_bounds
        low = np.maximum(least, steps - trust).ravel()
        high = np.minimum(greatest, steps + trust).ravel()

        # A step is s = s⁺ − s⁻ with both parts from 0 on, so that |s| = s⁺ + s⁻ can have a cost in
        # a linear program. The variables are all s⁺, then all s⁻: w·s becomes (w, −w)·(s⁺, s⁻).
        parts_low = np.concatenate([np.maximum(low, 0.0), np.maximum(-high, 0.0)])
        parts_high = np.concatenate([np.maximum(high, 0.0), np.maximum(-low, 0.0)])
        gaps = [*encounters.linear_gaps(self.free, steps), *([gap] for gap in self.body_gaps)]
        gaps_of_parts = [
            [
                LinearFunction(np.concatenate([weights, -weights]), constant)
                for weights, constant in gap
            ]
            for gap in gaps
        ]
        # In the objective the narrowest gap counts as 1 and the mean gap as `_MEAN_GAP_WEIGHT`; a
        # mean step of 1 m costs `_STEP_COST`, [m], of clearance.
        parts, _narrowest = maximise_least(
            gaps_of_parts,
            low=parts_low,
            high=parts_high,
            cost=np.full(2 * len(low), _STEP_COST / len(low)),
            upper_bound=self.goal,
            mean_weight=_MEAN_GAP_WEIGHT,
        )
        positive, negative = np.split(parts, 2)
        return (positive - negative).reshape(-1, 3)

    @cached_property
    def _step_bounds(self) -> tuple[Floats, Floats]:
        """The least and the greatest displacement of each place, both shape (G, 3), [m].

        Coordinates are outward, up and forward. The greatest displacement is the budget; in some
        directions it is a share of it.
        """
        place_count = len(self.free.start)
        # Steps inward, down and toward the body are negative; those outward, up and away positive.
        least = -self.budget * np.tile([1.0, _VERTICAL_SHARE, _TOWARD_SHARE], (place_count, 1))
        greatest = self.budget * np.tile([1.0, _VERTICAL_SHARE, 1.0], (place_count, 1))
        # A hand does not come nearer to the middle of the body than `_MIDDLE_GAP`. If it is nearer
        # already, it does not come nearer still.
        to_middle = np.minimum(0.0, _MIDDLE_GAP - self.free.start[:, 0])
        least[:, 0] = np.maximum(least[:, 0], to_middle)
        return least, greatest


@dataclass(frozen=True)
class _Encounters:
    """Narrow encounters of two props, K of them, in the motion of an animation.

    Args:
        animation: the animation whose motion it is.
        pairs: all pairs of props.
        pair: the index of the pair of each encounter, shape (K,).
        time: time of the smallest gap, shape (K,), [s].
        gap: between the surfaces then, shape (K,), [m].
        least: the narrowest gap of any encounter or contact, [m]; a bound if nothing is near.
    """

    animation: Animation
    pairs: PropPairs
    pair: Integers
    time: Floats
    gap: Floats
    least: float

    @classmethod
    def find(cls, animation: Animation, goal: float) -> _Encounters:
        """Find the narrow encounters of an animation: when two props pass each other closely.

        Args:
            animation: the animation with its present places of throws and catches.
            goal: the clearance that is wanted, [m]. Encounters wider than it by more than
                `_BEYOND_GOAL`, or than the narrowest one by more than `_BEYOND_NARROWEST`, are left
                out. Allowed contacts, as between props in one hand, do not count.
        """
        pairs = PropPairs(animation.motion)
        grid = time_grid(animation.duration)
        reach = goal + _BEYOND_GOAL
        # Approaches are times at which two props are nearest, contacts spans of time in which they
        # touch. `least` is `reach` if nothing comes as near.
        approaches, contacts = find_encounters(pairs, pairs.near_candidates(reach, grid), grid)
        collision_gaps = contacts.gap[~contacts.contact_allowed]
        least = float(min(approaches.gap.min(initial=reach), collision_gaps.min(initial=reach)))
        is_near = approaches.gap <= min(reach, least + _BEYOND_NARROWEST)
        return cls(
            animation=animation,
            pairs=pairs,
            pair=approaches.pair[is_near],
            time=approaches.time[is_near],
            gap=approaches.gap[is_near],
            least=least,
        )

    def linear_gaps(self, free: FreePlaces, steps: Floats) -> list[list[LinearFunction]]:
        """Return each gap as a linear function of the displacements, or the maximum of two.

        A gap is a function of the relative position of two props, which depends on the
        displacements (steps) of throws and catches. If it has a convex kink along an axis, as that
        of two rings in one plane has along the normal of the plane, there are two functions, with
        the two one-sided slopes along that axis. Otherwise the slope is the mean of both.

        Args:
            free: G places of throws and catches that may move.
            steps: displacements at which the gaps were measured, shape (G, 3), [m].

        Returns:
            For each of the K gaps its functions, with weights of shape (3G,), [m].
        """
        ahead, back = self.pairs.slopes(self.pair, self.time)  # one-sided gradients, (K, 3)
        # Only along the axis with the sharpest kink does a gap get two slopes.
        slope_change = ahead - back
        rows = np.arange(len(slope_change))
        kink_axis = slope_change.argmax(axis=1)
        kink_rows = np.flatnonzero(slope_change[rows, kink_axis] > _LEAST_KINK)
        at_kinks = kink_rows, kink_axis[kink_rows]

        gaps: list[list[LinearFunction]] = [[] for _row in rows]
        # First a function for each gap, with the forward slope at a kink; then a second one for
        # gaps with a kink, with the backward slope.
        for one_sided, linear_rows in ((ahead, rows), (back, kink_rows)):
            gradient = (ahead + back) / 2
            gradient[at_kinks] = one_sided[at_kinks]
            # gap(s') ≈ gap + J(s' − s) = J s' + (gap − J s)
            jacobian = self._jacobian(free, gradient)
            constant = self.gap - jacobian @ steps.ravel()
            for row in linear_rows:
                gaps[row].append(LinearFunction(jacobian[row], float(constant[row])))
        return gaps

    def _jacobian(self, free: FreePlaces, gradient: Floats) -> Floats:
        """Return the Jacobian of the K gaps with respect to places, shape (K, 3 · G), [m/m].

        Args:
            free: G places of throws and catches that may move.
            gradient: the gradient of each gap with respect to the first prop's position, shape (K,
                3); that with respect to the second is its negative.
        """
        motion = self.animation.motion
        first, second = self.pairs.props(self.pair)
        by_first = free.prop_jacobian(motion, first, self.time, gradient)
        return by_first - free.prop_jacobian(motion, second, self.time, gradient)


def _body_gaps(animation: Animation, free: FreePlaces, within: float) -> tuple[Floats, Floats]:
    """Return narrow gaps between props and bodies, and their Jacobian with respect to places.

    Places are those of throws and catches. Hands and forearms are taken to move with these; all
    other parts of a body stay.

    Args:
        animation: the animation whose gaps are measured.
        free: G places of throws and catches that may move.
        within: gaps of this width or more are left out, [m].

    Returns:
        The K gaps, shape (K,), [m], and their Jacobian, shape (K, 3 · G), [m/m]: the columns of
        each place are outward, up and forward.
    """
    pairs = BodyPairs(animation)
    grid = time_grid(animation.duration)
    candidates = pairs.near_candidates(within, grid).within(within)
    approaches, _contacts = find_encounters(pairs, candidates, grid)
    is_near = approaches.gap < within
    pair = approaches.pair[is_near]
    time = approaches.time[is_near]

    # A gap may have a kink, so its gradient, by the position of the prop, is the mean of the
    # one-sided ones.
    ahead, back = pairs.slopes(pair, time)
    gradient = (ahead + back) / 2
    prop, limb = pairs.prop_and_limb(pair)
    jacobian = free.prop_jacobian(animation.motion, prop, time, gradient)

    # The gap depends on the prop's position less that of the limb, hence the minus. A hand or
    # forearm moves with the places of its hand; all other limbs have a side below 0.
    side = pairs.side(limb)
    on_arm = side >= 0
    hand = 2 * pairs.juggler(limb[on_arm]) + side[on_arm]
    jacobian[on_arm] -= free.hand_jacobian(animation.motion, hand, time[on_arm], gradient[on_arm])
    return approaches.gap[is_near], jacobian


def _or_infinite(clearance: float | None) -> float:
    """A clearance, infinite where nothing passes, [m]."""
    return np.inf if clearance is None else clearance


def _clearance(collisions: Collisions, *, with_bodies: bool) -> float | None:
    """Return the narrowest gap of props, or of props and bodies, [m]; None if nothing passes."""
    gaps = [-hit.overlap for hit in collisions.collisions if (hit.juggler >= 0) is with_bodies]
    miss = collisions.body_miss if with_bodies else collisions.miss
    if miss:
        gaps.append(miss.gap)
    return min(gaps, default=None)


def _before_and_after(before: float | None, after: float | None, unit: str) -> str:
    """Return two figures with an arrow between them, such as `1.2 cm → 3.4 cm`.

    Args:
        before, after: the figures, angles in [°] or lengths in [m]; None becomes a dash.
        unit: the text after each figure. With "°" the figures are angles and have two decimals;
            with any other text they are lengths and shown in centimetres, with one decimal.
    """
    scale, decimals = (1, 2) if unit == "°" else (100, 1)
    # Adding 0.0 makes −0.0 a plain 0.0.
    return " → ".join(
        "–" if figure is None else f"{scale * figure + 0.0:.{decimals}f}{unit}"
        for figure in (before, after)
    )
