"""Numbers of props: which prop makes each toss, and the order in which that is settled."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of
from juggle_anim.tosses.toss import Toss


def with_props(tosses: Sequence[Toss], pattern: Pattern) -> list[Toss]:
    """The tosses of a closed pattern with the numbers of their props, in the order in which these are thrown first."""
    found = list(tosses)
    starts = [place for place, toss in enumerate(tosses) if toss.landing >= pattern.period]
    order = sorted(starts, key=lambda place: (tosses[place].landing, -hand_of(tosses[place].throw)))
    for prop, start in enumerate(order):
        place = start
        while True:
            place = pattern.landings[place]
            found[place] = found[place]._replace(prop=prop)
            if found[place].landing >= pattern.period:
                break
    return found


def numbered(tosses: Sequence[Toss], kept: int) -> list[Toss]:
    """The tosses in order of their beats, those after some with the props that land for them.

    Of several props that land on one beat in one hand, that thrown first makes the throw written first.
    """
    landing: dict[tuple[int, int], list[tuple[int, int]]] = {}
    found, early = [], {id(toss) for toss in tosses[:kept]}
    for toss in in_order(tosses):
        site = toss.throw.beat, hand_of(toss.throw)
        waiting = sorted(landing.get(site, []), key=lambda each: each[0])
        known = id(toss) in early or (toss.prop >= 0 and toss.rests)
        if known:
            landing[site] = [each for each in waiting if each[1] != toss.prop]
        else:
            landing[site] = waiting[1:]
            toss = toss._replace(prop=waiting[0][1])
        found.append(toss)
        to = toss.landing, catching_hand(toss.throw)
        landing.setdefault(to, []).append((toss.throw.beat, toss.prop))
    return found


def in_order(tosses: Sequence[Toss]) -> list[Toss]:
    """The tosses by their beats; of what one hand picks up on a beat, first what has lain there for longest, since what
    lands first makes the throw written first."""
    down = [(toss.prop, toss.throw.beat) for toss in tosses if toss.puts_down]

    def lain_since(toss: Toss) -> float:
        if not toss.picks_up:
            return 0.0
        return max((beat for prop, beat in down if prop == toss.prop and beat < toss.throw.beat), default=-math.inf)

    return sorted(tosses, key=lambda toss: (toss.throw.beat, not toss.rests, lain_since(toss)))


def with_occurrences(tosses: Sequence[Toss]) -> Iterator[tuple[int, Toss]]:
    """Tosses, with the place of each among those that are written alike."""
    seen: Counter[Throw] = Counter()
    for toss in tosses:
        yield seen[toss.throw], toss
        seen[toss.throw] += 1
