"""A session: restores the viewer as it was closed, and saves its state while it runs.

Autosave: each window keeps its unsaved work in a locked folder of its own.

The next window asks whether to open what was recovered.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from juggle_anim.animation import Animation
from juggle_anim.atomic_file import atomic_file, cannot_write
from juggle_anim.choreography import Score
from juggle_anim.errors import JuggleError, ViewerError, one_line
from juggle_anim.language import _, ngettext
from juggle_anim.notation import (
    JML,
    list_of_one,
    open_pattern,
    read_settings,
    read_stream,
    write_patterns,
    write_settings,
)
from juggle_anim.parameters import ROWS, Group, Parameters, ParameterValue
from juggle_anim.scene import CAMERA_PRESETS, EYE_VIEW
from juggle_anim.viewer.camera.camera_rig import (
    DEFAULT_VIEW,
    MIN_DISTANCE,
    CameraKey,
    CameraRig,
    Orbit,
    within_jugglers,
)
from juggle_anim.viewer.diagrams.diagrams import KINDS, STATES
from juggle_anim.viewer.editor.documents import Document, FileStamp
from juggle_anim.viewer.footage.footage import FootageView, Mark
from juggle_anim.viewer.panel.overrides import overrides_of, path_of, with_overrides
from juggle_anim.viewer.screenshot import Numbers
from juggle_anim.viewer.session.file import (
    OtherHalf,
    SavedFile,
    SavedFilm,
    SavedView,
    SessionFile,
    SessionState,
    custom_bindings,
    directory_lock,
)
from juggle_anim.viewer.state.browser import ALL_PATTERNS
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import BINDINGS, FACTS, FOOTAGE, PLOTS, use_bindings
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.live_change import LEFT, RIGHT
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import Answer, Question
from juggle_anim.viewer.state.undo import Step
from juggle_anim.viewer.window_open import WindowPlace, fitting_place, screens_of

_WRITE_INTERVAL = (
    1.0  # s between two writes; whatever ends the program, not much more than this is lost
)
_RETRY_INTERVAL = 10.0  # s after a failure
_WORK_FILE = "work.json"
_LOCK_FILE = "lock"
_MAX_BYTES = 50_000_000

Value = TypeVar("Value")

_Snapshot = tuple[tuple[Document, Step, Path | None], ...]


class RecoveredWork(NamedTuple):
    """A pattern that was not saved when a window ended.

    Attributes:
        score: score of the pattern.
        parameters: parameters of the score.
        path: path of the file that it was opened from or saved to; None if it had none.
        stamp: stamp of that file then.
    """

    score: Score
    parameters: Parameters
    path: Path | None
    stamp: FileStamp | None

    @property
    def name(self) -> str:
        """The name of its file, else its title."""
        return self.path.name if self.path else self.score.name


class Autosave:
    """Keeps the unsaved work of a window on the disk, written by a thread beside the pictures.

    Args:
        root: the folder for the work of all windows, which need not exist.
        clock: tells the time, [s].
    """

    def __init__(self, root: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.error = ""
        """Why the last work could not be written; empty if it could."""
        self._root = root
        self._clock = clock
        self._due = 0.0  # when to write next, [s] of the clock
        self._kept: _Snapshot = ()  # the work written last, or being written
        self._folder: WorkFolder | None = None
        self._thread: Thread | None = None

    def advance(self, unsaved: Sequence[Document]) -> None:
        """Start to write the unsaved work in a thread if it has changed, at most once a second.

        Args:
            unsaved: all documents with unsaved edits; if there are none, what was written for them
                is removed.
        """
        work = _snapshot(unsaved)
        is_written = _are_same_steps(work, self._kept)
        is_writing = self._thread is not None and self._thread.is_alive()
        if is_written or is_writing or self._clock() < self._due:
            return
        self._kept = work
        self._due = self._clock() + _WRITE_INTERVAL
        self._thread = Thread(target=self._write, args=(work,), name="autosave")
        self._thread.start()

    def flush(self, unsaved: Sequence[Document]) -> bool:
        """Write the unsaved work now if it has changed; return whether all of it is on the disk."""
        if self._thread:
            self._thread.join()
        work = _snapshot(unsaved)
        if not _are_same_steps(work, self._kept):
            self._kept = work
            self._write(work)
        return not self.error

    def end(self, unsaved: Sequence[Document]) -> None:
        """Write what is unsaved now, before the program ends.

        What is saved or discarded leaves nothing behind.
        """
        self.flush(unsaved)
        if self._folder:
            self._folder.release()

    def abandoned(self) -> list[WorkFolder]:
        """Return the folders with unsaved work of windows that have ended; they are locked now.

        Folders of ended windows without unsaved work are removed. Without access to the folder of
        all windows there are none.
        """
        ended: list[WorkFolder] = []
        with contextlib.suppress(OSError), directory_lock(self._root):
            paths = sorted(path for path in self._root.iterdir() if path.is_dir())
            # A window that still runs has locked its folder, so that `_lock` returns None.
            locks = [(path, _lock(path)) for path in paths]
            ended = [WorkFolder(path, lock) for path, lock in locks if lock is not None]
        ended_with_work = []
        for folder in ended:
            if (folder.path / _WORK_FILE).exists():
                ended_with_work.append(folder)
            else:
                folder.remove()
        return ended_with_work

    def _write(self, work: _Snapshot) -> None:
        """Write the work to the folder of this window; without any, remove the folder.

        If that fails, `error` says why, and it is tried again a little later.

        Args:
            work: all unsaved documents with their states and paths; empty if there are none.
        """
        try:
            if work:
                self._folder = self._folder or WorkFolder.create(self._root)
                self._folder.write(work)
            elif self._folder:
                self._folder.remove()
                self._folder = None
            self.error = ""
        except (JuggleError, OSError, ValueError) as error:
            self.error = _("Edits cannot be backed up: {error}", error=error)
            self._kept = ()
            self._due = self._clock() + _RETRY_INTERVAL


class WorkFolder:
    """A folder that holds the unsaved work of a window.

    While that window lives, no other can lock it.

    Args:
        path: path of the folder.
        lock: the descriptor of the locked file in it; None if the system has no locks.
    """

    def __init__(self, path: Path, lock: int | None) -> None:
        self.path = path
        self._lock = lock

    @classmethod
    def create(cls, root: Path) -> WorkFolder:
        """Create and lock a folder for a new window.

        Args:
            root: the folder for the work of all windows; made if it is missing.

        Raises:
            ExportError: the folder cannot be made.
        """
        with cannot_write(root):
            root.mkdir(parents=True, exist_ok=True)
            # Without this lock another window could take the new folder before it is locked.
            with directory_lock(root):
                path = root / secrets.token_hex(6)
                path.mkdir(mode=0o700)
                return cls(path, _lock(path))

    def write(self, work: _Snapshot) -> None:
        """Write the work of this window atomically, as JSON.

        Args:
            work: documents with their latest states and the paths of their files.

        Raises:
            ExportError: it cannot be written.
        """
        entries = [_json_values(document, step, path) for document, step, path in work]
        text = json.dumps({"version": 1, "work": entries})
        with atomic_file(self.path / _WORK_FILE) as draft:
            draft.write_text(text, encoding="utf-8")

    def read(self) -> tuple[list[RecoveredWork], str]:
        """Read the work of a window that has ended.

        Returns:
            The work, and when it was written, in words: `14:32`, or `1 June, 14:32`.

        Raises:
            ValueError: it cannot be read, for any reason.
        """
        path = self.path / _WORK_FILE
        try:
            if not path.is_file():
                raise ValueError(_("it is not a file"))  # reading a pipe may block forever
            if path.stat().st_size > _MAX_BYTES:
                raise ValueError(_("it is too long"))
            data = json.loads(path.read_text(encoding="utf-8"))
            # The file is an object whose member "work" is a list with an entry for each document.
            work = [_read_work(entry) for entry in _member(data, "work", list)]
            written = datetime.fromtimestamp(path.stat().st_mtime)
            return work, _time_words(written, datetime.now())
        except Exception as error:
            # An error of any kind must not keep this and all later viewers from opening. The words
            # of the error are put on one line.
            raise ValueError(one_line(error)) from error

    def set_aside(self) -> Path:
        """Keep work that cannot be read under another name, so that it is not offered again.

        Return where it is.
        """
        path = self.path.parent / f"{self.path.name}.json"
        with contextlib.suppress(OSError):
            (self.path / _WORK_FILE).replace(path)
            self.remove()
        return path

    def release(self) -> None:
        """Let another window take it."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def remove(self) -> None:
        """Remove it with what it holds."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.release()


def _lock(folder: Path) -> int | None:
    """Lock a file in a folder as long as this process lives, without waiting.

    Args:
        folder: folder that exists; the file is made if it is missing.

    Returns:
        The descriptor of the file, which unlocks it when it is closed; None if another process has
        locked it, or it cannot be opened.
    """
    try:
        descriptor = os.open(folder / _LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # another process has locked it
        os.close(descriptor)
        return None
    return descriptor


def _snapshot(unsaved: Sequence[Document]) -> _Snapshot:
    return tuple((document, document.latest, document.path) for document in unsaved)


def _are_same_steps(one: _Snapshot, other: _Snapshot) -> bool:
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(
        document is other_document and step is other_step and path == other_path
        for (document, step, path), (other_document, other_step, other_path) in pairs
    )


def _json_values(document: Document, step: Step, path: Path | None) -> dict[str, Any]:
    """Convert a document to JSON values, from which `_read_work` makes it again.

    The score is text: settings of a pattern, lines of a routine, or JML for timed events. The
    parameters stand beside it, since texts round them.

    Args:
        document: document; the stamp that tells the version of its file is kept.
        step: the state of the document to keep: a score and parameters.
        path: path of the document's file; None for none.
    """
    score = step.score
    parameters = step.parameters
    if score.pattern:
        text = {"settings": write_settings(score, parameters)}
    elif score.routine:
        text = {"routine": score.routine.text, "title": score.title}
    else:
        text = {"jml": write_patterns(list_of_one(score, parameters), JML).text}
    return {
        "path": str(path) if path else None,
        "stamp": document.stamp,
        "parameters": asdict(parameters),
        **text,
    }


def _member(data: Any, name: str, kind: type[Value]) -> Value:
    """Return a member of a JSON object, whose type is checked.

    Args:
        data: a JSON value; only an object has members.
        name: name of the member.
        kind: the type that the member must have.

    Raises:
        ValueError: there is no such member, or it is of another type.
    """
    value = data.get(name) if isinstance(data, dict) else None
    if not isinstance(value, kind):
        raise ValueError(_("{name} is missing", name=name))
    return value


def _read_work(data: Any) -> RecoveredWork:
    """Read the work in an entry of a recovery file, as `_json_values` has written it.

    Args:
        data: a JSON value; parameters that this version does not know are left out.

    Raises:
        ValueError: a member is missing or invalid.
        JuggleError: the pattern cannot be read.
    """
    parameters = _member(data, "parameters", dict)
    score = _read_score(data)
    known_names = {row.name for row in ROWS}
    known_parameters = {name: value for name, value in parameters.items() if name in known_names}
    path = _member(data, "path", str) if data.get("path") else ""
    # The stamp of the file: its time and size, two whole numbers.
    stamp = _member(data, "stamp", list) if data.get("stamp") else []
    if stamp and [type(number) for number in stamp] != [int, int]:
        raise ValueError(_("{name} is missing", name="stamp"))
    return RecoveredWork(
        score,
        Parameters().replace(**known_parameters),
        path=Path(path) if path else None,
        stamp=FileStamp(*stamp) if stamp else None,
    )


def _read_score(data: Any) -> Score:
    """Read the score in an entry of a recovery file: settings, lines of a routine, or JML.

    Args:
        data: a JSON object.

    Raises:
        ValueError: a member is missing or invalid.
        JuggleError: the pattern cannot be read.
    """
    import io

    from juggle_anim.notation import read_routine

    if "settings" in data:
        return read_settings(_member(data, "settings", str)).score
    if "routine" in data:
        contents = read_routine(_member(data, "routine", str), _member(data, "title", str))
    else:
        jml = _member(data, "jml", str)
        contents = read_stream(io.BytesIO(jml.encode()), _("recovered work"))
    # Each entry was written as a list of one pattern.
    settings = contents.patterns[0].settings if contents.patterns else None
    if settings is None:
        raise ValueError(_("it has no valid pattern"))
    return settings.score


def _time_words(then: datetime, now: datetime) -> str:
    day = "" if then.date() == now.date() else f"{then.day} {then:%B}, "
    return f"{day}{then:%H:%M}"


def offer_recovered(controller: Controller, autosave: Autosave) -> None:
    """Ask whether to open unsaved work that other windows have left, if there is any.

    A window keeps its unsaved work in a folder of its own; if the window was ended from outside,
    the folder is left behind. Opened work is written by the autosave of this viewer before the old
    folders are removed. Work that cannot be read is set aside, with a notice.

    Args:
        controller: controller of this viewer.
        autosave: autosave of this viewer.
    """
    folders: list[WorkFolder] = []
    work: list[RecoveredWork] = []
    last_time = ""  # when the work of the last folder was written, in words
    for folder in autosave.abandoned():
        try:
            work_of_window, last_time = folder.read()
            folders.append(folder)
            work.extend(work_of_window)
        except ValueError as error:
            aside = folder.set_aside()
            controller.model.notice.say(
                _(
                    "Cannot read unsaved work ({error}); a copy is kept in {aside}",
                    error=error,
                    aside=aside,
                ),
                bad=True,
            )
    if not work:
        return

    def remove_folders() -> None:
        """Delete the work for good."""
        for folder in folders:
            folder.remove()

    def release_folders() -> None:
        """Leave the work to a later viewer."""
        for folder in folders:
            folder.release()

    def open_work() -> None:
        """Open the work, and remove its folders once it is autosaved by this viewer."""
        _open_recovered(controller, work)
        if autosave.flush(controller.model.documents.unsaved):
            remove_folders()

    def question() -> Question:
        """Return the question that offers the unsaved work, in the present language."""
        return Question(
            ngettext(
                "Recover unsaved changes to {name}?",
                "Recover {number} unsaved patterns?",
                len(work),
                name=work[0].name,
            ),
            ngettext(
                "A window closed at {when} before your edits were saved.",
                "A window closed at {when} before your edits were saved.",
                len(work),
                when=last_time,
            ),
            (
                Answer(_("Open"), "o", open_work),
                Answer(_("Discard"), "d", remove_folders),
                Answer(_("Later"), "l", release_folders),
            ),
        )

    controller.library.files.ask(question)


def _open_recovered(controller: Controller, work: Sequence[RecoveredWork]) -> None:
    """Open recovered patterns as unsaved documents; the last of them is juggled.

    Patterns that this version of the program cannot juggle are left out, with a notice.

    Args:
        controller: controller of the viewer.
        work: the patterns to open, in order.
    """
    model = controller.model
    for recovered in work:
        animation = Animation(recovered.score, recovered.parameters)
        try:
            animation.motion  # noqa: B018 - raises here if it cannot be juggled
        except JuggleError as error:
            model.notice.say(
                _("{name} can no longer be juggled: {error}", name=recovered.name, error=error),
                bad=True,
            )
            continue
        # The text under which the pattern is listed and opened again. Timed events have no short
        # notation; if they have a file, its path serves instead.
        text = animation.text
        if animation.pattern is None and recovered.path:
            text = str(recovered.path)
        model.go_to(animation, text)
        # Without a saved state, all of the document counts as unsaved. Its latest step is the one
        # that `go_to` has just made the chosen one.
        model.documents.add(
            Document(
                saved=None, latest=model.chosen_step, path=recovered.path, stamp=recovered.stamp
            )
        )


_SAVE_INTERVAL = 1.0  # s; whatever ends the program, no more than this is lost

DEFAULT_PATTERN = "Cascade"
"""The pattern of a viewer that is opened without one."""


class Session:
    """Restores a viewer as it was closed, and saves its state while it runs.

    Args:
        controller: controller of the viewer.
        window: pyglet's.
        file: file of the session; None to save nothing.
        resumed: whether to show the pattern of the last session.
    """

    def __init__(
        self, controller: Controller, window: Any, file: SessionFile | None, *, resumed: bool
    ) -> None:
        """Restore window, keys, patterns and cards of the last session, and offer unsaved work.

        The session file keeps the state of the viewer from one start to the next. A notice tells
        what cannot be restored.

        Args:
            controller: controller of the viewer.
            window: the window of pyglet.
            file: the session file; None to save nothing.
            resumed: whether to show the pattern of the last session.
        """
        self.window_lost = False
        """Whether another program has destroyed the window."""
        self.is_first = bool(file and file.is_first)
        """Whether no viewer was opened here before."""
        self._controller = controller
        self._window = window
        self._file = file
        state = file.state if file else SessionState()
        # The place that the window had, if it would be visible on one of the screens there.
        self._size = window.get_size()
        place = None
        if state.place:
            place = fitting_place(state.place, self._size, screens_of(window.display))
        self._window_place = WindowPlace(window, place)
        # When the state is saved next; a time of `monotonic`, [s].
        self._due = monotonic() + _SAVE_INTERVAL
        # Keys that the user has chosen in the session file; errors are told below.
        bindings, key_errors = custom_bindings(BINDINGS, state.keys)
        use_bindings(bindings)
        errors = [file.error if file else "", *key_errors]
        try:
            restore_session(state, controller, resumed=resumed)
        except Exception as error:
            # No content of the file may keep this window and all later ones from opening. The file
            # is renamed, so that its content is not lost.
            where_kept = file.set_aside() if file else ""
            errors.append(
                _(
                    "Cannot restore the viewer's settings ({error}){aside}",
                    error=error,
                    aside=where_kept,
                )
            )
        message = "; ".join(error for error in errors if error)
        if message:
            controller.model.notice.say(message, bad=True)
        # Unsaved work of this window is kept beside the session file, and that of others offered.
        self._autosave: Autosave | None = None
        self._autosave_error = ""
        if file and file.has_place:
            self._autosave = Autosave(file.path.parent / "recovery")
            offer_recovered(controller, self._autosave)

    def advance(self, elapsed: float) -> bool:
        """Do what is due in a frame: follow the window's place, save, and advance the library.

        The session file is written at intervals; unsaved patterns are kept for recovery after each
        change.

        Args:
            elapsed: time since the last call, [s].

        Returns:
            Whether the window must be redrawn.
        """
        self._window_place.advance(elapsed)
        # Measured by the system's clock, as `elapsed` is cut short where a frame takes long.
        if monotonic() > self._due:
            self._due = monotonic() + _SAVE_INTERVAL
            self._write_session(closing=False)
        tells_error = self._keep_unsaved_work()
        library_changed = self._controller.library.advance(elapsed)
        return tells_error or library_changed

    def end(self) -> None:
        """Save the state and the unsaved work at exit, also where a signal ends the program."""
        if self._autosave:
            # The session and its history hold all else.
            unsaved = self._controller.model.documents.unsaved
            self._autosave.end([document for document in unsaved if document.needs_file])
        self._write_session(closing=True)

    def _keep_unsaved_work(self) -> bool:
        """Keep unsaved work for recovery; return whether a notice now tells of a new error."""
        if self._autosave is None:
            return False
        self._autosave.advance(self._controller.model.documents.unsaved)
        error_before = self._autosave_error
        self._autosave_error = self._autosave.error
        if not self._autosave_error or self._autosave_error == error_before:
            return False
        self._controller.model.notice.say(self._autosave_error, bad=True)
        return True

    def _write_session(self, *, closing: bool) -> None:
        """Write the session file, if the state has changed or the window closes.

        Several windows may share the file. What others have added to the lists of recent and
        favourite patterns is merged with those of this window, which then show it, too.

        Args:
            closing: whether the window closes.
        """
        if self._file is None:
            return
        state = capture_session(self._controller, self._file.state, closing=closing)
        # The size of a full screen is not saved.
        if not self.window_lost and not self._window.fullscreen:
            self._size = self._window.get_size()
            state = replace(state, place=self._window_place.now)
        error_before = self._file.error
        if self._file.write(replace(state, size=self._size), closing=closing):
            update_lists(self._file.state, self._controller.library)
        if self._file.error != error_before:
            self._controller.model.notice.say(self._file.error, bad=True)


def last_animation(state: SessionState) -> tuple[Animation, str]:
    """Open the animation of the last session, or the default one if that is not possible.

    Args:
        state: state of the last session.

    Returns:
        animation: the animation, with its motion computed.
        error_message: why the last one could not be opened; empty if it could, or if there was
            none.
    """
    error_message = ""
    if state.pattern:
        try:
            return _animation_of_text(state.pattern, state.parameters), ""
        except Exception as error:
            # An error of any kind must not keep this and all later viewers from opening.
            error_message = _("Cannot reopen the last pattern: {error}", error=one_line(error))
    return _animation_of_text(DEFAULT_PATTERN, {}), error_message


def restore_session(state: SessionState, controller: Controller, *, resumed: bool) -> None:
    """Restore a saved state in a new viewer.

    The recent and favourite patterns, recent files, the panel and the cards are restored in any
    case.

    Args:
        state: state of the last session.
        controller: controller of the new viewer. If `resumed`, it already juggles the pattern of
            the last session (`last_animation`).
        resumed: whether to restore what belongs to that pattern, too: its file, the time in it, the
            camera, a second pattern beside it and a film.
    """
    model = controller.model
    browser = controller.library.browser
    browser.recent = list(state.recent)
    browser.favourites = list(state.favourites)
    controller.library.files.recent = list(state.files)
    controller.library.files.take_last_kind(state.save_kind)
    model.cards.panel_shown = state.panel
    _restore_cards(state, model)
    if not resumed:
        return
    # Timed events have no short notation: their text is the path of the file that holds them. This
    # sets the pattern line, too, and the step that the document is compared with: both come after.
    model.name_events(state.pattern)
    if state.document:
        _restore_document(state.document, model)
    model.playback.time = state.time
    _restore_camera(state, model.rig, model.animation.num_jugglers)
    if state.beside:
        _open_other_half(state.beside, controller)
    if state.film:
        _open_film(state.film, controller.footage)
    model.camera_keys.restore(CameraKey(*view) for view in state.camera_path)


def _restore_camera(state: SessionState, rig: CameraRig, jugglers: int) -> None:
    """Restore the view, the juggler whom the camera follows, and how it was moved by hand.

    Args:
        state: state of the last session.
        rig: rig of the camera.
        jugglers: number of jugglers of the pattern, which limits the one who is followed.
    """
    if state.standpoint in (*CAMERA_PRESETS, EYE_VIEW):
        rig.fly(state.standpoint)
    rig.following = within_jugglers(state.juggler, jugglers)
    view = state.view
    if view is None:
        return
    orbit = Orbit(
        view.target,
        max(view.distance, MIN_DISTANCE),
        azimuth=view.azimuth,
        elevation=view.elevation,
        field_of_view=rig.camera.field_of_view,
    )
    # The file may hold any numbers: turning and zooming by nothing brings them within limits.
    rig.hold(orbit.rotated(0.0, 0.0).zoomed(0.0))


def _restore_document(document: SavedFile, model: Model) -> None:
    """Connect the juggled pattern again with the file that it was saved to.

    It counts as edited if it differs from what the file holds now.

    Args:
        document: path and version of the file.
        model: model that juggles the pattern already.
    """
    try:
        settings = open_pattern(document.path)
        parameters = settings.applied_to(Parameters())
    except JuggleError:
        return  # the file is gone or broken: the pattern is in no file
    saved_step = Step(settings.score, parameters, document.path)
    model.documents.add(
        Document(
            saved_step,
            model.chosen_step,
            path=Path(document.path),
            stamp=FileStamp(*document.stamp),
        )
    )


def _restore_cards(state: SessionState, model: Model) -> None:
    """Restore what fits any pattern: the cards, folded groups and controls of the window.

    Words of the state that this version does not know, such as the name of a diagram, are ignored,
    since the file may have been written by another version.

    Args:
        state: state of the last session, as read from its file.
        model: state of the viewer, which is changed.
    """
    # One card is in the strip along the lower edge: a diagram, plots or facts.
    if state.diagram in (*KINDS, STATES):
        model.diagrams.show(state.diagram)
    elif state.plots is not None:
        model.plots.first = min(state.plots, model.plots.count - 1)
        model.cards.strip = PLOTS
    elif state.facts:
        model.cards.strip = FACTS
    model.beat_line.shown = state.beats
    model.live_change = state.live
    if state.numbers in list(Numbers):  # which numbers are written beside props
        model.screen.numbers = Numbers(state.numbers)
    if state.folded is not None:
        model.listing.folded = {group for group in Group if group.value in state.folded}
    model.window_controls.restore(state.window)
    if state.sound:
        model.sound.resume()


def update_lists(state: SessionState, library: LibraryController) -> None:
    """Show recent and favourite patterns, and recent files, that other windows have changed.

    The pattern that is chosen in the browser stays chosen.

    Args:
        state: the state as read from the session file.
        library: opens, lists, plays and saves patterns; it is changed.
    """
    browser = library.browser
    library.files.recent = list(state.files)
    if (state.recent, state.favourites) == (tuple(browser.recent), tuple(browser.favourites)):
        return
    # The chosen pattern is an index into the shown ones, which change if these are the favourites
    # or the recent ones. It is then chosen again by its text.
    shows_list = library.is_browsing and browser.shelf.option != ALL_PATTERNS
    chosen = browser.chosen if shows_list else None
    browser.recent = list(state.recent)
    browser.favourites = list(state.favourites)
    if chosen:
        browser.choose_text(browser.text_of(chosen))


def capture_session(controller: Controller, before: SessionState, *, closing: bool) -> SessionState:
    """Return the state of a viewer to be saved in the session file.

    Args:
        controller: controller of the viewer.
        before: the state saved last. The size and place of the window and other fields that the
            controller does not know are copied from it.
        closing: whether the viewer is closing; the time of a playing animation is saved only then.
    """
    model = controller.model
    browser = controller.library.browser
    # The pattern shown now becomes the first of the recent ones.
    controller.library.visited.note_recent()
    document = controller.library.files.shown
    animation = model.animation
    text = model.text
    step_before_lesson = controller.lesson.start
    if step_before_lesson:
        # Lessons are not saved: save the pattern before the lesson.
        document = model.documents.owner(step_before_lesson.score) or document
        animation = Animation(step_before_lesson.score, step_before_lesson.parameters)
        text = step_before_lesson.text
    # Edits that the user has discarded are not saved: save what the file holds.
    if closing and document.is_discarded and document.saved:
        animation = Animation(document.saved.score, document.saved.parameters)
        text = document.saved.text
    # The text that opens the pattern, and parameters that differ from those of this text.
    pattern, parameters = _text_and_overrides(animation, text)
    # The version of the pattern's file when it was read or saved. Timed events need no document, as
    # their text is the path of the file.
    stamp = document.stamp if animation.pattern and document.path else None
    # During playback the time is not saved, as the file would be written every second.
    saves_time = closing or model.playback.paused
    time_in_loop = round(model.playback.time % model.animation.duration, 4)
    return replace(
        before,
        pattern=pattern,
        parameters=parameters,
        document=SavedFile(str(document.path), stamp) if stamp else None,
        time=time_in_loop if saves_time else before.time,
        panel=model.cards.panel_shown,
        diagram=model.diagrams.kind,
        beats=model.beat_line.shown,
        facts=model.cards.strip == FACTS,
        plots=model.plots.first if model.cards.strip == PLOTS else None,
        save_kind=controller.library.files.last_kind.name,
        numbers=str(model.screen.numbers),
        sound=model.sound.on,
        live=model.live_change,
        folded=tuple(group.value for group in Group if group in model.listing.folded),
        window=model.window_controls.changed,
        juggler=model.rig.following,
        standpoint=model.rig.view if model.rig.view != DEFAULT_VIEW else "",
        view=_saved_view(model.rig.orbit) if model.rig.is_manual else None,
        beside=_saved_other_half(model),
        film=_saved_film(controller.footage),
        camera_path=tuple(
            (key.azimuth, key.elevation, key.seconds) for key in model.camera_keys.keys
        ),
        recent=tuple(browser.recent),
        favourites=tuple(browser.favourites),
        files=tuple(controller.library.files.recent),
    )


def _animation_of_text(text: str, overrides: Mapping[str, ParameterValue | None]) -> Animation:
    settings = open_pattern(text)
    own = Animation(settings.score, Parameters())
    animation = with_overrides(own, {**settings.parameters, **overrides})
    animation.motion  # noqa: B018 - raises here if the pattern cannot be juggled
    return animation


def _open_film(film: SavedFilm, footage: FootageView) -> None:
    """Open the film of the last session with its controls and marks, or say why it is not shown.

    Args:
        film: the film as saved: its path, the values of its controls, its lag behind the animation,
            and marks, which are times of throws that the user has set.
        footage: footage that shows it.
    """
    try:
        footage.open(film.path)
    except ViewerError as error:
        footage.model.notice.say(_("Cannot show the last video: {error}", error=error), bad=True)
        return
    footage.model.cards.close(FOOTAGE)  # which `open` has shown
    footage.controls.restore(film.controls)
    footage.clock.lag = film.lag
    footage.marks.made = [Mark(*mark) for mark in film.marks]


def _saved_film(footage: FootageView) -> SavedFilm | None:
    if footage.film is None:
        return None
    marks = tuple((round(mark.pressed, 4), round(mark.released, 4)) for mark in footage.marks.made)
    return SavedFilm(
        str(footage.path.absolute()),
        controls=footage.controls.changed,
        lag=round(footage.clock.lag, 5),
        marks=marks,
    )


def _open_other_half(beside: OtherHalf, controller: Controller) -> None:
    try:
        animation = _animation_of_text(beside.pattern, beside.parameters)
    except JuggleError:
        return  # the view is not split, as in a new window
    text = animation.text if animation.pattern else beside.pattern
    controller.split.open(animation, text, active_half=LEFT if beside.right else RIGHT)


def _saved_other_half(model: Model) -> OtherHalf | None:
    if model.other is None:
        return None
    pattern, parameters = _text_and_overrides(model.other.animation, model.other.text)
    return OtherHalf(pattern, parameters, right=model.half == LEFT) if pattern else None


def _text_and_overrides(
    animation: Animation, text: str
) -> tuple[str, dict[str, ParameterValue | None]]:
    """Return the text that opens an animation, and the parameters that this text does not hold."""
    if animation.pattern:
        return animation.settings, {}
    path = path_of(text)
    return path, overrides_of(animation, path) if path else {}


def _saved_view(orbit: Orbit) -> SavedView:
    x, y, z = (round(part, 4) for part in orbit.target)
    return SavedView(
        (x, y, z),
        distance=round(orbit.distance, 4),
        azimuth=round(orbit.azimuth, 5),
        elevation=round(orbit.elevation, 5),
    )
