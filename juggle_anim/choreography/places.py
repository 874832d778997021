"""Places of throws, catches, bodies and prop stands: hand styles, grasps, and the circle.

Points of hands are outward, up and forward of the middle between the hands; `to_body_frame` takes
them to the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography.choreography import BodyKeyframes, Choreography, Grasp
from juggle_anim.choreography.score import BodyMoves, HandBeat, HandMoves, Point
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import catching_hand

HAND_HEIGHT = 1.0
"""Height of throws and catches above the floor, [m]."""

HAND_FORWARD = 0.3
"""How far in front of the body hands throw and catch, [m]."""

REST_OUTWARD = 0.25
"""How far outward an idle hand rests, [m]."""

OVERHEAD = 0.75
"""Points of hands that a text gives so high above `HAND_HEIGHT` are as high in every style, [m]."""

MIN_RADIUS = 0.70
"""Smallest radius of the circle of jugglers, [m]."""

HALF_SPACING = 0.65
"""Half the distance that neighbours keep at least, [m]."""

_POINT_ORIGIN = np.array([0.0, HAND_HEIGHT, HAND_FORWARD])  # m, left, up and forward

GRASPS = {grasp.name.lower(): grasp for grasp in Grasp}
"""Grasps by their names in settings."""


STAND_HEIGHT = 0.895
"""The height of a hand that puts a prop on a stand, [m]."""

# Nearest place on a stand, outward and forward of the point under the feet, [m].
_STAND_OUTWARD = 0.54
_STAND_FORWARD = 0.22
_STICK_SPACING = {"club": 0.1, "ring": 0.05}  # between props that lie side by side, [m]
_BALL_SPACING = 0.1  # m
_STAND_ROOM = {"club": 4, "ring": 6}
_STAND_ROOM_FOR_BALLS = 6
_SAME_PLACE = 1e-3  # m


def mean_point(points: Sequence[Point]) -> Point:
    """The middle of some points."""
    if len(points) == 1:
        return points[0]
    outward, up, forward = (sum(parts) / len(points) for parts in zip(*points, strict=True))
    return outward, up, forward


def to_body_frame(points: Sequence[Point], hand: Integers) -> Floats:
    """Transform points of hands to the frames of their bodies.

    Args:
        points: N of them, outward, up and forward of the middle between the hands, [m].
        hand: shape (N,), 2 · juggler + side.

    Returns:
        Shape (N, 3): to the left, up and forward of the place under the feet, [m].
    """
    # The shape is given for the case of no points.
    placed = np.array(points, dtype=float).reshape(-1, 3)
    # Points are given outward of the body: to the left for left hands, to the right for right ones.
    placed[:, 0] *= np.where(hand % 2 == 0, 1.0, -1.0)
    return placed + _POINT_ORIGIN


def rest_positions(jugglers: int) -> Floats:
    """Rest positions of hands in the body frame, shape (2 · jugglers, 3), [m]."""
    hands = np.arange(2 * jugglers)
    return to_body_frame([(REST_OUTWARD, 0.0, 0.0)] * len(hands), hands)


def circle(jugglers: int, smallest: float = MIN_RADIUS) -> tuple[Floats, Floats]:
    """Places of jugglers who stand in a circle and face its middle, as in Juggling Lab 1.7.7.

    A single juggler stands in the middle and faces +z. Of several, the first stands at −x, the
    others follow counter-clockwise as seen from above. The radius is at least `smallest`, [m].

    Args:
        jugglers: J, how many there are.
        smallest: least radius, [m].

    Returns:
        Shape (J, 3), the point on the floor under each, m, world frame; and shape (J,), the turn of
        each about +y, [rad].
    """
    if jugglers == 1:
        return np.zeros((1, 3)), np.zeros(1)
    # Neighbours are 2·r·sin(π/J) apart.
    radius = max(smallest, HALF_SPACING / np.sin(np.pi / jugglers))
    angle = 2 * np.pi * np.arange(jugglers) / jugglers
    standing = radius * np.stack([-np.cos(angle), np.zeros(jugglers), np.sin(angle)], axis=-1)
    return standing, np.pi / 2 + angle


def body_keyframes(
    pattern: Pattern, moves: BodyMoves | None, rate: float, radius: float = MIN_RADIUS
) -> BodyKeyframes:
    """Return the keyframes of all bodies in one loop; bodies without moves stand in the circle.

    Args:
        pattern: its jugglers and its loop.
        moves: paths of bodies as the text gives them, if it does.
        rate: units of the pattern per second.
        radius: smallest radius of the circle, [m].
    """
    standing, facing = circle(pattern.jugglers, radius)
    rows: list[tuple[float, int, tuple[float, ...], float]] = []
    for juggler in range(pattern.jugglers):
        keyframes = list(_keyframes_of_juggler(pattern, moves, juggler, rate)) if moves else []
        if not keyframes:
            x, y, z = standing[juggler].tolist()
            keyframes = [(0.0, (x, y, z), float(facing[juggler]))]
        rows += [(time, juggler, position, angle) for time, position, angle in keyframes]
    return BodyKeyframes(
        time=np.array([time for time, _, _, _ in rows]),
        juggler=np.array([juggler for _, juggler, _, _ in rows], dtype=np.intp),
        position=np.array([position for _, _, position, _ in rows]),
        facing=np.array([angle for _, _, _, angle in rows]),
    )


def _keyframes_of_juggler(
    pattern: Pattern, moves: BodyMoves, juggler: int, rate: float
) -> list[tuple[float, tuple[float, float, float], float]]:
    """Times [s], positions [m] and turns [rad] of one body in a loop; empty if the text gives
    none.

    Args:
        pattern: whose loop it is.
        moves: places for the beats of each juggler; several of a beat are evenly spaced in it.
        juggler: from 0.
        rate: units of the pattern per second.
    """
    path = moves.beats[juggler % len(moves.beats)]
    keyframes = []
    for beat in range(-(-pattern.period // pattern.division)):  # rounded up
        places = path[beat % len(path)]
        for step, place in enumerate(places):
            if place is not None:
                time = (beat + step / len(places)) * pattern.division / rate
                keyframes.append((time, place.position, place.facing))
    # A body that never moves needs one keyframe.
    different_places = {(position, angle) for _, position, angle in keyframes}
    return keyframes[:1] if len(different_places) == 1 else keyframes


@dataclass(frozen=True)
class HandStyle:
    """Places by the value of a throw, 0 to 8 beats and more, outward from the middle of the body,
    [m].

    Args:
        same_hand: where a throw to the same hand leaves.
        crossing: where a throw to the other hand leaves.
        catch: where a throw is caught.
        throw_up: height of a throw above `HAND_HEIGHT`, [m].
        catch_up: height of its catch above it, [m].
        dwell_gain: as in `time_throws`.
        tempo: that suits a throw, [beats/s].
        circle: smallest radius of the circle in which several jugglers stand, [m].
        width: scale of all places outward.
        hands_up: how much higher than in Juggling Lab the points of `hands` are, [m].
        as_juggling_lab: as in `Choreography`.
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

    def throw_point(self, value: float, crosses: bool) -> Point:
        """Return where a throw of `value` beats leaves the hand; `crosses` if the other hand
        catches it.
        """
        return self._place(value, self.crossing if crosses else self.same_hand, self.throw_up)

    def catch_point(self, value: float) -> Point:
        """Return where a throw of `value` beats is caught."""
        return self._place(value, self.catch, self.catch_up)

    def tempo_of(self, value: float) -> float:
        """Return the tempo that suits a throw of `value` beats, [beats/s]."""
        return _interpolated_by_value(self.tempo, value)

    def raised(self, moves: HandMoves) -> HandMoves:
        """Return paths of hands as a text gives them, raised to the height that this style has;
        points overhead stay where they are.

        Args:
            moves: paths by juggler and beat.
        """
        if not self.hands_up:
            return moves

        def raised_path(path: HandBeat) -> HandBeat:
            """The path of one beat, with None kept where the text gives no point."""
            return replace(
                path, points=tuple(point and self.raised_point(point) for point in path.points)
            )

        return replace(moves, beats=tuple(tuple(map(raised_path, beats)) for beats in moves.beats))

    def raised_point(self, point: Point) -> Point:
        """Return one of these points as high as this style has it."""
        return (
            point[0],
            point[1] + self.hands_up * min(1.0, max(0.0, 1.0 - point[1] / OVERHEAD)),
            point[2],
        )

    def shaped(self, parameters: Parameters) -> HandStyle:
        """Return this style with the width and the heights of throws and catches that are set.

        Args:
            parameters: width, per cent of the style's own; throw_height and catch_height, how much
                higher, cm.
        """
        if (parameters.width, parameters.throw_height, parameters.catch_height) == (
            100.0,
            0.0,
            0.0,
        ):
            return self  # the defaults
        return replace(
            self,
            width=self.width * parameters.width / 100,
            throw_up=tuple(up + parameters.throw_height / 100 for up in self.throw_up),
            catch_up=tuple(up + parameters.catch_height / 100 for up in self.catch_up),
        )

    def _place(self, value: float, outward: tuple[float, ...], up: tuple[float, ...]) -> Point:
        return (
            self.width * _interpolated_by_value(outward, value),
            _interpolated_by_value(up, value),
            0.0,
        )


