"""Reading prechac notation: passing patterns in which jugglers throw one line, feeds and sides."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from juggle_anim.errors import NotationError, either, joined_names
from juggle_anim.language import _, ngettext
from juggle_anim.notation.limits import (
    MAX_BEATS,
    MAX_DIVISION,
    MAX_INFERRED_JUGGLERS,
    MAX_JUGGLERS,
    MAX_MATCHING_STEPS,
    MAX_PROPS,
    MAX_THROWS,
)
from juggle_anim.notation.numbers import mixed_number
from juggle_anim.notation.prechac.parser import (
    DELAYS,
    PrechacText,
    parse_prechac,
    rounded_text,
)
from juggle_anim.notation.prechac.resolving import (
    PassingPattern,
    ResolvedThrow,
    SearchBudget,
    guess_feed,
    guess_shared_line,
    landing_hand,
    resolve_feed,
    resolve_shared_line,
    resolve_sides,
)
from juggle_anim.notation.siteswap.syntax import ANGLE_BRACKETS, WrittenThrow
from juggle_anim.pattern import Pattern, Throw

_MARKED_PASS = re.compile(r"[0-9}xX×?]p|[0-9}x×]P|[0-9]\.[0-9]")

_FRACTION = re.compile(r"[0-9]\.[0-9]")

_SPACE = re.compile(r"\s")

_STARRED_SIDE = re.compile(r"\*\s*[|>]")

_PAIRED_SIDE = re.compile(r"^\s*<\s*\(")

_CROSSING_PASS = re.compile(r"p[0-9]*[xX×]", re.IGNORECASE)


def read_prechac(text: str, jugglers: int | None = None) -> Pattern:
    """The pattern that a text in prechac notation stands for. The grammar is in docs/prechac.md.

    Args:
        text: what each juggler throws, such as `4p 2 3` or `3.6p 3`, what each of several throws,
            such as `<4.5 3 3 | 3 4 3.5>`, or a feed, such as `2 0 4 0 3p 0 fed by 4 2 3p`; `for 6
            jugglers` may end it.
        jugglers: how many there are. Without it and without a number in the text they are as few as
            can juggle it, two or more. A number that the text would not stand for by itself is
            added to the text of the pattern.

    Raises:
        NotationError: the text does not follow the grammar, or so many jugglers cannot juggle it.
    """
    text = text.translate(ANGLE_BRACKETS)
    written = parse_prechac(text)
    _check_throws(text, written)
    if jugglers is not None and jugglers != written.jugglers:
        return _read_for(text, written, jugglers)
    sides = resolve_sides(written.lines, written.delays) if written.sides else None
    return place_passing(text, sides or _resolved(text, written))


def is_prechac(text: str) -> bool:
    """Whether a text can only be prechac: fractions, delays, or passes and spaces without < >."""
    if DELAYS.match(text):
        return True
    if not _MARKED_PASS.search(text):
        return False
    return _FRACTION.search(text) is not None or (
        "<" not in text and _SPACE.search(text.strip()) is not None
    )


def may_be_prechac(text: str) -> bool:
    """Whether a text that is no siteswap may be in prechac notation."""
    if "<" not in text:
        return _MARKED_PASS.search(text) is not None
    return any(sign.search(text) for sign in (_STARRED_SIDE, _PAIRED_SIDE, _CROSSING_PASS))


def _read_for(text: str, written: PrechacText, jugglers: int) -> Pattern:
    """Read a text for a given number of jugglers, which becomes a part of its text where needed."""
    if written.jugglers is not None:
        reason = _(
            "this is for {jugglers} jugglers, not for {jugglers2}",
            jugglers=written.jugglers,
            jugglers2=jugglers,
        )
        raise NotationError(text, written.number_start, reason, _("say it once"))
    if not written.sides and jugglers < 2:
        raise NotationError(
            text, 0, _("so many jugglers cannot pass to one another"), _("two or more of them")
        )
    pattern = place_passing(text, _resolved(text, written._replace(jugglers=jugglers)))
    try:
        inferred = _resolved(text, written)
    except NotationError:
        inferred = None
    if inferred and len(inferred.parts) == jugglers:
        return pattern
    return dataclasses.replace(pattern, text=f"{text.rstrip()} for {jugglers} jugglers")


def _resolved(text: str, written: PrechacText) -> PassingPattern:
    """Resolve a line or a feed for as many jugglers as it says, or as few as can juggle it."""
    least = 3 if written.feeds else 2
    if written.jugglers is not None and written.jugglers < least:
        reason = _("a feeder feeds at least two others")
        raise NotationError(
            text, written.number_start, reason, _("{least} jugglers or more", least=least)
        )
    budget = SearchBudget(MAX_MATCHING_STEPS)
    for jugglers in (
        (written.jugglers,) if written.jugglers else range(least, MAX_INFERRED_JUGGLERS + 1)
    ):
        if _fits(written, jugglers) and (resolved := _resolved_for(written, jugglers, budget)):
            return resolved
    jugglers = written.jugglers or least
    _check_size(text, written, jugglers)
    if budget.exhausted:
        reason = _("it takes too long to find out who passes to whom")
        raise NotationError(
            text,
            _first(written),
            reason,
            _("say it after each p, as in 3p1 3p2, or write fewer throws"),
        )
    _check_receivers(text, written, jugglers)
    if written.feeds:
        return guess_feed(written.lines[0], written.lines[1], jugglers)
    return guess_shared_line(written.lines[0], jugglers)


def _resolved_for(
    written: PrechacText, jugglers: int, budget: SearchBudget
) -> PassingPattern | None:
    if any((throw.receiver or 0) >= jugglers for throw in _throws(written)):
        return None
    if written.feeds:
        return resolve_feed(written.lines[0], written.lines[1], jugglers, budget)
    return resolve_shared_line(written.lines[0], jugglers, budget)


def _fits(written: PrechacText, jugglers: int) -> bool:
    """Whether a pattern for so many jugglers is within the limits."""
    period = lcm(*(line.loop for line in written.lines))
    if period > 2 * MAX_BEATS:
        return False
    throws = [
        sum(len(slot.throws) for slot in line.slots) * period // line.beats
        for line in written.lines
    ]
    total = sum(throws) if written.sides else throws[0] * jugglers
    if written.feeds:
        total = throws[0] * (jugglers - 1) + throws[1]
    return jugglers <= MAX_JUGGLERS and total <= MAX_THROWS


def _check_size(text: str, written: PrechacText, jugglers: int) -> None:
    if not _fits(written, jugglers):
        reason = _(
            "together these are more than {max_throws} throws, {max_beats} beats or "
            "{max_jugglers} jugglers",
            max_throws=MAX_THROWS,
            max_beats=2 * MAX_BEATS,
            max_jugglers=MAX_JUGGLERS,
        )
        raise NotationError(text, _first(written), reason, _("shorter lines, or fewer jugglers"))


def _check_throws(text: str, written: PrechacText) -> None:
    """Refuse texts without a pass, and flags or receivers that mean nothing in them."""
    if written.sides:
        _check_size(text, written, len(written.lines))
    throws = _throws(written)
    if not written.delays and all(throw.receiver is None or not throw.value for throw in throws):
        accepted = _(
            "a p marks a pass, as in 4p 2 3; what one juggles alone is a siteswap, such as 423"
        )
        raise NotationError(text, _first(written), _("there is no pass here"), accepted)
    crossed = next((throw for throw in throws if throw.crossing), None)
    if crossed and all(line.singles_only for line in written.lines):
        accepted = _(
            "{text}: whose turn it is catches",
            text=crossed.text.replace("x", "").replace("X", "").replace("×", ""),
        )
        raise NotationError(
            text, crossed.start, _("an x has no meaning where hands take turns"), accepted
        )
    fed = (
        [throw for slot in written.lines[0].slots for throw in slot.throws] if written.feeds else []
    )
    if named := next((throw for throw in fed if throw.receiver), None):
        reason = _("feedees pass to the feeder only")
        raise NotationError(text, named.start, reason, _("p alone; a space ends it, as in 3p 2"))
    if written.sides:
        _check_receivers(text, written, len(written.lines) + 1)


def _check_receivers(text: str, written: PrechacText, limit: int) -> None:
    """Refuse passes to a juggler whose number is `limit` or higher."""
    for throw in _throws(written):
        if throw.receiver is not None and throw.receiver >= limit:
            reason = _("there is no juggler {receiver}", receiver=throw.receiver)
            reason += (
                "" if written.sides else _(" places on") if throw.receiver > 1 else _(" place on")
            )
            raise NotationError(
                text,
                throw.start,
                reason,
                _("p alone passes to the next; a space ends it, as in 3p 2"),
            )


def _throws(written: PrechacText) -> list[WrittenThrow]:
    return [throw for line in written.lines for slot in line.slots for throw in slot.throws]


def _first(written: PrechacText) -> int:
    return written.lines[0].start


_Site = tuple[int, int, int]
"""Beat of the catcher's own line, juggler and hand."""


