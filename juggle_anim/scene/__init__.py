"""Shapes: how poses and props look, as plain arrays."""

from juggle_anim.scene.camera import Camera
from juggle_anim.scene.compose import Scenes, compose
from juggle_anim.scene.framing import frame_points
from juggle_anim.scene.scene import Scene
from juggle_anim.scene.stage import STUDIO, Stage

__all__ = ["STUDIO", "Camera", "Scene", "Scenes", "Stage", "compose", "frame_points"]
