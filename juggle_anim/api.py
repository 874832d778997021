"""The public functions that show, export, draw or measure; each accepts an animation or the text of
one.

Names that people guess: what an animation has is also a function of a pattern, and the other way
round, so that `collisions("531")` is `animate("531").collisions()`.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, overload

from juggle_anim.animation import (
    Animation,
    PatternText,
    animate,
    animated,
    text_setting,
    times_first,
)
from juggle_anim.body import Joint
from juggle_anim.errors import ExportError, ParameterError, counted, did_you_mean, require_library
from juggle_anim.exporter import ExportOptions, options_as_keywords, picture_size
from juggle_anim.formats import DRAWINGS, EXPORTS, load
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import FACT_NAMES, FILE_WORDS, WRITTEN, ending_of, facts_of, find_pattern
from juggle_anim.parameters import (
    ROWS,
    SETTINGS,
    SIDED_PARAMETERS,
    TEXT_KEYS,
    Guessed,
    HasTable,
    Parameters,
    Result,
    Table,
    aligned,
    cell,
    guessed_keywords,
    is_plural,
    named_like,
    no_such,
    plain_words,
    row_named,
    same_name,
    setting_named,
    throw_terms,
)

if TYPE_CHECKING:
    from PIL.Image import Image

    from juggle_anim.analysis import Analysis, ArmComparison
    from juggle_anim.notation import Check, JoinedPatterns, Lesson
    from juggle_anim.notebook import AnimationWidget
    from juggle_anim.optimiser import Optimised
    from juggle_anim.prints import PrintOptions
    from juggle_anim.routine import Routine as LiveRoutine

_MOMENT = 1e-3  # s, the duration of a film of one picture
_MOST_NAMES = 40  # in an error
_MOST_SOLUTIONS = 1_000  # of a siteswap with a ?


def show(
    animation: Animation | str | None = None,
    *,
    safe: bool = False,
    listed: str = "",
    welcome: bool = False,
    camera: str = "",
    fullscreen: bool = False,
    **settings: Any,
) -> None:
    """Open the viewer, and return when it is closed.

    Args:
        animation: an animation, or a text as for `animate`; by default the one shown last, in its
            last state.
        safe: whether to begin with defaults instead of the state that the viewer remembers.
        listed: path of the file with the animation; if it has several patterns, the viewer lists
            them beside the animation. Empty for none.
        welcome: whether to show the tour of the viewer, as at the very first start.
        camera: the name of a view, as "front"; by default the last one.
        fullscreen: whether the window fills the screen.
        settings: of the animation, as `animate` takes them; without an animation, of a cascade.

    Raises:
        NotationError: the text is no valid pattern.
        ParameterError: there is no such view or setting, or a value is out of range.
        ViewerError: no window can be opened.
    """
    from juggle_anim.exporter import read_view

    view = read_view(camera).name if camera else ""
    # Only what is given is passed on, so that all else has the defaults of the viewer.
    flags = {
        "safe": safe,
        "listed": listed,
        "welcome": welcome,
        "camera": view,
        "fullscreen": fullscreen,
    }
    options: dict[str, Any] = {name: value for name, value in flags.items() if value}
    if animation is None and settings:
        animation = "3"
    shown = None if animation is None else _animation(animation, **settings)
    load("viewer:show")(shown, **options)


class Files(list[Path]):
    """The files that were written; a single one is used like its path."""

    def __fspath__(self) -> str:
        """Return the path of the only file; the folder of several."""
        return str(self[0] if len(self) == 1 else self[0].parent)


@options_as_keywords(ExportOptions)
def export(
    animation: Animation | str, path: str | Path, options: ExportOptions, **settings: Any
) -> Files:
    """Export an animation to files, in the format that the path names.

    Each file contains the settings that open the pattern again.

    Args:
        animation: an animation, or a text as for `animate`.
        path: a folder for PNG frames, made if it does not exist; a template for the names of
            frames, as `shots/####.jpg`; or a file: a video, an animated picture, a still, a web
            page, a model or a table, whose endings are those of `juggle-anim export --help`.
            `{camera}` in it is the name of the camera.
        options: keyword arguments, such as `size=(640, 480)`:
            size: width and height of the picture, [pixels]; also as a text, "640x480" or "1080p".
            fps: frames a second; by default 60, 33.3 for a GIF, and 30 for other animated pictures.
            loops: how often the pattern repeats; "all", the default of videos and models,
                repeats it until every prop is back where it started.
            start: the time of the first frame, [s].
            seconds: a duration in place of whole loops, [s].
            at: "beats", "throws" or "catches": only one picture at each of these.
            cameras: names of views, as "front", azimuth and elevation, as "30,10" [°], "turntable",
                or a path of these with seconds, as "front@0 left@2"; a file for each.
            max_size: the largest size of each video, [bytes]; frame rate, then resolution are
                reduced to fit.
            transparent: whether the background is transparent, in formats with an alpha channel;
                soft shadows stay, except in a GIF.
            background: a colour in place of the floor and everything behind it, as `colors` has
                them: "white", "#ff8c00".
            supersampling, blur: samples along each edge of a pixel, and exposures for each frame.
            quality: "draft", "good" or "best".
            dither: whether a GIF mixes its colours pixel by pixel.
            sound: whether a video has a sound for each catch.
            depth: bits a channel of PNG pictures, 8 or 16.
            captions: whether pictures show the throws, with those of the current beat marked.
            subtitles: "srt" or "vtt", a file with the captions beside each video; a path with
                such an ending writes only that file.
            bones: "mixamo" or "vrm", the naming scheme for the bones of a model; by default its
                own.
            scale: units to a metre in a BVH, 100 for centimetres.
            first: the number of the first frame in file names.
            force: whether existing files may be replaced.
            resume: whether existing files of this same export are kept, and only missing ones
                written.
            progress: called after each frame with the number of frames done and of all frames.
        settings: as for `animate`.

    Returns:
        The files written and kept; `open` also takes the list of a single one.

    Raises:
        NotationError: the text is no valid pattern.
        ParameterError: a size, rate, number, camera or format is not possible.
        ExportError: a file already exists, or cannot be written.
        RenderError: no picture can be drawn on this machine.
    """
    from juggle_anim.exporter import export as write
    from juggle_anim.exporter import export_path

    return Files(write(_animation(animation, **settings), export_path(path), options))


def save(
    pattern: Animation | str,
    path: Any,
    format: str = "",  # noqa: A002
    **given: Any,
) -> Files:
    """Save a file in the format of its ending: a picture, video, model, drawing or pattern file.

    Args:
        pattern: an animation, or a text as for `animate`.
        path: the file, which unlike with `export` is replaced if it exists; or an open binary file,
            as `io.BytesIO()`.
        format: the ending, as "gif", where the path has none; ignored where it has one.
        given: settings as for `animate`, and options as for `export`.

    Returns:
        The files written; none for an open file.

    Raises:
        NotationError, ParameterError, ExportError: as of `animate` and `export`.
    """
    # `animate` keeps options of `export` in `animation.film`; `animation.export` and
    # `animation.save` use them from there.
    animation = animate(pattern, **given)
    if hasattr(path, "write"):
        path.write(_bytes_of(ending_of(format), animation.save))
        return Files()
    path = Path(path) if Path(path).suffix else Path(f"{path}{ending_of(format)}")
    ending = path.suffix.casefold()
    # A pattern file.
    if ending in WRITTEN:
        write(animation, path, force=True)
    # A drawing for print, if its ending is one that `export` does not know, as that of an SVG.
    elif ending in DRAWINGS.keys() - EXPORTS.keys():
        size = animation.film.get("size")
        draw(
            animation, path, size=picture_size(size) if isinstance(size, str) else size, force=True
        )
    # Everything else is exported, which also raises the error for an unknown ending.
    else:
        return Files(animation.export(path, force=True))
    return Files([path])


@guessed_keywords
def save_all(
    patterns: str | Iterable[Animation | str],
    folder: str | Path,
    format: str = "gif",  # noqa: A002
    workers: int = 1,
    **given: Any,
) -> Files:
    """Save many patterns, a file each.

    Args:
        patterns: a file of patterns, or several animations or texts as for `animate`.
        folder: for the files, which are named after their patterns.
        format: the ending of each, as for `export`.
        workers: number of processes that do it; with several, solvers of `register_solver` are
            unknown to them.
        given: settings as for `animate`, and options as for `export`.

    Returns:
        The files written.

    Raises:
        NotationError, FileError, ParameterError: as of `animate` and `export`.
        ExportError: the folder is not empty, and `force` is not set; or a pattern cannot be saved,
            once all others are.
    """
    batch = import_module("juggle_anim.batch")
    several = [patterns] if isinstance(patterns, str) else patterns
    # A batch takes texts; settings of an animation that begin with the pattern are one.
    texts = [
        text if isinstance(text, str) else text.settings.removeprefix("pattern=")
        for text in several
    ]
    film, settings = load("exporter.options:film_options")(given)
    options = ExportOptions(**film)
    planned = batch.plan(
        batch.batch_items(texts), Path(folder), format, overrides=settings, options=options
    )
    outcomes = (
        [*planned.unreadable, *map(batch.run_task, planned.tasks)]
        if workers == 1
        else sorted(batch.run(planned, workers=workers), key=lambda outcome: outcome.number)
    )
    if reasons := [outcome.reason for outcome in outcomes if outcome.reason]:
        raise ExportError(reasons[0])
    return Files(Path(folder, file) for outcome in outcomes for file in outcome.files)


@guessed_keywords
def picture(
    pattern: Animation | str,
    time: float = 0.0,
    *,
    width: int = 800,
    height: int = 600,
    **given: Any,
) -> Image:
    """Draw one picture.

    Args:
        pattern: an animation, or a text as for `animate`.
        time: time of the picture in the animation, [s].
        width, height: size of the picture, [pixels].
        given: settings as for `animate`, and options as for `export`, such as `camera` or
            `background`. Its `size` and `start` prevail over `width` and `height`, and over `time`.

    Returns:
        The picture in RGB.

    Raises:
        NotationError, ParameterError, RenderError: as of `animate` and `export`.
    """
    from PIL import Image  # only where it is needed: it takes long to load

    options = {"size": (width, height), "start": time, **given}
    # A film so short that it has a single picture.
    (pixels,) = animate(pattern, **options).frames(duration=_MOMENT)
    return Image.fromarray(pixels).convert("RGB")


def is_valid(text: Animation | str) -> bool:
    """Whether a text is a valid pattern; the error of `animate` says why not.

    Args:
        text: as for `animate`.
    """
    return bool(check(text))


def check(text: Animation | str, *, all: bool = False) -> Check:  # noqa: A002
    """Check a text, and say why it is no pattern: `check("432").message`.

    Args:
        text: as for `animate`.
        all: whether to find what a siteswap with a ? may stand for, as `solutions`.

    Returns:
        The result, which is true for a valid pattern; `facts` has what is known of that.
    """
    from juggle_anim.notation import check as read_text
    from juggle_anim.notation import check_completions

    text = str(text)  # of an animation, too
    completed = islice(check_completions(text), _MOST_SOLUTIONS if all else 0)
    return replace(read_text(text), solutions=tuple(check.text for check in completed if check))


class Library(Guessed, Mapping[str, Animation]):
    """The built-in patterns, by name: `library["mills mess"]`.

    The names that it goes through also have what animations have, such as `num_props`.
    """

    def __getitem__(self, name: str) -> Animation:
        if isinstance(name, int):
            return self[list(self)[name]]
        if pattern := find_pattern(name):
            return animate(pattern.settings_text)
        raise KeyError(no_such("library", name, self))

    def to_csv(self, path: str | Path | None = None) -> str:
        """Return all patterns as CSV; also write that to a file, or replace it."""
        return Table(map(_facts_row, self.values())).to_csv(path)

    def __iter__(self) -> Iterator[str]:
        from juggle_anim.notation.library import library as read

        return (PatternText(pattern.name) for pattern in read())

    def __len__(self) -> int:
        return sum(1 for _name in self)

    def names(self) -> list[str]:
        """Return all names, in the order of the library."""
        return list(self)

    @guessed_keywords
    def search(
        self,
        words: str = "",
        props: int | None = None,
        jugglers: int | None = None,
        difficulty: str | int | None = None,
        max_throw: int | None = None,
        limit: int | None = None,
    ) -> list[Animation]:
        """Return the patterns that some words describe, the best match first; by default all.

        Args:
            words: words of a name, tag, siteswap or description, which may be mistyped.
            props, jugglers: numbers of props and of jugglers; None for any.
            difficulty: easy, medium or hard, or a number from 1 to 10.
            max_throw: the highest throw that is wanted, siteswap.
            limit: the greatest number of patterns; None for all.

        Raises:
            ParameterError: there is no such difficulty.
        """
        from juggle_anim.notation import (
            difficulty_range,
            english_query,
            listed_in_library,
            search_listed,
        )

        levels = difficulty_range(difficulty)
        matches = search_listed(english_query(words), listed_in_library())
        wanted = (
            animate(match.text)
            for match in matches
            if props in (None, match.pattern.props)
            and jugglers in (None, match.pattern.jugglers)
            and match.pattern.difficulty in levels
        )
        low = (pattern for pattern in wanted if max_throw is None or pattern.max_throw <= max_throw)
        return list(islice(low, limit))

    __call__ = search


library = Library()
"""All built-in patterns."""


@dataclass(frozen=True)
class RoutinePart(Result):
    """A pattern of a routine.

    Args:
        name: the pattern, as the routine names it.
        siteswap: its throws.
        start, end: when the throws to it begin, and when what follows begins, [s].
        transition: the throws that lead to it.
        repeats: how often the siteswap is juggled; None where a line of a file gives another
            length, such as `10 s`.
    """

    name: str
    siteswap: str
    start: float
    end: float
    transition: str
    repeats: int | None

    @property
    def pattern(self) -> str:
        """The pattern, as `animate` reads it."""
        return self.name

    @property
    def duration(self) -> float:
        """From `start` to `end`, [s]."""
        return self.end - self.start

    length = duration


class Routine(HasTable):
    """Patterns one after another, joined by transitions: `Routine(["3", "441"]).save("a.mp4")`.

    A routine has all attributes of its `animation`.

    Args:
        patterns: the first ones, as for `add`; also pairs of a pattern and its repeats.
        repeats: how often the siteswap of each of these is juggled; also a number for each.
        settings: of the whole routine, as for `animate`.

    Raises:
        ParameterError: there are more or fewer repeats than patterns, or a setting is not possible.
    """

    _TABLE = "parts"

    @guessed_keywords
    def __init__(
        self,
        patterns: str | Iterable[str | tuple[str, int | str]] | Mapping[str, int | str] = (),
        repeats: int | Sequence[int] = 4,
        **settings: Any,
    ) -> None:
        """Write the settings as the head, and a line for each pattern; see the class."""
        self._head = ""
        self._lines: list[str] = []
        if settings:
            # The head of a routine has settings as a pattern has them.
            written = animate("3", **settings).settings.split(";")
            self._head = "\n".join((*written[1:], ""))
        if isinstance(patterns, str):
            patterns = patterns.splitlines()
        lines = [*(patterns.items() if isinstance(patterns, Mapping) else patterns)]
        counts = [repeats] * len(lines) if isinstance(repeats, int) else repeats
        if len(counts) != len(lines):
            raise ParameterError.of("repeats", counts, _("one for each pattern"))
        for pattern, count in zip(lines, counts, strict=True):
            self.add(pattern, count)

    def __iter__(self) -> Iterator[RoutinePart]:
        return iter(self.parts)

    @classmethod
    def read(cls, path: str | Path, repeats: int = 4) -> Routine:
        """Read the lines of a routine, or a list of patterns, from a text file.

        Args:
            path: the file, such as `docs/routines.md` describes.
            repeats: how often the siteswap of a line without a length is juggled.

        Raises:
            FileError: the file cannot be read.
        """
        texts = import_module("juggle_anim.notation.routine")
        text = load("notation.files:read_text_file")(Path(path))
        routine = cls()
        routine._head = texts.with_lines(text, [])
        routine._lines = [
            texts.with_length(line, f"{repeats} loops") for _row, line in texts.lines_below(text)
        ]
        return routine

    @guessed_keywords
    def add(self, pattern: str | tuple[str, int | str], repeats: int | str = 4) -> None:
        """Add a pattern at the end.

        Args:
            pattern: a text, as for `animate`; also a pair of it and its repeats, or a line of a
                routine, as `441 2 loops` or `441x2`.
            repeats: how often its siteswap is juggled, or for how long, as "10 s".
        """
        if isinstance(pattern, tuple | list):
            pattern, repeats = pattern
        length = repeats if isinstance(repeats, str) else f"{repeats} loops"
        # As on the command line, `441x2` is 441 twice.
        line = re.sub(r"\s*[x*×](\d+)$", r" \1 loops", str(pattern))
        self._lines.append(load("notation.routine:with_length")(line, length))

    @property
    def animation(self) -> Animation:
        """The whole routine as an animation.

        Raises:
            RoutineError: a pattern is not valid, or cannot follow the one before it.
        """
        text = load("notation.routine:with_lines")(self._head, self._lines)
        # A text of one such line alone would be a name.
        return animated(load("notation.routine:read_routine")(text).patterns[0].settings)

    @property
    def siteswap(self) -> str:
        """All throws: each pattern as often as it is juggled, after the throws that lead to it."""
        return "".join(
            f"{part.transition}({part.siteswap}^{part.repeats})"
            if part.repeats
            else f"{part.transition}({part.siteswap})"
            for part in self.parts
        )

    @property
    def parts(self) -> Table[RoutinePart]:
        """The patterns of the routine, in order, with the times at which they are juggled, [s]."""
        script = self.animation.score.routine
        parts = []
        for line in script.lines if script else ():
            # A line such as `441 4 loops` or `441 for 10 s` is split into the pattern, a number and
            # its unit; without a length there is the pattern alone. A stop has no pattern.
            text, *length = re.split(r"(?:\s+for)?\s+(\d\S*)\s*([a-z]+)\s*$", line.text.strip())
            if text.casefold().startswith("stop"):
                continue
            repeats = int(length[0]) if length and length[1] == "loops" else None
            transition = "".join(line.throws)
            siteswap = animate(text).siteswap
            parts.append(RoutinePart(text, siteswap, line.begins, line.ends, transition, repeats))
        return Table(parts)

    def __str__(self) -> str:
        """Return its lines, as a file of a routine has them."""
        return load("notation.routine:with_lines")(self._head, self._lines).rstrip()

    @staticmethod
    def of(animation: Animation, start: float = 0.0) -> LiveRoutine:
        """The live routine of one pattern, whose own time 0 is `start` [s]."""
        return load("routine:Routine").of(animation, start)

    @staticmethod
    def through(patterns: Sequence[Animation | str], seconds: Any = 5.0) -> LiveRoutine:
        """The live routine of several patterns; see `juggle_anim.routine.Routine.through`."""
        return load("routine:Routine").through(patterns, seconds)

    def __getattr__(self, name: str) -> Any:
        return self.add if same_name(name, ["add"]) else getattr(self.animation, name)


@dataclass(frozen=True)
class PatternFile(Sequence[Animation]):
    """The patterns of a file as animations, in the order of the file.

    Args:
        animations: the valid patterns.
        names: their names in the file.
        problems: a sentence for each pattern that is not valid, and for everything not read; each
            is also a warning.
    """

    animations: tuple[Animation, ...]
    names: tuple[str, ...]
    problems: tuple[str, ...] = ()

    @overload
    def __getitem__(self, index: int | str) -> Animation: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Animation, ...]: ...

    def __getitem__(self, index: int | str | slice) -> Animation | tuple[Animation, ...]:
        return Table(self.animations)[index]

    def __len__(self) -> int:
        return len(self.animations)

    def __getattr__(self, name: str) -> Any:
        """Return what the only pattern has; of several, what all have in common is a table."""
        if name.startswith("_"):
            raise AttributeError(name)
        if len(self) == 1:
            return getattr(self.animations[0], name)
        if name == "save":
            return partial(write, self, force=True)
        if name in dir(Result):
            return getattr(Table(map(_facts_row, self)), name)
        first = _("[0] is the first pattern of the file")
        raise AttributeError(no_such(repr(self), name, hint=first), name=name)

    def __repr__(self) -> str:
        return f"<PatternFile: {counted(len(self), 'pattern')}, problems: {len(self.problems)}>"


def _facts_row(animation: Animation) -> dict[str, Any]:
    """Return what a pattern is, as a row of a table of several."""
    names = ("name", "siteswap", "num_props", "num_jugglers", "period", "max_throw")
    return {name: getattr(animation, name) for name in names}


def read(path: str | Path) -> PatternFile:
    """Read all patterns of a file.

    Accepted are JML, JIF, JoePass!, JuggleMaster, plain lists, and pictures and videos that this
    program exported.

    Args:
        path: the file; `tricks.jml#3` is the third pattern of `tricks.jml`.

    Returns:
        The animations with their names, and what is wrong with other patterns of the file, of which
        Python warns, too.

    Raises:
        FileError: the file cannot be read, or has another format.
    """
    from juggle_anim.notation import (
        broken_entry_error,
        find_file_reference,
        note_sentences,
        read_file,
    )

    reference = find_file_reference(str(path))
    if reference and reference.choice:
        animation = animate(str(path))
        return PatternFile((animation,), (animation.title,))
    listed = load("notation.rewriting:with_titles")(read_file(path))
    # Patterns that cannot be read have no settings.
    valid = [(entry.display, entry.settings) for entry in listed.patterns if entry.settings]
    broken = [
        broken_entry_error(entry, Path(path)) for entry in listed.patterns if not entry.settings
    ]
    return PatternFile(
        animations=tuple(animated(settings) for _name, settings in valid),
        names=tuple(name for name, _settings in valid),
        problems=_warned((*map(str, broken), *note_sentences(listed.notes))),
    )


def _warned(sentences: Sequence[str]) -> tuple[str, ...]:
    """Return sentences on what is lost, after a warning of each where the library is called."""
    # Between the library and its caller may be the wrapper that takes guessed keywords.
    package = __name__.partition(".")[0]
    level = 1
    frame = inspect.currentframe()
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        level += 1
        frame = frame.f_back
    for sentence in sentences:
        warnings.warn(sentence, stacklevel=level)
    return tuple(sentences)


@guessed_keywords
def write(
    patterns: Animation | str | Iterable[Animation | str | tuple[str, Animation | str]],
    path: str | Path,
    *,
    title: str = "",
    force: bool = False,
) -> tuple[str, ...]:
    """Write patterns to a file, in the format that its ending names.

    Args:
        patterns: one or several, each an animation or a text as for `animate`; also pairs of a
            name and a pattern, or a dict of these.
        path: a file that ends in .jml, .jif, .pass, .csv or .txt; .jml, .csv and .txt hold several.
        title: of the list, or of a single pattern.
        force: whether an existing file may be replaced.

    Returns:
        What the format cannot hold, a sentence for each, which is also a warning.

    Raises:
        NotationError: a text is no valid pattern.
        FileError: no format has this ending, or the format holds only one pattern.
        ExportError: the file already exists, or cannot be written.
    """
    from juggle_anim.notation import Entry, PatternList, write_file

    # A single pattern is distinguished from a list of one, as formats write lists in another way.
    # A routine goes through its parts, but is one pattern.
    single = isinstance(patterns, str | Routine) or not isinstance(patterns, Iterable)
    several: Any = [patterns] if single else patterns
    own_title = {"title": title} if single and title else {}
    # A pair is a name and its pattern.
    animations = [
        _animation(pattern[1], title=pattern[0])
        if isinstance(pattern, tuple)
        else _animation(pattern, **own_title)
        for pattern in (several.items() if isinstance(several, Mapping) else several)
    ]
    entries = tuple(Entry(animation.title, animation.as_settings()) for animation in animations)
    listed = PatternList(entries, "" if single else title, single=single)
    return _warned(write_file(listed, path, force))


def draw(
    animation: Animation | str | Sequence[Animation | str] | States,
    path: str | Path,
    kind: str = "lines",
    *,
    camera: str | None = None,
    force: bool = False,
    **options: Any,
) -> Path:
    """Draw a picture for print; the file contains the settings that open the pattern again.

    Args:
        animation: an animation, or a text as for `animate`; for a diagram or poster also several of
            them; or a state graph, of which `path` and `force` are the only arguments.
        path: a file that ends in `.svg`, `.pdf` or `.png`.
        kind: "ladder", "causal", "lines", "sheet", "strobe", "poster" or "states".
        camera: the name of a view, or azimuth and elevation, as "30,10" [°]; diagrams have none.
        force: whether an existing file may be replaced.
        options: `size` [pixels]; for diagrams `down` and `loops`; for lines `time` [s]; for a sheet
            `frames`, `start` [s], `columns` and `rows`; for a strobe `frames`, `start`
            and `seconds` [s]; for a poster `layout`, "portrait", "landscape" or "square", and
            `frames`; for states `simplified`. None stands for the default. All others are settings
            as for `animate`, as `title`.

    Returns:
        The file written.

    Raises:
        NotationError: the text is no valid pattern.
        ParameterError: a kind, size, number or camera is not possible.
        ExportError: the file already exists, or cannot be written.
    """
    from juggle_anim.exporter import read_view
    from juggle_anim.prints import print_picture

    if isinstance(animation, States):
        return animation.save(path, force=force)
    view = None if camera is None else read_view(camera)
    single = isinstance(animation, Animation | str)
    patterns: Any = [animation] if single else animation
    # Diagrams and posters take several patterns; all other kinds draw the first.
    settings = {name: options.pop(name) for name in [*options] if setting_named(name) in SETTINGS}
    first, *others = (_animation(pattern, **settings) for pattern in patterns)
    options["others"] = others or None
    kind = named_like(kind, (*_DRAWINGS, "states")) or kind
    return print_picture(kind, first, Path(path), view=view, force=force, **options)


class Svg(str):
    """A drawing as the text of an SVG file, which notebooks show."""

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str | Path) -> None:
        """Write the text to a file, or replace it."""
        Path(path).write_text(self, encoding="utf-8")


def diagram(
    animation: Animation | str, kind: str = "ladder", **options: Unpack[PrintOptions]
) -> Svg:
    """Return a drawing as the text of an SVG file, which notebooks show.

    Args:
        animation: an animation, or a text as for `animate`.
        kind, options: as for `draw`.

    Raises:
        NotationError, ParameterError: as of `draw`.
    """
    return Svg(_content(".svg", lambda path: draw(animation, path, kind, **options)))


def widget(animation: Animation | str) -> AnimationWidget:
    """Return a widget for a notebook: the animation with sliders, which are also attributes.

    Args:
        animation: an animation, or a text as for `animate`.

    Raises:
        NotationError: the text is no valid pattern.
        ParameterError: a library is missing.
    """
    require_library("anywidget", "notebook", _("Widgets"))
    from juggle_anim.notebook import AnimationWidget

    return AnimationWidget(_animation(animation))


@guessed_keywords
def draw_states(
    props: int,
    max_throw: int,
    path: str | Path,
    *,
    sync: bool = False,
    simplified: bool = False,
    pattern: Animation | str | None = None,
    size: tuple[int, int] | None = None,
    force: bool = False,
) -> Path:
    """Draw the state graph of a number of props.

    The graph has all states, and the throws that lead from one to the next.

    Args:
        props: number of props.
        max_throw: the greatest throw, a siteswap value.
        path: a file that ends in `.svg`, `.pdf` or `.png`.
        sync: whether hands throw together, in pairs; `max_throw` is then even, and throws may
            cross.
        simplified: whether states with a single way in or out are left out.
        pattern: an animation or a text as for `animate`, whose states and throws are highlighted.
        size: width and height into which the drawing fits, [pixels]; by default large enough to
            read.
        force: whether an existing file may be replaced.

    Returns:
        The file written. It opens as the pattern, or as a pattern that stays in the ground state.

    Raises:
        NotationError: the text is no valid pattern.
        ParameterError: there is no such graph, it is too large to draw, or the pattern is not in
            it.
        ExportError: the file already exists, or cannot be written.
    """
    from juggle_anim.pattern import (
        ASYNCHRONOUS,
        SYNCHRONOUS,
        StateGraph,
        value_text,
    )
    from juggle_anim.prints import print_states

    graph = StateGraph.of(props, max_throw, SYNCHRONOUS if sync else ASYNCHRONOUS)
    # Without a pattern, the file opens as the one that stays in the ground state: of n props each
    # throw is an n.
    ground = value_text(props)
    if sync:
        # Throws of synchronous hands are even: of 5 props one hand throws 6s and the other one 4s.
        higher = value_text(props + props % 2)
        lower = value_text(props - props % 2)
        ground = f"({higher},{lower})"
    return print_states(
        animate(ground) if pattern is None else _animation(pattern),
        Path(path),
        graph=graph,
        highlighted=pattern is not None,
        simplified=simplified,
        size=size,
        force=force,
    )


class Value(str):
    """A throw, siteswap, which is equal to its text and to its number."""

    def __eq__(self, other: object) -> bool:
        return int(self, 36) == other if isinstance(other, int) else super().__eq__(other)

    __hash__ = str.__hash__


class State(str):
    """A state, which is equal to itself with fewer or more beats at the end on which none lands."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and self.rstrip("0") == other.rstrip("0")

    __hash__ = str.__hash__


