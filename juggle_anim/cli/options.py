"""Arguments and flags that commands share: the pattern, all parameters and text settings, picture
sizes, plots.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import click

from juggle_anim.cli.command import argument, option
from juggle_anim.cli.exit_codes import flag
from juggle_anim.cli.output import print_notes, say
from juggle_anim.language import _
from juggle_anim.parameters import ROWS, SIDED_PARAMETERS, Choice, Row
from juggle_anim.text_settings import TEXT_KEYS, TEXT_SETTINGS, TextSetting

if TYPE_CHECKING:
    from juggle_anim.animation import Animation


_NAMES = (*(row.name for row in ROWS), *TEXT_KEYS)

PatternText = Annotated[
    str,
    argument(
        metavar="PATTERN",
        help=_("A siteswap, a name from `list`, pattern=531;dwell=1, or a file: tricks.jml#3."),
    ),
]
"""The argument for one pattern."""


def take_parameters(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that takes `**parameters` a flag for each; it receives those that were typed.

    A flag is the name with dashes: `chicken_wing` is `--chicken-wing`. The key of settings strings,
    where it differs, is a flag too: `--chickenwing`. An on-off setting also has a flag that begins
    with `--no-`.
    """

    @functools.wraps(command)
    def wrapper(**arguments: Any) -> None:
        # A flag that was not typed is None.
        unset = [name for name in _NAMES if arguments[name] is None]
        command(
            **_split_sides({name: value for name, value in arguments.items() if name not in unset})
        )

    # Described when the command is called, or its help is shown.
    wrapper.keyword_parameters = _flags  # type: ignore[attr-defined]
    return wrapper


@functools.cache
def _flags() -> tuple[inspect.Parameter, ...]:
    """Return the parameters of a command from which the library makes all flags."""
    return (*map(_flag, ROWS), *map(_text_flag, TEXT_SETTINGS))


def _flag(row: Row) -> inspect.Parameter:
    """Return the parameter of a command from which the library makes the flag for a table row.

    A choice takes a word, a quantity a number; its help ends with what is accepted.
    """
    # The name with dashes, and the key of settings where it differs.
    names = dict.fromkeys((flag(row.name), flag(row.key)))
    if isinstance(row, Choice):
        accepted = _(
            "{options}; default {default}", options=", ".join(row.options), default=row.default
        )
        unit = "WORD"
    else:
        follows = (
            _("as {follows}", follows=row.follows.replace("_", "-"))
            if row.follows
            else _("by the throws")
        )
        default = follows if row.default is None else f"{row.default:g}"
        accepted = _(
            "{low:g} to {high:g}, default {default}", low=row.low, high=row.high, default=default
        )
        unit = row.unit or "NUMBER"

    # A parameter for both sides may have two numbers, so it is read as text.
    if row.name in SIDED_PARAMETERS:
        unit += "|LEFT,RIGHT"
    is_text = isinstance(row, Choice) or row.name in SIDED_PARAMETERS
    described = option(*names, metavar=unit, help=f"{row.help} [{accepted}]", show_default=False)
    annotation: Any = (
        Annotated[str | None, described] if is_text else Annotated[float | None, described]
    )
    return inspect.Parameter(
        row.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
    )


def _split_sides(flags: dict[str, Any]) -> dict[str, Any]:
    """Replace texts of parameters for both sides, `left,right`, by a number for each side.

    A single number stays one for both. `flags` is changed in place, and returned.

    Raises:
        click.BadParameter: there are more than two numbers, others than numbers, or a side that has
            a flag of its own besides.
    """
    for name in SIDED_PARAMETERS.keys() & flags.keys():
        texts = flags.pop(name).split(",")
        # Sides may be named: right=10,left=30.
        if all("=" in text for text in texts):
            texts = [text.partition("=")[2] for text in sorted(texts)]
        hint = flag(name)
        # The parameter itself, or those of the left and the right side.
        names = (name,) if len(texts) == 1 else SIDED_PARAMETERS[name]
        if len(texts) > len(names):
            raise click.BadParameter(
                _("{texts!r} has more than two numbers (left,right)", texts=",".join(texts)),
                param_hint=hint,
            )
        if twice := [side_name for side_name in names if side_name in flags]:
            raise click.BadParameter(
                _("sets {twice} a second time; set each once", twice=twice[0]), param_hint=hint
            )
        flags |= {
            side_name: _number(hint, text) for side_name, text in zip(names, texts, strict=True)
        }
    return flags


def _number(hint: str, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise click.BadParameter(
            _("{text!r} is not a number", text=text), param_hint=hint
        ) from error


def _text_flag(setting: TextSetting) -> inspect.Parameter:
    """Return the parameter of a command from which the library makes the flag for a text setting.

    A setting without a form of its value is a switch, which also has a flag `--no-…`.
    """
    switch = not setting.form
    described = option(
        f"--{setting.name}/--no-{setting.name}" if switch else f"--{setting.name}",
        metavar=setting.form or None,
        help=setting.help,
        show_default=False,
    )
    annotation: Any = (
        Annotated[bool | None, described] if switch else Annotated[str | None, described]
    )
    return inspect.Parameter(
        setting.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
    )


def open_animation(text: str, flags: dict[str, Any]) -> Animation:
    """Open a typed pattern with the given flags.

    On standard error it is said how many patterns a file of several holds, and what is not read.

    Args:
        text: as typed.
        flags: flags for parameters and settings that were typed, by name.
    """
    from juggle_anim.animation import animated
    from juggle_anim.notation import open_first

    # - is standard input, one pattern.
    settings, count, notes = open_first(sys.stdin.read().strip() if text == "-" else text)
    if count > 1:
        say(
            _(
                "{text}: showing the first of {count} patterns; {text}#{count} is the last",
                text=text,
                count=count,
            ),
            err=True,
        )
    print_notes(text, notes)
    return animated(settings, **flags)
