"""Dimensions of props, and offsets of several props in one hand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import ceil
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, PropLook
from juggle_anim.lazy_dataclass import dataclass

CLUB_LENGTH = 0.52
"""[m]."""

CLUB_WIDTH = 0.095
"""The diameter of a club's body at its thickest, [m]."""

CLUB_CENTRE = 0.25
"""From the end of the knob to where a club balances, [m]."""

CLUB_HELD = 0.07
"""From there to where the hand grips the handle, [m]."""

HANDLE_RADIUS = 0.0125
"""[m]."""

CLUB_KNOB = ((0.0155, 0.0155), (0.022, 0.0145))
CLUB_HANDLE = ((0.026, 0.0115), (0.120, 0.0125), (0.200, 0.0145))
CLUB_BODY = ((0.350, CLUB_WIDTH / 2), (0.501, 0.019))
"""Profiles of a knob, a handle and roughly of a body, from the belly to the top: distance from the
end of the knob, and the radius there, [m].
"""

RING_DIAMETER = 0.32
"""Outer, [m]."""

RING_HOLE = 0.75
"""The inner diameter of a ring as a share of the outer."""

RING_THICKNESS = 0.0044
"""[m]."""

RIM_HELD = 0.010
"""How deep a hand grips a ring's rim, [m]."""

RING_HELD = 0.006
"""From there to the palm, [m]: a ring lies deep between thumb and fingers, which go round it."""

ORIENTED_KINDS = ("club", "ring")
"""Kinds of props whose orientation is visible."""

_STACK_GAP = 0.006  # m, between props of a stack, which press a little aside as they are caught

_FRONT_RAISED = 0.7  # radii, by which the prop on the fingers lies higher than the one behind it

_LAYERS_SPREAD = 1.75  # factor of the heights of layers of clubs or rings

_STACK_SPAN = 1.5  # beats, in which a hand catches all props of a stack

_ROUNDING = 1e-9  # s, by which stays that touch in time may overlap
_LOOKAHEAD = 8  # stays that tell one moment from another


class Stay(NamedTuple):
    """The time in which a prop stays at one place in a hand.

    Args:
        hand: 2 · juggler + side.
        start, end: [s].
    """

    hand: int
    start: float
    end: float


class FlightKinds(NamedTuple):
    """P props in K kinds, each of which flies alike.

    Args:
        first_prop: shape (K,), index of the first prop of each kind, ascending.
        kind_of_prop: shape (P,), the kind of each prop, 0 to K − 1.
    """

    first_prop: Integers
    kind_of_prop: Integers


