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


_Value = TypeVar("_Value")


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
        return self._value_of_turn(self.spins, turn, None)

    def path(self, turn: Turn) -> HandBeat:
        """The path of a hand from a turn on."""
        return self._value_of_turn(self.paths, turn, USUAL_PATH)

    def grasp(self, turn: Turn) -> str:
        """How a hand catches what it throws in a turn."""
        return self._value_of_turn(self.grasps, turn, "palm")

    def thrown(self, turn: Turn) -> str | None:
        """How a hand throws in a turn, None as usual."""
        return self._value_of_turn(self.throws, turn, None)

    def repeats(self, period: int) -> bool:
        """Return whether the staging is the same some beats later.

        If the hands have changed sides by then, the other hand of the juggler is compared.

        Args:
            period: beats, or parts of beats, as `self.period`.
        """
        turns = {
            turn
            for values in (self.paths, self.grasps, self.spins, self.throws)
            for turn in values or ()
        }
        for turn in turns:
            beat, juggler, hand = turn
            later = beat + period, juggler, hand
            if any(
                value_of(turn) != value_of(later)
                for value_of in (self.path, self.grasp, self.spin, self.thrown)
            ):
                return False
        # Places of bodies are listed by whole beats.
        shift = period // self.division
        return all(
            place == juggler_places[(beat + shift) % len(juggler_places)]
            for juggler_places in self.places or ()
            for beat, place in enumerate(juggler_places)
        )

    def moved(self, period: int, moved: Callable[[int], int | None]) -> BeatStaging:
        """Return the staging after beats came, went or moved.

        Args:
            period: length of the new loop, in beats or parts of beats as `self.period`.
            moved: returns the new beat of an old one; None if it is gone.
        """
        places: list[list[BodyBeat]] | None = None
        if self.places is not None:
            # Places are listed by whole beats; new beats have none.
            places = [[()] * (period // self.division) for _ in self.places]
            for old_places, new_places in zip(self.places, places, strict=True):
                for beat, place in enumerate(old_places):
                    if (new_beat := moved(beat * self.division)) is not None:
                        new_places[new_beat // self.division] = place

        def turned(turn: Turn) -> Turn | None:
            beat = moved(turn[0])
            return None if beat is None else (beat, turn[1], turn[2])

        return replace(self.turned(turned), period=period, places=places)

    def turned(self, turned: Callable[[Turn], Turn | None]) -> BeatStaging:
        """The same of other turns; None leaves one out."""
        return replace(
            self,
            paths=_with_moved_turns(self.paths, turned),
            grasps=_with_moved_turns(self.grasps, turned),
            spins=_with_moved_turns(self.spins, turned),
            throws=_with_moved_turns(self.throws, turned),
        )

    def reversed(self) -> BeatStaging:
        """Return the staging in reversed time, with beats counted backward from the first.

        Hands go along their paths backward. A backcross becomes a catch behind the back; what has
        no word backward is done as usual, and so do clubs spin.
        """
        turns = {turn for values in (self.grasps, self.throws) for turn in values or ()}
        reversed_manners = {}
        for turn in turns:
            beat, juggler, hand = turn
            reversed_turn = -beat % self.period, juggler, hand
            reversed_manners[reversed_turn] = reversed_words(self.grasp(turn), self.thrown(turn))
        grasps = {turn: grasp for turn, (grasp, _throw) in reversed_manners.items()}
        throws = {turn: throw for turn, (_grasp, throw) in reversed_manners.items()}
        return replace(
            self,
            paths=self.paths and self._reversed_paths(self.paths),
            grasps=grasps if turns else None,
            places=self.places and [_reversed_places(beats) for beats in self.places],
            spins=None if self.spins is None else dict.fromkeys(self.spins),
            throws=throws if turns else None,
        )

    def _reversed_paths(self, paths: Mapping[Turn, HandBeat]) -> dict[Turn, HandBeat]:
        """Return the paths of hands in reversed time, by reversed turns.

        A path goes from a throw over a catch to the next throw. Backward, the throw is the old
        catch: the empty hand goes back from there to the old throw, and on, full, to the catch
        before it.
        """
        beats_by_hand: dict[tuple[int, int], list[int]] = {}
        for beat, juggler, hand in sorted(paths):
            beats_by_hand.setdefault((juggler, hand), []).append(beat)
        reversed_paths: dict[Turn, HandBeat] = {}
        for (juggler, hand), beats in beats_by_hand.items():
            for index, beat in enumerate(beats):
                path = paths[beat, juggler, hand]
                # Index -1 of the first path is the last of the loop.
                path_before = paths[beats[index - 1], juggler, hand]
                empty_points = path.points[path.catch :: -1]
                full_points = path_before.points[: path_before.catch : -1]
                next_beat = beats[(index + 1) % len(beats)]
                reversed_paths[-next_beat % self.period, juggler, hand] = HandBeat(
                    empty_points + full_points, path.catch, path.around or path_before.around
                )
        return reversed_paths

    def _value_of_turn(
        self, values: Mapping[Turn, _Value] | None, turn: Turn, usual: _Value
    ) -> _Value:
        """What is said of the turn of the loop, or of the other hand, which may have come to that
        beat.
        """
        home = turn[0] % self.period, turn[1], turn[2]
        known = values or {}
        return known.get(home, known.get((home[0], home[1], 1 - home[2]), usual))


def _with_moved_turns(
    values: Mapping[Turn, _Value] | None, moved: Callable[[Turn], Turn | None]
) -> dict[Turn, _Value] | None:
    """Return values by their new turns; those whose new turn is None are left out."""
    if values is None:
        return None
    moved_values = ((moved(turn), value) for turn, value in values.items())
    return {turn: value for turn, value in moved_values if turn is not None}


def _reversed_places(beats: Sequence[BodyBeat]) -> list[BodyBeat]:
    """Return the places that a body passes in each beat, in reversed time.

    The place at the start of a beat stays at a start; those within it are passed backward in the
    beat before.
    """
    reversed_beats = []
    for beat in range(len(beats)):
        at_start = beats[-beat % len(beats)][:1]
        within = beats[-beat - 1][:0:-1]
        # Places within a beat need an entry for its start, if only None.
        reversed_beats.append((*(at_start or (None,)), *within) if within else at_start)
    return reversed_beats


def beat_staging(draft: Draft, loop: Pattern) -> BeatStaging:
    """Return what the staging of a draft says of each turn and beat.

    Fields of which the staging says nothing, or the usual, are None.

    Args:
        draft: draft with a pattern.
        loop: its full loop.
    """
    staging = draft.score.staging
    paths = None
    places = None
    grasps: dict[Turn, str] | None = None
    if staging.hands:
        paths_by_site = HandPoints(loop, staging.hands).hand_beats
        paths = {
            (beat, juggler, side): paths_by_site[2 * juggler + side, beat]
            for beat, juggler, side in loop.turns
        }
    # Words of catches and bodies repeat over the catches and beats of the loop.
    if staging.catches != Staging().catches:
        grasps = {}
        for hand, turns in catching_turns(draft, loop):
            words = staging.catches[hand % 2]
            grasps |= {turn: words[index % len(words)] for index, turn in enumerate(turns)}
    # A body with one place stands there in any loop.
    if staging.body and any(len(juggler_beats) > 1 for juggler_beats in staging.body.beats):
        beat_count = math.ceil(loop.period / loop.division)
        body = staging.body.beats
        beats_by_juggler = [body[juggler % len(body)] for juggler in range(loop.jugglers)]
        places = [
            [juggler_beats[beat % len(juggler_beats)] for beat in range(beat_count)]
            for juggler_beats in beats_by_juggler
        ]
    spins = None
    if staging.spins:
        spins = {
            turn: staging.spins[index % len(staging.spins)] for index, turn in enumerate(loop.turns)
        }
    throws = words_of_turns(loop, staging.throws) if staging.throws else None
    return BeatStaging(loop.period, paths, grasps, places, loop.division, spins, throws)


def catching_turns(draft: Draft, loop: Pattern) -> list[tuple[int, list[Turn]]]:
    """Return, for each hand, the turns in which it throws its catches on, in the order of catches.

    Hands are 2 · juggler + side. Props that a hand catches together are one catch.
    """
    parameters = draft.parameters
    style = STYLES[draft.score.staging.style].shaped(draft.parameters)
    timing = time_throws(loop, parameters.dwell, parameters.squeeze_beats, style.dwell_gain)
    return [
        (
            hand,
            # The first three fields of a throw are its turn.
            [loop.throws[loop.landings[caught_throws[0]]][:3] for caught_throws in catches],
        )
        for hand, catches in catches_in_order(loop, timing)
    ]


def _same_turn(turn: Turn) -> Turn | None:
    return turn


def with_cycle(
    draft: Draft,
    cycle: Cycle,
    turn_staging: BeatStaging | None = None,
    origin: Callable[[Turn], Turn | None] = _same_turn,
) -> Draft:
    """Return a draft with other throws and a staging for them.

    Args:
        draft: draft with a pattern of throws.
        cycle: the new throws.
        turn_staging: staging of their turns; by default, that of the same turns before.
        origin: returns the old turn of a new one, with beats counted on from loop to loop; None for
            a new one. Props look as those that threw there.

    Raises:
        EditError: the throws cannot be juggled, or no staging says what is wanted.
    """
    if turn_staging is None:
        turn_staging = beat_staging(draft, full_loop(draft))
    try:
        return with_pattern(draft, written_pattern(cycle), turn_staging, origin)
    except MirroredError:
        # A * would mirror the staging, too, so both halves are spelled out.
        return with_pattern(draft, written_pattern(cycle, starred=False), turn_staging, origin)


def written_pattern(cycle: Cycle, *, starred: bool = True) -> Pattern:
    """Return the pattern of a cycle, with the shortest text.

    Args:
        cycle: the throws.
        starred: whether a `*` may stand for the mirror image of the throws before it.

    Raises:
        EditError: no text says it, or throws do not land where throws are made.
    """
    shortest = cycle.shortest()
    # The text is read back, so that it stands for exactly the pattern that is returned.
    try:
        if cycle.source.hand_siteswap:
            return _hand_siteswap_pattern(shortest)
        plain = shortest.pattern()
        # Parts of beats are written in PreChac notation.
        if plain.division > 1:
            return read_prechac(write_prechac(plain))
        return read_siteswap(write_siteswap(plain, starred=starred))
    except JuggleError as error:
        raise EditError(str(error)) from error


def _hand_siteswap_pattern(cycle: Cycle) -> Pattern:
    """Return the pattern of objects that hands with a siteswap of their own throw."""
    hands = cycle.source.hand_siteswap
    assert hands is not None, "only what follows a siteswap of the hands has its notation"
    throws = []
    for throw in cycle.throws:
        # One hand throws on each beat, written as if two took turns.
        hand = (RIGHT + throw.beat) % 2
        to_hand = (hand + throw.value) % 2
        # By a rule of the hands a throw as long as the hand's own is held, which is not written.
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
    turn_staging: BeatStaging,
    origin: Callable[[Turn], Turn | None] = _same_turn,
) -> Draft:
    """Return a draft with another pattern and a staging for it; see `with_cycle`.

    Raises:
        EditError: the pattern cannot be juggled, or no staging says what is wanted.
    """
    staging = staging_with(draft, pattern, turn_staging)
    staging = replace(
        staging, props=following_props(staging.props, full_loop(draft), pattern, origin)
    )
    score = replace(draft.score, pattern=pattern, staging=staging)
    # A title from the library, its description and tags are about the pattern before.
    if not own_title(score):
        score = replace(score, title="", about="", tags=())
    changed = draft._replace(score=score)
    # Only choreographing shows whether all throws have time, bounces and so on.
    try:
        choreograph(changed.score, changed.parameters)
    except JuggleError as error:
        raise EditError(str(error)) from error
    return changed


def staging_with(draft: Draft, pattern: Pattern, turn_staging: BeatStaging) -> Staging:
    """Return a staging for another pattern that says what is wanted of its turns.

    The draft's own texts stay where they say it already.

    Args:
        draft: draft with all else that the staging says.
        pattern: the other pattern.
        turn_staging: what is wanted; its loop is one or several of the pattern's.

    Raises:
        EditError: no staging says this.
    """
    # The loop in which both the throws and the staging repeat.
    rounds = math.lcm(turn_staging.period, pattern.period) // pattern.period
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
    if turn_staging.paths is not None:
        staging = replace(staging, hands=_hand_moves(pattern, loop, turn_staging, staging))
    # Throws before catches: which turns catch depends on the throws.
    if turn_staging.throws is not None:
        staging = replace(staging, throws=_body_throws_of(pattern, loop, turn_staging))
    if turn_staging.grasps is not None:
        staging = replace(
            staging,
            catches=_catch_words(
                draft._replace(score=replace(draft.score, staging=staging)), loop, turn_staging
            ),
        )
    if turn_staging.spins is not None:
        staging = replace(
            staging, spins=_shortest_spins([turn_staging.spin(turn) for turn in loop.turns])
        )
    if turn_staging.places is not None:
        has_places = any(
            place
            for juggler_beats in turn_staging.places
            for beat in juggler_beats
            for place in beat
        )
        staging = replace(staging, body=write_body(turn_staging.places) if has_places else None)
    return staging


def _hand_moves(
    pattern: Pattern, loop: Pattern, turn_staging: BeatStaging, before: Staging
) -> HandMoves | None:
    """Return the setting `hands` for some paths: the text before if it says them, else a new one.

    Args:
        pattern: pattern whose setting it is.
        loop: pattern repeated until the paths repeat, too.
        turn_staging: the paths by turns.
        before: staging with the text before.

    Returns:
        Moves of hands; None if all paths are as usual.
    """
    wanted = {turn: turn_staging.path(turn) for turn in loop.turns}
    if all(path == USUAL_PATH for path in wanted.values()):
        return None
    paths_by_juggler = _by_juggler(pattern, loop, wanted)
    for hands in (before.hands, write_hands(paths_by_juggler)):
        if hands and _hands_follow(pattern, hands, wanted):
            return hands
    # The second half of a mirrored pattern cannot have paths of its own.
    if pattern.mirrored:
        raise MirroredError(
            _(
                "hands in the second half of a pattern that ends with a * mirror those of the "
                "first half"
            )
        )
    raise EditError(_("no text for hands says where they would go"))


def _by_juggler(
    pattern: Pattern, loop: Pattern, wanted: Mapping[Turn, _Value]
) -> list[list[_Value]]:
    """What is said of the turns of each juggler; the mirrored half of a loop follows the first."""
    turns: list[list[_Value]] = [[] for _ in range(loop.jugglers)]
    for turn in loop.turns:
        if not pattern.mirrored or turn[0] < pattern.period // 2:
            turns[turn[1]].append(wanted[turn])
    return turns


def _body_throws_of(pattern: Pattern, loop: Pattern, turn_staging: BeatStaging) -> BodyThrows:
    """Return the setting `throws` for the body throws that are wanted; empty if all are usual.

    Args:
        pattern: pattern whose setting it is.
        loop: pattern repeated until the body throws repeat, too.
        turn_staging: words of the throws by turn.
    """
    wanted = {turn: turn_staging.thrown(turn) for turn in loop.turns}
    throws = body_throws(_by_juggler(pattern, loop, wanted))
    if not throws:
        return ()
    # The setting is read back: of a mirrored pattern it says only the first half.
    full = repeat_to_full_loop(pattern, Staging(throws=throws))
    words = words_of_turns(full, throws)
    if any(
        words.get((beat % full.period, juggler, hand)) != word
        for (beat, juggler, hand), word in wanted.items()
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


def _shortest_spins(spins: list[float | None]) -> tuple[float | None, ...]:
    """The shortest list that says the same, as in `Staging`."""
    lengths = (length for length in range(1, len(spins) + 1) if len(spins) % length == 0)
    shortest = next(
        (spins[:length] for length in lengths if spins[length:] == spins[:-length]), spins
    )
    return () if set(shortest) <= {None} else tuple(shortest)


def _hands_follow(pattern: Pattern, hands: HandMoves, wanted: Mapping[Turn, HandBeat]) -> bool:
    """Whether moves of hands are these, up to rounding."""
    loop = repeat_to_full_loop(pattern, Staging(hands=hands))
    known = HandPoints(loop, hands).hand_beats
    return all(
        _is_nearly_same_path(known.get((2 * juggler + hand, beat % loop.period), USUAL_PATH), path)
        for (beat, juggler, hand), path in wanted.items()
    )


def _is_nearly_same_path(one: HandBeat, other: HandBeat) -> bool:
    """Return whether two paths have the same points, up to rounding."""
    if (one.catch, one.around, len(one.points)) != (other.catch, other.around, len(other.points)):
        return False
    for one_point, other_point in zip(one.points, other.points, strict=True):
        if one_point is None or other_point is None:
            if one_point is not other_point:
                return False
        elif math.dist(one_point, other_point) >= _SAME_POINT:
            return False
    return True


_SAME_POINT = 1e-5  # [m]


def _catch_words(
    draft: Draft, loop: Pattern, turn_staging: BeatStaging
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    sides: tuple[list[list[str]], list[list[str]]] = ([], [])
    for hand, turns in catching_turns(draft, loop):
        sides[hand % 2].append([turn_staging.grasp(turn) for turn in turns])
    left, right = (_shared_catch_words(found) for found in sides)
    return left, right


def _shared_catch_words(hands: list[list[str]]) -> tuple[str, ...]:
    """Return the shortest list of which the hands of one side take their grasps in turn.

    Args:
        hands: grasps of each hand, one for each of its catches.

    Raises:
        EditError: the hands differ, which one list cannot say.
    """
    longest = max(hands, key=len, default=["palm"])
    lengths = (length for length in range(1, len(longest) + 1) if len(longest) % length == 0)
    # A list repeats after a length if it is the same when shifted by it.
    words = next(
        longest[:length]
        for length in lengths
        if longest[length:] == longest[:-length] or length == len(longest)
    )
    if any(
        word != words[index % len(words)] for grasps in hands for index, word in enumerate(grasps)
    ):
        raise EditError(
            _(
                "catches would be others for each juggler, which a setting cannot say; take "
                "catches away first"
            )
        )
    return tuple(words)
