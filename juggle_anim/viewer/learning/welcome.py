"""The first look around: stops that point at things to do first."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

from juggle_anim.language import translated
from juggle_anim.viewer.state.keymap import Action

DURATION = 10.0
"""Of all stops together, [s]."""

GLIDE = 0.4
"""How long it takes from one stop to the next within that, [s]."""

LINE = "pattern line"
SLIDER = "slider"
"""Names of places in the panel that are no buttons."""


@translated("title", "text")
@dataclass(frozen=True)
class Stop:
    """A stop of the look around.

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
        "Click, drag, or press ← and →. Press ↑ and ↓ to choose another setting.",
    ),
    Stop(
        Action.BROWSE,
        "Browse here",
        "Hundreds of patterns for every level. Learn any of them step by step.",
    ),
    Stop(
        Action.TOGGLE_HELP, "Get help here", "See all keyboard shortcuts, and click one to use it."
    ),
)

_ONLY_LEAVE = ("escape", "enter", "space")
_GO_ON = ("enter", "space", "right", "down")
_MODIFIER_NAMES = tuple(
    f"{side}{name}"
    for side in "lr"
    for name in ("shift", "ctrl", "alt", "meta", "command", "option")
)


class Welcome:
    """The stop of the look around that is shown.

    Where motion is to be reduced, it waits for a key at each.
    """

    def __init__(self) -> None:
        self._stop: int | None = None
        self.waits_for_keys = False
        """Whether it goes on only by a key, as where motion is to be reduced."""
        self.since = 0.0
        """How long it has been at the present stop, [s]."""

    @property
    def shown(self) -> bool:
        """Whether it is shown."""
        return self._stop is not None

    @property
    def is_moving(self) -> bool:
        """Whether it goes on by itself."""
        return self.shown and not self.waits_for_keys

    @property
    def number(self) -> int:
        """The number of the stop, from 0."""
        return self._stop or 0

    def begin(self, waits_for_keys: bool | None = None) -> None:
        """Begin with the first stop.

        Args:
            waits_for_keys: whether to wait for a key at each; by default if the desktop says so.
        """
        if waits_for_keys is None:
            waits_for_keys = prefers_reduced_motion()
        self.waits_for_keys = waits_for_keys
        self._stop = 0
        self.since = 0.0

    def leave(self) -> None:
        """End it."""
        self._stop = None

    def go_on(self) -> None:
        """Go to the next stop; after the last one, end."""
        self._stop = self.number + 1 if self.number + 1 < len(STOPS) else None
        self.since = 0.0

    def advance(self, elapsed: float) -> bool:
        """Let time pass, [s]; return whether something else is shown."""
        if not self.is_moving:
            return False
        self.since += elapsed
        if self.since >= DURATION / len(STOPS):
            self.go_on()
        return True

    def press(self, name: str) -> bool:
        """Handle a key that goes down: it ends the look around, or goes on in it.

        Args:
            name: of the chord, such as `shift+left`; modifiers alone do nothing.

        Returns:
            Whether the key is used up: if not, it also does what it does otherwise.
        """
        _modifiers, _plus, key = name.rpartition("+")
        if not self.shown or key in _MODIFIER_NAMES:
            return False
        if self.waits_for_keys and name in _GO_ON:
            self.go_on()
            return True
        self.leave()
        return name in _ONLY_LEAVE


def prefers_reduced_motion() -> bool:
    """Whether the desktop is set to move as little as possible; False where it cannot be asked."""
    if sys.platform == "win32":
        import ctypes

        animates = ctypes.c_int(1)
        get_client_area_animation = 0x1042  # SPI_GETCLIENTAREAANIMATION of winuser.h
        ctypes.windll.user32.SystemParametersInfoW(
            get_client_area_animation, 0, ctypes.byref(animates), 0
        )
        return not animates.value
    if sys.platform == "darwin":
        return (
            _program_output("defaults", "read", "com.apple.universalaccess", "reduceMotion") == "1"
        )
    return (
        _program_output("gsettings", "get", "org.gnome.desktop.interface", "enable-animations")
        == "false"
    )


def _program_output(*command: str) -> str:
    """Return what a program of the desktop prints; empty if it is not there."""
    try:
        finished = subprocess.run(command, capture_output=True, text=True, timeout=1.0, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return finished.stdout.strip()