class Edge(NamedTuple):
    """A throw of a state graph, and the states before and after it."""

    source: State
    throw: Value
    target: State

    @property
    def start(self) -> str:
        """The state before the throw, `source`."""
        return self.source

    @property
    def end(self) -> str:
        """The state after it, `target`."""
        return self.target


class Way(NamedTuple):
    """A throw that is possible in a state, and the state after it."""

    throw: Value
    target: State


class Edges(list[Edge]):
    """The edges of a state graph; also those of one state alone."""

    def __getitem__(self, key: Any) -> Any:
        return self(key) if isinstance(key, str) else super().__getitem__(key)

    def __call__(self, state: str) -> list[Way]:
        """Return the throws that are possible in a state."""
        return [Way(throw, target) for source, throw, target in self if source == state]


@dataclass(frozen=True)
class States(Result):
    """The state graph of a number of props.

    Args:
        props: how many.
        max_throw: the greatest throw, siteswap.
        states: texts, 1 for each beat on which a prop lands, the next beat first; the ground state
            comes first.
        edges: all throws; `edges(state)` has those of one state.
    """

    props: int
    max_throw: int
    states: tuple[State, ...]
    edges: Edges

    @property
    def ground_state(self) -> str:
        """The state of the cascade or fountain."""
        return self.states[0]

    def __str__(self) -> str:
        """Return a line for each state, with the throws that are possible and where they lead."""
        return "\n".join(
            "  ".join((state, *(f"{throw} → {target}" for throw, target in self.edges(state))))
            for state in self.states
        )

    def __iter__(self) -> Iterator[State]:
        return iter(self.states)

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, key: Any) -> Any:
        return self.edges(key) if isinstance(key, str) else self.states[key]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each throw, with the states before and after it."""
        return [edge._asdict() for edge in self.edges]

    def to_dot(self) -> str:
        """Return the graph in the language of Graphviz."""
        edges = "".join(
            f'  "{source}" -> "{target}" [label="{throw}"];\n'
            for source, throw, target in self.edges
        )
        return f"digraph states {{\n{edges}}}\n"

    def save(self, path: str | Path, **options: Any) -> Path:
        """Draw the graph, or write it as .dot, .csv, .json or .txt; see `draw_states`."""
        path = Path(path)
        ending = path.suffix.casefold()
        if ending in DRAWINGS:
            return draw_states(self.props, self.max_throw, path, **{"force": True, **options})
        if ending not in (".dot", ".gv"):
            return super().save(path)
        with load("atomic_file:atomic_file")(path) as draft:
            draft.write_text(self.to_dot(), encoding="utf-8")
        return path


@guessed_keywords
def state_graph(props: int, max_throw: int) -> States:
    """Return all states of a number of props, and the throws between them.

    Args:
        props: number of props.
        max_throw: the greatest throw, a siteswap value.

    Raises:
        ParameterError: there is no such graph, or it is too large.
    """
    from juggle_anim.pattern import StateGraph

    # A state has a row for each hand that throws at a time; of hands that throw in turn it has one.
    graph = StateGraph.of(props, max_throw)
    states = tuple(State(row) for (row,) in graph.states)
    edges = Edges(
        Edge(state, Value(edge.throws), states[edge.target])
        for state, leaving in zip(states, graph.leaving, strict=True)
        for edge in leaving
    )
    return States(props, max_throw, states, edges)


@guessed_keywords
def ground_state(props: int, max_throw: int) -> str:
    """Return the state of the cascade or fountain among the states of `state_graph`."""
    return state_graph(props, max_throw).ground_state


def elbow_solvers() -> tuple[str, ...]:
    """Return the names of all elbow solvers, the values of `arms`."""
    return row_named("arms").options  # type: ignore[union-attr]


@guessed_keywords
def generate(
    props: int | str,
    max_throw: int | None = None,
    period: int | Sequence[int] | None = None,
    limit: int | None = None,
    **options: Any,
) -> Iterator[PatternText]:
    """Find all patterns with some number of props, highest throw and period.

    Results are found one by one while you iterate.

    Args:
        props: number of props; or a line of arguments as for Juggling Lab's generator, such as
            "5 7 5 -m 2", in place of all other arguments but `limit`.
        max_throw: the highest throw, a siteswap value; None for as high as the period allows.
        period: in beats, or the shortest and the longest, or a range; None for any, with
            `kind="prime"` only.
        limit: the greatest number of patterns; None for all.
        options: keyword arguments of `GeneratorOptions`, such as `multiplex=2` or `kind="all"`;
            also `prime=True`, `ground=True` or `excited=True`, which `kind` may name, too;
            `multiplex=True` is two props in a hand. What to `exclude` may be throws, as "02" or
            [0, 2].

    Returns:
        The siteswaps, shorter ones first; they also have what animations have.

    Raises:
        NotationError: the argument line cannot be read.
        ParameterError: the options contradict each other.
    """
    generator = import_module("juggle_anim.generator")
    if isinstance(props, str):
        line = generator.read_arguments(props)[0]
        return map(PatternText, islice(generator.find_patterns(line), limit))
    periods: tuple[int, int | None]
    if period is None:
        periods = (1, None)
    else:
        periods = (period, period) if isinstance(period, int) else (period[0], period[-1])
    fields = _generator_fields(options)
    wanted = generator.GeneratorOptions(props, max_throw, periods, **fields)
    patterns = generator.find_patterns(wanted)
    return map(PatternText, islice(patterns, limit))


def _generator_fields(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of `GeneratorOptions` from keyword arguments with guessed names.

    Args:
        options: the arguments of `generate`, such as `kind="prime"`, `prime=True` or `exclude="5"`.

    Raises:
        ParameterError: no field is named like an argument.
    """
    fields: dict[str, Any] = {}
    options_of_search = load("generator:GeneratorOptions").__dataclass_fields__
    known = [*options_of_search, *_KINDS_OF_PATTERNS, "min_throw", "no_zeros"]
    for guess, value in options.items():
        if guess == "kind" and any(name.startswith(str(value)) for name in known):
            # A kind may have the name of an option of its own: `kind="sync"` is `sync=True`.
            guess = value
            value = True
        name = named_like(guess, known, longer=False)
        if not name:
            raise ParameterError(no_such("generate()", guess, known))
        if name == "multiplex" and value is True:
            fields[name] = 2
        elif name in ("exclude", "min_throw", "no_zeros"):
            # No zeros are throws from 1 on.
            terms = _terms(value if name == "exclude" else range(value))
            fields["exclude"] = (*fields.get("exclude", ()), *terms)
        elif name in _KINDS_OF_PATTERNS:
            fields |= _KINDS_OF_PATTERNS[name] if value else {}
        else:
            fields[name] = _terms(value) if name == "include" else value
    return fields


