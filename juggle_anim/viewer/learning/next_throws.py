"""Which throw each hand makes next: when, which value it has, and the colour of its prop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.animation import Animation

_SAME = 1e-5  # s; throws nearer than this are made at once


@dataclass(frozen=True)
class NextThrow:
    """The throw that a hand makes next.

    Args:
        hand: that makes it.
        text: its value, `5`, or all values of a multiplex, `[54]`; empty where events have none.
        colour: of the first of its props, sRGB.
        place: of the hand now, in the world, [m].
        wait: until then, [s].
        is_next: whether no hand throws before.
    """

    hand: int
    text: str
    colour: tuple[float, float, float]
    place: tuple[float, float, float]
    wait: float
    is_next: bool


def next_throws(animation: Animation, values: tuple[str, ...], time: float) -> list[NextThrow]:
    """Return the next throw of each hand that throws at all, by the numbers of the hands.

    Args:
        animation: with the throws.
        values: of its flights, as `beats.throw_values` gives them; a performance repeats them some times.
        time: [s].
    """
    performance, duration = animation.performance, animation.duration
    flights = performance.flights.throw
    if not len(flights):
        return []
    waits = (performance.events.time[flights] - time - _SAME) % duration + _SAME
    hands = performance.events.hand[flights]
    throwing = np.unique(hands).tolist()
    soon = [float(waits[hands == hand].min()) for hand in throwing]
    flying = animation.motion.thrown(time + np.array(soon) + _SAME)[0]
    places, colours = animation.sample(np.array([time])).hands[0].reshape(-1, 3), animation.prop_colours
    found = []
    for hand, wait, flown in zip(throwing, soon, flying.tolist(), strict=True):
        made = np.flatnonzero((hands == hand) & (waits < wait + _SAME)).tolist()
        prop = next((prop for prop, flight in enumerate(flown) if flight in made), 0)
        red, green, blue = colours[prop].tolist()
        x, y, z = places[hand].tolist()
        is_next = wait < min(soon) + _SAME
        found.append(NextThrow(hand, _text(values, made), (red, green, blue), (x, y, z), wait, is_next))
    return found


def _text(values: tuple[str, ...], made: list[int]) -> str:
    words = sorted((values[flight % len(values)] for flight in made), reverse=True) if values else []
    return f"[{''.join(words)}]" if len(words) > 1 else "".join(words)
