"""Beats: throws on whole beats, and what follows from them."""

from juggle_anim.pattern.pattern import (
    LEFT,
    RIGHT,
    VALUE_CHARACTERS,
    HandSiteswap,
    Orbit,
    Pattern,
    Throw,
    Turn,
    catching_hand,
    cycles,
    hand_of,
    hand_text,
    juggler_of_hand,
    repeated,
    throw_between,
    value_text,
)

__all__ = [
    "LEFT",
    "RIGHT",
    "VALUE_CHARACTERS",
    "HandSiteswap",
    "Orbit",
    "Pattern",
    "Throw",
    "Turn",
    "catching_hand",
    "cycles",
    "hand_of",
    "hand_text",
    "juggler_of_hand",
    "repeated",
    "throw_between",
    "value_text",
]
