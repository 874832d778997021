"""Animations whose models are looked at: each has something that others have not."""

from functools import lru_cache

import numpy as np

import juggle_anim as ja
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.choreography import EventKind
from juggle_anim.exporter.view import loops_until_props_return

PATTERNS = {
    "slow": "pattern=531;speed=0.5;figure=person",
    "claws": "pattern=3;catches=claw;chickenwing=60;figure=solid",
    "clubs that turn over": "pattern=3;prop=club;spins=1.5;figure=person",
    "passing with props of all sorts": "pattern=<3p 3|3p "
    "3>;prop=club,ring,ball,square;figure=person",
    "walking": "pattern=3;body=(0,0,0)...(90,60,80)...;figure=person",
    "far": "pattern=(6x,4)*;arms=two-link;figure=solid",
}


SOLID = ["claws", "far"]
"""Those whose people are round limbs."""


@lru_cache
def animation(name: str) -> Animation:
    return ja.animate(PATTERNS[name])


@lru_cache
def closing(name: str) -> Animation:
    """The animation as models show it that end when all props are back."""
    return animation(name).closing_after(loops_until_props_return(animation(name), shortest=0.0))


def joints_at(name: str, played: Floats, *, closes: bool = True) -> Floats:
    """The joints at times as they are played, shape (T, J, joints, 3)."""
    shown = closing(name) if closes else animation(name)
    return shown.pose(played * shown.parameters.speed).joints


BOUNCING = "pattern=7B5BF3;speed=0.8"
"""Balls whose paths have corners."""


def contacts_of(bouncing: Animation) -> Floats:
    """When anything is thrown, caught or bounces, [s] as played, in the first loop; and corners, by
    brute force.
    """
    events, fine = bouncing.choreography.events, np.linspace(0, bouncing.duration, 100_001)
    held = np.isin(events.kind, (EventKind.THROW, EventKind.CATCH))
    steps = np.diff(bouncing.sample(fine).props[..., 1], axis=0)
    bounces = fine[1:-1][((steps[:-1] < -1e-5) & (steps[1:] > 1e-5)).any(axis=1)]
    return np.sort(np.concatenate([events.time[held], bounces])) / bouncing.parameters.speed


def file_name(joint: Joint) -> str:
    return joint.name.lower()
