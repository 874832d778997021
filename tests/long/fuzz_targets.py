"""What is done with fuzzed inputs, and what must hold of it: an answer or a clear error, soon and
in little memory.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from fuzz_inputs import KINDS

from juggle_anim.animation import Animation
from juggle_anim.choreography import Score
from juggle_anim.errors import (
    ChoreographyError,
    FileError,
    JuggleError,
    NotationError,
    display_width,
)
from juggle_anim.formats import load
from juggle_anim.notation import (
    Entry,
    PatternList,
    Settings,
    check,
    check_all,
    completions,
    open_pattern,
    read_file,
    read_prechac,
    read_settings,
    read_siteswap,
)
from juggle_anim.notation.facts import fact_lines, facts_of
from juggle_anim.notation.files import write_patterns
from juggle_anim.notation.formats import WRITTEN, Loss
from juggle_anim.notation.jif import read_jif
from juggle_anim.notation.jml import read_jml
from juggle_anim.notation.joepass import read_joepass
from juggle_anim.notation.jugglemaster import read_jugglemaster
from juggle_anim.notation.screen_savers import read_screen_saver
from juggle_anim.notation.text_list import read_text_list
from juggle_anim.parameters import Parameters

MOST_MEMORY = 500_000_000
"""By how much reading may make the program grow, [bytes]."""

MOVED = 0.05
"""Of how many patterns that were read the motion is looked at, too."""


class Tried(NamedTuple):
    """An input, how many patterns were read in it, and what that took of the processor, [s]."""

    made: str | bytes
    read: int
    took: float


def try_out(kind: str, rng: Random) -> Tried:
    """Make an input of some kind and read it.

    Raises:
        AssertionError: anything but an answer or a good error comes of it.
    """
    made = KINDS[kind](rng)
    moving = rng.random() < MOVED
    begun = time.process_time()
    try:
        found = TARGETS[kind](made)
        for settings in found[:1]:
            fact_lines(facts_of(settings.score))
        took = time.process_time() - begun
        for settings in found[:3] if moving else ():
            _go_on(settings)
    except Exception as error:
        raise AssertionError(f"{kind}: {made!r}") from error
    return Tried(made, len(found), took)


def memory() -> int:
    """The most that this program ever held, [bytes]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def good(error: JuggleError) -> None:
    """An error that can be shown: one line, or a text with a caret under it."""
    lines = str(error).split("\n")
    if isinstance(error, NotationError):
        assert 0 <= error.index <= len(error.text), "the caret stands within the text"
        assert lines[0] == error.reason
        assert set(lines[2].strip()) == {"^"}
        assert len(lines[2]) <= display_width(lines[1]) + 1, "the caret stands under the text"
    else:
        assert len(lines) == 1, "one clear line"
    assert lines[0].strip()
    assert all(len(line) < 1_000 for line in lines), "lines that can be read"
    assert all(line.isprintable() for line in lines), "nothing that steers a terminal"


def _read(reader: Callable[[str], list[Settings]]) -> Callable[[str | bytes], list[Settings]]:
    def target(made: str | bytes) -> list[Settings]:
        assert isinstance(made, str)
        try:
            return reader(made)
        except JuggleError as error:
            good(error)
            return []

    return target


def _siteswap(text: str) -> list[Settings]:
    pattern = read_siteswap(text)
    if "?" in text and "." not in text:
        assert all(
            read_siteswap(completed).text == completed for completed in islice(completions(text), 5)
        )
    assert pattern.props == sum(orbit.props for orbit in pattern.orbits)
    return [Settings(Score(pattern))]


def _prechac(text: str) -> list[Settings]:
    return [Settings(Score(read_prechac(text)))]


def _settings(text: str) -> list[Settings]:
    return [read_settings(text)]


def _name(text: str) -> list[Settings]:
    for checked in (check(text), *check_all(text)):
        assert checked.as_data()["valid"] == (checked.error is None)
    return [open_pattern(text)]


def _listed(patterns: PatternList) -> list[Settings]:
    for entry in patterns.entries:
        if entry.error:
            good(entry.error)
    return [entry.settings for entry in patterns.entries if entry.settings]


def _file(made: str | bytes) -> list[Settings]:
    assert isinstance(made, bytes)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{('.jml', '.jif', '.pass', '.txt', '.jm', '')[len(made) % 6]}"
        path.write_bytes(made)
        try:
            return _listed(read_file(path))
        except JuggleError as error:
            good(error)
            return []


def _go_on(settings: Settings) -> None:
    """Go on to the motion, and write what was read to every kind of file."""
    animation = Animation(settings.score, settings.applied_to(Parameters()))
    try:
        if animation.num_jugglers * animation.score.props < 2_000:
            frames = animation.sample(np.array([0.0, animation.duration / 3]))
            assert np.isfinite(frames.hands).all()
            assert np.isfinite(frames.props).all()
    except ChoreographyError as error:
        good(error)
    listed = PatternList((Entry(settings.score.name, settings),), single=True)
    for row in dict.fromkeys(WRITTEN.values()):
        try:
            written = write_patterns(listed, row).text
        except FileError as error:
            assert Loss.SOME_PATTERNS in row.cannot_hold, "the others hold every pattern"
            good(error)
            continue
        again = load(row.reader)(written, "a")
        assert all(entry.error is None for entry in again.entries), "what is written is read again"


TARGETS: dict[str, Callable[[str | bytes], list[Settings]]] = {
    "siteswap": _read(_siteswap),
    "prechac": _read(_prechac),
    "settings": _read(_settings),
    "hand_siteswap": _read(_settings),
    "staging": _read(_settings),
    "name": _read(_name),
    "jml": _read(lambda text: _listed(read_jml(text))),
    "jif": _read(lambda text: _listed(read_jif(text))),
    "joepass": _read(lambda text: _listed(read_joepass(text))),
    "text_list": _read(lambda text: _listed(read_text_list(text, "a.txt"))),
    "screen_saver": _read(lambda text: _listed(read_screen_saver(text, "a.txt"))),
    "jugglemaster": _read(lambda text: _listed(read_jugglemaster(text, "a.jm"))),
    "file": _file,
    "exported": _file,
}
"""By the kind of input, what reads it; the errors are looked at, and what was read is returned."""
