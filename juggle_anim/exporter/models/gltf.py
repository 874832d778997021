"""glTF 2.0: people with skeletons and skins, props, a floor, a camera and their animation, as .glb
or .gltf.

Units are metres, +y is up and people face +z, as the format requires (Khronos Group, "glTF 2.0
Specification").
"""

from __future__ import annotations

import base64
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
from juggle_anim.exporter.models.bodies import (
    BodyPart,
    Carriers,
    Mesh,
    Part,
    carriers_of,
    colour_of,
    floor_part,
    parts_of,
    prop_parts,
    stand_parts,
)
from juggle_anim.exporter.models.skeleton import (
    END_OFFSETS,
    END_SEGMENTS,
    NEAR_REST,
    REST,
    SEGMENTS,
    VRM,
    Rig,
    rig_of,
)
from juggle_anim.exporter.models.tracks import (
    MotionTracks,
    juggler_name,
    motion_tracks,
    prop_name,
    quaternions,
)
from juggle_anim.exporter.options import Progress
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.resources import __version__
from juggle_anim.scene import Camera, drawn_kinds

_STILL_TOLERANCE = 1e-5  # m; a helper that moves less has no keys of its position

# Types of the chunks of a GLB file (Khronos Group, "glTF 2.0 Specification", 4.4.3).
_JSON_CHUNK = 0x4E4F534A
_BINARY_CHUNK = 0x004E4942

_MAX_SHORT_INDEX = 2**16 - 1  # means a restart of primitives, and so is no index of a point
_VRM_ANIMATION = "VRMC_vrm_animation"
_AHEAD = (0.0, 0.0, 1.0)
_IDENTITY = (0.0, 0.0, 0.0, 1.0)  # as a quaternion
_JOINTS_OF_CORNER = 4  # joints that carry each corner of a mesh in glTF

# The buffer's address in JSON without spaces, as far as the content that follows it. It is nowhere
# else: quotes within the texts of a document are escaped.
_BUFFER_ADDRESS = "data:application/octet-stream;base64,"
_BUFFER_MEMBER = f'"uri":"{_BUFFER_ADDRESS}'.encode("ascii")

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
    # Chunks must be multiples of four bytes: JSON is padded with spaces, and the buffer is padded
    # already.
    text = document.gltf_to_json(separators=(",", ":"), indent=None).encode("ascii")
    text += b" " * (-len(text) % 4)
    # The file has a header of 12 bytes, and each of its two chunks one of 8.
    size = 12 + 8 + len(text) + 8 + buffer.length
    with path.open("wb") as file:
        # Signature, version and size of the file; then size and type of each chunk before it.
        file.write(struct.pack("<4sIIII", b"glTF", 2, size, len(text), _JSON_CHUNK))
        file.write(text)
        file.write(struct.pack("<II", buffer.length, _BINARY_CHUNK))
        file.writelines(buffer.content())


def write_gltf(request: FrameRequest, path: Path, metadata: str, progress: Progress | None) -> None:
    """Write one text file, JSON with the buffer embedded in base64.

    Args:
        request: the frames; its size gives the camera's aspect.
        path: the file.
        metadata: text for the file to carry, in ASCII.
        progress: called with the number of frames done and of all frames; None to report nothing.

    Raises:
        ParameterError: the model would be too large.
    """
    document, buffer = _document(request, metadata, progress)
    # The JSON is made with an address of the buffer that lacks its content. The text is cut there,
    # and the content is written piece by piece, so that it is never in memory as a whole.
    document.buffers[0].uri = _BUFFER_ADDRESS
    text = document.gltf_to_json(separators=(",", ":"), indent=None).encode("ascii")
    before, member, after = text.partition(_BUFFER_MEMBER)
    with path.open("wb") as file:
        file.write(before + member)
        file.writelines(_in_base64(buffer.content()))
        file.write(after)


