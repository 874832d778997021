"""Lines of routines as texts: what they are made of, and how they are changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from juggle_anim.notation.settings.settings import read_parameters, write_parameters
from juggle_anim.parameters import ROWS

UNITS = {
    "catches": "catches", "catch": "catches", "loops": "loops", "loop": "loops", "beats": "beats", "beat": "beats",
    "seconds": "s", "second": "s", "sec": "s", "s": "s",
}  # fmt: skip
"""What lengths are counted in, as it may be written and as it is called."""

LENGTH = re.compile(r"(?:\s+for)?\s+([0-9]+(?:[.,][0-9]+)?)\s*([^\W\d_]+)\s*$", re.IGNORECASE)
"""How long a pattern is juggled, at the end of its line."""

COMMENT = re.compile(r"(?:^|\s)#(?:\s.*)?$")
"""Words beside a line, or all of one."""

HEAD = re.compile(r"\s*([^\W\d]\w*)\s*=(.*)")
"""A setting above all patterns; a settings string begins alike."""


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
    matches = [(HEAD.match(line), line) for line in head]
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
        head = HEAD.match(plain)
        if head and head[1].casefold() != "pattern" and ";" not in plain and not LENGTH.search(plain):
            length = number
        elif plain:
            break
    while 0 < length < len(lines) and not lines[length].strip():
        length += 1
    return length


def lengthened(line: str, steps: int) -> str:
    """A line with its length changed by some catches, loops, beats or seconds; at least one is left."""
    plain = COMMENT.sub("", line)
    words = line[len(plain) :]
    found = LENGTH.search(plain)
    if found and found[2].casefold() in UNITS:
        amount = max(float(found[1].replace(",", ".")) + steps, 1.0)
        return f"{plain[: found.start(1)]}{amount:g}{plain[found.end(1) :]}{words}"
    if not plain.strip() or plain.split()[0].casefold() in ("transition", "stop"):
        return line
    return f"{plain.rstrip()} {max(1 + steps, 1)} loops{words}"
