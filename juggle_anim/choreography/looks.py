"""Which prop looks how."""

from __future__ import annotations

from juggle_anim.choreography.choreography import PropLook
from juggle_anim.choreography.staging import PropStyle
from juggle_anim.choreography.timing import hand_of
from juggle_anim.pattern import RIGHT, Pattern


def prop_looks(pattern: Pattern, style: PropStyle, shifts: list[int]) -> tuple[PropLook, ...]:
    """The looks of all props, in the order of `Choreography.looks`; empty where nothing is said of them.

    Kinds and colours are given to the props in the order in which they are first thrown, right hands first, or to
    orbits in their order.

    Args:
        pattern: what is juggled.
        style: what is said.
        shifts: for each orbit, the loops by which its first prop is ahead of the one that makes the orbit's first throw
            in the loop.
    """
    if style == PropStyle():
        return ()
    props = [(number, ahead) for number, orbit in enumerate(pattern.orbits) for ahead in range(orbit.props)]
    turn = {prop: place for place, prop in enumerate(sorted(props, key=lambda prop: _first_thrown(pattern, *prop)))}
    looks = []
    for number, ahead in props:
        at = number, (ahead + shifts[number]) % pattern.orbits[number].props
        place = number if style.by_orbit else turn[at]
        colour = style.colours[place % len(style.colours)] if style.colours else None
        looks.append(PropLook(style.kinds[place % len(style.kinds)], colour, image=style.image))
    return tuple(looks)


def _first_thrown(pattern: Pattern, number: int, ahead: int) -> tuple[int, int, bool, int]:
    """When and by whom a prop is first thrown, or held on, from the start of the loop on."""
    orbit = pattern.orbits[number]
    beat = pattern.throws[orbit.throws[0]].beat - ahead * pattern.period
    whole = orbit.props * pattern.period
    found = []
    for index in orbit.throws:
        throw = pattern.throws[index]
        found.append((beat % whole, hand_of(throw) // 2, throw.hand != RIGHT, index))
        beat += throw.value
    return min(found)
