"""A reader of GLB that shares nothing with the writer: it plays the animation and places nodes and
skins.
"""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from juggle_anim.arrays import Floats

TYPES = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
SHAPES: dict[str, tuple[int, ...]] = {"SCALAR": (), "VEC3": (3,), "VEC4": (4,), "MAT4": (4, 4)}


class Glb:
    """One file."""

    def __init__(self, content: bytes) -> None:
        mark, version, length = struct.unpack_from("<4sII", content)
        assert (mark, version, length) == (b"glTF", 2, len(content))
        size, kind = struct.unpack_from("<I4s", content, 12)
        assert kind == b"JSON"
        assert size % 4 == 0
        self.document: dict[str, Any] = json.loads(content[20 : 20 + size])
        size_of_numbers, kind = struct.unpack_from("<I4s", content, 20 + size)
        assert kind == b"BIN\0"
        self.numbers = content[28 + size :]
        assert len(self.numbers) == size_of_numbers == self.document["buffers"][0]["byteLength"]
        self.nodes: list[dict[str, Any]] = self.document["nodes"]
        self.number = {node["name"]: number for number, node in enumerate(self.nodes)}

    def values(self, accessor: int) -> Floats:
        about = self.document["accessors"][accessor]
        view = self.document["bufferViews"][about["bufferView"]]
        shape = about["count"], *SHAPES[about["type"]]
        start = view.get("byteOffset", 0) + about.get("byteOffset", 0)
        read = np.frombuffer(
            self.numbers, TYPES[about["componentType"]], int(np.prod(shape)), start
        )
        return read.reshape(shape).astype(float)

    @property
    def times(self) -> Floats:
        """The keys of bodies; props have some between them."""
        (animation,) = self.document["animations"]
        return self.values(
            min((sampler["input"] for sampler in animation["samplers"]), key=self._count)
        )

    def _count(self, accessor: int) -> int:
        count: int = self.document["accessors"][accessor]["count"]
        return count

    def keys(self, node: str) -> Floats:
        """The times of the keys of a node's place."""
        (animation,) = self.document["animations"]
        number = self.number[node]
        (sampler,) = (
            animation["samplers"][channel["sampler"]]
            for channel in animation["channels"]
            if channel["target"] == {"node": number, "path": "translation"}
        )
        return self.values(sampler["input"])

    def worlds(self, time: float) -> Floats:
        """The matrix of each node at a time [s], shape (nodes, 4, 4)."""
        parts = [dict(node) for node in self.nodes]
        (animation,) = self.document["animations"]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            assert sampler["interpolation"] == "LINEAR"
            path = channel["target"]["path"]
            keys, values = self.values(sampler["input"]), self.values(sampler["output"])
            parts[channel["target"]["node"]][path] = between(keys, values, time, path)
        locals_ = np.array([local(part) for part in parts])
        worlds = np.empty_like(locals_)

        def place(number: int, above: Floats) -> None:
            worlds[number] = above @ locals_[number]
            for child in self.nodes[number].get("children", []):
                place(child, worlds[number])

        for root in self.document["scenes"][self.document["scene"]]["nodes"]:
            place(root, np.eye(4))
        return worlds

    def places(self, time: float) -> dict[str, Floats]:
        """Where each node is."""
        worlds = self.worlds(time)
        return {name: worlds[number, :3, 3] for name, number in self.number.items()}

    def skinned(self, node: str, time: float) -> Floats:
        """The corners of a skinned mesh."""
        about = self.nodes[self.number[node]]
        skin = self.document["skins"][about["skin"]]
        binds = np.swapaxes(self.values(skin["inverseBindMatrices"]), 1, 2)
        carried = self.worlds(time)[skin["joints"]] @ binds
        corners = []
        for primitive in self.document["meshes"][about["mesh"]]["primitives"]:
            point, joint, weight = (
                self.values(primitive["attributes"][name])
                for name in ("POSITION", "JOINTS_0", "WEIGHTS_0")
            )
            matrices = np.einsum("vk,vkab->vab", weight, carried[joint.astype(int)])
            corners.append(np.einsum("vab,vb->va", matrices[:, :3, :3], point) + matrices[:, :3, 3])
        return np.concatenate(corners)


def read_glb(path: Path) -> Glb:
    return Glb(path.read_bytes())


def between(times: Floats, values: Floats, time: float, path: str) -> Floats:
    """A value between two keys: on a line, or on the shortest great circle."""
    after = int(np.clip(np.searchsorted(times, time), 1, len(times) - 1))
    share = (time - times[after - 1]) / (times[after] - times[after - 1])
    first, second = values[after - 1], values[after]
    if path != "rotation":
        return first + share * (second - first)
    cosine = float(first @ second)
    if cosine < 0:
        second, cosine = -second, -cosine
    angle = np.arccos(min(cosine, 1.0))
    if angle < 1e-6:
        return first + share * (second - first)
    return (np.sin((1 - share) * angle) * first + np.sin(share * angle) * second) / np.sin(angle)


def local(part: dict[str, Any]) -> Floats:
    if "matrix" in part:
        return np.array(part["matrix"]).reshape(4, 4).T
    matrix = np.eye(4)
    matrix[:3, 3] = part.get("translation", (0.0, 0.0, 0.0))
    matrix[:3, :3] = rotation(np.asarray(part.get("rotation", (0.0, 0.0, 0.0, 1.0)), dtype=float))
    return matrix


def rotation(quaternion: Floats) -> Floats:
    """v + 2w(q × v) + 2q × (q × v) of each axis, for q the first three; written out, as it is
    asked for every bone at every time.
    """
    x, y, z, w = quaternion.tolist()
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )
