"""The session file: its state as JSON, locked against other windows, and custom keys."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import Any

from juggle_anim.atomic_file import atomic_file, cannot_write, remove_stale_partials
from juggle_anim.errors import ExportError, ViewerError, did_you_mean, joined_names, sentence
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.viewer.state.keymap import Action, Binding

VERSION = 1
"""Version of the format. Other versions read the fields that they know and keep the rest."""

MAX_RECENT = 60
"""The length of the list of recent patterns."""

MAX_RECENT_FILES = 20
"""The length of the list of recent files."""

_MAX_CHARACTERS = 20_000  # of a text in the file
_MAX_TEXTS = 2_000  # of a list in the file
_MAX_DEPTH = 50  # of values in values; deeper ones could not be written again


@dataclass(frozen=True)
class SavedView:
    """The orbit of a camera that the user has moved.

    Args:
        target: the point it orbits, [m].
        distance: from the target, [m].
        azimuth: around +y, [rad].
        elevation: above the horizon, [rad].
    """

    target: tuple[float, float, float]
    distance: float
    azimuth: float
    elevation: float


@dataclass(frozen=True)
class OtherHalf:
    """The other half of a split view.

    Args:
        pattern: the text that opens its animation.
        parameters: parameters that the text does not hold.
        right: whether it is the right half.
    """

    pattern: str
    parameters: Mapping[str, float | str | None]
    right: bool


@dataclass(frozen=True)
class SavedFile:
    """A file that a pattern was opened from or saved to.

    Args:
        path: path of the file.
        stamp: stamp of its version then, as in `FileStamp`.
    """

    path: str
    stamp: tuple[int, int]


@dataclass(frozen=True)
class SavedFilm:
    """A film that was shown with the animation.

    Args:
        path: path of the film.
        controls: values of its controls, by name.
        lag: when it begins, [s] after the loop of the animation.
        marks: when the key of each mark went down and came up, [s] of the film.
    """

    path: str
    controls: Mapping[str, float | str]
    lag: float
    marks: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class SessionState:
    """The saved state of a viewer.

    Every field has a default, so that any of them may be missing in a file.

    Args:
        size: width and height of the window, [pixels].
        place: x and y of the window's upper left corner on the screen, [pixels].
        pattern: the text that opens the animation.
        parameters: parameters of the animation, by name, that the text does not hold.
        document: the file that settings were opened from or saved to; None for events, whose text
            names it.
        diagram: the kind of diagram shown; empty if none.
        time: time in the loop, [s].
        panel: whether the panel was shown.
        beats: whether the line of beats was shown.
        facts: whether the facts of the pattern were shown.
        plots: the first plot shown; None if plots were hidden.
        save_kind: name of the kind of file that was saved last; empty if none was.
        numbers: which numbers were written beside props.
        sound: whether it was on.
        live: whether another pattern was reached by a transition.
        folded: names of the folded groups in the panel; None for those of a new window.
        window: values of the controls of the window, by name.
        standpoint: the name of the view; empty for the default.
        juggler: the juggler whom the camera followed, counted from 0; None if it followed none.
        view: the camera, if the user has moved it.
        beside: the other half of a split view.
        film: the film that was shown.
        camera_path: its views: azimuth and elevation, [°], and the time from the one before, [s].
        recent: recent patterns, the latest first, with the settings that were changed.
        favourites: favourite patterns, the latest first.
        files: absolute paths of recent files, the latest first.
        keys: custom chords by the name of their action.
        other: unknown fields of the file by name, kept as they are.
    """

    size: tuple[int, int] | None = None
    place: tuple[int, int] | None = None
    pattern: str = ""
    parameters: Mapping[str, float | str | None] = field(default_factory=dict)
    document: SavedFile | None = None
    diagram: str = ""
    save_kind: str = ""
    time: float = 0.0
    panel: bool = True
    beats: bool = True
    facts: bool = False
    plots: int | None = None
    numbers: str = ""
    sound: bool = False
    live: bool = True
    folded: tuple[str, ...] | None = None
    window: Mapping[str, float | str | None] = field(default_factory=dict)
    standpoint: str = ""
    juggler: int | None = None
    view: SavedView | None = None
    beside: OtherHalf | None = None
    film: SavedFilm | None = None
    camera_path: tuple[tuple[float, float, float], ...] = ()
    recent: tuple[str, ...] = ()
    favourites: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    other: Mapping[str, Any] = field(default_factory=dict)


def read_session_state(text: str) -> SessionState:
    """Parse the state in a JSON text; fields with invalid values have their defaults.

    Args:
        text: content of a session file as `write_session_state` makes it, by any version of the
            program, maybe edited by hand.

    Raises:
        ValueError: the text is not a JSON object.
    """
    data = _parsed_object(text)
    # A reader returns None for an invalid value.
    values = {name: read(data[name]) for name, read in _READERS.items() if name in data}
    valid_values = {name: value for name, value in values.items() if value is not None}
    # Fields of newer versions are kept as they are.
    unknown_fields = {
        name: value for name, value in data.items() if name not in _READERS and name != "version"
    }
    return SessionState(**valid_values, other=unknown_fields)


def invalid_fields(text: str) -> list[str]:
    """Return names of fields in a JSON text that have invalid values; null is valid everywhere.

    Args:
        text: content of a session file.

    Raises:
        ValueError: the text is not a JSON object.
    """
    # A reader returns None for an invalid value.
    return [
        name
        for name, value in _parsed_object(text).items()
        if name in _READERS and value is not None and _READERS[name](value) is None
    ]


def _parsed_object(text: str) -> dict[str, Any]:
    """Parse a JSON object; numbers that are not finite become None.

    Args:
        text: text of any origin, maybe edited by hand.

    Raises:
        ValueError: the text is no JSON object, or nested too deeply to be written again.
    """
    try:
        # `parse_constant` is called for Infinity, -Infinity and NaN.
        data = json.loads(text, parse_constant=_finite_number, parse_float=_finite_number)
    except RecursionError as error:
        raise ValueError(_("it is nested too deeply")) from error
    if not isinstance(data, dict):
        raise ValueError(_("it has no settings"))
    if _is_deeper(data, _MAX_DEPTH):
        raise ValueError(_("it is nested too deeply"))
    return data


def _is_deeper(value: Any, levels: int) -> bool:
    """Return whether the objects and lists of a JSON value are nested on more than some levels."""
    if levels == 0:
        return True
    members: Iterable[Any] = ()
    if isinstance(value, dict):
        members = value.values()
    elif isinstance(value, list):
        members = value
    return any(_is_deeper(member, levels - 1) for member in members)


def write_session_state(state: SessionState) -> str:
    """Return the JSON text of a state; `read_session_state` reads it back."""
    known = {name: value for name, value in asdict(state).items() if name != "other"}
    data = {"version": VERSION, **known, **state.other}
    return json.dumps(data, indent=1, allow_nan=False) + "\n"


def _finite_number(text: str) -> float | None:
    """Return a JSON number; None for infinity and NaN."""
    number = float(text)
    return number if math.isfinite(number) else None


def _read_text(value: Any) -> str | None:
    valid = isinstance(value, str) and len(value) <= _MAX_CHARACTERS and value.isprintable()
    return value if valid else None


def _read_flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _read_number(value: Any) -> float | None:
    valid = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6
    return float(value) if valid and math.isfinite(value) else None


def _read_count(value: Any) -> int | None:
    number = _read_number(value)
    return int(number) if number is not None and number >= 0 else None


def _numbers_reader(count: int) -> Callable[[Any], tuple[float, ...] | None]:
    def read(value: Any) -> tuple[float, ...] | None:
        if not isinstance(value, list) or len(value) != count:
            return None
        numbers = [number for entry in value if (number := _read_number(entry)) is not None]
        return tuple(numbers) if len(numbers) == count else None

    return read


def _read_pixels(value: Any) -> tuple[int, ...] | None:
    numbers = _numbers_reader(2)(value)
    return tuple(round(number) for number in numbers) if numbers else None


def _read_texts(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(dict.fromkeys(text for entry in value[:_MAX_TEXTS] if (text := _read_text(entry))))


def _read_parameters(value: Any) -> dict[str, Any] | None:
    if not isinstance(value, dict):
        return None
    return {
        name: parameter
        for name, parameter in value.items()
        if parameter is None or _read_text(parameter) or _read_number(parameter) is not None
    }


def _read_keys(value: Any) -> dict[str, tuple[str, ...]] | None:
    """Read the user's keys: by the name of an action, its chords; None if it is no object.

    A chord is a key with Ctrl, Shift or Alt, such as `ctrl+b`. A single one need not be in a list.
    """
    if not isinstance(value, dict):
        return None
    chord_lists = {
        name: [chords] if isinstance(chords, str) else chords for name, chords in value.items()
    }
    return {
        name: chords
        for name, chord_list in chord_lists.items()
        if (chords := _read_texts(chord_list)) is not None
    }


def _read_view(value: Any) -> SavedView | None:
    """Read the orbit of a camera from a JSON value; None if any of its numbers is missing."""
    if not isinstance(value, dict):
        return None
    target = _numbers_reader(3)(value.get("target"))
    numbers = [_read_number(value.get(name)) for name in ("distance", "azimuth", "elevation")]
    if target is None or any(number is None for number in numbers):
        return None
    distance, azimuth, elevation = (number or 0.0 for number in numbers)
    x, y, z = target
    return SavedView((x, y, z), distance=distance, azimuth=azimuth, elevation=elevation)


def _read_other_half(value: Any) -> OtherHalf | None:
    """Read the inactive half of a split view from a JSON value.

    Args:
        value: any value of the session file; normally an object with the members "pattern",
            "parameters" and "right".

    Returns:
        The half; None without a pattern. It is the right one unless the file says otherwise.
    """
    if not isinstance(value, dict):
        return None
    pattern = _read_text(value.get("pattern"))
    if not pattern:
        return None
    parameters = _read_parameters(value.get("parameters")) or {}
    is_left = _read_flag(value.get("right")) is False
    return OtherHalf(pattern, parameters, right=not is_left)


def _read_document(value: Any) -> SavedFile | None:
    if not isinstance(value, dict):
        return None
    path = _read_text(value.get("path"))
    stamp = value.get("stamp")
    if not path or not isinstance(stamp, list) or [type(number) for number in stamp] != [int, int]:
        return None
    return SavedFile(path, (stamp[0], stamp[1]))


def _read_film(value: Any) -> SavedFilm | None:
    """Read the film of the last session from a JSON value; None if it is no object with a path.

    The user may have marked throws of the film, and set controls such as its size. Controls and
    marks that are not valid are left out.

    Args:
        value: any value of the session file.
    """
    if not isinstance(value, dict):
        return None
    path = _read_text(value.get("path"))
    if not path:
        return None
    lag = _read_number(value.get("lag"))
    parameters = _read_parameters(value.get("controls")) or {}
    controls = {name: setting for name, setting in parameters.items() if setting is not None}
    # A mark is a pair of times, [s]: when its key went down and came up.
    entries = value.get("marks")
    read_pair = _numbers_reader(2)
    pairs = map(read_pair, entries[:_MAX_TEXTS]) if isinstance(entries, list) else ()
    marks = tuple((pair[0], pair[1]) for pair in pairs if pair)
    return SavedFilm(path, controls, lag=lag or 0.0, marks=marks)


def _read_camera_path(value: Any) -> tuple[tuple[float, float, float], ...] | None:
    """Read the views of a camera path, three numbers each; invalid ones are left out."""
    read_view = _numbers_reader(3)
    views = map(read_view, value[:_MAX_TEXTS]) if isinstance(value, list) else ()
    return tuple((view[0], view[1], view[2]) for view in views if view)


_FIELDS_OF_READERS: dict[Callable[[Any], Any], str] = {
    _read_pixels: "size place",
    _read_text: "pattern diagram save_kind numbers standpoint",
    _read_parameters: "parameters window",
    _read_number: "time",
    _read_flag: "panel beats facts sound live",
    _read_count: "plots juggler",
    _read_texts: "folded recent favourites files",
    _read_view: "view",
    _read_document: "document",
    _read_other_half: "beside",
    _read_film: "film",
    _read_camera_path: "camera_path",
    _read_keys: "keys",
}

_READERS = {name: read for read, names in _FIELDS_OF_READERS.items() for name in names.split()}


def merge_sessions(before: SessionState, ours: SessionState, theirs: SessionState) -> SessionState:
    """Return the three-way merge of the state of this window with the one in the session file.

    Favourites, recent patterns and recent files are the union of both, without entries that one of
    them has removed. Keys, which users edit in the file, and unknown fields come from the file; all
    other fields come from this window.

    Args:
        before: the state that this window read or wrote last, the common origin.
        ours: the state of this window.
        theirs: the state in the file now.
    """
    # The lists have the latest first, so that the oldest are cut off.
    recent = _merged_list(before.recent, ours.recent, theirs.recent)[:MAX_RECENT]
    favourites = _merged_list(before.favourites, ours.favourites, theirs.favourites)
    files = _merged_list(before.files, ours.files, theirs.files)[:MAX_RECENT_FILES]
    return replace(
        ours,
        recent=recent,
        favourites=favourites,
        files=files,
        keys=theirs.keys,
        other=theirs.other,
    )


def _merged_list(
    before: tuple[str, ...], ours: tuple[str, ...], theirs: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the three-way merge of a list of texts without duplicates, the latest first.

    Args:
        before: the common origin of both versions.
        ours: the version of this window.
        theirs: the version of another window.

    Returns:
        Texts moved to the front by this window, then those moved by the other, then all others;
        without texts that one of them has removed.
    """
    # Usually no other window has changed the list.
    if theirs == before:
        return ours
    removed = {text for text in before if text not in ours or text not in theirs}
    # `fromkeys` keeps the first place of each text.
    texts = dict.fromkeys(
        (*_moved_to_front(before, ours), *_moved_to_front(before, theirs), *ours, *theirs)
    )
    return tuple(text for text in texts if text not in removed)


def _moved_to_front(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts at the front of a list that are new or were moved up since.

    It is the shortest beginning without which the rest has the order that it had before.
    """
    for count in range(len(now)):
        rest = now[count:]
        if rest == tuple(text for text in before if text in rest):
            return now[:count]
    return now


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
        path: path of the file, which need not exist.
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

    def write(self, state: SessionState, *, closing: bool = False) -> bool:
        """Write a state to the file, atomically, if it has changed; failures only set `error`.

        What another window has written since is merged into this state.

        Args:
            state: the state of this window, to be restored by the next one.
            closing: whether the window is closing: then it writes its state even if that has not
                changed, as the next window is to open like the one that was closed last.

        Returns:
            Whether the file was written.
        """
        if not self.has_place or (state == self.state and not closing):
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
        """Keep the file under another name, so that the next viewer begins without it.

        Returns a text that says so.
        """
        return _set_aside(self.path) if self.has_place else ""

    def _content_now(self) -> SessionState:
        """Return what the file holds now; the last known state if it cannot be read."""
        try:
            return read_session_state(_file_text(self.path))
        except FileNotFoundError:
            return self.state
        except (OSError, ValueError):
            _set_aside(self.path)
            return self.state

    def _write(self, state: SessionState) -> bool:
        """Merge a state with the content of the file; write it, and return True, if they differ."""
        content = self._content_now()
        self.state = merge_sessions(self.state, state, content)
        if self.state == content:
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


def open_default_session(*, safe: bool = False) -> SessionFile:
    """Return this user's session file; `safe` as for `open_session_file`."""
    try:
        return open_session_file(session_path(), safe=safe)
    except ViewerError as error:
        return SessionFile(Path(), SessionState(), sentence(str(error)), has_place=False)


def open_session_file(path: Path, *, safe: bool = False) -> SessionFile:
    """Read a session file; its state is empty if the file is missing or broken.

    A broken file is kept under another name, since it may hold keys that the user set by hand.

    Args:
        path: path of the file.
        safe: whether to start with defaults and keep only the lists of recent patterns, favourites
            and recent files; a copy of the file is kept.
    """
    try:
        text = _file_text(path)
        state = read_session_state(text)
    except FileNotFoundError:
        return SessionFile(path, SessionState(), is_first=True)
    except (OSError, ValueError) as error:
        where_kept = _set_aside(path)
        return SessionFile(
            path,
            SessionState(),
            _(
                "Cannot read the viewer's settings ({error}){aside}",
                error=_first_line(error),
                aside=where_kept,
            ),
        )
    if not safe:
        return SessionFile(path, state, _invalid_fields_error(path, text))
    # A safe start has the lists of patterns and files alone; a copy keeps all else.
    with contextlib.suppress(OSError):
        shutil.copyfile(path, path.with_name(_BACKUP))
    kept_state = SessionState(
        recent=state.recent, favourites=state.favourites, files=state.files, other=state.other
    )
    file = SessionFile(path, kept_state)
    # Write it at once, because later states are merged with what the file holds.
    with contextlib.suppress(ExportError):
        file.replace(kept_state)
    return file


def _invalid_fields_error(path: Path, text: str) -> str:
    """Return a message about the invalid fields of a session file, of which a copy is kept.

    Args:
        path: path of the file.
        text: its content.

    Returns:
        The message for the user; empty if all fields are valid, and then no copy is made.
    """
    invalid_names = invalid_fields(text)
    if not invalid_names:
        return ""
    with contextlib.suppress(OSError):
        shutil.copyfile(path, path.with_name(_BACKUP))
    return _(
        "Cannot read some of the viewer's settings ({names}); a copy is kept in {backup}",
        names=joined_names(invalid_names),
        backup=_BACKUP,
    )


def _file_text(path: Path) -> str:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(_("not a file"))  # reading a pipe may block forever
    if status.st_size > _MAX_BYTES:
        raise ValueError(_("the file is too long"))
    return path.read_text(encoding="utf-8")


def _set_aside(path: Path) -> str:
    with contextlib.suppress(OSError):
        path.replace(path.with_name(_BACKUP))
        return _("; a copy is kept in {backup}", backup=_BACKUP)
    return ""


def _first_line(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).split("\n")[0]


@contextlib.contextmanager
def directory_lock(folder: Path, timeout: float = _LOCK_TIMEOUT) -> Iterator[None]:
    """Lock a folder against other processes of this program, for the body of a `with` statement.

    The body runs without a lock if the system has none, the folder cannot be opened, or another
    process holds the lock for too long: that process is stuck then, and waiting would not help.

    Args:
        folder: folder to lock.
        timeout: how long to wait for the lock, [s].
    """
    if sys.platform == "win32":  # folders cannot be locked there
        yield
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)  # at the end, which also releases the lock
            _try_lock(descriptor, timeout)
        yield


