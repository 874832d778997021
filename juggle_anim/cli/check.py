"""The command `check`: whether patterns are valid, and why not."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juggle_anim.cli.exit_codes import BAD_INPUT
from juggle_anim.cli.output import json_list, print_notes, print_table, say
from juggle_anim.errors import JuggleError, NotationError, counted, printable
from juggle_anim.language import _

if TYPE_CHECKING:
    from juggle_anim.choreography.score import RoutineLine
    from juggle_anim.notation import Check


def check_patterns(
    patterns: Annotated[
        list[str],
        typer.Argument(
            metavar="PATTERN", help=_("Siteswaps, names from `list`, settings, or files.")
        ),
    ],
    completions: Annotated[
        bool,
        typer.Option("--all", help=_("All completions of a siteswap with a ?, the nearest first.")),
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help=_("A JSON list with one object for each pattern."))
    ] = False,
) -> None:
    """Say whether patterns are valid, or why not.

    A valid one is shown with its props, period, orbits and state, a file of several in a summary.
    Exits with 2 when any is not valid.
    """
    from juggle_anim.notation import check_all

    checked = [
        [
            _checked_for_showing(check)
            for check in (_checked_completions(text) if completions else check_all(text))
        ]
        for text in patterns
    ]
    if json:
        typer.echo(json_list(check.as_data() for checks in checked for check in checks))
    else:
        for number, checks in enumerate(checked):
            if number:
                typer.echo("")
            _print_checks(checks)
    if not all(check.score for checks in checked for check in checks):
        raise typer.Exit(BAD_INPUT)


def _checked_completions(text: str) -> Sequence[Check]:
    """Return checks of the completions of a siteswap with a ?, and say if there are more."""
    from juggle_anim.notation import check_completions

    # One more than is shown tells whether there are more.
    completions = tuple(islice(check_completions(text), _MAX_COMPLETIONS + 1))
    if len(completions) > _MAX_COMPLETIONS and "?" in text:
        say(
            _(
                "{text}: these are the nearest {most_completions} completions; there are more",
                text=text,
                most_completions=_MAX_COMPLETIONS,
            ),
            err=True,
        )
        return completions[:-1]
    return completions


def _checked_for_showing(check: Check) -> Check:
    """Return a check with the error that showing the pattern would meet, if it meets one."""
    if check.score is None:
        return check
    from juggle_anim.animation import Animation
    from juggle_anim.parameters import Parameters

    try:
        animation = Animation(check.score, Parameters().replace(**check.parameters))
        # Everything else can be shown once its events are known; bounces must be solved.
        if any(style.bounces for style in animation.choreography.flights.style):
            animation.motion  # noqa: B018
    except JuggleError as error:
        return replace(check, score=None, error=error)
    return check


def _print_checks(checks: Sequence[Check]) -> None:
    """Print what is known of one typed pattern, of its completions, or of a file's patterns."""
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
    """Print all facts about a pattern, or why it is not valid."""
    # A pattern that is not valid: why.
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
    # Facts, without those that only repeat the text.
    data = check.as_data()
    facts: dict[str, Any] = {}
    if check.name not in ("", data.get("siteswap")):
        facts["name"] = printable(check.name)
    for name in ("siteswap", "jugglers", "props"):
        if data.get(name, text) != text:
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
    # A routine: when each of its lines begins.
    if check.score.routine:
        typer.echo("")
        print_table(
            (_("Time"), _("Line"), _("On the way")),
            map(_routine_row, check.score.routine.lines),
            numbers=(_("Time"),),
        )


def _routine_row(line: RoutineLine) -> tuple[str, str, str]:
    return _clock(line.begins), printable(line.text), line.transition


def _clock(seconds: float) -> str:
    """Format a time as 1:02.3."""
    minutes, tenths = divmod(round(seconds * 10), 600)
    return f"{minutes}:{tenths / 10:04.1f}"


def _beat_facts(data: dict[str, Any]) -> dict[str, str]:
    """Return facts about a pattern of throws on beats, in words.

    Args:
        data: from `Check.as_data`.
    """
    orbits = (" ".join(map(str, orbit["throws"])) for orbit in data["orbits"])
    ground = {True: " (ground)", False: " (excited)", None: ""}[data["ground"]]
    state = data["state"] + ground
    facts = {
        "period": counted(data["period"], "beat"),
        "orbits": ", ".join(orbits) or "none",
        "state": state,
    }
    if (states := data["states"]) and len(states) > 1:
        shown = "  ".join(states)
        # Many states are cut behind the last that is whole.
        if len(shown) > _MAX_STATES_LENGTH:
            first_states = shown[:_MAX_STATES_LENGTH].rpartition("  ")[0]
            shown = _("{some}  … {count} in all", some=first_states, count=len(states))
        facts["states"] = shown
    return facts


def _more_facts(check: Check) -> dict[str, str]:
    """Return facts beyond states, in words."""
    from juggle_anim.notation.facts import fact_lines

    assert check.facts is not None, "it is valid"
    return dict(fact_lines(check.facts, in_beats=check.pattern is not None))


def _event_facts(data: dict[str, Any]) -> dict[str, str]:
    """Return facts about a pattern of events with times, in words."""
    orbits = Counter((orbit["throws"], orbit["props"]) for orbit in data["orbits"])
    groups = [
        (f"{count} × " if count > 1 else "")
        + _("{props} with {throws}", props=counted(props, "prop"), throws=counted(throws, "throw"))
        for (throws, props), count in orbits.items()
    ]
    return {"duration": f"{data['duration']:.4g} s", "orbits": ", ".join(groups) or "none"}


def _print_summary(checks: Sequence[Check]) -> None:
    """Print a summary of a file: how many patterns are valid, their props and jugglers, and errors.

    Args:
        checks: of all patterns of the file, in their order.
    """
    wrong = [check for check in checks if check.score is None]
    scores = [check.score for check in checks if check.score]

    # Counts of the whole file, then of the valid patterns by props and by jugglers.
    say(
        _(
            "{file}: {patterns}, {valid} valid, {wrong} not valid",
            file=checks[0].file,
            patterns=counted(len(checks), "pattern"),
            valid=len(scores),
            wrong=len(wrong),
        )
    )
    for name in ("props", "jugglers"):
        if counts := Counter(getattr(score, name) for score in scores):
            say(
                f"  {name:<10}"
                + ", ".join(
                    _("{counts} with {key}", counts=counts[key], key=key) for key in sorted(counts)
                )
            )

    # Patterns that are not valid, up to a number that can be read.
    if wrong:
        typer.echo("")
        print_table(
            ("#", _("Line"), _("Pattern"), _("Why not")),
            map(_invalid_row, wrong[:_MAX_INVALID_ROWS]),
            numbers=("#", _("Line")),
        )
    if len(wrong) > _MAX_INVALID_ROWS:
        say(
            _(
                "\n{count} more are not valid; --json shows them all",
                count=len(wrong) - _MAX_INVALID_ROWS,
            )
        )


def _invalid_row(check: Check) -> tuple[str, str, str, str]:
    error = check.error
    reason = printable(error.reason if isinstance(error, NotationError) else str(error))
    return (
        str(check.number),
        str(check.line or ""),
        printable(check.text, _MAX_PATTERN_LENGTH),
        reason,
    )


_MAX_PATTERN_LENGTH = 40  # characters of a pattern in a table
_MAX_STATES_LENGTH = 100  # characters of all states
_MAX_INVALID_ROWS = 200  # of patterns that are not valid
_MAX_COMPLETIONS = 1_000
