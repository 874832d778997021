"""An arm of four joints, as most tests of chains want it: three at the shoulder, one at the
elbow.
"""

from math import radians

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.chain import Chain, Frame, Revolute

UPPER, LOWER = 0.30, 0.28

ARM = Chain(
    (
        Revolute("outward", -1, (0, 0, 0), (0, 0, 1), radians(-60), radians(170)),
        Revolute("backward", 0, (0, 0, 0), (1, 0, 0), radians(-150), radians(60)),
        Revolute("about itself", 1, (0, 0, 0), (0, 1, 0), radians(-90), radians(90)),
        Revolute("elbow", 2, (0, -UPPER, 0), (1, 0, 0), radians(-145), 0.0),
    )
)
WRIST = Frame(3, (0, -LOWER, 0))
NEUTRAL = np.radians([15.0, -20.0, 0.0, -80.0])


def random_angles(chain: Chain, count: int, seed: int = 1) -> Floats:
    """Poses within the limits, shape (count, n), [rad]."""
    lower, upper = chain.limits
    return np.random.default_rng(seed).uniform(lower, upper, (count, len(chain)))
