"""Hand siteswap: a siteswap of the objects, one of the hands, and whose hands they are."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from juggle_anim.errors import NotationError, PatternError
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.limits import MAX_HANDSPEC, MAX_LOOP, MAX_LOOP_THROWS, whole_number
from juggle_anim.notation.siteswap import (
    PLAIN,
    Group,
    Pair,
    Passing,
    PlacedThrow,
    Single,
    Start,
    Token,
    WrittenThrow,
    check_average,
    completions,
    parse,
    place_throws,
    tokenize,
)
from juggle_anim.pattern import LEFT, RIGHT, HandSiteswap, Pattern, Throw, cycles


class Hand(NamedTuple):
    """A juggler, counted from 0, and a side: `LEFT` or `RIGHT`."""

    juggler: int
    side: int


_LONGEST_LOOP_NAMED = 10**9  # beats; of a longer loop a message gives no number

_ONE_HAND_A_BEAT = N_("at most one hand can throw on each beat, as in 4 or 423")


def read_hand_siteswap(
    pattern: str,
    hss: str,
    handspec: str | None = None,
    *,
    hold: bool = False,
    dwellmax: bool = True,
) -> Pattern:
    """Return the pattern of a siteswap of objects, thrown by hands in the order of a hand siteswap.

    On each beat one hand throws, or none on a 0. A value of 4 in the hand siteswap means that the
    same hand throws again 4 beats later. Hands are numbered in the order of their first throws.

    Args:
        pattern: the siteswap of the objects, one throw or multiplex a beat; bounces, holds and
            repeats may be in it.
        hss: the siteswap of the hands, one throw a beat; the number of hands is its mean value.
        handspec: whose hands they are, such as `(2,1)(4,3)`: for each juggler the numbers of the
            left and the right hand; None for as many jugglers as the hands need.
        hold: whether an object is held instead of thrown where its throw would last until the same
            hand throws again, unless the throw is marked otherwise.
        dwellmax: whether props stay in the hand for as long as possible; it is stored in the
            pattern, for its timing.

    Returns:
        A pattern whose period is that of objects and hands together, the same as in
        Juggling Lab 1.7.7.

    Raises:
        NotationError: one of the texts is at fault; `key` says which: "pattern", "hss" or
            "handspec".
    """
    # The two siteswaps, and the length of their common loop, [beats]. `_errors_of` notes in an
    # error which of the texts is wrong.
    with _errors_of("pattern"):
        objects = read_plain_siteswap(pattern, hands=False)
    with _errors_of("hss"):
        hand_throws = read_plain_siteswap(hss, hands=True)
        order = hand_order(hand_throws)
        loop_beats = _common_loop(hand_throws, order, objects)

    # For each beat of the loop the hand that throws, or None.
    with _errors_of("handspec"):
        hands = (
            default_hands(order.hands) if handspec is None else read_handspec(handspec, order.hands)
        )
    hand_by_beat = [
        None if hand_index is None else hands[hand_index]
        for hand_index in order.hand_indices(loop_beats)
    ]

    # The objects in these hands. If no hand throws where an object lands, the text of the objects
    # is at fault.
    with _errors_of("pattern"):
        placed = _throws_in_hands(objects, hand_by_beat, order.values if hold else ())
        return _pattern_in_hands(
            objects,
            placed,
            hand_by_beat,
            HandSiteswap(hand_throws.text, handspec, hold=hold, dwellmax=dwellmax),
        )


@contextmanager
def _errors_of(key: str) -> Iterator[None]:
    """Mark errors of notation raised within with the parameter whose text is at fault."""
    try:
        yield
    except NotationError as error:
        error.key = key
        raise


def _common_loop(hand_throws: PlainSiteswap, order: HandOrder, objects: PlainSiteswap) -> int:
    """Return the number of beats after which objects and hands begin together again.

    Args:
        hand_throws: the siteswap of the hands, quoted in an error.
        order: order in which these hands throw, which repeats after `order.beats`.
        objects: the siteswap of the objects.

    Raises:
        NotationError: the loop has too many beats or throws.
    """
    loop = math.lcm(objects.beats, order.beats)
    if loop > MAX_LOOP or len(objects.throws) * (loop // objects.beats) > MAX_LOOP_THROWS:
        # A very large number of beats is not named, as its digits would tell the user nothing.
        after = (
            _("only after {loop} beats", loop=loop)
            if loop < _LONGEST_LOOP_NAMED
            else _("after too many beats")
        )
        reason = _("the pattern and these hands come back together {after}", after=after)
        accepted = _(
            "make one of them shorter: the limit is {max_loop} beats and {max_loop_throws} throws",
            max_loop=MAX_LOOP,
            max_loop_throws=MAX_LOOP_THROWS,
        )
        raise NotationError(hand_throws.text, 0, reason, accepted)
    return loop


def _throws_in_hands(
    objects: PlainSiteswap, hand_by_beat: Sequence[Hand | None], held_values: Sequence[int]
) -> list[PlacedThrow]:
    """Return the objects' throws in the whole loop, each with its throwing and catching hand.

    Args:
        objects: throws as written; their hands are ignored.
        hand_by_beat: the hand, (juggler, side), that throws on each beat of the loop, or None.
        held_values: for each beat of the hands' period the number of beats until the same hand
            throws again: a throw of this value is held. Empty if none are held.

    Returns:
        The throws of the whole loop, each with the index in the text at which it is written.

    Raises:
        NotationError: an object is thrown or lands on a beat on which no hand throws.
    """
    placed = []
    for first_beat in range(0, len(hand_by_beat), objects.beats):
        for throw, start in objects.throws:
            beat = first_beat + throw.beat
            try:
                throw_in_hands = _in_hands(throw, beat, hand_by_beat)
            except PatternError as error:
                accepted = _("where the hand siteswap has a 0, the objects need a 0 too")
                raise NotationError(objects.text, start, str(error), accepted) from error
            # A throw that lasts until the next turn of its hand is held, unless a modifier makes it
            # bounce or be thrown.
            if (
                held_values
                and not throw.bounces
                and throw.held is None
                and throw.value == held_values[beat % len(held_values)]
            ):
                throw_in_hands = throw_in_hands._replace(held=True)
            placed.append(PlacedThrow(throw_in_hands, start))
    return placed


def _in_hands(throw: Throw, beat: int, hand_by_beat: Sequence[Hand | None]) -> Throw:
    """Return a throw with the hand whose turn it is on a beat, and the one that catches it.

    Args:
        throw: a throw, whose beat, jugglers and hands are replaced.
        beat: the beat of the loop on which it is made.
        hand_by_beat: the hand, (juggler, side), that throws on each beat of the loop; None if none
            does.

    Raises:
        PatternError: there is no hand to throw or to catch it.
    """
    lands = beat + throw.value
    hand = hand_by_beat[beat]
    receiver = hand_by_beat[lands % len(hand_by_beat)]
    # Beats in messages are counted from 1.
    if hand is None:
        raise PatternError(
            _(
                "there is no hand to throw the {value} on beat {beat}",
                value=throw.value,
                beat=beat + 1,
            )
        )
    if receiver is None:
        thrown = _("the {value} thrown on beat {beat}", value=throw.value, beat=beat + 1)
        raise PatternError(
            _("there is no hand for {thrown} on beat {lands}", thrown=thrown, lands=lands + 1)
        )
    return throw._replace(
        beat=beat,
        juggler=hand.juggler,
        hand=hand.side,
        to_juggler=receiver.juggler,
        to_hand=receiver.side,
    )


def _pattern_in_hands(
    objects: PlainSiteswap,
    placed: Sequence[PlacedThrow],
    hand_by_beat: Sequence[Hand | None],
    hand_siteswap: HandSiteswap,
) -> Pattern:
    """Return the pattern of objects that are thrown by given hands.

    Args:
        objects: the siteswap of the objects.
        placed: all throws of the loop in their hands.
        hand_by_beat: the hand, (juggler, side), that throws on each beat of the loop; None if none
            does.
        hand_siteswap: the siteswap of the hands, stored in the pattern.

    Raises:
        NotationError: on some beat not as many objects land as are thrown; it points at the throw
            in the objects' text.
    """
    try:
        return Pattern(
            objects.text,
            tuple(placed_throw.throw for placed_throw in placed),
            period=len(hand_by_beat),
            written_period=objects.beats,
            jugglers=1 + max(hand.juggler for hand in hand_by_beat if hand),
            turns=tuple((beat, *hand) for beat, hand in enumerate(hand_by_beat) if hand),
            hand_siteswap=hand_siteswap,
        )
    except PatternError as error:
        if error.throw is None:
            raise  # an error that names no throw has no place in the text
        accepted = _("as many objects must land on a beat as are thrown")
        raise NotationError(
            objects.text, placed[error.throw].start, str(error), accepted
        ) from error


@dataclass(frozen=True)
class HandOrder:
    """When hands throw.

    Args:
        values: for each beat of a loop, how many beats later the hand that throws then throws
            again; 0 if none does.
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
        # A hand that throws on a beat throws next `value` beats later. Modulo the size this is a
        # permutation of beats, and each of its cycles belongs to one or more hands. The sum of the
        # values on a cycle is the time after which they throw as before; it is 0 for a beat without
        # a throw, which is left out.
        step = [(beat + value) % size for beat, value in enumerate(self.values)]
        lengths = [sum(self.values[beat] for beat in cycle) for cycle in cycles(step)]
        return math.lcm(*filter(None, lengths))

    def hand_indices(self, loop: int) -> list[int | None]:
        """Return the index of the hand that throws on each beat; None on a beat without one.

        Hands are counted from 0 in the order of their first throws.

        Args:
            loop: the number of beats, a multiple of `beats`, and of the size of `values`.
        """
        values = [self.values[beat % len(self.values)] for beat in range(loop)]
        hand_indices: list[int | None] = [None] * loop
        hand_count = 0
        for first_beat in range(loop):
            nobody_throws = values[first_beat] == 0
            if nobody_throws or hand_indices[first_beat] is not None:
                continue
            # A new hand. It is followed from throw to throw until it is back at its first one.
            beat = first_beat
            while hand_indices[beat] is None:
                hand_indices[beat] = hand_count
                beat = (beat + values[beat]) % loop
            hand_count += 1
        return hand_indices


