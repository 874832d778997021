"""The analysis of an animation: everything that is measured, and its report as text and as data."""

from __future__ import annotations

import colorsys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from juggle_anim.analysis.collisions import Collision, Collisions, NearMiss, find_collisions
from juggle_anim.analysis.measures import (
    SIDES,
    STANDARD_GRAVITY,
    Flight,
    HandMeasures,
    LoopStatistics,
    OutOfReach,
    find_out_of_reach,
    measure_hands,
)
from juggle_anim.animation import Animation
from juggle_anim.errors import counted
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import ShortRepr, dataclass
from juggle_anim.parameters import Result, Table, flat_row, plain_data

_MAX_ROWS_OF_SECTION = 12

_HUES = (
    (18.0, N_("red")),
    (45.0, N_("orange")),
    (70.0, N_("yellow")),
    (172.0, N_("green")),
    (190.0, N_("turquoise")),
    (255.0, N_("blue")),
    (295.0, N_("purple")),
    (345.0, N_("pink")),
    (360.0, N_("red")),
)
"""Names of colours by the hue at which each ends, [°]."""

# Colours with less saturation have no hue; of these, darker ones are black and lighter ones white.
_LEAST_SATURATION = 0.15
_BLACK_LIGHTNESS = 0.15
_WHITE_LIGHTNESS = 0.85


