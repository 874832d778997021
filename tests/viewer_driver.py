"""Runs the real viewer for a test, which asks for its state, or for its pixels, over standard input.

Commands, one a line: `state` answers with a line of JSON; `grab FILE` writes the pixels as .npy and
`close` asks the window to close; both then answer likewise.
"""

import json
import os
import queue
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np

from juggle_anim.animation import animate
from juggle_anim.body import Joint
from juggle_anim.parameters import QUANTITIES
from juggle_anim.viewer import gizmo, slider
from juggle_anim.viewer.keeping import remembered_animation
from juggle_anim.viewer.listing import name_of
from juggle_anim.viewer.memory_file import open_memory
from juggle_anim.viewer.window import Viewer


class DrivenViewer(Viewer):
    """A viewer that also listens to standard input."""

    def __init__(self, pattern: str, time: float, paused: bool, size: tuple[int, int]) -> None:
        path = os.environ.get("VIEWER_MEMORY")
        memory = open_memory(Path(path)) if path else None
        resumed = pattern == "resumed"
        animation = remembered_animation(memory.memory)[0] if memory and resumed else animate(pattern)
        super().__init__(animation, time, paused, None if resumed else size, memory, resumed)
        self.frames = 0
        self._commands: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def tick(self, elapsed: float) -> None:
        super().tick(elapsed)
        while not self._commands.empty():
            self._answer(*self._commands.get().split())

    def draw(self, elapsed: float) -> None:
        self.frames += 1
        super().draw(elapsed)

    def _listen(self) -> None:
        for line in sys.stdin:
            self._commands.put(line)

    def _answer(self, command: str, path: str = "") -> None:
        if command == "grab":
            np.save(path, self.grab())
        elif command == "close":
            self.window.dispatch_event("on_close")
        print(json.dumps(self.state()), flush=True)

    def state(self) -> dict[str, Any]:
        model, layout = self.model, self.layout
        animation, error = model.animation, model.pattern_error
        joints = animation.pose(np.array([model.playback.time])).joints[0, 0]
        return {
            "pattern": animation.text,
            "line": model.line,
            "error": str(error) if error else "",
            "chosen": name_of(model.chosen),
            "lines": [name_of(line) for line in model.lines],
            "sought": model.listing.sought,
            "presets": model.preset_list.presets if model.preset_list.shown else None,
            "head": [layout.head.left, layout.head.top, layout.head.width, layout.head.height] if layout.head else None,
            "parameters": {row.name: getattr(animation.parameters, row.name) for row in QUANTITIES},
            "time": model.playback.time,
            "paused": model.playback.paused,
            "entry": [model.entry.text, model.entry.error] if model.entry else None,
            "panel": model.panel_shown,
            "arms": animation.parameters.arms,
            "ghost": animation.parameters.ghost,
            "plots": list(model.plots.numbers) if model.plots.shown else [],
            "arm": [model.arm.juggler, model.arm.side],
            "strip": [layout.strip.left, layout.strip.top, layout.strip.width, layout.strip.height]
            if layout.strip
            else None,
            "lab": self._lab(),
            "desk": self._desk(),
            "place": self.window.get_location(),
            "standpoint": model.rig.view,
            "help": model.help_shown,
            "held": model.rig.held,
            "settled": model.rig.settled,
            "view": model.rig.view,
            "said": model.desk.notice.words,
            "numbers": model.screen.numbers,
            "following": model.rig.following.juggler,
            "fullscreen": self.window.fullscreen,
            "eye": model.rig.camera.eye,
            "target": model.rig.camera.target,
            "elbow": joints[Joint.LEFT_ELBOW].tolist(),
            "size": [layout.width, layout.height],
            "typing": self._typing,
            "caption": self.window.caption,
            "frames": self.frames,
            "shown": self._shown,
            "rows": ROWS,
        }

    def _desk(self) -> dict[str, Any]:
        desk = self.model.desk
        browser = desk.browser
        found = [listed.pattern.name for listed in browser.found] if browser.shown else []
        return {
            "browsing": browser.shown,
            "ready": self._overlay.input.typing and not (browser.wanted or desk.prompt.wanted),
            "file": browser.file,
            "words": browser.words,
            "found": found,
            "chosen": browser.chosen.pattern.name if browser.shown and browser.chosen else "",
            "favourites": browser.favourites,
            "recent": browser.recent,
            "notice": desk.notice.words,
            "prompt": desk.prompt.purpose.name if desk.prompt.purpose else "",
            "prompt_error": desk.prompt.error,
            "prompt_text": desk.prompt.text,
        }

    def _lab(self) -> dict[str, Any] | None:
        lab = self.model.lab
        if lab is None:
            return None
        return {
            "way": lab.way.name,
            "goal": lab.goal.tolist(),
            "turn": lab.turn.tolist(),
            "elbow": lab.joints[Joint.LEFT_ELBOW].tolist(),
            "chest": lab.joints[Joint.CHEST].tolist(),
            "missing": lab.missing,
            "steps": lab.steps,
            "busy": lab.busy,
            "held": lab.held,
            "place": gizmo.on_screen(lab.goal, self.layout, self.model.rig.camera),
        }


ROWS: dict[str, list[float]] = {}
_draw = slider.Sliders.draw


def _record(self: slider.Sliders, model: Any, look: Any, quantity: Any, row: Any) -> None:
    ROWS[quantity.name] = [row.left, row.top, row.width, row.height]
    _draw(self, model, look, quantity, row)


if __name__ == "__main__":
    slider.Sliders.draw = _record
    pattern, time, paused, width, height = sys.argv[1:]
    viewer = DrivenViewer(pattern, float(time), paused == "paused", (int(width), int(height)))
    print(json.dumps(viewer.state()), flush=True)
    try:
        viewer.run()
    finally:
        viewer.close()
