"""Exported models as Blender reads them; `make blender` runs this, as its package is too large for
every test run.
"""

from pathlib import Path

import bpy
import numpy as np
import pytest
from bvh_reader import read_bvh
from glb_reader import read_glb
from model_patterns import PATTERNS, animation, file_name, joints_at

import juggle_anim as ja
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.exporter.models.skeleton import BONES, ENDS, SEGMENTS, rig_of

FPS = 50
NEAR = 1e-4
"""[m]."""


@pytest.fixture(autouse=True)
def empty_scene() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS


def armature_with(bone: str) -> "bpy.types.Object":
    (found,) = (
        each for each in bpy.data.objects if each.type == "ARMATURE" and bone in each.pose.bones
    )
    return found


def heads(armature: "bpy.types.Object", bones: list[str], frame: float) -> Floats:
    """Where bones begin at a frame, in our axes."""
    bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = [seen.matrix_world @ seen.pose.bones[bone].head for bone in bones]
    return np.array([(place.x, place.z, -place.y) for place in places])


@pytest.mark.parametrize("name", PATTERNS)
def test_joints_of_a_glb_are_where_the_pose_has_them(tmp_path: Path, name: str) -> None:
    (path,) = ja.export(animation(name), tmp_path / "a.glb", fps=FPS)
    bpy.ops.import_scene.gltf(filepath=str(path))
    times = read_glb(path).times
    for time in times[np.linspace(0, len(times) - 1, 5).astype(int)]:
        for juggler, joints in enumerate(joints_at(name, np.array([time]))[0]):
            bones = [f"juggler_{juggler + 1}_{file_name(joint)}" for joint in Joint]
            read = heads(armature_with(bones[0]), bones, time * FPS)
            np.testing.assert_allclose(read, joints, atol=NEAR)


@pytest.mark.parametrize("bones", BONES)
def test_bones_with_known_names_are_where_the_pose_has_them(tmp_path: Path, bones: str) -> None:
    rig, name = rig_of(bones), "slow"
    (model,) = ja.export(animation(name), tmp_path / "a.glb", fps=FPS, bones=bones)
    motion, _table = ja.export(animation(name), tmp_path / "a.bvh", fps=FPS, bones=bones, scale=100)
    begins = [segment.joint for segment in SEGMENTS]
    (joints,) = joints_at(name, np.array([0.4]))[:, 0, begins]
    bpy.ops.import_scene.gltf(filepath=str(model))
    np.testing.assert_allclose(
        heads(armature_with(rig.segments[0]), [*rig.segments], 0.4 * FPS), joints, atol=NEAR
    )
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_anim.bvh(filepath=str(motion), frame_start=1, global_scale=0.01)
    frame = round(0.4 / read_bvh(motion.read_text()).frame_time)
    (joints,) = joints_at(name, np.array([frame * read_bvh(motion.read_text()).frame_time]))[
        :, 0, begins
    ]
    np.testing.assert_allclose(
        heads(armature_with(rig.segments[0]), [*rig.segments], frame + 1), joints, atol=NEAR
    )


@pytest.mark.parametrize("name", PATTERNS)
def test_joints_of_a_bvh_are_where_the_pose_has_them(tmp_path: Path, name: str) -> None:
    *paths, _ = ja.export(animation(name), tmp_path / "a.bvh", fps=FPS)
    inner = [joint for joint in Joint if joint not in ENDS]
    for juggler, path in enumerate(paths):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.import_anim.bvh(filepath=str(path), frame_start=1)
        bvh = read_bvh(path.read_text())
        for frame in np.linspace(0, len(bvh.rows) - 1, 5).astype(int).tolist():
            joints = joints_at(name, np.array([frame * bvh.frame_time]))[0, juggler, inner]
            read = heads(armature_with("pelvis"), [file_name(joint) for joint in inner], frame + 1)
            np.testing.assert_allclose(read, joints, atol=NEAR)