def _terms(given: Any) -> tuple[str, ...]:
    """Return the terms of `exclude` or `include`.

    Args:
        given: a text, or several of them, of which each is one term; also numbers.
    """
    from juggle_anim.pattern import value_text

    if isinstance(given, str):
        return throw_terms(given)
    several = given if isinstance(given, Iterable) else [given]
    return tuple(value_text(term) if isinstance(term, int) else term for term in several)


_KINDS_OF_PATTERNS: dict[str, dict[str, Any]] = {
    "prime": {"kind": "prime"},
    "ground_state": {"start": "ground"},
    "excited_state": {"start": "excited"},
}
"""What people ask `generate` for, and its options for that."""


def throw_height(value: int, **given: Any) -> float:
    """Return how high a throw rises above the hand, in the cascade or fountain of it, [m].

    Args:
        value: of the throw, siteswap.
        given: settings as for `animate`, such as `bpm=200`.
    """
    from juggle_anim.pattern import value_text

    throws = animate(value_text(value), **given).throws
    return max((throw.height for throw in throws), default=0.0)


@guessed_keywords
def lesson(pattern: Animation | str, first_gravity: float = 40.0) -> Lesson:
    """Split a pattern into steps, to be learnt one after another.

    Each step has a text, which `animate` accepts.

    Args:
        pattern: an animation; or a name of the library, a siteswap or settings.
        first_gravity: gravity of the first step, [% of the pattern's]; the last step has 100 %.

    Raises:
        NotationError: the text is no pattern.
    """
    from juggle_anim.notation import lesson as find_lesson

    return find_lesson(pattern if isinstance(pattern, str) else pattern.settings, first_gravity)


