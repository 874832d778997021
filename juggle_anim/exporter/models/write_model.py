"""Writing a model: its files, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from juggle_anim.exporter.claim import claim
from juggle_anim.exporter.complete import is_complete
from juggle_anim.exporter.making import making
from juggle_anim.exporter.manner import PLAIN, Manner
from juggle_anim.exporter.models.models import MODELS
from juggle_anim.exporter.shots import Shots
from juggle_anim.whole_file import cannot_write


def write_model(
    shots: Shots,
    path: Path,
    force: bool,
    progress: Callable[[int, int], None] | None,
    manner: Manner = PLAIN,
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
    model.check(shots, path)
    words = making(shots, manner).text
    paths = model.paths(shots, path)
    *others, proof = paths
    with cannot_write(path):
        proven = manner.resume and proof.exists()  # else `claim` ends the export
    wanted = claim(proof, words, force, manner.resume)
    with cannot_write(path):
        whole = not wanted and all(each.exists() and is_complete(each) for each in others)
    if not whole:
        for each in others:
            claim(each, words, force or proven, resume=False)
        model.write(shots, paths, words, progress)
    return paths