@dataclass(frozen=True)
class PropShapes:
    """The shapes of P props.

    Args:
        kind: the kind of each, "ball", "club" or "ring".
        size: shape (P,), diameter of balls and, outer, of rings; of clubs that of the body, [m].
        grip_to_palm: shape (P,), from the gripped point to the palm, [m].
        grip_to_centre: shape (P,), from the gripped point to the centre, [m]; 0 for balls.
        bounce_height: shape (P,), of the centre above the plane when the prop bounces, [m]; 0 where
            none bounces.
    """

    kind: tuple[str, ...]
    size: Floats
    grip_to_palm: Floats
    grip_to_centre: Floats
    bounce_height: Floats

    @cached_property
    def oriented(self) -> Booleans:
        """Whether the orientation of each is visible, shape (P,)."""
        return np.array([kind in ORIENTED_KINDS for kind in self.kind], dtype=bool)

    @cached_property
    def has_oriented(self) -> bool:
        """Whether the orientation of any is visible."""
        return any(kind in ORIENTED_KINDS for kind in set(self.kind))

    @property
    def has_clubs(self) -> bool:
        """Whether any is a club."""
        return "club" in self.kind

    @cached_property
    def palm_distance(self) -> float:
        """Distance from the place of a hand to its palm, [m]."""
        return float(self.grip_to_palm.max(initial=0.0))

    @cached_property
    def grip_drop(self) -> Floats:
        """Distance of each prop's grip below the place of its hand, shape (P,), [m].

        The palm is `palm_distance` below that place, by the largest prop. A club or ring, which is
        gripped nearer to its surface, is lowered so that it lies on the palm too; balls are not.
        """
        return np.where(self.oriented, self.palm_distance - self.grip_to_palm, 0.0)

    @property
    def reach(self) -> Floats:
        """Greatest distance of each prop's surface from its centre, shape (P,), [m]."""
        return np.where(
            [kind == "club" for kind in self.kind], CLUB_LENGTH - CLUB_CENTRE, self.size / 2
        )

    @cached_property
    def flight_kinds(self) -> FlightKinds:
        """Props sorted into kinds of flight, so that each kind is computed only once.

        Props fly alike if they have the same kind (ball, club or ring), with the same distance from
        grip to centre and the same height of the centre at a bounce, [m]. The result has the first
        prop of each kind of flight, and the kind of flight of each prop.
        """
        # If all props are balls that don't bounce, they fly alike, whatever their size: one kind,
        # or none without props. The general way below gives the same, but takes longer.
        if not self.has_oriented and not self.bounce_height.any():
            first_prop = np.zeros(min(1, len(self.kind)), dtype=np.intp)
            return FlightKinds(first_prop, np.zeros(len(self.kind), dtype=np.intp))
        # Kinds of flight are numbered in the order of their first props.
        number_of_kind: dict[tuple[str, float, float], int] = {}
        first_prop_of_kind: list[int] = []
        kind_of_prop = []
        lengths = self.grip_to_centre.tolist(), self.bounce_height.tolist()
        for prop, flight_kind in enumerate(zip(self.kind, *lengths, strict=True)):
            if flight_kind not in number_of_kind:
                number_of_kind[flight_kind] = len(number_of_kind)
                first_prop_of_kind.append(prop)
            kind_of_prop.append(number_of_kind[flight_kind])
        return FlightKinds(
            np.array(first_prop_of_kind, dtype=np.intp), np.array(kind_of_prop, dtype=np.intp)
        )


@dataclass(frozen=True)
class Grips:
    """Places of props in hands, relative to these, in the frames of the bodies.

    A prop that is carried for long moves on to make room, staying equally long in each place.

    Args:
        places: shape (S, 3), after the catches of all flights, in the order in which props come to
            them, [m].
        first_place, last_place: shape (F,), rows in `places` of the first and the last place after
            each flight.
        held: shape (O, 3), place of the prop on each orbit without flights, [m]; 0 for others.
    """

    places: Floats
    first_place: Integers
    last_place: Integers
    held: Floats


def prop_shapes(choreography: Choreography, default_diameter: float) -> PropShapes:
    """Return the shapes of all props, in the order of the choreography's looks.

    Args:
        choreography: it says how its props look, and whether any bounces.
        default_diameter: diameter of balls whose look has none of its own, [m].

    Returns:
        For each prop its kind, its size, how far its gripped point is from the palm and from the
        centre of the prop, and at which height above a plane its centre bounces, [m].
    """
    # If no flight has a bounce, all heights at bounces are 0.
    return _shapes_of_looks(
        choreography.looks_of_props,
        default_diameter,
        has_bounces=any(style.bounces for style in choreography.flights.style),
    )


@lru_cache  # most patterns have the same few balls
def _shapes_of_looks(
    looks: tuple[PropLook, ...], default_diameter: float, *, has_bounces: bool
) -> PropShapes:
    """Return the shapes of props with these looks, as `prop_shapes` does.

    Results are kept and shared, so their arrays are read-only.
    """
    shapes = [_shape_of(look, default_diameter) for look in looks]
    # The last three fields of each shape. Without any props, `reshape` makes the empty array (0, 3)
    # instead of (0,).
    lengths = np.array([shape[1:] for shape in shapes], dtype=float).reshape(-1, 3)
    size, grip_to_palm, grip_to_centre = lengths.T.copy()  # an array of its own each
    # The centre bounces at half the size above the plane, for all kinds: rings fly upright, and the
    # part of a club that touches the floor is at least half a body's width from its axis.
    bounce_height = size / 2 if has_bounces else np.zeros(len(size))
    for array in (size, grip_to_palm, grip_to_centre, bounce_height):
        array.flags.writeable = False
    return PropShapes(
        kind=tuple([shape.kind for shape in shapes]),
        size=size,
        grip_to_palm=grip_to_palm,
        grip_to_centre=grip_to_centre,
        bounce_height=bounce_height,
    )


