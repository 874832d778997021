"""What bodies do over a loop, to be read at any time."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.body.reach_plan import Reach
from juggle_anim.body.steps import Steps
from juggle_anim.body.swivels import Swivels
from juggle_anim.body.track import Track


@dataclass(frozen=True)
class BodyPlan:
    """What J jugglers do over one loop besides moving their hands; `plan_bodies` makes it.

    Args:
        reach: how trunk and shoulders come toward hands that are far, and give room to those that are near.
        gaze: shape (T, J, 2): yaw and pitch of the head, [rad]; None where heads keep still.
        steps: where the feet are; None where they stay under the bodies.
        swivels: elbows that are led, since they would race; None where none would.
    """

    reach: Reach
    gaze: Track | None
    steps: Steps | None
    swivels: Swivels | None = None
