"""glTF 2.0: people with skeletons and skins, props, a floor, a camera and their animation, as .glb
or .gltf.

Units are metres, +y is up and people face +z, as the format requires (Khronos Group, "glTF 2.0
Specification").
"""

from __future__ import annotations

import base64
import itertools
import struct
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pygltflib as gltf
from numpy.typing import NDArray

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.models.bodies import BodyPart, Carriers, carriers_of, parts_of
from juggle_anim.exporter.models.meshes import (
    Mesh,
    Part,
    floor_part,
    prop_parts,
    stand_parts,
)
from juggle_anim.exporter.models.quaternions import quaternions
from juggle_anim.exporter.models.skeleton import (
    ENDS,
    NAMES,
    NEAR_REST,
    REST,
    SEGMENTS,
    VRM,
    Rig,
    rig_of,
)
from juggle_anim.exporter.models.tracks import MotionTracks, juggler_name, motion_tracks, prop_name
from juggle_anim.exporter.options import Progress
from juggle_anim.resources import __version__
from juggle_anim.scene import Camera
from juggle_anim.scene.compose import drawn_kinds

_STILL = 1e-5  # what moves by less is told no keys, [m]
_JSON = 0x4E4F534A
_BIN = 0x004E4942
_VRM_ANIMATION = "VRMC_vrm_animation"
_AHEAD = (0.0, 0.0, 1.0)
_UNTURNED = (0.0, 0.0, 0.0, 1.0)
_NONE = np.zeros((0, 3, 3))
_DATA = "data:application/octet-stream;base64,"

Numbers = NDArray[Any]

FLOAT = gltf.FLOAT
BYTE = gltf.UNSIGNED_BYTE
SHORT = gltf.UNSIGNED_SHORT
LONG = gltf.UNSIGNED_INT

_DTYPES = {FLOAT: "<f4", BYTE: "<u1", SHORT: "<u2", LONG: "<u4"}
_SHAPES = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}


def write_glb(request: FrameRequest, path: Path, metadata: str, progress: Progress | None) -> None:
    """Write one binary file.

    Args:
        request: the frames; its size gives the camera's aspect.
        path: the file.
        metadata: text for the file to carry, in ASCII.
        progress: called with the number of frames done and of all frames.

    Raises:
        ParameterError: the model would be too large.
    """
    document, buffer = _document(request, metadata, progress)
    text = document.gltf_to_json(separators=(",", ":"), indent=None).encode("ascii")
    text += b" " * (-len(text) % 4)
    whole = 12 + 8 + len(text) + 8 + buffer.length
    with path.open("wb") as file:
        file.write(struct.pack("<4sIIII", b"glTF", 2, whole, len(text), _JSON))
        file.write(text)
        file.write(struct.pack("<II", buffer.length, _BIN))
        file.writelines(buffer.content())


def write_gltf(request: FrameRequest, path: Path, metadata: str, progress: Progress | None) -> None:
    """Write one text file with the buffer embedded; arguments as for `write_glb`."""
    document, buffer = _document(request, metadata, progress)
    document.buffers[0].uri = _DATA
    before, after = (
        document.gltf_to_json(separators=(",", ":"), indent=None)
        .encode("ascii")
        .split(_DATA.encode())
    )
    with path.open("wb") as file:
        file.write(before + _DATA.encode())
        file.writelines(_in_base64(buffer.content()))
        file.write(after)


def _document(
    request: FrameRequest, metadata: str, progress: Progress | None
) -> tuple[gltf.GLTF2, Buffer]:
    """The document, and the buffer of its numbers."""
    tracks = motion_tracks(request, progress)
    # The metadata comes first, so it is found without reading the whole file.
    document = gltf.GLTF2(
        extras={"comment": metadata}, asset=gltf.Asset(generator=f"juggle-anim {__version__}")
    )
    document.scenes = [gltf.Scene(nodes=[])]
    document.scene = 0
    model = _Model(document, tracks, rig_of(request.bones))
    model.add_bodies(request.animation)
    model.add_props(request)
    model.add_stands(request.animation)
    model.add_camera(request)
    if not request.transparent:
        model.add_floor()
    model.add_animation(request.animation.title)
    document.buffers = [gltf.Buffer(byteLength=model.buffer.length)]
    return document, model.buffer


