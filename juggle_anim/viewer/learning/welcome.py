"""The welcome tour: stops that point at things to do first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from juggle_anim.language import translated
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.keymap import Action

LINE = "pattern line"
SLIDER = "slider"
"""Names of places in the panel that are no buttons."""


@translated("title", "text")
@dataclass(frozen=True)
class Stop:
    """A stop of the tour.

    Args:
        target: what it points at: a place in the panel, or the action of a button.
        title: what can be done there.
        text: more about it.
    """

    target: str | Action
    title: str
    text: str


STOPS = (
    Stop(
        LINE,
        "Type here",
        "Type a siteswap such as 531 or a name such as Mills mess. Just start typing at any time.",
    ),
    Stop(
        SLIDER,
        "Adjust a setting",
        "Drag a slider, or press ← and →. This one just lifted the elbows.",
    ),
    Stop(
        Action.BROWSE,
        "Browse here",
        "Hundreds of patterns for every level. Learn any of them step by step.",
    ),
    Stop(
        Action.PALETTE,
        "Find everything else here",
        "Search actions, settings and patterns by name. Each shows its key.",
    ),
)

_FORWARD = "enter"
_BACK = "backspace"
_LEAVE = ("escape", "space")
_MODIFIER_NAMES = tuple(
    f"{side}{name}"
    for side in "lr"
    for name in ("shift", "ctrl", "alt", "meta", "command", "option")
)


class Welcome:
    """The stop of the tour that is shown; buttons and keys go to the next or the one before.

    Args:
        turn_slider: called with whether the stop of the slider comes or goes, and whether the list
            of settings then goes back to where it was.
        ended: called as it ends.
    """

    def __init__(
        self, turn_slider: Callable[[bool, bool], object], ended: Callable[[], object]
    ) -> None:
        self._stop: int | None = None
        self._turn_slider = turn_slider
        self._ended = ended
        self.box: Rectangle | None = None
        """Where its words are, as they were drawn last, [pixels]; None if they are not."""

    @property
    def shown(self) -> bool:
        """Whether it is shown."""
        return self._stop is not None

    @property
    def number(self) -> int:
        """The number of the stop, from 0."""
        return self._stop or 0

    def begin(self) -> None:
        """Begin with the first stop."""
        self._go_to(0)

    def leave(self) -> None:
        """End it."""
        self._go_to(None)

    def go_on(self, steps: int = 1) -> None:
        """Go a number of stops on, or back; after the last one, end."""
        number = max(self.number + steps, 0)
        self._go_to(number if number < len(STOPS) else None)

    def _go_to(self, stop: int | None, *, list_moves: bool = True) -> None:
        if stop == self._stop:
            return
        for number, is_there in ((self._stop, False), (stop, True)):
            if number is not None and STOPS[number].target == SLIDER:
                self._turn_slider(is_there, list_moves)
        if stop is None:
            self._ended()
        self._stop = stop
        self.box = None

    def press(self, name: str) -> bool:
        """Handle a pressed key while the tour is shown: it goes to another stop, or ends the tour.

        Args:
            name: name of the key with its modifiers, such as `shift+left`. A modifier alone does
                nothing.

        Returns:
            Whether the key is used up. A key that is not meant for the tour ends it, but also does
            what it does without a tour.
        """
        _modifiers, _plus, key = name.rpartition("+")
        if not self.shown or key in _MODIFIER_NAMES:
            return False
        if name in (_FORWARD, _BACK):
            self.go_on(1 if name == _FORWARD else -1)
            return True
        self.leave()
        return name in _LEAVE

    def click(self, x: float, y: float) -> None:
        """Handle a press of the mouse, [pixels]; outside the words of a card it ends the tour.

        The list of settings stays where it is, under the mouse.
        """
        if self.box is None or not self.box.covers(x, y):
            self._go_to(None, list_moves=False)
