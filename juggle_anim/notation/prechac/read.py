"""Reading prechac notation: passing patterns in which jugglers throw one line, feeds and sides."""

from __future__ import annotations

import dataclasses
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
    mixed_number,
)
from juggle_anim.notation.prechac.parser import (
    PassingPattern,
    PrechacText,
    ResolvedThrow,
    SearchBudget,
    guess_feed,
    guess_shared_line,
    landing_hand,
    parse_prechac,
    resolve_feed,
    resolve_shared_line,
    resolve_sides,
    rounded_text,
)
from juggle_anim.notation.siteswap.syntax import ANGLE_BRACKETS, WrittenThrow
from juggle_anim.pattern import Pattern, Throw


def read_prechac(text: str, jugglers: int | None = None) -> Pattern:
    """Read a pattern in prechac notation. The grammar is in docs/prechac.md.

    Args:
        text: the throws of each juggler, such as `4p 2 3` or `3.6p 3`, those of each of several,
            such as `<4.5 3 3 | 3 4 3.5>`, or a feed, such as `2 0 4 0 3p 0 fed by 4 2 3p`; `for 6
            jugglers` may end it.
        jugglers: number of jugglers. Without it and without a number in the text they are as few as
            can juggle it, two or more. A number that the text would not stand for by itself is
            added to the text of the pattern.

    Raises:
        NotationError: the text does not follow the grammar, or this number of jugglers cannot
            juggle it.
    """
    # Typographic brackets count as < and >.
    text = text.translate(ANGLE_BRACKETS)
    parsed = parse_prechac(text)
    _check_throws(text, parsed)
    if jugglers is not None and jugglers != parsed.jugglers:
        return _read_for(text, parsed, jugglers)
    sides = resolve_sides(parsed.lines, parsed.delays) if parsed.sides else None
    return place_passing(text, sides or _resolved(text, parsed))


def _read_for(text: str, parsed: PrechacText, jugglers: int) -> Pattern:
    """Read a text for a given number of jugglers, which the text does not state.

    The number is added to the text of the pattern, unless the text alone means the same.

    Args:
        text: the text as it was typed.
        parsed: the text, parsed: a line that all throw, or a feed.
        jugglers: the number of jugglers.

    Raises:
        NotationError: the text states another number of jugglers, as sides in < > do by their
            count, or this many cannot juggle it.
    """
    if parsed.jugglers is not None:
        reason = _(
            "this is for {jugglers} jugglers, not for {jugglers2}",
            jugglers=parsed.jugglers,
            jugglers2=jugglers,
        )
        raise NotationError(text, parsed.number_start, reason, _("write it once"))
    if jugglers < 2:
        raise NotationError(
            text, 0, _("too many or too few jugglers to pass"), _("use two or more")
        )
    pattern = place_passing(text, _resolved(text, parsed._replace(jugglers=jugglers)))
    # Whether the text without the number would be read for as many jugglers.
    try:
        inferred = _resolved(text, parsed)
    except NotationError:
        inferred = None
    if inferred and len(inferred.juggler_lines) == jugglers:
        return pattern
    return dataclasses.replace(pattern, text=f"{text.rstrip()} for {jugglers} jugglers")


