"""Single throws and catches around the body in a pattern, by their words: `underleg right`, `531
backcross`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from juggle_anim.choreography import (
    THROWS,
    BodyThrows,
    Score,
    catch_manner,
    catches_in_order,
    has_time,
    holds,
    throw_manner,
    time_throws,
)
from juggle_anim.notation.search import word_for_with
from juggle_anim.notation.settings.staging import shortest_period
from juggle_anim.parameters import BODY_CATCH_NAMES, BODY_THROW_NAMES, Parameters
from juggle_anim.pattern import LEFT, RIGHT, Pattern

_SIDES = {"left": LEFT, "right": RIGHT}

# Words that may stand between a pattern and a trick, beside the one for "with" in the present
# language.
_JOINING_WORDS = ("with", "and", "a", "an")

_MAX_TRICK_WORDS = 4  # the longest names have three, and a hand may follow

# From one throw around the body to the next, so that the body has time to come back.
_BEATS_APART = 3
_BEATS_APART_OF_LEGS = 5
_LOOPS_APART = 3  # from one catch around the body to the next


class _UnheldThrow(NamedTuple):
    """A throw of the first juggler that is not a hold; sorted, the best for a word comes first.

    Args:
        lacks_time: whether the throw is too low for the hand to go around the body.
        beat: the beat on which it is thrown.
        hand: `LEFT` or `RIGHT`.
        value: its height as a number of beats.
    """

    lacks_time: bool
    beat: int
    hand: int
    value: int


def read_body_trick(text: str, *, plural: bool = False) -> tuple[str, int | None] | None:
    """Read the name of a throw or catch around the body, and the hand that makes it.

    Args:
        text: the name, perhaps with a hand behind it: `under leg right`.
        plural: whether the name may be in the plural. By itself a plural may be the name of a whole
            pattern, so it is read only on demand.

    Returns:
        Our name of the trick, and the hand: 0 left, 1 right, None for both. None if the text is no
        such trick.
    """
    folded = text.casefold().strip()
    words_before, _blank, last_word = folded.rpartition(" ")
    side = _SIDES.get(last_word)
    name = folded if side is None else words_before
    # Known names are written with hyphens.
    trick = name.strip().replace(" ", "-")
    for known in (*BODY_THROW_NAMES, *BODY_CATCH_NAMES):
        plurals = (f"{known}s", f"{known}es", f"{known[:-1]}ies")
        if trick == known or (plural and trick in plurals):
            return known, side
    return None


def pattern_and_trick(text: str) -> Iterator[tuple[str, str, int | None]]:
    """Split a text into a pattern and a body trick: `531 backcross`, `box with an albert`.

    Yields:
        Every split in which the trick is known, longest tricks first: the text of the pattern,
        which is not checked, our name of the trick, and its hand: 0 left, 1 right, None for both.
    """
    words = text.split()
    joining_words = (*_JOINING_WORDS, word_for_with())
    # The longest tricks come first, since a long name may end with a short one. At least one word
    # is left for the pattern.
    for trick_length in range(min(_MAX_TRICK_WORDS, len(words) - 1), 0, -1):
        words_before_trick = words[:-trick_length]
        while len(words_before_trick) > 1 and words_before_trick[-1].casefold() in joining_words:
            words_before_trick.pop()

        # The trick is after the pattern, or before it.
        for pattern_words, trick_words in (
            (words_before_trick, words[-trick_length:]),
            (words[trick_length:], words[:trick_length]),
        ):
            if trick := read_body_trick(" ".join(trick_words), plural=True):
                yield " ".join(pattern_words), *trick


def with_body_trick(score: Score, word: str, side: int | None, *, apart: bool = False) -> Score:
    """Return a score with a throw or catch around the body, made by one hand or both.

    The trick is the first throw or catch that is high enough for it, or else the first of all. The
    score's own hand paths and body throws are dropped, as they may leave no time for the trick.

    Args:
        score: a pattern on beats.
        word: the name of the trick, of `BODY_THROW_NAMES` or `BODY_CATCH_NAMES`.
        side: the hand that does the trick: 0 left, 1 right, None for both.
        apart: whether tricks have enough beats between them for the body to recover; otherwise each
            hand does the trick once in a loop.

    Returns:
        A score without a title, as the old title no longer describes the pattern.
    """
    pattern = score.pattern
    assert pattern is not None, "events with their own times have no beats"
    staging = replace(score.staging, hands=None, throws=())

    if word in BODY_THROW_NAMES:
        throws = (
            words_apart(pattern, word, side) if apart else _words_of_a_loop(pattern, word, side)
        )
        return replace(score, staging=replace(staging, throws=(throws,)), title="")

    # Catches are set for each hand; a hand without a trick makes all of them in the palm.
    loops_apart = _LOOPS_APART if apart else 1
    left: tuple[str, ...] = ("palm",)
    right: tuple[str, ...] = ("palm",)
    if side in (None, LEFT):
        left = _catch_words(pattern, LEFT, word, loops_apart)
    if side in (None, RIGHT):
        right = _catch_words(pattern, RIGHT, word, loops_apart)
    return replace(score, staging=replace(staging, catches=(left, right)), title="")


def _words_of_a_loop(pattern: Pattern, word: str, side: int | None) -> tuple[str | None, ...]:
    """Return the words for the first juggler's turns, one trick per hand and loop.

    Args:
        pattern: the pattern that is juggled.
        word: the trick, of `BODY_THROW_NAMES`.
        side: the hand that does the trick: 0 left, 1 right, None for both.

    Returns:
        For each turn of the first juggler the word of the trick, or None for a usual throw.
    """
    # The beat of the best throw of each hand: the best throws come first, and `setdefault` keeps
    # the first of each hand.
    trick_beats: dict[int, int] = {}
    for throw in _throws_best_first(pattern, word):
        trick_beats.setdefault(throw.hand, throw.beat)
    trick_turns = {(beat, hand) for hand, beat in trick_beats.items() if side in (None, hand)}
    return tuple(word if turn in trick_turns else None for turn in _turns_of_first_juggler(pattern))


def moves_legs(word: str) -> bool:
    """Return whether a throw goes under a leg or between the legs.

    It cannot follow upon another one that does.
    """
    return word in THROWS and THROWS[word].posture.moves_legs


def spaced_throws(pattern: Pattern, word: str) -> BodyThrows | None:
    """Return throws of a word with time for the body to come back between them.

    Returns:
        The throws of a staging; None if every throw of a hand can be such a one.
    """
    # Nobody throws all under a leg without hopping.
    return (words_apart(pattern, word),) if moves_legs(word) else None


def spaced_word(throws: BodyThrows) -> str:
    """Return the word of throws as `spaced_throws` makes them; empty if they are others."""
    words = {word for turns in throws for word in turns if word is not None}
    word = words.pop() if len(words) == 1 else ""
    return word if moves_legs(word) else ""


def words_apart(pattern: Pattern, word: str, side: int | None = None) -> tuple[str | None, ...]:
    """Return the words for the first juggler's turns, with tricks as often as the body has time.

    Args:
        pattern: throws on beats, by jugglers and hands.
        word: the trick, of `BODY_THROW_NAMES`.
        side: the hand that does the trick: 0 left, 1 right, None for both in turn.

    Returns:
        For each turn the word of the trick or None: the shortest sequence that repeats, with enough
        beats between tricks.
    """
    # The body needs some beats to recover before the next throw around it, and legs need more.
    beats_apart = _BEATS_APART_OF_LEGS if moves_legs(word) else _BEATS_APART
    # In parts of beats, like the beats and the period of the pattern.
    least_gap = beats_apart * pattern.division
    period = pattern.period
    throws = _throws_best_first(pattern, word)
    first = next((throw for throw in throws if side in (None, throw.hand)), None)
    if first is None:
        return (None,)  # this hand throws nothing

    # The throws with which the other hand could answer the trick, as values by beat. An answer must
    # be high enough for the trick if the first throw is; if the first one is not, no throw is.
    other_values = {
        throw.beat: throw.value
        for throw in throws
        if throw.hand != first.hand and throw.lacks_time == first.lacks_time
    }
    trick_turns = {(first.beat, first.hand)}
    # Only the first hand gets a trick if one hand was requested, or if the other has no throw for
    # it; also if the pattern is mirrored, since the other hand does the same half a loop later.
    if side is not None or pattern.mirrored or not other_values:
        # The fewest whole loops that cover the gap: -(-a // b) is a / b, rounded up.
        loops = -(-least_gap // period)
    else:
        answer_beat, loops = _best_answer(first, other_values, least_gap, period)
        trick_turns.add((answer_beat, 1 - first.hand))

    turns = [
        (beat + loop * period, hand)
        for loop in range(loops)
        for beat, hand in _turns_of_first_juggler(pattern)
    ]
    return shortest_period([word if turn in trick_turns else None for turn in turns])


def _best_answer(
    first: _UnheldThrow, other_values: dict[int, int], least_gap: int, period: int
) -> tuple[int, int]:
    """Choose the throw with which the other hand answers a throw around the body.

    The first throw and its answer repeat after a cycle of whole loops. Best is an answer of the
    same value; then one as near as possible to the middle of the cycle; then a short cycle.

    Args:
        first: the throw that is answered.
        other_values: values of the other hand's throws, by beat in the period; not empty.
        least_gap: least number of beats from a throw around the body to the next.
        period: beats of a loop of the pattern.

    Returns:
        The beat of the answer, counted from the beginning of the first loop, and the cycle, as a
        number of loops.
    """
    # Possible halves of a cycle of whole loops, [parts of a beat]. Longer ones would only add whole
    # loops between the same throws.
    half_cycles = [
        half_cycle
        for half_cycle in range(least_gap, least_gap + 2 * period)
        if 2 * half_cycle % period == 0
    ]
    # Answers that keep the least gap from the first throw and from its repetition. With the longest
    # half cycle they may be on any beat of a loop, so there is always one.
    answers = [
        (beat, half_cycle)
        for half_cycle in half_cycles
        for beat in range(first.beat + least_gap, first.beat + 2 * half_cycle - least_gap + 1)
        if beat % period in other_values
    ]

    def cost(answer: tuple[int, int]) -> tuple[bool, int, int]:
        """Return the sort key of an answer; False comes before True."""
        beat, half_cycle = answer
        differs = other_values[beat % period] != first.value
        beats_off_middle = abs(beat - first.beat - half_cycle)
        return differs, beats_off_middle, half_cycle

    answer_beat, half_cycle = min(answers, key=cost)
    return answer_beat, 2 * half_cycle // period


def _turns_of_first_juggler(pattern: Pattern) -> list[tuple[int, int]]:
    """Return the beats and hands of the turns of the first juggler."""
    return [(beat, hand) for beat, juggler, hand in pattern.turns if juggler == 0]


def _throws_best_first(pattern: Pattern, word: str) -> list[_UnheldThrow]:
    """Return the first juggler's throws, without holds, in the order in which they suit a trick.

    Throws high enough for the trick come first; among equals the earlier beat does.

    Args:
        pattern: the pattern that is juggled.
        word: the trick, of `BODY_THROW_NAMES`.
    """
    # The tuples are sorted by their fields in order: whether time is lacking (False comes before
    # True), beat, hand.
    return sorted(
        _UnheldThrow(
            lacks_time=not has_time(pattern, throw.value, throw_manner(word)),
            beat=throw.beat,
            hand=throw.hand,
            value=throw.value,
        )
        for throw, held in zip(pattern.throws, holds(pattern), strict=True)
        if throw.juggler == 0 and not held
    )


def _catch_words(pattern: Pattern, hand: int, word: str, loops: int) -> tuple[str, ...]:
    """Return the words for a hand's catches in a number of loops, with one around the body.

    Args:
        pattern: the pattern that is juggled.
        hand: 2 · juggler + side, where a side is 0 left, 1 right.
        word: the trick, of `BODY_CATCH_NAMES`; all other catches are "palm".
        loops: number of loops that the words cover.

    Returns:
        A word for each catch, in the order of time; at least one.
    """
    # The order of catches depends on the dwell, which is not known here; the default is taken.
    defaults = Parameters()
    timing = time_throws(pattern, defaults.dwell, defaults.squeeze_beats)

    # Values of a loop's catches; of props that are caught at once, the highest.
    catch_values = [
        max(pattern.throws[index].value for index in caught_together)
        for catcher, catches in catches_in_order(pattern, timing)
        if catcher == hand
        for caught_together in catches
    ]
    suitable_catches = (
        index
        for index, value in enumerate(catch_values)
        if has_time(pattern, value, catch_manner(word))
    )
    trick_index = next(suitable_catches, 0)
    if hand == LEFT:
        # The hands should not catch around the body at the same time, so the left one does it later
        # by half of the loops.
        trick_index += loops // 2 * len(catch_values)
    # A hand that never catches needs one word, too.
    word_count = max(len(catch_values) * loops, 1)
    return tuple(word if index == trick_index else "palm" for index in range(word_count))