@guessed_keywords
def transitions(
    start: Animation | str,
    end: Animation | str | None = None,
    *,
    exits: Sequence[int] | None = None,
    entries: Sequence[int] | None = None,
    longest: int | None = None,
    limit: int | None = None,
    **rules: Any,
) -> Iterator[JoinedPatterns]:
    """Find the shortest throws that lead from one pattern into another, and back.

    Results are found one by one while you iterate.

    Args:
        start: the first siteswap; or a line of arguments as for Juggling Lab's transitioner, such
            as "5 771 -m 2", which finds all transitions of Juggling Lab, in its order.
        end: the second siteswap; both may be animations.
        exits: beats of the first pattern on which it may be left, from 0; None for all.
        entries: beats of the second pattern on which it may be entered; None for all.
        longest: find longer transitions too, up to so many beats; by default only if there are
            fewer of the shortest than `limit`.
        limit: the greatest number of results; None for all.
        rules: keyword arguments of `TransitionRules`: `max_throw`, `multiplex`, `squeezes`,
            `clusters`, `any_hand`.

    Returns:
        Transitions, shortest first, and in lexicographic order within a length. `pattern` is the
        whole sequence as one siteswap.

    Raises:
        NotationError: a text is no valid siteswap, or the line cannot be read.
        ParameterError: a number is not possible.
        PatternError: the patterns have different numbers of props, or no transition is found.
    """
    from juggle_anim.notation import join_line, join_patterns, read_transition_line
    from juggle_anim.pattern import TransitionRules

    if end is None and (rules or exits is not None or entries is not None or longest is not None):
        raise ParameterError(
            _(
                "a line such as '531 441 -m 2' already has its options; give two patterns to use "
                "other arguments"
            )
        )
    first, second = (
        animate(text).siteswap if not isinstance(text, str) or find_pattern(text) else text
        for text in (start, end or "")
    )
    if end is None:
        return islice(join_line(read_transition_line(first)), limit)
    known = [*TransitionRules.__dataclass_fields__]
    allowed = {named_like(name, known) or name: value for name, value in rules.items()}
    if unknown_names := allowed.keys() - known:
        guess = unknown_names.pop()
        named = [*known, "limit", "longest", "exits", "entries"]
        raise ParameterError(no_such("transitions()", guess, named))
    transition_rules = TransitionRules(**allowed)
    search = partial(join_patterns, first, second, transition_rules, exits=exits, entries=entries)
    joined = search(longest=longest)
    if longest is None and limit is not None:
        shortest = next(joined)
        # In as many beats as a prop can fly, any state is left for any other.
        flight = max(animate(text).max_throw for text in (first, second))
        joined = search(longest=shortest.length + flight)
    return islice(joined, limit)