def _resolved(text: str, parsed: PrechacText) -> PassingPattern:
    """Find who passes to whom in a line that all jugglers throw, or in a feed.

    In a feed one juggler (the feeder) passes with all others (the feedees).

    Args:
        text: the text, for messages.
        parsed: the parsed text. If it states no number of jugglers, the smallest number that can
            juggle it is taken.

    Returns:
        The pattern. If nothing fits, it is a guess in which props collide, so that the check of
        landings gives a helpful message.

    Raises:
        NotationError: a number of jugglers or a receiver is wrong, or the search takes too long.
    """
    # Two jugglers pass to each other; a feeder has at least two feedees.
    least = 3 if parsed.feeds else 2
    if parsed.jugglers is not None and parsed.jugglers < least:
        reason = _("a feeder feeds at least two others")
        raise NotationError(
            text, parsed.number_start, reason, _("{least} jugglers or more", least=least)
        )
    budget = SearchBudget(MAX_MATCHING_STEPS)
    for jugglers in (
        (parsed.jugglers,) if parsed.jugglers else range(least, MAX_INFERRED_JUGGLERS + 1)
    ):
        if _within_limits(parsed, jugglers) and (
            resolved := _resolved_for(parsed, jugglers, budget)
        ):
            return resolved
    # Nothing fits. Reasons that can be named raise an error; without any, the pattern is guessed.
    jugglers = parsed.jugglers or least
    _check_size(text, parsed, jugglers)
    if budget.exhausted:
        reason = _("finding out who passes to whom takes too long")
        raise NotationError(
            text,
            _start_index(parsed),
            reason,
            _("name the catcher after each p, as in 3p1 3p2, or write fewer throws"),
        )
    _check_receivers(text, parsed, jugglers)
    if parsed.feeds:
        return guess_feed(parsed.lines[0], parsed.lines[1], jugglers)
    return guess_shared_line(parsed.lines[0], jugglers)


def _resolved_for(
    parsed: PrechacText, jugglers: int, budget: SearchBudget
) -> PassingPattern | None:
    """Resolve a shared line or a feed for a number of jugglers; None if nothing fits."""
    # A receiver is a number of places on, which must not come back to the thrower or beyond; in a
    # feed it is the number of a feedee, and the feeder is the last juggler.
    if any((throw.receiver or 0) >= jugglers for throw in _all_throws(parsed)):
        return None
    if parsed.feeds:
        return resolve_feed(parsed.lines[0], parsed.lines[1], jugglers, budget)
    return resolve_shared_line(parsed.lines[0], jugglers, budget)


def _within_limits(parsed: PrechacText, jugglers: int) -> bool:
    """Return whether a pattern for a number of jugglers is within the limits.

    The limits are on beats, on the throws of all jugglers together, and on jugglers.

    Args:
        parsed: the lines of throws, of one of three kinds: a line for each juggler (sides), a line
            that all jugglers throw, or a feed: the line of those who are fed, and the feeder's.
        jugglers: number of jugglers to assume; with sides, the number of sides.
    """
    # Beats until all lines begin together again.
    period = lcm(*(line.loop for line in parsed.lines))
    if period > 2 * MAX_BEATS:
        return False
    throws_of_line = [
        sum(len(slot.throws) for slot in line.slots) * period // line.beats for line in parsed.lines
    ]
    if parsed.feeds:
        fed, feeder = throws_of_line
        total = fed * (jugglers - 1) + feeder
    elif parsed.sides:
        total = sum(throws_of_line)
    else:
        total = throws_of_line[0] * jugglers
    return jugglers <= MAX_JUGGLERS and total <= MAX_THROWS


def _check_size(text: str, parsed: PrechacText, jugglers: int) -> None:
    """Check that a pattern for a number of jugglers is within the limits.

    Args:
        text: the whole text, for the error.
        parsed: the line of each juggler, or one that all throw.
        jugglers: number of jugglers to assume.

    Raises:
        NotationError: it is not.
    """
    if not _within_limits(parsed, jugglers):
        reason = _(
            "together this is more than {max_throws} throws, {max_beats} beats or "
            "{max_jugglers} jugglers",
            max_throws=MAX_THROWS,
            max_beats=2 * MAX_BEATS,
            max_jugglers=MAX_JUGGLERS,
        )
        raise NotationError(
            text, _start_index(parsed), reason, _("use shorter lines, or fewer jugglers")
        )


