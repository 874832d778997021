"""The options of an export, typed once for the Python function, the command line and all that write."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, TypeVar

from juggle_anim.errors import ParameterError
from juggle_anim.exporter.manner import Manner

ALL_PROPS = "all"
"""In place of a number of loops: until every prop is back at its place."""

Progress = Callable[[int, int], None]
"""Is told the number of frames done and of all frames."""

First = TypeVar("First")
Second = TypeVar("Second")
Result = TypeVar("Result")
Fields = ParamSpec("Fields")
Options = TypeVar("Options")


@dataclass(frozen=True, kw_only=True)
class FrameOptions:
    """What every picture of an export has in common; told at `juggle_anim.public.export`."""

    start: float = 0.0
    seconds: float | None = None
    transparent: bool = False
    supersampling: int = 1
    blur: int = 1


@dataclass(frozen=True, kw_only=True)
class ExportOptions(FrameOptions, Manner):
    """All that can be asked of an export; told at `juggle_anim.public.export`.

    Raises:
        ParameterError: options that contradict each other, or as `Manner` has it.
    """

    size: tuple[int, int] = (1280, 720)
    fps: float | None = None
    loops: int | str | None = None
    cameras: Sequence[str] = ()
    force: bool = False
    progress: Progress | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.loops is not None and self.seconds is not None:
            raise ParameterError("--seconds is a span of time, and --loops is whole loops: give one of them")
        if self.force and self.resume:
            raise ParameterError("--force replaces what is there, and --resume keeps it: give one of them")


def takes(
    options: Callable[Fields, Options],
) -> Callable[[Callable[[First, Second, Options], Result]], Callable[Concatenate[First, Second, Fields], Result]]:
    """Give a function of two arguments and some options each field of those as a keyword in their place.

    Args:
        options: the class of the options.
    """

    def taking(
        function: Callable[[First, Second, Options], Result],
    ) -> Callable[Concatenate[First, Second, Fields], Result]:
        @functools.wraps(function)
        def called(first: First, second: Second, /, *given: Fields.args, **named: Fields.kwargs) -> Result:
            return function(first, second, options(*given, **named))

        own = list(inspect.signature(function).parameters.values())[:-1]
        fields = (
            field.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for field in inspect.signature(options).parameters.values()
        )
        called.__signature__ = inspect.Signature([*own, *fields])  # type: ignore[attr-defined]
        return called

    return taking
