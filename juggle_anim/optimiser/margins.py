"""Juggling Lab's optimiser: the angle by which throws may go astray before props collide, made as
large as it can be.

Facts after Jack Boyce, Juggling Lab 1.7 (`MarginEquations`, `Optimizer`): only the sideways places
of throws and catches move, times stay, and arcs are ordinary throws of one juggler.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, EventKind
from juggle_anim.errors import ChoreographyError, require_library
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.optimiser.places import FreePlaces

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
        slope: shape (N, G), by how much each margin grows with each place, [°/m].
        size_term: shape (N,), what the props' own size adds to each, 0 or less, [°].
    """

    free: FreePlaces
    slope: Floats
    size_term: Floats

    @classmethod
    def from_animation(cls, animation: Animation) -> Margins:
        """Return the margins of an animation: angles by which throws may err before props touch.

        Take two arcs, thrown at t and caught at c, that are at the same height at the time s =
        (t₂c₂ − t₁c₁) / (t₂ + c₂ − t₁ − c₁). Their props of radius r are |x₁(s) − x₂(s)| apart
        sideways, where x goes evenly from throw to catch. A throw that goes up with the speed
        v = g(c − t)/2 and errs sideways by a small angle α is v(s − t)·α off at s. So both props
        touch if both throws err toward each other by the margin
        (|x₁(s) − x₂(s)| − 2r) / (v₁(s − t₁) + v₂(s − t₂)).

        The margins are sorted by their present size, the narrowest first, and equal ones are one.

        Args:
            animation: of one juggler.

        Raises:
            ChoreographyError: passes or bounces, of which this does not speak.
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

        # The divisor v₁(s − t₁) + v₂(s − t₂), times π/180 for margins in degrees.
        free = FreePlaces.from_animation(animation, mirror_only=True)
        first, second = _pairs_of_meeting_arcs(choreography)
        s = _time_of_equal_height(first, second)
        durations = first.flight * (s - first.throw) + second.flight * (s - second.throw)
        divisor = np.radians(choreography.gravity / 2 * durations)

        # The dividend: x₁(s) − x₂(s) is linear in the places, and 2r is the size of the largest
        # prop.
        slope = (first.sideways(free, s) - second.sideways(free, s)) / divisor[:, None]
        size_term = -float(animation.motion.shapes.size.max(initial=0.0)) / divisor
        # A distance has no sign: that is taken for which it is positive where places are now.
        slope *= np.where(slope @ free.start[:, 0] < 0, -1.0, 1.0)[:, None]

        # Arcs with equal margins count once. They are equal if their slopes, in °/cm, and size
        # terms, in °, are the same rounded to `_LEAST_SLOPE`.
        rounded = np.round(np.column_stack([slope / 100, size_term]) / _LEAST_SLOPE)
        _rows, different = np.unique(rounded, axis=0, return_index=True)
        different.sort()  # equal margins stay in the order of the arcs
        margins = np.abs(slope[different] @ free.start[:, 0]) + size_term[different]
        order = different[np.argsort(margins, kind="stable")]
        return cls(free, slope=slope[order], size_term=size_term[order])

    def at(self, sideways: Floats) -> Floats:
        """Return the margins for places, shape (N,), [°].

        Args:
            sideways: how far outward each place is, shape (G,), [m].
        """
        return np.abs(self.slope @ sideways) + self.size_term

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """How far outward each place may be at least and at most, two arrays of shape (G,), [m].

        A place stays on the side of the middle on which it is: outward, or across the middle, where
        bounds are negative. It is at least `_NEAREST_SHARE` of the farthest present place from the
        middle; a throw is at most `_FARTHEST_THROW_SHARE` of it away, a catch all of it.
        """
        free = self.free
        event = free.first_event
        sideways = free.start[:, 0]
        farthest = float(np.abs(sideways).max(initial=0.0))

        # Distances from the middle.
        is_throw = free.choreography.events.kind[event] == EventKind.THROW
        far = farthest * np.where(is_throw, _FARTHEST_THROW_SHARE, 1.0)
        near = np.full(len(event), _NEAREST_SHARE * farthest)

        # Whether a place is on the outer side of its hand. `side_sign` is 1 for left hands, −1 for
        # right ones, so −side_sign · outward is how far right a place is, as in Juggling Lab. There
        # the very middle belongs to the left, so for a left hand it is outside.
        is_right = -free.side_sign[event] * sideways > 0
        is_outside = is_right == (free.side_sign[event] < 0)
        return np.where(is_outside, near, -far), np.where(is_outside, far, -near)

    def widest_places(self) -> Floats:
        """Return the outward places with the widest margins, shape (G,), [m], to 0.1 mm.

        The least margin is made as wide as can be. The places on which it depends are then pinned,
        and among the other places the next margin is made as wide as can be, and so on. Places on
        which no margin depends stay where they are.

        Raises:
            ParameterError: highspy is not installed.
        """
        # In Juggling Lab's units, [cm] to the right: which of equally good places a solver finds
        # depends on them. The scale is 100 for right hands and −100 for left ones.
        scale = -100 * self.free.side_sign[self.free.first_event]
        slope = self.slope / scale
        least, greatest = self.bounds
        low, high = np.sort([scale * least, scale * greatest], axis=0)
        places = scale * self.free.start[:, 0]

        depends = np.abs(self.slope) > _LEAST_SLOPE  # of each margin on each place
        pinned = np.zeros(len(places), dtype=bool)  # places that are decided
        while True:
            # Margins that still depend on a place which may move.
            rows = np.flatnonzero(depends[:, ~pinned].any(axis=1))
            if not rows.size:
                break

            # A margin is |slope · x| + size term, and |y| is the greater of y and −y.
            choices = [
                [LinearFunction(sign * slope[row], self.size_term[row]) for sign in (1, -1)]
                for row in rows
            ]
            places, _least_margin = maximise_least(
                choices, low=np.where(pinned, places, low), high=np.where(pinned, places, high)
            )

            # The places of the least margins stay, as none of these could be wider.
            margins = self.at(places / scale)[rows]
            narrowest = rows[margins <= margins.min() + _PINNED_MARGIN]
            pinned |= depends[narrowest].any(axis=0)

        return np.where(pinned, np.round(places, 2) / scale, self.free.start[:, 0])


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
        """Return the arcs of some rows."""
        return _Arcs(index=self.index[rows], throw=self.throw[rows], catch=self.catch[rows])

    def sideways(self, free: FreePlaces, moment: Floats) -> Floats:
        """Return how far left each arc is at a moment, as a linear function of the outward places.

        Args:
            free: the places, G of them.
            moment: a time of each arc, between its throw and its catch, shape (N,), [s].

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
    """Return all pairs of arcs whose props are equally high at a time at which both fly.

    The second of a pair is thrown while the first flies, perhaps in a later loop, and reaches its
    top later.

    Args:
        choreography: one loop of ordinary throws, all under the same gravity.

    Returns:
        The first arcs of all N pairs, and the second ones in the same order; their times are those
        since the start of the loop in which the first is thrown.
    """
    loop = choreography.duration
    flights = choreography.flights
    throw = choreography.events.time[flights.throw]

    # Every flight with every flight of this loop and of those in which the first still flies.
    loops_later = np.arange(int(np.ceil(flights.duration.max(initial=0.0) / loop)) + 1)
    indices = np.arange(len(throw))
    grid = np.meshgrid(indices, indices, loops_later, indexing="ij")
    first_index, second_index, second_loop = (axis.ravel() for axis in grid)
    first, second = (
        _Arcs(index=index, throw=throw_time, catch=throw_time + flights.duration[index])
        for index, throw_time in (
            (first_index, throw[first_index]),
            (second_index, throw[second_index] + second_loop * loop),
        )
    )

    # `_SAME_TIME` on each side keeps rounding errors from deciding.
    moment = _time_of_equal_height(first, second)
    first_catch = np.minimum(first.catch, second.catch)
    meets = (
        (second.throw > first.throw + _SAME_TIME)
        & (second.throw < first.catch - _SAME_TIME)
        & (_twice_time_between_tops(first, second) > _SAME_TIME)
        & (moment >= second.throw - _SAME_TIME)
        & (moment < first_catch - _SAME_TIME)
    )
    return first.select(meets), second.select(meets)


