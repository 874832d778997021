"""The halves of a split view: what is kept of the one on which panel and keys do not act."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.animation import Animation
from juggle_anim.viewer.camera.camera_rig import CameraRig
from juggle_anim.viewer.editor.documents import Documents
from juggle_anim.viewer.state.live_change import LiveChange
from juggle_anim.viewer.state.undo import History, Undo


@dataclass
class Half:
    """The inactive half of a split view, on which panel and keys do not act.

    Args:
        live: what is juggled there.
        undo, history: of that half.
        rig: its camera.
        documents: of that half.
    """

    live: LiveChange
    undo: Undo
    history: History
    rig: CameraRig
    documents: Documents

    @property
    def animation(self) -> Animation:
        """What is shown there."""
        return self.live.now.animation

    @property
    def text(self) -> str:
        """The text that opens it."""
        return self.live.now.text


LEFT, RIGHT = 0, 1
"""The halves of a split view."""