def transition(start: Animation | str, end: Animation | str, **rules: Any) -> str:
    """Return the shortest throws that lead from the end of one pattern to the start of another.

    Args:
        start, end: animations of throws on beats, or siteswaps.
        rules: as of `transitions`, such as `max_throw`.

    Returns:
        The throws to write between them, which may be empty.

    Raises:
        NotationError, PatternError: as of `transitions`.
    """
    # Of all ways from the first pattern to the second, those on beat 0 of both.
    return next(transitions(start, end, exits=[0], entries=[0], **rules)).throws


def variations(
    animation: Animation | str, kind: str = "mixed", amount: float = 0.5, seed: int = 0
) -> tuple[Animation, ...]:
    """Return nine variations of an animation; the fifth is the animation itself.

    The `settings` of each is a text that opens it. The same arguments give the same variations.

    Args:
        animation: an animation, or a text as for `animate`; timed events cannot be varied.
        kind: "throws" swaps landings and keeps the number of props; "times" changes tempo and
            dwell; "places" changes where hands throw and catch; "mixed" changes one or several of
            these.
        amount: how much to vary, above 0 and up to 1.
        seed: of the random choices, a whole number from 0.

    Raises:
        NotationError: the text is no valid pattern.
        ParameterError: a value is not possible, or the animation consists of timed events.
    """
    varied: tuple[Animation, ...] = load("variants:vary")(_animation(animation), kind, amount, seed)
    return varied


