"""Beats: throws on whole beats, and what follows from them."""

from juggle_anim.pattern.orbits import Orbit
from juggle_anim.pattern.pattern import Pattern
from juggle_anim.pattern.throw import LEFT, RIGHT, Throw

__all__ = ["LEFT", "RIGHT", "Orbit", "Pattern", "Throw"]