def _try_lock(descriptor: int, timeout: float) -> None:
    """Lock an open file or folder, or give up silently after some time.

    Args:
        descriptor: descriptor of the file; closing it releases the lock.
        timeout: how long to try, [s].
    """
    import fcntl

    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:  # another process holds the lock
            time.sleep(0.005)
        else:
            return


def settings_folder() -> Path:
    """Return the folder of this user's settings, where the desktop wants it; it need not exist.

    Raises:
        ViewerError: there is no home folder.
    """
    from platformdirs import user_config_path

    try:
        folder = user_config_path("juggle-anim", appauthor=False)
    except RuntimeError:  # there is no home folder, which is reported below
        folder = Path()
    if not folder.is_absolute():  # the `~` of the home folder could not be expanded
        raise ViewerError(
            _("settings cannot be saved: there is no home folder; set HOME or XDG_CONFIG_HOME")
        )
    return folder


def custom_bindings(
    usual: Iterable[Binding], choices: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[Binding, ...], list[str]]:
    """Return the default bindings of keys changed by the user's choices.

    A binding joins a chord (a key with Ctrl, Shift or Alt) to an action. A chosen chord is taken
    away from its default action; the choice is refused if that action would have no key left.

    Args:
        usual: the default bindings.
        choices: chords by the name of an action in lower case, as `step_on`; they replace all its
            chords.

    Returns:
        bindings: all bindings.
        errors: a message for each choice that is refused.
    """
    bindings = tuple(usual)
    errors = []
    for name, chords in choices.items():
        try:
            bindings = _with_chords(bindings, name, tuple(map(_normalised_chord, chords)))
        except ValueError as error:
            errors.append(str(error))
    return bindings, errors


