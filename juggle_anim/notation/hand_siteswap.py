"""Hand siteswap: a siteswap of the objects, one of the hands, and whose hands they are."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from juggle_anim.errors import NotationError, PatternError
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import MAX_HANDSPEC, MAX_LOOP, MAX_LOOP_THROWS
from juggle_anim.notation.numbers import whole_number
from juggle_anim.notation.siteswap.parser import parse
from juggle_anim.notation.siteswap.read import check_average
from juggle_anim.notation.siteswap.syntax import (
    PLAIN,
    Group,
    Pair,
    Passing,
    PlacedThrow,
    Single,
    Start,
    Token,
    WrittenThrow,
    place_throws,
)
from juggle_anim.notation.siteswap.wildcard import completions
from juggle_anim.pattern import LEFT, RIGHT, HandSiteswap, Pattern, Throw
from juggle_anim.pattern.pattern import cycles

_LONGEST_LOOP_NAMED = 10**9  # beats; of a longer loop a message gives no number

_ONE_HAND_A_BEAT = N_("one hand at most throws on each beat, as with 4 or 423")


def read_hand_siteswap(
    pattern: str, hss: str, handspec: str | None = None, hold: bool = False, dwellmax: bool = True
) -> Pattern:
    """The pattern of objects that are thrown by hands which follow a siteswap of their own.

    One hand throws on a beat, or none. A hand that throws on a beat on which the hand siteswap has
    a 4 throws again 4 beats later, and on a 0 no hand throws. Hands are numbered in the order in
    which they first throw.

    Args:
        pattern: the siteswap of the objects, one throw or multiplex a beat; bounces, holds and
            repeats may be in it.
        hss: the siteswap of the hands, one throw a beat; it takes as many hands as it would take
            props.
        handspec: whose hands they are, as `read_handspec` reads it; None for the `usual_hands`.
        hold: whether a throw as long as its hand's own is held, where nothing else is written on
            it.
        dwellmax: kept in the pattern, for its timing.

    Returns:
        Its period is that of objects and hands together, the same as in Juggling Lab 1.7.7.

    Raises:
        NotationError: one of the texts is at fault; `key` says which: "pattern", "hss" or
            "handspec".
    """
    with _reading("pattern"):
        objects = read_plain_siteswap(pattern, hands=False)
    with _reading("hss"):
        written = read_plain_siteswap(hss, hands=True)
        order = hand_order(written)
        loop = _loop(written, order, objects)
    with _reading("handspec"):
        hands = (
            default_hands(order.hands) if handspec is None else read_handspec(handspec, order.hands)
        )
    turns = [
        None if hand_index is None else hands[hand_index] for hand_index in order.numbers(loop)
    ]
    with _reading("pattern"):
        placed = _thrown(objects, turns, order.values if hold else ())
        return _pattern(
            objects, placed, turns, HandSiteswap(written.text, handspec, hold, dwellmax)
        )


@contextmanager
def _reading(key: str) -> Iterator[None]:
    try:
        yield
    except NotationError as error:
        error.key = key
        raise


def _loop(written: PlainSiteswap, order: HandOrder, objects: PlainSiteswap) -> int:
    """Beats after which objects and hands begin together again."""
    # Objects and hands begin together again after the least common multiple.
    loop = math.lcm(objects.beats, order.beats)
    if loop > MAX_LOOP or len(objects.throws) * (loop // objects.beats) > MAX_LOOP_THROWS:
        after = (
            _("only after {loop} beats", loop=loop)
            if loop < _LONGEST_LOOP_NAMED
            else _("after too many beats")
        )
        reason = _("the pattern and these hands begin together again {after}", after=after)
        accepted = _(
            "make one of them shorter: {max_loop} beats and {max_loop_throws} throws are allowed",
            max_loop=MAX_LOOP,
            max_loop_throws=MAX_LOOP_THROWS,
        )
        raise NotationError(written.text, 0, reason, accepted)
    return loop


def _thrown(
    objects: PlainSiteswap, turns: Sequence[Hand | None], held: Sequence[int]
) -> list[PlacedThrow]:
    """Return all throws of the loop in their hands; `held` are the values to hold, by beat."""
    # All repetitions of the objects' throws within the loop.
    placed = []
    for repeat in range(0, len(turns), objects.beats):
        for throw, start in objects.throws:
            beat = repeat + throw.beat
            try:
                moved = _in_hands(throw._replace(beat=beat), turns)
            except PatternError as error:
                accepted = _("where the hand siteswap has a 0 the objects have a 0 as well")
                raise NotationError(objects.text, start, str(error), accepted) from error
            if (
                held
                and not throw.bounces
                and throw.held is None
                and throw.value == held[beat % len(held)]
            ):
                moved = moved._replace(held=True)
            placed.append(PlacedThrow(moved, start))
    return placed


def _in_hands(throw: Throw, turns: Sequence[Hand | None]) -> Throw:
    """Return a throw with the hand whose turn it is on its beat, and the one that catches it."""
    lands = throw.beat + throw.value
    hand = turns[throw.beat]
    receiver = turns[lands % len(turns)]
    if hand is None:
        raise PatternError(
            _(
                "there is no hand to throw the {value} on beat {beat}",
                value=throw.value,
                beat=throw.beat + 1,
            )
        )
    if receiver is None:
        thrown = _("the {value} thrown on beat {beat}", value=throw.value, beat=throw.beat + 1)
        raise PatternError(
            _("there is no hand for {thrown} on beat {lands}", thrown=thrown, lands=lands + 1)
        )
    return throw._replace(
        juggler=hand[0], hand=hand[1], to_juggler=receiver[0], to_hand=receiver[1]
    )


def _pattern(
    objects: PlainSiteswap,
    placed: Sequence[PlacedThrow],
    turns: Sequence[Hand | None],
    hand_siteswap: HandSiteswap,
) -> Pattern:
    """Return the pattern of objects in hands; a wrong landing is an error of the objects' text."""
    try:
        return Pattern(
            objects.text,
            tuple(throw.throw for throw in placed),
            period=len(turns),
            written_period=objects.beats,
            jugglers=1 + max(hand[0] for hand in turns if hand),
            turns=tuple((beat, *hand) for beat, hand in enumerate(turns) if hand),
            hand_siteswap=hand_siteswap,
        )
    except PatternError as error:
        if error.throw is None:
            raise
        accepted = _("as many objects must land on a beat as are thrown on it")
        raise NotationError(
            objects.text, placed[error.throw].start, str(error), accepted
        ) from error


