"""Single throws and catches around the body in a pattern, by their words: `underleg right`, `531
backcross`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from juggle_anim.choreography import Score
from juggle_anim.choreography.body_throws import THROWS
from juggle_anim.choreography.dwell import holds, time_throws
from juggle_anim.choreography.manners import catches_in_order, caught_in, has_time, thrown_in
from juggle_anim.choreography.score import BodyThrows
from juggle_anim.notation.search import word_for_with
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern
from juggle_anim.text_settings import BODY_CATCH_NAMES, BODY_THROW_NAMES

_SIDES = {"left": 0, "right": 1}

# Words that may stand between a pattern and a trick, beside the one for "with" in the present
# language.
_BESIDE = ("with", "and", "a", "an")

_MOST_WORDS = 4

# From one throw around the body to the next: as many beats, or if legs move, or loops from a catch
# to the next.
_BEATS_APART = 3
_BEATS_BETWEEN_LEGS = 5
_CATCHES_APART = 3


def read_body_trick(text: str, many: bool = False) -> tuple[str, int | None] | None:
    """The word of a throw or catch around the body, and the hand that makes it, 0 left or 1 right;
    None for both hands.

    None if a text is something else.

    Args:
        text: that may be one.
        many: whether it may be in the plural, which may also be the name of a pattern.
    """
    word, _, hand = text.casefold().strip().rpartition(" ")
    side = _SIDES.get(hand)
    word = (word if side is not None else text.casefold()).strip().replace(" ", "-")
    for known in (*BODY_THROW_NAMES, *BODY_CATCH_NAMES):
        if word == known or (many and word in (f"{known}s", f"{known}es", f"{known[:-1]}ies")):
            return known, side
    return None


def pattern_and_trick(text: str) -> Iterator[tuple[str, str, int | None]]:
    """Yield how a text may be a pattern and a throw or catch around the body: `531 backcross`, `box
    with an albert`.

    Yields:
        The text of the pattern, and the trick as `read_body_trick` returns it.
    """
    words = text.split()
    beside = (*_BESIDE, word_for_with())
    for count in range(min(_MOST_WORDS, len(words) - 1), 0, -1):
        before = words[:-count]
        after = words[count:]
        while len(before) > 1 and before[-1].casefold() in beside:
            before.pop()
        for pattern, trick in ((before, words[-count:]), (after, words[:count])):
            if found := read_body_trick(" ".join(trick), many=True):
                yield " ".join(pattern), *found


def with_body_trick(score: Score, word: str, side: int | None, apart: bool = False) -> Score:
    """A pattern in which a hand, or both, throws or catches now and then around the body, and
    nothing else does.

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
    staging = replace(score.staging, hands=None, throws=())
    assert pattern is not None, "events with their own times have no beats"
    if word in BODY_THROW_NAMES:
        throws = (
            words_apart(pattern, word, side) if apart else _words_of_a_loop(pattern, word, side)
        )
        return replace(score, staging=replace(staging, throws=(throws,)), title="")
    rounds = _CATCHES_APART if apart else 1
    catches = [
        _one_catch(pattern, hand, word, rounds) if side in (None, hand) else ("palm",)
        for hand in (0, 1)
    ]
    return replace(score, staging=replace(staging, catches=(catches[0], catches[1])), title="")


def _words_of_a_loop(pattern: Pattern, word: str, side: int | None) -> tuple[str | None, ...]:
    """The words for the turns of the first juggler in a loop, in which each hand has one."""
    first = {hand: beat for _, beat, hand, _value in sorted(_flying(pattern, word), reverse=True)}
    chosen = {(beat, hand) for hand, beat in first.items() if side in (None, hand)}
    return tuple(word if turn in chosen else None for turn in _turns(pattern))


def moves_legs(word: str) -> bool:
    """Whether a throw goes under a leg or between the legs, and so cannot follow upon another
    one.
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
    """The words for the turns of the first juggler that make a throw now and then, with time to
    come back between.

    Args:
        pattern: what is juggled.
        word: of `BODY_THROW_NAMES`.
        side: 0 left, 1 right, None for both in turn.
    """
    least = (_BEATS_APART, _BEATS_BETWEEN_LEGS)[moves_legs(word)] * pattern.division
    flying = sorted(_flying(pattern, word))
    period = pattern.period
    first = next((each for each in flying if side in (None, each[2])), None)
    if first is None:
        return (None,)
    _, beat, hand, value = first
    others = {each[1]: each[3] for each in flying if each[2] != hand and each[0] == first[0]}
    if (
        side is not None or pattern.mirrored or not others
    ):  # in mirrored patterns the other hand follows anyway
        chosen = {(beat, hand)}
        loops = -(-least // period)
    else:
        # Best is the same throw of the other hand half of the time later.
        halves = [half for half in range(least, least + 2 * period) if 2 * half % period == 0]
        later, half = min(
            (
                (other, half)
                for half in halves
                for other in range(beat + least, 2 * half + beat - least + 1)
                if other % period in others
            ),
            key=lambda each: (
                others[each[0] % period] != value,
                abs(each[0] - beat - each[1]),
                each[1],
            ),
            default=(min(others), least),
        )
        chosen = {(beat, hand), (later, hand ^ 1)}
        loops = -(-2 * half // period)
    turns = [(at + loop * period, by) for loop in range(loops) for at, by in _turns(pattern)]
    words = tuple(word if turn in chosen else None for turn in turns)
    return next(
        words[:n] for n in range(1, len(words) + 1) if words[:n] * (len(words) // n) == words
    )


def _turns(pattern: Pattern) -> list[tuple[int, int]]:
    """Beats and hands of the turns of the first juggler."""
    return [(beat, hand) for beat, juggler, hand in pattern.turns if juggler == 0]


def _flying(pattern: Pattern, word: str) -> list[tuple[bool, int, int, int]]:
    """For each throw of the first juggler whether it lacks time for a word, its beat, hand and
    value.
    """
    return [
        (not has_time(pattern, throw.value, thrown_in(word)), throw.beat, throw.hand, throw.value)
        for throw, held in zip(pattern.throws, holds(pattern), strict=True)
        if throw.juggler == 0 and not held
    ]


def _one_catch(pattern: Pattern, hand: int, word: str, rounds: int) -> tuple[str, ...]:
    """The words for the catches of a hand, one of which in some loops is around the body."""
    usual = Parameters()
    timing = time_throws(pattern, usual.dwell, usual.squeeze_beats)
    values = [
        max(pattern.throws[index].value for index in together)
        for catcher, catches in catches_in_order(pattern, timing)
        if catcher == hand
        for together in catches
    ]
    first = next(
        (n for n, value in enumerate(values) if has_time(pattern, value, caught_in(word))), 0
    )
    first += rounds // 2 * len(values) * (hand == 0)  # hands take turns
    return tuple(
        word if number == first else "palm" for number in range(max(len(values) * rounds, 1))
    )
