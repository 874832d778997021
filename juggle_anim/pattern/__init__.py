"""Beats: throws on whole beats, and what follows from them."""

from juggle_anim.pattern.pattern import (
    LEFT,
    RIGHT,
    HandSiteswap,
    Orbit,
    Pattern,
    Throw,
    Turn,
    catching_hand,
    cycles,
    hand_of,
    juggler_of_hand,
    repeated,
    throw_between,
)

__all__ = [
    "LEFT",
    "RIGHT",
    "HandSiteswap",
    "Orbit",
    "Pattern",
    "Throw",
    "Turn",
    "catching_hand",
    "cycles",
    "hand_of",
    "juggler_of_hand",
    "repeated",
    "throw_between",
]
