"""Siteswap syntax: tokens, modifiers, the syntax tree, and the beat and hand of every throw in
it.

The siteswap parser: recursive descent over tokens, by the grammar in docs/siteswap.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import update_wrapper
from operator import attrgetter
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from juggle_anim.errors import NotationError, character_name, counted
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import (
    MAX_BEATS,
    MAX_BOUNCES,
    MAX_JUGGLERS,
    MAX_LENGTH,
    MAX_NESTING,
    MAX_THROWS,
    MAX_VALUE,
    whole_number,
)
from juggle_anim.pattern import LEFT, RIGHT, VALUE_CHARACTERS, Throw, Turn

# A brace that never closes is a token too, so that the parser can say what is wrong with it.
_TOKEN = re.compile(r"\{[0-9]*\}?|\S")
_TOKEN_OR_FRACTION = re.compile(rf"[0-9]\.[0-9]+|{_TOKEN.pattern}")

ANGLE_BRACKETS = str.maketrans("⟨⟩\u2329\u232a〈〉‹›＜＞", "<><><><><>")
"""The brackets that other writers put around the jugglers of a passing pattern, and ours."""

NEXT_JUGGLER = 0
"""The receiver of a pass that names none."""

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
_END_MARK = r"(?<=[^\s.,])\s*[.,]\s*\Z"

Rest = ParamSpec("Rest")

Read = TypeVar("Read")
"""What a reader makes of a text."""


class Token(NamedTuple):
    """A piece of text that means one thing, and where it begins; the last of all is empty."""

    text: str
    start: int


def tokenize(text: str, token: re.Pattern[str] = _TOKEN) -> list[Token]:
    """Cut a text into tokens, by default characters and `{12}` values; others are left out."""
    tokens = [Token(match.group(), match.start()) for match in token.finditer(text)]
    return [*tokens, Token("", len(text))]


def without_end_mark(text: str) -> str:
    """Return a text without the full stop or comma that prose puts behind a pattern."""
    return re.sub(_END_MARK, "", text) if text.rstrip().endswith((".", ",")) else text


def reads_without_end_mark(
    read: Callable[Concatenate[str, Rest], Read],
) -> Callable[Concatenate[str, Rest], Read]:
    """Decorate a reader so that it ignores an end mark, such as the full stop of a sentence.

    Its errors still show the whole text.

    Args:
        read: a function of a text, and perhaps of other arguments. An argument that is not a text
            is passed on unchanged, so that `read` refuses it.
    """

    def read_without_end_mark(text: str, /, *rest: Rest.args, **named: Rest.kwargs) -> Read:
        """Read a text as `read` does, but without a mark at its end."""
        unmarked = without_end_mark(text) if isinstance(text, str) else text
        if unmarked == text:
            return read(text, *rest, **named)
        try:
            return read(unmarked, *rest, **named)
        except NotationError as error:
            # Only the end was cut off, so the index holds in the whole text, too.
            raise NotationError(text, error.index, error.reason, error.accepted) from error

    update_wrapper(read_without_end_mark, read)
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
        value: value in beats, as written: 3.6 may stand for 3⅔; or `OPEN`.
        crossing: whether an `x` sends the throw to the other hand than its value alone would.
        start: the index of its first character in the text.
        receiver: None for a throw to oneself, `NEXT_JUGGLER`, or the number after the p, counted
            from 1.
        modifier: the manner of the throw: bounces, holds, and so on.
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
    """A beat on which one hand throws; `hand` is None if it follows from the beat."""

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
    """Return the juggler, from 0, who catches a throw of a juggler with that `receiver`."""
    if receiver is None:
        return juggler
    return (juggler + 1) % jugglers if receiver == NEXT_JUGGLER else receiver - 1


def leaves_of(items: Items) -> list[Single | Pair | Start]:
    """Return the leaves of a syntax tree: its throws and hand specifiers, as they are written.

    Those in groups and in the sides of a passing pattern are included, each once, however often a
    group repeats.

    Args:
        items: the parsed parts of a siteswap, as they are nested.
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
    """Return the modifier of a throw as `modifier_at` reads it; empty if it has none."""
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
        jugglers: number of jugglers.
        turns: the beats and hands for which anything is written, also if that is 0; sorted.
    """

    throws: tuple[PlacedThrow, ...]
    period: int
    written_period: int
    jugglers: int
    turns: tuple[Turn, ...] = ()


def place_throws(text: str, tree: Group) -> Placement:
    """Assign a beat and a hand to every throw of a parsed siteswap.

    A single stands for the throws of one hand on a beat, a pair for those of both hands at once,
    and a turn is a beat on which a hand throws. A hand specifier (`L` or `R`) names the hand of a
    single, or, as a start without throws, that of the next one. A throw is crossing if it has an
    `x`.

    Singles alternate between the hands. The right hand of every juggler throws on even
    beats; from a hand specifier on, the hand that it names throws first. In a text of singles
    without specifiers, the hands alternate through all repetitions:

    - After an odd number of beats the next repetition has swapped hands, with a `*` or without.
    - After an even number a `*` swaps them only if an `x` shows that a hand is meant to throw twice
      running, as in `2x0*`.

    If a text of singles specifies only the first hands, that counts only if there is an `x`, as in
    `R3x`: then each repetition begins with these hands.

    Args:
        text: the text, for errors.
        tree: the syntax tree of the text, with at least one item.

    Returns:
        The throws of one loop, which includes the repetition with swapped hands if there is one.

    Raises:
        NotationError: repeats make the pattern longer than the limits allow.
    """
    leaves = leaves_of(tree.items)
    singles = [leaf for leaf in leaves if isinstance(leaf, Single)]
    single_only = not any(isinstance(leaf, Pair) for leaf in leaves)
    has_start = any(isinstance(leaf, Start) for leaf in leaves)
    has_specifier = has_start or any(single.hand is not None for single in singles)
    crossing = [throw for single in singles for throw in single.throws if throw.crossing]
    alternates = single_only and not has_specifier
    # An x makes a `*` swap hands, but not the x of a 0, which is thrown to no hand. (For specifiers
    # of the first hands, below, the x of a 0 counts, too.)
    star_swaps = not alternates or any(throw.value for throw in crossing)

    # Place all throws. If it turns out that only first hands are specified, which does not count
    # without an `x`, place the throws once more as if there were no specifiers.
    placer = _Placer(text, _jugglers(tree.items), alternates=alternates, star_swaps=star_swaps)
    written_beats = placer.place_all(tree.items)
    first_hands_only = has_specifier and not placer.hand_specified_later
    if single_only and first_hands_only and not crossing:
        placer = _Placer(text, placer.jugglers, alternates=True, star_swaps=False)
        written_beats = placer.place_all(tree.items)

    # Append everything once more with swapped hands if a `*` at the end says so, or if hands
    # alternate over an odd number of beats.
    swapped_by_star = tree.swaps and placer.star_swaps
    swapped_by_odd_length = placer.alternates and written_beats % 2 == 1
    if swapped_by_star or swapped_by_odd_length:
        placer.append_swapped(first_beat=0, first_throw=0, first_turn=0)

    # Sorted by beat, juggler and hand. The sort is stable, so throws of a multiplex (several of one
    # hand at once) stay in the order in which they are written.
    throws = sorted(placer.throws, key=attrgetter("throw.turn"))
    return Placement(
        tuple(throws),
        period=placer.beat,
        written_period=written_beats,
        jugglers=placer.jugglers,
        turns=tuple(sorted(placer.turns)),
    )


def _jugglers(items: Items) -> int:
    """Return the number of jugglers, which the parser has made sure is that of all parts."""
    first = items[0]
    if isinstance(first, Group):
        return _jugglers(first.items)
    return len(first.sides) if isinstance(first, Passing) else 1


class _Placer:
    """Walks a syntax tree beat by beat, and gives each throw its beat and hand.

    Attributes:
        alternates: whether hands alternate for ever; if not, both may throw on a beat.
        star_swaps: whether a `*` repeats with hands swapped; if not, it repeats unchanged.
        beat, juggler: where items are placed now.
        throws, turns: those placed so far.
    """

    def __init__(self, text: str, jugglers: int, *, alternates: bool, star_swaps: bool) -> None:
        """Prepare to place throws, from beat 0 of the first juggler on.

        Args:
            text: the text of the siteswap, for errors.
            jugglers: number of jugglers.
            alternates: whether hands take turns; if not, both may throw on a beat.
            star_swaps: whether a `*` repeats with hands swapped; if not, it repeats unchanged.
        """
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

    def place_all(self, items: Items) -> int:
        """Place items one after another from the present beat on, for the present juggler.

        Args:
            items: throws of one hand, pairs of both, sides of all jugglers, hand specifiers, and
                groups that repeat.

        Returns:
            The number of beats that they take.
        """
        first_beat = self.beat
        for item in items:
            if isinstance(item, Single):
                self._place_single(item)
            # Both hands on the same beat.
            elif isinstance(item, Pair):
                self._place_throws(LEFT, item.left)
                self._place_throws(RIGHT, item.right)
                self._advance(item.beats)
            elif isinstance(item, Passing):
                self._place_passing(item)
            elif isinstance(item, Start):
                self._set_first_hand(item.hand)
            else:
                self._place_group(item)
        return self.beat - first_beat

    def append_swapped(self, *, first_beat: int, first_throw: int, first_turn: int) -> None:
        """Append copies of the last throws and turns with left and right hands swapped.

        A turn is a beat, a juggler and a hand that throws then, or could throw. The copies start on
        the present beat, `self.beat`, which then moves on by their length.

        Args:
            first_beat: the beat on which the originals begin.
            first_throw: index of the first original in `throws`.
            first_turn: index of the first original in `turns`.
        """
        shift = self.beat - first_beat  # beats from an original to its copy
        for throw, start in self.throws[first_throw:]:
            beat, juggler, hand, value, to_juggler, to_hand = throw[:6]
            # Several times as fast as `_replace`.
            swapped = Throw(
                beat + shift, juggler, 1 - hand, value, to_juggler, 1 - to_hand, *throw[6:]
            )
            # A copy is written in the text where its original is.
            self.throws.append(PlacedThrow(swapped, start))
        self.turns += [
            (beat + shift, juggler, 1 - hand) for beat, juggler, hand in self.turns[first_turn:]
        ]
        self.beat += shift

    def _place_single(self, item: Single) -> None:
        if item.hand is not None:
            self._set_first_hand(item.hand)
        hand = RIGHT if self.beat % 2 == self.right_parity[self.juggler] else LEFT
        self._place_throws(hand, item.throws)
        self._advance(1)

    def _set_first_hand(self, hand: int) -> None:
        self.right_parity[self.juggler] = (self.beat + (hand == LEFT)) % 2
        self.hand_specified_later = self.hand_specified_later or self.beat > 0

    def _place_passing(self, item: Passing) -> None:
        first = self.beat
        for self.juggler, side in enumerate(item.sides):
            self.beat = first
            self.place_all(side)
        self.juggler = 0

    def _place_throws(self, hand: int, written: HandThrows) -> None:
        """Place the throws of a hand on the present beat, for the present juggler.

        Throws of odd value go to the other hand, those of even value to the same one; an x reverses
        this.

        Args:
            hand: the hand that throws: 0 left, 1 right.
            written: its throws; empty for a value of 0, with which the hand has a turn but no
                throw.
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
            # Hands are 0 and 1, and so is `crossing`.
            to_hand = (hand + value + throw.crossing) % 2
            to_juggler = receiver_of(throw.receiver, juggler, self.jugglers)
            placed = Throw(beat, juggler, hand, value, to_juggler, to_hand, *throw.modifier)
            self.throws.append(PlacedThrow(placed, throw.start))

    def _place_group(self, item: Group) -> None:
        """Place the items of a group, once for each of its repetitions.

        Args:
            item: the group.

        Raises:
            NotationError: the pattern gets longer than the limits.
        """
        for _round in range(item.times):
            # Where this round begins, for a repetition of it with hands swapped.
            first_beat = self.beat
            first_throw = len(self.throws)
            first_turn = len(self.turns)
            self.place_all(item.items)
            # A `*` in the group repeats its items: with swapped hands, or, where that would mean
            # the same, unchanged.
            if item.swaps and self.star_swaps:
                self.append_swapped(
                    first_beat=first_beat, first_throw=first_throw, first_turn=first_turn
                )
            elif item.swaps:
                self.place_all(item.items)
            self._check_length()

    def _advance(self, beats: int) -> None:
        self.beat += beats
        self._check_length()

    def _check_length(self) -> None:
        """Raise an error if repeats make the pattern longer than the limits.

        This is called after each beat and each repeat, before a longer pattern can fill the memory.
        """
        if self.beat > MAX_BEATS:
            reason = _("this is longer than {max_beats} beats", max_beats=MAX_BEATS)
        elif len(self.throws) > MAX_THROWS:
            reason = _("more than {max_throws} throws", max_throws=MAX_THROWS)
        else:
            return
        raise NotationError(self.text, 0, reason, _("use fewer repeats"))