class _Model:
    """Builds the document and its buffer."""

    def __init__(self, document: gltf.GLTF2, tracks: MotionTracks, rig: Rig) -> None:
        self.document = document
        self.tracks = tracks
        self._rig = rig
        self.buffer = Buffer(document)
        self._materials: dict[tuple[float, ...], int] = {}
        # Of each track the node, what of it, its keys, and the times of these.
        self._moved: list[tuple[int, str, int, int]] = []
        self._frames = self.buffer.add(tracks.times, bounds=True)
        # By the identity of a mesh, which is therefore kept.
        self._geometry: dict[int, tuple[gltf.Attributes, int]] = {}
        self._carried: dict[int, tuple[int, int]] = {}
        self._kept: list[Mesh] = []

    def add_bodies(self, animation: Animation) -> None:
        carriers = carriers_of(animation)
        binds = self.buffer.add(np.swapaxes(carriers.binds, 1, 2))  # matrices are column-major
        turns = self.buffer.add_rows(self.tracks.turns)
        pelvises = self.buffer.add_rows(self.tracks.pelvises)
        helper_turns = self.buffer.add_rows(self.tracks.helper_turns)
        moving = np.ptp(self.tracks.helper_places, axis=1).max(axis=-1) > _STILL
        helper_places = iter(self.buffer.add_rows(self.tracks.helper_places[moving]))
        meshes: dict[tuple[object, ...], int] = {}
        for juggler in range(animation.jugglers):
            name = juggler_name(juggler)
            parts = parts_of(animation, juggler)
            look = tuple((id(each.part.mesh), each.part.colour) for each in parts)
            if look not in meshes:
                meshes[look] = self._add_mesh(
                    f"body_{len(meshes) + 1}", [self._body_primitive(each) for each in parts]
                )
            first = self._add_skeleton(juggler, animation.jugglers, carriers)
            joints = list(range(first, first + len(carriers.binds)))
            self.document.skins.append(
                gltf.Skin(inverseBindMatrices=binds, skeleton=first - 1, joints=joints, name=name)
            )
            self._add_root(gltf.Node(name=f"{name}_body", mesh=meshes[look], skin=juggler))
            self._move(first, "translation", pelvises[juggler])
            first_turn = juggler * len(SEGMENTS)
            helper = juggler * len(carriers.helpers)
            for number in range(len(SEGMENTS)):
                self._move(first + number, "rotation", turns[first_turn + number])
            for number, node in enumerate(joints[len(SEGMENTS) + len(ENDS) :], helper):
                self._move(node, "rotation", helper_turns[number])
                if moving[number]:
                    self._move(node, "translation", next(helper_places))
            if self._rig.name == VRM and juggler == 0:
                self._name_human_bones(first)

    def _move(self, node: int, path: str, keys: int, times: int | None = None) -> None:
        self._moved.append((node, path, keys, self._frames if times is None else times))

    def _add_skeleton(self, juggler: int, jugglers: int, carriers: Carriers) -> int:
        """The node number of the first segment; the other segments follow it, then the ends and the
        helpers.
        """
        root = self._add_root(
            gltf.Node(name=juggler_name(juggler), children=[len(self.document.nodes) + 1])
        )
        first = root + 1
        rig = self._rig
        shown = _at_rest(carriers) if rig.is_humanoid else _at_first(self.tracks, juggler, carriers)
        for bone, place, turn in zip(
            rig.segments, [shown.pelvis, *rig.offsets[1:]], shown.turns, strict=True
        ):
            self._add_joint(rig.node(bone, juggler, jugglers), place, turn)
        for joint, name in ENDS.items():
            away = REST[joint] - REST[SEGMENTS[NAMES.index(name)].joint]
            end = self._add_joint(rig.node(rig.ends[joint], juggler, jugglers), away)
            self.document.nodes[first + NAMES.index(name)].children.append(end)
        for number, (each, above) in enumerate(zip(carriers.names, carriers.parents, strict=True)):
            place = shown.helper_places[number]
            turn = shown.helper_turns[number]
            helper = self._add_joint(f"{juggler_name(juggler)}_{each}", place, turn)
            self.document.nodes[first + above].children.append(helper)
        for number, parent in enumerate(rig.parents[1:], 1):
            self.document.nodes[first + parent].children.append(first + number)
        return first

    def _name_human_bones(self, first: int) -> None:
        """Say which nodes are which humanoid bones (VRM Consortium, "VRMC_vrm_animation 1.0")."""
        bones = {name: {"node": first + number} for number, name in enumerate(self._rig.segments)}
        ends = enumerate(self._rig.ends.items(), first + len(bones))
        bones |= {name: {"node": node} for node, (joint, name) in ends if joint != Joint.FACE}
        self.document.extensions[_VRM_ANIMATION] = {
            "specVersion": "1.0",
            "humanoid": {"humanBones": bones},
        }
        self.document.extensionsUsed.append(_VRM_ANIMATION)

    def _add_joint(self, name: str, place: Floats, turn: Floats | None = None) -> int:
        node = gltf.Node(name=name, translation=[float(each) for each in place])
        if turn is not None:
            node.rotation = [float(each) for each in turn]
        self.document.nodes.append(node)
        return len(self.document.nodes) - 1

    def add_props(self, request: FrameRequest) -> None:
        motion = request.animation.motion
        kinds = drawn_kinds(motion)
        colours = request.animation.prop_colours
        meshes: dict[tuple[object, ...], int] = {}
        for prop, (kind, track) in enumerate(zip(kinds.tolist(), self.tracks.props, strict=True)):
            size = float(motion.shapes.size[prop])
            colour = tuple(map(float, colours[prop]))
            look = kind, size, colour
            if look not in meshes:
                parts = prop_parts(kind, size, (colour[0], colour[1], colour[2]))
                meshes[look] = self._add_mesh(kind, [self._primitive(part) for part in parts])
            node = gltf.Node(
                name=prop_name(prop), mesh=meshes[look], translation=track.centres[0].tolist()
            )
            number = self._add_root(node)
            times = self.buffer.add(track.times.astype(np.float32), bounds=True)
            self._move(number, "translation", self.buffer.add(track.centres), times)
            if kind != "square":
                node.rotation = track.turns[0].tolist()
                self._move(number, "rotation", self.buffer.add(track.turns), times)

    def add_stands(self, animation: Animation) -> None:
        if parts := stand_parts(animation.look.stands):
            mesh = self._add_mesh("stands", [self._primitive(part) for part in parts])
            self._add_root(gltf.Node(name="stands", mesh=mesh))

    def add_camera(self, request: FrameRequest) -> None:
        aspect = request.size[0] / request.size[1]
        camera = request.view.camera(request.animation, aspect)
        self.document.cameras.append(_camera(camera, aspect, request.view.name))
        place = np.linalg.inv(camera.view())
        self._add_root(
            gltf.Node(name="camera", camera=0, matrix=[float(each) for each in place.T.ravel()])
        )

    def add_floor(self) -> None:
        paint = self._primitive(floor_part(self.tracks.pelvises))
        self._add_root(gltf.Node(name="floor", mesh=self._add_mesh("floor", [paint])))

    def add_animation(self, name: str) -> None:
        animation = gltf.Animation(name=name)
        for number, (node, path, values, times) in enumerate(self._moved):
            animation.samplers.append(gltf.AnimationSampler(input=times, output=values))
            target = gltf.AnimationChannelTarget(node=node, path=path)
            animation.channels.append(gltf.AnimationChannel(sampler=number, target=target))
        self.document.animations.append(animation)

    def _add_root(self, node: gltf.Node) -> int:
        self.document.nodes.append(node)
        self.document.scenes[0].nodes.append(len(self.document.nodes) - 1)
        return len(self.document.nodes) - 1

    def _add_mesh(self, name: str, primitives: list[gltf.Primitive]) -> int:
        self.document.meshes.append(gltf.Mesh(name=name, primitives=primitives))
        return len(self.document.meshes) - 1

    def _primitive(self, part: Part) -> gltf.Primitive:
        if id(part.mesh) not in self._geometry:
            self._geometry[id(part.mesh)] = self._add_geometry(part.mesh)
        corners, faces = self._geometry[id(part.mesh)]
        return gltf.Primitive(
            attributes=copy(corners), indices=faces, material=self._material(part)
        )

    def _add_geometry(self, mesh: Mesh) -> tuple[gltf.Attributes, int]:
        self._kept.append(mesh)
        corners = gltf.Attributes(
            POSITION=self.buffer.add(
                mesh.points.astype(np.float32), target=gltf.ARRAY_BUFFER, bounds=True
            ),
            NORMAL=self.buffer.add(mesh.normals, target=gltf.ARRAY_BUFFER),
        )
        kind = SHORT if len(mesh.points) < 2**16 - 1 else LONG
        return corners, self.buffer.add(mesh.triangles.ravel(), kind, gltf.ELEMENT_ARRAY_BUFFER)

    def _body_primitive(self, body: BodyPart) -> gltf.Primitive:
        primitive = self._primitive(body.part)
        mesh = id(body.part.mesh)
        if mesh not in self._carried:
            none = np.zeros((len(body.shares), 4 - body.shares.shape[1]))
            self._carried[mesh] = (
                self.buffer.add(np.hstack([body.joints, none]), BYTE, gltf.ARRAY_BUFFER),
                self.buffer.add(np.hstack([body.shares, none]), target=gltf.ARRAY_BUFFER),
            )
        primitive.attributes.JOINTS_0, primitive.attributes.WEIGHTS_0 = self._carried[mesh]
        return primitive

    def _material(self, part: Part) -> int:
        look = (*part.colour, part.gloss)
        if look not in self._materials:
            self._materials[look] = len(self.document.materials)
            surface = gltf.PbrMetallicRoughness(
                baseColorFactor=[*part.light, 1.0],
                metallicFactor=0.0,
                roughnessFactor=1 - part.gloss,
            )
            self.document.materials.append(
                gltf.Material(pbrMetallicRoughness=surface, name=part.name or None)
            )
        return self._materials[look]


