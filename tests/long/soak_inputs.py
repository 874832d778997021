"""Random inputs for a window: what somebody with no plan does with keys, mouse and files.

An input is a word and what belongs to it. Which come, and in which order, depends on a seed alone.
Whatever can be done is done once before anything comes at random, so that what the first use of a
thing loads – a library that writes films, a program for the graphics card – is there after the
first minutes, and memory that grows later has leaked.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random

from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import CHOICES
from juggle_anim.viewer.state.keymap import BINDINGS, Action

Input = tuple[str | float, ...]
"""`key ctrl+p`, `type 5`, `move x y`, `press x y button`, `release button`, `wheel x y clicks`,
`size width height`, `drop path`, `clip text`, `leave`, `hide`, `show`, `blur`, `focus`, `wait`; x
and y are shares of the window.
"""

VALID = (
    *(
        "3",
        "531",
        "441",
        "97531",
        "b97531",
        "(6x,4)*",
        "[34]1",
        "[345]20",
        "744",
        "<3p 3|3p 3>",
        "<4p 3|3 4p>",
        "423",
    ),
    *(
        "pattern=531;prop=club;dwell=1",
        "pattern=(4,2x)(2x,4);prop=ring",
        "pattern=3;speed=20;style=natural",
    ),
    *(
        "Mills mess",
        "shower",
        "Cascade",
        "five-ball cascade",
        "pattern=3B3B3;bps=4",
        "0",
        "1",
        "2",
        "40",
        "55550",
    ),
)

BROKEN = (
    *(
        "54",
        "(6x,4",
        "[",
        "<3p|",
        "pattern=",
        "pattern=531;dwell=lots",
        "pattern=531;hat=3",
        "no such name",
        "é",
        "∞∞",
    ),
    *("zzz", "))((", "-1", "tricks.jml", "<|>", "pattern=531;prop=cow", "9" * 40),
)

HUGE = (
    "531" * 700, "(6x,4)*" * 400, "[" * 3_000, "a1" * 5_000, "<" * 900 + ">" * 900, "7" * 19_000,
        "p" * 9_999,
    "pattern=" + "5" * 9_000 + ";dwell=1", "<" + "|".join(["3p 3"] * 40) + ">", "zzzz1" * 999,
)  # fmt: skip

CROWDS = tuple(
    f"<{'|'.join([throws] * count)}>"
    for throws, count in (("3p", 100), ("3p 3", 120), ("4 4", 150))
)
"""Patterns of a hundred jugglers and more."""

_LOOKS = ("531", "<3p 3|3p 3>;prop=club")
"""Patterns that are seen with every look."""

_STEPS = tuple(binding for binding in BINDINGS if binding.action.repeats)
_FULL = tuple(binding for binding in BINDINGS if binding.action is Action.FULL_SCREEN)
_PICTURE = tuple(binding for binding in BINDINGS if binding.action is Action.PICTURE)
_SOUND = tuple(binding for binding in BINDINGS if binding.action is Action.SOUND)
# Those that take long, or would fill a disk, come now and then.
_RECORD = tuple(binding for binding in BINDINGS if binding.action is Action.RECORD)
_RARE = (*_FULL, *_PICTURE, *_RECORD)
_USUAL = tuple(binding for binding in BINDINGS if binding not in _RARE)
_FIELD = (
    "left",
    "right",
    "home",
    "end",
    "backspace",
    "delete",
    "ctrl+a",
    "ctrl+z",
    "ctrl+x",
    "ctrl+v",
    "shift+left",
)
_SIZES = (
    (640, 480),
    (1280, 720),
    (320, 240),
    (900, 500),
    (400, 900),
    (1000, 260),
    (1280, 800),
    (150, 90),
)


@dataclass(frozen=True)
class Files:
    """Files that are dropped, pasted and typed: good ones, broken ones, and none.

    Args:
        paths: of them, from the folder in which the viewer runs.
    """

    paths: tuple[str, ...]


def write_files(folder: Path) -> Files:
    """Files of all kinds in a folder."""
    folder.mkdir(parents=True)
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4);title=My box"))
    write_file(patterns, folder / "box.jml")
    write_file(open_patterns("pattern=531;dwell=1.1;title=Slow"), folder / "slow.jif")
    (folder / "tricks.txt").write_text("3\n51\npattern=441;dwell=1.1\n54\n<3p 3|3p 3>\n")
    (folder / "broken.jml").write_text("<jml><pattern>")
    (folder / "broken.jif").write_text(json.dumps({"jif": [[[]]] * 50}))
    (folder / "empty.txt").write_text("")
    (folder / "junk.png").write_bytes(Random(0).randbytes(50_000))
    (folder / "long.txt").write_text("531\n" * 2_000)
    (folder / "folder").mkdir()
    names = (
        *sorted(path.name for path in folder.iterdir()),
        "gone.jml",
        "tricks.txt#3",
        "box.jml#1",
        "~nobody/a.jml",
    )
    return Files(tuple(f"{folder.name}/{name}" for name in names))


def inputs(rng: Random, files: Files) -> Iterator[Input]:
    """Inputs without end; sound comes first, since it brings threads and files of its own that
    stay.
    """
    waiting: deque[Input] = deque([("key", _SOUND[0].chord), *_everything(rng, files)])
    names = list(_SCENES)
    weights = [_SCENES[name][0] for name in names]
    while True:
        if not waiting:
            (name,) = rng.choices(names, weights)
            waiting.extend(_SCENES[name][1](rng, files))
        yield waiting.popleft()


def _everything(rng: Random, files: Files) -> list[Input]:
    """Every key, every scene, every pattern and every look, once, in any order."""
    settings = [
        f"pattern={text};{row.key}={option}"
        for row in CHOICES
        for option in row.options
        for text in _LOOKS
    ]
    texts = (*VALID, *BROKEN, *HUGE, *CROWDS, *files.paths, *settings)
    once: list[list[Input]] = [
        *([("key", binding.chord)] for binding in BINDINGS),
        *(
            [("key", "escape"), ("clip", text), ("key", "ctrl+v"), *[("wait",)] * 3]
            for text in texts
        ),
        *(scene(rng, files) for _, scene in _SCENES.values()),
    ]
    rng.shuffle(once)
    return list(chain.from_iterable(once))


def _any_key(rng: Random, _: Files) -> list[Input]:
    return [("key", rng.choice(_USUAL).chord)]


def _rare_key(rng: Random, _: Files) -> list[Input]:
    return [("key", rng.choice(_RARE).chord)]


def _held_key(rng: Random, _: Files) -> list[Input]:
    return [("hold", rng.choice(_STEPS).chord), *[("wait",)] * rng.randrange(2, 16), ("let go",)]


def _full_screen(_: Random, __: Files) -> list[Input]:
    chord = _FULL[0].chord
    return [("key", chord), *[("wait",)] * 4, ("key", chord), ("wait",)]


def _recording(rng: Random, files: Files) -> list[Input]:
    """A short film."""
    return [
        ("key", _RECORD[0].chord),
        *_drag(rng, files),
        *_wheel(rng, files),
        ("key", _RECORD[0].chord),
    ]


def _written(rng: Random, text: str) -> list[Input]:
    """A text that is typed, in pieces, and what comes after it."""
    step = max(1, len(text) // rng.randrange(1, 12))
    typed: list[Input] = [
        ("type", text[start : start + step]) for start in range(0, len(text), step)
    ]
    edits: list[Input] = [("key", rng.choice(_FIELD)) for _ in range(rng.choice((0, 0, 0, 3, 8)))]
    return [*typed, *edits, ("key", rng.choice(("enter", "enter", "enter", "escape", "tab")))]


def _typed_pattern(texts: Sequence[str]) -> Callable[[Random, Files], list[Input]]:
    def type_one(rng: Random, _: Files) -> list[Input]:
        after: list[Input] = [("wait",)] * rng.randrange(4)
        return [
            ("key", rng.choice(("/", "ctrl+l"))),
            ("wait",),
            *_written(rng, rng.choice(texts)),
            *after,
        ]

    return type_one


def _crowd(rng: Random, files: Files) -> list[Input]:
    """A hundred jugglers are looked at for some seconds, and give way to few."""
    seen = [each for _ in range(8) for each in rng.choice((_any_key, _drag, _wheel))(rng, files)]
    return [
        ("clip", rng.choice(CROWDS)),
        ("key", "ctrl+v"),
        *seen,
        ("clip", "3"),
        ("key", "escape"),
        ("key", "ctrl+v"),
    ]


def _pasted(rng: Random, files: Files) -> list[Input]:
    text = rng.choice(
        (*VALID, *VALID, *BROKEN, *HUGE, *files.paths, "", "\x00\x07", "file:///gone%20.jml")
    )
    return [("clip", text), ("key", "ctrl+v")]


def _walk(rng: Random, _: Files) -> list[Input]:
    """Through the library, or what is listed."""
    words = rng.choice(("", "", "mess", "3 props", "passing", "club", "xyzzy", "5"))
    steps: list[Input] = [
        ("key", rng.choice(("up", "down", "down", "pagedown", "pageup"))) for _ in range(12)
    ]
    turns: list[Input] = [("key", f"ctrl+{rng.randrange(1, 5)}") for _ in range(rng.randrange(3))]
    return [
        ("key", "e"),
        ("wait",),
        ("type", words),
        *turns,
        *steps,
        ("key", rng.choice(("enter", "escape"))),
    ]


def _file(rng: Random, files: Files) -> list[Input]:
    path = rng.choice(files.paths)
    return rng.choice(
        (
            [("drop", path)],
            [("drop", path), *[("key", "down")] * 4, ("key", "enter")],
            [("key", "ctrl+o"), ("wait",), *_written(rng, path)],
            [
                ("key", "ctrl+s"),
                ("wait",),
                ("key", "enter"),
                ("wait",),
                ("key", "enter"),
                ("key", "escape"),
            ],
        )
    )


def _presets(rng: Random, _: Files) -> list[Input]:
    name = rng.choice(("mine", "slow", "a" * 60, " ", "☃"))
    kept: list[Input] = [("type", name), ("key", "enter"), ("wait",)]
    used: list[Input] = [("key", rng.choice(("up", "down", "delete", "enter"))) for _ in range(4)]
    return [
        ("key", "ctrl+shift+p"),
        ("wait",),
        *(kept if rng.random() < 0.5 else []),
        *used,
        ("key", "escape"),
    ]


def _sliders(rng: Random, _: Files) -> list[Input]:
    moves: list[Input] = [
        ("key", rng.choice(("down", "down", "up"))) for _ in range(rng.randrange(1, 20))
    ]
    turns: list[Input] = [
        ("key", rng.choice(("left", "right", "shift+left", "shift+right"))) for _ in range(8)
    ]
    typed: list[Input] = [
        ("key", "enter"),
        ("wait",),
        ("type", rng.choice(("2", "0.5", "-40", "1e9", "auto", "x"))),
    ]
    return [
        *moves,
        *turns,
        *(typed if rng.random() < 0.4 else []),
        ("key", rng.choice(("enter", "home", "escape"))),
    ]


def _undo(rng: Random, _: Files) -> list[Input]:
    return [
        ("key", rng.choice(("ctrl+z", "ctrl+z", "ctrl+shift+z")))
        for _ in range(rng.randrange(1, 12))
    ]


def _place(rng: Random) -> tuple[float, float]:
    """Somewhere: on the picture, on the panel at the left, or on the bar at the foot."""
    return rng.choice(
        ((rng.random(), rng.random()), (rng.random() * 0.3, rng.random()), (rng.random(), 0.05))
    )


def _click(rng: Random, _: Files) -> list[Input]:
    place, button = _place(rng), rng.choice((1, 1, 1, 1, 3, 2))
    once: list[Input] = [("press", *place, button), ("release", *place, button)]
    return [("move", *place), *once * rng.choice((1, 1, 1, 2))]


def _drag(rng: Random, _: Files) -> list[Input]:
    place, button, held = _place(rng), rng.choice((1, 1, 3)), rng.choice(("", "", "shift", "ctrl"))
    way: list[Input] = [("move", *_place(rng)) for _ in range(rng.randrange(1, 8))]
    return [
        ("move", *place),
        ("press", *place, button, held),
        *way,
        ("release", *_place(rng), button),
    ]


def _wheel(rng: Random, _: Files) -> list[Input]:
    place = _place(rng)
    return [
        ("move", *place),
        *[("wheel", *place, rng.choice((1, -1, 3, -3, 0.25)))] * rng.randrange(1, 8),
    ]


def _size(rng: Random, _: Files) -> list[Input]:
    return [("size", *rng.choice(_SIZES)), ("wait",)]


def _window(rng: Random, _: Files) -> list[Input]:
    away, back = rng.choice((("hide", "show"), ("blur", "focus"), ("leave", "wait")))
    return [(away,), *[("wait",)] * rng.randrange(1, 5), (back,)]


def _end(rng: Random, _: Files) -> list[Input]:
    """What would end the program if it were not a soak."""
    return [rng.choice((("key", "ctrl+q"), ("close",)))]


_SCENES: dict[str, tuple[float, Callable[[Random, Files], list[Input]]]] = {
    "any key": (40, _any_key),
    "a rare key": (0.3, _rare_key),
    "full screen": (0.3, _full_screen),
    "a recording": (0.1, _recording),
    "a held key": (2, _held_key),
    "a valid pattern": (6, _typed_pattern(VALID)),
    "a broken pattern": (3, _typed_pattern(BROKEN)),
    "a huge pattern": (1, _typed_pattern(HUGE)),
    "a crowd": (0.4, _crowd),
    "a paste": (4, _pasted),
    "a walk": (4, _walk),
    "a file": (4, _file),
    "presets": (3, _presets),
    "sliders": (6, _sliders),
    "undo": (4, _undo),
    "a click": (16, _click),
    "a drag": (10, _drag),
    "the wheel": (5, _wheel),
    "a size": (1, _size),
    "the window": (1, _window),
    "an end": (0.5, _end),
}
"""What somebody does, and how often."""
