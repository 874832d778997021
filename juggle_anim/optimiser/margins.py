"""Juggling Lab's optimiser: the angle by which throws may go astray before props collide, made as
large as it can be.

Facts after Jack Boyce, Juggling Lab 1.7 (`MarginEquations`, `Optimizer`): only the sideways places
of throws and catches move, times stay, and arcs are ordinary throws of one juggler.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, EventKind
from juggle_anim.errors import ChoreographyError, require_library
from juggle_anim.language import _
from juggle_anim.optimiser.places import FreePlaces

_NEAREST = 0.1
_FARTHEST_THROW = 0.9
"""How near to the middle places may be, and how far out throws, as shares of the farthest place."""

_INFINITE = 1000.0  # a value beyond all that are asked for

_LONGEST = 10.0  # s, of a program; those of patterns that people juggle take milliseconds

# s, °/cm, °
_SAME = 1e-9
_TINY = 1e-6
_PINNED = 1e-6


@dataclass(frozen=True)
class Margins:
    """The margins of a pattern as functions of the sideways places of its throws and catches.

    Args:
        free: the places, G of them.
        slope: shape (N, G), by how much each margin grows with each place, [°/m].
        prop: shape (N,), what the props' own size takes of each, [°].
    """

    free: FreePlaces
    slope: Floats
    prop: Floats

    @classmethod
    def of(cls, animation: Animation) -> Margins:
        """Return the margins of an animation.

        Two arcs from t to c at the same height at time s have the margin (|x₁(s) − x₂(s)| − 2r) /
        (v₁(s − t₁) + v₂(s − t₂)), where v = g(c − t)/2, s = (t₂c₂ − t₁c₁) / (t₂ + c₂ − t₁ − c₁),
        and x goes evenly from throw to catch: the error of both directions that lets the props
        touch.

        Raises:
            ChoreographyError: passes or bounces, of which this does not speak.
        """
        choreography = animation.choreography
        name = animation.title
        if choreography.jugglers > 1:
            raise ChoreographyError(
                _("{name}: Juggling Lab's margins are for one juggler", name=name)
            )
        if any(style.bounces for style in choreography.flights.style):
            raise ChoreographyError(
                _("{name}: Juggling Lab's margins are for throws that do not bounce", name=name)
            )
        free = FreePlaces.of(animation, mirror_only=True)
        one, other = _meeting(choreography)
        moment = (other.throw * other.catch - one.throw * one.catch) / _apart(one, other)
        rates = [arc.flight * (moment - arc.throw) for arc in (one, other)]
        divisor = np.radians(choreography.gravity / 2 * (rates[0] + rates[1]))
        slope = (one.sideways(free, moment) - other.sideways(free, moment)) / divisor[:, None]
        prop = -float(animation.motion.shapes.size.max(initial=0.0)) / divisor
        slope *= np.where(slope @ free.start[:, 0] < 0, -1.0, 1.0)[:, None]
        _unused, kept = np.unique(
            np.round(np.column_stack([slope / 100, prop]) / _TINY), axis=0, return_index=True
        )
        kept.sort()
        kept = kept[np.argsort(np.abs(slope[kept] @ free.start[:, 0]) + prop[kept], kind="stable")]
        return cls(free, slope[kept], prop[kept])

    def at(self, sideways: Floats) -> Floats:
        """The margins for some places, shape (G,) outward [m]: shape (N,), [°], in the order of
        `slope`.
        """
        return np.abs(self.slope @ sideways) + self.prop

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """The least and the greatest place, each shape (G,): hands stay on their side, throws
        nearer than catches.
        """
        free = self.free
        sideways = self.free.start[:, 0]
        event = free.first_event
        farthest = float(np.abs(sideways).max(initial=0.0))
        throws = free.choreography.events.kind[event] == EventKind.THROW
        out = farthest * np.where(throws, _FARTHEST_THROW, 1.0)
        near = np.full(len(event), _NEAREST * farthest)
        # In Juggling Lab right is positive, and the middle belongs to the left.
        right = -free.side_sign[event] * sideways > 0
        outside = right == (free.side_sign[event] < 0)
        return np.where(outside, near, -out), np.where(outside, out, -near)

    def widest(self) -> Floats:
        """The places with the widest margins, shape (G,), [m], rounded to 0.1 mm: first the least,
        then the next.

        Raises:
            ParameterError: highspy is not installed.
        """
        # In Juggling Lab's units, [cm] to the right: which of equally good places a solver finds
        # depends on them.
        scale = -100 * self.free.side_sign[self.free.first_event]
        slope, (low, high) = (
            self.slope / scale,
            np.sort([scale * each for each in self.bounds], axis=0),
        )
        found = scale * self.free.start[:, 0]
        pinned = np.zeros(len(found), dtype=bool)
        while (rows := np.flatnonzero(self._uses(~pinned))).size:
            choices = [
                [(slope[row], self.prop[row]), (-slope[row], self.prop[row])] for row in rows
            ]
            found, _unused = maximise_least(
                choices, np.where(pinned, found, low), np.where(pinned, found, high)
            )
            margins = self.at(found / scale)[rows]
            pinned |= (np.abs(self.slope[rows[margins <= margins.min() + _PINNED]]) > _TINY).any(
                axis=0
            )
        return np.where(pinned, np.round(found, 2) / scale, self.free.start[:, 0])

    def _uses(self, places: Booleans) -> Booleans:
        """Which margins depend on any of some places, shape (N,)."""
        used: Booleans = np.any(np.abs(self.slope[:, places]) > _TINY, axis=1)
        return used


@dataclass(frozen=True)
class _Arcs:
    """N flights: their numbers, and when they begin and end, [s], each shape (N,)."""

    number: Integers
    throw: Floats
    catch: Floats

    @property
    def flight(self) -> Floats:
        """Their durations, [s]."""
        return self.catch - self.throw

    def of(self, rows: Booleans) -> _Arcs:
        """Some of them."""
        return _Arcs(self.number[rows], self.throw[rows], self.catch[rows])

    def sideways(self, free: FreePlaces, moment: Floats) -> Floats:
        """How far left they are at a moment of each, shape (N,), as a sum over all places: weights,
        shape (N, G).
        """
        flights = free.choreography.flights
        share = (moment - self.throw) / self.flight
        weights = np.zeros((len(moment), len(free.start)))
        for event, weight in (
            (flights.throw[self.number], 1 - share),
            (flights.catch[self.number], share),
        ):
            np.add.at(
                weights, (np.arange(len(moment)), free.row[event]), weight * free.side_sign[event]
            )
        return weights


def _meeting(choreography: Choreography) -> tuple[_Arcs, _Arcs]:
    """Pairs of arcs that are at one height at a time at which both fly; the second begins later."""
    loop = choreography.duration
    flights = choreography.flights
    throw = choreography.events.time[flights.throw]
    laps = np.arange(int(np.ceil(flights.duration.max(initial=0.0) / loop)) + 1)
    numbers = np.arange(len(throw))
    one, other, lap = (each.ravel() for each in np.meshgrid(numbers, numbers, laps, indexing="ij"))
    first = _Arcs(one, throw[one], throw[one] + flights.duration[one])
    later = throw[other] + lap * loop
    second = _Arcs(other, later, later + flights.duration[other])
    apart = _apart(first, second)
    moment = (second.throw * second.catch - first.throw * first.catch) / np.where(
        apart > _SAME, apart, 1.0
    )
    meets = (
        (second.throw > first.throw + _SAME)
        & (second.throw < first.catch - _SAME)
        & (apart > _SAME)
    )
    meets &= (moment >= second.throw - _SAME) & (
        moment < np.minimum(first.catch, second.catch) - _SAME
    )
    return first.of(meets), second.of(meets)


def _apart(one: _Arcs, other: _Arcs) -> Floats:
    """Twice the time between their tops, [s]."""
    return other.throw + other.catch - one.throw - one.catch


Bound = tuple[Floats, float]
"""Weights w, shape (V,), and a number b: the value w·x + b."""


def maximise_least(
    choices: list[list[Bound]],
    low: Floats,
    high: Floats,
    cost: Floats | None = None,
    most: float = _INFINITE,
    share: float = 0.0,
) -> tuple[Floats, float]:
    """Return the variables for which the least of some values is greatest, each value the greatest
    of its choices.

    A mixed-integer program: each row e + s ≤ w·x + b + M·(1 − z) has a z that is 0 or 1, one of
    each value's is 1, and M is more than the choice can be short by. By s, from 0 on, a value
    exceeds the least one e.

    Args:
        choices: of each value.
        low, high: bounds of the V variables, each shape (V,).
        cost: what each variable takes off, shape (V,).
        most: more than this counts as this.
        share: what the mean of s is worth, where e is worth 1.

    Returns:
        The variables, shape (V,), and the least value e.

    Raises:
        ChoreographyError: nothing is found.
        ParameterError: highspy is not installed.
    """
    variables = len(low)
    values = len(choices) if share else 0
    binaries = [len(each) if len(each) > 1 else 0 for each in choices]
    continuous = variables + 1 + values
    size = continuous + sum(binaries)
    at = continuous
    matrix: list[Floats] = []
    limits: list[tuple[float, float]] = []
    for value, (bounds, count) in enumerate(zip(choices, binaries, strict=True)):
        for number, (weights, constant) in enumerate(bounds):
            row = np.zeros(size)
            row[:variables], row[variables] = -weights, 1.0
            row[variables + 1 + value : variables + 2 + value] = (
                1.0 if share else row[variables + 1 + value]
            )
            slack = 0.0
            if count:
                slack = (
                    2 * float(np.maximum(np.abs(weights * low), np.abs(weights * high)).sum())
                    + 1
                    + abs(constant)
                )
                row[at + number] = slack
            matrix.append(row)
            limits.append((-_INFINITE, constant + slack))
        if count:
            one = np.zeros(size)
            one[at : at + count] = 1.0
            matrix.append(one)
            limits.append((1.0, 1.0))
        at += count
    objective = np.zeros(size)
    objective[:variables] = 0.0 if cost is None else -cost
    objective[variables], objective[variables + 1 : continuous] = 1.0, share / max(1, values)
    ends = [
        np.concatenate([low, [-_INFINITE], np.zeros(size - variables - 1)]),
        np.concatenate([high, [most], np.full(values, most), np.ones(sum(binaries))]),
    ]
    found = _solve(
        objective,
        np.array(matrix).reshape(-1, size),
        np.array(limits).reshape(-1, 2),
        ends,
        continuous,
    )
    return found[:variables], float(found[variables])


def _solve(
    objective: Floats, matrix: Floats, limits: Floats, ends: list[Floats], continuous: int
) -> Floats:
    """The variables between `ends` that maximise a sum, where rows of a matrix keep limits; the
    last ones are whole.
    """
    require_library("highspy", "optimise", _("Optimised patterns"))
    import highspy

    program = highspy.HighsLp()
    program.num_col_ = len(objective)
    program.num_row_ = len(matrix)
    program.col_cost_ = objective
    program.sense_ = highspy.ObjSense.kMaximize
    program.col_lower_, program.col_upper_ = ends
    program.row_lower_, program.row_upper_ = limits.T
    rows, columns = np.nonzero(matrix)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.searchsorted(rows, np.arange(len(matrix) + 1)).astype(np.int32)
    program.a_matrix_.index_ = columns.astype(np.int32)
    program.a_matrix_.value_ = matrix[rows, columns]
    kinds = [highspy.HighsVarType.kContinuous] * continuous
    program.integrality_ = kinds + [highspy.HighsVarType.kInteger] * (len(objective) - continuous)
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("mip_rel_gap", 0.0),
        ("time_limit", _LONGEST),
    ):
        solver.setOptionValue(option, value)
    solver.passModel(program)
    solver.run()
    found = solver.getSolution()
    if not found.value_valid:
        raise ChoreographyError(_("no better places were found in time"))
    return np.array(found.col_value)
