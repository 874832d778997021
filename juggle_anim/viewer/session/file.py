"""The files in the user's settings folder: the session, read, written atomically and locked against
other windows, and custom keys.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from juggle_anim.atomic_file import atomic_file, cannot_write, remove_stale_partials
from juggle_anim.errors import ExportError, ViewerError, did_you_mean, joined_names, sentence
from juggle_anim.language import _
from juggle_anim.viewer.session.state import (
    SessionState,
    invalid_fields,
    merge_sessions,
    read_session_state,
    write_session_state,
)
from juggle_anim.viewer.state.keymap import Action, Binding

_BACKUP = "viewer.old.json"
_MAX_BYTES = 5_000_000  # real sessions take some kilobytes
_LOCK_TIMEOUT = 0.5  # s; a process that holds the lock for longer is stuck


_CHORD = re.compile(r"(ctrl\+)?(shift\+)?(alt\+)?([a-z0-9_]+|[^\w\s])")


def session_path() -> Path:
    """Return the path of this user's session file.

    Raises:
        ViewerError: there is no home folder.
    """
    return settings_folder() / "viewer.json"


@dataclass
class SessionFile:
    """A session state and the file that holds it.

    Args:
        path: of the file, which need not exist.
        state: the content of the file when it was last read or written.
        error: why the file could not be read or written; empty if it could.
        has_place: whether there is a folder for the file at all.
        is_first: whether there was no such file yet.
    """

    path: Path
    state: SessionState
    error: str = ""
    has_place: bool = True
    is_first: bool = False

    def write(self, state: SessionState, last: bool = False) -> bool:
        """Write a state to the file, atomically, if it has changed; `error` says why if that fails.

        What another window has written since is merged into this state.

        Args:
            state: to restore next time.
            last: whether the window is closing, in which case it decides where the next one opens.

        Returns:
            Whether the file was written.
        """
        if not self.has_place or (state == self.state and not last):
            return False
        try:
            with cannot_write(self.path):
                self.path.parent.mkdir(parents=True, exist_ok=True)
            with directory_lock(self.path.parent):
                return self._write(state)
        except (ExportError, ValueError) as error:
            self.error = str(error)
        return False

    def set_aside(self) -> str:
        """Keep the file under another name, so that the next viewer begins without it; returns a
        text that says so.
        """
        return _set_aside(self.path) if self.has_place else ""

    def _present(self) -> SessionState:
        """Return what the file holds now; the last known state if it cannot be read."""
        try:
            return read_session_state(_text(self.path))
        except FileNotFoundError:
            return self.state
        except (OSError, ValueError):
            _set_aside(self.path)
            return self.state

    def _write(self, state: SessionState) -> bool:
        present = self._present()
        self.state = merge_sessions(self.state, state, present)
        if self.state == present:
            return False
        self.replace(self.state)
        return True

    def replace(self, state: SessionState) -> None:
        """Overwrite the file with a state.

        Raises:
            ExportError: the file cannot be written.
        """
        remove_stale_partials(self.path)
        with atomic_file(self.path) as draft:
            draft.write_text(write_session_state(state), encoding="utf-8", newline="\n")


def open_default_session(safe: bool = False) -> SessionFile:
    """Return this user's session file; `safe` as for `open_session_file`."""
    try:
        return open_session_file(session_path(), safe)
    except ViewerError as error:
        return SessionFile(Path(), SessionState(), sentence(str(error)), has_place=False)


def open_session_file(path: Path, safe: bool = False) -> SessionFile:
    """Read a session file; its state is empty if the file is missing or broken.

    A broken file is kept under another name, since it may hold keys that the user set by hand.

    Args:
        path: of the file.
        safe: whether to start with defaults and keep only recent and favourite patterns; a copy of
            the file is kept.
    """
    try:
        text = _text(path)
        state = read_session_state(text)
    except FileNotFoundError:
        return SessionFile(path, SessionState(), is_first=True)
    except (OSError, ValueError) as error:
        aside = _set_aside(path)
        return SessionFile(
            path,
            SessionState(),
            _(
                "The viewer's settings cannot be read ({error}){aside}",
                error=_reason(error),
                aside=aside,
            ),
        )
    if safe:
        with contextlib.suppress(OSError):
            shutil.copyfile(path, path.with_name(_BACKUP))
        state = SessionState(
            recent=state.recent, favourites=state.favourites, files=state.files, other=state.other
        )
        # At once, because later states are merged with what the file holds.
        with contextlib.suppress(ExportError):
            SessionFile(path, state).replace(state)
        return SessionFile(path, state)
    return SessionFile(path, state, _invalid_fields_error(path, text))


