"""Reading prechac notation: passing patterns in which jugglers throw the same line one after the
other, and feeds.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Hashable, Iterator
from fractions import Fraction
from math import lcm

from juggle_anim.errors import NotationError
from juggle_anim.language import _
from juggle_anim.notation.limits import (
    MAX_BEATS,
    MAX_INFERRED_JUGGLERS,
    MAX_JUGGLERS,
    MAX_MATCHING_STEPS,
    MAX_THROWS,
)
from juggle_anim.notation.prechac.matching import (
    SearchBudget,
    guess_shared_line,
    match,
    resolve_shared_line,
)
from juggle_anim.notation.prechac.parser import DELAYS, parse_prechac
from juggle_anim.notation.prechac.placement import place_passing, resolve_sides
from juggle_anim.notation.prechac.syntax import (
    CatchSlots,
    JugglerLine,
    Line,
    PassingPattern,
    PrechacText,
    PrechacThrow,
    ResolvedThrow,
    nearest_value,
)
from juggle_anim.notation.siteswap.syntax import ANGLE_BRACKETS, NEXT_JUGGLER
from juggle_anim.pattern import Pattern

_MARKED = re.compile(r"[0-9}xX×?]p|[0-9}x×]P|[0-9]\.[0-9]")

_FRACTION = re.compile(r"[0-9]\.[0-9]")

_SPACED = re.compile(r"\s")

_STARRED_SIDE = re.compile(r"\*\s*[|>]")

_PAIRED_SIDE = re.compile(r"^\s*<\s*\(")

_CROSSING_PASS = re.compile(r"p[0-9]*[xX×]", re.IGNORECASE)

_STEPS = 4
"""Cost of one option here, in steps of matching, since fractions take time."""


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
    """Return whether a text can only be prechac notation: it has fractions, delays, or passes and
    spaces but no < >.
    """
    if DELAYS.match(text):
        return True
    if not _MARKED.search(text):
        return False
    return _FRACTION.search(text) is not None or (
        "<" not in text and _SPACED.search(text.strip()) is not None
    )


def may_be_prechac(text: str) -> bool:
    """Whether a text that is no siteswap may be in prechac notation."""
    if "<" not in text:
        return _MARKED.search(text) is not None
    return any(sign.search(text) for sign in (_STARRED_SIDE, _PAIRED_SIDE, _CROSSING_PASS))


def _read_for(text: str, written: PrechacText, jugglers: int) -> Pattern:
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
    """Resolve a shared line or a feed, for as many jugglers as it says, or as few as can juggle
    it.
    """
    least = 3 if written.feeds else 2
    if written.jugglers is not None and written.jugglers < least:
        reason = _("a feeder feeds at least two others")
        raise NotationError(
            text, written.number_start, reason, _("{least} jugglers or more", least=least)
        )
    effort = SearchBudget(MAX_MATCHING_STEPS)
    for number in (
        (written.jugglers,) if written.jugglers else range(least, MAX_INFERRED_JUGGLERS + 1)
    ):
        if _fits(written, number) and (found := _found(written, number, effort)):
            return found
    number = written.jugglers or least
    _check_size(text, written, number)
    if effort.exhausted:
        reason = _("it takes too long to find out who passes to whom")
        raise NotationError(
            text,
            _first(written),
            reason,
            _("say it after each p, as in 3p1 3p2, or write fewer throws"),
        )
    _check_receivers(text, written, number)
    if written.feeds:
        return guess_feed(written.lines[0], written.lines[1], number)
    return guess_shared_line(written.lines[0], number)


def _found(written: PrechacText, jugglers: int, budget: SearchBudget) -> PassingPattern | None:
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


def _throws(written: PrechacText) -> list[PrechacThrow]:
    return [throw for line in written.lines for slot in line.slots for throw in slot.throws]


def _first(written: PrechacText) -> int:
    return written.lines[0].start


def resolve_feed(
    fed: Line, feeder: Line, jugglers: int, budget: SearchBudget
) -> PassingPattern | None:
    """Return the first assignment with which the last of so many jugglers can feed the others; None
    without one.

    The feedees start equally far apart over the length of their line, and the feeder begins where
    the passes fit.
    """
    period = lcm(fed.loop, feeder.loop)
    apart = Fraction(fed.beats, jugglers - 1)
    # Wherever the feeder begins, all catch on the same beats of their own lines.
    slots = [*[CatchSlots(fed, period)] * (jugglers - 1), CatchSlots(feeder, period)]
    free: Counter[Hashable] = Counter()
    for juggler, catches in enumerate(slots):
        free.update({(juggler, place): count for place, count in catches.free.items()})
    for start in _starts(fed, feeder, jugglers):
        if budget.exhausted:
            return None
        parts = (
            *(JugglerLine(fed, number * apart) for number in range(jugglers - 1)),
            JugglerLine(feeder, start),
        )
        if throws := _resolved_feed(parts, period, slots, free, budget):
            return PassingPattern(
                parts, throws, period, lcm(fed.beats, feeder.beats), is_shared_line=False
            )
    return None


def guess_feed(fed: Line, feeder: Line, jugglers: int) -> PassingPattern:
    """Return what a feed that does not fit may mean: the feeder passes to all in turn."""
    period = lcm(fed.loop, feeder.loop)
    apart = Fraction(fed.beats, jugglers - 1)
    start = next(_starts(fed, feeder, jugglers), Fraction(0))
    parts = (
        *(JugglerLine(fed, number * apart) for number in range(jugglers - 1)),
        JugglerLine(feeder, start),
    )
    passes = 0
    throws = []
    for each, receivers in _throws_of_parts(parts, period):
        throws.append(each._replace(receiver=receivers[passes % len(receivers)]))
        passes += len(receivers) > 1
    return PassingPattern(
        parts, tuple(throws), period, lcm(fed.beats, feeder.beats), is_shared_line=False
    )


def _starts(fed: Line, feeder: Line, jugglers: int) -> Iterator[Fraction]:
    """When the feeder may begin: so that the first pass that is thrown to it lands on one of its
    beats.
    """
    passed = [
        (slot.beat, throw)
        for slot in fed.slots
        for throw in slot.thrown
        if throw.receiver is not None
    ]
    if passed:
        beat, throw = passed[0]
        lands = beat + nearest_value(throw, jugglers)
        yield from sorted(
            {(lands - slot.beat) % feeder.beats for slot in feeder.slots if slot.thrown}
        )


def _throws_of_parts(
    parts: tuple[JugglerLine, ...], period: int
) -> Iterator[tuple[ResolvedThrow, list[int]]]:
    """All throws, and who may catch each."""
    feeder = len(parts) - 1
    for juggler, part in enumerate(parts):
        for beat, hand, slot in part.line.until(period):
            for throw in slot.thrown:
                receivers = [juggler]
                if throw.receiver is not None:
                    fed = (
                        list(range(feeder))
                        if throw.receiver == NEXT_JUGGLER
                        else [throw.receiver - 1]
                    )
                    receivers = [feeder] if juggler != feeder else fed
                value = nearest_value(throw, len(parts))
                yield ResolvedThrow(juggler, beat, hand, throw, value, receivers[0]), receivers


def _resolved_feed(
    parts: tuple[JugglerLine, ...],
    period: int,
    slots: list[CatchSlots],
    free: Counter[Hashable],
    budget: SearchBudget,
) -> tuple[ResolvedThrow, ...] | None:
    found: list[list[ResolvedThrow]] = []
    places: list[list[Hashable]] = []
    for each, receivers in _throws_of_parts(parts, period):
        budget.steps -= _STEPS * len(receivers)
        landings = [(receiver, _place(each, receiver, parts, slots)) for receiver in receivers]
        fitting = [
            (receiver, (receiver, place))
            for receiver, place in landings
            if place and free[receiver, place]
        ]
        if not fitting or budget.exhausted:
            return None
        found.append([each._replace(receiver=receiver) for receiver, _ in fitting])
        places.append([place for _, place in fitting])
    taken = match(places, free, budget)
    return (
        None
        if taken is None
        else tuple(options[number] for options, number in zip(found, taken, strict=True))
    )


def _place(
    resolved: ResolvedThrow, receiver: int, parts: tuple[JugglerLine, ...], slots: list[CatchSlots]
) -> Hashable:
    beat = resolved.beat + parts[resolved.juggler].start + resolved.value - parts[receiver].start
    return (
        slots[receiver].place(int(beat), resolved.hand, resolved.throw)
        if beat.denominator == 1
        else None
    )
