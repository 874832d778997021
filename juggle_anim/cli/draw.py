"""The command `draw`: pictures to print and read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import click

from juggle_anim.cli.command import Command, CommandGroup, argument, option
from juggle_anim.cli.options import (
    Force,
    PatternText,
    PatternTexts,
    open_animation,
    say,
    take_parameters,
    texts_of_words,
)
from juggle_anim.errors import ParameterError, printable
from juggle_anim.exporter import picture_size
from juggle_anim.language import _

draw = CommandGroup("draw", help=_("Draw diagrams, state graphs, line drawings and sheets."))

_Out = Annotated[Path, argument(metavar="OUT", help=_("A .svg, .pdf or .png file."))]
_Fits = Annotated[
    str | None,
    option(
        metavar="WxH",
        help=_("Largest size in pixels."),
        show_default=_("large enough to read"),
    ),
]
_Size = Annotated[str, option(metavar="WxH", help=_("Size in pixels."))]
_Down = Annotated[bool, option("--down", help=_("Draw time downwards instead of to the right."))]
_Loops = Annotated[
    int | None,
    option(
        metavar="N", help=_("Number of times through the pattern."), show_default=_("a few times")
    ),
]
_CAMERA_OPTION = option(
    metavar="VIEW", help=_("default, front, left, right, back, top, or azimuth,elevation.")
)
_Camera = Annotated[str, _CAMERA_OPTION]
_ChosenCamera = Annotated[str | None, _CAMERA_OPTION]  # None for the best
_Start = Annotated[float, option(metavar="SECONDS", help=_("Start time."))]
_Exposures = Annotated[
    int | None,
    option(
        metavar="N", help=_("Number of exposures."), show_default=_("16; 5 for clubs and rings")
    ),
]


def _diagram(kind: str, about: str) -> None:
    """Add the command for a kind of diagram to the group `draw`.

    Args:
        kind: name of the kind and of its command, "ladder" or "causal".
        about: help of the command.
    """

    # The annotations are shared arguments and options with their help; `flags` are parameters that
    # are given as options.
    @draw.command(kind, help=about)
    @take_parameters
    def diagram(
        pattern: PatternText,
        path: _Out,
        down: _Down = False,
        loops: _Loops = None,
        size: _Fits = None,
        force: Force = False,
        **flags: Any,
    ) -> None:
        _write_picture(kind, pattern, path, flags, size, down=down, loops=loops, force=force)


_diagram("ladder", "Ladder diagram: a line for each hand, and throws between them.")
_diagram(
    "causal",
    "Causal diagram: an arrow from each throw to the one that it causes.",
)


@draw.command("lines")
@take_parameters
def lines(
    pattern: PatternText,
    path: _Out,
    time: Annotated[
        float | None,
        option(metavar="SECONDS", help=_("Time to draw."), show_default=_("the best moment")),
    ] = None,
    camera: _ChosenCamera = None,
    size: _Size = "1280x960",
    force: Force = False,
    **flags: Any,
) -> None:
    """Line drawing of one moment."""
    _write_picture("lines", pattern, path, flags, size, time=time, camera=camera, force=force)


@draw.command("sheet")
@take_parameters
def sheet(
    pattern: PatternText,
    path: _Out,
    frames: Annotated[int, option(metavar="N", help=_("Number of pictures."))] = 12,
    start: _Start = 0.0,
    camera: _Camera = "default",
    size: Annotated[
        str | None,
        option(metavar="WxH", help=_("Size in pixels."), show_default="1600x1131"),
    ] = None,
    force: Force = False,
    **flags: Any,
) -> None:
    """Contact sheet: moments of one loop side by side."""
    _write_picture(
        "sheet", pattern, path, flags, size, frames=frames, start=start, camera=camera, force=force
    )


@draw.command("strobe")
@take_parameters
def strobe(
    pattern: PatternText,
    path: _Out,
    frames: _Exposures = None,
    start: _Start = 0.0,
    seconds: Annotated[
        float | None,
        option(
            metavar="SECONDS", help=_("Duration to cover."), show_default=_("one loop, at most 2 s")
        ),
    ] = None,
    camera: _ChosenCamera = None,
    size: _Size = "1280x960",
    force: Force = False,
    **flags: Any,
) -> None:
    """Strobe picture: many exposures in one."""
    exposures = {"frames": frames, "start": start, "seconds": seconds}
    _write_picture("strobe", pattern, path, flags, size, camera=camera, force=force, **exposures)


@draw.command("poster")
@take_parameters
def poster(
    patterns: PatternTexts,
    *,
    path: _Out,
    layout: Annotated[
        str, option(metavar="WORD", help=_("portrait or landscape (A4), or square."))
    ] = "portrait",
    frames: _Exposures = None,
    camera: _ChosenCamera = None,
    size: _Fits = None,
    force: Force = False,
    **flags: Any,
) -> None:
    """Poster: a strobe picture with name, siteswap and ladder diagram.

    Several patterns get a strobe picture each.
    """
    from juggle_anim.api import draw as write

    animations = [open_animation(text, flags) for text in texts_of_words(patterns)]
    options: dict[str, Any] = {"layout": layout, "frames": frames, "size": _edges(size)}
    say(str(write(animations, path, "poster", camera=camera, force=force, **options)))


@draw.command("states")
def states(
    what: Annotated[
        list[str] | None,
        argument(
            metavar="PROPS MAX | PATTERN",
            help=_("Props and highest throw, as 3 5 or, for pairs, 4 6x; or a pattern."),
        ),
    ] = None,
    *,
    path: _Out,
    props: Annotated[str, option(metavar="N", help=_("Number of props."))] = "",
    highest: Annotated[str, option("--max", metavar="N", help=_("Highest throw."))] = "",
    sync: Annotated[bool, option("--sync", help=_("Both hands throw at once."))] = False,
    simplified: Annotated[
        bool,
        option("--simplified", help=_("Leave out states with a single way in or out.")),
    ] = False,
    pattern: Annotated[
        str | None,
        option(
            "--pattern",
            metavar="PATTERN",
            help=_("Highlight the states of this pattern."),
            show_default=False,
        ),
    ] = None,
    size: _Fits = None,
    dot: Annotated[
        bool, option("--dot", help=_("Print the graph in the language of Graphviz."))
    ] = False,
    json: Annotated[bool, option("--json", help=_("Print the states as JSON."))] = False,
    force: Force = False,
) -> None:
    """State graph of a pattern, or of a number of props.

    If OUT is -, states and the throws that are possible in them are printed.
    """
    from json import dumps

    from juggle_anim.api import draw_states, state_graph

    is_text = str(path) == "-"

    # What is given by name has its place among the words.
    words = [word for word in (props, *(what or []), highest) if word]
    # One word is a pattern, whose states are drawn.
    if len(words) == 1 and not (sync or pattern):
        if is_text:
            states = open_animation(words[0], {}).states
            say(dumps(states, indent=1) if json else "\n".join(states))
            return
        _write_picture("states", words[0], path, {}, size, simplified=simplified, force=force)
        return

    # Otherwise all states of some props are.
    number, greatest, crossing = _props_and_max(words)
    is_text_file = path.suffix.casefold() in (".dot", ".gv", ".txt", ".csv", ".json")
    if (is_text or is_text_file) and not (sync or crossing):
        graph = state_graph(number, greatest)
        shown_text = graph.to_dot() if dot else graph.to_json().rstrip() if json else str(graph)
        say(str(graph.save(path)) if is_text_file else shown_text)
        return
    if is_text:
        path = Path("states.svg")  # pairs have no text
    shown = None if pattern is None else open_animation(pattern, {})
    file = draw_states(
        number,
        greatest,
        path,
        sync=sync or crossing,
        simplified=simplified,
        pattern=shown,
        size=_edges(size),
        force=force,
    )
    say(str(file))


def _props_and_max(words: list[str]) -> tuple[int, int, bool]:
    """Read the words `4 6x`: props, greatest throw, and whether there is an x.

    An x means that hands throw in pairs, and throws may cross.

    Args:
        words: the words as typed.

    Returns:
        The number of props, the greatest throw, and whether an x stands behind it.

    Raises:
        ParameterError: the words have another form, or there are none.
    """
    if not words:
        raise ParameterError(_("{name} is missing", name="PROPS MAX | PATTERN"))
    crossing = words[-1].endswith("x")
    numbers = [*words[:-1], words[-1].removesuffix("x")]
    # At most four digits from 0 to 9: `int` would also read digits of other scripts, and fails for
    # thousands of digits.
    if len(words) != 2 or not all(
        word.isascii() and word.isdigit() and len(word) < 5 for word in numbers
    ):
        typed = printable(" ".join(words), 40)
        raise ParameterError(
            _(
                "{given} is neither a number of props and a highest throw, as 3 5 or 4 "
                "6x, nor a pattern, as 531",
                given=typed,
            )
        )
    return int(numbers[0]), int(numbers[1]), crossing


def _write_picture(
    kind: str, pattern: str, path: Path, flags: dict[str, Any], size: str | None, **options: Any
) -> None:
    from juggle_anim.api import draw as write

    animation = open_animation(pattern, flags)
    say(str(write(animation, path, kind, size=_edges(size), **options)))


def _edges(size: str | None) -> tuple[int, int] | None:
    """Return width and height of a typed size, [pixels]; None for the default."""
    return picture_size(size) if size else None


@click.command("variations", cls=Command)
def variations(
    pattern: PatternText,
    path: Annotated[
        Path | None,
        argument(
            metavar="OUT",
            help=_("Save a picture of all nine: .svg, .pdf or .png."),
        ),
    ] = None,
    kind: Annotated[
        str, option(metavar="WORD", help=_("What to vary: throws, times, places or mixed."))
    ] = "mixed",
    amount: Annotated[float, option(metavar="NUMBER", help=_("How much to vary, 0 to 1."))] = 0.5,
    seed: Annotated[int, option(metavar="N", help=_("Random seed."))] = 0,
    camera: _Camera = "default",
    size: _Size = "1200x1600",
    force: Force = False,
) -> None:
    """Make nine variations of a pattern.

    The fifth is the pattern itself. Each is printed as settings, which every command accepts.
    """
    # Modules are loaded where a command needs them, so that other commands start sooner.
    from juggle_anim.api import variations as vary

    animation = open_animation(pattern, flags={})
    versions = vary(animation, kind=kind, amount=amount, seed=seed)
    for number, version in enumerate(versions, 1):
        say(f"{number}  {version.settings}")
    if path is None:
        return

    from juggle_anim.exporter import read_view
    from juggle_anim.prints import print_variations

    view = read_view(camera)
    written_file = print_variations(versions, path, view=view, size=picture_size(size), force=force)
    say(str(written_file))
