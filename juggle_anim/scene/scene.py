"""The scene: everything to be drawn at one time, as plain arrays."""

from dataclasses import dataclass, field

from juggle_anim.arrays import Singles
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.rows import Cone, Sphere, no_rows
from juggle_anim.scene.stage import Stage
from juggle_anim.scene.stereo import OFF

NO_CONES, NO_SPHERES, NO_SKETCHES = no_rows(0, Cone.WIDTH), no_rows(0, Sphere.WIDTH), no_rows(0, 0, Cone.WIDTH)


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
    veils: Singles = field(default_factory=lambda: NO_CONES)
    stereo: str = OFF
    axes: Singles = field(default_factory=lambda: NO_CONES)
    bubbles: Singles = field(default_factory=lambda: NO_CONES)
    sketches: Singles = field(default_factory=lambda: NO_SKETCHES)
    limbs: int = 0
