"""Manners in which hands throw and catch, the words for them, and what the words of a pattern come
to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from juggle_anim.choreography.around_body import FEET_CHANGE, BodyThrow
from juggle_anim.choreography.body_throw_variants import CATCH_VARIANTS, THROW_VARIANTS
from juggle_anim.choreography.body_throws import CATCHES, THROWS
from juggle_anim.choreography.choreography import Choreography, Grasp
from juggle_anim.choreography.dwell import Site, Timing, next_release
from juggle_anim.choreography.places import GRASPS
from juggle_anim.choreography.score import BodyThrows, Catches, Point
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import Turn, catching_hand

BODY_THROWS = (
    *THROWS.values(),
    *CATCHES.values(),
    *THROW_VARIANTS.values(),
    *CATCH_VARIANTS.values(),
)
"""The rows of all throws and catches around the body; `Events.body_throw` has 1 for the first."""


class Manner(NamedTuple):
    """How a hand throws or catches.

    Args:
        grasp: how it is turned.
        row: of `BODY_THROWS`, counted from 1; 0 for a usual place.
    """

    grasp: Grasp
    row: int

    def point(self, usual: Point) -> Point:
        """Return where the hand throws or catches, if it does so at `usual` in the usual manner."""
        if self.row:
            return BODY_THROWS[self.row - 1].place
        outward, up, forward = usual
        return (outward, up + _CLAW_UP, forward) if self.grasp is Grasp.CLAW else usual


USUAL = Manner(Grasp.PALM, 0)

_SAME_TIME = 1e-6  # s

_CLAW_UP = 0.14  # offset of a claw, which comes from above, [m]


def _word(name: str) -> str:
    """The word of which a name says a variant, as `albert` of `consecutive albert` and `albert of
    clubs`.
    """
    return name.removeprefix("consecutive ").partition(" of ")[0]


def _manners_of_rows(table: Mapping[str, BodyThrow], before: int) -> dict[str, Manner]:
    """The manners of a table whose rows stand after so many others in `BODY_THROWS`."""
    return {
        name: Manner(row.grasp, number)
        for number, (name, row) in enumerate(table.items(), before + 1)
    }


_MANNER_OF_GRASP_WORD = {word: Manner(GRASPS[word], 0) for word in GRASPS}
_WORDS = len(THROWS) + len(CATCHES)
_OF_THROWS = len(THROW_VARIANTS)
_MANNER_OF_THROW_WORD = (
    _MANNER_OF_GRASP_WORD | _manners_of_rows(THROWS, 0) | _manners_of_rows(THROW_VARIANTS, _WORDS)
)
_MANNER_OF_CATCH_WORD = (
    _MANNER_OF_GRASP_WORD
    | _manners_of_rows(CATCHES, len(THROWS))
    | _manners_of_rows(CATCH_VARIANTS, _WORDS + _OF_THROWS)
)
_WORD_OF_THROW_ROW = {
    manner.row: _word(name) for name, manner in _MANNER_OF_THROW_WORD.items() if manner.row
}
_WORD_OF_CATCH_ROW = {
    manner.row: _word(name) for name, manner in _MANNER_OF_CATCH_WORD.items() if manner.row
}


def thrown_in(word: str, consecutive: bool = False, prop: str = "") -> Manner:
    """Return the manner of throwing that a word of `throws`, or the name of a variant, says.

    The most special variant comes first: consecutive throws of this prop, consecutive ones, or
    the prop, and then the plain word.

    Args:
        word: as `backcross`, or `albert of clubs`.
        consecutive: whether another throw under or between the legs follows or goes before.
        prop: the kind of all props; "" if they differ.
    """
    if consecutive:
        return (
            _MANNER_OF_THROW_WORD.get(f"consecutive {word} of {prop}s")
            or _MANNER_OF_THROW_WORD.get(f"consecutive {word}")
            or _MANNER_OF_THROW_WORD[word]
        )
    return _MANNER_OF_THROW_WORD.get(f"{word} of {prop}s") or _MANNER_OF_THROW_WORD[word]


def caught_in(word: str, prop: str = "") -> Manner:
    """The manner that a word of `catches`, or the name of a variant, says; `prop` as of
    `thrown_in`.
    """
    return _MANNER_OF_CATCH_WORD.get(f"{word} of {prop}s") or _MANNER_OF_CATCH_WORD[word]


def catch_word(grasp: int, row: int) -> str:
    """The word of `catches` for a manner; that of its grasp if no catch is made so."""
    return _WORD_OF_CATCH_ROW.get(row) or Grasp(grasp).name.lower()


def throw_word(row: int) -> str | None:
    """The word of `throws` for a row of `BODY_THROWS` counted from 1; None if no throw is made
    so.
    """
    return _WORD_OF_THROW_ROW.get(row)


def reversed_words(caught: str, thrown: str | None) -> tuple[str, str | None]:
    """Return the words of `catches` and `throws` for a hand in reversed time.

    The throw becomes the catch, and the catch the throw. Words that have no counterpart backward
    become the usual ones.

    Args:
        caught: word for how the hand catches a prop.
        thrown: word for how it then throws the prop; None as it was caught.
    """
    # A grasp that goes unsaid from the catch to the throw does so backward, too.
    if thrown is None and caught in GRASPS:
        return caught, None
    palm = Grasp.PALM.name.lower()
    new_throw = caught if caught in GRASPS else _THROW_OF_REVERSED_CATCH.get(caught)
    if thrown in GRASPS:
        return thrown, new_throw
    new_catch = _CATCH_OF_REVERSED_THROW.get(thrown or palm, palm)
    # "palm" is the usual throw, which needs no word.
    return new_catch, None if new_throw == palm else new_throw


_CATCH_OF_REVERSED_THROW = {
    "backcross": "behind",
    "shoulder": "behind",
    "lazy": "behind",
    "overhead": "overhead",
    "penguin": "penguin",
}
_THROW_OF_REVERSED_CATCH = {"behind": "backcross", "overhead": "overhead", "penguin": "penguin"}


def words_of_turns(pattern: Pattern, throws: BodyThrows) -> dict[Turn, str | None]:
    """Return the word of `throws` for each turn of a hand; None for a usual throw.

    A juggler's turns take the juggler's words one after another, and begin again at the end. In
    the second half of a mirrored loop, hands take the words of the other hand in the first half.

    Args:
        pattern: whose turns they are.
        throws: words by juggler, as in `Staging`, not empty.
    """
    words: dict[Turn, str | None] = {}
    turns_before = [0] * pattern.jugglers
    for turn in pattern.turns:
        _beat, juggler, _hand = turn
        words_of_juggler = throws[juggler % len(throws)]
        words[turn] = words_of_juggler[turns_before[juggler] % len(words_of_juggler)]
        turns_before[juggler] += 1
    # In the mirrored half, hands are exchanged.
    if pattern.mirrored:
        half = pattern.period // 2
        second_half = {
            (beat + half, juggler, 1 - hand): word
            for (beat, juggler, hand), word in words.items()
            if beat < half
        }
        words |= {turn: second_half[turn] for turn in words if turn in second_half}
    return words


def needs_hops(choreography: Choreography) -> bool:
    """Whether throws under one leg and then the other come too soon after each other, so that a
    juggler cannot put a foot down in between and hops.

    Args:
        choreography: events in seconds; throws around the body say which leg they lift.
    """
    events = choreography.events
    loop = choreography.duration
    if events.body_throw is None:
        return False

    # All throws on one foot: juggler, time [s], and standing foot.
    on_one_foot = []
    for event in np.flatnonzero(events.body_throw):
        juggler, side = divmod(int(events.hand[event]), 2)
        body_throw = BODY_THROWS[events.body_throw[event] - 1]  # rows count from 1
        foot = body_throw.posture.standing_foot(side)
        if foot is not None:
            on_one_foot.append((juggler, float(events.time[event]), foot))

    # Each juggler's throws in pairs, the first also after the last, around the loop.
    for _juggler, group in groupby(sorted(on_one_foot), lambda throw: throw[0]):
        steps = list(group)
        for (_, time, foot), (_, next_time, next_foot) in zip(
            steps, steps[1:] + steps[:1], strict=True
        ):
            if foot != next_foot and (next_time - time) % loop < FEET_CHANGE - _SAME_TIME:
                return True
    return False


def manners_of_throws(
    pattern: Pattern, timing: Timing, catches: Catches, throws: BodyThrows, prop: str = ""
) -> tuple[list[Manner], list[Manner]]:
    """Return for each throw of a pattern the manner of the throwing hand, and that of the catching
    hand.

    Each catch of a hand takes the next word of its side. Simultaneous catches share a manner. A
    prop is thrown from the grasp that caught it if nothing else is said, and after a catch around
    the body as usual. A 1 is thrown and caught as usual where it has no time to go around the body,
    unless it is handed over behind it.

    Args:
        pattern: what is juggled.
        timing: when props are caught, which gives the order of catches.
        catches, throws: words as in `Staging`.
        prop: the kind of all props; "" if they differ.
    """
    throw_manners, catch_manners = _manners_by_words(pattern, timing, catches, throws, prop)
    is_handed_behind = [
        _goes_behind_body(throw) and _goes_behind_body(catch)
        for throw, catch in zip(throw_manners, catch_manners, strict=True)
    ]
    landings = [pattern.sites[landing] for landing in pattern.landings]
    return (
        _without_hurried_ones(pattern, pattern.sites, throw_manners, is_handed_behind),
        _without_hurried_ones(pattern, landings, catch_manners, is_handed_behind),
    )


def leaves_out_ones(pattern: Pattern, timing: Timing, catches: Catches, throws: BodyThrows) -> bool:
    """Whether some words do not count, as they are of a 1; arguments as of `manners_of_throws`."""
    said = _manners_by_words(pattern, timing, catches, throws)
    return manners_of_throws(pattern, timing, catches, throws) != said


def _manners_by_words(
    pattern: Pattern, timing: Timing, catches: Catches, throws: BodyThrows, prop: str = ""
) -> tuple[list[Manner], list[Manner]]:
    """For each throw of a pattern, the manners of throw and catch by their words, even where there
    is no time for them.

    Args:
        pattern: T throws.
        timing: when props are caught, which gives the order of catches.
        catches: words by side, 0 left and 1 right; each side's catches take them in turn.
        throws: words by juggler, for the juggler's turns in order; empty if all are usual.
        prop: the kind of all props; "" if they differ.

    Returns:
        Manners of the throwing hands, and of the catching hands, both of length T.
    """
    catch_manners = [USUAL] * len(pattern.throws)
    # The default words: everything is usual.
    if catches == (("palm",), ("palm",)) and not throws:
        return catch_manners, catch_manners

    # Catches take the words of their side in turn.
    for hand, catches_of_hand in catches_in_order(pattern, timing):
        words = catches[hand % 2]
        for number, together in enumerate(catches_of_hand):
            for index in together:
                catch_manners[index] = caught_in(words[number % len(words)], prop)

    # The word of a turn is for the throw that ends the carry, after any holds.
    throw_manners = [USUAL] * len(pattern.throws)
    word_of_turn = words_of_turns(pattern, throws) if throws else {}
    flown = [index for index, held in enumerate(timing.held) if not held]
    releases = [next_release(pattern, timing.held, index)[0] for index in flown]
    turns = [pattern.throws[release][:3] for release in releases]
    consecutive = _turns_beside_leg_throws(
        pattern, {turn: word_of_turn.get(turn) for turn in turns}
    )
    for index, release, turn in zip(flown, releases, turns, strict=True):
        word = word_of_turn.get(turn)
        if word:
            throw_manners[release] = thrown_in(word, turn in consecutive, prop)
        elif not catch_manners[index].row:
            # Thrown from the grasp that caught it.
            throw_manners[release] = catch_manners[index]
    return throw_manners, catch_manners


def may_follow(word: str | None) -> bool:
    """Whether throws of a word are made otherwise where they follow each other: those under and
    between legs are.
    """
    return f"consecutive {word}" in _MANNER_OF_THROW_WORD


def _turns_beside_leg_throws(pattern: Pattern, words: Mapping[Turn, str | None]) -> set[Turn]:
    """The turns of throws under or between the legs that follow or precede another such throw of
    the juggler by one beat.

    Args:
        pattern: whose turns they are.
        words: of `throws`, for each turn; None for a usual throw.
    """
    leg_turns = {turn for turn, word in words.items() if may_follow(word)}
    beats_and_jugglers = {turn[:2] for turn in leg_turns}
    return {
        (beat, juggler, hand)
        for beat, juggler, hand in leg_turns
        for step in (pattern.division, -pattern.division)
        if ((beat + step) % pattern.period, juggler) in beats_and_jugglers
    }


def _without_hurried_ones(
    pattern: Pattern,
    sites: Sequence[Site],
    manners: Sequence[Manner],
    is_handed_behind: Sequence[bool],
) -> list[Manner]:
    """The manners of throws, but the usual one for each 1 that has no time for its manner.

    All throws of a multiplex keep their manner if the highest of them has time.

    Args:
        pattern: T throws.
        sites: length T, hand and beat of each throw, or of each landing for manners of catches.
        manners: length T.
        is_handed_behind: length T, whether a throw is handed over behind the body; these keep
            their manner.
    """
    highest: dict[Site, int] = {}
    for site, throw in zip(sites, pattern.throws, strict=True):
        highest[site] = max(throw.value, highest.get(site, 0))
    return [
        manner if handed_behind or has_time(pattern, highest[site], manner) else USUAL
        for site, manner, handed_behind in zip(sites, manners, is_handed_behind, strict=True)
    ]


def has_time(pattern: Pattern, value: int, manner: Manner) -> bool:
    """Whether a throw of some value, in units of the pattern, has time to be made or caught in some
    manner.
    """
    return not manner.row or value > pattern.division or BODY_THROWS[manner.row - 1].ones


def _goes_behind_body(manner: Manner) -> bool:
    return manner.row > 0 and BODY_THROWS[manner.row - 1].from_behind


def catches_in_order(pattern: Pattern, timing: Timing) -> Iterator[tuple[int, list[list[int]]]]:
    """Yield each hand that catches, and its catches in the order of the loop.

    Args:
        pattern: T throws.
        timing: when they are caught, in units of the pattern.

    Yields:
        The hand, 2 · juggler + side, and for each of its catches the list of the throws, by index
        in the pattern, that are caught at the same time.
    """
    flown = [index for index, held in enumerate(timing.held) if not held]

    def hand_and_time(index: int) -> tuple[int, float]:
        throw = pattern.throws[index]
        return catching_hand(throw), timing.catch[index] % pattern.period

    in_order = sorted(flown, key=hand_and_time)
    for hand, throws in groupby(in_order, lambda index: hand_and_time(index)[0]):
        yield hand, [list(together) for _, together in groupby(throws, hand_and_time)]
