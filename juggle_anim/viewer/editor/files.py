"""Files of the window: saving, recent files, and the question before unsaved work would be lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from juggle_anim.choreography import Score
from juggle_anim.editing.draft import Draft, base_of, losses
from juggle_anim.errors import JuggleError, joined_names, sentence
from juggle_anim.formats import VIDEOS
from juggle_anim.language import InLanguage, _
from juggle_anim.notation import (
    ROUTINE,
    WRITTEN,
    FileReference,
    list_of_one,
    read_file,
    write_file,
    write_patterns,
)
from juggle_anim.parameters import DEFAULTS
from juggle_anim.scene import EYE_VIEW
from juggle_anim.viewer.camera.camera_rig import DEFAULT_VIEW, CameraRig
from juggle_anim.viewer.editor.documents import Document, stamp_of
from juggle_anim.viewer.editor.editor import EditController
from juggle_anim.viewer.screenshot import FilmCamera, WantedExport
from juggle_anim.viewer.session.file import MAX_RECENT_FILES
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import (
    GIF,
    PATTERN,
    SAVE_KINDS,
    Answer,
    PathPrompt,
    Purpose,
    Question,
    SaveKind,
    error_lines,
    kinds_with,
    suggest_path,
)
from juggle_anim.viewer.state.undo import IdentityCache

Continuation = Callable[[], object]

_MAX_NAME_LENGTH = 30  # characters of a file name in the panel


class FileController:
    """Saves patterns, and asks about unsaved work.

    Args:
        model: the model of the viewer.
        prompt: asks for paths.
    """

    def __init__(self, model: Model, prompt: PathPrompt) -> None:
        """Begin without a question and without recent files.

        Args:
            model: the state of the viewer, whose patterns are saved.
            prompt: asks for the path of a file.
        """
        self._model = model
        self._prompt = prompt
        self._question: InLanguage[Question] | None = None
        self.recent: list[str] = []
        """Absolute paths of the files that were opened or saved, the latest first."""
        self.folder = Path()
        """The folder of the latest of them, in which other paths are suggested."""
        self.way_back = IdentityCache(describe_way_back, size=2)
        """What going back from the events of a score to their settings would lose, in words."""
        self.last_kind = GIF
        """The kind of file that was saved last."""
        # The document that the open prompt is to save, and what to call once it is saved.
        self._to_save: tuple[Document, Continuation] | None = None
        # The camera that was chosen last for a film, by the cameras that were offered.
        self._film_cameras: dict[tuple[FilmCamera, ...], FilmCamera] = {}

    @property
    def question(self) -> Question | None:
        """The question that is asked now; until it is answered, keys and mouse do nothing else."""
        return self._question.now if self._question else None

    def ask(self, make: Callable[[], Question]) -> None:
        """Ask a question, which is put again where the language changes meanwhile."""
        self._question = InLanguage(make)

    @property
    def shown(self) -> Document:
        """The document of the pattern that is shown."""
        return self._model.documents.of(self._model.chosen_step)

    def take_last_kind(self, name: str) -> None:
        """Begin with the kind of file of a name, as of an earlier window; without it, with GIF."""
        self.last_kind = next((kind for kind in SAVE_KINDS if kind.name == name), GIF)

    def opened(self, reference: FileReference) -> None:
        """Note that the shown pattern was just opened from a file."""
        path = reference.path.absolute()
        self.note(path)
        # A list, or a picture with a pattern in it, would lose the rest of what it holds.
        if reference.choice is None and holds_one_pattern(path):
            self._model.documents.opened(self._model.chosen_step, path)

    def note(self, path: Path) -> None:
        """Put an absolute path first among the recent files."""
        self.folder = path.parent
        others = [known for known in self.recent if known != str(path)]
        self.recent = [str(path), *others][:MAX_RECENT_FILES]

    def save(
        self, document: Document | None = None, continuation: Continuation = lambda: None
    ) -> None:
        """Save to the file of the pattern; ask for a path if there is none.

        Args:
            document: what to save; None for the pattern that is shown.
            continuation: called once it is saved, perhaps after a question has been answered; never
                if the user cancels.
        """
        if document is None:
            document = self.shown
        path = document.path
        if path is None:
            self.save_as(document, continuation)
        elif document.has_newer_file:
            self.ask(lambda: self._replace_question(document, path, continuation))
        elif left_out := _left_out(document, path):
            # The format cannot store all of the pattern: suggest JML, which can, and name the first
            # loss.
            first_loss = left_out[0]
            self.save_as(
                document,
                continuation,
                str(path.with_suffix(".jml")),
                _(
                    "{suffix} files cannot store all of this: {lacks}",
                    suffix=path.suffix,
                    lacks=first_loss,
                ),
            )
        elif document.is_edited or not path.exists():
            self._write(document, path, continuation)
        else:
            self._model.notice.say(_("No changes to save in {path}", path=path))
            continuation()

    def _replace_question(
        self, document: Document, path: Path, continuation: Continuation
    ) -> Question:
        """Return the question whether to replace a file that another program has changed.

        Args:
            document: document to save.
            path: the path of its file.
            continuation: called once the document is saved; not called if the user cancels.
        """
        return Question(
            _("Replace {name}?", name=path.name),
            _(
                "Another program has changed this file since you opened it. Those changes will "
                "be lost."
            ),
            (
                Answer(_("Replace"), "r", lambda: self._write(document, path, continuation)),
                Answer(_("Save as …"), "s", lambda: self.save_as(document, continuation)),
                Answer(_("Cancel"), "c"),
            ),
            chosen=1,  # Enter saves elsewhere, which loses nothing
        )

    def save_as(
        self,
        document: Document | None = None,
        continuation: Continuation = lambda: None,
        suggested: str = "",
        error: str = "",
    ) -> None:
        """Open the prompt for a path to save a pattern to.

        The prompt calls `save_to` with the answer. Where nothing is lost, as nothing was edited, it
        begins with the kind of file that was saved last.

        Args:
            document: what to save; None for the pattern that is shown.
            continuation: called once it is saved; never if the user cancels.
            suggested: path in the prompt; if empty, that of the document, or one after its name.
            error: shown in the prompt, such as why the document's own path will not do; may be
                empty.
        """
        if document is None:
            document = self.shown
        self._model.cards.help_shown = False  # it would cover the prompt
        score = document.latest.score
        ending = ".routine" if score.routine else ".jml"
        default = document.path or suggest_path(score.name, self.folder.absolute(), ending)
        text = suggested or str(default)
        kind = PATTERN
        if not (suggested or document.is_edited):
            kind = self.last_kind
            text = self._prompt.take_kind(kind, text)
        self._prompt.ask(Purpose.SAVE, text, error=error)
        if self._prompt.purpose:
            self._prompt.kind = kind
        self._to_save = document, continuation  # for `save_to`, once the prompt has its answer

    def ask_for(self, kind: SaveKind) -> None:
        """Ask for a path to save the pattern that is shown to, as a kind of file."""
        name = self.shown.latest.score.name
        self.save_as(suggested=suggest_path(name, self.folder.absolute(), kind.endings[0]))
        self._prompt.kind = kind

    def save_to(self, path: Path, typed: str) -> None:
        """Save or export to a path that was typed in the prompt.

        If the file exists, the prompt first asks for Enter once more, which calls this again.

        Args:
            path: path to write, its ~ expanded.
            typed: the same path as it was typed.

        Raises:
            FileError: no format has this ending.
            ExportError: the file cannot be written.
        """
        if not self.may_write(path, typed):
            return
        # Several kinds of files, such as a picture and a diagram, share some endings: ask, unless
        # one was chosen in the prompt.
        kinds = kinds_with(path)
        if self._prompt.kind is None and len(kinds) > 1:
            self._prompt.close()
            self.ask(lambda: kind_question(path.name, kinds, partial(self._save_or_export, path)))
            return
        # A path with an unknown ending is saved as a pattern, which then raises the error.
        kind = self._prompt.kind_of(str(path)) or PATTERN
        self._save_or_export(path, kind)

    def _save_or_export(self, path: Path, kind: SaveKind) -> None:
        """Save the pattern to a path, or start an export to it.

        Args:
            path: the path of the file, which may be replaced.
            kind: `PATTERN`, or a kind of export, such as a video.
        """
        document, continuation = self._to_save or (self.shown, lambda: None)
        self._to_save = None
        self.last_kind = kind
        if kind is PATTERN:
            self._write(document, path.absolute(), continuation)
        else:
            # An export does not save the document, so `continuation` is dropped.
            self._export(path, kind)

    def _export(self, path: Path, kind: SaveKind) -> None:
        """Let another process export the shown pattern; ask for a camera before the first film.

        Args:
            path: the path of the file, which may be replaced.
            kind: a kind of export, such as a video.
        """
        self._prompt.close()
        is_film = path.suffix.casefold() in VIDEOS
        # A path from a dialog of the desktop, which cannot offer cameras, comes without a kind. So
        # before the first film for which these cameras are offered, the prompt of the window is
        # opened with this path; its answer leads here again.
        if is_film and self._prompt.kind is None and self.offered_cameras not in self._film_cameras:
            self._prompt.reopen(Purpose.SAVE, kind)
            return
        self._model.screen.export_wanted = WantedExport(
            path.absolute(),
            camera=self.film_camera if is_film else FilmCamera.HERE,
            keys=self._model.camera_keys.text,
            picture=kind.picture,
        )

    @property
    def offered_cameras(self) -> tuple[FilmCamera, ...]:
        """The cameras that a film may have now."""
        return offered_cameras(self._model.rig, has_path=self._model.camera_keys.is_path)

    @property
    def film_camera(self) -> FilmCamera:
        """The camera of the next film: that of the last one, or the likeliest.

        As long as the same cameras are offered, it stays.
        """
        offered = self.offered_cameras
        return self._film_cameras.setdefault(offered, offered[0])

    @film_camera.setter
    def film_camera(self, camera: FilmCamera) -> None:
        self._film_cameras[self.offered_cameras] = camera

    def may_write(self, path: Path, typed: str) -> bool:
        """Return whether a path is free, or the user has confirmed to replace its file.

        Otherwise the prompt asks for Enter once more, and remembers the typed path. If the same
        path is entered again, the user has confirmed.

        Args:
            path: path to write, its ~ expanded.
            typed: the same path as it was typed.
        """
        if not path.exists() or self._prompt.replacing == typed:
            return True
        self._prompt.refuse(
            typed, _("{name} already exists; press Enter again to replace it", name=path.name)
        )
        self._prompt.replacing = typed
        return False

    def say_saved(self, path: Path, words: str) -> None:
        """Close the prompt, and tell what was saved."""
        self.note(path.absolute())
        self._prompt.close()
        self._model.notice.say(words)

    def toggle_events(self, editor: EditController) -> None:
        """Convert the pattern from settings to events, or from events back to settings.

        A pattern is given by settings (throws on beats, with parameters) or by timed events (each
        throw and catch with its time and place), which can say more. A notice shows the result, the
        losses, or why it is refused.

        Args:
            editor: makes the change, as one step of undo.
        """
        model = self._model
        before = model.animation.edit()
        if before.kind() == "settings":
            if editor.apply(lambda edited: edited.to_events(), "events"):
                model.notice.say(_("Converted to timed events"))
        elif editor.apply(lambda edited: edited.back_to_settings(), "settings"):
            losses_before = before.losses()
            without = ""
            if losses_before:
                without = _(
                    ", without {lost}; {key} to undo",
                    lost=joined_names(losses_before),
                    key=caption(Action.UNDO),
                )
            model.notice.say(_("Back to settings{without}", without=without))
        if model.error:
            model.notice.say(sentence(model.error), bad=True)

    def leave(self) -> None:
        """Close the viewer, after asking about each unsaved pattern."""
        self._prompt.close()
        self.ask_before(self._leave, self._model.documents.unsaved)

    def _leave(self) -> None:
        self._model.leaving = True

    def ask_before(self, continuation: Continuation, documents: tuple[Document, ...] = ()) -> None:
        """Ask whether to save unsaved documents, and then call a function.

        Args:
            continuation: called once all documents are saved or discarded; not called if the user
                cancels.
            documents: documents to ask about, one after another; if empty, the shown document.
        """
        # Read even if it is not asked about: to look a document up notes its latest state, which
        # decides whether it is unsaved.
        unsaved = [document for document in documents or (self.shown,) if document.needs_file]
        if not unsaved:
            continuation()
            return
        first, *others = unsaved
        # Without `others` this is `then` itself: without documents, the shown one would be asked
        # about.
        go_on = (lambda: self.ask_before(continuation, tuple(others))) if others else continuation
        self._model.cards.help_shown = False  # it would cover the question
        self.ask(lambda: self._save_question(first, go_on))

    def _save_question(self, document: Document, continuation: Continuation) -> Question:
        """Return the question whether to save a document, in the present language.

        Args:
            document: unsaved document.
            continuation: called once it is saved or discarded; not called if the user cancels.
        """

        def discard() -> None:
            """Go on without saving; do not ask about this state again before the next change."""
            document.discarded = document.latest
            continuation()

        if document.path:
            title = _("Save changes to {name}?", name=document.name)
            text = _("Your changes are not in the file yet.")
        else:
            title = _("Save {name}?", name=document.name)
            text = _("It has not been saved yet.")
        answers = (
            Answer(_("Save"), "s", lambda: self.save(document, continuation)),
            Answer(_("Don't save"), "d", discard),
            Answer(_("Cancel"), "c"),
        )
        return Question(title, text, answers)

    def answer(self, answer: Answer | None) -> None:
        """Do what an answer says and close the question; None leaves it open."""
        if answer:
            self._question = None
            answer.do()

    def _write(self, document: Document, path: Path, continuation: Continuation) -> None:
        """Write a document and go on with `then`; if writing fails, ask for another path.

        If the format cannot hold all of the document, the file is only a copy: the document stays
        unsaved and keeps its path, and `then` is not called.

        Args:
            document: document to write. It keeps the new path and what was saved.
            path: the path of the file, which is replaced if it exists.
            continuation: called once it is saved, such as closing the viewer.
        """
        step = document.latest
        try:
            left_out = write_file(
                list_of_one(step.score, step.parameters), path, force=path.exists()
            )
        except (JuggleError, OSError) as error:
            # Ask for another path at once, with the reason in the prompt.
            self.save_as(document, continuation, str(path), error_lines(error))
            return
        if left_out and _is_incomplete(path):
            self.say_saved(path, "; ".join([_("Saved a copy to {path}", path=path), *left_out]))
            return
        document.saved = step
        document.path = path
        document.stamp = stamp_of(path)
        document.discarded = None
        # Timed events, which have no short notation, are named by their file.
        if document is self.shown:
            self._model.name_events(str(path))
        # Formats that only leave out details say so, but what is written counts as saved.
        self.say_saved(path, "; ".join([_("Saved to {path}", path=path), *left_out]))
        continuation()


def _is_incomplete(path: Path) -> bool:
    """Return whether the format of a file loses parts of a pattern.

    Files of JML and routines keep all parts, some in a form that only this program reads.

    Args:
        path: the path of the file; its ending names the format. Unknown formats are incomplete.
    """
    ending = path.suffix.casefold()
    file_format = WRITTEN.get(ending)
    return ending not in ROUTINE.endings and (file_format is None or not file_format.is_complete)


def _left_out(document: Document, path: Path) -> tuple[str, ...]:
    """Return what the format of a file cannot hold of a document, a sentence for each thing.

    The file is not written; its text is only made to see what is left out. Empty if nothing is, or
    if the format is unknown or cannot be written.

    Args:
        document: document to save.
        path: the path of its file, whose ending names the format.
    """
    step = document.latest
    ending = path.suffix.casefold()
    # A routine fits its own format completely.
    if step.score.routine and ending in ROUTINE.written:
        return ()
    # Some formats hold everything, and those that cannot be written are refused when saving.
    file_format = WRITTEN.get(ending)
    if file_format is None or not _is_incomplete(path):
        return ()
    try:
        return write_patterns(list_of_one(step.score, step.parameters), file_format).left_out
    except JuggleError:
        return ()  # the document is saved next, which fails in the same way and says why


def holds_one_pattern(path: Path) -> bool:
    """Return whether a file holds one pattern and nothing else, in a format that can be written."""
    if path.suffix.casefold() not in (*WRITTEN, *ROUTINE.written):
        return False
    try:
        return len(read_file(path).entries) == 1
    except (JuggleError, OSError):
        return False


def describe(document: Document) -> str:
    """Return in words the kind of a document, its file, and whether it is edited.

    For example `Events (JML) from 531  ·  mess.jml  ·  edited`, where 531 is the pattern from which
    the timed events were made. Parts that do not apply are left out; the kind of a siteswap pattern
    is not named.
    """
    score = document.latest.score
    if score.pattern:
        kind = ""
    elif score.routine:
        kind = _("Routine")
    else:
        kind = _("Events (JML)")
    if score.base and not score.pattern:
        kind += _(" from {base_name}", base_name=score.base_name)
    parts = [kind] if kind else []

    if document.path:
        name = document.path.name
        if len(name) > _MAX_NAME_LENGTH:
            # The middle of a long name is left out, so that the ending with the format is seen.
            half = _MAX_NAME_LENGTH // 2
            name = f"{name[:half]}…{name[-half:]}"
        parts.append(name)
    if document.is_edited:
        parts.append(
            _("edited")
            if document.path
            else _("edited, {key} to save", key=caption(Action.SAVE_FILE))
        )
    return "  ·  ".join(parts)


def describe_way_back(score: Score) -> str:
    """Return what going back from events to their settings would lose, in words.

    Empty for patterns, and for events that came from no settings.
    """
    # A draft needs parameters, but only the score decides what is lost: any will do.
    draft = Draft(score, DEFAULTS)
    # The base of a score is the pattern with settings from which its events were made.
    if score.pattern or score.base is None or base_of(draft) is None:
        return ""
    lost = losses(draft)
    if not lost:
        return _("Going back to {name} loses nothing", name=score.base_name)
    return _("Going back to {name} loses {lost}", name=score.base_name, lost=joined_names(lost))


def kind_question(
    name: str, kinds: Sequence[SaveKind], save: Callable[[SaveKind], None]
) -> Question:
    """Return the question what to save in a file that may hold several kinds.

    Args:
        name: the name of the file.
        kinds: kinds to choose from, such as a pattern and a picture; Enter gives the first.
        save: saves the file as one of these kinds.
    """
    answers = [
        Answer(_(kind.name), str(number), partial(save, kind))
        for number, kind in enumerate(kinds, 1)
    ]
    return Question(
        _("What to save in {name}", name=name),
        _("This file type can contain any of these."),
        (*answers, Answer(_("Cancel"), "c")),
    )


def offered_cameras(rig: CameraRig, *, has_path: bool = False) -> tuple[FilmCamera, ...]:
    """Return the cameras that an exported film may have, the likeliest choice first.

    Args:
        rig: the camera of the window. If it is not at the front, the film may move from the front
            to it.
        has_path: whether the user has made a path for the camera.
    """
    is_elsewhere = rig.is_manual or rig.view not in (DEFAULT_VIEW, EYE_VIEW)
    return (
        *((FilmCamera.PATH,) if has_path else ()),
        FilmCamera.HERE,
        FilmCamera.TURNTABLE,
        *((FilmCamera.FROM_FRONT,) if is_elsewhere else ()),
    )