def _time_of_equal_height(first: _Arcs, second: _Arcs) -> Floats:
    """The times s = (t₂c₂ − t₁c₁) / (t₂ + c₂ − t₁ − c₁) at which arcs are equally high, [s].

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
    most: float = _UNBOUNDED,
    mean_weight: float = 0.0,
) -> tuple[Floats, float]:
    """Return the variables for which the least value is greatest: a max–min program.

    Each value is the greatest of its choices, linear functions w·x + b. As a mixed-integer program,
    each choice is a row e + s ≤ w·x + b + M·(1 − z) with a binary z. For each value one z is 1:
    that of the choice which is used. The rows of its other choices say nothing, as M is more than
    they can be short by. The least value is e, and s, 0 or more, is by how much a value exceeds it.
    The program maximises e − cost·x + mean_weight · mean(s).

    Args:
        choices: for each value its linear functions, one or several.
        low, high: bounds of the V variables, each shape (V,).
        cost: c of each variable in c·x, shape (V,); None for no cost.
        most: upper bound of e and of each s.
        mean_weight: weight of the mean of s in the objective, where e has 1; 0 for no s at all.

    Returns:
        The variables, shape (V,), and the least value e.

    Raises:
        ChoreographyError: no solution is found in time.
        ParameterError: highspy is not installed.
    """
    # Columns: the variables x, then e, then s of each value, then z of each choice. A value with a
    # single choice needs no z, and no M.
    variables = len(low)
    e_column = variables
    excesses = len(choices) if mean_weight else 0
    binaries_of_values = [len(functions) if len(functions) > 1 else 0 for functions in choices]
    binaries = sum(binaries_of_values)
    continuous = e_column + 1 + excesses
    size = continuous + binaries

    # Rows, and their least and greatest values. `first_binary` is the column of the first z of a
    # value.
    matrix: list[Floats] = []
    limits: list[tuple[float, float]] = []
    first_binary = continuous
    for value, (functions, count) in enumerate(zip(choices, binaries_of_values, strict=True)):
        for choice, (weights, constant) in enumerate(functions):
            # e + s − w·x + M·z ≤ b + M
            row = np.zeros(size)
            row[:variables] = -weights
            row[e_column] = 1.0
            if mean_weight:
                row[e_column + 1 + value] = 1.0
            big_m = 0.0
            if count:
                # Within the bounds |w·x| is at most `largest`, so a choice with the other sign
                # exceeds this one by at most twice that.
                largest = np.maximum(np.abs(weights * low), np.abs(weights * high)).sum()
                big_m = 2 * float(largest) + 1 + abs(constant)
                row[first_binary + choice] = big_m
            matrix.append(row)
            limits.append((-_UNBOUNDED, constant + big_m))
        if count:
            # Σ z = 1
            row = np.zeros(size)
            row[first_binary : first_binary + count] = 1.0
            matrix.append(row)
            limits.append((1.0, 1.0))
        first_binary += count

    # Maximise e − cost·x + mean_weight · mean(s).
    objective = np.zeros(size)
    if cost is not None:
        objective[:variables] = -cost
    objective[e_column] = 1.0
    objective[e_column + 1 : continuous] = mean_weight / max(1, excesses)

    # e may be negative; s is 0 or more, and z is 0 or 1.
    column_low = np.concatenate([low, [-_UNBOUNDED], np.zeros(size - e_column - 1)])
    column_high = np.concatenate([high, [most], np.full(excesses, most), np.ones(binaries)])
    solution = _solve_mixed_integer_program(
        objective,
        matrix=np.array(matrix).reshape(-1, size),
        limits=np.array(limits).reshape(-1, 2),
        bounds=(column_low, column_high),
        continuous=continuous,
    )
    return solution[:variables], float(solution[e_column])


def _solve_mixed_integer_program(
    objective: Floats,
    matrix: Floats,
    limits: Floats,
    bounds: tuple[Floats, Floats],
    continuous: int,
) -> Floats:
    """The solution x of a mixed-integer linear program, shape (V,), by HiGHS.

    Args:
        objective: c of the sum c·x that is maximised, shape (V,).
        matrix: A, shape (R, V).
        limits: of A x, least and greatest, shape (R, 2).
        bounds: of x, least and greatest, each shape (V,).
        continuous: how many variables come before those that are whole numbers.

    Raises:
        ChoreographyError: no solution is found in time.
        ParameterError: highspy is not installed.
    """
    require_library("highspy", "optimise", _("Optimised patterns"))
    import highspy

    program = highspy.HighsLp()
    program.num_col_ = len(objective)
    program.num_row_ = len(matrix)
    program.col_cost_ = objective
    program.sense_ = highspy.ObjSense.kMaximize
    program.col_lower_, program.col_upper_ = bounds
    program.row_lower_, program.row_upper_ = limits.T

    # The matrix in compressed rows: where each row starts among the entries that are not 0.
    rows, columns = np.nonzero(matrix)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.searchsorted(rows, np.arange(len(matrix) + 1)).astype(np.int32)
    program.a_matrix_.index_ = columns.astype(np.int32)
    program.a_matrix_.value_ = matrix[rows, columns]
    kinds = [highspy.HighsVarType.kContinuous] * continuous
    program.integrality_ = kinds + [highspy.HighsVarType.kInteger] * (len(objective) - continuous)

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
        raise ChoreographyError(_("no better places were found in the time allowed"))
    return np.array(solution.col_value)
