"""Staging by beats: what hands, catches and bodies are told stays with its throws when beats come,
go or move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.dwell import time_throws
from juggle_anim.choreography.hand_points import HandPoints
from juggle_anim.choreography.manners import catches_in_order, reversed_words, words_of_turns
from juggle_anim.choreography.places import STYLES
from juggle_anim.choreography.score import USUAL_PATH, BodyPlace, HandBeat, Staging
from juggle_anim.editing.draft import Draft
from juggle_anim.errors import EditError
from juggle_anim.language import _
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import Turn

BodyBeat = tuple[BodyPlace | None, ...]
"""Places that a body passes in one beat, as in `BodyMoves`."""


def full_loop(draft: Draft) -> Pattern:
    """The pattern of a draft, repeated until its staging repeats with it; its throws are counted.

    Raises:
        EditError: the draft has events in place of throws.
    """
    if draft.score.pattern is None:
        raise EditError(_("these events are on no beats, so they have no throws of a siteswap"))
    return repeat_to_full_loop(draft.score.pattern, draft.score.staging)


_Said = TypeVar("_Said")


@dataclass(frozen=True)
class BeatStaging:
    """What a staging says of each turn and beat of a loop.

    Args:
        period: of the loop, in beats, or parts of beats as in `Pattern`.
        paths: of hands from each turn on; None if nothing is said.
        grasps: how the hand catches what it throws in each turn, if it catches it; None if all are
            "palm".
        places: of each juggler for each beat; None if nothing is said, or the same for each beat.
        division: parts of a beat.
        spins: of the clubs that are thrown in each turn, as in `Staging`; None if nothing is said.
        throws: how the hand throws in each turn, None as usual; None if all do.
    """

    period: int
    paths: Mapping[Turn, HandBeat] | None
    grasps: Mapping[Turn, str] | None
    places: Sequence[Sequence[BodyBeat]] | None
    division: int = 1
    spins: Mapping[Turn, float | None] | None = None
    throws: Mapping[Turn, str | None] | None = None

    def spin(self, turn: Turn) -> float | None:
        """The turns of the clubs that are thrown in a turn of a hand."""
        return self._of(self.spins, turn, None)

    def path(self, turn: Turn) -> HandBeat:
        """The path of a hand from a turn on."""
        return self._of(self.paths, turn, USUAL_PATH)

    def grasp(self, turn: Turn) -> str:
        """How a hand catches what it throws in a turn."""
        return self._of(self.grasps, turn, "palm")

    def thrown(self, turn: Turn) -> str | None:
        """How a hand throws in a turn, None as usual."""
        return self._of(self.throws, turn, None)

    def repeats(self, period: int) -> bool:
        """Whether it says the same some beats later, of the other hand if it is that one's turn
        then.
        """
        said = {
            turn
            for each in (self.paths, self.grasps, self.spins, self.throws)
            for turn in each or ()
        }
        for turn in said:
            later = turn[0] + period, turn[1], turn[2]
            if any(of(turn) != of(later) for of in (self.path, self.grasp, self.spin, self.thrown)):
                return False
        shift = period // self.division
        return all(
            each == mine[(beat + shift) % len(mine)]
            for mine in self.places or ()
            for beat, each in enumerate(mine)
        )

    def moved(self, period: int, moved: Callable[[int], int | None]) -> BeatStaging:
        """What is said when beats come, go or move.

        Args:
            period: of the loop then.
            moved: where a beat is then; None if it is gone.
        """
        places: list[list[BodyBeat]] | None = None
        if self.places is not None:
            places = [[()] * (period // self.division) for _ in self.places]
            for mine, then in zip(self.places, places, strict=True):
                for beat, each in enumerate(mine):
                    if (new := moved(beat * self.division)) is not None:
                        then[new // self.division] = each

        def turned(turn: Turn) -> Turn | None:
            beat = moved(turn[0])
            return None if beat is None else (beat, turn[1], turn[2])

        return replace(self.turned(turned), period=period, places=places)

    def turned(self, turned: Callable[[Turn], Turn | None]) -> BeatStaging:
        """The same of other turns; None leaves one out."""
        return replace(
            self,
            paths=_moved(self.paths, turned),
            grasps=_moved(self.grasps, turned),
            spins=_moved(self.spins, turned),
            throws=_moved(self.throws, turned),
        )

    def reversed(self) -> BeatStaging:
        """The same in reversed time: beats are counted backward from the first, and hands go back.

        A backcross becomes a catch behind the back; what has no word backward is done as usual. So
        do clubs spin.
        """
        turns = {turn for each in (self.grasps, self.throws) for turn in each or ()}
        manners = {turn: reversed_words(self.grasp(turn), self.thrown(turn)) for turn in turns}
        back = {(-turn[0] % self.period, turn[1], turn[2]): manners[turn] for turn in turns}
        places = self.places and [_reversed_places(mine) for mine in self.places]
        return replace(
            self,
            paths=self.paths and self._reversed_paths(self.paths),
            grasps={turn: caught for turn, (caught, _unused) in back.items()} if turns else None,
            places=places,
            spins=None if self.spins is None else dict.fromkeys(self.spins),
            throws={turn: thrown for turn, (_unused, thrown) in back.items()} if turns else None,
        )

    def _reversed_paths(self, paths: Mapping[Turn, HandBeat]) -> dict[Turn, HandBeat]:
        """Paths that begin where a hand caught and end where it came from."""
        by_hand: dict[tuple[int, int], list[int]] = {}
        for beat, juggler, hand in sorted(paths):
            by_hand.setdefault((juggler, hand), []).append(beat)
        found: dict[Turn, HandBeat] = {}
        for (juggler, hand), beats in by_hand.items():
            for place, beat in enumerate(beats):
                path = paths[beat, juggler, hand]
                before = paths[beats[place - 1], juggler, hand]
                empty = path.points[path.catch :: -1]
                full = before.points[: before.catch : -1]
                following = beats[(place + 1) % len(beats)]
                found[-following % self.period, juggler, hand] = HandBeat(
                    empty + full, path.catch, path.around or before.around
                )
        return found

    def _of(self, said: Mapping[Turn, _Said] | None, turn: Turn, usual: _Said) -> _Said:
        """What is said of the turn of the loop, or of the other hand, which may have come to that
        beat.
        """
        home = turn[0] % self.period, turn[1], turn[2]
        known = said or {}
        return known.get(home, known.get((home[0], home[1], 1 - home[2]), usual))


def _moved(
    said: Mapping[Turn, _Said] | None, moved: Callable[[Turn], Turn | None]
) -> dict[Turn, _Said] | None:
    """What is said of turns that come elsewhere, or, for None, nowhere."""
    if said is None:
        return None
    places = ((moved(turn), each) for turn, each in said.items())
    return {turn: each for turn, each in places if turn is not None}


def _reversed_places(beats: Sequence[BodyBeat]) -> list[BodyBeat]:
    """The places that a body passes in each beat, in reversed time."""
    found = []
    for number in range(len(beats)):
        first = beats[-number % len(beats)][:1]
        rest = beats[-number - 1][:0:-1]
        found.append((*(first or (None,)), *rest) if rest else first)
    return found


def beat_staging(draft: Draft, loop: Pattern) -> BeatStaging:
    """What the staging of a draft says.

    Args:
        draft: with a pattern.
        loop: its full loop.
    """
    staging = draft.score.staging
    paths = None
    places = None
    grasps: dict[Turn, str] | None = None
    if staging.hands:
        known = HandPoints(loop, staging.hands).hand_beats
        paths = {turn: known[2 * turn[1] + turn[2], turn[0]] for turn in loop.turns}
    if staging.catches != Staging().catches:
        grasps = {}
        for hand, turns in catching_turns(draft, loop):
            words = staging.catches[hand % 2]
            grasps |= {turn: words[number % len(words)] for number, turn in enumerate(turns)}
    if staging.body and any(len(mine) > 1 for mine in staging.body.beats):
        beats = math.ceil(loop.period / loop.division)
        body = staging.body.beats
        mine = [body[juggler % len(body)] for juggler in range(loop.jugglers)]
        places = [[each[beat % len(each)] for beat in range(beats)] for each in mine]
    spins = None
    if staging.spins:
        spins = {
            turn: staging.spins[number % len(staging.spins)]
            for number, turn in enumerate(loop.turns)
        }
    throws = words_of_turns(loop, staging.throws) if staging.throws else None
    return BeatStaging(loop.period, paths, grasps, places, loop.division, spins, throws)


def catching_turns(draft: Draft, loop: Pattern) -> list[tuple[int, list[Turn]]]:
    """For each hand the turns that its catches are for, in the order of the loop."""
    parameters = draft.parameters
    style = STYLES[draft.score.staging.style].shaped(draft.parameters)
    timing = time_throws(loop, parameters.dwell, parameters.squeeze_beats, style.dwell_gain)
    return [
        (hand, [loop.throws[loop.landings[together[0]]][:3] for together in catches])
        for hand, catches in catches_in_order(loop, timing)
    ]
