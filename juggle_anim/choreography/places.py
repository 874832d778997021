"""Places of throws, catches, bodies and prop stands: hand styles, grasps, and the circle.

Points of hands are outward, up and forward of the middle between the hands; `to_body_frame` takes
them to the body.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography.dwell import RecordedTiming
from juggle_anim.choreography.score import (
    BodyKeyframes,
    BodyMoves,
    Choreography,
    Grasp,
    HandBeat,
    HandMoves,
    Point,
    Staging,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern

HAND_HEIGHT = 1.0
"""Height of throws and catches above the floor, [m]."""

HAND_FORWARD = 0.3
"""How far in front of the body hands throw and catch, [m]."""

REST_OUTWARD = 0.25
"""How far outward an idle hand rests, [m]."""

OVERHEAD = 0.75
"""Points of hands that a text gives are raised in some styles, but not those that are so high, or
higher, above `HAND_HEIGHT`, [m].
"""

MIN_RADIUS = 0.70
"""Smallest radius of the circle of jugglers, [m]."""

HALF_SPACING = 0.65
"""Half the distance that neighbours keep at least, [m]."""

_POINT_ORIGIN = (0.0, HAND_HEIGHT, HAND_FORWARD)  # m, left, up and forward

GRASPS = {grasp.name.lower(): grasp for grasp in Grasp}
"""Grasps by their names in settings."""


STAND_HEIGHT = 0.895
"""The height of a hand that puts a prop on a stand, [m]."""

# Nearest place on a stand, outward and forward of the point under the feet, [m].
_STAND_OUTWARD = 0.54
_STAND_FORWARD = 0.22
_STICK_SPACING = {"club": 0.1, "ring": 0.05}  # between props that lie side by side, [m]
_BALL_SPACING = 0.1  # between balls that lie behind each other, [m]
_STAND_ROOM = {"club": 4, "ring": 6}  # how many props a stand holds
_STAND_ROOM_FOR_BALLS = 6
_SAME_PLACE = 1e-3  # m; places that are closer together are equal


def mean_point(points: Sequence[Point]) -> Point:
    """The mean of points, of which there is at least one."""
    # A single point is returned exactly as it is.
    if len(points) == 1:
        return points[0]
    outward, up, forward = (sum(parts) / len(points) for parts in zip(*points, strict=True))
    return outward, up, forward


def to_body_frame(points: Floats | Sequence[Point], hand: Integers) -> Floats:
    """Transform points of hands to the frames of their bodies.

    Args:
        points: N points, outward, up and forward of the midpoint between the hands at rest,
            [m].
        hand: hand of each point, 2 · juggler + side with side 0 left and 1 right, shape (N,).

    Returns:
        Shape (N, 3): to the left, up and forward of the place under the body's feet, [m].
    """
    left_of_side, origin = _frame_of_points()
    # Without any points, `reshape` makes the empty array (0, 3) instead of (0,).
    placed = np.array(points, dtype=float).reshape(-1, 3)
    placed[:, 0] *= left_of_side.take(hand & 1)
    placed += origin
    return placed


@cache
def _frame_of_points() -> tuple[Floats, Floats]:
    """How much to the left an outward step is, by side, and where points of hands are counted from.

    Outward is to the left for left hands, side 0, and to the right, which is negative, for right
    hands. Points are counted from the midpoint between the hands at rest, shape (3,), [m].
    """
    return np.array([1.0, -1.0]), np.array(_POINT_ORIGIN)


@lru_cache
def rest_positions(jugglers: int) -> Floats:
    """Rest positions of hands in the body frame, shape (2 · jugglers, 3), [m]; read-only."""
    hands = np.arange(2 * jugglers)
    positions = to_body_frame([(REST_OUTWARD, 0.0, 0.0)] * len(hands), hands)
    positions.flags.writeable = False
    return positions


def circle(jugglers: int, smallest: float = MIN_RADIUS) -> tuple[Floats, Floats]:
    """Return places of jugglers who stand in a circle and face its middle.

    They are as in Juggling Lab 1.7.7. A single juggler stands in the middle and faces +z. Of
    several, the first stands at −x, the others follow counter-clockwise as seen from above. The
    circle is as small as possible, with neighbours `2 * HALF_SPACING` or more apart.

    Args:
        jugglers: J, how many there are, 1 or more.
        smallest: least radius, [m].

    Returns:
        Shape (J, 3), the point on the floor under each in the world, y up, [m]; and shape (J,), the
        turn of each about +y, 0 facing +z, [rad].
    """
    if jugglers == 1:
        return np.zeros((1, 3)), np.zeros(1)
    # Neighbours are 2·r·sin(π/J) apart.
    radius = max(smallest, HALF_SPACING / np.sin(np.pi / jugglers))
    angle = 2 * np.pi * np.arange(jugglers) / jugglers
    standing = radius * np.stack([-np.cos(angle), np.zeros(jugglers), np.sin(angle)], axis=-1)
    # The first, at −x, faces the middle, which is +x from there: a quarter turn from +z.
    return standing, np.pi / 2 + angle


def body_keyframes(
    pattern: Pattern, moves: BodyMoves | None, rate: float, radius: float = MIN_RADIUS
) -> BodyKeyframes:
    """Return the keyframes of all bodies in one loop, sorted by juggler and time.

    Bodies for which the text gives no place stand in the usual circle, with one keyframe each. A
    unit of the pattern is a beat, or the part of one in which the pattern counts. A keyframe is
    where a body stands and faces at one time.

    Args:
        pattern: its jugglers and its loop.
        moves: paths of bodies as the text gives them; None if it gives none.
        rate: tempo, units of the pattern per second.
        radius: smallest radius of the circle, [m].
    """
    standing = _standing_keyframes(pattern.jugglers, radius)
    if not moves:
        return standing
    rows: list[tuple[int, float, tuple[float, float, float], float]] = []
    for juggler in range(pattern.jugglers):
        path = _keyframes_of_juggler(pattern, moves, juggler, rate)
        if not path:
            x, y, z = standing.position[juggler].tolist()
            path = [_Keyframe(0.0, (x, y, z), float(standing.facing[juggler]))]
        rows += [(juggler, *keyframe) for keyframe in path]
    return BodyKeyframes.from_rows(rows)


@lru_cache
def _standing_keyframes(jugglers: int, radius: float) -> BodyKeyframes:
    """Return the keyframes of jugglers who stand in a `circle`, one for each; read-only arrays."""
    standing, facing = circle(jugglers, radius)
    arrays = np.zeros(jugglers), np.arange(jugglers), standing, facing
    for array in arrays:
        array.flags.writeable = False
    return BodyKeyframes(*arrays)


class _Keyframe(NamedTuple):
    """A body's time, [s], position in the world, [m], and turn about +y, [rad]."""

    time: float
    position: tuple[float, float, float]
    facing: float


