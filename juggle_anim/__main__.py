"""The program `juggle-anim`, and `python -m juggle_anim`."""

from __future__ import annotations

import sys

from juggle_anim.resources import __version__

try:
    from juggle_anim.cli.exit_codes import INTERRUPTED, exit_codes
    from juggle_anim.cli.language_option import take_language
except KeyboardInterrupt:
    raise SystemExit(130) from None  # that of Ctrl-C, whose name has not been imported


def main() -> None:
    """Run the command line and exit: with a code of `exit_codes`."""
    try:
        with exit_codes():
            # Told without what reads command lines.
            if sys.argv[1:] in (["--version"], ["-V"], ["version"]):
                print(__version__, flush=True)
                sys.exit(0)
            # Before the import, which reads the help in the chosen language.
            sys.argv[1:] = take_language(sys.argv[1:])
            # Imported here because it takes most of the time of a short run, and Ctrl-C must be
            # quiet then, too.
            from juggle_anim.cli.app import app

            app()
    except KeyboardInterrupt:  # after all is done, while Python shuts down
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()
