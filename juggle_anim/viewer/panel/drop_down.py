"""A drop-down list of options, from which keys, letters and the mouse choose. No window, no OpenGL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from juggle_anim.language import InLanguage, _
from juggle_anim.notation.library import folded_text
from juggle_anim.notation.search import is_form_of
from juggle_anim.parameters import Choice
from juggle_anim.viewer.cards.layout import Rectangle
from juggle_anim.viewer.panel.values import format_value, option_words

_PAGE = 8


class Option(NamedTuple):
    """An option.

    Args:
        words: by which it is chosen.
        note: shown at its right, as a number of patterns.
    """

    words: str
    note: str = ""


class DropDown:
    """A list that is open, below the control that it belongs to.

    Args:
        name: of the control.
        options: at least one.
        present: the words of the present option; another text is none of them.
        choose: takes the words of an option, or others that were typed; returns why they are refused, or nothing.
        close: called when the list is closed.
    """

    def __init__(
        self,
        name: str,
        options: Sequence[Option],
        present: str,
        choose: Callable[[str], str],
        close: Callable[[], None],
    ) -> None:
        self.name, self.options, self.present = name, tuple(options), present
        words = [option.words for option in self.options]
        self.index = words.index(present) if present in words else 0
        """The option that Enter chooses."""
        self.typed, self.error = "", ""
        """What was typed, and why it is refused."""
        self.anchor: Rectangle | None = None
        """The place of the control, [pixels]; None until it is drawn."""
        self.scroll_to_chosen = self.fresh = True
        """Whether the list scrolls to the chosen option, and whether it was not drawn yet."""
        self._choose, self._close = choose, close

    def resume(self, before: DropDown) -> None:
        """Go on where the same list was that was opened in another language."""
        self.index, self.anchor, self.fresh = before.index, before.anchor, before.fresh

    def press(self, key: str) -> bool:
        """Take a key by its name, as `down`; return whether the list has a use for it."""
        moves = {"up": -1, "down": 1, "pageup": -_PAGE, "pagedown": _PAGE, "home": -len(self.options),
                 "end": len(self.options), "tab": 1, "shift+tab": -1}  # fmt: skip
        if key in moves:
            self._go_to(self.index + moves[key])
        elif key in ("enter", "space"):
            self.take()
        elif key in ("escape", "left", "right"):
            self.close()
        elif key == "backspace":
            self.type("", self.typed[:-1])
        else:
            return len(key) == 1
        return True

    def type(self, text: str, before: str | None = None) -> None:
        """Type a text: the first option that begins with all that was typed is chosen."""
        if not text.isprintable():
            return  # Enter and Tab come as characters, too
        self.typed, self.error = (self.typed if before is None else before) + text.casefold(), ""
        if (found := self._begun) is not None:
            self._go_to(found, keep=True)

    def take(self, index: int | None = None) -> None:
        """Choose an option, by default the one that keys are at, or what was typed if no option begins so."""
        other = index is None and self.typed and self._begun is None
        words = self.typed if other else self.options[self.index if index is None else index].words
        self.error = self._choose(words)
        if not self.error:
            self.close()

    def close(self) -> None:
        """Close the list."""
        self._close()

    @property
    def _begun(self) -> int | None:
        """The first option that begins with what was typed, or has a word that does, or of which it is a plural."""
        if not (typed := folded_text(self.typed)):
            return None
        texts = [folded_text(option.words) for option in self.options]
        begun = [number for number, text in enumerate(texts) if text.startswith(typed)]
        begun += [number for number, text in enumerate(texts) if f" {typed}" in f" {text}"]
        begun += [number for number, text in enumerate(texts) if is_form_of(typed, text)]
        return begun[0] if begun else None

    def _go_to(self, index: int, keep: bool = False) -> None:
        self.index, self.scroll_to_chosen = min(max(index, 0), len(self.options) - 1), True
        self.typed, self.error = self.typed if keep else "", ""


class DropDowns:
    """The drop-down list that is open, if one is; it is made again where the language changes meanwhile."""

    def __init__(self) -> None:
        self._open: InLanguage[DropDown] | None = None

    @property
    def now(self) -> DropDown | None:
        """The list that is open."""
        return self._open.now if self._open else None

    def open(self, make: Callable[[], DropDown]) -> None:
        """Open a list of options."""
        self._open = InLanguage(make)

    def open_choice(self, choice: Choice, present: str, choose: Callable[[str], str]) -> None:
        """Open the list of the options of a choice, of which one is the present one."""

        def listed() -> DropDown:
            options = [
                Option(option_words(each), _("default") if each == choice.default else "") for each in choice.options
            ]
            return DropDown(choice.name, options, format_value(choice, present), choose, self.close)

        self.open(listed)

    def close(self) -> None:
        """Close the list that is open."""
        self._open = None