def _keyframes_of_juggler(
    pattern: Pattern, moves: BodyMoves, juggler: int, rate: float
) -> list[_Keyframe]:
    """Return the keyframes of one body in a loop, by ascending time; empty if the text gives none.

    A keyframe is where a body stands and faces at one time.

    Args:
        pattern: the pattern whose loop it is.
        moves: places for the beats of each juggler; several of a beat are evenly spaced in it.
        juggler: index of the juggler, from 0.
        rate: tempo, units of the pattern per second.
    """
    path = moves.beats[juggler % len(moves.beats)]
    keyframes = []
    # The whole beats that begin in the loop: its length in beats, rounded up.
    for beat in range(-(-pattern.period // pattern.division)):
        places = path[beat % len(path)]
        for step, place in enumerate(places):
            if place is not None:
                time = (beat + step / len(places)) * pattern.division / rate
                keyframes.append(_Keyframe(time, place.position, place.facing))
    # A body that never moves needs a single keyframe: the first.
    different_places = {(keyframe.position, keyframe.facing) for keyframe in keyframes}
    return keyframes[:1] if len(different_places) == 1 else keyframes


@dataclass(frozen=True)
class HandStyle:
    """Where hands throw and catch, and how fast, where the text does not say.

    Tuples are tables by the value of a throw: 0, 1, 2, … beats. Their last entry holds for all
    higher values; values in between are interpolated.

    Args:
        same_hand: how far outward from the middle of the body a throw to the same side leaves, [m].
        crossing: how far outward a throw to the other side leaves, [m].
        catch: how far outward a throw is caught, [m].
        throw_up: height above `HAND_HEIGHT` at which a throw leaves, [m].
        catch_up: height above `HAND_HEIGHT` at which it is caught, [m].
        dwell_gain: by how many beats the dwell grows for each beat by which the incoming throw is
            higher than the hand's last throw; see `time_throws`.
        tempo: the tempo that suits a throw, [beats/s].
        circle: smallest radius of the circle in which several jugglers stand, [m].
        width: scale of all places outward.
        hands_up: how much higher than in Juggling Lab the points are that a text gives, [m].
        as_juggling_lab: whether hands and bodies move as in Juggling Lab, as in `Choreography`.
    """

    same_hand: tuple[float, ...]
    crossing: tuple[float, ...]
    catch: tuple[float, ...]
    throw_up: tuple[float, ...]
    catch_up: tuple[float, ...]
    dwell_gain: float
    tempo: tuple[float, ...]
    circle: float
    width: float = 1.0
    hands_up: float = 0.0
    as_juggling_lab: bool = False

    def recorded_timing(self, staging: Staging) -> RecordedTiming:
        """Which throws leave early, as in recordings of jugglers.

        None do in Juggling Lab's style, nor where hands pass points all the time. In a pattern with
        throws or catches around the body, 1s do not, as hands need that time to come back.

        Args:
            staging: the paths of hands and the words for throws and catches that a text gives.
        """
        hands = staging.hands
        if self.as_juggling_lab or (hands and hands.goes_its_own_way):
            return RecordedTiming.NONE
        written_words = {word for group in (*staging.catches, *staging.throws) for word in group}
        return (
            RecordedTiming.ALL if written_words <= {None, *GRASPS} else RecordedTiming.BEFORE_HOLDS
        )

    def throw_point(self, value: float, *, crosses: bool) -> Point:
        """Return where a throw leaves the hand: outward, up and forward, [m].

        Args:
            value: the value of the throw, [beats].
            crosses: whether a hand of the other side catches it.
        """
        return self._place("crossing" if crosses else "same_hand", value)

    def catch_point(self, value: float) -> Point:
        """Return where a throw of `value` beats is caught: outward, up and forward, [m]."""
        return self._place("catch", value)

    def tempo_of(self, value: float) -> float:
        """Return the tempo that suits a throw of `value` beats, [beats/s]."""
        return _interpolated_by_value(self.tempo, value)

    def raised(self, moves: HandMoves) -> HandMoves:
        """Return paths of hands with all points raised as this style has them.

        Args:
            moves: paths as the text gives them; returned unchanged by a style that raises nothing.
        """
        if not self.hands_up:
            return moves

        def raised_path(path: HandBeat) -> HandBeat:
            """One path, with None, for a point that the text leaves to the style, unchanged."""
            points = tuple(
                None if point is None else self.raised_point(point) for point in path.points
            )
            return replace(path, points=points)

        raised_beats = [tuple(raised_path(path) for path in paths) for paths in moves.beats]
        return replace(moves, beats=tuple(raised_beats))

    def raised_point(self, point: Point) -> Point:
        """Return a point that a text gives, raised as this style has it.

        A point at the height of the hands at rest or below is raised by all of `hands_up`; a point
        that is `OVERHEAD` (0.75 m) or more above this height, not at all; and one in between in
        proportion.

        Args:
            point: outward, up and forward of the midpoint between the hands at rest, [m]; so
                up is 0 at their height.
        """
        outward, up, forward = point
        share = min(1.0, max(0.0, 1.0 - up / OVERHEAD))
        return outward, up + self.hands_up * share, forward

    def shaped(self, parameters: Parameters) -> HandStyle:
        """Return this style with the width and the heights of throws and catches that are set.

        Args:
            parameters: width, in per cent of the style's own, and throw_height and catch_height,
                how much higher in cm, are read.
        """
        set_values = parameters.width, parameters.throw_height, parameters.catch_height
        if set_values == (100.0, 0.0, 0.0):
            return self  # these are the defaults, which change nothing
        return replace(
            self,
            width=self.width * parameters.width / 100,
            throw_up=tuple(up + parameters.throw_height / 100 for up in self.throw_up),
            catch_up=tuple(up + parameters.catch_height / 100 for up in self.catch_up),
        )

    def _place(self, table: str, value: float) -> Point:
        """The point of a throw of `value` beats in a table of places outward; forward is 0.

        Args:
            table: "same_hand" or "crossing" for where it leaves, "catch" for where it is caught.
            value: [beats].
        """
        key = table, value
        if key not in self._places:
            self._places[key] = (
                self.width * _interpolated_by_value(getattr(self, table), value),
                _interpolated_by_value(self.catch_up if table == "catch" else self.throw_up, value),
                0.0,
            )
        return self._places[key]

    @cached_property
    def _places(self) -> dict[tuple[str, float], Point]:
        """Places as of `_place`, kept when they are computed, as values are few."""
        return {}


def _interpolated_by_value(by_value: tuple[float, ...], value: float) -> float:
    """Interpolate linearly in a table by the value of a throw.

    Args:
        by_value: for the values 0, 1, 2, …, at least one; the last entry holds for all higher ones.
        value: value of the throw, [beats].
    """
    last = len(by_value) - 1
    if value >= last:
        return by_value[last]
    lower = int(value)
    return by_value[lower] + (value - lower) * (by_value[lower + 1] - by_value[lower])


STYLES = {
    # As recorded with three and five balls (Project-DeepBlue-Juggling, juggling-analyser), others
    # between and beyond. Hands dwell longer before a high throw, which needs the least
    # acceleration. Passers stand two steps apart, with room for clubs.
    "natural": HandStyle(
        same_hand=(0.0, 0.20, 0.20, 0.16, 0.11, 0.11, 0.11, 0.12, 0.12),
        crossing=(0.0, 0.17, 0.10, 0.03, 0.06, 0.09, 0.11, 0.12, 0.13),
        catch=(0.0, 0.17, 0.22, 0.19, 0.24, 0.27, 0.26, 0.25, 0.25),
        throw_up=(0.15, 0.15, 0.19, 0.19, 0.20, 0.20, 0.20, 0.20, 0.20),
        catch_up=(0.15, 0.15, 0.15, 0.15, 0.22, 0.28, 0.30, 0.31, 0.30),
        dwell_gain=0.036,
        tempo=(2.0, 2.0, 2.0, 2.73, 3.6, 4.53, 5.0, 5.5, 5.8, 6.2, 6.4, 6.6),
        circle=1.0,
        hands_up=0.20,
    ),
    # The geometry of Juggling Lab 1.7.7.
    "juggling-lab": HandStyle(
        same_hand=(0.0, 0.20, 0.25, 0.12, 0.07, 0.075, 0.05, 0.05, 0.05),
        crossing=(0.0, 0.17, 0.17, 0.07, 0.10, 0.14, 0.25, 0.24, 0.30),
        catch=(0.0, 0.17, 0.25, 0.30, 0.40, 0.45, 0.45, 0.50, 0.50),
        throw_up=(0.0,),
        catch_up=(0.0,),
        dwell_gain=0.0,
        tempo=(2.0, 2.0, 2.0, 2.9, 3.4, 4.1, 4.25, 5.0, 5.0, 5.5),
        circle=MIN_RADIUS,
        as_juggling_lab=True,
    ),
}
"""All styles by name; the first is the default."""


def catch_counts(pattern: Pattern, is_hold: Sequence[bool]) -> dict[int, int]:
    """Return how often each hand that catches does so in a loop, by hand, 2 · juggler + side.

    Props that land in one hand on one beat count once.

    Args:
        pattern: the pattern, with T throws.
        is_hold: length T, which of its throws are holds.
    """
    # The hand and the beat of each landing, once each. `landings` has for each throw the index of
    # the throw that its prop makes next, on the beat on which it lands.
    sites = {
        pattern.sites[landing]
        for landing, hold in zip(pattern.landings, is_hold, strict=True)
        if not hold
    }
    return Counter(hand for hand, _beat in sites)


def stand_room(kind: str) -> int:
    """How many props of a kind a stand holds."""
    return _STAND_ROOM.get(kind, _STAND_ROOM_FOR_BALLS)


def stand_places(kind: str, side: int, count: int) -> Floats:
    """Return the places of props on a hand's stand, in the order in which they fill.

    Balls lie behind each other, so that the hand does not have to pass over one to another. Clubs
    and rings, which point forward, lie side by side; the outermost place fills first.

    Args:
        kind: kind of the props, such as "ball", "club" or "ring".
        side: side of the hand, 0 left and 1 right.
        count: number of places.

    Returns:
        Shape (count, 3), to the left, up and forward of the place under the feet, [m].
    """
    place_index = np.arange(count)
    outward = np.full(count, _STAND_OUTWARD)
    forward = np.full(count, _STAND_FORWARD)
    if kind in _STICK_SPACING:
        # The first is outermost, so places count inward.
        outward += _STICK_SPACING[kind] * place_index[::-1]
    else:
        # The first is in the middle, and the others are alternately in front of it and behind it:
        # 0, 1, −1, 2, −2, … steps ahead.
        is_in_front = place_index % 2 == 1
        steps_ahead = np.where(is_in_front, 1, -1) * ((place_index + 1) // 2)
        forward += _BALL_SPACING * steps_ahead
    left = outward * (1 - 2 * side)  # outward is to the right, negative, for side 1
    return np.stack([left, np.full(count, STAND_HEIGHT), forward], axis=-1)


def on_stand(choreography: Choreography) -> Booleans:
    """Return a mask of the flights of props that lie still on a stand, shape (F,).

    A prop on a stand has a flight, too, from where it is put there until it is taken again. Its
    style says that it rests, and it begins and ends at one place of a body's frame: at the height
    of stands, and at least as far to the side of the body as their nearest places.

    Args:
        choreography: E events, with positions of hands in body frames, shape (E, 3), [m]; F
            flights, whose `throw` and `catch`, shape (F,), are rows of events.
    """
    flights = choreography.flights
    position = choreography.events.position
    # Most choreographies have no stands.
    if not any(style.rests for style in flights.style):
        return np.zeros(len(flights.throw), dtype=bool)
    start = position[flights.throw]
    end = position[flights.catch]
    left = start[:, 0]
    height = start[:, 1]
    is_at_stand_height = np.abs(height - STAND_HEIGHT) < _SAME_PLACE
    # No place is nearer to the body than `_STAND_OUTWARD`; how far places go outward depends on
    # the number of props.
    is_beside_body = np.abs(left) > _STAND_OUTWARD - _SAME_PLACE
    stays_in_place: Booleans = np.abs(start - end).max(axis=1) < _SAME_PLACE
    rests = np.array([style.rests for style in flights.style])
    return is_at_stand_height & is_beside_body & stays_in_place & rests


def lying_places(choreography: Choreography) -> dict[int, Floats]:
    """Return all places where props lie on stands at some time of the loop, by hand.

    The time in which a prop lies on a stand is stored as a flight, from the event at which a hand
    puts it there to the event at which a hand takes it up.

    Args:
        choreography: if no prop lies on a stand in it, the result is empty.

    Returns:
        For each hand, 2 · juggler + side (0 left, 1 right), that puts props on its stand, the N
        places where it does, each once and sorted: shape (N, 3), to the left, up and forward of the
        place under the body's feet, [m].
    """
    events = choreography.events
    # `on_stand` masks the flights that are such rests; each flight begins at the event `throw`.
    putting_events = choreography.flights.throw[on_stand(choreography)]
    hands = events.hand[putting_events]
    return {
        hand: np.unique(events.position[putting_events[hands == hand]], axis=0)
        for hand in sorted(set(hands.tolist()))
    }
