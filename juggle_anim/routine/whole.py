"""A whole routine as one row of tosses: each line of it has beats of its own, which here are counted from the first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.choreography import PropLook
from juggle_anim.routine.bridge import Bridge
from juggle_anim.routine.span import Span
from juggle_anim.tosses.loop import sampled_keyframes, wrapped_loop
from juggle_anim.tosses.ring_layout import Loop
from juggle_anim.tosses.toss import Clock

_BODY_STEP = 0.25  # s; between keyframes of bodies that move


class _Piece(NamedTuple):
    """A line from some beat on.

    Attributes:
        span: with the line.
        shift: its beat 0, counted from the first of the routine, in parts of a beat.
        first: the beat from which on its tosses are made, counted likewise.
    """

    span: Span
    shift: int
    first: int


def whole_loop(spans: Sequence[Span], animation: Animation, looks: Sequence[PropLook]) -> Loop:
    """Lay out a routine that goes back to its first pattern as one loop, from beat 0 of that to where that repeats.

    Args:
        spans: what plays, in order, without cuts; the last two are a bridge to the first pattern and that.
        animation: of the first pattern.
        looks: of all props by their numbers.
    """
    division = math.lcm(*(span.line.division for span in spans))
    pieces = _pieces(spans, division)
    back = spans[-2].line
    assert isinstance(back, Bridge), "a bridge leads back"
    repeats = back.repeats(math.ceil(back.clock.beat_at(back.settled)))
    end, starts, ends = pieces[-2].shift + repeats * (division // back.division), spans[0].line.clock.at(0), 0.0
    tosses, points, last = [], [], (*(piece.first for piece in pieces[1:]), end)
    for piece, until in zip(pieces, last, strict=True):
        line, scale = piece.span.line, division // piece.span.line.division
        low, high = -(-(piece.first - piece.shift) // scale), -(-(until - piece.shift) // scale)
        if low < high:
            tosses += [toss.scaled(scale, piece.shift) for toss in line.tosses(low, high)]
            points += line.waypoints(line.clock.at(low), line.clock.at(high))
    ends = back.clock.at(repeats)
    times = np.arange(starts, ends, _BODY_STEP)
    number = np.searchsorted([span.start for span in spans], times, side="right") - 1
    places = np.concatenate([spans[place].line.places(times[number == place]) for place in np.unique(number).tolist()])
    rate = end / (ends - starts)
    clock = Clock(0.0, starts, rate, rate)
    bodies = sampled_keyframes(times, places)
    return wrapped_loop(tosses, (0, end), division, clock, animation, bodies, looks, points)


def _pieces(spans: Sequence[Span], division: int) -> list[_Piece]:
    """Each line with its first beat; one that another change interrupts makes none afterwards."""
    found = [_Piece(spans[0], 0, 0)]
    for before, span in pairwise(spans):
        shift, line = found[-1].shift, span.line
        if isinstance(line, Bridge):
            first = shift + line.changes * (division // line.division)
        else:
            bridge = before.line
            assert isinstance(bridge, Bridge), "a bridge leads to every other pattern"
            first = shift + math.ceil(bridge.clock.beat_at(bridge.settled)) * (division // bridge.division)
            shift += (bridge.entry[0] - bridge.entry[1]) * (division // bridge.division)
        found.append(_Piece(span, shift, first))
    return found
