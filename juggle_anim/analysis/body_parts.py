"""Parts of the body: what each limb of the figure is called, and the hand that it belongs to."""

from __future__ import annotations

import numpy as np

from juggle_anim.body import Joint
from juggle_anim.scene.limbs import LIMBS, Limb

_SIDES = ("left", "right")
# The first joint of which a limb has a share gives it its name.
_NAMES = (
    ("HEAD", "head"),
    ("PALM", "hand"),
    ("WRIST", "forearm"),
    ("ELBOW", "upper arm"),
    ("TOES", "foot"),
    ("ANKLE", "shin"),
    ("KNEE", "thigh"),
)
_OF_THE_HAND = ("hand", "forearm")


def _part(limb: Limb) -> tuple[str, int]:
    """A limb's name, and 0 or 1 where it is of the left or right hand or forearm, else −1."""
    share = np.abs(limb.start) + np.abs(limb.end)
    for joint, name in _NAMES:
        if joint == "HEAD" and share[Joint.HEAD]:
            return name, -1
        for side, word in enumerate(_SIDES):
            if joint != "HEAD" and share[Joint[f"{word.upper()}_{joint}"]]:
                return f"{word} {name}", side if name in _OF_THE_HAND else -1
    return "trunk", -1


PARTS: tuple[str, ...] = tuple(_part(limb)[0] for limb in LIMBS)
"""What each limb of a figure is part of."""

ARM_OF: tuple[int, ...] = tuple(_part(limb)[1] for limb in LIMBS)
"""For each limb the side of the hand to which it brings props, −1 for all that only is in their way."""
