"""Manners in which hands throw and catch, the words for them, and what the words of a pattern come
to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from juggle_anim.choreography.body_throws import (
    CATCHES,
    FEET_CHANGE,
    THROW_VARIANTS,
    THROWS,
    BodyThrow,
)
from juggle_anim.choreography.dwell import Site, Timing, next_release
from juggle_anim.choreography.places import GRASPS
from juggle_anim.choreography.score import BodyThrows, Catches, Choreography, Grasp, Point
from juggle_anim.pattern import Pattern, Turn, catching_hand, grouped, side_of_hand

BODY_THROWS = (
    *THROWS.values(),
    *CATCHES.values(),
    *THROW_VARIANTS.values(),
)
"""All ways to throw and catch around the body. They are called by their row, which counts from 1,
for example in `Events.body_throw`: row r is `BODY_THROWS[r - 1]`, and 0 is a usual throw or catch.
"""


def body_throw_of_row(row: int) -> BodyThrow | None:
    """Return the body throw of a row, which counts from 1; None for 0, a usual throw or catch."""
    return BODY_THROWS[row - 1] if row else None


class Manner(NamedTuple):
    """How a hand throws or catches.

    Args:
        grasp: orientation of the hand.
        row: the row of `BODY_THROWS`, counted from 1; 0 for a throw or catch in front of the body.
    """

    grasp: Grasp
    row: int

    @property
    def body_throw(self) -> BodyThrow | None:
        """The way around the body; None for a throw or catch in front of it."""
        return body_throw_of_row(self.row)

    def point(self, usual: Point) -> Point:
        """Return where the hand throws or catches in this manner.

        Args:
            usual: where it would do so in the usual manner, outward, up and forward, [m].
        """
        if self.row:
            return BODY_THROWS[self.row - 1].place
        outward, up, forward = usual
        return (outward, up + _CLAW_UP, forward) if self.grasp is Grasp.CLAW else usual


USUAL = Manner(Grasp.PALM, 0)

_Item = TypeVar("_Item")

_SAME_TIME = 1e-6  # s; times that differ by less are equal but for rounding errors

_CLAW_UP = 0.14  # offset of a claw, which comes from above, [m]


def _word(name: str) -> str:
    """The plain word in the name of a variant: `albert` in `consecutive albert of clubs`."""
    return name.removeprefix("consecutive ").partition(" of ")[0]


def _manners_of_rows(table: Mapping[str, BodyThrow], before: int) -> dict[str, Manner]:
    """Return the manners of a table of body throws or catches, by name.

    Args:
        table: a part of `BODY_THROWS`, by name and in the same order.
        before: number of rows before that part in `BODY_THROWS`.
    """
    return {
        name: Manner(body_throw.grasp, row)  # rows count from 1
        for row, (name, body_throw) in enumerate(table.items(), before + 1)
    }


_MANNER_OF_GRASP_WORD = {word: Manner(GRASPS[word], 0) for word in GRASPS}
_MANNER_OF_THROW_WORD = (
    _MANNER_OF_GRASP_WORD
    | _manners_of_rows(THROWS, 0)
    | _manners_of_rows(THROW_VARIANTS, len(THROWS) + len(CATCHES))
)
_MANNER_OF_CATCH_WORD = _MANNER_OF_GRASP_WORD | _manners_of_rows(CATCHES, len(THROWS))
_WORD_OF_THROW_ROW = {
    manner.row: _word(name) for name, manner in _MANNER_OF_THROW_WORD.items() if manner.row
}
_WORD_OF_CATCH_ROW = {
    manner.row: _word(name) for name, manner in _MANNER_OF_CATCH_WORD.items() if manner.row
}


def throw_manner(word: str, consecutive: bool = False, prop: str = "") -> Manner:
    """Return the manner of throwing for a word of `throws`, or for the name of a variant.

    A manner is a grasp (palm up or down) and, if any, the way around the body. A word may have
    variants for a kind of prop, for consecutive throws, and for both, such as `consecutive albert
    of clubs`. The most specific variant that exists is taken, or else the plain word.

    Args:
        word: a word such as `backcross`, or `albert of clubs`; one of the known ones.
        consecutive: whether another throw under or between the legs is made one beat before or
            after.
        prop: the kind of all props, for example `club`; "" if they differ, for which there is no
            variant.
    """
    # The most specific name comes first.
    if consecutive:
        variants = [f"consecutive {word} of {prop}s", f"consecutive {word}"]
    else:
        variants = [f"{word} of {prop}s"]
    for name in variants:
        if name in _MANNER_OF_THROW_WORD:
            return _MANNER_OF_THROW_WORD[name]
    return _MANNER_OF_THROW_WORD[word]


def catch_manner(word: str) -> Manner:
    """Return the manner of catching for a word of `catches`, such as `behind`; a known one."""
    return _MANNER_OF_CATCH_WORD[word]


def catch_word(grasp: int, row: int) -> str:
    """Return the word of `catches` for a manner.

    Args:
        grasp: of `Grasp`, whose name is the word if `row` is not that of a catch.
        row: the row of `BODY_THROWS`, counted from 1; 0 for a usual catch.
    """
    return _WORD_OF_CATCH_ROW.get(row) or Grasp(grasp).name.lower()


def throw_word(row: int) -> str | None:
    """Return the word of `throws` for a row of `BODY_THROWS`, counted from 1.

    None for 0, the usual throw, and for the rows of catches.
    """
    return _WORD_OF_THROW_ROW.get(row)


def reversed_words(caught: str, thrown: str | None) -> tuple[str, str | None]:
    """Return the words of a catch and of the throw after it, in reversed time.

    A word names a grasp, "palm" (palm up) or "claw" (palm down), or a way around the body. The
    throw becomes the catch, and the catch becomes the throw. A way around the body without a
    counterpart in reversed time becomes the usual throw or catch, which is made with the palm up.

    Args:
        caught: the word that says how the hand catches a prop.
        thrown: the word that says how the hand then throws the prop. None without a word: such a
            throw has the grasp of the catch, or after a catch around the body the palm up.

    Returns:
        The word of the new catch, and that of the new throw, or None for the latter if the throw
        without a word is the right one.
    """
    # One grasp from the catch to the throw is the same in reversed time.
    if thrown is None and caught in GRASPS:
        return caught, None

    # The catch becomes the throw, in the same grasp or around the body.
    palm = Grasp.PALM.name.lower()
    new_throw = caught if caught in GRASPS else _THROW_OF_REVERSED_CATCH.get(caught, palm)

    # The throw becomes the catch. If it has no word, `caught` is around the body, as grasps have
    # returned above; so the throw has the palm up.
    if thrown in GRASPS:
        return thrown, new_throw
    new_catch = palm if thrown is None else _CATCH_OF_REVERSED_THROW.get(thrown, palm)
    # After this catch, palm up or around the body, a throw with the palm up needs no word.
    return new_catch, None if new_throw == palm else new_throw


# The words of body throws and catches with a counterpart in reversed time.
_CATCH_OF_REVERSED_THROW = {
    "backcross": "behind",
    "shoulder": "behind",
    "lazy": "behind",
    "overhead": "overhead",
    "penguin": "penguin",
}
_THROW_OF_REVERSED_CATCH = {"behind": "backcross", "overhead": "overhead", "penguin": "penguin"}


def items_of_turns(pattern: Pattern, lists: Sequence[Sequence[_Item]]) -> dict[Turn, _Item]:
    """Assign the items of a setting, words of `throws` or paths of hands, to the turns of hands.

    A setting has a list of items for each juggler. A juggler's turns, of both hands in the order of
    beats, take the items one after another, and begin again after the last one. In the second half
    of a mirrored loop, hands take the items of the other hand in the first half.

    Args:
        pattern: the pattern whose turns they are.
        lists: one list of items or more, none of them empty; if there are fewer than jugglers, they
            begin again.
    """
    items: dict[Turn, _Item] = {}
    turns_before = [0] * pattern.jugglers
    for turn in pattern.turns:
        _beat, juggler, _hand = turn
        items_of_juggler = lists[juggler % len(lists)]
        items[turn] = items_of_juggler[turns_before[juggler] % len(items_of_juggler)]
        turns_before[juggler] += 1
    # The items of the first half, by the turns of the second: half a loop later, with hands
    # exchanged.
    if pattern.mirrored:
        half = pattern.period // 2
        second_half = {
            (beat + half, juggler, 1 - hand): item
            for (beat, juggler, hand), item in items.items()
            if beat < half
        }
        items |= {turn: second_half[turn] for turn in items if turn in second_half}
    return items


def needs_hops(choreography: Choreography) -> bool:
    """Whether some juggler has to hop between throws under one leg and under the other.

    In less than `FEET_CHANGE` (0.75 s) a juggler cannot put one foot down before lifting the other.

    Args:
        choreography: one loop of events, of which those around the body say which leg they lift.
    """
    events = choreography.events
    # Rows of the table of body throws by event, 0 for usual ones; None if all are usual.
    if events.body_throw is None:
        return False

    stances = []
    for event in np.flatnonzero(events.body_throw):
        juggler, side = divmod(int(events.hand[event]), 2)
        body_throw = body_throw_of_row(int(events.body_throw[event]))
        stances.append((juggler, float(events.time[event]), standing_foot(body_throw, side)))
    return any(
        change < FEET_CHANGE - _SAME_TIME for change in foot_changes(stances, choreography.duration)
    )


def standing_foot(body_throw: BodyThrow | None, side: int) -> int | None:
    """Return the foot on which a juggler stands for a throw, 0 left or 1 right; None for both.

    Args:
        body_throw: how it goes around the body, perhaps under a leg; None if it does not.
        side: of the hand that throws, 0 left or 1 right.
    """
    return body_throw.posture.standing_foot(side) if body_throw else None


def foot_changes(stances: Iterable[tuple[int, float, int | None]], loop: float) -> Iterator[float]:
    """Yield how much time jugglers have for each change from one foot to the other.

    Args:
        stances: for each throw or catch the juggler, its time within the loop, and the foot on
            which it is made, 0 left or 1 right; None for both feet, which needs no change.
        loop: duration of the loop, in the unit of the times.

    Yields:
        From a throw or catch on one foot to the juggler's next on the other, in that unit; 0 if
        both are at the same time. The last of the loop is followed by the first.
    """
    stances_of_juggler = grouped(
        (juggler, (time, foot)) for juggler, time, foot in stances if foot is not None
    )
    for times_and_feet in stances_of_juggler.values():
        times_and_feet.sort()
        for (time, foot), (next_time, next_foot) in pairwise([*times_and_feet, times_and_feet[0]]):
            if foot != next_foot:
                yield (next_time - time) % loop


def manners_of_throws(
    pattern: Pattern,
    timing: Timing,
    catch_words: Catches,
    throw_words: BodyThrows,
    prop_kind: str = "",
) -> tuple[list[Manner], list[Manner]]:
    """Return the manner of each throw of a pattern, and the manner of its catch.

    A manner is a grasp (palm up or down) and, if any, the way around the body; words name manners.
    The usual manner is with the palm up, in front of the body.

    - Each catch of a hand takes the next word of its side; simultaneous catches share a word.
    - Each throw takes the word of its turn. Without a word, a prop is thrown in the grasp in which
      it was caught, or, after a catch around the body, in the usual manner.
    - A 1 that has no time to go around the body is thrown and caught in the usual manner, unless
      both its throw and its catch are behind the body.

    Args:
        pattern: the pattern, with T throws.
        timing: when props are caught, which gives the order of catches.
        catch_words: words by side, 0 left and 1 right; each hand's catches take them in turn.
        throw_words: words by juggler; each juggler's turns take them in order. Empty if all throws
            are usual.
        prop_kind: the kind of all props; "" if they differ.

    Returns:
        For each throw the manner of the throwing hand, and for each throw the manner of the hand
        that catches it; both of length T, `USUAL` for holds.
    """
    # The default words, as in most patterns: everything is usual.
    if catch_words == (("palm",), ("palm",)) and not throw_words:
        usual = [USUAL] * len(pattern.throws)
        return usual, usual

    # First as the words say, even where there is no time for it.
    throw_manners, catch_manners = _manners_by_words(
        pattern, timing, catch_words, throw_words, prop_kind
    )
    is_handed_behind = [
        _goes_behind_body(throw) and _goes_behind_body(catch)
        for throw, catch in zip(throw_manners, catch_manners, strict=True)
    ]
    # `landings` has for each throw the throw that its prop makes next; that one's site is the hand
    # that catches the prop and the beat on which it lands.
    landing_sites = [pattern.sites[next_throw] for next_throw in pattern.landings]
    return (
        _usual_where_too_short(pattern, pattern.sites, throw_manners, is_handed_behind),
        _usual_where_too_short(pattern, landing_sites, catch_manners, is_handed_behind),
    )


def ignores_words_of_ones(
    pattern: Pattern, timing: Timing, catch_words: Catches, throw_words: BodyThrows
) -> bool:
    """Whether a word for a throw or a catch, such as `backcross`, has no effect on some 1.

    A 1 has no time to go around the body, so that it is thrown and caught as usual instead.

    Args:
        pattern: the pattern that is juggled.
        timing: when props are caught, which gives the order of catches.
        catch_words: words of catches by side, 0 left and 1 right; each hand takes them in turn.
        throw_words: words of throws by juggler; each juggler's turns take them in order. Empty if
            all throws are usual.
    """
    as_written = _manners_by_words(pattern, timing, catch_words, throw_words)
    as_made = manners_of_throws(pattern, timing, catch_words, throw_words)
    return as_made != as_written


def _manners_by_words(
    pattern: Pattern,
    timing: Timing,
    catch_words: Catches,
    throw_words: BodyThrows,
    prop_kind: str = "",
) -> tuple[list[Manner], list[Manner]]:
    """Return the manners of throws and catches by their words, whether or not there is time.

    A manner is a grasp (palm up or down) and, if any, the way around the body; a word names one.

    Args:
        pattern: the pattern, with T throws.
        timing: when props are caught, which gives the order of catches.
        catch_words: words by side, 0 left and 1 right; each side's catches take them in turn.
        throw_words: words by juggler, for the juggler's turns in order; empty if all are usual.
        prop_kind: the kind of all props; "" if they differ.

    Returns:
        For each throw the manner of the throwing hand, and for each throw that of the hand that
        catches it; both of length T, `USUAL` for holds.
    """
    catch_manners = _catch_manners_by_words(pattern, timing, catch_words)
    throw_manners = _throw_manners_by_words(pattern, timing, throw_words, catch_manners, prop_kind)
    return throw_manners, catch_manners


def _catch_manners_by_words(pattern: Pattern, timing: Timing, catch_words: Catches) -> list[Manner]:
    """Return for each throw the manner in which it is caught, `USUAL` for holds.

    A manner is a grasp (palm up or down) and, if any, the way around the body.

    Args:
        pattern: the pattern, with T throws.
        timing: when props are caught, which gives the order of catches.
        catch_words: words that name manners, by side, 0 left and 1 right; each hand's catches take
            those of its side in turn.
    """
    catch_manners = [USUAL] * len(pattern.throws)
    # The catches of a hand take the words of its side in turn, from the start of the loop on.
    # `simultaneous_throws` are indices of throws that the hand catches at one time.
    for hand, catches_of_hand in catches_in_order(pattern, timing):
        words = catch_words[side_of_hand(hand)]
        for catch_index, simultaneous_throws in enumerate(catches_of_hand):
            for throw_index in simultaneous_throws:
                catch_manners[throw_index] = catch_manner(words[catch_index % len(words)])
    return catch_manners


def _throw_manners_by_words(
    pattern: Pattern,
    timing: Timing,
    throw_words: BodyThrows,
    catch_manners: Sequence[Manner],
    prop_kind: str,
) -> list[Manner]:
    """Return for each throw the manner in which it is thrown, `USUAL` for holds.

    A throw without a word is made in the grasp in which its prop was caught, or, after a catch
    around the body, as usual.

    Args:
        pattern: the pattern, with T throws.
        timing: which throws are holds.
        throw_words: words that name manners, by juggler, for the juggler's turns in order; empty if
            all throws are usual.
        catch_manners: for each throw the manner (grasp, and way around the body) in which it is
            caught.
        prop_kind: the kind of all props; "" if they differ.
    """
    throw_manners = [USUAL] * len(pattern.throws)
    # A turn is a beat, a juggler and a hand; each has a word, or None for no word.
    word_of_turn = items_of_turns(pattern, throw_words) if throw_words else {}
    words_of_throwing_turns = {
        pattern.throws[index].turn: word_of_turn.get(pattern.throws[index].turn)
        for index in timing.flown
    }
    # Throws under or between the legs, one beat after another, have manners of their own.
    consecutive_turns = _turns_beside_leg_throws(pattern, words_of_throwing_turns)
    for caught_throw in timing.flown:
        # Indices of two throws of one prop: a hand catches `caught_throw`, and throws the prop on
        # with `next_throw`, perhaps after some holds.
        next_throw, _hold_time = next_release(pattern, timing.is_hold, caught_throw)
        turn = pattern.throws[next_throw].turn
        word = word_of_turn.get(turn)
        if word:
            throw_manners[next_throw] = throw_manner(
                word, consecutive=turn in consecutive_turns, prop=prop_kind
            )
        elif not catch_manners[caught_throw].body_throw:
            throw_manners[next_throw] = catch_manners[caught_throw]
    return throw_manners


def has_consecutive_variant(word: str | None) -> bool:
    """Whether throws of a word are made in another way where they follow each other.

    That is so under and between the legs. None stands for the usual throw.
    """
    return f"consecutive {word}" in _MANNER_OF_THROW_WORD


def _turns_beside_leg_throws(pattern: Pattern, words: Mapping[Turn, str | None]) -> set[Turn]:
    """Return the turns of throws under or between the legs that have another one a beat away.

    The other throw is exactly one beat before or after, by the same juggler, around the loop. A
    turn is a beat, a juggler and a hand.

    Args:
        pattern: the pattern whose turns they are.
        words: words of `throws`, for each turn with a throw; None for a usual throw.
    """
    # Only throws under and between the legs have a variant for when they follow each other.
    leg_turns = {turn for turn, word in words.items() if has_consecutive_variant(word)}
    beats_and_jugglers = {(beat, juggler) for beat, juggler, _hand in leg_turns}
    return {
        (beat, juggler, hand)
        for beat, juggler, hand in leg_turns
        for step in (pattern.division, -pattern.division)
        if ((beat + step) % pattern.period, juggler) in beats_and_jugglers
    }


def _usual_where_too_short(
    pattern: Pattern,
    sites: Sequence[Site],
    manners: Sequence[Manner],
    is_handed_behind: Sequence[bool],
) -> list[Manner]:
    """Replace the manners of throws or catches that a 1 has no time for by `USUAL`.

    A manner is a grasp (palm up or down) and, if any, the way around the body. A throw of one beat
    has no time to go around the body, unless its manner allows for it. Several throws at one site
    (a hand and a beat) are made together, so all keep their manner if the highest has time for it.

    Args:
        pattern: the pattern, with T throws.
        sites: length T, hand and beat of each throw for manners of throws, or of its landing for
            manners of catches.
        manners: length T, the manner of each throw or catch.
        is_handed_behind: length T, whether a throw is handed over behind the body; such a throw
            keeps its manner.

    Returns:
        T manners, in the same order.
    """
    highest: dict[Site, int] = {}  # the value of the highest throw at each site
    for site, throw in zip(sites, pattern.throws, strict=True):
        highest[site] = max(throw.value, highest.get(site, 0))
    return [
        manner if handed_behind or has_time(pattern, highest[site], manner) else USUAL
        for site, manner, handed_behind in zip(sites, manners, is_handed_behind, strict=True)
    ]


def has_time(pattern: Pattern, value: int, manner: Manner) -> bool:
    """Whether a throw has time to be made, or to be caught, in some manner.

    A manner is a grasp (palm up or down) and, if any, the way around the body. Without such a way,
    any throw has time. With one, a throw of more than one beat has time, and where the way allows
    it (`ones`), also a throw of one beat, a 1.

    Args:
        pattern: the pattern that is juggled.
        value: value of the throw, in units of the pattern.
        manner: manner of the throw or of the catch.
    """
    return not manner.body_throw or value > pattern.division or manner.body_throw.ones


def _goes_behind_body(manner: Manner) -> bool:
    return manner.body_throw is not None and manner.body_throw.from_behind


def catches_in_order(pattern: Pattern, timing: Timing) -> Iterator[tuple[int, list[list[int]]]]:
    """Yield the hands that catch, in ascending order, each with its catches in the loop.

    A unit of the pattern is a beat, or the part of one in which the pattern counts.

    Args:
        pattern: the pattern, with T throws.
        timing: when they are caught, in units of the pattern.

    Yields:
        The hand, 2 · juggler + side (0 left, 1 right); and its catches by ascending time within the
        loop, each a list of the throws, by index in the pattern, that are caught at the same time.
    """

    def catch_hand_and_time(throw_index: int) -> tuple[int, float]:
        """Sort key: the hand that catches a throw, and the time of the catch within the loop."""
        throw = pattern.throws[throw_index]
        return catching_hand(throw), timing.catch[throw_index] % pattern.period

    # Sorted by hand and time, so that throws of one hand, and of one time, are neighbours.
    in_order = sorted(timing.flown, key=catch_hand_and_time)
    for hand, throws in groupby(in_order, lambda throw_index: catch_hand_and_time(throw_index)[0]):
        yield hand, [list(together) for _, together in groupby(throws, catch_hand_and_time)]
