"""Staging by beats: what hands, catches and bodies are told stays with its throws.

A staging is read into what it says of each turn (`BeatStaging`), which moves along when beats come,
go or move, and is written again as the shortest `hands`, `catches`, `throws` and `body` that say
it.

Editing props: how they look, and which is which when throws change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from juggle_anim.choreography import (
    MAX_THROWS,
    STYLES,
    USUAL_PATH,
    BodyPlace,
    BodyThrows,
    HandBeat,
    HandMoves,
    HandPoints,
    PropLook,
    PropStyle,
    Staging,
    catches_in_order,
    choreograph,
    items_of_turns,
    repeat_to_full_loop,
    reversed_words,
    time_throws,
)
from juggle_anim.editing.draft import Draft, own_title
from juggle_anim.errors import EditError, JuggleError, did_you_mean
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import (
    DEFAULT_COLOUR,
    body_throws,
    prop_style,
    read_colour,
    read_hand_siteswap,
    read_prechac,
    read_siteswap,
    shortest_period,
    write_body,
    write_hands,
    write_prechac,
    write_siteswap,
    write_throws,
)
from juggle_anim.parameters import PROP_KINDS
from juggle_anim.pattern import RIGHT, Cycle, Pattern, Throw, Turn, grouped, repeated


def set_props(
    draft: Draft,
    kind: str | None = None,
    colour: str | None = None,
    *,
    orbit: int | None = None,
    prop: int | None = None,
) -> Draft:
    """Change the look of all props, of the props of one orbit, or of one prop.

    The looks of the choreography, one for each prop in the order of orbits, are changed and written
    back: into placed events as they are, into settings as their lists have them.

    Args:
        draft: the score and the parameters that are edited.
        kind: one of `PROP_KINDS`; None leaves it.
        colour: as `colors` in settings has it, such as "red" or "#ff8800", or "default"; None
            leaves it.
        orbit: the number of an orbit, from 0; None for all.
        prop: the number of a prop, from 0, in the order of orbits; None for all.

    Raises:
        EditError: there is no such kind, orbit or prop.
        NotationError: there is no such colour.
    """
    if kind is not None and kind not in PROP_KINDS:
        raise EditError(
            _(
                "there is no prop called {kind!r}; {did_you_mean}",
                kind=kind,
                did_you_mean=did_you_mean(kind, PROP_KINDS),
            )
        )
    new_colour = None if colour in (None, DEFAULT_COLOUR) else read_colour(colour or "")
    choreography = choreograph(draft.score, draft.parameters)
    # For each prop the number of its orbit: props are numbered orbit by orbit.
    orbit_of_prop = [
        number
        for number, prop_orbit in enumerate(choreography.orbits)
        for _ in range(prop_orbit.props)
    ]
    for what, number, count in (
        ("orbit", orbit, len(choreography.orbits)),
        ("prop", prop, len(orbit_of_prop)),
    ):
        if number is not None and not 0 <= number < count:
            raise EditError(
                _(
                    "there is no {what} {number}; there are {count}, counted from 0",
                    what=what,
                    number=number,
                    count=count,
                )
            )
    looks = list(choreography.looks_of_props)
    for number, look in enumerate(looks):
        if orbit in (None, orbit_of_prop[number]) and prop in (None, number):
            looks[number] = replace(
                look, kind=kind or look.kind, colour=look.colour if colour is None else new_colour
            )
    return _with_looks(draft, looks)


def _with_looks(draft: Draft, looks: Sequence[PropLook]) -> Draft:
    """Return the draft with other looks of props.

    Args:
        draft: the score and the parameters that are edited.
        looks: for each prop its look (kind and colour), in the order of orbits. An orbit is the
            closed path of throws that some props share.
    """
    if draft.score.placed:
        return draft._replace(
            score=replace(draft.score, placed=replace(draft.score.placed, looks=tuple(looks)))
        )
    # Settings list looks in the order of the first throws of props, not in that of orbits.
    positions = _list_positions_of_looks(draft, len(looks))
    in_order_of_text = [looks[positions.index(position)] for position in range(len(looks))]
    kinds_and_colours = [(look.kind, look.colour) for look in in_order_of_text]
    style = prop_style(kinds_and_colours, draft.score.staging.props)
    return draft._replace(
        score=replace(draft.score, staging=replace(draft.score.staging, props=style))
    )


def _list_positions_of_looks(draft: Draft, props: int) -> list[int]:
    """Return, for each prop in the order of orbits, the position of its look in settings' lists.

    An orbit is the closed path of throws that some props share; settings list looks in the order of
    the first throws of props.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        props: number of props.
    """
    # A choreography with a colour of its own for each position of the list tells which prop gets
    # which. The present looks do not matter, even if they go by orbits.
    colours = tuple((position / props, 0.0, 0.0) for position in range(props))
    staging = replace(draft.score.staging, props=PropStyle(colours=colours))
    looks = choreograph(replace(draft.score, staging=staging), draft.parameters).looks
    return [colours.index(look.colour) for look in looks]


def props_after_edit(
    style: PropStyle, before: Pattern, after: Pattern, old_turn_of: Callable[[Turn], Turn | None]
) -> PropStyle:
    """Return the looks of props after an edit, by which each prop keeps its look.

    A turn is (beat, juggler, hand). A prop of the edited pattern is the prop of the old one that
    was thrown in the old turn of its first throw, and takes the look of that one. A prop whose
    first turn is new, or whose look is assigned already, takes one of the looks that remain.

    Args:
        style: the looks before.
        before: the full loop before the edit.
        after: the edited pattern.
        old_turn_of: maps a turn of the edited pattern to the old one, whose beat may be beyond the
            loop; returns None for a new turn.
    """
    # The looks stay if they go by orbits or are all alike, or if the number of props has changed.
    if (
        style.by_orbit
        or max(len(style.kinds), len(style.colours)) < 2
        or before.props != after.props
    ):
        return style

    # A style lists looks in the order of the first throws of props, so a look is named by the
    # position of its prop in that order.
    props_before = _PropNumbers(before)
    first_throws = props_before.first_throws()
    old_position_of_prop = {old_prop: index for index, (old_prop, _turn) in enumerate(first_throws)}
    # For each prop of the edited pattern, the position of its look in the old list; None if it
    # takes one that remains.
    old_positions: list[int | None] = []
    for _prop, turn in _PropNumbers(after).first_throws():
        turn_before = old_turn_of(turn)
        old_prop = None if turn_before is None else props_before.thrown_at(turn_before)
        old_position = None if old_prop is None else old_position_of_prop[old_prop]
        if old_position in old_positions:
            old_position = None  # another prop has taken this look
        old_positions.append(old_position)

    unassigned = (
        old_position
        for old_position in range(len(old_position_of_prop))
        if old_position not in old_positions
    )
    # There are as many props as before, so as many looks remain as props need one.
    order = [
        next(unassigned) if old_position is None else old_position for old_position in old_positions
    ]
    looks = [style.look(old_position) for old_position in order]
    # A style that gives these looks already is kept as it is written.
    is_unchanged = all(style.look(index) == look for index, look in enumerate(looks))
    return style if is_unchanged else prop_style(looks, style)


_Prop = tuple[int, int]
"""A prop: the number of its orbit, and its number along that."""


class _PropNumbers:
    """Tells with which prop each throw of a pattern is made.

    Args:
        pattern: the pattern of throws on beats.
    """

    def __init__(self, pattern: Pattern) -> None:
        """Number the throws along each orbit, to tell which prop makes which throw.

        Args:
            pattern: the pattern of throws on beats. A turn is (beat, juggler, hand).
        """
        self.pattern = pattern
        # By index of a throw: the number of its orbit, and of the loop (from 0) in which prop 0 of
        # that orbit makes the throw.
        self._orbit_and_loop: dict[int, tuple[int, int]] = {}
        # By turn, the indices of its throws.
        self._throws_of_turn = grouped(
            (throw.turn, index) for index, throw in enumerate(pattern.throws)
        )
        for number, orbit in enumerate(pattern.orbits):
            # Follow prop 0 through the orbit, from its first throw on.
            beat = pattern.throws[orbit.throws[0]].beat
            for index in orbit.throws:
                self._orbit_and_loop[index] = number, beat // pattern.period
                beat += pattern.throws[index].value

    def thrown_at(self, turn: Turn) -> _Prop | None:
        """Return the prop that is thrown in a turn, the first one of a multiplex.

        If the hand throws nothing, return the prop that the juggler's other hand throws on that
        beat; None if neither throws.

        Args:
            turn: beat, which may be beyond the loop, juggler and hand.
        """
        turn_beat, juggler, hand = turn
        loop_number, beat = divmod(turn_beat, self.pattern.period)
        throws = self._throws_of_turn.get((beat, juggler, hand)) or self._throws_of_turn.get(
            (beat, juggler, 1 - hand)
        )
        return self._prop(throws[0], loop_number) if throws else None

    def first_throws(self) -> list[tuple[_Prop, Turn]]:
        """Return all props in the order of their first throws, each with the turn of that throw.

        A turn is (beat, juggler, hand); its beat may be beyond the first loop, as the later props
        of an orbit are first thrown in later loops. On one beat the order is by juggler, and the
        right hand before the left one.
        """
        throws = self.pattern.throws
        first_turns = dict[_Prop, Turn]()

        def rank(index: int) -> tuple[int, int, int]:
            """Return a key that sorts by beat and juggler, right hands (1) before left ones (0)."""
            throw = throws[index]
            return throw.beat, throw.juggler, -throw.hand

        # Throws of the same rank, which one hand makes on one beat, stay in the order of the text.
        order = sorted(range(len(throws)), key=rank)
        # Each loop of an orbit begins with another of its props. So after as many loops as the
        # longest orbit has props, each prop has been thrown.
        for loop_number in range(max((orbit.props for orbit in self.pattern.orbits), default=0)):
            for index in order:
                beat, juggler, hand = throws[index].turn
                first_turns.setdefault(
                    self._prop(index, loop_number),
                    (beat + loop_number * self.pattern.period, juggler, hand),
                )
        return list(first_turns.items())

    def _prop(self, index: int, loop_number: int) -> _Prop:
        """Return the prop with which a throw, by its index, is made in a loop, counted from 0."""
        # Prop 0 of the orbit makes the throw in the loop `loop_of_prop_0`. Each further prop is a
        # loop ahead of the one before, so prop n makes it n loops earlier.
        orbit_number, loop_of_prop_0 = self._orbit_and_loop[index]
        return orbit_number, (loop_of_prop_0 - loop_number) % self.pattern.orbits[
            orbit_number
        ].props


BodyBeat = tuple[BodyPlace | None, ...]
"""Places that a body passes in one beat, as in `BodyMoves`."""


def full_loop(draft: Draft) -> Pattern:
    """Return the full loop of a draft: its pattern, repeated until its staging repeats with it.

    Numbers of throws in editing count the throws of this loop.

    Raises:
        EditError: the draft has events in place of throws.
    """
    if draft.score.pattern is None:
        raise EditError(_("these events have no beats, so they have no siteswap"))
    return repeat_to_full_loop(draft.score.pattern, draft.score.staging)


_Value = TypeVar("_Value")


@dataclass(frozen=True)
class BeatStaging:
    """What a staging says of each turn and beat of a loop; a turn is (beat, juggler, hand).

    Args:
        period: the period of the loop, in beats, or parts of beats as in `Pattern`.
        paths: the paths of hands from each turn on; None if nothing is said.
        grasps: how the hand catches the prop that it throws in each turn; None if all are "palm".
        places: the places of each juggler for each beat; None if nothing is said, or the same for
            each beat.
        division: parts of a beat.
        spins: the spins of the clubs that are thrown in each turn, as in `Staging`; None if nothing
            is said.
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
        """Return the spins in the air of the clubs that a hand throws in a turn; None if automatic.

        Spins are whole and half turns of a club.
        """
        return self._value_of_turn(self.spins, turn, None)

    def path(self, turn: Turn) -> HandBeat:
        """Return the path of a hand from a turn on."""
        return self._value_of_turn(self.paths, turn, USUAL_PATH)

    def grasp(self, turn: Turn) -> str:
        """Return how a hand catches the prop that it throws in a turn, as a word such as "claw"."""
        return self._value_of_turn(self.grasps, turn, "palm")

    def thrown(self, turn: Turn) -> str | None:
        """Return the word for how a hand throws in a turn; None for as usual."""
        return self._value_of_turn(self.throws, turn, None)

    def repeats(self, period: int) -> bool:
        """Return whether the values of all turns and beats repeat after some time.

        Each turn is compared with the turn of the same hand a period later, or with that of the
        juggler's other hand if this one has no value then.

        Args:
            period: that time, in the unit of the beats of turns: beats, or parts of a beat.
        """
        turns_with_values = {
            turn
            for values in (self.paths, self.grasps, self.spins, self.throws)
            for turn in values or ()
        }
        # Path, catch, spin and throw of a turn (beat, juggler and hand).
        getters = (self.path, self.grasp, self.spin, self.thrown)
        for turn in turns_with_values:
            beat, juggler, hand = turn
            later = beat + period, juggler, hand
            if any(getter(turn) != getter(later) for getter in getters):
                return False
        # Places of bodies are by whole beats.
        shift = period // self.division
        return all(
            places == body_beats[(beat + shift) % len(body_beats)]
            for body_beats in self.places or ()
            for beat, places in enumerate(body_beats)
        )

    def with_moved_beats(
        self, period: int, new_beat_of: Callable[[int], int | None]
    ) -> BeatStaging:
        """Return the staging of a loop in which beats have been inserted, deleted or moved.

        Args:
            period: the period of the new loop, in parts of a beat as all beats here.
            new_beat_of: returns the new beat of an old one; None if it was deleted.
        """
        places: list[list[BodyBeat]] | None = None
        if self.places is not None:
            # `places` has an entry for each whole beat. That of an inserted beat is empty, so that
            # bodies move on between the beats beside it.
            places = [[()] * (period // self.division) for _ in self.places]
            for old_beats, new_beats in zip(self.places, places, strict=True):
                for beat, body_beat in enumerate(old_beats):
                    if (new_beat := new_beat_of(beat * self.division)) is not None:
                        new_beats[new_beat // self.division] = body_beat

        def new_turn_of(turn: Turn) -> Turn | None:
            """Return the turn on its new beat; None if that was deleted."""
            beat, juggler, hand = turn
            new_beat = new_beat_of(beat)
            return None if new_beat is None else (new_beat, juggler, hand)

        return replace(self.with_moved_turns(new_turn_of), period=period, places=places)

    def with_moved_turns(self, new_turn_of: Callable[[Turn], Turn | None]) -> BeatStaging:
        """Return a staging that has the values of its turns (beat, juggler, hand) at other turns.

        Places of bodies, which belong to beats, stay.

        Args:
            new_turn_of: returns the new turn of an old one; None leaves it out.
        """
        return replace(
            self,
            paths=_moved_to_turns(self.paths, new_turn_of),
            grasps=_moved_to_turns(self.grasps, new_turn_of),
            spins=_moved_to_turns(self.spins, new_turn_of),
            throws=_moved_to_turns(self.throws, new_turn_of),
        )

    def reversed(self) -> BeatStaging:
        """Return the staging in reversed time: beat b becomes beat −b, and paths are reversed.

        Throws become catches and catches throws, by the word for the reverse (a backcross becomes a
        catch behind the back), or the default without such a word. Spins become automatic. Bodies
        retrace their paths by whole beats.
        """
        # For each turn of reversed time: the grasp of its catch, and its body throw or None.
        words = dict[Turn, tuple[str, str | None]]()
        for turn in (self.grasps or {}).keys() | (self.throws or {}).keys():
            beat, juggler, hand = turn
            words[-beat % self.period, juggler, hand] = reversed_words(
                self.grasp(turn), self.thrown(turn)
            )
        # A field that is None is not set, and stays so.
        changed = replace(self, grasps=None, throws=None)
        if words:
            changed = replace(
                changed,
                grasps={turn: caught for turn, (caught, _thrown) in words.items()},
                throws={turn: thrown for turn, (_caught, thrown) in words.items()},
            )
        if self.paths is not None:
            changed = replace(changed, paths=self._reversed_paths(self.paths))
        if self.places is not None:
            places = [_reversed_places(body_beats) for body_beats in self.places]
            changed = replace(changed, places=places)
        if self.spins is not None:
            changed = replace(changed, spins=dict.fromkeys(self.spins))
        return changed

    def _reversed_paths(self, paths: Mapping[Turn, HandBeat]) -> dict[Turn, HandBeat]:
        """Return paths of hands in reversed time, where catches are throws and throws catches.

        Args:
            paths: by turn (beat, juggler, hand), the path from there to the hand's next turn. Its
                points are the throw, points of the empty hand, the catch, points with the prop.
        """
        beats_by_hand = grouped(((juggler, hand), beat) for beat, juggler, hand in sorted(paths))
        reversed_paths: dict[Turn, HandBeat] = {}
        for (juggler, hand), beats in beats_by_hand.items():
            for index, beat in enumerate(beats):
                # Backward, the hand throws where this path catches and goes back empty to where it
                # throws. There it catches, and goes on with the prop along the path before. So the
                # points are those of this path from its catch back to its first one, the throw, and
                # then those of the path before from its last one back to just after its catch.
                path = paths[beat, juggler, hand]
                path_before = paths[beats[index - 1], juggler, hand]
                empty_points = path.points[path.catch :: -1]
                points_with_prop = path_before.points[: path_before.catch : -1]
                # The catch of this path belongs to the next turn, in which the prop is thrown. So
                # backward, when it is a throw, it belongs to that turn as well.
                next_beat = beats[(index + 1) % len(beats)]
                reversed_paths[-next_beat % self.period, juggler, hand] = HandBeat(
                    points=empty_points + points_with_prop,
                    catch=path.catch,
                    goes_around_body=path.goes_around_body or path_before.goes_around_body,
                )
        return reversed_paths

    def _value_of_turn(
        self, values: Mapping[Turn, _Value] | None, turn: Turn, usual: _Value
    ) -> _Value:
        """Return the value of a turn, or of the juggler's other hand on that beat, or the default.

        The other hand is tried since an edit may have swapped the turns of hands.

        Args:
            values: by turn of the loop; None for no values.
            turn: beat, which may be beyond the loop, juggler and hand.
            usual: the default.
        """
        beat, juggler, hand = turn
        beat %= self.period
        values = values or {}
        return values.get((beat, juggler, hand), values.get((beat, juggler, 1 - hand), usual))


def _moved_to_turns(
    values: Mapping[Turn, _Value] | None, new_turn_of: Callable[[Turn], Turn | None]
) -> dict[Turn, _Value] | None:
    """Return values by turns, moved to other turns; None stays None.

    Args:
        values: by turns.
        new_turn_of: returns the new turn of an old one; None leaves it out.
    """
    if values is None:
        return None
    moved_values = ((new_turn_of(turn), value) for turn, value in values.items())
    return {turn: value for turn, value in moved_values if turn is not None}


def _reversed_places(beats: Sequence[BodyBeat]) -> list[BodyBeat]:
    """Return the places that a body passes in each beat of a loop, in reversed time.

    The first place of beat b is at the start of the beat: it becomes the first place of beat −b.
    The other places lie between the starts of b and b + 1: they become, in reversed order, the
    other places of beat −(b + 1).
    """
    reversed_beats = []
    for reversed_index in range(len(beats)):
        # Beat b, which is reversed, and b − 1, both around the loop.
        beat = beats[-reversed_index % len(beats)]
        beat_before = beats[-reversed_index - 1]
        first_place = beat[:1]
        later_places = tuple(reversed(beat_before[1:]))
        # Places are told apart by their position in the beat, so None stands in for a missing first
        # one if others follow.
        if later_places and not first_place:
            first_place = (None,)
        reversed_beats.append(first_place + later_places)
    return reversed_beats


def beat_staging(draft: Draft, loop: Pattern) -> BeatStaging:
    """Return the staging of a draft with a value for each turn and beat of its full loop.

    A field is None if the staging does not set it, or if bodies have the same places on each beat.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        loop: its full loop.
    """
    staging = draft.score.staging
    paths = None
    places = None
    grasps: dict[Turn, str] | None = None
    if staging.hands:
        path_of_site = HandPoints(loop, staging.hands).paths
        paths = {
            (beat, juggler, hand): path_of_site[2 * juggler + hand, beat]
            for beat, juggler, hand in loop.turns
        }
    if staging.catches != Staging().catches:
        # Each hand takes the words of its side (0 left, 1 right) in turn, one for each catch, and
        # starts again at their end.
        grasps = {}
        for hand, turns in catching_turns(draft, loop):
            words = staging.catches[hand % 2]
            grasps |= {turn: words[index % len(words)] for index, turn in enumerate(turns)}
    # Bodies with the same places on each beat need no value for each beat.
    if staging.body and any(len(body_beats) > 1 for body_beats in staging.body.beats):
        beat_count = math.ceil(loop.period / loop.division)
        # Settings may list fewer bodies than jugglers, and fewer beats than the loop has: both
        # lists are repeated.
        written = staging.body.beats
        bodies = [written[juggler % len(written)] for juggler in range(loop.jugglers)]
        places = [
            [body_beats[beat % len(body_beats)] for beat in range(beat_count)]
            for body_beats in bodies
        ]
    spins = None
    if staging.spins:
        spins = {
            turn: staging.spins[index % len(staging.spins)] for index, turn in enumerate(loop.turns)
        }
    throws = items_of_turns(loop, staging.throws) if staging.throws else None
    return BeatStaging(
        period=loop.period,
        paths=paths,
        grasps=grasps,
        places=places,
        division=loop.division,
        spins=spins,
        throws=throws,
    )


def catching_turns(draft: Draft, loop: Pattern) -> list[tuple[int, list[Turn]]]:
    """Return, for each hand in the order of its catches, the turns that throw the caught props.

    The n-th word for catches of a hand belongs to the prop that is thrown in its n-th turn here.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        loop: its full loop, or another pattern with the same staging.

    Returns:
        Pairs of a hand, 2 · juggler + side, and its turns.
    """
    parameters = draft.parameters
    style = STYLES[draft.score.staging.style].shaped(parameters)
    # Words belong to catches in the order of time, which depends on how long hands hold props.
    timing = time_throws(
        loop,
        parameters.dwell,
        parameters.squeeze_beats,
        style.dwell_gain,
        recorded_timing=style.recorded_timing(draft.score.staging),
    )
    turns_by_hand = []
    for hand, catches in catches_in_order(loop, timing):
        # Props that are caught together are thrown in one turn, so the first one is enough.
        next_throws = [loop.throws[loop.landings[together[0]]] for together in catches]
        turns = [throw.turn for throw in next_throws]
        turns_by_hand.append((hand, turns))
    return turns_by_hand


def _same_turn(turn: Turn) -> Turn | None:
    """Return the turn itself, as an edit that neither inserts nor deletes beats does."""
    return turn


def with_cycle(
    draft: Draft,
    cycle: Cycle,
    new_staging: BeatStaging | None = None,
    old_turn_of: Callable[[Turn], Turn | None] = _same_turn,
) -> Draft:
    """Return the draft with other throws and a staging for them.

    The text of the throws may end with a `*`, for a second half that mirrors the first, unless the
    staging differs in the second half.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        cycle: the throws: one round of them, which repeats.
        new_staging: the values of the staging for each turn; None for the same as before.
        old_turn_of: maps a new turn to the old one, whose beat may be beyond the loop, or to None;
            a prop keeps the look of the prop that was thrown in the old turn.

    Raises:
        EditError: the throws cannot be juggled, or settings cannot express the new staging.
    """
    if new_staging is None:
        new_staging = beat_staging(draft, full_loop(draft))
    try:
        return with_pattern(draft, written_pattern(cycle), new_staging, old_turn_of)
    except MirroredError:
        return with_pattern(draft, written_pattern(cycle, starred=False), new_staging, old_turn_of)


def written_pattern(cycle: Cycle, *, starred: bool = True) -> Pattern:
    """Return the pattern of a cycle, with the shortest text.

    Args:
        cycle: the throws of one round, which repeats, each with its slot: a beat and a row (a
            hand).
        starred: whether a `*` may stand for the mirror image of the throws before it.

    Raises:
        EditError: settings cannot express the result, or the throws do not land where throws are
            made.
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
    """Return the pattern of a cycle of throws whose hands follow a hand siteswap.

    The throws are written as a siteswap of two hands that take turns, and read again with the hand
    siteswap of the source pattern.

    Args:
        cycle: throws with one hand on each beat; its `source` is the pattern before the edit.
    """
    hands = cycle.source.hand_siteswap
    assert hands is not None, "the cycle comes from a pattern with a hand siteswap"
    # Which of the two hands throws is only a matter of the text: a right hand begins, and hands
    # alternate.
    throws = []
    for throw in cycle.throws:
        hand = (RIGHT + throw.beat) % 2
        to_hand = (hand + throw.value) % 2
        throws.append(
            Throw(
                beat=throw.beat,
                juggler=0,
                hand=hand,
                value=throw.value,
                to_juggler=0,
                to_hand=to_hand,
                bounces=throw.bounces,
                bounce_style=throw.bounce_style,
                # With `hold`, which throws are held follows from the siteswaps and is not written.
                held=None if hands.hold else throw.held,
            )
        )
    turns = [(beat, 0, (RIGHT + beat) % 2) for beat in range(cycle.period)]
    text = write_throws(throws, turns, cycle.period)
    return read_hand_siteswap(
        text, hands.text, hands.handspec, hold=hands.hold, dwellmax=hands.dwellmax
    )


def with_pattern(
    draft: Draft,
    pattern: Pattern,
    new_staging: BeatStaging,
    old_turn_of: Callable[[Turn], Turn | None] = _same_turn,
) -> Draft:
    """Return the draft with another pattern and a staging for it.

    Props that are thrown in the same turns as before, by `old_turn_of`, keep their looks. Title,
    description and tags are dropped if they are those of a library pattern.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        pattern: the new pattern.
        new_staging: the values of the new staging for turns and beats.
        old_turn_of: maps a turn of the new pattern to the old one; returns None for a new turn.

    Raises:
        EditError: the pattern cannot be juggled, or settings cannot express the new staging.
    """
    staging = staging_with(draft, pattern, new_staging)
    staging = replace(
        staging, props=props_after_edit(staging.props, full_loop(draft), pattern, old_turn_of)
    )
    score = replace(draft.score, pattern=pattern, staging=staging)
    if not own_title(score):
        score = replace(score, title="", about="", tags=())
    changed = draft._replace(score=score)
    # A pattern that cannot be juggled is refused here, not later where it is shown.
    try:
        choreograph(changed.score, changed.parameters)
    except JuggleError as error:
        raise EditError(str(error)) from error
    return changed


def staging_with(draft: Draft, pattern: Pattern, new_staging: BeatStaging) -> Staging:
    """Return a staging of another pattern with new values for its turns and beats.

    Fields that are None in the new staging keep the value of the draft.

    Args:
        draft: the draft with the staging before.
        pattern: the other pattern.
        new_staging: values for one or several loops of the pattern.

    Raises:
        EditError: settings cannot express the new staging.
    """
    # The number of loops of the pattern after which the staging repeats as well; too many of them
    # would make too long a loop.
    rounds = math.lcm(new_staging.period, pattern.period) // pattern.period
    if rounds * max(len(pattern.throws), 1) > MAX_THROWS:
        raise EditError(
            _(
                "hands, body and throws would only line up after {rounds} × {period} beats",
                rounds=rounds,
                period=pattern.period,
            )
        )
    loop = repeated(pattern, rounds)
    staging = draft.score.staging
    if new_staging.paths is not None:
        staging = replace(staging, hands=_hand_moves(pattern, loop, new_staging, staging))
    if new_staging.throws is not None:
        staging = replace(staging, throws=_throw_words(pattern, loop, new_staging))
    if new_staging.grasps is not None:
        staging = replace(staging, catches=_catch_words(draft, loop, new_staging))
    if new_staging.spins is not None:
        spins = [new_staging.spin(turn) for turn in loop.turns]
        # Settings list the spins of all turns in order. An empty list leaves all spins automatic.
        is_automatic = set(spins) <= {None}
        staging = replace(staging, spins=() if is_automatic else shortest_period(spins))
    if new_staging.places is not None:
        has_any_place = any(
            place for body_beats in new_staging.places for beat in body_beats for place in beat
        )
        staging = replace(staging, body=write_body(new_staging.places) if has_any_place else None)
    return staging


def _hand_moves(
    pattern: Pattern, loop: Pattern, new_staging: BeatStaging, before: Staging
) -> HandMoves | None:
    """Return the `HandMoves` that give each turn its path; None if all are default paths.

    The old text is kept if it gives the same paths in the new pattern.

    The staging is all that a text sets besides throws: moves of hands and bodies, catches and
    props.

    Args:
        pattern: the new pattern.
        loop: the pattern, repeated until its staging repeats.
        new_staging: the staging by turn, of which the paths are used.
        before: the staging before.

    Raises:
        MirroredError: the second half of a mirrored pattern has other paths.
        EditError: settings cannot express these paths.
    """
    path_of_turn = {turn: new_staging.path(turn) for turn in loop.turns}
    if all(path == USUAL_PATH for path in path_of_turn.values()):
        return None
    # The old setting, and a new one. Each is read back, since settings round places, and derive the
    # second half of a mirrored pattern from the first.
    for hands in (before.hands, write_hands(_by_juggler(pattern, loop, path_of_turn))):
        if hands and _gives_paths(pattern, hands, path_of_turn):
            return hands
    if pattern.mirrored:
        raise MirroredError(
            _(
                "hands in the second half of a pattern that ends with a * mirror those of the "
                "first half"
            )
        )
    raise EditError(_("the new hand positions cannot be written as settings"))


def _by_juggler(
    pattern: Pattern, loop: Pattern, value_of_turn: Mapping[Turn, _Value]
) -> list[list[_Value]]:
    """Return the values of the turns of each juggler, in order, as settings list them.

    Of a mirrored loop only the first half is listed, since the second half is its mirror image.

    Args:
        pattern: the pattern, which says whether it is mirrored.
        loop: the pattern, repeated until its staging repeats.
        value_of_turn: the value of each turn of the loop, (beat, juggler, hand).
    """
    values: list[list[_Value]] = [[] for _ in range(loop.jugglers)]
    for turn in loop.turns:
        beat, juggler, _hand = turn
        if not pattern.mirrored or beat < pattern.period // 2:
            values[juggler].append(value_of_turn[turn])
    return values


def _throw_words(pattern: Pattern, loop: Pattern, new_staging: BeatStaging) -> BodyThrows:
    """Return the shortest setting `throws` that gives each turn its word; empty if all are None.

    The staging is all that a text sets besides throws: moves of hands and bodies, catches and
    props.

    Args:
        pattern: the new pattern.
        loop: the pattern, repeated until its staging repeats.
        new_staging: the staging by turn, of which the words of throws are used.

    Raises:
        MirroredError: the second half of a mirrored pattern has other words.
    """
    word_of_turn = {turn: new_staging.thrown(turn) for turn in loop.turns}
    throws = body_throws(_by_juggler(pattern, loop, word_of_turn))
    if not throws:
        return ()
    # Read the setting back: in a mirrored pattern the second half is derived from the first, and
    # may get other words than new_staging.
    full = repeat_to_full_loop(pattern, Staging(throws=throws))
    read_words = items_of_turns(full, throws)
    if any(
        read_words.get((beat % full.period, juggler, hand)) != word
        for (beat, juggler, hand), word in word_of_turn.items()
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


def _gives_paths(pattern: Pattern, hands: HandMoves, path_of_turn: Mapping[Turn, HandBeat]) -> bool:
    """Return whether the setting `hands` gives each turn of a pattern its path, up to rounding.

    Args:
        pattern: the pattern whose hands they are.
        hands: the setting.
        path_of_turn: the new path from each turn (beat, juggler, hand) on; beats may be beyond
            the loop.
    """
    loop = repeat_to_full_loop(pattern, Staging(hands=hands))
    path_of_site = HandPoints(loop, hands).paths
    return all(
        _is_nearly_same_path(
            path_of_site.get((2 * juggler + hand, beat % loop.period), USUAL_PATH), path
        )
        for (beat, juggler, hand), path in path_of_turn.items()
    )


def _is_nearly_same_path(path: HandBeat, other: HandBeat) -> bool:
    """Return whether two paths of hands have the same steps, and the same points up to rounding.

    A path lists a point for each even step of time: from a throw to the catch, whose number is
    `catch`, and on to the next throw.
    """
    if (path.catch, path.goes_around_body, len(path.points)) != (
        other.catch,
        other.goes_around_body,
        len(other.points),
    ):
        return False
    for point, other_point in zip(path.points, other.points, strict=True):
        # None leaves a point to the hand style.
        if point is None or other_point is None:
            is_same = point is other_point
        else:
            is_same = math.dist(point, other_point) < _SAME_POINT
        if not is_same:
            return False
    return True


_SAME_POINT = 1e-5  # [m]


def _catch_words(
    draft: Draft, loop: Pattern, new_staging: BeatStaging
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the setting `catches` for new grasps: words for left and for right hands.

    The staging is all that a text sets besides throws: moves of hands and bodies, catches and
    props.

    Args:
        draft: the draft with the dwell and hand style, which time the catches.
        loop: the pattern, repeated until its staging repeats.
        new_staging: the staging by turn, of which the grasps are used.

    Raises:
        EditError: hands of one side would need different words.
    """
    # For each side, left and right, the grasps of each of its hands in the order of catches.
    sides: tuple[list[list[str]], list[list[str]]] = ([], [])
    for hand, turns in catching_turns(draft, loop):
        sides[hand % 2].append([new_staging.grasp(turn) for turn in turns])
    left, right = (_shortest_grasps(hands) for hands in sides)
    return left, right


def _shortest_grasps(hands: list[list[str]]) -> tuple[str, ...]:
    """Return the shortest list that gives the hands of one side their grasps when repeated.

    Args:
        hands: the grasps of each hand, in order.

    Raises:
        EditError: there is no list for all of them.
    """
    # Only the hand with the most catches may need the whole list. A side without catches has the
    # default grasp.
    longest = max(hands, key=len, default=[]) or ["palm"]
    words = shortest_period(longest)
    if any(
        word != words[index % len(words)] for grasps in hands for index, word in enumerate(grasps)
    ):
        raise EditError(
            _("settings cannot give each juggler different catches; remove catches first")
        )
    return words
