"""Siteswap syntax: tokens, modifiers and the syntax tree, before it is known which hand throws when."""

from __future__ import annotations

import re
from typing import NamedTuple

from juggle_anim.language import N_
from juggle_anim.pattern import Throw

# A brace that never closes is a token too, so that the parser can say what is wrong with it.
_TOKEN = re.compile(r"\{[0-9]*\}?|\S")

ANGLE_BRACKETS = str.maketrans("⟨⟩\u2329\u232a〈〉‹›＜＞", "<><><><><>")
"""The brackets that other writers put around the jugglers of a passing pattern, and ours."""

NEXT_JUGGLER = 0
"""The receiver of a pass that names none."""

VALUE_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The characters that stand for a value each, from 0."""

OPEN = -2
"""The value of a `?`. It is even, so that the throw is placed as a 0 would be: an odd value turns the hand round."""

MODIFIER_LETTERS = frozenset("BFHT")
"""The letters that begin a modifier."""

MODIFIER_FORMS = N_("modifiers are B, BB, BF, BL, BH, BHF, BHL, F, H and T")

BOUNCE_STYLES = {"lift": "", "force": "F", "hyper_lift": "H", "hyper_force": "HF"}
"""The kinds of bounces, and the letters for them after the B."""

_WRITTEN = re.compile(r"B+(?:H[FL]?|[FL]H?)?|[FHT]")

_HELD = {"H": True, "T": False}


class Token(NamedTuple):
    """A piece of text that means one thing, and the index of its first character. The last token of all is empty."""

    text: str
    start: int


def tokenize(text: str) -> list[Token]:
    """Cut a text into single characters and `{12}` values, and leave out spaces."""
    found = [Token(match.group(), match.start()) for match in _TOKEN.finditer(text)]
    found.append(Token("", len(text)))
    return found


class Modifier(NamedTuple):
    """Modifiers of a throw; the fields are those of `Throw`."""

    bounces: int = 0
    bounce_style: str = ""
    held: bool | None = None


PLAIN = Modifier()


class WrittenThrow(NamedTuple):
    """One value, or `OPEN`, with its flags, and the index in the text of its first character.

    `receiver` is None for a throw to oneself, `NEXT_JUGGLER`, or the juggler's number, counted from 1.
    """

    value: int
    crossing: bool
    start: int
    receiver: int | None = None
    modifier: Modifier = PLAIN


HandThrows = tuple[WrittenThrow, ...]
"""The throws of one hand at a time: a single throw, or several in a multiplex."""


class Single(NamedTuple):
    """A beat on which one hand throws; `hand` is None where it follows from the beat."""

    throws: HandThrows
    hand: int | None


class Pair(NamedTuple):
    """Both hands at once, taking two beats, or one with `!`."""

    left: HandThrows
    right: HandThrows
    beats: int


class Start(NamedTuple):
    """A hand specifier without a throw: the hand that throws next."""

    hand: int


class Group(NamedTuple):
    """Items one after another, `times` over; `swaps` appends them once more with the hands swapped before that."""

    items: Items
    swaps: bool
    times: int


class Passing(NamedTuple):
    """The simultaneous throws of all jugglers; all sides take the same number of beats."""

    sides: tuple[Items, ...]


Items = tuple[Single | Pair | Start | Group | Passing, ...]
"""A sequence of throws."""


def receiver_of(receiver: int | None, juggler: int, jugglers: int) -> int:
    """The juggler, from 0, who catches a throw of a juggler with that `receiver`."""
    if receiver is None:
        return juggler
    return (juggler + 1) % jugglers if receiver == NEXT_JUGGLER else receiver - 1


def leaves_of(items: Items) -> list[Single | Pair | Start]:
    """Return all throws and starts, also those in groups and passing sides, without repeats."""
    found: list[Single | Pair | Start] = []
    for item in items:
        if isinstance(item, Group):
            found.extend(leaves_of(item.items))
        elif isinstance(item, Passing):
            for side in item.sides:
                found.extend(leaves_of(side))
        else:
            found.append(item)
    return found


def beats_of(items: Items) -> int:
    """Return the number of beats of items, with repeats."""
    return sum(_beats(item) for item in items)


def _beats(item: Single | Pair | Start | Group | Passing) -> int:
    match item:
        case Pair():
            return item.beats
        case Group():
            return beats_of(item.items) * (1 + item.swaps) * item.times
        case Passing():
            return beats_of(item.sides[0])
        case Start():
            return 0
    return 1


def modifier_at(text: str, index: int) -> tuple[Modifier, int]:
    """The modifier that is written from an index on, and the index after it; `PLAIN` and the same index if none is."""
    match = _WRITTEN.match(text, index)
    if not match:
        return PLAIN, index
    return _meaning(match), match.end()


def modifier_text(throw: Throw) -> str:
    """The modifier of a throw as `modifier_at` reads it; empty where it has none."""
    held = {None: "", True: "H", False: "T"}[throw.held]
    return "B" * throw.bounces + BOUNCE_STYLES.get(throw.bounce_style, "") + held


def _meaning(match: re.Match[str]) -> Modifier:
    letters = match.group()
    if letters in _HELD:
        return Modifier(held=_HELD[letters])
    style = "force" if "F" in letters else "lift"
    return Modifier(max(1, letters.count("B")), f"hyper_{style}" if "H" in letters else style)
