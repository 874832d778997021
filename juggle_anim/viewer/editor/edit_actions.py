"""What keys and buttons do about editing by hand as a whole: begin and end it, and go back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from juggle_anim.language import _
from juggle_anim.viewer.editor.editor import LADDER, EditController
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.library import LibraryController

if TYPE_CHECKING:
    from juggle_anim.viewer.editor.ladder_editor import LadderEditor


def editor_actions(
    editor: EditController, library: LibraryController, ladder: Callable[[], LadderEditor]
) -> dict[Action, Callable[[], object]]:
    """Return what actions do that begin or end editing, or leave what is shown over it.

    Args:
        editor: makes the changes.
        library: asks about what is not saved.
        ladder: returns what edits on the ladder, which is made when first used.
    """

    def toggle() -> None:
        _toggle_editor(editor, ladder)

    def begin(action: Action) -> Callable[[], object]:
        """Begin to edit, and then do what the key does there."""

        def act() -> None:
            toggle()
            editor.perform(action)

        return act

    return {
        Action.EDIT: toggle,
        Action.EVENTS: lambda: library.files.toggle_events(editor),
        **{action: begin(action) for action in (Action.HANDLE_BEFORE, Action.HANDLE_AFTER, Action.EDIT_MENU)},
        Action.BACK: lambda: _go_back(editor),
    }


def _toggle_editor(editor: EditController, ladder: Callable[[], LadderEditor]) -> None:
    model = editor.model
    editor.toggle()
    if editor.shown:
        editor.handling[LADDER] = ladder()
        model.panel_shown, model.lab, model.help_shown = True, None, False
        model.diagrams.show(LADDER)
        model.plots.shown = model.facts.shown = False


def _go_back(editor: EditController) -> None:
    """Close what is open; a window is never closed so, as many press the key once too often."""
    model = editor.model
    if model.help_shown:
        model.help_shown = False
    elif editor.let_go():
        pass
    elif model.entry.typed is not None:
        model.entry.cancel()
    elif model.pattern_error is not None or model.line != model.text:
        model.drop_pattern()
    elif model.preset_list.shown:
        model.preset_list.close()
    elif model.listing.query:
        model.listing.query = ""
    elif model.lab is not None:
        model.lab = None
    elif editor.shown:
        editor.toggle()
    else:
        model.notice.say(_("Nothing is open here. {key} quits", key=caption(Action.LEAVE)))