class _Shape(NamedTuple):
    """The shape of a prop, a row of `PropShapes`."""

    kind: str
    size: float
    grip_to_palm: float
    grip_to_centre: float


def _shape_of(look: PropLook, default_diameter: float) -> _Shape:
    """Return the shape of a prop by its look.

    Clubs are gripped at the handle, rings at the rim, and balls at their centres.

    Args:
        look: its diameter may be None, or 0, for the usual one.
        default_diameter: usual diameter of balls, [m].
    """
    if look.kind == "club":
        return _Shape("club", look.diameter or CLUB_WIDTH, HANDLE_RADIUS, CLUB_CENTRE - CLUB_HELD)
    if look.kind == "ring":
        size = look.diameter or RING_DIAMETER
        return _Shape("ring", size, RING_HELD, max(size / 2 - RIM_HELD, 0.0))
    # All others, such as a picture, count as balls.
    size = look.diameter or default_diameter
    return _Shape("ball", size, size / 2, 0.0)


def find_grips(choreography: Choreography, shapes: PropShapes) -> Grips:
    """Return where props lie in hands, so that no two in one hand overlap.

    An orbit is the closed path that some props share, one loop apart. A carry is the time from a
    catch to the prop's next throw. A long one is divided into several stays, each at a place of its
    own in the hand.

    Args:
        choreography: one loop of events, with flights and orbits, O of them.
        shapes: kinds, sizes and grips of the props.

    Returns:
        Places in the carries after all flights, and those of props that are never thrown;
        (0, 0, 0) for a prop that is alone in its hand.
    """
    if _props_are_alone(choreography):  # as in most patterns: all are in the middles of hands
        flights = np.arange(len(choreography.flights.catch))
        return Grips(
            places=np.zeros((len(flights), 3)),
            first_place=flights,
            last_place=flights,
            held=np.zeros((len(choreography.orbits), 3)),
        )
    carry_stays = _stays_of_carries(choreography)
    # A prop that is never thrown stays for ever: a stay of two loops overlaps all others.
    held_stays = [
        Stay(orbit.hand, 0.0, 2 * choreography.duration)
        for orbit in choreography.orbits
        if not orbit.flights
    ]

    # A stack is props that one hand throws at once and one hand catches together. All stays of a
    # carry before or after a flight in a stack are placed as a stack; but if any props are rings,
    # which are thin and lie side by side, no stays are.
    flies_in_stack = None if "ring" in shapes.kind else stacked(choreography)
    is_stacked = None
    if flies_in_stack is not None:
        next_flight = choreography.flight_links.next_flight
        is_carry_stacked = flies_in_stack | flies_in_stack[next_flight]
        is_stacked = np.concatenate(
            [is_carry_stacked[carry_stays.flight_of_stay], np.zeros(len(held_stays), dtype=bool)]
        )
    offsets = grip_offsets(
        choreography, [*carry_stays.stays, *held_stays], shapes.palm_distance, is_stacked
    )
    if shapes.has_oriented:
        # Clubs and rings, which point forward, lie beside and above each other, not behind: offsets
        # forward become heights, and heights of layers are multiplied to make room for them.
        aside, up, forward = offsets.T
        offsets = np.column_stack([aside, _LAYERS_SPREAD * up + forward, np.zeros_like(forward)])

    places = offsets[: len(carry_stays.stays)]
    _keep_places_of_put_down(places, choreography, carry_stays)
    held_places = np.zeros((len(choreography.orbits), 3))
    held_places[choreography.held_orbits] = offsets[len(carry_stays.stays) :]
    return Grips(
        places=places,
        first_place=np.array(carry_stays.first_stay, dtype=np.intp),
        last_place=np.array(carry_stays.last_stay, dtype=np.intp),
        held=held_places,
    )


