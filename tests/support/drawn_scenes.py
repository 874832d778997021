"""Small scenes for tests of the renderer, and what is to be seen in their pictures."""

from typing import Any

import numpy as np

from juggle_anim.arrays import Booleans, Bytes, Floats
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.scene import STUDIO, Scene, Stage
from juggle_anim.scene.scene import brightness as stage_brightness

RED, GREEN, BLUE = (0.9, 0.1, 0.1, 0.0), (0.1, 0.8, 0.1, 0.0), (0.1, 0.1, 0.9, 0.0)
CAMERA = Camera(eye=(0.4, 1.6, 5.0), target=(0.0, 1.1, 0.0))
BRIGHTNESS = np.array([0.30, 0.59, 0.11])
WHITE = (1.0, 1.0, 1.0)
PLAIN = Stage(WHITE, WHITE, WHITE, WHITE, STUDIO.light, rim=(0.0, 0.0, 0.0))


def sphere(centre: Any, radius: float, paint: tuple[float, ...] = RED) -> list[float]:
    return [*centre, radius, *paint]


def capsule(
    start: Any, ra: float, end: Any, rb: float, paint: tuple[float, ...] = RED
) -> list[float]:
    return [*start, ra, *end, rb, *paint]


def scene(
    spheres: list[list[float]] = [],  # noqa: B006 never changed
    capsules: list[list[float]] = [],  # noqa: B006
    camera: Camera = CAMERA,
    stage: Stage = STUDIO,
) -> Scene:
    return Scene(
        np.array(spheres, dtype=np.float32).reshape(-1, 8),
        np.array(capsules, dtype=np.float32).reshape(-1, 12),
        camera,
        stage,
    )


def reddish(picture: Bytes) -> Floats:
    """How much of each pixel a red solid covers, about 0 to 1, before a white studio."""
    red, green, _ = np.moveaxis(picture / 255, -1, 0)
    apart = red - green
    # Shades of RED have a ninth as much green; so much of such a shade, and so much white, is the
    # colour of a pixel.
    opacity = np.maximum(1.0 - green + apart / 8, 1e-6)
    own = (RED[:3] @ BRIGHTNESS / (RED[0] - RED[1])) * apart / opacity
    # Edges are mixed as light.
    share = (1.0 - (1.0 + opacity * (own - 1.0)) ** 2) / np.maximum(1.0 - own**2, 1e-6)
    return np.where(apart > 0.003, np.clip(share, 0.0, 1.0), 0.0)


def light_share(picture: Bytes, stage: Stage) -> Floats:
    """How much of each pixel of a transparent picture is covered; opacities mix light over the
    stage.
    """
    alpha, behind = picture[..., 3] / 255, stage_brightness(stage)
    own = picture[..., :3] @ BRIGHTNESS / np.maximum(picture[..., 3], 1)
    mixed = alpha * own + (1 - alpha) * behind
    return np.where(alpha > 0, (mixed**2 - behind**2) / (own**2 - behind**2), 0.0)


def rays(camera: Camera, width: int, height: int) -> Floats:
    """Unit vectors in the world through each pixel's middle, shape (height, width, 3), top row
    first.
    """
    x = (np.arange(width) + 0.5) / width * 2 - 1
    y = 1 - (np.arange(height) + 0.5) / height * 2
    slope = np.tan(camera.field_of_view / 2)
    local = np.stack(
        np.broadcast_arrays(x * slope * width / height, y[:, None] * slope, -1.0), axis=-1
    )
    world = local @ camera.view()[:3, :3]
    return world / np.linalg.norm(world, axis=-1, keepdims=True)


def seen(camera: Camera, width: int, height: int, place: Any) -> Floats:
    """Where a place in the world appears: (column, row) in pixels from the top left corner."""
    clip = camera.projection(width / height) @ camera.view() @ np.array([*place, 1.0])
    x, y = clip[:2] / clip[3]
    return np.array([(x + 1) / 2 * width, (1 - y) / 2 * height])


def hits_round_cone(camera: Camera, width: int, height: int, cone: list[float]) -> Booleans:
    """Which pixels' rays come within the radius of any of many spheres along a round cone."""
    a, ra, b, rb = np.array(cone[:3]), cone[3], np.array(cone[4:7]), cone[7]
    along = rays(camera, width, height)
    hit = np.zeros((height, width), dtype=bool)
    for share in np.linspace(0.0, 1.0, 150):
        centre = a + share * (b - a) - np.array(camera.eye)
        reach = along @ centre
        radius = ra + share * (rb - ra)
        hit |= (centre @ centre - reach**2 <= radius**2) & (reach > 0)
    return hit


SCENE = scene(
    [sphere((0.2, 1.5, 0.4), 0.1, RED)],
    [
        capsule((0.0, 0.1, 0.0), 0.1, (0.1, 1.4, 0.0), 0.15, GREEN),
        capsule((0.1, 1.4, 0.0), 0.1, (0.5, 1.0, 0.3), 0.05),
    ],
)
