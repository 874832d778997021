"""The pictures of viewer.md and the first one of the README, from the program itself.

They need a display (xvfb-run will do).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from sitter import Sitter
from small_picture import write_small

from juggle_anim.animation import animate
from juggle_anim.api import export
from juggle_anim.arrays import Bytes
from juggle_anim.parameters import CHOICES
from juggle_anim.resources import resource
from juggle_anim.viewer.arms.arm_lab import TITLES
from juggle_anim.viewer.editor import picture_editor
from juggle_anim.viewer.editor.editor import ThrowHandle
from juggle_anim.viewer.footage.footage import BESIDE, MARKS, PLACE, RIGHT_HAND, Mark
from juggle_anim.viewer.panel.controls import PresetStore
from juggle_anim.viewer.state.keymap import PLOTS, Action

IMAGES = Path(__file__).parent / "images"
SIZE = 960, 600
"""Of most pictures, [pixels]."""

_CELL = 192, 208  # of a sheet of figures
_MIDDLE = slice(40, 560), slice(230, 710)  # rows and columns around the juggler
_DEFAULT = 1280, 800  # of a new window
_SMALL = 640, 480
_LARGER = 800, 600  # a window that has room for larger words
_PRESETS = {
    "Elbows out": "chickenwing=75;arms=chicken-wing",
    "High and calm": "bps=2.6;dwell=1.1",
    "On the Moon": "gravity=162",
}
# Parts of a picture: the ladder below the juggler, and a menu over it.
_LADDER, _MENU = (slice(322, 534), slice(312, 950)), (slice(184, 500), slice(312, 768))
_AROUND = slice(220, 480), slice(0, 440)
_BESIDE_PANEL = slice(0, 534), slice(310, None)
_INK, _PAPER = (38, 40, 44), (255, 255, 255)


def all_pictures() -> None:
    """Make all pictures."""
    IMAGES.mkdir(exist_ok=True)
    _make(PICTURES, IMAGES, write_small)


def to_compare(folder: Path, names: Sequence[str]) -> None:
    """Make pictures as the window shows them, each pixel in its true colour; all if none is
    named.
    """
    _make(
        names or PICTURES,
        folder,
        lambda picture, path: Image.fromarray(picture).save(path, compress_level=1),
    )


def readme(sitter: Sitter) -> Bytes:
    """A larger window as it opens."""
    sitter.resize(_DEFAULT)
    sitter.show("531", 0.74)
    picture = sitter.portrait()
    sitter.resize(SIZE)
    return picture


def window(sitter: Sitter) -> Bytes:
    """The window as it opens."""
    sitter.show("531", 0.74)
    return sitter.portrait()


def welcome(sitter: Sitter) -> Bytes:
    """The first look around, at its third stop, in a small window."""
    sitter.resize(_SMALL)
    controller = sitter.show("Cascade", 0.74, Action.WELCOME)
    controller.welcome.go_on(2)
    picture = sitter.portrait()[_AROUND]
    sitter.resize(SIZE)
    return picture


def library(sitter: Sitter) -> Bytes:
    """The library with a search."""
    controller = sitter.show("531", 0.74, Action.BROWSE)
    controller.library.browser.favourites = ["Mills mess", "441"]
    sitter.type("mess")
    controller.perform(Action.CHOOSE_NEXT)
    controller.model.playback.time = 0.55
    return sitter.portrait()


def generator(sitter: Sitter) -> Bytes:
    """The generator, with some stars."""
    controller = sitter.show("531", 0.74, Action.GENERATE)
    view = controller.library.generator
    for control in view.controls:
        control.value = {"props": 5, "max_throw": 9, "period": 7}.get(control.name, control.value)
    view.begin()
    while view.advance(1.0):
        pass
    for number in (14, 17):
        view.star(view.found[number])
    view.scroll_to_chosen = True
    view.play(16)
    controller.model.playback.time = 0.55
    return sitter.portrait()


def routine(sitter: Sitter) -> Bytes:
    """The list of a routine, in the middle of it."""
    lines = (
        "cascade 6 catches",
        "531 2 loops",
        "mills mess 1 loop",
        "441 2 loops",
        "51 for 2 s",
        "box 2 loops",
        "stop",
    )
    sitter.show("\n".join(("title=Six tricks", *lines)), 6.1, Action.ROUTINE)
    return sitter.portrait()


def lesson(sitter: Sitter) -> Bytes:
    """The first page of the lesson of a starter."""
    sitter.show("Box", 0.55, Action.LEARN)
    return sitter.portrait()


def lesson_step(sitter: Sitter) -> Bytes:
    """A step with two props."""
    controller = sitter.show("531", 0.3, Action.LEARN)
    controller.lesson.go_to(4)
    controller.model.playback.time = 1.2
    return sitter.portrait()


def variations(sitter: Sitter) -> Bytes:
    """Nine variations of the throws of a pattern."""
    controller = sitter.show("531", 0.3, Action.VARY, Action.TURN_UP)
    while controller.variations.advance():
        pass
    return sitter.portrait()


def sliders(sitter: Sitter) -> Bytes:
    """Changed sliders, and the list of presets."""
    store = PresetStore(sitter.presets)
    for name, preset in _PRESETS.items():
        store.save(name, preset)
    model = sitter.show(
        "531", 0.74, Action.PRESETS, chicken_wing=75, dwell=0.9, bps=3.4, arms="chicken-wing"
    ).model
    model.preset_list.chosen, model.listing.query = "High and calm", "changed"
    return sitter.portrait()


def ladder(sitter: Sitter) -> Bytes:
    """The beats of a pattern and its ladder."""
    model = sitter.show("531", 1.03).model
    model.diagrams.show("ladder")
    return sitter.portrait()


def live(sitter: Sitter) -> Bytes:
    """On the way from one pattern to another."""
    model = sitter.show("3", 1.0).model
    model.diagrams.show("ladder")
    model.playback.paused = False
    model.type_pattern("51")
    model.playback.pause_at(model.live.last.routine.parts[-1].begins - model.playback.base + 0.05)
    return sitter.portrait()


def causal(sitter: Sitter) -> Bytes:
    """The causal diagram of two jugglers who pass."""
    model = sitter.show("<3p 3|3p 3>", 0.5).model
    model.diagrams.show("causal")
    return sitter.portrait()


def states(sitter: Sitter) -> Bytes:
    """The state graph with the cycle of a pattern."""
    sitter.show("531", 0.74, Action.STATE_GRAPH)
    return sitter.portrait()


def facts(sitter: Sitter) -> Bytes:
    """The facts of a composite pattern, and its states."""
    sitter.show("45141", 0.74, Action.FACTS)
    return sitter.portrait()


def plots(sitter: Sitter) -> Bytes:
    """Plots of an arm, and of the arm of a second solver."""
    model = sitter.show("531", 0.74, ghost="chicken-wing").model
    model.plots.turn_to(TITLES.index("Joints"))
    model.cards.strip = PLOTS
    return sitter.portrait()[:, _BESIDE_PANEL[1]]


def goal(sitter: Sitter) -> Bytes:
    """A goal that an arm follows."""
    model = sitter.show("531", 0.74, Action.GOAL, Action.METHOD).model
    sitter.portrait()
    assert model.lab
    model.lab.place_goal(model.lab.goal + np.array([0.10, 0.35, 0.05]))
    return sitter.portrait()


def footage(sitter: Sitter) -> Bytes:
    """A film beside the animation, with marks of a hand; the film is our own, of another tempo,
    figure and stage.
    """
    person = animate("3").replace(bps=3.2, dwell=1.2, stage="gym", figure="mannequin")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "practice.mp4"
        export(person, path, size=(360, 480), fps=10, seconds=4.0, cameras=("front",))
        controller = sitter.show("3", 0.0)
        view, beat = controller.footage, 1 / 3.2
        view.open(str(path))
        view.controls.set_value(PLACE, BESIDE)
        view.controls.set_value(MARKS, RIGHT_HAND)
        missed = 0.02 * np.random.default_rng(5).standard_normal((6, 2))
        throws = 2 * beat * np.arange(1, 7) + missed[:, 0]
        view.marks.made = [
            Mark(time - 1.2 * beat + off, time)
            for time, off in zip(throws, missed[:, 1], strict=True)
        ]
        controller.perform(Action.USE_MARKS)
        controller.model.notice.text = ""
        controller.model.playback.time += 1.02
        picture = sitter.portrait()
        view.close()
    return picture


def handles(sitter: Sitter) -> Bytes:
    """A throw that is dragged in the picture, and snaps to where the other hand throws."""
    controller = sitter.show("Mills mess", 0.3, Action.EDIT)
    sitter.portrait()
    controller.model.rig.zoom(4.0, (0.33, 0.62))
    sitter.portrait()
    picture = controller.picture
    thrown = next(
        point
        for point in picture.handles.points
        if point.mark is picture_editor.Mark.THROW and point.hand == 1
    )
    x, y = picture.view.to_window(np.array([thrown.place]))[0]
    above = picture.view.to_window(np.array([thrown.place]) + (0.008, 0.16, 0.0))[0]
    picture.press(x, y)
    picture.aim(*above)
    image = sitter.portrait()
    picture.release()
    return image[_BESIDE_PANEL]


def ladder_edit(sitter: Sitter) -> Bytes:
    """The head of an arrow of 531 is dragged to another throw on the ladder, which makes 441."""
    ladder = sitter.show("531", 0.0, Action.EDIT).ladder
    sitter.portrait()
    arrow = next(each for each in ladder.handles().handles if each.handle == ThrowHandle(0))
    view = ladder.view
    end = view.x_of(4.1 / 6, 0), view.y_of(ladder.handles().lines[1] - 2)
    sitter.drag(view.place(arrow.x, arrow.y, 0), end)
    image = sitter.portrait()
    sitter.drop()
    return image[_LADDER]


def edit_menu(sitter: Sitter) -> Bytes:
    """The menu of a throw, with the siteswap that comes of each line."""
    controller = sitter.show("531", 0.0, Action.EDIT, Action.HANDLE_AFTER, Action.HANDLE_AFTER)
    sitter.portrait()
    controller.perform(Action.EDIT_MENU)
    return sitter.portrait()[_MENU]


def unsaved(sitter: Sitter) -> Bytes:
    """Edited events in no file, and the question before the window closes, in a small window."""
    sitter.resize(_SMALL)
    controller = sitter.show("531", 0.74, Action.EVENTS)
    controller.editor.apply(lambda editor: editor.move_event(0, time=0.05), "time")
    controller.model.notice.text = ""
    controller.perform(Action.LEAVE)
    picture = sitter.portrait()
    sitter.resize(SIZE)
    return picture


def split(sitter: Sitter) -> Bytes:
    """Two patterns side by side."""
    model = sitter.show("3", 0.0, Action.SPLIT, Action.OTHER_HALF).model
    model.type_pattern("Mills mess")
    model.playback.time = 0.55
    return sitter.portrait()


def stereo(sitter: Sitter) -> Bytes:
    """A picture for each eye, and no panels."""
    sitter.show("441", 0.55, Action.TOGGLE_PANEL, stereo="parallel")
    return sitter.portrait()


def aids(sitter: Sitter) -> Bytes:
    """Axes of joints, and the reach of wrists."""
    sitter.show("531", 0.74, Action.TOGGLE_PANEL, aids="both", figure="see-through")
    return sitter.portrait()[_MIDDLE]


def arcs(sitter: Sitter) -> Bytes:
    """Arcs of props in the air, and numbers."""
    controller = sitter.show("531", 0.95, Action.TOGGLE_PANEL, paths="flying")
    screen = controller.model.screen
    while not (screen.numbers.of_props and screen.numbers.of_throws):
        controller.perform(Action.NUMBERS)
    return sitter.portrait()[_MIDDLE]


def looks(sitter: Sitter) -> Bytes:
    """Every figure on every stage, in a sheet."""
    figures, stages = _options("figure"), _options("stage")
    sitter.resize(_CELL)
    rows = []
    for stage in stages:
        row = []
        for figure in figures:
            sitter.show("531", 0.74, Action.TOGGLE_PANEL, figure=figure, stage=stage)
            row.append(sitter.portrait())
        rows.append(row)
    sitter.resize(SIZE)
    return _sheet(rows, figures, stages)


def themes(sitter: Sitter) -> Bytes:
    """The window in every theme but the default one, which all other pictures show."""
    names, row = _options("theme")[1:], []
    sitter.resize(_LARGER)
    for theme in names:
        model = sitter.show("531", 0.95, theme=theme, paths="both", ghost="chicken-wing").model
        model.plots.turn_to(TITLES.index("Joints"))
        model.cards.strip = PLOTS
        row.append(sitter.portrait())
    sitter.resize(SIZE)
    return _sheet([row], names)


def keys(sitter: Sitter) -> Bytes:
    """All keys."""
    sitter.show("531", 0.74, Action.TOGGLE_HELP)
    return sitter.portrait()


PICTURES = {"viewer.png": readme} | {
    f"viewer_{each.__name__}.png": each
    for each in (
        window, welcome, library, generator, routine, lesson, lesson_step, variations, live,
        sliders, ladder, causal,
        states, facts, plots, goal, footage, handles, ladder_edit, edit_menu, unsaved, split,
        stereo, aids, arcs, looks,
        themes, keys,
    )
}  # fmt: skip
"""By file name: the function that makes each picture."""


def _options(name: str) -> tuple[str, ...]:
    return next(row.options for row in CHOICES if row.name == name)


def _sheet(
    rows: Sequence[Sequence[Bytes]], across: Sequence[str], down: Sequence[str] = ()
) -> Bytes:
    """Return pictures of one size in rows, with labels over columns and beside rows."""
    (high, wide, _), gap, head = rows[0][0].shape, 8, 28
    left = 72 if down else 0
    size = left + len(across) * (wide + gap) - gap, head + len(rows) * (high + gap) - gap
    paper = Image.new("RGB", size, _PAPER)
    pen, font = (
        ImageDraw.Draw(paper),
        ImageFont.truetype(str(resource("assets", "fonts/Inter-Medium.ttf")), 17),
    )
    for column, words in enumerate(across):
        pen.text(
            (left + column * (wide + gap) + wide / 2, head / 2), words, _INK, font, anchor="mm"
        )
    for number, row in enumerate(rows):
        top = head + number * (high + gap)
        if down:
            pen.text((left - 12, top + high / 2), down[number], _INK, font, anchor="rm")
        for column, picture in enumerate(row):
            paper.paste(Image.fromarray(picture), (left + column * (wide + gap), top))
    return np.asarray(paper)


def _make(names: Iterable[str], folder: Path, write: Callable[[Bytes, Path], None]) -> None:
    with Sitter(SIZE) as sitter:
        for name in names:
            write(PICTURES[name](sitter), folder / name)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        to_compare(Path(sys.argv[1]), sys.argv[2:])
    else:
        all_pictures()
