"""Usual values: where each knob stands as long as nobody turns it."""

from __future__ import annotations

from juggle_anim.animation import Animation
from juggle_anim.choreography import Score
from juggle_anim.errors import JuggleError
from juggle_anim.parameters import ROWS, Row, Stage
from juggle_anim.viewer.knobs import given, value_of, with_knob


class UsualValues:
    """Finds them; remembers the one that takes long to find."""

    def __init__(self) -> None:
        self._score: Score | None = None
        self._timed: tuple[object, ...] = ()
        self._tempo: float | str | None = None

    def of(self, animation: Animation, row: Row) -> float | str | None:
        """A knob's default or, where it has none, what it would follow; None where nobody could juggle with that."""
        if row.default is not None:
            return row.default
        if given(animation, row) is None:
            return value_of(animation, row)
        return self._usual_tempo(animation, row) if row.name == _TEMPO else _without(animation, row)

    def _usual_tempo(self, animation: Animation, row: Row) -> float | str | None:
        # A tempo times all throws anew, which is too much for each frame in which its slider is dragged.
        timed = tuple(getattr(animation.parameters, name) for name in _TIMED)
        if animation.score is not self._score or timed != self._timed:
            self._score, self._timed, self._tempo = animation.score, timed, _without(animation, row)
        return self._tempo


_TEMPO = "bps"
_TIMED = tuple(row.name for row in ROWS if row.stage is Stage.CHOREOGRAPHY and row.name != _TEMPO)


def _without(animation: Animation, row: Row) -> float | str | None:
    try:
        return value_of(with_knob(animation, row, None), row)
    except JuggleError:
        return None