def _props_are_alone(choreography: Choreography) -> bool:
    """Return whether no hand ever has two props at once.

    Args:
        choreography: one loop of events, with flights and orbits.
    """
    if not all(orbit.flights for orbit in choreography.orbits):
        return False  # a prop that is never thrown may share its hand
    events = choreography.events
    flights = choreography.flights
    hands = events.hand.take(flights.catch).tolist()
    catch_times = events.time.take(flights.catch).tolist()
    # The start and the end of each carry, by hand; ends may be in later loops.
    carries_of_hand: dict[int, list[tuple[float, float]]] = {}
    for hand, start, carry in zip(hands, catch_times, flights.carry.tolist(), strict=True):
        carries_of_hand.setdefault(hand, []).append((start, start + carry))
    for carries in carries_of_hand.values():
        carries.sort()
        first_start, first_end = carries[0]
        carries.append((first_start + choreography.duration, first_end))
        if any(end > next_start for (_start, end), (next_start, _end) in pairwise(carries)):
            return False
    return True


class _CarryStays(NamedTuple):
    """Stays of props in hands in the carries after F flights, N stays in the order of the flights.

    Args:
        stays: N stays, each with its times and its hand.
        flight_of_stay: the flight before the carry of each, N of them.
        first_stay, last_stay: indices of the first and the last stay after each flight, F of them.
    """

    stays: list[Stay]
    flight_of_stay: list[int]
    first_stay: list[int]
    last_stay: list[int]


def _keep_places_of_put_down(
    places: Floats, choreography: Choreography, carry_stays: _CarryStays
) -> None:
    """Give props that are taken up again the place in the hand that they had when put down.

    A carry is the time from the catch of a prop to its next throw.

    Args:
        places: place in the hand in each stay, shape (number of stays, 3), [m]; changed in place.
        choreography: its flights; one that `rests` is a prop that is put down and taken up again.
        carry_stays: the stays in the carry after each flight.
    """
    flights = choreography.flights
    if not any(style.rests for style in flights.style):
        return
    for orbit in choreography.orbits:
        for previous, flight in orbit.steps():
            if flights.style[flight].rests:
                last_before = carry_stays.last_stay[previous]
                stays_after = slice(
                    carry_stays.first_stay[flight], carry_stays.last_stay[flight] + 1
                )
                places[stays_after] = places[last_before]


def _stays_of_carries(choreography: Choreography) -> _CarryStays:
    """Divide each carry into stays of equal length, at most a loop each, as few as possible.

    In a carry of more than a loop, the hand also gets the next prop of the orbit, which does the
    same one loop later. So each stay has its own place in the hand, and the prop moves on from
    place to place. A carry is the time from the catch of a prop to its next throw.

    Args:
        choreography: the choreography with F flights, each with the carry after it.
    """
    flights = choreography.flights
    carry_stays = _CarryStays([], [], [], [])
    # Lists, as arrays are slower to go through. Hands are 2 · juggler + side.
    catches = zip(
        choreography.events.hand.take(flights.catch).tolist(),
        choreography.events.time.take(flights.catch).tolist(),
        flights.carry.tolist(),
        strict=True,
    )
    for flight, (hand, catch_time, carry) in enumerate(catches):
        # The 1e-9 keeps rounding from adding a stay to a carry of exactly a whole number of loops.
        stay_count = max(1, ceil(carry / choreography.duration - 1e-9))
        length = carry / stay_count
        carry_stays.first_stay.append(len(carry_stays.stays))
        for stay_number in range(stay_count):
            start = catch_time + stay_number * length
            end = catch_time + (stay_number + 1) * length
            carry_stays.stays.append(Stay(hand, start, end))
            carry_stays.flight_of_stay.append(flight)
        carry_stays.last_stay.append(len(carry_stays.stays) - 1)
    return carry_stays


def stacked(choreography: Choreography) -> Booleans | None:
    """Return which of F flights are those of stacks, shape (F,); None if there can be none.

    A stack is two or more props that one hand throws at once, and one hand catches at nearly the
    same time, with equally many bounces: sorted by duration, each flight is caught less than
    `_STACK_SPAN` beats after the one before. In Juggling Lab's style there are no stacks.

    Args:
        choreography: E events, and F flights with the index of the throw event of each.
    """
    flights = choreography.flights
    # Without two flights of the same throw event there cannot be a stack either.
    if choreography.as_juggling_lab or len(set(flights.throw.tolist())) == len(flights.throw):
        return None
    catching_hand = choreography.events.hand[flights.catch]
    bounces = np.array([style.bounces for style in flights.styles])
    # Flights sorted by throw event, then by catching hand, then by duration: those of a stack are
    # neighbours. Arrays below are by pair of neighbours.
    order = np.lexsort((flights.duration, catching_hand, flights.throw))
    shorter_flight = order[:-1]
    longer_flight = order[1:]
    is_stack = (
        (flights.throw[shorter_flight] == flights.throw[longer_flight])
        & (catching_hand[shorter_flight] == catching_hand[longer_flight])
        & (bounces[shorter_flight] == bounces[longer_flight])
        & (
            flights.duration[longer_flight] - flights.duration[shorter_flight]
            < _STACK_SPAN / choreography.bps
        )
    )
    in_stack = np.zeros(len(flights.throw), dtype=bool)
    in_stack[shorter_flight[is_stack]] = True
    in_stack[longer_flight[is_stack]] = True
    return in_stack


