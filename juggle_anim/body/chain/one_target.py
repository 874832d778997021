"""The inverse kinematics of `solve` for a single target, with plain numbers.

Arrays pay where there are many targets; for one, each of their operations takes longer than the
arithmetic in it. What is computed is the same, and so are the results, but for rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, inf, sin
from typing import NamedTuple

from juggle_anim.body.chain.chain import Chain, Frame, Triple, Turn
from juggle_anim.lazy_dataclass import dataclass

POSTURE_SHARE = 0.3
"""The share of the way to the posture that a step moves in the null space, far from the goal."""

MAX_POSTURE_STEP = 0.5
"""Largest joint motion toward the posture in one step, so that the goal is not lost, [rad]."""

NEAR_GOAL = 0.05
"""Distance from the goal at which shares of the posture are halved, relative to the chain's length.
"""

DAMPING = 0.3
"""λ² over the squared residual: large far from the goal and 0 at it.

Source: T. Sugihara, "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method",
2011.
"""

MIN_DAMPING_SHARE = 1e-8
"""Lower bound of λ² over the squared norm of the Jacobian, which keeps the inverse finite."""

MAX_DEVIATION = 0.5
MIN_DEVIATION = 0.02
"""A step is halved when its result differs from the linear prediction by more than the first share
of the predicted change, and by more than the second share of the chain's length.
"""

MAX_HALVINGS = 5

STALL_LIMIT = 8
PROGRESS = 0.9
"""An attempt is stuck when its error has not decreased by this factor in more than so many steps.
"""

MAX_REDISTRIBUTIONS = 3
"""Number of times that joints are clamped at their limits, and the rest of a step redistributed."""

# A column of a matrix, or a row of n of them: for each joint how it moves the frame.
_Columns = list[Triple]


class AttemptAtOne(NamedTuple):
    """Result of an attempt.

    Args:
        angles: the best on the way, one for each joint, [rad].
        error: distance from the target at these, [m].
        steps: number of steps.
    """

    angles: list[float]
    error: float
    steps: int


class _Placed(NamedTuple):
    """A frame at some angles.

    Args:
        tip: its origin in the world, [m].
        joints: the axis of each joint that moves it, a unit vector in the world but for its sense,
            and its origin, [m].
    """

    tip: Triple
    joints: list[tuple[Triple, Triple]]


@dataclass(frozen=True)
class Reaching:
    """A frame of a chain whose joints all turn about axes of coordinates.

    Args:
        chain: with n joints, whose `turns` are known.
        frame: attached to one of them.
    """

    chain: Chain
    frame: Frame

    def distance(self, target: Triple, angles: Sequence[float]) -> float:
        """Distance of the frame from a target at n angles [rad], [m]."""
        return hypot(*_difference(target, self._place(angles).tip))

    def attempt(
        self,
        target: Triple,
        start: Sequence[float],
        posture: Sequence[float],
        tolerance: float,
        iterations: int,
    ) -> AttemptAtOne:
        """Iterate from a start toward a target, and return the best angles on the way.

        It ends when the target is met, or the error has stopped decreasing.

        Args:
            target: in the world, within reach, [m].
            start, posture: n initial and preferred angles, within the limits, [rad].
            tolerance: greatest error of a target that is met, [m].
            iterations: limit of the steps.
        """
        length = self.chain.reach(self.frame)[1]
        limits = [(joint.lower, joint.upper) for joint in self.chain.joints]
        angles = list(start)
        placed = self._place(angles)
        missing = _difference(target, placed.tip)
        error = hypot(*missing)
        best = AttemptAtOne(angles, inf, 0)
        least_error = inf
        stalled = 0
        for step in range(iterations + 1):
            # As in a batch: once the target is met, only angles that meet it too replace others.
            if error <= tolerance or best.error > tolerance:
                best = AttemptAtOne(angles, error, step)
            if min(error, least_error) <= tolerance or error < PROGRESS * least_error:
                least_error = min(error, least_error)
                stalled = 0
            else:
                stalled += 1
            if error <= tolerance or stalled > STALL_LIMIT or step == iterations:
                return best._replace(steps=step)
            columns = self._jacobian(placed)
            pull = _pull(error / length, posture, angles)
            room = [
                (lower - angle, upper - angle)
                for (lower, upper), angle in zip(limits, angles, strict=True)
            ]
            move = _limited_move(columns, missing, pull, room)
            # The move is halved where the residual does not change as predicted.
            change = _product(columns, move)
            before = angles
            missing_before = missing
            share = 1.0
            for halving in range(MAX_HALVINGS + 1):
                angles = [angle + share * turn for angle, turn in zip(before, move, strict=True)]
                angles = _clipped(angles, limits)
                placed = self._place(angles)
                missing = _difference(target, placed.tip)
                deviation = hypot(
                    missing[0] - missing_before[0] + share * change[0],
                    missing[1] - missing_before[1] + share * change[1],
                    missing[2] - missing_before[2] + share * change[2],
                )
                allowed = max(MAX_DEVIATION * share * hypot(*change), MIN_DEVIATION * length)
                if deviation <= allowed or halving == MAX_HALVINGS:
                    break
                share *= 0.5
            error = hypot(*missing)
        return best

    @property
    def _way(self) -> Sequence[Turn]:
        """The joints that move the frame, from the ground on."""
        assert self.chain.turns
        return self.chain.turns[self.frame.joint]

    def _place(self, angles: Sequence[float]) -> _Placed:
        """Place the frame, and the joints that move it, in the world.

        Args:
            angles: n of them, [rad].
        """
        # The columns of the rotation so far are the axes of the present frame in the world.
        turned = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
        place = (0.0, 0.0, 0.0)
        joints = []
        for joint, offset, axis, sense in self._way:
            if offset:
                place = _moved(place, turned, offset)
            joints.append((turned[axis], place))
            # A turn about one axis of a frame mixes its other two.
            cosine = cos(angles[joint])
            sine = sense * sin(angles[joint])
            x, y, z = turned[axis - 2]
            u, v, w = turned[axis - 1]
            turned[axis - 2] = (cosine * x + sine * u, cosine * y + sine * v, cosine * z + sine * w)
            turned[axis - 1] = (cosine * u - sine * x, cosine * v - sine * y, cosine * w - sine * z)
        return _Placed(_moved(place, turned, self.frame.point), joints)

    def _jacobian(self, placed: _Placed) -> _Columns:
        """The velocity of the frame per velocity of each joint, n columns, [m/rad]."""
        columns = [(0.0, 0.0, 0.0)] * len(self.chain)
        tip_x, tip_y, tip_z = placed.tip
        for turn, ((a, b, c), (x, y, z)) in zip(self._way, placed.joints, strict=True):
            x = turn.sense * (tip_x - x)
            y = turn.sense * (tip_y - y)
            z = turn.sense * (tip_z - z)
            columns[turn.joint] = (b * z - c * y, c * x - a * z, a * y - b * x)
        return columns


def _pull(distance: float, posture: Sequence[float], angles: Sequence[float]) -> list[float]:
    """Desired motion of the joints toward the posture in this step, [rad].

    Args:
        distance: from the target, over the chain's length.
        posture, angles: n preferred and present angles, [rad].
    """
    share = POSTURE_SHARE * distance / (distance + NEAR_GOAL)
    motion = [share * (preferred - angle) for preferred, angle in zip(posture, angles, strict=True)]
    largest = max(map(abs, motion))
    if largest > MAX_POSTURE_STEP:
        return [MAX_POSTURE_STEP / largest * turn for turn in motion]
    return motion


def _limited_move(
    columns: _Columns,
    missing: Triple,
    pull: list[float],
    room: Sequence[tuple[float, float]],
) -> list[float]:
    """Joint motion of one step, with no joint beyond its limits, [rad]; see `move_joints`.

    Args:
        columns: of the Jacobian J, [m/rad].
        missing: from the frame to the target, [m].
        pull: desired motion, of which the part in the null space counts, [rad].
        room: limits of each joint's motion, [rad].
    """
    squares = sum([x * x + y * y + z * z for x, y, z in columns])
    x, y, z = missing
    damping = DAMPING * (x * x + y * y + z * z) + MIN_DAMPING_SHARE * squares
    move = _move_without_limits(columns, missing, pull, damping)
    free = [True] * len(move)
    for _round in range(MAX_REDISTRIBUTIONS):
        bounded = _clipped(move, room)
        if bounded == move:
            return move
        # Joints that reach a limit are clamped there for good, and the free ones make up for them.
        stops = [
            turn != limited and may_move
            for turn, limited, may_move in zip(move, bounded, free, strict=True)
        ]
        if not any(stops):
            return bounded
        free = [may_move and not stop for may_move, stop in zip(free, stops, strict=True)]
        clamped = [0.0 if may_move else turn for may_move, turn in zip(free, bounded, strict=True)]
        done = _product(columns, clamped)
        free_turns = _move_without_limits(
            [
                column if may_move else (0.0, 0.0, 0.0)
                for column, may_move in zip(columns, free, strict=True)
            ],
            _difference(missing, done),
            [turn if may_move else 0.0 for turn, may_move in zip(pull, free, strict=True)],
            damping,
        )
        # A joint is either clamped or free, and has 0 in the other list.
        move = [
            clamped_turn + free_turn
            for clamped_turn, free_turn in zip(clamped, free_turns, strict=True)
        ]
    return _clipped(move, room)


def _move_without_limits(
    columns: _Columns, missing: Triple, pull: Sequence[float], damping: float
) -> list[float]:
    """Joint motion g + J⁺ (dX − J g) without limits, [rad].

    J⁺ = Jᵀ (J Jᵀ + λ²)⁻¹; the symmetric matrix is factored as L D Lᵀ, which is as accurate as its
    condition allows.

    Args:
        columns, missing, pull: J, dX and g, as of `_limited_move`.
        damping: λ², [m²/rad²].
    """
    xx = yy = zz = damping
    xy = xz = yz = 0.0
    p, q, r = missing
    for (x, y, z), turn in zip(columns, pull, strict=True):
        xx += x * x
        xy += x * y
        xz += x * z
        yy += y * y
        yz += y * z
        zz += z * z
        p -= x * turn
        q -= y * turn
        r -= z * turn
    # A frame that no joint moves stays where it is, and joints follow the pull.
    if xx <= 0.0:
        return list(pull)
    low_y = xy / xx
    low_z = xz / xx
    yy -= low_y * xy
    yz -= low_y * xz
    lowest = yz / yy
    zz -= low_z * xz + lowest * yz
    q -= low_y * p
    r = (r - low_z * p - lowest * q) / zz
    q = q / yy - lowest * r
    p = p / xx - low_y * q - low_z * r
    return [turn + x * p + y * q + z * r for (x, y, z), turn in zip(columns, pull, strict=True)]


def _clipped(values: Sequence[float], limits: Sequence[tuple[float, float]]) -> list[float]:
    """Values clipped to a lower and an upper limit each."""
    return [
        lower if value < lower else upper if value > upper else value
        for value, (lower, upper) in zip(values, limits, strict=True)
    ]


def _product(columns: _Columns, move: Sequence[float]) -> Triple:
    """The motion J dθ of the frame, [m]."""
    p = q = r = 0.0
    for (x, y, z), turn in zip(columns, move, strict=True):
        p += x * turn
        q += y * turn
        r += z * turn
    return p, q, r


def _difference(first: Triple, second: Triple) -> Triple:
    return first[0] - second[0], first[1] - second[1], first[2] - second[2]


def _moved(place: Triple, axes: Sequence[Triple], offset: Triple) -> Triple:
    """A place moved by an offset that is given along three axes, [m]."""
    a, b, c = offset
    (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = axes
    return (
        place[0] + a * x0 + b * x1 + c * x2,
        place[1] + a * y0 + b * y1 + c * y2,
        place[2] + a * z0 + b * z1 + c * z2,
    )
