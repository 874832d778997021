"""The program `juggle-anim`."""

from __future__ import annotations

from juggle_anim.exit_codes import INTERRUPTED, exit_codes


def main() -> None:
    """Run the command line and exit: 0, 2 for bad input, 1 for a failed run, 130 for Ctrl-C."""
    try:
        with exit_codes():
            # Loading it takes most of the time of a short run, in which Ctrl-C is to be as quiet as later.
            from juggle_anim.command_line import app

            app()
    except KeyboardInterrupt:  # when all is done, and nobody listens any more
        raise SystemExit(INTERRUPTED) from None
