"""A widget of Jupyter: the player beside sliders, each of which is also an attribute in Python."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import anywidget
import traitlets
from IPython.display import DisplayHandle, display

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError
from juggle_anim.exporter.page.page import framed, player_page
from juggle_anim.parameters import ROWS, Quantity

SLIDERS = (
    "bps",
    "dwell",
    "width",
    "throw_height",
    "catch_height",
    "scoop",
    "prop_diameter",
    "human",
)
"""The quantities that have a slider beside the player…"""

TURNED = ("left_wing", "right_wing", "speed")
"""…and those that its own controls turn."""

_QUANTITIES = {
    row.name: row for row in ROWS if isinstance(row, Quantity) and row.name in (*SLIDERS, *TURNED)
}


class AnimationWidget(anywidget.AnyWidget):  # type: ignore[misc]
    """An animation that plays beside its sliders.

    Each name of `SLIDERS` and `TURNED` is an attribute: `widget.bps = 4` moves the slider and
    changes what plays, and a slider that is dragged changes the attribute.
    `widget.observe(function, "bps")` calls a function after each change.

    Args:
        animation: what plays at first.
    """

    _esm = (files(__package__) / "widget.js").read_text(encoding="utf-8")
    _css = (files(__package__) / "widget.css").read_text(encoding="utf-8")

    page = traitlets.Unicode().tag(sync=True)
    rows = traitlets.List().tag(sync=True)
    error = traitlets.Unicode().tag(sync=True)

    locals().update(
        {name: traitlets.Float(None, allow_none=True).tag(sync=True) for name in _QUANTITIES}
    )

    def __init__(self, animation: Animation) -> None:
        self._animation = animation
        rows = [
            _slider(_QUANTITIES[name], animation)
            for name in SLIDERS
            if name not in _refused(animation)
        ]
        super().__init__(page=player_page(animation), rows=rows, **_values(animation))
        # The output cell below the widget, with the player alone.
        self._player: DisplayHandle | None = None
        self.observe(self._turned, list(_QUANTITIES))
        self.observe(lambda _change: self._show_player(), "page")

    def _ipython_display_(self, **_options: object) -> None:
        """Show the widget, and below it the player alone.

        Where the widget works, its style hides the player below. It does not work in a notebook
        that was exported as HTML and is opened without a network, from which the code of widgets
        is fetched; the player works there too.
        """
        data, about = self._repr_mimebundle_() or ({"text/plain": repr(self)}, {})
        # Where there are no widgets, the player is all that is shown.
        display({**data, "text/html": ""}, metadata=about, raw=True)
        if self._player is None:
            self._player = DisplayHandle(f"{self.model_id}-player")
        self._show_player(first=True)

    def _show_player(self, first: bool = False) -> None:
        if self._player:
            tag = framed(self._animation.title, self.page)
            shown = {"text/html": f'<div class="juggle-anim-player">{tag}</div>', "text/plain": ""}
            show = self._player.display if first else self._player.update
            show(shown, raw=True)

    @property
    def animation(self) -> Animation:
        """What plays, with all that was turned; another one can be assigned."""
        return self._animation

    @animation.setter
    def animation(self, animation: Animation) -> None:
        self._animation = animation
        with self.hold_trait_notifications():
            self.page = player_page(animation)
            self.error = ""
            for name, value in _values(animation).items():
                setattr(self, name, value)

    def _turned(self, change: dict[str, Any]) -> None:
        """Show the animation with a changed quantity, or restore it if the pattern is impossible.

        Args:
            change: of a slider, as `traitlets` reports it: `name` of the quantity and `new` value.
        """
        name = change["name"]
        value = change["new"]
        if value == getattr(self._animation.parameters, name):
            return
        try:
            changed = self._animation.with_values(**{name: value})
            # The player applies some quantities by itself, without a new page.
            page = self.page if name in TURNED else player_page(changed)
        except JuggleError as error:
            self.error = str(error)
            setattr(self, name, getattr(self._animation.parameters, name))
            return
        self._animation = changed
        self.page = page
        self.error = ""


def _refused(animation: Animation) -> tuple[str, ...]:
    """Return the quantities that a pattern of events, which has its own times, does not take."""
    if animation.score.placed:
        return ("bps", "dwell", "width", "throw_height", "catch_height")
    return ()


def _values(animation: Animation) -> dict[str, float | None]:
    return {name: getattr(animation.parameters, name) for name in _QUANTITIES}


def _slider(row: Quantity, animation: Animation) -> dict[str, Any]:
    """Return what the widget's script needs to show a slider."""
    usual = animation.choreography.bps if row.name == "bps" else row.default
    return {
        "name": row.name, "label": row.label, "help": row.help, "unit": row.unit,
        "low": row.slider[0], "high": row.slider[1], "step": row.step, "usual": usual,
    }  # fmt: skip
