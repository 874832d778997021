"""The scene: everything to be drawn at one time, as plain arrays.

MERGED: The stage: what surrounds the jugglers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from juggle_anim.arrays import Singles
from juggle_anim.scene.camera import OFF, Camera
from juggle_anim.scene.rows import Cone, Sphere, no_rows

NO_CONES, NO_SPHERES, NO_SKETCHES = no_rows(0, Cone.WIDTH), no_rows(0, Sphere.WIDTH), no_rows(0, 0, Cone.WIDTH)

Colour = tuple[float, float, float]

BRIGHT_STAGE = "studio"
"""The name of one that is as bright as paper."""


@dataclass(frozen=True)
class Scene:
    """What one picture shows. Each row of an array is one instance for the graphics card; `rows` names its columns.

    Args:
        spheres: shape (N, 8): centre xyz [m], radius [m], colour rgb (sRGB, 0 to 1), gloss (0 dull to 1 polished).
        capsules: shape (M, 12): start xyz, start radius, end xyz, end radius [m], colour rgb, gloss. The radius may
            differ from end to end (a round cone), by less than the length.
        camera: where the picture is taken from.
        stage: floor, backdrop and light.
        rings: shape (R, 12): centre xyz, outer radius, unit vector xyz across its plane, inner radius, colour rgb,
            gloss.
        boxes: shape (B, 8): cubes, upright and square to the world: centre xyz, half an edge [m], colour rgb, gloss.
        ghosts: shape (G, 12), rows as of the capsules: limbs that are seen through, over everything, without shadows.
        traces: shape (K, 12), rows as of the capsules: tubes that are no solid things, and have no shadows.
        veils: shape (V, 12), rows as of the capsules: limbs that are seen through, among everything else.
        axes: shape (A, 12), rows as of the capsules: over everything, without shadows.
        bubbles: shape (U, 12): spheres that are seen through: centre xyz, radius; a place xyz, and how near to the
            sphere that is (0 to 1); colour rgb, and whether it should be beyond it (0 to 1).
        sketches: shape (F, S, 12): the figures once more, each of fewer limbs, for where they are small.
        limbs: how many capsules the sketches stand for; they come first.
        stereo: an option of that parameter; of a pair, the camera is that of both eyes.
    """

    spheres: Singles
    capsules: Singles
    camera: Camera
    stage: Stage
    rings: Singles = field(default_factory=lambda: NO_CONES)
    boxes: Singles = field(default_factory=lambda: NO_SPHERES)
    ghosts: Singles = field(default_factory=lambda: NO_CONES)
    traces: Singles = field(default_factory=lambda: NO_CONES)
    see_through: Singles = field(default_factory=lambda: NO_CONES)
    stereo: str = OFF
    axes: Singles = field(default_factory=lambda: NO_CONES)
    bubbles: Singles = field(default_factory=lambda: NO_CONES)
    low_detail: Singles = field(default_factory=lambda: NO_SKETCHES)
    limb_count: int = 0


@dataclass(frozen=True)
class Stage:
    """Floor, backdrop and light. Colours are sRGB, 0 to 1.

    `light` points from the floor toward the main light; shadows fall on the floor y = 0, away from it.
    """

    backdrop_top: Colour
    backdrop_bottom: Colour
    floor: Colour
    line: Colour
    light: tuple[float, float, float]


STUDIO = Stage(
    backdrop_top=(0.80, 0.83, 0.87),
    backdrop_bottom=(0.93, 0.94, 0.95),
    floor=(0.86, 0.87, 0.88),
    line=(0.74, 0.76, 0.79),
    light=(0.35, 1.0, 0.45),
)
"""A bright neutral photo studio."""

GYM = Stage(
    backdrop_top=(0.70, 0.77, 0.80),
    backdrop_bottom=(0.90, 0.88, 0.83),
    floor=(0.87, 0.79, 0.67),
    line=(0.72, 0.60, 0.45),
    light=(0.20, 1.0, 0.25),
)
"""A sports hall with a wooden floor and lamps high above."""

DARK = Stage(
    backdrop_top=(0.045, 0.055, 0.075),
    backdrop_bottom=(0.115, 0.13, 0.16),
    floor=(0.15, 0.165, 0.195),
    line=(0.25, 0.27, 0.31),
    light=(0.35, 1.0, 0.45),
)
"""A dark stage, on which props shine."""

STAGES = {"studio": STUDIO, "gym": GYM, "dark": DARK}
"""By their names."""
