"""The part of the floor that shadows may reach, and how finely it is drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.scene.rows import BALL, Cone, Sphere

SIZE = 512
"""Texels along an edge of the shadow texture."""

_FINEST = 0.01  # metres per texel; coarser ones are a power of two times it
_COARSEST = 10  # as an exponent of that: 10 m per texel
_SNAP = 16  # the box starts at a whole multiple of so many texels
_FAINTEST = 0.02  # a solid whose shadow is weaker at its darkest does not widen the box


@dataclass(frozen=True)
class ShadowBox:
    """A rectangle in the plane across the light, in whole texels: as it follows the scene, shadows don't shimmer.

    Args:
        origin: its low corner, [m].
        texel: width of a texel, [m].
        texels: how many of them it is wide and high, at most `SIZE`.
    """

    origin: tuple[float, float]
    texel: float
    texels: tuple[int, int]

    @property
    def scale(self) -> float:
        """Texture coordinates per metre."""
        return 1.0 / (self.texel * SIZE)

    @property
    def end(self) -> tuple[float, float]:
        """Its high corner, [m]."""
        return self.origin[0] + self.texels[0] * self.texel, self.origin[1] + self.texels[1] * self.texel


EMPTY = ShadowBox((0.0, 0.0), 1.0, (0, 0))


def shadow_box(spheres: Singles, capsules: Singles, axes: Floats, penumbra: float) -> ShadowBox:
    """The box around the shadows of a scene.

    Args:
        spheres, capsules: as in `Scene`.
        axes: shape (3, 3), unit vectors across, across and toward the light.
        penumbra: how much half the blur grows with the way to the floor.
    """
    balls = np.concatenate([spheres[:, BALL], capsules[:, Cone.FIRST], capsules[:, Cone.LAST]])
    blur = (penumbra / axes[2, 1]) * np.maximum(balls[:, 1], 0.0) + _FINEST
    # A limb is as dark as its width against its blur, a ball as the square of that.
    seen = balls[:, Sphere.RADIUS] > _FAINTEST * blur
    seen[: len(spheres)] = spheres[:, Sphere.RADIUS] > math.sqrt(_FAINTEST) * blur[: len(spheres)]
    if not seen.any():
        return EMPTY
    middles = balls[:, Sphere.CENTRE] @ axes[:2].T.astype(np.float32)
    reach = (balls[:, Sphere.RADIUS] + blur)[:, None]
    low, high = (middles - reach)[seen].min(axis=0).tolist(), (middles + reach)[seen].max(axis=0).tolist()
    return _snapped(low, high)


def _snapped(low: list[float], high: list[float]) -> ShadowBox:
    for level in range(_COARSEST + 1):
        texel = _FINEST * 2**level
        first = [_SNAP * math.floor(value / (_SNAP * texel)) for value in low]
        texels = [_SNAP * math.ceil((h / texel - f) / _SNAP) for h, f in zip(high, first, strict=True)]
        if max(texels) <= SIZE:
            return ShadowBox((first[0] * texel, first[1] * texel), texel, (texels[0], texels[1]))
    return EMPTY  # kilometres: shadows would not be seen
