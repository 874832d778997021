"""Single throws and catches around the body in a pattern, by their words: `underleg right`, `531
backcross`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from juggle_anim.choreography import Score
from juggle_anim.choreography.body_throws import THROWS
from juggle_anim.choreography.dwell import holds, time_throws
from juggle_anim.choreography.manners import catches_in_order, caught_in, has_time, thrown_in
from juggle_anim.choreography.score import BodyThrows
from juggle_anim.notation.search import word_for_with
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import LEFT, RIGHT, Pattern
from juggle_anim.text_settings import BODY_CATCH_NAMES, BODY_THROW_NAMES

_SIDES = {"left": LEFT, "right": RIGHT}

# Words that may stand between a pattern and a trick, beside the one for "with" in the present
# language.
_JOINING_WORDS = ("with", "and", "a", "an")

_MAX_TRICK_WORDS = 4  # the longest names have three, and a hand may follow

# From one throw around the body to the next, so that the body has time to come back.
_BEATS_APART = 3
_BEATS_APART_OF_LEGS = 5
_LOOPS_APART = 3  # from one catch around the body to the next


class _FreeThrow(NamedTuple):
    """A throw of the first juggler that is no hold; sorted, the best for a word comes first.

    Args:
        lacks_time: whether it is too low for the hand to go around the body.
        beat: on which it is thrown.
        hand: `LEFT` or `RIGHT`.
        value: its height as a number of beats.
    """

    lacks_time: bool
    beat: int
    hand: int
    value: int


def read_body_trick(text: str, many: bool = False) -> tuple[str, int | None] | None:
    """Read the word of a throw or catch around the body, and the hand that makes it.

    Args:
        text: that may be one.
        many: whether it may be in the plural, which may also be the name of a pattern.

    Returns:
        The word, and 0 for the left hand, 1 for the right, None for both; None if the text is
        something else.
    """
    folded = text.casefold().strip()
    before, _blank, last = folded.rpartition(" ")
    side = _SIDES.get(last)
    name = folded if side is None else before
    word = name.strip().replace(" ", "-")
    for known in (*BODY_THROW_NAMES, *BODY_CATCH_NAMES):
        plurals = (f"{known}s", f"{known}es", f"{known[:-1]}ies")
        if word == known or (many and word in plurals):
            return known, side
    return None


def pattern_and_trick(text: str) -> Iterator[tuple[str, str, int | None]]:
    """Yield how a text may be a pattern and a throw or catch around the body: `531 backcross`, `box
    with an albert`.

    Yields:
        The text of the pattern, and the trick as `read_body_trick` returns it.
    """
    words = text.split()
    joining = (*_JOINING_WORDS, word_for_with())
    for count in range(min(_MAX_TRICK_WORDS, len(words) - 1), 0, -1):
        pattern = words[:-count]
        while len(pattern) > 1 and pattern[-1].casefold() in joining:
            pattern.pop()
        # The trick stands behind the pattern, or before it.
        for pattern_words, trick_words in (
            (pattern, words[-count:]),
            (words[count:], words[:count]),
        ):
            if trick := read_body_trick(" ".join(trick_words), many=True):
                yield " ".join(pattern_words), *trick


def with_body_trick(score: Score, word: str, side: int | None, apart: bool = False) -> Score:
    """Return a pattern in which a hand, or both, throws or catches now and then around the body.

    It does so with the first prop that has time for it, which a 1 may not have, or else with the
    first of all. Hands take the usual paths besides: those of the pattern need not have room for
    it.

    Args:
        score: on beats.
        word: of `BODY_THROW_NAMES` or `BODY_CATCH_NAMES`.
        side: 0 left, 1 right, None for both.
        apart: whether the body has time to come back before the next; otherwise each hand does it
            once in a loop.
    """
    pattern = score.pattern
    assert pattern is not None, "events with their own times have no beats"
    staging = replace(score.staging, hands=None, throws=())
    if word in BODY_THROW_NAMES:
        throws = (
            words_apart(pattern, word, side) if apart else _words_of_a_loop(pattern, word, side)
        )
        return replace(score, staging=replace(staging, throws=(throws,)), title="")
    loops = _LOOPS_APART if apart else 1
    left, right = (
        _catch_words(pattern, hand, word, loops) if side in (None, hand) else ("palm",)
        for hand in (LEFT, RIGHT)
    )
    return replace(score, staging=replace(staging, catches=(left, right)), title="")


def _words_of_a_loop(pattern: Pattern, word: str, side: int | None) -> tuple[str | None, ...]:
    """Return the words for the first juggler's turns in a loop, in which each hand has one."""
    first_beats: dict[int, int] = {}
    for throw in _free_throws(pattern, word):
        first_beats.setdefault(throw.hand, throw.beat)
    chosen = {(beat, hand) for hand, beat in first_beats.items() if side in (None, hand)}
    return tuple(word if turn in chosen else None for turn in _turns(pattern))


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
    """Return the words for the first juggler's turns that make a throw around the body now and
    then.

    Args:
        pattern: what is juggled.
        word: of `BODY_THROW_NAMES`.
        side: 0 left, 1 right, None for both in turn.

    Returns:
        The shortest sequence that repeats, in which the body has time to come back between throws.
    """
    beats_apart = _BEATS_APART_OF_LEGS if moves_legs(word) else _BEATS_APART
    least = beats_apart * pattern.division
    period = pattern.period
    throws = _free_throws(pattern, word)
    first = next((throw for throw in throws if side in (None, throw.hand)), None)
    if first is None:
        return (None,)
    # By beat: what the other hand throws, if it has as much time for the word.
    other_values = {
        throw.beat: throw.value
        for throw in throws
        if throw.hand != first.hand and throw.lacks_time == first.lacks_time
    }
    chosen = {(first.beat, first.hand)}
    # In mirrored patterns the other hand follows anyway.
    if side is not None or pattern.mirrored or not other_values:
        loops = -(-least // period)
    else:
        other_beat, half = _best_answer(first, other_values, least, period)
        chosen.add((other_beat, 1 - first.hand))
        loops = -(-2 * half // period)
    turns = [
        (beat + loop * period, hand) for loop in range(loops) for beat, hand in _turns(pattern)
    ]
    return _shortest_repeat([word if turn in chosen else None for turn in turns])


def _best_answer(
    first: _FreeThrow, other_values: dict[int, int], least: int, period: int
) -> tuple[int, int]:
    """Choose the throw with which the other hand answers a throw around the body.

    Best is the same throw of the other hand half of the time later.

    Args:
        first: the throw that is answered.
        other_values: what the other hand throws, by beat in the period.
        least: beats between one and the other.
        period: of the pattern, [beats].

    Returns:
        The beat of the answer, from the beginning of the first loop, and half of the beats after
        which the first hand throws around the body again.
    """
    best: tuple[int, int] | None = None
    best_cost: tuple[bool, int, int] | None = None
    for half in range(least, least + 2 * period):
        if 2 * half % period:
            continue  # after both halves the same turn must come again
        for beat in range(first.beat + least, first.beat + 2 * half - least + 1):
            if beat % period not in other_values:
                continue
            differs = other_values[beat % period] != first.value
            cost = (differs, abs(beat - first.beat - half), half)
            if best_cost is None or cost < best_cost:
                best_cost = cost
                best = beat, half
    return best or (min(other_values), least)


def _shortest_repeat(words: list[str | None]) -> tuple[str | None, ...]:
    """Return the shortest beginning of words that repeated gives all of them."""
    size = len(words)
    length = next(
        length
        for length in range(1, size + 1)
        if size % length == 0 and words == words[:length] * (size // length)
    )
    return tuple(words[:length])


def _turns(pattern: Pattern) -> list[tuple[int, int]]:
    """Return the beats and hands of the turns of the first juggler."""
    return [(beat, hand) for beat, juggler, hand in pattern.turns if juggler == 0]


def _free_throws(pattern: Pattern, word: str) -> list[_FreeThrow]:
    """Return the throws of the first juggler, those with time for a word first, else by beat."""
    return sorted(
        _FreeThrow(
            not has_time(pattern, throw.value, thrown_in(word)),
            throw.beat,
            throw.hand,
            throw.value,
        )
        for throw, held in zip(pattern.throws, holds(pattern), strict=True)
        if throw.juggler == 0 and not held
    )


def _catch_words(pattern: Pattern, hand: int, word: str, loops: int) -> tuple[str, ...]:
    """Return the words for the catches of a hand, one of which in some loops is around the body."""
    usual = Parameters()
    timing = time_throws(pattern, usual.dwell, usual.squeeze_beats)
    # The highest of the props that a hand catches at once.
    values = [
        max(pattern.throws[index].value for index in together)
        for catcher, catches in catches_in_order(pattern, timing)
        if catcher == hand
        for together in catches
    ]
    with_time = (
        index for index, value in enumerate(values) if has_time(pattern, value, caught_in(word))
    )
    chosen = next(with_time, 0)
    if hand == LEFT:
        # Hands take turns: the left one catches around the body half of the loops later.
        chosen += loops // 2 * len(values)
    count = max(len(values) * loops, 1)
    return tuple(word if index == chosen else "palm" for index in range(count))
