"""The program `juggle-anim`, and `python -m juggle_anim`."""

from __future__ import annotations

import gc
import sys
from types import ModuleType

from juggle_anim.resources import __version__

# What a short run makes is hardly ever garbage, and to look for it as often as Python does, after
# 700 objects, takes a twentieth of its time.
gc.set_threshold(50_000)


class _Later(ModuleType):
    """A package that is loaded when something of it is first used, and not where it is imported."""

    def __getattr__(self, name: str) -> object:
        assert self.__spec__
        assert self.__spec__.loader
        self.__class__ = ModuleType  # type: ignore[assignment]
        # Left out before, so that who imports a module of the package comes here, too.
        self.__path__ = self.__spec__.submodule_search_locations or []
        self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def _load_later(package: str) -> None:
    """Have a package that is installed loaded when something of it is first used."""
    from importlib.util import find_spec, module_from_spec

    spec = find_spec(package)
    if spec and package not in sys.modules:
        later = module_from_spec(spec)
        del later.__path__
        later.__class__ = _Later
        sys.modules[package] = later


def main() -> None:
    """Run the command line and exit: with a code of `exit_codes`."""
    # Told without what reads command lines, which is asked again where this cannot be printed.
    if sys.argv[1:] in (["--version"], ["-V"], ["-v"], ["version"]):
        try:
            print(f"juggle-anim {__version__}", flush=True)
        except OSError:
            pass
        else:
            sys.exit(0)
    try:
        from juggle_anim.cli.command import INTERRUPTED, exit_codes
        from juggle_anim.cli.language_option import take_language
    except KeyboardInterrupt:
        raise SystemExit(130) from None  # that of Ctrl-C, whose name has not been imported
    try:
        with exit_codes():
            # Before the import, which reads the help in the chosen language.
            sys.argv[1:] = take_language(sys.argv[1:])
            # It takes a third of the time of a short run, and what only reads patterns needs none.
            _load_later("numpy")
            # Imported here because it takes most of the time of a short run, and Ctrl-C must be
            # quiet then, too.
            from juggle_anim.cli.app import app

            app()
    except KeyboardInterrupt:  # after all is done, while Python shuts down
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()
