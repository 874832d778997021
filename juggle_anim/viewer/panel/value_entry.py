"""Values of controls: typed, or chosen from a drop-down list with keys, letters and the mouse.

No window, no OpenGL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from juggle_anim.errors import JuggleError
from juggle_anim.language import InLanguage, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.library import folded_text
from juggle_anim.notation.search import is_form_of
from juggle_anim.parameters import Choice, Row
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.panel import values
from juggle_anim.viewer.panel.values import format_value, option_words

_PAGE_SIZE = 8


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
        choose: takes the words of an option, or others that were typed; returns why they are
            refused, or nothing.
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
        """Open a list with the present option chosen.

        Args:
            name: of the control that it belongs to.
            options: at least one.
            present: the words of the present option; another text is none of them.
            choose: takes the words of an option, or typed ones; returns why they are refused.
            close: called when the list is closed.
        """
        self.name = name
        self.options = tuple(options)
        self.present = present
        words = [option.words for option in self.options]
        self.index = words.index(present) if present in words else 0
        """The option that Enter chooses."""
        self.typed = ""
        self.error = ""
        """What was typed, and why it is refused."""
        self.anchor: Rectangle | None = None
        """The place of the control, [pixels]; None until it is drawn."""
        self.scroll_to_chosen = self.fresh = True
        """Whether the list scrolls to the chosen option, and whether it was not drawn yet."""
        self._choose = choose
        self._close = close

    def resume(self, before: DropDown) -> None:
        """Go on where the same list was that was opened in another language."""
        self.index = before.index
        self.anchor = before.anchor
        self.fresh = before.fresh

    def press(self, key: str) -> bool:
        """Handle a key while the list is open; return whether the list has a use for it.

        Args:
            key: its name, such as `down` or `shift+tab`. Characters count as used, since they come
                as text, too.
        """
        moves = {"up": -1, "down": 1, "pageup": -_PAGE_SIZE, "pagedown": _PAGE_SIZE,
            "home": -len(self.options),
                 "end": len(self.options), "tab": 1, "shift+tab": -1}  # fmt: skip
        if key in moves:
            self._go_to(self.index + moves[key])
        elif key in ("enter", "space"):
            self.take()
        elif key in ("escape", "left", "right"):
            self.close()
        elif key == "backspace":
            self.type("", before=self.typed[:-1])
        else:
            return len(key) == 1
        return True

    def type(self, text: str, before: str | None = None) -> None:
        """Type a text: the first option that begins with all that was typed is chosen.

        Args:
            text: the characters that are added.
            before: what stands before them; None for all that was typed until now.
        """
        if not text.isprintable():
            return  # Enter and Tab come as characters, too
        self.typed = (self.typed if before is None else before) + text.casefold()
        self.error = ""
        fitting = self._first_fitting
        if fitting is not None:
            self._go_to(fitting, keeps_typed=True)

    def take(self, index: int | None = None) -> None:
        """Choose an option, and close the list unless the choice is refused.

        Args:
            index: of the option; None for the typed text if no option fits it, or else for the
                option that keys are at.
        """
        is_free_text = index is None and self.typed and self._first_fitting is None
        option = self.options[self.index if index is None else index]
        words = self.typed if is_free_text else option.words
        self.error = self._choose(words)
        if not self.error:
            self.close()

    def close(self) -> None:
        """Close the list."""
        self._close()

    @property
    def _first_fitting(self) -> int | None:
        """The first option that fits what was typed, by its start, a word, or its plural."""
        if not (typed := folded_text(self.typed)):
            return None
        texts = [folded_text(option.words) for option in self.options]
        begun = [number for number, text in enumerate(texts) if text.startswith(typed)]
        begun += [number for number, text in enumerate(texts) if f" {typed}" in f" {text}"]
        begun += [number for number, text in enumerate(texts) if is_form_of(typed, text)]
        return begun[0] if begun else None

    def _go_to(self, index: int, *, keeps_typed: bool = False) -> None:
        self.index = min(max(index, 0), len(self.options) - 1)
        self.scroll_to_chosen = True
        self.typed = self.typed if keeps_typed else ""
        self.error = ""


class DropDowns:
    """The drop-down list that is open, if one is.

    It is made again where the language changes meanwhile.
    """

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
                Option(option_words(option), _("default") if option == choice.default else "")
                for option in choice.options
            ]
            return DropDown(
                choice.name,
                options,
                present=format_value(choice, present),
                choose=choose,
                close=self.close,
            )

        self.open(listed)

    def close(self) -> None:
        """Close the list that is open."""
        self._open = None


@dataclass
class TypedValue:
    """A value that is being typed for a control.

    Args:
        quantity: the control.
        text: typed so far.
        error: why the text is refused.
    """

    quantity: Row
    text: str
    error: str = ""

    def read(self, text: str) -> tuple[bool, float | str | None]:
        """Return whether a text is valid, and its value, of which None is automatic.

        The error says why it is not.
        """
        try:
            return True, values.parse_value(self.quantity, text)
        except JuggleError as error:
            self.text = text
            self.error = str(error)
            return False, None


class ValueEntry:
    """Asks for the values of some controls: numbers in a text field, choices in a drop-down list.

    Args:
        drop_downs: where lists of options open.
        set_value: takes a control and its new value, of which None is automatic.
    """

    def __init__(
        self, drop_downs: DropDowns, set_value: Callable[[Row, float | str | None], None]
    ) -> None:
        self.typed: TypedValue | None = None
        """What is being typed; None while no text field is open."""
        self.wants_focus = False
        """Whether the text field takes the keyboard focus when it is next drawn."""
        self._drop_downs = drop_downs
        self._set_value = set_value

    def open(self, quantity: Row, value: float | str | None) -> None:
        """Ask for a value: open the list of a choice, or a text field for a number.

        Args:
            quantity: the control.
            value: its present one; None for an automatic number.
        """
        if isinstance(quantity, Choice):
            self._drop_downs.open_choice(quantity, str(value), partial(self._choose, quantity))
            return
        text = values.AUTOMATIC if value is None else values.plain_text(quantity, value)
        self.typed = TypedValue(quantity, text)
        self.wants_focus = True

    def apply(self, text: str) -> None:
        """Set the typed value; if it is invalid, show why and keep asking."""
        if self.typed is None:
            return
        valid, value = self.typed.read(text)
        if not valid:
            self.wants_focus = True
            return
        quantity = self.typed.quantity
        self.typed = None
        self._set_value(quantity, value)

    def cancel(self) -> None:
        """Close the text field."""
        self.typed = None

    def _choose(self, choice: Choice, words: str) -> str:
        """Set a choice to the words that were chosen or typed.

        Return why they are refused, or nothing.
        """
        typed = TypedValue(choice, words)
        valid, value = typed.read(words)
        if valid:
            self._set_value(choice, value)
        return typed.error