def _document(
    request: FrameRequest, metadata: str, progress: Progress | None
) -> tuple[gltf.GLTF2, Buffer]:
    """Return the glTF document of a request, and the buffer that holds its numbers.

    Args:
        request: the frames; its size gives the camera's aspect.
        metadata: text for the file to carry, in ASCII.
        progress: called with the number of frames done and of all frames.

    Returns:
        The document, which states the buffer's length but not where it is.
        The buffer, to be written by the caller.

    Raises:
        ParameterError: the model would be too large.
    """
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
        """Initialise a buffer, with the times of the frames as its first array.

        A track has the keys of a moving object: values at ascending times.

        Args:
            document: the document with one scene; changed in place.
            tracks: keys of bodies and props.
            rig: names and parents of the bones.
        """
        self.document = document
        self.tracks = tracks
        self._rig = rig
        self.buffer = Buffer(document)
        self._materials: dict[tuple[float, ...], int] = {}
        self._channels: list[_Channel] = []
        self._frame_times = self.buffer.add(tracks.times, bounds=True)
        # Accessors of arrays in the buffer, by the `id` of their mesh, so that each mesh is added
        # only once: of points and normals, and of triangles; of joints, and of their weights.
        # Meshes are kept alive, since Python gives the `id` of a freed object to another.
        self._geometry: dict[int, tuple[gltf.Attributes, int]] = {}
        self._skinning: dict[int, tuple[int, int]] = {}
        self._meshes_in_use: list[Mesh] = []

    def add_bodies(self, animation: Animation) -> None:
        """Add meshes, skeletons, skins and keys of all people.

        A skeleton consists of segments (rigid parts, such as a forearm) and helpers: joints for
        parts of the surface that follow no single segment, such as those at a bent elbow. A skin of
        glTF binds a mesh to the joints of a skeleton. Bodies of the same geometry and colours share
        a mesh.

        Args:
            animation: the animation whose jugglers are added.
        """
        carriers = carriers_of(animation)
        # glTF has matrices column by column.
        binds = self.buffer.add(np.swapaxes(carriers.inverse_binds, 1, 2))
        # Accessors of the keys: one for each juggler's pelvis, and for each segment and helper of
        # each juggler, as in `MotionTracks`.
        rotations = self.buffer.add_rows(self.tracks.rotations)
        pelvises = self.buffer.add_rows(self.tracks.pelvises)
        helper_rotations = self.buffer.add_rows(self.tracks.helper_rotations)
        # Helpers that keep their place need no keys for it. The others have accessors, here by
        # their rows in `MotionTracks`.
        extents = np.ptp(self.tracks.helper_positions, axis=1).max(axis=-1)
        moving = np.flatnonzero(extents > _STILL_TOLERANCE)
        accessors = self.buffer.add_rows(self.tracks.helper_positions[moving])
        helper_positions = dict(zip(moving.tolist(), accessors, strict=True))
        meshes: dict[tuple[object, ...], int] = {}
        for juggler in range(animation.num_jugglers):
            name = juggler_name(juggler)
            parts = parts_of(animation, juggler)
            appearance = tuple((id(part.part.mesh), part.part.colour) for part in parts)
            if appearance not in meshes:
                meshes[appearance] = self._add_mesh(
                    f"body_{len(meshes) + 1}", [self._body_primitive(part) for part in parts]
                )
            # A skeleton of its own for each juggler, with a skin that binds the shared mesh to it.
            # Skins are added in the order of jugglers, so that a juggler's index is the skin's.
            nodes = self._add_skeleton(juggler, animation.num_jugglers, carriers)
            joints = [*nodes.segments, *nodes.ends, *nodes.helpers]
            self.document.skins.append(
                gltf.Skin(inverseBindMatrices=binds, skeleton=nodes.root, joints=joints, name=name)
            )
            self._add_root(gltf.Node(name=f"{name}_body", mesh=meshes[appearance], skin=juggler))
            # All segments have rotations, but only the pelvis has positions: bones keep their
            # length.
            self._move(nodes.segments[0], "translation", keys=pelvises[juggler])
            for row, node in enumerate(nodes.segments, juggler * len(SEGMENTS)):
                self._move(node, "rotation", keys=rotations[row])
            for row, node in enumerate(nodes.helpers, juggler * len(carriers.helpers)):
                self._move(node, "rotation", keys=helper_rotations[row])
                if row in helper_positions:
                    self._move(node, "translation", keys=helper_positions[row])
            if self._rig.name == VRM and juggler == 0:
                self._name_human_bones(nodes)

    def _move(self, node: int, path: str, *, keys: int, times: int | None = None) -> None:
        """Animate a property of a node.

        Args:
            node: index of the node.
            path: the property, "translation" or "rotation".
            keys: index of the accessor of its values.
            times: index of the accessor of their times; None for one key for each frame.
        """
        times = self._frame_times if times is None else times
        self._channels.append(_Channel(node, path, keys=keys, times=times))

    def _add_skeleton(self, juggler: int, jugglers: int, carriers: Carriers) -> _SkeletonNodes:
        """Add the joints of a juggler below a root node, and return the indices of all nodes.

        A segment is a rigid part of the exported skeleton, such as a forearm. Helpers are joints of
        the exported skeleton beside those of the body, as of eyelids.

        Args:
            juggler: index from 0.
            jugglers: number of jugglers in the file.
            carriers: the joints of each body.
        """
        # The first segment is the root's only child, and the node after it.
        root = self._add_root(
            gltf.Node(name=juggler_name(juggler), children=[len(self.document.nodes) + 1])
        )
        rig = self._rig
        # Nodes of humanoids rest in a T pose, from which other programs transfer motion. Others
        # stand as in the first frame, which is shown by programs that play no animation.
        stance = (
            _rest_stance(carriers)
            if rig.is_humanoid
            else _first_stance(self.tracks, juggler, carriers)
        )
        # The first offset would be that of the pelvis at rest; its position in the stance replaces
        # it.
        positions = [stance.pelvis, *rig.offsets[1:]]
        segments = [
            self._add_joint(rig.node(bone, juggler, jugglers), position, rotation)
            for bone, position, rotation in zip(
                rig.segments, positions, stance.rotations, strict=True
            )
        ]
        ends = [
            self._add_joint(rig.node(bone, juggler, jugglers), offset)
            for bone, offset in zip(rig.ends.values(), END_OFFSETS, strict=True)
        ]
        helpers = [
            self._add_joint(f"{juggler_name(juggler)}_{name}", position, rotation)
            for name, position, rotation in zip(
                carriers.names, stance.helper_positions, stance.helper_rotations, strict=True
            )
        ]
        # Make ends, helpers and all segments but the first children of their parents.
        for node, parent in [
            *zip(ends, END_SEGMENTS, strict=True),
            *zip(helpers, carriers.parents, strict=True),
            *zip(segments[1:], rig.parents[1:], strict=True),
        ]:
            self.document.nodes[segments[parent]].children.append(node)
        return _SkeletonNodes(root, segments, ends, helpers)

    def _name_human_bones(self, nodes: _SkeletonNodes) -> None:
        """Add the table of which node is which bone of a humanoid.

        The format is that of VRM Consortium, "VRMC_vrm_animation 1.0".

        Args:
            nodes: the nodes of the skeleton.
        """
        bones = {
            name: {"node": node}
            for name, node in zip(self._rig.segments, nodes.segments, strict=True)
        }
        # The end of the head is no humanoid bone; those of fingers, thumbs and feet are.
        for (joint, name), node in zip(self._rig.ends.items(), nodes.ends, strict=True):
            if joint != Joint.FACE:
                bones[name] = {"node": node}
        self.document.extensions[_VRM_ANIMATION] = {
            "specVersion": "1.0",
            "humanoid": {"humanBones": bones},
        }
        self.document.extensionsUsed.append(_VRM_ANIMATION)

    def _add_joint(self, name: str, position: Floats, rotation: Floats | None = None) -> int:
        """Add a node, and return its index; the caller makes it a child of its parent.

        Args:
            name: the name of the node.
            position: relative to its parent, shape (3,), [m].
            rotation: relative to its parent, a quaternion x, y, z, w; None for none.
        """
        node = gltf.Node(name=name, translation=position.tolist())
        if rotation is not None:
            node.rotation = rotation.tolist()
        self.document.nodes.append(node)
        return len(self.document.nodes) - 1

    def add_props(self, request: FrameRequest) -> None:
        """Add all props and their keys; props of one kind, size and colour share a mesh.

        Args:
            request: the request of the frames, with the animation.
        """
        motion = request.animation.motion
        kinds = drawn_kinds(motion)
        colours = request.animation.prop_colours
        # Meshes by kind, size and colour.
        meshes: dict[tuple[object, ...], int] = {}
        for prop, (kind, track) in enumerate(zip(kinds.tolist(), self.tracks.props, strict=True)):
            size = float(motion.shapes.size[prop])
            colour = colour_of(colours[prop])
            appearance = kind, size, colour
            if appearance not in meshes:
                parts = prop_parts(kind, size, colour)
                meshes[appearance] = self._add_mesh(kind, [self._primitive(part) for part in parts])
            node = gltf.Node(
                name=prop_name(prop), mesh=meshes[appearance], translation=track.centres[0].tolist()
            )
            prop_node = self._add_root(node)
            # Each prop has times of its own, since there are also keys at its contacts.
            times = self.buffer.add(track.times.astype(np.float32), bounds=True)
            self._move(prop_node, "translation", keys=self.buffer.add(track.centres), times=times)
            # A square never turns.
            if kind != "square":
                node.rotation = track.rotations[0].tolist()
                self._move(
                    prop_node, "rotation", keys=self.buffer.add(track.rotations), times=times
                )

    def add_stands(self, animation: Animation) -> None:
        if parts := stand_parts(animation.look.stands):
            mesh = self._add_mesh("stands", [self._primitive(part) for part in parts])
            self._add_root(gltf.Node(name="stands", mesh=mesh))

    def add_camera(self, request: FrameRequest) -> None:
        camera = request.view.camera(request.animation, request.aspect)
        self.document.cameras.append(_camera(camera, request.aspect, request.view.name))
        # From the camera's frame to the world. glTF has matrices column by column.
        place = np.linalg.inv(camera.view())
        self._add_root(gltf.Node(name="camera", camera=0, matrix=place.T.ravel().tolist()))

    def add_floor(self) -> None:
        paint = self._primitive(floor_part(self.tracks.pelvises))
        self._add_root(gltf.Node(name="floor", mesh=self._add_mesh("floor", [paint])))

    def add_animation(self, name: str) -> None:
        """Add the animation of all channels collected so far, under this name."""
        animation = gltf.Animation(name=name)
        # Each channel has a sampler of its own, of the same index.
        for sampler, channel in enumerate(self._channels):
            animation.samplers.append(
                gltf.AnimationSampler(input=channel.times, output=channel.keys)
            )
            target = gltf.AnimationChannelTarget(node=channel.node, path=channel.path)
            animation.channels.append(gltf.AnimationChannel(sampler=sampler, target=target))
        self.document.animations.append(animation)

    def _add_root(self, node: gltf.Node) -> int:
        self.document.nodes.append(node)
        self.document.scenes[0].nodes.append(len(self.document.nodes) - 1)
        return len(self.document.nodes) - 1

    def _add_mesh(self, name: str, primitives: list[gltf.Primitive]) -> int:
        self.document.meshes.append(gltf.Mesh(name=name, primitives=primitives))
        return len(self.document.meshes) - 1

    def _primitive(self, part: Part) -> gltf.Primitive:
        """Return a mesh of one material, whose geometry is added to the buffer only once."""
        if id(part.mesh) not in self._geometry:
            self._geometry[id(part.mesh)] = self._add_geometry(part.mesh)
        corners, faces = self._geometry[id(part.mesh)]
        return gltf.Primitive(
            # A copy, since `_body_primitive` adds joints and weights to it.
            attributes=copy(corners),
            indices=faces,
            material=self._material(part),
        )

    def _add_geometry(self, mesh: Mesh) -> tuple[gltf.Attributes, int]:
        """Add points, normals and triangles to the buffer.

        Args:
            mesh: the mesh whose corners and triangles are added.

        Returns:
            The accessors of points and normals, as attributes of a primitive.
            The accessor of the triangles' indices.
        """
        self._meshes_in_use.append(mesh)
        corners = gltf.Attributes(
            POSITION=self.buffer.add(
                mesh.points.astype(np.float32), target=gltf.ARRAY_BUFFER, bounds=True
            ),
            NORMAL=self.buffer.add(mesh.normals, target=gltf.ARRAY_BUFFER),
        )
        index_type = SHORT if len(mesh.points) < _MAX_SHORT_INDEX else LONG
        return corners, self.buffer.add(
            mesh.triangles.ravel(), component_type=index_type, target=gltf.ELEMENT_ARRAY_BUFFER
        )

    def _body_primitive(self, body: BodyPart) -> gltf.Primitive:
        """Return a mesh of one material with the joints and weights of its corners.

        Like the geometry, joints and weights of a mesh are added to the buffer only once.

        Args:
            body: surface, joints and weights of a part of a body.
        """
        primitive = self._primitive(body.part)
        mesh = id(body.part.mesh)
        if mesh not in self._skinning:
            # In solid figures only two joints carry a corner; the unused columns are zeros.
            corner_count, joint_count = body.shares.shape
            unused = np.zeros((corner_count, _JOINTS_OF_CORNER - joint_count))
            joints = np.hstack([body.joints, unused])
            weights = np.hstack([body.shares, unused])
            self._skinning[mesh] = (
                self.buffer.add(joints, component_type=BYTE, target=gltf.ARRAY_BUFFER),
                self.buffer.add(weights, target=gltf.ARRAY_BUFFER),
            )
        primitive.attributes.JOINTS_0, primitive.attributes.WEIGHTS_0 = self._skinning[mesh]
        return primitive

    def _material(self, part: Part) -> int:
        """Return the index of the material of a part; parts of equal colour and gloss share it.

        A shared material has the name of the part that was first.
        """
        appearance = (*part.colour, part.gloss)
        if appearance not in self._materials:
            self._materials[appearance] = len(self.document.materials)
            surface = gltf.PbrMetallicRoughness(
                baseColorFactor=[*part.light, 1.0],
                metallicFactor=0.0,
                roughnessFactor=1 - part.gloss,
            )
            self.document.materials.append(
                gltf.Material(pbrMetallicRoughness=surface, name=part.name or None)
            )
        return self._materials[appearance]


