"""Placement: from lines and resolved throws to a pattern; where each juggler has a line, their
start times as well.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from juggle_anim.errors import NotationError, either, joined_names
from juggle_anim.language import _, ngettext
from juggle_anim.notation.limits import MAX_DIVISION, MAX_PROPS
from juggle_anim.notation.numbers import mixed_number
from juggle_anim.notation.prechac.syntax import (
    JugglerLine,
    Line,
    PassingPattern,
    ResolvedThrow,
    fitted_value,
    landing_hand,
    nearest_value,
    rounded_text,
)
from juggle_anim.notation.siteswap.syntax import receiver_of
from juggle_anim.pattern import Pattern, Throw

_Site = tuple[int, int, int]
"""Beat of the catcher's own line, juggler and hand."""


class _Flight(NamedTuple):
    resolved: ResolvedThrow
    lands: _Site


def place_passing(text: str, passing: PassingPattern) -> Pattern:
    """Return the pattern of a passing pattern, its beats divided so that all jugglers throw on
    whole parts.

    Raises:
        NotationError: a throw lands between the beats of its receiver, the number of props is a
            fraction or too large, or props do not land one for one where throws are made.
    """
    hands = _hands(passing)
    flights = [
        _Flight(resolved, _landing(text, passing, resolved, hands)) for resolved in passing.throws
    ]
    _check_props(text, passing)
    _check_landings(text, passing, flights, hands)
    division = lcm(*(part.start.denominator for part in passing.parts))
    if division > MAX_DIVISION:
        reason = _("these jugglers would divide each beat into {division} parts", division=division)
        accepted = _(
            "at most {max_division} parts are allowed: fewer jugglers", max_division=MAX_DIVISION
        )
        raise NotationError(text, _text_start(passing), reason, accepted)
    period = passing.period * division
    throws = sorted(
        (_throw(passing, flight, division) for flight in flights), key=lambda throw: throw[:3]
    )
    turns = [
        (_time(passing, beat, juggler, division), juggler, hand ^ part.mirrored)
        for juggler, part in enumerate(passing.parts)
        for beat, hand, _ in part.line.until(passing.period)
    ]
    written = passing.written_beats * division
    return Pattern(
        text,
        tuple(throws),
        period,
        written,
        len(passing.parts),
        division,
        turns=tuple(sorted(turns)),
    )


def _hands(passing: PassingPattern) -> dict[tuple[int, int], int | None]:
    """By beat and juggler, the hand whose turn it is; None where both throw."""
    hands: dict[tuple[int, int], int | None] = {}
    for juggler, part in enumerate(passing.parts):
        for beat, hand, slot in part.line.until(passing.period):
            hands[beat, juggler] = hand ^ part.mirrored if slot.hand is None else None
    return hands


def _landing(
    text: str,
    passing: PassingPattern,
    resolved: ResolvedThrow,
    hands: dict[tuple[int, int], int | None],
) -> _Site:
    thrown = passing.parts[resolved.juggler]
    caught = passing.parts[resolved.receiver]
    beat = resolved.beat + thrown.start + resolved.value - caught.start
    if beat.denominator > 1:
        raise NotationError(text, resolved.throw.start, *_between(passing, resolved))
    at = int(beat) % passing.period
    hand = hands.get((at, resolved.receiver))
    if hand is None:
        return at, resolved.receiver, landing_hand(resolved.hand, resolved.throw)
    return at, resolved.receiver, 1 - hand if resolved.throw.crossing else hand


def _between(passing: PassingPattern, resolved: ResolvedThrow) -> tuple[str, str]:
    later = (passing.parts[resolved.receiver].start - passing.parts[resolved.juggler].start) % 1
    whole = resolved.throw.value.numerator // resolved.throw.value.denominator
    values = [whole + later + step for step in (-1, 0, 1, 2) if whole + later + step > 0]
    first, second = sorted(values, key=lambda value: (abs(value - resolved.throw.value), value))[:2]
    reason = _(
        "the {text} lands between the beats of juggler {receiver}",
        text=resolved.throw.text,
        receiver=resolved.receiver + 1,
    )
    off = (
        _("who begins {later} beats off", later=rounded_text(later))
        if later
        else _("who throws on the same beats")
    )
    near = either([f"{rounded_text(value)}p" for value in sorted((first, second))])
    return reason, _(
        "a pass to juggler {receiver}, {off}, such as {near}",
        receiver=resolved.receiver + 1,
        off=off,
        near=near,
    )


