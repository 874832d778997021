"""How deep elbows and forearms of the drawn figure are in its drawn trunk and head."""

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.scene.figure import LIMBS, Limb, figure_capsules

# From the elbow toward the wrist; the wrist itself is where the pattern has it.
SHARES = np.linspace(0.0, 0.75, 7)
RADII = 0.037 + (0.026 - 0.037) * SHARES


def _is_of_trunk_or_head(limb: Limb) -> bool:
    share = np.abs(limb.start) + np.abs(limb.end)
    legs_and_arms = [
        joint for joint in Joint if joint >= Joint.LEFT_ELBOW and joint not in (21, 22)
    ]
    return not share[legs_and_arms].any()


# The first lies between the shoulders, and arms begin there.
BODY = [place for place, limb in enumerate(LIMBS) if place and _is_of_trunk_or_head(limb)]


def body_depth(capsules: Floats, points: Floats) -> Floats:
    """How deep points (T, N, 3) are in trunk or head; capsules (T, `LIMBS`, 12) are of one juggler;
    shape (T, N).
    """
    limbs = capsules[:, BODY].astype(float)[:, :, None]
    start, along = limbs[..., 0:3], limbs[..., 4:7] - limbs[..., 0:3]
    away = points[:, None] - start
    share = np.clip((away * along).sum(-1) / (along * along).sum(-1), 0.0, 1.0)
    distance = np.linalg.norm(away - share[..., None] * along, axis=-1)
    return (limbs[..., 3] + share * (limbs[..., 7] - limbs[..., 3]) - distance).max(axis=1)


def forearm_depth(joints: Floats) -> float:
    """How deep the surface of any forearm gets below that of its body; joints (T, 1, `JOINTS`, 3),
    [m].
    """
    elbows, wrists = (
        joints[:, 0, Joint.LEFT_ELBOW : Joint.LEFT_WRIST],
        joints[:, 0, Joint.LEFT_WRIST : Joint.LEFT_PALM],
    )
    points = elbows[:, None] + SHARES[:, None, None] * (wrists - elbows)[:, None]
    depth = body_depth(figure_capsules(joints), points.reshape(len(joints), -1, 3))
    return float((depth + RADII.repeat(2)).max())