class _Flight(NamedTuple):
    resolved: ResolvedThrow
    lands: _Site


def place_passing(text: str, passing: PassingPattern) -> Pattern:
    """Return the pattern; beats are divided so that all jugglers throw on whole parts.

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
    """Return where a throw lands: a beat of its receiver's own line, the receiver and the hand."""
    thrown = passing.parts[resolved.juggler]
    caught = passing.parts[resolved.receiver]
    # Both lines count beats from their own start: t_catch = t + start + value - start'.
    beat = resolved.beat + thrown.start + resolved.value - caught.start
    if beat.denominator > 1:
        raise NotationError(text, resolved.throw.start, *_between(passing, resolved))
    slot_beat = int(beat) % passing.period
    hand = hands.get((slot_beat, resolved.receiver))
    if hand is None:
        return slot_beat, resolved.receiver, landing_hand(resolved.hand, resolved.throw)
    return slot_beat, resolved.receiver, 1 - hand if resolved.throw.crossing else hand


def _between(passing: PassingPattern, resolved: ResolvedThrow) -> tuple[str, str]:
    """Return why a throw lands between its receiver's beats, and the nearest values that do not."""
    # Fraction of a beat by which the receiver begins later.
    later = (passing.parts[resolved.receiver].start - passing.parts[resolved.juggler].start) % 1
    whole_beats = resolved.throw.value.numerator // resolved.throw.value.denominator
    values = [
        whole_beats + later + step for step in (-1, 0, 1, 2) if whole_beats + later + step > 0
    ]
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
    """Refuse a fractional number of props, or too many: the sum of values over the period."""
    total = sum((resolved.value for resolved in passing.throws), Fraction(0))
    props = total / passing.period
    if props.denominator > 1:
        average = _("average {props}, which is the number of props", props=mixed_number(props))
        reason = _(
            "the throws of the {count} jugglers {average}",
            count=len(passing.parts),
            average=average,
        )
        # Sum of one juggler's written throws for each prop.
        share = Fraction(passing.written_beats, len(passing.parts) if passing.is_shared_line else 1)
        lower = share * int(props)
        upper = share * (int(props) + 1)
        whose = _("a juggler's throws") if passing.is_shared_line else "they"
        totals = _("{lower} or {upper}", lower=mixed_number(lower), upper=mixed_number(upper))
        accepted = ngettext(
            "it must be whole: over {number} beat {each} may add up to {totals}",
            "it must be whole: over {number} beats {each} may add up to {totals}",
            passing.written_beats,
            each=whose,
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
    """Refuse the first throw that lands where fewer props are thrown than land."""
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
    # Slots in which too few props land.
    missing = capacity - Counter(flight.lands for flight in flights)
    rounds = (
        passing.period
        // passing.written_beats
        * (len(passing.parts) if passing.is_shared_line else 1)
    )
    site = next(flight.lands for flight in flights if flight.resolved is blamed)
    wanted = [
        slot
        for slot in missing
        if slot[1] == blamed.receiver and slot[2] in _catching(passing, site, slot)
    ]
    if sum(missing.values()) > rounds or not wanted:
        return _("as many props must come to each juggler, on every beat, as are thrown then")
    steps = [(slot[0] - site[0] + turn * passing.period) for slot in wanted for turn in (-1, 0, 1)]
    values = [blamed.value + step for step in steps if blamed.value + step > 0]
    best = min(values, key=lambda value: (abs(value - blamed.value), value))
    flag = "p" if blamed.throw.receiver is not None else ""
    return _("with {best}{flag} in its place all would fit", best=rounded_text(best), flag=flag)


def _catching(passing: PassingPattern, site: _Site, slot: _Site) -> tuple[int, ...]:
    """Return the hands that may catch at a slot: any, or as parity says where both throw."""
    if passing.parts[slot[1]].line.singles_only:
        return (0, 1)
    return (site[2],) if (slot[0] - site[0]) % 2 == 0 else (1 - site[2],)


def _throw(passing: PassingPattern, flight: _Flight, division: int) -> Throw:
    resolved, (_unused, receiver, to_hand) = flight
    juggler, beat, hand, throw, value, _unused = resolved
    time = _time(passing, beat, juggler, division)
    return Throw(time, juggler, hand, int(value * division), receiver, to_hand, *throw.modifier)


def _time(passing: PassingPattern, beat: int, juggler: int, division: int) -> int:
    return int((beat + passing.parts[juggler].start) * division) % (passing.period * division)


def _text_start(passing: PassingPattern) -> int:
    return passing.parts[0].line.start
