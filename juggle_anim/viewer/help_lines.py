"""The help's lines: which keys stand in each, in as many rows as they need, and what a click on them does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from juggle_anim.viewer.keys import HELP, Action, Fixed, HelpLine, chords


@dataclass(frozen=True)
class Cap:
    """A key of a line, or a word between two.

    Args:
        words: on it.
        action: that a click on it does; None where that is for the line, or for other keys of it, to say.
        key: whether it is one.
    """

    words: str
    action: Action | None = None
    key: bool = True


@dataclass(frozen=True)
class Line:
    """A line of the help.

    Args:
        rows: of its keys, one below the other; none where it is a way of the mouse.
        words: what the keys do.
        way: of the mouse, or nothing.
        action: that a click anywhere on it does; None where its keys do different things, or none.
    """

    rows: tuple[tuple[Cap, ...], ...]
    words: str
    way: str = ""
    action: Action | None = None


@dataclass(frozen=True)
class Lines:
    """A group of lines under their title."""

    title: str
    lines: tuple[Line, ...]


Width = Callable[[Cap], float]
GAP = 4.0
"""Between two keys, at scale 1, [pixels]."""


def help_groups(wide: Width, room: float) -> list[Lines]:
    """All groups, with every key of the table that counts now.

    Args:
        wide: how wide a key or word is drawn, at scale 1, [pixels].
        room: for the keys of a line, likewise.
    """
    return [Lines(title, tuple(_line(line, wide, room) for line in lines)) for title, lines in HELP]


def in_parts(groups: Sequence[Lines], height: Callable[[Sequence[Lines]], float], room: float) -> list[Lines]:
    """The groups; one that is higher than `room` in several parts, each under its title."""
    parts = []
    for group in groups:
        taken: tuple[Line, ...] = ()
        for line in group.lines:
            if taken and height([Lines(group.title, (*taken, line))]) > room:
                parts.append(Lines(group.title, taken))
                taken = ()
            taken = (*taken, line)
        parts.append(Lines(group.title, taken))
    return parts


def _line(line: HelpLine, wide: Width, room: float) -> Line:
    keys, words = line
    if isinstance(keys, str):
        return Line((), words, way=keys)
    if isinstance(keys, Fixed):
        return Line(((Cap(keys.name),),), words)
    return Line(tuple(key_rows(keys, wide, room)), words, action=keys[0] if len(keys) == 1 else None)


def key_rows(actions: tuple[Action, ...], wide: Width, room: float) -> list[tuple[Cap, ...]]:
    """The keys of some actions, in rows that are no wider than `room`, if that can be."""
    firsts = [chords(action)[0] for action in actions]
    if any(len(chords(action)) > 1 for action in actions):
        # One below the other, so that it is clear which of them are for the same.
        return [row for action in actions for row in _flowed(_choice(action), wide, room)]
    held = firsts[0][:-1]
    if len(actions) > 1 and held and all(names[:-1] == held for names in firsts):
        return _flowed(_holding(actions, held), wide, room)
    return _flowed([[Cap(name, action) for name in chords(action)[0]] for action in actions], wide, room)


def _choice(action: Action) -> list[list[Cap]]:
    """All chords of an action: `/` or `Ctrl L`."""
    first, *others = ([Cap(name, action) for name in names] for names in chords(action))
    return [first, *([Cap("or", key=False), *names] for names in others)]


def _holding(actions: tuple[Action, ...], held: list[str]) -> list[list[Cap]]:
    """What all chords hold down is named once: `Shift` `←` `→`."""
    first, *others = (Cap(chords(action)[0][-1], action) for action in actions)
    return [[*map(Cap, held), first], *([other] for other in others)]


def _flowed(chunks: list[list[Cap]], wide: Width, room: float) -> list[tuple[Cap, ...]]:
    """Chunks in rows; only one that is wider than a row is torn."""
    rows: list[tuple[Cap, ...]] = [()]

    def break_before(caps: Sequence[Cap]) -> None:
        row = [*rows[-1], *caps]
        if rows[-1] and sum(map(wide, row)) + GAP * (len(row) - 1) > room:
            rows.append(())

    for chunk in chunks:
        break_before(chunk)
        for cap in chunk:
            break_before([cap])
            rows[-1] = (*rows[-1], cap)
    return rows
