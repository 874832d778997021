"""The focus of the keyboard: which control keys have chosen, and what is pressed by them."""

from __future__ import annotations


class FocusKeys:
    """Goes from one control to the next."""

    def __init__(self) -> None:
        self.names: list[str] = []
        """The controls that keys can go to, in the order in which they are drawn."""
        self.chosen = ""
        """The name of the control that has the focus; empty if none has."""
        self._pressed = ""

    def move(self, steps: int) -> None:
        """Go to the control so many places further on, cyclically; from none, to the first or to the last."""
        if not self.names:
            self.chosen = ""
        elif self.chosen in self.names:
            self.chosen = self.names[(self.names.index(self.chosen) + steps) % len(self.names)]
        else:
            self.chosen = self.names[0 if steps > 0 else -1]

    def press(self) -> bool:
        """Press the control that has the focus when it is next drawn; return whether one has it."""
        self._pressed = self.chosen
        return bool(self.chosen)

    def takes_press(self, name: str) -> bool:
        """Whether a control is pressed now, which it is once."""
        if not self._pressed or name != self._pressed:
            return False
        self._pressed = ""
        return True

    def leave(self) -> None:
        """Let no control have the focus."""
        self.chosen = self._pressed = ""
