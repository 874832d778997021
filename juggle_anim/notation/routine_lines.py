"""Lines of routines as texts: what they are made of, and how they are changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from juggle_anim.notation.settings.parameter_settings import read_parameters, write_parameters
from juggle_anim.parameters import ROWS

UNITS = {
    "catches": "catches", "catch": "catches", "throws": "catches", "throw": "catches",
    "loops": "loops", "loop": "loops", "rounds": "loops", "round": "loops",
    "times": "loops", "time": "loops", "x": "loops",
    "beats": "beats", "beat": "beats",
    "seconds": "s", "second": "s", "sec": "s", "s": "s", "minutes": "s", "minute": "s", "min": "s",
}  # fmt: skip
"""What lengths are counted in, as it may be written and as it is called."""

LENGTH = re.compile(r"(?:\s+for)?\s+([0-9]+(?:[.,][0-9]+)?)\s*([^\W\d_]+)\s*$", re.IGNORECASE)
"""How long a pattern is juggled, at the end of its line."""

COMMENT = re.compile(r"(?:^|\s)#(?:\s.*)?$")
"""Words beside a line, or all of one."""

BARE_NUMBER = re.compile(r"\s+(?:for\s+|x\s*)?([0-9]+)\s*$", re.IGNORECASE)
"""A number at the end of a line that does not say what it counts."""

_SETTING = re.compile(r"\s*([^\W\d]\w*)\s*=(.*)")

_REPEAT = re.compile(r"(\s*repeat\s+)([0-9]+)", re.IGNORECASE)

_ONE = {"catches": "catch", "loops": "loop", "beats": "beat", "seconds": "second"}
"""Units of a length of one."""


def head_setting(line: str) -> re.Match[str] | None:
    """The name and value of a setting for all of a routine; None if a line, without its comment, is something else.

    A settings string begins alike, but has several settings, a pattern or a length. A title may be any words.
    """
    found = _SETTING.match(line)
    if found is None or found[1].casefold() == "pattern" or ";" in line:
        return None
    return found if found[1].casefold() == "title" or not LENGTH.search(line) else None


def lines_below(text: str) -> list[tuple[int, str]]:
    """The lines below the head of a routine, from its first pattern on, with their numbers from 1."""
    lines = list(enumerate(text.splitlines(), start=1))
    return lines[_head_length(text) :]


def with_lines(text: str, lines: Sequence[str]) -> str:
    """A routine with other lines below its head, which stays as it stands.

    Args:
        text: of a routine.
        lines: patterns, transitions and stops.
    """
    head = text.splitlines()[: _head_length(text)]
    return "\n".join([*head, *lines]) + "\n"


def with_parameters(text: str, parameters: Mapping[str, float | str | None]) -> str:
    """A routine with these parameters for all of it, and no others.

    Args:
        text: of a routine.
        parameters: by name.
    """
    said = {row.key for row in ROWS}
    lines = text.splitlines()
    head = lines[: _head_length(text)]
    matches = [(_SETTING.match(line), line) for line in head]
    now = {found[1].casefold(): line for found, line in matches if found and found[1].casefold() in said}
    wanted = {each.partition("=")[0]: each for each in write_parameters(parameters).split(";") if each}
    if set(now) == set(wanted) and read_parameters(";".join(map(_plain, now.values()))) == dict(parameters):
        return text
    kept = [line for found, line in matches if not (found and found[1].casefold() in said)]
    while kept and not kept[-1].strip():
        kept.pop()
    return "\n".join([*kept, *wanted.values(), *([""] if kept or wanted else []), *lines[len(head) :]]) + "\n"


def _plain(line: str) -> str:
    return "".join(COMMENT.sub("", line).split())


def _head_length(text: str) -> int:
    """The number of lines up to the last setting above the first pattern, and blank ones below it."""
    lines, length = text.splitlines(), 0
    for number, line in enumerate(lines, start=1):
        plain = COMMENT.sub("", line).strip()
        if head_setting(plain):
            length = number
        elif plain:
            break
    while 0 < length < len(lines) and not lines[length].strip():
        length += 1
    return length


def lengthened(line: str, steps: int) -> str:
    """A line with its length changed by some catches, loops, beats, seconds or repeats; at least one is left."""
    plain = COMMENT.sub("", line)
    words = line[len(plain) :]
    found = LENGTH.search(plain)
    if found and found[2].casefold() in UNITS:
        amount = max(float(found[1].replace(",", ".")) + steps, 1.0)
        between, unit = plain[found.end(1) : found.start(2)], _counted(amount, found[2])
        return f"{plain[: found.start(1)]}{amount:g}{between}{unit}{plain[found.end(2) :]}{words}"
    if found := _REPEAT.match(plain):
        return f"{found[1]}{max(int(found[2]) + steps, 1)}{line[found.end() :]}"
    if not plain.strip() or plain.split()[0].casefold() in ("transition", "stop", "repeat", "end"):
        return line
    amount = max(1 + steps, 1)
    return f"{plain.rstrip()} {amount} {_counted(amount, 'loops')}{words}"


def _counted(amount: float, unit: str) -> str:
    """A unit as it is written behind a number: `loop` behind 1, and `loops` behind others."""
    many = next((many for many, one in _ONE.items() if unit.casefold() in (one, many)), unit)
    return _ONE.get(many, many) if amount == 1 else many
