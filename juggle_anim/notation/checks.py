"""Checks: whether a text is a pattern, its props, period, orbits and state, and its further facts
in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from juggle_anim.choreography import Score
from juggle_anim.choreography.choreograph import choreograph, repeat_to_full_loop, timed_events
from juggle_anim.choreography.dwell import time_throws
from juggle_anim.choreography.manners import leaves_out_ones, needs_hops
from juggle_anim.errors import ChoreographyError, JuggleError, NotationError, RoutineError, counted
from juggle_anim.language import _, ngettext
from juggle_anim.notation.open import find_file_reference
from juggle_anim.notation.pattern_list import Note
from juggle_anim.notation.settings.settings import read_settings
from juggle_anim.notation.siteswap.syntax import BOUNCE_STYLES
from juggle_anim.notation.siteswap.wildcard import completions
from juggle_anim.notation.text_file import shown_path
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Orbit, Pattern
from juggle_anim.pattern.states import write_state

if TYPE_CHECKING:
    from juggle_anim.notation.facts import Facts, GroundPassage, HandLoad, Relative


@dataclass(frozen=True)
class Check:
    """The result of reading a text: a score, or the error that says why there is none.

    Args:
        text: as typed or in a file: a siteswap, settings or a name; for events their name.
        score: None if the text is not a valid pattern.
        error: None if it is.
        file: the file of the text; empty for typed text, for which the other fields are unset, too.
        number: of the pattern in the file, from 1.
        line: of the file, from 1; 0 if unknown.
        name: of the pattern in the file.
        parameters: that the text gives, by their names in `Parameters`.
        notes: what in the file is not read; only the first pattern of it has them.
    """

    text: str
    score: Score | None = None
    error: JuggleError | None = None
    file: str = ""
    number: int = 0
    line: int = 0
    name: str = ""
    parameters: Mapping[str, float | str | None] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    @property
    def pattern(self) -> Pattern | None:
        """The throws, or None for events."""
        return self.score.pattern if self.score else None

    @cached_property
    def facts(self) -> Facts | None:
        """What is known of the pattern beyond its props, period and orbits; None if the text is not
        valid.
        """
        # Imported when first used: every program that reads a pattern would have to wait for it.
        from juggle_anim.notation.facts import facts_of

        return facts_of(self.score) if self.score else None

    @property
    def advice(self) -> str:
        """What is not as people do it, or as the text says, in sentences; empty if nothing is
        known.
        """
        if self.pattern is None or self.score is None:
            return ""
        said = self.score.staging
        try:
            loop = repeat_to_full_loop(self.pattern, said)
        except ChoreographyError:
            return ""
        found = bounce_advice(self.score, Parameters().replace(**self.parameters))
        if said.throws and needs_hops(
            choreograph(self.score, Parameters().replace(**self.parameters))
        ):
            found.append(
                _(
                    "throws under one leg and then the other follow too soon for feet that stand: "
                    "people hop then, and "
                    "here arms may pass through legs; a throw as usual in between, as underleg,- "
                    "has it, leaves time"
                )
            )
        usual = Parameters()
        if leaves_out_ones(
            loop, time_throws(loop, usual.dwell, usual.squeeze_beats), said.catches, said.throws
        ):
            found.append(
                _("a 1 has no time to go around the body; it is thrown and caught as usual")
            )
        return "; ".join(found)

    def as_data(self) -> dict[str, Any]:
        """Return the result as JSON values; periods and orbits in beats, those of events in
        seconds.
        """
        place = (
            {"file": self.file, "number": self.number, "line": self.line, "name": self.name}
            if self.file
            else {}
        )
        notes = {"notes": [note._asdict() for note in self.notes]} if self.notes else {}
        data: dict[str, Any] = {
            **place,
            **notes,
            "text": self.text,
            "valid": self.score is not None,
        }
        if isinstance(self.error, RoutineError):
            data["problems"] = [
                {
                    "line": number,
                    "column": each.index + 1,
                    "error": each.reason,
                    "accepted": each.accepted,
                }
                for number, each in self.error.problems
            ]
        if self.score is None:
            if isinstance(error := self.error, NotationError):
                return {
                    **data,
                    "error": error.reason,
                    "index": error.index,
                    "accepted": error.accepted,
                }
            return {**data, "error": str(error)}
        assert self.facts is not None, "a valid pattern has some"
        lines = [line._asdict() for line in self.score.routine.lines] if self.score.routine else []
        data |= {"lines": lines} if lines else {}
        data |= {"advice": self.advice} if self.advice else {}
        return {**data, **_described(self.score), **self.facts.as_data()}

    def brief(self) -> dict[str, Any]:
        """Return what a table shows of a valid pattern, which is found sooner than all of it."""
        assert self.score is not None, "it is valid"
        return _described(self.score)


def bounce_advice(score: Score, parameters: Parameters) -> list[str]:
    """How throws bounce that have too little time to do so as written, in sentences."""
    pattern = score.pattern
    if pattern is None or not any(throw.bounces for throw in pattern.throws):
        return []
    loop = repeat_to_full_loop(pattern, score.staging)
    changes = timed_events(loop, score.staging, parameters)[0].bounces
    throws = []
    for throw in loop.throws:
        style = BOUNCE_STYLES.get(throw.bounce_style, "")
        throws.append(f"{_in_beats(loop, throw.value):g}{'B' * throw.bounces}{style}")

    def named(numbers: Iterable[int]) -> str:
        return ", ".join(sorted({throws[number] for number in numbers}))

    sentences = []
    if late := changes.late.difference(changes.hurried):
        sentences.append(
            _("{throws}: caught late, so that it has time to bounce", throws=named(late))
        )
    if changes.hurried:
        sentences.append(
            _(
                "{throws}: has too little time to bounce as written, so it is thrown down or "
                "bounces less often, "
                "and is caught late",
                throws=named(changes.hurried),
            )
        )
    if changes.left_out:
        sentences.append(
            _(
                "{throws}: has no time to bounce, so it goes through the air",
                throws=named(changes.left_out),
            )
        )
    return sentences


def check(text: str) -> Check:
    """Read a text as a pattern; an error becomes part of the result."""
    try:
        settings = read_settings(text)
    except JuggleError as error:
        return Check(text, error=error)
    notes = tuple(Note(0, note) for note in settings.notes)
    return Check(text, settings.score, parameters=settings.parameters, notes=notes)


def check_all(text: str) -> tuple[Check, ...]:
    """Check what a text stands for: a pattern, all patterns of a file, or the one of them that it
    names.
    """
    place = find_file_reference(text)
    if place is None:
        return (check(text),)
    try:
        numbered, notes = place.numbered()
    except JuggleError as error:
        return (Check(text, error=error),)
    file = shown_path(place.path)
    checks = []
    for number, entry in numbered:
        score = entry.settings.score if entry.settings else None
        parameters = entry.settings.parameters if entry.settings else {}
        text = entry.text or entry.display
        checks.append(
            Check(text, score, entry.error, file, number, entry.line, entry.display, parameters)
        )
    return replace(checks[0], notes=notes), *checks[1:]


def check_completions(text: str) -> Iterator[Check]:
    """Check all completions of a siteswap with a `?` in it, the nearest first; any other text as it
    is.
    """
    if "?" not in text or find_file_reference(text):
        yield from check_all(text)
        return
    try:
        if "=" in text:
            reason = _(
                "all completions are found of a siteswap alone, and this is a settings string"
            )
            raise NotationError(
                text, text.index("?"), reason, _("write what stands after pattern= by itself")
            )
        found = completions(text)
    except JuggleError as error:
        yield Check(text, error=error)
        return
    yield from map(check, found)


def orbit_values(pattern: Pattern, orbit: Orbit) -> list[float]:
    """The values of an orbit's throws in beats, in the order in which a prop makes them."""
    return [_in_beats(pattern, pattern.throws[index].value) for index in orbit.throws]


