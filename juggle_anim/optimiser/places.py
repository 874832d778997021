"""Places of throws and catches as variables: which of them move together, and the score in which
they have moved.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, EventKind, Score
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.dwell import Site
from juggle_anim.choreography.hand_points import BodyThrowSites, path_without_body_throws
from juggle_anim.choreography.manners import BODY_THROWS
from juggle_anim.choreography.places import STYLES
from juggle_anim.choreography.score import HandBeat, Point
from juggle_anim.editing.places import flight_sites, lowered, next_turns, paths_by_turn, write_paths
from juggle_anim.editing.symmetry import outward_places, side_signs, symmetries
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Motion
from juggle_anim.pattern import Pattern


@dataclass(frozen=True)
class FreePlaces:
    """The places of throws and catches that may move, G of them.

    Throws and catches that symmetry makes alike share one place. Coordinates are outward, up and
    forward of the middle between the hands, as in settings, [m].

    Args:
        score: the pattern, or its events.
        choreography: of the score, E events.
        place_of_event: shape (E,), which place each event has; −1 where a hand only passes.
        start: shape (G, 3), where they are.
    """

    score: Score
    choreography: Choreography
    place_of_event: Integers
    start: Floats

    @classmethod
    def from_animation(cls, animation: Animation, *, mirror_only: bool = False) -> FreePlaces:
        """Return the places of an animation.

        Two events have the same place if a symmetry of the loop maps one to the other, or, in a
        pattern, if they are catches of one hand before the same throw. Points that a hand only
        passes have no place.

        Args:
            animation: what is juggled, and its parameters.
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
        # `image` of a symmetry says to which event it maps each.
        representative = np.arange(len(can_move))
        for _, image in symmetries(choreography, outward, mirror_only):
            _merge_events(representative, enumerate(image.tolist()))
        if score.pattern:
            for events_of_turn in _catches_of_one_turn(score, choreography):
                _merge_events(representative, pairwise(events_of_turn))

        # Number the representatives from 0.
        first_events, places = np.unique(representative[can_move], return_inverse=True)
        place_of_event = np.full(len(can_move), -1)
        place_of_event[can_move] = places
        return cls(
            score=score,
            choreography=choreography,
            place_of_event=place_of_event,
            start=outward[first_events],
        )

    @cached_property
    def first_event(self) -> Integers:
        """For each place the first event that has it, shape (G,)."""
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
        (E,).
        """
        return side_signs(self.choreography.events.hand)

    def follow(self, motion: Motion, prop: Integers, times: Floats, direction: Floats) -> Floats:
        """How far props move along given directions when places move, to first order.

        Times of events do not change, so a prop in flight moves with the places of its throw and of
        its catch. The weight of the throw is the share of the flight that is left, that of the
        catch the share that is past. A held prop moves with its hand, see `follow_hand`.

        Args:
            motion: at whose places the Jacobian is taken.
            prop: shape (K,), indices of props.
            times: shape (K,), when each is looked at, [s].
            direction: shape (K, 3), in the world; of unit length for results in m/m.

        Returns:
            The Jacobian, shape (K, 3G), [m/m]: the columns of each place are outward, up and
            forward.
        """
        flights = motion.choreography.flights
        last_throws = motion.last_throws
        # The last throw of each prop and the time since then; beyond its flight the share is 1.
        piece, since_throw = last_throws.paths.locate(
            motion.props.orbit[prop], times + motion.props.lead[prop]
        )
        flight = last_throws.flight[piece]
        share = np.minimum(since_throw / last_throws.duration[piece], 1.0)
        jacobian = self._jacobian_between_events(
            motion,
            before=flights.throw[flight],
            after=flights.catch[flight],
            share=share,
            direction=direction,
        )

        # The rows of props that are held are replaced. `holder` is −1 in flight.
        holder = motion.props.holder[motion.locate(prop, times)[0]]
        held = holder >= 0
        jacobian[held] = self.follow_hand(motion, holder[held], times[held], direction[held])
        return jacobian

    def follow_hand(
        self, motion: Motion, hand: Integers, times: Floats, direction: Floats
    ) -> Floats:
        """How far hands move along given directions when places move, to first order.

        A hand moves with the places of its throws or catches before and after each time. The weight
        of the one before is the share of the time between them that is left, that of the one after
        the share that is past.

        Args:
            motion: at whose places the Jacobian is taken.
            hand: shape (K,), 2 · juggler + side.
            times: shape (K,), [s].
            direction: shape (K, 3), in the world.

        Returns:
            Shape (K, 3G), as `follow`; 0 for hands without places, which only hold.
        """
        events = motion.choreography.events
        before = np.zeros_like(hand)
        after = np.zeros_like(hand)
        share = np.zeros(len(hand))
        has_no_places = np.zeros(len(hand), dtype=bool)
        for hand_number in np.unique(hand):
            rows = np.flatnonzero(hand == hand_number)
            events_of_hand = np.flatnonzero(
                (events.hand == hand_number) & (self.place_of_event >= 0)
            )
            if not len(events_of_hand):
                has_no_places[rows] = True
                continue

            # The events before and after each time, around the loop: before the first event is the
            # last one (index −1), after the last one the first.
            time_in_loop = times[rows] % motion.duration
            index = np.searchsorted(events.time[events_of_hand], time_in_loop, side="right")
            before[rows] = events_of_hand[index - 1]
            after[rows] = events_of_hand[index % len(events_of_hand)]

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
        """How far points between two events move along given directions when places move.

        A point is (1 − share) · (place before) + share · (place after). A step of a place is seen
        from the body, so the direction is turned into the frame of the body at each event, and then
        weighted.

        Args:
            motion: which says where bodies face at the events.
            before, after: shape (K,), rows of the events.
            share: shape (K,), of the way from the one before that is past, 0 to 1.
            direction: shape (K, 3), in the world.

        Returns:
            The Jacobian, shape (K, 3G), [m/m]: the columns of each place are outward, up and
            forward.
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
        """Return the score with other places.

        A pattern stays a pattern, and its staging gets a text of `hands` that says where hands go;
        placed events get other positions. Points that hands pass move along with the throws and
        catches beside them.

        Args:
            places: shape (G, 3), outward, up, forward, [m].
            digits: decimal places of a centimetre to which results are rounded.
        """
        steps = places - self.start
        if self.score.pattern is None:
            event_steps = self._event_displacements(steps)
            events = self.choreography.events
            event_steps[:, 0] *= self.side_sign  # from outward to left
            # Decimal places of a metre: two more than of a centimetre.
            position = events.position + np.round(event_steps, digits + 2)
            placed = replace(self.choreography, events=replace(events, position=position))
            return replace(self.score, placed=placed)
        pattern, paths = _moved_paths(self, places)
        hands = write_paths(pattern, paths, digits)
        return replace(self.score, staging=replace(self.score.staging, hands=hands))

    def _event_displacements(self, steps: Floats) -> Floats:
        """By how much each event moves, shape (E, 3): outward, up and forward, [m].

        A throw or catch moves as its place does. A point that a hand only passes moves as is
        interpolated in time between the throws and catches of the hand, around the loop; it stays
        if the hand has none.

        Args:
            steps: by how much the places move, shape (G, 3), outward, up and forward, [m].
        """
        events = self.choreography.events
        loop = self.choreography.duration
        displacement = np.where(self.place_of_event[:, None] >= 0, steps[self.place_of_event], 0.0)
        for hand in np.unique(events.hand[self.place_of_event < 0]):
            events_of_hand = np.flatnonzero(events.hand == hand)
            with_place = events_of_hand[self.place_of_event[events_of_hand] >= 0]
            only_passing = events_of_hand[self.place_of_event[events_of_hand] < 0]
            if not len(with_place):
                continue
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
    """Events at which a hand catches what it throws on one beat: `hands` has one place for them."""
    assert score.pattern is not None, "placed events have no beats"
    sites = flight_sites(repeat_to_full_loop(score.pattern, score.staging))
    events_of_site: dict[Site, list[int]] = {}
    for (_, site), event in zip(sites, choreography.flights.catch.tolist(), strict=True):
        events_of_site.setdefault(site, []).append(event)
    return [events for events in events_of_site.values() if len(events) > 1]


