"""Siteswap syntax: tokens, modifiers, the syntax tree, and the beat and hand of every throw in
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from typing import NamedTuple, TypeVar

from juggle_anim.errors import NotationError
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import MAX_BEATS, MAX_THROWS
from juggle_anim.pattern import LEFT, RIGHT, Throw, Turn

# A brace that never closes is a token too, so that the parser can say what is wrong with it.
_TOKEN = re.compile(r"\{[0-9]*\}?|\S")
_TOKEN_OR_FRACTION = re.compile(rf"[0-9]\.[0-9]+|{_TOKEN.pattern}")

ANGLE_BRACKETS = str.maketrans("⟨⟩\u2329\u232a〈〉‹›＜＞", "<><><><><>")
"""The brackets that other writers put around the jugglers of a passing pattern, and ours."""

NEXT_JUGGLER = 0
"""The receiver of a pass that names none."""

VALUE_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The characters that stand for a value each, from 0."""

OPEN = -2
"""The value of a `?`. It is even, so that the throw is placed as a 0 would be: an odd value turns
the hand round.
"""

HAND_LETTERS = {LEFT: "L", RIGHT: "R"}
"""What names the hand before a throw."""

MODIFIER_LETTERS = frozenset("BFHT")
"""The letters that begin a modifier."""

MODIFIER_FORMS = N_("modifiers are B, BB, BF, BL, BH, BHF, BHL, F, H and T")

BOUNCE_STYLES = {"lift": "", "force": "F", "hyper_lift": "H", "hyper_force": "HF"}
"""The kinds of bounces, and the letters for them after the B."""

_WRITTEN = re.compile(r"B+(?:H[FL]?|[FL]H?)?|[FHT]")

_HELD = {"H": True, "T": False}

# Of several in a row, more is meant than the end.
_END_MARK = re.compile(r"(?<=[^\s.,])\s*[.,]\s*\Z")

Read = TypeVar("Read")
"""What a reader makes of a text."""


class Token(NamedTuple):
    """A piece of text that means one thing, and where it begins; the last of all is empty."""

    text: str
    start: int


def tokenize(text: str, *, fractions: bool = False) -> list[Token]:
    """Cut a text into characters, `{12}` values and, if allowed, `5.3`; spaces are left out."""
    pattern = _TOKEN_OR_FRACTION if fractions else _TOKEN
    tokens = [Token(match.group(), match.start()) for match in pattern.finditer(text)]
    tokens.append(Token("", len(text)))
    return tokens


def without_end_mark(text: str) -> str:
    """Return a text without the full stop or comma that prose puts behind a pattern."""
    return _END_MARK.sub("", text)


def reads_without_end_mark(read: Callable[[str], Read]) -> Callable[[str], Read]:
    """Decorate a reader so that it ignores an end mark; its errors show the whole text.

    Args:
        read: a function of a text. What is no text is passed to it as it is, for it to refuse.
    """

    @wraps(read)
    def read_without_end_mark(text: str) -> Read:
        unmarked = without_end_mark(text) if isinstance(text, str) else text
        if unmarked == text:
            return read(text)
        try:
            return read(unmarked)
        except NotationError as error:
            # Only the end was cut off, so the index holds in the whole text, too.
            raise NotationError(text, error.index, error.reason, error.accepted) from error

    return read_without_end_mark


class Modifier(NamedTuple):
    """Modifiers of a throw; the fields are those of `Throw`."""

    bounces: int = 0
    bounce_style: str = ""
    held: bool | None = None


PLAIN = Modifier()


class WrittenThrow(NamedTuple):
    """A throw as it is written, in any of the notations.

    Attributes:
        value: in beats, as written: 3.6 may stand for 3⅔; or `OPEN`.
        crossing: whether an x turns its hand round.
        start: the index of its first character in the text.
        receiver: None for a throw to oneself, `NEXT_JUGGLER`, or the number after the p, counted
            from 1.
        modifier: how it is thrown.
        decimals: digits after the point of the value.
        text: the whole of it, such as `3.6p`, where the notation needs it for its messages.
    """

    value: Fraction
    crossing: bool = False
    start: int = 0
    receiver: int | None = None
    modifier: Modifier = PLAIN
    decimals: int = 0
    text: str = ""


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
    """Items in turn, `times` over; `swaps` appends them with hands swapped each time."""

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
    """Return all throws and starts, in the order in which they are written.

    Those in groups and passing sides are included, each once, however often a group repeats.
    """
    leaves: list[Single | Pair | Start] = []
    for item in items:
        if isinstance(item, Group):
            leaves.extend(leaves_of(item.items))
        elif isinstance(item, Passing):
            for side in item.sides:
                leaves.extend(leaves_of(side))
        else:
            leaves.append(item)
    return leaves


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
    """Return the modifier written at an index, and where it ends; `PLAIN` if there is none."""
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


