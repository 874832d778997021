"""How props of a web page move: rows at a steady rate, and at every throw, catch and bounce."""

from __future__ import annotations

from typing import Any

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.exporter.models.prop_tracks import with_contacts
from juggle_anim.exporter.page.tables import LEAST_ROWS, packed
from juggle_anim.motion import aim_directions
from juggle_anim.motion.aim import steady_aims
from juggle_anim.scene.compose import drawn_kinds


def courses(animation: Animation, rate: float) -> list[dict[str, Any]]:
    """For each timeline of props: its period [s], and a prop's places and directions over one period.

    Directions are unit vectors, but of balls yaw and pitch.

    Args:
        animation: its motion is told.
        rate: rows a second; `contacts` are the times of those between, [s].
    """
    motion, drawn = animation.motion, drawn_kinds(animation.motion)
    found = []
    for course in np.unique(motion.props.path):
        prop = int(np.flatnonzero(motion.props.path == course)[0])
        period, lead = float(motion.props.paths.periods[course]), float(motion.props.lead[prop])
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
        over = bool(motion.spin and motion.spin.turned_over[course] and motion.shapes.kind[prop] == "club")
        told = {"number": int(course), "period": period, "over": over, "contacts": np.round(contacts, 7).tolist()}
        found.append({**told, "table": packed(np.hstack(columns))})
    return found


def _axes(aims: Floats, kind: str) -> Floats:
    """Directions of props, shape (N, 3): of clubs to their tops, of rings across their planes."""
    if kind == "ring":
        return np.stack([np.cos(aims[:, 0]), 0.0 * aims[:, 0], -np.sin(aims[:, 0])], axis=-1)
    return aim_directions([aims])