def _moved_paths(free: FreePlaces, places: Floats) -> tuple[Pattern, dict[Site, HandBeat]]:
    """Return the paths of hands through other places.

    A turn of a hand is a beat on which it throws. Its path begins with that throw and holds the
    points that the hand passes until its next turn, among them its next catch. Throws and catches
    get the new places; points between two of them move by the step of both, weighted by how many
    points lie between.

    Args:
        free: the places as they are.
        places: the other ones, shape (G, 3), outward, up, forward, [m].

    Returns:
        The pattern of a full loop, and for each turn of a hand its path up to the next turn.
    """
    assert free.score.pattern is not None, "placed events have no turns"
    staging = free.score.staging
    flights = free.choreography.flights
    steps = places - free.start
    style = STYLES[staging.style]
    pattern = repeat_to_full_loop(free.score.pattern, staging)
    sites = flight_sites(pattern)  # of the throw, and of the turn that throws what is caught
    following = next_turns(pattern)

    # The place of the throw at each turn, and of the catch before it; and the turns with throws and
    # catches around the body. `body_throw_row` counts the rows of `BODY_THROWS` from 1 on, and is 0
    # for usual throws.
    throw_place_at: dict[Site, int] = {}
    catch_place_at: dict[Site, int] = {}
    body_throw_row = free.choreography.events.manners[:, 1]
    around_throws = set()
    around_catches = set()
    from_behind = set()
    for (throw_turn, catch_turn), throw_event, catch_event in zip(
        sites, flights.throw, flights.catch, strict=True
    ):
        throw_place_at[throw_turn] = free.place_of_event[throw_event]
        catch_place_at[catch_turn] = free.place_of_event[catch_event]
        if row := body_throw_row[throw_event]:
            around_throws.add(throw_turn)
            if BODY_THROWS[row - 1].from_behind:
                from_behind.add(catch_turn)
        if body_throw_row[catch_event]:
            around_catches.add(catch_turn)
    around = BodyThrowSites(throws=around_throws, catches=around_catches, from_behind=from_behind)

    def step_of(place: int | None) -> Floats:
        """How far a place moves, shape (3,), [m]; 0 where there is no place (None)."""
        return np.zeros(3) if place is None else steps[place]

    def moved_path(site: Site, old: HandBeat) -> HandBeat:
        """The path from a turn on: with the new places, and other points moved between them.

        `old.points` begins with the throw, has the catch at the index `old.catch`, and ends before
        the throw of the next turn. A point of None is left to the hand style.
        """
        throw_place = throw_place_at.get(site)
        catch_place = catch_place_at.get(following[site])
        next_throw_place = throw_place_at.get(following[site])
        points: list[Point | None] = []
        for index, point in enumerate(old.points):
            place = {0: throw_place, old.catch: catch_place}.get(index)
            # The throw or the catch goes to its new place; without one it stays, as does a point
            # that is left to the hand style.
            if place is not None:
                points.append(lowered(style, places[place]))
            elif point is None or index in (0, old.catch):
                points.append(point)
            else:
                # On the way from the throw to the catch, or from the catch to the next throw.
                if index < old.catch:
                    share = index / old.catch
                    start_step = step_of(throw_place)
                    end_step = step_of(catch_place)
                else:
                    share = (index - old.catch) / (len(old.points) - old.catch)
                    start_step = step_of(catch_place)
                    end_step = step_of(next_throw_place)
                raised = np.array(style.raised_point(point))
                points.append(lowered(style, raised + (1 - share) * start_step + share * end_step))
        moved = HandBeat(tuple(points), old.catch, old.goes_around_body)
        # Where throws go around the body, its own points replace those of a path, unless the path
        # is marked to go around the body itself. So it is marked if it would not stay as it is.
        holds = moved == path_without_body_throws(moved, site, following[site], around)
        return moved if holds else replace(moved, goes_around_body=True)

    old_paths = {
        site: _without_empty_points(path_without_body_throws(path, site, following[site], around))
        for site, path in paths_by_turn(pattern, staging.hands).items()
    }
    return pattern, {site: moved_path(site, path) for site, path in old_paths.items()}


def _without_empty_points(path: HandBeat) -> HandBeat:
    """The path with its throw and catch only, if all points between and after them are None."""
    other_points = [
        point for index, point in enumerate(path.points) if index not in (0, path.catch)
    ]
    if any(other_points):
        return path
    return HandBeat((path.points[0], path.points[path.catch]), 1, path.goes_around_body)
