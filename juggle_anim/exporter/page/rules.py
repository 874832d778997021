"""The numbers by which a page poses arms: those of the body, so that each stands in one place."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from juggle_anim.body import arm, bulk, clearance, hand, skeleton
from juggle_anim.body.arms import arm as bones
from juggle_anim.body.arms import natural


def body_rules() -> dict[str, dict[str, Any]]:
    """The constants of the modules that the page's scripts follow, by module and name."""
    modules = {"skeleton": skeleton, "bones": bones, "hand": hand, "arm": arm, "natural": natural, "bulk": bulk}
    return {name: _constants(module) for name, module in {**modules, "clearance": clearance}.items()}


def _constants(module: ModuleType) -> dict[str, Any]:
    named = {name.lstrip("_"): value for name, value in vars(module).items() if name.isupper()}
    return {
        name: np.asarray(value).tolist()
        for name, value in named.items()
        if isinstance(value, int | float | tuple | np.ndarray) and np.asarray(value).dtype.kind in "if"
    }
