"""Hand siteswap: one siteswap for the objects, and another for the hands that throw them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from juggle_anim.errors import NotationError, PatternError
from juggle_anim.notation.hand_siteswap.handspec import Hand, read_handspec, usual_hands
from juggle_anim.notation.hand_siteswap.order import HandOrder, hand_order
from juggle_anim.notation.hand_siteswap.plain import Plain, read_plain
from juggle_anim.notation.limits import MAX_LOOP, MAX_LOOP_THROWS
from juggle_anim.notation.placement import PlacedThrow
from juggle_anim.pattern import HandSiteswap, Pattern, Throw


def read_hand_siteswap(
    pattern: str, hss: str, handspec: str | None = None, hold: bool = False, dwellmax: bool = True
) -> Pattern:
    """The pattern of objects that are thrown by hands which follow a siteswap of their own.

    One hand throws on a beat, or none. A hand that throws on a beat on which the hand siteswap has a 4 throws again 4
    beats later, and where it has a 0 nobody throws. Hands are numbered in the order in which they first throw.

    Args:
        pattern: the siteswap of the objects, one throw or multiplex a beat; bounces, holds and repeats may be in it.
        hss: the siteswap of the hands, one throw a beat; it takes as many hands as it would take props.
        handspec: whose hands they are, as `read_handspec` reads it; None for the `usual_hands`.
        hold: whether a throw as long as its hand's own is held, where nothing else is written on it.
        dwellmax: kept in the pattern, for whoever times it.

    Returns:
        Its period is that of objects and hands together, the same as in Juggling Lab 1.7.7.

    Raises:
        NotationError: one of the texts is at fault; `key` says which: "pattern", "hss" or "handspec".
    """
    with _reading("pattern"):
        objects = read_plain(pattern, hands=False)
    with _reading("hss"):
        written = read_plain(hss, hands=True)
        order = hand_order(written)
        loop = _loop(written, order, objects)
    with _reading("handspec"):
        hands = usual_hands(order.hands) if handspec is None else read_handspec(handspec, order.hands)
    turns = [None if number is None else hands[number] for number in order.numbers(loop)]
    with _reading("pattern"):
        placed = _thrown(objects, turns, order.values if hold else ())
        return _pattern(objects, placed, turns, HandSiteswap(written.text, handspec, hold, dwellmax))


@contextmanager
def _reading(key: str) -> Iterator[None]:
    try:
        yield
    except NotationError as error:
        error.key = key
        raise


def _loop(written: Plain, order: HandOrder, objects: Plain) -> int:
    """Beats after which objects and hands begin together again."""
    loop = math.lcm(objects.beats, order.beats)
    if loop > MAX_LOOP or len(objects.throws) * (loop // objects.beats) > MAX_LOOP_THROWS:
        after = f"only after {loop} beats" if loop < _UNSPEAKABLE else "after too many beats"
        reason = f"the pattern and these hands begin together again {after}"
        accepted = f"make one of them shorter: {MAX_LOOP} beats and {MAX_LOOP_THROWS} throws are allowed"
        raise NotationError(written.text, 0, reason, accepted)
    return loop


_UNSPEAKABLE = 10**9


def _thrown(objects: Plain, turns: Sequence[Hand | None], held: Sequence[int]) -> list[PlacedThrow]:
    """The objects thrown over and over by the hands whose turn it is; `held` are the values to hold, by beat."""
    placed = []
    for repeat in range(0, len(turns), objects.beats):
        for throw, start in objects.throws:
            beat = repeat + throw.beat
            try:
                moved = _in_hands(throw._replace(beat=beat), turns)
            except PatternError as error:
                accepted = "where the hand siteswap has a 0 the objects have a 0 as well"
                raise NotationError(objects.text, start, str(error), accepted) from error
            if held and not throw.bounces and throw.held is None and throw.value == held[beat % len(held)]:
                moved = moved._replace(held=True)
            placed.append(PlacedThrow(moved, start))
    return placed


def _in_hands(throw: Throw, turns: Sequence[Hand | None]) -> Throw:
    lands = throw.beat + throw.value
    hand, receiver = turns[throw.beat], turns[lands % len(turns)]
    if hand is None:
        raise PatternError(f"there is no hand to throw the {throw.value} on beat {throw.beat + 1}")
    if receiver is None:
        raise PatternError(
            f"there is no hand for the {throw.value} thrown on beat {throw.beat + 1} on beat {lands + 1}"
        )
    return throw._replace(juggler=hand[0], hand=hand[1], to_juggler=receiver[0], to_hand=receiver[1])


def _pattern(
    objects: Plain, placed: Sequence[PlacedThrow], turns: Sequence[Hand | None], hand_siteswap: HandSiteswap
) -> Pattern:
    try:
        return Pattern(
            objects.text,
            tuple(each.throw for each in placed),
            period=len(turns),
            written_period=objects.beats,
            jugglers=1 + max(hand[0] for hand in turns if hand),
            turns=tuple((beat, *hand) for beat, hand in enumerate(turns) if hand),
            hand_siteswap=hand_siteswap,
        )
    except PatternError as error:
        if error.throw is None:
            raise
        accepted = "as many objects must land on a beat as are thrown on it"
        raise NotationError(objects.text, placed[error.throw].start, str(error), accepted) from error
