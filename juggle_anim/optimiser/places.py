"""Places of throws and catches as variables: which of them move together, and the score in which
they have moved.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, EventKind, Score
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.dwell import Site
from juggle_anim.choreography.hand_points import Around, held_path
from juggle_anim.choreography.manners import BODY_THROWS
from juggle_anim.choreography.places import STYLES
from juggle_anim.choreography.score import HandBeat, Point
from juggle_anim.editing.places import flight_sites, lowered, next_turns, paths_by_turn, write_paths
from juggle_anim.editing.symmetry import outward_places, side_signs, symmetries
from juggle_anim.motion import Motion
from juggle_anim.pattern import Pattern


@dataclass(frozen=True)
class FreePlaces:
    """The places of a score that may move, G rows: those of throws and catches that symmetry makes
    alike are one.

    Places are outward, up and forward of the middle between the hands, as in settings, [m].

    Args:
        score: the pattern, or its events.
        choreography: of the score, E events.
        row: shape (E,), which place each event has; −1 where a hand only passes.
        start: shape (G, 3), where they are.
    """

    score: Score
    choreography: Choreography
    row: Integers
    start: Floats

    @classmethod
    def of(cls, animation: Animation, *, mirror_only: bool = False) -> FreePlaces:
        """Return the places of an animation.

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
        free = (events.kind == EventKind.THROW) | (events.kind == EventKind.CATCH)
        row = np.arange(len(free))
        for _, image in symmetries(choreography, outward, mirror_only):
            _unite(row, enumerate(image.tolist()))
        if score.pattern:
            for together in _landing_together(score, choreography):
                _unite(row, pairwise(together))
        firsts, numbers = np.unique(row[free], return_inverse=True)
        found = np.full(len(free), -1)
        found[free] = numbers
        return cls(score, choreography, found, outward[firsts])

    @cached_property
    def first_event(self) -> Integers:
        """For each place the first event that has it, shape (G,)."""
        return np.array(
            [int(np.flatnonzero(self.row == row)[0]) for row in range(len(self.start))],
            dtype=np.intp,
        )

    @cached_property
    def side_sign(self) -> Floats:
        """For each event, 1 if outward is to the body's left, −1 if it is to the right, shape
        (E,).
        """
        return side_signs(self.choreography.events.hand)

    def follow(self, motion: Motion, prop: Integers, times: Floats, direction: Floats) -> Floats:
        """Jacobian of props along a direction with respect to the coordinates of places, to first
        order.

        A prop in flight moves with the places of its throw and its catch, weighted by the share of
        the flight that is left and past; a held one with its hand, see `follow_hand`. Times of
        events do not change.

        Args:
            motion: at whose places the Jacobian is taken.
            prop, times: shape (K,); the props, and the times [s].
            direction: shape (K, 3), in the world; of unit length for results in m/m.

        Returns:
            Shape (K, 3G), [m/m]: the columns of each place are outward, up and forward.
        """
        flights = motion.choreography.flights
        last = motion.last_throws
        piece, since = last.paths.locate(motion.props.orbit[prop], times + motion.props.lead[prop])
        flight = last.flight[piece]
        share = np.minimum(since / last.duration[piece], 1.0)
        weights = self._shares(
            motion, flights.throw[flight], flights.catch[flight], share, direction
        )
        holder = motion.props.holder[motion.locate(prop, times)[0]]
        held = holder >= 0
        weights[held] = self.follow_hand(motion, holder[held], times[held], direction[held])
        return weights

    def follow_hand(
        self, motion: Motion, hand: Integers, times: Floats, direction: Floats
    ) -> Floats:
        """How far each hand goes in a direction, as `follow`: with its places before and after each
        time.
        """
        events = motion.choreography.events
        before = np.zeros_like(hand)
        after = np.zeros_like(hand)
        share = np.zeros(len(hand))
        stays = np.zeros(len(hand), dtype=bool)
        for each in np.unique(hand):
            rows = np.flatnonzero(hand == each)
            mine = np.flatnonzero((events.hand == each) & (self.row >= 0))
            if not len(mine):
                # A hand that only holds.
                stays[rows] = True
                continue
            when = times[rows] % motion.duration
            place = np.searchsorted(events.time[mine], when, side="right")
            before[rows], after[rows] = mine[place - 1], mine[place % len(mine)]
            gap = (events.time[after[rows]] - events.time[before[rows]]) % motion.duration
            past = (when - events.time[before[rows]]) % motion.duration
            share[rows] = past / np.where(gap > 0, gap, motion.duration)
        return np.where(stays[:, None], 0.0, self._shares(motion, before, after, share, direction))

    def _shares(
        self, motion: Motion, before: Integers, after: Integers, share: Floats, direction: Floats
    ) -> Floats:
        """As `follow`, of what is between two events."""
        events = motion.choreography.events
        turn = motion.bodies.facing(events.hand // 2, events.time)
        weights = np.zeros((len(share), len(self.start), 3))
        rows = np.arange(len(share))
        for event, part in ((before, 1 - share), (after, share)):
            sine = np.sin(turn[event])
            cosine = np.cos(turn[event])
            left = direction[:, 0] * cosine - direction[:, 2] * sine
            ahead = direction[:, 0] * sine + direction[:, 2] * cosine
            seen = np.stack([left * self.side_sign[event], direction[:, 1], ahead], axis=-1)
            np.add.at(weights, (rows, self.row[event]), part[:, None] * seen)
        return weights.reshape(len(share), 3 * len(self.start))

    def moved(self, places: Floats, digits: int = 1) -> Score:
        """Return the score with other places, shape (G, 3), rounded to `digits` places of a
        centimetre.

        A pattern stays one: `hands` says where its hands go. Points that hands pass move along with
        those beside them.
        """
        steps = places - self.start
        if self.score.pattern is None:
            step = self._event_steps(steps)
            events = self.choreography.events
            step[:, 0] *= self.side_sign
            placed = replace(events, position=events.position + np.round(step, digits + 2))
            return replace(self.score, placed=replace(self.choreography, events=placed))
        moves = write_paths(*_moved_paths(self, places), digits)
        return replace(self.score, staging=replace(self.score.staging, hands=moves))

    def _event_steps(self, steps: Floats) -> Floats:
        """By how much each event moves, shape (E, 3); points that a hand only passes go along with
        its others.
        """
        events = self.choreography.events
        loop = self.choreography.duration
        found = np.where(self.row[:, None] >= 0, steps[self.row], 0.0)
        for hand in np.unique(events.hand[self.row < 0]):
            mine = np.flatnonzero(events.hand == hand)
            known = mine[self.row[mine] >= 0]
            passed = mine[self.row[mine] < 0]
            for axis in range(3) if len(known) else ():
                found[passed, axis] = np.interp(
                    events.time[passed], events.time[known], found[known, axis], period=loop
                )
        return found


def _unite(row: Integers, pairs: Iterable[tuple[int, int]]) -> None:
    """Let both events of each pair have one place."""
    for one, other in pairs:
        low, high = sorted((int(row[one]), int(row[other])))
        if low != high:
            row[row == high] = low


def _landing_together(score: Score, choreography: Choreography) -> list[list[int]]:
    """Events at which a hand catches what it throws on one beat: `hands` has one place for them."""
    assert score.pattern is not None, "placed events have no beats"
    sites = flight_sites(repeat_to_full_loop(score.pattern, score.staging))
    found: dict[Site, list[int]] = {}
    for (_, site), event in zip(sites, choreography.flights.catch.tolist(), strict=True):
        found.setdefault(site, []).append(event)
    return [events for events in found.values() if len(events) > 1]


def _moved_paths(free: FreePlaces, places: Floats) -> tuple[Pattern, dict[Site, HandBeat]]:
    """The pattern, and for each turn of a hand its path from there on for other places."""
    assert free.score.pattern is not None, "placed events have no turns"
    staging = free.score.staging
    flights = free.choreography.flights
    steps = places - free.start
    style = STYLES[staging.style]
    pattern = repeat_to_full_loop(free.score.pattern, staging)
    sites = flight_sites(pattern)
    following = next_turns(pattern)
    thrown = {site: free.row[event] for (site, _), event in zip(sites, flights.throw, strict=True)}
    caught = {site: free.row[event] for (_, site), event in zip(sites, flights.catch, strict=True)}
    rows = free.choreography.events.manners[:, 1]
    around = Around(
        {site for (site, _), event in zip(sites, flights.throw, strict=True) if rows[event]},
        {site for (_, site), event in zip(sites, flights.catch, strict=True) if rows[event]},
        {
            site
            for (_, site), row in zip(sites, rows[flights.throw].tolist(), strict=True)
            if row and BODY_THROWS[row - 1].from_behind
        },
    )

    def step(row: int | None) -> Floats:
        return np.zeros(3) if row is None else steps[row]

    def path(site: Site, old: HandBeat) -> HandBeat:
        throw = thrown.get(site)
        catch = caught.get(following[site])
        after = thrown.get(following[site])
        points: list[Point | None] = []
        for number, point in enumerate(old.points):
            row = {0: throw, old.catch: catch}.get(number)
            if row is not None:
                points.append(lowered(style, places[row]))
            elif point is None or number in (0, old.catch):
                points.append(point)
            else:
                # On the way from the throw to the catch, or from the catch to the next throw.
                before = number < old.catch
                share = (
                    number / old.catch
                    if before
                    else (number - old.catch) / (len(old.points) - old.catch)
                )
                one, other = (step(row) for row in ((throw, catch) if before else (catch, after)))
                raised = np.array(style.raised_point(point))
                points.append(lowered(style, raised + (1 - share) * one + share * other))
        moved = HandBeat(tuple(points), old.catch, old.around)
        holds = moved == held_path(moved, site, following[site], around)
        return moved if holds else replace(moved, around=True)

    said = paths_by_turn(pattern, staging.hands)
    held = {
        site: _shortest(held_path(old, site, following[site], around)) for site, old in said.items()
    }
    return pattern, {site: path(site, old) for site, old in held.items()}


def _shortest(path: HandBeat) -> HandBeat:
    """The path without the points between its throw and its catch, and behind that, if nothing is
    said of these.
    """
    between = [point for number, point in enumerate(path.points) if number not in (0, path.catch)]
    return (
        path
        if any(between)
        else HandBeat((path.points[0], path.points[path.catch]), 1, path.around)
    )
