"""JoePass! syntax: the text without comments, commands, throws, and what may stand behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from juggle_anim.errors import FileError
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import MAX_JOEPASS_CHARACTERS, MAX_REPLACED_WORDS
from juggle_anim.notation.siteswap.syntax import Modifier


class WrittenThrow(NamedTuple):
    """A throw as it is written.

    Attributes:
        value: in beats, with so many `decimals`.
        crossing: whether an `x` turns its hand round.
        receiver: the juggler who catches it, from 0; None for the thrower, or one so many places
            on.
        places: how many places on, as `3r1` says.
        hurried: whether a `*` marks it.
        other_hand: whether an `h` has the other hand throw it.
        line: of the file, from 1.
    """

    value: Fraction
    decimals: int
    crossing: bool
    receiver: int | None
    places: int
    modifier: Modifier
    hurried: bool
    other_hand: bool
    line: int


class Beat(NamedTuple):
    """The throws of a juggler at one time: of the hand whose turn it is, or of both, the left
    first.

    `beats` is how long it lasts, and `switches` whether hands change their turns after it.
    """

    hands: tuple[tuple[WrittenThrow, ...], ...]
    beats: int
    switches: bool


class Command(NamedTuple):
    """A command that is followed, by its usual name, what stands behind it, and its line, from
    1.
    """

    name: str
    text: str
    line: int


NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)"

POINT = rf"\(\s*{NUMBER}\s*,\s*{NUMBER}\s*,\s*{NUMBER}\s*\)"

LAYOUTS = ("sideToSide", "backToBack", "line", "dropbackLine", "circle", "feed", "gorillaFeed")
"""The commands that place all jugglers."""

_COMMENT = re.compile(r'![^\n]*|"[^"]*"?')
_INFO = re.compile(r"\s*#\s*(?:showInfo|info|i)\b")
_REPLACE = re.compile(r"\s*#\s*(?:replace|r)[ \t]+(\S+)[ \t]+(\S.*)")

_PROFILE = {
    "Cross": "x",
    "SameHand": "%",
    "Pass": "p",
    "A=": "<",
    "END": ">",
    **{f"{juggler}=": "|" for juggler in "BCDEFG"},
    **{f"Pass{juggler}": f":{number}" for number, juggler in enumerate("ABCDE", start=1)},
    "#MHN": "#- 0",
    "#Siteswap": "#- 1",
    "flip": "@0.5f(1,,,80)t(0,,,60)",
}
"""Words that are replaced in every file."""


def scan(text: str, name: str) -> tuple[list[str], list[str]]:
    """Return the lines of a file with blanks for comments and texts for words, and its lines that
    are just comments.

    Raises:
        FileError: it is beyond the limits.
    """
    if len(text) > MAX_JOEPASS_CHARACTERS:
        reason = _(
            "this file has {count} characters; up to {most} are read",
            count=len(text),
            most=MAX_JOEPASS_CHARACTERS,
        )
        raise FileError(f"{name}:1: {reason}")
    comments: list[str] = []
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")

    def blank(found: re.Match[str]) -> str:
        begins = plain.rfind("\n", 0, found.start()) + 1 if found[0].startswith("!") else -1
        if begins >= 0 and not plain[begins : found.start()].strip():
            comments.append(found[0].lstrip("!").strip())
        return "\n" * found[0].count("\n")

    return list(_replaced(_COMMENT.sub(blank, plain).split("\n"), name)), comments


def _replaced(lines: list[str], name: str) -> Iterator[str]:
    """The lines with texts for the words that `#replace` defines before them; texts are not
    replaced again.
    """
    words = dict(_PROFILE)
    pattern = _any_of(_PROFILE)
    length = 0
    for number, line in enumerate(lines, start=1):
        if found := _REPLACE.fullmatch(line):
            words[found[1]] = found[2].strip()
            if len(words) > len(_PROFILE) + MAX_REPLACED_WORDS:
                reason = _(
                    "these are more than {most} words to replace; up to so many are",
                    most=MAX_REPLACED_WORDS,
                )
                raise FileError(f"{name}:{number}: {reason}")
            pattern = _any_of(words)
            yield ""
            continue
        if _INFO.match(line):
            yield line
            continue
        length += sum(len(words[found[0]]) for found in pattern.finditer(line))
        if length > MAX_JOEPASS_CHARACTERS:
            raise FileError(
                _(
                    "{place}: the texts for words grow too long; use them less often",
                    place=f"{name}:{number}",
                )
            )
        yield pattern.sub(lambda found: words[found[0]], line)


def _any_of(words: dict[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))


def _listed(item: str) -> str:
    return rf"\s*{item}(?:\s*,\s*{item})*"


_COLOURS = _listed(rf"(?:\d+\s*:?\s*)?{POINT}")
_SOME = r"(?:\s*r\s*\d+(?:\s*,\s*\d+)*)?"

# What stands behind each command, and an example of it.
_FORMS = {
    **dict.fromkeys(("sx", "sb", "mhn", "siteswap", "cpn"), ("", "")),
    **dict.fromkeys(LAYOUTS, (_SOME, "#line")),
    "siteswapMode": (r"\s*[bx]", "#s x"),
    "delayMode": (r"\s*[-+]", "#D - or #D +"),
    "emptyBeats": (r"\s*\d+", "#emptyBeats 1"),
    "bps": (rf"\s*{NUMBER}", "#bps 4"),
    "bps10": (rf"\s*{NUMBER}", "#bps10 40"),
    "hurried": (rf"\s*{NUMBER}", "#hurried 1.3"),
    "dwellRatio": (rf"\s*{NUMBER}", "#dwellRatio 0.6"),
    "bounceFrom": (rf"\s*{NUMBER}", "#objectBounceFrom 5"),
    "objectColorRange": (rf"\s*{NUMBER}", "#objectColorRange 255"),
    "objectCount": (r"\s*\d+", "#objectCount 6"),
    "objectKind": (_listed(r"\d+(?:\s*:\s*\d+)?"), "#objectKind 1"),
    "objectColor": (_COLOURS, "#objectColor 1 (1,0,0)"),
    "jugglerStartLeft": (_listed(r"\d+"), "#jugglerStartLeft 2"),
    "jugglerDelay": (
        _listed(rf"\d+(?:\s*[lr]\s*(?:{NUMBER}|=)|\s+(?:{NUMBER}|=))(?:\s*[lr]\s*(?:{NUMBER}|=))*"),
        "#jugglerDelay 2 0.5, or 2 r 0.5",
    ),
    "jugglerPosition": (
        _listed(rf"\d+\s*:?\s*{POINT}\s*{POINT}"),
        "#jugglerPosition 1 (0,0,-200) (0,0,0)",
    ),
    "globalStyle": (
        r"\s*(?:\d+\s*:?\s*)?(?:[A-Za-z_]\w*|#[^#]*#?)(?:\s*:\s*\d+)?",
        "#globalStyle reverse",
    ),
    "info": (r"[^\n]*", ""),
}

ARGUMENTS = {
    name: re.compile(rf"{form}(?:\s*;)?", re.ASCII) for name, (form, _unused) in _FORMS.items()
}
"""By the name of a command what stands behind it."""

EXAMPLES = {name: example for name, (_unused, example) in _FORMS.items()}

_SPELLINGS = {
    "sx": "extendedSiteswap extended",
    "sb": "basicSiteswap vanillaSiteswap vanilla",
    "mhn": "mhn*",
    "siteswapMode": "s",
    "delayMode": "D",
    "emptyBeats": "-",
    "bps": "speed tps throwsPerSecond",
    "bps10": "tps10 throwsPerSecond10",
    "hurried": "H Hurried hurriedValue HurriedValue",
    "dwellRatio": "o",
    "bounceFrom": "objectBounceFrom",
    "objectCount": "b count",
    "objectKind": "k kind",
    "objectColor": "O",
    "jugglerStartLeft": "h startLeft",
    "jugglerDelay": "d delay",
    "jugglerPosition": "j position",
    "globalStyle": "g jugglerGlobalStyle",
    "info": "i showInfo",
    "sideToSide": "sidetoside SideToSide",
    "backToBack": "backtoback BackToBack",
    "dropbackLine": "dropbackline DropbackLine",
    "gorillaFeed": "gorillafeed GorillaFeed",
}

NAMES = {name: name for name in _FORMS} | {
    word: name for name, words in _SPELLINGS.items() for word in words.split()
}
"""The usual name of a command by each of its names."""

COMMAND = re.compile(r"#\s*(mhn\*|(?:bps|tps|throwsPerSecond)10|[A-Za-z]+|[-@+1])", re.ASCII)

BOUNCE = re.compile(r"bb?|v(?:h?[lf])(?![a-z])")
"""A bounce behind a throw."""

LEFT_OUT = re.compile(
    rf"@\s*f?\s*(?P<spins>{NUMBER})?|[iGa/eod]\s*{NUMBER}|s\s*(?:#[^#\n]*#?|\w+)(?:\s*:\s*\d+)?"
    rf"|[ftv][*@]*\s*(?:{NUMBER})?\s*(?:\([^()]*\))?|[jy]\s*{POINT}|[=mRz?]",
    re.ASCII,
)
"""What stands behind a throw and is not shown."""

LETTERS = {
    "@": N_("spins of throws"),
    **dict.fromkeys("iG", N_("speeds and gravity of single throws")),
    **dict.fromkeys("a/", N_("angles of throws")),
    **dict.fromkeys("jy", N_("turns of props")),
    **dict.fromkeys("ftvs", N_("hand movements of throws")),
    "e": N_("times of flight"),
    "o": N_("dwells of single throws"),
    "d": N_("delays of single throws"),
    "=": N_("corrections of passes"),
    "m": N_("beeps"),
    "R": N_("rolls"),
    "z": N_("holds"),
    "?": N_("marks of hurries"),
}
"""What is said by the letters with which it begins."""

ENDLESS = N_("what comes before a loop without end")
"""What is not shown where a part is repeated for ever."""


def read_bounce(letters: str) -> Modifier:
    """The bounce that letters stand for which `BOUNCE` matches."""
    if letters.startswith("b"):
        return Modifier(1, "force" if letters == "bb" else "lift")
    style = "force" if letters.endswith("f") else "lift"
    return Modifier(1, f"hyper_{style}" if "h" in letters else style)