def _check_props(text: str, passing: PassingPattern) -> None:
    total = sum((resolved.value for resolved in passing.throws), Fraction(0))
    props = total / passing.period
    if props.denominator > 1:
        average = _("average {props}, which is the number of props", props=mixed_number(props))
        reason = _(
            "the throws of the {count} jugglers {average}",
            count=len(passing.parts),
            average=average,
        )
        share = Fraction(passing.written_beats, len(passing.parts) if passing.is_shared_line else 1)
        lower = share * int(props)
        upper = share * (int(props) + 1)
        each = _("a juggler's throws") if passing.is_shared_line else "they"
        totals = _("{lower} or {upper}", lower=mixed_number(lower), upper=mixed_number(upper))
        accepted = ngettext(
            "it must be whole: over {number} beat {each} may add up to {totals}",
            "it must be whole: over {number} beats {each} may add up to {totals}",
            passing.written_beats,
            each=each,
            totals=totals,
        )
        raise NotationError(text, _text_start(passing), reason, accepted)
    if props > MAX_PROPS:
        raise NotationError(
            text,
            _text_start(passing),
            _("this takes {props} props", props=props),
            _("at most {max_props} are allowed", max_props=MAX_PROPS),
        )


def _check_landings(
    text: str,
    passing: PassingPattern,
    flights: list[_Flight],
    hands: dict[tuple[int, int], int | None],
) -> None:
    capacity = Counter(
        (resolved.beat, resolved.juggler, resolved.hand) for resolved in passing.throws
    )
    landed: dict[_Site, list[ResolvedThrow]] = {}
    # Blame passes rather than self throws.
    for resolved, site in sorted(
        flights, key=lambda flight: flight.resolved.throw.receiver is not None
    ):
        landed.setdefault(site, []).append(resolved)
        if len(landed[site]) > capacity[site]:
            raise NotationError(
                text, resolved.throw.start, *_collision(passing, landed[site], flights, capacity)
            )


def _collision(
    passing: PassingPattern,
    landed: list[ResolvedThrow],
    flights: list[_Flight],
    capacity: Counter[_Site],
) -> tuple[str, str]:
    """Why they do not fit, and what would."""
    last = landed[-1]
    beats = [
        resolved.beat + passing.parts[resolved.juggler].start + resolved.value
        for resolved in landed
    ]
    latest = max(beats)
    # Each throw of the round that meets the others; one that was thrown before the first beat is
    # counted below 1.
    thrown = [latest - resolved.value for resolved in landed]
    names = [
        _(
            "the {text} that juggler {juggler} throws on beat {beat}",
            text=resolved.throw.text,
            juggler=resolved.juggler + 1,
            beat=rounded_text(beat + 1),
        )
        for resolved, beat in zip(landed, thrown, strict=True)
    ]
    where = _(
        "juggler {receiver} on beat {latest}",
        receiver=last.receiver + 1,
        latest=rounded_text(latest + 1),
    )
    if len(landed) == 1:
        reason = _(
            "{names} comes to {where}, when that hand throws nothing", names=names[0], where=where
        )
    else:
        reason = _(
            "{names} come to {where}, who throws only {count} then",
            names=joined_names(names),
            where=where,
            count=len(landed) - 1,
        )
    return reason, _instead(passing, last, flights, capacity)


def _instead(
    passing: PassingPattern, blamed: ResolvedThrow, flights: list[_Flight], capacity: Counter[_Site]
) -> str:
    """Suggest the value with which all would fit, if one throw is enough; else the rule."""
    missing = capacity - Counter(flight.lands for flight in flights)
    rounds = (
        passing.period
        // passing.written_beats
        * (len(passing.parts) if passing.is_shared_line else 1)
    )
    site = next(flight.lands for flight in flights if flight.resolved is blamed)
    wanted = [
        place
        for place in missing
        if place[1] == blamed.receiver and place[2] in _catching(passing, site, place)
    ]
    if sum(missing.values()) > rounds or not wanted:
        return _("as many props must come to each juggler, on every beat, as are thrown then")
    steps = [
        (place[0] - site[0] + turn * passing.period) for place in wanted for turn in (-1, 0, 1)
    ]
    values = [blamed.value + step for step in steps if blamed.value + step > 0]
    best = min(values, key=lambda value: (abs(value - blamed.value), value))
    flag = "p" if blamed.throw.receiver is not None else ""
    return _("with {best}{flag} in its place all would fit", best=rounded_text(best), flag=flag)