@dataclass(frozen=True)
class HandOrder:
    """When hands throw.

    Args:
        values: for each beat of a loop, how many beats later the hand that throws then throws
            again; 0 where none does.
    """

    values: tuple[int, ...]

    @property
    def hands(self) -> int:
        """The number of hands, which is the number of props of the hand siteswap."""
        return sum(self.values) // len(self.values)

    @property
    def beats(self) -> int:
        """Beats after which every hand throws as now: the orbits' least common multiple."""
        size = len(self.values)
        # Follow each hand from throw to throw: the orbits of the permutation beat + value.
        step = [(beat + value) % size for beat, value in enumerate(self.values)]
        lengths = [sum(self.values[beat] for beat in cycle) for cycle in cycles(step)]
        return math.lcm(*filter(None, lengths))

    def numbers(self, loop: int) -> list[int | None]:
        """Return the number of the hand on each beat, in the order of their first throws.

        Args:
            loop: how many beats, a multiple of `beats`.
        """
        numbers: list[int | None] = [None] * loop
        count = 0
        for first in range(loop):
            beat = first
            while (value := self.values[beat % len(self.values)]) and numbers[beat] is None:
                numbers[beat] = count
                beat = (beat + value) % loop
            count += numbers[first] == count
        return numbers


def hand_order(plain: PlainSiteswap) -> HandOrder:
    """The order that a siteswap of hands stands for.

    Raises:
        NotationError: the average is not whole, there is no hand, or not just one hand is to throw
            on a beat.
    """
    text, throws, beats = plain
    _check_average(text, sum(placed.throw.value for placed in throws), beats)
    values = [0] * beats
    lands: dict[int, PlacedThrow] = {}
    for placed in throws:
        # Two hands that would throw on one beat clash.
        values[placed.throw.beat] = placed.throw.value
        earlier = lands.setdefault((placed.throw.beat + placed.throw.value) % beats, placed)
        if earlier is not placed:
            raise NotationError(text, placed.start, _clash(earlier, placed), _ONE_HAND_A_BEAT)
    _check_landings(text, lands, values)
    return HandOrder(tuple(values))


def _check_landings(text: str, lands: Mapping[int, PlacedThrow], values: Sequence[int]) -> None:
    """Each hand throws again on a beat on which something is thrown at all."""
    for beat, (throw, start) in lands.items():
        if not values[beat]:
            next_beat = throw.beat + throw.value + 1
            reason = _(
                "the hand that throws on beat {beat}, a {value}, would throw next on beat ",
                beat=throw.beat + 1,
                value=throw.value,
            )
            raise NotationError(
                text,
                start,
                _(
                    "{reason}{next_beat}, on which no hand throws",
                    reason=reason,
                    next_beat=next_beat,
                ),
                _ONE_HAND_A_BEAT,
            )


