"""The file of the figure: small numbers in a zip archive, the same bytes for the same figure."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import replace
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
    level = [in_strips(mesh) for mesh in level]
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


def in_strips(mesh: Mesh) -> Mesh:
    """The mesh with each triangle after one beside it, and points in the order of their first use.

    Differences of neighbouring rows are small then, and so is the file.
    """
    corners = mesh.triangles.tolist()
    sides = {
        (a, b): number
        for number, (x, y, z) in enumerate(corners)
        for a, b in ((x, y), (y, z), (z, x))
    }
    waiting = [(number, row[0]) for number, row in enumerate(corners)][::-1]
    done: set[int] = set()
    rows: list[list[int]] = []
    while waiting:
        number, first = waiting.pop()
        if number in done:
            continue
        done.add(number)
        turn = corners[number].index(first)
        row = corners[number][turn:] + corners[number][:turn]
        rows.append(row)
        beside = ((sides.get((b, a)), b) for a, b in zip(row, row[1:] + row[:1], strict=True))
        waiting += [(other, b) for other, b in beside if other is not None and other not in done]
    triangles = np.array(rows)
    used, start = np.unique(triangles, return_index=True)
    order = used[np.argsort(start)]
    numbers = np.empty(len(mesh.points), dtype=int)
    numbers[order] = np.arange(len(order))
    return replace(
        mesh,
        points=mesh.points[order],
        normals=mesh.normals[order],
        weights=mesh.weights[order],
        triangles=numbers[triangles],
    )


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