def _check_throws(text: str, parsed: PrechacText) -> None:
    """Check that a text has a pass, and no crossings or receivers that have no meaning in it.

    Args:
        text: the text, for messages.
        parsed: the line of each juggler, or the line that all share.

    Raises:
        NotationError: one of these checks fails, or sides are beyond the limits.
    """
    if parsed.sides:
        _check_size(text, parsed, len(parsed.lines))
    # A pass of value 0 does not count. A text with delays needs no pass.
    throws = _all_throws(parsed)
    if not parsed.delays and all(throw.receiver is None or not throw.value for throw in throws):
        accepted = _("a p marks a pass, as in 4p 2 3; for one juggler write a siteswap such as 423")
        raise NotationError(text, _start_index(parsed), _("there is no pass here"), accepted)
    crossed = next((throw for throw in throws if throw.crossing), None)
    if crossed and all(line.singles_only for line in parsed.lines):
        accepted = _(
            "{text}: the hand whose turn it is catches",
            text=crossed.text.replace("x", "").replace("X", "").replace("×", ""),
        )
        raise NotationError(
            text, crossed.start, _("an x has no meaning where hands take turns"), accepted
        )
    # `receiver` is a number from 1 only where a receiver is named: of a p alone it is NEXT_JUGGLER,
    # which is 0, and of a throw to oneself None.
    throws_of_feedees = (
        [throw for slot in parsed.lines[0].slots for throw in slot.throws] if parsed.feeds else []
    )
    if named := next((throw for throw in throws_of_feedees if throw.receiver), None):
        reason = _("feedees pass to the feeder only")
        raise NotationError(
            text, named.start, reason, _("write p alone, and a space to end it, as in 3p 2")
        )
    # In sides a receiver is the number of a juggler, from 1 up to their number.
    if parsed.sides:
        _check_receivers(text, parsed, len(parsed.lines) + 1)


def _check_receivers(text: str, parsed: PrechacText, limit: int) -> None:
    """Check that the receiver of each pass exists.

    If each juggler has a line (side), a receiver is the number of a juggler, from 1. In a line that
    all throw it is a number of places from the thrower around the circle of jugglers.

    Args:
        text: the whole text, for the error.
        parsed: the line of each juggler, or one that all throw.
        limit: the lowest number that is not allowed.

    Raises:
        NotationError: a receiver does not exist.
    """
    for throw in _all_throws(parsed):
        if throw.receiver is not None and throw.receiver >= limit:
            reason = _("there is no juggler {receiver}", receiver=throw.receiver)
            if not parsed.sides:
                reason += _(" places on") if throw.receiver > 1 else _(" place on")
            raise NotationError(
                text,
                throw.start,
                reason,
                _("p alone passes to the next juggler; a space ends it, as in 3p 2"),
            )


def _all_throws(parsed: PrechacText) -> list[WrittenThrow]:
    """Return all throws of all lines as they are written, with zeros."""
    return [throw for line in parsed.lines for slot in line.slots for throw in slot.throws]


def _start_index(parsed: PrechacText) -> int:
    """Return the index in the text at which the first line begins, for errors on the whole."""
    return parsed.lines[0].start


class _Site(NamedTuple):
    """Site of a throw or catch: beat of the juggler's own line, juggler and hand."""

    beat: int
    juggler: int
    hand: int


class _Flight(NamedTuple):
    """A throw and where it lands."""

    resolved: ResolvedThrow
    lands: _Site


def place_passing(text: str, passing: PassingPattern) -> Pattern:
    """Place the throws of all jugglers on a common time line of whole parts of beats.

    Args:
        text: the text, for messages, and of the pattern.
        passing: throws of all jugglers with their receivers and exact values.

    Raises:
        NotationError: a throw lands between the beats of its receiver, the number of props is a
            fraction or too large, or props do not land one for one where throws are made.
    """
    # The hand whose turn it is on each beat of each juggler's line.
    hands = _hands(passing)
    # Where each throw lands on its receiver's line, which must agree with the throws there.
    flights = [
        _Flight(resolved, _landing(text, passing, resolved, hands)) for resolved in passing.throws
    ]
    _check_props(text, passing)
    _check_landings(text, passing, flights)
    # Divide beats so that all jugglers throw on whole parts.
    division = lcm(*(juggler_line.start.denominator for juggler_line in passing.juggler_lines))
    if division > MAX_DIVISION:
        reason = _("these jugglers would divide each beat into {division} parts", division=division)
        accepted = _(
            "the limit is {max_division} parts: use fewer jugglers", max_division=MAX_DIVISION
        )
        raise NotationError(text, _start_of_lines(passing), reason, accepted)

    # Throws, sorted by beat, juggler and hand, and turns (hands that may throw on a beat), with
    # times in parts of beats.
    throws = sorted(
        (_placed_throw(passing, flight, division) for flight in flights),
        key=lambda throw: throw.turn,
    )
    turns = [
        (_common_time(passing, beat, juggler, division), juggler, hand ^ juggler_line.mirrored)
        for juggler, juggler_line in enumerate(passing.juggler_lines)
        for beat, hand, _ in juggler_line.line.slots_until(passing.period)
    ]
    return Pattern(
        text,
        tuple(throws),
        period=passing.period * division,
        written_period=passing.written_beats * division,
        jugglers=len(passing.juggler_lines),
        division=division,
        turns=tuple(sorted(turns)),
    )


