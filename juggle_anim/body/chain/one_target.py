"""The inverse kinematics of `solve` for a single target, with plain numbers.

Arrays pay where there are many targets; for one, each of their operations takes longer than the
arithmetic in it. What is computed is the same, and so are the results, but for rounding. Where a
frame is, and how its joints move it, takes most of the time, and a loop over joints would take
three times as long: it is written out for each chain, without the terms that are always 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import cos, hypot, inf, sin
from typing import Any, NamedTuple

from juggle_anim.body.chain.chain import Chain, Frame, Triple
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
_Columns = Sequence[Triple]


class AttemptAtOne(NamedTuple):
    """Result of an attempt.

    Args:
        angles: the last, one for each joint, [rad].
        error: distance from the target at these, [m].
        steps: number of steps.
    """

    angles: list[float]
    error: float
    steps: int


@dataclass(frozen=True)
class Reaching:
    """A frame of a chain whose joints all turn about axes of coordinates.

    Args:
        chain: with n joints, whose `turns` are known.
        frame: attached to one of them.
    """

    chain: Chain
    frame: Frame

    @staticmethod
    def of(chain: Chain, frame: Frame) -> Reaching:
        """Return the one of a chain and a frame, which is made once and kept with the chain."""
        reaching = chain.reachings.get(frame)
        if not isinstance(reaching, Reaching):
            reaching = chain.reachings[frame] = Reaching(chain, frame)
        return reaching

    def distance(self, target: Triple, angles: Sequence[float]) -> float:
        """Distance of the frame from a target at n angles [rad], [m]."""
        return hypot(*_difference(target, self.placed(angles)[0]))

    def attempt(
        self,
        target: Triple,
        start: Sequence[float],
        posture: Sequence[float],
        tolerance: float,
        iterations: int,
    ) -> AttemptAtOne:
        """Iterate from a start toward a target, and return the last angles on the way.

        It ends when the target is met, or the error has stopped decreasing.

        Args:
            target: in the world, within reach, [m].
            start, posture: n initial and preferred angles, within the limits, [rad].
            tolerance: greatest error of a target that is met, [m].
            iterations: limit of the steps.
        """
        # The same steps as `solve` makes in a batch, but with plain numbers.
        length = self.length
        limits = self.limits
        placed = self.placed
        near_goal = NEAR_GOAL * length  # m, at which half of the pull toward the posture is left
        least_deviation = MIN_DEVIATION * length
        to_x, to_y, to_z = target
        angles = list(start)
        (x, y, z), columns = placed(angles)
        missing = (to_x - x, to_y - y, to_z - z)
        error = hypot(*missing)
        least_error = inf
        stalled = 0
        for step in range(iterations + 1):
            if error < PROGRESS * least_error:
                least_error = error
                stalled = 0
            else:
                stalled += 1
            if error <= tolerance or stalled > STALL_LIMIT or step == iterations:
                break
            # Toward the posture, far from the goal more than near it.
            share = POSTURE_SHARE * error / (error + near_goal)
            pull = [share * (wish - now) for wish, now in zip(posture, angles, strict=True)]
            largest = max(max(pull), -min(pull))
            # No joint moves farther than `MAX_POSTURE_STEP` for it, so all are scaled down.
            if largest > MAX_POSTURE_STEP:
                pull = [MAX_POSTURE_STEP / largest * turn for turn in pull]
            move, change = _unlimited_move(columns, missing, pull)
            is_bounded = not _is_within(angles, move, limits)
            if is_bounded:
                move = self._bounded_move(columns, missing, pull, move, angles)
                change = _product(columns, move)
            # A move dθ should change the residual by −J dθ. It is halved until the deviation from
            # that is below a share of the change, or below a small share of the length.
            change_x, change_y, change_z = change
            size = hypot(change_x, change_y, change_z)
            before = angles
            before_x, before_y, before_z = missing
            share = 1.0
            for halving in range(MAX_HALVINGS + 1):
                angles = [angle + share * turn for angle, turn in zip(before, move, strict=True)]
                if is_bounded:
                    angles = clipped(angles, limits)
                (x, y, z), columns = placed(angles)
                missing = (to_x - x, to_y - y, to_z - z)
                deviation = hypot(
                    missing[0] - before_x + share * change_x,
                    missing[1] - before_y + share * change_y,
                    missing[2] - before_z + share * change_z,
                )
                allowed = max(MAX_DEVIATION * share * size, least_deviation)
                if deviation <= allowed or halving == MAX_HALVINGS:
                    break
                share *= 0.5
            error = hypot(*missing)
        return AttemptAtOne(angles, error, step)

    def _bounded_move(
        self,
        columns: _Columns,
        missing: Triple,
        pull: Sequence[float],
        move: list[float],
        angles: Sequence[float],
    ) -> list[float]:
        """Joint motion of a step, with no joint beyond its limits, [rad]; see `move_joints`.

        Args:
            columns, missing, pull: as of `_unlimited_move`.
            move: without limits, with which some joint would be beyond, [rad].
            angles: of the joints, [rad].
        """
        room = [
            (lower - angle, upper - angle)
            for (lower, upper), angle in zip(self.limits, angles, strict=True)
        ]
        damping = _damping(columns, missing)
        free = [True] * len(move)
        for _round in range(MAX_REDISTRIBUTIONS):
            bounded = clipped(move, room)
            # Joints that reach a limit are clamped there for good, and the free ones make up for
            # them.
            stopped = [
                joint for joint, turn in enumerate(move) if turn != bounded[joint] and free[joint]
            ]
            if not stopped:
                return bounded
            for joint in stopped:
                free[joint] = False
            clamped = [
                0.0 if may_move else turn for may_move, turn in zip(free, bounded, strict=True)
            ]
            free_turns, _change = _unlimited_move(
                [
                    column if may_move else (0.0, 0.0, 0.0)
                    for column, may_move in zip(columns, free, strict=True)
                ],
                _difference(missing, _product(columns, clamped)),
                [turn if may_move else 0.0 for turn, may_move in zip(pull, free, strict=True)],
                damping,
            )
            # A joint is either clamped or free, and has 0 in the other list.
            move = [
                clamped_turn + free_turn
                for clamped_turn, free_turn in zip(clamped, free_turns, strict=True)
            ]
        return clipped(move, room)

    def within_reach(self, target: Triple, share: float) -> Triple:
        """A target, or the place in its direction at a share of the length if it is farther, [m].

        As `Task.within_reach` has it.
        """
        x, y, z = _difference(target, self.root)
        distance = hypot(x, y, z)
        if distance <= share * self.length:
            return target
        nearer = share * self.length / distance
        return self.root[0] + nearer * x, self.root[1] + nearer * y, self.root[2] + nearer * z

    @cached_property
    def root(self) -> Triple:
        """Place of the root joint, which does not move, [m]."""
        return self.chain.joints[self.chain.reach(self.frame)[0]].offset

    @cached_property
    def length(self) -> float:
        """Of the way from the root joint to the frame, [m]."""
        return self.chain.reach(self.frame)[1]

    @cached_property
    def limits(self) -> list[tuple[float, float]]:
        """Lower and upper limit of each joint's angle, [rad]."""
        return [(joint.lower, joint.upper) for joint in self.chain.joints]

    @cached_property
    def placed(self) -> Callable[[Sequence[float]], tuple[Triple, _Columns]]:
        """A function of n angles [rad]: where the frame is [m], and its velocity per each joint's.

        Velocities are the n columns of the Jacobian, [m/rad].
        """
        assert self.chain.turns
        code = _Code()
        code.unpack("angle", "angles", len(self.chain))
        # Columns of the rotation so far are the axes of the present frame in the world.
        turned = [["1.0", "0.0", "0.0"], ["0.0", "1.0", "0.0"], ["0.0", "0.0", "1.0"]]
        place = ["0.0", "0.0", "0.0"]
        joints = []
        for joint, offset, axis, sense in self.chain.turns[self.frame.joint]:
            if offset:
                place = code.moved(place, turned, offset)
            joints.append((joint, sense, turned[axis], place))
            # A turn about one axis of a frame mixes its other two, which follow it cyclically:
            # axis + 1 and axis + 2 modulo 3, as the indices axis − 2 and axis − 1 have it.
            cosine = code.let(f"cos(angle{joint})")
            sine = code.let(f"{'-' if sense < 0.0 else ''}sin(angle{joint})")
            first = turned[axis - 2]
            second = turned[axis - 1]
            turned = list(turned)
            turned[axis - 2] = code.mixed(cosine, first, sine, second, "+")
            turned[axis - 1] = code.mixed(cosine, second, sine, first, "-")
        tip = code.moved(place, turned, self.frame.point)
        # A joint with the axis a at the place o moves the tip p by a × (p − o), or, if its turns
        # are left-handed, by a × (o − p). Joints that do not carry the frame have columns of 0.
        columns = ["(0.0, 0.0, 0.0)"] * len(self.chain)
        for joint, sense, (a, b, c), origin in joints:
            ends = (tip, origin) if sense > 0.0 else (origin, tip)
            x, y, z = (code.sum(last, start, "-") for last, start in zip(*ends, strict=True))
            column = (
                code.sum(code.product(first, second), code.product(third, fourth), "-")
                for first, second, third, fourth in ((b, z, c, y), (c, x, a, z), (a, y, b, x))
            )
            columns[joint] = f"({', '.join(column)})"
        return code.function("angles", f"({', '.join(tip)}), ({', '.join(columns)},)")


