"""Staging by beats: what hands, catches and bodies are told stays with its throws.

A staging is read into what it says of each turn (`BeatStaging`), which moves along when beats come,
go or move, and is written again as the shortest `hands`, `catches`, `throws` and `body` that say
it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from juggle_anim.choreography.choreograph import MAX_THROWS, choreograph, repeat_to_full_loop
from juggle_anim.choreography.dwell import time_throws
from juggle_anim.choreography.hand_points import HandPoints
from juggle_anim.choreography.manners import catches_in_order, reversed_words, words_of_turns
from juggle_anim.choreography.places import STYLES
from juggle_anim.choreography.score import (
    USUAL_PATH,
    BodyPlace,
    BodyThrows,
    HandBeat,
    HandMoves,
    Staging,
)
from juggle_anim.editing.draft import Draft, own_title
from juggle_anim.editing.props import following_props
from juggle_anim.errors import EditError, JuggleError
from juggle_anim.language import _
from juggle_anim.notation.hand_siteswap import read_hand_siteswap
from juggle_anim.notation.prechac.read import read_prechac
from juggle_anim.notation.prechac.write import write_prechac
from juggle_anim.notation.settings.staging import body_throws, write_body, write_hands
from juggle_anim.notation.siteswap.read import read_siteswap
from juggle_anim.notation.siteswap.write import write_siteswap, write_throws
from juggle_anim.pattern import RIGHT, Pattern, Throw
from juggle_anim.pattern.cycle import Cycle
from juggle_anim.pattern.pattern import Turn, repeated

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


def _same_turn(turn: Turn) -> Turn | None:
    return turn


def with_cycle(
    draft: Draft,
    cycle: Cycle,
    said: BeatStaging | None = None,
    origin: Callable[[Turn], Turn | None] = _same_turn,
) -> Draft:
    """The draft with other throws and a staging for them.

    Args:
        draft: with a pattern of throws.
        cycle: the throws.
        said: of their turns; by default, the same of each as before.
        origin: the turn before, beats counted on from loop to loop, that a turn was; None for a new
            one. Props look as those that threw there.

    Raises:
        EditError: they cannot be juggled, or no staging says that.
    """
    if said is None:
        said = beat_staging(draft, full_loop(draft))
    try:
        return with_pattern(draft, written_pattern(cycle), said, origin)
    except MirroredError:
        return with_pattern(draft, written_pattern(cycle, starred=False), said, origin)


def written_pattern(cycle: Cycle, *, starred: bool = True) -> Pattern:
    """Return the pattern of a cycle, with the shortest text.

    Args:
        cycle: the throws.
        starred: whether a `*` may stand for the mirror image of the throws before it.

    Raises:
        EditError: no text says it, or the throws do not land where throws are made.
    """
    shortest = cycle.shortest()
    try:
        if cycle.source.hand_siteswap:
            return _hand_siteswap_pattern(shortest)
        plain = shortest.pattern()
        if plain.division > 1:
            return read_prechac(write_prechac(plain))
        return read_siteswap(write_siteswap(plain, starred=starred))
    except JuggleError as error:
        raise EditError(str(error)) from error


def _hand_siteswap_pattern(cycle: Cycle) -> Pattern:
    """The pattern of objects that hands with a siteswap of their own throw."""
    hands = cycle.source.hand_siteswap
    assert hands is not None, "only what follows a siteswap of the hands has its notation"
    throws = []
    for throw in cycle.throws:
        # One hand throws on each beat, written as if two took turns.
        hand = (RIGHT + throw.beat) % 2
        to_hand = (hand + throw.value) % 2
        # A hand that holds what is as long as its own throw does so by a rule, which is not
        # written.
        held = None if hands.hold else throw.held
        throws.append(
            Throw(
                throw.beat,
                0,
                hand,
                throw.value,
                0,
                to_hand,
                throw.bounces,
                throw.bounce_style,
                held,
            )
        )
    turns = [(beat, 0, (RIGHT + beat) % 2) for beat in range(cycle.period)]
    text = write_throws(throws, turns, cycle.period)
    return read_hand_siteswap(text, hands.text, hands.handspec, hands.hold, hands.dwellmax)


def with_pattern(
    draft: Draft,
    pattern: Pattern,
    said: BeatStaging,
    origin: Callable[[Turn], Turn | None] = _same_turn,
) -> Draft:
    """The draft with another pattern and a staging for it, as `with_cycle` has them."""
    staging = staging_with(draft, pattern, said)
    staging = replace(
        staging, props=following_props(staging.props, full_loop(draft), pattern, origin)
    )
    score = replace(draft.score, pattern=pattern, staging=staging)
    if not own_title(score):
        score = replace(score, title="", about="", tags=())
    changed = draft._replace(score=score)
    try:
        choreograph(changed.score, changed.parameters)
    except JuggleError as error:
        raise EditError(str(error)) from error
    return changed


def staging_with(draft: Draft, pattern: Pattern, said: BeatStaging) -> Staging:
    """A staging for another pattern that says this of its turns; the same one if that says it
    already.

    Args:
        draft: with all else that the staging says.
        pattern: the other one.
        said: of a loop that is the pattern's own, or some of them.

    Raises:
        EditError: no staging says this.
    """
    rounds = math.lcm(said.period, pattern.period) // pattern.period
    if rounds * max(len(pattern.throws), 1) > MAX_THROWS:
        raise EditError(
            _(
                "hands, body and throws would come together only after {rounds} × {period} beats",
                rounds=rounds,
                period=pattern.period,
            )
        )
    loop = repeated(pattern, rounds)
    staging = draft.score.staging
    if said.paths is not None:
        staging = replace(staging, hands=_hands(pattern, loop, said, staging))
    if said.throws is not None:
        staging = replace(staging, throws=_throws(pattern, loop, said))
    if said.grasps is not None:
        staging = replace(
            staging,
            catches=_catches(
                draft._replace(score=replace(draft.score, staging=staging)), loop, said
            ),
        )
    if said.spins is not None:
        staging = replace(staging, spins=_spins([said.spin(turn) for turn in loop.turns]))
    if said.places is not None:
        stands = any(place for mine in said.places for beat in mine for place in beat)
        staging = replace(staging, body=write_body(said.places) if stands else None)
    return staging


def _hands(pattern: Pattern, loop: Pattern, said: BeatStaging, before: Staging) -> HandMoves | None:
    wanted = {turn: said.path(turn) for turn in loop.turns}
    turns = _by_juggler(pattern, loop, wanted)
    if all(path == USUAL_PATH for path in wanted.values()):
        return None
    for hands in (before.hands, write_hands(turns)):
        if hands and _says(pattern, hands, wanted):
            return hands
    if pattern.mirrored:
        raise MirroredError(
            _(
                "hands in the second half of a pattern that ends with a * mirror those of the "
                "first half"
            )
        )
    raise EditError(_("no text for hands says where they would go"))


def _by_juggler(pattern: Pattern, loop: Pattern, wanted: Mapping[Turn, _Said]) -> list[list[_Said]]:
    """What is said of the turns of each juggler; the mirrored half of a loop follows the first."""
    turns: list[list[_Said]] = [[] for _ in range(loop.jugglers)]
    for turn in loop.turns:
        if not pattern.mirrored or turn[0] < pattern.period // 2:
            turns[turn[1]].append(wanted[turn])
    return turns


def _throws(pattern: Pattern, loop: Pattern, said: BeatStaging) -> BodyThrows:
    wanted = {turn: said.thrown(turn) for turn in loop.turns}
    throws = body_throws(_by_juggler(pattern, loop, wanted))
    if not throws:
        return ()
    full = repeat_to_full_loop(pattern, Staging(throws=throws))
    known = words_of_turns(full, throws)
    if any(
        known.get((turn[0] % full.period, turn[1], turn[2])) != word
        for turn, word in wanted.items()
    ):
        raise MirroredError(
            _(
                "throws in the second half of a pattern that ends with a * mirror those of the "
                "first half"
            )
        )
    return throws


class MirroredError(EditError):
    """Hands do other things in the second half of a pattern, so that no `*` may stand for it."""


def _spins(spins: list[float | None]) -> tuple[float | None, ...]:
    """The shortest list that says the same, as in `Staging`."""
    lengths = (length for length in range(1, len(spins) + 1) if len(spins) % length == 0)
    shortest = next(
        (spins[:length] for length in lengths if spins[length:] == spins[:-length]), spins
    )
    return () if set(shortest) <= {None} else tuple(shortest)


def _says(pattern: Pattern, hands: HandMoves, wanted: Mapping[Turn, HandBeat]) -> bool:
    """Whether moves of hands are these, up to rounding."""
    loop = repeat_to_full_loop(pattern, Staging(hands=hands))
    known = HandPoints(loop, hands).hand_beats
    return all(
        _nearly(known.get((2 * juggler + hand, beat % loop.period), USUAL_PATH), path)
        for (beat, juggler, hand), path in wanted.items()
    )


def _nearly(one: HandBeat, other: HandBeat) -> bool:
    if (one.catch, one.around, len(one.points)) != (other.catch, other.around, len(other.points)):
        return False
    pairs = zip(one.points, other.points, strict=True)
    return all(
        (here is None) == (there is None)
        and (here is None or there is None or math.dist(here, there) < _SAME)
        for here, there in pairs
    )


_SAME = 1e-5  # [m]


def _catches(
    draft: Draft, loop: Pattern, said: BeatStaging
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    sides: tuple[list[list[str]], list[list[str]]] = ([], [])
    for hand, turns in catching_turns(draft, loop):
        sides[hand % 2].append([said.grasp(turn) for turn in turns])
    left, right = (_one_list(found) for found in sides)
    return left, right


def _one_list(hands: list[list[str]]) -> tuple[str, ...]:
    """The shortest list of which the hands of one side take their grasps in turn."""
    longest = max(hands, key=len, default=["palm"])
    lengths = (length for length in range(1, len(longest) + 1) if len(longest) % length == 0)
    words = next(
        longest[:length]
        for length in lengths
        if longest[length:] == longest[:-length] or length == len(longest)
    )
    if any(
        word != words[number % len(words)] for mine in hands for number, word in enumerate(mine)
    ):
        raise EditError(
            _(
                "catches would be others for each juggler, which a setting cannot say; take "
                "catches away first"
            )
        )
    return tuple(words)