class _Channel(NamedTuple):
    """The animation of one property of a node.

    Args:
        node: index of the node in the document.
        path: the property, "translation" or "rotation".
        keys: index of the accessor of its values.
        times: index of the accessor of their times.
    """

    node: int
    path: str
    keys: int
    times: int


class _SkeletonNodes(NamedTuple):
    """Indices in the document of the nodes of a juggler's skeleton.

    Args:
        root: the node above all others.
        segments: nodes of segments, in the order of `SEGMENTS`.
        ends: nodes of ends, in the order of `ENDS`.
        helpers: nodes of helpers.
    """

    root: int
    segments: list[int]
    ends: list[int]
    helpers: list[int]


class _Stance(NamedTuple):
    """The pose in which a body stands where its animation is not played.

    Args:
        pelvis: position of the pelvis, shape (3,), [m].
        rotations: quaternions x, y, z, w of segments relative to their parents, shape (S, 4) for S
            segments.
        helper_rotations: rotations of helpers relative to their segments, quaternions, shape (H,
            4) for H helpers.
        helper_positions: positions of helpers relative to their segments, shape (H, 3), [m].
    """

    pelvis: Numbers
    rotations: Numbers
    helper_rotations: Numbers
    helper_positions: Numbers


def _first_stance(tracks: MotionTracks, juggler: int, carriers: Carriers) -> _Stance:
    """Return the pose of a juggler in the first frame.

    A segment is a rigid part of the exported skeleton, such as a forearm. Helpers are joints of the
    exported skeleton beside those of the body, as of eyelids.

    Args:
        tracks: the tracks of all jugglers.
        juggler: index from 0.
        carriers: the joints of each body.

    Returns:
        The pelvis, [m], and rotations of segments and positions and rotations of helper joints,
        relative to their parents.
    """
    # The rows of this juggler in the tracks, in which jugglers follow each other.
    segments = slice(juggler * len(SEGMENTS), (juggler + 1) * len(SEGMENTS))
    helpers = slice(juggler * len(carriers.helpers), (juggler + 1) * len(carriers.helpers))
    return _Stance(
        pelvis=tracks.pelvises[juggler, 0],
        rotations=tracks.rotations[segments, 0],
        helper_rotations=tracks.helper_rotations[helpers, 0],
        helper_positions=tracks.helper_positions[helpers, 0],
    )


