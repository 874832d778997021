"""Autosave: each window keeps its unsaved work in a locked folder of its own.

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
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from juggle_anim.animation import Animation
from juggle_anim.atomic_file import atomic_file, cannot_write
from juggle_anim.choreography import Score
from juggle_anim.errors import JuggleError
from juggle_anim.language import _, ngettext
from juggle_anim.notation import read_settings, write_settings
from juggle_anim.notation.files import read_stream, write_patterns
from juggle_anim.notation.formats import JML
from juggle_anim.notation.pattern_list import list_of_one
from juggle_anim.parameters import ROWS, Parameters
from juggle_anim.viewer.editor.documents import Document, FileStamp
from juggle_anim.viewer.session.file import directory_lock
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.prompt import Answer, Question
from juggle_anim.viewer.state.undo import Step

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
        score: of it.
        parameters: of it.
        path: of the file that it was opened from or saved to; None if it had none.
        stamp: of that file then.
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
        self._due = 0.0
        self._kept: _Snapshot = ()
        self._folder: WorkFolder | None = None
        self._thread: Thread | None = None

    def advance(self, unsaved: Sequence[Document]) -> None:
        """Begin to write the unsaved work in a thread if it has changed, at most once a second.

        Args:
            unsaved: all documents with unsaved edits; none has the last work removed.
        """
        work = _snapshot(unsaved)
        # Nothing new, or too early, or the last work is still being written.
        if (
            _are_same_steps(work, self._kept)
            or self._clock() < self._due
            or (self._thread and self._thread.is_alive())
        ):
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
        """Lock the folders of windows that have ended, and return those with unsaved work.

        Only the folder of a window that still runs cannot be locked. Folders without work are
        removed.
        """
        folders: list[WorkFolder] = []
        with contextlib.suppress(OSError), directory_lock(self._root):
            paths = sorted(path for path in self._root.iterdir() if path.is_dir())
            locks = [(path, _lock(path)) for path in paths]
            folders = [WorkFolder(path, lock) for path, lock in locks if lock is not None]
        # Everything was saved in these windows.
        for folder in [folder for folder in folders if not (folder.path / _WORK_FILE).exists()]:
            folders.remove(folder)
            folder.remove()
        return folders

    def _write(self, work: _Snapshot) -> None:
        """Write the work to the folder of this window, or remove the folder if there is none.

        A failure sets `error`, and is tried again a little later.

        Args:
            work: all unsaved documents; empty if there are none.
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
        path: of the folder.
        lock: the descriptor of the locked file in it; None where the system has no locks.
    """

    def __init__(self, path: Path, lock: int | None) -> None:
        self.path = path
        self._lock = lock

    @classmethod
    def create(cls, root: Path) -> WorkFolder:
        """Make and lock a folder for a new window.

        Args:
            root: the folder for the work of all windows; made if it is missing.

        Raises:
            ExportError: the folder cannot be made.
        """
        with cannot_write(root):
            root.mkdir(parents=True, exist_ok=True)
            # Or else another window could take it before it is locked.
            with directory_lock(root):
                path = root / secrets.token_hex(6)
                path.mkdir(mode=0o700)
                return cls(path, _lock(path))

    def write(self, work: _Snapshot) -> None:
        """Write the work of this window atomically, as JSON.

        Args:
            work: documents with their latest steps and the paths of their files.

        Raises:
            ExportError: it cannot be written.
        """
        path = self.path / _WORK_FILE
        with atomic_file(path) as draft:
            draft.write_text(
                json.dumps({"version": 1, "work": [_json_values(*document) for document in work]}),
                encoding="utf-8",
            )

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
            work = [_read_work(document) for document in _member(data, "work", list)]
            return work, _time_words(datetime.fromtimestamp(path.stat().st_mtime), datetime.now())
        except Exception as error:  # of any kind, or else no later viewer would open
            raise ValueError(" ".join(str(error).split())) from error

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
        folder: that exists; the file is made if it is missing.

    Returns:
        The descriptor of the file; None if another process has locked it, or it cannot be opened.
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
    except OSError:
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

    The pattern is text: settings, lines of a routine, or JML for events. The parameters stand
    beside it, since texts round them.

    Args:
        document: whose file's version is noted.
        step: score and parameters to keep.
        path: of the document's file; None for none.
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
    """Look up a member of a JSON object, and check its type.

    Args:
        data: a JSON value; only an object has members.
        name: of the member.
        kind: its type.

    Raises:
        ValueError: there is no such member, or it is of another kind.
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
    # The pattern: settings, the lines of a routine, or JML.
    parameters = _member(data, "parameters", dict)
    if "settings" in data:
        score = read_settings(_member(data, "settings", str)).score
    else:
        import io

        if "routine" in data:
            from juggle_anim.notation.routine import read_routine

            contents = read_routine(_member(data, "routine", str), _member(data, "title", str))
        else:
            contents = read_stream(
                io.BytesIO(_member(data, "jml", str).encode()), _("recovered work")
            )
        settings = contents.patterns[0].settings if contents.patterns else None
        if settings is None:
            raise ValueError(_("it has no valid pattern"))
        score = settings.score
    known_names = {row.name for row in ROWS}
    values = {name: value for name, value in parameters.items() if name in known_names}
    path = _member(data, "path", str) if data.get("path") else ""
    stamp = _member(data, "stamp", list) if data.get("stamp") else []
    if stamp and [type(number) for number in stamp] != [int, int]:
        raise ValueError(_("{name} is missing", name="stamp"))
    return RecoveredWork(
        score,
        Parameters().replace(**values),
        path=Path(path) if path else None,
        stamp=FileStamp(*stamp) if stamp else None,
    )


