"""Which cards of the window are open: one in the place of the panel, and one in the strip."""

from __future__ import annotations

# Cards that can lie in the place of the panel.
BROWSER = "browser"
GENERATOR = "generator"
VARIATIONS = "variations"
ROUTINE = "routine"
LESSON = "lesson"
FOOTAGE = "footage"
CAMERA_PATH = "camera path"

# Cards that can lie in the strip, beside the kinds of diagrams.
PLOTS = "plots"
FACTS = "facts"

PATTERN_LISTS = (BROWSER, GENERATOR)
"""Cards that list patterns to play."""

_KEEP_KEYS = (*PATTERN_LISTS, VARIATIONS)  # what they choose is to see also without them


class OpenCards:
    """Which cards are open, and whether panel, strip and help are to see."""

    def __init__(self) -> None:
        self.panel: str | None = None
        """The card in the place of the panel; None for the panel itself."""
        self.strip: str | None = None
        """The card in the strip, or the kind of diagram there; None without a strip."""
        self.panel_shown = True
        """Whether panel, strip and beats are to see at all."""
        self.help_shown = False
        """Whether the help on keys lies over everything."""

    def reveal(self) -> None:
        """Make the place of the panel visible: unfold it, and close the help over it."""
        self.panel_shown = True
        self.help_shown = False

    def open(self, card: str) -> None:
        """Show a card in the place of the panel, instead of any other one."""
        self.panel = card
        self.reveal()

    def close(self, card: str) -> None:
        """Show the panel itself again, if a card lies in its place; any other one stays."""
        if self.panel == card:
            self.panel = None

    def toggle(self, card: str) -> bool:
        """Close a card that is to see in the place of the panel, or show it there.

        Returns:
            Whether it is shown now.
        """
        if self.is_visible(card):
            self.close(card)
            return False
        self.open(card)
        return True

    def is_visible(self, card: str) -> bool:
        """Return whether a card is to see in the place of the panel, or would be without help."""
        return self.panel == card and self.panel_shown

    def takes_keys(self, card: str) -> bool:
        """Return whether keys act on a card in the place of the panel."""
        on_top = self.is_visible(card) and not self.help_shown
        return on_top or (self.panel == card and card in _KEEP_KEYS)
