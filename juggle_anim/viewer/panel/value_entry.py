"""A value that is typed for a control, or chosen from the list of its options. No window, no OpenGL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from juggle_anim.errors import JuggleError
from juggle_anim.parameters import Choice, Row
from juggle_anim.viewer.panel import values
from juggle_anim.viewer.panel.drop_down import DropDowns


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
        """Whether a text is valid, and its value, of which None is automatic; the error says why it is not."""
        try:
            return True, values.parse_value(self.quantity, text)
        except JuggleError as error:
            self.text, self.error = text, str(error)
            return False, None


class ValueEntry:
    """Asks for the values of some controls: numbers in a text field, choices in a drop-down list.

    Args:
        drop_downs: where lists of options open.
        set_value: takes a control and its new value, of which None is automatic.
    """

    def __init__(self, drop_downs: DropDowns, set_value: Callable[[Row, float | str | None], None]) -> None:
        self.typed: TypedValue | None = None
        """What is being typed; None while no text field is open."""
        self.wants_focus = False
        """Whether the text field takes the keyboard focus when it is next drawn."""
        self._drop_downs, self._set_value = drop_downs, set_value

    def open(self, quantity: Row, value: float | str | None) -> None:
        """Ask for a value.

        Args:
            quantity: the control.
            value: its present one; None for an automatic number.
        """
        if isinstance(quantity, Choice):
            self._drop_downs.open_choice(quantity, str(value), partial(self._choose, quantity))
            return
        text = values.AUTOMATIC if value is None else values.plain_text(quantity, value)
        self.typed, self.wants_focus = TypedValue(quantity, text), True

    def apply(self, text: str) -> None:
        """Set the typed value; if it is invalid, show why and keep asking."""
        if self.typed is None:
            return
        valid, value = self.typed.read(text)
        if not valid:
            self.wants_focus = True
            return
        quantity, self.typed = self.typed.quantity, None
        self._set_value(quantity, value)

    def cancel(self) -> None:
        """Close the text field."""
        self.typed = None

    def _choose(self, choice: Choice, words: str) -> str:
        """Set a choice to the words that were chosen or typed; return why they are refused, or nothing."""
        valid, value = (typed := TypedValue(choice, words)).read(words)
        if valid:
            self._set_value(choice, value)
        return typed.error
