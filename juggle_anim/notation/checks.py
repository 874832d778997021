"""Checks: whether a text is a pattern, and its props, period, orbits and state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from juggle_anim.choreography import Score
from juggle_anim.choreography.choreograph import choreograph, repeat_to_full_loop, timed_events
from juggle_anim.choreography.dwell import time_throws
from juggle_anim.choreography.manners import leaves_out_ones, needs_hops
from juggle_anim.errors import ChoreographyError, JuggleError, NotationError, RoutineError
from juggle_anim.language import _
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
    from juggle_anim.notation.facts import Facts


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
        """What is known of a valid pattern beyond its props, period and orbits; else None."""
        # Imported when first used: every program that reads a pattern would have to wait for it.
        from juggle_anim.notation.facts import facts_of

        return facts_of(self.score) if self.score else None

    @property
    def advice(self) -> str:
        """What is not as people do it, or as the text says, in sentences; may be empty."""
        if self.pattern is None or self.score is None:
            return ""
        staging = self.score.staging
        try:
            loop = repeat_to_full_loop(self.pattern, staging)
        except ChoreographyError:
            return ""
        parameters = Parameters().replace(**self.parameters)
        sentences = bounce_advice(self.score, parameters)
        if staging.throws and needs_hops(choreograph(self.score, parameters)):
            sentences.append(
                _(
                    "throws under one leg and then the other follow too soon for feet that stand: "
                    "people hop then, and "
                    "here arms may pass through legs; a throw as usual in between, as underleg,- "
                    "has it, leaves time"
                )
            )
        usual = Parameters()
        timing = time_throws(loop, usual.dwell, usual.squeeze_beats)
        if leaves_out_ones(loop, timing, staging.catches, staging.throws):
            sentences.append(
                _("a 1 has no time to go around the body; it is thrown and caught as usual")
            )
        return "; ".join(sentences)

    def as_data(self) -> dict[str, Any]:
        """Return the result as JSON values; periods in beats, those of events in seconds."""
        data: dict[str, Any] = {}
        if self.file:
            data |= {
                "file": self.file,
                "number": self.number,
                "line": self.line,
                "name": self.name,
            }
        if self.notes:
            data["notes"] = [note._asdict() for note in self.notes]
        data |= {"text": self.text, "valid": self.score is not None}
        if isinstance(self.error, RoutineError):
            data["problems"] = [
                {
                    "line": number,
                    "column": problem.index + 1,
                    "error": problem.reason,
                    "accepted": problem.accepted,
                }
                for number, problem in self.error.problems
            ]
        if self.score is None:
            error = self.error
            if isinstance(error, NotationError):
                return {
                    **data,
                    "error": error.reason,
                    "index": error.index,
                    "accepted": error.accepted,
                }
            return {**data, "error": str(error)}
        assert self.facts is not None, "a valid pattern has some"
        if self.score.routine and self.score.routine.lines:
            data["lines"] = [line._asdict() for line in self.score.routine.lines]
        if self.advice:
            data["advice"] = self.advice
        return {**data, **_described(self.score), **self.facts.as_data()}

    def brief(self) -> dict[str, Any]:
        """Return what a table shows of a valid pattern, which is found sooner than all of it."""
        assert self.score is not None, "it is valid"
        return _described(self.score)


def bounce_advice(score: Score, parameters: Parameters) -> list[str]:
    """Say in sentences how throws bounce that have too little time to do so as written."""
    pattern = score.pattern
    if pattern is None or not any(throw.bounces for throw in pattern.throws):
        return []
    loop = repeat_to_full_loop(pattern, score.staging)
    changes = timed_events(loop, score.staging, parameters)[0].bounces
    throws = []
    for throw in loop.throws:
        style = BOUNCE_STYLES.get(throw.bounce_style, "")
        throws.append(f"{_in_beats(loop, throw.value):g}{'B' * throw.bounces}{style}")

    def named(indices: Iterable[int]) -> str:
        return ", ".join(sorted({throws[index] for index in indices}))

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
    """Check what a text stands for: a pattern, a file's patterns, or the one that it names."""
    reference = find_file_reference(text)
    if reference is None:
        return (check(text),)
    try:
        numbered, notes = reference.numbered()
    except JuggleError as error:
        return (Check(text, error=error),)
    file = shown_path(reference.path)
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
    """Check all completions of a siteswap with a `?`, the nearest first; another text as it is."""
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
        completed = completions(text)
    except JuggleError as error:
        yield Check(text, error=error)
        return
    yield from map(check, completed)


def orbit_values(pattern: Pattern, orbit: Orbit) -> list[float]:
    """Return the values of an orbit's throws in beats, in the order in which a prop makes them."""
    return [_in_beats(pattern, pattern.throws[index].value) for index in orbit.throws]


def _in_beats(pattern: Pattern, parts: int) -> float:
    """Return beats, whole or not, for parts of beats as the pattern counts them."""
    beats = parts / pattern.division
    return int(beats) if beats == int(beats) else round(beats, 4)


def _described(score: Score) -> dict[str, Any]:
    """Return the counts, period, orbits and state of a score, or the orbits of its events."""
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
