"""The inverse kinematics of `solve` for a single target, with plain numbers.

Arrays pay where there are many targets; for one, each of their operations takes longer than the
arithmetic in it. The computation is the same, and so are the results, but for rounding. Most of the
time goes to forward kinematics and Jacobian. A loop over joints would take three times as long, so
a function is generated for each chain, without the terms that are always 0.
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

# Columns of the Jacobian: for each of n joints the velocity of the frame, [m/rad].
_JacobianColumns = Sequence[Triple]


class OneTargetAttempt(NamedTuple):
    """Result of an iteration from one start.

    Args:
        angles: the last angles, one for each joint, [rad].
        error: distance of the frame from the target at these angles, [m].
        steps: number of steps.
    """

    angles: list[float]
    error: float
    steps: int


@dataclass(frozen=True)
class OneTargetSolver:
    """Solver for the position of one frame of a chain whose joints turn about coordinate axes.

    Args:
        chain: with n joints, whose `axis_rotations` are not None.
        frame: attached to one of the joints.
    """

    chain: Chain
    frame: Frame

    @staticmethod
    def of(chain: Chain, frame: Frame) -> OneTargetSolver:
        """Return the solver of a chain and a frame, which is made once and cached in the chain."""
        solver = chain.one_target_solvers.get(frame)
        if not isinstance(solver, OneTargetSolver):
            solver = chain.one_target_solvers[frame] = OneTargetSolver(chain, frame)
        return solver

    def distance(self, target: Triple, angles: Sequence[float]) -> float:
        """Distance of the frame from a target, [m], at n joint angles, [rad]."""
        return hypot(*_difference(target, self.forward_kinematics(angles)[0]))

    def attempt(
        self,
        target: Triple,
        start: Sequence[float],
        posture: Sequence[float],
        tolerance: float,
        iterations: int,
    ) -> OneTargetAttempt:
        """Iterate from a start toward a target, and return the last angles on the way.

        The iteration ends when the target is met, or the error has stopped decreasing. It makes the
        same damped least-squares steps as `solve` makes for many targets, but with plain numbers.

        Args:
            target: where the frame should be in the world, within reach, [m].
            start, posture: n initial and preferred angles, within the limits, [rad].
            tolerance: greatest distance of the frame from a target that is met, [m].
            iterations: limit of the number of steps.
        """
        angles = list(start)
        position, jacobian = self.forward_kinematics(angles)
        residual = _difference(target, position)
        error = hypot(*residual)
        least_error = inf
        stalled_steps = 0
        for step in range(iterations + 1):
            if error < PROGRESS * least_error:
                least_error = error
                stalled_steps = 0
            else:
                stalled_steps += 1
            if error <= tolerance or stalled_steps > STALL_LIMIT or step == iterations:
                break

            pull = self._posture_pull(posture, angles, error)
            move, predicted_change = _move_without_limits(jacobian, residual, pull)
            meets_limit = not _is_within_limits(angles, move, self.limits)
            if meets_limit:
                move = self._bounded_move(jacobian, residual, pull, move, angles)
                predicted_change = _frame_motion(jacobian, move)
            angles, residual, jacobian = self._apply_with_halving(
                target, angles, residual, move, predicted_change, clip=meets_limit
            )
            error = hypot(*residual)
        return OneTargetAttempt(angles, error, step)

    def _posture_pull(
        self, posture: Sequence[float], angles: Sequence[float], error: float
    ) -> list[float]:
        """Return the motion of n joints toward their posture in a step, [rad].

        It is a share of the whole way, larger far from the target than near it. All joints are
        slowed alike so that none moves farther than `MAX_POSTURE_STEP`.

        Args:
            posture, angles: n preferred and present angles, [rad].
            error: distance of the frame from the target, [m].
        """
        near_distance = NEAR_GOAL * self.length  # m, at which the share is half of `POSTURE_SHARE`
        share = POSTURE_SHARE * error / (error + near_distance)
        pull = [share * (preferred - now) for preferred, now in zip(posture, angles, strict=True)]
        largest = max(max(pull), -min(pull))
        if largest > MAX_POSTURE_STEP:
            pull = [MAX_POSTURE_STEP / largest * turn for turn in pull]
        return pull

    def _apply_with_halving(
        self,
        target: Triple,
        before: list[float],
        residual_before: Triple,
        move: list[float],
        predicted_change: Triple,
        *,
        clip: bool,
    ) -> tuple[list[float], Triple, _JacobianColumns]:
        """Move the joints, and halve the move until the residual changes about as predicted.

        The residual is the vector from the frame to the target. After `MAX_HALVINGS` halvings the
        move is taken as it is.

        Args:
            target: where the frame should be in the world, [m].
            before: n angles before the move, [rad].
            residual_before: the residual before the move, [m].
            move: motion dθ of the n joints, [rad].
            predicted_change: decrease J dθ of the residual that the Jacobian J predicts, [m].
            clip: whether to clip the angles to the limits.

        Returns:
            The new angles, [rad], and the residual, [m], and the Jacobian, [m/rad], at these.
        """
        to_x, to_y, to_z = target
        before_x, before_y, before_z = residual_before
        change_x, change_y, change_z = predicted_change
        change_size = hypot(change_x, change_y, change_z)
        # The deviation from the prediction is to be below a share of the change, or below a small
        # share of the length.
        always_allowed = MIN_DEVIATION * self.length
        step_share = 1.0
        for halving in range(MAX_HALVINGS + 1):
            angles = [angle + step_share * turn for angle, turn in zip(before, move, strict=True)]
            if clip:
                angles = clipped(angles, self.limits)
            (x, y, z), jacobian = self.forward_kinematics(angles)
            residual = (to_x - x, to_y - y, to_z - z)
            deviation = hypot(
                residual[0] - before_x + step_share * change_x,
                residual[1] - before_y + step_share * change_y,
                residual[2] - before_z + step_share * change_z,
            )
            allowed = max(MAX_DEVIATION * step_share * change_size, always_allowed)
            if deviation <= allowed or halving == MAX_HALVINGS:
                break
            step_share *= 0.5
        return angles, residual, jacobian

    def _bounded_move(
        self,
        jacobian: _JacobianColumns,
        residual: Triple,
        pull: Sequence[float],
        move: list[float],
        angles: Sequence[float],
    ) -> list[float]:
        """Return the motion of n joints in a step with no joint beyond its limits, [rad].

        Joints that would pass a limit are clamped there, and the others make up for them. This is
        `move_joints` for one target.

        Args:
            jacobian: n columns of the Jacobian of the frame's position, [m/rad].
            residual: vector from the frame to the target, [m].
            pull: motion of each joint toward the posture, [rad].
            move: motion without limits, with which some joint would pass a limit, [rad].
            angles: angles of the joints before the step, [rad].
        """
        room = [
            (lower - angle, upper - angle)
            for (lower, upper), angle in zip(self.limits, angles, strict=True)
        ]
        damping = _damping(jacobian, residual)
        free = [True] * len(move)
        for _round in range(MAX_REDISTRIBUTIONS):
            bounded = clipped(move, room)
            # Joints that reach a limit are clamped there for good.
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
            # The free joints move by what the clamped ones leave of the residual. Columns of 0 keep
            # the clamped joints out of it.
            free_turns, _change = _move_without_limits(
                [
                    column if may_move else (0.0, 0.0, 0.0)
                    for column, may_move in zip(jacobian, free, strict=True)
                ],
                _difference(residual, _frame_motion(jacobian, clamped)),
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
        """Pull a target back to `share` of the chain's length from the root if it is farther, [m].

        This is `Task.within_reach` for one target.
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
        """Length of the straight chain from the root joint to the frame, [m]."""
        return self.chain.reach(self.frame)[1]

    @cached_property
    def limits(self) -> list[tuple[float, float]]:
        """Lower and upper limit of each joint's angle, [rad]."""
        return [(joint.lower, joint.upper) for joint in self.chain.joints]

    @cached_property
    def forward_kinematics(self) -> Callable[[Sequence[float]], tuple[Triple, _JacobianColumns]]:
        """Function from n angles, [rad], to the frame's position, [m], and its Jacobian.

        The Jacobian is a tuple of n columns, [m/rad]. The source of the function is generated joint
        by joint from the ground to the frame, which is faster than a loop over joints; vectors are
        here lists of three operands of `_Code`, the names of variables or constants.
        """
        assert self.chain.axis_rotations, "all axes are along x, y or z"
        code = _Code()
        code.unpack("angle", "angles", len(self.chain))
        # The axes of the present frame, in the world, and its origin.
        axes = [["1.0", "0.0", "0.0"], ["0.0", "1.0", "0.0"], ["0.0", "0.0", "1.0"]]
        origin = ["0.0", "0.0", "0.0"]
        joints = []  # each with its axis and its place in the world
        for rotation in self.chain.axis_rotations[self.frame.joint]:
            if rotation.offset:
                origin = code.translated(origin, axes, rotation.offset)
            joints.append((rotation, axes[rotation.axis], origin))
            # A right-handed turn by φ about one axis takes the next two in the order x, y, z, x,
            # first and second, to cos φ first + sin φ second and cos φ second − sin φ first. A
            # left-handed turn is one by −φ.
            cosine = code.let(f"cos(angle{rotation.joint})")
            sign = "-" if rotation.sense < 0.0 else ""
            sine = code.let(f"{sign}sin(angle{rotation.joint})")
            next_axis = (rotation.axis + 1) % 3
            last_axis = (rotation.axis + 2) % 3
            first = axes[next_axis]
            second = axes[last_axis]
            axes = list(axes)
            axes[next_axis] = code.combined(cosine, first, sine, second, "+")
            axes[last_axis] = code.combined(cosine, second, sine, first, "-")
        tip = code.translated(origin, axes, self.frame.point)
        # A joint with the axis a at the place o moves the tip p by a × (p − o), or, if its turns
        # are left-handed, by a × (o − p). Joints that do not carry the frame have columns of 0.
        jacobian = ["(0.0, 0.0, 0.0)"] * len(self.chain)
        for rotation, axis, place in joints:
            if rotation.sense > 0.0:
                lever = code.difference(tip, place)
            else:
                lever = code.difference(place, tip)
            column = code.cross_product(axis, lever)
            jacobian[rotation.joint] = f"({', '.join(column)})"
        return code.function("angles", f"({', '.join(tip)}), ({', '.join(jacobian)},)")


