"""Tempo: how fast a pattern is juggled when nobody says."""

from __future__ import annotations

from juggle_anim.parameters import quantity_named
from juggle_anim.pattern import Pattern

LONGEST_FLIGHT = 2.6
"""Seconds that a prop may fly before the tempo is raised instead; 8.3 m high is as far as a camera wants to see."""

# Beats a second that suit a throw of 0, 1, 2 … 9 and more beats: the defaults of Juggling Lab 1.7.7.
_TEMPO_OF_VALUE = (2.0, 2.0, 2.0, 2.9, 3.4, 4.1, 4.25, 5.0, 5.0, 5.5)


def natural_tempo(pattern: Pattern, dwell: float) -> float:
    """Beats a second at which jugglers would juggle this pattern.

    The mean, over the throws above 2, of the tempo that suits each; faster where the highest would fly too long.

    Args:
        pattern: what is juggled.
        dwell: [beats].
    """
    thrown = [throw.value for throw in pattern.throws if throw.value > 2]
    if not thrown:
        return _TEMPO_OF_VALUE[0]
    mean = sum(_TEMPO_OF_VALUE[min(value, 9)] for value in thrown) / len(thrown)
    fastest = quantity_named("bps").high
    return min(max(mean, (max(thrown) - dwell) / LONGEST_FLIGHT), fastest)