def analyse(animation: Animation | str, **settings: Any) -> Analysis:
    """Measure one loop of an animation.

    The result has throws, hands, unreachable points, collisions, the narrowest gap, and forces.

    Args:
        animation: an animation, or a text as for `animate`.
        settings: as for `animate`, such as `ball_size=0.07` [m].

    Raises:
        NotationError: the text is no valid pattern.
    """
    from juggle_anim.analysis import analyse as measure

    return measure(_animation(animation, **settings))


def edit(pattern: Animation | str, operation: str, *positional: Any, **named: Any) -> Animation:
    """Change a pattern by one operation, as the command `edit` does; see `Animation.edit`."""
    return _animation(pattern).edit(operation, *positional, **named)


class Measures(dict[str, Any]):
    """Measures by their names, also by other names or by parts of these."""

    def __missing__(self, guess: str) -> Any:
        if same := self._measure(guess):
            return self[same]
        raise KeyError(no_such("compare()", guess, self.keys()))

    def _measure(self, guess: str) -> str:
        """Return the measure that a guess means, as `peak speed`; each is the peak. "" for none."""
        return named_like(guess, self.keys()) or named_like(
            re.sub("peak|max", "", guess), self.keys()
        )


class Comparison(Result, Measures):
    """Measures of several patterns: for each measure its name and a value of each pattern.

    It iterates over its `rows`, the patterns. `analyses` has all that is measured of them.
    """

    analyses: Table[Analysis]

    def __missing__(self, guess: Any) -> Any:
        return self.rows[guess] if isinstance(guess, int) else super().__missing__(guess)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getattr__(self, name: str) -> tuple[Any, ...]:
        """Return a measure, also by another name or a part of its own."""
        if name.startswith("_") or not self._measure(name):
            raise AttributeError(no_such("compare()", name, self.keys()))
        return self[name]

    def to_dict(self) -> Any:
        """Return a dict for each pattern, with its measures."""
        return self.rows

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A dict for each pattern, with its measures."""
        columns = self.items()
        count = max((len(values) for _name, values in columns), default=0)
        return [Measures({name: values[row] for name, values in columns}) for row in range(count)]

    def __str__(self) -> str:
        """Return the measures as a table: a row for each, and a column for each pattern."""
        return aligned((name, *map(cell, values)) for name, values in self.items())


def compare(*patterns: Any, names: Sequence[str] = (), **settings: Any) -> Comparison:
    """Measure several patterns side by side; printed, the result is a table.

    Args:
        patterns: animations, or texts as for `animate`; also a single list of them.
        names: what to call each of them, as `name`; by default their own names, with the settings
            that tell those of one name apart.
        settings: of all of them, as for `animate`.

    Returns:
        A row for each pattern, and by name a tuple with a value of each: `name`, `pattern`,
        `num_props`, `period` [beats], `duration` [s], `max_throw`, `height` of the highest throw
        above the hand [m]; the greatest
        `hand_speed` [m/s], `hand_acceleration` [m/s²] and `hand_force` [N] of all hands;
        `narrowest_gap` between props [m]; and `collisions`, their number.

    Raises:
        NotationError: a text is no valid pattern.
        ParameterError: a setting is not possible, or there are more or fewer names than patterns.
    """
    if len(patterns) == 1 and not isinstance(patterns[0], Animation | str):
        (patterns,) = patterns
    if names and len(names) != len(patterns):
        raise ParameterError.of("names", names, _("one for each pattern"))
    animations = [_animation(pattern, **settings) for pattern in patterns]
    analyses = Table(
        replace(analyse(animation), name=name)
        for animation, name in zip(animations, names or _different_names(animations), strict=True)
    )
    measures = Comparison()
    measures.analyses = analyses
    for summary in (analysis.summary for analysis in analyses):
        for name, value in summary.items():
            measures[name] = (*measures.get(name, ()), value)
    return measures


def _different_names(animations: Sequence[Animation]) -> list[str]:
    """Return the titles of animations, those of the same title with the settings of each."""
    write = load("notation.settings:write_parameters")
    names = [animation.title for animation in animations]
    return [
        ";".join(filter(None, (name, write(animation.parameters.changed))))
        if names.count(name) > 1
        else name
        for name, animation in zip(names, animations, strict=True)
    ]


def compare_arms(
    animation: Animation | str, solvers: str | Iterable[str] | None = None, **settings: Any
) -> ArmComparison:
    """Measure how far apart the elbows of solvers are over one loop.

    Args:
        animation: an animation, or a text as for `animate`.
        solvers: names of solvers, which are compared with that of the animation, also as `arms`;
            None for all.
        settings: as for `animate`.

    Raises:
        NotationError: the text is no valid pattern.
        ParameterError: there is no such solver.
    """
    from juggle_anim.analysis import compare_arms as compare

    guess = next((name for name in settings if setting_named(name) == "arms"), "")
    solvers = settings.pop(guess, solvers)
    names = [solvers] if isinstance(solvers, str) else solvers
    return compare(_animation(animation, **settings), None if names is None else [*names])


def optimise(
    animation: Animation | str,
    *,
    goal: float = 0.10,
    budget: float = 0.15,
    like_juggling_lab: bool = False,
) -> Optimised:
    """Move throws and catches so that props pass farther apart.

    Passes and bounces count too, and clubs and rings have their true shapes. The clearance never
    gets smaller, and hands reach as far as before.

    Args:
        animation: an animation, or a text as for `animate`.
        goal: the target clearance between props, [m].
        budget: how far a throw or catch may move, [m].
        like_juggling_lab: whether throws and catches move sideways only, by any distance, to allow
            the largest throwing error, as in Juggling Lab's optimiser and with its hand style.

    Returns:
        The new animation, the clearance before and after, and how far throws and catches moved.

    Raises:
        NotationError: the text is no valid pattern.
        ParameterError: a goal or budget out of range.
        ChoreographyError: highspy is not installed; or the pattern has passes or bounces, which
            Juggling Lab's optimiser does not support.
    """
    from juggle_anim.optimiser import optimise as move_places
    from juggle_anim.optimiser import optimise_like_juggling_lab

    start = _animation(animation)
    if like_juggling_lab:
        return optimise_like_juggling_lab(start)
    return move_places(start, goal, budget)


def _animation(animation: Animation | str | PatternFile, **settings: Any) -> Animation:
    """Return the animation of a text, or of the first pattern of a file, with some settings."""
    if isinstance(animation, PatternFile):
        animation = animation[0]
    if isinstance(animation, Animation) and not settings:
        return animation
    return animate(animation, **settings)


def _bytes_of(ending: str, write: Callable[[Path], object]) -> bytes:
    """Return the content of a file that is written only for that.

    Args:
        ending: of the file.
        write: writes the file.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder, f"content{ending}")
        write(path)
        return path.read_bytes()