def hand_order(plain: PlainSiteswap) -> HandOrder:
    """Return when the hands of a hand siteswap throw.

    In a hand siteswap the "props" are the hands: a throw of value v on a beat means that the hand
    that throws on this beat throws again v beats later.

    Args:
        plain: the text, the throws and the number of beats of the hand siteswap, without
            multiplexes.

    Raises:
        NotationError: the average, which is the number of hands, is not whole or is 0; two hands
            would throw on one beat; or a hand would throw next on a beat with a 0.
    """
    text, throws, beats = plain
    _check_average(text, sum(placed.throw.value for placed in throws), beats)
    values = [0] * beats
    # By the beat in the period on which the hand of the throw throws next.
    throw_by_landing: dict[int, PlacedThrow] = {}
    for placed in throws:
        values[placed.throw.beat] = placed.throw.value
        landing = (placed.throw.beat + placed.throw.value) % beats
        earlier = throw_by_landing.setdefault(landing, placed)
        # Two hands that would throw on one beat clash.
        if earlier is not placed:
            raise NotationError(text, placed.start, _clash(earlier, placed), _ONE_HAND_A_BEAT)
    _check_landings(text, throw_by_landing, values)
    return HandOrder(tuple(values))


def _check_landings(
    text: str, throw_by_landing: Mapping[int, PlacedThrow], values: Sequence[int]
) -> None:
    """Check that each hand throws next on a beat on which the hand siteswap has a throw.

    Args:
        text: the hand siteswap.
        throw_by_landing: its throws by the beat in the period on which the hand throws next.
        values: the values written for all beats of the period; 0 if no hand throws.

    Raises:
        NotationError: a hand's next throw is on a 0.
    """
    for beat, (throw, start) in throw_by_landing.items():
        if not values[beat]:
            # Beats in messages are counted from 1; this one may be after the period.
            next_beat = throw.beat + throw.value + 1
            sentence_before_beat = _(
                "the hand that throws on beat {beat}, a {value}, would throw next on beat ",
                beat=throw.beat + 1,
                value=throw.value,
            )
            raise NotationError(
                text,
                start,
                _(
                    "{reason}{next_beat}, on which no hand throws",
                    reason=sentence_before_beat,
                    next_beat=next_beat,
                ),
                _ONE_HAND_A_BEAT,
            )


