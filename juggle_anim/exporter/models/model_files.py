"""Writing models and tables: a request goes to the writer of its format, complete files are kept where asked."""

from __future__ import annotations

from pathlib import Path

from juggle_anim.atomic_file import atomic_file, cannot_write
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Progress, WriteOptions
from juggle_anim.exporter.resume import claim, is_complete, provenance
from juggle_anim.exporter.view import DEFAULT_VIEW
from juggle_anim.formats import MODELS, Format, load
from juggle_anim.language import _


def write_model(
    request: FrameRequest, path: Path, force: bool, progress: Progress | None, options: WriteOptions = DEFAULT_OPTIONS
) -> list[Path]:
    """Write a request as a model or table of the format that the ending names.

    Args:
        request: the frames.
        path: the file; BVH has a file for each juggler, and one for the props.
        force: whether existing files may be replaced.
        progress: called with the number of frames done and of all frames.
        options: how to write; with `resume`, complete files of this same export are kept.

    Returns:
        The files.

    Raises:
        ParameterError: the format cannot hold what is requested, or the model would be too large.
        ExportError: a file exists and `force` is not set, or a file cannot be written.
    """
    model = MODELS[path.suffix.casefold()]
    check_model(model, request, path)
    metadata = provenance(request, options).text
    paths: list[Path] = load(model.paths)(request, path) if model.paths else [path]
    *others, last = paths
    with cannot_write(path):
        resumed = options.resume and last.exists()  # else `claim` ends the export
    missing = claim(last, metadata, force, options.resume)
    with cannot_write(path):
        complete = not missing and all(each.exists() and is_complete(each) for each in others)
    if not complete:
        for each in others:
            claim(each, metadata, force or resumed, resume=False)
        _write(model, request, paths, metadata, progress, force or resumed)
    return paths


def check_model(model: Format, request: FrameRequest, path: Path) -> None:
    """Refuse a request that the format cannot hold.

    Raises:
        ParameterError: it cannot, or a library is missing.
    """
    if model.require:
        load(model.require)()
    if request.supersampling > 1 or request.blur > 1:
        raise ParameterError(
            _("{path}: {name} has no pixels; leave supersampling and blur out", path=path, name=model.name)
        )
    if not model.scene and request.view != DEFAULT_VIEW:
        raise ParameterError(
            _("{path}: {name} has no camera; .glb, .gltf and .usdz have one", path=path, name=model.name)
        )
    if not model.scene and request.transparent:
        raise ParameterError(
            _("{path}: {name} has nothing behind people and props to leave out", path=path, name=model.name)
        )


def _write(
    model: Format,
    request: FrameRequest,
    paths: list[Path],
    metadata: str,
    progress: Progress | None,
    replaces: bool,
) -> None:
    write = load(model.model)
    if model.paths:
        write(request, paths, metadata, progress, replaces)
        return
    with atomic_file(paths[0], replaces=replaces) as partial:
        write(request, partial, metadata, progress)
