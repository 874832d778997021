"""A preset: how everything in the panel is turned, as settings without a pattern."""

from __future__ import annotations

import dataclasses

from juggle_anim.animation import Animation
from juggle_anim.choreography import Score, Staging
from juggle_anim.notation import read_settings, read_siteswap, write_settings

_ANY = "pattern=3"  # the pattern that stands where there is none


def preset_of(animation: Animation) -> str:
    """What is turned away from its default: `dwell=1;style=natural;prop=club`, or nothing."""
    staging, usual = animation.score.staging, Staging()
    # Ways of hands and bodies belong to the throws.
    staging = dataclasses.replace(staging, hands=usual.hands, body=usual.body)
    text = write_settings(Score(read_siteswap("3"), staging=staging), animation.parameters)
    return text.removeprefix(_ANY).removeprefix(";")


def with_preset(animation: Animation, preset: str) -> Animation:
    """The animation with everything turned as a preset says; its pattern stays.

    Raises:
        NotationError: the preset holds what this program does not know.
        ParameterError: it sets beats, and the animation is made of events with times of their own.
    """
    settings = read_settings(f"{_ANY};{preset}" if preset else _ANY)
    said, score = settings.score.staging, animation.score
    staging = dataclasses.replace(score.staging, props=said.props, style=said.style, catches=said.catches)
    parameters = settings.applied_to(animation.parameters)
    if score.placed or staging == score.staging:
        # Events of a file say themselves what is juggled.
        return animation.replace(**dataclasses.asdict(parameters))
    return Animation(dataclasses.replace(score, staging=staging), parameters)
