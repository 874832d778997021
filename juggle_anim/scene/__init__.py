"""Scenes: poses and props as arrays of instances for the renderer, with a camera and a stage."""

from juggle_anim.scene.camera import Camera
from juggle_anim.scene.compose import Scenes, compose
from juggle_anim.scene.framing import Framing, frame_above_floor, frame_points
from juggle_anim.scene.scene import STUDIO, Scene, Stage

__all__ = [
    "STUDIO",
    "Camera",
    "Framing",
    "Scene",
    "Scenes",
    "Stage",
    "compose",
    "frame_above_floor",
    "frame_points",
]
