"""Sounds: what is heard of a pattern."""

from juggle_anim.sounds.knocks import Knocks, knocks
from juggle_anim.sounds.tone import RATE, tone

__all__ = ["RATE", "Knocks", "knocks", "tone"]
