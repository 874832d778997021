"""Controls of the window, which belong to no animation: view, text size, camera motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from juggle_anim.language import LANGUAGES, choose_language, is_language_forced, known_language
from juggle_anim.parameters import Choice, Group, Quantity, Row, Stage
from juggle_anim.scene.camera import CAMERA_PRESETS, EYE_VIEW
from juggle_anim.viewer.camera.camera_rig import DEFAULT_VIEW, CameraRig
from juggle_anim.viewer.panel.values import remembered_value

BY_HAND = "by hand"
"""The view of a camera that was moved with the mouse."""

FULL = "full"
REDUCED = "reduced"
ON = "on"
OFF = "off"
AUTOMATIC = "automatic"
ZOOM = "zoom"
TURN = "turn"
SAME = "same"
OWN = "own"

VIEW = Choice(
    "view", "view", "View", (DEFAULT_VIEW,
        *(name for name in CAMERA_PRESETS if name != DEFAULT_VIEW), EYE_VIEW),
    DEFAULT_VIEW, Stage.SCENE, Group.BASICS, "Where the camera looks from",
)  # fmt: skip

TEXT_SIZE = Quantity(
    "text_size", "text_size", "Text size", "%", 80.0, 200.0, (80.0, 200.0), 10.0, 100.0,
    Stage.CLOCK, Group.WINDOW,
    "Size of text and buttons in this window",
)  # fmt: skip

MOTION = Choice(
    "motion", "motion", "Motion", (FULL, REDUCED), FULL, Stage.CLOCK, Group.WINDOW,
    "Animate camera moves and fade cards, or show them at once",
)  # fmt: skip

GLIDE = Choice(
    "glide", "glide", "Camera glides", (ON, OFF), ON, Stage.CLOCK, Group.WINDOW,
    "Let the camera glide to a stop when released",
)  # fmt: skip

SCROLLING = Choice(
    "scrolling", "scrolling", "Scrolling", (AUTOMATIC, ZOOM, TURN), AUTOMATIC, Stage.CLOCK,
    Group.WINDOW,
    "What wheel and two-finger scrolling do; automatic: a wheel zooms, sideways swipes turn",
)  # fmt: skip

SPLIT_SCALE = Choice(
    "split_scale", "split_scale", "Split scale", (SAME, OWN), SAME, Stage.CLOCK, Group.WINDOW,
    "Show two patterns side by side at one scale, or fit each to its half",
)  # fmt: skip

SYSTEM = "system"

LANGUAGE = Choice(
    "language", "language", "Language", (SYSTEM, *LANGUAGES.values()), SYSTEM, Stage.CLOCK,
    Group.WINDOW,
    "Language of the window and messages; by default the system's",
)  # fmt: skip

KEPT: tuple[Row, ...] = (TEXT_SIZE, LANGUAGE, MOTION, GLIDE, SCROLLING, SPLIT_SCALE)
"""Those that the next window remembers."""

WINDOW_CONTROLS: tuple[Row, ...] = (VIEW, *KEPT)
"""All controls of the window."""

_NAMES = frozenset(row.name for row in WINDOW_CONTROLS)


class WindowControls:
    """The values of the controls of a window.

    Args:
        rig: gives the camera that is moved now.
    """

    def __init__(self, rig: Callable[[], CameraRig]) -> None:
        self._rig = rig
        self._values: dict[str, float | str] = {}

    def has(self, row: Row) -> bool:
        """Return whether a control is one of the window."""
        return row.name in _NAMES

    def value(self, row: Row) -> float | str:
        """Return the value of a control."""
        if row.name == VIEW.name:
            rig = self._rig()
            return BY_HAND if rig.is_manual else rig.view
        assert row.default is not None
        return self._values.get(row.name, row.default)

    def set_value(self, row: Row, value: float | str | None) -> None:
        """Set a control of the window, with its effect: the view flies, the language changes.

        Args:
            row: the control.
            value: its new value; None for its default.
        """
        value = row.default if value is None else value
        assert value is not None
        if row.name == VIEW.name:
            self._rig().fly(str(value))
        elif value == row.default:
            self._values.pop(row.name, None)
        else:
            self._values[row.name] = value
        if row.name == LANGUAGE.name:
            choose_language(known_language(str(value)))
        if row.name == SPLIT_SCALE.name and self._rig().is_manual:
            self._rig().fly(self._rig().view)  # as it is framed, so that the difference is seen

    @property
    def shares_scale(self) -> bool:
        """Whether both halves of a split view are equally large."""
        return self.value(SPLIT_SCALE) == SAME

    @property
    def text_scale(self) -> float:
        """How large texts are, 1 as usual."""
        return float(self.value(TEXT_SIZE)) / 100.0

    @property
    def is_still(self) -> bool:
        """Whether cameras and cards are where they belong at once."""
        return self.value(MOTION) == REDUCED

    @property
    def glides(self) -> bool:
        """Whether a camera that is let go while it turns comes to rest slowly."""
        return self.value(GLIDE) == ON and not self.is_still

    @property
    def changed(self) -> dict[str, float | str]:
        """The values that are no defaults, by name, as `restore` takes them."""
        return dict(self._values)

    def restore(self, changed: Mapping[str, float | str | None]) -> None:
        """Set what is remembered; names and values that there are not are passed over."""
        for row in KEPT:
            if row is LANGUAGE and is_language_forced():
                continue
            value = remembered_value(row, changed)
            if value is not None:
                self.set_value(row, value)