def _rest_stance(carriers: Carriers) -> _Stance:
    """Return a body in the rest pose, where no segment is turned.

    Helpers may be turned, as the smooth body was made in a pose of its own.

    Args:
        carriers: the joints of each body.
    """
    # Helpers follow from joints. At straight arms their direction is undefined, so they are taken
    # from a pose near that of rest.
    if len(carriers.helpers):
        rotations, positions = carriers.motion(NEAR_REST, np.array(_AHEAD), lids=0.0)
    else:
        rotations = np.zeros((0, 3, 3))
        positions = np.zeros((0, 3))
    return _Stance(
        pelvis=REST[Joint.PELVIS],
        rotations=np.tile(_IDENTITY, (len(SEGMENTS), 1)),
        helper_rotations=quaternions(rotations),
        helper_positions=positions,
    )


def _camera(camera: Camera, aspect: float, name: str) -> gltf.Camera:
    """Return a camera as glTF describes it, without its position, which is that of its node.

    Args:
        camera: gives the lens: the projection, the field of view and the near and far plane.
        aspect: width of the picture over its height.
        name: the name of the camera in the file.
    """
    near = camera.near
    far = camera.far
    if camera.orthographic:
        # Half the height of the box that the camera sees, [m]. With parallel lines of sight all is
        # shown at the scale of the target. `scales` gives the height of 1 m at a distance of 1 m as
        # a share of half the picture's height (the cotangent of half the field of view). So at the
        # target's distance d, half the picture is d / scale high.
        half_height = camera.distance / camera.scales(aspect)[1]
        # In glTF the near plane must not lie behind the eye, which is so far away that the whole
        # pattern is in front of it.
        flat = gltf.Orthographic(xmag=aspect * half_height, ymag=half_height, znear=near, zfar=far)
        return gltf.Camera(orthographic=flat, type="orthographic", name=name)
    lens = gltf.Perspective(
        aspectRatio=aspect, yfov=float(camera.field_of_view), znear=near, zfar=far
    )
    return gltf.Camera(perspective=lens, type="perspective", name=name)