def grip_offsets(
    choreography: Choreography,
    stays: list[Stay],
    radius: float,
    is_stacked: Booleans | None = None,
) -> Floats:
    """Return the offsets of carried props from their hands, so that no two overlap.

    A stay is the time in which a prop lies at one place in a hand.

    Args:
        choreography: its loop and its style are read.
        stays: N stays of props, which repeat with the loop, in any loop and order.
        radius: half the distance of two props that touch, [m].
        is_stacked: shape (N,), which are caught or thrown in a stack; None if none are.

    Returns:
        Shape (N, 3), in the order of `stays`, in the frame of the body: x to its left, y up, z
        forward, [m].
    """
    loop = choreography.duration
    # Starts are moved into one loop; ends may then lie in later ones. Then the indices of the stays
    # in each hand, sorted by these starts.
    stays = [Stay(hand, start % loop, start % loop + end - start) for hand, start, end in stays]
    stays_of_hand: dict[int, list[int]] = {}
    for index in sorted(range(len(stays)), key=lambda index: stays[index].start):
        stays_of_hand.setdefault(stays[index].hand, []).append(index)

    # Groups of stays in one hand that overlap in time, directly or through others of the group, are
    # placed together; a prop alone in its group lies in the middle of the hand.
    offsets = np.zeros((len(stays), 3))
    for indices in stays_of_hand.values():
        for group in _overlapping_groups([stays[index] for index in indices], loop):
            if len(group) > 1:
                members = [indices[position] for position in group]
                offsets[members] = _separate_offsets(
                    [stays[member] for member in members],
                    choreography,
                    radius,
                    has_stack=is_stacked is not None and bool(is_stacked[members].any()),
                )

    # Natural hands hold alike, as mirror images: x counts toward the other hand, which is −x for
    # left hands (hand % 2 = 0) and +x for right ones. Juggling Lab's both have x to the left.
    if not choreography.as_juggling_lab:
        offsets[:, 0] *= [2.0 * (stay.hand % 2) - 1.0 for stay in stays]
    return offsets


def _separate_offsets(
    stays: list[Stay], choreography: Choreography, radius: float, *, has_stack: bool
) -> Floats:
    """Return offsets at which the props of stays in one hand do not overlap.

    Args:
        stays: M stays in one hand, one or more, sorted by start within the loop.
        choreography: its loop and its style are read.
        radius: half the distance of two props that touch, [m].
        has_stack: whether any of the props is caught or thrown in a stack, so that all are stacked.

    Returns:
        Shape (M, 3), offset of each prop from the hand, sideways, up and forward, [m].
    """
    loop = choreography.duration
    order = list(range(len(stays)))
    # In Juggling Lab's style, slots are given in order from the start of the loop.
    if not choreography.as_juggling_lab:
        order, stays = _from_emptiest_moment(stays, loop)
    # Each stay gets the lowest slot that is free all the time that it lasts; slot k is place k of a
    # layout that has a place for each slot.
    slots = _lowest_free_slots(stays, loop)
    layout = _stack_places if has_stack else _side_by_side_places
    places = layout(max(slots) + 1, radius)
    offsets = np.empty((len(stays), 3))
    for stay, slot in zip(order, slots, strict=True):
        offsets[stay] = places[slot]
    return offsets


