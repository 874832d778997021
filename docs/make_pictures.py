"""Make the pictures of the documentation from the program itself; the viewer needs a display (xvfb-run will do)."""

from pathlib import Path

import numpy as np
from diagram_pictures import all_pictures as diagrams
from elbow_pictures import all_pictures as elbows
from PIL import Image
from viewer_pictures import all_pictures as viewer

from juggle_anim.animation import animate
from juggle_anim.render import Offscreen

IMAGES = Path(__file__).parent / "images"
ANGLES = range(-15, 105, 15)


def chicken_wings() -> None:
    """One moment of the cascade at eight chicken-wing angles, side by side."""
    animation = animate("3")
    camera = animation.camera(0.62)
    with Offscreen(210, 340) as offscreen:
        pictures = [offscreen.image(animation.replace(chicken_wing=angle).scene(0.2, camera)) for angle in ANGLES]
    Image.fromarray(np.concatenate(pictures, axis=1)).save(IMAGES / "chicken_wing.png", optimize=True)


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    chicken_wings()
    elbows()
    diagrams()
    viewer()
