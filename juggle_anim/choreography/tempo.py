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

    The mean, over the throws above 2, of the tempo that suits each; faster where the highest would fly too long. Beats
    are whole ones where the pattern divides them: a moment m of it comes after m / (division · tempo) seconds.

    Args:
        pattern: what is juggled.
        dwell: [beats].
    """
    thrown = [throw.value / pattern.division for throw in pattern.throws if throw.value > 2 * pattern.division]
    if not thrown:
        return _TEMPO_OF_VALUE[0]
    mean = sum(map(_tempo_of, thrown)) / len(thrown)
    fastest = quantity_named("bps").high
    return min(max(mean, (max(thrown) - dwell) / LONGEST_FLIGHT), fastest)


def _tempo_of(value: float) -> float:
    """What suits a throw; one of broken beats stands between its neighbours."""
    if value >= len(_TEMPO_OF_VALUE) - 1:
        return _TEMPO_OF_VALUE[-1]
    lower, rest = divmod(value, 1)
    return _TEMPO_OF_VALUE[int(lower)] * (1 - rest) + _TEMPO_OF_VALUE[int(lower) + 1] * rest
