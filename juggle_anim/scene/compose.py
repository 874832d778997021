"""Compose scenes: poses and props become shapes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import Pose
from juggle_anim.choreography import Choreography
from juggle_anim.motion import Frames, Motion, pointing
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.club import club_capsules
from juggle_anim.scene.figure import figure_capsules
from juggle_anim.scene.palette import prop_colours
from juggle_anim.scene.ring import ring_rows
from juggle_anim.scene.scene import NO_RINGS, Scene
from juggle_anim.scene.stage import STUDIO, Stage

_BALL_GLOSS = 0.6


@dataclass(frozen=True)
class Scenes:
    """Scenes at T times from one camera; `scenes[i]` is one of them.

    Args:
        spheres: shape (T, N, 8), rows as in `Scene.spheres`.
        capsules: shape (T, M, 12), rows as in `Scene.capsules`.
        rings: shape (T, R, 12), rows as in `Scene.rings`.
    """

    spheres: Singles
    capsules: Singles
    camera: Camera
    stage: Stage
    rings: Singles

    def __len__(self) -> int:
        return len(self.spheres)

    def __getitem__(self, index: int) -> Scene:
        return Scene(self.spheres[index], self.capsules[index], self.camera, self.stage, self.rings[index])

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
    colours, size, limbs = _colours(motion.choreography), motion.shapes.size, figure_capsules(pose.joints)
    if frames.aims is None:
        rings = np.broadcast_to(NO_RINGS, (len(frames.times), *NO_RINGS.shape))
        return Scenes(_balls(frames.props, size, colours), limbs, camera, STUDIO, rings)
    kinds = np.array(motion.shapes.kind)
    ball, club, ring = (np.flatnonzero(kinds == kind) for kind in ("ball", "club", "ring"))
    axes = pointing([frames.aims[:, club]])
    clubs = club_capsules(frames.props[:, club], axes, size[club], colours[club])
    return Scenes(
        _balls(frames.props[:, ball], size[ball], colours[ball]),
        np.concatenate([limbs, clubs], axis=1),
        camera,
        STUDIO,
        ring_rows(frames.props[:, ring], frames.aims[:, ring, 0], size[ring], colours[ring]),
    )


def _balls(centres: Floats, diameters: Floats, colours: Singles) -> Singles:
    spheres = np.empty((*centres.shape[:2], 8), dtype=np.float32)
    spheres[..., :3] = centres
    spheres[..., 3] = diameters / 2
    spheres[..., 4:7] = colours
    spheres[..., 7] = _BALL_GLOSS
    return spheres


def _colours(choreography: Choreography) -> Singles:
    """The colours that are chosen, and ours where nobody chose, shape (P, 3)."""
    ours = prop_colours(choreography.props)
    if all(look.colour is None for look in choreography.looks):
        return ours
    chosen = [own if look.colour is None else look.colour for own, look in zip(ours, choreography.looks, strict=True)]
    return np.array(chosen, dtype=np.float32)