def _catching(passing: PassingPattern, site: _Site, place: _Site) -> tuple[int, ...]:
    """The hands that a throw of another value may come to: where both hands throw at once, the same
    as now.
    """
    if passing.parts[place[1]].line.singles_only:
        return (0, 1)
    return (site[2],) if (place[0] - site[0]) % 2 == 0 else (1 - site[2],)


def _throw(passing: PassingPattern, flight: _Flight, division: int) -> Throw:
    resolved, (_unused, receiver, to_hand) = flight
    juggler, beat, hand, throw, value, _unused = resolved
    time = _time(passing, beat, juggler, division)
    return Throw(time, juggler, hand, int(value * division), receiver, to_hand, *throw.modifier)


def _time(passing: PassingPattern, beat: int, juggler: int, division: int) -> int:
    return int((beat + passing.parts[juggler].start) * division) % (passing.period * division)


def _text_start(passing: PassingPattern) -> int:
    return passing.parts[0].line.start


def resolve_sides(lines: tuple[Line, ...], delays: tuple[Fraction, ...] = ()) -> PassingPattern:
    """Resolve a line for each juggler.

    A pass of 4.5 beats goes to a juggler who is half a beat off; a juggler without passes begins
    with the first.

    Args:
        lines: of all jugglers.
        delays: when each begins, [beats]; without them each begins within the first beat, or the
            first two where all throw pairs. Where passes are whole and would land between beats,
            they count the beats of both lines, and take longer by as much as their receiver begins
            later.
    """
    starts = dict(enumerate(delays)) if delays else _starts(lines)
    parts = tuple(
        JugglerLine(line, starts.get(juggler, Fraction(0))) for juggler, line in enumerate(lines)
    )
    period = max(line.loop for line in lines)
    throws = [
        ResolvedThrow(
            juggler,
            beat,
            hand,
            throw,
            nearest_value(throw, len(lines)),
            receiver_of(throw.receiver, juggler, len(lines)),
        )
        for juggler, line in enumerate(lines)
        for beat, hand, slot in line.until(period)
        for throw in slot.thrown
    ]
    if delays:
        throws = _with_delays(throws, delays)
    written = lines[0].beats * (1 + any(line.swaps for line in lines))
    return PassingPattern(parts, tuple(throws), period, written, is_shared_line=False)


def _with_delays(throws: list[ResolvedThrow], delays: tuple[Fraction, ...]) -> list[ResolvedThrow]:
    later = [delays[resolved.receiver] - delays[resolved.juggler] for resolved in throws]
    fitted = [
        fitted_value(resolved.throw, shift) for resolved, shift in zip(throws, later, strict=True)
    ]
    whole = all(resolved.value.denominator == 1 for resolved in throws)
    moved = [resolved.value + shift for resolved, shift in zip(throws, later, strict=True)]
    if None in fitted and whole and all(value > 0 for value in moved):
        return [
            resolved._replace(value=value) for resolved, value in zip(throws, moved, strict=True)
        ]
    return [
        resolved._replace(value=value or resolved.value)
        for resolved, value in zip(throws, fitted, strict=True)
    ]


def _starts(lines: tuple[Line, ...]) -> dict[int, Fraction]:
    within = (
        2
        if all(
            slot.hand is not None and slot.beat % 2 == 0 for line in lines for slot in line.slots
        )
        else 1
    )
    neighbours: dict[int, list[tuple[int, Fraction]]] = {
        juggler: [] for juggler in range(len(lines))
    }
    for juggler, line in enumerate(lines):
        for throw in [throw for slot in line.slots for throw in slot.thrown]:
            receiver = receiver_of(throw.receiver, juggler, len(lines))
            later = nearest_value(throw, len(lines))
            neighbours[juggler].append((receiver, later))
            neighbours[receiver].append((juggler, -later))
    starts: dict[int, Fraction] = {}
    for first in range(len(lines)):
        starts.setdefault(first, Fraction(0))
        queue = [first]
        for juggler in queue:
            for other, later in neighbours[juggler]:
                if other not in starts:
                    starts[other] = (starts[juggler] + later) % within
                    queue.append(other)
    return starts
