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


def _numbered(table: Mapping[str, BodyThrow], before: int) -> dict[str, Manner]:
    """The manners of a table whose rows stand after so many others in `BODY_THROWS`."""
    return {
        name: Manner(row.grasp, number)
        for number, (name, row) in enumerate(table.items(), before + 1)
    }


_GRASPED = {word: Manner(GRASPS[word], 0) for word in GRASPS}
_WORDS = len(THROWS) + len(CATCHES)
_OF_THROWS = len(THROW_VARIANTS)
_THROWN = _GRASPED | _numbered(THROWS, 0) | _numbered(THROW_VARIANTS, _WORDS)
_CAUGHT = (
    _GRASPED | _numbered(CATCHES, len(THROWS)) | _numbered(CATCH_VARIANTS, _WORDS + _OF_THROWS)
)
_THROWN_AS = {manner.row: _word(name) for name, manner in _THROWN.items() if manner.row}
_CAUGHT_AS = {manner.row: _word(name) for name, manner in _CAUGHT.items() if manner.row}


def thrown_in(word: str, consecutive: bool = False, prop: str = "") -> Manner:
    """The manner that a word of `throws`, or the name of a variant, says.

    Args:
        word: as `backcross`, or `albert of clubs`.
        consecutive: whether another throw under or between the legs follows or goes before.
        prop: the kind of all props; "" if they differ.
    """
    if consecutive:
        return (
            _THROWN.get(f"consecutive {word} of {prop}s")
            or _THROWN.get(f"consecutive {word}")
            or _THROWN[word]
        )
    return _THROWN.get(f"{word} of {prop}s") or _THROWN[word]


def caught_in(word: str, prop: str = "") -> Manner:
    """The manner that a word of `catches`, or the name of a variant, says; `prop` as of
    `thrown_in`.
    """
    return _CAUGHT.get(f"{word} of {prop}s") or _CAUGHT[word]


def catch_word(grasp: int, row: int) -> str:
    """The word of `catches` for a manner; that of its grasp if no catch is made so."""
    return _CAUGHT_AS.get(row) or Grasp(grasp).name.lower()


def throw_word(row: int) -> str | None:
    """The word of `throws` for a row of `BODY_THROWS` counted from 1; None if no throw is made
    so.
    """
    return _THROWN_AS.get(row)


def reversed_words(caught: str, thrown: str | None) -> tuple[str, str | None]:
    """The words of `catches` and `throws` by which a hand does in reversed time what it does by
    these.

    Words of which there are none backward become the usual ones.

    Args:
        caught: how it catches a prop.
        thrown: how it then throws it.
    """
    if thrown is None and caught in GRASPS:
        return caught, None
    palm = Grasp.PALM.name.lower()
    back = caught if caught in GRASPS else _THROWN_BACK.get(caught)
    if thrown in GRASPS:
        return thrown, back
    return _CAUGHT_BACK.get(thrown or palm, palm), None if back == palm else back


_CAUGHT_BACK = {
    "backcross": "behind",
    "shoulder": "behind",
    "lazy": "behind",
    "overhead": "overhead",
    "penguin": "penguin",
}
_THROWN_BACK = {"behind": "backcross", "overhead": "overhead", "penguin": "penguin"}


def words_of_turns(pattern: Pattern, throws: BodyThrows) -> dict[Turn, str | None]:
    """The word for each turn of a hand; in the mirrored half of a loop those of the first half for
    the other hand.

    Args:
        pattern: whose turns they are.
        throws: as in `Staging`, not empty.
    """
    words: dict[Turn, str | None] = {}
    counts = [0] * pattern.jugglers
    for turn in pattern.turns:
        mine = throws[turn[1] % len(throws)]
        words[turn] = mine[counts[turn[1]] % len(mine)]
        counts[turn[1]] += 1
    if pattern.mirrored:
        half = pattern.period // 2
        later = {
            (beat + half, juggler, 1 - hand): word
            for (beat, juggler, hand), word in words.items()
            if beat < half
        }
        words |= {turn: later[turn] for turn in words if turn in later}
    return words


