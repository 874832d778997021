"""The command `edit`: operations on a pattern, one after another, in the words of `Editor`."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args, get_origin

import click

from juggle_anim.cli.command import ArgumentLine, argument, option, out_option, unwrapped
from juggle_anim.cli.options import Force, open_animation, save_pattern, say
from juggle_anim.errors import ParameterError, did_you_mean, printable
from juggle_anim.language import _

if TYPE_CHECKING:
    from juggle_anim.editing.editor import Operation, Query

_SWITCHES = {"true": True, "yes": True, "false": False, "no": False}
_HELP_WIDTH = 78  # characters


class OperationLine(ArgumentLine):
    """A command whose help ends with the operations that there are."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the names of all operations."""
        # The table is read when help is requested, since it needs all that edits.
        from juggle_anim.editing.editor import operations

        names = ", ".join(_typed_name(name) for name in operations())
        lines = textwrap.wrap(
            _("Operations: {names}", names=names),
            _HELP_WIDTH,
            subsequent_indent="  ",
            break_on_hyphens=False,
        )
        formatter.write_paragraph()
        for line in lines:
            formatter.write(f"{line}\n")


@click.command("edit", cls=OperationLine)
def edit(
    words: Annotated[
        list[str] | None,
        argument(
            metavar="PATTERN OPERATION",
            help=_("Operation arguments; repeat for more operations."),
        ),
    ] = None,
    out: Annotated[
        Path | None,
        out_option(_("Save to a .jml, .jif, .pass or .txt file.")),
    ] = None,
    explained: Annotated[bool, option("--operations", help=_("Explain all operations."))] = False,
    force: Force = False,
) -> None:
    """Edit a pattern, and print or save the result.

    Throws, events and beats are counted from 0, as on the ladder. Give arguments in order
    or as name=value.

    \b
      juggle-anim edit 531 swap-landings 0 1               pattern=441
      juggle-anim edit 531 insert-beat 3 mirror            pattern=L5313
      juggle-anim edit 3 move-event 0 time=0.1 -o out.jml
    """
    if explained:
        say("\n".join(_explained()))
        return
    pattern, *operation_words = words or [""]
    if not operation_words:
        raise ParameterError(
            _("edit needs a pattern and an operation, such as edit 531 swap-landings 0 1")
        )

    # All words are read first, so that an error comes before anything is printed.
    steps = list(_read_steps(operation_words))
    animation = open_animation(pattern, {})
    name = animation.score.title
    for step in steps:
        result = getattr(animation.edit(), step.name)(*step.values, **step.named)
        if step.is_query:
            _print_answer(result)
        else:
            animation = result

    # It no longer is the pattern of the library with this name, but was made of it.
    if name and not animation.score.title:
        changes = [_typed_name(step.name) for step in steps if not step.is_query]
        animation = animation.replace(title=", ".join([name, *changes]))

    # The result, in a file or as settings; queries alone change nothing.
    if out is not None:
        save_pattern(animation, out, force=force)
        say(str(out))
    elif not all(step.is_query for step in steps):
        say(animation.settings)


class _Step(NamedTuple):
    """An operation or query of an editor, with positional and named arguments.

    Args:
        name: as in Python.
        is_query: whether it answers a question, and changes nothing.
        values: positional arguments.
        named: arguments by name.
    """

    name: str
    is_query: bool
    values: list[Any]
    named: dict[str, Any]


def _read_steps(words: Sequence[str]) -> Iterator[_Step]:
    """Yield the operations and queries in the words of a command line, with their arguments.

    Every word that is the name of an operation begins one, so no value can be such a name.

    Args:
        words: names of operations, each followed by its arguments; at least one word.

    Raises:
        ParameterError: the first word is no operation, or an operation has an argument that it does
            not take. As in any generator, it is raised as the steps are read.
    """
    # Imported here since it needs all that edits, which other commands do not load.
    from juggle_anim.editing.editor import Query, operations

    known_operations = operations()
    starts = [index for index, word in enumerate(words) if _function_name(word) in known_operations]
    if not starts or starts[0] > 0:
        word = words[0]
        hint = did_you_mean(
            word, list(map(_typed_name, known_operations)), _("edit --operations explains them all")
        )
        raise ParameterError(
            _("there is no operation {word!r}: {near}", word=printable(word, 30), near=hint)
        )
    for start, end in zip(starts, [*starts[1:], len(words)], strict=True):
        name = _function_name(words[start])
        operation = known_operations[name]
        values, named = _read_arguments(name, operation.function, words[start + 1 : end])
        yield _Step(name, isinstance(operation, Query), values, named)