_VALUES = {character: Fraction(int(character, 36)) for character in VALUE_CHARACTERS}
_VALUES |= {character.upper(): value for character, value in _VALUES.items()}
_VALUES["?"] = Fraction(OPEN)
_DIGITS = frozenset("0123456789")
_FLAGS = MODIFIER_LETTERS | set("xX×pP/")
_HANDS = {letter: hand for hand, letter in HAND_LETTERS.items()}

_AFTER_START = ("(", "|", ">")
"""A hand specifier may be before these without a throw of its own."""


def parse(text: str, *, fractions: bool = False) -> Group:
    """Parse a siteswap into its syntax tree.

    Args:
        text: the text as it is typed.
        fractions: whether a throw may last parts of beats, as in `5.3x`; if not, such a value is an
            error.

    Raises:
        NotationError: the text does not follow the grammar, or is beyond the limits.
    """
    if len(text) > MAX_LENGTH:
        accepted = _("the limit is {max_length}", max_length=MAX_LENGTH)
        raise NotationError(
            text, MAX_LENGTH, _("this text is {count} characters long", count=len(text)), accepted
        )
    parser = _Parser(text, fractions=fractions)
    if not parser.token.text:
        raise NotationError(
            text, 0, _("no pattern"), _("type a siteswap, such as 3, 531 or (6x,4)*")
        )
    return parser.pattern()


