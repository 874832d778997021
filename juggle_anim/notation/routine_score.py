"""Lines of routines laid out as a score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from juggle_anim.choreography import Score
from juggle_anim.choreography.score import RoutineLine, RoutineScript
from juggle_anim.errors import (
    ChoreographyError,
    JuggleError,
    NotationError,
    PatternError,
    RoutineError,
)
from juggle_anim.language import _
from juggle_anim.notation.settings.settings import Settings, with_settings
from juggle_anim.notation.siteswap.syntax import Placement
from juggle_anim.notation.siteswap.write import throw_text
from juggle_anim.pattern import Throw
from juggle_anim.tosses.routine import RoutineLayout
from juggle_anim.tosses.segment import Length, Segment
from juggle_anim.tosses.toss import Toss

_LONGEST_TITLE = 60  # characters of a title that is made of lines


class RoutineText(NamedTuple):
    """A line that is read: a pattern with its length, or a stop.

    Attributes:
        number: from 1.
        text: as it stands in the file, without a comment.
        segment: what is juggled; None for a stop.
        length: for how long; None for a stop without a time.
        given: the line with the throws that lead to it, its number, the index of the throws in it,
            and these; None to find them.
    """

    number: int
    text: str
    segment: Segment | None = None
    length: Length | None = None
    given: tuple[int, str, int, Placement] | None = None


def routine_score(
    lines: Sequence[RoutineText], head: Mapping[str, str], text: str, name: str
) -> Score:
    """Lay out lines.

    Args:
        lines: as they are juggled, with repeats.
        head: settings in words above them.
        text: of all.
        name: of the file.

    Raises:
        RoutineError: a line cannot be juggled where it stands.
    """
    segments = [line.segment for line in lines if line.segment]
    looks = {key: value for key, value in head.items() if key != "title"}
    first = Settings(segments[0].score)
    style = (
        with_settings(first, **looks).score.staging.props if looks else first.score.staging.props
    )
    layout = RoutineLayout(segments, style)
    juggled = [*lines, RoutineText(0, "stop")] if lines[-1].segment else list(lines)
    for line in juggled:
        problem = _add(layout, line)
        if problem:
            raise RoutineError(name, [problem])
    try:
        choreography = layout.choreography()
    except ChoreographyError as error:
        at = max(range(len(juggled)), key=lambda place: abs(layout.placed[place].more))
        there = NotationError(
            juggled[at].text, 0, str(error), _("a change of the number of props by fewer")
        )
        raise RoutineError(name, [(juggled[at].number, there)]) from None
    timed = []
    for line, each in zip(juggled, layout.placed, strict=True):
        begins, enters, ends = (
            layout.clock.at(beat) for beat in (each.leaves, each.enters, each.until)
        )
        timed.append(
            RoutineLine(
                line.text.strip(), line.number, begins, enters, ends, each.throws, each.more
            )
        )
    values = tuple(_value(toss, choreography.jugglers, layout.parts) for toss in layout.flown)
    script = RoutineScript(text, tuple(timed), choreography, values)
    return Score(placed=choreography, title=head.get("title") or _title(lines, name), script=script)


def _add(layout: RoutineLayout, line: RoutineText) -> tuple[int, NotationError] | None:
    """Let a line follow; the number of the one that is wrong and why, if it cannot."""
    if line.segment is None:
        layout.stop(line.length and line.length.amount)
        return None
    throws = None
    if line.given:
        made = line.given[3]
        written = line.given[3].written_period
        throws = tuple(each.throw for each in made.throws if each.throw.beat < written), written
    try:
        layout.add(line.length or Length(1, "loops"), throws)
    except PatternError as error:
        assert line.given, "other throws are found"
        number, text, start, placed = line.given
        within = placed.throws[error.throw].start if error.throw is not None else len(text) - start
        accepted = _("other throws, or no transition line, and the shortest are found")
        return number, NotationError(text, start + within, str(error), accepted)
    except JuggleError as error:
        return line.number, NotationError(line.text, 0, str(error))
    return None


def _title(lines: Sequence[RoutineText], name: str) -> str:
    stem = Path(name).stem
    if stem and stem != "routine":
        return stem
    names = [
        line.segment.score.name
        for line in {line.number: line for line in lines}.values()
        if line.segment
    ]
    title = " → ".join(names)
    return title if len(title) <= _LONGEST_TITLE else " → ".join((names[0], "…", names[-1]))


def _value(toss: Toss, jugglers: int, division: int) -> str:
    """The value of a flight as a siteswap writes it; nothing where a prop is put down."""
    return "" if toss.rests else throw_text(_plain(toss.throw, division), jugglers, division)


def _plain(throw: Throw, division: int) -> Throw:
    """A throw as a siteswap writes it: that it is thrown is only said where it might be held, as a
    2 is.
    """
    same = (throw.juggler, throw.hand) == (throw.to_juggler, throw.to_hand)
    return throw if same and throw.value <= 2 * division else throw._replace(held=None)
