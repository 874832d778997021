"""The command `check`: whether patterns are valid, and why not."""

from __future__ import annotations

import sys
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import click

from juggle_anim.cli.command import FAILED, Command, argument, option
from juggle_anim.cli.options import (
    JsonList,
    json_list,
    lines_of_input,
    print_notes,
    print_table,
    say,
)
from juggle_anim.errors import JuggleError, NotationError, counted, printable
from juggle_anim.language import _

if TYPE_CHECKING:
    from juggle_anim.notation import Check


@click.command("check", cls=Command)
def check_patterns(
    patterns: Annotated[
        list[str],
        argument(
            metavar="PATTERN",
            help=_("Siteswaps, names from `list`, settings, files, or - for standard input."),
        ),
    ],
    completions: Annotated[
        bool,
        option("--all", help=_("List all completions of a siteswap with ?, nearest first.")),
    ] = False,
    props: Annotated[
        int | None, option(metavar="N", help=_("With --all: only completions with so many props."))
    ] = None,
    json: JsonList = False,
) -> None:
    """Check whether patterns are valid, and explain why not.

    A valid pattern is shown with its props, period, orbits and state; a file with several gets a
    summary. Use - to read patterns from standard input. The exit code is 1 if any is not valid.
    """
    from juggle_anim.notation import check_all

    if "-" in patterns:
        patterns = [*(text for text in patterns if text != "-"), *lines_of_input()]
    # For each argument its checks: one, or several for a file or completions.
    checked = [
        [
            _checked_as_shown(check)
            for check in (_checked_completions(text, props) if completions else check_all(text))
        ]
        for text in patterns
    ]
    if json:
        click.echo(json_list(check.as_data() for checks in checked for check in checks))
    else:
        for number, checks in enumerate(checked):
            if number:
                click.echo("")
            _print_checks(checks)
    if not all(check.score for checks in checked for check in checks):
        sys.exit(FAILED)


def _checked_completions(text: str, props: int | None) -> Sequence[Check]:
    """Return checks of the nearest completions of a siteswap with a `?`, and say if there are more.

    A completion puts throws for each `?`. A text without one is checked as it is.

    Args:
        text: the pattern as typed.
        props: how many a completion may have; None for any.
    """
    from juggle_anim.notation import check_completions

    checks = check_completions(text)
    if "?" not in text:
        return tuple(checks)
    if props is not None:
        checks = (check for check in checks if check.score and check.score.props == props)
    # One more than is shown tells whether there are more.
    completions = tuple(islice(checks, _MAX_COMPLETIONS + 1))
    if len(completions) > _MAX_COMPLETIONS:
        say(
            _(
                "{text}: only the nearest {most_completions} completions are listed",
                text=text,
                most_completions=_MAX_COMPLETIONS,
            ),
            err=True,
        )
        return completions[:-1]
    return completions


def _checked_as_shown(check: Check) -> Check:
    """Return a check that also fails if the pattern is valid but cannot be animated.

    Args:
        check: check of a pattern; its `score` is None if it is not valid.

    Returns:
        The check, with an error in place of the score if it cannot be animated.
    """
    if check.score is None:
        return check
    from juggle_anim.choreography import entered_events
    from juggle_anim.parameters import Parameters

    try:
        parameters = Parameters().replace(**check.parameters)
        # The number of bounces of each flight, of timed events or of throws.
        if check.score.placed is not None:
            bounces = [style.bounces for style in check.score.placed.flights.style]
        else:
            pattern, _events, _tempo = entered_events(check.score, parameters)
            bounces = [throw.bounces for throw in pattern.throws]
        # A pattern without bounces can be shown once its events are known; whether a bounce is
        # possible is known only when it is solved.
        if any(bounces):
            from juggle_anim.animation import Animation

            # Reading this property solves the bounces, and raises the error.
            Animation(check.score, parameters).motion  # noqa: B018
    except JuggleError as error:
        return replace(check, score=None, error=error)
    return check


def _print_checks(checks: Sequence[Check]) -> None:
    """Print the checks of one argument.

    These are the facts of a single pattern, a summary of a file of several, or a table of
    completions.

    Args:
        checks: at least one.
    """
    # Notes are with the first pattern of a file.
    print_notes(checks[0].file or checks[0].text, checks[0].notes)
    if len(checks) == 1:
        _print_one(checks[0])
    elif checks[0].file:
        _print_summary(checks)
    else:
        print_table(
            (_("Siteswap"), _("Props"), _("Period"), _("State")),
            map(_completion_row, checks),
            numbers=(_("Props"), _("Period")),
        )


def _completion_row(check: Check) -> tuple[str, str, str, str]:
    data = check.brief()
    return data["siteswap"], str(data["props"]), str(data["period"]), data["state"]


