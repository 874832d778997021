"""Placement: from the jugglers of a prechac pattern and their throws to the pattern itself.

MERGED: A line for each juggler: how far behind the first the others are, as the fractions of their passes say.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from juggle_anim.errors import NotationError, joined_names
from juggle_anim.notation.limits import MAX_DIVISION, MAX_PROPS
from juggle_anim.notation.numbers import mixed_number
from juggle_anim.notation.prechac.syntax import Cast, Line, Made, Part, PrechacThrow, landing_hand, nearest_value, shown
from juggle_anim.notation.siteswap.syntax import NEXT_JUGGLER
from juggle_anim.pattern import Pattern, Throw, Turn

_Site = tuple[int, int, int]
"""Beat of the catcher's own line, juggler and hand."""


class _Flight(NamedTuple):
    made: Made
    lands: _Site


def place_cast(text: str, cast: Cast) -> Pattern:
    """The pattern that some jugglers make together, its beats divided so that all of them throw on whole parts.

    Raises:
        NotationError: a throw lands between the beats of its receiver, the number of props is broken or too great, or
            props do not land one for one where throws are made.
    """
    hands = _hands(cast)
    flights = [_Flight(made, _landing(text, cast, made, hands)) for made in cast.made]
    _check_props(text, cast)
    _check_landings(text, cast, flights, hands)
    division = lcm(*(part.start.denominator for part in cast.parts))
    if division > MAX_DIVISION:
        reason = f"these jugglers would divide each beat into {division} parts"
        raise NotationError(text, _first(cast), reason, f"at most {MAX_DIVISION} parts are allowed: fewer jugglers")
    period = cast.period * division
    throws = sorted((_throw(cast, flight, division) for flight in flights), key=lambda throw: throw[:3])
    turns = [(_time(cast, beat, juggler, division), juggler, hand) for beat, juggler, hand in _turns(cast)]
    written = cast.written * division
    return Pattern(text, tuple(throws), period, written, len(cast.parts), division, turns=tuple(sorted(turns)))


def _turns(cast: Cast) -> list[Turn]:
    return [
        (beat, juggler, hand ^ part.mirrored)
        for juggler, part in enumerate(cast.parts)
        for beat, hand, _ in part.line.until(cast.period)
    ]


def _hands(cast: Cast) -> dict[tuple[int, int], int | None]:
    """By beat and juggler, the hand whose turn it is; None where both throw."""
    hands: dict[tuple[int, int], int | None] = {}
    for juggler, part in enumerate(cast.parts):
        for beat, hand, slot in part.line.until(cast.period):
            hands[beat, juggler] = hand ^ part.mirrored if slot.hand is None else None
    return hands


def _landing(text: str, cast: Cast, made: Made, hands: dict[tuple[int, int], int | None]) -> _Site:
    beat = made.beat + cast.parts[made.juggler].start + made.value - cast.parts[made.receiver].start
    if beat.denominator > 1:
        raise NotationError(text, made.throw.start, *_between(cast, made))
    at = int(beat) % cast.period
    hand = hands.get((at, made.receiver))
    if hand is None:
        return at, made.receiver, landing_hand(made.hand, made.throw)
    return at, made.receiver, 1 - hand if made.throw.crossing else hand


def _between(cast: Cast, made: Made) -> tuple[str, str]:
    later = (cast.parts[made.receiver].start - cast.parts[made.juggler].start) % 1
    whole = made.throw.value.numerator // made.throw.value.denominator
    values = [whole + later + step for step in (-1, 0, 1, 2) if whole + later + step > 0]
    first, second = sorted(values, key=lambda value: (abs(value - made.throw.value), value))[:2]
    reason = f"the {made.throw.text} lands between the beats of juggler {made.receiver + 1}"
    off = f"who begins {shown(later)} beats off" if later else "who throws on the same beats"
    return reason, f"a pass to juggler {made.receiver + 1}, {off}, such as {_pair(first, second)}"


def _pair(first: Fraction, second: Fraction) -> str:
    return f"{shown(min(first, second))}p or {shown(max(first, second))}p"


def _check_props(text: str, cast: Cast) -> None:
    total = sum((made.value for made in cast.made), Fraction(0))
    props = total / cast.period
    if props.denominator > 1:
        reason = (
            f"the throws of the {len(cast.parts)} jugglers average {mixed_number(props)}, which is the number of props"
        )
        share = Fraction(cast.written, len(cast.parts) if cast.alike else 1)
        lower, upper = share * int(props), share * (int(props) + 1)
        each = "a juggler's throws" if cast.alike else "they"
        totals = f"{mixed_number(lower)} or {mixed_number(upper)}"
        accepted = f"it must be whole: over {cast.written} beats {each} may add up to {totals}"
        raise NotationError(text, _first(cast), reason, accepted)
    if props > MAX_PROPS:
        raise NotationError(text, _first(cast), f"this takes {props} props", f"at most {MAX_PROPS} are allowed")