def _hands(passing: PassingPattern) -> dict[tuple[int, int], int | None]:
    """Return, by (beat, juggler), the hand whose turn it is on each beat of a juggler's own line.

    None where both hands throw. Beats without a slot have no entry.
    """
    hands: dict[tuple[int, int], int | None] = {}
    for juggler, juggler_line in enumerate(passing.juggler_lines):
        for beat, hand, slot in juggler_line.line.slots_until(passing.period):
            hands[beat, juggler] = hand ^ juggler_line.mirrored if slot.hand is None else None
    return hands


def _landing(
    text: str,
    passing: PassingPattern,
    resolved: ResolvedThrow,
    hands: dict[tuple[int, int], int | None],
) -> _Site:
    """Return where a throw lands: a beat of its receiver's own line, the receiver and the hand.

    Args:
        text: the whole text, to which errors point.
        passing: throws of all jugglers with their receivers and exact values, fractions of beats.
        resolved: the throw.
        hands: for each (beat, juggler) the hand whose turn it is; None where both throw, and no
            entry where nobody does.

    Raises:
        NotationError: the pass lands between the receiver's beats.
    """
    thrower = passing.juggler_lines[resolved.juggler]
    receiver = passing.juggler_lines[resolved.receiver]
    # Both lines count beats from their own start. The prop lands at beat + start + value on the
    # common time line; the receiver's beat is that less the receiver's start.
    beat = resolved.beat + thrower.start + resolved.value - receiver.start
    if beat.denominator > 1:
        reason, accepted = _why_between_beats(passing, resolved)
        raise NotationError(text, resolved.throw.start, reason, accepted)
    slot_beat = int(beat) % passing.period
    # The hand whose turn it is catches, or with an x the other one. Where both hands throw, or
    # nobody does, the hand follows from that of the thrower.
    hand = hands.get((slot_beat, resolved.receiver))
    if hand is None:
        hand = landing_hand(resolved.hand, resolved.throw)
    elif resolved.throw.crossing:
        hand = 1 - hand
    return _Site(slot_beat, resolved.receiver, hand)


def _why_between_beats(passing: PassingPattern, resolved: ResolvedThrow) -> tuple[str, str]:
    """Return reason and advice for the error that a throw lands between its receiver's beats.

    The advice names the two nearest values that land on a beat.

    Args:
        passing: throws of all jugglers with their receivers and exact values.
        resolved: the throw.
    """
    # The fraction of a beat by which the receiver begins later; a value fits if it has the same
    # fractional part.
    later = (
        passing.juggler_lines[resolved.receiver].start
        - passing.juggler_lines[resolved.juggler].start
    ) % 1
    whole_beats = resolved.throw.value.numerator // resolved.throw.value.denominator
    values = [
        whole_beats + later + step for step in (-1, 0, 1, 2) if whole_beats + later + step > 0
    ]
    # Nearest first; of two equally near, the lower one.
    first, second = sorted(values, key=lambda value: (abs(value - resolved.throw.value), value))[:2]
    reason = _(
        "the {text} lands between the beats of juggler {receiver}",
        text=resolved.throw.text,
        receiver=resolved.receiver + 1,
    )
    off = (
        _("who starts {later} beats off", later=rounded_text(later))
        if later
        else _("who throws on the same beats")
    )
    possible_passes = either([f"{rounded_text(value)}p" for value in sorted((first, second))])
    return reason, _(
        "a pass to juggler {receiver}, {off}, such as {near}",
        receiver=resolved.receiver + 1,
        off=off,
        near=possible_passes,
    )


