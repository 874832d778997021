"""The program `juggle-anim`, and `python -m juggle_anim`."""

from __future__ import annotations

from juggle_anim.cli.exit_codes import INTERRUPTED, exit_codes


def main() -> None:
    """Run the command line and exit: 0, 2 for bad input, 1 for a failed run, 130 for Ctrl-C."""
    try:
        with exit_codes():
            # Imported here because it takes most of the time of a short run, and Ctrl-C must be quiet then, too.
            from juggle_anim.cli.app import app

            app()
    except KeyboardInterrupt:  # after all is done, while Python shuts down
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()