def _interpolated_by_value(by_value: tuple[float, ...], value: float) -> float:
    """Interpolate linearly in a table by the value of a throw, 0, 1, 2, …; its last entry holds
    for all higher values.
    """
    last = len(by_value) - 1
    position = min(max(value, 0.0), last)
    lower = int(position)
    upper = min(lower + 1, last)
    return by_value[lower] + (position - lower) * (by_value[upper] - by_value[lower])


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


def catch_counts(pattern: Pattern, held: Sequence[bool]) -> dict[int, int]:
    """Return how often each hand catches in a loop; simultaneous catches count once."""
    sites = {
        (catching_hand(throw), pattern.throws[landing].beat)
        for throw, landing, stays in zip(pattern.throws, pattern.landings, held, strict=True)
        if not stays
    }
    return {hand: sum(site[0] == hand for site in sites) for hand in {site[0] for site in sites}}


def stand_room(kind: str) -> int:
    """How many props of a kind a stand holds."""
    return _STAND_ROOM.get(kind, _STAND_ROOM_FOR_BALLS)


def stand_places(kind: str, side: int, count: int) -> Floats:
    """Where a hand puts props on its stand, in the order in which places fill.

    Balls lie behind each other, so that no hand passes over one; clubs and rings, which point
    forward, lie side by side, and are put there from the outside in.

    Args:
        kind: of the props, as in `PropLook`.
        side: of the hand, 0 left and 1 right.
        count: how many places.

    Returns:
        Shape (count, 3), to the left, up and forward of the place under the feet, [m].
    """
    number = np.arange(count)
    zeros = np.zeros(count)
    if kind in _STICK_SPACING:
        outward = _STAND_OUTWARD + _STICK_SPACING[kind] * number[::-1]
        forward = zeros + _STAND_FORWARD
    else:
        # In turn farther ahead and farther back: 0, 1, −1, 2, −2, …
        sign = 1 - 2 * (number % 2 == 0)
        steps_ahead = (number + 1) // 2 * sign
        outward = zeros + _STAND_OUTWARD
        forward = _STAND_FORWARD + _BALL_SPACING * steps_ahead
    left = outward * (1 - 2 * side)  # the right hand's stand is at negative `left`
    return np.stack([left, zeros + STAND_HEIGHT, forward], axis=-1)