class PlacedThrow(NamedTuple):
    """A throw with its beat and hand, and the index in the text where it is written."""

    throw: Throw
    start: int


class Placement(NamedTuple):
    """All throws of one loop, ordered by beat and hand, then as written.

    Attributes:
        throws: those above 0 and those left open, the swapped repetition included.
        period: beats after which every hand does the same again.
        written_period: beats that the text spells out.
        jugglers: how many people throw and catch.
        turns: the beats and hands for which anything is written, also if that is 0; sorted.
    """

    throws: tuple[PlacedThrow, ...]
    period: int
    written_period: int
    jugglers: int
    turns: tuple[Turn, ...] = ()


def place_throws(text: str, tree: Group) -> Placement:
    """Give every written throw its beat and its hand.

    Single throws alternate, the right hand of every juggler on even beats, and a hand specifier
    turns this round from its beat on. Where there is nothing but single throws they alternate for
    ever: an odd number of beats swaps hands each time, and a `*` says no more than that. An `x`
    shows that one hand is meant to throw twice running. So with an `x` a `*` swaps hands after an
    even number of beats as well, as in `2x0*`, and specifiers of the first hands hold on each
    repetition, as in `R3x`; without one they change nothing.

    Args:
        text: for errors.
        tree: of the text, with at least one item.

    Returns:
        The throws of one loop, with the repetition with hands swapped, if there is one.

    Raises:
        NotationError: the repeats make it longer than the limits allow.
    """
    # The kinds of throws decide what a `*` and an odd length mean.
    leaves = leaves_of(tree.items)
    singles = [leaf for leaf in leaves if isinstance(leaf, Single)]
    single_only = not any(isinstance(leaf, Pair) for leaf in leaves)
    specified = len(singles) < len(leaves) or any(single.hand is not None for single in singles)
    crossing = [throw for single in singles for throw in single.throws if throw.crossing]
    alternates = single_only and not specified
    # Whether a `*` swaps hands, or only repeats. Among alternating throws it swaps only with an x;
    # the x of a 0 does not count, as an empty hand throws to no hand.
    star_swaps = not alternates or any(throw.value for throw in crossing)

    # Place all throws. If only the hands of the first beat were specified, and there is no x, they
    # change nothing, so the throws are placed once more as if no hand were specified.
    placer = _Placer(text, _jugglers(tree.items), alternates=alternates, star_swaps=star_swaps)
    written_beats = placer.sequence(tree.items)
    if single_only and specified and not crossing and not placer.hand_specified_later:
        placer = _Placer(text, placer.jugglers, alternates=True, star_swaps=False)
        written_beats = placer.sequence(tree.items)

    # Append everything once more with hands swapped, if a `*` says so, or if hands alternate over
    # an odd number of beats.
    if (tree.swaps and placer.star_swaps) or (placer.alternates and written_beats % 2 == 1):
        placer.append_swapped(first_beat=0, first_throw=0, first_turn=0)

    # By beat, juggler and hand, the first three fields of a throw. The sort is stable, so that the
    # throws of a multiplex stay in the order in which they are written.
    throws = sorted(placer.throws, key=lambda placed: placed.throw[:3])
    return Placement(
        tuple(throws),
        period=placer.beat,
        written_period=written_beats,
        jugglers=placer.jugglers,
        turns=tuple(sorted(placer.turns)),
    )


def _jugglers(items: Items) -> int:
    """The parser has made sure that all parts have as many."""
    first = items[0]
    if isinstance(first, Group):
        return _jugglers(first.items)
    return len(first.sides) if isinstance(first, Passing) else 1


