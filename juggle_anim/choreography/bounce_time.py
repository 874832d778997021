"""Time for bounces: a prop that is thrown at the floor comes back when it will."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from juggle_anim.choreography.body_keys import body_keys
from juggle_anim.choreography.bounce import least_bounce_time, solve_bounce
from juggle_anim.choreography.choreography import BodyKeys, FlightStyle
from juggle_anim.choreography.event_table import EventTable
from juggle_anim.choreography.staging import BodyMoves
from juggle_anim.errors import ChoreographyError

_SPARE = 1.01
"""By how much the time is longer than what the slowest bounce needs; as in Juggling Lab 1.7.7."""


def bounced_tempo(bps: float, table: EventTable, body: BodyMoves | None, gravity: float, kept: float) -> float:
    """The tempo, or a slower one where a bounce needs longer than its beats.

    Args:
        bps: as it would be without bounces, [beats/s].
        table: the flights.
        body: where bodies are.
        gravity: [m/s²].
        kept: share of the energy that a prop keeps at a bounce.
    """
    slowest = bps
    for _, style, start, end, beats in _bounces(table, body):
        needed = least_bounce_time(start, end, gravity, kept, style)
        if needed > beats / bps:
            slowest = min(slowest, beats / (_SPARE * needed))
    return slowest


def check_bounces(bps: float, table: EventTable, body: BodyMoves | None, gravity: float, kept: float) -> None:
    """Make sure that every bounce can be made in its time.

    Raises:
        ChoreographyError: one cannot.
    """
    for index, style, start, end, beats in _bounces(table, body):
        time = beats / bps
        if solve_bounce(start, end, time, gravity, kept, style) is None:
            throw, needed = table.pattern.throws[index], least_bounce_time(start, end, gravity, kept, style)
            short = (
                f", but needs {needed:.2f} s to come up again {style.bounces} ×; "
                "a slower tempo fits, or F to throw it down"
            )
            long = f", which is too long to come up {style.bounces} × at this gravity; a faster tempo fits"
            raise ChoreographyError(
                f"the {throw.value / table.pattern.division:g}B thrown by juggler {throw.juggler + 1} "
                f"on beat {throw.beat // table.pattern.division + 1} has {time:.2f} s{short if time < needed else long}"
            )


def _bounces(table: EventTable, body: BodyMoves | None) -> Iterator[tuple[int, FlightStyle, float, float, float]]:
    """Of each bouncing throw its index, style, heights of throw and catch [m], and time [beats]."""
    styles = [(number, index, table.style(index)) for number, index in enumerate(table.flown)]
    bouncing = [row for row in styles if row[2].bounces]
    if not bouncing:
        return
    keys = body_keys(table.pattern, body, 1.0)
    for number, index, style in bouncing:
        start, end = (_height(keys, table.pattern.period, *where) for where in table.ends(number))
        yield index, style, start, end, float(table.durations[number]) / table.pattern.division


def _height(keys: BodyKeys, period: int, juggler: int, time: float, above: float) -> float:
    mine = keys.juggler == juggler
    # The true way of a body that moves up and down is a curve; what it needs is settled when it is drawn.
    return above + float(np.interp(time, keys.time[mine], keys.position[mine, 1], period=period))
