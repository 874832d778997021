"""USD: a stage as text (.usda), in binary form (.usdc), or in a package (.usdz).

A USD stage: people with skeletons and skins, props, a floor, a camera and their animation.

Units are metres, +y is up and people face +z (Pixar, "OpenUSD": the schemas UsdGeom, UsdSkel and
UsdShade).
"""

from __future__ import annotations

import io
import itertools
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Gf, Sdf, Tf, Usd, UsdGeom, UsdShade, UsdSkel, Vt

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.errors import ExportError
from juggle_anim.exporter.models.bodies import (
    BodyPart,
    Carriers,
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
    OFFSETS,
    PARENTS,
    SEGMENTS,
    rig_of,
)
from juggle_anim.exporter.models.tracks import MotionTracks, juggler_name, motion_tracks, prop_name
from juggle_anim.exporter.options import Progress
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.language import _
from juggle_anim.metadata.documents import PROGRAM
from juggle_anim.scene import drawn_kinds


def write_usd(request: FrameRequest, path: Path, metadata: str, progress: Progress | None) -> None:
    """Write one file in the form that its ending names.

    Args:
        request: the frames; its size gives the camera's aspect.
        path: the file, which ends in .usda (text), .usdc (binary) or .usdz (a package).
        metadata: text for the file to carry.
        progress: called with the number of frames done and of all frames; None to report nothing.

    Raises:
        ParameterError: the model would be too large.
        ExportError: the library cannot write it.
    """
    # The stage is kept in a variable, since its layer is valid only as long as it exists.
    stage = usd_stage(request, metadata, progress)
    layer = stage.GetRootLayer()
    match path.suffix.casefold():
        case ".usda":
            path.write_text(layer.ExportToString(), encoding="utf-8", newline="\n")
        case ".usdc":
            path.write_bytes(_binary(layer, path))
        case ".usdz":
            path.write_bytes(_package(_binary(layer, path)))


def _binary(layer: object, path: Path) -> bytes:
    """Return the binary form of a layer.

    The library writes only to files, and leaves others beside them when it is killed. So the file
    is written to a temporary folder, and its content is read back.

    Args:
        layer: a `pxr.Sdf.Layer`.
        path: the file that an error names.

    Raises:
        ExportError: the library cannot write it.
    """
    with tempfile.TemporaryDirectory(prefix="juggle-anim-") as folder:
        exported = Path(folder, "scene.usdc")
        try:
            layer.Export(str(exported))  # type: ignore[attr-defined]
        except Tf.ErrorException as error:
            raise ExportError(_("{path}: cannot save: {error}", path=path, error=error)) from error
        return exported.read_bytes()


def _package(scene: bytes) -> bytes:
    """Return a ZIP whose only member is stored uncompressed, at a multiple of `_ALIGNMENT`.

    Programs map such a file into memory and read the scene in place (Pixar, "USDZ File Format
    Specification").

    Args:
        scene: the content of the member, binary USD.
    """
    member = zipfile.ZipInfo("scene.usdc")
    # The member's content follows its header, its name, and one extra field (a kind, the length of
    # its content, and that). Zeros in that field move the content to a multiple of `_ALIGNMENT`.
    before_padding = _ZIP_HEADER_SIZE + len(member.filename) + _FIELD_HEADER_SIZE
    padding = -before_padding % _ALIGNMENT
    member.extra = _PADDING_KIND + padding.to_bytes(2, "little") + bytes(padding)
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(member, scene)
    return package.getvalue()


_ZIP_HEADER_SIZE = 30  # bytes, of a member before its name
_FIELD_HEADER_SIZE = 4  # bytes, of an extra field before its content
_ALIGNMENT = 64  # bytes
_PADDING_KIND = b"\x86\x19"  # the kind of extra field that Pixar's library pads with


