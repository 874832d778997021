"""Beats: throws on whole beats, and what follows from them."""

from juggle_anim.pattern.pattern import LEFT, RIGHT, HandSiteswap, Orbit, Pattern, Throw, Turn

__all__ = ["LEFT", "RIGHT", "HandSiteswap", "Orbit", "Pattern", "Throw", "Turn"]