def _in_base64(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a stream of bytes in base64, part by part.

    Base64 turns each three bytes into four characters, and pads only at the end. So up to two bytes
    of a part wait for the next one.
    """
    pending = b""
    for part in parts:
        content = pending + part
        end = len(content) - len(content) % 3
        yield base64.b64encode(content[:end])
        pending = content[end:]
    yield base64.b64encode(pending)


class Buffer:
    """The binary buffer: arrays in sequence, which are not copied until they are written."""

    def __init__(self, document: gltf.GLTF2) -> None:
        self.document = document
        self.length = 0
        self._arrays: list[Numbers] = []

    def add(
        self,
        values: Numbers,
        component_type: int = FLOAT,
        *,
        target: int | None = None,
        bounds: bool = False,
    ) -> int:
        """Add an array, and return the index of its accessor.

        Args:
            values: N scalars, vectors or matrices: shape (N,), (N, 3), (N, 4) or (N, 4, 4).
            component_type: how its numbers are stored: `FLOAT`, `BYTE`, `SHORT` or `LONG`.
            target: how a mesh uses the array, `gltf.ARRAY_BUFFER` for corners or
                `gltf.ELEMENT_ARRAY_BUFFER` for indices; None outside meshes.
            bounds: whether the file states the minimum and maximum of each component.
        """
        return self.add_rows(values[None], component_type, target=target, bounds=bounds)[0]

    def add_rows(
        self,
        rows: Numbers,
        component_type: int = FLOAT,
        *,
        target: int | None = None,
        bounds: bool = False,
    ) -> list[int]:
        """Add R arrays of one shape in one view, and return the indices of their accessors.

        Args:
            rows: the arrays, shape (R, N, …); N is not 0.
            component_type: glTF's number of the type of components.
            target: glTF's number of the buffer's use; None for keys of animations.
            bounds: whether accessors have the least and greatest values.
        """
        if not len(rows):
            return []  # no view may be empty
        # One view holds all rows; each row is an accessor at an offset in it.
        stored = np.ascontiguousarray(rows, dtype=_DTYPES[component_type])
        view = gltf.BufferView(
            buffer=0, byteOffset=self.length, byteLength=stored.nbytes, target=target
        )
        self.document.bufferViews.append(view)
        self._arrays.append(stored)
        self.length += stored.nbytes + _padding(stored)
        row_size = stored.nbytes // len(stored)
        first = len(self.document.accessors)
        for index, row in enumerate(stored):
            accessor = gltf.Accessor(
                bufferView=len(self.document.bufferViews) - 1,
                byteOffset=index * row_size,
                componentType=component_type,
                count=len(row),
                type=_SHAPES[row.shape[1:]],
            )
            if bounds:
                accessor.min = np.atleast_1d(row.min(axis=0)).tolist()
                accessor.max = np.atleast_1d(row.max(axis=0)).tolist()
            self.document.accessors.append(accessor)
        return list(range(first, first + len(stored)))

    def content(self) -> Iterator[bytes]:
        """Yield the content, array by array, each padded to a multiple of four bytes."""
        for array in self._arrays:
            yield array.tobytes() + bytes(_padding(array))


def _padding(array: Numbers) -> int:
    """Return how many bytes an array is short of a multiple of four."""
    return -array.nbytes % 4