def usd_stage(request: FrameRequest, metadata: str, progress: Progress | None) -> Any:
    """Return a `pxr.Usd.Stage` in memory, whose time codes are frame numbers.

    Args:
        request: the frames; its size gives the camera's aspect.
        metadata: text for the stage to carry.
        progress: called with the number of frames done and of all frames.

    Raises:
        ParameterError: the model would be too large.
    """
    # Positions and rotations of all bodies and props at all times.
    tracks = motion_tracks(request, progress)
    stage = _Stage(request, tracks, metadata)
    for juggler in range(request.animation.num_jugglers):
        stage.add_body(request.animation, juggler)
    stage.add_props(request)
    for number, part in enumerate(stand_parts(request.animation.look.stands), 1):
        stage.add_mesh(f"{_ROOT}/stand_{number}", part)
    stage.add_camera(request)
    if not request.transparent:
        stage.add_mesh(f"{_ROOT}/floor", floor_part(tracks.pelvises))
    return stage.stage


class _Stage:
    """Builds the stage."""

    def __init__(self, request: FrameRequest, tracks: MotionTracks, metadata: str) -> None:
        """Create a stage in memory with its units, rate and root, to which all else is added.

        A stage is USD's scene. A track has the keys of a moving object: values at ascending times.

        Args:
            request: the frames: their number, duration [s], animation and names of bones.
            tracks: keys of bodies and props.
            metadata: the record by which the program opens the pattern of the file again.
        """
        self.tracks = tracks
        self._rig = rig_of(request.bones)
        self.stage = Usd.Stage.CreateInMemory()
        self._layer = self.stage.GetRootLayer()
        self._materials: dict[tuple[float, ...], Any] = {}
        self._material_names: Counter[str] = Counter()
        self._layer.customLayerData = {PROGRAM: metadata}
        UsdGeom.SetStageUpAxis(self.stage, UsdGeom.Tokens.y)
        UsdGeom.SetStageMetersPerUnit(self.stage, 1.0)
        # One time code for each frame, so that keys can be told by frames.
        rate = request.frames / request.duration  # frames/s
        self.stage.SetTimeCodesPerSecond(rate)
        self.stage.SetFramesPerSecond(rate)
        self.stage.SetStartTimeCode(0)
        self.stage.SetEndTimeCode(request.frames)
        root = UsdGeom.Xform.Define(self.stage, _ROOT).GetPrim()
        root.SetDisplayName(request.animation.title)
        Usd.ModelAPI(root).SetKind("component")
        self.stage.SetDefaultPrim(root)

    def add_body(self, animation: Animation, juggler: int) -> None:
        """Add the skeleton of a juggler with its motion, and the skinned meshes that follow it.

        Args:
            animation: the animation whose figure and people are used.
            juggler: index from 0.
        """
        # Programs such as Blender name things by the last part of their paths. So that part
        # contains the juggler's name, and differs from juggler to juggler.
        name = juggler_name(juggler)
        path = f"{_ROOT}/{name}"
        body = UsdSkel.Root.Define(self.stage, path)
        body.CreateExtentAttr(self._extent(juggler))
        skeleton = self._add_skeleton(juggler, carriers_of(animation), f"{path}/{name}_skeleton")
        UsdSkel.BindingAPI.Apply(body.GetPrim()).CreateSkeletonRel().SetTargets(
            [skeleton.GetPath()]
        )
        names: Counter[str] = Counter()
        for body_part in parts_of(animation, juggler):
            part_name = _unique(names, body_part.part.name)
            self._add_skinned_mesh(f"{path}/{name}_{part_name}", body_part)

    def _add_skeleton(self, juggler: int, carriers: Carriers, path: str) -> Any:
        """Add a skeleton with its motion, and return it.

        Args:
            juggler: index from 0.
            carriers: the joints of each body.
            path: the path of the skeleton in the stage.
        """
        skeleton = UsdSkel.Skeleton.Define(self.stage, path)
        # Joints are paths within the skeleton: segments, ends, then helpers, as in `carriers`.
        paths = self._rig.paths
        helper_names = zip(carriers.parents, carriers.names, strict=True)
        joints = [*paths, *(f"{paths[parent]}/{helper}" for parent, helper in helper_names)]
        skeleton.CreateJointsAttr(joints)
        # The transforms of joints in the pose in which the skin is bound to them.
        skeleton.CreateBindTransformsAttr(
            _matrices(np.linalg.inv(carriers.inverse_binds).astype(float))
        )
        # Helpers are joints beside the skeleton's own, such as eyes; tracks hold those of all
        # jugglers.
        first = juggler * len(carriers.helpers)
        helpers = slice(first, first + len(carriers.helpers))
        # Rest transforms are relative to parents: they only shift, without rotation. Helpers are
        # where they are in the first frame.
        rest = np.tile(np.eye(4), (len(joints), 1, 1))
        rest[:, :3, 3] = np.concatenate(
            [self._rig.offsets, END_OFFSETS, self.tracks.helper_positions[helpers, 0]]
        )
        skeleton.CreateRestTransformsAttr(_matrices(rest))
        # The joints with keys are all except the ends.
        moving = [*joints[: len(SEGMENTS)], *joints[len(paths) :]]
        UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets(
            [self._add_motion(juggler, helpers, moving, f"{path}/{juggler_name(juggler)}_motion")]
        )
        return skeleton

    def _add_skinned_mesh(self, path: str, body: BodyPart) -> None:
        """Add a mesh with the joints and weights of its corners.

        Args:
            path: the path of the mesh in the stage.
            body: surface, joints and weights of a part of a body.
        """
        mesh = self.add_mesh(path, body.part)
        skin = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
        skin.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))  # the identity
        joints_a_corner = body.shares.shape[1]
        # Each corner has joints of its own, rather than the mesh a constant set.
        constant = False
        skin.CreateJointIndicesPrimvar(constant, joints_a_corner).Set(_integers(body.joints))
        skin.CreateJointWeightsPrimvar(constant, joints_a_corner).Set(
            Vt.FloatArray.FromNumpy(_singles(body.shares).ravel())
        )

    def _add_motion(self, juggler: int, helpers: slice, joints: list[str], path: str) -> Any:
        """Add the animation of a skeleton: rotations and translations of its joints at all times.

        A segment is a rigid part of the exported skeleton, such as a forearm. A track has the keys
        of a moving object: values at ascending times.

        Args:
            juggler: index from 0.
            helpers: rows of the juggler's helper joints (joints beside the skeleton's own) in the
                tracks.
            joints: paths of all segments and then all helpers, within the skeleton.
            path: the path of the animation in the stage.

        Returns:
            The path of the animation in the stage.
        """
        motion = UsdSkel.Animation.Define(self.stage, path)
        motion.CreateJointsAttr(joints)
        motion.CreateScalesAttr(Vt.Vec3hArray(len(joints), Gf.Vec3h(1.0)))
        first = juggler * len(SEGMENTS)
        segments = slice(first, first + len(SEGMENTS))
        rotations = np.concatenate(
            [self.tracks.rotations[segments], self.tracks.helper_rotations[helpers]]
        )
        # A track has one joint at all times; a sample of USD has all joints at one time.
        self._add_samples(
            motion.CreateRotationsAttr(), map(_quaternions, np.swapaxes(rotations, 0, 1))
        )
        # Only the pelvis and helpers move relative to their parents; all other segments keep their
        # offsets. Shape (times, joints, 3), [m].
        positions = np.tile(_singles(self._rig.offsets), (rotations.shape[1], 1, 1))
        positions[:, 0] = self.tracks.pelvises[juggler]
        positions = np.concatenate(
            [positions, np.swapaxes(self.tracks.helper_positions[helpers], 0, 1)], axis=1
        )
        self._add_samples(motion.CreateTranslationsAttr(), map(_vectors, positions))
        return motion.GetPath()

    def _extent(self, juggler: int) -> Any:
        """Return a box that holds a body at all times: its least and its greatest corner, [m]."""
        pelvises = self.tracks.pelvises[juggler]
        return _vectors(np.stack([pelvises.min(axis=0) - _REACH, pelvises.max(axis=0) + _REACH]))

    def add_props(self, request: FrameRequest) -> None:
        """Add all props to the stage, each with a mesh for each of its parts, and with its keys.

        A key is the position and rotation of a prop at some time. Each prop has keys at times of
        its own, as its contacts with hands and the floor are keys, too.

        Args:
            request: the request of the frames, with the animation.
        """
        motion = request.animation.motion
        kinds = drawn_kinds(motion).tolist()
        colours = request.animation.prop_colours
        for prop, (kind, size, colour) in enumerate(
            zip(kinds, motion.shapes.size, colours, strict=True)
        ):
            path = f"{_ROOT}/{prop_name(prop)}"
            node = UsdGeom.Xform.Define(self.stage, path)
            translation = node.AddTranslateOp(UsdGeom.XformOp.PrecisionFloat).GetAttr()
            track = self.tracks.props[prop]
            # USD counts time in frame numbers (time codes); contacts are between two frames.
            time_codes = (track.times * self.stage.GetTimeCodesPerSecond()).tolist()
            centres = (Gf.Vec3f(*centre) for centre in track.centres.tolist())
            self._add_samples(translation, centres, time_codes)
            if kind != "square":  # a square box never turns
                # USD puts the real part of a quaternion first, tracks put it last.
                rotations = (Gf.Quatf(w, x, y, z) for x, y, z, w in track.rotations.tolist())
                self._add_samples(node.AddOrientOp().GetAttr(), rotations, time_codes)
            for number, part in enumerate(prop_parts(kind, float(size), colour_of(colour)), 1):
                self.add_mesh(f"{path}/{prop_name(prop)}_{kind}_{number}", part)

    def add_camera(self, request: FrameRequest) -> None:
        """Add the camera, which stands still, so it has default values instead of keys.

        Args:
            request: its view and size give the camera.
        """
        aspect = request.aspect
        camera = request.view.camera(request.animation, aspect)
        lens = Gf.Camera()
        # The transform from the camera's frame to the world, transposed, since USD multiplies row
        # vectors by matrices.
        lens.transform = Gf.Matrix4d(np.linalg.inv(camera.view()).T.tolist())
        if camera.orthographic:
            # Height of the box that the camera sees, [m].
            height = 2 * camera.distance / camera.scales(aspect)[1]
            lens.SetOrthographicFromAspectRatioAndSize(aspect, height, Gf.Camera.FOVVertical)
        else:
            angle = float(np.degrees(camera.field_of_view))
            lens.SetPerspectiveFromAspectRatioAndFieldOfView(aspect, angle, Gf.Camera.FOVVertical)
        lens.clippingRange = Gf.Range1f(camera.near, camera.far)
        UsdGeom.Camera.Define(self.stage, f"{_ROOT}/camera").SetFromCamera(
            lens, Usd.TimeCode.Default()
        )

    def add_mesh(self, path: str, part: Part) -> Any:
        """Add a mesh of one material, and return it.

        Args:
            path: the path of the mesh in the stage.
            part: its triangles, colour and gloss; `part.light` is its colour in linear RGB.
        """
        mesh = UsdGeom.Mesh.Define(self.stage, path)
        points = _vectors(part.mesh.points)
        mesh.CreatePointsAttr(points)
        mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(points))
        mesh.CreateNormalsAttr(_vectors(part.mesh.normals))
        mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
        mesh.CreateFaceVertexCountsAttr(Vt.IntArray(len(part.mesh.triangles), 3))
        mesh.CreateFaceVertexIndicesAttr(_integers(part.mesh.triangles))
        # The mesh is shown as it is. By default, USD takes a mesh for the cage of a smooth surface.
        mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        # For programs that show no materials.
        mesh.CreateDisplayColorAttr([Gf.Vec3f(*part.light)])
        UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(self._material(part))
        return mesh

    def _material(self, part: Part) -> Any:
        """Return the material of a part; parts of equal colour and gloss share it.

        A shared material has the name of the part for which it was made first. It is USD's
        standard surface, `UsdPreviewSurface`, with the colour in linear light.

        Args:
            part: a mesh with its name, its colour and its gloss, 0 (matt) to 1.
        """
        appearance = (*part.colour, part.gloss)
        if appearance not in self._materials:
            name = f"{part.name}_paint" if part.name else "paint"
            path = f"{_ROOT}/paints/{_unique(self._material_names, name)}"
            UsdGeom.Scope.Define(self.stage, f"{_ROOT}/paints")  # the folder of all materials
            paint = UsdShade.Material.Define(self.stage, path)
            shader = UsdShade.Shader.Define(self.stage, f"{path}/look")
            shader.CreateIdAttr("UsdPreviewSurface")
            shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(
                Gf.Vec3f(*part.light)
            )
            shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(1 - part.gloss)
            shader.CreateInput("metallic", Sdf.ValueTypeNames.Float).Set(0.0)
            paint.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
            self._materials[appearance] = paint
        return self._materials[appearance]

    def _add_samples(
        self, attribute: Any, values: Any, time_codes: Iterable[float] | None = None
    ) -> None:
        """Add the values of an attribute over time.

        Args:
            attribute: the attribute of the stage.
            values: one for each time code.
            time_codes: the time codes, ascending; None for the frame numbers 0, 1 and so on, of
                which as many are taken as there are values.
        """
        path = attribute.GetPath()
        codes = itertools.count() if time_codes is None else time_codes
        # Frame numbers never end, so only given codes must be equal in number to the values.
        pairs = zip(codes, values, strict=time_codes is not None)
        # Within a change block the library announces all changes at once, which is much faster.
        with Sdf.ChangeBlock():
            for code, value in pairs:
                self._layer.SetTimeSample(path, code, value)


