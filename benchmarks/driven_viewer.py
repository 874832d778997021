"""Runs the real viewer for a benchmark, which reads lines of JSON from its standard output.

`frames TEXT COUNT WIDTH HEIGHT` draws so many frames of a window of that size as fast as it can,
after as many more that don't count, and tells how long each took [s], by the clock and of the
processor. `paused TEXT` stands still, and tells every second how much of the processor that took.
`changes COUNT` plays, and chooses so many patterns; it tells how long each frame took, also of the
processor and of the main thread alone, how many patterns followed by a transition, how fast props
went at most [m/s], and how much memory the window and the process that prepares changes take then
[bytes].

`film PATH SECONDS` plays a film behind an animation, and tells how many frames were drawn, how many
pictures of the film were shown, how long each frame took [s], and how much more memory the film
took at most [bytes].

`autosaved TEXT COUNT` plays events that are edited by hand every second, and tells how long each
frame took, and how long of it session and autosave took, which write that to the disk [s].

`drags TEXT COUNT` drags a throw in the picture of a larger window while the pattern plays, with a
step in each frame, and tells how long so many frames took, by the clock and of the main thread's
processor time, and that of frames before.

`keys TEXT` stands still, and tells when a frame that shows another animation than the one before
it had been handed to the screen, by the clock that all processes share.
"""

import gc
import itertools
import json
import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from pyglet.window import mouse

import juggle_anim as ja
from juggle_anim.viewer.editor.picture_editor import Mark
from juggle_anim.viewer.session.file import open_session_file
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.window import Viewer

SIZE = (640, 480)
LARGE = (1280, 720)
START = 0.3  # s
PATTERNS = "3", "51", "441", "531", "423", "4", "53", "(4,2x)*", "[34]1", "7131"
CHANGE_EVERY = 75  # frames


class WatchedViewer(Viewer):
    """Tells when it has shown a new animation, and what that took of the processor since the last
    key, [s].
    """

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.pressed = 0.0
        self.window.push_handlers(on_key_press=self._note_key)

    def _note_key(self, symbol: int, modifiers: int) -> None:
        self.pressed = time.process_time()

    def draw(self, elapsed: float) -> None:
        before = getattr(self, "drawn", None)
        super().draw(elapsed)
        self.drawn = self.model.animation
        if before is not self.drawn:
            tell(shown=time.monotonic(), processor=time.process_time() - self.pressed)