def _from_emptiest_moment(stays: list[Stay], loop: float) -> tuple[list[int], list[Stay]]:
    """Sort stays in one hand from a moment that does not depend on where the loop begins.

    At that moment a stay starts, and the hand has the fewest props; of several such moments, the
    sequence of stays that follows decides. So the hands of a mirrored pattern, which do the same at
    different times of the loop, hold props alike.

    Args:
        stays: stays in one hand, one or more, sorted by start within the loop.
        loop: duration of the loop, [s].

    Returns:
        The indices in `stays` in their new order, and the stays in that order, with starts and ends
        since that moment.
    """
    passing = [stay for stay in stays if stay.end - stay.start < loop]
    emptiest_moment = _emptiest_moment(passing, loop) if passing else 0.0
    moved_stays = []
    keys = []
    for hand, start, end in stays:
        duration = end - start
        # Stays of a loop or more last all the time, so they do not help to choose the moment: they
        # start at 0, and come first.
        passes = duration < loop
        since = 0.0
        if passes:
            # A start at that moment except for rounding must not move to the end of the loop:
            # `_ROUNDING` is added before the remainder is taken, and subtracted after.
            since = (start - emptiest_moment + _ROUNDING) % loop - _ROUNDING
        moved_stays.append(Stay(hand, since, since + duration))
        # Of two that start together, the shorter comes first.
        keys.append((passes, round(since, 6), round(duration, 6)))
    order = sorted(range(len(stays)), key=keys.__getitem__)
    return order, [moved_stays[stay_index] for stay_index in order]


def _emptiest_moment(stays: list[Stay], loop: float) -> float:
    """Return the start, of those of N stays in one hand, at which it has the fewest props, [s].

    Of several such moments it is the one after which the sequence of the next `_LOOKAHEAD` stays is
    the least, as lists compare.

    Args:
        stays: one or more, shorter than the loop, sorted by their start within it.
        loop: duration of the loop, [s].
    """
    starts = [stay.start for stay in stays]
    ends = sorted([stay.end % loop for stay in stays])
    # A stay is described by the time to the next start and its duration. The list stands twice, to
    # look ahead beyond the end of the loop.
    next_starts = [*starts[1:], starts[0] + loop]
    described = [
        (round(next_start - stay.start, 6), round(stay.end - stay.start, 6))
        for stay, next_start in zip(stays, next_starts, strict=True)
    ] * 2

    def sort_key(start_index: int) -> tuple[int, list[tuple[float, float]]]:
        """Sort key of a start: props in the hand then, less a constant, and the next stays."""
        # The number of other stays that go on at a start is, but for a constant, that of starts
        # before minus that of ends until then. Tolerances let an end that is equal except for
        # rounding count as before the start, and an equal start not.
        starts_before = bisect_left(starts, starts[start_index] - _ROUNDING)
        ends_until = bisect_right(ends, starts[start_index] + _ROUNDING)
        return starts_before - ends_until, described[start_index : start_index + _LOOKAHEAD]

    return starts[min(range(len(stays)), key=sort_key)]


def _overlapping_groups(stays: list[Stay], loop: float) -> list[list[int]]:
    """Group stays in one hand so that only those of one group overlap in time.

    Args:
        stays: sorted by their start within the loop; their ends may be in later loops.
        loop: duration of the loop, [s], after which the stays repeat.

    Returns:
        Ascending indices of the stays of each group. Stays that only touch in time do not overlap;
        two of a group may be linked only through others with which they overlap.
    """
    groups: list[list[int]] = []
    latest_end = 0.0
    for stay_index, stay in enumerate(stays):
        if groups and stay.start < latest_end:
            groups[-1].append(stay_index)
        else:
            groups.append([stay_index])
        latest_end = max(latest_end, stay.end)
    # A stay that lasts into the next loop overlaps the first stays there. So the first group joins
    # the last one, and then the next, as long as it starts before the latest end, seen from that
    # loop.
    while len(groups) > 1 and stays[groups[0][0]].start < latest_end - loop:
        groups[-1] = sorted(groups.pop(0) + groups[-1])
    return groups


