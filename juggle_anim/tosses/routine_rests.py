"""Rests of routines: what hands do with their props between what they caught and what they throw next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from juggle_anim.pattern.pattern import Throw
from juggle_anim.tosses.stands import pick_up, put_down
from juggle_anim.tosses.toss import Toss


class Held(NamedTuple):
    """A prop that a hand has from a beat on, or up to one; or on its stand then."""

    beat: int
    hand: int
    on_stand: bool = False


class Pause(NamedTuple):
    """When props lie in hands, in parts of a beat.

    Attributes:
        starts: once all are caught.
        until: when the next throw may be made.
        crossing: how long a throw from hand to hand takes.
        still: how long nothing moves before `until`, if there is time.
    """

    starts: int
    until: int
    crossing: int
    still: int


def with_stands(
    sources: Sequence[Held], sinks: Sequence[Held], pause: Pause, lying: Counter[int]
) -> tuple[list[Held], list[Held]]:
    """What hands have at the start and at the end of a rest, with what they pick up and put down, as much in both.

    Args:
        sources, sinks: what hands have, and what they need.
        pause: between.
        lying: how many more props than in the beginning lie beside each hand; these are taken first.
    """
    more = len(sinks) - len(sources)
    have, need = (Counter(each.hand for each in ends) for ends in (sources, sinks))
    missing = sorted((need - have).elements(), key=lambda hand: -lying[hand])
    over = sorted((have - need).elements(), key=lambda hand: lying[hand])
    taken = [Held(pause.starts, hand, True) for hand in missing[: max(more, 0)]]
    left = [Held(pause.until, hand, True) for hand in over[: max(-more, 0)]]
    return [*sources, *taken], [*sinks, *left]


def with_all_back(
    sources: Sequence[Held], sinks: Sequence[Held], pause: Pause, lying: Counter[int]
) -> tuple[list[Held], list[Held]]:
    """The same for the end of a routine: as many props lie beside each hand as in the beginning; arguments alike."""
    taken = [Held(pause.starts, hand, True) for hand in (+lying).elements()]
    left = [Held(pause.until, hand, True) for hand in (-lying).elements()]
    return [*sources, *taken], [*sinks, *left]


def hold(sources: Sequence[Held], sinks: Sequence[Held], pause: Pause) -> list[Toss]:
    """Hold what hands have until they need it; what another hand needs is thrown across in the middle of the pause.

    Args:
        sources, sinks: as many.
        pause: between.
    """
    found, over, left = list[Toss](), list[Held](), sorted(sinks)
    for source in sorted(sources):
        sink = next((each for each in left if each.hand == source.hand), None)
        if sink is None:
            over.append(source)
            continue
        left.remove(sink)
        found += _kept(source, sink.beat, pause, sink)
    for source, sink in zip(over, left, strict=True):
        middle = (source.beat + sink.beat - pause.crossing) // 2
        thrown = max(source.beat, min(middle, pause.until - pause.crossing - pause.still))
        lands = min(thrown + pause.crossing, sink.beat)
        found += _kept(source, thrown, pause)
        found.append(Toss(_throw(thrown, source.hand, lands, sink.hand), -1, None))
        found += _kept(Held(lands, sink.hand), sink.beat, pause, sink)
    return found


def _kept(source: Held, until: int, pause: Pause, sink: Held | None = None) -> list[Toss]:
    """What a hand does with a prop until a beat: it holds it, picks it up before that in the pause, or puts it down."""
    if source.on_stand:
        there = min(until, pause.until - 1)
        return [pick_up(source.beat, source.hand, there), *_kept(Held(there, source.hand), until, pause)]
    if sink and sink.on_stand:
        return [put_down(source.beat, source.hand)]
    if source.beat == until:
        return []
    return [Toss(_throw(source.beat, source.hand, until, source.hand, held=True), -1, None)]


def _throw(beat: int, hand: int, lands: int, to: int, held: bool | None = None) -> Throw:
    return Throw(beat, hand // 2, hand % 2, lands - beat, to // 2, to % 2, held=held)
