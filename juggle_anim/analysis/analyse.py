"""The analysis of an animation: everything that is measured, and its report as text and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from juggle_anim.analysis.collisions import Collision, NearMiss, find_collisions
from juggle_anim.analysis.hands import STANDARD_GRAVITY, HandMeasures, PeakAndRms, measure_hands
from juggle_anim.analysis.throws import Flight, OutOfReach, find_out_of_reach, measure_throws
from juggle_anim.animation import Animation
from juggle_anim.errors import counted

_MOST_ROWS = 12


@dataclass(frozen=True)
class Analysis:
    """Measurements of one loop of a pattern; `analyse` makes them.

    Args:
        text: the pattern.
        duration: of the loop, [s] of the pattern's own time.
        jugglers, props: their numbers.
        throws: every flight that begins in the loop, by the time of its throw.
        hands: motion and load of each hand.
        out_of_reach: time spans in which hands do not reach their place.
        collisions: of props with props and with bodies, by time.
        miss: the nearest miss of two props; None where none pass each other.
        body_miss: likewise of a prop and a body.
    """

    text: str
    duration: float
    jugglers: int
    props: int
    throws: tuple[Flight, ...]
    hands: tuple[HandMeasures, ...]
    out_of_reach: tuple[OutOfReach, ...]
    collisions: tuple[Collision, ...]
    miss: NearMiss | None
    body_miss: NearMiss | None


def analyse(animation: Animation) -> Analysis:
    """Measure one loop of an animation."""
    collisions = find_collisions(animation)
    return Analysis(
        text=animation.text,
        duration=animation.duration,
        jugglers=animation.jugglers,
        props=animation.choreography.props,
        throws=measure_throws(animation.motion),
        hands=measure_hands(animation.motion),
        out_of_reach=find_out_of_reach(animation),
        collisions=collisions.collisions,
        miss=collisions.miss,
        body_miss=collisions.body_miss,
    )


def as_text(analysis: Analysis) -> str:
    """Return a report of a few lines for each kind of measurement, with units."""
    several = analysis.jugglers > 1
    lines = [
        f"{analysis.text}: {counted(analysis.props, 'prop')}, {counted(analysis.jugglers, 'juggler')}, "
        f"a loop of {analysis.duration:.3f} s"
    ]
    lines += _section("throws", _throws(analysis.throws))
    lines += _section("hands", _hands(analysis.hands, several))
    lines += _section("reach", _reach(analysis, several))
    lines += _section("collisions", _collisions(analysis, several))
    lines += _section("nearest", _nearest(analysis, several))
    return "\n".join(lines)


def as_data(analysis: Analysis) -> dict[str, Any]:
    """Return all measurements as JSON data, in units of [s], [m] and [N]."""
    data = asdict(analysis)
    for name in ("throws", "hands", "out_of_reach", "collisions"):
        data[name] = list(data[name])
    data["hands"] = [{"name": hand_name(each["hand"], analysis.jugglers > 1), **each} for each in data["hands"]]
    return data


def hand_name(hand: int, several: bool = True) -> str:
    """Return the name of a hand, with the number of its juggler if there are several."""
    side = ("left", "right")[hand % 2]
    return f"{hand // 2 + 1} {side}" if several else side


def _section(name: str, rows: list[str]) -> list[str]:
    more = [f"… and {len(rows) - _MOST_ROWS} more; --json has them all"] if len(rows) > _MOST_ROWS else []
    rows = rows[:_MOST_ROWS] + more
    return [f"  {name if not number else '':<12}{row}" for number, row in enumerate(rows)]


def _throws(throws: Iterable[Flight]) -> list[str]:
    """Equal throws in one line, the highest first."""
    alike: Counter[tuple[float, float, float, int]] = Counter(
        (round(each.height, 2), round(each.flight, 2), round(each.dwell, 2), each.bounces) for each in throws
    )
    return [
        f"{count} × {height:.2f} m high, flight {flight:.2f} s, dwell {dwell:.2f} s"
        + (f", {counted(bounces, 'bounce')}" if bounces else "")
        for (height, flight, dwell, bounces), count in sorted(alike.items(), reverse=True)
    ] or ["none"]


def _hands(hands: Iterable[HandMeasures], several: bool) -> list[str]:
    rows: list[tuple[str, ...]] = [("", "height", "speed", "acceleration", "jerk", "force")]
    rows += [("", "m", "m/s", "g", "m/s³", "N")]
    rows += [
        (
            hand_name(use.hand, several),
            f"{use.lowest:.2f} to {use.highest:.2f}",
            _figures(use.speed, 1),
            _figures(use.acceleration, 1, STANDARD_GRAVITY),
            _figures(use.jerk, 0),
            _figures(use.force, 1),
        )
        for use in hands
    ]
    return columns(rows) + ["(the greatest value and, in brackets, the root mean square)"]


def _figures(extent: PeakAndRms, decimals: int, unit: float = 1.0) -> str:
    return f"{extent.peak / unit:,.{decimals}f} ({extent.rms / unit:,.{decimals}f})"


def _reach(analysis: Analysis, several: bool) -> list[str]:
    return [
        f"{hand_name(span.hand, several)} hand {_span(span.start, span.end)}, short by {100 * span.worst:.1f} cm"
        for span in analysis.out_of_reach
    ] or ["every hand always comes to its place"]


def _collisions(analysis: Analysis, several: bool) -> list[str]:
    return [
        f"{_participants(each, several)} {_span(each.start, each.end)}, {100 * each.overlap:.1f} cm deep"
        for each in analysis.collisions
    ] or ["none"]


def _nearest(analysis: Analysis, several: bool) -> list[str]:
    return [
        f"{_participants(miss, several)} at {miss.time:.3f} s, {100 * miss.gap:.1f} cm apart"
        for miss in (analysis.miss, analysis.body_miss)
        if miss
    ] or ["nothing passes anything"]


def _participants(meeting: Collision | NearMiss, several: bool) -> str:
    """The names of a pair; props are counted from 1."""
    if meeting.other >= 0:
        return f"prop {meeting.prop + 1} and prop {meeting.other + 1}"
    whose = f"{meeting.part} of juggler {meeting.juggler + 1}" if several else meeting.part
    return f"prop {meeting.prop + 1} and {whose}"


def _span(start: float, end: float) -> str:
    return f"from {start:.3f} to {end:.3f} s"


def columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows of cells as aligned lines: the first column on the left, all others on the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
