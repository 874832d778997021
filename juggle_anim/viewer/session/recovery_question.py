"""The question whether to open work that another window left unsaved when it ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError
from juggle_anim.language import _, ngettext
from juggle_anim.viewer.editor.documents import Document
from juggle_anim.viewer.session.recovery import Autosave, RecoveredWork, WorkFolder
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.prompt import Answer, Question


def offer_recovered(controller: Controller, autosave: Autosave) -> None:
    """Ask whether to open the work that was not saved when other windows ended.

    Args:
        controller: of the viewer that opens it.
        autosave: of this viewer, which keeps it from then on.
    """
    found: list[tuple[WorkFolder, list[RecoveredWork]]] = []
    when = ""
    for folder in autosave.abandoned():
        try:
            work, when = folder.read()
            found.append((folder, work))
        except ValueError as error:
            aside = folder.set_aside()
            controller.model.notice.say(
                _("Unsaved work cannot be read ({error}); it is kept as {aside}", error=error, aside=aside), bad=True
            )
    work = [each for _, works in found for each in works]
    if not work:
        return

    def open_all() -> None:
        _open_recovered(controller, work)
        if autosave.flush(controller.model.documents.unsaved):
            end(WorkFolder.remove)

    def end(how: Callable[[WorkFolder], None]) -> None:
        for folder, _unused in found:
            how(folder)

    def question() -> Question:
        what = work[0].name if len(work) == 1 else _("{count} patterns", count=len(work))
        return Question(
            ngettext("Open {what}, which was not saved?", "Open {what}, which were not saved?", len(work), what=what),
            ngettext(
                "A window ended at {when}, before the edits in it were saved.",
                "A window ended at {when}, before the edits in them were saved.",
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
    model = controller.model
    for each in work:
        animation = Animation(each.score, each.parameters)
        try:
            animation.motion  # noqa: B018 - raises here if it cannot be juggled
        except JuggleError as error:
            model.notice.say(_("{name} can no longer be juggled: {error}", name=each.name, error=error), bad=True)
            continue
        model.go_to(animation, animation.text if animation.pattern else str(each.path or animation.text))
        model.documents.add(Document(None, model.chosen_step, each.path, each.stamp))
