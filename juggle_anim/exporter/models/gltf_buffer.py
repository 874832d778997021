"""The numbers of a glTF file: one buffer, its views and accessors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pygltflib as gltf
from numpy.typing import NDArray

Numbers = NDArray[Any]

FLOAT, BYTE, SHORT, LONG = gltf.FLOAT, gltf.UNSIGNED_BYTE, gltf.UNSIGNED_SHORT, gltf.UNSIGNED_INT
_DTYPES = {FLOAT: "<f4", BYTE: "<u1", SHORT: "<u2", LONG: "<u4"}
_SHAPES = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}


class Buffer:
    """Arrays that lie one behind the other; nothing is copied until they are written."""

    def __init__(self, document: gltf.GLTF2) -> None:
        self.document = document
        self.length = 0
        self._arrays: list[Numbers] = []

    def add(self, values: Numbers, kind: int = FLOAT, target: int | None = None, bounds: bool = False) -> int:
        """The number of an accessor for an array, whose first axis counts.

        Args:
            values: shape (N,), (N, 3), (N, 4) or (N, 4, 4).
            kind: of component.
            target: what it is used for, where it is a part of a mesh.
            bounds: whether the least and greatest of each component are told.
        """
        return self.add_rows(values[None], kind, target, bounds)[0]

    def add_rows(self, rows: Numbers, kind: int = FLOAT, target: int | None = None, bounds: bool = False) -> list[int]:
        """The numbers of accessors for many arrays of one shape, (R, N, …), that have one view; else as `add`."""
        if not len(rows):
            return []  # no view may be empty
        stored = np.ascontiguousarray(rows, dtype=_DTYPES[kind])
        view = gltf.BufferView(buffer=0, byteOffset=self.length, byteLength=stored.nbytes, target=target)
        self.document.bufferViews.append(view)
        self._arrays.append(stored)
        self.length += stored.nbytes + -stored.nbytes % 4
        size = stored.nbytes // max(len(stored), 1)
        first = len(self.document.accessors)
        for number, row in enumerate(stored):
            accessor = gltf.Accessor(
                bufferView=len(self.document.bufferViews) - 1,
                byteOffset=number * size,
                componentType=kind,
                count=len(row),
                type=_SHAPES[row.shape[1:]],
            )
            if bounds:
                accessor.min, accessor.max = (
                    np.atleast_1d(each).tolist() for each in (row.min(axis=0), row.max(axis=0))
                )
            self.document.accessors.append(accessor)
        return list(range(first, first + len(stored)))

    def content(self) -> Iterator[bytes]:
        """All of it, array by array, each filled up to whole fours."""
        for array in self._arrays:
            yield array.tobytes() + bytes(-array.nbytes % 4)
