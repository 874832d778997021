"""How a run of the program ends: an exit code, and one clear message where it did not go well."""

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


@contextlib.contextmanager
def exit_codes() -> Iterator[None]:
    """Turn whatever ends the program into an exit code: 0, 2 bad input, 1 a failed run, 130 Ctrl-C; never a traceback.

    `python -X dev -m juggle_anim` shows the traceback of an error that nobody foresaw.
    """
    _write_anything()
    # Like Ctrl-C, a polite request to end leaves no drafts behind.
    signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    except JuggleError as error:
        _end(str(error), FAILED if isinstance(error, RUN_ERRORS) else BAD_INPUT)
    except KeyboardInterrupt:
        _end("", INTERRUPTED)
    except MemoryError:
        _end("there is not enough memory for this", FAILED)
    except BrokenPipeError:
        _end("", FAILED)  # whoever was reading has seen enough
    except OSError as error:
        _end(f"stopped by the system: {error}", FAILED)
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        _end(f"a mistake in juggle-anim, not in what you typed: {type(error).__name__}: {error}", FAILED)


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
