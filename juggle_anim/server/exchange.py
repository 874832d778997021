"""The queries and answers of a server, and its limits.

This module is light, so that processes that draw start at once.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from juggle_anim.lazy_dataclass import dataclass

DEFAULT_SIZE = 400, 450
"""The default width and height of a picture, as of Juggling Lab, [pixels]."""

HAND_WIDTH = "handwidth"
"""The key of the distance between hands: in addresses, `width` is that of the picture."""

FORMATS = {
    "gif": "image/gif",
    "apng": "image/apng",
    "webp": "image/webp",
    "png": "image/png",
    "jpg": "image/jpeg",
    "mp4": "video/mp4",
    "webm": "video/webm",
    "svg": "image/svg+xml",
    "glb": "model/gltf-binary",
    "jml": "application/xml",
    "jif": "application/json",
    "routine": "text/plain; charset=utf-8",
    "json": "application/json",
    "html": "text/html; charset=utf-8",
}
"""The formats of answers, with their media types.

An `svg` is a ladder diagram, a `glb` a model, a `jml` or `jif` the pattern for Juggling Lab and
others, a `routine` its lines, a `json` the table of joints and props.
"""

FIRST = "531"
"""The pattern with which the page opens."""

FACTS = "facts"
"""In place of a format: facts about the pattern, as JSON."""

CURVES = "curves"
"""In place of a format: what the page's player shows of a pattern, as JSON."""

DRAFT = "draft"
"""In place of a format: the same with bodies at ease, until they are planned."""

PLAN = "plan"
"""In place of a format: what the player then shows of bodies as they are planned, as JSON."""

LADDER = "ladder"
"""In place of a format: the ladder diagram that the page shows, as JSON."""

LESSON = "lesson"
"""In place of a format: the steps in which one learns a pattern, as JSON."""

LINES = "lines"
"""In place of a format: the lines of a routine, or of one that begins with a pattern, as JSON."""

GENERATED = "generate"
"""In place of a format: patterns of a generator, as JSON; the "pattern" is its argument line."""

LANDINGS = "landings"
"""In place of a format: where a throw may land, as JSON."""

MENU = "menu"
"""In place of a format: what can be done with a throw or the whole pattern, as JSON."""

OPENED = "open"
"""In place of a format: the patterns of a file that was sent, as JSON."""

SAVED = "save"
"""In place of a format: a file of the patterns that were sent."""

SENT = (OPENED, SAVED)
"""What is asked with a text that is sent along, and answered with the patterns or the file."""

STATES = "states"
"""In place of a format: the state graph of the pattern that the page shows, as JSON."""

COLLISIONS = "collisions"
"""In place of a format: where props collide, in words, as JSON."""

TOLD = (
    FACTS, CURVES, DRAFT, PLAN, LADDER, LESSON, LINES, GENERATED, LANDINGS, MENU, STATES,
    COLLISIONS,
)  # fmt: skip
"""What is answered as JSON in place of a format."""

QUICK = (*TOLD, *SENT, "html")
"""Formats that take a fraction of a second, and have a process of their own.

So they never wait for films.
"""

# Characters of a query: JML of a Mills mess with times of its own takes half of them.
MAX_QUERY = 8_192
MAX_SENT = 1 << 20  # of a file that is sent, [bytes]
MAX_LISTED = 1_000  # patterns of a file that are listed
MAX_EDGE = 1_920  # pixels, width or height of a picture
MIN_EDGE = 16
MAX_FPS = 60.0  # [frames/s]
MAX_PIXELS = 100_000_000  # of all frames of a film
MAX_FRAMES = 900  # of a film, or rows of a table
MAX_PROPS = 40
MAX_JUGGLERS = 12
MAX_BEATS = 120  # beats of a pattern
MAX_FOUND = 300  # patterns of a generator
MAX_JUGGLED = 60.0  # a loop's duration times its jugglers, [s]
MAX_SECONDS = 20.0  # that drawing one answer may take, [s]
MAX_WAIT = 10.0  # that anyone waits, for those before as well, [s]
MAX_WAITING = 64  # requests that wait for a process to draw them, of which a client may have half
# s, after which a picture that nobody awaits is given up, if others wait: people reload pages
DESERTED_SECONDS = 3.0
MAX_REQUEST_SECONDS = 20.0  # from the beginning of a request, or of its connection, to its end, [s]
MAX_CONNECTIONS = 1_000
# A request that arrives just as its connection is closed is lost. So none that is in use is closed,
# even where the machine was held up for a while.
MAX_IDLE = 300  # that a connection is kept open for the next request, [s]
MAX_MEMORY = 4 << 30  # that a process may map, [bytes]
MAX_CACHE = 64 << 20  # that kept answers take, [bytes]


