"""The command `edit`: operations on a pattern, one after another, in the words of `Editor`."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

import typer

from juggle_anim.cli.command import ArgumentLine, unwrapped
from juggle_anim.cli.options import open_animation
from juggle_anim.cli.output import say
from juggle_anim.errors import ParameterError, did_you_mean, printable
from juggle_anim.language import _

if TYPE_CHECKING:
    from juggle_anim.editing.editor import Operation, Query

_SWITCH_WORDS = {"true": True, "yes": True, "false": False, "no": False}
_HELP_CHARACTERS = 78  # characters


class OperationLine(ArgumentLine):
    """A command whose help ends with the operations that there are."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the names of all operations."""
        # The table is read when help is asked for, since it needs all that edits.
        names = ", ".join(_as_word(name) for name in operations())
        lines = textwrap.wrap(
            _("Operations: {names}", names=names),
            _HELP_CHARACTERS,
            subsequent_indent="  ",
            break_on_hyphens=False,
        )
        formatter.write_paragraph()
        for line in lines:
            formatter.write(f"{line}\n")


def edit(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATTERN OPERATION",
            help=_("And its arguments, and more of them."),
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help=_("Write .jml, .jif, .pass or .txt."),
            show_default=False,
        ),
    ] = None,
    explained: Annotated[
        bool, typer.Option("--operations", help=_("Say what each operation takes and does."))
    ] = False,
    force: Annotated[bool, typer.Option("--force", help=_("Replace what is there."))] = False,
) -> None:
    """Change a pattern by operations, and print its settings or write it.

    Throws, events and beats are counted from 0, as on the ladder. Arguments stand in
    their order or as name=value.

    \b
      juggle-anim edit 531 swap-landings 0 1               pattern=441
      juggle-anim edit 531 insert-beat 3 mirror            pattern=L5313
      juggle-anim edit 3 move-event 0 time=0.1 -o out.jml
    """
    if explained:
        say("\n".join(_explanations()))
        return
    pattern, *rest = words or [""]
    if not rest:
        raise ParameterError(
            _("edit needs a pattern and an operation, as edit 531 swap-landings 0 1")
        )
    # All words are read before the first operation, so that a mistake costs no time.
    steps = list(_typed_steps(rest))
    animation = open_animation(pattern, {})
    for name, step, arguments, named in steps:
        result = getattr(animation.edit(), name)(*arguments, **named)
        if _is_query(step):
            _print_answer(result)
        else:
            animation = result
    if out is not None:
        from juggle_anim.notation.files import write_file
        from juggle_anim.notation.pattern_list import list_of_one

        for sentence in write_file(list_of_one(animation.score, animation.parameters), out, force):
            say(sentence, err=True)
    # Where only questions were asked, the pattern is as it was typed.
    elif not all(_is_query(step) for _, step, _, _ in steps):
        say(animation.settings)


_Step = tuple[str, "Operation[Any] | Query[Any, Any]", list[Any], dict[str, Any]]


def operations() -> dict[str, Operation[Any] | Query[Any, Any]]:
    """Return the operations and queries of an editor by name."""
    from juggle_anim.editing.editor import Editor, Operation, Query

    return {
        name: member
        for name, member in vars(Editor).items()
        if isinstance(member, Operation | Query)
    }


def _is_query(step: object) -> bool:
    from juggle_anim.editing.editor import Query

    return isinstance(step, Query)


def _typed_steps(words: Sequence[str]) -> Iterator[_Step]:
    """Yield the operations that words stand for, with their arguments.

    Args:
        words: names of operations, each followed by its arguments.

    Raises:
        ParameterError: the first word is no operation, or an argument is not taken.
    """
    known = operations()
    # Each name of an operation begins a step, which ends before the next one.
    starts = [index for index, word in enumerate(words) if _as_name(word) in known]
    if not starts or starts[0] > 0:
        word = words[0]
        near = did_you_mean(
            word, list(map(_as_word, known)), _("edit --operations explains them all")
        )
        raise ParameterError(
            _("there is no operation {word!r}: {near}", word=printable(word, 30), near=near)
        )
    for start, end in zip(starts, [*starts[1:], len(words)], strict=True):
        name = _as_name(words[start])
        operation = known[name]
        values, named = _typed_arguments(name, operation.function, words[start + 1 : end])
        yield name, operation, values, named


