"""How difficult a pattern is for people, by a rule on its throws and on what hands and bodies do."""

from __future__ import annotations

import math
from collections.abc import Sequence

from juggle_anim.choreography import Score, Staging
from juggle_anim.choreography.body_throws import CATCHES, THROWS
from juggle_anim.choreography.dwell import holds
from juggle_anim.pattern import Pattern, Throw

EASIEST, HARDEST = 1, 10
"""Learnt in an hour; years of practice."""

WEIGHTS = {
    "always": -5.2,
    "props": 0.5,
    "logarithm of props": 2.2,
    "root of the highest throw": 2.2,
    "holds": -2.3,
    "hand-overs": 0.5,
    "kinds of throws": 0.2,
    "crossed arms": 1.9,
    "hands high or low": 2.0,
    "claws": 0.3,
    "penguins": 2.4,
    "around the body": 3.0,
    "one hand": 1.4,
    "forced bounces": 1.0,
    "clubs": 1.4,
    "uneven hands": 1.6,
    "passes": 2.7,
    "props passed": 0.25,
    "more jugglers": 0.5,
}
"""What each of the figures adds, fitted to what people say of 560 patterns; docs/library.md explains them."""

# A hand that is farther than this beyond the middle has crossed the other arm, [m].
_CROSSED = 0.06

# Easy patterns lie this much farther apart than their figures; below how many points, and by what factor.
_EASY, _SPREAD = 3.5, 1.5


def difficulty(score: Score) -> int:
    """The difficulty from 1 to 10: the sum of the figures of a pattern, each times its weight; 0 for mere events."""
    if score.pattern is None or not score.pattern.throws:
        return 0
    figures = difficulty_figures(score.pattern, score.staging)
    points = sum(weight * figures[name] for name, weight in WEIGHTS.items())
    spread = points if points >= _EASY else _EASY - _SPREAD * (_EASY - points)
    return min(max(round(spread), EASIEST), HARDEST)


def difficulty_figures(pattern: Pattern, staging: Staging) -> dict[str, float]:
    """The figures that the difficulty of a pattern follows from, by their names in `WEIGHTS`; places in m."""
    jugglers, props = pattern.jugglers, pattern.props / pattern.jugglers
    thrown = [throw for throw, held in zip(pattern.throws, holds(pattern), strict=True) if not held]
    moving = len(thrown) / len(pattern.throws)
    # Where more than two hands share the beats, a throw takes fewer beats as two hands would count them.
    pace = 2 * len(pattern.turns) / (pattern.period * len({turn[1:] for turn in pattern.turns}))
    hands = [beat for beats in staging.hands.beats for beat in beats] if staging.hands else []
    places = [point for beat in hands for point in beat.points if point]
    catches = [word for side in staging.catches for word in side]
    passes = sum(throw.to_juggler != throw.juggler for throw in pattern.throws)
    return {
        "always": 1.0,
        "props": props,
        "logarithm of props": math.log(max(props, 0.5)),
        "root of the highest throw": math.sqrt(pace * max((throw.value for throw in thrown), default=0)),
        "holds": 1.0 - moving,
        "hand-overs": _share([_is_hand_over(throw, pace) for throw in thrown]),
        "kinds of throws": len({(throw.value, throw.to_hand != throw.hand) for throw in thrown}),
        # A hand that carries a prop has time for it.
        "crossed arms": moving * any(point[0] < -_CROSSED for point in places),
        "hands high or low": moving * max((abs(point[1]) for point in places), default=0.0),
        "claws": float("claw" in catches),
        "penguins": float("penguin" in catches),
        "around the body": min(
            _share([word in THROWS for side in staging.throws for word in side])
            + _share([word in CATCHES for word in catches]),
            1.0,
        ),
        "one hand": float(jugglers == 1 and len({throw.hand for throw in pattern.throws}) == 1),
        "forced bounces": _share([throw.bounce_style in ("force", "hyper_lift", "hyper_force") for throw in thrown]),
        "clubs": float(jugglers == 1 and staging.props.kinds == ("club",)),
        "uneven hands": float(jugglers == 1 and pattern.hand_siteswap is not None),
        "passes": passes / len(pattern.throws),
        "props passed": props * (jugglers > 1),
        "more jugglers": max(jugglers - 2.0, 0.0),
    }


def _is_hand_over(throw: Throw, pace: float) -> bool:
    return pace * throw.value <= 1 or (pace * throw.value <= 2 and throw.to_hand != throw.hand)


def _share(cases: Sequence[bool]) -> float:
    return sum(cases) / max(len(cases), 1)
