"""How props of a web page move, packed as tables: rows at a steady rate, and at every throw, catch
and bounce.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.exporter.models.tracks import with_contacts
from juggle_anim.motion import aim_directions
from juggle_anim.motion.spin import steady_aims
from juggle_anim.scene.compose import drawn_kinds

LEAST_ROWS = 8
"""A loop has at least so many rows."""

_MAX_16_BIT = 65_535

# Columns that change by less count as constant.
_CONSTANT_BELOW = 1e-9


def timelines(animation: Animation, rate: float) -> list[dict[str, Any]]:
    """For each timeline of props: its period [s], and a prop's places and directions over one
    period.

    Directions are unit vectors, but of balls yaw and pitch.

    Args:
        animation: whose props are written.
        rate: rows a second; `contacts` are the times of those between, [s].
    """
    motion = animation.motion
    drawn = drawn_kinds(animation.motion)
    found = []
    for timeline in np.unique(motion.props.path):
        prop = int(np.flatnonzero(motion.props.path == timeline)[0])
        period = float(motion.props.paths.periods[timeline])
        lead = float(motion.props.lead[prop])
        # The last row is a full period after the first: a club may return turned over.
        steady = np.arange(max(LEAST_ROWS, round(period * rate)) + 1.0)
        steady *= period / steady[-1]
        since = with_contacts(steady, motion.props.contacts(prop, -lead, period - lead) + lead)
        contacts = since[~np.isin(since, steady)]
        since[-1] -= 1e-9 * period
        who = np.full(len(since), prop)
        places = motion.places(who, since - lead)
        columns = [places.centres]
        if drawn[prop] == "ball":
            columns.append(steady_aims(motion.ball_aims(who, since - lead, places.holders)))
        elif places.aims is not None:
            columns.append(_axes(places.aims, motion.shapes.kind[prop]))
        over = bool(
            motion.spin and motion.spin.turned_over[timeline] and motion.shapes.kind[prop] == "club"
        )
        told = {
            "number": int(timeline),
            "period": period,
            "over": over,
            "contacts": np.round(contacts, 7).tolist(),
        }
        found.append({**told, "table": packed(np.hstack(columns))})
    return found


def _axes(aims: Floats, kind: str) -> Floats:
    """Directions of props, shape (N, 3): of clubs to their tops, of rings across their planes."""
    if kind == "ring":
        return np.stack([np.cos(aims[:, 0]), 0.0 * aims[:, 0], -np.sin(aims[:, 0])], axis=-1)
    return aim_directions([aims])


def packed(table: Floats) -> dict[str, Any]:
    """A table as JSON values with 16 bits a number; each is exact to 1/131,070 of its column's
    range.

    Args:
        table: shape (N, C).

    Returns:
        The number of `rows`; for each column the value of 0 (`low`) and of a unit (`step`, 0 where
        the column is constant); and in `data` all other columns, one after the other, as
        little-endian 16-bit integers in base64.
    """
    low = table.min(axis=0)
    high = table.max(axis=0)
    varies = high - low > _CONSTANT_BELOW
    step = np.where(varies, (high - low) / _MAX_16_BIT, 0.0)
    numbers = np.rint((table[:, varies] - low[varies]) / step[varies]).astype("<u2")
    data = base64.b64encode(np.ascontiguousarray(numbers.T).tobytes()).decode("ascii")
    return {"rows": len(table), "low": low.tolist(), "step": step.tolist(), "data": data}
