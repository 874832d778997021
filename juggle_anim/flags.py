"""A command-line flag for every quantity of the parameter table, and for every setting in words."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from juggle_anim.parameters import ROWS, SIDES, Choice, Row
from juggle_anim.text_settings import TEXT_KEYS, TEXT_SETTINGS, TextSetting


def take_parameters(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that takes `**parameters` one flag for each; it receives those that were given.

    A flag is the name of the quantity or setting with dashes: `chicken_wing` is `--chicken-wing`. Where settings have
    another key for it, that is a flag as well: `--chickenwing`. A setting that is on or off also has one that begins
    with `--no-`.
    """

    @functools.wraps(command)
    def wrapper(**arguments: Any) -> None:
        unset = [name for name in _NAMES if arguments[name] is None]
        command(**_by_side({name: value for name, value in arguments.items() if name not in unset}))

    signature = inspect.signature(command, eval_str=True)
    own = [entry for entry in signature.parameters.values() if entry.kind is not inspect.Parameter.VAR_KEYWORD]
    entries = [*own, *map(_flag, ROWS), *map(_text_flag, TEXT_SETTINGS)]
    wrapper.__signature__ = signature.replace(parameters=entries)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {entry.name: entry.annotation for entry in entries}
    return wrapper


def _flag(row: Row) -> inspect.Parameter:
    names = dict.fromkeys((f"--{row.name.replace('_', '-')}", f"--{row.key}"))
    if isinstance(row, Choice):
        accepted, unit = f"{', '.join(row.options)}; default {row.default}", "WORD"
    else:
        follows = f"as {row.follows.replace('_', '-')}" if row.follows else "by the throws"
        default = follows if row.default is None else f"{row.default:g}"
        accepted, unit = f"{row.low:g} to {row.high:g}, default {default}", row.unit
    if row.name in SIDES:
        unit += "|LEFT,RIGHT"
    words = isinstance(row, Choice) or row.name in SIDES
    option = typer.Option(*names, metavar=unit, help=f"{row.help} [{accepted}]", show_default=False)
    annotation = Annotated[str | None, option] if words else Annotated[float | None, option]
    return inspect.Parameter(row.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _by_side(given: dict[str, Any]) -> dict[str, Any]:
    """What was given, with the numbers of both sides where one name stood for them."""
    for name in SIDES.keys() & given.keys():
        texts, hint = given.pop(name).split(","), f"--{name.replace('_', '-')}"
        names = (name,) if len(texts) == 1 else SIDES[name]
        if len(texts) > len(names):
            raise typer.BadParameter(f"{','.join(texts)!r} is more than two numbers: left,right", param_hint=hint)
        if twice := [each for each in names if each in given]:
            raise typer.BadParameter(f"gives {twice[0]} again; give each once", param_hint=hint)
        given |= {each: _number(hint, text) for each, text in zip(names, texts, strict=True)}
    return given


def _number(hint: str, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is not a valid float.", param_hint=hint) from error


def _text_flag(setting: TextSetting) -> inspect.Parameter:
    switch = not setting.form
    option = typer.Option(
        f"--{setting.name}/--no-{setting.name}" if switch else f"--{setting.name}",
        metavar=setting.form or None,
        help=setting.help,
        show_default=False,
    )
    annotation = Annotated[bool | None, option] if switch else Annotated[str | None, option]
    return inspect.Parameter(setting.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


_NAMES = (*(row.name for row in ROWS), *TEXT_KEYS)