def _invalid_fields_error(path: Path, text: str) -> str:
    """Keep a copy of a file in which some fields are invalid, and say so; empty where all are
    valid.
    """
    invalid = invalid_fields(text)
    if not invalid:
        return ""
    with contextlib.suppress(OSError):
        shutil.copyfile(path, path.with_name(_BACKUP))
    return _(
        "Of the viewer's settings {names} cannot be read; as they were, they are kept as {backup}",
        names=joined_names(invalid),
        backup=_BACKUP,
    )


def _text(path: Path) -> str:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(_("they are no file"))  # reading a pipe may block forever
    if status.st_size > _MAX_BYTES:
        raise ValueError(_("they are too long"))
    return path.read_text(encoding="utf-8")


def _set_aside(path: Path) -> str:
    with contextlib.suppress(OSError):
        path.replace(path.with_name(_BACKUP))
        return _("; they are kept as {backup}", backup=_BACKUP)
    return ""


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).split("\n")[0]


@contextlib.contextmanager
def directory_lock(folder: Path, timeout: float = _LOCK_TIMEOUT) -> Iterator[None]:
    """Lock a folder against other processes; without a lock if the system has none or it is held
    for too long.

    Args:
        folder: to lock.
        timeout: how long to wait for the lock, [s].
    """
    if sys.platform == "win32":
        yield
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            _try_lock(descriptor, timeout)
        yield


def _try_lock(descriptor: int, timeout: float) -> None:
    import fcntl

    end = time.monotonic() + timeout
    while time.monotonic() < end:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.005)
        else:
            return


def settings_folder() -> Path:
    """Return the folder of this user's settings.

    Raises:
        ViewerError: there is no home folder.
    """
    from platformdirs import user_config_path

    try:
        folder = user_config_path("juggle-anim", appauthor=False)
    except RuntimeError:
        folder = Path()
    if not folder.is_absolute():  # `~` could not be expanded
        raise ViewerError(
            _("nothing is remembered: there is no home folder; set HOME or XDG_CONFIG_HOME")
        )
    return folder


def custom_bindings(
    usual: Iterable[Binding], choices: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[Binding, ...], list[str]]:
    """The default bindings with the user's choices.

    Args:
        usual: the default bindings.
        choices: chords by the name of an action in lower case, as `step_on`; they replace all its
            chords.

    Returns:
        The bindings, and a message for each choice that is refused. A chosen key is taken away from
        its default action; the choice is refused if that action would have no key left.
    """
    table = tuple(usual)
    errors = []
    for name, chords in choices.items():
        try:
            table = _rebound(table, name, tuple(map(_chord, chords)))
        except ValueError as error:
            errors.append(str(error))
    return table, errors


def _rebound(table: tuple[Binding, ...], name: str, chords: tuple[str, ...]) -> tuple[Binding, ...]:
    action = Action.__members__.get(name.upper().replace(" ", "_").replace("-", "_"))
    if action is None:
        raise ValueError(
            _(
                "no key does {name!r}: {did_you_mean}",
                name=name[:40],
                did_you_mean=did_you_mean(name, [each.name.lower() for each in Action]),
            )
        )
    if not chords:
        raise ValueError(_("{name} must keep a key", name=name))
    new = [Binding(chord, action) for chord in dict.fromkeys(chords)]
    others = [
        binding for binding in table if binding.action is not action and binding.chord not in chords
    ]
    lost = {binding.action for binding in table} - {binding.action for binding in others} - {action}
    if lost:
        raise ValueError(
            _(
                "{chords} is the only key of {name}; give that another one before",
                chords=chords[0],
                name=lost.pop().name.lower(),
            )
        )
    at = next(number for number, binding in enumerate(table) if binding.action is action)
    before = [binding for binding in table[:at] if binding in others]
    return (*before, *new, *(binding for binding in table[at:] if binding in others))


def _chord(text: str) -> str:
    """A chord in the form of the bindings."""
    plain = text.strip().casefold().replace(" ", "") or "space"
    if not _CHORD.fullmatch(plain):
        raise ValueError(
            _(
                "{text!r} is not a key; write it as b, ctrl+b, shift+left or alt+pageup",
                text=text[:40],
            )
        )
    return plain
