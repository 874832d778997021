"""How a run of the program ends: with an exit code, and one clear message where it failed."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType

from juggle_anim.errors import ExportError, JuggleError, LibraryError, RenderError, ViewerError

FAILED, BAD_INPUT, INTERRUPTED, TERMINATED = 1, 2, 130, 143

RUN_ERRORS = (ExportError, LibraryError, RenderError, ViewerError)
"""What goes wrong though the input is good."""

_FORESEEN = (JuggleError, MemoryError, OSError)


@contextlib.contextmanager
def exit_codes() -> Iterator[None]:
    """Turn whatever ends the program into an exit code: 0, 2 bad input, 1 a failed run, 130 Ctrl-C; never a traceback.

    `python -X dev -m juggle_anim` shows the traceback of an error that nobody foresaw.
    """
    _write_anything()
    # Like Ctrl-C, a polite request to end leaves no drafts behind.
    signal.signal(signal.SIGTERM, _terminate)
    with _interrupts() as came:
        try:
            yield
        except KeyboardInterrupt:
            _end("", INTERRUPTED)
        except Exception as error:
            # In the midst of a call into a library, Ctrl-C comes out as an error of that call.
            if came:
                _end("", INTERRUPTED)
            if sys.flags.dev_mode and not isinstance(error, _FORESEEN):
                raise
            _end(*_told(error))


def _told(error: Exception) -> tuple[str, int]:
    """What is said of an error, and the exit code."""
    match error:
        case JuggleError():
            return str(error), FAILED if isinstance(error, RUN_ERRORS) else BAD_INPUT
        case MemoryError():
            return "there is not enough memory for this", FAILED
        case BrokenPipeError():
            return "", FAILED  # whoever was reading has seen enough
        case OSError():
            return f"stopped by the system: {error}", FAILED
    return f"a mistake in juggle-anim, not in what you typed: {type(error).__name__}: {error}", FAILED


@contextlib.contextmanager
def _interrupts() -> Iterator[list[int]]:
    """A list that is no longer empty once Ctrl-C has come, whatever becomes of the exception that it raises."""
    came: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.default_int_handler(number, frame)

    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # a shell's background jobs don't
    if heard:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield came
    finally:
        if heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _write_anything() -> None:
    """Where the terminal lacks a sign such as °, something else stands for it."""
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)


def _end(message: str, code: int) -> None:
    with contextlib.suppress(OSError):
        if message and sys.stderr:
            print(message, file=sys.stderr, flush=True)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream:
                stream.flush()
        except OSError:
            # What cannot be written would be tried, and complained of, once more when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)