def _check_average(text: str, total: int, beats: int) -> None:
    """Raise an error for a hand siteswap whose average, the number of hands, is a fraction or 0.

    Args:
        text: the hand siteswap.
        total: the sum of its values.
        beats: the number of its beats, at least 1.

    Raises:
        NotationError: the average is a fraction or 0.
    """
    # By the average theorem a siteswap takes total / beats props. Hands are its props here.
    if total % beats:
        reason = _(
            "the throws add up to {total} over {beats} beats. The average must be a whole "
            "number: the number of hands",
            total=total,
            beats=beats,
        )
        accepted = _(
            "change the total from {total} to a multiple of {beats}", total=total, beats=beats
        )
        raise NotationError(text, 0, reason, accepted)
    if not total:
        accepted = _("use a siteswap with at least one hand, such as 4")
        raise NotationError(text, 0, _("this siteswap has no hands"), accepted)


def _clash(first_throw: PlacedThrow, second_throw: PlacedThrow) -> str:
    """Return in words which two hands would throw on the same beat, with beats counted from 1.

    In a hand siteswap a hand whose throw is written as v throws next v beats later: it "lands"
    there. The two throws land on the same beat of the period, but perhaps in different repetitions.
    The message names beats, maybe beyond the period, with which both land at the same time.

    Args:
        first_throw: the throw of the hand siteswap that is written first.
        second_throw: another one that lands on the same beat of the period.
    """
    first = first_throw.throw
    second = second_throw.throw
    # The later of the two landings. The other throw lands there, too, in a later repetition. Each
    # is thrown its value before the landing, and 1 is added to count from 1.
    landing = max(first.beat + first.value, second.beat + second.value)
    return _(
        "the hands that throw on beats {first} and {second}, a {values} and a {values2}, would "
        "both throw "
        "next on beat {late}",
        first=landing - first.value + 1,
        second=landing - second.value + 1,
        values=first.value,
        values2=second.value,
        late=landing + 1,
    )