def _typed_arguments(
    name: str, function: Callable[..., Any], words: Sequence[str]
) -> tuple[list[Any], dict[str, Any]]:
    """Read the arguments of an operation.

    Args:
        name: of the operation, for messages.
        function: whose parameters say what it takes; the first of them is the editor.
        words: the arguments as typed, `value` or `name=value`.

    Returns:
        Values in their order, and values by name.

    Raises:
        ParameterError: the operation takes other arguments.
    """
    signature = inspect.signature(function, eval_str=True)
    _editor, *parameters = signature.parameters.values()
    by_name = {parameter.name: parameter for parameter in parameters}
    ordered = [
        parameter for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    values = list[Any]()
    named = dict[str, Any]()
    for word in words:
        key, equals, text = word.partition("=")
        key = _as_name(key)
        if equals and key in by_name:
            named[key] = _typed_value(name, by_name[key], text)
        elif len(values) < len(ordered):
            values.append(_typed_value(name, ordered[len(values)], word))
        else:
            raise ParameterError(
                _(
                    "{word} does not take {word2!r}: {usage}",
                    word=_as_word(name),
                    word2=printable(word, 30),
                    usage=_usage(name, function),
                )
            )
    # An argument may still be missing, or given both in order and by name.
    try:
        signature.bind(None, *values, **named)
    except TypeError:
        raise ParameterError(
            _(
                "{word} needs other arguments: {usage}",
                word=_as_word(name),
                usage=_usage(name, function),
            )
        ) from None
    return values, named


def _typed_value(operation: str, parameter: inspect.Parameter, text: str) -> Any:
    """Read an argument by the type of its parameter.

    Args:
        operation: name of the operation, for messages.
        parameter: whose annotation is the type, or a union of types.
        text: as typed.

    Raises:
        ParameterError: the text is no such value.
    """
    types = {parameter.annotation, *get_args(parameter.annotation)}
    takes_several = any(get_origin(kind) in (tuple, Sequence, Iterable) for kind in types)
    try:
        if str in types:
            return text
        if bool in types:
            return _SWITCH_WORDS[text.casefold()]
        # Where a single number is accepted as well, only commas show several.
        if takes_several and ("," in text or int not in types):
            return tuple(float(part) if "." in part else int(part) for part in text.split(","))
        return float(text) if float in types else int(text)
    except (ValueError, KeyError):
        if bool in types:
            accepted = _("true or false")
        elif takes_several:
            accepted = _("numbers with commas between")
        else:
            accepted = _("a number")
        if int in types and not takes_several:
            accepted = _("a whole number")
        reason = _(
            "{word}: {name} is {text!r}, but must be {accepted}",
            word=_as_word(operation),
            name=parameter.name,
            text=printable(text, 30),
            accepted=accepted,
        )
        raise ParameterError(reason) from None


def _usage(name: str, function: Callable[..., Any]) -> str:
    """Return how an operation is typed: NEEDED arguments, and [optional=default] ones."""
    words = [_as_word(name)]
    _editor, *parameters = inspect.signature(function).parameters.values()
    for parameter in parameters:
        is_needed = parameter.default is parameter.empty
        words.append(
            parameter.name.upper()
            if is_needed
            else f"[{parameter.name}={_default_as_typed(parameter.default)}]"
        )
    return " ".join(words)


def _default_as_typed(default: object) -> str:
    if default is None:
        return "…"
    if isinstance(default, tuple):
        return ",".join(f"{number:g}" for number in default)
    return str(default).lower()


def _explanations() -> Iterator[str]:
    """Yield the arguments of each operation, and a summary of it."""
    for name, operation in operations().items():
        yield _usage(name, operation.function)
        yield f"    {_(summary(operation))}"


def summary(operation: Operation[Any] | Query[Any, Any]) -> str:
    """Return what an operation does, in one line of English."""
    return unwrapped(operation.function.__doc__).partition("\n")[0]


def _print_answer(answer: object) -> None:
    """Print the answer to a query: a line for each item of a plain tuple."""
    is_plain_tuple = isinstance(answer, tuple) and not hasattr(answer, "_fields")
    items = answer if is_plain_tuple else (answer,)
    for item in items:  # type: ignore[attr-defined]
        say(" ".join(map(str, item)) if isinstance(item, tuple) else str(item))


def _as_name(word: str) -> str:
    return word.replace("-", "_")


def _as_word(name: str) -> str:
    return name.replace("_", "-")
