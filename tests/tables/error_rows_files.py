"""What files and calls are refused with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from juggle_anim.animation import animate
from juggle_anim.errors import (
    ChoreographyError,
    ExportError,
    FileError,
    LibraryError,
    NotationError,
    ParameterError,
)
from juggle_anim.exporter.stills import encode_png
from juggle_anim.metadata.documents import Record
from juggle_anim.notation import (
    Entry,
    PatternList,
    Settings,
    open_pattern,
    read_prechac,
    read_settings,
    with_settings,
    write_file,
    write_settings,
)
from juggle_anim.notation.facts import check_completions
from juggle_anim.notation.files import write_found, write_patterns
from juggle_anim.notation.formats import JUGGLEMASTER
from juggle_anim.notation.lessons import lesson_of
from juggle_anim.notation.library import read_library
from juggle_anim.notation.settings.moves import read_body
from juggle_anim.notation.settings.settings import read_parameters
from juggle_anim.notation.text_list import read_text_list
from juggle_anim.parameters import Parameters, Result, Table, guessed_keywords, quantity_named
from juggle_anim.routine import Routine


class OpenRow(NamedTuple):
    """A text that is opened in a folder with one file, its bytes or its size, and the beginning of
    what is said.
    """

    opened: str
    name: str
    holds: bytes | int
    message: str


class CallRow(NamedTuple):
    """What is called in an empty folder, the error that it ends in, and the beginning of what that
    says.
    """

    call: Callable[[], object]
    error: type[Exception]
    message: str


def picture(record: Record) -> bytes:
    """A PNG that carries an animation."""
    return encode_png(np.zeros((1, 1, 3), dtype=np.uint8), record.text)


NO_JML = '<jml version="3"><patternlist></patternlist></jml>'

ROUTINES = [
    ("3 2 loops\ntitle=A", "2, column 1: title comes after patterns"),
    ("prop = bal\n3 2 loops", "1, column 8: there is no prop called bal"),
    ("duel=1\n3 2 loops", "1, column 1: there is no setting duel"),
    ("zzzz=1\n3 2 loops", "1, column 1: there is no setting zzzz"),
    ("qqqqqq wwwww 2 loops", "1, column 1: there is no pattern called qqqqqq wwwww"),
    ("dwell=x\n3 2 loops", "1, column 7: dwell is 'x', which is not a number"),
    ("3 2 loops\ntransition 3", "2, column 12: these throws lead to no pattern"),
    ("3 2 loops\ntransition 3\nstop", "3, column 1: these throws lead to no pattern"),
    ("3 2 loops\ntransition 3\ntransition 3\n3", "3, column 1: these throws lead to no pattern"),
    (" stop\n3 2 loops", "1, column 2: there is no pattern before this stop"),
    ("3 2 loops\nstop 3 loops", "2, column 5: a stop takes only a time"),
    ("3 2 loops\ntransition\n3", "2, column 11: no throws"),
    ("3 2 loops\ntransition 3)\n3", "2, column 13: "),
    (
        "3 2 loops\ntransition 5\n3",
        "2, column 13: these throws do not lead into the pattern; none are needed",
    ),
    (
        "3 2 loops\ntransition 33[33]\n3",
        "2, column 15: the right hand throws 2 here, but 1 comes down then",
    ),
    (
        "3 2 loops\ntransition 003\n3",
        "2, column 14: the right hand throws 0 here, but 1 comes down then",
    ),
    (
        "title My act\n3 2 loops",
        "1, column 1: there is no pattern called title My act\n  title My act\n  ^\nwrite "
        "title=My act",
    ),
    ("cascade 10", "1, column 9: 10 has no unit"),
    (
        "3 2 loops\npause 2",
        "2, column 1: there is no pattern called pause 2\n  pause 2\n  ^\nwrite stop alone, or with",
    ),
    ("3 2 loops\n start", "2, column 2: a pattern is already being juggled"),
    ("3 2 loops\ntransition 3\nstart", "3, column 1: these throws lead to no pattern"),
    ("3 for 2 lops", "1, column 9: lops is not a unit"),
    ("3 for 2 qqqq", "1, column 9: qqqq is not a unit"),
    ("repeat\n3\nend", "1, column 7: the number of repeats is missing"),
    ("repeat 0\n3\nend", "1, column 8: cannot repeat 0 times"),
    ("repeat 1001 times\n3\nend", "1, column 8: cannot repeat 1001 times"),
    (
        "repeat 2\n" * 21 + "3\n" + "end\n" * 21,
        "21, column 1: too many nested blocks",
    ),
    (" repeat 2\n3", "1, column 2: this block has no end"),
    ("3\n end", "2, column 2: this ends no block"),
    ("3\nrepeat 2\nend", "3, column 1: no lines to repeat"),
    ("repeat 2\n3\nend 2", "3, column 4: nothing can follow end"),
    ("3\ntransition 3\nrepeat 2\n51\nend", "3, column 1: these throws lead to no pattern"),
    (
        "3\nrepeat 2\n stop\n531\n stop\nend",
        "3, column 2: there is no pattern between this stop and the one before",
    ),
    ("mils mess 2 loops", "1, column 1: there is no pattern called mils mess"),
    ("  532 2 loops", "1, column 3: average 3⅓. It must be a"),
    ("pattern=3;people=2 2 loops", "1, column 11: people applies to the whole routine"),
    ("3 2 loops\n<3p|3p> 3 s", "2, column 1: this is for 2 jugglers, but line 1 has 1"),
    (
        "3 2 loops\npattern=4;body=(0,20).(0,-20).",
        "2, column 1: props can lie on stands only beside jugglers who stay",
    ),
    (
        "3 2 loops\ntransition 55\n4",
        "2, column 14: these throws lead to a pattern with other props",
    ),
    (
        "prop=club\n1 3 beats\nb 30 beats",
        "3, column 1: 5 props would lie beside the left hand of juggler 1, but there",
    ),
    (
        "underleg right\n3 2 loops",
        "1, column 1: underleg changes the pattern before it, but there",
    ),
    ("0 2 loops", "1, column 1: it has no props"),
    ("3\npattern=3;prop=club", "2, column 1: props cannot change in a routine"),
    ("3 0 loops", "1, column 3: 0 is not a length"),
    ("3 1.5 loops", "1, column 3: 1.5 loops is not a whole number"),
    (
        "3;hands=" + "(1)(2)." * 6_007 + ";body=" + "(9)." * 5_003,
        "1, column 1: 3: hands, body and throws repeat together",
    ),
    ("2 4 catches", "1, column 1: it has no catches; set its length in beats or seconds"),
]

OPENED = [
    OpenRow(
        "a.txt",
        "a.txt",
        b"\x89PNG",
        "a.txt is a picture with no pattern inside; if",
    ),
    OpenRow(
        "a.txt",
        "a.txt",
        b"OggS\0",
        "a.txt is a video with no pattern inside; if",
    ),
    OpenRow("a.glb", "a.glb", b"glTF\2\0\0\0", "a.glb is a 3D model with no pattern inside; if"),
    OpenRow(
        "a.txt",
        "a.txt",
        b'{"asset": {}, "nodes": []}',
        "a.txt is a 3D model with no pattern inside; if",
    ),
    OpenRow(
        "a.html",
        "a.html",
        b"<!DOCTYPE html><p>531",
        "a.html is a web page with no pattern inside; if",
    ),
    OpenRow("a.svg", "a.svg", b"<svg xmlns='#'/>", "a.svg is a drawing with no pattern inside; if"),
    OpenRow(
        "a.csv",
        "a.csv",
        b"time [s],x\n0,1\n",
        "a.csv is a table with no pattern inside; if juggle-anim made it, another",
    ),
    OpenRow(
        "a.csv",
        "a.csv",
        b"name,siteswap\nTower,(4x,4x)\n",
        'a.csv, line 2: a comma splits this pattern; put it in quotes: "(4x,4x)"',
    ),
    OpenRow("a.txt", "a.txt", b"ID3\x03", "a.txt is a sound, not a file of patterns"),
    OpenRow("a.txt", "a.txt", b"PK\x03\x04", "a.txt is a packed file, not a file of patterns"),
    OpenRow(
        "a.txt",
        "a.txt",
        b"%PDF-1",
        "a.txt is a PDF document with no pattern inside; if",
    ),
    OpenRow(
        "a.bvh",
        "a.bvh",
        b"HIERARCHY\nROOT",
        "a.bvh is a BVH without the table (…-props.csv) that carries its pattern, not a "
        "file of patterns",
    ),
    OpenRow("a.txt", "a.txt", b'"A" 4@(1);', "a.txt, line 1: this is not a JuggleSaver throw"),
    OpenRow(
        "a.c",
        "a.c",
        b'portfolio = {{"[x]", "A"}}',
        "a.c, line 1: this is not a pattern in Adam notation",
    ),
    OpenRow(
        "a.jm",
        "a.jm",
        b"#HR=1\nHello world",
        "a.jm, line 2: this line does not start with a siteswap",
    ),
    OpenRow(
        "a.jm",
        "a.jm",
        b"!Pyramid\n531",
        "a.jm, line 2: the number of jugglers is unknown: there is no such group",
    ),
    OpenRow(
        "a.json",
        "a.json",
        b'["3"%s]' % (b",[]" * 40_000),
        "a.json has more than 40000 values, which is the limit",
    ),
    OpenRow("a.txt", "a.txt", b"\x7fELF", "a.txt is a program, not a file of patterns"),
    OpenRow("a.txt", "a.txt", b"3\0", "a.txt has no text, so no patterns"),
    OpenRow(
        "a.png",
        "a.png",
        picture(Record("pattern=532")),
        "a.png has an animation that cannot be read:",
    ),
    OpenRow(
        "a.png",
        "a.png",
        picture(Record(jml=NO_JML)),
        "a.png has an animation that cannot be read: its events",
    ),
    OpenRow("a.txt", "a.txt", b" \n", "a.txt is empty"),
    OpenRow("a.txt", "a.txt", 100_000_000, "a.txt is larger than the limit of 10 MB"),
    OpenRow("/dev/null", "a.txt", b"3", "/dev/null is not a regular file"),
    OpenRow("/dev", "a.txt", b"3", "/dev is a folder; name a file in it"),
    OpenRow("b.txt", "x.txt", b"3", "b.txt: there is no such file; did you mean x.txt?"),
    OpenRow("b.txt", "qqqqqqqq", b"3", "b.txt: there is no such file"),
    OpenRow("no/b.txt", "a.txt", b"3", "no/b.txt: there is no folder no"),
    OpenRow(
        "a\0.txt", "a.txt", b"3", "a .txt: cannot read this file: this is not a valid file name"
    ),
    OpenRow("n" * 300 + ".txt", "a.txt", b"3", "n" * 100),
    OpenRow("a.txt#7", "a.txt", b"3\n51", "a.txt has no pattern #7; there are #1 to #2"),
    OpenRow(
        "a.txt#casade",
        "a.txt",
        b"3 # Cascade",
        "a.txt has no pattern #casade; did you mean #Cascade?",
    ),
    OpenRow("a.txt#1", "a.txt", b"# words", "a.txt has no pattern #1; it has none"),
    OpenRow(
        "a.txt",
        "a.txt",
        b"# words",
        "a.txt has no patterns: no line is, starts with or ends with one",
    ),
    OpenRow("a.txt", "a.txt", b"\n532", "a.txt, line 2: average 3⅓. It must be a"),
    OpenRow(
        "a.txt",
        "a.txt",
        b"3" * 250_001,
        "a.txt, line 1: this line has 250001 characters; the limit is 250000",
    ),
    OpenRow(
        "a.txt",
        "a.txt",
        b"x = y\n" * 500,
        "a.txt has no patterns: none of the 500 lines is one",
    ),
    OpenRow(
        "a.txt",
        "a.txt",
        b"3\n" * 20_001,
        "a.txt has 20001 lines; the limit is 20000; split it into smaller files",
    ),
    OpenRow("a.txt", "a.txt", b"([33333]^2000)\n" * 200, "a.txt, line "),
    OpenRow(
        "a.routine",
        "a.routine",
        b"\n" * 20_001 + b"3",
        "a.routine has 20002 lines; the limit is 20000",
    ),
    OpenRow(
        "a.routine",
        "a.routine",
        b"title=None",
        "a.routine: no line says what to juggle; write what to",
    ),
    OpenRow(
        "a.routine",
        "a.routine",
        b"2\n" * 1_001,
        "a.routine has 1001 patterns and stops, including repeats; the limit is 1000",
    ),
    OpenRow(
        "a.routine",
        "a.routine",
        b"3 99999 loops",
        "a.routine, line 1, column 1: the routine has more than the limit of",
    ),
    *(
        OpenRow("a.routine", "a.routine", lines.encode(), f"a.routine, line {place}")
        for lines, place in ROUTINES
    ),
]


def _library(text: str) -> Callable[[], object]:
    def call() -> object:
        Path("a.toml").write_text(text)
        return read_library(Path())

    return call


_MUST = 'name="a"\nsiteswap="3"\ntags=[]\ndifficulty=1\ndescription="x"\nprops=3\n'
_PLACED = (
    '<jml><pattern><setup paths="1"/><symmetry type="delay" delay="1"/><event x="0" t="0" '
    'hand="left">'
    '<holding path="1"/></event></pattern></jml>'
)


def _placed() -> Settings:
    Path("a.jml").write_text(_PLACED)
    return open_pattern("a.jml")


def _listed(*texts: str) -> PatternList:
    return PatternList(tuple(Entry(text, read_settings(text), text=text) for text in texts))


def _completed(text: str) -> None:
    for checked in check_completions(text):
        if checked.error:
            raise checked.error


CALLS = [
    CallRow(
        lambda: animate("3").throws[0].potato,
        AttributeError,
        "Flight has no 'potato'",
    ),
    CallRow(
        lambda: animate("3").throws.save("a.gif"),
        ParameterError,
        "a.gif: this is saved as .csv, .json or .txt",
    ),
    CallRow(
        lambda: animate("3").url,
        AttributeError,
        "Animation has no 'url'; there are analyse, ",
    ),
    CallRow(
        lambda: animate("3", height=1.6),
        ParameterError,
        "height is 1.6, but must be the height of a picture in whole pixels; that of people is "
        "fixed",
    ),
    CallRow(
        lambda: animate("(534^20)", human=100, human_loops=1000).motion,
        ChoreographyError,
        "1000 loops of 60 throws are too many to vary (the limit is 20000 throws); set human_loops "
        "to 333 or less",
    ),
    CallRow(
        patch("juggle_anim.parameters.find_spec", lambda _name: None)(
            lambda: Table[Result]().to_dataframe()
        ),
        ParameterError,
        "data frames need the library pandas: pip install pandas",
    ),
    CallRow(_library("["), LibraryError, "a.toml: cannot read this file as TOML:"),
    CallRow(
        _library("a=1"),
        LibraryError,
        "a.toml: a pattern file has only [[pattern]] tables",
    ),
    CallRow(
        _library("[[pattern]]"),
        LibraryError,
        "a.toml: pattern 1: it has nothing, but must have name, siteswap, "
        "tags, difficulty, description, props, and may have aliases, jugglers, settings",
    ),
    CallRow(
        _library("[[pattern]]\n" + _MUST.replace("1", "11")),
        LibraryError,
        "a.toml: pattern 1: its difficulty must be a whole number from 1 to 10",
    ),
    CallRow(
        _library("[[pattern]]\n" + _MUST.replace('"x"', '""')),
        LibraryError,
        "a.toml: pattern 1: its description must be text",
    ),
    CallRow(
        _library("[[pattern]]\n" + _MUST.replace("[]", "[1]")),
        LibraryError,
        "a.toml: pattern 1: its tags must be a list of texts",
    ),
    CallRow(
        _library("[[pattern]]\n" + _MUST + "settings=1"),
        LibraryError,
        "a.toml: pattern 1: its settings must be a table of texts, numbers and true or false",
    ),
    CallRow(
        _library(f"[[pattern]]\n{_MUST}\n" * 2),
        LibraryError,
        "a.toml: pattern 2: there is another pattern name",
    ),
    CallRow(
        lambda: write_file(_listed("3"), "a.mp4"),
        FileError,
        "a.mp4: unknown file ending; use .jml,",
    ),
    CallRow(
        lambda: write_patterns(_listed("3"), JUGGLEMASTER),
        FileError,
        "JuggleMaster files can only be opened; use .jml,",
    ),
    CallRow(
        lambda: [write_file(_listed("3"), "a.txt") for _ in range(2)],
        ExportError,
        "a.txt already exists; choo",
    ),
    CallRow(
        lambda: write_found([], "a.jif"),
        FileError,
        "a.jif: save a list of patterns as .txt, .csv, .jml or .json",
    ),
    CallRow(
        lambda: write_file(read_text_list("532", "f"), "a.jif"),
        FileError,
        "532: cannot be saved, because it could",
    ),
    CallRow(
        lambda: write_file(_listed("3", "51"), "a.jif"),
        FileError,
        "JIF can have only one pattern, not 2; use .jml or .txt for many",
    ),
    CallRow(
        lambda: lesson_of(_placed().score),
        NotationError,
        "timed events cannot be split into steps",
    ),
    CallRow(
        lambda: write_settings(_placed().score, Parameters()),
        NotationError,
        "settings cannot store timed events",
    ),
    CallRow(
        lambda: with_settings(_placed(), hands="inside"),
        NotationError,
        "hands cannot change timed events",
    ),
    CallRow(
        lambda: with_settings("3", hand="inside"),
        ParameterError,
        "there is no setting 'hand': did you mean han",
    ),
    CallRow(
        lambda: with_settings("3", qqqq="inside"),
        ParameterError,
        "there is no setting 'qqqq': there are hss, h",
    ),
    CallRow(lambda: Routine.through([]), ParameterError, "a routine needs at least one pattern"),
    CallRow(
        lambda: Routine.through(["3", "4"], [1, 2]),
        ParameterError,
        "2 patterns need 1 times, but 2 were given",
    ),
    CallRow(
        lambda: Routine.of(animate("3")).cut(2.0, animate("4")).as_animation(),
        ParameterError,
        "3 → 4 cannot lead to 4: as requested; only patterns joined by throws make one animation",
    ),
    CallRow(lambda: read_settings(531), NotationError, "a pattern is text, not int"),
    CallRow(lambda: read_parameters("40"), NotationError, "a value has no key"),
    CallRow(
        lambda: guessed_keywords(read_parameters)(txt="40"),  # type: ignore[call-arg]
        ParameterError,
        "read_parameters() has no 'txt'; did you mean text?",
    ),
    CallRow(
        lambda: Parameters().replace(dwel=1),
        ParameterError,
        "there is no parameter 'dwel': did you mean dwell?",
    ),
    CallRow(
        lambda: Parameters().replace(qqqq=1),
        ParameterError,
        "there is no parameter 'qqqq': there are chicken_w",
    ),
    CallRow(
        lambda: Parameters(hand_path="ovr"),
        ParameterError,
        "hand_path is 'ovr': did you mean over?",
    ),
    CallRow(
        lambda: Parameters(people="11"),
        ParameterError,
        "people is '11': use varied, same, 1, 2, 3, 4, 5, 6,",
    ),
    CallRow(
        lambda: quantity_named("hand_path"),
        ParameterError,
        "hand_path is not a number; use one of direct, under",
    ),
    CallRow(
        lambda: Parameters(dwell=2),
        ParameterError,
        "dwell is 2, but must be a number from 0.02 to 1.98 beats",
    ),
    CallRow(
        lambda: animate("pattern=3B;bps=8;hands=(20,-150)(20,-150).").duration,
        ChoreographyError,
        "the 3B thrown by juggler 1 on beat 1 cannot bounce between these hands in 0.21 s; try "
        "a slower tempo",
    ),
    CallRow(
        lambda: (
            animate("pattern=3;hands=" + "(1)(2)." * 6_007 + ";body=" + "(9)." * 5_003).duration
        ),
        ChoreographyError,
        "3: hands, body and throws repeat together only after 30053021",
    ),
    CallRow(
        lambda: read_prechac("4p 3 for 2 jugglers", 3),
        NotationError,
        "this is for 2 jugglers, not for 3",
    ),
    CallRow(
        lambda: read_prechac("4p 3", 1),
        NotationError,
        "too many or too few jugglers to pass",
    ),
    CallRow(lambda: read_body("(" * 200_001), NotationError, "this text is 200001 characters long"),
    CallRow(
        lambda: _completed("pattern=5?1"),
        NotationError,
        "only a siteswap can be completed, and this has",
    ),
]
