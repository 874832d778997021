"""The file of the figure: small numbers in a zip archive, the same bytes for the same figure."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from figure.mesh import Mesh
from juggle_anim.scene.skin import PARTS, STORED_AS_DIFFERENCES, UNIT, as_differences


def packed(level: list[Mesh]) -> dict[str, NDArray[np.generic]]:
    """One level of detail as the file has the arrays of `SkinLevel`."""
    kinds = [None, *PARTS]
    level = sorted(level, key=lambda mesh: kinds.index(mesh.part))
    sizes = [sum(len(mesh.triangles) for mesh in level if mesh.part == kind) for kind in kinds]
    starts = np.cumsum([0] + [len(mesh.points) for mesh in level])
    weights = np.concatenate([mesh.weights for mesh in level])
    order = np.argsort(-weights, axis=1, kind="stable")[:, :4]
    shares = np.round(np.take_along_axis(weights, order, axis=1) * 255).astype(int)
    shares[:, 0] += 255 - shares.sum(axis=1)
    triangles = np.concatenate(
        [mesh.triangles + start for mesh, start in zip(level, starts[:-1], strict=True)]
    )
    arrays = {
        "points": np.round(np.concatenate([mesh.points for mesh in level]) / UNIT).astype(np.int16),
        "normals": np.round(np.concatenate([mesh.normals for mesh in level]) * 127).astype(np.int8),
        "bones": np.where(shares > 0, order, 0).astype(np.uint8),
        # The first share is what the others leave of 255.
        "shares": np.ascontiguousarray(shares[:, 1:].T.astype(np.uint8)),
        "covers": np.concatenate([np.full(len(mesh.points), mesh.cover) for mesh in level]).astype(
            np.uint8
        ),
        "triangles": triangles.astype(np.uint16),
        "parts": np.cumsum(sizes).astype(np.int32),
    }
    return arrays | {name: as_differences(arrays[name]) for name in STORED_AS_DIFFERENCES}


def write(arrays: Mapping[str, NDArray[np.generic]], path: Path) -> None:
    """Write arrays as numpy does, but without the time of day."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.asarray(array), allow_pickle=False)
            file.writestr(
                zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)),
                content.getvalue(),
                zipfile.ZIP_DEFLATED,
                compresslevel=9,
            )