def on_stand(choreography: Choreography) -> Booleans:
    """Which flights stand for a prop that lies still on a stand, shape (F,).

    Such a flight rests, and begins and ends at one place, at the height of stands and beside the
    body.

    Args:
        choreography: F flights.
    """
    flights = choreography.flights
    position = choreography.events.position
    if not any(style.rests for style in flights.style):
        return np.zeros(len(flights.throw), dtype=bool)
    start = position[flights.throw]
    end = position[flights.catch]
    left, height = start[:, 0], start[:, 1]
    is_at_stand = (np.abs(height - STAND_HEIGHT) < _SAME_PLACE) & (
        np.abs(left) > _STAND_OUTWARD - _SAME_PLACE
    )
    stays_at_stand: Booleans = is_at_stand & (np.abs(start - end).max(axis=1) < _SAME_PLACE)
    return stays_at_stand & np.array([style.rests for style in flights.style])


def lying_places(choreography: Choreography) -> dict[int, Floats]:
    """Return where props lie on the stand of each hand at any time of the loop.

    Args:
        choreography: whose flights include rests on stands.

    Returns:
        For the numbers of hands, 2 · juggler + side, that have props there: places of shape (N, 3),
        each once, to the left, up and forward of the place under the body's feet, [m].
    """
    events = choreography.events
    putting_events = choreography.flights.throw[on_stand(choreography)]
    hands = events.hand[putting_events]
    return {
        hand: np.unique(events.position[putting_events[hands == hand]], axis=0)
        for hand in np.unique(hands).tolist()
    }