def _check_landings(text: str, cast: Cast, flights: list[_Flight], hands: dict[tuple[int, int], int | None]) -> None:
    room = Counter((made.beat, made.juggler, made.hand) for made in cast.made)
    landed: dict[_Site, list[Made]] = {}
    # Passes are blamed rather than what one throws to oneself.
    for made, site in sorted(flights, key=lambda flight: flight.made.throw.receiver is not None):
        landed.setdefault(site, []).append(made)
        if len(landed[site]) > room[site]:
            raise NotationError(text, made.throw.start, *_collision(cast, landed[site], flights, room))


def _collision(cast: Cast, landed: list[Made], flights: list[_Flight], room: Counter[_Site]) -> tuple[str, str]:
    """Why they do not fit, and what would."""
    last = landed[-1]
    beats = [_begins(cast, made) + made.value for made in landed]
    latest = max(beats)
    # Each throw of the round that meets the others; one that was thrown before the first beat is counted below 1.
    thrown = [latest - made.value for made in landed]
    names = [
        f"the {made.throw.text} that juggler {made.juggler + 1} throws on beat {shown(beat + 1)}"
        for made, beat in zip(landed, thrown, strict=True)
    ]
    where = f"juggler {last.receiver + 1} on beat {shown(latest + 1)}"
    if len(landed) == 1:
        reason = f"{names[0]} comes to {where}, when that hand throws nothing"
    else:
        reason = f"{joined_names(names)} come to {where}, who throws only {len(landed) - 1} then"
    return reason, _instead(cast, last, flights, room)


def _instead(cast: Cast, blamed: Made, flights: list[_Flight], room: Counter[_Site]) -> str:
    """The value with which all would fit, if it is so simple; else the rule."""
    missing = room - Counter(flight.lands for flight in flights)
    rounds = cast.period // cast.written * (len(cast.parts) if cast.alike else 1)
    site = next(flight.lands for flight in flights if flight.made is blamed)
    wanted = [place for place in missing if place[1] == blamed.receiver and place[2] in _catching(cast, site, place)]
    if sum(missing.values()) > rounds or not wanted:
        return "as many props must come to each juggler, on every beat, as are thrown then"
    steps = [(place[0] - site[0] + turn * cast.period) for place in wanted for turn in (-1, 0, 1)]
    values = [blamed.value + step for step in steps if blamed.value + step > 0]
    best = min(values, key=lambda value: (abs(value - blamed.value), value))
    flag = "p" if blamed.throw.receiver is not None else ""
    return f"with {shown(best)}{flag} in its place all would fit"


def _catching(cast: Cast, site: _Site, place: _Site) -> tuple[int, ...]:
    """The hands that a throw of another value may come to: where both hands throw at once, the same as now."""
    if cast.parts[place[1]].line.singles_only:
        return (0, 1)
    return (site[2],) if (place[0] - site[0]) % 2 == 0 else (1 - site[2],)


def _throw(cast: Cast, flight: _Flight, division: int) -> Throw:
    made, (_, receiver, to_hand) = flight
    time = _time(cast, made.beat, made.juggler, division)
    return Throw(time, made.juggler, made.hand, int(made.value * division), receiver, to_hand, *made.throw.modifier)


def _time(cast: Cast, beat: int, juggler: int, division: int) -> int:
    return int((beat + cast.parts[juggler].start) * division) % (cast.period * division)


def _begins(cast: Cast, made: Made) -> Fraction:
    return made.beat + cast.parts[made.juggler].start


def _first(cast: Cast) -> int:
    return cast.parts[0].line.start


def cast_sides(lines: tuple[Line, ...]) -> Cast:
    """All jugglers, each beginning within the first beat, or the first two where all throw pairs.

    A pass of 4.5 beats goes to one who is half a beat off; who is never passed to or passes begins with the first.
    """
    starts = _starts(lines)
    parts = tuple(Part(line, starts.get(juggler, Fraction(0))) for juggler, line in enumerate(lines))
    period = max(line.loop for line in lines)
    made = tuple(
        Made(juggler, beat, hand, throw, nearest_value(throw, len(lines)), _receiver_of(throw, juggler, len(lines)))
        for juggler, line in enumerate(lines)
        for beat, hand, slot in line.until(period)
        for throw in slot.thrown
    )
    written = lines[0].beats * (1 + any(line.swaps for line in lines))
    return Cast(parts, made, period, written, alike=False)


def _receiver_of(throw: PrechacThrow, juggler: int, jugglers: int) -> int:
    """Who catches a throw that a juggler makes."""
    if throw.receiver is None:
        return juggler
    return (juggler + 1) % jugglers if throw.receiver == NEXT_JUGGLER else throw.receiver - 1


def _starts(lines: tuple[Line, ...]) -> dict[int, Fraction]:
    within = 2 if all(slot.hand is not None and slot.beat % 2 == 0 for line in lines for slot in line.slots) else 1
    neighbours: dict[int, list[tuple[int, Fraction]]] = {juggler: [] for juggler in range(len(lines))}
    for juggler, line in enumerate(lines):
        for throw in [throw for slot in line.slots for throw in slot.thrown]:
            receiver = _receiver_of(throw, juggler, len(lines))
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
