"""Staging written for other throws: the shortest `hands`, `catches`, `throws` and `body` that say
what is wanted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from juggle_anim.choreography.choreograph import MAX_THROWS, choreograph, repeat_to_full_loop
from juggle_anim.choreography.hand_points import HandPoints
from juggle_anim.choreography.manners import words_of_turns
from juggle_anim.choreography.score import USUAL_PATH, BodyThrows, HandBeat, HandMoves, Staging
from juggle_anim.editing.beat_staging import BeatStaging, beat_staging, catching_turns, full_loop
from juggle_anim.editing.draft import Draft, own_title
from juggle_anim.editing.props import following_props
from juggle_anim.editing.throw_cycle import ThrowCycle
from juggle_anim.errors import EditError, JuggleError
from juggle_anim.language import _
from juggle_anim.notation.settings.staging import body_throws, write_body, write_hands
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import Turn, repeated

_Said = TypeVar("_Said")


def _same_turn(turn: Turn) -> Turn | None:
    return turn


def with_cycle(
    draft: Draft,
    cycle: ThrowCycle,
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
        return with_pattern(draft, cycle.pattern(), said, origin)
    except MirroredError:
        return with_pattern(draft, cycle.pattern(starred=False), said, origin)


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