_TOKEN = re.compile(r"[0-9]+|\S")

_DIGITS = frozenset("0123456789")

_HANDSPEC_FORM = N_(
    "give the left and right hand of each juggler, as in (2,1)(4,3), or (1,)(,2) for one hand each"
)

_OBJECTS_FORM = N_(
    "with a hand siteswap, write single throws and multiplexes, such as 786 or [43]23"
)

_HANDS_FORM = N_("write a hand siteswap as single throws, such as 4 or 423")


def default_hands(count: int) -> tuple[Hand, ...]:
    """Return the usual hands: the right ones of all jugglers in turn, then the left ones."""
    jugglers = (count + 1) // 2
    return tuple(
        Hand(index % jugglers, RIGHT if index < jugglers else LEFT) for index in range(count)
    )


def read_handspec(text: str, count: int) -> tuple[Hand, ...]:
    """Read a handspec, which says whose hands the hands of a hand siteswap are.

    Args:
        text: for each juggler the numbers of the left and of the right hand, counted from 1, as
            `(2,1)(4,3)`. If a juggler has one hand, the other number is left out, as in `(1,)(,2)`.
        count: number of hands; each must belong to a juggler.

    Returns:
        The juggler and side of each hand, in the order of the numbers.

    Raises:
        NotationError: the text is not a handspec, or has another number of hands.
    """
    if len(text) > MAX_HANDSPEC:
        reason = _("this text is {count} characters long", count=len(text))
        raise NotationError(text, MAX_HANDSPEC, reason, _HANDSPEC_FORM)
    hand_by_number: dict[int, Hand] = {}
    for token, hand in _written_hand_numbers(text):
        number = whole_number(token.text, count)
        # Neither 0 nor a number above the count names a hand.
        if not number:
            # The first digits of a very long number are enough to find it.
            reason = _("there is no hand {text}", text=token.text[:12])
            raise NotationError(text, token.start, reason, _hand_numbers_hint(count))
        if number in hand_by_number:
            reason = _("hand {place} occurs twice", place=number)
            raise NotationError(text, token.start, reason, _("give each hand to one juggler"))
        hand_by_number[number] = hand

    # Every hand needs a juggler. All numbers that were read are valid and different, so it is left
    # to find missing ones.
    numbers = range(1, count + 1)
    if missing := set(numbers) - hand_by_number.keys():
        reason = _("hand {place} belongs to no juggler", place=min(missing))
        raise NotationError(text, len(text), reason, _hand_numbers_hint(count))
    return tuple(map(hand_by_number.__getitem__, numbers))