def tell(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


def frames(text: str, count: str, width: str, height: str) -> None:
    viewer = Viewer(ja.animate(text), START, size=(int(width), int(height)))
    for _ in range(int(count)):
        frame(viewer)
    times = [frame(viewer) for _ in range(int(count))]
    tell(clock=[clock for clock, _ in times], processor=[processor for _, processor in times])


def drags(text: str, count: str) -> None:
    """Drag a throw in the picture, a step in every frame."""
    viewer = Viewer(ja.animate(text), START, size=LARGE)
    picture = viewer.controller.picture
    viewer.controller.perform(Action.EDIT)
    for _ in range(int(count)):
        frame(viewer)
    gc.freeze()  # as a window does a second after it opens
    playing = [_on_main_thread(viewer) for _ in range(int(count))]
    thrown = next(point for point in picture.handles.points if point.mark is Mark.THROW)
    x, y = picture.view.to_window(np.array([thrown.place]))[0]
    picture.press(x, y)
    times = []
    for number in range(int(count) + int(count) // 2):
        picture.aim(x + 40 * np.sin(number / 9), y - 30 + 20 * np.cos(number / 7), snaps=False)
        times.append(_on_main_thread(viewer))
    # The first ones find out how long a step takes.
    clocks, processors = (list(each) for each in zip(*times[int(count) // 2 :], strict=True))
    tell(clock=clocks, processor=processors, playing=[processor for _, processor in playing])


def _on_main_thread(viewer: Viewer) -> tuple[float, float]:
    """As `frame`, but with the processor time of the main thread alone."""
    processor = time.thread_time()
    clock, _ = frame(viewer)
    return clock, time.thread_time() - processor


def frame(viewer: Viewer) -> tuple[float, float]:
    """Let the viewer do all that it does from one frame to the next."""
    clock = time.perf_counter()
    processor = time.process_time()
    viewer.window.dispatch_events()
    viewer.tick(viewer.model.playback.frame_time)
    return time.perf_counter() - clock, time.process_time() - processor


def paused(text: str) -> None:
    import pyglet

    viewer = Viewer(ja.animate(text), START, paused=True, size=SIZE)
    pyglet.clock.schedule_interval(
        lambda _: tell(clock=time.perf_counter(), processor=time.process_time()), 1.0
    )
    viewer.run()


def changes(count: str) -> None:
    """Choose one pattern after another while one plays."""
    viewer = Viewer(ja.animate(PATTERNS[-1]), size=SIZE)
    model = viewer.model
    helper = viewer.start_helpers()
    helper.wait()
    times: list[tuple[float, float, float]] = []
    fastest = 0.0
    before = (np.zeros((0, 3)), 0.0)
    for number in range(int(count) * CHANGE_EVERY):
        began = time.perf_counter()
        thread = time.thread_time()
        if number % CHANGE_EVERY == 0:
            viewer.controller.library.open_text(PATTERNS[number // CHANGE_EVERY % len(PATTERNS)])
        chosen = time.perf_counter() - began
        clock, processor = frame(viewer)
        times.append((clock + chosen, processor, time.thread_time() - thread))
        props = model.live.drawn.sample(np.array([model.playback.clock])).props[0]
        now = model.playback.clock
        if len(before[0]) == len(props):
            steps = np.linalg.norm(props - before[0], axis=1) / (now - before[1])
            fastest = max(fastest, float(steps.max(initial=0.0)))
        before = props, now
        time.sleep(max(model.playback.frame_time - (time.perf_counter() - began), 0.0))
    # The first frames load what is drawn.
    clocks, processors, threads = (
        list(each) for each in zip(*times[CHANGE_EVERY // 2 :], strict=True)
    )
    process = helper._process
    assert process
    memory = [resident("self"), resident(str(process.pid))]
    viewer.close()
    tell(
        memory=memory,
        clock=clocks,
        processor=processors,
        thread=threads,
        followed=len(model.live.stretches) - 1,
        fastest=fastest,
    )


def film(path: str, seconds: str) -> None:
    """Play a film behind an animation, as fast as it is, and tell how many pictures of it were
    shown.
    """
    viewer = Viewer(ja.animate("3"), size=(1280, 720))
    footage = viewer.controller.footage
    for _ in range(30):
        frame(viewer)
    before = resident("self")
    footage.open(path)
    shown = list[float]()
    times = list[float]()
    most = before
    begun = last = time.perf_counter()
    while (now := time.perf_counter()) - begun < float(seconds):
        viewer.window.dispatch_events()
        viewer.tick(now - last)
        last = now
        times.append(time.perf_counter() - now)
        shown.append(footage.shown_time)
        most = max(most, resident("self"))
        time.sleep(max(1 / 60 - times[-1], 0.0))
    tell(
        frames=len(times),
        shown=len(list(itertools.groupby(shown))),
        seconds=last - begun,
        clock=times,
        memory=most - before,
    )


def resident(process: str) -> int:
    """How much memory a process takes now, [bytes]; by its number, or "self"."""
    with open(f"/proc/{process}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def autosaved(text: str, count: str) -> None:
    """Edit events by hand every second, and look at frames while a thread writes that."""
    with TemporaryDirectory() as folder:
        viewer = Viewer(
            ja.animate(text).edit().to_events(),
            size=SIZE,
            session=open_session_file(Path(folder, "v.json")),
        )
        autosave = viewer._session._autosave
        editor = viewer.controller.editor
        assert autosave
        times = list[float]()
        kept = list[float]()
        advance = viewer._session.advance

        def timed(elapsed: float) -> bool:
            began = time.perf_counter()
            drawn = advance(elapsed)
            kept.append(time.perf_counter() - began)
            return drawn

        viewer._session.advance = timed  # type: ignore[method-assign]
        for number in range(int(count)):
            if number % 60 == 30:
                place = 0.2 + 0.001 * number, 1.2, 0.4
                editor.apply(
                    lambda edited, place=place: edited.move_event(0, position=place), "place"
                )
            clock, _ = frame(viewer)
            times.append(clock)
            time.sleep(max(viewer.model.playback.frame_time - clock, 0.0))
        assert list(Path(folder).glob("recovery/*/work.json"))
        viewer.close()
        tell(clock=times[60:], kept=kept[60:])


def ladder_drags(text: str, kind: str, count: str) -> None:
    """Drag a handle of the ladder to and fro."""
    height = LARGE[1]
    viewer = Viewer(ja.animate(text), START, paused=True, size=LARGE)
    viewer.controller.perform(Action.EDIT)
    for _ in range(int(count)):
        _awake_frame(viewer)
    gc.freeze()  # as a window does a second after it opens
    before = [_awake_frame(viewer) for _ in range(int(count))]
    ladder = viewer.controller.ladder
    handle = next(each for each in ladder.handles().handles if each.kind.name == kind)
    x, y = ladder.view.place(handle.x, handle.y, 0)
    viewer.input_events.on_mouse_motion(round(x), round(height - 1 - y), 0, 0)
    _awake_frame(viewer)
    viewer.input_events.on_mouse_press(round(x), round(height - 1 - y), mouse.LEFT, 0)
    _awake_frame(viewer)
    times = []
    seen = set()
    for number in range(int(count)):
        aside, up = (
            (15 * np.sin(number / 9), 0) if kind != "LANDING" else (60 * np.sin(number / 9), 40)
        )
        viewer.input_events.on_mouse_drag(
            round(x + aside), round(height - 1 - y + up), 0, 0, mouse.LEFT, 0
        )
        times.append(_awake_frame(viewer))
        seen.add(id(viewer.model.animation))
    viewer.input_events.on_mouse_release(round(x), round(height - 1 - y), mouse.LEFT, 0)
    after = [_awake_frame(viewer) for _ in range(30)]
    tell(
        clock=[clock for clock, *_ in times],
        processor=[processor for _, processor, _ in times],
        thread=[thread for *_, thread in times],
        before=[clock for clock, *_ in before],
        processor_before=[processor for _, processor, _ in before],
        thread_before=[thread for *_, thread in before],
        after=[clock for clock, *_ in after],
        shown=len(seen),
    )


def _awake_frame(viewer: Viewer) -> tuple[float, float, float]:
    """As `frame`, with the processor time of the main thread alone as well."""
    viewer._pacing.wake()
    thread = time.thread_time()
    return *frame(viewer), time.thread_time() - thread


def keys(text: str) -> None:
    WatchedViewer(ja.animate(text), START, paused=True, size=SIZE).run()


if __name__ == "__main__":
    mode, *given = sys.argv[1:]
    modes = (frames, changes, autosaved, paused, keys, drags, ladder_drags, film)
    next(each for each in modes if each.__name__ == mode)(*given)
