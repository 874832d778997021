"""Checks: whether a text is a pattern, and what follows from its throws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from juggle_anim.errors import JuggleError, NotationError
from juggle_anim.notation.settings import read_settings
from juggle_anim.pattern import Orbit, Pattern
from juggle_anim.pattern.states import is_ground, write_state


@dataclass(frozen=True)
class Check:
    """What came of reading a text: the pattern, or the error that says why it is none.

    Args:
        text: as it was typed, a siteswap or a name.
        pattern: None where the text is no pattern.
        error: None where it is one.
    """

    text: str
    pattern: Pattern | None = None
    error: JuggleError | None = None

    def as_data(self) -> dict[str, Any]:
        """All of it as JSON knows it; periods and orbits in beats."""
        if self.pattern is None:
            return {"text": self.text, "valid": False, **_why(self.error)}
        pattern = self.pattern
        return {
            "text": self.text,
            "valid": True,
            "siteswap": pattern.text,
            "jugglers": pattern.jugglers,
            "props": pattern.props,
            "period": pattern.period,
            "orbits": [
                {"throws": orbit_values(pattern, orbit), "beats": orbit.beats, "props": orbit.props}
                for orbit in pattern.orbits
            ],
            "state": write_state(pattern),
            "ground": is_ground(pattern),
        }


def check(text: str) -> Check:
    """Read a text as a pattern, and take note where that fails."""
    try:
        return Check(text, pattern=read_settings(text).pattern)
    except JuggleError as error:
        return Check(text, error=error)


def orbit_values(pattern: Pattern, orbit: Orbit) -> list[int]:
    """The values of an orbit's throws, in the order in which a prop makes them."""
    return [pattern.throws[index].value for index in orbit.throws]


def _why(error: JuggleError | None) -> dict[str, Any]:
    if isinstance(error, NotationError):
        return {"error": error.reason, "index": error.index, "accepted": error.accepted}
    return {"error": str(error)}
