"""The look: what a user chooses of how people, stage and ways are drawn."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.scene.palette import STANDARD, Palette
from juggle_anim.scene.stage import STUDIO, Stage
from juggle_anim.scene.stereo import OFF
from juggle_anim.scene.traces import Traces


@dataclass(frozen=True)
class Look:
    """How a scene is dressed.

    Args:
        figure: an option of that parameter.
        stage: where they juggle.
        traces: ways of props and hands to be shown; None for none.
        aids: likewise.
        stereo: likewise.
        palette: the colours that mean something.
    """

    figure: str = "solid"
    stage: Stage = STUDIO
    traces: Traces | None = None
    stereo: str = OFF
    aids: str = "none"
    palette: Palette = STANDARD
