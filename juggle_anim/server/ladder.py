"""Answers to what the page asks about its ladder: the diagram, where a throw may land, and menus
of editing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from juggle_anim.animation import Animation
from juggle_anim.diagrams import (
    Diagram,
    DiagramOptions,
    Lanes,
    Timeline,
    hand_name,
    ladder,
    svg,
    throw_in_words,
)
from juggle_anim.edit_menu import Entry, pattern_lines, throw_lines
from juggle_anim.errors import EditError, JuggleError, sentence
from juggle_anim.language import _
from juggle_anim.pattern import hand_of
from juggle_anim.server.exchange import Query, settings_by_key

_ROUNDING = 1e-9  # of times, [s]
_ROW_LENGTH = 100.0  # of a ladder in the page, [mm]


class _Ladder(NamedTuple):
    """A ladder diagram with what it shows."""

    diagram: Diagram
    timeline: Timeline
    lanes: Lanes

    @classmethod
    def of(cls, animation: Animation) -> _Ladder:
        """Return the ladder of an animation that the page shows."""
        # The page says above it what plays.
        palette = animation.look.palette
        options = DiagramOptions(longest=_ROW_LENGTH, palette=palette, headed=False)
        diagram = ladder(animation.score, animation.choreography, options)
        loops = round(diagram.span / animation.choreography.duration)
        timeline = Timeline(animation.score, animation.choreography, loops)
        return cls(diagram, timeline, Lanes(timeline, down=False))

    def place(self, time: float, hand: int, lane: int = 0) -> dict[str, float]:
        """Return where a hand is at a time [s], as shares of the width and height of the sheet."""
        sheet = self.diagram.drawing
        within = (time + _ROUNDING) % self.diagram.span
        row = next(row for row in self.diagram.rows if within < row.end)
        along = (within - row.start) / (row.end - row.start) * row.length
        return {
            "x": (row.corner[0] + along) / sheet.width,
            "y": (row.corner[1] + self.lanes.across(hand, lane)) / sheet.height,
        }


def shown_ladder(animation: Animation) -> dict[str, Any]:
    """Return the ladder diagram for the page, as JSON values.

    "svg" is the picture, and "sheet" the same with a heading, to be saved.

    "rows" are its ranges of time, each with "start" and "end", [s], and its
    rectangle in the picture: "left", "top", "length" and "depth", as shares of width and height.
    "throws" are in order of time: the "number" for `landings` and `menu`, the place of the throw
    ("x" and "y") and of its landing ("end"), in the same shares, its "words", "time" [s], "hand" (0
    is the left hand of the first juggler) and "text". Events without beats have no number, as they
    cannot be edited.
    """
    drawn = _Ladder.of(animation)
    sheet = drawn.diagram.drawing
    headed = DiagramOptions(longest=_ROW_LENGTH, palette=animation.look.palette)
    return {
        "svg": svg(sheet),
        "sheet": svg(ladder(animation.score, animation.choreography, headed).drawing),
        "rows": [
            {
                "start": row.start,
                "end": row.end,
                "left": row.corner[0] / sheet.width,
                "top": row.corner[1] / sheet.height,
                "length": row.length / sheet.width,
                "depth": row.depth / sheet.height,
            }
            for row in drawn.diagram.rows
        ],
        "throws": sorted(
            _throws(drawn, editable=_is_editable(animation)), key=lambda throw: throw["time"]
        ),
    }


def _is_editable(animation: Animation) -> bool:
    """Return whether settings say all: not of a routine that was laid out, nor of placed events."""
    return animation.pattern is not None and animation.score.routine is None


def _throws(drawn: _Ladder, *, editable: bool) -> Iterator[dict[str, Any]]:
    """Yield the JSON values of each throw and each held beat of a ladder for the page.

    Args:
        drawn: the ladder, with its timeline; `place` converts a time and a hand to coordinates.
        editable: whether throws have numbers, by which the page requests an edit.

    Yields:
        JSON values: place, time, hand and text of the throw, its landing ("end") and "words";
        "number" counts throws over all loops.
    """
    timeline = drawn.timeline
    # Throws in one loop.
    count = len(timeline.pattern.throws) if timeline.pattern else 0
    jugglers = timeline.choreography.jugglers

    def row(time: float, hand: int, lane: int, throw: int, text: str) -> dict[str, Any]:
        # The number of a throw counts on from loop to loop. `_ROUNDING` keeps a throw at the very
        # start of a loop from being counted to the loop before.
        loop_index = int((time + _ROUNDING) // timeline.choreography.duration)
        number = {"number": loop_index * count + throw} if editable else {}
        return {**number, **drawn.place(time, hand, lane), "time": time, "hand": hand, "text": text}

    for flight in timeline.flights:
        # Only throws within the time shown; those made earlier only land in it.
        if 0.0 <= flight.throw_time < timeline.span - _ROUNDING:
            throw = timeline.throw_number(flight.index)
            yield {
                **row(flight.throw_time, flight.hand, flight.lane, throw, flight.text),
                "end": drawn.place(flight.catch_time, flight.to_hand, flight.to_lane),
                "words": throw_in_words(flight.hand, flight.text, flight.to_hand, jugglers),
            }
    for rest in timeline.rests:
        # A rest is a beat on which a hand holds its prop; the throw of an empty hand is −1.
        if rest.throw >= 0:
            hand = sentence(hand_name(rest.hand, jugglers))
            held = row(rest.time, rest.hand, rest.lane, rest.throw, rest.text)
            yield {
                **held,
                "end": {"x": held["x"], "y": held["y"]},
                "words": _("{hand} holds{value}", hand=hand, value=f" {rest.text}"),
            }


def landings(animation: Animation, query: Query) -> dict[str, Any]:
    """Return where a throw may land, as JSON values.

    "landings" are in order of time, each with its place (x and y as shares of the drawing's width
    and height), the "text" and the "settings" of the pattern that results, and whether it is the
    "present" one.

    Args:
        animation: the animation with the throw.
        query: its `throw` is a number of a throw of the ladder, over all loops that it shows.

    Raises:
        EditError: there is no such throw.
    """
    drawn = _Ladder.of(animation)
    loop_index, throw = _throw(animation, drawn.timeline, query)
    pattern = drawn.timeline.pattern
    assert pattern is not None, "only throws of patterns are shown"
    edited_throw = pattern.throws[throw]
    # The beat, juggler and hand of the present landing.
    present = edited_throw.beat + edited_throw.value, edited_throw.to_juggler, edited_throw.to_hand
    rows = []
    for landing in animation.edit().landings_of(throw):
        time = drawn.timeline.time_of(landing.beat + loop_index * pattern.period)
        is_present = landing[:3] == present
        after = animation if is_present else animation.edit().aim_throw(throw, landing[:3])
        rows.append(
            {
                **drawn.place(time, 2 * landing.juggler + landing.hand),
                "text": landing.siteswap,
                "settings": settings_by_key(after.settings),
                "present": is_present,
            }
        )
    return {"landings": rows}


def menu(animation: Animation, query: Query) -> dict[str, Any]:
    """Return the edit menu of a throw or of the whole pattern, as JSON values.

    "title" names the subject. Each of "lines" has its "words", and either the "result" in short
    with its "settings", or the reason why it is "refused", or the number of a submenu as "line".

    Args:
        animation: the edited animation.
        query: its `throw` is a number of `shown_ladder`, or None for the whole pattern; `line` is
            the line of the submenu, or None for the main menu.

    Raises:
        EditError: there is no such throw or line, or it is no pattern that settings can say.
    """
    if not _is_editable(animation):
        raise EditError(_("only patterns of throws on beats can be edited here"))
    title = _("Whole pattern")
    if query.throw is None:
        lines = pattern_lines(animation)
    else:
        timeline = Timeline(animation.score, animation.choreography, 1)
        _loop_index, throw = _throw(animation, timeline, query)
        assert timeline.pattern is not None, "a pattern is editable"
        thrown = timeline.pattern.throws[throw]
        title = throw_in_words(
            hand_of(thrown),
            timeline.text(thrown),
            2 * thrown.to_juggler + thrown.to_hand,
            animation.num_jugglers,
        )
        lines = throw_lines(animation, throw, symmetric=True)
    if query.line is None:
        rows = [_line(number, entry, animation) for number, entry in enumerate(lines)]
        return {"title": title, "lines": rows}
    if not (0 <= query.line < len(lines) and lines[query.line].lines):
        raise EditError(_("the menu has no such item"))
    chosen = lines[query.line]
    rows = [_line(number, entry, animation) for number, entry in enumerate(chosen.lines)]
    return {"title": chosen.words, "lines": rows}


def _throw(animation: Animation, timeline: Timeline, query: Query) -> tuple[int, int]:
    """Return the loop of a throw on a ladder, and its number in the loop.

    Raises:
        EditError: there is no such throw.
    """
    throws = len(timeline.pattern.throws) if timeline.pattern else 0
    if query.throw is None or query.throw < 0 or not (throws and _is_editable(animation)):
        raise EditError(_("there is no such throw"))
    return divmod(query.throw, throws)


def _line(number: int, entry: Entry, animation: Animation) -> dict[str, Any]:
    """Return a line of a menu as JSON values; its change is made to tell the settings after it."""
    row: dict[str, Any] = {"words": entry.words, "result": entry.result}
    if entry.lines:
        return {**row, "line": number}
    if entry.refused or entry.change is None:
        return {**row, "refused": entry.refused}
    try:
        return {**row, "settings": settings_by_key(entry.change(animation.edit()).settings)}
    except JuggleError as error:
        return {**row, "refused": sentence(str(error))}
