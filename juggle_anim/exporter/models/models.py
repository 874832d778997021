"""Writing a model: its files, whole or not at all."""

from __future__ import annotations

from pathlib import Path

from juggle_anim.atomic_file import atomic_file, cannot_write
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.completeness import is_complete
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Progress, WriteOptions
from juggle_anim.exporter.resume import claim, provenance
from juggle_anim.exporter.view import USUAL
from juggle_anim.formats import MODELS, Format, load


def write_model(
    shots: FrameRequest,
    path: Path,
    force: bool,
    progress: Progress | None,
    manner: WriteOptions = DEFAULT_OPTIONS,
) -> list[Path]:
    """Write shots as a model or a table of the kind that the ending names.

    Args:
        shots: what, from the first moment on.
        path: where; BVH has files of its own for several jugglers, and for the props.
        force: whether what is there may be replaced.
        progress: called with the number of moments done and of all.
        manner: how; when resumed, what is there is kept once it has proved to be of this very export.

    Returns:
        The files.

    Raises:
        ParameterError: such files have no place for what is asked for, or it would be too large.
        ExportError: something is there and `force` is not given, or a file cannot be written.
    """
    model = MODELS[path.suffix.casefold()]
    check_model(model, shots, path)
    words = provenance(shots, manner).text
    paths: list[Path] = load(model.paths)(shots, path) if model.paths else [path]
    *others, proof = paths
    with cannot_write(path):
        proven = manner.resume and proof.exists()  # else `claim` ends the export
    wanted = claim(proof, words, force, manner.resume)
    with cannot_write(path):
        whole = not wanted and all(each.exists() and is_complete(each) for each in others)
    if not whole:
        for each in others:
            claim(each, words, force or proven, resume=False)
        _write(model, shots, paths, words, progress)
    return paths


def check_model(model: Format, shots: FrameRequest, path: Path) -> None:
    """Refuse what no such file can have.

    Raises:
        ParameterError: it is asked for, or a library is missing.
    """
    if model.need:
        load(model.need)()
    if shots.supersampling > 1 or shots.blur > 1:
        raise ParameterError(f"{path}: {model.name} has no pixels; leave supersampling and blur out")
    if not model.scene and shots.view != USUAL:
        raise ParameterError(f"{path}: {model.name} has no camera; .glb, .gltf and .usdz have one")
    if not model.scene and shots.transparent:
        raise ParameterError(f"{path}: {model.name} has nothing behind people and props to leave out")


def _write(model: Format, shots: FrameRequest, paths: list[Path], words: str, progress: Progress | None) -> None:
    write = load(model.model)
    if model.paths:
        write(shots, paths, words, progress)
        return
    with atomic_file(paths[0]) as draft:
        write(shots, draft, words, progress)
