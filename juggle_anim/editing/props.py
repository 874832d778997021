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
    shown = None if colour in (None, DEFAULT_COLOUR) else read_colour(colour or "")
    choreography = choreograph(draft.score, draft.parameters)
    orbits = [number for number, each in enumerate(choreography.orbits) for _ in range(each.props)]
    for what, number, count in (
        ("orbit", orbit, len(choreography.orbits)),
        ("prop", prop, len(orbits)),
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
    looks = list(choreography.looks or (PropLook(),) * len(orbits))
    for number, look in enumerate(looks):
        if orbit in (None, orbits[number]) and prop in (None, number):
            looks[number] = replace(
                look, kind=kind or look.kind, colour=look.colour if colour is None else shown
            )
    if draft.score.placed:
        return draft._replace(
            score=replace(draft.score, placed=replace(draft.score.placed, looks=tuple(looks)))
        )
    turns = _prop_turns(draft, len(looks))
    ordered = [looks[turns.index(turn)] for turn in range(len(looks))]
    style = prop_style([(look.kind, look.colour) for look in ordered], draft.score.staging.props)
    return draft._replace(
        score=replace(draft.score, staging=replace(draft.score.staging, props=style))
    )


def _prop_turns(draft: Draft, props: int) -> list[int]:
    """Which of the kinds and colours of a text each prop takes."""
    # Each gets a colour of its own, by which it is found again.
    marks = tuple((float(number), 0.0, 0.0) for number in range(props))
    staging = replace(draft.score.staging, props=PropStyle(colours=marks))
    looks = choreograph(replace(draft.score, staging=staging), draft.parameters).looks
    return [int(look.colour[0]) for look in looks if look.colour]


def following_props(
    style: PropStyle, before: Pattern, after: Pattern, origin: Callable[[Turn], Turn | None]
) -> PropStyle:
    """The looks of props in another pattern, in which each looks as the one that made the same
    throws before.

    Args:
        style: the looks before.
        before: the full loop before.
        after: the other pattern.
        origin: the turn before, beats counted on from loop to loop, that a turn of the other
            pattern was; None for a new one.
    """
    if (
        style.by_orbit
        or max(len(style.kinds), len(style.colours)) < 2
        or before.props != after.props
    ):
        return style
    known = _PropNumbers(before)
    firsts = _PropNumbers(after).first_throws()
    places = {prop: place for place, (prop, _unused) in enumerate(known.first_throws())}
    found: list[int | None] = []
    for _unused, turn in firsts:
        was = origin(turn)
        prop = known.made_at(was) if was else None
        place = places[prop] if prop else None
        found.append(None if place in found else place)
    left = [place for place in range(len(places)) if place not in found]
    order = [left.pop(0) if place is None else place for place in found]
    if all(style.look(place) == style.look(was) for place, was in enumerate(order)):
        return style
    looks = [style.look(place) for place in order]
    return prop_style(looks, style)


class _PropNumbers:
    """Tells which prop makes each throw of a pattern.

    Args:
        pattern: any.
    """

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self._along: dict[int, tuple[int, int]] = {}
        self._made: dict[Turn, list[int]] = {}
        for number, orbit in enumerate(pattern.orbits):
            beat = pattern.throws[orbit.throws[0]].beat
            for index in orbit.throws:
                self._along[index] = number, beat // pattern.period
                beat += pattern.throws[index].value
        for index, throw in enumerate(pattern.throws):
            self._made.setdefault(throw[:3], []).append(index)

    def made_at(self, turn: Turn) -> tuple[int, int] | None:
        """The prop that makes the first throw of a turn, beats counted on from loop to loop; None
        for no throw.
        """
        lap, beat = divmod(turn[0], self.pattern.period)
        _unused, juggler, hand = turn
        made = self._made.get((beat, juggler, hand)) or self._made.get((beat, juggler, 1 - hand))
        return self._prop(made[0], lap) if made else None

    def first_throws(self) -> list[tuple[tuple[int, int], Turn]]:
        """All props in the order in which they are first thrown, right hands first, each with that
        turn.
        """
        throws = self.pattern.throws
        found = dict[tuple[int, int], Turn]()
        order = sorted(
            range(len(throws)), key=lambda index: (*throws[index][:2], -throws[index].hand, index)
        )
        for lap in range(max((orbit.props for orbit in self.pattern.orbits), default=0)):
            for index in order:
                beat, juggler, hand = throws[index][:3]
                found.setdefault(
                    self._prop(index, lap), (beat + lap * self.pattern.period, juggler, hand)
                )
        return list(found.items())

    def _prop(self, index: int, lap: int) -> tuple[int, int]:
        number, along = self._along[index]
        return number, (along - lap) % self.pattern.orbits[number].props
