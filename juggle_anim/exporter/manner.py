"""Manner: how files are written, whatever they show."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.errors import ParameterError
from juggle_anim.exporter.quality import Quality, read_quality


@dataclass(frozen=True)
class Manner:
    """How files are written.

    Args:
        quality: how much may be lost, a word of `Quality`.
        resume: whether files that are there already, of the very same export, are kept, and only others written.
        first: the number of the first frame in the names of files.
        dither: whether a GIF mixes its colours pixel by pixel; plain areas then flicker, and the file grows.
        sound: whether a video has a sound for each catch.

    Raises:
        ParameterError: a number below 0, or another word.
    """

    quality: str = Quality.GOOD
    resume: bool = False
    first: int = 0
    dither: bool = False
    sound: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "quality", read_quality(self.quality))
        if self.first < 0:
            raise ParameterError(f"the first frame cannot have the number {self.first}: it must be from 0 up")


PLAIN = Manner()
"""How files are written when nobody says how."""