def _check_average(text: str, total: int, beats: int) -> None:
    """Refuse hands whose number, the average of the siteswap, is a fraction or 0."""
    if total % beats:
        reason = _(
            "the throws add up to {total} over {beats} beats, and their average is the number of "
            "hands",
            total=total,
            beats=beats,
        )
        raise NotationError(
            text,
            0,
            reason,
            _("it must be whole: not {total}, but a multiple of {beats}", total=total, beats=beats),
        )
    if not total:
        raise NotationError(
            text,
            0,
            _("this is a siteswap of no hands"),
            _("one of as many hands as throw, such as 4"),
        )


def _clash(first_throw: PlacedThrow, second_throw: PlacedThrow) -> str:
    """Say which hands would throw together, on the beats of the repetition where they meet."""
    values = first_throw.throw.value, second_throw.throw.value
    late = max(placed.throw.beat + placed.throw.value for placed in (first_throw, second_throw))
    first, second = (late - value + 1 for value in values)
    return _(
        "the hands that throw on beats {first} and {second}, a {values} and a {values2}, would "
        "both throw "
        "next on beat {late}",
        first=first,
        second=second,
        values=values[0],
        values2=values[1],
        late=late + 1,
    )


Hand = tuple[int, int]
"""A juggler, counted from 0, and a side."""

_TOKEN = re.compile(r"[0-9]+|\S")

_DIGITS = frozenset("0123456789")

_HANDSPEC_FORM = N_(
    "a handspec names the left and the right hand of each juggler, as (2,1)(4,3), or (1,)(,2) for "
    "one hand each"
)

_OBJECTS_FORM = N_(
    "with a hand siteswap the objects are written as single throws and multiplexes, such as 786 "
    "or [43]23"
)

_HANDS_FORM = N_("a hand siteswap is written as single throws, such as 4 or 423")


def default_hands(count: int) -> tuple[Hand, ...]:
    """Return the usual hands: the right ones of all jugglers in turn, then the left ones."""
    jugglers = (count + 1) // 2
    return tuple((index % jugglers, RIGHT if index < jugglers else LEFT) for index in range(count))


def read_handspec(text: str, count: int) -> tuple[Hand, ...]:
    """Whose hands they are, in the order of their numbers.

    Args:
        text: for each juggler the numbers of the left and of the right hand, counted from 1, as
            `(2,1)(4,3)`; left out where a juggler has one hand, as in `(1,)(,2)`.
        count: how many hands there are; each must belong to a juggler.

    Raises:
        NotationError: the text is no handspec, or not one for so many hands.
    """
    if len(text) > MAX_HANDSPEC:
        raise NotationError(
            text,
            MAX_HANDSPEC,
            _("this text is {count} characters long", count=len(text)),
            _HANDSPEC_FORM,
        )
    owners: dict[int, Hand] = {}
    for number, hand in _numbers(text):
        named = whole_number(number.text, count)
        if not named:
            raise NotationError(
                text,
                number.start,
                _("there is no hand {text}", text=number.text[:12]),
                _numbered(count),
            )
        index = named - 1
        if index in owners:
            raise NotationError(
                text,
                number.start,
                _("hand {place} is here twice", place=index + 1),
                _("give each hand to one juggler"),
            )
        owners[index] = hand
    for index in range(count):
        if index not in owners:
            raise NotationError(
                text,
                len(text),
                _("hand {place} belongs to no juggler", place=index + 1),
                _numbered(count),
            )
    return tuple(owners[index] for index in range(count))


def _numbers(text: str) -> Iterator[tuple[Token, Hand]]:
    """Every number that is written, with the hand for which it stands."""
    tokens = [Token(match.group(), match.start()) for match in _TOKEN.finditer(text)]
    tokens.append(Token("", len(text)))
    position = 0
    juggler = 0
    while tokens[position].text or not juggler:
        opening = tokens[position]
        position = _after("(", text, tokens, position)
        hands = 0
        for side, end in ((LEFT, ","), (RIGHT, ")")):
            if tokens[position].text[:1] in _DIGITS:
                yield tokens[position], (juggler, side)
                hands = hands + 1
                position = position + 1
            position = _after(end, text, tokens, position)
        if not hands:
            reason = _("juggler {juggler} has no hand", juggler=juggler + 1)
            raise NotationError(text, opening.start, reason, _("name one, as in (1,) or (,1)"))
        juggler += 1


