"""The options of an export, defined once for the Python function, the command line and all
writers.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from juggle_anim.errors import ParameterError, did_you_mean
from juggle_anim.formats import EXPORTS, SUBTITLES, Format
from juggle_anim.language import _

if TYPE_CHECKING:
    from juggle_anim.arrays import Bytes  # it loads numpy, which help does without

ALL_PROPS = "all"
"""In place of a number of loops: until every prop is back at its start."""

TURNTABLE = "turntable"
"""The name of a camera that goes once around in the time of the film."""

Progress = Callable[[int, int], None]
"""Called with the number of frames done and of all frames."""

AddFrame = Callable[["Bytes"], None]
"""Adds the next frame to a film, shape (height, width, 3; 4 with alpha)."""

First = TypeVar("First")
Second = TypeVar("Second")
Result = TypeVar("Result")
Options = TypeVar("Options")
Fields = ParamSpec("Fields")


SIZES = {"square": (1080, 1080), "story": (1080, 1920), "1080p": (1920, 1080), "4k": (3840, 2160)}
"""Sizes of pictures by name, [pixels]."""


def picture_size(text: str) -> tuple[int, int]:
    """Read width and height, [pixels], from a text such as 1280x720 or a name in `SIZES`.

    Neither is checked against limits here.

    Raises:
        ParameterError: the text is neither.
    """
    if named := SIZES.get(text.strip().casefold()):
        return named
    edges = re.fullmatch(r"([0-9]{1,9}) *[x×] *([0-9]{1,9})", text.strip().lower())
    if not edges:
        accepted = _(
            "width x height in pixels, such as 1280x720, or {sizes}", sizes=", ".join(SIZES)
        )
        raise ParameterError.of("size", text, accepted)
    return int(edges[1]), int(edges[2])


_FILE_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)\s*([kMG]?)B?", re.IGNORECASE | re.ASCII)


_UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


def read_file_size(text: str) -> int:
    """Read a file size such as 2MB or 500kB, [bytes]; units are powers of 1000.

    The B may be missing, and case does not matter; a number alone is bytes.

    Raises:
        ParameterError: the text is not a file size, or it is less than half a byte.
    """
    refusal = ParameterError.of("max_size", text, _("a file size such as 2MB or 500kB"))
    match = _FILE_SIZE.fullmatch(text.strip())
    if match is None:
        raise refusal
    number, unit = match.groups()
    size = round(float(number) * _UNITS[unit.lower()])
    if size == 0:
        raise refusal
    return size


@dataclass(frozen=True, kw_only=True)
class FrameOptions:
    """The options that all frames of an export share; see `juggle_anim.api.export`."""

    seconds: float | None = None
    transparent: bool = False
    background: str = ""
    supersampling: int = 1
    blur: int = 1
    at: str = ""
    captions: bool = False
    depth: int = 8
    bones: str = ""
    scale: float = 1.0


class Quality(StrEnum):
    """The trade-off of lossy formats between fidelity, file size and time."""

    DRAFT = "draft"
    GOOD = "good"
    BEST = "best"


@dataclass(frozen=True)
class WriteOptions:
    """Options of how files are written, for all formats; each uses those that concern it.

    Args:
        quality: quality of lossy compression, a value of `Quality`.
        resume: whether existing files of the same export are kept and only the others are written.
        first: the number of the first frame in file names, from 0 up.
        dither: whether a GIF mixes colours pixel by pixel; plain areas then flicker, and the file
            grows.
        sound: whether a video has a sound for each catch; if not, it is silent.
        subtitles: the ending of a file of captions beside each video, "srt" or "vtt"; empty for
            none.

    Raises:
        ParameterError: the number is below 0, or the quality or kind of subtitles is unknown.
    """

    quality: str = Quality.GOOD
    resume: bool = False
    first: int = 0
    dither: bool = False
    sound: bool = False
    subtitles: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "quality", read_quality(self.quality))
        if self.first < 0:
            raise ParameterError.of("first", self.first, _("a whole number, 0 or more"))
        if self.subtitles and f".{self.subtitles}" not in SUBTITLES:
            near = did_you_mean(self.subtitles, [ending.removeprefix(".") for ending in SUBTITLES])
            raise ParameterError.none_of("subtitles", self.subtitles, near)


def read_quality(text: str) -> Quality:
    """Return the quality with a name, whose case and spaces around it do not matter.

    Raises:
        ParameterError: there is none of this name; the nearest is suggested.
    """
    word = text.strip().casefold()
    if word not in list(Quality):
        raise ParameterError.none_of("quality", text, did_you_mean(word, list(Quality)))
    return Quality(word)


@dataclass(frozen=True, kw_only=True)
class ExportOptions(FrameOptions, WriteOptions):
    """All options of an export; see `juggle_anim.api.export`.

    Raises:
        ParameterError: `loops` and `seconds`, or `force` and `resume`, are both given, or
            `WriteOptions` refuses an option.
    """

    size: tuple[int, int] | str = (1280, 720)
    start: float | None = None
    fps: float | None = None
    loops: int | str | None = None
    cameras: Sequence[str] | str = ()
    max_size: int | None = None
    force: bool = False
    progress: Progress | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.loops is not None and self.seconds is not None:
            raise ParameterError(_("use either seconds or loops, not both"))
        if self.force and self.resume:
            raise ParameterError(
                _(
                    "use either force=True, which replaces existing files, or resume=True, which "
                    "keeps them"
                )
            )

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height, [pixels]."""
        return picture_size(self.size) if isinstance(self.size, str) else self.size


