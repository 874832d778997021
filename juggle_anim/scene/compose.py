"""Compose scenes: poses and props become shapes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Singles
from juggle_anim.body import Pose
from juggle_anim.choreography import Choreography
from juggle_anim.motion import Frames, Motion
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.figure import figure_capsules
from juggle_anim.scene.palette import prop_colours
from juggle_anim.scene.scene import Scene
from juggle_anim.scene.stage import STUDIO, Stage

_BALL_GLOSS = 0.6


@dataclass(frozen=True)
class Scenes:
    """Scenes at T times from one camera; `scenes[i]` is one of them.

    Args:
        spheres: shape (T, N, 8), rows as in `Scene.spheres`.
        capsules: shape (T, M, 12), rows as in `Scene.capsules`.
    """

    spheres: Singles
    capsules: Singles
    camera: Camera
    stage: Stage

    def __len__(self) -> int:
        return len(self.spheres)

    def __getitem__(self, index: int) -> Scene:
        return Scene(self.spheres[index], self.capsules[index], self.camera, self.stage)

    def __iter__(self) -> Iterator[Scene]:
        return (self[index] for index in range(len(self)))


def compose(frames: Frames, pose: Pose, motion: Motion, camera: Camera) -> Scenes:
    """What is to be drawn at each time.

    Args:
        frames: where the props are.
        pose: where the jugglers' joints are, at the same times.
        motion: the motion that both are of: it knows what props look like.
        camera: where the pictures are taken from.
    """
    times, props = frames.props.shape[:2]
    spheres = np.empty((times, props, 8), dtype=np.float32)
    spheres[..., :3] = frames.props
    spheres[..., 3] = motion.prop_radii
    spheres[..., 4:7] = _colours(motion.choreography)
    spheres[..., 7] = _BALL_GLOSS
    return Scenes(spheres, figure_capsules(pose.joints), camera, STUDIO)


def _colours(choreography: Choreography) -> Singles:
    """The colours that are chosen, and ours where nobody chose, shape (P, 3)."""
    ours = prop_colours(choreography.props)
    if all(look.colour is None for look in choreography.looks):
        return ours
    chosen = [own if look.colour is None else look.colour for own, look in zip(ours, choreography.looks, strict=True)]
    return np.array(chosen, dtype=np.float32)