def _time_words(then: datetime, now: datetime) -> str:
    day = "" if then.date() == now.date() else f"{then.day} {then:%B}, "
    return f"{day}{then:%H:%M}"


def offer_recovered(controller: Controller, autosave: Autosave) -> None:
    """Ask whether to open the work that was not saved when other windows ended.

    Nothing happens if there is none. Opened work is kept by this viewer before the old folders are
    removed. Work that cannot be read is kept under another name, as a notice says.

    Args:
        controller: of the viewer that opens it.
        autosave: of this viewer, which keeps it from then on.
    """
    # Each folder with its work, and when the last of them was written.
    recovered: list[tuple[WorkFolder, list[RecoveredWork]]] = []
    when = ""
    for folder in autosave.abandoned():
        try:
            work, when = folder.read()
            recovered.append((folder, work))
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
    work = [document for _, works in recovered for document in works]
    if not work:
        return

    def open_all() -> None:
        # The old folders go only when this viewer's own work is on the disk.
        _open_recovered(controller, work)
        if autosave.flush(controller.model.documents.unsaved):
            end(WorkFolder.remove)

    def end(close: Callable[[WorkFolder], None]) -> None:
        for folder, _unused in recovered:
            close(folder)

    def question() -> Question:
        """Return the question in the present language."""
        what = work[0].name if len(work) == 1 else _("{count} patterns", count=len(work))
        return Question(
            ngettext(
                "Recover unsaved {what}?",
                "Recover unsaved {what}?",
                len(work),
                what=what,
            ),
            ngettext(
                "A window closed at {when} before your edits were saved.",
                "A window closed at {when} before your edits were saved.",
                len(work),
                when=when,
            ),
            (
                Answer(_("Open"), "o", open_all),
                Answer(_("Discard"), "d", lambda: end(WorkFolder.remove)),
                Answer(_("Later"), "l", lambda: end(WorkFolder.release)),
            ),
        )

    controller.library.files.ask(question)


def _open_recovered(controller: Controller, work: Sequence[RecoveredWork]) -> None:
    """Open recovered patterns as unsaved documents; the last of them is juggled.

    Patterns that this version of the program cannot juggle are left out, as a notice says.

    Args:
        controller: of the viewer.
        work: to open, in order.
    """
    model = controller.model
    for document in work:
        animation = Animation(document.score, document.parameters)
        try:
            animation.motion  # noqa: B018 - raises here if it cannot be juggled
        except JuggleError as error:
            model.notice.say(
                _("{name} can no longer be juggled: {error}", name=document.name, error=error),
                bad=True,
            )
            continue
        model.go_to(
            animation, animation.text if animation.pattern else str(document.path or animation.text)
        )
        model.documents.add(
            Document(saved=None, latest=model.chosen_step, path=document.path, stamp=document.stamp)
        )