def _unique(names: Counter[str], name: str) -> str:
    """Count a name, and return it with a number behind it if it was used before."""
    names[name] += 1
    return f"{name}_{names[name]}" if names[name] > 1 else name


def _matrices(transforms: Floats) -> Any:
    """Convert matrices of shape (N, 4, 4) for N matrices, which in USD multiply row vectors."""
    return Vt.Matrix4dArray(
        [Gf.Matrix4d(transform) for transform in np.swapaxes(transforms, 1, 2).tolist()]
    )


def _vectors(values: Floats | Singles) -> Any:
    return Vt.Vec3fArray.FromNumpy(_singles(values))


def _quaternions(values: Singles) -> Any:
    return Vt.QuatfArray.FromNumpy(_singles(values))


def _integers(values: Integers) -> Any:
    return Vt.IntArray.FromNumpy(np.ascontiguousarray(values.ravel(), dtype=np.int32))


def _singles(values: Floats | Singles) -> Singles:
    return np.ascontiguousarray(values, dtype=np.float32)


def _reach() -> float:
    """Return a distance from the pelvis within which all skin stays in any pose, [m].

    It is the longest chain of bones, as if stretched, plus the length of the last segment.
    """
    distances = np.zeros(len(SEGMENTS))
    # Parents come before their children; the first segment begins at the pelvis itself.
    for segment, parent in enumerate(PARENTS[1:], 1):
        distances[segment] = distances[parent] + np.linalg.norm(OFFSETS[segment])
    return float(distances.max()) + _LAST_SEGMENT


_ROOT = "/juggling"
_LAST_SEGMENT = 0.3  # m, at most, with the thickness of skin
_REACH = _reach()
