"""What an export writes: the path decides."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from juggle_anim.animation import Animation
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.films import FILMS
from juggle_anim.exporter.frames import write_frames
from juggle_anim.exporter.manner import Manner
from juggle_anim.exporter.models.models import MODELS
from juggle_anim.exporter.models.write_model import write_model
from juggle_anim.exporter.shots import Shots, loops_until_props_return
from juggle_anim.exporter.still import write_still
from juggle_anim.exporter.stills import STILLS
from juggle_anim.exporter.template import CAMERA, Template, read_template
from juggle_anim.exporter.video import write_video
from juggle_anim.exporter.view import USUAL, View, read_view
from juggle_anim.printable import printable

ALL_PROPS = "all"
"""In place of a number of loops: until every prop is back at its place."""

PAGES = (".html",)
"""Endings of web pages."""

FPS = 60.0
"""The usual rate of frames, [frames/s]."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Job:
    """Shots, and where they go."""

    shots: Shots
    place: Path | Template
    kind: str

    def write(self, force: bool, progress: Progress | None, manner: Manner) -> list[Path]:
        """Write them, and give the files back.

        Raises:
            ParameterError: there is to be a sound, and this is no video; or as the writer of this kind has it.
            ExportError, RenderError: likewise.
        """
        if manner.sound and self.kind != "film":
            raise ParameterError(f"{self.name}: pictures have no sound; {_with_sound()} have one")
        if self.kind == "frames":
            return write_frames(self.shots, self.place, force, progress, manner)
        assert isinstance(self.place, Path)
        if self.kind == "model":
            return write_model(self.shots, self.place, force, progress, manner)
        one = {"still": write_still, "film": write_video, "page": _write_page}[self.kind]
        return [one(self.shots, self.place, force, progress, manner)]

    @property
    def name(self) -> str:
        """The file or folder, or the first of several names."""
        return str(self.place.path(0) if isinstance(self.place, Template) else self.place)

    def within(self, folder: Path) -> Job:
        """The same with files that stand elsewhere."""
        if isinstance(self.place, Template):
            return replace(self, place=replace(self.place, folder=folder))
        return replace(self, place=folder / self.place.name)


def jobs_for(
    animation: Animation,
    path: Path,
    *,
    fps: float | None,
    loops: int | str | None,
    cameras: Sequence[str],
    **given: Any,
) -> list[Job]:
    """One job for each camera.

    Args:
        animation: what is shown.
        path: a folder, a template for the names of frames, or a file; `{camera}` in it is the camera's name.
        fps: pictures a second; None for what is usual.
        loops: how often the pattern is gone through, or `ALL_PROPS`; None for what is usual.
        cameras: names or angles; none for the usual one.
        given: other fields of `Shots`.

    Raises:
        ParameterError: no file has such an ending, there is no such camera, or both loops and a time are given.
    """
    if loops is not None and given.get("seconds") is not None:
        raise ParameterError("--seconds is a span of time, and --loops is whole loops: give one of them")
    views = list(dict.fromkeys(map(read_view, cameras))) or [USUAL]
    jobs = []
    for view in views:
        place, kind = _place(_of_camera(path, view, len(views)))
        film = FILMS.get(place.suffix.casefold()) if kind == "film" else None
        rate = fps if fps is not None else film.fps if film else FPS
        shots = Shots(animation, fps=rate, loops=_loops(animation, path, kind, loops, given), view=view, **given)
        jobs.append(Job(replace(shots, seconds=1 / shots.fps) if kind in ("still", "page") else shots, place, kind))
    return jobs


def _of_camera(path: Path, view: View, views: int) -> Path:
    """The path for one camera of several."""
    if CAMERA in str(path):
        return Path(str(path).replace(CAMERA, view.name))
    if views == 1:
        return path
    _, kind = _place(path)
    if kind == "frames":
        return path / view.name if read_template(path) is None else path.parent / view.name / path.name
    return path.with_name(f"{path.stem}-{view.name}{path.suffix}")


def _place(path: Path) -> tuple[Path | Template, str]:
    template = read_template(path)
    if template:
        if template.suffix not in STILLS:
            raise ParameterError(f"{path}: frames are not written as {template.suffix or 'that'}; {_kinds()}")
        return template, "frames"
    ending = path.suffix.casefold()
    if path.name.casefold() in (*FILMS, *STILLS, *PAGES, *MODELS):
        raise ParameterError(f"{path}: is an ending without a name; write one before it, as in a{path.name}")
    if not ending or os.path.isdir(path):  # Path.is_dir raises where a folder above is forbidden
        return path, "frames"
    if ending in FILMS:
        return path, "film"
    if ending in STILLS:
        return path, "still"
    if ending in PAGES:
        return path, "page"
    if ending in MODELS:
        return path, "model"
    if ending in _ELSEWHERE:
        raise ParameterError(f"{path}: export does not write {path.suffix} files, but {_ELSEWHERE[ending]}")
    raise ParameterError(f"{path}: juggle-anim does not write {path.suffix} files; {_kinds()}")


def _write_page(*given: Any) -> Path:
    # Few exports need what only pages do.
    from juggle_anim.exporter.page import write_page

    return write_page(*given)


def _with_sound() -> str:
    return ", ".join(ending for ending, film in FILMS.items() if film.sound)


def _kinds() -> str:
    return (
        f"it writes {', '.join((*FILMS, *PAGES))}, models and tables ({', '.join(MODELS)}), pictures "
        f"({', '.join(STILLS)}), and a folder of frames or names such as shot_####.png"
    )


_DRAW = "juggle-anim draw does: line drawings, contact sheets and diagrams"
_CONVERT = "juggle-anim convert does"
_ELSEWHERE = {".svg": _DRAW, ".pdf": _DRAW, ".jml": _CONVERT, ".jif": _CONVERT, ".txt": _CONVERT}


def _loops(animation: Animation, path: Path, kind: str, loops: int | str | None, given: dict[str, Any]) -> int:
    if loops == ALL_PROPS:
        return loops_until_props_return(animation, shortest=0.0)
    if isinstance(loops, str):
        raise ParameterError(f"loops is {printable(loops, 40)!r}, but must be a whole number from 1 up, or {ALL_PROPS}")
    if loops is not None:
        return loops
    if kind not in ("film", "model") or given.get("seconds") is not None:
        return 1
    # A player that repeats shows the first picture after the last: then every prop should be back.
    repeats = kind == "model" or FILMS[path.suffix.casefold()].repeats
    return loops_until_props_return(animation, **({"shortest": 0.0} if repeats else {}))