def _check_props(text: str, passing: PassingPattern) -> None:
    """Check the number of props, which is the sum of all values divided by the period.

    Args:
        text: the text, for messages.
        passing: throws of all jugglers with their receivers and exact values.

    Raises:
        NotationError: the number is a fraction, or above MAX_PROPS.
    """
    total = sum((resolved.value for resolved in passing.throws), Fraction(0))
    props = total / passing.period
    if props.denominator > 1:
        reason = _(
            "average {fraction}. It must be a whole number: the number of props",
            fraction=mixed_number(props),
        )
        # The amount by which the sum of the written values must grow for one prop more. A line that
        # all jugglers share is written once, but its values count for each of them.
        sum_per_prop = Fraction(
            passing.written_beats, len(passing.juggler_lines) if passing.is_shared_line else 1
        )
        lower = sum_per_prop * int(props)
        upper = sum_per_prop * (int(props) + 1)
        whose = _("a juggler's throws") if passing.is_shared_line else "they"
        totals = _("{lower} or {upper}", lower=mixed_number(lower), upper=mixed_number(upper))
        accepted = ngettext(
            "over {number} beat, make {each} add up to {totals}",
            "over {number} beats, make {each} add up to {totals}",
            passing.written_beats,
            each=whose,
            totals=totals,
        )
        raise NotationError(text, _start_of_lines(passing), reason, accepted)
    if props > MAX_PROPS:
        raise NotationError(
            text,
            _start_of_lines(passing),
            _("this needs {props} props", props=props),
            _("the limit is {max_props}", max_props=MAX_PROPS),
        )


def _check_landings(
    text: str,
    passing: PassingPattern,
    flights: list[_Flight],
) -> None:
    """Check that at each site (beat, juggler, hand) as many props land as are thrown.

    Args:
        text: the text, for errors.
        passing: throws of all jugglers with their receivers and exact values.
        flights: all throws and their landings.

    Raises:
        NotationError: more props land at a site than are thrown there; it points to the first
            surplus throw.
    """
    # Since the total number of props is right, too few landings at one site mean too many at
    # another, so only the latter are sought.
    capacity = Counter(
        _Site(resolved.beat, resolved.juggler, resolved.hand) for resolved in passing.throws
    )
    landed: dict[_Site, list[ResolvedThrow]] = {}
    # Passes come last, so that they are blamed rather than self throws.
    for resolved, site in sorted(
        flights, key=lambda flight: flight.resolved.throw.receiver is not None
    ):
        landed.setdefault(site, []).append(resolved)
        if len(landed[site]) > capacity[site]:
            reason, accepted = _why_collision(passing, landed[site], flights, capacity)
            raise NotationError(text, resolved.throw.start, reason, accepted)


def _why_collision(
    passing: PassingPattern,
    landed: list[ResolvedThrow],
    flights: list[_Flight],
    capacity: Counter[_Site],
) -> tuple[str, str]:
    """Return reason and advice for the error that more props land in a hand than it throws.

    Args:
        passing: throws of all jugglers with their receivers and exact values.
        landed: the throws that land there, the surplus one last.
        flights: all throws and their landings.
        capacity: for each site how many props are thrown there.
    """
    last = landed[-1]
    # Landings on the common time line, [beats].
    landing_beats = [
        resolved.beat + passing.juggler_lines[resolved.juggler].start + resolved.value
        for resolved in landed
    ]
    latest = max(landing_beats)
    # The throws may land in different rounds of the loop. All are shifted to the latest landing,
    # so that the beat of a throw may be below 1.
    throw_beats = [latest - resolved.value for resolved in landed]
    names = [
        _(
            "the {text} that juggler {juggler} throws on beat {beat}",
            text=resolved.throw.text,
            juggler=resolved.juggler + 1,
            beat=rounded_text(beat + 1),
        )
        for resolved, beat in zip(landed, throw_beats, strict=True)
    ]
    where = _(
        "juggler {receiver} on beat {latest}",
        receiver=last.receiver + 1,
        latest=rounded_text(latest + 1),
    )
    if len(landed) == 1:
        reason = _(
            "{names} comes to {where}, but that hand throws nothing then",
            names=names[0],
            where=where,
        )
    else:
        reason = _(
            "{names} come to {where}, who only throws {count} then",
            names=joined_names(names),
            where=where,
            count=len(landed) - 1,
        )
    return reason, _fitting_value_hint(passing, last, flights, capacity)


