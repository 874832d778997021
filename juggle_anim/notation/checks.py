"""Checks: whether a text is a pattern, and its props, period, orbits and state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from juggle_anim.choreography import Score
from juggle_anim.choreography.choreograph import choreograph, repeat_to_full_loop, timed_events
from juggle_anim.choreography.dwell import time_throws
from juggle_anim.choreography.manners import leaves_out_ones, needs_hops
from juggle_anim.errors import ChoreographyError, JuggleError, NotationError, RoutineError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
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
        """Advice to the user where the animation differs from the text or from what people do.

        Sentences joined by semicolons; empty if there is nothing to say.
        """
        if self.pattern is None or self.score is None:
            return ""
        staging = self.score.staging
        try:
            loop = repeat_to_full_loop(self.pattern, staging)
        except ChoreographyError:
            return ""  # it cannot be animated, and the animation itself says why

        parameters = Parameters().replace(**self.parameters)
        sentences = bounce_advice(self.score, parameters)
        if staging.throws and needs_hops(choreograph(self.score, parameters)):
            sentences.append(
                _(
                    "throws under one leg and then the other come too soon after each other: "
                    "people hop, but here arms may pass through legs; put a normal throw in "
                    "between, as in underleg,-"
                )
            )
        # Which props a hand catches when depends on the dwell; as for body tricks, it is looked up
        # with the default one, not with that of the pattern.
        defaults = Parameters()
        timing = time_throws(loop, defaults.dwell, defaults.squeeze_beats)
        if leaves_out_ones(loop, timing, staging.catches, staging.throws):
            sentences.append(
                _("a 1 has no time to go around the body, so it is thrown and caught normally")
            )
        return "; ".join(sentences)

    def as_data(self) -> dict[str, Any]:
        """Return the result as JSON values: where it was read, then the facts or the error.

        Periods are in beats, those of events in seconds.
        """
        # Where the text stands in a file.
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

        # The error of a broken pattern. Routines name all their problems at once.
        if isinstance(self.error, RoutineError):
            data["problems"] = [
                {
                    "line": line_number,
                    "column": problem.index + 1,
                    "error": problem.reason,
                    "accepted": problem.accepted,
                }
                for line_number, problem in self.error.problems
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

        # The facts of a valid pattern.
        assert self.facts is not None, "a valid pattern has some"
        if self.score.routine and self.score.routine.lines:
            data["lines"] = [line._asdict() for line in self.score.routine.lines]
        if self.advice:
            data["advice"] = self.advice
        return {**data, **_described_score(self.score), **self.facts.as_data()}

    def brief(self) -> dict[str, Any]:
        """Return what a table shows of a valid pattern, which is found sooner than all of it."""
        assert self.score is not None, "it is valid"
        return _described_score(self.score)


def bounce_advice(score: Score, parameters: Parameters) -> list[str]:
    """Say how throws that have too little time to bounce as written are changed.

    Args:
        score: the pattern; without bounces there is nothing to say.
        parameters: of the animation; gravity and the like decide which throws have time.

    Returns:
        A sentence for each kind of change, which begins with its throws as they are written.
    """
    pattern = score.pattern
    if pattern is None or not any(throw.bounces for throw in pattern.throws):
        return []
    loop = repeat_to_full_loop(pattern, score.staging)
    events, _tempo = timed_events(loop, score.staging, parameters)
    changes = events.bounces

    # Each throw as it is written: value in beats, a B for each bounce, letters of the style.
    throw_texts = []
    for throw in loop.throws:
        style_letters = BOUNCE_STYLES.get(throw.bounce_style, "")
        throw_texts.append(f"{loop.beats(throw.value):g}{'B' * throw.bounces}{style_letters}")

    def joined_throws(indices: Iterable[int]) -> str:
        return ", ".join(sorted({throw_texts[index] for index in indices}))

    sentences = []
    # `hurried` and `late` overlap: hurried throws are caught late as well, which the sentence about
    # them says, so the first sentence leaves them out.
    if late_only := changes.late.difference(changes.hurried):
        sentences.append(
            _(
                "{throws}: caught late to give it time to bounce",
                throws=joined_throws(late_only),
            )
        )
    if changes.hurried:
        sentences.append(
            _(
                "{throws}: too low to bounce as written, so it is thrown down or bounces less "
                "often, and is caught late",
                throws=joined_throws(changes.hurried),
            )
        )
    if changes.left_out:
        sentences.append(
            _(
                "{throws}: no time to bounce, so it goes through the air",
                throws=joined_throws(changes.left_out),
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
    """Check a text that is a pattern, a file of patterns, or a reference to one in a file.

    Returns:
        A check for each pattern, in the order of the file; at least one. Errors of reading become
        a check, too.
    """
    reference = find_file_reference(text)
    if reference is None:
        return (check(text),)
    try:
        numbered_entries, notes = reference.numbered()
    except JuggleError as error:
        return (Check(text, error=error),)

    file = shown_path(reference.path)
    checks = []
    for number, entry in numbered_entries:
        score = entry.settings.score if entry.settings else None
        parameters = entry.settings.parameters if entry.settings else {}
        # Entries with events have no text, only a name.
        entry_text = entry.text or entry.display
        checks.append(
            Check(
                entry_text,
                score,
                entry.error,
                file=file,
                number=number,
                line=entry.line,
                name=entry.display,
                parameters=parameters,
            )
        )
    # Notes are about the file as a whole, so only the first check gets them. There is always one.
    return replace(checks[0], notes=notes), *checks[1:]


def check_completions(text: str) -> Iterator[Check]:
    """Check all completions of a siteswap with a `?`, the nearest first; another text as it is.

    Yields:
        A check for each completion, found while they are asked for, since there may be very many;
        or one check with the error.
    """
    # The name of a file may have a ? in it.
    if "?" not in text or find_file_reference(text):
        yield from check_all(text)
        return
    try:
        # A settings string; only a pattern by itself has several completions.
        if "=" in text:
            reason = _("only a siteswap can be completed, and this has settings")
            raise NotationError(
                text, text.index("?"), reason, _("write only the part after pattern=")
            )
        completed = completions(text)
    except JuggleError as error:
        yield Check(text, error=error)
        return
    yield from map(check, completed)


def orbit_values(pattern: Pattern, orbit: Orbit) -> list[float]:
    """Return the values of an orbit's throws in beats, in the order in which a prop makes them."""
    return [pattern.beats(pattern.throws[index].value) for index in orbit.throws]


def _described_score(score: Score) -> dict[str, Any]:
    """Return the counts, period, orbits and state of a score as JSON values.

    Periods and orbits of a pattern are in beats; a score of events has seconds, and no state.
    """
    # An orbit has the values of its throws in the order in which a prop makes them, the beats in
    # which the prop goes round, and how many props share it.
    pattern = score.pattern
    if pattern:
        return {
            "siteswap": pattern.text,
            "jugglers": pattern.jugglers,
            "props": pattern.props,
            "period": pattern.beats(pattern.written_period),
            "orbits": [
                {
                    "throws": orbit_values(pattern, orbit),
                    "beats": pattern.beats(orbit.beats),
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
