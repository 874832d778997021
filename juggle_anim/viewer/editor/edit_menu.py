"""Menu of editing in the window: its lines, and how keys and clicks go through them."""

from __future__ import annotations

from dataclasses import field

from juggle_anim.edit_menu import UNCHANGED, Entry
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.viewer.editor.editor import EditController
from juggle_anim.viewer.state.keymap import Action

_MOVES = {Action.CHOOSE_PREVIOUS: -1, Action.CHOOSE_NEXT: 1}
_OPENS = (Action.TYPE_VALUE, Action.TURN_UP)
_CLOSES = (Action.BACK, Action.TURN_DOWN)


@dataclass
class EditMenu:
    """The open menu.

    Args:
        title: the title of what it is.
        lines: in it.
        place: where it was requested, [pixels].
        editor: makes the changes.
        index: the index of the chosen line.
        above: the menus from which this one was opened.
        fresh: whether the click that opened it may still be going on.
    """

    title: str
    lines: tuple[Entry, ...]
    place: tuple[float, float]
    editor: EditController
    index: int = 0
    above: list[tuple[str, tuple[Entry, ...], int]] = field(default_factory=list)
    fresh: bool = True

    def resume(self, before: EditMenu) -> None:
        """Restore the submenu and line of the same menu before it was rebuilt in another language.

        Takes the lines that lead to the same submenu, and chooses the same line.

        Args:
            before: the menu in the language before, with the same lines.
        """
        # Each item of `above` has the index of the line from which the next menu was opened.
        for _title, _lines, index in before.above:
            self.take(index)
        self.index = before.index
        self.fresh = before.fresh

    def handles(self, action: Action) -> bool:
        """Return whether a key acts on the menu."""
        return action in _MOVES or action in _OPENS or action in _CLOSES

    def perform(self, action: Action) -> None:
        """Do what a key does in the menu."""
        if action in _MOVES:
            self.index = (self.index + _MOVES[action]) % len(self.lines)
        elif action in _CLOSES:
            self.close()
        elif action is Action.TYPE_VALUE or self.lines[self.index].lines:
            self.take(self.index)

    def take(self, index: int) -> None:
        """Apply the change of a line and close the menu, or open the submenu of the line.

        A refused change does nothing; its line says why.

        Args:
            index: the index of `lines`.
        """
        line = self.lines[index]
        if line.lines:
            self.above.append((self.title, self.lines, index))
            self.title = line.words
            self.lines = line.lines
            # A line that leads to others and has a result shows the present choice. That is one of
            # the lines below it, marked as unchanged, and is chosen there at first.
            results = [entry.result for entry in line.lines]
            self.index = results.index(UNCHANGED) if line.result else 0
        elif line.change and not line.refused:
            self.editor.close_menu()
            self.editor.apply(line.change, line.words.lower())

    def close(self) -> None:
        """Go back to the menu from which this one was opened, or close it."""
        if self.above:
            self.title, self.lines, self.index = self.above.pop()
        else:
            self.editor.close_menu()