def _fitting_value_hint(
    passing: PassingPattern, blamed: ResolvedThrow, flights: list[_Flight], capacity: Counter[_Site]
) -> str:
    """Return advice for an error: the value with which the blamed throw would fit, or a rule.

    Args:
        passing: throws of all jugglers with their receivers and exact values.
        blamed: the throw to change.
        flights: all throws and their landings.
        capacity: for each site how many props are thrown there.
    """
    # The number of props that are missing at each site (beat, juggler, hand).
    missing = capacity - Counter(flight.lands for flight in flights)
    # Number of times that a written throw occurs in the period: once in each round, and if all
    # jugglers throw one line, once for each of them.
    rounds = passing.period // passing.written_beats
    throwers = len(passing.juggler_lines) if passing.is_shared_line else 1
    repetitions = rounds * throwers
    site = next(flight.lands for flight in flights if flight.resolved is blamed)
    # Sites at which the receiver could catch the throw if it had another value, with which it may
    # come to the other hand.
    targets = [
        target
        for target in missing
        if target.juggler == blamed.receiver
        and target.hand in _catching_hands(passing, site, target)
    ]
    # One written throw cannot fill more gaps than it has repetitions.
    if sum(missing.values()) > repetitions or not targets:
        return _("on every beat, each juggler must catch as many props as they throw")
    # The target may be in the loop before, in this one or in the next.
    changes = [
        target.beat - site.beat + loops * passing.period
        for target in targets
        for loops in (-1, 0, 1)
    ]
    values = [blamed.value + change for change in changes if blamed.value + change > 0]
    # The nearest value; of two equally near, the lower one.
    best = min(values, key=lambda value: (abs(value - blamed.value), value))
    flag = "p" if blamed.throw.receiver is not None else ""
    return _("{best}{flag} would work here", best=rounded_text(best), flag=flag)


def _catching_hands(passing: PassingPattern, site: _Site, target: _Site) -> tuple[int, ...]:
    """Return the hands, 0 left and 1 right, that catch a throw whose value leads it to `target`.

    Where hands take turns, whichever is due catches. Else a change by an odd number of beats goes
    to the other hand.
    """
    if passing.juggler_lines[target.juggler].line.singles_only:
        return (0, 1)
    return (site.hand,) if (target.beat - site.beat) % 2 == 0 else (1 - site.hand,)


def _placed_throw(passing: PassingPattern, flight: _Flight, division: int) -> Throw:
    """Return a flight as a throw of the final pattern, whose beats are divided into parts.

    Args:
        passing: the pattern as it is written, with a time for each juggler.
        flight: a throw whose value and receiver are known, and the site (juggler and hand) of its
            catch.
        division: number of parts in a beat; times and values of the result count parts.
    """
    resolved, site = flight
    return Throw(
        # Jugglers may begin at different times: the beat counts on the common time line.
        _common_time(passing, resolved.beat, resolved.juggler, division),
        resolved.juggler,
        resolved.hand,
        int(resolved.value * division),
        site.juggler,
        site.hand,
        *resolved.throw.modifier,
    )


def _common_time(passing: PassingPattern, beat: int, juggler: int, division: int) -> int:
    """Return the time of a beat of a juggler's own line, in parts of beats of the pattern.

    It is counted from the common start of all jugglers, and taken modulo the period.
    """
    return int((beat + passing.juggler_lines[juggler].start) * division) % (
        passing.period * division
    )


def _start_of_lines(passing: PassingPattern) -> int:
    """Return the index in the text at which the first line begins, for errors on the whole."""
    return passing.juggler_lines[0].line.start