@dataclass(frozen=True, repr=False)
class Analysis(Result, ShortRepr):
    """Measurements of one loop of a pattern; `analyse` makes them.

    Args:
        text: the pattern.
        duration: duration of the loop, [s] of the pattern's own time.
        jugglers, props: their numbers.
        throws: every flight that begins in the loop, by the time of its throw.
        hands: motion and load of each hand.
        out_of_reach: time spans in which hands do not reach their place.
        collisions: collisions of props with props and with bodies, by time.
        miss: the nearest miss of two props; None where none pass each other.
        body_miss: the nearest miss of a prop and a body; None where none pass each other.
        name: the name of the pattern.
        siteswap: its throws.
        period: of the siteswap, [beats]; None for events.
        max_throw: the highest throw, siteswap.
    """

    text: str
    duration: float
    jugglers: int
    props: int
    throws: Table[Flight]
    hands: Table[HandMeasures]
    out_of_reach: tuple[OutOfReach, ...]
    collisions: Table[Collision]
    miss: NearMiss | None
    body_miss: NearMiss | None
    name: str = ""
    siteswap: str = ""
    period: int | None = None
    max_throw: int = 0

    @property
    def narrowest_gap(self) -> float | None:
        """The least gap of two props, below 0 where they collide; None if none pass, [m]."""
        depths = [-collision.overlap for collision in self.collisions if collision.other >= 0]
        gaps = [self.miss.gap] if self.miss else []
        return min(depths + gaps, default=None)

    def __str__(self) -> str:
        return as_text(self)

    def to_dict(self) -> dict[str, Any]:
        """All measurements as JSON data; see `as_data`."""
        return as_data(self)

    @property
    def summary(self) -> dict[str, Any]:
        """The most important measures by their names; those of hands are the greatest of all."""
        return {
            "name": self.name,
            "pattern": self.siteswap,
            "num_props": self.props,
            "period": self.period,
            "duration": self.duration,
            "max_throw": self.max_throw,
            "height": max((throw.height for throw in self.throws), default=0.0),
            "hand_speed": max((hand.speed.peak for hand in self.hands), default=0.0),
            "hand_acceleration": max((hand.acceleration.peak for hand in self.hands), default=0.0),
            "hand_force": max((hand.force.peak for hand in self.hands), default=0.0),
            "narrowest_gap": self.narrowest_gap,
            "collisions": len(self.collisions),
        }

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A single row: the `summary`, then all measures of each hand, then the nearest misses."""
        data = self.to_dict()
        hands = {hand.pop("name"): hand for hand in data["hands"]}
        misses = {name: data[name] for name in ("miss", "body_miss")}
        return [self.summary | flat_row(hands | misses | {"throws": data["throws"]})]


def analyse(animation: Animation) -> Analysis:
    """Measure throws, hands, reach, collisions and near misses in one loop of an animation."""
    collisions = find_collisions(animation)
    throws = animation.throws
    return Analysis(
        text=animation.text,
        duration=animation.duration,
        jugglers=animation.num_jugglers,
        props=animation.choreography.props,
        throws=throws,
        hands=measure_hands(animation.motion, throws),
        out_of_reach=find_out_of_reach(animation),
        collisions=Table(collisions.collisions),
        miss=collisions.miss,
        body_miss=collisions.body_miss,
        name=animation.title,
        siteswap=animation.siteswap,
        period=animation.period,
        max_throw=animation.max_throw,
    )


def as_text(analysis: Analysis) -> str:
    """Return a report of a few lines for each kind of measurement, with units.

    A first line names the pattern; then come sections: throws, hands, reach, collisions and the
    nearest misses.

    Args:
        analysis: the measurements.
    """
    lines = [
        _(
            "{text}: {props}, {jugglers}, a loop of {duration:.3f} s",
            text=analysis.text,
            props=counted(analysis.props, "prop"),
            jugglers=counted(analysis.jugglers, "juggler"),
            duration=analysis.duration,
        )
    ]
    lines += _section_lines(_("throws"), _throw_rows(analysis.throws))
    lines += _section_lines(
        _("hands"), _hand_rows(analysis.hands, several_jugglers=analysis.jugglers > 1)
    )
    lines += _section_lines(_("reach"), _reach_rows(analysis))
    lines += _section_lines(_("collisions"), _collision_rows(analysis))
    lines += _section_lines(_("nearest"), _nearest_rows(analysis))
    return "\n".join(lines)


def as_data(analysis: Analysis) -> dict[str, Any]:
    """Return all measurements as JSON data in SI units, keyed by the names of their fields.

    Each hand also has a name, such as "left" or "2 left", which is the same in every language.

    Args:
        analysis: the measurements.
    """
    data = {name: plain_data(value) for name, value in vars(analysis).items()}
    for measures, hand in zip(data["hands"], analysis.hands, strict=True):
        measures["name"] = _plain_name(hand.hand, several_jugglers=analysis.jugglers > 1)
    return data


def hand_name(hand: int, *, several_jugglers: bool) -> str:
    """Return the name of hand 2 · juggler + side, with the juggler if there are several."""
    side = (_("left"), _("right"))[hand % 2]
    return f"{hand // 2 + 1} {side}" if several_jugglers else side


def _plain_name(hand: int, *, several_jugglers: bool) -> str:
    """The name of a hand for programs, which is the same in every language."""
    side = SIDES[hand % 2]
    return f"{hand // 2 + 1} {side}" if several_jugglers else side


def _section_lines(name: str, rows: list[str]) -> list[str]:
    """Return lines of a section of the report: its rows, indented, with its name before the first.

    Args:
        name: name of the section.
        rows: one or more. Those after the first `_MAX_ROWS_OF_SECTION` are left out, and a last row
            says how many.
    """
    shown_rows = rows[:_MAX_ROWS_OF_SECTION]
    left_out = len(rows) - len(shown_rows)
    if left_out:
        shown_rows.append(_("… and {count} more; --json lists them all", count=left_out))
    titles = [name, *[""] * (len(shown_rows) - 1)]
    return [f"  {title:<12}{row}" for title, row in zip(titles, shown_rows, strict=True)]


def _throw_rows(throws: Iterable[Flight]) -> list[str]:
    """Return the rows of the report about throws, the highest first.

    Throws whose height, flight time and dwell are equal when rounded to two decimals, and which
    bounce equally often, share one row, which begins with their number.

    Args:
        throws: throws in any order; if there are none, the only row says so.
    """
    # The number of throws of each (height [m], flight time [s], dwell [s], number of bounces).
    throw_counts: Counter[tuple[float, float, float, int]] = Counter(
        (round(throw.height, 2), round(throw.flight, 2), round(throw.dwell, 2), throw.bounces)
        for throw in throws
    )
    rows = []
    for (height, flight, dwell, bounces), count in sorted(throw_counts.items(), reverse=True):
        row = _(
            "{count} × {height:.2f} m high, flight {flight:.2f} s, dwell {dwell:.2f} s",
            count=count,
            height=height,
            flight=flight,
            dwell=dwell,
        )
        if bounces:
            row += f", {counted(bounces, 'bounce')}"
        rows.append(row)
    return rows or [_("none")]


def _hand_rows(hands: Iterable[HandMeasures], *, several_jugglers: bool) -> list[str]:
    """Return the lines of a table with a row for each hand, and a note below.

    Columns are the range of heights, and the peak and root mean square of speed, acceleration, jerk
    and force.

    Args:
        hands: measures of each hand, in SI units; acceleration is shown in g.
        several_jugglers: whether there are several jugglers, so that names of hands have a number.
    """
    # Two rows for the names and units of the columns, then a row for each hand.
    rows: list[tuple[str, ...]] = [
        ("", _("height"), _("speed"), _("acceleration"), _("jerk"), _("force"))
    ]
    rows += [("", "m", "m/s", "g", "m/s³", "N")]
    rows += [
        (
            hand_name(measures.hand, several_jugglers=several_jugglers),
            _("{lowest:.2f} to {highest:.2f}", lowest=measures.lowest, highest=measures.highest),
            _peak_and_rms_text(measures.speed, decimals=1),
            _peak_and_rms_text(measures.acceleration, decimals=1, unit=STANDARD_GRAVITY),
            _peak_and_rms_text(measures.jerk, decimals=0),
            _peak_and_rms_text(measures.force, decimals=1),
        )
        for measures in hands
    ]
    return columns(rows) + [_("(maximum; root mean square in brackets)")]


def _peak_and_rms_text(quantity: LoopStatistics, *, decimals: int, unit: float = 1.0) -> str:
    return f"{quantity.peak / unit:,.{decimals}f} ({quantity.rms / unit:,.{decimals}f})"


def _reach_rows(analysis: Analysis) -> list[str]:
    """Return the rows of the report on spans of time in which a hand does not reach its place.

    Each says by how much it is short at worst, in cm. If there are none, the only row says so.

    Args:
        analysis: the measurements.
    """
    rows = [
        _(
            "{hand} hand {span}, short by {worst:.1f} cm",
            hand=hand_name(span.hand, several_jugglers=analysis.jugglers > 1),
            span=_span_text(span.start, span.end),
            worst=100 * span.worst,
        )
        for span in analysis.out_of_reach
    ]
    return rows or [_("every hand reaches its position")]


def _collision_rows(analysis: Analysis) -> list[str]:
    """Return the rows of the report on collisions: of what, from when to when, how deep in cm."""
    rows = [
        _(
            "{participants} {span}, {overlap:.1f} cm deep",
            participants=participants_text(hit, several_jugglers=analysis.jugglers > 1),
            span=_span_text(hit.start, hit.end),
            overlap=100 * hit.overlap,
        )
        for hit in analysis.collisions
    ]
    return rows or [_("none")]


def _nearest_rows(analysis: Analysis) -> list[str]:
    """Return rows on the nearest miss of two props, and of a prop and a body; gaps are in cm.

    If nothing passes anything, the only row says so.

    Args:
        analysis: the measurements; either miss may be None.
    """
    misses = [miss for miss in (analysis.miss, analysis.body_miss) if miss is not None]
    rows = [
        _(
            "{participants} at {time:.3f} s, {gap:.1f} cm apart",
            participants=participants_text(miss, several_jugglers=analysis.jugglers > 1),
            time=miss.time,
            gap=100 * miss.gap,
        )
        for miss in misses
    ]
    return rows or [_("no props pass each other")]


def participants_text(
    meeting: Collision | NearMiss, *, several_jugglers: bool, colours: Sequence[str] = ()
) -> str:
    """Return the names of the two that meet: two props, or a prop and a part of a body.

    Props and jugglers are counted from 1.

    Args:
        meeting: a collision or a miss. Its `other` is −1 if it is with a body, and its `part` then
            the English name of the part, such as "left thigh".
        several_jugglers: whether there are several jugglers, so that the part's owner is named.
        colours: of the props in words, which are said too; empty to leave them out.
    """

    def numbered(prop: int) -> str:
        return f"{prop + 1} ({colours[prop]})" if colours else str(prop + 1)

    prop = numbered(meeting.prop)
    if meeting.other >= 0:
        return _("prop {prop} and prop {other}", prop=prop, other=numbered(meeting.other))
    whose = _(meeting.part)
    if several_jugglers:
        whose = _("{part} of juggler {juggler}", part=whose, juggler=meeting.juggler + 1)
    return _("prop {prop} and {whose}", prop=prop, whose=whose)


def who_meet(meeting: Collision | NearMiss, animation: Animation) -> str:
    """Return who meets, in the current language; two props of different colours by these alone."""
    colours = colour_words(animation)
    pair = [colours[prop] for prop in (meeting.prop, meeting.other) if colours and prop >= 0]
    if len(set(pair)) == 2:
        return _("{colour} and {other_colour}", colour=pair[0], other_colour=pair[1])
    several_jugglers = animation.num_jugglers > 1
    return participants_text(meeting, several_jugglers=several_jugglers, colours=colours)


def colour_words(animation: Animation) -> tuple[str, ...]:
    """Return the colour of each prop in a word; empty if all are the same."""
    words = tuple(_colour_word(*colour) for colour in animation.prop_colours.tolist())
    return words if len(set(words)) > 1 else ()


def _colour_word(red: float, green: float, blue: float) -> str:
    """Return a colour, sRGB, in a word."""
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    if lightness < _BLACK_LIGHTNESS:
        return _("black")
    if saturation < _LEAST_SATURATION:
        return _("white") if lightness > _WHITE_LIGHTNESS else _("grey")
    return next(_(word) for end, word in _HUES if 360.0 * hue <= end)


def collision_text(hit: Collision, animation: Animation) -> str:
    """Return who collides and how deep, in the current language."""
    participants = participants_text(
        hit, several_jugglers=animation.num_jugglers > 1, colours=colour_words(animation)
    )
    return _(
        "Collision: {participants}, overlap {overlap:.1f} cm",
        participants=participants,
        overlap=100 * hit.overlap,
    )


def collision_words(
    collisions: Collisions, animation: Animation
) -> tuple[str, Collision | NearMiss | None]:
    """Return a text on the deepest collision, or on the nearest miss if there is no collision.

    Args:
        collisions: all collisions of a loop, and the nearest misses of two props and of a prop and
            a body.
        animation: their animation. If it has several jugglers, the one who is hit is named; if its
            props have several colours, so are these.

    Returns:
        The text, in the current language, and the collision or miss that it is on; None if props
        pass neither each other nor a body.
    """
    describe = partial(
        participants_text,
        several_jugglers=animation.num_jugglers > 1,
        colours=colour_words(animation),
    )
    if collisions.collisions:
        hit = max(collisions.collisions, key=lambda collision: collision.overlap)
        words = _(
            "yes, {count} in each loop; worst: {participants} at {time:.2f} s, "
            "overlap {overlap:.1f} cm",
            count=len(collisions.collisions),
            participants=describe(hit),
            time=hit.time,
            overlap=100 * hit.overlap,
        )
        return words, hit
    misses = [miss for miss in (collisions.miss, collisions.body_miss) if miss is not None]
    if not misses:
        return _("no"), None
    nearest = min(misses, key=lambda miss: miss.gap)
    words = _(
        "no; closest: {participants}, {gap:.1f} cm at {time:.2f} s",
        participants=describe(nearest),
        time=nearest.time,
        gap=100 * nearest.gap,
    )
    return words, nearest


def _span_text(start: float, end: float) -> str:
    return _("from {start:.3f} to {end:.3f} s", start=start, end=end)


def columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows of cells as lines with aligned columns, two spaces apart.

    The first column is aligned to the left, all others to the right.

    Args:
        rows: one or more, all with the same number of cells.
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        cells[0] = row[0].ljust(widths[0])
        lines.append("  ".join(cells).rstrip())
    return lines