def _content(ending: str, write: Callable[[Path], object]) -> Any:
    """Return the content as of `_bytes_of`: a text, or else bytes."""
    content = _bytes_of(ending, write)
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content


_DRAWINGS = ("ladder", "causal", "lines", "sheet", "strobe", "poster")
"""Kinds of drawings that are also functions, as `ladder("531")`."""

_TABLES = {
    "CAMERAS": "scene:CAMERA_PRESETS",
    "DRAWINGS": "prints:PRINTS",
    "EDITS": "editing.editor:operations",
    "PATTERNS": "api:library",
    "PROPS": "parameters:PROP_KINDS",
}
"""Tables of names that options take: of `camera`, the kinds of `draw`, and operations of `edit`."""

_OF_PATTERN = (
    "analyse", "diagram", "draw", "lesson", "optimise", "picture", "transition", "transitions",
    "variations", "widget", "write",
)  # fmt: skip
"""Functions whose first argument is a pattern, which are also methods of an animation."""

_EDITS = ("repeat", "reverse", "rotate", "swap_hands", "swap_landings")
"""Operations that are also methods of an animation."""

_OF_LIBRARY = ("aliases", "description", "difficulty", "tags")
"""What the library says of its patterns."""

_WRITING_VERBS = ("as", "download", "export", "make", "render", "save", "to", "write")
_READING_VERBS = ("from", "import", "load", "open", "parse", "read")
"""Words before the name of a format, as in `to_csv` and `read_jml`."""


@cache
def _getters() -> dict[str, Callable[[Animation], Any]]:
    """Return functions that get a value of an animation, by all names that `attribute` knows."""
    # Sources of names, each with a function that gets the value for a name and an animation. Where
    # two sources have the same name, the first one counts.
    sources: tuple[tuple[Iterable[str], Callable[[str, Animation], Any]], ...] = (
        (dir(Animation), lambda name, animation: getattr(animation, name)),
        (_OF_PATTERN, lambda name, animation: partial(globals()[name], animation)),
        (_DRAWINGS, lambda name, animation: partial(_drawing, name, animation)),
        (FACT_NAMES, lambda name, animation: getattr(facts_of(animation.score), name)),
        (("render",), lambda _name, animation: partial(_rendered, animation)),
        (("animate",), lambda _name, animation: partial(animate, animation)),
        (("animation",), lambda _name, animation: animation),
        (_EDITS, lambda name, animation: partial(edit, animation, name)),
        (("velocities",), lambda _name, animation: animation.prop_velocities),
        (("plot",), lambda _name, animation: partial(_plots, animation)),
        (("summary",), lambda _name, animation: animation.analyse().summary),
        (("orbits",), lambda name, animation: getattr(animation.pattern, name, None)),
        # Facts of a pattern are attributes of its animation.
        (("facts",), lambda _name, animation: animation),
        (("to_string",), lambda _name, animation: animation.__str__),
        (("is_ground_state",), lambda _name, animation: facts_of(animation.score).ground),
        (TEXT_KEYS, lambda name, animation: text_setting(animation, name)),
        (_OF_LIBRARY, lambda name, animation: getattr(find_pattern(animation.title), name, None)),
        ((row.name for row in ROWS), lambda name, animation: _value(animation.parameters, name)),
    )
    getters: dict[str, Callable[[Animation], Any]] = {}
    for names, get in sources:
        for name in names:
            if not name.startswith("_"):
                getters.setdefault(name, partial(get, name))
    return getters


def _drawing(
    kind: str, animation: Animation, path: str | Path | None = None, **options: Any
) -> Any:
    """Draw a kind of picture to a file, which is replaced; without one return it as SVG."""
    if path is None:
        return diagram(animation, kind, **options)
    return draw(animation, path, kind, **{"force": True, **options})


def _plots(animation: Animation, path: str | Path | None = None, **options: Any) -> Any:
    """Write plots of what `analyse` measures to a file, or replace it; without one return SVG."""
    if path is None:
        return Svg(_content(".svg", lambda file: _plots(animation, file, **options)))
    write_plots = load("analysis:write_plots")
    return write_plots(animation, animation.analyse(), Path(path), force=True, **options)