def _lowest_free_slots(stays: list[Stay], loop: float) -> list[int]:
    """Assign to each stay in one hand the lowest slot that no overlapping stay has.

    Args:
        stays: sorted by start, within one loop; ends may be in the next loop.
        loop: duration of the loop, [s], after which the stays repeat.

    Returns:
        The slot of each stay, 0 or more, in the order of `stays`.
    """
    # `slot_counts[k]` is the number of slots that the first k stays take: 0, 1, … without gaps, as
    # a new slot is always the next. `lasting` is a heap of the stays that have not ended yet: their
    # ends, and slots. `free_slots` are the slots of others, ascending.
    slots: list[int] = []
    slot_counts = [0]
    lasting: list[tuple[float, int]] = []
    free_slots: list[int] = []
    starts = [stay.start for stay in stays]
    for stay_index, stay in enumerate(stays):
        # Two kinds of stays overlap this one: those that still last, and those that begin again in
        # the next loop before this one ends, which are the first ones. With the tolerance, stays
        # that just touch in time may share a slot.
        while lasting and lasting[0][0] <= stay.start + _ROUNDING:
            _end, freed_slot = heappop(lasting)
            insort(free_slots, freed_slot)
        begin_again = min(stay_index, bisect_left(starts, stay.end - loop - _ROUNDING))
        # The lowest free slot beyond those of the stays that begin again; or else a new one.
        lowest = bisect_left(free_slots, slot_counts[begin_again])
        slot = free_slots.pop(lowest) if lowest < len(free_slots) else slot_counts[-1]
        slots.append(slot)
        slot_counts.append(max(slot_counts[-1], slot + 1))
        heappush(lasting, (stay.end, slot))
    return slots


def _stack_places(prop_count: int, radius: float) -> list[tuple[float, float, float]]:
    """Places for a stack in one hand, in the order in which its props are caught.

    They are pairs of one prop behind another, each pair beside and above the pair before. So stacks
    are narrow, and a stack that rises from a hand passes one that comes down to it. A prop that
    lies higher is caught later and thrown higher; where a stack turns round on its way, to the
    other hand or to a partner who faces the thrower, the higher props go over the others.

    Args:
        prop_count: number of places, 1 or more.
        radius: half the distance of two props that touch, [m].

    Returns:
        For each place how far it is sideways, up and forward of the hand, [m]; sideways is toward
        the other hand, and centred on the hand in the mean.
    """
    # Half the distance of neighbours, with a gap between them.
    half = radius + _STACK_GAP / 2
    pairs = prop_count // 2
    # In each pair the one behind (front 0), then the one in front of it (front 1).
    places = [
        (2 * half * pair, half * (pair + _FRONT_RAISED * front), half * (2 * front - 1))
        for pair in range(pairs)
        for front in (0, 1)
    ]
    if prop_count % 2:
        # The last of an odd number lies beside the last pair, half way between its two props from
        # back to front, and as high as the next pair's front one would be: the higher props are,
        # the later they are caught. Seen from above, the three centres are the corners of an
        # equilateral triangle, whose height is √3 · half. A lone prop is raised as much.
        sideways = 2 * half * (pairs - 1) + np.sqrt(3.0) * half if pairs else 0.0
        places.append((sideways, half * (pairs + _FRONT_RAISED), 0.0))
    # Centred in the hand.
    middle = sum(x for x, _, _ in places) / prop_count
    return [(x - middle, y, z) for x, y, z in places]


def _side_by_side_places(prop_count: int, radius: float) -> list[tuple[float, float, float]]:
    """Places for props that touch in one hand, up to three to a layer.

    One or two lie side by side. More have layers of triangles, one above the other, of which the
    last may be incomplete.

    Args:
        prop_count: number of places, 1 or more.
        radius: half the distance of two props that touch, [m].

    Returns:
        For each place how far it is sideways, up and forward of the hand, [m].
    """
    if prop_count == 1:
        return [(0.0, 0.0, 0.0)]
    if prop_count == 2:
        return [(-radius, 0.0, 0.0), (radius, 0.0, 0.0)]
    # An equilateral triangle of side 2 r around the hand, two corners behind and one in front; its
    # centre is r / √3 from each side.
    third = radius / np.sqrt(3.0)
    corners = ((-radius, -third), (radius, -third), (0.0, 2 * third))
    layers = (prop_count + 2) // 3  # rounded up
    places = [(x, 2 * radius * layer, z) for layer in range(layers) for x, z in corners]
    return places[:prop_count]
