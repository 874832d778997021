"""Shapes: how poses and props look, as plain arrays."""

from juggle_anim.scene.camera import Camera, frame_points
from juggle_anim.scene.compose import Scenes, compose
from juggle_anim.scene.scene import STUDIO, Scene, Stage

__all__ = ["STUDIO", "Camera", "Scene", "Scenes", "Stage", "compose", "frame_points"]
