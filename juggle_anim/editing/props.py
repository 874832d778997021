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
    # The orbit of each prop.
    orbit_of_prop = list[int]()
    for orbit_number, each_orbit in enumerate(choreography.orbits):
        orbit_of_prop += [orbit_number] * each_orbit.props
    # Numbers that are out of range are refused; None stands for all.
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
    # Events have a look for each prop.
    if draft.score.placed:
        return draft._replace(
            score=replace(draft.score, placed=replace(draft.score.placed, looks=tuple(looks)))
        )
    # Settings list looks in another order than orbits do.
    order = _colour_order(draft, len(looks))
    ordered = [looks[order.index(place)] for place in range(len(looks))]
    style = prop_style([(look.kind, look.colour) for look in ordered], draft.score.staging.props)
    return draft._replace(
        score=replace(draft.score, staging=replace(draft.score.staging, props=style))
    )


def _colour_order(draft: Draft, props: int) -> list[int]:
    """Return, for each prop, the place in the text's list of colours from which it takes its own.

    Props are in the order of orbits.
    """
    # The places are marked with colours, which the choreography hands out to props.
    marks = tuple((float(number), 0.0, 0.0) for number in range(props))
    staging = replace(draft.score.staging, props=PropStyle(colours=marks))
    looks = choreograph(replace(draft.score, staging=staging), draft.parameters).looks
    return [int(look.colour[0]) for look in looks if look.colour]


def following_props(
    style: PropStyle, before: Pattern, after: Pattern, origin: Callable[[Turn], Turn | None]
) -> PropStyle:
    """Return the looks of props in another pattern, where each prop looks as it did before.

    A prop is the same as the one that made the same throws before.

    Args:
        style: the looks before.
        before: the full loop before.
        after: the other pattern.
        origin: returns the old turn of a turn of the other pattern, with beats counted on from loop
            to loop; None for a new one.
    """
    # Looks by orbit, and looks that are all alike, need no order; other props have no counterparts.
    if (
        style.by_orbit
        or max(len(style.kinds), len(style.colours)) < 2
        or before.props != after.props
    ):
        return style
    old_numbers = _PropNumbers(before)
    new_first_throws = _PropNumbers(after).first_throws()
    old_place_of_prop = {
        prop: place for place, (prop, _turn) in enumerate(old_numbers.first_throws())
    }
    # The old place of each new prop; None where no throw tells, or another prop has it.
    old_places: list[int | None] = []
    for _prop, turn in new_first_throws:
        old_turn = origin(turn)
        old_prop = old_numbers.made_at(old_turn) if old_turn else None
        old_place = old_place_of_prop[old_prop] if old_prop else None
        old_places.append(None if old_place in old_places else old_place)
    unused_places = [place for place in range(len(old_place_of_prop)) if place not in old_places]
    order = [unused_places.pop(0) if place is None else place for place in old_places]
    if all(style.look(place) == style.look(old_place) for place, old_place in enumerate(order)):
        return style
    looks = [style.look(place) for place in order]
    return prop_style(looks, style)


class _PropNumbers:
    """Tells which prop makes each throw of a pattern.

    Args:
        pattern: any.
    """

    def __init__(self, pattern: Pattern) -> None:
        """Follow each orbit once, and note in which loop its throws are made."""
        self.pattern = pattern
        # Of each throw, its orbit, and how many loops after the first throw of the orbit a prop
        # makes it.
        self._orbit_and_laps_by_throw: dict[int, tuple[int, int]] = {}
        self._throws_by_turn: dict[Turn, list[int]] = {}
        for number, orbit in enumerate(pattern.orbits):
            beat = pattern.throws[orbit.throws[0]].beat
            for index in orbit.throws:
                self._orbit_and_laps_by_throw[index] = number, beat // pattern.period
                beat += pattern.throws[index].value
        # The first three fields of a throw are its turn.
        for index, throw in enumerate(pattern.throws):
            self._throws_by_turn.setdefault(throw[:3], []).append(index)

    def made_at(self, turn: Turn) -> tuple[int, int] | None:
        """Return the prop that makes the first throw of a turn; None if no throw is made.

        A prop is its orbit and its number in it.

        Args:
            turn: beat, counted on from loop to loop, juggler and hand.
        """
        beat, juggler, hand = turn
        lap, beat_of_loop = divmod(beat, self.pattern.period)
        # The other hand may have come to that beat.
        throws = self._throws_by_turn.get((beat_of_loop, juggler, hand)) or (
            self._throws_by_turn.get((beat_of_loop, juggler, 1 - hand))
        )
        return self._prop(throws[0], lap) if throws else None

    def first_throws(self) -> list[tuple[tuple[int, int], Turn]]:
        """Return all props in the order of their first throws, each with the turn of that throw.

        On a beat, the right hand comes first. Beats are counted on from loop to loop.
        """
        throws = self.pattern.throws
        turns_by_prop = dict[tuple[int, int], Turn]()
        order = sorted(
            range(len(throws)),
            key=lambda index: (
                throws[index].beat,
                throws[index].juggler,
                -throws[index].hand,
                index,
            ),
        )
        # After as many loops as an orbit has props, all of them have been thrown.
        for lap in range(max((orbit.props for orbit in self.pattern.orbits), default=0)):
            for index in order:
                beat, juggler, hand = throws[index][:3]
                turns_by_prop.setdefault(
                    self._prop(index, lap), (beat + lap * self.pattern.period, juggler, hand)
                )
        return list(turns_by_prop.items())

    def _prop(self, index: int, lap: int) -> tuple[int, int]:
        """Return the orbit and number of the prop that makes a throw in some loop."""
        orbit, laps = self._orbit_and_laps_by_throw[index]
        return orbit, (laps - lap) % self.pattern.orbits[orbit].props
