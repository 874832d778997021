"""JuggleMaster lists, `.jm` and `.jmp`: siteswaps and names under headings, with movements of hands
and heights.

The format is that of JuggleMaster 1.60 (Ken Matsuoka, 1996), as its README describes it, with what
JuggleMaster Pro (Arnaud BeLO, 2010) adds. Timing follows from a height and a dwell ratio, as in
`set_ini` of JMLib 2.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from juggle_anim.errors import FileError, JuggleError, NotationError, printable
from juggle_anim.language import _
from juggle_anim.notation.jugglemaster_group import (
    ALONE,
    MOST_PEOPLE,
    Group,
    group_settings,
    people_in_name,
    read_own_style,
    read_place,
)
from juggle_anim.notation.jugglemaster_style import NORMAL, POINT, Manner, Row, read_row
from juggle_anim.notation.pattern_list import (
    Entry,
    Note,
    PatternList,
    lines_of,
    within_budget,
    without_traceback,
)
from juggle_anim.notation.settings.settings import Settings, read_settings

_COMMENT = re.compile(r"(^|\s);.*")
_PARAMETER = re.compile(r"#\s*([^=]*?)\s*=\s*(.*)")
_QUOTED = re.compile(r'"([^"]*)"\s*(.*)')
_SITESWAP = re.compile(r"[0-9a-z\[\](),×*{}]+", re.IGNORECASE)
_COLOUR = re.compile(r"([A-Z])([1-9]?)")

_SHOWN = 60

_ABBREVIATIONS = {"%": "style", "^": "height", "@": "dwell", "$": "colors", "£": "skill"}
_WHO_DECIDES = ("", "true", "user", "global", "local")
_NAMES = {"ga": "gravity", "dr": "dwell", "hr": "height", "sp": "speed", "mr": "mirror"}
_RANGES = {
    "gravity": (0.01, 98.0),
    "dwell": (0.01, 0.99),
    "height": (0.01, 1.0),
    "speed": (0.1, 3.0),
}
_IN_PERCENT = ("dwell", "height")
"""What JuggleMaster Pro also writes as a whole number of hundredths."""


_STYLES: dict[str, tuple[Row, ...]] = {
    "": NORMAL,
    "normal": NORMAL,
    "reverse": (Row((4, 0), (13, 0)),),
    "shower": (Row((5, 0), (10, 0)), Row((10, 0), (5, 0))),
    "mills mess": (Row((-1, 0), (-12, 0)), Row((0, 0), (12, 0)), Row((1, 0), (-12, 0))),
    "center": (Row((13, 0), (0, 0)),),
    "windmill": (Row((10, 0), (-8, 0)), Row((-8, 0), (10, 0))),
}
"""Those that JMLib knows without a file, by their names in small letters."""


def read_jugglemaster(text: str, name: str) -> PatternList:
    """Read a list of JuggleMaster or JuggleMaster Pro; a wrong line becomes an entry with the
    reason, or a note.

    Args:
        text: the whole file.
        name: of the file, for errors.

    Raises:
        FileError: there are too many lines or throws, or nothing among many of them is a pattern.
    """
    reader = _Reader()
    lines = lines_of(text, name)
    entries = tuple(within_budget(reader.entries(lines), name, lines, reader.notes))
    return PatternList(entries, notes=tuple(reader.notes))


class _Reader:
    """Reads line after line, each as those before it have set it up."""

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self._known: dict[str, Settings | JuggleError] = {}
        self._manner = Manner()
        self._styles = dict(_STYLES)
        self._style = ""
        self._defining = False
        self._number = 0
        self._groups = {"1-person": ALONE}
        self._group: Group | None = ALONE  # None where it is not known how many people there are
        self._placing = ""  # the name of the group whose places come next
        self._own_styles: dict[int, str] = {}  # by person

    def entries(self, lines: Sequence[str]) -> Iterator[Entry]:
        for self._number, line in enumerate(lines, start=1):
            stripped = line.strip()
            if not stripped:
                self._own_styles = {}
                self._placing = ""
            elif stripped.startswith("/"):
                yield self._words(stripped)
            elif stripped.startswith("*") and len(stripped) > 1:
                # Who found the patterns that follow.
                yield Entry(stripped[1:].strip(), line=self._number)
            elif (line := _COMMENT.sub("", stripped).strip()) and (entry := self._entry(line)):
                yield entry

    def _entry(self, line: str) -> Entry | None:
        if line[0] == "{" and self._placing:
            self._add_place(line)
            return None
        self._placing = ""
        if line[0] == "{" or line == "*":
            self._add_row(line)
        elif line[0] == "!":
            self._begin_group(line[1:].strip())
        elif own_style := read_own_style(line):
            self._own_styles |= dict.fromkeys(*own_style)
        elif line[0] in _ABBREVIATIONS:
            self._set(_ABBREVIATIONS[line[0]], line[1:].strip(), in_percent=True)
        elif found := _PARAMETER.match(line):
            name = re.sub(r"[\s°]", "", found[1]).casefold()
            self._set(_NAMES.get(name, name), found[2].strip(), in_percent=name in _IN_PERCENT)
        elif line[0] == "#":
            self._note(
                _("{line} sets nothing: parameters are written #name=value", line=_shown(line))
            )
        else:
            return self._pattern(line)
        return None

    def _words(self, line: str) -> Entry:
        words = line.lstrip("/").strip().removeprefix("[").removesuffix("]").strip()
        return Entry(words if any(map(str.isalnum, words)) else "", line=self._number)

    def _pattern(self, line: str) -> Entry:
        quoted = _QUOTED.fullmatch(line)
        siteswap, name = quoted.groups() if quoted else (*line.split(None, 1), "")[:2]
        siteswap = "".join(siteswap.split())
        display = name.strip() or siteswap
        if not _SITESWAP.fullmatch(siteswap):
            return self._no_siteswap(line, display)
        if self._group is None:
            reason = _("it is not known how many people juggle this, since there is no such group")
            return Entry(display, error=FileError(reason), text=siteswap, line=self._number)
        text = group_settings(
            siteswap, self._manner, self._group, self._rows(), display if name.strip() else ""
        )
        read = self._read(text)
        if isinstance(read, JuggleError):
            if siteswap.isalpha() and len(siteswap) > 1:
                return self._no_siteswap(line, display)
            # The caret of an error stands in what the file says, if the siteswap is wrong by
            # itself.
            alone = self._read(siteswap)
            shown_error = alone if isinstance(alone, JuggleError) else read
            return Entry(display, error=shown_error, text=siteswap, line=self._number)
        return Entry(display, read, text=text, line=self._number)

    def _no_siteswap(self, line: str, display: str) -> Entry:
        reason = _("no siteswap stands at the beginning of this line")
        error = NotationError(line, 0, reason, _("a siteswap, and a name after it: 531 Tower"))
        return Entry(display, error=error, text=line, line=self._number)

    def _rows(self) -> list[tuple[Row, ...]]:
        """The rows of each person of the group: those of a style of their own, or else of the style
        for all.
        """
        if self._style not in self._styles:
            self._note(
                _(
                    "there is no style {style}, so hands move as in Normal",
                    style=_shown(self._style),
                )
            )
        group = self._group or ALONE
        rows = [self._manner.rows] * group.people
        for person, style in self._own_styles.items():
            if style.casefold() not in self._styles:
                self._note(
                    _("there is no style {style}, so hands move as in Normal", style=_shown(style))
                )
            elif person < group.people:
                rows[person] = self._styles[style.casefold()] or NORMAL
        return rows

    def _begin_group(self, name: str) -> None:
        """Take a group of people that was defined, or begin one whose places come in the next
        lines.
        """
        self._placing = name.casefold()
        people = people_in_name(name)
        self._group = self._groups.get(self._placing, Group(people) if people else None)

    def _add_place(self, line: str) -> None:
        place = read_place(line)
        new = self._placing not in self._groups
        places = () if new else self._groups[self._placing].places
        if place is None or len(places) == MOST_PEOPLE:
            # How many people there are is not known then.
            self._groups.pop(self._placing, None)
            self._group = None
            return self._note(
                _("{line} is no place of a person: one is {{x,y}}", line=_shown(line))
            )
        self._groups[self._placing] = self._group = Group(len(places) + 1, (*places, place))
        return None

    def _read(self, text: str) -> Settings | JuggleError:
        """What a text says, or why it is none; the same text is read but once."""
        if text not in self._known:
            try:
                self._known[text] = read_settings(text)
            except JuggleError as error:
                self._known[text] = without_traceback(error)
        return self._known[text]

    def _add_row(self, line: str) -> None:
        """A line of a style, or the star that repeats them with the rows of each two exchanged."""
        if not self._style:
            return self._note(_("this row of a style belongs to none: %Name begins one"))
        if not self._defining:
            self._styles[self._style], self._defining = (), True
        rows = list(self._styles[self._style])
        if line == "*":
            rows += [rows[number ^ 1] for number in range(len(rows) // 2 * 2)]
        elif row := read_row(line):
            rows.append(row)
            if _has_depth(line):
                self._note(_("depths of hands and props are not read"))
        else:
            self._note(
                _("{line} is not a row of a style: one is {{x,y}}{{x,y}}", line=_shown(line))
            )
        self._styles[self._style] = tuple(rows)
        self._manner.rows = tuple(rows) or NORMAL
        return None

    def _set(self, name: str, value: str, in_percent: bool = False) -> None:
        if value.casefold() in _WHO_DECIDES and name != "mirror":
            return
        if name == "style":
            self._style = "" if value == "false" else value.casefold()
            self._defining = False
            self._manner.rows = self._styles.get(self._style) or NORMAL
        elif name == "colors":
            self._manner.colours = self._colours(value)
        elif name == "mirror":
            self._manner.mirror = value.casefold() in ("1", "true")
        elif name in _RANGES:
            self._set_number(name, value, in_percent)
        elif name in ("reversesiteswap", "reversestyle") and value.casefold() != "false":
            self._note(_("#{name} is not read: patterns are juggled forwards", name=name))
        elif value.casefold() not in ("false", "0"):
            self._note(_("parameters of that program's picture and sound are not read"))

    def _set_number(self, name: str, value: str, in_percent: bool) -> None:
        low, high = _RANGES[name]
        try:
            number = float(value.removesuffix("%"))
        except ValueError:
            number = math.nan
        if in_percent and number >= 1 and "." not in value:
            number /= 100
        if low <= number <= high:
            self._manner.numbers[name] = number
        else:
            self._note(
                _(
                    "#{name} is {shown}, but must be a number from {low:g} to {high:g}",
                    name=name,
                    shown=_shown(value),
                    low=low,
                    high=high,
                )
            )

    def _colours(self, value: str) -> str:
        found = _COLOUR.findall(value)
        if "".join(map("".join, found)) != value.replace(" ", "") or any(
            letter not in _COLOURS for letter, _ in found
        ):
            if value.casefold() != "false":
                self._note(_("the colours {value} are not known", value=_shown(value)))
            return ""
        return "".join(
            f"{{{_shade(_COLOURS[letter], int(shade or 5))}}}" for letter, shade in found
        )

    def _note(self, text: str) -> None:
        self.notes.append(Note(self._number, text))


def _has_depth(line: str) -> bool:
    return any(part.strip() for inside in POINT.findall(line) for part in inside.split(",")[2:])


def _shown(text: str) -> str:
    return printable(text, _SHOWN)


_COLOURS = {
    letter: int(colour, 16)
    for letter, colour in zip(
        "ABCDEFGHIKLMNOPQRSTUVWXYZ",
        (
            *(
                "7fdbd4",
                "2020ff",
                "00e0e0",
                "202020",
                "00a050",
                "ff00ff",
                "00c000",
                "e6b422",
                "4b0082",
                "c3b091",
            ),
            *(
                "b57edc",
                "800000",
                "0a0a50",
                "ff8c00",
                "ff8cb4",
                "d8bfd8",
                "ff0000",
                "f4c430",
                "d2b48c",
                "4166f5",
            ),
            *("e34234", "ffffff", "d0f0ff", "ffff00", "9ca3a8"),
        ),
        strict=True,
    )
}
"""The colours that letters of JuggleMaster Pro name, as R is red."""


def _shade(colour: int, shade: int) -> str:
    """A colour from 1, nearly white, over 5, itself, to 9, nearly black."""
    target, share = (255, (5 - shade) / 5) if shade < 5 else (0, (shade - 5) / 5)
    mixed = (round(part + (target - part) * share) for part in colour.to_bytes(3, "big"))
    return ",".join(map(str, mixed))