def _after(expected: str, text: str, tokens: list[Token], position: int) -> int:
    token = tokens[position]
    if token.text == expected:
        return position + 1
    what = f"a {expected}" if expected != "," else _("a comma")
    instead = _("not {text}", text=token.text[:12]) if token.text else _("but the text ends")
    raise NotationError(
        text,
        token.start,
        _("{what} is expected here, {found}", what=what, found=instead),
        _HANDSPEC_FORM,
    )


def _numbered(count: int) -> str:
    hands = (
        _("the only hand is 1")
        if count == 1
        else _("the hands are numbered 1 to {count}", count=count)
    )
    return _("{hands}, and each is one juggler's", hands=hands)


class PlainSiteswap(NamedTuple):
    """A siteswap by itself.

    Attributes:
        text: as it was typed; with a `?` in it, its nearest completion.
        throws: those above 0, as often as they are written, ordered by beat; their hands mean
            nothing.
        beats: how many are written.
    """

    text: str
    throws: tuple[PlacedThrow, ...]
    beats: int


def read_plain_siteswap(text: str, *, hands: bool) -> PlainSiteswap:
    """Read one of the two siteswaps of which a pattern with a hand siteswap is made.

    Args:
        text: single throws with their repeats, and, for objects, multiplexes and modifiers.
        hands: whether it is the siteswap of the hands themselves. A hand is no prop, so it is
            neither bounced nor held, and there is no multiplex of hands.

    Raises:
        NotationError: the text is no siteswap, it says which hands throw, or its objects are no
            whole number.
    """
    tree = parse(text)
    _check(text, tree, hands)
    if "?" in text:
        text = next(completions(text))
        tree = parse(text)
    placement = place_throws(text, tree)
    if not hands:
        check_average(text, placement)
    # Not those of a swapped repetition, which only the hands of one juggler would make.
    written = tuple(
        placed for placed in placement.throws if placed.throw.beat < placement.written_period
    )
    return PlainSiteswap(text, written, placement.written_period)


def _check(text: str, tree: Group, hands: bool) -> None:
    """Refuse what a hand siteswap settles by itself: pairs, passes, first hands and swaps."""
    for item in tree.items:
        if isinstance(item, Group):
            _check(text, item, hands)
        elif isinstance(item, Passing):
            raise _error(
                text, text.index("<"), _("jugglers and passes follow from the hand siteswap"), hands
            )
        elif isinstance(item, Pair):
            opening = text.rindex("(", 0, item.left[0].start)
            raise _error(
                text, opening, _("beside a hand siteswap one hand throws at a time"), hands
            )
        elif isinstance(item, Start) or item.hand is not None:
            raise _error(
                text,
                _specifier(text, item),
                _("which hand throws follows from the hand siteswap"),
                hands,
            )
        else:
            _check_throws(text, item, hands)
    if tree.swaps:
        raise _error(
            text, text.index("*"), _("hands that follow a hand siteswap cannot be swapped"), hands
        )


def _check_throws(text: str, item: Single, hands: bool) -> None:
    """Refuse flags that mean nothing beside a hand siteswap, or in one."""
    if hands and len(item.throws) > 1:
        opening = text.rindex("[", 0, item.throws[0].start)
        raise _error(text, opening, _("hands make no multiplex: one hand throws on a beat"), hands)
    for throw in item.throws:
        if throw.crossing:
            raise _error(
                text,
                _flag("[xX×]", text, throw),
                _("where a throw lands follows from the hand siteswap"),
                hands,
            )
        if hands and throw.modifier != PLAIN:
            raise _error(
                text, _flag("[BFHT]", text, throw), _("hands neither bounce nor are held"), hands
            )


def _specifier(text: str, item: Start | Single) -> int:
    """Return the position of the L or R that changes the hands, as near as the syntax tells."""
    end = item.throws[0].start if isinstance(item, Single) else len(text)
    letters = [match.start() for match in re.finditer("[LR]", text[:end])]
    return letters[-1 if isinstance(item, Single) else 0]


def _flag(letters: str, text: str, throw: WrittenThrow) -> int:
    match = re.compile(letters).search(text, throw.start + 1)
    assert match is not None, "a flag is written after its throw"
    return match.start()


def _error(text: str, index: int, reason: str, hands: bool) -> NotationError:
    return NotationError(text, index, reason, _HANDS_FORM if hands else _OBJECTS_FORM)
