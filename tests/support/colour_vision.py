"""How eyes see colours: dichromats after Machado, Oliveira and Fernandes (2009), differences by
CIEDE2000, contrasts as in the Web Content Accessibility Guidelines 2.2.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

Colour = Sequence[float]

USUAL = np.eye(3)
# G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based Model for Simulation
# of Color Vision Deficiency", IEEE TVCG 15 (2009), 1291-1298: severity 1.0, for linear RGB.
PROTANOPIA = np.array(
    [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]
)
DEUTERANOPIA = np.array(
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]
)
TRITANOPIA = np.array(
    [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ]
)
EYES = {
    "usual": USUAL,
    "protanopia": PROTANOPIA,
    "deuteranopia": DEUTERANOPIA,
    "tritanopia": TRITANOPIA,
}

_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colours: np.ndarray) -> np.ndarray:
    """Light of sRGB colours, 0 to 1."""
    return np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)


def lab(colours: Iterable[Colour], eyes: np.ndarray = USUAL) -> np.ndarray:
    """CIELAB of sRGB colours, as such eyes see them, shape (N, 3)."""
    seen = np.clip(linear(np.array(list(colours), dtype=float)) @ eyes.T, 0, 1)
    ratio = seen @ _XYZ.T / _WHITE
    root = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.stack(
        [116 * root[:, 1] - 16, 500 * (root[:, 0] - root[:, 1]), 200 * (root[:, 1] - root[:, 2])],
        axis=1,
    )


def difference(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """CIEDE2000 of CIELAB colours, shape (N,).

    G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 Color-Difference Formula", Color Research and
    Application 30 (2005).
    """
    mean = (np.hypot(first[:, 1], first[:, 2]) + np.hypot(second[:, 1], second[:, 2])) / 2
    stretch = 1.5 - 0.5 * np.sqrt(mean**7 / (mean**7 + 25.0**7))
    a = np.stack([stretch * first[:, 1], stretch * second[:, 1]])
    b = np.stack([first[:, 2], second[:, 2]])
    chroma, hue = np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360
    apart, both = hue[1] - hue[0], chroma[0] * chroma[1] > 0
    apart = np.where(both, (apart + 180) % 360 - 180, 0.0)
    wide = np.abs(hue[1] - hue[0]) > 180
    middle = np.where(both, (hue.sum(axis=0) + 360 * wide) / 2 % 360, hue.sum(axis=0))
    light, mean_chroma = (first[:, 0] + second[:, 0]) / 2, chroma.mean(axis=0)
    weight = (
        1
        - 0.17 * np.cos(np.radians(middle - 30))
        + 0.24 * np.cos(np.radians(2 * middle))
        + 0.32 * np.cos(np.radians(3 * middle + 6))
        - 0.20 * np.cos(np.radians(4 * middle - 63))
    )
    lightness = (second[:, 0] - first[:, 0]) / (
        1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    )
    colourfulness = (chroma[1] - chroma[0]) / (1 + 0.045 * mean_chroma)
    turn = (
        2
        * np.sqrt(chroma[0] * chroma[1])
        * np.sin(np.radians(apart / 2))
        / (1 + 0.015 * mean_chroma * weight)
    )
    rotation = -2 * np.sqrt(mean_chroma**7 / (mean_chroma**7 + 25.0**7))
    rotation = rotation * np.sin(np.radians(60 * np.exp(-(((middle - 275) / 25) ** 2))))
    return np.sqrt(lightness**2 + colourfulness**2 + turn**2 + rotation * colourfulness * turn)


def least_difference(colours: Sequence[Colour], eyes: np.ndarray) -> float:
    """Of the two colours that are most alike to such eyes."""
    seen = lab(colours, eyes)
    first, second = np.array(list(combinations(range(len(seen)), 2))).T
    return float(difference(seen[first], seen[second]).min())


def contrast(first: Colour, second: Colour) -> float:
    """Of two colours, 1 to 21."""
    dark, light = sorted(
        float(linear(np.array(colour, dtype=float)) @ _XYZ[1]) for colour in (first, second)
    )
    return (light + 0.05) / (dark + 0.05)
