"""One picture of one moment with elbows hanging, raised and more: `out/chicken-wing.png`."""

from pathlib import Path

import numpy as np

import juggle_anim as ja
from juggle_anim.exporter.stills import encode_png
from juggle_anim.render import Offscreen

WIDTH = 300
HEIGHT = 400
ANGLES = (-30, 0, 30, 60, 90, 120)

animation = ja.animate("3")
camera = animation.camera(WIDTH / HEIGHT)
with Offscreen(WIDTH, HEIGHT) as offscreen:
    pictures = [
        offscreen.image(animation.replace(chicken_wing=angle).scene(0.0, camera))
        for angle in ANGLES
    ]

sheet = np.hstack(pictures)
path = Path("out/chicken-wing.png")
path.parent.mkdir(exist_ok=True)
path.write_bytes(encode_png(sheet))
print(f"{path}: chicken-wing angles {', '.join(map(str, ANGLES))} degrees, from the left")