class _Placer:
    """Walks a syntax tree beat by beat, and gives each throw its beat and hand.

    Attributes:
        alternates: whether hands alternate for ever.
        star_swaps: whether a `*` swaps hands, or else only repeats.
        beat, juggler: those for which items are placed now.
        throws, turns: placed so far.
    """

    def __init__(self, text: str, jugglers: int, *, alternates: bool, star_swaps: bool) -> None:
        """Begin at beat 0 of the first juggler, with right hands on even beats."""
        self.text = text
        self.jugglers = jugglers
        self.alternates = alternates
        self.star_swaps = star_swaps
        self.beat = 0
        self.juggler = 0
        self.throws: list[PlacedThrow] = []
        self.turns: list[Turn] = []
        # For each juggler on which beats the right hand throws singly: 0 even ones, 1 odd ones.
        self.right_parity = [0] * jugglers
        self.hand_specified_later = False  # whether a hand was specified behind the first beat

    def sequence(self, items: Items) -> int:
        """Place items one after another from the present beat on, for the present juggler.

        Returns:
            The number of beats that they take.
        """
        first = self.beat
        for item in items:
            if isinstance(item, Single):
                self._single(item)
            # Both hands on the same beat.
            elif isinstance(item, Pair):
                self._throw(LEFT, item.left)
                self._throw(RIGHT, item.right)
                self._advance(item.beats)
            elif isinstance(item, Passing):
                self._passing(item)
            elif isinstance(item, Start):
                self._start(item.hand)
            else:
                self._group(item)
        return self.beat - first

    def append_swapped(self, *, first_beat: int, first_throw: int, first_turn: int) -> None:
        """Append once more, with hands swapped, the throws and turns placed last.

        The copies follow on the present beat, which moves on behind them.

        Args:
            first_beat: from which on they were placed.
            first_throw: index of the first of them in `throws`.
            first_turn: index of the first of them in `turns`.
        """
        # Copies come later by the number of beats from the first one to the present one.
        shift = self.beat - first_beat
        for throw, start in self.throws[first_throw:]:
            swapped = throw._replace(
                beat=throw.beat + shift, hand=1 - throw.hand, to_hand=1 - throw.to_hand
            )
            self.throws.append(PlacedThrow(swapped, start))
        self.turns += [
            (beat + shift, juggler, 1 - hand) for beat, juggler, hand in self.turns[first_turn:]
        ]
        self.beat += shift

    def _single(self, item: Single) -> None:
        if item.hand is not None:
            self._start(item.hand)
        hand = RIGHT if self.beat % 2 == self.right_parity[self.juggler] else LEFT
        self._throw(hand, item.throws)
        self._advance(1)

    def _start(self, hand: int) -> None:
        self.right_parity[self.juggler] = (self.beat + (hand == LEFT)) % 2
        self.hand_specified_later = self.hand_specified_later or self.beat > 0

    def _passing(self, item: Passing) -> None:
        first = self.beat
        for self.juggler, side in enumerate(item.sides):
            self.beat = first
            self.sequence(side)
        self.juggler = 0

    def _throw(self, hand: int, written: HandThrows) -> None:
        """Place the throws of a hand on the present beat, for the present juggler.

        Odd values cross to the other hand, even ones return to the same; an x reverses this.

        Args:
            hand: that throws: 0 left, 1 right.
            written: what it throws; nothing for a value of 0, which only has a turn.
        """
        beat = self.beat
        juggler = self.juggler
        self.turns.append((beat, juggler, hand))
        for throw in written:
            # A value such as 5.3 is placed as its whole beats, 5, which decide about the hand.
            # `read_rhythm` adds the part of a beat later.
            value = int(throw.value)
            if not value:
                continue  # an empty hand has a turn, but no throw
            to_hand = (hand + value + throw.crossing) % 2
            to_juggler = receiver_of(throw.receiver, juggler, self.jugglers)
            placed = Throw(
                beat=beat,
                juggler=juggler,
                hand=hand,
                value=value,
                to_juggler=to_juggler,
                to_hand=to_hand,
                bounces=throw.modifier.bounces,
                bounce_style=throw.modifier.bounce_style,
                held=throw.modifier.held,
            )
            self.throws.append(PlacedThrow(placed, throw.start))

    def _group(self, item: Group) -> None:
        """Place the items of a group as often as it repeats them.

        Args:
            item: the group.

        Raises:
            NotationError: the pattern gets longer than the limits.
        """
        for _round in range(item.times):
            first_beat = self.beat
            first_throw = len(self.throws)
            first_turn = len(self.turns)
            self.sequence(item.items)
            # A `*` in the group repeats the items, with hands swapped, or as they are where that
            # means the same.
            if item.swaps and self.star_swaps:
                self.append_swapped(
                    first_beat=first_beat, first_throw=first_throw, first_turn=first_turn
                )
            elif item.swaps:
                self.sequence(item.items)
            self._check_length()

    def _advance(self, beats: int) -> None:
        self.beat += beats
        self._check_length()

    def _check_length(self) -> None:
        """Refuse repeats that make the pattern longer than the limits.

        Checked after each beat and each repeat, before a longer pattern can fill the memory.
        """
        if self.beat > MAX_BEATS:
            reason = _("this is longer than {max_beats} beats", max_beats=MAX_BEATS)
        elif len(self.throws) > MAX_THROWS:
            reason = _("more than {max_throws} throws", max_throws=MAX_THROWS)
        else:
            return
        raise NotationError(self.text, 0, reason, _("use fewer repeats"))