class _Parser:
    """Each method reads one rule of the grammar and leaves `token` at the first token after it."""

    def __init__(self, text: str, *, fractions: bool) -> None:
        """Initialise at the first token of a text.

        Args:
            text: the text as it is typed.
            fractions: whether a throw may last parts of beats.
        """
        self.text = text
        self.tokens = tokenize(text, _TOKEN_OR_FRACTION if fractions else _TOKEN)
        self.position = 0  # of the present token
        self.token = self.tokens[0]
        # Where hands only alternate, an x behind a letter is a value (33), not the mark of a
        # crossing throw, so that words such as "sixth" are siteswaps.
        self.x_is_value = not any(token.text in "(<LR" for token in self.tokens[:-1])
        # The position behind a value in capitals, where L and R are values, too; -1 for none.
        self.after_capital = -1
        self.passing = "<" in text
        self.in_side = False  # whether the present token is between < and >
        self.jugglers = 0  # of the parts that were read; 0 before the first
        # Numbers of the receivers in the present < >, with their tokens.
        self.receivers: list[tuple[int, Token]] = []

    def pattern(self) -> Group:
        items, swaps = self._sequence(nesting=0)
        if self.token.text or not items:
            raise self._unexpected()
        return Group(items, swaps, times=1)

    def _sequence(self, nesting: int) -> tuple[Items, bool]:
        """Read throws and groups one after another, up to a token that begins neither.

        Args:
            nesting: number of open brackets around them.

        Returns:
            The items, perhaps none, and whether a `*` stands behind them, which is read, too.
        """
        items: list[Single | Pair | Start | Group | Passing] = []
        while True:
            first = self.token
            # An L or R names the hand of a single throw, or alone the hand that throws next.
            hand = self._hand_specifier()
            if self.token.text == "<" and not self.in_side:
                items.append(self._passing())
            elif hand is not None and self.token.text in _AFTER_START:
                items.append(Start(hand))
            elif self.token.text == "(":
                items.append(self._pair_or_repeat(nesting))
            elif throws := self._hand_throws():
                items.append(Single(throws, hand))
            else:
                break
            # In a text with < >, a throw outside them is a part for one juggler, which is refused
            # beside parts for several. Groups and < > check their own items.
            if self.passing and not self.in_side and not isinstance(items[-1], Group | Passing):
                self._require_jugglers(1, first)
        return tuple(items), bool(items) and self._accept("*")

    def _passing(self) -> Passing:
        """Read the sides of all jugglers in < >, and check that they go together.

        A side is what one juggler throws.

        Returns:
            The sides, one for each juggler.

        Raises:
            NotationError: the sides differ in length, there are more or fewer than in earlier
                parts, or a pass goes to a juggler who does not exist.
        """
        opening = self._next()
        self.in_side = True
        self.receivers = []  # filled while the sides are read

        sides = [self._side(opening)]
        while self._accept("|"):
            first = self.token
            if self._accept("^"):
                # `|^3` at the end stands for the sides before it three times over.
                sides *= self._repeat_count(opening, MAX_JUGGLERS // len(sides))
                break
            sides.append(self._side(opening))
            self._check_side(sides, first)
        if not self._accept(">"):
            raise self._unexpected(opening)
        self.in_side = False

        # Receivers are checked last, when it is known how many jugglers there are.
        self._require_jugglers(len(sides), opening)
        for receiver, token in self.receivers:
            if not 1 <= receiver <= len(sides):
                accepted = _(
                    "a number from 1 to {count}; a space ends it, as in 3p2 3", count=len(sides)
                )
                raise self._error(
                    token, _("there is no juggler {number} to pass to", number=receiver), accepted
                )
        return Passing(tuple(sides))

    def _side(self, opening: Token) -> Items:
        """Read what one juggler throws; `opening` is the < before it."""
        items, swaps = self._sequence(nesting=0)
        if swaps:
            accepted = _("write it at the end, after the >, as in <(4xp,2)|(4xp,2)>*")
            raise self._error(
                self.tokens[self.position - 1], _("the * swaps the hands of all jugglers"), accepted
            )
        if not items:
            raise self._unexpected(opening)
        return items

    def _check_side(self, sides: list[Items], first: Token) -> None:
        """Raise an error if the last side is one too many, or not as long as the first.

        A side is what one juggler throws.

        Args:
            sides: the sides of all jugglers that were read so far.
            first: the first token of the last side, at which the error points.
        """
        if len(sides) > MAX_JUGGLERS:
            raise self._error(
                first,
                _("more than {max_jugglers} jugglers", max_jugglers=MAX_JUGGLERS),
                _("use fewer"),
            )
        beats = beats_of(sides[-1])
        expected = beats_of(sides[0])
        if beats != expected:
            # If passes have receivers, the hint names the likely cause: a throw right behind a p
            # was read as the number of its receiver.
            reason = _(
                "juggler {count} throws for {counts} here, but juggler 1 for {counts2}",
                count=len(sides),
                counts=counted(beats, "beat"),
                counts2=counted(expected, "beat"),
            )
            hint = (
                _("; in 3p3 the last 3 is a juggler, while 3p 3 is two throws")
                if self.receivers
                else ""
            )
            raise self._error(
                first,
                reason,
                _(
                    "all sides of < > must last the same time; write 0 for an empty hand{hint}",
                    hint=hint,
                ),
            )

    def _require_jugglers(self, jugglers: int, first: Token) -> None:
        """Check that a part of the pattern is for as many jugglers as the parts before it.

        Args:
            jugglers: number of jugglers of the part; that of the first part is kept.
            first: the first token of the part, at which the error points.
        """
        # `self.jugglers` is 0 before the first part, which may be for any number.
        if self.jugglers not in (0, jugglers):
            reason = _(
                "this is for {many}, but the part before it is for {jugglers}",
                many=counted(jugglers, "juggler"),
                jugglers=self.jugglers,
            )
            raise self._error(
                first, reason, _("write every part for all jugglers, as in <3p|3p><3|3>")
            )
        self.jugglers = jugglers

    def _pair_or_repeat(self, nesting: int) -> Pair | Group:
        """Read brackets: a pair of both hands, `(4,2)`, or a group with a count, `(531^2)`.

        Args:
            nesting: number of open brackets around these.

        Raises:
            NotationError: the brackets are neither, are not closed, or are nested too deep.
        """
        opening = self._next()
        if nesting >= MAX_NESTING:
            reason = _("brackets are nested more than {max_nesting} deep", max_nesting=MAX_NESTING)
            raise self._error(opening, reason, _("simplify the pattern"))
        # A pair and a group begin alike, so the beginning is read as a sequence, and the token
        # behind it decides: a ^ shows a group, a comma a pair.
        items, swaps = self._sequence(nesting + 1)
        if not items:
            raise self._unexpected(opening)
        if self._accept("^"):
            times = self._repeat_count(opening, MAX_BEATS)
            if not self._accept(")"):
                raise self._unexpected(opening)
            return Group(items, swaps, times)
        if self.token.text == ",":
            return self._pair(opening, items)
        if self.token.text == ")":
            accepted = _("write a pair as (4,2) and a repeat as (531^2)")
            raise self._error(self.token, _("these brackets have no pair or repeat"), accepted)
        raise self._unexpected(opening)

    def _pair(self, opening: Token, items: Items) -> Pair:
        """Read the rest of a pair, from the comma on.

        Args:
            opening: the bracket of the pair.
            items: what was read before the comma, at least one item. In a valid pair it is one, the
                throws of the left hand.

        Returns:
            The pair: the throws of both hands, and two beats, or one with a `!` behind it.

        Raises:
            NotationError: one of the hands has no throw, or the bracket is not closed.
        """
        left = items[0]
        token_before_comma = self.tokens[self.position - 1].text
        # Only one throw or multiplex may stand before the comma, without a letter for the hand. A *
        # behind it was read with the sequence, so it is found as the token before the comma.
        if (
            not isinstance(left, Single)
            or left.hand is not None
            or token_before_comma in ("*", ")")
            or len(items) > 1
        ):
            accepted = _("write a pair as (4,2) or ([44],2), left hand first")
            raise self._error(
                self.token,
                _("one hand cannot throw what comes before this comma"),
                accepted,
            )
        self._next()
        right = self._hand_throws()
        if not right or not self._accept(")"):
            raise self._unexpected(opening)
        return Pair(left.throws, right, beats=1 if self._accept("!") else 2)

    def _repeat_count(self, opening: Token, max_count: int) -> int:
        """Read a number of repeats, as the 3 in `(31)^3`.

        Args:
            opening: the bracket before what is repeated, for errors.
            max_count: the greatest number.

        Raises:
            NotationError: there is no number, or it is 0 or too great.
        """
        # Each digit is a token of its own, since elsewhere each is a throw.
        first = self.token
        digits = ""
        while self.token.text in _DIGITS:
            digits += self._next().text
        if not digits:
            raise self._unexpected(opening)
        times = whole_number(digits, max_count)
        if not times:
            accepted = _("a count from 1 to {most}", most=max_count)
            raise self._error(first, _("this is repeated too often"), accepted)
        return times

    def _hand_throws(self) -> HandThrows:
        """Read what one hand throws on a beat: a throw, or several at once (a multiplex) in [ ].

        Returns:
            The throws; empty if neither stands here, and then no token is consumed.
        """
        if self.token.text != "[":
            throw = self._throw()
            return (throw,) if throw else ()
        opening = self._next()
        throws: list[WrittenThrow] = []
        while throw := self._throw():
            throws.append(throw)
        if not throws or not self._accept("]"):
            raise self._unexpected(opening)
        self._accept("/")  # only separates throws
        return tuple(throws)

    def _throw(self) -> WrittenThrow | None:
        """Read a throw: its value, and its flags in this order, as far as there are any.

        Flags are an x (to the other hand), a p (a pass) and modifiers such as B (a bounce).

        Returns:
            The throw as written; its value is in beats. None if no throw stands here.

        Raises:
            NotationError: a number in braces is too high, or modifiers contradict each other.
        """
        # The value: 5.3, a digit or letter, or {12}.
        token = self.token
        decimals = len(token.text.partition(".")[2])  # digits behind the point
        if token.text in _VALUES:
            value = _VALUES[token.text]
        elif decimals:
            value = Fraction(token.text)
        elif token.text.startswith("{"):
            value = Fraction(self._braced_value(token))
        else:
            return None
        self._next()

        # Most throws are a digit without flags.
        if self.token.text not in _FLAGS and token.text[0].isdigit():
            return WrittenThrow(value, False, token.start, decimals=decimals)
        crossing = self._crossing(token)
        receiver = self._receiver(token)
        # Other programs write the x behind the p, as in 3px. After a space it would be a throw of
        # its own, with the value 33.
        if receiver is not None and not crossing and self.token.start == self._end_of_last_token():
            crossing = self._crossing(token)
        # B, F, H and T are modifiers, but right behind a value in capitals they are values, as in
        # TRPN. L and R, which elsewhere name a hand, are values there as well, for which
        # `after_capital` keeps the position. After an x or p the letters are always modifiers.
        if token.text.isupper() and not crossing and receiver is None:
            self.after_capital = self.position
            modifier = PLAIN
        else:
            modifier = self._modifier()
        self._accept("/")  # only separates throws
        return WrittenThrow(
            value,
            crossing=crossing,
            start=token.start,
            receiver=receiver,
            modifier=modifier,
            decimals=decimals,
        )

    def _braced_value(self, token: Token) -> int:
        """Return the value in a token such as `{12}`.

        Raises:
            NotationError: the brace is not closed, holds no digits or too high a value.
        """
        digits = token.text[1:-1]
        # A token ends before its } if anything but a digit follows, or the text ends.
        if not token.text.endswith("}"):
            raise self._error(token, *why_no_value(self.text, token.start))
        if not digits:
            raise self._error(token, _("there is no value in these {}"), _("a value such as {12}"))
        value = whole_number(digits, MAX_VALUE)
        if value is None:
            raise self._error(
                token,
                _("this throw is too high"),
                _("values up to {{{max_value}}}", max_value=MAX_VALUE),
            )
        return value

    def _crossing(self, value_token: Token) -> bool:
        """Read the x of a crossing throw, and return whether there is one.

        Args:
            value_token: the value of the throw. After a value in capitals X is a value, too, as in
                ZYXW. After any letter x is a value in texts in which a crossing throw makes no
                sense (`x_is_value`).
        """
        following = self.token.text
        if following == "X" and value_token.text.isupper():
            return False
        if following == "×" or (
            following in ("x", "X") and not (self.x_is_value and value_token.text.isalpha())
        ):
            self._next()
            return True
        return False

    def _receiver(self, value_token: Token) -> int | None:
        """Read the p of a pass with the number of its receiver.

        Args:
            value_token: the value of the throw; after a capital letter P is a value.

        Returns:
            The number of the receiver, from 1; `NEXT_JUGGLER` if there is no number; None if there
            is no p. Outside < > a p is a value, so the result is None, too. Whether such a juggler
            exists is checked after the >.
        """
        pass_flags = ("p",) if value_token.text.isupper() else ("p", "P")
        if not self.in_side or self.token.text not in pass_flags:
            return None
        # The number must follow without a space: 3p 3 are two throws.
        end = self._next().start + 1
        first = self.token
        digits = ""
        while self.token.text in _DIGITS and self.token.start == end + len(digits):
            digits += self._next().text
        if not digits:
            return NEXT_JUGGLER
        receiver = int(digits[:6])  # six digits are more than all jugglers, whatever follows
        self.receivers.append((receiver, first))
        return receiver

    def _modifier(self) -> Modifier:
        """Read the modifier behind a throw, such as bounces or a hold; `PLAIN` if there is none.

        Raises:
            NotationError: more than MAX_BOUNCES bounces, or letters that contradict each other.
        """
        if self.token.text not in MODIFIER_LETTERS:
            return PLAIN
        first = self.token
        modifier, end = modifier_at(self.text, first.start)
        # Each letter is a token of its own, so all tokens of the modifier are skipped.
        while self.token.text and self.token.start < end:
            self._next()
        if modifier.bounces > MAX_BOUNCES:
            raise self._error(
                first,
                _("no throw can bounce {bounces} times", bounces=modifier.bounces),
                _("up to {max_bounces}", max_bounces=MAX_BOUNCES),
            )
        # A letter of another modifier right behind it contradicts this one.
        if self.token.text in MODIFIER_LETTERS and self.token.start == end:
            reason = _(
                "the {text} cannot follow {text2}",
                text=self.token.text,
                text2=self.text[first.start : end],
            )
            raise self._error(self.token, reason, MODIFIER_FORMS)
        return modifier

    def _hand_specifier(self) -> int | None:
        """Read an L or R, which names the hand that throws next.

        After a value in capitals L and R are values, as in TRPN.

        Returns:
            The hand, `LEFT` or `RIGHT`; None if no L or R stands here as a hand specifier.
        """
        if self.token.text not in _HANDS or self.position == self.after_capital:
            return None
        # It is a hand specifier only if a throw follows, or a sign after which throws begin or end.
        following = self.tokens[self.position + 1].text
        if following[:1] in _VALUES or following[:1] in ("[", "{") or following in _AFTER_START:
            return _HANDS[self._next().text]
        return None

    def _end_of_last_token(self) -> int:
        last = self.tokens[self.position - 1]
        return last.start + len(last.text)

    def _next(self) -> Token:
        token = self.token
        self.position += 1
        if self.position < len(self.tokens):  # behind the last, which is empty, it stays
            self.token = self.tokens[self.position]
        return token

    def _accept(self, text: str) -> bool:
        if self.token.text != text:
            return False
        self._next()
        return True

    def _unexpected(self, opening: Token | None = None) -> NotationError:
        """Return the error for a token that cannot stand here, in a bracket that may be open."""
        before = self.tokens[self.position - 1] if self.position else None
        blamed = opening if opening and not self.token.text else self.token
        return self._error(blamed, *why_unexpected(self.token, before, opening))

    def _error(self, token: Token, reason: str, accepted: str) -> NotationError:
        return NotationError(self.text, token.start, reason, accepted)


_THROWS = N_(
    "write throws as 0 to 9, a to z for 10 to 35, {36} and so on, such as 531, [34]23 or (6x,4)*"
)
_CLOSED_BY = {
    "[": N_("write a multiplex as [34]"),
    "(": N_("write a pair as (4,2) and a repeat as (531^2)"),
    "<": N_("write passing as <3p 3|3p 3>, a side for each juggler"),
}

_BRACES = re.compile(r"\{[^{}]*\}")

_CLOSING = {"[": "]", "(": ")", "<": ">"}

_KNOWN = frozenset("[](),<|>*!^/?xX×") | frozenset("0123456789")

_MISPLACED = {
    ")": (N_("this ) closes nothing"), _CLOSED_BY["("]),
    "]": (N_("this ] closes nothing"), _CLOSED_BY["["]),
    ">": (N_("this > closes nothing"), _CLOSED_BY["<"]),
    "|": (N_("| is only allowed between jugglers in < >"), _CLOSED_BY["<"]),
    "}": (N_("this } closes nothing"), N_("a value such as {12}")),
    ",": (
        N_("a comma is only allowed between the two hands of a pair"),
        N_("write 35, or (4,2) for both hands at once"),
    ),
    ".": (N_("a point is only allowed between the digits of a pass"), N_("write it as in 3.5p")),
    "-": (N_("a throw cannot be negative"), _THROWS),
    "*": (N_("the * must follow what it repeats"), N_("write it at the end, as in (6x,4)*")),
    "!": (N_("! is only allowed after a pair"), N_("write it as in (4,3x)!")),
    "^": (N_("a count such as ^2 only works after brackets"), N_("write it as in (531^2)")),
    "×": (N_("the × marks a throw as crossing"), N_("write it after a throw, as in 4×")),
    "/": (N_("a / only separates throws"), N_("write it after a throw, or leave it out")),
}


def why_no_value(text: str, opening: int) -> tuple[str, str]:
    """Return why the text from the { at an index is no value, and what would be one."""
    if _BRACES.match(text, opening):
        return _("these {} must have only digits"), _("a value such as {12}")
    return _("this { is never closed"), _("a value such as {12}")


def why_unexpected(token: Token, before: Token | None, opening: Token | None) -> tuple[str, str]:
    """Return why a token cannot stand where it does, and what would be accepted.

    Args:
        token: the token; without a text at the end of the siteswap.
        before: the token before it; None at the beginning.
        opening: the innermost open bracket, or None.

    Returns:
        The reason, and what would be accepted.
    """
    # The reasons are tried from the most telling to the least: the pattern has ended; the text is
    # settings or another notation; a bracket is open; the character has a meaning elsewhere.
    if before and before.text == "*" and token.text and not opening:
        return _("the * ends a pattern, but more follows"), _("write the * last, or leave it out")
    if token.text in ("=", ";"):
        return _meaningless(token), _("settings start with the pattern, as in pattern=531;dwell=1")
    if token.text == ".":
        return _MISPLACED["."]
    if opening:
        return _why_inside(token, before, opening)
    if token.text in _MISPLACED:
        return _MISPLACED[token.text]
    return _meaningless(token), _THROWS


def _why_inside(token: Token, before: Token | None, opening: Token) -> tuple[str, str]:
    """Return why a token cannot stand inside an open bracket, and what would be accepted.

    Args:
        token: the token; without a text at the end of the siteswap.
        before: the token before it.
        opening: the innermost open bracket: [, ( or <.

    Returns:
        The reason, and what would be accepted.
    """
    accepted = _CLOSED_BY[opening.text]
    closing = _CLOSING[opening.text]
    # At the end of the text the bracket is still open.
    if not token.text:
        return _("this {text} is never closed", text=opening.text), accepted
    if token.text not in _KNOWN:
        return _meaningless(token), accepted
    # Nothing stands between a sign after which throws begin and one at which they end.
    ends_throws = token.text in (closing, ",", "|")
    if ends_throws and before is not None and before.text in "([,<|":
        return _("a throw is missing here"), _("write 0 for a hand that throws nothing")
    # The token closes a bracket of another kind.
    if token.text in ")]>":
        return _(
            "the {text} does not close the {text2}", text=token.text, text2=opening.text
        ), accepted
    return _(
        "{text} is not allowed inside {text2} {closing}",
        text=token.text,
        text2=opening.text,
        closing=closing,
    ), accepted


def _meaningless(token: Token) -> str:
    return _("{text} is not part of a siteswap", text=character_name(token.text))