_OTHER_NAMES = {"camera": "cameras", "duration": "seconds", "time": "start", "view": "cameras"}
"""What people call options."""

_USUAL_ASPECT = 16 / 9
"""Width of pictures over their height, where only that is given."""


def film_options(given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split keyword arguments into those of `ExportOptions`, by their own names, and others."""
    named = {_OTHER_NAMES.get(name, name): value for name, value in given.items()}
    if "height" in named:
        height = named.pop("height")
        if isinstance(height, float) and not height.is_integer():
            accepted = _("the height of a picture in whole pixels; that of people is fixed")
            raise ParameterError.of("height", height, accepted)
        named["size"] = (named.pop("width", round(height * _USUAL_ASPECT)), height)
    if isinstance(size := named.get("size"), str | float | int):
        named["size"] = picture_size(str(size))
    if "end" in named:
        named["seconds"] = named.pop("end") - named.get("start", 0.0)
    named.pop("loop", None)  # animated pictures are repeated anyway
    film = {name: named.pop(name) for name in ExportOptions.__dataclass_fields__ if name in named}
    return film, named


def options_as_keywords(
    options: Callable[Fields, Options],
) -> Callable[
    [Callable[Concatenate[First, Second, Options, ...], Result]],
    Callable[Concatenate[First, Second, Fields], Result],
]:
    """Return a decorator for functions whose last argument is an options object.

    The function itself is written with three arguments, the last of which is the options object,
    and takes settings of a pattern as keywords. Decorated, it takes the first two by position, and
    in place of the object its fields as keyword arguments, also by the names that people guess. Its
    signature, which help and editors show, has these fields as well.

    Args:
        options: the class of the options object, a dataclass.
    """

    def decorate(
        function: Callable[Concatenate[First, Second, Options, ...], Result],
    ) -> Callable[Concatenate[First, Second, Fields], Result]:
        """Return the function with the fields in place of its options object.

        Args:
            function: takes two arguments, then an options object, then settings.
        """

        @functools.wraps(function)
        def called(
            first: First, second: Second, /, *positional: Fields.args, **keywords: Fields.kwargs
        ) -> Result:
            named, settings = film_options(keywords)
            return function(first, second, options(*positional, **named), **settings)

        # The signature for help: all parameters of the function but the options object, then the
        # fields as keyword-only parameters.
        first_parameters = list(inspect.signature(function).parameters.values())[:2]
        fields = (
            field.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for field in inspect.signature(options).parameters.values()
        )
        signature = inspect.Signature([*first_parameters, *fields])
        called.__signature__ = signature  # type: ignore[attr-defined]
        return called

    return decorate


DEFAULT_OPTIONS = WriteOptions()
"""The default options."""


DEEP = 16
"""Bits a channel of deep pictures."""

MIN_SCALE = 0.001
MAX_SCALE = 10_000.0
"""Accepted numbers of units to a metre."""

_IsSet = Callable[[FrameOptions], object]
_Accepts = Callable[[Format], bool]

_FILE_OPTIONS: tuple[tuple[str, _IsSet, _Accepts], ...] = (
    ("depth", lambda options: options.depth == DEEP, lambda row: DEEP in row.depths),
    ("captions", lambda options: options.captions, lambda row: bool(row.video or row.still)),
    ("background", lambda options: options.background, lambda row: bool(row.video or row.still)),
    ("bones", lambda options: options.bones, lambda row: row.bones),
    ("scale", lambda options: options.scale != 1.0, lambda row: row.scaled),
)
"""Of each option its name, whether it is set, and whether a format can have it."""


def check_options(options: FrameOptions, ending: str) -> None:
    """Check the values of options, and that files of a format can have them.

    Args:
        options: options of the export.
        ending: ending of the files, one of `EXPORTS`, in upper or lower case.

    Raises:
        ParameterError: an option has an impossible value, or is not for such files.
    """
    # Imported here, when it is used: it loads NumPy, which help must not wait for.
    from juggle_anim.exporter.models.skeleton import BONES

    # Options that only some formats can have: the name, whether it is set, and whether a format
    # accepts it.
    for name, is_set, accepts in _FILE_OPTIONS:
        if is_set(options) and not accepts(EXPORTS[ending.casefold()]):
            endings = ", ".join(accepted for accepted, row in EXPORTS.items() if accepts(row))
            raise ParameterError(_("{name} is for {endings}", name=name, endings=endings), name)
    if options.depth not in (8, DEEP):
        raise ParameterError.of("depth", options.depth, _("8 or 16 bits per channel"))
    if options.bones and options.bones not in BONES:
        raise ParameterError.none_of("bones", options.bones, did_you_mean(options.bones, BONES))
    # NaN fails every comparison, so that it is refused, too.
    if not MIN_SCALE <= options.scale <= MAX_SCALE:
        units = _(
            "from {low:g} to {high:,.0f} units per metre, such as 100 for centimetres",
            low=MIN_SCALE,
            high=MAX_SCALE,
        )
        raise ParameterError.of("scale", options.scale, units)