class _Code:
    """Source code of a generated function; an operand is a variable's name, "0.0" or "1.0"."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, *lines: str) -> None:
        """Add lines."""
        self._lines += lines

    def unpack(self, name: str, sequence: str, count: int) -> None:
        """Assign the values of a sequence to variables `name0`, `name1` and so on."""
        self.add(f"{''.join(f'{name}{index}, ' for index in range(count))}= {sequence}")

    def let(self, value: str) -> str:
        """Assign an expression to a new variable, and return the variable's name."""
        name = f"v{len(self._lines)}"
        self._lines.append(f"{name} = {value}")
        return name

    def product(self, first: str, second: str) -> str:
        """Return the operand for a product; it needs no code if a factor is 0 or 1."""
        if "0.0" in (first, second):
            return "0.0"
        if first == "1.0":
            return second
        return first if second == "1.0" else self.let(f"{first} * {second}")

    def sum(self, first: str, second: str, sign: str = "+") -> str:
        """Return the operand for a sum, or a difference with the sign "-"."""
        if second == "0.0":
            return first
        if first == "0.0":
            return second if sign == "+" else self.let(f"-{second}")
        return self.let(f"{first} {sign} {second}")

    def difference(self, first: list[str], second: list[str]) -> list[str]:
        """Operands for the difference of two vectors."""
        return [self.sum(*components, "-") for components in zip(first, second, strict=True)]

    def cross_product(self, first: list[str], second: list[str]) -> list[str]:
        """Operands for the cross product of two vectors."""
        a, b, c = first
        x, y, z = second
        return [
            self.sum(self.product(b, z), self.product(c, y), "-"),
            self.sum(self.product(c, x), self.product(a, z), "-"),
            self.sum(self.product(a, y), self.product(b, x), "-"),
        ]

    def combined(
        self, cosine: str, first: list[str], sine: str, second: list[str], sign: str
    ) -> list[str]:
        """Operands for the vector cosine · first ± sine · second."""
        return [
            self.sum(self.product(cosine, of_first), self.product(sine, of_second), sign)
            for of_first, of_second in zip(first, second, strict=True)
        ]

    def translated(self, place: list[str], axes: Sequence[list[str]], offset: Triple) -> list[str]:
        """Operands for a place plus an offset, [m], that is given along three axes."""
        for part, axis in zip(offset, axes, strict=True):
            if part:
                moves = [self.product(repr(float(part)), along) for along in axis]
                place = [self.sum(start, move) for start, move in zip(place, moves, strict=True)]
        return place

    def function(self, arguments: str, returned: str) -> Callable[..., Any]:
        """Compile the lines to a function that returns an expression."""
        lines = [f"def written({arguments}):", *self._lines, f"return {returned}"]
        names: dict[str, Any] = {"cos": cos, "sin": sin}
        exec("\n    ".join(lines), names)
        function: Callable[..., Any] = names["written"]
        return function


