"""A model: one animation in the files of one kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from juggle_anim.errors import ParameterError
from juggle_anim.exporter.shots import Shots
from juggle_anim.exporter.view import USUAL

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Model:
    """A kind of model or table.

    Args:
        name: of the format.
        write: writes shots into files, which carry some words in ASCII.
        paths: the files for the one that is named; the last carries the words.
        scene: whether it has a camera, and a floor that can be left out.
        need: raises a `ParameterError` where a library that it needs is not there.
    """

    name: str
    write: Callable[[Shots, list[Path], str, Progress | None], None]
    paths: Callable[[Shots, Path], list[Path]] = lambda _, path: [path]
    scene: bool = False
    need: Callable[[], None] = lambda: None

    def check(self, shots: Shots, path: Path) -> None:
        """Refuse what no such file can have.

        Raises:
            ParameterError: it is asked for, or a library is missing.
        """
        self.need()
        if shots.supersampling > 1 or shots.blur > 1:
            raise ParameterError(f"{path}: {self.name} has no pixels; leave supersampling and blur out")
        if not self.scene and shots.view != USUAL:
            raise ParameterError(f"{path}: {self.name} has no camera; .glb, .gltf and .usdz have one")
        if not self.scene and shots.transparent:
            raise ParameterError(f"{path}: {self.name} has nothing behind people and props to leave out")