class _Shown(NamedTuple):
    """How a body stands where its animation is not played; see `MotionTracks`, of one juggler at
    one time.
    """

    pelvis: Numbers
    turns: Numbers
    helper_turns: Numbers
    helper_places: Numbers


def _at_first(tracks: MotionTracks, juggler: int, carriers: Carriers) -> _Shown:
    turns = slice(juggler * len(SEGMENTS), (juggler + 1) * len(SEGMENTS))
    helpers = slice(juggler * len(carriers.helpers), (juggler + 1) * len(carriers.helpers))
    found = (
        tracks.turns[turns, 0],
        tracks.helper_turns[helpers, 0],
        tracks.helper_places[helpers, 0],
    )
    return _Shown(tracks.pelvises[juggler, 0], *found)


def _at_rest(carriers: Carriers) -> _Shown:
    turns, places = (
        carriers.motion(NEAR_REST, np.array(_AHEAD))
        if len(carriers.helpers)
        else (_NONE, _NONE[..., 0])
    )
    return _Shown(
        REST[Joint.PELVIS], np.tile(_UNTURNED, (len(SEGMENTS), 1)), quaternions(turns), places
    )


def _camera(camera: Camera, aspect: float, name: str) -> gltf.Camera:
    near = camera.near
    far = camera.far
    if camera.orthographic:
        high = camera.distance / camera.scales(aspect)[1]
        # An orthographic camera draws nothing behind its eye, which is far enough away.
        flat = gltf.Orthographic(xmag=aspect * high, ymag=high, znear=near, zfar=far)
        return gltf.Camera(orthographic=flat, type="orthographic", name=name)
    lens = gltf.Perspective(
        aspectRatio=aspect, yfov=float(camera.field_of_view), znear=near, zfar=far
    )
    return gltf.Camera(perspective=lens, type="perspective", name=name)