def _move_without_limits(
    jacobian: _JacobianColumns,
    residual: Triple,
    pull: Sequence[float],
    damping: float | None = None,
) -> tuple[list[float], Triple]:
    """Return the joint motion of a step without limits, g + J⁺ (dX − J g).

    J⁺ = Jᵀ (J Jᵀ + λ²)⁻¹ is the damped pseudoinverse of the Jacobian J. The symmetric 3 × 3 matrix
    in it is factored as L D Lᵀ, which is as accurate as its condition allows.

    Args:
        jacobian: the n columns of J, [m/rad].
        residual: dX, vector from the frame to the target, [m].
        pull: g, the desired motion, of which the part in the null space counts, [rad].
        damping: λ², [m²/rad²]; None to compute it from J and dX.

    Returns:
        n angles, [rad], and the predicted motion of the frame, [m].
    """
    # `rest` becomes dX − J g, and xx to zz become the entries of J Jᵀ, to which λ² is added on the
    # diagonal.
    residual_x, residual_y, residual_z = residual
    rest_x, rest_y, rest_z = residual
    square = residual_x * residual_x + residual_y * residual_y + residual_z * residual_z
    xx = xy = xz = yy = yz = zz = 0.0
    for (x, y, z), turn in zip(jacobian, pull, strict=True):
        xx += x * x
        xy += x * y
        xz += x * z
        yy += y * y
        yz += y * z
        zz += z * z
        rest_x -= x * turn
        rest_y -= y * turn
        rest_z -= z * turn
    if damping is None:
        damping = DAMPING * square + MIN_DAMPING_SHARE * (xx + yy + zz)
    xx += damping
    yy += damping
    zz += damping
    # A frame that no joint moves stays where it is, and joints follow the pull.
    if xx <= 0.0:
        return list(pull), (0.0, 0.0, 0.0)
    # The factors: L has ones on its diagonal and three entries below it; D is xx, yy, zz, of which
    # the last two are reduced by what L takes.
    lower_yx = xy / xx
    lower_zx = xz / xx
    yy -= lower_yx * xy
    yz -= lower_yx * xz
    lower_zy = yz / yy
    zz -= lower_zx * xz + lower_zy * yz
    # s = (J Jᵀ + λ²)⁻¹ (dX − J g): forward substitution with L, division by D, and back
    # substitution with Lᵀ.
    forward_y = rest_y - lower_yx * rest_x
    s_z = (rest_z - lower_zx * rest_x - lower_zy * forward_y) / zz
    s_y = forward_y / yy - lower_zy * s_z
    s_x = rest_x / xx - lower_yx * s_y - lower_zx * s_z
    # The motion is g + Jᵀ s, and the frame moves by J (g + Jᵀ s), which is dX − λ² s.
    move = [
        turn + x * s_x + y * s_y + z * s_z for (x, y, z), turn in zip(jacobian, pull, strict=True)
    ]
    moved_x = residual_x - damping * s_x
    moved_y = residual_y - damping * s_y
    moved_z = residual_z - damping * s_z
    return move, (moved_x, moved_y, moved_z)


def _damping(jacobian: _JacobianColumns, residual: Triple) -> float:
    """λ² = `DAMPING` |dX|² + `MIN_DAMPING_SHARE` |J|² of a step, [m²/rad²]."""
    squares = sum([x * x + y * y + z * z for x, y, z in jacobian])
    x, y, z = residual
    return DAMPING * (x * x + y * y + z * z) + MIN_DAMPING_SHARE * squares


def _is_within_limits(
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


def _frame_motion(jacobian: _JacobianColumns, move: Sequence[float]) -> Triple:
    """The motion J dθ of the frame, [m]."""
    p = q = r = 0.0
    for (x, y, z), turn in zip(jacobian, move, strict=True):
        p += x * turn
        q += y * turn
        r += z * turn
    return p, q, r


def _difference(first: Triple, second: Triple) -> Triple:
    return first[0] - second[0], first[1] - second[1], first[2] - second[2]