def _written_hand_numbers(text: str) -> Iterator[tuple[Token, Hand]]:
    """Parse a handspec: `(left,right)` for each juggler, where either number may be left out.

    Yields:
        Each number that is written, and the hand that has this number.

    Raises:
        NotationError: the text is not a handspec, or a juggler has no hand.
    """
    tokens = tokenize(text, _TOKEN)
    position = 0  # index of the token that is read next
    juggler = 0
    # The first juggler is read even from an empty text, which raises an error.
    while tokens[position].text or not juggler:
        opening = tokens[position]
        position = _skip_token("(", text, tokens, position)
        hand_count = 0
        for side, end in ((LEFT, ","), (RIGHT, ")")):
            if tokens[position].text[:1] in _DIGITS:
                yield tokens[position], Hand(juggler, side)
                hand_count += 1
                position += 1
            position = _skip_token(end, text, tokens, position)
        if not hand_count:
            reason = _("juggler {juggler} has no hand", juggler=juggler + 1)
            raise NotationError(text, opening.start, reason, _("give one, as in (1,) or (,1)"))
        juggler += 1


def _skip_token(expected: str, text: str, tokens: list[Token], position: int) -> int:
    """Return the index of the token behind an expected one.

    Args:
        expected: the text of the token that must be at `position`.
        text: the handspec, for the error.
        tokens: all its tokens; the last one is empty and marks the end.
        position: index of a token.

    Raises:
        NotationError: another token is there.
    """
    token = tokens[position]
    if token.text == expected:
        return position + 1
    # A comma is hard to see in a sentence, so the message has the word for it.
    expected_sign = f"a {expected}" if expected != "," else _("a comma")
    instead = _("not {text}", text=token.text[:12]) if token.text else _("but the text ends")
    raise NotationError(
        text,
        token.start,
        _("expected {what} here, {found}", what=expected_sign, found=instead),
        _HANDSPEC_FORM,
    )


def _hand_numbers_hint(count: int) -> str:
    """Return in words which numbers a handspec with a number of hands must have."""
    hands = (
        _("the only hand is 1")
        if count == 1
        else _("the hands are numbered 1 to {count}", count=count)
    )
    return _("{hands}, each for one juggler", hands=hands)


class PlainSiteswap(NamedTuple):
    """A siteswap by itself.

    Attributes:
        text: the text as it was typed; with a `?` in it, its nearest completion.
        throws: those above 0, as often as they are written, ordered by beat; their hands mean
            nothing.
        beats: number of written beats.
    """

    text: str
    throws: tuple[PlacedThrow, ...]
    beats: int


def read_plain_siteswap(text: str, *, hands: bool) -> PlainSiteswap:
    """Read one of the two siteswaps of a pattern with a hand siteswap: the objects' or the hands'.

    Args:
        text: throws, one on each beat, and repeats; for objects also multiplexes and modifiers.
        hands: whether the text is the siteswap of the hands; if not, that of the objects. Hands
            cannot bounce, be held, or be thrown in a multiplex (several at once).

    Raises:
        NotationError: the text is not a siteswap, it says which hands throw, or the average of the
            objects' throws is not a whole number.
    """
    tree = parse(text)
    _refuse_hand_syntax(text, tree, hands=hands)
    # Throws left open with a ? take the values of the nearest completion.
    if "?" in text:
        text = next(completions(text))
        tree = parse(text)
    placement = place_throws(text, tree)
    if not hands:
        # The number of hands is checked elsewhere, with a message of its own.
        check_average(text, placement)
    # After an odd number of beats `place_throws` appends a repetition with swapped hands. Here the
    # hand siteswap decides about hands, so the repetition is left out.
    first_round = tuple(
        placed for placed in placement.throws if placed.throw.beat < placement.written_period
    )
    return PlainSiteswap(text, first_round, placement.written_period)


