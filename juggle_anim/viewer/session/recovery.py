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
        self._earliest_write = 0.0
        self._last_written: _Snapshot = ()
        self._folder: WorkFolder | None = None
        self._thread: Thread | None = None

    def advance(self, unsaved: Sequence[Document]) -> None:
        """Begin to write the unsaved work if it has changed, at most once a second.

        A thread writes it, so that pictures go on meanwhile.
        """
        work = _snapshot(unsaved)
        is_writing = self._thread is not None and self._thread.is_alive()
        if (
            _are_same_snapshots(work, self._last_written)
            or self._clock() < self._earliest_write
            or is_writing
        ):
            return
        self._last_written = work
        self._earliest_write = self._clock() + _WRITE_INTERVAL
        self._thread = Thread(target=self._write, args=(work,), name="autosave")
        self._thread.start()

    def flush(self, unsaved: Sequence[Document]) -> bool:
        """Write the unsaved work now if it has changed; return whether all of it is on the disk."""
        if self._thread:
            self._thread.join()
        work = _snapshot(unsaved)
        if not _are_same_snapshots(work, self._last_written):
            self._last_written = work
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
        """Lock the folders of windows that have ended, and return them; empty ones are removed."""
        folders: list[WorkFolder] = []
        # Without a root no window has left anything. The root is locked, so that no other window
        # looks at the same time.
        with contextlib.suppress(OSError), directory_lock(self._root):
            paths = sorted(path for path in self._root.iterdir() if path.is_dir())
            for path in paths:
                # A folder that cannot be locked belongs to a window that still lives.
                lock = _lock(path)
                if lock is not None:
                    folders.append(WorkFolder(path, lock))
        for folder in [folder for folder in folders if not (folder.path / _WORK_FILE).exists()]:
            folders.remove(folder)
            folder.remove()
        return folders

    def _write(self, work: _Snapshot) -> None:
        """Write the work, or remove its folder if nothing is unsaved; `error` says what failed."""
        try:
            if work:
                self._folder = self._folder or WorkFolder.create(self._root)
                self._folder.write(work)
            elif self._folder:
                self._folder.remove()
                self._folder = None
            self.error = ""
        except (JuggleError, OSError, ValueError) as error:
            self.error = _("Edits are not kept in case of a crash: {error}", error=error)
            # As if nothing were written, so that the same work is tried again later.
            self._last_written = ()
            self._earliest_write = self._clock() + _RETRY_INTERVAL


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
        """Make a folder with a random name for a new window, and lock it.

        Raises:
            ExportError: it cannot be made.
        """
        with cannot_write(root):
            root.mkdir(parents=True, exist_ok=True)
            # Without this lock another window could take the folder before it is locked itself.
            with directory_lock(root):
                path = root / secrets.token_hex(6)
                path.mkdir(mode=0o700)
                return cls(path, _lock(path))

    def write(self, work: _Snapshot) -> None:
        """Write the work of this window.

        Raises:
            ExportError: it cannot be written.
        """
        path = self.path / _WORK_FILE
        with atomic_file(path) as draft:
            draft.write_text(
                json.dumps({"version": 1, "work": [_as_json(*document) for document in work]}),
                encoding="utf-8",
            )

    def read(self) -> tuple[list[RecoveredWork], str]:
        """Return the work of the window, and when it was written: `14:32`, or `1 June, 14:32`.

        Raises:
            ValueError: it cannot be read.
        """
        path = self.path / _WORK_FILE
        try:
            if not path.is_file():
                raise ValueError(_("it is no file"))  # reading a pipe may block forever
            if path.stat().st_size > _MAX_BYTES:
                raise ValueError(_("it is too long"))
            data = json.loads(path.read_text(encoding="utf-8"))
            work = [_recovered_work(document) for document in _required_member(data, "work", list)]
            return work, _time_words(datetime.fromtimestamp(path.stat().st_mtime), datetime.now())
        # Any error of a damaged file counts: one that got through would keep the viewer from
        # opening, now and later. Messages are put in one line.
        except Exception as error:
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
    """Lock a folder as long as this process lives, by a file in it.

    The system releases the lock when the process ends, however that happens.

    Returns:
        The descriptor of the locked file; None if another process has locked it, or it cannot be
        opened.
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


def _are_same_snapshots(one: _Snapshot, other: _Snapshot) -> bool:
    """Return whether two snapshots hold the very same documents, steps and paths."""
    if len(one) != len(other):
        return False
    return all(
        one_document is other_document and one_step is other_step and one_path == other_path
        for (one_document, one_step, one_path), (other_document, other_step, other_path) in zip(
            one, other, strict=True
        )
    )


def _as_json(document: Document, step: Step, path: Path | None) -> dict[str, Any]:
    """Return a document as JSON values: settings, lines or JML, and the exact parameters.

    Args:
        document: says which version of its file it was opened from.
        step: its latest state.
        path: of its file; None if it has none.
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


