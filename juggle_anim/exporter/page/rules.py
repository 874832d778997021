"""The numbers by which a page poses arms: those of the body, so that each stands in one place."""

from __future__ import annotations

from typing import Any

import numpy as np

from juggle_anim.body.arm import ARM_RULES
from juggle_anim.body.arms.arm import BONE_RULES
from juggle_anim.body.arms.natural import NATURAL_RULES
from juggle_anim.body.bulk import BULK_RULES
from juggle_anim.body.clearance import CLEARANCE_RULES
from juggle_anim.body.hand import HAND_RULES
from juggle_anim.body.skeleton import SKELETON_RULES

_RULES = {
    "skeleton": SKELETON_RULES,
    "bones": BONE_RULES,
    "hand": HAND_RULES,
    "arm": ARM_RULES,
    "natural": NATURAL_RULES,
    "bulk": BULK_RULES,
    "clearance": CLEARANCE_RULES,
}


def body_rules() -> dict[str, dict[str, Any]]:
    """What the page's scripts follow, by the part of the body and the name, as JSON can hold it."""
    return {part: {name: np.asarray(rule).tolist() for name, rule in rules.items()} for part, rules in _RULES.items()}