def needs_hops(choreography: Choreography) -> bool:
    """Whether throws under one leg and then the other follow each other too soon for feet that
    stand in between.
    """
    events = choreography.events
    loop = choreography.duration
    if events.body_throw is None:
        return False
    lifting = [
        (int(events.hand[event]) // 2, float(events.time[event]), foot)
        for event in np.flatnonzero(events.body_throw)
        for foot in [
            BODY_THROWS[events.body_throw[event] - 1].posture.standing_foot(events.hand[event] % 2)
        ]
        if foot is not None
    ]
    for _, mine in groupby(sorted(lifting), lambda each: each[0]):
        steps = list(mine)
        for (_, time, foot), (_, later, other) in zip(steps, steps[1:] + steps[:1], strict=True):
            if foot != other and (later - time) % loop < FEET_CHANGE - _SAME_TIME:
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
        timing: when.
        catches, throws: as in `Staging`.
        prop: the kind of all props; "" if they differ.
    """
    thrown, caught = _manners_said(pattern, timing, catches, throws, prop)
    handed = [
        _is_behind(one) and _is_behind(other) for one, other in zip(thrown, caught, strict=True)
    ]
    landings = [pattern.sites[landing] for landing in pattern.landings]
    return (
        _ones_as_usual(pattern, pattern.sites, thrown, handed),
        _ones_as_usual(pattern, landings, caught, handed),
    )


def leaves_out_ones(pattern: Pattern, timing: Timing, catches: Catches, throws: BodyThrows) -> bool:
    """Whether some words do not count, as they are of a 1; arguments as of `manners_of_throws`."""
    said = _manners_said(pattern, timing, catches, throws)
    return manners_of_throws(pattern, timing, catches, throws) != said


def _manners_said(
    pattern: Pattern, timing: Timing, catches: Catches, throws: BodyThrows, prop: str = ""
) -> tuple[list[Manner], list[Manner]]:
    """The manners that words say, also of what has no time for them; arguments as of
    `manners_of_throws`.
    """
    caught = [USUAL] * len(pattern.throws)
    if catches == (("palm",), ("palm",)) and not throws:
        return caught, caught
    for hand, catches_of_hand in catches_in_order(pattern, timing):
        words = catches[hand % 2]
        for number, together in enumerate(catches_of_hand):
            for index in together:
                caught[index] = caught_in(words[number % len(words)], prop)
    thrown = [USUAL] * len(pattern.throws)
    said = words_of_turns(pattern, throws) if throws else {}
    flown = [index for index, held in enumerate(timing.held) if not held]
    releases = [next_release(pattern, timing.held, index)[0] for index in flown]
    turns = [pattern.throws[release][:3] for release in releases]
    consecutive = _consecutive(pattern, {turn: said.get(turn) for turn in turns})
    for index, release, turn in zip(flown, releases, turns, strict=True):
        if word := said.get(turn):
            thrown[release] = thrown_in(word, turn in consecutive, prop)
        elif not caught[index].row:
            thrown[release] = caught[index]
    return thrown, caught


def may_follow(word: str | None) -> bool:
    """Whether throws of a word are made otherwise where they follow each other: those under and
    between legs are.
    """
    return f"consecutive {word}" in _THROWN


def _consecutive(pattern: Pattern, words: Mapping[Turn, str | None]) -> set[Turn]:
    """The turns whose throws go under or between the legs, as do those of the beat before or
    after.
    """
    mine = {turn for turn, word in words.items() if may_follow(word)}
    beats = {turn[:2] for turn in mine}
    return {
        (beat, juggler, hand)
        for beat, juggler, hand in mine
        for step in (pattern.division, -pattern.division)
        if ((beat + step) % pattern.period, juggler) in beats
    }


def _ones_as_usual(
    pattern: Pattern, sites: Sequence[Site], manners: Sequence[Manner], handed: Sequence[bool]
) -> list[Manner]:
    """The manners of throws by the sites of which they are, as usual where a 1 has no time for
    another one.

    What several throws of a multiplex do together, they do as the highest of them. Those that are
    handed over behind the body stay as they are.
    """
    highest: dict[Site, int] = {}
    for site, throw in zip(sites, pattern.throws, strict=True):
        highest[site] = max(throw.value, highest.get(site, 0))
    return [
        manner if behind or has_time(pattern, highest[site], manner) else USUAL
        for site, manner, behind in zip(sites, manners, handed, strict=True)
    ]


def has_time(pattern: Pattern, value: int, manner: Manner) -> bool:
    """Whether a throw of some value, in units of the pattern, has time to be made or caught in some
    manner.
    """
    return not manner.row or value > pattern.division or BODY_THROWS[manner.row - 1].ones


def _is_behind(manner: Manner) -> bool:
    return manner.row > 0 and BODY_THROWS[manner.row - 1].from_behind


def catches_in_order(pattern: Pattern, timing: Timing) -> Iterator[tuple[int, list[list[int]]]]:
    """Yield each hand that catches, and its catches in the order of the loop: each the throws
    caught together.
    """
    flown = [index for index, held in enumerate(timing.held) if not held]

    def moment(index: int) -> tuple[int, float]:
        throw = pattern.throws[index]
        return catching_hand(throw), timing.catch[index] % pattern.period

    for hand, mine in groupby(sorted(flown, key=moment), lambda index: moment(index)[0]):
        yield hand, [list(together) for _, together in groupby(mine, moment)]
