"""Detail: which figures are drawn limb by limb, and which are so small in the picture that a sketch will do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Floats, Singles
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.rows import Cone
from juggle_anim.scene.scene import Scene

LIMBS_FROM = 28.0
"""From this size on all limbs are drawn, [pixels per metre]: a finger is half a pixel wide."""

SHADOWS_FROM = 75.0
"""The same for shadows, which are soft."""

_BEHIND = 2.0  # m; nobody reaches farther from behind the eye into the picture


def drawn_limbs(scene: Scene, camera: Camera, view: Floats, height: int) -> tuple[Singles, Singles]:
    """The capsules of a scene that are drawn, and those that cast shadows, which may be the same array.

    They follow from what is seen and from the picture's size alone, so that a window shows what an export writes.

    Args:
        scene: what is drawn.
        camera, view: from where, and its matrix.
        height: of the picture, [pixels].
    """
    figures = len(scene.sketches)
    if not figures:
        return scene.capsules, scene.capsules
    depths = -(scene.sketches[:, 0, Cone.START] @ view[2, :3] + view[2, 3])
    if camera.orthographic:
        sizes = np.full(figures, 0.5 * height * camera.scales(1.0)[1] / camera.distance)
        seen = np.ones(figures, dtype=bool)
    else:
        sizes = 0.5 * height * camera.scales(1.0)[1] / np.maximum(depths, 1e-3)
        seen = depths > -_BEHIND
    if sizes.min() >= SHADOWS_FROM and seen.all():
        return scene.capsules, scene.capsules
    near = sizes >= LIMBS_FROM
    return _chosen(scene, near & seen, ~near & seen), _chosen(scene, sizes >= SHADOWS_FROM, sizes < SHADOWS_FROM)


def _chosen(scene: Scene, whole: NDArray[np.bool_], sketched: NDArray[np.bool_]) -> Singles:
    """The limbs of some figures, the sketches of others, and all that is no figure."""
    limbs = scene.capsules[: scene.limbs].reshape(len(scene.sketches), -1, Cone.WIDTH)[whole]
    rest = scene.capsules[scene.limbs :]
    return np.concatenate([limbs.reshape(-1, Cone.WIDTH), scene.sketches[sketched].reshape(-1, Cone.WIDTH), rest])