def _read_arguments(
    name: str, function: Callable[..., Any], words: Sequence[str]
) -> tuple[list[Any], dict[str, Any]]:
    """Read the arguments of an operation.

    Args:
        name: name of the operation, for errors.
        function: function that the operation calls; the types of its parameters decide how words
            are read.
        words: values in the order of the parameters, or `name=value`.

    Returns:
        Values in order, and values by name.

    Raises:
        ParameterError: the operation takes other arguments.
    """
    # The first parameter is the editor; words without a name fill the others in their order.
    signature = inspect.signature(function, eval_str=True)
    parameters = dict(list(signature.parameters.items())[1:])
    positional = [
        parameter
        for parameter in parameters.values()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    values = list[Any]()
    named = dict[str, Any]()
    for word in words:
        key, equals, text = word.partition("=")
        key = _function_name(key)
        if equals and key in parameters:
            named[key] = _read_value(name, parameters[key], text)
        elif len(values) < len(positional):
            values.append(_read_value(name, positional[len(values)], word))
        else:
            raise ParameterError(
                _(
                    "{word} has no argument {word2!r}: {usage}",
                    word=_typed_name(name),
                    word2=printable(word, 30),
                    usage=_usage(name, function),
                )
            )

    # `bind` fails if arguments are missing or given twice; None stands for the editor.
    try:
        signature.bind(None, *values, **named)
    except TypeError:
        raise ParameterError(
            _(
                "{word} needs other arguments: {usage}",
                word=_typed_name(name),
                usage=_usage(name, function),
            )
        ) from None
    return values, named


def _read_value(operation: str, parameter: inspect.Parameter, text: str) -> Any:
    """Read an argument by the type of its parameter: text, true or false, or one or more numbers.

    Args:
        operation: name of the operation, for errors.
        parameter: parameter of the operation, perhaps of several types: `int | tuple[int, ...]`.
        text: the text, as typed; several numbers have commas between.

    Raises:
        ParameterError: the text is no such value.
    """
    types = {parameter.annotation, *get_args(parameter.annotation)}
    several = any(get_origin(kind) in (tuple, Sequence, Iterable) for kind in types)
    try:
        if str in types:
            return text
        if bool in types:
            return _SWITCHES[text.casefold()]
        # A single number is not made a tuple if a number is accepted, too.
        if several and ("," in text or int not in types):
            return tuple(
                float(number) if "." in number else int(number) for number in text.split(",")
            )
        return float(text) if float in types else int(text)
    except (ValueError, KeyError):
        if bool in types:
            accepted = _("true or false")
        elif several:
            accepted = _("numbers separated by commas")
        elif int in types:
            accepted = _("a whole number")
        else:
            accepted = _("a number")
        reason = _(
            "{word}: {name} is {text!r}, but must be {accepted}",
            word=_typed_name(operation),
            name=parameter.name,
            text=printable(text, 30),
            accepted=accepted,
        )
        raise ParameterError(reason) from None


def _usage(name: str, function: Callable[..., Any]) -> str:
    """Return an operation with its arguments in a line: `move-event INDEX [time=…]`.

    Arguments that may be left out stand in brackets, with their defaults.

    Args:
        name: name of the operation in Python.
        function: function that the operation calls.
    """
    # The first parameter is the editor.
    words = [_typed_name(name)]
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        needed = parameter.default is parameter.empty
        words.append(
            parameter.name.upper()
            if needed
            else f"[{parameter.name}={_default_text(parameter.default)}]"
        )
    return " ".join(words)


def _default_text(default: object) -> str:
    if default is None:
        return "…"
    if isinstance(default, tuple):
        return ",".join(f"{number:g}" for number in default)
    return str(default).lower()


def _explained() -> Iterator[str]:
    """Yield the arguments of each operation, and a summary of it."""
    from juggle_anim.editing.editor import operations

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


def _function_name(word: str) -> str:
    return word.replace("-", "_")


def _typed_name(name: str) -> str:
    return name.replace("_", "-")
