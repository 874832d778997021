"""Draws where time goes in the first frame of an export and in the frames of a playing window, as
flame graphs: `flame_graph.py FOLDER` writes `flame_first_frame.svg` and `flame_window_frame.svg`.

It needs a display (xvfb-run will do). A thread looks at the stack of the main thread a thousand
times a second; each box is a function, as wide as its share of these looks, with those that it
called below it.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

INTERVAL = 1e-3
"""Between two looks at the stack, [s]."""

WIDTH = 1200
ROW = 17
"""Of a box with its gap, [pixels]."""

LETTER = 6.0
"""How wide a letter is, [pixels]."""

NARROWEST = 0.004
"""Share of the time below which a function has no box."""

WINDOW_FRAMES = 200

COLOURS = {
    "import": "#c9d3e0",
    "juggle_anim": "#f0b97d",
    "drawing": "#e58f65",
    "numpy": "#a8c9a0",
    "other": "#dcdcdc",
}
"""Of boxes: what is imported, the program, what it draws with OpenGL, numpy, other libraries."""

Stack = tuple[str, ...]
"""Names of functions, the outermost first."""


class Box(NamedTuple):
    """A function that others have called in one way."""

    stack: Stack
    first: int  # look at which it begins
    looks: int


@contextmanager
def sampled(counts: Counter[Stack]) -> Iterator[None]:
    """Count the stacks of this thread in `counts` until the block ends."""
    watched = threading.get_ident()
    done = threading.Event()

    def look() -> None:
        while not done.wait(INTERVAL):
            counts[_stack(sys._current_frames()[watched])] += 1

    watcher = threading.Thread(target=look)
    before = sys.getswitchinterval()
    sys.setswitchinterval(INTERVAL / 10)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        sys.setswitchinterval(before)


def _stack(frame: FrameType | None) -> Stack:
    names = list[str]()
    while frame:
        name = _name(frame)
        # Steps of the import system, and functions within one that is repeated, say nothing more.
        if name and name != (names or [""])[-1]:
            names.append(name)
        frame = frame.f_back
    return tuple(reversed(names))


def _name(frame: FrameType) -> str:
    """The name of a function or imported module; empty for one that is no step of the program."""
    path = frame.f_code.co_filename
    if path.startswith("<") or Path(path).parent == Path(__file__).parent:
        return ""
    parts = Path(path).with_suffix("").parts
    for package in ("juggle_anim", "site-packages", "python3." + str(sys.version_info.minor)):
        if package in parts:
            first = len(parts) - 1 - parts[::-1].index(package) + (package != "juggle_anim")
            parts = parts[first:]
            break
    module = ".".join(part for part in parts if part != "__init__")
    function = frame.f_code.co_qualname if sys.version_info >= (3, 11) else frame.f_code.co_name
    if function == "<module>":
        return f"import {module}"
    return f"{module}: {function}"


def boxes(counts: Counter[Stack]) -> Iterator[Box]:
    """Every function of the stacks, with where it stands among its siblings."""
    stacks = sorted(counts)
    starts = list[int]()
    total = 0
    for stack in stacks:
        starts.append(total)
        total += counts[stack]
    deepest = max(map(len, stacks), default=0)
    for depth in range(1, deepest + 1):
        same = dict[Stack, Box]()
        for stack, start in zip(stacks, starts, strict=True):
            if len(stack) >= depth:
                called = stack[:depth]
                box = same.get(called, Box(called, start, 0))
                same[called] = box._replace(looks=box.looks + counts[stack])
        yield from same.values()


def svg(counts: Counter[Stack], title: str) -> str:
    """A flame graph of stacks: a drawing whose boxes tell their names and shares."""
    total = counts.total()
    shown = [box for box in boxes(counts) if box.looks >= NARROWEST * total]
    height = ROW * (max(len(box.stack) for box in shown) + 2)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="4" y="14" font-size="13" fill="#26282c">{escape(title)}</text>',
    ]
    for box in shown:
        name = box.stack[-1]
        left = WIDTH * box.first / total
        width = WIDTH * box.looks / total
        top = ROW * (len(box.stack) + 0.5)
        share = f"{name}, {100 * box.looks / total:.1f} %"
        letters = int((width - 6) / LETTER)
        label = name.replace("juggle_anim.", "")
        if len(label) > letters:
            label = f"{label[: max(letters - 1, 0)]}…"
        lines.append(
            f"<g><title>{escape(share)}</title>"
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(width - 0.7, 0.3):.1f}" '
            f'height="{ROW - 1}" rx="1.5" fill={quoteattr(COLOURS[_kind(name)])}/>'
        )
        if letters > 3:
            lines.append(
                f'<text x="{left + 3:.1f}" y="{top + 12:.1f}" fill="#26282c">{escape(label)}</text>'
            )
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])


def _kind(name: str) -> str:
    """The colour of a box, by the name of its function."""
    if name.startswith("import "):
        return "import"
    if name.startswith(("juggle_anim.render", "OpenGL", "pyglet")):
        return "drawing"
    library = name.split(".")[0].split(":")[0]
    return library if library in COLOURS else "other"


def first_frame(folder: Path) -> Counter[Stack]:
    """What an export of one picture does, from the first import to the file."""
    counts: Counter[Stack] = Counter()
    with sampled(counts):
        from juggle_anim.__main__ import main

        sys.argv = ["juggle-anim", "export", "531", str(folder / "still.png"), "--quiet"]
        with suppress(SystemExit):
            main()
    assert (folder / "still.png").exists()
    return counts


def window_frames(folder: Path) -> Counter[Stack]:
    """What a window does in its frames as it plays 531, once it has drawn some."""
    from driven_viewer import START, frame

    import juggle_anim as ja
    from juggle_anim.viewer.window import Viewer

    viewer = Viewer(ja.animate("531"), START, size=(1280, 800))
    counts: Counter[Stack] = Counter()
    for _ in range(WINDOW_FRAMES // 2):
        frame(viewer)
    with sampled(counts):
        for _ in range(WINDOW_FRAMES):
            frame(viewer)
    viewer.close()
    return counts


GRAPHS = {
    "first_frame": (first_frame, "The first frame: juggle-anim export 531 still.png"),
    "window_frame": (window_frames, "A frame of the window, 1280 × 800, playing 531"),
}


def main(folder: Path, only: str | None = None) -> None:
    """Write all flame graphs, each from a process of its own; or `only` one, in this process."""
    folder.mkdir(parents=True, exist_ok=True)
    if only is None:
        for name in GRAPHS:
            subprocess.run([sys.executable, __file__, str(folder), name], check=True)
        return
    measured, title = GRAPHS[only]
    counts = measured(folder)
    (folder / f"flame_{only}.svg").write_text(svg(counts, title), "utf-8")
    (folder / "still.png").unlink(missing_ok=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