def _value(parameters: Parameters, name: str) -> Any:
    """Return the value of a parameter; of one for both sides, if they differ, (left, right)."""
    value = getattr(parameters, name)
    sides = [getattr(parameters, side) for side in SIDED_PARAMETERS.get(name, ())]
    both = tuple(value if side is None else side for side in sides)
    return value if len({*both}) < 2 else both


@cache
def _getter(name: str) -> Callable[[Animation], Any] | None:
    """Return the function that gets what an animation has under a guessed name; None for nothing.

    Args:
        name: a name that an animation has, one like it, a file format as in `to_csv`, or a joint as
            in `left_elbow_position`.
    """
    getters = _getters()
    # Settings have to be named exactly: `elbow` is a joint, not another name of the setting `arms`.
    settings = {*(row.name for row in ROWS), *TEXT_KEYS} - {"title", *FACT_NAMES}
    guessable = getters.keys() - settings
    known = name if name in getters else same_name(name, guessable)
    if known:
        return getters[known]
    words = name.lower().split("_")
    # A file format, alone as `gif`, or after a verb as in `to_gif`.
    ending = ending_of(words[-1])
    if ending and (len(words) == 1 or words[0] in _WRITING_VERBS):
        return lambda animation: partial(_written, ending, animation)
    # A joint, perhaps with its side, in the singular or plural: `left_elbow`, `elbow_positions`.
    joint = "_".join(
        word.removesuffix("s")
        for word in words
        if plain_words(word, filled=False) - {"position", "joint"}
    )
    if joint.endswith("hand"):
        side = joint.removesuffix("hand").removesuffix("_")
        hand: dict[str, Any] = {"hand": side} if side else {}  # by default both
        return lambda animation: partial(animation.hand_positions, **hand)
    if not joint and plain_words(name) & {"position", "joint"}:
        return getters["joint_positions" if "joint" in plain_words(name) else "prop_positions"]
    if {f"LEFT_{joint.upper()}", joint.upper()} & Joint.__members__.keys():
        return lambda animation: partial(_joint_positions, joint, animation)
    return None


def _written(
    ending: str, animation: Animation, path: str | Path | None = None, **options: Any
) -> Any:
    """Save a file in a format; without a path return its content, a text or bytes."""
    if path is None:
        return _content(ending, lambda file: save(animation, file, **options))
    return save(animation, path, ending[1:], **options)


@guessed_keywords
def _rendered(animation: Animation, time: str | Path | float = 0.0, **options: Any) -> Any:
    """Save a file, or return the picture of a time [s] as an array, or with `fps` all pictures."""
    import numpy as np

    if isinstance(time, str | Path):
        return save(animation, time, **options)
    if "fps" in options:
        return np.stack(list(animation.frames(start=time, **options)))
    return np.asarray(picture(animation, time, **options))


@guessed_keywords
def _joint_positions(
    joint: str, animation: Animation, times: Any, side: Any = "", juggler: int = 0
) -> Any:
    """Return positions of a joint; the side, "left" or "right", may come first."""
    times, side = times_first(times, side)
    return animation.joint_positions(times, f"{side} {joint}".strip(), juggler)


def attribute(animation: Animation, name: str) -> Any:
    """Return what an animation has under a name that somebody guessed.

    That is a method or property by another name, a public function of a pattern, a fact or setting
    of it, its place in the library, a kind of drawing, a file format as in `to_csv`, or a joint.

    Raises:
        AttributeError: nothing has such a name; the nearest is suggested.
    """
    if getter := _getter(name):
        return getter(animation)
    raise unknown("Animation", name, _getters())


def guessed(name: str) -> Any:
    """Return what the package has under a name that somebody guessed.

    That is a public function or constant with a similar name, or else a function of a pattern that
    returns what its animation has under the name.

    Args:
        name: a name that the package does not have.

    Raises:
        AttributeError: nothing has such a name; the nearest is suggested.
    """
    if name in _READING_VERBS:
        return _opened
    if name == "batch":
        return save_all  # a module of the package has this name, which is not meant
    package = import_module("juggle_anim")
    if name == "version":
        return package.__version__
    if name.isupper():
        # A table, a constant, or else the result of a function without arguments.
        if name in _TABLES:
            table = load(_TABLES[name])
            return tuple(table() if inspect.isroutine(table) else table)
        constants = [known for known in package.__all__ if known.isupper()]
        if like := named_like(name, constants):
            return getattr(package, like)
        value = guessed(name.lower())
        is_function = inspect.isfunction(value) and not inspect.signature(value).parameters
        return value() if is_function else value
    # The formula `get_elbow_position` has to be named exactly: guesses mean elbows of animations.
    public = [known for known in package.__all__ if known != "get_elbow_position"]
    if name in FACT_NAMES:
        public = []  # a fact of a pattern, and no part of another name
    # A guess may also be a part of a single name, as `solvers` of `elbow_solvers`.
    words = plain_words(name, filled=False) or plain_words(name)
    containing = [
        known
        for known in public
        if words < plain_words(known) and is_plural(name) == is_plural(known)
    ]
    same = same_name(name, public)
    if is_plural(name) and not is_plural(same.lower()) and name in _getters():
        same = ""  # `frames` are those of an animation, and `frame` is `picture`
    if not same and len(containing) == 1 and name not in _getters():
        same = containing[0]
    if same:
        return getattr(package, same)
    verb, _underscore, what = name.partition("_")
    if verb in _READING_VERBS and what:
        return read if ending_of(what) else animate
    getter = _getter(name)
    if not getter:
        raise unknown("juggle_anim", name, [*public, *_getters()])

    def of_pattern(pattern: Animation | str, *positional: Any, **keywords: Any) -> Any:
        value = getter(_animation(pattern))
        return value(*positional, **keywords) if callable(value) else value

    return of_pattern


def _opened(text: str | Path) -> Animation | PatternFile:
    """Return the patterns of a file, or else the animation of a text."""
    return read(text) if Path(text).is_file() else animate(str(text))


def unknown(thing: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error for a name that does not exist, which suggests the nearest known one.

    Args:
        thing: what should have the name: "Animation" or "juggle_anim".
        name: the name as somebody guessed it.
        known: all names that it has.
    """
    known = [*known, *(f"to_{word}" for word in FILE_WORDS)]
    words = plain_words(name, filled=False)
    # How many words each known name has in common with the guess; the nearest have the most.
    common = {entry: len(words & plain_words(entry)) for entry in known}
    most = max(common.values(), default=0)
    shown = {entry: _with_arguments(entry, thing) for entry in known if common[entry] == most}
    # A name that has a word in common need be less alike, on a scale from 0 to 1.
    least_alike = 0.3 if most else 0.6
    # Names of a single word, the main ones first.
    main_names = ", ".join([entry for entry in known if "_" not in entry][:_MOST_NAMES])
    otherwise = _("there are {names} and more: see docs/python.md", names=main_names)
    hint = did_you_mean(name, shown, otherwise, least_alike)
    # Python adds a guess of its own if it is told what should have the name.
    return AttributeError(no_such(thing, name, hint=hint), name=name)


def _with_arguments(name: str, thing: str) -> str:
    """Return the name of a function with its arguments, as what has it is used; another stays."""
    function = globals().get(name) or getattr(Animation, name, None)
    if not inspect.isfunction(function):
        return name
    parameters = inspect.signature(function).parameters.values()
    named = [parameter.name for parameter in parameters if parameter.kind != parameter.VAR_KEYWORD]
    arguments = ", ".join(named)
    if thing == "Animation":
        arguments = arguments.partition(", ")[2]
    return f"{name}({arguments.replace('self', 'pattern')})"