class _Code:
    """Lines of a function that are written out: names, or 0.0 and 1.0, stand for numbers."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, *lines: str) -> None:
        """Add lines."""
        self._lines += lines

    def unpack(self, name: str, sequence: str, count: int) -> None:
        """Name the values of a sequence, with their indices."""
        self.add(f"{''.join(f'{name}{index}, ' for index in range(count))}= {sequence}")

    def let(self, value: str) -> str:
        """A name for the value of an expression."""
        name = f"v{len(self._lines)}"
        self._lines.append(f"{name} = {value}")
        return name

    def product(self, first: str, second: str) -> str:
        """A name for a product."""
        if "0.0" in (first, second):
            return "0.0"
        if first == "1.0":
            return second
        return first if second == "1.0" else self.let(f"{first} * {second}")

    def sum(self, first: str, second: str, sign: str = "+") -> str:
        """A name for a sum, or for a difference."""
        if second == "0.0":
            return first
        if first == "0.0":
            return second if sign == "+" else self.let(f"-{second}")
        return self.let(f"{first} {sign} {second}")

    def mixed(
        self, cosine: str, first: list[str], sine: str, second: list[str], sign: str
    ) -> list[str]:
        """Names for cosine times a vector plus, or less, sine times another."""
        return [
            self.sum(self.product(cosine, of_first), self.product(sine, of_second), sign)
            for of_first, of_second in zip(first, second, strict=True)
        ]

    def moved(self, place: list[str], axes: Sequence[list[str]], offset: Triple) -> list[str]:
        """Names for a place moved by an offset that is given along three axes, [m]."""
        for part, axis in zip(offset, axes, strict=True):
            if part:
                moves = [self.product(repr(float(part)), along) for along in axis]
                place = [self.sum(start, move) for start, move in zip(place, moves, strict=True)]
        return place

    def function(self, arguments: str, returned: str) -> Callable[..., Any]:
        """The function with these lines."""
        lines = [f"def written({arguments}):", *self._lines, f"return {returned}"]
        names: dict[str, Any] = {"cos": cos, "sin": sin}
        exec("\n    ".join(lines), names)
        function: Callable[..., Any] = names["written"]
        return function


def _unlimited_move(
    columns: _Columns, missing: Triple, pull: Sequence[float], damping: float | None = None
) -> tuple[list[float], Triple]:
    """The joint motion of a step without limits, g + J⁺ (dX − J g), with J⁺ = Jᵀ (J Jᵀ + λ²)⁻¹.

    The symmetric matrix is factored as L D Lᵀ, which is as accurate as its condition allows.

    Args:
        columns: the n columns of J, [m/rad].
        missing: dX, from the frame to the target, [m].
        pull: g, the desired motion, of which the part in the null space counts, [rad].
        damping: λ², [m²/rad²]; None for that of these columns.

    Returns:
        n angles [rad], and how the frame should move by these, [m].
    """
    # p, q, r are first dX, then dX − J g and at last (J Jᵀ + λ²)⁻¹ (dX − J g); xx to zz are the
    # entries of J Jᵀ + λ².
    missing_x, missing_y, missing_z = missing
    p = missing_x
    q = missing_y
    r = missing_z
    square = p * p + q * q + r * r
    xx = xy = xz = yy = yz = zz = 0.0
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
    if damping is None:
        damping = DAMPING * square + MIN_DAMPING_SHARE * (xx + yy + zz)
    xx += damping
    yy += damping
    zz += damping
    # A frame that no joint moves stays where it is, and joints follow the pull.
    if xx <= 0.0:
        return list(pull), (0.0, 0.0, 0.0)
    # L has low_y, low_z and lowest below its diagonal of ones; D is xx, yy, zz in the end.
    low_y = xy / xx
    low_z = xz / xx
    yy -= low_y * xy
    yz -= low_y * xz
    lowest = yz / yy
    zz -= low_z * xz + lowest * yz
    # Forward substitution with L, division by D, and back substitution with Lᵀ.
    q -= low_y * p
    r = (r - low_z * p - lowest * q) / zz
    q = q / yy - lowest * r
    p = p / xx - low_y * q - low_z * r
    move = [turn + x * p + y * q + z * r for (x, y, z), turn in zip(columns, pull, strict=True)]
    # J (g + Jᵀ s) is dX − λ² s, as s solves (J Jᵀ + λ²) s = dX − J g.
    return move, (missing_x - damping * p, missing_y - damping * q, missing_z - damping * r)


def _damping(columns: _Columns, missing: Triple) -> float:
    """λ² of a step, [m²/rad²]."""
    squares = sum([x * x + y * y + z * z for x, y, z in columns])
    x, y, z = missing
    return DAMPING * (x * x + y * y + z * z) + MIN_DAMPING_SHARE * squares


def _is_within(
    angles: Sequence[float], move: Sequence[float], limits: Sequence[tuple[float, float]]
) -> bool:
    """Whether no joint is beyond its limits after a move, [rad]."""
    for angle, turn, (lower, upper) in zip(angles, move, limits, strict=True):
        if not lower <= angle + turn <= upper:
            return False
    return True


def clipped(values: Sequence[float], limits: Sequence[tuple[float, float]]) -> list[float]:
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
