"""Places of bodies as text: `(90,75,0,100).` turns left by 90 degrees and stands 75 cm to the right of the middle."""

from __future__ import annotations

import math

from juggle_anim.choreography.staging import BodyMoves, BodyPlace
from juggle_anim.errors import NotationError
from juggle_anim.notation.staging.moves import Mark, one_line, read_moves

STANDING = 100.0
"""The height that a text gives a body whose feet are on the floor, [cm]."""


def read_body(text: str) -> BodyMoves:
    """The places of bodies that a text stands for.

    Each beat lists places `(angle,x,y,z)` in degrees and cm: the turn to the left, right, forward and up; it ends with
    a dot. Numbers that are left out are 0, but z is 100, which stands on the floor. An empty beat has no place, and a
    `-` skips one of several. `|` stands between jugglers, and `((0,20).(0,-20).)^2` repeats.

    Raises:
        NotationError: it is nothing of that.
    """
    jugglers = read_moves(text, "-", _NUMBERS)
    if not any(mark.numbers for beats in jugglers for beat in beats for mark in beat):
        raise NotationError(text, len(text), "no place of a body is written", "such as (90,75).|(270,-75).")
    return BodyMoves(one_line(text), tuple(tuple(tuple(map(_place, beat)) for beat in beats) for beats in jugglers))


def _place(mark: Mark) -> BodyPlace | None:
    if mark.sign == "-":
        return None
    angle, right, forward, up = mark.numbers
    return BodyPlace(math.radians(angle), (-right / 100, (up - STANDING) / 100, forward / 100))


_NUMBERS = {"angle": 0.0, "x": 0.0, "y": 0.0, "z": STANDING}
