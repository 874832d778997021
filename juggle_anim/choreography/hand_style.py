"""Hand styles: where hands throw and catch, and how long they hold on, where nothing is said of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.choreography.places import SMALLEST_RADIUS
from juggle_anim.choreography.score import Point
from juggle_anim.parameters import Parameters


@dataclass(frozen=True)
class HandStyle:
    """Places by the value of a throw, 0 to 8 beats and more, outward from the middle of the body, [m].

    Args:
        same_hand: where it leaves the hand, if that will catch it again.
        crossing: where it leaves the hand, if the other will catch it.
        catch: where it is caught.
        throw_up: how much higher than the usual place of the hands they throw, [m].
        catch_up: how much higher they catch, [m].
        give: how the dwell follows what comes and what went, as `time_throws` takes it.
        circle: radius at least of the circle in which several jugglers stand, [m].
        width: by which all places are stretched outward.
    """

    same_hand: tuple[float, ...]
    crossing: tuple[float, ...]
    catch: tuple[float, ...]
    throw_up: float
    catch_up: float
    give: float
    circle: float
    width: float = 1.0

    def throw_point(self, value: float, crosses: bool) -> Point:
        """Where a throw of `value` beats leaves the hand; `crosses` when the other hand will catch it."""
        return self._place(value, self.crossing if crosses else self.same_hand, self.throw_up)

    def catch_point(self, value: float) -> Point:
        """Where a throw of `value` beats is caught."""
        return self._place(value, self.catch, self.catch_up)

    def shaped(self, parameters: Parameters) -> HandStyle:
        """This style, as wide and high as the parameters want it."""
        return replace(
            self,
            width=self.width * parameters.width / 100,
            throw_up=self.throw_up + parameters.throw_height / 100,
            catch_up=self.catch_up + parameters.catch_height / 100,
        )

    def _place(self, value: float, outward: tuple[float, ...], up: float) -> Point:
        return self.width * float(np.interp(value, range(len(outward)), outward)), up, 0.0


STYLES = {
    # Hands stay near each other and at the height of the elbows, and wait longer for what comes from high up: so they
    # need the least acceleration. Passers stand two steps apart, with room for clubs.
    "natural": HandStyle(
        same_hand=(0.0, 0.20, 0.20, 0.18, 0.15, 0.15, 0.15, 0.15, 0.15),
        crossing=(0.0, 0.17, 0.15, 0.12, 0.14, 0.15, 0.16, 0.16, 0.17),
        catch=(0.0, 0.17, 0.28, 0.28, 0.30, 0.30, 0.30, 0.30, 0.30),
        throw_up=0.06,
        catch_up=0.06,
        give=0.065,
        circle=1.0,
    ),
    # The geometry of Juggling Lab 1.7.7.
    "juggling-lab": HandStyle(
        same_hand=(0.0, 0.20, 0.25, 0.12, 0.07, 0.075, 0.05, 0.05, 0.05),
        crossing=(0.0, 0.17, 0.17, 0.07, 0.10, 0.14, 0.25, 0.24, 0.30),
        catch=(0.0, 0.17, 0.25, 0.30, 0.40, 0.45, 0.45, 0.50, 0.50),
        throw_up=0.0,
        catch_up=0.0,
        give=0.0,
        circle=SMALLEST_RADIUS,
    ),
}
"""All styles by name; the first is the usual one."""
