"""Make `assets/figure.npz`, the skin of the figure, from the description below: `python
scripts/build_figure.py`.

Each piece, such as the shirt, is a smooth union of signed distances: round cones, ellipsoids and
lofts, which are tubes whose outline changes along them. Marching cubes turns it into triangles, of
which quadric simplification leaves as many as each level of detail needs. What a piece of skin
weighs for a bone follows from the shapes that it is near to, and from where along the limb it lies.
The same script gives the same bytes again.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from figure.arm import arm, hand_alone
from figure.asset import packed, write
from figure.clothes import (
    BAND,
    bare_leg,
    from_collar,
    neckband,
    shirt,
    shoe,
    shorts,
    sock,
    trousers,
)
from figure.eyes import eyes
from figure.face import face
from figure.hair import cuts
from figure.head import ear, head
from figure.piece import Piece
from figure.rest_pose import REST
from figure.shapes import Shape, mirrored
from figure.surfaces import levels
from numpy.typing import NDArray

from juggle_anim.arrays import Floats

TARGET = Path(__file__).parents[1] / "assets" / "figure.npz"


def main(path: Path) -> None:
    """Make the file."""
    made = [first + then for first, then in zip(eyes(), neckband(), strict=True)]
    for piece in all_pieces():
        for total, part in zip(made, levels(piece), strict=True):
            total += part
        print(
            piece.part or piece.cover,
            [sum(len(m.triangles) for m in part) for part in made],
            flush=True,
        )
    arrays: dict[str, NDArray[np.generic]] = {"joints": REST}
    for number, level in enumerate(made):
        arrays |= {f"{name}{number}": array for name, array in packed(level).items()}
        print(
            number,
            len(arrays[f"points{number}"]),
            "corners",
            len(arrays[f"triangles{number}"]),
            "triangles",
        )
    write(arrays, path)
    print(path, path.stat().st_size, "bytes")


def all_pieces() -> list[Piece]:
    """What the figure is made of."""
    bare_head = head()
    bare_arm = arm()
    below = trousers()
    other_arm = mirrored(Shape(bare_arm.distance)).distance
    skin = (bare_head.distance, bare_arm.distance, other_arm)

    def within_band(points: Floats) -> Floats:
        return from_collar(points) - 0.35 * BAND

    def arms(points: Floats) -> Floats:
        return np.minimum(bare_arm.distance(points), other_arm(points))

    return [
        *(
            replace(
                shirt(sleeves), over=(*skin, below.distance, within_band), clear=0.0018, under=arms
            )
            for sleeves in ("short", "long")
        ),
        below,
        shorts(),
        bare_leg(),
        replace(sock(), under=bare_leg().distance),
        bare_arm,
        hand_alone(),
        bare_head,
        ear(),
        *cuts(),
        *face(),
        *shoe(),
    ]


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET)
