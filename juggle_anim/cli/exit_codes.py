"""Exit codes: how a run of the program ends, with one clear message where it failed."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from collections.abc import Iterator
from types import FrameType

from juggle_anim.errors import JuggleError, NotationError, ParameterError, printable_lines
from juggle_anim.language import _

FAILED = 1
WRONG_USAGE = 2
INTERRUPTED = 130
TERMINATED = 143

_EXPECTED_ERRORS = (JuggleError, MemoryError, OSError)


@contextlib.contextmanager
def exit_codes() -> Iterator[None]:
    """End the program with an exit code and without a traceback, whatever happens.

    The codes are 0, 1 for a pattern that is not valid or a run that fails, 2 for wrong usage of the
    command line, and 130 for Ctrl-C.

    `python -X dev -m juggle_anim` shows the traceback of an unexpected error.
    """
    _open_closed_streams()
    _replace_unprintable()
    # Like Ctrl-C, SIGTERM must leave no partial files behind.
    signal.signal(signal.SIGTERM, _terminate)
    # A terminal that is closed ends the program, too, but not where `nohup` says otherwise.
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _hang_up)
    with _interrupts() as interrupts:
        try:
            yield
        except KeyboardInterrupt:
            _end("", INTERRUPTED)
        except Exception as error:
            # During a call into a library, Ctrl-C may surface as an error of that call.
            if interrupts:
                _end("", INTERRUPTED)
            if sys.flags.dev_mode and not isinstance(error, _EXPECTED_ERRORS):
                raise
            _end(*_message_and_code(error))


def _message_and_code(error: Exception) -> tuple[str, int]:
    """Return the message of an error in the words of the command line, and the exit code.

    The code is `WRONG_USAGE` where the command line itself is wrong, and else `FAILED`.
    """
    match error:
        case ParameterError() if error.name:
            # As it was typed: chicken_wing has the flag --chicken-wing.
            return f"{flag(error.name)}{str(error)[len(error.name) :]}", WRONG_USAGE
        case NotationError() if error.key:
            return f"--{error.key}: {error}", WRONG_USAGE
        case JuggleError():
            wrong_usage = isinstance(error, ParameterError)
            return _as_typed(str(error)), WRONG_USAGE if wrong_usage else FAILED
        case MemoryError():
            return _("not enough memory"), FAILED
        case BrokenPipeError():
            return "", FAILED  # the reader has closed the pipe
        case OSError():
            return _("the system reported an error: {error}", error=error), FAILED
    return _(
        "internal error in juggle-anim: {name}: {error}",
        name=type(error).__name__,
        error=error,
    ), FAILED


def flag(parameter: str) -> str:
    """Return the flag of a parameter: `--chicken-wing` for chicken_wing.

    Width is `--hand-width`, since `--width` of pictures is in pixels.
    """
    name = "hand_width" if parameter == "width" else parameter
    return f"--{name.replace('_', '-')}"


def _as_typed(message: str) -> str:
    """Replace Python's keyword arguments in a message by flags: `force=True` by `--force`."""
    return re.sub(r"\b(force|resume)=True\b", r"--\1", message)


@contextlib.contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Yield a list that is filled when Ctrl-C is pressed, even if its exception is swallowed."""
    received: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        received.append(number)
        signal.default_int_handler(number, frame)

    # Background jobs of a shell ignore Ctrl-C, and go on doing so.
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if handled:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield received
    finally:
        if handled:
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


def _end(message: str, code: int) -> None:
    """Print a message on standard error, flush all output, and exit with a code.

    Output that cannot be written any more, as to a closed pipe, is dropped.
    """
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
