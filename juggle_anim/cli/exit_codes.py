"""Exit codes: how a run of the program ends, with one clear message where it failed."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from collections.abc import Iterator
from types import FrameType

from juggle_anim.errors import (
    ExportError,
    JuggleError,
    LibraryError,
    NotationError,
    ParameterError,
    RenderError,
    ViewerError,
    printable_lines,
)
from juggle_anim.language import _

FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130
TERMINATED = 143

RUN_ERRORS = (ExportError, LibraryError, RenderError, ViewerError)
"""Errors that can happen with valid input."""

_EXPECTED_ERRORS = (JuggleError, MemoryError, OSError)


@contextlib.contextmanager
def exit_codes() -> Iterator[None]:
    """End the program with an exit code and without a traceback, whatever happens.

    The codes are 0, 2 for bad input, 1 for a failed run, and 130 for Ctrl-C.

    `python -X dev -m juggle_anim` shows the traceback of an unexpected error.
    """
    _open_closed_streams()
    _replace_unprintable()
    # Like Ctrl-C, SIGTERM must leave no partial files behind.
    signal.signal(signal.SIGTERM, _terminate)
    # A terminal that is closed ends the program, too, but not where `nohup` says otherwise.
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _hang_up)
    with _noted_interrupts() as interrupts:
        try:
            yield
        except KeyboardInterrupt:
            _exit_with_message("", INTERRUPTED)
        except Exception as error:
            # During a call into a library, Ctrl-C may surface as an error of that call.
            if interrupts:
                _exit_with_message("", INTERRUPTED)
            if sys.flags.dev_mode and not isinstance(error, _EXPECTED_ERRORS):
                raise
            _exit_with_message(*_message_and_code(error))


def _message_and_code(error: Exception) -> tuple[str, int]:
    """Return the message of an error, empty if nothing is to be said, and the exit code."""
    match error:
        case ParameterError() if error.name:
            # As it was typed: chicken_wing has the flag --chicken-wing.
            return f"--{error.name.replace('_', '-')}{str(error)[len(error.name) :]}", BAD_INPUT
        case NotationError() if error.key:
            return f"--{error.key}: {error}", BAD_INPUT
        case JuggleError():
            return _with_flags(str(error)), FAILED if isinstance(error, RUN_ERRORS) else BAD_INPUT
        case MemoryError():
            return _("there is not enough memory for this"), FAILED
        case BrokenPipeError():
            return "", FAILED  # the reader has closed the pipe
        case OSError():
            return _("stopped by the system: {error}", error=error), FAILED
    return _(
        "a mistake in juggle-anim, not in what you typed: {name}: {error}",
        name=type(error).__name__,
        error=error,
    ), FAILED


def _with_flags(message: str) -> str:
    """Replace Python's keyword arguments in a message by flags: `force=True` by `--force`."""
    return re.sub(r"\b(force|resume)=True\b", r"--\1", message)


@contextlib.contextmanager
def _noted_interrupts() -> Iterator[list[int]]:
    """Yield a list that is filled when Ctrl-C is pressed, even if its exception is swallowed.

    The list gets the number of the signal each time. The handler before is restored at the end.
    """
    received: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        received.append(number)
        signal.default_int_handler(number, frame)

    # Background jobs of a shell ignore Ctrl-C, and go on doing so.
    is_handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_handled:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield received
    finally:
        if is_handled:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _open_closed_streams() -> None:
    """Open streams that were closed when the program started.

    Else a file that is written would take their numbers.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _replace_unprintable() -> None:
    """Replace characters that the terminal's encoding lacks, such as °."""
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)


def _hang_up(_signal: int, _frame: FrameType | None) -> None:
    signal.raise_signal(signal.SIGTERM)


def _exit_with_message(message: str, code: int) -> None:
    """Print a message on standard error, unless it is empty, and exit.

    Args:
        message: what is wrong.
        code: exit code.
    """
    # A closed terminal or pipe must not hide the exit code.
    with contextlib.suppress(OSError):
        if message and sys.stderr:
            print(printable_lines(message), file=sys.stderr, flush=True)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream:
                stream.flush()
        except OSError:
            # Python would try again at its end, and print another error.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)