def _required_member(data: Any, name: str, kind: type[Value]) -> Value:
    """Return a member of an object as it was written.

    Raises:
        ValueError: there is no such member, or it is of another kind.
    """
    value = data.get(name) if isinstance(data, dict) else None
    if not isinstance(value, kind):
        raise ValueError(_("there is no {name} in it", name=name))
    return value


def _recovered_work(data: Any) -> RecoveredWork:
    """Return the work in an entry of the file, as `_as_json` has written it.

    Raises:
        ValueError: a member is missing or invalid.
        JuggleError: the pattern cannot be read.
    """
    # The pattern: settings, lines of a routine, or JML.
    parameters = _required_member(data, "parameters", dict)
    if "settings" in data:
        score = read_settings(_required_member(data, "settings", str)).score
    else:
        import io

        if "routine" in data:
            from juggle_anim.notation.routine import read_routine

            contents = read_routine(
                _required_member(data, "routine", str), _required_member(data, "title", str)
            )
        else:
            contents = read_stream(
                io.BytesIO(_required_member(data, "jml", str).encode()), _("recovered work")
            )
        settings = contents.patterns[0].settings if contents.patterns else None
        if settings is None:
            raise ValueError(_("it holds no valid pattern"))
        score = settings.score

    # Another version of the program may have written parameters that are not known here.
    known_names = {row.name for row in ROWS}
    values = {name: value for name, value in parameters.items() if name in known_names}

    # The file of the pattern, if it had one: its path, and its version as two whole numbers.
    path = _required_member(data, "path", str) if data.get("path") else ""
    stamp = _required_member(data, "stamp", list) if data.get("stamp") else []
    if stamp and [type(number) for number in stamp] != [int, int]:
        raise ValueError(_("there is no {name} in it", name="stamp"))
    return RecoveredWork(
        score,
        Parameters().replace(**values),
        Path(path) if path else None,
        FileStamp(*stamp) if stamp else None,
    )


def _time_words(then: datetime, now: datetime) -> str:
    day = "" if then.date() == now.date() else f"{then.day} {then:%B}, "
    return f"{day}{then:%H:%M}"


def offer_recovered(controller: Controller, autosave: Autosave) -> None:
    """Ask whether to open the work that was not saved when other windows ended.

    Args:
        controller: of the viewer that opens it.
        autosave: of this viewer, which keeps it from then on.
    """
    recovered: list[tuple[WorkFolder, list[RecoveredWork]]] = []
    when = ""  # the last folder was written
    for folder in autosave.abandoned():
        try:
            work, when = folder.read()
            recovered.append((folder, work))
        except ValueError as error:
            # Set aside, so that the next viewer does not stumble over it again.
            aside = folder.set_aside()
            controller.model.notice.say(
                _(
                    "Unsaved work cannot be read ({error}); it is kept as {aside}",
                    error=error,
                    aside=aside,
                ),
                bad=True,
            )
    work = [document for _, folder_work in recovered for document in folder_work]
    if not work:
        return

    def open_all() -> None:
        _open_recovered(controller, work)
        # The old folders go only when this window has the work on the disk.
        if autosave.flush(controller.model.documents.unsaved):
            end_all(WorkFolder.remove)

    def end_all(end_folder: Callable[[WorkFolder], None]) -> None:
        for folder, _work in recovered:
            end_folder(folder)

    def question() -> Question:
        """Return the question in the present language."""
        what = work[0].name if len(work) == 1 else _("{count} patterns", count=len(work))
        return Question(
            ngettext(
                "Open {what}, which was not saved?",
                "Open {what}, which were not saved?",
                len(work),
                what=what,
            ),
            ngettext(
                "A window ended at {when}, before the edits in it were saved.",
                "A window ended at {when}, before the edits in them were saved.",
                len(work),
                when=when,
            ),
            (
                Answer(_("Open"), "o", open_all),
                Answer(_("Discard"), "d", lambda: end_all(WorkFolder.remove)),
                Answer(_("Later"), "l", lambda: end_all(WorkFolder.release)),
            ),
        )

    controller.library.files.ask(question)


def _open_recovered(controller: Controller, work: Sequence[RecoveredWork]) -> None:
    """Open recovered patterns as unsaved documents; the last of them is juggled.

    Patterns that can no longer be juggled are left out with a notice.
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
        model.documents.add(Document(None, model.chosen_step, document.path, document.stamp))
