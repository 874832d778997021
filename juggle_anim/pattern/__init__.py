"""Beats: throws on whole beats, and what follows from them."""

from juggle_anim.pattern.hand_siteswap import HandSiteswap
from juggle_anim.pattern.orbits import Orbit
from juggle_anim.pattern.pattern import Pattern
from juggle_anim.pattern.throw import LEFT, RIGHT, Throw, Turn

__all__ = ["LEFT", "RIGHT", "HandSiteswap", "Orbit", "Pattern", "Throw", "Turn"]