def _refuse_hand_syntax(text: str, tree: Group, *, hands: bool) -> None:
    """Raise an error for syntax that contradicts a hand siteswap: pairs, passes, hands, swaps.

    Args:
        text: the siteswap, for the error's text and position.
        tree: the parsed siteswap, or a group of it.
        hands: whether it is the siteswap of the hands; if not, that of the objects.

    Raises:
        NotationError: there is such syntax; its position is that of the first such character.
    """
    # Items are checked in the order of the text, and the star behind them last, so that the error
    # is at the first wrong character.
    accepted = _HANDS_FORM if hands else _OBJECTS_FORM
    for item in tree.items:
        if isinstance(item, Group):
            _refuse_hand_syntax(text, item, hands=hands)
        elif isinstance(item, Passing):
            reason = _("the hand siteswap sets the jugglers and passes")
            raise NotationError(text, text.index("<"), reason, accepted)
        elif isinstance(item, Pair):
            opening = text.rindex("(", 0, item.left[0].start)
            reason = _("with a hand siteswap, one hand throws at a time")
            raise NotationError(text, opening, reason, accepted)
        elif isinstance(item, Start) or item.hand is not None:
            reason = _("the hand siteswap sets which hand throws")
            raise NotationError(text, _hand_letter_index(text, item), reason, accepted)
        else:
            _refuse_throw_flags(text, item, hands=hands)
    if tree.swaps:
        reason = _("hands cannot be swapped in a hand siteswap")
        raise NotationError(text, text.index("*"), reason, accepted)


def _refuse_throw_flags(text: str, item: Single, *, hands: bool) -> None:
    """Raise an error for a multiplex of hands, or for flags that mean nothing with a hand siteswap.

    Args:
        text: the siteswap, for the error's text and position.
        item: the throws of one beat.
        hands: whether it is the siteswap of the hands; if not, that of the objects.

    Raises:
        NotationError: the throws cross, or hands make a multiplex, bounce or are held.
    """
    # A multiplex of hands would mean that several hands throw on a beat.
    if hands and len(item.throws) > 1:
        opening = text.rindex("[", 0, item.throws[0].start)
        reason = _("hands cannot throw a multiplex: one hand throws on each beat")
        raise NotationError(text, opening, reason, _HANDS_FORM)
    for throw in item.throws:
        if throw.crossing:
            reason = _("the hand siteswap sets where a throw lands")
            accepted = _HANDS_FORM if hands else _OBJECTS_FORM
            raise NotationError(text, _flag_index("[xX×]", text, throw), reason, accepted)
        if hands and throw.modifier != PLAIN:
            reason = _("hands cannot bounce or be held")
            raise NotationError(text, _flag_index("[BFHT]", text, throw), reason, _HANDS_FORM)


def _hand_letter_index(text: str, item: Start | Single) -> int:
    """Return the index of the letter L or R that sets a hand, for an error message.

    Args:
        text: the siteswap.
        item: the first item of it with such a letter: throws with the letter before them, or a
            letter that stands alone.
    """
    letters = [match.start() for match in re.finditer("[LR]", text)]
    if isinstance(item, Start):
        return letters[0]
    # The parsed text has the index of a throw, but not that of the letter before it.
    return max(index for index in letters if index < item.throws[0].start)


def _flag_index(letters: str, text: str, throw: WrittenThrow) -> int:
    """Return the index of the first of given letters after a throw's value."""
    match = re.compile(letters).search(text, throw.start + 1)
    assert match is not None, "a flag is written after its throw"
    return match.start()