def _in_base64(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Encode parts of bytes as base64, in groups of three bytes."""
    left = b""
    for part in itertools.chain(parts, [None]):
        whole = left + (part or b"")
        end = len(whole) - len(whole) % 3 if part is not None else len(whole)
        yield base64.b64encode(whole[:end])
        left = whole[end:]


class Buffer:
    """The binary buffer: arrays in sequence, which are not copied until they are written."""

    def __init__(self, document: gltf.GLTF2) -> None:
        self.document = document
        self.length = 0
        self._arrays: list[Numbers] = []

    def add(
        self, values: Numbers, kind: int = FLOAT, target: int | None = None, bounds: bool = False
    ) -> int:
        """Add an array, and return the number of its accessor.

        Args:
            values: shape (N,), (N, 3), (N, 4) or (N, 4, 4).
            kind: component type.
            target: the use of the array in a mesh, if any.
            bounds: whether to store the minimum and maximum of each component.
        """
        return self.add_rows(values[None], kind, target, bounds)[0]

    def add_rows(
        self, rows: Numbers, kind: int = FLOAT, target: int | None = None, bounds: bool = False
    ) -> list[int]:
        """Add arrays of one shape, (R, N, …), in one view; return their accessors. Arguments as for
        `add`.
        """
        if not len(rows):
            return []  # no view may be empty
        stored = np.ascontiguousarray(rows, dtype=_DTYPES[kind])
        view = gltf.BufferView(
            buffer=0, byteOffset=self.length, byteLength=stored.nbytes, target=target
        )
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
        """The content, array by array, each padded to a multiple of four bytes."""
        for array in self._arrays:
            yield array.tobytes() + bytes(-array.nbytes % 4)
