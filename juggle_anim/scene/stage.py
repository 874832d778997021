"""The stage: what surrounds the jugglers."""

from dataclasses import dataclass

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Stage:
    """Floor, backdrop and light. Colours are sRGB, 0 to 1.

    `light` points from the floor toward the main light; shadows fall on the floor y = 0, away from it.
    """

    backdrop_top: Colour
    backdrop_bottom: Colour
    floor: Colour
    line: Colour
    light: tuple[float, float, float]


STUDIO = Stage(
    backdrop_top=(0.80, 0.83, 0.87),
    backdrop_bottom=(0.93, 0.94, 0.95),
    floor=(0.86, 0.87, 0.88),
    line=(0.74, 0.76, 0.79),
    light=(0.35, 1.0, 0.45),
)
"""A bright neutral photo studio."""

GYM = Stage(
    backdrop_top=(0.70, 0.77, 0.80),
    backdrop_bottom=(0.90, 0.88, 0.83),
    floor=(0.87, 0.79, 0.67),
    line=(0.72, 0.60, 0.45),
    light=(0.20, 1.0, 0.25),
)
"""A sports hall with a wooden floor and lamps high above."""

DARK = Stage(
    backdrop_top=(0.045, 0.055, 0.075),
    backdrop_bottom=(0.115, 0.13, 0.16),
    floor=(0.15, 0.165, 0.195),
    line=(0.25, 0.27, 0.31),
    light=(0.35, 1.0, 0.45),
)
"""A dark stage, on which props shine."""

STAGES = {"studio": STUDIO, "gym": GYM, "dark": DARK}
"""By their names."""

BRIGHT = "studio"
"""The name of one that is as bright as paper."""
