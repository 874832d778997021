"""Bodies without breath, sway and blinks, which go on from loop to loop."""

from dataclasses import replace

from juggle_anim import Animation


def without_life(animation: Animation) -> Animation:
    still = animation.replace()
    still.__dict__["plan"] = replace(animation.plan, life=None)
    return still