def _with_chords(
    bindings: tuple[Binding, ...], name: str, chords: tuple[str, ...]
) -> tuple[Binding, ...]:
    """Return bindings with new chords for an action, taken away from the actions that had them.

    Args:
        bindings: all bindings, each of a chord (a key with Ctrl, Shift or Alt) to an action.
        name: name of the action, in any case, with blanks, hyphens or underscores.
        chords: chords in the form of the bindings; they replace all chords of the action.

    Returns:
        All bindings; the new ones are where the first one of the action was.

    Raises:
        ValueError: there is no such action, or another one would be left without a key.
    """
    action = Action.__members__.get(name.upper().replace(" ", "_").replace("-", "_"))
    if action is None:
        raise ValueError(
            _(
                "unknown action {name!r}: {did_you_mean}",
                name=name[:40],
                did_you_mean=did_you_mean(name, [known.name.lower() for known in Action]),
            )
        )
    if not chords:
        raise ValueError(_("{name} needs at least one key", name=name))
    new_bindings = [Binding(chord, action) for chord in dict.fromkeys(chords)]
    kept_bindings = [
        binding
        for binding in bindings
        if binding.action is not action and binding.chord not in chords
    ]
    # Other actions must not lose their last key.
    actions_with_key = {action, *(binding.action for binding in kept_bindings)}
    for binding in bindings:
        if binding.action not in actions_with_key:
            raise ValueError(
                _(
                    "{chords} is the only key of {name}; give {name} another key first",
                    chords=binding.chord,
                    name=binding.action.name.lower(),
                )
            )
    # Insert at the place of the action's first binding, so that lists of keys keep their order.
    # Every action has one.
    index = next(index for index, binding in enumerate(bindings) if binding.action is action)
    return (
        *(binding for binding in bindings[:index] if binding in kept_bindings),
        *new_bindings,
        *(binding for binding in bindings[index:] if binding in kept_bindings),
    )


def _normalised_chord(text: str) -> str:
    """Return a chord that a user has written in the form of the bindings; a blank is `space`.

    Args:
        text: a key with Ctrl, Shift or Alt, such as `Ctrl + B`, for which `ctrl+b` is returned.

    Raises:
        ValueError: the text is no chord.
    """
    plain = text.strip().casefold().replace(" ", "") or "space"
    if not _CHORD.fullmatch(plain):
        raise ValueError(
            _(
                "{text!r} is not a key; write it as b, ctrl+b, shift+left or alt+pageup",
                text=text[:40],
            )
        )
    return plain
