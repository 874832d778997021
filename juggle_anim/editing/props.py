"""Editing props: how they look, and which is which when throws change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from juggle_anim.choreography import PropLook, PropStyle
from juggle_anim.choreography.choreograph import choreograph
from juggle_anim.editing.draft import Draft
from juggle_anim.errors import EditError, did_you_mean
from juggle_anim.language import _
from juggle_anim.notation.settings.colours import DEFAULT_COLOUR, read_colour
from juggle_anim.notation.settings.staging import prop_style
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import Turn
from juggle_anim.text_settings import PROP_KINDS


def set_props(
    draft: Draft,
    kind: str | None = None,
    colour: str | None = None,
    *,
    orbit: int | None = None,
    prop: int | None = None,
) -> Draft:
    """Change how props look: all of them, those of one orbit, or one.

    The looks of the choreography, one for each prop in the order of orbits, are changed and written
    back: into placed events as they are, into settings as their lists have them.

    Args:
        draft: what is edited.
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
    looks = list(choreography.looks or (PropLook(),) * len(orbit_of_prop))
    for number, look in enumerate(looks):
        if orbit in (None, orbit_of_prop[number]) and prop in (None, number):
            looks[number] = replace(
                look, kind=kind or look.kind, colour=look.colour if colour is None else new_colour
            )
    if draft.score.placed:
        return draft._replace(
            score=replace(draft.score, placed=replace(draft.score.placed, looks=tuple(looks)))
        )
    # Settings list looks in an order of their own, not in that of orbits.
    positions = _text_positions_of_props(draft, len(looks))
    ordered = [looks[positions.index(position)] for position in range(len(looks))]
    style = prop_style([(look.kind, look.colour) for look in ordered], draft.score.staging.props)
    return draft._replace(
        score=replace(draft.score, staging=replace(draft.score.staging, props=style))
    )


def _text_positions_of_props(draft: Draft, props: int) -> list[int]:
    """For each prop, in the order of orbits, the position of its look in the lists of settings.

    Args:
        draft: with a pattern.
        props: number of props.
    """
    # Give each position a colour of its own, by which it is recognized in the order of orbits.
    position_colours = tuple((float(number), 0.0, 0.0) for number in range(props))
    staging = replace(draft.score.staging, props=PropStyle(colours=position_colours))
    looks = choreograph(replace(draft.score, staging=staging), draft.parameters).looks
    return [int(look.colour[0]) for look in looks if look.colour]


def following_props(
    style: PropStyle, before: Pattern, after: Pattern, old_turn_of: Callable[[Turn], Turn | None]
) -> PropStyle:
    """The looks of props after an edit, so that props look as those that the same hands threw.

    A prop of the edited pattern takes the look of the prop that was thrown in the old turn of its
    first throw. A prop whose first turn is new, or whose look another prop has taken already, takes
    a look that is left over.

    Args:
        style: the looks before.
        before: the full loop before the edit.
        after: the edited pattern.
        old_turn_of: returns the turn that a turn of the edited pattern was before, its beat perhaps
            beyond the loop; None for a new one.
    """
    # Nothing to follow: looks go by orbits or are all alike, or the number of props has changed.
    if (
        style.by_orbit
        or max(len(style.kinds), len(style.colours)) < 2
        or before.props != after.props
    ):
        return style

    # A style lists looks in the order of the first throws of props. For each prop of the edited
    # pattern the position of its look in the list before; None if it is to take one left over.
    props_before = _PropNumbers(before)
    first_throws = props_before.first_throws()
    position_before = {prop: index for index, (prop, _turn) in enumerate(first_throws)}
    positions: list[int | None] = []
    for _prop, turn in _PropNumbers(after).first_throws():
        turn_before = old_turn_of(turn)
        prop = props_before.thrown_at(turn_before) if turn_before else None
        position = position_before[prop] if prop else None
        positions.append(None if position in positions else position)

    unused = (position for position in range(len(position_before)) if position not in positions)
    order = [next(unused) if position is None else position for position in positions]
    if all(style.look(index) == style.look(position) for index, position in enumerate(order)):
        return style
    looks = [style.look(position) for position in order]
    return prop_style(looks, style)


_Prop = tuple[int, int]
"""A prop: the number of its orbit, and its number along that."""


class _PropNumbers:
    """Tells which prop each throw of a pattern is made with.

    Args:
        pattern: any.
    """

    def __init__(self, pattern: Pattern) -> None:
        """Number the throws along each orbit."""
        self.pattern = pattern
        # For each throw its orbit, and the loop in which it is made with prop 0 of the orbit.
        self._orbit_and_lap: dict[int, tuple[int, int]] = {}
        # The throws of each turn.
        self._throws_of_turn: dict[Turn, list[int]] = {}
        for number, orbit in enumerate(pattern.orbits):
            beat = pattern.throws[orbit.throws[0]].beat
            for index in orbit.throws:
                self._orbit_and_lap[index] = number, beat // pattern.period
                beat += pattern.throws[index].value
        for index, throw in enumerate(pattern.throws):
            self._throws_of_turn.setdefault(throw[:3], []).append(index)

    def thrown_at(self, turn: Turn) -> _Prop | None:
        """The prop that is thrown in a turn, the first one of a multiplex; None if there is none.

        If the hand throws nothing in the turn, it is the prop that the juggler's other hand throws
        on that beat.

        Args:
            turn: beat, which may be beyond the loop, juggler and hand.
        """
        turn_beat, juggler, hand = turn
        lap, beat = divmod(turn_beat, self.pattern.period)
        throws = self._throws_of_turn.get((beat, juggler, hand)) or self._throws_of_turn.get(
            (beat, juggler, 1 - hand)
        )
        return self._prop(throws[0], lap) if throws else None

    def first_throws(self) -> list[tuple[_Prop, Turn]]:
        """All props in the order in which they are first thrown, each with the turn of that throw.

        On one beat jugglers come in order, and of each the right hand before the left one. The beat
        of a turn may be beyond the first loop.
        """
        throws = self.pattern.throws
        first_turns = dict[_Prop, Turn]()
        # By beat and juggler, right hands before left ones, then as written.
        order = sorted(
            range(len(throws)), key=lambda index: (*throws[index][:2], -throws[index].hand, index)
        )
        # As many loops as an orbit has props: by then each has been thrown.
        for lap in range(max((orbit.props for orbit in self.pattern.orbits), default=0)):
            for index in order:
                beat, juggler, hand = throws[index][:3]
                first_turns.setdefault(
                    self._prop(index, lap), (beat + lap * self.pattern.period, juggler, hand)
                )
        return list(first_turns.items())

    def _prop(self, index: int, lap: int) -> _Prop:
        """The prop with which a throw, by its index, is made in a loop, counted from 0."""
        # Prop 0 of the orbit makes the throw in the loop `first_lap`. Each further prop is a loop
        # ahead of the one before, so prop n makes it n loops earlier.
        orbit_number, first_lap = self._orbit_and_lap[index]
        return orbit_number, (first_lap - lap) % self.pattern.orbits[orbit_number].props