_OTHER_FILES = 40
"""Files that a server has open beside connections, such as pipes to processes that draw."""


def most_connections() -> int:
    """Return how many connections a server may have at a time."""
    return min(MAX_CONNECTIONS, max(1, most_files() - _OTHER_FILES))


def most_files() -> int:
    """Return how many files the process may have open, connections included."""
    with contextlib.suppress(ImportError):  # Windows has none
        import resource

        soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY:
            return int(soft)
    return MAX_CONNECTIONS + _OTHER_FILES


@dataclass(frozen=True)
class Query:
    """What an address asks for.

    Args:
        settings: the settings string of the pattern.
        format: a key of `FORMATS`; empty if nothing is said.
        size: width and height, [pixels].
        fps: frames a second; None for the default of the format.
        camera: as for `export`; empty for the default.
        redirect: whether the answer is to be the address of the picture.
        left_out: settings that mean nothing here.
        language: language of words in the answer.
        throw: number of the one that is edited, of the ladder's answer; None for none.
        line: number of a line of a menu that leads to another menu; None for the first menu.
        file: the name of a file, in place of settings that are its text, or patterns for it.
    """

    settings: str
    format: str = ""
    size: tuple[int, int] = DEFAULT_SIZE
    fps: float | None = None
    camera: str = ""
    redirect: bool = False
    left_out: tuple[str, ...] = ()
    language: str = "en"
    throw: int | None = None
    line: int | None = None
    file: str = ""

    def address(self, ending: str) -> str:
        """Return the address of its picture, as `anim.gif?pattern=531;width=400`."""
        width, height = self.size
        parts = [_encoded(part) for part in re.findall(r"(?:[^;\\]|\\.?)+", self.settings)]
        parts += [f"width={width}", f"height={height}"]
        parts += [f"fps={self.fps:g}"] if self.fps else []
        parts += [f"camera={quote(self.camera)}"] if self.camera else []
        return f"anim.{ending}?{';'.join(parts)}"


@dataclass(frozen=True)
class Answer:
    """An answer to a request.

    Args:
        status: status of HTTP.
        media: the media type of the content.
        content: the file, or a message.
        about: what else is told of a pattern that is refused, as JSON values by name.
    """

    status: int
    media: str
    content: bytes
    about: Mapping[str, Any] | None = None

    @classmethod
    def refusal(cls, status: int, message: str, **about: Any) -> Answer:
        """Return an answer that says why there is none, in words."""
        media = "text/plain; charset=utf-8"
        return cls(status, media=media, content=f"{message}\n".encode(), about=about)


def _encoded(setting: str) -> str:
    """Encode a setting for an address, without the escapes of settings strings."""
    key, _, value = setting.partition("=")
    value = re.sub(r"\\([;\\])", r"\1", value)
    return f"{HAND_WIDTH if key == 'width' else key}={quote(value, safe='')}"


def settings_by_key(settings: str) -> Mapping[str, str]:
    """Return a settings string as the page has it, by key and without escapes."""
    parts = re.findall(r"(?:[^;\\]|\\.?)+", settings)
    fields = (part.partition("=") for part in parts)
    return {
        HAND_WIDTH if key == "width" else key: re.sub(r"\\([;\\])", r"\1", value)
        for key, _equals, value in fields
    }
