"""The command `transition`: the throws that lead from one pattern into another and back."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated

import click

from juggle_anim.cli.command import ArgumentLine, argument, option
from juggle_anim.cli.options import json_list, say
from juggle_anim.language import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from juggle_anim.notation.transitions import JoinedPatterns, TransitionLine

_DEFAULT_LIMIT = 1000  # at which Juggling Lab's transitioner stops without `-limits`


@click.command("transition", cls=ArgumentLine)
def transition(
    words: Annotated[
        list[str], argument(metavar="A B", help=_("Two siteswaps, and options such as -m 2."))
    ],
    shortest: Annotated[
        bool,
        option("--shortest", help=_("Only the shortest, from any beat of A to any beat of B.")),
    ] = False,
    max_throw: Annotated[
        int | None, option(metavar="N", help=_("Highest throw allowed."), show_default=False)
    ] = None,
    most: Annotated[
        int | None,
        option(metavar="N", help=_("Stop after N."), type=click.IntRange(1), show_default=False),
    ] = None,
    opened: Annotated[bool, option("--open", help=_("Open the first one in the viewer."))] = False,
    json: Annotated[
        bool, option("--json", help=_("Print a JSON list, an object for each transition."))
    ] = False,
    out: Annotated[
        str | None,
        option("--out", "-o", metavar="OUT", help=_("Export the first one."), show_default=False),
    ] = None,
) -> None:
    """Find the throws that lead from one pattern into another.

    A line is one siteswap, (A^2) T (B^2) T', which `show` takes: A twice, the throws of
    the transition, B twice, and the throws back. All that lead from the beginning of A
    to that of B are listed as Juggling Lab lists them: throws go to either hand, the
    shortest transitions come first, and then longer ones.

    \b
    -m N     up to N props may land in one hand at once on the way
    -mf      they may be caught at once (squeezed)
    -mc      no clusters such as [33]
    -limits  do not stop after 1000
    """
    from juggle_anim.notation.transitions import read_transition_line

    line = read_transition_line(words[0] if len(words) == 1 else words)
    transitions = _transitions(line, shortest=shortest, max_throw=max_throw)
    limit = _DEFAULT_LIMIT if line.limited and most is None else most
    if opened:
        from juggle_anim.api import show

        show(next(transitions).pattern)
    elif out:
        from juggle_anim.api import export

        say("\n".join(map(str, export(next(transitions).pattern, out))))
    elif json:
        click.echo(json_list(joined._asdict() for joined in islice(transitions, limit)))
    else:
        for joined in islice(transitions, limit):
            say(joined.pattern)
            if not (joined.throws or joined.back):
                say(_("No throws are needed between them."), err=True)
        if most is None and limit is not None and next(transitions, None):
            say(_("stopped after {limit}; -limits lists all", limit=limit), err=True)


def _transitions(
    line: TransitionLine, *, shortest: bool, max_throw: int | None
) -> Iterator[JoinedPatterns]:
    """Yield the transitions of an argument line.

    Args:
        line: as Juggling Lab's transitioner takes it.
        shortest: whether to list only the shortest ones, between any two beats, with hands in turn.
        max_throw: the highest throw on the way; None for any.
    """
    import dataclasses

    from juggle_anim.notation.transitions import join_line, join_patterns

    rules = dataclasses.replace(line.rules, max_throw=max_throw)
    if shortest:
        return join_patterns(line.start, line.end, dataclasses.replace(rules, any_hand=False))
    return join_line(dataclasses.replace(line, rules=rules))
