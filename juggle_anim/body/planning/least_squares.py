"""Nonlinear least squares over a periodic B-spline, by the Gauss–Newton method.

What a plan wants of a body at each moment is a list of residuals, which depend on the values of the
spline there alone, so on four successive control values. The normal matrix is therefore cyclic and
banded, and is solved in a time proportional to the length of the loop.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from juggle_anim.arrays import Booleans, Floats

SAMPLES = 4
"""Moments of each interval between knots at which residuals are evaluated."""

BANDS = 3
"""Control values on each side that share a moment with one."""

_STEP = 1e-4  # of values, from which derivatives are taken
# Marquardt's damping of a first step, as a share of the diagonal of the normal matrix; by which it
# is divided after a step that helps, and multiplied twice by after one that does not; and how often
# a step is tried.
_DAMPING = 1e-3
_DAMPING_STEP = 4.0
_TRIES = 3

_ENOUGH = 1e-3  # a round that changes no value by more is the last


def _basis() -> Floats:
    """Weights of four control values at the moments of an interval, shape (`SAMPLES`, 4)."""
    share = np.arange(SAMPLES) / SAMPLES
    until = 1.0 - share
    return (
        np.stack(
            [
                until**3,
                4.0 - 6.0 * share**2 + 3.0 * share**3,
                1.0 + 3.0 * (share + share**2 - share**3),
                share**3,
            ],
            axis=1,
        )
        / 6.0
    )


_BASIS = _basis()


def least_squares(
    residuals: Callable[[Floats], Floats],
    controls: Floats,
    duration: float,
    acceleration_costs: Floats,
    odd: Booleans,
    rounds: int,
) -> Floats:
    """Control values of the periodic cubic B-spline of least mean squared residuals.

    Args:
        residuals: of values of shape (K, T, J, C), K alternatives for J jugglers at T moments,
            shape (K, T, J, R). The moments are `SAMPLES` in each interval, from the first knot on.
        controls: from which the search begins, shape (N, J, C), N a multiple of `BANDS`.
        duration: of the loop, [s].
        acceleration_costs: of the square of the second derivative of each channel, shape (C,).
        odd: channels that change sign in a mirror, shape (C,): their derivatives are taken from
            both sides, so that the plan of a mirrored body is the mirrored plan.
        rounds: at most so many.
    """
    knots, jugglers, channels = controls.shape
    smooth = _smoothness(acceleration_costs, knots, duration)
    unit_steps = np.eye(channels)
    steps = _STEP * np.concatenate([np.zeros((1, channels)), unit_steps, -unit_steps[odd]])
    widths = np.where(odd, 2.0 * _STEP, _STEP)
    damping = np.full(jugglers, _DAMPING)

    def smoothness_gradient(controls: Floats) -> Floats:
        """Half the derivative of the cost of acceleration by the control values, (N, J, C)."""
        gradient = smooth[0] * controls
        for offset, costs in enumerate(smooth[1:], 1):
            gradient += costs * (
                np.roll(controls, -offset, axis=0) + np.roll(controls, offset, axis=0)
            )
        return gradient

    def cost(controls: Floats) -> Floats:
        """What the spline of each juggler costs, shape (J,)."""
        missed = residuals(_values(controls)[None])[0]
        of_acceleration = (controls * smoothness_gradient(controls)).sum(axis=(0, 2))
        return np.asarray((missed * missed).sum(axis=(0, 2)) / SAMPLES + of_acceleration)

    lowest = cost(controls)
    for _ in range(rounds):
        around = residuals(_values(controls) + steps[:, None, None])
        missed = around[0]
        before = np.repeat(missed[None], channels, axis=0)
        before[odd] = around[1 + channels :]
        slopes = (around[1 : 1 + channels] - before) / widths[:, None, None, None]
        slopes = slopes.transpose(1, 2, 0, 3)
        squares = np.matmul(slopes, slopes.swapaxes(-1, -2)) / SAMPLES
        pull = np.matmul(slopes, missed[..., None])[..., 0] / SAMPLES
        bands = _bands(squares.reshape(knots, SAMPLES, jugglers, channels, channels))
        gradient = _gathered(pull.reshape(knots, SAMPLES, jugglers, channels))
        gradient += smoothness_gradient(controls)
        for offset, costs in enumerate(smooth):
            bands[offset][..., range(channels), range(channels)] += costs
        undamped = bands[0]
        diagonal = np.einsum("njcc->njc", undamped)
        for _ in range(_TRIES):
            bands[0] = undamped.copy()
            bands[0][..., range(channels), range(channels)] += damping[:, None] * diagonal
            change = solve_cyclic(bands, gradient)
            reached = cost(controls - change)
            better = reached <= lowest
            damping = np.where(better, damping / _DAMPING_STEP, damping * _DAMPING_STEP**2)
            controls = np.where(better[:, None], controls - change, controls)
            lowest = np.where(better, reached, lowest)
            if better.all():
                break
        if np.abs(change).max() < _ENOUGH:
            break
    return controls


def _values(controls: Floats) -> Floats:
    """Values at the moments, shape (N, J, C) to (`SAMPLES` N, J, C)."""
    near = np.stack([np.roll(controls, 1 - offset, axis=0) for offset in range(4)])
    values = np.einsum("so,onjc->nsjc", _BASIS, near)
    return values.reshape(-1, *controls.shape[1:])


def _gathered(pull: Floats) -> Floats:
    """Derivatives by control values, from those by values, (N, `SAMPLES`, J, C) to (N, J, C)."""
    parts = np.einsum("so,nsjc->onjc", _BASIS, pull)
    return sum(
        (np.roll(part, offset - 1, axis=0) for offset, part in enumerate(parts)), 0.0 * parts[0]
    )


def _bands(blocks: Floats) -> list[Floats]:
    """Blocks of the normal matrix for each control value and the ones `0` to `BANDS` after it.

    Args:
        blocks: products of derivatives at the moments, shape (N, `SAMPLES`, J, C, C).

    Returns:
        `BANDS` + 1 arrays of shape (N, J, C, C).
    """
    knots, samples = blocks.shape[:2]
    flat = blocks.reshape(knots, samples, -1)
    bands = []
    for offset in range(BANDS + 1):
        band = np.zeros((knots, flat.shape[-1]))
        for first in range(4 - offset):
            weights = _BASIS[:, first] * _BASIS[:, first + offset]
            band += np.roll(np.einsum("s,nsx->nx", weights, flat), first - 1, axis=0)
        bands.append(band.reshape(knots, *blocks.shape[2:]))
    return bands


def _smoothness(costs: Floats, knots: int, duration: float) -> list[Floats]:
    """Entries of the normal matrix for squared second differences, for 0, 1 and 2 values after."""
    scale = costs * (knots / duration) ** 4
    return [6.0 * scale, -4.0 * scale, scale]


def solve_cyclic(bands: list[Floats], right: Floats) -> Floats:
    """Solve A x = b for a symmetric cyclic block-banded matrix.

    Successive blocks are joined to larger ones, so that A is block tridiagonal but for its corners;
    all but the last are eliminated in turn (the block Thomas algorithm), and with them its border.

    Args:
        bands: as from `_bands`: `BANDS` + 1 arrays of shape (N, J, C, C).
        right: b, shape (N, J, C).
    """
    knots, jugglers, channels = right.shape
    size = BANDS * channels
    count = knots // BANDS
    right = (
        right.reshape(count, BANDS, jugglers, channels)
        .swapaxes(1, 2)
        .reshape(count, jugglers, size)
    )
    diagonal = np.zeros((count, jugglers, BANDS, channels, BANDS, channels))
    upper = np.zeros_like(diagonal)
    for offset, band in enumerate(bands):
        band = band.reshape(count, BANDS, jugglers, channels, channels)
        for row in range(BANDS):
            block = band[:, row]
            column = row + offset
            if column < BANDS:
                diagonal[:, :, row, :, column] += block
                if offset:
                    diagonal[:, :, column, :, row] += block.swapaxes(-1, -2)
            else:
                upper[:, :, row, :, column - BANDS] += block
    diagonal = diagonal.reshape(count, jugglers, size, size)
    upper = upper.reshape(count, jugglers, size, size)
    if count == 1:
        whole = diagonal[0] + upper[0] + upper[0].swapaxes(-1, -2)
        solved = np.linalg.solve(whole, right[0][..., None])[None]
    else:
        solved = _solve_bordered(diagonal, upper, right[..., None])
    return (
        solved[..., 0]
        .reshape(count, jugglers, BANDS, channels)
        .swapaxes(1, 2)
        .reshape(knots, jugglers, channels)
    )


def _solve_bordered(diagonal: Floats, upper: Floats, right: Floats) -> Floats:
    """Solve a symmetric block tridiagonal system with corners, the last block as its border."""
    last = len(diagonal) - 1
    size = diagonal.shape[-1]
    # Columns: the right side, then the border's.
    columns = np.zeros((last, *right.shape[1:-1], 1 + size))
    columns[..., :1] = right[:last]
    columns[0, ..., 1:] += upper[last].swapaxes(-1, -2)
    columns[last - 1, ..., 1:] += upper[last - 1]
    border = columns[..., 1:].copy()
    # Forward elimination: pivots and what each row has of the next one.
    following = np.empty_like(upper[:last])
    for row in range(last):
        pivot = diagonal[row]
        if row:
            below = upper[row - 1].swapaxes(-1, -2)
            pivot = pivot - below @ following[row - 1]
            columns[row] -= below @ columns[row - 1]
        both = np.linalg.solve(pivot, np.concatenate([columns[row], upper[row]], axis=-1))
        columns[row] = both[..., : 1 + size]
        following[row] = both[..., 1 + size :]
    for row in range(last - 2, -1, -1):
        columns[row] -= following[row] @ columns[row + 1]
    reduced = diagonal[last].copy()
    rest = right[last].copy()
    for row in {0, last - 1}:
        reduced -= border[row].swapaxes(-1, -2) @ columns[row, ..., 1:]
        rest -= border[row].swapaxes(-1, -2) @ columns[row, ..., :1]
    end = np.linalg.solve(reduced, rest)
    inner = columns[..., :1] - columns[..., 1:] @ end
    return np.concatenate([inner, end[None]])