def _in_beats(pattern: Pattern, parts: int) -> float:
    """Beats, whole or not, for parts of beats as the pattern counts them."""
    beats = parts / pattern.division
    return int(beats) if beats == int(beats) else round(beats, 4)


def _described(score: Score) -> dict[str, Any]:
    if pattern := score.pattern:
        return {
            "siteswap": pattern.text,
            "jugglers": pattern.jugglers,
            "props": pattern.props,
            "period": _in_beats(pattern, pattern.period),
            "orbits": [
                {
                    "throws": orbit_values(pattern, orbit),
                    "beats": _in_beats(pattern, orbit.beats),
                    "props": orbit.props,
                }
                for orbit in pattern.orbits
            ],
            "state": write_state(pattern),
        }
    placed = score.placed
    assert placed is not None, "a score without a pattern has events"
    return {
        "jugglers": placed.jugglers,
        "props": placed.props,
        "duration": placed.duration,
        "orbits": [
            {
                "throws": len(orbit.flights),
                "seconds": orbit.props * placed.duration,
                "props": orbit.props,
            }
            for orbit in placed.orbits
        ],
    }


def fact_lines(facts: Facts, *, in_beats: bool = True) -> list[tuple[str, str]]:
    """The facts except states in words: the name of each, and what is to be said of it.

    Args:
        facts: of a pattern.
        in_beats: whether its periods are in beats, not in seconds.
    """
    from juggle_anim.notation.facts import FACT_NAMES

    hand_period = round(facts.hand_period or 0.0, 4)
    period = counted(hand_period, "beat") if in_beats else f"{hand_period:g} s"
    returns = (
        _(", props after {prop_period:.12g}", prop_period=facts.prop_period)
        if facts.prop_period
        else ""
    )
    repeats = "repeats", _("hands after {period}{returns}", period=period, returns=returns)
    if (
        len(reasons := set(facts.missing.values())) == 1
        and len(facts.missing) == len(FACT_NAMES) - 2
    ):
        return [("facts", _("not applicable: {pop}", pop=reasons.pop())), repeats]
    lines = {
        "parts": _parts_in_words(facts),
        "entry": facts.entry
        and _passage_in_words(facts.entry, _("{1}, then {0}"), _("not needed: begin with {0}")),
        "exit": facts.exit
        and _passage_in_words(facts.exit, _("{0}, then {1}"), _("not needed: end after {0}")),
        "inverse": facts.inverse and _relative_in_words(facts.inverse),
        "dual": facts.dual and _relative_in_words(facts.dual),
        "mirror": facts.mirror and _relative_in_words(facts.mirror),
        "hand_load": facts.hand_load and _load_in_words(facts.hand_load),
    }
    return [
        (
            name.replace("_", " "),
            words or _("not applicable: {missing}", missing=facts.missing.get(name, "")),
        )
        for name, words in lines.items()
    ] + [repeats]


def _parts_in_words(facts: Facts) -> str | None:
    if facts.parts is None:
        return None
    if facts.prime:
        return _("prime: no state comes twice")
    parts = ", ".join(f"{times} × {text}" if times > 1 else text for text, times in facts.parts)
    return _("composite: {parts}", parts=parts)


def _passage_in_words(passage: GroundPassage, through: str, none: str) -> str:
    return (through if passage.throws else none).format(passage.pattern, passage.throws)


def _relative_in_words(relative: Relative) -> str:
    same = _(" (itself)") if relative.same else ""
    height = (
        _(
            ": {props}, height {height}",
            props=counted(relative.props, "prop"),
            height=relative.height,
        )
        if relative.height
        else ""
    )
    return f"{relative.siteswap}{same}{height}"


def _load_in_words(load: HandLoad) -> str:
    span = f"{load.smallest:g}" + _(" to {largest:g}", largest=load.largest) * (
        load.smallest != load.largest
    )
    return ngettext(
        "{span} prop a hand, {at_once} at once",
        "{span} props a hand, {at_once} at once",
        1 if span == "1" else 2,
        span=span,
        at_once=load.at_once,
    )