def _print_one(check: Check) -> None:
    """Print all facts about a pattern, or why it is not valid.

    Args:
        check: check of the pattern; its `score` is None if it is not valid.
    """
    text = f"{check.file}#{check.number}" if check.file else printable(check.text)
    if check.score is None:
        say(
            _(
                "{text}: not valid\n{indent}",
                text=text,
                indent=textwrap.indent(str(check.error), "  "),
            )
        )
        return

    # The lines to print, by their names. Facts that the typed text itself says are left out.
    data = check.as_data()
    facts: dict[str, Any] = {}
    if check.name not in ("", data.get("siteswap")):
        facts["name"] = printable(check.name)
    for name in ("siteswap", "jugglers", "props"):
        if name in data and data[name] != text:
            facts[name] = data[name]
    if check.score.routine:
        facts["duration"] = _clock(check.score.routine.lines[-1].ends)
    else:
        facts |= _beat_facts(data) if check.pattern else _event_facts(data)
        facts |= _more_facts(check)
    if check.advice:
        facts["advice"] = check.advice

    say(
        "\n".join(
            [
                _("{text}: valid", text=text),
                *(f"  {name:<10}{value}" for name, value in facts.items()),
            ]
        )
    )

    # The lines of a routine, with their times.
    if check.score.routine:
        click.echo("")
        print_table(
            (_("Time"), _("Line"), _("Transition")),
            [
                (_clock(line.begins), printable(line.text), line.transition)
                for line in check.score.routine.lines
            ],
            numbers=(_("Time"),),
        )


def _clock(seconds: float) -> str:
    """Format a time as 1:02.3."""
    minutes, tenths = divmod(round(seconds * 10), 600)
    return f"{minutes}:{tenths / 10:04.1f}"


def _beat_facts(data: dict[str, Any]) -> dict[str, str]:
    """Return period, orbits and states of a pattern on beats, in words by the name of the line.

    Args:
        data: the data as `Check.as_data` returns it, whose "ground" is None if that is not known.
    """
    orbits = (" ".join(map(str, orbit["throws"])) for orbit in data["orbits"])
    # A state says on which of the next beats props land. The ground state, in which they land on
    # the next beats one by one, is that of a cascade or fountain; an excited pattern never passes
    # it.
    ground = {True: " (ground)", False: " (excited)", None: ""}[data["ground"]]
    state = data["state"] + ground
    facts = {
        "period": counted(data["period"], "beat"),
        "orbits": ", ".join(orbits) or "none",
        "state": state,
    }
    # The states on all beats, of which the first is known already; cut between two of them.
    states = data["states"]
    if states and len(states) > 1:
        shown = "  ".join(states)
        if len(shown) > _MAX_STATES:
            first_states = shown[:_MAX_STATES].rpartition("  ")[0]
            shown = _("{some}  … {count} in all", some=first_states, count=len(states))
        facts["states"] = shown
    return facts


def _more_facts(check: Check) -> dict[str, str]:
    """Return facts beyond states, in words."""
    from juggle_anim.notation import fact_lines

    assert check.facts is not None, "it is valid"
    return dict(fact_lines(check.facts, in_beats=check.pattern is not None))


def _event_facts(data: dict[str, Any]) -> dict[str, str]:
    """Return duration and orbits of a pattern of events, in words by the name of the line.

    Args:
        data: the data as `Check.as_data` returns it.
    """
    # An orbit is the closed path that some props share. Orbits with the same numbers of throws and
    # props are told together: `2 × 1 prop with 3 throws`.
    orbits = Counter((orbit["throws"], orbit["props"]) for orbit in data["orbits"])
    groups = [
        (f"{count} × " if count > 1 else "")
        + _("{props} with {throws}", props=counted(props, "prop"), throws=counted(throws, "throw"))
        for (throws, props), count in orbits.items()
    ]
    return {"duration": f"{data['duration']:.4g} s", "orbits": ", ".join(groups) or "none"}


def _print_summary(checks: Sequence[Check]) -> None:
    """Print how many patterns are valid, how many props and jugglers these have, and what is wrong.

    Args:
        checks: checks of all patterns of a file, at least one.
    """
    invalid = [check for check in checks if check.score is None]
    scores = [check.score for check in checks if check.score is not None]
    say(
        _(
            "{file}: {patterns}, {valid} valid, {wrong} not valid",
            file=checks[0].file,
            patterns=counted(len(checks), "pattern"),
            valid=len(scores),
            wrong=len(invalid),
        )
    )

    # How many patterns have each number of props, and each number of jugglers.
    for name in ("props", "jugglers"):
        counts = Counter(getattr(score, name) for score in scores)
        groups = [
            _("{counts} with {key}", counts=count, key=number)
            for number, count in sorted(counts.items())
        ]
        if groups:
            say(f"  {name:<10}" + ", ".join(groups))

    # A table of those that are not valid, at most `_MAX_ROWS`.
    if invalid:
        click.echo("")
        print_table(
            ("#", _("Line"), _("Pattern"), _("Reason")),
            map(_problem_row, invalid[:_MAX_ROWS]),
            numbers=("#", _("Line")),
        )
    if len(invalid) > _MAX_ROWS:
        count = len(invalid) - _MAX_ROWS
        say(_("\n{count} more are not valid; --json shows them all", count=count))


def _problem_row(check: Check) -> tuple[str, str, str, str]:
    error = check.error
    reason = printable(error.reason if isinstance(error, NotationError) else str(error))
    return str(check.number), str(check.line or ""), printable(check.text, _MAX_TEXT), reason


_MAX_TEXT = 40  # characters of a pattern in a table
_MAX_STATES = 100  # characters of all states
_MAX_ROWS = 200  # of patterns that are not valid
_MAX_COMPLETIONS = 1_000
